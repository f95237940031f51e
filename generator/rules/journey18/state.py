"""The state of journey18: names for moves and phases, its fields, and what moves do with its pieces."""

from generator.rules.engine.contract import State, row_field
from generator.rules.engine.facts import codes
from generator.rules.engine.kernel import Record, insert, kernel, remove, take_at

MOST_CARDS, MOST_DAYS = 100, 10
"""The capacity of the numbers of moves."""

SUIT_BITS = 6
"""The bits for each suit in a number that counts events by suit; `f.mark` has a 1 at an event's suit."""

NONE = -1
"""The value for no card in play, for a place in `at` outside any location, and for no neighbour."""


@codes
class Move:
    """Kinds of moves. Each has a hundred numbers for its card, suit or pair of days, which limits their number."""

    PASS = 0  # Use no letter, decline an effect, solve nothing.
    DRAW = 1
    APART = 2  # The memories used together end here: the next one counts the letters anew.
    PLAY = 100
    TOP = 200  # Return a card to the top of the deck.
    BOTTOM = 300
    COPY = 400
    SOLVE = 500
    BLACK = 600  # + the days where the black pawns then stand: see `pair_days`
    MEMORY = 700  # The same by a Location Memory.
    RECALL = 800  # An Adventure Memory.
    SWAP = 1000  # + two cards, the lower one * MOST_CARDS


@codes
class Chance:
    """Purposes of random numbers: the order of locations, the order of the deck."""

    PLACES, DECK = 0, 1


@codes
class Phase:
    """What is chosen: the card to play, days of the black pawns, one for each operation of effects, a story.

    Letters alone may be used before the draw (REFILL), before a loop takes its card (LOOP), and at the END.
    """

    REFILL, CARD, LOOP, BLACK = range(4)
    STEP, SWAP, DRAW, RETURN, COPY, BRING = range(4, 10)
    SOLVE, END = 10, 11


@codes
class Op:
    """The operations of effects, by their names in the data; END ends a row of them."""

    END, STEP_BLACK, SWAP_EVENTS, DRAW_CARDS, RETURN_CARDS, COPY_NEIGHBOUR, BRING_BLACK = range(7)


@codes
class Result:
    """The result of the trip; 0 while it goes on."""

    WON, LOST = 1, 2


@codes
class Supply:
    """Indexes in RULES.supplies."""

    EVENTS, LETTERS = 0, 1


@codes
class Law:
    """The laws of play by their index in LAWS, from 1."""

    CARDS_LOST, LETTERS_LOST, DECK_COUNT, DISCARD_COUNT, RESIDUE = 1, 2, 3, 4, 5
    OVERFULL, HAND_SIZE, NO_CHOICE, SOLVED_TWICE, OUT_OF_BOUNDS = 6, 7, 8, 9, 10


LAWS = (
    *("C18-CONS-CARD", "C18-CONS-LETTER", "C18-DECK-ID", "C18-DISCARD-ID", "C18-MOD7"),
    *("C18-CAP", "C18-HAND-SIZE", "C18-LEGAL", "C18-ONE-SOLVE", "C18-BOUND"),
)
"""The data's checks that games decide."""


STATE = State(
    chances=Chance,
    supplies=2,
    phase="what is chosen: a Phase",
    result="how the trip ended: a Result, 0 before",
    # pawns, stories, letters
    white="the white pawn's day",
    black=row_field("the black pawns' days, the earlier first: nothing tells the pawns apart", 2),
    solved="a bit for each suit whose story is solved",
    letters="letters in hand",
    spent="letters that have left the game",
    on_stories="letters on stories",
    # where the cards are
    place=row_field("the location of each day", "days"),
    column=row_field("events: a day's from day * rows on, the nearest first", "days", "rows"),
    ncolumn=row_field("how many events each day has", "days"),
    at=row_field("where in `column` each event is", "events"),
    deck=row_field("the deck, its bottom first", "events"),
    ndeck="how many cards it has",
    known_top="how many cards at the deck's top the player has seen there",
    known_bottom="how many at its bottom",
    hand=row_field("the hand, ascending", "hand_room"),
    nhand="how many cards it has",
    thrown=row_field("1 for each event that is discarded", "events"),
    nthrown="how many are",
    playing="the card in play",
    # what has happened
    loops="loops of the white pawn",
    adventures="Adventure Memories used",
    sevens="cards discarded for an end on the last day",
    overflows="events that fell off their columns",
    held="cards that effects have added to the hand",
    solves="stories solved this turn",
    # the move phase
    rest="days that the black pawns still have to move",
    drift="by how much the last move phase changed the pawns' days added up: see `pawn_days`",
    # letters
    passed="1 if letters were declined and nothing has happened since",
    may_solve="1 if a story may be solved now",
    power="the power of memories used together, if that is kept, until letters are used apart",
    # effects
    fired="a bit for each suit whose effect was used this turn",
    used=row_field("the turn in which each event's effect was used last", "events"),
    copied=row_field("the turn in which each event copied another last", "events"),
    todo=row_field("the events whose effects are due", "rows"),
    ntodo="how many they are",
    next="which of them is next",
    source="the event whose effect it is",
    job="the event whose text is carried out: another one while it is copied",
    line="the operation there",
    left="how much of it is left to do",
)

# Pawns


@kernel
def pair_days(one: int, other: int) -> int:
    """Return two days, in any order, as one number: the earlier day, then the later."""
    return one * MOST_DAYS + other if one < other else other * MOST_DAYS + one


@kernel
def set_black(s: Record, days: int) -> None:
    """Put the black pawns on a pair of days."""
    s.black[0] = days // MOST_DAYS
    s.black[1] = days % MOST_DAYS


@kernel
def pawn_days(s: Record, f: Record) -> int:
    """Return the sum of the days (from 0) of all pawns, without full weeks."""
    return (s.white + s.black[0] + s.black[1]) % f.days


@kernel
def move_white(s: Record, f: Record, far: int) -> int:
    """Move the white pawn `far` days on; a loop takes cards from the deck. Return 0 if that loses the game, else 1."""
    looped = 1 if s.white + far > f.last else 0
    s.white = (s.white + far) % f.days
    s.rest = f.move_total - far
    if looped == 0:
        return 1
    for _ in range(f.loop_cost):
        if s.ndeck > 0:
            card = draw_top(s)
            if f.tent:
                put_at_bottom(s, card)
            else:
                discard_card(s, card)
        elif f.tent == 0 or f.tent_empty_lose:
            lack_card(s, 1)
            return 0
    s.loops += 1
    if f.radio_always:
        reveal_top(s, f)
    return 1


@kernel
def place_card(s: Record, f: Record) -> None:
    """Place the card in play at the white pawn's location, or discard it on the last day; all effects there are due."""
    card = s.playing
    s.playing = NONE
    s.fired = s.next = 0
    start = s.white * f.rows
    if s.white == f.last:
        discard_card(s, card)
        s.sevens += 1
    else:
        # It comes next to the location; the outermost event is discarded if there is no room.
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
            fallen = take_at(s.column, end)
            s.at[fallen] = NONE
            discard_card(s, fallen)
            s.overflows += 1
    s.ntodo = s.ncolumn[s.white]
    for i in range(s.ntodo):
        s.todo[i] = s.column[start + i]


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
def suits_there(s: Record, f: Record, day: int, needed: int) -> int:
    """Return the suits, as bits, with at least `needed` events (1 to 3) at a location."""
    once_there = twice = thrice = 0
    start = day * f.rows
    for i in range(start, start + s.ncolumn[day]):
        bit = 1 << f.suit[s.column[i]]
        thrice |= twice & bit
        twice |= once_there & bit
        once_there |= bit
    return once_there if needed == 1 else twice if needed == 2 else thrice


# Events that swap or are copied


@kernel
def find_swap(s: Record, f: Record, before: int) -> int:
    """Return the pair of placed events of one number after `before` (at first 0), `one * MOST_CARDS + other`, or 0."""
    one = before // MOST_CARDS
    other = before % MOST_CARDS
    while one < f.events:
        if s.at[one] != NONE and (f.blue_pair_own_number == 0 or f.number[one] == f.number[s.source]):
            other = f.twin[other]
            while other >= 0:
                if s.at[other] != NONE:
                    return one * MOST_CARDS + other
                other = f.twin[other]
        one += 1
        other = one
    return 0


@kernel
def swap_events(s: Record, f: Record, one: int, other: int) -> None:
    """Swap two events; neither is due any more, except by a reading one still due at the location it has left."""
    here = s.at[one]
    there = s.at[other]
    s.column[here] = other
    s.column[there] = one
    s.at[one] = there
    s.at[other] = here
    s.used[one] = s.used[other] = s.turn
    for i in range(s.ntodo):
        card = s.todo[i]
        if card in (one, other) and (f.swapped_out_resolves == 0 or s.at[card] // f.rows == s.white):
            s.todo[i] = NONE


@kernel
def can_copy(s: Record, f: Record) -> int:
    """Return 1 if a neighbour's effect may be copied."""
    for side in range(4):
        if find_copied(s, f, side) != NONE:
            return 1
    return 0


@kernel
def find_copied(s: Record, f: Record, side: int) -> int:
    """Return the event beside `s.job` whose effect may be copied, or NONE if there is none or it may not be copied.

    `side` is 0 for the one nearer the location, 1 farther, 2 the day before, 3 the day after.
    """
    day = s.at[s.job] // f.rows + (0, 0, -1, 1)[side]
    row = s.at[s.job] % f.rows + (-1, 1, 0, 0)[side]
    if row < 0 or day < 0 or day >= f.days or row >= s.ncolumn[day]:
        return NONE
    card: int = s.column[day * f.rows + row]
    if f.green_source_unused_only and s.used[card] == s.turn:
        return NONE
    if f.op[card][0] == Op.COPY_NEIGHBOUR and (f.green_copies_green_chain == 0 or s.copied[card] == s.turn):
        return NONE
    return card


# Deck, hand and discards


@kernel
def draw_cards(s: Record, number: int, loses: int) -> int:
    """Draw `number` cards into the ascending hand. Return 0 if too few are there: with `loses`, the game is lost."""
    for _ in range(number):
        if s.ndeck == 0:
            lack_card(s, loses)
            return 0
        insert(s.hand, 0, s.nhand, draw_top(s))
        s.nhand += 1
    return 1


@kernel
def lack_card(s: Record, loses: int) -> None:
    """Note that a card to draw is lacking; if `loses` is 1, the game is lost."""
    s.short[Supply.EVENTS] += 1
    if loses:
        s.result = Result.LOST
        s.over = 1


@kernel
def draw_top(s: Record) -> int:
    """Take and return the top card of a deck that is not empty."""
    s.ndeck -= 1
    card = take_at(s.deck, s.ndeck)
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
def take_from_hand(s: Record, card: int) -> None:
    """Take a card from the hand."""
    remove(s.hand, 0, s.nhand, card)
    s.nhand -= 1


@kernel
def discard_card(s: Record, card: int) -> None:
    """Discard a card; discards are open, and their order has no meaning."""
    s.thrown[card] = 1
    s.nthrown += 1
