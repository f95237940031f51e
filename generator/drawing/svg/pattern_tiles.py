"""Pattern tiles: fill an outline with repeated pieces of a template."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from generator.base.display_list import Group, Item, Role
from generator.base.errors import Problem
from generator.base.geometry import IDENTITY
from generator.base.outlines import bounds
from generator.drawing.svg.art_cascade import cascade
from generator.drawing.svg.art_files import GameSurroundings
from generator.drawing.svg.art_style import Styles, initial
from generator.drawing.svg.art_tree import Measure, Node, Notes
from generator.drawing.svg.elements import DEEPEST, Element, find_link
from generator.drawing.svg.paint_servers import tiles
from generator.drawing.svg.reader_state import Desk, Station
from generator.drawing.svg.scene import Scene, check_names
from generator.drawing.svg.shape_outlines import length
from generator.drawing.svg.style import INITIAL

# An element of the template becomes a node as the reader of foreign drawings has it, its lengths in mm as user units;
# a
# desk stands for the drawing that it would be in. What that reader would only tell is a problem here.

AS_A_PICTURE = "what a filter makes is drawn as a picture, not as lines"

_LENGTH = re.compile(r"(?<![\w#.-])([-+]?(?:\d+\.?\d*|\.\d+))(mm|cm|in|pt|Q|px|em|pc)\b")
_UNMEASURED = frozenset(["id", "in", "in2", "result", "href", "xlink:href", "d", "points"])


class Lent(Notes):
    """Takes what the reader of foreign drawings says of elements of a template: problems."""

    def __init__(self, scene: Scene):
        super().__init__("")
        self._scene = scene
        self.pictured = False

    def add(self, at: str, what: str) -> None:
        """A problem with what stands at a stamp; that filters become pictures is told by who knows how fine."""
        if what == AS_A_PICTURE:
            self.pictured = True
        else:
            self._scene.problems.append(Problem(self._scene.locate(at), what))


class Loan:
    """A desk for one element of a template, with nodes for what it refers to."""

    def __init__(self, scene: Scene, role: Role):
        self.scene, self.notes = scene, Lent(scene)
        studio = scene.studio
        names = frozenset(studio.game.palette) | {"ink"}
        around = GameSurroundings(
            studio.fonts, tuple(studio.game.fonts), names, studio.game, studio.assets, "", studio.render
        )
        self.desk = Desk(
            Styles(names, self.notes), self.notes, around, scene.locate, role, scene.lang, scene.current or "ink"
        )
        self._elements: dict[int, Element] = {}
        self._nodes: list[Node] = []

    def node(self, element: Element) -> Node:
        """An element, and all below it, as a node with its properties; noted by its id."""
        root = self._copied(element, None)
        cascade(root, self.notes)
        if "id" in root.attributes:
            self.desk.ids[root.attributes["id"]] = root
        return root

    def element(self, node: Node) -> Element:
        """The element that a node was made of."""
        return self._elements[id(node)]

    def station(self) -> Station:
        """Where an element stands, in its own coordinates; percentages are of its card."""
        kind = self.scene.studio.game.kinds[self.scene.design.kind] if self.scene.design is not None else None
        width, height = (kind.size.width, kind.size.height) if kind is not None else (100.0, 100.0)
        return Station(IDENTITY, initial(self.desk.current), Measure(width=width, height=height))

    def _copied(self, element: Element, parent: Node | None) -> Node:
        given = {}
        for name, text in element.attributes.items():
            value = text if name in _UNMEASURED else self.in_units(element, name, text)
            given["href" if name == "xlink:href" else name] = value
        node = Node(element.tag, given, element.at, parent)
        self._nodes.append(node)  # so that its id stays its own
        self._elements[id(node)] = element
        node.parts = [self._copied(child, node) for child in element.children if child.tag not in ("title", "desc")]
        return node

    def in_units(self, element: Element, name: str, text: str) -> str:
        """A value with its lengths in mm as plain numbers; a problem where a unit is none of templates."""

        def plain(found: re.Match[str]) -> str:
            return f"{length(found[0]):.9g}"

        try:
            return _LENGTH.sub(plain, text)
        except ValueError as mistake:
            self.scene.complain(element, f"{name}: {mistake}")
            return _LENGTH.sub("0", text)


@contextmanager
def inside(scene: Scene, element: Element, name: str) -> Iterator[bool]:
    """Draw what an element refers to; False (and a problem) where it would contain itself, or lead too deep."""
    outer = scene.inside
    if name in outer or len(outer) >= DEEPEST:
        scene.complain(element, f"'{name}' contains itself" if name in outer else "references lead too deep")
        yield False
        return
    trim, scene.inside, scene.trim = scene.trim, (*outer, name), None
    try:
        yield True
    finally:
        scene.inside, scene.trim = outer, trim


def tiles_of(scene: Scene, element: Element, pattern: Element, path: str, role: Role) -> tuple[Item, ...]:
    """The pattern that an element is filled with, wherever it may show in a canonical path."""
    seen = bounds(path) if path else None
    if seen is None:
        return ()
    loan = Loan(scene, role)
    node = loan.node(pattern)
    _note_chain(scene, loan, pattern)
    drawn = 0

    def draw(source: Node, spot: Station) -> list[Item]:
        nonlocal drawn
        weight = scene.weight
        within = loan.element(source)
        style = scene.studio.styles.derived(INITIAL, {"data-role": role}, _silent)
        items = scene.studio.draw(scene, within, style, IDENTITY)
        drawn = scene.weight - weight
        return [Group(items, spot.matrix)] if items else []

    with inside(scene, element, f"#{pattern.attributes.get('id', '')}") as fine:
        if not fine:
            return ()
        made = tuple(tiles(loan.desk, node, loan.station(), seen, seen, draw))
    scene.weight += len(made) * (1 + drawn)
    return made


def _note_chain(scene: Scene, loan: Loan, pattern: Element) -> None:
    """Note the patterns from which one takes what it doesn't say itself; a problem where there is none."""
    known = [pattern]
    while True:
        check_names(scene, known[-1])
        name = find_link(known[-1])
        if not name:
            return
        target = scene.ids.get(name[1:]) if name.startswith("#") else None
        if target is None or target.tag != "pattern":
            scene.complain(known[-1], f"there is no pattern '{name}'")
            return
        if target in known:
            scene.complain(known[-1], f"the pattern '{name}' refers to itself")
            return
        known.append(target)
        loan.node(target)


def _silent(_what: str, _hint: str) -> None:
    """A role that is known has nothing to complain of."""
