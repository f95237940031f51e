"""How strong players are: shares of wins, differences of ratings (Elo), and ratings from many matches."""

from collections.abc import Mapping, Sequence
from math import inf, log, log10, sqrt

from generator.dataclass import dataclass
from generator.lab.numbers import Interval
from generator.lab.statistics.intervals import USUAL, exact_limits, mean_interval, moments

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
