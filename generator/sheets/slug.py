"""The slug: free strips around the art of a sheet, and the lines of text in them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias
from unicodedata import east_asian_width

from generator.base.display_list import Item
from generator.base.geometry import MM_PER_PT, Rect
from generator.sheets.imposition import MARK_ROOM, MARK_STANDOFF, Axis

Side: TypeAlias = Literal["top", "bottom", "left", "right"]

SPOT_DEPTH = 3.0
"""Depth of a ruler or a line of text (mm): 6 pt type with ascenders and descenders."""

CLEARANCE = 0.5
"""Minimum distance between a mark and its neighbours (mm)."""

_OPPOSITE: dict[Side, Side] = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
_SLACK = 1e-6


class Spot(NamedTuple):
    """A place for one ruler or line of text; in an upright strip it is read from the sheet's right side, upwards."""

    box: Rect
    side: Side

    @property
    def angle(self) -> float:
        """Return the rotation of its contents (degrees clockwise)."""
        return 270.0 if self.side in ("left", "right") else 0.0

    def point_at(self, along: float, across: float) -> tuple[float, float]:
        """Return the page point `along` mm after the start of reading and `across` mm below the upper edge."""
        if self.angle:
            return round(self.box.x, 3) + across, round(self.box.bottom, 3) - along
        return round(self.box.x, 3) + along, round(self.box.y, 3) + across


class Mark(NamedTuple):
    """A mark at one end of a cut or fold line, from its end near the art to its outer end, page coordinates."""

    side: Side
    inner: tuple[float, float]
    outer: tuple[float, float]


@dataclass(slots=True, eq=False, repr=False)
class Slug:
    """The free strips between `art` and `printable`, and the spots (places of rulers and text lines) taken in them.

    `verticals` are the x of vertical cut and fold lines, `horizontals` the y of horizontal ones, ascending. With
    `plain`, spots ignore marks, so that the result does not depend on the lines.
    """

    art: Rect
    printable: Rect
    verticals: Sequence[float] = ()
    horizontals: Sequence[float] = ()
    plain: bool = False
    spots: list[Spot] = field(default_factory=list)

    def keep_free(self, boxes: Sequence[Rect]) -> "Slug":
        """Keep spots and marks out of boxes in the corners, each of which blocks both adjacent edges. Return self."""
        for box in boxes:
            upper = box.y + box.height / 2 < self.printable.y + self.printable.height / 2
            left = box.x + box.width / 2 < self.printable.x + self.printable.width / 2
            self.spots += [Spot(box, "top" if upper else "bottom"), Spot(box, "left" if left else "right")]
        return self

    def take_spot(self, length: float, prefer: Sequence[Side]) -> Spot | None:
        """Reserve the best free spot of this length (mm). Return None if there is no room.

        The best spot shortens no mark; the next best has whole marks at the other ends of its lines. In a tie the order
        of `prefer` decides.
        """
        best: tuple[tuple[int, int], Spot] | None = None
        for side in prefer:
            for lane in self._iter_lanes(side):
                for spot in self._iter_candidates(lane, side, length):
                    room = spot.box.grow(CLEARANCE)
                    if any(room.overlaps(other.box) for other in self.spots):
                        continue
                    cost = (0, 0) if self.plain else self._measure_cost(spot)
                    if best is None or cost < best[0]:
                        best = (cost, spot)
        if best is None:
            return None
        self.spots.append(best[1])
        return best[1]

    def find_marks(self, axis: Axis, line: float) -> tuple[Mark, Mark]:
        """Return the marks at both ends of a vertical line at x = `line` or a horizontal one at y = `line`.

        They extend from the art to the printable edge, as a guide for a trimmer's rail, and are shorter only at a spot.
        """
        sides: tuple[Side, Side] = ("top", "bottom") if axis == "vertical" else ("left", "right")
        return self._make_mark(sides[0], line), self._make_mark(sides[1], line)

    def _iter_lanes(self, side: Side) -> Iterator[Rect]:
        """Yield strips one text line deep along an edge, from outside inwards, leaving room for the shortest marks."""
        art, outer = self.art, self.printable
        depths: dict[Side, float] = {
            "top": art.y - outer.y,
            "bottom": outer.bottom - art.bottom,
            "left": art.x - outer.x,
            "right": outer.right - art.right,
        }
        pitch = SPOT_DEPTH + CLEARANCE
        for row in range(max(0, int((depths[side] - MARK_ROOM + _SLACK) // pitch))):
            inset = row * pitch
            if side in ("top", "bottom"):
                y = outer.y + inset if side == "top" else outer.bottom - inset - SPOT_DEPTH
                yield Rect(outer.x, y, outer.width, SPOT_DEPTH)
            else:
                x = outer.x + inset if side == "left" else outer.right - inset - SPOT_DEPTH
                yield Rect(x, outer.y, SPOT_DEPTH, outer.height)

    def _iter_candidates(self, lane: Rect, side: Side, length: float) -> Iterator[Spot]:
        """Yield spots of `length` mm: between marks, at the start, after a mark, beside a taken spot and at the end."""
        first, last = _find_extent(lane, side)
        lines = [] if self.plain else list(self._get_lines(side))
        starts = [(a + b - length) / 2 for a, b in pairwise([first, *lines, last])] if lines else []
        starts += [first, *(line + CLEARANCE for line in lines)]
        for spot in self.spots:
            begin, end = _find_extent(spot.box, side)
            starts += [end + 2 * CLEARANCE, begin - 2 * CLEARANCE - length]
        starts.append(last - length)
        for start in starts:
            if start >= first - _SLACK and start + length <= last + _SLACK:
                across = side in ("top", "bottom")
                box = Rect(start, lane.y, length, SPOT_DEPTH) if across else Rect(lane.x, start, SPOT_DEPTH, length)
                yield Spot(box, side)

    def _measure_cost(self, spot: Spot) -> tuple[int, int]:
        """Return the cost of a spot: lines that lose their whole marks at both ends, and marks that it shortens."""
        covered = [line for line in self._get_lines(spot.side) if _covers_line(spot, line)]
        other = [taken for taken in self.spots if taken.side == _OPPOSITE[spot.side]]
        lost = sum(1 for line in covered if any(_covers_line(taken, line) for taken in other))
        return lost, len(covered)

    def _get_lines(self, side: Side) -> Sequence[float]:
        return self.verticals if side in ("top", "bottom") else self.horizontals

    def _make_mark(self, side: Side, line: float) -> Mark:
        boxes = [spot.box for spot in self.spots if spot.side == side and _covers_line(spot, line)]
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


def _find_extent(box: Rect, side: Side) -> tuple[float, float]:
    return (box.x, box.right) if side in ("top", "bottom") else (box.y, box.bottom)


def _covers_line(spot: Spot, line: float) -> bool:
    begin, end = _find_extent(spot.box, spot.side)
    return begin - CLEARANCE < line < end + CLEARANCE


Label: TypeAlias = Callable[[int, int, str, str], str]
"""Function that returns the label's text: (sheet from 1, number of sheets, eight hex digits, "front" or "back") ->
text."""

Typeset: TypeAlias = Callable[[str, float, float, float, Literal["start", "middle", "end"], float], tuple[Item, ...]]
"""(text, x, y, size in pt, anchor start|middle|end, degrees clockwise) -> items; (x, y) is the baseline point in mm."""

LABEL_PT = 6.0
BASELINE = 2.3
"""Distance from a spot's upper edge to the baseline (mm); ascenders and descenders stay inside the spot."""

INDENT = 1.5
"""Distance from the beginning of a spot to the text (mm), so that a cut mark is not read as part of a letter."""

LABEL_SIDES: tuple[Side, ...] = ("bottom", "top", "right", "left")


def estimate_width(text: str, size: float = LABEL_PT) -> float:
    """Return the maximum width of a line in any usual font at `size` pt (mm). The real width may be smaller."""
    return sum(map(_estimate_char_width, text)) * size * MM_PER_PT


def take_lines(slug: Slug, text: str, *, torn: bool = True) -> list[tuple[str, Spot]] | None:
    """Reserve spots for the text: one line if it fits, else two even adjacent lines. Return None if neither fits.

    With `torn`, a text that still does not fit is broken at spaces into more lines, at any edges.
    """
    words = text.split()
    ways: list[tuple[tuple[str, ...], Sequence[Side]]] = [((" ".join(words),), LABEL_SIDES)]
    if len(words) > 1:
        halves = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        even = min(halves, key=lambda pair: max(map(estimate_width, pair)))
        ways += [(even, (side,)) for side in LABEL_SIDES]
    for lines, sides in ways:
        taken = _take_whole_lines(slug, lines, sides)
        if taken is not None:
            return taken
    return _split_lines(slug, words) if torn else None


def _take_whole_lines(slug: Slug, lines: Sequence[str], sides: Sequence[Side]) -> list[tuple[str, Spot]] | None:
    """Reserve adjacent spots for all lines. Return None and leave the slug unchanged if they don't fit."""
    before = len(slug.spots)
    spots = [spot for line in lines if (spot := slug.take_spot(INDENT + estimate_width(line), sides)) is not None]
    together = reduce(Rect.unite, (spot.box for spot in spots)) if spots else None
    if len(spots) < len(lines) or any(together.overlaps(other.box) for other in slug.spots[:before] if together):
        del slug.spots[before:]
        return None
    return list(zip(lines, spots, strict=True))


def _split_lines(slug: Slug, words: Sequence[str]) -> list[tuple[str, Spot]] | None:
    """Reserve lines at any edges, each as long as fits. Return texts and spots, or None if a word does not fit."""
    lines: list[tuple[str, Spot]] = []
    while words:
        for number in range(len(words), 0, -1):
            line = " ".join(words[:number])
            spot = slug.take_spot(INDENT + estimate_width(line), LABEL_SIDES)
            if spot is not None:
                lines.append((line, spot))
                words = words[number:]
                break
        else:
            return None
    return lines


@cache
def _estimate_char_width(char: str) -> float:
    if east_asian_width(char) in "WFA":
        return 1.0
    return 0.9 if char.isupper() or char in "mw%@&+=<>" else 0.62
