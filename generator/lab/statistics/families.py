"""Many statements at once: which findings stand when one has looked at everything."""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist

from generator.lab.statistics.intervals import FEW, moments


def chance_of(mean: float, variance: float, games: int) -> float:
    """How often a mean at least so far from 0 comes by chance alone where there is no difference; 1 for no games."""
    if games < 2 or (variance <= 0 and mean == 0):
        return 1.0
    if variance <= 0:
        return 0.0
    return 2 * NormalDist().cdf(-abs(mean) / sqrt(variance / games))


def chance_of_pairs(differences: Mapping[int, int]) -> float:
    """How often pairs of games differ so much by chance alone; 1 where none does.

    With fewer than 50 pairs that differ by how many do in either direction: the sign test (McNemar's, exactly).
    """
    more, fewer = (sum(n for gap, n in differences.items() if gap * side > 0) for side in (1, -1))
    if not more + fewer:
        return 1.0
    if more + fewer < FEW:
        from scipy.stats import binom

        return min(1.0, 2 * float(binom.cdf(min(more, fewer), more + fewer, 0.5)))
    games, mean, variance = moments(differences)
    return chance_of(mean, variance, games)


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
