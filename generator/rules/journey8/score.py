"""The score of Draft 8: moves of pieces, effects, held cards and points."""

from generator.rules.engine.kernel import Record, Row, insert, kernel, remove
from generator.rules.journey8.state import Mode, Op, Phase, Side

# Cards


@kernel
def draw_card(s: Record) -> int:
    """Take the deck's next card."""
    card: int = s.deck[s.top]
    s.deck[s.top] = 0
    s.top += 1
    return card


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Insert a card into a hand, which stays in ascending order."""
    base = seat * f.cards
    insert(s.hand, base, base + s.held[seat], card)
    s.held[seat] += 1


@kernel
def leave_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Take the card out of the hand; the others close the gap."""
    base = seat * f.cards
    remove(s.hand, base, base + s.held[seat], card)
    s.held[seat] -= 1


@kernel
def lay_out(s: Record, card: int) -> None:
    """Lay a card at the story's right end."""
    s.story[s.laid] = card
    s.laid += 1


@kernel
def throw_away(s: Record, f: Record, seat: int, card: int) -> None:
    """Discard a card of the hand."""
    leave_hand(s, f, seat, card)
    s.discards[s.thrown] = card
    s.thrown += 1


# Counters


@kernel
def gain_counters(s: Record, f: Record, seat: int, side: int, number: int) -> int:
    """Take counters from the supply, with this side up; return how many there were."""
    if number > s.supply:
        s.short[0] += 1
        if f.supply_finite:
            number = s.supply
    s.supply -= number
    if side == Side.SONE:
        s.sone[seat] += number
    else:
        s.coherence[seat] += number
    return number


@kernel
def turn_over(s: Record, seat: int, number: int) -> None:
    """Turn sone into coherence, as far as there is any."""
    number = min(number, s.sone[seat])
    s.sone[seat] -= number
    s.coherence[seat] += number


@kernel
def take_from(s: Record, seat: int, other: int, number: int) -> None:
    """Take sone from another player, as far as there is any."""
    number = min(number, s.sone[other])
    s.sone[other] -= number
    s.sone[seat] += number


# Giving. Whoever gives chooses the recipients in the order of their seats, one sone at a time.


@kernel
def start_giving(s: Record, seat: int, number: int, cap: int) -> None:
    """Give sone to others, at most `cap` to each, as far as possible; the phase is GIVE if there is a choice."""
    others = s.players - 1
    number = min(number, s.sone[seat])
    if number == others * cap:
        s.sone[seat] -= number
        for other in range(s.players):
            if other != seat:
                s.sone[other] += cap
        return
    s.seat = seat
    s.give_left = number
    s.give_cap = cap
    s.give_to = 0
    s.give_same = 0
    s.phase = Phase.GIVE
    give_forced(s)


@kernel
def give_sone(s: Record, other: int) -> None:
    """Give one sone to the chosen recipient."""
    s.sone[s.seat] -= 1
    s.sone[other] += 1
    s.give_left -= 1
    if other == s.give_to:
        s.give_same += 1
    else:
        s.give_to = other
        s.give_same = 1


@kernel
def give_forced(s: Record) -> None:
    """Give sone where there is no choice; the phase leaves GIVE when all is given."""
    while s.give_left > 0:
        other = next_recipient(s, 0)
        if next_recipient(s, other + 1) < s.players:
            return
        give_sone(s, other)
    s.give_cap = 0
    s.give_to = 0
    s.give_same = 0
    s.phase = Phase.RUN


@kernel
def next_recipient(s: Record, seat: int) -> int:
    """Return the first seat from this one on that may get the next sone, or `players` if there is none."""
    for other in range(max(seat, s.give_to), s.players):
        if other != s.seat:
            room = s.give_cap - (s.give_same if other == s.give_to else 0)
            behind = s.players - 1 - other - (1 if s.seat > other else 0)
            if room > 0 and room + s.give_cap * behind >= s.give_left:
                return other
    return s.players


@kernel
def count_ahead(s: Record) -> int:
    """Return the seat's coherence less its sone."""
    return int(s.coherence[s.seat] - s.sone[s.seat])


@kernel
def run_effect(s: Record, f: Record) -> int:
    """Carry out the rest of the card's effect; return 1 if the player has to choose first."""
    card = s.card
    while s.op < f.steps[card]:
        at = 3 * s.op
        op = f.effect[card][at]
        number = f.effect[card][at + 2]
        s.op += 1
        if op == Op.GIVE:
            start_giving(s, s.seat, number, number)
            if s.phase == Phase.GIVE:
                return 1
        elif op == Op.TAKE_ONE:
            if take_forced(s, number) == 0:
                s.phase = Phase.TAKE
                return 1
        elif op == Op.DISCARD_THIS:
            throw_away(s, f, s.seat, card)
        else:
            run_operation(s, f, op, f.effect[card][at + 1], number)
    return 0


@kernel
def run_operation(s: Record, f: Record, op: int, side: int, number: int) -> None:
    """Carry out an operation without choices."""
    if op == Op.GAIN:
        gain_counters(s, f, s.seat, side, number)
    elif op == Op.DROP:
        # Put counters of this side back into the supply, as far as there are any.
        seat = s.seat
        if side == Side.SONE:
            number = min(number, s.sone[seat])
            s.sone[seat] -= number
        else:
            number = min(number, s.coherence[seat])
            s.coherence[seat] -= number
        s.supply += number
    elif op == Op.TURN:
        turn_over(s, s.seat, number)
    elif op == Op.TURN_BACK:
        seat = s.seat
        number = min(number, s.coherence[seat])
        s.coherence[seat] -= number
        s.sone[seat] += number
    elif op == Op.TAKE_EACH:
        for other in range(s.players):
            if other != s.seat:
                take_from(s, s.seat, other, number)
    elif op == Op.ALL_GAIN:
        # What all get moves nobody ahead, so that it is not what the effect brings.
        s.before -= count_ahead(s)
        for i in range(s.players):
            gain_counters(s, f, (s.seat + i) % s.players, side, number)
        s.before += count_ahead(s)


@kernel
def take_forced(s: Record, number: int) -> int:
    """Take sone if at most one other player has any; return 0 if there is a choice."""
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
def key_runs(f: Record, keys: Row, number: int) -> int:
    """Return how often a row of so many cards has adjacent keys."""
    found = length = 0
    for i in range(number):
        length = length + 1 if keys[i] == 1 else 0
        if length == f.run or (length > f.run and f.run_count_adjacent_pairs):
            found += 1
    return found


@kernel
def mode_of(f: Record, keys: Row, number: int) -> int:
    """Return the mode of hand numbers after a row of so many cards."""
    if f.hand_value_ignored:
        return Mode.IGNORED
    if not f.reverse_on:
        return Mode.NORMAL
    if not f.mode_by_key_count:
        return Mode.REVERSE if key_runs(f, keys, number) % 2 == 1 else Mode.NORMAL
    laid = 0
    for i in range(number):
        laid += keys[i]
    mode = Mode.NORMAL
    for i in range(f.modes):
        if f.mode_keys[i] <= laid:
            mode = f.mode_names[i]
    return mode


@kernel
def mode_now(s: Record, f: Record) -> int:
    """Return the present mode of hand numbers."""
    mode: int = s.mode
    return mode if s.scoring else mode_of(f, s.keys, s.laid)


@kernel
def hand_sum(s: Record, f: Record, seat: int) -> int:
    """Return the sum of the numbers in the hand; jokers have none."""
    total: int = 0
    base = seat * f.cards
    for at in range(base, base + s.held[seat]):
        total += f.number[s.hand[at]]
    return total


@kernel
def find_merit(f: Record, mode: int, hand: int, ahead: int) -> int:
    """Return the number by which players are compared, larger is better. `count_ahead` is coherence less sone."""
    if f.aimed:
        return -abs(ahead - int(f.target))
    if mode == Mode.IGNORED:
        return ahead
    return ahead - hand if mode == Mode.NORMAL else ahead + hand


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill in each seat's total as on the score sheet; in Normal, and with a target, the smallest wins."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        total = find_merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        points[seat] = -total if f.aimed or mode == Mode.NORMAL else total


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in places by totals, then by coherence; seats equal in both share their place."""
    mode = mode_now(s, f)
    for seat in range(s.players):
        places[seat] = 1
        mine = find_merit(f, mode, hand_sum(s, f, seat), s.coherence[seat] - s.sone[seat])
        for other in range(s.players):
            theirs = find_merit(f, mode, hand_sum(s, f, other), s.coherence[other] - s.sone[other])
            if theirs > mine or (theirs == mine and s.coherence[other] > s.coherence[seat]):
                places[seat] += 1


@kernel
def sum_promised(s: Record, f: Record, seat: int) -> int:
    """Return the greatest worth of the pending effects for their holder."""
    total = 0
    if f.events:
        base = seat * f.cards
        for at in range(base, base + s.held[seat]):
            if (s.done >> s.hand[at]) & 1 == 0:
                total += f.worth[s.hand[at]]
    return total


@kernel
def begin_scoring(s: Record, f: Record) -> None:
    """Open the hands and apply their effects."""
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
    """Return the owner of the cards to be applied now."""
    first = s.start
    if f.event_order_from_next:
        first = s.current + 1
    return (first + s.group) % s.players


@kernel
def next_event(s: Record, f: Record, place: int) -> int:
    """Return the first place in the hand, from this one on, with a card to apply next, or `held` if there is none.

    Of several equal cards, only the first can be chosen.
    """
    base = s.seat * f.cards
    rank = s.group // s.players
    last = -1
    for at in range(s.held[s.seat]):
        card = s.hand[base + at]
        if (s.done >> card) & 1 == 0 and (not f.event_order_by_number or f.rank[card] == rank):
            if at >= place and f.alike[card] != last:
                return at
            last = f.alike[card]
    return s.held[s.seat]


@kernel
def run_events(s: Record, f: Record) -> None:
    """Apply effects until a choice is due or all are done."""
    groups = s.players * (f.count + 1) if f.event_order_by_number else s.players
    while s.group < groups:
        if s.card >= 0:
            if run_effect(s, f) == 1:
                return
            s.applied += 1
            s.brought += count_ahead(s) - s.before
            s.promised += f.worth[s.card]
            s.card = -1
        else:
            one = next_event(s, f, 0)
            if one == s.held[s.seat]:
                s.group += 1
                s.seat = group_owner(s, f)
            elif f.event_optional or next_event(s, f, one + 1) < s.held[s.seat]:
                s.phase = Phase.EVENT
                return
            else:
                start_event(s, s.hand[s.seat * f.cards + one])
    throw_pairs_away(s, f)


@kernel
def start_event(s: Record, card: int) -> None:
    """Begin the effect of the card."""
    s.card = card
    s.op = 0
    s.done |= 1 << card
    s.before = count_ahead(s)


@kernel
def throw_pairs_away(s: Record, f: Record) -> None:
    """Leave one card of each number or colour in the hands, if the rules ask for it, and end the game."""
    s.card = -1
    if f.pair_discard_number:
        for seat in range(s.players):
            keep_one_of_each_number(s, f, seat)
    elif f.pair_discard_colour:
        for i in range(s.players):
            s.seat = (s.start + i) % s.players
            for colour in range(f.colours):
                s.colour = colour
                if next_of_colour(s, f, next_of_colour(s, f, 0) + 1) < s.held[s.seat]:
                    s.phase = Phase.KEEP
                    return
    s.colour = 0
    s.phase = Phase.DONE
    s.over = 1


@kernel
def keep_one_of_each_number(s: Record, f: Record, seat: int) -> None:
    """Discard every bookmark whose number equals that of an earlier one in the hand."""
    base = seat * f.cards
    at = s.held[seat] - 1
    while at > 0:
        card = s.hand[base + at]
        double = 0
        for i in range(at):
            if f.joker[card] == 0 and f.number[s.hand[base + i]] == f.number[card]:
                double = 1
        if double:
            throw_away(s, f, seat, card)
        at -= 1


@kernel
def next_of_colour(s: Record, f: Record, place: int) -> int:
    """Return the first place in the hand, from this one on, with the colour looked at, or `held` if there is none."""
    base = s.seat * f.cards
    for at in range(place, s.held[s.seat]):
        if f.colour[s.hand[base + at]] == s.colour:
            return at
    return s.held[s.seat]
