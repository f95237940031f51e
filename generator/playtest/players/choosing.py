"""Choosing at random, and by what the table is worth after a move.

Every kernel `choose_...` has the same arguments, so that any of them fits into the loop of a game, a seat each:

table     its first record is the game as it stands; nothing is read of it but what the seat sees
f         the box's numbers
luck      the chances that choices go by, at the stream of this turn
moves     the legal moves, `number` of them, two at least
scratch   what all bots of a table work with: `desk`, records to try moves on; `ways`, a row for legal moves; `notes`,
          a row of numbers; `own`, chances of one choice; `taken`, a row for the demand of each supply; `places`, a row
          for the place of each seat
tasks     for each seat which of the table's kinds of bots it is, and that bot's number (a supply, a count of playouts)
"""

from typing import Any

from generator.games.engine.kernel import Kernel, Record, Row, below, chance32, kernel, seed_chance


def unbound(*_: Any) -> Any:
    """Stands for a kernel of the rules until one is bound in its place."""
    raise RuntimeError("bind the loop to a game's rules first")


put: Kernel = unbound
apply: Kernel = unbound
blind: Kernel = unbound
value: Kernel = unbound
demand: Kernel = unbound
look: Kernel = unbound
worth: Kernel = unbound
best_of: Kernel = unbound
choose_1: Kernel = unbound
choose_2: Kernel = unbound
choose_3: Kernel = unbound
choose_4: Kernel = unbound
choose_5: Kernel = unbound

OWN = 4
"""The length of a row of chances of one stream."""


@kernel
def choose_randomly(
    table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: tuple[Row, ...], tasks: Row
) -> int:
    """Any legal move."""
    move: int = moves[below(luck, number)]
    return move


@kernel
def choose_as_seated(
    table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: tuple[Row, ...], tasks: Row
) -> int:
    """The choice of the kind of bot that sits on the seat."""
    kind = tasks[2 * table[0].seat]
    if kind == 0:
        return choose_1(table, f, luck, moves, number, scratch, tasks)  # type: ignore[no-any-return]
    if kind == 1:
        return choose_2(table, f, luck, moves, number, scratch, tasks)  # type: ignore[no-any-return]
    if kind == 2:
        return choose_3(table, f, luck, moves, number, scratch, tasks)  # type: ignore[no-any-return]
    if kind == 3:
        return choose_4(table, f, luck, moves, number, scratch, tasks)  # type: ignore[no-any-return]
    return choose_5(table, f, luck, moves, number, scratch, tasks)  # type: ignore[no-any-return]


@kernel
def begin_look(table: Row, f: Record, luck: Row, desk: Row, own: Row) -> None:
    """The first record of the desk: the game as the seat sees it, what is hidden mixed by chances of the bot's own.

    So many numbers of the stream are used up by a choice, whatever the bot does after it.
    """
    low = chance32(luck)
    seed_chance(own, low, chance32(luck))
    look(desk, 0, table, f, own, table[0].seat)


@kernel
def look_again(desk: Row, at: int, table: Row, f: Record, own: Row, seat: int) -> None:
    """A record of the desk: the game as the seat may think that it is, none of whose chances are the game's."""
    put(desk, at, table, 0)
    low = chance32(own)
    seed_chance(desk[at].rng, low, chance32(own))
    blind(desk[at], f, seat)


@kernel
def worth_by_value(s: Record, f: Record, seat: int, taken: Row, supply: int) -> int:
    """How good the state looks to the seat, by the rules' own measure."""
    return value(s, f, seat)  # type: ignore[no-any-return]


@kernel
def worth_by_supply(s: Record, f: Record, seat: int, taken: Row, supply: int) -> int:
    """How many pieces of a supply are in use."""
    demand(s, f, taken)
    number: int = taken[supply]
    return number


@kernel
def best_move(
    f: Record, moves: Row, number: int, desk: Row, at: int, free: int, own: Row, taken: Row, supply: int
) -> int:
    """The move after which a record of the desk is worth most to whose choice it is, any of them among equals.

    It tries them on another record, which is free.
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
            if below(own, equals) == 0:
                chosen = moves[i]
    move: int = chosen
    return move


@kernel
def choose_best(table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: tuple[Row, ...], tasks: Row) -> int:
    """The move after which things are worth most, as the seat sees them."""
    desk, _, _, own, taken, _ = scratch
    begin_look(table, f, luck, desk, own)
    return best_of(f, moves, number, desk, 0, 1, own, taken, tasks[2 * table[0].seat + 1])  # type: ignore[no-any-return]
