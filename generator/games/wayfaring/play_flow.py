"""How a wayfaring game runs on between choices: what is declared is answered and resolved, phases and turns pass."""

from generator.games.engine.kernel import Record, kernel
from generator.games.wayfaring.play_codes import (
    ARGUMENT,
    AT_END_OF_TURN,
    AT_ONCE,
    CURSE,
    DECLINE,
    DISPLAY,
    DONE,
    DRAW,
    END_CURSES,
    END_HAND,
    END_REFILL,
    GO,
    ITEM_ABILITY,
    ITEM_CARD,
    ITEM_MOVE,
    ITEM_OWN,
    ITEM_PLACED,
    ITEM_RECRUIT,
    MAIN_1,
    MAIN_2,
    MOVE,
    MOVED,
    PASS,
    PLACE,
    PLAY,
    RECRUIT,
    SEAT_SHIFT,
    THEN_COMPANION,
    THEN_DISCARDED,
    THEN_ITEM,
    THEN_NOTHING,
    TROUBLE,
    USE,
    WAIT_ANSWER,
    WAIT_MAIN,
    WAIT_MOVE,
    WAIT_STEP,
)
from generator.games.wayfaring.play_effects import (
    change_marks,
    choose,
    join,
    push,
    push_ability,
    push_item,
    run_step,
    start_move,
)
from generator.games.wayfaring.play_end import faint, faint_empty, last_left, settle, stop
from generator.games.wayfaring.play_legal import is_asked
from generator.games.wayfaring.play_steps import payable, situation_holds
from generator.games.wayfaring.play_zones import (
    appear,
    draw,
    from_hand,
    into_area,
    lay_down,
    set_aside,
    shuffle_line,
    to_stack,
)

# Phases and turns


@kernel
def refill(s: Record, f: Record) -> None:
    """Characters appear until there are enough; by E24, advanced ones may be set aside and shuffled back."""
    aside = 0
    entry = appear(s, f) if s.shown < f.rule_refill else 0
    while entry > 0:
        if f.advanced_on_refill and f.advanced >> (entry - 1) & 1:
            set_aside(s, f, entry - 1)
            aside += 1
        entry = appear(s, f) if s.shown < f.rule_refill else 0
    if aside:
        shuffle_line(s, f)


@kernel
def begin_turn(s: Record, f: Record, seat: int) -> None:
    """The next turn, up to its Draw phase."""
    s.turn += 1
    s.turn_seat, s.seat = seat, seat
    s.stage, s.closing, s.turn_lost = DRAW, 0, 0
    s.placed, s.recruited, s.skip_main2 = 0, 0, 0
    s.drawn, s.reshuffled, s.nothing_drawn, s.joined = 0, 0, 0, 0
    for other in range(s.players):
        s.troubled[other] = 0
    s.used = 0 if f.ability_refresh else s.used & ~s.area[seat]


@kernel
def _next_turn(s: Record, f: Record) -> None:
    if s.turn >= f.rule_turns:
        stop(s, f)
        return
    seat = s.turn_seat
    searching = 1
    while searching:
        seat += 1
        if seat == s.players:
            seat = 0
            s.round += 1
        searching = s.out[seat]
    begin_turn(s, f, seat)


@kernel
def _draw_phase(s: Record, f: Record) -> None:
    s.stage = MAIN_1
    if s.turn > 1:
        for _ in range(f.rule_draw):
            s.drawn += draw(s, f, s.turn_seat)


@kernel
def _pass(s: Record, f: Record) -> None:
    """Once too often is fainting. Without a card ahead it is forced."""
    seat = s.turn_seat
    s.stage = MOVED
    if s.length[seat] == s.memories[seat] and f.forced_pass_counts == 0:
        return
    if s.marks[seat] < f.rule_passes:
        change_marks(s, f, seat, 1)
    else:
        faint(s, f, seat)
        last_left(s, 1 << seat)


@kernel
def _throw_away(s: Record, f: Record, number: int) -> None:
    """The turn player discards so many cards of his choice."""
    if number > 0:
        push(s, f.plain_discard, s.turn_seat, 0, THEN_NOTHING)
        s.frame_left[s.frames - 1] = number


@kernel
def _end_phase(s: Record, f: Record) -> None:
    """Its steps one by one: curses, the limit of hands, new characters."""
    seat = s.turn_seat
    if s.stage == END_CURSES:
        s.stage = END_HAND
        number = 0
        if s.cursed[seat]:
            for entry in range(f.area_cards):
                number += f.end_discard[entry] * (s.area[seat] >> entry & 1)
        _throw_away(s, f, number)
    elif s.stage == END_HAND:
        s.stage = END_REFILL
        if f.faint_check == AT_END_OF_TURN:
            faint_empty(s, f)
        if f.hand_limit > 0 and s.turn_lost == 0:
            _throw_away(s, f, s.held[seat] - f.hand_limit)
    else:
        if f.display_refill < 2:
            refill(s, f)
        _next_turn(s, f)


@kernel
def _ask_whether_done(s: Record, f: Record) -> int:
    """The turn player is done: do others intervene? 1 when one has to choose; the phase ends when all decline."""
    while s.closing < s.players:
        seat = (s.turn_seat + s.closing) % s.players
        s.closing += 1
        if is_asked(s, f, seat):
            s.seat, s.wait = seat, WAIT_ANSWER
            return 1
    s.closing = 0
    s.stage += 1
    return 0


@kernel
def _next_phase(s: Record, f: Record) -> int:
    """Goes on when nothing is pending: 1 when somebody has to choose."""
    settle(s, f)
    if s.over:
        return 0
    stage = s.stage
    if s.turn_lost:
        _next_turn(s, f)
    elif stage in (MAIN_1, MAIN_2):
        if s.closing:
            return _ask_whether_done(s, f)
        s.seat, s.wait = s.turn_seat, WAIT_MAIN
        return 1
    elif stage == DRAW:
        _draw_phase(s, f)
    elif stage == MOVE:
        s.seat, s.wait = s.turn_seat, WAIT_MOVE
        if s.length[s.seat] > s.memories[s.seat]:
            return 1
        _pass(s, f)
    elif stage == MOVED:
        s.stage = END_CURSES if s.skip_main2 else MAIN_2
    else:
        _end_phase(s, f)
    return 0


# What is declared


@kernel
def _recruit(s: Record, f: Record, seat: int, card: int) -> None:
    """The character that was chosen joins, if still on display; a deed has to be done first."""
    entry = card - f.first_area
    if s.at[card] != DISPLAY:
        return
    deed, situation = f.deed[entry], f.situation[entry]
    if f.recheck_situation and situation and deed == 0 and situation_holds(s, f, seat, entry) == 0:
        return
    if deed == 0:
        join(s, f, seat, entry)
        s.recruited += 1
    elif f.deed_payment or payable(s, f, seat, deed):
        push(s, deed, seat, card, THEN_COMPANION)


@kernel
def _resolve(s: Record, f: Record) -> None:
    """Nobody answers any more: the item on top leaves the stack and takes effect."""
    top = s.items - 1
    what, card, seat = s.item_what[top], s.item_card[top], s.item_seat[top]
    s.items, s.asked = top, 0
    if what == ITEM_RECRUIT:
        _recruit(s, f, seat, card)
    elif what == ITEM_CARD:
        push(s, f.effect[f.design[card]], seat, card, THEN_DISCARDED)
    elif what in (ITEM_ABILITY, ITEM_OWN):
        push(s, f.ability[card - f.first_area], seat, card, THEN_NOTHING)
    elif what == ITEM_MOVE and s.length[seat] > s.memories[seat]:
        s.stage = MOVED
        start_move(s, f, seat)


@kernel
def _ask_about_item(s: Record, f: Record) -> int:
    """Does anybody answer the item on top? 1 when a seat has to choose; it is resolved when all decline."""
    first = s.turn_seat if f.intervention_order else s.item_seat[s.items - 1] + 1
    while s.asked < s.players:
        seat = (first + s.asked) % s.players
        s.asked += 1
        if is_asked(s, f, seat):
            s.seat, s.wait = seat, WAIT_ANSWER
            return 1
    _resolve(s, f)
    return 0


@kernel
def advance(s: Record, f: Record) -> None:
    """Runs on to the next choice, or to the end."""
    waiting = 0
    while waiting == 0 and s.over == 0:
        if f.faint_check == AT_ONCE:
            faint_empty(s, f)
        if f.display_refill == 1 and s.shown < f.rule_refill:
            refill(s, f)
        if s.over == 0:
            if s.frames > 0:
                waiting = run_step(s, f)
            elif s.items > 0:
                waiting = _ask_about_item(s, f)
            else:
                waiting = _next_phase(s, f)


@kernel
def _put_down(s: Record, f: Record, seat: int, kind: int, what: int) -> None:
    """Actions ①, ② and ④."""
    if kind == PLACE:
        lay_down(s, f, seat, from_hand(s, f, seat, what), seat)
        s.placed += 1
    elif kind == TROUBLE:
        other = what >> SEAT_SHIFT
        lay_down(s, f, other, from_hand(s, f, seat, what & ((1 << SEAT_SHIFT) - 1)), seat)
        s.troubled[other] += 1
    else:
        into_area(s, f, seat, from_hand(s, f, seat, what) - f.first_area)
    if f.answers_placement:
        push_item(s, ITEM_PLACED, 0, seat, 1)


@kernel
def _declare(s: Record, f: Record, seat: int, kind: int, what: int) -> None:
    """Actions ③, ⑤, ⑥ and ⑦."""
    if kind == RECRUIT:
        push_item(s, ITEM_RECRUIT, f.first_area + what, seat, f.answers_recruit)
    elif kind == PLAY:
        card = from_hand(s, f, seat, what)
        to_stack(s, card)
        push_item(s, ITEM_CARD, card, seat, f.answers_intervention * (1 - f.intervention_resolution))
    elif kind == USE:
        s.used |= 1 << what
        card = f.first_area + what
        if f.cost[what] > 0:
            push(s, f.cost[what], seat, card, THEN_ITEM)
        else:
            push_ability(s, f, seat, card)


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carries out a choice and runs on to the next."""
    if s.wait == WAIT_STEP:
        choose(s, f, move)
    elif move == DONE:
        s.closing = 1 if f.answers_main_done else s.players
    elif move == PASS:
        _pass(s, f)
    elif move == GO:
        if f.answers_move:
            push_item(s, ITEM_MOVE, 0, s.seat, 1)
        else:
            s.stage = MOVED
            start_move(s, f, s.seat)
    elif move != DECLINE:
        what = move & ARGUMENT
        kind = move - what
        if kind in (PLACE, TROUBLE, CURSE):
            _put_down(s, f, s.seat, kind, what)
        else:
            if s.items == 0:
                s.closing = 0
            _declare(s, f, s.seat, kind, what)
    advance(s, f)
