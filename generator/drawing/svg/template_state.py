"""Templates share the reader of art files: gradients, patterns, masks, filters, and parts equal on all cards."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from generator.base.display_list import ArtNote, Gradient, Group, Item, Paint, Picture, Shape, TextRun
from generator.base.errors import Problem, ProblemsFound
from generator.base.geometry import IDENTITY, Rect
from generator.base.picture_files import open_picture_file
from generator.drawing.svg.art_files import ArtUse, GameArtResources, encode_data_address
from generator.drawing.svg.art_reader import ArtWalker
from generator.drawing.svg.outline_painter import OutlinePainter
from generator.drawing.svg.reader_state import AS_A_PICTURE, HAIR, NodeContext, ReaderState
from generator.drawing.svg.scene import Scene, format_value_problem
from generator.drawing.svg.shape_outlines import measure_items, outline_runs
from generator.drawing.svg.style import INITIAL, Style
from generator.drawing.svg.style_sheets import apply_cascade
from generator.drawing.svg.tree import DEEPEST, GEOMETRY, ArtNotes, Element
from generator.drawing.svg.values import AlphaColour
from generator.drawing.svg.vocabulary import OF_TEMPLATES, PAINTED, STYLED, is_neutral, suggest_attribute
from generator.text.fonts import FontBook


class TemplateNotes(ArtNotes):
    """Adds problems where art files get only notes."""

    def __init__(self, scene: Scene):
        super().__init__("")
        self._scene = scene
        self.pictured = False

    def add(self, at: str, what: str) -> None:
        """Add a problem at a stamp. Skip notes on filters: their resolution is reported elsewhere."""
        if what == AS_A_PICTURE:
            self.pictured = True
        else:
            self._scene.problems.append(Problem(self._scene.locate(at), what))

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:  # noqa: ARG002
        """Add a problem with an attribute's value."""
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
        """Add to the elements of the face, which are limited together."""
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
    """Return the items in greys, with type as outlines."""
    done: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            stroke = grey(item.stroke) if item.stroke is not None else None
            done.append(item._replace(fill=_convert_fill(item.fill, grey), stroke=stroke))
        elif isinstance(item, Picture):
            opened, _ = open_picture_file(Path(item.source))
            out = io.BytesIO()
            opened.convert("RGBA").convert("LA").save(out, format="PNG", compress_level=6)
            kept = encode_data_address(out.getvalue())
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


def _convert_fill(fill: Paint | Gradient | None, grey: Callable[[Paint], Paint]) -> Paint | Gradient | None:
    if isinstance(fill, Gradient):
        return fill._replace(stops=tuple([(offset, grey(paint)) for offset, paint in fill.stops]))
    return grey(fill) if fill is not None else None


class LayoutNotes(TemplateNotes):
    """Adds notes to a face that shows a drawn layout."""

    def add(self, at: str, what: str) -> None:
        """Add a note at a stamp."""
        self._scene.marks.append(ArtNote(f"{self._scene.locate(at)}: {what}"))

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:
        """Add a note on an attribute's value, which is ignored."""
        ArtNotes.add_value(self, at, name, text, mistake)


class TemplateWalker(ArtWalker):
    """Draws a template's clip paths like art files, and its masks and patterns; `items` are clipped or masked."""

    def __init__(self, desk: TemplateReaderState, items: Sequence[Item]):
        super().__init__(desk)
        self._state, self._items = desk, items

    def draw_children(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of an element's children."""
        state = self._state
        return super().draw_children(node, spot) if state.clipping else state.draw_inside(node, spot)

    def measure_local_box(self, node: Element, spot: NodeContext) -> Rect | None:  # noqa: ARG002
        """Return the box around the clipped or masked items, or None if it is empty."""
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
