"""What is kept of many games: histograms of whole numbers, which add up to the same in any order, on any machine."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field

from generator.dataclass import dataclass

Histogram = Counter[int]
"""Value -> how many games had it."""


@dataclass(slots=True)
class Against:
    """Games held against those of the base arm with the same seeds: differences, and how many were the same games."""

    identical: int = 0
    differences: dict[str, Histogram] = field(default_factory=dict)

    def join(self, other: "Against") -> None:
        """Adds what other pairs of games showed."""
        self.identical += other.identical
        _add(self.differences, other.differences)


@dataclass(slots=True)
class Sums:
    """What the games of a cell were like, by the names of the measures; in the base arm `against` says nothing."""

    games: int = 0
    measures: dict[str, Histogram] = field(default_factory=dict)
    against: Against = field(default_factory=Against)

    def join(self, other: "Sums") -> None:
        """Adds other games."""
        self.games += other.games
        _add(self.measures, other.measures)
        self.against.join(other.against)


def _add(sums: dict[str, Histogram], more: Mapping[str, Histogram]) -> None:
    for name, histogram in more.items():
        sums.setdefault(name, Counter()).update(histogram)


def counted(values: Iterable[int]) -> Histogram:
    """The histogram of a numpy row or any other whole numbers."""
    import numpy as np

    found, times = np.unique(np.asarray(values, dtype=np.int64), return_counts=True)
    return Counter(dict(zip(found.tolist(), times.tolist(), strict=True)))
