"""Bands of quantiles: where nine of ten games lie, where half of them, and the middle one, a row for each arm."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.lab.numbers import written
from generator.model.drawing import Drawing, Item
from generator.pages.style import GREY
from generator.reports.charts.labels import labels
from generator.reports.charts.pen import HAIRLINE, QUIET, SIZE, SMALL, Pen, bar, scale_around, stroke

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_NAMES, _TOLD = 0.4, 25.0
_THIN, _THICK, _MIDDLE = 1.2, 2.8, 3.8
_FOOT = 5.0
_TALL = 4.6


@dataclass(frozen=True, slots=True)
class BandRow:
    """A row: an entry's number (may be empty), words, and the values at the five SHARES; `sign`: it rose or fell."""

    head: str
    words: str
    at: tuple[float, ...]
    sign: int = 0


def quantile_bands(pen: Pen, rows: Sequence[BandRow], name: str, alt: str) -> Drawing:
    """The chart, as wide as the text; the middle of the first row goes through all of them."""
    left = pen.width * _NAMES
    scale = scale_around(tuple(value for row in rows for value in row.at), left, pen.width - left - _TOLD)
    names = labels(pen, [(row.head, row.words) for row in rows], left - 3.0)
    heights = [max(one.height, _TALL) for one in names]
    bottom = 1.0 + sum(heights)
    items: list[Item] = []
    for tick in scale.ticks():
        x = scale.at(tick)
        items.append(stroke(x, 1.0, x, bottom, QUIET, HAIRLINE))
        items += pen.words(written(tick, scale.places if tick else 0), x, bottom + 3.2, SMALL, 0.5, paint=GREY)
    middle = scale.at(rows[0].at[2])
    items.append(stroke(middle, 0.4, middle, bottom, "ink", 0.2, (0.8, 0.6)))
    y = 1.0
    for row, one, height in zip(rows, names, heights, strict=True):
        items += one.drawn(pen, 0.0, y + (height - one.height) / 2)
        centre, (p5, p25, p50, p75, p95) = y + height / 2, map(scale.at, row.at)
        items.append(bar(p5, centre - _THIN / 2, p95 - p5, _THIN, pen.shades.pale(row.sign, 2)))
        items.append(bar(p25, centre - _THICK / 2, p75 - p25, _THICK, pen.shades.pale(row.sign, 3)))
        items.append(stroke(p50, centre - _MIDDLE / 2, p50, centre + _MIDDLE / 2, pen.shades.of(row.sign), 0.7))
        told = [written(value, 0 if value == int(value) else 1) for value in (row.at[2], row.at[0], row.at[4])]
        items += pen.words("{} ({}–{})".format(*told), pen.width, centre + pen.drop(), SIZE, 1.0)
        y += height
    items += pen.words(name, 0.0, bottom + 3.2, SMALL, paint=GREY)
    return Drawing(pen.width, bottom + _FOOT, 0.0, tuple(items), pen.lang, alt)
