"""Kernels for what lies where in journey18: deck, hand, columns of events, black pawns, stories that can be solved."""

from generator.games.engine.hands import insert, remove
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey18.moves import MOST_CARDS, MOST_DAYS, NONE, Move, Side


@kernel
def draw_top(s: Record) -> int:
    """Takes the top card of a deck that has one."""
    s.ndeck -= 1
    card: int = s.deck[s.ndeck]
    s.deck[s.ndeck] = 0
    s.known_top = max(0, s.known_top - 1)
    s.known_bottom = min(s.known_bottom, s.ndeck)
    return card


@kernel
def put_on_top(s: Record, card: int) -> None:
    """Everyone who saw the card knows it there."""
    s.deck[s.ndeck] = card
    s.ndeck += 1
    s.known_top += 1


@kernel
def put_at_bottom(s: Record, card: int) -> None:
    """As `put_on_top`, at the other end."""
    for i in range(s.ndeck, 0, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[0] = card
    s.ndeck += 1
    s.known_bottom += 1


@kernel
def reveal(s: Record, f: Record) -> None:
    """Turns the top of the deck up for the Radio."""
    s.known_top = max(s.known_top, min(f.seen, s.ndeck))


@kernel
def take_into_hand(s: Record, card: int) -> None:
    """The hand stays in ascending order."""
    insert(s.hand, 0, s.nhand, card)
    s.nhand += 1


@kernel
def take_from_hand(s: Record, card: int) -> None:
    """The others close up."""
    remove(s.hand, 0, s.nhand, card)
    s.nhand -= 1


@kernel
def discard(s: Record, card: int) -> None:
    """Discards are open, and their order means nothing."""
    s.thrown[card] = 1
    s.nthrown += 1


@kernel
def place_event(s: Record, f: Record, card: int) -> None:
    """Puts a card next to the white pawn's location; the outermost falls off if there is no room."""
    start = s.white * f.rows
    for i in range(start + s.ncolumn[s.white], start, -1):
        moved = s.column[i - 1]
        s.column[i] = moved
        s.at[moved] = i
    s.column[start] = card
    s.at[card] = start
    s.ncolumn[s.white] += 1
    if s.ncolumn[s.white] > f.room[s.place[s.white]]:
        s.ncolumn[s.white] -= 1
        end = start + s.ncolumn[s.white]
        fallen = s.column[end]
        s.column[end] = 0
        s.at[fallen] = NONE
        discard(s, fallen)
        s.overflows += 1


@kernel
def swap_events(s: Record, one: int, other: int) -> None:
    """Two placed events change places."""
    here = s.at[one]
    there = s.at[other]
    s.column[here] = other
    s.column[there] = one
    s.at[one] = there
    s.at[other] = here


@kernel
def neighbour(s: Record, f: Record, card: int, side: int) -> int:
    """The event on a Side of a placed one, or NONE."""
    day = s.at[card] // f.rows
    row = s.at[card] % f.rows
    if side == Side.NEARER:
        row -= 1
    elif side == Side.FARTHER:
        row += 1
    elif side == Side.DAY_BEFORE:
        day -= 1
    else:
        day += 1
    if row < 0 or day < 0 or day >= f.days or row >= s.ncolumn[day]:
        return NONE
    found: int = s.column[day * f.rows + row]
    return found


@kernel
def pair(one: int, other: int) -> int:
    """Two days as a number, in whatever order they are given: the earlier one, then the later."""
    return one * MOST_DAYS + other if one < other else other * MOST_DAYS + one


@kernel
def earlier_of(days: int) -> int:
    """The earlier day of a pair."""
    return days // MOST_DAYS


@kernel
def later_of(days: int) -> int:
    """The later day of a pair."""
    return days % MOST_DAYS


@kernel
def swap_of(one: int, other: int) -> int:
    """The move by which two events change places, the lower one first."""
    return Move.SWAP + one * MOST_CARDS + other


@kernel
def first_swapped(move: int) -> int:
    """The lower event of such a move."""
    return (move - Move.SWAP) // MOST_CARDS


@kernel
def second_swapped(move: int) -> int:
    """The higher one."""
    return (move - Move.SWAP) % MOST_CARDS


@kernel
def set_black(s: Record, days: int) -> None:
    """Puts the black pawns on a pair of days."""
    s.black[0] = earlier_of(days)
    s.black[1] = later_of(days)


@kernel
def offer(moves: Row, start: int, number: int, move: int) -> int:
    """Adds a move to those from `start` on, which are in ascending order, unless it is there; answers their number."""
    at = number
    while at > start and moves[at - 1] > move:
        at -= 1
    if at > start and moves[at - 1] == move:
        return number
    for i in range(number, at, -1):
        moves[i] = moves[i - 1]
    moves[at] = move
    return number + 1


@kernel
def pawn_days(s: Record, f: Record) -> int:
    """The days of all pawns added up, without full weeks."""
    total: int = (s.white + s.black[0] + s.black[1]) % f.days
    return total


@kernel
def suits_there(s: Record, f: Record, day: int, needed: int) -> int:
    """The suits, as bits, of which at least so many events (1 to 3) lie at a location."""
    once = twice = thrice = 0
    start = day * f.rows
    for i in range(start, start + s.ncolumn[day]):
        bit = 1 << f.suit[s.column[i]]
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    return once if needed == 1 else twice if needed == 2 else thrice


@kernel
def solvable(s: Record, f: Record) -> int:
    """The unsolved suits, as bits, that have an event for each pawn where the pawns stand."""
    open_suits: int = f.stories & ~s.solved
    earlier = s.black[0]
    later = s.black[1]
    here = 1 + (1 if earlier == s.white else 0) + (1 if later == s.white else 0)
    open_suits &= suits_there(s, f, s.white, here)
    if open_suits and earlier != s.white:
        open_suits &= suits_there(s, f, earlier, 2 if earlier == later else 1)
    if open_suits and later not in (s.white, earlier):
        open_suits &= suits_there(s, f, later, 1)
    return open_suits


@kernel
def stories_solved(s: Record, f: Record) -> int:
    """How many stories are solved."""
    number = 0
    for suit in range(f.suits):
        number += (s.solved >> suit) & 1
    return number


@kernel
def arrived(s: Record, f: Record) -> int:
    """1 if all stories are solved and all pawns stand on the last day."""
    ready = s.solved == f.stories and s.white == f.last and s.black[0] == f.last and s.black[1] == f.last
    return 1 if ready else 0
