"""Turns one fitted line of a galley into text runs, icons and ruby at their places on the face."""

from itertools import chain
from operator import add
from typing import NamedTuple

from generator.draw.fonts import Font
from generator.draw.galley import Galley
from generator.draw.justify import Fitted
from generator.draw.ruby import Reading
from generator.model.drawing import Item, Paint, Placed, Symbol, TextRun
from generator.units import MM_PER_PT


class Pictogram(NamedTuple):
    """An inline icon: its symbol, its height and how far it reaches below the baseline, 1/1000 em."""

    symbol: Symbol
    height: float
    below: float


class Spot(NamedTuple):
    """Where a line stands: left end of its ink line and baseline in mm, type size in pt, colour, and its measure's right edge."""

    x: float
    y: float
    size: float
    paint: Paint
    right: float


def set_sorts(galley: Galley, start: int, end: int, after: int, fitted: Fitted, spot: Spot, out: list[Item]) -> None:
    """Appends what sorts start to end show, with the spaces up to `after` as glyphs of no width."""
    count = end - start
    room = [fitted.even] * (count - 1) + [0.0]
    for place, width in zip(fitted.places, fitted.widths, strict=True):
        room[place - 1 - start] = width
    if after > end:
        room += [-width for width in galley.widths[end:after]]
    scale = spot.size * MM_PER_PT / 1000
    x = spot.x - galley.lefts[start] * scale
    for first, last in _stretches(galley, start, after):
        widths, rooms = galley.widths[first:last], room[first - start : last - start]
        font = galley.fonts[first]
        mark = galley.marks[first]
        if font is not None:
            out.append(_run(galley, first, last, font, rooms, x, spot))
        if isinstance(mark, Pictogram):
            out.append(_icon(mark, x, spot))
        x += (sum(widths) + sum(rooms)) * scale
        _ruby_above(galley, first, last, x - rooms[-1] * scale, spot, out)


def _stretches(galley: Galley, start: int, stop: int) -> list[tuple[int, int]]:
    """Stretches of sorts that make one run each: same font, colour and level, no icon or end of ruby in between."""
    fonts, edges = galley.fonts, [start]
    if galley.plain:
        edges += [index for index in range(start + 1, stop) if fonts[index] is not fonts[index - 1]]
    else:
        paints, rises, marks = galley.paints, galley.rises, galley.marks
        edges += [
            index
            for index in range(start + 1, stop)
            if fonts[index] is not fonts[index - 1]
            or rises[index] != rises[index - 1]
            or marks[index] is not None
            or marks[index - 1] is not None
            or (paints is not None and paints[index] != paints[index - 1])
        ]
    return list(zip(edges, [*edges[1:], stop], strict=True))


def _run(galley: Galley, first: int, last: int, font: Font, rooms: list[float], x: float, spot: Spot) -> TextRun:
    rows = galley.glyphs[first:last]
    glyphs = tuple(chain.from_iterable(rows))
    clusters = tuple(chain.from_iterable(galley.clusters[first:last]))
    advances: tuple[float, ...] = ()
    rooms = rooms if rooms[-1] == -galley.widths[last - 1] else [*rooms[:-1], 0.0]
    if any(rooms) or not all(galley.naturals[first:last]):
        if len(glyphs) == last - first:
            advances = tuple(map(add, galley.widths[first:last], rooms))
        else:
            moves: list[float] = []
            for row, room in zip(galley.advances[first:last], rooms, strict=True):
                moves += row
                moves[-1] += room
            advances = tuple(moves)
    paint = galley.paints[first] if galley.paints else spot.paint
    y = spot.y - galley.rises[first] * spot.size * MM_PER_PT / 1000
    return TextRun(x, y, spot.size, font.key, glyphs, clusters, advances, paint)


def _icon(mark: Pictogram, x: float, spot: Spot) -> Placed:
    left, top, _, height = mark.symbol.box
    em = spot.size * MM_PER_PT / 1000
    scale = mark.height * em / height
    y = spot.y - (mark.height - mark.below) * em
    return Placed(mark.symbol, (scale, 0.0, 0.0, scale, x - left * scale, y - top * scale), role="icon")


def _ruby_above(galley: Galley, first: int, last: int, x: float, spot: Spot, out: list[Item]) -> None:
    """If the stretch is the last of a base with a reading, the reading above it; x is the base's right end."""
    reading = galley.marks[last - 1]
    if not isinstance(reading, Reading):
        return
    em = spot.size * MM_PER_PT / 1000
    del first
    width = reading.width * em
    left = x - (reading.base + reading.width) / 2 * em + reading.shift * em
    left = max(min(left, spot.right - width), spot.x if spot.x + width <= spot.right else left)
    out.extend(reading.runs(left, spot.y - reading.height * em, spot.size, spot.paint))
