"""Which moves there are in journey18: kernels."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey18.moves import (
    NONE,
    BluePair,
    GreenCopiesGreen,
    GreenSource,
    LetterWindows,
    MemoryDirection,
    MemoryPower,
    Move,
    Op,
    Solve,
    Step,
    Yellow,
)
from generator.games.journey18.pieces import neighbour, offer, pair, solvable, stories_solved, swap_of


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Fills in the moves of the step at which the game waits."""
    if s.step == Step.CARD:
        for i in range(s.nhand):
            moves[i] = Move.PLAY + s.hand[i]
        number: int = s.nhand
        return number
    if s.step == Step.BLACK:
        return shares(s, f, moves)
    if s.step == Step.EFFECT:
        return effect_moves(s, f, moves)
    number = 0
    if s.step == Step.SOLVE:
        number = story_moves(s, f, moves)
        return letter_moves(s, f, moves, number) if f.letter_windows == LetterWindows.ALL else number
    moves[0] = Move.PASS
    return letter_moves(s, f, moves, 1)


@kernel
def shares(s: Record, f: Record, moves: Row) -> int:
    """Where the black pawns can be after the rest of the move, split between both with the Map."""
    number = 0
    for share in range(s.rest + 1):
        if f.map == 1 or share in (0, s.rest):
            days = pair((s.black[0] + share) % f.days, (s.black[1] + s.rest - share) % f.days)
            number = offer(moves, 0, number, Move.BLACK + days)
    return number


@kernel
def story_moves(s: Record, f: Record, moves: Row) -> int:
    """Stories that can be solved; or none of them, unless one must be."""
    found = solvable(s, f) if s.may_solve == 1 else 0
    number = 0
    if found == 0 or f.solve == Solve.OPTIONAL:
        moves[0] = Move.PASS
        number = 1
    for suit in range(f.suits):
        if (found >> suit) & 1:
            moves[number] = Move.SOLVE + suit
            number += 1
    return number


@kernel
def memory_power(s: Record, f: Record) -> int:
    """How far a Location Memory moves now."""
    if s.power > 0:
        kept: int = s.power
        return kept
    if f.memory_power == MemoryPower.SOLVED_COUNT:
        return stories_solved(s, f)
    left: int = s.letters
    return left - f.memory_cost if f.memory_power == MemoryPower.AFTER else left


@kernel
def letter_moves(s: Record, f: Record, moves: Row, number: int) -> int:
    """Both memories, after the moves that are already there."""
    if s.letters < f.memory_cost:
        return number
    far = memory_power(s, f)
    if s.power > 0:
        moves[number] = Move.APART
        number += 1
    start = number
    if far > 0:
        for share in range(far + 1):
            if f.map == 1 or share in (0, far):
                number = memories(s, f, moves, start, number, share, far - share)
    if s.nthrown > 0:
        for card in range(f.events):
            if s.thrown[card] == 1:
                moves[number] = Move.RECALL + card
                number += 1
    return number


@kernel
def memories(s: Record, f: Record, moves: Row, start: int, number: int, one: int, other: int) -> int:
    """Where the black pawns can be when they have gone so many steps each, forward or back."""
    steps_differ = f.memory_direction == MemoryDirection.PER_STEP
    for first in range(-one, one + 1, 2 if steps_differ else max(1, 2 * one)):
        if f.memory_backward_wrap == 0 and s.black[0] + first < 0:
            continue
        for second in range(-other, other + 1, 2 if steps_differ else max(1, 2 * other)):
            if f.memory_backward_wrap == 1 or s.black[1] + second >= 0:
                days = pair((s.black[0] + first) % f.days, (s.black[1] + second) % f.days)
                number = offer(moves, start, number, Move.MEMORY + days)
    return number


@kernel
def effect_moves(s: Record, f: Record, moves: Row) -> int:
    """The choices that an operation leaves; letters may come before the effect of an event begins."""
    kind = f.op[s.job][s.line]
    if kind == Op.RETURN_CARDS:
        for i in range(s.nhand):
            moves[i] = Move.TOP + s.hand[i]
            moves[s.nhand + i] = Move.BOTTOM + s.hand[i]
        number: int = 2 * s.nhand
        return number
    if kind == Op.STEP_BLACK:
        number = steps(s, f, moves)
    elif kind == Op.DRAW_CARDS:
        number = 0
        if f.yellow == Yellow.OPTIONAL:
            moves[0] = Move.PASS
            number = 1
        moves[number] = Move.DRAW
        number += 1
    else:
        moves[0] = Move.PASS
        number = 1
        if kind == Op.COPY_NEIGHBOUR:
            number = copies(s, f, moves, number)
        elif kind == Op.BRING_BLACK:
            number = meetings(s, f, moves, number)
    if windows_open(s, f) == 1:
        number = letter_moves(s, f, moves, number)
    if kind == Op.SWAP_EVENTS:
        number = swaps(s, f, moves, number)
    return number


@kernel
def windows_open(s: Record, f: Record) -> int:
    """1 if a letter may be used now, before the effect of an event."""
    fresh = f.letter_windows == LetterWindows.ALL and s.letters >= f.memory_cost and s.job == s.source and s.line == 0
    return 1 if fresh else 0


@kernel
def steps(s: Record, f: Record, moves: Row) -> int:
    """One black pawn goes so many days either way."""
    far = f.amount[s.job][s.line]
    number = 0
    for which in range(2):
        still = s.black[1 - which]
        number = offer(moves, 0, number, Move.BLACK + pair((s.black[which] + far) % f.days, still))
        number = offer(moves, 0, number, Move.BLACK + pair((s.black[which] - far) % f.days, still))
    return number


@kernel
def meetings(s: Record, f: Record, moves: Row, number: int) -> int:
    """One black pawn comes to the white one, if it isn't there."""
    start = number
    for which in range(2):
        if s.black[which] != s.white:
            number = offer(moves, start, number, Move.BLACK + pair(s.white, s.black[1 - which]))
    return number


@kernel
def can_copy(s: Record, f: Record, card: int) -> int:
    """1 if a neighbour's effect may be copied."""
    if card == NONE or (f.green_source == GreenSource.UNUSED_ONLY and s.used[card] == s.turn):
        return 0
    if f.op[card][0] == Op.COPY_NEIGHBOUR:
        return 1 if f.green_copies_green == GreenCopiesGreen.CHAIN and s.copied[card] != s.turn else 0
    return 1


@kernel
def copies(s: Record, f: Record, moves: Row, number: int) -> int:
    """Neighbours whose effect may be copied."""
    start = number
    for side in range(4):
        card = neighbour(s, f, s.job, side)
        if can_copy(s, f, card) == 1:
            number = offer(moves, start, number, Move.COPY + card)
    return number


@kernel
def swaps(s: Record, f: Record, moves: Row, number: int) -> int:
    """Pairs of placed events of one number."""
    for one in range(f.events):
        if s.at[one] == NONE or (f.blue_pair == BluePair.OWN_NUMBER and f.number[one] != f.number[s.source]):
            continue
        other = f.twin[one]
        while other >= 0:
            if s.at[other] != NONE:
                moves[number] = swap_of(one, other)
                number += 1
            other = f.twin[other]
    return number


@kernel
def can_swap(s: Record, f: Record) -> int:
    """1 if there is a pair to swap."""
    for one in range(f.events):
        if s.at[one] == NONE or (f.blue_pair == BluePair.OWN_NUMBER and f.number[one] != f.number[s.source]):
            continue
        other = f.twin[one]
        while other >= 0:
            if s.at[other] != NONE:
                return 1
            other = f.twin[other]
    return 0
