"""The net of a tuck box: walls, lid, flaps and thumb notch, from the size of its deck. Lengths are in mm."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.base.display_list import format_mm
from generator.base.geometry import QUARTER, Point, Rect, Size
from generator.game.model import FaceName
from generator.sheets.nets import Net

BOX_CLEARANCE = (1.5, 1.0, 1.0)
"""Extra width, height and depth inside a box, compared with its cards (mm)."""

SLEEVE = 3.0
"""Extra width and height of a sleeve, compared with its card (mm): that of most sleeves for 63 x 88 mm."""

LEAST_DEPTH = 6.0
"""Smallest depth of a box (mm): a thinner box can't be folded neatly."""

ART_OVERLAP = 2.0
"""Length by which the art of a wall extends over its edge, onto the next wall or a flap, or past a cut (mm)."""

_AIR = 0.3
"""Gap at each side of the lid and the floor, so that they fit between the walls (mm)."""

_TUCK_AIR, _TUCK_ROUND = 0.8, 6.0

Step = Point | tuple[Point, Point, Point]
"""A step of an outline: a line to a point, or a curve to the last of three."""


@dataclass(frozen=True, slots=True)
class BoxedDeck:
    """Cards that share a box: card size, count, thickness of a card, and film thickness of a sleeve (0 without one)."""

    card: Size
    count: int
    stock: float
    sleeve: float = 0.0

    @property
    def thickness(self) -> float:
        """Return the thickness of the whole deck (mm)."""
        return self.count * (self.stock + 2 * self.sleeve)

    @property
    def size(self) -> Size:
        """Return the width and height of the sleeved cards (mm)."""
        more = SLEEVE if self.sleeve else 0.0
        return Size(self.card.width + more, self.card.height + more)


@dataclass(frozen=True, slots=True)
class TuckBox:
    """A tuck box, to be cut from one sheet: front and back are `width` x `height`, sides are `depth` wide (mm).

    `stock` is the thickness of its cardboard. `tuck` is the length of the lid's flap, `foot` of the floor's flap,
    `glue` of the side's flap and `dust` of the four small flaps; `notch` is the radius of the thumb notch.
    """

    width: float
    height: float
    depth: float
    stock: float

    @property
    def inner_size(self) -> tuple[float, float, float]:
        """Return the inner width, height and depth (mm).

        A fold takes half the thickness of the stock at each end. Dust flaps take height; the glue flap and the lid's
        flap take depth behind the front.
        """
        return (self.width - self.stock, self.height - 3 * self.stock, self.depth - 3 * self.stock)

    @property
    def tuck(self) -> float:
        """Return the length of the lid's flap: long enough to hold (mm)."""
        return min(18.0, 0.25 * self.height)

    @property
    def foot(self) -> float:
        """Return the length of the floor's flap: long enough to be glued on (mm)."""
        return min(14.0, 0.2 * self.height)

    @property
    def glue(self) -> float:
        """Return the width of the glue flap: at most a third of the front that covers it (mm)."""
        return min(12.0, 0.3 * self.width)

    @property
    def dust(self) -> float:
        """Return the length of a dust flap (mm). Two of them fit side by side under the lid."""
        return min(18.0, 0.5 * self.width - 1.0)

    @property
    def notch(self) -> float:
        """Return the radius of the thumb notch in the front (mm)."""
        return min(9.0, 0.16 * self.width)

    def build_net(self) -> Net:
        """Return the flat net, seen from outside: front, right side, back with lid and floor, left side, glue flap.

        All folds go backwards. The lid's art covers its whole flap. The tops of lid and floor point to the back: the
        lid is read from the front, the floor after tipping the box over backwards.
        """
        w, d = self.width, self.depth
        x1, x2, x3, x4 = w, w + d, 2 * w + d, 2 * w + 2 * d
        lid, floor = self.tuck + d, self.tuck + d + self.height
        foot, side = self._build_floor_flap(), self._build_side_flap()
        return Net(
            width=x4 + self.glue,
            height=floor + d + self.foot,
            outline=_build_path(self._build_outline()),
            folds=(
                *(((x, lid), (x, floor)) for x in (x1, x2, x3, x4)),
                ((x2 + _AIR, lid), (x3 - _AIR, lid)),
                ((x2 + _AIR, self.tuck), (x3 - _AIR, self.tuck)),
                ((x2 + _AIR, floor), (x3 - _AIR, floor)),
                ((x2 + _AIR, floor + d), (x3 - _AIR, floor + d)),
                *(((x + _AIR, y), (x + d - _AIR, y)) for x in (x1, x3) for y in (lid, floor)),
            ),
            glue=(_build_path(side), _build_path(foot)),
            faces={
                "front": (1.0, 0.0, 0.0, 1.0, 0.0, lid),
                "right": (1.0, 0.0, 0.0, 1.0, x1, lid),
                "back": (1.0, 0.0, 0.0, 1.0, x2, lid),
                "left": (1.0, 0.0, 0.0, 1.0, x3, lid),
                "top": (-1.0, 0.0, 0.0, -1.0, x3 - _AIR, lid),
                "bottom": (1.0, 0.0, 0.0, 1.0, x2 + _AIR, floor),
            },
            clips=self._build_clips(),
        )

    def face_size(self, face: FaceName) -> Size:
        """Return the size of the art on a wall (mm)."""
        if face in ("front", "back"):
            return Size(self.width, self.height)
        if face in ("left", "right"):
            return Size(self.depth, self.height)
        return Size(self.width - 2 * _AIR, self.depth)

    def face_bleed(self, face: FaceName) -> float:
        """Return how far the art of a wall must extend beyond it (mm). The lid's art covers its flap too."""
        return self.tuck + ART_OVERLAP if face == "top" else ART_OVERLAP

    def _build_clips(self) -> Mapping[FaceName, Rect]:
        """Return the area where each wall's art is visible: it extends past edges with no other wall next to them."""
        w, h, d = self.width, self.height, self.depth
        lid_width = w - 2 * _AIR
        return {
            "front": Rect(-ART_OVERLAP, -ART_OVERLAP, w + ART_OVERLAP, h + 2 * ART_OVERLAP),
            "right": Rect(0, -ART_OVERLAP, d, h + 2 * ART_OVERLAP),
            "back": Rect(0, 0, w, h),
            "left": Rect(0, -ART_OVERLAP, d + ART_OVERLAP, h + 2 * ART_OVERLAP),
            "top": Rect(-ART_OVERLAP, 0, lid_width + 2 * ART_OVERLAP, d + self.tuck + ART_OVERLAP),
            "bottom": Rect(-ART_OVERLAP, 0, lid_width + 2 * ART_OVERLAP, d + ART_OVERLAP),
        }

    def _build_outline(self) -> Sequence[Step]:
        """Return the outline clockwise from the front's upper left corner."""
        w, d, r = self.width, self.depth, self.notch
        x1, x2, x3 = w, w + d, 2 * w + d
        lid, floor = self.tuck + d, self.tuck + d + self.height
        middle, reach = w / 2, r * QUARTER
        right, left = 2 * self.width + self.depth - _AIR, self.width + self.depth + _AIR
        y = self.tuck + self.depth + self.height
        return [
            (0.0, lid), (middle - r, lid), ((middle - r, lid + reach), (middle - reach, lid + r), (middle, lid + r)),
            ((middle + reach, lid + r), (middle + r, lid + reach), (middle + r, lid)), (x1, lid),
            *self._build_dust_flap(x1, lid, -1), *self._build_lid(x2, x3, lid), *self._build_dust_flap(x3, lid, -1),
            *self._build_side_flap(), *reversed(self._build_dust_flap(x3, floor, 1)),
            *((right, y), *self._build_floor_flap(), (left, y)), *reversed(self._build_dust_flap(x1, floor, 1)),
            (x1, floor), (0.0, floor),
        ]  # fmt: skip

    def _build_dust_flap(self, x: float, y: float, way: int) -> list[Point]:
        """Return a dust flap on the side wall that begins at x, left to right; `way` is -1 for up and 1 for down."""
        left, right = x + _AIR, x + self.depth - _AIR
        slant = min(2.0, 0.2 * self.depth)
        end = y + way * self.dust
        return [(left, y), (left + slant, end), (right - slant, end), (right, y)]

    def _build_lid(self, x2: float, x3: float, lid: float) -> Sequence[Step]:
        left, right = x2 + _AIR, x3 - _AIR
        r = min(_TUCK_ROUND, 0.5 * self.tuck)
        inner, outer, k = left + _TUCK_AIR, right - _TUCK_AIR, r * (1 - QUARTER)
        return [
            (left, lid), (left, self.tuck), (inner, self.tuck), (inner, r),
            ((inner, k), (inner + k, 0.0), (inner + r, 0.0)), (outer - r, 0.0),
            ((outer - k, 0.0), (outer, k), (outer, r)), (outer, self.tuck), (right, self.tuck), (right, lid),
        ]  # fmt: skip

    def _build_side_flap(self) -> list[Point]:
        """Return the flap that the front's left edge is glued onto, from the top."""
        x = 2 * self.width + 2 * self.depth
        top, bottom = self.tuck + self.depth, self.tuck + self.depth + self.height
        # Behind the front the floor's flap reaches the lower end of this flap, along a less steep line.
        above, below = 0.5 * self.glue, self.foot
        return [(x, top), (x + self.glue, top + above), (x + self.glue, bottom - below), (x, bottom)]

    def _build_floor_flap(self) -> list[Point]:
        """Return the floor's flap, from the right. Behind the front it does not touch the side's flap."""
        y = self.tuck + 2 * self.depth + self.height
        right, left = 2 * self.width + self.depth - _AIR, self.width + self.depth + _AIR
        return [(right, y), (right - self.glue - 1.0, y + self.foot), (left + 2.0, y + self.foot), (left, y)]


def fit_tuck_box(deck: BoxedDeck, board: float) -> TuckBox:
    """Return the box that fits a deck, made of stock `board` mm thick. Raise ValueError for a deck without cards."""
    if deck.count < 1:
        raise ValueError("a box needs at least one card")
    wide, high, deep = BOX_CLEARANCE
    width, height = _round_up(deck.size.width + wide + board), _round_up(deck.size.height + high + 3 * board)
    return TuckBox(width, height, max(LEAST_DEPTH, _round_up(deck.thickness + deep + 3 * board)), board)


def _round_up(length: float) -> float:
    """Round mm up to a tenth: folds are not more exact."""
    return math.ceil(round(length * 10, 6)) / 10


def _build_path(steps: Sequence[Step]) -> str:
    parts = []
    for at, step in enumerate(steps):
        points = [step] if isinstance(step[0], float) else step
        letter = "M" if at == 0 else "L" if len(points) == 1 else "C"
        parts.append(" ".join([letter, *(format_mm(value) for point in points for value in point)]))
    return " ".join([*parts, "Z"])
