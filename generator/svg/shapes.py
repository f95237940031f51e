"""Shapes: an element's outline, fill, stroke and clip as items of the display list."""

import re

from generator.errors import Unfit, did_you_mean
from generator.model.drawing import Gradient, Paint, Shape
from generator.model.geometry import IDENTITY, times
from generator.model.path_data import canonical
from generator.svg import outlines as outline
from generator.svg.faults import check_names
from generator.svg.gradient import KINDS, gradient_fill
from generator.svg.paint import CURRENT, INITIAL, Style, declarations
from generator.svg.scene import Scene
from generator.svg.subset import SHAPES
from generator.svg.tree import MOST_ELEMENTS, Element
from generator.svg.values import length, transform

_FREE_LENGTH = 1000
"""Up to so many characters an outline weighs no more than its element; each segment of a longer one, two elements."""

_MOST_SEGMENTS = MOST_ELEMENTS // 2

_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")


def shape_items(scene: Scene, element: Element, style: Style) -> tuple[Shape, ...]:
    """The shape, or nothing where it would leave no mark."""
    path = _path(scene, element)
    fill = _fill(scene, element, style, path)
    stroke = _stroke(scene, element, style)
    if not path or (fill is None and stroke is None):
        return ()
    role = style.role or "art"
    if stroke is None:
        return (Shape(path, fill, even_odd=style.even_odd, role=role),)
    line = (style.width, style.cap, style.join, style.miter, style.dash)
    return (Shape(path, fill, stroke, *line, style.even_odd, role),)


def _path(scene: Scene, element: Element) -> str:
    """A shape's outline; empty when it has none or its geometry is wrong (a problem). Long ones weigh."""
    path = _read_path(scene, element)
    segments = sum(map(path.count, "LC")) if len(path) > _FREE_LENGTH else 0
    if segments > _MOST_SEGMENTS:
        scene.complain(element, f"an outline of {segments:,} segments; {_MOST_SEGMENTS:,} are the most", "simplify it")
        return ""
    scene.weight += 2 * segments
    return path


def _read_path(scene: Scene, element: Element) -> str:
    def read(name: str, default: float) -> float:
        value: float = scene.value(element, name, length, default)
        return value

    try:
        match element.tag:
            case "path":
                return canonical(element.attributes.get("d", ""))
            case "rect":
                return outline.rect_outline(read, element.attributes.__contains__)
            case "circle":
                return outline.circle_outline(read)
            case "ellipse":
                return outline.ellipse_outline(read)
            case "line":
                return outline.line_outline(read)
            case _:
                return outline.points_outline(element.attributes.get("points", ""), element.tag == "polygon")
    except Unfit as mistake:
        scene.complain(element, str(mistake), mistake.hint)
        return ""


def _fill(scene: Scene, element: Element, style: Style, path: str) -> Paint | Gradient | None:
    if style.fill is None or style.fill in scene.studio.paints.names:
        return style.fill
    if style.fill == CURRENT:
        return style.color or scene.current
    if not style.fill.startswith("url("):
        return style.fill
    gradient = _referred(scene, element, style.fill, KINDS, "gradient")
    return gradient_fill(scene, gradient, path) if gradient is not None else None


def _stroke(scene: Scene, element: Element, style: Style) -> Paint | None:
    if style.stroke is not None and style.stroke.startswith("url("):
        scene.complain(element, "a stroke cannot be a gradient", "use a colour, or draw the line as a filled shape")
        return None
    if not style.width:
        return None
    return (style.color or scene.current) if style.stroke == CURRENT else style.stroke


def _referred(scene: Scene, element: Element, text: str, tags: frozenset[str], what: str) -> Element | None:
    """The element that `url(#id)` means, if it is one of `tags`; a problem otherwise."""
    match = _URL.fullmatch(text.strip())
    target = scene.ids.get(match[1]) if match else None
    if match is None:
        scene.complain(element, f"'{text}' is not a reference", "write url(#id)")
    elif target is None or target.tag not in tags:
        known = [name for name, other in scene.ids.items() if other.tag in tags]
        scene.complain(element, f"there is no {what} '#{match[1]}'", did_you_mean(match[1], known))
        return None
    return target


def clip_of(scene: Scene, element: Element) -> tuple[str, bool]:
    """The path that an element is clipped to, in its own coordinates; empty for none."""
    text = element.attributes.get("clip-path")
    styled = element.attributes.get("style", "")
    if "clip-path" in styled:
        text = next(
            (value for name, value in scene.value(element, "style", declarations, ()) if name == "clip-path"), text
        )
    if text is None or text == "none":
        return "", False
    target = _referred(scene, element, text, frozenset(["clipPath"]), "clipPath")
    if target is None:
        return "", False
    check_names(scene, target)
    if target.attributes.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse":
        scene.complain(target, "clipPathUnits can only be userSpaceOnUse")
    whole = scene.value(target, "transform", transform, IDENTITY)
    paths: list[str] = []
    even_odd = False
    for child in target.children:
        if child.tag not in SHAPES:
            if child.tag not in ("title", "desc"):
                scene.complain(child, f"<{child.tag}> cannot stand in <clipPath>", "it takes shapes only")
            continue
        check_names(scene, child)
        style = scene.studio.styles.derived(INITIAL, child.attributes, lambda _what, _hint: None)
        even_odd = even_odd or style.clip_even_odd
        path = _path(scene, child)
        paths.append(outline.transformed(path, times(whole, scene.value(child, "transform", transform, IDENTITY))))
    if even_odd and len(paths) > 1:
        scene.complain(target, "clip-rule evenodd works in a clipPath of one shape only", "draw one path instead")
    if len(paths) > 1:
        paths = [outline.clockwise(path) for path in paths]
    united = " ".join(path for path in paths if path)
    if not united:
        scene.complain(target, "the clipPath has no area, so nothing would show")
    return united, even_odd
