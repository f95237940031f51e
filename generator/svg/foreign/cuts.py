"""What clip paths and masks leave of a drawing's elements."""

from dataclasses import replace
from typing import Protocol

from generator.model.drawing import Group, Item, Mask, Shape
from generator.model.geometry import Matrix
from generator.svg.foreign.desk import Desk, Station
from generator.svg.foreign.nodes import Node
from generator.svg.foreign.outlines import rect_path
from generator.svg.foreign.style import local_name
from generator.svg.outlines import clockwise
from generator.units import Rect


class Draws(Protocol):
    """Who draws elements."""

    def inside(self, node: Node, spot: Station) -> list[Item]:
        """What the elements within one draw."""

    def drawn(self, node: Node, spot: Station) -> list[Item]:
        """What an element draws."""

    def transform(self, node: Node, spot: Station) -> Matrix:
        """An element's transform."""

    def local_box(self, node: Node, spot: Station) -> Rect | None:
        """The box around what an element fills, in its own units."""


class Cuts:
    """Clips and masks of one drawing."""

    def __init__(self, desk: Desk, draws: Draws):
        self.desk, self._notes, self._draws = desk, desk.notes, draws

    def clipped(self, node: Node, spot: Station, items: list[Item], text: str) -> list[Item]:
        """Items cut off at a clip path."""
        desk = self.desk
        target = desk.ids.get(local_name(text))
        if target is None or target.tag != "clipPath":
            self._notes.add(node.at, f"clip-path: there is no clipPath '{text[:40]}'")
            return items
        within = desk.enter(spot, target)
        if within is None:
            return []
        if target.attributes.get("clipPathUnits", "").strip() == "objectBoundingBox":
            box = self._draws.local_box(node, spot)
            if box is None:
                return []
            within = within.moved((box.width, 0.0, 0.0, box.height, box.x, box.y))
        within = replace(within, style=desk.standing(target)).moved(self._draws.transform(target, within))
        desk.clipping += 1
        try:
            shapes = [
                item for child in target.children if child.tag != "g" for item in self._draws.drawn(child, within)
            ]
        finally:
            desk.clipping -= 1
        cut = _clipping(tuple(items), shapes)
        own = target.declared.get("clip-path", "none")
        if own not in ("none", "") and cut:
            return self.clipped(target, replace(within, matrix=spot.matrix), cut, own)
        return cut

    def masked(self, node: Node, spot: Station, items: list[Item], text: str) -> list[Item]:
        """Items as far as a mask shows them."""
        desk = self.desk
        target = desk.ids.get(local_name(text))
        if target is None or target.tag != "mask":
            self._notes.add(node.at, f"mask: there is no mask '{text[:40]}'")
            return items
        within = desk.enter(spot, target)
        if within is None:
            return []
        given = target.attributes
        box: Rect | None = None
        in_box = given.get("maskUnits", "objectBoundingBox").strip() != "userSpaceOnUse"
        content_in_box = given.get("maskContentUnits", "").strip() == "objectBoundingBox"
        if in_box or content_in_box:
            box = self._draws.local_box(node, spot)
            if box is None:
                return []
        x, y, width, height = desk.region(target, spot, box if in_box else None)
        within = replace(within, style=desk.standing(target))
        if content_in_box and box is not None:
            within = within.moved((box.width, 0.0, 0.0, box.height, box.x, box.y))
        alpha = (target.declared.get("mask-type") or given.get("mask-type", "")).strip() == "alpha"
        linear, desk.linear = desk.linear, target.declared.get("color-interpolation") == "linearRGB"
        desk.masking += 1
        try:
            shown = self._draws.inside(target, within)
            own = target.declared.get("mask", "none")
            if own not in ("none", "") and shown:
                shown = self.masked(target, spot, shown, own)
        finally:
            desk.masking -= 1
            desk.linear = linear
        if not shown or width <= 0 or height <= 0:
            return []
        edge = rect_path(x, y, width, height, spot.matrix)
        return [Group(tuple(items), mask=Mask((Group(tuple(shown), clip=edge),), alpha))]


def _clipping(items: tuple[Item, ...], shapes: list[Item]) -> list[Item]:
    """Items cut off at shapes: by one outline where these can be one, else by a mask."""
    if not shapes:
        return []
    plain = [shape for shape in shapes if isinstance(shape, Shape)]
    if len(plain) == len(shapes):
        if len(plain) == 1:
            return [Group(items, clip=plain[0].path, clip_even_odd=plain[0].even_odd)]
        if not any(shape.even_odd for shape in plain):
            return [Group(items, clip=" ".join([clockwise(shape.path) for shape in plain]))]
    return [Group(items, mask=Mask(tuple(shapes)))]
