"""Results made up by hand, whose findings are known, for the tests of reports."""

from collections import Counter
from collections.abc import Mapping, Sequence

from generator.lab.chunks import Cell
from generator.lab.measures import Histogram, PairedSums, Sums
from generator.lab.results import Question, Result

TURNS = (30, 32, 34, 36, 38, 40, 42, 44)
"""The base arm's turns, over and over: their standard deviation is 4.6."""

Gaps = Mapping[str, Sequence[int]]
"""Measure -> differences of the games to the base arm's, over and over."""


def made_result(
    arms: Mapping[str, tuple[str, object, Gaps]],
    cells: Sequence[Cell] = (Cell(4, ("random",) * 4),),
    games: int = 800,
    *,
    turned: int = -1,
    asked: Question | None = None,
    game: str = "fortuna",
) -> Result:
    """A result with these arms: name -> (entry, value, differences); at the cell number `turned` their signs turn."""
    about = {
        name: {"readings": {entry: value} if entry else {}, "values": {}} for name, (entry, value, _) in arms.items()
    }
    base = {"as it is": {"readings": {}, "values": {}}}
    most = max(cell.players for cell in cells)
    measures = ("turns", "ties", *(f"win of seat {seat}" for seat in range(1, most + 1)))
    shares = frozenset(measures[1:])
    head = {"game": game, "draft": "2", "experiment": {"arms": base | about, "run": 1}}
    head |= {"data": "d" * 16, "rules": "r" * 16, "program": "0"}
    whole = {name: 12 if name.startswith("win") else 1 for name in measures}
    result = Result(head, "k" * 64, ("as it is", *arms), whole, shares, asked=asked or Question())
    for number, cell in enumerate(cells):
        result.cells[cell, "as it is"] = Sums(games, _base(games, measures))
        for name, (_, _, gaps) in arms.items():
            sign = -1 if number == turned else 1
            differences = {one: _over(games, [sign * gap for gap in gaps.get(one, (0,))]) for one in measures}
            same = games if not gaps else 0
            result.cells[cell, name] = Sums(games, _base(games, measures), PairedSums(same, differences))
    return result


def _over(games: int, values: Sequence[int]) -> Histogram:
    return Counter(values[at % len(values)] for at in range(games))


def _base(games: int, measures: Sequence[str]) -> dict[str, Histogram]:
    seats = sum(name.startswith("win") for name in measures)
    found = {"turns": _over(games, TURNS), "ties": _over(games, (0, 0, 0, 1))}
    for seat in range(seats):
        found[f"win of seat {seat + 1}"] = _over(games, [12 if at == seat else 0 for at in range(seats)])
    return found


LARGE: Gaps = {"turns": (3, 5)}
SMALL: Gaps = {"turns": (0, 0, 0, 1)}
NONE: Gaps = {}
"""Of a standard deviation of 4.6: about nine tenths, a twentieth, and nothing at all."""
