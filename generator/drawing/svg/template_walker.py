"""Parts of templates that the reader of art files draws: clip paths, masks, and what is the same on all cards."""

from collections.abc import Sequence

from generator.base.display_list import ArtNote, Item
from generator.base.errors import ProblemsFound
from generator.base.geometry import Rect
from generator.drawing.svg.art_reader import ArtWalker
from generator.drawing.svg.reader_state import HAIR, NodeContext
from generator.drawing.svg.scene import Scene
from generator.drawing.svg.shape_outlines import measure_items
from generator.drawing.svg.style import INITIAL
from generator.drawing.svg.template_state import TemplateNotes, TemplateReaderState
from generator.drawing.svg.tree import ArtNotes, Element


class LayoutNotes(TemplateNotes):
    """Adds notes to a face that shows a drawn layout."""

    def add(self, at: str, what: str) -> None:
        """Add a note at a stamp."""
        self._scene.marks.append(ArtNote(f"{self._scene.locate(at)}: {what}"))

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:
        """Add a note on an attribute's value, which is ignored."""
        ArtNotes.add_value(self, at, name, text, mistake)


class TemplateWalker(ArtWalker):
    """Draws what a template refers to: clip paths like art files, masks and patterns with all that templates have.

    `items` are those that are clipped or masked.
    """

    def __init__(self, desk: TemplateReaderState, items: Sequence[Item]):
        super().__init__(desk)
        self._state, self._items = desk, items

    def draw_children(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of an element's children."""
        state = self._state
        return super().draw_children(node, spot) if state.clipping else state.draw_inside(node, spot)

    def measure_local_box(self, node: Element, spot: NodeContext) -> Rect | None:  # noqa: ARG002
        """Return the box around what is clipped or masked, or None if it is empty."""
        return measure_items(self._items)


def draw_static(scene: Scene, element: Element) -> tuple[Item, ...]:
    """Draw what is the same on every card of a drawn layout, with all that drawings of other programs may have."""
    state = TemplateReaderState(scene)
    state.notes, state.ids, state.side = LayoutNotes(scene), {**scene.ids}, max(scene.basis.width, scene.basis.height)
    state.thinnest = state.side * HAIR
    style = state.read_style(element.parent) if element.parent is not None else INITIAL
    try:
        return tuple(ArtWalker(state).draw_node(element, state.make_context(style)))
    except ProblemsFound as found:
        scene.problems += found.problems
        return ()
