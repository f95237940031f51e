"""What moves between the stock and the companies: goods, VP, workers, shares, cards of the Market; as kernels."""

from generator.games.engine.kernel import Record, kernel, shuffle
from generator.games.xanadu.play_codes import (
    BY_VP,
    GRADES,
    HIRED,
    HOLE_MARKET,
    LEVEL2_RESTOCK,
    OP_ANYWHERE,
    OP_CARRY,
    OP_HOLD,
    OP_MORE,
    PLACES,
    QUALITY,
    ROWS,
    SEATS,
    SPACES,
    STRENGTH,
    SUP_COINS,
    SUP_DISPATCH,
    SUP_SHARE,
    TRANSPORT,
    UPGRADE,
    WAREHOUSE,
)


@kernel
def room(s: Record, f: Record, seat: int, place: int) -> int:
    """How many more resources a warehouse holds."""
    if place == f.port:
        if f.port_limit == 0:
            return 1000
        return f.port_limits[s.lids[seat * 5 + WAREHOUSE]] - s.load[seat * PLACES + place]  # type: ignore[no-any-return]
    return s.limit[seat] - s.load[seat * PLACES + place]  # type: ignore[no-any-return]


@kernel
def put_goods(s: Record, seat: int, place: int, grade: int, number: int) -> None:
    """Goods come into a warehouse; a negative number leaves it."""
    s.goods[(seat * PLACES + place) * GRADES + grade] += number
    s.load[seat * PLACES + place] += number


@kernel
def draw_goods(s: Record, f: Record, grade: int, wanted: int) -> int:
    """Takes goods of a grade out of the stock, as many as there are (E06); answers how many."""
    got = wanted
    if s.stock[grade] < wanted:
        s.short[grade] += 1
        if grade > 0 or f.normal_shortage == 0:
            got = max(s.stock[grade], 0)
    s.stock[grade] -= got
    if grade == 0:
        s.least_normals = min(s.least_normals, s.stock[0])
    return got


@kernel
def gain(s: Record, f: Record, seat: int, grade: int, number: int) -> None:
    """Goods of a grade come to the Port, as far as the stock and the warehouse there allow."""
    fits = min(number, max(room(s, f, seat, f.port), 0))
    put_goods(s, seat, f.port, grade, draw_goods(s, f, grade, fits))


@kernel
def give_back(s: Record, seat: int, place: int, grade: int, number: int) -> None:
    """Goods go from a warehouse to the stock."""
    put_goods(s, seat, place, grade, -number)
    s.stock[grade] += number


@kernel
def earn(s: Record, f: Record, seat: int, vp: int) -> None:
    """VP for a seat, in as few tokens as possible."""
    old, new = s.vp[seat], s.vp[seat] + vp
    s.vp[seat] = new
    for n in range(len(f.coin) - 1, -1, -1):
        value = f.coin[n]
        paid = new // value - old // value
        new, old = new % value, old % value
        s.coins[n] += paid
        if paid > 0 and s.coins[n] > f.coin_count[n]:
            s.short[SUP_COINS + n] += 1


@kernel
def hire(s: Record, seat: int, number: int) -> None:
    """Dispatch workers from the stock, as many as there are."""
    got = number
    if s.crew < number:
        s.short[SUP_DISPATCH] += 1
        got = s.crew
    s.crew -= got
    s.least_crew = min(s.least_crew, s.crew)
    s.free[seat] += got


@kernel
def pay_dispatch(s: Record, seat: int, number: int) -> None:
    """Dispatch workers go back to the stock."""
    s.free[seat] -= number
    s.crew += number


@kernel
def place_share(s: Record, f: Record, seat: int, place: int) -> None:
    """A share token on the leftmost free box; on a full gauge it takes the last one's place. None in hand: nothing."""
    boxes = f.gauge[s.board[place]]
    if boxes == 0:
        return
    if s.shares[seat] == 0:
        s.short[SUP_SHARE] += 1
        return
    at = s.boxes[place]
    if at == boxes:
        at -= 1
        out = ((s.gauge[place] >> (3 * at)) & 7) - 1
        s.gauge[place] -= (out + 1) << (3 * at)
        s.tokens[place * SEATS + out] -= 1
        s.shares[out] += 1
        s.pushed += 1
    else:
        s.boxes[place] += 1
    s.gauge[place] += (seat + 1) << (3 * at)
    s.tokens[place * SEATS + seat] += 1
    s.shares[seat] -= 1
    s.most_shares = max(s.most_shares, f.start_shares - s.shares[seat])


@kernel
def empty_row(s: Record, row: int) -> None:
    """All that stands in a row goes to the stock."""
    for n in range(s.row_n[row]):
        piece = s.rows[row * SPACES + n]
        s.rows[row * SPACES + n] = 0
        if piece == HIRED:
            s.crew += 1
        else:
            s.reserve[piece] += 1
    s.row_n[row] = 0


@kernel
def empty_full_rows(s: Record, f: Record) -> None:
    """Full rows are emptied; with the reading "board" (E07) one full row empties them all."""
    full = 0
    for row in range(ROWS):
        if s.row_n[row] == f.row_len[row]:
            full |= 1 << row
    if full and f.reset_scope == 1:
        full = (1 << ROWS) - 1
    for row in range(ROWS):
        if full & (1 << row):
            empty_row(s, row)


@kernel
def draw_request(s: Record, f: Record, tier: int) -> int:
    """The next request of a tier, after mixing its discards if the deck is empty; -1 if there is none at all."""
    if s.deck_n[tier] == 0:
        for n in range(s.gone_n[tier]):
            s.deck[tier * f.cards + n] = s.gone[tier * f.cards + n]
            s.gone[tier * f.cards + n] = 0
        s.deck_n[tier] = s.gone_n[tier]
        s.gone_n[tier] = 0
        if s.deck_n[tier] == 0:
            return -1
        s.mixed += 1
        shuffle(s.rng, s.deck, tier * f.cards, tier * f.cards + s.deck_n[tier])
    s.deck_n[tier] -= 1
    at = tier * f.cards + s.deck_n[tier]
    card: int = s.deck[at]
    s.deck[at] = 0
    return card


@kernel
def discard(s: Record, f: Record, card: int) -> None:
    """A request goes to the discards of its tier."""
    tier = f.tier[card]
    s.gone[tier * f.cards + s.gone_n[tier]] = card
    s.gone_n[tier] += 1


@kernel
def fill_market(s: Record, f: Record) -> None:
    """Every vacant slot of the Market gets a request of its tier."""
    for slot in range(f.market_n):
        if s.market[slot] < 0:
            s.market[slot] = draw_request(s, f, 0 if slot < f.market_lower else 1)
            if s.market[slot] < 0 and s.hole == 0:
                s.hole = HOLE_MARKET


@kernel
def replace_card(s: Record, f: Record, slot: int) -> None:
    """A request of the Market is discarded and its slot filled at once; by a reading (E21) all vacant ones too."""
    discard(s, f, s.market[slot])
    s.market[slot] = draw_request(s, f, 0 if slot < f.market_lower else 1)
    if f.research_refill == 1:
        fill_market(s, f)


@kernel
def recount(s: Record, f: Record, seat: int) -> None:
    """What a company's lids and skills are worth now."""
    off = seat * 5
    s.limit[seat] = f.limit[s.lids[off + WAREHOUSE]]
    s.carry[seat] = f.carry[s.lids[off + STRENGTH]]
    s.more[seat * ROWS] = 0
    s.more[seat * ROWS + TRANSPORT] = f.more_transport[s.lids[off + STRENGTH]] if f.transport_level2 == 0 else 0
    s.more[seat * ROWS + UPGRADE] = f.more_upgrade[s.lids[off + QUALITY]]
    s.anywhere[seat] = 0
    for skill in range(f.skills):
        if s.placed[seat] & f.passive_mask & (1 << skill):
            for n in range(f.effects[skill]):
                op, number = f.op[skill][n], f.op_n[skill][n]
                if op == OP_MORE:
                    s.more[seat * ROWS + f.op_a[skill][n]] += number
                elif op == OP_CARRY:
                    s.carry[seat] += number
                elif op == OP_HOLD:
                    s.limit[seat] += number
                elif op == OP_ANYWHERE:
                    s.anywhere[seat] = 1


@kernel
def restock_of(s: Record, f: Record, seat: int) -> int:
    """Normal resources at the end of a round, without skills."""
    number: int = f.base_restock + f.restock[s.lids[seat * 5 + WAREHOUSE]]
    if f.transport_level2 == LEVEL2_RESTOCK and s.lids[seat * 5 + STRENGTH] == f.lids[STRENGTH]:
        number += f.transport_restock
    return number


@kernel
def set_order(s: Record, f: Record) -> None:
    """Seats of a round: clockwise from the start player, or by a reading (E52) from the most VP to the fewest."""
    for n in range(s.players):
        seat = (s.start + n) % s.players
        at = n
        if f.start_player == BY_VP:
            while at > 0 and s.vp[s.order[at - 1]] < s.vp[seat]:
                s.order[at] = s.order[at - 1]
                at -= 1
        s.order[at] = seat
