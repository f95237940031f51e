"""Which paint lies on top at a spot of a face; outlines are followed to within 0.02 mm."""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from generator.checks.context import PAPER
from generator.checks.seen import Seen, clipped, frame, paint_box
from generator.model import outline
from generator.model.drawing import IDENTITY, Drawing, Gradient, Matrix, Paint, Picture, Shape
from generator.units import Rect

Ground: TypeAlias = Paint | Gradient | Picture

_CELL = 4.0
_TOLERANCE = 0.02


class Layers:
    """The shapes and pictures of a face, bottom first, found by the spot that they cover."""

    def __init__(self, drawing: Drawing, leaves: tuple[Seen, ...]):
        self._leaves = leaves
        self._cells: dict[tuple[int, int], list[tuple[int, Rect]]] = {}
        face = outline.rectangle(Rect(0, 0, drawing.width, drawing.height).grown(drawing.bleed))
        for at, one in enumerate(leaves):
            box = clipped(paint_box(one), (*one.clips, (face, IDENTITY, False)))
            if box is not None:
                for cell in _cells(box):
                    self._cells.setdefault(cell, []).append((at, box))

    def top(self, x: float, y: float, below: int | None = None) -> Ground:
        """The paint that shows at a spot: white paper where there is none; with `below`, under that leaf's number."""
        for at, box in reversed(self._cells.get((math.floor(x / _CELL), math.floor(y / _CELL)), [])):
            if (below is None or at < below) and box.x <= x <= box.right and box.y <= y <= box.bottom:
                paint = _paint_at(self._leaves[at], x, y)
                if paint is not None:
                    return paint
        return PAPER


def _cells(box: Rect) -> Iterator[tuple[int, int]]:
    for column in range(math.floor(box.x / _CELL), math.floor(box.right / _CELL) + 1):
        for row in range(math.floor(box.y / _CELL), math.floor(box.bottom / _CELL) + 1):
            yield column, row


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
    loops, back = _own(path, matrix)
    return outline.inside(loops, *outline.placed(back, (x, y)), even_odd)


def _strokes(shape: Shape, matrix: Matrix, x: float, y: float) -> bool:
    """Whether the stroke passes over the spot; the gaps of a dashed one count as drawn."""
    loops, back = _own(shape.path, matrix)
    return outline.distance(loops, *outline.placed(back, (x, y))) <= shape.width / 2


@lru_cache(maxsize=16384)
def _own(path: str, matrix: Matrix) -> tuple[tuple[outline.Loop, ...], Matrix]:
    """A path's polygons in its own units, and the matrix that takes a spot of the face there."""
    back = outline.inverse(matrix)
    return (outline.flatten(path, _fine(matrix)), back) if back else ((), IDENTITY)


def _fine(matrix: Matrix) -> float:
    """The tolerance in the path's units; a power of two, so that a shape placed often is flattened once."""
    scale = outline.scale_of(matrix)
    return 2.0 ** math.floor(math.log2(_TOLERANCE / scale)) if scale else _TOLERANCE
