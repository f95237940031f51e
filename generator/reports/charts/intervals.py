"""Interval dots: a row for each arm or seat, what was found and how surely, against a line that means something."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.lab.numbers import Interval, written
from generator.model.drawing import Drawing, Item
from generator.pages.style import GREY
from generator.reports.charts.labels import labels
from generator.reports.charts.pen import (
    HAIRLINE,
    QUIET,
    SIZE,
    SMALL,
    STROKE,
    ChartScale,
    Pen,
    bar,
    mark,
    scale_around,
    stroke,
)

RADIUS = 0.95
_NAMES, _TOLD = 0.4, 25.0
"""Of the width: the names' column; mm: that of the numbers at the right."""

_BETWEEN = 3.3
"""mm from dot to dot where a row has several."""

_HEAD, _FOOT = 4.6, 5.0
_BAR = 2.6
_TALL = 4.4


@dataclass(frozen=True, slots=True)
class Dot:
    """What was found at one table: filled where it stands; `kind` is its shape, `told` the number beside it."""

    found: Interval
    filled: bool
    sign: int = 0
    kind: int = 0
    told: str = ""


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row: an entry's number (may be empty), words, and its dots; `folded`: several rows told as one range."""

    head: str
    words: str
    dots: Sequence[Dot]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """Below the dots: what is counted; the line that they are held against, its name, and the margin on both sides.

    `bars` lead from that line to the dots; `signed`: its numbers have a + too.
    """

    name: str
    line: float = 0.0
    line_name: str = ""
    margin: float = 0.0
    bars: bool = False
    signed: bool = False


def interval_dots(pen: Pen, rows: Sequence[DotRow], axis: Axis, alt: str) -> Drawing:
    """The chart, as wide as the text."""
    left = pen.width * _NAMES
    scale = scale_of(rows, axis, left, pen.width - left - _TOLD)
    names = labels(pen, [(row.head, row.words) for row in rows], left - 3.0)
    heights = [max(name.height, _TALL + _BETWEEN * (len(row.dots) - 1)) for row, name in zip(rows, names, strict=True)]
    top = _HEAD if axis.line_name else 1.0
    bottom = top + sum(heights)
    items = _grid(pen, scale, axis, top, bottom)
    y = top
    for row, name, height in zip(rows, names, heights, strict=True):
        items += name.drawn(pen, 0.0, y + (height - name.height) / 2)
        first = y + height / 2 - _BETWEEN * (len(row.dots) - 1) / 2
        for at, dot in enumerate(row.dots):
            items += _dot(pen, row, dot, scale, axis, first + at * _BETWEEN)
        y += height
    return Drawing(pen.width, bottom + _FOOT, 0.0, tuple(items), pen.lang, alt)


def scale_of(rows: Sequence[DotRow], axis: Axis, left: float, width: float) -> ChartScale:
    """A scale that holds all intervals, the line and its margin."""
    ends = [end for row in rows for dot in row.dots for end in (dot.found.low, dot.found.high)]
    return scale_around((*ends, axis.line - axis.margin, axis.line + axis.margin), left, width)


def _grid(pen: Pen, scale: ChartScale, axis: Axis, top: float, bottom: float) -> list[Item]:
    items: list[Item] = []
    if axis.margin:
        low, high = scale.at(axis.line - axis.margin), scale.at(axis.line + axis.margin)
        items.append(bar(low, top, high - low, bottom - top, "#efede8"))
    for tick in scale.ticks():
        x = scale.at(tick)
        items.append(stroke(x, top, x, bottom, QUIET, HAIRLINE))
        told = written(tick, scale.places if tick else 0, signed=axis.signed)
        items += pen.words(told, x, bottom + 3.2, SMALL, 0.5, paint=GREY)
    x = scale.at(axis.line)
    items.append(stroke(x, top - 0.6, x, bottom, "ink", 0.28))
    if axis.line_name:
        share = min(1.0, max(0.0, (x - scale.left) / scale.width))
        items += pen.words(axis.line_name, x, top - 1.6, SMALL, share)
    items += pen.words(axis.name, 0.0, bottom + 3.2, SMALL, paint=GREY)
    return items


def _dot(pen: Pen, row: DotRow, dot: Dot, scale: ChartScale, axis: Axis, y: float) -> list[Item]:
    x, low, high = scale.at(dot.found.at), scale.at(dot.found.low), scale.at(dot.found.high)
    told = pen.words(dot.told, pen.width, y + pen.drop(), SIZE, 1.0, paint=GREY if row.folded else "ink")
    if row.folded:
        return [bar(low, y - _BAR / 3, high - low, _BAR / 1.5, QUIET), *told]
    paint = pen.shades.of(dot.sign)
    items: list[Item] = []
    if axis.bars and dot.sign:
        line = scale.at(axis.line)
        items.append(bar(line, y - _BAR / 2, x - line, _BAR, pen.shades.pale(dot.sign, 1)))
    items.append(stroke(low, y, high, y, paint, STROKE))
    items.append(mark(dot.kind, x, y, RADIUS, paint, filled=dot.filled))
    return [*items, *told]
