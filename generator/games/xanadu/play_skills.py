"""Skills of draft 18 as kernels: which ones answer to what happens, and how their operations are carried out."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_codes import (
    ACT,
    DECLINE,
    FACE_UP,
    GRADES,
    NO_DAILY,
    OFFER,
    OP_ACT,
    OP_EARN,
    OP_GAIN,
    OP_HIRE,
    OP_MOVE,
    OP_REFRESH,
    OP_RESEARCH,
    OP_SHARE,
    OP_UPGRADE,
    PLACES,
    RESEARCH,
    RESUME,
    SEARCH,
    SHIFT,
    STEPS,
    SUP_DISPATCH,
    SUP_SHARE,
    TURN_UP,
    USE,
)
from generator.games.xanadu.play_stock import earn, gain, hire, pay_dispatch, place_share, room


@kernel
def can_improve(s: Record, seat: int, place: int) -> int:
    """Whether something in a warehouse can be upgraded, with goods of the next grade in the stock."""
    at = (seat * PLACES + place) * GRADES
    for grade in range(GRADES - 1):
        if s.goods[at + grade] > 0 and s.stock[grade + 1] > 0:
            return 1
    return 0


@kernel
def can_shift(s: Record, f: Record, seat: int) -> int:
    """Whether a resource can go from some warehouse to another, adjacent or not."""
    for place in range(PLACES):
        if s.load[seat * PLACES + place] > 0:
            for other in range(PLACES):
                if other != place and room(s, f, seat, other) > 0:
                    return 1
    return 0


@kernel
def can_do(s: Record, f: Record, seat: int, op: int, value: int) -> int:
    """Whether an operation would change anything now."""
    if op == OP_GAIN:
        return 1 if s.stock[value] > 0 or (value == 0 and f.normal_shortage == 1) else 0
    if op == OP_MOVE:
        return can_shift(s, f, seat)
    if op == OP_UPGRADE:
        return can_improve(s, seat, f.port)
    if op == OP_RESEARCH:
        for slot in range(f.market_n):
            if s.market[slot] >= 0:
                return 1
        return 0
    if op == OP_REFRESH:
        return 1 if face_down(s, f, seat) else 0
    if op == OP_HIRE:
        return 1 if s.crew > 0 else 0
    if op == OP_SHARE:
        return 1 if s.shares[seat] > 0 and f.gauge[s.board[s.area]] > 0 else 0
    return 1


@kernel
def miss_upgrades(s: Record, seat: int, place: int) -> None:
    """Counts the grades that goods in a warehouse can't be upgraded to because the stock has none of them."""
    at = (seat * PLACES + place) * GRADES
    for grade in range(GRADES - 1):
        if s.goods[at + grade] > 0 and s.stock[grade + 1] <= 0:
            s.short[grade + 1] += 1
            s.refused[grade + 1] += 1


@kernel
def miss(s: Record, f: Record, seat: int, op: int, value: int) -> None:
    """Counts what an operation that can't be done lacks, if it lacks pieces."""
    if op == OP_GAIN:
        s.short[value] += 1
    elif op == OP_UPGRADE:
        miss_upgrades(s, seat, f.port)
    elif op == OP_HIRE:
        s.short[SUP_DISPATCH] += 1
    elif op == OP_SHARE and s.shares[seat] == 0 and f.gauge[s.board[s.area]] > 0:
        s.short[SUP_SHARE] += 1


@kernel
def face_down(s: Record, f: Record, seat: int) -> int:
    """The cards of a Daily row that lie face down, as bits; the Daily card is the last."""
    there = 0
    for n in range(f.daily_n):
        if s.daily[seat * 3 + n] >= 0:
            there |= 1 << n
    if f.daily_model != NO_DAILY:
        there |= 1 << f.daily_n
    return there & ~s.up[seat]  # type: ignore[no-any-return]


@kernel
def usable(s: Record, f: Record, seat: int, skill: int) -> int:
    """Whether a skill that is activated can be used now: paid for, at its time, and good for something."""
    if s.free[seat] < f.cost[skill] or (f.after_placing[skill] == 1 and s.phase != ACT):
        return 0
    for n in range(f.effects[skill]):
        op = f.op[skill][n]
        if not (op == OP_ACT and s.phase != ACT) and can_do(s, f, seat, op, f.op_a[skill][n]) == 1:
            return 1
    return 0


@kernel
def legal_skills(s: Record, f: Record, moves: Row, number: int) -> int:
    """Adds the skills that the seat may use."""
    ready = s.placed[s.seat] & f.activated_mask & ~s.used
    if ready:
        for skill in range(f.skills):
            if ready & (1 << skill) and usable(s, f, s.seat, skill) == 1:
                moves[number] = USE + skill
                number += 1
    return number


@kernel
def use(s: Record, f: Record, skill: int, base: int) -> None:
    """Pays for a skill and begins its effects; `base` is the phase to go back to."""
    pay_dispatch(s, s.seat, f.cost[skill])
    s.doing, s.step, s.much, s.base = skill + 1, 0, -1, base
    s.phase = RESUME


@kernel
def answering(s: Record, f: Record, seat: int, card: int, source: int, place: int, owned: int) -> int:
    """The skills, as bits, that look for a request of this kind; `card` is -1 for the Daily card."""
    found = 0
    mask = s.placed[seat] & f.on_fulfil_mask
    if mask == 0:
        return 0
    for skill in range(f.skills):
        if mask & (1 << skill):
            fits = 1
            if f.on_type[skill] and (card < 0 or f.on_type[skill] != f.type[card]):
                fits = 0
            if f.on_tier[skill] >= 0 and (card < 0 or f.on_tier[skill] != f.tier[card]):
                fits = 0
            if f.on_source[skill] and f.on_source[skill] != source:
                fits = 0
            if f.on_zone[skill] and f.on_zone[skill] != f.zone[place]:
                fits = 0
            if f.on_own[skill] and not owned:
                fits = 0
            if fits:
                found |= 1 << skill
    return found


@kernel
def answer(s: Record, f: Record, seat: int, card: int, source: int, place: int, owned: int) -> None:
    """After a fulfilled request: its skills come, one after the other, and then the next action."""
    s.waiting = answering(s, f, seat, card, source, place, owned)
    s.area, s.base, s.doing, s.phase = place, ACT, 0, RESUME


@kernel
def do_once(s: Record, f: Record, op: int, value: int, number: int) -> int:
    """Carries out an operation that leaves no choice; answers the phase for one that does."""
    seat = s.seat
    if op == OP_EARN:
        earn(s, f, seat, number)
    elif op == OP_GAIN:
        gain(s, f, seat, value, number)
    elif op == OP_HIRE:
        hire(s, seat, number)
    elif op == OP_ACT:
        if s.base == ACT:
            s.left += number
    elif op == OP_SHARE:
        for _ in range(number):
            place_share(s, f, seat, s.area)
    elif op == OP_MOVE:
        return SHIFT
    elif op == OP_UPGRADE:
        return STEPS
    elif op == OP_RESEARCH:
        return SEARCH
    elif op == OP_REFRESH:
        return TURN_UP
    return 0


@kernel
def carry_on(s: Record, f: Record) -> None:
    """Goes on with the effects of the skill at work, then with those that wait, then back to the base phase.

    `doing` is 1 + the skill, `step` its effect, `much` what is left of an effect that the seat has choices in, and
    `asks` the phase of these choices.
    """
    while True:
        if s.doing > 0:
            skill = s.doing - 1
            if s.step == f.effects[skill]:
                s.doing, s.step = 0, 0
                continue
            op, value = f.op[skill][s.step], f.op_a[skill][s.step]
            if s.much < 0:
                s.asks = do_once(s, f, op, value, f.op_n[skill][s.step])
                s.much = f.op_n[skill][s.step] if s.asks else 0
            if s.much > 0:
                if can_do(s, f, s.seat, op, value) == 1:
                    s.phase = s.asks
                    return
                miss(s, f, s.seat, op, value)
            s.step += 1
            s.much = -1
        elif s.waiting:
            skill = 0
            while s.waiting & (1 << skill) == 0:
                skill += 1
            s.waiting &= ~(1 << skill)
            if f.optional[skill] == 1:
                if s.free[s.seat] >= f.cost[skill]:
                    if can_do(s, f, s.seat, f.op[skill][0], f.op_a[skill][0]) == 1:
                        s.phase, s.offered = OFFER, skill
                        return
                    miss(s, f, s.seat, f.op[skill][0], f.op_a[skill][0])
            elif s.free[s.seat] >= f.cost[skill]:
                pay_dispatch(s, s.seat, f.cost[skill])
                s.doing, s.step, s.much = skill + 1, 0, -1
        else:
            s.much, s.area, s.asks = 0, 0, 0
            s.phase = s.base
            s.base = 0
            return


@kernel
def legal_offer(s: Record, f: Record, moves: Row) -> int:
    """To use the skill that is offered, or not."""
    moves[0], moves[1] = USE + s.offered, DECLINE
    return 2


@kernel
def take_offer(s: Record, f: Record, move: int) -> None:
    """Uses the skill that is offered, or goes on without it."""
    skill, s.offered = s.offered, 0
    if move == DECLINE:
        s.phase = RESUME
    else:
        use(s, f, skill, s.base)


@kernel
def legal_search(s: Record, f: Record, moves: Row, number: int) -> int:
    """Any card of the Market."""
    for slot in range(f.market_n):
        if s.market[slot] >= 0:
            moves[number] = RESEARCH + slot
            number += 1
    return number


@kernel
def legal_turn_up(s: Record, f: Record, moves: Row) -> int:
    """Any face-down card of one's Daily row."""
    number, down = 0, face_down(s, f, s.seat)
    for n in range(f.daily_n + 1):
        if down & (1 << n):
            moves[number] = FACE_UP + n
            number += 1
    return number
