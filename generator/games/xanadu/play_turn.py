"""A turn of draft 18 as kernels: what comes before a worker is placed, its gains, its actions, and its end."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_actions import (
    begin_carry,
    begin_fulfil,
    count,
    improve,
    legal_fulfil,
    legal_transport,
    legal_upgrade,
)
from generator.games.xanadu.play_codes import (
    ACT,
    AFTER_TURN,
    CARRY,
    DAILY,
    DISPATCH,
    DROP,
    END,
    FULFIL,
    FULFILLING,
    GAIN,
    GRADES,
    HIRED,
    IMPROVE,
    NO_COMPLETE,
    NORMALS,
    PASS,
    PLACE,
    PLACES,
    PRE,
    PUT,
    RESEARCH,
    ROUND_OVER,
    ROWS,
    SOURCES,
    SPACES,
    TRANSPORT,
    TURN_OVER,
    USE,
    WASTE,
)
from generator.games.xanadu.play_figures import note_turn
from generator.games.xanadu.play_score import remember
from generator.games.xanadu.play_skills import legal_search, legal_skills, use
from generator.games.xanadu.play_stock import (
    draw_goods,
    empty_full_rows,
    fill_market,
    pay_dispatch,
    put_goods,
    replace_card,
    room,
)


@kernel
def legal_research(s: Record, f: Record, moves: Row, number: int) -> int:
    """Any card of the Market, for dispatch workers."""
    if s.free[s.seat] >= f.research_cost and not (f.research_timing == 1 and s.phase == ACT):
        number = legal_search(s, f, moves, number)
    return number


@kernel
def may_fill(s: Record, f: Record, row: int) -> int:
    """Whether a dispatch worker may stand on the next space of a row; some row must stay open for the worker."""
    if s.row_n[row] >= f.row_len[row]:
        return 0
    if s.row_n[row] < f.row_len[row] - 1 or f.dispatch_fill == 0:
        return 1
    if f.dispatch_fill == NO_COMPLETE or f.dispatch_rows == 1:
        return 0
    for other in range(ROWS):
        if other != row and s.row_n[other] < f.row_len[other]:
            return 1
    return 0


@kernel
def legal_pre(s: Record, f: Record, moves: Row) -> int:
    """Before a worker is placed: place it, fill spaces, search the Market, use skills, or pass at a price."""
    number, seat = 0, s.seat
    for row in range(ROWS):
        if s.row_n[row] < f.row_len[row] and (s.chosen == 0 or s.chosen == row + 1):
            moves[number] = PLACE + row
            number += 1
    if s.free[seat] > 0:
        for row in range(ROWS):
            if (s.chosen == 0 or s.chosen == row + 1) and may_fill(s, f, row) == 1:
                moves[number] = DISPATCH + row
                number += 1
        if f.pass_action == 1 and s.passes[seat] < f.passes and s.free[seat] >= f.pass_costs[s.passes[seat]]:
            moves[number] = PASS
            number += 1
        number = legal_research(s, f, moves, number)
    if s.placed[seat]:
        number = legal_skills(s, f, moves, number)
    return number


@kernel
def legal_act(s: Record, f: Record, moves: Row) -> int:
    """After placing: the actions that are left, searching the Market, skills, or the end of the turn."""
    moves[0] = END
    number = 1
    if s.free[s.seat] > 0:
        number = legal_research(s, f, moves, number)
    if s.placed[s.seat]:
        number = legal_skills(s, f, moves, number)
    if s.left > 0:
        if s.row == FULFIL:
            number = legal_fulfil(s, f, moves, number)
        elif s.row == TRANSPORT:
            number = legal_transport(s, f, moves, number)
        else:
            number = legal_upgrade(s, f, moves, number, 1)
    return number


@kernel
def turn_move(s: Record, f: Record, move: int) -> None:
    """Carries out a choice before or after placing."""
    if move >= IMPROVE:
        improve(s, f, (move - IMPROVE) // GRADES, (move - IMPROVE) % GRADES)
    elif move >= CARRY:
        begin_carry(s, f, move - CARRY)
    elif move >= FULFILLING:
        begin_fulfil(s, f, (move - FULFILLING) // SOURCES, (move - FULFILLING) % SOURCES)
    elif move == DAILY:
        s.phase = NORMALS
        count(s, f, -1)
    elif move == WASTE:
        s.left -= 1
    elif move >= USE:
        s.used |= 1 << (move - USE)
        use(s, f, move - USE, s.phase)
    elif move >= RESEARCH:
        pay_dispatch(s, s.seat, f.research_cost)
        replace_card(s, f, move - RESEARCH)
    elif move == END:
        s.phase = TURN_OVER
    elif move == PASS:
        cost = f.pass_costs[s.passes[s.seat]]
        s.passes[s.seat] += 1
        pay_dispatch(s, s.seat, cost)
        s.gains = draw_goods(s, f, 0, cost)
        s.phase = DROP
        drop(s, f, -1)
    elif move >= DISPATCH:
        fill_space(s, f, move - DISPATCH)
    else:
        place_worker(s, f, move - PLACE)


@kernel
def fill_space(s: Record, f: Record, row: int) -> None:
    """A dispatch worker stands on the leftmost free space; a row that it fills is emptied at once (E08)."""
    s.free[s.seat] -= 1
    s.rows[row * SPACES + s.row_n[row]] = HIRED
    s.row_n[row] += 1
    if f.dispatch_rows == 1:
        s.chosen = row + 1
    if f.dispatch_fill != AFTER_TURN:
        empty_full_rows(s, f)


@kernel
def place_worker(s: Record, f: Record, row: int) -> None:
    """A worker on the leftmost free space brings normal resources, and then actions of that kind."""
    seat, space = s.seat, s.row_n[row]
    s.hands[seat] -= 1
    s.rows[row * SPACES + space] = seat
    s.row_n[row] += 1
    s.row, s.chosen = row, 0
    s.left = f.row_actions[row][space] + s.more[seat * ROWS + row]
    s.gains = draw_goods(s, f, 0, f.row_normals[row][space])
    s.phase, s.last = GAIN, 0
    put_gain(s, f, -1)


@kernel
def open_for_gain(s: Record, f: Record, place: int) -> int:
    """Whether a gained resource may go to a warehouse outside the Port: goods lie there, and there is room."""
    at = s.seat * PLACES + place
    return 1 if place != f.port and place >= s.last and 0 < s.load[at] < s.limit[s.seat] else 0


@kernel
def legal_gain(s: Record, f: Record, moves: Row) -> int:
    """Areas with own goods in ascending order, one resource to each, or the Port for all that is left."""
    number = 0
    for place in range(PLACES):
        if place == f.port or open_for_gain(s, f, place) == 1:
            moves[number] = PUT + place
            number += 1
    return number


@kernel
def put_gain(s: Record, f: Record, place: int) -> None:
    """A gained resource goes to an area, or all that are left to the Port; -1 to ask, where there is a choice."""
    if place >= 0 and place != f.port:
        put_goods(s, s.seat, place, 0, 1)
        s.gains -= 1
        s.last = PLACES if f.gain_outside == 1 else place + 1
    if s.gains > 0 and place != f.port:
        for other in range(PLACES):
            if open_for_gain(s, f, other) == 1:
                return
    fits = min(s.gains, max(room(s, f, s.seat, f.port), 0))
    put_goods(s, s.seat, f.port, 0, fits)
    s.stock[0] += s.gains - fits
    s.gains, s.last, s.phase = 0, 0, ACT


@kernel
def legal_drop(s: Record, f: Record, moves: Row) -> int:
    """Any warehouse with room."""
    number = 0
    for place in range(PLACES):
        if room(s, f, s.seat, place) > 0:
            moves[number] = PUT + place
            number += 1
    return number


@kernel
def drop(s: Record, f: Record, place: int) -> None:
    """A resource gained by passing goes to a warehouse (-1: none yet); what finds no room is lost."""
    if place >= 0:
        put_goods(s, s.seat, place, 0, 1)
        s.gains -= 1
    if s.gains > 0:
        for other in range(PLACES):
            if room(s, f, s.seat, other) > 0:
                return
    s.stock[0] += s.gains
    s.gains = 0
    s.phase = TURN_OVER


@kernel
def settle(s: Record, f: Record) -> None:
    """Ends a turn in which nothing is left to choose."""
    seat = s.seat
    searches = s.free[seat] >= f.research_cost and f.research_timing == 0
    if s.left <= 0 and not searches and s.placed[seat] & f.activated_mask & ~s.used == 0:
        s.phase = TURN_OVER


@kernel
def end_turn(s: Record, f: Record) -> None:
    """Full rows are emptied, the Market is filled, and the next seat with a worker has its turn."""
    empty_full_rows(s, f)
    fill_market(s, f)
    remember(s)
    note_turn(s, f)
    s.turn += 1
    s.turns[s.seat] += 1
    s.used, s.left, s.row, s.chosen = 0, 0, 0, 0
    s.from_place, s.to_place, s.kept_from, s.kept_to = 0, 0, 0, 0
    for n in range(1, s.players + 1):
        at = (s.at + n) % s.players
        if s.hands[s.order[at]] > 0:
            s.at, s.seat, s.phase = at, s.order[at], PRE
            return
    s.phase = ROUND_OVER
