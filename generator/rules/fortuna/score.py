"""The score of Fortuna: moving and counting cards, points of sets and seats, laws of play."""

from generator.rules.engine.kernel import Record, Row, draw_below, insert, kernel, next_chances, remove
from generator.rules.fortuna.state import Chance, Law, Phase, Use


@kernel
def put_in_hand(s: Record, f: Record, seat: int, card: int) -> None:
    """Insert a card into a hand."""
    start = seat * f.width
    insert(s.hand, start, start + s.hand_n[seat], card)
    s.hand_n[seat] += 1


@kernel
def take_from_hand(s: Record, f: Record, card: int) -> None:
    """Take a card out of the hand of the seat that has the turn."""
    start = s.seat * f.width
    remove(s.hand, start, start + s.hand_n[s.seat], card)
    s.hand_n[s.seat] -= 1


@kernel
def can_be(s: Record, f: Record, card: int, number: int) -> int:
    """Return 1 if a hand card may count as the number, else 0."""
    base = f.number[card]
    return (f.spread[base][s.count[base]] >> (f.bits * number)) & 1


@kernel
def begin_set(s: Record, f: Record, number: int) -> None:
    """Begin a set of the number, without cards yet."""
    s.kind = Use.PLAYED
    s.used = 0
    s.closed = 0
    s.set_number = number
    s.tally = 0
    s.last = 0
    s.owned[s.seat] |= 1 << number
    s.sets[s.seat] += 1


@kernel
def lay_card(s: Record, f: Record, card: int) -> None:
    """Add a hand card to the set, face up."""
    take_from_hand(s, f, card)
    place = s.seat * f.numbers + s.set_number
    s.under[card] = s.up[place]
    s.up[place] = card + 1
    s.used += 1
    s.laid += 1
    s.last = card + 1
    s.tally += f.unit[card]


@kernel
def begin_all_in(s: Record, f: Record, number: int) -> None:
    """Make the whole hand a set of the number; discards will fill it up."""
    begin_set(s, f, number)
    while s.hand_n[s.seat] > 0:
        lay_card(s, f, s.hand[s.seat * f.width + s.hand_n[s.seat] - 1])
    s.need = full_size(s, f) - s.used
    s.least = 0
    if f.allin_source_random:
        while s.need > 0:
            pile = 0
            at = draw_below(next_chances(s.rng, Chance.FILL), s.discards)
            while at >= s.count[pile]:
                at -= s.count[pile]
                pile += 1
            turn_down(s, f, pile, at)


@kernel
def full_size(s: Record, f: Record) -> int:
    """Return the number of cards that an All-in set has after it is filled up."""
    return s.set_number if s.set_number > 0 else f.zero_set_max


@kernel
def turn_down(s: Record, f: Record, pile: int, depth: int) -> None:
    """Add the card at this depth below the top of a pile to the set, face down."""
    card = s.top[pile] - 1
    if depth == 0:
        s.top[pile] = s.under[card]
    else:
        above = card
        for _ in range(depth - 1):
            above = s.under[above] - 1
        card = s.under[above] - 1
        s.under[above] = s.under[card]
    place = s.seat * f.numbers + s.set_number
    s.under[card] = s.down[place]
    s.down[place] = card + 1
    s.count[pile] -= 1
    s.discards -= 1
    s.laid += 1
    s.need -= 1
    if f.face_down_icons_count:
        s.tally += f.unit[card]


ICON_BITS = 8
ICON_MASK = 255
"""The bits for each icon in an integer that counts the icons of a set; the wild icon comes last."""


@kernel
def icon_of(tally: int, icon: int) -> int:
    """Return the count of an icon in a tally."""
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


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the first law that does not hold."""
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
    """Check the effect of the turn that has just ended on its hand, and that no turn of the Wheel was missed."""
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
        if s.size == 1:
            if s.closed == 0 or f.one_card_discard_after_trigger:
                left = max(0, left - f.one_card_discard)
        elif s.closed == 0:
            left += max(0, s.used - f.refill_minus)
        if s.hand_n[seat] != left:
            return Law.PLAY_HAND
    return 0


@kernel
def check_late_law(s: Record, f: Record) -> int:
    """Check that after the end trigger's turn cards are drawn only at the start of turns, without refills."""
    late = (s.turn - s.trigger) * f.draw if f.turn_draw_after_trigger else 0
    gone = f.end_pile - s.end_n
    if gone != min(f.end_pile, s.first_end + late):
        return Law.LATE_REFILL
    if s.by_refill == 0 and s.first_end > f.draw:
        return Law.LATE_REFILL
    return 0


@kernel
def check_end_law(s: Record, f: Record) -> int:
    """Check turns, End cards, length, points and numbers at the end of a game that was dealt from the start."""
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
    """Recount a set's points: its cards times those that show the best icon or the wild one."""
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
