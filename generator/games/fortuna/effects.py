"""What Fortuna's cards do, as kernels: what they count as, how hands hold them, how sets are laid out and filled up."""

from generator.games.engine.hands import insert, remove
from generator.games.engine.kernel import Record, below, chances, kernel
from generator.games.fortuna.moves import AllInSource, Chance, FaceDownIcons, Phase, Use


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """A card comes to its place in a hand."""
    start = seat * f.width
    insert(s.hand, start, start + s.hand_n[seat], card)
    s.hand_n[seat] += 1


@kernel
def out_of_hand(s: Record, f: Record, card: int) -> None:
    """A card leaves the hand of the seat whose turn it is."""
    start = s.seat * f.width
    remove(s.hand, start, start + s.hand_n[s.seat], card)
    s.hand_n[s.seat] -= 1


@kernel
def can_be(s: Record, f: Record, card: int, number: int) -> int:
    """1 if a hand card may count as the number, else 0."""
    base = f.number[card]
    answer: int = (f.spread[base][s.count[base]] >> (f.bits * number)) & 1
    return answer


@kernel
def begin_set(s: Record, f: Record, number: int) -> None:
    """A set of the number lies on the table, without cards yet."""
    s.kind = Use.PLAYED
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
def choose_on(s: Record, f: Record) -> int:
    """Asks for the next card of a set, or lays the rest where there is only one way to go on: 1 if it is complete."""
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
        return 0
    at = start
    while rest > 0:
        card = s.hand[at]
        if card >= s.last and can_be(s, f, card, number):
            lay(s, f, card)
            rest -= 1
        else:
            at += 1
    return 1


@kernel
def all_in(s: Record, f: Record, number: int) -> None:
    """The whole hand becomes a set of the number; what it lacks is to be filled up with discards."""
    begin_set(s, f, number)
    while s.hand_n[s.seat] > 0:
        lay(s, f, s.hand[s.seat * f.width + s.hand_n[s.seat] - 1])
    s.need = full_size(s, f) - s.used
    s.least = 0
    if f.allin_source == AllInSource.RANDOM:
        while s.need > 0:
            pile = 0
            at = below(chances(s.rng, Chance.FILL), s.discards)
            while at >= s.count[pile]:
                at -= s.count[pile]
                pile += 1
            turn_down(s, f, pile, at)


@kernel
def full_size(s: Record, f: Record) -> int:
    """How many cards an All-in set has once it is filled up."""
    return s.set_number if s.set_number > 0 else f.zero_set_max  # type: ignore[no-any-return]


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
    if f.face_down_icons == FaceDownIcons.COUNT:
        s.tally += f.unit[card]


@kernel
def fill_on(s: Record, f: Record) -> int:
    """Asks for the next face-down card, or takes the rest where there is only one way to go on: 1 if all are there.

    Piles are named in ascending order: which card is taken first makes no difference.
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
            return 0
        turn_down(s, f, first, 0)
    s.least = 0
    return 1
