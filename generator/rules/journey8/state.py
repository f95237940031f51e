"""The state of Draft 8: its fields, names for moves and phases, moves of pieces, effects, points."""

from generator.rules.engine.contract import State, row_field
from generator.rules.engine.facts import codes
from generator.rules.engine.kernel import Record, Row, insert, kernel, remove, take_at

PER_COLOUR = 32
"""The factor of the colour in a declaration, to which the number's index is added."""

MOST_CARDS, MOST_COLOURS, MOST_NUMBERS = 60, 6, 32
"""The capacity of the numbers of moves, and of the bits of a whole number."""


@codes
class Chance:
    """The purpose of random numbers: the order of the deck."""

    DECK = 0


@codes
class Phase:
    """The choice that the seat has now."""

    TURN, EXTRA, DECLARE, DECLARE_LEFT, GIVE, TAKE, EVENT, KEEP, DONE = range(9)


@codes
class Move:
    """Kinds of moves. To PLAY and later ones, a card, a declaration or a seat is added."""

    PASS = 0
    STOP = 1
    PLAY = 100  # + card: lay it at the end of the story.
    AS = 200  # + declaration: the joker that is played is this.
    LEFT_AS = 400  # + declaration: the joker on its left is this.
    GIVE = 600  # + seat: one sone to it.
    TAKE = 620  # + seat: sone from it.
    EVENT = 700  # + card: apply its effect.
    KEEP = 800  # + card: of its colour, this one stays.


@codes
class Mode:
    """The counting of hand numbers."""

    NORMAL, REVERSE, IGNORED = range(3)


@codes
class Op:
    """Operations of effects, by their names in the data."""

    GAIN, DROP, TURN, TURN_BACK, GIVE, TAKE_ONE, TAKE_EACH, ALL_GAIN, DISCARD_THIS = range(9)


@codes
class Side:
    """The two sides of a counter."""

    SONE, COHERENCE = range(2)


LAWS = (
    *("C8-CONS-CARD", "C8-CONS-COUNTER", "C8-RISES", "C8-NONNEG"),
    *("C8-ONE-EXTRA", "C8-TURNS", "C8-DRAW", "C8-ROW"),
)
"""The data's checks that games decide."""


@codes
class Law:
    """The laws by their index in LAWS, from 1."""

    CARDS, COUNTERS, RISES, NOT_NEGATIVE, ONE_EXTRA, TURNS, DRAWN, ROW = range(1, 9)


STATE = State(
    chances=Chance,
    phase="what the seat has to choose now: one of Phase",
    start="who began",
    current="whose turn it is",
    scoring="1 once the hands are laid open",
    # Cards
    deck=row_field("the cards that were shuffled, the drawn ones as 0", "cards"),
    top="the place of the deck's next card",
    hand=row_field("each seat's cards, ascending", "cards", "seats"),
    held=row_field("how many they are", "seats"),
    story=row_field("the cards laid out, from left to right", "cards"),
    keys=row_field("1 for each of them that is a key", "cards"),
    said=row_field("1 + what a joker there was declared as, where that lasts", "cards"),
    laid="how many cards the story has",
    keys_laid="how many of them are keys",
    removed=row_field("the cards laid aside before the game", "cards"),
    aside="how many they are",
    discards=row_field("the cards thrown away at the end", "cards"),
    thrown="how many they are",
    # Counters
    sone=row_field("counters of each seat with this side up", "seats"),
    coherence=row_field("and with this one", "seats"),
    supply="counters that nobody has",
    given_out="counters in play at the start",
    rises="what larger numbers have brought since",
    # The turn
    first="the number of turns that the deck is good for",
    dry="1 when a player had nothing to draw",
    plays="cards played in this turn",
    first_key="1 when the first of them is a key",
    card="what is being played or applied; -1 for nothing",
    new_colour="colour and number of the card that is played ...",
    new_number="... as it is compared ...",
    left_colour="... with those of the card ...",
    left_number="... on its left",
    give_left="sone still to be given",
    give_cap="the most for each",
    give_to="who got the last",
    give_same="how much of it so far",
    # The end
    key_end="1 when keys ended the game",
    mode="how hand numbers count: one of Mode",
    group="the cards that are applied now: those of a seat, or of a number in a seat's hand",
    done="the cards whose event has been seen to, as bits",
    op="the place of the card's next operation",
    colour="the colour of which one card is kept",
    # For the figures
    held_at_end="cards held when the hands were laid open",
    applied="effects applied",
    brought="what they brought their owners together",
    promised="and what they were worth",
    before="how far the owner was ahead before the effect",
)


# Cards


@kernel
def draw_card(s: Record) -> int:
    """Take and return the deck's next card."""
    s.top += 1
    return take_at(s.deck, s.top - 1)


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Insert a card into a hand, which stays in ascending order."""
    base = seat * f.cards
    insert(s.hand, base, base + s.held[seat], card)
    s.held[seat] += 1


@kernel
def leave_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Take the card out of the hand; the others close the gap."""
    base = seat * f.cards
    remove(s.hand, base, base + s.held[seat], card)
    s.held[seat] -= 1


@kernel
def lay_out(s: Record, card: int) -> None:
    """Lay a card at the story's right end."""
    s.story[s.laid] = card
    s.laid += 1


@kernel
def throw_away(s: Record, f: Record, seat: int, card: int) -> None:
    """Discard a card of the hand."""
    leave_hand(s, f, seat, card)
    s.discards[s.thrown] = card
    s.thrown += 1


# Counters


@kernel
def gain_counters(s: Record, f: Record, seat: int, side: int, number: int) -> int:
    """Take `number` counters from the supply, with this side up; return how many there were."""
    if number > s.supply:
        s.short[0] += 1
        if f.supply_finite:
            number = s.supply
    s.supply -= number
    if side == Side.SONE:
        s.sone[seat] += number
    else:
        s.coherence[seat] += number
    return number


@kernel
def turn_over(s: Record, seat: int, number: int) -> None:
    """Turn `number` of a seat's sone into coherence, as far as there is any."""
    number = min(number, s.sone[seat])
    s.sone[seat] -= number
    s.coherence[seat] += number


@kernel
def take_from(s: Record, seat: int, other: int, number: int) -> None:
    """Take `number` sone from another seat, as far as there is any; `seat` gets it."""
    number = min(number, s.sone[other])
    s.sone[other] -= number
    s.sone[seat] += number


# Giving. Whoever gives chooses the recipients in the order of their seats, one sone at a time.


@kernel
def start_giving(s: Record, number: int, cap: int) -> None:
    """Begin to give `number` sone, at most `cap` to each other seat, as far as there is any; all at once if forced."""
    others = s.players - 1
    number = min(number, s.sone[s.seat])
    if number == others * cap:
        s.sone[s.seat] -= number
        for other in range(s.players):
            if other != s.seat:
                s.sone[other] += cap
    else:
        s.give_left = number
        s.give_cap = cap
        s.give_to = s.give_same = 0


@kernel
def next_recipient(s: Record, seat: int) -> int:
    """Return the first seat from this one on that may get the next sone, or `players` if there is none."""
    for other in range(max(seat, s.give_to), s.players):
        if other != s.seat:
            room = s.give_cap - (s.give_same if other == s.give_to else 0)
            behind = s.players - 1 - other - (1 if s.seat > other else 0)
            if room > 0 and room + s.give_cap * behind >= s.give_left:
                return other
    return s.players


@kernel
def count_ahead(s: Record) -> int:
    """Return the coherence less the sone of the seat that chooses."""
    return int(s.coherence[s.seat] - s.sone[s.seat])


@kernel
def run_operation(s: Record, f: Record, op: int, side: int, number: int) -> None:
    """Carry out an operation without choices (`op`, see Op) with `number` counters on this side."""
    if op == Op.GAIN:
        gain_counters(s, f, s.seat, side, number)
    elif op == Op.DROP:
        # Put counters of this side back into the supply, as far as there are any.
        seat = s.seat
        if side == Side.SONE:
            number = min(number, s.sone[seat])
            s.sone[seat] -= number
        else:
            number = min(number, s.coherence[seat])
            s.coherence[seat] -= number
        s.supply += number
    elif op == Op.TURN:
        turn_over(s, s.seat, number)
    elif op == Op.TURN_BACK:
        seat = s.seat
        number = min(number, s.coherence[seat])
        s.coherence[seat] -= number
        s.sone[seat] += number
    elif op == Op.TAKE_EACH:
        for other in range(s.players):
            if other != s.seat:
                take_from(s, s.seat, other, number)
    elif op == Op.DISCARD_THIS:
        throw_away(s, f, s.seat, s.card)
    elif op == Op.ALL_GAIN:
        # What all get moves nobody ahead, so that it is not what the effect brings.
        s.before -= count_ahead(s)
        for i in range(s.players):
            gain_counters(s, f, (s.seat + i) % s.players, side, number)
        s.before += count_ahead(s)


@kernel
def take_forced(s: Record, number: int) -> int:
    """Take `number` sone if at most one other player has any, and return 1; return 0 if there is a choice."""
    able = 0
    other = 0
    for seat in range(s.players):
        if seat != s.seat and s.sone[seat] > 0:
            able += 1
            other = seat
    if able > 1:
        return 0
    if able == 1:
        take_from(s, s.seat, other, number)
    return 1


@kernel
def key_runs(f: Record, keys: Row, number: int) -> int:
    """Return how often the first `number` cards of a row have adjacent keys; `keys` is 1 for each key."""
    found = length = 0
    for i in range(number):
        length = length + 1 if keys[i] == 1 else 0
        if length == f.run or (length > f.run and f.run_count_adjacent_pairs):
            found += 1
    return found


@kernel
def mode_of(f: Record, keys: Row, number: int) -> int:
    """Return the mode of hand numbers (see Mode) after the first `number` cards of a row; `keys` is 1 for each key."""
    if f.hand_value_ignored:
        return Mode.IGNORED
    if not f.reverse_on:
        return Mode.NORMAL
    if not f.mode_by_key_count:
        return Mode.REVERSE if key_runs(f, keys, number) % 2 == 1 else Mode.NORMAL
    laid = 0
    for i in range(number):
        laid += keys[i]
    mode = Mode.NORMAL
    for i in range(f.modes):
        if f.mode_keys[i] <= laid:
            mode = f.mode_names[i]
    return mode


@kernel
def mode_now(s: Record, f: Record) -> int:
    """Return how the numbers of hand cards count at present: a code of `Mode`."""
    mode: int = s.mode
    return mode if s.scoring else mode_of(f, s.keys, s.laid)


@kernel
def hand_sum(s: Record, f: Record, seat: int) -> int:
    """Return the sum of the numbers in the hand; jokers have none."""
    total: int = 0
    base = seat * f.cards
    for at in range(base, base + s.held[seat]):
        total += f.number[s.hand[at]]
    return total


@kernel
def find_merit(f: Record, mode: int, hand: int, ahead: int) -> int:
    """Return the number that players compare, larger is better; `hand` is a `hand_sum`, `ahead` coherence less sone."""
    if f.aimed:
        return -abs(ahead - int(f.target))
    if mode == Mode.IGNORED:
        return ahead
    return ahead - hand if mode == Mode.NORMAL else ahead + hand


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill in each seat's total as on the score sheet; in Normal, and with a target, the smallest wins."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        total = find_merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        points[seat] = -total if f.aimed or mode == Mode.NORMAL else total


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in places by totals, then by coherence; seats equal in both share their place."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        places[seat] = 1
        mine = find_merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        for other in range(s.players):
            theirs = find_merit(f, mode, hand_sum(s, f, other), s.coherence[other] - s.sone[other])
            if theirs > mine or (theirs == mine and s.coherence[other] > s.coherence[seat]):
                places[seat] += 1


@kernel
def sum_promised(s: Record, f: Record, seat: int) -> int:
    """Return the sum of what the pending effects of a seat's hand cards are worth to it at most."""
    total = 0
    if f.events:
        base = seat * f.cards
        for at in range(base, base + s.held[seat]):
            if (s.done >> s.hand[at]) & 1 == 0:
                total += f.worth[s.hand[at]]
    return total


@kernel
def group_owner(s: Record, f: Record) -> int:
    """Return the seat that has the hand cards whose effects are now to be applied."""
    first = s.start
    if f.event_order_from_next:
        first = s.current + 1
    return (first + s.group) % s.players


@kernel
def next_event(s: Record, f: Record, place: int) -> int:
    """Return the first place in the hand, from this one on, to apply next (of equal cards the first), or `held`."""
    base = s.seat * f.cards
    rank = s.group // s.players
    last = -1
    for at in range(s.held[s.seat]):
        card = s.hand[base + at]
        if (s.done >> card) & 1 == 0 and (not f.event_order_by_number or f.rank[card] == rank):
            if at >= place and f.alike[card] != last:
                return at
            last = f.alike[card]
    return s.held[s.seat]


@kernel
def keep_one_of_each_number(s: Record, f: Record) -> None:
    """Discard every bookmark whose number equals that of an earlier one in its hand."""
    for seat in range(s.players):
        base = seat * f.cards
        for at in range(s.held[seat] - 1, 0, -1):
            card = s.hand[base + at]
            for i in range(at):
                if f.joker[card] == 0 and f.number[s.hand[base + i]] == f.number[card]:
                    throw_away(s, f, seat, card)
                    break


@kernel
def next_of_colour(s: Record, f: Record, place: int) -> int:
    """Return the first place in the hand, from this one on, with the colour looked at, or `held` if there is none."""
    base = s.seat * f.cards
    for at in range(place, s.held[s.seat]):
        if f.colour[s.hand[base + at]] == s.colour:
            return at
    return s.held[s.seat]
