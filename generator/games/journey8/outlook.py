"""How good a table of draft 8 looks to a seat: counters, what the hand will count, and what is still to come."""

from generator.games.engine.kernel import Record, kernel
from generator.games.journey8.moves import Mode
from generator.games.journey8.score import hand_sum, merit, mode_now, promised

POINT = 100
"""What all is counted in: so much is a point of the total worth."""

STAYS, COMES, SELDOM = 75, 40, 25
"""How surely large numbers win in the end, in hundredths: now that they do, when one more key would do it, else."""

PROMISE = 80
"""What effects in hand come to, in hundredths of what they promise at best."""

TURNED = 12
"""A sone that may yet be turned, for each turn to come up to FORESEEN."""

FORESEEN = 3
"""So many turns ahead it is looked."""

OPEN = 18
"""A large number at the story's end, for each sone that the next player could turn beside it."""

UNKNOWN = 30
"""A card in another's hand costs so much while large numbers lose, and is worth so much more when they win."""

OPTION = 10
"""A card to choose from, for each turn to come up to FORESEEN."""


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """How far the seat is ahead of the others in sum, as the end can be foreseen."""
    if s.over or s.scoring or f.aimed:
        return POINT * ahead_now(s, f, seat)
    large, turns = chance_of_large(s, f), turns_left(s, f)
    total = 0
    for other in range(s.players):
        worth = POINT * (s.coherence[other] - s.sone[other])
        worth += TURNED * min(turns, FORESEEN) * min(s.sone[other], 4)
        if other == seat:
            gain = 2 * large - 100 if f.ignored == 0 else 0
            worth += gain * hand_sum(s, f, other) * POINT // 100 + PROMISE * promised(s, f, other) * POINT // 100
            worth += OPTION * min(turns, FORESEEN) * min(s.held[other], 4)
            total += worth * (s.players - 1)
        else:
            worth += s.held[other] * (4 * large - 50 - UNKNOWN)
            if other == s.seat:
                worth += OPEN * min(s.sone[other], last_number(s, f))
            total -= worth
    return total


@kernel
def ahead_now(s: Record, f: Record, seat: int) -> int:
    """How far the seat is ahead of the others in sum, if all stayed as it is."""
    mode, own, total = mode_now(s, f), 0, 0
    for other in range(s.players):
        ahead, hand = s.coherence[other] - s.sone[other], 0
        if other == seat or s.scoring:
            hand = hand_sum(s, f, other)
            ahead += promised(s, f, other)
        found = merit(f, mode, hand, ahead)
        total += found
        if other == seat:
            own = found
    return int(own * s.players - total)


@kernel
def chance_of_large(s: Record, f: Record) -> int:
    """How surely large numbers win in the end, in hundredths."""
    if f.reverse == 0:
        return 0
    now = mode_now(s, f) == Mode.REVERSE
    if turns_left(s, f) == 0:
        return 100 if now else 0
    if now:
        return STAYS
    return COMES if s.laid > 0 and s.keys[s.laid - 1] else SELDOM


@kernel
def turns_left(s: Record, f: Record) -> int:
    """About how many turns each player still has."""
    left: int = (f.cards - s.top) // (f.draw * s.players)
    return left


@kernel
def last_number(s: Record, f: Record) -> int:
    """The number at the story's end; a joker is what the next player likes."""
    if s.laid == 0:
        return 0
    card = s.story[s.laid - 1]
    return 6 if f.joker[card] else int(f.number[card]) - 1
