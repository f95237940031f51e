"""The moves of journey18: legal moves, effects, and the laws of play."""

from generator.rules.engine.kernel import Record, Row, kernel
from generator.rules.journey18.score import (
    draw_top,
    find_neighbour,
    find_solvable,
    first_swapped,
    offer_move,
    pair_days,
    points_now,
    put_at_bottom,
    put_on_top,
    reveal_top,
    second_swapped,
    set_black,
    stories_solved,
    take_from_hand,
    take_into_hand,
)
from generator.rules.journey18.state import MOST_CARDS, NONE, Law, Move, Op, Result, Step, Supply


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Fill in the moves of the step at which the game waits."""
    if s.step == Step.CARD:
        for i in range(s.nhand):
            moves[i] = Move.PLAY + s.hand[i]
        return s.nhand
    if s.step == Step.BLACK:
        number = 0
        for share in range(s.rest + 1):
            if f.map == 1 or share in (0, s.rest):
                days = pair_days((s.black[0] + share) % f.days, (s.black[1] + s.rest - share) % f.days)
                number = offer_move(moves, 0, number, Move.BLACK + days)
        return number
    if s.step == Step.EFFECT:
        return effect_moves(s, f, moves)
    if s.step == Step.SOLVE:
        # The stories that can be solved, and solving none of them unless that is compulsory.
        found = find_solvable(s, f) if s.may_solve == 1 else 0
        number = 0
        if found == 0 or f.solve_optional:
            moves[0] = Move.PASS
            number = 1
        for suit in range(f.suits):
            if (found >> suit) & 1:
                moves[number] = Move.SOLVE + suit
                number += 1
        return letter_moves(s, f, moves, number) if f.letter_windows_all else number
    moves[0] = Move.PASS
    return letter_moves(s, f, moves, 1)


@kernel
def memory_power(s: Record, f: Record) -> int:
    """Return the distance that a Location Memory moves now."""
    if s.power > 0:
        return s.power
    if f.memory_power_solved_count:
        return stories_solved(s, f)
    left: int = s.letters
    return left - f.memory_cost if f.memory_power_after else left


@kernel
def letter_moves(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add moves for both memories."""
    if s.letters < f.memory_cost:
        return number
    far = memory_power(s, f)
    if s.power > 0:
        moves[number] = Move.APART
        number += 1
    start = number
    if far > 0:
        for share in range(far + 1):
            if f.map == 1 or share in (0, far):
                number = fill_memories(s, f, moves, start, number, share, far - share)
    if s.nthrown > 0:
        for card in range(f.events):
            if s.thrown[card] == 1:
                moves[number] = Move.RECALL + card
                number += 1
    return number


@kernel
def fill_memories(s: Record, f: Record, moves: Row, start: int, number: int, one: int, other: int) -> int:
    """Add a move for each pair of days that the black pawns can reach: one goes `one` steps, the other `other`.

    Both go forward or back. Keep `moves` ascending from `start` on, without repeats (see `offer_move`). `number` is the
    end of `moves`; return the new end.
    """
    steps_differ = f.memory_direction_per_step
    for first in range(-one, one + 1, 2 if steps_differ else max(1, 2 * one)):
        if f.memory_backward_wrap == 0 and s.black[0] + first < 0:
            continue
        for second in range(-other, other + 1, 2 if steps_differ else max(1, 2 * other)):
            if f.memory_backward_wrap == 1 or s.black[1] + second >= 0:
                days = pair_days((s.black[0] + first) % f.days, (s.black[1] + second) % f.days)
                number = offer_move(moves, start, number, Move.MEMORY + days)
    return number


@kernel
def effect_moves(s: Record, f: Record, moves: Row) -> int:
    """Fill in the choices of an operation; letters may come before the effect of an event begins."""
    kind = f.op[s.job][s.line]
    if kind == Op.RETURN_CARDS:
        for i in range(s.nhand):
            moves[i] = Move.TOP + s.hand[i]
            moves[s.nhand + i] = Move.BOTTOM + s.hand[i]
        return 2 * s.nhand
    if kind == Op.STEP_BLACK:
        far = f.amount[s.job][s.line]
        number = 0
        for which in range(2):
            still = s.black[1 - which]
            number = offer_move(moves, 0, number, Move.BLACK + pair_days((s.black[which] + far) % f.days, still))
            number = offer_move(moves, 0, number, Move.BLACK + pair_days((s.black[which] - far) % f.days, still))
    elif kind == Op.DRAW_CARDS:
        number = 0
        if f.yellow_optional:
            moves[0] = Move.PASS
            number = 1
        moves[number] = Move.DRAW
        number += 1
    else:
        moves[0] = Move.PASS
        number = 1
        if kind == Op.COPY_NEIGHBOUR:
            start = number
            for side in range(4):
                card = find_neighbour(s, f, s.job, side)
                if can_copy(s, f, card) == 1:
                    number = offer_move(moves, start, number, Move.COPY + card)
        elif kind == Op.BRING_BLACK:
            start = number
            for which in range(2):
                if s.black[which] != s.white:
                    number = offer_move(moves, start, number, Move.BLACK + pair_days(s.white, s.black[1 - which]))
    if windows_open(s, f) == 1:
        number = letter_moves(s, f, moves, number)
    if kind == Op.SWAP_EVENTS:
        number = fill_swaps(s, f, moves, number)
    return number


@kernel
def windows_open(s: Record, f: Record) -> int:
    """Return 1 if a letter may be used now, before the effect of an event."""
    fresh = f.letter_windows_all and s.letters >= f.memory_cost and s.job == s.source and s.line == 0
    return 1 if fresh else 0


@kernel
def can_copy(s: Record, f: Record, card: int) -> int:
    """Return 1 if a neighbour's effect may be copied."""
    if card == NONE or (f.green_source_unused_only and s.used[card] == s.turn):
        return 0
    if f.op[card][0] == Op.COPY_NEIGHBOUR:
        return 1 if f.green_copies_green_chain and s.copied[card] != s.turn else 0
    return 1


@kernel
def fill_swaps(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add pairs of placed events of one number."""
    for one in range(f.events):
        if s.at[one] == NONE or (f.blue_pair_own_number and f.number[one] != f.number[s.source]):
            continue
        other = f.twin[one]
        while other >= 0:
            if s.at[other] != NONE:
                moves[number] = Move.SWAP + one * MOST_CARDS + other
                number += 1
            other = f.twin[other]
    return number


@kernel
def can_swap(s: Record, f: Record) -> int:
    """Return 1 if there is a pair to swap."""
    for one in range(f.events):
        if s.at[one] == NONE or (f.blue_pair_own_number and f.number[one] != f.number[s.source]):
            continue
        other = f.twin[one]
        while other >= 0:
            if s.at[other] != NONE:
                return 1
            other = f.twin[other]
    return 0


# `s.source` is the event whose effect it is, `s.job` the one whose text is carried out (another one while it is
# copied),
# `s.line` the operation there, `s.left` how much of it is left to do.


@kernel
def next_event(s: Record, f: Record) -> None:
    """Begin the effect of the next event that is due, or the resolution if there is none."""
    while s.next < s.ntodo:
        card = s.todo[s.next]
        s.next += 1
        if card == NONE:
            continue
        bit = 1 << f.suit[card]
        if s.fired & bit:
            continue
        if f.suit_once_first_card_only:
            s.fired |= bit
        s.source = card
        s.job = card
        begin_operation(s, f, 0)
        s.step = Step.EFFECT
        return
    s.may_solve = 1
    s.step = Step.SOLVE


@kernel
def begin_operation(s: Record, f: Record, line: int) -> None:
    """Go to an operation."""
    s.line = line
    s.left = f.amount[s.job][line]


@kernel
def use_up_effect(s: Record, f: Record) -> None:
    """Mark the effect as used: its suit has no more effects this turn."""
    s.fired |= 1 << f.suit[s.source]
    s.used[s.source] = s.turn


@kernel
def effect_waits(s: Record, f: Record) -> int:
    """Return 1 if the operation needs a choice; otherwise carry it out, or skip it if that is impossible."""
    kind = f.op[s.job][s.line]
    if kind == Op.STEP_BLACK or (kind == Op.RETURN_CARDS and s.left > 0 and s.nhand > 0):
        return 1
    if kind == Op.SWAP_EVENTS and can_swap(s, f) == 1:
        return 1
    if kind == Op.COPY_NEIGHBOUR:
        for side in range(4):
            if can_copy(s, f, find_neighbour(s, f, s.job, side)) == 1:
                return 1
    if kind == Op.BRING_BLACK and (s.black[0] != s.white or s.black[1] != s.white or windows_open(s, f) == 1):
        return 1
    if kind == Op.DRAW_CARDS:
        if windows_open(s, f) == 1 or (f.yellow_optional and (s.ndeck > 0 or f.yellow_empty_lose)):
            return 1
        draw_event(s, f)
    elif kind == Op.END:
        s.step = Step.EVENTS
    else:
        begin_operation(s, f, s.line + 1)
    return 0


@kernel
def draw_event(s: Record, f: Record) -> None:
    """Draw a card; an empty deck loses the game, or ends the effect by one reading."""
    for _ in range(s.left):
        if s.ndeck == 0:
            s.short[Supply.EVENTS] += 1
            if f.yellow_empty_skip:
                s.step = Step.EVENTS
            else:
                s.result = Result.LOST
                s.over = 1
            return
        take_into_hand(s, draw_top(s))
        s.held += 1
    use_up_effect(s, f)
    if f.radio_always:
        reveal_top(s, f)
    begin_operation(s, f, s.line + 1)


@kernel
def choose_in_effect(s: Record, f: Record, move: int) -> None:
    """Carry out the choice; declining ends the effect without using it."""
    if move == Move.PASS:
        s.step = Step.EVENTS
    elif move >= Move.SWAP:
        # Swap two events; neither is due any more, except one still due at the location it has left.
        one = first_swapped(move)
        other = second_swapped(move)
        here = s.at[one]
        there = s.at[other]
        s.column[here] = other
        s.column[there] = one
        s.at[one] = there
        s.at[other] = here
        s.used[one] = s.turn
        s.used[other] = s.turn
        for i in range(s.ntodo):
            card = s.todo[i]
            if card in (one, other) and (f.swapped_out_resolves == 0 or s.at[card] // f.rows == s.white):
                s.todo[i] = NONE
        use_up_effect(s, f)
        begin_operation(s, f, s.line + 1)
    elif move >= Move.BLACK:
        set_black(s, move - Move.BLACK)
        use_up_effect(s, f)
        begin_operation(s, f, s.line + 1)
    elif move >= Move.COPY:
        use_up_effect(s, f)
        s.copied[s.job] = s.turn
        s.job = move - Move.COPY
        begin_operation(s, f, 0)
    elif move >= Move.TOP:
        give_back(s, f, move)
    else:
        draw_event(s, f)


@kernel
def give_back(s: Record, f: Record, move: int) -> None:
    """Put a card of the hand back into the deck."""
    if move >= Move.BOTTOM:
        take_from_hand(s, move - Move.BOTTOM)
        put_at_bottom(s, move - Move.BOTTOM)
    else:
        take_from_hand(s, move - Move.TOP)
        put_on_top(s, move - Move.TOP)
    s.held -= 1
    s.left -= 1
    if s.left == 0:
        reveal_top(s, f)
        begin_operation(s, f, s.line + 1)


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the first law that does not hold, from 1."""
    law = find_lost_pieces(s, f)
    if law > 0:
        return law
    if s.drift != 0:
        return Law.RESIDUE
    for day in range(f.days):
        if s.ncolumn[day] > f.room[s.place[day]] or (day == f.last and s.ncolumn[day] > 0):
            return Law.OVERFULL
    if s.over == 0:
        if s.nhand != f.hand + s.held + (f.draw if s.step == Step.CARD else 0):
            return Law.HAND_SIZE
        # All other choices can be declined, or have pawns that can move.
        needs_card = s.step == Step.CARD or (s.step == Step.EFFECT and f.op[s.job][s.line] == Op.RETURN_CARDS)
        if needs_card and s.nhand == 0:
            return Law.NO_CHOICE
    if s.solves > 1 and f.solve_per_turn_1:
        return Law.SOLVED_TWICE
    if s.result == Result.WON:
        within = s.turn >= f.fewest_turns and s.loops >= f.fewest_loops and points_now(s, f) <= f.most_points
        return 0 if within else Law.OUT_OF_BOUNDS
    return 0


@kernel
def find_lost_pieces(s: Record, f: Record) -> int:
    """Return the first broken law among those that count cards and letters. An empty deck may stop a draw."""
    if has_cards_apart(s, f) == 0:
        return Law.CARDS_LOST
    all_there = s.on_stories + s.letters + s.spent == f.letters
    if not (all_there and stories_solved(s, f) == f.letters - s.on_stories):
        return Law.LETTERS_LOST
    kept = 0 if f.tent == 1 else s.loops * f.loop_cost
    if s.result != Result.LOST and s.ndeck != f.events - f.hand - s.turn * f.draw - kept + s.adventures - s.held:
        return Law.DECK_COUNT
    if s.result != Result.LOST and s.nthrown != s.sevens + s.overflows + kept - s.adventures:
        return Law.DISCARD_COUNT
    return 0


@kernel
def has_cards_apart(s: Record, f: Record) -> int:
    """Return 1 if every event lies in exactly one place."""
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
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill in the events that have left the deck, and the letters that have left their stories."""
    taken[Supply.EVENTS] = f.events - s.ndeck
    taken[Supply.LETTERS] = f.letters - s.on_stories
