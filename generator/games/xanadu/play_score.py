"""Scores of draft 18 as kernels: market shares, final-scoring skills, places, supplies in use, laws."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_codes import (
    GRADES,
    HIRED,
    IGNORED,
    LAW_COINS,
    LAW_DAILY,
    LAW_GAUGES,
    LAW_LENGTH,
    LAW_LIMITS,
    LAW_PIECES,
    LAW_ROWS,
    LAW_VP,
    LID_ROWS,
    OP_AREAS,
    OP_FIRSTS,
    OP_GOODS,
    OP_GRADES,
    OP_LANDMARKS,
    PLACES,
    PLAYERS_LAST,
    PRE,
    ROWS,
    SEATS,
    SKILL,
    SPACES,
    SUP_COINS,
    SUP_DISPATCH,
    SUP_SHARE,
    SUP_WORKER,
)
from generator.games.xanadu.play_stock import earn


@kernel
def ranked(s: Record, place: int, rank: int) -> int:
    """The seat of a rank (from 0) in an area, -1 for none: more tokens, then whose leftmost is farther left."""
    taken = 0
    best = -1
    for _ in range(rank + 1):
        best, most = -1, 0
        for n in range(s.boxes[place]):
            seat = ((s.gauge[place] >> (3 * n)) & 7) - 1
            if taken & (1 << seat) == 0 and s.tokens[place * SEATS + seat] > most:
                best, most = seat, s.tokens[place * SEATS + seat]
        if best < 0:
            return -1
        taken |= 1 << best
    return best


@kernel
def score_majority(s: Record, f: Record, final: int) -> None:
    """VP for market shares in every area, as the interim or the final scoring pays."""
    for place in range(PLACES):
        if s.boxes[place] > 0:
            for rank in range(s.players):
                vp = f.pay_final[place][rank] if final else f.pay_interim[place][rank]
                seat = ranked(s, place, rank)
                if vp > 0 and seat >= 0:
                    earn(s, f, seat, vp)


@kernel
def counted(s: Record, f: Record, seat: int, op: int, worth: int, second: int) -> int:
    """What a final-scoring operation is worth to a seat, before its cap."""
    total, landmarks = 0, 0
    for place in range(PLACES):
        at = (seat * PLACES + place) * GRADES
        if op == OP_AREAS:
            total += worth if s.tokens[place * SEATS + seat] > 0 else 0
        elif op == OP_GOODS:
            total += worth * s.load[seat * PLACES + place] if place != f.port else 0
        elif op == OP_GRADES:
            total += worth * s.goods[at + 1] + second * s.goods[at + 2]
        elif op == OP_LANDMARKS:
            landmarks |= f.landmark[s.board[place]] if s.tokens[place * SEATS + seat] > 0 else 0
        elif op == OP_FIRSTS:
            total += worth if ranked(s, place, 0) == seat else 0
    if op == OP_LANDMARKS:
        for n in range(f.landmarks):
            total += worth if landmarks & (1 << n) else 0
    elif op not in (OP_AREAS, OP_GOODS, OP_GRADES, OP_FIRSTS):
        total = worth * s.free[seat] + second * s.lids[seat * LID_ROWS + SKILL]
    return total


@kernel
def final_skill(s: Record, f: Record, seat: int, skill: int) -> int:
    """The VP of a final-scoring skill, with its cap."""
    total = 0
    for n in range(f.effects[skill]):
        total += min(counted(s, f, seat, f.op[skill][n], f.op_a[skill][n], f.op_b[skill][n]), f.op_n[skill][n])
    return total


@kernel
def final_skills(s: Record, f: Record, seat: int) -> int:
    """The VP of a seat's company and of its skill cards at the final scoring."""
    if s.company[seat] < 0:
        return 0
    total = final_skill(s, f, seat, f.skills + s.company[seat])
    mask = s.placed[seat] & f.final_mask
    for skill in range(f.skills):
        if mask & (1 << skill):
            total += final_skill(s, f, seat, skill)
    return total


@kernel
def score_final(s: Record, f: Record) -> None:
    """The company's skill, final skill cards, then market shares."""
    for seat in range(s.players):
        earn(s, f, seat, final_skills(s, f, seat))
    score_majority(s, f, 1)


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """VP as they stand."""
    for seat in range(s.players):
        points[seat] = s.vp[seat]


@kernel
def rank_sum(s: Record, f: Record, seat: int) -> int:
    """The sum of a seat's ranks over all areas but the Port; the reading E29 says what counts without a token."""
    total = 0
    for place in range(PLACES):
        if place != f.port:
            rank, here = 0, -1
            while rank < s.players and here != seat:
                here = ranked(s, place, rank)
                if here < 0:
                    break
                rank += 1
            if here == seat:
                total += rank
            elif f.absent_rank == PLAYERS_LAST:
                total += s.players
            elif f.absent_rank != IGNORED:
                total += rank + 1
    return total


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """Most VP first; among equals the lower sum of ranks; those that are still equal share their place."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if s.vp[other] > s.vp[seat] or (s.vp[other] == s.vp[seat] and rank_sum(s, f, other) < rank_sum(s, f, seat)):
                places[seat] += 1


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Goods in warehouses, dispatch workers and shares that are out, workers not in the stock, VP tokens."""
    for grade in range(GRADES):
        taken[grade] = f.goods_total[grade] - s.stock[grade]
    taken[SUP_DISPATCH] = f.dispatch_total - s.crew
    shares, workers = 0, 0
    for seat in range(s.players):
        if s.company[seat] >= 0:
            shares += f.start_shares - s.shares[seat]
            workers += f.company_workers - s.reserve[seat]
    taken[SUP_SHARE], taken[SUP_WORKER] = shares, workers
    for n in range(len(f.coin)):
        taken[SUP_COINS + n] = s.coins[n]


@kernel
def broken(s: Record, f: Record) -> int:
    """The first law that does not hold; all are looked at between turns, when nothing is half done."""
    if s.phase != PRE and s.over == 0:
        return 0
    if s.round == 0:
        return 0
    for grade in range(GRADES):
        there = s.stock[grade]
        for warehouse in range(s.players * PLACES):
            there += s.goods[warehouse * GRADES + grade]
        if there != f.goods_total[grade] or (s.stock[grade] < 0 and f.normal_shortage == 0):
            return LAW_PIECES
    hired, full = s.crew, 0
    for row in range(ROWS):
        full |= 1 if s.row_n[row] >= f.row_len[row] else 0
        for n in range(s.row_n[row]):
            hired += 1 if s.rows[row * SPACES + n] == HIRED else 0
    law = broken_by_seat(s, f, hired)
    if law > 0:
        return law
    if full and s.used == 0 and s.chosen == 0 and f.dispatch_fill != 1:
        return LAW_ROWS
    law = broken_gauge(s, f)
    return law if law > 0 else broken_course(s, f)


@kernel
def broken_by_seat(s: Record, f: Record, hired: int) -> int:
    """Workers, shares, dispatch workers, limits and VP of the companies; `hired` are those in rows and in the stock."""
    for seat in range(s.players):
        workers, shares = s.hands[seat] + s.reserve[seat], s.shares[seat]
        for row in range(ROWS):
            for n in range(s.row_n[row]):
                workers += 1 if s.rows[row * SPACES + n] == seat else 0
        hired += s.free[seat] + f.lids_all
        for lid in range(LID_ROWS):
            hired -= s.lids[seat * LID_ROWS + lid]
        for here in range(PLACES):
            shares += s.tokens[here * SEATS + seat]
            load = s.load[seat * PLACES + here]
            if load < 0 or (here != f.port and load > s.limit[seat]):
                return LAW_LIMITS
        if workers != f.company_workers or shares != f.start_shares or s.free[seat] < 0:
            return LAW_PIECES
        if s.vp[seat] < s.seen_vp[seat]:
            return LAW_VP
    return 0 if hired == f.dispatch_total else LAW_PIECES


@kernel
def broken_gauge(s: Record, f: Record) -> int:
    """Whether tokens other than the last of a full gauge have moved since the turn began."""
    for here in range(PLACES):
        fixed = min(s.seen_boxes[here], f.gauge[s.board[here]] - 1)
        if fixed > 0:
            mask = (1 << (3 * fixed)) - 1
            if s.gauge[here] & mask != s.seen_gauge[here] & mask:
                return LAW_GAUGES
    return 0


@kernel
def broken_course(s: Record, f: Record) -> int:
    """Whether Daily rows have other requests than at first, games last too long, or VP are more than their tokens."""
    for seat in range(s.players):
        for n in range(f.daily_n):
            if f.daily_model == 0 and s.daily[seat * 3 + n] != s.dealt[seat * 3 + n]:
                return LAW_DAILY
        if s.turns[seat] - s.passes[seat] > f.most_turns:
            return LAW_LENGTH
    if s.over and s.round != f.rounds:
        return LAW_LENGTH
    for n in range(len(f.coin)):
        if s.coins[n] > f.coin_count[n]:
            return LAW_COINS
    return 0


@kernel
def remember(s: Record) -> None:
    """Keeps what the laws compare with: gauges and VP at the end of a turn."""
    for here in range(PLACES):
        s.seen_gauge[here], s.seen_boxes[here] = s.gauge[here], s.boxes[here]
    for seat in range(s.players):
        s.seen_vp[seat] = s.vp[seat]
