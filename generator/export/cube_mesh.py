"""A printed cube as a body for online tables: a Wavefront OBJ mesh and one picture with all six faces."""

from collections.abc import Mapping

from PIL import Image

from generator.model.drawing import number
from generator.model.game import CUBE_FACES, FaceName

COLUMNS = 3

_Corner = tuple[int, int, int]

CORNERS: Mapping[FaceName, tuple[_Corner, _Corner, _Corner, _Corner]] = {
    "front": ((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),
    "back": ((1, -1, -1), (-1, -1, -1), (-1, 1, -1), (1, 1, -1)),
    "left": ((-1, -1, -1), (-1, -1, 1), (-1, 1, 1), (-1, 1, -1)),
    "right": ((1, -1, 1), (1, -1, -1), (1, 1, -1), (1, 1, 1)),
    "top": ((-1, 1, 1), (1, 1, 1), (1, 1, -1), (-1, 1, -1)),
    "bottom": ((-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1)),
}
"""Each side seen from outside: lower left, lower right, upper right, upper left; y is up, z to the viewer."""


def cube_mesh(edge: float, pixels: int) -> str:
    """The mesh of a cube with this edge. Its picture has faces of so many pixels, in the order of `CUBE_FACES`."""
    lines = ["o cube"]
    for face in CUBE_FACES:
        lines += [f"v {' '.join(number(axis * edge / 2) for axis in corner)}" for corner in CORNERS[face]]
    inset = 0.5 / pixels  # half a pixel, so that no neighbour shines through at the edges
    for at in range(len(CUBE_FACES)):
        row, column = divmod(at, COLUMNS)
        left, right = (column + inset) / COLUMNS, (column + 1 - inset) / COLUMNS
        bottom, top = (1 - row + inset) / 2, (2 - row - inset) / 2
        lines += [f"vt {u:.6f} {v:.6f}" for u, v in ((left, bottom), (right, bottom), (right, top), (left, top))]
    lines += [f"vn {' '.join(map(str, _outward(face)))}" for face in CUBE_FACES]
    for at in range(len(CUBE_FACES)):
        first, normal = at * 4 + 1, at + 1
        for triangle in ((0, 1, 2), (0, 2, 3)):
            lines.append("f " + " ".join(f"{first + n}/{first + n}/{normal}" for n in triangle))
    return "\n".join(lines) + "\n"


def cube_picture(faces: Mapping[FaceName, Image.Image]) -> Image.Image:
    """Six faces of one size in one picture, three to a row."""
    width, height = faces["front"].size
    picture = Image.new("RGB", (COLUMNS * width, 2 * height), "white")
    for at, face in enumerate(CUBE_FACES):
        row, column = divmod(at, COLUMNS)
        picture.paste(faces[face], (column * width, row * height))
    return picture


def _outward(face: FaceName) -> tuple[int, ...]:
    """The direction that a side looks: the one axis on which its corners agree."""
    return tuple(axis[0] if len(set(axis)) == 1 else 0 for axis in zip(*CORNERS[face], strict=True))
