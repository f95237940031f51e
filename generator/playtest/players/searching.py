"""Search: a tree of what may follow, grown by so many playouts a choice (Cowling, Powley and Whitehouse 2012).

Every playout takes another state that the seat may be in, so that a node stands for what can be told apart by the moves
made, and of its moves only those count that can be made in that state ("information set Monte Carlo tree search", by
one observer: IEEE Transactions on Computational Intelligence and AI in Games 4.2). Of the moves not tried yet the one
that looks best is tried first, and a node gets more of them only as it is visited more often: where there are many
moves, few playouts would be spent on trying each once. A playout ends with the turn in which the tree is left, each
seat going on with what looks best to it, and counts what the table then is worth to each seat.
"""

from math import sqrt

from generator.games.engine.kernel import Kernel, Record, Row, kernel
from generator.playtest.players.choosing import unbound

put: Kernel = unbound
legal: Kernel = unbound
apply: Kernel = unbound
place: Kernel = unbound
value: Kernel = unbound
begin: Kernel = unbound
look: Kernel = unbound
best_of: Kernel = unbound
descend: Kernel = unbound
play_out: Kernel = unbound
count: Kernel = unbound

DESK = 3
"""Records: what the seat sees, a playout's state, one to try moves on."""

# What is noted of a node: the move and the seat that led to it, where it comes from, its first branch and the next of
# its siblings (0: none; the root is no branch), how often it was visited, how often it could have been, and the sum of
# what its visits were worth to the seat that led to it.
MOVE, SEAT, PARENT, BRANCH, NEXT, VISITS, OFFERED, TOTAL = range(8)
NODE = 8

# What is noted of a seat: what the table was worth to it before, the sum of what playouts brought, how far they lay
# from their mean, summed, how many there were; its place.
BEFORE, SUM, SPREAD, PLAYOUTS, PLACE = range(5)
SEAT_NOTES = 5

EAGER = 0.7
"""How much moves that were tried little are preferred, in parts of how far what playouts bring lies from its mean."""

WIDER = 2
"""A node has at most the square root of so many times its visits as branches."""

FAR, WON = 40, 8
"""At most how much a playout can bring, and what to win counts, in parts of what a move here brings usually."""

LONGEST = 200
"""So many moves a playout makes at most after it has left the tree."""


@kernel
def logarithm(number: int) -> float:
    """The natural logarithm, off by 0.06 at most: straight between powers of two, so that all modes agree on it."""
    whole = number.bit_length() - 1
    return 0.6931471805599453 * (whole + number / (1 << whole) - 1)


@kernel
def find_move(ways: Row, number: int, move: int) -> int:
    """Where in the legal moves, ascending, a move stands; -1 if it does not."""
    low, high = 0, number
    while low < high:
        middle = (low + high) // 2
        if ways[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low if low < number and ways[low] == move else -1


@kernel
def branch_of(notes: Row, node: int, seat: int, ways: Row, number: int, seats: int, marks: int) -> int:
    """The branch to go on with, or -1: one more is to be tried. Those that can't be taken now are left out.

    Marks in the notes which of the legal moves have a branch.
    """
    for i in range(number):
        notes[marks + i] = 0
    spread = 1.0 + notes[seats + seat * SEAT_NOTES + SPREAD] / max(1, notes[seats + seat * SEAT_NOTES + PLAYOUTS])
    chosen, best, there = -1, 0.0, 0
    branch = notes[node * NODE + BRANCH]
    while branch > 0:
        at = branch * NODE
        if notes[at + SEAT] == seat:
            i = find_move(ways, number, notes[at + MOVE])
            if i >= 0:
                notes[marks + i] = 1
                notes[at + OFFERED] += 1
                there += 1
                visits = notes[at + VISITS]
                hope = notes[at + TOTAL] / visits + EAGER * spread * sqrt(logarithm(notes[at + OFFERED]) / visits)
                if chosen < 0 or hope > best:
                    chosen, best = branch, hope
        branch = notes[at + NEXT]
    if there < number and there * there <= WIDER * notes[node * NODE + VISITS]:
        return -1
    return chosen


@kernel
def go_down(
    f: Record, desk: Row, ways: Row, notes: Row, own: Row, taken: Row, nodes: int, seats: int, marks: int
) -> int:
    """Takes the playout's state down the tree, and one step out of it: where it left, which may be a new node."""
    node = 0
    while desk[1].over == 0:
        number = legal(desk[1], f, ways)
        if number == 0:
            break
        if number == 1:
            apply(desk[1], f, ways[0])
            continue
        seat = desk[1].seat
        branch = branch_of(notes, node, seat, ways, number, seats, marks)
        if branch >= 0:
            node = branch
            apply(desk[1], f, notes[node * NODE + MOVE])
            continue
        untried = 0
        for i in range(number):
            if notes[marks + i] == 0:
                ways[untried] = ways[i]
                untried += 1
        move = ways[0]
        if untried > 1:
            move = best_of(f, ways, untried, desk, 1, 2, own, taken, 0)
        at = nodes * NODE
        notes[at + MOVE], notes[at + SEAT], notes[at + PARENT] = move, seat, node
        notes[at + BRANCH], notes[at + NEXT] = 0, notes[node * NODE + BRANCH]
        notes[at + VISITS], notes[at + OFFERED], notes[at + TOTAL] = 0, 1, 0
        notes[node * NODE + BRANCH] = nodes
        apply(desk[1], f, move)
        return nodes
    return node


@kernel
def finish_turn(f: Record, desk: Row, ways: Row, own: Row, taken: Row) -> None:
    """Each seat goes on with what looks best to it until the turn is over."""
    turn, made = desk[1].turn, 0
    while desk[1].over == 0 and desk[1].turn == turn and made < LONGEST:
        number = legal(desk[1], f, ways)
        if number == 0:
            break
        move = ways[0]
        if number > 1:
            move = best_of(f, ways, number, desk, 1, 2, own, taken, 0)
        apply(desk[1], f, move)
        made += 1


@kernel
def bring_back(f: Record, desk: Row, notes: Row, places: Row, node: int, seats: int, usual: int) -> None:
    """Notes what the playout brought to each seat, for it and for the nodes on its way."""
    s = desk[1]
    if s.over:
        place(s, f, places)
    for seat in range(s.players):
        at = seats + seat * SEAT_NOTES
        brought = max(-FAR * usual, min(FAR * usual, value(s, f, seat) - notes[at + BEFORE]))
        if s.over:
            brought += WON * usual if places[seat] == 1 else -WON * usual
        notes[at + PLACE] = brought
        notes[at + SUM] += brought
        notes[at + PLAYOUTS] += 1
        notes[at + SPREAD] += abs(brought - notes[at + SUM] // notes[at + PLAYOUTS])
    while node > 0:
        at = node * NODE
        notes[at + VISITS] += 1
        notes[at + TOTAL] += notes[seats + notes[at + SEAT] * SEAT_NOTES + PLACE]
        node = notes[at + PARENT]
    notes[VISITS] += 1


@kernel
def choose_searching(
    table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: tuple[Row, ...], tasks: Row
) -> int:
    """The move that the search has tried most; of equals, the one that brought most."""
    desk, ways, notes, own, taken, places = scratch
    begin(table, f, luck, desk, own)
    s = desk[0]
    seat, playouts = s.seat, tasks[2 * s.seat + 1]
    seats = (playouts + 1) * NODE
    marks = seats + s.players * SEAT_NOTES
    for i in range(NODE):
        notes[i] = 0
    for i in range(seats, marks):
        notes[i] = 0
    for other in range(s.players):
        notes[seats + other * SEAT_NOTES + BEFORE] = value(s, f, other)
    usual = 0
    for i in range(number):
        put(desk, 2, desk, 0)
        apply(desk[2], f, moves[i])
        usual += abs(value(desk[2], f, seat) - notes[seats + seat * SEAT_NOTES + BEFORE])
    usual = usual // number + 1
    nodes = 1
    for _ in range(playouts):
        look(desk, 1, desk, f, own, seat)
        node = descend(f, desk, ways, notes, own, taken, nodes, seats, marks)
        nodes = max(nodes, node + 1)
        play_out(f, desk, ways, own, taken)
        count(f, desk, notes, places, node, seats, usual)
    chosen = notes[BRANCH]
    branch = notes[chosen * NODE + NEXT]
    while branch > 0:
        one, other = branch * NODE, chosen * NODE
        more = notes[one + VISITS] - notes[other + VISITS]
        if more > 0 or (more == 0 and notes[one + TOTAL] > notes[other + TOTAL]):
            chosen = branch
        branch = notes[one + NEXT]
    move: int = notes[chosen * NODE + MOVE]
    return move
