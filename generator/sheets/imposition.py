"""Imposition: grids of trims on a sheet, backs behind fronts, perforated sheets."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, Protocol, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing, Item
from generator.base.geometry import Rect, Size
from generator.game.print_pages import Backs, Lie, Piece, Turn

Axis: TypeAlias = Literal["vertical", "horizontal"]


"""The line that paper is turned over or folded about."""


MARK_STANDOFF = 0.5


MARK_LEAST = 1.5


MARK_ROOM = MARK_STANDOFF + MARK_LEAST


"""What every side keeps free between bleed and printer margin, so that each cut line has a mark at both ends."""


FOLD_LEAST = 2.0


"""The least distance from fold to trim: a folded edge is round, so it is cut away even where there is no bleed."""


_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal slots in rows and columns, centred on the paper, so that turning the sheet over maps slots to slots.

    `cell` is a piece as it lies on the page, `turn` how far fronts are turned, `bleed` the widest bleed of its faces.
    With a fold, the slots fill the left half (vertical fold) or the upper half (horizontal fold), the backs the other.
    """

    paper: Size
    cell: Size
    columns: int
    rows: int
    bleed: float
    gap: float = 0.0
    turn: Turn = 0
    fold: Axis | None = None

    @property
    def capacity(self) -> int:
        """How many pieces it holds."""
        return self.columns * self.rows

    @property
    def gutter(self) -> float:
        """From the fold to the nearest trim, mm."""
        return max(self.bleed, FOLD_LEAST)

    @property
    def block(self) -> Rect:
        """All slots with the gaps between them: what the fronts' trims span."""
        width = _span(self.columns, self.cell.width, self.gap)
        height = _span(self.rows, self.cell.height, self.gap)
        x, y = (self.paper.width - width) / 2, (self.paper.height - height) / 2
        if self.fold == "vertical":
            x = self.paper.width / 2 - self.gutter - width
        elif self.fold == "horizontal":
            y = self.paper.height / 2 - self.gutter - height
        return Rect(x, y, width, height)

    @property
    def art(self) -> Rect:
        """All that faces may cover: fronts, with a fold also backs, and the bleed around them."""
        block = self.block
        if self.fold:
            block = block.united(mirror_rect(block, self.paper, self.fold))
        return block.grown(self.bleed)

    @lru_cache(maxsize=1024)  # noqa: B019 - a grid is its numbers; a deck's thousand sheets share these
    def slot(self, index: int) -> Rect:
        """The trim of the piece with this index, counted in rows from the top left."""
        row, column = divmod(index, self.columns)
        block = self.block
        x = block.x + column * (self.cell.width + self.gap)
        y = block.y + row * (self.cell.height + self.gap)
        return Rect(x, y, self.cell.width, self.cell.height)

    def clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:
        """What may be printed for the face at `index`: its bleed outwards, half of the gap towards a neighbour.

        The outer bleed is never cut down for the printer's margin: the grid has left room for all of it, because a
        thinner bleed shows as a white edge after the first inexact cut.
        """
        row, column = divmod(index, self.columns)
        towards = min(bleed, self.gap / 2)
        left = towards if column and index - 1 in taken else bleed
        right = towards if column < self.columns - 1 and index + 1 in taken else bleed
        above = towards if row and index - self.columns in taken else bleed
        below = towards if index + self.columns in taken else bleed
        slot = self.slot(index)
        return Rect(slot.x - left, slot.y - above, slot.width + left + right, slot.height + above + below)

    def cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """The x of vertical and the y of horizontal cut lines of the taken slots; with a fold, of both halves."""
        xs: set[float] = set()
        ys: set[float] = set()
        for index in taken:
            slot = self.slot(index)
            xs |= {round(slot.x, 3), round(slot.right, 3)}
            ys |= {round(slot.y, 3), round(slot.bottom, 3)}
        if self.fold == "vertical":
            xs |= {round(self.paper.width - x, 3) for x in xs}
        elif self.fold == "horizontal":
            ys |= {round(self.paper.height - y, 3) for y in ys}
        return sorted(xs), sorted(ys)

    def over(self) -> tuple[Item, ...]:
        """Nothing is printed over the cards of a grid."""
        return ()


def grids(paper: Size, margin: float, gap: float, bleed: float, piece: Size, folded: bool = False) -> Iterator[Grid]:
    """Every grid of the piece that leaves room for bleed, marks and printer margin, the fullest first.

    Among equally full ones: upright before turned pieces, a fold about the vertical before the horizontal, then the
    one with more columns. Nothing comes where not even one piece fits.
    """
    found: list[Grid] = []
    folds: tuple[Axis | None, ...] = ("vertical", "horizontal") if folded else (None,)
    turns: tuple[Turn, ...] = (0,) if piece.width == piece.height else (0, 90)
    for turn in turns:
        cell = piece.turned() if turn else piece
        for fold in folds:
            columns, rows = _most(paper, margin + MARK_ROOM, gap, bleed, cell, fold)
            sizes = product(range(columns, 0, -1), range(rows, 0, -1))
            found += [Grid(paper, cell, across, down, bleed, gap, turn, fold) for across, down in sizes]
    # The sort is stable: among equally full grids the order of the loops stands.
    yield from sorted(found, key=lambda grid: -grid.capacity)


def mirror_rect(rect: Rect, paper: Size, axis: Axis) -> Rect:
    """Where `rect` comes to lie, seen from the other side, when the sheet is turned over or folded about its middle."""
    if axis == "vertical":
        return Rect(paper.width - rect.right, rect.y, rect.width, rect.height)
    return Rect(rect.x, paper.height - rect.bottom, rect.width, rect.height)


def back_turn(turn: Turn, axis: Axis) -> Turn:
    """How far a back is turned so that its head lies at its front's head, as when a reader turns the card sideways."""
    sideways: dict[Turn, Turn] = {0: 0, 90: 270, 180: 180, 270: 90}
    upwards: dict[Turn, Turn] = {0: 180, 90: 90, 180: 0, 270: 270}
    return sideways[turn] if axis == "vertical" else upwards[turn]


def _span(number: int, length: float, gap: float) -> float:
    return number * length + (number - 1) * gap


def _most(paper: Size, edge: float, gap: float, bleed: float, cell: Size, fold: Axis | None) -> tuple[int, int]:
    """How many columns and rows the paper takes; `edge` is what stays free between bleed and paper edge."""
    gutter = max(bleed, FOLD_LEAST)
    width = paper.width - 2 * (edge + bleed)
    height = paper.height - 2 * (edge + bleed)
    if fold == "vertical":
        width = paper.width / 2 - edge - bleed - gutter
    elif fold == "horizontal":
        height = paper.height / 2 - edge - bleed - gutter
    return _number(width, cell.width, gap), _number(height, cell.height, gap)


def _number(room: float, length: float, gap: float) -> int:
    return max(0, int((room + gap + _SLACK) // (length + gap)))


def backs_in_use(pieces: Sequence[Piece], backs: Backs) -> Backs:
    """The mode that is carried out: `none` when no piece has a back, so that no blank pages are printed."""
    return backs if any(piece.back is not None for piece in pieces) else "none"


def turning_axis(paper: Size, backs: Backs) -> Axis:
    """The line about which a duplex printer turns the sheet: `long` flips on the paper's long edge.

    A square sheet counts as upright.
    """
    upright = paper.height >= paper.width
    return "vertical" if (backs == "long") == upright else "horizontal"


def batches(pieces: Sequence[Piece], backs: Backs, digest: Callable[[Drawing], str]) -> list[list[Piece]]:
    """Pieces that may share sheets, in order of first appearance: of one size, and of one back where that matters.

    Packed ones may be of any sizes.
    """
    sizes: dict[tuple[tuple[float, float] | None, Lie], dict[str, list[Piece]]] = {}
    for piece in pieces:
        size = None if piece.lie == "packed" else (round(piece.front.width, 3), round(piece.front.height, 3))
        sizes.setdefault((size, piece.lie), {}).setdefault(_back_key(piece, backs, digest), []).append(piece)
    return [batch for of_one_size in sizes.values() for batch in of_one_size.values()]


def _back_key(piece: Piece, backs: Backs, digest: Callable[[Drawing], str]) -> str:
    if backs in ("long", "short", "none"):
        return ""
    if backs == "fold":
        # A piece without a back needs no half of a fold sheet.
        return "backed" if piece.back is not None else ""
    return digest(piece.back.drawn()) if piece.back is not None else ""


class Arrangement(Protocol):
    """Where the pieces of one sheet lie, counted from 0; page coordinates in mm. Hashable: equal ones look alike."""

    @property
    def paper(self) -> Size:
        """The sheet."""

    @property
    def capacity(self) -> int:
        """How many pieces it holds."""

    @property
    def fold(self) -> Axis | None:
        """About which line the sheet is folded, where backs lie beside their fronts."""

    @property
    def turn(self) -> Turn:
        """How far fronts are turned, degrees clockwise."""

    @property
    def art(self) -> Rect:
        """All that faces may cover: fronts, with a fold also backs, and the bleed around them."""

    def slot(self, index: int) -> Rect:
        """The trim of a piece; it may reach beyond the paper where only a part of it is printed."""

    def clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:
        """What may be printed of a face with so much bleed; `taken` are the slots that hold a piece."""

    def cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """The x of vertical and y of horizontal straight cuts that marks at the paper's edge stand for, ascending."""

    def over(self) -> tuple[Item, ...]:
        """What is printed over the fronts: joins of tiles; nothing on most sheets."""


_CELL_SLACK = 0.01
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
        if card.width <= self.cell.width + _CELL_SLACK and card.height <= self.cell.height + _CELL_SLACK:
            return 0
        turned = card.turned()
        if turned.width <= self.cell.width + _CELL_SLACK and turned.height <= self.cell.height + _CELL_SLACK:
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
            if slot.width < cell.width - _CELL_SLACK:
                xs |= {round(slot.x, 3), round(slot.right, 3)}
            if slot.height < cell.height - _CELL_SLACK:
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
