"""What a card drawn by chance is worth: the luck of draws held against who wins.

Who draws more cards has more of every design, and who plays longer draws more: seats that drew a design win more often,
whatever it is worth. What no play can change is which card of a pile comes. So each draw counts by its luck: 1 for the
design less the chance that it had, or 0 less that chance; that has a mean of 0 in every game. Luck is an instrument in
the sense of Wright (The Tariff on Animal and Vegetable Oils, 1928, appendix B): the part of the wins that goes with it,
divided by the part of having the design that goes with it, is the difference that having it makes, and nothing else.
It needs no strata: luck is the same to all seats and numbers of players.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, sqrt

from generator.dataclass import dataclass
from generator.lab.cards.story import CERTAIN
from generator.lab.numbers import Interval
from generator.lab.statistics.intervals import USUAL, quantile_of_normal

# Of each game three numbers (gains by luck, having by luck, luck), summed over its seats; what is kept are their sums,
# the sums of their products, of all gains, and how many seats had the design and how many there were.
GAMES, GAIN, HAVING, LUCK = range(4)
GAIN_GAIN, GAIN_HAVING, GAIN_LUCK, HAVING_HAVING, HAVING_LUCK, LUCK_LUCK, GAINED, HAD, SEATS = range(4, 13)


def luck_sums(gains: Sequence[int], drawn: Sequence[bool], luck: Sequence[int]) -> Mapping[int, int]:
    """The sums of one game: each seat's part of the win less its fair part, whether it drew the design, its luck."""
    gain = sum(by * much for by, much in zip(gains, luck, strict=True))
    having = sum(much for had, much in zip(drawn, luck, strict=True) if had)
    all_luck = sum(luck)
    return {
        GAMES: 1, GAIN: gain, HAVING: having, LUCK: all_luck,
        GAIN_GAIN: gain * gain, GAIN_HAVING: gain * having, GAIN_LUCK: gain * all_luck,
        HAVING_HAVING: having * having, HAVING_LUCK: having * all_luck, LUCK_LUCK: all_luck * all_luck,
        GAINED: sum(gains), HAD: sum(drawn), SEATS: len(drawn),
    }  # fmt: skip


_CLEAR = 4.0
"""So many standard deviations luck must move who has a design, for the ratio's interval to hold."""

_NOTHING = 1e-9
"""A variance that is left of rounding."""


@dataclass(frozen=True, slots=True)
class LuckTable:
    """The sums of one table for one design; gains are `whole` times as large as parts of a win."""

    sums: Mapping[int, int]
    whole: int


def worth_of_drawing(tables: Iterable[LuckTable], confidence: float = USUAL) -> Interval:
    """What it adds to a seat's share of wins, from -1 to 1, to have drawn the design instead of other cards.

    The ratio of both parts, its interval by the spread of its residuals from game to game, so that seats of one game
    may depend on each other; all tables together. Nothing is known where draws hardly decide who has it, and where
    all games end alike.
    """
    known = [table for table in tables if table.sums.get(SEATS)]
    having, noise = (sum(parts) for parts in zip(*(_weighed(table, 0.0, 1.0) for table in known), strict=True))
    if having <= _CLEAR * sqrt(noise) or having <= 0:
        return Interval(0.0, -inf, inf)
    worth = sum(_weighed(table, 1.0, 0.0)[0] for table in known) / having
    spread = sum(_weighed(table, 1.0, -worth)[1] for table in known)
    if spread <= _NOTHING:
        return Interval(0.0, -inf, inf)
    half = quantile_of_normal(confidence) * sqrt(spread) / having
    return Interval(worth, worth - half, worth + half)


def _weighed(table: LuckTable, gains: float, having: float) -> tuple[float, float]:
    """The sum over games of so many times gains and having by luck, both less their means; and that sum's variance."""
    sums = table.sums
    gains /= table.whole
    mean = gains * sums[GAINED] / sums[SEATS] + having * sums[HAD] / sums[SEATS]
    total = gains * sums[GAIN] + having * sums[HAVING] - mean * sums[LUCK]
    squares = gains * gains * sums[GAIN_GAIN] + having * having * sums[HAVING_HAVING] + mean * mean * sums[LUCK_LUCK]
    products = gains * having * sums[GAIN_HAVING] - mean * (gains * sums[GAIN_LUCK] + having * sums[HAVING_LUCK])
    variance = squares + 2 * products - total * total / sums[GAMES]
    return total / CERTAIN, variance / (CERTAIN * CERTAIN)
