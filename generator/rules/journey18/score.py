"""The score of journey18: positions of pieces, points, and the valuation of a state."""

from generator.rules.engine.kernel import Record, Row, insert, kernel, remove
from generator.rules.journey18.state import MOST_CARDS, MOST_DAYS, NONE, Move, Result, Side, Step


@kernel
def draw_top(s: Record) -> int:
    """Take the top card of a deck that is not empty."""
    s.ndeck -= 1
    card: int = s.deck[s.ndeck]
    s.deck[s.ndeck] = 0
    s.known_top = max(0, s.known_top - 1)
    s.known_bottom = min(s.known_bottom, s.ndeck)
    return card


@kernel
def put_on_top(s: Record, card: int) -> None:
    """Put a card on top of the deck; players who saw the card know it there."""
    s.deck[s.ndeck] = card
    s.ndeck += 1
    s.known_top += 1


@kernel
def put_at_bottom(s: Record, card: int) -> None:
    """Put a card at the bottom of the deck; players who saw the card know it there."""
    for i in range(s.ndeck, 0, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[0] = card
    s.ndeck += 1
    s.known_bottom += 1


@kernel
def reveal_top(s: Record, f: Record) -> None:
    """Reveal the top of the deck for the Radio."""
    s.known_top = max(s.known_top, min(f.seen, s.ndeck))


@kernel
def take_into_hand(s: Record, card: int) -> None:
    """Insert a card into the hand, which stays in ascending order."""
    insert(s.hand, 0, s.nhand, card)
    s.nhand += 1


@kernel
def take_from_hand(s: Record, card: int) -> None:
    """Take a card from the hand; the others close the gap."""
    remove(s.hand, 0, s.nhand, card)
    s.nhand -= 1


@kernel
def discard_card(s: Record, card: int) -> None:
    """Discard a card; discards are open, and their order has no meaning."""
    s.thrown[card] = 1
    s.nthrown += 1


@kernel
def place_event(s: Record, f: Record, card: int) -> None:
    """Put a card next to the white pawn's location; the outermost card is discarded if there is no room."""
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
        discard_card(s, fallen)
        s.overflows += 1


@kernel
def find_neighbour(s: Record, f: Record, card: int, side: int) -> int:
    """Return the event on a Side of a placed one, or NONE."""
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
    return s.column[day * f.rows + row]


@kernel
def pair_days(one: int, other: int) -> int:
    """Return two days, in any order, as one number: the earlier day, then the later."""
    return one * MOST_DAYS + other if one < other else other * MOST_DAYS + one


@kernel
def earlier_of(days: int) -> int:
    """Return the earlier day of a pair."""
    return days // MOST_DAYS


@kernel
def later_of(days: int) -> int:
    """Return the later day of a pair."""
    return days % MOST_DAYS


@kernel
def first_swapped(move: int) -> int:
    """Return the lower event of a swap."""
    return (move - Move.SWAP) // MOST_CARDS


@kernel
def second_swapped(move: int) -> int:
    """Return the higher event of a swap."""
    return (move - Move.SWAP) % MOST_CARDS


@kernel
def set_black(s: Record, days: int) -> None:
    """Put the black pawns on a pair of days."""
    s.black[0] = earlier_of(days)
    s.black[1] = later_of(days)


@kernel
def offer_move(moves: Row, start: int, number: int, move: int) -> int:
    """Insert a move into the ascending ones from `start` on, unless it is there; return the number of moves."""
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
    """Return the sum of the days of all pawns, without full weeks."""
    return (s.white + s.black[0] + s.black[1]) % f.days


@kernel
def suits_there(s: Record, f: Record, day: int, needed: int) -> int:
    """Return the suits, as bits, with at least `needed` events (1 to 3) at a location."""
    once = twice = thrice = 0
    start = day * f.rows
    for i in range(start, start + s.ncolumn[day]):
        bit = 1 << f.suit[s.column[i]]
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    return once if needed == 1 else twice if needed == 2 else thrice


@kernel
def find_solvable(s: Record, f: Record) -> int:
    """Return the unsolved suits, as bits, that have an event for each pawn at the pawns' positions."""
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
    """Return the number of solved stories."""
    number = 0
    for suit in range(f.suits):
        number += (s.solved >> suit) & 1
    return number


@kernel
def points_now(s: Record, f: Record) -> int:
    """Return the points of the trip if it ended in a win now."""
    # The points for locations whose events all show one key icon.
    total = 0
    for day in range(f.last):
        number = s.ncolumn[day]
        if number == 0 or number < f.least[s.place[day]]:
            continue
        start = day * f.rows
        agree = 1
        for i in range(start + 1, start + number):
            if f.key[s.column[i]] != f.key[s.column[start]]:
                agree = 0
        if agree == 1:
            total += f.single_points if number == 1 else f.key_points
    return s.ndeck * f.deck_points + s.letters * f.letter_points + total - f.penalty


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill in the present points; a failed trip has none."""
    points[0] = 0 if s.result == Result.LOST else points_now(s, f)


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in the place: first for a trip that reached its end, second for any other."""
    places[0] = 1 if s.result == Result.WON else 2


# It reads what lies open and how many cards the deck has. The weights were found by trying: thousands of games by a
# bot
# that looks ahead, keeping each change that made it win more often.

REACHED = 10_000_000  # outweighs everything else
STORY = 10_000

# While stories are left
DECK = 70
LETTER = 325
BALANCED = 80  # the pawns' days add up to what the end takes
PLACED_1, PLACED_2, PLACED_3, PLACED_MORE = 60, 500, 900, 500  # events of an unsolved suit at locations
DISCARDED = 165  # each event of an unsolved suit that then is too few
MET = 63  # pawns that stand at an event of the suit
BLACK_MET = 16  # black ones among them
HELD = 38  # events of the suit in hand
BLACKS_READY, HELD_READY = 160, 160  # both black pawns stand at events of the suit; and each event of it in hand
READY = 4740  # all pawns do
EVERY, SECOND = 75, 62  # percent of this that count for every suit and for the second best; the best counts in full

# When all are solved
HOME = 900  # a black pawn on the last day
BALANCED_END, MENDABLE = 2830, 1500  # as above; or a letter can make it so
ONE_MORE = 16_000  # a card in hand takes the last two pawns home
DECK_END, LETTER_END = 300, 5575


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Return the value of the state: solved stories, then the distance to the next ones, or to the end."""
    if s.result == Result.WON:
        return REACHED + 100 * points_now(s, f)
    solved: int = f.letters - s.on_stories
    if s.result == Result.LOST:
        return 1000 * solved - REACHED
    if s.solved == f.stories:
        return STORY * solved + value_homecoming(s, f)
    off = (pawn_days(s, f) - 3 * f.last) % f.days
    rest: int = DECK * s.ndeck + LETTER * s.letters + (BALANCED if off == 0 else 0)
    return STORY * solved + rest + stories_near(s, f)


@kernel
def value_homecoming(s: Record, f: Record) -> int:
    """Return the value of the rest of the trip after all stories are solved."""
    total: int = DECK_END * s.ndeck + LETTER_END * s.letters
    for which in range(2):
        if s.black[which] == f.last:
            total += HOME
    off = (pawn_days(s, f) - 3 * f.last) % f.days
    if off == 0:
        total += BALANCED_END
    elif s.letters > 0 and (off == s.letters or off == f.days - s.letters):
        total += MENDABLE
    if s.step == Step.CARD and s.black[1] == f.last:
        for i in range(s.nhand):
            far = f.number[s.hand[i]]
            if s.white + far == f.last and (s.black[0] + f.move_total - far) % f.days == f.last:
                total += ONE_MORE
    return total


@kernel
def stories_near(s: Record, f: Record) -> int:
    """Return the nearness of unsolved stories by the events of each suit, packed as in `of_suit`."""
    placed = 0
    gone = 0
    for card in range(f.events):
        if s.at[card] != NONE:
            placed += f.mark[card]
        elif s.thrown[card] == 1:
            gone += f.mark[card]
    held = 0
    for i in range(s.nhand):
        held += f.mark[s.hand[i]]
    white = marks_at(s, f, s.white)
    earlier = marks_at(s, f, s.black[0])
    later = marks_at(s, f, s.black[1])
    total = 0
    best = 0
    second = 0
    for suit in range(f.suits):
        if (s.solved >> suit) & 1:
            continue
        number = of_suit(placed, suit)
        total += (
            PLACED_MORE if number > 3 else PLACED_3 if number == 3 else PLACED_2 if number == 2 else PLACED_1 * number
        )
        total -= DISCARDED * max(0, of_suit(gone, suit) - f.spare)
        near = value_nearness(
            s, of_suit(white, suit), of_suit(earlier, suit), of_suit(later, suit), of_suit(held, suit)
        )
        total += EVERY * near // 100
        second = max(second, min(best, near))
        best = max(best, near)
    return total + best + SECOND * second // 100


SUIT_BITS = 6
SUIT_MASK = 63
"""The bits for each suit in an integer that counts events by suit; `f.mark` has a 1 at an event's suit."""


@kernel
def of_suit(marks: int, suit: int) -> int:
    """Return the count of events of a suit."""
    return (marks >> (SUIT_BITS * suit)) & SUIT_MASK


@kernel
def marks_at(s: Record, f: Record, day: int) -> int:
    """Return the counts of events at a location, by suit."""
    total = 0
    for i in range(day * f.rows, day * f.rows + s.ncolumn[day]):
        total += f.mark[s.column[i]]
    return total


@kernel
def value_nearness(s: Record, white: int, earlier: int, later: int, held: int) -> int:
    """Return the value of the pawns' positions for a suit, given its events at each position and in hand."""
    if s.black[0] == s.black[1]:
        blacks = min(2, earlier)
        pawns = min(3, white) if s.white == s.black[0] else blacks + min(1, white)
    else:
        blacks = min(1, earlier) + min(1, later)
        if s.white == s.black[0]:
            pawns = min(2, white) + min(1, later)
        elif s.white == s.black[1]:
            pawns = min(2, white) + min(1, earlier)
        else:
            pawns = blacks + min(1, white)
    total = MET * pawns + BLACK_MET * blacks + HELD * held
    if blacks == 2:
        total += BLACKS_READY + HELD_READY * held
    return total + READY if pawns == 3 else total
