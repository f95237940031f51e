"""Looking ahead: the first step towards the best position that a bot finds by its own choices alone."""

from generator.games.engine.kernel import Kernel, Record, Row, chance32, kernel
from generator.playtest.players.choosing import unbound

put: Kernel = unbound
legal: Kernel = unbound
apply: Kernel = unbound
value: Kernel = unbound
begin: Kernel = unbound

MOVES = 400
"""About how many moves the bot tries for one choice."""

WIDTH = 24
"""How many positions it goes on from in each round."""

DESK = 2 + 2 * WIDTH
"""Records: what the seat sees, one to try on, and the positions of two rounds."""

# What is noted of a position of the coming round: the first of the choices that lead there, the position of this round
# that it comes from, the move that leads there (-1: none, it stays), its worth, and a chance part that parts equals.
FIRST, FROM, MOVE, WORTH, PART = range(5)
ENTRY = 5
NOTES = (WIDTH + 1) * ENTRY


@kernel
def note(notes: Row, noted: int, first: int, origin: int, move: int, worth: int, part: int) -> int:
    """Takes a position in among the best so far, best first, and gives up what is more than so many: how many now."""
    at = noted
    while at > 0:
        above = (at - 1) * ENTRY
        if notes[above + WORTH] > worth or (notes[above + WORTH] == worth and notes[above + PART] >= part):
            break
        for i in range(ENTRY):
            notes[above + ENTRY + i] = notes[above + i]
        at -= 1
    entry = at * ENTRY
    notes[entry + FIRST], notes[entry + FROM], notes[entry + MOVE] = first, origin, move
    notes[entry + WORTH], notes[entry + PART] = worth, part
    return min(noted + 1, WIDTH)


@kernel
def alike(notes: Row, noted: int) -> bool:
    """Whether all positions begin with the same choice."""
    others = 0
    for n in range(1, noted):
        others += notes[n * ENTRY + FIRST] != notes[FIRST]
    return others == 0


@kernel
def choose_ahead(
    table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: tuple[Row, ...], tasks: Row
) -> int:
    """The first step towards the best position found, going on from the most promising ones side by side.

    It follows the seat's own choices only: a position in which another seat is to move, or the game is over, stays as
    it is.
    """
    desk, ways, notes, own, _, _ = scratch
    begin(table, f, luck, desk, own)
    seat = desk[0].seat
    noted = 0
    for i in range(number):
        put(desk, 1, desk, 0)
        apply(desk[1], f, moves[i])
        noted = note(notes, noted, moves[i], 0, moves[i], value(desk[1], f, seat), chance32(own))
    tried, before = number, 0
    now, then = 2, 2 + WIDTH
    while before < tried < MOVES and not alike(notes, noted):
        for n in range(noted):
            entry = n * ENTRY
            put(desk, now + n, desk, notes[entry + FROM])
            if notes[entry + MOVE] >= 0:
                apply(desk[now + n], f, notes[entry + MOVE])
        before = tried
        # Behind the entries that are filled anew stand those of this round, as far as they are still needed.
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
                noted = note(notes, noted, first, here, ways[i], value(desk[1], f, seat), chance32(own))
            if found == 0:
                noted = note(notes, noted, first, here, -1, notes[entry + WORTH], notes[entry + PART])
        now, then = then, now
    chosen: int = notes[FIRST]
    return chosen
