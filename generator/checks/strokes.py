"""Which stroke passes over a spot: a path's lines sorted into cells, so that a spot is held against few of them."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from generator.model import outline
from generator.model.geometry import Point

Line: TypeAlias = tuple[Point, Point]
Cells: TypeAlias = dict[tuple[int, int], list[outline.Loop]]

_SLACK = 1e-9
"""What rounding may cost where a line is put into cells, as a share of its coordinates."""


@lru_cache(maxsize=4096)
def line_cells(path: str, tolerance: float, reach: float, cell: float) -> Cells:
    """The lines of a path that come within `reach` of a spot of each cell; all lengths in the path's own units.

    Cell (column, row) begins at (column * cell, row * cell). Curves are followed to within `tolerance`.
    """
    cells: dict[tuple[int, int], list[outline.Loop]] = {}
    for loop in outline.flatten(path, tolerance):
        points = loop.points + loop.points[:1] if loop.closed or len(loop.points) == 1 else loop.points
        for line in pairwise(points):
            piece = outline.Loop(line, closed=False)
            for place in _passed(line, reach, cell):
                cells.setdefault(place, []).append(piece)
    return cells


def _passed(line: Line, reach: float, cell: float) -> Iterator[tuple[int, int]]:
    """The cells that a line with `reach` on each side may touch, row by row."""
    (x0, y0), (x1, y1) = line if line[0][1] <= line[1][1] else (line[1], line[0])
    reach += _SLACK * (1 + max(abs(x0), abs(x1), abs(y0), abs(y1)))
    for row in range(math.floor((y0 - reach) / cell), math.floor((y1 + reach) / cell) + 1):
        left, right = x0, x1
        if y1 - y0 > reach:  # what is nearly level passes a row in its whole length
            slope = (x1 - x0) / (y1 - y0)
            left = x0 + slope * (max(y0, row * cell - reach) - y0)
            right = x0 + slope * (min(y1, (row + 1) * cell + reach) - y0)
        low, high = min(left, right) - reach, max(left, right) + reach
        for column in range(math.floor(low / cell), math.floor(high / cell) + 1):
            yield column, row
