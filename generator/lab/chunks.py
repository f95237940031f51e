"""Pieces of an experiment: all arms of a cell play the same seeds, and only sums come back."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from generator.dataclass import dataclass
from generator.games.engine.contract import Rules
from generator.games.engine.kernel import INTERPRETED, Compiled, Mode
from generator.lab.measures import Figures, measures_of
from generator.lab.sums import Against, Sums, counted
from generator.model.game import Game
from generator.playtest.match import Matches

Opener: TypeAlias = Callable[[], tuple[Rules, Mapping[str, tuple[Game, Mapping[str, Any]]]]]
"""Loads the rules, and of each arm the game and the options that it plays with; callable in any process."""

CHUNK = 200
"""Games of each arm in one chunk: fixed, so that chunks do not depend on who plays them."""


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

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from others of its experiment."""
        return f"{self.cell.players} {self.cell.shown} {self.run}", self.first


def chunks_of(cell: Cell, arms: tuple[str, ...], measures: tuple[str, ...], run: int, games: int) -> Iterator[Chunk]:
    """So many games of each arm, cut always in the same places."""
    for first in range(0, games, CHUNK):
        yield Chunk(cell, arms, measures, run, first, min(CHUNK, games - first))


class Player:
    """Plays chunks of one experiment; a box is opened once for each arm and number of players."""

    def __init__(self, rules: Rules, arms: Mapping[str, tuple[Game, Mapping[str, Any]]], kernels: str = ""):
        self._rules, self._arms = rules, arms
        self._mode: Mode = Compiled(kernels) if kernels else INTERPRETED
        self._tables: dict[tuple[str, Cell], Matches] = {}

    def play(self, chunk: Chunk) -> dict[str, Sums]:
        """The sums of each arm."""
        base = self._figures(chunk.arms[0], chunk)
        sums = {}
        for arm in chunk.arms:
            figures = base if arm == chunk.arms[0] else self._figures(arm, chunk)
            known = measures_of(self._rules, self._table(arm, chunk.cell).box)
            values = {name: known[name].of(figures) for name in chunk.measures}
            sums[arm] = Sums(chunk.games, {name: counted(row) for name, row in values.items()})
            if arm != chunk.arms[0]:
                same = int((figures["digest"] == base["digest"]).sum())
                gaps = {name: counted(row - known[name].of(base)) for name, row in values.items()}
                sums[arm].against = Against(same, gaps)
        return sums

    def _table(self, arm: str, cell: Cell) -> Matches:
        if (arm, cell) not in self._tables:
            game, options = self._arms[arm]
            box = self._rules.box(game, cell.players, options)
            self._tables[arm, cell] = Matches(self._rules, box, cell.bots[0], self._mode)
        return self._tables[arm, cell]

    def _figures(self, arm: str, chunk: Chunk) -> Figures:
        import numpy as np

        table = self._table(arm, chunk.cell)
        told = np.asarray(table.figures(chunk.run, chunk.first, chunk.games), dtype=np.int64)
        return dict(zip(table.columns, told.reshape(chunk.games, len(table.columns)).T, strict=True))


@cache
def _desk() -> dict[str, Player]:
    """Where a process keeps its player from its start on."""
    return {}


def begin(opener: Opener, kernels: str) -> None:
    """What a helping process does first."""
    _desk()["player"] = Player(*opener(), kernels)


def play(chunk: Chunk) -> dict[str, Sums]:
    """What a helping process does for each chunk."""
    return _desk()["player"].play(chunk)
