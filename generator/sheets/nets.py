"""Nets: the flat outlines that are cut out, folded and glued into a cube or a standing pawn. Geometry in mm, y down."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from generator.dataclass import dataclass
from generator.model.drawing import number
from generator.model.game import FaceName
from generator.model.geometry import Matrix, Point
from generator.model.outline import rectangle
from generator.units import Rect

Fold: TypeAlias = tuple[Point, Point]

OVER = 1.0
"""How far art may go beyond its face, over a cut or onto a flap, mm: as much as scissors go astray."""

FLAP_SHARE, FLAP_LEAST, FLAP_MOST, FLAP_WIDEST_SHARE = 0.4, 4.0, 10.0, 0.45
"""A flap's depth: a share of the edge, but 4 mm for fingers where two flaps still pass under one face, and 10 mm hold
the largest cube."""

FLAP_SLANT = math.tan(math.radians(30))
"""How much a flap narrows on each side for each mm of depth: room for scissors in the corner, and for the next wall."""


@dataclass(frozen=True, slots=True)
class Net:
    """What is cut along `outline` (a closed canonical path), folded along `folds` and glued at `glue` (closed paths).

    `faces` takes face coordinates to the net's; `clips` is what may be printed of each face, in face coordinates: the
    face, and a little more over cuts and onto flaps, but never over a fold onto another face.
    """

    width: float
    height: float
    outline: str
    folds: tuple[Fold, ...]
    glue: tuple[str, ...]
    faces: Mapping[FaceName, Matrix]
    clips: Mapping[FaceName, Rect]


CUBE_CELLS: Mapping[FaceName, tuple[int, int]] = {
    "top": (1, 0),
    "left": (0, 1),
    "front": (1, 1),
    "right": (2, 1),
    "back": (3, 1),
    "bottom": (1, 2),
}
"""Column and row of each side in the cross; all lie upright, so that pictures do when the cube is turned."""

_CROSS = (
    *((1, 0), (2, 0), (2, 1), (3, 1), (4, 1), (4, 2), (3, 2)),
    *((2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)),
)
"""The corners of the cross, clockwise. Its edges meet in pairs when folded, and every other one, from the first on, has
the flap for its pair: the lids' far ends, the side walls' ends and the strip's end."""

_INNER_FOLDS = (((1, 1), (1, 2)), ((2, 1), (2, 2)), ((3, 1), (3, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)))


def cube_net(edge: float) -> Net:
    """A cross of six squares of `edge` mm; no side has flaps under it at two neighbouring edges, so none collide.

    Fold all edges backwards, glue the strip to a ring (back's flap under left), then close top and bottom: each rests
    on the flaps of left and right and is tucked in behind the back.
    """
    depth = flap_depth(edge)

    def at(cell: tuple[int, int]) -> Point:
        return cell[0] * edge, cell[1] * edge + depth

    outline: list[Point] = []
    glue: list[str] = []
    folds: list[Fold] = [(at(start), at(end)) for start, end in _INNER_FOLDS]
    for index, (start, end) in enumerate(pairwise([*_CROSS, _CROSS[0]])):
        outline.append(at(start))
        if index % 2 == 0:
            flap = _flap(at(start), at(end), depth)
            outline += flap[1:3]
            glue.append(_closed_path(flap))
            folds.append((at(start), at(end)))
    return Net(
        width=4 * edge + depth,
        height=3 * edge + 2 * depth,
        outline=_closed_path(outline),
        folds=tuple(folds),
        glue=tuple(glue),
        faces={face: (1.0, 0.0, 0.0, 1.0, *at(cell)) for face, cell in CUBE_CELLS.items()},
        clips={face: _within_folds(edge, cell) for face, cell in CUBE_CELLS.items()},
    )


def flap_depth(edge: float) -> float:
    """How deep a flap on an edge of a cube is, mm."""
    return min(max(FLAP_SHARE * edge, FLAP_LEAST), FLAP_WIDEST_SHARE * edge, FLAP_MOST)


def standee_net(width: float, height: float, foot: float) -> Net:
    """A strip that stands as an inverted T: from below a foot, the front, the back upside down, a foot.

    It is folded backwards at the head and the blank insides of front and back are glued together; nothing of that
    shows, so nothing is tinted there. The feet are folded outwards to stand on their blank sides, by which they may be
    glued on a base.
    """
    head, total = foot + height, 2 * (foot + height)
    levels = (foot, head, total - foot)
    return Net(
        width=width,
        height=total,
        outline=rectangle(Rect(0, 0, width, total)),
        folds=tuple([((0.0, y), (width, y)) for y in levels]),
        glue=tuple([rectangle(Rect(0, y, width, foot)) for y in (0.0, total - foot)]),
        faces={"front": (1.0, 0.0, 0.0, 1.0, 0.0, head), "back": (-1.0, 0.0, 0.0, -1.0, width, head)},
        clips=dict.fromkeys(("front", "back"), Rect(-OVER, 0, width + 2 * OVER, height + OVER)),
    )


def _flap(start: Point, end: Point, depth: float) -> tuple[Point, Point, Point, Point]:
    """The trapezoid on the left of an edge (outside, for a clockwise outline), its base first."""
    length = math.dist(start, end)
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out = along[1] * depth, -along[0] * depth
    inset = along[0] * depth * FLAP_SLANT, along[1] * depth * FLAP_SLANT
    near = start[0] + out[0] + inset[0], start[1] + out[1] + inset[1]
    far = end[0] + out[0] - inset[0], end[1] + out[1] - inset[1]
    return start, near, far, end


def _within_folds(edge: float, cell: tuple[int, int]) -> Rect:
    """What may be printed of a cube's side: more than the side wherever no other one adjoins it."""
    taken = set(CUBE_CELLS.values())
    x, y = cell
    left, right, above, below = (
        0.0 if beside in taken else OVER for beside in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    )
    return Rect(0.0 - left, 0.0 - above, edge + left + right, edge + above + below)


def _closed_path(points: Sequence[Point]) -> str:
    return f"M {' L '.join(f'{number(x)} {number(y)}' for x, y in points)} Z"
