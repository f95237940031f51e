"""Folds a flat net in space by its own fold lines, for tests: parts hang on those with which they share a fold."""

from itertools import pairwise
from math import dist

Point = tuple[float, float]
Space = tuple[float, float, float]
"""x to the right, y down, z away from who looks at the front."""
Fold = tuple[Point, Point]


def near(a: tuple[float, ...], b: tuple[float, ...], slack: float = 0.01) -> bool:
    """Whether two points are one, but for the rounding of paths."""
    return dist(a, b) <= slack


def turned(point: Space, a: Space, b: Space, sign: int) -> Space:
    """A point turned by a quarter about the axis through a and b."""
    length = dist(a, b)
    u = [(q - p) / length for p, q in zip(a, b, strict=True)]
    v = [q - p for p, q in zip(a, point, strict=True)]
    along = sum(p * q for p, q in zip(u, v, strict=True))
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    x, y, z = (p + along * q + sign * c for p, q, c in zip(a, u, cross, strict=True))
    return x, y, z


def folded(parts: dict[str, list[Point]], folds: tuple[Fold, ...], start: str) -> dict[str, list[Space]]:
    """Where each part's corners come to lie when every fold is made backwards (to z > 0) by a quarter.

    A part hangs on another where both have an edge along one fold; the part `start` stays where it is.
    """
    placed: dict[str, list[Space]] = {}

    def unfold(name: str, turns: list[tuple[Space, Space, int]]) -> None:
        points: list[Space] = [(x, y, 0.0) for x, y in parts[name]]
        for a, b, sign in reversed(turns):
            points = [turned(point, a, b, sign) for point in points]
        placed[name] = points
        for a, b in folds:
            for other, corners in parts.items():
                if other not in placed and along(parts[name], a, b) and along(corners, a, b):
                    flat: tuple[Space, Space] = ((*a, 0.0), (*b, 0.0))
                    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners), 0.0)
                    sign = 1 if turned(middle, *flat, 1)[2] > 0 else -1
                    unfold(other, [*turns, (*flat, sign)])

    unfold(start, [])
    return placed


def along(part: list[Point], a: Point, b: Point) -> bool:
    """Whether an edge of the part covers the fold from a to b, up to 0.9 mm at its ends."""
    return any(_covers(p, q, a, b) for p, q in pairwise([*part, part[0]]))


def _covers(p: Point, q: Point, a: Point, b: Point) -> bool:
    if dist(p, q) < 1e-6:
        return False
    straight = all(
        abs((q[0] - p[0]) * (c[1] - p[1]) - (q[1] - p[1]) * (c[0] - p[0])) / dist(p, q) < 0.01 for c in (a, b)
    )
    ends = min(dist(p, a) + dist(q, b), dist(p, b) + dist(q, a))
    return straight and ends < 1.8 and dist(a, b) > 1.0


def apart(one: list[Point], other: list[Point], slack: float = 0.001) -> bool:
    """Whether two convex polygons share no area."""
    for shape in (one, other):
        for (x0, y0), (x1, y1) in pairwise([*shape, shape[0]]):
            nx, ny = y1 - y0, x0 - x1
            length = (nx * nx + ny * ny) ** 0.5
            if length < 1e-9:
                continue
            ends = [[((x - x0) * nx + (y - y0) * ny) / length for x, y in points] for points in (one, other)]
            if max(ends[0]) <= min(ends[1]) + slack or max(ends[1]) <= min(ends[0]) + slack:
                return True
    return False
