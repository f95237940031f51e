"""Text blocks: sets paragraphs, lists and tables in one box."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import Item, Shape, TextFrame
from generator.base.geometry import MM_PER_PT, Rect
from generator.base.languages import is_right_to_left
from generator.base.outlines import rectangle_path
from generator.game.rich_text import Plain, RichText
from generator.text.fonts import FontBook
from generator.text.glyph_cache import GlyphGroup, is_cjk
from generator.text.glyph_rows import GlyphRow, IconFinder, SetText, TextBox
from generator.text.kinsoku import TRAILS, Edge
from generator.text.line_breaks import Hyphens, Line, Spacing
from generator.text.paragraphs import StyledText
from generator.text.set_text import break_row, find_first_baseline, find_hyphens, iter_sizes, measure_pitch, put_line
from generator.text.vertical_text import lay_on_side

_SLACK = 1e-6  # mm
_BULLETS = (("•", "・", "-"), ("–", "-"), ("·", "・", "-"))
"""Bullets of items by depth, in order of preference: the first that the font has is used."""
_BEHIND_MARK, _LEAST_HANG, _LEAST_HANG_WIDE = 350.0, 800.0, 1000.0
"""The room between an item's mark and its words, and their minimum indents, 1/1000 em."""
_BETWEEN_CELLS = 900.0
"""The room between the columns of a table, 1/1000 em."""
_RULE = 0.05
"""Thickness of the line under a table's head, in ems. It is in the middle of a room of `_RULE_ROOM`."""
_RULE_ROOM = 0.4


class Block(NamedTuple):
    """A paragraph, or a list entry if it has a `mark` (bullet or number); `fresh` adds space before it."""

    rich: RichText
    mark: str = ""
    depth: int = 0
    fresh: bool = False


class TextGrid(NamedTuple):
    """A table: rows of cells, whether the first row is its head, and the alignment of each column."""

    rows: tuple[tuple[RichText, ...], ...]
    headed: bool
    sides: tuple[Literal["start", "middle", "end"], ...]
    fresh: bool = False


Blocks: TypeAlias = Sequence[Block | TextGrid]


class _LineColumn(NamedTuple):
    """Lines of a paragraph or cell: `left` is their left edge, `measure` their width (1/1000 em), `box` the style."""

    galley: GlyphRow
    lines: list[Line]
    left: float
    measure: float
    box: TextBox


class _Strip(NamedTuple):
    """Columns side by side with common lines; `heights` of the lines are relative to the usual distance.

    `above` is the room before it, mm. `mark` is before its first line. `ruled` is the start and length of a line below
    it, 1/1000 em.
    """

    columns: tuple[_LineColumn, ...]
    heights: list[float]
    above: float = 0.0
    mark: _LineColumn | None = None
    ruled: tuple[float, float] | None = None


class _StyledBlock(NamedTuple):
    block: Block
    makeup: StyledText
    mark: StyledText | None


class _StyledGrid(NamedTuple):
    grid: TextGrid
    cells: tuple[tuple[StyledText, ...], ...]


def set_blocks(blocks: Blocks, box: TextBox, fonts: FontBook, icon: IconFinder) -> SetText:
    """Set blocks at the largest size, `size` to `min_size`, at which all fit. Raise KeyError for an unknown family."""
    setter = _BlockSetter(blocks, box, fonts, icon)
    sizes = iter_sizes(box)
    done = setter.set_at_size(next(sizes))
    for size in sizes:
        if done.overflow <= _SLACK:
            break
        done = setter.set_at_size(size)
    return done if done.overflow > _SLACK else done._replace(overflow=0.0)


class _BlockSetter:
    """Sets blocks that share a box: their text is prepared once, and then broken and placed at any size."""

    def __init__(self, blocks: Blocks, box: TextBox, fonts: FontBook, icon: IconFinder):
        self._box, self._fonts, self._icon = box, fonts, icon
        self._bed = lay_on_side(box) if box.vertical else box
        self._cjk = is_cjk(box.lang)
        self._leftward = is_right_to_left(box.lang)
        self._parting = find_hyphens(box, fonts)
        self._made: list[StyledText] = []
        self._casts = [self._style_block(block) for block in blocks]
        self._has_ruby = any(makeup.has_ruby for makeup in self._made)

    def set_at_size(self, size: float) -> SetText:
        """Return all blocks at a size; `overflow` is 0 or below if they fit."""
        em = size * MM_PER_PT
        pitch, ruby = measure_pitch(self._box, size, self._has_ruby)
        strips: list[_Strip] = []
        too_wide = 0.0
        hangs: list[float] = []
        for listed, group in groupby(zip(self._casts, _find_lists(self._casts), strict=True), key=itemgetter(1)):
            casts = [cast for cast, _ in group]
            hangs = self._measure_indents(casts, size) if listed else []
            for cast in casts:
                if isinstance(cast, _StyledGrid):
                    more, excess = self._build_table(cast, size, pitch)
                else:
                    more, excess = self._build_paragraphs(cast, size, pitch, hangs)
                strips += more
                too_wide = max(too_wide, excess)
        ascent, descent = self._made[0].extent if self._made else (0.0, 0.0)
        first = strips[0].heights[0] if strips else 1.0
        last = strips[-1].heights[-1] if strips else 1.0
        height = (ascent * first + descent * last) * em + ruby
        height += sum((above for strip in strips for above in strip.heights), -first) * pitch
        height += sum(strip.above + (_RULE_ROOM * em if strip.ruled else 0.0) for strip in strips)
        return self._place_strips(strips, size, pitch, ascent * first * em + ruby, height, too_wide * em / 1000)

    def _style_block(self, block: Block | TextGrid) -> _StyledBlock | _StyledGrid:
        if isinstance(block, TextGrid):
            head = replace(self._box, bold=True) if block.headed else self._box
            styles = [head, *[self._box] * len(block.rows)]
            rows = zip(block.rows, styles, strict=False)
            return _StyledGrid(block, tuple(tuple(self._style_text(cell, box) for cell in row) for row, box in rows))
        makeup = self._style_text(block.rich, self._box)
        mark = self._style_text((Plain(self._choose_mark(block)),), self._box) if block.mark else None
        return _StyledBlock(block, makeup, mark)

    def _style_text(self, rich: RichText, box: TextBox) -> StyledText:
        self._made.append(StyledText(rich, box, self._fonts, self._icon))
        return self._made[-1]

    def _choose_mark(self, block: Block) -> str:
        if block.mark[0].isdigit():
            return block.mark
        chain = self._fonts.get_chain(self._box.family, self._box.lang)
        known = _BULLETS[min(block.depth, len(_BULLETS) - 1)]
        return next((mark for mark in known if any(font.find_glyph(mark) for font in chain)), known[-1])

    def _measure_indents(self, casts: Sequence[_StyledBlock | _StyledGrid], size: float) -> list[float]:
        """Return the indent of the words of list entries by depth (1/1000 em)."""
        least = _LEAST_HANG_WIDE if self._cjk else _LEAST_HANG
        hangs: list[float] = []
        for depth in range(max(cast.block.depth for cast in casts if isinstance(cast, _StyledBlock)) + 1):
            marks = [cast.mark for cast in casts if isinstance(cast, _StyledBlock) and cast.block.depth == depth]
            widths = [_measure_width(galley) for mark in marks if mark for galley, _ in mark.build_paragraphs(size)]
            own = max(least, max(widths, default=0.0) + _BEHIND_MARK)
            hangs.append((hangs[-1] if hangs else 0.0) + own)
        return hangs

    def _build_paragraphs(
        self, cast: _StyledBlock, size: float, pitch: float, hangs: list[float]
    ) -> tuple[list[_Strip], float]:
        block, em = cast.block, size * MM_PER_PT
        measure = self._bed.width / em * 1000
        left = hangs[block.depth] if cast.mark else 0.0
        strips: list[_Strip] = []
        too_wide = 0.0
        for place, (whole, fresh) in enumerate(cast.makeup.build_paragraphs(size)):
            galley = whole
            if self._box.indent and not cast.mark and (fresh or not place):
                room, paints = self._box.indent / em * 1000, whole.paints
                pad = GlyphGroup("", int(Edge.GLUE), TRAILS[Edge.GLUE], room, None, natural=False)
                galley = GlyphRow([pad, *whole.sorts], [paints[0], *paints] if paints is not None else None)
            parted, lines, excess = self._break_lines(galley, measure - left, self._bed.align)
            above = pitch / 2 if fresh or (block.fresh and not place) else 0.0
            mark = self._build_mark(cast.mark, size, left) if cast.mark and not place else None
            column = _LineColumn(parted, lines, left, measure - left, self._bed)
            strips.append(_Strip((column,), [_measure_tallest(parted, line) for line in lines], above, mark))
            too_wide = max(too_wide, excess)
        return strips, too_wide

    def _build_mark(self, mark: StyledText, size: float, left: float) -> _LineColumn | None:
        """Return a list entry's bullet (left in its indent) or number (right), or None; `left` is the indent's end."""
        for galley, _ in mark.build_paragraphs(size):
            width, count = _measure_width(galley), len(galley.widths)
            indent = max(_LEAST_HANG_WIDE if self._cjk else _LEAST_HANG, width + _BEHIND_MARK)
            at = left - _BEHIND_MARK - width if mark.text[0].isdigit() else max(0.0, left - indent)
            return _LineColumn(galley, [Line(0, count, count, last=True)], at, width, replace(self._bed, align="start"))
        return None

    def _break_lines(self, galley: GlyphRow, measure: float, align: str) -> tuple[GlyphRow, list[Line], float]:
        if measure < 1000:
            return galley, [Line(0, len(galley.widths), len(galley.widths), last=True)], 1000 - measure
        manner = None if self._cjk else Spacing(align == "justify", align == "middle")
        parting: Hyphens | None = self._parting
        return break_row(galley, measure, manner, None, parting)

    def _build_table(self, cast: _StyledGrid, size: float, pitch: float) -> tuple[list[_Strip], float]:
        grid, em = cast.grid, size * MM_PER_PT
        measure = self._bed.width / em * 1000
        columns = [*zip(*cast.cells, strict=True)]
        galleys = [[galley for cell in column for galley, _ in cell.build_paragraphs(size)] for column in columns]
        natural = [max(map(_measure_width, column), default=0.0) + 1.0 for column in galleys]
        least = [max((galley.measure_widest_chunk() for galley in column), default=0.0) + 1.0 for column in galleys]
        widths, too_wide = _share_widths(natural, least, measure - _BETWEEN_CELLS * (len(columns) - 1))
        total = sum(widths) + _BETWEEN_CELLS * (len(columns) - 1)
        start = max(0.0, measure - total) * {"middle": 0.5, "end": 1.0}.get(self._bed.align, 0.0)
        strips: list[_Strip] = []
        for place, row in enumerate(cast.cells):
            beside: list[_LineColumn] = []
            left = start
            for cell, side, width in zip(row, grid.sides, widths, strict=True):
                for galley, _ in cell.build_paragraphs(size):
                    box = replace(self._bed, align=side)
                    parted, lines, _wide = self._break_lines(galley, max(width, 1000.0), side)
                    beside.append(_LineColumn(parted, lines, left, width, box))
                left += width + _BETWEEN_CELLS
            heights = [1.0] * max((len(column.lines) for column in beside), default=1)
            for column in beside:
                for at, line in enumerate(column.lines):
                    heights[at] = max(heights[at], _measure_tallest(column.galley, line))
            above = pitch / 2 if grid.fresh and not place else 0.0
            ruled = (start, total) if grid.headed and not place else None
            strips.append(_Strip(tuple(beside), heights, above, ruled=ruled))
        return strips, too_wide

    def _place_strips(
        self, strips: list[_Strip], size: float, pitch: float, ascent: float, height: float, too_wide: float
    ) -> SetText:
        bed, em = self._bed, size * MM_PER_PT
        items, texts = list[Item](), list[str]()
        y = find_first_baseline(bed, ascent, height, self._made[0].lift * em if self._made else 0.0)
        if strips:
            y -= strips[0].heights[0] * pitch
        for strip in strips:
            y += strip.above
            tops = [y]
            for tall in strip.heights:
                tops.append(tops[-1] + tall * pitch)
            for column in (strip.mark, *strip.columns) if strip.mark else strip.columns:
                _put_column(column, self._find_left(column.left, column.measure, size), tops, size, items, texts)
            y = tops[-1]
            if strip.ruled:
                left, long = self._find_left(*strip.ruled, size) / 1000 * em, strip.ruled[1] / 1000 * em
                below = self._made[0].extent[1]
                thick, top = _RULE * em, y + (below + _RULE_ROOM * 0.7) * em
                line = rectangle_path(Rect(bed.x + left, top - thick / 2, long, thick))
                items.append(Shape(line, fill=bed.paint, role="text"))
                y += _RULE_ROOM * em
        box, said = self._box, "\n".join(made.text for made in self._made)
        where, shrunk = (box.x, box.y, box.width, box.height), size / box.size
        frame = TextFrame(*where, size, box.text_role, said, tuple(texts), shrunk=shrunk)

        def gather(name: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys(chain.from_iterable(getattr(made, name) for made in self._made)))

        notes = dict.fromkeys((*gather("notes"), *(self._parting.notes if self._parting is not None else ())))
        lacks = gather("unknown_icons"), gather("unturned"), height, tuple(notes), gather("unweighted")
        return SetText(tuple(items), frame, gather("missing"), max(height - bed.height, too_wide), *lacks)

    def _find_left(self, start: float, measure: float, size: float) -> float:
        """Return the left edge of a part as wide as `measure` (1/1000 em); `start` counts from where writing begins."""
        return self._bed.width / (size * MM_PER_PT) * 1000 - start - measure if self._leftward else start


def _find_lists(casts: Sequence[_StyledBlock | _StyledGrid]) -> list[str]:
    """Return for each block the kind of its outermost list: `bullets`, `numbers`, or '' for none."""
    sorts: list[str] = []
    for cast in casts:
        mark = cast.block.mark if isinstance(cast, _StyledBlock) else ""
        own = "numbers" if mark[:1].isdigit() else "bullets" if mark else ""
        within = isinstance(cast, _StyledBlock) and cast.block.depth > 0 and sorts
        sorts.append(sorts[-1] if within else own)
    return sorts


def _put_column(
    column: _LineColumn, left: float, tops: list[float], size: float, items: list[Item], texts: list[str]
) -> None:
    """Append a column's lines from `left` on (1/1000 em), and their texts; `tops`: upper edge, then baselines (mm)."""
    em = size * MM_PER_PT
    box = replace(column.box, x=column.box.x + left / 1000 * em, width=column.measure / 1000 * em)
    for line, y in zip(column.lines, tops[1:], strict=False):
        put_line(column.galley, line, y, size, column.measure, box, items)
        texts.append("".join(column.galley.texts[line.start : line.end]))


def _measure_tallest(galley: GlyphRow, line: Line) -> float:
    if galley.plain:
        return 1.0
    return max([1.0, *(rarity.ratio for rarity in galley.rarities[line.start : line.end])])


def _measure_width(galley: GlyphRow) -> float:
    return galley.measure_width(0, galley.trim_spaces(0, len(galley.widths)))


def _share_widths(natural: list[float], least: list[float], room: float) -> tuple[list[float], float]:
    """Return column widths that fit `room`: natural ones, or reduced towards `least`; and the excess of `least`."""
    if sum(natural) <= room:
        return natural, 0.0
    if sum(least) > room:
        return least, sum(least) - room
    wanted = [wide - narrow for wide, narrow in zip(natural, least, strict=True)]
    share = (room - sum(least)) / sum(wanted)
    return [narrow + want * share for narrow, want in zip(least, wanted, strict=True)], 0.0
