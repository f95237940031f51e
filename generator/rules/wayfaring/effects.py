"""The effects of The Wayfaring Book, and how players win, faint, rest and drop out."""

from generator.rules.engine.kernel import Record, kernel
from generator.rules.wayfaring.pieces import (
    can_gain,
    can_pay,
    discard_card,
    draw_card,
    fill_display,
    lay_down,
    lay_past,
    put_in_area,
    put_under_deck,
    put_under_line,
    show_character,
    situation_holds,
    take_from_area,
    take_from_discards,
    take_from_hand,
    take_off_display,
    take_off_path,
    turn_up,
)
from generator.rules.wayfaring.state import (
    ARGUMENT,
    SEAT_SHIFT,
    TROUBLE_DESIGN,
    Ending,
    Item,
    Move,
    Op,
    Out,
    Stage,
    Then,
    Zone,
)


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
    """End the game with these winners (seats as bits) for a reason (see Ending); pending effects are dropped."""
    if s.over == 0:
        s.over, s.winners, s.ending = 1, winners, ending


# Dropping out


@kernel
def drop_pending(s: Record, f: Record, seat: int) -> None:
    """Remove a seat's declared items and present effects from the stack without effect."""
    if s.frames > 0 and s.frame_seat[0] == seat:
        for top in range(s.frames):
            # A guard for other cards: of ours, no intervention takes its user's last card.
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
def faint_empty_hands(s: Record, f: Record) -> None:
    """Make all seats with an empty hand faint together."""
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


# What is being carried out, and what waits for answers


@kernel
def push_effect(s: Record, step: int, seat: int, card: int, then: int) -> None:
    """Begin an effect, cost or deed of a card at its first `step`; `then` says what follows its end (see Then)."""
    top = s.frames
    s.frame_step[top], s.frame_left[top] = step, -1
    s.frame_seat[top], s.frame_whom[top] = seat, seat
    s.frame_card[top], s.frame_then[top] = card, then
    s.frames = top + 1


@kernel
def push_item(s: Record, what: int, card: int, seat: int, answers: int) -> None:
    """Put an item on the stack: `what` (see Item) a seat does with a card; `answers` is 1 if others may answer it."""
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
    """Make a character on display a companion of the seat; `entry` is its number among the characters and items."""
    take_off_display(s, f, entry)
    put_in_area(s, f, seat, entry)
    s.joined |= 1 << entry


@kernel
def finish_effect(s: Record, f: Record) -> None:
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
    """Add `change` pass markers to a seat's by an effect, within their limits."""
    s.marks[seat] = min(max(s.marks[seat] + change, 0), f.rule_passes)
    lying = 0
    for other in range(s.players):
        lying += s.marks[other]
    if lying > f.markers:
        s.short[0] += 1  # a guard for other data: the box has as many markers as four players can have


@kernel
def change_vitality(s: Record, f: Record, seat: int, step: int) -> None:
    """Let a seat draw cards, or all others in turn if the effect's `step` says so."""
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


# What is declared


@kernel
def declare_action(s: Record, f: Record, action: int) -> None:
    """Carry out actions ①, ② and ④; declare ③ and ⑤ to ⑦, which others may answer."""
    seat = s.seat
    what = action & ARGUMENT
    kind = action - what
    card = f.first_area + what
    if kind == Move.RECRUIT:
        push_item(s, Item.RECRUIT, card, seat, f.answers_recruit)
    elif kind == Move.USE:
        s.used |= 1 << what
        if f.cost[what] > 0:
            push_effect(s, f.cost[what], seat, card, Then.ITEM)
        else:
            push_ability(s, f, seat, card)
    elif kind == Move.PLAY:
        card = take_from_hand(s, f, seat, what)
        s.at[card] = Zone.STACK
        push_item(s, Item.CARD, card, seat, f.answers_intervention)
    else:
        if kind == Move.PLACE:
            lay_down(s, f, seat, take_from_hand(s, f, seat, what), seat)
            s.placed += 1
        elif kind == Move.TROUBLE:
            other = what >> SEAT_SHIFT
            lay_down(s, f, other, take_from_hand(s, f, seat, what & TROUBLE_DESIGN), seat)
            s.troubled[other] += 1
        else:
            put_in_area(s, f, seat, take_from_hand(s, f, seat, what) - f.first_area)
        if f.answers_placement:
            push_item(s, Item.PLACED, 0, seat, 1)


@kernel
def resolve_item(s: Record, f: Record) -> None:
    """Carry out the item on top of the stack and remove it; a deed has to be done before a character joins."""
    top = s.items - 1
    what, card, seat = s.item_what[top], s.item_card[top], s.item_seat[top]
    s.items, s.asked = top, 0
    entry = card - f.first_area
    if what == Item.RECRUIT:
        deed = f.deed[entry]
        left = s.at[card] != Zone.DISPLAY
        if left or (f.recheck_situation and f.situation[entry] and not deed and not situation_holds(s, f, seat, entry)):
            return
        if deed == 0:
            join_area(s, f, seat, entry)
            s.recruited += 1
        elif f.deed_payment_as_much_as_possible or can_pay(s, f, seat, deed):
            push_effect(s, deed, seat, card, Then.COMPANION)
    elif what == Item.CARD:
        push_effect(s, f.effect[f.design[card]], seat, card, Then.DISCARDED)
    elif what in (Item.ABILITY, Item.OWN):
        push_effect(s, f.ability[entry], seat, card, Then.NOTHING)
    elif what == Item.MOVE and s.length[seat] > s.memories[seat]:
        s.stage = Stage.MOVED
        start_move(s, f, seat)


# Steps


@kernel
def needs_choice(s: Record, f: Record) -> int:
    """Return 1 if the effect begun last has come to a step with choices; else carry out the step, or end the effect."""
    top = s.frames - 1
    step = s.frame_step[top]
    op = f.op[step]
    if op == Op.END:
        finish_effect(s, f)
        return 0
    seat = s.frame_seat[top]
    if s.frame_left[top] < 0:
        kind = f.kind[step]
        works = kind == 0 or s.area[seat] & f.of_kind[kind] != 0
        if not works or op <= Op.SKIP_MAIN2:
            s.frame_step[top] = step + 1
            if works and op == Op.VITALITY:
                change_vitality(s, f, seat, step)
            elif works and op == Op.MARK:
                change_marks(s, f, seat, f.times[step])
            elif works and op == Op.APPEAR:
                for _ in range(f.times[step]):
                    show_character(s, f)
            elif works and op == Op.NEGATE and s.items > 0 and s.item_what[s.items - 1] in (Item.CARD, Item.ABILITY):
                s.items, s.asked = s.items - 1, 0
                if s.item_what[s.items] == Item.CARD:
                    discard_card(s, f, s.item_card[s.items])
            elif works and op == Op.SKIP_MAIN2:
                s.skip_main2 = 1
            return 0
        targets = 1 if op == Op.FATIGUE and f.other[step] else 0
        s.frame_left[top] = f.times[step] + targets
        s.frame_whom[top] = -1 if targets else seat
    if s.frame_left[top] == 0:
        s.frame_step[top], s.frame_left[top] = step + 1, -1
        return 0
    s.seat = seat
    return 1


@kernel
def recall_card(s: Record, f: Record, seat: int, design: int) -> None:
    """Lay a destination of this design from the discards into the past of a seat's path; it may win at once."""
    lay_past(s, f, seat, take_from_discards(s, f, design))
    if s.memories[seat] >= count_needed(s, f, seat) and (f.instant_win_no_hand_condition or s.held[seat] > 0):
        end_with_winners(s, 1 << seat, Ending.RECALL)


# Checks


@kernel
def check_faints_and_wins(s: Record, f: Record) -> int:
    """Let empty hands faint, then enough memories win, as nothing is pending (E52); return 1 if the turn goes on."""
    if s.over:
        return 0
    if f.faint_check_immediate:
        faint_empty_hands(s, f)
    if f.display_refill_immediate:
        fill_display(s, f, f.rule_refill, f.advanced_on_refill_skip)
    if f.faint_check_settled and s.over == 0:
        faint_empty_hands(s, f)
    for seat in range(s.players):
        if s.memories[seat] >= f.rule_memories and s.over == 0:
            # End the game with a winner: the turn player if possible, else the next in turn.
            for step in range(s.turn_seat, s.turn_seat + s.players):
                winner = step % s.players
                if s.out[winner] == 0 and has_won(s, f, winner):
                    end_with_winners(s, 1 << winner, Ending.MEMORIES)
    return 1 if s.over == 0 and s.turn_lost == 0 else 0


@kernel
def is_pending(s: Record, f: Record) -> int:
    """Return 1 if an effect or a declared item is to be carried out; by E52, hands may be checked before it."""
    if s.over or s.frames + s.items == 0:
        return 0
    if f.faint_check_immediate:
        faint_empty_hands(s, f)
        if s.over == 0 and s.frames + s.items == 0:
            return 0
    if f.display_refill_immediate:
        fill_display(s, f, f.rule_refill, f.advanced_on_refill_skip)
    return 1 - s.over


@kernel
def throw_away(s: Record, f: Record, number: int) -> None:
    """Make the turn player discard `number` cards of their choice."""
    if number > 0:
        push_effect(s, f.plain_discard, s.turn_seat, 0, Then.NOTHING)
        s.frame_left[s.frames - 1] = number


@kernel
def count_cursed_discards(s: Record, f: Record) -> int:
    """Return how many cards the turn player's curses make him discard."""
    number = 0
    if s.cursed[s.turn_seat]:
        for entry in range(f.area_cards):
            number += f.end_discard[entry] * (s.area[s.turn_seat] >> entry & 1)
    return number
