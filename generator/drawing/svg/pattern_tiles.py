"""Pattern tiles: fill an outline with repeated pieces of a template."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from generator.base.display_list import Group, Item, Role
from generator.base.errors import Problem
from generator.base.geometry import IDENTITY
from generator.base.outlines import find_bounds
from generator.drawing.svg.art_cascade import apply_cascade
from generator.drawing.svg.art_files import GameArtResources
from generator.drawing.svg.art_style import StyleReader, make_initial_style
from generator.drawing.svg.art_tree import ArtNotes, Node
from generator.drawing.svg.elements import DEEPEST, Element, find_link
from generator.drawing.svg.paint_servers import tile_pattern
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.scene import Scene, check_names
from generator.drawing.svg.style import INITIAL
from generator.drawing.svg.values import LengthBasis, parse_length

# An element of the template becomes a node as the reader of foreign drawings has it, its lengths in mm as user units;
# a
# desk stands for the drawing that it would be in. What that reader would only tell is a problem here.

AS_A_PICTURE = "what a filter makes is drawn as a picture, not as lines"

_LENGTH = re.compile(r"(?<![\w#.-])([-+]?(?:\d+\.?\d*|\.\d+))(mm|cm|in|pt|Q|px|em|pc)\b")
_UNMEASURED = frozenset(["id", "in", "in2", "result", "href", "xlink:href", "d", "points"])


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
    """A desk for one element of a template, with nodes for what it refers to."""

    def __init__(self, scene: Scene, role: Role):
        self.scene, self.notes = scene, TemplateNotes(scene)
        studio = scene.studio
        names = frozenset(studio.game.palette) | {"ink"}
        families = tuple(studio.game.fonts)
        around = GameArtResources(studio.fonts, families, names, studio.game, studio.assets, "", studio.render)
        self.desk = ReaderState(
            StyleReader(names, self.notes), self.notes, around, scene.locate, role, scene.lang, scene.current or "ink"
        )
        self._elements: dict[int, Element] = {}
        self._nodes: list[Node] = []

    def read_element(self, element: Element) -> Node:
        """Return an element and everything below it as nodes, and index them by id."""
        root = self._copy_element(element, None)
        apply_cascade(root, self.notes)
        if "id" in root.attributes:
            self.desk.ids[root.attributes["id"]] = root
        return root

    def find_element(self, node: Node) -> Element:
        """Return the element that a node was made from."""
        return self._elements[id(node)]

    def make_context(self) -> NodeContext:
        """Return the context of an element in its own coordinates. Percentages refer to its card."""
        kind = self.scene.studio.game.kinds[self.scene.design.kind] if self.scene.design is not None else None
        width, height = (kind.size.width, kind.size.height) if kind is not None else (100.0, 100.0)
        return NodeContext(IDENTITY, make_initial_style(self.desk.current), LengthBasis(width=width, height=height))

    def _copy_element(self, element: Element, parent: Node | None) -> Node:
        given = {}
        for name, text in element.attributes.items():
            value = text if name in _UNMEASURED else self.convert_lengths(element, name, text)
            given["href" if name == "xlink:href" else name] = value
        node = Node(element.tag, given, element.at, parent)
        self._nodes.append(node)  # so that its id stays its own
        self._elements[id(node)] = element
        node.parts = [
            self._copy_element(child, node) for child in element.children if child.tag not in ("title", "desc")
        ]
        return node

    def convert_lengths(self, element: Element, name: str, text: str) -> str:
        """Convert the lengths of a value to plain numbers in mm. Report units that templates don't have."""

        def plain(found: re.Match[str]) -> str:
            return f"{parse_length(found[0]):.9g}"

        try:
            return _LENGTH.sub(plain, text)
        except ValueError as mistake:
            self.scene.add_problem(element, f"{name}: {mistake}")
            return _LENGTH.sub("0", text)


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
    node = loan.read_element(pattern)
    _note_chain(scene, loan, pattern)
    drawn = 0

    def draw(source: Node, spot: NodeContext) -> list[Item]:
        nonlocal drawn
        weight = scene.weight
        within = loan.find_element(source)
        style = scene.studio.styles.derive_style(INITIAL, {"data-role": role}, lambda *_: None)
        items = scene.studio.draw(scene, within, style, IDENTITY)
        drawn = scene.weight - weight
        return [Group(items, spot.matrix)] if items else []

    with enter_reference(scene, element, f"#{pattern.attributes.get('id', '')}") as fine:
        if not fine:
            return ()
        made = tuple(tile_pattern(loan.desk, node, loan.make_context(), seen, seen, draw))
    scene.weight += len(made) * (1 + drawn)
    return made


def _note_chain(scene: Scene, loan: TemplateReaderState, pattern: Element) -> None:
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
        loan.read_element(target)
