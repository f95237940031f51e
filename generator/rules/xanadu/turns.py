"""Forwarder of Xanadu as drafted.

Flags like `f.daily_model_none` are in readings.yaml ("E56 off": it is off), numbers like `f.draft` in rules.yaml.
"""

from generator.rules.engine.kernel import Record, kernel, next_chances, shuffle, take_at
from generator.rules.engine.story import Story, choose, list_members, list_numbers, story
from generator.rules.xanadu.offers import (
    can_act,
    can_do,
    card_from,
    fewest_to_return,
    find_face_down,
    find_payment,
    find_places_with_room,
    gate_cost,
    list_actions_left,
    list_answers,
    list_areas,
    list_companies_left,
    list_lids,
    list_loads,
    list_market,
    list_numbers_to_return,
    list_payments,
    list_placements,
    list_places_for_gain,
    list_shifts,
    list_steps,
    next_for_gain,
    note_missing,
    note_refused,
)
from generator.rules.xanadu.state import (
    COUNTS,
    DAILY_MOST,
    DISPATCHED,
    GRADES,
    PLACES,
    ROWS,
    SEATS,
    SOURCES,
    STATE,
    Chance,
    Grade,
    Hole,
    Lid,
    Move,
    Op,
    Phase,
    Tier,
    goods_of,
)
from generator.rules.xanadu.steps import (
    begin_round,
    do_effect,
    end_turn,
    find_next_seat,
    find_only_load,
    improve_goods,
    note_round,
    pay_request,
    refresh_workers,
    restock_ports,
    take_lid,
    use_daily_card,
)
from generator.rules.xanadu.stock import (
    all_daily,
    count_room,
    draw_goods,
    draw_request,
    earn_vp,
    empty_full_rows,
    fill_market,
    final_skills,
    goods_at,
    lids_off,
    meet_hole,
    pay_dispatch,
    put_goods,
    recount_company,
    replace_card,
    score_majority,
    stand_worker,
)

# Preparation of the game


@kernel
def lay_out(s: Record, f: Record) -> None:
    """Lay the Port on its place and the other boards at random; set decks and stock beside them."""
    at = 0
    for board in range(PLACES):
        if board != f.port_board:
            s.scratch[at] = board
            at += 1
    shuffle(next_chances(s.rng, Chance.TOWN), s.scratch, 0, PLACES - 1)
    at = 0
    for place in range(PLACES):
        if place == f.port:
            s.board[place] = f.port_board
        else:
            s.board[place] = take_at(s.scratch, at)
            at += 1
    for seat in range(SEATS):
        s.company[seat] = -1
    for n in range(SEATS * DAILY_MOST):
        s.daily[n] = -1
    for slot in range(f.market_n):
        s.market[slot] = -1
    for card in range(f.cards):
        tier = f.tier[card]
        s.deck[tier * f.cards + s.deck_n[tier]] = card
        s.deck_n[tier] += 1
    for grade in range(GRADES):
        s.stock[grade] = f.goods_total[grade]
    s.dispatch_stock = f.dispatch_total


@kernel
def give_company(s: Record, f: Record, company: int) -> None:
    """Give the seat a company with its workers, shares and first goods; its lids come from the stock."""
    seat = s.seat
    s.company[seat] = company
    s.hands[seat] = f.start_workers
    s.reserve[seat] = f.company_workers - f.start_workers
    s.shares[seat] = f.start_shares
    s.dispatch_stock -= f.lids_all
    for grade in range(GRADES):
        s.stock[grade] -= f.start_goods[grade]
        put_goods(s, seat, f.port, grade, f.start_goods[grade])
    s.least_dispatch, s.least_normals = s.dispatch_stock, s.stock[Grade.NORMAL]
    recount_company(s, f, seat)


@kernel
def deal_cards(s: Record, f: Record) -> None:
    """Deal Daily rows and the Market; then skills to draft from, as many to every seat, or those of its company."""
    for tier in range(2):
        shuffle(next_chances(s.rng, Chance.REQUESTS + tier), s.deck, tier * f.cards, tier * f.cards + s.deck_n[tier])
    for n in range(0 if f.daily_model_none else s.players):  # E56 off
        seat = (s.start + n) % s.players
        for card in range(seat * DAILY_MOST, seat * DAILY_MOST + f.daily_n):
            lower = card < seat * DAILY_MOST + f.daily_lower
            s.daily[card] = draw_request(s, f, Tier.LOWER if lower else Tier.UPPER)
            s.dealt[card] = s.daily[card]
        s.up[seat] = all_daily(s, f, seat)
    fill_market(s, f)
    if f.style_advanced:
        for skill in range(f.skills):
            s.scratch[skill] = skill
        shuffle(next_chances(s.rng, Chance.SKILLS), s.scratch, 0, f.skills)
        for n in range(f.skills):
            if n < s.players * f.draft:
                s.pack[n // f.draft] |= 1 << s.scratch[n]
            s.scratch[n] = 0
    else:
        for seat in range(s.players):
            for skill in range(f.skills):
                if f.colour[skill] == s.company[seat]:
                    s.hand[seat] |= 1 << skill


@kernel
def pass_packs_on(s: Record) -> None:
    """Pass packs to the left; the last skill of a pack needs no choice."""
    last = s.pack[s.players - 1]
    for seat in range(s.players - 1, 0, -1):
        s.pack[seat] = s.pack[seat - 1]
    s.pack[0] = last
    if last & (last - 1) == 0:
        for seat in range(s.players):
            s.hand[seat] |= s.pack[seat]
            s.pack[seat] = 0


# Course of the game


@story
def game(s: Record, f: Record) -> None:
    """Choose companies, draft skills, play rounds: only seats with a worker have turns (E10); score after the last."""
    while s.company[s.seat] < 0:
        answer = choose(Phase.COMPANY, list_companies_left)
        give_company(s, f, answer - Move.COMPANY)
        s.seat = (s.seat + 1) % s.players
    deal_cards(s, f)
    while s.pack[s.seat]:
        skill = choose(Phase.DRAFT, list_members, Move.KEEP, s.pack[s.seat])
        s.pack[s.seat] &= ~(1 << (skill - Move.KEEP))
        s.hand[s.seat] |= 1 << (skill - Move.KEEP)
        s.seat = (s.seat + 1) % s.players
        if s.seat == s.start:
            pass_packs_on(s)

    while begin_round(s, f):
        while find_next_seat(s):
            take_turn(s, f)
            end_turn(s, f)  # empties full rows: workers return to their owners, those of dispatch to the stock
        if s.round_now == f.rounds:
            # Final scoring: companies and skills, then market shares; of equal tokens the leftmost ranks first.
            # Most VP win, then the lower sum of ranks outside the Port (E29: no token, next rank), else they share.
            for n in range(s.players):
                earn_vp(s, f, n, final_skills(s, f, n))
            score_majority(s, f, f.pay_final)
            note_round(s)
            s.over, s.phase = 1, Phase.ENDED
            return
        end_round(s, f)


# 1: Main phase


@story
def take_turn(s: Record, f: Record) -> None:
    """Place a worker for goods and actions; only before it, dispatch workers fill spaces; skills also after it."""
    s.phase = Phase.PLACING
    while s.phase == Phase.PLACING or can_act(s, f):
        note_refused(s, f)
        if s.phase == Phase.PLACING:
            move = choose(Phase.PLACING, list_placements)
        else:
            move = choose(Phase.ACT, list_actions_left)
        if move == Move.END:
            return
        if move == Move.PASS:  # not by default (E46)
            pass_turn(s, f)
            return
        if move < Move.DISPATCH:
            # A worker takes the leftmost free space: first normal resources, then its actions, more with lids off.
            s.row, s.chosen = move - Move.PLACE, 0
            space = s.row_n[s.row]
            s.hands[s.seat] -= 1
            stand_worker(s, s.row, s.seat)
            s.left = f.row_actions[s.row][space] + s.more[s.seat * ROWS + s.row]
            s.gains = draw_goods(s, f, Grade.NORMAL, f.row_normals[s.row][space])
            put_gained_goods(s, f)
            s.phase = Phase.ACT
        elif move < Move.PASS:  # a dispatch worker fills a space of a row, and is spent
            s.dispatch[s.seat] -= 1
            stand_worker(s, move - Move.DISPATCH, DISPATCHED)
            if f.dispatch_rows_chosen_row_only:  # E09 off
                s.chosen = move - Move.DISPATCH + 1
            if not f.dispatch_fill_after_turn:  # a row that is full now is emptied at once (E08)
                empty_full_rows(s, f)
        elif move < Move.USE:
            pay_dispatch(s, s.seat, f.research_cost)
            replace_card(s, f, move - Move.RESEARCH)
        elif move < Move.WASTE:
            s.used |= 1 << (move - Move.USE)
            s.waiting = 1 << (move - Move.USE)
        else:
            if move >= Move.UPGRADE:
                improve_goods(s, f, move - Move.UPGRADE)
            elif move >= Move.CARRY:
                carry_goods(s, f, move - Move.CARRY)
            elif move >= Move.FULFIL:
                fulfil_request(s, f, move - Move.FULFIL)
            elif move == Move.DAILY:
                fulfil_daily_card(s, f)
            s.left -= 1
            s.phase = Phase.ACT
        if s.waiting:
            use_skills(s, f)


@story
def put_gained_goods(s: Record, f: Record) -> None:
    """Put one gained resource each into areas with own goods and room (E40), and all others into the Port."""
    while s.gains > 0 and next_for_gain(s, f, s.last) < PLACES:
        place = choose(Phase.GAIN, list_places_for_gain)
        place -= Move.PUT
        if place == f.port:
            break
        put_goods(s, s.seat, place, Grade.NORMAL, 1)
        s.gains -= 1
        s.last = PLACES if f.gain_outside_one_total else place + 1  # E40 off
    s.last = 0
    fits = min(s.gains, max(count_room(s, f, s.seat, f.port), 0))  # what doesn't fit returns to the stock
    put_goods(s, s.seat, f.port, Grade.NORMAL, fits)
    s.stock[Grade.NORMAL] += s.gains - fits
    s.gains = 0


@story
def pass_turn(s: Record, f: Record) -> None:
    """Pay dispatch workers, more each time, for as many normal resources, put anywhere; no worker is placed (E46)."""
    cost = f.pass_costs[s.passes[s.seat]]
    s.passes[s.seat] += 1
    pay_dispatch(s, s.seat, cost)
    s.gains = draw_goods(s, f, Grade.NORMAL, cost)
    while s.gains > 0 and find_places_with_room(s, f):
        place = choose(Phase.DROP, list_members, Move.PUT, find_places_with_room(s, f))
        put_goods(s, s.seat, place - Move.PUT, Grade.NORMAL, 1)
        s.gains -= 1
    s.stock[Grade.NORMAL] += s.gains
    s.gains = 0


# Actions: fulfil, transport


@story
def fulfil_request(s: Record, f: Record, request: int) -> None:
    """Pay a request (place * SOURCES + source) with goods of an area with its icon. Higher grades serve for lower."""
    s.area = request // SOURCES
    s.source = request % SOURCES
    card = card_from(s, f, s.source)
    s.paying = find_payment(s, f, card, goods_at(s.seat, s.area), 0)
    if find_payment(s, f, card, goods_at(s.seat, s.area), 1) >= 0:
        s.paying = choose(Phase.PAY, list_payments)
        s.paying -= Move.GOODS
    pay_request(s, f)  # for VP; a token in hand goes onto the gauge; of a full one the last returns to its owner (E53)


@story
def fulfil_daily_card(s: Record, f: Record) -> None:
    """Put one or more resources of the Port back for VP up to the cap: no token, no skill (E12). Turn it face down."""
    while s.grade < GRADES:
        number = s.goods[goods_at(s.seat, f.port) + s.grade]
        if fewest_to_return(s, f) < number:
            number = choose(Phase.COUNT, list_numbers_to_return)
            number = (number - Move.COUNT) % COUNTS
        s.took[s.grade] = number
        s.grade += 1
    use_daily_card(s, f)


@story
def carry_goods(s: Record, f: Record, ways: int) -> None:
    """Carry a load (`ways`: from * PLACES + to): of an action up to the limit by lids off, of a skill one resource."""
    s.from_place = ways // PLACES + 1
    s.to_place = ways % PLACES + 1
    packed = find_only_load(s, f)
    if packed == 0:
        packed = choose(Phase.LOAD, list_loads)
        packed -= Move.GOODS
    for n in range(GRADES):
        put_goods(s, s.seat, s.from_place - 1, n, -goods_of(packed, n))
        put_goods(s, s.seat, s.to_place - 1, n, goods_of(packed, n))
    if s.doing == 0 and not f.transport_scope_action:  # E42 on: the two places hold for one action
        s.kept_from, s.kept_to = s.from_place, s.to_place
    s.from_place, s.to_place = s.kept_from, s.kept_to


# Skills


@story
def use_skills(s: Record, f: Record) -> None:
    """Use the skills that wait, one after the other; a seat may decline some, and chooses what their effects allow."""
    resume_at = s.phase
    while s.waiting:
        offered = (s.waiting & -s.waiting).bit_length() - 1
        s.waiting &= ~(1 << offered)
        if s.dispatch[s.seat] < f.cost[offered]:
            continue
        if f.optional[offered] and f.activated_mask & (1 << offered) == 0:
            if not can_do(s, f, offered, 0):
                note_missing(s, f, offered, 0)
                continue
            answer = choose(Phase.OFFER, list_answers, offered)
            if answer == Move.DECLINE:
                continue
        pay_dispatch(s, s.seat, f.cost[offered])
        s.doing = offered + 1
        for step in range(f.effects[s.doing - 1]):
            much = do_effect(s, f, s.doing - 1, step, 1 if resume_at == Phase.ACT else 0)
            while much > 0 and can_do(s, f, s.doing - 1, step):
                op = f.op[s.doing - 1][step]
                if op == Op.MOVE:
                    move = choose(Phase.SHIFT, list_shifts)
                    carry_goods(s, f, move - Move.CARRY)
                elif op == Op.UPGRADE:
                    s.phase = Phase.STEPS
                    note_refused(s, f)
                    move = choose(Phase.STEPS, list_steps)
                    if move == Move.END:
                        much = 0
                        break
                    improve_goods(s, f, move - Move.UPGRADE)
                elif op == Op.RESEARCH:
                    move = choose(Phase.SEARCH, list_market)
                    replace_card(s, f, move - Move.RESEARCH)
                else:
                    move = choose(Phase.TURN_UP, list_members, Move.TURN_UP, find_face_down(s, f))
                    s.up[s.seat] |= 1 << (move - Move.TURN_UP)
                much -= 1
            if much > 0:
                note_missing(s, f, s.doing - 1, step)
        s.doing = 0
    s.area = 0
    s.phase = resume_at


# 2: End of a round


@story
def end_round(s: Record, f: Record) -> None:
    """Grow lid by lid, each in force at once (E32); take only workers in stock (E03); turn up cards; pass marker."""
    s.at = 0
    while s.at < s.players:
        s.seat = s.order[s.at]
        s.lids_left = f.by_round[s.round_now - 1]
        while s.lids_left > 0:
            move = choose(Phase.GROW, list_lids)  # a must; workers once warehouse, transport or quality is bare
            if move == Move.END:
                meet_hole(s, Hole.GROWTH)  # a guard, as in `list_lids`
                s.lids_left = 0
            elif move >= Move.SKILL:
                # A skill comes onto the board in the place of a lid; its effect on placement follows.
                pay_dispatch(s, s.seat, gate_cost(s, f, s.seat))
                s.hand[s.seat] &= ~(1 << (move - Move.SKILL))
                s.placed[s.seat] |= 1 << (move - Move.SKILL)
                s.waiting = f.install_mask & (1 << (move - Move.SKILL))
                take_lid(s, f, Lid.SKILL)
                use_skills(s, f)
            else:
                lid = move - Move.LID
                take_lid(s, f, lid)
                bare = lids_off(s, s.seat, lid) == f.lids[lid]
                if bare and lid == Lid.TRANSPORT and f.transport_level2_second_office:
                    place = choose(Phase.OFFICE, list_areas)
                    s.office[s.seat] = place - Move.OFFICE + 1
        s.at += 1
    refresh_workers(s, f)
    restock_ports(s, f)
    s.been |= 1 << s.start
    if s.round_now == f.interim:
        score_majority(s, f, f.pay_interim)
    if f.start_player_once_then_lowest_vp_chooses and s.been == (1 << s.players) - 1:  # E52 off
        s.seat = (s.start + 1) % s.players  # the fewest VP; among several, the first clockwise after the start player
        for n in range(2, s.players + 1):
            if s.vp[(s.start + n) % s.players] < s.vp[s.seat]:
                s.seat = (s.start + n) % s.players
        s.start = choose(Phase.NAME, list_numbers, Move.START, Move.START + s.players)
        s.start -= Move.START
    else:
        s.start = (s.start + 1) % s.players


STORY = Story(game, STATE, lay_out)
