"""How many pieces find room in printed outlines; lengths are mm.

A piece is laid with its middle on the middle of the outline's box, upright or turned by a quarter.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from generator.model import outline
from generator.model.game import Kind
from generator.model.geometry import Point
from generator.model.outline import Loop
from generator.units import Rect

Polygon: TypeAlias = tuple[Point, ...]

TOLERANCE = 0.05
"""What a place may lack on each side, mm: less than a cut is exact."""

LEAST_CORNER = 1.0
"""The radius of a rectangle's corners, mm, that no place needs to have room for: boxes are drawn a little rounded."""

FINE = 0.005
"""How closely polygons follow curves, mm."""

_APART = 2.0
"""How far apart the spots of an edge lie at which two pieces are held against each other, mm."""

_ROUND = tuple((math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in range(0, 91, 5))


def footprint(kind: Kind) -> Polygon:
    """What a piece covers where it lies, its middle at (0, 0).

    A token covers its outline, what stands on feet its feet, everything else its face. Corners of rectangles are
    rounded as the kind says, by LEAST_CORNER at least.
    """
    if kind.outline:
        return centred(outline.flatten(kind.outline, FINE)[0].points)
    if kind.form == "standee":
        return _rectangle(kind.size.width, 2 * kind.foot, LEAST_CORNER)
    return _rectangle(kind.size.width, kind.size.height, max(kind.corner, LEAST_CORNER))


def box(polygon: Polygon) -> Rect:
    """The box around a polygon."""
    around = outline.around(list(polygon))
    return around if around is not None else Rect(0, 0, 0, 0)


def centred(polygon: Polygon) -> Polygon:
    """The polygon with the middle of its box at (0, 0), rounded so that equal shapes are equal."""
    x, y = _middle(polygon)
    return tuple([(round(px - x, 4), round(py - y, 4)) for px, py in polygon])


def size(polygon: Polygon) -> str:
    """Width and height for a reader."""
    around = box(polygon)
    return f"{round(around.width, 2):g} x {round(around.height, 2):g} mm"


def places(piece: Polygon, outlines: Sequence[Polygon]) -> int:
    """How many outlines are places of their own: large enough for the piece, and free of the pieces on the others.

    Where one surrounds another, the inner one is the place.
    """
    laid: list[Polygon] = []
    for around in sorted(outlines, key=_area):
        middle = _middle(around)
        if any(_covers(around, _middle(other)) for other in laid):
            continue
        for turned in (piece, _quarter(piece)):
            here = _moved(turned, middle)
            if fits(turned, centred(around)) and not any(_overlap(here, other) for other in laid):
                laid.append(here)
                break
    return len(laid)


def room(piece: Polygon, compartment: Polygon, wanted: int) -> int:
    """How many pieces, `wanted` at most, lie in rows and columns in the middle of one outline without overlapping."""
    most = 0
    around, inside = box(compartment), centred(compartment)
    for turned in (piece, _quarter(piece)):
        own = box(turned)
        columns = min(wanted, int((around.width + 2 * TOLERANCE) / own.width))
        rows = min(wanted, int((around.height + 2 * TOLERANCE) / own.height))
        for across in range(1, columns + 1):
            down = min(rows, math.ceil(wanted / across))
            grid = [
                ((column - (across - 1) / 2) * own.width, (row - (down - 1) / 2) * own.height)
                for row in range(down)
                for column in range(across)
            ]
            most = max(most, sum(fits(_moved(turned, middle), inside) for middle in grid))
            if most >= wanted:
                return wanted
    return most


@lru_cache(maxsize=4096)
def fits(piece: Polygon, around: Polygon) -> bool:
    """Whether a piece lies within an outline, both where they are; TOLERANCE is forgiven."""
    wide, own = box(around), box(piece)
    if not wide.holds(own, slack=TOLERANCE):
        return False
    within, lain = (Loop(around, closed=True),), (Loop(piece, closed=True),)
    return not any(_outside(within, corner) for corner in piece) and not any(_deep(lain, spot) for spot in around)


def _outside(loops: tuple[Loop, ...], spot: Point) -> bool:
    return not outline.inside(loops, *spot) and outline.distance(loops, *spot) > TOLERANCE


def _deep(loops: tuple[Loop, ...], spot: Point) -> bool:
    """Whether an outline's corner lies under the piece: it then bends inwards there."""
    return outline.inside(loops, *spot) and outline.distance(loops, *spot) > TOLERANCE


def _overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two laid pieces overlap by more than TOLERANCE."""
    first, second = box(one), box(other)
    if not first.meets(second, slack=TOLERANCE):
        return False
    return any(_covers(other, spot) for spot in _spots(one)) or any(_covers(one, spot) for spot in _spots(other))


def _spots(piece: Polygon) -> Iterator[Point]:
    """The middle of a piece and spots along its edge, TOLERANCE within it."""
    own, (x, y) = box(piece), _middle(piece)
    yield x, y
    share = 1 - 2 * TOLERANCE / min(own.width, own.height)
    inner = [(x + (px - x) * share, y + (py - y) * share) for px, py in piece]
    for (x0, y0), (x1, y1) in pairwise([*inner, inner[0]]):
        steps = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / _APART))
        yield from ((x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps) for step in range(steps))


def _covers(polygon: Polygon, spot: Point) -> bool:
    return outline.inside((Loop(polygon, closed=True),), *spot)


def _rectangle(width: float, height: float, corner: float) -> Polygon:
    radius = min(corner, width / 2, height / 2)
    x, y = width / 2 - radius, height / 2 - radius
    if not radius:
        return ((-x, -y), (x, -y), (x, y), (-x, y))
    arc = [(x + radius * cos, y + radius * sin) for cos, sin in _ROUND]
    half = [*arc, *((-px, py) for px, py in reversed(arc))]
    return (*half, *((-px, -py) for px, py in half))


def _middle(polygon: Polygon) -> Point:
    around = box(polygon)
    return around.x + around.width / 2, around.y + around.height / 2


def _moved(polygon: Polygon, by: Point) -> Polygon:
    return tuple([(x + by[0], y + by[1]) for x, y in polygon])


def _quarter(polygon: Polygon) -> Polygon:
    return tuple([(-y, x) for x, y in polygon])


def _area(polygon: Polygon) -> float:
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise([*polygon, polygon[0]]))) / 2
