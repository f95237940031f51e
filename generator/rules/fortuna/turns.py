"""The turns of Fortuna: legal moves, and the course of a turn."""

from generator.rules.engine.kernel import Record, Row, kernel, next_chances, shuffle
from generator.rules.fortuna.score import (
    begin_all_in,
    begin_set,
    best_icon,
    can_be,
    full_size,
    lay_card,
    put_in_hand,
    take_from_hand,
    turn_down,
)
from generator.rules.fortuna.state import Chance, Gap, Move, Phase, Use


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Fill in the moves of the phase. Of indistinguishable cards, only the lowest copy is offered."""
    phase = s.phase
    if phase == Phase.ACTION:
        return fill_actions(s, f, moves)
    if phase == Phase.CARDS:
        return next_cards(s, f, moves)
    if phase == Phase.DISCARD:
        return hand_designs(s, f, moves, Move.DISCARD)
    number = 0
    if phase == Phase.FILL:
        # Piles from the last one on, as long as they and later piles have enough cards.
        there = 0
        for pile in range(s.least, f.numbers):
            there += s.count[pile]
        for pile in range(s.least, f.numbers):
            if s.count[pile] > 0 and there >= s.need:
                moves[number] = Move.FILL + pile
                number += 1
            there -= s.count[pile]
    elif phase == Phase.DECLARE:
        for pile in range(f.numbers):
            if f.piles[pile] and can_be(s, f, s.held - 1, pile):
                moves[number] = Move.DECLARE + pile
                number += 1
    elif phase == Phase.FROM:
        if f.wheel_optional:
            moves[number] = Move.STAY
            number += 1
        for pile in range(f.numbers):
            if pile != s.pile and s.count[pile] > 0:
                moves[number] = Move.FROM + pile
                number += 1
    elif phase == Phase.TO:
        for pile in range(f.numbers):
            if (
                f.piles[pile]
                and pile != s.source
                and not (f.wheel_destination_not_source_not_discarded and pile == s.pile)
            ):
                moves[number] = Move.TO + pile
                number += 1
    elif phase == Phase.AMOUNT:
        for amount in range(1, s.count[s.source] + 1):
            moves[number] = Move.AMOUNT + amount
            number += 1
    return number


@kernel
def hand_designs(s: Record, f: Record, moves: Row, kind: int) -> int:
    """Fill in a move of the kind for each design in the hand."""
    start = s.seat * f.width
    hand = s.hand
    designs = f.design
    number = 0
    before = -1
    for i in range(start, start + s.hand_n[s.seat]):
        card = hand[i]
        design = designs[card]
        if design != before:
            moves[number] = kind + card
            number += 1
            before = design
    return number


@kernel
def count_values(s: Record, f: Record, seat: int) -> int:
    """Return how many hand cards may count as each number, packed as in `spread`."""
    start = seat * f.width
    hand = s.hand
    numbers = f.number
    total = 0
    for i in range(start, start + s.hand_n[seat]):
        base = numbers[hand[i]]
        total += f.spread[base][s.count[base]]
    return total


@kernel
def closed_numbers(s: Record, f: Record, seat: int) -> int:
    """Return the numbers of which the seat may not play another set, as bits."""
    taken: int = s.owned[seat]
    if f.same_number_scope_table:
        for other in range(s.players):
            taken |= s.owned[other]
    return taken


@kernel
def fill_actions(s: Record, f: Record, moves: Row) -> int:
    """Fill in passes with any card, and sets of any number that the hand can make."""
    number = hand_designs(s, f, moves, Move.PASS)
    total = count_values(s, f, s.seat)
    taken = closed_numbers(s, f, s.seat)
    hand = s.hand_n[s.seat]
    reach = hand + s.discards if s.trigger == 0 or f.all_in_after_trigger else 0
    all_ins = 0
    value = 0
    while total > 0:
        able = total & f.most_counted
        total >>= f.bits
        if able > 0 and (taken >> value) & 1 == 0:
            if value == 0:
                if able >= f.zero_set_min:
                    moves[number] = Move.PLAY
                    number += 1
                if f.zero_all_in and able == hand and hand < f.zero_set_max and f.zero_set_max <= reach:
                    all_ins = 1
            elif able >= value:
                moves[number] = Move.PLAY + value
                number += 1
            elif able == hand and value <= reach:
                all_ins |= 1 << value
        value += 1
    value = 0
    while all_ins > 0:
        if all_ins & 1:
            moves[number] = Move.ALL_IN + value
            number += 1
        all_ins >>= 1
        value += 1
    return number


@kernel
def next_cards(s: Record, f: Record, moves: Row) -> int:
    """Fill in the next cards of a set, in ascending order so that enough are left; a set of 0 may be closed."""
    start = s.seat * f.width
    end = start + s.hand_n[s.seat]
    rest = s.set_number - s.used if s.set_number > 0 else max(1, f.zero_set_min - s.used)
    able = 0
    for i in range(start, end):
        if s.hand[i] >= s.last and can_be(s, f, s.hand[i], s.set_number):
            able += 1
    number = 0
    before = -1
    for i in range(start, end):
        card = s.hand[i]
        if card >= s.last and able >= rest and can_be(s, f, card, s.set_number):
            able -= 1
            design = f.design[card]
            if design != before:
                moves[number] = Move.CARD + card
                number += 1
                before = design
    if s.set_number == 0 and s.used > 0 and s.used >= f.zero_set_min:
        moves[number] = Move.DONE
        number += 1
    return number


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deal a new game and draw for its first turn."""
    deal(s, f)
    next_turn(s, f)


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


@kernel
def next_turn(s: Record, f: Record) -> None:
    """End the game, or begin the turn of the next seat that has something to do, with its draw."""
    while s.over == 0:
        if s.trigger > 0 and (s.turn % s.players == 0 or (s.end_n == 0 and f.end_pile_exhausted_finish_turn)):
            s.over = 1
            s.phase = Phase.END
            return
        s.seat = s.turn % s.players
        s.turn += 1
        s.phase = Phase.DRAW
        s.before[s.seat] = s.hand_n[s.seat]
        if s.trigger == 0 or f.turn_draw_after_trigger:
            for _ in range(f.draw):
                if draw_card(s, f) == 0:
                    s.over = 1
                    if not f.end_pile_exhausted_on_failed_draw and s.hole == 0:
                        s.hole = Gap.NOTHING_TO_DRAW
                    return
                if is_cut_short(s, f):
                    s.over = 1
                    return
        s.phase = Phase.ACTION
        if s.hand_n[s.seat] > 0:
            return
        if s.hole == 0:
            s.hole = Gap.EMPTY_HAND


@kernel
def take_from_main(s: Record) -> int:
    """Take the top card of the main deck."""
    s.main_n -= 1
    card: int = s.main[s.main_n]
    s.main[s.main_n] = 0
    return card


@kernel
def draw_card(s: Record, f: Record) -> int:
    """Draw a card from the main deck, else from the End pile, for the seat with the turn; return 0 if none is left."""
    if s.main_n > 0:
        put_in_hand(s, f, s.seat, take_from_main(s))
        return 1
    if s.end_n == 0:
        s.short[0] += 1
        return 0
    s.end_n -= 1
    put_in_hand(s, f, s.seat, s.end[s.end_n])
    s.end[s.end_n] = 0
    if s.trigger == 0:
        s.trigger = s.turn
        s.by_refill = 0 if s.phase == Phase.DRAW else 1
    if s.trigger == s.turn:
        s.first_end += 1
    return 1


@kernel
def is_cut_short(s: Record, f: Record) -> int:
    """Return 1 if the End pile has run out and that ends the game at once."""
    return 1 if f.end_pile_exhausted_immediate and s.trigger > 0 and s.end_n == 0 else 0


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carry out a move and everything up to the next choice."""
    if move < Move.PLAY:
        s.kind = Use.PASSED
        s.left = f.pass_discard
        discard_card(s, f, move - Move.PASS)
    elif move < Move.ALL_IN:
        begin_set(s, f, move - Move.PLAY)
        pick_cards(s, f)
    elif move < Move.CARD:
        begin_all_in(s, f, move - Move.ALL_IN)
        fill_up(s, f)
    elif move < Move.DISCARD:
        # Add a card to the set, or close a set of 0.
        if move < Move.DONE:
            lay_card(s, f, move - Move.CARD)
        else:
            s.last = f.cards
        pick_cards(s, f)
    elif move < Move.DECLARE:
        discard_card(s, f, move - Move.DISCARD)
    elif move < Move.FILL:
        card = s.held - 1
        s.held = 0
        put_on_pile(s, f, card, move - Move.DECLARE)
    elif move < Move.STAY:
        s.least = move - Move.FILL
        turn_down(s, f, s.least, 0)
        fill_up(s, f)
    else:
        apply_wheel(s, f, move)


@kernel
def pick_cards(s: Record, f: Record) -> None:
    """Ask for the next card of a set, or lay the rest if there is only one way, and finish the set."""
    number = s.set_number
    start = s.seat * f.width
    able = 0
    first = 0
    final = 0
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
    s.phase = Phase.CARDS
    if not one_way:
        return
    at = start
    while rest > 0:
        card = s.hand[at]
        if card >= s.last and can_be(s, f, card, number):
            lay_card(s, f, card)
            rest -= 1
        else:
            at += 1
    finish_set(s, f, s.used)


@kernel
def fill_up(s: Record, f: Record) -> None:
    """Ask for the next face-down card, or take the rest if there is only one way, and finish the set.

    Piles are named in ascending order, because the order in which cards are taken makes no difference.
    """
    s.phase = Phase.FILL
    while s.need > 0:
        there = 0
        piles = 0
        first = 0
        for pile in range(s.least, f.numbers):
            if s.count[pile] > 0:
                if piles == 0:
                    first = pile
                piles += 1
                there += s.count[pile]
        if piles > 1 and there > s.need:
            return
        turn_down(s, f, first, 0)
    s.least = 0
    finish_set(s, f, full_size(s, f))


@kernel
def apply_wheel(s: Record, f: Record, move: int) -> None:
    """Carry out a step of the Wheel of Fortune: source, target or number."""
    if move == Move.STAY:
        go_on_discarding(s, f)
    elif move < Move.TO:
        s.source = move - Move.FROM
        s.phase = Phase.TO
    elif move < Move.AMOUNT:
        s.target = move - Move.TO
        if s.count[s.source] == 1:
            turn_wheel(s, f, 1)
        else:
            s.phase = Phase.AMOUNT
    else:
        turn_wheel(s, f, move - Move.AMOUNT)


@kernel
def finish_set(s: Record, f: Record, size: int) -> None:
    """Complete a set: count its points, then ask for a discard after a one-card set, or refill after any other."""
    s.points[s.seat] += size * best_icon(f, s.tally)
    s.size = size
    s.last = 0
    s.set_number = 0
    s.tally = 0
    s.closed = 1 if s.trigger > 0 else 0
    if size == 1:
        s.left = f.one_card_discard if s.trigger == 0 or f.one_card_discard_after_trigger else 0
        go_on_discarding(s, f)
    else:
        if s.trigger == 0:
            refill_hand(s, f, (size if f.refill_counts_set_size else s.used) - f.refill_minus)
        if s.over == 0:
            next_turn(s, f)


@kernel
def refill_hand(s: Record, f: Record, number: int) -> None:
    """Draw after a play; the game may end during it."""
    s.phase = Phase.REFILL
    for _ in range(number):
        if draw_card(s, f) == 0:
            s.over = 1 if f.end_pile_exhausted_on_failed_draw else 0
            return
        if is_cut_short(s, f):
            s.over = 1
            return
        if f.refill_in_progress_stop and s.trigger > 0:
            return


@kernel
def discard_card(s: Record, f: Record, card: int) -> None:
    """Discard a hand card."""
    take_from_hand(s, f, card)
    if f.discard_key_declared:
        s.held = card + 1
        s.phase = Phase.DECLARE
    else:
        put_on_pile(s, f, card, f.number[card])


@kernel
def put_on_pile(s: Record, f: Record, card: int, pile: int) -> None:
    """Put a discard on its pile, where it may turn the Wheel of Fortune."""
    s.under[card] = s.top[pile]
    s.top[pile] = card + 1
    s.count[pile] += 1
    s.discards += 1
    s.left -= 1
    s.pile = pile
    s.wheeled = 0
    total = pile + s.count[pile]
    if (
        (total == f.wheel_total or (f.wheel_condition_at_least and total > f.wheel_total))
        and (f.wheel_trigger_any_discard or s.kind == Use.PASSED)
        and s.discards > s.count[pile]
    ):
        s.wheeled = 1
        s.phase = Phase.FROM
    else:
        go_on_discarding(s, f)


@kernel
def go_on_discarding(s: Record, f: Record) -> None:
    """Continue with the next discard that is due, or with the next turn."""
    if s.left > 0 and s.hand_n[s.seat] > 0:
        s.phase = Phase.DISCARD
    else:
        s.left = 0
        next_turn(s, f)


@kernel
def turn_wheel(s: Record, f: Record, amount: int) -> None:
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
    s.source = 0
    s.target = 0
    go_on_discarding(s, f)
