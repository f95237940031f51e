"""Draft and hash on each face, so that no old print hides among new ones; added last, never part of the hash."""

from collections.abc import Callable
from functools import cache

from generator.model.drawing import Drawing, Item, StampPlace
from generator.model.game import Kind
from generator.units import MM_PER_PT

HASH_SHOWN = 6
"""Characters of a face's hash on the face: a designer's eye compares six at a glance."""

NARROW = 25.0
"""A face that measures less, mm, has no room for a stamp."""

_INSET, _SIZE, _DESCENDERS = 3.0, 4.0, 0.2
"""mm from the cut; points; em below the baseline."""

Typeset = Callable[[str, StampPlace], tuple[Item, ...]]


def stamped(drawing: Drawing, text: str, unasked: StampPlace | None, typeset: Typeset) -> Drawing:
    """The face with its stamps where the template wants them; without any, in the place that it gets `unasked`."""
    places = drawing.stamps or ((unasked,) if unasked else ())
    items = [item for place in places for item in typeset(f"{place.note} · {text}" if place.note else text, place)]
    size, said = (drawing.width, drawing.height, drawing.bleed), (drawing.lang, drawing.title, drawing.description)
    return Drawing(*size, (*drawing.items, *items), *said, frames=drawing.frames)


def bears_stamp(kind: Kind) -> bool:
    """Return True if faces of this kind carry a stamp. It would spoil small, folded and shaped pieces."""
    flat = kind.form not in ("token", "cube", "standee") and not kind.outline
    return flat and min(kind.size.width, kind.size.height) >= NARROW


def foot(drawing: Drawing, kind: Kind) -> StampPlace:
    """The middle of the lower edge, within the kind's safe zone and 3 mm from the cut at least."""
    return _foot(drawing.width, drawing.height, max(_INSET, kind.safe))


@cache
def _foot(width: float, height: float, inset: float) -> StampPlace:
    return StampPlace(width / 2, height - inset - _DESCENDERS * _SIZE * MM_PER_PT, _SIZE)
