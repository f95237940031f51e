"""Lots of deals, solved in whatever process, and the file that they are kept in: one line for each deal."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, field
from functools import partial
from threading import local
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.games.engine.kernel import INTERPRETED, Compiled, Mode
from generator.games.engine.table import Seed
from generator.lab.chunks import Loaded, Setup
from generator.lab.executors import Crew, work_through
from generator.lab.result_shapes import SOLVED, ResultFile
from generator.lab.winning.solver import Outcome, Search, Solver, check_solvable

FORMAT = 1
LOT = 10
"""Deals in a lot: fixed, so that lots do not depend on who solves them."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals of a run under one arm, by their numbers."""

    arm: str
    run: int
    deals: tuple[int, ...]


@dataclass(slots=True)
class Solved:
    """What is known of deals so far, by arm and deal. `about` says of what, and by which search; `key` sums that up."""

    about: Mapping[str, Any]
    key: str
    arms: tuple[str, ...]
    outcomes: dict[tuple[str, int], Outcome] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether no deal is solved."""
        return not self.outcomes

    def of(self, arm: str) -> list[Outcome]:
        """The outcomes of an arm in the order of deals."""
        return [self.outcomes[place] for place in sorted(self.outcomes) if place[0] == arm]

    def text(self) -> str:
        """What the file says."""
        head = {"format": FORMAT, "key": self.key, **self.about, "arms": list(self.arms)}
        text = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=1)
        lines = [json.dumps(_line(arm, one), ensure_ascii=False) for arm in self.arms for one in self.of(arm)]
        return f'{text[:-2]},\n "deals": [\n' + ",\n".join(lines) + "\n]}\n"


def read_solved(text: str, shown: str) -> Solved:
    """What a file holds; ProblemsFound for one of another kind, or another format."""
    file = ResultFile(text, shown, SOLVED, FORMAT, "give the file that `pnp lab solve` wrote")
    data = file.data
    key, arms, lines, _ = (data.pop(name) for name in ("key", "arms", "deals", "format"))
    outcomes = {(line["arm"], line["deal"]): _outcome(line) for line in lines}
    return Solved(data, key, tuple(arms), outcomes)


def _line(arm: str, outcome: Outcome) -> dict[str, Any]:
    told = {name: value for name, value in asdict(outcome).items() if value not in (None, "", 0) or name == "deal"}
    return {"arm": arm, **told}


def _outcome(line: Mapping[str, Any]) -> Outcome:
    moves = line.get("moves")
    won = None if moves is None else tuple(moves)
    return Outcome(line["deal"], won, line.get("lost", ""), line.get("width", 0), line.get("tried", 0))


def check_arms(loaded: Loaded) -> None:
    """ProblemsFound with all that can't be solved."""
    rules, arms = loaded
    problems: list[Problem] = []
    for game, options in arms.values():
        try:
            check_solvable(rules, rules.box(game, game.players.most, options))
        except ProblemsFound as found:
            problems += found.problems
    if problems:
        raise ProblemsFound(dict.fromkeys(problems))


def solve_deals(
    setup: Setup, search: Search, solved: Solved, run: int, deals: int, crew: Crew
) -> Iterator[tuple[int, int]]:
    """Adds what lacks of so many deals of each arm; after each lot, how many lots are done, of how many."""
    lots = list(_lots(solved, run, deals))
    work = partial(_solve, setup, search, solved.key)
    for number, (lot, outcomes) in enumerate(zip(lots, work_through(work, lots, crew), strict=True), 1):
        solved.outcomes |= {(lot.arm, outcome.deal): outcome for outcome in outcomes}
        yield number, len(lots)


def _lots(solved: Solved, run: int, deals: int) -> Iterator[Deals]:
    for first in range(0, deals, LOT):
        for arm in solved.arms:
            left = [n for n in range(first, min(first + LOT, deals)) if (arm, n) not in solved.outcomes]
            if left:
                yield Deals(arm, run, tuple(left))


_own = local()
"""Of each thread the solvers of the question that it works for: what they write into is nobody else's."""


def _solve(setup: Setup, search: Search, key: str, lot: Deals) -> Sequence[Outcome]:
    if getattr(_own, "key", "") != key:
        _own.loaded, _own.solvers, _own.key = setup.loaded(), {}, key
        _own.mode = Compiled(setup.kernels) if setup.kernels else INTERPRETED
    if lot.arm not in _own.solvers:
        rules, arms = _own.loaded
        game, options = arms[lot.arm]
        mode: Mode = _own.mode
        _own.solvers[lot.arm] = Solver(rules, rules.box(game, 1, options), search, mode)
    return [_own.solvers[lot.arm].outcome(Seed(lot.run, deal)) for deal in lot.deals]
