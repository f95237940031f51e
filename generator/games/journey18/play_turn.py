"""Kernels that carry journey18 from one choice to the next: set-up, the steps of a turn, letters, the end."""

from generator.games.engine.kernel import Record, kernel, shuffle
from generator.games.journey18.play_codes import (
    ADVANCE,
    APART,
    BLACK,
    CARD,
    CHECK,
    EFFECT,
    END,
    EVENTS,
    EVENTS_SUPPLY,
    LOOP,
    LOST,
    MEMORY,
    MOVE_BLACK,
    NONE,
    PASS,
    PLACE,
    PLAY,
    RECALL,
    REFILL,
    SOLVE,
    SOLVE_STORY,
    START,
    SWAP,
    WON,
)
from generator.games.journey18.play_effects import choose_in_effect, effect_waits, next_event
from generator.games.journey18.play_grid import (
    arrived,
    discard,
    draw_top,
    pawn_days,
    place_event,
    put_at_bottom,
    put_on_top,
    reveal,
    set_black,
    solvable,
    take_from_hand,
    take_into_hand,
)
from generator.games.journey18.play_moves import memory_power


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deals a new game and plays it to its first choice."""
    deal(s, f)
    run_on(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Lays the locations out, shuffles the events and draws the first hand."""
    lay_out(s, f)
    number = 0
    for location in range(f.locations):
        if location != f.final:
            s.place[number] = location
            number += 1
    shuffle(s.rng, s.place, 0, number)
    s.place[number] = f.final
    for card in range(f.events):
        s.deck[card] = card
    s.ndeck = f.events
    shuffle(s.rng, s.deck, 0, s.ndeck)
    for _ in range(f.hand):
        take_into_hand(s, draw_top(s))
    if f.radio_always == 1:
        reveal(s, f)


@kernel
def lay_out(s: Record, f: Record) -> None:
    """What a fresh state does not have as zeros: pawns on the first day, letters on stories, no events placed."""
    s.white = f.first
    s.black[0] = f.first
    s.black[1] = f.first
    s.on_stories = f.letters
    s.playing = NONE
    for card in range(f.events):
        s.at[card] = NONE


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carries a move out, and the turn on to the next choice. Letters leave the game at the step where they came."""
    if MEMORY <= move < SWAP:
        use_letter(s, f, move)
    elif move == APART:
        s.power = 0
    else:
        s.power = 0
        choose(s, f, move)
    run_on(s, f)


@kernel
def use_letter(s: Record, f: Record, move: int) -> None:
    """Either memory."""
    if f.simultaneous == 1 and s.power == 0:
        s.power = memory_power(s, f)
    if move >= RECALL:
        card = move - RECALL
        s.thrown[card] = 0
        s.nthrown -= 1
        put_on_top(s, card)
        s.adventures += 1
    else:
        set_black(s, move - MEMORY)
        if f.solve_again == 1:
            s.may_solve = 1
    s.letters -= f.memory_cost
    s.spent += f.memory_cost


@kernel
def choose(s: Record, f: Record, move: int) -> None:
    """What a choice does that is no use of a letter."""
    if s.step == CARD:
        s.playing = move - PLAY
        take_from_hand(s, s.playing)
        s.step = LOOP
    elif s.step == BLACK:
        set_black(s, move - MOVE_BLACK)
        s.drift = (pawn_days(s, f) - s.before) % f.days
        s.step = PLACE
    elif s.step == EFFECT:
        choose_in_effect(s, f, move)
    elif s.step == SOLVE:
        if move == PASS:
            # Where a solvable story must be solved, a letter now is not the same as one after the resolution.
            s.passed = f.windows if f.solve_forced == 0 else 0
            s.step = END
        else:
            solve(s, f, move - SOLVE_STORY)
    elif s.step == START:
        s.step = REFILL
    elif s.step == LOOP:
        s.step = ADVANCE
    else:
        s.passed = 1
        s.step = CHECK


@kernel
def run_on(s: Record, f: Record) -> None:
    """Goes through the steps that need no choice. A window in which nothing has changed since the last is left out."""
    while s.over == 0:
        letters = 1 if s.letters >= f.memory_cost else 0
        if s.step in (CARD, BLACK):
            return
        if s.step == EFFECT:
            if effect_waits(s, f) == 1:
                return
        elif s.step == EVENTS:
            next_event(s, f)
        elif s.step == START:
            if letters == 1 and s.passed == 0:
                return
            s.step = REFILL
        elif s.step == REFILL:
            refill(s, f)
        elif s.step == LOOP:
            # Else the pawns may as well move first, unless they can't go back over day 1 afterwards.
            needed = 1 if s.white + f.number[s.playing] > f.last or f.wrap == 0 else 0
            if letters == 1 and f.windows == 1 and needed == 1:
                return
            s.step = ADVANCE
        elif s.step == ADVANCE:
            advance(s, f)
        elif s.step == PLACE:
            put_down(s, f)
        elif s.step == SOLVE:
            if (letters == 1 and f.windows == 1) or (s.may_solve == 1 and solvable(s, f) != 0):
                return
            s.step = END
        elif s.step == END:
            if letters == 1 and s.solved == f.stories and s.passed == 0:
                return
            s.step = CHECK
        else:
            end_turn(s, f)


@kernel
def lose(s: Record) -> None:
    """The deck had no card to draw."""
    s.short[EVENTS_SUPPLY] += 1
    s.result = LOST
    s.over = 1


@kernel
def refill(s: Record, f: Record) -> None:
    """Draws for a new turn, or loses."""
    s.passed = 0
    s.solves = 0
    for _ in range(f.draw):
        if s.ndeck == 0:
            lose(s)
            return
        take_into_hand(s, draw_top(s))
    reveal(s, f)
    s.turn += 1
    s.step = CARD


@kernel
def advance(s: Record, f: Record) -> None:
    """The white pawn goes forward; a loop takes cards from the deck."""
    far = f.number[s.playing]
    looped = 1 if s.white + far > f.last else 0
    s.before = pawn_days(s, f)
    s.white = (s.white + far) % f.days
    s.rest = f.move_total - far
    s.step = BLACK
    if looped == 0:
        return
    for _ in range(f.loop_cost):
        if s.ndeck == 0:
            if f.tent == 0 or f.tent_safe == 0:
                lose(s)
                return
        else:
            card = draw_top(s)
            if f.tent == 1:
                put_at_bottom(s, card)
            else:
                discard(s, card)
    s.loops += 1
    if f.radio_always == 1:
        reveal(s, f)


@kernel
def put_down(s: Record, f: Record) -> None:
    """The card in play becomes an event of the location, or a discard on the last day; all events there are due."""
    card = s.playing
    s.playing = NONE
    s.fired = 0
    s.next = 0
    if s.white == f.last:
        discard(s, card)
        s.sevens += 1
    else:
        place_event(s, f, card)
    s.ntodo = s.ncolumn[s.white]
    for i in range(s.ntodo):
        s.todo[i] = s.column[s.white * f.rows + i]
    s.step = EVENTS


@kernel
def solve(s: Record, f: Record, suit: int) -> None:
    """Turns a story over and takes its letter."""
    s.solved |= 1 << suit
    s.on_stories -= 1
    s.letters += 1
    s.solves += 1
    s.may_solve = 0
    if f.solve_again == 0:
        s.step = END


@kernel
def end_turn(s: Record, f: Record) -> None:
    """Looks whether the trip has reached its end."""
    if arrived(s, f) == 1:
        s.result = WON
        s.over = 1
    if s.solved == f.stories and s.white == f.last:
        s.passed = 0
    s.step = START
