"""Whether a fill covers a spot: an outline's edges sorted into rows, so that a spot is held against few of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from generator.model import outline

Edge: TypeAlias = tuple[float, float, float, float]
"""A straight line from x0, y0 to x1, y1."""

_IN_A_ROW = 8
_MOST_ROWS = 64


@dataclass(frozen=True, slots=True)
class Fill:
    """An outline's edges by the rows that they pass, each `height` high, the first from `top` on."""

    top: float
    height: float
    rows: tuple[tuple[Edge, ...], ...]

    def covers(self, x: float, y: float, even_odd: bool = False) -> bool:
        """Whether the fill covers the point: what `outline.inside` says, which looks at all edges."""
        at = self.row_at(y) if y >= self.top else -1
        winding = crossings = 0
        for x0, y0, x1, y1 in self.rows[at] if 0 <= at < len(self.rows) else ():
            if (y0 <= y) != (y1 <= y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                winding += 1 if y1 > y0 else -1
                crossings += 1
        return crossings % 2 == 1 if even_odd else winding != 0

    def row_at(self, y: float) -> int:
        """The number of the row at a height that is not above the top."""
        return int((y - self.top) / self.height)


NOTHING = Fill(0.0, 1.0, ())


@lru_cache(maxsize=4096)
def fill_of(path: str, tolerance: float) -> Fill:
    """The fill of a path whose curves are followed to within `tolerance`."""
    edges = list(_edges(outline.flatten(path, tolerance)))
    if not edges:
        return NOTHING
    top = min(min(y0, y1) for _, y0, _, y1 in edges)
    bottom = max(max(y0, y1) for _, y0, _, y1 in edges)
    number = min(_MOST_ROWS, 1 + len(edges) // _IN_A_ROW)
    fill = Fill(top, (bottom - top) / number, ())
    rows: list[list[Edge]] = [[] for _ in range(number + 1)]  # one more for the bottom itself
    for edge in edges:
        _, y0, _, y1 = edge
        for row in range(fill.row_at(min(y0, y1)), fill.row_at(max(y0, y1)) + 1):
            rows[row].append(edge)
    return Fill(fill.top, fill.height, tuple(map(tuple, rows)))


def _edges(loops: tuple[outline.Loop, ...]) -> Iterator[Edge]:
    """All edges but level ones, which no spot's line crosses; open lines are closed, as when painting."""
    for loop in loops:
        x0, y0 = loop.points[-1]
        for x1, y1 in loop.points:
            if y0 != y1:
                yield x0, y0, x1, y1
            x0, y0 = x1, y1
