"""Tables, the table of contents and the index of a book as strips."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, zip_longest

from generator.base.display_list import Shape, Tag, Tags
from generator.base.errors import Place
from generator.base.geometry import Rect
from generator.books.page.blocks import (
    DESIGN,
    INDEX,
    PAGE,
    TERM,
    Contents,
    Heading,
    Index,
    Inline,
    Link,
    Mention,
    Table,
    Term,
    Text,
    id_from_row,
)
from generator.books.page.figure_setter import TALLEST_SHARE
from generator.books.page.finish_pages import FRAGMENT, SMALL_TABLE
from generator.books.page.page_style import HAIR, RULE, THICK, Look, TypeStyle
from generator.books.page.strips import (
    Lane,
    LinkArea,
    NarrowColumns,
    Strip,
    Thing,
    fits_column,
    make_rule,
    number_members,
)
from generator.books.page.text_setter import ComposedText, TextSetter, TypeLine
from generator.books.page.text_strips import (
    PARAGRAPH_GAP,
    find_baseline,
    plain_heading,
    set_heading,
    strips_from_lines,
    thing_from_line,
)
from generator.game.rich_text import Plain, Ruby

_BETWEEN = 3.4
_PAD = 0.85
_PRICE, _SMALL_PRICE = 20.0, 80.0
"""Costs of a column break inside a table, and inside a small table (up to half a column)."""

_FULL = 0.62
"""A table that needs more than this share of the column's width is stretched to all of it."""

_AIR = 1.4
"""Factor by which the columns of a narrower table are wider than their words."""

_WIDE_PHRASE = 9.0
"""Maximum width of a column for a phrase (em); a single word may be wider."""

_READ, _LOWER = 0.15, 0.14
"""Extra height of a row that has ruby, small readings above characters, and how far its words move down (em)."""

_SMALLEST = 7.5
"""Minimum type size of a table (points)."""


class TableSetter:
    """Sets tables in a book's small type, in columns `height` mm high."""

    def __init__(self, setter: TextSetter, height: float):
        self._setter, self._height = setter, height
        self._style = setter.look.note

    def set_table(self, table: Table, lane: Lane) -> list[Strip]:
        """Return a table's caption, head and rows; the head is repeated with every part of it."""
        bold = replace(self._style, bold=True, paint=self._setter.look.accent)
        headed = any(table.head)
        begins, part = table.origin.place, lane.part
        head, rows = self._make_cells(table, bold, self._style)
        widths, lacking = self._measure_columns([head, *rows] if headed else rows, lane.width)
        told = ""
        if lacking > 0 and (size := max(self._style.size * (1 - lacking), _SMALLEST)) < self._style.size:
            # Words too wide for their columns are set smaller.
            head, rows = self._make_cells(table, replace(bold, size=size), replace(self._style, size=size))
            widths, lacking = self._measure_columns([head, *rows] if headed else rows, lane.width)
            told = f"its words are at {size:.1f} instead of {self._style.size:.1f} pt"
        if lacking > 0:
            told = f"{told}{', and' if told else 'its words'} are still broken"
        if table.shares:
            widths = [share * (lane.width - _BETWEEN * (len(widths) - 1)) for share in table.shares]
        total = sum(widths) + _BETWEEN * (len(widths) - 1)
        ruled = replace(lane, width=total)
        columns = len(widths)
        names = _make_cell_tags(table, table.head, columns, part)
        top, again = None, tuple[Strip]()
        if headed:
            top = self._set_row(head, widths, table.align, ruled, names, THICK, self._setter.look.accent)
            eyed = tuple(thing.repeat_for_eye() for thing in top.things)  # screen readers have read it
            again = (top._replace(things=eyed, keep=True, terms=()),)
        made = []
        for number, (row, texts) in enumerate(zip(rows, table.rows, strict=True), start=1):
            cells = _make_cell_tags(table, texts, columns, part, number)
            strip = self._set_row(row, widths, table.align, ruled, cells, HAIR)
            anchors = (TERM + id_from_row(texts),) if id_from_row(texts) else ()
            made.append(strip._replace(again=again, anchors=anchors))
        made = number_members(made, "table", part)
        # All rows of a small table stay together; of a larger one at least three on each side of a break.
        last, height = len(made) - 1, sum(strip.height for strip in made)
        whole = len(made) <= SMALL_TABLE and height <= self._height
        few = (*range(FRAGMENT), *range(last - FRAGMENT, last))
        price = _SMALL_PRICE if height <= self._height / 2 else _PRICE
        made = [row._replace(keep=whole or at in few, price=price) if at < last else row for at, row in enumerate(made)]
        if top is not None:
            made = [top._replace(keep=True), *made]
        if table.caption:
            lines = self._setter.set_lines(table.caption, replace(self._style, bold=True), lane.width, begins)
            tags = (Tag("Table", part), Tag("Caption", 1))
            caption = strips_from_lines(lines, self._setter.look, self._style, lane, "caption", tags)
            made = [*(strip._replace(keep=True, flows=False) for strip in caption), *made]
        if made:
            unit = self._setter.look.unit
            made[0] = made[0]._replace(above=PARAGRAPH_GAP * unit, snap=True, stretch=2, told=told)
            made[-1] = made[-1]._replace(height=made[-1].height + 0.6 * unit)
        return made

    def _make_cells(
        self, table: Table, head: TypeStyle, body: TypeStyle
    ) -> tuple[list[ComposedText], list[list[ComposedText]]]:
        at, langs = map(table.origin.get_part_place, count()), dict(enumerate(table.langs))
        rows = [
            [self._setter.compose_text(cell, body, next(at), langs.get(column, "")) for column, cell in enumerate(row)]
            for row in table.rows
        ]
        return [self._setter.compose_text(cell, head, table.origin.place) for cell in table.head], rows

    def _measure_columns(self, rows: Sequence[Sequence[ComposedText]], width: float) -> tuple[list[float], float]:
        """Return the columns' widths (mm): as wide as their texts, or narrower with broken lines.

        The second value is the share by which the type must shrink so that the widest words fit, 0 if they do.
        """
        count = max((len(row) for row in rows), default=0)
        wanted = [max((row[at].natural for row in rows if at < len(row)), default=0.0) + 0.05 for at in range(count)]
        room = width - _BETWEEN * (count - 1)
        if sum(wanted) <= room:
            spare = room - sum(wanted)
            if sum(wanted) < room * _FULL:
                spare = min(spare, sum(wanted) * (_AIR - 1))
            return [want + spare * want / sum(wanted) if sum(wanted) else 0.0 for want in wanted], 0.0
        words = [max((row[at].narrowest for row in rows if at < len(row)), default=0.0) + 0.05 for at in range(count)]
        most = _WIDE_PHRASE * self._style.em
        columns = [[min(row[at].easiest, most) for row in rows if at < len(row)] for at in range(len(words))]
        phrases = [max([low, *easiest]) for low, easiest in zip(words, columns, strict=True)]
        for widest in (phrases, words):
            least = [max(low, min(want, 9.0)) for low, want in zip(widest, wanted, strict=True)]
            spare = room - sum(least)
            if spare > 0:
                break
        if spare <= 0:
            return [low * room / sum(least) for low in least], max(1 - room / sum(words), 0.0)
        # A column with one very long cell must not starve the others, so widths count by their square root.
        appetite = [max(want - low, 0.0) ** 0.75 for want, low in zip(wanted, least, strict=True)]
        return _share_width(least, wanted, appetite, spare), 0.0

    def _set_row(
        self,
        cells: Sequence[ComposedText],
        widths: Sequence[float],
        align: Sequence[str],
        lane: Lane,
        names: Sequence[Sequence[Tag]],
        line: float,
        paint: str = "",
    ) -> Strip:
        x, total, part = lane.x, lane.width, lane.part
        style, things = self._style, list[Thing]()
        lines = [cell.break_lines(wide) for cell, wide in zip(cells, widths, strict=False)]
        for name, cell in zip_longest(names, lines, fillvalue=()):
            if name and not cell:  # an empty cell still counts as a cell
                things.append(Thing("table", Rect(x, 0, 0, 0), part=part, tags=tuple(name)))
        # An icon taller than its line pushes the words of the row down to its middle.
        tall = max((line.tall for cell in lines for line in cell), default=0.0)
        mentioned = [getattr(ticket, "shown", None) for cell in cells for ticket in cell.tickets]
        read = any(cell.bases for cell in cells) or any(isinstance(inline, Ruby) for inline in mentioned)
        em = style.em * read  # ruby must not touch the rule above the row
        air = max(tall - style.pitch, _READ * em)
        down = _PAD + max(air / 2, (_READ + _LOWER) * em)
        height = max((len(cell) for cell in lines), default=1) * style.pitch + air + 2 * _PAD
        if height > self._height * TALLEST_SHARE:
            tallest = max(range(len(lines)), key=lambda at: len(lines[at]))
            self._setter.report_too_tall("a row of a table", height, cells[tallest].place)
        left = x
        for cell, wide, to, name in zip(lines, widths, align, names, strict=False):
            for at, text in enumerate(cell):
                box = Rect(left, down + at * style.pitch, wide, style.pitch)
                indent = (wide - text.width) * {"left": 0.0, "centre": 0.5, "right": 1.0}[to]
                drop = find_baseline(self._setter.look, style, style.pitch)
                things.append(thing_from_line(text, "table", indent, drop, box, part, name))
            left += wide + _BETWEEN
        things.append(make_rule(x, height - line, total, paint or RULE, line))
        terms = tuple(dict.fromkeys(term for cell in lines for text in cell for term in text.terms))
        return Strip(height, tuple(things), terms=terms)


def _make_cell_tags(table: Table, row: Sequence[Text], columns: int, part: int, number: int = 0) -> list[Sequence[Tag]]:
    """Return the tags of a row's cells; row 0 is the head. The first cell is its header. `part` numbers the table."""
    below = (Tag("Table", part), Tag("TR", number + 2))  # the caption is the first in a table

    cells: list[Sequence[Tag]] = []
    for at in range(columns):
        lang = table.langs[at] if at < len(table.langs) else ""
        cell = Tag("TD", at + 1, lang=lang)
        if at < len(row) and row[at] and (not number or not at):
            cell = Tag("TH", at + 1, lang=lang, scope="Row" if number else "Column")
        cells.append((*below, cell))
    return cells


def _share_width(least: list[float], wanted: list[float], appetite: list[float], spare: float) -> list[float]:
    """Return the `least` widths plus `spare`, shared by `appetite` up to the `wanted` widths, the rest equally."""
    widths, hungry = list(least), [at for at in range(len(least)) if appetite[at] > 0]
    while hungry and spare > 1e-6:
        total = sum(appetite[at] for at in hungry)
        shares = {at: spare * appetite[at] / total for at in hungry}
        for at in hungry:
            given = min(shares[at], wanted[at] - widths[at])
            widths[at] += given
            spare -= given
        hungry = [at for at in hungry if wanted[at] - widths[at] > 1e-6]
    return [width + spare / len(widths) for width in widths] if spare > 1e-6 else widths


DEEPEST = 2
"""Deepest heading level in a table of contents; steps (3) are too many."""

_NUMBER = 7.5
_LEADER_GAP = 1.4
_LEADER = (0.0, 1.5)
_INDENT = 4.5
_INDEX_BETWEEN = 7.0
_WIDE = 100.0
"""Minimum width of an index with two columns (mm)."""

_FEW = 4
"""Number of rows at each end of an index, or at the end of the contents, that stay together."""

_CONTENTS = "contents:"


def set_contents(
    setter: TextSetter, contents: Contents, headings: Sequence[Heading], lane: Lane, room: float
) -> list[Strip]:
    """Return the contents' title and a line for each chapter and section; not split if `room` mm is enough."""
    look, x, width, part = setter.look, lane.x, lane.width, lane.part
    made = _set_title(setter, contents, _CONTENTS, lane)
    for heading, tags in _iter_entries(headings, part):
        chapter = heading.level == 1
        style = replace(look.body, bold=chapter, align="start")
        left = x if chapter else x + _INDENT
        words, place = plain_heading(heading), heading.origin.place
        lines = setter.set_lines(_drop_references(heading.text), style, x + width - _NUMBER - left, place)
        pitch = look.body.pitch
        for at, line in enumerate(lines):
            box = Rect(left, 0, width - (left - x), pitch)
            drop = find_baseline(look, style, pitch)
            link = LinkArea(Rect(0, 0, box.width, pitch), heading.anchor, words, (), place)
            things = [thing_from_line(line, "paragraph", 0.0, drop, box, part, tags)._replace(areas=(link,))]
            if at == len(lines) - 1:
                number = Rect(box.right - _NUMBER, 0, _NUMBER, box.height)
                things += _draw_leader(line, look, style, box)
                things.append(Thing("paragraph", number, part=part, number=heading.anchor, tags=tags))
            first = chapter and not at
            kept = first or at < len(lines) - 1
            made.append(Strip(pitch, tuple(things), look.unit * first, snap=True, keep=kept, stretch=2 * first))
    if made:
        few = len(made) if fits_column(made, room, look.unit) else _FEW
        made[-few:] = [strip._replace(keep=True) for strip in made[-few:-1]] + [made[-1]._replace(keep=False)]
    return made


def _iter_entries(headings: Sequence[Heading], part: int) -> Iterator[tuple[Heading, Tags]]:
    """Yield the headings in the contents, each with structure tags that nest sections below their chapter."""
    way = (Tag("TOC", part),)
    link = (Tag("Reference", 1), Tag("Link", 1))
    chapter: Tags = ()
    for number, heading in enumerate(headings, start=1):
        entry = Tag("TOCI", number)
        if heading.level == 1:
            chapter = (entry,)
            yield heading, (*way, entry, *link)
        elif heading.level <= DEEPEST:
            yield heading, (*way, *chapter, *([Tag("TOC", 2)] if chapter else []), entry, *link)


def set_index(setter: TextSetter, index: Index, lane: Lane, height: float) -> list[Strip]:
    """Return the index in two columns `height` mm high (one if the lane is narrow): its title, then its entries."""
    look = setter.look
    pitch = look.body.pitch * 0.875 if not look.cjk else look.body.pitch * 0.8
    made = _set_title(setter, index, index.anchor, lane)
    columns = 2 if lane.width > _WIDE else 1
    wide = (lane.width - _INDEX_BETWEEN * (columns - 1)) / columns
    told = setter.told.terms
    cells = [
        (_set_entry(setter, words, told.get(term, ()), look.note, wide, index.origin.get_part_place(number)), term)
        for number, (words, term) in enumerate(index.entries)
        if term in told or not term.startswith(DESIGN)
    ]
    rows, drop = [], find_baseline(look, look.note, pitch)
    for at, (lines, term) in enumerate(cells):
        tags = (Tag("Index", lane.part), Tag("L", 1), Tag("LI", at + 1), Tag("LBody", 1))
        boxes = [Rect(lane.x, row * pitch, wide, pitch) for row in range(len(lines))]
        placed = zip(lines, boxes, strict=True)
        things = [thing_from_line(line, "paragraph", 0.0, drop, box, lane.part, tags) for line, box in placed]
        strip = Strip(pitch * len(lines), tuple(things), anchors=(INDEX + term,))
        if strip.height > height:
            setter.report_too_tall("an entry of the index", strip.height, index.origin.get_part_place(at))
        rows.append(strip)
    if columns == 1:
        kept = len(rows) - 1
        return made + [row._replace(keep=at < kept and (at < _FEW or at == kept - 1)) for at, row in enumerate(rows)]
    run = NarrowColumns(tuple(rows), columns, wide + _INDEX_BETWEEN)
    return [*made, Strip(0.0, narrow=run)] if rows else made


def _set_title(setter: TextSetter, register: Contents | Index, anchor: str, lane: Lane) -> list[Strip]:
    if not register.title:
        return []
    return [set_heading(setter, Heading(1, register.title, anchor, register.origin), lane)]


def _drop_references(text: Text) -> Text:
    """Return a title without links and terms: in the table of contents the whole title is a link."""
    return tuple(
        part.shown
        if isinstance(part, Mention) and isinstance(part.shown, Ruby)
        else Plain(part.text)
        if isinstance(part, (Link, Mention, Term))
        else part
        for part in text
    )


def _draw_leader(line: TypeLine, look: Look, style: TypeStyle, box: Rect) -> list[Thing]:
    """Return a line of dots from the end of a text to the page number at the right."""
    drop = find_baseline(look, style, box.height)
    start, end = line.width + _LEADER_GAP, box.width - _NUMBER + 1.0
    # Dots of different lines are aligned, because they are counted from the right.
    count = int((end - start) / _LEADER[1])
    if count <= 0:
        return []
    path = f"M {end - count * _LEADER[1]:.3f} {drop:.3f} L {end:.3f} {drop:.3f}"
    dots = Shape(path, stroke=RULE, width=0.35, cap="round", dash=_LEADER, role="frame")
    return [Thing("artifact", box, (dots,))]


def _set_entry(
    setter: TextSetter, words: Text, pages: Sequence[int], style: TypeStyle, width: float, place: Place | None
) -> list[TypeLine]:
    """Return the lines of an index entry: its words, its main page in bold, other pages; each page is a link."""
    text: list[Inline] = [*words]
    main, *others = pages or (0,)
    for at, (first, last) in enumerate([(main, main)] * bool(pages) + _merge_runs(others)):
        text.append(Plain(" " if not at else ", "))
        shown = str(first) if first == last else f"{first}–{last}"
        text.append(Link(shown, f"{PAGE}{first}", bold=not at))
    return setter.set_lines(tuple(text), style, width, place)


def _merge_runs(pages: Sequence[int]) -> list[tuple[int, int]]:
    """Return sorted page ranges as (first, last), merging three or more consecutive pages."""
    runs: list[tuple[int, int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], page)
        else:
            runs.append((page, page))
    parted = [[run] if run[1] - run[0] > 1 else [(page, page) for page in range(run[0], run[1] + 1)] for run in runs]
    return list(chain.from_iterable(parted))
