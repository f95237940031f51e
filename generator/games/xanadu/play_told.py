"""What a seat at a table of draft 18 sees, how it is told of others' drafts, and what is said of that nobody chose."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from generator.games.engine.contract import ALL_SEEN, Box, Lying, Observation, Said
from generator.games.engine.kernel import Record
from generator.games.engine.observing import shown
from generator.games.xanadu import play_codes as c
from generator.games.xanadu.facts import ACTIONS, LIDS
from generator.games.xanadu.play_box import companies, number_of, place_names
from generator.games.xanadu.play_zones import zones

_PHASES = {
    c.COMPANY: "at_company",
    c.DRAFT: "at_draft",
    c.PRE: "at_placing",
    c.GAIN: "at_gain",
    c.DROP: "at_gain",
    c.GROW: "at_growth",
    c.OFFICE: "at_growth",
    c.NAME: "at_naming",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """All but decks, and drafted skills that others hold or that were not dealt; Daily cards may lie face down."""
    drafted = box.numbers["style"] == 1

    def hidden(zone: str, _piece: str) -> bool:
        kind = zone.split(maxsplit=1)[0]
        return kind == "deck" or (
            drafted and (kind == "undealt" or (kind in ("hand", "pack") and zone != f"{kind} {seat + 1}"))
        )

    laid = shown(zones(s, box)) if seat == ALL_SEEN else shown(zones(s, box), hidden)
    for owner in range(s.players):
        name = f"daily {owner + 1}"
        if name in laid:
            laid[name] = tuple(_turned(s, box, owner, laid[name]))
    facts = {f"place {place}": _place(s, box, place) for place in range(c.PLACES)}
    facts |= {f"player {owner + 1}": _company(s, box, owner) for owner in range(s.players) if s.company[owner] >= 0}
    return Observation(laid, tuple(_status(s, box)), facts)


def _turned(s: Record, box: Box, owner: int, row: tuple[Lying, ...]) -> Iterator[Lying]:
    """A Daily row with what lies face down in it; the Daily card is the last. All of it lies open from the deal on."""
    there = [n for n in range(number_of(box, "daily_n")) if s.daily[owner * 3 + n] >= 0]
    lying = iter([*there, number_of(box, "daily_n")])
    for heap in row:
        yield replace(heap, turned=s.round > 0 and not s.up[owner] >> next(lying) & 1)


def _place(s: Record, box: Box, place: int) -> Said:
    """An area where it lies: its zone, what is next to it, and how much its gauge has room for."""
    names = place_names(box)
    around: Any = box.numbers["around"]
    beside: Any = box.numbers["around_n"]
    zone: Any = box.numbers["zone"]
    values = {
        "place": names[place],
        "area": box.game.kinds["area_board"].designs[int(s.board[place])],
        "zone": zone[place],
        "beside": tuple(names[other] for other in around[place][: beside[place]]),
        "boxes": box.game.kinds["area_board"].designs[int(s.board[place])].fields["gauge"],
    }
    return Said("port_here" if place == number_of(box, "port") else "area_here", values)


def _company(s: Record, box: Box, seat: int) -> Said:
    """What a company's growth gives it, with the lids that are off of each row."""
    lids: Any = box.numbers["lids"]
    growth = box.game.sections["words"]["growth"]
    values = {
        "seat": seat + 1,
        "company": box.game.design(f"company_board/{companies(box)[s.company[seat]]}"),
        "limit": int(s.limit[seat]),
        "carry": int(s.carry[seat]),
        "skills": int(s.placed[seat]).bit_count(),
        "passes": int(s.passes[seat]),
    }
    for row, name in enumerate(LIDS):
        values |= {f"{name}_row": growth[name], name: f"{s.lids[seat * c.LID_ROWS + row]}/{lids[row]}"}
    for row, name in enumerate(ACTIONS):
        values[f"more_{name}"] = int(s.more[seat * c.ROWS + row])
    return Said("company_here", values)


def _status(s: Record, box: Box) -> Iterator[Said]:
    """Round, whose choice of what, actions or lids left; before a worker is placed, what each row gives next."""
    phase = int(s.phase)
    values = {
        "round": max(1, int(s.round)),
        "rounds": number_of(box, "rounds"),
        "seat": s.seat + 1,
        "left": max(0, int(s.left)),
        "gains": int(s.gains),
        "lids": int(s.lids_left),
    }
    if phase in (c.COMPANY, c.DRAFT):
        yield Said(_PHASES[phase], {"seat": s.seat + 1, "kept": int(s.hand[s.seat]).bit_count()})
        return
    if phase == c.ENDED:
        return
    yield Said(_PHASES.get(phase, "at_actions"), values)
    if phase == c.PRE:
        lengths, normals, actions = (box.numbers[name] for name in ("row_len", "row_normals", "row_actions"))
        yield from (_next_space(s, box, row, lengths, normals, actions) for row in range(c.ROWS))


def _next_space(s: Record, box: Box, row: int, lengths: Any, normals: Any, actions: Any) -> Said:
    space, name = int(s.row_n[row]), box.game.sections["words"]["actions"][ACTIONS[row]]
    if space >= lengths[row]:
        return Said("row_full", {"row": name})
    given = {"normals": normals[row][space], "actions": actions[row][space] + s.more[s.seat * c.ROWS + row]}
    return Said("next_space", {"row": name, "space": space + 1, "of": lengths[row], **given})


def tell(_s: Record, _box: Box, move: int, _seat: int, said: Said) -> Said | None:
    """Skills are drafted in secret."""
    return Said("keep_hidden") if c.KEEP <= move < c.PLACE else said


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Sequence[Said]:
    """Rows that were emptied, VP, the rounds, and by what the game was decided."""
    return () if before is None else tuple(_followed(before, after, box))


def _followed(before: Record, after: Record, box: Box) -> Iterator[Said]:
    names = box.game.sections["words"]["actions"]
    for row, action in enumerate(ACTIONS):
        if after.row_n[row] < before.row_n[row]:
            yield Said("row_emptied", {"row": names[action]})
    if before.round == number_of(box, "interim") and after.round > before.round:
        yield Said("interim_scoring")
    if after.over and after.hole != c.HOLE_STANDSTILL:
        yield Said("final_scoring")
    for seat in range(after.players):
        if after.vp[seat] != before.vp[seat]:
            more = int(after.vp[seat] - before.vp[seat])
            yield Said("earns", {"seat": seat + 1, "more": more, "vp": int(after.vp[seat])})
    if after.round > before.round and not after.over:
        yield Said("round_begins", {"round": int(after.round), "seat": after.start + 1})
    if after.over:
        yield Said("standstill" if after.hole == c.HOLE_STANDSTILL else "decided")
