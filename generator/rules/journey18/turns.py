"""The turns of journey18: the steps between choices, and bounds for a search of wins."""

from generator.rules.engine.kernel import Record, Row, kernel, next_chances, shuffle
from generator.rules.journey18.moves import choose_in_effect, effect_waits, memory_power, next_event
from generator.rules.journey18.score import (
    discard_card,
    draw_top,
    find_solvable,
    pawn_days,
    place_event,
    put_at_bottom,
    put_on_top,
    reveal_top,
    set_black,
    stories_solved,
    take_from_hand,
    take_into_hand,
)
from generator.rules.journey18.state import NONE, Chance, Move, Op, Result, Step, Supply


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deal a new game and play it to its first choice."""
    deal(s, f)
    run_on(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Lay out the locations, shuffle the events and draw the first hand."""
    lay_out(s, f)
    number = 0
    for location in range(f.locations):
        if location != f.final:
            s.place[number] = location
            number += 1
    shuffle(next_chances(s.rng, Chance.PLACES), s.place, 0, number)
    s.place[number] = f.final
    for card in range(f.events):
        s.deck[card] = card
    s.ndeck = f.events
    shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, s.ndeck)
    for _ in range(f.hand):
        take_into_hand(s, draw_top(s))
    if f.radio_always:
        reveal_top(s, f)


@kernel
def lay_out(s: Record, f: Record) -> None:
    """Set the fields that don't start at zero: pawns on the first day, letters on stories, no events placed."""
    s.white = f.first
    s.black[0] = f.first
    s.black[1] = f.first
    s.on_stories = f.letters
    s.playing = NONE
    for card in range(f.events):
        s.at[card] = NONE


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carry out a move and go on to the next choice. Letters are spent at the step where they were used."""
    if Move.MEMORY <= move < Move.SWAP:
        # Use either memory.
        if f.memory_multi_simultaneous and s.power == 0:
            s.power = memory_power(s, f)
        if move >= Move.RECALL:
            card = move - Move.RECALL
            s.thrown[card] = 0
            s.nthrown -= 1
            put_on_top(s, card)
            s.adventures += 1
        else:
            set_black(s, move - Move.MEMORY)
            if f.solve_per_turn_many_sequential:
                s.may_solve = 1
        s.letters -= f.memory_cost
        s.spent += f.memory_cost
    elif move == Move.APART:
        s.power = 0
    else:
        s.power = 0
        carry_out_choice(s, f, move)
    run_on(s, f)


@kernel
def carry_out_choice(s: Record, f: Record, move: int) -> None:
    """Carry out a choice other than the use of a letter."""
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
            s.passed = 1 if f.letter_windows_all and f.solve_optional else 0
            s.step = Step.END
        else:
            # Turn a story over and take its letter.
            s.solved |= 1 << (move - Move.SOLVE)
            s.on_stories -= 1
            s.letters += 1
            s.solves += 1
            s.may_solve = 0
            if f.solve_per_turn_1:
                s.step = Step.END
    elif s.step == Step.START:
        s.step = Step.REFILL
    elif s.step == Step.LOOP:
        s.step = Step.ADVANCE
    else:
        s.passed = 1
        s.step = Step.CHECK


@kernel
def run_on(s: Record, f: Record) -> None:
    """Run the steps that need no choice. A window without changes since the last one is skipped."""
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
            refill_hand(s, f)
        elif s.step == Step.LOOP:
            # Else the pawns may as well move first, unless they can't go back over day 1 afterwards.
            needed = 1 if s.white + f.number[s.playing] > f.last or f.memory_backward_wrap == 0 else 0
            if letters == 1 and f.letter_windows_all and needed == 1:
                return
            s.step = Step.ADVANCE
        elif s.step == Step.ADVANCE:
            advance_white(s, f)
        elif s.step == Step.PLACE:
            put_down(s, f)
        elif s.step == Step.SOLVE:
            if (letters == 1 and f.letter_windows_all) or (s.may_solve == 1 and find_solvable(s, f) != 0):
                return
            s.step = Step.END
        elif s.step == Step.END:
            if letters == 1 and s.solved == f.stories and s.passed == 0:
                return
            s.step = Step.CHECK
        else:
            # Check if the trip has reached its end.
            ready = s.solved == f.stories and s.white == f.last and s.black[0] == f.last and s.black[1] == f.last
            if ready:
                s.result = Result.WON
                s.over = 1
            if s.solved == f.stories and s.white == f.last:
                s.passed = 0
            s.step = Step.START


@kernel
def lose_game(s: Record) -> None:
    """Lose the game because the deck has no card to draw."""
    s.short[Supply.EVENTS] += 1
    s.result = Result.LOST
    s.over = 1


@kernel
def refill_hand(s: Record, f: Record) -> None:
    """Draw for a new turn, or lose."""
    s.passed = 0
    s.solves = 0
    for _ in range(f.draw):
        if s.ndeck == 0:
            lose_game(s)
            return
        take_into_hand(s, draw_top(s))
    reveal_top(s, f)
    s.turn += 1
    s.step = Step.CARD


@kernel
def advance_white(s: Record, f: Record) -> None:
    """Move the white pawn forward; a loop takes cards from the deck."""
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
            if f.tent == 0 or f.tent_empty_lose:
                lose_game(s)
                return
        else:
            card = draw_top(s)
            if f.tent == 1:
                put_at_bottom(s, card)
            else:
                discard_card(s, card)
    s.loops += 1
    if f.radio_always:
        reveal_top(s, f)


@kernel
def put_down(s: Record, f: Record) -> None:
    """Make the card in play an event of the location, or discard it on the last day; all events there become due."""
    card = s.playing
    s.playing = NONE
    s.fired = 0
    s.next = 0
    if s.white == f.last:
        discard_card(s, card)
        s.sevens += 1
    else:
        place_event(s, f, card)
    s.ntodo = s.ncolumn[s.white]
    for i in range(s.ntodo):
        s.todo[i] = s.column[s.white * f.rows + i]
    s.step = Step.EVENTS


CARD_BITS = 6
CARDS_A_NUMBER = 10
"""The number of cards packed into a number; 0 is no card."""


@kernel
def fill_key(s: Record, f: Record, keys: Row) -> int:
    """Fill in the cards in their order, pawns, stories, letters, and the progress of the turn.

    Fields that only count or record the past are left out, and so are those that the step no longer reads. Events in no
    other zone are discarded.
    """
    number = 0
    packed = 0
    filled = 0
    for day in range(f.last):
        for i in range(day * f.rows, (day + 1) * f.rows):
            card = s.column[i] + 1 if i < day * f.rows + s.ncolumn[day] else 0
            packed = packed << CARD_BITS | card
            filled += 1
            if filled == CARDS_A_NUMBER:
                keys[number] = packed
                number += 1
                packed = 0
                filled = 0
    for i in range(f.events):
        packed = packed << CARD_BITS | (s.deck[i] + 1 if i < s.ndeck else 0)
        filled += 1
        if filled == CARDS_A_NUMBER:
            keys[number] = packed
            number += 1
            packed = 0
            filled = 0
    keys[number] = packed
    held = 0
    for i in range(s.nhand):
        held |= 1 << s.hand[i]
    keys[number + 1] = held
    stands = (s.step * 16 + s.white) * 16 + s.black[0]
    stands = (((stands * 16 + s.black[1]) << f.suits) | s.solved) * 64 + s.letters
    playing = s.playing + 1
    stands = stands * 64 + playing
    stands = stands * 64 + (s.rest if s.step == Step.BLACK else 0)
    waits = s.passed if s.step in (Step.START, Step.SOLVE, Step.END) else 0
    stands = (stands * 2 + waits) * 2 + (s.may_solve if s.step == Step.SOLVE else 0)
    keys[number + 2] = stands * 64 + s.power
    effect_key(s, f, keys, number + 3)
    return number + 9


@kernel
def effect_key(s: Record, f: Record, keys: Row, number: int) -> None:
    """Fill in six numbers: events still due, effects used, and the progress of the present effect."""
    for i in range(number, number + 6):
        keys[i] = 0
    if s.step not in (Step.EVENTS, Step.EFFECT):
        return
    for i in range(s.next, s.ntodo):
        half = number if i - s.next < CARDS_A_NUMBER else number + 1
        keys[half] = keys[half] << CARD_BITS | (s.todo[i] + 1)
    keys[number + 2] = s.fired
    if s.step == Step.EFFECT:
        keys[number + 3] = ((s.source * 64 + s.job) * 64 + s.line) * 64 + s.left
    if f.green_source_unused_only:
        for card in range(f.events):
            if s.used[card] == s.turn:
                keys[number + 4] |= 1 << card
    if f.green_copies_green_chain:
        for card in range(f.events):
            if s.copied[card] == s.turn:
                keys[number + 5] |= 1 << card


@kernel
def is_hopeless(s: Record, f: Record) -> int:
    """Return 1 if the cards left can't be enough for the stories and the way to the last day.

    The estimate is a lower bound: it ignores the order of cards, and assumes each card in hand when it is needed.
    """
    if s.over == 1 or f.giving == 1:
        return 0
    unsolved: int = f.suits - stories_solved(s, f)
    recalls: int = (s.letters + s.on_stories) // f.memory_cost
    moved = 1 if s.step in (Step.BLACK, Step.PLACE) else 0
    lands = 1 if moved == 1 and s.white < f.last else 0
    to_place = 0
    missing = 0
    way = 0
    for suit in range(f.suits):
        if (s.solved >> suit) & 1:
            continue
        placed = 0
        left = 0
        for card in range(f.events):
            if f.suit[card] == suit:
                if s.at[card] != NONE or (lands == 1 and s.playing == card):
                    placed += 1
                elif s.thrown[card] == 0 and (moved == 0 or s.playing != card):
                    left += 1
        missing += max(0, PAWNS - placed - left)
        if placed < PAWNS:
            to_place += PAWNS - placed
            way += find_nearest(s, f, suit, PAWNS - placed, moved)
    if unsolved == 0:
        return 1 if s.letters < f.memory_cost and is_stuck(s, f) == 1 else 0
    # The last story's letter comes when no event is wanted any more.
    if missing * f.memory_cost >= s.letters + s.on_stories and missing > 0:
        return 1
    # `to_place` doesn't count a card that is being placed: that takes no further draw, nor any way of the white pawn.
    now = 1 if s.step in (Step.CARD, Step.LOOP, Step.ADVANCE) else 0
    may_solve = 1 if s.step in (Step.EVENTS, Step.EFFECT, Step.SOLVE) or now + moved == 1 else 0
    solves = 1 if f.solve_per_turn_many_sequential else unsolved
    turns = max(to_place - now, solves - may_solve, 0) + 1
    # The white pawn stands on day `white + 1`; its way ends on the last day, after whole rounds.
    loops = max(0, -(-(s.white + way + 1 - f.last) // f.days))
    room = max(0, f.last - 1 - s.white)
    if to_place > room:
        loops = max(loops, -(-(to_place - room) // f.last))
    if s.white == f.last:
        loops = max(loops, 1)
    wanted = turns * f.draw + (0 if f.tent == 1 else loops * f.loop_cost)
    # What an effect has drawn comes back to the deck.
    return 1 if wanted > s.ndeck + max(0, s.held) + recalls else 0


PAWNS = 3


@kernel
def find_nearest(s: Record, f: Record, suit: int, wanted: int, moved: int) -> int:
    """Return the shortest way of placing so many more events of a suit: their numbers, the lowest first."""
    way = 0
    for number in range(1, f.move_total + 1):
        for card in range(f.events):
            if wanted > 0 and f.suit[card] == suit and f.number[card] == number and s.at[card] == NONE:
                if moved == 1 and s.playing == card and s.white < f.last:
                    continue
                way += number
                wanted -= 1
    return way


@kernel
def is_stuck(s: Record, f: Record) -> int:
    """Return 1 if all stories are solved, no letter is left, and the pawns' days can't add up to the sum at the end.

    A move changes that sum by whole rounds only, if pawns together go as many days as a week has. Only an event that is
    not discarded moves a black pawn otherwise.
    """
    if f.move_total % f.days != 0 or (pawn_days(s, f) - PAWNS * f.last) % f.days == 0 or s.step == Step.BLACK:
        return 0
    for card in range(f.events):
        if s.thrown[card] == 0:
            line = 0
            while f.op[card][line] != Op.END:
                if f.op[card][line] in (Op.STEP_BLACK, Op.BRING_BLACK):
                    return 0
                line += 1
    return 1
