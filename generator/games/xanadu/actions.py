"""The three actions, step by step: requests and the Daily card are fulfilled, goods are carried, goods are upgraded."""

from generator.games.engine.kernel import Record, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.effects import answer
from generator.games.xanadu.moves import Grade, Origin, Phase, Reading, goods_of, packed
from generator.games.xanadu.stock import (
    daily_card,
    discard,
    draw_goods,
    earn,
    give_back,
    goods_at,
    place_share,
    put_goods,
    room,
)

# ---------------------------------------------------------------------------------------------------------------------
# Fulfil


@kernel
def card_from(s: Record, f: Record, source: int) -> int:
    """The request in a slot of the Market or in the seat's own Daily row, -1 if there is none to fulfil."""
    if source < f.market_n:
        return s.market[source]
    n = source - m.DAILY_ROW
    if n < 0 or n >= f.daily_n or s.up[s.seat] & (1 << n) == 0:
        return -1
    return daily_card(s, s.seat, n)


@kernel
def payment(s: Record, f: Record, card: int, at: int, which: int) -> int:
    """A payment for a request from the goods there, counting from 0; -1 beyond the last. Higher grades stand in."""
    total = f.asks[card]
    for normals in range(min(s.goods[at + Grade.NORMAL], total - f.asks_fine[card]) + 1):
        for fines in range(min(s.goods[at + Grade.FINE], total - normals) + 1):
            superbs = total - normals - fines
            if f.asks_superb[card] <= superbs <= s.goods[at + Grade.SUPERB]:
                if which == 0:
                    return packed(normals, fines, superbs)
                which -= 1
    return -1


@kernel
def begin_fulfil(s: Record, f: Record, place: int, source: int) -> None:
    """A request is chosen; where it can be paid in one way only, it is."""
    s.source, s.area = source, place
    card, at = card_from(s, f, source), goods_at(s.seat, place)
    s.paying = payment(s, f, card, at, 0)
    s.phase = Phase.PAID if payment(s, f, card, at, 1) < 0 else Phase.PAY


@kernel
def pay(s: Record, f: Record) -> None:
    """Goods to the stock, VP, a share token, skills; then the card is gone, or face down."""
    seat, place, source = s.seat, s.area, s.source
    card = card_from(s, f, source)
    for grade in range(m.GRADES):
        give_back(s, seat, place, grade, goods_of(s.paying, grade))
    s.left -= 1
    s.source, s.paying = 0, 0
    earn(s, f, seat, f.vp[card])
    owned = s.tokens[place * m.SEATS + seat]
    if place != f.port:
        place_share(s, f, seat, place)
    if source < f.market_n:
        s.market[source] = -1
        discard(s, f, card)
        answer(s, f, card, Origin.MARKET, place, owned)
    else:
        n = source - m.DAILY_ROW
        s.up[seat] &= ~(1 << n)
        if f.daily_model == Reading.ONE_SHOT:
            s.daily[seat * m.DAILY_MOST + n] = -1
            discard(s, f, card)
        answer(s, f, card, Origin.DAILY, place, owned)


# ---------------------------------------------------------------------------------------------------------------------
# The Daily card: so many resources of the Port, grade by grade


@kernel
def fewest(s: Record, f: Record) -> int:
    """The fewest resources of the grade to be counted that may go back for the Daily card: one at least in all."""
    at, others = goods_at(s.seat, f.port), 0
    for grade in range(m.GRADES):
        if grade < s.grade:
            others += s.took[grade]
        elif grade > s.grade:
            others += s.goods[at + grade]
    return 0 if others > 0 else 1


@kernel
def count(s: Record, number: int) -> None:
    """So many of the grade to be counted go back; the next grade follows, and in the end the VP."""
    s.took[s.grade] = number
    s.grade += 1
    if s.grade == m.GRADES:
        s.phase = Phase.COUNTED


@kernel
def count_on(s: Record, f: Record) -> None:
    """Where only one number of a grade is possible, it goes back."""
    at = goods_at(s.seat, f.port)
    while s.grade < m.GRADES and fewest(s, f) == s.goods[at + s.grade]:
        count(s, s.goods[at + s.grade])


@kernel
def use_daily_card(s: Record, f: Record) -> None:
    """Goods of the Port to the stock, VP up to the cap; the card turns face down."""
    number = 0
    for grade in range(m.GRADES):
        give_back(s, s.seat, f.port, grade, s.took[grade])
        number += s.took[grade]
        s.took[grade] = 0
    earn(s, f, s.seat, min(number * f.daily_vp, f.daily_cap))
    s.up[s.seat] &= ~(1 << f.daily_n)
    s.left -= 1
    s.grade, s.phase = 0, Phase.ACT
    if f.daily_triggers:
        answer(s, f, -1, Origin.DAILY, f.port, 0)


# ---------------------------------------------------------------------------------------------------------------------
# Transport


@kernel
def most_load(s: Record, f: Record) -> int:
    """How many resources may go along: one for a skill, else as many as are carried, fit, and are there."""
    if s.doing > 0:
        return 1
    there = s.load[s.seat * m.PLACES + s.from_place - 1]
    return min(s.carry[s.seat], room(s, f, s.seat, s.to_place - 1), there)


@kernel
def begin_carry(s: Record, f: Record, pair: int) -> None:
    """Two warehouses are chosen; where only one kind of load is possible, it goes."""
    s.from_place, s.to_place = pair // m.PLACES + 1, pair % m.PLACES + 1
    at = goods_at(s.seat, s.from_place - 1)
    normal, fine, superb = min(s.goods[at], 1), min(s.goods[at + Grade.FINE], 1), min(s.goods[at + Grade.SUPERB], 1)
    if normal + fine + superb == 1 and most_load(s, f) == 1:
        move_load(s, f, packed(normal, fine, superb))
    else:
        s.phase = Phase.LOAD


@kernel
def move_load(s: Record, f: Record, goods: int) -> None:
    """Goods go from one warehouse to the other."""
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
    if f.transport_scope == Reading.ACTION:
        s.from_place, s.to_place = 0, 0
    else:
        s.kept_from, s.kept_to = s.from_place, s.to_place
    s.left -= 1
    s.phase = Phase.ACT


# ---------------------------------------------------------------------------------------------------------------------
# Upgrade


@kernel
def improve(s: Record, f: Record, place: int, grade: int) -> None:
    """A resource is exchanged for one of the next grade."""
    give_back(s, s.seat, place, grade, 1)
    put_goods(s, s.seat, place, grade + 1, draw_goods(s, f, grade + 1, 1))
    if s.doing > 0:
        s.much -= 1
        s.phase = Phase.RESUME
    else:
        s.left -= 1
