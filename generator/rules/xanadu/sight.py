"""Observations in Forwarder of Xanadu: what each seat sees, and what it learns of moves."""

from collections.abc import Iterator
from dataclasses import replace

from generator.rules.engine.contract import ALL_SEEN, Box, Message, Observation, VisiblePieces
from generator.rules.engine.kernel import Record, kernel, shuffle, sort
from generator.rules.engine.table import visible_zones
from generator.rules.xanadu import state as m
from generator.rules.xanadu.box import list_companies, place_names
from generator.rules.xanadu.data import ACTIONS, LIDS
from generator.rules.xanadu.state import Hole, Move, Phase
from generator.rules.xanadu.words import zones

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
    """Return all but decks, and drafted skills of others or not dealt; Daily cards may lie face down."""
    drafted = bool(box.numbers["style_advanced"])

    def is_hidden(zone: str, _piece: str) -> bool:
        kind = zone.split(maxsplit=1)[0]
        return kind == "deck" or (
            drafted and (kind == "undealt" or (kind in ("hand", "pack") and zone != f"{kind} {seat + 1}"))
        )

    laid = visible_zones(zones(s, box)) if seat == ALL_SEEN else visible_zones(zones(s, box), is_hidden)
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
        yield replace(heap, turned=s.round > 0 and not s.up[owner] >> next(lying) & 1)


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
        "round": max(1, int(s.round)),
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
    """Hide the drafting of skills."""
    return Message("keep_hidden") if Move.KEEP <= move < Move.PLACE else said


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Iterator[Message]:
    """Report emptied rows, VP, the rounds, and the reason for the result."""
    if before is None:
        return
    names = box.game.sections["words"]["actions"]
    for row, action in enumerate(ACTIONS):
        if after.row_n[row] < before.row_n[row]:
            yield Message("row_emptied", {"row": names[action]})
    if before.round == box.get_number("interim") and after.round > before.round:
        yield Message("interim_scoring")
    if after.over and after.hole != Hole.STANDSTILL:
        yield Message("final_scoring")
    for seat in range(after.players):
        if after.vp[seat] != before.vp[seat]:
            more = int(after.vp[seat] - before.vp[seat])
            yield Message("earns", {"seat": seat + 1, "more": more, "vp": int(after.vp[seat])})
    if after.round > before.round and not after.over:
        yield Message("round_begins", {"round": int(after.round), "seat": after.start + 1})
    if after.over:
        yield Message("standstill" if after.hole == Hole.STANDSTILL else "decided")


# What is hidden


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Shuffle both decks, and drafted skills of others or not dealt."""
    for tier in range(2):
        start, end = tier * f.cards, tier * f.cards + s.deck_n[tier]
        sort(s.deck, start, end)
        shuffle(s.rng, s.deck, start, end)
    drafting = s.pack[0] > 0
    if f.style_advanced and (s.round > 0 or drafting):
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
    """Return the number of skills in a set."""
    number = 0
    for skill in range(f.skills):
        number += (skills >> skill) & 1
    return number


@kernel
def set_of(s: Record, start: int, number: int) -> int:
    """Return a set of shuffled skills."""
    skills = 0
    for n in range(start, start + number):
        skills |= 1 << s.scratch[n]
    return skills
