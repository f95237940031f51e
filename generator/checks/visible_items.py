"""Visible items: the painted items of a face with their positions, and the topmost paint at a spot."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any, TypeAlias

from generator.base import outlines
from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Item,
    Paint,
    Picture,
    PlacedSymbol,
    Role,
    Shape,
    TextRun,
    visit_items,
)
from generator.base.geometry import IDENTITY, Matrix, Point, Rect, find_scale, invert_matrix, map_point, multiply
from generator.base.outlines import Clip, clip_box
from generator.drawing.svg.face_areas import measure_glyph_boxes
from generator.game.model import Design, FaceName, Game, Kind
from generator.text.fonts import FontBook

FaceKey: TypeAlias = tuple[str, FaceName, str]
"""Design id, face, language."""

Mask: TypeAlias = Sequence[Sequence[int]]
"""Rows of pixels from the top, equally long: 0 is paper, any other value is paint."""

PAPER = "#ffffff"


@dataclass(frozen=True, slots=True)
class Context:
    """The drawings and measures that the checks need.

    `drawings` holds every face of every design in every language, None if it could not be drawn. `silhouette` takes an
    icon's id and returns its mask, drawn 4 mm large at 600 dpi, or None for an icon without art. `pictures` caches the
    results of `list_distinct_faces` by kind, and `leaves` those of `find_leaves` by the identity of an item.
    `measure_face` takes the name of a measure, its type, a drawing and a function that measures it; it may know the
    result.
    """

    drawings: Mapping[FaceKey, Drawing | None]
    fonts: FontBook
    silhouette: Callable[[str], Mask | None]
    measure_face: Callable[[str, Any, Drawing, Callable[[], Any]], Any] = lambda _what, _type, _drawing, measure: (
        measure()
    )
    pictures: "dict[str, tuple[Face, ...]]" = field(default_factory=dict)
    leaves: dict[int, tuple[Item, tuple[Any, ...]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Face:
    """One drawn face of a design in one language."""

    design: Design
    face: FaceName
    lang: str
    drawing: Drawing

    def __str__(self) -> str:
        return f"{self.design.id} {self.face} {self.lang}"


def iter_drawn_faces(game: Game, kind: Kind, context: Context) -> Iterator[Face]:
    """Yield every drawn face of a kind in the order of the data."""
    for design in kind.designs:
        for face in kind.faces(design):
            for lang in game.languages:
                drawing = context.drawings.get((design.id, face, lang))
                if drawing is not None:
                    yield Face(design, face, lang, drawing)


def list_distinct_faces(game: Game, kind: Kind, context: Context) -> tuple[Face, ...]:
    """Return the distinct faces of a kind: a back shared by all designs appears once."""
    if kind.id not in context.pictures:
        distinct: dict[object, Face] = {}
        for face in iter_drawn_faces(game, kind, context):
            drawing = face.drawing
            distinct.setdefault((drawing.width, drawing.height, drawing.bleed, drawing.items), face)
        context.pictures[kind.id] = tuple(distinct.values())
    return context.pictures[kind.id]


def paint_to_srgb(game: Game, paint: Paint) -> str | None:
    """Return a paint as `#rrggbb` (`ink` is black if not in the palette), or None for any other unknown name."""
    if paint.startswith("#"):
        return paint
    if paint in game.palette:
        return game.palette[paint].srgb
    return "#000000" if paint == "ink" else None


@dataclass(frozen=True, slots=True)
class PaintedItem:
    """One painted item on a face. `icon` is the id of the icon that contains it, or empty.

    `matrix` maps the item to the face. `box` is the box around the visible paint of a shape or picture (mm on the
    face), or None for text and for items without paint. An item is `mixed` if it blends with the items below it and so
    shows in another colour.
    """

    leaf: Shape | TextRun | Picture
    matrix: Matrix
    role: Role
    icon: str = ""
    clips: tuple[Clip, ...] = ()
    box: Rect | None = None
    mixed: bool = False


def find_leaves(drawing: Drawing, context: Context) -> tuple[PaintedItem, ...]:
    """Return every painted item of the face in drawing order. Faces that share items get the same objects."""
    known, found = context.leaves, list[PaintedItem]()
    for item in drawing.items:
        if id(item) not in known:
            known[id(item)] = item, tuple(iter_visible_leaves(drawing, (item,)))
        found += known[id(item)][1]
    return tuple(found)


def iter_visible_leaves(drawing: Drawing, items: tuple[Item, ...] = ()) -> Iterator[PaintedItem]:
    """Yield every painted item of the face in drawing order, or only those of `items` if given."""
    for item, around in visit_items(items or drawing.items, _FACE, _enter_group):
        if not isinstance(item, (Group, PlacedSymbol)):
            # An item of a placed symbol has the role of the placement, unless it has a role of its own.
            role = around.role if around.icon or item.role == "art" else item.role
            box = clip_box(_find_paint_box(item, around.matrix), around.clips)
            yield PaintedItem(item, around.matrix, role, around.icon, around.clips, box, around.mixed)


_FACE = PaintedItem(Picture("", "", 0, 0, 0, 0), IDENTITY, "art")
"""The state with which the walk through a face begins: no clip, no icon, role `art`."""


def _enter_group(item: Group | PlacedSymbol, around: PaintedItem) -> PaintedItem:
    matrix, clips = multiply(around.matrix, item.matrix), around.clips
    if isinstance(item, Group):
        if item.clip:
            clips = (*clips, (item.clip, matrix, item.clip_even_odd))
        mixed = around.mixed or item.is_composited
        return PaintedItem(around.leaf, matrix, around.role, around.icon, clips, mixed=mixed)
    if item.clip:
        clips = (*clips, (outlines.rectangle_path(Rect(*item.symbol.box)), matrix, False))
    icon = around.icon
    if not icon and item.role == "icon":
        icon = item.symbol.name.removeprefix("icon:")
    return PaintedItem(around.leaf, matrix, "icon" if icon else item.role, icon, clips, mixed=around.mixed)


def find_visible_icons(drawing: Drawing) -> set[str]:
    """Return the ids of the icons on the face."""
    visited = visit_items(drawing.items, True, lambda _item, around: around)
    placed = (item for item, _ in visited if isinstance(item, PlacedSymbol))
    return {one.symbol.name.removeprefix("icon:") for one in placed if one.symbol.name.startswith("icon:")}


def find_ink_box(item: PaintedItem, context: Context) -> Rect | None:
    """Return the box around the visible paint of an item, or None if it has none.

    A stroke adds half its width on every side; pointed joins may reach further. The box of text is that of its glyphs.
    """
    if not isinstance(item.leaf, TextRun):
        return item.box
    boxes = list(measure_glyph_boxes(item.leaf, item.matrix, context.fonts))
    return clip_box(reduce(Rect.unite, boxes) if boxes else None, item.clips)


def _find_paint_box(leaf: Shape | TextRun | Picture, matrix: Matrix) -> Rect | None:
    """Return the box around the paint of a shape or picture before clipping, or None for text and without paint."""
    if isinstance(leaf, Shape):
        if leaf.fill is None and not leaf.stroke:
            return None
        box = outlines.find_bounds(leaf.path, matrix)
        grow = leaf.width / 2 * find_scale(matrix) if leaf.stroke else 0.0
        return box.grow(grow) if box and grow else box
    return outlines.find_bounds(make_frame_path(leaf), matrix) if isinstance(leaf, Picture) else None


def make_frame_path(picture: Picture) -> str:
    """Return the rectangle around a picture as a path, in the picture's coordinates."""
    return outlines.rectangle_path(Rect(picture.x, picture.y, picture.width, picture.height))


Line: TypeAlias = tuple[Point, Point]
Cells: TypeAlias = dict[tuple[int, int], list[outlines.Loop]]

_SLACK = 1e-9
"""Rounding tolerance when lines are sorted into cells, relative to their coordinates."""


@lru_cache(maxsize=4096)
def cells_from_path(path: str, tolerance: float, reach: float, cell: float) -> Cells:
    """Return for each cell of a square grid the lines of a path within `reach` of it, by (column, row).

    Cell (column, row) begins at (column * cell, row * cell). Curves become lines that deviate by at most `tolerance`.
    All lengths are in the path's units.
    """
    cells: dict[tuple[int, int], list[outlines.Loop]] = {}
    for loop in outlines.flatten_path(path, tolerance):
        points = loop.points + loop.points[:1] if loop.closed or len(loop.points) == 1 else loop.points
        for line in pairwise(points):
            piece = outlines.Loop(line, closed=False)
            for place in _iter_cells(line, reach, cell):
                cells.setdefault(place, []).append(piece)
    return cells


def _iter_cells(line: Line, reach: float, cell: float) -> Iterator[tuple[int, int]]:
    """Yield (column, row) of each cell that may be within `reach` of a line, row by row."""
    (x0, y0), (x1, y1) = line if line[0][1] <= line[1][1] else (line[1], line[0])
    reach += _SLACK * (1 + max(abs(x0), abs(x1), abs(y0), abs(y1)))
    for row in range(math.floor((y0 - reach) / cell), math.floor((y1 + reach) / cell) + 1):
        left, right = x0, x1
        if y1 - y0 > reach:  # otherwise the line is nearly horizontal: its whole length counts in every row
            slope = (x1 - x0) / (y1 - y0)
            left = x0 + slope * (max(y0, row * cell - reach) - y0)
            right = x0 + slope * (min(y1, (row + 1) * cell + reach) - y0)
        low, high = min(left, right) - reach, max(left, right) + reach
        for column in range(math.floor(low / cell), math.floor(high / cell) + 1):
            yield column, row


Edge: TypeAlias = tuple[float, float, float, float]
"""A straight line from x0, y0 to x1, y1."""

_IN_A_ROW = 8
_MOST_ROWS = 64


@dataclass(frozen=True, slots=True)
class Fill:
    """The filled area of an outline: its edges by horizontal rows of equal `height`, the first beginning at `top`."""

    top: float
    height: float
    rows: tuple[tuple[Edge, ...], ...]

    def covers_point(self, x: float, y: float, even_odd: bool = False) -> bool:
        """Return True if the fill covers the point, by the even-odd or the non-zero rule."""
        at = self.find_row(y) if y >= self.top else -1
        winding = crossings = 0
        for x0, y0, x1, y1 in self.rows[at] if 0 <= at < len(self.rows) else ():
            if (y0 <= y) != (y1 <= y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                winding += 1 if y1 > y0 else -1
                crossings += 1
        return crossings % 2 == 1 if even_odd else winding != 0

    def find_row(self, y: float) -> int:
        """Return the index of the row at `y`, which must not be above the top."""
        return int((y - self.top) / self.height)


NOTHING = Fill(0.0, 1.0, ())


@lru_cache(maxsize=4096)
def fill_from_path(path: str, tolerance: float) -> Fill:
    """Return the filled area of a path. Curves become lines that deviate by at most `tolerance` (path units)."""
    # Horizontal test lines never cross horizontal edges. Open lines are closed, as in painting.
    loops = outlines.flatten_path(path, tolerance)
    lines = [line for loop in loops for line in pairwise((loop.points[-1], *loop.points))]
    edges: list[Edge] = [(*start, *end) for start, end in lines if start[1] != end[1]]
    if not edges:
        return NOTHING
    top = min(min(y0, y1) for _, y0, _, y1 in edges)
    bottom = max(max(y0, y1) for _, y0, _, y1 in edges)
    number = min(_MOST_ROWS, 1 + len(edges) // _IN_A_ROW)
    fill = Fill(top, (bottom - top) / number, ())
    rows: list[list[Edge]] = [[] for _ in range(number + 1)]  # one more for the bottom itself
    for edge in edges:
        _, y0, _, y1 = edge
        for row in range(fill.find_row(min(y0, y1)), fill.find_row(max(y0, y1)) + 1):
            rows[row].append(edge)
    return Fill(fill.top, fill.height, tuple(map(tuple, rows)))


Ground: TypeAlias = Paint | Gradient | Picture

_BAND = 4.0
"""Height of the bands that the items of a face are sorted into (mm)."""

_TOLERANCE = 0.02


class FaceLayers:
    """The shapes and pictures of a face, bottom first, indexed by position."""

    def __init__(self, drawing: Drawing, leaves: tuple[PaintedItem, ...]):
        self._leaves = leaves
        self._bands: dict[int, list[tuple[int, tuple[float, float, float, float]]]] = {}
        self._face = Rect(0, 0, drawing.width, drawing.height).grow(drawing.bleed)
        highest, lowest = self._face.y, self._face.bottom
        for at, one in enumerate(leaves):
            box = one.box
            if box is not None:
                top, bottom = box.y, box.y + box.height
                entry = at, (box.x, top, box.x + box.width, bottom)
                first, last = math.floor(max(top, highest) / _BAND), math.floor(min(bottom, lowest) / _BAND)
                for band in range(first, last + 1):
                    self._bands.setdefault(band, []).append(entry)

    def paint_at(self, x: float, y: float, below: int | None = None) -> Ground:
        """Return the topmost paint at a spot (mm), or white paper. With `below`, only items under that one count."""
        return self._find_paint(x, y, below)[0]

    def unmixed_paint_at(self, x: float, y: float, below: int) -> Ground | None:
        """Return the same as `paint_at`, or None if the topmost paint is mixed with the paint below it."""
        ground, one = self._find_paint(x, y, below)
        return None if one is not None and one.mixed else ground

    def _find_paint(self, x: float, y: float, below: int | None) -> tuple[Ground, PaintedItem | None]:
        face = self._face
        if not (face.x <= x <= face.right and face.y <= y <= face.bottom):
            return PAPER, None
        for at, (left, top, right, bottom) in reversed(self._bands.get(math.floor(y / _BAND), ())):
            if left <= x <= right and top <= y <= bottom and (below is None or at < below):
                paint = _item_paint_at(self._leaves[at], x, y)
                if paint is not None:
                    return paint, self._leaves[at]
        return PAPER, None


def _item_paint_at(item: PaintedItem, x: float, y: float) -> Ground | None:
    """Return the paint of an item at the spot (x, y) of the face, or None if the item paints nothing there."""
    if item.clips and not all(_covers_spot(path, matrix, x, y, even_odd) for path, matrix, even_odd in item.clips):
        return None
    leaf = item.leaf
    if isinstance(leaf, Picture):
        return leaf if _covers_spot(make_frame_path(leaf), item.matrix, x, y) else None
    if not isinstance(leaf, Shape):
        return None
    if leaf.stroke and _strokes_spot(leaf, item.matrix, x, y):
        return leaf.stroke
    return leaf.fill if leaf.fill and _covers_spot(leaf.path, item.matrix, x, y, leaf.even_odd) else None


def _covers_spot(path: str, matrix: Matrix, x: float, y: float, even_odd: bool = False) -> bool:
    fill, back = _find_own_fill(path, matrix)
    return fill.covers_point(*map_point(back, (x, y)), even_odd)


def _strokes_spot(shape: Shape, matrix: Matrix, x: float, y: float) -> bool:
    """Return True if the stroke covers the spot; the gaps of a dashed stroke count as painted."""
    pen = _find_own_lines(shape.path, matrix, shape.width / 2)
    if pen is None:
        return False
    cells, cell, back = pen
    x, y = map_point(back, (x, y))
    near = cells.get((math.floor(x / cell), math.floor(y / cell)))
    return near is not None and outlines.measure_distance(near, x, y) <= shape.width / 2


@lru_cache(maxsize=16384)
def _find_own_lines(path: str, matrix: Matrix, reach: float) -> tuple[Cells, float, Matrix] | None:
    """Return a path's lines by cell, the size of a cell and the matrix from face to path; None if it can't be inverted.

    `reach` is how far from a line its cells may lie. All lengths are in the units of the path.
    """
    back, tolerance = invert_matrix(matrix), _choose_own_tolerance(matrix)
    cell = tolerance * 256
    return (cells_from_path(path, tolerance, reach, cell), cell, back) if back else None


@lru_cache(maxsize=16384)
def _find_own_fill(path: str, matrix: Matrix) -> tuple[Fill, Matrix]:
    """Return the filled area of a path in path units, and the matrix from face to path; nothing without an inverse."""
    back = invert_matrix(matrix)
    return (fill_from_path(path, _choose_own_tolerance(matrix)), back) if back else (NOTHING, IDENTITY)


def _choose_own_tolerance(matrix: Matrix) -> float:
    """Return how far lines may deviate from curves (path units): a power of two, as similar placements share caches."""
    scale = find_scale(matrix)
    return 2.0 ** math.floor(math.log2(_TOLERANCE / scale)) if scale else _TOLERANCE
