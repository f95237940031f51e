"""Which moves there are in Fortuna: kernels."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.fortuna.effects import can_be
from generator.games.fortuna.moves import Move, Phase, SameNumberScope, WheelDestination


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """The moves of the phase. Of equal cards, which nothing can tell apart, the lowest copy stands for all."""
    phase = s.phase
    if phase == Phase.ACTION:
        return actions(s, f, moves)
    if phase == Phase.CARDS:
        return next_cards(s, f, moves)
    if phase == Phase.DISCARD:
        return hand_designs(s, f, moves, Move.DISCARD)
    number = 0
    if phase == Phase.FILL:
        return piles_to_fill_from(s, f, moves)
    if phase == Phase.DECLARE:
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
                and not (f.wheel_destination == WheelDestination.NOT_SOURCE_NOT_DISCARDED and pile == s.pile)
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
    """A move of the kind for each design in the hand."""
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
def counts(s: Record, f: Record, seat: int) -> int:
    """How many hand cards may count as each number, packed as in `spread`."""
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
    """A bit for each number of which the seat may not play another set."""
    taken: int = s.owned[seat]
    if f.same_number_scope == SameNumberScope.TABLE:
        for other in range(s.players):
            taken |= s.owned[other]
    return taken


@kernel
def actions(s: Record, f: Record, moves: Row) -> int:
    """Pass with any card, or play a set of any number that the hand can make."""
    number = hand_designs(s, f, moves, Move.PASS)
    total = counts(s, f, s.seat)
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
    """Cards of a set are picked in ascending order, so that enough of them are left; a set of 0 may be closed."""
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
def piles_to_fill_from(s: Record, f: Record, moves: Row) -> int:
    """Piles from the last one on, as long as they and those after them have cards enough."""
    there = 0
    for pile in range(s.least, f.numbers):
        there += s.count[pile]
    number = 0
    for pile in range(s.least, f.numbers):
        if s.count[pile] > 0 and there >= s.need:
            moves[number] = Move.FILL + pile
            number += 1
        there -= s.count[pile]
    return number
