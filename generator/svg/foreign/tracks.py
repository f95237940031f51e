"""Outlines that text runs along."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

from generator.model.geometry import Matrix, times
from generator.model.outline import flatten
from generator.model.path_data import canonical_as_far


class Track:
    """An outline as straight pieces, with its length."""

    def __init__(self, points: Sequence[tuple[float, float]]):
        self._points = points
        steps = [math.dist(before, after) for before, after in pairwise(points)]
        self._ways = [0.0, *accumulate(steps)]
        self.length = self._ways[-1]

    def at(self, way: float) -> tuple[float, float, float] | None:
        """The point so far along it, and the direction there in degrees; None beyond its ends."""
        if not 0 <= way <= self.length:
            return None
        at = min(max(bisect_right(self._ways, way) - 1, 0), len(self._points) - 2)
        (x, y), (px, py) = self._points[at], self._points[at + 1]
        whole = self._ways[at + 1] - self._ways[at]
        part = (way - self._ways[at]) / whole if whole else 0.0
        return x + (px - x) * part, y + (py - y) * part, math.degrees(math.atan2(py - y, px - x))


@lru_cache(maxsize=64)
def track_of(data: str, matrix: Matrix) -> Track | None:
    """The outline of path data as a line, in user units; None where it has none."""
    fine = 100.0
    path = canonical_as_far(data, times((fine, 0.0, 0.0, fine, 0.0, 0.0), matrix))[0]
    loops = flatten(path)
    points = [(x / fine, y / fine) for x, y in (loops[0].points if loops else ())]
    if path.split(" M ")[0].endswith("Z") and points:
        points.append(points[0])
    points = [point for at, point in enumerate(points) if not at or point != points[at - 1]]
    return Track(points) if len(points) > 1 else None
