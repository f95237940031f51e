"""Many games of one game: a plan cut into pieces of work, done by any number of processes with the same result."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import field
from functools import cache
from typing import Any, TypeAlias

from generator.dataclass import dataclass
from generator.games.engine.contract import Rules
from generator.games.engine.kernel import INTERPRETED, Compiled, Mode
from generator.model.game import Game
from generator.playtest.match import Matches
from generator.playtest.tally import Tally
from generator.processes import helpers

Opener: TypeAlias = Callable[[], tuple[Game, Rules]]
"""Loads a game and its rules; a module-level function or a partial of one, so that another process can call it."""

Row: TypeAlias = tuple[int, str]
"""Number of players, bot."""

PIECE = {"random": 250}
LEAST_PIECE = 20
"""Games in one piece of work, by bot: about half a second each. Fixed, so that pieces don't depend on processes."""


@dataclass(frozen=True, slots=True)
class GamePlan:
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


def pieces(plan: GamePlan, played: Mapping[Row, Tally] | None = None) -> Iterator[Work]:
    """The plan cut into pieces, in the order of its rows; without the first games of each that are played already."""
    for row, games in plan.games.items():
        size = PIECE.get(row[1], LEAST_PIECE)
        begun = played[row].games if played and row in played else 0
        for first in range(begun, games, size):
            yield Work(row, first, min(size, games - first))


def run_plan(plan: GamePlan, opener: Opener, processes: int, tallies: dict[Row, Tally]) -> Iterator[tuple[int, int]]:
    """Carry a plan out piece by piece: after each, how many pieces are done, of how many.

    `tallies` holds what was played before, the first games of each row, and grows; it is right at any moment, so that
    one may stop at any, and go on another time.
    """
    work = list(pieces(plan, tallies))
    with ExitStack() as stack:
        done: Iterable[Tally] = ()
        if processes <= 1 or len(work) <= 1:
            worker = _Worker(plan, *opener()) if work else None
            done = (worker.done(piece) for piece in work if worker is not None)
        else:
            done = stack.enter_context(helpers(processes, _start, plan, opener)).map(_do, work)
        for number, (piece, tally) in enumerate(zip(work, done, strict=True), 1):
            together = Tally()
            for part in (tallies.get(piece.row, Tally()), tally):
                together.join(part)
            tallies[piece.row] = together
            yield number, len(work)


class _Worker:
    """Plays pieces of a plan; a box is opened once for each row."""

    def __init__(self, plan: GamePlan, game: Game, rules: Rules):
        self._plan, self._game, self._rules = plan, game, rules
        self._mode: Mode = Compiled(plan.cache) if plan.cache else INTERPRETED
        self._matches: dict[Row, Matches] = {}

    def done(self, piece: Work) -> Tally:
        if piece.row not in self._matches:
            players, bot = piece.row
            box = self._rules.box(self._game, players, self._plan.options)
            self._matches[piece.row] = Matches(self._rules, box, (bot,), self._mode)
        return self._matches[piece.row].tally(self._plan.run, piece.first, piece.games)


@cache
def _desk() -> dict[str, _Worker]:
    """Where a process of the pool keeps its worker from its start on."""
    return {}


def _start(plan: GamePlan, opener: Opener) -> None:
    _desk()["worker"] = _Worker(plan, *opener())


def _do(piece: Work) -> Tally:
    return _desk()["worker"].done(piece)
