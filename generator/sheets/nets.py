"""Nets of cubes and standing pawns, and the faces on them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from generator.base.display_list import Drawing, Group, Item, Shape, format_mm
from generator.base.geometry import Matrix, Point, Rect
from generator.base.outlines import rectangle_path
from generator.game.model import FaceName
from generator.sheets.page_marks import CASING, DARK, LIGHT, LINE, draw_cut_line, make_closed_path

Fold: TypeAlias = tuple[Point, Point]

OVER = 1.0
"""Width of the art beyond a face, over a cut or onto a flap (mm): the accuracy of scissors."""

FLAP_SHARE, FLAP_LEAST, FLAP_MOST, FLAP_WIDEST_SHARE = 0.4, 4.0, 10.0, 0.45
"""Depth of a flap as a share of the edge, with its bounds in mm. A flap has at least 4 mm for the fingers, as long as
two flaps fit under one face, and 10 mm hold the largest cube."""

FLAP_SLANT = math.tan(math.radians(30))
"""How much a flap narrows on each side per mm of depth: room for scissors in the corner and for the next wall."""


@dataclass(frozen=True, slots=True)
class Net:
    """An unfolded solid: cut along `outline` (a closed path), folded along `folds`, glued at `glue` (closed paths).

    `faces` maps face coordinates to the net's. `clips` is the printable area of each face in face coordinates: the face
    and a little more over cuts and onto flaps, but never over a fold onto another face.
    """

    width: float
    height: float
    outline: str
    folds: tuple[Fold, ...]
    glue: tuple[str, ...]
    faces: Mapping[FaceName, Matrix]
    clips: Mapping[FaceName, Rect]


CUBE_CELLS: Mapping[FaceName, tuple[int, int]] = {
    "top": (1, 0), "left": (0, 1), "front": (1, 1), "right": (2, 1), "back": (3, 1), "bottom": (1, 2),
}  # fmt: skip
"""Column and row of each side in the cross. All sides are upright, so pictures stay upright when the cube is turned."""

_CROSS = (
    *((1, 0), (2, 0), (2, 1), (3, 1), (4, 1), (4, 2), (3, 2)),
    *((2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)),
)
"""The corners of the cross, clockwise. Its edges meet in pairs when folded. Every other edge, starting with the first,
has the flap of its pair: the far ends of the lids, the ends of the side walls and the end of the strip."""

_INNER_FOLDS = (((1, 1), (1, 2)), ((2, 1), (2, 2)), ((3, 1), (3, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)))


def make_cube_net(edge: float) -> Net:
    """Return a cross of six squares of `edge` mm. No side has flaps at two adjacent edges, so flaps never collide.

    Fold all edges backwards, glue the strip to a ring (back's flap under left), then close top and bottom: each rests
    on the flaps of left and right and is tucked in behind the back.
    """
    depth = measure_flap(edge)

    def at(cell: tuple[int, int]) -> Point:
        return cell[0] * edge, cell[1] * edge + depth

    outline: list[Point] = []
    glue: list[str] = []
    folds: list[Fold] = [(at(start), at(end)) for start, end in _INNER_FOLDS]
    for index, (start, end) in enumerate(pairwise([*_CROSS, _CROSS[0]])):
        outline.append(at(start))
        if index % 2 == 0:
            flap = _make_flap(at(start), at(end), depth)
            outline += flap[1:3]
            glue.append(make_closed_path(flap))
            folds.append((at(start), at(end)))
    return Net(
        width=4 * edge + depth,
        height=3 * edge + 2 * depth,
        outline=make_closed_path(outline),
        folds=tuple(folds),
        glue=tuple(glue),
        faces={face: (1.0, 0.0, 0.0, 1.0, *at(cell)) for face, cell in CUBE_CELLS.items()},
        clips={face: _clip_side(edge, cell) for face, cell in CUBE_CELLS.items()},
    )


def measure_flap(edge: float) -> float:
    """Return the depth of a flap on an edge of a cube (mm)."""
    return min(max(FLAP_SHARE * edge, FLAP_LEAST), FLAP_WIDEST_SHARE * edge, FLAP_MOST)


def make_standee_net(width: float, height: float, foot: float) -> Net:
    """Return a strip that stands as an inverted T: from below a foot, the front, the back upside down, a foot.

    It is folded backwards at the head, and the blank insides of front and back are glued together. They are hidden, so
    they have no tint. The feet are folded outwards to stand on their blank sides, which may be glued to a base.
    """
    head, total = foot + height, 2 * (foot + height)
    levels = (foot, head, total - foot)
    return Net(
        width=width,
        height=total,
        outline=rectangle_path(Rect(0, 0, width, total)),
        folds=tuple([((0.0, y), (width, y)) for y in levels]),
        glue=tuple([rectangle_path(Rect(0, y, width, foot)) for y in (0.0, total - foot)]),
        faces={"front": (1.0, 0.0, 0.0, 1.0, 0.0, head), "back": (-1.0, 0.0, 0.0, -1.0, width, head)},
        clips=dict.fromkeys(("front", "back"), Rect(-OVER, 0, width + 2 * OVER, height + OVER)),
    )


def _make_flap(start: Point, end: Point, depth: float) -> tuple[Point, Point, Point, Point]:
    """Return the trapezoid of this depth left of an edge (outside a clockwise outline), its base first."""
    length = math.dist(start, end)
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out = along[1] * depth, -along[0] * depth
    inset = along[0] * depth * FLAP_SLANT, along[1] * depth * FLAP_SLANT
    near = start[0] + out[0] + inset[0], start[1] + out[1] + inset[1]
    far = end[0] + out[0] - inset[0], end[1] + out[1] - inset[1]
    return start, near, far, end


def _clip_side(edge: float, cell: tuple[int, int]) -> Rect:
    """Return the printable area of a cube's side at a cell of the net: larger wherever no other side adjoins."""
    taken = set(CUBE_CELLS.values())
    x, y = cell
    around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    left, right, above, below = (0.0 if beside in taken else OVER for beside in around)
    return Rect(0.0 - left, 0.0 - above, edge + left + right, edge + above + below)


TINT = "#e3e3e3"
"""Colour of glue areas: a grey that every printer shows and thin paper hides."""

FOLD_DASH = (0.8, 0.8)


def draw_net(net: Net, faces: Mapping[FaceName, Drawing]) -> Drawing:
    """Draw the net with its faces, lines above the art. Raise ValueError if a face is missing.

    A face's bleed shows only where both the net's clip and the face's own bleed allow it.
    """
    missing = [face for face in net.faces if face not in faces]
    if missing:
        raise ValueError(f"a net of {', '.join(net.faces)} needs {', '.join(missing)}")
    front = faces["front"]
    over = CASING
    items: list[Item] = [Shape(path=" ".join(net.glue), fill=TINT, role="glue")]
    for face, matrix in net.faces.items():
        drawing = faces[face]
        shown = net.clips[face].intersect(Rect(0, 0, drawing.width, drawing.height).grow(drawing.bleed))
        over = max(over, -shown.x, -shown.y, shown.right - drawing.width, shown.bottom - drawing.height)
        items.append(Group(drawing.items, matrix, rectangle_path(shown), id=face))
    # Dark dashes with light ones between them: visible on any background, invisible on the folded edge.
    path = " ".join(f"M {format_mm(x)} {format_mm(y)} L {format_mm(u)} {format_mm(v)}" for (x, y), (u, v) in net.folds)
    items.append(Shape(path=path, stroke=LIGHT, width=LINE, role="fold"))
    items.append(Shape(path=path, stroke=DARK, width=LINE, dash=FOLD_DASH, role="fold"))
    items += draw_cut_line(net.outline, Rect(0, 0, net.width, net.height))
    return Drawing(net.width, net.height, over, tuple(items), front.lang, front.title, front.description)
