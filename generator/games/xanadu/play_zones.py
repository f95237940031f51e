"""Where every printed piece of a game of draft 18 lies: the state in the words of the table."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.games.engine.contract import Box, Zones
from generator.games.engine.kernel import Record
from generator.games.xanadu.facts import ACTIONS
from generator.games.xanadu.play_box import area_boards, companies, place_names, request_cards, skill_cards
from generator.games.xanadu.play_codes import GRADES, HIRED, LID_ROWS, PLACES, SPACES

GOODS = ("normal", "fine", "superb")
TIERS = ("lower", "upper")


def zones(s: Record, box: Box) -> Zones:
    """Every zone that isn't empty, with its pieces.

    Zones of the table are `town p0`, `gauge p0`, `row fulfil`, `market`, `deck lower`, `gone lower` (discards),
    `start 1` (the marker), `gained` (goods not yet placed), `stock`, `undealt` (skills left over from the draft) and
    `box` (what this table does not use); of a seat `warehouse 1 p0`, `daily 1`, `workers 1`, `lids 1`, `dispatch 1`,
    `shares 1`, `vp 1`, `skills 1` (placed), `hand 1`, `pack 1` and `company 1`.
    """
    found: dict[str, dict[str, int]] = {}
    for zone, piece, number in (*_table(s, box), *_cards(s, box), *_companies(s, box), *_unused(s, box), *_vp(s, box)):
        if number:
            pieces = found.setdefault(zone, {})
            pieces[piece] = pieces.get(piece, 0) + number
    for grade, name in enumerate(GOODS):
        number = int(s.stock[grade])
        if number > 0:
            found.setdefault("stock", {})[f"resource/{name}"] = number
        elif number < 0:
            _lend(found, f"resource/{name}", -number)
    return found


Lies = Iterator[tuple[str, str, int]]
"""Zone, piece, and how many."""


def _table(s: Record, box: Box) -> Lies:
    """The town, gauges, rows of the action board, Market and decks."""
    boards, owners = area_boards(box), _owners(s, box)
    for place, name in enumerate(place_names(box)):
        yield f"town {name}", boards[s.board[place]], 1
        for box_number in range(s.boxes[place]):
            yield f"gauge {name}", f"share/{owners[((s.gauge[place] >> (3 * box_number)) & 7) - 1]}", 1
    for row, action in enumerate(ACTIONS):
        for n in range(s.row_n[row]):
            piece = s.rows[row * SPACES + n]
            yield f"row {action}", "dispatch/dispatch" if piece == HIRED else f"worker/{owners[piece]}", 1
    requests = request_cards(box)
    for card in s.market[: box.numbers["market_n"]]:
        if card >= 0:
            yield "market", requests[card], 1
    for tier, name in enumerate(TIERS):
        first = tier * len(requests)
        for zone, row, number in (("deck", s.deck, s.deck_n), ("gone", s.gone, s.gone_n)):
            for card in row[first : first + number[tier]]:
                yield f"{zone} {name}", requests[card], 1
    yield f"start {s.start + 1}", "start_marker/start", 1
    yield "gained", "resource/normal", int(s.gains)


def _cards(s: Record, box: Box) -> Lies:
    """Skills: placed, in hand, in a pack, and the rest; Daily rows."""
    skills, requests = skill_cards(box), request_cards(box)
    known = 0
    for seat in range(s.players):
        for zone, cards in (("skills", s.placed), ("hand", s.hand), ("pack", s.pack)):
            held = int(cards[seat])
            known |= held
            if held:
                yield from ((f"{zone} {seat + 1}", copy, 1) for n, copy in enumerate(skills) if held >> n & 1)
        for n in range(3):
            if s.daily[seat * 3 + n] >= 0:
                yield f"daily {seat + 1}", requests[s.daily[seat * 3 + n]], 1
    drafted = box.numbers["style"] == 1 and known
    zone = "undealt" if drafted else "box"
    yield from ((zone, copy, 1) for n, copy in enumerate(skills) if not known >> n & 1)


def _unused(s: Record, box: Box) -> Lies:
    """What lies in the box: pieces of companies that nobody has, and dispatch workers that are too many (E02)."""
    numbers: Any = box.numbers
    playing = _owners(s, box).values()
    for owner in companies(box):
        if owner not in playing:
            yield "box", f"company_board/{owner}#1", 1
            for kind in ("share", "worker"):
                yield "box", f"{kind}/{owner}", box.counted[f"{kind}/{owner}"]
        if owner not in playing or _no_daily(box):
            yield "box", f"daily_card/{owner}#1", 1
    yield "box", "dispatch/dispatch", box.counted["dispatch/dispatch"] - numbers["dispatch_total"]
    yield "stock", "dispatch/dispatch", int(s.crew)


def _companies(s: Record, box: Box) -> Lies:
    """What each company has, on its board and beside it, and its pieces in the stock."""
    owners, places = _owners(s, box), place_names(box)
    numbers: Any = box.numbers
    for seat, owner in owners.items():
        name = seat + 1
        yield f"company {name}", f"company_board/{owner}#1", 1
        yield f"daily {name}", f"daily_card/{owner}#1", 0 if _no_daily(box) else 1
        yield f"workers {name}", f"worker/{owner}", int(s.hands[seat])
        yield "stock", f"worker/{owner}", int(s.reserve[seat])
        yield f"shares {name}", f"share/{owner}", int(s.shares[seat])
        yield f"dispatch {name}", "dispatch/dispatch", int(s.free[seat])
        off = sum(s.lids[seat * LID_ROWS : (seat + 1) * LID_ROWS])
        yield f"lids {name}", "dispatch/dispatch", int(numbers["lids_all"] - off)
        for place, where in enumerate(places):
            if s.load[seat * PLACES + place]:
                for grade, good in enumerate(GOODS):
                    number = int(s.goods[(seat * PLACES + place) * GRADES + grade])
                    yield f"warehouse {name} {where}", f"resource/{good}", number


def _no_daily(box: Box) -> bool:
    return box.numbers["daily_model"] == 2


def _owners(s: Record, box: Box) -> Mapping[int, str]:
    """The companies of the seats that have one."""
    names = companies(box)
    return {seat: names[s.company[seat]] for seat in range(s.players) if s.company[seat] >= 0}


def _vp(s: Record, box: Box) -> Lies:
    """VP as the tokens that show them, the most valuable first, as far as there are any."""
    coins = sorted(((design.fields["value"], design.id) for design in box.game.kinds["vp"].designs), reverse=True)
    left = {piece: box.counted[piece] for _, piece in coins}
    for seat in range(s.players):
        owed = int(s.vp[seat])
        for value, piece in coins:
            paid = min(owed // value, left[piece])
            owed -= paid * value
            left[piece] -= paid
            yield f"vp {seat + 1}", piece, paid
    yield from (("stock", piece, number) for piece, number in left.items())


def _lend(found: dict[str, dict[str, int]], piece: str, missing: int) -> None:
    """With goods that never run out, those beyond the printed ones are substitutes: the last that lie there."""
    for zone in reversed(list(found)):
        lent = min(missing, found[zone].get(piece, 0))
        if lent:
            missing -= lent
            found[zone][piece] -= lent
            if found[zone][piece] == 0:
                del found[zone][piece]
