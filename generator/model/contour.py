"""What pieces are cut along: round and hexagonal outlines, an outline grown for its bleed, one seen from behind."""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from generator.model.drawing import number
from generator.model.game import Shape
from generator.model.geometry import QUARTER, Point
from generator.model.outline import bounds, flatten, rectangle, subpaths
from generator.model.path_data import arc_curves
from generator.units import Rect, Size

_FINE = 0.005  # how near the polygon that stands for a curve follows it, mm
_STRAIGHT = 0.15  # a turn of so many radians needs no arc: at 3 mm the chord is 0.01 mm off

_ALIKE = 0.002  # what rounding makes of equal coordinates, mm
REGULAR = 2 / math.sqrt(3)
"""How much higher than wide a regular hexagon is that stands on a point."""


def outline_of(shape: Shape, size: Size) -> str:
    """Where a piece of this shape is cut, in face coordinates; empty where that is the rectangle of its size."""
    make = _CURVED.get(shape)
    return make(Rect(0, 0, size.width, size.height)) if make else ""


def ellipse(box: Rect) -> str:
    """The ellipse that fills a box, in four cubics, clockwise from its rightmost point."""
    rx, ry = box.width / 2, box.height / 2
    cx, cy, hx, hy = box.x + rx, box.y + ry, rx * QUARTER, ry * QUARTER
    return " ".join(
        (
            _step("M", (box.right, cy)),
            _step("C", (box.right, cy + hy), (cx + hx, box.bottom), (cx, box.bottom)),
            _step("C", (cx - hx, box.bottom), (box.x, cy + hy), (box.x, cy)),
            _step("C", (box.x, cy - hy), (cx - hx, box.y), (cx, box.y)),
            _step("C", (cx + hx, box.y), (box.right, cy - hy), (box.right, cy)),
            "Z",
        )
    )


def hexagon(box: Rect) -> str:
    """The hexagon that fills a box, standing on a point; regular where the box is 2/sqrt(3) times as high as wide."""
    middle, upper, lower = box.x + box.width / 2, box.y + box.height / 4, box.bottom - box.height / 4
    corners = ((middle, box.y), (box.right, upper), (box.right, lower), (middle, box.bottom), (box.x, lower))
    return _polygon((*corners, (box.x, upper)))


def flat_hexagon(box: Rect) -> str:
    """The hexagon that fills a box, lying on a side; regular where the box is 2/sqrt(3) times as wide as high."""
    middle, left, right = box.y + box.height / 2, box.x + box.width / 4, box.right - box.width / 4
    return _polygon(
        (
            (left, box.y),
            (right, box.y),
            (box.right, middle),
            (right, box.bottom),
            (left, box.bottom),
            (box.x, middle),
        )
    )


_CURVED: dict[Shape, Callable[[Rect], str]] = {
    "round": ellipse,
    "circle": ellipse,
    "hexagon": hexagon,
    "flat-hexagon": flat_hexagon,
}
"""Shapes with an outline of their own."""


def regular_size(shape: Shape, number: float) -> Size:
    """The size (mm) of a regular piece by one number: its side or diameter, of a hexagon the width across its flats."""
    if shape == "hexagon":
        return Size(number, number * REGULAR)
    return Size(number * REGULAR, number) if shape == "flat-hexagon" else Size(number, number)


def mirror_outline(path: str, width: float) -> str:
    """The outline of a face of this width as seen from behind: left and right exchanged."""
    box, make = bounds(path), _made_by(path)
    if box and make:
        return make(Rect(width - box.right, box.y, box.width, box.height))
    parts = []
    for subpath in subpaths(path):
        parts.append(_step("M", (width - subpath.start[0], subpath.start[1])))
        for segment in subpath.segments:
            points = [(width - x, y) for x, y in segment[1:]]
            parts.append(_step("L" if len(points) == 1 else "C", *points))
        parts += ["Z"] if subpath.closed else []
    return " ".join(parts)


@lru_cache(maxsize=256)
def grow_outline(path: str, by: float) -> str:
    """The outline of everything nearer than `by` mm to a closed one, to be filled by the non-zero rule.

    Circles stay circles, rectangles and regular hexagons keep their corners; all others get round ones.
    """
    box, make = bounds(path), _made_by(path)
    if box is None or by <= 0:
        return path
    if make is rectangle or (make is ellipse and abs(box.width - box.height) < _ALIKE):
        return make(box.grown(by))
    if make is hexagon and abs(box.height - box.width * REGULAR) < _ALIKE:
        taller = by * REGULAR
        return hexagon(Rect(box.x - by, box.y - taller, box.width + 2 * by, box.height + 2 * taller))
    if make is flat_hexagon and abs(box.width - box.height * REGULAR) < _ALIKE:
        wider = by * REGULAR
        return flat_hexagon(Rect(box.x - wider, box.y - by, box.width + 2 * wider, box.height + 2 * by))
    return " ".join(_swept(corners(loop.points), by) for loop in flatten(path, _FINE))


def _made_by(path: str) -> Callable[[Rect], str] | None:
    """Which of the plain shapes fills the path's bounds with just this outline, rounding aside."""
    box = bounds(path)
    return next((make for make in (rectangle, ellipse, hexagon, flat_hexagon) if box and _alike(path, make(box))), None)


def corners(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """The corners of a polygon without repeats, the first not repeated at the end."""
    kept: list[Point] = []
    for point in points:
        if not kept or math.dist(kept[-1], point) > 1e-6:
            kept.append(point)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) <= 1e-6:
        kept.pop()
    return tuple(kept)


def area(polygon: tuple[Point, ...]) -> float:
    """Twice the area that a polygon encloses, negative where it runs anticlockwise as seen on paper."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise((*polygon, polygon[0])))


def _alike(path: str, other: str) -> bool:
    """Whether two paths are the same but for the rounding of their numbers."""
    words, others = path.split(), other.split()
    return len(words) == len(others) and all(
        a == b or (not a.isalpha() and not b.isalpha() and abs(float(a) - float(b)) < _ALIKE)
        for a, b in zip(words, others, strict=True)
    )


def _swept(polygon: tuple[Point, ...], by: float) -> str:
    """The path of a disk's rim that rolls around a polygon: each side moved outwards, an arc around each corner.

    At a corner that points inwards the arc runs backwards and the path crosses itself. That is as it must be: the path
    then winds around a point once for every part of the polygon that a disk around the point meets, so the non-zero
    rule fills exactly what is nearer than `by`.
    """
    if area(polygon) < 0:
        polygon = polygon[::-1]
    sides = list(pairwise((*polygon, polygon[0])))
    normals = [_normal(start, end) for start, end in sides]
    parts: list[str] = []
    for (start, end), before, after in zip(sides, normals, (*normals[1:], normals[0]), strict=True):
        first, last = _offset_point(start, before, by), _offset_point(end, before, by)
        parts += [_step("L" if parts else "M", first), _step("L", last)]
        turn = math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1])
        if abs(turn) > _STRAIGHT:
            for curve in arc_curves(last, (by, by), 0, large=False, sweep=turn > 0, end=_offset_point(end, after, by)):
                parts.append(_step("C", curve[:2], curve[2:4], curve[4:]))
    return " ".join([*parts, "Z"])


def _normal(start: Point, end: Point) -> Point:
    """The direction outwards from a side of a polygon that encloses a positive area."""
    length = math.dist(start, end)
    return ((end[1] - start[1]) / length, (start[0] - end[0]) / length)


def _offset_point(point: Point, direction: Point, by: float) -> Point:
    return (point[0] + direction[0] * by, point[1] + direction[1] * by)


def _polygon(points: tuple[Point, ...]) -> str:
    return " ".join([_step("L" if n else "M", point) for n, point in enumerate(points)] + ["Z"])


def _step(letter: str, *points: Point) -> str:
    return " ".join([letter, *(number(value) for point in points for value in point)])
