"""The words and views of Forwarder of Xanadu: moves in notation and phrases, zones, and what each seat sees."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from generator.game.model import Design
from generator.rules.engine.contract import Box, Message, Observation, VisiblePieces, Zones
from generator.rules.engine.facts import find_range_start
from generator.rules.engine.kernel import Record, kernel, shuffle, sort
from generator.rules.engine.table import visible_zones
from generator.rules.xanadu import state as m
from generator.rules.xanadu.box import area_boards, list_companies, place_names, request_cards, skill_cards
from generator.rules.xanadu.data import ACTIONS, GOODS, LIDS, TIERS
from generator.rules.xanadu.state import Hole, Move, Phase
from generator.rules.xanadu.stock import find_holder, goods_at


def say(s: Record, box: Box, move: int) -> Message:
    """Return the phrase of a move, with the names of cards and areas."""
    return _find_meaning(s, box, move)[0]


def write(s: Record, box: Box, move: int) -> str:
    """Return the notation: `place fulfil`, `gain p3`, `fulfil FL1 p3`, `pay 2,0,0`, `carry p1 p3`, `load 1,0,0` ..."""
    said, *ids = _find_meaning(s, box, move)
    return " ".join([NOTATION.get(said.phrase, said.phrase), *ids])


NOTATION = {
    "gain_at_port": "gain",
    "daily_normals": "normal",
    "daily_fines": "fine",
    "daily_superbs": "superb",
    "skill_lid": "lid skill",
    "face_up_daily": "turn",
    "face_up": "turn",
    "no_lid": "end",
    "enough": "end",
}
"""The notation of moves whose phrase has another name."""

Meaning: TypeAlias = tuple[Any, ...]
"""The phrase of a move, and the ids of its objects."""


def short_id(copy: str) -> str:
    """Return a card's own name: without its kind, and without the number of a design's first copy."""
    return copy.split("/")[1].removesuffix("#1")


def _find_meaning(s: Record, box: Box, move: int) -> Meaning:
    first = find_range_start(Move, move)
    return MEANINGS[first](s, box, move - first)


def _name_row(phrase: str) -> Callable[[Record, Box, int], Meaning]:
    return lambda _s, _box, n: (Message(phrase, {"row": ACTIONS[n]}), ACTIONS[n])


def _name_skill(phrase: str) -> Callable[[Record, Box, int], Meaning]:
    return lambda _s, box, n: (
        Message(phrase, {"skill": _find_design(box, skill_cards(box)[n])}),
        short_id(skill_cards(box)[n]),
    )


def _describe_research(s: Record, box: Box, slot: int) -> Meaning:
    card = _find_request(s, box, slot)
    return Message("research", {"card": _find_design(box, card)}), short_id(card)


def _turn_up(s: Record, box: Box, n: int) -> Meaning:
    if n == box.get_number("daily_n"):
        return Message("face_up_daily"), "daily"
    card = _find_request(s, box, m.DAILY_ROW + n)
    return Message("face_up", {"card": _find_design(box, card)}), short_id(card)


def _describe_put(s: Record, box: Box, place: int) -> Meaning:
    """Return the phrase for a resource put into an area, or for all that are left put into the Port."""
    all_left = place == box.get_number("port") and s.phase == Phase.GAIN
    values = {"area": _name_area(s, box, place), "number": int(s.gains) if all_left else s.gains - 1}
    return Message("gain_at_port" if all_left else "gain", values), place_names(box)[place]


def _describe_fulfil(s: Record, box: Box, n: int) -> Meaning:
    place, source = divmod(n, m.SOURCES)
    card = _find_request(s, box, source)
    values = {"card": _find_design(box, card), "area": _name_area(s, box, place)}
    return Message("fulfil", values), short_id(card), place_names(box)[place]


def _describe_carry(s: Record, box: Box, n: int) -> Meaning:
    place, other = divmod(n, m.PLACES)
    names = place_names(box)
    values = {"source": _name_area(s, box, place), "target": _name_area(s, box, other)}
    return Message("carry", values), names[place], names[other]


def _describe_upgrade(s: Record, box: Box, n: int) -> Meaning:
    place, grade = divmod(n, m.GRADES)
    values = {"grade": GOODS[grade], "area": _name_area(s, box, place)}
    return Message("upgrade", values), GOODS[grade], place_names(box)[place]


def _describe_goods(s: Record, _box: Box, goods: int) -> Meaning:
    numbers = [m.goods_of(goods, grade) for grade in range(m.GRADES)]
    values = dict(zip(GOODS, numbers, strict=True))
    return Message("pay" if s.phase == Phase.PAY else "load", values), ",".join(map(str, numbers))


def _describe_count(_s: Record, _box: Box, n: int) -> Meaning:
    grade, number = divmod(n, m.COUNTS)
    return Message(("daily_normals", "daily_fines", "daily_superbs")[grade], {"number": number}), str(number)


MEANINGS: Mapping[int, Callable[[Record, Box, int], Meaning]] = {
    Move.COMPANY: lambda _s, box, n: (
        Message("company", {"company": box.game.kinds["company_board"].designs[n]}),
        list_companies(box)[n],
    ),
    Move.KEEP: _name_skill("keep"),
    Move.PLACE: _name_row("place"),
    Move.DISPATCH: _name_row("dispatch"),
    Move.PASS: lambda s, box, _n: (Message("pass", {"number": box.get_row("pass_costs")[s.passes[s.seat]]}),),
    Move.END: lambda s, _box, _n: (Message({Phase.GROW: "no_lid", Phase.STEPS: "enough"}.get(int(s.phase), "end")),),
    Move.RESEARCH: _describe_research,
    Move.USE: _name_skill("use"),
    Move.DECLINE: lambda *_: (Message("decline"),),
    Move.WASTE: lambda *_: (Message("waste"),),
    Move.DAILY: lambda *_: (Message("daily"),),
    Move.TURN_UP: _turn_up,
    Move.PUT: _describe_put,
    Move.FULFIL: _describe_fulfil,
    Move.CARRY: _describe_carry,
    Move.UPGRADE: _describe_upgrade,
    Move.LID: lambda _s, box, n: (Message("lid", {"row": box.game.sections["words"]["growth"][LIDS[n]]}), LIDS[n]),
    Move.SKILL: _name_skill("skill_lid"),
    Move.OFFICE: lambda s, box, n: (Message("office", {"area": _name_area(s, box, n)}), place_names(box)[n]),
    Move.START: lambda _s, _box, n: (Message("start", {"seat": n + 1}), str(n + 1)),
    Move.GOODS: _describe_goods,
    Move.COUNT: _describe_count,
}
"""The meaning of a move, by the first number of its kind."""


def _find_request(s: Record, box: Box, source: int) -> str:
    row = s.seat * m.DAILY_MOST + source - m.DAILY_ROW
    return request_cards(box)[int(s.market[source] if source < m.DAILY_ROW else s.daily[row])]


def _find_design(box: Box, copy: str) -> Design:
    return box.game.design(copy.split("#", maxsplit=1)[0])


def _name_area(s: Record, box: Box, place: int) -> Design:
    return box.game.kinds["area_board"].designs[int(s.board[place])]


# Zones


def zones(s: Record, box: Box) -> Zones:
    """Return every zone that isn't empty, with its pieces.

    Zones of the table are `town p0`, `gauge p0`, `row fulfil`, `market`, `deck lower`, `gone lower` (discards), `start
    1` (the marker), `gained` (goods not yet placed), `stock`, `undealt` (skills left over from the draft) and `box`
    (pieces that this table does not use); of a seat `warehouse 1 p0`, `daily 1`, `workers 1`, `lids 1 quality`,
    `dispatch 1`, `shares 1`, `vp 1`, `skills 1` (placed), `hand 1`, `pack 1` and `company 1`.
    """
    found: dict[str, dict[str, int]] = {}
    for zone, piece, number in (
        *_iter_table(s, box),
        *_iter_cards(s, box),
        *_iter_companies(s, box),
        *_in_the_box(s, box),
        *_iter_vp_tokens(s, box),
    ):
        if number:
            pieces = found.setdefault(zone, {})
            pieces[piece] = pieces.get(piece, 0) + number
    for grade, name in enumerate(GOODS):
        number = int(s.stock[grade])
        if number > 0:
            found.setdefault("stock", {})[f"resource/{name}"] = number
        elif number < 0:
            _lend_substitutes(found, f"resource/{name}", -number)
    return found


Lies: TypeAlias = Iterator[tuple[str, str, int]]
"""Zone, piece, and number of pieces."""


def _iter_table(s: Record, box: Box) -> Lies:
    """Yield the town, gauges, rows of the action board, Market and decks."""
    boards, owners = area_boards(box), _list_owners(s, box)
    for place, name in enumerate(place_names(box)):
        yield f"town {name}", boards[s.board[place]], 1
        for box_number in range(s.boxes[place]):
            yield f"gauge {name}", f"share/{owners[find_holder(s, place, box_number)]}", 1
    for row, action in enumerate(ACTIONS):
        for n in range(s.row_n[row]):
            piece = s.rows[row * m.SPACES + n]
            yield f"row {action}", "dispatch/dispatch" if piece == m.DISPATCHED else f"worker/{owners[piece]}", 1
    requests = request_cards(box)
    for card in s.market[: box.get_number("market_n")]:
        if card >= 0:
            yield "market", requests[card], 1
    for tier, name in enumerate(TIERS):
        first = tier * len(requests)
        for zone, row, number in (("deck", s.deck, s.deck_n), ("gone", s.gone, s.gone_n)):
            for card in row[first : first + number[tier]]:
                yield f"{zone} {name}", requests[card], 1
    yield f"start {s.start + 1}", "start_marker/start", 1
    yield "gained", "resource/normal", int(s.gains)


def _iter_cards(s: Record, box: Box) -> Lies:
    """Yield skills that are placed, in hand, in a pack, and the rest; Daily rows."""
    skills, requests = skill_cards(box), request_cards(box)
    known = 0
    for seat in range(s.players):
        for zone, cards in (("skills", s.placed), ("hand", s.hand), ("pack", s.pack)):
            held = int(cards[seat])
            known |= held
            if held:
                yield from ((f"{zone} {seat + 1}", copy, 1) for n, copy in enumerate(skills) if held >> n & 1)
        for card in s.daily[seat * m.DAILY_MOST : (seat + 1) * m.DAILY_MOST]:
            if card >= 0:
                yield f"daily {seat + 1}", requests[card], 1
    drafted = box.numbers["style_advanced"] and known
    zone = "undealt" if drafted else "box"
    yield from ((zone, copy, 1) for n, copy in enumerate(skills) if not known >> n & 1)


def _in_the_box(s: Record, box: Box) -> Lies:
    """Yield the contents of the box: pieces of unused companies, and surplus dispatch workers (E02)."""
    playing = _list_owners(s, box).values()
    for owner in list_companies(box):
        if owner not in playing:
            yield "box", f"company_board/{owner}#1", 1
            for kind in ("share", "worker"):
                yield "box", f"{kind}/{owner}", box.counted[f"{kind}/{owner}"]
        if owner not in playing or box.numbers["daily_model_none"]:
            yield "box", f"daily_card/{owner}#1", 1
    yield "box", "dispatch/dispatch", box.counted["dispatch/dispatch"] - box.get_number("dispatch_total")
    yield "stock", "dispatch/dispatch", int(s.dispatch_stock)


def _iter_companies(s: Record, box: Box) -> Lies:
    """Yield the pieces of each company on and beside its board, and those in the stock."""
    owners, places, lids = _list_owners(s, box), place_names(box), box.get_row("lids")
    for seat, owner in owners.items():
        name = seat + 1
        yield f"company {name}", f"company_board/{owner}#1", 1
        yield f"daily {name}", f"daily_card/{owner}#1", 0 if box.numbers["daily_model_none"] else 1
        yield f"workers {name}", f"worker/{owner}", int(s.hands[seat])
        yield "stock", f"worker/{owner}", int(s.reserve[seat])
        yield f"shares {name}", f"share/{owner}", int(s.shares[seat])
        yield f"dispatch {name}", "dispatch/dispatch", int(s.dispatch[seat])
        for row, lid in enumerate(LIDS):
            left = int(lids[row] - s.lids[seat * m.LID_ROWS + row])
            yield f"lids {name} {lid}", "dispatch/dispatch", left
        for place, where in enumerate(places):
            if s.load[seat * m.PLACES + place]:
                for grade, good in enumerate(GOODS):
                    number = int(s.goods[goods_at(seat, place) + grade])
                    yield f"warehouse {name} {where}", f"resource/{good}", number


def _list_owners(s: Record, box: Box) -> Mapping[int, str]:
    """Return the name of each seat's company, by seat. Omit seats without one."""
    names = list_companies(box)
    return {seat: names[s.company[seat]] for seat in range(s.players) if s.company[seat] >= 0}


def _iter_vp_tokens(s: Record, box: Box) -> Lies:
    """Yield VP as tokens, the most valuable first, as far as there are any."""
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


def _lend_substitutes(found: dict[str, dict[str, int]], piece: str, missing: int) -> None:
    """Take `missing` goods, which are more than are printed, out of the last zones: substitutes lie there instead."""
    for zone in reversed(list(found)):
        lent = min(missing, found[zone].get(piece, 0))
        if lent:
            missing -= lent
            found[zone][piece] -= lent
            if found[zone][piece] == 0:
                del found[zone][piece]


# What each seat sees


_PHASES = {
    Phase.COMPANY: "at_company",
    Phase.DRAFT: "at_draft",
    Phase.PLACING: "at_placing",
    Phase.GAIN: "at_gain",
    Phase.DROP: "at_gain",
    Phase.GROW: "at_growth",
    Phase.OFFICE: "at_growth",
    Phase.NAME: "at_naming",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """Return what a seat sees: not decks, nor drafted skills of others or not dealt; Daily cards may lie face down."""
    own = ("hand", "pack") if box.numbers["style_advanced"] else ()
    laid = visible_zones(zones(s, box), seat, closed=("deck", "undealt"), own=own)
    for owner in range(s.players):
        name = f"daily {owner + 1}"
        if name in laid:
            laid[name] = tuple(_daily_row(s, box, owner, laid[name]))
    facts = {f"place {place}": _describe_place(s, box, place) for place in range(m.PLACES)}
    facts |= {
        f"player {owner + 1}": _describe_company(s, box, owner) for owner in range(s.players) if s.company[owner] >= 0
    }
    return Observation(laid, tuple(_describe_status(s, box)), facts)


def _daily_row(s: Record, box: Box, owner: int, row: tuple[VisiblePieces, ...]) -> Iterator[VisiblePieces]:
    """Yield a Daily row with its face-down cards; the Daily card is the last. It is open from the deal on."""
    there = [n for n in range(box.get_number("daily_n")) if s.daily[owner * m.DAILY_MOST + n] >= 0]
    lying = iter([*there, box.get_number("daily_n")])
    for heap in row:
        yield replace(heap, turned=s.round_now > 0 and not s.up[owner] >> next(lying) & 1)


def _describe_place(s: Record, box: Box, place: int) -> Message:
    """Return an area on its place: its zone, its neighbours, and the room on its gauge."""
    names, area = place_names(box), box.game.kinds["area_board"].designs[int(s.board[place])]
    around = box.get_row("around")[place][: box.get_row("around_n")[place]]
    values = {
        "place": names[place],
        "area": area,
        "zone": box.get_row("zone")[place],
        "beside": tuple(names[other] for other in around),
        "boxes": area.fields["gauge"],
    }
    return Message("port_here" if place == box.get_number("port") else "area_here", values)


def _describe_company(s: Record, box: Box, seat: int) -> Message:
    """Return the effects of a company's growth, with the lids that are off of each row."""
    lids = box.get_row("lids")
    growth = box.game.sections["words"]["growth"]
    values = {
        "seat": seat + 1,
        "company": box.game.design(f"company_board/{list_companies(box)[s.company[seat]]}"),
        "limit": int(s.limit[seat]),
        "carry": int(s.carry[seat]),
        "skills": int(s.placed[seat]).bit_count(),
        "passes": int(s.passes[seat]),
    }
    for row, name in enumerate(LIDS):
        values |= {f"{name}_row": growth[name], name: f"{s.lids[seat * m.LID_ROWS + row]}/{lids[row]}"}
    for row, name in enumerate(ACTIONS):
        values[f"more_{name}"] = int(s.more[seat * m.ROWS + row])
    return Message("company_here", values)


def _describe_status(s: Record, box: Box) -> Iterator[Message]:
    """Yield round, seat and choice, actions or lids left; before placing, also what each row gives next."""
    phase = int(s.phase)
    values = {
        "round": max(1, int(s.round_now)),
        "rounds": box.get_number("rounds"),
        "seat": s.seat + 1,
        "left": max(0, int(s.left)),
        "gains": int(s.gains),
        "lids": int(s.lids_left),
    }
    if phase in (Phase.COMPANY, Phase.DRAFT):
        yield Message(_PHASES[phase], {"seat": s.seat + 1, "kept": int(s.hand[s.seat]).bit_count()})
        return
    if phase == Phase.ENDED:
        return
    yield Message(_PHASES.get(phase, "at_actions"), values)
    if phase == Phase.PLACING:
        yield from (_next_space(s, box, row) for row in range(m.ROWS))


def _next_space(s: Record, box: Box, row: int) -> Message:
    space, name = int(s.row_n[row]), box.game.sections["words"]["actions"][ACTIONS[row]]
    length = box.get_row("row_len")[row]
    if space >= length:
        return Message("row_full", {"row": name})
    values = {
        "row": name,
        "space": space + 1,
        "of": length,
        "normals": box.get_row("row_normals")[row][space],
        "actions": box.get_row("row_actions")[row][space] + s.more[s.seat * m.ROWS + row],
    }
    return Message("next_space", values)


def tell(_s: Record, _box: Box, move: int, _seat: int, said: Message) -> Message | None:
    """Return `said`, the move in words, as other seats get it: which skill was drafted is hidden."""
    return Message("keep_hidden") if Move.KEEP <= move < Move.PLACE else said


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Iterator[Message]:
    """Report emptied rows, VP, rounds, and the reason for the result; nothing for a new game, without `before`."""
    if before is None:
        return
    names = box.game.sections["words"]["actions"]
    for row, action in enumerate(ACTIONS):
        if after.row_n[row] < before.row_n[row]:
            yield Message("row_emptied", {"row": names[action]})
    if before.round_now == box.get_number("interim") and after.round_now > before.round_now:
        yield Message("interim_scoring")
    if after.over and after.hole != Hole.STANDSTILL:
        yield Message("final_scoring")
    for seat in range(after.players):
        if after.vp[seat] != before.vp[seat]:
            more = int(after.vp[seat] - before.vp[seat])
            yield Message("earns", {"seat": seat + 1, "more": more, "vp": int(after.vp[seat])})
    if after.round_now > before.round_now and not after.over:
        yield Message("round_begins", {"round": int(after.round_now), "seat": after.start + 1})
    if after.over:
        yield Message("standstill" if after.hole == Hole.STANDSTILL else "decided")


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Shuffle both decks, and drafted skills of others or not dealt."""
    for tier in range(2):
        start, end = tier * f.cards, tier * f.cards + s.deck_n[tier]
        sort(s.deck, start, end)
        shuffle(s.rng, s.deck, start, end)
    if f.style_advanced and (s.round_now > 0 or s.pack[0] > 0):
        blind_skills(s, f, seat)


@kernel
def blind_skills(s: Record, f: Record, seat: int) -> None:
    """Shuffle the skills that a seat can't see: in others' hands and packs, and left over from the draft."""
    seen = s.hand[seat] | s.pack[seat]
    for other in range(s.players):
        seen |= s.placed[other]
    number = 0
    for skill in range(f.skills):
        if seen & (1 << skill) == 0:
            s.scratch[number] = skill
            number += 1
    shuffle(s.rng, s.scratch, 0, number)
    at = 0
    for other in range(s.players):
        if other != seat:
            size = how_many(f, s.hand[other])
            s.hand[other] = set_of(s, at, size)
            at += size
            size = how_many(f, s.pack[other])
            s.pack[other] = set_of(s, at, size)
            at += size
    for n in range(number):
        s.scratch[n] = 0


@kernel
def how_many(f: Record, skills: int) -> int:
    """Return the number of skills in a set, whose bits are skills."""
    number = 0
    for skill in range(f.skills):
        number += (skills >> skill) & 1
    return number


@kernel
def set_of(s: Record, start: int, number: int) -> int:
    """Return `number` skills from the shuffled row `s.scratch` as the bits of a set."""
    skills = 0
    for n in range(start, start + number):
        skills |= 1 << s.scratch[n]
    return skills
