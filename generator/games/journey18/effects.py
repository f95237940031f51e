"""Kernels for the effects of journey18's events: which is next, what it waits for, what a choice in it does.

`s.source` is the event whose effect it is, `s.job` the one whose text is carried out (another one while it is copied),
`s.line` the operation there, `s.left` how much of it is left to do.
"""

from generator.games.engine.kernel import Record, kernel
from generator.games.journey18.legal import can_copy, can_swap, windows_open
from generator.games.journey18.moves import NONE, Move, Op, Radio, Result, Step, SuitOnce, Supply, Yellow, YellowEmpty
from generator.games.journey18.pieces import (
    draw_top,
    first_swapped,
    neighbour,
    put_at_bottom,
    put_on_top,
    reveal,
    second_swapped,
    set_black,
    swap_events,
    take_from_hand,
    take_into_hand,
)


@kernel
def next_event(s: Record, f: Record) -> None:
    """Begins the effect of the next event that is due, or the resolution when there is none."""
    while s.next < s.ntodo:
        card = s.todo[s.next]
        s.next += 1
        if card == NONE:
            continue
        bit = 1 << f.suit[card]
        if s.fired & bit:
            continue
        if f.suit_once == SuitOnce.FIRST_CARD_ONLY:
            s.fired |= bit
        s.source = card
        s.job = card
        begin(s, f, 0)
        s.step = Step.EFFECT
        return
    s.may_solve = 1
    s.step = Step.SOLVE


@kernel
def begin(s: Record, f: Record, line: int) -> None:
    """Goes to an operation."""
    s.line = line
    s.left = f.amount[s.job][line]


@kernel
def applied(s: Record, f: Record) -> None:
    """The effect has been used: its suit has none any more this turn."""
    s.fired |= 1 << f.suit[s.source]
    s.used[s.source] = s.turn


@kernel
def effect_waits(s: Record, f: Record) -> int:
    """1 if the operation needs a choice; else does what goes by itself: draws, or leaves out what can't be done."""
    kind = f.op[s.job][s.line]
    if kind == Op.STEP_BLACK or (kind == Op.RETURN_CARDS and s.left > 0 and s.nhand > 0):
        return 1
    if kind == Op.SWAP_EVENTS and can_swap(s, f) == 1:
        return 1
    if kind == Op.COPY_NEIGHBOUR:
        for side in range(4):
            if can_copy(s, f, neighbour(s, f, s.job, side)) == 1:
                return 1
    if kind == Op.BRING_BLACK and (s.black[0] != s.white or s.black[1] != s.white or windows_open(s, f) == 1):
        return 1
    if kind == Op.DRAW_CARDS:
        if windows_open(s, f) == 1 or (
            f.yellow == Yellow.OPTIONAL and (s.ndeck > 0 or f.yellow_empty == YellowEmpty.LOSE)
        ):
            return 1
        draw(s, f)
    elif kind == Op.END:
        s.step = Step.EVENTS
    else:
        begin(s, f, s.line + 1)
    return 0


@kernel
def draw(s: Record, f: Record) -> None:
    """Draws; an empty deck loses the game, or ends the effect if it is read so."""
    for _ in range(s.left):
        if s.ndeck == 0:
            s.short[Supply.EVENTS] += 1
            if f.yellow_empty == YellowEmpty.SKIP:
                s.step = Step.EVENTS
            else:
                s.result = Result.LOST
                s.over = 1
            return
        take_into_hand(s, draw_top(s))
        s.held += 1
    applied(s, f)
    if f.radio == Radio.ALWAYS:
        reveal(s, f)
    begin(s, f, s.line + 1)


@kernel
def choose_in_effect(s: Record, f: Record, move: int) -> None:
    """Does what was chosen; declining ends the effect without using it."""
    if move == Move.PASS:
        s.step = Step.EVENTS
    elif move >= Move.SWAP:
        swap(s, f, first_swapped(move), second_swapped(move))
        applied(s, f)
        begin(s, f, s.line + 1)
    elif move >= Move.BLACK:
        set_black(s, move - Move.BLACK)
        applied(s, f)
        begin(s, f, s.line + 1)
    elif move >= Move.COPY:
        applied(s, f)
        s.copied[s.job] = s.turn
        s.job = move - Move.COPY
        begin(s, f, 0)
    elif move >= Move.TOP:
        give_back(s, f, move)
    else:
        draw(s, f)


@kernel
def give_back(s: Record, f: Record, move: int) -> None:
    """Returns a card of the hand to the deck."""
    if move >= Move.BOTTOM:
        take_from_hand(s, move - Move.BOTTOM)
        put_at_bottom(s, move - Move.BOTTOM)
    else:
        take_from_hand(s, move - Move.TOP)
        put_on_top(s, move - Move.TOP)
    s.held -= 1
    s.left -= 1
    if s.left == 0:
        reveal(s, f)
        begin(s, f, s.line + 1)


@kernel
def swap(s: Record, f: Record, one: int, other: int) -> None:
    """Two events change places; neither is due any more, but where one that left the location still is."""
    swap_events(s, one, other)
    s.used[one] = s.turn
    s.used[other] = s.turn
    for i in range(s.ntodo):
        card = s.todo[i]
        if card in (one, other) and (f.swapped_out_resolves == 0 or s.at[card] // f.rows == s.white):
            s.todo[i] = NONE
