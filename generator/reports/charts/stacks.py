"""Stacked shares: a bar for each row, cut into parts that make up the whole, with their numbers inside."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Item
from generator.reports.charts.labels import labels
from generator.reports.charts.pen import HAIRLINE, SIZE, SMALL, Pen, bar, stroke

_NAMES = 0.3
_BAR, _TALL = 5.0, 7.0
_HEAD, _FOOT = 6.0, 1.5
_SWATCH, _GAP = 2.6, 5.0
_AIR = 1.2


@dataclass(frozen=True, slots=True)
class StackRow:
    """A row: an entry's number (may be empty), words, the parts from 0 to 1, and what stands in each."""

    head: str
    words: str
    parts: Sequence[float]
    told: Sequence[str]


def stacked_shares(pen: Pen, names: Sequence[str], rows: Sequence[StackRow], alt: str) -> Drawing:
    """The chart, as wide as the text: `names` of the parts above it; what finds no room in its part is left out.

    Each part is paler than the one before it, so that it is read without colours too; the last is white.
    """
    left = pen.width * _NAMES
    wide = pen.width - left
    grounds = [pen.shades.pale(1, 3 - at) if at < len(names) - 1 else "#ffffff" for at in range(len(names))]
    items: list[Item] = []
    x = left
    for name, ground in zip(names, grounds, strict=True):
        items += _field(x, 1.0, _SWATCH, _SWATCH, ground)
        items += pen.words(name, x + _SWATCH + _AIR, 1.0 + _SWATCH / 2 + pen.drop(SMALL), SMALL)
        x += _SWATCH + _AIR + pen.long(name, SMALL) + _GAP
    y = _HEAD
    for row, label in zip(rows, labels(pen, [(row.head, row.words) for row in rows], left - 3.0), strict=True):
        height = max(label.height, _TALL)
        items += label.drawn(pen, 0.0, y + (height - label.height) / 2)
        x, whole = left, sum(row.parts) or 1.0
        for part, told, ground in zip(row.parts, row.told, grounds, strict=True):
            width = part / whole * wide
            if width > HAIRLINE:
                items += _field(x, y + (height - _BAR) / 2, width, _BAR, ground)
            if pen.long(told) + 2 * _AIR < width:
                items += pen.words(told, x + width / 2, y + height / 2 + pen.drop(), SIZE, 0.5)
            x += width
        y += height
    return Drawing(pen.width, y + _FOOT, 0.0, tuple(items), pen.lang, alt)


def _field(x: float, y: float, width: float, height: float, ground: str) -> list[Item]:
    right, bottom = x + width, y + height
    edges = ((x, y, right, y), (x, bottom, right, bottom), (x, y, x, bottom), (right, y, right, bottom))
    return [bar(x, y, width, height, ground), *(stroke(*edge, "ink", HAIRLINE) for edge in edges)]
