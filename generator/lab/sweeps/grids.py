"""Grids: every combination of the values of some axes, each an arm that is played on the same seeds as the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.lab.arms import Arm, Value, values_at
from generator.lab.sweeps.axes import SweepRange
from generator.lab.sweeps.morris import length, walks
from generator.model.game import Game
from generator.model.resources import Resources

MOST = 1000
"""Points of a grid."""

_NO_PLACE = "write its path, as `rules.hand`; tables stay as they are"


@dataclass(frozen=True, slots=True)
class SweepGrid:
    """An arm with ranges: a point for each combination of its axes' values, the last axis turning fastest.

    `arms` has the name of each point's arm, the name of another where that plays the same, and is empty before
    `spread`; `weights` how many numbers a point changes and how much: 0.4 for a number that changes by two fifths,
    and 1 for each other value or reading, all added up. `missing` says why points can't be played, by their arms. With
    `walks` it is screened instead: its points are those of so many walks through it, drawn by `run`.
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
        """How many values each axis has."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def size(self) -> int:
        """How many points it has."""
        return self.walks * length(self.levels) if self.walks else prod(self.levels)

    def points(self) -> Iterator[tuple[int, ...]]:
        """Its points: for each axis which of its values it has."""
        return walks(self.levels, self.walks, self.run) if self.walks else product(*map(range, self.levels))

    @property
    def turned(self) -> tuple[SweepRange, ...]:
        """The axes with more than one value: those that a picture has."""
        return tuple(axis for axis in self.axes if len(axis.values) > 1)

    def plain(self) -> dict[str, Any]:
        """The same in plain values, for a result."""
        axes = [{"name": one.name, "values": list(one.values), "times": one.times} for one in self.axes]
        points = {"arms": list(self.arms), "weights": list(map(list, self.weights)), "missing": dict(self.missing)}
        screened = {"walks": self.walks, "run": self.run} if self.walks else {}
        return {"name": self.name, "axes": axes, **points, **screened}


def grids_of(plain: Iterable[Mapping[str, Any]]) -> tuple[SweepGrid, ...]:
    """What `plain` has made; KeyError, TypeError or ValueError for anything else."""
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


def spread(
    arms: tuple[Arm, ...], grids: tuple[SweepGrid, ...], game: Game, folder: Path, resources: Resources
) -> tuple[tuple[Arm, ...], tuple[SweepGrid, ...]]:
    """The arms with those of the grids' points behind them, and the grids with their points' names.

    A point that plays as an arm before it is that arm, so that nothing is played twice. ProblemsFound for paths
    that lead nowhere, and for too many points.
    """
    known = {_changes(arm): arm for arm in reversed(arms)}
    names = {arm.name for arm in arms}
    spread_out, problems = [], list[Problem]()
    for grid in grids:
        if grid.size > MOST:
            what = f"'{grid.name}' has {grid.size:,} points, more than {MOST:,}"
            problems.append(Problem(grid.place, what, "write fewer values, or screen the numbers first: --screen"))
            continue
        places = dict(_places(grid, folder, resources, problems))
        if len(places) < len(grid.axes):
            continue
        of_points, weights = [], []
        for point in grid.points():
            values = [axis.values[at] for axis, at in zip(grid.axes, point, strict=True)]
            arm = arm_at(grid, values, game, places)
            if known.setdefault(_changes(arm), arm) is arm and arm.name in names:
                what = f"two arms are called '{arm.name}'"
                problems.append(Problem(grid.place, what, "give the other one another name"))
            names.add(arm.name)
            of_points.append(known[_changes(arm)].name)
            weights.append(_weight(grid, values, game, places))
        spread_out.append(replace(grid, arms=tuple(of_points), weights=tuple(weights)))
    if problems:
        raise ProblemsFound(problems)
    points_too = (arm for arm in known.values() if arm.name not in {one.name for one in arms})
    return (*arms, *points_too), tuple(spread_out)


def arm_at(grid: SweepGrid, values: Sequence[Value], game: Game, places: Mapping[str, Mapping[str, Value]]) -> Arm:
    """The arm of one point: what its values change in the data; `places` has for each axis the values there now."""
    readings: dict[str, Any] = {}
    changed: dict[str, Value] = {}
    said, where = list[str](), dict[str, Place]()
    for axis, value in zip(grid.axes, values, strict=True):
        said.append(f"{axis.brief}={axis.said(value)}")
        if axis.reading and not in_force(axis.name, value, game):
            readings[axis.name] = value
        for path, now in places[axis.name].items():
            then = _times(now, value) if axis.times else value
            if then != now or isinstance(then, bool) != isinstance(now, bool):
                changed[path] = then
        if axis.place is not None:
            where |= dict.fromkeys((axis.name, *places[axis.name]), axis.place)
    return Arm(" ".join(said), readings, changed, grid.place, where)


def _weight(
    grid: SweepGrid, values: Sequence[Value], game: Game, places: Mapping[str, Mapping[str, Value]]
) -> tuple[int, float]:
    """How many numbers a point changes, and by how much in all."""
    sizes = []
    for axis, value in zip(grid.axes, values, strict=True):
        if axis.reading:
            sizes.append(0.0 if in_force(axis.name, value, game) else 1.0)
            continue
        each = [_size(now, _times(now, value) if axis.times else value) for now in places[axis.name].values()]
        sizes.append(sum(each) / len(each))
    return sum(size > 0 for size in sizes), round(sum(sizes), 6)


def _size(now: Value, then: Value) -> float:
    """By how much of itself a number changes, of 0 by how much; 1 for another word or truth."""
    if any(isinstance(one, bool | str) for one in (now, then)):
        return float(now != then)
    assert not isinstance(now, str), "seen above"  # noqa: S101
    assert not isinstance(then, str), "seen above"  # noqa: S101
    return abs(then - now) / (abs(now) or 1)


def in_force(name: str, value: Value, game: Game) -> bool:
    """Whether an entry or a switch is read so in the data."""
    return any(one.value == value for one in game.readings.values() if name in (one.id, one.switch))


def _changes(arm: Arm) -> tuple[Any, ...]:
    """What an arm does, for comparing it with others: 1 and true are not the same."""
    return tuple(sorted((name, repr(value)) for one in (arm.readings, arm.values) for name, value in one.items()))


def _times(now: Value, factor: Value) -> Value:
    """A number so many times; a whole one where it comes out whole."""
    assert isinstance(now, int | float)  # noqa: S101 - as `_places` chose them
    assert isinstance(factor, int | float)  # noqa: S101 - as `axis_of` took them
    then = round(now * factor, 9)
    return int(then) if then == int(then) else then


def _places(
    grid: SweepGrid, folder: Path, resources: Resources, problems: list[Problem]
) -> Iterator[tuple[str, Mapping[str, Value]]]:
    """For each axis the values in the data that it changes; none for a reading."""
    for axis in grid.axes:
        found = {} if axis.reading else values_at(axis.name, folder, resources)
        if axis.times:
            found = {
                path: now for path, now in found.items() if isinstance(now, int | float) and not isinstance(now, bool)
            }
        if not found and not axis.reading:
            kind = "number" if axis.times else "value"
            problems.append(Problem(axis.place, f"the data have no {kind} '{axis.name}'", _NO_PLACE))
            continue
        yield axis.name, found


def without(grids: Iterable[SweepGrid], missing: Mapping[str, str]) -> tuple[SweepGrid, ...]:
    """The grids, with what keeps some of their points from being played."""
    return tuple(
        replace(grid, missing={name: why for name, why in missing.items() if name in grid.arms}) for grid in grids
    )
