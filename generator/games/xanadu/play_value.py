"""How good a state of draft 18 looks to a seat, as kernels: VP, shares, and goods on their way to requests."""

from generator.games.engine.kernel import Record, kernel
from generator.games.xanadu.play_codes import GRADES, PLACES, ROW_SOURCE, SEATS
from generator.games.xanadu.play_score import final_skills, ranked


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """VP with what the final scoring would add now, and how far goods have come; a VP counts 60."""
    total = 60 * s.vp[seat]
    if s.over:
        return total  # type: ignore[no-any-return]
    total += 40 * final_skills(s, f, seat) + 8 * s.free[seat]
    for place in range(PLACES):
        for rank in range(2):
            if ranked(s, place, rank) == seat:
                vp = f.pay_final[place][rank] + (f.pay_interim[place][rank] if s.round <= f.interim else 0)
                total += 40 * vp
        total += 10 * s.tokens[place * SEATS + seat]
    if s.seat == seat and s.gains == 0:
        total += 20 * s.left
    return total + goods_value(s, f, seat) + prospects(s, f, seat)  # type: ignore[no-any-return]


@kernel
def goods_value(s: Record, f: Record, seat: int) -> int:
    """Goods by grade, the fourth and later ones of the lowest grade at the Port counting little."""
    total = 0
    for place in range(PLACES):
        at = (seat * PLACES + place) * GRADES
        total += 12 * min(s.goods[at], 4) + 4 * max(s.goods[at] - 4, 0) + 40 * s.goods[at + 1] + 80 * s.goods[at + 2]
    return total


@kernel
def prospects(s: Record, f: Record, seat: int) -> int:
    """The best requests open to the seat, as far as their goods lie together in an area that asks for them."""
    best = second = 0
    for source in range(ROW_SOURCE + f.daily_n):
        if source < f.market_n or source >= ROW_SOURCE:
            card = s.market[source] if source < f.market_n else s.daily[seat * 3 + source - ROW_SOURCE]
            if card >= 0:
                worth = 0
                for place in range(PLACES):
                    worth = max(worth, prospect(s, f, seat, card, place))
                if source >= ROW_SOURCE and s.up[seat] & (1 << (source - ROW_SOURCE)) == 0:
                    worth = worth // 2
                if worth > best:
                    best, second = worth, best
                elif worth > second:
                    second = worth
    return best + second // 2


@kernel
def prospect(s: Record, f: Record, seat: int, card: int, place: int) -> int:
    """How much of a request's goods lie in an area, as a part of its VP; nothing where it can't be fulfilled."""
    if place == f.port or f.type[card] & f.icons[s.board[place]] == 0:
        return 0
    at = (seat * PLACES + place) * GRADES
    superb = s.goods[at + 2]
    fine = superb + s.goods[at + 1]
    there = (
        min(superb, f.asks_superb[card])
        + min(fine, f.asks_fine[card])
        + min(s.load[seat * PLACES + place], f.asks[card])
    )
    asked = f.asks_superb[card] + f.asks_fine[card] + f.asks[card]
    return 40 * f.vp[card] * there * there // (asked * asked) - 3 * f.zone[place]  # type: ignore[no-any-return]
