"""Kernels for who searches journey18 for wins: when two states are the same, and when no win can follow any more."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey18.moves import NONE, GreenCopiesGreen, GreenSource, Op, SolvePerTurn, Step
from generator.games.journey18.pieces import pawn_days, stories_solved

CARD_BITS = 6
CARDS_A_NUMBER = 10
"""Cards are written into numbers, ten into each: 0 is no card."""


@kernel
def key(s: Record, f: Record, keys: Row) -> int:
    """Where the cards are and in which order, pawns, stories, letters, and how far the turn is.

    What only counts or tells what has happened is left out, and so is what the step no longer reads. Events that lie
    nowhere else are discarded.
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
    """Six numbers: which events are still due, which effects were used, and where the effect in progress is."""
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
    if f.green_source == GreenSource.UNUSED_ONLY:
        for card in range(f.events):
            if s.used[card] == s.turn:
                keys[number + 4] |= 1 << card
    if f.green_copies_green == GreenCopiesGreen.CHAIN:
        for card in range(f.events):
            if s.copied[card] == s.turn:
                keys[number + 5] |= 1 << card


@kernel
def hopeless(s: Record, f: Record) -> int:
    """1 when the cards that are left can't be enough for what the stories and the way to the last day still take.

    All of it is counted too low: it looks at no order of cards, and takes every card for one that is at hand when it is
    wanted.
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
            way += nearest(s, f, suit, PAWNS - placed, moved)
    if unsolved == 0:
        return 1 if s.letters < f.memory_cost and stuck(s, f) == 1 else 0
    # The last story's letter comes when no event is wanted any more.
    if missing * f.memory_cost >= s.letters + s.on_stories and missing > 0:
        return 1
    # `to_place` doesn't count a card that is being placed: that takes no further draw, nor any way of the white pawn.
    now = 1 if s.step in (Step.CARD, Step.LOOP, Step.ADVANCE) else 0
    may_solve = 1 if s.step in (Step.EVENTS, Step.EFFECT, Step.SOLVE) or now + moved == 1 else 0
    solves = 1 if f.solve_per_turn == SolvePerTurn.MANY_SEQUENTIAL else unsolved
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
def nearest(s: Record, f: Record, suit: int, wanted: int, moved: int) -> int:
    """The shortest way on which so many more events of a suit can be placed: their numbers, the lowest first."""
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
def stuck(s: Record, f: Record) -> int:
    """1 if all stories are solved, no letter is left, and nothing can bring the pawns' days to what the end takes.

    A move changes their sum by whole rounds only, where pawns go as many days together as a week has. What else moves a
    black pawn is an event that is not discarded.
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
