"""What each choice of Forwarder of Xanadu offers, and what can be done now."""

from collections.abc import Iterator

from generator.rules.engine.kernel import Record, iter_members, kernel
from generator.rules.engine.story import offer
from generator.rules.xanadu.state import (
    COUNTS,
    DAILY_MOST,
    DAILY_ROW,
    GRADES,
    LID_ROWS,
    PLACES,
    ROWS,
    SOURCES,
    Action,
    Grade,
    Lid,
    Move,
    Op,
    Phase,
    Piece,
    pack_goods,
)
from generator.rules.xanadu.stock import all_daily, count_room, daily_card, goods_at, lids_off

# What each choice offers


@offer
def list_companies_left(s: Record, f: Record) -> Iterator[int]:
    """Offer the companies that no player has."""
    taken = 0
    for seat in range(s.players):
        if s.company[seat] >= 0:
            taken |= 1 << s.company[seat]
    for company in range(f.companies):
        if taken & (1 << company) == 0:
            yield Move.COMPANY + company


@offer
def list_placements(s: Record, f: Record) -> Iterator[int]:
    """Offer to place a worker, to fill spaces, to search the Market, to use skills, or to pass at a price."""
    seat = s.seat
    for row in range(ROWS):
        if s.row_n[row] < f.row_len[row] and (s.chosen == 0 or s.chosen == row + 1):
            yield Move.PLACE + row
    if s.dispatch[seat] > 0:
        for row in range(ROWS):
            if (s.chosen == 0 or s.chosen == row + 1) and may_fill(s, f, row) == 1:
                yield Move.DISPATCH + row
        passes = f.passes if f.pass_action_dispatch_123 else 0
        if s.passes[seat] < passes and s.dispatch[seat] >= f.pass_costs[s.passes[seat]]:
            yield Move.PASS
        if s.dispatch[seat] >= f.research_cost:
            yield from list_market(s, f)
    if s.placed[seat]:
        yield from list_skills(s, f)


@kernel
def may_fill(s: Record, f: Record, row: int) -> int:
    """Return 1 if a dispatch worker may fill a row's next space; some row must stay open for the worker."""
    if s.row_n[row] >= f.row_len[row]:
        return 0
    if s.row_n[row] < f.row_len[row] - 1 or f.dispatch_fill_immediate:
        return 1
    if f.dispatch_fill_no_complete or f.dispatch_rows_chosen_row_only:
        return 0
    for other in range(ROWS):
        if other != row and s.row_n[other] < f.row_len[other]:
            return 1
    return 0


@offer
def list_actions_left(s: Record, f: Record) -> Iterator[int]:
    """Offer to end the turn, to search the Market, to use skills, and the actions left."""
    yield Move.END
    if s.dispatch[s.seat] >= f.research_cost and s.dispatch[s.seat] > 0 and f.research_timing_own_turn:
        yield from list_market(s, f)
    if s.placed[s.seat]:
        yield from list_skills(s, f)
    if s.left > 0:
        if s.row == Action.FULFIL:
            yield from list_requests(s, f)
        elif s.row == Action.TRANSPORT:
            yield from list_transports(s, f)
        else:
            yield from list_upgrades(s, f)


@offer
def list_market(s: Record, f: Record) -> Iterator[int]:
    """Offer to replace any card of the Market."""
    for slot in range(f.market_n):
        if s.market[slot] >= 0:
            yield Move.RESEARCH + slot


@offer
def list_skills(s: Record, f: Record) -> Iterator[int]:
    """Offer the skills that the seat may use: paid for, at their time, and useful."""
    skills = find_ready_skills(s, f)
    if skills:
        for skill in range(f.skills):
            if skills & (1 << skill) and is_timely(s, f, skill) == 1 and is_useful(s, f, skill) == 1:
                yield Move.USE + skill


@offer
def list_requests(s: Record, f: Record) -> Iterator[int]:
    """Offer requests payable in an area with their icon, the Daily card, or an action without effect."""
    own = s.seat * PLACES
    if f.impossible_fulfil_wasted:
        yield Move.WASTE
    if s.up[s.seat] & (1 << f.daily_n) and s.load[own + f.port] > 0:
        yield Move.DAILY
    for place in range(PLACES):
        icons = f.icons[s.board[place]]
        if s.load[own + place] > 0 and icons:
            for slot in range(f.market_n):
                card = s.market[slot]
                if card >= 0 and f.type[card] & icons and can_pay(s, f, card, own + place) == 1:
                    yield Move.FULFIL + place * SOURCES + slot
            for n in range(f.daily_n):
                card = s.daily[s.seat * DAILY_MOST + n]
                up = s.up[s.seat] & (1 << n)
                if up and card >= 0 and f.type[card] & icons and can_pay(s, f, card, own + place) == 1:
                    yield Move.FULFIL + place * SOURCES + DAILY_ROW + n


@offer
def list_transports(s: Record, f: Record) -> Iterator[int]:
    """Offer ways from warehouses with goods to neighbours with room, between `from_place` and `to_place` if not 0."""
    own = s.seat * PLACES
    limit = s.limit[s.seat]
    for place in range(PLACES):
        if s.load[own + place] > 0 and (s.from_place == 0 or s.from_place == place + 1):
            for n in range(f.around_n[place]):
                other = f.around[place][n]
                fits = s.load[own + other] < limit if other != f.port else count_room(s, f, s.seat, other) > 0
                if fits and (s.to_place == 0 or s.to_place == other + 1):
                    yield Move.CARRY + place * PLACES + other


@offer
def list_upgrades(s: Record, f: Record) -> Iterator[int]:
    """Offer goods whose next grade is in stock: at the Port, and elsewhere by an action if the company may."""
    seat = s.seat
    first = f.port
    end = f.port + 1
    if s.phase == Phase.ACT and (s.anywhere[seat] == 1 or s.office[seat] > 0):
        first = 0
        end = PLACES
    for place in range(first, end):
        if place == f.port or s.anywhere[seat] == 1 or s.office[seat] == place + 1:
            at = goods_at(seat, place)
            for grade in range(GRADES - 1):
                if s.goods[at + grade] > 0 and s.stock[grade + 1] > 0:
                    yield Move.UPGRADE + place * GRADES + grade


@offer
def list_places_for_gain(s: Record, f: Record) -> Iterator[int]:
    """Offer areas with own goods, ascending, for one resource each, or the Port for all that are left."""
    other = next_for_gain(s, f, s.last)
    for place in range(PLACES):
        if place in (f.port, other):
            yield Move.PUT + place
        if place == other:
            other = next_for_gain(s, f, place + 1)


@offer
def list_payments(s: Record, f: Record) -> Iterator[int]:
    """Offer all payments for the request that is being fulfilled."""
    card = card_from(s, f, s.source)
    at = goods_at(s.seat, s.area)
    which = 0
    goods = find_payment(s, f, card, at, which)
    while goods >= 0:
        yield Move.GOODS + goods
        which += 1
        goods = find_payment(s, f, card, at, which)


@offer
def list_numbers_to_return(s: Record, f: Record) -> Iterator[int]:
    """Offer numbers of resources of a grade to put back for the Daily card."""
    for number in range(fewest_to_return(s, f), s.goods[goods_at(s.seat, f.port) + s.grade] + 1):
        yield Move.COUNT + s.grade * COUNTS + number


@offer
def list_loads(s: Record, f: Record) -> Iterator[int]:
    """Offer every load that may go together, of any grades."""
    at = goods_at(s.seat, s.from_place - 1)
    most = most_load(s, f)
    for normals in range(min(s.goods[at + Grade.NORMAL], most) + 1):
        for fines in range(min(s.goods[at + Grade.FINE], most - normals) + 1):
            for superbs in range(min(s.goods[at + Grade.SUPERB], most - normals - fines) + 1):
                if normals + fines + superbs > 0:
                    yield Move.GOODS + pack_goods(normals, fines, superbs)


@offer
def list_answers(s: Record, f: Record, skill: int) -> Iterator[int]:
    """Offer to use a skill or to decline it."""
    yield Move.USE + skill
    yield Move.DECLINE


@offer
def list_shifts(s: Record, f: Record) -> Iterator[int]:
    """Offer ways from every warehouse with goods to every other one with room."""
    open_places = find_places_with_room(s, f)
    for place in range(PLACES):
        if s.load[s.seat * PLACES + place] > 0:
            for other in iter_members(open_places & ~(1 << place)):
                yield Move.CARRY + place * PLACES + other


@offer
def list_steps(s: Record, f: Record) -> Iterator[int]:
    """Offer to stop upgrading (END), and goods at the Port whose next grade is in stock."""
    yield Move.END
    yield from list_upgrades(s, f)


@offer
def list_lids(s: Record, f: Record) -> Iterator[int]:
    """Offer rows with a lid that may come off; for a skill's lid, each skill of the hand; the end if there is none."""
    rows = find_removable(s, f, s.seat)
    skills = 0
    if rows & (1 << Lid.SKILL) and gate_cost(s, f, s.seat) <= s.dispatch[s.seat] + 1:
        skills = s.hand[s.seat]
    rows &= ~(1 << Lid.SKILL)
    for row in iter_members(rows):
        yield Move.LID + row
    for skill in iter_members(skills):
        yield Move.SKILL + skill
    if rows == 0 and skills == 0:
        yield Move.END  # a guard for other data: there are more lids than come off in a game


@offer
def list_areas(s: Record, f: Record) -> Iterator[int]:
    """Offer every area but the Port as the place of the second office."""
    for place in range(PLACES):
        if place != f.port:
            yield Move.OFFICE + place


# What can be done now


@kernel
def can_do(s: Record, f: Record, skill: int, n: int) -> int:
    """Return 1 if effect `n` (from 0) of a skill would change anything now, else 0."""
    op = f.op[skill][n]
    if op == Op.GAIN:
        grade = f.op_a[skill][n]
        return 1 if s.stock[grade] > 0 or (grade == Grade.NORMAL and f.normal_shortage_unlimited) else 0
    if op == Op.MOVE:
        return can_shift(s, f)
    if op == Op.UPGRADE:
        at = goods_at(s.seat, f.port)
        for grade in range(GRADES - 1):
            if s.goods[at + grade] > 0 and s.stock[grade + 1] > 0:
                return 1
        return 0
    if op == Op.RESEARCH:
        for slot in range(f.market_n):
            if s.market[slot] >= 0:
                return 1
        return 0
    if op == Op.REFRESH:
        return 1 if find_face_down(s, f) else 0
    if op == Op.HIRE:  # a guard for other cards: ours hires when it is placed, without a choice
        return 1 if s.dispatch_stock > 0 else 0
    if op == Op.PLACE_SHARE:
        return 1 if s.shares[s.seat] > 0 and f.gauge[s.board[s.area]] > 0 else 0
    return 1


@kernel
def can_shift(s: Record, f: Record) -> int:
    """Return 1 if a resource can go from some warehouse to another, adjacent or not."""
    places = find_places_with_room(s, f)
    for place in range(PLACES):
        if s.load[s.seat * PLACES + place] > 0 and places & ~(1 << place):
            return 1
    return 0


@kernel
def find_face_down(s: Record, f: Record) -> int:
    """Return the face-down cards of the Daily row, as bits; the Daily card is the last."""
    return all_daily(s, f, s.seat) & ~s.up[s.seat]


@kernel
def can_act(s: Record, f: Record) -> int:
    """Return 1 if a turn goes on: there are actions, searches of the Market, or skills left."""
    searches = s.dispatch[s.seat] >= f.research_cost and f.research_timing_own_turn
    return 1 if s.left > 0 or searches or find_ready_skills(s, f) else 0


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
        if (op != Op.ACT or s.phase == Phase.ACT) and can_do(s, f, skill, n) == 1:
            return 1
    return 0


@kernel
def miss_upgrades(s: Record, seat: int, place: int) -> None:
    """Count the grades that goods in a warehouse can't be upgraded to because the stock has none of them."""
    at = goods_at(seat, place)
    for grade in range(GRADES - 1):
        if s.goods[at + grade] > 0 and s.stock[grade + 1] <= 0:
            s.short[grade + 1] += 1
            s.refused[grade + 1] += 1


@kernel
def note_missing(s: Record, f: Record, skill: int, n: int) -> None:
    """Count in `s.short` the missing pieces for lack of which effect `n` of a skill can't be carried out."""
    op = f.op[skill][n]
    if op == Op.GAIN:
        s.short[f.op_a[skill][n]] += 1
    elif op == Op.UPGRADE:
        miss_upgrades(s, s.seat, f.port)
    elif op == Op.HIRE:  # a guard for other cards, as in `can_do`
        s.short[Piece.DISPATCH] += 1
    elif op == Op.PLACE_SHARE and s.shares[s.seat] == 0 and f.gauge[s.board[s.area]] > 0:
        s.short[Piece.SHARE] += 1


@kernel
def card_from(s: Record, f: Record, source: int) -> int:
    """Return the request at a source: a slot of the Market or, from DAILY_ROW on, a place of the own Daily row."""
    return s.market[source] if source < DAILY_ROW else daily_card(s, s.seat, source - DAILY_ROW)


@kernel
def find_payment(s: Record, f: Record, card: int, at: int, which: int) -> int:
    """Return payment `which` (from 0) for a request, packed, or -1 beyond the last; the goods are at `s.goods[at]`."""
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
def fewest_to_return(s: Record, f: Record) -> int:
    """Return the fewest resources of the present grade that may go back for the Daily card: at least one in total."""
    at, others = goods_at(s.seat, f.port), 0
    for grade in range(GRADES):
        if grade < s.grade:
            others += s.took[grade]
        elif grade > s.grade:
            others += s.goods[at + grade]
    return 0 if others > 0 else 1


@kernel
def most_load(s: Record, f: Record) -> int:
    """Return how many resources may go together: one for a skill, else as many as are carried, fit, and exist."""
    if s.doing > 0:
        return 1
    there = s.load[s.seat * PLACES + s.from_place - 1]
    return min(s.carry[s.seat], count_room(s, f, s.seat, s.to_place - 1), there)


@kernel
def note_refused(s: Record, f: Record) -> None:
    """Count upgrades and skills that the seat can't choose now because the stock lacks their pieces."""
    if s.dispatch_stock > 0 and s.stock[Grade.NORMAL] > 0 and s.stock[Grade.FINE] > 0 and s.stock[Grade.SUPERB] > 0:
        return
    acting = s.phase == Phase.ACT
    if s.phase == Phase.STEPS or (acting and s.row == Action.UPGRADE and s.left > 0):
        for place in range(PLACES):
            if place == f.port or s.anywhere[s.seat] == 1 or (acting and s.office[s.seat] == place + 1):
                miss_upgrades(s, s.seat, place)
    if acting or s.phase == Phase.PLACING:
        skills = find_ready_skills(s, f)
        for skill in range(f.skills):
            if skills & (1 << skill) and is_timely(s, f, skill) == 1 and is_useful(s, f, skill) == 0:
                for n in range(f.effects[skill]):
                    note_missing(s, f, skill, n)


@kernel
def gate_cost(s: Record, f: Record, seat: int) -> int:
    """Return the dispatch workers to pay before the next skill may be placed, by the reading "vp_threshold"."""
    if not f.skill_gate_vp_threshold:
        return 0
    missing = f.gate[lids_off(s, seat, Lid.SKILL)] - s.vp[seat]
    return max(0, (missing + f.rebate - 1) // f.rebate)


@kernel
def find_removable(s: Record, f: Record, seat: int) -> int:
    """Return the rows that a lid may be taken from, as bits; the extra worker needs one of its rows empty."""
    rows, opened = 0, 0
    for row in range(LID_ROWS):
        if lids_off(s, seat, row) < f.lids[row]:
            rows |= 1 << row
        elif f.opens[row] == 1:
            opened = 1
    return rows if opened else rows & ~(1 << Lid.WORKER)


@kernel
def find_places_with_room(s: Record, f: Record) -> int:
    """Return the places where the seat's warehouse has room, as bits."""
    places = 0
    for place in range(PLACES):
        if count_room(s, f, s.seat, place) > 0:
            places |= 1 << place
    return places


@kernel
def can_pay(s: Record, f: Record, card: int, warehouse: int) -> int:
    """Return True if a warehouse (seat * PLACES + place) can pay for a request: enough in all and of higher grades."""
    superb = s.goods[warehouse * GRADES + Grade.SUPERB]
    fine = s.goods[warehouse * GRADES + Grade.FINE] + superb
    enough = s.load[warehouse] >= f.asks[card] and fine >= f.asks_fine[card]
    return 1 if enough and superb >= f.asks_superb[card] else 0


@kernel
def next_for_gain(s: Record, f: Record, place: int) -> int:
    """Return the first area from `place` on with own goods and room, for a gained resource; PLACES if there is none."""
    own, limit = s.seat * PLACES, s.limit[s.seat]
    while place < PLACES and (place == f.port or not 0 < s.load[own + place] < limit):
        place += 1
    return place
