"""Skill lots: matches of one bot against others, and deals played many times."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from threading import local
from typing import Any, Literal, TypeAlias

from generator.base.dataclass import dataclass
from generator.lab.chunks import Cell, Player, Setup, figures_of
from generator.lab.measures import BROKEN, Figures, Histogram, counted, measures_of
from generator.play.series import Alike

AGAIN = 10
"""Games of each deal. For a luck share of about a tenth, this number gives the best precision."""

Source: TypeAlias = Literal["deal", "chance"]
SOURCES: tuple[Source, ...] = ("deal", "chance")
"""Common part of the games of a deal: the whole set-up, or all later chance."""

_ALIKE = {"deal": Alike(AGAIN, 1), "chance": Alike(AGAIN, AGAIN)}


@dataclass(frozen=True, slots=True)
class Match:
    """`one` in one seat against `others` in all other seats. Each seed is played once from every seat.

    A player alone is compared with the other bot on the same seeds.
    """

    players: int
    one: str
    others: str

    def seatings(self) -> tuple[Cell, ...]:
        """Return the tables for a seed. For one player these are the table of `one` and that of `others`."""
        if self.players == 1:
            return Cell(1, (self.one,)), Cell(1, (self.others,))
        seats = range(self.players)
        return tuple(
            Cell(self.players, tuple(self.one if seat == at else self.others for seat in seats)) for at in seats
        )


@dataclass(frozen=True, slots=True)
class DealTable:
    """Equal bots that play deals many times, and the common part of each deal's games."""

    players: int
    bot: str
    source: Source


@dataclass(frozen=True, slots=True)
class SkillLot:
    """Seeds of a match, or deals of a table, from `first` on."""

    of: Match | DealTable
    run: int
    first: int
    number: int


@dataclass(slots=True)
class Played:
    """Outcome of a lot. `wins` is a histogram of the wins of `one` per seed, in parts of a game over all seats.

    For a player alone it is the difference of wins to the other bot. `deals` are the rows for `shares_of_luck`.
    `faults` counts games with a broken law, `endless` those that were cut off.
    """

    number: int
    wins: Histogram
    deals: tuple[tuple[int, ...], ...]
    faults: int = 0
    endless: int = 0


_own = local()
"""The tables of each thread. They have state and must not be shared."""


def play_lot(setup: Setup, key: str, lot: SkillLot) -> Played:
    """Return the outcome of a lot, in any process. `key` identifies the question."""
    if getattr(_own, "key", "") != key:
        _own.player, _own.key = setup.player(), key
    player: Player = _own.player
    arm = setup.arms[0].name
    return _match(player, arm, lot, lot.of) if isinstance(lot.of, Match) else _deals(player, arm, lot, lot.of)


def _match(player: Player, arm: str, lot: SkillLot, match: Match) -> Played:
    played = Played(lot.number, Histogram(), ())
    won: Any = 0
    for at, cell in enumerate(match.seatings()):
        figures = figures_of(player.table(arm, cell), lot.run, lot.first, lot.number)
        wins = _counted(player, arm, cell, figures, played)
        won = won + wins[at] if match.players > 1 else won + (wins[0] if not at else -wins[0])
    played.wins = counted(won)
    return played


def _deals(player: Player, arm: str, lot: SkillLot, table: DealTable) -> Played:
    import numpy as np

    played = Played(lot.number, Histogram(), ())
    cell = Cell(table.players, (table.bot,) * table.players)
    first, games = lot.first * AGAIN, lot.number * AGAIN
    figures = figures_of(player.table(arm, cell), lot.run, first, games, _ALIKE[table.source])
    wins = np.array(_counted(player, arm, cell, figures, played)).reshape(table.players, lot.number, AGAIN)
    sums, squares = wins.sum(axis=2), (wins * wins).sum(axis=(0, 2))
    played.deals = tuple(tuple(map(int, row)) for row in np.vstack([sums, squares]).T)
    return played


def _counted(player: Player, arm: str, cell: Cell, figures: Figures, played: Played) -> list[Any]:
    """Return each seat's win in each game. Count broken laws and endless games."""
    known = measures_of(player.rules, player.table(arm, cell).box)
    played.faults += int(known[BROKEN].of(figures).sum())
    played.endless += int(known["endless"].of(figures).sum())
    return [known[f"win of seat {seat + 1}"].of(figures) for seat in range(cell.players)]


def ladder(players: int, bots: Sequence[str]) -> Iterator[Match]:
    """Yield matches of each bot against the one below it."""
    for below, above in pairwise(bots):
        yield Match(players, above, below)


def grid(players: int, bots: Sequence[str]) -> Iterator[Match]:
    """Yield all pairs of bots. With more than two players, both ways round."""
    for at, one in enumerate(bots):
        for other in bots[:at]:
            yield Match(players, one, other)
            if players > 2:
                yield Match(players, other, one)


def size_of_lot(of: Match | DealTable) -> int:
    """Return the number of seeds or deals in a lot. It is small for slow bots, to stop quickly."""
    bots = {of.one, of.others} if isinstance(of, Match) else {of.bot}
    if any(bot.startswith("search") for bot in bots):
        return 1
    return 20 if isinstance(of, Match) else 2 if bots != {"random"} else 20
