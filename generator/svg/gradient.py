"""Gradients: from <linearGradient> and <radialGradient>, inheritance by href included, to fills of one shape."""

from collections.abc import Callable

from generator.errors import did_you_mean
from generator.model.drawing import Gradient, Paint
from generator.model.geometry import IDENTITY, times
from generator.svg.faults import check_names
from generator.svg.outlines import extent
from generator.svg.paint import CURRENT, declarations
from generator.svg.scene import Scene
from generator.svg.subset import attribute_hint
from generator.svg.tree import Element
from generator.svg.values import length, ratio, transform

KINDS = frozenset(["linearGradient", "radialGradient"])
_LINKS = ("href", "xlink:href")


def gradient_fill(scene: Scene, element: Element, path: str) -> Gradient | Paint | None:
    """What the gradient `element` paints a shape with; one colour where it has one stop, None where it has none."""
    chain = _chain(scene, element)
    merged: dict[str, tuple[str, Element]] = {}
    for link in reversed(chain):
        check_names(scene, link)
        merged |= {name: (text, link) for name, text in link.attributes.items() if name not in ("id", *_LINKS)}
    stops = next((found for link in chain if (found := _stops(scene, link))), ())
    by_box = merged.get("gradientUnits", ("objectBoundingBox", element))[0]
    if by_box not in ("objectBoundingBox", "userSpaceOnUse"):
        scene.complain(element, f"gradientUnits is '{by_box}'", "use objectBoundingBox or userSpaceOnUse")
    if merged.get("spreadMethod", ("pad", element))[0] != "pad":
        scene.complain(merged["spreadMethod"][1], "spreadMethod can only be pad", "repeat the stops instead")
    own = Element(element.tag, {name: text for name, (text, _) in merged.items()}, element.at)
    matrix = scene.value(own, "gradientTransform", transform, IDENTITY)
    in_box = by_box == "objectBoundingBox"
    line = _line(scene, own, ratio if in_box else length, 1.0 if in_box else 0.0)
    if len(stops) < 2:
        return stops[0][1] if stops else None
    if in_box:
        x, y, width, height = extent(path)
        if not width or not height:
            return None
        matrix = times((width, 0.0, 0.0, height, x, y), matrix)
    return Gradient("linear" if element.tag == "linearGradient" else "radial", line, stops, matrix)


def _chain(scene: Scene, element: Element) -> list[Element]:
    """The gradient and those that it takes stops and attributes from."""
    chain = [element]
    while True:
        name = next((element.attributes[link] for link in _LINKS if link in element.attributes), "")
        if not name:
            return chain
        target = scene.ids.get(name[1:]) if name.startswith("#") else None
        if target is None or target.tag not in KINDS:
            known = [f"#{key}" for key, value in scene.ids.items() if value.tag in KINDS]
            scene.complain(element, f"there is no gradient '{name}'", did_you_mean(name, known))
            return chain
        if target in chain:
            scene.complain(element, f"the gradient '{name}' refers to itself")
            return chain
        chain.append(target)
        element = target


def _line(scene: Scene, own: Element, read: Callable[[str], float], whole: float) -> tuple[float, ...]:
    if own.tag == "linearGradient":
        defaults = {"x1": 0.0, "y1": 0.0, "x2": whole, "y2": 0.0}
        return tuple(scene.value(own, name, read, default) for name, default in defaults.items())
    half = whole / 2
    cx, cy, r = (scene.value(own, name, read, half) for name in ("cx", "cy", "r"))
    if r <= 0:
        scene.complain(own, "r of a radialGradient is not above 0")
    return (cx, cy, r, scene.value(own, "fx", read, cx), scene.value(own, "fy", read, cy))


def _stops(scene: Scene, element: Element) -> tuple[tuple[float, Paint], ...]:
    stops: list[tuple[float, Paint]] = []
    furthest = 0.0
    for child in element.children:
        if child.tag != "stop":
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>", "it takes <stop> only")
            continue
        check_names(scene, child)
        furthest = max(furthest, min(1.0, max(0.0, scene.value(child, "offset", ratio, 0.0))))
        stops.append((furthest, _stop_paint(scene, child)))
    return tuple(stops)


def _stop_paint(scene: Scene, stop: Element) -> Paint:
    text = stop.attributes.get("stop-color", "ink")
    for name, value in scene.value(stop, "style", declarations, ()):
        if name == "stop-color":
            text = value
        else:
            scene.complain(stop, f"unknown property '{name}' in style", attribute_hint(name, frozenset(["stop-color"])))
    if text == CURRENT:
        return scene.current
    paint: Paint | None = scene.value(
        Element("stop", {"stop-color": text}, stop.at), "stop-color", scene.studio.paints.read, "ink"
    )
    if paint is None:
        scene.complain(stop, "a stop's colour cannot be none", "use the colour of the ground behind it")
    return paint or "ink"
