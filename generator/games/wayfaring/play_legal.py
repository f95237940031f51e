"""What may be chosen at a wayfaring table: actions ① to ⑦, answers to them, the move, and the choices of effects."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.wayfaring.play_codes import (
    ARGUMENT,
    CURSE,
    DECLINE,
    DONE,
    END,
    GO,
    OP_DISCARD,
    PASS,
    PLACE,
    PLAY,
    RECRUIT,
    SEAT_SHIFT,
    SET,
    SKIP,
    THROW,
    TROUBLE,
    USE,
    WAIT_ANSWER,
    WAIT_MAIN,
    WAIT_MOVE,
)
from generator.games.wayfaring.play_steps import payable, refills, situation_holds, usable


@kernel
def _fill(f: Record, moves: Row, number: int, base: int, bits: int) -> int:
    """Adds a move for each bit, ascending; answers how many there are now."""
    while bits:
        low = bits & -bits
        moves[number] = base + f.bit[low % 67]
        number += 1
        bits ^= low
    return number


@kernel
def cards_of(f: Record, start: int) -> int:
    """How many cards a cost or deed takes from the hand."""
    number = 0
    step = start
    while f.op[step] != END:
        if f.op[step] == OP_DISCARD:
            number += f.times[step]
        step += 1
    return number


@kernel
def _spends_last(s: Record, f: Record, seat: int, cards: int) -> int:
    """Whether spending so many cards empties a hand where that is forbidden (E57)."""
    return 1 if f.faint_by_own_action and cards > 0 and s.held[seat] <= cards else 0


@kernel
def ends_empty(s: Record, f: Record, move: int) -> int:
    """Whether an action of the seat to choose is sure to leave it without a card, or is a pass too many."""
    seat, what = s.seat, move & ARGUMENT
    kind = move - what
    if kind in (PLACE, TROUBLE, CURSE):
        return 1 if s.held[seat] == 1 else 0
    if kind == PLAY:
        return 1 if s.held[seat] == 1 and refills(s, f, seat, f.effect[what], what) == 0 else 0
    if kind == USE:
        cards = cards_of(f, f.cost[what])
        return (
            1 if cards > 0 and s.held[seat] <= cards and refills(s, f, seat, f.ability[what], f.no_design) == 0 else 0
        )
    if kind == RECRUIT:
        cards = cards_of(f, f.deed[what])
        return 1 if cards > 0 and s.held[seat] <= cards else 0
    return 1 if move == PASS and s.marks[seat] >= f.rule_passes else 0


@kernel
def ability_usable(s: Record, f: Record, seat: int, entry: int) -> int:
    """Whether the ability of an unused card of a seat's area may be used."""
    start, cost = f.ability[entry], f.cost[entry]
    if cost > 0:
        if payable(s, f, seat, cost) == 0:
            return 0
        if _spends_last(s, f, seat, cards_of(f, cost)) and refills(s, f, seat, start, f.no_design) == 0:
            return 0
    return usable(s, f, seat, start, f.no_design)


@kernel
def card_usable(s: Record, f: Record, seat: int, design: int) -> int:
    """Whether an intervention card of a seat's hand may be played."""
    start = f.effect[design]
    if _spends_last(s, f, seat, 1) and refills(s, f, seat, start, design) == 0:
        return 0
    return usable(s, f, seat, start, design)


@kernel
def abilities(s: Record, f: Record, seat: int, timing: int) -> int:
    """The unused cards of a seat's area among those of a timing, as bits."""
    bits: int = s.area[seat] & timing & ~s.used
    if f.summoning_delay:
        bits &= ~s.joined
    return bits


@kernel
def can_answer(s: Record, f: Record, seat: int) -> int:
    """Whether a seat has any intervention that it may declare."""
    if s.items >= f.most_items - 1:
        return 0
    bits = s.hand[seat] & f.intervention_designs
    while bits:
        low = bits & -bits
        if card_usable(s, f, seat, f.bit[low % 67]):
            return 1
        bits ^= low
    bits = abilities(s, f, seat, f.intervene)
    while bits:
        low = bits & -bits
        if ability_usable(s, f, seat, f.bit[low % 67]):
            return 1
        bits ^= low
    return 0


@kernel
def is_asked(s: Record, f: Record, seat: int) -> int:
    """Whether a seat chooses in a window: whoever can answer, or everybody where all see who is asked."""
    if s.out[seat]:
        return 0
    return 1 if f.ask_everyone else can_answer(s, f, seat)


@kernel
def recruitable(s: Record, f: Record, seat: int, entry: int) -> int:
    """Whether a character on display may be chosen: its situation holds, or it has a deed that can be done."""
    deed = f.deed[entry]
    if deed > 0:
        if _spends_last(s, f, seat, cards_of(f, deed)):
            return 0
        if f.deed_payment or payable(s, f, seat, deed):
            return 1
    return situation_holds(s, f, seat, entry)


@kernel
def trouble_targets(s: Record, f: Record, seat: int) -> int:
    """The seats on whose path a trouble may be placed, as bits."""
    found = 0
    total = 0
    for other in range(s.players):
        total += s.troubled[other]
        room = f.trouble_limit == 0 or s.troubled[other] < f.per_turn_trouble
        if room and other != seat and s.out[other] == 0 and s.length[other] > 0:
            found |= 1 << other
    return found if f.trouble_limit or total < f.per_turn_trouble else 0


@kernel
def _placings(s: Record, f: Record, moves: Row, number: int, seat: int) -> int:
    """Actions ① and ②."""
    hand = s.hand[seat]
    if s.placed < f.per_turn_destination:
        number = _fill(f, moves, number, PLACE, hand & f.destination_designs)
    troubles = hand & f.trouble_designs
    if troubles:
        targets = trouble_targets(s, f, seat)
        for other in range(s.players):
            if targets >> other & 1:
                number = _fill(f, moves, number, TROUBLE + (other << SEAT_SHIFT), troubles)
    return number


@kernel
def _interventions(s: Record, f: Record, moves: Row, number: int, seat: int, timing: int) -> int:
    """Actions ⑤ to ⑦: abilities of the timing (of equal cards the lowest), then intervention cards."""
    bits = abilities(s, f, seat, timing)
    last = -1
    while bits:
        low = bits & -bits
        entry = f.bit[low % 67]
        if f.area_design[entry] != last and ability_usable(s, f, seat, entry):
            last = f.area_design[entry]
            moves[number] = USE + entry
            number += 1
        bits ^= low
    bits = s.hand[seat] & f.intervention_designs
    while bits:
        low = bits & -bits
        design = f.bit[low % 67]
        if card_usable(s, f, seat, design):
            moves[number] = PLAY + design
            number += 1
        bits ^= low
    return number


@kernel
def _main(s: Record, f: Record, moves: Row) -> int:
    seat = s.seat
    moves[0] = DONE
    number = 1
    last_card = _spends_last(s, f, seat, 1)
    if last_card == 0:
        number = _placings(s, f, moves, number, seat)
    if s.recruited < f.per_turn_recruit:
        bits = s.display
        while bits:
            low = bits & -bits
            entry = f.bit[low % 67]
            if recruitable(s, f, seat, entry):
                moves[number] = RECRUIT + entry
                number += 1
            bits ^= low
    if last_card == 0:
        number = _fill(f, moves, number, CURSE, s.hand[seat] & f.cursed_designs)
    return _interventions(s, f, moves, number, seat, f.own_turn | f.intervene)


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """The legal moves."""
    if s.wait == WAIT_MAIN:
        return _main(s, f, moves)
    if s.wait == WAIT_ANSWER:
        number = _fill(f, moves, 0, DECLINE, 1)
        return _interventions(s, f, moves, number, s.seat, f.intervene)
    if s.wait == WAIT_MOVE:
        moves[0], moves[1] = PASS, GO
        return 2
    if s.optional == 0:
        bits = s.options & s.hand[s.seat] if s.kind == THROW else s.options
        return _fill(f, moves, 0, s.kind, bits)
    if s.kind == GO:
        moves[0], moves[1] = GO, SKIP
        return 2
    moves[0] = SKIP
    return _fill(f, moves, 1, SET, s.options & s.hand[s.seat])
