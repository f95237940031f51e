"""Intervals: where a share, a mean, a middle or a difference of two arms lies, with a stated confidence."""

from collections.abc import Mapping
from math import inf, sqrt
from statistics import NormalDist

from generator.lab.numbers import Interval

FEW = 50
"""Cases on either side: with fewer, exact limits instead of approximate ones."""

USUAL = 0.95


def quantile_of_normal(confidence: float, parts: int = 1) -> float:
    """How many standard deviations hold so much of a normal distribution, for each of so many statements at once.

    All of them hold together with this confidence at least (Bonferroni).
    """
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * parts))


def moments(histogram: Mapping[int, int]) -> tuple[int, float, float]:
    """Number, mean, and variance as estimated from them (with n - 1); 0 for none."""
    games = sum(histogram.values())
    if not games:
        return 0, 0.0, 0.0
    total = sum(value * times for value, times in histogram.items())
    squares = sum(value * value * times for value, times in histogram.items())
    # In whole numbers up to the last division: nothing is lost, and any order of adding gives the same.
    spread = squares * games - total * total
    return games, total / games, spread / (games * (games - 1)) if games > 1 else 0.0


def share_interval(seen: int, of: int, confidence: float = USUAL, parts: int = 1) -> Interval:
    """Where a share lies that was seen so often in so many games.

    Wilson's score interval (1927); with fewer than 50 games on either side the exact limits of Clopper and Pearson
    (1934), because Wilson's are too narrow there: 95 % become 91 at a share of 0.999 in 1,000 games.
    """
    if not of:
        return Interval(0.5, 0.0, 1.0)
    if min(seen, of - seen) < FEW:
        return Interval(seen / of, *exact_limits(seen, of, 1 - (1 - confidence) / parts))
    z = quantile_of_normal(confidence, parts)
    share, square = seen / of, z * z
    centre = (share + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def exact_limits(seen: int, of: int, confidence: float = USUAL) -> tuple[float, float]:
    """The limits of Clopper and Pearson (1934), from the quantiles of beta distributions."""
    from scipy.stats import beta

    outside = (1 - confidence) / 2
    low = float(beta.ppf(outside, seen, of - seen + 1)) if seen else 0.0
    high = float(beta.ppf(1 - outside, seen + 1, of - seen)) if seen < of else 1.0
    return low, high


def mean_interval(histogram: Mapping[int, int], confidence: float = USUAL, parts: int = 1) -> Interval:
    """Where the mean lies: Student's interval; nothing is known from a single game."""
    games, mean, variance = moments(histogram)
    if games < 2:
        return Interval(mean, -inf, inf)
    from scipy.stats import t

    half = float(t.ppf(1 - (1 - confidence) / (2 * parts), games - 1)) * sqrt(variance / games)
    return Interval(mean, mean - half, mean + half)


def quantile_interval(histogram: Mapping[int, int], share: float, confidence: float = USUAL) -> Interval:
    """Where the value lies that this share of all games does not exceed: by order statistics, whatever the shape.

    The ranks are quantiles of the binomial distribution of how many games lie below it (David and Nagaraja 2003, 7.1).
    """
    from scipy.stats import binom

    games = sum(histogram.values())
    if not games:
        return Interval(0.0, -inf, inf)
    outside = (1 - confidence) / 2
    low, high = int(binom.ppf(outside, games, share)), int(binom.ppf(1 - outside, games, share)) + 1
    values = (_ranked(histogram, rank) for rank in (max(1, -int(-share * games // 1)), low, high))
    at, least, most = values
    return Interval(at, least, most)


def _ranked(histogram: Mapping[int, int], rank: int) -> float:
    """The value of the game of this rank, from 1; no value bounds what lies beyond the first and the last."""
    if rank < 1:
        return -inf
    reached = 0
    for value in sorted(histogram):
        reached += histogram[value]
        if reached >= rank:
            return value
    return inf


def difference_interval(
    differences: Mapping[int, int], confidence: float = USUAL, parts: int = 1, *, whole: int = 0
) -> Interval:
    """Where the mean difference of two arms lies, from pairs of games on the same seed.

    Student's interval of the pairs. Of a share (`whole` is what its 1 is written as) with fewer than 50 pairs that
    differ, Tango's score interval (Statistics in Medicine 17, 1998), which holds where hardly any pair differs.
    """
    games = sum(differences.values())
    differ = games - differences.get(0, 0)
    if whole and differ < FEW and games and not set(differences) - {-whole, 0, whole}:
        z = quantile_of_normal(confidence, parts)
        more, fewer = differences.get(whole, 0), differences.get(-whole, 0)
        low, high = _score_limits(more, fewer, games, z)
        return Interval((more - fewer) / games * whole, low * whole, high * whole)
    return mean_interval(differences, confidence, parts)


def _score_limits(more: int, fewer: int, games: int, z: float) -> tuple[float, float]:
    """Where Tango's score statistic of the difference of two paired shares reaches z and -z."""

    def score(gap: float) -> float:
        a = 2 * games
        b = -more - fewer + (2 * games - more + fewer) * gap
        c = -fewer * gap * (1 - gap)
        alone = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
        spread = games * (2 * alone + gap * (1 - gap))
        return (more - fewer - games * gap) / sqrt(spread) if spread > 0 else inf * (more - fewer - games * gap or 0.0)

    seen = (more - fewer) / games
    return _crossing(score, z, -1.0, seen), _crossing(score, -z, seen, 1.0)


def _crossing(score, wanted: float, low: float, high: float) -> float:  # type: ignore[no-untyped-def]
    """Where a falling function passes a value."""
    for _ in range(100):
        middle = (low + high) / 2
        if score(middle) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def variance_saved(one: Mapping[int, int], base: Mapping[int, int], differences: Mapping[int, int]) -> float:
    """How many times as many games arms without common seeds would need for the same interval; 1 saves nothing."""
    apart = moments(one)[2] + moments(base)[2]
    together = moments(differences)[2]
    return apart / together if together else inf
