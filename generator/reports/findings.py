"""What a result says: what each arm changes in each measure at each table, how surely, and how much that is."""

from collections.abc import Mapping
from functools import cached_property
from math import inf, sqrt

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.lab.chunks import Cell
from generator.lab.results import Result
from generator.lab.statistics.families import chance_of, holm
from generator.lab.statistics.intervals import Interval, difference_interval, mean_interval, moments, quantile_interval
from generator.lab.sums import Histogram, Sums

SURE = 0.05
"""How often a family of findings may hold one that is none."""

MUCH, SOME = 0.5, 0.2
"""Of the standard deviation from game to game: from where on a change is large, and from where on it is not small."""

WIN = "win of seat "
"""Before a seat's number: the name of the measure that counts its wins."""


@dataclass(frozen=True, slots=True)
class ArmEffect:
    """What an arm changes in a measure: the mean difference to the first arm on the same seeds, with its interval.

    It is in the measure's own units, of shares in percentage points. `stands`: it stays when one has looked at all
    arms and measures of the table. `strength` is its size by the standard deviation of the first arm's games. `same`:
    no game has another value.
    """

    arm: str
    measure: str
    by: Interval
    stands: bool
    strength: float
    same: bool

    @property
    def clear(self) -> bool:
        """Whether its own interval leaves out 0."""
        return self.by.clear_of(0.0)

    @property
    def sign(self) -> int:
        """1 where it stands and rises, -1 where it stands and falls, else 0."""
        return (1 if self.by.at > 0 else -1) if self.stands else 0

    @property
    def grade(self) -> int:
        """0 where nothing stands; 1 to 3 for a small, a middling and a large change."""
        return 0 if not self.stands else 3 if self.strength >= MUCH else 2 if self.strength >= SOME else 1


@dataclass(frozen=True, slots=True)
class LabTable:
    """One table of an experiment: who sits there, how many games of each arm, and the effects by arm and measure."""

    cell: Cell
    games: int
    sums: Mapping[str, Sums]
    units: Mapping[str, float]
    effects: Mapping[tuple[str, str], ArmEffect]

    def effect(self, arm: str, measure: str) -> ArmEffect | None:
        """What an arm changes in a measure; None where it isn't measured here."""
        return self.effects.get((arm, measure))

    def histogram(self, arm: str, measure: str) -> Histogram:
        """How many games of an arm had which value; its numbers are `units` times as large as the measure's."""
        return self.sums[arm].measures[measure]

    def mean(self, arm: str, measure: str) -> Interval:
        """Where an arm's mean lies, in the measure's units."""
        return mean_interval(self.histogram(arm, measure)).divided(self.units[measure])

    def quantile(self, arm: str, measure: str, share: float) -> Interval:
        """The value that this share of an arm's games does not exceed."""
        return quantile_interval(self.histogram(arm, measure), share).divided(self.units[measure])

    def identical(self, arm: str) -> float:
        """The share of games in which an arm's moves were those of the first arm."""
        return self.sums[arm].against.identical / max(1, self.sums[arm].games)


class Findings:
    """All that is found in one result. ProblemsFound where nothing has been played."""

    def __init__(self, result: Result):
        self.result = result
        self.base, self.arms = result.arms[0], result.arms[1:]
        cells = sorted({cell for cell, _ in result.cells}, key=lambda cell: (cell.players, cell.bots))
        self.tables = tuple(_table(result, cell) for cell in cells if result.games(cell))
        if not self.tables:
            raise ProblemsFound([Problem(None, "the result holds no games", "play some: pnp lab readings GAME")])

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """All measures of any table, in their order."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table.units))

    def effects(self, arm: str, measure: str) -> tuple[ArmEffect, ...]:
        """What an arm changes in a measure, at each table that has it."""
        return tuple(found for table in self.tables if (found := table.effect(arm, measure)) is not None)

    def weight(self, arm: str) -> float:
        """How much an arm changes at most in any measure that it certainly changes."""
        standing = (one.strength for (name, _), one in self._all() if name == arm and one.stands)
        return max(standing, default=0.0)

    def grade(self, arm: str) -> int:
        """0 where nothing stands; 1 to 3 for its greatest change."""
        return max((one.grade for (name, _), one in self._all() if name == arm), default=0)

    def by_weight(self) -> tuple[str, ...]:
        """The arms, those that change most first; those that certainly change nothing in their order."""
        return tuple(sorted(self.arms, key=lambda arm: -self.weight(arm)))

    def moved(self, measure: str) -> bool:
        """Whether any arm certainly changes a measure."""
        return any(one.stands for (_, name), one in self._all() if name == measure)

    def two_ways(self, arm: str, measure: str) -> bool:
        """Whether the sign depends on who plays: it certainly rises at one table and falls at another as large."""
        signs: dict[int, set[int]] = {}
        for table in self.tables:
            found = table.effect(arm, measure)
            if found is not None:
                signs.setdefault(table.cell.players, set()).add(found.sign)
        return any({1, -1} <= seen for seen in signs.values())

    def _all(self) -> list[tuple[tuple[str, str], ArmEffect]]:
        return [pair for table in self.tables for pair in table.effects.items()]


def _table(result: Result, cell: Cell) -> LabTable:
    sums = {arm: result.cells[cell, arm] for arm in result.arms if (cell, arm) in result.cells}
    base = sums[result.arms[0]]
    units = {name: result.whole[name] / (100 if name in result.shares else 1) for name in base.measures}
    pairs = [(arm, name) for arm in result.arms[1:] if arm in sums for name in sums[arm].against.differences]
    chances = []
    for arm, name in pairs:
        games, mean, variance = moments(sums[arm].against.differences[name])
        chances.append(chance_of(mean, variance, games))
    effects = {}
    for (arm, name), chance in zip(pairs, holm(chances), strict=True):
        differences = sums[arm].against.differences[name]
        whole = result.whole[name] if name in result.shares else 0
        by = difference_interval(differences, whole=whole).divided(units[name])
        spread = sqrt(moments(base.measures[name])[2]) / units[name]
        strength = 0.0 if not by.at else abs(by.at) / spread if spread else inf
        same = not any(times for value, times in differences.items() if value)
        effects[arm, name] = ArmEffect(arm, name, by, chance < SURE and by.clear_of(0.0), strength, same)
    return LabTable(cell, result.games(cell), sums, units, effects)
