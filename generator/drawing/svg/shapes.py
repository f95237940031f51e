"""Shapes and pictures of templates: outline, fill, stroke, clip, and attributes that are not allowed."""

from typing import TypeAlias

from generator.base.display_list import ArtNote, Group, Item, Picture
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import IDENTITY, Matrix
from generator.base.path_data import to_canonical_path
from generator.drawing.svg import shape_outlines as outline
from generator.drawing.svg.paint_servers import GRADIENTS
from generator.drawing.svg.scene import Scene, check_names, check_undrawn
from generator.drawing.svg.shape_outlines import draw_rectangle
from generator.drawing.svg.style import PaintLink, Style, parse_reference
from generator.drawing.svg.template_state import TemplateWalker, open_state
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
    read_choice,
)

Items: TypeAlias = tuple[Item, ...]
UNITS = read_choice({name: name for name in ("objectBoundingBox", "userSpaceOnUse")})
_PAINTS = GRADIENTS | {"pattern"}
_FREE_LENGTH = 1000
"""Maximum length of an outline that counts as one element. Each segment of a longer one counts as two."""

_MOST_SEGMENTS = MOST_ELEMENTS // 2


def draw_shape(scene: Scene, element: Element, style: Style, _: Matrix = IDENTITY) -> Items:
    """Draw the shape. Return nothing if it would be invisible."""
    path = read_shape_outline(scene, element)
    for paint in (style.fill, style.stroke):
        if isinstance(paint, PaintLink):
            target = find_referred(scene, element, f"url(#{paint.name})", _PAINTS, "gradient or pattern")
            if target is None or not check_links(scene, target):
                return ()
    return paint_outline(scene, element, style, path)


def paint_outline(scene: Scene, element: Element, style: Style, path: str) -> Items:
    """Return an outline with its fill, stroke and markers."""
    if not path:
        return ()
    state = open_state(scene)
    state.role = style.role or "art"
    return tuple(state.painter.paint_path(element, state.make_context(style), path, path))


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
    try:
        path = to_canonical_path(outline.describe_outline(element, lambda name: scene.read_length(element, name, None)))
    except InvalidInput as mistake:
        scene.add_problem(element, str(mistake), mistake.hint)
        return ""
    segments = sum(map(path.count, "LC")) if len(path) > _FREE_LENGTH else 0
    if segments > _MOST_SEGMENTS:
        what = f"an outline of {segments:,} segments; {_MOST_SEGMENTS:,} are the most"
        scene.add_problem(element, what, "simplify it")
        return ""
    scene.weight += 2 * segments
    return path


def check_links(scene: Scene, element: Element) -> bool:
    """Report mistakes in a gradient or pattern and in those that it refers to. Return True if the references work."""
    chain = [element]
    while True:
        last = chain[-1]
        check_names(scene, last)
        if last.tag in GRADIENTS:
            check_undrawn(scene, last)
            scene.read_value(last, "gradientUnits", UNITS, None)
        name = find_link(last)
        if not name:
            return True
        sort = "pattern" if last.tag == "pattern" else "gradient"
        target = scene.ids.get(name[1:]) if name.startswith("#") else None
        if target is None or target.tag not in _PAINTS or (target.tag == "pattern") != (last.tag == "pattern"):
            known = [f"#{key}" for key, value in scene.ids.items() if value.tag in _PAINTS]
            scene.add_problem(last, f"there is no {sort} '{name}'", did_you_mean(name, known))
            return False
        if target in chain:
            scene.add_problem(last, f"the {sort} '{name}' refers to itself")
            return False
        chain.append(target)


def find_referred(scene: Scene, element: Element, text: str, tags: frozenset[str], what: str) -> Element | None:
    """Return the element that `url(#id)` means if it is one of `tags`, or None (and a problem) otherwise."""
    name = parse_reference(text)
    target = scene.ids.get(name)
    if not name:
        scene.add_problem(element, f"'{text}' is not a reference", "write url(#id)")
    elif target is None or target.tag not in tags:
        known = [key for key, other in scene.ids.items() if other.tag in tags]
        scene.add_problem(element, f"there is no {what} '#{name}'", did_you_mean(name, known))
        return None
    return target


def clip_items(scene: Scene, element: Element, items: Items) -> Items:
    """Return what an element's clip path leaves of its items."""
    text = element.properties.get("clip-path", "none")
    target = None if text == "none" else find_referred(scene, element, text, frozenset(["clipPath"]), "clipPath")
    if target is None:
        return items
    check_names(scene, target)
    check_undrawn(scene, target)
    scene.read_value(target, "clipPathUnits", UNITS, None)
    state = open_state(scene)
    link = f"url(#{target.attributes['id']})"
    clipped = TemplateWalker(state, items).clip_items(element, state.make_context(), [*items], link)
    if not clipped and items:
        scene.add_problem(target, "the clipPath has no area, so nothing would show")
    return tuple(clipped)


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
    sides = dict(zip(("x", "y", "width", "height"), map(repr, box), strict=True))
    return read_shape_outline(scene, Element("rect", {**element.attributes, **sides}, element.at))


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
