"""Columns: lists the possible ways to fill a column with the strips of a book, which have numbers."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from generator.books.page.strips import (
    SLACK,
    Column,
    Level,
    Strip,
    fits_column,
    place_column_things,
    shrink_strip,
    stretch_strip,
)

_TALL = 120.0
"""Strips that should stay together are split only if they are taller than both the column and this (mm)."""

_FEW = 3
"""Minimum number of strips in each narrow column on both sides of a page break."""


def split_run(strip: Strip, within: int, deep: float, unit: float) -> tuple[Strip | None, int]:
    """Return, as one strip, what fits `deep` mm of narrow columns from strip `within` on, and its number of strips.

    The part is the rest in balanced columns, or as much as fits, on a grid of `unit` mm. (None, 0): too little fits.
    """
    narrow = strip.narrow
    assert narrow is not None  # noqa: S101 - checked by the caller
    left = narrow.strips[within:]
    columns = _fill_with_strips(left, narrow.columns, deep, unit)
    taken = sum(map(len, columns))
    least = _FEW * narrow.columns
    if taken == len(left):
        columns = _balance_strips(left, narrow.columns, deep, unit)
    elif len(left) - taken < least:  # too few for the next column
        left = left[: max(0, len(left) - least)]
        last = next((at for at in range(len(left), 0, -1) if not left[at - 1].keep), 0)
        left = left[:last]
        columns = _balance_strips(left, narrow.columns, deep, unit)
        taken = len(left)
        if taken < least:
            return None, 0
    elif deep < _TALL and min(map(len, columns)) < _FEW:
        return None, 0
    return _merge_columns(strip, columns, unit, first=not within), taken


def _balance_strips(strips: Sequence[Strip], count: int, deep: float, unit: float) -> list[list[Strip]]:
    def fits(lines: int) -> bool:
        return sum(map(len, _fill_with_strips(strips, count, min(deep, lines * unit), unit))) == len(strips)

    lines = 1 + bisect_left(range(1, int(deep / unit + 1)), True, key=fits)
    return _fill_with_strips(strips, count, min(deep, lines * unit), unit)


def _fill_with_strips(strips: Sequence[Strip], count: int, deep: float, unit: float) -> list[list[Strip]]:
    columns: list[list[Strip]] = []
    at = 0
    for _ in range(count):
        taken = _count_fitting(strips[at:], deep, unit)
        columns.append(list(strips[at : at + taken]))
        at += taken
    return columns


def _count_fitting(strips: Sequence[Strip], deep: float, unit: float) -> int:
    """Return how many strips fit `deep` mm (grid: `unit` mm); those kept together are split if they never fit."""
    level, good, forced = Level(), 0, 0
    for at, strip in enumerate(strips, start=1):
        level = level.add_strip(strip, unit)
        if level.bottom > deep + SLACK:
            break
        forced = at
        if not strip.keep or at == len(strips):
            good = at
    return good or (forced if _is_too_tall(strips, deep, unit) else 0)


def _is_too_tall(strips: Sequence[Strip], deep: float, unit: float) -> bool:
    """Return True if the first strip and those kept with it exceed both `deep` and `_TALL` mm (grid: `unit` mm)."""
    level = Level()
    for strip in strips:
        level = level.add_strip(strip, unit)
        if not strip.keep:
            break
    return level.bottom > max(deep, _TALL) + SLACK


def _merge_columns(run: Strip, columns: Sequence[Sequence[Strip]], unit: float, *, first: bool) -> Strip:
    narrow = run.narrow
    assert narrow is not None  # noqa: S101 - checked by the caller
    set_columns = [Column(unit, column) for column in columns]
    things = [
        thing
        for across, column in enumerate(set_columns)
        for thing in place_column_things(column, across * narrow.pitch, 0.0)
    ]
    across = tuple(strip._replace(members=(*run.members, *strip.members)) for strip in chain.from_iterable(columns))
    anchors = tuple(anchor for strip in across for anchor in strip.anchors)
    terms = tuple(dict.fromkeys(term for strip in across for term in strip.terms))
    whole = run._replace(narrow=None, across=across, anchors=anchors, terms=terms, things=tuple(things))
    return whole._replace(height=max(column.bottom for column in set_columns), above=run.above if first else 0.0)


_LEAST_SHARE = 0.5
"""Columns are tried at all ends above this share of their height; below it only at the lowest possible end."""


_SHORTER = 8
"""Narrow columns may end up to this many lines before the foot of the page."""

_ANY = 1e5
"""A height larger than any column (mm)."""


class ColumnStart(NamedTuple):
    """Where a column starts: at strip number `at`, below the figure `waiting` that was moved here (-1: none).

    `within`: how many strips of a text in narrow columns the earlier columns already hold.
    """

    at: int
    waiting: int = -1
    within: int = 0


class Filling(NamedTuple):
    """One way to fill a column: the numbers of its strips, where the next column starts, and its height `y` (mm).

    `least` and `most`: its height set as tightly and as loosely as possible. `title`: y of the first title that is not
    at the top, -1 for none; `chapter`: y of the last chapter title. `moved`: the figure moved to the next column.
    """

    strips: tuple[int, ...]
    after: ColumnStart
    y: float
    least: float
    most: float
    title: float = -1.0
    chapter: float = -1.0
    moved: int = -1


class StripGraph:
    """All strips of a book by number, and behind them alternative strips that may replace some of them."""

    def __init__(self, strips: Sequence[Strip], height: float, unit: float):
        self.strips = list(strips)
        self.end = len(strips)
        self.unit = unit
        self._height = height
        self._next = list(range(1, len(strips) + 1))
        self._free = _find_break_points(strips, height, unit)
        self._instead: dict[int, int] = {}
        self._parts: dict[tuple[int, int, int], int] = {}
        self._known: dict[tuple[ColumnStart, float], list[Filling]] = {}
        self.wides = [strip.wide for strip in strips if strip.wide is not None]
        """Strips that span the columns of a page, in order."""
        self.wides_before = list(accumulate((strip.wide is not None for strip in strips), initial=0))
        """For each strip the number of wide strips before it."""
        for at, strip in enumerate(strips):
            if strip.instead:
                self._instead[at] = len(self.strips)
                self._append_alternative(strip, at + strip.covers)
                self.wides_before += [self.wides_before[at]] * (len(self.strips) - len(self.wides_before))

    def _append_alternative(self, strip: Strip, after: int) -> None:
        """Store `strip.instead`, a figure and its text below each other, as an alternative up to strip `after`."""
        text = [*strip.instead[:-1], strip.instead[-1]._replace(keep=self.strips[after - 1].keep)]
        for other in text:
            self.strips.append(other)
            self._next.append(len(self.strips))
            self._free.append(not other.keep)
        self._next[-1] = after
        self._free[-1] = self._free[-1] or after == self.end

    def list_fillings(self, place: ColumnStart, height: float) -> list[Filling]:
        """Return the fullest ways to fill a column of this height (mm) that begins at a place; there is at least one.

        If nothing fits a column lower than usual, it may stay empty; so may any column if no strips are left.
        """
        known = self._known.get((place, height))
        if known is None:
            found = list(self._iter_fillings(place, height))
            if height < self._height:
                found = [filling for filling in found if filling.least <= height + SLACK]
                found = found or [Filling((), place, 0.0, 0.0, 0.0)]
            elif place.at == self.end and place.waiting < 0:
                found = [Filling((), place, 0.0, 0.0, 0.0)]
            found = found or list(self._iter_fillings(place, height, forced=True))
            fullest = sorted((filling.y for filling in found), reverse=True)[:_FEW]
            least = min(fullest[-1], height * _LEAST_SHARE)
            known = self._known[place, height] = [filling for filling in found if filling.y >= least]
        return known

    def _iter_fillings(self, place: ColumnStart, height: float, *, forced: bool = False) -> Iterator[Filling]:
        """Yield the ways to fill the column. If `forced`, text in narrow columns may exceed the page."""
        walk = _PartialColumn(self)
        if place.waiting >= 0:
            walk.add_strip(place.waiting)
            yield walk.make_filling(ColumnStart(place.at))
        at, within = place.at, place.within
        while at != self.end:
            narrow = self.strips[at].narrow
            if narrow is not None:
                deep = height - walk.level.find_top(self.strips[at], self.unit)
                part, taken = split_run(self.strips[at], within, deep, self.unit)
                if part is None and forced:
                    part, taken = split_run(self.strips[at], within, _ANY, self.unit)
                if part is None:
                    return
                yield from self._iter_shorter(walk, at, within, deep)
                walk.add_strip(self._add_part(at, within, taken, part))
                if within + taken < len(narrow.strips):
                    yield walk.make_filling(ColumnStart(at, within=within + taken))
                    return
                at, within = self._next[at], 0
                yield walk.make_filling(ColumnStart(at))
                continue
            group = walk.copy()
            members = [at]
            while not self._free[members[-1]] and self.strips[self._next[members[-1]]].narrow is None:
                members.append(self._next[members[-1]])
            at = self._next[members[-1]]
            for member in members:
                group.add_strip(member)
            if group.least.bottom > height + SLACK and walk.level.begun:
                yield from self._move_figure_on(walk, members, height)
                return
            walk = group
            if self._free[members[-1]]:
                yield walk.make_filling(ColumnStart(at))
            if self.strips[members[-1]].ends:
                return

    def _iter_shorter(self, walk: "_PartialColumn", at: int, within: int, deep: float) -> Iterator[Filling]:
        """Yield ways to end narrow columns' text (strip `at`, from its line `within`) earlier and go on in the next."""
        narrow = self.strips[at].narrow
        assert narrow is not None  # noqa: S101 - checked by the caller
        tried = set[int]()
        for step in range(1, _SHORTER + 1):
            part, taken = split_run(self.strips[at], within, deep - step * 2 * self.unit, self.unit)
            if part is not None and within + taken < len(narrow.strips) and taken not in tried:
                tried.add(taken)
                shorter = walk.copy()
                shorter.add_strip(self._add_part(at, within, taken, part))
                yield shorter.make_filling(ColumnStart(at, within=within + taken))

    def _add_part(self, at: int, within: int, taken: int, part: Strip) -> int:
        """Store `part`, `taken` lines from line `within` of strip `at`, as a strip, once, and return its number."""
        key = (at, within, taken)
        if key not in self._parts or self.strips[self._parts[key]].height != part.height:
            self._parts[key] = len(self.strips)
            self.strips.append(part)
            self._next.append(-1)
            self._free.append(True)
        return self._parts[key]

    def _move_figure_on(self, walk: "_PartialColumn", members: Sequence[int], height: float) -> Iterator[Filling]:
        """Yield ways in which a figure among `members` moves to the next column and text after it moves up."""
        strips = self.strips
        at = next((at for at in members if strips[at].floats or strips[at].instead), -1)
        if at < 0:
            return
        above = members[: members.index(at)]
        if any(strips[before].heading is None and not strips[before].flows for before in above):
            return
        figure = self._instead.get(at, at)
        for before in above:
            walk.add_strip(before)
        following = self._next[figure]
        while following != self.end and strips[following].flows:
            walk.add_strip(following)
            if walk.least.bottom > height + SLACK:
                return
            free, following = self._free[following], self._next[following]
            if free:
                yield walk.make_filling(ColumnStart(following, figure), figure)


class _PartialColumn:
    def __init__(self, course: StripGraph):
        self._course = course
        self.strips: list[int] = []
        self.level = self.least = self.most = Level()
        self._title = self._chapter = -1.0

    def copy(self) -> "_PartialColumn":
        """Return an independent copy."""
        other = _PartialColumn(self._course)
        other.strips = [*self.strips]
        other.level, other.least, other.most = self.level, self.least, self.most
        other._title, other._chapter = self._title, self._chapter
        return other

    def add_strip(self, at: int) -> None:
        """Place strip number `at` below the others."""
        strip, unit = self._course.strips[at], self._course.unit
        if strip.heading is not None and self.level.begun:
            self._title = self.level.y if self._title < 0 else self._title
            self._chapter = self.level.y if strip.opens else self._chapter
        rigid = self.level is self.least is self.most and not (strip.stretch or strip.shrink or strip.sizes)
        self.level = self.level.add_strip(strip, unit)
        if rigid:
            self.least = self.most = self.level
        else:
            self.least = self.least.add_strip(shrink_strip(strip), unit, -strip.shrink * unit)
            self.most = self.most.add_strip(stretch_strip(strip), unit, strip.stretch * unit)
        self.strips.append(at)

    def make_filling(self, after: ColumnStart, moved: int = -1) -> Filling:
        """Return the column as filled so far; the next starts at `after`. `moved`: the figure moved there, or -1."""
        bounds = self.level.y, self.least.y, self.most.y
        return Filling(tuple(self.strips), after, *bounds, self._title, self._chapter, moved)


def _find_break_points(strips: Sequence[Strip], height: float, unit: float) -> list[bool]:
    """Return for each strip if a column may end after it: if it isn't kept with the next, or both exceed `height`."""
    free = [not strip.keep for strip in strips]
    start = 0
    for at in range(len(strips)):
        if at > start and not fits_column(strips[start : at + 1], height, unit):
            cut = _find_least_bad_break(strips, start, at)
            free[cut] = True
            start = cut + 1
        if free[at]:
            start = at + 1
    if free:
        free[-1] = True
    return free


def _find_least_bad_break(strips: Sequence[Strip], start: int, over: int) -> int:
    """Return the strip, from `start` to before `over`, after which to split them: between blocks, else entries."""
    for weak in (_are_independent, _ends_entry):
        found = [at for at in range(start, over) if weak(strips[at], strips[at + 1])]
        if found:
            return found[-1]
    return over - 1


def _are_independent(strip: Strip, following: Strip) -> bool:
    """Return True if two strips belong to different boxes, lists and tables, and the first is no title or text."""
    ours = {(member.kind, member.number) for member in strip.members if member.kind != "spread"}
    theirs = {(member.kind, member.number) for member in following.members}
    return strip.heading is None and not strip.flows and not ours & theirs


def _ends_entry(strip: Strip, following: Strip) -> bool:
    if strip.heading is not None or not strip.members or not following.members:
        return False
    ours, theirs = strip.members[-1], following.members[-1]
    return ours.kind == theirs.kind and ours.number == theirs.number and ours.entry != theirs.entry
