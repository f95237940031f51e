"""The town of draft 18: which places its figure has, what is next to what, and how far it is from the Port."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

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
