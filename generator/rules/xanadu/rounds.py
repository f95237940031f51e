"""The rounds of Forwarder of Xanadu: the end of a round, and the laws of play."""

from generator.rules.engine.contract import Measure
from generator.rules.engine.kernel import Record, Row, kernel
from generator.rules.xanadu import state as m
from generator.rules.xanadu.actions import do_once, find_ready_skills, is_timely, is_useful, miss_upgrades, note_missing
from generator.rules.xanadu.state import Action, Grade, Hole, Law, Lid, Move, Phase, Piece
from generator.rules.xanadu.stock import (
    all_daily,
    earn_vp,
    final_skills,
    gain_goods,
    lids_off,
    meet_hole,
    pay_dispatch,
    recount_company,
    restock_of,
    score_majority,
)


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill in goods in warehouses, dispatch workers and shares in use, workers outside the stock, VP tokens."""
    for grade in range(m.GRADES):
        taken[grade] = f.goods_total[grade] - s.stock[grade]
    taken[Piece.DISPATCH] = f.dispatch_total - s.dispatch_stock
    shares, workers = 0, 0
    for seat in range(s.players):
        if s.company[seat] >= 0:
            shares += f.start_shares - s.shares[seat]
            workers += f.company_workers - s.reserve[seat]
    taken[Piece.SHARE], taken[Piece.WORKER] = shares, workers
    for n in range(f.coin_kinds):
        taken[Piece.COIN + n] = s.coins[n]


@kernel
def remember_state(s: Record) -> None:
    """Store what the laws compare later: gauges and VP at the end of a turn."""
    for place in range(m.PLACES):
        s.seen_gauge[place], s.seen_boxes[place] = s.gauge[place], s.boxes[place]
    for seat in range(s.players):
        s.seen_vp[seat] = s.vp[seat]


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the first law that does not hold; all are checked between turns only."""
    if s.round_now == 0 or (s.phase != Phase.PLACING and s.over == 0):
        return Law.KEPT
    law = broken_goods(s, f)
    if law == Law.KEPT:
        law = broken_by_seat(s, f)
    if law == Law.KEPT:
        law = broken_rows(s, f)
    if law == Law.KEPT:
        law = broken_gauge(s, f)
    return broken_course(s, f) if law == Law.KEPT else law


@kernel
def broken_goods(s: Record, f: Record) -> int:
    """Return True if the number of goods has changed."""
    for grade in range(m.GRADES):
        there = s.stock[grade]
        for warehouse in range(s.players * m.PLACES):
            there += s.goods[warehouse * m.GRADES + grade]
        lent = s.stock[grade] < 0 and f.normal_shortage_partial
        if there != f.goods_total[grade] or lent:
            return Law.PIECES
    return Law.KEPT


@kernel
def count_standing(s: Record, piece: int) -> int:
    """Return the number of a seat's workers, or of dispatch workers, on the action board."""
    number = 0
    for row in range(m.ROWS):
        for n in range(s.row_n[row]):
            number += 1 if s.rows[row * m.SPACES + n] == piece else 0
    return number


@kernel
def broken_by_seat(s: Record, f: Record) -> int:
    """Return the broken law on companies' workers, shares, dispatch workers, limits and VP."""
    dispatch_count = s.dispatch_stock + count_standing(s, m.DISPATCHED)
    for seat in range(s.players):
        dispatch_count += s.dispatch[seat] + f.lids_all
        for row in range(m.LID_ROWS):
            dispatch_count -= lids_off(s, seat, row)
        workers, shares = s.hands[seat] + s.reserve[seat] + count_standing(s, seat), s.shares[seat]
        for place in range(m.PLACES):
            shares += s.tokens[place * m.SEATS + seat]
            load = s.load[seat * m.PLACES + place]
            if load < 0 or (place != f.port and load > s.limit[seat]):
                return Law.LIMITS
        if workers != f.company_workers or shares != f.start_shares or s.dispatch[seat] < 0:
            return Law.PIECES
        if s.vp[seat] < s.seen_vp[seat]:
            return Law.VP
    return Law.KEPT if dispatch_count == f.dispatch_total else Law.PIECES


@kernel
def broken_rows(s: Record, f: Record) -> int:
    """Return True if a row is full when a turn begins; by a reading (E08) dispatch workers may have filled it."""
    if s.used == 0 and s.chosen == 0 and not f.dispatch_fill_after_turn:
        for row in range(m.ROWS):
            if s.row_n[row] >= f.row_len[row]:
                return Law.ROWS
    return Law.KEPT


@kernel
def broken_gauge(s: Record, f: Record) -> int:
    """Return True if tokens other than the last of a full gauge have moved since the turn began."""
    for place in range(m.PLACES):
        fixed = min(s.seen_boxes[place], f.gauge[s.board[place]] - 1)
        if fixed > 0:
            left = (1 << (3 * fixed)) - 1
            if s.gauge[place] & left != s.seen_gauge[place] & left:
                return Law.GAUGES
    return Law.KEPT


@kernel
def broken_course(s: Record, f: Record) -> int:
    """Return the broken law on requests in Daily rows, the length of the game, or VP beyond their tokens."""
    for seat in range(s.players):
        for n in range(seat * m.DAILY_MOST, seat * m.DAILY_MOST + f.daily_n):
            if f.daily_model_draft18 and s.daily[n] != s.dealt[n]:
                return Law.DAILY
        if s.turns[seat] - s.passes[seat] > f.most_turns:
            return Law.LENGTH
    if s.over and s.round_now != f.rounds:
        return Law.LENGTH
    for n in range(f.coin_kinds):
        if s.coins[n] > f.coin_count[n]:
            return Law.COINS
    return Law.KEPT


# What games are measured by


@kernel
def note_refused(s: Record, f: Record) -> None:
    """Count upgrades and skills that the seat can't choose now because the stock lacks their pieces."""
    if s.dispatch_stock > 0 and s.stock[Grade.NORMAL] > 0 and s.stock[Grade.FINE] > 0 and s.stock[Grade.SUPERB] > 0:
        return
    acting = s.phase == Phase.ACT
    if s.phase == Phase.STEPS or (acting and s.row == Action.UPGRADE and s.left > 0):
        for place in range(m.PLACES):
            if place == f.port or s.anywhere[s.seat] == 1 or (acting and s.office[s.seat] == place + 1):
                miss_upgrades(s, s.seat, place)
    if acting or s.phase == Phase.PLACING:
        skills = find_ready_skills(s, f)
        for skill in range(f.skills):
            if skills & (1 << skill) and is_timely(s, f, skill) == 1 and is_useful(s, f, skill) == 0:
                for n in range(f.effects[skill]):
                    note_missing(s, f, s.seat, f.op[skill][n], f.op_a[skill][n])


@kernel
def note_round(s: Record) -> None:
    """Record all VP after a round and its scoring."""
    if 0 < s.round_now <= m.ROUNDS:
        total = 0
        for seat in range(s.players):
            total += s.vp[seat]
        s.vp_after[s.round_now - 1] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Fill in the numbers of MEASURES, in their order."""
    full = 0
    for place in range(m.PLACES):
        boxes = f.gauge[s.board[place]]
        full += 1 if boxes > 0 and s.boxes[place] == boxes else 0
    told[0] = max(s.least_normals, 0)  # without a limit (E06), substitutes stand in for those beyond
    told[1], told[2] = s.refused[Grade.FINE], s.refused[Grade.SUPERB]
    told[3], told[4] = s.most_stuck, s.most_waiting
    told[5] = s.most_shares
    told[6], told[7] = full, s.pushed
    told[8] = s.mixed
    told[9] = s.least_dispatch
    for n in range(m.ROUNDS):
        told[10 + n] = (2 * s.vp_after[n] + s.players) // (2 * s.players)


MEASURES = (
    Measure("sim_normals_in_use_max", "normal resources left in the stock at the least"),
    Measure("sim_stockout_fine", "times that an upgrade to fine was refused"),
    Measure("sim_stockout_superb", "times that an upgrade to superb was refused"),
    Measure("sim_workers_stuck_max", "workers of one company on the board between turns at most"),
    Measure(
        "sim_workers_stuck_max",
        "workers of all companies there at most",
        at_most=lambda box: sum(length - 1 for length in box.get_row("row_len")),  # every row has a free space
    ),
    Measure(
        "sim_share_tokens_max",
        "share tokens of one company on gauges at most",
        at_most=lambda box: box.get_number("start_shares"),
    ),
    Measure("sim_full_gauges", "gauges full at the end"),
    Measure("sim_full_gauges", "tokens pushed out"),
    Measure("sim_deck_reshuffle", "decks made anew from discards"),
    Measure("sim_dispatch_stock_min", "dispatch workers left in the stock at the least", at_least=lambda _: 0),
    *(Measure("sim_vp_by_round", f"VP of a player, on average, after round {n}") for n in range(1, m.ROUNDS + 1)),
)


@kernel
def end_round(s: Record, f: Record) -> None:
    """Begin growth after the last turn of a round, or the final scoring after the last round."""
    if s.round_now == f.rounds:
        for seat in range(s.players):
            earn_vp(s, f, seat, final_skills(s, f, seat))
        score_majority(s, f, f.pay_final)
        note_round(s)
        s.over, s.phase = 1, Phase.ENDED
        return
    s.at, s.seat = 0, s.order[0]
    s.lids_left = f.by_round[s.round_now - 1]
    s.phase = Phase.GROW


# Growth


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
    for row in range(m.LID_ROWS):
        if lids_off(s, seat, row) < f.lids[row]:
            rows |= 1 << row
        elif f.opens[row] == 1:
            opened = 1
    return rows if opened else rows & ~(1 << Lid.WORKER)


@kernel
def take_lid(s: Record, f: Record, move: int) -> None:
    """Take a lid off; its effect holds at once."""
    seat = s.seat
    s.dispatch[seat] += 1
    s.lids_left -= 1
    if move >= Move.SKILL:
        pay_dispatch(s, seat, gate_cost(s, f, seat))
        s.lids[seat * m.LID_ROWS + Lid.SKILL] += 1
        # Move a skill from hand to the company board, and carry out its effect on placement.
        skill = move - Move.SKILL
        s.hand[s.seat] &= ~(1 << skill)
        s.placed[s.seat] |= 1 << skill
        recount_company(s, f, s.seat)
        s.waiting = f.install_mask & (1 << skill)
        s.resume_at, s.phase = Phase.GROW, Phase.RESUME
        return
    row = move - Move.LID
    s.lids[seat * m.LID_ROWS + row] += 1
    recount_company(s, f, seat)
    bare = lids_off(s, seat, row) == f.lids[row]
    if bare and row == Lid.TRANSPORT and f.transport_level2_second_office:
        s.phase = Phase.OFFICE


@kernel
def go_on_growing(s: Record, f: Record) -> None:
    """Go on to the next seat after a seat's lids are off; after the last one, to the rest of the round's end."""
    while s.lids_left == 0:
        s.at += 1
        if s.at == s.players:
            s.phase = Phase.REFRESH
            return
        s.seat = s.order[s.at]
        s.lids_left = f.by_round[s.round_now - 1]


# Workers, goods, and who begins


@kernel
def recall_workers(s: Record, seat: int, missing: int) -> None:
    """Recall own workers from the rows, those farthest right first; gaps close."""
    for space in range(m.SPACES - 1, -1, -1):
        for row in range(m.ROWS):
            if missing > 0 and space < s.row_n[row] and s.rows[row * m.SPACES + space] == seat:
                last = row * m.SPACES + s.row_n[row] - 1
                for n in range(row * m.SPACES + space, last):
                    s.rows[n] = s.rows[n + 1]
                s.rows[last] = 0
                s.row_n[row] -= 1
                s.reserve[seat] += 1
                missing -= 1


@kernel
def restock_port(s: Record, f: Record, seat: int) -> None:
    """Put new normal resources into the Port, with those that skills bring at the end of a round."""
    gain_goods(s, f, seat, Grade.NORMAL, restock_of(s, f, seat))
    extra = s.placed[seat] & f.round_end_mask
    if extra:
        s.seat = seat
        for skill in range(f.skills):
            if extra & (1 << skill):
                for n in range(f.effects[skill]):
                    do_once(s, f, f.op[skill][n], f.op_a[skill][n], f.op_n[skill][n])


@kernel
def refresh_round(s: Record, f: Record) -> None:
    """Refresh workers and Daily rows, then goods by seat, then the start player's marker and the interim scoring."""
    for n in range(s.players):
        # Take workers from the stock, as many as are due and there (E03); by a reading, recall others from rows.
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
    for n in range(s.players):
        restock_port(s, f, s.order[n])
    s.been |= 1 << s.start
    everybody = s.been == (1 << s.players) - 1
    if s.round_now == f.interim:
        score_majority(s, f, f.pay_interim)
    if f.start_player_once_then_lowest_vp_chooses and everybody:
        # The seat with the fewest VP; among several, the first clockwise after the start player.
        last = (s.start + 1) % s.players
        for n in range(2, s.players + 1):
            seat = (s.start + n) % s.players
            if s.vp[seat] < s.vp[last]:
                last = seat
        s.seat = last
        s.phase = Phase.NAME
        return
    s.start = (s.start + 1) % s.players
    begin_round(s, f)


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
def begin_round(s: Record, f: Record) -> None:
    """Begin a round with the first seat that has a worker; without any worker, the game can't go on."""
    note_round(s)
    s.round_now += 1
    set_order(s, f)
    if f.start_player_vp_order:
        s.start = s.order[0]
    for n in range(s.players):
        if s.hands[s.order[n]] > 0:
            s.at, s.seat, s.phase = n, s.order[n], Phase.PLACING
            return
    s.hole, s.over, s.phase = Hole.STANDSTILL, 1, Phase.ENDED
