"""The names at the left of a chart's rows: an entry's number, and the reading in as many lines as it needs."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.model.drawing import Item
from generator.pages.lines import move_items
from generator.pages.setter import TypeLine
from generator.reports.charts.pen import SIZE, SMALL, Pen
from generator.units import MM_PER_PT

_LEADING = 1.28
_AIR = 1.75
"""mm above and below the lines of a row together."""

_NUMBER_GAP = 1.6
_MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class RowName:
    """A row's name as it was set: its number (may be empty), its lines, and how high the row is, mm."""

    head: str
    lines: Sequence[TypeLine]
    indent: float
    size: float
    height: float

    def drawn(self, pen: Pen, x: float, y: float) -> tuple[Item, ...]:
        """The name at the left of a row whose top is at y."""
        pitch = self.size * _LEADING * MM_PER_PT
        first = y + self.height / 2 - pitch * (len(self.lines) - 1) / 2 + pen.drop(self.size)
        items = list(pen.words(self.head, x, first, self.size, bold=True, paint="ink")) if self.head else []
        for at, line in enumerate(self.lines):
            items += move_items(line, x + self.indent, first + at * pitch)
        return tuple(items)


def labels(pen: Pen, names: Sequence[tuple[str, str]], width: float) -> list[RowName]:
    """Names in a column so wide (mm), their numbers below each other: (number, words) each."""
    indent = max((pen.long(head, bold=True) for head, _ in names if head), default=0.0)
    indent += _NUMBER_GAP if indent else 0.0
    return [_label(pen, head, words, indent, width) for head, words in names]


def _label(pen: Pen, head: str, words: str, indent: float, width: float) -> RowName:
    """Smaller where it would take more than three lines; never too small to be read on a screen."""
    begin = indent if head else 0.0
    for size in (SIZE, SMALL):
        lines = pen.lines(words, width - begin, size)
        if len(lines) <= _MOST_LINES:
            break
    return RowName(head, lines, begin, size, len(lines) * size * _LEADING * MM_PER_PT + _AIR)
