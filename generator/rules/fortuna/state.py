"""The state of Fortuna: its fields, and names for moves, phases, readings and laws."""

from collections.abc import Iterator

from generator.rules.engine.contract import Box, Message, State, Zones, row_field
from generator.rules.engine.facts import codes, find_code_name, find_range_start
from generator.rules.engine.kernel import Record

MOST_CARDS = 500
"""The most cards that fit the ranges of moves."""


@codes
class Move:
    """Kinds of moves; each begins a range, to which a card, a number or a pile is added."""

    PASS = 0  # + card: pass, and discard it.
    PLAY = 1000  # + number: begin a set of it.
    ALL_IN = 1500  # + number: play the whole hand as a set of it, which discards fill up.
    CARD = 2000  # + card: it belongs to the set.
    DONE = 3000  # The set of 0 is as large as it shall be.
    DISCARD = 4000  # + card: discard it after a one-card set.
    DECLARE = 5000  # + pile: the discarded card counts for it.
    FILL = 6000  # + pile: its top card fills up the All-in set, face down.
    STAY = 7000  # Leave the discards where they are.
    FROM = 7001  # + pile: the Wheel of Fortune moves its top cards ...
    TO = 8000  # + pile: ... to this one ...
    AMOUNT = 9000  # + number: ... so many of them.


@codes
class Chance:
    """Purposes of random numbers: the order of the deck, the discards that fill up an All-in set."""

    DECK, FILL = 0, 1


@codes
class Phase:
    """The kinds of moves expected. In the first two and the last, no seat has a choice."""

    DRAW, REFILL, ACTION, CARDS, FILL, DISCARD, DECLARE, FROM, TO, AMOUNT, END = range(11)


@codes
class Use:
    """The use that was made of a turn."""

    PASSED, PLAYED = 1, 2


@codes
class Law:
    """The laws of play by their index in LAWS, from 1."""

    CARDS_LOST, NO_PASS, PASS_HAND, PLAY_HAND, WHEEL_ONLY, LATE_REFILL = 1, 2, 3, 4, 5, 6
    TURNS, END_LEFT, LENGTH, SCORE, TWICE = 7, 8, 9, 10, 11


LAWS = ("FC-20", "FC-21", "FC-22", "FC-23", "FC-25", "FC-26", "FC-27", "FC-28", "FC-29", "FC-31", "FC-32")
"""The data's checks that games decide."""


@codes
class Gap:
    """Situations that the rules don't cover, by their index in RULES.holes, from 1."""

    NOTHING_TO_DRAW, EMPTY_HAND = 1, 2


# Cards in piles and sets are chained: each has its uppermost card plus 1 (0 for none), and `under` the next below it.

STATE = State(
    chances=Chance,
    phase="which moves are expected: a Phase",
    # where the cards are
    main_n="how many cards the main deck has",
    end_n="how many cards the End pile has",
    discards="how many cards all piles have",
    laid="how many cards all sets have",
    main=row_field("the main deck, its top last", "cards"),
    end=row_field("the End pile, its top last", "end_room"),
    under=row_field("of each card the next below it plus 1", "cards"),
    hand=row_field("the cards of a seat from seat * width on, ascending", "seats", "width"),
    hand_n=row_field("how many cards each seat holds", "seats"),
    top=row_field("the uppermost card plus 1 of each pile", "numbers"),
    count=row_field("how many cards each pile has", "numbers"),
    up=row_field("the uppermost face-up card plus 1 of the sets of a seat, from seat * numbers on", "seats", "numbers"),
    down=row_field("the uppermost face-down card plus 1 of them", "seats", "numbers"),
    owned=row_field("a bit for each number of which the seat has played a set", "seats"),
    sets=row_field("how many sets each seat has", "seats"),
    points=row_field("the points of each seat's sets", "seats"),
    # the end trigger
    trigger="the turn in which it was pulled, 0 before",
    by_refill="1 if a refill pulled it",
    first_end="how many End cards that turn took",
    # the turn that was played last
    before=row_field("how many cards each seat held before the draw of its turn", "seats"),
    kind="what it was used for: a Use",
    used="how many hand cards its set took",
    size="how many cards its set has",
    closed="1 if the end trigger barred its refill",
    pile="the pile of the last discard",
    wheeled="1 if that turned the Wheel of Fortune",
    # the choice at hand
    set_number="the number of the set that is being laid out",
    tally="how often it shows each icon, packed as in `score.icon_of`",
    last="the card that was picked last for it plus 1",
    need="how many cards are to fill up an All-in set",
    least="the first pile that they may still come from",
    left="how many cards are to be discarded",
    held="the card plus 1 that is being discarded and has no pile yet",
    source="the pile that the Wheel takes cards from",
    target="the pile that it takes them to",
)


WRITTEN = {Move.AMOUNT: "move", Move.ALL_IN: "all-in"}
"""Moves whose word in the notation differs from their name."""

OF_CARDS = (Move.PASS, Move.CARD, Move.DISCARD)
OF_NOTHING = (Move.STAY, Move.DONE)


def zones(s: Record, box: Box) -> Zones:
    """Return decks, hands, a discard in hand; piles by number; sets by seat and number, with face-down cards apart."""
    found: dict[str, dict[str, int]] = {}

    def lies(zone: str, cards: Iterator[int]) -> None:
        here = {box.cards[card]: 1 for card in cards}
        if here:
            found[zone] = here

    width, numbers = box.get_number("width"), box.get_number("numbers")
    lies("main", (int(s.main[i]) for i in range(s.main_n)))
    lies("end", (int(s.end[i]) for i in range(s.end_n)))
    lies("discarding", iter((int(s.held) - 1,) if s.held else ()))
    for number in range(numbers):
        lies(f"pile {number}", iter_chain(s, s.top[number]))
    for seat in range(box.players):
        lies(f"hand {seat + 1}", (int(s.hand[seat * width + i]) for i in range(s.hand_n[seat])))
        for number in range(numbers):
            if s.up[seat * numbers + number]:
                lies(f"set {seat + 1} {number}", iter_chain(s, s.up[seat * numbers + number]))
                lies(f"set {seat + 1} {number} down", iter_chain(s, s.down[seat * numbers + number]))
    return found


def iter_chain(s: Record, top: int) -> Iterator[int]:
    """Yield the cards of a pile or set from the top."""
    while top > 0:
        yield int(top) - 1
        top = s.under[top - 1]


def write(s: Record, box: Box, move: int) -> str:
    """Return the notation: `pass 6L1`, `play 5`, `all-in 8`, `card 6W1`, `done`, `discard 1L1`, `fill 3`, `to 1` ..."""
    start = find_range_start(Move, move)
    word = WRITTEN.get(start, find_code_name(Move, start))
    if start in OF_NOTHING:
        return word
    return f"{word} {card_name(box, move - start) if start in OF_CARDS else move - start}"


def say(s: Record, box: Box, move: int) -> Message:
    """Return a phrase of `moves`, with the card, the number or the pile."""
    start = find_range_start(Move, move)
    phrase = find_code_name(Move, start)
    if start in OF_NOTHING:
        return Message(phrase)
    if start in OF_CARDS:
        return Message(phrase, {"card": box.find_design(move - start)})
    if start == Move.AMOUNT:
        return Message(phrase, {"number": move - start, "source": int(s.source), "target": int(s.target)})
    return Message(phrase, {"number": move - start})


def card_name(box: Box, card: int) -> str:
    """Return the short name of a copy: number, icon's letter, copy, as in `6W2`."""
    fields, copy = box.find_design(card).fields, box.cards[card].partition("#")[2]
    return f"{fields['number']}{box.game.icons[fields['icon']].letter}{copy}"
