"""Outlines of basic shapes, and the values of attributes: lengths, numbers, matrices."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from generator.base.display_list import format_mm
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, QUARTER, Matrix, map_point
from generator.base.path_data import to_canonical_path
from generator.drawing.svg.values import Box, parse_numbers

Segment = tuple[str, tuple[float, ...]]


def draw_rectangle(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle, clockwise from its top left corner."""
    left, top, right, bottom = map(format_mm, (x, y, x + width, y + height))
    return f"M {left} {top} L {right} {top} L {right} {bottom} L {left} {bottom} Z"


@lru_cache(maxsize=4096)
def _draw_rounded(x: float, y: float, width: float, height: float, rx: float, ry: float) -> str:
    right, bottom, hx, hy = x + width, y + height, rx * (1 - QUARTER), ry * (1 - QUARTER)
    return to_canonical_path(
        f"M{x + rx:.6f} {y:.6f} H{right - rx:.6f}"
        f"C{right - hx:.6f} {y:.6f} {right:.6f} {y + hy:.6f} {right:.6f} {y + ry:.6f}"
        f"V{bottom - ry:.6f} C{right:.6f} {bottom - hy:.6f} {right - hx:.6f} {bottom:.6f} {right - rx:.6f} {bottom:.6f}"
        f"H{x + rx:.6f} C{x + hx:.6f} {bottom:.6f} {x:.6f} {bottom - hy:.6f} {x:.6f} {bottom - ry:.6f}"
        f"V{y + ry:.6f} C{x:.6f} {y + hy:.6f} {x + hx:.6f} {y:.6f} {x + rx:.6f} {y:.6f} Z"
    )


@lru_cache(maxsize=4096)
def draw_ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    """Return an ellipse, clockwise from its rightmost point."""
    hx, hy = rx * QUARTER, ry * QUARTER
    return to_canonical_path(
        f"M{cx + rx:.6f} {cy:.6f} C{cx + rx:.6f} {cy + hy:.6f} {cx + hx:.6f} {cy + ry:.6f} {cx:.6f} {cy + ry:.6f}"
        f"C{cx - hx:.6f} {cy + ry:.6f} {cx - rx:.6f} {cy + hy:.6f} {cx - rx:.6f} {cy:.6f}"
        f"C{cx - rx:.6f} {cy - hy:.6f} {cx - hx:.6f} {cy - ry:.6f} {cx:.6f} {cy - ry:.6f}"
        f"C{cx + hx:.6f} {cy - ry:.6f} {cx + rx:.6f} {cy - hy:.6f} {cx + rx:.6f} {cy:.6f} Z"
    )


Read = Callable[[str, float], float]
"""Function that reads a length attribute of the current element; the second argument is its default."""


def read_rect_outline(read: Read, given: Callable[[str], bool]) -> str:
    """Return the path of a <rect>, or an empty string if it has no area. rx and ry round corners as in SVG."""
    x, y, width, height = read("x", 0.0), read("y", 0.0), _read_size(read, "width"), _read_size(read, "height")
    if not width or not height:
        return ""
    rx, ry = _read_size(read, "rx"), _read_size(read, "ry")
    rx = min(rx if given("rx") else ry, width / 2)
    ry = min(ry if given("ry") else rx, height / 2)
    return _draw_rounded(x, y, width, height, rx, ry) if rx and ry else draw_rectangle(x, y, width, height)


def read_circle_outline(read: Read) -> str:
    """Return the path of a <circle>, or an empty string if it has no radius."""
    radius = _read_size(read, "r")
    return draw_ellipse(read("cx", 0.0), read("cy", 0.0), radius, radius) if radius else ""


def read_ellipse_outline(read: Read) -> str:
    """Return the path of an <ellipse>, or an empty string if it has no area."""
    rx, ry = _read_size(read, "rx"), _read_size(read, "ry")
    return draw_ellipse(read("cx", 0.0), read("cy", 0.0), rx, ry) if rx and ry else ""


def read_line_outline(read: Read) -> str:
    """Return the path of a <line>."""
    ends = read("x1", 0.0), read("y1", 0.0), read("x2", 0.0), read("y2", 0.0)
    a, b, c, d = map(format_mm, ends)
    return f"M {a} {b} L {c} {d}"


@lru_cache(maxsize=4096)
def parse_points(text: str, close: bool) -> str:
    """Return the path of a polygon's or polyline's points. Raise InvalidInput for an odd number of coordinates."""
    values = parse_numbers(text)
    if len(values) % 2:
        raise InvalidInput(f"points has an odd number of values: {len(values)}")
    if len(values) < 4:
        return ""
    pairs = [f"{format_mm(values[i])} {format_mm(values[i + 1])}" for i in range(0, len(values), 2)]
    return "M " + " L ".join(pairs) + (" Z" if close else "")


def _read_size(read: Read, name: str) -> float:
    value = read(name, 0.0)
    if value < 0:
        raise InvalidInput(f"{name} is negative")
    return value


@lru_cache(maxsize=4096)
def split_path(path: str) -> tuple[Segment, ...]:
    """Return a canonical path as (letter, coordinates)."""
    found: list[Segment] = []
    words = path.split(" ") if path else []
    position = 0
    while position < len(words):
        letter = words[position]
        count = {"M": 2, "L": 2, "C": 6, "Z": 0}[letter]
        found.append((letter, tuple(map(float, words[position + 1 : position + 1 + count]))))
        position += 1 + count
    return tuple(found)


def join_path(parts: Sequence[Segment]) -> str:
    """Return the canonical path of (letter, coordinates)."""
    return " ".join(" ".join([letter, *map(format_mm, values)]) for letter, values in parts)


@lru_cache(maxsize=1024)
def transform_path(path: str, matrix: Matrix) -> str:
    """Return the path transformed by a matrix."""
    if matrix == IDENTITY:
        return path
    moved: list[Segment] = []
    for letter, values in split_path(path):
        pairs = [map_point(matrix, (values[i], values[i + 1])) for i in range(0, len(values), 2)]
        moved.append((letter, tuple(value for pair in pairs for value in pair)))
    return join_path(moved)


@lru_cache(maxsize=4096)
def measure_extent(path: str) -> Box:
    """Return x, y, width and height of the outline (not of its control points), or zeros for an empty path."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for letter, values in split_path(path):
        if letter == "Z":
            continue
        if letter == "C":
            xs += _find_extremes(x, values[0], values[2], values[4])
            ys += _find_extremes(y, values[1], values[3], values[5])
        x, y = values[-2:]
        xs.append(x)
        ys.append(y)
    if not xs:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _find_extremes(start: float, first: float, second: float, end: float) -> list[float]:
    """Return the turning points of a cubic between its ends, along one axis."""
    a = end - 3 * second + 3 * first - start
    b = 2 * (second - 2 * first + start)
    c = first - start
    if abs(a) < 1e-9:
        roots = [-c / b] if abs(b) > 1e-9 else []
    else:
        square = b * b - 4 * a * c
        roots = [(-b + sign * square**0.5) / (2 * a) for sign in (1, -1)] if square >= 0 else []
    return [
        start * (1 - t) ** 3 + 3 * first * t * (1 - t) ** 2 + 3 * second * t * t * (1 - t) + end * t**3
        for t in roots
        if 0 < t < 1
    ]


def make_clockwise(path: str) -> str:
    """Return the same outline with a positive area: united clips must turn the same way."""
    return path if _measure_signed_area(path) >= 0 else _reverse_path(path)


def _measure_signed_area(path: str) -> float:
    """Return twice the signed area of an outline. Curves count as their control polygons, which turn the same way."""
    total = x = y = 0.0
    start = (0.0, 0.0)
    for letter, values in split_path(path):
        if letter == "M":
            total += x * start[1] - start[0] * y
            x, y = start = (values[0], values[1])
            continue
        points = [start] if letter == "Z" else [(values[i], values[i + 1]) for i in range(0, len(values), 2)]
        for px, py in points:
            total += x * py - px * y
            x, y = px, py
    return total + x * start[1] - start[0] * y


def _reverse_path(path: str) -> str:
    pieces: list[str] = []
    outlines: list[list[Segment]] = []
    for part in split_path(path):
        if part[0] == "M":
            outlines.append([])
        outlines[-1].append(part)
    for outline in outlines:
        knots: list[tuple[float, ...]] = [outline[0][1]]
        links: list[Segment] = []
        for letter, values in outline[1:]:
            if letter != "Z":
                links.append((letter, values))
                knots.append(values[-2:])
        turned: list[Segment] = [("M", knots[-1])]
        for index in range(len(links) - 1, -1, -1):
            letter, values = links[index]
            handles = (*values[2:4], *values[0:2]) if letter == "C" else ()
            turned.append((letter, (*handles, *knots[index])))
        pieces.append(join_path([*turned, ("Z", ())]))
    return " ".join(pieces)
