"""Numbers that follow from the rules without playing: prices, payments, change, growth, and workers in rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import NamedTuple, TypeAlias

from generator.games.engine.kernel import INTERPRETED
from generator.games.xanadu import moves as m
from generator.games.xanadu.actions import payment
from generator.games.xanadu.facts import ACTIONS, LIDS, Facts, Growth, Placement, Rows, Space
from generator.games.xanadu.moves import Reading, goods_of
from generator.games.xanadu.rounds import removable
from generator.games.xanadu.stock import empty_full_rows, stand

# ---------------------------------------------------------------------------------------------------------------------
# Goods are numbers of resources by grade, from the lowest: (2, 1, 0) is two normal and one fine.

Goods: TypeAlias = tuple[int, ...]


def payments(have: Goods, cost: Goods) -> list[Goods]:
    """All ways to pay for a request with as many resources as it asks for."""
    s = INTERPRETED.record({"goods": have})
    f = INTERPRETED.record({"asks": [sum(cost)], "asks_fine": [sum(cost[1:])], "asks_superb": [sum(cost[2:])]})
    ways = takewhile(lambda goods: goods >= 0, (payment(s, f, 0, 0, n) for n in count()))
    return [tuple(goods_of(goods, grade) for grade in range(m.GRADES)) for goods in ways]


def cheapest(have: Goods, cost: Goods) -> Goods:
    """The payment that spends the lowest grades; ValueError if the goods do not suffice."""
    ways = payments(have, cost)
    if not ways:
        raise ValueError(f"{have} does not pay for {cost}")
    return min(ways, key=lambda goods: goods[::-1])


def steps(cost: Goods, by_grade: Goods) -> int:
    """The upgrades that the goods of a request need."""
    return sum(number * step for number, step in zip(cost, by_grade, strict=True))


def worth(cost: Goods, by_grade: Goods, further: int) -> int:
    """The VP of a request by the formula: so much for each grade, and more for each resource beyond the first."""
    return sum(number * vp for number, vp in zip(cost, by_grade, strict=True)) + further * max(sum(cost) - 1, 0)


def change(vp: int, values: Sequence[int]) -> Mapping[int, int]:
    """VP in as few tokens as possible, by value; there are tokens of 1."""
    tokens = {}
    for value in sorted(values, reverse=True):
        tokens[value], vp = divmod(vp, value)
    return tokens


def most_tokens(vp: int, values: Sequence[int]) -> Mapping[int, int]:
    """The most tokens of each value that any amount up to `vp` needs."""
    amounts = [change(amount, values) for amount in range(vp + 1)]
    return {value: max(tokens[value] for tokens in amounts) for value in sorted(values)}


# ---------------------------------------------------------------------------------------------------------------------
# The growth of a company


def states(removed: int, growth: Growth) -> tuple[Mapping[str, int], ...]:
    """Everything that a company can look like after so many lids: how many are off each row."""
    opens = [int(row in growth.opens_worker) for row in growth.lids]
    f = INTERPRETED.record({"lids": list(growth.lids.values()), "opens": opens})
    reached = {(0,) * len(LIDS)}
    for _ in range(removed):
        reached = {
            (*lids[:row], lids[row] + 1, *lids[row + 1 :])
            for lids in reached
            for row in range(len(lids))
            if removable(INTERPRETED.record({"lids": lids}), f, 0) >> row & 1
        }
    return tuple(dict(zip(growth.lids, lids, strict=True)) for lids in sorted(reached))


def worker_round(growth: Growth) -> int | None:
    """The first round whose end can bring the extra worker; None if no round does."""
    needed = min(growth.lids[row] for row in growth.opens_worker) + 1
    total = 0
    for number, removed in enumerate(growth.by_round, start=1):
        total += removed
        if total >= needed:
            return number
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Workers on the action board


class Shortfall(NamedTuple):
    """After a round: the workers that each seat could take back."""

    round: int
    taken: tuple[int, ...]


def most_normals(placements: int, rows: Rows, spaces: Mapping[int, Space]) -> int:
    """The most normal resources that so many placements can bring, whichever actions are chosen."""
    best = [0] + [-1] * placements
    for row in rows.values():
        gains = list(_gains(row, spaces, placements))
        best = [
            max((best[n - here] + gains[here] for here in range(n + 1) if best[n - here] >= 0), default=-1)
            for n in range(placements + 1)
        ]
    return best[placements]


def shortfalls(rounds: Iterable[Sequence[Placement]], facts: Facts) -> Iterator[Shortfall]:
    """The workers that each seat takes back after each round of placements; ValueError for one without a worker."""
    rounds = tuple(rounds)
    seats = range(max((placement.seat for placements in rounds for placement in placements), default=-1) + 1)
    hand = facts.growth.workers[0]
    hands, reserve = [hand for _ in seats], [facts.company_workers - hand for _ in seats]
    s = INTERPRETED.record({"rows": [0] * m.ROWS * m.SPACES, "row_n": [0] * m.ROWS, "reserve": reserve, "crew": 0})
    lengths = [len(facts.rows[action]) for action in ACTIONS]
    scope = Reading.BOARD if facts.switches["reset_scope"] == "board" else Reading.ROW
    f = INTERPRETED.record({"row_len": lengths, "reset_scope": scope})
    for number, placements in enumerate(rounds, start=1):
        for seat, action in placements:
            if hands[seat] == 0:
                raise ValueError(f"round {number}: seat {seat} has no worker left to place")
            hands[seat] -= 1
            stand(s, ACTIONS.index(action), seat)
            empty_full_rows(s, f)
        taken = tuple(min(hand, s.reserve[seat]) for seat in seats)
        for seat in seats:
            hands[seat] += taken[seat]
            s.reserve[seat] -= taken[seat]
        yield Shortfall(number, taken)


def starts(players: int, rounds: int) -> tuple[int, ...]:
    """How often each seat is start player when the marker goes round."""
    return tuple(len(range(seat, rounds, players)) for seat in range(players))


def _gains(row: Sequence[int], spaces: Mapping[int, Space], most: int) -> Iterator[int]:
    """The normal resources of 0, 1, 2 ... placements on one action."""
    total = 0
    yield total
    for n in range(most):
        total += spaces[row[n % len(row)]].normals
        yield total
