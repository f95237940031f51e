"""The laws of play in journey18: what must hold in every state, and how many pieces are in use."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey18.moves import NONE, Law, Op, Result, SolvePerTurn, Step, Supply
from generator.games.journey18.pieces import stories_solved
from generator.games.journey18.score import points_now


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold, from 1."""
    law = pieces_lost(s, f)
    if law == 0 and s.drift != 0:
        law = Law.RESIDUE
    if law == 0 and overfull(s, f) == 1:
        law = Law.OVERFULL
    if law == 0 and s.over == 0:
        if s.nhand != f.hand + s.held + (f.draw if s.step == Step.CARD else 0):
            law = Law.HAND_SIZE
        elif choice_left(s, f) == 0:
            law = Law.NO_CHOICE
    if law == 0 and s.solves > 1 and f.solve_per_turn == SolvePerTurn.IS_1:
        law = Law.SOLVED_TWICE
    if law == 0 and s.result == Result.WON and within_bounds(s, f) == 0:
        law = Law.OUT_OF_BOUNDS
    return law


@kernel
def pieces_lost(s: Record, f: Record) -> int:
    """The first law that does not hold of those that count cards and letters. A deck that ran out may stop a draw."""
    if cards_apart(s, f) == 0:
        return Law.CARDS_LOST
    if letters_kept(s, f) == 0:
        return Law.LETTERS_LOST
    kept = 0 if f.tent == 1 else s.loops * f.loop_cost
    if s.result != Result.LOST and s.ndeck != f.events - f.hand - s.turn * f.draw - kept + s.adventures - s.held:
        return Law.DECK_COUNT
    if s.result != Result.LOST and s.nthrown != s.sevens + s.overflows + kept - s.adventures:
        return Law.DISCARD_COUNT
    return 0


@kernel
def overfull(s: Record, f: Record) -> int:
    """1 if a location holds more events than it has room for, or the last day any."""
    for day in range(f.days):
        if s.ncolumn[day] > f.room[s.place[day]]:
            return 1
    return 1 if s.ncolumn[f.last] > 0 else 0


@kernel
def cards_apart(s: Record, f: Record) -> int:
    """1 if every event lies in exactly one place."""
    seen = 0
    number = s.ndeck + s.nhand + s.nthrown
    for i in range(s.ndeck):
        seen |= 1 << s.deck[i]
    for i in range(s.nhand):
        seen |= 1 << s.hand[i]
    for card in range(f.events):
        if s.thrown[card] == 1:
            seen |= 1 << card
    if s.playing != NONE:
        seen |= 1 << s.playing
        number += 1
    for day in range(f.days):
        number += s.ncolumn[day]
        for i in range(day * f.rows, day * f.rows + s.ncolumn[day]):
            seen |= 1 << s.column[i]
    return 1 if number == f.events and seen == (1 << f.events) - 1 else 0


@kernel
def letters_kept(s: Record, f: Record) -> int:
    """1 if every letter is on its story, in hand or spent, and solved stories have none."""
    all_there = s.on_stories + s.letters + s.spent == f.letters
    return 1 if all_there and stories_solved(s, f) == f.letters - s.on_stories else 0


@kernel
def choice_left(s: Record, f: Record) -> int:
    """1 if the step that waits has something to choose; all others have a way to decline, or pawns that can move."""
    if s.step == Step.CARD or (s.step == Step.EFFECT and f.op[s.job][s.line] == Op.RETURN_CARDS):
        return 1 if s.nhand > 0 else 0
    return 1


@kernel
def within_bounds(s: Record, f: Record) -> int:
    """1 if a game that was won was not shorter, nor better, than any can be."""
    long = s.turn >= f.fewest_turns and s.loops >= f.fewest_loops
    return 1 if long and points_now(s, f) <= f.most_points else 0


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Events that have left the deck, letters that have left their stories."""
    taken[Supply.EVENTS] = f.events - s.ndeck
    taken[Supply.LETTERS] = f.letters - s.on_stories
