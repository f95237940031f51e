"""Kernels that carry journey18 from one choice to the next: set-up, the steps of a turn, letters, the end."""

from generator.games.engine.kernel import Record, chances, kernel, shuffle
from generator.games.journey18.effects import choose_in_effect, effect_waits, next_event
from generator.games.journey18.legal import memory_power
from generator.games.journey18.moves import (
    NONE,
    Chance,
    LetterWindows,
    MemoryMulti,
    Move,
    Radio,
    Result,
    Solve,
    SolvePerTurn,
    Step,
    Supply,
    TentEmpty,
)
from generator.games.journey18.pieces import (
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
    shuffle(chances(s.rng, Chance.PLACES), s.place, 0, number)
    s.place[number] = f.final
    for card in range(f.events):
        s.deck[card] = card
    s.ndeck = f.events
    shuffle(chances(s.rng, Chance.DECK), s.deck, 0, s.ndeck)
    for _ in range(f.hand):
        take_into_hand(s, draw_top(s))
    if f.radio == Radio.ALWAYS:
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
    if Move.MEMORY <= move < Move.SWAP:
        use_letter(s, f, move)
    elif move == Move.APART:
        s.power = 0
    else:
        s.power = 0
        choose(s, f, move)
    run_on(s, f)


@kernel
def use_letter(s: Record, f: Record, move: int) -> None:
    """Either memory."""
    if f.memory_multi == MemoryMulti.SIMULTANEOUS and s.power == 0:
        s.power = memory_power(s, f)
    if move >= Move.RECALL:
        card = move - Move.RECALL
        s.thrown[card] = 0
        s.nthrown -= 1
        put_on_top(s, card)
        s.adventures += 1
    else:
        set_black(s, move - Move.MEMORY)
        if f.solve_per_turn == SolvePerTurn.MANY_SEQUENTIAL:
            s.may_solve = 1
    s.letters -= f.memory_cost
    s.spent += f.memory_cost


@kernel
def choose(s: Record, f: Record, move: int) -> None:
    """What a choice does that is no use of a letter."""
    if s.step == Step.CARD:
        s.playing = move - Move.PLAY
        take_from_hand(s, s.playing)
        s.step = Step.LOOP
    elif s.step == Step.BLACK:
        set_black(s, move - Move.BLACK)
        s.drift = (pawn_days(s, f) - s.before) % f.days
        s.step = Step.PLACE
    elif s.step == Step.EFFECT:
        choose_in_effect(s, f, move)
    elif s.step == Step.SOLVE:
        if move == Move.PASS:
            # Where a solvable story must be solved, a letter now is not the same as one after the resolution.
            s.passed = 1 if f.letter_windows == LetterWindows.ALL and f.solve == Solve.OPTIONAL else 0
            s.step = Step.END
        else:
            solve(s, f, move - Move.SOLVE)
    elif s.step == Step.START:
        s.step = Step.REFILL
    elif s.step == Step.LOOP:
        s.step = Step.ADVANCE
    else:
        s.passed = 1
        s.step = Step.CHECK


@kernel
def run_on(s: Record, f: Record) -> None:
    """Goes through the steps that need no choice. A window in which nothing has changed since the last is left out."""
    while s.over == 0:
        letters = 1 if s.letters >= f.memory_cost else 0
        if s.step in (Step.CARD, Step.BLACK):
            return
        if s.step == Step.EFFECT:
            if effect_waits(s, f) == 1:
                return
        elif s.step == Step.EVENTS:
            next_event(s, f)
        elif s.step == Step.START:
            if letters == 1 and s.passed == 0:
                return
            s.step = Step.REFILL
        elif s.step == Step.REFILL:
            refill(s, f)
        elif s.step == Step.LOOP:
            # Else the pawns may as well move first, unless they can't go back over day 1 afterwards.
            needed = 1 if s.white + f.number[s.playing] > f.last or f.memory_backward_wrap == 0 else 0
            if letters == 1 and f.letter_windows == LetterWindows.ALL and needed == 1:
                return
            s.step = Step.ADVANCE
        elif s.step == Step.ADVANCE:
            advance(s, f)
        elif s.step == Step.PLACE:
            put_down(s, f)
        elif s.step == Step.SOLVE:
            if (letters == 1 and f.letter_windows == LetterWindows.ALL) or (s.may_solve == 1 and solvable(s, f) != 0):
                return
            s.step = Step.END
        elif s.step == Step.END:
            if letters == 1 and s.solved == f.stories and s.passed == 0:
                return
            s.step = Step.CHECK
        else:
            end_turn(s, f)


@kernel
def lose(s: Record) -> None:
    """The deck had no card to draw."""
    s.short[Supply.EVENTS] += 1
    s.result = Result.LOST
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
    s.step = Step.CARD


@kernel
def advance(s: Record, f: Record) -> None:
    """The white pawn goes forward; a loop takes cards from the deck."""
    far = f.number[s.playing]
    looped = 1 if s.white + far > f.last else 0
    s.before = pawn_days(s, f)
    s.white = (s.white + far) % f.days
    s.rest = f.move_total - far
    s.step = Step.BLACK
    if looped == 0:
        return
    for _ in range(f.loop_cost):
        if s.ndeck == 0:
            if f.tent == 0 or f.tent_empty == TentEmpty.LOSE:
                lose(s)
                return
        else:
            card = draw_top(s)
            if f.tent == 1:
                put_at_bottom(s, card)
            else:
                discard(s, card)
    s.loops += 1
    if f.radio == Radio.ALWAYS:
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
    s.step = Step.EVENTS


@kernel
def solve(s: Record, f: Record, suit: int) -> None:
    """Turns a story over and takes its letter."""
    s.solved |= 1 << suit
    s.on_stories -= 1
    s.letters += 1
    s.solves += 1
    s.may_solve = 0
    if f.solve_per_turn == SolvePerTurn.IS_1:
        s.step = Step.END


@kernel
def end_turn(s: Record, f: Record) -> None:
    """Looks whether the trip has reached its end."""
    if arrived(s, f) == 1:
        s.result = Result.WON
        s.over = 1
    if s.solved == f.stories and s.white == f.last:
        s.passed = 0
    s.step = Step.START
