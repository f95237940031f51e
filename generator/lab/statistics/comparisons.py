"""Comparisons: ratings, strengths, differences over strata, and the share of luck."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp, inf, isnan, log, log10, nan, sqrt

from generator.base.dataclass import dataclass
from generator.books.measure_names import Interval
from generator.lab.statistics.intervals import USUAL, exact_limits, mean_interval, moments, quantile_of_normal


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


_LOOSE = 9.0
"""The variance of what strengths are taken to be before any pair is seen: what always wins must not become infinite."""


def strengths(wins: Mapping[tuple[str, str], int], confidence: float = USUAL) -> dict[str, Interval]:
    """How likely each is preferred to an average one, from 0 to 1; `wins`: (one, other) -> how often one was.

    Bradley and Terry's model (Biometrika 39, 1952): the odds between two are the ratio of their strengths. Fitted as
    the most likely logarithms of strengths under a normal prior; intervals by the curvature there. Pairs are taken as
    independent of each other.
    """
    import numpy as np
    from scipy.optimize import minimize

    names = sorted({name for pair in wins for name in pair})
    if not names:
        return {}
    places = {name: at for at, name in enumerate(names)}
    first = np.array([places[one] for one, _ in wins])
    second = np.array([places[other] for _, other in wins])
    times = np.array(list(wins.values()), dtype=float)

    def cost(levels):  # type: ignore[no-untyped-def]
        gaps = levels[first] - levels[second]
        slope = -times / (1 + np.exp(gaps))
        by = np.bincount(first, slope, len(names)) - np.bincount(second, slope, len(names))
        return times @ np.logaddexp(0, -gaps) + levels @ levels / (2 * _LOOSE), by + levels / _LOOSE

    levels = minimize(cost, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    share = 1 / (1 + np.exp(levels[second] - levels[first]))
    weights = times * share * (1 - share)
    curvature = np.eye(len(names)) / _LOOSE
    for one, other, weight in zip(first, second, weights, strict=True):
        curvature[one, one] += weight
        curvature[other, other] += weight
        curvature[one, other] -= weight
        curvature[other, one] -= weight
    spread = np.linalg.inv(curvature)
    errors = np.sqrt(np.diag(spread) - 2 * spread.mean(axis=0) + spread.mean())
    centre, z = float(levels.mean()), quantile_of_normal(confidence)
    found = {}
    for name, at in places.items():
        level, half = float(levels[at]) - centre, z * float(errors[at])
        found[name] = Interval(_chance(level), _chance(level - half), _chance(level + half))
    return found


def _chance(level: float) -> float:
    return 1 / (1 + exp(-level))


RARE = 10
"""Wins or losses: with fewer, exact limits instead of Student's."""

_POINTS = 400
"""Points of a rating for ten times the strength (Elo 1978)."""


@dataclass(frozen=True, slots=True)
class RatingGap:
    """How much stronger one player is than another, in points of Elo, with its standard error."""

    points: float
    error: float


def match_interval(wins: Mapping[int, int], most: int, confidence: float = USUAL) -> Interval:
    """Where a share of wins lies, from a histogram of how much of `most` was won with each seed.

    Student's interval; with fewer than 10 wins or losses in sum the exact limits of a share seen in as many games as
    there are seeds: what is won with a seed varies no more than a whole game.
    """
    seeds, mean, spread = moments(wins)
    if not seeds:
        return Interval(0.5, 0.0, 1.0)
    won = sum(value * times for value, times in wins.items())
    rare = min(won, seeds * most - won)
    if rare >= RARE * most or (not spread and rare and seeds > 1):
        found = mean_interval(wins, confidence).divided(most)
        return Interval(found.at, max(0.0, found.low), min(1.0, found.high))
    low, _ = exact_limits(won // most, seeds, confidence)
    _, high = exact_limits(-(-won // most), seeds, confidence)
    return Interval(mean / most, low, high)


def elo(share: float, players: int) -> float:
    """By how many points one is stronger that wins so much against equal others; 0 for a fair share.

    Bradley's and Terry's model (Biometrika 39, 1952) for any number of seats: one of strength r wins r / (r + others).
    """
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return _POINTS * log10(share * (players - 1) / (1 - share))


def gap_of(wins: Mapping[int, int], most: int, players: int) -> RatingGap:
    """The difference of ratings that a match shows, by the delta method.

    Half a game is added to both sides, so that it is finite, and large in error, where everything is won.
    """
    seeds, _, spread = moments(wins)
    won = sum(value * times for value, times in wins.items()) / most
    share = (won + 1 / players) / (seeds + 1)
    variance = max(spread / most**2, 0.0) / max(1, seeds)
    if won in (0, seeds):
        variance = share * (1 - share) / (seeds + 1)
    return RatingGap(elo(share, players), _POINTS / log(10) * sqrt(variance) / (share * (1 - share)))


def ratings(players: Sequence[str], gaps: Mapping[tuple[str, str], RatingGap]) -> tuple[RatingGap, ...]:
    """The points of each player above the first, from matches between them: the least squares of their differences.

    Each match counts by the inverse square of its error, as if no two had a seed in common. What no matches lead to
    has an error without end.
    """
    import numpy as np

    number = len(players)
    weights, pulls = np.zeros((number, number)), np.zeros(number)
    for (one, other), gap in gaps.items():
        a, b, weight = players.index(one), players.index(other), 1 / max(gap.error, 1e-3) ** 2
        weights[a, a] += weight
        weights[b, b] += weight
        weights[a, b] -= weight
        weights[b, a] -= weight
        pulls[a] += weight * gap.points
        pulls[b] -= weight * gap.points
    reached = _reached(players, gaps)
    known = [at for at in range(1, number) if at in reached]
    found = [RatingGap(0.0, 0.0 if at == 0 else inf) for at in range(number)]
    if known:
        inverse = np.linalg.inv(weights[np.ix_(known, known)])
        points = inverse @ pulls[known]
        for place, at in enumerate(known):
            found[at] = RatingGap(float(points[place]), float(np.sqrt(inverse[place, place])))
    return tuple(found)


def _reached(players: Sequence[str], gaps: Mapping[tuple[str, str], RatingGap]) -> set[int]:
    """Whom a way of matches leads to from the first."""
    reached, new = {0}, {0}
    while new:
        new = {
            players.index(one) for pair in gaps for one, other in (pair, pair[::-1]) if players.index(other) in reached
        } - reached
        reached |= new
    return reached


Deal = Sequence[int]
"""Games alike in something: what each seat won in all of them, then the squares of what it won in each, summed."""


def shares_of_luck(kinds: Sequence[Sequence[Deal]], again: int, confidence: float = USUAL) -> tuple[Interval, ...]:
    """What each kind of likeness settles beyond the one before it, and last what none does: together they are 1.

    The share of a kind is [Var(p) - mean(v) / m] over that and mean(v): p are a deal's means in m games, v the variance
    within it; of 0 and 1 that is Var(p) - mean(p (1 - p) / (m - 1)) over p (1 - p), less the bias of the latter. Sums
    over the seats stand above and below. It is the intraclass correlation of one-way analysis of variance (Donner,
    International Statistical Review 54, 1986). Intervals by leaving out one deal after the other (Tukey's jackknife,
    with Student's quantiles): of each kind the same deals. Nothing is known where all games end alike, or of one deal.
    """
    deals = min(map(len, kinds))
    settled = [_settled(kind[:deals], again) for kind in kinds]
    if any(isnan(share) for whole, left in settled for share in (whole, *left)):
        return (Interval(0.0, 0.0, 1.0),) * (len(kinds) + 1)
    from scipy.stats import t

    steps: list[tuple[float, list[float]]] = [(0.0, [0.0] * deals), *settled, (1.0, [1.0] * deals)]
    found = []
    for (below, without), (above, left) in pairwise(steps):
        at = above - below
        each = [one - other for one, other in zip(left, without, strict=True)]
        mean = sum(each) / deals
        spread = sqrt((deals - 1) / deals * sum((one - mean) ** 2 for one in each))
        half = float(t.ppf((1 + confidence) / 2, deals - 1)) * spread
        found.append(Interval(*(min(1.0, max(0.0, end)) for end in (at, at - half, at + half))))
    return tuple(found)


def _settled(deals: Sequence[Deal], again: int) -> tuple[float, list[float]]:
    """The share of all deals, and that of all but each in turn; not a number where nothing differs."""
    seats = range(len(deals[0]) - 1)
    sums = [sum(deal[seat] for deal in deals) for seat in seats]
    products = [sum(deal[seat] ** 2 for seat in seats) for deal in deals]
    squares = [deal[-1] for deal in deals]
    total, inner = sum(products), sum(squares)

    def share(number: int, sums: Sequence[int], total: int, inner: int) -> float:
        # In whole numbers up to the last division: any order of adding gives the same.
        if number < 2:
            return nan
        among = (total - sum(one * one for one in sums) / number) / (number - 1) / again**2
        within = (inner - total / again) / (again - 1) / number
        settled = among - within / again
        return settled / (settled + within) if settled + within > 0 else nan

    left = [
        share(
            len(deals) - 1,
            [whole - deal[seat] for seat, whole in enumerate(sums)],
            total - products[at],
            inner - squares[at],
        )
        for at, deal in enumerate(deals)
    ]
    return share(len(deals), sums, total, inner), left
