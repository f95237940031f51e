"""The win solver: finds which deals of a solitaire can be won; reads and writes its file and text."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from threading import local
from typing import Any

from generator.base.errors import Problem, ProblemsFound, gather_problems, join_lines
from generator.lab import win_search
from generator.lab.chunks import Crew, LoadedArms, Setup, map_in_order
from generator.lab.results import SOLVED, Result, ResultFile, sort_cells
from generator.lab.statistics import exact_limits, share_interval
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, Kernel, Mode, Record
from generator.rules.engine.table import Seed, Table, replay_game

WIDTHS = (50, 500, 5000)
"""Beam widths to try (states kept per step). The next one is used if no win was found."""

STATES = 20_000
"""Maximum number of states searched to prove that a deal can't be won."""

_NODES = 500
"""Maximum length of a game in a beam search (moves)."""

_DEPTH = 2000
"""Maximum depth of the exhaustive search (moves)."""

_PENDING = 100
"""Space for untried moves, per move of that depth."""


@dataclass(frozen=True, slots=True)
class Search:
    """Limits of the search: beam widths, then the number of states of an exhaustive search."""

    widths: tuple[int, ...] = WIDTHS
    states: int = STATES


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """What is known about a deal: won, lost or open.

    `moves` win it, or are None if no win was found. `lost` is the reason for a loss: `hopeless` by the rules' own
    bounds, `searched` after an exhaustive search, or empty if the deal is won or open. `width` is that of the winning
    beam, or 0. `tried` is the total number of moves tried and states searched.
    """

    deal: int
    moves: tuple[int, ...] | None = None
    lost: str = ""
    width: int = 0
    tried: int = 0

    @property
    def open(self) -> bool:
        """True if the deal is neither won nor lost."""
        return self.moves is None and not self.lost


def check_solvable(rules: Rules, box: Box) -> None:
    """Raise ProblemsFound for a game whose deals can't be solved."""
    place = box.game.places.place("players")
    if box.players != 1:
        what = f"{box.game.id} is for {box.players} players, but pnp solves only games for one player"
        raise ProblemsFound([Problem(place, what, "choose a game for one player")])
    if rules.key is None:
        what = f"the rules of {box.game.id} don't define when two states are the same"
        raise ProblemsFound([Problem(place, what, "give them a `key`: docs/rules.md")])


class Solver:
    """Solves the deals of one game. Equal deals have equal results in any process, compiled or not."""

    def __init__(self, rules: Rules, box: Box, search: Search, mode: Mode = INTERPRETED):
        check_solvable(rules, box)
        self._rules, self._box, self._search, self._mode = rules, box, search, mode
        self._facts = mode.make_record(box.numbers)
        self._beams: dict[int, _Beam] = {}
        self._proof: _Proof | None = None
        self._hopeless = mode.prepare_kernel(rules.hopeless)

    def solve_deal(self, seed: Seed) -> DealOutcome:
        """Return what is known about a deal. Each win is verified by replaying it at an ordinary table."""
        start = Table(self._rules, self._box, seed, self._mode).state
        if start.over == 1:
            won = Table(self._rules, self._box, seed).compute_places() == (1,)
            return DealOutcome(seed.game, () if won else None, "" if won else "searched")
        if self._hopeless(start, self._facts) == 1:
            return DealOutcome(seed.game, lost="hopeless")
        tried = 0
        for width in self._search.widths:
            if width not in self._beams:
                self._beams[width] = _Beam(self._rules, self._box, start, width, self._mode)
            moves, more = self._beams[width].win(start, self._facts)
            tried += more
            if moves is not None:
                return self._replay_win(seed, moves, width, tried)
        if self._proof is None:
            self._proof = _Proof(self._rules, self._box, start, self._search.states, self._mode)
        ended, moves, more = self._proof.search(start, self._facts)
        tried += more
        if moves is not None:
            return self._replay_win(seed, moves, 0, tried)
        return DealOutcome(seed.game, lost="searched" if ended == win_search.LOST else "", tried=tried)

    def _replay_win(self, seed: Seed, moves: tuple[int, ...], width: int, tried: int) -> DealOutcome:
        table = replay_game(self._rules, self._box, seed, moves)
        if not table.is_over or table.compute_places() != (1,):
            raise RuntimeError(f"{self._box.game.id}: the moves of a win of deal {seed.game} don't win it")
        return DealOutcome(seed.game, moves, width=width, tried=tried)


def _search_kernels(rules: Rules, mode: Mode) -> tuple[str, Mapping[str, Kernel]]:
    names = ("legal", "apply", "place", "value", "key", "hopeless")
    kernels = {name: getattr(rules, name) for name in names}
    return rules.name, {**kernels, "put": mode.put}


class _Beam:
    """A beam search of one width, with its preallocated tables."""

    def __init__(self, rules: Rules, box: Box, state: Record, width: int, mode: Mode):
        name, kernels = _search_kernels(rules, mode)
        offer = mode.bind(win_search.offer, f"offer_{name}", kernels)
        self._sweep = mode.bind(win_search.search_beam, f"sweep_{name}", {**kernels, "offer": offer})
        self._mode = mode
        self._tables = [*(mode.make_table(state, width) for _ in range(3)), mode.make_table(state)]
        self._places = [mode.make_row(1 + win_search.BLOCKS * width) for _ in range(3)]
        self._parents, self._moved = mode.make_row(_NODES * width), mode.make_row(_NODES * width)
        self._seen = mode.make_row(_power_of_two(16 * width))
        self._rows = [mode.make_row(rules.most(box)), mode.make_row(_numbers_in(state, mode)), mode.make_row(1)]
        self._told = mode.make_row(2)

    def win(self, start: Record, facts: Record) -> tuple[tuple[int, ...] | None, int]:
        """Search for a win from `start`. Return its moves (None if none was found) and the number of moves tried."""
        self._mode.put(self._tables[3], 0, self._mode.make_table(start), 0)
        self._mode.put(self._tables[0], 0, self._tables[3], 0)
        rows = (self._parents, self._moved, self._seen, *self._rows, self._told)
        self._sweep(*self._tables, facts, *self._places, *rows)
        node, moves = int(self._told[win_search.NODE]), list[int]()
        if node < 0:
            return None, int(self._told[win_search.TRIED])
        while node > 0:
            moves.append(int(self._moved[node]))
            node = int(self._parents[node])
        return tuple(reversed(moves)), int(self._told[win_search.TRIED])


class _Proof:
    def __init__(self, rules: Rules, box: Box, state: Record, states: int, mode: Mode):
        name, kernels = _search_kernels(rules, mode)
        own = {
            one.__name__: mode.bind(one, f"{one.__name__}_{name}", kernels)
            for one in (win_search.push, win_search.remember)
        }
        self._exhaust = mode.bind(win_search.exhaust, f"exhaust_{name}", {**kernels, **own})
        self._mode = mode
        self._path, keys = mode.make_table(state, _DEPTH), mode.make_row(_numbers_in(state, mode))
        facts = mode.make_record(box.numbers)
        assert rules.key is not None  # noqa: S101 - it was looked for
        size = int(mode.prepare_kernel(rules.key)(state, facts, keys))
        sizes = (_DEPTH, _DEPTH * _PENDING, _DEPTH, _power_of_two(2 * states + 2), states * size, rules.most(box))
        self._rows: list[Any] = [*map(mode.make_row, sizes), keys, mode.make_row(1)]
        self._told = mode.make_row(3)

    def search(self, start: Record, facts: Record) -> tuple[int, tuple[int, ...] | None, int]:
        """Search exhaustively. Return win_search's WON, LOST or LIMIT, a win's moves or None, and the states seen."""
        self._mode.put(self._path, 0, self._mode.make_table(start), 0)
        self._exhaust(self._path, facts, *self._rows, self._told)
        ended = int(self._told[win_search.ENDED])
        via = tuple([int(move) for move in self._rows[0][: int(self._told[win_search.LENGTH])]])
        return ended, via if ended == win_search.WON else None, int(self._told[win_search.STATES])


def _numbers_in(state: Record, mode: Mode) -> int:
    return sum(1 if isinstance(value, int) else len(value) for value in mode.read_numbers(state).values())


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


FORMAT = 1
LOT = 10
"""Number of deals in a batch. It is fixed, so that batches do not depend on the workers."""


@dataclass(frozen=True, slots=True)
class DealLot:
    """A batch of one arm: the numbers of its deals in the run."""

    arm: str
    run: int
    deals: tuple[int, ...]


@dataclass(slots=True)
class SolvedDeals:
    """The deals solved so far, by arm. `about` names the game and the search; `key` is its hash."""

    about: Mapping[str, Any]
    key: str
    arms: tuple[str, ...]
    outcomes: dict[tuple[str, int], DealOutcome] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """True if no deal is solved."""
        return not self.outcomes

    def outcomes_of(self, arm: str) -> list[DealOutcome]:
        """Return the results of an arm in the order of deals."""
        return [self.outcomes[place] for place in sorted(self.outcomes) if place[0] == arm]

    def to_text(self) -> str:
        """Return the text of the result's file."""
        head = {"format": FORMAT, "key": self.key, **self.about, "arms": list(self.arms)}
        text = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=1)
        lines = []
        for arm in self.arms:
            for one in self.outcomes_of(arm):
                known = {name: value for name, value in asdict(one).items() if value not in (None, "", 0)}
                lines.append(json.dumps({"arm": arm, "deal": one.deal, **known}, ensure_ascii=False))
        return f'{text[:-2]},\n "deals": [\n' + ",\n".join(lines) + "\n]}\n"


def read_solved(text: str, shown_path: str) -> SolvedDeals:
    """Parse the text of a file of solved deals. Raise ProblemsFound for another kind of file or another format."""
    file = ResultFile(text, shown_path, SOLVED, FORMAT, "name a file that `pnp lab solve` wrote")
    data = file.data
    key, arms, lines, _ = (data.pop(name) for name in ("key", "arms", "deals", "format"))
    solved = SolvedDeals(data, key, tuple(arms))
    for line in lines:
        moves = line.pop("moves", None)
        won = None if moves is None else tuple(moves)
        known = {name: line[name] for name in ("lost", "width", "tried") if name in line}
        solved.outcomes[line["arm"], line["deal"]] = DealOutcome(line["deal"], won, **known)
    return solved


def check_arms(loaded: LoadedArms) -> None:
    """Raise ProblemsFound with every reason why the deals of an arm can't be solved."""
    rules, arms = loaded
    problems: list[Problem] = []
    for game, options in arms.values():
        with gather_problems(problems):
            check_solvable(rules, rules.box(game, game.players.most, options))
    if problems:
        raise ProblemsFound(dict.fromkeys(problems))


def solve_deals(
    setup: Setup, search: Search, solved: SolvedDeals, run: int, deals: int, crew: Crew
) -> Iterator[tuple[int, int]]:
    """Solve the missing ones of deals 0 to `deals` - 1 of each arm. After each batch, yield batches done and total."""
    lots = []
    for first in range(0, deals, LOT):
        for arm in solved.arms:
            left = [n for n in range(first, min(first + LOT, deals)) if (arm, n) not in solved.outcomes]
            if left:
                lots.append(DealLot(arm, run, tuple(left)))
    work = partial(_solve_lot, setup, search, solved.key)
    for number, (lot, outcomes) in enumerate(zip(lots, map_in_order(work, lots, crew), strict=True), 1):
        solved.outcomes |= {(lot.arm, outcome.deal): outcome for outcome in outcomes}
        yield number, len(lots)


_own = local()
"""The solver of this thread: solvers have state, so threads must not share them."""


def _solve_lot(setup: Setup, search: Search, key: str, lot: DealLot) -> Sequence[DealOutcome]:
    if getattr(_own, "key", "") != key:
        _own.loaded, _own.solvers, _own.key = setup.load_arms(), {}, key
        _own.mode = CompiledMode(setup.kernels) if setup.kernels else INTERPRETED
    if lot.arm not in _own.solvers:
        rules, arms = _own.loaded
        game, options = arms[lot.arm]
        mode: Mode = _own.mode
        _own.solvers[lot.arm] = Solver(rules, rules.box(game, 1, options), search, mode)
    return [_own.solvers[lot.arm].solve_deal(Seed(lot.run, deal)) for deal in lot.deals]


WIN = "win of seat 1"
"""The measure that says how often the bots won."""


def winnable_limits(outcomes: list[DealOutcome]) -> tuple[float, float]:
    """Return limits of the share of winnable deals, with 95 % confidence (Clopper and Pearson 1934).

    The lower limit counts every open deal as lost, the upper limit as won.
    """
    won, still = sum(one.moves is not None for one in outcomes), sum(one.open for one in outcomes)
    if not outcomes:
        return 0.0, 1.0
    return exact_limits(won, len(outcomes))[0], exact_limits(won + still, len(outcomes))[1]


def format_solved(solved: SolvedDeals, played: Result | None) -> str:
    """Return the results as text: lines for known card order, and for the bots in `played`, which don't know it."""
    return join_lines(line for arm in solved.arms for line in _arm_lines(arm, solved, played))


def _arm_lines(arm: str, solved: SolvedDeals, played: Result | None) -> Iterator[str]:
    outcomes = solved.outcomes_of(arm)
    low, high = winnable_limits(outcomes)
    won, still = sum(one.moves is not None for one in outcomes), sum(one.open for one in outcomes)
    lost = Counter(one.lost for one in outcomes if one.lost)
    yield f"{arm}: {len(outcomes):,} deals"
    yield (
        f"  order of cards known   {low:7.2%} to {high:7.2%}   {won:,} won, {sum(lost.values()):,} lost"
        f" ({lost['hopeless']:,} by bounds, {lost['searched']:,} searched through), {still:,} open"
    )
    widths = Counter(one.width for one in outcomes if one.moves is not None)
    yield "    won by a search of width " + ", ".join(f"{width or 'all'}: {n:,}" for width, n in sorted(widths.items()))
    for (cell, name), sums in sort_cells(played) if played is not None else ():
        if name == arm:
            wins = sums.measures[WIN][1]
            share = share_interval(wins, sums.games)
            yield f"  {cell.bot_names:22} {share.low:7.2%} to {share.high:7.2%}   {wins:,} of {sums.games:,}"
