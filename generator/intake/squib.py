"""Squib: the tables, sizes and layouts that a deck's Ruby scripts name. The scripts are read as texts, never run."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from generator.errors import Unfit
from generator.intake.files import StrangersFiles
from generator.intake.found import FoundProject, Unread
from generator.intake.plain import TABLES, add_deck
from generator.units import MM_PER_INCH, Size

_DECK = re.compile(r"\bSquib::Deck\.new\b|\bDeck\.new\b")
_REQUIRED = re.compile(r"""^\s*require\s*\(?["']squib""", re.MULTILINE)
_TABLE = re.compile(
    r"""\b(?:Squib\.)?(csv|xlsx)\b\s*\(?[^\n]*?file:\s*(["'])(.+?)\2"""
    r"""(?:[^\n]*?\bsheet:\s*(?:(["'])(.+?)\4|(\d+)))?"""
)
_PAIR = re.compile(r"""\b(width|height|dpi|trim):\s*(?:(["'])\s*([\d.]+)\s*(in|mm|cm|pt)?\s*\2|([\d.]+))""")
_COMMAND = re.compile(
    r"^\s*(background|build|circle|cut_zone|curve|ellipse|grid|hand|line|png|polygon|rect|safe_zone|save|save_json|"
    r"save_pdf|save_png|save_sheet|showcase|star|svg|text|triangle|use_layout)\b(?=\s*[\(\w:])",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w[\w -]*):", re.MULTILINE)
_DPI, _USUAL = 300.0, (825.0, 1125.0)
_BLEED = 37.5
"""Pixels: Squib's usual deck is 2.75 x 3.75 inches, an eighth of an inch more than a poker card at each edge."""

_MM = {"in": MM_PER_INCH, "mm": 1.0, "cm": 10.0, "pt": MM_PER_INCH / 72}

_WHY = {
    "text": "which text stands where and in which type; see templates/",
    "png": "which picture stands where; the files are in templates/",
    "svg": "which drawing stands where; the files are in templates/",
    "background": "the ground's colour: `fill` of the first <rect> of the template",
    "use_layout": "the layout file; see its own line",
} | dict.fromkeys(
    ("save", "save_pdf", "save_png", "save_sheet", "save_json", "hand", "showcase", "build"),
    "how the deck is written: `pnp sheets`, `pnp images` and `pnp shop` do that",
)
_OTHER = "a shape that the script draws; SVG has the like for the template"


def is_squib(files: StrangersFiles) -> bool:
    """Whether a Ruby script makes a deck with it."""
    return any(_DECK.search(text) or _REQUIRED.search(text) for _, text in _scripts(files))


def read_squib(files: StrangersFiles, found: FoundProject) -> None:
    """A deck for each table that a script reads, in the size that the script gives it; else for each table there is."""
    dpi = _config_dpi(files)
    seen: set[tuple[str, str]] = set()
    for script, text in _scripts(files):
        found.leave(script, _commands(text), _WHY, _OTHER)
        for part in _decks(text):
            for match in _TABLE.finditer(part):
                table, sheet = files.found(match[3], script), match[5] or match[6] or ""
                if not table:
                    line = text[: text.find(match[0])].count("\n") + 1
                    found.unread.append(Unread(script, line, f"there is no table '{match[3]}'"))
                elif (table, sheet) not in seen:
                    seen.add((table, sheet))
                    add_deck(files, found, table, sheet=sheet, size=_size(part, dpi))
    _leave_layouts(files, found)
    named = {table for table, _ in seen}
    for table in files.ending(*TABLES):
        if not found.decks and table not in named:
            add_deck(files, found, table)
        elif table not in named:
            found.unread.append(Unread(table, 0, "a table that no script reads by its name"))


def _scripts(files: StrangersFiles) -> Iterator[tuple[str, str]]:
    for name in files.ending(".rb", "rakefile"):
        try:
            yield name, _COMMENT.sub("", files.text(name))
        except Unfit:
            continue


def _decks(text: str) -> list[str]:
    """The script cut where each deck begins; what stands before the first goes with it."""
    starts = [match.start() for match in _DECK.finditer(text)]
    ends = [*starts[1:], len(text)][: len(starts)]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)] or [text]
    before = text[: starts[0]] if starts else ""
    # A table that is read before the first deck belongs to that deck; its size comes from the deck's own words.
    return [parts[0] + "\n" + before, *parts[1:]]


def _size(part: str, dpi: float) -> Size:
    """The cut card, mm, of what a deck says of width, height, dots an inch and trim."""
    head = re.split(r"\bdo\b|\{", part, maxsplit=1)[0]
    said = {match[1]: (float(match[3] or match[5]), match[4] or "") for match in _PAIR.finditer(head)}
    dots = said.get("dpi", (dpi, ""))[0] or dpi
    trims = [match for match in _PAIR.finditer(part) if match[1] == "trim"]
    width, height = (said.get(name, (usual, "")) for name, usual in (("width", _USUAL[0]), ("height", _USUAL[1])))
    trim = (float(trims[0][3] or trims[0][5]), trims[0][4] or "") if trims else (0.0, "")
    if not trims and ((width[0], height[0]) in (_USUAL, _USUAL[::-1])):
        trim = (_BLEED, "")

    def mm(value: tuple[float, str]) -> float:
        return value[0] * (_MM[value[1]] if value[1] else MM_PER_INCH / dots)

    return Size(round(mm(width) - 2 * mm(trim), 2), round(mm(height) - 2 * mm(trim), 2))


def _config_dpi(files: StrangersFiles) -> float:
    for name in files.ending("config.yml"):
        match = re.search(r"^dpi:\s*([\d.]+)", files.text(name), re.MULTILINE)
        if match and float(match[1]) > 0:
            return float(match[1])
    return _DPI


def _commands(text: str) -> dict[str, list[int]]:
    """What the script draws, by the name of its command, with the lines."""
    lines: dict[str, list[int]] = {}
    for match in _COMMAND.finditer(text):
        lines.setdefault(match[1], []).append(text[: match.start(1)].count("\n") + 1)
    return lines


def _leave_layouts(files: StrangersFiles, found: FoundProject) -> None:
    for name in files.ending(".yml", ".yaml"):
        text = files.text(name)
        if PurePosixPath(name).name.startswith("config") or not re.search(
            r"^\s+(x|y|width|extends):", text, re.MULTILINE
        ):
            continue
        entries = _ENTRY.findall(text)
        more = " ..." if len(entries) > 6 else ""
        what = f"a layout of {len(entries)} places ({', '.join(entries[:6])}{more}): put each into the template"
        found.unread.append(Unread(name, 1, what))
