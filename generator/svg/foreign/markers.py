"""Markers: arrow heads and the like at the corners of an outline."""

from collections.abc import Callable
from dataclasses import replace

from generator.errors import Unfit
from generator.model.drawing import Group, Item
from generator.model.geometry import shift, times, turn
from generator.model.path_data import canonical_as_far
from generator.svg.foreign.desk import Desk, Station
from generator.svg.foreign.measures import Box, Measure, aspect, degrees_of, fitted, length, numbers
from generator.svg.foreign.nodes import Node
from generator.svg.foreign.outlines import Corner, corners, rect_path

_MOST = 2_000


def marked(desk: Desk, spot: Station, data: str, draw: Callable[[Node, Station], list[Item]]) -> list[Item]:
    """The markers of an outline in user units."""
    fine = 1000 / max(spot.measure.width, spot.measure.height, 1e-6)
    path = canonical_as_far(data, (fine, 0.0, 0.0, fine, 0.0, 0.0))[0]
    spots = [Corner(corner.x / fine, corner.y / fine, corner.angle) for corner in corners(path)]
    items: list[Item] = []
    first, middle, last = (desk.ids.get(name) if name else None for name in spot.style.markers)
    for node, some in ((first, spots[:1]), (middle, spots[1:-1]), (last, spots[-1:])):
        if node is None or node.tag != "marker":
            continue
        if len(some) > _MOST:
            desk.notes.add(node.at, f"a marker stands on more than {_MOST:,} corners: those after them are left out")
        for corner in some[:_MOST]:
            start = node is first and some == spots[:1]
            items += _marker(desk, node, spot, corner, start, draw)
    return items


def _marker(
    desk: Desk, node: Node, spot: Station, corner: Corner, start: bool, draw: Callable[[Node, Station], list[Item]]
) -> list[Item]:
    within = desk.enter(spot, node)
    if within is None:
        return []
    given = node.attributes

    def read(name: str, axis: str, default: float, measure: Measure = spot.measure) -> float:
        return desk.number(node, name, lambda text: length(text, measure, axis), default)

    width, height = read("markerWidth", "x", 3.0), read("markerHeight", "y", 3.0)
    if width <= 0 or height <= 0:
        return []
    orient, angle = given.get("orient", "0").strip(), 0.0
    if orient in ("auto", "auto-start-reverse"):
        angle = corner.angle + (180 if start and orient != "auto" else 0)
    else:
        try:
            angle = degrees_of(orient)
        except Unfit:
            desk.notes.add(node.at, f"orient: '{orient[:40]}' is not understood")
    by = times(shift(corner.x, corner.y), turn(angle))
    if given.get("markerUnits", "strokeWidth").strip() != "userSpaceOnUse":
        by = times(by, (spot.style.width, 0.0, 0.0, spot.style.width, 0.0, 0.0))
    view = numbers(given.get("viewBox", ""))
    size = (width, height)
    own = shift(0.0, 0.0)
    if len(view) == 4:
        if view[2] <= 0 or view[3] <= 0:
            return []
        shown: Box = (view[0], view[1], view[2], view[3])
        how = aspect(given.get("preserveAspectRatio", ""))
        own, size = fitted(shown, (0.0, 0.0, width, height), how), (view[2], view[3])
    measure = Measure(spot.measure.em, *size)
    named = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}
    origin = []
    for name, axis, side in (("refX", "x", 0), ("refY", "y", 1)):
        word = given.get(name, "").strip()
        if word in named:
            origin.append((view[side] if len(view) == 4 else 0.0) + named[word] * size[side])
        else:
            origin.append(read(name, axis, 0.0, measure))
    x, y = own[0] * origin[0] + own[4], own[3] * origin[1] + own[5]
    by = times(by, shift(-x, -y))
    frame = within.moved(by)
    style = replace(desk.standing(node), markers=("", "", ""))
    context = (spot.style.fill, spot.style.stroke)
    items = draw(node, replace(frame, style=style, measure=measure, context=context).moved(own))
    if not items or node.declared.get("overflow", "hidden") in ("visible", "auto"):
        return items
    return [Group(tuple(items), clip=rect_path(0.0, 0.0, width, height, frame.matrix))]
