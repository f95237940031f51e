"""Paint servers of art files: gradients and patterns; clip paths and masks."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from generator.base.display_list import Gradient, Group, Item, Mask, PlacedSymbol, Shape, Symbol, visit_items
from generator.base.geometry import Matrix, Rect, find_scale, invert_matrix, make_translation, map_point, multiply
from generator.base.outlines import bound_points
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.shape_outlines import make_clockwise, measure_items
from generator.drawing.svg.style import INK, read_property
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import (
    BLACK,
    MEET,
    AlphaColour,
    Box,
    fit_box,
    list_numbers,
    parse_aspect,
    parse_length,
    parse_share,
)

GRADIENTS = frozenset(["linearGradient", "radialGradient"])
_MOST_TILES = 6_000
_LONGEST_CHAIN = 50
_MOST_STOPS = 1_000
_MOST_TURNS = 60
"""Maximum repetitions of a gradient."""

_Stop = tuple[float, AlphaColour]


def follow_references(desk: ReaderState, node: Element, tags: frozenset[str]) -> list[Element]:
    """Return an element and those, of `tags`, from which it takes missing attributes by its href and theirs."""
    found = [node]
    while (target := desk.ids.get(found[-1].attributes.get("href", "").strip().removeprefix("#"))) is not None:
        if target.tag not in tags or target in found:
            break
        if len(found) >= _LONGEST_CHAIN:
            desk.notes.add(
                node.at, f"<{node.tag}> starts a chain of more than {_LONGEST_CHAIN} references: pnp ignores the rest"
            )
            break
        found.append(target)
        desk.count_drawn(node)
    return found


def merge_links(links: list[Element]) -> Element:
    """Merge linked elements into one. Attributes of the first element win."""
    one = Element(links[0].tag, {}, links[0].at, None)
    for link in reversed(links):
        one.attributes |= {name: text for name, text in link.attributes.items() if name not in ("id", "href")}
        one.properties |= link.properties
    return one


class GradientPaint(NamedTuple):
    """A gradient, with a gradient of greys for its opacity if it is not opaque; or one colour."""

    gradient: Gradient | None
    alphas: Gradient | None
    plain: AlphaColour | None = None


def build_gradient(
    desk: ReaderState, node: Element, spot: NodeContext, box: Rect | None, seen: Rect
) -> GradientPaint | None:
    """Return a gradient's paint, if any. `box` is in user units; `seen`, to be covered, in the items' coordinates."""
    links = follow_references(desk, node, GRADIENTS)
    one = merge_links(links)
    desk.count_drawn(node, sum(len(link.children) for link in links) // 4)
    stops = next((found for link in links if (found := _read_stops(desk, link, spot))), [])
    if not stops:
        return None
    in_box = one.attributes.get("gradientUnits", "objectBoundingBox").strip() != "userSpaceOnUse"
    by = desk.read_transform(one, "transform" if "transform" in one.properties else "gradientTransform", spot)
    if in_box:
        if box is None or box.width <= 0 or box.height <= 0:
            return None
        by = multiply((box.width, 0.0, 0.0, box.height, box.x, box.y), by)
    matrix = multiply(spot.matrix, by)
    if invert_matrix(matrix) is None:
        return GradientPaint(None, None, stops[-1][1])
    if len(stops) == 1:
        return GradientPaint(None, None, stops[0][1])
    line = _read_line(desk, one, spot, in_box)
    if line is None:
        return GradientPaint(None, None, stops[-1][1])
    spread = one.attributes.get("spreadMethod", "pad").strip()
    if spread in ("repeat", "reflect"):
        line, stops = _repeat_gradient(line, stops, spread == "reflect", matrix, seen)
    desk.count_drawn(node, len(stops) // 4)
    if spot.measure.units == "px":
        # Gradients are written to a thousandth: that is too coarse for those of an outline's box.
        fine = max(map(abs, line)) or 1.0
        inner = (fine / 1000, 0.0, 0.0, fine / 1000, 0.0, 0.0)
        line, matrix = (tuple([1000 * value / fine for value in line]), multiply(matrix, inner))
    kind = "linear" if one.tag == "linearGradient" else "radial"
    paints = tuple([(offset, desk.paint_of_colour(told)) for offset, told in stops])
    gradient = Gradient("linear" if kind == "linear" else "radial", line, paints, matrix)
    if all(told.alpha >= 1 for _, told in stops):
        return GradientPaint(gradient, None)
    greys = tuple([(offset, "#" + f"{round(255 * told.alpha):02x}" * 3) for offset, told in stops])
    return GradientPaint(gradient, gradient._replace(stops=greys))


def _read_stops(desk: ReaderState, node: Element, spot: NodeContext) -> list[_Stop]:
    found: list[_Stop] = []
    furthest = 0.0
    for child in node.children:
        if child.tag != "stop":
            continue
        style = desk.read_style(child)
        colour = INK if spot.measure.units == "mm" else BLACK
        text = read_property(style, child, "stop-color").strip()
        try:
            if text.lower() in ("currentcolor", "inherit"):
                colour = desk.resolve_current(style)
            elif text:
                colour = desk.styles.read_colour(text)
        except ValueError as mistake:
            desk.notes.add_value(child.at, "stop-color", text, mistake)
        opacity = child.properties.get("stop-opacity", "1")
        covers = 1.0
        try:
            covers = parse_share(opacity) if opacity not in ("inherit", "initial") else 1.0
        except ValueError as mistake:
            desk.notes.add_value(child.at, "stop-opacity", opacity, mistake)
        if len(found) >= _MOST_STOPS:
            desk.notes.add(child.at, f"a gradient has more than {_MOST_STOPS:,} stops: the rest is left out")
            break
        furthest = max(furthest, desk.read_value(child, "offset", parse_share, 0.0))
        found.append((furthest, AlphaColour(colour.paint, colour.alpha * covers)))
    return found


def _read_line(desk: ReaderState, gradient: Element, spot: NodeContext, in_box: bool) -> tuple[float, ...] | None:
    def read(name: str, axis: str, default: str) -> float:
        measure = spot.measure._replace(width=1.0, height=1.0) if in_box else spot.measure
        usual = parse_length(default, measure, axis)
        return desk.read_value(gradient, name, lambda text: parse_length(text, measure, axis), usual)

    if gradient.tag == "linearGradient":
        line = (read("x1", "x", "0%"), read("y1", "y", "0%"), read("x2", "x", "100%"), read("y2", "y", "0%"))
        return line if (line[0], line[1]) != (line[2], line[3]) else None
    cx, cy, r = read("cx", "x", "50%"), read("cy", "y", "50%"), read("r", "", "50%")
    if r <= 0:
        return None
    fx = read("fx", "x", "50%") if "fx" in gradient.attributes else cx
    fy = read("fy", "y", "50%") if "fy" in gradient.attributes else cy
    away = math.hypot(fx - cx, fy - cy)
    if away > 0.999 * r:
        fx, fy = cx + (fx - cx) * 0.999 * r / away, cy + (fy - cy) * 0.999 * r / away
    if read("fr", "", "0") > 0:
        desk.notes.add(gradient.at, "fr of a radial gradient is ignored; pnp uses 0")
    return (cx, cy, r, fx, fy)


def _repeat_gradient(
    line: tuple[float, ...], stops: list[_Stop], reflected: bool, matrix: Matrix, seen: Rect
) -> tuple[tuple[float, ...], list[_Stop]]:
    """Return a gradient's line (x1, y1, x2, y2 or cx, cy, r, fx, fy) and stops, repeated to cover `seen`.

    If `reflected`, every second repeat is reversed. `matrix` maps the line to the units of `seen`.
    """
    back = invert_matrix(matrix)
    if back is None:
        return line, stops
    spots = [map_point(back, (x, y)) for x in (seen.x, seen.right) for y in (seen.y, seen.bottom)]
    if len(line) == 4:
        x1, y1, x2, y2 = line
        dx, dy = x2 - x1, y2 - y1
        along = [((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy) for x, y in spots]
        first, last = math.floor(min(along)), math.ceil(max(along))
    else:
        cx, cy, r, fx, fy = line
        first, spare = 0, r - math.hypot(cx - fx, cy - fy)
        last = math.ceil(max(math.hypot(x - fx, y - fy) for x, y in spots) / max(spare, r / 100))
    if last - first > _MOST_TURNS:
        middle = min(max(0, first + (last - first) // 2), last)
        first, last = max(first, middle - _MOST_TURNS // 2), min(last, middle + _MOST_TURNS // 2)
    last = max(last, first + 1)
    found: list[_Stop] = []
    full = [(0.0, stops[0][1]), *stops, (1.0, stops[-1][1])]
    for turn in range(first, last):
        way = [(1 - offset, told) for offset, told in reversed(full)] if reflected and turn % 2 else full
        found += [((turn + offset - first) / (last - first), told) for offset, told in way]
    if len(line) == 4:
        x1, y1, x2, y2 = line
        dx, dy = x2 - x1, y2 - y1
        return (x1 + first * dx, y1 + first * dy, x1 + last * dx, y1 + last * dy), found
    cx, cy, r, fx, fy = line
    return (fx + last * (cx - fx), fy + last * (cy - fy), r * last, fx, fy), found


def fill_gradient(path: str, even_odd: bool, made: GradientPaint, role: Shape) -> list[Item]:
    """Return an outline filled with a gradient, else like `role`, masked by its opacities; nothing for one colour."""
    if made.gradient is None:
        return []
    filled = role._replace(path=path, fill=made.gradient, even_odd=even_odd)
    if made.alphas is None:
        return [filled]
    return [Group((filled,), mask=Mask((filled._replace(fill=made.alphas),)))]


Draw = Callable[[Element, NodeContext], list[Item]]
"""Function that draws an element's children."""


def tile_pattern(
    desk: ReaderState, node: Element, spot: NodeContext, box: Rect | None, seen: Rect, draw: Draw
) -> list[Item]:
    """Return a pattern's tiles, drawn by `draw`, that cover `seen`; nothing if one is empty. `box` is the outline's."""
    links = follow_references(desk, node, frozenset(["pattern"]))
    one = merge_links(links)
    source = next((link for link in links if any(link.children)), node)
    within = desk.enter_reference(spot, source)
    if within is None:
        return []
    in_box = one.attributes.get("patternUnits", "objectBoundingBox").strip() != "userSpaceOnUse"
    if in_box and (box is None or box.width <= 0 or box.height <= 0):
        return []
    measure = spot.measure._replace(width=1.0, height=1.0) if in_box else spot.measure
    x, y, width, height = (
        desk.read_value(one, name, lambda text, axis=axis: parse_length(text, measure, axis), 0.0)  # type: ignore[misc]
        for name, axis in (("x", "x"), ("y", "y"), ("width", "x"), ("height", "y"))
    )
    if in_box and box is not None:
        x, y = box.x + x * box.width, box.y + y * box.height
        width, height = width * box.width, height * box.height
    if width <= 0 or height <= 0:
        return []
    whole = multiply(spot.matrix, desk.read_transform(one, "patternTransform", spot))
    fine = find_scale(whole)
    back = invert_matrix(whole)
    if back is None or not fine:
        return []
    inner = _tile_matrix(desk, one, box, (x, y, width, height), fine)
    items = tuple(draw(source, replace(within, matrix=inner, style=desk.read_style(source))))
    if not items:
        return []
    edge = (0.0, 0.0, width * fine, height * fine)
    reach = measure_items(items, stroked=True)
    spills = reach is None or not Rect(*edge).contains(reach)
    visible = one.properties.get("overflow", "hidden") in ("visible", "auto") and spills
    symbol = Symbol(f"#{one.attributes.get('id', 'pattern')}", items, edge)
    spread = bound_points([map_point(back, (px, py)) for px in (seen.x, seen.right) for py in (seen.y, seen.bottom)])
    if spread is None:
        return []
    left, right = math.floor((spread.x - x) / width), math.ceil((spread.right - x) / width)
    top, bottom = math.floor((spread.y - y) / height), math.ceil((spread.bottom - y) / height)
    if (right - left) * (bottom - top) > _MOST_TILES:
        what = f"the pattern repeats more than {_MOST_TILES:,} times and is ignored"
        desk.notes.add(node.at, what)
        return []
    tiles = (right - left) * (bottom - top)
    repeats = sum(isinstance(one, PlacedSymbol) for one, _ in visit_items(items, True, lambda *_: True))
    desk.count_drawn(node, tiles * (1 + repeats))  # each tile draws all tiles of a pattern in it
    put = multiply(whole, (1 / fine, 0.0, 0.0, 1 / fine, 0.0, 0.0))
    return [
        PlacedSymbol(
            symbol,
            multiply(put, make_translation((x + across * width) * fine, (y + down * height) * fine)),
            clip=spills and not visible,
            role=desk.role,
        )
        for down in range(top, bottom)
        for across in range(left, right)
    ]


def _tile_matrix(desk: ReaderState, pattern: Element, box: Rect | None, tile: Box, fine: float) -> Matrix:
    """Return the matrix from a pattern's contents to its tile at the origin; `fine` is its units per user unit."""
    x, y, width, height = tile
    inner = (fine, 0.0, 0.0, fine, 0.0, 0.0)
    view = list_numbers(pattern.attributes.get("viewBox", ""))
    if len(view) == 4 and view[2] > 0 and view[3] > 0:
        shown: Box = (view[0], view[1], view[2], view[3])
        how = desk.read_value(pattern, "preserveAspectRatio", parse_aspect, MEET)
        own = fit_box(shown, (0.0, 0.0, width, height), how)
        return multiply(inner, own)
    if pattern.attributes.get("patternContentUnits", "").strip() == "objectBoundingBox" and box is not None:
        return multiply(inner, (box.width, 0.0, 0.0, box.height, box.x - x, box.y - y))
    return multiply(inner, make_translation(-x, -y))


def clip_to_shapes(items: tuple[Item, ...], shapes: list[Item]) -> list[Item]:
    """Return items clipped to shapes: by a single outline if possible, else by a mask."""
    if not shapes:
        return []
    plain = [shape for shape in shapes if isinstance(shape, Shape)]
    if len(plain) == len(shapes):
        if len(plain) == 1:
            return [Group(items, clip=plain[0].path, clip_even_odd=plain[0].even_odd)]
        if not any(shape.even_odd for shape in plain):
            return [Group(items, clip=" ".join([make_clockwise(shape.path) for shape in plain]))]
    return [Group(items, mask=Mask(tuple(shapes)))]
