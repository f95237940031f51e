"""The state of Fortuna: its fields, names for moves and phases, words, points, and the laws of play."""

from collections.abc import Iterator

from generator.rules.engine.contract import Box, Message, State, Zones, row_field
from generator.rules.engine.facts import codes, find_code_name, find_range_start
from generator.rules.engine.kernel import Record, Row, kernel

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
    """The use that was made of a turn: a pass, or a set that was played."""

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
    set_size="how many cards its set has",
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


# Points

ICON_BITS = 8
ICON_MASK = 255
"""The bits for each icon in an integer that counts the icons of a set; the wild icon comes last."""


@kernel
def icon_of(tally: int, icon: int) -> int:
    """Return the count of an icon (its index) in a tally, which packs the counts of all icons into one number."""
    return (tally >> (ICON_BITS * icon)) & ICON_MASK


@kernel
def best_icon(f: Record, tally: int) -> int:
    """Return the count of the most frequent icon of a tally plus wild ones."""
    most = 0
    for icon in range(f.icons):
        most = max(most, icon_of(tally, icon))
    return most + icon_of(tally, f.icons)


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill in the points of each seat's sets."""
    for seat in range(s.players):
        points[seat] = s.points[seat]


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in places: most points first; among equals, the earlier seat."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if s.points[other] > s.points[seat] or (s.points[other] == s.points[seat] and other < seat):
                places[seat] += 1


# The numbers of hand cards


@kernel
def can_be(s: Record, f: Record, card: int, number: int) -> int:
    """Return 1 if a hand card may count as the number, else 0."""
    base = f.number[card]
    return (f.spread[base][s.count[base]] >> (f.bits * number)) & 1


@kernel
def count_values(s: Record, f: Record, seat: int) -> int:
    """Return how many hand cards may count as each number, packed as in `spread`."""
    start = seat * f.width
    hand = s.hand
    numbers = f.number
    total = 0
    for i in range(start, start + s.hand_n[seat]):
        base = numbers[hand[i]]
        total += f.spread[base][s.count[base]]
    return total


@kernel
def closed_numbers(s: Record, f: Record, seat: int) -> int:
    """Return the numbers of which the seat may not play another set, as bits."""
    taken: int = s.owned[seat]
    if f.same_number_scope_table:
        for other in range(s.players):
            taken |= s.owned[other]
    return taken


@kernel
def best_promise(s: Record, f: Record) -> int:
    """Return the most points for the set whose cards are being picked, given the cards still to pick from."""
    start = s.seat * f.width
    rest = 0
    able = 0
    for i in range(start, start + s.hand_n[s.seat]):
        card = s.hand[i]
        if card >= s.last and can_be(s, f, card, s.set_number):
            able += 1
            rest += f.unit[card]
    size = s.set_number if s.set_number > 0 else min(f.zero_set_max, s.used + able)
    most = 0
    for icon in range(f.icons):
        laid = icon_of(s.tally, icon) + icon_of(s.tally, f.icons)
        held = icon_of(rest, icon) + icon_of(rest, f.icons)
        most = max(most, laid + min(held, size - s.used))
    return size * most


# Laws of play


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the number of the first law (see Law) that does not hold in this state, or 0 if all hold."""
    # Decks, hands, discards and sets have as many cards as the box.
    cards = s.main_n + s.end_n + s.discards + s.laid
    for seat in range(s.players):
        cards += s.hand_n[seat]
    if s.held > 0:
        cards += 1
    if cards != f.cards:
        return Law.CARDS_LOST
    if s.phase == Phase.ACTION and s.hand_n[s.seat] == 0:
        return Law.NO_PASS
    if Phase.FROM <= s.phase <= Phase.AMOUNT:
        total = s.pile + s.count[s.pile]
        if total < f.wheel_total or (total > f.wheel_total and f.wheel_condition_exact):
            return Law.WHEEL_ONLY
        if s.kind != Use.PASSED and f.wheel_trigger_pass_only:
            return Law.WHEEL_ONLY
    law = 0
    if s.phase in (Phase.ACTION, Phase.END) and s.turn > 0:
        law = check_turn_law(s, f)
    if law == 0 and s.trigger > 0:
        law = check_late_law(s, f)
    if law == 0 and s.over:
        law = check_end_law(s, f)
    return law


@kernel
def check_turn_law(s: Record, f: Record) -> int:
    """Return the law broken by the last turn's effect on its hand, or by a missed turn of the Wheel; 0 for none."""
    turn = s.turn if s.phase == Phase.END else s.turn - 1
    if turn == 0 or s.hole > 0 or s.short[0] > 0:
        return 0
    seat = (turn - 1) % s.players
    drawn = f.draw if s.trigger == 0 or turn <= s.trigger or f.turn_draw_after_trigger else 0
    held = s.before[seat] + drawn
    if s.kind == Use.PASSED:
        if s.hand_n[seat] != max(0, held - f.pass_discard):
            return Law.PASS_HAND
        total = s.pile + s.count[s.pile]
        if s.wheeled == 0 and total == f.wheel_total and s.discards > s.count[s.pile]:
            return Law.WHEEL_ONLY
    if s.kind == Use.PLAYED and f.play_hand_law:
        left = held - s.used
        if s.set_size == 1:
            if s.closed == 0 or f.one_card_discard_after_trigger:
                left = max(0, left - f.one_card_discard)
        elif s.closed == 0:
            left += max(0, s.used - f.refill_minus)
        if s.hand_n[seat] != left:
            return Law.PLAY_HAND
    return 0


@kernel
def check_late_law(s: Record, f: Record) -> int:
    """Return LATE_REFILL if, after the end trigger's turn, cards were drawn other than at starts of turns, else 0."""
    late = (s.turn - s.trigger) * f.draw if f.turn_draw_after_trigger else 0
    gone = f.end_pile - s.end_n
    if gone != min(f.end_pile, s.first_end + late):
        return Law.LATE_REFILL
    if s.by_refill == 0 and s.first_end > f.draw:
        return Law.LATE_REFILL
    return 0


@kernel
def check_end_law(s: Record, f: Record) -> int:
    """Return the law that a game dealt from the start breaks at its end: turns, End cards, length, points; or 0."""
    if s.hole > 0:
        return 0
    if s.end_n > 0 and s.turn % s.players != 0:
        return Law.TURNS
    if s.trigger == 0 or s.end_n >= f.end_pile:
        return Law.END_LEFT
    rounds = (s.turn + s.players - 1) // s.players
    if not f.shortest <= rounds <= f.longest:
        return Law.LENGTH
    for seat in range(s.players):
        points = 0
        sets = 0
        for number in range(f.numbers):
            if s.up[seat * f.numbers + number] > 0:
                sets += 1
                points += points_of(s, f, seat * f.numbers + number)
        if sets != s.sets[seat]:
            return Law.TWICE
        if points != s.points[seat]:
            return Law.SCORE
    return 0


@kernel
def points_of(s: Record, f: Record, place: int) -> int:
    """Recount a set's points: its cards times those that show the best icon or the wild one; `place` in `s.up`."""
    most = 0
    size = 0
    for icon in range(f.icons):
        showing = 0
        size = 0
        for side in range(2):
            card = s.up[place] if side == 0 else s.down[place]
            while card > 0:
                size += 1
                shown = side == 0 or f.face_down_icons_count
                unit = f.unit[card - 1]
                if shown and unit in (1 << (ICON_BITS * icon), 1 << (ICON_BITS * f.icons)):
                    showing += 1
                card = s.under[card - 1]
        most = max(most, showing)
    return size * most


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill in the cards that are in neither draw pile."""
    taken[0] = f.cards - s.main_n - s.end_n
