"""Lines so thin that screens would show them a whole pixel wide: as outlines that are filled, which stay as thin.

Programs that show PDFs draw no line thinner than a pixel, so that a drawing's fine hatching becomes a dark patch.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from generator.model.drawing import Shape
from generator.model.outline import flatten
from generator.svg.outlines import Segment, written

_HAIR = 1 / 1200
"""Of a drawing's longer side: a line half as thick as a pixel of 600 dpi on a card."""

_MOST_POINTS = 20_000
_BEND = math.cos(math.radians(8))
"""A line that turns by less has no corner."""

_Point = tuple[float, float]


def as_thin(line: Shape, side: float) -> Shape:
    """A line of a drawing with so long a side, filled where it is thin; as it is where it is not, dashed or long."""
    if not 0 < line.width < side * _HAIR or line.dash:
        return line
    loops = flatten(line.path)
    if sum(len(loop.points) for loop in loops) > _MOST_POINTS:
        return line
    parts: list[Segment] = []
    for loop in loops:
        for corners in _pieces(loop.points, loop.closed, line):
            parts += [("M", corners[0]), *[("L", corner) for corner in corners[1:]], ("Z", ())]
    return replace(line, path=written(parts), fill=line.stroke, stroke=None, width=0.0, even_odd=False)


def _pieces(points: Sequence[_Point], closed: bool, line: Shape) -> Iterator[list[_Point]]:
    """A box for each straight piece of a line, and what fills its corners; all turn the same way."""
    half = line.width / 2
    way = [point for at, point in enumerate(points) if not at or math.dist(point, points[at - 1]) > 1e-6]
    if closed and len(way) > 1:
        way.append(way[0])
    pieces = [(a, b, math.dist(a, b)) for a, b in pairwise(way)]
    pieces = [piece for piece in pieces if piece[2] > 1e-6]
    straight = [((b[0] - a[0]) / far, (b[1] - a[1]) / far) for a, b, far in pieces]
    beyond = 0.0 if line.cap == "butt" or closed else half
    for at, ((start, end, _), (dx, dy)) in enumerate(zip(pieces, straight, strict=True)):
        before, after = (beyond if at == 0 else 0.0), (beyond if at == len(pieces) - 1 else 0.0)
        ax, ay, bx, by = start[0] - dx * before, start[1] - dy * before, end[0] + dx * after, end[1] + dy * after
        x, y = -dy * half, dx * half
        yield [(ax + x, ay + y), (bx + x, by + y), (bx - x, by - y), (ax - x, ay - y)]
    turns = list(pairwise(range(len(pieces))))
    if closed and len(pieces) > 1:
        turns.append((len(pieces) - 1, 0))
    for one, other in turns:
        yield from _corner(pieces[one][1], straight[one], straight[other], half, line)


def _corner(at: _Point, before: _Point, after: _Point, half: float, line: Shape) -> Iterator[list[_Point]]:
    """What lies on the outer side of a corner."""
    along = before[0] * after[0] + before[1] * after[1]
    turn = before[0] * after[1] - before[1] * after[0]
    if along > _BEND:
        return
    side = -half if turn > 0 else half
    first, last = (-before[1] * side, before[0] * side), (-after[1] * side, after[0] * side)
    corners = [at, (at[0] + first[0], at[1] + first[1]), (at[0] + last[0], at[1] + last[1])]
    limit = {"miter": line.miter, "round": 1.4, "bevel": 1.0}[line.join]
    if 1 + along > 2 / limit**2:  # the tip lies within the limit
        tip = (first[0] + last[0]) / (1 + along), (first[1] + last[1]) / (1 + along)
        corners.insert(2, (at[0] + tip[0], at[1] + tip[1]))
    yield corners[::-1] if turn > 0 else corners
