"""Outlines as canonical paths: SVG's basic shapes, and what can be asked of a path (extent, turning, joining)."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from generator.errors import Unfit
from generator.model.drawing import number
from generator.model.geometry import IDENTITY, QUARTER, Matrix, map_point
from generator.model.path_data import canonical
from generator.svg.values import Box, numbers

Segment = tuple[str, tuple[float, ...]]


def rectangle(x: float, y: float, width: float, height: float) -> str:
    """A rectangle, clockwise from its top left corner."""
    left, top, right, bottom = map(number, (x, y, x + width, y + height))
    return f"M {left} {top} L {right} {top} L {right} {bottom} L {left} {bottom} Z"


@lru_cache(maxsize=4096)
def _rounded(x: float, y: float, width: float, height: float, rx: float, ry: float) -> str:
    right, bottom, hx, hy = x + width, y + height, rx * (1 - QUARTER), ry * (1 - QUARTER)
    return canonical(
        f"M{x + rx:.6f} {y:.6f} H{right - rx:.6f}"
        f"C{right - hx:.6f} {y:.6f} {right:.6f} {y + hy:.6f} {right:.6f} {y + ry:.6f}"
        f"V{bottom - ry:.6f} C{right:.6f} {bottom - hy:.6f} {right - hx:.6f} {bottom:.6f} {right - rx:.6f} {bottom:.6f}"
        f"H{x + rx:.6f} C{x + hx:.6f} {bottom:.6f} {x:.6f} {bottom - hy:.6f} {x:.6f} {bottom - ry:.6f}"
        f"V{y + ry:.6f} C{x:.6f} {y + hy:.6f} {x + hx:.6f} {y:.6f} {x + rx:.6f} {y:.6f} Z"
    )


@lru_cache(maxsize=4096)
def ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    """An ellipse, clockwise from its rightmost point."""
    hx, hy = rx * QUARTER, ry * QUARTER
    return canonical(
        f"M{cx + rx:.6f} {cy:.6f} C{cx + rx:.6f} {cy + hy:.6f} {cx + hx:.6f} {cy + ry:.6f} {cx:.6f} {cy + ry:.6f}"
        f"C{cx - hx:.6f} {cy + ry:.6f} {cx - rx:.6f} {cy + hy:.6f} {cx - rx:.6f} {cy:.6f}"
        f"C{cx - rx:.6f} {cy - hy:.6f} {cx - hx:.6f} {cy - ry:.6f} {cx:.6f} {cy - ry:.6f}"
        f"C{cx + hx:.6f} {cy - ry:.6f} {cx + rx:.6f} {cy - hy:.6f} {cx + rx:.6f} {cy:.6f} Z"
    )


Read = Callable[[str, float], float]
"""Reads a length attribute of the element at hand; the second argument is its default."""


def rect_outline(read: Read, given: Callable[[str], bool]) -> str:
    """The path of a <rect>, empty when it has no area; corners are rounded by rx and ry as in SVG."""
    x, y, width, height = read("x", 0.0), read("y", 0.0), _size(read, "width"), _size(read, "height")
    if not width or not height:
        return ""
    rx, ry = _size(read, "rx"), _size(read, "ry")
    rx = min(rx if given("rx") else ry, width / 2)
    ry = min(ry if given("ry") else rx, height / 2)
    return _rounded(x, y, width, height, rx, ry) if rx and ry else rectangle(x, y, width, height)


def circle_outline(read: Read) -> str:
    """The path of a <circle>, empty when it has no radius."""
    radius = _size(read, "r")
    return ellipse(read("cx", 0.0), read("cy", 0.0), radius, radius) if radius else ""


def ellipse_outline(read: Read) -> str:
    """The path of an <ellipse>, empty when it has no area."""
    rx, ry = _size(read, "rx"), _size(read, "ry")
    return ellipse(read("cx", 0.0), read("cy", 0.0), rx, ry) if rx and ry else ""


def line_outline(read: Read) -> str:
    """The path of a <line>."""
    ends = read("x1", 0.0), read("y1", 0.0), read("x2", 0.0), read("y2", 0.0)
    a, b, c, d = map(number, ends)
    return f"M {a} {b} L {c} {d}"


@lru_cache(maxsize=4096)
def points_outline(text: str, close: bool) -> str:
    """The path of a polygon's or polyline's points; Unfit when one coordinate is left over."""
    values = numbers(text)
    if len(values) % 2:
        raise Unfit(f"points has {len(values)} numbers, an odd one")
    if len(values) < 4:
        return ""
    pairs = [f"{number(values[i])} {number(values[i + 1])}" for i in range(0, len(values), 2)]
    return "M " + " L ".join(pairs) + (" Z" if close else "")


def _size(read: Read, name: str) -> float:
    value = read(name, 0.0)
    if value < 0:
        raise Unfit(f"{name} is negative")
    return value


@lru_cache(maxsize=4096)
def segments(path: str) -> tuple[Segment, ...]:
    """A canonical path as (letter, coordinates)."""
    found: list[Segment] = []
    words = path.split(" ") if path else []
    position = 0
    while position < len(words):
        letter = words[position]
        count = {"M": 2, "L": 2, "C": 6, "Z": 0}[letter]
        found.append((letter, tuple(map(float, words[position + 1 : position + 1 + count]))))
        position += 1 + count
    return tuple(found)


def written(parts: Sequence[Segment]) -> str:
    """The canonical path of (letter, coordinates)."""
    return " ".join(" ".join([letter, *map(number, values)]) for letter, values in parts)


@lru_cache(maxsize=1024)
def transformed(path: str, matrix: Matrix) -> str:
    """The path as the matrix puts it."""
    if matrix == IDENTITY:
        return path
    moved: list[Segment] = []
    for letter, values in segments(path):
        pairs = [map_point(matrix, (values[i], values[i + 1])) for i in range(0, len(values), 2)]
        moved.append((letter, tuple(value for pair in pairs for value in pair)))
    return written(moved)


@lru_cache(maxsize=4096)
def extent(path: str) -> Box:
    """x, y, width and height of the outline itself (not of its control points); zeros for an empty path."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for letter, values in segments(path):
        if letter == "Z":
            continue
        if letter == "C":
            xs += _extremes(x, values[0], values[2], values[4])
            ys += _extremes(y, values[1], values[3], values[5])
        x, y = values[-2:]
        xs.append(x)
        ys.append(y)
    if not xs:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _extremes(start: float, one: float, two: float, end: float) -> list[float]:
    """Where a cubic turns round between its ends, along one axis."""
    a = end - 3 * two + 3 * one - start
    b = 2 * (two - 2 * one + start)
    c = one - start
    if abs(a) < 1e-9:
        roots = [-c / b] if abs(b) > 1e-9 else []
    else:
        square = b * b - 4 * a * c
        roots = [(-b + sign * square**0.5) / (2 * a) for sign in (1, -1)] if square >= 0 else []
    return [
        start * (1 - t) ** 3 + 3 * one * t * (1 - t) ** 2 + 3 * two * t * t * (1 - t) + end * t**3
        for t in roots
        if 0 < t < 1
    ]


def clockwise(path: str) -> str:
    """The same outline, drawn so that its area counts as positive: united clips must turn the same way."""
    return path if _area(path) >= 0 else _backwards(path)


def _area(path: str) -> float:
    """Twice the signed area within; a curve counts as its control polygon, which turns the same way."""
    total = x = y = 0.0
    start = (0.0, 0.0)
    for letter, values in segments(path):
        if letter == "M":
            total += x * start[1] - start[0] * y
            x, y = start = (values[0], values[1])
            continue
        points = [start] if letter == "Z" else [(values[i], values[i + 1]) for i in range(0, len(values), 2)]
        for px, py in points:
            total += x * py - px * y
            x, y = px, py
    return total + x * start[1] - start[0] * y


def _backwards(path: str) -> str:
    pieces: list[str] = []
    for outline in _outlines(segments(path)):
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
        pieces.append(written([*turned, ("Z", ())]))
    return " ".join(pieces)


def _outlines(parts: Sequence[Segment]) -> list[list[Segment]]:
    found: list[list[Segment]] = []
    for part in parts:
        if part[0] == "M":
            found.append([])
        found[-1].append(part)
    return found
