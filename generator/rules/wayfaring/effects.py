"""The effects of The Wayfaring Book, and how players win, faint, rest and drop out."""

from generator.rules.engine.kernel import Record, kernel
from generator.rules.wayfaring.pieces import (
    can_gain,
    destinations_held,
    discard_card,
    draw_card,
    find_joinable,
    find_recoverable,
    lay_down,
    lay_past,
    others_with_cards,
    paths_ahead,
    put_in_area,
    put_in_hand,
    put_under_deck,
    put_under_line,
    show_character,
    take_from_area,
    take_from_discards,
    take_from_hand,
    take_off_display,
    take_off_path,
    turn_up,
)
from generator.rules.wayfaring.state import ARGUMENT, Ending, Item, Move, Op, Out, Then, Wait, Zone


@kernel
def count_needed(s: Record, f: Record, seat: int) -> int:
    """Return the number of memories with which a seat wins."""
    number: int = f.rule_memories
    if s.cursed[seat]:
        for entry in range(f.area_cards):
            if s.area[seat] >> entry & 1:
                number += f.need_more[entry]
    return number


@kernel
def has_won(s: Record, f: Record, seat: int) -> int:
    """Return True if a seat has enough memories and a card in hand."""
    if s.memories[seat] < f.rule_memories or s.held[seat] == 0:
        return 0
    return 1 if s.memories[seat] >= count_needed(s, f, seat) else 0


@kernel
def end_with_winners(s: Record, winners: int, ending: int) -> None:
    """End the game with these winners; pending effects are dropped."""
    if s.over == 0:
        s.over, s.winners, s.ending = 1, winners, ending


# Dropping out


@kernel
def drop_pending(s: Record, f: Record, seat: int) -> None:
    """Remove a seat's declared items and present effects from the stack without effect."""
    if s.frames > 0 and s.frame_seat[0] == seat:
        for top in range(s.frames):
            if s.frame_then[top] == Then.DISCARDED and s.at[s.frame_card[top]] == Zone.STACK:
                discard_card(s, f, s.frame_card[top])
        s.frames = 0
    kept = 0
    for item in range(s.items):
        if s.item_seat[item] != seat:
            s.item_what[kept] = s.item_what[item]
            s.item_card[kept] = s.item_card[item]
            s.item_seat[kept] = s.item_seat[item]
            kept += 1
        elif s.item_what[item] == Item.CARD:
            discard_card(s, f, s.item_card[item])
    if kept < s.items:
        s.items, s.asked = kept, 0


@kernel
def _dispose_cards(s: Record, f: Record, seat: int) -> None:
    """Put all cards of a seat that drops out into the place that E10 says."""
    for card in range(f.deck_cards):
        if s.at[card] == Zone.HAND + seat:
            discard_card(s, f, card)
    s.hand[seat], s.held[seat] = 0, 0
    start = seat * f.deck_cards
    for place in range(start, start + s.length[seat]):
        card = s.path[place]
        if s.at[card] == Zone.UP + seat:
            discard_card(s, f, card)
        else:
            put_under_deck(s, f, card)
        s.path[place], s.by[place] = 0, 0
    s.length[seat], s.memories[seat] = 0, 0
    for terrain in range(f.terrains):
        s.seen[seat * f.terrains + terrain] = 0
    for entry in range(f.area_cards):
        if s.at[f.first_area + entry] == Zone.AREA + seat:
            take_from_area(s, f, seat, entry)
            if f.characters >> entry & 1:
                put_under_line(s, f, entry)
            else:
                discard_card(s, f, f.first_area + entry)


@kernel
def faint_seat(s: Record, f: Record, seat: int) -> None:
    """Make a seat faint, for its empty hand or a pass; the turn player loses the turn."""
    drop_pending(s, f, seat)
    if seat == s.turn_seat:
        s.turn_lost = 1
    if f.fainting_rest:
        # Carry out the alternative to dropping out (E54).
        s.rested[seat] += 1
        found = 1
        while s.held[seat] < f.rest_hand and found:
            found = draw_card(s, f, seat)
        for _ in range(f.rest_memories):
            if s.memories[seat] > 0:
                discard_card(s, f, take_off_path(s, f, seat, s.memories[seat] - 1))
        if s.held[seat] > 0:
            s.marks[seat] = 0
            return
    s.out[seat], s.out_turn[seat] = Out.EMPTY_HAND if s.held[seat] == 0 else Out.PASSED, s.turn
    s.out_marks[seat], s.out_hand[seat], s.out_memories[seat] = s.marks[seat], s.held[seat], s.memories[seat]
    s.marks[seat] = 0
    if f.elimination_cards_dispose:
        _dispose_cards(s, f, seat)


@kernel
def end_with_last_seat(s: Record, fainted: int) -> None:
    """End the game if at most one seat is left; without any, most memories of those who fainted together win (E55)."""
    left = number = best = winners = 0
    for seat in range(s.players):
        if s.out[seat] == 0:
            left |= 1 << seat
            number += 1
        elif fainted >> seat & 1:
            if s.out_memories[seat] > best or winners == 0:
                best, winners = s.out_memories[seat], 0
            if s.out_memories[seat] == best:
                winners |= 1 << seat
    if number == 1:
        end_with_winners(s, left, Ending.LASTING)
    elif number == 0:
        end_with_winners(s, winners, Ending.FAINTING_LAST)


@kernel
def faint_empty_hands(s: Record, f: Record) -> int:
    """Make all seats with an empty hand faint together; return them as bits."""
    fainted = 0
    for seat in range(s.players):
        if s.held[seat] == 0 and s.out[seat] == 0:
            fainted |= 1 << seat
    if fainted:
        for step in range(s.players):
            seat = (s.turn_seat + step) % s.players
            if fainted >> seat & 1:
                faint_seat(s, f, seat)
        end_with_last_seat(s, fainted)
    return fainted


@kernel
def settle_seats(s: Record, f: Record) -> None:
    """Make empty hands faint, then look for a winner, when nothing is pending."""
    if not f.faint_check_end_of_turn:
        faint_empty_hands(s, f)
    if s.over:
        return
    for seat in range(s.players):
        if s.memories[seat] >= f.rule_memories:
            # End the game with a winner: the turn player if possible, else the next in turn.
            for step in range(s.turn_seat, s.turn_seat + s.players):
                winner = step % s.players
                if s.out[winner] == 0 and has_won(s, f, winner):
                    end_with_winners(s, 1 << winner, Ending.MEMORIES)


# What is being carried out, and what waits for answers


@kernel
def push_effect(s: Record, step: int, seat: int, card: int, then: int) -> None:
    """Begin an effect, cost or deed."""
    top = s.frames
    s.frame_step[top], s.frame_left[top] = step, -1
    s.frame_seat[top], s.frame_whom[top] = seat, seat
    s.frame_card[top], s.frame_then[top] = card, then
    s.frames = top + 1


@kernel
def push_item(s: Record, what: int, card: int, seat: int, answers: int) -> None:
    """Declare an item; `answers` is true if others may answer it."""
    top = s.items
    s.item_what[top], s.item_card[top], s.item_seat[top] = what, card, seat
    s.items = top + 1
    s.asked = 0 if answers else s.players


@kernel
def push_ability(s: Record, f: Record, seat: int, card: int) -> None:
    """Declare an ability after paying its cost; only timing Intervention can be answered, or also the other by E20."""
    if f.intervene >> (card - f.first_area) & 1:
        push_item(s, Item.ABILITY, card, seat, f.answers_intervention)
    else:
        push_item(s, Item.OWN, card, seat, f.answers_own_turn_ability)


@kernel
def start_move(s: Record, f: Record, seat: int) -> None:
    """Turn up the next card of a path and begin its effect."""
    card = turn_up(s, f, seat)
    push_effect(s, f.effect[f.design[card]], seat, card, Then.ARRIVED)


@kernel
def join_area(s: Record, f: Record, seat: int, entry: int) -> None:
    """Make a character on display a companion."""
    take_off_display(s, f, entry)
    put_in_area(s, f, seat, entry)
    s.joined |= 1 << entry


@kernel
def _finish_effect(s: Record, f: Record) -> None:
    """Finish the effect on top and begin what follows from it."""
    top = s.frames - 1
    s.frames = top
    seat, card, then = s.frame_seat[top], s.frame_card[top], s.frame_then[top]
    if then == Then.ITEM:
        push_ability(s, f, seat, card)
    elif then == Then.COMPANION:
        if s.at[card] == Zone.DISPLAY:
            join_area(s, f, seat, card - f.first_area)
            s.recruited += 1
    elif then == Then.DISCARDED:
        if s.at[card] == Zone.STACK:
            discard_card(s, f, card)
    elif then == Then.ARRIVED and has_won(s, f, seat):
        end_with_winners(s, 1 << seat, Ending.MEMORIES)


# Steps that need no choice


@kernel
def change_marks(s: Record, f: Record, seat: int, change: int) -> None:
    """Change pass markers by an effect, within their limits."""
    s.marks[seat] = min(max(s.marks[seat] + change, 0), f.rule_passes)
    lying = 0
    for other in range(s.players):
        lying += s.marks[other]
    if lying > f.markers:
        s.short[0] += 1


@kernel
def _change_vitality(s: Record, f: Record, seat: int, step: int) -> None:
    if f.other[step] == 0:
        if can_gain(s, f, seat):
            for _ in range(f.times[step]):
                draw_card(s, f, seat)
        return
    for turn in range(1, s.players):
        other = (seat + turn) % s.players
        if s.out[other] == 0 and can_gain(s, f, other):
            for _ in range(f.times[step]):
                draw_card(s, f, other)


@kernel
def _negate_item(s: Record, f: Record) -> None:
    """Remove the intervention directly beneath from the stack without effect."""
    if s.items == 0:
        return
    top = s.items - 1
    what = s.item_what[top]
    if what in (Item.CARD, Item.ABILITY):
        s.items, s.asked = top, 0
        if what == Item.CARD:
            discard_card(s, f, s.item_card[top])


# Steps with choices


@kernel
def _hand_options(s: Record, f: Record, top: int, step: int, op: int) -> int:
    """Ask for a kind of cards to discard or to place; return those in hand."""
    whom = s.frame_whom[top]
    s.seat = whom
    if op == Op.PLACE:
        s.kind, s.optional, s.options = Move.SET, 1, f.destination_designs
        if f.faint_by_own_action_forbidden and s.held[whom] == 1:
            return 0
        return s.hand[whom] & f.destination_designs
    s.kind, s.options = Move.THROW, f.destination_designs if f.destination[step] else -1
    found: int = s.hand[whom] & s.options
    matching = destinations_held(s, f, whom) if f.destination[step] else s.held[whom]
    return found & -found if matching <= s.frame_left[top] else found


@kernel
def _open_options(s: Record, f: Record, top: int, step: int, op: int, seat: int) -> int:
    """Return the characters, discards and paths to choose from, as bits."""
    if op == Op.DISMISS:
        s.kind, s.options = Move.DISMISS, s.display
    elif op == Op.RECOVER:
        card = s.frame_card[top]
        design = f.design[card] if card < f.deck_cards else -1
        s.kind, s.options = Move.TAKE, find_recoverable(s, f, step, design)
    elif op == Op.JOIN:
        s.kind, s.options = Move.JOIN, find_joinable(s, f, seat)
    elif op == Op.LEAVE:
        s.kind, s.options = Move.LEAVE, s.area[seat] & f.characters
    elif op == Op.RECALL:
        s.kind, s.options = Move.RECALL, s.discards & f.destination_designs
    else:
        ahead = paths_ahead(s)
        s.kind, s.options = Move.BURY, ahead if f.other[step] else ahead & 1 << seat
    return s.options


@kernel
def _list_options(s: Record, f: Record, top: int, step: int, op: int, seat: int) -> int:
    """Return what there is to choose from now, as bits; store in the state what is asked, and of which seat."""
    s.seat, s.optional = seat, 0
    if op in (Op.FATIGUE, Op.DISCARD, Op.PLACE):
        if s.frame_whom[top] < 0:
            s.kind, s.options = Move.TARGET, others_with_cards(s, seat)
            return s.options
        return _hand_options(s, f, top, step, op)
    if op == Op.MOVE:
        s.kind, s.optional, s.options = Move.GO, 1, 0
        return 1 if s.length[seat] > s.memories[seat] else 0
    return _open_options(s, f, top, step, op, seat)


@kernel
def run_step(s: Record, f: Record) -> int:
    """Continue the effect on top; return 1 if a player has to choose."""
    top = s.frames - 1
    step = s.frame_step[top]
    op = f.op[step]
    if op == Op.END:
        _finish_effect(s, f)
        return 0
    seat = s.frame_seat[top]
    if s.frame_left[top] < 0:
        kind = f.kind[step]
        works = kind == 0 or s.area[seat] & f.of_kind[kind] != 0
        if works and op > Op.SKIP_MAIN2:
            s.frame_left[top] = f.times[step]
            s.frame_whom[top] = -1 if op == Op.FATIGUE and f.other[step] else seat
        else:
            s.frame_step[top] = step + 1
            if works:
                if op == Op.VITALITY:
                    _change_vitality(s, f, seat, step)
                elif op == Op.MARK:
                    change_marks(s, f, seat, f.times[step])
                elif op == Op.APPEAR:
                    for _ in range(f.times[step]):
                        show_character(s, f)
                elif op == Op.NEGATE:
                    _negate_item(s, f)
                elif op == Op.SKIP_MAIN2:
                    s.skip_main2 = 1
            return 0
    options = _list_options(s, f, top, step, op, seat) if s.frame_left[top] > 0 else 0
    if options == 0:
        s.frame_step[top], s.frame_left[top] = step + 1, -1
        return 0
    if s.optional == 0 and options & (options - 1) == 0:
        carry_out_choice(s, f, s.kind + options.bit_length() - 1)
        return 0
    s.wait = Wait.STEP
    return 1


@kernel
def carry_out_choice(s: Record, f: Record, move: int) -> None:
    """Carry out a choice in the effect on top."""
    top = s.frames - 1
    seat, whom = s.frame_seat[top], s.frame_whom[top]
    what = move & ARGUMENT
    kind = move - what
    s.frame_left[top] -= 1
    if move == Move.SKIP:
        s.frame_left[top] = 0
    elif move == Move.GO:
        start_move(s, f, seat)
    elif kind == Move.THROW:
        discard_card(s, f, take_from_hand(s, f, whom, what))
    elif kind == Move.SET:
        lay_down(s, f, seat, take_from_hand(s, f, seat, what), seat)
    elif kind == Move.TAKE:
        put_in_hand(s, f, seat, take_from_discards(s, f, what))
    elif kind == Move.BURY:
        put_under_deck(s, f, take_off_path(s, f, what, s.length[what] - 1))
    elif kind == Move.TARGET:
        s.frame_whom[top] = what
        s.frame_left[top] += 1
    elif kind == Move.RECALL:
        lay_past(s, f, seat, take_from_discards(s, f, what))
        if s.memories[seat] >= count_needed(s, f, seat) and (f.instant_win_no_hand_condition or s.held[seat] > 0):
            end_with_winners(s, 1 << seat, Ending.RECALL)
    elif kind == Move.JOIN:
        join_area(s, f, seat, what)
    elif kind == Move.DISMISS:
        take_off_display(s, f, what)
        put_under_line(s, f, what)
    else:
        take_from_area(s, f, seat, what)
        put_under_line(s, f, what)
