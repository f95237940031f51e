"""Fortuna's turns as kernels: set-up, drawing, playing a set, discarding and the Wheel of Fortune."""

from generator.games.engine.kernel import Record, chances, kernel, shuffle
from generator.games.fortuna.effects import (
    all_in,
    begin_set,
    choose_on,
    fill_on,
    full_size,
    lay,
    out_of_hand,
    put_in_hand,
    turn_down,
)
from generator.games.fortuna.moves import (
    Chance,
    DiscardKey,
    EndPileExhausted,
    Gap,
    Move,
    Phase,
    RefillCounts,
    RefillInProgress,
    Use,
    WheelCondition,
    WheelTrigger,
)
from generator.games.fortuna.score import best_icon


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
    shuffle(chances(s.rng, Chance.DECK), s.main, 0, f.cards)
    s.main_n = f.cards
    for seat in range(s.players):
        for _ in range(f.hand):
            put_in_hand(s, f, seat, off_main(s))
    s.end_n = f.end_pile
    for place in range(f.end_pile):
        s.end[f.end_pile - 1 - place] = off_main(s)


@kernel
def next_turn(s: Record, f: Record) -> None:
    """Ends the game, or begins the turn of the next seat that has something to do, with its draw."""
    while s.over == 0:
        if s.trigger > 0 and (
            s.turn % s.players == 0 or (s.end_n == 0 and f.end_pile_exhausted == EndPileExhausted.FINISH_TURN)
        ):
            end_game(s)
            return
        s.seat = s.turn % s.players
        s.turn += 1
        s.phase = Phase.DRAW
        s.before[s.seat] = s.hand_n[s.seat]
        if s.trigger == 0 or f.turn_draw_after_trigger:
            for _ in range(f.draw):
                if draw(s, f) == 0:
                    s.over = 1
                    if f.end_pile_exhausted != EndPileExhausted.ON_FAILED_DRAW and s.hole == 0:
                        s.hole = Gap.NOTHING_TO_DRAW
                    return
                if cut_short(s, f):
                    s.over = 1
                    return
        s.phase = Phase.ACTION
        if s.hand_n[s.seat] > 0:
            return
        if s.hole == 0:
            s.hole = Gap.EMPTY_HAND


@kernel
def off_main(s: Record) -> int:
    """Takes the top card of the main deck."""
    s.main_n -= 1
    card: int = s.main[s.main_n]
    s.main[s.main_n] = 0
    return card


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
        s.by_refill = 0 if s.phase == Phase.DRAW else 1
    if s.trigger == s.turn:
        s.first_end += 1
    return 1


@kernel
def cut_short(s: Record, f: Record) -> int:
    """1 if the End pile has run out and that ends the game on the spot."""
    return 1 if f.end_pile_exhausted == EndPileExhausted.IMMEDIATE and s.trigger > 0 and s.end_n == 0 else 0


@kernel
def end_game(s: Record) -> None:
    """The game is over after a whole turn."""
    s.over = 1
    s.phase = Phase.END


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carries out a move and all that follows up to the next choice."""
    if move < Move.PLAY:
        s.kind = Use.PASSED
        s.left = f.pass_discard
        discard(s, f, move - Move.PASS)
    elif move < Move.ALL_IN:
        begin_set(s, f, move - Move.PLAY)
        pick_cards(s, f)
    elif move < Move.CARD:
        all_in(s, f, move - Move.ALL_IN)
        fill_up(s, f)
    elif move < Move.DISCARD:
        apply_card(s, f, move)
    elif move < Move.DECLARE:
        discard(s, f, move - Move.DISCARD)
    elif move < Move.FILL:
        card = s.held - 1
        s.held = 0
        put_on_pile(s, f, card, move - Move.DECLARE)
    elif move < Move.STAY:
        s.least = move - Move.FILL
        turn_down(s, f, s.least, 0)
        fill_up(s, f)
    else:
        apply_wheel(s, f, move)


@kernel
def apply_card(s: Record, f: Record, move: int) -> None:
    """A card joins the set, or a set of 0 is closed."""
    if move < Move.DONE:
        lay(s, f, move - Move.CARD)
    else:
        s.last = f.cards
    pick_cards(s, f)


@kernel
def pick_cards(s: Record, f: Record) -> None:
    """On with a set whose cards are being picked, and with what follows once it is complete."""
    if choose_on(s, f):
        finish_set(s, f, s.used)


@kernel
def fill_up(s: Record, f: Record) -> None:
    """The same of an All-in set that discards fill up."""
    if fill_on(s, f):
        finish_set(s, f, full_size(s, f))


@kernel
def apply_wheel(s: Record, f: Record, move: int) -> None:
    """A step of the Wheel of Fortune: from where, where to, how many."""
    if move == Move.STAY:
        go_on_discarding(s, f)
    elif move < Move.TO:
        s.source = move - Move.FROM
        s.phase = Phase.TO
    elif move < Move.AMOUNT:
        s.target = move - Move.TO
        if s.count[s.source] == 1:
            turn_wheel(s, f, 1)
        else:
            s.phase = Phase.AMOUNT
    else:
        turn_wheel(s, f, move - Move.AMOUNT)


@kernel
def finish_set(s: Record, f: Record, size: int) -> None:
    """A set is complete: its points stand, a one-card set costs a discard, any other is refilled."""
    s.points[s.seat] += size * best_icon(f, s.tally)
    s.size = size
    s.last = 0
    s.set_number = 0
    s.tally = 0
    s.closed = 1 if s.trigger > 0 else 0
    if size == 1:
        s.left = f.one_card_discard if s.trigger == 0 or f.one_card_discard_after_trigger else 0
        go_on_discarding(s, f)
    else:
        if s.trigger == 0:
            refill(s, f, (size if f.refill_counts == RefillCounts.SET_SIZE else s.used) - f.refill_minus)
        if s.over == 0:
            next_turn(s, f)


@kernel
def refill(s: Record, f: Record, number: int) -> None:
    """Draws after a play; the game may end in the middle of it."""
    s.phase = Phase.REFILL
    for _ in range(number):
        if draw(s, f) == 0:
            s.over = 1 if f.end_pile_exhausted == EndPileExhausted.ON_FAILED_DRAW else 0
            return
        if cut_short(s, f):
            s.over = 1
            return
        if f.refill_in_progress == RefillInProgress.STOP and s.trigger > 0:
            return


@kernel
def discard(s: Record, f: Record, card: int) -> None:
    """A hand card goes to the discards."""
    out_of_hand(s, f, card)
    if f.discard_key == DiscardKey.DECLARED:
        s.held = card + 1
        s.phase = Phase.DECLARE
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
        (total == f.wheel_total or (f.wheel_condition == WheelCondition.AT_LEAST and total > f.wheel_total))
        and (f.wheel_trigger == WheelTrigger.ANY_DISCARD or s.kind == Use.PASSED)
        and s.discards > s.count[pile]
    ):
        s.wheeled = 1
        s.phase = Phase.FROM
    else:
        go_on_discarding(s, f)


@kernel
def go_on_discarding(s: Record, f: Record) -> None:
    """The next discard that is due, or else the next turn."""
    if s.left > 0 and s.hand_n[s.seat] > 0:
        s.phase = Phase.DISCARD
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
