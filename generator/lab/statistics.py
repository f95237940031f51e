"""Statistics: intervals, also those that hold at every look, tests, and differences over strata."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, hypot, inf, isfinite, lgamma, log, sqrt
from statistics import NormalDist
from typing import Literal, TypeAlias

from generator.books.measure_names import Interval
from generator.play.tally import wilson_interval

FEW = 50
"""With fewer cases than this on either side, exact limits replace approximate ones."""

SELDOM = 100
"""With fewer values than this that differ from all others, the number and the size of such values limit their mean."""

_ALONE, _WIDEST = 39.5, 40.0
"""Factor between a single size and the limits of the mean size (exponential sizes); logarithm of the largest factor."""

USUAL = 0.95


def quantile_of_normal(confidence: float) -> float:
    """Return z so that a normal value is within z standard deviations with this confidence."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / 2)


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


def share_interval(seen: int, games: int, confidence: float = USUAL) -> Interval:
    """Return the interval of a share, from the games in which it was seen and all games.

    Wilson's score interval (1927); with fewer than 50 games on either side the exact limits of Clopper and Pearson
    (1934), because Wilson's are too narrow there: 95 % become 91 at a share of 0.999 in 1,000 games.
    """
    if not games:
        return Interval(0.5, 0.0, 1.0)
    if min(seen, games - seen) < FEW:
        return Interval(seen / games, *exact_limits(seen, games, confidence))
    return Interval(seen / games, *wilson_interval(seen, games, quantile_of_normal(confidence)))


def exact_limits(seen: int, games: int, confidence: float = USUAL) -> tuple[float, float]:
    """Return the limits of the share `seen` / `games` by Clopper and Pearson (1934), from beta distributions."""
    from scipy.stats import beta

    outside = (1 - confidence) / 2
    low = float(beta.ppf(outside, seen, games - seen + 1)) if seen else 0.0
    high = float(beta.ppf(1 - outside, seen + 1, games - seen)) if seen < games else 1.0
    return low, high


def mean_interval(histogram: Mapping[int, int], confidence: float = USUAL) -> Interval:
    """Return the interval of the mean: Student's, or that of rare values. It is infinite for a single game.

    If all games have the same value, so have both limits: then only the share of such games is known.
    """
    limits, half = _fixed_limits(confidence)
    return _limit_mean(histogram, half, limits, half)


def _is_rare(number: int, games: int) -> bool:
    return number < min(SELDOM, games / 5)


def _student_half(variance: float, number: int, confidence: float) -> float:
    from scipy.stats import t

    return float(t.ppf(1 - (1 - confidence) / 2, number - 1)) * sqrt(variance / number)


ShareLimits: TypeAlias = Callable[[int, int], tuple[float, float]]
"""Takes how many of how many games; returns the limits of the share."""

HalfWidth: TypeAlias = Callable[[float, int], float]
"""Takes a sample variance and a number of values; returns the half width of their mean's interval."""


def _fixed_limits(confidence: float) -> tuple[ShareLimits, HalfWidth]:
    """Return two functions for a fixed number of games: one gives a share's limits, one a mean's half width."""
    z = quantile_of_normal(confidence)
    shares = lambda seen, games: wilson_interval(seen, games, z)  # noqa: E731 - as short as its use
    return shares, lambda variance, number: _student_half(variance, number, confidence)


def _limit_mean(histogram: Mapping[int, int], half: HalfWidth, limits: ShareLimits, rare_half: HalfWidth) -> Interval:
    """Return the interval of the mean: by `half`, or if nearly all values are equal, by `limits` and `rare_half`."""
    games, mean, variance = compute_moments(histogram)
    if games < 2:
        return Interval(mean, -inf, inf)
    usual = max(histogram, key=lambda value: histogram[value])
    if len(histogram) > 1 and _is_rare(games - histogram[usual], games):
        rest = {value - usual: times for value, times in histogram.items()}
        found = rare_interval(rest, inf, limits, rare_half)
        return Interval(mean, usual + found.low, usual + found.high)
    wide = half(variance, games)
    return Interval(mean, mean - wide, mean + wide)


def rare_interval(values: Mapping[int, int], reach: float, limits: ShareLimits, half: HalfWidth) -> Interval:
    """Return the interval of the mean of values that are 0 in nearly all games, each at most `reach` from 0.

    If `reach` is infinite, the largest value limits those on a side of 0 where none was seen. `limits` gives the limits
    of the share of values on a side of 0, `half` the half width of their mean size.
    Such a mean is the share of games above 0 times their mean size, less the same below 0. The limits of shares and
    sizes are combined as for independent figures (MOVER; Donner and Zou, Statistical Methods in Medical Research 21,
    2012). Sizes are positive and mostly skewed, so their limits are symmetrical on a logarithmic scale.
    """
    games = sum(values.values())
    sides = []
    for sign in (1, -1):
        sizes = {value * sign: times for value, times in values.items() if value * sign > 0}
        number, mean, variance = compute_moments(sizes)
        low, high = limits(number, games)
        if not number:
            sides.append((0.0, 0.0, high * (reach if isfinite(reach) else max(map(abs, values)))))
            continue
        factor = exp(min(half(variance, number) / mean, _WIDEST)) if number > 1 else _ALONE
        share, largest = number / games, max(mean, min(mean * factor, reach))
        below = hypot((share - low) * mean, share * (mean - mean / factor))
        above = hypot((high - share) * mean, share * (largest - mean))
        sides.append((share * mean, max(0.0, share * mean - below), min(high * reach, share * mean + above)))
    (up, up_low, up_high), (down, down_low, down_high) = sides
    low = up - down - hypot(up - up_low, down_high - down)
    return Interval(up - down, low, up - down + hypot(up_high - up, down - down_low))


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
    return Interval(*(_value_at_rank(histogram, rank) for rank in (max(1, -int(-share * games // 1)), low, high)))


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
    differences: Mapping[int, int], reach: float, confidence: float = USUAL, *, whole: int = 0
) -> Interval:
    """Return the interval of the mean difference of two arms, from pairs of games on the same seed.

    Student's interval of the pairs; with fewer than 100 pairs that differ, that of rare values, where `reach` is the
    largest possible difference. For a share (`whole` represents 1) with fewer than 50 pairs that differ, Tango's score
    interval (Statistics in Medicine 17, 1998).
    """
    games = sum(differences.values())
    differ = games - differences.get(0, 0)
    if whole and differ < FEW and games and not set(differences) - {-whole, 0, whole}:
        z = quantile_of_normal(confidence)
        more, fewer = differences.get(whole, 0), differences.get(-whole, 0)
        low, high = _score_limits(more, fewer, games, z)
        return Interval((more - fewer) / games * whole, low * whole, high * whole)
    if games > 1 and _is_rare(differ, games):
        return rare_interval(differences, reach, *_fixed_limits(confidence))
    games, mean, variance = compute_moments(differences)
    half = _student_half(variance, games, confidence) if games > 1 else inf
    return Interval(mean, mean - half, mean + half)


def _score_limits(more: int, fewer: int, games: int, z: float) -> tuple[float, float]:
    """Return the low and high mean difference at which Tango's score statistic is z and -z: the limits of the interval.

    Of `games` pairs, `more` have the difference 1 and `fewer` have -1.
    """

    def score(gap: float) -> float:
        a = 2 * games
        b = -more - fewer + (2 * games - more + fewer) * gap
        c = -fewer * gap * (1 - gap)
        alone = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
        spread = games * (2 * alone + gap * (1 - gap))
        return (more - fewer - games * gap) / sqrt(spread) if spread > 0 else inf * (more - fewer - games * gap or 0.0)

    seen = (more - fewer) / games
    return _find_edge(score, z, -1.0, seen), _find_edge(score, -z, seen, 1.0)


def _find_edge(score: Callable[[float], float], bound: float, outside: float, inside: float) -> float:
    """Return where a falling function has the value `bound`: at `outside` it is greater, at `inside` it is not."""
    for _ in range(100):
        middle = (outside + inside) / 2
        if score(middle) > bound:
            outside = middle
        else:
            inside = middle
    return outside


def saved_games_factor(one: Mapping[int, int], base: Mapping[int, int], differences: Mapping[int, int]) -> float:
    """Return how many times as many games the arms `one` and `base` would need without common seeds. 1: no saving."""
    apart = compute_moments(one)[2] + compute_moments(base)[2]
    together = compute_moments(differences)[2]
    return apart / together if together else inf


def chance_of_mean(mean: float, variance: float, games: int) -> float:
    """Return the probability of a mean at least as far from 0 by chance; 1 below two games. `variance`: of one game."""
    if games < 2 or (variance <= 0 and mean == 0):
        return 1.0
    if variance <= 0:
        return 0.0
    return 2 * NormalDist().cdf(-abs(mean) / sqrt(variance / games))


def chance_of_pairs(differences: Mapping[int, int]) -> float:
    """Return the two-sided p-value of paired results; `differences` counts pairs by their difference.

    Below 50 pairs that differ it is that of the exact sign test, else of the normal distribution; 1 if no pair differs.
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
    theorem 2.2; its parameter by their formula 7). If nearly all games have the same value, the sequence of rare ones.
    """
    half: HalfWidth = lambda variance, number: _mixture_half(variance, number, planned, confidence)  # noqa: E731
    return _limit_mean(histogram, half, *_lasting_limits(confidence))


def _mixture_half(variance: float, number: int, planned: int, confidence: float) -> float:
    alpha = 1 - confidence
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / max(2, planned)
    inner = number * rho + 1
    return sqrt(variance) * sqrt(2 * inner / (number * number * rho) * log(sqrt(inner) / alpha))


def _lasting_limits(confidence: float) -> tuple[ShareLimits, HalfWidth]:
    """Return two functions whose results hold at every look: one gives a share's limits, one a mean's half width."""

    def limit_share(seen: int, games: int) -> tuple[float, float]:
        found = share_sequence(seen, games, (1 + confidence) / 2)
        return found.low, found.high

    return limit_share, lambda variance, number: _mixture_half(variance, number, FEW, confidence)


def share_sequence(seen: int, games: int, confidence: float = USUAL) -> Interval:
    """Return the interval of a share, valid at any number of looks and of games (a beta mixture, Robbins 1970)."""
    if not games:
        return Interval(0.5, 0.0, 1.0)
    bound = -log(1 - confidence)
    mixed = lgamma(seen + 0.5) + lgamma(games - seen + 0.5) - lgamma(games + 1) - 2 * lgamma(0.5)

    def against(share: float) -> float:
        """Return the logarithm of the gain of a bet against this value of the share."""
        believed = (seen * log(share) if seen else 0.0) + ((games - seen) * log(1 - share) if seen < games else 0.0)
        return mixed - believed

    at, tiny = seen / games, exp(-40)
    low = _find_edge(against, bound, tiny, at) if seen else 0.0
    high = _find_edge(against, bound, 1 - tiny, at) if seen < games else 1.0
    return Interval(at, low, high)


def difference_sequence(
    differences: Mapping[int, int], planned: int, reach: float, confidence: float = USUAL, *, whole: int = 0
) -> Interval:
    """Return the interval of the mean difference of two arms on the same seeds, valid at any number of looks.

    With fewer than 100 pairs that differ, it is the sequence of rare values, where `reach` is the largest possible
    difference; before any pair differs, `reach` alone bounds it. For a share, `whole` represents 1.
    """
    games = sum(differences.values())
    if games > 1 and _is_rare(games - differences.get(0, 0), games):
        return rare_interval(differences, whole or reach, *_lasting_limits(confidence))
    games, mean, variance = compute_moments(differences)
    half = _mixture_half(variance, games, planned, confidence) if games > 1 else inf
    return Interval(mean, mean - half, mean + half)


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


@dataclass(frozen=True, slots=True)
class OutcomeCase:
    """One case of a comparison of two groups: its stratum, whether it is in the first group, its outcome (0 to 1)."""

    stratum: object
    first: bool
    outcome: float


def estimate_difference(clusters: Iterable[tuple[Sequence[OutcomeCase], int]], confidence: float = USUAL) -> Interval:
    """Return how much higher the first group's outcome is than the second's, averaged over strata.

    The estimate is that of Mantel and Haenszel (Journal of the National Cancer Institute 22, 1959) for differences, as
    Greenland and Robins give it (Biometrics 41, 1985). Cases of one cluster (the seats of a game, with the number of
    such games) may depend on each other: the variance is that of the clusters' influence on the estimate. The interval
    is infinite if no stratum has both groups, or if all outcomes are equal.
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
