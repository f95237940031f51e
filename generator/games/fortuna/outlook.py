"""How good a table of Fortuna looks to a seat: points, and the sets that its hand promises for the turns to come."""

from generator.games.engine.kernel import Record, kernel
from generator.games.fortuna.effects import can_be, full_size
from generator.games.fortuna.legal import closed_numbers, counts
from generator.games.fortuna.moves import Phase
from generator.games.fortuna.score import best_icon, promise

POINT = 100
"""What all is counted in: so much is a point worth."""

BEST, NEXT = 72, 28
"""What the best set of a hand counts a turn ahead, and the second best one two turns ahead, in hundredths."""

CARD = 11
"""A card in hand, for each turn that is to come up to FORESEEN."""

FORESEEN = 3
"""So many turns ahead it is looked."""

COMING = 6
"""What a card promises of a hand that is not known yet, for what the best set counts."""

PACE = 8
"""About so many cards leave the deck in a turn: more than do, since what is far off is worth less."""


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """The seat's points, those of the set that it is laying out, and what its hand is good for in its turns to come."""
    total: int = POINT * s.points[seat]
    if s.over:
        return total
    turns, held = turns_left(s, f, seat), s.hand_n[seat]
    if s.seat == seat and s.phase == Phase.CARDS:
        total += POINT * promise(s, f)
        size = s.set_number if s.set_number > 0 else s.used
        held += s.used - size + (max(0, size - f.refill_minus) if s.trigger == 0 else 0)
        total += COMING * held if turns > 0 else 0
    elif s.seat == seat and s.phase == Phase.FILL:
        total += POINT * full_size(s, f) * best_icon(f, s.tally)
        held = max(0, s.used - f.refill_minus) if s.trigger == 0 else 0
        total += COMING * held if turns > 0 else 0
    elif turns > 0:
        total += hand_worth(s, f, seat, turns)
    worth: int = total + CARD * held * min(turns, FORESEEN)
    return worth


@kernel
def turns_left(s: Record, f: Record, seat: int) -> int:
    """About how many turns the seat still begins."""
    if s.trigger > 0:
        return 1 if s.seat < seat else 0
    turns: int = s.main_n // (PACE * s.players) + (1 if s.seat <= seat else 0)
    return max(1, turns)


@kernel
def hand_worth(s: Record, f: Record, seat: int, turns: int) -> int:
    """The two best sets that the hand can make."""
    counted, closed, held = counts(s, f, seat), closed_numbers(s, f, seat), s.hand_n[seat]
    reach = held + s.discards if s.trigger == 0 or f.all_in_after_trigger else 0
    best = second = number = 0
    while counted > 0:
        able = counted & f.most_counted
        counted >>= f.bits
        found = 0
        if able > 0 and closed >> number & 1 == 0:
            if number == 0:
                found = min(able, f.zero_set_max) * most_alike(s, f, seat, number, f.zero_set_max)
            elif able >= number or (able == held and number <= reach):
                found = number * most_alike(s, f, seat, number, number)
        if found > best:
            best, second = found, best
        elif found > second:
            second = found
        number += 1
    worth: int = (BEST * best + (NEXT * second if turns > 1 else 0)) * POINT // 100
    return worth


@kernel
def most_alike(s: Record, f: Record, seat: int, number: int, most: int) -> int:
    """How often the most frequent icon is among the hand cards that may count as the number, up to a size."""
    tally, start = 0, seat * f.width
    for i in range(start, start + s.hand_n[seat]):
        if can_be(s, f, s.hand[i], number):
            tally += f.unit[s.hand[i]]
    return min(most, best_icon(f, tally))
