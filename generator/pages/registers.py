"""The table of contents and the index of a book: lines that lead to pages by number and by link."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from generator.dataclass import dataclass
from generator.errors import Place
from generator.model.drawing import Shape
from generator.model.structure import Tag, Tags
from generator.model.text import Plain, Ruby
from generator.pages.blocks import DESIGN, INDEX, PAGE, Contents, Heading, Index, Inline, Link, Mention, Term, Text
from generator.pages.lines import baseline, heading_strip, heading_words, line_thing
from generator.pages.makeup.levels import fits
from generator.pages.setter import Setter, TypeLine
from generator.pages.strips import Lane, LinkArea, Narrow, Strip, Thing
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


def contents_strips(
    setter: Setter, contents: Contents, headings: Sequence[Heading], lane: Lane, room: float
) -> list[Strip]:
    """The title, then each chapter and section with a dotted line to its page; whole if `room` (mm) is enough."""
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
            kept = first or at < len(lines) - 1
            made.append(Strip(pitch, tuple(things), above, snap=True, keep=kept, stretch=2 if first else 0))
    if made:
        few = len(made) if fits(made, room, look.unit) else _FEW
        made[-few:] = [replace(strip, keep=True) for strip in made[-few:-1]] + [replace(made[-1], keep=False)]
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
    """Where an index stands, mm: its left edge and width, and a column's height."""

    x: float
    width: float
    height: float


def index_strips(setter: Setter, index: Index, room: IndexRoom, part: int) -> list[Strip]:
    """The title, then the entries in two columns (one where there is no room), each with the pages that use it."""
    look = setter.look
    pitch = look.body.pitch * 0.875 if not look.cjk else look.body.pitch * 0.8
    made = _title_strips(setter, index, index.anchor, Lane(room.x, room.width, part))
    columns = 2 if room.width > _WIDE else 1
    wide = (room.width - _INDEX_BETWEEN * (columns - 1)) / columns
    told = setter.told.terms
    cells = [
        (_entry(setter, words, told.get(term, ()), look.note, wide, index.origin.part(number)), term)
        for number, (words, term) in enumerate(index.entries)
        if term in told or not term.startswith(DESIGN)
    ]
    rows = []
    for at, (lines, term) in enumerate(cells):
        strip = _index_row(look, (lines, term, at + 1), (room.x, wide, pitch), part)
        if strip.height > room.height:
            setter.too_tall("an entry of the index", strip.height, index.origin.part(at))
        rows.append(strip)
    if columns == 1:
        kept = len(rows) - 1
        return made + [replace(row, keep=at < kept and (at < _FEW or at == kept - 1)) for at, row in enumerate(rows)]
    run = Narrow(tuple(rows), columns, wide + _INDEX_BETWEEN)
    return [*made, Strip(0.0, narrow=run)] if rows else made


def _title_strips(setter: Setter, register: Contents | Index, anchor: str, lane: Lane) -> list[Strip]:
    if not register.title:
        return []
    return [heading_strip(setter, Heading(1, register.title, anchor, register.origin), lane)]


def _words_only(text: Text) -> Text:
    """A title without links and terms of its own: in the table of contents all of it leads to its page."""
    return tuple(
        part.shown
        if isinstance(part, Mention) and isinstance(part.shown, Ruby)
        else Plain(part.text)
        if isinstance(part, (Link, Mention, Term))
        else part
        for part in text
    )


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
    look: Look, entry: tuple[list[TypeLine], str, int], frame: tuple[float, float, float], part: int
) -> Strip:
    """The lines of an entry."""
    x, wide, pitch = frame
    lines, term, number = entry
    tags = (Tag("Index", part), Tag("L", 1), Tag("LI", number), Tag("LBody", 1))
    things = [
        line_thing(
            line,
            "paragraph",
            0.0,
            baseline(look, look.note, pitch),
            Rect(x, at * pitch, wide, pitch),
            part,
            tags,
        )
        for at, line in enumerate(lines)
    ]
    return Strip(pitch * len(lines), tuple(things), anchors=(INDEX + term,))
