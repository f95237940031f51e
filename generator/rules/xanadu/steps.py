"""The steps of turns, skills and rounds of Forwarder of Xanadu that need no choice."""

from generator.rules.engine.kernel import Record, kernel, take_out
from generator.rules.xanadu import state as m
from generator.rules.xanadu.offers import card_from, most_load
from generator.rules.xanadu.state import Grade, Hole, Lid, Op, Origin, Phase, Piece, Tier, goods_of, pack_goods
from generator.rules.xanadu.stock import (
    all_daily,
    discard_request,
    draw_goods,
    earn_vp,
    empty_full_rows,
    fill_market,
    gain_goods,
    give_back,
    goods_at,
    lids_off,
    meet_hole,
    place_share,
    put_goods,
    recount_company,
    restock_of,
)

# A turn


@kernel
def end_turn(s: Record, f: Record) -> None:
    """Empty full rows and fill the Market; store what laws and measures look at."""
    empty_full_rows(s, f)
    fill_market(s, f)
    remember_state(s)
    waiting = 0
    for seat in range(s.players):
        own = f.company_workers - s.hands[seat] - s.reserve[seat]
        s.most_stuck = max(s.most_stuck, own)
        waiting += own
    s.most_waiting = max(s.most_waiting, waiting)
    s.turn += 1
    s.turns[s.seat] += 1
    s.used, s.left, s.row, s.chosen = 0, 0, 0, 0
    s.from_place, s.to_place, s.kept_from, s.kept_to = 0, 0, 0, 0


@kernel
def remember_state(s: Record) -> None:
    """Store what the laws compare later: gauges and VP at the end of a turn."""
    for place in range(m.PLACES):
        s.seen_gauge[place], s.seen_boxes[place] = s.gauge[place], s.boxes[place]
    for seat in range(s.players):
        s.seen_vp[seat] = s.vp[seat]


# Actions


@kernel
def pay_request(s: Record, f: Record) -> None:
    """Pay goods to the stock, and gain VP, a share token and skills; then remove the card or turn it face down."""
    seat, place, source = s.seat, s.area, s.source
    card = card_from(s, f, source)
    for grade in range(m.GRADES):
        give_back(s, seat, place, grade, goods_of(s.paying, grade))
    s.source, s.paying = 0, 0
    earn_vp(s, f, seat, f.vp[card])
    owned = s.tokens[place * m.SEATS + seat]
    place_share(s, f, seat, place)
    if source < f.market_n:
        s.market[source] = -1
        discard_request(s, f, card)
        s.waiting = find_answers(s, f, card, Origin.MARKET, place, owned)
    else:
        n = source - m.DAILY_ROW
        s.up[seat] &= ~(1 << n)
        if f.daily_model_one_shot:
            s.daily[seat * m.DAILY_MOST + n] = -1
            discard_request(s, f, card)
        s.waiting = find_answers(s, f, card, Origin.DAILY, place, owned)
    if s.waiting == 0:
        s.area = 0


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
    s.grade = 0
    if f.daily_triggers:
        s.waiting = find_answers(s, f, -1, Origin.DAILY, f.port, 0)
        s.area = f.port if s.waiting else 0


@kernel
def find_only_load(s: Record, f: Record) -> int:
    """Return the packed goods that go together if they can only be one resource of one grade, else 0."""
    at = goods_at(s.seat, s.from_place - 1)
    normal, fine, superb = min(s.goods[at], 1), min(s.goods[at + Grade.FINE], 1), min(s.goods[at + Grade.SUPERB], 1)
    return pack_goods(normal, fine, superb) if normal + fine + superb == 1 and most_load(s, f) == 1 else 0


@kernel
def improve_goods(s: Record, f: Record, goods: int) -> None:
    """Exchange a resource for one of the next grade; `goods` are place * GRADES + grade."""
    place, grade = goods // m.GRADES, goods % m.GRADES
    give_back(s, s.seat, place, grade, 1)
    put_goods(s, s.seat, place, grade + 1, draw_goods(s, f, grade + 1, 1))


# Skills


@kernel
def looks_for(f: Record, skill: int, card: int, origin: int, place: int, owned: int) -> int:
    """Return 1 if a skill looks for a request (-1: Daily card) of this origin and place; `owned`: own tokens there."""
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
def find_answers(s: Record, f: Record, card: int, origin: int, place: int, owned: int) -> int:
    """Return the seat's skills that look for a fulfilled request, as bits; the arguments are those of `looks_for`."""
    answers = 0
    able = s.placed[s.seat] & f.on_fulfil_mask
    if able:
        for skill in range(f.skills):
            if able & (1 << skill) and looks_for(f, skill, card, origin, place, owned) == 1:
                answers |= 1 << skill
    return answers


@kernel
def do_effect(s: Record, f: Record, skill: int, n: int, acting: int) -> int:
    """Carry out effect `n` of a skill and return 0, or return how many choices it has. `acting`: it may add actions."""
    seat, op, number = s.seat, f.op[skill][n], f.op_n[skill][n]
    if op == Op.EARN:
        earn_vp(s, f, seat, number)
    elif op == Op.GAIN:
        gain_goods(s, f, seat, f.op_a[skill][n], number)
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
        if acting:
            s.left += number
    elif op == Op.PLACE_SHARE:
        for _ in range(number):
            place_share(s, f, seat, s.area)
    else:
        return number
    return 0


# Rounds


@kernel
def begin_round(s: Record, f: Record) -> int:
    """Begin a round. Return 0 if no player has a worker, so that the game can't go on."""
    note_round(s)
    s.round_now += 1
    set_order(s, f)
    if f.start_player_vp_order:
        s.start = s.order[0]
    for seat in range(s.players):
        if s.hands[seat] > 0:
            s.at = s.players - 1
            return 1
    s.hole, s.over, s.phase = Hole.STANDSTILL, 1, Phase.ENDED
    return 0


@kernel
def set_order(s: Record, f: Record) -> None:
    """Set the order of a round: clockwise from the start player, or by a reading (E52) from most to fewest VP."""
    for n in range(s.players):
        seat = (s.start + n) % s.players
        at = n
        if f.start_player_vp_order:
            while at > 0 and s.vp[s.order[at - 1]] < s.vp[seat]:
                s.order[at] = s.order[at - 1]
                at -= 1
        s.order[at] = seat


@kernel
def find_next_seat(s: Record) -> int:
    """Give the turn to the next seat that has a worker; return 0 if none has."""
    for n in range(s.at + 1, s.at + 1 + s.players):
        at = n % s.players
        if s.hands[s.order[at]] > 0:
            s.at, s.seat = at, s.order[at]
            return 1
    return 0


@kernel
def take_lid(s: Record, f: Record, row: int) -> None:
    """Take the next lid off a row of the seat's company board; its effect holds at once."""
    s.dispatch[s.seat] += 1
    s.lids_left -= 1
    s.lids[s.seat * m.LID_ROWS + row] += 1
    recount_company(s, f, s.seat)


@kernel
def recall_workers(s: Record, seat: int, missing: int) -> None:
    """Take up to `missing` workers of a seat from the rows into its stock, those farthest right first; gaps close."""
    for space in range(m.SPACES - 1, -1, -1):
        for row in range(m.ROWS):
            if missing > 0 and space < s.row_n[row] and s.rows[row * m.SPACES + space] == seat:
                take_out(s.rows, row * m.SPACES + space, row * m.SPACES + s.row_n[row])
                s.row_n[row] -= 1
                s.reserve[seat] += 1
                missing -= 1


@kernel
def refresh_workers(s: Record, f: Record) -> None:
    """Take due workers from the stock, as many as are there, or by a reading from rows (E03); turn up Daily rows."""
    for n in range(s.players):
        seat = s.order[n]
        due = f.workers[lids_off(s, seat, Lid.WORKER)]
        if s.reserve[seat] < due:
            s.short[Piece.WORKER] += 1
            meet_hole(s, Hole.WORKERS)
            if f.worker_shortage_recall:
                recall_workers(s, seat, due - s.reserve[seat])
        got = min(due, s.reserve[seat])
        s.reserve[seat] -= got
        s.hands[seat] += got
        s.up[seat] = all_daily(s, f, seat)


@kernel
def restock_ports(s: Record, f: Record) -> None:
    """Put new normal resources into the Port, with those that skills bring at the end of a round."""
    for n in range(s.players):
        seat = s.order[n]
        gain_goods(s, f, seat, Grade.NORMAL, restock_of(s, f, seat))
        extra = s.placed[seat] & f.round_end_mask
        if extra:
            s.seat = seat
            for skill in range(f.skills):
                if extra & (1 << skill):
                    for step in range(f.effects[skill]):
                        do_effect(s, f, skill, step, 0)


@kernel
def note_round(s: Record) -> None:
    """Record the VP of all seats together after a round and its scoring."""
    if 0 < s.round_now <= m.ROUNDS:
        total = 0
        for seat in range(s.players):
            total += s.vp[seat]
        s.vp_after[s.round_now - 1] = total
