"""Which paint lies on top at a spot of a face; outlines are followed to within 0.02 mm."""

import math
from functools import lru_cache
from typing import TypeAlias

from generator.checks.context import PAPER
from generator.checks.fills import NOTHING, Fill, fill_of
from generator.checks.seen import Seen, frame, paint_box
from generator.checks.strokes import line_cells
from generator.model import outline
from generator.model.drawing import Drawing, Gradient, Paint, Picture, Shape
from generator.model.geometry import IDENTITY, Matrix, inverse, placed, scale_of
from generator.svg.clips import clipped
from generator.units import Rect

Ground: TypeAlias = Paint | Gradient | Picture

_BAND = 4.0
"""The height in mm of the bands that a face's leaves are sorted into."""

_TOLERANCE = 0.02


class Layers:
    """The shapes and pictures of a face, bottom first, found by the spot that they cover."""

    def __init__(self, drawing: Drawing, leaves: tuple[Seen, ...]):
        self._leaves = leaves
        self._bands: dict[int, list[tuple[int, Rect]]] = {}
        face = outline.rectangle(Rect(0, 0, drawing.width, drawing.height).grown(drawing.bleed))
        for at, one in enumerate(leaves):
            box = clipped(paint_box(one), (*one.clips, (face, IDENTITY, False)))
            if box is not None:
                for band in range(math.floor(box.y / _BAND), math.floor(box.bottom / _BAND) + 1):
                    self._bands.setdefault(band, []).append((at, box))

    def top(self, x: float, y: float, below: int | None = None) -> Ground:
        """The paint that shows at a spot: white paper where there is none; with `below`, under that leaf's number."""
        for at, box in reversed(self._bands.get(math.floor(y / _BAND), [])):
            if box.x <= x <= box.right and box.y <= y <= box.bottom and (below is None or at < below):
                paint = _paint_at(self._leaves[at], x, y)
                if paint is not None:
                    return paint
        return PAPER


def _paint_at(one: Seen, x: float, y: float) -> Ground | None:
    """What the leaf paints at a spot of the face, None where it leaves it alone."""
    if not all(_covers(path, matrix, x, y, even_odd) for path, matrix, even_odd in one.clips):
        return None
    leaf = one.leaf
    if isinstance(leaf, Picture):
        return leaf if _covers(frame(leaf), one.matrix, x, y) else None
    if not isinstance(leaf, Shape):
        return None
    if leaf.stroke and _strokes(leaf, one.matrix, x, y):
        return leaf.stroke
    return leaf.fill if leaf.fill and _covers(leaf.path, one.matrix, x, y, leaf.even_odd) else None


def _covers(path: str, matrix: Matrix, x: float, y: float, even_odd: bool = False) -> bool:
    fill, back = _own(path, matrix)
    return fill.covers(*placed(back, (x, y)), even_odd)


def _strokes(shape: Shape, matrix: Matrix, x: float, y: float) -> bool:
    """Whether the stroke passes over the spot; the gaps of a dashed one count as drawn."""
    back = inverse(matrix)
    if back is None:
        return False
    x, y = placed(back, (x, y))
    reach, cell = shape.width / 2, _own_cell(matrix)
    near = line_cells(shape.path, _fine(matrix), reach, cell).get((math.floor(x / cell), math.floor(y / cell)), ())
    return any(outline.distance((line,), x, y) <= reach for line in near)


@lru_cache(maxsize=16384)
def _own(path: str, matrix: Matrix) -> tuple[Fill, Matrix]:
    """A path's fill in its own units, and the matrix that takes a spot of the face there."""
    back = inverse(matrix)
    return (fill_of(path, _fine(matrix)), back) if back else (NOTHING, IDENTITY)


def _own_cell(matrix: Matrix) -> float:
    """The side of a cell in the path's units; a power of two like `_fine`."""
    return _fine(matrix) * 256


def _fine(matrix: Matrix) -> float:
    """The tolerance in the path's units; a power of two, so that a shape placed often is flattened once."""
    scale = scale_of(matrix)
    return 2.0 ** math.floor(math.log2(_TOLERANCE / scale)) if scale else _TOLERANCE
