"""What the rules of draft 18 take from the data: the numbers they name, and the readings they are played by."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

from generator.errors import Problem, ProblemsFound
from generator.games.engine.facts import FactReader
from generator.games.xanadu.growth import Growth
from generator.games.xanadu.map_facts import names_of
from generator.games.xanadu.rows import Placement, Rows, Space
from generator.model.game import Game

ACTIONS = ("fulfil", "transport", "upgrade")
LIDS = ("warehouse", "transport", "quality", "worker", "skill")
WORTH = {
    "limit": "warehouse",
    "restock": "warehouse",
    "carry": "transport",
    "transport_actions": "transport",
    "upgrade_actions": "quality",
    "workers": "worker",
}
"""What rows of the growth track are worth: the name of the values, and the row."""


class ZonePay(NamedTuple):
    """The VP of first, second ... in the areas of a zone, at both scorings."""

    interim: tuple[int, ...]
    final: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules. Goods are by grade, from the lowest; `daily_row` and `market` by tier."""

    rounds: int
    interim: int
    start_workers: int
    start_dispatch: int
    start_shares: int
    start_goods: tuple[int, ...]
    company_workers: int
    company_shares: int
    grades: Mapping[str, int]
    daily_row: Mapping[str, int]
    market: Mapping[str, int]
    skills: Mapping[str, int]
    rows: Rows
    spaces: Mapping[int, Space]
    daily_vp: int
    daily_cap: int
    restock: int
    growth: Growth
    majority: Mapping[int, ZonePay]


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage that can be played in more than one way (`readings.yaml`)."""

    adjacency: Literal["offset", "square_shift"]
    dispatch_total: int
    growth_layout: Literal["eleven", "twelve"]
    worker_shortage: Literal["partial", "recall"]
    normal_shortage: Literal["partial", "unlimited"]
    reset_scope: Literal["row", "board"]
    dispatch_fill: Literal["immediate", "after_turn", "no_complete"]
    dispatch_rows: Literal["any", "chosen_row_only"]
    daily_triggers: bool
    skill_split: Literal["4x5+10", "5x6"]
    research_timing: Literal["own_turn", "before_placement"]
    research_refill: Literal["slot", "all_vacant"]
    impossible_fulfil: Literal["illegal", "wasted"]
    port_icons: Literal["none", "all"]
    absent_rank: Literal["next", "players", "ignore"]
    gain_outside: Literal["one_per_area", "one_total"]
    transport_scope: Literal["action", "turn"]
    restock: Literal["base_plus_lids", "value"]
    start_player: Literal["rotate", "once_then_lowest_vp_chooses", "vp_order"]
    pass_action: Literal["off", "dispatch_123"]
    daily_model: Literal["draft18", "hybrid", "one_shot", "none"]
    skill_gate: Literal["none", "vp_threshold", "requests", "shares", "dispatch", "double_lid"]


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """How requests are priced: VP and upgrade steps for a resource of each grade, and the bounds of the tiers."""

    worth: tuple[int, ...]
    further: int
    steps: tuple[int, ...]
    lower_most: int
    upper_least: int


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """The numbers and readings of a game's data; ProblemsFound with all that is missing or of the wrong kind."""
    reader = FactReader(game)
    switches = Switches(**reader.switches(tuple(field.name for field in fields(Switches))))
    facts = Facts(
        rounds=reader.whole("rounds", least=1),
        interim=reader.whole("scoring", "interim", least=1),
        start_workers=reader.whole("start", "workers"),
        start_dispatch=reader.whole("start", "dispatch"),
        start_shares=reader.whole("start", "shares"),
        start_goods=reader.wholes("start", "goods", fewest=1),
        company_workers=reader.whole("company", "workers"),
        company_shares=reader.whole("company", "shares"),
        grades=reader.table("grades"),
        daily_row=_named(reader, ("daily_row",), ("lower", "upper")),
        market=_named(reader, ("market",), ("lower", "upper")),
        skills=_named(reader, ("skills",), ("standard", "draft")),
        rows={action: reader.wholes("rows", action, fewest=1) for action in ACTIONS},
        spaces={row["space"]: Space(**row) for row in reader.rows("spaces", columns=Space._fields)},
        daily_vp=reader.whole("daily", "vp"),
        daily_cap=reader.whole("daily", "cap"),
        restock=reader.whole("restock"),
        growth=_growth(game, reader, switches.growth_layout),
        majority=_majority(reader),
    )
    reader.finish()
    problems = list(_gaps(game, facts))
    if problems:
        raise ProblemsFound(problems)
    return facts, switches


def request_facts_of(game: Game) -> RequestFacts:
    """How requests are priced; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    grades = tuple(reader.table("grades"))
    facts = RequestFacts(
        worth=tuple(reader.whole("requests", "worth", grade) for grade in grades),
        further=reader.whole("requests", "further"),
        steps=tuple(reader.whole("requests", "steps", grade) for grade in grades),
        lower_most=reader.whole("requests", "lower_most"),
        upper_least=reader.whole("requests", "upper_least"),
    )
    reader.finish()
    return facts


def shortage_of(game: Game) -> tuple[tuple[Placement, ...], ...]:
    """The rounds of placements that lead to a shortage of workers; ProblemsFound for what is no placement."""
    rounds = game.sections.get("rules", {}).get("shortage", ())
    for n, placements in enumerate(rounds):
        for m, entry in enumerate(placements):
            good = isinstance(entry, tuple) and len(entry) == 2
            if not good or not isinstance(entry[0], int) or entry[1] not in ACTIONS:
                place = game.places.place("rules", "shortage", n, m)
                raise ProblemsFound([Problem(place, "this is no placement", "write [0, fulfil]: a seat and an action")])
    return tuple(tuple(Placement(*entry) for entry in placements) for placements in rounds)


def _growth(game: Game, reader: FactReader, layout: str) -> Growth:
    return Growth(
        by_round=reader.wholes("growth", "by_round", fewest=1),
        lids={lid: reader.whole("growth", "layouts", layout, lid) for lid in LIDS},
        opens_worker=_rows_that_open(game, reader),
        limit=reader.wholes("growth", "limit", fewest=1),
        restock=reader.wholes("growth", "restock", fewest=1),
        carry=reader.wholes("growth", "carry", fewest=1),
        transport_actions=reader.wholes("growth", "transport_actions", fewest=1),
        upgrade_actions=reader.wholes("growth", "upgrade_actions", fewest=1),
        workers=reader.wholes("growth", "workers", fewest=2),
    )


def _rows_that_open(game: Game, reader: FactReader) -> tuple[str, ...]:
    rows = names_of(game, "growth", "opens_worker")
    return tuple(reader.name("growth", "opens_worker", n, known=dict.fromkeys(LIDS)) for n in range(len(rows)))


def _majority(reader: FactReader) -> Mapping[int, ZonePay]:
    zones = reader.rows("majority", columns=("zone",))
    pays = {}
    for n, row in enumerate(zones):
        interim = reader.wholes("majority", n, "interim", fewest=2)
        final = reader.wholes("majority", n, "final", fewest=2)
        pays[row["zone"]] = ZonePay(interim, final)
    return pays


def _named(reader: FactReader, path: tuple[str, ...], names: tuple[str, ...]) -> Mapping[str, int]:
    return {name: reader.whole(*path, name) for name in names}


def _gaps(game: Game, facts: Facts) -> Iterator[Problem]:
    """Numbers that others need and that are not there: spaces of rows, grades, values of the growth track."""

    def problem(path: tuple[str, ...], what: str, hint: str) -> Problem:
        return Problem(game.places.place("rules", *path), f"{'.'.join(('rules', *path))} {what}", hint)

    for action, row in facts.rows.items():
        for number in sorted(set(row) - set(facts.spaces)):
            hint = f"add `- {{space: {number}, actions: ..., normals: ...}}`"
            yield problem(("rows", action), f"has a space {number}, of which rules.spaces says nothing", hint)
    if len(facts.start_goods) != len(facts.grades):
        yield problem(
            ("start", "goods"), f"has no number for each of {len(facts.grades)} grades", "add one, 0 for none"
        )
    for name, row_name in WORTH.items():
        lids, values = facts.growth.lids[row_name], getattr(facts.growth, name)
        if len(values) <= lids:
            yield problem(
                ("growth", name), f"ends before lid {lids}", "add a value for each lid, after the first for none"
            )
