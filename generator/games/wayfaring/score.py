"""How far everybody is at a wayfaring table: points, places, and how good things look for a seat."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.wayfaring.fainting import needed


@kernel
def standing(s: Record, seat: int) -> int:
    """The memories of a seat, or those it had when it dropped out."""
    return s.out_memories[seat] if s.out[seat] else s.memories[seat]  # type: ignore[no-any-return]


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Memories; those who dropped out have what they had then."""
    for seat in range(s.players):
        points[seat] = standing(s, seat)


@kernel
def _merit(s: Record, seat: int) -> int:
    """Winners before those in the game before those who are out, later before earlier; then memories."""
    if s.winners >> seat & 1:
        return 1 << 20
    merit: int = s.out_turn[seat] * 100 + s.out_memories[seat] if s.out[seat] else (1 << 18) + s.memories[seat]
    return merit


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """One more than the number of seats that did better."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if _merit(s, other) > _merit(s, seat):
                places[seat] += 1


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Memories above all; then a hand to live on, cards ahead, companions, and others far from winning."""
    if s.over:
        return 1_000_000 if s.winners >> seat & 1 else -1_000_000
    if s.out[seat]:
        return -1_000_000
    held, ahead = s.held[seat], s.length[seat] - s.memories[seat]
    worth = 100 * (s.memories[seat] + f.rule_memories - needed(s, f, seat)) - 40 * s.marks[seat]
    worth += 60 * min(held, 2) + 25 * min(max(held - 2, 0), 2) + 4 * max(held - 4, 0)
    worth += 35 * min(ahead, 2) + 5 * max(ahead - 2, 0) + 15 * s.companions[seat]
    if held == 0:
        worth -= 500
    most = 0
    for other in range(s.players):
        if other != seat and s.out[other] == 0:
            most = max(most, s.memories[other] * 20 + min(s.held[other], 3) * 5)
    return worth - most  # type: ignore[no-any-return]
