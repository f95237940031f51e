"""Intervals of shares, means and differences; they can hold for many statements at once, or at every look."""

from collections.abc import Callable, Mapping, Sequence
from math import exp, inf, lgamma, log, sqrt
from statistics import NormalDist
from typing import Literal

from generator.books.measure_names import Interval

FEW = 50
"""With fewer cases than this on either side, exact limits replace approximate ones."""

USUAL = 0.95


def quantile_of_normal(confidence: float, parts: int = 1) -> float:
    """Return z so that a normal value is within z standard deviations with this confidence.

    With `parts`, that many such statements hold together with at least this confidence (Bonferroni).
    """
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * parts))


def compute_moments(histogram: Mapping[int, int]) -> tuple[int, float, float]:
    """Return number, mean and sample variance (with n - 1), or zeros for an empty histogram."""
    games = sum(histogram.values())
    if not games:
        return 0, 0.0, 0.0
    total = sum(value * times for value, times in histogram.items())
    squares = sum(value * value * times for value, times in histogram.items())
    # All steps before the last division use whole numbers. So the result is exact, in any order of addition.
    spread = squares * games - total * total
    return games, total / games, spread / (games * (games - 1)) if games > 1 else 0.0


def share_interval(seen: int, games: int, confidence: float = USUAL, parts: int = 1) -> Interval:
    """Return the interval of a share, from the games in which it was seen and all games.

    Wilson's score interval (1927); with fewer than 50 games on either side the exact limits of Clopper and Pearson
    (1934), because Wilson's are too narrow there: 95 % become 91 at a share of 0.999 in 1,000 games.
    """
    if not games:
        return Interval(0.5, 0.0, 1.0)
    if min(seen, games - seen) < FEW:
        return Interval(seen / games, *exact_limits(seen, games, 1 - (1 - confidence) / parts))
    z = quantile_of_normal(confidence, parts)
    share, square = seen / games, z * z
    centre = (share + square / (2 * games)) / (1 + square / games)
    half = z / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games * games))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def exact_limits(seen: int, games: int, confidence: float = USUAL) -> tuple[float, float]:
    """Return the limits of Clopper and Pearson (1934), from the quantiles of beta distributions."""
    from scipy.stats import beta

    outside = (1 - confidence) / 2
    low = float(beta.ppf(outside, seen, games - seen + 1)) if seen else 0.0
    high = float(beta.ppf(1 - outside, seen + 1, games - seen)) if seen < games else 1.0
    return low, high


def mean_interval(histogram: Mapping[int, int], confidence: float = USUAL, parts: int = 1) -> Interval:
    """Return Student's interval of the mean. It is infinite for a single game."""
    games, mean, variance = compute_moments(histogram)
    if games < 2:
        return Interval(mean, -inf, inf)
    from scipy.stats import t

    half = float(t.ppf(1 - (1 - confidence) / (2 * parts), games - 1)) * sqrt(variance / games)
    return Interval(mean, mean - half, mean + half)


def quantile_interval(histogram: Mapping[int, int], share: float, confidence: float = USUAL) -> Interval:
    """Return the interval of the value that this share of games does not exceed, for any distribution.

    It uses order statistics: the ranks are quantiles of the binomial distribution of the number of games below the
    value (David and Nagaraja 2003, 7.1).
    """
    from scipy.stats import binom

    games = sum(histogram.values())
    if not games:
        return Interval(0.0, -inf, inf)
    outside = (1 - confidence) / 2
    low, high = int(binom.ppf(outside, games, share)), int(binom.ppf(1 - outside, games, share)) + 1
    values = (_value_at_rank(histogram, rank) for rank in (max(1, -int(-share * games // 1)), low, high))
    at, least, most = values
    return Interval(at, least, most)


def _value_at_rank(histogram: Mapping[int, int], rank: int) -> float:
    """Return the value of the game with this rank (1: the lowest), or an infinity for a rank that does not exist."""
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
    """Return the interval of the mean difference of two arms, from pairs of games on the same seed.

    Student's interval of the pairs. For a share (`whole` represents 1) with fewer than 50 pairs that differ, Tango's
    score interval (Statistics in Medicine 17, 1998), which is valid even if hardly any pair differs.
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
    """Return the differences at which Tango's score statistic of two paired shares equals z and -z."""

    def score(gap: float) -> float:
        a = 2 * games
        b = -more - fewer + (2 * games - more + fewer) * gap
        c = -fewer * gap * (1 - gap)
        alone = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
        spread = games * (2 * alone + gap * (1 - gap))
        return (more - fewer - games * gap) / sqrt(spread) if spread > 0 else inf * (more - fewer - games * gap or 0.0)

    seen = (more - fewer) / games
    return _find_crossing(score, z, -1.0, seen), _find_crossing(score, -z, seen, 1.0)


def _find_crossing(score, wanted: float, low: float, high: float) -> float:  # type: ignore[no-untyped-def]
    """Return where a decreasing function takes the value `wanted`, between `low` and `high`."""
    for _ in range(100):
        middle = (low + high) / 2
        if score(middle) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def saved_games_factor(one: Mapping[int, int], base: Mapping[int, int], differences: Mapping[int, int]) -> float:
    """Return how many times as many games would be needed without common seeds. 1: common seeds save nothing."""
    apart = compute_moments(one)[2] + compute_moments(base)[2]
    together = compute_moments(differences)[2]
    return apart / together if together else inf


def chance_of_mean(mean: float, variance: float, games: int) -> float:
    """Return the probability of a mean at least as far from 0 by chance alone, or 1 for too few games."""
    if games < 2 or (variance <= 0 and mean == 0):
        return 1.0
    if variance <= 0:
        return 0.0
    return 2 * NormalDist().cdf(-abs(mean) / sqrt(variance / games))


def chance_of_pairs(differences: Mapping[int, int]) -> float:
    """Return the probability of such differences between pairs by chance alone, or 1 if no pair differs.

    With fewer than 50 pairs that differ, the exact sign test (McNemar's) is used.
    """
    more, fewer = (sum(n for gap, n in differences.items() if gap * side > 0) for side in (1, -1))
    if not more + fewer:
        return 1.0
    if more + fewer < FEW:
        from scipy.stats import binom

        return min(1.0, 2 * float(binom.cdf(min(more, fewer), more + fewer, 0.5)))
    games, mean, variance = compute_moments(differences)
    return chance_of_mean(mean, variance, games)


def adjust_holm(chances: Sequence[float]) -> list[float]:
    """Return the probabilities adjusted for their number (Holm, Scandinavian Journal of Statistics 6, 1979).

    Values below 0.05 are significant: at most one in 20 such families contains a false finding.
    """
    adjusted = [0.0] * len(chances)
    reached = 0.0
    for rank, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        reached = max(reached, min(1.0, (len(chances) - rank) * chances[at]))
        adjusted[at] = reached
    return adjusted


def mean_sequence(histogram: Mapping[int, int], planned: int, confidence: float = USUAL) -> Interval:
    """Return the interval of the mean, valid at any number of looks. It is narrowest near `planned` games.

    Robbins' normal mixture, asymptotic (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024,
    theorem 2.2; its parameter by their formula 7).
    """
    games, mean, variance = compute_moments(histogram)
    if games < 2:
        return Interval(mean, -inf, inf)
    alpha = 1 - confidence
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / max(2, planned)
    inner = games * rho + 1
    half = sqrt(variance) * sqrt(2 * inner / (games * games * rho) * log(sqrt(inner) / alpha))
    return Interval(mean, mean - half, mean + half)


def share_sequence(seen: int, games: int, confidence: float = USUAL) -> Interval:
    """Return the interval of a share, valid at any number of looks.

    It uses a beta mixture of binomials (Robbins 1970) and is valid for any number of games, however small.
    """
    if not games:
        return Interval(0.5, 0.0, 1.0)
    bound = -log(1 - confidence)
    mixed = lgamma(seen + 0.5) + lgamma(games - seen + 0.5) - lgamma(games + 1) - 2 * lgamma(0.5)

    def against(share: float) -> float:
        """Return the logarithm of the gain of a bet against this value of the share."""
        believed = (seen * log(share) if seen else 0.0) + ((games - seen) * log(1 - share) if seen < games else 0.0)
        return mixed - believed

    at = seen / games
    tiny = exp(-40)
    low = 0.0 if not seen else _find_edge(against, bound, tiny, at)
    high = 1.0 if seen == games else _find_edge(against, bound, 1 - tiny, at)
    return Interval(at, low, high)


def difference_sequence(
    differences: Mapping[int, int], planned: int, confidence: float = USUAL, *, whole: int = 0
) -> Interval:
    """Return the interval of the mean difference of two arms on the same seeds, valid at any number of looks.

    For a share (`whole` represents 1) with fewer than 50 pairs that differ, it combines the shares of differences in
    each direction. A mean of nearly 0 would look certain otherwise.
    """
    games, mean, _ = compute_moments(differences)
    more, fewer = (sum(n for gap, n in differences.items() if gap * side > 0) for side in (1, -1))
    if not whole or more + fewer >= FEW:
        return mean_sequence(differences, planned, confidence)
    up, down = (share_sequence(seen, games, (1 + confidence) / 2) for seen in (more, fewer))
    sure = not set(differences) - {-whole, 0, whole}  # of parts of a game nobody knows the least
    least, most = (up.low, down.low) if sure else (0.0, 0.0)
    return Interval(mean, (least - down.high) * whole, (up.high - most) * whole)


def _find_edge(against: Callable[[float], float], bound: float, outside: float, inside: float) -> float:
    """Return where the bet's gain reaches `bound`, between a rejected share (`outside`) and the observed one."""
    for _ in range(100):
        middle = (outside + inside) / 2
        if against(middle) > bound:
            outside = middle
        else:
            inside = middle
    return outside


Verdict = Literal["met", "missed", "open"]


def judge_interval(interval: Interval, low: float, high: float) -> Verdict:
    """Return whether a value meets an aim's limits, both included: "met", "missed" or "open".

    Both one-sided tests together are the test for equivalence (Schuirmann, Journal of Pharmacokinetics 15, 1987): an
    interval inside the limits proves that the aim is met, one entirely outside that it is missed.
    """
    if low <= interval.low and interval.high <= high:
        return "met"
    if interval.high < low or high < interval.low:
        return "missed"
    return "open"
