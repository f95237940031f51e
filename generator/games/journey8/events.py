"""The end of a game of draft 8 as kernels: held cards one after another, and cards thrown away before the totals."""

from generator.games.engine.kernel import Record, kernel
from generator.games.journey8.effects import ahead, run_effect
from generator.games.journey8.moves import EventOrder, PairDiscard, Phase
from generator.games.journey8.pieces import throw_away
from generator.games.journey8.score import mode_of


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
    if f.event_order == EventOrder.FROM_NEXT:
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
        if (s.done >> card) & 1 == 0 and (f.event_order != EventOrder.BY_NUMBER or f.rank[card] == rank):
            if at >= place and f.alike[card] != last:
                return at
            last = f.alike[card]
    return int(s.held[s.seat])


@kernel
def run_events(s: Record, f: Record) -> None:
    """Applies effects until a choice is due or all are done."""
    groups = s.players * (f.count + 1) if f.event_order == EventOrder.BY_NUMBER else s.players
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
            elif f.event_optional or next_event(s, f, one + 1) < s.held[s.seat]:
                s.phase = Phase.EVENT
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
def decline(s: Record, f: Record) -> None:
    """The owner applies none of the cards that could come next."""
    place = next_event(s, f, 0)
    while place < s.held[s.seat]:
        s.done |= 1 << s.hand[s.seat * f.cards + place]
        place = next_event(s, f, 0)


@kernel
def throw_pairs_away(s: Record, f: Record) -> None:
    """Leaves one card of each number or colour in the hands, where the rules ask for it, and ends the game."""
    s.card = -1
    if f.pair_discard == PairDiscard.NUMBER:
        for seat in range(s.players):
            keep_one_of_each_number(s, f, seat)
    elif f.pair_discard == PairDiscard.COLOUR:
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
    """Throws every bookmark away whose number is that of another before it in the hand."""
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
