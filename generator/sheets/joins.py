"""What is printed where a board's parts are glued together: tinted strips and triangles that point at the join."""

from collections.abc import Iterator, Sequence

from generator.model.drawing import Item, Shape, number
from generator.sheets.folding import TINT
from generator.sheets.marks import DARK, LIGHT
from generator.units import Rect

LAP = 2.0
"""How far art goes on across a join, mm, so that a hair's misalignment or an inexact cut shows no white."""

_DEEP, _HALF = 3.6, 1.4
"""A triangle from its point to its base and half of its base, mm."""

_CASING = 1.6
"""How much wider the light triangle below it is."""

_HAIR = 0.2

_APART = 50.0
_INSET = 8.0
"""Triangles stand about so far apart, mm, the outer ones so far from the ends of the join."""


def glue_items(art: Rect, window: Rect, cut: Rect, strips: tuple[bool, bool]) -> Iterator[Item]:
    """The tint on the strips at the right and below (`strips`) up to the cut, bare paper from there to the art's end.

    `window` is the part's own picture, `cut` what is cut out. The first millimetres of a strip keep their art.
    """
    right, below = strips
    # A little more than the art, so that nothing of it glimmers at the edges.
    art = art.grown(_HAIR)
    start = (window.right + LAP if right else art.right, window.bottom + LAP if below else art.bottom)
    tint_end = (cut.right if right else art.right, cut.bottom if below else art.bottom)
    yield Shape(path=_angle(art, start, (art.right, art.bottom)), fill=LIGHT, role="glue")
    yield Shape(path=_angle(art, start, tint_end), fill=TINT, role="glue")


def pointers(start: float, length: float) -> list[float]:
    """Where along a join triangles stand: an even number, so that the middle is free for words."""
    gaps = 2 * round((length / _APART - 1) / 2) + 1
    first, step = start + _INSET, (length - 2 * _INSET) / gaps
    return [first + n * step for n in range(gaps + 1)]


def pointer_items(points: Sequence[tuple[str, float, float]]) -> Iterator[Item]:
    """Dark triangles on a light ground, points on the joins at (x, y), each in the strip on its side of the join.

    The neighbour's edge lies right when it just covers the points.
    """
    for paint, scale in ((LIGHT, _CASING), (DARK, 1.0)):
        path = " ".join(_triangle(side, x, y, scale) for side, x, y in points)
        yield Shape(path=path, fill=paint, role="mark")


def _triangle(side: str, x: float, y: float, scale: float) -> str:
    deep, half = _DEEP, _HALF * scale
    if side == "right":
        return _outline((x, y), (x + deep, y - half), (x + deep, y + half))
    return _outline((x, y), (x + half, y + deep), (x - half, y + deep))


def _angle(art: Rect, start: tuple[float, float], end: tuple[float, float]) -> str:
    """What lies right of or below the point `start`, as far as `end`: one piece, so that no seam shows."""
    return _outline((start[0], art.y), (end[0], art.y), end, (art.x, end[1]), (art.x, start[1]), start)


def _outline(*points: tuple[float, float]) -> str:
    return "M " + " L ".join(f"{number(x)} {number(y)}" for x, y in points) + " Z"
