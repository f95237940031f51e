"""Deck scripts of nanDECK and Squib, read as texts and never run."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from generator.base.errors import InvalidInput, LineStarts
from generator.base.geometry import MM_PER_INCH, Size
from generator.exchange import nandeck_layouts
from generator.exchange.foreign_project import (
    POKER,
    TABLES,
    ForeignFiles,
    FoundDeck,
    FoundProject,
    FoundTable,
    add_deck,
    parse_decimal,
    write_csv,
)
from generator.exchange.layout_items import FoundLayout
from generator.exchange.nandeck_layouts import DrawingReader
from generator.exchange.squib_layouts import ScriptReader, SquibFrame
from generator.game.table_rows import MOST_CELLS, MOST_COLUMNS

_NAME = re.compile(r"\[[^\]]+\]|[A-Za-z][A-Za-z0-9]*")
_SURE = re.compile(r"^[ \t]*(?:CARDSIZE|LINK|LINKMULTI|\[[^\]\n]+\])[ \t]*=", re.IGNORECASE | re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:CARDSIZE|FONT|TEXT|IMAGE|RECTANGLE|BORDER|PAGE|LINK|UNIT|DPI)[ \t]*=", re.IGNORECASE | re.MULTILINE
)
_MOST_NAMES = 20_000
"""Largest number of different words before an equals sign to store."""

_RANGE = re.compile(r'^["\s]*[\d{(]')
_NANDECK_UNITS = {"MM": 1.0, "CM": 10.0, "INCH": MM_PER_INCH}
_NANDECK_SIZE = Size(60.0, 90.0)
"""Default size of a card: 6 x 9 cm."""

_SETTINGS = ("unit", "cardsize", "link", "linksep", "linkmulti", "linkenc", "linktab", "linknew", "dpi", "encoding")
_NANDECK_NOTES = {
    "htmltext": "a text with formats; write it into the template",
    "page": "the paper: --paper and --margin of `pnp sheets`",
    "border": "the frame of the card: cut marks are drawn by themselves",
    "print": "how it is printed: `pnp sheets`",
    "save": "how it is saved: `pnp images`",
}
_OTHER_NANDECK_NOTE = "a command of nanDECK's; what it draws goes into the template"


def is_nandeck(files: ForeignFiles) -> bool:
    """Return True if a text file is a nanDECK script."""
    return any(True for _ in _iter_nandeck_scripts(files))


def read_nandeck(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add a deck for each script: its linked tables, else a table made of its sequences."""
    for script, text in _iter_nandeck_scripts(files):
        said: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            name, sign, value = line.partition("=")
            is_setting = bool(sign) and not line.lstrip().startswith((";", "'"))
            if is_setting and len(said) < _MOST_NAMES and _NAME.fullmatch(name.strip()):
                said.setdefault(name.strip().casefold(), []).append((number, value.strip()))
        size = _read_nandeck_size(script, said, foreign)
        unit = _read_nandeck_unit(said)
        counts = _get_last(said, "linkmulti").strip('" ')
        linked = said.get("link", [])
        sequences = {name: lines for name, lines in said.items() if name.startswith("[")}
        labels = {name: lines[-1][1].strip('" ') for name, lines in sequences.items() if "|" not in lines[-1][1]}
        chosen = {name: value for name, value in labels.items() if linked or _RANGE.match(value)}
        drawn = DrawingReader(foreign, script, size, unit, chosen).read_layout(text.splitlines())
        for number, value in linked:
            _add_linked_table(files, foreign, script, number, value, size, counts, drawn)
        if not linked:
            _add_sequences(foreign, script, sequences, size, drawn)
        elif sequences.keys() - labels.keys():
            numbers = {name: [number for number, _ in lines] for name, lines in sequences.items() if name not in labels}
            foreign.add_unread(script, numbers, {}, "a sequence beside the linked table: add a column with its values")
        commands = {
            name.upper(): [number for number, _ in lines]
            for name, lines in said.items()
            if not name.startswith("[") and name not in (*_SETTINGS, *nandeck_layouts.DRAWN)
        }
        foreign.add_unread(
            script, commands, {name.upper(): why for name, why in _NANDECK_NOTES.items()}, _OTHER_NANDECK_NOTE
        )


def _iter_nandeck_scripts(files: ForeignFiles) -> Iterator[tuple[str, str]]:
    for name in files.find_by_suffix(".txt", ".nde", ".nandeck"):
        try:
            text = files.load_text(name)
        except InvalidInput:
            continue
        if _SURE.search(text) and _DIRECTIVE.search(text):
            yield name, text


def _get_last(said: Mapping[str, Sequence[tuple[int, str]]], name: str) -> str:
    return said[name][-1][1] if name in said else ""


def _read_nandeck_unit(settings: Mapping[str, Sequence[tuple[int, str]]]) -> float:
    return _NANDECK_UNITS.get(_get_last(settings, "unit").strip('" ').upper(), 10.0)


def _read_nandeck_size(script: str, settings: Mapping[str, Sequence[tuple[int, str]]], foreign: FoundProject) -> Size:
    if "cardsize" not in settings:
        return _NANDECK_SIZE
    unit = _read_nandeck_unit(settings)
    number, value = settings["cardsize"][-1]
    sides = [parse_decimal(side.strip('" ')) for side in value.split(",", maxsplit=2)[:2]]
    width, height = (side and side * unit for side in [*sides, None][:2])
    return foreign.check_card_size(script, number, width, height, _NANDECK_SIZE)


def _add_linked_table(
    files: ForeignFiles, foreign: FoundProject, script: str, number: int, value: str, size: Size, counts: str,
    drawn: FoundLayout | None,
) -> None:  # fmt: skip
    named = value.split(",", maxsplit=1)[0].strip().strip('"')
    name, _, sheet = named.partition("!")
    if re.match(r"https?://", name) or re.fullmatch(r"[\w-]{25,}", name):
        what = f"the table '{name}' is on the web: write its address after `designs:`, then run `pnp pull`"
        foreign.leave_out(script, number, what)
        return
    table = files.find_file(name, script)
    if table and any((deck.table.file, deck.table.sheet, deck.size) == (table, sheet, size) for deck in foreign.decks):
        what = f"the table '{name}' is linked once more: make a kind of it, if you want both"
        foreign.leave_out(script, number, what)
    elif table:
        add_deck(files, foreign, table, sheet=sheet, size=size, counts=counts, layout=drawn)
    else:
        foreign.leave_out(script, number, f"there is no table '{name}'")


def _add_sequences(
    foreign: FoundProject, script: str, sequences: Mapping[str, Sequence[tuple[int, str]]], size: Size,
    drawn: FoundLayout | None,
) -> None:  # fmt: skip
    """Add the script's lists of values, side by side, as the table of a deck."""
    columns: dict[str, list[str]] = {}
    for name, lines in sequences.items():
        number, value = lines[-1]
        if "|" not in value and _RANGE.match(value):
            if nandeck_layouts.read_range(value) is None:
                foreign.leave_out(script, number, f"`{name}`: a choice of cards, which a template makes with if")
            continue
        columns[name.strip("[]")] = [part.strip().strip('"').replace("\\13\\", "\n") for part in value.split("|")]
    if not columns:
        foreign.leave_out(script, 1, "the script links no table and has no list of values: there are no cards")
        return
    rows = max(map(len, columns.values()))
    if len(columns) > MOST_COLUMNS or len(columns) * rows > MOST_CELLS:
        most = f"a table has at most {MOST_COLUMNS} columns and {MOST_CELLS:,} cells"
        what = f"the lists of values make {len(columns):,} columns of {rows:,} rows, and {most}; shorten them"
        foreign.leave_out(script, 1, what)
        return
    # A list that is shorter than the others starts again, as in nanDECK.
    data = write_csv(columns, ([values[row % len(values)] for values in columns.values()] for row in range(rows)))
    stem = PurePosixPath(script).stem
    foreign.decks.append(FoundDeck(stem, FoundTable(f"{stem}.csv", data), size, layout=drawn))


_DECK = re.compile(r"\bSquib::Deck\.new\b|\bDeck\.new\b")
_REQUIRED = re.compile(r"""^[ \t]*require[ \t]*\(?["']squib""", re.MULTILINE)
_UP_TO = r"(?:(?!\b(?:csv|xlsx)\b)[^\n])*?"
"""The rest of a line up to the next table. A pattern that starts again at each word would take hours on a long line."""

_TABLE = re.compile(
    rf"""\b(csv|xlsx)\b\s*+(?:\(\s*+)?+{_UP_TO}file:\s*+(["'])((?:(?!\2)[^\n])+)\2"""
    rf"""(?:{_UP_TO}\bsheet:\s*+(?:(["'])((?:(?!\4)[^\n])+)\4|([0-9]{{1,4}})))?"""
)
_PAIR = re.compile(
    r"""\b(width|height|dpi|trim):\s*+(["']?)\s*+([0-9.][\w.]*?)\s*+(in|mm|cm|pt)?\s*+\2(?=[\s,)}]|$)""", re.ASCII
)
_COMMAND = re.compile(
    r"^[ \t]*(build|cut_zone|curve|grid|hand|polygon|safe_zone|save|save_json|save_pdf|save_png|save_sheet|showcase|"
    r"star|triangle)\b(?=\s*[\(\w:])",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_DPI, _SQUIB_SIZE = 300.0, (825.0, 1125.0)
_BLEED = 37.5
"""Default bleed (pixels): Squib's default deck is 2.75 x 3.75 inches, 1/8 inch more than a poker card at each edge."""

_SQUIB_UNITS = {"in": MM_PER_INCH, "mm": 1.0, "cm": 10.0, "pt": MM_PER_INCH / 72}

_SQUIB_NOTES = dict.fromkeys(
    ("save", "save_pdf", "save_png", "save_sheet", "save_json", "hand", "showcase", "build"),
    "how the deck is written: `pnp sheets`, `pnp images` and `pnp shop` do that",
)
_OTHER_SQUIB_NOTE = "a shape that the script draws; SVG has the like for the template"


def is_squib(files: ForeignFiles) -> bool:
    """Return True if a Ruby script makes a deck with Squib."""
    return any(_DECK.search(text) or _REQUIRED.search(text) for _, text in _iter_squib_scripts(files))


def read_squib(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add a deck for each table that a script reads, in the script's size, else for each table of the project."""
    dpi = _read_config_dpi(files, foreign)
    seen: set[tuple[str, str]] = set()
    for script, text in _iter_squib_scripts(files):
        lines = LineStarts(text)
        commands: dict[str, list[int]] = {}
        for match in _COMMAND.finditer(text):
            commands.setdefault(match[1], []).append(lines.find_position(match.start(1))[0])
        foreign.add_unread(script, commands, _SQUIB_NOTES, _OTHER_SQUIB_NOTE)
        # A table that is read before the first deck belongs to that deck.
        starts = [match.start() for match in _DECK.finditer(text)] or [0]
        decks: dict[int, tuple[Size, FoundLayout | None]] = {}
        for match in _TABLE.finditer(text):
            table, sheet = files.find_file(match[3], script), match[5] or match[6] or ""
            if not table:
                foreign.leave_out(script, lines.find_position(match.start())[0], f"there is no table '{match[3]}'")
            elif (table, sheet) not in seen:
                seen.add((table, sheet))
                deck = max(bisect_right(starts, match.start()) - 1, 0)
                if deck not in decks:
                    start, end = starts[deck], starts[deck + 1] if deck + 1 < len(starts) else len(text)
                    check = partial(foreign.check_card_size, script, lines.find_position(start)[0])
                    size, frame = _read_squib_size(text[start:end], dpi, check)
                    reader = ScriptReader(files, foreign, script, frame)
                    decks[deck] = size, reader.read_items(text, start, end, lines)
                size, drawn = decks[deck]
                add_deck(files, foreign, table, sheet=sheet, size=size, layout=drawn)
    named = {table for table, _ in seen}
    for table in files.find_by_suffix(*TABLES):
        if not foreign.decks and table not in named:
            add_deck(files, foreign, table)
        elif table not in named:
            foreign.leave_out(table, 0, "a table that no script reads by its name")


def _iter_squib_scripts(files: ForeignFiles) -> Iterator[tuple[str, str]]:
    for name in files.find_by_suffix(".rb", "rakefile"):
        try:
            yield name, _COMMENT.sub("", files.load_text(name))
        except InvalidInput:
            continue


def _read_squib_size(
    part: str, dpi: float, usable: Callable[[float | None, float | None, Size], Size]
) -> tuple[Size, SquibFrame]:
    """Return the size of the cut card (mm) and its frame, from a deck's width, height, dpi and trim."""
    head = re.split(r"\bdo\b|\{", part, maxsplit=1)[0]
    usual = {"width": (_SQUIB_SIZE[0], ""), "height": (_SQUIB_SIZE[1], ""), "dpi": (dpi, ""), "trim": (0.0, "")}
    said = {match[1]: (parse_decimal(match[3].replace("_", "")), match[4] or "") for match in _PAIR.finditer(head)}
    trims = [match for match in _PAIR.finditer(part) if match[1] == "trim"]
    if trims:
        said["trim"] = (parse_decimal(trims[0][3].replace("_", "")), trims[0][4] or "")
    known = usual | said
    sides = known["width"], known["height"]
    if not trims and sides in ((usual["width"], usual["height"]), (usual["height"], usual["width"])):
        known["trim"] = (_BLEED, "")
    dots = known["dpi"][0]

    def mm(name: str) -> float | None:
        number, unit = known[name]
        return number and (number * (_SQUIB_UNITS[unit] if unit else MM_PER_INCH / (dots or dpi)))

    width, height, trim = mm("width"), mm("height"), mm("trim")
    if width is None or height is None or trim is None or dots is None:
        size = usable(None, None, POKER)
        return size, SquibFrame(dots or dpi, size.width, size.height, 0.0)
    return usable(width - 2 * trim, height - 2 * trim, POKER), SquibFrame(dots, width, height, trim)


def _read_config_dpi(files: ForeignFiles, foreign: FoundProject) -> float:
    """Return the dots per inch of the configuration; report a value that is no number."""
    for name in files.find_by_suffix("config.yml"):
        text = files.load_text(name)
        match = re.search(r"^dpi:[ \t]*([^\s#]+)", text, re.MULTILINE)
        if match and not (dpi := parse_decimal(match[1])):
            line = LineStarts(text).find_position(match.start())[0]
            foreign.leave_out(name, line, f"`dpi` is no number above zero: {_DPI:g} is used")
        elif match:
            return dpi or _DPI
    return _DPI
