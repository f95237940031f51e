"""The smallest change that meets all aims: points screened in few games, the rest confirmed one lot after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import field

from generator.dataclass import dataclass
from generator.lab.results import Result
from generator.lab.statistics.verdicts import Verdict
from generator.lab.sweeps.aims import verdicts_of

LOT = 6
"""Points that are confirmed together, on the same games: those that change least first."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the grids: its arm, how many numbers it changes, and by how much in all."""

    arm: str
    changed: int
    size: float


@dataclass(slots=True)
class Smallest:
    """What is known so far: the result that screened all points, and those of the lots that were confirmed."""

    screened: Result
    confirmed: list[Result] = field(default_factory=list)

    @property
    def statements(self) -> int:
        """How many are made of one point: one for each aim at each table."""
        return max(1, len(self.screened.asked.aims) * len({cell for cell, _ in self.screened.cells}))

    def points(self) -> Sequence[Point]:
        """All points that could be played, the smallest change first; the game as it is comes before all."""
        found = {self.screened.arms[0]: Point(self.screened.arms[0], 0, 0.0)}
        for grid in self.screened.grids:
            for arm, (changed, size) in zip(grid.arms, grid.weights, strict=True):
                if arm not in grid.missing:
                    found.setdefault(arm, Point(arm, changed, size))
        return sorted(found.values(), key=lambda one: (one.changed, one.size))

    def left(self) -> Sequence[Point]:
        """The points that the screening leaves: those that miss no aim for sure.

        Its confidence holds for all statements of one point: of those that meet their aims one in 20 is lost at most.
        """
        confidence = 1 - (1 - self.screened.asked.confidence) / self.statements
        cells = dict.fromkeys(cell for cell, _ in self.screened.cells)
        verdicts = verdicts_of(self.screened, cells, confidence)
        return [one for one in self.points() if verdicts[one.arm] != "missed"]

    def lots(self) -> Iterator[Sequence[Point]]:
        """The points left, in lots."""
        left = self.left()
        for first in range(0, len(left), LOT):
            yield left[first : first + LOT]

    @property
    def confidence(self) -> float:
        """Of each statement of the confirmation: all of them hold together with the experiment's."""
        return 1 - (1 - self.screened.asked.confidence) / (self.statements * max(1, len(self.left())))

    def verdicts(self) -> dict[str, Verdict]:
        """Of each point that was confirmed whether it meets all aims, the smallest change first."""
        found: dict[str, Verdict] = {}
        for result in self.confirmed:
            found |= verdicts_of(result, dict.fromkeys(cell for cell, _ in result.cells), self.confidence)
        return found

    def best(self) -> str:
        """The arm of the smallest change that meets all aims; empty where none is known to."""
        return next((arm for arm, verdict in self.verdicts().items() if verdict == "met"), "")
