"""Squib: the tables, sizes and layouts that a deck's Ruby scripts name. The scripts are read as texts, never run."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePosixPath

from generator.errors import LineStarts, Unfit
from generator.intake.files import StrangersFiles
from generator.intake.found import POKER, FoundProject, Unread, figure
from generator.intake.plain import TABLES, add_deck
from generator.units import MM_PER_INCH, Size

_DECK = re.compile(r"\bSquib::Deck\.new\b|\bDeck\.new\b")
_REQUIRED = re.compile(r"""^[ \t]*require[ \t]*\(?["']squib""", re.MULTILINE)
_UP_TO = r"(?:(?!\b(?:csv|xlsx)\b)[^\n])*?"
"""The rest of a line up to the next table: a pattern that began anew at each word would take hours on a long line."""

_TABLE = re.compile(
    rf"""\b(csv|xlsx)\b\s*+(?:\(\s*+)?+{_UP_TO}file:\s*+(["'])((?:(?!\2)[^\n])+)\2"""
    rf"""(?:{_UP_TO}\bsheet:\s*+(?:(["'])((?:(?!\4)[^\n])+)\4|([0-9]{{1,4}})))?"""
)
_PAIR = re.compile(
    r"""\b(width|height|dpi|trim):\s*+(["']?)\s*+([0-9.][\w.]*?)\s*+(in|mm|cm|pt)?\s*+\2(?=[\s,)}]|$)""", re.ASCII
)
_COMMAND = re.compile(
    r"^[ \t]*(background|build|circle|cut_zone|curve|ellipse|grid|hand|line|png|polygon|rect|safe_zone|save|save_json|"
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
    dpi = _config_dpi(files, found)
    seen: set[tuple[str, str]] = set()
    for script, text in _scripts(files):
        lines = LineStarts(text)
        found.leave(script, _commands(text, lines), _WHY, _OTHER)
        # A table that is read before the first deck belongs to that deck.
        starts = [match.start() for match in _DECK.finditer(text)] or [0]
        sizes: dict[int, Size] = {}
        for match in _TABLE.finditer(text):
            table, sheet = files.found(match[3], script), match[5] or match[6] or ""
            if not table:
                found.unread.append(Unread(script, lines.at(match.start())[0], f"there is no table '{match[3]}'"))
            elif (table, sheet) not in seen:
                seen.add((table, sheet))
                deck = max(bisect_right(starts, match.start()) - 1, 0)
                if deck not in sizes:
                    end = starts[deck + 1] if deck + 1 < len(starts) else len(text)
                    line = lines.at(starts[deck])[0]
                    sizes[deck] = _size(text[starts[deck] : end], dpi, partial(found.card_size, script, line))
                add_deck(files, found, table, sheet=sheet, size=sizes[deck])
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


def _size(part: str, dpi: float, usable: Callable[[float | None, float | None, Size], Size]) -> Size:
    """Return the cut card, mm, by what a deck says of width, height, dots an inch and trim."""
    head = re.split(r"\bdo\b|\{", part, maxsplit=1)[0]
    usual = {"width": (_USUAL[0], ""), "height": (_USUAL[1], ""), "dpi": (dpi, ""), "trim": (0.0, "")}
    said = {match[1]: (figure(match[3].replace("_", "")), match[4] or "") for match in _PAIR.finditer(head)}
    trims = [match for match in _PAIR.finditer(part) if match[1] == "trim"]
    if trims:
        said["trim"] = (figure(trims[0][3].replace("_", "")), trims[0][4] or "")
    known = usual | said
    sides = known["width"], known["height"]
    if not trims and sides in ((usual["width"], usual["height"]), (usual["height"], usual["width"])):
        known["trim"] = (_BLEED, "")
    dots = known["dpi"][0]

    def mm(name: str) -> float | None:
        number, unit = known[name]
        return number and (number * (_MM[unit] if unit else MM_PER_INCH / (dots or dpi)))

    width, height, trim = mm("width"), mm("height"), mm("trim")
    if width is None or height is None or trim is None or dots is None:
        return usable(None, None, POKER)
    return usable(width - 2 * trim, height - 2 * trim, POKER)


def _config_dpi(files: StrangersFiles, found: FoundProject) -> float:
    """Return the dots per inch of the configuration; report a value that is no number."""
    for name in files.ending("config.yml"):
        text = files.text(name)
        match = re.search(r"^dpi:[ \t]*([^\s#]+)", text, re.MULTILINE)
        if match and not (dpi := figure(match[1])):
            line = LineStarts(text).at(match.start())[0]
            found.unread.append(Unread(name, line, f"`dpi` is no number above zero: {_DPI:g} is used"))
        elif match:
            return dpi or _DPI
    return _DPI


def _commands(text: str, at: LineStarts) -> dict[str, list[int]]:
    """What the script draws, by the name of its command, with the lines."""
    lines: dict[str, list[int]] = {}
    for match in _COMMAND.finditer(text):
        lines.setdefault(match[1], []).append(at.at(match.start(1))[0])
    return lines


def _leave_layouts(files: StrangersFiles, found: FoundProject) -> None:
    for name in files.ending(".yml", ".yaml"):
        text = files.text(name)
        if PurePosixPath(name).name.startswith("config") or not re.search(
            r"^[ \t]+(x|y|width|extends):", text, re.MULTILINE
        ):
            continue
        entries = _ENTRY.findall(text)
        more = " ..." if len(entries) > 6 else ""
        what = f"a layout of {len(entries)} places ({', '.join(entries[:6])}{more}): put each into the template"
        found.unread.append(Unread(name, 1, what))
