"""Magic Set Editor: the cards of a set, which is a text of indented keys with pictures beside it, often in one zip."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from generator.errors import Unfit
from generator.intake.files import StrangersFiles
from generator.intake.found import FoundDeck, FoundProject, FoundTable, Unread
from generator.load.tables.rows import MOST_CELLS, MOST_COLUMNS
from generator.units import Size

_SET = "set"
_CARD = Size(63.0, 88.0)
_SETTINGS = (
    "has styling",
    "styling data",
    "time created",
    "time modified",
    "notes",
    "extra data",
    "stylesheet version",
)
_STARTS = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"GIF8": ".gif", b"RIFF": ".webp", b"BM": ".bmp"}
_BOLD, _ITALIC = re.compile(r"</?b>"), re.compile(r"</?i(?:-flavor)?>")
_SYMBOL = re.compile(r"<sym(?:-auto)?>([^<]*)</sym(?:-auto)?>")
_TAG = re.compile(r"</?[a-z][^<>]*>")


def is_magic_set(files: StrangersFiles) -> bool:
    """Whether there is a set that the program wrote."""
    return any("mse" in files.text(name)[:200] for name in _sets(files))


def read_magic_set(files: StrangersFiles, found: FoundProject) -> None:
    """A deck of each set's cards, with their pictures."""
    for name in _sets(files):
        text = files.text(name)
        cards, title = [], ""
        tags: dict[str, list[int]] = {}
        for key, line, inner in _blocks(text.splitlines(), 0, 1):
            if key == "card":
                cards.append(_card(inner, tags))
            elif key == "set info":
                title = next((" ".join(value) for own, _, value in _blocks(inner, 1, line) if own == "title"), "")
            elif key not in ("mse version", "game", "game version"):
                what = f"`{key}`: how the editor draws the cards; the template in templates/ does that"
                found.unread.append(Unread(name, line, what))
        found.unread += [
            Unread(name, 1, f"`<{tag}>` in texts ({times[0]} times): taken out") for tag, times in tags.items()
        ]
        if cards:
            _take(files, found, name, title or PurePosixPath(files.shown).stem, cards)
        else:
            found.unread.append(Unread(name, 1, "the set has no cards"))


def _sets(files: StrangersFiles) -> list[str]:
    return [name for name in files.names if PurePosixPath(name).name == _SET]


def _blocks(lines: list[str], depth: int, first: int) -> Iterator[tuple[str, int, list[str]]]:
    """The keys at a depth with their lines and what is said of them: the value, or the lines that stand deeper."""
    key, at, inner = "", 0, list[str]()
    for number, line in enumerate(lines, first):
        level = len(line) - len(line.lstrip("\t"))
        if level == depth and ":" in line and line.strip():
            if key:
                yield key, at, inner
            key, _, value = line.strip().partition(":")
            at, inner = number, [value.strip()] if value.strip() else []
        elif key and (level > depth or not line.strip()):
            inner.append(line)
    if key:
        yield key, at, inner


def _card(lines: list[str], tags: dict[str, list[int]]) -> dict[str, str]:
    """The fields of a card as texts in the marks of this program."""
    card = {}
    for key, _, value in _blocks(lines, 1, 1):
        if key not in _SETTINGS:
            card[key] = _plain("\n".join(line.strip("\t") for line in value).strip("\n"), tags)
    return card


def _plain(text: str, tags: dict[str, list[int]]) -> str:
    text = re.sub(r"([\\*{}])", r"\\\1", text)
    text = _SYMBOL.sub(r"(\1)", _ITALIC.sub("*", _BOLD.sub("**", text)))
    for match in _TAG.finditer(text):
        name = match[0].strip("</>").partition(":")[0].partition("-")[0]
        tags.setdefault(name, [0])[0] += 1
    return _TAG.sub("", text)


def _take(files: StrangersFiles, found: FoundProject, name: str, title: str, cards: list[dict[str, str]]) -> None:
    filled = {key for card in cards for key, value in card.items() if value}
    headings = [key for key in dict.fromkeys(key for card in cards for key in card) if key in filled]
    if len(headings) > MOST_COLUMNS or len(headings) * len(cards) > MOST_CELLS:
        what = f"{len(cards):,} cards with {len(headings):,} fields: a table has at most "
        hint = f"{MOST_COLUMNS} fields and {MOST_CELLS:,} cells; split the set"
        found.unread.append(Unread(name, 1, what + hint))
        return
    taken = dict[str, str]()
    for card in cards:
        for key, value in card.items():
            picture = files.found(value, name) if value and "\n" not in value and "image" in key else ""
            if picture:
                if picture not in taken:
                    taken[picture] = _picture(files, found, picture)
                card[key] = taken[picture]
    out = io.StringIO()
    writer = csv.DictWriter(out, headings, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(cards)
    data = b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")
    found.decks.append(FoundDeck(title, FoundTable("cards.csv", data, marked=True), _CARD))


def _picture(files: StrangersFiles, found: FoundProject, name: str) -> str:
    """Take a picture, which has no ending in a set; its name with one."""
    try:
        data = files.read(name, "picture")
    except Unfit as unfit:
        found.unread.append(Unread(name, 0, f"{unfit}; {unfit.hint}"))
        return name
    ending = next((end for start, end in _STARTS.items() if data.startswith(start)), "")
    if ending in ("", ".bmp"):
        found.unread.append(Unread(name, 0, "a picture of a form that is not read: save it as PNG"))
        return name
    named = name if name.lower().endswith(ending) else f"{name}{ending}"
    found.pictures[f"pictures/{PurePosixPath(named).name}"] = data
    return PurePosixPath(named).name
