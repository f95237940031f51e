"""Patterns: what stands in one, drawn by the template's own rules, as often as it shows in an outline."""

from generator.model.drawing import Group, Item, Role
from generator.model.geometry import IDENTITY
from generator.model.outline import bounds
from generator.svg.effects.lent import Loan, inside
from generator.svg.faults import check_names
from generator.svg.foreign.coats import tiles
from generator.svg.foreign.desk import Station
from generator.svg.foreign.nodes import Node
from generator.svg.paint import INITIAL
from generator.svg.scene import Scene
from generator.svg.tree import Element, link


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
        name = link(known[-1])
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
