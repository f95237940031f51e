"""How wayfaring's effects are carried out, step by step, and what is declared before they are."""

from generator.games.engine.kernel import Record, kernel
from generator.games.wayfaring.play_codes import (
    ARGUMENT,
    BURY,
    BY_MEMORIES,
    BY_RECALL,
    DISMISS,
    DISPLAY,
    END,
    GO,
    ITEM_ABILITY,
    ITEM_CARD,
    ITEM_OWN,
    JOIN,
    LAST_AT_ONCE,
    LEAVE,
    OP_APPEAR,
    OP_DISCARD,
    OP_DISMISS,
    OP_FATIGUE,
    OP_JOIN,
    OP_LEAVE,
    OP_MARK,
    OP_MOVE,
    OP_NEGATE,
    OP_PLACE,
    OP_RECALL,
    OP_RECOVER,
    OP_SKIP_MAIN2,
    OP_VITALITY,
    RECALL,
    SET,
    SKIP,
    STACK,
    TAKE,
    TARGET,
    THEN_ARRIVED,
    THEN_COMPANION,
    THEN_DISCARDED,
    THEN_ITEM,
    THROW,
    WAIT_STEP,
)
from generator.games.wayfaring.play_end import has_won, needed, win
from generator.games.wayfaring.play_steps import (
    destinations_held,
    gains,
    joinable,
    others_with_cards,
    paths_ahead,
    recoverable,
)
from generator.games.wayfaring.play_zones import (
    appear,
    bury,
    discard,
    draw,
    from_discards,
    from_hand,
    into_area,
    lay_down,
    lay_past,
    off_display,
    out_of_area,
    to_hand,
    turn_up,
    under_line,
)

# What is being carried out, and what waits for answers


@kernel
def push(s: Record, step: int, seat: int, card: int, then: int) -> None:
    """Begins with an effect, cost or deed."""
    top = s.frames
    s.frame_step[top], s.frame_left[top] = step, -1
    s.frame_seat[top], s.frame_whom[top] = seat, seat
    s.frame_card[top], s.frame_then[top] = card, then
    s.frames = top + 1


@kernel
def push_item(s: Record, what: int, card: int, seat: int, answers: int) -> None:
    """Something is declared; `answers` says whether others may answer it."""
    top = s.items
    s.item_what[top], s.item_card[top], s.item_seat[top] = what, card, seat
    s.items = top + 1
    s.asked = 0 if answers else s.players


@kernel
def push_ability(s: Record, f: Record, seat: int, card: int) -> None:
    """An ability whose cost is paid: one of timing Intervention can be answered, by E20 perhaps the other too."""
    if f.intervene >> (card - f.first_area) & 1:
        push_item(s, ITEM_ABILITY, card, seat, f.answers_intervention * (1 - f.intervention_resolution))
    else:
        push_item(s, ITEM_OWN, card, seat, f.answers_own_turn_ability)


@kernel
def start_move(s: Record, f: Record, seat: int) -> None:
    """Turns up the next card of a path, whose effect is then carried out."""
    card = turn_up(s, f, seat)
    push(s, f.effect[f.design[card]], seat, card, THEN_ARRIVED)


@kernel
def join(s: Record, f: Record, seat: int, entry: int) -> None:
    """A character on display becomes a companion."""
    off_display(s, f, entry)
    into_area(s, f, seat, entry)
    s.joined |= 1 << entry


@kernel
def _finish(s: Record, f: Record) -> None:
    """All steps of the effect on top are done: what follows from it."""
    top = s.frames - 1
    s.frames = top
    seat, card, then = s.frame_seat[top], s.frame_card[top], s.frame_then[top]
    if then == THEN_ITEM:
        push_ability(s, f, seat, card)
    elif then == THEN_COMPANION:
        if s.at[card] == DISPLAY:
            join(s, f, seat, card - f.first_area)
            s.recruited += 1
    elif then == THEN_DISCARDED:
        if s.at[card] == STACK:
            discard(s, f, card)
    elif then == THEN_ARRIVED and has_won(s, f, seat):
        win(s, 1 << seat, BY_MEMORIES)


# Steps that need no choice


@kernel
def change_marks(s: Record, f: Record, seat: int, change: int) -> None:
    """Pass markers by an effect: nobody ends up with more than allowed, nor with fewer than none."""
    s.marks[seat] = min(max(s.marks[seat] + change, 0), f.rule_passes)
    lying = 0
    for other in range(s.players):
        lying += s.marks[other]
    if lying > f.markers:
        s.short[0] += 1


@kernel
def _vitality(s: Record, f: Record, seat: int, step: int) -> None:
    if f.other[step] == 0:
        if gains(s, f, seat):
            for _ in range(f.times[step]):
                draw(s, f, seat)
        return
    for turn in range(1, s.players):
        other = (seat + turn) % s.players
        if s.out[other] == 0 and gains(s, f, other):
            for _ in range(f.times[step]):
                draw(s, f, other)


@kernel
def _negate(s: Record, f: Record) -> None:
    """The intervention directly beneath leaves the stack without effect."""
    if s.items == 0:
        return
    top = s.items - 1
    what = s.item_what[top]
    if what in (ITEM_CARD, ITEM_ABILITY):
        s.items, s.asked = top, 0
        if what == ITEM_CARD:
            discard(s, f, s.item_card[top])


@kernel
def _at_once(s: Record, f: Record, seat: int, step: int, op: int) -> None:
    if op == OP_VITALITY:
        _vitality(s, f, seat, step)
    elif op == OP_MARK:
        change_marks(s, f, seat, f.times[step])
    elif op == OP_APPEAR:
        for _ in range(f.times[step]):
            appear(s, f)
    elif op == OP_NEGATE:
        _negate(s, f)
    elif op == OP_SKIP_MAIN2:
        s.skip_main2 = 1


# Steps with choices


@kernel
def _hand_options(s: Record, f: Record, top: int, step: int, op: int) -> int:
    """Cards to discard or to place: asks for a kind of cards, and answers which of them are in hand."""
    whom = s.frame_whom[top]
    s.seat = whom
    if op == OP_PLACE:
        s.kind, s.optional, s.options = SET, 1, f.destination_designs
        if f.faint_by_own_action and s.held[whom] == 1:
            return 0
        return s.hand[whom] & f.destination_designs  # type: ignore[no-any-return]
    s.kind, s.options = THROW, f.destination_designs if f.destination[step] else -1
    found: int = s.hand[whom] & s.options
    matching = destinations_held(s, f, whom) if f.destination[step] else s.held[whom]
    return found & -found if matching <= s.frame_left[top] else found


@kernel
def _open_options(s: Record, f: Record, top: int, step: int, op: int, seat: int) -> int:
    """Characters, discards and paths to choose from: answers them as bits."""
    if op == OP_DISMISS:
        s.kind, s.options = DISMISS, s.display
    elif op == OP_RECOVER:
        card = s.frame_card[top]
        design = f.design[card] if card < f.deck_cards else -1
        s.kind, s.options = TAKE, recoverable(s, f, step, design)
    elif op == OP_JOIN:
        s.kind, s.options = JOIN, joinable(s, f, seat)
    elif op == OP_LEAVE:
        s.kind, s.options = LEAVE, s.area[seat] & f.characters
    elif op == OP_RECALL:
        s.kind, s.options = RECALL, s.discards & f.destination_designs
    else:
        ahead = paths_ahead(s)
        s.kind, s.options = BURY, ahead if f.other[step] else ahead & 1 << seat
    return s.options  # type: ignore[no-any-return]


@kernel
def _options(s: Record, f: Record, top: int, step: int, op: int, seat: int) -> int:
    """What there is to choose from now, as bits; the state remembers what is asked, and whom."""
    s.seat, s.optional = seat, 0
    if op in (OP_FATIGUE, OP_DISCARD, OP_PLACE):
        if s.frame_whom[top] < 0:
            s.kind, s.options = TARGET, others_with_cards(s, seat)
            return s.options  # type: ignore[no-any-return]
        return _hand_options(s, f, top, step, op)
    if op == OP_MOVE:
        s.kind, s.optional, s.options = GO, 1, 0
        return 1 if s.length[seat] > s.memories[seat] else 0
    return _open_options(s, f, top, step, op, seat)


@kernel
def run_step(s: Record, f: Record) -> int:
    """Goes on with the effect on top: 1 when somebody has to choose."""
    top = s.frames - 1
    step = s.frame_step[top]
    op = f.op[step]
    if op == END:
        _finish(s, f)
        return 0
    seat = s.frame_seat[top]
    if s.frame_left[top] < 0:
        kind = f.kind[step]
        works = kind == 0 or s.area[seat] & f.of_kind[kind] != 0
        if works and op > LAST_AT_ONCE:
            s.frame_left[top] = f.times[step]
            s.frame_whom[top] = -1 if op == OP_FATIGUE and f.other[step] else seat
        else:
            s.frame_step[top] = step + 1
            if works:
                _at_once(s, f, seat, step, op)
            return 0
    options = _options(s, f, top, step, op, seat) if s.frame_left[top] > 0 else 0
    if options == 0:
        s.frame_step[top], s.frame_left[top] = step + 1, -1
        return 0
    if s.optional == 0 and options & (options - 1) == 0:
        choose(s, f, s.kind + f.bit[options % 67])
        return 0
    s.wait = WAIT_STEP
    return 1


@kernel
def choose(s: Record, f: Record, move: int) -> None:
    """Carries out a choice in the effect on top."""
    top = s.frames - 1
    seat, whom = s.frame_seat[top], s.frame_whom[top]
    what = move & ARGUMENT
    kind = move - what
    s.frame_left[top] -= 1
    if move == SKIP:
        s.frame_left[top] = 0
    elif move == GO:
        start_move(s, f, seat)
    elif kind == THROW:
        discard(s, f, from_hand(s, f, whom, what))
    elif kind == SET:
        lay_down(s, f, seat, from_hand(s, f, seat, what), seat)
    elif kind == TAKE:
        to_hand(s, f, seat, from_discards(s, f, what))
    elif kind == BURY:
        bury(s, f, what)
    elif kind == TARGET:
        s.frame_whom[top] = what
        s.frame_left[top] += 1
    elif kind == RECALL:
        lay_past(s, f, seat, from_discards(s, f, what))
        if s.memories[seat] >= needed(s, f, seat) and (f.instant_win == 0 or s.held[seat] > 0):
            win(s, 1 << seat, BY_RECALL)
    else:
        _choose_character(s, f, seat, kind, what)


@kernel
def _choose_character(s: Record, f: Record, seat: int, kind: int, entry: int) -> None:
    if kind == JOIN:
        join(s, f, seat, entry)
    elif kind == DISMISS:
        off_display(s, f, entry)
        under_line(s, f, entry)
    else:
        out_of_area(s, f, seat, entry)
        under_line(s, f, entry)
