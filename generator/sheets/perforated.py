"""Cards on perforated sheets: one in the middle of each cell, and nothing to cut where it fills the cell."""

from collections.abc import Collection

from generator.dataclass import dataclass
from generator.model.drawing import Item
from generator.model.sheet import Turn
from generator.sheets.imposition import Axis
from generator.units import Rect, Size

_SLACK = 0.01
"""mm: a card that is so much smaller than its cell fills it."""


@dataclass(frozen=True, slots=True)
class Perforation:
    """Where a sheet is perforated: `columns` x `rows` cells from (`left`, `top`) on, with gaps between them; mm."""

    paper: Size
    left: float
    top: float
    columns: int
    rows: int
    cell: Size
    gap_x: float = 0.0
    gap_y: float = 0.0

    def box(self, index: int) -> Rect:
        """A cell, counted in rows from the upper left."""
        row, column = divmod(index, self.columns)
        x = self.left + column * (self.cell.width + self.gap_x)
        return Rect(x, self.top + row * (self.cell.height + self.gap_y), self.cell.width, self.cell.height)

    def turn(self, card: Size) -> Turn | None:
        """How a card must lie to find room in a cell: upright where it can; None where it can't at all."""
        if card.width <= self.cell.width + _SLACK and card.height <= self.cell.height + _SLACK:
            return 0
        turned = card.turned()
        if turned.width <= self.cell.width + _SLACK and turned.height <= self.cell.height + _SLACK:
            return 90
        return None


@dataclass(frozen=True, slots=True)
class PerforatedGrid:
    """Cards of one size on a perforated sheet; `card` is its trim as it lies, `bleed` the widest of its faces."""

    perforation: Perforation
    card: Size
    bleed: float
    turn: Turn = 0

    @property
    def paper(self) -> Size:
        """The sheet."""
        return self.perforation.paper

    @property
    def capacity(self) -> int:
        """How many cells it has."""
        return self.perforation.columns * self.perforation.rows

    @property
    def fold(self) -> Axis | None:
        """Perforated sheets are not folded."""
        return None

    @property
    def art(self) -> Rect:
        """All cards with what they may print beyond the outermost."""
        first, last = self.slot(0), self.slot(self.capacity - 1)
        return first.united(last).grown(self.bleed)

    def slot(self, index: int) -> Rect:
        """The trim of a card: the middle of its cell."""
        cell = self.perforation.box(index)
        left, top = (cell.width - self.card.width) / 2, (cell.height - self.card.height) / 2
        return Rect(cell.x + left, cell.y + top, self.card.width, self.card.height)

    def clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:  # noqa: ARG002 - empty cells count too
        """Its bleed, but no more than half of the way to the next cell: what is torn off is not cut afterwards."""
        cells, (row, column) = self.perforation, divmod(index, self.perforation.columns)
        cell, wanted = cells.box(index), self.slot(index).grown(bleed)
        left = max(wanted.x, cell.x - cells.gap_x / 2) if column else wanted.x
        top = max(wanted.y, cell.y - cells.gap_y / 2) if row else wanted.y
        right = min(wanted.right, cell.right + cells.gap_x / 2) if column < cells.columns - 1 else wanted.right
        bottom = min(wanted.bottom, cell.bottom + cells.gap_y / 2) if row < cells.rows - 1 else wanted.bottom
        return Rect(left, top, right - left, bottom - top)

    def cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """None for a card that fills its cell; else its edges, as on any sheet."""
        cell = self.perforation.cell
        xs: set[float] = set()
        ys: set[float] = set()
        for slot in map(self.slot, taken):
            if slot.width < cell.width - _SLACK:
                xs |= {round(slot.x, 3), round(slot.right, 3)}
            if slot.height < cell.height - _SLACK:
                ys |= {round(slot.y, 3), round(slot.bottom, 3)}
        return sorted(xs), sorted(ys)

    def over(self) -> tuple[Item, ...]:
        """Nothing."""
        return ()


def perforated_grid(perforation: Perforation, card: Size, bleed: float) -> PerforatedGrid | None:
    """The sheet for cards of this size, turned where they fit only so; None where they are too large."""
    turn = perforation.turn(card)
    if turn is None:
        return None
    return PerforatedGrid(perforation, card.turned() if turn else card, bleed, turn)
