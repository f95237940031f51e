"""The three actions of draft 18 as kernels: fulfil, transport, upgrade; what may be done, and what it does."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_codes import (
    ACT,
    CARRY,
    COUNT_FINES,
    COUNT_NORMALS,
    COUNT_SUPERBS,
    COUNTED,
    DAILY,
    FINES,
    FROM_DAILY,
    FROM_MARKET,
    FULFILLING,
    GOODS,
    GRADES,
    IMPROVE,
    LOAD,
    NORMALS,
    ONE_SHOT,
    PAID,
    PAY,
    PLACES,
    RESUME,
    ROW_SOURCE,
    SEATS,
    SOURCES,
    SUPERBS,
    WASTE,
)
from generator.games.xanadu.play_skills import answer
from generator.games.xanadu.play_stock import discard, draw_goods, earn, give_back, place_share, put_goods, room


@kernel
def card_from(s: Record, f: Record, source: int) -> int:
    """The request in a slot of the Market or in the seat's own Daily row, -1 if there is none to fulfil."""
    if source < f.market_n:
        return s.market[source]  # type: ignore[no-any-return]
    n = source - ROW_SOURCE
    if n < 0 or n >= f.daily_n or s.up[s.seat] & (1 << n) == 0:
        return -1
    return s.daily[s.seat * 3 + n]  # type: ignore[no-any-return]


@kernel
def legal_fulfil(s: Record, f: Record, moves: Row, number: int) -> int:
    """Requests that can be paid in an area with their icon, the Daily card, or an action that comes to nothing."""
    own = s.seat * PLACES
    if f.impossible_fulfil == 1:
        moves[number] = WASTE
        number += 1
    if s.up[s.seat] & (1 << f.daily_n) and s.load[own + f.port] > 0:
        moves[number] = DAILY
        number += 1
    for place in range(PLACES):
        have = s.load[own + place]
        icons = f.icons[s.board[place]]
        if have > 0 and icons:
            at = (own + place) * GRADES
            superb = s.goods[at + 2]
            fine = s.goods[at + 1] + superb
            for n in range(f.market_n + f.daily_n):
                source = n if n < f.market_n else ROW_SOURCE + n - f.market_n
                card = card_from(s, f, source)
                if card >= 0 and f.type[card] & icons and have >= f.asks[card]:
                    suffices = fine >= f.asks_fine[card] and superb >= f.asks_superb[card]
                    if suffices:
                        moves[number] = FULFILLING + place * SOURCES + source
                        number += 1
    return number


@kernel
def payment(s: Record, f: Record, source: int, place: int, which: int) -> int:
    """The goods of a payment, counting from 0; -1 beyond the last. Any grade may stand in for a lower one."""
    at = (s.seat * PLACES + place) * GRADES
    card = card_from(s, f, source)
    total = f.asks[card]
    for normals in range(min(s.goods[at], total - f.asks_fine[card]) + 1):
        for fines in range(min(s.goods[at + 1], total - normals) + 1):
            superbs = total - normals - fines
            if f.asks_superb[card] <= superbs <= s.goods[at + 2]:
                if which == 0:
                    return normals * 64 + fines * 8 + superbs  # type: ignore[no-any-return]
                which -= 1
    return -1


@kernel
def legal_pay(s: Record, f: Record, moves: Row) -> int:
    """All payments for the request that is being fulfilled."""
    number = 0
    while True:
        goods = payment(s, f, s.source, s.area, number)
        if goods < 0:
            return number
        moves[number] = GOODS + goods
        number += 1


@kernel
def begin_fulfil(s: Record, f: Record, place: int, source: int) -> None:
    """A request is chosen; where it can be paid in one way only, it is."""
    s.source, s.area = source, place
    s.paying = payment(s, f, source, place, 0)
    s.phase = PAID if payment(s, f, source, place, 1) < 0 else PAY


@kernel
def pay(s: Record, f: Record) -> None:
    """Goods to the stock, VP, a share token, skills; then the card is gone, or face down."""
    seat, place, source, goods = s.seat, s.area, s.source, s.paying
    card = card_from(s, f, source)
    give_back(s, seat, place, 0, goods >> 6)
    give_back(s, seat, place, 1, (goods >> 3) & 7)
    give_back(s, seat, place, 2, goods & 7)
    s.left -= 1
    s.done[seat] += 1
    s.source, s.paying = 0, 0
    earn(s, f, seat, f.vp[card])
    owned = s.tokens[place * SEATS + seat]
    if place != f.port:
        place_share(s, f, seat, place)
    if source < f.market_n:
        s.market[source] = -1
        discard(s, f, card)
        answer(s, f, seat, card, FROM_MARKET, place, owned)
    else:
        s.up[seat] &= ~(1 << (source - ROW_SOURCE))
        if f.daily_model == ONE_SHOT:
            s.daily[seat * 3 + source - ROW_SOURCE] = -1
            discard(s, f, card)
        answer(s, f, seat, card, FROM_DAILY, place, owned)


@kernel
def fewest(s: Record, f: Record) -> int:
    """The fewest resources of the grade to be counted that may go back for the Daily card: one at least in all."""
    at = (s.seat * PLACES + f.port) * GRADES
    if s.phase == NORMALS:
        return 0 if s.goods[at + 1] + s.goods[at + 2] > 0 else 1
    if s.phase == FINES:
        return 0 if s.took_normals > 0 or s.goods[at + 2] > 0 else 1
    return 0 if s.took_normals + s.took_fines > 0 else 1


@kernel
def legal_count(s: Record, f: Record, moves: Row) -> int:
    """How many resources of a grade go back for the Daily card."""
    at = (s.seat * PLACES + f.port) * GRADES
    base = COUNT_NORMALS
    if s.phase == FINES:
        base, at = COUNT_FINES, at + 1
    elif s.phase == SUPERBS:
        base, at = COUNT_SUPERBS, at + 2
    number = 0
    for count in range(fewest(s, f), s.goods[at] + 1):
        moves[number] = base + count
        number += 1
    return number


@kernel
def count(s: Record, f: Record, wanted: int) -> None:
    """So many of the grade to be counted, -1 to ask; goes on to the next grade, and in the end to the VP."""
    at = (s.seat * PLACES + f.port) * GRADES
    for phase in range(NORMALS, SUPERBS + 1):
        if s.phase == phase:
            if wanted < 0:
                wanted = fewest(s, f)
                if wanted < s.goods[at + phase - NORMALS]:
                    return
            if phase == NORMALS:
                s.took_normals = wanted
                s.phase = FINES
            elif phase == FINES:
                s.took_fines = wanted
                s.phase = SUPERBS
            else:
                s.took_superbs = wanted
                s.phase = COUNTED
            wanted = -1


@kernel
def use_daily_card(s: Record, f: Record) -> None:
    """Goods of the Port to the stock, VP up to the cap; the card turns face down."""
    seat = s.seat
    give_back(s, seat, f.port, 0, s.took_normals)
    give_back(s, seat, f.port, 1, s.took_fines)
    give_back(s, seat, f.port, 2, s.took_superbs)
    number = s.took_normals + s.took_fines + s.took_superbs
    earn(s, f, seat, min(number * f.daily_vp, f.daily_cap))
    s.up[seat] &= ~(1 << f.daily_n)
    s.left -= 1
    s.done_daily[seat] += 1
    s.took_normals, s.took_fines, s.took_superbs, s.phase = 0, 0, 0, ACT
    if f.daily_triggers == 1:
        answer(s, f, seat, -1, FROM_DAILY, f.port, 0)


@kernel
def legal_transport(s: Record, f: Record, moves: Row, number: int) -> int:
    """From every warehouse with goods to every one beside it with room."""
    own = s.seat * PLACES
    limit = s.limit[s.seat]
    for place in range(PLACES):
        if s.load[own + place] > 0 and (s.from_place == 0 or s.from_place == place + 1):
            for n in range(f.around_n[place]):
                other = f.around[place][n]
                fits = s.load[own + other] < limit if other != f.port else room(s, f, s.seat, other) > 0
                if fits and (s.to_place == 0 or s.to_place == other + 1):
                    moves[number] = CARRY + place * PLACES + other
                    number += 1
    return number


@kernel
def legal_shift(s: Record, f: Record, moves: Row) -> int:
    """From every warehouse with goods to every other one with room."""
    own, number = s.seat * PLACES, 0
    for place in range(PLACES):
        if s.load[own + place] > 0:
            for other in range(PLACES):
                if other != place and room(s, f, s.seat, other) > 0:
                    moves[number] = CARRY + place * PLACES + other
                    number += 1
    return number


@kernel
def most_load(s: Record, f: Record) -> int:
    """How many resources may go along: one for a skill, else as many as are carried, fit, and are there."""
    own = s.seat * PLACES
    if s.doing > 0:
        return 1
    most = min(s.carry[s.seat], room(s, f, s.seat, s.to_place - 1))
    return min(most, s.load[own + s.from_place - 1])  # type: ignore[no-any-return]


@kernel
def begin_carry(s: Record, f: Record, pair: int) -> None:
    """Two warehouses are chosen; where only one kind of load is possible, it goes."""
    s.from_place, s.to_place = pair // PLACES + 1, pair % PLACES + 1
    at = (s.seat * PLACES + s.from_place - 1) * GRADES
    kinds, one = 0, 0
    for grade in range(GRADES):
        if s.goods[at + grade] > 0:
            kinds += 1
            one = 64 if grade == 0 else 8 if grade == 1 else 1
    if kinds == 1 and most_load(s, f) == 1:
        move_load(s, f, one)
    else:
        s.phase = LOAD


@kernel
def legal_load(s: Record, f: Record, moves: Row) -> int:
    """Every load that may go along, of any grades."""
    at = (s.seat * PLACES + s.from_place - 1) * GRADES
    most, number = most_load(s, f), 0
    for normals in range(min(s.goods[at], most) + 1):
        for fines in range(min(s.goods[at + 1], most - normals) + 1):
            for superbs in range(min(s.goods[at + 2], most - normals - fines) + 1):
                if normals + fines + superbs > 0:
                    moves[number] = GOODS + normals * 64 + fines * 8 + superbs
                    number += 1
    return number


@kernel
def move_load(s: Record, f: Record, goods: int) -> None:
    """Goods go from one warehouse to the other."""
    seat, place, other = s.seat, s.from_place - 1, s.to_place - 1
    for grade in range(GRADES):
        number = goods >> 6 if grade == 0 else (goods >> 3) & 7 if grade == 1 else goods & 7
        put_goods(s, seat, place, grade, -number)
        put_goods(s, seat, other, grade, number)
    if s.doing > 0:
        s.from_place, s.to_place = s.kept_from, s.kept_to
        s.much -= 1
        s.phase = RESUME
        return
    if f.transport_scope == 0:
        s.from_place, s.to_place = 0, 0
    else:
        s.kept_from, s.kept_to = s.from_place, s.to_place
    s.left -= 1
    s.phase = ACT


@kernel
def legal_upgrade(s: Record, f: Record, moves: Row, number: int, all_places: int) -> int:
    """Goods at the Port, and where else the company may upgrade, while the stock has the next grade."""
    spread = all_places == 1 and (s.anywhere[s.seat] == 1 or s.office[s.seat] > 0)
    for place in range(0 if spread else f.port, PLACES if spread else f.port + 1):
        at = (s.seat * PLACES + place) * GRADES
        if place == f.port or s.anywhere[s.seat] == 1 or s.office[s.seat] == place + 1:
            for grade in range(GRADES - 1):
                if s.goods[at + grade] > 0 and s.stock[grade + 1] > 0:
                    moves[number] = IMPROVE + place * GRADES + grade
                    number += 1
    return number


@kernel
def improve(s: Record, f: Record, place: int, grade: int) -> None:
    """A resource is exchanged for one of the next grade."""
    give_back(s, s.seat, place, grade, 1)
    put_goods(s, s.seat, place, grade + 1, draw_goods(s, f, grade + 1, 1))
    if s.doing > 0:
        s.much -= 1
        s.phase = RESUME
    else:
        s.left -= 1
