"""Many games of one game: a plan cut into pieces of work, done by any number of processes with the same result."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from generator.games.contract import Rules
from generator.games.kernel import INTERPRETED, Compiled, Mode
from generator.model.game import Game
from generator.playtest.match import Matches
from generator.playtest.tally import Tally

Opener: TypeAlias = Callable[[], tuple[Game, Rules]]
"""Loads a game and its rules; a module-level function or a partial of one, so that another process can call it."""

Row: TypeAlias = tuple[int, str]
"""Number of players, bot."""

PIECE = {"random": 250}
LEAST_PIECE = 20
"""Games in one piece of work, by bot: about half a second each. Fixed, so that pieces don't depend on processes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which games to play: how many for each number of players and bot, in which run, with which options.

    `cache` is a folder for compiled kernels; empty: they run interpreted.
    """

    games: Mapping[Row, int]
    run: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    cache: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """One piece: games `first` to `first + games - 1` of a row of the plan."""

    row: Row
    first: int
    games: int


def pieces(plan: Plan) -> Iterator[Work]:
    """The plan cut into pieces, in the order of its rows."""
    for row, games in plan.games.items():
        size = PIECE.get(row[1], LEAST_PIECE)
        for first in range(0, games, size):
            yield Work(row, first, min(size, games - first))


def carry_out(plan: Plan, opener: Opener, processes: int = 1) -> dict[Row, Tally]:
    """The tally of each row of the plan. The same for any number of processes."""
    tallies = {row: Tally() for row in plan.games}
    work = list(pieces(plan))
    if processes <= 1 or len(work) == 1:
        worker = _Worker(plan, *opener())
        for piece in work:
            tallies[piece.row].join(worker.done(piece))
        return tallies
    with ProcessPoolExecutor(processes, initializer=_start, initargs=(plan, opener)) as pool:
        for piece, tally in zip(work, pool.map(_do, work), strict=True):
            tallies[piece.row].join(tally)
    return tallies


class _Worker:
    """Plays pieces of a plan; a box is opened once for each row."""

    def __init__(self, plan: Plan, game: Game, rules: Rules):
        self._plan, self._game, self._rules = plan, game, rules
        self._mode: Mode = Compiled(plan.cache) if plan.cache else INTERPRETED
        self._matches: dict[Row, Matches] = {}

    def done(self, piece: Work) -> Tally:
        if piece.row not in self._matches:
            players, bot = piece.row
            box = self._rules.box(self._game, players, self._plan.options)
            # Bots think in Python: crossing over to compiled code for every move would cost more than it saves.
            mode = self._mode if bot == "random" else INTERPRETED
            self._matches[piece.row] = Matches(self._rules, box, bot, mode)
        return self._matches[piece.row].tally(self._plan.run, piece.first, piece.games)


@cache
def _desk() -> dict[str, _Worker]:
    """Where a process of the pool keeps its worker from its start on."""
    return {}


def _start(plan: Plan, opener: Opener) -> None:
    _desk()["worker"] = _Worker(plan, *opener())


def _do(piece: Work) -> Tally:
    return _desk()["worker"].done(piece)
