"""The examples of Forwarder of Xanadu: situations described by a designer, and questions about them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from generator.rules.engine.contract import Box, Questions
from generator.rules.engine.facts import (
    CardPool,
    code_numbers,
    find_known_name,
    read_number,
    read_seat,
    require_known_names,
)
from generator.rules.engine.kernel import INTERPRETED, Record
from generator.rules.xanadu import state as m
from generator.rules.xanadu.box import area_boards, list_companies, place_names, request_cards, skill_cards
from generator.rules.xanadu.data import ACTIONS, GOODS, LIDS, TIERS, Edge, find_edges, map_of, measure_distances
from generator.rules.xanadu.outlook import count_starts, find_cheapest, list_payments, make_change
from generator.rules.xanadu.state import Lid, Op, Phase, Piece
from generator.rules.xanadu.steps import remember_state, set_order
from generator.rules.xanadu.stock import (
    all_daily,
    earn_vp,
    final_skills,
    find_holder,
    find_ranked_seat,
    goods_at,
    lay_token,
    lids_off,
    put_goods,
    rank_sum,
    recount_company,
    restock_of,
    score_majority,
    stand_worker,
)
from generator.rules.xanadu.words import short_id

KNOWN = (
    *("town", "round", "start", "seat", "companies", "goods", "workers", "rows", "gauges", "lids", "dispatch", "vp"),
    *("skills", "hand", "daily", "face_down", "market", "deck", "gone", "office", "passes", "acting", "growing"),
)
"""The keys of a situation in an example; by default, it is as after set-up, in the town of the data."""

Given = Mapping[str, Any]


def arrange(s: Record, box: Box, given: Given) -> None:
    """Arrange a situation. Seats count from 1; goods are [normal, fine, superb]; cards and skills have short ids."""
    require_known_names(given, KNOWN)
    f = box.make_facts()
    s.round_now, s.start = int(given.get("round", 1)), read_seat(given.get("start", 1), s.players)
    for rounds in range(1, min(s.round_now, s.players)):  # the seats before were start player in the rounds before
        s.been |= 1 << (s.start - rounds) % s.players
    boards = list(map(short_id, area_boards(box)))
    laid = {**map_of(box.game).example, **given.get("town", {})}
    for place, name in enumerate(place_names(box)):
        s.board[place] = _read_number(laid[name], boards, "area board")
    if len(set(laid.values())) < len(laid):
        raise ValueError("an area board lies on two places; give a board for each place that changes")
    _give_companies(s, box, f, given)
    _give_skills(s, box, f, given)
    _take_lids(s, f, given)
    _lay_goods(s, box, f, given)
    _lay_shares(s, box, f, given)
    _stand_workers(s, f, given)
    _lay_requests(s, f, box, given)
    for seat, vp in _iter_given_seats(s, given, "vp"):
        earn_vp(s, f, seat, int(vp))
    set_order(s, f)
    remember_state(s)
    _set_phase(s, given)


# What is named


def _read_number(name: Any, known: Sequence[str], what: str) -> int:
    return list(known).index(find_known_name(name, known, what))


def _read_place(box: Box, name: Any) -> int:
    return _read_number(name, place_names(box), "place")


def _read_skills(box: Box, names: Any) -> int:
    """Return skills by their ids, such as `R1`, as bits."""
    known = list(map(short_id, skill_cards(box)))
    return sum(1 << _read_number(name, known, "skill") for name in names)


def _iter_given_seats(s: Record, given: Given, name: str) -> Iterator[tuple[int, Any]]:
    for seat, value in given.get(name, {}).items():
        yield read_seat(seat, s.players), value


# What is given


def _give_companies(s: Record, box: Box, f: Record, given: Given) -> None:
    """Give companies, by default in the order of the data, with the pieces on and beside their boards."""
    names = list_companies(box)
    chosen = dict(enumerate(range(s.players)))
    chosen.update(
        {seat: _read_number(name, names, "company") for seat, name in _iter_given_seats(s, given, "companies")}
    )
    if len(set(chosen.values())) < s.players:
        raise ValueError("two seats have one company; name a company for each seat")
    for seat in range(m.SEATS):
        s.company[seat] = chosen.get(seat, -1)
    for seat in range(s.players):
        s.shares[seat] = f.start_shares
    for seat, place in _iter_given_seats(s, given, "office"):
        s.office[seat] = _read_place(box, place) + 1
    for seat, passes in _iter_given_seats(s, given, "passes"):
        s.passes[seat] = passes


def _give_skills(s: Record, box: Box, f: Record, given: Given) -> None:
    """Place skills, and put others into the hand: by default all others of the company."""
    if f.style_standard:
        for seat in range(s.players):
            s.hand[seat] = sum(1 << n for n in range(f.skills) if f.colour[n] == s.company[seat])
    for seat, skills in _iter_given_seats(s, given, "hand"):
        s.hand[seat] = _read_skills(box, skills)
    for seat, skills in _iter_given_seats(s, given, "skills"):
        s.placed[seat] = _read_skills(box, skills)
        s.lids[seat * m.LID_ROWS + Lid.SKILL] = len(skills)
    for skills in s.placed:
        for seat in range(s.players):
            s.hand[seat] &= ~skills


def _take_lids(s: Record, f: Record, given: Given) -> None:
    """Take lids off; by default all of their dispatch workers are there to spend."""
    for seat, rows in _iter_given_seats(s, given, "lids"):
        for name, off in rows.items():
            row = _read_number(name, LIDS, "row of lids")
            s.lids[seat * m.LID_ROWS + row] = read_number(off, name, 0, f.lids[row])
    left = dict(_iter_given_seats(s, given, "dispatch"))
    s.dispatch_stock = f.dispatch_total
    for seat in range(s.players):
        off = sum(lids_off(s, seat, row) for row in range(m.LID_ROWS))
        s.dispatch[seat] = left.get(seat, off)
        s.dispatch_stock += off - f.lids_all - s.dispatch[seat]
        recount_company(s, f, seat)


def _lay_goods(s: Record, box: Box, f: Record, given: Given) -> None:
    """Put goods into warehouses, by default those at the start; the rest is the stock."""
    named = dict(_iter_given_seats(s, given, "goods"))
    for seat in range(s.players):
        warehouses = {place_names(box)[f.port]: f.start_goods} if seat not in named else named[seat]
        for place, goods in warehouses.items():
            if len(goods) != m.GRADES or min(goods) < 0:
                raise ValueError(f"goods are [normal, fine, superb], not {goods}")
            for grade in range(m.GRADES):
                put_goods(s, seat, _read_place(box, place), grade, goods[grade])
            if sum(goods) > s.limit[seat] and _read_place(box, place) != f.port:
                raise ValueError(
                    f"seat {seat + 1} has {sum(goods)} resources at {place}, and {s.limit[seat]} is the limit"
                )
    for grade in range(m.GRADES):
        out = sum(s.goods[n * m.GRADES + grade] for n in range(s.players * m.PLACES))
        s.stock[grade] = f.goods_total[grade] - out
        if s.stock[grade] < 0:
            raise ValueError(f"there are {f.goods_total[grade]} resources of grade {grade}, not {out}")


def _lay_shares(s: Record, box: Box, f: Record, given: Given) -> None:
    for name, seats in given.get("gauges", {}).items():
        place = _read_place(box, name)
        boxes = f.gauge[s.board[place]]
        if len(seats) > boxes:
            raise ValueError(f"the gauge of {name} has {boxes} boxes, not {len(seats)}")
        for n, number in enumerate(seats):
            seat = read_seat(number, s.players)
            lay_token(s, f, place, n, seat)
            if s.shares[seat] < 0:
                raise ValueError(f"seat {number} has {f.start_shares} shares, not more")
        s.boxes[place] = len(seats)


def _stand_workers(s: Record, f: Record, given: Given) -> None:
    """Put workers on rows and in hand, the others in the stock; dispatch workers on rows are spent ones."""
    hands = dict(_iter_given_seats(s, given, "workers"))
    for seat in range(s.players):
        s.hands[seat] = hands.get(seat, f.start_workers)
        s.reserve[seat] = f.company_workers - s.hands[seat]
    for name, pieces in given.get("rows", {}).items():
        row = _read_number(name, ACTIONS, "row")
        if len(pieces) > f.row_len[row]:
            raise ValueError(f"{name} has {f.row_len[row]} spaces, not {len(pieces)}")
        for piece in pieces:
            if piece == "dispatch":
                s.dispatch_stock -= 1
                stand_worker(s, row, m.DISPATCHED)
            else:
                s.reserve[read_seat(piece, s.players)] -= 1
                stand_worker(s, row, read_seat(piece, s.players))
    if s.dispatch_stock < 0 or min(s.reserve[seat] for seat in range(s.players)) < 0:
        raise ValueError("there are not so many workers")


def _lay_requests(s: Record, f: Record, box: Box, given: Given) -> None:
    """Fill Daily rows, Market, discards and decks: named cards first, then all others in the order of the data."""
    names = list(map(short_id, request_cards(box)))
    pool = CardPool({name: [card] for card, name in enumerate(names)})
    of_tier = [[card for card in range(f.cards) if f.tier[card] == tier] for tier in range(2)]
    rows = {seat: pool.take(cards, "daily") for seat, cards in _iter_given_seats(s, given, "daily")}
    market, gone, deck = (
        [pool.take([name for name in given.get(zone, {}).get(tier, ()) if name != "all"], zone) for tier in TIERS]
        for zone in ("market", "gone", "deck")
    )
    for n in range(len(s.daily)):
        s.daily[n] = -1
    for seat in range(s.players if not f.daily_model_none else 0):
        tiers = [int(n >= f.daily_lower) for n in range(f.daily_n)]
        dealt = rows.get(seat) or [pool.take_any(1, of_tier[tier])[0] for tier in tiers]
        _fill_row(s.daily, seat * m.DAILY_MOST, dealt[: f.daily_n])
        _fill_row(s.dealt, seat * m.DAILY_MOST, dealt[: f.daily_n])
        s.up[seat] = all_daily(s, f, seat)
    _turn_down(s, f, names, given)
    for slot in range(f.market_n):
        tier = int(slot >= f.market_lower)
        s.market[slot] = market[tier].pop(0) if market[tier] else pool.take_any(1, of_tier[tier])[0]
    for tier, name in enumerate(TIERS):
        rest = [card for card in of_tier[tier] if card in pool.free]
        discarded = "all" in given.get("gone", {}).get(name, ())
        s.gone_n[tier] = _fill_row(s.gone, tier * f.cards, gone[tier] + (rest if discarded else []))
        s.deck_n[tier] = _fill_row(s.deck, tier * f.cards, ([] if discarded else rest) + deck[tier][::-1])


def _fill_row(row: Any, start: int, cards: list[int]) -> int:
    """Store cards side by side in a row of the state, from index `start` on; return how many they are."""
    for n, card in enumerate(cards, start):
        row[n] = card
    return len(cards)


def _turn_down(s: Record, f: Record, names: list[str], given: Given) -> None:
    for seat, cards in _iter_given_seats(s, given, "face_down"):
        row = [*(s.daily[seat * m.DAILY_MOST + n] for n in range(f.daily_n)), "daily"]
        for name in cards:
            card = name if name == "daily" else _read_number(name, names, "request")
            if card not in row:
                raise ValueError(f"{name} is not in the Daily row of seat {seat + 1}")
            s.up[seat] &= ~(1 << row.index(card))


def _set_phase(s: Record, given: Given) -> None:
    """Set the choice: before placing, in the middle of actions, or in the growth at the end of the round."""
    s.seat = read_seat(given.get("seat", int(s.start) + 1), s.players)
    s.at = next(n for n in range(s.players) if s.order[n] == s.seat)
    s.phase = Phase.PLACING
    acting = given.get("acting")
    if acting is not None:
        s.phase, s.row, s.left = (
            Phase.ACT,
            _read_number(acting.get("row"), ACTIONS, "row"),
            int(acting.get("actions", 0)),
        )
    if "growing" in given:
        s.phase, s.lids_left = Phase.GROW, int(given["growing"])


# Questions


def _answer_stock(s: Record, _box: Box, kind: str = "") -> Any:
    pieces = {name: int(s.stock[grade]) for grade, name in enumerate(GOODS)} | {"dispatch": int(s.dispatch_stock)}
    return pieces[kind] if kind else pieces


def _answer_goods(s: Record, box: Box, seat: str, place: str = "") -> Any:
    at = {name: goods_at(read_seat(seat, s.players), n) for n, name in enumerate(place_names(box))}
    goods = {name: list(map(int, s.goods[n : n + m.GRADES])) for name, n in at.items()}
    return goods[place] if place else {name: there for name, there in goods.items() if any(there)}


def _answer_row(s: Record, _box: Box, action: str) -> Any:
    row = ACTIONS.index(action)
    pieces = [int(s.rows[row * m.SPACES + n]) for n in range(s.row_n[row])]
    return ["dispatch" if piece == m.DISPATCHED else piece + 1 for piece in pieces]


def _answer_face_up(s: Record, box: Box, seat: str) -> Any:
    at, names, number = read_seat(seat, s.players), request_cards(box), box.get_number("daily_n")
    row = [short_id(names[s.daily[at * m.DAILY_MOST + n]]) for n in range(number)]
    return [name for n, name in enumerate([*row, "daily"]) if s.up[at] >> n & 1]


def _answer_restock(s: Record, box: Box, seat: str) -> Any:
    f, at = box.make_facts(), read_seat(seat, s.players)
    extra = [n for n in range(f.skills) if s.placed[at] & f.round_end_mask & (1 << n)]
    return int(restock_of(s, f, at)) + sum(f.op_n[n][0] for n in extra if f.op[n][0] == Op.GAIN)


def _count_winnings(s: Record, f: Record, pays: Any) -> list[int]:
    """Return the VP that market shares would win for each seat now; `pays` contains the pay of ranks, by place."""
    copy = INTERPRETED.copy(s) if hasattr(type(s), "__slots__") else s.copy()
    score_majority(copy, f, pays)
    return [int(copy.vp[seat] - s.vp[seat]) for seat in range(s.players)]


def _list_edges(box: Box) -> set[Edge]:
    return find_edges(map_of(box.game).town, box.game.switches["adjacency"])


def _make_seat_list(name: str) -> Callable[[Record, Box], Any]:
    return lambda s, _box: [int(getattr(s, name)[seat]) for seat in range(s.players)]


def _read_cost(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


SUPPLY = (*GOODS, *(name.lower() for name in code_numbers(Piece) if name != "COIN"))
"""Supplies that may run short, in the order of the rules."""

QUESTIONS: Questions = {
    "stock": _answer_stock,  # or `stock fine`
    "goods": _answer_goods,  # `goods 1`, `goods 1 p3`
    "workers": _make_seat_list("hands"),
    "reserve": _make_seat_list("reserve"),
    "dispatch": _make_seat_list("dispatch"),
    "shares": _make_seat_list("shares"),
    "lids": lambda s, _box, seat: {
        name: int(lids_off(s, read_seat(seat, s.players), row)) for row, name in enumerate(LIDS)
    },
    "row": _answer_row,
    "gauge": lambda s, box, place: [
        int(find_holder(s, _read_place(box, place), n)) + 1 for n in range(s.boxes[_read_place(box, place)])
    ],
    "ranking": lambda s, box, place: [
        seat + 1 for rank in range(s.players) if (seat := int(find_ranked_seat(s, _read_place(box, place), rank))) >= 0
    ],
    "ranks": lambda s, box: [int(rank_sum(s, box.make_facts(), seat)) for seat in range(s.players)],
    "up": _answer_face_up,  # what lies face up in a Daily row
    "limit": lambda s, _box, seat: int(s.limit[read_seat(seat, s.players)]),
    "carry": lambda s, _box, seat: int(s.carry[read_seat(seat, s.players)]),
    "restock": _answer_restock,
    "actions": lambda s, _box: int(s.left),
    "round": lambda s, _box: int(s.round_now),
    "start": lambda s, _box: int(s.start) + 1,
    "starts": lambda s, box: list(count_starts(int(s.players), box.get_number("rounds"))),  # in a game
    "turns": _make_seat_list("turns"),
    "deck": lambda s, _box: [int(number) for number in s.deck_n],
    "short": lambda s, _box, piece: int(s.short[SUPPLY.index(piece)]),
    "interim": lambda s, box: _count_winnings(s, box.make_facts(), box.make_facts().pay_interim),
    "majority": lambda s, box: _count_winnings(s, box.make_facts(), box.make_facts().pay_final),
    "final": lambda s, box: [int(final_skills(s, box.make_facts(), seat)) for seat in range(s.players)],
    "firsts": lambda s, _box: [
        sum(find_ranked_seat(s, n, 0) == seat for n in range(m.PLACES)) for seat in range(s.players)
    ],
    "distance": lambda _s, box, place: measure_distances(map_of(box.game).port, _list_edges(box))[place],
    "edges": lambda _s, box: len(_list_edges(box)),
    "payable": lambda _s, _box, have, cost: bool(list_payments(_read_cost(have), _read_cost(cost))),
    "cheapest": lambda _s, _box, have, cost: list(find_cheapest(_read_cost(have), _read_cost(cost))),
    "change": lambda _s, box, vp: dict(
        make_change(int(vp), [design.fields["value"] for design in box.game.kinds["vp"].designs])
    ),
}
"""The questions that examples may ask, with the functions that answer them."""
