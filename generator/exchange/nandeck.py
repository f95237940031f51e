"""nanDECK: scripts read as text and never run, as decks with tables and layouts."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from generator.base.errors import InvalidInput, Place, Problem
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.exchange.foreign_project import (
    MOST_ITEMS,
    ForeignFiles,
    FoundDeck,
    FoundLayout,
    FoundProject,
    FoundTable,
    LaidItem,
    Program,
    add_deck,
    parse_decimal,
    read_colour,
    split_columns,
    write_csv,
)
from generator.game.table_rows import MOST_CELLS, MOST_COLUMNS

DRAWN = ("text", "textfont", "font", "image", "rectangle", "roundrect", "ellipse", "line")
"""Commands that become items of a template, or say how their texts look."""

_MOST_CARDS = 1_000_000
_LONGEST_COMMAND, _LONGEST_LABEL = 20_000, 2_000
_NUMBER = re.compile(r"-?(?:[0-9]{1,6}(?:[.][0-9]{0,6})?|[.][0-9]{1,6})", re.ASCII)
_RANGE = re.compile(r"([0-9]{1,6})(?:\s*-\s*(?:([0-9]{1,6})|\{\(\[?[^{}]*\]?\)\}))?|\{\(\[?[^{}]*\]?\)\}", re.ASCII)
_FRAME = re.compile(r"<([^<>]{1,60})>")
_LABEL = re.compile(r"\[([^\[\]]{1,60})\]")
_BREAK = "\\13\\"
_HAIRLINE = 0.1
"""Thickness of lines that have none (mm)."""


class _Font(NamedTuple):
    """What FONT says about the texts that follow."""

    family: str = "Arial"
    points: float = 12.0
    style: str = ""
    colour: str = "ink"
    ground: str = "none"


def read_range(text: str) -> tuple[tuple[int, int], ...] | None:
    """Return the first and last cards of each part of a range, such as `1-{(name)}`; an empty tuple for all cards.

    Return None for other texts.
    """
    parts = [part.strip() for part in text.strip('" ').split(",")]
    if parts in ([""], ["ALL"]):
        return ()
    found = []
    for part in parts:
        if (match := _RANGE.fullmatch(part)) is None:
            return None
        last = int(match[2]) if match[2] else _MOST_CARDS if "{" in part else int(match[1])
        found.append((int(match[1] or 1), last))
    return tuple(found)


def _split_values(text: str) -> list[str]:
    """Return the values between the commas of a command. Quotes around a value keep its commas."""
    return [value.strip() for value in next(csv.reader([text[:_LONGEST_COMMAND]], skipinitialspace=True), [])]


class DrawingReader:
    """Reads the drawing commands of one script. `unit` is its unit in mm, `labels` are its lists with one value."""

    def __init__(self, foreign: FoundProject, script: str, size: Size, unit: float, labels: Mapping[str, str]):
        self._foreign, self._script, self._size, self._unit, self._labels = foreign, script, size, unit, labels
        self._font, self._frames, self._items = _Font(), dict[str, Sequence[str]](), list[LaidItem]()
        self._line, self._column, self._commands = 1, 1, 0

    def read_layout(self, lines: Sequence[str]) -> FoundLayout | None:
        """Return the layout that the lines of the script draw, or None if they draw nothing."""
        for self._line, text in enumerate(lines, 1):
            name, sign, value = text.partition("=")
            command, self._column = name.strip().casefold(), len(text) - len(text.lstrip()) + 1
            if not sign or command.startswith((";", "'")):
                continue
            if frame := _FRAME.fullmatch(command):
                self._frames[frame[1]] = _split_values(value)
            elif command in DRAWN and self._commands == MOST_ITEMS:
                self._note(f"this command and those after it: a layout has at most {MOST_ITEMS} items")
                break
            elif command in DRAWN and value.count('"') % 2:
                self._add("a quotation mark is never closed", "write one at the end of the text")
            elif command in DRAWN:
                self._commands += command != "font"
                self._read_command(command, _split_values(value))
        return FoundLayout(self._script, tuple(self._items)) if self._items else None

    def _note(self, what: str) -> None:
        self._foreign.leave_out(self._script, self._line, what)

    def _add(self, what: str, hint: str) -> None:
        self._foreign.problems.append(Problem(Place(self._script, self._line, self._column), what, hint))

    def _read_command(self, command: str, values: list[str]) -> None:
        if command == "font":
            self._font = self._read_font(command, values)
            return
        cards = read_range(self._fill(values[0])) if values else None
        if cards is None:
            self._note(
                f"`{command.upper()}`: the cards '{values[0][:40] if values else ''}' are a choice; use `{{% if %}}`"
            )
            return
        at = 2 if command in ("text", "textfont", "image") else 1
        if frame := _FRAME.fullmatch(values[at].casefold()) if len(values) > at else None:
            if frame[1] not in self._frames:
                self._add(f"the frame <{frame[1]}> is not there", f"write <{frame[1]}>=x, y, width, height above")
                return
            values[at : at + 1] = self._frames[frame[1]]
        values += [""] * (at + 14 - len(values))
        numbers = [self._read_number(command, values[at + n], n) for n in range(4)]
        if None in numbers:
            return
        x, y, width, height = (number or 0.0 for number in numbers)
        common: dict[str, Any] = {"line": self._line, "cards": cards}
        if command == "line":
            paint: dict[str, Any] = {"stroke": self._colour(values[5]), "stroke_width": self._read_thickness(values[6])}
            self._items.append(LaidItem(tag="line", box=Rect(x, y, width - x, height - y), **paint, **common))
            return
        box = Rect(min(x, x + width), min(y, y + height), abs(width), abs(height))
        if command in ("text", "textfont"):
            self._add_text(command, box, values, common)
        elif command == "image":
            turn = self._read_turn(values[6], box)
            fit = "contain" if "P" in values[7].upper() else "stretch"
            self._items.append(
                LaidItem(tag="picture", box=box, parts=self._split(values[1]), fit=fit, **turn, **common)
            )
        else:
            stroke = self._colour(values[5])
            fill = self._colour(values[6]) if values[6] else stroke
            width = self._read_thickness(values[7])
            paint = {"fill": fill, "stroke": "none" if fill == stroke else stroke, "stroke_width": width}
            radius = min(box.width, box.height) / 8 if command == "roundrect" else 0.0
            tag: Any = "ellipse" if command == "ellipse" else "rect"
            self._items.append(LaidItem(tag=tag, box=box, radius=radius, **paint, **common))

    def _read_font(self, command: str, values: Sequence[str]) -> _Font:
        family, size, style, colour, ground = [*values, *[""] * 5][:5]
        points = float(size) if _NUMBER.fullmatch(size) else 0.0
        if points <= 0 and "[" not in size:
            self._add(
                f"`{command.upper()}`: the size '{size[:40]}' is no number of points", "write a number such as 12"
            )
        if points <= 0 or points > 500:
            points = self._font.points
        style = style.upper()
        paper = self._colour(ground) if ground and "T" not in style else "none"
        return _Font(family or "Arial", points, style, self._colour(colour) if colour else "ink", paper)

    def _add_text(self, command: str, box: Rect, values: Sequence[str], common: dict[str, Any]) -> None:
        across, down, turn = values[6].lower(), values[7].lower(), self._read_turn(values[8], box)
        font = self._read_font(command, values[10:14]) if command == "textfont" else self._font
        if font.ground != "none":
            self._items.append(LaidItem(tag="rect", box=box, fill=font.ground, **turn, **common))
        valign = (
            "top" if "top" in down or down in ("wordwrap", "charwrap") else "bottom" if "bottom" in down else "middle"
        )
        align = across if across in ("left", "right") else "center"
        self._items.append(LaidItem(
            tag="text", box=box, parts=self._split(values[1].replace(_BREAK, "\n")), family=font.family,
            points=font.points, bold="B" in font.style, italic="I" in font.style, fill=font.colour,
            align=align, valign=valign, swaps=((_BREAK, "\n"),), **turn, **common,
        ))  # fmt: skip

    def _fill(self, text: str) -> str:
        """Return a text with the script's own values in place of their labels."""
        return _LABEL.sub(
            lambda label: self._labels.get(label[0].casefold(), label[0])[:_LONGEST_LABEL], text, count=50
        )

    def _split(self, text: str) -> Any:
        return split_columns(self._fill(text), r"\[([^\[\]\n]+)\]")

    def _colour(self, text: str) -> str:
        parts = self._split(text)
        return read_colour(parts[0] if len(parts) == 1 else self._fill(text), self._note)

    def _read_number(self, command: str, text: str, index: int) -> float | None:
        """Return the x (`index` 0), y, width or height (3) of a command in mm, or None after a report."""
        plain = self._fill(text)
        share = plain.endswith("%")
        number = plain.removesuffix("%").strip()
        side = self._size.height if index % 2 else self._size.width
        if _NUMBER.fullmatch(number):
            return float(number) * (side / 100 if share else self._unit)
        name = ("x", "y", "width", "height")[index]
        if not plain:
            self._add(f"`{command.upper()}` has no {name}", "write x, y, width and height, or a frame")
        elif re.search(r"[\[{(<]", plain):
            self._note(f"`{command.upper()}`: the {name} '{plain[:40]}' is computed; place it in the template")
        else:
            self._add(f"`{command.upper()}`: the {name} '{plain[:40]}' is no number", "write a number, or one with %")
        return None

    def _read_thickness(self, text: str) -> float:
        return float(text) * self._unit if _NUMBER.fullmatch(text) and float(text) > 0 else _HAIRLINE

    def _read_turn(self, text: str, box: Rect) -> dict[str, Any]:
        """Return LaidItem's fields that turn a box by `text` degrees against the clock around its middle; {} for 0."""
        if not _NUMBER.fullmatch(text) or not float(text):
            return {}
        return {"turn": -float(text), "pivot": (box.x + box.width / 2, box.y + box.height / 2)}


_NAME = re.compile(r"\[[^\]]+\]|[A-Za-z][A-Za-z0-9]*")
_SURE = re.compile(r"^[ \t]*(?:CARDSIZE|LINK|LINKMULTI|\[[^\]\n]+\])[ \t]*=", re.IGNORECASE | re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:CARDSIZE|FONT|TEXT|IMAGE|RECTANGLE|BORDER|PAGE|LINK|UNIT|DPI)[ \t]*=", re.IGNORECASE | re.MULTILINE
)
_MOST_NAMES = 20_000
"""Largest number of different words before an equals sign to store."""

_CHOICE = re.compile(r'^["\s]*[\d{(]')
_UNITS = {"MM": 1.0, "CM": 10.0, "INCH": MM_PER_INCH}
_SIZE = Size(60.0, 90.0)
"""Default size of a card: 6 x 9 cm."""

_SETTINGS = ("unit", "cardsize", "link", "linksep", "linkmulti", "linkenc", "linktab", "linknew", "dpi", "encoding")
_NOTES = {
    "htmltext": "a text with formats; write it into the template",
    "page": "the paper: --paper and --margin of `pnp sheets`",
    "border": "the frame of the card: cut marks are drawn by themselves",
    "print": "how it is printed: `pnp sheets`",
    "save": "how it is saved: `pnp images`",
}
_OTHER_NOTE = "a nanDECK command; draw its result in the template"


def is_nandeck(files: ForeignFiles) -> bool:
    """Return True if a text file is a nanDECK script."""
    return any(True for _ in _iter_scripts(files))


def read_nandeck(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add a deck for each script: its linked tables, else a table made of its sequences."""
    for script, text in _iter_scripts(files):
        said: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            name, sign, value = line.partition("=")
            is_setting = bool(sign) and not line.lstrip().startswith((";", "'"))
            if is_setting and len(said) < _MOST_NAMES and _NAME.fullmatch(name.strip()):
                said.setdefault(name.strip().casefold(), []).append((number, value.strip()))
        size, unit = _SIZE, _UNITS.get(_get_last(said, "unit").strip('" ').upper(), 10.0)
        if "cardsize" in said:
            number, value = said["cardsize"][-1]
            sides = [parse_decimal(side.strip('" ')) for side in value.split(",", maxsplit=2)[:2]]
            width, height = (side and side * unit for side in [*sides, None][:2])
            size = foreign.check_card_size(script, number, width, height, _SIZE)
        counts = _get_last(said, "linkmulti").strip('" ')
        linked = said.get("link", [])
        sequences = {name: lines for name, lines in said.items() if name.startswith("[")}
        labels = {name: lines[-1][1].strip('" ') for name, lines in sequences.items() if "|" not in lines[-1][1]}
        chosen = {name: value for name, value in labels.items() if linked or _CHOICE.match(value)}
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
            if not name.startswith("[") and name not in (*_SETTINGS, *DRAWN)
        }
        foreign.add_unread(script, commands, {name.upper(): why for name, why in _NOTES.items()}, _OTHER_NOTE)


def _iter_scripts(files: ForeignFiles) -> Iterator[tuple[str, str]]:
    for name in files.find_by_suffix(".txt", ".nde", ".nandeck"):
        try:
            text = files.load_text(name)
        except InvalidInput:
            continue
        if _SURE.search(text) and _DIRECTIVE.search(text):
            yield name, text


def _get_last(said: Mapping[str, Sequence[tuple[int, str]]], name: str) -> str:
    return said[name][-1][1] if name in said else ""


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
    """Add a deck with the layout `drawn` and a column for each list by name: its last (line, text). Report others."""
    columns: dict[str, list[str]] = {}
    for name, lines in sequences.items():
        number, value = lines[-1]
        if "|" not in value and _CHOICE.match(value):
            if read_range(value) is None:
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


NANDECK = Program("nanDECK", is_nandeck, read_nandeck)
