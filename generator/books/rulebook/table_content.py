"""Table content: lays out the pieces at one place of the table plan, in mm of the table."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, cos, radians, sin
from typing import NamedTuple

from generator.base.geometry import Matrix, Rect, Size, enclose_points, map_point, multiply
from generator.play.table_positions import LaidCell, LaidPlace

_MOST_LOOSE = 30
"""Maximum number of pieces shown singly at a place; more pieces are shown as piles."""

_MOST_LAYERS = 5
_FAN_RADIUS, _FAN_STEP, _FAN_SPREAD = 2.6, 8.0, 44.0
_HEAD = 0.26
"""Visible share of a card that another card in its column covers."""

_STANDS = 0.22
"""Offset of small pieces on a card from its lower edge, as a share of its height, so that the edge stays visible."""


class PlacedPiece(NamedTuple):
    """A piece on the table: design, zone, visible side, the matrix that places it, and size in mm."""

    design: str
    zone: str
    down: bool
    matrix: Matrix
    size: Size

    def move_by(self, by: Matrix) -> "PlacedPiece":
        """Return the piece transformed by a matrix."""
        return self._replace(matrix=multiply(by, self.matrix))


class Number(NamedTuple):
    """The count written below a pile, and the middle of the pile's lower edge."""

    number: int
    x: float
    y: float


class PlaceContent(NamedTuple):
    """A place laid out: its size, its pieces from the lowest up, outlines for later pieces, counts of piles."""

    size: Size
    pieces: tuple[PlacedPiece, ...] = ()
    rooms: tuple[Rect, ...] = ()
    numbers: tuple[Number, ...] = ()

    def move_by(self, dx: float, dy: float) -> "PlaceContent":
        """Return the contents moved right by dx and down by dy (mm)."""
        shift = (1.0, 0.0, 0.0, 1.0, dx, dy)
        pieces, rooms = [piece.move_by(shift) for piece in self.pieces], [room.move(dx, dy) for room in self.rooms]
        numbers = [Number(one.number, one.x + dx, one.y + dy) for one in self.numbers]
        return PlaceContent(self.size, tuple(pieces), tuple(rooms), tuple(numbers))


SizeOf = Callable[[str], Size]
"""Returns the size (mm) of a design, or of a kind's pieces."""


class PlaceSetter:
    """Lays out places. `figure` is the size of a count below a pile, `step` the shift between pieces in a pile."""

    def __init__(self, size_of: SizeOf, figure: Size, step: float):
        self._size_of, self._figure, self._step = size_of, figure, step

    def set_place(self, laid: LaidPlace) -> PlaceContent | None:
        """Return the laid-out place, or None if it is empty and the plan reserves no room for later pieces."""
        cells = [cell for cell in laid.cells if cell.number or (laid.place.room and not cell.rest)]
        if not cells:
            return None
        lies, down = laid.place.lies, laid.is_face_down()
        if lies == "pile":
            return self._set_side_by_side([self._set_pile(laid, cell, down) for cell in cells], laid, centred=True)
        if lies == "piles":
            return self._set_side_by_side(list(self._set_piles(laid, cells, down)), laid)
        if lies == "fan":
            return self._set_side_by_side([self._set_fan(laid, cell, down) for cell in cells], laid)
        if lies in ("column", "columns"):
            return self._set_side_by_side([self._set_column(laid, cell, down) for cell in cells], laid)
        return self._set_side_by_side([one for cell in cells for one in self._set_loose_pieces(laid, cell, down)], laid)

    def _reserve_room(self, laid: LaidPlace) -> PlaceContent:
        size = _turn_size(self._size_of(laid.place.room), laid.place.turned)
        return PlaceContent(size, rooms=(Rect(0, 0, size.width, size.height),))

    def _make_piece(
        self, laid: LaidPlace, cell: LaidCell, design: str, down: bool, position: tuple[float, float]
    ) -> PlacedPiece:
        size = self._size_of(design)
        return PlacedPiece(design, cell.zone, down, matrix_from_angle(size, laid.place.turned, *position), size)

    def _set_pile(self, laid: LaidPlace, cell: LaidCell, down: bool) -> PlaceContent:
        """Return the pieces of a cell as a pile, the first on top (`down`: face down); if empty, room for one."""
        if not cell.number:
            return self._reserve_room(laid)
        # The first pieces of the zone are on top, so they are drawn last.
        layers = min(cell.number, 3 if cell.number < 10 else _MOST_LAYERS)
        shown = [name for name, number in cell.pieces for _ in range(min(number, layers))][:layers]
        sizes = [_turn_size(self._size_of(name), laid.place.turned) for name in shown]
        deep = (len(shown) - 1) * self._step
        steps = [(name, at * self._step) for at, name in enumerate(shown)]
        pieces = [self._make_piece(laid, cell, name, down, (step, step)) for name, step in steps]
        wide, high = max(size.width for size in sizes) + deep, max(size.height for size in sizes) + deep
        return PlaceContent(Size(wide, high), tuple(reversed(pieces)))

    def _set_piles(self, laid: LaidPlace, cells: Sequence[LaidCell], down: bool) -> Iterator[PlaceContent]:
        """Yield a pile of each design in the cells, with its count below if over 1; an empty cell is room for one."""
        for cell in cells:
            if not cell.number:
                yield self._reserve_room(laid)
            for name, number in cell.pieces:
                pile = self._set_pile(laid, LaidCell(cell.zone, ((name, number),)), down)
                if number == 1:
                    yield pile
                    continue
                high, own = pile.size.height, self._figure.width * (len(str(number)) + 1)
                wide = max(pile.size.width, own)
                lying = pile.move_by((wide - pile.size.width) / 2, 0.0).pieces
                yield PlaceContent(Size(wide, high + self._figure.height), lying, (), (Number(number, wide / 2, high),))

    def _set_fan(self, laid: LaidPlace, cell: LaidCell, down: bool) -> PlaceContent:
        """Return the pieces as a hand of cards, the last one on top (`down`: face down); if empty, room for one."""
        names = [name for name, number in cell.pieces for _ in range(number)]
        if not names:
            return self._reserve_room(laid)
        step = min(_FAN_STEP, _FAN_SPREAD / max(1, len(names) - 1))
        pieces, corners = [], list[tuple[float, float]]()
        for at, name in enumerate(names):
            size, angle = self._size_of(name), radians((at - (len(names) - 1) / 2) * step)
            across, along = cos(angle), sin(angle)
            x, y = -size.width / 2, -size.height * _FAN_RADIUS
            matrix = (across, along, -along, across, across * x - along * y, along * x + across * y)
            pieces.append(PlacedPiece(name, cell.zone, down, matrix, size))
            box = (0.0, 0.0), (size.width, 0.0), (0.0, size.height), (size.width, size.height)
            corners += [map_point(matrix, point) for point in box]
        around = enclose_points(corners)
        shift = (1.0, 0.0, 0.0, 1.0, -around.x, -around.y)
        return PlaceContent(Size(around.width, around.height), tuple(piece.move_by(shift) for piece in pieces))

    def _set_column(self, laid: LaidPlace, cell: LaidCell, down: bool) -> PlaceContent:
        """Return a column of pieces, heads visible, the last on top (`down`: face down); if empty, room for one."""
        names = [name for name, number in cell.pieces for _ in range(number)]
        if not names:
            return self._reserve_room(laid)
        y, wide, high, pieces = 0.0, 0.0, 0.0, []
        for name in names:
            size = _turn_size(self._size_of(name), laid.place.turned)
            pieces.append(self._make_piece(laid, cell, name, down, (0.0, y)))
            wide, high = max(wide, size.width), max(high, y + size.height)
            y += size.height * _HEAD
        return PlaceContent(Size(wide, high), tuple(pieces))

    def _set_loose_pieces(self, laid: LaidPlace, cell: LaidCell, down: bool) -> Iterator[PlaceContent]:
        """Yield a cell's pieces side by side, or piles if many; if only one is large, the small ones stand on it."""
        if not cell.number:
            yield self._reserve_room(laid)
            return
        if cell.number > _MOST_LOOSE:
            yield from self._set_piles(laid, [cell], down)
            return
        areas = {name: self._size_of(name).width * self._size_of(name).height for name, _ in cell.pieces}
        largest = max(areas, key=lambda name: areas[name])
        small = [(name, number) for name, number in cell.pieces if areas[name] < areas[largest] / 2]
        large = [(name, number) for name, number in cell.pieces if areas[name] >= areas[largest] / 2]
        if small and sum(number for _, number in large) == 1:
            standing = [name for name, number in small for _ in range(number)]
            yield self._stand_on_piece(laid, cell, largest, standing, down)
            return
        for name, number in cell.pieces:
            size = _turn_size(self._size_of(name), laid.place.turned)
            for _ in range(number):
                yield PlaceContent(size, (self._make_piece(laid, cell, name, down, (0.0, 0.0)),))

    def _stand_on_piece(
        self, laid: LaidPlace, cell: LaidCell, large: str, small: Sequence[str], down: bool
    ) -> PlaceContent:
        size = _turn_size(self._size_of(large), laid.place.turned)
        pieces = [self._make_piece(laid, cell, large, down, (0.0, 0.0))]
        sizes = [self._size_of(name) for name in small]
        wide = sum(one.width for one in sizes)
        last = sizes[-1].width
        squeeze = min(1.0, (size.width - last) / max(wide - last, 1e-6)) if len(small) > 1 else 1.0
        across = sum(one.width for one in sizes[:-1]) * squeeze + sizes[-1].width
        x = (size.width - across) / 2
        for name, one in zip(small, sizes, strict=True):
            y = size.height * (1 - _STANDS) - one.height
            pieces.append(PlacedPiece(name, cell.zone, down, (1.0, 0.0, 0.0, 1.0, x, y), one))
            x += one.width * squeeze
        return PlaceContent(size, tuple(pieces))

    def _set_side_by_side(
        self, parts: Sequence[PlaceContent], laid: LaidPlace, *, centred: bool = False
    ) -> PlaceContent:
        """Return contents as one, in lines as the place asks, level at foot, middle (`centred`) or top (columns)."""
        lines = laid.place.lines or (len(parts),)
        if laid.place.lies == "piles" and not laid.place.lines and len(parts) > 4:
            each = ceil(len(parts) / 2)
            lines = (each, len(parts) - each)
        gap, rows, at = laid.place.gap, list[Sequence[PlaceContent]](), 0
        for number in lines:
            rows.append(parts[at : at + number])
            at += number
        rows += [[part] for part in parts[at:]]
        rows = [row for row in rows if row]
        widths = [sum(part.size.width for part in row) + gap * (len(row) - 1) for row in rows]
        wide, y = max(widths), 0.0
        pieces, rooms, numbers = list[PlacedPiece](), list[Rect](), list[Number]()
        for row, own in zip(rows, widths, strict=True):
            x, high = (wide - own) / 2, max(part.size.height for part in row)
            for part in row:
                drop = y
                if laid.place.lies not in ("column", "columns"):
                    drop += (high - part.size.height) * (0.5 if centred else 1.0)
                moved = part.move_by(x, drop)
                pieces, rooms, numbers = [*pieces, *moved.pieces], [*rooms, *moved.rooms], [*numbers, *moved.numbers]
                x += part.size.width + gap
            y += high + gap
        return PlaceContent(Size(wide, y - gap), tuple(pieces), tuple(rooms), tuple(numbers))


def _turn_size(size: Size, angle: int) -> Size:
    return size.swap_sides() if angle % 180 else size


def matrix_from_angle(size: Size, angle: int, x: float, y: float) -> Matrix:
    """Return the matrix that rotates a piece clockwise by a multiple of 90 degrees, with its box starting at (x, y)."""
    if angle == 90:
        return (0.0, 1.0, -1.0, 0.0, x + size.height, y)
    if angle == 180:
        return (-1.0, 0.0, 0.0, -1.0, x + size.width, y + size.height)
    if angle == 270:
        return (0.0, -1.0, 1.0, 0.0, x, y + size.width)
    return (1.0, 0.0, 0.0, 1.0, x, y)
