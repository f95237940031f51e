"""What clips leave of a box, judged by the boxes around them."""

from typing import TypeAlias

from generator.model import outline
from generator.model.geometry import Matrix
from generator.units import Rect

Clip: TypeAlias = tuple[str, Matrix, bool]
"""A path, the matrix that takes it to the face, whether it is even-odd."""


def clipped(box: Rect | None, clips: tuple[Clip, ...]) -> Rect | None:
    """The part of the box that the clips' boxes leave; None for nothing."""
    for path, matrix, _ in clips:
        edge = outline.bounds(path, matrix)
        if box is None or edge is None:
            return None
        x, y = max(box.x, edge.x), max(box.y, edge.y)
        width, height = min(box.right, edge.right) - x, min(box.bottom, edge.bottom) - y
        box = Rect(x, y, width, height) if width >= 0 and height >= 0 else None
    return box
