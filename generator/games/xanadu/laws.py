"""What must hold between turns whatever is played, how many pieces are in use, and what games are measured by."""

from typing import Any

from generator.games.engine.contract import Box, Measure
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.effects import miss, miss_upgrades, ready, timely, useful
from generator.games.xanadu.moves import Action, Grade, Law, Phase, Piece, Reading
from generator.games.xanadu.stock import lids_off


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Goods in warehouses, dispatch workers and shares that are out, workers not in the stock, VP tokens."""
    for grade in range(m.GRADES):
        taken[grade] = f.goods_total[grade] - s.stock[grade]
    taken[Piece.DISPATCH] = f.dispatch_total - s.crew
    shares, workers = 0, 0
    for seat in range(s.players):
        if s.company[seat] >= 0:
            shares += f.start_shares - s.shares[seat]
            workers += f.company_workers - s.reserve[seat]
    taken[Piece.SHARE], taken[Piece.WORKER] = shares, workers
    for n in range(f.coin_kinds):
        taken[Piece.COIN + n] = s.coins[n]


@kernel
def remember(s: Record) -> None:
    """Keeps what the laws compare with: gauges and VP at the end of a turn."""
    for place in range(m.PLACES):
        s.seen_gauge[place], s.seen_boxes[place] = s.gauge[place], s.boxes[place]
    for seat in range(s.players):
        s.seen_vp[seat] = s.vp[seat]


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold; all are looked at between turns, when nothing is half done."""
    if s.round == 0 or (s.phase != Phase.PLACING and s.over == 0):
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
    """Whether goods have come or gone."""
    for grade in range(m.GRADES):
        there = s.stock[grade]
        for warehouse in range(s.players * m.PLACES):
            there += s.goods[warehouse * m.GRADES + grade]
        lent = s.stock[grade] < 0 and f.normal_shortage == Reading.PARTIAL
        if there != f.goods_total[grade] or lent:
            return Law.PIECES
    return Law.KEPT


@kernel
def standing(s: Record, piece: int) -> int:
    """How many workers of a seat stand on the action board, or dispatch workers."""
    number = 0
    for row in range(m.ROWS):
        for n in range(s.row_n[row]):
            number += 1 if s.rows[row * m.SPACES + n] == piece else 0
    return number


@kernel
def broken_by_seat(s: Record, f: Record) -> int:
    """Workers, shares, dispatch workers, limits and VP of the companies."""
    crew = s.crew + standing(s, m.HIRED)
    for seat in range(s.players):
        crew += s.free[seat] + f.lids_all
        for row in range(m.LID_ROWS):
            crew -= lids_off(s, seat, row)
        workers, shares = s.hands[seat] + s.reserve[seat] + standing(s, seat), s.shares[seat]
        for place in range(m.PLACES):
            shares += s.tokens[place * m.SEATS + seat]
            load = s.load[seat * m.PLACES + place]
            if load < 0 or (place != f.port and load > s.limit[seat]):
                return Law.LIMITS
        if workers != f.company_workers or shares != f.start_shares or s.free[seat] < 0:
            return Law.PIECES
        if s.vp[seat] < s.seen_vp[seat]:
            return Law.VP
    return Law.KEPT if crew == f.dispatch_total else Law.PIECES


@kernel
def broken_rows(s: Record, f: Record) -> int:
    """Whether a row is full when a turn begins; by a reading (E08) dispatch workers may have filled one."""
    if s.used == 0 and s.chosen == 0 and f.dispatch_fill != Reading.AFTER_TURN:
        for row in range(m.ROWS):
            if s.row_n[row] >= f.row_len[row]:
                return Law.ROWS
    return Law.KEPT


@kernel
def broken_gauge(s: Record, f: Record) -> int:
    """Whether tokens other than the last of a full gauge have moved since the turn began."""
    for place in range(m.PLACES):
        fixed = min(s.seen_boxes[place], f.gauge[s.board[place]] - 1)
        if fixed > 0:
            left = (1 << (3 * fixed)) - 1
            if s.gauge[place] & left != s.seen_gauge[place] & left:
                return Law.GAUGES
    return Law.KEPT


@kernel
def broken_course(s: Record, f: Record) -> int:
    """Whether Daily rows have other requests than at first, games last too long, or VP are more than their tokens."""
    for seat in range(s.players):
        for n in range(seat * m.DAILY_MOST, seat * m.DAILY_MOST + f.daily_n):
            if f.daily_model == Reading.DRAFT18 and s.daily[n] != s.dealt[n]:
                return Law.DAILY
        if s.turns[seat] - s.passes[seat] > f.most_turns:
            return Law.LENGTH
    if s.over and s.round != f.rounds:
        return Law.LENGTH
    for n in range(f.coin_kinds):
        if s.coins[n] > f.coin_count[n]:
            return Law.COINS
    return Law.KEPT


# ---------------------------------------------------------------------------------------------------------------------
# What games are measured by


@kernel
def note_refused(s: Record, f: Record) -> None:
    """Counts upgrades and skills that the seat can't choose now because the stock lacks what they would bring."""
    if s.crew > 0 and s.stock[Grade.NORMAL] > 0 and s.stock[Grade.FINE] > 0 and s.stock[Grade.SUPERB] > 0:
        return
    acting = s.phase == Phase.ACT
    if s.phase == Phase.STEPS or (acting and s.row == Action.UPGRADE and s.left > 0):
        for place in range(m.PLACES):
            if place == f.port or s.anywhere[s.seat] == 1 or (acting and s.office[s.seat] == place + 1):
                miss_upgrades(s, s.seat, place)
    if acting or s.phase == Phase.PLACING:
        skills = ready(s, f)
        for skill in range(f.skills):
            if skills & (1 << skill) and timely(s, f, skill) == 1:
                note_useless(s, f, skill)


@kernel
def note_useless(s: Record, f: Record, skill: int) -> None:
    """Counts what a skill lacks, if nothing that it does can be done."""
    if useful(s, f, skill) == 0:
        for n in range(f.effects[skill]):
            miss(s, f, s.seat, f.op[skill][n], f.op_a[skill][n])


@kernel
def note_turn(s: Record, f: Record) -> None:
    """After a turn: workers that wait in the rows, of one company and of all."""
    waiting = 0
    for seat in range(s.players):
        own = f.company_workers - s.hands[seat] - s.reserve[seat]
        s.most_stuck = max(s.most_stuck, own)
        waiting += own
    s.most_waiting = max(s.most_waiting, waiting)


@kernel
def note_round(s: Record) -> None:
    """After a round, with its scoring: all VP."""
    if 0 < s.round <= m.ROUNDS:
        total = 0
        for seat in range(s.players):
            total += s.vp[seat]
        s.vp_after[s.round - 1] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """The numbers of MEASURES, in their order."""
    full = 0
    for place in range(m.PLACES):
        boxes = f.gauge[s.board[place]]
        full += 1 if boxes > 0 and s.boxes[place] == boxes else 0
    told[0] = s.least_normals
    told[1], told[2] = s.refused[Grade.FINE], s.refused[Grade.SUPERB]
    told[3], told[4] = s.most_stuck, s.most_waiting
    told[5] = s.most_shares
    told[6], told[7] = full, s.pushed
    told[8] = s.mixed
    told[9] = s.least_crew
    for n in range(m.ROUNDS):
        told[10 + n] = (2 * s.vp_after[n] + s.players) // (2 * s.players)


def _waiting_at_most(box: Box) -> int:
    """Between turns every row has a free space."""
    lengths: Any = box.numbers["row_len"]
    return sum(length - 1 for length in lengths)


MEASURES = (
    Measure("sim_normals_in_use_max", "normal resources left in the stock at the least", at_least=lambda _: 1),
    Measure("sim_stockout_fine", "times that an upgrade to fine was refused"),
    Measure("sim_stockout_superb", "times that an upgrade to superb was refused"),
    Measure("sim_workers_stuck_max", "workers of one company on the board between turns at most"),
    Measure("sim_workers_stuck_max", "workers of all companies there at most", at_most=_waiting_at_most),
    Measure(
        "sim_share_tokens_max",
        "share tokens of one company on gauges at most",
        at_most=lambda box: box.number("start_shares"),
    ),
    Measure("sim_full_gauges", "gauges full at the end"),
    Measure("sim_full_gauges", "tokens pushed out"),
    Measure("sim_deck_reshuffle", "decks made anew from discards"),
    Measure("sim_dispatch_stock_min", "dispatch workers left in the stock at the least", at_least=lambda _: 0),
    *(Measure("sim_vp_by_round", f"VP of a player, on average, after round {n}") for n in range(1, m.ROUNDS + 1)),
)
