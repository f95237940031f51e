"""Breaks strips into columns: of all ways that keep together what belongs together, the one that looks best."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from generator.pages.columns import SLACK, Column
from generator.pages.course import ColumnStart, Course, Filling
from generator.pages.strips import Strip

_GAP = 0.25
"""Of a column's height: a gap at its foot that costs `_GAP_COST`; twice the gap costs eight times as much."""

_GAP_COST = 100.0
_COLUMN_COST = 6.0
"""Of every column: no more pages than needed."""

_PARTED_BOX = 65.0
_MOVED = 25.0
"""Of a figure that waits for the next column, below text that follows it."""

_ALONE = 120.0
"""Of a figure that loses the text beside it."""

_CHAPTER_SHARE = 0.36
"""Of a column's height: a chapter below other text that fills less than this costs up to `_CHAPTER_COST`."""

_CHAPTER_COST = 150.0
_STRAY_SHARE = 0.07
"""Of a column's height: what stands at its head above a title and is no higher costs `_STRAY_COST`."""

_STRAY_COST = 30.0
_FOOT_COST = 150.0
"""Of a last page that leaves no room for what stands at its foot."""


def broken(strips: Sequence[Strip], height: float, unit: float, foot: float = 0.0) -> list[Column]:
    """The columns that the strips fill, each `height` mm; what is taller than a column stands in one alone.

    The last one leaves `foot` mm empty if it can.
    """
    course = Course(strips, height, unit)
    best = _Way(course, height, foot).best()
    columns = [Column(height, unit, [course.strips[at] for at in filling.strips]) for filling in best]
    return columns or [Column(height, unit)]


@dataclass(frozen=True, slots=True)
class _Step:
    """The cheapest way found to a place: what it costs, the last column and where that began."""

    cost: float
    filling: Filling | None
    begun: ColumnStart


class _Way:
    """Finds the cheapest way through a course."""

    def __init__(self, course: Course, height: float, foot: float):
        self._course, self._height, self._foot = course, height, foot

    def best(self) -> list[Filling]:
        """The columns of the cheapest way from the first strip to the last."""
        start, goal = ColumnStart(0), ColumnStart(self._course.end)
        steps = {start: _Step(0.0, None, start)}
        open_: list[tuple[float, int, ColumnStart]] = [(0.0, 0, start)]
        count = 0
        done: set[ColumnStart] = set()
        while open_:
            cost, _, place = heappop(open_)
            if place == goal:
                break
            if place in done:
                continue
            done.add(place)
            for filling in self._course.fillings(place):
                dear = cost + self._cost(filling)
                known = steps.get(filling.after)
                if known is None or dear < known.cost - 1e-9:
                    count += 1
                    steps[filling.after] = _Step(dear, filling, place)
                    heappush(open_, (dear, count, filling.after))
        return _traced(steps, goal)

    def _cost(self, filling: Filling) -> float:
        last = filling.after.at == self._course.end and filling.after.waiting < 0
        cost = _COLUMN_COST + self._chapter(filling)
        if 0 <= filling.title < self._height * _STRAY_SHARE:
            cost += _STRAY_COST
        if filling.moved >= 0:
            cost += _MOVED if filling.moved < self._course.end else _ALONE
        if last:
            return cost + (_FOOT_COST if filling.y + self._foot > self._height + SLACK else 0.0)
        gap = max(0.0, 1.0 - filling.y / self._height)
        return cost + _GAP_COST * (gap / _GAP) ** 3 + self._parted(filling)

    def _chapter(self, filling: Filling) -> float:
        """What it costs that the last chapter of a column has little room there."""
        if filling.chapter < 0:
            return 0.0
        share = (filling.y - filling.chapter) / self._height
        return max(0.0, 1.0 - share / _CHAPTER_SHARE) * _CHAPTER_COST

    def _parted(self, filling: Filling) -> float:
        """What it costs that the column ends in a box, or where its last strip says so."""
        if filling.after.at == self._course.end:
            return 0.0
        last, following = self._course.strips[filling.strips[-1]], self._course.strips[filling.after.at]
        if last.frame is not None and last.frame == following.frame:
            return max(_PARTED_BOX, last.price)
        return last.price


def _traced(steps: dict[ColumnStart, _Step], goal: ColumnStart) -> list[Filling]:
    """The columns on the way to the goal."""
    found: list[Filling] = []
    step = steps.get(goal)
    while step is not None and step.filling is not None:
        found.append(step.filling)
        step = steps[step.begun]
    return found[::-1]


def balanced(columns: Sequence[Column], count: int, height: float, unit: float) -> list[Column]:
    """The columns of one page anew, so many of about equal height; as they are where they find no better places."""
    strips = [put.strip for column in columns for put in column.puts if not put.again]
    tall = height / count
    while tall < height - SLACK:
        tried = broken(strips, tall, unit)
        ends = [column.puts[-1].strip for column in tried]
        if len(tried) <= count and not any(strip.keep for strip in ends):
            return tried
        tall += unit
    return list(columns)
