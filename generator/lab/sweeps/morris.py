"""Screening of many numbers by Morris' method (Technometrics 33, 1991): which of them matter at all, and how evenly.

A walk begins at a random point of the grid and moves each number once, in random order, by half of its values. What a
move changes, for the whole range of the number, is an elementary effect.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from math import sqrt

from generator.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Influence:
    """What the walks showed of one number, for its whole range: `strength` is the mean size of its effects (mu*).

    `lean` is their mean with signs (mu), `spread` their standard deviation (sigma): 0 where the number does the same
    wherever the others are, as large as the strength where that depends on them. `effects` are the single ones.
    """

    axis: int
    strength: float
    lean: float
    spread: float
    effects: tuple[float, ...]

    @property
    def half(self) -> float:
        """The standard error of the strength, over the walks."""
        sizes = [abs(one) for one in self.effects]
        return _deviation(sizes) / sqrt(len(sizes)) if len(sizes) > 1 else 0.0


def walks(levels: Sequence[int], number: int, run: int) -> Iterator[tuple[int, ...]]:
    """The points of so many walks, one behind the other: for each axis which of its values it has, from 0.

    They depend on the run alone, so that more walks begin with the same ones.
    """
    for walk in range(number):
        point = [_drawn(run, walk, f"start {axis}", count) for axis, count in enumerate(levels)]
        yield tuple(point)
        left = [axis for axis, count in enumerate(levels) if count > 1]
        while left:
            axis = left.pop(_drawn(run, walk, f"turn {len(left)}", len(left)))
            step = levels[axis] // 2
            point[axis] += step if point[axis] + step < levels[axis] else -step
            yield tuple(point)


def length(levels: Sequence[int]) -> int:
    """How many points a walk has."""
    return 1 + sum(count > 1 for count in levels)


def influences(
    levels: Sequence[int], points: Sequence[tuple[int, ...]], means: Mapping[tuple[int, ...], float]
) -> list[Influence]:
    """What each number does, the strongest first; moves from or to points without a mean are left out."""
    effects: dict[int, list[float]] = {axis: [] for axis, count in enumerate(levels) if count > 1}
    long = length(levels)
    for at, (one, other) in enumerate(pairwise(points), 1):
        if at % long and one in means and other in means:
            axis = next(axis for axis, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
            moved = (other[axis] - one[axis]) / (levels[axis] - 1)
            effects[axis].append((means[other] - means[one]) / moved)
    found = [_influence(axis, tuple(each)) for axis, each in effects.items() if each]
    return sorted(found, key=lambda one: (-one.strength, one.axis))


def _influence(axis: int, effects: tuple[float, ...]) -> Influence:
    number = len(effects)
    strength = sum(map(abs, effects)) / number
    return Influence(axis, strength, sum(effects) / number, _deviation(effects), effects)


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1))


def _drawn(run: int, walk: int, what: str, number: int) -> int:
    """One of so many, the same everywhere and always."""
    return int.from_bytes(sha256(f"{run}/{walk}/{what}".encode()).digest()[:8]) % number
