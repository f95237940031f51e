"""Draft 8 as it is told.

Flags like `f.pass_free` are in readings.yaml ("E18 on": it is on), numbers like `f.gift` in rules.yaml.
"""

from collections.abc import Iterator

from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import Record, Row, kernel, next_chances, shuffle
from generator.rules.engine.story import Story, choose, offer, story
from generator.rules.journey8.state import (
    PER_COLOUR,
    STATE,
    Chance,
    Law,
    Mode,
    Move,
    Op,
    Phase,
    Side,
    count_ahead,
    draw_card,
    gain_counters,
    group_owner,
    keep_one_of_each_number,
    lay_out,
    leave_hand,
    mode_of,
    next_event,
    next_of_colour,
    next_recipient,
    put_in_hand,
    run_operation,
    start_giving,
    take_forced,
    take_from,
    throw_away,
    turn_over,
)

# Preparation of the game


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffle all cards, lay some aside, deal hands, counters and the first story card."""
    for card in range(f.cards):
        s.deck[card] = card
    shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, f.cards)
    for i in range(f.removed):
        s.removed[i] = draw_card(s)
    s.aside = f.removed
    s.supply = f.counters
    for seat in range(s.players):
        gain_counters(s, f, seat, Side.SONE, f.sone)
    for _ in range(f.hand):
        for seat in range(s.players):
            put_in_hand(s, f, seat, draw_card(s))
    for _ in range(f.story):
        lay_out(s, draw_card(s))
    s.given_out = f.counters - s.supply
    s.first = (f.cards - s.top + f.draw - 1) // f.draw


# Course of the game


@story
def game(s: Record, f: Record) -> None:
    """Play turns until one ends with an empty deck or enough keys (E4, E5); then open hands and apply their effects."""
    while s.scoring == 0:
        s.plays = s.first_key = 0
        s.seat = s.current
        if s.top == f.cards:
            s.dry = 1  # a guard for the law C8-DRAW: the turn that empties the deck is the last
        for _ in range(f.draw):
            if s.top < f.cards:
                put_in_hand(s, f, s.seat, draw_card(s))
        action = choose(Phase.TURN, list_plays)
        while action >= Move.PLAY:
            play_card(s, f, action - Move.PLAY)
            if not may_play_again(s, f):
                break
            action = choose(Phase.EXTRA, list_extra_plays)
        s.turn += 1
        if s.top == f.cards or 0 < f.key_end <= s.keys_laid:
            s.scoring = 1
        else:
            s.current = (s.current + 1) % s.players
    open_hands(s, f)
    if f.events:
        apply_events(s, f)
    if f.pair_discard_number:
        keep_one_of_each_number(s, f)
    while f.pair_discard_colour and find_next_pair(s, f):
        answer = choose(Phase.KEEP, list_colour)
        for at in range(s.held[s.seat] - 1, -1, -1):
            other = s.hand[s.seat * f.cards + at]
            if other != answer - Move.KEEP and f.colour[other] == s.colour:
                throw_away(s, f, s.seat, other)
    s.colour = 0
    # Numbers in hand (a joker's is 0) + sone - coherence: the least wins. Reverse, - sone + coherence: the most wins.
    s.phase = Phase.DONE  # among equals more coherence wins; if that is equal, too, it is a draw
    s.over = 1


# Play


@story
def play_card(s: Record, f: Record, new: int) -> None:
    """Lay the card `new`; declare jokers, it and its left neighbour; give sone for equal colours; compare numbers."""
    leave_hand(s, f, s.seat, new)
    lay_out(s, new)
    s.plays += 1
    s.card = new
    if s.laid > 1:
        if f.joker[new]:
            answer = choose(Phase.DECLARE, list_declarations, 1)
            answer -= Move.AS
            s.new_colour = answer // PER_COLOUR
            s.new_number = f.numbers[answer % PER_COLOUR]
            if f.joker_memory_keep_declared:  # E11 off
                s.said[s.laid - 1] = 1 + answer
        else:
            s.new_colour = f.colour[new]
            s.new_number = f.number[new]
        if not reads_left(s, f):
            answer = choose(Phase.DECLARE_LEFT, list_declarations, 0)
            declare_left(s, f, answer - Move.LEFT_AS)
        if s.new_colour == s.left_colour or (
            f.joker_colour_always_same and (f.joker[s.card] or f.joker[s.story[s.laid - 2]])  # E7 off
        ):
            give_sone(s, f, (s.players - 1) * f.gift, f.gift)
        # A larger number brings sone, a smaller one turns what there is, an equal one makes a key.
        rise = s.new_number - s.left_number
        if rise > 0:
            s.rises += gain_counters(s, f, s.current, Side.SONE, rise)
        elif rise < 0:
            turn_over(s, s.current, -rise)
        else:
            s.keys[s.laid - 1] = 1
            s.keys_laid += 1
    s.card = -1
    if s.plays == 1:
        s.first_key = s.keys[s.laid - 1]


@story
def give_sone(s: Record, f: Record, number: int, cap: int) -> None:
    """Give `number` sone to others, as far as there is any, at most `cap` to each (E13), in order of seats."""
    start_giving(s, number, cap)
    while s.give_left > 0:
        other = next_recipient(s, 0)
        if next_recipient(s, other + 1) < s.players:
            other = choose(Phase.GIVE, list_recipients)
            other -= Move.GIVE
        s.sone[s.seat] -= 1
        s.sone[other] += 1
        s.give_left -= 1
        s.give_same = s.give_same + 1 if other == s.give_to else 1
        s.give_to = other
    s.give_cap = s.give_to = s.give_same = 0


# Scoring: events


@story
def apply_events(s: Record, f: Record) -> None:
    """Apply the effects of all hand cards (E9), hand by hand from the start player (E8), each in any order."""
    while s.group < (s.players * (f.count + 1) if f.event_order_by_number else s.players):  # E8 off
        at = next_event(s, f, 0)
        if at == s.held[s.seat]:
            s.group += 1
            s.seat = group_owner(s, f)
            continue
        event = s.hand[s.seat * f.cards + at]
        if f.event_optional or next_event(s, f, at + 1) < s.held[s.seat]:  # E9 off
            event = choose(Phase.EVENT, list_events)
            if event == Move.STOP:
                at = next_event(s, f, 0)
                while at < s.held[s.seat]:
                    s.done |= 1 << s.hand[s.seat * f.cards + at]
                    at = next_event(s, f, 0)
                continue
            event -= Move.EVENT
        s.card = event
        s.done |= 1 << event
        s.before = count_ahead(s)
        apply_effect(s, f)
        s.applied += 1
        s.brought += count_ahead(s) - s.before
        s.promised += f.worth[s.card]
        s.card = -1


@story
def apply_effect(s: Record, f: Record) -> None:
    """Carry out the operations of the card's effect, as far as possible (E9)."""
    s.op = 0
    while s.op < f.steps[s.card]:
        at = 3 * s.op
        kind = f.effect[s.card][at]
        number = f.effect[s.card][at + 2]
        s.op += 1
        if kind == Op.GIVE:
            give_sone(s, f, number, number)
        elif kind != Op.TAKE_ONE:
            run_operation(s, f, kind, f.effect[s.card][at + 1], number)
        elif take_forced(s, number) == 0:
            answer = choose(Phase.TAKE, list_owners)
            take_from(s, s.seat, answer - Move.TAKE, f.effect[s.card][3 * s.op - 1])


# What each choice offers


@offer
def list_plays(s: Record, f: Record) -> Iterator[int]:
    """Offer the cards of the hand, and to pass: as the reading of E18 says, and always without cards."""
    held = s.held[s.seat]
    if f.pass_free or (f.pass_hand_limit and held <= f.hand_limit) or held == 0:  # E18 on
        yield Move.PASS
    yield from list_hand(s, f)


@offer
def list_extra_plays(s: Record, f: Record) -> Iterator[int]:
    """Offer to stop, and the cards of the hand."""
    yield Move.STOP
    yield from list_hand(s, f)


@offer
def list_hand(s: Record, f: Record) -> Iterator[int]:
    """Offer to play any card of the hand; of equal cards, only the first."""
    base = s.seat * f.cards
    last = -1
    for at in range(base, base + s.held[s.seat]):
        card = s.hand[at]
        if f.alike[card] != last:
            last = f.alike[card]
            yield Move.PLAY + card


@offer
def list_declarations(s: Record, f: Record, own: int) -> Iterator[int]:
    """Offer declarations of a joker, the new one (`own`) or its left neighbour; of those with one effect, the first.

    Colours matter if they are those of the other card, numbers if they differ from the other's; all matter in a
    declaration that lasts (E11 off).
    """
    left = s.story[s.laid - 2]
    open_left = 0
    if f.joker[left] and (not f.joker_memory_keep_declared or s.said[s.laid - 2] == 0):
        open_left = 1
    both = open_left * f.joker[s.card] * (1 - f.joker_memory_keep_declared)
    other = s.new_colour
    if own:
        other = f.colour[left] if f.joker[left] == 0 else (s.said[s.laid - 2] - 1) // PER_COLOUR
    new = 0
    if own == 0 and both:
        while f.numbers[new] != s.new_number:
            new += 1
    first = Move.AS if own else Move.LEFT_AS
    strange = 0
    for colour in range(f.colours):
        if f.joker_colour_always_same or (own and both):  # E7 off
            wanted = 1 if colour == 0 else 0
        elif (own and f.joker_memory_keep_declared) or colour == other:
            wanted = 1
        else:
            strange += 1
            wanted = 1 if strange == 1 else 0
        if wanted:
            for at in range(f.count):
                if both == 0 or (own and f.opens[at]) or (own == 0 and f.pair[new][at]):
                    yield first + colour * PER_COLOUR + at


@offer
def list_recipients(s: Record, f: Record) -> Iterator[int]:
    """Offer the players who may get the next sone."""
    other = next_recipient(s, 0)
    while other < s.players:
        yield Move.GIVE + other
        other = next_recipient(s, other + 1)


@offer
def list_events(s: Record, f: Record) -> Iterator[int]:
    """Offer the cards to be applied next, and none of them if allowed (E9 off)."""
    if f.event_optional:
        yield Move.STOP
    at = next_event(s, f, 0)
    while at < s.held[s.seat]:
        yield Move.EVENT + s.hand[s.seat * f.cards + at]
        at = next_event(s, f, at + 1)


@offer
def list_owners(s: Record, f: Record) -> Iterator[int]:
    """Offer the other players who have sone."""
    for seat in range(s.players):
        if seat != s.seat and s.sone[seat] > 0:
            yield Move.TAKE + seat


@offer
def list_colour(s: Record, f: Record) -> Iterator[int]:
    """Offer the hand cards of the colour looked at."""
    at = next_of_colour(s, f, 0)
    while at < s.held[s.seat]:
        yield Move.KEEP + s.hand[s.seat * f.cards + at]
        at = next_of_colour(s, f, at + 1)


def most_moves(box: Box) -> int:
    """Return a bound: all cards of the box or all declarations, and one move more."""
    return max(len(box.cards), len(box.numbers["numbers"]) * int(box.numbers["colours"])) + 1  # type: ignore[arg-type]


# What moves do


@kernel
def declare_left(s: Record, f: Record, said: int) -> None:
    """Declare the joker to the left of the new card; `said` is the declaration's number, see `declared_values`."""
    s.left_colour = said // PER_COLOUR
    s.left_number = f.numbers[said % PER_COLOUR]


@kernel
def reads_left(s: Record, f: Record) -> int:
    """Read colour and number of the left neighbour; return 0 for a joker, which is declared for each play (E11)."""
    left = s.story[s.laid - 2]
    if f.joker[left] == 0:
        s.left_colour = f.colour[left]
        s.left_number = f.number[left]
        return 1
    if f.joker_memory_keep_declared and s.said[s.laid - 2] > 0:  # E11 off
        declare_left(s, f, s.said[s.laid - 2] - 1)
        return 1
    return 0


@kernel
def may_play_again(s: Record, f: Record) -> int:
    """Return 1 if the turn began with a key and has plays and cards left, unless E5 or E16 ends it at the last key."""
    enough = 0 < f.key_end <= s.keys_laid
    if enough and (f.end_check_immediate or not f.extra_after_third):  # E5 off, E16 on
        return 0
    return 1 if s.first_key and s.plays <= f.extra_plays and s.held[s.seat] > 0 else 0


@kernel
def open_hands(s: Record, f: Record) -> None:
    """Open the hands; an odd number of runs of adjacent keys (E6) makes the mode Reverse, else it is Normal."""
    s.held_at_end = 0
    for seat in range(s.players):
        s.held_at_end += s.held[seat]
    s.card = -1
    s.key_end = 1 if 0 < f.key_end <= s.keys_laid else 0
    s.mode = mode_of(f, s.keys, s.laid)
    s.group = 0
    s.done = 0 if f.events else (1 << f.cards) - 1
    if f.events:
        s.seat = group_owner(s, f)


@kernel
def find_next_pair(s: Record, f: Record) -> int:
    """Set `s.seat` to the next seat with two cards of one colour, `s.colour`. Return 1, or 0 if there is none."""
    for i in range(s.players):
        s.seat = (s.start + i) % s.players
        for colour in range(f.colours):
            s.colour = colour
            if next_of_colour(s, f, next_of_colour(s, f, 0) + 1) < s.held[s.seat]:
                return 1
    return 0


# Laws of play


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the number of the first law (see Law) that does not hold, or 0 if all hold."""
    sone = coherence = 0
    for seat in range(s.players):
        if s.sone[seat] < 0 or s.coherence[seat] < 0:
            return Law.NOT_NEGATIVE
        sone += s.sone[seat]
        coherence += s.coherence[seat]
    if has_all_cards(s, f) == 0:
        return Law.CARDS
    if sone + coherence + s.supply != f.counters or (f.supply_finite and s.supply < 0):  # E12 off
        return Law.COUNTERS
    if s.scoring == 0 and sone + coherence != s.given_out + s.rises:
        return Law.RISES
    if s.plays > 1 + s.first_key * f.extra_plays:
        return Law.ONE_EXTRA
    if s.turn > s.first or (s.scoring and s.key_end == 0 and s.turn != s.first):
        return Law.TURNS
    if s.dry:
        return Law.DRAWN
    return Law.ROW if s.laid > f.longest else 0


@kernel
def has_all_cards(s: Record, f: Record) -> int:
    """Return 1 if every card of the box is in exactly one place, else 0."""
    number = s.aside + f.cards - s.top + s.laid + s.thrown
    seen = 0
    for i in range(s.aside):
        seen += 1 << s.removed[i]
    for i in range(s.top, f.cards):
        seen += 1 << s.deck[i]
    for i in range(s.laid):
        seen += 1 << s.story[i]
    for i in range(s.thrown):
        seen += 1 << s.discards[i]
    for seat in range(s.players):
        number += s.held[seat]
        for at in range(seat * f.cards, seat * f.cards + s.held[seat]):
            seen += 1 << s.hand[at]
    return 1 if number == f.cards and seen == (1 << f.cards) - 1 else 0


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill in the counters that players have."""
    total = 0
    for seat in range(s.players):
        total += s.sone[seat] + s.coherence[seat]
    taken[0] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Fill in RULES.measures in their order: reverse, the last key, cards held, results and worth of effects."""
    told[0] = 1 if s.mode == Mode.REVERSE else 0
    told[1] = s.key_end
    told[2] = s.held_at_end
    told[3] = 100 * s.brought // max(1, s.applied)
    told[4] = 100 * s.promised // max(1, s.applied)


STORY = Story(game, STATE, deal)
