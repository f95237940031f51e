"""The data of Forwarder of Xanadu: numbers and limits, and the town."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.game.model import Game
from generator.rules.engine.facts import FactReader, read_rule_texts

ACTIONS = ("fulfil", "transport", "upgrade")
LIDS = ("warehouse", "transport", "quality", "worker", "skill")
GOODS = ("normal", "fine", "superb")
TIERS = ("lower", "upper")
WORTH = {
    "limit": "warehouse",
    "restock": "warehouse",
    "carry": "transport",
    "transport_actions": "transport",
    "upgrade_actions": "quality",
    "workers": "worker",
}
"""The values of rows of the growth track: the name of the values, and the row."""

SWITCHES = (
    *("adjacency", "dispatch_total", "growth_layout", "worker_shortage", "normal_shortage", "reset_scope"),
    *("dispatch_fill", "dispatch_rows", "daily_triggers", "skill_split", "research_timing", "research_refill"),
    *("impossible_fulfil", "port_icons", "absent_rank", "gain_outside", "transport_scope", "restock"),
    *("start_player", "pass_action", "daily_model", "skill_gate"),
)
"""The passages of the rules with several readings, by their names in `readings.yaml`."""


class Space(NamedTuple):
    """A space of the action board: its number, its actions, and the normal resources in front of them."""

    space: int
    actions: int
    normals: int


class Placement(NamedTuple):
    """A worker of a seat on the leftmost free space of an action."""

    seat: int
    action: str


Rows: TypeAlias = Mapping[str, tuple[int, ...]]
"""The spaces of each action by their numbers, from the left."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth track: lids removed after each round, lids of each row, and the values of rows by lids off."""

    by_round: tuple[int, ...]
    lids: Mapping[str, int]
    opens_worker: tuple[str, ...]
    limit: tuple[int, ...]
    restock: tuple[int, ...]
    carry: tuple[int, ...]
    transport_actions: tuple[int, ...]
    upgrade_actions: tuple[int, ...]
    workers: tuple[int, ...]

    @property
    def handed_out(self) -> int:
        """The dispatch workers that each company gets: one for each lid."""
        return sum(self.lids.values())

    @property
    def removed_lids(self) -> int:
        """The lids that come off in a game."""
        return sum(self.by_round)


class ZonePay(NamedTuple):
    """The VP of first, second ... in the areas of a zone, at both scorings."""

    interim: tuple[int, ...]
    final: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules. Goods are by grade, from the lowest; `daily_row` and `market` by tier.

    `switches` contains the reading in force for each passage of the rules with several readings.
    """

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
    switches: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """The prices of requests: VP and upgrades by grade, VP of each further resource, the tiers' bounds for upgrades."""

    worth: tuple[int, ...]
    further: int
    steps: tuple[int, ...]
    lower_most: int
    upper_least: int


def facts_of(game: Game) -> Facts:
    """Return the numbers of a game's data. Raise ProblemsFound with all missing or wrong values and switches."""
    reader = FactReader(game)
    switches = reader.read_switches(SWITCHES)
    facts = reader.read_facts(
        Facts,
        rounds=reader.read_whole("rounds", least=1),
        interim=reader.read_whole("scoring", "interim", least=1),
        start_workers=reader.read_whole("start", "workers"),
        start_dispatch=reader.read_whole("start", "dispatch"),
        start_shares=reader.read_whole("start", "shares"),
        start_goods=reader.read_wholes("start", "goods", fewest=1),
        company_workers=reader.read_whole("company", "workers"),
        company_shares=reader.read_whole("company", "shares"),
        daily_row={tier: reader.read_whole("daily_row", tier) for tier in TIERS},
        market={tier: reader.read_whole("market", tier) for tier in TIERS},
        skills={style: reader.read_whole("skills", style) for style in ("standard", "draft")},
        rows={action: reader.read_wholes("rows", action, fewest=1) for action in ACTIONS},
        spaces={row["space"]: Space(**row) for row in reader.read_rows("spaces", columns=Space._fields)},
        daily_vp=reader.read_whole("daily", "vp"),
        daily_cap=reader.read_whole("daily", "cap"),
        growth=_read_growth(game, reader, switches["growth_layout"]),
        majority=majority_of(reader, "majority"),
        switches=switches,
    )
    reader.raise_problems()
    problems = list(_find_gaps(game, facts))
    if problems:
        raise ProblemsFound(problems)
    return facts


def request_facts_of(game: Game) -> RequestFacts:
    """Return the prices of requests. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    grades = tuple(reader.read_table("grades"))
    facts = RequestFacts(
        worth=tuple(reader.read_whole("requests", "worth", grade) for grade in grades),
        further=reader.read_whole("requests", "further"),
        steps=tuple(reader.read_whole("requests", "steps", grade) for grade in grades),
        lower_most=reader.read_whole("requests", "lower_most"),
        upper_least=reader.read_whole("requests", "upper_least"),
    )
    reader.raise_problems()
    return facts


def shortage_of(game: Game) -> tuple[tuple[Placement, ...], ...]:
    """Return the rounds of placements that lead to a shortage of workers. Raise ProblemsFound for wrong ones."""
    rounds = game.sections.get("rules", {}).get("shortage", ())
    for n, placements in enumerate(rounds):
        for m, entry in enumerate(placements):
            good = isinstance(entry, tuple) and len(entry) == 2
            if not good or not isinstance(entry[0], int) or entry[1] not in ACTIONS:
                place = game.places.place("rules", "shortage", n, m)
                raise ProblemsFound([Problem(place, "this is no placement", "write [0, fulfil]: a seat and an action")])
    return tuple(tuple(Placement(*entry) for entry in placements) for placements in rounds)


def names_of(game: Game, *path: str) -> tuple[str, ...]:
    """Return a list of names below `rules`. Raise ProblemsFound if it is empty."""
    return read_rule_texts(game, *path, fewest=1)


def _read_growth(game: Game, reader: FactReader, layout: str) -> Growth:
    rows = names_of(game, "growth", "opens_worker")
    return Growth(
        by_round=reader.read_wholes("growth", "by_round", fewest=1),
        lids={lid: reader.read_whole("growth", "layouts", layout, lid) for lid in LIDS},
        opens_worker=tuple(reader.read_name("growth", "opens_worker", n, known=LIDS) for n in range(len(rows))),
        **{name: reader.read_wholes("growth", name, fewest=2 if name == "workers" else 1) for name in WORTH},
    )


def majority_of(reader: FactReader, name: str, fewest: int = 2) -> Mapping[int, ZonePay]:
    """Return the pay of each zone by its number, from the table `name`; each list has at least `fewest` ranks."""
    zones = reader.read_rows(name, columns=("zone",))
    return {
        row["zone"]: ZonePay(*(reader.read_wholes(name, n, scoring, fewest=fewest) for scoring in ZonePay._fields))
        for n, row in enumerate(zones)
    }


def _find_gaps(game: Game, facts: Facts) -> Iterator[Problem]:
    """Yield problems for missing numbers that others need: spaces of rows, grades, values of the growth track."""

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


# Limits: what the data say follows from the numbers; the checks compute all of it afresh

GROWTH_LIMITS = ("states", "with_worker", "all_skills")
MAJORITY_LIMITS = ("interim", "final", "first_interim", "first_final")
STOCK_LIMITS = ("normals", "dispatch", "lower", "upper")


@dataclass(frozen=True, slots=True)
class Deck:
    """All requests of a tier together: resources by grade, and VP."""

    goods: tuple[int, ...]
    vp: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The results stated in `rules.limits`, which checks compute anew; `stock` is the rest after set-up, by players."""

    areas: Mapping[int, int]
    edges: int
    icons: int
    boards_of_type: int
    decks: Mapping[str, Deck]
    of_type: int
    without_expansion: int
    stock: Mapping[int, Mapping[str, int]]
    growth: Mapping[str, int]
    worker_round: int
    turns: tuple[int, int]
    majority: Mapping[str, int]
    warehouse: int
    vp_worth: int
    vp_player: int
    vp_needs: Mapping[int, int]


def limits_of(game: Game) -> Limits:
    """Return the results in `rules.limits`. Raise ProblemsFound with all missing or wrong values."""
    reader = FactReader(game)
    rows = reader.read_rows("limits", "table", columns=("players", *STOCK_LIMITS))
    limits = reader.read_facts(
        Limits,
        "limits",
        areas=_parse_number_keys(reader.read_table("limits", "areas")),
        icons=reader.read_whole("limits", "icons", "total"),
        boards_of_type=reader.read_whole("limits", "icons", "each"),
        decks={tier: _read_deck_limits(reader, tier) for tier in TIERS},
        of_type=reader.read_whole("limits", "requests", "of_type"),
        without_expansion=reader.read_whole("limits", "requests", "without_expansion"),
        stock={row["players"]: {name: row[name] for name in STOCK_LIMITS} for row in rows},
        growth={name: reader.read_whole("limits", "growth", name) for name in GROWTH_LIMITS},
        worker_round=reader.read_whole("limits", "growth", "worker_round"),
        turns=(reader.read_whole("limits", "turns", "fewest"), reader.read_whole("limits", "turns", "most")),
        majority={name: reader.read_whole("limits", "majority", name) for name in MAJORITY_LIMITS},
        vp_worth=reader.read_whole("limits", "vp", "worth"),
        vp_player=reader.read_whole("limits", "vp", "player"),
        vp_needs=_parse_number_keys(reader.read_table("limits", "vp", "needs")),
    )
    reader.raise_problems()
    return limits


def _read_deck_limits(reader: FactReader, tier: str) -> Deck:
    path = ("limits", "requests", tier)
    return Deck(reader.read_wholes(*path, "goods", fewest=1), reader.read_whole(*path, "vp"))


def _parse_number_keys(table: Mapping[Any, int]) -> Mapping[int, int]:
    """Return the entries whose key is a whole number; no computed value can match the others."""
    return {name: value for name, value in table.items() if isinstance(name, int)}


PORT = "◆"
ZONE_SIGNS = {"①": 1, "②": 2, "③": 3, "□": 0}
"""The signs for the Port and for the scoring zones in the draft's figures."""


class Area(NamedTuple):
    """A place of the town: row from the top, half boards from the left, zone (0: the Port), and places next to it."""

    row: int
    x: int
    zone: int
    next: tuple[str, ...]


Town: TypeAlias = Mapping[str, Area]
"""Places by their ids."""

Edge: TypeAlias = frozenset[str]
"""Two neighbouring places."""


def figure_places(figure: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (row, x in half squares, sign) of every square of a figure, row by row; shorter rows are centred."""
    widest = max(map(len, figure), default=0)
    for row, signs in enumerate(figure):
        for n, sign in enumerate(signs):
            yield row, widest - len(signs) + 2 * n, sign


def find_edges(town: Town, adjacency: Literal["offset", "square_shift"]) -> set[Edge]:
    """Return all pairs of neighbours; rows are shifted by half a board ("offset") or whole ones ("square_shift")."""

    def touching(a: Area, b: Area) -> bool:
        if adjacency == "offset":
            return (abs(a.row - b.row), abs(a.x - b.x)) in {(0, 2), (1, 1)}
        # Rows of two are shifted to the right until they lie below whole boards.
        return abs(a.row - b.row) + abs((a.x + 1) // 2 - (b.x + 1) // 2) == 1

    return {frozenset((a, b)) for a, b in combinations(town, 2) if touching(town[a], town[b])}


def stated_edges(town: Town) -> set[tuple[str, str]]:
    """Return every (place, next place) stated in the data, in each direction stated."""
    return {(name, beside) for name, area in town.items() for beside in area.next}


def measure_distances(start: str, pairs: set[Edge]) -> Mapping[str, int]:
    """Return the steps from a place to every place that can be reached."""
    beside: dict[str, list[str]] = {}
    for a, b in map(sorted, pairs):
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in beside.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


# What the data say of it


@dataclass(frozen=True, slots=True)
class TownMap:
    """The town: places by id, the id of the Port, the draft's figures (map, zones), and an example board per place."""

    town: Town
    port: str
    figure: tuple[str, ...]
    zones: tuple[str, ...]
    example: Mapping[str, str]


def map_of(game: Game) -> TownMap:
    """Return the map of the data. Raise ProblemsFound with everything missing or malformed."""
    town = _read_town(game)
    port, example = (game.sections["rules"]["map"].get(name) for name in ("port", "example"))
    problems = []
    if port not in town:
        place = game.places.place("rules", "map", "port")
        problems.append(Problem(place, "rules.map.port is no place", did_you_mean(str(port), town)))
    if not isinstance(example, Mapping) or not all(isinstance(board, str) for board in example.values()):
        place = game.places.place("rules", "map", "example")
        problems.append(Problem(place, "rules.map.example must name boards by place", "write {p0: x}"))
    if problems:
        raise ProblemsFound(problems)
    figure, zones = (names_of(game, "map", name) for name in ("figure", "zones"))
    return TownMap(town, str(port), figure, zones, example)


def _read_town(game: Game) -> Town:
    reader = FactReader(game)
    numbers = reader.read_rows("map", "positions", columns=("row", "x", "zone"))
    reader.raise_problems()
    town: dict[str, Area] = {}
    problems = []
    for n, row in enumerate(numbers):
        entry, place = game.sections["rules"]["map"]["positions"][n], game.places.place("rules", "map", "positions", n)
        name, beside = entry.get("id"), entry.get("next")
        if not isinstance(name, str) or name in town:
            problems.append(Problem(place, f"a place of the map needs an id of its own, not {name}", "write `id: p0`"))
        elif not isinstance(beside, tuple):
            problems.append(Problem(place, f"{name} does not say what is next to it", "add `next: [p1, p3]`"))
        else:
            town[name] = Area(row["row"], row["x"], row["zone"], beside)
    if problems:
        raise ProblemsFound(problems)
    return town
