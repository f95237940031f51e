"""Marks for a shop's cutter around one face: Japanese double corners with centre marks, or plain Western crop marks.

Nothing of them lies inside the bleed. Their paint is the registration colour: a press prints them on every plate.
"""

from collections.abc import Iterator

from generator.model.drawing import Group, Item, Shape, number
from generator.model.ink import REGISTRATION
from generator.model.outline import rectangle
from generator.model.preset import Marks
from generator.units import MM_PER_PT, Rect

LINE = 0.25 * MM_PER_PT
ARM = 9.0
"""How far Japanese corner marks reach out from the bleed, mm; so far do centre marks."""
STANDOFF, WESTERN = 1.0, 6.0
"""Western marks: how far they keep from the bleed, and their length, mm."""
CENTRE_BAR, CENTRE_AT = 20.0, 4.5
"""The bar across a centre mark: its length at most, and its distance from the bleed, mm."""
SLUG = 12.0
"""What a page with marks keeps free around the bleed, mm."""

Line = tuple[tuple[float, float], ...]


def slug(marks: Marks) -> float:
    """How much paper a page needs around the bleed, mm."""
    return 0.0 if marks == "none" else SLUG


def mark_items(marks: Marks, trim: Rect, bleed: Rect, page: Rect) -> tuple[Item, ...]:
    """The marks around a cut; `page` is all that is printed."""
    if marks == "none":
        return ()
    lines = list(_japanese(trim, bleed) if marks == "japanese" else _western(trim, bleed))
    outside = f"{rectangle(page)} {rectangle(bleed)}"
    # Corners inside the bleed's end run along it: half of their line would lie on the art.
    shapes = tuple([Shape(path=_path(line), stroke=REGISTRATION, width=LINE, role="mark") for line in lines])
    return (Group(shapes, clip=outside, clip_even_odd=True),)


def _japanese(trim: Rect, bleed: Rect) -> Iterator[Line]:
    """At each corner two hooks that cross: 内トンボ lead to the trim's edges, 外トンボ to those of the bleed."""
    for left in (True, False):
        inner_x, outer_x, far_x = (
            (trim.x, bleed.x, bleed.x - ARM) if left else (trim.right, bleed.right, bleed.right + ARM)
        )
        for top in (True, False):
            inner_y, outer_y, far_y = (
                (trim.y, bleed.y, bleed.y - ARM) if top else (trim.bottom, bleed.bottom, bleed.bottom + ARM)
            )
            yield (far_x, outer_y), (inner_x, outer_y), (inner_x, far_y)
            yield (far_x, inner_y), (outer_x, inner_y), (outer_x, far_y)
    yield from _centres(trim, bleed)


def _centres(trim: Rect, bleed: Rect) -> Iterator[Line]:
    """センタートンボ: at the middle of each side a line outwards with a bar across."""
    x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
    wide, high = min(CENTRE_BAR, trim.width / 2) / 2, min(CENTRE_BAR, trim.height / 2) / 2
    for edge, sign in ((bleed.y, -1), (bleed.bottom, 1)):
        yield (x, edge), (x, edge + sign * ARM)
        yield (x - wide, edge + sign * CENTRE_AT), (x + wide, edge + sign * CENTRE_AT)
    for edge, sign in ((bleed.x, -1), (bleed.right, 1)):
        yield (edge, y), (edge + sign * ARM, y)
        yield (edge + sign * CENTRE_AT, y - high), (edge + sign * CENTRE_AT, y + high)


def _western(trim: Rect, bleed: Rect) -> Iterator[Line]:
    """Two lines at each corner that would meet where the trim's edges do."""
    for x in (trim.x, trim.right):
        yield (x, bleed.y - STANDOFF), (x, bleed.y - STANDOFF - WESTERN)
        yield (x, bleed.bottom + STANDOFF), (x, bleed.bottom + STANDOFF + WESTERN)
    for y in (trim.y, trim.bottom):
        yield (bleed.x - STANDOFF, y), (bleed.x - STANDOFF - WESTERN, y)
        yield (bleed.right + STANDOFF, y), (bleed.right + STANDOFF + WESTERN, y)


def _path(line: Line) -> str:
    points = [f"{number(x)} {number(y)}" for x, y in line]
    return f"M {points[0]} " + " ".join(f"L {point}" for point in points[1:])
