"""The town: its places, what is next to what, how far it is from the Port; and what the data say of it."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.games.engine.facts import FactReader
from generator.games.xanadu.facts import names_of
from generator.model.game import Game

PORT = "◆"
ZONE_SIGNS = {"①": 1, "②": 2, "③": 3, "□": 0}
"""How the draft's figures draw the Port, and the zones for scoring."""


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
    """(row, x, sign) of every square of a figure, row by row; shorter rows lie in the middle."""
    widest = max(map(len, figure), default=0)
    for row, signs in enumerate(figure):
        for n, sign in enumerate(signs):
            yield row, widest - len(signs) + 2 * n, sign


def edges(town: Town, adjacency: Literal["offset", "square_shift"]) -> set[Edge]:
    """Pairs of neighbours as the places lie: half a board apart from row to row, or whole boards on a square grid."""
    touching = _touch_offset if adjacency == "offset" else _touch_square
    return {frozenset((a, b)) for a, b in combinations(town, 2) if touching(town[a], town[b])}


def stated_edges(town: Town) -> set[tuple[str, str]]:
    """Every (place, next place) that the data state, in each direction that they state it."""
    return {(name, beside) for name, area in town.items() for beside in area.next}


def distances(start: str, pairs: set[Edge]) -> Mapping[str, int]:
    """Steps from a place to every place that can be reached."""
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


def _touch_offset(a: Area, b: Area) -> bool:
    return (abs(a.row - b.row), abs(a.x - b.x)) in {(0, 2), (1, 1)}


def _touch_square(a: Area, b: Area) -> bool:
    """Rows of two are shifted to the right until they lie below whole boards."""
    return abs(a.row - b.row) + abs((a.x + 1) // 2 - (b.x + 1) // 2) == 1


# ---------------------------------------------------------------------------------------------------------------------
# What the data say of it


@dataclass(frozen=True, slots=True)
class TownMap:
    """The town: places by id, the one that is the Port, both figures, and a board for each place as an example."""

    town: Town
    port: str
    figure: tuple[str, ...]
    zones: tuple[str, ...]
    example: Mapping[str, str]


def map_of(game: Game) -> TownMap:
    """The map of the data; ProblemsFound with all that is missing or malformed."""
    town = _town(game)
    port, example = _given(game, "port"), _given(game, "example")
    problems = []
    if port not in town:
        problems.append(Problem(_place(game, "port"), "rules.map.port is no place", did_you_mean(str(port), town)))
    if not isinstance(example, Mapping) or not all(isinstance(board, str) for board in example.values()):
        problems.append(
            Problem(_place(game, "example"), "rules.map.example must name boards by place", "write {p0: x}")
        )
    if problems:
        raise ProblemsFound(problems)
    figure, zones = (names_of(game, "map", name) for name in ("figure", "zones"))
    return TownMap(town, str(port), figure, zones, example)


def spot(game: Game, name: str) -> Place | None:
    """Where the data describe a place of the map."""
    entries = game.sections["rules"]["map"]["positions"]
    number = next((n for n, entry in enumerate(entries) if entry.get("id") == name), len(entries))
    return game.places.place("rules", "map", "positions", number)


def _town(game: Game) -> Town:
    reader = FactReader(game)
    numbers = reader.rows("map", "positions", columns=("row", "x", "zone"))
    reader.finish()
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


def _given(game: Game, name: str) -> Any:
    return game.sections["rules"]["map"].get(name)


def _place(game: Game, name: str) -> Place | None:
    return game.places.place("rules", "map", name)
