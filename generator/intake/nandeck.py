"""nanDECK: the tables, the texts and the card's size of a script. It is read as a text, never run."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from generator.errors import Unfit
from generator.intake.files import StrangersFiles
from generator.intake.found import FoundDeck, FoundProject, FoundTable, Unread, figure
from generator.intake.plain import add_deck
from generator.load.tables.rows import MOST_CELLS, MOST_COLUMNS
from generator.units import MM_PER_INCH, Size

_NAME = re.compile(r"\[[^\]]+\]|[A-Za-z][A-Za-z0-9]*")
_SURE = re.compile(r"^[ \t]*(?:CARDSIZE|LINK|LINKMULTI|\[[^\]\n]+\])[ \t]*=", re.IGNORECASE | re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:CARDSIZE|FONT|TEXT|IMAGE|RECTANGLE|BORDER|PAGE|LINK|UNIT|DPI)[ \t]*=", re.IGNORECASE | re.MULTILINE
)
_MOST_NAMES = 20_000
"""Different words before a sign of equality that are heeded."""

_RANGE = re.compile(r'^["\s]*[\d{(]')
_MM = {"MM": 1.0, "CM": 10.0, "INCH": MM_PER_INCH}
_USUAL = Size(60.0, 90.0)
"""The size of a card where the script names none: 6 x 9 cm."""

_SETTINGS = ("unit", "cardsize", "link", "linksep", "linkmulti", "linkenc", "linktab", "linknew", "dpi", "encoding")
_WHY = {
    "font": "the type of the texts that follow; font-family and font-size of the template",
    "text": "which text stands where; see templates/",
    "htmltext": "which text stands where; see templates/",
    "image": "which picture stands where; the files are in templates/",
    "page": "the paper: --paper and --margin of `pnp sheets`",
    "border": "the frame of the card: cut marks are drawn by themselves",
    "print": "how it is printed: `pnp sheets`",
    "save": "how it is saved: `pnp images`",
}
_OTHER = "a command of nanDECK's; what it draws goes into the template"


def is_nandeck(files: StrangersFiles) -> bool:
    """Whether a text file is a script of nanDECK's."""
    return any(True for _ in _scripts(files))


def read_nandeck(files: StrangersFiles, found: FoundProject) -> None:
    """A deck for each script: its linked tables, else a table made of its sequences."""
    for script, text in _scripts(files):
        said: dict[str, list[tuple[int, str]]] = {}
        for number, line in _lines(text):
            name, sign, value = line.partition("=")
            if sign and len(said) < _MOST_NAMES and _NAME.fullmatch(name.strip()):
                said.setdefault(name.strip().casefold(), []).append((number, value.strip()))
        size = _size(script, said, found)
        counts = _last(said, "linkmulti").strip('" ')
        linked = said.get("link", [])
        for number, value in linked:
            _link(files, found, script, number, value, size, counts)
        sequences = {name: lines for name, lines in said.items() if name.startswith("[")}
        if not linked:
            _sequences(found, script, sequences, size)
        elif sequences:
            numbers = {name: [number for number, _ in lines] for name, lines in sequences.items()}
            found.leave(script, numbers, {}, "a sequence beside the linked table: add a column with its values")
        commands = {
            name.upper(): [number for number, _ in lines]
            for name, lines in said.items()
            if not name.startswith("[") and name not in _SETTINGS
        }
        found.leave(script, commands, {name.upper(): why for name, why in _WHY.items()}, _OTHER)


def _scripts(files: StrangersFiles) -> Iterator[tuple[str, str]]:
    for name in files.ending(".txt", ".nde", ".nandeck"):
        try:
            text = files.text(name)
        except Unfit:
            continue
        if _SURE.search(text) and _DIRECTIVE.search(text):
            yield name, text


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith((";", "'")):
            yield number, line


def _last(said: Mapping[str, Sequence[tuple[int, str]]], name: str) -> str:
    return said[name][-1][1] if name in said else ""


def _size(script: str, said: Mapping[str, Sequence[tuple[int, str]]], found: FoundProject) -> Size:
    if "cardsize" not in said:
        return _USUAL
    unit = _MM.get(_last(said, "unit").strip('" ').upper(), 10.0)
    number, value = said["cardsize"][-1]
    sides = [figure(side.strip('" ')) for side in value.split(",", maxsplit=2)[:2]]
    width, height = (side and side * unit for side in [*sides, None][:2])
    return found.card_size(script, number, width, height, _USUAL)


def _link(
    files: StrangersFiles, found: FoundProject, script: str, number: int, value: str, size: Size, counts: str
) -> None:
    named = value.split(",", maxsplit=1)[0].strip().strip('"')
    name, _, sheet = named.partition("!")
    if re.match(r"https?://", name) or re.fullmatch(r"[\w-]{25,}", name):
        what = f"the table '{name}' is on the web: write its address after `designs:`, then run `pnp pull`"
        found.unread.append(Unread(script, number, what))
        return
    table = files.found(name, script)
    if table and any((deck.table.file, deck.table.sheet, deck.size) == (table, sheet, size) for deck in found.decks):
        what = f"the table '{name}' is linked once more: make a kind of it, if you want both"
        found.unread.append(Unread(script, number, what))
    elif table:
        add_deck(files, found, table, sheet=sheet, size=size, counts=counts)
    else:
        found.unread.append(Unread(script, number, f"there is no table '{name}'"))


def _sequences(
    found: FoundProject, script: str, sequences: Mapping[str, Sequence[tuple[int, str]]], size: Size
) -> None:
    """The script's lists of values, side by side, as the table of a deck."""
    columns: dict[str, list[str]] = {}
    for name, lines in sequences.items():
        number, value = lines[-1]
        if "|" not in value and _RANGE.match(value):
            found.unread.append(Unread(script, number, f"`{name}`: a choice of cards, which a template makes with if"))
            continue
        columns[name.strip("[]")] = [part.strip().strip('"').replace("\\13\\", "\n") for part in value.split("|")]
    if not columns:
        found.unread.append(
            Unread(script, 1, "the script links no table and has no list of values: there are no cards")
        )
        return
    rows = max(map(len, columns.values()))
    if len(columns) > MOST_COLUMNS or len(columns) * rows > MOST_CELLS:
        most = f"a table has at most {MOST_COLUMNS} columns and {MOST_CELLS:,} cells"
        what = f"the lists of values make {len(columns):,} columns of {rows:,} rows, and {most}; shorten them"
        found.unread.append(Unread(script, 1, what))
        return
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    # A list that is shorter than the others begins anew, as it does in nanDECK.
    writer.writerows([values[row % len(values)] for values in columns.values()] for row in range(rows))
    data = b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")
    stem = PurePosixPath(script).stem
    found.decks.append(FoundDeck(stem, FoundTable(f"{stem}.csv", data), size))
