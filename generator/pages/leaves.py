"""Pages under way, and what can be read off them once they are filled: where anchors, terms and chapters stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from generator.dataclass import dataclass
from generator.errors import Place
from generator.pages.blocks import INDEX, TERM, Link, Term
from generator.pages.lines import heading_words
from generator.pages.references.told import number_of
from generator.pages.strips import Strip, Thing

LEAD_IN = 3.0
"""mm above a heading that a link to it shows."""

Said: TypeAlias = tuple[str, Place | None]
"""Words with the place where they are written."""


@dataclass(slots=True)
class Leaf:
    """A page under way: its things at their places, the strips that stand on it with the y of each, mm.

    `columns` are the same strips by column, without what is repeated. They end at `bottom`; so many mm of the room
    below them are `taken` by the imprint.
    """

    number: int
    things: list[Thing] = field(default_factory=list)
    strips: list[tuple[Strip, float]] = field(default_factory=list)
    columns: list[list[Strip]] = field(default_factory=list)
    plain: bool = False
    bottom: float = 0.0
    taken: float = 0.0


def term_pages(leaves: Sequence[Leaf]) -> dict[str, tuple[int, ...]]:
    """By an entry's id the pages that mention it, the main one first: where it is defined, else the first.

    The index does not count, nor the glossary, where every term stands, but for those that stand nowhere else.
    """
    found: dict[str, dict[int, None]] = {}
    defined: dict[str, int] = {}
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
        for term in [*upright, *(term for strip in strips for term in strip.terms)]:
            found.setdefault(term, {})[leaf.number] = None
        for area in (area for strip in strips for thing in strip.things for area in thing.areas):
            if isinstance(area.mark, Term) and area.mark.defines:
                defined.setdefault(area.mark.id, leaf.number)
    pages: dict[str, tuple[int, ...]] = {anchor.removeprefix(TERM): (page,) for anchor, (_, page) in meanings.items()}
    for term, numbers in found.items():
        main = defined.get(term, next(iter(numbers)))
        pages[term] = (main, *(number for number in numbers if number != main))
    return pages


@dataclass(frozen=True, slots=True)
class Referral:
    """A link of the text, the page that it begins on and the page that it leads to, from 1."""

    link: Link
    page: int
    goal: int
    place: Place | None

    @property
    def tells(self) -> bool:
        """Whether a reader of the paper has to be told the page: it is another one, or the link says nothing else."""
        return self.page != self.goal or not self.link.text


def referrals(leaves: Sequence[Leaf]) -> dict[int, Referral]:
    """By its number each link that leads to a place of the book."""
    found: dict[int, Referral] = {}
    places = goals(leaves)
    for leaf in leaves:
        for area in (area for thing in leaf.things for area in thing.areas):
            if isinstance(area.mark, Link) and area.target in places:
                referral = Referral(area.mark, leaf.number, places[area.target][0] + 1, area.place)
                found.setdefault(number_of(area.mark), referral)
    return found


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
