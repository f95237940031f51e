"""Breaks strips into columns: lines in order, nothing parted that belongs together, no gap that text could fill."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from math import inf

from generator.rulebook.strips import Frame, Strip, on_grid

CHAPTER_SHARE, BEGUN_SHARE = 0.62, 0.75
"""A chapter begins a new column where more than these shares of the last one are full; up to the second one it stays
where what follows its lead finds room too."""

BOX_SHARE = 0.23
"""How much of a column's foot may stay empty so that a box is not parted: a fifth of it and the gap before the box."""

BESIDE_SHARE = 1 / 3
"""How much of a column's foot may stay empty so that a figure beside text moves on with that text."""

_FEW = 8
"""A chapter's lead has at most so many lines; what is longer may fill a column without what follows it."""

GAP_SHARE = 0.12
"""How much of a column's foot may stay empty before text goes before a figure."""

_SLACK = 1e-4


@dataclass(frozen=True, slots=True)
class Put:
    """A strip at its height in a column, mm from its top; `again`: it is repeated from another column."""

    strip: Strip
    y: float
    again: bool = False


class Column:
    """A column under way, so many mm high, on a grid of `unit` mm."""

    def __init__(self, height: float, unit: float):
        self.puts: list[Put] = []
        self._height, self._unit = height, unit
        self._y = 0.0
        self._frame: Frame | None = None

    @property
    def used(self) -> float:
        """How much of it is full, 0 to 1."""
        return self._y / self._height

    def fits(self, strips: Sequence[Strip]) -> bool:
        """Whether the strips find room below what it holds."""
        bottom, frame = self._y, self._frame
        first = not self.puts
        if first and strips and strips[0].again:
            strips = (*strips[0].again, *strips)
        for strip in strips:
            bottom, frame = self._top(strip, bottom, frame, first) + strip.height, strip.frame
            first = False
        return bottom + (frame.pad if frame else 0.0) <= self._height + _SLACK

    def put(self, strips: Sequence[Strip]) -> None:
        """Puts strips below what it holds, at its top with what is repeated there."""
        if not self.puts and strips[0].again:
            for strip in strips[0].again:
                self._put(strip, again=True)
        for strip in strips:
            self._put(strip)

    def _put(self, strip: Strip, again: bool = False) -> None:
        top = self._top(strip, self._y, self._frame, not self.puts)
        self.puts.append(Put(strip, top, again))
        self._y, self._frame = top + strip.height, strip.frame

    def _top(self, strip: Strip, y: float, frame: Frame | None, first: bool) -> float:
        if frame is not None and frame is not strip.frame:
            y += frame.pad
        if not first:
            y += strip.above
        if strip.frame is not None and frame is not strip.frame:
            y = (on_grid(y, self._unit) if strip.snap else y) + strip.frame.pad
        return on_grid(y, self._unit) if strip.snap else y


def broken(strips: Sequence[Strip], height: float, unit: float) -> list[Column]:
    """The columns that the strips fill, each `height` mm; what is taller than a column stands in one alone."""
    queue, waiting = deque(strips), deque[Strip]()
    columns = [Column(height, unit)]
    while queue or waiting:
        column = columns[-1]
        if waiting and not column.puts:
            _set_waiting(waiting, column)
            continue
        group = _group(queue, height, unit)
        if group and column.puts and _wants_new(queue, group, column, Column(height, unit)):
            columns.append(Column(height, unit))
        elif group and (not waiting or group[0].flows) and (column.fits(group) or not column.puts):
            column.put(group)
            _drop(queue, len(group))
        elif waiting or not _reordered(queue, group, column, waiting):
            columns.append(Column(height, unit))
    return columns


def _set_waiting(waiting: deque[Strip], column: Column) -> None:
    while waiting and (not column.puts or column.fits([waiting[0]])):
        column.put([waiting.popleft()])


def _wants_new(queue: Sequence[Strip], group: Sequence[Strip], column: Column, empty: Column) -> bool:
    """Whether the first strips of the queue begin a new column for the look of it, `empty`, though they might fit."""
    if group[0].opens:
        begun = column.used <= BEGUN_SHARE and column.fits(_beginning(queue, group))
        return column.used > CHAPTER_SHARE and not begun
    whole = _whole_box(queue, group, column)
    return column.used >= 1 - BOX_SHARE and not column.fits(whole) and empty.fits(whole)


def _beginning(queue: Sequence[Strip], group: Sequence[Strip]) -> Sequence[Strip]:
    """What of a chapter stands below its title at least: its lead, and the beginning of what follows that."""
    few = list(islice(queue, len(group) + _FEW))
    end = next((at for at, strip in enumerate(few) if at >= len(group) and not strip.flows), 0)
    return [*few[:end], *_kept(islice(queue, end, None))] if end else group


def _whole_box(queue: Sequence[Strip], group: Sequence[Strip], column: Column) -> Sequence[Strip]:
    """The group with all of a box that begins in it; alone where none begins."""
    at = next((at for at, strip in enumerate(group) if strip.frame is not None), -1)
    if at < 0:
        return group
    frame = group[at].frame
    if at == 0 and column.puts[-1].strip.frame == frame:
        return group
    rest = takewhile(lambda strip: strip.frame == frame, islice(queue, at, None))
    whole = [*group[:at], *rest]
    return whole if len(whole) > len(group) else group


def _group(queue: deque[Strip], height: float, unit: float) -> list[Strip]:
    """The strips from the first on that stay together, as far as one column holds them."""
    group = _kept(queue)
    while len(group) > 1 and not Column(height, unit).fits(group):
        group.pop()
    return group


def _kept(strips: Iterable[Strip]) -> list[Strip]:
    """The strips from the first on that stay together."""
    group: list[Strip] = []
    for strip in strips:
        group.append(strip)
        if not strip.keep:
            break
    return group


def _reordered(queue: deque[Strip], group: list[Strip], column: Column, waiting: deque[Strip]) -> bool:
    """Lets text go before a figure that doesn't fit, with the titles above it; whether there is such text.

    A figure beside text moves on with it, unless that would leave too much empty: then it stands in the text instead.
    """
    at = next((at for at, strip in enumerate(group) if strip.floats or strip.instead), -1)
    if column.used > 1 - GAP_SHARE or at < 0 or any(strip.heading is None for strip in group[:at]):
        return False
    if group[at].instead and column.used >= 1 - BESIDE_SHARE:
        return False
    strips, moved = list(queue), group[at]
    figure, *text = moved.instead or (moved,)
    behind = [*text, *strips[at + moved.covers :]]
    following = _group(deque(behind), inf, 1.0)
    if not following or not following[0].flows or not column.fits([*group[:at], *following]):
        return False
    waiting.append(figure)
    column.put([*group[:at], *following])
    queue.clear()
    queue.extend(behind[len(following) :])
    return True


def _drop(queue: deque[Strip], count: int) -> None:
    for _ in range(count):
        queue.popleft()


def balanced(columns: Sequence[Column], count: int, height: float, unit: float) -> list[Column]:
    """The columns of one page anew, so many of about equal height; as they are where they find no better places."""
    strips = [put.strip for column in columns for put in column.puts if not put.again]
    tall = height / count
    while tall < height - _SLACK:
        tried = broken(strips, tall, unit)
        ends = [column.puts[-1].strip for column in tried]
        if len(tried) <= count and not any(strip.keep for strip in ends):
            return tried
        tall += unit
    return list(columns)
