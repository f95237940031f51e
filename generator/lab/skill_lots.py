"""Skill lots: batches of games in which bots play each other, or play one deal many times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import local
from typing import Any, Literal, TypeAlias

from generator.lab.chunks import Cell, ChunkPlayer, Setup, play_figures
from generator.lab.measures import BROKEN, Figures, Histogram, make_histogram, make_measures
from generator.play.series import SharedChances

GAMES_PER_DEAL = 10
"""How often each deal is played. If luck settles about a tenth of the wins, ten times is the most precise."""

Source: TypeAlias = Literal["deal", "chance"]
SOURCES: tuple[Source, ...] = ("deal", "chance")
"""What the games of one deal have in common: the whole set-up, or all chance after it."""

_ALIKE = {"deal": SharedChances(GAMES_PER_DEAL, 1), "chance": SharedChances(GAMES_PER_DEAL, GAMES_PER_DEAL)}


@dataclass(frozen=True, slots=True)
class Match:
    """A match of bots: `one` in one seat against `others` in all other seats. `one` takes each seat once per seed.

    In a game for one player, both bots play the same seeds.
    """

    players: int
    one: str
    others: str

    def make_cells(self) -> tuple[Cell, ...]:
        """Return the tables that play a seed. For one player these are a table of `one` and a table of `others`."""
        if self.players == 1:
            return Cell(1, (self.one,)), Cell(1, (self.others,))
        seats = range(self.players)
        return tuple(
            Cell(self.players, tuple(self.one if seat == at else self.others for seat in seats)) for at in seats
        )


@dataclass(frozen=True, slots=True)
class DealTable:
    """A table of equal bots at which each deal is played several times, to measure luck.

    `source` says what these games share: the set-up (`deal`) or all later chance (`chance`).
    """

    players: int
    bot: str
    source: Source


@dataclass(frozen=True, slots=True)
class SkillLot:
    """A batch: `number` seeds of a match, or deals of a table, from `first` on."""

    of: Match | DealTable
    run: int
    first: int
    number: int


@dataclass(slots=True)
class LotResult:
    """The outcome of a batch. `wins` is a histogram of how much `one` won per seed, over all seats.

    For one player it is the difference of wins to the other bot. `deals` are the rows for `estimate_luck_shares`.
    `faults` counts games that broke a law of the rules, `endless` those that were cut off.
    """

    number: int
    wins: Histogram
    deals: tuple[tuple[int, ...], ...]
    faults: int = 0
    endless: int = 0


_own = local()
"""The player of this thread: it has state, so threads must not share it."""


def play_lot(setup: Setup, key: str, lot: SkillLot) -> LotResult:
    """Play a batch in any process and return its outcome. `key` identifies the question."""
    if getattr(_own, "key", "") != key:
        _own.player, _own.key = setup.make_player(), key
    player: ChunkPlayer = _own.player
    arm = setup.arms[0].name
    return _play_match(player, arm, lot, lot.of) if isinstance(lot.of, Match) else _play_deals(player, arm, lot, lot.of)


def _play_match(player: ChunkPlayer, arm: str, lot: SkillLot, match: Match) -> LotResult:
    played = LotResult(lot.number, Histogram(), ())
    won: Any = 0
    for at, cell in enumerate(match.make_cells()):
        figures = play_figures(player.find_table(arm, cell), lot.run, lot.first, lot.number)
        wins = _count_wins(player, arm, cell, figures, played)
        won = won + wins[at] if match.players > 1 else won + (wins[0] if not at else -wins[0])
    played.wins = make_histogram(won)
    return played


def _play_deals(player: ChunkPlayer, arm: str, lot: SkillLot, table: DealTable) -> LotResult:
    import numpy as np

    played = LotResult(lot.number, Histogram(), ())
    cell = Cell(table.players, (table.bot,) * table.players)
    first, games = lot.first * GAMES_PER_DEAL, lot.number * GAMES_PER_DEAL
    figures = play_figures(player.find_table(arm, cell), lot.run, first, games, _ALIKE[table.source])
    wins = np.array(_count_wins(player, arm, cell, figures, played)).reshape(table.players, lot.number, GAMES_PER_DEAL)
    sums, squares = wins.sum(axis=2), (wins * wins).sum(axis=(0, 2))
    played.deals = tuple(tuple(map(int, row)) for row in np.vstack([sums, squares]).T)
    return played


def _count_wins(player: ChunkPlayer, arm: str, cell: Cell, figures: Figures, played: LotResult) -> list[Any]:
    """Return each seat's win in each game; count broken laws and endless games in `played`."""
    known = make_measures(player.rules, player.find_table(arm, cell).box)
    played.faults += int(known[BROKEN].of(figures).sum())
    played.endless += int(known["endless"].of(figures).sum())
    return [known[f"win of seat {seat + 1}"].of(figures) for seat in range(cell.players)]


def make_ladder(players: int, bots: Sequence[str]) -> Iterator[Match]:
    """Yield matches of each bot against the next weaker one."""
    for below, above in pairwise(bots):
        yield Match(players, above, below)


def make_pairs(players: int, bots: Sequence[str]) -> Iterator[Match]:
    """Yield a match for each pair of bots; with more than two players also with their roles exchanged."""
    for at, one in enumerate(bots):
        for other in bots[:at]:
            yield Match(players, one, other)
            if players > 2:
                yield Match(players, other, one)


def lot_size(series: Match | DealTable) -> int:
    """Return the number of seeds or deals in a batch: fewer for slow bots, so that play stops quickly."""
    bots = {series.one, series.others} if isinstance(series, Match) else {series.bot}
    if any(bot.startswith("search") for bot in bots):
        return 1
    return 20 if isinstance(series, Match) else 2 if bots != {"random"} else 20
