"""The turns of The Wayfaring Book: answering and resolving choices, phases and turns."""

from generator.rules.engine.kernel import Record, kernel, next_chances, shuffle
from generator.rules.wayfaring.effects import (
    carry_out_choice,
    change_marks,
    end_with_last_seat,
    end_with_winners,
    faint_empty_hands,
    faint_seat,
    join_area,
    push_ability,
    push_effect,
    push_item,
    run_step,
    settle_seats,
    start_move,
)
from generator.rules.wayfaring.moves import is_asked
from generator.rules.wayfaring.pieces import (
    can_pay,
    draw_card,
    lay_down,
    put_in_area,
    put_under_deck,
    set_aside,
    show_character,
    shuffle_line,
    situation_holds,
    take_from_hand,
)
from generator.rules.wayfaring.state import (
    ARGUMENT,
    SEAT_SHIFT,
    TROUBLE_DESIGN,
    Chance,
    Ending,
    Gap,
    Item,
    Move,
    Stage,
    Then,
    Wait,
    Zone,
)

# Phases and turns


@kernel
def refill_display(s: Record, f: Record) -> None:
    """Put characters on display until there are enough; by E24, advanced ones may be set aside and shuffled back."""
    aside = 0
    entry = show_character(s, f) if s.shown < f.rule_refill else 0
    while entry > 0:
        if f.advanced_on_refill_skip and f.advanced >> (entry - 1) & 1:
            set_aside(s, f, entry - 1)
            aside += 1
        entry = show_character(s, f) if s.shown < f.rule_refill else 0
    if aside:
        shuffle_line(s, f)


@kernel
def begin_turn(s: Record, f: Record, seat: int) -> None:
    """Begin the next turn, up to its Draw phase."""
    s.turn += 1
    s.turn_seat, s.seat = seat, seat
    s.stage, s.closing, s.turn_lost = Stage.DRAW, 0, 0
    s.placed, s.recruited, s.skip_main2 = 0, 0, 0
    s.drawn, s.reshuffled, s.nothing_drawn, s.joined = 0, 0, 0, 0
    for other in range(s.players):
        s.troubled[other] = 0
    s.used = 0 if f.ability_refresh_every_turn else s.used & ~s.area[seat]


@kernel
def _next_turn(s: Record, f: Record) -> None:
    if s.turn >= f.rule_turns:
        # End the game after the last turn: most memories win, then most cards in hand.
        best = -1
        winners = 0
        for seat in range(s.players):
            merit = s.memories[seat] * (f.deck_cards + 1) + s.held[seat]
            if s.out[seat] == 0 and merit >= best:
                winners = (winners if merit == best else 0) | 1 << seat
                best = merit
        if s.hole == 0:
            s.hole = Gap.NO_END
        end_with_winners(s, winners, Ending.TURNS)
        return
    seat = s.turn_seat
    searching = 1
    while searching:
        seat += 1
        if seat == s.players:
            seat = 0
            s.rounds += 1
        searching = s.out[seat]
    begin_turn(s, f, seat)


@kernel
def _pass_move(s: Record, f: Record) -> None:
    """Pass; one pass too many is fainting. Without a card ahead it is forced."""
    seat = s.turn_seat
    s.stage = Stage.MOVED
    if s.length[seat] == s.memories[seat] and not f.forced_pass_counts:
        return
    if s.marks[seat] < f.rule_passes:
        change_marks(s, f, seat, 1)
    else:
        faint_seat(s, f, seat)
        end_with_last_seat(s, 1 << seat)


@kernel
def _throw_away(s: Record, f: Record, number: int) -> None:
    """Make the turn player discard so many cards of his choice."""
    if number > 0:
        push_effect(s, f.plain_discard, s.turn_seat, 0, Then.NOTHING)
        s.frame_left[s.frames - 1] = number


@kernel
def _end_phase(s: Record, f: Record) -> None:
    """Carry out the phase's steps: curses, the limit of hands, new characters."""
    seat = s.turn_seat
    if s.stage == Stage.END_CURSES:
        s.stage = Stage.END_HAND
        number = 0
        if s.cursed[seat]:
            for entry in range(f.area_cards):
                number += f.end_discard[entry] * (s.area[seat] >> entry & 1)
        _throw_away(s, f, number)
    elif s.stage == Stage.END_HAND:
        s.stage = Stage.END_REFILL
        if f.faint_check_end_of_turn:
            faint_empty_hands(s, f)
        if f.hand_limit > 0 and s.turn_lost == 0:
            _throw_away(s, f, s.held[seat] - f.hand_limit)
    else:
        if not f.display_refill_none:
            refill_display(s, f)
        _next_turn(s, f)


@kernel
def _next_phase(s: Record, f: Record) -> int:
    """Go on when nothing is pending; return 1 if a player has to choose."""
    settle_seats(s, f)
    if s.over:
        return 0
    stage = s.stage
    if s.turn_lost:
        _next_turn(s, f)
    elif stage in (Stage.MAIN_1, Stage.MAIN_2):
        if s.closing:
            # Ask others to intervene as the turn player is done; return 1 if one has to choose, else end the phase.
            while s.closing < s.players:
                seat = (s.turn_seat + s.closing) % s.players
                s.closing += 1
                if is_asked(s, f, seat):
                    s.seat, s.wait = seat, Wait.ANSWER
                    return 1
            s.closing = 0
            s.stage += 1
            return 0
        s.seat, s.wait = s.turn_seat, Wait.MAIN
        return 1
    elif stage == Stage.DRAW:
        s.stage = Stage.MAIN_1
        if s.turn > 1:
            for _ in range(f.rule_draw):
                s.drawn += draw_card(s, f, s.turn_seat)
    elif stage == Stage.MOVE:
        s.seat, s.wait = s.turn_seat, Wait.MOVE
        if s.length[s.seat] > s.memories[s.seat]:
            return 1
        _pass_move(s, f)
    elif stage == Stage.MOVED:
        s.stage = Stage.END_CURSES if s.skip_main2 else Stage.MAIN_2
    else:
        _end_phase(s, f)
    return 0


# What is declared


@kernel
def _recruit_character(s: Record, f: Record, seat: int, card: int) -> None:
    """Recruit the chosen character if it is still on display; a deed has to be done first."""
    entry = card - f.first_area
    if s.at[card] != Zone.DISPLAY:
        return
    deed, situation = f.deed[entry], f.situation[entry]
    if f.recheck_situation and situation and deed == 0 and situation_holds(s, f, seat, entry) == 0:
        return
    if deed == 0:
        join_area(s, f, seat, entry)
        s.recruited += 1
    elif f.deed_payment_as_much_as_possible or can_pay(s, f, seat, deed):
        push_effect(s, deed, seat, card, Then.COMPANION)


@kernel
def _resolve_item(s: Record, f: Record) -> None:
    """Take the item on top off the stack and carry out its effect, when no player answers any more."""
    top = s.items - 1
    what, card, seat = s.item_what[top], s.item_card[top], s.item_seat[top]
    s.items, s.asked = top, 0
    if what == Item.RECRUIT:
        _recruit_character(s, f, seat, card)
    elif what == Item.CARD:
        push_effect(s, f.effect[f.design[card]], seat, card, Then.DISCARDED)
    elif what in (Item.ABILITY, Item.OWN):
        push_effect(s, f.ability[card - f.first_area], seat, card, Then.NOTHING)
    elif what == Item.MOVE and s.length[seat] > s.memories[seat]:
        s.stage = Stage.MOVED
        start_move(s, f, seat)


@kernel
def _ask_about_item(s: Record, f: Record) -> int:
    """Ask for answers to the item on top; return 1 if a seat has to choose, else resolve it."""
    first = s.turn_seat if f.intervention_order_turn_player_first else s.item_seat[s.items - 1] + 1
    while s.asked < s.players:
        seat = (first + s.asked) % s.players
        s.asked += 1
        if is_asked(s, f, seat):
            s.seat, s.wait = seat, Wait.ANSWER
            return 1
    _resolve_item(s, f)
    return 0


@kernel
def advance_game(s: Record, f: Record) -> None:
    """Run on to the next choice, or to the end."""
    waiting = 0
    while waiting == 0 and s.over == 0:
        if f.faint_check_immediate:
            faint_empty_hands(s, f)
        if f.display_refill_immediate and s.shown < f.rule_refill:
            refill_display(s, f)
        if s.over == 0:
            if s.frames > 0:
                waiting = run_step(s, f)
            elif s.items > 0:
                waiting = _ask_about_item(s, f)
            else:
                waiting = _next_phase(s, f)


@kernel
def _declare_action(s: Record, f: Record, seat: int, kind: int, what: int) -> None:
    """Carry out actions ③, ⑤, ⑥ and ⑦."""
    if kind == Move.RECRUIT:
        push_item(s, Item.RECRUIT, f.first_area + what, seat, f.answers_recruit)
    elif kind == Move.PLAY:
        card = take_from_hand(s, f, seat, what)
        s.at[card] = Zone.STACK
        push_item(s, Item.CARD, card, seat, f.answers_intervention)
    elif kind == Move.USE:
        s.used |= 1 << what
        card = f.first_area + what
        if f.cost[what] > 0:
            push_effect(s, f.cost[what], seat, card, Then.ITEM)
        else:
            push_ability(s, f, seat, card)


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carry out a choice and run on to the next."""
    if s.wait == Wait.STEP:
        carry_out_choice(s, f, move)
    elif move == Move.DONE:
        s.closing = 1 if f.answers_main_done else s.players
    elif move == Move.PASS:
        _pass_move(s, f)
    elif move == Move.GO:
        if f.answers_move:
            push_item(s, Item.MOVE, 0, s.seat, 1)
        else:
            s.stage = Stage.MOVED
            start_move(s, f, s.seat)
    elif move != Move.DECLINE:
        what = move & ARGUMENT
        kind = move - what
        if kind in (Move.PLACE, Move.TROUBLE, Move.CURSE):
            # Carry out actions ①, ② and ④.
            seat = s.seat
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
        else:
            if s.items == 0:
                s.closing = 0
            _declare_action(s, f, s.seat, kind, what)
    advance_game(s, f)


# Set-up


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
    """Put the hand under the deck and draw another one, as long as it has no destination."""
    while s.hand[seat] & f.destination_designs == 0:
        for card in range(f.deck_cards):
            if s.at[card] == Zone.HAND + seat:
                put_under_deck(s, f, card)
        s.hand[seat], s.held[seat] = 0, 0
        s.redraws += 1
        _draw_hand(s, f, seat)


@kernel
def hand_out(s: Record, f: Record) -> None:
    """Deal from the decks in their present order."""
    for seat in range(s.players):
        _draw_hand(s, f, seat)
        if f.mulligan_order_per_player:
            _draw_anew(s, f, seat)
    for seat in range(s.players):
        _draw_anew(s, f, seat)
        if s.hand[seat] & f.destination_designs == 0:
            s.faulty_deal = 1
    aside = 0
    while s.shown < f.rule_display:
        entry = show_character(s, f) - 1
        if f.advanced >> entry & 1:
            set_aside(s, f, entry)
            aside += 1
    if aside:
        shuffle_line(s, f)
    if s.display & f.advanced:
        s.faulty_deal = 1


@kernel
def begin_game(s: Record, f: Record) -> None:
    """Play a dealt table to its first choice."""
    begin_turn(s, f, s.turn_seat)
    advance_game(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffle and deal a new game."""
    lay_out(s, f)
    shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, f.deck_cards)
    shuffle(next_chances(s.rng, Chance.CHARACTERS), s.line, 0, f.characters_printed)
    hand_out(s, f)


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deal a new game and play it to its first choice."""
    deal(s, f)
    begin_game(s, f)
