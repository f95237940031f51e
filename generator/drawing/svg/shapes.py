"""Shapes and pictures of templates, which share the reader of art files for gradients, patterns, masks and filters."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from generator.base.display_list import ArtNote, Gradient, Group, Item, Paint, Picture, Shape, TextRun
from generator.base.errors import InvalidInput, Problem, ProblemsFound, did_you_mean
from generator.base.geometry import IDENTITY, Matrix, Rect
from generator.base.path_data import to_canonical_path
from generator.base.picture_files import open_picture_file, save_picture
from generator.drawing.svg import shape_outlines as outline
from generator.drawing.svg.art_files import ArtUse, GameArtResources, encode_data_address
from generator.drawing.svg.art_reader import ArtWalker
from generator.drawing.svg.outline_painter import OutlinePainter
from generator.drawing.svg.paint_servers import GRADIENTS
from generator.drawing.svg.reader_state import AS_A_PICTURE, HAIR, NodeContext, ReaderState
from generator.drawing.svg.scene import Scene, check_names, check_undrawn, format_value_problem
from generator.drawing.svg.shape_outlines import draw_rectangle, measure_items, outline_runs
from generator.drawing.svg.style import INITIAL, PaintLink, Style, apply_cascade, parse_reference
from generator.drawing.svg.tree import DEEPEST, GEOMETRY, MOST_ELEMENTS, ArtNotes, Element, find_link
from generator.drawing.svg.values import (
    FITS,
    MEET,
    AlphaColour,
    Aspect,
    fit_box,
    is_filling_box,
    parse_aspect,
    parse_focus,
    read_choice,
)
from generator.drawing.svg.vocabulary import OF_TEMPLATES, PAINTED, STYLED, is_neutral, suggest_attribute
from generator.text.fonts import FontBook


class TemplateNotes(ArtNotes):
    """Adds a problem to the scene, which stops the card, where the reader of art files would only add a note."""

    def __init__(self, scene: Scene):
        super().__init__("")
        self._scene = scene
        self.pictured = False

    def add(self, at: str, what: str) -> None:
        """Add a problem at stamp `at` of the template. Skip notes on filters: their resolution is told elsewhere."""
        if what == AS_A_PICTURE:
            self.pictured = True
        else:
            self._scene.problems.append(Problem(self._scene.locate(at), what))

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:  # noqa: ARG002
        """Add a problem with the value of attribute `name`, at the place of stamp `at`."""
        self._scene.problems.append(Problem(self._scene.locate(at), *format_value_problem(name, mistake)))


class TemplateReaderState(ReaderState):
    """The reader's state for the elements of one face. All that it draws counts towards the face's limits."""

    def __init__(self, scene: Scene):
        studio = scene.studio
        around = GameArtResources(studio, "", ArtUse("", "art", scene.lang))
        current = scene.current or "ink"
        super().__init__(studio.styles, TemplateNotes(scene), around, scene.locate, "art", scene.lang, current)
        self.scene, self.ids = scene, scene.ids
        self.painter = OutlinePainter(self, self.draw_inside)

    def count_drawn(self, node: Element, number: int = 1) -> None:  # noqa: ARG002
        """Add `number` to the elements of the face, which are limited together."""
        self.scene.weight += number

    def read_style(self, node: Element) -> Style:
        """Return the style of an element at its place in the template. Its mistakes are reported when it is drawn."""
        style = INITIAL if node.parent is None else self.read_style(node.parent)
        return self.styles.derive_style(style, node, self.scene.basis, lambda *_: None)

    def draw_inside(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of a mask, pattern or marker in a template. Report one that contains itself."""
        scene, name = self.scene, f"#{node.attributes.get('id', '')}"
        outer, trim, marks = scene.inside, scene.trim, len(scene.marks)
        if name in outer or len(outer) >= DEEPEST:
            what = f"'{name}' contains itself" if name in outer else "references lead too deep"
            scene.add_problem(node, what)
            return []
        scene.inside, scene.trim = (*outer, name), None
        items = scene.studio.draw(scene, node, replace(INITIAL, role=self.role), IDENTITY)
        scene.inside, scene.trim = outer, trim
        scene.marks[marks:] = [mark for mark in scene.marks[marks:] if isinstance(mark, ArtNote)]
        if self.masking:
            items = convert_to_greys(items, lambda paint: self.paint_of_colour(AlphaColour(paint)), self.around.fonts)
        return [Group(items, spot.matrix)] if items else []

    def make_context(self, style: Style = INITIAL) -> NodeContext:
        """Return the context of an element in its own coordinates. Percentages refer to its card."""
        return NodeContext(IDENTITY, style, self.scene.basis)


def open_state(scene: Scene) -> TemplateReaderState:
    """Return the reader's state for a face, made on first use."""
    if not isinstance(scene.state, TemplateReaderState):
        scene.state = TemplateReaderState(scene)
    return scene.state


def apply_style_sheets(scene: Scene, root: Element) -> None:
    """Give the elements of a template what its style sheets say. Report unknown properties."""
    apply_cascade(root, TemplateNotes(scene))
    unknown: dict[str, Element] = {}
    for element in root.iter_elements():
        known = OF_TEMPLATES.get(element.tag, frozenset()) & (STYLED | GEOMETRY)
        for rule in element.rules:
            if rule.name not in known and not is_neutral(rule.name, rule.value):
                unknown.setdefault(rule.name, element)
    for name, element in unknown.items():
        scene.add_problem(element, f"unknown property '{name}' in a style sheet", suggest_attribute(name, PAINTED))


def convert_to_greys(items: tuple[Item, ...], grey: Callable[[Paint], Paint], fonts: FontBook) -> tuple[Item, ...]:
    """Return the items in greys, which `grey` makes from paints, with type as outlines."""
    done: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            fill, stroke = item.fill, grey(item.stroke) if item.stroke is not None else None
            if isinstance(fill, Gradient):
                fill = fill._replace(stops=tuple([(offset, grey(paint)) for offset, paint in fill.stops]))
            elif fill is not None:
                fill = grey(fill)
            done.append(item._replace(fill=fill, stroke=stroke))
        elif isinstance(item, Picture):
            opened, _ = open_picture_file(Path(item.source))
            kept = encode_data_address(save_picture(opened.convert("RGBA").convert("LA"), compress_level=6))
            done.append(item._replace(asset=kept.asset, source=kept.source))
        elif isinstance(item, Group):
            done.append(item._replace(items=convert_to_greys(item.items, grey, fonts)))
        elif isinstance(item, TextRun):
            path = outline_runs((item,), fonts)
            if path:
                done.append(Shape(path, grey(item.paint), role=item.role))
        else:
            symbol = item.symbol._replace(items=convert_to_greys(item.symbol.items, grey, fonts))
            done.append(item._replace(symbol=symbol))
    return tuple(done)


class LayoutNotes(TemplateNotes):
    """Adds notes for the designer about a drawn layout (a drawing program's file), where a template has problems."""

    def add(self, at: str, what: str) -> None:
        """Add a note with the place of stamp `at` in the layout."""
        self._scene.marks.append(ArtNote(f"{self._scene.locate(at)}: {what}"))

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:
        """Add a note at stamp `at` on an attribute's value, which is ignored."""
        ArtNotes.add_value(self, at, name, text, mistake)


class TemplateWalker(ArtWalker):
    """Draws a template's clip paths like art files, and its masks and patterns; `items` are clipped or masked."""

    def __init__(self, desk: TemplateReaderState, items: Sequence[Item]):
        super().__init__(desk)
        self._state, self._items = desk, items

    def draw_children(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of an element's children; outside clip paths they are drawn as in a template."""
        state = self._state
        return super().draw_children(node, spot) if state.clipping else state.draw_inside(node, spot)

    def measure_local_box(self, node: Element, spot: NodeContext) -> Rect | None:  # noqa: ARG002
        """Return the box around the clipped or masked items, whatever the element, or None if it is empty."""
        return measure_items(self._items)


def draw_static(scene: Scene, element: Element) -> tuple[Item, ...]:
    """Draw the parts that are equal on every card of a drawn layout, with every feature of art files."""
    state = TemplateReaderState(scene)
    state.notes, state.ids, state.side = LayoutNotes(scene), {**scene.ids}, max(scene.basis.width, scene.basis.height)
    state.thinnest = state.side * HAIR
    style = state.read_style(element.parent) if element.parent is not None else INITIAL
    try:
        return tuple(ArtWalker(state).draw_node(element, state.make_context(style)))
    except ProblemsFound as found:
        scene.problems += found.problems
        return ()


Items: TypeAlias = tuple[Item, ...]
UNITS = read_choice({name: name for name in ("objectBoundingBox", "userSpaceOnUse")})
_PAINTS = GRADIENTS | {"pattern"}
_FREE_LENGTH = 1000
"""Maximum length of an outline that counts as one element. Each segment of a longer one counts as two."""

_MOST_SEGMENTS = MOST_ELEMENTS // 2


def draw_shape(scene: Scene, element: Element, style: Style, _: Matrix = IDENTITY) -> Items:
    """Draw the shape. Return nothing if it would be invisible or refers to a faulty gradient or pattern."""
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
    """Return an element's sides (mm); one missing follows from the content's, both are those if `natural`, else 0."""
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
    """Return the element that `url(#id)` means if it is one of `tags`, else None and a problem that says `what`."""
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
        sides = dict(zip(("x", "y", "width", "height"), map(repr, seen), strict=True))
        rounded = Element("rect", {**element.attributes, **sides}, element.at)
        return (Group((picture,), clip=read_shape_outline(scene, rounded)),)
    return (Group((picture,), clip=draw_rectangle(*box)),) if spills else (picture,)


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
