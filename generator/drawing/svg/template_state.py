"""The state in which templates use the reader of art files: for gradients, patterns, masks and filters."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from generator.base.display_list import ArtNote, Group, Item, Role
from generator.base.errors import Problem, ProblemsFound
from generator.base.geometry import IDENTITY
from generator.base.outlines import find_bounds
from generator.drawing.svg.art_files import ArtUse, GameArtResources
from generator.drawing.svg.art_reader import ArtWalker
from generator.drawing.svg.paint_servers import tile_pattern
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.scene import Scene, format_value_problem
from generator.drawing.svg.style import INITIAL, Style
from generator.drawing.svg.style_sheets import apply_cascade
from generator.drawing.svg.tree import DEEPEST, GEOMETRY, ArtNotes, Element
from generator.drawing.svg.vocabulary import OF_TEMPLATES, PAINTED, STYLED, is_neutral, suggest_attribute

AS_A_PICTURE = "what a filter makes is drawn as a picture, not as lines"


class TemplateNotes(ArtNotes):
    """Adds problems for what art files would only note."""

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


class LayoutNotes(TemplateNotes):
    """Adds notes to a face that shows a drawn layout."""

    def add(self, at: str, what: str) -> None:
        """Add a note at a stamp."""
        self._scene.marks.append(ArtNote(f"{self._scene.locate(at)}: {what}"))

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:
        """Add a note on an attribute's value, which is ignored."""
        ArtNotes.add_value(self, at, name, text, mistake)


@dataclass(slots=True)
class TemplateReaderState(ReaderState):
    """The state of the reader for one element of a template. What it draws counts for the face."""

    scene: Scene | None = None

    def count_drawn(self, node: Element, number: int = 1) -> None:  # noqa: ARG002
        """Add to the elements of the face, which are limited together."""
        if self.scene is not None:
            self.scene.weight += number

    def read_style(self, node: Element) -> Style:
        """Return the style of an element at its place in the template. Its mistakes are reported when it is drawn."""
        style = INITIAL if node.parent is None else self.read_style(node.parent)
        return self.styles.derive_style(style, node, self.basis, lambda *_: None)

    def make_context(self) -> NodeContext:
        """Return the context of an element in its own coordinates. Percentages refer to its card."""
        return NodeContext(IDENTITY, INITIAL, self.basis)


def make_template_state(scene: Scene, role: Role) -> TemplateReaderState:
    """Return a state that reports mistakes as problems of the scene."""
    studio = scene.studio
    around = GameArtResources(studio, "", ArtUse("", role, scene.lang))
    return TemplateReaderState(
        studio.styles,
        TemplateNotes(scene),
        around,
        scene.locate,
        role,
        scene.lang,
        scene.current or "ink",
        ids={**scene.ids},
        basis=scene.basis,
        scene=scene,
    )


def draw_static(scene: Scene, element: Element) -> tuple[Item, ...]:
    """Draw what is the same on every card of a drawn layout, with all that drawings of other programs may have."""
    desk = make_template_state(scene, "art")
    desk.notes, desk.side = LayoutNotes(scene), max(scene.basis.width, scene.basis.height)
    style = desk.read_style(element.parent) if element.parent is not None else INITIAL
    try:
        return tuple(ArtWalker(desk).draw_node(element, NodeContext(IDENTITY, style, scene.basis)))
    except ProblemsFound as found:
        scene.problems += found.problems
        return ()


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


@contextmanager
def enter_reference(scene: Scene, element: Element, name: str) -> Iterator[bool]:
    """Draw what an element refers to. Yield False (and add a problem) if it contains itself or is nested too deep."""
    outer = scene.inside
    if name in outer or len(outer) >= DEEPEST:
        scene.add_problem(element, f"'{name}' contains itself" if name in outer else "references lead too deep")
        yield False
        return
    trim, scene.inside, scene.trim = scene.trim, (*outer, name), None
    try:
        yield True
    finally:
        scene.inside, scene.trim = outer, trim


def draw_tiles(scene: Scene, element: Element, pattern: Element, path: str, role: Role) -> tuple[Item, ...]:
    """Return the pattern that fills an element, wherever it may show in a canonical path."""
    seen = find_bounds(path) if path else None
    if seen is None:
        return ()
    desk = make_template_state(scene, role)
    weight, drawn = scene.weight, 0

    def draw(source: Element, spot: NodeContext) -> list[Item]:
        nonlocal drawn
        before = scene.weight
        style = scene.studio.styles.derive_style(
            INITIAL, Element("g", {"data-role": role}, ""), scene.basis, lambda *_: None
        )
        items = scene.studio.draw(scene, source, style, IDENTITY)
        drawn = scene.weight - before
        return [Group(items, spot.matrix)] if items else []

    with enter_reference(scene, element, f"#{pattern.attributes.get('id', '')}") as fine:
        if not fine:
            return ()
        made = tuple(tile_pattern(desk, pattern, desk.make_context(), seen, seen, draw))
    scene.weight = weight + drawn + len(made) * (1 + drawn)
    return made
