"""What a result says: what each arm changes in each measure at each table, how surely, and how much that is."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import inf, sqrt

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.lab.chunks import Cell
from generator.lab.findings import ArmDifference, broken_laws, findings, value
from generator.lab.measures import BROKEN
from generator.lab.numbers import Interval
from generator.lab.results import Result
from generator.lab.statistics.intervals import moments, quantile_interval
from generator.lab.statistics.verdicts import Verdict
from generator.lab.sums import Histogram, Sums

MUCH, SOME = 0.5, 0.2
"""Of the standard deviation from game to game: from where on a change is large, and from where on it is not small."""


@dataclass(frozen=True, slots=True)
class ArmEffect:
    """What an arm changes in a measure: the mean difference to the first arm on the same seeds, with its interval.

    It is in the measure's own units, of shares in percentage points. `stands`: it stays when one has looked at all
    arms and measures of the table. `strength` is its size by the standard deviation of the first arm's games. `same`:
    no game has another value. `verdict`: whether it lies within the margin of its measure, where that has one.
    """

    arm: str
    measure: str
    by: Interval
    stands: bool
    strength: float
    same: bool
    verdict: Verdict | None = None

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

    result: Result
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

    def mean(self, arm: str, measure: str, parts: int = 1) -> Interval:
        """Where an arm's mean or share lies, in the measure's units; `parts` statements of this kind hold together."""
        found = value(self.result, measure, self.histogram(arm, measure), parts)
        return found.divided(1 / percent_of(self.result, measure))

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
        found = findings(result)
        self.tables = tuple(
            _table(result, cell, (one for one in found if one.cell == cell)) for cell in cells if result.games(cell)
        )
        self.broken = tuple(broken_laws(result))
        """Tables and arms with games in which a law of the game was broken; what they show is left out."""
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


def _table(result: Result, cell: Cell, found: Iterable[ArmDifference]) -> LabTable:
    sums = {arm: result.cells[cell, arm] for arm in result.arms if (cell, arm) in result.cells}
    base = sums[result.arms[0]]
    units = {name: result.whole[name] / percent_of(result, name) for name in base.measures if name != BROKEN}
    effects = {}
    for one in found:
        by = one.gap.divided(1 / percent_of(result, one.measure))
        spread = sqrt(moments(base.measures[one.measure])[2]) / units[one.measure]
        strength = 0.0 if not by.at else abs(by.at) / spread if spread else inf
        differences = sums[one.arm].against.differences[one.measure]
        same = not any(times for gap, times in differences.items() if gap)
        effects[one.arm, one.measure] = ArmEffect(one.arm, one.measure, by, one.stands, strength, same, one.verdict)
    return LabTable(result, cell, result.games(cell), sums, units, effects)


def percent_of(result: Result, measure: str) -> int:
    """How many times as large a measure is told: shares in percent."""
    return 100 if measure in result.shares else 1
