"""Many statements at once: which findings stand when one has looked at everything."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist


def chance_of(mean: float, variance: float, games: int) -> float:
    """How often a mean at least so far from 0 comes by chance alone where there is no difference; 1 for no games."""
    if games < 2 or (variance <= 0 and mean == 0):
        return 1.0
    if variance <= 0:
        return 0.0
    return 2 * NormalDist().cdf(-abs(mean) / sqrt(variance / games))


def holm(chances: Sequence[float]) -> list[float]:
    """Each chance as it counts among all of them (Holm, Scandinavian Journal of Statistics 6, 1979).

    What stays below 0.05 stands: one false finding in all, or more, comes in at most one of 20 such families.
    """
    adjusted = [0.0] * len(chances)
    reached = 0.0
    for rank, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        reached = max(reached, min(1.0, (len(chances) - rank) * chances[at]))
        adjusted[at] = reached
    return adjusted
