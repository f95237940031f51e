"""Searches for a win in a solitaire: a beam search of promising states, and an exhaustive search."""

from typing import Any

from generator.rules.engine.kernel import Kernel, Record, Row, kernel

# The beam search proceeds turn by turn, and within a turn move by move. A state whose turn has ended waits in the pool
# for the next turn. Each step and the pool keep only the most promising states. Every win found is certain, because its
# moves are legal. A win may exist even if the search finds none.


def _raise_unbound(*_: Any) -> Any:
    raise RuntimeError("bind the search to a game's rules first")


legal: Kernel = _raise_unbound
apply: Kernel = _raise_unbound
place: Kernel = _raise_unbound
value: Kernel = _raise_unbound
key: Kernel = _raise_unbound
hopeless: Kernel = _raise_unbound
put: Kernel = _raise_unbound

# Indices of the results of `sweep`.
NODE, TRIED = range(2)

# The row of a table of states has the number of states, then blocks with one entry for each slot of the table: a heap
# of slots with the least promising on top, the worth, a tie breaker, the parent node, and the move.
HEAP, WORTH, TIE, PARENT, MOVE = range(5)
BLOCKS = 5


@kernel
def search_beam(
    now: Row,
    ahead: Row,
    pool: Row,
    trial: Row,
    f: Record,
    of_now: Row,
    of_ahead: Row,
    of_pool: Row,
    parents: Row,
    moved: Row,
    seen: Row,
    moves: Row,
    keys: Row,
    seats: Row,
    told: Row,
) -> None:
    """Search for a win from the first state of table `now`. Put the win's node (or -1) and the moves tried in `told`.

    `ahead` (next move) and `pool` (next turn) are like `now`, `of_...` their heaps. `parents`, `moved`: by node.
    """
    width = len(now)
    told[NODE], told[TRIED], nodes = -1, 0, 0
    of_pool[0] = 0
    of_now[0] = 1
    of_now[1 + PARENT * width] = -1
    while of_now[0] > 0:
        for i in range(len(seen)):
            seen[i] = 0
        while of_now[0] > 0:
            if nodes + of_now[0] >= len(parents):
                return
            for at in range(of_now[0]):
                parents[nodes + at] = of_now[1 + PARENT * width + at]
                moved[nodes + at] = of_now[1 + MOVE * width + at]
            of_ahead[0] = 0
            for at in range(of_now[0]):
                turn = now[at].turn
                number = legal(now[at], f, moves)
                for i in range(number):
                    put(trial, 0, now, at)
                    apply(trial[0], f, moves[i])
                    told[TRIED] += 1
                    if trial[0].over == 1:
                        seats[0] = 0
                        place(trial[0], f, seats)
                        if seats[0] == 1:
                            parents[nodes + of_now[0]] = nodes + at
                            moved[nodes + of_now[0]] = moves[i]
                            told[NODE] = nodes + of_now[0]
                            return
                    elif trial[0].turn == turn:
                        offer(ahead, of_ahead, width, trial, f, keys, seen, nodes + at, moves[i])
                    else:
                        offer(pool, of_pool, width, trial, f, keys, seen, nodes + at, moves[i])
            nodes += of_now[0]
            now, ahead = ahead, now
            of_now, of_ahead = of_ahead, of_now
        now, pool = pool, now
        of_now, of_pool = of_pool, of_now


@kernel
def offer(table: Row, of: Row, width: int, trial: Row, f: Record, keys: Row, seen: Row, parent: int, move: int) -> None:
    """Add state `trial`, made by `move` from node `parent`, to `table` and its heap `of`, unless seen or hopeless.

    In a full table (`width` states), it replaces the least promising one, if that is worse.
    """
    worth = value(trial[0], f, 0)
    first = 1 + HEAP * width
    of_worth = 1 + WORTH * width
    of_tie = 1 + TIE * width
    if of[0] == width and worth < of[of_worth + of[first]]:
        return
    if hopeless(trial[0], f) == 1:
        return
    mixed = mix(keys, key(trial[0], f, keys))
    tie = mixed & 0xFFFFFF
    if of[0] == width and worth == of[of_worth + of[first]] and tie <= of[of_tie + of[first]]:
        return
    if mark_seen(seen, mixed) == 1:
        return
    if of[0] < width:
        slot = of[0]
        of[0] += 1
        at = slot
        while at > 0 and is_less_promising(of, of_worth, of_tie, worth, tie, of[first + (at - 1) // 2]) == 1:
            of[first + at] = of[first + (at - 1) // 2]
            at = (at - 1) // 2
    else:
        slot = of[first]
        at = 0
        while True:
            child = 2 * at + 1
            if child >= width:
                break
            if child + 1 < width:
                other = of[first + child]
                if (
                    is_less_promising(
                        of, of_worth, of_tie, of[of_worth + other], of[of_tie + other], of[first + child + 1]
                    )
                    == 0
                ):
                    child += 1
            if is_less_promising(of, of_worth, of_tie, worth, tie, of[first + child]) == 1:
                break
            of[first + at] = of[first + child]
            at = child
    of[first + at] = slot
    of[of_worth + slot] = worth
    of[of_tie + slot] = tie
    of[1 + PARENT * width + slot] = parent
    of[1 + MOVE * width + slot] = move
    put(table, slot, trial, 0)


@kernel
def is_less_promising(of: Row, of_worth: int, of_tie: int, worth: int, tie: int, slot: int) -> int:
    """Return 1 if a state of this worth is less promising than that in `slot`, else 0. Of equal worths the tie decides.

    `of` is the heap's row, in which worths begin at `of_worth` and tie breakers at `of_tie`.
    """
    if worth != of[of_worth + slot]:
        return 1 if worth < of[of_worth + slot] else 0
    return 1 if tie < of[of_tie + slot] else 0


@kernel
def mix(keys: Row, number: int) -> int:
    """Return a 62-bit hash (never 0) of the first `number` numbers of a state's key."""
    one = 2166136261
    other = 40503
    for i in range(2 * number):
        half = (keys[i >> 1] >> (32 * (i & 1))) & 0xFFFFFFFF
        one = ((one ^ half) * 16777619) & 0xFFFFFFFF
        one ^= one >> 15
        other = ((other + one) * 1597334677 + 1) & 0xFFFFFFFF
        other ^= other >> 13
    return ((one & 0x3FFFFFFF) << 32) | other | 1


@kernel
def mark_seen(seen: Row, mixed: int) -> int:
    """Return 1 if a state with this hash was seen this turn. Otherwise store the hash (unless full), and return 0."""
    mask = len(seen) - 1
    at = mixed & mask
    for _ in range(16):
        if seen[at] == mixed:
            return 1
        if seen[at] == 0:
            seen[at] = mixed
            return 0
        at = (at + 1) & mask
    return 0


# Indices of the results of `exhaust`: how it ended, the number of moves of a win, the number of states.
ENDED, LENGTH, STATES = range(3)

# Ways to end.
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
    """Search all that can follow the first state of `path` (one for each depth) until there is a win or a row is full.

    Each state is entered once: `stored` has the keys, `places` their positions. `pending` has the moves to try, those
    of the state at each depth from `begins` on. `via` has the moves to the current state, after a win those of the win.
    `told` gets the end (WON, LOST or LIMIT) and the number of states; `moves`, `keys` and `seats` are scratch.
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
    """Write the legal moves of state `s` into `pending` from `top` on. Return the new top, or -1 if they do not fit."""
    number: int = legal(s, f, moves)
    if top + number > len(pending):
        return -1
    for i in range(number):
        pending[top + i] = moves[number - 1 - i]
    return top + number


@kernel
def remember(s: Record, f: Record, keys: Row, places: Row, stored: Row, told: Row) -> int:
    """Add a state's key to `stored`. Return 1 if it is new, 0 if it was known, or -1 if `stored` or `places` is full.

    `keys` is scratch space for it. `places` has by hash the numbers (from 1) of keys, which are compared in full.
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
