"""Draft 18 as it is told.

Flags like `f.solve_optional` are in readings.yaml ("E20 on": it is on), numbers like `f.draw` in rules.yaml.
"""

from collections.abc import Iterator

from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import Record, kernel, next_chances, shuffle
from generator.rules.engine.story import Story, choose, mark_start, offer, once, story
from generator.rules.journey18.state import (
    MOST_CARDS,
    NONE,
    STATE,
    Chance,
    Move,
    Op,
    Phase,
    Result,
    can_copy,
    draw_cards,
    find_copied,
    find_solvable,
    find_swap,
    move_white,
    pair_days,
    pawn_days,
    place_card,
    put_at_bottom,
    put_on_top,
    reveal_top,
    set_black,
    swap_events,
    take_from_hand,
)

# Preparation of the game


@kernel
def deal(s: Record, f: Record) -> None:
    """Lay out the locations, the Millennium Tree last; shuffle the events, draw a hand. Items: as many as liked."""
    lay_out(s, f)
    number = 0
    for location in range(f.locations):
        if location != f.final:
            s.place[number] = location
            number += 1
    shuffle(next_chances(s.rng, Chance.PLACES), s.place, 0, number)
    s.place[number] = f.final
    for card in range(f.events):
        s.deck[card] = card
    s.ndeck = f.events
    shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, s.ndeck)
    draw_cards(s, f.hand, 0)
    if f.radio_always:  # E24 on
        reveal_top(s, f)


@kernel
def lay_out(s: Record, f: Record) -> None:
    """Set the fields that don't start at zero: pawns on the first day, letters on stories, no events placed."""
    s.white = s.black[0] = s.black[1] = f.first
    s.on_stories = f.letters
    s.playing = NONE
    for card in range(f.events):
        s.at[card] = NONE


# Course of the game


@story
def game(s: Record, f: Record) -> None:
    """Play turns until the trip has reached its end, or a card that must be drawn is lacking."""
    while True:
        # 1: Refill (E3); no card to draw loses. Letters may come first, unless declined and nothing has happened since.
        mark_start(1)
        if s.passed == 0:
            use_letters(s, f, Phase.REFILL)
        s.passed = s.solves = 0
        if draw_cards(s, f.draw, 1) == 0:
            return
        reveal_top(s, f)
        s.turn += 1

        # 2: Move. Past the last day, white loops: the deck's top card is discarded; without one, the game is lost.
        # Letters may come before a loop (E12 on), or before any move if none leads back over day 1 (E8 on: one does).
        mark_start(2)
        answer = choose(Phase.CARD, list_hand, Move.PLAY)
        s.power = 0
        s.playing = answer - Move.PLAY
        take_from_hand(s, s.playing)
        if f.letter_windows_all and (s.white + f.number[s.playing] > f.last or f.memory_backward_wrap == 0):
            use_letters(s, f, Phase.LOOP)
        before = pawn_days(s, f)
        if move_white(s, f, f.number[s.playing]) == 0:
            return
        answer = choose(Phase.BLACK, list_ways)
        set_black(s, answer - Move.BLACK)
        s.drift = (pawn_days(s, f) - before) % f.days

        # 3: Action. The card goes next to the location; the outermost of too many is discarded, or any on the last day.
        place_card(s, f)

        # 4: Events, the nearest first; each suit has one effect, and events that were swapped have none (E16).
        mark_start(4)
        while s.next < s.ntodo:
            s.source = s.todo[s.next]
            s.next += 1
            if s.source != NONE and (s.fired >> f.suit[s.source]) & 1 == 0:
                apply_effect(s, f)
                if s.over:
                    return

        # 5: Resolution
        mark_start(5)
        solve_stories(s, f)

        # 6: End. A win scores deck, letters, locations whose events share a key icon (1 for one event, 0 for none, E1),
        # minus penalties of items; with the Camera by the row `union` of rules.yaml (E2). See `points_now` in score.py.
        mark_start(6)
        if s.solved == f.stories:
            if s.passed == 0:
                use_letters(s, f, Phase.END)
            if s.white == f.last and s.black[0] == f.last and s.black[1] == f.last:
                s.result = Result.WON
                s.over = 1
                return
            s.passed = 0 if s.white == f.last else 1  # elsewhere, a letter would do no more now than in the refill


@story
def solve_stories(s: Record, f: Record) -> None:
    """Solve one story or none, with an event of its suit for each pawn where it is (E21); letters may come first."""
    s.may_solve = 1
    while (f.letter_windows_all and s.letters >= f.memory_cost) or (s.may_solve and find_solvable(s, f)):
        answer = choose(Phase.SOLVE, list_stories)
        if use_letter(s, f, answer):
            continue
        if answer == Move.PASS:
            # Where a solvable story must be solved, a letter now is not the same as one after the resolution.
            s.passed = 1 if f.letter_windows_all and f.solve_optional else 0  # E12 on, E20 on
            return
        s.solved |= 1 << (answer - Move.SOLVE)
        s.on_stories -= 1
        s.letters += 1
        s.solves += 1
        s.may_solve = 0
        if f.solve_per_turn_1:  # E20b on
            return


# Letters


@story
def use_letters(s: Record, f: Record, moment: int) -> None:
    """Use letters one after another, as many as the player likes; `moment` is the phase of this choice."""
    while s.letters >= f.memory_cost:
        answer = choose(moment, list_letters)
        if use_letter(s, f, answer) == 0:
            break


@kernel
def use_letter(s: Record, f: Record, move: int) -> int:
    """Carry out a move that uses a letter; return 0 for any other, with which a common use of letters ends."""
    if not Move.MEMORY <= move < Move.SWAP:
        s.power = 0
        return 1 if move == Move.APART else 0
    if f.memory_multi_simultaneous and s.power == 0:  # E10 off
        s.power = memory_power(s, f)
    if move < Move.RECALL:
        set_black(s, move - Move.MEMORY)
        if f.solve_per_turn_many_sequential:  # E20b off
            s.may_solve = 1
    else:
        s.thrown[move - Move.RECALL] = 0
        s.nthrown -= 1
        put_on_top(s, move - Move.RECALL)
        s.adventures += 1
    s.letters -= f.memory_cost
    s.spent += f.memory_cost
    return 1


@kernel
def memory_power(s: Record, f: Record) -> int:
    """Return the distance that a Location Memory moves now: the letters in hand before one is paid (E9)."""
    if s.power > 0:
        return s.power
    if f.memory_power_solved_count:  # E9 off
        return f.letters - s.on_stories
    return s.letters if f.memory_power_before else s.letters - f.memory_cost  # E9 on


# Effects. `s.source` is the event whose effect it is, `s.job` the one whose text is carried out (another one while it
# is copied), `s.line` the operation there, `s.left` how much of it is left to do.


@story
def apply_effect(s: Record, f: Record) -> None:
    """Carry out possible operations; no card to draw loses (E13b). A declined effect ends, and doesn't count (E17)."""
    if f.suit_once_first_card_only:  # E17 off
        s.fired |= 1 << f.suit[s.source]
    s.job = s.source
    go_to_operation(s, f, 0)
    while f.op[s.job][s.line] != Op.END:
        kind = f.op[s.job][s.line]
        if kind == Op.STEP_BLACK:
            answer = choose(Phase.STEP, list_steps)
        elif kind == Op.SWAP_EVENTS and find_swap(s, f, 0):
            answer = choose(Phase.SWAP, list_swaps)
        elif kind == Op.DRAW_CARDS:
            answer = Move.DRAW
            if takes_letters(s, f) or (f.yellow_optional and (s.ndeck > 0 or f.yellow_empty_lose)):  # E13 off
                answer = choose(Phase.DRAW, list_draw)
        elif kind == Op.RETURN_CARDS and s.left > 0 and s.nhand > 0:
            answer = choose(Phase.RETURN, list_returns)
        elif kind == Op.COPY_NEIGHBOUR and can_copy(s, f):
            answer = choose(Phase.COPY, list_copies)
        elif kind == Op.BRING_BLACK and (s.black[0] != s.white or s.black[1] != s.white or takes_letters(s, f)):
            answer = choose(Phase.BRING, list_arrivals)
        else:
            go_to_operation(s, f, s.line + 1)
            continue
        if use_letter(s, f, answer):
            continue
        if answer == Move.PASS or carry_out(s, f, answer) == 0:
            break


@kernel
def go_to_operation(s: Record, f: Record, line: int) -> None:
    """Go to an operation of the effect, the one on this line (from 0) of its list."""
    s.line = line
    s.left = f.amount[s.job][line]


@kernel
def carry_out(s: Record, f: Record, move: int) -> int:
    """Carry out an operation: the effect is used, its suit has no more this turn. Return 0 if no card can be drawn."""
    kind = f.op[s.job][s.line]
    line = s.line + 1
    if kind == Op.RETURN_CARDS:
        card = move - (Move.BOTTOM if move >= Move.BOTTOM else Move.TOP)
        take_from_hand(s, card)
        if move >= Move.BOTTOM:
            put_at_bottom(s, card)
        else:
            put_on_top(s, card)
        s.held -= 1
        s.left -= 1
        if s.left == 0:
            reveal_top(s, f)
            go_to_operation(s, f, line)
        return 1
    if kind == Op.SWAP_EVENTS:
        swap_events(s, f, (move - Move.SWAP) // MOST_CARDS, (move - Move.SWAP) % MOST_CARDS)
    elif kind == Op.DRAW_CARDS:
        s.held -= s.nhand
        drawn = draw_cards(s, s.left, 1 - f.yellow_empty_skip)  # E13b off
        s.held += s.nhand
        if drawn == 0:
            return 0
        if f.radio_always:  # E24 on
            reveal_top(s, f)
    elif kind == Op.COPY_NEIGHBOUR:
        s.copied[s.job] = s.turn
        s.job = move - Move.COPY
        line = 0
    else:
        set_black(s, move - Move.BLACK)
    s.fired |= 1 << f.suit[s.source]
    s.used[s.source] = s.turn
    go_to_operation(s, f, line)
    return 1


@kernel
def takes_letters(s: Record, f: Record) -> int:
    """Return 1 if a letter may be used now, before the effect of an event (E12)."""
    fresh = f.letter_windows_all and s.letters >= f.memory_cost and s.job == s.source and s.line == 0
    return 1 if fresh else 0


# What each choice offers


@offer
def list_hand(s: Record, f: Record, kind: int) -> Iterator[int]:
    """Offer a move of the kind for each card of the hand."""
    for i in range(s.nhand):
        yield kind + s.hand[i]


@offer
def list_returns(s: Record, f: Record) -> Iterator[int]:
    """Offer to return any card of the hand to the top or to the bottom of the deck."""
    yield from list_hand(s, f, Move.TOP)
    yield from list_hand(s, f, Move.BOTTOM)


@offer
def list_ways(s: Record, f: Record) -> Iterator[int]:
    """Offer to move one black pawn forward by the rest of `f.move_total`; with the Map, both may share it."""
    for share in range(s.rest + 1):
        if f.map or share in (0, s.rest):
            yield once(Move.BLACK + pair_days((s.black[0] + share) % f.days, (s.black[1] + s.rest - share) % f.days))


@offer
def list_letters(s: Record, f: Record) -> Iterator[int]:
    """Offer to use no letter, or one."""
    yield Move.PASS
    yield from list_memories(s, f)


@offer
def list_memories(s: Record, f: Record) -> Iterator[int]:
    """Offer both memories: days that black pawns reach, each in one direction (E7), also over day 1 (E8); discards."""
    if s.letters < f.memory_cost:
        return
    if s.power > 0:
        yield Move.APART
    far = memory_power(s, f)
    for one in range(far + 1 if far > 0 else 0):
        other = far - one
        if f.map == 0 and one > 0 and other > 0:
            continue
        for first in range(-one, one + 1, 2 if f.memory_direction_per_step else max(1, 2 * one)):
            if f.memory_backward_wrap == 0 and s.black[0] + first < 0:
                continue
            for second in range(-other, other + 1, 2 if f.memory_direction_per_step else max(1, 2 * other)):
                if f.memory_backward_wrap or s.black[1] + second >= 0:
                    days = pair_days((s.black[0] + first) % f.days, (s.black[1] + second) % f.days)
                    yield once(Move.MEMORY + days)
    if s.nthrown > 0:
        for card in range(f.events):
            if s.thrown[card]:
                yield Move.RECALL + card


@offer
def list_steps(s: Record, f: Record) -> Iterator[int]:
    """Offer to move either black pawn forward or back."""
    far = f.amount[s.job][s.line]
    for which in range(2):
        still = s.black[1 - which]
        yield once(Move.BLACK + pair_days((s.black[which] + far) % f.days, still))
        yield once(Move.BLACK + pair_days((s.black[which] - far) % f.days, still))
    if takes_letters(s, f):
        yield from list_memories(s, f)


@offer
def list_swaps(s: Record, f: Record) -> Iterator[int]:
    """Offer to swap nothing, or two placed events of one number."""
    yield Move.PASS
    if takes_letters(s, f):
        yield from list_memories(s, f)
    pair = find_swap(s, f, 0)
    while pair:
        yield Move.SWAP + pair
        pair = find_swap(s, f, pair)


@offer
def list_draw(s: Record, f: Record) -> Iterator[int]:
    """Offer to draw, and by a reading to decline (E13)."""
    if f.yellow_optional:
        yield Move.PASS
    yield Move.DRAW
    if takes_letters(s, f):
        yield from list_memories(s, f)


@offer
def list_copies(s: Record, f: Record) -> Iterator[int]:
    """Offer to copy nothing, or a neighbour's effect, used or not (E37), unless it copies, too (E18)."""
    yield Move.PASS
    for side in range(4):
        card = find_copied(s, f, side)
        if card != NONE:
            yield once(Move.COPY + card)
    if takes_letters(s, f):
        yield from list_memories(s, f)


@offer
def list_arrivals(s: Record, f: Record) -> Iterator[int]:
    """Offer to bring no black pawn to the white one, or one that stands elsewhere."""
    yield Move.PASS
    for which in range(2):
        if s.black[which] != s.white:
            yield once(Move.BLACK + pair_days(s.white, s.black[1 - which]))
    if takes_letters(s, f):
        yield from list_memories(s, f)


@offer
def list_stories(s: Record, f: Record) -> Iterator[int]:
    """Offer to solve none (E20 on), or one of the stories that can be solved; by E12, also letters."""
    found = find_solvable(s, f) if s.may_solve else 0
    if found == 0 or f.solve_optional:
        yield Move.PASS
    for suit in range(f.suits):
        if (found >> suit) & 1:
            yield Move.SOLVE + suit
    if f.letter_windows_all:
        yield from list_memories(s, f)


def most_moves(box: Box) -> int:
    """Return a bound: declining, letters for all pairs of days and discards, every swap, story and card of the hand."""
    events, days, suits = (box.get_number(name) for name in ("events", "days", "suits"))
    return 3 + days * days + 3 * events + suits + events * (events - 1) // 2


STORY = Story(game, STATE, deal)
