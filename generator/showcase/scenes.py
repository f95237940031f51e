"""Scenes of a game's things: a fan, a hand, all on the table, the box. Each is fitted into a frame of a picture."""

from collections.abc import Iterator, Sequence
from math import cos, log, radians, sin
from typing import NamedTuple

from generator.model.drawing import Item
from generator.model.geometry import Matrix, Point, times
from generator.model.outline import around
from generator.showcase.box import BoxShown
from generator.showcase.things import Exhibit, in_frame, lying, placed
from generator.units import Rect


class LaidOut(NamedTuple):
    """A thing and where it lies in its scene."""

    thing: Exhibit
    at: Matrix


_SEEN = 0.52
"""How much of a fanned card's width the next one leaves in sight."""

_REACHES = (1.05, 1.3, 1.6, 2.0, 2.6, 3.4, 4.6, 6.5)
"""How far below its cards' middle a fan is held, in card heights: the nearer, the rounder."""

_TURNS = (-2.4, 1.6, -0.9, 2.3, -1.5, 0.8, -2.0, 1.2)
"""Degrees by which things lie askew on a table: nobody puts them down exactly."""


def fan(things: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Cards fanned out, as round as the frame is high."""
    wanted = frame.width / frame.height
    best = min((_fanned(things, reach) for reach in _REACHES), key=lambda laid: abs(_shape(laid) - wanted))
    yield _fitted(best, frame.grown(-0.06 * min(frame.width, frame.height)))


def hand(things: Sequence[Exhibit], behind: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Cards held in a hand at the lower edge, further ones on the table behind it."""
    lane = Rect(frame.x, frame.y + 0.06 * frame.height, frame.width, 0.4 * frame.height)
    if behind:
        row = _row(behind, 0.0, 16.0)
        yield _fitted(row, lane.grown(-0.02 * lane.height))
    held = _fanned(things, 1.35, 0.45)
    box = _bounds(held)
    scale = min(0.8 * frame.width / box.width, 0.95 * frame.height / box.height)
    x = frame.x + frame.width / 2 - (box.x + box.width / 2) * scale
    y = frame.y + 0.4 * frame.height - box.y * scale
    yield in_frame(tuple(_items(held)), scale, x, y)


def table(things: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Everything in rows, askew and beyond the frame's edges; a few things lie within it instead."""
    if len(things) < _FEW:
        yield _fitted(_row(things, 0.0, 14.0), frame.grown(-0.1 * min(frame.width, frame.height)))
        return
    laid = _rows(things, frame.width / frame.height)
    box = _bounds(laid)
    scale = 1.1 * max(frame.width / box.width, frame.height / box.height)
    turned = placed(frame.x + frame.width / 2, frame.y + frame.height / 2, -6.0, scale)
    middle = placed(-box.x - box.width / 2, -box.y - box.height / 2)
    for thing, at in laid:
        yield from lying(thing, times(times(turned, middle), at))


def boxed(box: BoxShown, things: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """The box, upright, a fan of its cards behind it."""
    cards = _fanned(things, 0.95, 0.34) if things else []
    if cards:
        fanned = _bounds(cards)
        scale = box.height / things[0].box.height
        x, y = 0.42 * box.width - (fanned.x + fanned.width / 2) * scale, -0.52 * box.height - fanned.y * scale
        to = placed(x, y, 0.0, scale)
        cards = [LaidOut(thing, times(to, at)) for thing, at in cards]
    items = (*_items(cards), *box.items())
    whole = around([*(point for laid in cards for point in laid.thing.corners(laid.at)), *box.corners()])
    if whole is not None:
        yield _into(items, whole, frame.grown(-0.1 * min(frame.width, frame.height)))


_FEW = 6
_GAP = 9.0
_HIGHER = 1.3

_SMALL = 63.0
"""mm: as wide as a card is a column of tokens."""


def _fanned(things: Sequence[Exhibit], reach: float, seen: float = _SEEN) -> list[LaidOut]:
    """Cards turned around a point below them, each over the one to its left."""
    first = things[0].box
    radius = reach * first.height
    step = 57.3 * seen * first.width / (radius + first.height / 2)
    laid = []
    for n, thing in enumerate(things):
        turn = (n - (len(things) - 1) / 2) * step
        x, y = radius * sin(radians(turn)), -radius * cos(radians(turn))
        laid.append(LaidOut(thing, times(placed(x, y, turn), placed(-thing.box.width / 2, -thing.box.height / 2))))
    return laid


def _row(things: Sequence[Exhibit], y: float, gap: float) -> list[LaidOut]:
    """Things side by side, their middles on a line, a little askew."""
    laid, x = [], 0.0
    for n, thing in enumerate(things):
        turn = _TURNS[n % len(_TURNS)]
        centre = placed(x + thing.box.width / 2, y, turn)
        laid.append(LaidOut(thing, times(centre, placed(-thing.box.width / 2, -thing.box.height / 2))))
        x += thing.box.width + gap
    return laid


class _Column(NamedTuple):
    """Things in lines above each other: each line's things lie side by side."""

    lines: list[list[Exhibit]]
    width: float

    @property
    def height(self) -> float:
        return sum(_height(line) + _GAP for line in self.lines) - _GAP


def _rows(things: Sequence[Exhibit], wanted: float) -> list[LaidOut]:
    """Rows of columns, a little higher than the highest thing, so many that they have about the wanted shape."""
    columns = list(_columns(things, _HIGHER * max(thing.box.height for thing in things)))
    high = max(column.height for column in columns)
    whole = sum(column.width + _GAP for column in columns)
    ways = [_broken(columns, whole / number + 1) for number in range(1, len(columns) + 1)]
    return min(((_in_rows(rows, high), rows) for rows in ways), key=lambda way: _unlike(way[0], way[1], wanted))[0]


def _unlike(laid: Sequence[LaidOut], rows: Sequence[Sequence[_Column]], wanted: float) -> float:
    """How far rows are from the wanted shape, and from being filled alike: an empty one leaves a hole."""
    filled = min(map(_across, rows)) / max(map(_across, rows))
    return abs(log(_shape(laid) / wanted)) + (1 - filled)


def _columns(things: Sequence[Exhibit], high: float) -> Iterator[_Column]:
    """As many things above each other as are no higher than the highest; small ones side by side too."""
    lines: list[list[Exhibit]] = []
    width = 0.0
    for thing in things:
        if lines and _width([*lines[-1], thing]) <= width and _height(lines[-1]) < _SMALL >= thing.box.height:
            lines[-1].append(thing)
        elif lines and (
            _Column([*lines, [thing]], 0).height > high or not 0.7 * width < max(thing.box.width, _SMALL) < 1.4 * width
        ):
            yield _Column(lines, width)
            lines, width = [[thing]], max(thing.box.width, _SMALL)
        else:
            lines.append([thing])
            width = max(width, thing.box.width, _SMALL)
    if lines:
        yield _Column(lines, width)


def _width(line: Sequence[Exhibit]) -> float:
    return sum(thing.box.width + _GAP for thing in line) - _GAP


def _height(line: Sequence[Exhibit]) -> float:
    return max(thing.box.height for thing in line)


def _broken(columns: Sequence[_Column], width: float) -> list[list[_Column]]:
    """Columns in rows of about that width."""
    rows: list[list[_Column]] = [[]]
    used = 0.0
    for column in columns:
        if rows[-1] and used + column.width / 2 > width:
            rows.append([])
            used = 0.0
        rows[-1].append(column)
        used += column.width + _GAP
    return rows


def _across(row: Sequence[_Column]) -> float:
    return sum(column.width + _GAP for column in row)


def _in_rows(rows: Sequence[Sequence[_Column]], high: float) -> list[LaidOut]:
    widest = max(map(_across, rows))
    return [one for n, row in enumerate(rows) for one in _in_row(row, n, n * (high + _GAP), widest, high)]


def _in_row(row: Sequence[_Column], number: int, top: float, widest: float, high: float) -> Iterator[LaidOut]:
    spare = (widest - _across(row)) / len(row)
    x, k = spare / 2, number
    for column in row:
        y = top + (high - column.height) / 2
        for line in column.lines:
            left = x + (column.width - _width(line)) / 2
            for thing in line:
                turn = placed(left + thing.box.width / 2, y + _height(line) / 2, _TURNS[k % len(_TURNS)])
                yield LaidOut(thing, times(turn, placed(-thing.box.width / 2, -thing.box.height / 2)))
                left += thing.box.width + _GAP
                k += 1
            y += _height(line) + _GAP
        x += column.width + _GAP + spare


def _shape(laid: Sequence[LaidOut]) -> float:
    """How much wider than high things are together."""
    box = _bounds(laid)
    return box.width / box.height


def _bounds(laid: Sequence[LaidOut]) -> Rect:
    points: list[Point] = [point for one in laid for point in one.thing.corners(one.at)]
    return around(points) or Rect(0, 0, 1, 1)


def _items(laid: Sequence[LaidOut]) -> Iterator[Item]:
    for thing, at in laid:
        yield from lying(thing, at)


def _fitted(laid: Sequence[LaidOut], frame: Rect) -> Item:
    return _into(tuple(_items(laid)), _bounds(laid), frame)


def _into(items: tuple[Item, ...], box: Rect, frame: Rect) -> Item:
    """Items that cover a box, as large as a frame allows, in its middle."""
    scale = min(frame.width / box.width, frame.height / box.height)
    x = frame.x + frame.width / 2 - (box.x + box.width / 2) * scale
    y = frame.y + frame.height / 2 - (box.y + box.height / 2) * scale
    return in_frame(items, scale, x, y)
