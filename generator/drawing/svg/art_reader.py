"""Read an art file: walk through its elements and draw each, pictures included."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

from generator.base.display_list import Blend, Group, Item, Mask, Picture, PlacedSymbol, Shape
from generator.base.errors import InvalidInput, ProblemsFound
from generator.base.geometry import IDENTITY, Matrix, Rect, invert_matrix, make_translation, multiply
from generator.base.outlines import find_bounds
from generator.drawing.svg.outline_painter import OutlinePainter
from generator.drawing.svg.paint_servers import clip_to_shapes
from generator.drawing.svg.reader_state import NodeContext, ReaderState, find_image
from generator.drawing.svg.shape_outlines import draw_rect_path, measure_items, read_path_data
from generator.drawing.svg.style import apply_cascade, make_initial_style, parse_reference
from generator.drawing.svg.tree import Element, find_link, index_by_id, read_art_tree
from generator.drawing.svg.values import MEET, Aspect, Box, fit_box, parse_aspect, parse_length, parse_share
from generator.drawing.svg.vocabulary import SHAPES

# All coordinates come out in one measure, the symbol's own: each outline is put there before it is rounded.

_FINE = 1000.0
"""Size of the viewport (units) that boxes are measured in."""

_WHOLE, _UNSIZED = ("0", "0", "100%", "100%"), ("0", "0", "-1", "-1")
"""Defaults of x, y, width and height: those of a viewport, and those of a picture."""

_SILENT = frozenset(
    [
        *("defs", "symbol", "linearGradient", "radialGradient", "meshgradient", "pattern", "marker", "mask"),
        *("clipPath", "filter", "title", "desc", "metadata", "style", "view", "stop", "cursor", "font", "font-face"),
        *("solidColor", "color-profile", "hatch"),
    ]
)
"""Elements that draw nothing by themselves."""

_EFFECTS = ("clip-path", "filter", "mask", "mix-blend-mode", "opacity")
_MOVING = frozenset(["animate", "animateMotion", "animateTransform", "animateColor", "set", "mpath", "discard"])
_BLENDS = frozenset(get_args(Blend))


class ArtWalker:
    """Draws the elements of an art file, an SVG file that any program made, as items in its reader's state `desk`."""

    def __init__(self, desk: ReaderState):
        self.desk = desk
        self._notes = desk.notes
        self._painter = OutlinePainter(desk, self.draw_children)
        self._drawers: dict[str, Callable[[Element, NodeContext], list[Item]]] = {
            **dict.fromkeys(("g", "a"), self.draw_children),
            **dict.fromkeys(SHAPES, self._draw_shape),
            "svg": lambda node, spot: self.draw_viewport(node, spot, self.desk.read_box(node, spot.measure, _WHOLE)),
            "use": self._draw_use,
            "switch": self._draw_switch,
            "image": self._draw_image,
            "text": self._draw_text,
        }

    def draw_children(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of an element's children, drawn in the context `spot`."""
        items: list[Item] = []
        for child in node.children:
            items += self.draw_node(child, spot)
        return items

    def draw_node(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of an element in its own style; nothing if it is not displayed or can't be drawn."""
        desk = self.desk
        draw = self._drawers.get(node.tag)
        if draw is None:
            self._skip_node(node)
            return []
        if node.properties.get("display", "").strip() == "none" or not self._is_applicable(node):
            return []
        desk.count_drawn(node)
        style = desk.derive_style(spot.style, node, spot.measure)
        here = desk.go_deeper(spot, node, 1 + sum(2 for name in _EFFECTS if name in node.properties))
        if style is not spot.style:
            here = replace(here, style=style, measure=here.measure._replace(em=style.size))
        here = here.move_by(self.read_matrix(node, here))
        a, b, c, d, _, _ = here.matrix
        if invert_matrix(here.matrix) is None and abs(a * d - b * c) <= 1e-24:  # flat, and not only of a tiny scale
            return []
        within = here
        items = draw(node, within)
        return self.apply_effects(node, here, items) if items or "filter" in node.properties else items

    def _skip_node(self, node: Element) -> None:
        if node.tag in _SILENT or not node.tag:
            return
        if node.tag in _MOVING:
            self._notes.add(node.at, "animations are ignored; pnp draws the first frame")
        elif node.tag == "script":
            self._notes.add(node.at, "<script> is not run")
        elif node.tag == "foreignObject":
            if not (node.parent is not None and node.parent.tag == "switch"):
                self._notes.add(node.at, "<foreignObject> is left out: draw it, or convert its text to paths")
        else:
            self._notes.add(node.at, f"<{node.tag}> is left out: it is no element of SVG that draws")

    def _is_applicable(self, node: Element) -> bool:
        """Return True if an element needs no extensions and is for a language of the edition."""
        given = node.attributes
        if given.get("requiredExtensions", "").strip():
            return False
        if "systemLanguage" in given:
            wanted = [word.strip().lower().partition("-")[0] for word in given["systemLanguage"].split(",")]
            return (self.desk.lang or "en").partition("+")[0].partition("-")[0] in wanted
        return True

    def read_matrix(self, node: Element, spot: NodeContext) -> Matrix:
        """Return an element's transform about its transform-origin. An invalid transform counts as none."""
        by = self.desk.read_transform(node, "transform", spot)
        if by == IDENTITY:
            return by
        origin = node.properties.get("transform-origin", "")
        if origin or node.properties.get("transform-box", "view-box") == "fill-box":
            x, y = self._read_origin(node, spot, origin or "0 0")
            by = multiply(multiply(make_translation(x, y), by), make_translation(-x, -y))
        return by

    def _read_origin(self, node: Element, spot: NodeContext, text: str) -> tuple[float, float]:
        box = (0.0, 0.0, spot.measure.width, spot.measure.height)
        if node.properties.get("transform-box") in ("fill-box", "content-box", "stroke-box"):
            own = self.measure_local_box(node, spot)
            box = (own.x, own.y, own.width, own.height) if own is not None else box
        words = [*text.lower().split()[:2], "center"][:2]
        if words[0] in ("top", "bottom") or words[1] in ("left", "right"):
            words.reverse()
        named = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
        measure = spot.measure._replace(width=box[2], height=box[3])
        try:
            x = parse_length(named.get(words[0], words[0]), measure, "x")
            y = parse_length(named.get(words[1], words[1]), measure, "y")
        except InvalidInput:
            self._notes.add(node.at, f"transform-origin: '{text[:40]}' is not understood")
            return 0.0, 0.0
        return box[0] + x, box[1] + y

    # What is done with all that an element draws

    def apply_effects(self, node: Element, spot: NodeContext, items: list[Item]) -> list[Item]:
        """Return the items after filter, clip, mask, opacity and blending, in this order."""
        desk, given = self.desk, node.properties
        if not given or desk.measuring:
            return items
        if given.get("filter", "none") not in ("none", "") and not desk.clipping:
            from generator.drawing.svg.filters import filter_items  # few drawings need Pillow

            items = filter_items(desk, node, spot, items, self.measure_local_box)
        clip = given.get("clip-path", "none")
        if clip not in ("none", "") and items:
            items = self.clip_items(node, spot, items, clip)
        mask = given.get("mask", "none")
        if mask not in ("none", "") and items and not desk.clipping:
            items = self.mask_items(node, spot, items, mask)
        if not items or desk.clipping:
            return items
        opacity, blend = 1.0, given.get("mix-blend-mode", "normal").strip().lower()
        if "opacity" in given and given["opacity"] not in ("inherit", "initial"):
            try:
                opacity = parse_share(given["opacity"])
            except ValueError:
                self._notes.add(node.at, f"opacity: '{given['opacity'][:40]}' is not understood")
        if blend not in _BLENDS:
            self._notes.add(node.at, f"mix-blend-mode: '{blend[:40]}' is not understood")
            blend = "normal"
        if opacity <= 0:
            return []
        if opacity < 1 or blend != "normal":
            return [Group(tuple(items), opacity=opacity, blend=blend)]  # type: ignore[arg-type]  # one of them
        return items

    def clip_items(self, node: Element, spot: NodeContext, items: list[Item], text: str) -> list[Item]:
        """Return items cut off at the clip path that `text`, a url(), names; unchanged if there is none."""
        desk, target = self.desk, self._find_target(node, text, "clipPath", "clip-path")
        if target is None:
            return items
        within = desk.enter_reference(spot, target)
        if within is None:
            return []
        if target.attributes.get("clipPathUnits", "").strip() == "objectBoundingBox":
            box = self.measure_local_box(node, spot)
            if box is None:
                return []
            within = within.move_by((box.width, 0.0, 0.0, box.height, box.x, box.y))
        within = replace(within, style=desk.read_style(target)).move_by(self.read_matrix(target, within))
        desk.clipping += 1
        try:
            shapes = [item for child in target.children if child.tag != "g" for item in self.draw_node(child, within)]
        finally:
            desk.clipping -= 1
        cut = clip_to_shapes(tuple(items), shapes)
        own = target.properties.get("clip-path", "none")
        if own not in ("none", "") and cut:
            return self.clip_items(target, replace(within, matrix=spot.matrix), cut, own)
        return cut

    def mask_items(self, node: Element, spot: NodeContext, items: list[Item], text: str) -> list[Item]:
        """Return the part of items that the mask named by `text`, a url(), shows; unchanged if there is none."""
        desk, target = self.desk, self._find_target(node, text, "mask", "mask")
        if target is None:
            return items
        within = desk.enter_reference(spot, target)
        if within is None:
            return []
        given = target.attributes
        box: Rect | None = None
        in_box = given.get("maskUnits", "objectBoundingBox").strip() != "userSpaceOnUse"
        content_in_box = given.get("maskContentUnits", "").strip() == "objectBoundingBox"
        if in_box or content_in_box:
            box = self.measure_local_box(node, spot)
            if box is None:
                return []
        x, y, width, height = desk.read_region(target, spot, box if in_box else None)
        within = replace(within, style=desk.read_style(target))
        if content_in_box and box is not None:
            within = within.move_by((box.width, 0.0, 0.0, box.height, box.x, box.y))
        alpha = (target.properties.get("mask-type") or given.get("mask-type", "")).strip() == "alpha"
        linear, desk.linear = desk.linear, target.properties.get("color-interpolation") == "linearRGB"
        desk.masking += 1
        try:
            shown = self.draw_children(target, within)
            own = target.properties.get("mask", "none")
            if own not in ("none", "") and shown:
                shown = self.mask_items(target, spot, shown, own)
        finally:
            desk.masking -= 1
            desk.linear = linear
        if not shown or width <= 0 or height <= 0:
            return []
        edge = draw_rect_path(x, y, width, height, spot.matrix)
        return [Group(tuple(items), mask=Mask((Group(tuple(shown), clip=edge),), alpha))]

    def _find_target(self, node: Element, text: str, tag: str, name: str) -> Element | None:
        target = self.desk.ids.get(parse_reference(text))
        if target is None or target.tag != tag:
            self._notes.add(node.at, f"{name}: there is no {tag} '{text[:40]}'")
            return None
        return target

    def measure_local_box(self, node: Element, spot: NodeContext) -> Rect | None:
        """Return the box around an element's filled area, in its own units, without lines and effects; or None."""
        desk = self.desk
        fine = _FINE / max(spot.measure.width, spot.measure.height, 1e-6)
        draw = self._drawers.get(node.tag)
        if draw is None:
            return None
        desk.measuring += 1
        try:
            items = draw(node, replace(spot, matrix=(fine, 0.0, 0.0, fine, 0.0, 0.0)))
        finally:
            desk.measuring -= 1
        box = measure_items(items)
        return None if box is None else Rect(box.x / fine, box.y / fine, box.width / fine, box.height / fine)

    # Shapes

    def _draw_shape(self, node: Element, spot: NodeContext) -> list[Item]:
        data = read_path_data(node, spot.measure, self._notes)
        return self._painter.paint_data(node, spot, data) if data else []

    # Structure

    def draw_viewport(self, node: Element, spot: NodeContext, box: Box) -> list[Item]:
        """Return the content of an element that shows its viewBox in a box, clipped to the box."""
        within = self.desk.enter_viewport(node, self.desk.go_deeper(spot, node, 2), box)
        if within is None:
            return []
        items = self.draw_children(node, within)
        if not items or self.desk.measuring or node.properties.get("overflow", "hidden") in ("visible", "auto"):
            return items
        edge = draw_rect_path(*box, spot.matrix)
        reach, frame = measure_items(items, stroked=True), find_bounds(edge)
        if self.desk.clipping or (reach is not None and frame is not None and frame.grow(1e-3).contains(reach)):
            return items
        return [Group(tuple(items), clip=edge)]

    def _draw_use(self, node: Element, spot: NodeContext) -> list[Item]:
        desk = self.desk
        name = find_link(node)
        if name and not name.startswith("#"):
            return self._place_symbol(node, spot, name)
        target = desk.ids.get(name[1:])
        if target is None:
            said = f"<use> shows '{name[:40]}', which is not in the file: it is left out"
            self._notes.add(node.at, said if name else "<use> refers to nothing")
            return []
        within = desk.enter_reference(spot, target)
        if within is None or (desk.clipping and target.tag not in SHAPES | {"text"}):
            return []
        x, y, width, height = self.desk.read_box(node, spot.measure, _WHOLE)
        if target.tag not in ("symbol", "svg"):
            return self.draw_node(target, within.move_by(make_translation(x, y)))
        if target.properties.get("display", "") == "none":
            return []
        desk.count_drawn(target)
        style = desk.derive_style(spot.style, target, spot.measure)
        within = replace(within, style=style).move_by(make_translation(x, y))
        own = self.desk.read_box(target, within.measure, _WHOLE)
        left, top = (0.0, 0.0) if target.tag == "symbol" else own[:2]
        given = node.attributes
        box = (left, top, width if "width" in given else own[2], height if "height" in given else own[3])
        within = within.move_by(self.read_matrix(target, within))
        return self.apply_effects(target, within, self.draw_viewport(target, within, box))

    def _place_symbol(self, node: Element, spot: NodeContext, name: str) -> list[Item]:
        """Return an icon or a drawing of the game, by its name, in the box of a <use>; nothing if it can't be drawn."""
        desk, colour = self.desk, self.desk.resolve_current(spot.style).paint
        try:
            own = name.startswith("icon:") and colour == desk.current
            drawn = desk.around.draw_symbol(name, "" if own else colour)
        except InvalidInput as mistake:
            self._notes.add(node.at, f"<use> is left out: {mistake}")
            return []
        for problem in drawn.problems:
            self._notes.add(node.at, f"'{name}' is left out: {problem.what}")
        if drawn.symbol is None or not spot.style.visible or desk.clipping:
            return []
        desk.count_drawn(node, drawn.weight)
        width, height = drawn.size
        x, y, across, down = self.desk.read_box(node, spot.measure, _UNSIZED)
        across, down = across if across >= 0 else width, down if down >= 0 else height
        if desk.measuring:
            return [Shape(draw_rect_path(x, y, across, down, spot.matrix), "ink")]
        matrix = multiply(spot.matrix, fit_box(drawn.symbol.box, (x, y, across, down), drawn.aspect))
        role = "icon" if name.startswith("icon:") else desk.role
        return [PlacedSymbol(drawn.symbol, matrix, clip=True, role=role)] if across and down else []

    def _draw_text(self, node: Element, spot: NodeContext) -> list[Item]:
        from generator.drawing.svg.art_text import TextPainter  # icons have none

        return TextPainter(self.desk, self._painter.paint_data).draw_text(node, spot)

    def _draw_switch(self, node: Element, spot: NodeContext) -> list[Item]:
        for child in node.children:
            if child.tag in self._drawers and self._is_applicable(child):
                return self.draw_node(child, spot)
        return []

    def _draw_image(self, node: Element, spot: NodeContext) -> list[Item]:
        desk = self.desk
        name = node.attributes.get("href", "").strip()
        if not spot.style.visible or not name or desk.clipping:
            return []
        shown = find_image(desk, node, name)
        if shown is None:
            return []
        x, y, width, height = self.desk.read_box(node, spot.measure, _UNSIZED)
        if width < 0 or height < 0:
            across, down = shown.width, shown.height
            width, height = (
                (across if height < 0 else height * across / down) if width < 0 else width,
                (down if width < 0 else width * down / across) if height < 0 else height,
            )
        if width <= 0 or height <= 0:
            return []
        how: Aspect = desk.read_value(node, "preserveAspectRatio", parse_aspect, MEET)
        box = (x, y, width, height)
        if desk.measuring:
            return [Shape(draw_rect_path(*box, spot.matrix), "ink")]
        own = fit_box((0.0, 0.0, shown.width, shown.height), box, how)
        matrix = multiply(spot.matrix, own)
        items: list[Item]
        if shown.picture is not None:
            (a, b, c, d, e, f), width, height = matrix, shown.width, shown.height
            upright = not b and not c and a > 0 and d > 0
            x, y, wide, high = (e, f, a * width, d * height) if upright else (0, 0, 1, 1)
            picture = Picture(shown.picture.asset, shown.picture.source, x, y, wide, high, desk.role)
            whole = (a * width, b * width, c * height, d * height, e, f)
            items = [picture if upright else Group((picture,), whole)]
        else:
            items = place_nested(desk, shown.data, replace(spot, matrix=matrix), node, (shown.width, shown.height))
        if how.how == "slice" and items:
            return [Group(tuple(items), clip=draw_rect_path(*box, spot.matrix))]
        return items


def place_nested(
    desk: ReaderState, data: bytes, spot: NodeContext, node: Element, size: tuple[float, float]
) -> list[Item]:
    """Return a drawing (`data`) of this `size` in a drawing, at the context's position; nothing if it is invalid."""
    within = desk.enter_reference(spot, node)
    if within is None:
        return []
    try:
        root = read_art_tree(data, lambda _: desk.locate(node.at))
    except ProblemsFound as found:
        desk.notes.add(node.at, f"an inner drawing is ignored: {found.problems[0].what}")
        return []
    apply_cascade(root, desk.notes)
    for inner in root.iter_elements():
        inner.at = node.at
    own = replace(desk, ids=index_by_id(root))
    style = own.derive_style(make_initial_style("ink"), root, spot.measure)
    outer = replace(within, style=style)
    items = ArtWalker(own).draw_viewport(root, outer, (0.0, 0.0, *size))
    desk.drawn, desk.softened = own.drawn, own.softened
    return items
