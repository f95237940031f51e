"""What must hold in draft 8 after every move, and what is measured at the end: kernels."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey8.moves import Law, Mode


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold, by its place in `laws` from 1."""
    sone = coherence = 0
    for seat in range(s.players):
        if s.sone[seat] < 0 or s.coherence[seat] < 0:
            return Law.NOT_NEGATIVE
        sone += s.sone[seat]
        coherence += s.coherence[seat]
    if cards_kept(s, f) == 0:
        return Law.CARDS
    if sone + coherence + s.supply != f.counters or (f.finite and s.supply < 0):
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
    told[0] = 1 if s.mode == Mode.REVERSE else 0
    told[1] = s.key_end
    told[2] = s.held_at_end
    told[3] = 100 * s.brought // max(1, s.applied)
    told[4] = 100 * s.promised // max(1, s.applied)
