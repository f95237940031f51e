"""Where trims and clips lie on a sheet: pure geometry in mm, y down, no drawing."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Item
from generator.model.sheet import Backs, Lie, Piece, Turn
from generator.units import Rect, Size

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
