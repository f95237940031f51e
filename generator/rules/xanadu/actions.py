"""The actions of Forwarder of Xanadu step by step, and the effects of skills."""

from generator.rules.engine.kernel import Record, kernel
from generator.rules.xanadu import state as m
from generator.rules.xanadu.state import Grade, Op, Origin, Phase, Piece, Tier, goods_of, pack_goods
from generator.rules.xanadu.stock import (
    all_daily,
    count_room,
    daily_card,
    discard_request,
    draw_goods,
    earn_vp,
    gain_goods,
    give_back,
    goods_at,
    pay_dispatch,
    place_share,
    put_goods,
)

# What can be done now


@kernel
def can_improve(s: Record, seat: int, place: int) -> int:
    """Return True if goods in a warehouse can be upgraded, with goods of the next grade in the stock."""
    at = goods_at(seat, place)
    for grade in range(m.GRADES - 1):
        if s.goods[at + grade] > 0 and s.stock[grade + 1] > 0:
            return 1
    return 0


@kernel
def can_shift(s: Record, f: Record, seat: int) -> int:
    """Return True if a resource can go from some warehouse to another, adjacent or not."""
    for place in range(m.PLACES):
        if s.load[seat * m.PLACES + place] > 0:
            for other in range(m.PLACES):
                if other != place and count_room(s, f, seat, other) > 0:
                    return 1
    return 0


@kernel
def can_search(s: Record, f: Record) -> int:
    """Return True if there is a card in the Market."""
    for slot in range(f.market_n):
        if s.market[slot] >= 0:
            return 1
    return 0


@kernel
def can_do(s: Record, f: Record, seat: int, op: int, value: int) -> int:
    """Return True if an operation would change anything now."""
    can = 1
    if op == Op.GAIN:
        boundless = value == Grade.NORMAL and f.normal_shortage_unlimited
        can = 1 if s.stock[value] > 0 or boundless else 0
    elif op == Op.MOVE:
        can = can_shift(s, f, seat)
    elif op == Op.UPGRADE:
        can = can_improve(s, seat, f.port)
    elif op == Op.RESEARCH:
        can = can_search(s, f)
    elif op == Op.REFRESH:
        can = 1 if face_down(s, f, seat) else 0
    elif op == Op.HIRE:
        can = 1 if s.dispatch_stock > 0 else 0
    elif op == Op.PLACE_SHARE:
        can = 1 if s.shares[seat] > 0 and f.gauge[s.board[s.area]] > 0 else 0
    return can


@kernel
def face_down(s: Record, f: Record, seat: int) -> int:
    """Return the face-down cards of a Daily row, as bits; the Daily card is the last."""
    return all_daily(s, f, seat) & ~s.up[seat]


@kernel
def find_ready_skills(s: Record, f: Record) -> int:
    """Return the seat's skills that may be activated and have not been used in this turn, as bits."""
    return s.placed[s.seat] & f.activated_mask & ~s.used


@kernel
def is_timely(s: Record, f: Record, skill: int) -> int:
    """Return True if an activated skill can be paid for, and this is the time for it."""
    acting = s.phase == Phase.ACT
    return 1 if s.dispatch[s.seat] >= f.cost[skill] and (acting or f.after_placing[skill] == 0) else 0


@kernel
def is_useful(s: Record, f: Record, skill: int) -> int:
    """Return True if a skill can have any effect now; actions are useless before a worker is placed."""
    for n in range(f.effects[skill]):
        op = f.op[skill][n]
        if (op != Op.ACT or s.phase == Phase.ACT) and can_do(s, f, s.seat, op, f.op_a[skill][n]) == 1:
            return 1
    return 0


# What is lacking


@kernel
def miss_upgrades(s: Record, seat: int, place: int) -> None:
    """Count the grades that goods in a warehouse can't be upgraded to because the stock has none of them."""
    at = goods_at(seat, place)
    for grade in range(m.GRADES - 1):
        if s.goods[at + grade] > 0 and s.stock[grade + 1] <= 0:
            s.short[grade + 1] += 1
            s.refused[grade + 1] += 1


@kernel
def note_missing(s: Record, f: Record, seat: int, op: int, value: int) -> None:
    """Count the missing pieces of an operation that can't be done for lack of pieces."""
    if op == Op.GAIN:
        s.short[value] += 1
    elif op == Op.UPGRADE:
        miss_upgrades(s, seat, f.port)
    elif op == Op.HIRE:
        s.short[Piece.DISPATCH] += 1
    elif op == Op.PLACE_SHARE and s.shares[seat] == 0 and f.gauge[s.board[s.area]] > 0:
        s.short[Piece.SHARE] += 1


# Doing it


@kernel
def begin_skill(s: Record, f: Record, skill: int) -> None:
    """Pay for a skill; its effects are next."""
    pay_dispatch(s, s.seat, f.cost[skill])
    s.doing, s.step, s.much = skill + 1, 0, -1


@kernel
def use_skill(s: Record, f: Record, skill: int, base: int) -> None:
    """Use a skill; `base` is the phase to return to."""
    begin_skill(s, f, skill)
    s.resume_at, s.phase = base, Phase.RESUME


@kernel
def looks_for(f: Record, skill: int, card: int, origin: int, place: int, owned: int) -> int:
    """Return True if a skill looks for a request of this kind; `card` is -1 for the Daily card."""
    if f.on_type[skill] and (card < 0 or f.on_type[skill] != f.type[card]):
        return 0
    if f.on_tier[skill] != Tier.ANY and (card < 0 or f.on_tier[skill] != f.tier[card]):
        return 0
    if f.on_source[skill] not in (Origin.ANY, origin):
        return 0
    if f.on_zone[skill] and f.on_zone[skill] != f.zone[place]:
        return 0
    return 1 if owned or f.on_own_area[skill] == 0 else 0


@kernel
def queue_answers(s: Record, f: Record, card: int, origin: int, place: int, owned: int) -> None:
    """Queue the skills that look for a fulfilled request, one after the other, and then the next action."""
    s.waiting = 0
    able = s.placed[s.seat] & f.on_fulfil_mask
    if able:
        for skill in range(f.skills):
            if able & (1 << skill) and looks_for(f, skill, card, origin, place, owned) == 1:
                s.waiting |= 1 << skill
    s.area, s.resume_at, s.doing, s.phase = place, Phase.ACT, 0, Phase.RESUME


@kernel
def do_once(s: Record, f: Record, op: int, value: int, number: int) -> int:
    """Carry out an operation without choices; return the phase for one with a choice."""
    seat, asks = s.seat, 0
    if op == Op.EARN:
        earn_vp(s, f, seat, number)
    elif op == Op.GAIN:
        gain_goods(s, f, seat, value, number)
    elif op == Op.HIRE:
        # Take dispatch workers from the stock, as many as there are.
        got = number
        if s.dispatch_stock < number:
            s.short[Piece.DISPATCH] += 1
            got = s.dispatch_stock
        s.dispatch_stock -= got
        s.least_dispatch = min(s.least_dispatch, s.dispatch_stock)
        s.dispatch[seat] += got
    elif op == Op.ACT:
        if s.resume_at == Phase.ACT:
            s.left += number
    elif op == Op.PLACE_SHARE:
        for _ in range(number):
            place_share(s, f, seat, s.area)
    elif op == Op.MOVE:
        asks = Phase.SHIFT
    elif op == Op.UPGRADE:
        asks = Phase.STEPS
    elif op == Op.RESEARCH:
        asks = Phase.SEARCH
    elif op == Op.REFRESH:
        asks = Phase.TURN_UP
    return asks


@kernel
def carry_on(s: Record, f: Record) -> None:
    """Continue the current skill, then the waiting ones, until the seat has a choice or nothing is left."""
    while s.phase == Phase.RESUME:
        if s.doing > 0:
            go_on_with_skill(s, f, s.doing - 1)
        elif s.waiting:
            skill = 0
            while s.waiting & (1 << skill) == 0:
                skill += 1
            s.waiting &= ~(1 << skill)
            take_up(s, f, skill)
        else:
            s.much, s.area, s.asks = 0, 0, 0
            s.phase, s.resume_at = s.resume_at, 0


@kernel
def go_on_with_skill(s: Record, f: Record, skill: int) -> None:
    """Begin the next effect of the current skill, or continue the one that has begun."""
    step = s.step
    if step == f.effects[skill]:
        s.doing, s.step = 0, 0
        return
    op, value, number = f.op[skill][step], f.op_a[skill][step], f.op_n[skill][step]
    if s.much < 0:
        s.asks = do_once(s, f, op, value, number)
        s.much = number if s.asks else 0
    if s.much > 0:
        if can_do(s, f, s.seat, op, value) == 1:
            s.phase = s.asks
            return
        note_missing(s, f, s.seat, op, value)
    s.step, s.much = step + 1, -1


@kernel
def take_up(s: Record, f: Record, skill: int) -> None:
    """Begin a waiting skill if it can be paid for; offer it if it may be declined."""
    if s.dispatch[s.seat] < f.cost[skill]:
        return
    if f.optional[skill] == 0:
        begin_skill(s, f, skill)
    elif can_do(s, f, s.seat, f.op[skill][0], f.op_a[skill][0]) == 1:
        s.phase, s.offered = Phase.OFFER, skill
    else:
        note_missing(s, f, s.seat, f.op[skill][0], f.op_a[skill][0])


# Fulfil


@kernel
def card_from(s: Record, f: Record, source: int) -> int:
    """Return the request in a slot of the Market or in the seat's own Daily row, or -1 if there is none to fulfil."""
    if source < f.market_n:
        return s.market[source]
    n = source - m.DAILY_ROW
    if n < 0 or n >= f.daily_n or s.up[s.seat] & (1 << n) == 0:
        return -1
    return daily_card(s, s.seat, n)


@kernel
def find_payment(s: Record, f: Record, card: int, at: int, which: int) -> int:
    """Return a payment for a request by its number from 0, or -1 beyond the last. Higher grades may replace lower."""
    total = f.asks[card]
    for normals in range(min(s.goods[at + Grade.NORMAL], total - f.asks_fine[card]) + 1):
        for fines in range(min(s.goods[at + Grade.FINE], total - normals) + 1):
            superbs = total - normals - fines
            if f.asks_superb[card] <= superbs <= s.goods[at + Grade.SUPERB]:
                if which == 0:
                    return pack_goods(normals, fines, superbs)
                which -= 1
    return -1


@kernel
def pay_request(s: Record, f: Record) -> None:
    """Pay goods to the stock, and gain VP, a share token and skills; then remove the card or turn it face down."""
    seat, place, source = s.seat, s.area, s.source
    card = card_from(s, f, source)
    for grade in range(m.GRADES):
        give_back(s, seat, place, grade, goods_of(s.paying, grade))
    s.left -= 1
    s.source, s.paying = 0, 0
    earn_vp(s, f, seat, f.vp[card])
    owned = s.tokens[place * m.SEATS + seat]
    if place != f.port:
        place_share(s, f, seat, place)
    if source < f.market_n:
        s.market[source] = -1
        discard_request(s, f, card)
        queue_answers(s, f, card, Origin.MARKET, place, owned)
    else:
        n = source - m.DAILY_ROW
        s.up[seat] &= ~(1 << n)
        if f.daily_model_one_shot:
            s.daily[seat * m.DAILY_MOST + n] = -1
            discard_request(s, f, card)
        queue_answers(s, f, card, Origin.DAILY, place, owned)


# The Daily card: so many resources of the Port, grade by grade


@kernel
def fewest_to_return(s: Record, f: Record) -> int:
    """Return the fewest resources of the present grade that may go back for the Daily card: at least one in total."""
    at, others = goods_at(s.seat, f.port), 0
    for grade in range(m.GRADES):
        if grade < s.grade:
            others += s.took[grade]
        elif grade > s.grade:
            others += s.goods[at + grade]
    return 0 if others > 0 else 1


@kernel
def return_goods(s: Record, number: int) -> None:
    """Put so many resources of the present grade back; the next grade follows, and finally the VP."""
    s.took[s.grade] = number
    s.grade += 1
    if s.grade == m.GRADES:
        s.phase = Phase.COUNTED


@kernel
def count_on(s: Record, f: Record) -> None:
    """Put resources of a grade back if only one number is possible."""
    at = goods_at(s.seat, f.port)
    while s.grade < m.GRADES and fewest_to_return(s, f) == s.goods[at + s.grade]:
        return_goods(s, s.goods[at + s.grade])


@kernel
def use_daily_card(s: Record, f: Record) -> None:
    """Put goods of the Port back into the stock for VP up to the cap; turn the card face down."""
    number = 0
    for grade in range(m.GRADES):
        give_back(s, s.seat, f.port, grade, s.took[grade])
        number += s.took[grade]
        s.took[grade] = 0
    earn_vp(s, f, s.seat, min(number * f.daily_vp, f.daily_cap))
    s.up[s.seat] &= ~(1 << f.daily_n)
    s.left -= 1
    s.grade, s.phase = 0, Phase.ACT
    if f.daily_triggers:
        queue_answers(s, f, -1, Origin.DAILY, f.port, 0)


# Transport


@kernel
def most_load(s: Record, f: Record) -> int:
    """Return how many resources may go together: one for a skill, else as many as are carried, fit, and exist."""
    if s.doing > 0:
        return 1
    there = s.load[s.seat * m.PLACES + s.from_place - 1]
    return min(s.carry[s.seat], count_room(s, f, s.seat, s.to_place - 1), there)


@kernel
def begin_carry(s: Record, f: Record, pair: int) -> None:
    """Choose two warehouses; move the load if only one kind is possible."""
    s.from_place, s.to_place = pair // m.PLACES + 1, pair % m.PLACES + 1
    at = goods_at(s.seat, s.from_place - 1)
    normal, fine, superb = min(s.goods[at], 1), min(s.goods[at + Grade.FINE], 1), min(s.goods[at + Grade.SUPERB], 1)
    if normal + fine + superb == 1 and most_load(s, f) == 1:
        move_load(s, f, pack_goods(normal, fine, superb))
    else:
        s.phase = Phase.LOAD


@kernel
def move_load(s: Record, f: Record, goods: int) -> None:
    """Move packed goods (see `goods_of`) between two places. Go on with the skill, or use up an action."""
    seat, place, other = s.seat, s.from_place - 1, s.to_place - 1
    for grade in range(m.GRADES):
        number = goods_of(goods, grade)
        put_goods(s, seat, place, grade, -number)
        put_goods(s, seat, other, grade, number)
    if s.doing > 0:
        s.from_place, s.to_place = s.kept_from, s.kept_to
        s.much -= 1
        s.phase = Phase.RESUME
        return
    if f.transport_scope_action:
        s.from_place, s.to_place = 0, 0
    else:
        s.kept_from, s.kept_to = s.from_place, s.to_place
    s.left -= 1
    s.phase = Phase.ACT


# Upgrade


@kernel
def improve_goods(s: Record, f: Record, place: int, grade: int) -> None:
    """Exchange a resource for one of the next grade."""
    give_back(s, s.seat, place, grade, 1)
    put_goods(s, s.seat, place, grade + 1, draw_goods(s, f, grade + 1, 1))
    if s.doing > 0:
        s.much -= 1
        s.phase = Phase.RESUME
    else:
        s.left -= 1
