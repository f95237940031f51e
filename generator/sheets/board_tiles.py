"""Tiles of large boards: equal parts on several sheets, to be cut out and glued together."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import NamedTuple

from generator.base.display_list import Item, Shape
from generator.base.geometry import MM_PER_PT, Rect, Size, format_column_letters
from generator.game.print_pages import Turn
from generator.sheets.imposition import MARK_ROOM, Arrangement
from generator.sheets.nets import TINT
from generator.sheets.page_marks import DARK, LIGHT, make_closed_path, place_furniture
from generator.sheets.settings import SheetSettings

LAP = 2.0
"""Width of the art that continues across a join (mm), so that a slightly inexact cut shows no white."""

_DEEP, _HALF = 3.6, 1.4
"""Height of a pointer triangle, and half the length of its base (mm)."""

_CASING = 1.6
"""Scale of the light triangle drawn behind each dark pointer as its outline."""

_HAIR = 0.2

_APART = 50.0
_INSET = 8.0
"""Distance of the outermost pointers from the ends of a join (mm)."""


def draw_glue_strips(art: Rect, window: Rect, cut: Rect, strips: tuple[bool, bool]) -> Iterator[Item]:
    """Tint the glue strips at the right and below (`strips`: whether they exist), and leave paper bare beyond them.

    `window` is the part's own picture, `cut` its cut-out area. The first millimetres of a strip keep their art.
    """
    right, below = strips
    # Slightly larger than the art, so that none of it shows at the edges.
    art = art.grow(_HAIR)
    start = (window.right + LAP if right else art.right, window.bottom + LAP if below else art.bottom)
    tint_end = (cut.right if right else art.right, cut.bottom if below else art.bottom)
    yield Shape(path=_angle_path(art, start, (art.right, art.bottom)), fill=LIGHT, role="glue")
    yield Shape(path=_angle_path(art, start, tint_end), fill=TINT, role="glue")


def place_pointers(start: float, length: float) -> list[float]:
    """Return places of pointers along a join from `start` on, `length` mm long: an even number, its middle is free."""
    gaps = 2 * round((length / _APART - 1) / 2) + 1
    first, step = start + _INSET, (length - 2 * _INSET) / gaps
    return [first + n * step for n in range(gaps + 1)]


def draw_pointers(points: Sequence[tuple[str, float, float]]) -> Iterator[Item]:
    """Draw pointer triangles; `points` are the side of the join (`right` or below) and the tip (x, y) of each.

    The neighbouring part is glued in the right place when its edge just covers the tips.
    """
    for paint, scale in ((LIGHT, _CASING), (DARK, 1.0)):
        deep, half = _DEEP, _HALF * scale
        triangles = [
            make_closed_path([(x, y), (x + deep, y - half), (x + deep, y + half)])
            if side == "right"
            else make_closed_path([(x, y), (x + half, y + deep), (x - half, y + deep)])
            for side, x, y in points
        ]
        yield Shape(path=" ".join(triangles), fill=paint, role="mark")


def _angle_path(art: Rect, start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return an L-shaped path: the area right of and below `start`, up to `end`, within `art`."""
    return make_closed_path([(start[0], art.y), (end[0], art.y), end, (art.x, end[1]), (art.x, start[1]), start])


OVERLAPS = (10.0, 9.0, 8.0, 7.0, 6.0)
"""Widths to try for glue strips (mm). The first width with which the board needs the fewest sheets is used."""

LEAST_PART = 30.0
"""Minimum width of a part (mm), unless the board itself is narrower; narrower strips are hard to glue."""

CAPTION_PT = 8.0
_MIDDLE = 0.36
"""Distance from a line's baseline up to its middle, as a fraction of the type size."""


class Caption(NamedTuple):
    """A line of text on the page: the middle of its baseline (mm), size in points and degrees clockwise."""

    text: str
    x: float
    y: float
    size: float
    angle: float


@dataclass(frozen=True, slots=True)
class Tile(Arrangement):
    """One part of a board, with the strips on which its neighbours to the right and below are glued.

    `board` is the whole trim as placed on the page, fronts turned by `turn`; `column` and `row` count from 0. The part
    is cut at its own edges at the left and above, and `overlap` mm beyond its own edges at the right and below, where
    other parts join it. `spare` is the width of the art beyond that cut: the print behind a strip shows on the back.
    """

    board: Size
    columns: int
    rows: int
    column: int
    row: int
    overlap: float
    bleed: float
    spare: float = 0.0

    @property
    def name(self) -> str:
        """Return a letter for the column and a number for the row: B1 is to the right of A1."""
        return f"{format_column_letters(self.column + 1)}{self.row + 1}"

    @property
    def capacity(self) -> int:
        """Return 1: each part has its own sheet."""
        return 1

    @property
    def window(self) -> Rect:
        """Return the part of the finished board that this tile shows, in page coordinates.

        The windows of all parts together make up the trim.
        """
        return self._window.move(*self._shift)

    @property
    def art(self) -> Rect:
        """Return the printed area of the board and the strips, in the middle of the printable area."""
        return self.get_clip(0, self.bleed, ())

    def get_slot(self, index: int) -> Rect:  # noqa: ARG002 - there is one slot
        """Return the trim of the whole board, most of it outside the paper."""
        return Rect(*self._shift, self.board.width, self.board.height)

    def get_clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:  # noqa: ARG002 - there is one slot
        """Return the window with its strips, the bleed at the board's edges and a lap of art at cut joins."""
        window, (left, above, right, below) = self.window, self._measure_margins(bleed)
        return Rect(window.x - left, window.y - above, window.width + left + right, window.height + above + below)

    def list_cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """Return two x and two y of cuts: at board edges, at joins to earlier parts and at the ends of the strips."""
        if not taken:
            return [], []
        cut = self._cut
        return [round(cut.x, 3), round(cut.right, 3)], [round(cut.y, 3), round(cut.bottom, 3)]

    def draw_overlay(self) -> tuple[Item, ...]:
        """Draw the tint of the strips and the triangles that point at the joins; the window stays clear."""
        window = self.window
        points = [
            *(("right", window.right, y) for y in place_pointers(window.y, window.height) if self._joined_right),
            *(("below", x, window.bottom) for x in place_pointers(window.x, window.width) if self._joined_below),
        ]
        if not points:
            return ()
        strips = (self._joined_right, self._joined_below)
        return (*draw_glue_strips(self.art, window, self._cut, strips), *draw_pointers(points))

    def make_captions(self, words: str) -> Iterator[Caption]:
        """Yield the text in the middle of each strip; `words` has the placeholders `{part}` and `{next}`."""
        window = self.window
        # From the join to the middle of the tint, and from there to the baseline.
        aside, drop = (LAP + self.overlap) / 2, _MIDDLE * CAPTION_PT * MM_PER_PT
        if self._joined_right:
            text = words.format(part=self.name, next=f"{format_column_letters(self.column + 2)}{self.row + 1}")
            x, y = window.right + aside + drop, window.y + window.height / 2
            yield Caption(text, x, y, CAPTION_PT, 270.0)
        if self._joined_below:
            text = words.format(part=self.name, next=f"{format_column_letters(self.column + 1)}{self.row + 2}")
            x, y = window.x + window.width / 2, window.bottom + aside + drop
            yield Caption(text, x, y, CAPTION_PT, 0.0)

    @property
    def _joined_right(self) -> bool:
        return self.column < self.columns - 1

    @property
    def _joined_below(self) -> bool:
        return self.row < self.rows - 1

    @property
    def _window(self) -> Rect:
        """Return the window relative to the board's own corner."""
        width, height = self.board.width / self.columns, self.board.height / self.rows
        return Rect(self.column * width, self.row * height, width, height)

    @property
    def _cut(self) -> Rect:
        """Return the area that remains of the sheet after cutting, in page coordinates."""
        window = self.window
        width = window.width + (self.overlap if self._joined_right else 0.0)
        return Rect(window.x, window.y, width, window.height + (self.overlap if self._joined_below else 0.0))

    @property
    def _shift(self) -> tuple[float, float]:
        """Return the page position of the board's corner that puts this part in the middle of the printable area."""
        window, (left, above, right, below) = self._window, self._measure_margins(self.bleed)
        x = (self.paper.width - (left + window.width + right)) / 2 + left - window.x
        y = (self.paper.height - (above + window.height + below)) / 2 + above - window.y
        return x + self.offset[0], y + self.offset[1]

    def _measure_margins(self, bleed: float) -> tuple[float, float, float, float]:
        """Return the width of the art beyond the window: left, above, right and below."""
        strip = self.overlap + self.spare
        return (
            LAP if self.column else bleed,
            LAP if self.row else bleed,
            strip if self._joined_right else bleed,
            strip if self._joined_below else bleed,
        )


def split_board(settings: SheetSettings, board: Size, bleed: float, text: str, backed: bool = False) -> list[Tile]:
    """Split a board into parts on the fewest sheets, row by row. Return [] if the paper fits no part.

    Every sheet has room for cut marks, rulers, the note of its part and a label like `text`. All parts have the same
    size; the board is upright or turned by 90 degrees. Of equally few parts, those with the shortest joins are chosen.
    `backed` boards have art behind their strips too.
    """
    spare = LAP if backed else 0.0
    smallest = Size(min(board.width, LEAST_PART), min(board.height, LEAST_PART))
    tile = partial(Tile, settings.paper, offset=settings.margin.offset)
    if not _fits_page(tile(smallest, 1, 1, 0, 0, 0.0, 0.0), settings, text):
        return []
    for turn, columns, rows in _list_divisions(board):
        lying = board.swap_sides() if turn else board
        for overlap in OVERLAPS:
            parts = [
                tile(lying, columns, rows, column, row, overlap, bleed, spare, turn=turn)
                for row, column in product(range(rows), range(columns))
            ]
            # Inner parts have the same size as the second.
            unlike = [p for p in parts if p.column in (0, 1, columns - 1) and p.row in (0, 1, rows - 1)]
            if all(_fits_page(part, settings, text) for part in unlike):
                return parts
    return []


def write_part_notes(tile: Tile, settings: SheetSettings) -> tuple[str, ...]:
    """Return the note beside the sheet's label: the part's name and how to glue it on; () if it is the only part."""
    if tile.columns * tile.rows == 1:
        return ()
    return (settings.part_note.format(part=tile.name, columns=tile.columns, rows=tile.rows),)


def _list_divisions(board: Size) -> list[tuple[Turn, int, int]]:
    """Return (turn, columns, rows) of every way to split a board: the fewest parts first, then the shortest joins."""
    found: list[tuple[float, float, Turn, int, int]] = []
    turns: tuple[Turn, ...] = (0, 90)
    for turn in turns:
        lying = board.swap_sides() if turn else board
        for columns, rows in product(_list_counts(lying.width), _list_counts(lying.height)):
            joins = (columns - 1) * lying.height + (rows - 1) * lying.width
            found.append((columns * rows, joins, turn, columns, rows))
    return [(turn, columns, rows) for _, _, turn, columns, rows in sorted(found)]


def _list_counts(length: float) -> range:
    return range(1, max(1, int(length // LEAST_PART)) + 1)


def _fits_page(tile: Tile, settings: SheetSettings, text: str) -> bool:
    art = tile.art
    if not settings.printable.grow(-MARK_ROOM).contains(art) or not settings.is_clear(art):
        return False
    notes = (*write_part_notes(tile, settings), text)
    return place_furniture(settings.make_slug(art), notes) is not None
