"""Shapes and pictures of templates: outline, fill, stroke, clip, and attributes that are not allowed."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from generator.base.display_list import ArtNote, Gradient, Group, Item, Mask, Paint, Picture, Shape
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import multiply
from generator.base.path_data import to_canonical_path
from generator.drawing.svg import shape_outlines as outline
from generator.drawing.svg.elements import SHAPES, suggest_attribute
from generator.drawing.svg.scene import CLEAR_IN_DRAWING, Scene, check_names
from generator.drawing.svg.shape_outlines import draw_rectangle, measure_extent, read_rect_outline
from generator.drawing.svg.style import (
    CURRENT,
    INITIAL,
    Style,
    Tiles,
    VeiledGradient,
    parse_declarations,
    parse_opacity,
    split_alpha,
)
from generator.drawing.svg.tree import MOST_ELEMENTS, Element, find_link
from generator.drawing.svg.values import (
    FITS,
    MEET,
    Aspect,
    Box,
    fit_box,
    is_filling_box,
    parse_aspect,
    parse_focus,
    parse_length,
    parse_ratio,
    read_choice,
)

KINDS = frozenset(["linearGradient", "radialGradient"])
_PAINTS = KINDS | {"pattern"}
_LINKS = ("href", "xlink:href")


def read_gradient(scene: Scene, element: Element, path: str) -> Gradient | VeiledGradient | Paint | None:
    """Return the paint of a gradient: one colour if it has one stop, None if it has none."""
    chain = _follow_chain(scene, element)
    merged: dict[str, tuple[str, Element]] = {}
    for link in reversed(chain):
        check_names(scene, link)
        merged |= {name: (text, link) for name, text in link.attributes.items() if name not in ("id", *_LINKS)}
    scene.weight += sum(len(link.children) for link in chain) // 8
    if scene.weight > MOST_ELEMENTS:  # reported for the whole drawing
        return None
    stops = next((found for link in chain if (found := _read_stops(scene, link))), ())
    by_box = merged.get("gradientUnits", ("objectBoundingBox", element))[0]
    if by_box not in ("objectBoundingBox", "userSpaceOnUse"):
        scene.add_problem(element, f"gradientUnits is '{by_box}'", "use objectBoundingBox or userSpaceOnUse")
    if merged.get("spreadMethod", ("pad", element))[0] != "pad":
        scene.add_problem(merged["spreadMethod"][1], "spreadMethod can only be pad", "repeat the stops instead")
    own = Element(element.tag, {name: text for name, (text, _) in merged.items()}, element.at)
    matrix = scene.read_transform(own, "gradientTransform")
    in_box = by_box == "objectBoundingBox"
    line = _read_line(scene, own, parse_ratio if in_box else parse_length, 1.0 if in_box else 0.0)
    paints = tuple([(offset, paint) for offset, paint, _ in stops])
    veiled = any(covers < 1 for _, _, covers in stops)
    if len(stops) < 2:
        if not veiled:
            return stops[0][1] if stops else None
        stops, paints = (stops[0], stops[0]), (paints[0], (1.0, paints[0][1]))
    if in_box:
        x, y, width, height = measure_extent(path)
        if not width or not height:
            return None
        matrix = multiply((width, 0.0, 0.0, height, x, y), matrix)
    made = Gradient("linear" if element.tag == "linearGradient" else "radial", line, paints, matrix)
    if not veiled:
        return made
    greys = tuple([(offset, "#" + f"{round(255 * covers):02x}" * 3) for offset, _, covers in stops])
    return VeiledGradient(made, replace(made, stops=greys))


def _follow_chain(scene: Scene, element: Element) -> list[Element]:
    chain = [element]
    while True:
        name = next((element.attributes[link] for link in _LINKS if link in element.attributes), "")
        if not name:
            return chain
        target = scene.ids.get(name[1:]) if name.startswith("#") else None
        if target is None or target.tag not in KINDS:
            known = [f"#{key}" for key, value in scene.ids.items() if value.tag in KINDS]
            scene.add_problem(element, f"there is no gradient '{name}'", did_you_mean(name, known))
            return chain
        if target in chain:
            scene.add_problem(element, f"the gradient '{name}' refers to itself")
            return chain
        chain.append(target)
        element = target


def _read_line(scene: Scene, own: Element, read: Callable[[str], float], whole: float) -> tuple[float, ...]:
    if own.tag == "linearGradient":
        defaults = {"x1": 0.0, "y1": 0.0, "x2": whole, "y2": 0.0}
        return tuple(scene.read_value(own, name, read, default) for name, default in defaults.items())
    half = whole / 2
    cx, cy, r = (scene.read_value(own, name, read, half) for name in ("cx", "cy", "r"))
    if r <= 0:
        scene.add_problem(own, "r of a radialGradient is not above 0")
    return (cx, cy, r, scene.read_value(own, "fx", read, cx), scene.read_value(own, "fy", read, cy))


_Stop: TypeAlias = tuple[float, Paint, float]
"""The offset of a colour, the colour, and its opacity."""


def _read_stops(scene: Scene, element: Element) -> tuple[_Stop, ...]:
    stops: list[_Stop] = []
    furthest = 0.0
    for child in element.children:
        if child.tag != "stop":
            scene.add_problem(child, f"<{child.tag}> cannot stand in <{element.tag}>", "it takes <stop> only")
            continue
        check_names(scene, child)
        furthest = max(furthest, min(1.0, max(0.0, scene.read_value(child, "offset", parse_ratio, 0.0))))
        stops.append((furthest, *_read_stop_paint(scene, child)))
    return tuple(stops)


_STOPS = frozenset(["stop-color", "stop-opacity"])


def _read_stop_paint(scene: Scene, stop: Element) -> tuple[Paint, float]:
    given = {name: text for name, text in stop.attributes.items() if name in _STOPS}
    for name, value in scene.read_value(stop, "style", parse_declarations, ()):
        if name in (_STOPS if scene.design is not None else ("stop-color",)):
            given[name] = value
        else:
            scene.add_problem(stop, f"unknown property '{name}' in style", suggest_attribute(name, _STOPS))
    own = Element("stop", given, stop.at)
    covers: float = scene.read_value(own, "stop-opacity", parse_opacity, 1.0)
    if given.get("stop-color") == CURRENT:
        return scene.current, covers
    paints = scene.studio.paints
    paint: Paint | None = scene.read_value(own, "stop-color", paints.read_inherited, "ink")
    if paint is None:
        scene.add_problem(stop, "a stop's colour cannot be none", "use the colour of the ground behind it")
    elif paint.startswith("url("):
        scene.add_problem(stop, "a stop's colour cannot be a gradient", "use a colour")
        paint = "ink"
    colour, own_share = split_alpha(paint or "ink")
    if scene.design is None and own_share < 1:
        scene.add_problem(stop, *CLEAR_IN_DRAWING)
    return colour, own_share * covers


_FREE_LENGTH = 1000
"""Maximum length of an outline that counts as one element. Each segment of a longer one counts as two."""

_MOST_SEGMENTS = MOST_ELEMENTS // 2

_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")


def draw_shape(scene: Scene, element: Element, style: Style) -> tuple[Item, ...]:
    """Draw the shape. Return nothing if it would be invisible."""
    path = read_shape_outline(scene, element)
    fill = _resolve_fill(scene, element, style, path)
    stroke = _resolve_stroke(scene, element, style)
    if not path or (fill is None and stroke is None):
        return ()
    role = style.role or "art"
    if style.clear or isinstance(fill, tuple):
        shape = Shape(path, role=role)
        covers = (split_alpha(fill)[1] if isinstance(fill, str) else 1.0) * style.fill_opacity
        filled = fade_items(_fill_outline(replace(shape, even_odd=style.even_odd), fill), covers)
        lined = stroke_outline(shape, stroke, style)
        return (*lined, *filled) if style.stroke_first else (*filled, *lined)
    if stroke is None:
        return (Shape(path, fill, even_odd=style.even_odd, role=role),)
    line = (style.width, style.cap, style.join, style.miter, style.dash)
    return (Shape(path, fill, stroke, *line, style.even_odd, role),)


def read_sides(scene: Scene, element: Element, width: float, height: float, *, natural: bool) -> tuple[float, float]:
    """Return an element's width and height for a content with this shape; `natural` is used if neither is given."""
    across = scene.read_length(element, "width", None)
    down = scene.read_length(element, "height", None)
    if across is None and down is None:
        return (width, height) if natural else (0.0, 0.0)
    if across is None:
        return down * width / height, down
    return across, across * height / width if down is None else down


def read_shape_outline(scene: Scene, element: Element) -> str:
    """Return a shape's outline, or an empty string if it has none or is invalid (a problem). Count long ones."""
    path = _read_path(scene, element)
    segments = sum(map(path.count, "LC")) if len(path) > _FREE_LENGTH else 0
    if segments > _MOST_SEGMENTS:
        what = f"an outline of {segments:,} segments; {_MOST_SEGMENTS:,} are the most"
        scene.add_problem(element, what, "simplify it")
        return ""
    scene.weight += 2 * segments
    return path


def _read_path(scene: Scene, element: Element) -> str:
    def read(name: str, default: float) -> float:
        value: float = scene.read_length(element, name, default)
        return value

    try:
        match element.tag:
            case "path":
                return to_canonical_path(element.attributes.get("d", ""))
            case "rect":
                return outline.read_rect_outline(read, element.attributes.__contains__)
            case "circle":
                return outline.read_circle_outline(read)
            case "ellipse":
                return outline.read_ellipse_outline(read)
            case "line":
                return outline.read_line_outline(read)
            case _:
                return outline.parse_points(element.attributes.get("points", ""), element.tag == "polygon")
    except InvalidInput as mistake:
        scene.add_problem(element, str(mistake), mistake.hint)
        return ""


def _resolve_fill(
    scene: Scene, element: Element, style: Style, path: str
) -> Paint | Gradient | VeiledGradient | Tiles | None:
    if style.fill is None or style.fill in scene.studio.paints.names:
        return style.fill
    if style.fill == CURRENT:
        return style.color or scene.current
    if not style.fill.startswith("url("):
        return style.fill
    kinds, what = (KINDS, "gradient") if scene.design is None else (_PAINTS, "gradient or pattern")
    target = find_referred(scene, element, style.fill, kinds, what)
    if target is None:
        return None
    if target.tag == "pattern":
        from generator.drawing.svg.pattern_tiles import draw_tiles

        return draw_tiles(scene, element, target, path, style.role or "art")
    return read_gradient(scene, target, path)


def _resolve_stroke(scene: Scene, element: Element, style: Style) -> Paint | None:
    if style.stroke is not None and style.stroke.startswith("url("):
        scene.add_problem(element, "a stroke cannot be a gradient", "use a colour, or draw the line as a filled shape")
        return None
    if not style.width:
        return None
    return (style.color or scene.current) if style.stroke == CURRENT else style.stroke


def find_referred(scene: Scene, element: Element, text: str, tags: frozenset[str], what: str) -> Element | None:
    """Return the element that `url(#id)` means if it is one of `tags`, or None (and a problem) otherwise."""
    match = _URL.fullmatch(text.strip())
    target = scene.ids.get(match[1]) if match else None
    if match is None:
        scene.add_problem(element, f"'{text}' is not a reference", "write url(#id)")
    elif target is None or target.tag not in tags:
        known = [name for name, other in scene.ids.items() if other.tag in tags]
        scene.add_problem(element, f"there is no {what} '#{match[1]}'", did_you_mean(match[1], known))
        return None
    return target


def read_clip(scene: Scene, element: Element) -> tuple[str, bool]:
    """Return the path that clips an element, in its own coordinates, or an empty string."""
    text = element.attributes.get("clip-path")
    styled = element.attributes.get("style", "")
    if "clip-path" in styled:
        declared = scene.read_value(element, "style", parse_declarations, ())
        text = next((value for name, value in declared if name == "clip-path"), text)
    if text is None or text == "none":
        return "", False
    target = find_referred(scene, element, text, frozenset(["clipPath"]), "clipPath")
    if target is None:
        return "", False
    check_names(scene, target)
    if target.attributes.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse":
        scene.add_problem(target, "clipPathUnits can only be userSpaceOnUse")
    whole = scene.read_transform(target)
    paths: list[str] = []
    even_odd = False
    for child in target.children:
        if child.tag not in SHAPES:
            if child.tag not in ("title", "desc"):
                scene.add_problem(child, f"<{child.tag}> cannot stand in <clipPath>", "it takes shapes only")
            continue
        check_names(scene, child)
        style = scene.studio.styles.derive_style(INITIAL, child.attributes, lambda _what, _hint: None)
        even_odd = even_odd or style.clip_even_odd
        path = read_shape_outline(scene, child)
        matrix = scene.read_transform(child)
        paths.append(outline.transform_path(path, multiply(whole, matrix)))
    if even_odd and len(paths) > 1:
        scene.add_problem(target, "clip-rule evenodd works in a clipPath of one shape only", "draw one path instead")
    if len(paths) > 1:
        paths = [outline.make_clockwise(path) for path in paths]
    united = " ".join(path for path in paths if path)
    if not united:
        scene.add_problem(target, "the clipPath has no area, so nothing would show")
    return united, even_odd


def draw_picture(scene: Scene, element: Element, style: Style) -> tuple[Item, ...]:
    """Draw the picture in its box. A missing width or height follows from the other one."""
    try:
        bitmap = scene.studio.assets.find_bitmap(find_link(element))
    except InvalidInput as mistake:
        scene.add_name_problem(element, find_link(element), mistake)
        return ()
    scene.marks += map(ArtNote, bitmap.notes)
    shape = (0.0, 0.0, float(bitmap.width), float(bitmap.height))
    x, y = (scene.read_length(element, name, 0.0) for name in ("x", "y"))
    width, height = read_sides(scene, element, shape[2], shape[3], natural=False)
    if width <= 0 or height <= 0:
        scene.add_problem(element, "an <image> needs a width or a height above 0")
        return ()
    box = (x, y, width, height)
    aspect, focus = _read_fit(scene, element)
    matrix = fit_box(shape, box, aspect, focus)
    across, down = shape[2] * matrix[0], shape[3] * matrix[3]
    source = bitmap.path.as_posix()
    picture = Picture(bitmap.asset, source, matrix[4], matrix[5], across, down, role=style.role or "art")
    spills = not is_filling_box(shape, box, matrix) and (across > width + 1e-6 or down > height + 1e-6)
    if "rx" in element.attributes or "ry" in element.attributes:
        seen = box if spills else (matrix[4], matrix[5], across, down)
        return (Group((picture,), clip=_round_box(scene, element, seen)),)
    return (Group((picture,), clip=draw_rectangle(*box)),) if spills else (picture,)


def _round_box(scene: Scene, element: Element, box: Box) -> str:
    """Return a box with the element's corner radii, like those of a <rect>."""
    own = dict(zip(("x", "y", "width", "height"), box, strict=True))

    def read(name: str, default: float) -> float:
        return float(own[name] if name in own else scene.read_length(element, name, default))

    return read_rect_outline(read, element.attributes.__contains__)


def _read_fit(scene: Scene, element: Element) -> tuple[Aspect, tuple[float, float]]:
    said = element.attributes
    aspect: Aspect = scene.read_value(element, "preserveAspectRatio", parse_aspect, MEET)
    if "fit" in said:
        if "preserveAspectRatio" in said:
            scene.add_problem(element, "fit and preserveAspectRatio both say how the picture is fitted", "keep one")
        aspect = scene.read_value(element, "fit", read_choice(FITS), MEET)
    if not said.get("focus", "").strip():
        return aspect, _MIDDLE
    if aspect.how != "slice":
        why = "focus has no effect: the whole picture is in view"
        scene.add_problem(element, why, 'write fit="cover", or take it out')
    return aspect, scene.read_value(element, "focus", parse_focus, _MIDDLE)


_MIDDLE = (0.5, 0.5)


def fade_items(items: tuple[Item, ...], covers: float) -> tuple[Item, ...]:
    """Return items painted as one with an opacity (0 to 1), or nothing for 0."""
    if covers >= 1 or not items:
        return items
    return (Group(items, opacity=covers),) if covers > 0 else ()


def stroke_outline(shape: Shape, stroke: Paint | None, style: Style) -> tuple[Item, ...]:
    """Return only the line around an outline."""
    if stroke is None:
        return ()
    paint, covers = split_alpha(stroke)
    line = replace(
        shape, stroke=paint, width=style.width, cap=style.cap, join=style.join, miter=style.miter, dash=style.dash
    )
    return fade_items((line,), covers * style.stroke_opacity)


def _fill_outline(shape: Shape, fill: Gradient | VeiledGradient | Tiles | Paint | None) -> tuple[Item, ...]:
    if fill is None:
        return ()
    if isinstance(fill, str):
        return (replace(shape, fill=split_alpha(fill)[0]),)
    if isinstance(fill, Gradient):
        return (replace(shape, fill=fill),)
    if isinstance(fill, VeiledGradient):
        shown = Mask((replace(shape, fill=fill.alphas),))
        return (Group((replace(shape, fill=fill.gradient),), mask=shown),)
    return (Group(fill, clip=shape.path, clip_even_odd=shape.even_odd),) if fill else ()
