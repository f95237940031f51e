"""Confidence sequences: intervals that hold at every look at once: one may stop whenever one has seen enough."""

from collections.abc import Callable, Mapping
from math import exp, inf, lgamma, log, sqrt

from generator.lab.numbers import Interval
from generator.lab.statistics.intervals import FEW, USUAL, moments


def mean_sequence(histogram: Mapping[int, int], planned: int, confidence: float = USUAL) -> Interval:
    """Where the mean lies, at however many looks: narrowest at about `planned` games.

    Robbins' normal mixture, asymptotic (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024,
    theorem 2.2; its parameter by their formula 7).
    """
    games, mean, variance = moments(histogram)
    if games < 2:
        return Interval(mean, -inf, inf)
    alpha = 1 - confidence
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / max(2, planned)
    inner = games * rho + 1
    half = sqrt(variance) * sqrt(2 * inner / (games * games * rho) * log(sqrt(inner) / alpha))
    return Interval(mean, mean - half, mean + half)


def share_sequence(seen: int, of: int, confidence: float = USUAL) -> Interval:
    """Where a share lies, at however many looks: the mixture of binomials by a beta distribution (Robbins 1970).

    It holds for any number of games, small ones too.
    """
    if not of:
        return Interval(0.5, 0.0, 1.0)
    bound = -log(1 - confidence)
    mixed = lgamma(seen + 0.5) + lgamma(of - seen + 0.5) - lgamma(of + 1) - 2 * lgamma(0.5)

    def against(share: float) -> float:
        """The logarithm of what a bet against this share would have won."""
        believed = (seen * log(share) if seen else 0.0) + ((of - seen) * log(1 - share) if seen < of else 0.0)
        return mixed - believed

    at = seen / of
    tiny = exp(-40)
    low = 0.0 if not seen else _edge(against, bound, tiny, at)
    high = 1.0 if seen == of else _edge(against, bound, 1 - tiny, at)
    return Interval(at, low, high)


def difference_sequence(
    differences: Mapping[int, int], planned: int, confidence: float = USUAL, *, whole: int = 0
) -> Interval:
    """Where the mean difference of two arms lies, from pairs of games on the same seed, at however many looks.

    Of a share (`whole` is what its 1 is written as) with fewer than 50 pairs that differ it is put together of how
    often they differ in either direction: a mean of next to nothing would seem to be known for sure.
    """
    games, mean, _ = moments(differences)
    more, fewer = (sum(n for gap, n in differences.items() if gap * side > 0) for side in (1, -1))
    if not whole or more + fewer >= FEW:
        return mean_sequence(differences, planned, confidence)
    up, down = (share_sequence(seen, games, (1 + confidence) / 2) for seen in (more, fewer))
    sure = not set(differences) - {-whole, 0, whole}  # of parts of a game nobody knows the least
    least, most = (up.low, down.low) if sure else (0.0, 0.0)
    return Interval(mean, (least - down.high) * whole, (up.high - most) * whole)


def _edge(against: Callable[[float], float], bound: float, outside: float, inside: float) -> float:
    """Where the bet reaches the bound, between a share that is refuted and the one that was seen."""
    for _ in range(100):
        middle = (outside + inside) / 2
        if against(middle) > bound:
            outside = middle
        else:
            inside = middle
    return outside
