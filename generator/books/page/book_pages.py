"""Book pages: set a book as pages, as a leaflet or on one sheet."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import Paint, Tag
from generator.base.errors import Problem, ProblemsFound
from generator.base.geometry import Rect
from generator.books.page.blocks import (
    Arranged,
    BackCover,
    Block,
    Book,
    Box,
    Contents,
    Heading,
    Index,
    Paragraph,
    Upright,
    contents_headings,
    without_arrangement,
)
from generator.books.page.composer import Composer
from generator.books.page.cover import Overfull, check_sheet, cover_things, title_strip
from generator.books.page.finish_pages import Finisher, Leaf, referrals, term_pages
from generator.books.page.page_breaks import Pages, balance_columns, break_columns
from generator.books.page.page_style import LEAFLETS, SHEETS, Format, Look, page_format
from generator.books.page.proof_marks import Proof, proofread
from generator.books.page.references import ToldPages, anchored, number_of, settle
from generator.books.page.strips import SLACK, Column, Strip, Thing, column_things, made_up, rule
from generator.books.page.text_setter import Setter, plain
from generator.books.page.text_strips import baseline, line_thing, lying_pages, upright_pages
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document
from generator.game.rich_text import Plain

_IMPRINT_GAP = 2.0


def typeset(book: Book, workshop: Workshop, page: str | Format = "A5", accent: Paint = "ink") -> Document:
    """Return the book's pages. Raise ProblemsFound with every text, figure or link that can't be set.

    `page` is A5, B5, A4 or Letter, or a format; `accent` the paint of titles. Raise Overfull if a sheet is too small.
    """
    return typeset_and_proofread(book, workshop, page, accent)[0]


def typeset_and_proofread(
    book: Book, workshop: Workshop, page: str | Format = "A5", accent: Paint = "ink"
) -> tuple[Document, Proof]:
    """Return the pages with an editor's marks. Raise ProblemsFound like `typeset`."""
    look = Look(page if isinstance(page, Format) else page_format(page), book.lang, accent)
    setter = Setter(workshop, look, f"{book.name} ({look.lang}, {look.format.name}): {{}}")
    leaves = _Typesetter(book, look, setter).leaves()
    finished = Finisher(book, setter, leaves)
    pages = tuple(finished.page(leaf) for leaf in leaves)
    problems = [*setter.problems, *finished.problems, *workshop.fonts.problems]
    if problems:
        raise ProblemsFound(problems)
    document = Document(
        book.title,
        book.lang,
        pages,
        author=workshop.game.author(book.lang),
        subject=book.cover.subtitle,
        date=book.date,
        outline=tuple(finished.outline()),
        tagged=True,
    )
    return document, proofread(leaves, look, setter.told)


def setting_problems(book: Book, workshop: Workshop) -> list[Problem]:
    """Return the problems of lines, tables, figures and cover on A5, without breaking pages."""
    look = Look(page_format("A5"), book.lang, "ink")
    setter = Setter(workshop, look, f"{book.name} ({look.lang}, {look.format.name}): {{}}")
    _Typesetter(book, look, setter).galleys()
    return list(dict.fromkeys([*setter.problems, *workshop.fonts.problems]))


@dataclass(frozen=True, slots=True)
class _Standing:
    """A page of vertical text with the headings before it, and its number among the book's parts."""

    upright: Upright
    headings: Sequence[Heading]
    part: int

    def with_headings(self) -> Upright:
        """Return the page with the words of its headings before its own title."""
        texts = [heading.text for heading in self.headings] + ([self.upright.title] if self.upright.title else [])
        joined = tuple(chain.from_iterable((*text, Plain("\u3000")) for text in texts))
        return replace(self.upright, title=joined[:-1])


@dataclass(frozen=True, slots=True)
class _Register:
    """The position of an index, and its number among the book's parts."""

    index: Index
    part: int


_Piece: TypeAlias = list[Strip] | _Register


class _Typesetter:
    """Fills the pages of one book."""

    def __init__(self, book: Book, look: Look, setter: Setter):
        self._book, self._look, self._setter = book, look, setter
        self._height = look.room(1).height
        self._uprights: list[tuple[_Standing, list[Thing]]] = []
        self._small = [
            (line, number)
            for number, text in enumerate(book.imprint, start=1)
            for line in setter.lines(text, look.small, look.room(1).width, book.origin.part(number - 1))
        ]
        self._foot = look.small.pitch * len(self._small) + _IMPRINT_GAP + look.unit if self._small else 0.0
        if self._foot > self._height:
            longest = max(range(len(book.imprint)), key=lambda at: len(book.imprint[at]))
            setter.too_tall("the imprint", self._foot, book.origin.part(longest))
        self._composer = self._new_composer()
        self._found = list(setter.problems)

    def leaves(self) -> list[Leaf]:
        """Return all pages, set again until their page references are right: new numbers may move the text."""
        names = {anchor: " ".join(plain(text).split()) for anchor, text in anchored(self._book.blocks)}
        if self._look.format.opening == "sheet":
            return self._sheet(ToldPages(names, links={}))
        leaves, told = settle(ToldPages(names), self._set, self._read)
        for referral in referrals(leaves).values():
            if referral.tells and number_of(referral.link) not in (told.links or {}):
                what = f"the page of '{referral.link.anchor}' moves with the words that tell it"
                self._setter.problems.append(Problem(referral.place, what, "write more or less before the link"))
        self._imprint(leaves)
        return leaves

    def galleys(self) -> None:
        """Set all lines, the front cover and the back cover; problems are collected by the setter."""
        names = {anchor: " ".join(plain(text).split()) for anchor, text in anchored(self._book.blocks)}
        self._setter.told = ToldPages(names)
        inner, back = _split_back(self._book.blocks)
        for piece in [piece for part in _split_parts(inner) for piece in self._compose(part)]:
            if isinstance(piece, _Register):
                self._composer.index(piece.index, piece.part)
        behind = self._composer.strips(back)
        if behind:
            self._back(1, behind)
        self._cover()

    def _sheet(self, told: ToldPages) -> list[Leaf]:
        """Return the sides of one sheet, without page references. Raise Overfull if there are too many."""
        leaves = self._set(told)
        self._imprint(leaves)
        check_sheet(self._book, leaves, self._look, self._height)
        return leaves

    def _set(self, told: ToldPages) -> list[Leaf]:
        """Return all pages with these page references."""
        self._setter.told = told
        self._setter.problems[:] = self._found
        self._composer, self._uprights = self._new_composer(), []
        inner, back = _split_back(self._book.blocks)
        parts = [piece for part in _split_parts(inner) for piece in self._compose(part)]
        return self._fill_leaves(parts, self._composer.strips(back))

    def _new_composer(self) -> Composer:
        return Composer(self._setter, self._height, list(contents_headings(without_arrangement(self._book.blocks))))

    def _read(self, leaves: Sequence[Leaf]) -> ToldPages:
        """Return the page references that match the pages."""
        links = {number: one.goal for number, one in referrals(leaves).items() if one.tells}
        indexed = {
            entry
            for block in without_arrangement(self._book.blocks)
            if isinstance(block, Index)
            for _, entry in block.entries
        }
        terms = {term: pages for term, pages in term_pages(leaves).items() if term in indexed}
        return replace(self._setter.told, links=links, terms=terms)

    def _compose(self, part: Sequence[Block]) -> list[_Piece]:
        """Return a part's strips, split at an index; a page of vertical text is one strip."""
        if isinstance(part[-1], Upright):
            headings = [block for block in part if isinstance(block, Heading)]
            return [self._upright(_Standing(part[-1], headings, self._composer.reserved()))]
        made: list[_Piece] = []
        run: list[Block] = []
        for block in part:
            if isinstance(block, Index):
                made += [self._composer.strips(run), _Register(block, self._composer.reserved())]
                run = []
            else:
                run.append(block)
        return [*made, self._composer.strips(run)]

    def _upright(self, standing: _Standing) -> list[Strip]:
        """Return a strip for each page of vertical text."""
        set_pages = upright_pages if self._look.cjk else lying_pages
        first = len(self._uprights)
        pages = set_pages(self._setter, standing.with_headings(), [self._look.room(1)] * 2, standing.part)
        self._uprights += [(standing, things) for things in pages]
        return [Strip(self._height, ends=True, page=first + at) for at in range(len(pages))]

    def _fill_leaves(self, parts: Sequence[_Piece], behind: Sequence[Strip]) -> list[Leaf]:
        look, count, opening = self._look, self._look.format.columns, self._look.format.opening
        strips = [title_strip(self._setter, self._book.cover, self._height)] if opening != "cover" else []
        for piece in parts:
            made = self._composer.index(piece.index, piece.part) if isinstance(piece, _Register) else piece
            if made and made[0].page >= 0 and strips:
                strips[-1] = replace(strips[-1], ends=True, keep=False)
            strips += made
        covered, fours, headed = opening == "cover", opening in ("cover", "column"), opening == "sheet"
        if headed:  # its type is as large as fits, so little space is left
            strips = [replace(strip, stretch=min(strip.stretch, 1) if strip.heading else 0) for strip in strips]
        pages = Pages(count, 1 if covered else 0, 1 if behind else 0, fours, self._foot, headed)
        columns = break_columns(strips, self._height, look.unit, pages) if strips else []
        leaves = [self._cover()] if covered else []
        for at in range(0, len(columns), count):
            together = columns[at : at + count]
            last = at + count >= len(columns) or not together[-1].puts
            wides, top = together[0].wides, together[0].top
            if count > 1 and last and together[0].puts and together[0].puts[0].strip.page < 0:
                together = balance_columns(together, count, self._height - top, look.unit)
            leaves.append(self._leaf(len(leaves) + 1, together, wides, top))
        return [*leaves, *([self._back(len(leaves) + 1, behind)] if behind else [])]

    def _leaf(self, number: int, columns: Sequence[Column], wides: Sequence[Strip] = (), top: float = 0.0) -> Leaf:
        """Return a page with its columns `top` mm below its head, under the strips that span all of them."""
        look = self._look
        room = look.room(number)
        leaf = Leaf(number)
        page = columns[0].puts[0].strip.page if columns[0].puts else -1
        if page >= 0:
            standing, things = self._uprights[page]
            shift = room.x - look.room(1).x
            leaf = Leaf(number, [thing.moved(shift, 0.0) for thing in things], plain=True, bottom=room.height)
            for heading in standing.headings if not page or self._uprights[page - 1][0] is not standing else ():
                strip = Strip(0.0, heading=heading, anchors=(heading.anchor,), opens=heading.level == 1)
                leaf.strips.append((strip, room.y))
            return leaf
        if wides:
            _place(leaf, Column(self._height, look.unit, wides), room, 0.0, 0.0)
        for across, column in enumerate(columns):
            _place(leaf, column, room, across * (look.column + look.gutter), top)
        return leaf

    def _back(self, number: int, strips: Sequence[Strip]) -> Leaf:
        """Return the back cover."""
        column = made_up(strips, self._height, self._look.unit, full=False)
        if column.bottom > self._height + SLACK:
            begins = next((block for block in self._book.blocks if isinstance(block, BackCover)), BackCover())
            self._setter.too_tall("the back cover", column.bottom, begins.origin.place)
        leaf = self._leaf(number, [column])
        leaf.plain = True
        return leaf

    def _cover(self) -> Leaf:
        room = self._look.room(1)
        return Leaf(1, cover_things(self._setter, self._book.cover, room), plain=True, bottom=room.height)

    def _imprint(self, leaves: list[Leaf]) -> None:
        """Add the imprint to the last page of text, or to the back cover, else to a new last page.

        Nothing follows a back cover: if neither it nor the page before has room, that is a problem.
        """
        look, style = self._look, self._look.small
        part = Tag("Sect", self._composer.reserved())
        if not self._small:
            return
        high = look.room(1).height - self._foot + SLACK
        found = [leaf for leaf in leaves[-1:-3:-1] if leaf.columns and leaf.bottom <= high]
        inner = [leaf for leaf in found if not leaf.plain]
        back = next((block for block in self._book.blocks if isinstance(block, BackCover)), None)
        if not found and back is not None:
            self._setter.no_imprint(leaves[-1].bottom - high, back.origin.place)
            return
        if not found:
            leaves.append(Leaf(len(leaves) + 1, plain=True))
        leaf = (inner or found or leaves[-1:])[0]
        leaf.taken = self._foot
        room = look.room(leaf.number)
        top = room.bottom - self._foot + look.unit
        leaf.things.append(rule(room.x, top, room.width))
        drop = baseline(look, style, style.pitch)
        for at, (line, number) in enumerate(self._small):
            box = Rect(room.x, top + _IMPRINT_GAP + at * style.pitch, room.width, style.pitch)
            tags = (part, Tag("P", number))
            leaf.things.append(line_thing(line, "paragraph", 0.0, drop, box, 0, tags))


def _split_back(blocks: Sequence[Block]) -> tuple[Sequence[Block], Sequence[Block]]:
    """Return the blocks of the inside pages, and those of the back cover."""
    begins = next((at for at, block in enumerate(blocks) if isinstance(block, BackCover)), len(blocks))
    return blocks[:begins], [block for block in blocks[begins:] if not isinstance(block, BackCover)]


def _split_parts(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return the blocks in parts that begin on a new page: vertical text with the headings right before it."""
    parts: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Upright):
            before = parts[-1]
            first = next((at for at in range(len(before), 0, -1) if not isinstance(before[at - 1], Heading)), 0)
            parts[-1] = before[:first]
            parts += [[*before[first:], block], []]
        else:
            parts[-1].append(block)
    return [part for part in parts if part]


def _place(leaf: Leaf, column: Column, room: Rect, left: float, top: float) -> None:
    """Place a column on its page, from a corner of the text area (mm)."""
    x, y = room.x + left, room.y + top
    leaf.things += column_things(column, x, y)
    leaf.columns.append([])
    for put in column.puts:
        if not put.again:
            shown = put.strip.across or (put.strip,)
            leaf.strips += [(strip, y + put.y) for strip in shown]
            leaf.columns[-1] += shown
        leaf.bottom = max(leaf.bottom, top + put.y + put.strip.height)


LARGEST, LEAST, STEP = 1.16, 0.86, 0.03
"""Range and step of the type size of a sheet compared with a book; its pictures only become smaller."""

_PICTURES = 0.8
"""Minimum scale of pictures on a sheet with the book's type size, because its columns are narrower."""

_LARGER_PICTURES = (1.25, 1.15, 1.05)
"""Scales of pictures if there is room for it; the largest that fits is used."""

_LEAST_IN_FRONT = 0.95
"""Minimum type size for the front side only; otherwise both sides are printed."""


def leaflet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """Return a book's leaflet on A4 or Letter. Raise ProblemsFound like `typeset`."""
    return typeset(replace(book, blocks=tuple(_in_columns(book.blocks))), workshop, LEAFLETS[paper], accent)


def set_sheet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """Set a book on the front of one sheet of A4 or Letter, or on both sides if necessary, as large as it fits.

    Raise Overfull if it is too long for both sides at the smallest size.
    """
    try:
        return _largest(book, workshop, replace(SHEETS[paper], sides=1), accent, _LEAST_IN_FRONT)
    except Overfull:
        return _largest(book, workshop, replace(SHEETS[paper], sides=2), accent, LEAST)


def _largest(book: Book, workshop: Workshop, format_: Format, accent: Paint, least: float) -> Document:
    """Set a book in the largest type that fits the format, with the largest pictures that fit beside it.

    Raise Overfull if even the smallest size is too large.
    """
    larger, too_large = LARGEST, LARGEST + STEP
    fitting: Document | None = None
    chosen = format_
    while fitting is None or larger < too_large:
        try:
            tried = replace(format_, larger=larger, pictures=_PICTURES * min(1.0, larger))
            fitting, chosen = typeset(book, workshop, tried, accent), tried
            larger += STEP
        except ProblemsFound as found:
            if larger <= least:
                raise
            if fitting is not None:
                break
            share = found.share if isinstance(found, Overfull) else 1.0
            too_large, larger = larger, max(least, min(larger - STEP, larger / share**0.5))
    for times in _LARGER_PICTURES:
        with suppress(ProblemsFound):
            return typeset(book, workshop, replace(chosen, pictures=chosen.pictures * times), accent)
    return fitting


def sheet_paper(page: str) -> str:
    """Return the paper of leaflets and sheets for a page size of a book."""
    return "Letter" if page == "Letter" else "A4"


def _in_columns(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks for a few pages: without contents, and with prologues as running text.

    Narrow columns are dissolved, because the page's columns are narrow already.
    """
    for block in blocks:
        if isinstance(block, Arranged):
            within = tuple(_in_columns(block.blocks))
            yield from within if block.manner == "columns" else (replace(block, blocks=within),)
        elif isinstance(block, Upright):
            said = (Paragraph(text, origin=block.origin) for text in block.paragraphs)
            yield Box("note", block.title, tuple(said), origin=block.origin)
        elif not isinstance(block, Contents | BackCover):
            yield block
