"""Who is how far in draft 8, as kernels: totals, places, how good a state looks, and what of it a seat can't see."""

from generator.games.engine.kernel import Record, Row, kernel, shuffle, sort
from generator.games.journey8.play_codes import (
    CARDS_KEPT,
    COUNTERS_KEPT,
    DRAWN,
    IGNORED,
    NORMAL,
    NOT_NEGATIVE,
    ONE_EXTRA,
    REVERSE,
    RISES,
    ROW,
    TURNS,
)
from generator.games.journey8.play_events import mode_of
from generator.games.journey8.play_pieces import put_in_hand

# Totals


@kernel
def mode_now(s: Record, f: Record) -> int:
    """How hand numbers count, or would if the story stayed as it is."""
    mode: int = s.mode
    return mode if s.scoring == 1 else mode_of(f, s.keys, s.laid)


@kernel
def hand_sum(s: Record, f: Record, seat: int) -> int:
    """The numbers of the hand; jokers have none."""
    total: int = 0
    base = seat * f.cards
    for at in range(base, base + s.held[seat]):
        total += f.number[s.hand[at]]
    return total


@kernel
def merit(f: Record, mode: int, hand: int, ahead: int) -> int:
    """What is compared, larger being better. `ahead` is coherence less sone."""
    if f.aimed == 1:
        return -abs(ahead - int(f.target))
    if mode == IGNORED:
        return ahead
    return ahead - hand if mode == NORMAL else ahead + hand


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Each seat's total as the score sheet has it; in Normal, and with a target, the least wins."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        total = merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        points[seat] = -total if f.aimed == 1 or mode == NORMAL else total


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """By totals, then by coherence; who is equal in both shares the place."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        places[seat] = 1
        mine = merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        for other in range(s.players):
            theirs = merit(f, mode, hand_sum(s, f, other), s.coherence[other] - s.sone[other])
            if theirs > mine or (theirs == mine and s.coherence[other] > s.coherence[seat]):
                places[seat] += 1


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """How far the seat is ahead of the others in sum: what all can see, its own hand and what its effects promise."""
    mode = mode_now(s, f)
    own: int = 0
    total: int = 0
    for other in range(s.players):
        ahead = s.coherence[other] - s.sone[other]
        hand = 0
        if other == seat or s.scoring == 1:
            hand = hand_sum(s, f, other)
            ahead += promised(s, f, other)
        found = merit(f, mode, hand, ahead)
        total += found
        if other == seat:
            own = found
    return int(own * s.players - total)


@kernel
def promised(s: Record, f: Record, seat: int) -> int:
    """What the effects that are still to come are worth to who holds them, at best."""
    total = 0
    if f.events == 1:
        base = seat * f.cards
        for at in range(base, base + s.held[seat]):
            if (s.done >> s.hand[at]) & 1 == 0:
                total += f.worth[s.hand[at]]
    return total


# What can't be seen


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes the deck and, until they are laid open, the hands of the others."""
    top = s.top
    if s.scoring == 0:
        for other in range(s.players):
            if other != seat:
                base = other * f.cards
                for at in range(base, base + s.held[other]):
                    top -= 1
                    s.deck[top] = s.hand[at]
    sort(s.deck, top, f.cards)
    shuffle(s.rng, s.deck, top, f.cards)
    if s.scoring == 0:
        for other in range(s.players):
            if other != seat:
                number = s.held[other]
                s.held[other] = 0
                for _ in range(number):
                    put_in_hand(s, f, other, s.deck[top])
                    s.deck[top] = 0
                    top += 1


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """The counters that players have."""
    total = 0
    for seat in range(s.players):
        total += s.sone[seat] + s.coherence[seat]
    taken[0] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Reverse, the last key, cards held, and what effects brought and were worth: RULES.measures in their order."""
    told[0] = 1 if s.mode == REVERSE else 0
    told[1] = s.key_end
    told[2] = s.held_at_end
    told[3] = 100 * s.brought // max(1, s.applied)
    told[4] = 100 * s.promised // max(1, s.applied)


# Laws


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold, by its place in `laws` from 1."""
    sone = coherence = 0
    for seat in range(s.players):
        if s.sone[seat] < 0 or s.coherence[seat] < 0:
            return NOT_NEGATIVE
        sone += s.sone[seat]
        coherence += s.coherence[seat]
    if cards_kept(s, f) == 0:
        return CARDS_KEPT
    if sone + coherence + s.supply != f.counters or (f.finite == 1 and s.supply < 0):
        return COUNTERS_KEPT
    if s.scoring == 0 and sone + coherence != s.given_out + s.rises:
        return RISES
    if s.plays > 1 + s.first_key * f.extra_plays:
        return ONE_EXTRA
    if s.turn > s.first or (s.scoring == 1 and s.key_end == 0 and s.turn != s.first):
        return TURNS
    if s.dry == 1:
        return DRAWN
    return ROW if s.laid > f.longest else 0


@kernel
def cards_kept(s: Record, f: Record) -> int:
    """1 if every card of the box lies in one place, 0 if one is missing or there twice."""
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
