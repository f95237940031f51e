"""Batches: many games, split into units of work that any number of processes can play."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from generator.base.errors import Problem, raise_problems
from generator.base.processes import start_helpers
from generator.game.model import Game
from generator.play.bot_registry import TableBots
from generator.play.series import MOST_MOVES, Series
from generator.play.table_text import reveals_hidden_card
from generator.play.tally import PlayedGame, Tally
from generator.rules.engine.contract import SECRETS, Box, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, Mode
from generator.rules.engine.table import Seed, Table, move_text, zone_kind
from generator.rules.registry import report_rule_errors


def keeps_secrets(rules: Rules, box: Box, seed: Seed) -> bool:
    """Play one random game. Return True if no seat learned what the rules hide from it.

    What a seat observes must stay the same when everything hidden from it is shuffled. Reports of others' moves must
    name no card that the seat sees neither before nor after the move.
    """
    table, seats = Table(rules, box, seed), range(box.players)
    bot = TableBots(rules, box, seed, ("random",))
    seen = [table.observe(seat) for seat in seats]
    while not table.is_over and len(table.moves) < MOST_MOVES:
        mover, move = table.seat, bot.choose(table.state, table.list_legal_moves())
        said, lain = rules.say(table.state, box, move), table.list_zones()
        heard = [rules.tell(table.state, box, move, seat, said) if rules.tell else said for seat in seats]
        table.apply(move)
        for seat in seats:
            before, seen[seat] = seen[seat], table.observe(seat)
            words = heard[seat]
            if (
                seat != mover
                and words is not None
                and reveals_hidden_card(words, lain, table.list_zones(), before, seen[seat])
            ):
                return False
            if table.copy_as_seen(seat, len(table.moves)).observe(seat) != seen[seat]:
                return False
    return True


def describe_every_move(rules: Rules, box: Box, seed: Seed) -> None:
    """Put all moves and zones of a random game into words. Raise ProblemsFound, or ValueError for unsorted moves."""
    table = Table(rules, box, seed)
    bot = TableBots(rules, box, seed, ("random",))
    place = box.game.places.place("zones") or box.game.places.place("rules_module")
    while not table.is_over and len(table.moves) < MOST_MOVES:
        raise_problems(
            Problem(place, f"the rules use a zone '{kind}', which has no name", f"add `{kind}: ...` to `zones`")
            for kind in dict.fromkeys(map(zone_kind, table.list_zones()))
            if kind not in box.game.zones
        )
        legal = table.list_legal_moves()
        if list(legal) != sorted(set(legal)):
            what = f"the moves {', '.join(map(table.write_move, legal))} are offered in this order ({legal})"
            raise ValueError(f"{what}; offers yield ascending numbers, each once, or `once(move)`")
        move = bot.choose(table.state, legal)
        said = rules.say(table.state, box, move)
        for lang in box.game.languages:
            move_text(box.game, said, lang)
        table.apply(move)


class MatchRunner(Series):
    """Plays games with one game box, with one bot on all seats or one per seat. Equal seeds give equal games.

    With `followed` the figures also include the points during the games.
    """

    def __init__(
        self, rules: Rules, box: Box, bots: Sequence[str], mode: Mode = INTERPRETED, *, followed: bool = False
    ):
        super().__init__(rules, box, mode, bots=bots, followed=followed)
        self.rules, self.box, self.bots = rules, box, tuple(bots)

    def play(self, seed: Seed) -> PlayedGame:
        """Play one game and return it."""
        return next(self.play_games(seed.run, seed.game, 1))

    def play_tally(self, run: int, first: int, games: int) -> Tally:
        """Play games `first` to `first + games - 1` and return their tally.

        The first game of a run is played twice to check that it is equal, put into words, and checked for revealed
        secrets.
        """
        tally = Tally()
        for played in self.play_games(run, first, games):
            if played.game == 0:
                tally.add_repeat(played, self.play(Seed(run, 0)))
                if self.bots == ("random",) and played.ended:
                    describe_every_move(self.rules, self.box, Seed(run, 0))
                if self.bots == ("random",) and SECRETS in self.rules.answers.values():
                    tally.add_secret_check(0, kept=keeps_secrets(self.rules, self.box, Seed(run, 0)))
            tally.add(played)
        return tally


Opener: TypeAlias = Callable[[], tuple[Game, Rules]]
"""Loads a game and its rules; it must be picklable, so that other processes can call it."""

PlanRow: TypeAlias = tuple[int, str]
"""A row of a plan: number of players, and bot."""

UNIT_GAMES = {"random": 250}
LEAST_UNIT_GAMES = 20
"""Number of games in a unit of work, by bot: about half a second each, independent of the number of processes."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """Which games to play: how many for each number of players and bot, with run (seed) and switches.

    `cache` is a folder for compiled rules; if it is empty, rules run interpreted.
    """

    games: Mapping[PlanRow, int]
    run: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    cache: str = ""


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """One unit of work: games `first` to `first + games - 1` of a row of the plan."""

    row: PlanRow
    first: int
    games: int


def split_plan(plan: GamePlan, played: Mapping[PlanRow, Tally] | None = None) -> Iterator[WorkUnit]:
    """Yield the plan's units of work in the order of its rows, without the games already played."""
    for row, games in plan.games.items():
        size = UNIT_GAMES.get(row[1], LEAST_UNIT_GAMES)
        begun = played[row].games if played and row in played else 0
        for first in range(begun, games, size):
            yield WorkUnit(row, first, min(size, games - first))


def run_plan(
    plan: GamePlan, opener: Opener, processes: int, tallies: dict[PlanRow, Tally]
) -> Iterator[tuple[int, int]]:
    """Carry out a plan; after each unit, yield the number of finished units and of all units.

    `tallies` contains the first games of each row, played before, and grows. It is correct at any moment, so the caller
    may stop at any time and continue later.
    """
    work = list(split_plan(plan, tallies))
    with ExitStack() as stack:
        done: Iterable[Tally] = ()
        if processes <= 1 or len(work) <= 1:
            worker = _Worker(plan, *opener()) if work else None
            done = (worker.play_unit(piece) for piece in work if worker is not None)
        else:
            done = stack.enter_context(start_helpers(processes, _start_worker, plan, opener)).map(_play_unit, work)
        for number, (piece, tally) in enumerate(zip(work, done, strict=True), 1):
            together = Tally()
            for part in (tallies.get(piece.row, Tally()), tally):
                together.add_tally(part)
            tallies[piece.row] = together
            yield number, len(work)


class _Worker:
    """Plays units of work in one process; it sets up one game box for each row of the plan."""

    def __init__(self, plan: GamePlan, game: Game, rules: Rules):
        self._plan, self._game, self._rules = plan, game, rules
        self._mode: Mode = CompiledMode(plan.cache) if plan.cache else INTERPRETED
        self._matches: dict[PlanRow, MatchRunner] = {}

    def play_unit(self, piece: WorkUnit) -> Tally:
        with report_rule_errors(self._game):  # here: the traceback does not reach another process
            if piece.row not in self._matches:
                players, bot = piece.row
                box = self._rules.box(self._game, players, self._plan.options)
                self._matches[piece.row] = MatchRunner(self._rules, box, (bot,), self._mode)
            return self._matches[piece.row].play_tally(self._plan.run, piece.first, piece.games)


@cache
def _find_workers() -> dict[str, _Worker]:
    """Return a cache that lives as long as the process; it keeps the process's worker."""
    return {}


def _start_worker(plan: GamePlan, opener: Opener) -> None:
    _find_workers()["worker"] = _Worker(plan, *opener())


def _play_unit(piece: WorkUnit) -> Tally:
    return _find_workers()["worker"].play_unit(piece)
