"""Turns one fitted line of a galley into text runs, icons and ruby at their places on the face."""

from bisect import bisect_left, bisect_right
from itertools import accumulate, chain, pairwise
from operator import add
from typing import NamedTuple

from generator.draw.fonts import Font
from generator.draw.galley import Galley
from generator.draw.ruby import Reading
from generator.model.drawing import Item, Paint, Placed, Symbol, TextRun
from generator.units import MM_PER_PT


class Pictogram(NamedTuple):
    """An inline icon: its symbol, its height and how far it reaches below the baseline, 1/1000 em."""

    symbol: Symbol
    height: float
    below: float


class Spot(NamedTuple):
    """Where a line stands: its start and baseline in mm, its size in pt, its colour, the right edge of its measure."""

    x: float
    y: float
    size: float
    paint: Paint
    right: float


def set_sorts(
    galley: Galley, start: int, end: int, after: int, rooms: list[float], spot: Spot, out: list[Item]
) -> None:
    """Appends what sorts start to end show, with `rooms` after them; the spaces up to `after` as glyphs of no width."""
    if after > end:
        rooms = rooms + [-width for width in galley.widths[end:after]]
    moves = list(map(add, galley.widths[start:after], rooms))
    pens = list(accumulate(moves, initial=0.0))
    scale = spot.size * MM_PER_PT / 1000
    left = spot.x - galley.lefts[start] * scale
    seams = galley.seams
    edges = [start, *seams[bisect_right(seams, start) : bisect_left(seams, after)], after]
    for first, last in pairwise(edges):
        begin, stop = first - start, last - start
        font = galley.fonts[first]
        x = left + pens[begin] * scale
        if font is not None:
            out.append(_run(galley, first, last, font, rooms[begin:stop], moves[begin:stop], x, spot))
        if not galley.plain:
            _marks(galley, first, last, x, left + (pens[stop] - rooms[stop - 1]) * scale, spot, out)


def _run(
    galley: Galley, first: int, last: int, font: Font, rooms: list[float], moves: list[float], x: float, spot: Spot
) -> TextRun:
    clusters = tuple(chain.from_iterable(galley.clusters[first:last]))
    advances: tuple[float, ...] = ()
    if len(clusters) == last - first:
        if not galley.natural or any(rooms[:-1]) or moves[-1] == 0:
            advances = tuple(moves)
    elif not galley.natural or any(rooms):
        moves = list(chain.from_iterable(galley.advances[first:last]))
        at = -1
        for row, room in zip(galley.glyphs[first:last], rooms, strict=True):
            at += len(row)
            moves[at] += room
        advances = tuple(moves)
    y, paint = spot.y, spot.paint
    if not galley.plain:
        y -= galley.rises[first] * spot.size * MM_PER_PT / 1000
        paint = galley.paints[first] if galley.paints else paint
    return TextRun(
        x, y, spot.size, font.key, tuple(chain.from_iterable(galley.glyphs[first:last])), clusters, advances, paint
    )


def _marks(galley: Galley, first: int, last: int, x: float, end: float, spot: Spot, out: list[Item]) -> None:
    """The icon that starts a stretch at x, or the reading above the base that ends with it at `end`, mm."""
    mark = galley.marks[first]
    if isinstance(mark, Pictogram):
        out.append(_icon(mark, x, spot))
    reading = galley.marks[last - 1]
    if isinstance(reading, Reading):
        em = spot.size * MM_PER_PT / 1000
        width = reading.width * em
        left = end - (reading.base + reading.width) / 2 * em + reading.shift * em
        left = max(min(left, spot.right - width), spot.x if spot.x + width <= spot.right else left)
        out.extend(reading.runs(left, spot.y - reading.height * em, spot.size, spot.paint))


def _icon(mark: Pictogram, x: float, spot: Spot) -> Placed:
    left, top, _, height = mark.symbol.box
    em = spot.size * MM_PER_PT / 1000
    scale = mark.height * em / height
    y = spot.y - (mark.height - mark.below) * em
    return Placed(mark.symbol, (scale, 0.0, 0.0, scale, x - left * scale, y - top * scale), role="icon")
