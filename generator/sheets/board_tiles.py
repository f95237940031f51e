"""Tiles of large boards: equal parts on several sheets, to be cut out and glued together."""

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from generator.base.dataclass import dataclass
from generator.base.display_list import Item, Shape, number
from generator.base.geometry import MM_PER_PT, Rect, Size
from generator.game.print_pages import Turn
from generator.sheets.imposition import MARK_ROOM, Axis
from generator.sheets.nets import TINT
from generator.sheets.page_marks import DARK, LIGHT, furnish
from generator.sheets.settings import SheetSettings

LAP = 2.0
"""How far art goes on across a join, mm, so that a hair's misalignment or an inexact cut shows no white."""

_DEEP, _HALF = 3.6, 1.4
"""A triangle from its point to its base and half of its base, mm."""

_CASING = 1.6
"""How much wider the light triangle below it is."""

_HAIR = 0.2

_APART = 50.0
_INSET = 8.0
"""Triangles stand about so far apart, mm, the outer ones so far from the ends of the join."""


def glue_items(art: Rect, window: Rect, cut: Rect, strips: tuple[bool, bool]) -> Iterator[Item]:
    """The tint on the strips at the right and below (`strips`) up to the cut, bare paper from there to the art's end.

    `window` is the part's own picture, `cut` what is cut out. The first millimetres of a strip keep their art.
    """
    right, below = strips
    # A little more than the art, so that nothing of it glimmers at the edges.
    art = art.grown(_HAIR)
    start = (window.right + LAP if right else art.right, window.bottom + LAP if below else art.bottom)
    tint_end = (cut.right if right else art.right, cut.bottom if below else art.bottom)
    yield Shape(path=_angle(art, start, (art.right, art.bottom)), fill=LIGHT, role="glue")
    yield Shape(path=_angle(art, start, tint_end), fill=TINT, role="glue")


def pointers(start: float, length: float) -> list[float]:
    """Where along a join triangles stand: an even number, so that the middle is free for words."""
    gaps = 2 * round((length / _APART - 1) / 2) + 1
    first, step = start + _INSET, (length - 2 * _INSET) / gaps
    return [first + n * step for n in range(gaps + 1)]


def pointer_items(points: Sequence[tuple[str, float, float]]) -> Iterator[Item]:
    """Dark triangles on a light ground, points on the joins at (x, y), each in the strip on its side of the join.

    The neighbour's edge lies right when it just covers the points.
    """
    for paint, scale in ((LIGHT, _CASING), (DARK, 1.0)):
        path = " ".join(_triangle(side, x, y, scale) for side, x, y in points)
        yield Shape(path=path, fill=paint, role="mark")


def _triangle(side: str, x: float, y: float, scale: float) -> str:
    deep, half = _DEEP, _HALF * scale
    if side == "right":
        return _outline((x, y), (x + deep, y - half), (x + deep, y + half))
    return _outline((x, y), (x + half, y + deep), (x - half, y + deep))


def _angle(art: Rect, start: tuple[float, float], end: tuple[float, float]) -> str:
    """What lies right of or below the point `start`, as far as `end`: one piece, so that no seam shows."""
    return _outline((start[0], art.y), (end[0], art.y), end, (art.x, end[1]), (art.x, start[1]), start)


def _outline(*points: tuple[float, float]) -> str:
    return "M " + " L ".join(f"{number(x)} {number(y)}" for x, y in points) + " Z"


OVERLAPS = (10.0, 9.0, 8.0, 7.0, 6.0)
"""How far a part goes on under its neighbour, mm: the first that the fewest sheets have room for."""

LEAST_PART = 30.0
"""No part is narrower than that, mm, unless the board is: nobody glues such strips together."""

CAPTION_PT = 8.0
_MIDDLE = 0.36
"""From the baseline to the middle of a line, em."""


class Caption(NamedTuple):
    """A line of text on the page: its middle on the baseline (mm), its size in points and degrees clockwise."""

    text: str
    x: float
    y: float
    size: float
    angle: float


@dataclass(frozen=True, slots=True)
class Tile:
    """One part of a board and the strips by which its neighbours to the right and below are glued on.

    `board` is the whole trim as it lies on the page, fronts turned by `turn`; `column` and `row` count from 0. The part
    is cut at its own edges at the left and above, and `overlap` mm beyond its own edges at the right and below, where
    others join it. `spare` is how far art is there beyond that cut: what is printed behind a strip shows on the back.
    """

    paper: Size
    board: Size
    turn: Turn
    columns: int
    rows: int
    column: int
    row: int
    overlap: float
    bleed: float
    spare: float = 0.0

    @property
    def name(self) -> str:
        """A letter for the column and a number for the row: B1 is to the right of A1."""
        return f"{_letters(self.column)}{self.row + 1}"

    @property
    def capacity(self) -> int:
        """One part to a sheet."""
        return 1

    @property
    def fold(self) -> Axis | None:
        """Never: a part's back has a page of its own."""
        return None

    @property
    def window(self) -> Rect:
        """What this part shows of the finished board, page coordinates: the parts' windows make up the trim."""
        return self._window.moved(*self._shift)

    @property
    def art(self) -> Rect:
        """All that is printed of the board and the strips; it lies in the middle of the page."""
        return self.clip(0, self.bleed, ())

    def slot(self, index: int) -> Rect:  # noqa: ARG002 - there is one
        """The trim of the whole board, most of it beyond the paper."""
        return Rect(*self._shift, self.board.width, self.board.height)

    def clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:  # noqa: ARG002 - there is one slot
        """The window with its strips, the bleed at the board's own edges and a lap of art where the part is cut."""
        window, (left, above, right, below) = self.window, self._around(bleed)
        return Rect(window.x - left, window.y - above, window.width + left + right, window.height + above + below)

    def cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """The four cuts: at the board's edges, at joins to parts before it and at the ends of its strips."""
        if not taken:
            return [], []
        cut = self._cut
        return [round(cut.x, 3), round(cut.right, 3)], [round(cut.y, 3), round(cut.bottom, 3)]

    def over(self) -> tuple[Item, ...]:
        """The tint of the strips, and triangles whose points stand on the joins; the window itself is left alone."""
        window = self.window
        points = [
            *(("right", window.right, y) for y in pointers(window.y, window.height) if self._joined_right),
            *(("below", x, window.bottom) for x in pointers(window.x, window.width) if self._joined_below),
        ]
        if not points:
            return ()
        strips = (self._joined_right, self._joined_below)
        return (*glue_items(self.art, window, self._cut, strips), *pointer_items(points))

    def captions(self, words: str) -> Iterator[Caption]:
        """What each strip says, in the middle of it; `words` have places for the names `{part}` and `{next}`."""
        window = self.window
        # From the join to the middle of the tint, and from there to the baseline.
        aside, drop = (LAP + self.overlap) / 2, _MIDDLE * CAPTION_PT * MM_PER_PT
        if self._joined_right:
            text = words.format(part=self.name, next=f"{_letters(self.column + 1)}{self.row + 1}")
            x, y = window.right + aside + drop, window.y + window.height / 2
            yield Caption(text, x, y, CAPTION_PT, 270.0)
        if self._joined_below:
            text = words.format(part=self.name, next=f"{_letters(self.column)}{self.row + 2}")
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
        """The window, counted from the board's own corner."""
        width, height = self.board.width / self.columns, self.board.height / self.rows
        return Rect(self.column * width, self.row * height, width, height)

    @property
    def _cut(self) -> Rect:
        """What is left of the sheet when it is cut out, page coordinates."""
        window = self.window
        width = window.width + (self.overlap if self._joined_right else 0.0)
        return Rect(window.x, window.y, width, window.height + (self.overlap if self._joined_below else 0.0))

    @property
    def _shift(self) -> tuple[float, float]:
        """Where the board's corner lies on the page, so that this part comes to its middle."""
        window, (left, above, right, below) = self._window, self._around(self.bleed)
        x = (self.paper.width - (left + window.width + right)) / 2 + left - window.x
        y = (self.paper.height - (above + window.height + below)) / 2 + above - window.y
        return x, y

    def _around(self, bleed: float) -> tuple[float, float, float, float]:
        """How far art goes beyond the window: left, above, right and below."""
        strip = self.overlap + self.spare
        return (
            LAP if self.column else bleed,
            LAP if self.row else bleed,
            strip if self._joined_right else bleed,
            strip if self._joined_below else bleed,
        )


def tiles(settings: SheetSettings, board: Size, bleed: float, text: str, backed: bool = False) -> list[Tile]:
    """The parts of a board on the fewest sheets, row by row; none where the paper has no room for any part.

    Every sheet has room for cut marks, rulers, the note of its part and a label like `text`. The parts are of one size,
    the board upright or turned by 90 degrees; among equally few, the one with the shortest joins. `backed` boards have
    art behind their strips too.
    """
    spare = LAP if backed else 0.0
    if not _fits(Tile(settings.paper, _least(board), 0, 1, 1, 0, 0, 0.0, 0.0), settings, text):
        return []
    for turn, columns, rows in _divisions(board):
        lying = board.turned() if turn else board
        for overlap in OVERLAPS:
            parts = [
                Tile(settings.paper, lying, turn, columns, rows, column, row, overlap, bleed, spare)
                for row, column in product(range(rows), range(columns))
            ]
            # Parts further in are like the second.
            unlike = [p for p in parts if p.column in (0, 1, columns - 1) and p.row in (0, 1, rows - 1)]
            if all(_fits(part, settings, text) for part in unlike):
                return parts
    return []


def part_notes(tile: Tile, settings: SheetSettings) -> tuple[str, ...]:
    """What the sheet of a part says beside its label: which part it is and how it is glued on."""
    if tile.columns * tile.rows == 1:
        return ()
    return (settings.part_note.format(part=tile.name, columns=tile.columns, rows=tile.rows),)


def _divisions(board: Size) -> list[tuple[Turn, int, int]]:
    """All turns, columns and rows, the fewest parts first, then the shortest joins."""
    found: list[tuple[float, float, Turn, int, int]] = []
    turns: tuple[Turn, ...] = (0, 90)
    for turn in turns:
        lying = board.turned() if turn else board
        for columns, rows in product(_counts(lying.width), _counts(lying.height)):
            joins = (columns - 1) * lying.height + (rows - 1) * lying.width
            found.append((columns * rows, joins, turn, columns, rows))
    return [(turn, columns, rows) for _, _, turn, columns, rows in sorted(found)]


def _counts(length: float) -> range:
    return range(1, max(1, int(length // LEAST_PART)) + 1)


def _least(board: Size) -> Size:
    """The smallest part that a board may have."""
    return Size(min(board.width, LEAST_PART), min(board.height, LEAST_PART))


def _fits(tile: Tile, settings: SheetSettings, text: str) -> bool:
    art = tile.art
    if not settings.printable.grown(-MARK_ROOM).holds(art) or not settings.clear(art):
        return False
    notes = (*part_notes(tile, settings), text)
    return furnish(settings.slug(art), notes) is not None


def _letters(number: int) -> str:
    """A to Z, then AA, as a table of figures names its columns."""
    before, last = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)
