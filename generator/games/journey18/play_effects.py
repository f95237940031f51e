"""Kernels for the effects of journey18's events: which is next, what it waits for, what a choice in it does.

`s.source` is the event whose effect it is, `s.job` the one whose text is carried out (another one while it is copied),
`s.line` the operation there, `s.left` how much of it is left to do.
"""

from generator.games.engine.kernel import Record, kernel
from generator.games.journey18.play_codes import (
    BOTTOM,
    BRING_BLACK,
    COPY,
    COPY_NEIGHBOUR,
    DRAW_CARDS,
    EFFECT,
    EVENTS,
    EVENTS_SUPPLY,
    LOST,
    MOVE_BLACK,
    NONE,
    PASS,
    RETURN_CARDS,
    SOLVE,
    STEP_BLACK,
    SWAP,
    SWAP_EVENTS,
    TOP,
)
from generator.games.journey18.play_grid import (
    draw_top,
    neighbour,
    put_at_bottom,
    put_on_top,
    reveal,
    set_black,
    swap_events,
    take_from_hand,
    take_into_hand,
)
from generator.games.journey18.play_moves import can_copy, can_swap, windows_open


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
        if f.first_card_only == 1:
            s.fired |= bit
        s.source = card
        s.job = card
        begin(s, f, 0)
        s.step = EFFECT
        return
    s.may_solve = 1
    s.step = SOLVE


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
    if kind == STEP_BLACK or (kind == RETURN_CARDS and s.left > 0 and s.nhand > 0):
        return 1
    if kind == SWAP_EVENTS and can_swap(s, f) == 1:
        return 1
    if kind == COPY_NEIGHBOUR:
        for side in range(4):
            if can_copy(s, f, neighbour(s, f, s.job, side)) == 1:
                return 1
    if kind == BRING_BLACK and (s.black[0] != s.white or s.black[1] != s.white or windows_open(s, f) == 1):
        return 1
    if kind == DRAW_CARDS:
        if windows_open(s, f) == 1 or (f.yellow_optional == 1 and (s.ndeck > 0 or f.yellow_skip == 0)):
            return 1
        draw(s, f)
    elif kind == 0:
        s.step = EVENTS
    else:
        begin(s, f, s.line + 1)
    return 0


@kernel
def draw(s: Record, f: Record) -> None:
    """Draws; an empty deck loses the game, or ends the effect if it is read so."""
    for _ in range(s.left):
        if s.ndeck == 0:
            s.short[EVENTS_SUPPLY] += 1
            if f.yellow_skip == 1:
                s.step = EVENTS
            else:
                s.result = LOST
                s.over = 1
            return
        take_into_hand(s, draw_top(s))
        s.held += 1
    applied(s, f)
    if f.radio_always == 1:
        reveal(s, f)
    begin(s, f, s.line + 1)


@kernel
def choose_in_effect(s: Record, f: Record, move: int) -> None:
    """Does what was chosen; declining ends the effect without using it."""
    if move == PASS:
        s.step = EVENTS
    elif move >= SWAP:
        swap(s, f, (move - SWAP) // 100, (move - SWAP) % 100)
        applied(s, f)
        begin(s, f, s.line + 1)
    elif move >= MOVE_BLACK:
        set_black(s, move - MOVE_BLACK)
        applied(s, f)
        begin(s, f, s.line + 1)
    elif move >= COPY:
        applied(s, f)
        s.copied[s.job] = s.turn
        s.job = move - COPY
        begin(s, f, 0)
    elif move >= TOP:
        give_back(s, f, move)
    else:
        draw(s, f)


@kernel
def give_back(s: Record, f: Record, move: int) -> None:
    """Returns a card of the hand to the deck."""
    card = (move - TOP) % 100
    take_from_hand(s, card)
    if move >= BOTTOM:
        put_at_bottom(s, card)
    else:
        put_on_top(s, card)
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
        if card in (one, other) and (f.out_resolves == 0 or s.at[card] // f.rows == s.white):
            s.todo[i] = NONE
