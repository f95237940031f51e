"""Outlines filled, stroked and marked as their styles have it."""

import math
from collections.abc import Callable
from dataclasses import replace

from generator.model.drawing import Group, Item, Mask, Shape
from generator.model.geometry import IDENTITY, Matrix, times
from generator.model.outline import bounds
from generator.model.path_data import FURTHEST, canonical_as_far
from generator.svg.foreign.coats import GRADIENTS, Shade, shade, shaded, tiles
from generator.svg.foreign.desk import Desk, Station
from generator.svg.foreign.hairlines import as_thin
from generator.svg.foreign.markers import marked
from generator.svg.foreign.measures import Tint
from generator.svg.foreign.nodes import Node
from generator.svg.foreign.outlines import box_of, rect_path
from generator.svg.foreign.style import ArtStyle, Coat, PaintLink
from generator.units import Rect

_SIDE = 1000.0
_MOST_DASHES, _FINEST_DASH = 200, 1 / 10_000
"""In one array; and as a part of the drawing's longer side, dash and gap together."""

_LONG = 100_000
"""Characters of path data that count as more than one element, forty for each more."""


class Painter:
    """Paints the outlines of one drawing; `inside` draws what stands in an element."""

    def __init__(self, desk: Desk, inside: Callable[[Node, Station], list[Item]]):
        self.desk, self._notes, self.inside = desk, desk.notes, inside

    def painted(self, node: Node, spot: Station, data: str) -> list[Item]:
        """An outline (path data in user units) filled, stroked and marked as the style has it."""
        desk, style = self.desk, spot.style
        if len(data) > _LONG:
            desk.count(node, len(data) // 40)  # before the work, not after it
        path, fault = canonical_as_far(data, spot.matrix)
        if fault:
            self._notes.add(node.at, f"{fault}: it is drawn as far as that")
        if len(path) > 1000:
            desk.count(node, sum(map(path.count, "LC")) // 2)
        if not path:
            return []
        spot = spot if desk.measuring else self._as_paintable(node, spot, path)
        style = spot.style
        role = Shape("", role=desk.role)
        if desk.measuring:
            return [replace(role, path=path, fill="ink")]
        if not style.visible:
            return []
        if desk.clipping:
            return [replace(role, path=path, fill="#ffffff", even_odd=style.clip_even_odd)]
        plain = self._plain(spot, path, role)
        markers = any(style.markers) and node.tag in ("path", "line", "polyline", "polygon")
        if plain is not None and not markers:
            return plain
        made: dict[str, list[Item]] = {"fill": [], "stroke": [], "markers": []}
        box = None
        if isinstance(self._coat(spot, style.fill), PaintLink) or isinstance(self._coat(spot, style.stroke), PaintLink):
            box = _unscaled(data)
        made["fill"] = self._coated(node, spot, style.fill, style.fill_opacity, path, role, box)
        made["stroke"] = self._stroked(node, spot, data, path, role, box)
        if markers:
            made["markers"] = marked(desk, spot, data, self.inside)
        return [item for kind in style.order for item in made[kind]]

    def _as_paintable(self, node: Node, spot: Station, path: str) -> Station:
        """The spot without a fill that has no area, and without dashes that nobody could tell apart (told)."""
        style = spot.style
        if style.fill is not None and _is_line(path):  # viewers of PDFs would paint it
            style = replace(style, fill=None)
        period = sum(style.dash) * _mean(spot.matrix)
        if style.dash and (len(style.dash) > _MOST_DASHES or period < self.desk.side * _FINEST_DASH):
            self._notes.add(node.at, "stroke-dasharray: so fine or so many dashes are drawn as a whole line")
            style = replace(style, dash=())
        return spot if style is spot.style else replace(spot, style=style)

    def _plain(self, spot: Station, path: str, role: Shape) -> list[Item] | None:
        """An outline in one or two opaque colours as one shape; None where there is more to it."""
        style = spot.style
        fill, stroke = self._coat(spot, style.fill), self._coat(spot, style.stroke)
        for coat, opacity in ((fill, style.fill_opacity), (stroke, style.stroke_opacity)):
            if isinstance(coat, PaintLink) or (coat is not None and coat.alpha * opacity < 1):
                return None
        scale = _uniform(spot.matrix)
        if isinstance(fill, PaintLink) or isinstance(stroke, PaintLink):
            return None
        line = stroke is not None and style.width > 0
        if line and (not scale or style.order.index("stroke") < style.order.index("fill")):
            return None
        if fill is None and not line:
            return []
        shape = replace(role, path=path, even_odd=style.even_odd, fill=self.desk.paint(fill) if fill else None)
        if line and stroke is not None:
            thick = replace(_lined(shape, style, scale), stroke=self.desk.paint(stroke))
            thin = as_thin(thick, self.desk.side)
            if thin is not thick:
                return [shape, thin] if fill else [thin]
            shape = thick
        return [shape]

    def _coat(self, spot: Station, coat: Coat) -> Tint | PaintLink | None:
        """A paint with `currentColor` and the paints of a marker's shape resolved."""
        if coat == "current":
            return spot.style.color
        if coat in ("context-fill", "context-stroke"):
            held = spot.context[0 if coat == "context-fill" else 1]
            return self._coat(replace(spot, context=(None, None)), held)
        return coat if isinstance(coat, (Tint, PaintLink)) else None

    def _coated(
        self, node: Node, spot: Station, coat: Coat, opacity: float, path: str, role: Shape, box: Rect | None
    ) -> list[Item]:
        """An outline filled with a coat."""
        told, style = self._coat(spot, coat), spot.style
        seen = bounds(path)
        if told is None or seen is None:
            return []
        made = self._reference(node, spot, told, box, seen) if isinstance(told, PaintLink) else told
        if made is None:
            return []
        if isinstance(made, Tint):
            shape = replace(role, path=path, fill=self.desk.paint(made), even_odd=style.even_odd)
            return _clearer([shape], made.alpha * opacity)
        if isinstance(made, Shade):
            return _clearer(shaded(path, style.even_odd, made, role), opacity)
        return _clearer([Group(tuple(made), clip=path, clip_even_odd=style.even_odd)], opacity) if made else []

    def _reference(
        self, node: Node, spot: Station, told: PaintLink, box: Rect | None, seen: Rect
    ) -> Tint | Shade | list[Item] | None:
        """What `url(#id)` paints with: a colour, a gradient or the tiles of a pattern; None for nothing."""
        desk = self.desk
        target = desk.ids.get(told.name)
        if target is not None and target.tag in GRADIENTS:
            made = shade(desk, target, spot, box, seen)
            return made.plain if made is not None and made.plain is not None else made
        if target is not None and target.tag == "pattern":
            return tiles(desk, target, spot, box, seen, self.inside)
        instead = desk.styles.painted(spot.style, None if told.instead == "gone" else told.instead)
        if told.instead == "gone" or target is not None:
            tag = f"<{target.tag}>" if target is not None else f"there is no gradient '#{told.name[:40]}'"
            what = f"{tag} is not known as a paint" if target is not None else tag
            self._notes.add(node.at, f"{what}: nothing is painted with it")
        return instead

    def _stroked(self, node: Node, spot: Station, data: str, path: str, role: Shape, box: Rect | None) -> list[Item]:
        style = spot.style
        told = self._coat(spot, style.stroke)
        if told is None or style.width <= 0:
            return []
        by, scale = IDENTITY, _uniform(spot.matrix)
        if node.declared.get("vector-effect") == "non-scaling-stroke":
            scale = self.desk.unit
        elif not scale:
            scale = _mean(spot.matrix)
            if scale <= 0:
                return []
            by = times(spot.matrix, (1 / scale, 0.0, 0.0, 1 / scale, 0.0, 0.0))
            path = canonical_as_far(data, (scale, 0.0, 0.0, scale, 0.0, 0.0))[0]
        line = _lined(replace(role, path=path), style, scale)

        def put(shape: Shape) -> Item:
            shape = as_thin(shape, self.desk.side)
            return shape if by == IDENTITY else Group((shape,), by)

        reach = box_of([put(replace(line, stroke="#ffffff"))], stroked=True)
        if reach is None:
            return []
        made = self._reference(node, spot, told, box, reach) if isinstance(told, PaintLink) else told
        if made is None:
            return []
        if isinstance(made, Tint):
            return _clearer([put(replace(line, stroke=self.desk.paint(made)))], made.alpha * style.stroke_opacity)
        ground = rect_path(reach.x, reach.y, reach.width, reach.height, IDENTITY)
        if isinstance(made, Shade):
            made = shaded(ground, False, made, role)
        if not made:
            return []
        shown = Mask((put(replace(line, stroke="#ffffff")),))
        return _clearer([Group(tuple(made), mask=shown)], style.stroke_opacity)


def _is_line(path: str) -> bool:
    """Whether an outline has no area, as it lies on one line or has two points at most."""
    box = bounds(path)
    return (box is not None and not (box.width and box.height)) or (
        "C" not in path and all(part.count("L") <= 1 for part in path.split("M"))
    )


def _uniform(matrix: Matrix) -> float:
    """How much longer a matrix makes all lengths; 0 where it doesn't treat them all alike."""
    a, b, c, d, _, _ = matrix
    one, other = math.hypot(a, b), math.hypot(c, d)
    if abs(one - other) > 1e-4 * max(one, other) or abs(a * c + b * d) > 1e-4 * one * other:
        return 0.0
    return one


def _mean(matrix: Matrix) -> float:
    a, b, c, d, _, _ = matrix
    return math.sqrt(abs(a * d - b * c))


def _unscaled(data: str) -> Rect | None:
    """The box around an outline in user units."""
    rough = bounds(canonical_as_far(data, IDENTITY)[0])
    if rough is None:
        return None
    fine = _SIDE / max(rough.width, rough.height, 1e-9)
    if fine > 50:
        fine = min(fine, FURTHEST / 2 / max(abs(rough.x), abs(rough.y), rough.width, rough.height, 1e-9))
        box = bounds(canonical_as_far(data, (fine, 0.0, 0.0, fine, 0.0, 0.0))[0])
        return None if box is None else Rect(box.x / fine, box.y / fine, box.width / fine, box.height / fine)
    return rough


def _lined(shape: Shape, style: ArtStyle, scale: float) -> Shape:
    return replace(
        shape,
        width=style.width * scale,
        cap=style.cap,
        join=style.join,
        miter=style.miter,
        dash=tuple([value * scale for value in style.dash]),
        dash_from=_phase(style) * scale,
    )


def _phase(style: ArtStyle) -> float:
    whole = sum(style.dash)
    return style.dash_from % whole if whole else 0.0


def _clearer(items: list[Item], alpha: float) -> list[Item]:
    if alpha >= 1 or not items:
        return items
    return [Group(tuple(items), opacity=alpha)] if alpha > 0 else []
