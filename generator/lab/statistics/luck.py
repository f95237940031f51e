"""The share of luck: how much of the differences between games is settled by what they have in common."""

from collections.abc import Sequence
from itertools import pairwise
from math import isnan, nan, sqrt

from generator.lab.numbers import Interval
from generator.lab.statistics.intervals import USUAL

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
