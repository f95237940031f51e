"""Outlines of shapes in art files, their boxes and corners; characters of texts and their places."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from generator.base.display_list import Group, Item, Picture, PlacedSymbol, Shape
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Rect, multiply
from generator.base.outlines import bound_points, find_bounds
from generator.base.path_data import transform_path_data
from generator.drawing.svg.elements import SHAPES
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.shape_outlines import describe_outline, split_path
from generator.drawing.svg.style import Style
from generator.drawing.svg.tree import ArtNotes, Element
from generator.drawing.svg.values import LengthBasis, find_axis, list_numbers, parse_length, parse_lengths


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
        return describe_outline(node, read, _list_pairs)
    except InvalidInput as mistake:
        notes.add(node.at, f"<{node.tag}> is left out: {mistake}")
        return ""


def _list_pairs(text: str) -> list[float]:
    values = list_numbers(text)
    return values[: len(values) // 2 * 2]


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
        return _turn_box((item.x, item.y, item.width, item.height), matrix)
    if isinstance(item, Group):
        inner = multiply(matrix, item.matrix)
        box = measure_items(item.items, inner, stroked)
        if box is not None and item.clip and stroked:
            cut = find_bounds(item.clip, inner)
            return box if cut is None else _intersect_boxes(box, cut)
        return box
    if isinstance(item, PlacedSymbol):
        inner = multiply(matrix, item.matrix)
        return _turn_box(item.symbol.box, inner) if item.clip else measure_items(item.symbol.items, inner, stroked)
    em = item.size * MM_PER_PT
    width = em * (sum(item.advances) / 1000 if item.advances else len(item.glyphs))
    return _turn_box((item.x, item.y - em, width, 1.3 * em), matrix)


def _turn_box(box: tuple[float, float, float, float], matrix: Matrix) -> Rect | None:
    a, b, c, d, e, f = matrix
    x, y, width, height = box
    return bound_points([(a * px + c * py + e, b * px + d * py + f) for px in (x, x + width) for py in (y, y + height)])


def _intersect_boxes(first: Rect, second: Rect) -> Rect | None:
    x, y = max(first.x, second.x), max(first.y, second.y)
    width, height = min(first.right, second.right) - x, min(first.bottom, second.bottom) - y
    return Rect(x, y, width, height) if width > 0 and height > 0 else None


class Corner(NamedTuple):
    """A vertex of an outline, and the direction in degrees in which a marker stands there."""

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


MOST_CHARACTERS = 20_000
"""Of a text; and of a drawing as many places of their own, as each is a run of type that checks compare."""


@dataclass(slots=True)
class Char:
    """A character with its style, where it is put and how it is moved: None where it follows the one before."""

    char: str
    node: Element
    spot: NodeContext
    rise: float
    path: Element | None = None
    x: float | None = None
    y: float | None = None
    dx: float | None = None
    dy: float | None = None
    rotate: float | None = None


class TextCharacters:
    """Gathers the characters of a drawing's texts."""

    def __init__(self, desk: ReaderState):
        self._desk = desk

    def collect_characters(self, node: Element, spot: NodeContext) -> list[Char]:
        """Return the characters of a <text> without collapsed blanks."""
        chars: list[Char] = []
        if (
            sum(len(part) for one in node.iter_elements() for part in one.parts if isinstance(part, str))
            > MOST_CHARACTERS
        ):
            self._desk.notes.add(node.at, f"a text has more than {MOST_CHARACTERS:,} characters and is ignored")
            return []
        self._collect_within(node, spot, chars, None, 0.0)
        while chars and chars[-1].char == " " and not chars[-1].spot.style.preserved:
            chars.pop()
        return chars

    def _collect_within(
        self, node: Element, spot: NodeContext, chars: list[Char], path: Element | None, rise: float
    ) -> None:
        start = len(chars)
        for part in node.parts:
            if isinstance(part, str):
                self._add_characters(part, node, spot, chars, path, rise)
            elif part.tag in ("tspan", "a", "textPath", "tref"):
                if part.declared.get("display", "") == "none":
                    continue
                style = self._desk.derive_style(spot.style, part, spot.measure)
                within = replace(self._desk.go_deeper(spot, part, 1), style=style)
                along = self._find_text_path(part) if part.tag == "textPath" else path
                if part.tag == "textPath" and along is None:
                    continue
                within_rise = rise + self._read_baseline_shift(part, spot.style, within)
                self._collect_within(part, within, chars, along, within_rise)
        self._read_positions(node, spot, chars[start:])

    def _add_characters(
        self, text: str, node: Element, spot: NodeContext, chars: list[Char], path: Element | None, rise: float
    ) -> None:
        style = spot.style
        if style.capitals == "uppercase" or style.small_caps:
            text = text.upper()
        elif style.capitals == "lowercase":
            text = text.lower()
        for given in text:
            char = " " if given in "\t\n\r" else given
            if char == " " and not style.preserved:
                before = chars[-1] if chars else None
                if before is None or (before.char == " " and not before.spot.style.preserved):
                    continue
            chars.append(Char(char, node, spot, rise, path))

    def _read_positions(self, node: Element, spot: NodeContext, chars: Sequence[Char]) -> None:
        if node.tag == "textPath":
            return
        measure = spot.measure._replace(em=spot.style.size)
        for name, axis in (("x", "x"), ("y", "y"), ("dx", "x"), ("dy", "y")):
            text = node.attributes.get(name)
            if not text:
                continue
            try:
                values = parse_lengths(text, measure, axis)
            except InvalidInput as mistake:
                self._desk.notes.add(node.at, f"{name}: {mistake}")
                continue
            for char, value in zip(chars, values, strict=False):
                if getattr(char, name) is None:
                    setattr(char, name, value)
        turns = list_numbers(node.attributes.get("rotate", ""))
        if turns:
            for at, char in enumerate(chars):
                if char.rotate is None:
                    char.rotate = turns[min(at, len(turns) - 1)]

    def _read_baseline_shift(self, node: Element, parent: Style, spot: NodeContext) -> float:
        text = node.declared.get("baseline-shift", "").strip().lower()
        if text in ("", "baseline", "inherit", "initial"):
            return 0.0
        if text in ("super", "sub"):
            return parent.size * (0.4 if text == "super" else -0.2)
        size = spot.style.size
        try:
            return parse_length(text, spot.measure._replace(em=size, width=size, height=size))
        except InvalidInput as mistake:
            self._desk.notes.add(node.at, f"baseline-shift: {mistake}")
            return 0.0

    def _find_text_path(self, node: Element) -> Element | None:
        target = self._desk.ids.get(node.attributes.get("href", "").strip().removeprefix("#"))
        if target is None or target.tag not in SHAPES:
            self._desk.notes.add(node.at, "text follows a path that is not in the file and is ignored")
            return None
        return target
