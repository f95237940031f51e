"""The laws of play in Fortuna: what must hold in every state, and how many cards are in use."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.fortuna.moves import FaceDownIcons, Law, Phase, Use, WheelCondition, WheelTrigger
from generator.games.fortuna.score import ICON_BITS


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold."""
    if not_all_there(s, f):
        return Law.CARDS_LOST
    if s.phase == Phase.ACTION and s.hand_n[s.seat] == 0:
        return Law.NO_PASS
    if Phase.FROM <= s.phase <= Phase.AMOUNT:
        total = s.pile + s.count[s.pile]
        if total < f.wheel_total or (total > f.wheel_total and f.wheel_condition == WheelCondition.EXACT):
            return Law.WHEEL_ONLY
        if s.kind != Use.PASSED and f.wheel_trigger == WheelTrigger.PASS_ONLY:
            return Law.WHEEL_ONLY
    law = 0
    if s.phase in (Phase.ACTION, Phase.END) and s.turn > 0:
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
def late_law(s: Record, f: Record) -> int:
    """After the turn of the end trigger, cards are drawn at the start of turns only, and no refill follows the draw."""
    late = (s.turn - s.trigger) * f.draw if f.turn_draw_after_trigger else 0
    gone = f.end_pile - s.end_n
    if gone != min(f.end_pile, s.first_end + late):
        return Law.LATE_REFILL
    if s.by_refill == 0 and s.first_end > f.draw:
        return Law.LATE_REFILL
    return 0


@kernel
def end_law(s: Record, f: Record) -> int:
    """Equal turns, End cards left, length, points and numbers at the end of a game that was dealt from the start."""
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
                shown = side == 0 or f.face_down_icons == FaceDownIcons.COUNT
                unit = f.unit[card - 1]
                if shown and unit in (1 << (ICON_BITS * icon), 1 << (ICON_BITS * f.icons)):
                    showing += 1
                card = s.under[card - 1]
        most = max(most, showing)
    return size * most


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Cards that are in neither pile to draw from."""
    taken[0] = f.cards - s.main_n - s.end_n
