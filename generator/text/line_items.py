"""Line items: turns set lines into drawing items such as text runs, icons, ruby and underlines."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, pairwise
from operator import add
from typing import NamedTuple, TypeAlias

from generator.base.display_list import Item, Paint, PlacedSymbol, Shape, Symbol, TextRun, format_mm
from generator.base.geometry import MM_PER_PT
from generator.game.rich_text import Ruby
from generator.text.fonts import Font
from generator.text.glyph_cache import GlyphCache, GlyphExtras, GlyphGroup
from generator.text.glyph_rows import GlyphRow, LineSpot, Stretch
from generator.text.kinsoku import TRAILS, Edge

SMALLEST = 3.5  # pt
_BASE_HEIGHT, _READING_DEPTH = 860.0, 100.0  # 1/1000 em: the height of a base's ink, the depth of a reading's


class RubyReading(NamedTuple):
    """A ruby reading as set (1/1000 em of its base's type); `ratio` is its size relative to the base.

    `base` is the base's width with added room, `spread` the room between its groups; `shift` moves it off the centre.
    """

    sorts: tuple[GlyphGroup, ...]
    ratio: float
    width: float
    base: float
    spread: float
    shift: float
    paint: Paint

    @property
    def height(self) -> float:
        """The distance of its baseline above that of the base."""
        return _BASE_HEIGHT + _READING_DEPTH * self.ratio

    def make_runs(self, x: float, y: float, size: float, paint: Paint) -> list[TextRun]:
        """Return its runs over a base of `size` pt, from x (mm) on the baseline y, in its own paint or `paint`."""
        small = size * self.ratio
        scale = small * MM_PER_PT / 1000
        runs: list[TextRun] = []
        row: list[GlyphGroup] = []
        for sort in (*self.sorts, None):
            if row and (sort is None or sort.font is not row[0].font):
                runs.append(self._make_run(row, x, y, small, self.paint or paint))
                x += sum(part.width + self.spread for part in row) * scale
                row = []
            if sort is not None:
                row.append(sort)
        return runs

    def _make_run(self, row: list[GlyphGroup], x: float, y: float, size: float, paint: Paint) -> TextRun:
        font = row[0].font
        moves: list[float] = []
        for sort in row:
            moves += sort.advances
            moves[-1] += self.spread
        glyphs = tuple(glyph for sort in row for glyph in sort.glyphs)
        clusters = tuple(cluster for sort in row for cluster in sort.clusters)
        natural = not self.spread and all(sort.natural for sort in row)
        key = font.key if font else ""
        return TextRun(x, y, size, key, glyphs, clusters, () if natural else tuple(moves), paint)


def compute_ruby_size(size: float) -> float:
    """Return the size of readings over type of `size` pt."""
    return max(size / 2, SMALLEST)


def make_ruby_groups(
    ruby: Ruby, case: GlyphCache, size: float, paint: Paint, before: str, behind: str
) -> list[GlyphGroup]:
    """Return a base's groups with readings, unbroken inside. Readings may overhang `before` and `behind` if kana."""
    ratio = compute_ruby_size(size) / size
    groups = list(zip(ruby.base, ruby.reading, strict=True))
    sorts: list[GlyphGroup] = []
    for index, (base, reading) in enumerate(groups):
        left = ratio * 500 if index == 0 and _is_kana(before) else 0.0
        right = ratio * 500 if index == len(groups) - 1 and _is_kana(behind) else 0.0
        bases, readings = ([sort for sort in case.get_groups(text) if sort.glyphs] for text in (base, reading))
        sorts += _make_ruby_group(bases, readings, ratio, paint, (left, right))
    return sorts


def _make_ruby_group(
    base: list[GlyphGroup], reading: list[GlyphGroup], ratio: float, paint: Paint, overhang: tuple[float, float]
) -> list[GlyphGroup]:
    """Return a base's groups, unbreakable, with the reading in the last, up to `overhang` (left, right) wider."""
    if not base or not reading:
        return base
    wide, natural = sum(sort.width for sort in base), sum(sort.width for sort in reading) * ratio
    excess = natural - wide
    spread = 0.0
    if excess < 0 and len(reading) > 1:
        spread = min(-excess / len(reading), 500.0 * ratio)
    left = min(overhang[0], max(excess, 0.0) / 2)
    right = min(overhang[1], max(excess, 0.0) / 2)
    added = max(excess - left - right, 0.0)
    each = added / len(base)
    set_width = natural + spread * (len(reading) - 1)
    mark = RubyReading(tuple(reading), ratio, set_width, wide + added, spread / ratio, (right - left) / 2, paint)
    lead, trail = base[0].lead, base[-1].trail
    sorts = []
    for index, sort in enumerate(base):
        more = each if index < len(base) - 1 else 0.0
        advances = (*sort.advances[:-1], sort.advances[-1] + more)
        group = sort._replace(width=sort.width + more, advances=advances, natural=sort.natural and not each)
        sorts.append(group._replace(lead=int(Edge.GLUE), trail=TRAILS[Edge.GLUE], left=0.0, right=0.0))
    if each:
        pad = GlyphGroup("", int(Edge.GLUE), TRAILS[Edge.GLUE], each / 2, None, natural=False)
        sorts = [pad, *sorts, pad]
    sorts[0] = sorts[0]._replace(lead=lead)
    sorts[-1] = sorts[-1]._replace(trail=trail, rarity=sorts[-1].rarity._replace(mark=mark))
    return sorts


def _is_kana(char: str) -> bool:
    return "\u3041" <= char <= "\u30ff" if char else False


class Pictogram(NamedTuple):
    """An icon in a line: its symbol, its height, and how far it extends below the baseline (1/1000 em)."""

    symbol: Symbol
    height: float
    below: float


Rooms: TypeAlias = list[float] | None
"""The space after each glyph group of a line (1/1000 em), or None for natural spaces."""


def set_groups(
    galley: GlyphRow, start: int, end: int, after: int, rooms: Rooms, spot: LineSpot, out: list[Item]
) -> None:
    """Append items for the groups `start` to `end`, `rooms` (None: natural) after them, and spaces up to `after`."""
    font = galley.fonts[start]
    if font is not None and galley.plain and not galley.seams:
        x, y, size, paint, _ = spot
        if rooms is None and galley.row and after == end:
            out.append(make_solid_run(galley, start, end, x, y, size, paint))
            return
        left = x - galley.sorts[start].left * (size * MM_PER_PT / 1000)
        rooms = galley.get_natural_rooms(start, end) if rooms is None else rooms
        if after > end:
            rooms = rooms + [-width for width in galley.widths[end:after]]
        moves = list(map(add, galley.widths[start:after], rooms))
        out.append(make_run(galley, Stretch(start, after, left, left, rooms, moves), font, spot))
        return
    for stretch in iter_stretches(galley, start, end, after, rooms, spot):
        font = galley.fonts[stretch.first]
        if font is not None:
            out.append(make_run(galley, stretch, font, spot))
        if not galley.plain:
            set_marks(galley, stretch, spot, out)
    if galley.ruled:
        out.extend(draw_word_lines(galley, iter_stretches(galley, start, end, after, rooms, spot), spot))


def make_solid_run(galley: GlyphRow, start: int, end: int, x: float, y: float, size: float, paint: Paint) -> TextRun:
    """Return the run of a line with natural rooms from (x, y) mm at `size` pt; the row must have glyphs in `row`."""
    font, width = galley.fonts[start], galley.widths[end - 1]
    advances: tuple[float, ...] = ()
    if not galley.natural or not width or galley.has_room(start, end):
        advances = (*galley.moves[start : end - 1], width)
    left, key = x - galley.sorts[start].left * (size * MM_PER_PT / 1000), font.key if font is not None else ""
    return TextRun(left, y, size, key, galley.row[start:end], galley.texts[start:end], advances, paint)


def iter_stretches(
    galley: GlyphRow, start: int, end: int, after: int, rooms: Rooms, spot: LineSpot
) -> Iterator[Stretch]:
    """Yield the parts of a line that have one font, style and orientation each; arguments are as in `set_groups`."""
    if rooms is None:
        rooms = galley.get_natural_rooms(start, end)
    if after > end:
        rooms = rooms + [-width for width in galley.widths[end:after]]
    moves = list(map(add, galley.widths[start:after], rooms))
    pens = list(accumulate(moves, initial=0.0))
    scale = spot.size * MM_PER_PT / 1000
    left = spot.x - galley.sorts[start].left * scale
    seams = galley.seams
    if not seams:
        yield Stretch(start, after, left, left + (pens[-1] - rooms[-1]) * scale, rooms, moves)
        return
    edges = [start, *seams[bisect_right(seams, start) : bisect_left(seams, after)], after]
    for first, last in pairwise(edges):
        begin, stop = first - start, last - start
        x, ends = left + pens[begin] * scale, left + (pens[stop] - rooms[stop - 1]) * scale
        yield Stretch(first, last, x, ends, rooms[begin:stop], moves[begin:stop])


def make_run(galley: GlyphRow, stretch: Stretch, font: Font, spot: LineSpot) -> TextRun:
    """Return the text run for a part of a line."""
    first, last, x, _, rooms, moves = stretch
    sorts = galley.sorts[first:last]
    if galley.row:
        glyphs, clusters = galley.row[first:last], galley.texts[first:last]
    else:
        glyphs = tuple(chain.from_iterable([sort.glyphs for sort in sorts]))
        clusters = tuple(chain.from_iterable([sort.clusters for sort in sorts]))
    advances: tuple[float, ...] = ()
    if len(clusters) == last - first:
        if not galley.natural or any(rooms[:-1]) or moves[-1] == 0:
            advances = tuple(moves)
    elif not galley.natural or any(rooms):
        moves = list(chain.from_iterable([sort.advances for sort in sorts]))
        at = -1
        for sort, room in zip(sorts, rooms, strict=True):
            at += len(sort.glyphs)
            moves[at] += room
        advances = tuple(moves)
    y, size, paint = spot.y, spot.size, spot.paint
    if not galley.plain:
        rarity = galley.rarities[first]
        y -= rarity.rise * size * MM_PER_PT / 1000
        paint = galley.paints[first] if galley.paints else paint
        if rarity.ratio != 1:
            size *= rarity.ratio
            advances = tuple([move / rarity.ratio for move in advances])
    return TextRun(x, y, size, font.key, glyphs, clusters, advances, paint)


def set_marks(galley: GlyphRow, stretch: Stretch, spot: LineSpot, out: list[Item]) -> None:
    """Append the icon at the start of a part of a line, or the ruby above its end."""
    mark = galley.rarities[stretch.first].mark
    if isinstance(mark, Pictogram):
        left, top, _, height = mark.symbol.box
        em = spot.size * MM_PER_PT / 1000
        scale = mark.height * em / height
        x, y = stretch.x - left * scale, spot.y - (mark.height - mark.below) * em - top * scale
        out.append(PlacedSymbol(mark.symbol, (scale, 0.0, 0.0, scale, x, y), role="icon"))
    base = galley.rarities[stretch.last - 1]
    reading = base.mark
    if isinstance(reading, RubyReading):
        spot = scale_spot(spot, base)
        left = find_reading_start(reading, stretch.end, spot)
        y = spot.y - reading.height * spot.size * MM_PER_PT / 1000
        out.extend(reading.make_runs(left, y, spot.size, spot.paint))


def scale_spot(spot: LineSpot, rarity: GlyphExtras) -> LineSpot:
    """Return a line's place with the size and height of a smaller or raised part."""
    if rarity.ratio == 1 and not rarity.rise:
        return spot
    return spot._replace(y=spot.y - rarity.rise * spot.size * MM_PER_PT / 1000, size=spot.size * rarity.ratio)


def find_reading_start(reading: RubyReading, end: float, spot: LineSpot) -> float:
    """Return the start of a reading along the line, mm, given its base's `end`; inside the measure if possible."""
    em = spot.size * MM_PER_PT / 1000
    width = reading.width * em
    left = end - (reading.base + reading.width) / 2 * em + reading.shift * em
    return max(min(left, spot.right - width), spot.x if spot.x + width <= spot.right else left)


_THICK = 0.055
"""Thickness of a line, in ems of its type."""

_LINE_DEPTH, _WIDE_LINE_DEPTH = 0.13, 0.2
"""Depth of an underline's middle below the baseline of letters, and of characters that fill their square."""

_THROUGH, _THROUGH_WIDE = 0.27, 0.38
"""Height of a line through words above the baseline."""

_BESIDE = 0.56
"""Distance of a line at the right of a column from its middle."""


class _WordLine(NamedTuple):
    """An underline or strike-through (mm, size in em). `readings` is the type size of ruby beside the words, or 0."""

    start: float
    end: float
    struck: bool
    rise: float
    size: float
    paint: str
    readings: float = 0.0


def draw_word_lines(galley: GlyphRow, stretches: Iterable[Stretch], spot: LineSpot) -> Iterator[Shape]:
    """Yield the lines under and through the words of a line."""
    wide = any(text[:1] >= "\u2e80" for text in galley.texts)
    em = spot.size * MM_PER_PT
    for line in _find_word_lines(galley, stretches, spot):
        under = -(_WIDE_LINE_DEPTH if wide else _LINE_DEPTH)
        level = (_THROUGH_WIDE if wide else _THROUGH) * line.size + line.rise if line.struck else under * line.size
        middle = spot.y - level * em
        thick = _THICK * line.size * em
        top, bottom = middle - thick / 2, middle + thick / 2
        yield _draw_polygon(((line.start, top), (line.end, top), (line.end, bottom), (line.start, bottom)), line.paint)


def draw_column_lines(galley: GlyphRow, stretches: Iterable[Stretch], spot: LineSpot) -> Iterator[Shape]:
    """Yield the lines beside and through the words of a column; its middle is at x = -`spot.y`."""
    em = spot.size * MM_PER_PT
    for line in _find_word_lines(galley, stretches, spot):
        level = line.rise if line.struck else _BESIDE * line.size + line.readings
        x, half = -spot.y + level * em, _THICK * line.size * em / 2
        corners = ((x - half, line.start), (x + half, line.start), (x + half, line.end), (x - half, line.end))
        yield _draw_polygon(corners, line.paint)


def _find_word_lines(galley: GlyphRow, stretches: Iterable[Stretch], spot: LineSpot) -> Iterator[_WordLine]:
    found: list[_WordLine] = []
    scale = spot.size * MM_PER_PT / 1000
    before = {True: -1, False: -1}  # the end of the previous stretch with such a line
    for stretch in stretches:
        rarity = galley.rarities[stretch.first]
        paint = galley.paints[stretch.first] if galley.paints else spot.paint
        end = stretch.end + min(stretch.rooms[-1], 0.0) * scale  # spaces at a line's end have no width
        for struck, wanted in ((False, rarity.underlined), (True, rarity.struck)):
            if not wanted:
                continue
            mark = galley.rarities[stretch.last - 1].mark
            ruby = mark.ratio * rarity.ratio if isinstance(mark, RubyReading) else 0.0
            line = _WordLine(stretch.x, end, struck, rarity.rise / 1000 if struck else 0.0, rarity.ratio, paint, ruby)
            last = next((at for at in range(len(found) - 1, -1, -1) if found[at].struck == struck), -1)
            if last >= 0 and before[struck] == stretch.first and _is_continued(found[last], line):
                size, readings = max(found[last].size, line.size), max(found[last].readings, ruby)
                found[last] = found[last]._replace(end=line.end, size=size, readings=readings)
            else:
                found.append(line)
            before[struck] = stretch.last
    yield from found


def _is_continued(one: _WordLine, other: _WordLine) -> bool:
    """Return True if two adjacent lines form one: strike-throughs only at equal height, underlines always."""
    return one.paint == other.paint and (not one.struck or (one.rise, one.size) == (other.rise, other.size))


def _draw_polygon(corners: Iterable[tuple[float, float]], paint: str) -> Shape:
    first, *others = [f"{format_mm(x)} {format_mm(y)}" for x, y in corners]
    return Shape(f"M {first} {' '.join(f'L {corner}' for corner in others)} Z", fill=paint, role="text")
