"""What wayfaring's effects ask for: situations that hold, deeds that can be paid, steps that are possible."""

from generator.games.engine.kernel import Record, kernel
from generator.games.wayfaring.play_codes import (
    END,
    ITEM_ABILITY,
    ITEM_CARD,
    OP_APPEAR,
    OP_BURY,
    OP_COMPANIONS,
    OP_CURSED,
    OP_DISCARD,
    OP_DISMISS,
    OP_FATIGUE,
    OP_HAND_MAX,
    OP_JOIN,
    OP_LEAVE,
    OP_MARK,
    OP_MOVE,
    OP_NEGATE,
    OP_PLACE,
    OP_RECALL,
    OP_RECOVER,
    OP_TERRAIN,
    OP_TROUBLES,
    OP_VISITED,
    OP_VITALITY,
)
from generator.games.wayfaring.play_zones import drawable


@kernel
def destinations_held(s: Record, f: Record, seat: int) -> int:
    """How many destinations are in a hand."""
    if s.hand[seat] & f.destination_designs == 0:
        return 0
    number = 0
    for card in range(f.deck_cards):
        if s.at[card] == 10 + seat and f.destination_designs >> f.design[card] & 1:
            number += 1
    return number


@kernel
def _holds(s: Record, f: Record, seat: int, step: int) -> int:
    """Whether one situation holds for a seat."""
    op, number = f.op[step], f.times[step]
    if op == OP_TERRAIN:
        return 1 if s.seen[seat * f.terrains + f.of[step]] >= number else 0
    if op == OP_VISITED:
        return 1 if s.seen[seat * f.terrains] >= number else 0
    if op == OP_TROUBLES:
        return 1 if s.memories[seat] - s.seen[seat * f.terrains] >= number else 0
    if op == OP_COMPANIONS:
        return 1 if s.companions[seat] >= number else 0
    if op == OP_CURSED:
        return 1 if s.cursed[seat] >= number else 0
    return 1 if op == OP_HAND_MAX and s.held[seat] <= number else 0


@kernel
def situation_holds(s: Record, f: Record, seat: int, entry: int) -> int:
    """Whether a character has a situation, and all of it holds for a seat."""
    step = f.situation[entry]
    if step == 0:
        return 0
    while f.op[step] != END:
        if _holds(s, f, seat, step) == 0:
            return 0
        step += 1
    return 1


@kernel
def payable(s: Record, f: Record, seat: int, start: int) -> int:
    """Whether a seat can do all of a cost or a deed."""
    cards = destinations = 0
    step = start
    while f.op[step] != END:
        op = f.op[step]
        if op == OP_DISCARD:
            cards += f.times[step]
            destinations += f.times[step] * f.destination[step]
        elif op == OP_MARK:
            marks = s.marks[seat] + f.times[step]
            if marks < 0 or marks > f.rule_passes:
                return 0
        elif op == OP_BURY and s.length[seat] == s.memories[seat]:
            return 0
        step += 1
    if cards > s.held[seat]:
        return 0
    return 1 if destinations == 0 or destinations <= destinations_held(s, f, seat) else 0


@kernel
def others_with_cards(s: Record, seat: int) -> int:
    """The other seats in the game that hold a card, as bits."""
    found = 0
    for other in range(s.players):
        if other != seat and s.out[other] == 0 and s.held[other] > 0:
            found |= 1 << other
    return found


@kernel
def paths_ahead(s: Record) -> int:
    """The seats in the game with a face-down card on their path, as bits."""
    found = 0
    for other in range(s.players):
        if s.out[other] == 0 and s.length[other] > s.memories[other]:
            found |= 1 << other
    return found


@kernel
def joinable(s: Record, f: Record, seat: int) -> int:
    """The characters on display whose situation holds for a seat, as bits."""
    found = 0
    bits = s.display
    while bits:
        low = bits & -bits
        if situation_holds(s, f, seat, f.bit[low % 67]):
            found |= low
        bits ^= low
    return found


@kernel
def recoverable(s: Record, f: Record, step: int, design: int) -> int:
    """The designs in the discards that a step may take; `design` is that of the card being used, or -1."""
    found: int = s.discards
    if f.destination[step]:
        found &= f.destination_designs
    if f.other_design[step] and design >= 0:
        found &= ~(1 << design)
    return found


@kernel
def gains(s: Record, f: Record, seat: int) -> int:
    """Whether a seat can gain vitality."""
    return 1 if s.area[seat] & f.no_vitality == 0 else 0


@kernel
def _possible_on_path(s: Record, f: Record, seat: int, step: int, op: int) -> int:
    if op == OP_PLACE:
        return 1 if s.hand[seat] & f.destination_designs else 0
    if op == OP_MOVE:
        return 1 if s.length[seat] > s.memories[seat] else 0
    if op == OP_MARK:
        return 1 if f.times[step] > 0 or s.marks[seat] > 0 else 0
    if op == OP_BURY:
        if f.other[step]:
            return 1 if paths_ahead(s) else 0
        return 1 if s.length[seat] > s.memories[seat] else 0
    if op == OP_RECALL:
        return 1 if s.discards & f.destination_designs else 0
    return 1


@kernel
def possible(s: Record, f: Record, seat: int, step: int, design: int) -> int:
    """Whether a step can do anything for a seat, its kind apart."""
    op = f.op[step]
    if op == OP_VITALITY:
        return 1 if drawable(s, f) and (f.other[step] or gains(s, f, seat)) else 0
    if op == OP_RECOVER:
        return 1 if recoverable(s, f, step, design) else 0
    if op == OP_DISMISS:
        return 1 if s.shown > 0 else 0
    if op == OP_APPEAR:
        return 1 if s.line_count > 0 else 0
    if op == OP_JOIN:
        return 1 if joinable(s, f, seat) else 0
    if op == OP_NEGATE:
        return 1 if s.items > 0 and s.item_what[s.items - 1] in (ITEM_CARD, ITEM_ABILITY) else 0
    if op == OP_FATIGUE:
        return 1 if (others_with_cards(s, seat) if f.other[step] else s.held[seat]) > 0 else 0
    if op == OP_LEAVE:
        return 1 if s.companions[seat] > 0 else 0
    return _possible_on_path(s, f, seat, step, op)


@kernel
def usable(s: Record, f: Record, seat: int, start: int, design: int) -> int:
    """Whether some step is possible or marked with a kind, or by E42 that doesn't matter."""
    if f.noop_use:
        return 1
    step = start
    while f.op[step] != END:
        if f.kind[step] or possible(s, f, seat, step, design):
            return 1
        step += 1
    return 0


@kernel
def refills(s: Record, f: Record, seat: int, start: int, design: int) -> int:
    """Whether an effect could bring its user a card back."""
    step = start
    while f.op[step] != END:
        op = f.op[step]
        if f.kind[step] == 0 or s.area[seat] & f.of_kind[f.kind[step]]:
            if op == OP_VITALITY and f.other[step] == 0 and possible(s, f, seat, step, design):
                return 1
            if op == OP_RECOVER and possible(s, f, seat, step, design):
                return 1
        step += 1
    return 0
