"""Things as they lie on a table: a face with the thickness of its stock, in light from the upper left. All in mm."""

from collections.abc import Iterator
from math import cos, radians, sin

from generator.dataclass import dataclass
from generator.model.colour import mix
from generator.model.drawing import Drawing, Group, Item, Shape
from generator.model.game import Kind
from generator.model.geometry import IDENTITY, Matrix, Point, map_point, times
from generator.model.outline import bounds
from generator.sheets.guides import rounded_box
from generator.units import Rect

SHADE = "#14100c"
"""What shadows are of: a black that is a little warm."""

PAPER, PAPER_DARK = "#f3efe6", "#b9b1a2"
"""The edge of card stock: towards the light, and away from it."""

_FALL = (0.55, 0.85)
"""Which way edges and shadows fall, for each mm of height."""

_LAYERS, _DENSITY = 14, 0.034
"""A soft shadow is so many outlines above each other, each so dense: half of the light is left in its midst."""

_CARD, _BOARD = 0.3, 1.6
"""How thick things are."""

_EDGE_STEP = 0.32


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A face to be laid out, its upper left corner at (0, 0); `outline` is where it is cut, `thick` its height."""

    face: Drawing
    outline: str
    corner: float
    thick: float
    """Of a deck it is that of all its cards."""

    @property
    def box(self) -> Rect:
        """What it covers."""
        return Rect(0, 0, self.face.width, self.face.height)

    def corners(self, at: Matrix) -> tuple[Point, ...]:
        """Where its corners come to lie."""
        box = self.box
        return tuple(map_point(at, one) for one in ((0, 0), (box.right, 0), (box.right, box.bottom), (0, box.bottom)))


def thing_of(face: Drawing, kind: Kind, cards: int = 1) -> Exhibit:
    """A piece of a kind, or so many of them on each other."""
    corner = kind.corner if kind.form == "card" and not kind.outline else 0.0
    outline = kind.outline or rounded_box(Rect(0, 0, face.width, face.height), corner)
    thick = _CARD * cards if kind.form in ("card", "pad") else _BOARD
    return Exhibit(face, outline, corner, thick)


def placed(x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> Matrix:
    """The matrix that scales, turns by degrees clockwise around (0, 0), and then moves there."""
    c, s = scale * cos(radians(turn)), scale * sin(radians(turn))
    return (c, s, -s, c, x, y)


def lying(thing: Exhibit, at: Matrix) -> Iterator[Item]:
    """The thing where the matrix takes it: its shadow, its edge, its face. Light comes from the same side always."""
    scale = abs(at[0] * at[3] - at[1] * at[2]) ** 0.5
    yield from _shadow(thing, at, scale)
    yield from _edge(thing, at, scale)
    line = Shape(path=thing.outline, stroke=SHADE, width=0.12)
    yield Group((Group(thing.face.items, clip=thing.outline), Group((line,), opacity=0.35)), at)


def _shadow(thing: Exhibit, at: Matrix, scale: float) -> Iterator[Item]:
    """Sharp where the thing touches the table, softer and further away the higher it is."""
    far = min(1.2 + thing.thick, 9.0)
    soft = min(1.4 + 0.7 * thing.thick, 6.0)
    moved = times(_shift(far * scale), at)
    yield soft_shape(tuple(_grown(thing, soft * (1 - 2 * n / (_LAYERS - 1))) for n in range(_LAYERS)), moved)


def soft_shape(outlines: tuple[str, ...], at: Matrix = IDENTITY, density: float = _DENSITY) -> Group:
    """Outlines within each other as one soft dark shape."""
    return Group(tuple(Group((Shape(path=path, fill=SHADE),), opacity=density) for path in outlines), at)


def _edge(thing: Exhibit, at: Matrix, scale: float) -> Iterator[Item]:
    """The stock seen from the side, as if from slightly above: of a deck, card by card."""
    steps = max(1, round(thing.thick / _EDGE_STEP))
    for n in range(steps, 0, -1):
        paint = mix(PAPER, PAPER_DARK, 0.55 if n == steps else 0.75 * (n % 2))
        yield Group((Shape(path=thing.outline, fill=paint),), times(_shift(0.8 * n * _EDGE_STEP * scale), at))


def _shift(far: float) -> Matrix:
    return (1.0, 0.0, 0.0, 1.0, _FALL[0] * far, _FALL[1] * far)


def _grown(thing: Exhibit, by: float) -> str:
    """The outline, larger by so much on each side; of one that is no box, as a whole."""
    if thing.outline == rounded_box(thing.box, thing.corner):
        return rounded_box(thing.box.grown(by), max(thing.corner + by, 0.4))
    return scaled_path(thing.outline, by)


def scaled_path(path: str, by: float) -> str:
    """A closed path around its middle, its width and height larger by twice as much."""
    box = bounds(path) or Rect(0, 0, 1, 1)
    x, y = box.x + box.width / 2, box.y + box.height / 2
    wide, high = 1 + 2 * by / box.width, 1 + 2 * by / box.height
    values: list[str] = []
    across = True
    for part in path.split():
        if part.isalpha():
            values.append(part)
            across = True
            continue
        middle, factor = (x, wide) if across else (y, high)
        values.append(f"{middle + (float(part) - middle) * factor:.3f}")
        across = not across
    return " ".join(values)


def in_frame(items: tuple[Item, ...], scale: float, x: float, y: float) -> Group:
    """Items of a scene's own measure, scaled and moved to where the scene lies in the picture."""
    return Group(items, (scale, 0.0, 0.0, scale, x, y))
