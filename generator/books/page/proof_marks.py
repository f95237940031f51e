"""Proof marks: an editor's corrections on the pages of a book.

The last page with text never counts as too empty; a book with a back cover ends with that page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from generator.books.page.finish_pages import Leaf, find_references
from generator.books.page.page_style import Look
from generator.books.page.references import KnownPages
from generator.books.page.strips import Member, Strip

MOST_EMPTY = 0.10
"""Maximum gap at the foot of a page as a share of its text height."""

SHORT_LIST, SMALL_TABLE = 4, 8
"""Maximum number of entries of a list, and of rows of a table, that must stay whole."""

FRAGMENT = 2
"""Rows or entries: a break must leave more than this in each column."""

_BELOW_HEADING = 2
_SHORT_CJK, _SHORT_WORD = 4, 4
"""Characters of a last line that is too short: all of them in Japanese, else those of its one word."""

_SIGNS = re.compile(r"[\W_]+")
_FOUR = 4

COUNTED = (
    "feet", "torn boxes", "torn procedures", "parted lists", "parted tables", "fragments",
    "examples away from their rule", "stranded headings", "parted spreads", "short last lines", "narrow tables",
    "references without a page", "blank pages", "not in fours",
)  # fmt: skip
"""The kinds of corrections, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A fault to correct: its page, its kind of `COUNTED`, and its description."""

    page: int
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The number of pages of a book and its corrections; `feet` is the gap of each page of text, 0 to 1."""

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
    """Return an editor's corrections for the pages, which were set with these page references."""
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
        first = column[0] if column else Strip(0.0)
        if any(member.kind == "example" and member.entry == 1 for member in first.members):
            yield Correction(page, "examples away from their rule", "it begins a column")
    for (kind, _), parts in found.items():
        if len(parts) > 1:
            yield from _find_torn(kind, parts)


def _find_parted_spreads(leaves: Sequence[Leaf]) -> Iterator[Correction]:
    found: dict[int, dict[int, None]] = {}
    for leaf in leaves:
        for member in (member for column in leaf.columns for strip in column for member in strip.members):
            if member.kind == "spread":
                found.setdefault(member.number, {})[leaf.number] = None
    for pages in found.values():
        first, *_, last = [*pages, *pages]
        if first // 2 != last // 2:
            yield Correction(first, "parted spreads", f"it goes on overleaf, to page {last}")


def _find_torn(kind: str, parts: Sequence[tuple[int, Sequence[Member]]]) -> Iterator[Correction]:
    """Yield the faults of a unit in several columns."""
    page, size = parts[0][0], parts[0][1][0].size
    cut = " + ".join(str(len({member.entry for member in members})) for _, members in parts)
    if kind == "spread":
        return
    if kind in ("box", "example"):
        yield Correction(page, "torn boxes", f"the {kind} goes on in the next column")
        return
    if kind == "procedure":
        yield Correction(page, "torn procedures", f"its {size} steps are cut {cut}")
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
            yield Correction(leaf.number, "stranded headings", "under two lines stand below it")
        for strip in column:
            if strip.told:
                yield Correction(leaf.number, "narrow tables", strip.told)
            if strip.ending and _is_short(strip.ending, cjk=look.cjk):
                yield Correction(leaf.number, "short last lines", f"'{strip.ending.strip()}'")


def _is_short(words: str, *, cjk: bool) -> bool:
    """Return True if a paragraph's last line is too short; punctuation and icons do not count."""
    said = words.split()
    if cjk:
        return len("".join(said)) <= _SHORT_CJK
    return len(said) == 1 and 0 < len(_SIGNS.sub("", said[0])) <= _SHORT_WORD
