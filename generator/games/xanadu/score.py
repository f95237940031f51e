"""Scores: market shares, final-scoring skills, places."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.moves import Grade, Lid, Op, Reading
from generator.games.xanadu.stock import earn, goods_at, holder, lids_off

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
