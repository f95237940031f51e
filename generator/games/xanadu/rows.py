"""The action board of draft 18 and the workers on it: what spaces give, when rows empty, what the stock must hold."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias


class Space(NamedTuple):
    """A space of the action board: its number, the actions it gives, and the normal resources before them."""

    space: int
    actions: int
    normals: int


class Placement(NamedTuple):
    """A worker of a seat goes to the leftmost free space of an action."""

    seat: int
    action: str


class Shortfall(NamedTuple):
    """After a round: the workers that each seat could take back."""

    round: int
    taken: tuple[int, ...]


Rows: TypeAlias = Mapping[str, tuple[int, ...]]
"""The spaces of each action by their numbers, from the left."""

Board: TypeAlias = Mapping[str, tuple[int, ...]]
"""The seats whose workers stand on each action's spaces, from the left."""


def placed(board: Board, placement: Placement, rows: Rows) -> Board:
    """The board after a placement; a row that is full is emptied."""
    row = (*board[placement.action], placement.seat)
    full = len(row) == len(rows[placement.action])
    return {**board, placement.action: () if full else row}


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


def shortfalls(rounds: Iterable[Sequence[Placement]], rows: Rows, workers: int, hand: int) -> Iterator[Shortfall]:
    """The workers that each seat takes back after each round of placements; ValueError for one without a worker."""
    rounds = tuple(rounds)
    seats = range(max((placement.seat for placements in rounds for placement in placements), default=-1) + 1)
    board: Board = dict.fromkeys(rows, ())
    hands = dict.fromkeys(seats, hand)
    for number, placements in enumerate(rounds, start=1):
        for placement in placements:
            if hands[placement.seat] == 0:
                raise ValueError(f"round {number}: seat {placement.seat} has no worker left to place")
            hands[placement.seat] -= 1
            board = placed(board, placement, rows)
        there = Counter(seat for row in board.values() for seat in row)
        taken = tuple(min(hand, workers - there[seat] - hands[seat]) for seat in seats)
        hands = {seat: hands[seat] + taken[seat] for seat in seats}
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
