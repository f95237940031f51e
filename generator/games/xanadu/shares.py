"""Share gauges of draft 18: where a token goes, who ranks how, what the ranks are worth. A gauge is a row of seats."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

Gauge: TypeAlias = tuple[int, ...]
"""The seats whose tokens lie in an area's boxes, from the left."""


class ZonePay(NamedTuple):
    """The VP of first, second ... in the areas of a zone, at both scorings."""

    interim: tuple[int, ...]
    final: tuple[int, ...]


def place(gauge: Gauge, boxes: int, seat: int) -> tuple[Gauge, int | None]:
    """The gauge with a token of `seat`, and whose token was pushed out of the last box, if it was full."""
    if len(gauge) < boxes:
        return (*gauge, seat), None
    return (*gauge[:-1], seat), gauge[-1]


def ranking(gauge: Gauge) -> tuple[int, ...]:
    """The seats with tokens, best first: more tokens, and among equals whose leftmost token lies farther left."""
    tokens = Counter(gauge)
    return tuple(sorted(tokens, key=lambda seat: (-tokens[seat], gauge.index(seat))))


def majority(gauges: Iterable[tuple[Gauge, Sequence[int]]]) -> Mapping[int, int]:
    """The VP of each seat from all areas; each comes with what it pays for first, second ..."""
    vp = Counter[int]()
    for gauge, pays in gauges:
        for seat, won in zip(ranking(gauge), pays, strict=False):
            vp[seat] += won
    return dict(vp)


def rank_sum(
    gauges: Iterable[Gauge], seat: int, players: int, absent: Literal["next", "players", "ignore"] = "next"
) -> int:
    """The sum of a seat's ranks over all areas, which breaks ties; `absent` says what counts without a token (E29)."""
    total = 0
    for gauge in gauges:
        ranked = ranking(gauge)
        if seat in ranked:
            total += ranked.index(seat) + 1
        elif absent != "ignore":
            total += len(ranked) + 1 if absent == "next" else players
    return total
