"""The free strips around a sheet's art: where cut marks run and where rulers and label find a place beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.sheets.imposition import MARK_ROOM, MARK_STANDOFF, Axis
from generator.units import Rect

Side: TypeAlias = Literal["top", "bottom", "left", "right"]

SPOT_DEPTH = 3.0
"""How deep a ruler or a line of text is, mm: 6 pt type with ascenders and descenders."""

CLEARANCE = 0.5
"""The least distance between a mark and what stands beside it, mm."""

_OPPOSITE: dict[Side, Side] = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for one ruler or line of text; in an upright strip it is read from the sheet's right side, upwards."""

    box: Rect
    side: Side

    @property
    def angle(self) -> float:
        """Degrees clockwise that its contents are turned."""
        return 270.0 if self.side in ("left", "right") else 0.0

    def at(self, along: float, across: float) -> tuple[float, float]:
        """The page point that lies `along` mm from where reading starts and `across` mm below its upper edge."""
        if self.angle:
            return round(self.box.x, 3) + across, round(self.box.bottom, 3) - along
        return round(self.box.x, 3) + along, round(self.box.y, 3) + across


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark at one end of a cut or fold line, from its end near the art to its outer end, page coordinates."""

    side: Side
    inner: tuple[float, float]
    outer: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Lane:
    side: Side
    box: Rect

    @property
    def start(self) -> float:
        return self.box.x if self.side in ("top", "bottom") else self.box.y

    @property
    def end(self) -> float:
        return self.box.right if self.side in ("top", "bottom") else self.box.bottom

    def spot(self, start: float, length: float) -> Spot:
        if self.side in ("top", "bottom"):
            return Spot(Rect(start, self.box.y, length, SPOT_DEPTH), self.side)
        return Spot(Rect(self.box.x, start, SPOT_DEPTH, length), self.side)


@dataclass(slots=True)
class Slug:
    """The strips between `art` and `printable`, filled spot by spot.

    `verticals` are the x of vertical cut and fold lines, `horizontals` the y of horizontal ones, ascending. With
    `plain`, spots are taken without regard to marks: what fits then doesn't depend on the lines.
    """

    art: Rect
    printable: Rect
    verticals: Sequence[float] = ()
    horizontals: Sequence[float] = ()
    plain: bool = False
    spots: list[Spot] = field(default_factory=list)

    def keep_free(self, boxes: Sequence[Rect]) -> "Slug":
        """Neither spots nor marks come into these boxes, which lie in corners: they count for both of their sides."""
        for box in boxes:
            upper = box.y + box.height / 2 < self.printable.y + self.printable.height / 2
            left = box.x + box.width / 2 < self.printable.x + self.printable.width / 2
            self.spots += [Spot(box, "top" if upper else "bottom"), Spot(box, "left" if left else "right")]
        return self

    def take(self, length: float, prefer: Sequence[Side]) -> Spot | None:
        """The best free spot of this length (mm), None when there is no room.

        Best is one that shortens no mark, then one whose lines have whole marks at their other ends; among equals the
        sides come as in `prefer`.
        """
        best: tuple[tuple[int, int], Spot] | None = None
        for side in prefer:
            for lane in self._lanes(side):
                for spot in self._candidates(lane, length):
                    if not self._free(spot):
                        continue
                    cost = (0, 0) if self.plain else self._cost(spot)
                    if best is None or cost < best[0]:
                        best = (cost, spot)
        if best is None:
            return None
        self.spots.append(best[1])
        return best[1]

    def ends(self, axis: Axis, line: float) -> tuple[Mark, Mark]:
        """The marks at both ends of a vertical line at x = `line` or a horizontal one at y = `line`.

        They reach from the art to the printable edge, so that a trimmer's rail can be laid along them, and are shorter
        only where a spot lies.
        """
        sides: tuple[Side, Side] = ("top", "bottom") if axis == "vertical" else ("left", "right")
        return self._mark(sides[0], line), self._mark(sides[1], line)

    def _lanes(self, side: Side) -> Iterator[_Lane]:
        """Rows for spots from the printable edge inwards, as many as leave the marks their least length."""
        outer = self.printable
        depth = _depth(self.art, outer, side) - MARK_ROOM
        pitch = SPOT_DEPTH + CLEARANCE
        for row in range(max(0, int((depth + _SLACK) // pitch))):
            inset = row * pitch
            if side == "top":
                yield _Lane(side, Rect(outer.x, outer.y + inset, outer.width, SPOT_DEPTH))
            elif side == "bottom":
                yield _Lane(side, Rect(outer.x, outer.bottom - inset - SPOT_DEPTH, outer.width, SPOT_DEPTH))
            elif side == "left":
                yield _Lane(side, Rect(outer.x + inset, outer.y, SPOT_DEPTH, outer.height))
            else:
                yield _Lane(side, Rect(outer.right - inset - SPOT_DEPTH, outer.y, SPOT_DEPTH, outer.height))

    def _candidates(self, lane: _Lane, length: float) -> Iterator[Spot]:
        """Spots between marks, at the start, right after a mark, beside a taken spot, at the end."""
        starts: list[float] = []
        lines = [] if self.plain else list(self._lines(lane.side))
        if lines:
            starts += [(a + b - length) / 2 for a, b in pairwise([lane.start, *lines, lane.end])]
        starts.append(lane.start)
        starts += [line + CLEARANCE for line in lines]
        for spot in self.spots:
            begin, end = _extent(spot.box, lane.side)
            starts += [end + 2 * CLEARANCE, begin - 2 * CLEARANCE - length]
        starts.append(lane.end - length)
        for start in starts:
            if start >= lane.start - _SLACK and start + length <= lane.end + _SLACK:
                yield lane.spot(start, length)

    def _free(self, spot: Spot) -> bool:
        room = spot.box.grown(CLEARANCE)
        return not any(room.meets(other.box) for other in self.spots)

    def _cost(self, spot: Spot) -> tuple[int, int]:
        """How many lines would have no whole mark left, and how many marks would be shortened."""
        covered = [line for line in self._lines(spot.side) if _covers(spot, line)]
        other = [taken for taken in self.spots if taken.side == _OPPOSITE[spot.side]]
        lost = sum(1 for line in covered if any(_covers(taken, line) for taken in other))
        return lost, len(covered)

    def _lines(self, side: Side) -> Sequence[float]:
        return self.verticals if side in ("top", "bottom") else self.horizontals

    def _mark(self, side: Side, line: float) -> Mark:
        boxes = [spot.box for spot in self.spots if spot.side == side and _covers(spot, line)]
        art, outer = self.art, self.printable
        if side == "top":
            end = max([outer.y, *(box.bottom + CLEARANCE for box in boxes)])
            return Mark(side, (line, art.y - MARK_STANDOFF), (line, end))
        if side == "bottom":
            end = min([outer.bottom, *(box.y - CLEARANCE for box in boxes)])
            return Mark(side, (line, art.bottom + MARK_STANDOFF), (line, end))
        if side == "left":
            end = max([outer.x, *(box.right + CLEARANCE for box in boxes)])
            return Mark(side, (art.x - MARK_STANDOFF, line), (end, line))
        end = min([outer.right, *(box.x - CLEARANCE for box in boxes)])
        return Mark(side, (art.right + MARK_STANDOFF, line), (end, line))


def _depth(art: Rect, printable: Rect, side: Side) -> float:
    depths: dict[Side, float] = {
        "top": art.y - printable.y,
        "bottom": printable.bottom - art.bottom,
        "left": art.x - printable.x,
        "right": printable.right - art.right,
    }
    return depths[side]


def _extent(box: Rect, side: Side) -> tuple[float, float]:
    return (box.x, box.right) if side in ("top", "bottom") else (box.y, box.bottom)


def _covers(spot: Spot, line: float) -> bool:
    begin, end = _extent(spot.box, spot.side)
    return begin - CLEARANCE < line < end + CLEARANCE
