"""Book pages: set a book as pages, as a leaflet or on one sheet."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from generator.base.display_list import Paint, Tag
from generator.base.errors import Problem, ProblemsFound, raise_problems
from generator.base.geometry import Rect
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Book,
    Box,
    Contents,
    Heading,
    Index,
    Link,
    Paragraph,
    VerticalText,
    dissolve_groups,
    iter_contents_headings,
    list_inlines,
)
from generator.books.page.composer import Composer
from generator.books.page.cover import SheetOverflow, check_sheet, set_cover, set_title_strip
from generator.books.page.finish_pages import (
    Leaf,
    PageFinisher,
    Proof,
    find_corrections,
    find_references,
    find_term_pages,
)
from generator.books.page.page_breaks import PageColumns, balance_columns, break_columns
from generator.books.page.page_style import LEAFLETS, SHEETS, TINT, Format, Look, find_page_format
from generator.books.page.references import KnownPages, find_anchored_titles, make_link_number, settle_pages
from generator.books.page.strips import SLACK, Column, Strip, Thing, justify_column, make_rule, place_column_things
from generator.books.page.text_setter import TextSetter, TypeLine, plain_from_text
from generator.books.page.text_strips import find_baseline, set_horizontal_pages, set_vertical_pages, thing_from_line
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document
from generator.game.rich_text import Plain

_IMPRINT_GAP = 2.0


def typeset_book(book: Book, workshop: Workshop, page: str | Format = "A5", accent: Paint = "ink") -> Document:
    """Return the book's pages. Raise ProblemsFound with every text, figure or link that can't be set.

    `page` is A5, B5, A4 or Letter, or a format; `accent` the paint of titles. Raise SheetOverflow if a sheet is too
    small.
    """
    return typeset_and_proofread(book, workshop, page, accent)[0]


def typeset_and_proofread(
    book: Book, workshop: Workshop, page: str | Format = "A5", accent: Paint = "ink"
) -> tuple[Document, Proof]:
    """Return the pages, and the layout faults for an editor to correct. Raise ProblemsFound like `typeset_book`."""
    paper, cover = page if isinstance(page, Format) else find_page_format(page), book.cover
    look = Look(paper, book.lang, accent, cover.tint or TINT, cover.rule)
    setter = TextSetter(workshop, look, f"{book.name} ({look.lang}, {look.format.name}): {{}}")
    leaves = _Typesetter(book, look, setter).make_leaves()
    finished = PageFinisher(book, setter, leaves)
    pages = tuple(finished.finish_page(leaf) for leaf in leaves)
    raise_problems([*setter.problems, *finished.problems, *workshop.fonts.problems])
    document = Document(
        book.title, book.lang, pages, author=workshop.game.author(book.lang), subject=book.cover.subtitle,
        date=book.date, outline=tuple(finished.make_outline()), tagged=True,
    )  # fmt: skip
    return document, find_corrections(leaves, look, setter.told)


def find_setting_problems(book: Book, workshop: Workshop) -> list[Problem]:
    """Return problems with texts, tables, figures and cover on A5 pages. This is faster than making the pages."""
    look = Look(find_page_format("A5"), book.lang, "ink")
    setter = TextSetter(workshop, look, f"{book.name} ({look.lang}, {look.format.name}): {{}}")
    _Typesetter(book, look, setter).set_lines()
    return list(dict.fromkeys([*setter.problems, *workshop.fonts.problems]))


@dataclass(frozen=True, slots=True)
class _VerticalPart:
    """A text in vertical lines on its own pages, the headings before it, and its number in the PDF's structure."""

    upright: VerticalText
    headings: Sequence[Heading]
    part: int


@dataclass(frozen=True, slots=True)
class _IndexPart:
    """The place of the index between other strips, and its number in the PDF's structure."""

    index: Index
    part: int


_Piece: TypeAlias = list[Strip] | _IndexPart


class _Typesetter:
    def __init__(self, book: Book, look: Look, setter: TextSetter):
        self._book, self._look, self._setter = book, look, setter
        self._height = look.find_text_room(1).height
        self._uprights: list[tuple[_VerticalPart, list[Thing]]] = []
        anchored = find_anchored_titles(book.blocks)
        self._names = {anchor: " ".join(plain_from_text(text).split()) for anchor, text in anchored}
        width = look.find_text_room(1).width
        self._small: list[tuple[TypeLine, int]] = []
        for number, text in enumerate(book.imprint, start=1):
            lines = setter.set_lines(text, look.small, width, book.origin.get_part_place(number - 1))
            self._small += [(line, number) for line in lines]
        self._foot = look.small.pitch * len(self._small) + _IMPRINT_GAP + look.unit if self._small else 0.0
        if self._foot > self._height:
            longest = max(range(len(book.imprint)), key=lambda at: len(book.imprint[at]))
            setter.report_too_tall("the imprint", self._foot, book.origin.get_part_place(longest))
        self._composer = self._make_composer()
        self._found = list(setter.problems)

    def make_leaves(self) -> list[Leaf]:
        """Return all pages. Repeat until page references are right, because a longer number can move the text."""
        if self._look.format.opening == "sheet":
            leaves = self._fill_book(KnownPages(self._names, links={}))
            self._place_imprint(leaves)
            check_sheet(self._book, leaves, self._look, self._height)
            return leaves
        inlines = (inline for block in self._book.blocks for inline in list_inlines(block))
        linked = any(isinstance(inline, Link) for inline in inlines)
        links: dict[int, int] | None = None if linked else {}  # without links, one pass is enough
        leaves, told = settle_pages(KnownPages(self._names, links), self._fill_book, self._read_pages)
        for referral in find_references(leaves).values():
            if referral.tells and make_link_number(referral.link) not in (told.links or {}):
                what = f"the page number of '{referral.link.anchor}' can't settle: printing it moves the pages"
                self._setter.problems.append(Problem(referral.place, what, "add or remove text before the link"))
        self._place_imprint(leaves)
        return leaves

    def set_lines(self) -> None:
        """Break all texts into lines and compose both covers, only for the problems that the text setter collects."""
        self._setter.told = KnownPages(self._names)
        inner, back = _split_back(self._book.blocks)
        for piece in [piece for part in _split_parts(inner) for piece in self._compose_part(part)]:
            if isinstance(piece, _IndexPart):
                self._composer.compose_index(piece.index, piece.part)
        behind = self._composer.compose_blocks(back)
        if behind:
            self._make_back_cover(1, behind)
        self._make_cover()

    def _fill_book(self, pages: KnownPages) -> list[Leaf]:
        self._setter.told = pages
        self._setter.problems[:] = self._found
        self._composer, self._uprights = self._make_composer(), []
        inner, back = _split_back(self._book.blocks)
        parts = [piece for part in _split_parts(inner) for piece in self._compose_part(part)]
        return self._fill_leaves(parts, self._composer.compose_blocks(back))

    def _make_composer(self) -> Composer:
        headings = list(iter_contents_headings(dissolve_groups(self._book.blocks)))
        return Composer(self._setter, self._height, headings, self._book.name)

    def _read_pages(self, leaves: Sequence[Leaf]) -> KnownPages:
        links = {number: one.goal for number, one in find_references(leaves).items() if one.tells}
        indexes = (block for block in dissolve_groups(self._book.blocks) if isinstance(block, Index))
        indexed = {entry for index in indexes for _, entry in index.entries}
        terms = {term: pages for term, pages in find_term_pages(leaves).items() if term in indexed}
        return replace(self._setter.told, links=links, terms=terms)

    def _compose_part(self, part: Sequence[Block]) -> list[_Piece]:
        """Return the strips of one part, in pieces before and after an index; vertical text is a single strip."""
        if isinstance(part[-1], VerticalText):
            headings = [block for block in part if isinstance(block, Heading)]
            return [self._compose_vertical_text(_VerticalPart(part[-1], headings, self._composer.reserve_part()))]
        made: list[_Piece] = []
        run: list[Block] = []
        for block in part:
            if isinstance(block, Index):
                made += [self._composer.compose_blocks(run), _IndexPart(block, self._composer.reserve_part())]
                run = []
            else:
                run.append(block)
        return [*made, self._composer.compose_blocks(run)]

    def _compose_vertical_text(self, standing: _VerticalPart) -> list[Strip]:
        set_pages = set_vertical_pages if self._look.cjk else set_horizontal_pages
        words = [heading.text for heading in standing.headings]
        words += [standing.upright.title] if standing.upright.title else []
        title = tuple(chain.from_iterable((*text, Plain("\u3000")) for text in words))[:-1]
        upright, first = replace(standing.upright, title=title), len(self._uprights)
        pages = set_pages(self._setter, upright, [self._look.find_text_room(1)] * 2, standing.part)
        self._uprights += [(standing, things) for things in pages]
        return [Strip(self._height, ends=True, page=first + at) for at in range(len(pages))]

    def _fill_leaves(self, parts: Sequence[_Piece], behind: Sequence[Strip]) -> list[Leaf]:
        look, count, opening = self._look, self._look.format.columns, self._look.format.opening
        strips = [set_title_strip(self._setter, self._book.cover, self._height)] if opening != "cover" else []
        for piece in parts:
            made = self._composer.compose_index(piece.index, piece.part) if isinstance(piece, _IndexPart) else piece
            if made and made[0].page >= 0 and strips:
                strips[-1] = strips[-1]._replace(ends=True, keep=False)
            strips += made
        covered, fours, headed = opening == "cover", opening in ("cover", "column"), opening == "sheet"
        if headed:  # its type is as large as fits, so little space is left
            strips = [strip._replace(stretch=min(strip.stretch, 1) if strip.heading else 0) for strip in strips]
        pages = PageColumns(count, 1 if covered else 0, 1 if behind else 0, fours, self._foot, headed)
        columns = break_columns(strips, self._height, look.unit, pages) if strips else []
        leaves = [self._make_cover()] if covered else []
        for at in range(0, len(columns), count):
            together = columns[at : at + count]
            last = at + count >= len(columns) or not together[-1].puts
            wides, top = together[0].wides, together[0].top
            if count > 1 and last and together[0].puts and together[0].puts[0].strip.page < 0:
                together = balance_columns(together, count, self._height - top, look.unit)
            leaves.append(self._make_leaf(len(leaves) + 1, together, wides, top))
        return [*leaves, *([self._make_back_cover(len(leaves) + 1, behind)] if behind else [])]

    def _make_leaf(self, number: int, columns: Sequence[Column], wides: Sequence[Strip] = (), top: float = 0.0) -> Leaf:
        """Return page `number`: `wides` span all columns at its head, and the columns begin `top` mm below it."""
        look = self._look
        room = look.find_text_room(number)
        leaf = Leaf(number)
        page = columns[0].puts[0].strip.page if columns[0].puts else -1
        if page >= 0:
            standing, things = self._uprights[page]
            shift = room.x - look.find_text_room(1).x
            leaf = Leaf(number, [thing.move_by(shift, 0.0) for thing in things], plain=True, bottom=room.height)
            for heading in standing.headings if not page or self._uprights[page - 1][0] is not standing else ():
                strip = Strip(0.0, heading=heading, anchors=(heading.anchor,), opens=heading.level == 1)
                leaf.strips.append((strip, room.y))
            return leaf
        if wides:
            _place_column(leaf, Column(look.unit, wides), room, 0.0, 0.0)
        for across, column in enumerate(columns):
            _place_column(leaf, column, room, across * (look.column + look.gutter), top)
        return leaf

    def _make_back_cover(self, number: int, strips: Sequence[Strip]) -> Leaf:
        column = justify_column(strips, self._height, self._look.unit, full=False)
        if column.bottom > self._height + SLACK:
            begins = next((block for block in self._book.blocks if isinstance(block, BackCover)), BackCover())
            self._setter.report_too_tall("the back cover", column.bottom, begins.origin.place)
        leaf = self._make_leaf(number, [column])
        leaf.plain = True
        return leaf

    def _make_cover(self) -> Leaf:
        room = self._look.find_text_room(1)
        return Leaf(1, set_cover(self._setter, self._book.cover, room), plain=True, bottom=room.height)

    def _place_imprint(self, leaves: list[Leaf]) -> None:
        """Add the imprint to one of the last two pages, else to a new one; report a back cover without room for it."""
        look, style = self._look, self._look.small
        part = Tag("Sect", self._composer.reserve_part())
        if not self._small:
            return
        high = look.find_text_room(1).height - self._foot + SLACK
        found = [leaf for leaf in leaves[-1:-3:-1] if leaf.columns and leaf.bottom <= high]
        inner = [leaf for leaf in found if not leaf.plain]
        back = next((block for block in self._book.blocks if isinstance(block, BackCover)), None)
        if not found and back is not None:
            lacking = leaves[-1].bottom - high
            what = f"the imprint finds no room: {lacking:.0f} mm are missing at the foot of the back cover"
            self._setter.report(what, "shorten the back cover, or the last page before it", back.origin.place)
            return
        if not found:
            leaves.append(Leaf(len(leaves) + 1, plain=True))
        leaf = (inner or found or leaves[-1:])[0]
        leaf.taken = self._foot
        room = look.find_text_room(leaf.number)
        top = room.bottom - self._foot + look.unit
        leaf.things.append(make_rule(room.x, top, room.width))
        drop = find_baseline(look, style, style.pitch)
        for at, (line, number) in enumerate(self._small):
            box = Rect(room.x, top + _IMPRINT_GAP + at * style.pitch, room.width, style.pitch)
            tags = (part, Tag("P", number))
            leaf.things.append(thing_from_line(line, "paragraph", 0.0, drop, box, 0, tags))


def _split_back(blocks: Sequence[Block]) -> tuple[Sequence[Block], Sequence[Block]]:
    begins = next((at for at, block in enumerate(blocks) if isinstance(block, BackCover)), len(blocks))
    return blocks[:begins], [block for block in blocks[begins:] if not isinstance(block, BackCover)]


def _split_parts(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return the blocks in parts that begin on a new page: vertical text with the headings right before it."""
    parts: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, VerticalText):
            before = parts[-1]
            first = next((at for at in range(len(before), 0, -1) if not isinstance(before[at - 1], Heading)), 0)
            parts[-1] = before[:first]
            parts += [[*before[first:], block], []]
        else:
            parts[-1].append(block)
    return [part for part in parts if part]


def _place_column(leaf: Leaf, column: Column, room: Rect, left: float, top: float) -> None:
    x, y = room.x + left, room.y + top
    leaf.things += place_column_things(column, x, y)
    leaf.columns.append([])
    for put in column.puts:
        if not put.again:
            shown = put.strip.across or (put.strip,)
            leaf.strips += [(strip, y + put.y) for strip in shown]
            leaf.columns[-1] += shown
        leaf.bottom = max(leaf.bottom, top + put.y + put.strip.height)


LARGEST, LEAST, STEP = 1.16, 0.86, 0.03
"""Largest and smallest type size on a sheet compared with a book, and the step between sizes that are tried."""

_PICTURES = 0.8
"""Scale of pictures on a sheet at the book's type size or larger, because the columns are narrower."""

_LARGER_PICTURES = (1.25, 1.15, 1.05)
"""Further scales of pictures, tried from the largest once the type size is found."""

_LEAST_IN_FRONT = 0.95
"""If the type must be smaller than this to fit the front side, both sides are printed."""

_HOPELESS = 1.1
"""Both sides are printed at once if, by the area of its type, a book is this many times too long for the front."""


def make_leaflet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """Return a book's leaflet on `paper` (A4 or Letter), `accent` its colour. Raise ProblemsFound if it has faults."""
    return typeset_book(replace(book, blocks=tuple(_drop_page_blocks(book.blocks))), workshop, LEAFLETS[paper], accent)


def set_book_on_sheet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """Set a book on one or both sides of a sheet of A4 or Letter, as large as it fits, or raise SheetOverflow."""
    try:
        return _set_largest(book, workshop, replace(SHEETS[paper], sides=1), accent, _LEAST_IN_FRONT)
    except SheetOverflow:
        return _set_largest(book, workshop, replace(SHEETS[paper], sides=2), accent, LEAST)


def _set_largest(book: Book, workshop: Workshop, format_: Format, accent: Paint, least: float) -> Document:
    """Return a book in the largest type, at least `least` times the usual, that fits, or raise SheetOverflow."""
    larger, too_large = LARGEST, LARGEST + STEP
    fitting: Document | None = None
    chosen = format_
    while fitting is None or larger < too_large:
        try:
            tried = replace(format_, larger=larger, pictures=_PICTURES * min(1.0, larger))
            fitting, chosen = typeset_book(book, workshop, tried, accent), tried
            larger += STEP
        except ProblemsFound as found:
            share = found.share if isinstance(found, SheetOverflow) else 1.0
            if larger <= least or (format_.sides == 1 and share * (least / larger) ** 2 > _HOPELESS):
                raise
            if fitting is not None:
                break
            too_large, larger = larger, max(least, min(larger - STEP, larger / share**0.5))
    for times in _LARGER_PICTURES:
        with suppress(ProblemsFound):
            return typeset_book(book, workshop, replace(chosen, pictures=chosen.pictures * times), accent)
    return fitting


def choose_sheet_paper(page: str) -> str:
    """Return the paper of leaflets and sheets for a page size of a book."""
    return "Letter" if page == "Letter" else "A4"


def _drop_page_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks for a few pages: no contents, prologues as running text."""
    for block in blocks:
        if isinstance(block, BlockGroup):
            yield replace(block, blocks=tuple(_drop_page_blocks(block.blocks)))
        elif isinstance(block, VerticalText):
            said = (Paragraph(text, origin=block.origin) for text in block.paragraphs)
            yield Box("note", block.title, tuple(said), origin=block.origin)
        elif not isinstance(block, Contents | BackCover):
            yield block
