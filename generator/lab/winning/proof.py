"""A search through everything that can still happen, depth first: what it has gone through without a win is lost."""

from typing import Any

from generator.games.engine.kernel import Kernel, Record, Row, kernel
from generator.lab.winning.beam import mix


def _unbound(*_: Any) -> Any:
    raise RuntimeError("bind the search to a game's rules first")


legal: Kernel = _unbound
apply: Kernel = _unbound
place: Kernel = _unbound
key: Kernel = _unbound
hopeless: Kernel = _unbound
put: Kernel = _unbound

# Where `exhaust` tells what it has done: how it ended, after how many moves a win came, how many states it met.
ENDED, LENGTH, STATES = range(3)

# How it ends.
LIMIT, LOST, WON = range(3)


@kernel
def exhaust(
    path: Row,
    f: Record,
    via: Row,
    pending: Row,
    begins: Row,
    places: Row,
    stored: Row,
    moves: Row,
    keys: Row,
    seats: Row,
    told: Row,
) -> None:
    """Goes through all that can follow the first state of `path`, until it finds a win or a row is full.

    Each state is gone into once: `stored` has their keys, `places` where to find them. `pending` has the moves that are
    still to be tried, those of the state at a depth from `begins` on; `via` the moves that led to where the search is.
    """
    told[ENDED] = LIMIT
    told[STATES] = 0
    for i in range(len(places)):
        places[i] = 0
    depth = 0
    begins[0] = 0
    top = push(path[0], f, moves, pending, 0)
    remember(path[0], f, keys, places, stored, told)
    while top >= 0:
        if top == begins[depth]:
            if depth == 0:
                told[ENDED] = LOST
                return
            depth -= 1
            continue
        top -= 1
        via[depth] = pending[top]
        if depth + 1 == len(path):
            return
        put(path, depth + 1, path, depth)
        apply(path[depth + 1], f, via[depth])
        if path[depth + 1].over == 1:
            seats[0] = 0
            place(path[depth + 1], f, seats)
            if seats[0] == 1:
                told[ENDED] = WON
                told[LENGTH] = depth + 1
                return
        elif hopeless(path[depth + 1], f) == 0:
            fresh = remember(path[depth + 1], f, keys, places, stored, told)
            if fresh < 0:
                return
            if fresh == 1:
                depth += 1
                begins[depth] = top
                top = push(path[depth], f, moves, pending, top)


@kernel
def push(s: Record, f: Record, moves: Row, pending: Row, top: int) -> int:
    """Puts the legal moves on top of those pending, the first one uppermost; -1 if there is no room for them."""
    number: int = legal(s, f, moves)
    if top + number > len(pending):
        return -1
    for i in range(number):
        pending[top + i] = moves[number - 1 - i]
    return top + number


@kernel
def remember(s: Record, f: Record, keys: Row, places: Row, stored: Row, told: Row) -> int:
    """1 for a state that is new, 0 for one that was there before; -1 if there is no room for another.

    Keys are compared in full: what is taken for known is known.
    """
    size = key(s, f, keys)
    mask = len(places) - 1
    at = mix(keys, size) & mask
    while places[at] > 0:
        start = (places[at] - 1) * size
        same = 1
        for i in range(size):
            if stored[start + i] != keys[i]:
                same = 0
                break
        if same == 1:
            return 0
        at = (at + 1) & mask
    number = told[STATES]
    if (number + 1) * size > len(stored) or 2 * number > mask:
        return -1
    for i in range(size):
        stored[number * size + i] = keys[i]
    told[STATES] = number + 1
    places[at] = number + 1
    return 1
