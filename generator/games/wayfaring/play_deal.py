"""How a wayfaring table is set up: decks, first hands with a destination each, characters on display."""

from generator.games.engine.kernel import Record, kernel, shuffle
from generator.games.wayfaring.play_codes import CHARACTERS, DECK, HAND
from generator.games.wayfaring.play_flow import advance, begin_turn
from generator.games.wayfaring.play_zones import appear, draw, set_aside, shuffle_line, under_deck


@kernel
def lay_out(s: Record, f: Record) -> None:
    """All cards in their decks, in the order of the data."""
    for card in range(f.deck_cards):
        s.at[card], s.deck[card] = DECK, card
    for card in range(f.deck_cards, f.cards):
        s.at[card], s.line[card - f.deck_cards] = CHARACTERS, card
    s.deck_count, s.line_count = f.deck_cards, f.cards - f.deck_cards


@kernel
def _draw_hand(s: Record, f: Record, seat: int) -> None:
    for _ in range(f.rule_hand):
        draw(s, f, seat)


@kernel
def _draw_anew(s: Record, f: Record, seat: int) -> None:
    """As long as a hand has no destination, it goes under the deck, and another one is drawn."""
    while s.hand[seat] & f.destination_designs == 0:
        for card in range(f.deck_cards):
            if s.at[card] == HAND + seat:
                under_deck(s, f, card)
        s.hand[seat], s.held[seat] = 0, 0
        s.redraws += 1
        _draw_hand(s, f, seat)


@kernel
def _first_display(s: Record, f: Record) -> None:
    aside = 0
    while s.shown < f.rule_display:
        entry = appear(s, f) - 1
        if f.advanced >> entry & 1:
            set_aside(s, f, entry)
            aside += 1
    if aside:
        shuffle_line(s, f)


@kernel
def hand_out(s: Record, f: Record) -> None:
    """Deals from decks as they lie."""
    for seat in range(s.players):
        _draw_hand(s, f, seat)
        if f.mulligan_order:
            _draw_anew(s, f, seat)
    for seat in range(s.players):
        _draw_anew(s, f, seat)
        if s.hand[seat] & f.destination_designs == 0:
            s.faulty_deal = 1
    _first_display(s, f)
    if s.display & f.advanced:
        s.faulty_deal = 1


@kernel
def begin(s: Record, f: Record) -> None:
    """Plays a dealt table to its first choice."""
    begin_turn(s, f, s.turn_seat)
    advance(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffles and deals a new game."""
    lay_out(s, f)
    shuffle(s.rng, s.deck, 0, f.deck_cards)
    shuffle(s.rng, s.line, 0, f.cards - f.deck_cards)
    hand_out(s, f)


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deals a new game and plays it to its first choice."""
    deal(s, f)
    begin(s, f)
