"""Outlines: shapes as path data, canonical paths, and what can be measured of them."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

from generator.base.display_list import Group, Item, Picture, PlacedSymbol, Shape, TextRun, format_mm
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, MM_PER_PT, QUARTER, Matrix, Rect, map_point, map_rect, multiply
from generator.base.outlines import find_bounds
from generator.base.path_data import to_canonical_path, transform_path_data
from generator.drawing.svg.tree import ArtNotes, Element
from generator.drawing.svg.values import LengthBasis, find_axis, list_numbers, parse_length, parse_numbers
from generator.text.fonts import FontBook

Segment = tuple[str, tuple[float, ...]]


def draw_rectangle(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a rectangle, clockwise from its top left corner."""
    left, top, right, bottom = map(format_mm, (x, y, x + width, y + height))
    return f"M {left} {top} L {right} {top} L {right} {bottom} L {left} {bottom} Z"


ReadLength = Callable[[str], float | None]
"""Function that reads a length attribute of the current element, or returns None if it is missing."""


def describe_outline(
    element: Element, read: ReadLength, read_points: Callable[[str], Sequence[float]] = parse_numbers
) -> str:
    """Return a shape's path data, '' if undrawn; `read` reads lengths, `read_points` points. Raise InvalidInput."""
    match element.tag:
        case "path":
            data = element.attributes.get("d", "").strip()
            return "" if data == "none" else data
        case "rect":
            return _describe_rect(read)
        case "circle":
            radius = _read_size(read, "r") or 0.0
            return describe_ellipse(read("cx") or 0.0, read("cy") or 0.0, radius, radius)
        case "ellipse":
            rx, ry = _read_size(read, "rx") or 0.0, _read_size(read, "ry") or 0.0
            return describe_ellipse(read("cx") or 0.0, read("cy") or 0.0, rx, ry)
        case "line":
            x1, y1, x2, y2 = (read(name) or 0.0 for name in ("x1", "y1", "x2", "y2"))
            return f"M{x1!r} {y1!r}L{x2!r} {y2!r}"
    values = read_points(element.attributes.get("points", ""))
    if len(values) % 2:
        raise InvalidInput(f"points has an odd number of values: {len(values)}")
    pairs = [f"{values[at]!r} {values[at + 1]!r}" for at in range(0, len(values), 2)]
    return f"M{'L'.join(pairs)}{'Z' if element.tag == 'polygon' else ''}" if len(pairs) > 1 else ""


def _describe_rect(read: ReadLength) -> str:
    x, y, width, height = read("x") or 0.0, read("y") or 0.0, _read_size(read, "width"), _read_size(read, "height")
    if not width or not height:
        return ""
    rx, ry = _read_size(read, "rx"), _read_size(read, "ry")
    rx = min((ry if rx is None else rx) or 0.0, width / 2)
    ry = min(rx if ry is None else ry, height / 2)
    right, bottom, hx, hy = x + width, y + height, rx * (1 - QUARTER), ry * (1 - QUARTER)
    if not rx or not ry:
        return f"M{x!r} {y!r}H{right!r}V{bottom!r}H{x!r}Z"
    return (
        f"M{x + rx!r} {y!r}H{right - rx!r}C{right - hx!r} {y!r} {right!r} {y + hy!r} {right!r} {y + ry!r}"
        f"V{bottom - ry!r}C{right!r} {bottom - hy!r} {right - hx!r} {bottom!r} {right - rx!r} {bottom!r}"
        f"H{x + rx!r}C{x + hx!r} {bottom!r} {x!r} {bottom - hy!r} {x!r} {bottom - ry!r}"
        f"V{y + ry!r}C{x!r} {y + hy!r} {x + hx!r} {y!r} {x + rx!r} {y!r}Z"
    )


def describe_ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    """Return the path data of an ellipse, clockwise from its rightmost point, or an empty string without area."""
    if not rx or not ry:
        return ""
    hx, hy = rx * QUARTER, ry * QUARTER
    return (
        f"M{cx + rx!r} {cy!r}C{cx + rx!r} {cy + hy!r} {cx + hx!r} {cy + ry!r} {cx!r} {cy + ry!r}"
        f"C{cx - hx!r} {cy + ry!r} {cx - rx!r} {cy + hy!r} {cx - rx!r} {cy!r}"
        f"C{cx - rx!r} {cy - hy!r} {cx - hx!r} {cy - ry!r} {cx!r} {cy - ry!r}"
        f"C{cx + hx!r} {cy - ry!r} {cx + rx!r} {cy - hy!r} {cx + rx!r} {cy!r}Z"
    )


def _read_size(read: ReadLength, name: str) -> float | None:
    value = read(name)
    if value is not None and value < 0:
        raise InvalidInput(f"{name} is negative")
    return value


@lru_cache(maxsize=4096)
def split_path(path: str) -> tuple[Segment, ...]:
    """Return the steps of a canonical path, each as (letter, coordinates)."""
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
    """Return the canonical path of steps, each given as (letter, coordinates)."""
    return " ".join(" ".join([letter, *map(format_mm, values)]) for letter, values in parts)


def outline_runs(runs: Iterable[TextRun], fonts: FontBook) -> str:
    """Return the outlines of all glyphs of some runs as one canonical path, or an empty string."""
    return to_canonical_path("".join([step for run in runs for step in _outline_glyphs(run, fonts)]))


def _outline_glyphs(run: TextRun, fonts: FontBook) -> Iterable[str]:
    font = fonts.get_font(run.font)
    em = run.size * MM_PER_PT
    unit = em / font.upem
    cos, sin = math.cos(math.radians(run.angle)), math.sin(math.radians(run.angle))
    turned = (cos * unit, sin * unit, sin * unit, -cos * unit, run.x, run.y)
    pen = 0.0
    for at, glyph in enumerate(run.glyphs):
        x, y = (run.places[at][0] / unit, -run.places[at][1] / unit) if run.places else (pen, 0.0)
        by = multiply(turned, (1.0, 0.0, 0.0, 1.0, x, y))
        for letter, points in font.draw_outline(glyph):
            spots = [map_point(by, (points[i], points[i + 1])) for i in range(0, len(points), 2)]
            yield letter + " ".join([f"{px:.5f} {py:.5f}" for px, py in spots])
        pen += (run.advances[at] if run.advances else font.measure_advance(glyph)) * font.upem / 1000


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


def read_path_data(node: Element, measure: LengthBasis, notes: ArtNotes) -> str:
    """Return the path data of a shape in its own units, or an empty string if it has no outline."""

    def read_own(name: str) -> float | None:
        text = node.attributes.get(name, "auto")
        if text.strip() == "auto":
            return None
        try:
            return parse_length(text, measure, find_axis(name))
        except InvalidInput as mistake:
            notes.add(node.at, f"{name}: {mistake}")
            return None

    def read(name: str) -> float | None:
        value, other = read_own(name), {"rx": "ry", "ry": "rx"}.get(name, "")
        if not other or (value is not None and value >= 0):
            return value
        value = read_own(other)
        return None if value is None or value < 0 else value

    try:
        return describe_outline(node, read, lambda text: (found := list_numbers(text))[: len(found) // 2 * 2])
    except InvalidInput as mistake:
        notes.add(node.at, f"<{node.tag}> is left out: {mistake}")
        return ""


def draw_rect_path(x: float, y: float, width: float, height: float, matrix: Matrix) -> str:
    """Return the path of a rectangle, transformed by a matrix."""
    return transform_path_data(f"M{x!r} {y!r}h{width!r}v{height!r}h{-width!r}z", matrix)[0]


def measure_items(items: Sequence[Item], matrix: Matrix = IDENTITY, stroked: bool = False) -> Rect | None:
    """Return the box around the filled areas of items, without clips. With `stroked`, include lines. None if empty."""
    boxes = [box for item in items if (box := _measure_item(item, matrix, stroked)) is not None]
    return reduce(Rect.unite, boxes) if boxes else None


def _measure_item(item: Item, matrix: Matrix, stroked: bool) -> Rect | None:
    if isinstance(item, Shape):
        box = find_bounds(item.path, matrix)
        if box is not None and stroked and item.stroke:
            grown = item.width / 2 * (item.miter if item.join == "miter" else 1.5)
            a, b, c, d, _, _ = matrix
            box = box.grow(grown * max(math.hypot(a, b), math.hypot(c, d)))
        return box
    if isinstance(item, Picture):
        return map_rect(matrix, Rect(item.x, item.y, item.width, item.height))
    if isinstance(item, Group):
        inner = multiply(matrix, item.matrix)
        box = measure_items(item.items, inner, stroked)
        if box is not None and item.clip and stroked:
            cut = find_bounds(item.clip, inner)
            inside = box if cut is None else box.intersect(cut)
            return inside if inside.width and inside.height else None
        return box
    if isinstance(item, PlacedSymbol):
        inner = multiply(matrix, item.matrix)
        return (
            map_rect(inner, Rect(*item.symbol.box)) if item.clip else measure_items(item.symbol.items, inner, stroked)
        )
    em = item.size * MM_PER_PT
    width = em * (sum(item.advances) / 1000 if item.advances else len(item.glyphs))
    return map_rect(matrix, Rect(item.x, item.y - em, width, 1.3 * em))


class Corner(NamedTuple):
    """A vertex of an outline, and the direction of a marker there in degrees."""

    x: float
    y: float
    angle: float


def find_corners(path: str) -> list[Corner]:
    """Return the vertices of a canonical path in order. At a bend the direction is the mean of both sides."""
    found: list[tuple[float, float]] = []
    arriving: list[float | None] = []
    leaving: list[float | None] = []
    start = 0
    for letter, values in split_path(path):
        if letter == "M":
            start = len(found)
            found.append((values[0], values[1]))
            arriving.append(None)
            leaving.append(None)
            continue
        x, y = found[-1]
        points = [found[start]] if letter == "Z" else [(values[at], values[at + 1]) for at in range(0, len(values), 2)]
        way = [(x, y), *points]
        leaving[-1] = _find_direction(way) if leaving[-1] is None else leaving[-1]
        found.append(points[-1])
        back = _find_direction(way[::-1])
        arriving.append(None if back is None else (back + 180) % 360)
        leaving.append(None)
        if letter == "Z":
            leaving[-1] = leaving[start]
            if arriving[start] is None:
                arriving[start] = arriving[-1]
    directions = map(_average_directions, arriving, leaving)
    return [Corner(x, y, direction) for (x, y), direction in zip(found, directions, strict=True)]


def _find_direction(way: Sequence[tuple[float, float]]) -> float | None:
    x, y = way[0]
    for px, py in way[1:]:
        if abs(px - x) > 1e-9 or abs(py - y) > 1e-9:
            return math.degrees(math.atan2(py - y, px - x))
    return None


def _average_directions(before: float | None, after: float | None) -> float:
    if before is None or after is None:
        return before if after is None and before is not None else after or 0.0
    a, b = math.radians(before), math.radians(after)
    x, y = math.cos(a) + math.cos(b), math.sin(a) + math.sin(b)
    return math.degrees(math.atan2(y, x)) if abs(x) > 1e-9 or abs(y) > 1e-9 else after + 90
