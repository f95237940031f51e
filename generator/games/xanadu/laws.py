"""What must hold between turns whatever is played, and how many pieces are in use."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.moves import Law, Phase, Piece, Reading
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
