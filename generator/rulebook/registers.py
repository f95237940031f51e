"""The table of contents and the index of a book: lines that lead to pages by number and by link."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from generator.model.drawing import Shape
from generator.model.text import Plain
from generator.rulebook.book import Contents, Heading, Index, Inline, Link, Term, Text
from generator.rulebook.paragraphs import Setter, TypeLine
from generator.rulebook.strips import Area, Strip, Thing
from generator.rulebook.style import RULE, Look, Style
from generator.rulebook.textblocks import baseline, heading_strip, line_thing
from generator.units import Rect

DEEPEST = 2
"""Steps (3) are too many for a table of contents."""

_NUMBER = 7.5
_LEADER_GAP = 1.4
_LEADER = (0.0, 1.5)
_INDENT = 4.5
_INDEX_BETWEEN = 7.0
CONTENTS_ANCHOR, INDEX_ANCHOR = "contents:", "index:"


def index_anchor(entry: str) -> str:
    """The anchor of a term's entry in the index."""
    return f"{INDEX_ANCHOR}{entry}"


def contents_strips(
    setter: Setter, contents: Contents, headings: Sequence[Heading], x: float, width: float, part: int
) -> list[Strip]:
    """The title, then each chapter and section with a dotted line to its page's number."""
    look = setter.look
    made = _titled(setter, contents.title, CONTENTS_ANCHOR, x, width, part)
    for heading in headings:
        if heading.level > DEEPEST:
            continue
        chapter = heading.level == 1
        style = replace(look.body, bold=chapter, align="start")
        left = x if chapter else x + _INDENT
        lines = setter.lines(_words_only(heading.text), style, x + width - _NUMBER - left)
        pitch = look.body.pitch
        for at, line in enumerate(lines):
            box = Rect(left, 0, width - (left - x), pitch)
            drop = baseline(look, style, pitch)
            area = (Area(Rect(0, 0, box.width, pitch), heading.anchor),)
            things = [replace(line_thing(line, "paragraph", 0.0, drop, box, part), areas=area)]
            if at == len(lines) - 1:
                things += _leader(line, heading.anchor, look, style, box, part)
            above = look.unit if chapter and not at else 0.0
            first = chapter and not at
            made.append(Strip(pitch, tuple(things), above, snap=True, keep=first or at < len(lines) - 1))
    if made:
        made[-1] = replace(made[-1], keep=False)
    return made


def index_strips(
    setter: Setter, index: Index, used: Mapping[str, Sequence[int]], room: tuple[float, float], height: float, part: int
) -> list[Strip]:
    """The title, then the entries in two columns (one where there is no room), each with the pages that use it."""
    look = setter.look
    x, width = room
    style = look.note
    pitch = look.body.pitch * 0.875 if not look.cjk else look.body.pitch * 0.8
    made = _titled(setter, index.title, INDEX_ANCHOR, x, width, part)
    columns = 2 if width > 100 else 1
    wide = (width - _INDEX_BETWEEN * (columns - 1)) / columns
    cells = [_entry(setter, words, term, used.get(term, ()), style, wide) for words, term in index.entries]
    rows = max(1, int(height / pitch) - 8)
    for start in range(0, len(cells), rows * columns):
        chunk = cells[start : start + rows * columns]
        deep = -(-len(chunk) // columns)
        for row in range(deep):
            beside = [chunk[at] for at in range(row, len(chunk), deep)]
            strip = _index_row(look, style, beside, (x, wide, pitch), part)
            made.append(replace(strip, keep=row < deep - 1))  # parted, its columns would go on in the wrong order
    if made:
        made[-1] = replace(made[-1], keep=False)
    return made


def _titled(setter: Setter, title: Text, anchor: str, x: float, width: float, part: int) -> list[Strip]:
    if not title:
        return []
    return [heading_strip(setter, Heading(1, title, anchor), x, width, part)]


def _words_only(text: Text) -> Text:
    """A title without links and terms of its own: in the table of contents all of it leads to its page."""
    return tuple(Plain(part.text) if isinstance(part, (Link, Term)) else part for part in text)


def _leader(line: TypeLine, anchor: str, look: Look, style: Style, box: Rect, part: int) -> list[Thing]:
    """Dots from the end of a line to the number at the right, and the place of that number."""
    drop = baseline(look, style, box.height)
    start, end = line.width + _LEADER_GAP, box.width - _NUMBER + 1.0
    # Dots of different lines stand below each other: they are counted from the right.
    count = int((end - start) / _LEADER[1])
    things = []
    if count > 0:
        path = f"M {end - count * _LEADER[1]:.3f} {drop:.3f} L {end:.3f} {drop:.3f}"
        dots = Shape(path, stroke=RULE, width=0.35, cap="round", dash=_LEADER, role="frame")
        things.append(Thing("artifact", box, (dots,)))
    number = Rect(box.right - _NUMBER, 0, _NUMBER, box.height)
    things.append(Thing("paragraph", number, part=part, number=anchor))
    return things


def _entry(
    setter: Setter, words: Text, term: str, pages: Sequence[int], style: Style, width: float
) -> tuple[list[TypeLine], str]:
    """An entry's lines: its words, then the pages, each of which is a link."""
    text: list[Inline] = [*words]
    for at, (first, last) in enumerate(_runs(pages)):
        text.append(Plain(" " if not at else ", "))
        text.append(Link(str(first) if first == last else f"{first}–{last}", f"page:{first}"))
    return setter.lines(tuple(text), style, width), term


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
    style: Style,
    cells: Sequence[tuple[list[TypeLine], str]],
    frame: tuple[float, float, float],
    part: int,
) -> Strip:
    x, wide, pitch = frame
    things = []
    for column, (lines, _) in enumerate(cells):
        for at, line in enumerate(lines):
            box = Rect(x + column * (wide + _INDEX_BETWEEN), at * pitch, wide, pitch)
            things.append(line_thing(line, "paragraph", 0.0, baseline(look, style, pitch), box, part))
    height = pitch * max(len(lines) for lines, _ in cells)
    return Strip(height, tuple(things), anchors=tuple(index_anchor(term) for _, term in cells))
