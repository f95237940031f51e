"""Draw the elements of a template: groups, symbols, icons, art and text, equal ones once."""

import math
import re
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, cast

from generator.base.display_list import ArtNote, Group, Item, Paint, PlacedSymbol, Role, StampPlace, Symbol
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import IDENTITY, Matrix, find_scale, map_point, multiply
from generator.base.outlines import DEEPEST_NESTING, is_too_deep
from generator.drawing.svg.art_files import ArtUse, draw_art, has_overflow
from generator.drawing.svg.face_areas import find_space_fault
from generator.drawing.svg.scene import (
    CHILDLESS,
    TOO_DEEP,
    BuiltElement,
    Scene,
    check_childless,
    check_names,
    check_undrawn,
    format_value_problem,
)
from generator.drawing.svg.shape_outlines import draw_rectangle
from generator.drawing.svg.shapes import (
    apply_style_sheets,
    clip_items,
    draw_picture,
    draw_shape,
    draw_static,
    read_sides,
)
from generator.drawing.svg.style import INITIAL, INK, PaintLink, Style
from generator.drawing.svg.texts import draw_text
from generator.drawing.svg.tree import DEEPEST, MOST_ELEMENTS, Element, find_link
from generator.drawing.svg.values import (
    MEET,
    Aspect,
    Box,
    fit_box,
    is_filling_box,
    parse_aspect,
    parse_view_box,
    read_choice,
)
from generator.drawing.svg.vocabulary import (
    EFFECTS,
    NEVER_DRAWN,
    OF_TEMPLATES,
    PAINTED,
    SHAPES,
    has_effects,
    suggest_element,
)
from generator.drawing.templates.template_sources import DRAWN, STATIC
from generator.text.glyph_rows import ANCHORS, Anchor


def _draw_image(scene: Scene, element: Element, style: Style, _: Matrix) -> tuple[Item, ...]:
    if find_link(element).lower().endswith((".svg", ".svgz")):
        return _draw_art(scene, element, style)
    return draw_picture(scene, element, style)


_UNGROUPED = {tag: names - EFFECTS - {"id", "clip-path", "style", "class"} for tag, names in OF_TEMPLATES.items()}
"""Attributes of each tag that don't apply to all that the element draws."""


Items = tuple[Item, ...]

_REFERENCE = re.compile(rb"#([^\s\"')]+)")


def draw_root(scene: Scene, root: Element, outer: Box) -> Items:
    """Draw an outermost <svg>: its viewBox fitted into `outer`, or unscaled if it has none."""
    opened = open_root(scene, root, outer)
    if opened is None:
        return ()
    items = transform_items(draw_children(scene, root, *opened), opened[1])
    if is_too_deep(items):
        scene.add_problem(root, TOO_DEEP, "ungroup some of it")
    if scene.weight > MOST_ELEMENTS:
        what = f"the drawing is too large: more than {MOST_ELEMENTS:,} elements and segments of outlines"
        scene.add_problem(root, what, "simplify it, or show less")
    return items


def open_root(scene: Scene, root: Element, outer: Box) -> tuple[Style, Matrix] | None:
    """Return style and matrix for the children of an outermost <svg>, or None if it is no <svg>. Register its ids."""
    box: Box | None = scene.read_value(root, "viewBox", parse_view_box, None)
    if root.tag != "svg":
        scene.add_problem(root, f"the outermost element is <{root.tag}>", "it must be <svg>")
        return None
    scene.drawn = DRAWN in root.attributes
    check_names(scene, root)
    for name in ("transform", "clip-path", *EFFECTS):
        if name in root.attributes:
            scene.add_problem(root, f"{name} does nothing on the outermost <svg>", "put a <g> with it inside")
    _register_ids(scene, root)
    if scene.styled:
        apply_style_sheets(scene, root)
    style = derive_style(scene, root, INITIAL)
    if scene.drawn:
        from generator.drawing.svg.layout_objects import open_layout

        box, outer = open_layout(scene, root, box, outer)
    _, _, width, height = box or outer
    scene.basis = scene.basis._replace(width=width, height=height)
    if box is None:
        return style, IDENTITY
    return style, fit_box(box, outer, scene.read_value(root, "preserveAspectRatio", parse_aspect, MEET))


def transform_items(items: Items, matrix: Matrix) -> Items:
    """Return the items transformed by a matrix."""
    return (Group(items, matrix),) if items and matrix != IDENTITY else items


def _register_ids(scene: Scene, root: Element) -> None:
    defined: list[bytes] = []
    referred = None if b"&#" in root.source else set(_REFERENCE.findall(root.source))
    stack = [root]
    while stack:
        element = stack.pop()
        scene.styled = scene.styled or element.tag == "style"
        name = element.attributes.get("id")
        if name:
            if name in scene.ids:
                scene.add_problem(element, f"the id '{name}' is given twice")
            scene.ids[name] = element
            if referred is None or name.encode() in referred:
                defined.append(element.source)
        if element.children:
            stack.extend(reversed(element.children))
    scene.defined = tuple(defined)


def draw_children(
    scene: Scene, element: Element, style: Style, matrix: Matrix, only: Sequence[Element] | None = None
) -> Items:
    """Draw an element's children in order, or `only` some elements. `matrix` converts their coordinates to the face's.

    The result of each child is cached by its markup and all that it depends on, unless there are problems. All is done
    in one frame of Python, since groups are nested.
    """
    if scene.depth >= DEEPEST_NESTING:
        scene.add_problem(element, TOO_DEEP, "ungroup some of it")
        return ()
    scene.depth += 1
    items: list[Item] = []
    built, cached = scene.studio.built, scene.design is not None and not scene.styled
    surroundings = scene.lang, scene.trim and (scene.trim.width, scene.trim.height), scene.outline
    linked = isinstance(style.fill, PaintLink)
    for child in element.children if only is None else only:
        marks, weight, problems = len(scene.marks), scene.weight, len(scene.problems)
        key: tuple[Hashable, ...] = ()
        if cached:
            source = child.source
            refers = linked or b"url(" in source or b"href" in source or b"&#" in source
            basis = scene.basis if b"%" in source else None
            key = (source, style, matrix, surroundings, scene.defined if refers else None, basis)
            known = built.get(key)
            if known is not None:
                scene.marks += known.marks
                scene.weight += known.weight
                items += known.items
                continue
        scene.weight += 1
        done: Items = ()
        if scene.drawn and STATIC in child.attributes:
            done = draw_static(scene, child)
            items += done
        elif (opened := _open_element(scene, child, style, matrix)) is not None:
            trim = scene.trim
            if ("clip-path" in child.attributes and not scene.drawn) or child.tag == "svg":
                scene.trim = None
            done = opened.draw(scene, child, opened.style, opened.matrix)
            if has_effects(child.attributes if not child.rules else child.properties):
                from generator.drawing.svg.element_effects import apply_effects

                done = apply_effects(scene, child, done, opened.style, opened.matrix)
            done = group_items(scene, child, done, opened.own)
            scene.trim = trim
            items += done
        if key and len(scene.problems) == problems and scene.weight <= MOST_ELEMENTS:
            built.put(key, BuiltElement(done, tuple(scene.marks[marks:]), scene.weight - weight))
    scene.depth -= 1
    return tuple(items)


def draw_element(scene: Scene, element: Element, style: Style, matrix: Matrix) -> Items:
    """Return the items of one element; style and matrix are those of its parent."""
    return draw_children(scene, element, style, matrix, (element,))


class _OpenElement(NamedTuple):
    """The settings for drawing an element's contents. `own` is its transform, `matrix` includes it."""

    draw: "Drawer"
    style: Style
    matrix: Matrix
    own: Matrix


def _open_element(scene: Scene, element: Element, style: Style, matrix: Matrix) -> _OpenElement | None:
    """Check an element and read its settings. Return None if it isn't drawn: a stamp, a definition, an unknown one."""
    if scene.weight > MOST_ELEMENTS:
        return None
    if element.tag not in OF_TEMPLATES:
        scene.add_problem(element, f"<{element.tag}> is not supported", suggest_element(element.tag))
        return None
    check_names(scene, element)
    if element.tag in NEVER_DRAWN:
        check_undrawn(scene, element)
        return None
    if element.tag == "stamp":
        x, y = (scene.read_length(element, name, 0.0) for name in ("x", "y"))
        size = scene.read_points(element, "font-size", 4.0)
        anchor: Anchor = scene.read_value(element, "text-anchor", read_choice(ANCHORS), "middle")
        paint: Paint = scene.read_value(element, "fill", scene.studio.styles.read_colour, INK).paint
        x, y = map_point(matrix, (x, y))
        angle = math.degrees(math.atan2(matrix[1], matrix[0]))
        note = " ".join(element.attributes.get("note", "").split())
        scene.marks.append(StampPlace(x, y, size * find_scale(matrix), anchor, paint, round(angle, 6) + 0.0, note))
        return None
    if element.tag in CHILDLESS:
        check_childless(scene, element)
    own = scene.read_transform(element)
    drawer = _DRAWERS.get(element.tag)
    if drawer is None:
        scene.add_problem(element, f"<{element.tag}> is not allowed here", _BELONGS)
        return None
    inner = matrix if own == IDENTITY else multiply(matrix, own)
    return _OpenElement(drawer, derive_style(scene, element, style), inner, own)


def derive_style(scene: Scene, element: Element, parent: Style) -> Style:
    """Return the style of an element's contents, which inherits from `parent`. Report invalid values."""

    def complain(name: str, _: str, mistake: ValueError) -> None:
        scene.add_problem(element, *format_value_problem(name, mistake))

    style = scene.studio.styles.derive_style(parent, element, scene.basis, complain)
    if scene.basis.em != style.size:
        scene.basis = scene.basis._replace(em=style.size)
    return style


def group_items(scene: Scene, element: Element, items: Items, matrix: Matrix) -> Items:
    """Return the items in a group if the element has attributes that apply to all of them."""
    attributes = element.attributes
    if matrix == IDENTITY and not element.children and attributes.keys() <= _UNGROUPED[element.tag]:
        return items
    clipped = clip_items(scene, element, items)
    data = tuple(
        [(name[5:], text) for name, text in attributes.items() if name.startswith("data-") and name != "data-role"]
    )
    if fault := find_space_fault(dict(data)):
        scene.add_problem(element, f"<{element.tag}> {fault}")
    title = element.child_text("title") if element.children else ""
    name = attributes.get("id", "")
    if not clipped or (matrix == IDENTITY and not (data or title or name)):
        return clipped
    group = Group(items) if clipped is items else cast("Group", clipped[0])
    return (group._replace(matrix=matrix, id=name, data=data, title=title),)


def _draw_inner_svg(scene: Scene, element: Element, style: Style, matrix: Matrix) -> Items:
    """Draw an inner <svg>: its viewBox fitted into x, y, width and height, and clipped to it.

    Without size and viewBox it is as large as the one around it, such as a whole template that another one includes.
    """
    if element.attributes.keys().isdisjoint(("width", "height", "viewBox")):
        return draw_children(scene, element, style, matrix)
    x, y, width, height = (scene.read_length(element, name, 0.0) for name in ("x", "y", "width", "height"))
    if width <= 0 or height <= 0:
        scene.add_problem(element, "an <svg> within needs a width and a height above 0")
        return ()
    box = scene.read_value(element, "viewBox", parse_view_box, (0.0, 0.0, width, height))
    own = fit_box(box, (x, y, width, height), scene.read_value(element, "preserveAspectRatio", parse_aspect, MEET))
    basis, scene.basis = scene.basis, scene.basis._replace(width=box[2], height=box[3])
    items = draw_children(scene, element, style, multiply(matrix, own))
    scene.basis = basis
    return (Group(transform_items(items, own), clip=draw_rectangle(x, y, width, height)),) if items else ()


def _draw_use(scene: Scene, element: Element, style: Style, matrix: Matrix) -> Items:
    href = find_link(element)
    if href in scene.inside:
        scene.add_problem(element, f"'{href}' contains itself")
        return ()
    if len(scene.inside) >= DEEPEST:
        scene.add_problem(element, f"symbols and drawings are nested more than {DEEPEST} deep", "place fewer")
        return ()
    outer = scene.inside
    scene.inside = (*outer, href)
    try:
        if href.startswith("#"):
            return _draw_local(scene, element, style, matrix)
        return _draw_art(scene, element, style)
    finally:
        scene.inside = outer


def _draw_local(scene: Scene, element: Element, style: Style, matrix: Matrix) -> Items:
    name = find_link(element)
    target = scene.ids.get(name[1:])
    if target is None:
        known = [f"#{known}" for known, other in scene.ids.items() if other.tag in ("symbol", *_DRAWERS)]
        scene.add_problem(element, f"there is no element '{name}'", did_you_mean(name, known))
        return ()
    if target.tag != "symbol" or (scene.drawn and "viewBox" not in target.attributes):
        if target.tag != "symbol" and target.tag not in _DRAWERS:
            scene.add_problem(element, f"<{target.tag}> '{name}' cannot be placed", "refer to a symbol, group or shape")
            return ()
        x, y = (scene.read_length(element, side, 0.0) for side in ("x", "y"))
        shift = (1.0, 0.0, 0.0, 1.0, x, y)
        draw = draw_element if target.tag != "symbol" else draw_children
        return transform_items(draw(scene, target, style, multiply(matrix, shift)), shift)
    box = scene.read_value(target, "viewBox", parse_view_box, None)
    if box is None:
        if "viewBox" not in target.attributes:
            scene.add_problem(target, f"the symbol '{name}' has no viewBox", 'give it one: viewBox="0 0 width height"')
        return ()
    aspect = scene.read_value(target, "preserveAspectRatio", parse_aspect, MEET)
    own, clip = _fit_symbol(scene, element, box, box[2:], aspect)
    check_names(scene, target)
    items = draw_children(scene, target, derive_style(scene, target, style), multiply(matrix, own))
    key = (name, items and target.source, style, scene.lang, scene.defined, scene.current)
    symbol = scene.studio.local_symbols.get(key)
    if symbol is None:
        symbol = Symbol(name, items, box)
        scene.studio.local_symbols.put(key, symbol)
    return _place_symbol(symbol, own, clip, style.role or "art")


def _draw_art(scene: Scene, element: Element, style: Style) -> Items:
    href = find_link(element)
    role: Role = style.role or ("icon" if href.startswith("icon:") else "art")
    paint = style.color.paint if style.color is not None else ""
    try:
        done = draw_art(scene.studio, href, ArtUse(paint, role, scene.lang))
    except InvalidInput as mistake:
        scene.add_name_problem(element, href, mistake)
        return ()
    scene.problems += done.problems
    scene.weight += done.weight
    if done.symbol is None:
        return ()
    scene.marks += map(ArtNote, done.symbol.notes)
    own, clip = _fit_symbol(scene, element, done.symbol.box, done.size, done.aspect)
    return _place_symbol(done.symbol, own, clip, role, has_overflow(done, own, clip))


def _fit_symbol(
    scene: Scene, element: Element, box: Box, size: tuple[float, float], aspect: Aspect
) -> tuple[Matrix, str]:
    """Return the matrix from a symbol's box to that of a <use>, and the clip (a path) if their shapes differ.

    `size` is the symbol's size (mm) where the <use> has none, `aspect` how it is fitted if the <use> does not say it.
    """
    x, y = (scene.read_length(element, name, 0.0) for name in ("x", "y"))
    width, height = read_sides(scene, element, *size, natural=True)
    if width <= 0 or height <= 0:
        scene.add_problem(element, "a <use> needs a width and a height above 0")
        width, height = size
    outer = (x, y, width, height)
    matrix = fit_box(box, outer, scene.read_value(element, "preserveAspectRatio", parse_aspect, aspect))
    return matrix, "" if is_filling_box(box, outer, matrix) else draw_rectangle(*outer)


def _place_symbol(symbol: Symbol, matrix: Matrix, clip: str, role: Role, to_page: bool = False) -> Items:
    if not symbol.items:
        return ()
    placed = PlacedSymbol(symbol, matrix, clip=to_page or not clip, role=role)
    return (Group((placed,), clip=clip),) if clip else (placed,)


def _draw_text(scene: Scene, element: Element, style: Style, matrix: Matrix) -> Items:
    """Draw a <text>: a line by itself, or one that follows a path."""
    if any(child.tag == "textPath" for child in element.children):
        from generator.drawing.svg.element_effects import draw_path_text

        return draw_path_text(scene, element, style, matrix)
    if not any(child.tag == "tspan" for child in element.children):
        return draw_text(scene, element, style, matrix)
    items: Items = ()
    for line, own in _split_lines(scene, element):
        items += draw_text(scene, line, style if own is None else derive_style(scene, own, style), matrix)
    return items


def _split_lines(scene: Scene, element: Element) -> list[tuple[Element, Element | None]]:
    """Return the lines of a <text>, each with its <tspan> if it has one. A <tspan> with x or y begins a line.

    Drawing programs write each line as a <tspan>. Others are joined to their line, since a style for some words of a
    line is written in the text.
    """
    lines: list[tuple[Element, Element | None]] = []
    for part in element.parts:
        words = part if isinstance(part, str) else part.join_words()
        own = part if isinstance(part, Element) and part.tag == "tspan" else None
        if own is not None and not own.attributes.keys().isdisjoint(("x", "y")):
            place: dict[str, str] = {name: own.attributes[name] for name in ("x", "y") if name in own.attributes}
            lines.append((Element("text", {**element.attributes, **place}, own.at, element), own))
        elif words.strip() and (isinstance(part, str) or own is not None):
            if own is not None and any(PAINTED & inner.properties.keys() for inner in own.iter_elements()):
                what = "a <tspan> within a line has a style of its own"
                scene.add_problem(own, what, "write **bold**, *italic* or {colour:text} in the text")
            if not lines:
                lines.append((Element("text", element.attributes, element.at, element), None))
        else:
            continue
        lines[-1][0].parts.append(words)
    return lines


_BELONGS = "put it into <text>, <filter> or <defs>"

Drawer = Callable[[Scene, Element, Style, Matrix], Items]

_DRAWERS: dict[str, Drawer] = {
    "svg": _draw_inner_svg,
    "g": draw_children,
    "use": _draw_use,
    "text": _draw_text,
    "textbox": draw_text,
    "image": _draw_image,
    **dict.fromkeys(SHAPES, draw_shape),
}
