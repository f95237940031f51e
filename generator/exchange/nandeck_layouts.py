"""Layouts of nanDECK: the commands of a script that draw texts, pictures and shapes."""

import csv
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from generator.base.errors import Place, Problem
from generator.base.geometry import Rect, Size
from generator.exchange.foreign_project import FoundProject
from generator.exchange.layout_items import MOST_ITEMS, FoundLayout, LaidItem, read_colour, split_columns

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
    """Reads the drawing commands of one script. `labels` are its lists of values with one value each."""

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
        """Return a position in mm; `index` counts x, y, width and height."""
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
        """Return how a box is turned: nanDECK turns against the clock around the middle."""
        if not _NUMBER.fullmatch(text) or not float(text):
            return {}
        return {"turn": -float(text), "pivot": (box.x + box.width / 2, box.y + box.height / 2)}
