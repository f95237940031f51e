"""Kernels for what must hold in every state of journey18, for what the player can't see, and for what is in use."""

from generator.games.engine.kernel import Record, Row, kernel, shuffle, sort
from generator.games.journey18.play_codes import (
    CARD,
    EFFECT,
    EVENTS_SUPPLY,
    LETTERS_SUPPLY,
    LOST,
    NONE,
    RETURN_CARDS,
    WON,
)
from generator.games.journey18.play_grid import points_now

LAWS = (
    "C18-CONS-CARD",
    "C18-CONS-LETTER",
    "C18-DECK-ID",
    "C18-DISCARD-ID",
    "C18-MOD7",
    "C18-CAP",
    "C18-HAND-SIZE",
    "C18-LEGAL",
    "C18-ONE-SOLVE",
    "C18-BOUND",
)
"""The data's checks that games decide, in the order of `broken`."""


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold, from 1."""
    law = pieces_lost(s, f)
    if law == 0 and s.drift != 0:
        law = 5
    if law == 0 and overfull(s, f) == 1:
        law = 6
    if law == 0 and s.over == 0:
        if s.nhand != f.hand + s.held + (f.draw if s.step == CARD else 0):
            law = 7
        elif choice_left(s, f) == 0:
            law = 8
    if law == 0 and s.solves > 1 and f.solve_again == 0:
        law = 9
    if law == 0 and s.result == WON and within_bounds(s, f) == 0:
        law = 10
    return law


@kernel
def pieces_lost(s: Record, f: Record) -> int:
    """The first law that does not hold of those that count cards and letters. A deck that ran out may stop a draw."""
    if cards_apart(s, f) == 0:
        return 1
    if letters_kept(s, f) == 0:
        return 2
    kept = 0 if f.tent == 1 else s.loops * f.loop_cost
    if s.result != LOST and s.ndeck != f.events - f.hand - s.turn * f.draw - kept + s.adventures - s.held:
        return 3
    if s.result != LOST and s.nthrown != s.sevens + s.overflows + kept - s.adventures:
        return 4
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
    solved = 0
    for suit in range(f.suits):
        solved += (s.solved >> suit) & 1
    return 1 if s.on_stories + s.letters + s.spent == f.letters and solved == f.letters - s.on_stories else 0


@kernel
def choice_left(s: Record, f: Record) -> int:
    """1 if the step that waits has something to choose; all others have a way to decline, or pawns that can move."""
    if s.step == CARD or (s.step == EFFECT and f.op[s.job][s.line] == RETURN_CARDS):
        return 1 if s.nhand > 0 else 0
    return 1


@kernel
def within_bounds(s: Record, f: Record) -> int:
    """1 if a game that was won was not shorter, nor better, than any can be."""
    long = s.turn >= f.fewest_turns and s.loops >= f.fewest_loops
    return 1 if long and points_now(s, f) <= f.most_points else 0


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes the deck, but for the cards at both ends that the player has seen there."""
    start = s.known_bottom
    end = s.ndeck - s.known_top
    if end - start > 1:
        sort(s.deck, start, end)
        shuffle(s.rng, s.deck, start, end)


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Events that have left the deck, letters that have left their stories."""
    taken[EVENTS_SUPPLY] = f.events - s.ndeck
    taken[LETTERS_SUPPLY] = f.letters - s.on_stories
