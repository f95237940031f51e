"""Who is how far in draft 8, as kernels: how hand numbers count, totals, places, what effects promise."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey8.moves import Mode


@kernel
def key_runs(f: Record, keys: Row, number: int) -> int:
    """How often a row of so many cards has keys side by side."""
    found = length = 0
    for i in range(number):
        length = length + 1 if keys[i] == 1 else 0
        if length == f.run or (length > f.run and f.pairs_count):
            found += 1
    return found


@kernel
def mode_of(f: Record, keys: Row, number: int) -> int:
    """How hand numbers count after a row of so many cards."""
    if f.ignored:
        return Mode.IGNORED
    if f.reverse == 0:
        return Mode.NORMAL
    if f.by_count == 0:
        return Mode.REVERSE if key_runs(f, keys, number) % 2 == 1 else Mode.NORMAL
    laid = 0
    for i in range(number):
        laid += keys[i]
    mode = Mode.NORMAL
    for i in range(f.modes):
        if f.mode_keys[i] <= laid:
            mode = f.mode_names[i]
    return mode


@kernel
def mode_now(s: Record, f: Record) -> int:
    """How hand numbers count, or would if the story stayed as it is."""
    mode: int = s.mode
    return mode if s.scoring else mode_of(f, s.keys, s.laid)


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
    if f.aimed:
        return -abs(ahead - int(f.target))
    if mode == Mode.IGNORED:
        return ahead
    return ahead - hand if mode == Mode.NORMAL else ahead + hand


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Each seat's total as the score sheet has it; in Normal, and with a target, the least wins."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        total = merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        points[seat] = -total if f.aimed or mode == Mode.NORMAL else total


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
def promised(s: Record, f: Record, seat: int) -> int:
    """What the effects that are still to come are worth to who holds them, at best."""
    total = 0
    if f.events:
        base = seat * f.cards
        for at in range(base, base + s.held[seat]):
            if (s.done >> s.hand[at]) & 1 == 0:
                total += f.worth[s.hand[at]]
    return total
