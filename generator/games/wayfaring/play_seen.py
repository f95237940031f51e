"""What a seat at a wayfaring table can see and know, and how good things look for it."""

from generator.games.engine.kernel import Record, Row, kernel, shuffle
from generator.games.wayfaring.play_codes import DECK, DOWN, HAND, THROW, WAIT_STEP
from generator.games.wayfaring.play_end import needed
from generator.games.wayfaring.play_zones import shuffle_line


@kernel
def knows(s: Record, f: Record, seat: int, owner: int, place: int) -> int:
    """Whether a seat knows a face-down card: whoever placed it does, and by E12 perhaps the path's owner."""
    if s.by[owner * f.deck_cards + place] == seat:
        return 1
    return 1 if f.owner_may_peek and owner == seat else 0


@kernel
def _is_unseen(s: Record, f: Record, seat: int, card: int) -> int:
    at = s.at[card]
    if at == DECK:
        return 1
    if HAND <= at < HAND + s.players:
        return 1 if at != HAND + seat else 0
    if DOWN <= at < DOWN + s.players:
        owner = at - DOWN
        for place in range(s.memories[owner], s.length[owner]):
            if s.path[owner * f.deck_cards + place] == card:
                return 1 - knows(s, f, seat, owner, place)
    return 0


@kernel
def _gather(s: Record, f: Record, seat: int) -> int:
    """Puts all unseen cards in mixed order at the front of the deck's row; their places are yet to be given out.

    In `s.at` they bear a negative number until they lie somewhere again.
    """
    number = 0
    for card in range(f.deck_cards):
        if _is_unseen(s, f, seat, card):
            number += 1
            s.at[card] = -s.at[card]
    for place in range(f.deck_cards):
        s.deck[place] = 0
    found = 0
    for card in range(f.deck_cards):
        if s.at[card] < 0:
            s.deck[found] = card
            found += 1
    shuffle(s.rng, s.deck, 0, number)
    return number


@kernel
def _pick(s: Record, f: Record, number: int, designs: int) -> int:
    """Takes the first gathered card of some designs; answers it, the others close up."""
    at = 0
    while at < number - 1 and designs >> f.design[s.deck[at]] & 1 == 0:
        at += 1
    card: int = s.deck[at]
    for place in range(at, number - 1):
        s.deck[place] = s.deck[place + 1]
    s.deck[number - 1] = 0
    return card


@kernel
def _deal_paths(s: Record, f: Record, seat: int, number: int) -> int:
    """Face-down cards: who placed one tells whether it is a destination or a trouble. Answers how many are left."""
    for owner in range(s.players):
        for place in range(s.memories[owner], s.length[owner]):
            if knows(s, f, seat, owner, place) == 0:
                at = owner * f.deck_cards + place
                own = s.by[at] == owner
                card = _pick(s, f, number, f.destination_designs if own else f.trouble_designs)
                s.path[at] = card
                s.at[card] = DOWN + owner
                number -= 1
    return number


@kernel
def _deal_hand(s: Record, f: Record, seat: int, number: int) -> int:
    """Another seat's hand; one who is choosing destinations to discard is known to have some."""
    sure = 0
    if s.wait == WAIT_STEP and s.kind == THROW and s.seat == seat and s.options == f.destination_designs:
        sure = s.frame_left[s.frames - 1]
    s.hand[seat] = 0
    for card in range(s.held[seat]):
        picked = _pick(s, f, number, f.destination_designs if card < sure else -1)
        number -= 1
        s.at[picked] = HAND + seat
        s.hand[seat] |= 1 << f.design[picked]
    return number


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes decks, other hands and unknown face-down cards.

    A seat remembers what it placed on paths; what lay open once and lies hidden now it has forgotten.
    """
    number = _gather(s, f, seat)
    number = _deal_paths(s, f, seat, number)
    for other in range(s.players):
        if other != seat:
            number = _deal_hand(s, f, other, number)
    for place in range(number):
        s.at[s.deck[place]] = DECK
    s.deck_top, s.deck_count = 0, number
    shuffle_line(s, f)


# Points, places and what bots go by


@kernel
def standing(s: Record, seat: int) -> int:
    """The memories of a seat, or those it had when it dropped out."""
    return s.out_memories[seat] if s.out[seat] else s.memories[seat]  # type: ignore[no-any-return]


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Memories; those who dropped out have what they had then."""
    for seat in range(s.players):
        points[seat] = standing(s, seat)


@kernel
def _merit(s: Record, seat: int) -> int:
    """Winners before those in the game before those who are out, later before earlier; then memories."""
    if s.winners >> seat & 1:
        return 1 << 20
    merit: int = s.out_turn[seat] * 100 + s.out_memories[seat] if s.out[seat] else (1 << 18) + s.memories[seat]
    return merit


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """One more than the number of seats that did better."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if _merit(s, other) > _merit(s, seat):
                places[seat] += 1


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Memories above all; then a hand to live on, cards ahead, companions, and others far from winning."""
    if s.over:
        return 1_000_000 if s.winners >> seat & 1 else -1_000_000
    if s.out[seat]:
        return -1_000_000
    held, ahead = s.held[seat], s.length[seat] - s.memories[seat]
    worth = 100 * (s.memories[seat] + f.rule_memories - needed(s, f, seat)) - 40 * s.marks[seat]
    worth += 60 * min(held, 2) + 25 * min(max(held - 2, 0), 2) + 4 * max(held - 4, 0)
    worth += 35 * min(ahead, 2) + 5 * max(ahead - 2, 0) + 15 * s.companions[seat]
    if held == 0:
        worth -= 500
    most = 0
    for other in range(s.players):
        if other != seat and s.out[other] == 0:
            most = max(most, s.memories[other] * 20 + min(s.held[other], 3) * 5)
    return worth - most  # type: ignore[no-any-return]
