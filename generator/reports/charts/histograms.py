"""Histograms in pairs: how many games had which value, those of one arm above the axis, of another below."""

from collections.abc import Mapping

from generator.dataclass import dataclass
from generator.lab.numbers import written
from generator.model.drawing import Drawing, Item
from generator.pages.style import GREY
from generator.reports.charts.pen import SMALL, Pen, bar, mark, stroke

_MOST_BARS = 44
_SIDE = 13.0
"""mm: how high the tallest bar is."""

_AXIS = 4.6
_TITLE = 4.4
_GAP = 0.35
_WIDEST = 5.0
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


@dataclass(frozen=True, slots=True)
class HistogramSide:
    """One arm's games: its name, how many had which value, and the value in the middle."""

    name: str
    games: Mapping[int, int]
    middle: float


def bins(above: HistogramSide, below: HistogramSide) -> tuple[int, int, list[int], list[int]]:
    """The least value, how many values a bar holds, and how many games each bar of either side holds."""
    sides = above, below
    values = [value for side in sides for value, times in side.games.items() if times]
    low, high = min(values, default=0), max(values, default=0)
    wide = next((step for step in _STEPS if (high - low) // step < _MOST_BARS), high - low + 1)
    low = low // wide * wide
    bars = (high - low) // wide + 1
    rows = [[0] * bars for _ in sides]
    for row, side in zip(rows, sides, strict=True):
        for value, times in side.games.items():
            if times:
                row[(value - low) // wide] += times
    return low, wide, rows[0], rows[1]


def paired_histograms(pen: Pen, above: HistogramSide, below: HistogramSide, unit: float, alt: str) -> Drawing:
    """The chart, as wide as the text; values are divided by `unit`."""
    low, wide, up, down = bins(above, below)
    # Shares of each side's games: the sides may have different numbers of them.
    shares = [[times / max(1, sum(row)) for times in row] for row in (up, down)]
    most = max((share for row in shares for share in row), default=0.0) or 1.0
    step = min(pen.width / len(up), _WIDEST)
    left = (pen.width - step * len(up)) / 2
    upper, lower = _TITLE + _SIDE, _TITLE + _SIDE + _AXIS
    items: list[Item] = [*pen.words(above.name, 0, 3.0, SMALL, paint=GREY)]
    for at in range(len(up)):
        x = left + at * step + _GAP / 2
        tall = [row[at] / most * _SIDE for row in shares]
        if tall[0]:
            items.append(bar(x, upper - tall[0], step - _GAP, tall[0], "#b9b5ab"))
        if tall[1]:
            items.append(bar(x, lower, step - _GAP, tall[1], pen.shades.rise))
    items += [stroke(0, y, pen.width, y, "ink", 0.2) for y in (upper, lower)]
    every = max(1, -(-len(up) * 7 // int(step * len(up) + 1)))
    for at in range(0, len(up), every):
        value = (low + at * wide) / unit
        x = left + (at + 0.5) * step
        items += pen.words(written(value, 0 if value == int(value) else 1), x, upper + 3.2, SMALL, 0.5)
    for side, y, turn in ((above, upper, -1), (below, lower, 1)):
        x = left + ((side.middle * unit - low) // wide + 0.5) * step
        items.append(stroke(x, y, x, y + turn * _SIDE, "ink", 0.25, (0.8, 0.6)))
        items.append(mark(1, x, y + turn * _SIDE, 0.6, "ink", filled=True))
    foot = lower + _SIDE + 4.2
    items += pen.words(below.name, 0, foot - 1.0, SMALL, paint=pen.shades.rise)
    return Drawing(pen.width, foot, 0.0, tuple(items), pen.lang, alt)
