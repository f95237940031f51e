"""What a state of Fortuna comes to, as kernels: points, places, what a seat sees, and the laws that must hold."""

from generator.games.engine.kernel import Record, Row, kernel, shuffle
from generator.games.fortuna.play_codes import (
    AT_ACTION,
    AT_AMOUNT,
    AT_CARDS,
    AT_END,
    AT_FILL,
    AT_FROM,
    CARDS_LOST,
    END_LEFT,
    ICON_BITS,
    ICON_MASK,
    LATE_REFILL,
    LENGTH,
    NO_PASS,
    PASS_HAND,
    PASSED,
    PLAY_HAND,
    PLAYED,
    SCORE,
    TURNS,
    TWICE,
    WHEEL_ONLY,
)
from generator.games.fortuna.play_sets import best_icon, can_be
from generator.games.fortuna.play_turn import put_in_hand


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """The points of each seat's sets."""
    for seat in range(s.players):
        points[seat] = s.points[seat]


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """Most points first; of equals, the earlier seat."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if s.points[other] > s.points[seat] or (s.points[other] == s.points[seat] and other < seat):
                places[seat] += 1


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """The seat's points, and the most that a set which it is just laying out can still bring."""
    pending = 0
    if s.seat == seat and s.phase == AT_CARDS:
        pending = promise(s, f)
    elif s.seat == seat and s.phase == AT_FILL:
        size = s.set_number if s.set_number > 0 else f.zero_set_max
        pending = size * best_icon(f, s.tally)
    worth: int = s.points[seat] + pending
    return worth


@kernel
def promise(s: Record, f: Record) -> int:
    """The most points for the set whose cards are being picked, by the cards still to pick from."""
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
        shift = ICON_BITS * icon
        wild = ICON_BITS * f.icons
        laid = ((s.tally >> shift) & ICON_MASK) + (s.tally >> wild)
        held = ((rest >> shift) & ICON_MASK) + (rest >> wild)
        most = max(most, laid + min(held, size - s.used))
    total: int = size * most
    return total


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Both piles and all other hands are mixed. They are gathered in the main deck's row, in ascending order."""
    for i in range(s.main_n):
        s.under[s.main[i]] = -1
    for i in range(s.end_n):
        s.under[s.end[i]] = -1
    for other in range(s.players):
        if other != seat:
            for i in range(other * f.width, other * f.width + s.hand_n[other]):
                s.under[s.hand[i]] = -1
    unseen = 0
    for card in range(f.cards):
        if s.under[card] < 0:
            s.under[card] = 0
            s.main[unseen] = card
            unseen += 1
    shuffle(s.rng, s.main, 0, unseen)
    for i in range(s.end_n):
        unseen -= 1
        s.end[i] = s.main[unseen]
    for other in range(s.players):
        if other != seat:
            number = s.hand_n[other]
            s.hand_n[other] = 0
            for _ in range(number):
                unseen -= 1
                put_in_hand(s, f, other, s.main[unseen])
    for i in range(s.main_n, f.cards):
        s.main[i] = 0


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Cards that are in neither pile to draw from."""
    taken[0] = f.cards - s.main_n - s.end_n


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold."""
    if not_all_there(s, f):
        return CARDS_LOST
    if s.phase == AT_ACTION and s.hand_n[s.seat] == 0:
        return NO_PASS
    if AT_FROM <= s.phase <= AT_AMOUNT:
        total = s.pile + s.count[s.pile]
        if total < f.wheel_total or (total > f.wheel_total and f.at_least == 0):
            return WHEEL_ONLY
        if s.kind != PASSED and f.any_discard == 0:
            return WHEEL_ONLY
    law = 0
    if s.phase in (AT_ACTION, AT_END) and s.turn > 0:
        law = turn_law(s, f)
    if law == 0 and s.trigger > 0:
        law = late_law(s, f)
    if law == 0 and s.over:
        law = end_law(s, f)
    return law


@kernel
def not_all_there(s: Record, f: Record) -> int:
    """1 unless decks, hands, discards and sets have as many cards as the box."""
    cards = s.main_n + s.end_n + s.discards + s.laid
    for seat in range(s.players):
        cards += s.hand_n[seat]
    if s.held > 0:
        cards += 1
    return 1 if cards != f.cards else 0


@kernel
def turn_law(s: Record, f: Record) -> int:
    """What the turn that has just ended must have done to its hand; that no Wheel was missed in it."""
    turn = s.turn if s.phase == AT_END else s.turn - 1
    if turn == 0 or s.hole > 0 or s.short[0] > 0:
        return 0
    seat = (turn - 1) % s.players
    drawn = f.draw if s.trigger == 0 or turn <= s.trigger or f.draw_late else 0
    held = s.before[seat] + drawn
    if s.kind == PASSED:
        if s.hand_n[seat] != max(0, held - f.pass_discard):
            return PASS_HAND
        total = s.pile + s.count[s.pile]
        if s.wheeled == 0 and total == f.wheel_total and s.discards > s.count[s.pile]:
            return WHEEL_ONLY
    if s.kind == PLAYED and f.play_hand_law:
        left = held - s.used
        if s.size == 1:
            if s.closed == 0 or f.discard_late:
                left = max(0, left - f.one_card_discard)
        elif s.closed == 0:
            left += max(0, s.used - f.refill_minus)
        if s.hand_n[seat] != left:
            return PLAY_HAND
    return 0


@kernel
def late_law(s: Record, f: Record) -> int:
    """After the turn of the end trigger, cards are drawn at the start of turns only, and no refill follows the draw."""
    late = (s.turn - s.trigger) * f.draw if f.draw_late else 0
    gone = f.end_pile - s.end_n
    if gone != min(f.end_pile, s.first_end + late):
        return LATE_REFILL
    if s.by_refill == 0 and s.first_end > f.draw:
        return LATE_REFILL
    return 0


@kernel
def end_law(s: Record, f: Record) -> int:
    """Equal turns, End cards left, length, points and numbers at the end of a game that was dealt from the start."""
    if s.hole > 0:
        return 0
    if s.end_n > 0 and s.turn % s.players != 0:
        return TURNS
    if s.trigger == 0 or s.end_n >= f.end_pile:
        return END_LEFT
    rounds = (s.turn + s.players - 1) // s.players
    if not f.shortest <= rounds <= f.longest:
        return LENGTH
    for seat in range(s.players):
        points = 0
        sets = 0
        for number in range(f.numbers):
            if s.up[seat * f.numbers + number] > 0:
                sets += 1
                points += points_of(s, f, seat * f.numbers + number)
        if sets != s.sets[seat]:
            return TWICE
        if points != s.points[seat]:
            return SCORE
    return 0


@kernel
def points_of(s: Record, f: Record, place: int) -> int:
    """A set's points, counted afresh: its cards times those that show an icon or the wild one, for the best icon."""
    most = 0
    size = 0
    for icon in range(f.icons):
        showing = 0
        size = 0
        for side in range(2):
            card = s.up[place] if side == 0 else s.down[place]
            while card > 0:
                size += 1
                shown = side == 0 or f.down_counts > 0
                unit = f.unit[card - 1]
                if shown and unit in (1 << (ICON_BITS * icon), 1 << (ICON_BITS * f.icons)):
                    showing += 1
                card = s.under[card - 1]
        most = max(most, showing)
    return size * most
