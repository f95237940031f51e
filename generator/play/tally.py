"""Tallies: sums over the figures of many games, as integers, and statistics about them."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

_What = TypeVar("_What")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The figures of one game. `game` is its number in the run, which replays it; `digest` is a hash of its moves.

    `broken` is the number (from 1) of the first broken law, `hole` that of the first hole in the rules met; 0: none.
    """

    game: int
    ended: bool
    moves: int
    choices: int
    turns: int
    widest: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    peaks: tuple[int, ...]
    short: tuple[int, ...]
    broken: int
    hole: int
    digest: int
    measured: tuple[int, ...] = ()

    @property
    def figures(self) -> tuple[int, ...]:
        """The figures as whole numbers, in the order of a series' columns."""
        whole = (self.moves, self.choices, self.widest, int(self.ended), self.broken, self.digest)
        return (*whole, self.turns, self.hole, *self.scores, *self.places, *self.peaks, *self.short, *self.measured)


@dataclass(slots=True)
class Tally:
    """Sums over games with the same number of players and the same bot on every seat.

    `choices`, `turns` and `scores` say how many games (of `scores`: seats) had each number; `peaks` and `measured` say
    it for each supply and measure. `first_*` are the number of the first game in which something happened, for replay;
    `first_measured` that of the first game with each number of a measure. `repeated` counts games that were played
    twice, and `looked` games that were checked for revealed secrets.
    """

    games: int = 0
    ended: int = 0
    moves: int = 0
    widest: int = 0
    choices: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    ties: int = 0
    peaks: dict[int, Counter[int]] = field(default_factory=dict)
    short: Counter[int] = field(default_factory=Counter)
    first_short: dict[int, int] = field(default_factory=dict)
    broken: Counter[int] = field(default_factory=Counter)
    first_broken: dict[int, int] = field(default_factory=dict)
    holes: Counter[int] = field(default_factory=Counter)
    first_hole: dict[int, int] = field(default_factory=dict)
    first_endless: int | None = None
    measured: dict[int, Counter[int]] = field(default_factory=dict)
    first_measured: dict[tuple[int, int], int] = field(default_factory=dict)
    repeated: int = 0
    first_unlike: int | None = None
    looked: int = 0
    first_told: int | None = None

    def add(self, played: PlayedGame) -> None:
        """Count one more game."""
        self.games += 1
        self.ended += played.ended
        self.moves += played.moves
        self.choices[played.choices] += 1
        self.widest = max(self.widest, played.widest)
        self.turns[played.turns] += 1
        self.scores.update(played.scores)
        winners = [seat for seat, place in enumerate(played.places) if place == 1]
        self.wins.update(winners)
        self.ties += len(winners) > 1
        for supply, peak in enumerate(played.peaks):
            self.peaks.setdefault(supply, Counter())[peak] += 1
        for measure, number in enumerate(played.measured):
            self.measured.setdefault(measure, Counter())[number] += 1
            _note_first_game(self.first_measured, (measure, number), played.game)
        for supply, times in enumerate(played.short):
            if times:
                self.short[supply] += 1
                _note_first_game(self.first_short, supply, played.game)
        for what, counts, first in (
            (played.broken, self.broken, self.first_broken),
            (played.hole, self.holes, self.first_hole),
        ):
            if what:
                counts[what - 1] += 1
                _note_first_game(first, what - 1, played.game)
        if not played.ended:
            self.first_endless = _find_earlier_game(self.first_endless, played.game)

    def add_repeat(self, played: PlayedGame, again: PlayedGame) -> None:
        """Count a game that was played again from its seed. Note the first one whose results differ."""
        self.repeated += 1
        if played != again:
            self.first_unlike = _find_earlier_game(self.first_unlike, played.game)

    def add_secret_check(self, game: int, *, kept: bool) -> None:
        """Count a game that was checked for revealed secrets. Note the first one that has not kept them."""
        self.looked += 1
        if not kept:
            self.first_told = _find_earlier_game(self.first_told, game)

    def add_tally(self, tally: "Tally") -> None:
        """Add the sums of other games."""
        for name in ("games", "ended", "moves", "ties", "repeated", "looked"):
            setattr(self, name, getattr(self, name) + getattr(tally, name))
        self.widest = max(self.widest, tally.widest)
        for name in ("choices", "turns", "scores", "wins", "short", "broken", "holes"):
            getattr(self, name).update(getattr(tally, name))
        for name in ("peaks", "measured"):
            for what, numbers in getattr(tally, name).items():
                getattr(self, name).setdefault(what, Counter()).update(numbers)
        for name in ("first_short", "first_broken", "first_hole", "first_measured"):
            for what, game in getattr(tally, name).items():
                _note_first_game(getattr(self, name), what, game)
        self.first_endless = _find_earlier_game(self.first_endless, tally.first_endless)
        self.first_unlike = _find_earlier_game(self.first_unlike, tally.first_unlike)
        self.first_told = _find_earlier_game(self.first_told, tally.first_told)


def _find_earlier_game(one: int | None, other: int | None) -> int | None:
    return min((game for game in (one, other) if game is not None), default=None)


def _note_first_game(first: dict[_What, int], what: _What, game: int) -> None:
    first[what] = min(game, first.get(what, game))


Z95 = 1.959963984540054
"""In a normal distribution, 95 % of the values are within this many standard deviations of the mean."""


def wilson_interval(seen: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Return the interval of the share `seen` / `games` (Wilson 1927). `z` sets the confidence, by default 95 %."""
    if not games:
        return 0.0, 1.0
    share, square = seen / games, z * z
    centre = (share + square / (2 * games)) / (1 + square / games)
    half = z / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    # At the ends, rounding alone makes the formula miss 0 and 1.
    return (0.0 if seen == 0 else max(0.0, centre - half), 1.0 if seen == games else min(1.0, centre + half))


def largest_unseen_share(of: int) -> float:
    """Return the largest share still plausible at 95 % for an event never seen in `of` games; about 3 / of."""
    return 1 - 0.05 ** (1 / of) if of else 1.0


def find_quantile(histogram: Mapping[int, int], share: float) -> int:
    """Return the least value that at least this share of the cases does not exceed. Raise ValueError without cases."""
    total = sum(histogram.values())
    if not total:
        raise ValueError("no cases")
    reached = 0
    for value in sorted(histogram):
        reached += histogram[value]
        if reached >= share * total:
            return value
    return max(histogram)


def compute_mean(histogram: Mapping[int, int]) -> float:
    """Return the mean of the cases, or 0 without cases."""
    total = sum(histogram.values())
    return sum(value * number for value, number in histogram.items()) / total if total else 0.0
