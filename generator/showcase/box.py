"""A tuck box that stands: front, lid and right side in an oblique projection, no perspective. All in mm."""

from collections.abc import Iterator, Mapping

from generator.athome.tuck_box import TuckBox
from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Group, Item, Paint, Shape, number
from generator.model.game import FaceName
from generator.model.geometry import QUARTER, Matrix, Point
from generator.model.outline import rectangle
from generator.showcase.things import SHADE, scaled_path, soft_shape
from generator.units import Rect

_AWAY = (0.6, -0.4)
"""Where a mm of depth goes: to the right and up, three quarters as long as it is."""

_DARKER: Mapping[FaceName, float] = {"front": 0.0, "right": 0.3}
_LIGHTER = 0.1
"""Light falls on the lid, and past the right side."""


@dataclass(frozen=True, slots=True)
class BoxShown:
    """A box with its walls’ pictures, the front’s upper left corner at (0, 0); `inside` is its flap’s colour."""

    box: TuckBox
    walls: Mapping[FaceName, Drawing]
    inside: Paint

    @property
    def width(self) -> float:
        """Of its front."""
        return self.box.width

    @property
    def height(self) -> float:
        """Of its front."""
        return self.box.height

    @property
    def _back(self) -> Point:
        return self.box.depth * _AWAY[0], self.box.depth * _AWAY[1]

    def corners(self) -> tuple[Point, ...]:
        """The corners of what it covers, without its shadow."""
        x, y = self._back
        return (0, y), (self.width + x, y), (self.width + x, self.height), (0, self.height)

    def items(self) -> Iterator[Item]:
        """Its shadow on the ground, its three walls and the notch."""
        w, h = self.width, self.height
        x, y = self._back
        lies = _polygon((0.03 * w, h), (w, h), (w + x + 0.42 * w, h + y + 0.03 * h), (0.3 * w + x, h + y))
        yield soft_shape(tuple(scaled_path(lies, 4.0 - 0.55 * n) for n in range(14)), density=0.042)
        foot = _polygon((0, h - 2), (w, h - 2), (w + x, h + y - 1), (w + x, h + y + 1.2), (w, h + 1.4), (0, h + 1.4))
        yield soft_shape(tuple(scaled_path(foot, 1.2 - 0.2 * n) for n in range(8)), density=0.06)
        deep = self.box.depth
        lid = self.box.face_size("top")
        yield self._wall("front", Rect(0, 0, w, h), (1, 0, 0, 1, 0, 0))
        yield self._wall("right", Rect(0, 0, deep, h), (_AWAY[0], _AWAY[1], 0, 1, w, 0))
        across = w / lid.width
        yield self._wall("top", Rect(0, 0, lid.width, deep), (across, 0, -_AWAY[0], -_AWAY[1], x, y))
        yield from self._notch()
        edges = f"M 0 0 L {number(w)} 0 L {number(w)} {number(h)} M {number(w)} 0 L {number(w + x)} {number(y)}"
        yield Group((Shape(path=edges, stroke="#ffffff", width=0.25),), opacity=0.28)

    def _wall(self, name: FaceName, box: Rect, at: Matrix) -> Group:
        path = rectangle(box)
        parts: list[Item] = [Group(self.walls[name].items, clip=path)]
        dark = _DARKER.get(name)
        if dark is None:
            parts.append(Group((Shape(path=path, fill="#ffffff"),), opacity=_LIGHTER))
        elif dark:
            parts.append(Group((Shape(path=path, fill=SHADE),), opacity=dark))
        return Group(tuple(parts), at)

    def _notch(self) -> Iterator[Item]:
        """The half circle in the front, in which the lid's flap shows."""
        m, r = self.width / 2, self.box.notch
        k = r * QUARTER
        numbers = (m - r, 0, m - r, k, m - k, r, m, r, m + k, r, m + r, k, m + r, 0)
        a, b, *rest = (number(value) for value in numbers)
        path = f"M {a} {b} C {' '.join(rest[:6])} C {' '.join(rest[6:])} Z"
        yield Shape(path=path, fill=self.inside)
        yield Group((Shape(path=path, fill=SHADE),), opacity=0.25)
        yield Group((Shape(path=path, stroke=SHADE, width=0.3),), opacity=0.5)


def _polygon(*points: Point) -> str:
    first, *others = (f"{number(x)} {number(y)}" for x, y in points)
    return f"M {first} {' '.join(f'L {point}' for point in others)} Z"
