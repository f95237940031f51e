"""What the effects of draft 8's cards do: kernels."""

from generator.games.engine.kernel import Record, kernel
from generator.games.journey8.moves import Op, Phase
from generator.games.journey8.pieces import drop, gain, start_giving, take_from, throw_away, turn_back, turn_over


@kernel
def ahead(s: Record) -> int:
    """By how much the seat's coherence exceeds its sone."""
    return int(s.coherence[s.seat] - s.sone[s.seat])


@kernel
def run_effect(s: Record, f: Record) -> int:
    """Carries out what is left of the card's effect; answers 1 when the player has to choose first."""
    card = s.card
    while s.op < f.steps[card]:
        at = 3 * s.op
        op = f.effect[card][at]
        number = f.effect[card][at + 2]
        s.op += 1
        if op == Op.GIVE:
            start_giving(s, s.seat, number, number)
            if s.phase == Phase.GIVE:
                return 1
        elif op == Op.TAKE_ONE:
            if take_forced(s, number) == 0:
                s.phase = Phase.TAKE
                return 1
        elif op == Op.DISCARD_THIS:
            throw_away(s, f, s.seat, card)
        else:
            change(s, f, op, f.effect[card][at + 1], number)
    return 0


@kernel
def change(s: Record, f: Record, op: int, side: int, number: int) -> None:
    """An operation that leaves nothing to choose."""
    if op == Op.GAIN:
        gain(s, f, s.seat, side, number)
    elif op == Op.DROP:
        drop(s, s.seat, side, number)
    elif op == Op.TURN:
        turn_over(s, s.seat, number)
    elif op == Op.TURN_BACK:
        turn_back(s, s.seat, number)
    elif op == Op.TAKE_EACH:
        for other in range(s.players):
            if other != s.seat:
                take_from(s, s.seat, other, number)
    elif op == Op.ALL_GAIN:
        # What all get moves nobody ahead, so that it is not what the effect brings.
        s.before -= ahead(s)
        for i in range(s.players):
            gain(s, f, (s.seat + i) % s.players, side, number)
        s.before += ahead(s)


@kernel
def take_forced(s: Record, number: int) -> int:
    """Takes sone where at most one other player has any; answers 0 when there is a choice."""
    able = 0
    other = 0
    for seat in range(s.players):
        if seat != s.seat and s.sone[seat] > 0:
            able += 1
            other = seat
    if able > 1:
        return 0
    if able == 1:
        take_from(s, s.seat, other, number)
    return 1


@kernel
def take(s: Record, f: Record, other: int) -> None:
    """Takes from the player chosen: as much as the operation before the next one says."""
    take_from(s, s.seat, other, f.effect[s.card][3 * (s.op - 1) + 2])
