"""Pages under way, and what can be read off them once they are filled: where anchors, terms and chapters stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from generator.dataclass import dataclass
from generator.errors import Place
from generator.pages.blocks import INDEX, TERM
from generator.pages.lines import heading_words
from generator.pages.registers import speaks_of
from generator.pages.strips import Strip, Thing
from generator.pages.style import Look

LEAD_IN = 3.0
"""mm above a heading that a link to it shows."""

Said: TypeAlias = tuple[str, Place | None]
"""Words with the place where they are written."""


@dataclass(slots=True)
class Leaf:
    """A page under way: its things at their places, the strips that stand on it with the y of each, mm.

    `columns` are the same strips by column, without what is repeated.
    """

    number: int
    things: list[Thing] = field(default_factory=list)
    strips: list[tuple[Strip, float]] = field(default_factory=list)
    columns: list[list[Strip]] = field(default_factory=list)
    plain: bool = False
    bottom: float = 0.0


def term_pages(leaves: Sequence[Leaf], sought: Mapping[str, str], look: Look) -> dict[str, list[int]]:
    """By a term's id the pages that use it or bear it in a heading; `sought` has the terms' words.

    The index does not count, nor the glossary, where every term stands, but for those that stand nowhere else.
    """
    found: dict[str, list[int]] = {}
    meanings = {
        anchor: (id(strip), leaf.number)
        for leaf in leaves
        for strip, _ in leaf.strips
        for anchor in strip.anchors
        if anchor.startswith(TERM)
    }
    glossary = {strip for strip, _ in meanings.values()}
    for leaf in leaves:
        strips = [
            strip
            for strip, _ in leaf.strips
            if id(strip) not in glossary and not any(anchor.startswith(INDEX) for anchor in strip.anchors)
        ]
        upright = [term for thing in leaf.things for term in thing.terms] if leaf.plain else []
        titles = [heading_words(strip.heading) for strip in strips if strip.heading is not None]
        titled = [term for term, words in sought.items() if any(speaks_of(look, title, words) for title in titles)]
        for term in [*upright, *titled, *(term for strip in strips for term in strip.terms)]:
            pages = found.setdefault(term, [])
            if leaf.number not in pages:
                pages.append(leaf.number)
    return {anchor.removeprefix(TERM): [page] for anchor, (_, page) in meanings.items()} | found


def goals(leaves: Iterable[Leaf]) -> Mapping[str, tuple[int, float]]:
    """By anchor the page (from 0) and the height on it; of a term's rows the last, which is the glossary's."""
    found: dict[str, tuple[int, float]] = {}
    for leaf in leaves:
        for strip, y in leaf.strips:
            for anchor in strip.anchors:
                found[anchor] = (leaf.number - 1, max(0.0, y - LEAD_IN))
    return found


def chapters(leaves: Iterable[Leaf]) -> Mapping[int, Said]:
    """By page number the chapter that runs at the page's head, else the first that begins on it."""
    heads: dict[int, Said] = {}
    running: Said = ("", None)
    for leaf in leaves:
        opening = [strip.heading for strip, _ in leaf.strips if strip.heading and strip.opens]
        begun = [(heading_words(heading), heading.origin.place) for heading in opening]
        heads[leaf.number] = running if running[0] or not begun else begun[0]
        running = begun[-1] if begun else running
    return heads
