"""The ways through a book's strips: which follows which, where a column may end, what a figure may wait for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.pages.columns import SLACK, Level, fits
from generator.pages.strips import Strip

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
        found = list(self._tried(place))
        fullest = sorted((filling.y for filling in found), reverse=True)[:_FEW]
        least = min(fullest[-1], self._height * _LEAST_SHARE)
        return [filling for filling in found if filling.y >= least]

    def _tried(self, place: ColumnStart) -> Iterator[Filling]:
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
