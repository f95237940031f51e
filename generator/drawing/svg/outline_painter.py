"""Paint outlines of art files: fill, stroke, hairlines, markers."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from generator.base.display_list import Group, Item, Mask, Shape
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, Matrix, Rect, make_rotation, make_translation, map_point, multiply
from generator.base.outlines import find_bounds, flatten_path
from generator.base.path_data import FURTHEST, transform_path_data
from generator.drawing.svg.paint_servers import GRADIENTS, GradientPaint, build_gradient, fill_gradient, tile_pattern
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.shape_outlines import Corner, Segment, draw_rect_path, find_corners, join_path, measure_items
from generator.drawing.svg.style import PaintLink, Style, UnresolvedPaint
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import AlphaColour, LengthBasis, list_numbers, parse_angle, parse_length

# Programs that show PDFs draw no line thinner than a pixel, so that a drawing's fine hatching becomes a dark patch.

_MOST_POINTS = 20_000
_BEND = math.cos(math.radians(8))
"""A line that turns by less has no corner."""

_Point = tuple[float, float]


def outline_thin_line(line: Shape, thinnest: float) -> Shape:
    """Return a line thinner than `thinnest` as a filled area. Return other lines, dashed and long ones unchanged."""
    if not 0 < line.width < thinnest or line.dash:
        return line
    loops = flatten_path(line.path)
    if sum(len(loop.points) for loop in loops) > _MOST_POINTS:
        return line
    parts: list[Segment] = []
    for loop in loops:
        for corners in _draw_segments(loop.points, loop.closed, line):
            parts += [("M", corners[0]), *[("L", corner) for corner in corners[1:]], ("Z", ())]
    return line._replace(path=join_path(parts), fill=line.stroke, stroke=None, width=0.0, even_odd=False)


def _draw_segments(points: Sequence[_Point], closed: bool, line: Shape) -> Iterator[list[_Point]]:
    """Yield a box for each straight piece of a line's points, and shapes for its corners, all in one direction."""
    half = line.width / 2
    way = [point for at, point in enumerate(points) if not at or math.dist(point, points[at - 1]) > 1e-6]
    if closed and len(way) > 1:
        way.append(way[0])
    pieces = [(a, b, math.dist(a, b)) for a, b in pairwise(way)]
    pieces = [piece for piece in pieces if piece[2] > 1e-6]
    straight = [((b[0] - a[0]) / far, (b[1] - a[1]) / far) for a, b, far in pieces]
    beyond = 0.0 if line.cap == "butt" or closed else half
    for at, ((start, end, _), (dx, dy)) in enumerate(zip(pieces, straight, strict=True)):
        before, after = (beyond if at == 0 else 0.0), (beyond if at == len(pieces) - 1 else 0.0)
        ax, ay, bx, by = start[0] - dx * before, start[1] - dy * before, end[0] + dx * after, end[1] + dy * after
        x, y = -dy * half, dx * half
        yield [(ax + x, ay + y), (bx + x, by + y), (bx - x, by - y), (ax - x, ay - y)]
    turns = list(pairwise(range(len(pieces))))
    if closed and len(pieces) > 1:
        turns.append((len(pieces) - 1, 0))
    for one, other in turns:
        yield from _draw_corner(pieces[one][1], straight[one], straight[other], half, line)


def _draw_corner(at: _Point, before: _Point, after: _Point, half: float, line: Shape) -> Iterator[list[_Point]]:
    along = before[0] * after[0] + before[1] * after[1]
    turn = before[0] * after[1] - before[1] * after[0]
    if along > _BEND:
        return
    side = -half if turn > 0 else half
    first, last = (-before[1] * side, before[0] * side), (-after[1] * side, after[0] * side)
    corners = [at, (at[0] + first[0], at[1] + first[1]), (at[0] + last[0], at[1] + last[1])]
    limit = {"miter": line.miter, "round": 1.4, "bevel": 1.0}[line.join]
    if 1 + along > 2 / limit**2:  # the tip lies within the limit
        tip = (first[0] + last[0]) / (1 + along), (first[1] + last[1]) / (1 + along)
        corners.insert(2, (at[0] + tip[0], at[1] + tip[1]))
    yield corners[::-1] if turn > 0 else corners


_MOST = 2_000


def draw_markers(
    desk: ReaderState, spot: NodeContext, data: str, draw: Callable[[Element, NodeContext], list[Item]]
) -> list[Item]:
    """Return the markers of an outline (path `data` in user units), with contents drawn by `draw`."""
    fine = 1000 / max(spot.measure.width, spot.measure.height, 1e-6)
    path = transform_path_data(data, (fine, 0.0, 0.0, fine, 0.0, 0.0))[0]
    spots = [Corner(corner.x / fine, corner.y / fine, corner.angle) for corner in find_corners(path)]
    items: list[Item] = []
    first, middle, last = (desk.ids.get(name) if name else None for name in spot.style.markers)
    for node, some in ((first, spots[:1]), (middle, spots[1:-1]), (last, spots[-1:])):
        if node is None or node.tag != "marker":
            continue
        if len(some) > _MOST:
            desk.notes.add(node.at, f"an outline has markers on more than {_MOST:,} corners: the rest are omitted")
        for corner in some[:_MOST]:
            start = node is first and some == spots[:1]
            items += _draw_marker(desk, node, spot, corner, start, draw)
    return items


def _draw_marker(
    desk: ReaderState,
    node: Element,
    spot: NodeContext,
    corner: Corner,
    start: bool,
    draw: Callable[[Element, NodeContext], list[Item]],
) -> list[Item]:
    within = desk.enter_reference(spot, node)
    if within is None:
        return []
    given = node.attributes

    def read(name: str, axis: str, default: float, measure: LengthBasis = spot.measure) -> float:
        return desk.read_value(node, name, lambda text: parse_length(text, measure, axis), default)

    width, height = read("markerWidth", "x", 3.0), read("markerHeight", "y", 3.0)
    if width <= 0 or height <= 0:
        return []
    orient, angle = given.get("orient", "0").strip(), 0.0
    if orient in ("auto", "auto-start-reverse"):
        angle = corner.angle + (180 if start and orient != "auto" else 0)
    else:
        try:
            angle = parse_angle(orient)
        except InvalidInput:
            desk.notes.add(node.at, f"orient: '{orient[:40]}' is not understood")
    by = multiply(make_translation(corner.x, corner.y), make_rotation(angle))
    if given.get("markerUnits", "strokeWidth").strip() != "userSpaceOnUse":
        by = multiply(by, (spot.style.width, 0.0, 0.0, spot.style.width, 0.0, 0.0))
    shown = desk.enter_viewport(node, replace(within, matrix=IDENTITY), (0.0, 0.0, width, height))
    if shown is None:
        return []
    own, measure = shown.matrix, shown.measure
    view = list_numbers(given.get("viewBox", ""))
    left, top = view[:2] if len(view) == 4 else (0.0, 0.0)
    named = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}
    origin = []
    for name, axis, start_at, size in (("refX", "x", left, measure.width), ("refY", "y", top, measure.height)):
        word = given.get(name, "").strip()
        origin.append(start_at + named[word] * size if word in named else read(name, axis, 0.0, measure))
    x, y = map_point(own, (origin[0], origin[1]))
    frame = within.move_by(multiply(by, make_translation(-x, -y)))
    style = replace(desk.read_style(node), markers=("", "", ""))
    context = (spot.style.fill, spot.style.stroke)
    items = draw(node, replace(frame, style=style, measure=measure, context=context).move_by(own))
    if not items or node.properties.get("overflow", "hidden") in ("visible", "auto"):
        return items
    return [Group(tuple(items), clip=draw_rect_path(0.0, 0.0, width, height, frame.matrix))]


_SIDE = 1000.0
_MOST_DASHES, _FINEST_DASH = 200, 1 / 10_000
"""Maximum dashes in an array, and the shortest dash with its gap, as a fraction of the drawing's longer side."""

_LONG = 100_000
"""Path data longer than this counts as several elements, one for each 40 characters."""


class OutlinePainter:
    """Paints the outlines of one drawing; `inside` draws an element's children."""

    def __init__(self, desk: ReaderState, inside: Callable[[Element, NodeContext], list[Item]]):
        self.desk, self._notes, self.inside = desk, desk.notes, inside

    def paint_data(self, node: Element, spot: NodeContext, data: str) -> list[Item]:
        """Return an outline (path data in user units) with its fill, stroke and markers."""
        desk = self.desk
        if len(data) > _LONG:
            desk.count_drawn(node, len(data) // 40)  # before the work, not after it
        path, fault = transform_path_data(data, spot.matrix)
        if fault:
            self._notes.add(node.at, f"{fault}: it is drawn up to there")
        if len(path) > 1000:
            desk.count_drawn(node, sum(map(path.count, "LC")) // 2)
        return self.paint_path(node, spot, path, data) if path else []

    def paint_path(self, node: Element, spot: NodeContext, path: str, data: str) -> list[Item]:
        """Return an outline with its fill, stroke and markers: `path` in the items' units, `data` in user units."""
        desk = self.desk
        spot = spot if desk.measuring else self._make_paintable(node, spot, path)
        style = spot.style
        role = Shape("", role=style.role or desk.role)
        if desk.measuring:
            return [role._replace(path=path, fill="ink")]
        if not style.visible:
            return []
        if desk.clipping:
            return [role._replace(path=path, fill="#ffffff", even_odd=style.clip_even_odd)]
        plain = self._draw_plain(spot, path, role)
        markers = any(style.markers) and node.tag in ("path", "line", "polyline", "polygon")
        if plain is not None and not markers:
            return plain
        made: dict[str, list[Item]] = {"fill": [], "stroke": [], "markers": []}
        box = None
        paints = (self._resolve_paint(spot, style.fill), self._resolve_paint(spot, style.stroke))
        if any(isinstance(paint, PaintLink) for paint in paints):
            box = _measure_data(data)
        made["fill"] = self._fill_outline(node, spot, style.fill, style.fill_opacity, path, role, box)
        made["stroke"] = self._stroke_outline(node, spot, data, path, role, box)
        if markers:
            made["markers"] = draw_markers(desk, spot, data, self.inside)
        return [item for kind in style.order for item in made[kind]]

    def _make_paintable(self, node: Element, spot: NodeContext, path: str) -> NodeContext:
        """Return the context without a fill of no area, and without dashes too fine to see (with a note)."""
        style = spot.style
        if style.fill is not None and _is_line(path):  # viewers of PDFs would paint it
            style = replace(style, fill=None)
        period = sum(style.dash) * _compute_mean_scale(spot.matrix)
        if style.dash and (len(style.dash) > _MOST_DASHES or period < self.desk.side * _FINEST_DASH):
            self._notes.add(node.at, "stroke-dasharray: too many dashes, or too fine: a solid line is drawn")
            style = replace(style, dash=())
        return spot if style is spot.style else replace(spot, style=style)

    def _draw_plain(self, spot: NodeContext, path: str, role: Shape) -> list[Item] | None:
        """Return an outline in one or two opaque colours as one shape like `role`, or None if it is more complex."""
        style = spot.style
        fill, stroke = self._resolve_paint(spot, style.fill), self._resolve_paint(spot, style.stroke)
        for coat, opacity in ((fill, style.fill_opacity), (stroke, style.stroke_opacity)):
            if isinstance(coat, PaintLink) or (coat is not None and coat.alpha * opacity < 1):
                return None
        scale = _find_uniform_scale(spot.matrix)
        if isinstance(fill, PaintLink) or isinstance(stroke, PaintLink):
            return None
        line = stroke is not None and style.width > 0
        if line and (not scale or style.order.index("stroke") < style.order.index("fill")):
            return None
        if fill is None and not line:
            return []
        shape = role._replace(
            path=path, even_odd=style.even_odd, fill=self.desk.paint_of_colour(fill) if fill else None
        )
        if line and stroke is not None:
            thick = _set_stroke(shape, style, scale)._replace(stroke=self.desk.paint_of_colour(stroke))
            thin = outline_thin_line(thick, self.desk.thinnest)
            if thin is not thick:
                return [shape, thin] if fill else [thin]
            shape = thick
        return [shape]

    def _resolve_paint(self, spot: NodeContext, coat: UnresolvedPaint) -> AlphaColour | PaintLink | None:
        """Return a paint after replacing `currentColor`, `context-fill` and `context-stroke`; None for no paint."""
        if coat == "current":
            return self.desk.resolve_current(spot.style)
        if coat in ("context-fill", "context-stroke"):
            held = spot.context[0 if coat == "context-fill" else 1]
            return self._resolve_paint(replace(spot, context=(None, None)), held)
        return coat if isinstance(coat, (AlphaColour, PaintLink)) else None

    def _fill_outline(
        self,
        node: Element,
        spot: NodeContext,
        coat: UnresolvedPaint,
        opacity: float,
        path: str,
        role: Shape,
        box: Rect | None,
    ) -> list[Item]:
        told, style = self._resolve_paint(spot, coat), spot.style
        seen = find_bounds(path)
        if told is None or seen is None:
            return []
        made = self._resolve_reference(node, spot, told, box, seen) if isinstance(told, PaintLink) else told
        if made is None:
            return []
        if isinstance(made, AlphaColour):
            shape = role._replace(path=path, fill=self.desk.paint_of_colour(made), even_odd=style.even_odd)
            return fade_items([shape], made.alpha * opacity)
        if isinstance(made, GradientPaint):
            return fade_items(fill_gradient(path, style.even_odd, made, role), opacity)
        return fade_items([Group(tuple(made), clip=path, clip_even_odd=style.even_odd)], opacity) if made else []

    def _resolve_reference(
        self, node: Element, spot: NodeContext, told: PaintLink, box: Rect | None, seen: Rect
    ) -> AlphaColour | GradientPaint | list[Item] | None:
        """Return what url(#id) `told` paints: a colour, a gradient, tiles that cover `seen`, or None for nothing."""
        desk = self.desk
        target = desk.ids.get(told.name)
        if target is not None and target.tag in GRADIENTS:
            made = build_gradient(desk, target, spot, box, seen)
            return made.plain if made is not None and made.plain is not None else made
        if target is not None and target.tag == "pattern":
            return tile_pattern(desk, target, spot, box, seen, self.inside)
        instead = self._resolve_paint(spot, None if told.instead == "gone" else told.instead)
        if told.instead == "gone" or target is not None:
            tag = f"<{target.tag}>" if target is not None else f"there is no gradient '#{told.name[:40]}'"
            what = f"{tag} is not a supported paint" if target is not None else tag
            self._notes.add(node.at, f"{what}: it paints nothing")
        return instead if isinstance(instead, AlphaColour) else None

    def _stroke_outline(
        self, node: Element, spot: NodeContext, data: str, path: str, role: Shape, box: Rect | None
    ) -> list[Item]:
        style = spot.style
        told = self._resolve_paint(spot, style.stroke)
        if told is None or style.width <= 0:
            return []
        by, scale = IDENTITY, _find_uniform_scale(spot.matrix)
        if node.properties.get("vector-effect") == "non-scaling-stroke":
            scale = self.desk.unit
        elif not scale:
            scale = _compute_mean_scale(spot.matrix)
            if scale <= 0:
                return []
            by = multiply(spot.matrix, (1 / scale, 0.0, 0.0, 1 / scale, 0.0, 0.0))
            path = transform_path_data(data, (scale, 0.0, 0.0, scale, 0.0, 0.0))[0]
        line = _set_stroke(role._replace(path=path), style, scale)

        def put(shape: Shape) -> Item:
            shape = outline_thin_line(shape, self.desk.thinnest)
            return shape if by == IDENTITY else Group((shape,), by)

        reach = measure_items([put(line._replace(stroke="#ffffff"))], stroked=True)
        if reach is None:
            return []
        made = self._resolve_reference(node, spot, told, box, reach) if isinstance(told, PaintLink) else told
        if made is None:
            return []
        if isinstance(made, AlphaColour):
            alpha = made.alpha * style.stroke_opacity
            return fade_items([put(line._replace(stroke=self.desk.paint_of_colour(made)))], alpha)
        ground = draw_rect_path(reach.x, reach.y, reach.width, reach.height, IDENTITY)
        if isinstance(made, GradientPaint):
            made = fill_gradient(ground, False, made, role)
        if not made:
            return []
        shown = Mask((put(line._replace(stroke="#ffffff")),))
        return fade_items([Group(tuple(made), mask=shown)], style.stroke_opacity)


def _is_line(path: str) -> bool:
    """Return True if an outline has no area: it is straight or has at most two points."""
    box = find_bounds(path)
    return (box is not None and not (box.width and box.height)) or (
        "C" not in path and all(part.count("L") <= 1 for part in path.split("M"))
    )


def _find_uniform_scale(matrix: Matrix) -> float:
    a, b, c, d, _, _ = matrix
    one, other = math.hypot(a, b), math.hypot(c, d)
    if abs(one - other) > 1e-4 * max(one, other) or abs(a * c + b * d) > 1e-4 * one * other:
        return 0.0
    return one


def _compute_mean_scale(matrix: Matrix) -> float:
    a, b, c, d, _, _ = matrix
    return math.sqrt(abs(a * d - b * c))


def _measure_data(data: str) -> Rect | None:
    rough = find_bounds(transform_path_data(data, IDENTITY)[0])
    if rough is None:
        return None
    fine = _SIDE / max(rough.width, rough.height, 1e-9)
    if fine > 50:
        fine = min(fine, FURTHEST / 2 / max(abs(rough.x), abs(rough.y), rough.width, rough.height, 1e-9))
        box = find_bounds(transform_path_data(data, (fine, 0.0, 0.0, fine, 0.0, 0.0))[0])
        return None if box is None else Rect(box.x / fine, box.y / fine, box.width / fine, box.height / fine)
    return rough


def _set_stroke(shape: Shape, style: Style, scale: float) -> Shape:
    whole = sum(style.dash)
    return shape._replace(
        width=style.width * scale,
        cap=style.cap,
        join=style.join,
        miter=style.miter,
        dash=tuple([value * scale for value in style.dash]),
        dash_from=(style.dash_from % whole if whole else 0.0) * scale,
    )


def fade_items(items: Sequence[Item], alpha: float) -> list[Item]:
    """Return items painted as one with an opacity (0 to 1), or nothing for 0."""
    if alpha >= 1 or not items:
        return [*items]
    return [Group(tuple(items), opacity=alpha)] if alpha > 0 else []
