"""Fortuna's turns as kernels: set-up, drawing, discarding and the Wheel of Fortune, from one turn to the next."""

from generator.games.engine.kernel import Record, kernel, shuffle
from generator.games.fortuna.play_codes import (
    AT_ACTION,
    AT_DECLARE,
    AT_DISCARD,
    AT_DRAW,
    AT_END,
    AT_FROM,
    EMPTY_HAND,
    FAILED_DRAW,
    FINISH_TURN,
    IMMEDIATE,
    NOTHING_TO_DRAW,
    PASSED,
)


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deals a new game and draws for its first turn."""
    deal(s, f)
    next_turn(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffles, deals and splits off the End pile."""
    for card in range(f.cards):
        s.main[card] = card
    shuffle(s.rng, s.main, 0, f.cards)
    s.main_n = f.cards
    for seat in range(s.players):
        for _ in range(f.hand):
            put_in_hand(s, f, seat, off_main(s))
    s.end_n = f.end_pile
    for place in range(f.end_pile):
        s.end[f.end_pile - 1 - place] = off_main(s)


@kernel
def off_main(s: Record) -> int:
    """Takes the top card of the main deck."""
    s.main_n -= 1
    card: int = s.main[s.main_n]
    s.main[s.main_n] = 0
    return card


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """A card comes to its place in an ascending hand."""
    start = seat * f.width
    at = start + s.hand_n[seat]
    while at > start and s.hand[at - 1] > card:
        s.hand[at] = s.hand[at - 1]
        at -= 1
    s.hand[at] = card
    s.hand_n[seat] += 1


@kernel
def out_of_hand(s: Record, f: Record, card: int) -> None:
    """A card leaves the hand of the seat whose turn it is."""
    at = s.seat * f.width
    s.hand_n[s.seat] -= 1
    end = at + s.hand_n[s.seat]
    while s.hand[at] != card:
        at += 1
    while at < end:
        s.hand[at] = s.hand[at + 1]
        at += 1
    s.hand[end] = 0


@kernel
def draw(s: Record, f: Record) -> int:
    """One card from the main deck, else from the End pile, for the seat whose turn it is; 0 if there is none."""
    if s.main_n > 0:
        put_in_hand(s, f, s.seat, off_main(s))
        return 1
    if s.end_n == 0:
        s.short[0] += 1
        return 0
    s.end_n -= 1
    put_in_hand(s, f, s.seat, s.end[s.end_n])
    s.end[s.end_n] = 0
    if s.trigger == 0:
        s.trigger = s.turn
        s.by_refill = 0 if s.phase == AT_DRAW else 1
    if s.trigger == s.turn:
        s.first_end += 1
    return 1


@kernel
def cut_short(s: Record, f: Record) -> int:
    """1 if the End pile has run out and that ends the game on the spot."""
    return 1 if f.exhausted == IMMEDIATE and s.trigger > 0 and s.end_n == 0 else 0


@kernel
def end_game(s: Record) -> None:
    """The game is over after a whole turn."""
    s.over = 1
    s.phase = AT_END


@kernel
def next_turn(s: Record, f: Record) -> None:
    """Ends the game, or begins the turn of the next seat that has something to do, with its draw."""
    while s.over == 0:
        if s.trigger > 0 and (s.turn % s.players == 0 or (s.end_n == 0 and f.exhausted == FINISH_TURN)):
            end_game(s)
            return
        s.seat = s.turn % s.players
        s.turn += 1
        s.phase = AT_DRAW
        s.before[s.seat] = s.hand_n[s.seat]
        if s.trigger == 0 or f.draw_late:
            for _ in range(f.draw):
                if draw(s, f) == 0:
                    s.over = 1
                    if f.exhausted != FAILED_DRAW and s.hole == 0:
                        s.hole = NOTHING_TO_DRAW
                    return
                if cut_short(s, f):
                    s.over = 1
                    return
        s.phase = AT_ACTION
        if s.hand_n[s.seat] > 0:
            return
        if s.hole == 0:
            s.hole = EMPTY_HAND


@kernel
def discard(s: Record, f: Record, card: int) -> None:
    """A hand card goes to the discards."""
    out_of_hand(s, f, card)
    if f.declared:
        s.held = card + 1
        s.phase = AT_DECLARE
    else:
        put_on_pile(s, f, card, f.number[card])


@kernel
def put_on_pile(s: Record, f: Record, card: int, pile: int) -> None:
    """A discard arrives on its pile, where it may turn the Wheel of Fortune."""
    s.under[card] = s.top[pile]
    s.top[pile] = card + 1
    s.count[pile] += 1
    s.discards += 1
    s.left -= 1
    s.pile = pile
    s.wheeled = 0
    total = pile + s.count[pile]
    if (
        (total == f.wheel_total or (f.at_least and total > f.wheel_total))
        and (f.any_discard or s.kind == PASSED)
        and s.discards > s.count[pile]
    ):
        s.wheeled = 1
        s.phase = AT_FROM
    else:
        go_on_discarding(s, f)


@kernel
def go_on_discarding(s: Record, f: Record) -> None:
    """The next discard that is due, or else the next turn."""
    if s.left > 0 and s.hand_n[s.seat] > 0:
        s.phase = AT_DISCARD
    else:
        s.left = 0
        next_turn(s, f)


@kernel
def turn_wheel(s: Record, f: Record, amount: int) -> None:
    """The top cards of the source go to the target as they lie; from now on they count there."""
    top = s.top[s.source]
    lowest = top - 1
    for _ in range(amount - 1):
        lowest = s.under[lowest] - 1
    s.top[s.source] = s.under[lowest]
    s.under[lowest] = s.top[s.target]
    s.top[s.target] = top
    s.count[s.source] -= amount
    s.count[s.target] += amount
    s.source = 0
    s.target = 0
    go_on_discarding(s, f)
