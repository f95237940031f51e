"""A heat map with its numbers: what each arm changes in each measure."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Item
from generator.pages.lines import move_items
from generator.pages.style import GREY
from generator.reports.charts.labels import labels
from generator.reports.charts.pen import HAIRLINE, QUIET, SIZE, SMALL, Pen, bar, mark, stroke
from generator.units import MM_PER_PT

_NAMES = 0.4
"""Of the width: the names' column."""

_LEADING = 1.25
_FOOT, _EDGE = 1.0, 0.55
_GAP = 0.5
_DOT = 0.3
_WIDEST_CELL = 20.0


@dataclass(frozen=True, slots=True)
class HeatCell:
    """What stands in a field; `sign` and `grade` (1 to 3) are its colour, 0 for none; `dotted`: a dot stands there."""

    text: str
    sign: int = 0
    grade: int = 0
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class HeatRow:
    """An arm: its entry's number (may be empty), the reading in words, a field for each column."""

    head: str
    words: str
    cells: Sequence[HeatCell]


def heat_map(pen: Pen, columns: Sequence[str], rows: Sequence[HeatRow], alt: str) -> Drawing:
    """The map, as wide as the text.

    A field that rises has an edge above, one that falls an edge below, so that it is read without colours too.
    """
    left = pen.width * _NAMES
    pitch = min((pen.width - left) / max(1, len(columns)), _WIDEST_CELL)
    left = pen.width - pitch * len(columns)
    line = SMALL * _LEADING * MM_PER_PT
    heads = [pen.lines(name, pitch - 1.0, SMALL, bold=True) for name in columns]
    top = max((len(lines) for lines in heads), default=0) * line + 2.0
    items: list[Item] = []
    for at, lines in enumerate(heads):
        first = top - 1.6 - (len(lines) - 1) * line - 0.2 * line
        for number, one in enumerate(lines):
            middle = left + (at + 0.5) * pitch - one.width / 2
            items += move_items(one, middle, first + number * line)
    items.append(stroke(0, top, pen.width, top, "ink", 0.25))
    names = labels(pen, [(row.head, row.words) for row in rows], left - 3.0)
    y = top
    for row, name in zip(rows, names, strict=True):
        items += name.drawn(pen, 0.0, y)
        for at, cell in enumerate(row.cells):
            items += _field(pen, cell, (left + at * pitch, y), pitch, name.height)
        y += name.height
        items.append(stroke(0, y, pen.width, y, QUIET, HAIRLINE))
    return Drawing(pen.width, y + _FOOT, 0.0, tuple(items), pen.lang, alt)


def _field(pen: Pen, cell: HeatCell, at: tuple[float, float], width: float, height: float) -> list[Item]:
    x, y = at[0] + _GAP / 2, at[1] + _GAP / 2
    wide, high = width - _GAP, height - _GAP
    items: list[Item] = []
    if cell.grade:
        items.append(bar(x, y, wide, high, pen.shades.pale(cell.sign, cell.grade)))
        edge = y if cell.sign > 0 else y + high - _EDGE
        items.append(bar(x, edge, wide, _EDGE, pen.shades.of(cell.sign)))
    if cell.dotted:
        return [mark(0, at[0] + width / 2, at[1] + height / 2, _DOT, QUIET, filled=True)]
    paint, size = ("ink", SIZE) if cell.grade else (GREY, SMALL)
    size = min(size, size * (wide - 0.4) / max(pen.long(cell.text, size, bold=cell.grade > 1), 0.1))
    middle = at[1] + height / 2 + pen.drop(size)
    items += pen.words(cell.text, at[0] + width / 2, middle, size, 0.5, bold=cell.grade > 1, paint=paint)
    return items
