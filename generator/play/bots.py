"""Bots: choose moves at random, by the value of the result, by looking ahead, or by tree search."""

from math import sqrt
from typing import Any, TypeAlias

from generator.rules.engine.kernel import Record, Row, draw_below, draw_chance32, kernel, seed_chance

# All kernels `choose_...` have the same arguments, so that the loop of a game can use any of them for a seat:
#
# table     its first record is the present game; kernels read only what the seat sees
# f         the box's numbers
# luck      the random numbers for choices, at the stream of this turn
# moves     the legal moves, `number` of them, at least two
# scratch   memory shared by all bots of a table: `desk`, records to try moves on; `ways`, a row for legal moves;
#           `notes`, a row of numbers; `own`, random numbers of one choice; `taken`, a row for the demand of each
#           supply; `places`, a row for the place of each seat
# tasks     for each seat the index of its kind of bot, and the bot's number (a supply, or how many playouts or looks)


def raise_unbound(*_: Any) -> Any:
    """Raise RuntimeError. This is a placeholder until a function of the rules is bound in its place."""
    raise RuntimeError("bind the loop to a game's rules first")


put = apply = blind = value = demand = legal = place = raise_unbound
look = ahead = worth = best_of = begin = descend = play_out = count = raise_unbound
choose_1 = choose_2 = choose_3 = choose_4 = choose_5 = raise_unbound

Rows: TypeAlias = tuple[Row, ...]

OWN = 4
"""Length of the row of random numbers that belongs to a bot."""


@kernel
def choose_randomly(table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: Rows, tasks: Row) -> int:
    """Return one of the first `number` legal moves at random.

    All bots have these parameters: the game is `table[0]`, `f` the facts of its box, `luck` a row for random numbers,
    `moves` the legal moves, `scratch` room to work in. `tasks` has each seat's kind of bot (an index) and its number.
    """
    return moves[draw_below(luck, number)]


@kernel
def choose_as_seated(table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: Rows, tasks: Row) -> int:
    """Return the move chosen by the current seat's kind of bot, whose number is `tasks[2 * seat]`."""
    kind = tasks[2 * table[0].seat]
    if kind == 0:
        return choose_1(table, f, luck, moves, number, scratch, tasks)
    if kind == 1:
        return choose_2(table, f, luck, moves, number, scratch, tasks)
    if kind == 2:
        return choose_3(table, f, luck, moves, number, scratch, tasks)
    if kind == 3:
        return choose_4(table, f, luck, moves, number, scratch, tasks)
    return choose_5(table, f, luck, moves, number, scratch, tasks)


@kernel
def begin_look(table: Row, f: Record, luck: Row, desk: Row, own: Row) -> None:
    """Copy the game into the first work record (`desk[0]`) as the seat to move sees it, with hidden parts shuffled.

    Seed `own`, the bot's own random numbers, from `luck`, so that every choice takes equally many numbers from `luck`.
    """
    low = draw_chance32(luck)
    seed_chance(own, low, draw_chance32(luck))
    look(desk, 0, table, f, own, table[0].seat)


@kernel
def look_again(desk: Row, at: int, table: Row, f: Record, own: Row, seat: int) -> None:
    """Copy the game into `desk[at]`. With numbers from `own`, shuffle what the seat can't see, and seed the copy."""
    put(desk, at, table, 0)
    low = draw_chance32(own)
    seed_chance(desk[at].rng, low, draw_chance32(own))
    blind(desk[at], f, seat)


@kernel
def worth_by_value(s: Record, f: Record, seat: int, taken: Row, supply: int) -> int:
    """Return the value of a state for a seat, by the rules' own `value`. `taken`, `supply` are for worth_by_supply."""
    return value(s, f, seat)


@kernel
def worth_by_supply(s: Record, f: Record, seat: int, taken: Row, supply: int) -> int:
    """Return how many pieces of the supply are in use in state `s`. `taken` is a row to count all supplies in."""
    demand(s, f, taken)
    return taken[supply]


@kernel
def best_move(
    f: Record, moves: Row, number: int, desk: Row, at: int, free: int, own: Row, taken: Row, supply: int
) -> int:
    """Return the move with the highest worth for the seat that chooses in `desk[at]`; a random one among equals.

    The first `number` moves are tried on the work record `desk[free]`. `own` gives random numbers; `taken` and `supply`
    go to `worth`.
    """
    seat = desk[at].seat
    chosen, best, equals = moves[0], 0, 0
    for i in range(number):
        put(desk, free, desk, at)
        apply(desk[free], f, moves[i])
        found = worth(desk[free], f, seat, taken, supply)
        if equals == 0 or found > best:
            chosen, best, equals = moves[i], found, 1
        elif found == best:
            equals += 1
            if draw_below(own, equals) == 0:
                chosen = moves[i]
    return chosen


@kernel
def choose_best(table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: Rows, tasks: Row) -> int:
    """Return the move after which the state has the highest worth, as the seat sees the game."""
    desk, _, _, own, taken, _ = scratch
    begin_look(table, f, luck, desk, own)
    return best_of(f, moves, number, desk, 0, 1, own, taken, tasks[2 * table[0].seat + 1])


MOVES = 400
"""Roughly the number of moves that the bot tries for one choice."""

WIDTH = 24
"""Number of positions that it keeps and continues in each round (beam width)."""

AHEAD_DESK = 2 + 2 * WIDTH
"""Number of work records: the game as the seat sees it, one for trying moves, and the positions of two rounds."""

# The entry of a position of the next round: the first of the choices that lead there, the position of this round before
# it, the move between them (-1: none, it stays), its worth, and a random number that orders equals.
FIRST, FROM, NOTED_MOVE, WORTH, PART = range(5)
ENTRY = 5
NOTES = (WIDTH + 1) * ENTRY


@kernel
def note_position(notes: Row, noted: int, first: int, origin: int, move: int, worth: int, part: int) -> int:
    """Insert a position into the `noted` best in `notes`, ordered by worth, then `part`. Return how many there are now.

    `first` is the first move on the way to it, `move` the last one, made in record `origin`. At most WIDTH are kept.
    """
    at = noted
    while at > 0:
        above = (at - 1) * ENTRY
        if notes[above + WORTH] > worth or (notes[above + WORTH] == worth and notes[above + PART] >= part):
            break
        for i in range(ENTRY):
            notes[above + ENTRY + i] = notes[above + i]
        at -= 1
    entry = at * ENTRY
    notes[entry + FIRST], notes[entry + FROM], notes[entry + NOTED_MOVE] = first, origin, move
    notes[entry + WORTH], notes[entry + PART] = worth, part
    return min(noted + 1, WIDTH)


@kernel
def has_one_choice(notes: Row, noted: int) -> bool:
    """Return True if the `noted` positions in the list all begin with the same first move."""
    others = 0
    for n in range(1, noted):
        others += notes[n * ENTRY + FIRST] != notes[FIRST]
    return others == 0


@kernel
def search_ahead(f: Record, moves: Row, number: int, desk: Row, ways: Row, notes: Row, own: Row) -> int:
    """Return the first move towards the best position found by a beam search from `desk[0]`.

    It follows the seat's own choices only: positions where another seat chooses, or the game is over, stay as they are.
    The game has `number` legal `moves`; `ways` is a row for later ones, `notes` for positions, `own` random numbers.
    """
    seat = desk[0].seat
    noted = 0
    for i in range(number):
        put(desk, 1, desk, 0)
        apply(desk[1], f, moves[i])
        noted = note_position(notes, noted, moves[i], 0, moves[i], value(desk[1], f, seat), draw_chance32(own))
    tried, before = number, 0
    now, then = 2, 2 + WIDTH
    while before < tried < MOVES and not has_one_choice(notes, noted):
        for n in range(noted):
            entry = n * ENTRY
            put(desk, now + n, desk, notes[entry + FROM])
            if notes[entry + NOTED_MOVE] >= 0:
                apply(desk[now + n], f, notes[entry + NOTED_MOVE])
        before = tried
        # The entries of this round that are still needed move behind the entries to be refilled.
        held = noted
        for n in range(held):
            for i in range(ENTRY):
                notes[NOTES + n * ENTRY + i] = notes[n * ENTRY + i]
        noted = 0
        for n in range(held):
            entry = NOTES + n * ENTRY
            first, here = notes[entry + FIRST], now + n
            found = 0
            if desk[here].seat == seat and desk[here].over == 0:
                found = legal(desk[here], f, ways)
            tried += found
            for i in range(found):
                put(desk, 1, desk, here)
                apply(desk[1], f, ways[i])
                noted = note_position(notes, noted, first, here, ways[i], value(desk[1], f, seat), draw_chance32(own))
            if found == 0:
                noted = note_position(notes, noted, first, here, -1, notes[entry + WORTH], notes[entry + PART])
        now, then = then, now
    return notes[FIRST]


@kernel
def choose_ahead(table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: Rows, tasks: Row) -> int:
    """Return the move with which most beam searches begin (the first of equals). Each guesses what is hidden anew."""
    desk, ways, notes, own, _, _ = scratch
    begin(table, f, luck, desk, own)
    votes = 2 * NOTES
    for i in range(number):
        notes[votes + i] = 0
    chosen = 0
    for at in range(tasks[2 * table[0].seat + 1]):
        if at:
            look(desk, 0, table, f, own, table[0].seat)
        move = ahead(f, moves, number, desk, ways, notes, own)
        for i in range(number):
            if moves[i] == move:
                notes[votes + i] += 1
                if notes[votes + i] > notes[votes + chosen]:
                    chosen = i
    return moves[chosen]


# Every playout starts in another state that the seat considers possible. So a node represents a sequence of moves, and
# only its moves that are legal in that state count ("information set Monte Carlo tree search" with one observer: IEEE
# Transactions on Computational Intelligence and AI in Games 4.2). Of the moves not tried yet, the one that looks best
# comes first, and a node gets more of them only with more visits: otherwise, with many moves, most playouts would try
# each move just once. A playout ends with the turn in which it leaves the tree; until then each seat chooses the move
# that looks best to it. The result is the worth of the table to each seat at that moment.

SEARCH_DESK = 3
"""Number of work records: the game as the seat sees it, the state of a playout, and one for trying moves."""

# The entry of a node: the move and the seat that led to it, its parent, its first branch and its next sibling (0: none;
# the root is no branch), the number of visits and of possible visits, and the sum of the results of its visits for the
# seat that led to it.
NODE_MOVE, SEAT, PARENT, BRANCH, NEXT, VISITS, OFFERED, TOTAL = range(8)
NODE = 8

# The entry of a seat: the worth of the table to it before, the sum of the playouts' results, the sum of their distances
# from the mean, the number of playouts; its place.
BEFORE, SUM, SPREAD, PLAYOUTS, PLACE = range(5)
SEAT_NOTES = 5

EAGER = 0.7
"""Weight of exploring rarely tried moves, relative to the spread of the playouts' results."""

WIDER = 2
"""A node has at most sqrt(this factor * its visits) branches."""

FAR, WON = 40, 8
"""Largest result of a simulated game, and bonus for a win, in units of a move's usual effect on the value."""

LONGEST = 200
"""Maximum number of moves of a simulated game (playout) after it has left the tree."""


@kernel
def approximate_log(number: int) -> float:
    """Return ln(number) within 0.06, linear between powers of two, so that compiled and interpreted code agree."""
    whole = number.bit_length() - 1
    return 0.6931471805599453 * (whole + number / (1 << whole) - 1)


@kernel
def find_move_index(ways: Row, number: int, move: int) -> int:
    """Return the index of a move among the first `number` of the ascending legal moves `ways`, or -1."""
    low, high = 0, number
    while low < high:
        middle = (low + high) // 2
        if ways[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low if low < number and ways[low] == move else -1


@kernel
def find_branch(notes: Row, node: int, seat: int, ways: Row, number: int, seats: int, marks: int) -> int:
    """Return the child of tree node `node` to continue with, or -1 to try a new one of the `number` legal moves `ways`.

    Children whose move is not legal now don't count. Mark in `notes` from index `marks` on which moves have a child;
    `seats` is the index of the seats' statistics there.
    """
    for i in range(number):
        notes[marks + i] = 0
    spread = 1.0 + notes[seats + seat * SEAT_NOTES + SPREAD] / max(1, notes[seats + seat * SEAT_NOTES + PLAYOUTS])
    chosen, best, there = -1, 0.0, 0
    branch = notes[node * NODE + BRANCH]
    while branch > 0:
        at = branch * NODE
        if notes[at + SEAT] == seat:
            i = find_move_index(ways, number, notes[at + NODE_MOVE])
            if i >= 0:
                notes[marks + i] = 1
                notes[at + OFFERED] += 1
                there += 1
                visits = notes[at + VISITS]
                hope = notes[at + TOTAL] / visits + EAGER * spread * sqrt(approximate_log(notes[at + OFFERED]) / visits)
                if chosen < 0 or hope > best:
                    chosen, best = branch, hope
        branch = notes[at + NEXT]
    if there < number and there * there <= WIDER * notes[node * NODE + VISITS]:
        return -1
    return chosen


@kernel
def descend_tree(
    f: Record, desk: Row, ways: Row, notes: Row, own: Row, taken: Row, nodes: int, seats: int, marks: int
) -> int:
    """Play `desk[1]` down the search tree in `notes`, and one move out of it. Return the last node (`nodes` if new).

    `ways` is a row for legal moves; `seats` and `marks` are indices in `notes`, as in `find_branch`.
    """
    node = 0
    while desk[1].over == 0:
        number = legal(desk[1], f, ways)
        if number == 0:
            break
        if number == 1:
            apply(desk[1], f, ways[0])
            continue
        seat = desk[1].seat
        branch = find_branch(notes, node, seat, ways, number, seats, marks)
        if branch >= 0:
            node = branch
            apply(desk[1], f, notes[node * NODE + NODE_MOVE])
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
        notes[at + NODE_MOVE], notes[at + SEAT], notes[at + PARENT] = move, seat, node
        notes[at + BRANCH], notes[at + NEXT] = 0, notes[node * NODE + BRANCH]
        notes[at + VISITS], notes[at + OFFERED], notes[at + TOTAL] = 0, 1, 0
        notes[node * NODE + BRANCH] = nodes
        apply(desk[1], f, move)
        return nodes
    return node


@kernel
def finish_turn(f: Record, desk: Row, ways: Row, own: Row, taken: Row) -> None:
    """Play `desk[1]` to the end of its turn, or for LONGEST moves; each seat makes the move with the highest worth."""
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
def record_playout(f: Record, desk: Row, notes: Row, places: Row, node: int, seats: int, usual: int) -> None:
    """Add the result of the simulated game `desk[1]` to each seat's statistics, and to those of nodes from `node` up.

    It is how much a seat's value grew, and a bonus for a win, in units of `usual`, a move's usual effect (see FAR).
    """
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
def choose_searching(table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: Rows, tasks: Row) -> int:
    """Return the move that the tree search tried most often; among equals, the one with the best results."""
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
    return notes[chosen * NODE + NODE_MOVE]
