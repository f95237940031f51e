"""Deals of a game for one player, whose order of cards is known: won, lost, or left open."""

from collections.abc import Mapping
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import INTERPRETED, Kernel, Mode, Record
from generator.games.engine.table import Seed, Table, replay
from generator.lab.winning import beam, proof

WIDTHS = (50, 500, 5000)
"""How many states a search follows side by side: the next one begins where the last has found nothing."""

STATES = 20_000
"""How many states are gone through to prove a loss."""

_NODES = 500
"""For so many moves of a game there is room in a beam."""

_DEPTH = 2000
"""So many moves deep a loss is looked for."""

_PENDING = 100
"""Moves that may wait, for each move of that depth."""


@dataclass(frozen=True, slots=True)
class Search:
    """How long a deal is searched: by beams of these widths, then through so many states."""

    widths: tuple[int, ...] = WIDTHS
    states: int = STATES


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known of a deal.

    `moves` win it; they are None where no win was found. `lost` says how that is known: `hopeless` by the rules' own
    bounds, `searched` because everything was gone through; it is empty where the deal is won or open. `width` is that
    of the beam that found the win, 0 for none; `tried` is how many moves were tried, or states gone through, in all.
    """

    deal: int
    moves: tuple[int, ...] | None = None
    lost: str = ""
    width: int = 0
    tried: int = 0

    @property
    def open(self) -> bool:
        """Whether it is neither won nor lost."""
        return self.moves is None and not self.lost


def check_solvable(rules: Rules, box: Box) -> None:
    """ProblemsFound for a game whose deals can't be solved."""
    place = box.game.places.place("players")
    if box.players != 1:
        what = f"{box.game.id} is played by {box.players}: only what one player decides alone can be solved"
        raise ProblemsFound([Problem(place, what, "choose a game for one player")])
    if rules.key is None:
        what = f"the rules of {box.game.id} don't say when two states are the same"
        raise ProblemsFound([Problem(place, what, "give them a `key`: docs/rules.md")])


class Solver:
    """Searches deals of one box. Equal deals have equal outcomes, in any mode and in any process."""

    def __init__(self, rules: Rules, box: Box, search: Search, mode: Mode = INTERPRETED):
        check_solvable(rules, box)
        self._rules, self._box, self._search, self._mode = rules, box, search, mode
        self._facts = mode.record(box.numbers)
        self._beams: dict[int, _Beam] = {}
        self._proof: _Proof | None = None
        self._hopeless = mode.kernel(rules.hopeless)

    def outcome(self, seed: Seed) -> Outcome:
        """What is known of a deal; a win counts when an ordinary table has played it."""
        start = Table(self._rules, self._box, seed, self._mode).state
        if start.over == 1:
            won = Table(self._rules, self._box, seed).places() == (1,)
            return Outcome(seed.game, () if won else None, "" if won else "searched")
        if self._hopeless(start, self._facts) == 1:
            return Outcome(seed.game, lost="hopeless")
        tried = 0
        for width in self._search.widths:
            if width not in self._beams:
                self._beams[width] = _Beam(self._rules, self._box, start, width, self._mode)
            moves, more = self._beams[width].win(start, self._facts)
            tried += more
            if moves is not None:
                return self._played(seed, moves, width, tried)
        if self._proof is None:
            self._proof = _Proof(self._rules, self._box, start, self._search.states, self._mode)
        ended, moves, more = self._proof.search(start, self._facts)
        tried += more
        if moves is not None:
            return self._played(seed, moves, 0, tried)
        return Outcome(seed.game, lost="searched" if ended == proof.LOST else "", tried=tried)

    def _played(self, seed: Seed, moves: tuple[int, ...], width: int, tried: int) -> Outcome:
        table = replay(self._rules, self._box, seed, moves)
        if not table.over or table.places() != (1,):
            raise RuntimeError(f"{self._box.game.id}: the moves of a win of deal {seed.game} don't win it")
        return Outcome(seed.game, moves, width=width, tried=tried)


def _kernels(rules: Rules, mode: Mode) -> tuple[str, Mapping[str, Kernel]]:
    """A name for the rules, and what a search calls."""
    names = ("legal", "apply", "place", "value", "key", "hopeless")
    kernels = {name: getattr(rules, name) for name in names}
    return rules.name, {**kernels, "put": mode.put}


class _Beam:
    """The tables and rows of a search of one width."""

    def __init__(self, rules: Rules, box: Box, state: Record, width: int, mode: Mode):
        name, kernels = _kernels(rules, mode)
        offer = mode.bind(beam.offer, f"offer_{name}", kernels)
        self._sweep = mode.bind(beam.sweep, f"sweep_{name}", {**kernels, "offer": offer})
        self._mode = mode
        self._tables = [*(mode.table(state, width) for _ in range(3)), mode.table(state)]
        self._places = [mode.row(1 + beam.BLOCKS * width) for _ in range(3)]
        self._parents, self._moved = mode.row(_NODES * width), mode.row(_NODES * width)
        self._seen = mode.row(_power_of_two(16 * width))
        self._rows = [mode.row(rules.most(box)), mode.row(_numbers_in(state, mode)), mode.row(1)]
        self._told = mode.row(2)

    def win(self, start: Record, facts: Record) -> tuple[tuple[int, ...] | None, int]:
        """Moves that win, if any were found; and how many moves were tried."""
        self._mode.put(self._tables[3], 0, self._mode.table(start), 0)
        self._mode.put(self._tables[0], 0, self._tables[3], 0)
        rows = (self._parents, self._moved, self._seen, *self._rows, self._told)
        self._sweep(*self._tables, facts, *self._places, *rows)
        node, moves = int(self._told[beam.NODE]), list[int]()
        if node < 0:
            return None, int(self._told[beam.TRIED])
        while node > 0:
            moves.append(int(self._moved[node]))
            node = int(self._parents[node])
        return tuple(reversed(moves)), int(self._told[beam.TRIED])


class _Proof:
    """The rows of a search through everything."""

    def __init__(self, rules: Rules, box: Box, state: Record, states: int, mode: Mode):
        name, kernels = _kernels(rules, mode)
        own = {one.__name__: mode.bind(one, f"{one.__name__}_{name}", kernels) for one in (proof.push, proof.remember)}
        self._exhaust = mode.bind(proof.exhaust, f"exhaust_{name}", {**kernels, **own})
        self._mode = mode
        self._path, keys = mode.table(state, _DEPTH), mode.row(_numbers_in(state, mode))
        facts = mode.record(box.numbers)
        assert rules.key is not None  # noqa: S101 - it was looked for
        size = int(mode.kernel(rules.key)(state, facts, keys))
        sizes = (_DEPTH, _DEPTH * _PENDING, _DEPTH, _power_of_two(2 * states + 2), states * size, rules.most(box))
        self._rows: list[Any] = [*map(mode.row, sizes), keys, mode.row(1)]
        self._told = mode.row(3)

    def search(self, start: Record, facts: Record) -> tuple[int, tuple[int, ...] | None, int]:
        """How it ended, moves that win if it found any, and how many states it went through."""
        self._mode.put(self._path, 0, self._mode.table(start), 0)
        self._exhaust(self._path, facts, *self._rows, self._told)
        ended = int(self._told[proof.ENDED])
        via = tuple([int(move) for move in self._rows[0][: int(self._told[proof.LENGTH])]])
        return ended, via if ended == proof.WON else None, int(self._told[proof.STATES])


def _numbers_in(state: Record, mode: Mode) -> int:
    return sum(1 if isinstance(value, int) else len(value) for value in mode.numbers(state).values())


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()
