"""How the cards of a wayfaring table go from one zone to another."""

from generator.games.engine.kernel import Record, chances, kernel, shuffle
from generator.games.wayfaring.moves import Chance, Gap, Zone

# Hands and discards


@kernel
def to_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Puts a card into a hand."""
    s.at[card] = Zone.HAND + seat
    s.hand[seat] |= 1 << f.design[card]
    s.held[seat] += 1


@kernel
def _copy_in(s: Record, f: Record, zone: int, design: int, card: int) -> int:
    """The lowest copy of a design in a zone, from this card on; `f.last` of the design where there is none."""
    while card < f.last[design] and s.at[card] != zone:
        card += 1
    return card


@kernel
def from_hand(s: Record, f: Record, seat: int, design: int) -> int:
    """Takes the lowest copy of a design out of a hand; nothing can tell copies apart. It must go elsewhere at once."""
    card = _copy_in(s, f, Zone.HAND + seat, design, f.first[design])
    if _copy_in(s, f, Zone.HAND + seat, design, card + 1) == f.last[design]:
        s.hand[seat] ^= 1 << design
    s.held[seat] -= 1
    return card


@kernel
def discard(s: Record, f: Record, card: int) -> None:
    """Puts a card that lies in no other zone any more on the discards."""
    s.at[card] = Zone.DISCARDS
    s.discards |= 1 << f.design[card]
    s.discard_count += 1


@kernel
def from_discards(s: Record, f: Record, design: int) -> int:
    """Takes the lowest copy of a design out of the discards."""
    card = _copy_in(s, f, Zone.DISCARDS, design, f.first[design])
    if _copy_in(s, f, Zone.DISCARDS, design, card + 1) == f.last[design]:
        s.discards ^= 1 << design
    s.discard_count -= 1
    return card


# The deck


@kernel
def drawable(s: Record, f: Record) -> int:
    """Whether a card can be drawn, if need be after a reshuffle."""
    if s.deck_count > 0:
        return 1
    return 1 if f.deck_out_reshuffle and s.discard_count > 0 and s.reshuffled < f.rule_reshuffles else 0


@kernel
def draw(s: Record, f: Record, seat: int) -> int:
    """The top card of the deck into a hand: 1, or 0 where there is none. Of an empty deck the draft says nothing."""
    if s.deck_count == 0:
        if s.hole == 0:
            s.hole = Gap.EMPTY_DECK
        if drawable(s, f) == 0:
            s.nothing_drawn = 1
            return 0
        reshuffle(s, f)
    top = s.deck_top
    card = s.deck[top]
    s.deck[top] = 0
    s.deck_top = top + 1 if top + 1 < f.deck_cards else 0
    s.deck_count -= 1
    to_hand(s, f, seat, card)
    return 1


@kernel
def reshuffle(s: Record, f: Record) -> None:
    """The discards become the deck, which is empty."""
    number = 0
    for card in range(f.deck_cards):
        if s.at[card] == Zone.DISCARDS:
            s.at[card] = Zone.DECK
            s.deck[number] = card
            number += 1
    shuffle(chances(s.rng, Chance.DECK), s.deck, 0, number)
    s.deck_top, s.deck_count = 0, number
    s.discards, s.discard_count = 0, 0
    s.reshuffled += 1


@kernel
def under_deck(s: Record, f: Record, card: int) -> None:
    """Puts a card on the bottom of the deck."""
    s.at[card] = Zone.DECK
    s.deck[(s.deck_top + s.deck_count) % f.deck_cards] = card
    s.deck_count += 1


# Paths


@kernel
def lay_down(s: Record, f: Record, seat: int, card: int, by: int) -> None:
    """A card face down at the future end of a path."""
    place = seat * f.deck_cards + s.length[seat]
    s.path[place] = card
    s.by[place] = by
    s.at[card] = Zone.DOWN + seat
    s.length[seat] += 1


@kernel
def count_up(s: Record, f: Record, seat: int, card: int, number: int) -> None:
    """Counts a face-up card of a path in or out."""
    s.memories[seat] += number
    s.most_memories[seat] = max(s.most_memories[seat], s.memories[seat])
    terrain = f.terrain[f.design[card]]
    if terrain > 0:
        s.seen[seat * f.terrains] += number
        s.seen[seat * f.terrains + terrain] += number


@kernel
def turn_up(s: Record, f: Record, seat: int) -> int:
    """Turns the most past of the face-down cards up; there must be one. Answers the card."""
    card: int = s.path[seat * f.deck_cards + s.memories[seat]]
    s.at[card] = Zone.UP + seat
    count_up(s, f, seat, card, 1)
    return card


@kernel
def lay_past(s: Record, f: Record, seat: int, card: int) -> None:
    """A card face up at the past end of a path."""
    start = seat * f.deck_cards
    for place in range(start + s.length[seat], start, -1):
        s.path[place] = s.path[place - 1]
        s.by[place] = s.by[place - 1]
    s.path[start], s.by[start] = card, seat
    s.at[card] = Zone.UP + seat
    s.length[seat] += 1
    count_up(s, f, seat, card, 1)


@kernel
def off_path(s: Record, f: Record, seat: int, place: int) -> int:
    """Takes the card at a place of a path away, later ones close up; it must go elsewhere at once."""
    start = seat * f.deck_cards
    card: int = s.path[start + place]
    if s.at[card] == Zone.UP + seat:
        count_up(s, f, seat, card, -1)
    last = start + s.length[seat] - 1
    for i in range(start + place, last):
        s.path[i] = s.path[i + 1]
        s.by[i] = s.by[i + 1]
    s.path[last], s.by[last] = 0, 0
    s.length[seat] -= 1
    return card


@kernel
def bury(s: Record, f: Record, seat: int) -> None:
    """The face-down card furthest in the future goes under the deck, unseen; there must be one."""
    under_deck(s, f, off_path(s, f, seat, s.length[seat] - 1))


# Characters and areas, by their bits


@kernel
def appear(s: Record, f: Record) -> int:
    """The top character comes on display: answers 1 + its bit, or 0 where there is none."""
    if s.line_count == 0:
        return 0
    top = s.line_top
    card = s.line[top]
    s.line[top] = 0
    s.line_top = top + 1 if top + 1 < f.characters_printed else 0
    s.line_count -= 1
    s.at[card] = Zone.DISPLAY
    s.display |= 1 << (card - f.first_area)
    s.shown += 1
    return card - f.first_area + 1  # type: ignore[no-any-return]


@kernel
def off_display(s: Record, f: Record, entry: int) -> None:
    """Takes a character off the display; it must go elsewhere at once."""
    s.display ^= 1 << entry
    s.shown -= 1


@kernel
def set_aside(s: Record, f: Record, entry: int) -> None:
    """Takes a character off the display again, to be shuffled back into the character deck."""
    off_display(s, f, entry)
    s.at[f.first_area + entry] = Zone.CHARACTERS


@kernel
def under_line(s: Record, f: Record, entry: int) -> None:
    """Puts a character on the bottom of the character deck."""
    card = f.first_area + entry
    s.at[card] = Zone.CHARACTERS
    s.line[(s.line_top + s.line_count) % f.characters_printed] = card
    s.line_count += 1


@kernel
def shuffle_line(s: Record, f: Record) -> None:
    """Mixes the character deck, which then begins at the start of its row."""
    for card in range(f.deck_cards, f.cards):
        s.line[card - f.deck_cards] = 0
    count = 0
    for card in range(f.deck_cards, f.cards):
        if s.at[card] == Zone.CHARACTERS:
            s.line[count] = card
            count += 1
    shuffle(chances(s.rng, Chance.CHARACTERS), s.line, 0, count)
    s.line_top, s.line_count = 0, count


@kernel
def into_area(s: Record, f: Record, seat: int, entry: int) -> None:
    """A companion or cursed item comes into an area."""
    s.at[f.first_area + entry] = Zone.AREA + seat
    s.area[seat] |= 1 << entry
    if f.characters >> entry & 1:
        s.companions[seat] += 1
    else:
        s.cursed[seat] += 1


@kernel
def out_of_area(s: Record, f: Record, seat: int, entry: int) -> None:
    """A card leaves an area, and its marks with it; it must go elsewhere at once."""
    bit = 1 << entry
    s.area[seat] ^= bit
    s.used &= ~bit
    s.joined &= ~bit
    if f.characters >> entry & 1:
        s.companions[seat] -= 1
    else:
        s.cursed[seat] -= 1


@kernel
def to_stack(s: Record, card: int) -> None:
    """A declared card waits to be resolved."""
    s.at[card] = Zone.STACK
