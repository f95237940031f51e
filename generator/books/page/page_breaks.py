"""Page breaks: finds where columns and pages end, with the lowest total cost, or one column after the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import ceil
from typing import NamedTuple

from generator.books.page.columns import ColumnStart, Filling, StripGraph
from generator.books.page.strips import SLACK, Column, Strip, justify_column, measure_level, snap_to_grid

_FOOT = 0.10
"""A column with a gap of this share of its height costs `_FOOT_COST`. The cost grows with the square of the gap."""

_EVEN = 0.75
"""Share of `_FOOT`: above it a gap on the last page costs only linearly, so that it takes what others leave."""

_FOOT_COST = 40.0
_COLUMN_COST = 6.0
"""Cost of every column, to avoid extra pages."""

_EASE_COST = 12.0
"""Cost of a column whose spaces and figures are squeezed or stretched as far as allowed."""

_PARTED_BOX = 250.0
_MOVED = 25.0
"""Cost of a figure that is moved to the next column, below text that follows it."""

_ALONE = 150.0
"""Cost of a figure that was to be beside its text, but is moved to the next column."""

_CHAPTER_SHARE = 0.3
"""A chapter title needs more than this share of the column below it; less costs up to `_CHAPTER_COST`."""

_CHAPTER_COST = 60.0
_STRAY_SHARE = 0.07
"""A remainder of a section at a column's head, above a title, costs `_STRAY_COST` below this share of the height."""

_STRAY_COST = 60.0
_IMPRINT_COST = 150.0
"""Cost of a last page without room for the imprint."""

_BLANK_COST = 300.0
"""Cost of each blank page in a booklet."""

_TURNED = 1.5
"""Factor for the cost of a split where the reader must turn the page."""

_PARTED_SPREAD = 2500.0
"""Cost of a page turn in the middle of a spread."""

_LATE, _EARLY = 60.0, 150.0
"""Costs of a strip across all columns, for each page that it is behind or ahead of its place in the text."""

_BELOW_HEAD = 2
"""Grid lines between a strip across all columns and the columns below it."""

_FEW_LEFT, _FEW_LEFT_COST = 8, 60.0
"""Narrow columns continued on the next page need 8 strips each; fewer cost up to the second number."""

_HEAD_SHARE = 0.85
"""Maximum share of a page's height for strips across all columns, with the space below them."""

_FOUR = 4
_PERIOD = 4
"""After this number of pages, left and right pages and blank pages repeat."""

_RAGGED = 0.035
"""Share of a page's height that it may leave empty at its foot, so that its spaces stay alike; columns end together."""

_LAST_GAP = 0.12
"""The last page is stretched to fill its height if its gap is at most this share of it."""


@dataclass(frozen=True, slots=True)
class PageColumns:
    """How columns are spread over pages: columns per page, and the numbers of pages before and after them.

    `fours`: the total number of pages is preferably a multiple of four. The last column leaves `foot` mm empty.
    `headed`: the first strip across all columns must be at the head of the first page.
    """

    columns: int = 1
    before: int = 1
    behind: int = 0
    fours: bool = False
    foot: float = 0.0
    headed: bool = False

    def is_page_turned(self, column: int) -> bool:
        """Return True if the reader must turn the page after column number `column` (from 0)."""
        page, place = divmod(column, self.columns)
        return place == self.columns - 1 and (self.before + page + 1) % 2 == 1

    def count_blank(self, columns: int) -> int:
        """Return the number of blank pages in a booklet with N columns."""
        pages = self.before + -(-columns // self.columns) + self.behind
        return -pages % _FOUR if self.fours else 0

    def find_page_start(self, column: int) -> int:
        """Return the first column of a page at or after this one."""
        return -(-column // self.columns) * self.columns


def break_columns(
    strips: Sequence[Strip], height: float, unit: float, pages: PageColumns | None = None
) -> list[Column]:
    """Return columns of `height` mm, on a grid of `unit` mm, with the strips. If a page ends early, some are empty."""
    pages = pages or PageColumns()
    course = StripGraph(strips, height, unit)
    way = _BreakFinder(course, height, pages)
    columns: list[Column] = []
    for begun, place, filling in way.find_best():
        columns += [Column(unit) for _ in range(place.columns - len(columns))]
        shown = [course.strips[strip] for strip in filling.strips]
        most, full = way.find_max_height(filling, place), way.is_filled(filling, place)
        column = justify_column(shown, most, unit, full=full, foot=_RAGGED * height if pages.columns == 1 else 0.0)
        column.top, column.wides = place.top, tuple(course.wides[begun.shown : place.shown])
        columns.append(column)
    return columns or [Column(unit)]


@dataclass(frozen=True, slots=True)
class _Place:
    """A state of the search for page breaks: the number of filled columns, and where the next one starts.

    `shown` counts the strips across all columns placed so far; those on the current page take `top` mm at its head.
    States with the same `phase` cost the same from here on, however many columns are filled.
    """

    columns: int = field(compare=False)
    phase: int
    start: ColumnStart
    shown: int = 0
    top: float = 0.0


class _Step(NamedTuple):
    """The cheapest known way to a state: its total cost, its last column, and the state before that column (`begun`).

    `opened` is that state after strips across all columns were placed at the head of the page.
    """

    cost: float
    filling: Filling | None
    begun: _Place
    opened: _Place


class _BreakFinder:
    """Finds the cheapest way to fill all columns, by dynamic programming over their starts."""

    def __init__(self, course: StripGraph, height: float, pages: PageColumns):
        self._course, self._height, self._pages = course, height, pages
        self._wides = course.wides if pages.columns > 1 else []
        self._costs: dict[tuple[ColumnStart, float, bool], list[float]] = {}

    def find_best(self) -> list[tuple[_Place, _Place, Filling]]:
        """Return the columns with the lowest total cost, from the first strip to the last.

        Each is a state before it, that state with strips across the page placed above, and its filling.
        """
        start = _Place(0, -1, ColumnStart(0))
        goal = _Place(-1, -1, ColumnStart(self._course.end))
        steps = {start: _Step(0.0, None, start, start)}
        open_: list[tuple[float, int, _Place]] = [(0.0, 0, start)]
        count = 0
        done: set[_Place] = set()
        while open_:
            cost, _, begun = heappop(open_)
            if begun == goal:
                break
            if begun in done:
                continue
            done.add(begun)
            columns = (
                (place, filling, own)
                for place in self._iter_opened(begun)
                for filling, own in self._list_priced_fillings(place)
            )
            for place, filling, own in columns:
                after, dear = self._make_next_place(place, filling), cost + own
                if self._is_last(filling, place):
                    more = self._pages.columns if self._is_full(filling, place) and not self._pages.behind else 0
                    dear += _BLANK_COST * self._pages.count_blank(place.columns + 1 + more)
                    after = goal
                known = steps.get(after)
                if known is None or dear < known.cost - 1e-9:
                    count += 1
                    steps[after] = _Step(dear, filling, begun, place)
                    heappush(open_, (dear, count, after))
        found: list[tuple[_Place, _Place, Filling]] = []
        step = steps.get(goal)
        while step is not None and step.filling is not None:
            found.append((step.begun, step.opened, step.filling))
            step = steps[step.begun] if step.begun.columns else None
        return found[::-1]

    def _list_priced_fillings(self, place: _Place) -> Iterable[tuple[Filling, float]]:
        """Return the ways to fill the next column, with their costs. Without wide strips they hold for all pages."""
        fillings = self._course.list_fillings(place.start, self._height - place.top)
        key = (place.start, place.top, self._pages.is_page_turned(place.columns))
        costs = self._costs.get(key)
        if costs is None or self._wides:
            costs = self._costs[key] = [self._measure_cost(filling, place) for filling in fillings]
        return zip(fillings, costs, strict=True)

    def _iter_opened(self, begun: _Place) -> Iterator[_Place]:
        """Yield the state, also with one or more strips across all columns at the head of a new page."""
        within = begun.columns % self._pages.columns
        untitled = self._pages.headed and not begun.columns
        if within or (not untitled and (begun.start.at < self._course.end or begun.start.waiting >= 0)):
            yield begun
        if within:
            return
        unit = self._course.unit
        for shown in range(begun.shown + 1, len(self._wides) + 1):
            top = snap_to_grid(measure_level(self._wides[begun.shown : shown], unit).y + _BELOW_HEAD * unit, 2 * unit)
            if top > self._height * _HEAD_SHARE and shown > begun.shown + 1:
                return
            yield _Place(begun.columns, begun.phase, begun.start, shown, min(top, self._height - unit))

    def is_filled(self, filling: Filling, place: _Place) -> bool:
        """Return True if a column is stretched to its full height: all are, except a last column with a large gap."""
        if filling.after.at == self._course.end or self._ends_book(filling):
            return self.find_max_height(filling, place) - filling.most < self._height * _LAST_GAP
        return True

    def _is_last(self, filling: Filling, place: _Place) -> bool:
        after = filling.after
        return after.at == self._course.end and after.waiting < 0 and place.shown == len(self._wides)

    def _ends_book(self, filling: Filling) -> bool:
        return bool(filling.strips) and self._course.strips[filling.strips[-1]].ends

    def _is_full(self, filling: Filling, place: _Place) -> bool:
        """Return True if the last column leaves no space for the imprint, even when set as tightly as possible."""
        return filling.least + self._pages.foot > self._height - place.top + SLACK

    def _make_next_place(self, place: _Place, filling: Filling) -> _Place:
        columns = place.columns + 1
        finished = filling.after.at == self._course.end and filling.after.waiting < 0
        if finished or self._ends_book(filling):
            columns = self._pages.find_page_start(columns)
        top = place.top if columns % self._pages.columns else 0.0
        return _Place(columns, columns % (_PERIOD * self._pages.columns), filling.after, place.shown, top)

    def _measure_cost(self, filling: Filling, place: _Place) -> float:
        last = self._is_last(filling, place)
        cost = _COLUMN_COST
        if filling.chapter >= 0:  # a last chapter with little room in its column
            share = (filling.y - filling.chapter) / self._height
            cost += max(0.0, 1.0 - share / _CHAPTER_SHARE) * _CHAPTER_COST
        if self._wides and (last or (place.columns + 1) % self._pages.columns == 0):
            # at the end of a page, strips across all columns should be neither ahead of the text nor behind it
            passed = self._course.wides_before[filling.after.at]
            cost += _LATE * max(0, passed - place.shown) + _EARLY * max(0, place.shown - passed)
        if 0 <= filling.title < self._height * _STRAY_SHARE:
            cost += _STRAY_COST
        if filling.moved >= 0:
            cost += _MOVED if filling.moved < self._course.end else _ALONE
        if last:
            return cost + self._measure_last_cost(filling, place)
        turns = self._pages.is_page_turned(place.columns)
        turn_cost = self._measure_turn_cost(filling) if turns else 0.0
        cost += (_TURNED if turns else 1.0) * self._measure_split_cost(filling) + turn_cost
        return cost + self._measure_foot_cost(filling, self._height - place.top)

    def _measure_last_cost(self, filling: Filling, place: _Place) -> float:
        """Return the cost of the last column: of a missing imprint, and of its gap if a back cover follows."""
        cost = _IMPRINT_COST if self._is_full(filling, place) else 0.0
        if not (self._pages.fours and self._pages.behind) and filling.y <= self._height - place.top:
            return cost
        return cost + self._measure_foot_cost(filling, self.find_max_height(filling, place), last=True)

    def find_max_height(self, filling: Filling, place: _Place) -> float:
        """Return the maximum height of a column (mm); the last one leaves room for the imprint if it fits."""
        last = filling.after.at == self._course.end
        return self._height - place.top - (self._pages.foot if last and not self._is_full(filling, place) else 0.0)

    def _measure_foot_cost(self, filling: Filling, height: float, *, last: bool = False) -> float:
        """Return the cost of fitting a column into `height` mm, and of the gap that remains: less if it is `last`."""
        over, bound = filling.y - height, filling.least if filling.y > height else filling.most
        ease = min(1.0, abs(over) / max(abs(filling.y - bound), SLACK))
        share = max(0.0, height - filling.most) / self._height / _FOOT
        gap = _EVEN * (2.0 * share - _EVEN) if last and share > _EVEN else share**2
        return _EASE_COST * ease**3 + _FOOT_COST * gap

    def _measure_split_cost(self, filling: Filling) -> float:
        """Return the cost of splitting what continues after this column: a box, narrow columns, or another block."""
        if filling.after.at == self._course.end or not filling.strips:
            return 0.0
        last, following = self._course.strips[filling.strips[-1]], self._course.strips[filling.after.at]
        if filling.after.within and following.narrow is not None:
            left = len(following.narrow.strips) - filling.after.within
            return max(0.0, 1.0 - left / (_FEW_LEFT * following.narrow.columns)) * _FEW_LEFT_COST
        if last.frame is not None and last.frame == following.frame:
            return max(_PARTED_BOX, last.price)
        return last.price

    def _measure_turn_cost(self, filling: Filling) -> float:
        """Return the cost of a page turn after this column within blocks that must be on facing pages."""
        if filling.after.at == self._course.end or not filling.strips:
            return 0.0
        spreads = [
            next((member.number for member in self._course.strips[at].members if member.kind == "spread"), None)
            for at in (filling.strips[-1], filling.after.at)
        ]
        return _PARTED_SPREAD if spreads[0] is not None and spreads[0] == spreads[1] else 0.0


def balance_columns(columns: Sequence[Column], count: int, height: float, unit: float) -> list[Column]:
    """Return a page's columns balanced over `count` columns of at most `height` mm, or unchanged if none are better."""
    strips = [put.strip for column in columns for put in column.puts if not put.again]
    balanced, lowest = list(columns), height / count
    few, most = 0, max(0, ceil((height - SLACK - lowest) / unit))
    while few < most:  # the fewest lines above the lowest height that are enough
        lines = (few + most) // 2
        tried = break_columns(strips, lowest + lines * unit, unit)
        ends = [column.puts[-1].strip for column in tried if column.puts]
        if len(tried) <= count and not any(strip.keep for strip in ends):
            balanced, most = tried, lines
        else:
            few = lines + 1
    return balanced


class ColumnOverflow(Exception):
    """Error: a strip is taller than a column."""


def fill_columns(strips: Sequence[Strip], height: float) -> list[Column]:
    """Fill one column after the other. Raise ColumnOverflow if a strip, with its repeated head, is too tall."""
    course, place = StripGraph(strips, height, 1.0), ColumnStart(0)
    columns = []
    while place.at != course.end:
        fullest = max(course.list_fillings(place, height), key=lambda filling: filling.after.at)
        if fullest.y > height + SLACK:
            raise ColumnOverflow
        columns.append(Column(1.0, [strips[at] for at in fullest.strips]))
        place = fullest.after
    return columns
