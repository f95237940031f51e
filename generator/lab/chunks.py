"""Pieces of an experiment: all arms of a cell play the same seeds, and only sums come back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import local
from typing import Any, TypeAlias

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import INTERPRETED, Compiled, Mode
from generator.games.registry import rules_of
from generator.lab.arms import Arm, game_of, options_of
from generator.lab.cards.following import CardPlan, Following
from generator.lab.cards.without import Restricted, Without
from generator.lab.measures import GAME, OF_COURSE, Figures, measures_of
from generator.lab.sums import Against, Sums, counted
from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import Game
from generator.playtest.match import Matches
from generator.playtest.series import APART, Alike

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
