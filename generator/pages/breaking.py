"""Where columns and pages end: of all ways that keep together what belongs together, the one that looks best.

A `Column` has its strips at their heights; a `Course` knows the ways to fill one; `break_columns` takes the cheapest
ways through a book, `fill_columns` the fullest column each time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush

from generator.dataclass import dataclass
from generator.pages.strips import Frame, Strip, on_grid

SLACK = 1e-4
"""mm: what rounding may add to a full column."""


@dataclass(frozen=True, slots=True)
class Put:
    """A strip at its height in a column, mm from its top; `again`: it is repeated from another column."""

    strip: Strip
    y: float
    again: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """How far a column is filled, mm, and the frame of what stands lowest; `begun` is False at its very top."""

    y: float = 0.0
    frame: Frame | None = None
    begun: bool = False

    def top(self, strip: Strip, unit: float) -> float:
        """Where a strip stands below it, on a grid of `unit` mm."""
        y, frame, own = self.y, self.frame, strip.frame
        if frame is not None and frame is not own:
            y += frame.pad
        if self.begun:
            y += strip.above
        if own is not None and frame is not own:
            y = (on_grid(y, unit) if strip.snap else y) + own.pad
        return on_grid(y, unit) if strip.snap else y

    def below(self, strip: Strip, unit: float) -> "Level":
        """The level with a strip set below it, and above that, at a column's top, what is repeated there."""
        level = self
        if strip.again and not self.begun:
            for head in strip.again:
                level = Level(level.top(head, unit) + head.height, head.frame, True)
        return Level(level.top(strip, unit) + strip.height, strip.frame, True)

    @property
    def bottom(self) -> float:
        """Where it ends with the ground of a box, mm."""
        return self.y + (self.frame.pad if self.frame is not None else 0.0)


class Column:
    """A column with its strips, so many mm high, on a grid of `unit` mm."""

    def __init__(self, height: float, unit: float, strips: Iterable[Strip] = ()):
        self.puts: list[Put] = []
        self._height, self._unit = height, unit
        self._level = Level()
        for strip in strips:
            for head in strip.again if not self.puts else ():
                self._put(head, again=True)
            self._put(strip)

    @property
    def used(self) -> float:
        """How much of it is full, 0 to 1."""
        return self._level.y / self._height

    def _put(self, strip: Strip, again: bool = False) -> None:
        self.puts.append(Put(strip, self._level.top(strip, self._unit), again))
        self._level = Level(self.puts[-1].y + strip.height, strip.frame, True)


def fits(strips: Sequence[Strip], height: float, unit: float) -> bool:
    """Whether strips find room in an empty column."""
    level = Level()
    for strip in strips:
        level = level.below(strip, unit)
    return level.bottom <= height + SLACK


_LEAST_SHARE = 0.5
"""Of a column: fuller ends are all looked at, of emptier ones the fullest alone."""

_FEW = 3


@dataclass(frozen=True, slots=True)
class ColumnStart:
    """Where a column begins: with the strip of this number, above which stands the figure that waits (-1: none)."""

    at: int
    waiting: int = -1


@dataclass(frozen=True, slots=True)
class Filling:
    """One way to fill a column: its strips by number, where the next one begins, how high it is filled (mm).

    `title`: where the first title stands below other things, -1 for none; `chapter`: where the last chapter begins so.
    `moved`: the figure that it sends on.
    """

    strips: tuple[int, ...]
    after: ColumnStart
    y: float
    title: float = -1.0
    chapter: float = -1.0
    moved: int = -1


class Course:
    """The strips of a book by number, with those that may take the place of others behind them."""

    def __init__(self, strips: Sequence[Strip], height: float, unit: float):
        self.strips = list(strips)
        self.end = len(strips)
        self._height, self._unit = height, unit
        self._next = list(range(1, len(strips) + 1))
        self._free = _free(strips, height, unit)
        self._instead: dict[int, int] = {}
        for at, strip in enumerate(strips):
            if strip.instead:
                self._instead[at] = len(self.strips)
                self._append(strip, at + strip.covers)

    def _append(self, strip: Strip, after: int) -> None:
        """The figure of a strip and the text beside it, one below the other."""
        text = [*strip.instead[:-1], replace(strip.instead[-1], keep=self.strips[after - 1].keep)]
        for other in text:
            self.strips.append(other)
            self._next.append(len(self.strips))
            self._free.append(not other.keep)
        self._next[-1] = after
        self._free[-1] = self._free[-1] or after == self.end

    def fillings(self, place: ColumnStart) -> list[Filling]:
        """The ways to fill a column from a place on; at least one."""
        found = list(self._fillings(place))
        fullest = sorted((filling.y for filling in found), reverse=True)[:_FEW]
        least = min(fullest[-1], self._height * _LEAST_SHARE)
        return [filling for filling in found if filling.y >= least]

    def _fillings(self, place: ColumnStart) -> Iterator[Filling]:
        walk = _Walk(self)
        if place.waiting >= 0:
            walk.add(place.waiting)
            yield walk.filling(ColumnStart(place.at))
        at = place.at
        while at != self.end:
            group = walk.copy()
            members = [at]
            while not self._free[members[-1]]:
                members.append(self._next[members[-1]])
            at = self._next[members[-1]]
            for member in members:
                group.add(member)
            if group.level.bottom > self._height + SLACK and walk.strips:
                yield from self._sent_on(walk, members)
                return
            walk = group
            yield walk.filling(ColumnStart(at))
            if self.strips[members[-1]].ends:
                return

    def _sent_on(self, walk: "_Walk", members: Sequence[int]) -> Iterator[Filling]:
        """A figure that finds no room moves to the next column, and text goes before it with the titles above it."""
        strips = self.strips
        at = next((at for at in members if strips[at].floats or strips[at].instead), -1)
        if at < 0:
            return
        above = members[: members.index(at)]
        if any(strips[before].heading is None and not strips[before].flows for before in above):
            return
        figure = self._instead.get(at, at)
        for before in above:
            walk.add(before)
        following = self._next[figure]
        while following != self.end and strips[following].flows:
            walk.add(following)
            if walk.level.bottom > self._height + SLACK:
                return
            free, following = self._free[following], self._next[following]
            if free:
                yield walk.filling(ColumnStart(following, figure), figure)


class _Walk:
    """A column under way."""

    def __init__(self, course: Course):
        self._course = course
        self.strips: list[int] = []
        self.level = Level()
        self._title = self._chapter = -1.0

    def copy(self) -> "_Walk":
        """Another column filled alike."""
        other = _Walk(self._course)
        other.strips, other.level = [*self.strips], self.level
        other._title, other._chapter = self._title, self._chapter
        return other

    def add(self, at: int) -> None:
        """Sets a strip below what stands there."""
        strip = self._course.strips[at]
        if strip.heading is not None and self.strips:
            self._title = self.level.y if self._title < 0 else self._title
            self._chapter = self.level.y if strip.opens else self._chapter
        self.level = self.level.below(strip, self._course._unit)
        self.strips.append(at)

    def filling(self, after: ColumnStart, moved: int = -1) -> Filling:
        """The column as it stands."""
        return Filling(tuple(self.strips), after, self.level.y, self._title, self._chapter, moved)


def _free(strips: Sequence[Strip], height: float, unit: float) -> list[bool]:
    """After which strips a column may end: where the next is not kept, or what is kept is too much for a column."""
    free = [not strip.keep for strip in strips]
    start = 0
    for at in range(len(strips)):
        if at > start and not fits(strips[start : at + 1], height, unit):
            free[at - 1] = True
            start = at
        if free[at]:
            start = at + 1
    if free:
        free[-1] = True
    return free


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


def break_columns(strips: Sequence[Strip], height: float, unit: float, foot: float = 0.0) -> list[Column]:
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
        return _trace_back(steps, goal)

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
        return cost + _GAP_COST * (gap / _GAP) ** 3 + self._split_cost(filling)

    def _chapter(self, filling: Filling) -> float:
        """What it costs that the last chapter of a column has little room there."""
        if filling.chapter < 0:
            return 0.0
        share = (filling.y - filling.chapter) / self._height
        return max(0.0, 1.0 - share / _CHAPTER_SHARE) * _CHAPTER_COST

    def _split_cost(self, filling: Filling) -> float:
        """What it costs that the column ends in a box, or where its last strip says so."""
        if filling.after.at == self._course.end:
            return 0.0
        last, following = self._course.strips[filling.strips[-1]], self._course.strips[filling.after.at]
        if last.frame is not None and last.frame == following.frame:
            return max(_PARTED_BOX, last.price)
        return last.price


def _trace_back(steps: dict[ColumnStart, _Step], goal: ColumnStart) -> list[Filling]:
    """The columns on the way to the goal."""
    found: list[Filling] = []
    step = steps.get(goal)
    while step is not None and step.filling is not None:
        found.append(step.filling)
        step = steps[step.begun]
    return found[::-1]


def balance_columns(columns: Sequence[Column], count: int, height: float, unit: float) -> list[Column]:
    """The columns of one page anew, so many of about equal height; as they are where they find no better places."""
    strips = [put.strip for column in columns for put in column.puts if not put.again]
    tall = height / count
    while tall < height - SLACK:
        tried = break_columns(strips, tall, unit)
        ends = [column.puts[-1].strip for column in tried]
        if len(tried) <= count and not any(strip.keep for strip in ends):
            return tried
        tall += unit
    return list(columns)


class NoRoom(Exception):
    """A strip is taller than a column."""


def fill_columns(strips: Sequence[Strip], height: float) -> list[Column]:
    """The columns that the strips fill, each as far as it goes. NoRoom where one and what it repeats is too tall."""
    course, place = Course(strips, height, 1.0), ColumnStart(0)
    columns = []
    while place.at != course.end:
        fullest = max(course.fillings(place), key=lambda filling: filling.after.at)
        if fullest.y > height + SLACK:
            raise NoRoom
        columns.append(Column(height, 1.0, [strips[at] for at in fullest.strips]))
        place = fullest.after
    return columns
