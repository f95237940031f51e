"""How far things reach with all that they paint, and how deep they are nested in each other."""

import math
from collections.abc import Sequence

from generator.model.drawing import Group, Item, Picture, Placed, Shape, parts_of
from generator.model.geometry import IDENTITY, Matrix, times
from generator.model.outline import around, bounds
from generator.units import MM_PER_PT, Rect

PAINTS_NOTHING = "the drawing paints nothing within its page"
"""How the note of a blank drawing ends."""

DEEPEST_NESTING = 100
"""Groups, masks and symbols within each other: whatever walks through a drawing calls itself for each."""


def is_too_deep(items: tuple[Item, ...]) -> bool:
    """Return True if groups, masks and symbols are nested too deep for what walks through drawings."""
    level = [items]
    for _ in range(DEEPEST_NESTING):
        held = [item for part in level for item in part if isinstance(item, (Group, Placed))]
        inner = [parts_of(item) for item in held]
        inner += [item.mask.items for item in held if isinstance(item, Group) and item.mask is not None]
        level = [*{id(part): part for part in inner}.values()]
        if not level:
            return False
    return True


def reach(items: Sequence[Item], matrix: Matrix = IDENTITY) -> Rect | None:
    """A box that holds all that items paint, lines and letters included; None where they paint nothing."""
    found: Rect | None = None
    for item in items:
        box = _reach(item, matrix)
        if box is not None:
            found = box if found is None else found.united(box)
    return found


def _reach(item: Item, matrix: Matrix) -> Rect | None:
    if isinstance(item, Shape):
        box = bounds(item.path, matrix) if item.path else None
        a, b, c, d, _, _ = matrix
        line = item.width * max(1.0, item.miter if item.join == "miter" else 1.5) / 2 if item.stroke else 0.0
        return box.grown(line * max(math.hypot(a, b), math.hypot(c, d))) if box is not None else None
    if isinstance(item, Picture):
        return _corners((item.x, item.y, item.width, item.height), matrix)
    if isinstance(item, (Group, Placed)):
        inner = times(matrix, item.matrix)
        if isinstance(item, Placed):
            return _corners(item.symbol.box, inner) if item.clip else reach(item.symbol.items, inner)
        box, cut = reach(item.items, inner), bounds(item.clip, inner) if item.clip else None
        return cut if box is not None and cut is not None else box
    em = item.size * MM_PER_PT
    if item.places:
        spots = [_corners((item.x + x - em, item.y + y - em, 2 * em, 2 * em), matrix) for x, y in item.places]
        boxes = [spot for spot in spots if spot is not None]
        return Rect(
            min(box.x for box in boxes),
            min(box.y for box in boxes),
            max(box.right for box in boxes) - min(box.x for box in boxes),
            max(box.bottom for box in boxes) - min(box.y for box in boxes),
        )
    wide = em * (sum(item.advances) / 1000 if item.advances else 2 * len(item.glyphs)) + em
    cos, sin = math.cos(math.radians(item.angle)), math.sin(math.radians(item.angle))
    turned = times(matrix, (cos, sin, -sin, cos, item.x, item.y))
    return _corners((-em, -1.5 * em, wide + em, 2.5 * em), turned)


def _corners(box: tuple[float, float, float, float], matrix: Matrix) -> Rect | None:
    a, b, c, d, e, f = matrix
    x, y, width, height = box
    return around([(a * px + c * py + e, b * px + d * py + f) for px in (x, x + width) for py in (y, y + height)])
