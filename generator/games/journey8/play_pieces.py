"""Moving the pieces of draft 8, as kernels: counters between supply and players, cards between their places."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey8.play_codes import GIVE

# Cards


@kernel
def draw_card(s: Record) -> int:
    """Takes the deck's next card."""
    card: int = s.deck[s.top]
    s.deck[s.top] = 0
    s.top += 1
    return card


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """A hand is in ascending order."""
    base = seat * f.cards
    at = base + s.held[seat]
    while at > base and s.hand[at - 1] > card:
        s.hand[at] = s.hand[at - 1]
        at -= 1
    s.hand[at] = card
    s.held[seat] += 1


@kernel
def leave_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Takes the card out of the hand; the others close up."""
    at = seat * f.cards
    s.held[seat] -= 1
    last = at + s.held[seat]
    while s.hand[at] != card:
        at += 1
    while at < last:
        s.hand[at] = s.hand[at + 1]
        at += 1
    s.hand[last] = 0


@kernel
def lay_out(s: Record, card: int) -> None:
    """Lays a card at the story's right end."""
    s.story[s.laid] = card
    s.laid += 1


@kernel
def throw_away(s: Record, f: Record, seat: int, card: int) -> None:
    """From the hand to the discards."""
    leave_hand(s, f, seat, card)
    s.discards[s.thrown] = card
    s.thrown += 1


# Counters


@kernel
def gain(s: Record, f: Record, seat: int, side: int, number: int) -> int:
    """Counters from the supply, with this side (0 sone, 1 coherence) up; answers how many there were to be had."""
    if number > s.supply:
        s.short[0] += 1
        if f.finite == 1:
            number = s.supply
    s.supply -= number
    if side == 0:
        s.sone[seat] += number
    else:
        s.coherence[seat] += number
    return number


@kernel
def drop(s: Record, seat: int, side: int, number: int) -> None:
    """Counters of this side go back to the supply, as far as there are any."""
    if side == 0:
        number = min(number, s.sone[seat])
        s.sone[seat] -= number
    else:
        number = min(number, s.coherence[seat])
        s.coherence[seat] -= number
    s.supply += number


@kernel
def turn_over(s: Record, seat: int, number: int) -> None:
    """Sone becomes coherence, as far as there is any."""
    number = min(number, s.sone[seat])
    s.sone[seat] -= number
    s.coherence[seat] += number


@kernel
def turn_back(s: Record, seat: int, number: int) -> None:
    """Coherence becomes sone, as far as there is any."""
    number = min(number, s.coherence[seat])
    s.coherence[seat] -= number
    s.sone[seat] += number


@kernel
def take_from(s: Record, seat: int, other: int, number: int) -> None:
    """Sone of another player, as far as there is any."""
    number = min(number, s.sone[other])
    s.sone[other] -= number
    s.sone[seat] += number


# Giving. Whoever gives chooses the recipients in the order of their seats, one sone at a time.


@kernel
def start_giving(s: Record, seat: int, number: int, cap: int) -> None:
    """Gives sone to others, at most `cap` to each, as far as there is any; the phase is GIVE if there is a choice."""
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
    s.phase = GIVE
    give_forced(s)


@kernel
def give(s: Record, other: int) -> None:
    """One sone to the recipient chosen."""
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
    """Gives what leaves no choice; the phase is no longer GIVE when all is given."""
    while s.give_left > 0:
        other = next_recipient(s, 0)
        if next_recipient(s, other + 1) < s.players:
            return
        give(s, other)
    s.give_cap = 0
    s.give_to = 0
    s.give_same = 0
    s.phase = -1


@kernel
def next_recipient(s: Record, seat: int) -> int:
    """The first seat from this one on that may get the next sone with takers left for the rest; else `players`."""
    for other in range(max(seat, s.give_to), s.players):
        if other != s.seat:
            room = s.give_cap - (s.give_same if other == s.give_to else 0)
            behind = s.players - 1 - other - (1 if s.seat > other else 0)
            if room > 0 and room + s.give_cap * behind >= s.give_left:
                return other
    return int(s.players)


@kernel
def recipients(s: Record, moves: Row, first: int) -> int:
    """Fills the row with moves, `first` and a seat, for each recipient to choose from; answers how many."""
    number = 0
    other = next_recipient(s, 0)
    while other < s.players:
        moves[number] = first + other
        number += 1
        other = next_recipient(s, other + 1)
    return number
