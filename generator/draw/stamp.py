"""Draft and hash on each face, so that no old print hides among new ones; added last, never part of the hash."""

from collections.abc import Callable
from dataclasses import replace

from generator.model.drawing import Drawing, Item, StampPlace
from generator.model.game import FaceName
from generator.units import MM_PER_PT

HASH_SHOWN = 6
"""Characters of a face's hash on the face: a designer's eye compares six at a glance."""

Typeset = Callable[[str, StampPlace], tuple[Item, ...]]


def stamped(drawing: Drawing, text: str, face: FaceName, typeset: Typeset) -> Drawing:
    """The face with its stamps where the template wants them; a front without any gets one at its foot."""
    places = drawing.stamps or ((foot(drawing),) if face == "front" else ())
    items = [item for place in places for item in typeset(text, place)]
    return replace(drawing, items=(*drawing.items, *items), stamps=())


def foot(drawing: Drawing, inset: float = 3.0, size: float = 4.0) -> StampPlace:
    """The middle of the lower edge, `inset` mm inside; `size` in points."""
    return StampPlace(drawing.width / 2, drawing.height - inset - 0.2 * size * MM_PER_PT, size)
