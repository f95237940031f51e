"""Scores: market shares, final-scoring skills, places; and how good a state looks to a seat."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.moves import Grade, Lid, Op, Reading
from generator.games.xanadu.stock import daily_card, earn, goods_at, holder, lids_off

# ---------------------------------------------------------------------------------------------------------------------
# Market shares


@kernel
def ranked(s: Record, place: int, rank: int) -> int:
    """The seat of a rank (from 0) in an area, -1 for none: more tokens, then whose leftmost is farther left."""
    passed = 0
    best = -1
    for _ in range(rank + 1):
        best, most = -1, 0
        for box in range(s.boxes[place]):
            seat = holder(s, place, box)
            if passed & (1 << seat) == 0 and s.tokens[place * m.SEATS + seat] > most:
                best, most = seat, s.tokens[place * m.SEATS + seat]
        if best < 0:
            return -1
        passed |= 1 << best
    return best


@kernel
def score_majority(s: Record, f: Record, pays: Row) -> None:
    """VP for market shares in every area; `pays` is what its ranks win, by place."""
    for place in range(m.PLACES):
        if s.boxes[place] > 0:
            for rank in range(s.players):
                seat = ranked(s, place, rank)
                if pays[place][rank] > 0 and seat >= 0:
                    earn(s, f, seat, pays[place][rank])


@kernel
def rank_sum(s: Record, f: Record, seat: int) -> int:
    """The sum of a seat's ranks over all areas but the Port; the reading E29 says what counts without a token."""
    total = 0
    for place in range(m.PLACES):
        if place != f.port:
            rank, here = 0, -1
            while rank < s.players and here != seat:
                here = ranked(s, place, rank)
                if here < 0:
                    break
                rank += 1
            if here == seat:
                total += rank
            elif f.absent_rank == Reading.PLAYERS:
                total += s.players
            elif f.absent_rank == Reading.NEXT:
                total += rank + 1
    return total


# ---------------------------------------------------------------------------------------------------------------------
# Final-scoring skills


@kernel
def counted(s: Record, f: Record, seat: int, op: int, worth: int, second: int) -> int:
    """What a final-scoring operation is worth to a seat, before its cap."""
    if op == Op.SCORE_STAFF:
        return worth * s.free[seat] + second * lids_off(s, seat, Lid.SKILL)
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
        elif op == Op.SCORE_FIRSTS and ranked(s, place, 0) == seat:
            total += worth
    for n in range(f.landmarks):
        if landmarks & (1 << n):
            total += worth
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
    score_majority(s, f, f.pay_final)


# ---------------------------------------------------------------------------------------------------------------------
# Points and places


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """VP as they stand."""
    for seat in range(s.players):
        points[seat] = s.vp[seat]


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """Most VP first; among equals the lower sum of ranks; those that are still equal share their place."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if s.vp[other] > s.vp[seat] or (s.vp[other] == s.vp[seat] and rank_sum(s, f, other) < rank_sum(s, f, seat)):
                places[seat] += 1


# ---------------------------------------------------------------------------------------------------------------------
# What greedy bots go by


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """VP with what the final scoring would add now, and how far goods have come; a VP counts 60."""
    total = 60 * s.vp[seat]
    if s.over:
        return total
    total += 40 * final_skills(s, f, seat) + 8 * s.free[seat]
    for place in range(m.PLACES):
        tokens = s.tokens[place * m.SEATS + seat]
        if tokens > 0:  # else it has no rank there
            for rank in range(2):
                if ranked(s, place, rank) == seat:
                    vp = f.pay_final[place][rank] + (f.pay_interim[place][rank] if s.round <= f.interim else 0)
                    total += 40 * vp
            total += 10 * tokens
    if s.seat == seat and s.gains == 0:
        total += 20 * s.left
    return total + goods_value(s, f, seat) + prospects(s, f, seat)


@kernel
def goods_value(s: Record, f: Record, seat: int) -> int:
    """Goods by grade, the fourth and later ones of the lowest grade at the Port counting little."""
    total = 0
    for place in range(m.PLACES):
        if s.load[seat * m.PLACES + place] > 0:
            at = goods_at(seat, place)
            total += 12 * min(s.goods[at], 4) + 4 * max(s.goods[at] - 4, 0)
            total += 40 * s.goods[at + Grade.FINE] + 80 * s.goods[at + Grade.SUPERB]
    return total


@kernel
def prospects(s: Record, f: Record, seat: int) -> int:
    """The best requests open to the seat, as far as their goods lie together in an area that asks for them.

    Where it has no goods nothing is worth more than 0, so that such areas are passed over.
    """
    best = second = 0
    for n in range(f.market_n + f.daily_n):
        row = n - f.market_n
        card = s.market[n] if row < 0 else daily_card(s, seat, row)
        if card >= 0:
            worth, kinds = 0, f.type[card]
            for place in range(m.PLACES):
                if s.load[seat * m.PLACES + place] > 0 and kinds & f.icons[s.board[place]] and place != f.port:
                    worth = max(worth, prospect(s, f, seat, card, place))
            if row >= 0 and s.up[seat] & (1 << row) == 0:
                worth = worth // 2
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
    return best + second // 2


@kernel
def prospect(s: Record, f: Record, seat: int, card: int, place: int) -> int:
    """How much of a request's goods lie in an area where it can be fulfilled, as a part of its VP."""
    at = goods_at(seat, place)
    superb = s.goods[at + Grade.SUPERB]
    fine = superb + s.goods[at + Grade.FINE]
    all_goods = s.load[seat * m.PLACES + place]
    there = min(superb, f.asks_superb[card]) + min(fine, f.asks_fine[card]) + min(all_goods, f.asks[card])
    asked = f.asks_superb[card] + f.asks_fine[card] + f.asks[card]
    return 40 * f.vp[card] * there * there // (asked * asked) - 3 * f.zone[place]
