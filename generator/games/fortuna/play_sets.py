"""Fortuna's sets as kernels: picking their cards, filling up All-in sets, points, and the refill afterwards."""

from generator.games.engine.kernel import Record, below, kernel
from generator.games.fortuna.play_codes import AT_CARDS, AT_FILL, AT_REFILL, FAILED_DRAW, ICON_BITS, ICON_MASK, PLAYED
from generator.games.fortuna.play_turn import cut_short, draw, go_on_discarding, next_turn, out_of_hand


@kernel
def can_be(s: Record, f: Record, card: int, number: int) -> int:
    """1 if a hand card may count as the number, else 0."""
    base = f.number[card]
    answer: int = (f.spread[base][s.count[base]] >> (f.bits * number)) & 1
    return answer


@kernel
def begin_set(s: Record, f: Record, number: int) -> None:
    """A set of the number lies on the table, without cards yet."""
    s.kind = PLAYED
    s.used = 0
    s.closed = 0
    s.set_number = number
    s.tally = 0
    s.last = 0
    s.owned[s.seat] |= 1 << number
    s.sets[s.seat] += 1


@kernel
def lay(s: Record, f: Record, card: int) -> None:
    """A hand card joins the set, face up."""
    out_of_hand(s, f, card)
    place = s.seat * f.numbers + s.set_number
    s.under[card] = s.up[place]
    s.up[place] = card + 1
    s.used += 1
    s.laid += 1
    s.last = card + 1
    s.tally += f.unit[card]


@kernel
def choose_on(s: Record, f: Record) -> None:
    """Asks for the next card of a set, or lays the rest where there is only one way to go on."""
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
        settled = rest in (0, able) or f.design[first] == f.design[final]
    else:
        rest = able
        settled = able == 0 or s.used == f.zero_set_max or s.used + able <= f.zero_set_min
        if s.used == f.zero_set_max:
            rest = 0
    s.phase = AT_CARDS
    if settled:
        at = start
        while rest > 0:
            card = s.hand[at]
            if card >= s.last and can_be(s, f, card, number):
                lay(s, f, card)
                rest -= 1
            else:
                at += 1
        finish_set(s, f, s.used)


@kernel
def all_in(s: Record, f: Record, number: int) -> None:
    """The whole hand becomes a set of the number, to be filled up with discards."""
    begin_set(s, f, number)
    while s.hand_n[s.seat] > 0:
        lay(s, f, s.hand[s.seat * f.width + s.hand_n[s.seat] - 1])
    size = number if number > 0 else f.zero_set_max
    s.need = size - s.used
    s.least = 0
    if f.random_fill:
        while s.need > 0:
            pile = 0
            at = below(s.rng, s.discards)
            while at >= s.count[pile]:
                at -= s.count[pile]
                pile += 1
            turn_down(s, f, pile, at)
    fill_on(s, f)


@kernel
def turn_down(s: Record, f: Record, pile: int, depth: int) -> None:
    """The card of a pile that lies so deep below its top joins the set, face down."""
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
    if f.down_counts:
        s.tally += f.unit[card]


@kernel
def fill_on(s: Record, f: Record) -> None:
    """Asks for the next face-down card, or takes the rest where there is only one way to go on.

    Piles are named in ascending order: which card is taken first makes no difference.
    """
    s.phase = AT_FILL
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
    size = s.set_number if s.set_number > 0 else f.zero_set_max
    finish_set(s, f, size)


@kernel
def best_icon(f: Record, tally: int) -> int:
    """How often the most frequent icon of a tally is there, wild ones added."""
    most = 0
    for icon in range(f.icons):
        most = max(most, (tally >> (ICON_BITS * icon)) & ICON_MASK)
    wild: int = tally >> (ICON_BITS * f.icons)
    return most + wild


@kernel
def finish_set(s: Record, f: Record, size: int) -> None:
    """A set is complete: its points stand, a one-card set costs a discard, any other is refilled."""
    s.points[s.seat] += size * best_icon(f, s.tally)
    s.size = size
    s.last = 0
    s.set_number = 0
    s.tally = 0
    s.closed = 1 if s.trigger > 0 else 0
    if size == 1:
        s.left = f.one_card_discard if s.trigger == 0 or f.discard_late else 0
        go_on_discarding(s, f)
    else:
        if s.trigger == 0:
            refill(s, f, (size if f.by_set_size else s.used) - f.refill_minus)
        if s.over == 0:
            next_turn(s, f)


@kernel
def refill(s: Record, f: Record, number: int) -> None:
    """Draws after a play; the game may end in the middle of it."""
    s.phase = AT_REFILL
    for _ in range(number):
        if draw(s, f) == 0:
            s.over = 1 if f.exhausted == FAILED_DRAW else 0
            return
        if cut_short(s, f):
            s.over = 1
            return
        if f.stop_refill and s.trigger > 0:
            return
