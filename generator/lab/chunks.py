"""Chunks: parts of an experiment, which are played in this process, in threads or in helper processes."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import local
from typing import Any, TypeAlias, TypeVar

from generator.base.errors import Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.processes import end_helpers, start_helpers
from generator.game.data_fields import format_value
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.lab.arms import Arm, RestrictedGames, Restriction, Strategy, arm_options, change_game
from generator.lab.card_records import CardFollower, CardPlan
from generator.lab.measures import COURSE_MEASURES, GAME, Figures, PairedSums, Sums, make_histogram, make_measures
from generator.play.batch import MatchRunner
from generator.play.play_setup import parse_option
from generator.play.series import OWN_CHANCES, SharedChances
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, Mode
from generator.rules.registry import load_rules

ROUND = 200
"""Number of games of each arm after which results may be examined. It does not depend on the workers."""

_SLOW = 20
"""Games of each arm in a chunk with slow bots: few, so that an experiment stops quickly."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A table of an experiment: the number of players, the bot of each seat, and options as `style=long`."""

    players: int
    bots: tuple[str, ...]
    options: str = ""

    @property
    def bot_names(self) -> str:
        """Name of the bots in results, with the table's options: one name if they are all equal."""
        names = " ".join(dict.fromkeys(self.bots)) if len(set(self.bots)) == 1 else ", ".join(self.bots)
        return f"{names}, {self.options}" if self.options else names


def format_options(options: Mapping[str, Any]) -> str:
    """Return the options as a cell has them, in the notation of `pnp play --option`."""

    def write_value(value: Any) -> str:
        return f"[{','.join(map(format_value, value))}]" if isinstance(value, list | tuple) else format_value(value)

    return " ".join(f"{name}={write_value(value)}" for name, value in sorted(options.items()))


def read_options(text: str) -> dict[str, Any]:
    """Parse options: `a=1 b=[2]`."""
    return dict(map(parse_option, text.split()))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games `first` to `first + games - 1` of a run (random seed) with these arms, all compared with the first arm."""

    cell: Cell
    arms: tuple[str, ...]
    measures: tuple[str, ...]
    run: int
    first: int
    games: int


def split_chunks(
    cell: Cell, arms: tuple[str, ...], measures: tuple[str, ...], run: int, games: int, begun: int = 0
) -> Iterator[Chunk]:
    """Yield games `begun` to `games` - 1 of a run in chunks for all arms, none across a multiple of ROUND."""
    size = ROUND if set(cell.bots) == {"random"} else _SLOW
    first = begun
    while first < games:
        last = min(first + size, games, (first // ROUND + 1) * ROUND)
        yield Chunk(cell, arms, measures, run, first, last - first)
        first = last


LoadedArms: TypeAlias = tuple[Rules, Mapping[str, tuple[Game, Mapping[str, Any]]]]
"""The rules of a game, and for each arm the changed game and its switches."""


class ChunkPlayer:
    """Plays the chunks of one experiment. It sets up one game box for each arm and number of players."""

    def __init__(
        self,
        rules: Rules,
        arms: Mapping[str, tuple[Game, Mapping[str, Any]]],
        kernels: str = "",
        cards: CardPlan | None = None,
        within: Mapping[str, Restriction | Strategy] | None = None,
    ):
        self.rules, self._arms, self._cards, self._within = rules, arms, cards, within or {}
        self._mode: Mode = CompiledMode(kernels) if kernels else INTERPRETED
        self._tables: dict[tuple[str, Cell, bool], MatchRunner] = {}
        self._handicapped: dict[tuple[str, Cell], RestrictedGames] = {}
        self._boxes: dict[tuple[str, int, str], Box] = {}
        self._followed: dict[tuple[str, Cell], CardFollower] = {}

    def play(self, chunk: Chunk) -> dict[str, Sums]:
        """Play a chunk and return the sums of each arm."""
        if self._cards is not None:
            for key in ((arm, chunk.cell) for arm in chunk.arms):
                if key not in self._followed:
                    box = self._find_box(*key)
                    self._followed[key] = CardFollower(self.rules, box, chunk.cell.bots, self._mode, self._cards)
            followers = {arm: self._followed[arm, chunk.cell] for arm in chunk.arms}
            return {arm: one.play_games(chunk.run, chunk.first, chunk.games) for arm, one in followers.items()}
        followed = not COURSE_MEASURES.isdisjoint(chunk.measures)
        base = self._play_figures(chunk.arms[0], chunk, followed=followed)
        sums = {}
        for arm in chunk.arms:
            figures = base if arm == chunk.arms[0] else self._play_figures(arm, chunk, followed=followed)
            known = make_measures(self.rules, self._find_box(arm, chunk.cell))
            values = {name: known[name].of(figures) for name in chunk.measures}
            sums[arm] = Sums(chunk.games, {name: make_histogram(row) for name, row in values.items()})
            if arm != chunk.arms[0]:
                same = int((figures["digest"] == base["digest"]).sum())
                gaps = {name: make_histogram(row - known[name].of(base)) for name, row in values.items()}
                sums[arm].against = PairedSums(same, gaps)
        return sums

    def _find_box(self, arm: str, cell: Cell) -> Box:
        key = arm, cell.players, cell.options
        if key not in self._boxes:
            game, options = self._arms[arm]
            self._boxes[key] = self.rules.box(game, cell.players, {**read_options(cell.options), **options})
        return self._boxes[key]

    def find_table(self, arm: str, cell: Cell, *, followed: bool = False) -> MatchRunner:
        """Return what plays games of an arm at a table; with `followed` it stops after each turn to measure."""
        if (arm, cell, followed) not in self._tables:
            box = self._find_box(arm, cell)
            self._tables[arm, cell, followed] = MatchRunner(self.rules, box, cell.bots, self._mode, followed=followed)
        return self._tables[arm, cell, followed]

    def _play_figures(self, arm: str, chunk: Chunk, *, followed: bool) -> Figures:
        if arm not in self._within:
            return play_figures(
                self.find_table(arm, chunk.cell, followed=followed), chunk.run, chunk.first, chunk.games
            )
        if (arm, chunk.cell) not in self._handicapped:
            box, within = self._find_box(arm, chunk.cell), self._within[arm]
            self._handicapped[arm, chunk.cell] = RestrictedGames(self.rules, box, chunk.cell.bots, self._mode, within)
        table = self._handicapped[arm, chunk.cell]
        told = table.figures(chunk.run, chunk.first, chunk.games)
        return _split_columns(table.columns, told, chunk.first, chunk.games)


def play_figures(table: MatchRunner, run: int, first: int, games: int, alike: SharedChances = OWN_CHANCES) -> Figures:
    """Play games from number `first`; some share chances (`alike`). Return an array per column, a number per game."""
    return _split_columns(table.columns, table.game_figures(run, first, games, alike), first, games)


def _split_columns(columns: Sequence[str], told: Sequence[int], first: int, games: int) -> Figures:
    import numpy as np

    rows = np.asarray(told, dtype=np.int64).reshape(games, len(columns)).T
    return {**dict(zip(columns, rows, strict=True)), GAME: np.arange(first, first + games)}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker process needs to play chunks: the project's folder and the arms.

    With `cards` the cards are tracked and nothing else is counted.
    """

    root: Path
    folder: str
    trusted: bool
    arms: tuple[Arm, ...]
    kernels: str = ""
    cards: CardPlan | None = None

    def load_arms(self) -> LoadedArms:
        """Return the rules and the game of each arm. Raise ProblemsFound with the problems of all arms."""
        rules, arms, wrong = self._open_arms()
        raise_problems(self._name_arm(*one) for one in wrong)
        return rules, arms

    def make_player(self) -> ChunkPlayer:
        """Return a player for the arms. Raise ProblemsFound with the problems of all arms."""
        within = {arm.name: one for arm in self.arms if (one := arm.without or arm.strategy) is not None}
        return ChunkPlayer(*self.load_arms(), self.kernels, self.cards, within)

    def find_faults(self, cells: Iterable[Cell]) -> list[tuple[str, Problem]]:
        """Set up all arms at all tables. Return each problem with the name of its arm."""
        rules, arms, wrong = self._open_arms()
        for players, own in dict.fromkeys((cell.players, cell.options) for cell in cells):
            for name, (game, options) in arms.items():
                try:
                    rules.box(game, players, {**read_options(own), **options})
                except ProblemsFound as found:
                    wrong += [(name, problem) for problem in found.problems]
        return [(name, self._name_arm(name, problem)) for name, problem in wrong]

    def _open_arms(self) -> tuple[Rules, dict[str, tuple[Game, Mapping[str, Any]]], list[tuple[str, Problem]]]:
        """Return the rules, the game and options of each valid arm, and the problems of the others by name."""
        project = find_project(self.root, self.root, links=True)  # the process that asks has looked
        folder = project.find_folder(self.folder)
        game = load_game(folder, project.resources)
        rules = load_rules(game, folder if self.trusted else None)
        assert rules is not None, self.folder  # noqa: S101 - the process that asks has them
        arms: dict[str, tuple[Game, Mapping[str, Any]]] = {}
        wrong: list[tuple[str, Problem]] = []
        for arm in self.arms:
            options: Mapping[str, Any] = {}
            try:
                options = arm_options(arm, game)
            except ProblemsFound as found:
                wrong += [(arm.name, problem) for problem in found.problems]
            try:
                arms[arm.name] = change_game(arm, game, folder, project.resources), options
            except ProblemsFound as found:
                wrong += [(arm.name, problem) for problem in found.problems]
        return rules, arms, wrong

    def _name_arm(self, name: str, problem: Problem) -> Problem:
        arm = next(one for one in self.arms if one.name == name)
        return replace(problem, what=f"arm '{name}': {problem.what}", place=problem.place or arm.place)


_own = local()
"""The player of this thread: players have state, so threads must not share them."""


def find_player(setup: Setup, key: str) -> ChunkPlayer:
    """Return this thread's player of an experiment, which `key` identifies."""
    if getattr(_own, "key", "") != key:
        _own.player, _own.key = setup.make_player(), key
    player: ChunkPlayer = _own.player
    return player


def play(setup: Setup, key: str, chunk: Chunk) -> dict[str, Sums]:
    """Play a chunk in any process and return its sums. `key` identifies the experiment, to reuse its player."""
    return find_player(setup, key).play(chunk)


_P = TypeVar("_P")
_R = TypeVar("_R")

KINDS = ("processes", "threads", "dask")
_CHUNKS_AHEAD = 3
"""Chunks waiting for each worker: enough to keep it busy, few enough to stop quickly."""

_PATIENCE = 10
"""Timeout for the scheduler's answer (seconds)."""

_TRIES = 3
"""Maximum number of attempts for a chunk whose worker is lost."""


@dataclass(frozen=True, slots=True)
class Crew:
    """The workers: `kind` (processes, threads or dask), their number, and the address of a dask scheduler."""

    kind: str
    workers: int
    address: str = ""


def parse_crew(text: str) -> Crew:
    """Parse `processes:2`, `threads:2` or `dask:tcp://HOST:PORT`. Raise ValueError with a hint for anything else."""
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        raise ValueError(f"unknown executor '{kind}'; {did_you_mean(kind, KINDS)}")
    if kind == "dask":
        if not rest:
            raise ValueError("the executor dask needs the address of its scheduler, such as dask:tcp://HOST:8786")
        return Crew(kind, 8, rest)
    if not rest.isdecimal() or not 1 <= int(rest) <= 256:
        raise ValueError(f"{kind} needs a number from 1 to 256, as {kind}:2")
    return Crew(kind, int(rest))


@contextmanager
def _open_executor(crew: Crew) -> Iterator[Executor]:
    if crew.kind == "dask":
        with _open_cluster(crew.address) as executor:
            yield executor
        return
    if crew.kind == "threads":
        pool: Executor = ThreadPoolExecutor(crew.workers)
    else:  # Ctrl+C reaches all processes of a terminal; the main one decides when to stop
        pool = start_helpers(crew.workers, signal.signal, signal.SIGINT, signal.SIG_IGN)
    try:
        yield pool
    except BaseException:  # also where nobody asks for the rest: it is not waited for
        end_helpers(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _open_cluster(address: str) -> Iterator[Executor]:
    """Yield the executor of a cluster. Raise ProblemsFound if no scheduler answers or workers are lost repeatedly."""
    try:
        import distributed
    except ImportError as error:
        hint = "install the program with its extra `cluster`"
        raise ProblemsFound([Problem(None, "dask.distributed is not installed", hint)]) from error
    hint = "start it with `dask scheduler`, then start workers"
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=f"{_PATIENCE}s")
    except (OSError, TimeoutError, ValueError) as error:
        raise ProblemsFound([Problem(None, f"no scheduler answers at {address}", hint)]) from error
    try:
        yield client.get_executor(pure=False)
    except distributed.KilledWorker as error:
        what = "the workers of the cluster failed repeatedly on the same games"
        raise ProblemsFound([Problem(None, what, "check their logs")]) from error
    except CancelledError as error:
        raise ProblemsFound([Problem(None, f"the connection to the scheduler at {address} is lost", hint)]) from error
    finally:
        client.close()


def play_chunks(setup: Setup, key: str, chunks: Sequence[Chunk], crew: Crew) -> Iterator[dict[str, Sums]]:
    """Yield the sums of each chunk in order, by arm. Raise ProblemsFound if workers are lost repeatedly.

    The first worker compiles the rules; the others load them from disk. `key` identifies the experiment.
    """
    return map_in_order(partial(play, setup, key), chunks, crew, first_alone=bool(setup.kernels))


def map_in_order(
    work: Callable[[_P], _R], pieces: Sequence[_P], crew: Crew, *, first_alone: bool = False
) -> Iterator[_R]:
    """Yield `work(piece)` for each piece, in order. Repeat pieces whose worker was lost.

    With `first_alone` no other piece starts before the first is done. Raise ProblemsFound if workers are lost
    repeatedly.
    """
    if crew.kind == "processes" and crew.workers == 1:
        for piece in pieces:
            yield work(piece)
        return
    at, tries = 0, 0
    while at < len(pieces):
        try:
            with _open_executor(crew) as executor:
                while at < len(pieces):
                    some = pieces[at : at + 1] if first_alone and not at else pieces[at:]
                    for found in _map_submitted(executor.submit, work, some, crew.workers * _CHUNKS_AHEAD):
                        yield found
                        at, tries = at + 1, 0
        except BrokenExecutor as error:
            tries += 1
            if tries == _TRIES:
                what = f"the workers failed {_TRIES} times in a row on the same games"
                hint = "check the memory, or use fewer workers with --executor"
                raise ProblemsFound([Problem(None, what, hint)]) from error


def _map_submitted(
    submit: Callable[..., Future[_R]], work: Callable[[_P], _R], pieces: Sequence[_P], ahead: int
) -> Iterator[_R]:
    waiting: deque[Future[_R]] = deque()
    for piece in pieces:
        waiting.append(submit(work, piece))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
