"""The stock of Forwarder of Xanadu: goods, workers, shares, cards, and scores."""

from generator.rules.engine.kernel import Record, Row, kernel, next_chances, shuffle, take_at
from generator.rules.xanadu import state as m
from generator.rules.xanadu.state import Action, Chance, Grade, Hole, Lid, Op, Piece, Tier

BOUNDLESS = 1000
"""A number above the capacity of any warehouse."""


@kernel
def meet_hole(s: Record, hole: int) -> None:
    """Record a hole in the rules; only the first one is stored."""
    if s.hole == Hole.NONE:
        s.hole = hole


# Goods


@kernel
def goods_at(seat: int, place: int) -> int:
    """Return the index of a warehouse's goods in `s.goods`."""
    return (seat * m.PLACES + place) * m.GRADES


@kernel
def count_room(s: Record, f: Record, seat: int, place: int) -> int:
    """Return how many more resources a warehouse holds."""
    load = s.load[seat * m.PLACES + place]
    if place != f.port:
        return s.limit[seat] - load
    if f.port_limit_by_warehouse:
        return f.port_limits[lids_off(s, seat, Lid.WAREHOUSE)] - load
    return BOUNDLESS


@kernel
def put_goods(s: Record, seat: int, place: int, grade: int, number: int) -> None:
    """Put goods into a warehouse; a negative number takes them out."""
    warehouse = seat * m.PLACES + place
    s.goods[warehouse * m.GRADES + grade] += number
    s.load[warehouse] += number


@kernel
def draw_goods(s: Record, f: Record, grade: int, wanted: int) -> int:
    """Take `wanted` goods of a grade out of the stock, or as many as there are (E06); return how many."""
    got = wanted
    if s.stock[grade] < wanted:
        s.short[grade] += 1
        if grade != Grade.NORMAL or f.normal_shortage_partial:
            got = max(s.stock[grade], 0)
    s.stock[grade] -= got
    if grade == Grade.NORMAL:
        s.least_normals = min(s.least_normals, s.stock[grade])
    return got


@kernel
def gain_goods(s: Record, f: Record, seat: int, grade: int, number: int) -> None:
    """Put up to `number` goods of a grade into the seat's Port, as far as the stock and the warehouse there allow."""
    fits = min(number, max(count_room(s, f, seat, f.port), 0))
    put_goods(s, seat, f.port, grade, draw_goods(s, f, grade, fits))


@kernel
def give_back(s: Record, seat: int, place: int, grade: int, number: int) -> None:
    """Put goods from a warehouse back into the stock."""
    put_goods(s, seat, place, grade, -number)
    s.stock[grade] += number


# VP, dispatch workers, shares


@kernel
def earn_vp(s: Record, f: Record, seat: int, vp: int) -> None:
    """Give VP to a seat, in as few tokens as possible."""
    old, new = s.vp[seat], s.vp[seat] + vp
    s.vp[seat] = new
    for n in range(f.coin_kinds - 1, -1, -1):
        value = f.coin[n]
        paid = new // value - old // value
        new, old = new % value, old % value
        s.coins[n] += paid
        if paid > 0 and s.coins[n] > f.coin_count[n]:  # a guard for other data: the tokens last up to 149 VP each
            s.short[Piece.COIN + n] += 1


@kernel
def pay_dispatch(s: Record, seat: int, number: int) -> None:
    """Put dispatch workers of a seat back into the stock."""
    s.dispatch[seat] -= number
    s.dispatch_stock += number


@kernel
def find_holder(s: Record, place: int, box: int) -> int:
    """Return the seat whose token is in a box of a gauge, or -1 if there is none."""
    return ((s.gauge[place] >> (3 * box)) & 7) - 1


@kernel
def lay_token(s: Record, f: Record, place: int, box: int, seat: int) -> None:
    """Lay a share token from hand on a free box of a gauge."""
    s.gauge[place] += (seat + 1) << (3 * box)
    s.tokens[place * m.SEATS + seat] += 1
    s.shares[seat] -= 1
    s.most_shares = max(s.most_shares, f.start_shares - s.shares[seat])


@kernel
def place_share(s: Record, f: Record, seat: int, place: int) -> None:
    """Lay a share token on the leftmost free box, or on the last one of a full gauge; do nothing without a token."""
    boxes = f.gauge[s.board[place]]
    if boxes == 0:
        return
    if s.shares[seat] == 0:
        s.short[Piece.SHARE] += 1
        return
    if s.boxes[place] == boxes:  # push the last token out, back into its owner's hand
        owner = find_holder(s, place, boxes - 1)
        s.gauge[place] -= (owner + 1) << (3 * (boxes - 1))
        s.tokens[place * m.SEATS + owner] -= 1
        s.shares[owner] += 1
        s.pushed += 1
    else:
        s.boxes[place] += 1
    lay_token(s, f, place, s.boxes[place] - 1, seat)


# Rows of the action board


@kernel
def stand_worker(s: Record, row: int, piece: int) -> None:
    """Put a worker on the leftmost free space of a row; `piece` is its seat, or m.DISPATCHED."""
    s.rows[row * m.SPACES + s.row_n[row]] = piece
    s.row_n[row] += 1


@kernel
def empty_row(s: Record, row: int) -> None:
    """Put all workers in a row back into the stock."""
    for space in range(row * m.SPACES, row * m.SPACES + s.row_n[row]):
        piece = take_at(s.rows, space)
        if piece == m.DISPATCHED:
            s.dispatch_stock += 1
        else:
            s.reserve[piece] += 1
    s.row_n[row] = 0


@kernel
def empty_full_rows(s: Record, f: Record) -> None:
    """Empty full rows: at the end of each turn, and at once after dispatch workers (E08).

    With the reading "board" (E07), one full row empties them all.
    """
    full = 0
    for row in range(m.ROWS):
        if s.row_n[row] == f.row_len[row]:
            full |= 1 << row
    if full:
        for row in range(m.ROWS):
            if f.reset_scope_board or full & (1 << row):
                empty_row(s, row)


# Requests


@kernel
def daily_card(s: Record, seat: int, n: int) -> int:
    """Return request `n` (from 0) of a seat's Daily row, or -1 if there is none."""
    return s.daily[seat * m.DAILY_MOST + n]


@kernel
def all_daily(s: Record, f: Record, seat: int) -> int:
    """Return the cards of a Daily row, as bits; the Daily card is the last."""
    there = 0 if f.daily_model_none else 1 << f.daily_n
    for n in range(f.daily_n):
        if daily_card(s, seat, n) >= 0:
            there |= 1 << n
    return there


@kernel
def draw_request(s: Record, f: Record, tier: int) -> int:
    """Take and return the next request of a tier, after a reshuffle if the deck is empty; -1 if there is none."""
    bottom = tier * f.cards
    if s.deck_n[tier] == 0:
        for n in range(bottom, bottom + s.gone_n[tier]):
            s.deck[n] = take_at(s.gone, n)
        s.deck_n[tier], s.gone_n[tier] = s.gone_n[tier], 0
        if s.deck_n[tier] == 0:
            return -1  # a guard for other data: of our requests some are always in the deck or on the discards
        s.mixed += 1
        shuffle(next_chances(s.rng, Chance.REQUESTS + tier), s.deck, bottom, bottom + s.deck_n[tier])
    s.deck_n[tier] -= 1
    return take_at(s.deck, bottom + s.deck_n[tier])


@kernel
def discard_request(s: Record, f: Record, card: int) -> None:
    """Put a request on the discards of its tier."""
    tier = f.tier[card]
    s.gone[tier * f.cards + s.gone_n[tier]] = card
    s.gone_n[tier] += 1


@kernel
def fill_slot(s: Record, f: Record, slot: int) -> None:
    """Fill a vacant slot of the Market with a request of its tier, if there is one."""
    s.market[slot] = draw_request(s, f, Tier.LOWER if slot < f.market_lower else Tier.UPPER)


@kernel
def fill_market(s: Record, f: Record) -> None:
    """Fill every vacant slot of the Market; one that stays vacant is a hole in the rules."""
    for slot in range(f.market_n):
        if s.market[slot] < 0:
            fill_slot(s, f, slot)
            if s.market[slot] < 0:
                meet_hole(s, Hole.MARKET)  # a guard, as in `draw_request`


@kernel
def replace_card(s: Record, f: Record, slot: int) -> None:
    """Discard a request of the Market and fill its slot at once; by a reading (E21) all vacant ones, too."""
    discard_request(s, f, s.market[slot])
    fill_slot(s, f, slot)
    if f.research_refill_all_vacant:
        fill_market(s, f)


# What a company's growth is worth


@kernel
def lids_off(s: Record, seat: int, row: int) -> int:
    """Return the number of lids off a row of a company board."""
    return s.lids[seat * m.LID_ROWS + row]


@kernel
def recount_company(s: Record, f: Record, seat: int) -> None:
    """Recompute what a company's lids and skills allow: limit, load, additional actions, upgrades anywhere."""
    strength, rows = lids_off(s, seat, Lid.TRANSPORT), seat * m.ROWS
    s.limit[seat] = f.limit[lids_off(s, seat, Lid.WAREHOUSE)]
    s.carry[seat] = f.carry[strength]
    s.more[rows + Action.FULFIL] = 0
    s.more[rows + Action.TRANSPORT] = f.more_transport[strength] if f.transport_level2_extra_action else 0
    s.more[rows + Action.UPGRADE] = f.more_upgrade[lids_off(s, seat, Lid.QUALITY)]
    s.anywhere[seat] = 0
    skills = s.placed[seat] & f.passive_mask
    for skill in range(f.skills if skills else 0):
        if skills & (1 << skill):
            for n in range(f.effects[skill]):
                op, number = f.op[skill][n], f.op_n[skill][n]
                if op == Op.MORE_ACTIONS:
                    s.more[rows + f.op_a[skill][n]] += number
                elif op == Op.CARRY_MORE:
                    s.carry[seat] += number
                elif op == Op.HOLD_MORE:
                    s.limit[seat] += number
                elif op == Op.UPGRADE_ANYWHERE:
                    s.anywhere[seat] = 1


@kernel
def restock_of(s: Record, f: Record, seat: int) -> int:
    """Return the normal resources that a seat gets at the end of a round, without those from skills."""
    number: int = f.base_restock + f.restock[lids_off(s, seat, Lid.WAREHOUSE)]
    if f.transport_level2_restock and lids_off(s, seat, Lid.TRANSPORT) == f.lids[Lid.TRANSPORT]:
        number += f.transport_restock
    return number


# Market shares


@kernel
def find_ranked_seat(s: Record, place: int, rank: int) -> int:
    """Return the seat of a rank (from 0) in an area, or -1: more tokens first, then the leftmost token."""
    passed = 0
    best = -1
    for _ in range(rank + 1):
        best, most = -1, 0
        for box in range(s.boxes[place]):
            seat = find_holder(s, place, box)
            if passed & (1 << seat) == 0 and s.tokens[place * m.SEATS + seat] > most:
                best, most = seat, s.tokens[place * m.SEATS + seat]
        if best < 0:
            return -1
        passed |= 1 << best
    return best


@kernel
def score_majority(s: Record, f: Record, pays: Row) -> None:
    """Give VP for market shares in every area; `pays` contains the pay of ranks, by place."""
    for place in range(m.PLACES):
        if s.boxes[place] > 0:
            for rank in range(s.players):
                seat = find_ranked_seat(s, place, rank)
                if pays[place][rank] > 0 and seat >= 0:
                    earn_vp(s, f, seat, pays[place][rank])


@kernel
def rank_sum(s: Record, f: Record, seat: int) -> int:
    """Return the sum of a seat's ranks over all areas but the Port; reading E29 sets the rank without a token."""
    total = 0
    for place in range(m.PLACES):
        if place != f.port:
            rank, here = 0, -1
            while rank < s.players and here != seat:
                here = find_ranked_seat(s, place, rank)
                if here < 0:
                    break
                rank += 1
            if here == seat:
                total += rank
            elif f.absent_rank_players:
                total += s.players
            elif f.absent_rank_next:
                total += rank + 1
    return total


# Final-scoring skills


@kernel
def count_worth(s: Record, f: Record, seat: int, op: int, worth: int, second: int) -> int:
    """Return the uncapped VP of scoring operation `op`: `worth` for each item, `second` for those of a second sort."""
    if op == Op.SCORE_STAFF:
        return worth * s.dispatch[seat] + second * lids_off(s, seat, Lid.SKILL)
    total, landmarks = 0, 0
    for place in range(m.PLACES):
        present = s.tokens[place * m.SEATS + seat] > 0
        if op == Op.SCORE_AREAS and present:
            total += worth
        elif op == Op.SCORE_LANDMARKS and present:
            landmarks |= f.landmark[s.board[place]]
        elif op == Op.SCORE_GOODS and place != f.port:
            total += worth * s.load[seat * m.PLACES + place]
        elif op == Op.SCORE_GRADES:
            at = goods_at(seat, place)
            total += worth * s.goods[at + Grade.FINE] + second * s.goods[at + Grade.SUPERB]
        elif op == Op.SCORE_FIRSTS and find_ranked_seat(s, place, 0) == seat:
            total += worth
    for n in range(f.landmarks):
        if landmarks & (1 << n):
            total += worth
    return total


@kernel
def final_skill(s: Record, f: Record, seat: int, skill: int) -> int:
    """Return the VP of a final-scoring skill, with its cap; the skill of a company is `f.skills` + company."""
    total = 0
    for n in range(f.effects[skill]):
        total += min(count_worth(s, f, seat, f.op[skill][n], f.op_a[skill][n], f.op_b[skill][n]), f.op_n[skill][n])
    return total


@kernel
def final_skills(s: Record, f: Record, seat: int) -> int:
    """Return the VP of a seat's company and of its skill cards at the final scoring."""
    total = final_skill(s, f, seat, f.skills + s.company[seat])
    mask = s.placed[seat] & f.final_mask
    for skill in range(f.skills):
        if mask & (1 << skill):
            total += final_skill(s, f, seat, skill)
    return total


# Points and places


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill `points` with each seat's present VP."""
    for seat in range(s.players):
        points[seat] = s.vp[seat]


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in places: most VP first; among equals the lower sum of ranks; seats still equal share their place."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if s.vp[other] > s.vp[seat] or (s.vp[other] == s.vp[seat] and rank_sum(s, f, other) < rank_sum(s, f, seat)):
                places[seat] += 1
