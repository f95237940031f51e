"""The figures of many games: integers only, so that tallies add up to the same in any order, in any processes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Played:
    """One game as it went. `game` is its number in the run, which replays it; `broken` and `hole` are 0 for none."""

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


@dataclass(slots=True)
class Tally:
    """Sums over games of one kind: one number of players, one bot on every seat.

    `first_*` give the number of the first game in which something happened, for replaying it.
    """

    games: int = 0
    ended: int = 0
    moves: int = 0
    choices: int = 0
    widest: int = 0
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

    def add(self, played: Played) -> None:
        """Counts one more game."""
        self.games += 1
        self.ended += played.ended
        self.moves += played.moves
        self.choices += played.choices
        self.widest = max(self.widest, played.widest)
        self.turns[played.turns] += 1
        self.scores.update(played.scores)
        winners = [seat for seat, place in enumerate(played.places) if place == 1]
        self.wins.update(winners)
        self.ties += len(winners) > 1
        for supply, peak in enumerate(played.peaks):
            self.peaks.setdefault(supply, Counter())[peak] += 1
        for supply, times in enumerate(played.short):
            if times:
                self.short[supply] += 1
                _first(self.first_short, supply, played.game)
        for what, counts, first in (
            (played.broken, self.broken, self.first_broken),
            (played.hole, self.holes, self.first_hole),
        ):
            if what:
                counts[what - 1] += 1
                _first(first, what - 1, played.game)
        if not played.ended:
            self.first_endless = played.game if self.first_endless is None else min(self.first_endless, played.game)

    def join(self, other: "Tally") -> None:
        """Adds the sums of other games."""
        for name in ("games", "ended", "moves", "choices", "ties"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.widest = max(self.widest, other.widest)
        for name in ("turns", "scores", "wins", "short", "broken", "holes"):
            getattr(self, name).update(getattr(other, name))
        for supply, peaks in other.peaks.items():
            self.peaks.setdefault(supply, Counter()).update(peaks)
        for name in ("first_short", "first_broken", "first_hole"):
            for what, game in getattr(other, name).items():
                _first(getattr(self, name), what, game)
        endless: Sequence[int] = [game for game in (self.first_endless, other.first_endless) if game is not None]
        self.first_endless = min(endless, default=None)


def _first(first: dict[int, int], what: int, game: int) -> None:
    first[what] = min(game, first.get(what, game))
