"""The turns of Forwarder of Xanadu: set-up, moves, and consequences without choices."""

from generator.rules.engine.kernel import Record, kernel, next_chances, shuffle
from generator.rules.xanadu import state as m
from generator.rules.xanadu.actions import (
    begin_carry,
    card_from,
    carry_on,
    count_on,
    find_payment,
    find_ready_skills,
    improve_goods,
    move_load,
    pay_request,
    return_goods,
    use_daily_card,
    use_skill,
)
from generator.rules.xanadu.rounds import (
    begin_round,
    end_round,
    go_on_growing,
    note_refused,
    refresh_round,
    remember_state,
    take_lid,
)
from generator.rules.xanadu.state import Chance, Grade, Hole, Move, Phase, Tier
from generator.rules.xanadu.stock import (
    all_daily,
    count_room,
    draw_goods,
    draw_request,
    empty_full_rows,
    fill_market,
    goods_at,
    meet_hole,
    pay_dispatch,
    put_goods,
    recount_company,
    replace_card,
    stand_worker,
)

# Set-up


@kernel
def set_up(s: Record, f: Record) -> None:
    """Lay out the town; companies are chosen next, clockwise from the start player."""
    lay_town(s, f)
    for seat in range(m.SEATS):
        s.company[seat] = -1
    for n in range(m.SEATS * m.DAILY_MOST):
        s.daily[n] = -1
    for slot in range(f.market_n):
        s.market[slot] = -1
    for card in range(f.cards):
        tier = f.tier[card]
        s.deck[tier * f.cards + s.deck_n[tier]] = card
        s.deck_n[tier] += 1
    for grade in range(m.GRADES):
        s.stock[grade] = f.goods_total[grade]
    s.dispatch_stock = f.dispatch_total
    s.phase = Phase.COMPANY


@kernel
def lay_town(s: Record, f: Record) -> None:
    """Lay the Port on its place, and the other boards at random."""
    at = 0
    for board in range(m.PLACES):
        if board != f.port_board:
            s.scratch[at] = board
            at += 1
    shuffle(next_chances(s.rng, Chance.TOWN), s.scratch, 0, m.PLACES - 1)
    at = 0
    for place in range(m.PLACES):
        if place == f.port:
            s.board[place] = f.port_board
        else:
            s.board[place] = s.scratch[at]
            s.scratch[at] = 0
            at += 1


@kernel
def pick_company(s: Record, f: Record, company: int) -> None:
    """Give a seat a company's pieces; after the last one, deal the cards."""
    seat = s.seat
    s.company[seat] = company
    s.hands[seat] = f.start_workers
    s.reserve[seat] = f.company_workers - f.start_workers
    s.shares[seat] = f.start_shares
    s.dispatch_stock -= f.lids_all
    for grade in range(m.GRADES):
        s.stock[grade] -= f.start_goods[grade]
        put_goods(s, seat, f.port, grade, f.start_goods[grade])
    s.least_dispatch, s.least_normals = s.dispatch_stock, s.stock[Grade.NORMAL]
    recount_company(s, f, seat)
    s.seat = (seat + 1) % s.players
    if s.seat == s.start:
        deal(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Deal Daily rows, Market and skills; with drafted skills, the draft comes next."""
    for tier in range(2):
        shuffle(next_chances(s.rng, Chance.REQUESTS + tier), s.deck, tier * f.cards, tier * f.cards + s.deck_n[tier])
    if not f.daily_model_none:
        for n in range(s.players):
            seat = (s.start + n) % s.players
            for card in range(seat * m.DAILY_MOST, seat * m.DAILY_MOST + f.daily_n):
                lower = card < seat * m.DAILY_MOST + f.daily_lower
                s.daily[card] = draw_request(s, f, Tier.LOWER if lower else Tier.UPPER)
                s.dealt[card] = s.daily[card]
            s.up[seat] = all_daily(s, f, seat)
    fill_market(s, f)
    if f.style_advanced:
        # Deal skills to draft from, as many to every seat.
        for skill in range(f.skills):
            s.scratch[skill] = skill
        shuffle(next_chances(s.rng, Chance.SKILLS), s.scratch, 0, f.skills)
        for n in range(f.skills):
            if n < s.players * f.draft:
                s.pack[n // f.draft] |= 1 << s.scratch[n]
            s.scratch[n] = 0
        s.phase = Phase.DRAFT
        return
    for seat in range(s.players):
        for skill in range(f.skills):
            if f.colour[skill] == s.company[seat]:
                s.hand[seat] |= 1 << skill
    begin_round(s, f)


@kernel
def keep_skill(s: Record, f: Record, skill: int) -> None:
    """Keep a skill; after all have chosen, packs go to the left. The last skill of a pack needs no choice."""
    s.pack[s.seat] &= ~(1 << skill)
    s.hand[s.seat] |= 1 << skill
    s.seat = (s.seat + 1) % s.players
    if s.seat != s.start:
        return
    last = s.pack[s.players - 1]
    for seat in range(s.players - 1, 0, -1):
        s.pack[seat] = s.pack[seat - 1]
    s.pack[0] = last
    if last & (last - 1) == 0:
        for seat in range(s.players):
            s.hand[seat] |= s.pack[seat]
            s.pack[seat] = 0
        begin_round(s, f)


# A move


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carry out a choice and everything that follows without one."""
    phase = s.phase
    if phase <= Phase.PLACING:
        turn_move(s, f, move)
    elif phase == Phase.GAIN:
        # Put a gained resource into an area, or all that are left into the Port.
        place = move - Move.PUT
        if place == f.port:
            s.last = m.PLACES
        else:
            put_goods(s, s.seat, place, Grade.NORMAL, 1)
            s.gains -= 1
            s.last = m.PLACES if f.gain_outside_one_total else place + 1
        gain_at_port(s, f)
    elif phase == Phase.PAY:
        s.paying, s.phase = move - Move.GOODS, Phase.PAID
    elif phase == Phase.LOAD:
        move_load(s, f, move - Move.GOODS)
    elif phase == Phase.COUNT:
        return_goods(s, (move - Move.COUNT) % m.COUNTS)
        count_on(s, f)
    elif Phase.SHIFT <= phase <= Phase.TURN_UP:
        skill_move(s, f, move)
    elif phase == Phase.OFFER:
        # Use the offered skill, or continue without it.
        skill, s.offered = s.offered, 0
        if move == Move.DECLINE:
            s.phase = Phase.RESUME
        else:
            use_skill(s, f, skill, s.resume_at)
    else:
        round_move(s, f, move)
    go_on(s, f)


@kernel
def go_on(s: Record, f: Record) -> None:
    """Carry out what follows without a choice: payments, skills' effects, the end of a turn or a round."""
    if s.phase >= Phase.RESUME:
        if s.phase == Phase.PAID:
            pay_request(s, f)
        if s.phase == Phase.COUNTED:
            use_daily_card(s, f)
        if s.phase == Phase.RESUME:
            carry_on(s, f)
    if s.phase == Phase.ACT:
        # End a turn without remaining choices.
        searches = s.dispatch[s.seat] >= f.research_cost and f.research_timing_own_turn
        if s.left <= 0 and not searches and find_ready_skills(s, f) == 0:
            s.phase = Phase.TURN_OVER
    if s.phase >= Phase.GROW:
        if s.phase == Phase.TURN_OVER:
            end_turn(s, f)
        if s.phase == Phase.ROUND_OVER:
            end_round(s, f)
        if s.phase == Phase.GROW:
            go_on_growing(s, f)
        if s.phase == Phase.REFRESH:
            refresh_round(s, f)
    note_refused(s, f)


@kernel
def turn_move(s: Record, f: Record, move: int) -> None:
    """Carry out a choice before or after placing."""
    if move >= Move.UPGRADE:
        improve_goods(s, f, (move - Move.UPGRADE) // m.GRADES, (move - Move.UPGRADE) % m.GRADES)
    elif move >= Move.CARRY:
        begin_carry(s, f, move - Move.CARRY)
    elif move >= Move.FULFIL:
        # Choose a request; pay for it if there is only one way.
        s.area, s.source = (move - Move.FULFIL) // m.SOURCES, (move - Move.FULFIL) % m.SOURCES
        card, at = card_from(s, f, s.source), goods_at(s.seat, s.area)
        s.paying = find_payment(s, f, card, at, 0)
        s.phase = Phase.PAID if find_payment(s, f, card, at, 1) < 0 else Phase.PAY
    elif move == Move.DAILY:
        s.phase = Phase.COUNT
        count_on(s, f)
    elif move == Move.WASTE:
        s.left -= 1
    elif move >= Move.USE:
        s.used |= 1 << (move - Move.USE)
        use_skill(s, f, move - Move.USE, s.phase)
    elif move >= Move.RESEARCH:
        pay_dispatch(s, s.seat, f.research_cost)
        replace_card(s, f, move - Move.RESEARCH)
    elif move == Move.END:
        s.phase = Phase.TURN_OVER
    elif move == Move.PASS:
        # Pay dispatch workers, more each time, for as many normal resources; the turn ends without a worker.
        cost = f.pass_costs[s.passes[s.seat]]
        s.passes[s.seat] += 1
        pay_dispatch(s, s.seat, cost)
        s.gains = draw_goods(s, f, Grade.NORMAL, cost)
        s.phase = Phase.DROP
        drop_gained(s, f)
    elif move >= Move.DISPATCH:
        # Put a dispatch worker on the leftmost free space; a row that becomes full is emptied at once (E08).
        row = move - Move.DISPATCH
        s.dispatch[s.seat] -= 1
        stand_worker(s, row, m.DISPATCHED)
        if f.dispatch_rows_chosen_row_only:
            s.chosen = row + 1
        if not f.dispatch_fill_after_turn:
            empty_full_rows(s, f)
    else:
        place_worker(s, f, move - Move.PLACE)


@kernel
def skill_move(s: Record, f: Record, move: int) -> None:
    """Carry out a choice in the effect of a skill."""
    if move == Move.END:
        s.much, s.phase = 0, Phase.RESUME
    elif move >= Move.UPGRADE:
        improve_goods(s, f, (move - Move.UPGRADE) // m.GRADES, (move - Move.UPGRADE) % m.GRADES)
    elif move >= Move.CARRY:
        begin_carry(s, f, move - Move.CARRY)
    else:
        if move >= Move.TURN_UP:
            s.up[s.seat] |= 1 << (move - Move.TURN_UP)
        else:
            replace_card(s, f, move - Move.RESEARCH)
        s.much -= 1
        s.phase = Phase.RESUME


@kernel
def round_move(s: Record, f: Record, move: int) -> None:
    """Carry out a choice of the set-up, of the end of a round, or of passing."""
    phase = s.phase
    if phase == Phase.GROW:
        if move == Move.END:
            # Skip a seat's growth because no lid may come off: a hole in the rules.
            meet_hole(s, Hole.GROWTH)
            s.lids_left = 0
        else:
            take_lid(s, f, move)
    elif phase == Phase.COMPANY:
        pick_company(s, f, move - Move.COMPANY)
    elif phase == Phase.DRAFT:
        keep_skill(s, f, move - Move.KEEP)
    elif phase == Phase.OFFICE:
        # Make an area the second office.
        s.office[s.seat] = (move - Move.OFFICE) + 1
        s.phase = Phase.GROW
    elif phase == Phase.NAME:
        s.start = move - Move.START
        begin_round(s, f)
    elif phase == Phase.DROP:
        put_goods(s, s.seat, move - Move.PUT, Grade.NORMAL, 1)
        s.gains -= 1
        drop_gained(s, f)


# A turn


@kernel
def place_worker(s: Record, f: Record, row: int) -> None:
    """Put a worker on the leftmost free space, for normal resources and then actions of that kind."""
    seat, space = s.seat, s.row_n[row]
    s.hands[seat] -= 1
    stand_worker(s, row, seat)
    s.row, s.chosen = row, 0
    s.left = f.row_actions[row][space] + s.more[seat * m.ROWS + row]
    s.gains = draw_goods(s, f, Grade.NORMAL, f.row_normals[row][space])
    s.phase, s.last = Phase.GAIN, 0
    gain_at_port(s, f)


@kernel
def next_for_gain(s: Record, f: Record, place: int) -> int:
    """Return the first place from this one on, but the Port, that may get a gained resource: it has goods and room."""
    own, limit = s.seat * m.PLACES, s.limit[s.seat]
    while place < m.PLACES and (place == f.port or not 0 < s.load[own + place] < limit):
        place += 1
    return place


@kernel
def gain_at_port(s: Record, f: Record) -> None:
    """Put gained goods into the Port if no other area may get any of them, and go on to the actions.

    What doesn't fit returns to the supply. Do nothing if another area may get some.
    """
    if s.gains > 0 and next_for_gain(s, f, s.last) < m.PLACES:
        return
    fits = min(s.gains, max(count_room(s, f, s.seat, f.port), 0))
    put_goods(s, s.seat, f.port, Grade.NORMAL, fits)
    s.stock[Grade.NORMAL] += s.gains - fits
    s.gains, s.last, s.phase = 0, 0, Phase.ACT


@kernel
def drop_gained(s: Record, f: Record) -> None:
    """Put resources gained by passing into any warehouses with room; the rest is lost."""
    if s.gains > 0:
        for place in range(m.PLACES):
            if count_room(s, f, s.seat, place) > 0:
                return
    s.stock[Grade.NORMAL] += s.gains
    s.gains = 0
    s.phase = Phase.TURN_OVER


@kernel
def end_turn(s: Record, f: Record) -> None:
    """Empty full rows, fill the Market, and begin the turn of the next seat with a worker."""
    empty_full_rows(s, f)
    fill_market(s, f)
    remember_state(s)
    # Record after a turn the workers that wait in the rows, of one company and of all.
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
    for n in range(1, s.players + 1):
        at = (s.at + n) % s.players
        if s.hands[s.order[at]] > 0:
            s.at, s.seat, s.phase = at, s.order[at], Phase.PLACING
            return
    s.phase = Phase.ROUND_OVER
