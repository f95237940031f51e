"""Outlines: bounds, polygons, insides and lengths of paths in canonical form, and the bounds of items."""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

from generator.base.display_list import Group, Item, Picture, PlacedSymbol, Shape, format_mm, get_inner_items
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Point, Rect, map_point, multiply
from generator.base.path_data import transform_path_data

# Paths have the form described in `generator.base.display_list`: absolute `M`, `L`, `C` and `Z` with numbers between
# single spaces. Anything else raises ValueError. Lengths are in the path's own units unless a matrix is given.

Segment: TypeAlias = tuple[Point, Point] | tuple[Point, Point, Point, Point]
"""A straight line by its two ends, or a cubic curve by start, two control points and end."""

Clip: TypeAlias = tuple[str, Matrix, bool]
"""A path, the matrix that maps it to the face, and True if it is even-odd."""

_NUMBERS = {"M": 2, "L": 2, "C": 6, "Z": 0}


class Subpath(NamedTuple):
    """A part of a path drawn without lifting the pen: start, segments, and whether it is closed."""

    start: Point
    segments: tuple[Segment, ...]
    closed: bool


class Loop(NamedTuple):
    """A polygon (`closed`) or an open line through `points`."""

    points: tuple[Point, ...]
    closed: bool


def rectangle_path(rect: Rect) -> str:
    """Return the canonical path around a box, clockwise from its top left corner."""
    left, top, right, bottom = map(format_mm, (rect.x, rect.y, rect.right, rect.bottom))
    return f"M {left} {top} L {right} {top} L {right} {bottom} L {left} {bottom} Z"


@lru_cache(maxsize=8192)
def split_subpaths(path: str) -> tuple[Subpath, ...]:
    """Return the parts of a path, without lone moves, which draw nothing. Raise ValueError if it is not canonical."""
    found: list[Subpath] = []
    start: Point | None = None
    here: Point = (0.0, 0.0)
    segments: list[Segment] = []
    for command, points in _iter_commands(path):
        if command != "M" and start is None:
            raise ValueError(f"the path '{path[:40]}' does not begin with M")
        if start is not None and (command == "Z" or (command == "M" and segments)):
            found.append(Subpath(start, tuple(segments), closed=command == "Z"))
        if command == "M":
            start, here, segments = points[0], points[0], []
        elif command == "Z" and start is not None:
            here, segments = start, []
        else:
            segments.append((here, points[0]) if command == "L" else (here, points[0], points[1], points[2]))
            here = points[-1]
    if start is not None and segments:
        found.append(Subpath(start, tuple(segments), closed=False))
    return tuple(found)


def _iter_commands(path: str) -> Iterator[tuple[str, tuple[Point, ...]]]:
    words = path.split()
    at = 0
    while at < len(words):
        command = words[at]
        if command not in _NUMBERS:
            raise ValueError(f"'{command}' is not a command of a canonical path")
        values = words[at + 1 : at + 1 + _NUMBERS[command]]
        if len(values) < _NUMBERS[command]:
            raise ValueError(f"the path '{path[:40]}' ends within {command}")
        numbers = [float(value) for value in values]
        yield command, tuple(zip(numbers[::2], numbers[1::2], strict=True))
        at += 1 + len(values)


@lru_cache(maxsize=16384)
def find_bounds(path: str, matrix: Matrix = IDENTITY) -> Rect | None:
    """Return the smallest box around the outline (not its control points), mapped by the matrix; None if empty."""
    points: list[Point] = []
    for subpath in split_subpaths(path):
        points.append(map_point(matrix, subpath.start))
        for segment in subpath.segments:
            placed = tuple([map_point(matrix, point) for point in segment])
            if len(placed) == 2:
                points.append(placed[1])
            else:
                points += _find_extremes(placed)
    return bound_points(points)


def bound_points(points: list[Point]) -> Rect | None:
    """Return the smallest box around the points, or None without points."""
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _find_extremes(segment: tuple[Point, ...]) -> list[Point]:
    """Return the end of a curve, and points where it turns back in x or y outside the box around its two ends."""
    (x0, y0), (x1, y1), (x2, y2), end = segment
    turns: list[float] = []
    for p0, p1, p2, p3 in ((x0, x1, x2, end[0]), (y0, y1, y2, end[1])):
        low, high = (p0, p3) if p0 < p3 else (p3, p0)
        if not (low <= p1 <= high and low <= p2 <= high):  # else the curve stays between its ends
            turns += _find_turns(p0, p1, p2, p3)
    return [end, *(_point_on_curve(segment, t) for t in turns)]


def _find_turns(p0: float, p1: float, p2: float, p3: float) -> list[float]:
    """Return the parameters strictly between 0 and 1 where a cubic's x or y, with controls p0 to p3, has an extreme."""
    a = -p0 + 3 * p1 - 3 * p2 + p3
    b = 2 * (p0 - 2 * p1 + p2)
    c = p1 - p0
    if abs(a) < 1e-12:
        roots = [] if abs(b) < 1e-12 else [-c / b]
    else:
        under = b * b - 4 * a * c
        # The form with q avoids the loss of digits that the schoolbook formula has if b is nearly the root.
        q = -(b + math.copysign(math.sqrt(under), b)) / 2 if under >= 0 else 0.0
        roots = [] if under < 0 else [q / a, *([c / q] if q else [])]
    return [t for t in roots if 0 < t < 1]


def _point_on_curve(curve: tuple[Point, ...], t: float) -> Point:
    # Written out for speed: outlines have many such points.
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = curve
    u = 1 - t
    a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    return (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)


@lru_cache(maxsize=4096)
def flatten_path(path: str, tolerance: float = 0.02) -> tuple[Loop, ...]:
    """Return a path's parts with straight lines for curves, at most `tolerance` (in its units) away from them."""
    loops = []
    for subpath in split_subpaths(path):
        points = [subpath.start]
        for segment in subpath.segments:
            steps = 1 if len(segment) == 2 else _count_steps(segment, tolerance)
            points.extend(_point_on_curve(segment, step / steps) for step in range(1, steps))
            points.append(segment[-1])
        loops.append(Loop(tuple(points), subpath.closed))
    return tuple(loops)


def _count_steps(curve: tuple[Point, ...], tolerance: float) -> int:
    """Return the number of equal parameter steps whose chords stay within `tolerance` of a cubic."""
    bends = (
        math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1])
        for a, b, c in ((curve[0], curve[1], curve[2]), (curve[1], curve[2], curve[3]))
    )
    return max(1, math.ceil(math.sqrt(0.75 * max(bends) / tolerance)))


def is_point_inside(loops: tuple[Loop, ...], x: float, y: float, even_odd: bool = False) -> bool:
    """Return True if filling the loops (nonzero rule, or `even_odd`) paints the point. Open lines are closed first."""
    winding = crossings = 0
    for loop in loops:
        x0, y0 = loop.points[-1]
        for x1, y1 in loop.points:
            if (y0 <= y) != (y1 <= y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                winding += 1 if y1 > y0 else -1
                crossings += 1
            x0, y0 = x1, y1
    return crossings % 2 == 1 if even_odd else winding != 0


def measure_distance(loops: Sequence[Loop], x: float, y: float) -> float:
    """Return the distance (mm) from the point to the nearest line; infinity if there are no lines."""
    nearest = math.inf
    for loop in loops:
        points = loop.points + loop.points[:1] if loop.closed or len(loop.points) == 1 else loop.points
        for (x0, y0), (x1, y1) in pairwise(points):
            dx, dy = x1 - x0, y1 - y0
            length = dx * dx + dy * dy
            t = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / length)) if length else 0.0
            nearest = min(nearest, math.hypot(x - x0 - t * dx, y - y0 - t * dy))
    return nearest


def clip_box(box: Rect | None, clips: tuple[Clip, ...]) -> Rect | None:
    """Return the part of the box inside all clips' boxes. None, also as `box`, means that nothing is left."""
    for path, matrix, _ in clips:
        edge = find_bounds(path, matrix)
        if box is None or edge is None:
            return None
        x, y = max(box.x, edge.x), max(box.y, edge.y)
        width, height = min(box.right, edge.right) - x, min(box.bottom, edge.bottom) - y
        box = Rect(x, y, width, height) if width >= 0 and height >= 0 else None
    return box


PAINTS_NOTHING = "the drawing shows nothing inside its page"
"""End of the note about a drawing that paints nothing."""

DEEPEST_NESTING = 100
"""Maximum depth of nested groups, masks and symbols: functions that walk a drawing are recursive."""


def is_too_deep(items: tuple[Item, ...]) -> bool:
    """Return True if groups, masks and symbols are nested too deep for recursive functions."""
    level = [items]
    for _ in range(DEEPEST_NESTING):
        held = [item for part in level for item in part if isinstance(item, (Group, PlacedSymbol))]
        inner = [get_inner_items(item) for item in held]
        inner += [item.mask.items for item in held if isinstance(item, Group) and item.mask is not None]
        level = [*{id(part): part for part in inner}.values()]
        if not level:
            return False
    return True


def bound_items(items: Sequence[Item], matrix: Matrix = IDENTITY) -> Rect | None:
    """Return a box around everything that items paint, with strokes and letters; None if they paint nothing."""
    found: Rect | None = None
    for item in items:
        box = _bound_item(item, matrix)
        if box is not None:
            found = box if found is None else found.unite(box)
    return found


def _bound_item(item: Item, matrix: Matrix) -> Rect | None:
    if isinstance(item, Shape):
        box = find_bounds(item.path, matrix) if item.path else None
        a, b, c, d, _, _ = matrix
        line = item.width * max(1.0, item.miter if item.join == "miter" else 1.5) / 2 if item.stroke else 0.0
        return box.grow(line * max(math.hypot(a, b), math.hypot(c, d))) if box is not None else None
    if isinstance(item, Picture):
        return _bound_corners((item.x, item.y, item.width, item.height), matrix)
    if isinstance(item, (Group, PlacedSymbol)):
        inner = multiply(matrix, item.matrix)
        if isinstance(item, PlacedSymbol):
            return _bound_corners(item.symbol.box, inner) if item.clip else bound_items(item.symbol.items, inner)
        box, cut = bound_items(item.items, inner), find_bounds(item.clip, inner) if item.clip else None
        return cut if box is not None and cut is not None else box
    em = item.size * MM_PER_PT
    if item.places:
        spots = [_bound_corners((item.x + x - em, item.y + y - em, 2 * em, 2 * em), matrix) for x, y in item.places]
        boxes = [spot for spot in spots if spot is not None]
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        return Rect(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)
    wide = em * (sum(item.advances) / 1000 if item.advances else 2 * len(item.glyphs)) + em
    cos, sin = math.cos(math.radians(item.angle)), math.sin(math.radians(item.angle))
    turned = multiply(matrix, (cos, sin, -sin, cos, item.x, item.y))
    return _bound_corners((-em, -1.5 * em, wide + em, 2.5 * em), turned)


def _bound_corners(box: tuple[float, float, float, float], matrix: Matrix) -> Rect | None:
    a, b, c, d, e, f = matrix
    x, y, width, height = box
    return bound_points([(a * px + c * py + e, b * px + d * py + f) for px in (x, x + width) for py in (y, y + height)])


class Track:
    """An outline made of straight lines, along which points can be located; `length` in its units."""

    def __init__(self, points: Sequence[tuple[float, float]]):
        self._points = points
        steps = [math.dist(before, after) for before, after in pairwise(points)]
        self._ways = [0.0, *accumulate(steps)]
        self.length = self._ways[-1]

    def locate_point(self, way: float) -> tuple[float, float, float] | None:
        """Return x and y at the distance `way` along it and the direction there in degrees; None beyond its ends."""
        if not 0 <= way <= self.length:
            return None
        at = min(max(bisect_right(self._ways, way) - 1, 0), len(self._points) - 2)
        (x, y), (px, py) = self._points[at], self._points[at + 1]
        whole = self._ways[at + 1] - self._ways[at]
        part = (way - self._ways[at]) / whole if whole else 0.0
        return x + (px - x) * part, y + (py - y) * part, math.degrees(math.atan2(py - y, px - x))


@lru_cache(maxsize=64)
def make_track(data: str, matrix: Matrix) -> Track | None:
    """Return the first outline of path data, mapped by `matrix`, as straight lines; None if it has no length."""
    fine = 100.0
    path = transform_path_data(data, multiply((fine, 0.0, 0.0, fine, 0.0, 0.0), matrix))[0]
    loops = flatten_path(path)
    points = [(x / fine, y / fine) for x, y in (loops[0].points if loops else ())]
    if path.split(" M ")[0].endswith("Z") and points:
        points.append(points[0])
    points = [point for at, point in enumerate(points) if not at or point != points[at - 1]]
    return Track(points) if len(points) > 1 else None
