"""Chunks: parts of an experiment, and who plays them: this process, threads or helping processes."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import local
from typing import Any, TypeAlias, TypeVar

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.base.processes import helpers
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.lab.arms import Arm, Restricted, Without, game_of, options_of
from generator.lab.card_records import CardPlan, Following
from generator.lab.measures import GAME, OF_COURSE, Against, Figures, Sums, counted, measures_of
from generator.play.batch import Matches
from generator.play.series import APART, Alike
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, Compiled, Mode
from generator.rules.registry import rules_of

ROUND = 200
"""After so many games of each arm at each table one may look: the same, whoever plays them."""

_SLOW = 20
"""Games of each arm in one chunk where bots think: few enough that stopping takes no time."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One table of an experiment: who sits at it. `bots` has one for all seats, or one for each."""

    players: int
    bots: tuple[str, ...]

    @property
    def shown(self) -> str:
        """As results name it."""
        return " ".join(dict.fromkeys(self.bots)) if len(set(self.bots)) == 1 else ", ".join(self.bots)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games `first` to `first + games - 1` of a run, by these arms; the others are held against the first one."""

    cell: Cell
    arms: tuple[str, ...]
    measures: tuple[str, ...]
    run: int
    first: int
    games: int


def chunks_of(
    cell: Cell, arms: tuple[str, ...], measures: tuple[str, ...], run: int, games: int, begun: int = 0
) -> Iterator[Chunk]:
    """So many games of each arm, but for those begun with; none reaches from one round into the next."""
    size = ROUND if set(cell.bots) == {"random"} else _SLOW
    first = begun
    while first < games:
        last = min(first + size, games, (first // ROUND + 1) * ROUND)
        yield Chunk(cell, arms, measures, run, first, last - first)
        first = last


Loaded: TypeAlias = tuple[Rules, Mapping[str, tuple[Game, Mapping[str, Any]]]]
"""Rules, and the game and the options of each arm."""


class Player:
    """Plays chunks of one experiment; a box is opened once for each arm and number of players."""

    def __init__(
        self,
        rules: Rules,
        arms: Mapping[str, tuple[Game, Mapping[str, Any]]],
        kernels: str = "",
        cards: CardPlan | None = None,
        without: Mapping[str, Without] | None = None,
    ):
        self.rules, self._arms, self._cards, self._without = rules, arms, cards, without or {}
        self._mode: Mode = Compiled(kernels) if kernels else INTERPRETED
        self._tables: dict[tuple[str, Cell, bool], Matches] = {}
        self._handicapped: dict[tuple[str, Cell], Restricted] = {}
        self._boxes: dict[tuple[str, int], Box] = {}
        self._followed: dict[tuple[str, Cell], Following] = {}

    def unplayable(self, cells: Iterable[Cell]) -> Iterator[tuple[str, Problem]]:
        """Opens the box of every arm for every table: all that can't be played, with the name of its arm."""
        for players in dict.fromkeys(cell.players for cell in cells):
            for arm, (game, options) in self._arms.items():
                try:
                    self.rules.box(game, players, options)
                except ProblemsFound as found:
                    yield from ((arm, problem) for problem in found.problems)

    def play(self, chunk: Chunk) -> dict[str, Sums]:
        """The sums of each arm."""
        if self._cards is not None:
            return {arm: self._follow(arm, chunk, self._cards) for arm in chunk.arms}
        followed = not OF_COURSE.isdisjoint(chunk.measures)
        base = self._figures(chunk.arms[0], chunk, followed=followed)
        sums = {}
        for arm in chunk.arms:
            figures = base if arm == chunk.arms[0] else self._figures(arm, chunk, followed=followed)
            known = measures_of(self.rules, self._box(arm, chunk.cell))
            values = {name: known[name].of(figures) for name in chunk.measures}
            sums[arm] = Sums(chunk.games, {name: counted(row) for name, row in values.items()})
            if arm != chunk.arms[0]:
                same = int((figures["digest"] == base["digest"]).sum())
                gaps = {name: counted(row - known[name].of(base)) for name, row in values.items()}
                sums[arm].against = Against(same, gaps)
        return sums

    def _follow(self, arm: str, chunk: Chunk, plan: CardPlan) -> Sums:
        if (arm, chunk.cell) not in self._followed:
            box = self._box(arm, chunk.cell)
            self._followed[arm, chunk.cell] = Following(self.rules, box, chunk.cell.bots, self._mode, plan)
        return self._followed[arm, chunk.cell].sums(chunk.run, chunk.first, chunk.games)

    def _box(self, arm: str, cell: Cell) -> Box:
        if (arm, cell.players) not in self._boxes:
            game, options = self._arms[arm]
            self._boxes[arm, cell.players] = self.rules.box(game, cell.players, options)
        return self._boxes[arm, cell.players]

    def table(self, arm: str, cell: Cell, *, followed: bool = False) -> Matches:
        """A table of an arm, whose games are followed turn by turn or not."""
        if (arm, cell, followed) not in self._tables:
            box = self._box(arm, cell)
            self._tables[arm, cell, followed] = Matches(self.rules, box, cell.bots, self._mode, followed=followed)
        return self._tables[arm, cell, followed]

    def _restricted(self, arm: str, cell: Cell) -> Restricted:
        if (arm, cell) not in self._handicapped:
            box, without = self._box(arm, cell), self._without[arm]
            self._handicapped[arm, cell] = Restricted(self.rules, box, cell.bots, self._mode, without)
        return self._handicapped[arm, cell]

    def _figures(self, arm: str, chunk: Chunk, *, followed: bool) -> Figures:
        if arm not in self._without:
            return figures_of(self.table(arm, chunk.cell, followed=followed), chunk.run, chunk.first, chunk.games)
        table = self._restricted(arm, chunk.cell)
        told = table.figures(chunk.run, chunk.first, chunk.games)
        return _by_column(table.columns, told, chunk.first, chunk.games)


def figures_of(table: Matches, run: int, first: int, games: int, alike: Alike = APART) -> Figures:
    """The games with these numbers: for each of the table's columns a row with a number of each game."""
    return _by_column(table.columns, table.figures(run, first, games, alike), first, games)


def _by_column(columns: Sequence[str], told: Sequence[int], first: int, games: int) -> Figures:
    import numpy as np

    rows = np.asarray(told, dtype=np.int64).reshape(games, len(columns)).T
    return {**dict(zip(columns, rows, strict=True)), GAME: np.arange(first, first + games)}


@dataclass(frozen=True, slots=True)
class Setup:
    """All that another process needs to play chunks of an experiment: where the project lies, and the arms.

    With `cards` their ways are followed, and nothing else is counted.
    """

    root: Path
    folder: str
    trusted: bool
    arms: tuple[Arm, ...]
    kernels: str = ""
    cards: CardPlan | None = None

    def loaded(self) -> Loaded:
        """The rules, and what each arm makes of the game; ProblemsFound with all that is wrong with any arm."""
        rules, arms, wrong = self._opened()
        if wrong:
            raise ProblemsFound(self._of_arm(*one) for one in wrong)
        return rules, arms

    def player(self) -> Player:
        """Opens what the arms make of the game; ProblemsFound with all that is wrong with any of them."""
        without = {arm.name: arm.without for arm in self.arms if arm.without is not None}
        return Player(*self.loaded(), self.kernels, self.cards, without)

    def faults(self, cells: Iterable[Cell]) -> list[tuple[str, Problem]]:
        """Opens the boxes of all arms at all tables: what keeps any from being played, with the name of its arm."""
        rules, arms, wrong = self._opened()
        wrong += Player(rules, arms).unplayable(cells)
        return [(name, self._of_arm(name, problem)) for name, problem in wrong]

    def _opened(self) -> tuple[Rules, dict[str, tuple[Game, Mapping[str, Any]]], list[tuple[str, Problem]]]:
        """The rules, of each arm that can be its game and options, and what is wrong with others by their names."""
        project = find_project(self.root, self.root, links=True)  # the process that asks has looked
        folder = project.folder(self.folder)
        game = load_game(folder, project.resources)
        rules = rules_of(game, folder if self.trusted else None)
        assert rules is not None, self.folder  # noqa: S101 - the process that asks has them
        arms: dict[str, tuple[Game, Mapping[str, Any]]] = {}
        wrong: list[tuple[str, Problem]] = []
        for arm in self.arms:
            options: Mapping[str, Any] = {}
            try:
                options = options_of(arm, game)
            except ProblemsFound as found:
                wrong += [(arm.name, problem) for problem in found.problems]
            try:
                arms[arm.name] = game_of(arm, game, folder, project.resources), options
            except ProblemsFound as found:
                wrong += [(arm.name, problem) for problem in found.problems]
        return rules, arms, wrong

    def _of_arm(self, name: str, problem: Problem) -> Problem:
        arm = next(one for one in self.arms if one.name == name)
        return replace(problem, what=f"arm '{name}': {problem.what}", place=problem.place or arm.place)


_own = local()
"""Of each thread the player of the experiment that it works for: what it writes into is nobody else's."""


def play(setup: Setup, key: str, chunk: Chunk) -> dict[str, Sums]:
    """The sums of a chunk, in whatever process; `key` tells the experiment from others."""
    if getattr(_own, "key", "") != key:
        _own.player, _own.key = setup.player(), key
    sums: dict[str, Sums] = _own.player.play(chunk)
    return sums


_P = TypeVar("_P")
_R = TypeVar("_R")

KINDS = ("processes", "threads", "dask")
_AHEAD = 3
"""So many chunks wait for each worker: enough that none is idle, few enough that stopping takes no time."""

_PATIENCE = 10
"""Seconds that a scheduler has to answer."""

_TRIES = 3
"""So often a chunk is played whose worker is lost."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Kind of executor, how many workers, and the scheduler's address where there is one."""

    kind: str
    workers: int
    address: str = ""


def crew_of(text: str) -> Crew:
    """`processes:2`, `threads:2` or `dask:tcp://HOST:PORT`; ValueError with a way out for anything else."""
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        raise ValueError(f"unknown executor '{kind}'; {did_you_mean(kind, KINDS)}")
    if kind == "dask":
        if not rest:
            raise ValueError("an executor of dask needs its scheduler's address, as dask:tcp://HOST:8786")
        return Crew(kind, 8, rest)
    if not rest.isdecimal() or not 1 <= int(rest) <= 256:
        raise ValueError(f"{kind} needs a number from 1 to 256, as {kind}:2")
    return Crew(kind, int(rest))


@contextmanager
def _executor(crew: Crew) -> Iterator[Executor]:
    if crew.kind == "dask":
        with _cluster(crew.address) as executor:
            yield executor
        return
    pool = ThreadPoolExecutor(crew.workers) if crew.kind == "threads" else helpers(crew.workers, _begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Ctrl+C reaches all processes of a terminal: the one that asks for games says when there is an end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """The executor of a cluster; ProblemsFound where no scheduler answers, or its workers are lost again and again."""
    try:
        import distributed
    except ImportError as error:
        hint = "install the program with its extra `cluster`"
        raise ProblemsFound([Problem(None, "dask.distributed is not installed", hint)]) from error
    hint = "start it with `dask scheduler`, and workers beside it"
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=f"{_PATIENCE}s")
    except (OSError, TimeoutError, ValueError) as error:
        raise ProblemsFound([Problem(None, f"no scheduler answers at {address}", hint)]) from error
    try:
        yield client.get_executor(pure=False)
    except distributed.KilledWorker as error:
        what = "the cluster's workers were lost again and again over the same games"
        raise ProblemsFound([Problem(None, what, "look into their logs for what ends them")]) from error
    except CancelledError as error:
        raise ProblemsFound([Problem(None, f"the scheduler at {address} has gone", hint)]) from error
    finally:
        client.close()


def play_all(setup: Setup, key: str, chunks: Sequence[Chunk], crew: Crew) -> Iterator[dict[str, Sums]]:
    """The sums of each chunk, in their order, whoever plays it; ProblemsFound as by `work_through`.

    What is compiled is compiled by who plays the first; the others find it on the disk.
    """
    return work_through(partial(play, setup, key), chunks, crew, first_alone=bool(setup.kernels))


def work_through(
    work: Callable[[_P], _R], pieces: Sequence[_P], crew: Crew, *, first_alone: bool = False
) -> Iterator[_R]:
    """What the work gives for each piece, in their order, whoever does it; a piece whose worker is lost is done again.

    `first_alone`: nobody begins with another before the first is done. ProblemsFound where workers are lost again and
    again.
    """
    if crew.kind == "processes" and crew.workers == 1:
        for piece in pieces:
            yield work(piece)
        return
    at, tries = 0, 0
    while at < len(pieces):
        try:
            with _executor(crew) as executor:
                while at < len(pieces):
                    some = pieces[at : at + 1] if first_alone and not at else pieces[at:]
                    for found in _in_order(executor.submit, work, some, crew.workers * _AHEAD):
                        yield found
                        at, tries = at + 1, 0
        except BrokenExecutor as error:
            tries += 1
            if tries == _TRIES:
                what = f"{_TRIES} times one after another the workers were lost over the same games"
                hint = "look for what ends them (too little memory?), or ask for fewer with --executor"
                raise ProblemsFound([Problem(None, what, hint)]) from error


def _in_order(
    submit: Callable[..., Future[_R]], work: Callable[[_P], _R], pieces: Sequence[_P], ahead: int
) -> Iterator[_R]:
    waiting: deque[Future[_R]] = deque()
    for piece in pieces:
        waiting.append(submit(work, piece))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
