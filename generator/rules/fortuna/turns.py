"""Fortuna as its draft tells it.

Flags like `f.wheel_optional` are in readings.yaml ("E8 on": it is on), numbers like `f.hand` in rules.yaml.
"""

from collections.abc import Iterator

from generator.rules.engine.kernel import (
    Record,
    draw_below,
    insert,
    iter_members,
    kernel,
    next_chances,
    remove,
    shuffle,
    take_at,
)
from generator.rules.engine.story import Story, choose, list_numbers, offer, story
from generator.rules.fortuna.state import (
    STATE,
    Chance,
    Gap,
    Move,
    Phase,
    Use,
    best_icon,
    can_be,
    closed_numbers,
    count_values,
)

NO_CARD = -1

# Preparation of the game


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffle, deal and split off the End pile."""
    for card in range(f.cards):
        s.main[card] = card
    shuffle(next_chances(s.rng, Chance.DECK), s.main, 0, f.cards)
    s.main_n = f.cards
    for seat in range(s.players):
        for _ in range(f.hand):
            put_in_hand(s, f, seat, take_from_main(s))
    s.end_n = f.end_pile
    for place in range(f.end_pile):
        s.end[f.end_pile - 1 - place] = take_from_main(s)


# Course of the game


@story
def game(s: Record, f: Record) -> None:
    """Play to the end of the round in which the End pile was opened, or of the turn that empties it (E24 on)."""
    while s.over == 0:
        if s.trigger > 0 and (s.turn % s.players == 0 or (s.end_n == 0 and f.end_pile_exhausted_finish_turn)):
            s.over, s.phase = 1, Phase.END  # most points win; among equals, the earlier seat
            return
        s.seat = s.turn % s.players
        s.turn += 1
        s.phase = Phase.DRAW
        s.before[s.seat] = s.hand_n[s.seat]
        if s.trigger == 0 or f.turn_draw_after_trigger:  # E23 on
            draw_cards(s, f, f.draw)
            if s.over:
                return
        if s.hand_n[s.seat] == 0:
            note_hole(s, Gap.EMPTY_HAND)
            continue

        # Play or pass.
        action = choose(Phase.ACTION, list_actions)
        if action < Move.PLAY:
            s.kind, s.left = Use.PASSED, f.pass_discard
            card = action - Move.PASS
        else:
            play_set(s, f, action)
            card = NO_CARD

        # Discard what is due; a pass names its card, and may turn the Wheel (E6).
        while s.left > 0 and s.hand_n[s.seat] > 0:
            if card == NO_CARD:
                card = choose(Phase.DISCARD, list_hand, Move.DISCARD)
                card -= Move.DISCARD
            take_from_hand(s, f, card)
            number = f.number[card]
            if f.discard_key_declared:  # E10 off
                s.held = card + 1
                number = choose(Phase.DECLARE, list_piles)
                number -= Move.DECLARE
                card = s.held - 1
                s.held = 0
            put_on_pile(s, f, card, number)
            if s.wheeled:
                turn_wheel(s, f)
            card = NO_CARD
        s.left = 0


# Play


@story
def play_set(s: Record, f: Record, action: int) -> None:
    """Play a set and score size times best icon; one card costs a discard, more refill by those from hand (E13)."""
    if action < Move.ALL_IN:
        begin_set(s, f, action - Move.PLAY)
        while lay_forced(s, f) == 0:
            answer = choose(Phase.CARDS, list_next_cards)
            if answer == Move.DONE:
                s.last = f.cards
            else:
                lay_card(s, f, answer - Move.CARD)
        size = s.used
    else:
        begin_all_in(s, f, action - Move.ALL_IN)
        while fill_forced(s, f) == 0:
            s.least = choose(Phase.FILL, list_piles_to_fill_from)
            s.least -= Move.FILL
            turn_down(s, f, s.least, 0)
        s.least = 0
        size = full_size(s, f)
    s.points[s.seat] += size * best_icon(f, s.tally)  # wild icons add to it, face-down ones don't (E16)
    s.set_size = size
    s.closed = 1 if s.trigger > 0 else 0
    s.set_number = s.tally = s.last = 0
    if size == 1:
        s.left = f.one_card_discard if s.trigger == 0 or f.one_card_discard_after_trigger else 0  # E19 on
    elif s.trigger == 0:
        s.phase = Phase.REFILL
        draw_cards(s, f, (size if f.refill_counts_set_size else s.used) - f.refill_minus)  # E13 off


# Pass: the Wheel of Fortune


@story
def turn_wheel(s: Record, f: Record) -> None:
    """Let the seat move top cards from one pile onto another, or leave them (E8); they count there from then on."""
    answer = choose(Phase.FROM, list_sources)
    if answer == Move.STAY:
        return
    s.source = answer - Move.FROM
    s.target = choose(Phase.TO, list_targets)
    s.target -= Move.TO
    amount = Move.AMOUNT + 1
    if s.count[s.source] > 1:
        amount = choose(Phase.AMOUNT, list_numbers, Move.AMOUNT + 1, Move.AMOUNT + s.count[s.source] + 1)
    move_top_cards(s, amount - Move.AMOUNT)


# What each choice offers. Of indistinguishable cards, only the lowest copy is offered.


@offer
def list_actions(s: Record, f: Record) -> Iterator[int]:
    """Offer to pass with any card, and sets of any number that the hand can make."""
    yield from list_hand(s, f, Move.PASS)
    total = count_values(s, f, s.seat)  # a card counts from its number to that plus its pile, 10 as 0 (E3), 11 as 1
    taken = closed_numbers(s, f, s.seat)  # those that the seat has a set of (E11)
    hand = s.hand_n[s.seat]
    reach = hand + s.discards if s.trigger == 0 or f.all_in_after_trigger else 0  # E38 on
    all_ins = value = 0
    while total > 0:
        able = total & f.most_counted
        total >>= f.bits
        if able > 0 and (taken >> value) & 1 == 0:
            if value == 0:
                if able >= f.zero_set_min:
                    yield Move.PLAY
                if f.zero_all_in and able == hand and hand < f.zero_set_max and f.zero_set_max <= reach:  # E17 off
                    all_ins = 1
            elif able >= value:
                yield Move.PLAY + value
            elif able == hand and value <= reach:
                all_ins |= 1 << value
        value += 1
    for value in iter_members(all_ins):
        yield Move.ALL_IN + value


@offer
def list_hand(s: Record, f: Record, kind: int) -> Iterator[int]:
    """Offer a move of the kind for each design in the hand."""
    start = s.seat * f.width
    hand = s.hand
    designs = f.design
    before = -1
    for i in range(start, start + s.hand_n[s.seat]):
        card = hand[i]
        design = designs[card]
        if design != before:
            yield kind + card
            before = design


@offer
def list_next_cards(s: Record, f: Record) -> Iterator[int]:
    """Offer the next cards of a set, in ascending order so that enough are left; a set of 0 may be closed."""
    start = s.seat * f.width
    end = start + s.hand_n[s.seat]
    rest = s.set_number - s.used if s.set_number > 0 else max(1, f.zero_set_min - s.used)
    able = 0
    for i in range(start, end):
        if s.hand[i] >= s.last and can_be(s, f, s.hand[i], s.set_number):
            able += 1
    before = -1
    for i in range(start, end):
        card = s.hand[i]
        if card >= s.last and able >= rest and can_be(s, f, card, s.set_number):
            able -= 1
            design = f.design[card]
            if design != before:
                yield Move.CARD + card
                before = design
    if s.set_number == 0 and s.used > 0 and s.used >= f.zero_set_min:
        yield Move.DONE


@offer
def list_piles_to_fill_from(s: Record, f: Record) -> Iterator[int]:
    """Offer piles from the last one on, as long as they and later piles have enough cards."""
    there = 0
    for pile in range(s.least, f.numbers):
        there += s.count[pile]
    for pile in range(s.least, f.numbers):
        if s.count[pile] > 0 and there >= s.need:
            yield Move.FILL + pile
        there -= s.count[pile]


@offer
def list_piles(s: Record, f: Record) -> Iterator[int]:
    """Offer the piles of all numbers that the discard may count as."""
    for pile in range(f.numbers):
        if f.piles[pile] and can_be(s, f, s.held - 1, pile):
            yield Move.DECLARE + pile


@offer
def list_sources(s: Record, f: Record) -> Iterator[int]:
    """Offer every other pile that has cards, and none of them if the Wheel may be left alone (E8 on)."""
    if f.wheel_optional:
        yield Move.STAY
    for pile in range(f.numbers):
        if pile != s.pile and s.count[pile] > 0:
            yield Move.FROM + pile


@offer
def list_targets(s: Record, f: Record) -> Iterator[int]:
    """Offer every pile, even an empty one, but the source and, by a reading, the discard's own (E7 off)."""
    for pile in range(f.numbers):
        barred = pile == s.pile and f.wheel_destination_not_source_not_discarded
        if f.piles[pile] and pile != s.source and not barred:
            yield Move.TO + pile


# Turns and draws


@kernel
def note_hole(s: Record, gap: int) -> None:
    """Keep the first hole in the rules that is met."""
    if s.hole == 0:
        s.hole = gap


@kernel
def draw_cards(s: Record, f: Record, number: int) -> None:
    """Draw `number` cards from the main deck, then from the End pile: the end trigger. Refills still go on (E22).

    If both are empty, a draw that is no refill ends the game (E24).
    """
    refill = s.phase == Phase.REFILL
    for _ in range(number):
        if s.main_n > 0:
            put_in_hand(s, f, s.seat, take_from_main(s))
        elif s.end_n > 0:
            s.end_n -= 1
            put_in_hand(s, f, s.seat, take_at(s.end, s.end_n))
            if s.trigger == 0:
                s.trigger, s.by_refill = s.turn, 1 if refill else 0
            if s.trigger == s.turn:
                s.first_end += 1
        else:
            s.short[0] += 1
            if f.end_pile_exhausted_on_failed_draw or not refill:  # E24 off
                s.over = 1
            # A guard for other data: an empty End pile has ended the game, unless one turn draws several cards.
            if not f.end_pile_exhausted_on_failed_draw and not refill:  # E24 off
                note_hole(s, Gap.NOTHING_TO_DRAW)
            return
        if f.end_pile_exhausted_immediate and s.trigger > 0 and s.end_n == 0:  # E24 off
            s.over = 1
            return
        if refill and f.refill_in_progress_stop and s.trigger > 0:  # E22 off
            return


@kernel
def take_from_main(s: Record) -> int:
    """Take and return the top card of the main deck."""
    s.main_n -= 1
    return take_at(s.main, s.main_n)


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Insert a card into a hand."""
    start = seat * f.width
    insert(s.hand, start, start + s.hand_n[seat], card)
    s.hand_n[seat] += 1


@kernel
def take_from_hand(s: Record, f: Record, card: int) -> None:
    """Take a card out of the hand of the seat that has the turn."""
    start = s.seat * f.width
    remove(s.hand, start, start + s.hand_n[s.seat], card)
    s.hand_n[s.seat] -= 1


# Sets


@kernel
def begin_set(s: Record, f: Record, number: int) -> None:
    """Begin a set of the number, without cards yet."""
    s.kind = Use.PLAYED
    s.used = s.closed = s.tally = s.last = 0
    s.set_number = number
    s.owned[s.seat] |= 1 << number
    s.sets[s.seat] += 1


@kernel
def lay_card(s: Record, f: Record, card: int) -> None:
    """Add a hand card to the set, face up."""
    take_from_hand(s, f, card)
    place = s.seat * f.numbers + s.set_number
    s.under[card] = s.up[place]
    s.up[place] = card + 1
    s.used += 1
    s.laid += 1
    s.last = card + 1
    s.tally += f.unit[card]


@kernel
def lay_forced(s: Record, f: Record) -> int:
    """Lay the rest of a set if there is only one way; return 0 if there is a choice."""
    number = s.set_number
    start = s.seat * f.width
    able = first = final = 0
    for i in range(start, start + s.hand_n[s.seat]):
        card = s.hand[i]
        if card >= s.last and can_be(s, f, card, number):
            if able == 0:
                first = card
            final = card
            able += 1
    if number > 0:
        rest = number - s.used
        one_way = rest in (0, able) or f.design[first] == f.design[final]
    else:
        rest = able
        one_way = able == 0 or s.used == f.zero_set_max or s.used + able <= f.zero_set_min
        if s.used == f.zero_set_max:
            rest = 0
    if not one_way:
        return 0
    at = start
    while rest > 0:
        card = s.hand[at]
        if card >= s.last and can_be(s, f, card, number):
            lay_card(s, f, card)
            rest -= 1
        else:
            at += 1
    return 1


@kernel
def begin_all_in(s: Record, f: Record, number: int) -> None:
    """Make the whole hand a set of the number; top discards that the player chooses (E15) will fill it up."""
    begin_set(s, f, number)
    while s.hand_n[s.seat] > 0:
        lay_card(s, f, s.hand[s.seat * f.width + s.hand_n[s.seat] - 1])
    s.need = full_size(s, f) - s.used
    s.least = 0
    if f.allin_source_random:  # E15 off
        while s.need > 0:
            pile = 0
            at = draw_below(next_chances(s.rng, Chance.FILL), s.discards)
            while at >= s.count[pile]:
                at -= s.count[pile]
                pile += 1
            turn_down(s, f, pile, at)


@kernel
def full_size(s: Record, f: Record) -> int:
    """Return the number of cards that an All-in set has after it is filled up."""
    return s.set_number if s.set_number > 0 else f.zero_set_max


@kernel
def fill_forced(s: Record, f: Record) -> int:
    """Take face-down cards if there is only one way, or return 0 for a choice, which names piles in ascending order."""
    while s.need > 0:
        there = piles = first = 0
        for pile in range(s.least, f.numbers):
            if s.count[pile] > 0:
                if piles == 0:
                    first = pile
                piles += 1
                there += s.count[pile]
        if piles > 1 and there > s.need:
            return 0
        turn_down(s, f, first, 0)
    return 1


@kernel
def turn_down(s: Record, f: Record, pile: int, depth: int) -> None:
    """Add the card at this depth below the top of a pile to the set, face down."""
    card = s.top[pile] - 1
    if depth == 0:
        s.top[pile] = s.under[card]
    else:
        above = card
        for _ in range(depth - 1):
            above = s.under[above] - 1
        card = s.under[above] - 1
        s.under[above] = s.under[card]
    place = s.seat * f.numbers + s.set_number
    s.under[card] = s.down[place]
    s.down[place] = card + 1
    s.count[pile] -= 1
    s.discards -= 1
    s.laid += 1
    s.need -= 1
    if f.face_down_icons_count:  # E16 off
        s.tally += f.unit[card]


# Discards


@kernel
def put_on_pile(s: Record, f: Record, card: int, pile: int) -> None:
    """Put a discard on its pile; the Wheel turns if number and discards make exactly ten (E5) after a pass (E6)."""
    s.under[card] = s.top[pile]
    s.top[pile] = card + 1
    s.count[pile] += 1
    s.discards += 1
    s.left -= 1
    s.pile = pile
    total = pile + s.count[pile]
    makes_ten = total == f.wheel_total or (f.wheel_condition_at_least and total > f.wheel_total)  # E5 off
    may_turn = f.wheel_trigger_any_discard or s.kind == Use.PASSED  # E6 off
    s.wheeled = 1 if makes_ten and may_turn and s.discards > s.count[pile] else 0


@kernel
def move_top_cards(s: Record, amount: int) -> None:
    """Move the top cards of the source to the target in their order; they count there from now on."""
    top = s.top[s.source]
    lowest = top - 1
    for _ in range(amount - 1):
        lowest = s.under[lowest] - 1
    s.top[s.source] = s.under[lowest]
    s.under[lowest] = s.top[s.target]
    s.top[s.target] = top
    s.count[s.source] -= amount
    s.count[s.target] += amount
    s.source = s.target = 0


STORY = Story(game, STATE, deal)
