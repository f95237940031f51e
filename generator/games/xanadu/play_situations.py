"""Situations of draft 18 for examples: what a designer says of the table becomes a state."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box
from generator.games.engine.kernel import Record
from generator.games.xanadu import play_codes as c
from generator.games.xanadu.facts import ACTIONS, LIDS
from generator.games.xanadu.map_facts import map_of
from generator.games.xanadu.play_box import (
    area_boards,
    companies,
    facts_record,
    place_names,
    request_cards,
    skill_cards,
)
from generator.games.xanadu.play_score import remember
from generator.games.xanadu.play_stock import earn, put_goods, recount, set_order
from generator.games.xanadu.play_zones import TIERS

KNOWN = (
    *("town", "round", "start", "seat", "companies", "goods", "workers", "rows", "gauges", "lids", "dispatch", "vp"),
    *("skills", "hand", "daily", "face_down", "market", "deck", "gone", "office", "passes", "acting", "growing"),
)
"""What an example may say of a situation; what it does not name is as after set-up, in the town of the data."""


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Seats are counted from 1; goods are [normal, fine, superb]; cards and skills go by their short ids."""
    unknown = [f"there is no '{name}' to give; {did_you_mean(str(name), KNOWN)}" for name in given if name not in KNOWN]
    if unknown:
        raise ValueError("; ".join(unknown))
    f = facts_record(box)
    s.round, s.start = int(given.get("round", 1)), _seat(s, given.get("start", 1))
    _lay_town(s, box, given)
    _give_companies(s, box, f, given)
    _lay_goods(s, box, f, given)
    _lay_shares(s, box, f, given)
    _stand_workers(s, box, f, given)
    _lay_requests(s, box, f, given)
    for seat in range(s.players):
        recount(s, f, seat)
        _hold_limit(s, box, seat)
    for seat, vp in _by_seat(s, given, "vp"):
        earn(s, f, seat, int(vp))
    set_order(s, f)
    remember(s)
    _set_phase(s, f, given)


def seats_named(s: Record, entries: Any) -> list[int]:
    """Seats, counted from 0."""
    return [_seat(s, entry) for entry in entries]


def place_number(box: Box, name: Any) -> int:
    """A place of the town by its id."""
    return _number(name, place_names(box), "place")


def skill_number(box: Box, name: Any) -> int:
    """A skill by its id: `R1`."""
    return _number(name, _short(skill_cards(box)), "skill")


def _short(copies: Sequence[str]) -> list[str]:
    return [copy.split("/")[1].removesuffix("#1") for copy in copies]


def _number(name: Any, known: Sequence[str], what: str) -> int:
    if name not in known:
        raise ValueError(f"there is no {what} '{name}'; {did_you_mean(str(name), known)}")
    return list(known).index(name)


def _seat(s: Record, seat: Any) -> int:
    if not isinstance(seat, int) or not 1 <= seat <= s.players:
        raise ValueError(f"there is no seat {seat}; seats are 1 to {s.players}")
    return seat - 1


def _by_seat(s: Record, given: Mapping[str, Any], name: str) -> Iterator[tuple[int, Any]]:
    for seat, value in given.get(name, {}).items():
        yield _seat(s, seat), value


def _lay_town(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    town = map_of(box.game)
    boards = _short(area_boards(box))
    laid = {**town.example, **given.get("town", {})}
    for place, name in enumerate(place_names(box)):
        s.board[place] = _number(laid[name], boards, "area board")
    if len(set(laid.values())) < len(laid):
        raise ValueError("an area board lies on two places; give a board for each place that changes")


def _give_companies(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Companies with their lids, skills and dispatch workers; by default in the order of the data."""
    names = companies(box)
    chosen = dict(enumerate(range(s.players)))
    chosen.update({seat: _number(name, names, "company") for seat, name in _by_seat(s, given, "companies")})
    if len(set(chosen.values())) < s.players:
        raise ValueError("two seats have one company; name a company for each seat")
    s.crew = f.dispatch_total
    for seat in range(c.SEATS):
        s.company[seat] = chosen.get(seat, -1)
    for seat in range(s.players):
        s.shares[seat] = f.start_shares
        s.crew -= f.lids_all
        if f.style == 0:
            s.hand[seat] = sum(1 << n for n in range(f.skills) if f.colour[n] == chosen[seat])
    for seat, skills in _by_seat(s, given, "hand"):
        s.hand[seat] = sum(1 << skill_number(box, name) for name in skills)
    for seat, skills in _by_seat(s, given, "skills"):
        s.placed[seat] = sum(1 << skill_number(box, name) for name in skills)
        s.lids[seat * c.LID_ROWS + c.SKILL] = len(skills)
    for skills in s.placed:
        for seat in range(s.players):
            s.hand[seat] &= ~skills
    for seat, rows in _by_seat(s, given, "lids"):
        for name, off in rows.items():
            row = _number(name, LIDS, "row of lids")
            if not 0 <= off <= f.lids[row]:
                raise ValueError(f"{name} has {f.lids[row]} lids, not {off}")
            s.lids[seat * c.LID_ROWS + row] = off
    spent = dict(_by_seat(s, given, "dispatch"))
    for seat in range(s.players):
        off = sum(s.lids[seat * c.LID_ROWS + row] for row in range(c.LID_ROWS))
        s.free[seat] = spent.get(seat, off)
        s.crew += off - s.free[seat]
    for seat, place in _by_seat(s, given, "office"):
        s.office[seat] = place_number(box, place) + 1
    for seat, passes in _by_seat(s, given, "passes"):
        s.passes[seat] = passes


def _lay_goods(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Goods in warehouses, those at the start where none are given; the rest is the stock."""
    named = dict(_by_seat(s, given, "goods"))
    for seat in range(s.players):
        warehouses = (
            {place_number(box, place): goods for place, goods in named.get(seat, {}).items()}
            if seat in named
            else {int(f.port): list(f.start_goods)}
        )
        for place, goods in warehouses.items():
            if len(goods) != c.GRADES or min(goods) < 0:
                raise ValueError(f"goods are [normal, fine, superb], not {goods}")
            for grade in range(c.GRADES):
                put_goods(s, seat, place, grade, goods[grade])
    for grade in range(c.GRADES):
        out = sum(s.goods[n * c.GRADES + grade] for n in range(s.players * c.PLACES))
        s.stock[grade] = f.goods_total[grade] - out
        if s.stock[grade] < 0:
            raise ValueError(f"there are {f.goods_total[grade]} resources of grade {grade}, not {out}")


def _hold_limit(s: Record, box: Box, seat: int) -> None:
    for place, name in enumerate(place_names(box)):
        here = s.load[seat * c.PLACES + place]
        if place != box.numbers["port"] and here > s.limit[seat]:
            raise ValueError(f"seat {seat + 1} has {here} resources at {name}, and {s.limit[seat]} is the limit")


def _lay_shares(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    for name, seats in given.get("gauges", {}).items():
        place = place_number(box, name)
        if len(seats) > f.gauge[s.board[place]]:
            raise ValueError(f"the gauge of {name} has {f.gauge[s.board[place]]} boxes, not {len(seats)}")
        for n, seat in enumerate(seats_named(s, seats)):
            s.gauge[place] += (seat + 1) << (3 * n)
            s.tokens[place * c.SEATS + seat] += 1
            s.shares[seat] -= 1
            if s.shares[seat] < 0:
                raise ValueError(f"seat {seat + 1} has {f.start_shares} shares, not more")
        s.boxes[place] = len(seats)


def _stand_workers(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Workers on rows and in hand, the others in the stock; dispatch workers on rows come from the spent ones."""
    hands = dict(_by_seat(s, given, "workers"))
    for seat in range(s.players):
        s.hands[seat] = hands.get(seat, f.start_workers)
        s.reserve[seat] = f.company_workers - s.hands[seat]
    for name, pieces in given.get("rows", {}).items():
        row = _number(name, ACTIONS, "row")
        if len(pieces) > f.row_len[row]:
            raise ValueError(f"{name} has {f.row_len[row]} spaces, not {len(pieces)}")
        for n, piece in enumerate(pieces):
            if piece == "dispatch":
                s.rows[row * c.SPACES + n] = c.HIRED
                s.crew -= 1
            else:
                s.rows[row * c.SPACES + n] = _seat(s, piece)
                s.reserve[_seat(s, piece)] -= 1
        s.row_n[row] = len(pieces)
    if s.crew < 0 or min(s.reserve[seat] for seat in range(s.players)) < 0:
        raise ValueError("there are not so many workers")


def _lay_requests(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Daily rows, Market, discards and decks: cards that are named first, all others as the data have them in order."""
    names = _short(request_cards(box))
    left = list(range(f.cards))

    def taken(name: Any) -> int:
        card = _number(name, names, "request")
        if card not in left:
            raise ValueError(f"the request {name} lies in two places")
        left.remove(card)
        return card

    rows = {seat: [taken(name) for name in cards] for seat, cards in _by_seat(s, given, "daily")}
    piles = {
        (zone, tier): [taken(name) for name in given.get(zone, {}).get(tier, ()) if name != "all"]
        for zone in ("market", "gone", "deck")
        for tier in TIERS
    }

    def next_of(tier: int) -> int:
        card = next(card for card in left if f.tier[card] == tier)
        left.remove(card)
        return card

    for seat in range(c.SEATS):
        for n in range(3):
            s.daily[seat * 3 + n] = -1
        if seat < s.players and f.daily_model != c.NO_DAILY:
            dealt = rows.get(seat) or [next_of(0 if n < f.daily_lower else 1) for n in range(f.daily_n)]
            for n, card in enumerate(dealt[: f.daily_n]):
                s.daily[seat * 3 + n] = s.dealt[seat * 3 + n] = card
            s.up[seat] = (1 << f.daily_n + 1) - 1
    _turn_down(s, f, names, given)
    for slot in range(f.market_n):
        tier = 0 if slot < f.market_lower else 1
        laid = piles["market", TIERS[tier]]
        s.market[slot] = laid.pop(0) if laid else next_of(tier)
    for tier, name in enumerate(TIERS):
        rest = [card for card in left if f.tier[card] == tier]
        gone, deck = piles["gone", name], piles["deck", name][::-1]
        if "all" in given.get("gone", {}).get(name, ()):
            gone = gone + rest
        else:
            deck = rest + deck
        for n, card in enumerate(gone):
            s.gone[tier * f.cards + n] = card
        for n, card in enumerate(deck):
            s.deck[tier * f.cards + n] = card
        s.gone_n[tier], s.deck_n[tier] = len(gone), len(deck)


def _turn_down(s: Record, f: Record, names: list[str], given: Mapping[str, Any]) -> None:
    for seat, cards in _by_seat(s, given, "face_down"):
        row = [s.daily[seat * 3 + n] for n in range(f.daily_n)]
        for name in cards:
            card = -2 if name == "daily" else _number(name, names, "request")
            if card not in (*row, -2):
                raise ValueError(f"{name} is not in the Daily row of seat {seat + 1}")
            s.up[seat] &= ~(1 << (f.daily_n if card == -2 else row.index(card)))


def _set_phase(s: Record, f: Record, given: Mapping[str, Any]) -> None:
    """Whose choice it is: before placing, in the middle of actions, or in the growth at the end of the round."""
    s.seat = _seat(s, given.get("seat", int(s.start) + 1))
    s.at = next(n for n in range(s.players) if s.order[n] == s.seat)
    s.phase = c.PRE
    acting = given.get("acting")
    if acting is not None:
        s.phase, s.row, s.left = c.ACT, _number(acting.get("row"), ACTIONS, "row"), int(acting.get("actions", 0))
    if "growing" in given:
        s.phase, s.lids_left = c.GROW, int(given["growing"])
