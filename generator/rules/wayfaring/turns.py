"""The Wayfaring Book as drafted.

Flags like `f.forced_pass_counts` are in readings.yaml ("E9 on": it is on). The number `hand` of rules.yaml is
`f.rule_hand` here, and so on.
"""

from collections.abc import Iterator

from generator.rules.engine.kernel import Record, iter_members, kernel, next_chances, shuffle
from generator.rules.engine.story import Story, choose, list_members, offer, story
from generator.rules.wayfaring.effects import (
    change_marks,
    check_faints_and_wins,
    count_cursed_discards,
    declare_action,
    end_with_last_seat,
    end_with_winners,
    faint_empty_hands,
    faint_seat,
    is_pending,
    join_area,
    needs_choice,
    push_item,
    recall_card,
    resolve_item,
    start_move,
    throw_away,
)
from generator.rules.wayfaring.moves import (
    ability_usable,
    card_usable,
    find_abilities,
    is_asked,
    is_recruitable,
    spends_last,
    trouble_targets,
)
from generator.rules.wayfaring.pieces import (
    destinations_held,
    discard_card,
    draw_card,
    fill_display,
    find_joinable,
    find_recoverable,
    lay_down,
    others_with_cards,
    paths_ahead,
    put_in_hand,
    put_under_deck,
    put_under_line,
    take_from_area,
    take_from_discards,
    take_from_hand,
    take_off_display,
    take_off_path,
)
from generator.rules.wayfaring.state import SEAT_SHIFT, STATE, Chance, Ending, Gap, Item, Move, Op, Stage, Wait, Zone

# Preparation of the game


@kernel
def lay_out(s: Record, f: Record) -> None:
    """Put all cards into their decks, in the order of the data."""
    for card in range(f.deck_cards):
        s.at[card], s.deck[card] = Zone.DECK, card
    for card in range(f.deck_cards, f.cards):
        s.at[card], s.line[card - f.deck_cards] = Zone.CHARACTERS, card
    s.deck_count, s.line_count = f.deck_cards, f.characters_printed


@kernel
def _draw_hand(s: Record, f: Record, seat: int) -> None:
    for _ in range(f.rule_hand):
        draw_card(s, f, seat)


@kernel
def _draw_anew(s: Record, f: Record, seat: int) -> None:
    """Show the hand, put it under the deck and draw another one, as long as it has no destination."""
    while s.hand[seat] & f.destination_designs == 0:
        for card in range(f.deck_cards):
            if s.at[card] == Zone.HAND + seat:
                put_under_deck(s, f, card)
        s.hand[seat], s.held[seat] = 0, 0
        s.redraws += 1
        _draw_hand(s, f, seat)


@kernel
def hand_out(s: Record, f: Record) -> None:
    """Deal from the decks; hands without a destination are redrawn when all have theirs (E26)."""
    for seat in range(s.players):
        _draw_hand(s, f, seat)
        if f.mulligan_order_per_player:  # E26 off
            _draw_anew(s, f, seat)
    for seat in range(s.players):
        _draw_anew(s, f, seat)
        if s.hand[seat] & f.destination_designs == 0:
            s.faulty_deal = 1  # a guard for the law TC-24, like the next one
    fill_display(s, f, f.rule_display, 1)  # advanced characters go aside, and back into the line at the end
    if s.display & f.advanced:
        s.faulty_deal = 1


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffle and deal a new game."""
    lay_out(s, f)
    shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, f.deck_cards)
    shuffle(next_chances(s.rng, Chance.CHARACTERS), s.line, 0, f.characters_printed)
    hand_out(s, f)


# Course of the game


@story
def game(s: Record, f: Record) -> None:
    """Play turns of five phases until a seat wins or is left alone; one that faints drops out of the game (E54)."""
    if s.turn == 0:
        begin_turn(s, f, s.turn_seat)
    while s.over == 0:
        # Draw phase, not in the game's first turn; an empty deck is reshuffled once a turn, then no card comes (E28).
        if s.stage == Stage.DRAW and check_faints_and_wins(s, f):
            s.stage = Stage.MAIN_1
            if s.turn > 1:
                for _ in range(f.rule_draw):
                    s.drawn += draw_card(s, f, s.turn_seat)

        # First main phase.
        if s.stage == Stage.MAIN_1:
            play_main_phase(s, f)

        # Move phase: one move, or a pass; one forced, with no card ahead, counts (E9). A pass too many is fainting; so
        # is an empty hand after the effect, memories or not (E52). If all faint at once, the most memories win (E55).
        while s.stage == Stage.MOVE and check_faints_and_wins(s, f):
            s.seat, s.phase = s.turn_seat, Wait.MOVE
            answer = Move.PASS
            if s.length[s.seat] > s.memories[s.seat]:
                answer = choose(Wait.MOVE, list_ways)
            if answer == Move.PASS:
                s.stage = Stage.MOVED
                if s.length[s.seat] == s.memories[s.seat] and not f.forced_pass_counts:  # E9 on: it counts
                    continue
                if s.marks[s.seat] < f.rule_passes:
                    change_marks(s, f, s.seat, 1)
                else:
                    faint_seat(s, f, s.seat)
                    end_with_last_seat(s, 1 << s.seat)
            elif f.answers_move:
                push_item(s, Item.MOVE, 0, s.seat, 1)
            else:
                s.stage = Stage.MOVED
                start_move(s, f, s.seat)  # turns up the card nearest to the past: a memory, even if a trouble
            resolve(s, f)

        # Second main phase, unless a trouble prevents it.
        if s.stage == Stage.MOVED and check_faints_and_wins(s, f):
            s.stage = Stage.END_CURSES if s.skip_main2 else Stage.MAIN_2
        if s.stage == Stage.MAIN_2:
            play_main_phase(s, f)

        # End phase: curses, a limit of hands (E29: none), new characters (E23), also advanced ones (E24).
        if s.stage == Stage.END_CURSES and check_faints_and_wins(s, f):
            s.stage = Stage.END_HAND
            throw_away(s, f, count_cursed_discards(s, f))
            resolve(s, f)
        if s.stage == Stage.END_HAND and check_faints_and_wins(s, f):
            s.stage = Stage.END_REFILL
            if f.faint_check_end_of_turn:  # E52 off
                faint_empty_hands(s, f)
            if f.hand_limit > 0 and s.turn_lost == 0:
                throw_away(s, f, s.held[s.turn_seat] - f.hand_limit)
            resolve(s, f)
        if s.stage == Stage.END_REFILL and check_faints_and_wins(s, f) and not f.display_refill_none:  # E23 off
            fill_display(s, f, f.rule_refill, f.advanced_on_refill_skip)  # E24 off
        next_turn(s, f)


@story
def play_main_phase(s: Record, f: Record) -> None:
    """Let the turn player act, and others answer when that is done, until nobody acts any more (E21)."""
    while check_faints_and_wins(s, f):
        s.seat = s.turn_seat
        action = choose(Wait.MAIN, list_actions)
        if action == Move.DONE:
            s.asked = 1 if f.answers_main_done else s.players
            action = Move.DECLINE
            while action == Move.DECLINE and check_faints_and_wins(s, f):
                action = ask_next_seat(s, f, s.turn_seat)
            if action == Move.DONE:
                s.stage += 1
                return
        declare_action(s, f, action)
        resolve(s, f)


# Interventions: what was declared last is resolved first, and each effect is finished before what lies beneath it.


@story
def resolve(s: Record, f: Record) -> None:
    """Carry out effects and what was declared, the last first (E19); a deed that can't be paid costs nothing (E17)."""
    while is_pending(s, f):
        if s.frames > 0:
            if needs_choice(s, f):
                choose_in_step(s, f)
        else:
            first = s.turn_seat if f.intervention_order_turn_player_first else s.item_seat[s.items - 1] + 1  # E19b off
            answer = ask_next_seat(s, f, first)
            if answer == Move.DONE:
                resolve_item(s, f)
            elif answer != Move.DECLINE:
                declare_action(s, f, answer)


@story
def ask_next_seat(s: Record, f: Record, first: int) -> int:
    """Ask the next seat, clockwise from `first`, that can answer; return its answer (a Move), or DONE if none can."""
    while s.asked < s.players:
        other = (first + s.asked) % s.players
        s.asked += 1
        if is_asked(s, f, other):
            s.seat = other
            return choose(Wait.ANSWER, list_answers)
    return Move.DONE


# Effects


@story
def choose_in_step(s: Record, f: Record) -> None:
    """Carry out one choice in the step that the effect begun last has come to."""
    top = s.frames - 1
    step = s.frame_step[top]
    op = f.op[step]
    if s.frame_whom[top] < 0:
        other = pick(s, f, Move.TARGET, others_with_cards(s, s.seat))
        s.frame_whom[s.frames - 1] = other
    elif op in (Op.DISCARD, Op.FATIGUE):
        s.seat = s.frame_whom[top]
        design = pick(s, f, Move.THROW, f.destination_designs if f.destination[step] else -1)
        if design >= 0:
            discard_card(s, f, take_from_hand(s, f, s.seat, design))
    elif op == Op.PLACE:
        spares = s.held[s.seat] > 1 or not f.faint_by_own_action_forbidden  # E57 off
        design = pick(s, f, Move.SET, f.destination_designs if spares else 0)
        if design >= 0:
            lay_down(s, f, s.seat, take_from_hand(s, f, s.seat, design), s.seat)
    elif op == Op.MOVE:
        place = pick(s, f, Move.GO, 1 if s.length[s.seat] > s.memories[s.seat] else 0)
        if place >= 0:
            start_move(s, f, s.seat)
    elif op == Op.BURY:
        owner = pick(s, f, Move.BURY, paths_ahead(s) if f.other[step] else paths_ahead(s) & 1 << s.seat)
        if owner >= 0:
            put_under_deck(s, f, take_off_path(s, f, owner, s.length[owner] - 1))
    elif op == Op.RECALL:
        design = pick(s, f, Move.RECALL, s.discards & f.destination_designs)
        if design >= 0:
            recall_card(s, f, s.seat, design)
    elif op == Op.RECOVER:
        card = s.frame_card[top]
        own = f.design[card] if card < f.deck_cards else -1
        design = pick(s, f, Move.TAKE, find_recoverable(s, f, step, own))
        if design >= 0:
            put_in_hand(s, f, s.seat, take_from_discards(s, f, design))
    elif op == Op.JOIN:
        entry = pick(s, f, Move.JOIN, find_joinable(s, f, s.seat))
        if entry >= 0:
            join_area(s, f, s.seat, entry)
    elif op == Op.DISMISS:
        entry = pick(s, f, Move.DISMISS, s.display)
        if entry >= 0:
            take_off_display(s, f, entry)
            put_under_line(s, f, entry)
    else:
        entry = pick(s, f, Move.LEAVE, s.area[s.seat] & f.characters)
        if entry >= 0:
            take_from_area(s, f, s.seat, entry)
            put_under_line(s, f, entry)


@story
def pick(s: Record, f: Record, move: int, among: int) -> int:
    """Let the seat choose a member of `among` (as `move` + member) or take a lone one. Return it; -1 ends the step."""
    s.kind, s.options = move, among
    found = find_options(s)
    if found == 0:
        s.frame_step[s.frames - 1] += 1
        s.frame_left[s.frames - 1] = -1
        return -1
    answer = s.kind + (found & -found).bit_length() - 1
    if s.kind in (Move.SET, Move.GO) or (found & (found - 1) and not all_must_go(s, f)):
        answer = choose(Wait.STEP, list_options)
    if answer == Move.SKIP:
        s.frame_left[s.frames - 1] = 0
        return -1
    s.frame_left[s.frames - 1] -= 1
    return answer - s.kind


# What each choice offers, in ascending order.


@offer
def list_actions(s: Record, f: Record) -> Iterator[int]:
    """Offer to be done, and ① to ⑦; one ①, one ② in all (E14, E15; on a path with a card), one ③ that succeeds."""
    yield Move.DONE
    hand = s.hand[s.seat]
    if f.faint_by_own_action_forbidden and spends_last(s, s.seat, 1):  # E57 off
        hand = 0
    if s.placed < f.per_turn_destination:
        yield from list_members(s, f, Move.PLACE, hand & f.destination_designs)  # face down, at the path's future end
    troubles = hand & f.trouble_designs
    if troubles:  # the same on another's path
        for other in iter_members(trouble_targets(s, f, s.seat)):
            yield from list_members(s, f, Move.TROUBLE + (other << SEAT_SHIFT), troubles)
    if s.recruited < f.per_turn_recruit:
        for entry in iter_members(s.display):
            if is_recruitable(s, f, s.seat, entry):  # situation holds (E18: not looked at again), or deed payable
                yield Move.RECRUIT + entry
    yield from list_members(s, f, Move.CURSE, hand & f.cursed_designs)
    yield from list_interventions(s, f, f.own_turn | f.intervene)


@offer
def list_answers(s: Record, f: Record) -> Iterator[int]:
    """Offer to decline, and actions ⑥ and ⑦."""
    yield Move.DECLINE
    yield from list_interventions(s, f, f.intervene)


@offer
def list_interventions(s: Record, f: Record, timing: int) -> Iterator[int]:
    """Offer abilities among the set `timing`, of equal cards the lowest; then intervention cards."""
    if s.area[s.seat]:
        last = -1
        for entry in iter_members(find_abilities(s, f, s.seat, timing)):
            if f.area_design[entry] != last and ability_usable(s, f, s.seat, entry):
                last = f.area_design[entry]
                yield Move.USE + entry
    hand = s.hand[s.seat] & f.intervention_designs
    if hand:
        for design in iter_members(hand):
            if card_usable(s, f, s.seat, design):
                yield Move.PLAY + design


@offer
def list_ways(s: Record, f: Record) -> Iterator[int]:
    """Offer to pass, and to move."""
    yield Move.PASS
    yield Move.GO


@offer
def list_options(s: Record, f: Record) -> Iterator[int]:
    """Offer what the step lets choose, and to go without if it says "may"."""
    if s.kind == Move.SET:
        yield Move.SKIP
    yield from list_members(s, f, s.kind, find_options(s))
    if s.kind == Move.GO:
        yield Move.SKIP


@kernel
def find_options(s: Record) -> int:
    """Return the set from which the step's choice may take; for cards from the hand, only what it holds."""
    found: int = s.options & s.hand[s.seat] if s.kind in (Move.THROW, Move.SET) else s.options
    return found


@kernel
def all_must_go(s: Record, f: Record) -> int:
    """Return True if the seat has to discard all that it can, so that the order makes no difference."""
    if s.kind != Move.THROW:
        return 0
    matching = s.held[s.seat] if s.options < 0 else destinations_held(s, f, s.seat)
    return 1 if matching <= s.frame_left[s.frames - 1] else 0


# Turns


@kernel
def begin_turn(s: Record, f: Record, seat: int) -> None:
    """Begin a turn, up to its Draw phase; only this seat's abilities are fresh again (E22)."""
    s.turn += 1
    s.turn_seat, s.seat = seat, seat
    s.stage, s.turn_lost = Stage.DRAW, 0
    s.placed, s.recruited, s.skip_main2 = 0, 0, 0
    s.drawn, s.reshuffled, s.nothing_drawn, s.joined = 0, 0, 0, 0
    for other in range(s.players):
        s.troubled[other] = 0
    s.used = 0 if f.ability_refresh_every_turn else s.used & ~s.area[seat]  # E22 off


@kernel
def next_turn(s: Record, f: Record) -> None:
    """Begin the turn of the next seat; after the last turn most memories win, then most cards in hand."""
    if s.over:
        return
    if s.turn >= f.rule_turns:
        best, winners = -1, 0
        for seat in range(s.players):
            merit = s.memories[seat] * (f.deck_cards + 1) + s.held[seat]
            if s.out[seat] == 0 and merit >= best:
                winners = (winners if merit == best else 0) | 1 << seat
                best = merit
        if s.hole == 0:
            s.hole = Gap.NO_END
        end_with_winners(s, winners, Ending.TURNS)
        return
    seat = (s.turn_seat + 1) % s.players
    while s.out[seat]:
        seat = (seat + 1) % s.players
    begin_turn(s, f, seat)


STORY = Story(game, STATE, deal)
