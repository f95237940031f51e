"""The rules of Forwarder of Xanadu as played, and the legal moves."""

from generator.rules.engine.contract import Hole, Rules, Supply
from generator.rules.engine.kernel import Record, Row, kernel
from generator.rules.xanadu import state as m
from generator.rules.xanadu.actions import (
    card_from,
    face_down,
    fewest_to_return,
    find_payment,
    find_ready_skills,
    is_timely,
    is_useful,
    most_load,
)
from generator.rules.xanadu.box import UNPLAYABLE, make_box, most_moves
from generator.rules.xanadu.examples import arrange, ask
from generator.rules.xanadu.outlook import value
from generator.rules.xanadu.rounds import MEASURES, demand, find_broken_law, find_removable, gate_cost, measure
from generator.rules.xanadu.state import STATE, Action, Grade, Lid, Move, Phase, pack_goods
from generator.rules.xanadu.stock import count_room, goods_at, rank_seats, score
from generator.rules.xanadu.turns import apply, next_for_gain, set_up
from generator.rules.xanadu.words import blind, follow, observe, say, tell, write, zones


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Fill in the choices of the seat; the most frequent phases come first."""
    phase, number = s.phase, 0
    if phase == Phase.ACT:
        number = legal_act(s, f, moves)
    elif phase == Phase.PLACING:
        number = legal_placing(s, f, moves)
    elif phase == Phase.GAIN:
        # Areas with own goods, ascending, one resource to each, or the Port for all that are left.
        number, other = 0, next_for_gain(s, f, s.last)
        for place in range(m.PLACES):
            if place in (f.port, other):
                moves[number] = Move.PUT + place
                number += 1
            if place == other:
                other = next_for_gain(s, f, place + 1)
    elif phase == Phase.PAY:
        # All payments for the request that is being fulfilled.
        number, card, at = 0, card_from(s, f, s.source), goods_at(s.seat, s.area)
        goods = find_payment(s, f, card, at, 0)
        while goods >= 0:
            moves[number] = Move.GOODS + goods
            number += 1
            goods = find_payment(s, f, card, at, number)
    elif phase == Phase.LOAD:
        number = legal_load(s, f, moves)
    elif phase == Phase.COUNT:
        # The possible numbers of resources of a grade to return for the Daily card.
        least = fewest_to_return(s, f)
        most = s.goods[goods_at(s.seat, f.port) + s.grade]
        for n in range(least, most + 1):
            moves[n - least] = Move.COUNT + s.grade * m.COUNTS + n
        number = most - least + 1
    elif phase == Phase.GROW:
        number = legal_growth(s, f, moves)
    elif phase == Phase.OFFER:
        moves[0], moves[1] = Move.USE + s.offered, Move.DECLINE
        number = 2
    elif phase == Phase.SHIFT:
        # Moves from every warehouse with goods to every other one with room.
        number, open_places = 0, find_places_with_room(s, f)
        for place in range(m.PLACES):
            if s.load[s.seat * m.PLACES + place] > 0:
                number = add_moves(moves, number, Move.CARRY + place * m.PLACES, open_places & ~(1 << place))
    elif phase == Phase.STEPS:
        moves[0] = Move.END
        number = legal_upgrade(s, f, moves, 1)
    elif phase == Phase.SEARCH:
        number = legal_search(s, f, moves, 0)
    elif phase == Phase.TURN_UP:
        number = add_moves(moves, 0, Move.TURN_UP, face_down(s, f, s.seat))
    else:
        number = legal_seldom(s, f, moves)
    return number


@kernel
def legal_seldom(s: Record, f: Record, moves: Row) -> int:
    """Fill in the choices of phases that occur once in a game, or by some readings only."""
    phase, number = s.phase, 0
    if phase == Phase.COMPANY:
        free = (1 << f.companies) - 1
        for seat in range(s.players):
            if s.company[seat] >= 0:
                free &= ~(1 << s.company[seat])
        number = add_moves(moves, 0, Move.COMPANY, free)
    elif phase == Phase.DRAFT:
        number = add_moves(moves, 0, Move.KEEP, s.pack[s.seat])
    elif phase == Phase.OFFICE:
        number = add_moves(moves, 0, Move.OFFICE, ((1 << m.PLACES) - 1) & ~(1 << f.port))
    elif phase == Phase.NAME:
        number = add_moves(moves, 0, Move.START, (1 << s.players) - 1)
    elif phase == Phase.DROP:
        number = add_moves(moves, 0, Move.PUT, find_places_with_room(s, f))
    return number


@kernel
def add_moves(moves: Row, number: int, first: int, those: int) -> int:
    """Add the move `first` + n for each n of a set of bits; return the number of moves."""
    n = 0
    while those >> n:
        if those & (1 << n):
            moves[number] = first + n
            number += 1
        n += 1
    return number


@kernel
def find_places_with_room(s: Record, f: Record) -> int:
    """Return the places where the seat's warehouse has room, as bits."""
    places = 0
    for place in range(m.PLACES):
        if count_room(s, f, s.seat, place) > 0:
            places |= 1 << place
    return places


# A turn


@kernel
def legal_placing(s: Record, f: Record, moves: Row) -> int:
    """Fill in moves before placing: place a worker, fill spaces, search the Market, use skills, or pass at a price."""
    number, seat = 0, s.seat
    for row in range(m.ROWS):
        if s.row_n[row] < f.row_len[row] and (s.chosen == 0 or s.chosen == row + 1):
            moves[number] = Move.PLACE + row
            number += 1
    if s.dispatch[seat] > 0:
        for row in range(m.ROWS):
            if (s.chosen == 0 or s.chosen == row + 1) and may_fill(s, f, row) == 1:
                moves[number] = Move.DISPATCH + row
                number += 1
        passes = f.passes if f.pass_action_dispatch_123 else 0
        if s.passes[seat] < passes and s.dispatch[seat] >= f.pass_costs[s.passes[seat]]:
            moves[number] = Move.PASS
            number += 1
        number = legal_research(s, f, moves, number)
    if s.placed[seat]:
        number = legal_skills(s, f, moves, number)
    return number


@kernel
def may_fill(s: Record, f: Record, row: int) -> int:
    """Return True if a dispatch worker may fill a row's next space; some row must stay open for the worker."""
    if s.row_n[row] >= f.row_len[row]:
        return 0
    if s.row_n[row] < f.row_len[row] - 1 or f.dispatch_fill_immediate:
        return 1
    if f.dispatch_fill_no_complete or f.dispatch_rows_chosen_row_only:
        return 0
    for other in range(m.ROWS):
        if other != row and s.row_n[other] < f.row_len[other]:
            return 1
    return 0


@kernel
def legal_act(s: Record, f: Record, moves: Row) -> int:
    """Fill in moves after placing: the actions left, searching the Market, skills, or the end of the turn."""
    moves[0] = Move.END
    number = 1
    if s.dispatch[s.seat] > 0 and f.research_timing_own_turn:
        number = legal_research(s, f, moves, number)
    if s.placed[s.seat]:
        number = legal_skills(s, f, moves, number)
    if s.left > 0:
        if s.row == Action.FULFIL:
            number = legal_fulfil(s, f, moves, number)
        elif s.row == Action.TRANSPORT:
            number = legal_transport(s, f, moves, number)
        else:
            number = legal_upgrade(s, f, moves, number)
    return number


@kernel
def legal_research(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add any card of the Market, for dispatch workers."""
    if s.dispatch[s.seat] >= f.research_cost:
        number = legal_search(s, f, moves, number)
    return number


@kernel
def legal_search(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add any card of the Market."""
    for slot in range(f.market_n):
        if s.market[slot] >= 0:
            moves[number] = Move.RESEARCH + slot
            number += 1
    return number


@kernel
def legal_skills(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add the skills that the seat may use: paid for, at their time, and useful."""
    skills = find_ready_skills(s, f)
    if skills:
        for skill in range(f.skills):
            if skills & (1 << skill) and is_timely(s, f, skill) == 1 and is_useful(s, f, skill) == 1:
                moves[number] = Move.USE + skill
                number += 1
    return number


# Actions, and what skills do


@kernel
def legal_fulfil(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add requests payable in an area with their icon, the Daily card, or an action without effect."""
    own = s.seat * m.PLACES
    if f.impossible_fulfil_wasted:
        moves[number] = Move.WASTE
        number += 1
    if s.up[s.seat] & (1 << f.daily_n) and s.load[own + f.port] > 0:
        moves[number] = Move.DAILY
        number += 1
    for place in range(m.PLACES):
        icons = f.icons[s.board[place]]
        if s.load[own + place] > 0 and icons:
            for slot in range(f.market_n):
                card = s.market[slot]
                if card >= 0 and f.type[card] & icons and can_pay(s, f, card, own + place) == 1:
                    moves[number] = Move.FULFIL + place * m.SOURCES + slot
                    number += 1
            for n in range(f.daily_n):
                card = s.daily[s.seat * m.DAILY_MOST + n]
                up = s.up[s.seat] & (1 << n)
                if up and card >= 0 and f.type[card] & icons and can_pay(s, f, card, own + place) == 1:
                    moves[number] = Move.FULFIL + place * m.SOURCES + m.DAILY_ROW + n
                    number += 1
    return number


@kernel
def can_pay(s: Record, f: Record, card: int, warehouse: int) -> int:
    """Return True if goods in a warehouse pay for a request: enough in all, and of the higher grades."""
    superb = s.goods[warehouse * m.GRADES + Grade.SUPERB]
    fine = s.goods[warehouse * m.GRADES + Grade.FINE] + superb
    enough = s.load[warehouse] >= f.asks[card] and fine >= f.asks_fine[card]
    return 1 if enough and superb >= f.asks_superb[card] else 0


@kernel
def legal_transport(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add moves from every warehouse with goods to every one beside it with room."""
    own, limit = s.seat * m.PLACES, s.limit[s.seat]
    for place in range(m.PLACES):
        if s.load[own + place] > 0 and (s.from_place == 0 or s.from_place == place + 1):
            for n in range(f.around_n[place]):
                other = f.around[place][n]
                fits = s.load[own + other] < limit if other != f.port else count_room(s, f, s.seat, other) > 0
                if fits and (s.to_place == 0 or s.to_place == other + 1):
                    moves[number] = Move.CARRY + place * m.PLACES + other
                    number += 1
    return number


@kernel
def legal_upgrade(s: Record, f: Record, moves: Row, number: int) -> int:
    """Add goods whose next grade is in stock: at the Port, and elsewhere by an action if the company may."""
    seat, first, end = s.seat, f.port, f.port + 1
    if s.phase == Phase.ACT and (s.anywhere[seat] == 1 or s.office[seat] > 0):
        first, end = 0, m.PLACES
    for place in range(first, end):
        if place == f.port or s.anywhere[seat] == 1 or s.office[seat] == place + 1:
            at = goods_at(seat, place)
            for grade in range(m.GRADES - 1):
                if s.goods[at + grade] > 0 and s.stock[grade + 1] > 0:
                    moves[number] = Move.UPGRADE + place * m.GRADES + grade
                    number += 1
    return number


# Set-up and the end of a round


@kernel
def legal_load(s: Record, f: Record, moves: Row) -> int:
    """Fill in every load that may go together, of any grades."""
    at, most, number = goods_at(s.seat, s.from_place - 1), most_load(s, f), 0
    for normals in range(min(s.goods[at + Grade.NORMAL], most) + 1):
        for fines in range(min(s.goods[at + Grade.FINE], most - normals) + 1):
            for superbs in range(min(s.goods[at + Grade.SUPERB], most - normals - fines) + 1):
                if normals + fines + superbs > 0:
                    moves[number] = Move.GOODS + pack_goods(normals, fines, superbs)
                    number += 1
    return number


@kernel
def legal_growth(s: Record, f: Record, moves: Row) -> int:
    """Fill in the rows with a lid that may come off; for a skill's lid, each skill that may be placed."""
    seat, rows = s.seat, find_removable(s, f, s.seat)
    number = add_moves(moves, 0, Move.LID, rows & ~(1 << Lid.SKILL))
    if rows & (1 << Lid.SKILL) and gate_cost(s, f, seat) <= s.dispatch[seat] + 1:
        number = add_moves(moves, number, Move.SKILL, s.hand[seat])
    if number == 0:
        moves[0] = Move.END
        number = 1
    return number


RULES = Rules(
    box=make_box,
    state=STATE.make_fields,
    set_up=set_up,
    roomy=True,
    effort=32,
    legal=legal,
    apply=apply,
    score=score,
    place=rank_seats,
    value=value,
    blind=blind,
    demand=demand,
    most=most_moves,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=ask,
    broken=find_broken_law,
    observe=observe,
    tell=tell,
    follow=follow,
    laws=(
        "sim_conservation",
        "sim_limits_kept",
        "sim_rows_open",
        "sim_gauge_prefix",
        "sim_vp_never_fall",
        "sim_daily_row_fixed",
        "sim_game_length",
        "sim_vp_total",
    ),
    supplies=(
        Supply("normal", "resource/normal", "E06"),
        Supply("fine", "resource/fine", "E06"),
        Supply("superb", "resource/superb", "E06"),
        Supply("dispatch", "dispatch", "E02"),
        Supply("share", "share", "E04"),
        Supply("worker", "worker", "E03"),
        Supply("vp-1", "vp/vp-1", "E14"),
        Supply("vp-5", "vp/vp-5", "E14"),
        Supply("vp-10", "vp/vp-10", "E14"),
        Supply("vp-30", "vp/vp-30", "E14"),
    ),
    holes=(Hole("workers", "E03"), Hole("market"), Hole("growth"), Hole("standstill")),
    measures=MEASURES,
    measure=measure,
    unplayable=UNPLAYABLE,
)
