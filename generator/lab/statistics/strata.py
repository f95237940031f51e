"""Differences of shares over strata: cases compared with those of the same stratum alone."""

from collections.abc import Iterable, Sequence
from math import inf, sqrt

from generator.dataclass import dataclass
from generator.lab.numbers import Interval
from generator.lab.statistics.intervals import USUAL, quantile_of_normal


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its stratum, whether it belongs to the one group or to the other, and what came of it, from 0 to 1."""

    stratum: object
    first: bool
    outcome: float


def stratified_difference(clusters: Iterable[tuple[Sequence[Case], int]], confidence: float = USUAL) -> Interval:
    """What the first group has more than the other, over strata, each weighted by both groups' sizes.

    The estimate is that of Mantel and Haenszel (Journal of the National Cancer Institute 22, 1959) for differences, as
    Greenland and Robins give it (Biometrics 41, 1985). Cases of one cluster (the seats of a game, with how many such
    games there were) may depend on each other: the variance is that of the clusters' influence on the estimate. Nothing
    is known where no stratum has both groups, and where all outcomes are the same.
    """
    known = list(clusters)
    sizes: dict[tuple[object, bool], int] = {}
    sums: dict[tuple[object, bool], float] = {}
    for cases, times in known:
        for case in cases:
            group = case.stratum, case.first
            sizes[group] = sizes.get(group, 0) + times
            sums[group] = sums.get(group, 0.0) + case.outcome * times
    strata = [
        one for one in dict.fromkeys(stratum for stratum, _ in sizes) if {(one, True), (one, False)} <= set(sizes)
    ]
    weights = {one: sizes[one, True] * sizes[one, False] / (sizes[one, True] + sizes[one, False]) for one in strata}
    if not strata:
        return Interval(0.0, -inf, inf)
    whole = sum(weights.values())
    means = {group: sums[group] / sizes[group] for group in sizes}
    found = sum(weights[one] * (means[one, True] - means[one, False]) for one in strata) / whole
    spread = 0.0
    for cases, times in known:
        influence = 0.0
        for case in cases:
            if case.stratum in weights:
                group = case.stratum, case.first
                sign = 1 if case.first else -1
                influence += sign * weights[case.stratum] / whole * (case.outcome - means[group]) / sizes[group]
        spread += times * influence * influence
    if spread <= 0:
        return Interval(found, -inf, inf)
    half = quantile_of_normal(confidence) * sqrt(spread)
    return Interval(found, found - half, found + half)
