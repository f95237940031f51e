"""Finish pages: page numbers, running heads, links, the outline, and a list of layout faults for an editor."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeAlias

from generator.base.display_list import FOOTER, HEADER, Tags
from generator.base.errors import Place, Problem
from generator.base.geometry import Rect
from generator.base.languages import phrase
from generator.books.page.blocks import INDEX, PAGE, TERM, Book, Link, Term
from generator.books.page.page_style import HAIR, Look, TypeStyle
from generator.books.page.references import KnownPages, make_link_number
from generator.books.page.strips import Member, Strip, Thing, make_rule
from generator.books.page.text_setter import TextSetter
from generator.books.page.text_strips import find_baseline, plain_heading, thing_from_line
from generator.game.print_pages import Bookmark, Page, PageLink

LEAD_IN = 3.0
"""Space above a heading that stays visible when a reader follows a link to it (mm)."""

RunningTitle: TypeAlias = tuple[str, Place | None]
"""The words of a running head, and their place in the source."""


@dataclass(slots=True)
class Leaf:
    """A page being made: the things on it, and its strips with the y of each (mm).

    `columns` are the same strips by column, without repeated ones. They end at `bottom`; the imprint takes `taken` mm
    of the space below.
    """

    number: int
    things: list[Thing] = field(default_factory=list)
    strips: list[tuple[Strip, float]] = field(default_factory=list)
    columns: list[list[Strip]] = field(default_factory=list)
    plain: bool = False
    bottom: float = 0.0
    taken: float = 0.0


def find_term_pages(leaves: Sequence[Leaf]) -> dict[str, tuple[int, ...]]:
    """Return the pages of each index entry. The main page comes first: that of the definition, else the lowest.

    Pages of the index don't count, nor those of the glossary, except for terms that occur nowhere else.
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
class PageReference:
    """A link in the text: the page where it is and the page of its target (both from 1)."""

    link: Link
    page: int
    goal: int
    place: Place | None

    @property
    def tells(self) -> bool:
        """Return True if the page number is needed in print: the target is another page, or the link has no words."""
        return self.page != self.goal or not self.link.text


def find_references(leaves: Sequence[Leaf]) -> dict[int, PageReference]:
    """Return every link to a place in the book, by the number that identifies the link."""
    found: dict[int, PageReference] = {}
    places = find_anchors(leaves)
    for leaf in leaves:
        for area in (area for thing in leaf.things for area in thing.areas):
            if isinstance(area.mark, Link) and area.target in places:
                referral = PageReference(area.mark, leaf.number, places[area.target][0] + 1, area.place)
                found.setdefault(make_link_number(area.mark), referral)
    return found


def find_anchors(leaves: Iterable[Leaf]) -> Mapping[str, tuple[int, float]]:
    """Return for each anchor its page (from 0) and y (mm). A term's anchor is its last definition."""
    found: dict[str, tuple[int, float]] = {}
    for leaf in leaves:
        for strip, y in leaf.strips:
            for anchor in strip.anchors:
                found[anchor] = (leaf.number - 1, max(0.0, y - LEAD_IN))
    return found


def find_chapters(leaves: Iterable[Leaf]) -> Mapping[int, RunningTitle]:
    """Return for each page the chapter for its running head: the one that continues there, else the first new one."""
    heads: dict[int, RunningTitle] = {}
    running: RunningTitle = ("", None)
    for leaf in leaves:
        opening = [strip.heading for strip, _ in leaf.strips if strip.heading and strip.opens]
        begun = [(plain_heading(heading), heading.origin.place) for heading in opening]
        heads[leaf.number] = running if running[0] or not begun else begun[0]
        running = begun[-1] if begun else running
    return heads


_HEAD, _FOOT = 4.4, 8.0
"""Distances of the running head's baseline from the text, and of the page number's from the paper's edge (mm)."""


class PageFinisher:
    """Adds page numbers, running heads and links. `problems`: links without a target."""

    def __init__(self, book: Book, setter: TextSetter, leaves: Sequence[Leaf]):
        self._book, self._setter, self._look = book, setter, setter.look
        self._leaves = leaves
        self._goals = find_anchors(leaves)
        self._chapters = find_chapters(leaves)
        self.problems: list[Problem] = []

    def finish_page(self, leaf: Leaf) -> Page:
        """Return the finished page with its links."""
        things = [self._set_page_number(thing) if thing.number else thing for thing in leaf.things]
        if not leaf.plain:
            things += self._set_running_heads(leaf)
        links: list[PageLink] = []
        for thing in things:
            for area in thing.areas:
                goal = self._find_goal(area.target, area.place)
                if goal is not None:
                    box, tags = area.box.move(thing.box.x, thing.box.y), (*thing.tags, *area.tags)
                    links.append(PageLink(box, *goal, tags, area.words))
        items = tuple(thing.draw_on_page() for thing in things)
        covered = leaf.number == 1 and self._look.format.opening == "cover"
        label = phrase("cover", self._look.lang) if covered else str(leaf.number)
        return Page(self._look.format.size, "front", leaf.number, (), items, tuple(links), label)

    def make_outline(self) -> Iterable[Bookmark]:
        """Return all headings with their pages."""
        for leaf in self._leaves:
            for strip, y in leaf.strips:
                if strip.heading is not None:
                    words = plain_heading(strip.heading)
                    yield Bookmark(words, strip.heading.level, leaf.number - 1, max(0.0, y - LEAD_IN))

    def _find_goal(self, target: str, place: Place | None) -> tuple[int, float] | None:
        """Return the target page (from 0) and height of a text's link; report a missing target and return None."""
        if target.startswith(PAGE):
            return int(target.removeprefix(PAGE)) - 1, 0.0
        found = self._goals.get(target)
        if found is None and target.startswith(TERM):
            return self._goals.get(INDEX + target.removeprefix(TERM))
        if found is None:
            what = (
                f"{self._book.name} ({self._look.lang}): a link leads to '{target}', but the book has no such heading"
            )
            self.problems.append(Problem(place, what, "name the anchor of a heading"))
        return found

    def _set_page_number(self, thing: Thing) -> Thing:
        """Return the number of the page with the thing's anchor, right-aligned in its box."""
        place = self._book.origin.place
        goal = self._find_goal(thing.number, place)
        style = replace(self._look.body, align="start")
        line = self._setter.set_lines(str(goal[0] + 1) if goal else "", style, thing.box.width, place)
        if not line:
            return thing
        drop = find_baseline(self._look, style, thing.box.height)
        right = thing.box.width - line[0].width
        return thing_from_line(line[0], thing.role, right, drop, thing.box, thing.part, thing.tags)

    def _set_running_heads(self, leaf: Leaf) -> list[Thing]:
        """Return the page number at the outer foot; above, the game on left pages and the chapter on right ones."""
        look, right = self._look, leaf.number % 2 == 1
        room, page = look.find_text_room(leaf.number), look.format
        number = replace(look.note, bold=True, paint=look.accent)
        folio = (str(leaf.number), self._book.origin.place)
        things = [self._set_outer_line(folio, number, page.size.height - _FOOT, room, right, FOOTER)]
        starts = bool(leaf.strips) and leaf.strips[0][0].opens
        cover, chapter = self._book.cover, self._chapters[leaf.number]
        said = chapter if right else (cover.title, cover.origin.get_part_place(0))
        if said[0] and not starts:
            things.append(self._set_outer_line(said, look.small, room.y - _HEAD, room, right, HEADER))
            things.append(make_rule(room.x, room.y - _HEAD + 1.6, room.width, width=HAIR))
        return things

    def _set_outer_line(
        self, said: RunningTitle, style: TypeStyle, y: float, room: Rect, right: bool, tags: Tags
    ) -> Thing:
        words, place = said
        line = self._setter.set_only_line(words, style, room.width, place)
        box = Rect(room.x, y - style.pitch, room.width, style.pitch)
        return thing_from_line(line, "artifact", room.width - line.width if right else 0.0, style.pitch, box, 0, tags)


MOST_EMPTY = 0.10
"""A page whose gap at its foot is larger than this share of its text height is reported."""

SHORT_LIST, SMALL_TABLE = 4, 8
"""A list of up to 4 entries and a table of up to 8 rows must not be split between columns."""

FRAGMENT = 2
"""A split list or table needs more than this many entries or rows in each column."""

_BELOW_HEADING = 2
_SHORT_CJK, _SHORT_WORD = 4, 4
"""A paragraph's last line is too short up to this many characters in Japanese; elsewhere, one word this short."""

_SIGNS = re.compile(r"[\W_]+")
_FOUR = 4

COUNTED = (
    "feet", "torn boxes", "torn procedures", "parted lists", "parted tables", "fragments",
    "examples away from their rule", "stranded headings", "parted spreads", "short last lines", "narrow tables",
    "references without a page", "blank pages", "not in fours",
)  # fmt: skip
"""The kinds of layout faults that a proof counts, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A layout fault that an editor should correct: its page, its kind (from `COUNTED`), and a description."""

    page: int
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The layout faults of a book, and its number of pages; `feet` is the gap of each text page, from 0 to 1."""

    pages: int
    feet: tuple[float, ...]
    marks: tuple[Correction, ...]

    def count_corrections(self) -> dict[str, int]:
        """Return the number of corrections of each kind in `COUNTED`."""
        found = Counter(mark.kind for mark in self.marks)
        return {kind: found[kind] for kind in COUNTED}

    def format_lines(self) -> Iterator[str]:
        """Yield the report: the figures, then each correction with its page."""
        counts = ", ".join(f"{kind} {number}" for kind, number in self.count_corrections().items() if number)
        yield f"{self.pages} pages; {counts or 'nothing to mend'}"
        for mark in self.marks:
            yield f"page {mark.page}: {mark.kind}: {mark.what}"


def find_corrections(leaves: Sequence[Leaf], look: Look, pages: KnownPages) -> Proof:
    """Return the layout faults that a proof of a book lists. `pages` are the page numbers that its references show.

    The last page with text never counts as too empty; a book with a back cover ends with that page.
    """
    height = look.find_text_room(1).height
    filled = [leaf for leaf in leaves if leaf.columns]
    feet = {leaf.number: max(0.0, 1.0 - (leaf.bottom + leaf.taken) / height) for leaf in filled[:-1]}
    unnumbered = [
        (one, one.link.text or pages.names.get(one.link.anchor, one.link.anchor))
        for one in find_references(leaves).values()
        if one.tells and pages.find_page(one.link) != one.goal
    ]
    marks = [
        *(Correction(page, "feet", f"{foot:.0%} of it is empty") for page, foot in feet.items() if foot > MOST_EMPTY),
        *_find_parted([(leaf.number, column) for leaf in filled for column in leaf.columns]),
        *_find_parted_spreads(filled),
        *chain.from_iterable(_find_bad_lines(leaf, look) for leaf in filled),
        *(
            Correction(one.page, "references without a page", f"'{words}' leads to page {one.goal}")
            for one, words in unnumbered
        ),
        *(Correction(leaf.number, "blank pages", "nothing stands on it") for leaf in leaves if not leaf.things),
    ]
    if len(leaves) % _FOUR:
        marks.append(Correction(len(leaves), "not in fours", f"{-len(leaves) % _FOUR} pages of a booklet stay blank"))
    return Proof(len(leaves), tuple(feet.values()), tuple(sorted(marks, key=lambda mark: mark.page)))


def _find_parted(columns: Sequence[tuple[int, Sequence[Strip]]]) -> Iterator[Correction]:
    found: dict[tuple[str, int], list[tuple[int, list[Member]]]] = {}
    for page, column in columns:
        here: dict[tuple[str, int], list[Member]] = {}
        for strip in column:
            for member in strip.members:
                here.setdefault((member.kind, member.number), []).append(member)
        for key, members in here.items():
            found.setdefault(key, []).append((page, members))
        if any(one.kind == "example" and one.entry == 1 for first in column[:1] for one in first.members):
            yield Correction(page, "examples away from their rule", "it begins a column")
    for (kind, _), parts in found.items():
        if len(parts) > 1:
            yield from _find_torn(kind, parts)


def _find_parted_spreads(leaves: Sequence[Leaf]) -> Iterator[Correction]:
    found: dict[int, list[int]] = {}
    for leaf in leaves:
        for member in (member for column in leaf.columns for strip in column for member in strip.members):
            if member.kind == "spread":
                found.setdefault(member.number, []).append(leaf.number)
    for first, *_, last in ([*pages, *pages] for pages in found.values()):
        if first // 2 != last // 2:
            yield Correction(first, "parted spreads", f"it goes on overleaf, to page {last}")


def _find_torn(kind: str, parts: Sequence[tuple[int, Sequence[Member]]]) -> Iterator[Correction]:
    """Yield the faults of a box, list or table whose strips (`parts`) are in several columns."""
    page, size = parts[0][0], parts[0][1][0].size
    cut = " + ".join(str(len({member.entry for member in members})) for _, members in parts)
    if kind == "spread":
        return
    if kind in ("box", "example"):
        yield Correction(page, "torn boxes", f"the {kind} goes on in the next column")
        return
    if kind == "procedure":
        yield Correction(page, "torn procedures", f"its {size} steps are split {cut} between columns")
    elif kind == "list" and size <= SHORT_LIST:
        yield Correction(page, "parted lists", f"its {size} entries are cut {cut}")
    elif kind == "table" and size <= SMALL_TABLE:
        yield Correction(page, "parted tables", f"its {size} rows are cut {cut}")
    if kind in ("table", "list"):
        for there, members in parts:
            few = len({member.entry for member in members})
            if few <= FRAGMENT:
                yield Correction(there, "fragments", f"{few} of the {size} {'rows' if kind == 'table' else 'entries'}")


def _find_bad_lines(leaf: Leaf, look: Look) -> Iterator[Correction]:
    """Yield headings with too little text below, short last lines, and tables in reduced type."""
    for column in leaf.columns:
        titles = [at for at, strip in enumerate(column) if strip.heading is not None]
        below = column[titles[-1] + 1 :] if titles else []
        if titles and len(below) < _BELOW_HEADING and all(strip.flows for strip in below):
            yield Correction(leaf.number, "stranded headings", "fewer than two lines below it")
        for strip in column:
            if strip.told:
                yield Correction(leaf.number, "narrow tables", strip.told)
            if strip.ending and _is_short(strip.ending, cjk=look.cjk):
                yield Correction(leaf.number, "short last lines", f"'{strip.ending.strip()}'")


def _is_short(words: str, *, cjk: bool) -> bool:
    """Return True if a paragraph's last line is one short word (signs don't count) or, if `cjk`, has few characters."""
    said = words.split()
    if cjk:
        return len("".join(said)) <= _SHORT_CJK
    return len(said) == 1 and 0 < len(_SIGNS.sub("", said[0])) <= _SHORT_WORD
