"""Pack pieces of any sizes on shared sheets: blocks of equal pieces, free boxes."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Literal, TypeAlias

from generator.base.geometry import Point, Rect, Size
from generator.game.piece_outlines import REGULAR
from generator.game.print_pages import Piece, Turn
from generator.sheets.imposition import Arrangement, count_fitting
from generator.sheets.page_marks import is_cut_straight
from generator.sheets.settings import FreeArea

LEAST_APART = 2.0
"""Minimum distance between outlines of pieces that are cut out singly (mm), for scissors or a punch."""

Nest: TypeAlias = Literal["", "hexagon", "flat-hexagon", "round"]
"""Shapes that nest: hexagons on a point in offset rows, hexagons on a side in columns, circles in either."""

_TURNED: dict[Nest, Nest] = {"hexagon": "flat-hexagon", "flat-hexagon": "hexagon"}

_SLACK = 1e-6
_ROW = math.sqrt(3) / 2
"""Distance of honeycomb rows as a share of the distance of their cells."""


@dataclass(frozen=True, slots=True)
class LotLayout:
    """How pieces of one size are placed: `cell` is a trim as placed on the page, `bleed` the widest bleed.

    Straight pieces share cut lines or keep a gap of `gap` mm. Pieces that are `apart` keep at least the width of
    scissors. `nest` is the shape of pieces whose rows can interlock, or empty.
    """

    cell: Size
    bleed: float
    gap: float
    apart: bool
    nest: Nest = ""

    @property
    def spacing(self) -> float:
        """Return the distance between neighbouring trims of one block (mm)."""
        return max(self.gap, LEAST_APART) if self.apart else self.gap

    @property
    def pad(self) -> float:
        """Return the space around a block (mm): the bleed, or half the gap or half of LEAST_APART if larger."""
        return max(self.bleed, self.gap / 2, LEAST_APART / 2)

    def turn_layout(self) -> "LotLayout":
        """Return the layout turned by 90 degrees."""
        return LotLayout(self.cell.swap_sides(), self.bleed, self.gap, self.apart, _TURNED.get(self.nest, self.nest))


@dataclass(frozen=True, slots=True)
class TrimBlock:
    """Trims of equal pieces, line by line. Every line but the last is full; `upright` lines are columns."""

    manner: LotLayout
    lines: tuple[tuple[Rect, ...], ...]
    upright: bool = False

    @property
    def count(self) -> int:
        """Return the number of trims."""
        return sum(map(len, self.lines))

    @property
    def covers(self) -> tuple[Rect, ...]:
        """Return the padded areas that other pieces must avoid: one around all full lines, one around the last line."""
        boxes = []
        for group in filter(None, (self.lines[:-1], self.lines[-1:])):
            box = group[0][0]
            for line in group:
                box = box.unite(line[0]).unite(line[-1])
            boxes.append(box.grow(self.manner.pad))
        return tuple(boxes)

    def iter_slots(self) -> Iterator[Rect]:
        """Yield the trims, line by line."""
        for line in self.lines:
            yield from line

    def iter_rooms(self) -> Iterator[Rect]:
        """Yield the printable area of each piece: its trim and bleed, at most up to halfway to a neighbour."""
        manner = self.manner
        outwards, towards = manner.bleed, min(manner.bleed, manner.spacing / 2)
        if manner.apart:
            yield from (slot.grow(towards) for slot in self.iter_slots())
            return
        for number, line in enumerate(self.lines):
            below = len(self.lines[number + 1]) if number + 1 < len(self.lines) else 0
            for place, slot in enumerate(line):
                before = towards if place else outwards
                after = towards if place + 1 < len(line) else outwards
                above = towards if number else outwards
                under = towards if place < below else outwards
                if self.upright:
                    before, after, above, under = above, under, before, after
                width, height = slot.width + before + after, slot.height + above + under
                yield Rect(slot.x - before, slot.y - above, width, height)


def iter_trim_blocks(manner: LotLayout, inside: Rect, most: int) -> Iterator[TrimBlock]:
    """Yield each way to place up to `most` pieces with their trims in a box, always as many as fit."""
    ways = [(False, _lay_rows), (True, _lay_rows)]
    if manner.nest in ("hexagon", "round"):
        ways.append((False, _nest_rows))
    if manner.nest in ("flat-hexagon", "round"):
        ways.append((True, _nest_rows))
    for upright, way in ways:
        room = Size(inside.height, inside.width) if upright else Size(inside.width, inside.height)
        lines = way(manner.turn_layout() if upright else manner, room, most)
        wide, high = manner.cell.width, manner.cell.height
        placed = [[(y, x) if upright else (x, y) for x, y in line] for line in lines]
        rects = [tuple([Rect(inside.x + x, inside.y + y, wide, high) for x, y in line]) for line in placed]
        if rects:
            yield TrimBlock(manner, tuple(rects), upright)


def _lay_rows(manner: LotLayout, room: Size, most: int) -> list[list[Point]]:
    cell, gap = manner.cell, manner.spacing
    columns, rows = count_fitting(room.width, cell.width, gap), count_fitting(room.height, cell.height, gap)
    if not columns or not rows:
        return []
    number = min(most, columns * rows)
    places = [(n % columns * (cell.width + gap), n // columns * (cell.height + gap)) for n in range(number)]
    return [places[start : start + columns] for start in range(0, number, columns)]


def _nest_rows(manner: LotLayout, room: Size, most: int) -> list[list[Point]]:
    """Return the trim corners of nested rows: every second row is shifted by half a piece, rows are close together."""
    cell, pitch = manner.cell, manner.cell.width + manner.spacing
    lines: list[list[Point]] = []
    y = 0.0
    while most > 0 and y + cell.height <= room.height + _SLACK:
        start = pitch / 2 if len(lines) % 2 else 0.0
        columns = min(most, count_fitting(room.width - start, cell.width, manner.spacing))
        if not columns:
            break
        lines.append([(start + n * pitch, y) for n in range(columns)])
        most -= columns
        y += pitch * _ROW
    return lines


_LEAST = 1.0
"""Minimum width of a usable free strip (mm)."""


@dataclass(frozen=True, slots=True)
class Packing(Arrangement):
    """Positions of the pieces on one sheet: their trims, and the `rooms` in which each may be printed."""

    area: FreeArea
    slots: tuple[Rect, ...]
    rooms: tuple[Rect, ...]

    @property
    def capacity(self) -> int:
        """Return the number of pieces; no slot stays empty."""
        return len(self.slots)

    @property
    def art(self) -> Rect:
        """Return the area that faces may cover."""
        return self.area.art

    def get_slot(self, index: int) -> Rect:
        """Return the trim of a piece; for a round or hexagonal piece, the box around it."""
        return self.slots[index]

    def get_clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:  # noqa: ARG002 - all slots are taken
        """Return the room of the piece at `index`, as far as it is within `bleed` mm of its slot."""
        return self.rooms[index].intersect(self.slots[index].grow(bleed))

    def list_cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:  # noqa: ARG002
        """Return no cuts at the paper's edge: each piece has its own cut line."""
        return [], []


@dataclass(frozen=True, slots=True)
class Lot:
    """Pieces with the same layout, which are placed together."""

    manner: LotLayout
    pieces: tuple[Piece, ...]


@dataclass(slots=True)
class _OpenSheet:
    """A sheet being filled: the pieces placed on it, and the largest free boxes (they may overlap)."""

    area: FreeArea
    free: tuple[Rect, ...]
    slots: list[Rect] = field(default_factory=list)
    rooms: list[Rect] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

    def add_pieces(self, manner: LotLayout, pieces: Sequence[Piece]) -> int:
        """Place as many of the pieces as fit and return their number."""
        number = 0
        while number < len(pieces):
            block = find_best_block(self.area, self.free, manner, len(pieces) - number)
            if block is None:
                break
            self.slots += block.iter_slots()
            self.rooms += block.iter_rooms()
            self.pieces += pieces[number : number + block.count]
            number += block.count
            for cover in block.covers:
                # The largest boxes remain of the free ones, none inside another.
                left: list[Rect] = []
                for box in self.free:
                    left += _iter_boxes_around(box, cover) if box.overlaps(cover) else [box]
                kept: list[Rect] = []
                for n, box in enumerate(left):
                    # Of two equal boxes, the first is kept.
                    others = [(m, other) for m, other in enumerate(left) if m != n]
                    inside = any(other.contains(box) and (m < n or not box.contains(other)) for m, other in others)
                    if not inside:
                        kept.append(box)
                self.free = tuple(kept)
        return number


@lru_cache(5_000)  # sheets of several languages are filled alike
def find_best_block(area: FreeArea, free: tuple[Rect, ...], manner: LotLayout, most: int) -> TrimBlock | None:
    """Return the block of most pieces (up to `most`) in a free box, or None; in a tie the smallest box, then block."""
    best: tuple[tuple[float, ...], TrimBlock] | None = None
    for region in free:
        inside = area.shrink_region(region, manner.bleed, manner.pad)
        for block in iter_trim_blocks(manner, inside, most):
            covered = sum(cover.width * cover.height for cover in block.covers)
            rank = (-block.count, round(region.width * region.height, 3), round(covered, 3))
            if best is None or rank < best[0]:
                best = rank, block
    return best[1] if best else None


def fits_empty_sheet(manner: LotLayout, areas: Sequence[FreeArea]) -> bool:
    """Return True if an empty sheet takes one such piece."""
    return any(find_best_block(area, (area.box,), manner, 1) for area in areas)


def find_largest_piece(areas: Sequence[FreeArea], manner: LotLayout) -> Size:
    """Return the largest piece with this bleed that an empty sheet takes (mm)."""
    boxes = [area.shrink_region(area.box, manner.bleed, manner.pad) for area in areas]
    sizes = [Size(round(max(box.width, 0.0), 3), round(max(box.height, 0.0), 3)) for box in boxes]
    return max(sizes, key=lambda size: size.width * size.height)


def pack_lots(
    lots: Sequence[Lot], areas: Sequence[FreeArea], turn: Turn = 0
) -> list[tuple[Packing, tuple[Piece, ...]]]:
    """Pack all pieces, with fronts turned by `turn`, on as few sheets as possible. Each lot must fit on an empty sheet.

    Lots are placed from the largest to the smallest, each first in the space that earlier ones left, so they never need
    more sheets than one by one. Three orders of size are tried, with mixed areas and with one area for all sheets. The
    best result wins, the first one in a tie.
    """
    cells = [(lot, lot.manner.cell, lot.manner.cell.width * lot.manner.cell.height) for lot in lots]
    orders = [
        [lot for lot, *_ in sorted(cells, key=lambda one: (-one[1].height, -one[2]))],
        [lot for lot, *_ in sorted(cells, key=lambda one: (-one[1].width, -one[2]))],
        [lot for lot, *_ in sorted(cells, key=lambda one: (-one[2], -one[1].height))],
    ]
    alike = [(area,) for area in areas if all(fits_empty_sheet(lot.manner, (area,)) for lot in lots)]
    best: list[_OpenSheet] = []
    for choice, order in product((areas, *alike), orders):
        tried = _fill_sheets(order, choice)
        if not best or len(tried) < len(best):
            best = tried
    return [
        (
            Packing(one.area.paper, one.area, tuple(one.slots), tuple(one.rooms), turn=turn, fold=one.area.fold),
            tuple(one.pieces),
        )
        for one in best
    ]


def _fill_sheets(lots: Sequence[Lot], areas: Sequence[FreeArea]) -> list[_OpenSheet]:
    sheets: list[_OpenSheet] = []
    for lot in lots:
        left = lot.pieces
        for sheet in sheets:
            left = left[sheet.add_pieces(lot.manner, left) :]
        while left:
            most = 0
            roomiest = _open_sheet(areas[0])
            for area in areas:
                block = find_best_block(area, (area.box,), lot.manner, len(left))
                if block is not None and block.count > most:
                    most, roomiest = block.count, _open_sheet(area)
            left = left[roomiest.add_pieces(lot.manner, left) :]
            sheets.append(roomiest)
    return sheets


def _open_sheet(area: FreeArea) -> _OpenSheet:
    return _OpenSheet(area, (area.box,))


def _iter_boxes_around(box: Rect, cover: Rect) -> Iterator[Rect]:
    """Yield the largest boxes inside `box` above, below, left and right of `cover`."""
    sides = (
        Rect(box.x, box.y, box.width, cover.y - box.y),
        Rect(box.x, cover.bottom, box.width, box.bottom - cover.bottom),
        Rect(box.x, box.y, cover.x - box.x, box.height),
        Rect(cover.right, box.y, box.right - cover.right, box.height),
    )
    yield from (side for side in sides if side.width > _LEAST and side.height > _LEAST)


_SHAPE_SLACK = 0.002


@dataclass(frozen=True, slots=True)
class TooLargePieces:
    """Pieces of one size that fit no sheet, and `room`: the largest size that would fit."""

    pieces: tuple[Piece, ...]
    size: Size
    room: Size


def pack_pieces(
    pieces: Sequence[Piece], gap: float, areas: Sequence[FreeArea]
) -> tuple[list[tuple[Packing, tuple[Piece, ...]]], list[TooLargePieces]]:
    """Pack pieces of any sizes on sheets with one of the areas; return the sheets and the pieces that don't fit.

    Pieces are upright. Pieces that fit only when turned get sheets of their own.
    """
    upright: list[Lot] = []
    turned: list[Lot] = []
    unfit: list[TooLargePieces] = []
    for lot in group_lots(pieces, gap):
        if fits_empty_sheet(lot.manner, areas):
            upright.append(lot)
        elif fits_empty_sheet(lot.manner.turn_layout(), areas):
            turned.append(Lot(lot.manner.turn_layout(), lot.pieces))
        else:
            unfit.append(TooLargePieces(lot.pieces, lot.manner.cell, find_largest_piece(areas, lot.manner)))
    return [*pack_lots(upright, areas), *pack_lots(turned, areas, 90)], unfit


def group_lots(pieces: Sequence[Piece], gap: float) -> list[Lot]:
    """Group pieces with the same layout (`choose_layout`, `gap` mm apart), in order of first appearance."""
    found: dict[LotLayout, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(choose_layout(piece, gap), []).append(piece)
    return [Lot(how, tuple(those)) for how, those in found.items()]


def choose_layout(piece: Piece, gap: float) -> LotLayout:
    """Return the layout of a piece: straight ones touch or keep `gap` mm, round ones and hexagons nest."""
    front = piece.front.to_drawing()
    cell = Size(round(front.width, 3), round(front.height, 3))
    apart = piece.shape in ("round", "hexagon", "flat-hexagon") or not is_cut_straight(front)
    bleed = max(front.bleed, piece.back.bleed if piece.back is not None else 0.0)
    if apart:
        bleed = min(bleed, max(gap, LEAST_APART) / 2)
    return LotLayout(cell, bleed, gap, apart, _find_nest(piece, cell))


def _find_nest(piece: Piece, cell: Size) -> Nest:
    if piece.shape == "round" and abs(cell.height - cell.width) < _SHAPE_SLACK:
        return "round"
    if piece.shape == "hexagon" and abs(cell.height - cell.width * REGULAR) < _SHAPE_SLACK:
        return "hexagon"
    if piece.shape == "flat-hexagon" and abs(cell.width - cell.height * REGULAR) < _SHAPE_SLACK:
        return "flat-hexagon"
    return ""
