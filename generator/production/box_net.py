"""The net of a tuck box from its deck's measures: walls, lid, flaps, thumb notch. In mm."""

import math
from collections.abc import Mapping

from generator.base.dataclass import dataclass
from generator.base.display_list import number
from generator.base.geometry import QUARTER, Matrix, Point, Rect, Size
from generator.game.model import FaceName
from generator.sheets.nets import Net

PLAY = (1.5, 1.0, 1.0)
"""How much wider, higher and deeper than its cards a box is inside."""

SLEEVE = 3.0
"""How much wider and higher than its card a sleeve is: what most makers' sleeves for 63 x 88 mm measure."""

LEAST_DEPTH = 6.0
"""A thinner box can't be folded neatly; a small deck has room to spare."""

OVER = 2.0
"""How far art goes on beyond a wall's edge, over a cut or onto a flap."""

_AIR = 0.3
"""What lid and floor are narrower at each side than the walls that they come between."""

_TUCK_AIR, _TUCK_ROUND = 0.8, 6.0


@dataclass(frozen=True, slots=True)
class BoxedDeck:
    """Cards that share a box: their trim, how many they are, how thick one is; the film of a sleeve, 0 for none."""

    card: Size
    count: int
    stock: float
    sleeve: float = 0.0

    @property
    def thickness(self) -> float:
        """Of the whole deck."""
        return self.count * (self.stock + 2 * self.sleeve)

    @property
    def size(self) -> Size:
        """Of what is put into the box, seen from the front."""
        more = SLEEVE if self.sleeve else 0.0
        return Size(self.card.width + more, self.card.height + more)


@dataclass(frozen=True, slots=True)
class TuckBox:
    """A box of walls `width` x `height` (front and back) and `depth` (sides), from fold to fold, of so thick a stock.

    `tuck` is the length of the lid's flap, `foot` of the floor's, `glue` of the side's, `dust` of the four small ones,
    `notch` the radius of the thumb's.
    """

    width: float
    height: float
    depth: float
    stock: float

    @property
    def inside(self) -> tuple[float, float, float]:
        """Width, height and depth of the room within.

        A fold takes half a thickness at each end; above and below lie dust flaps, behind the front the side's glue flap
        and the lid's flap.
        """
        return (self.width - self.stock, self.height - 3 * self.stock, self.depth - 3 * self.stock)

    @property
    def tuck(self) -> float:
        """Long enough to hold."""
        return min(18.0, 0.25 * self.height)

    @property
    def foot(self) -> float:
        """Long enough to be glued on."""
        return min(14.0, 0.2 * self.height)

    @property
    def glue(self) -> float:
        """Never wider than a third of the front that it lies behind."""
        return min(12.0, 0.3 * self.width)

    @property
    def dust(self) -> float:
        """Two of them lie under the lid side by side and never meet."""
        return min(18.0, 0.5 * self.width - 1.0)

    @property
    def notch(self) -> float:
        """As wide as a thumb, where the front is."""
        return min(9.0, 0.16 * self.width)

    def net(self) -> Net:
        """The flat outline, seen from outside: front, right side, back with lid and floor, left side, glue flap.

        Fold everything backwards. The lid's art reaches over its whole flap. Lid and floor have their heads towards the
        back: the lid is read from the front, the floor when the box is tipped over backwards.
        """
        w, d = self.width, self.depth
        x1, x2, x3, x4 = w, w + d, 2 * w + d, 2 * w + 2 * d
        lid, floor = self.tuck + d, self.tuck + d + self.height
        lid_width = w - 2 * _AIR
        foot, side = self._foot(), self._side()
        return Net(
            width=x4 + self.glue,
            height=floor + d + self.foot,
            outline=_path(self._outline(), closed=True),
            folds=(
                *(((x, lid), (x, floor)) for x in (x1, x2, x3, x4)),
                ((x2 + _AIR, lid), (x3 - _AIR, lid)),
                ((x2 + _AIR, self.tuck), (x3 - _AIR, self.tuck)),
                ((x2 + _AIR, floor), (x3 - _AIR, floor)),
                ((x2 + _AIR, floor + d), (x3 - _AIR, floor + d)),
                *(((x + _AIR, y), (x + d - _AIR, y)) for x in (x1, x3) for y in (lid, floor)),
            ),
            glue=(_path([(point,) for point in side], closed=True), _path([(point,) for point in foot], closed=True)),
            faces=self._places(x1, x2, x3, lid, floor),
            clips=self._clips(lid_width),
        )

    def face_size(self, face: FaceName) -> Size:
        """The trim of a wall's picture."""
        if face in ("front", "back"):
            return Size(self.width, self.height)
        if face in ("left", "right"):
            return Size(self.depth, self.height)
        return Size(self.width - 2 * _AIR, self.depth)

    def face_bleed(self, face: FaceName) -> float:
        """How far the picture of a wall must reach beyond it: that of the lid covers its flap too."""
        return self.tuck + OVER if face == "top" else OVER

    def _places(self, x1: float, x2: float, x3: float, lid: float, floor: float) -> Mapping[FaceName, Matrix]:
        return {
            "front": (1.0, 0.0, 0.0, 1.0, 0.0, lid),
            "right": (1.0, 0.0, 0.0, 1.0, x1, lid),
            "back": (1.0, 0.0, 0.0, 1.0, x2, lid),
            "left": (1.0, 0.0, 0.0, 1.0, x3, lid),
            "top": (-1.0, 0.0, 0.0, -1.0, x3 - _AIR, lid),
            "bottom": (1.0, 0.0, 0.0, 1.0, x2 + _AIR, floor),
        }

    def _clips(self, lid_width: float) -> Mapping[FaceName, Rect]:
        """More than each wall wherever no other one adjoins it."""
        w, h, d = self.width, self.height, self.depth
        return {
            "front": Rect(-OVER, -OVER, w + OVER, h + 2 * OVER),
            "right": Rect(0, -OVER, d, h + 2 * OVER),
            "back": Rect(0, 0, w, h),
            "left": Rect(0, -OVER, d + OVER, h + 2 * OVER),
            "top": Rect(-OVER, 0, lid_width + 2 * OVER, d + self.tuck + OVER),
            "bottom": Rect(-OVER, 0, lid_width + 2 * OVER, d + OVER),
        }

    def _outline(self) -> list[tuple[Point, ...]]:
        """All around, clockwise from the front's upper left corner: single points, and curves by three points."""
        w, d, r = self.width, self.depth, self.notch
        x1, x2, x3 = w, w + d, 2 * w + d
        lid, floor = self.tuck + d, self.tuck + d + self.height
        middle, reach = w / 2, r * QUARTER
        return [
            ((0.0, lid),),
            ((middle - r, lid),),
            ((middle - r, lid + reach), (middle - reach, lid + r), (middle, lid + r)),
            ((middle + reach, lid + r), (middle + r, lid + reach), (middle + r, lid)),
            ((x1, lid),),
            *((point,) for point in self._dust(x1, lid, -1)),
            *self._lid(x2, x3, lid),
            *((point,) for point in self._dust(x3, lid, -1)),
            *((point,) for point in self._side()),
            *((point,) for point in reversed(self._dust(x3, floor, 1))),
            *((point,) for point in self._floor()),
            *((point,) for point in reversed(self._dust(x1, floor, 1))),
            ((x1, floor),),
            ((0.0, floor),),
        ]

    def _dust(self, x: float, y: float, way: int) -> list[Point]:
        """A dust flap on the side wall that begins at x, from left to right; `way` is -1 upwards, 1 downwards."""
        left, right = x + _AIR, x + self.depth - _AIR
        slant = min(2.0, 0.2 * self.depth)
        end = y + way * self.dust
        return [(left, y), (left + slant, end), (right - slant, end), (right, y)]

    def _lid(self, x2: float, x3: float, lid: float) -> list[tuple[Point, ...]]:
        left, right = x2 + _AIR, x3 - _AIR
        r = min(_TUCK_ROUND, 0.5 * self.tuck)
        inner, outer, k = left + _TUCK_AIR, right - _TUCK_AIR, r * (1 - QUARTER)
        return [
            ((left, lid),),
            ((left, self.tuck),),
            ((inner, self.tuck),),
            ((inner, r),),
            ((inner, k), (inner + k, 0.0), (inner + r, 0.0)),
            ((outer - r, 0.0),),
            ((outer - k, 0.0), (outer, k), (outer, r)),
            ((outer, self.tuck),),
            ((right, self.tuck),),
            ((right, lid),),
        ]

    def _side(self) -> list[Point]:
        """The flap that the front's left edge is glued on, from above."""
        x = 2 * self.width + 2 * self.depth
        top, bottom = self.tuck + self.depth, self.tuck + self.depth + self.height
        # Behind the front the floor's flap comes up to its lower end, along a line that is less steep.
        above, below = 0.5 * self.glue, self.foot
        return [(x, top), (x + self.glue, top + above), (x + self.glue, bottom - below), (x, bottom)]

    def _foot(self) -> list[Point]:
        """The floor's flap, from the right: behind the front it stays clear of the side's flap."""
        y = self.tuck + 2 * self.depth + self.height
        right, left = 2 * self.width + self.depth - _AIR, self.width + self.depth + _AIR
        return [(right, y), (right - self.glue - 1.0, y + self.foot), (left + 2.0, y + self.foot), (left, y)]

    def _floor(self) -> list[Point]:
        """Floor and its flap, from the right."""
        right, left = 2 * self.width + self.depth - _AIR, self.width + self.depth + _AIR
        y = self.tuck + self.depth + self.height
        return [(right, y), *self._foot(), (left, y)]


def tuck_box(deck: BoxedDeck, board: float) -> TuckBox:
    """The box that takes a deck with a little play, of stock `board` mm thick; ValueError for no cards."""
    if deck.count < 1:
        raise ValueError("a box needs at least one card")
    wide, high, deep = PLAY
    return TuckBox(
        width=_up(deck.size.width + wide + board),
        height=_up(deck.size.height + high + 3 * board),
        depth=max(LEAST_DEPTH, _up(deck.thickness + deep + 3 * board)),
        stock=board,
    )


def _up(length: float) -> float:
    """To the next tenth: nobody can fold more exactly."""
    return math.ceil(round(length * 10, 6)) / 10


def _path(steps: list[tuple[Point, ...]], closed: bool) -> str:
    parts = []
    for at, points in enumerate(steps):
        letter = "M" if at == 0 else "L" if len(points) == 1 else "C"
        parts.append(" ".join([letter, *(number(value) for point in points for value in point)]))
    return " ".join([*parts, "Z"] if closed else parts)
