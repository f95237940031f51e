"""From a book to its pages: columns filled, running heads and numbers set, links and outline led to their pages."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from math import inf
from typing import TypeAlias

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Paint, Shape
from generator.model.outline import rectangle
from generator.model.phrases import phrase
from generator.model.sheet import Bookmark, Document, Leap, Page
from generator.model.structure import FOOTER, HEADER, Tag, Tags
from generator.model.text import Plain
from generator.pages.blocks import INDEX, TERM, Block, Book, Heading, Index, Upright, contents_headings
from generator.pages.breaking import SLACK, Column, Put, balance_columns, break_columns
from generator.pages.compose import Composer, TermPages
from generator.pages.cover import cover_things
from generator.pages.leaflets.masthead import masthead_things
from generator.pages.leaves import LEAD_IN, Leaf, Said, chapters, goals, term_pages
from generator.pages.lines import baseline, heading_words, line_thing
from generator.pages.registers import sought
from generator.pages.setter import Setter
from generator.pages.strips import Frame, Strip, Thing, rule
from generator.pages.style import EDGE, HAIR, Format, Look, TypeStyle, page_format
from generator.pages.uprights import lying_pages, upright_pages
from generator.units import Rect

_HEAD, _FOOT = 6.0, 10.5
"""mm: how far the running head's baseline lies above the text, a page's number's above the paper's edge."""

_IMPRINT_GAP = 2.0
_GAP = 4.0
"""mm between the title of a sheet and its columns."""

_TITLE_SHARE = 0.4
"""Of a leaflet's first column: what its title takes with the picture."""

_WELL = 0.72
"""Of a column's height: how full one is that looks well."""

_MOST_PASSES = 4


class Overfull(ProblemsFound):
    """A book has more than its one page holds: `share` of that page's columns."""

    def __init__(self, problem: Problem, share: float):
        super().__init__([problem])
        self.share = share


def typeset(book: Book, workshop: Workshop, page: str | Format = "A5", accent: Paint = "ink") -> Document:
    """The book's pages; ProblemsFound with every text, figure or link that can't be set as it should.

    `page` is A5, B5, A4 or Letter, or a format; `accent` the paint of titles. Overfull for a sheet that takes more.
    """
    look = Look(page if isinstance(page, Format) else page_format(page), book.lang, accent)
    setter = Setter(workshop, look, f"{book.name} ({look.lang}, {look.format.name}): {{}}")
    leaves = _Typesetter(book, look, setter).leaves()
    finished = _Finisher(book, setter, leaves)
    pages = tuple(finished.page(leaf) for leaf in leaves)
    problems = [*setter.problems, *finished.problems, *workshop.fonts.problems]
    if problems:
        raise ProblemsFound(problems)
    return Document(
        book.cover.title,
        book.lang,
        pages,
        author=workshop.game.credit[book.lang],
        subject=book.cover.subtitle,
        date=book.date,
        outline=tuple(finished.outline()),
        tagged=True,
    )


@dataclass(frozen=True, slots=True)
class _Standing:
    """An upright page with the headings that lead to it, and its number among the book's parts."""

    upright: Upright
    headings: Sequence[Heading]
    part: int

    def with_headings(self) -> Upright:
        """The page with the words of its headings before its own title."""
        texts = [heading.text for heading in self.headings] + ([self.upright.title] if self.upright.title else [])
        joined = tuple(chain.from_iterable((*text, Plain("\u3000")) for text in texts))
        return replace(self.upright, title=joined[:-1])


@dataclass(frozen=True, slots=True)
class _Register:
    """The place of an index, its number among the book's parts, and how much of its first column is left, mm."""

    index: Index
    part: int
    left: float


_Piece: TypeAlias = list[Strip] | _Register | _Standing


class _Typesetter:
    """Fills the pages of one book."""

    def __init__(self, book: Book, look: Look, setter: Setter):
        self._book, self._look, self._setter = book, look, setter
        self._height = look.room(1).height
        self._sought = sought(book.blocks)
        self._small = [
            (line, number)
            for number, text in enumerate(book.imprint, start=1)
            for line in setter.lines(text, look.small, look.room(1).width, book.origin.part(number - 1))
        ]
        self._foot = look.small.pitch * len(self._small) + _IMPRINT_GAP + look.unit if self._small else 0.0
        if self._foot > self._height:
            longest = max(range(len(book.imprint)), key=lambda at: len(book.imprint[at]))
            setter.too_tall("the imprint", self._foot, book.origin.part(longest))
        if look.format.opening == "sheet":
            self._height -= self._foot  # of both columns: it stands below them
        self._composer = Composer(setter, self._height, list(contents_headings(book.blocks)))

    def leaves(self) -> list[Leaf]:
        """All pages; with an index, set again until it stands still: its length may move what follows it."""
        parts = [self._compose(part) for part in _split_parts(self._book.blocks)]
        used: TermPages = {}
        for _ in range(_MOST_PASSES):
            leaves = self._fill_leaves(parts, used)
            found = term_pages(leaves, self._sought, self._look)
            if found == used or not self._sought:
                break
            used = found
        self._imprint(leaves)
        if self._look.format.opening == "sheet":
            self._one_sheet(leaves)
        return leaves

    def _one_sheet(self, leaves: Sequence[Leaf]) -> None:
        """The title above the columns of the only page, which has no head and no number; Overfull if there are more."""
        look, room, columns = self._look, self._look.room(1), self._look.format.columns
        name = f"{self._book.name} ({look.lang})"
        if len(leaves) > 1:
            more = columns * sum(leaf.bottom for leaf in leaves[1:])
            what = f"{name}: about {more:.0f} mm of a column too long for one {look.format.name}"
            hint = "write less, or take less of the rulebook (`take:`, `most:`)"
            raise Overfull(Problem(self._book.origin.place, what, hint), 1 + more / (columns * self._height))
        leaves[0].plain = True
        top = look.format.bottom
        above = Rect(room.x, top, room.width, room.y - top - _GAP)
        leaves[0].things += masthead_things(self._setter, self._book.cover, above)

    def _compose(self, part: Sequence[Block]) -> list[_Piece]:
        """A part's strips, cut where an index stands; or an upright page."""
        if isinstance(part[-1], Upright):
            headings = [block for block in part if isinstance(block, Heading)]
            return [_Standing(part[-1], headings, self._composer.reserved())]
        made: list[_Piece] = []
        run: list[Block] = []
        for block in part:
            if isinstance(block, Index):
                strips = self._composer.strips(run)
                used = 1.0 if made else break_columns(strips, self._height, self._look.unit)[-1].used
                made += [strips, _Register(block, self._composer.reserved(), (1.0 - used) * self._height)]
                run = []
            else:
                run.append(block)
        return [*made, self._composer.strips(run)]

    def _fill_leaves(self, parts: Sequence[Sequence[_Piece]], used: TermPages) -> list[Leaf]:
        opening = self._look.format.opening
        leaves = [self._cover()] if opening == "cover" else []
        for number, part in enumerate(parts, start=1):
            foot = self._foot if number == len(parts) and opening != "sheet" else 0.0
            strips: list[Strip] = [self._title_strip()] if opening == "column" and not leaves else []
            for piece in part:
                if isinstance(piece, _Standing):
                    leaves += self._upright(piece, len(leaves) + 1)
                elif isinstance(piece, _Register):
                    strips += self._index_strips(strips, piece, used, foot)
                else:
                    strips += piece
            if strips:
                leaves += self._columns(strips, len(leaves) + 1, foot)
        return leaves

    def _index_strips(self, before: Sequence[Strip], piece: _Register, used: TermPages, foot: float) -> list[Strip]:
        """An index, whole if all columns but the last are well filled with it so, else parted where the text ends."""
        whole = self._composer.index(piece.index, used, piece.part, inf, 0.0)
        *full, last = break_columns([*before, *whole], self._height, self._look.unit, foot)
        if (
            min((column.used for column in full), default=1.0) > _WELL
            and last.used * self._height + foot <= self._height
        ):
            return whole
        return self._composer.index(piece.index, used, piece.part, piece.left, foot)

    def _cover(self) -> Leaf:
        room = self._look.room(1)
        return Leaf(1, cover_things(self._setter, self._book.cover, room), plain=True, bottom=room.height)

    def _title_strip(self) -> Strip:
        """The cover at the head of the first column."""
        room = Rect(0, 0, self._look.column, self._height * _TITLE_SHARE)
        return Strip(room.height, tuple(cover_things(self._setter, self._book.cover, room)), opens=True)

    def _upright(self, standing: _Standing, number: int) -> list[Leaf]:
        rooms = [self._look.room(number), self._look.room(number + 1)]
        set_pages = upright_pages if self._look.cjk else lying_pages
        pages = set_pages(self._setter, standing.with_headings(), rooms, standing.part)
        leaves = [Leaf(number + at, things, plain=True, bottom=rooms[0].height) for at, things in enumerate(pages)]
        for heading in standing.headings:
            strip = Strip(0.0, heading=heading, anchors=(heading.anchor,), opens=heading.level == 1)
            leaves[0].strips.append((strip, rooms[0].y))
        return leaves

    def _columns(self, strips: Sequence[Strip], number: int, foot: float) -> list[Leaf]:
        """Pages of so many columns each, those of the last page of equal height; below it `foot` mm stay empty."""
        look, count = self._look, self._look.format.columns
        columns = break_columns(strips, self._height, look.unit, foot)
        if count > 1:
            whole = (len(columns) - 1) // count * count
            columns = columns[:whole] + balance_columns(columns[whole:], count, self._height, look.unit)
        leaves: list[Leaf] = []
        for at in range(0, len(columns), count):
            leaf = Leaf(number + len(leaves))
            room = look.room(leaf.number)
            for across, column in enumerate(columns[at : at + count]):
                _place(leaf, column, room.x + across * (look.column + look.gutter), room.y)
            leaves.append(leaf)
        return leaves

    def _imprint(self, leaves: list[Leaf]) -> None:
        """The small lines at the foot of the last page; on a page of their own where that is full."""
        look, style = self._look, self._look.small
        part = Tag("Sect", self._composer.reserved())
        if not self._small:
            return
        if leaves[-1].plain or leaves[-1].bottom + self._foot > look.room(1).height + SLACK:
            leaves.append(Leaf(len(leaves) + 1, plain=True))
        room = look.room(leaves[-1].number)
        top = room.bottom - self._foot + look.unit
        leaves[-1].things.append(rule(room.x, top, room.width))
        drop = baseline(look, style, style.pitch)
        for at, (line, number) in enumerate(self._small):
            box = Rect(room.x, top + _IMPRINT_GAP + at * style.pitch, room.width, style.pitch)
            tags = (part, Tag("P", number))
            leaves[-1].things.append(line_thing(line, "paragraph", 0.0, drop, box, 0, tags))


def _split_parts(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks in parts that begin on a new page: upright pages stand alone, with the headings right before them."""
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


def _place(leaf: Leaf, column: Column, x: float, y: float) -> None:
    """Puts a column on its page, the grounds of boxes behind what stands in them."""
    run: list[Put] = []
    behind: Frame | None = None
    for put in [*column.puts, None]:
        frame = put.strip.frame if put is not None else None
        if run and behind is not None and frame != behind:
            leaf.things += _box_grounds(run, behind, x, y)
            run = []
        behind = frame
        if put is not None and frame is not None:
            run.append(put)
    for put in column.puts:
        leaf.things += [thing.moved(x, y + put.y) for thing in put.strip.things]
        if not put.again:
            leaf.strips.append((put.strip, y + put.y))
        leaf.bottom = max(leaf.bottom, put.y + put.strip.height)


def _box_grounds(run: Sequence[Put], frame: Frame, x: float, y: float) -> list[Thing]:
    """The ground of a box, from a pad above its first strip in a column to one below the last."""
    pad = frame.pad
    box = Rect(x + frame.x, y + run[0].y - pad, frame.width, run[-1].y + run[-1].strip.height + 2 * pad - run[0].y)
    return [_paint_box(box, frame.ground), _paint_box(Rect(box.x, box.y, EDGE, box.height), frame.edge)]


def _paint_box(box: Rect, paint: Paint) -> Thing:
    return Thing("artifact", box, (Shape(rectangle(Rect(0, 0, box.width, box.height)), paint, role="ground"),))


class _Finisher:
    """Gives pages what depends on all of them: numbers, running heads, links. `problems`: links that lead nowhere."""

    def __init__(self, book: Book, setter: Setter, leaves: Sequence[Leaf]):
        self._book, self._setter, self._look = book, setter, setter.look
        self._leaves = leaves
        self._goals = goals(leaves)
        self._chapters = chapters(leaves)
        self.problems: list[Problem] = []

    def page(self, leaf: Leaf) -> Page:
        """The page with all that it shows and its links."""
        things = [self._page_number(thing) if thing.number else thing for thing in leaf.things]
        if not leaf.plain:
            things += self._running(leaf)
        links = tuple(leap for thing in things for leap in self._leaps(thing))
        items = tuple(thing.drawn() for thing in things)
        covered = leaf.number == 1 and self._look.format.opening == "cover"
        label = phrase("cover", self._look.lang) if covered else str(leaf.number)
        return Page(self._look.format.size, "front", leaf.number, (), items, links, label)

    def outline(self) -> Iterable[Bookmark]:
        """All headings with their pages."""
        for leaf in self._leaves:
            for strip, y in leaf.strips:
                if strip.heading is not None:
                    words = heading_words(strip.heading)
                    yield Bookmark(words, strip.heading.level, leaf.number - 1, max(0.0, y - LEAD_IN))

    def _goal(self, target: str, place: Place | None) -> tuple[int, float] | None:
        """The page (from 0) and the height on it to which a text leads that is written at a place."""
        if target.startswith("page:"):
            return int(target.removeprefix("page:")) - 1, 0.0
        found = self._goals.get(target)
        if found is None and target.startswith(TERM):
            return self._goals.get(INDEX + target.removeprefix(TERM))
        if found is None:
            what = f"{self._book.name} ({self._look.lang}): a link leads to '{target}', which is no heading of the book"
            self.problems.append(Problem(place, what, "name the anchor of a heading"))
        return found

    def _leaps(self, thing: Thing) -> Iterable[Leap]:
        for area in thing.areas:
            goal = self._goal(area.target, area.place)
            if goal is not None:
                box, tags = area.box.moved(thing.box.x, thing.box.y), (*thing.tags, *area.tags)
                yield Leap(box, *goal, tags, area.words)

    def _page_number(self, thing: Thing) -> Thing:
        """The number of the page that has the thing's anchor, at the right of its box."""
        place = self._book.origin.place
        goal = self._goal(thing.number, place)
        style = replace(self._look.body, align="start")
        line = self._setter.lines(str(goal[0] + 1) if goal else "", style, thing.box.width, place)
        if not line:
            return thing
        drop = baseline(self._look, style, thing.box.height)
        right = thing.box.width - line[0].width
        return line_thing(line[0], thing.role, right, drop, thing.box, thing.part, thing.tags)

    def _running(self, leaf: Leaf) -> list[Thing]:
        """The page's number at the outer foot; above, the game on left pages and the chapter on right ones."""
        look, right = self._look, leaf.number % 2 == 1
        room, page = look.room(leaf.number), look.format
        number = replace(look.note, bold=True, paint=look.accent)
        things = [
            self._aside(
                (str(leaf.number), self._book.origin.place), number, page.size.height - _FOOT, room, right, FOOTER
            )
        ]
        starts = bool(leaf.strips) and leaf.strips[0][0].opens
        cover, chapter = self._book.cover, self._chapters[leaf.number]
        said = chapter if right else (cover.title, cover.origin.part(0))
        if said[0] and not starts:
            things.append(self._aside(said, look.small, room.y - _HEAD, room, right, HEADER))
            things.append(rule(room.x, room.y - _HEAD + 1.6, room.width, width=HAIR))
        return things

    def _aside(self, said: Said, style: TypeStyle, y: float, room: Rect, right: bool, tags: Tags) -> Thing:
        """A line with its baseline at y, at the outer edge of the room."""
        words, place = said
        line = self._setter.only_line(words, style, room.width, place)
        box = Rect(room.x, y - style.pitch, room.width, style.pitch)
        return line_thing(line, "artifact", room.width - line.width if right else 0.0, style.pitch, box, 0, tags)
