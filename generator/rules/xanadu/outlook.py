"""The outlook of Forwarder of Xanadu: the valuation of states, and prices that follow from the rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count, takewhile
from typing import NamedTuple, TypeAlias

from generator.rules.engine.facts import codes
from generator.rules.engine.kernel import INTERPRETED, Record, kernel
from generator.rules.xanadu import state as m
from generator.rules.xanadu.data import ACTIONS, LIDS, Facts, Growth, Placement, Rows, Space
from generator.rules.xanadu.offers import card_from, find_payment, find_removable, most_load
from generator.rules.xanadu.state import Action, Grade, Lid, Op, Origin, Phase, goods_of
from generator.rules.xanadu.steps import looks_for
from generator.rules.xanadu.stock import (
    daily_card,
    empty_full_rows,
    final_skills,
    goods_at,
    lids_off,
    put_goods,
    stand_worker,
)

# Goods are numbers of resources by grade, from the lowest: (2, 1, 0) is two normal and one fine.

Goods: TypeAlias = tuple[int, ...]


def list_payments(have: Goods, cost: Goods) -> list[Goods]:
    """Return all ways to pay `cost` from `have` (all by grade) with as many resources as the request asks for."""
    s = INTERPRETED.make_record({"goods": have})
    f = INTERPRETED.make_record({"asks": [sum(cost)], "asks_fine": [sum(cost[1:])], "asks_superb": [sum(cost[2:])]})
    ways = takewhile(lambda goods: goods >= 0, (find_payment(s, f, 0, 0, n) for n in count()))
    return [tuple(goods_of(goods, grade) for grade in range(m.GRADES)) for goods in ways]


def find_cheapest(have: Goods, cost: Goods) -> Goods:
    """Return the payment that spends the lowest grades. Raise ValueError if the goods do not suffice."""
    ways = list_payments(have, cost)
    if not ways:
        raise ValueError(f"{have} does not pay for {cost}")
    return min(ways, key=lambda goods: goods[::-1])


def count_steps(cost: Goods, by_grade: Goods) -> int:
    """Return the upgrades that a request needs, whose goods `cost` counts by grade; `by_grade` is those of one good."""
    return sum(number * step for number, step in zip(cost, by_grade, strict=True))


def compute_worth(cost: Goods, by_grade: Goods, further: int) -> int:
    """Return the VP of a request by the formula: VP for each grade, and `further` for each resource after the first."""
    return sum(number * vp for number, vp in zip(cost, by_grade, strict=True)) + further * max(sum(cost) - 1, 0)


def make_change(vp: int, values: Sequence[int]) -> Mapping[int, int]:
    """Return VP in as few tokens as possible, by value; there are tokens of 1."""
    tokens = {}
    for value in sorted(values, reverse=True):
        tokens[value], vp = divmod(vp, value)
    return tokens


def most_tokens(vp: int, values: Sequence[int]) -> Mapping[int, int]:
    """Return the most tokens of each value that any amount up to `vp` needs."""
    amounts = [make_change(amount, values) for amount in range(vp + 1)]
    return {value: max(tokens[value] for tokens in amounts) for value in sorted(values)}


# The growth of a company


def list_states(removed: int, growth: Growth) -> tuple[Mapping[str, int], ...]:
    """Return every state of a company after N removed lids: the number of lids off each row."""
    opens = [int(row in growth.opens_worker) for row in growth.lids]
    f = INTERPRETED.make_record({"lids": list(growth.lids.values()), "opens": opens})
    reached = {(0,) * len(LIDS)}
    for _ in range(removed):
        reached = {
            (*lids[:row], lids[row] + 1, *lids[row + 1 :])
            for lids in reached
            for row in range(len(lids))
            if find_removable(INTERPRETED.make_record({"lids": lids}), f, 0) >> row & 1
        }
    return tuple(dict(zip(growth.lids, lids, strict=True)) for lids in sorted(reached))


def worker_round(growth: Growth) -> int | None:
    """Return the first round whose end can bring the extra worker; None if no round does."""
    needed = min(growth.lids[row] for row in growth.opens_worker) + 1
    total = 0
    for number, removed in enumerate(growth.by_round, start=1):
        total += removed
        if total >= needed:
            return number
    return None


# Workers on the action board


class Shortfall(NamedTuple):
    """The state after a round: the workers that each seat could take back."""

    round: int
    taken: tuple[int, ...]


def most_normals(placements: int, rows: Rows, spaces: Mapping[int, Space]) -> int:
    """Return the most normal resources that N placements can bring, for any choice of actions."""
    best = [0] + [-1] * placements
    for row in rows.values():
        gains = list(accumulate((spaces[row[n % len(row)]].normals for n in range(placements)), initial=0))
        best = [
            max((best[n - here] + gains[here] for here in range(n + 1) if best[n - here] >= 0), default=-1)
            for n in range(placements + 1)
        ]
    return best[placements]


def find_shortfalls(rounds: Iterable[Sequence[Placement]], facts: Facts) -> Iterator[Shortfall]:
    """Yield the workers that each seat takes back after each round. Raise ValueError for a seat without a worker."""
    rounds = tuple(rounds)
    seats = range(max((placement.seat for placements in rounds for placement in placements), default=-1) + 1)
    hand = facts.growth.workers[0]
    hands, reserve = [hand for _ in seats], [facts.company_workers - hand for _ in seats]
    s = INTERPRETED.make_record(
        {"rows": [0] * m.ROWS * m.SPACES, "row_n": [0] * m.ROWS, "reserve": reserve, "dispatch_stock": 0}
    )
    lengths = [len(facts.rows[action]) for action in ACTIONS]
    whole_board = int(facts.switches["reset_scope"] == "board")
    f = INTERPRETED.make_record({"row_len": lengths, "reset_scope_board": whole_board})
    for number, placements in enumerate(rounds, start=1):
        for seat, action in placements:
            if hands[seat] == 0:
                raise ValueError(f"round {number}: seat {seat} has no worker left to place")
            hands[seat] -= 1
            stand_worker(s, ACTIONS.index(action), seat)
            empty_full_rows(s, f)
        taken = tuple(min(hand, s.reserve[seat]) for seat in seats)
        for seat in seats:
            hands[seat] += taken[seat]
            s.reserve[seat] -= taken[seat]
        yield Shortfall(number, taken)


def count_starts(players: int, rounds: int) -> tuple[int, ...]:
    """Return how often each seat is start player if the marker goes round."""
    return tuple(len(range(seat, rounds, players)) for seat in range(players))


VP = 60
"""The unit of the valuation: the worth of one VP."""

KEPT, KEPT_OPEN, KEPT_TURN = 78, 77, 86
"""The part of a plan's worth left for each action it needs, for the open Market, and for each turn, in hundredths."""

NORMAL, FINE, SUPERB = 20, 50, 85
"""The worth of goods that no plan needs, and the cost to a plan of a missing one."""

FOOTHOLD = 8
"""The worth of goods outside the Port, next to which gained ones may be put, for each turn up to FORESEEN."""

FORESEEN = 4
"""The number of turns considered in advance."""

SECOND, SHARED = 70, 10
"""The weight of the next best plan, in hundredths, with and without enough goods for both."""

STANDING = 70
"""The weight of present market shares and final-scoring skills, in hundredths: others will get shares, too."""

ACTION, DAILY = 20, 60
"""The worth of a remaining useful action, less than its result; the Daily card, while it can be used."""

DISPATCH = 60
"""The worth of a dispatch worker to spend."""

CARRY, QUALITY, STOREHOUSE, WORKER, SKILL = 45, 22, 26, 140, 10
"""The worth of lids off, for each turn to come: a load of two, an upgrade, goods and room, a worker, a skill."""


@codes
class Part:
    """A plan as one number, of which the best is the largest: the start of each of its parts.

    From the lowest: readiness, transports, upgrades, goods there, goods of the Port, transports after upgrades, missing
    goods, its place, its worth.
    """

    WAYS, STEPS, HERE, PORT, LATER, LACKS, PLACE, WORTH = 1, 5, 9, 13, 17, 21, 25, 29


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Return how good the state is for a seat (1 VP is `VP`): VP, expected final scoring, abilities, its best plans."""
    total = VP * s.vp[seat]
    if s.over or s.company[seat] < 0:
        return total
    turns = turns_left(s, f, seat)
    total += VP * STANDING * final_skills(s, f, seat) // 100
    for place in range(m.PLACES):
        if s.tokens[place * m.SEATS + seat] > 0:
            total += VP * STANDING * share_pay(s, f, seat, place, 0) // 100
    total += growth_worth(s, f, seat, turns)
    if s.seat == seat and s.phase == Phase.LOAD:
        return total + best_load(s, f, seat, turns)
    return total + goods_worth(s, f, seat, turns) + plans_worth(s, f, seat, turns)


@kernel
def best_load(s: Record, f: Record, seat: int, turns: int) -> int:
    """Return the worth of goods and plans after the best load on the chosen way; every load is tried and undone."""
    place, other, best = s.from_place - 1, s.to_place - 1, 0
    at, most, left = goods_at(seat, place), most_load(s, f), s.left
    s.left -= 1
    for superbs in range(min(s.goods[at + Grade.SUPERB], most) + 1):
        for fines in range(min(s.goods[at + Grade.FINE], most - superbs) + 1):
            for normals in range(min(s.goods[at], most - superbs - fines) + 1):
                if superbs + fines + normals > 0:
                    carry_goods(s, seat, place, other, normals, fines, superbs)
                    best = max(best, goods_worth(s, f, seat, turns) + plans_worth(s, f, seat, turns))
                    carry_goods(s, seat, other, place, normals, fines, superbs)
    s.left = left
    return best


@kernel
def carry_goods(s: Record, seat: int, place: int, other: int, normals: int, fines: int, superbs: int) -> None:
    """Move goods from a seat's warehouse at `place` to the one at `other`."""
    for grade in range(m.GRADES):
        number = normals if grade == Grade.NORMAL else fines if grade == Grade.FINE else superbs
        put_goods(s, seat, place, grade, -number)
        put_goods(s, seat, other, grade, number)


@kernel
def turns_left(s: Record, f: Record, seat: int) -> int:
    """Return the turns that a seat still begins: workers in hand, and those of later rounds."""
    turns: int = (
        s.hands[seat]
        - (1 if s.seat == seat and s.phase == Phase.PLACING else 0)
        + (f.rounds - s.round_now) * f.workers[lids_off(s, seat, Lid.WORKER)]
    )
    return turns


@kernel
def share_pay(s: Record, f: Record, seat: int, place: int, more: int) -> int:
    """Return the VP for an area at later scorings with `more` added share tokens. Among equals, the leftmost leads."""
    own, before, met = s.tokens[place * m.SEATS + seat], 0, 0
    rank = 0
    gauge = s.gauge[place]
    while gauge and met == 0:
        here = (gauge & 7) - 1
        gauge >>= 3
        if here == seat:
            met = 1
        else:
            before |= 1 << here
    for other in range(s.players):
        if other != seat:
            tokens = s.tokens[place * m.SEATS + other]
            if tokens > own + more or (tokens == own + more and before >> other & 1):
                rank += 1
    return f.pay_final[place][rank] + (f.pay_interim[place][rank] if s.round_now <= f.interim else 0)


@kernel
def growth_worth(s: Record, f: Record, seat: int, turns: int) -> int:
    """Return the worth of lids, skills and dispatch workers in the turns to come."""
    rate = CARRY * min(lids_off(s, seat, Lid.TRANSPORT), 1) + CARRY * lids_off(s, seat, Lid.TRANSPORT) // 4
    rate += QUALITY * lids_off(s, seat, Lid.QUALITY) + STOREHOUSE * lids_off(s, seat, Lid.WAREHOUSE)
    rate += WORKER * lids_off(s, seat, Lid.WORKER)
    skills = s.placed[seat] & ~f.final_mask & ~f.install_mask
    for skill in range(f.skills if skills else 0):
        if skills >> skill & 1:
            op = f.op[skill][0]
            rate += SKILL
            if op == Op.EARN:
                rate += 8 * f.op_n[skill][0]
            elif op in (Op.MORE_ACTIONS, Op.CARRY_MORE, Op.UPGRADE_ANYWHERE):
                rate += QUALITY
    return rate * turns + DISPATCH * min(s.dispatch[seat], turns)


@kernel
def goods_worth(s: Record, f: Record, seat: int, turns: int) -> int:
    """Return the worth of goods, which falls towards the end; those for the Daily card count as its VP."""
    total, kept = 0, min(turns + 1, FORESEEN)
    for place in range(m.PLACES):
        load = s.load[seat * m.PLACES + place]
        if load > 0:
            at = goods_at(seat, place)
            goods = (
                NORMAL * min(s.goods[at], 6)
                + NORMAL * max(0, s.goods[at] - 6) // 5
                + FINE * s.goods[at + Grade.FINE]
                + SUPERB * s.goods[at + Grade.SUPERB]
            )
            total += kept * goods // FORESEEN
            if place != f.port and load < s.limit[seat]:
                total += FOOTHOLD * min(turns, FORESEEN)
    if s.seat == seat:
        total += kept * NORMAL * s.gains // FORESEEN
        if s.phase == Phase.COUNT:
            back = s.took[Grade.NORMAL] + s.took[Grade.FINE] + s.took[Grade.SUPERB]
            lost = NORMAL * s.took[Grade.NORMAL] + FINE * s.took[Grade.FINE] + SUPERB * s.took[Grade.SUPERB]
            total += VP * min(back * f.daily_vp, f.daily_cap) - kept * lost // FORESEEN - lost // 8
    return total


@kernel
def plans_worth(s: Record, f: Record, seat: int, turns: int) -> int:
    """Return the worth (1 VP is `VP`) of the two best requests by gain and effort, and of the actions left for them."""
    best, second, third = -1, -1, -1
    for n in range(f.market_n + f.daily_n):
        row = n - f.market_n
        card = s.market[n] if row < 0 else daily_card(s, seat, row)
        waits = row >= 0 and s.up[seat] & (1 << row) == 0
        if card < 0 or (waits and s.round_now == f.rounds):
            continue
        plan = best_plan(s, f, seat, card, turns, row, waits)
        if plan > best:
            best, second, third = plan, best, second
        elif plan > second:
            second, third = plan, second
        elif plan > third:
            third = plan
    total, steps, ways, fulfils = 0, 0, 0, 0
    if best >= 0:
        total = best >> Part.WORTH
        steps, ways, fulfils = best >> Part.STEPS & 15, best >> Part.WAYS & 15, best & 1
    if second >= 0:
        more = second
        if can_do_both(s, f, seat, best, second) == 0 and third >= 0 and can_do_both(s, f, seat, best, third) == 1:
            more = third
        if can_do_both(s, f, seat, best, more) == 1:
            total += SECOND * (more >> Part.WORTH) // 100
            steps, ways, fulfils = (
                steps + (more >> Part.STEPS & 15),
                ways + (more >> Part.WAYS & 15),
                fulfils + (more & 1),
            )
        else:
            total += SHARED * (more >> Part.WORTH) // 100
    port = s.load[seat * m.PLACES + f.port]
    daily = s.up[seat] >> f.daily_n & 1
    if daily or s.round_now < f.rounds:
        total += DAILY * min(port, f.daily_cap) // f.daily_cap // (1 if daily else 2)
    if s.seat == seat:
        fulfils += 1 if daily and port > 1 else 0
        total += ACTION * actions_of_use(s, f, seat, fulfils, ways, steps)
        if s.phase == Phase.PAY:
            card = card_from(s, f, s.source)
            total += VP * f.vp[card] + fulfil_pay(s, f, seat, card, s.area, s.source - m.DAILY_ROW)
    return total


@kernel
def can_do_both(s: Record, f: Record, seat: int, one: int, other: int) -> int:
    """Return True if there are goods enough for two plans (numbers as in `Part`): at their places, and at the Port."""
    place, port = one >> Part.PLACE & 15, s.load[seat * m.PLACES + f.port]
    if place == other >> Part.PLACE & 15 and s.load[seat * m.PLACES + place] < (one >> Part.HERE & 7) + (
        other >> Part.HERE & 7
    ):
        return 0
    return 1 if (one >> Part.PORT & 7) + (other >> Part.PORT & 7) <= port else 0


@kernel
def actions_of_use(s: Record, f: Record, seat: int, fulfils: int, ways: int, steps: int) -> int:
    """Return how many actions left, or of the best next worker, are of use to fulfil, transport (`ways`) or upgrade."""
    if s.phase != Phase.PLACING:
        return min(s.left, fulfils if s.row == Action.FULFIL else ways if s.row == Action.TRANSPORT else steps)
    most = 0
    for row in range(m.ROWS):
        if s.row_n[row] < f.row_len[row]:
            useful = fulfils if row == Action.FULFIL else ways if row == Action.TRANSPORT else steps
            most = max(most, min(useful, f.row_actions[row][s.row_n[row]] + s.more[seat * m.ROWS + row]))
    return most


@kernel
def best_plan(s: Record, f: Record, seat: int, card: int, turns: int, row: int, waits: bool) -> int:
    """Return a request's best plan (a `Part`) or -1. `row`: in the Daily row (Market: negative); `waits`: face down."""
    best = -1
    fines, normals = f.asks_fine[card] - f.asks_superb[card], f.asks[card] - f.asks_fine[card]
    price = SUPERB * f.asks_superb[card] + FINE * fines + NORMAL * normals
    for place in range(m.PLACES):
        if place != f.port and f.type[card] & f.icons[s.board[place]]:
            plan = count_lacking(s, f, seat, card, place)
            lacks, later, made, gone = (
                plan >> Part.LACKS & 15,
                plan >> Part.LATER & 15,
                plan >> Part.STEPS & 15,
                plan >> Part.WAYS & 15,
            )
            actions = made + gone + later
            taken = (1 if made > 0 else 0) + (1 if gone + later > 0 else 0) + (1 if actions > 0 or waits else 0)
            if actions + 1 > 3 * turns + s.left or taken > turns + 1 or lacks > turns:
                continue
            gain = VP * f.vp[card] + fulfil_pay(s, f, seat, card, place, row) - price
            gain += VP * STANDING * (share_pay(s, f, seat, place, 1) - share_pay(s, f, seat, place, 0)) // 100
            for _ in range(actions + 1):
                gain = gain * (KEPT if row >= 0 else KEPT_OPEN) // 100
            for _ in range(taken):
                gain = gain * KEPT_TURN // 100
            gain -= NORMAL * lacks
            ready = 1 if actions == 0 and not waits else 0
            if gain > 0:
                best = max(best, gain << Part.WORTH | place << Part.PLACE | plan % (1 << Part.PLACE) | ready)
    return best


@kernel
def fulfil_pay(s: Record, f: Record, seat: int, card: int, place: int, row: int) -> int:
    """Return what placed skills add to a fulfilled request (1 VP is `VP`); `row` is negative in the Market."""
    total = 0
    skills = s.placed[seat] & f.on_fulfil_mask
    for skill in range(f.skills if skills else 0):
        owned = s.tokens[place * m.SEATS + seat]
        if (
            skills >> skill & 1
            and looks_for(f, skill, card, Origin.MARKET if row < 0 else Origin.DAILY, place, owned) == 1
        ):
            if f.op[skill][0] == Op.EARN:
                total += VP * f.op_n[skill][0]
            elif f.optional[skill] == 0:
                total += NORMAL
    return total


@kernel
def count_lacking(s: Record, f: Record, seat: int, card: int, place: int) -> int:
    """Return a request's needs at a place, as `Part`: missing goods, upgrades, transports now and after upgrades.

    Goods come from the nearest place, each grade from its own goods first and then from the Port.
    """
    own, carry = seat * m.PLACES, s.carry[seat]
    at, there = goods_at(seat, place), s.load[own + place]
    superbs = max(0, f.asks_superb[card] - s.goods[at + Grade.SUPERB])
    fines = max(0, f.asks_fine[card] - s.goods[at + Grade.FINE] - s.goods[at + Grade.SUPERB] - superbs)
    normals = max(0, f.asks[card] - there - superbs - fines)
    far, port = f.away[place][f.port], 0
    # What lies in the way has to be carried off first.
    gone = max(0, there + superbs + fines + normals - s.limit[seat])
    here, left_fines, left_normals = min(there, f.asks[card]), 0, 0
    for other in f.nearest[place]:
        if other < 0 or superbs + fines + normals == 0:
            break
        if s.load[own + other] > 0:
            at = goods_at(seat, other)
            one, two, three = s.goods[at + Grade.SUPERB], s.goods[at + Grade.FINE], s.goods[at]
            moved = min(superbs, one)
            more = min(fines, two + one - moved)
            rest = min(normals, three)
            superbs, fines, normals = superbs - moved, fines - more, normals - rest
            number = moved + more + rest
            gone += f.away[place][other] * number
            if other == f.port:
                port, left_fines, left_normals = number, max(0, two - more), three - rest
    raised = min(superbs, left_fines)
    lacks = max(0, superbs - raised + fines + normals - left_normals)
    gone, later = gone + far * normals, far * (superbs + fines)
    port = min(7, port + superbs + fines)
    ways, later = min(15, (gone + carry - 1) // carry), min(15, (later + carry - 1) // carry)
    steps = 2 * superbs + fines - raised
    return (
        lacks << Part.LACKS
        | later << Part.LATER
        | port << Part.PORT
        | min(7, here) << Part.HERE
        | steps << Part.STEPS
        | ways << Part.WAYS
    )
