"""Table layout: arranges places and pieces by the game's table plan, in mm of the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from generator.base.display_list import Drawing
from generator.base.geometry import Matrix, Rect, Size, enclose_points, map_point, multiply
from generator.books.rulebook.piece_pictures import PieceFaces, enclose_boxes, lay_on_board
from generator.books.rulebook.table_content import Number, PlaceContent, PlacedPiece, PlaceSetter, SizeOf
from generator.drawing.svg.face_areas import PrintedSpace, find_printed_spaces, measure_outline_box
from generator.game.data_fields import TablePlan
from generator.play.table_positions import LaidCell, LaidPlace, fill_spaces

# This module draws nothing. Words and gaps have a size on paper, pieces on the table, so the layout depends on the
# scale. `TableLayout.fitted` finds the largest scale that fits.

LABEL_HIGH = 3.4
"""Height of the name below a place (mm of paper)."""

SEAT_HIGH = 5.0
"""Height of the table edge at which a player sits (mm of paper)."""

_GAP, _ROW_GAP, _MARGIN = 3.4, 3.2, 3.4
_FIGURE, _STEP = Size(1.35, 2.7), 0.42
_RING_GAP = 0.5
_LARGEST = 0.7
"""Maximum scale of pieces."""

_SMALLEST = 0.005

_MOST_LAYOUTS, _HALVED, _NEARLY, _CLOSE = 14, 4, 0.05, 1e-5
"""Maximum number of layouts and halvings to find a scale, and when to stop: mm left, or length of the interval."""

Spots = Callable[[str, str, Sequence[str]], "Sequence[Matrix]"]
"""Returns matrices (mm) for pieces on a design's space: ids of the design, the space and the pieces."""


class TableRoom(NamedTuple):
    """Maximum size of a table picture (mm of paper), and a factor for the gaps in it."""

    width: float
    height: float
    gaps: float = 1.0


class Sign(NamedTuple):
    """Width of a place's name and of its number (mm of paper), 0 if it has none."""

    words: float
    number: float = 0.0


class BoardSpace(NamedTuple):
    """A space of a board: its id, and how many pieces it holds (None: any number)."""

    id: str
    holds: int | None


class Board(NamedTuple):
    """Functions that read faces for the layout: the spaces of a design, and where pieces go on them."""

    spaces: Callable[[str], Sequence[BoardSpace]]
    spots: Spots


@dataclass(frozen=True, slots=True)
class PlaceBox:
    """A place in the picture: box of its contents, box of its name (None if unnamed), outlines for later pieces.

    `turned`: it belongs to a player on the other side, and its name is above. `ring`: the box of its number.
    """

    laid: LaidPlace
    box: Rect
    label: Rect | None
    rooms: tuple[Rect, ...] = ()
    numbers: tuple[Number, ...] = ()
    turned: bool = False
    ring: Rect | None = None


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A table laid out: places and pieces by key, lowest first (mm of the table); `scale` is its scale on paper."""

    scale: float
    size: Size
    boxes: Mapping[str, PlaceBox]
    pieces: Mapping[str, tuple[PlacedPiece, ...]]
    seats: Mapping[int, Rect]

    def find_pieces(self, key: str) -> tuple[PlacedPiece, ...]:
        """Return the pieces at the place with this key, from the lowest up."""
        return self.pieces.get(key, ())


class _Leaf(NamedTuple):
    """A laid-out place within a block: its contents and their corner, and the boxes of its name and number."""

    laid: LaidPlace
    content: PlaceContent
    x: float
    y: float
    label: Rect | None
    turned: bool = False
    ring: Rect | None = None

    def move_by(self, dx: float, dy: float) -> "_Leaf":
        label, ring = (box.move(dx, dy) if box else None for box in (self.label, self.ring))
        return self._replace(x=self.x + dx, y=self.y + dy, label=label, ring=ring)


class _Block(NamedTuple):
    """A group of places, laid out from (0, 0), with its total width and height."""

    width: float
    height: float
    leaves: tuple[_Leaf, ...]


class TableLayout:
    """Arranges a table's places. `sign` returns the widths of a name and number; `gaps` is a factor for distances."""

    def __init__(
        self,
        plan: TablePlan,
        laid: Sequence[LaidPlace],
        size_of: SizeOf,
        sign: Callable[[LaidPlace], Sign],
        board: Board,
        gaps: float = 1.0,
    ):
        self._gap, self._row_gap = _GAP * gaps, _ROW_GAP * gaps
        self._plan, self._size_of, self._sign, self._board = plan, size_of, sign, board
        self._laid = {one.key: one for one in laid}
        self._players = max((one.seat for one in laid), default=0)

    def fit_table(self, width: float, height: float, most: float = _LARGEST) -> LaidTable:
        """Return the table at the largest scale, up to `most`, that fits (mm of paper; by secants, to `_NEARLY` mm)."""
        arranged: dict[float, tuple[Size, list[_Leaf], dict[int, Rect]]] = {}

        def measure_excess(scale: float) -> float:
            arranged[scale] = self._arrange(scale)
            size = arranged[scale][0]
            return max(size.width * scale - width, size.height * scale - height)

        fits, exceeds = _SMALLEST, min(most, _LARGEST)
        under, over = measure_excess(fits), measure_excess(exceeds)
        if over <= 0:
            return self._make_table(exceeds, *arranged[exceeds])
        fitted: bool | None = None
        slack = -under
        for step in range(1, _MOST_LAYOUTS):
            if slack <= _NEARLY or exceeds - fits <= _CLOSE:
                break
            scale = fits - (exceeds - fits) * under / (over - under)
            if step % _HALVED == 0:  # where the size jumps, secants advance slowly
                scale = (fits + exceeds) / 2
            excess = measure_excess(scale)
            if excess <= 0:  # an end that stays counts half the next time (Illinois)
                fits, under, over = scale, excess, over / 2 if fitted else over
                slack = -excess
            else:
                exceeds, over, under = scale, excess, under / 2 if fitted is False else under
            fitted = excess <= 0
        return self._make_table(fits, *arranged[fits])

    def _arrange(self, scale: float) -> tuple[Size, list[_Leaf], dict[int, Rect]]:
        """Return the table's size at a scale, its laid-out places, and the box of each player's edge by seat."""
        figure = Size(_FIGURE.width / scale, _FIGURE.height / scale)
        setter = PlaceSetter(self._size_of, figure, _STEP / scale)
        margin, gap, row_gap = _MARGIN / scale, self._gap / scale, self._row_gap / scale
        middle = self._make_block(self._plan.rows, 0, setter, scale)
        # Without the middle of the table, one seat represents all players.
        seated = range(1, self._players + 1) if middle else range(1, 2)
        blocks = {seat: self._make_seat_block(seat, setter, scale) for seat in seated}
        across = {seat: block for seat, block in blocks.items() if block is not None and seat > 1}
        near = blocks.get(1)
        edge = SEAT_HIGH / scale if self._players > 1 and (across or (near and middle)) else 0.0
        wide_others = sum(block.width for block in across.values()) + gap * max(0, len(across) - 1)
        widths = [wide_others, middle.width if middle else 0.0, near.width if near else 0.0]
        wide = max(*widths, 1.0) + 2 * margin
        leaves, seats = list[_Leaf](), dict[int, Rect]()
        y = margin
        if across:
            y = edge + margin * 0.6
            free = (wide - 2 * margin - sum(block.width for block in across.values())) / len(across)
            x, deep = margin, max(block.height for block in across.values())
            for seat, block in across.items():
                leaves += [leaf.move_by(x + free / 2, y) for leaf in block.leaves]
                seats[seat] = Rect(x, 0.0, block.width + free, edge)
                x += block.width + free
            y += deep + row_gap
        if middle:
            leaves += [leaf.move_by((wide - middle.width) / 2, y) for leaf in middle.leaves]
            y += middle.height + row_gap
        if near:
            leaves += [leaf.move_by((wide - near.width) / 2, y) for leaf in near.leaves]
            y += near.height + (row_gap if not edge else margin * 0.6)
        y += edge - row_gap + (margin if not edge else row_gap if near else margin)
        if edge and near:
            seats[1] = Rect(margin, y - edge, wide - 2 * margin, edge)
        return Size(wide, y), leaves, seats

    def _make_seat_block(self, seat: int, setter: PlaceSetter, scale: float) -> _Block | None:
        """Return a player's places, or None if empty; those of others are smaller, rotated and opposite."""
        if seat == 1:
            return self._make_block(self._plan.seat, 1, setter, scale)
        small = self._plan.others_size
        block = self._make_block(self._plan.others or self._plan.seat, seat, setter, scale, small)
        return _turn_block(block) if block is not None else None

    def _make_block(
        self, entry: Any, seat: int, setter: PlaceSetter, scale: float, small: float = 1.0, *, down: bool = True
    ) -> _Block | None:
        """Return nested entries of the plan, `small` times their size, in columns (`down`) and rows; None if empty."""
        if not isinstance(entry, tuple):
            return self._make_leaf(str(entry), seat, setter, scale, small)
        found = [self._make_block(one, seat, setter, scale, small, down=not down) for one in entry]
        parts = [part for part in found if part is not None]
        if not parts:
            return None
        wide, high = max(part.width for part in parts), max(part.height for part in parts)
        gap = (self._row_gap if down else self._gap) / scale
        leaves, at = list[_Leaf](), 0.0
        for part in parts:
            dx, dy = ((wide - part.width) / 2, at) if down else (at, (high - part.height) / 2)
            leaves += [leaf.move_by(dx, dy) for leaf in part.leaves]
            at += (part.height if down else part.width) + gap
        return _Block(wide, at - gap, tuple(leaves)) if down else _Block(at - gap, high, tuple(leaves))

    def _make_leaf(self, name: str, seat: int, setter: PlaceSetter, scale: float, small: float) -> _Block | None:
        laid = self._laid.get(f"{name} {seat}" if seat else name)
        content = setter.set_place(laid) if laid is not None else None
        if laid is None or content is None:
            return None
        if small != 1:
            pieces = tuple(piece.move_by((small, 0.0, 0.0, small, 0.0, 0.0)) for piece in content.pieces)
            rooms = tuple(room.scale(small) for room in content.rooms)
            numbers = tuple(Number(one.number, one.x * small, one.y * small) for one in content.numbers)
            content = PlaceContent(
                Size(content.size.width * small, content.size.height * small), pieces, rooms, numbers
            )
        words, number = (each / scale for each in self._sign(laid))
        line, ring = LABEL_HIGH / scale if words else 0.0, number + (_RING_GAP / scale if number else 0.0)
        cover, high = content.size.width, content.size.height
        in_front, beside = max(cover, ring + words), max(ring + cover, words)
        if number and beside < in_front:  # the number goes where it takes less room
            x, down = max((beside - cover) / 2, ring), max(number - high, 0.0)
            label, spot = Rect((beside - words) / 2, high + down, words, line), Rect(x - ring, 0.0, number, number)
            return _Block(beside, high + down + line, (_Leaf(laid, content, x, down, label, ring=spot),))
        x = (in_front - ring - words) / 2
        label, spot = Rect(x + ring, high, words, line), Rect(x, high, number, number)
        under, sign = label if words else None, spot if number else None
        return _Block(in_front, high + line, (_Leaf(laid, content, (in_front - cover) / 2, 0.0, under, ring=sign),))

    def _make_table(self, scale: float, size: Size, leaves: Sequence[_Leaf], seats: Mapping[int, Rect]) -> LaidTable:
        boxes: dict[str, PlaceBox] = {}
        pieces: dict[str, tuple[PlacedPiece, ...]] = {}
        for leaf in leaves:
            own = leaf.content.move_by(leaf.x, leaf.y)
            pieces[leaf.laid.key] = own.pieces
            box = Rect(leaf.x, leaf.y, own.size.width, own.size.height)
            place = PlaceBox(leaf.laid, box, leaf.label, own.rooms, own.numbers, leaf.turned, leaf.ring)
            boxes[leaf.laid.key] = place
        for laid in self._laid.values():
            if laid.place.id not in self._plan.places:
                continue
            base = pieces.get(f"{laid.place.on} {laid.seat}") or pieces.get(laid.place.on)
            if not base:
                continue
            under = self._laid.get(f"{laid.place.on} {laid.seat}") or self._laid[laid.place.on]
            down, there = laid.is_face_down(), list[PlacedPiece]()
            for spot in find_spots(laid, under, base, self._laid, self._board):
                matrix = multiply(base[spot.under].matrix, spot.matrix)
                there.append(PlacedPiece(spot.design, spot.zone, down, matrix, self._size_of(spot.design)))
            if there:
                pieces[laid.key] = tuple(there)
                boxes[laid.key] = PlaceBox(laid, enclose_pieces(there), None)
        return LaidTable(scale, size, boxes, pieces, seats)


class PieceOnSpace(NamedTuple):
    """A piece on a space of another piece: design and zone, index of that piece, the space, its matrix on it."""

    design: str
    zone: str
    under: int
    space: str
    matrix: Matrix


def find_spots(
    laid: LaidPlace, under: LaidPlace, base: Sequence[PlacedPiece], around: Mapping[str, LaidPlace], board: Board
) -> Iterator[PieceOnSpace]:
    """Yield where a place's pieces go on the pieces `base` of the place `under` it; `around` are all places by name."""
    for cell in laid.cells:
        names = [name for name, number in cell.pieces for _ in range(number)]
        for at, space in find_spaces(laid, cell, under, base, around, board):
            taken = names[: space.holds] if space.holds is not None else names
            names = names[len(taken) :]
            spots = board.spots(base[at].design, space.id, taken)
            for name, spot in zip(taken, spots, strict=True):
                yield PieceOnSpace(name, cell.zone, at, space.id, spot)


def find_spaces(
    laid: LaidPlace,
    cell: LaidCell,
    under: LaidPlace,
    base: Sequence[PlacedPiece],
    around: Mapping[str, LaidPlace],
    board: Board,
) -> Iterator[tuple[int, BoardSpace]]:
    """Yield spaces for a cell's pieces, with the index of each one's piece in `base`, the pieces of place `under`."""
    rests = {one.zone: one.rest for one in under.cells}
    own = [at for at, piece in enumerate(base) if cell.rest and rests.get(piece.zone) == cell.rest]
    patterns = fill_spaces(laid, around) or ("*",)
    if cell.rest and not own:
        patterns = tuple(pattern.replace("*", cell.rest) for pattern in patterns)
    for at in own or range(len(base)):
        for space in board.spaces(base[at].design):
            if any(fnmatchcase(space.id, pattern) for pattern in patterns):
                yield at, space


def _turn_block(block: _Block) -> _Block:
    leaves = []
    for leaf in block.leaves:
        size, label = leaf.content.size, leaf.label
        if label is not None:
            x, y = block.width - label.right, block.height - label.bottom
            label = Rect(x, y, label.width, label.height)
        content = leaf.content
        wide, high = content.size.width, content.size.height
        pieces = tuple(piece.move_by((-1.0, 0.0, 0.0, -1.0, wide, high)) for piece in content.pieces)
        rooms = tuple(Rect(wide - room.right, high - room.bottom, room.width, room.height) for room in content.rooms)
        numbers = tuple(Number(one.number, wide - one.x, high - one.y) for one in content.numbers)
        content = PlaceContent(content.size, pieces, rooms, numbers)
        x, y = block.width - leaf.x - size.width, block.height - leaf.y - size.height
        leaves.append(_Leaf(leaf.laid, content, x, y, label, True))
    return _Block(block.width, block.height, tuple(leaves))


def find_piece_corners(piece: PlacedPiece) -> list[tuple[float, float]]:
    """Return the four corners of a piece in mm of the table."""
    wide, high = piece.size.width, piece.size.height
    return [map_point(piece.matrix, point) for point in ((0.0, 0.0), (0.0, high), (wide, 0.0), (wide, high))]


def enclose_pieces(pieces: Sequence[PlacedPiece]) -> Rect:
    """Return the bounding box of pieces on the table."""
    return enclose_points(point for piece in pieces for point in find_piece_corners(piece))


def select_places(plan: TablePlan, names: Sequence[str]) -> TablePlan:
    """Return the plan with only the named places."""

    def drop_others(entry: Any) -> Any:
        if isinstance(entry, tuple):
            return tuple(one for one in map(drop_others, entry) if one)
        return entry if entry in names else ""

    places = {name: place for name, place in plan.places.items() if name in names}
    rows, seat, others = drop_others(plan.rows), drop_others(plan.seat), drop_others(plan.others or plan.seat)
    return replace(plan, rows=rows, seat=seat, others=others, places=places)


class BoardSpaces:
    """Finds the spaces printed on a book's boards; each board is read only once."""

    def __init__(self, faces: PieceFaces):
        self._faces = faces
        self._known: dict[str, dict[str, PrintedSpace]] = {}

    @property
    def board(self) -> Board:
        """Return functions that list a design's spaces, and that place pieces on them."""
        find = self._find_printed_spaces
        return Board(lambda one: [BoardSpace(it.id, it.holds) for it in find(one).values()], self._find_spots)

    def find_box(self, design: str, name: str) -> Rect | None:
        """Return the box around a space of a design (mm of its face), or None for a space without outlines."""
        space = self._find_printed_spaces(design).get(name)
        return enclose_boxes(map(measure_outline_box, space.outlines)) if space is not None else None

    def _find_spots(self, design: str, name: str, pieces: Sequence[str]) -> list[Matrix]:
        game = self._faces.workshop.game
        board = self._faces.draw_piece(game.design(design))
        lying = [self._faces.draw_piece(game.design(piece)) for piece in pieces]
        if board is None or not all(lying):
            return []
        laid = lay_on_board(board, 1.0, self._find_printed_spaces(design), {name: lying})
        return [matrix for _, matrix, _ in laid[1:]]

    def _find_printed_spaces(self, design: str) -> dict[str, PrintedSpace]:
        if design not in self._known:
            piece = self._faces.draw_piece(self._faces.workshop.game.design(design))
            found = find_printed_spaces(Drawing(piece.width, piece.height, 0.0, piece.symbol.items)) if piece else ()
            self._known[design] = {space.id: space for space in found}
        return self._known[design]
