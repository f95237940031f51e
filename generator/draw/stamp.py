"""Draft and hash on each face, so that no old print hides among new ones; added last, never part of the hash."""

from collections.abc import Callable
from dataclasses import replace

from generator.model.drawing import Drawing, Item, StampPlace
from generator.units import MM_PER_PT

HASH_SHOWN = 6
"""Characters of a face's hash on the face: a designer's eye compares six at a glance."""

Typeset = Callable[[str, StampPlace], tuple[Item, ...]]


def stamped(drawing: Drawing, text: str, typeset: Typeset) -> Drawing:
    """The face with its stamp, at the template's place or else at the foot, just inside the safe zone."""
    return replace(drawing, items=drawing.items + typeset(text, drawing.stamp or foot(drawing)), stamp=None)


def foot(drawing: Drawing, inset: float = 3.0, size: float = 4.0) -> StampPlace:
    """The middle of the lower edge, `inset` mm inside; `size` in points."""
    return StampPlace(drawing.width / 2, drawing.height - inset - 0.2 * size * MM_PER_PT, size)
