"""The outlines of SVG's shapes as path data, and what has to be known of outlines: boxes, corners, directions."""

import math
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple, Protocol

from generator.errors import Unfit
from generator.model.drawing import Group, Item, Picture, Placed, Shape, TextRun
from generator.model.geometry import IDENTITY, Matrix, times
from generator.model.outline import around, bounds
from generator.model.path_data import canonical_as_far
from generator.svg.foreign.measures import Measure, length, numbers
from generator.svg.foreign.nodes import Node
from generator.svg.foreign.notes import Notes
from generator.svg.outlines import segments
from generator.units import MM_PER_PT, Rect


class _Read(Protocol):
    """Reads a length attribute: its name, its axis, its default."""

    def __call__(self, name: str, axis: str = "", default: float = 0.0) -> float: ...


SHAPES = frozenset(["rect", "circle", "ellipse", "line", "polyline", "polygon", "path"])


def path_data(node: Node, measure: Measure, notes: Notes) -> str:
    """The path data of a shape in its own units; empty where it has no outline."""

    def read(name: str, axis: str = "", default: float = 0.0) -> float:
        text = node.attributes.get(name)
        if text is None or text.strip() == "auto":
            return default
        try:
            return length(text, measure, axis)
        except Unfit as mistake:
            notes.add(node.at, f"{name}: {mistake}")
            return default

    if node.tag == "path":
        text = node.attributes.get("d", "").strip()
        return "" if text == "none" else text
    if node.tag == "rect":
        return _rectangle(read("x", "x"), read("y", "y"), read("width", "x"), read("height", "y"), read)
    if node.tag == "circle":
        radius = read("r")
        return _ellipse(read("cx", "x"), read("cy", "y"), radius, radius)
    if node.tag == "ellipse":
        rx, ry = read("rx", "x", -1.0), read("ry", "y", -1.0)
        return _ellipse(read("cx", "x"), read("cy", "y"), rx if rx >= 0 else ry, ry if ry >= 0 else rx)
    if node.tag == "line":
        return f"M{read('x1', 'x')!r} {read('y1', 'y')!r}L{read('x2', 'x')!r} {read('y2', 'y')!r}"
    values = numbers(node.attributes.get("points", ""))
    pairs = [f"{values[at]!r} {values[at + 1]!r}" for at in range(0, len(values) - 1, 2)]
    if len(pairs) < 2:
        return ""
    return f"M{'L'.join(pairs)}{'Z' if node.tag == 'polygon' else ''}"


def _rectangle(x: float, y: float, width: float, height: float, read: _Read) -> str:
    if width <= 0 or height <= 0:
        return ""
    rx, ry = read("rx", "x", -1.0), read("ry", "y", -1.0)
    rx, ry = (rx if rx >= 0 else ry), (ry if ry >= 0 else rx)
    rx, ry = min(max(rx, 0.0), width / 2), min(max(ry, 0.0), height / 2)
    if not rx or not ry:
        return f"M{x!r} {y!r}h{width!r}v{height!r}h{-width!r}z"
    arc = f"a{rx!r} {ry!r} 0 0 1 "
    return (
        f"M{x + rx!r} {y!r}h{width - 2 * rx!r}{arc}{rx!r} {ry!r}v{height - 2 * ry!r}{arc}{-rx!r} {ry!r}"
        f"h{2 * rx - width!r}{arc}{-rx!r} {-ry!r}v{2 * ry - height!r}{arc}{rx!r} {-ry!r}z"
    )


def _ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    if rx <= 0 or ry <= 0:
        return ""
    arc = f"A{rx!r} {ry!r} 0 0 1 "
    return (
        f"M{cx + rx!r} {cy!r}{arc}{cx!r} {cy + ry!r}{arc}{cx - rx!r} {cy!r}{arc}{cx!r} {cy - ry!r}"
        f"{arc}{cx + rx!r} {cy!r}z"
    )


def rect_path(x: float, y: float, width: float, height: float, matrix: Matrix) -> str:
    """A rectangle as a matrix puts it."""
    return canonical_as_far(f"M{x!r} {y!r}h{width!r}v{height!r}h{-width!r}z", matrix)[0]


def box_of(items: Sequence[Item], matrix: Matrix = IDENTITY, stroked: bool = False) -> Rect | None:
    """The box around what items fill, clips aside; with `stroked` around their lines too. None for nothing."""
    boxes = [box for item in items if (box := _item_box(item, matrix, stroked)) is not None]
    return reduce(Rect.united, boxes) if boxes else None


def _item_box(item: Item, matrix: Matrix, stroked: bool) -> Rect | None:
    if isinstance(item, Shape):
        box = bounds(item.path, matrix)
        if box is not None and stroked and item.stroke:
            grown = item.width / 2 * (item.miter if item.join == "miter" else 1.5)
            a, b, c, d, _, _ = matrix
            box = box.grown(grown * max(math.hypot(a, b), math.hypot(c, d)))
        return box
    if isinstance(item, Picture):
        return _turned((item.x, item.y, item.width, item.height), matrix)
    if isinstance(item, Group):
        inner = times(matrix, item.matrix)
        box = box_of(item.items, inner, stroked)
        if box is not None and item.clip and stroked:
            cut = bounds(item.clip, inner)
            return box if cut is None else _common(box, cut)
        return box
    if isinstance(item, Placed):
        inner = times(matrix, item.matrix)
        return _turned(item.symbol.box, inner) if item.clip else box_of(item.symbol.items, inner, stroked)
    return _run_box(item, matrix)


def _run_box(run: TextRun, matrix: Matrix) -> Rect | None:
    em = run.size * MM_PER_PT
    width = em * (sum(run.advances) / 1000 if run.advances else len(run.glyphs))
    return _turned((run.x, run.y - em, width, 1.3 * em), matrix)


def _turned(box: tuple[float, float, float, float], matrix: Matrix) -> Rect | None:
    a, b, c, d, e, f = matrix
    x, y, width, height = box
    return around([(a * px + c * py + e, b * px + d * py + f) for px in (x, x + width) for py in (y, y + height)])


def _common(one: Rect, other: Rect) -> Rect | None:
    x, y = max(one.x, other.x), max(one.y, other.y)
    width, height = min(one.right, other.right) - x, min(one.bottom, other.bottom) - y
    return Rect(x, y, width, height) if width > 0 and height > 0 else None


class Corner(NamedTuple):
    """A vertex of an outline, and the direction in degrees in which a marker stands there."""

    x: float
    y: float
    angle: float


def corners(path: str) -> list[Corner]:
    """The vertices of a canonical path, in order; where it bends, half way between the two directions."""
    found: list[tuple[float, float]] = []
    arriving: list[float | None] = []
    leaving: list[float | None] = []
    start = 0
    for letter, values in segments(path):
        if letter == "M":
            start = len(found)
            found.append((values[0], values[1]))
            arriving.append(None)
            leaving.append(None)
            continue
        x, y = found[-1]
        points = [found[start]] if letter == "Z" else [(values[at], values[at + 1]) for at in range(0, len(values), 2)]
        way = [(x, y), *points]
        leaving[-1] = _direction(way) if leaving[-1] is None else leaving[-1]
        found.append(points[-1])
        back = _direction(way[::-1])
        arriving.append(None if back is None else (back + 180) % 360)
        leaving.append(None)
        if letter == "Z":
            leaving[-1] = leaving[start]
            if arriving[start] is None:
                arriving[start] = arriving[-1]
    return [
        Corner(x, y, _between(before, after)) for (x, y), before, after in zip(found, arriving, leaving, strict=True)
    ]


def _direction(way: Sequence[tuple[float, float]]) -> float | None:
    x, y = way[0]
    for px, py in way[1:]:
        if abs(px - x) > 1e-9 or abs(py - y) > 1e-9:
            return math.degrees(math.atan2(py - y, px - x))
    return None


def _between(before: float | None, after: float | None) -> float:
    if before is None or after is None:
        return before if after is None and before is not None else after or 0.0
    a, b = math.radians(before), math.radians(after)
    x, y = math.cos(a) + math.cos(b), math.sin(a) + math.sin(b)
    return math.degrees(math.atan2(y, x)) if abs(x) > 1e-9 or abs(y) > 1e-9 else after + 90
