"""The outline that a kind's data give, as a canonical path, or everything that is wrong with it."""

import math
from collections.abc import Iterator

from generator.errors import Unfit
from generator.model.contour import area, corners
from generator.model.drawing import number
from generator.model.geometry import Point
from generator.model.outline import Loop, bounds, flatten, subpaths
from generator.model.path_data import canonical
from generator.units import Size

Fault = tuple[str, str]
"""What is wrong, and what to do about it."""

_SLACK = 0.001
_TOUCH = 1e-6

Side = tuple[Point, Point, int]
"""A straight piece of an outline and its number along it."""


def read_outline(data: str, size: Size | None) -> tuple[str, list[Fault]]:
    """The path that SVG path data describe, empty where it has faults; a `size` of None leaves its extent unchecked."""
    try:
        path = canonical(data)
    except Unfit as unfit:
        return "", [(str(unfit).replace("path data: ", "the outline is no path data: ", 1), unfit.hint or _EXAMPLE)]
    faults = list(_faults(path, size))
    return ("" if faults else path), faults


_EXAMPLE = 'write e.g. "M 0 0 L 20 0 L 10 17 Z", in mm from the piece\'s top left corner'


def _faults(path: str, size: Size | None) -> Iterator[Fault]:
    parts = subpaths(path)
    if not parts:
        yield "the outline draws nothing", _EXAMPLE
        return
    if len(parts) > 1:
        yield f"the outline has {len(parts)} parts", "draw one closed line; a piece has no holes"
    elif not parts[0].closed:
        yield "the outline is not closed", "end it with Z"
    else:
        yield from _crossings(flatten(path))
    if size is not None:
        yield from _beyond(path, size)


def _crossings(loops: tuple[Loop, ...]) -> Iterator[Fault]:
    polygon = corners(loops[0].points)
    at = crossing(polygon) if len(polygon) > 2 else None
    if at:
        where = f"x = {number(round(at[0], 1))}, y = {number(round(at[1], 1))} mm"
        yield f"the outline crosses or touches itself near {where}", "draw a line that scissors can follow"
    elif len(polygon) < 3 or abs(area(polygon)) < _SLACK:
        yield "the outline encloses nothing", _EXAMPLE


def crossing(polygon: tuple[Point, ...]) -> Point | None:
    """A point where two sides of a polygon meet that don't follow each other, or where one runs back on the other."""
    ends = (*polygon[1:], polygon[0])
    sides = sorted(
        ((start, end, n) for n, (start, end) in enumerate(zip(polygon, ends, strict=True))),
        key=lambda side: (min(side[0][0], side[1][0]), side[2]),
    )
    # Only sides that share an x can meet: those that began earlier and haven't ended yet.
    near: list[Side] = []
    for side in sides:
        left = min(side[0][0], side[1][0])
        near = [other for other in near if max(other[0][0], other[1][0]) >= left - _TOUCH]
        for other in near:
            found = _meeting(side, other, len(polygon))
            if found:
                return found
        near.append(side)
    return None


def _meeting(side: Side, other: Side, count: int) -> Point | None:
    (a, b, first), (c, d, second) = side, other
    if (first + 1) % count == second or (second + 1) % count == first:
        shared, one, two = (b, a, d) if (first + 1) % count == second else (a, b, c)
        back = _cross(shared, one, two) / (math.dist(shared, one) * math.dist(shared, two))
        ahead = (one[0] - shared[0]) * (two[0] - shared[0]) + (one[1] - shared[1]) * (two[1] - shared[1])
        return shared if abs(back) < _TOUCH and ahead > 0 else None
    sides = _cross(a, b, c), _cross(a, b, d), _cross(c, d, a), _cross(c, d, b)
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        t = sides[2] / (sides[2] - sides[3])
        return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
    return next((p for p, q, r in ((c, a, b), (d, a, b), (a, c, d), (b, c, d)) if _on(p, q, r)), None)


def _on(point: Point, start: Point, end: Point) -> bool:
    """Whether a point lies on a straight line between two others."""
    return math.dist(start, point) + math.dist(point, end) - math.dist(start, end) < _TOUCH


def _cross(origin: Point, one: Point, two: Point) -> float:
    return (one[0] - origin[0]) * (two[1] - origin[1]) - (one[1] - origin[1]) * (two[0] - origin[0])


def _beyond(path: str, size: Size) -> Iterator[Fault]:
    box = bounds(path)
    if box is None:
        return
    over = {"left": -box.x, "top": -box.y, "right": box.right - size.width, "bottom": box.bottom - size.height}
    told = [f"{number(by)} mm beyond its {side} edge" for side, by in over.items() if by > _SLACK]
    if told:
        extent = f"{number(size.width)} x {number(size.height)} mm"
        yield f"the outline of a piece of {extent} reaches {', '.join(told)}", "move it, or enlarge `size`"
