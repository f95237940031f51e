"""Pattern tiles: fill an outline with repeated pieces of a template."""

from collections.abc import Iterator
from contextlib import contextmanager

from generator.base.display_list import Group, Item, Role
from generator.base.errors import Problem
from generator.base.geometry import IDENTITY
from generator.base.outlines import find_bounds
from generator.drawing.svg.art_files import GameArtResources
from generator.drawing.svg.art_style import StyleReader, make_initial_style
from generator.drawing.svg.paint_servers import tile_pattern
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.scene import Scene, check_names
from generator.drawing.svg.style import INITIAL
from generator.drawing.svg.tree import DEEPEST, ArtNotes, Element, find_link

AS_A_PICTURE = "what a filter makes is drawn as a picture, not as lines"


class TemplateNotes(ArtNotes):
    """Takes what the reader of foreign drawings says of elements of a template: problems."""

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


class TemplateReaderState:
    """The state of the shared reader for one element of a template."""

    def __init__(self, scene: Scene, role: Role):
        self.scene, self.notes = scene, TemplateNotes(scene)
        studio = scene.studio
        names = frozenset(studio.game.palette) | {"ink"}
        families = tuple(studio.game.fonts)
        around = GameArtResources(studio.fonts, families, names, studio.game, studio.assets, "", studio.render)
        styles, current = StyleReader(names, self.notes), scene.current or "ink"
        self.desk = ReaderState(styles, self.notes, around, scene.locate, role, scene.lang, current, ids={**scene.ids})

    def make_context(self) -> NodeContext:
        """Return the context of an element in its own coordinates. Percentages refer to its card."""
        return NodeContext(IDENTITY, make_initial_style(self.desk.current), self.scene.basis)


@contextmanager
def enter_reference(scene: Scene, element: Element, name: str) -> Iterator[bool]:
    """Draw what an element refers to; False (and a problem) where it would contain itself, or lead too deep."""
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
    loan = TemplateReaderState(scene, role)
    _check_chain(scene, pattern)
    drawn = 0

    def draw(source: Element, spot: NodeContext) -> list[Item]:
        nonlocal drawn
        weight = scene.weight
        style = scene.studio.styles.derive_style(INITIAL, {"data-role": role}, lambda *_: None)
        items = scene.studio.draw(scene, source, style, IDENTITY)
        drawn = scene.weight - weight
        return [Group(items, spot.matrix)] if items else []

    with enter_reference(scene, element, f"#{pattern.attributes.get('id', '')}") as fine:
        if not fine:
            return ()
        made = tuple(tile_pattern(loan.desk, pattern, loan.make_context(), seen, seen, draw))
    scene.weight += len(made) * (1 + drawn)
    return made


def _check_chain(scene: Scene, pattern: Element) -> None:
    known = [pattern]
    while True:
        check_names(scene, known[-1])
        name = find_link(known[-1])
        if not name:
            return
        target = scene.ids.get(name[1:]) if name.startswith("#") else None
        if target is None or target.tag != "pattern":
            scene.add_problem(known[-1], f"there is no pattern '{name}'")
            return
        if target in known:
            scene.add_problem(known[-1], f"the pattern '{name}' refers to itself")
            return
        known.append(target)
