"""The composer turns the blocks of a book into strips, pieces of a column that are never split."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, replace
from itertools import pairwise
from typing import Any, NamedTuple, assert_never

from generator.base.cache import hash_value
from generator.base.display_list import Shape, Tag
from generator.base.errors import Place
from generator.base.geometry import Rect
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Box,
    Contents,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Paragraph,
    Table,
    Term,
    VerticalText,
    drop_block_places,
    iter_blocks_within,
    list_inlines,
)
from generator.books.page.cover import COVER
from generator.books.page.figure_setter import TALLEST_SHARE, FigureSetter
from generator.books.page.finish_pages import FRAGMENT, SHORT_LIST
from generator.books.page.page_style import QUIET, Look
from generator.books.page.references import format_box_title
from generator.books.page.strips import (
    Column,
    Frame,
    Lane,
    MemberKind,
    NarrowColumns,
    Strip,
    Thing,
    add_member,
    add_price,
    fits_column,
    number_members,
    place_column_things,
    wrap_in_tags,
)
from generator.books.page.tables import TableSetter, set_contents, set_index
from generator.books.page.text_setter import TextSetter, plain_from_text
from generator.books.page.text_strips import (
    PARAGRAPH_GAP,
    add_room_above,
    find_baseline,
    find_paragraph_style,
    set_heading,
    set_text_strips,
    thing_from_line,
)
from generator.drawing.faces.game_drawing import Workshop
from generator.game.game_cache import PictureTable

_DOT = 0.13
"""Radius of a list's bullet (em)."""

_INDENT_EMS = 1.5
_BOX_INSET = 3.2
_MOST_PARTS = 1000
_PARTED_EXAMPLE, _NEXT_EXAMPLE = 300.0, 60.0
"""Costs that discourage a column break before an example: from its rule, and from the example before it."""

_PARTED_FIGURE = 80.0
"""Cost of a column break between a short section or numbered steps and their figure."""

_INTRODUCTION = 6
"""A text of at most this many lines below a title counts as an introduction to the figure after it."""

_NARROW_GUTTER = 6.0

_SHORT = 2
"""A paragraph of at most this many lines stays with the table below it."""


class Composer:
    """Composes the blocks of one book (`name`) for columns of `height` mm; `headings` go into its table of contents."""

    def __init__(self, setter: TextSetter, height: float, headings: Sequence[Heading], name: str):
        self._setter, self._look, self._height = setter, setter.look, height
        self._figures = FigureSetter(setter, height)
        self._tables = TableSetter(setter, height)
        self._headings = headings
        self._cache = StripCache(setter.workshop, setter.look, height, name)
        self._outside = True
        self._part = COVER
        self._depth = 1  # of the last heading; the book's title is the first
        self._frames = 0

    def compose_blocks(self, blocks: Sequence[Block]) -> list[Strip]:
        """Return the strips of all blocks, in order."""
        return self._compose_run(blocks, Lane(0.0, self._look.column, COVER))

    def reserve_part(self) -> int:
        """Return the next number of a part in the PDF's structure; headings in it start at the first level."""
        self._part += 1
        self._depth = 1
        return self._part

    def compose_index(self, index: Index, part: int) -> list[Strip]:
        """Return the strips of an index, with the page numbers known so far."""
        return set_index(self._setter, index, Lane(0.0, self._look.column, part), self._height)

    def _compose_run(self, blocks: Sequence[Block], lane: Lane) -> list[Strip]:
        strips: list[Strip] = []
        at = 0
        while at < len(blocks):
            block = blocks[at]
            at += 1
            self._part += 1
            own, both = replace(lane, part=self._part), None
            if isinstance(block, Figure) and block.place == "beside":
                both = self._figures.set_beside(block, blocks[at:], own)
            made, taken = both if both is not None else (self._compose_block(block, own), 0)
            self._part += taken
            at += taken
            if made and strips and strips[-1].heading is not None:
                # A heading keeps its own distance; the next block is close to it.
                figure, *text = made[0].instead or (made[0],)
                instead = (figure, text[0]._replace(above=0.0), *text[1:]) if text else ()
                made[0] = made[0]._replace(above=0.0, stretch=0, instead=instead)
            if made and strips and _belongs_to_block(strips, blocks[at - taken - 2], block):
                strips[-1] = strips[-1]._replace(keep=True)
            before = blocks[at - taken - 2] if at - taken > 1 else None
            follows = isinstance(before, Box) and before.role == "example"
            told = isinstance(block, Box) and block.role == "example"
            if made and strips and (told or (follows and isinstance(block, Figure))):
                strips[-1] = add_price(strips[-1], _NEXT_EXAMPLE if follows and told else _PARTED_EXAMPLE)
            titled = any(strip.heading is not None for strip in strips[-1 - _INTRODUCTION :])
            shows = before.ordered if isinstance(before, Listing) else titled  # the steps or the few lines above it
            if made and strips and isinstance(block, Figure) and shows:
                strips[-1] = add_price(strips[-1], _PARTED_FIGURE)
            if made and isinstance(before, Box | Table | Figure) and made[0].stretch < 2:
                made[0] = made[0]._replace(stretch=2)
            strips += made
        for at in range(1, len(strips) - 1):  # a title is never followed by a single line only
            if strips[at - 1].heading is not None and strips[at].flows:
                strips[at] = strips[at]._replace(keep=True)
        return strips

    def _compose_block(self, block: Block, lane: Lane) -> list[Strip]:
        """Return the strips of a block, from the cache if they are in it. Blocks inside it belong to it."""
        counters = self._part, self._depth, self._frames
        key = self._cache.make_key(block, lane, counters) if self._outside else ""
        known = self._cache.get(key)
        if known is not None:
            self._part, self._depth, self._frames = known.counters
            return list(known.strips)
        outside, problems = self._outside, len(self._setter.problems)
        self._outside = outside and not key
        made = self._compose_new_block(block, lane)
        self._outside = outside
        if len(self._setter.problems) == problems:
            self._cache.put(key, ComposedBlock(tuple(made), (self._part, self._depth, self._frames)))
        return made

    def _compose_new_block(self, block: Block, lane: Lane) -> list[Strip]:
        setter, gap = self._setter, PARAGRAPH_GAP * self._look.unit
        if isinstance(block, Heading):
            self._depth = min(block.level, self._depth + 1)
            title = set_heading(setter, block, lane, self._depth)
            if title.height > self._height * TALLEST_SHARE:
                setter.report_too_tall("a heading", title.height, block.origin.place)
            return [title]
        if isinstance(block, Paragraph):
            style = find_paragraph_style(self._look, block)
            made = add_room_above(set_text_strips(setter, block.text, style, lane, block.origin.place), gap)
            return [strip._replace(stretch=1) for strip in made[:1]] + made[1:]
        if isinstance(block, Listing):
            return self._compose_listing(block, lane)
        if isinstance(block, Table):
            return self._tables.set_table(block, lane)
        if isinstance(block, Figure):
            return [self._figures.set_figure(block, lane)]
        if isinstance(block, Box):
            return self._compose_box(block, lane)
        if isinstance(block, Contents):
            self._depth = 1 if block.title else self._depth
            return set_contents(setter, block, self._headings, lane, self._height)
        if isinstance(block, BlockGroup):
            return self._compose_group(block, lane)
        if isinstance(block, Index | VerticalText | BackCover):
            return []  # these have separate pages
        assert_never(block)

    def _compose_listing(self, listing: Listing, lane: Lane) -> list[Strip]:
        """Return a list's entries, each with its number or bullet beside the first line, with gaps if any is long."""
        style, unit = self._look.body, self._look.unit
        place, digits = listing.origin.place, len(str(len(listing.entries))) if listing.ordered else 1
        indent = style.em * (_INDENT_EMS + (0.6 * (digits - 1) if listing.ordered else 0.0))
        whole = Tag("L", lane.part, listing="Decimal" if listing.ordered else "Disc")
        entries = []
        for number, entry in enumerate(listing.entries, start=1):
            part = self._part + 1
            inner = Lane(lane.x + indent, lane.width - indent, lane.part)
            strips = wrap_in_tags(_drop_alternatives(self._compose_run(entry, inner)), Tag("LBody", 2))
            if strips:
                label = f"{number}." if listing.ordered else listing.sign
                thing = self._make_mark(label, Rect(lane.x, 0, indent, style.pitch), part, place)
                marked = [strips[0]._replace(things=(thing, *strips[0].things), sizes=()), *strips[1:]]
                kind: MemberKind = "procedure" if listing.ordered else "list"
                lines = wrap_in_tags(marked, whole, Tag("LI", number))
                entries.append(add_member(lines, kind, lane.part, number, len(listing.entries)))
        close = all(len(strips) == 1 for strips in entries)
        made: list[Strip] = []
        for at, strips in enumerate(entries):
            first, *rest = add_room_above(strips, (0.0 if close and at else PARAGRAPH_GAP) * unit)
            made += [strip._replace(stretch=0) if at or strip is not first else strip for strip in (first, *rest)]
        return self._keep_together(made, len(entries), whole=listing.ordered or len(entries) <= SHORT_LIST)

    def _keep_together(self, strips: list[Strip], size: int, *, whole: bool) -> list[Strip]:
        """Return a list's strips: all kept together if `whole` and they fit, else a few of `size` entries per end."""
        whole = whole and fits_column(strips, self._height, self._look.unit)
        made: list[Strip] = []
        for strip, following in pairwise(strips):
            entry, ends = strip.members[0].entry, following.members[0].entry != strip.members[0].entry
            few = entry <= FRAGMENT or entry >= size - FRAGMENT + (0 if ends else 1)
            made.append(strip._replace(keep=True) if whole or few else strip)
        return [*made, *strips[-1:]]

    def _compose_group(self, arranged: BlockGroup, lane: Lane) -> list[Strip]:
        """Return the strips of a group: narrow columns on a wide page, blocks across columns, or facing pages."""
        in_column = self._look.format.columns > 1 and lane.width == self._look.column
        if arranged.manner == "columns" and not in_column:
            wide = self._look.fit_characters((lane.width - _NARROW_GUTTER) / 2)
            strips = _drop_alternatives(self._compose_run(arranged.blocks, Lane(lane.x, wide, lane.part)))
            if not strips:
                return []
            run = NarrowColumns(tuple(strips), 2, lane.width - wide)
            return [Strip(0.0, above=PARAGRAPH_GAP * self._look.unit, snap=True, stretch=2, narrow=run)]
        if arranged.manner == "wide" and in_column:
            return self._compose_wide(arranged, lane)
        strips = self._compose_run(arranged.blocks, lane)
        return number_members(strips, "spread", lane.part) if arranged.manner == "spread" else strips

    def _compose_wide(self, arranged: BlockGroup, lane: Lane) -> list[Strip]:
        """Return an empty strip that marks where blocks across all columns (its `wide`) belong in the text."""
        width = self._look.find_text_room(1).width
        strips = _drop_alternatives(self._compose_run(arranged.blocks, Lane(lane.x, width, lane.part)))
        if not strips:
            return []
        column = Column(self._look.unit, strips)
        if column.bottom > self._height * TALLEST_SHARE:
            self._setter.report_too_tall("the text across the columns", column.bottom, arranged.origin.place)
        across = tuple(put.strip for put in column.puts)
        things = tuple(place_column_things(column, 0.0, 0.0))
        wide = Strip(column.bottom, things, 2 * self._look.unit, True, across=across)
        return [Strip(0.0, flows=True, wide=wide)]

    def _make_mark(self, label: str, box: Rect, part: int, place: Place | None) -> Thing:
        """Return an entry's number or sign, or a bullet without a `label`. `part` is that of its lines."""
        style = replace(self._look.body, bold=True, paint=self._look.accent, align="start")
        drop = find_baseline(self._look, style, box.height)
        if label:
            line = self._setter.set_lines(label, style, box.width, place)[0]
            return thing_from_line(line, "list", 0.0, drop, box, part, (Tag("Lbl", 1),))
        x, y = style.em / 2, drop - style.em * (0.38 if self._look.cjk else 0.24)
        path = f"M {x:.3f} {y:.3f} L {x + 0.001:.3f} {y:.3f}"
        dot = Shape(path, stroke=self._look.accent, width=2 * _DOT * style.em, cap="round", role="frame")
        return Thing("list", box, (dot,), part=part, tags=(Tag("Lbl", 1, actual="•"),))

    def _compose_box(self, box: Box, lane: Lane) -> list[Strip]:
        """Return the strips of a box on a tint with a coloured edge; the title stays with the first lines."""
        look = self._look
        unit = look.unit
        self._frames += 1
        edge = look.accent if box.role != "designer" else QUIET
        frame = Frame(lane.part * _MOST_PARTS + self._frames, lane.x, lane.width, unit, look.tint, edge)
        wide = look.fit_characters(lane.width - 2 * _BOX_INSET)
        inner, part = Lane(lane.x + (lane.width - wide) / 2, wide, lane.part), lane.part
        body = self._compose_run(box.blocks, inner)
        words = format_box_title(box, look.lang)
        if words:
            title = set_text_strips(self._setter, words, look.find_heading_style(3), inner, box.origin.place)
            head = [strip._replace(keep=True, flows=False) for strip in add_room_above(title, 0.0)]
            if body:
                body[0] = body[0]._replace(above=0.0)
            body = head + body
        if not body:
            return []
        framed = []
        for strip in wrap_in_tags(_drop_alternatives(body), Tag("Sect", part)):
            again = tuple(head._replace(frame=frame) for head in strip.again)
            framed.append(strip._replace(frame=frame, again=again, flows=False, stretch=0, shrink=0))
        kind: MemberKind = "example" if box.role == "example" else "box"
        made = number_members(framed, kind, frame.number)
        anchors = (box.anchor, *made[0].anchors) if box.anchor else made[0].anchors
        made[0] = made[0]._replace(above=PARAGRAPH_GAP * unit, snap=True, stretch=2, anchors=anchors)
        if fits_column(made, self._height, unit):
            return [*(strip._replace(keep=True) for strip in made[:-1]), made[-1]]
        if len(made) > 1:
            made[-2] = made[-2]._replace(keep=True)
        return made


def _belongs_to_block(strips: Sequence[Strip], before: Block, block: Block) -> bool:
    """Return True if the strips before a list or table stay with it: text, for a table only short or with a colon."""
    if isinstance(block, Listing):
        return strips[-1].flows
    if not isinstance(block, Table) or not isinstance(before, Paragraph) or not strips[-1].flows:
        return False
    return any(strip.snap for strip in strips[-_SHORT:]) or plain_from_text(before.text).rstrip().endswith((":", "："))


def _drop_alternatives(strips: Iterable[Strip]) -> list[Strip]:
    """Return the strips without their alternative layouts, since blocks in a list or box keep their order."""
    return [strip._replace(instead=(), covers=1, floats=False) for strip in strips]


class ComposedBlock(NamedTuple):
    """The strips of a block, and the composer's counters after it: of parts, heading depth and frames."""

    strips: Sequence[Strip]
    counters: tuple[int, ...]


class StripCache:
    """Strips of one book in columns `height` mm high, without blocks with links: page numbers are not known before.

    Each book has a table of its own, because the books of a game may be made by two processes.
    """

    def __init__(self, workshop: Workshop, look: Look, height: float, name: str):
        self._table: PictureTable[Any] | None
        self._table = workshop.open_table("strips", _is_composed_block, look.lang, name, apart=True)
        self._digests = workshop.block_digests
        names = [(icon.id, icon.name[look.lang]) for icon in workshop.game.icons.values()] if self._table else []
        seen = (astuple(look.format), look.lang, look.accent, look.tint, height, names)
        self._look = hash_value(seen) if self._table else ""

    def make_key(self, block: Block, lane: Lane, counters: tuple[int, ...]) -> str:
        """Return the cache key of a block in `lane`, composed after these `counters`; empty if it can't be cached."""
        if self._table is None or not isinstance(block, Paragraph | Listing | Table | Figure | Box):
            return ""
        known = self._digests.get(id(block))
        if known is None:
            known = self._digests[id(block)] = block, _digest_block(block)
        return known[1] and hash_value((known[1], self._look, lane.x, lane.width, lane.part, counters))

    def get(self, key: str) -> ComposedBlock | None:
        """Return the strips with this key, or None if there are none."""
        found = self._table.get(key) if self._table is not None and key else None
        return ComposedBlock(*found) if found is not None else None

    def put(self, key: str, composed: ComposedBlock) -> None:
        """Store the strips of a block that was composed without problems."""
        if self._table is not None and key:
            self._table.put(key, tuple(composed))


def _is_composed_block(value: Any) -> bool:
    """Return True if a value from the cache is a composed block."""
    if not isinstance(value, tuple) or len(value) != 2 or not all(isinstance(part, tuple) for part in value):
        return False
    return all(isinstance(strip, Strip) for strip in value[0]) and all(isinstance(one, int) for one in value[1])


def _digest_block(block: Block) -> str:
    """Return a digest of a block, '' if it has links. Places count only if it has terms, whose problems name them."""
    inlines = list_inlines(block)
    if any(isinstance(inline, Link) for inline in inlines):
        return ""
    located = any(isinstance(inline, Term) for inline in inlines)
    places = [one.origin for one in iter_blocks_within([block])] if located else []
    return hash_value((drop_block_places([block]), places))
