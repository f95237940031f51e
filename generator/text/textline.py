"""Turns one fitted line of a galley into text runs, icons and ruby at their places on the face."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate, chain, pairwise
from operator import add
from typing import NamedTuple, TypeAlias

from generator.model.drawing import Item, Placed, Symbol, TextRun
from generator.text.fonts import Font
from generator.text.galley import Galley, LineSpot, Stretch
from generator.text.ruby import RubyReading
from generator.text.typecase import Rarity
from generator.units import MM_PER_PT


class Pictogram(NamedTuple):
    """An inline icon: its symbol, its height and how far it reaches below the baseline, 1/1000 em."""

    symbol: Symbol
    height: float
    below: float


Rooms: TypeAlias = list[float] | None
"""What comes after each sort of a line, 1/1000 em; None for a line as it comes."""


def set_sorts(galley: Galley, start: int, end: int, after: int, rooms: Rooms, spot: LineSpot, out: list[Item]) -> None:
    """Appends what sorts start to end show, with `rooms` after them; the spaces up to `after` as glyphs of no width."""
    font = galley.fonts[start]
    if font is not None and galley.plain and not galley.seams:
        x, y, size, paint, _ = spot
        left = x - galley.sorts[start].left * (size * MM_PER_PT / 1000)
        if rooms is None and galley.row and after == end and (width := galley.widths[end - 1]):
            advances: tuple[float, ...] = ()
            if not galley.natural or galley.shifted(start, end):
                advances = (*galley.moves[start : end - 1], width)
            out.append(
                TextRun(left, y, size, font.key, galley.row[start:end], galley.texts[start:end], advances, paint)
            )
            return
        rooms = galley.as_it_comes(start, end) if rooms is None else rooms
        if after > end:
            rooms = rooms + [-width for width in galley.widths[end:after]]
        moves = list(map(add, galley.widths[start:after], rooms))
        out.append(run_along(galley, Stretch(start, after, left, left, rooms, moves), font, spot))
        return
    for stretch in stretches(galley, start, end, after, rooms, spot):
        font = galley.fonts[stretch.first]
        if font is not None:
            out.append(run_along(galley, stretch, font, spot))
        if not galley.plain:
            set_marks(galley, stretch, spot, out)
    if galley.ruled:
        from generator.text.marks.ruling import ruled  # few texts have lines

        out.extend(ruled(galley, stretches(galley, start, end, after, rooms, spot), spot))


def stretches(galley: Galley, start: int, end: int, after: int, rooms: Rooms, spot: LineSpot) -> Iterator[Stretch]:
    """A line in stretches of one font, style and stance each."""
    if rooms is None:
        rooms = galley.as_it_comes(start, end)
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


def run_along(galley: Galley, stretch: Stretch, font: Font, spot: LineSpot) -> TextRun:
    """The run of a stretch on its line."""
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


def set_marks(galley: Galley, stretch: Stretch, spot: LineSpot, out: list[Item]) -> None:
    """Appends the icon that starts a stretch, or the reading above the base that ends with it."""
    mark = galley.rarities[stretch.first].mark
    if isinstance(mark, Pictogram):
        out.append(_icon(mark, stretch.x, spot))
    base = galley.rarities[stretch.last - 1]
    reading = base.mark
    if isinstance(reading, RubyReading):
        spot = of_its_size(spot, base)
        left = reading_starts(reading, stretch.end, spot)
        out.extend(reading.runs(left, spot.y - reading.height * spot.size * MM_PER_PT / 1000, spot.size, spot.paint))


def of_its_size(spot: LineSpot, rarity: Rarity) -> LineSpot:
    """Where a line would stand that is all of the size and rise of a part of it."""
    if rarity.ratio == 1 and not rarity.rise:
        return spot
    return spot._replace(y=spot.y - rarity.rise * spot.size * MM_PER_PT / 1000, size=spot.size * rarity.ratio)


def reading_starts(reading: RubyReading, end: float, spot: LineSpot) -> float:
    """Where along the line a reading begins whose base ends at `end`, mm: it stays inside the measure if it can."""
    em = spot.size * MM_PER_PT / 1000
    width = reading.width * em
    left = end - (reading.base + reading.width) / 2 * em + reading.shift * em
    return max(min(left, spot.right - width), spot.x if spot.x + width <= spot.right else left)


def _icon(mark: Pictogram, x: float, spot: LineSpot) -> Placed:
    left, top, _, height = mark.symbol.box
    em = spot.size * MM_PER_PT / 1000
    scale = mark.height * em / height
    y = spot.y - (mark.height - mark.below) * em
    return Placed(mark.symbol, (scale, 0.0, 0.0, scale, x - left * scale, y - top * scale), role="icon")
