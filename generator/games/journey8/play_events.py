"""The end of a game of draft 8 as kernels: the mode, the effects of held cards, cards thrown away before the totals."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey8.play_codes import (
    ALL_GAIN,
    BY_COLOURS,
    BY_NUMBERS,
    DISCARD,
    DONE,
    DROP,
    EVENT,
    FROM_NEXT,
    GAIN,
    GIVE,
    GIVE_AWAY,
    IGNORED,
    KEEP,
    NORMAL,
    REVERSE,
    TAKE,
    TAKE_EACH,
    TAKE_ONE,
    TURN_BACK,
    TURN_OVER,
)
from generator.games.journey8.play_pieces import (
    drop,
    gain,
    start_giving,
    take_from,
    throw_away,
    turn_back,
    turn_over,
)

# The mode


@kernel
def key_runs(f: Record, keys: Row, number: int) -> int:
    """How often a row of so many cards has keys side by side."""
    found = length = 0
    for i in range(number):
        length = length + 1 if keys[i] == 1 else 0
        if length == f.run or (length > f.run and f.pairs_count == 1):
            found += 1
    return found


@kernel
def mode_of(f: Record, keys: Row, number: int) -> int:
    """How hand numbers count after a row of so many cards."""
    if f.ignored == 1:
        return IGNORED
    if f.reverse == 0:
        return NORMAL
    if f.by_count == 0:
        return REVERSE if key_runs(f, keys, number) % 2 == 1 else NORMAL
    laid = 0
    for i in range(number):
        laid += keys[i]
    mode = NORMAL
    for i in range(f.modes):
        if f.mode_keys[i] <= laid:
            mode = f.mode_names[i]
    return mode


# The order of events: one group of cards after another, whose owner chooses among them


@kernel
def begin_scoring(s: Record, f: Record) -> None:
    """Hands are laid open, and their effects are applied."""
    s.scoring = 1
    s.held_at_end = 0
    for seat in range(s.players):
        s.held_at_end += s.held[seat]
    s.card = -1
    s.key_end = 1 if 0 < f.key_end <= s.keys_laid else 0
    s.mode = mode_of(f, s.keys, s.laid)
    s.group = 0
    s.done = 0
    if f.events == 0:
        s.done = (1 << f.cards) - 1
        throw_pairs_away(s, f)
    else:
        s.seat = group_owner(s, f)
        run_events(s, f)


@kernel
def group_owner(s: Record, f: Record) -> int:
    """Whose cards are to be applied now."""
    first = s.start
    if f.event_order == FROM_NEXT:
        first = s.current + 1
    return int((first + s.group) % s.players)


@kernel
def next_event(s: Record, f: Record, place: int) -> int:
    """The first place in the seat's hand, from this one on, whose card may be applied next; `held` for none.

    Of several cards that are alike only the first is there to choose.
    """
    base = s.seat * f.cards
    rank = s.group // s.players
    last = -1
    for at in range(s.held[s.seat]):
        card = s.hand[base + at]
        if (s.done >> card) & 1 == 0 and (f.by_number == 0 or f.rank[card] == rank):
            if at >= place and f.alike[card] != last:
                return at
            last = f.alike[card]
    return int(s.held[s.seat])


@kernel
def run_events(s: Record, f: Record) -> None:
    """Applies effects until a choice is due or all are done."""
    groups = s.players * (f.count + 1) if f.by_number == 1 else s.players
    while s.group < groups:
        if s.card >= 0:
            if run_effect(s, f) == 1:
                return
            s.applied += 1
            s.brought += ahead(s) - s.before
            s.promised += f.worth[s.card]
            s.card = -1
        else:
            one = next_event(s, f, 0)
            if one == s.held[s.seat]:
                s.group += 1
                s.seat = group_owner(s, f)
            elif f.optional == 1 or next_event(s, f, one + 1) < s.held[s.seat]:
                s.phase = EVENT
                return
            else:
                start_event(s, s.hand[s.seat * f.cards + one])
    throw_pairs_away(s, f)


@kernel
def start_event(s: Record, card: int) -> None:
    """The card's effect is the next."""
    s.card = card
    s.op = 0
    s.done |= 1 << card
    s.before = ahead(s)


@kernel
def ahead(s: Record) -> int:
    """By how much the seat's coherence exceeds its sone."""
    return int(s.coherence[s.seat] - s.sone[s.seat])


@kernel
def decline(s: Record, f: Record) -> None:
    """The owner applies none of the cards that could come next."""
    place = next_event(s, f, 0)
    while place < s.held[s.seat]:
        s.done |= 1 << s.hand[s.seat * f.cards + place]
        place = next_event(s, f, 0)


# Effects


@kernel
def run_effect(s: Record, f: Record) -> int:
    """Carries out what is left of the card's effect; answers 1 when the player has to choose first."""
    card = s.card
    while s.op < f.steps[card]:
        at = 3 * s.op
        op = f.effect[card][at]
        number = f.effect[card][at + 2]
        s.op += 1
        if op == GIVE_AWAY:
            start_giving(s, s.seat, number, number)
            if s.phase == GIVE:
                return 1
        elif op == TAKE_ONE:
            if take_forced(s, number) == 0:
                s.phase = TAKE
                return 1
        elif op == DISCARD:
            throw_away(s, f, s.seat, card)
        else:
            change(s, f, op, f.effect[card][at + 1], number)
    return 0


@kernel
def change(s: Record, f: Record, op: int, side: int, number: int) -> None:
    """An operation that leaves nothing to choose."""
    if op == GAIN:
        gain(s, f, s.seat, side, number)
    elif op == DROP:
        drop(s, s.seat, side, number)
    elif op == TURN_OVER:
        turn_over(s, s.seat, number)
    elif op == TURN_BACK:
        turn_back(s, s.seat, number)
    elif op == TAKE_EACH:
        for other in range(s.players):
            if other != s.seat:
                take_from(s, s.seat, other, number)
    elif op == ALL_GAIN:
        # What all get moves nobody ahead, so that it is not what the effect brings.
        s.before -= ahead(s)
        for i in range(s.players):
            gain(s, f, (s.seat + i) % s.players, side, number)
        s.before += ahead(s)


@kernel
def take_forced(s: Record, number: int) -> int:
    """Takes sone where at most one other player has any; answers 0 when there is a choice."""
    able = 0
    other = 0
    for seat in range(s.players):
        if seat != s.seat and s.sone[seat] > 0:
            able += 1
            other = seat
    if able > 1:
        return 0
    if able == 1:
        take_from(s, s.seat, other, number)
    return 1


@kernel
def take(s: Record, f: Record, other: int) -> None:
    """Takes from the player chosen: as much as the operation before the next one says."""
    take_from(s, s.seat, other, f.effect[s.card][3 * (s.op - 1) + 2])


# Cards thrown away before the totals


@kernel
def throw_pairs_away(s: Record, f: Record) -> None:
    """Leaves one card of each number or colour in the hands, where the rules ask for it, and ends the game."""
    s.card = -1
    if f.pair_discard == BY_NUMBERS:
        for seat in range(s.players):
            keep_one_of_each_number(s, f, seat)
    elif f.pair_discard == BY_COLOURS:
        for i in range(s.players):
            s.seat = (s.start + i) % s.players
            for colour in range(f.colours):
                s.colour = colour
                if next_of_colour(s, f, next_of_colour(s, f, 0) + 1) < s.held[s.seat]:
                    s.phase = KEEP
                    return
    s.colour = 0
    s.phase = DONE
    s.over = 1


@kernel
def keep_one_of_each_number(s: Record, f: Record, seat: int) -> None:
    """Throws every bookmark away whose number is that of another before it in the hand."""
    base = seat * f.cards
    at = s.held[seat] - 1
    while at > 0:
        card = s.hand[base + at]
        double = 0
        for i in range(at):
            if f.joker[card] == 0 and f.number[s.hand[base + i]] == f.number[card]:
                double = 1
        if double == 1:
            throw_away(s, f, seat, card)
        at -= 1


@kernel
def next_of_colour(s: Record, f: Record, place: int) -> int:
    """The first place in the seat's hand, from this one on, with a card of the colour looked at; else `held`."""
    base = s.seat * f.cards
    for at in range(place, s.held[s.seat]):
        if f.colour[s.hand[base + at]] == s.colour:
            return at
    return int(s.held[s.seat])


@kernel
def keep(s: Record, f: Record, card: int) -> None:
    """Throws all other cards of its colour away."""
    base = s.seat * f.cards
    at = s.held[s.seat] - 1
    while at >= 0:
        other = s.hand[base + at]
        if other != card and f.colour[other] == f.colour[card]:
            throw_away(s, f, s.seat, other)
        at -= 1
    throw_pairs_away(s, f)
