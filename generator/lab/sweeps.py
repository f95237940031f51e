"""Sweeps: experiments over ranges of values, as full grids or by Morris' screening method."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import sha256
from itertools import pairwise, product
from math import prod, sqrt
from pathlib import Path
from typing import Any

from generator.base.errors import InvalidInput, Place, Problem, raise_problems
from generator.base.files import Resources
from generator.game.model import Game
from generator.lab.arms import Arm, Value, find_values

MOST_VALUES = 200
"""Maximum number of values of one range."""

_NUMBER = r"[+-]?\d{1,12}(?:\.\d{1,6})?"
_STEPS = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::({_NUMBER}))?")
_RANGE = re.compile(rf"\*.*|{_STEPS.pattern}|[^\s,\[\]{{}}]+(?:,[^\s,\[\]{{}}]+)+")
_WAYS = "write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is"


@dataclass(frozen=True, slots=True)
class SweepRange:
    """Several values to try for a dotted path of the data, or for a reading (by entry or switch).

    A `*` in a path matches any name. With `times` the values multiply the data's own. `text` is the range as written,
    `place` its place.
    """

    name: str
    values: tuple[Value, ...]
    times: bool
    text: str
    place: Place | None = None

    @property
    def reading(self) -> bool:
        """True for a reading. Only paths contain dots."""
        return "." not in self.name

    @property
    def brief(self) -> str:
        """Short form of the path, without section and `designs`: `hand`, `reel.*.count`."""
        return self.name if self.reading else self.name.partition(".")[2].replace(".designs.", ".")

    def format_value(self, value: Value) -> str:
        """Return one of its values as it would be written alone."""
        return f"{'*' * self.times}{str(value).lower() if isinstance(value, bool) else value}"


def is_range(value: object) -> bool:
    """Return True if a value in an experiment file is written as a range, such as 3..7."""
    return isinstance(value, str) and _RANGE.fullmatch(value) is not None


def parse_range(name: str, text: str, place: Place | None = None) -> SweepRange:
    """Parse a range. Raise InvalidInput if it has no values or too many."""
    times = text.startswith("*")
    values = tuple(dict.fromkeys(_parse_values(text.removeprefix("*"), text)))
    if times and not all(isinstance(one, int | float) and not isinstance(one, bool) and one > 0 for one in values):
        raise InvalidInput(f"'{text}' can't be used to multiply", "write numbers above 0 after the *, such as *1..3")
    if times and "." not in name:
        raise InvalidInput(f"the reading {name} can't be multiplied", "write its values, separated by commas")
    if len(values) > MOST_VALUES:
        raise InvalidInput(
            f"'{text}' has {len(values):,} values, more than {MOST_VALUES}", "write a step, such as 10..500:10"
        )
    return SweepRange(name, values, times, text, place)


def _parse_values(text: str, whole: str) -> Iterator[Value]:
    found = _STEPS.fullmatch(text)
    if found is None:
        parts = text.split(",")
        if not all(parts) or ".." in text:
            raise InvalidInput(f"the range '{whole}' has no values", _WAYS)
        for part in parts:
            if part in ("true", "false"):
                yield part == "true"
            else:
                yield _to_number(Decimal(part)) if re.fullmatch(_NUMBER, part) else part
        return
    first, last, step = (Decimal(part) if part is not None else Decimal(1) for part in found.groups())
    if step <= 0 or last < first:
        raise InvalidInput(f"the range '{whole}' has no values", "write it from low to high, with a step above 0")
    for at in range(min(MOST_VALUES + 1, int((last - first) / step) + 1)):
        yield _to_number(first + at * step)


def _to_number(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)


# A walk begins at a random point of the grid and moves each number once, in random order, by half of its values. The
# change by a move, scaled to the whole range of the number, is an elementary effect.


@dataclass(frozen=True, slots=True)
class Influence:
    """How much one number influences a measure over its whole range: `strength` is the mean size of effects (mu*).

    `lean` is their mean with signs (mu), `spread` their standard deviation (sigma). A spread of 0 means that the effect
    does not depend on the other numbers; a spread as large as the strength means that it does. `effects` are the single
    effects.
    """

    axis: int
    strength: float
    lean: float
    spread: float
    effects: tuple[float, ...]

    @property
    def half(self) -> float:
        """Standard error of the strength."""
        sizes = [abs(one) for one in self.effects]
        return _standard_deviation(sizes) / sqrt(len(sizes)) if len(sizes) > 1 else 0.0


def make_walks(levels: Sequence[int], number: int, run: int) -> Iterator[tuple[int, ...]]:
    """Yield the points of `number` walks, as the index of a value for each range. Each step changes one index.

    `levels` has each range's number of values. A larger number of walks of the same run begins with the same ones.
    """
    for walk in range(number):
        point = [_draw_number(run, walk, f"start {axis}", count) for axis, count in enumerate(levels)]
        yield tuple(point)
        left = [axis for axis, count in enumerate(levels) if count > 1]
        while left:
            axis = left.pop(_draw_number(run, walk, f"turn {len(left)}", len(left)))
            step = levels[axis] // 2
            point[axis] += step if point[axis] + step < levels[axis] else -step
            yield tuple(point)


def walk_length(levels: Sequence[int]) -> int:
    """Return the number of points in a walk: its start, and a step for each range with several values (`levels`)."""
    return 1 + sum(count > 1 for count in levels)


def compute_influences(
    levels: Sequence[int], points: Sequence[tuple[int, ...]], means: Mapping[tuple[int, ...], float]
) -> list[Influence]:
    """Return how much each range influences `means` on walks through `points`, the strongest first.

    `levels` has each range's number of values. A step to or from a point without a mean is ignored.
    """
    effects: dict[int, list[float]] = {axis: [] for axis, count in enumerate(levels) if count > 1}
    long = walk_length(levels)
    for at, (one, other) in enumerate(pairwise(points), 1):
        if at % long and one in means and other in means:
            axis = next(axis for axis, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
            moved = (other[axis] - one[axis]) / (levels[axis] - 1)
            effects[axis].append((means[other] - means[one]) / moved)
    found = []
    for axis, each in effects.items():
        if each:
            strength, lean = sum(map(abs, each)) / len(each), sum(each) / len(each)
            found.append(Influence(axis, strength, lean, _standard_deviation(each), tuple(each)))
    return sorted(found, key=lambda one: (-one.strength, one.axis))


def _standard_deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1))


def _draw_number(run: int, walk: int, what: str, number: int) -> int:
    """Return a pseudo-random number from 0 to `number` - 1 for `what` in a walk, the same on every machine."""
    return int.from_bytes(sha256(f"{run}/{walk}/{what}".encode()).digest()[:8]) % number


MOST_POINTS = 1000
"""Maximum number of combinations of values."""

_NO_PLACE = "write its path, as `rules.hand`; tables stay as they are"


@dataclass(frozen=True, slots=True)
class SweepGrid:
    """An arm with ranges: it has a point for each combination of values. The last range varies fastest.

    `arms` has the name of each point's arm, or of an equal arm; it is empty before `make_grid_arms`. `weights` has the
    number of changed values of each point and the total change: 0.4 for a number changed by two fifths, 1 for each
    other value or reading. `missing` has the reasons why points can't be played, by arm. If `walks` is not 0, the grid
    is screened: its points are only those of that many walks, drawn by `run`.
    """

    name: str
    axes: tuple[SweepRange, ...]
    arms: tuple[str, ...] = ()
    weights: tuple[tuple[int, float], ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    place: Place | None = None
    walks: int = 0
    run: int = 1

    @property
    def levels(self) -> tuple[int, ...]:
        """Number of values of each range."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of points."""
        return self.walks * walk_length(self.levels) if self.walks else prod(self.levels)

    def iter_points(self) -> Iterator[tuple[int, ...]]:
        """Return the points, each as the index of a value for every range."""
        return make_walks(self.levels, self.walks, self.run) if self.walks else product(*map(range, self.levels))

    @property
    def varied_ranges(self) -> tuple[SweepRange, ...]:
        """The ranges with more than one value."""
        return tuple(axis for axis in self.axes if len(axis.values) > 1)

    def to_data(self) -> dict[str, Any]:
        """Return dicts, lists, texts and numbers for the result's file."""
        axes = [{"name": one.name, "values": list(one.values), "times": one.times} for one in self.axes]
        points = {"arms": list(self.arms), "weights": list(map(list, self.weights)), "missing": dict(self.missing)}
        screened = {"walks": self.walks, "run": self.run} if self.walks else {}
        return {"name": self.name, "axes": axes, **points, **screened}


def grids_from_data(plain: Iterable[Mapping[str, Any]]) -> tuple[SweepGrid, ...]:
    """Return the grids that `SweepGrid.to_data` described. Raise KeyError, TypeError or ValueError for other values."""
    found = []
    for one in plain:
        axes = tuple(
            SweepRange(str(axis["name"]), tuple(axis["values"]), bool(axis["times"]), "") for axis in one["axes"]
        )
        weights = tuple((int(changed), float(size)) for changed, size in one["weights"])
        grid = SweepGrid(
            str(one["name"]),
            axes,
            tuple(map(str, one["arms"])),
            weights,
            dict(one["missing"]),
            walks=int(one.get("walks", 0)),
            run=int(one.get("run", 1)),
        )
        if {len(grid.arms), len(weights)} != {grid.size}:
            raise ValueError(grid.name)
        found.append(grid)
    return tuple(found)


def make_grid_arms(
    arms: tuple[Arm, ...], grids: tuple[SweepGrid, ...], game: Game, folder: Path, resources: Resources
) -> tuple[tuple[Arm, ...], tuple[SweepGrid, ...]]:
    """Return the arms with those of the grid points added, and the grids with the names of their points.

    A point equal to an earlier arm uses that arm, so that no game is played twice. Raise ProblemsFound for paths
    without a value and for too many points.
    """
    known = {_arm_key(arm): arm for arm in reversed(arms)}
    names = {arm.name for arm in arms}
    spread_out, problems = [], list[Problem]()
    for grid in grids:
        if grid.size > MOST_POINTS:
            what = f"'{grid.name}' has {grid.size:,} points, more than {MOST_POINTS:,}"
            problems.append(Problem(grid.place, what, "write fewer values, or screen the numbers first: --screen"))
            continue
        places = dict(_find_axis_values(grid, folder, resources, problems))
        if len(places) < len(grid.axes):
            continue
        of_points, weights = [], []
        for point in grid.iter_points():
            values = [axis.values[at] for axis, at in zip(grid.axes, point, strict=True)]
            arm, weight = _make_point(grid, values, game, places)
            if known.setdefault(_arm_key(arm), arm) is arm and arm.name in names:
                what = f"two arms are called '{arm.name}'"
                problems.append(Problem(grid.place, what, "rename one of them"))
            names.add(arm.name)
            of_points.append(known[_arm_key(arm)].name)
            weights.append(weight)
        spread_out.append(replace(grid, arms=tuple(of_points), weights=tuple(weights)))
    raise_problems(problems)
    points_too = (arm for arm in known.values() if arm.name not in {one.name for one in arms})
    return (*arms, *points_too), tuple(spread_out)


def _make_point(
    grid: SweepGrid, values: Sequence[Value], game: Game, places: Mapping[str, Mapping[str, Value]]
) -> tuple[Arm, tuple[int, float]]:
    """Return the arm for one combination of values, and its weight: how many values it changes, and by how much in sum.

    `places` has for each range the data paths with their present values.
    """
    readings: dict[str, Any] = {}
    changed: dict[str, Value] = {}
    said, where, sizes = list[str](), dict[str, Place](), list[float]()
    for axis, value in zip(grid.axes, values, strict=True):
        said.append(f"{axis.brief}={axis.format_value(value)}")
        if axis.reading:
            in_force = {one.value for one in game.readings.values() if axis.name in (one.id, one.switch)}
            sizes.append(0.0 if value in in_force else 1.0)
            if value not in in_force:
                readings[axis.name] = value
        each = []
        for path, now in places[axis.name].items():
            then = _multiply(now, value) if axis.times else value
            if isinstance(now, bool | str) or isinstance(then, bool | str):
                each.append(float(now != then))
            else:  # relative, but absolute if the number was 0
                each.append(abs(then - now) / (abs(now) or 1))
            if then != now or isinstance(then, bool) != isinstance(now, bool):
                changed[path] = then
        if each:
            sizes.append(sum(each) / len(each))
        if axis.place is not None:
            where |= dict.fromkeys((axis.name, *places[axis.name]), axis.place)
    weight = sum(size > 0 for size in sizes), round(sum(sizes), 6)
    return Arm(" ".join(said), readings, changed, grid.place, where), weight


def _arm_key(arm: Arm) -> tuple[Any, ...]:
    """Return a key that is equal for arms with the same changes; 1 and true are different."""
    return tuple(sorted((name, repr(value)) for one in (arm.readings, arm.values) for name, value in one.items()))


def _multiply(now: Value, factor: Value) -> Value:
    assert isinstance(now, int | float)  # noqa: S101 - as `_places` chose them
    assert isinstance(factor, int | float)  # noqa: S101 - as `axis_of` took them
    then = round(now * factor, 9)
    return int(then) if then == int(then) else then


def _find_axis_values(
    grid: SweepGrid, folder: Path, resources: Resources, problems: list[Problem]
) -> Iterator[tuple[str, Mapping[str, Value]]]:
    """Yield each range's name and data paths with their present values (none for a reading). Report absent ones."""
    for axis in grid.axes:
        found = {} if axis.reading else find_values(axis.name, folder, resources)
        if axis.times:
            found = {
                path: now for path, now in found.items() if isinstance(now, int | float) and not isinstance(now, bool)
            }
        if not found and not axis.reading:
            kind = "number" if axis.times else "value"
            problems.append(Problem(axis.place, f"the data have no {kind} '{axis.name}'", _NO_PLACE))
            continue
        yield axis.name, found
