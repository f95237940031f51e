"""The table of contents and the index of a book: lines that lead to pages by number and by link."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from generator.dataclass import dataclass
from generator.errors import Place
from generator.model.drawing import Shape
from generator.model.structure import Tag, Tags
from generator.model.text import Plain
from generator.pages.blocks import DESIGN, INDEX, PAGE, Contents, Heading, Index, Inline, Link, Mention, Term, Text
from generator.pages.lines import baseline, heading_strip, heading_words, line_thing
from generator.pages.setter import Setter, TypeLine
from generator.pages.strips import Lane, LinkArea, Strip, Thing
from generator.pages.style import RULE, Look, TypeStyle
from generator.units import Rect

DEEPEST = 2
"""Steps (3) are too many for a table of contents."""

_NUMBER = 7.5
_LEADER_GAP = 1.4
_LEADER = (0.0, 1.5)
_INDENT = 4.5
_INDEX_BETWEEN = 7.0
_WIDE = 100.0
"""mm: a narrower index has one column."""

_FEW = 4
"""Rows of an index, or of the end of a table of contents, that stand together at least."""

_CONTENTS = "contents:"


def contents_strips(setter: Setter, contents: Contents, headings: Sequence[Heading], lane: Lane) -> list[Strip]:
    """The title, then each chapter and section with a dotted line to its page's number."""
    look, x, width, part = setter.look, lane.x, lane.width, lane.part
    made = _title_strips(setter, contents, _CONTENTS, lane)
    for heading, tags in _entries(headings, part):
        chapter = heading.level == 1
        style = replace(look.body, bold=chapter, align="start")
        left = x if chapter else x + _INDENT
        lines = setter.lines(_words_only(heading.text), style, x + width - _NUMBER - left, heading.origin.place)
        pitch = look.body.pitch
        for at, line in enumerate(lines):
            box = Rect(left, 0, width - (left - x), pitch)
            drop = baseline(look, style, pitch)
            link = LinkArea(
                Rect(0, 0, box.width, pitch), heading.anchor, heading_words(heading), (), heading.origin.place
            )
            things = [replace(line_thing(line, "paragraph", 0.0, drop, box, part, tags), areas=(link,))]
            if at == len(lines) - 1:
                number = Rect(box.right - _NUMBER, 0, _NUMBER, box.height)
                things += _leader(line, look, style, box)
                things.append(Thing("paragraph", number, part=part, number=heading.anchor, tags=tags))
            above = look.unit if chapter and not at else 0.0
            first = chapter and not at
            made.append(Strip(pitch, tuple(things), above, snap=True, keep=first or at < len(lines) - 1))
    if made:
        made[-_FEW:] = [replace(strip, keep=True) for strip in made[-_FEW:-1]] + [replace(made[-1], keep=False)]
    return made


def _entries(headings: Sequence[Heading], part: int) -> Iterator[tuple[Heading, Tags]]:
    """The headings that are listed, each with its place in the structure: sections below their chapter."""
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


@dataclass(frozen=True, slots=True)
class IndexRoom:
    """Where an index stands, mm: its left edge and width, a column's height, how much of that is left where it begins.

    `foot` has to stay empty below it.
    """

    x: float
    width: float
    height: float
    left: float = 0.0
    foot: float = 0.0


def index_strips(setter: Setter, index: Index, room: IndexRoom, part: int) -> list[Strip]:
    """The title, then the entries in two columns (one where there is no room), each with the pages that use it.

    Where it doesn't fit below what stands before it, it is parted rather than leave much of that page empty: each part
    has its columns for itself.
    """
    look = setter.look
    pitch = look.body.pitch * 0.875 if not look.cjk else look.body.pitch * 0.8
    made = _title_strips(setter, index, INDEX, Lane(room.x, room.width, part))
    columns = 2 if room.width > _WIDE else 1
    wide = (room.width - _INDEX_BETWEEN * (columns - 1)) / columns
    told = setter.told.terms
    cells = [
        (_entry(setter, words, told.get(term, ()), look.note, wide, index.origin.part(number)), term)
        for number, (words, term) in enumerate(index.entries)
        if term in told or not term.startswith(DESIGN)
    ]
    titled = sum(strip.above + strip.height for strip in made)
    start = 0
    deep = -(-len(cells) // columns)
    for rows in _depths(deep, titled, pitch, room) if columns > 1 else (deep,):
        chunk = cells[start : start + rows * columns]
        deep = -(-len(chunk) // columns)
        for row in range(deep):
            beside = [(*chunk[at], start + at + 1) for at in range(row, len(chunk), deep)]
            strip = _index_row(look, beside, (room.x, wide, pitch), part)
            if strip.height > room.height:
                tallest = max(beside, key=lambda cell: len(cell[0]))[2]
                setter.too_tall("an entry of the index", strip.height, index.origin.part(tallest - 1))
            # Parted, its columns would go on in the wrong order.
            keep = row < deep - 1 and (columns > 1 or row < _FEW or row == deep - 2)
            made.append(replace(strip, keep=keep))
        made[-1] = replace(made[-1], ends=columns > 1)  # nor may the next part stand below them
        start += len(chunk)
    if made:
        made[-1] = replace(made[-1], keep=False, ends=False)
    return made


def _depths(rows: int, titled: float, pitch: float, room: IndexRoom) -> Iterator[int]:
    """How many rows stand together: all, or what fits where the index begins, then the rest."""
    if titled + rows * pitch > room.left - room.foot:
        first = min(int((room.left - titled) / pitch), rows - _FEW)
        if first >= _FEW:
            yield first
            rows -= first
    most = max(1, int(room.height / pitch) - 2 * _FEW)
    while rows > 0:
        deep = rows if rows <= most else min(most, rows - _FEW)
        yield deep
        rows -= deep


def _title_strips(setter: Setter, register: Contents | Index, anchor: str, lane: Lane) -> list[Strip]:
    if not register.title:
        return []
    return [heading_strip(setter, Heading(1, register.title, anchor, register.origin), lane)]


def _words_only(text: Text) -> Text:
    """A title without links and terms of its own: in the table of contents all of it leads to its page."""
    return tuple(Plain(part.text) if isinstance(part, (Link, Mention, Term)) else part for part in text)


def _leader(line: TypeLine, look: Look, style: TypeStyle, box: Rect) -> list[Thing]:
    """Dots from the end of a line to the number at the right."""
    drop = baseline(look, style, box.height)
    start, end = line.width + _LEADER_GAP, box.width - _NUMBER + 1.0
    # Dots of different lines stand below each other: they are counted from the right.
    count = int((end - start) / _LEADER[1])
    if count <= 0:
        return []
    path = f"M {end - count * _LEADER[1]:.3f} {drop:.3f} L {end:.3f} {drop:.3f}"
    dots = Shape(path, stroke=RULE, width=0.35, cap="round", dash=_LEADER, role="frame")
    return [Thing("artifact", box, (dots,))]


def _entry(
    setter: Setter, words: Text, pages: Sequence[int], style: TypeStyle, width: float, place: Place | None
) -> list[TypeLine]:
    """An entry's lines: its words, its main page in bold, then the others; each is a link."""
    text: list[Inline] = [*words]
    main, *others = pages or (0,)
    for at, (first, last) in enumerate([(main, main)] * bool(pages) + _runs(others)):
        text.append(Plain(" " if not at else ", "))
        shown = str(first) if first == last else f"{first}–{last}"
        text.append(Link(shown, f"{PAGE}{first}", bold=not at))
    return setter.lines(tuple(text), style, width, place)


def _runs(pages: Sequence[int]) -> list[tuple[int, int]]:
    """Pages in order, three and more that follow each other as first and last."""
    runs: list[tuple[int, int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], page)
        else:
            runs.append((page, page))
    parted = [[run] if run[1] - run[0] > 1 else [(page, page) for page in range(run[0], run[1] + 1)] for run in runs]
    return list(chain.from_iterable(parted))


def _index_row(
    look: Look,
    cells: Sequence[tuple[list[TypeLine], str, int]],
    frame: tuple[float, float, float],
    part: int,
) -> Strip:
    x, wide, pitch = frame
    things = []
    for column, (lines, _, number) in enumerate(cells):
        tags = (Tag("Index", part), Tag("L", 1), Tag("LI", number), Tag("LBody", 1))
        for at, line in enumerate(lines):
            box = Rect(x + column * (wide + _INDEX_BETWEEN), at * pitch, wide, pitch)
            things.append(line_thing(line, "paragraph", 0.0, baseline(look, look.note, pitch), box, part, tags))
    height = pitch * max(len(lines) for lines, _, _ in cells)
    return Strip(height, tuple(things), anchors=tuple(INDEX + term for _, term, _ in cells))
