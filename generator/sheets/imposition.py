"""Imposition: grids of trims on a sheet, backs behind fronts, perforated sheets."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Literal, TypeAlias

from generator.base.display_list import Drawing, Item
from generator.base.geometry import Margins, Point, Rect, Size
from generator.game.print_pages import Backs, Lie, Piece, Turn

if TYPE_CHECKING:
    from generator.game.presets import Stock

Axis: TypeAlias = Literal["vertical", "horizontal"]
"""The line about which paper is turned over or folded."""


MARK_STANDOFF = 0.5

MARK_LEAST = 1.5

MARK_ROOM = MARK_STANDOFF + MARK_LEAST
"""Space on every side between bleed and printer margin (mm), so that each cut line has a mark at both ends."""


FOLD_LEAST = 2.0
"""Minimum distance from fold to trim (mm). A folded edge is round, so it is cut away even without a bleed."""


_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Arrangement(ABC):
    """Positions of the pieces on one sheet, counted from 0, in page coordinates (mm).

    `turn` is the rotation of fronts (degrees clockwise). With a `fold`, backs are beside their fronts, and the sheet is
    folded about this line. `offset` moves what is centred on the paper to the middle of its printable area.
    """

    paper: Size
    offset: Point = field(default=(0.0, 0.0), kw_only=True)
    turn: Turn = field(default=0, kw_only=True)
    fold: Axis | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def capacity(self) -> int:
        """Return the number of slots."""

    @property
    @abstractmethod
    def art(self) -> Rect:
        """Return the area that faces may cover: fronts and their bleed, with a fold also the backs."""

    @abstractmethod
    def get_slot(self, index: int) -> Rect:
        """Return the trim of a piece. It may extend beyond the paper if only a part of it is printed."""

    @abstractmethod
    def get_clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:
        """Return the printable area of a face with this bleed; `taken` are the slots that hold a piece."""

    @abstractmethod
    def list_cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """Return the ascending x and y of the straight cuts that have marks at the paper's edge."""

    def draw_overlay(self) -> tuple[Item, ...]:
        """Return the items printed over the fronts: joins of tiles, or nothing on most sheets."""
        return ()


@dataclass(frozen=True, slots=True)
class Grid(Arrangement):
    """Equal slots in rows and columns, in the middle of the printable area.

    `cell` is a piece as placed on the page, `bleed` the widest bleed of its faces. With a fold, the slots fill the left
    half (vertical fold) or the upper half (horizontal fold) and the backs fill the other.
    """

    cell: Size
    columns: int
    rows: int
    bleed: float
    gap: float = 0.0

    @property
    def capacity(self) -> int:
        """Return the number of slots."""
        return self.columns * self.rows

    @property
    def gutter(self) -> float:
        """Return the distance from the fold to the nearest trim (mm)."""
        return max(self.bleed, FOLD_LEAST)

    @property
    def block(self) -> Rect:
        """Return the box around all slots and the gaps between them."""
        width = _measure_span(self.columns, self.cell.width, self.gap)
        height = _measure_span(self.rows, self.cell.height, self.gap)
        x = (self.paper.width - width) / 2 + self.offset[0]
        y = (self.paper.height - height) / 2 + self.offset[1]
        if self.fold == "vertical":
            x = self.paper.width / 2 - self.gutter - width
        elif self.fold == "horizontal":
            y = self.paper.height / 2 - self.gutter - height
        return Rect(x, y, width, height)

    @property
    def art(self) -> Rect:
        """Return the area that faces may cover: fronts and their bleed, with a fold also the backs."""
        block = self.block
        if self.fold:
            block = block.unite(mirror_rect(block, self.paper, self.fold))
        return block.grow(self.bleed)

    @lru_cache(maxsize=1024)  # noqa: B019 - grids are values, shared by all sheets of a deck
    def get_slot(self, index: int) -> Rect:
        """Return the trim of the piece with this index, counted in rows from the top left."""
        row, column = divmod(index, self.columns)
        block = self.block
        x = block.x + column * (self.cell.width + self.gap)
        y = block.y + row * (self.cell.height + self.gap)
        return Rect(x, y, self.cell.width, self.cell.height)

    def get_clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:
        """Return the printable area of the face at `index`: the bleed, or half of the gap towards a neighbour.

        The outer bleed is never reduced for the printer's margin: the grid leaves room for all of it, because a thinner
        bleed shows as a white edge after the first inexact cut.
        """
        row, column = divmod(index, self.columns)
        towards = min(bleed, self.gap / 2)
        left = towards if column and index - 1 in taken else bleed
        right = towards if column < self.columns - 1 and index + 1 in taken else bleed
        above = towards if row and index - self.columns in taken else bleed
        below = towards if index + self.columns in taken else bleed
        slot = self.get_slot(index)
        return Rect(slot.x - left, slot.y - above, slot.width + left + right, slot.height + above + below)

    def list_cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """Return the x of vertical and the y of horizontal cuts of the taken slots, on both halves of a fold."""
        xs: set[float] = set()
        ys: set[float] = set()
        for index in taken:
            slot = self.get_slot(index)
            xs |= {round(slot.x, 3), round(slot.right, 3)}
            ys |= {round(slot.y, 3), round(slot.bottom, 3)}
        if self.fold == "vertical":
            xs |= {round(self.paper.width - x, 3) for x in xs}
        elif self.fold == "horizontal":
            ys |= {round(self.paper.height - y, 3) for y in ys}
        return sorted(xs), sorted(ys)


def list_grids(
    paper: Size, margin: Margins, gap: float, bleed: float, piece: Size, folded: bool = False
) -> Iterator[Grid]:
    """Yield every grid (with a fold if `folded`) that leaves room for bleed, marks and margins, the fullest first.

    Of equally full grids, upright pieces come before turned ones, a vertical fold before a horizontal one, then more
    columns before fewer. Nothing is yielded if not even one piece fits.
    """
    found: list[Grid] = []
    folds: tuple[Axis | None, ...] = ("vertical", "horizontal") if folded else (None,)
    turns: tuple[Turn, ...] = (0,) if piece.width == piece.height else (0, 90)
    for turn in turns:
        cell = piece.swap_sides() if turn else piece
        for fold in folds:
            even = margin.balance(fold)
            columns, rows = _count_columns_and_rows(even.shrink(paper).grow(-MARK_ROOM), gap, bleed, cell, fold)
            place = partial(Grid, offset=even.offset, turn=turn, fold=fold)
            sizes = product(range(columns, 0, -1), range(rows, 0, -1))
            found += [place(paper, cell, across, down, bleed, gap) for across, down in sizes]
    # The sort is stable: equally full grids keep the order of the loops.
    yield from sorted(found, key=lambda grid: -grid.capacity)


def mirror_rect(rect: Rect, paper: Size, axis: Axis) -> Rect:
    """Return `rect` seen from the other side, after the sheet is turned over or folded about its middle."""
    if axis == "vertical":
        return Rect(paper.width - rect.right, rect.y, rect.width, rect.height)
    return Rect(rect.x, paper.height - rect.bottom, rect.width, rect.height)


def find_back_turn(turn: Turn, axis: Axis) -> Turn:
    """Return the turn of a back behind a front turned by `turn`: its head is right if users turn the card sideways."""
    sideways: dict[Turn, Turn] = {0: 0, 90: 270, 180: 180, 270: 90}
    upwards: dict[Turn, Turn] = {0: 180, 90: 90, 180: 0, 270: 270}
    return sideways[turn] if axis == "vertical" else upwards[turn]


def _measure_span(number: int, length: float, gap: float) -> float:
    return number * length + (number - 1) * gap


def _count_columns_and_rows(free: Rect, gap: float, bleed: float, cell: Size, fold: Axis | None) -> tuple[int, int]:
    """Return the largest numbers of columns and rows in the area free for bleed, which a fold halves."""
    gutter = max(bleed, FOLD_LEAST)
    width, height = free.width - 2 * bleed, free.height - 2 * bleed
    if fold == "vertical":
        width = free.width / 2 - bleed - gutter
    elif fold == "horizontal":
        height = free.height / 2 - bleed - gutter
    return count_fitting(width, cell.width, gap), count_fitting(height, cell.height, gap)


def count_fitting(room: float, length: float, gap: float) -> int:
    """Return how many pieces of a length fit into `room` side by side, with gaps between them (mm)."""
    return max(0, int((room + gap + _SLACK) // (length + gap)))


def resolve_backs(pieces: Sequence[Piece], backs: Backs) -> Backs:
    """Return `backs`, or `none` if no piece has a back, so that no blank pages are printed."""
    return backs if any(piece.back is not None for piece in pieces) else "none"


def find_turning_axis(paper: Size, backs: Backs) -> Axis:
    """Return the line about which a duplex printer turns the sheet: `long` flips on the paper's long edge.

    A square sheet counts as upright.
    """
    upright = paper.height >= paper.width
    return "vertical" if (backs == "long") == upright else "horizontal"


def group_pieces(pieces: Sequence[Piece], backs: Backs, digest: Callable[[Drawing], str]) -> list[list[Piece]]:
    """Group pieces that may share sheets, in order of first appearance.

    A group has one size; on fold sheets all or none have backs; separate backs have one `digest`. Packed pieces mix.
    """
    sizes: dict[tuple[tuple[float, float] | None, Lie], dict[str, list[Piece]]] = {}
    for piece in pieces:
        size = None if piece.lie == "packed" else (round(piece.front.width, 3), round(piece.front.height, 3))
        back = ""
        if piece.back is not None and backs in ("fold", "separate"):
            # On fold sheets a piece without a back needs no second half.
            back = "backed" if backs == "fold" else digest(piece.back.to_drawing())
        sizes.setdefault((size, piece.lie), {}).setdefault(back, []).append(piece)
    return [batch for of_one_size in sizes.values() for batch in of_one_size.values()]


@dataclass(frozen=True, slots=True)
class PerforatedGrid(Arrangement):
    """Cards of one size on a perforated sheet; `card` is its trim as placed, `bleed` the widest of its faces."""

    perforation: "Stock"
    card: Size
    bleed: float

    @property
    def capacity(self) -> int:
        """Return the number of cells."""
        return self.perforation.columns * self.perforation.rows

    @property
    def art(self) -> Rect:
        """Return the box around all cards and their bleed."""
        first, last = self.get_slot(0), self.get_slot(self.capacity - 1)
        return first.unite(last).grow(self.bleed)

    def get_slot(self, index: int) -> Rect:
        """Return the trim of a card, in the middle of its cell."""
        cell = self.perforation.get_cell(index)
        left, top = (cell.width - self.card.width) / 2, (cell.height - self.card.height) / 2
        return Rect(cell.x + left, cell.y + top, self.card.width, self.card.height)

    def get_clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:  # noqa: ARG002 - empty cells count too
        """Return the card at `index` and its bleed, to half of the gap to the next cell: torn edges are not trimmed."""
        cells, (row, column) = self.perforation, divmod(index, self.perforation.columns)
        cell, wanted = cells.get_cell(index), self.get_slot(index).grow(bleed)
        left = max(wanted.x, cell.x - cells.gap_x / 2) if column else wanted.x
        top = max(wanted.y, cell.y - cells.gap_y / 2) if row else wanted.y
        right = min(wanted.right, cell.right + cells.gap_x / 2) if column < cells.columns - 1 else wanted.right
        bottom = min(wanted.bottom, cell.bottom + cells.gap_y / 2) if row < cells.rows - 1 else wanted.bottom
        return Rect(left, top, right - left, bottom - top)

    def list_cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """Return the edges of cards that are smaller than their cell; a card that fills its cell has no cuts."""
        cell = self.perforation.cell
        xs: set[float] = set()
        ys: set[float] = set()
        for slot in map(self.get_slot, taken):
            if slot.width < cell.width - self.perforation.SLACK:
                xs |= {round(slot.x, 3), round(slot.right, 3)}
            if slot.height < cell.height - self.perforation.SLACK:
                ys |= {round(slot.y, 3), round(slot.bottom, 3)}
        return sorted(xs), sorted(ys)


def fit_perforated_grid(perforation: "Stock", card: Size, bleed: float) -> PerforatedGrid | None:
    """Return the sheet for cards of this size, turned only if necessary, or None if they are too large."""
    turn = perforation.find_turn(card)
    if turn is None:
        return None
    return PerforatedGrid(perforation.paper, perforation, card.swap_sides() if turn else card, bleed, turn=turn)
