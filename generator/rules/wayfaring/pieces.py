"""The pieces of The Wayfaring Book: moving cards between zones, and the requirements of effects."""

from generator.rules.engine.kernel import Record, iter_members, kernel, next_chances, shuffle, take_at, take_out
from generator.rules.wayfaring.state import Chance, Gap, Item, Op, Zone

# Hands and discards


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Put a card into a hand."""
    s.at[card] = Zone.HAND + seat
    s.hand[seat] |= 1 << f.design[card]
    s.held[seat] += 1


@kernel
def _copy_in(s: Record, f: Record, zone: int, design: int, card: int) -> int:
    """Return the lowest copy of a design in a zone (see Zone) from `card` on, or the design's `f.last` if none is."""
    while card < f.last[design] and s.at[card] != zone:
        card += 1
    return card


@kernel
def take_from_hand(s: Record, f: Record, seat: int, design: int) -> int:
    """Take and return the lowest copy of a design in a hand, because copies are alike. It must be placed at once."""
    card = _copy_in(s, f, Zone.HAND + seat, design, f.first[design])
    if _copy_in(s, f, Zone.HAND + seat, design, card + 1) == f.last[design]:
        s.hand[seat] ^= 1 << design
    s.held[seat] -= 1
    return card


@kernel
def discard_card(s: Record, f: Record, card: int) -> None:
    """Put a card that has left all other zones on the discards."""
    s.at[card] = Zone.DISCARDS
    s.discards |= 1 << f.design[card]
    s.discard_count += 1


@kernel
def take_from_discards(s: Record, f: Record, design: int) -> int:
    """Take the lowest copy of a design out of the discards and return it."""
    card = _copy_in(s, f, Zone.DISCARDS, design, f.first[design])
    if _copy_in(s, f, Zone.DISCARDS, design, card + 1) == f.last[design]:
        s.discards ^= 1 << design
    s.discard_count -= 1
    return card


# The deck


@kernel
def can_draw(s: Record, f: Record) -> int:
    """Return True if a card can be drawn, if necessary after a reshuffle."""
    if s.deck_count > 0:
        return 1
    return 1 if f.deck_out_reshuffle and s.discard_count > 0 and s.reshuffled < f.rule_reshuffles else 0


@kernel
def draw_card(s: Record, f: Record, seat: int) -> int:
    """Draw the top card of the deck into a hand; return 1, or 0 if there is none. The draft omits this case."""
    if s.deck_count == 0:
        if s.hole == 0:
            s.hole = Gap.EMPTY_DECK
        if can_draw(s, f) == 0:
            s.nothing_drawn = 1
            return 0
        # Shuffle the discards into an empty deck.
        number = 0
        for card in range(f.deck_cards):
            if s.at[card] == Zone.DISCARDS:
                s.at[card] = Zone.DECK
                s.deck[number] = card
                number += 1
        shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, number)
        s.deck_top, s.deck_count = 0, number
        s.discards, s.discard_count = 0, 0
        s.reshuffled += 1
    top = s.deck_top
    card = take_at(s.deck, top)
    s.deck_top = top + 1 if top + 1 < f.deck_cards else 0
    s.deck_count -= 1
    put_in_hand(s, f, seat, card)
    return 1


@kernel
def put_under_deck(s: Record, f: Record, card: int) -> None:
    """Put a card on the bottom of the deck."""
    s.at[card] = Zone.DECK
    s.deck[(s.deck_top + s.deck_count) % f.deck_cards] = card
    s.deck_count += 1


# Paths


@kernel
def lay_down(s: Record, f: Record, seat: int, card: int, by: int) -> None:
    """Lay a card face down at the future end of a seat's path; `by` is the seat that lays it."""
    place = seat * f.deck_cards + s.length[seat]
    s.path[place] = card
    s.by[place] = by
    s.at[card] = Zone.DOWN + seat
    s.length[seat] += 1


@kernel
def count_up(s: Record, f: Record, seat: int, card: int, number: int) -> None:
    """Add a face-up card of a seat's path to its counts of memories and terrains (`number` 1), or subtract it (-1)."""
    s.memories[seat] += number
    s.most_memories[seat] = max(s.most_memories[seat], s.memories[seat])
    terrain = f.terrain[f.design[card]]
    if terrain > 0:
        s.seen[seat * f.terrains] += number
        s.seen[seat * f.terrains + terrain] += number


@kernel
def turn_up(s: Record, f: Record, seat: int) -> int:
    """Turn up the face-down card closest to the past, and return it; there must be one."""
    card: int = s.path[seat * f.deck_cards + s.memories[seat]]
    s.at[card] = Zone.UP + seat
    count_up(s, f, seat, card, 1)
    return card


@kernel
def lay_past(s: Record, f: Record, seat: int, card: int) -> None:
    """Lay a card face up at the past end of a path."""
    start = seat * f.deck_cards
    for place in range(start + s.length[seat], start, -1):
        s.path[place] = s.path[place - 1]
        s.by[place] = s.by[place - 1]
    s.path[start], s.by[start] = card, seat
    s.at[card] = Zone.UP + seat
    s.length[seat] += 1
    count_up(s, f, seat, card, 1)


@kernel
def take_off_path(s: Record, f: Record, seat: int, place: int) -> int:
    """Take and return the card at a place of a path; later ones close the gap. It must be placed at once."""
    start = seat * f.deck_cards
    card = take_out(s.path, start + place, start + s.length[seat])
    take_out(s.by, start + place, start + s.length[seat])
    if s.at[card] == Zone.UP + seat:
        count_up(s, f, seat, card, -1)
    s.length[seat] -= 1
    return card


# Characters and areas, by their bits


@kernel
def show_character(s: Record, f: Record) -> int:
    """Put the top character on display; return the number of its bit, or -1 if there is none."""
    if s.line_count == 0:
        return -1
    top = s.line_top
    card = take_at(s.line, top)
    s.line_top = top + 1 if top + 1 < f.characters_printed else 0
    s.line_count -= 1
    s.at[card] = Zone.DISPLAY
    s.display |= 1 << (card - f.first_area)
    s.shown += 1
    entry: int = card - f.first_area
    return entry


@kernel
def take_off_display(s: Record, f: Record, entry: int) -> None:
    """Take a character (bit `entry`) off the display; it must be placed at once."""
    s.display ^= 1 << entry
    s.shown -= 1


@kernel
def put_under_line(s: Record, f: Record, entry: int) -> None:
    """Put a character (bit `entry`) on the bottom of the character deck."""
    card = f.first_area + entry
    s.at[card] = Zone.CHARACTERS
    s.line[(s.line_top + s.line_count) % f.characters_printed] = card
    s.line_count += 1


@kernel
def shuffle_line(s: Record, f: Record) -> None:
    """Shuffle the character deck, which then begins at the start of its row."""
    for card in range(f.deck_cards, f.cards):
        s.line[card - f.deck_cards] = 0
    count = 0
    for card in range(f.deck_cards, f.cards):
        if s.at[card] == Zone.CHARACTERS:
            s.line[count] = card
            count += 1
    shuffle(next_chances(s.rng, Chance.CHARACTERS), s.line, 0, count)
    s.line_top, s.line_count = 0, count


@kernel
def fill_display(s: Record, f: Record, number: int, skips: int) -> None:
    """Put characters on display until it has `number`; with `skips`, set advanced ones aside, then shuffle them in."""
    aside = 0
    while s.shown < number and s.line_count > 0:
        entry = show_character(s, f)
        if skips and f.advanced >> entry & 1:
            take_off_display(s, f, entry)
            s.at[f.first_area + entry] = Zone.CHARACTERS
            aside += 1
    if aside:
        shuffle_line(s, f)


@kernel
def put_in_area(s: Record, f: Record, seat: int, entry: int) -> None:
    """Put a companion or cursed item (bit `entry`) into a seat's area."""
    s.at[f.first_area + entry] = Zone.AREA + seat
    s.area[seat] |= 1 << entry
    if f.characters >> entry & 1:
        s.companions[seat] += 1
    else:
        s.cursed[seat] += 1


@kernel
def take_from_area(s: Record, f: Record, seat: int, entry: int) -> None:
    """Take a card (bit `entry`) and its marks out of a seat's area; it must be placed at once."""
    bit = 1 << entry
    s.area[seat] ^= bit
    s.used &= ~bit
    s.joined &= ~bit
    if f.characters >> entry & 1:
        s.companions[seat] -= 1
    else:
        s.cursed[seat] -= 1


@kernel
def destinations_held(s: Record, f: Record, seat: int) -> int:
    """Return the number of destinations in a hand."""
    if s.hand[seat] & f.destination_designs == 0:
        return 0
    number = 0
    for card in range(f.deck_cards):
        if s.at[card] == Zone.HAND + seat and f.destination_designs >> f.design[card] & 1:
            number += 1
    return number


@kernel
def situation_holds(s: Record, f: Record, seat: int, entry: int) -> int:
    """Return True if a character (bit `entry`) has a situation, and all of it holds for a seat."""
    step = f.situation[entry]
    holds = step > 0
    while holds and f.op[step] != Op.END:
        op, number = f.op[step], f.times[step]
        if op == Op.HAND_MAX:
            holds = s.held[seat] <= number
        elif op == Op.TERRAIN:
            holds = s.seen[seat * f.terrains + f.of[step]] >= number
        elif op == Op.VISITED:
            holds = s.seen[seat * f.terrains] >= number
        elif op == Op.TROUBLES:
            holds = s.memories[seat] - s.seen[seat * f.terrains] >= number
        elif op == Op.COMPANIONS:
            holds = s.companions[seat] >= number
        else:
            holds = s.cursed[seat] >= number
        step += 1
    return 1 if holds else 0


@kernel
def can_pay(s: Record, f: Record, seat: int, start: int) -> int:
    """Return True if a seat can do all of a cost or a deed; `start` is its first step."""
    cards = destinations = 0
    step = start
    while f.op[step] != Op.END:
        op = f.op[step]
        if op == Op.DISCARD:
            cards += f.times[step]
            destinations += f.times[step] * f.destination[step]
        elif op == Op.MARK:
            marks = s.marks[seat] + f.times[step]
            if marks < 0 or marks > f.rule_passes:
                return 0
        elif op == Op.BURY and s.length[seat] == s.memories[seat]:
            return 0
        step += 1
    if cards > s.held[seat]:
        return 0
    return 1 if destinations == 0 or destinations <= destinations_held(s, f, seat) else 0


@kernel
def others_with_cards(s: Record, seat: int) -> int:
    """Return the other seats in the game that hold a card, as bits."""
    found = 0
    for other in range(s.players):
        if other != seat and s.out[other] == 0 and s.held[other] > 0:
            found |= 1 << other
    return found


@kernel
def paths_ahead(s: Record) -> int:
    """Return the seats in the game with a face-down card on their path, as bits."""
    found = 0
    for other in range(s.players):
        if s.out[other] == 0 and s.length[other] > s.memories[other]:
            found |= 1 << other
    return found


@kernel
def find_joinable(s: Record, f: Record, seat: int) -> int:
    """Return the characters on display whose situation holds for a seat, as bits."""
    found = 0
    for entry in iter_members(s.display):
        if situation_holds(s, f, seat, entry):
            found |= 1 << entry
    return found


@kernel
def find_recoverable(s: Record, f: Record, step: int, design: int) -> int:
    """Return the designs in the discards that a step may take; `design` is that of the card in use, or -1."""
    found: int = s.discards
    if f.destination[step]:
        found &= f.destination_designs
    if f.other_design[step] and design >= 0:
        found &= ~(1 << design)
    return found


@kernel
def can_gain(s: Record, f: Record, seat: int) -> int:
    """Return True if no card in a seat's area forbids it to gain vitality."""
    return 1 if s.area[seat] & f.no_vitality == 0 else 0


@kernel
def is_possible(s: Record, f: Record, seat: int, step: int, design: int) -> int:
    """Return True if a step of an effect of this design can do something for a seat, whatever companion it asks for."""
    op = f.op[step]
    found: int = 1
    if op == Op.VITALITY:
        found = can_draw(s, f) if f.other[step] or can_gain(s, f, seat) else 0
    elif op == Op.RECOVER:
        found = find_recoverable(s, f, step, design)
    elif op == Op.DISMISS:
        found = s.shown
    elif op == Op.APPEAR:
        found = s.line_count
    elif op == Op.JOIN:
        found = find_joinable(s, f, seat)
    elif op == Op.NEGATE:
        found = 1 if s.items > 0 and s.item_what[s.items - 1] in (Item.CARD, Item.ABILITY) else 0
    elif op == Op.FATIGUE:
        found = others_with_cards(s, seat) if f.other[step] else s.held[seat]
    elif op == Op.PLACE:
        found = s.hand[seat] & f.destination_designs
    elif op == Op.MARK:
        found = 1 if f.times[step] > 0 else s.marks[seat]
    elif op == Op.BURY and f.other[step]:
        found = paths_ahead(s)
    elif op in (Op.MOVE, Op.BURY):
        found = s.length[seat] - s.memories[seat]
    elif op == Op.RECALL:
        found = s.discards & f.destination_designs
    return 1 if found else 0


@kernel
def is_usable(s: Record, f: Record, seat: int, start: int, design: int) -> int:
    """Return True if an effect, from step `start` on, has a possible step or one for a kind, or E42 allows any use."""
    if f.noop_use_allowed:
        return 1
    step = start
    while f.op[step] != Op.END:
        if f.kind[step] or is_possible(s, f, seat, step, design):
            return 1
        step += 1
    return 0


@kernel
def can_refill(s: Record, f: Record, seat: int, start: int, design: int) -> int:
    """Return True if an effect of a card of this design, from its step `start` on, could bring a seat a card back."""
    step = start
    while f.op[step] != Op.END:
        op = f.op[step]
        if f.kind[step] == 0 or s.area[seat] & f.of_kind[f.kind[step]]:
            if op == Op.VITALITY and f.other[step] == 0 and is_possible(s, f, seat, step, design):
                return 1
            if op == Op.RECOVER and is_possible(s, f, seat, step, design):
                return 1
        step += 1
    return 0
