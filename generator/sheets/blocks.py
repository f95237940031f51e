"""How equal pieces lie side by side in a box: in rows or columns, round and hexagonal ones like honeycomb."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.model.geometry import Point
from generator.units import Rect, Size

LEAST_APART = 2.0
"""Between the outlines of pieces that are cut out one by one, mm: scissors or a punch must pass."""

Nest: TypeAlias = Literal["", "hexagon", "flat-hexagon", "round"]
"""Which pieces nest: hexagons on a point in offset rows, those on a side in columns, round ones in rows or columns."""

_TURNED: dict[Nest, Nest] = {"hexagon": "flat-hexagon", "flat-hexagon": "hexagon"}

_SLACK = 1e-6
_ROW = math.sqrt(3) / 2
"""Rows of a honeycomb lie so much nearer than its cells."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How pieces of one size lie: `cell` is a trim as it lies on the page, `bleed` its widest one.

    Straight pieces share cut lines or keep `gap` mm; those that are `apart` keep at least what scissors need.
    """

    cell: Size
    bleed: float
    gap: float
    apart: bool
    nest: Nest = ""

    @property
    def spacing(self) -> float:
        """Between neighbouring trims of one block, mm."""
        return max(self.gap, LEAST_APART) if self.apart else self.gap

    @property
    def pad(self) -> float:
        """What a block keeps free around its trims, mm: its bleed, and half of what scissors need."""
        return max(self.bleed, self.gap / 2, LEAST_APART / 2)

    def turned(self) -> "Manner":
        """The same on its side."""
        return Manner(self.cell.turned(), self.bleed, self.gap, self.apart, _TURNED.get(self.nest, self.nest))


@dataclass(frozen=True, slots=True)
class TrimBlock:
    """Trims in lines; every line is full but the last. `upright` lines are columns."""

    manner: Manner
    lines: tuple[tuple[Rect, ...], ...]
    upright: bool = False

    @property
    def count(self) -> int:
        """How many pieces it holds."""
        return sum(map(len, self.lines))

    @property
    def covers(self) -> tuple[Rect, ...]:
        """What other pieces keep out of: all lines but the last, and the last; trims and what is free around them."""
        groups = [self.lines[:-1], self.lines[-1:]]
        return tuple([_around(group).grown(self.manner.pad) for group in groups if group])

    def slots(self) -> Iterator[Rect]:
        """The trims, line by line."""
        for line in self.lines:
            yield from line

    def rooms(self) -> Iterator[Rect]:
        """How far each piece may be printed: its bleed outwards, no more than half of the way to a neighbour."""
        manner = self.manner
        outwards, towards = manner.bleed, min(manner.bleed, manner.spacing / 2)
        if manner.apart:
            yield from (slot.grown(towards) for slot in self.slots())
            return
        for number, line in enumerate(self.lines):
            below = len(self.lines[number + 1]) if number + 1 < len(self.lines) else 0
            for place, slot in enumerate(line):
                before = towards if place else outwards
                after = towards if place + 1 < len(line) else outwards
                above = towards if number else outwards
                under = towards if place < below else outwards
                if self.upright:
                    before, after, above, under = above, under, before, after
                width, height = slot.width + before + after, slot.height + above + under
                yield Rect(slot.x - before, slot.y - above, width, height)


def blocks(manner: Manner, inside: Rect, most: int) -> Iterator[TrimBlock]:
    """Every way to lay at most `most` pieces with their trims inside a box, always as many as it can take."""
    ways = [(False, _straight), (True, _straight)]
    if manner.nest in ("hexagon", "round"):
        ways.append((False, _nest_rows))
    if manner.nest in ("flat-hexagon", "round"):
        ways.append((True, _nest_rows))
    for upright, way in ways:
        room = Size(inside.height, inside.width) if upright else Size(inside.width, inside.height)
        lines = way(manner.turned() if upright else manner, room, most)
        if lines:
            yield TrimBlock(manner, tuple([_place_line(line, manner.cell, inside, upright) for line in lines]), upright)


def _straight(manner: Manner, room: Size, most: int) -> list[list[Point]]:
    """Rows one below the other."""
    cell, gap = manner.cell, manner.spacing
    columns, rows = _number(room.width, cell.width, gap), _number(room.height, cell.height, gap)
    if not columns or not rows:
        return []
    number = min(most, columns * rows)
    places = [(n % columns * (cell.width + gap), n // columns * (cell.height + gap)) for n in range(number)]
    return [places[start : start + columns] for start in range(0, number, columns)]


def _nest_rows(manner: Manner, room: Size, most: int) -> list[list[Point]]:
    """Every other row begins half a pitch further right, and all lie as near as the spacing allows."""
    cell, pitch = manner.cell, manner.cell.width + manner.spacing
    lines: list[list[Point]] = []
    y = 0.0
    while most > 0 and y + cell.height <= room.height + _SLACK:
        start = pitch / 2 if len(lines) % 2 else 0.0
        columns = min(most, _number(room.width - start, cell.width, manner.spacing))
        if not columns:
            break
        lines.append([(start + n * pitch, y) for n in range(columns)])
        most -= columns
        y += pitch * _ROW
    return lines


def _place_line(line: Sequence[Point], cell: Size, inside: Rect, upright: bool) -> tuple[Rect, ...]:
    corners = [(y, x) if upright else (x, y) for x, y in line]
    return tuple([Rect(inside.x + x, inside.y + y, cell.width, cell.height) for x, y in corners])


def _around(lines: Sequence[Sequence[Rect]]) -> Rect:
    box = lines[0][0]
    for line in lines:
        box = box.united(line[0]).united(line[-1])
    return box


def _number(room: float, length: float, gap: float) -> int:
    return max(0, int((room + gap + _SLACK) // (length + gap)))
