"""The rules of Forwarder of Xanadu as played: laws of play, what games are measured by, and `RULES`."""

from functools import partial

from generator.rules.engine.contract import Hole, Measure, Supply, answer_question
from generator.rules.engine.kernel import Record, Row, kernel
from generator.rules.xanadu import state as m
from generator.rules.xanadu.box import UNPLAYABLE, make_box, most_moves
from generator.rules.xanadu.examples import QUESTIONS, arrange
from generator.rules.xanadu.outlook import value
from generator.rules.xanadu.state import Grade, Law, Phase, Piece
from generator.rules.xanadu.stock import lids_off, rank_seats, score
from generator.rules.xanadu.turns import STORY
from generator.rules.xanadu.words import blind, follow, observe, say, tell, write, zones

# Laws of play


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the first Law that does not hold, or KEPT; all are checked between turns only."""
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
    """Return Law.PIECES if the number of goods has changed or the stock is overdrawn against the reading; else KEPT."""
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
    """Return how many workers of a seat (`piece`), or dispatch workers (DISPATCHED), are on the action board."""
    number = 0
    for row in range(m.ROWS):
        for n in range(s.row_n[row]):
            number += 1 if s.rows[row * m.SPACES + n] == piece else 0
    return number


@kernel
def broken_by_seat(s: Record, f: Record) -> int:
    """Return the broken Law on companies' workers, shares, dispatch workers, limits and VP, or KEPT."""
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
    """Return Law.ROWS if a row is full when a turn begins, else KEPT; by E08, dispatch workers may have filled it."""
    if s.used == 0 and s.chosen == 0 and not f.dispatch_fill_after_turn:
        for row in range(m.ROWS):
            if s.row_n[row] >= f.row_len[row]:
                return Law.ROWS
    return Law.KEPT


@kernel
def broken_gauge(s: Record, f: Record) -> int:
    """Return Law.GAUGES if tokens other than the last of a full gauge have moved since the turn began, else KEPT."""
    for place in range(m.PLACES):
        fixed = min(s.seen_boxes[place], f.gauge[s.board[place]] - 1)
        if fixed > 0:
            left = (1 << (3 * fixed)) - 1
            if s.gauge[place] & left != s.seen_gauge[place] & left:
                return Law.GAUGES
    return Law.KEPT


@kernel
def broken_course(s: Record, f: Record) -> int:
    """Return the broken Law on requests in Daily rows, the length of the game, or VP beyond their tokens, or KEPT."""
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
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill in, by Piece: goods not in stock, dispatch workers and shares in use, workers not in stock, VP tokens."""
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


RULES = STORY.make_rules(
    deal=None,  # the set-up ends with choices
    box=make_box,
    roomy=True,
    effort=32,
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
    ask=partial(answer_question, QUESTIONS),
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
