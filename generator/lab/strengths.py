"""Strengths: how strong bots and options are, and which share of results is luck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, inf, isnan, log, log10, nan, sqrt

from generator.books.measure_names import Interval
from generator.lab.statistics import USUAL, compute_moments, exact_limits, mean_interval, quantile_of_normal

_LOOSE = 9.0
"""Variance of the normal prior of log strengths, which keeps the strength of an unbeaten option finite."""


def estimate_strengths(wins: Mapping[tuple[str, str], int], confidence: float = USUAL) -> dict[str, Interval]:
    """Return the probability that each option is preferred to an average one. `wins`: (one, other) -> times.

    Bradley and Terry's model (Biometrika 39, 1952): the odds between two are the ratio of their strengths. The
    logarithms of strengths are fitted by maximum likelihood under a normal prior, with intervals from the curvature
    there. Pairs are treated as independent.
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
        found[name] = Interval(*(1 / (1 + exp(-end)) for end in (level, level - half, level + half)))
    return found


RARE = 10
"""With fewer wins or losses than this, exact limits replace Student's interval."""

_POINTS = 400
"""Elo points for a tenfold strength (Elo 1978)."""


@dataclass(frozen=True, slots=True)
class RatingGap:
    """Difference in strength of two players in Elo points, with its standard error."""

    points: float
    error: float


def match_interval(wins: Mapping[int, int], most: int) -> Interval:
    """Return the interval of the share of wins in a match. `wins`: wins per seed (0 to `most`) -> number of seeds.

    Student's interval; with fewer than 10 wins or losses in sum the exact limits of a share with as many games as
    seeds, because wins per seed vary no more than a whole game.
    """
    seeds, mean, spread = compute_moments(wins)
    if not seeds:
        return Interval(0.5, 0.0, 1.0)
    won = sum(value * times for value, times in wins.items())
    rare = min(won, seeds * most - won)
    if rare >= RARE * most or (not spread and rare and seeds > 1):
        found = mean_interval(wins, USUAL).divide_by(most)
        return Interval(found.at, max(0.0, found.low), min(1.0, found.high))
    low, high = exact_limits(won // most, seeds, USUAL)[0], exact_limits(-(-won // most), seeds, USUAL)[1]
    return Interval(mean / most, low, high)


def estimate_rating_gap(wins: Mapping[int, int], most: int, players: int) -> RatingGap:
    """Return the rating difference of a match by the delta method; 0 for a fair share. `wins` as in `match_interval`.

    Bradley's and Terry's model (Biometrika 39, 1952) for any number of seats: one of strength r wins r / (r + others).
    Half a game is added to both sides. So the difference is finite, with a large error, if one side wins everything.
    """
    seeds, _, spread = compute_moments(wins)
    won = sum(value * times for value, times in wins.items()) / most
    share = (won + 1 / players) / (seeds + 1)
    variance = max(spread / most**2, 0.0) / max(1, seeds)
    if won in (0, seeds):
        variance = share * (1 - share) / (seeds + 1)
    points = _POINTS * log10(share * (players - 1) / (1 - share))
    return RatingGap(points, _POINTS / log(10) * sqrt(variance) / (share * (1 - share)))


def estimate_ratings(players: Sequence[str], gaps: Mapping[tuple[str, str], RatingGap]) -> tuple[RatingGap, ...]:
    """Return each player's rating above the first by least squares over the matches.

    Each match is weighted by the inverse square of its error, as if no two shared a seed. Players that are not
    connected to the first have an infinite error.
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
    reached, new = {0}, {0}
    while new:
        new = {
            players.index(one) for pair in gaps for one, other in (pair, pair[::-1]) if players.index(other) in reached
        } - reached
        reached |= new
    known = [at for at in range(1, number) if at in reached]
    found = [RatingGap(0.0, 0.0 if at == 0 else inf) for at in range(number)]
    if known:
        inverse = np.linalg.inv(weights[np.ix_(known, known)])
        points = inverse @ pulls[known]
        for place, at in enumerate(known):
            found[at] = RatingGap(float(points[place]), float(np.sqrt(inverse[place, place])))
    return tuple(found)


_TINY = 1e-18
"""Smallest term of a ratio of variances, which keeps its logarithm finite."""

Deal = Sequence[int]
"""A deal played several times: each seat's total win, then the sum of the squares of all single wins."""


def estimate_luck_shares(kinds: Sequence[Sequence[Deal]], again: int) -> tuple[Interval, ...]:
    """Return how much of wins each kind of deals settles beyond the kind before, then what is left. The sum is 1.

    A kind fixes more of the chance than the one before; each deal of it was played `again` (m) times. A kind's share is
    [Var(p) - mean(v) / m] over that and mean(v): p are a deal's means in m games, v the variance within it; of 0 and 1
    that is Var(p) - mean(p (1 - p) / (m - 1)) over p (1 - p), less the bias of the latter. Sums over the seats are over
    and under the fraction bar. It is the intraclass correlation of one-way analysis of variance (Donner, International
    Statistical Review 54, 1986). Intervals by Tukey's jackknife over deals, with Student's quantiles, omitting the same
    deals of each kind. First and last are those of the logarithm of the ratio of variances, (1 + (m - 1) share) / (1 -
    share), which is nearly normal even for 50 deals. All are 0 to 1 if all games end alike, or for a single deal.
    """
    deals = min(map(len, kinds))
    settled = [_settled_shares(kind[:deals], again) for kind in kinds]
    if any(isnan(share) for whole, left in settled for share in (whole, *left)):
        return (Interval(0.0, 0.0, 1.0),) * (len(kinds) + 1)
    from scipy.stats import t

    wide = float(t.ppf((1 + USUAL) / 2, deals - 1)) * sqrt((deals - 1) / deals)

    def limit(at: float, left: Sequence[float]) -> tuple[float, float]:
        mean = sum(left) / deals
        half = wide * sqrt(sum((one - mean) ** 2 for one in left))
        return at - half, at + half

    def limit_share(at: float, left: Sequence[float]) -> tuple[float, float]:
        ends = limit(_log_ratio(at, again), [_log_ratio(share, again) for share in left])
        low, high = ((exp(end) - 1) / (exp(end) + again - 1) for end in ends)
        return low, high

    found = [(settled[0][0], *limit_share(*settled[0]))]
    for (below, without), (above, left) in pairwise(settled):
        steps = [one - other for one, other in zip(left, without, strict=True)]
        found.append((above - below, *limit(above - below, steps)))
    low, high = limit_share(*settled[-1])
    found.append((1 - settled[-1][0], 1 - high, 1 - low))
    return tuple(Interval(*(min(1.0, max(0.0, end)) for end in row)) for row in found)


def _log_ratio(share: float, again: int) -> float:
    """Return log(variance of single games between deals / within) for the share of wins that a deal settles."""
    return log(max(_TINY, 1 + (again - 1) * share) / max(_TINY, 1 - share))


def _settled_shares(deals: Sequence[Deal], again: int) -> tuple[float, list[float]]:
    """Return the share of wins that deals settle, over all deals and without each in turn; NaN for equal wins."""
    seats = range(len(deals[0]) - 1)
    sums = [sum(deal[seat] for deal in deals) for seat in seats]
    products = [sum(deal[seat] ** 2 for seat in seats) for deal in deals]
    squares = [deal[-1] for deal in deals]
    total, inner = sum(products), sum(squares)

    def share(number: int, sums: Sequence[int], total: int, inner: int) -> float:
        # All steps before the last division use whole numbers. So the order of addition does not matter.
        if number < 2:
            return nan
        among = (total - sum(one * one for one in sums) / number) / (number - 1) / again**2
        within = (inner - total / again) / (again - 1) / number
        settled = among - within / again
        return settled / (settled + within) if settled + within > 0 else nan

    others = [[whole - deal[seat] for seat, whole in enumerate(sums)] for deal in deals]
    left = [share(len(deals) - 1, others[at], total - products[at], inner - squares[at]) for at in range(len(deals))]
    return share(len(deals), sums, total, inner), left
