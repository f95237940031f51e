"""In which order a sheet of equal pieces is cut: the fewest straight cuts, each right across what lies under it.

What a cut goes by is its mark in the margin, so no cut may take away a mark that a later one needs. One cut is left
without: whatever trims the last edge of a corner has lost its marks with the neighbouring edges. Its place is told by
the size that it leaves.
"""

from collections.abc import Collection, Iterator, Sequence

from generator.dataclass import dataclass
from generator.model.drawing import Item
from generator.sheets.arrangement import Arrangement
from generator.sheets.imposition import MARK_ROOM, MARK_STANDOFF, Axis
from generator.sheets.label import Typeset
from generator.sheets.marks import fold_line
from generator.units import MM_PER_PT, Rect

NUMBER_PT = 4.0
_EM = NUMBER_PT * MM_PER_PT
_DIGIT = 0.6 * _EM
_HEIGHT = 0.66 * _EM
_BESIDE, _ABOVE = 0.35, 0.6
_NEAR = 4.0
"""Lines nearer to each other than so many mm have their numbers on the sides that look away from each other."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A straight cut: upright at x = `at`, or level at y = `at`, in mm from the paper's upper left corner."""

    axis: Axis
    at: float


@dataclass(frozen=True, slots=True)
class CutPlan:
    """`strips` go right across the sheet, from one edge to the other; then the strips are laid on one another.

    The first strip keeps its outer margin with the marks for the `pieces`, so it lies on top; these cuts go across all
    strips at once. The `last` cut takes that margin off; it leaves pieces of `size` mm. Every trim edge lies on a cut
    and every cut is the edge of a trim, so no plan has fewer: a straight cut makes edges on one line alone.
    """

    strips: tuple[Cut, ...]
    pieces: tuple[Cut, ...]
    last: Cut
    size: float

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """All cuts in their order."""
        return (*self.strips, *self.pieces, self.last)

    def fill_note(self, note: str) -> str:
        """The note with its `{first}`, `{then}`, `{last}` and `{size}` filled in."""
        first, last = len(self.strips), len(self.cuts)
        return note.format(first=_range(1, first), then=_range(first + 1, last - 1), last=last, size=f"{self.size:g}")


def cut_plan(lie: Arrangement, taken: Collection[int]) -> CutPlan | None:
    """How the taken slots of a sheet are cut; None where nothing is cut straight.

    First come the cuts that leave fewer strips, level ones where it makes no difference: who does not stack the strips
    then moves the fewest. The margin that is kept is at the top or left: on a folded sheet the others may be the fold,
    which has no marks. There the cuts of both halves are one and the same.
    """
    xs, ys = lie.cuts(taken)
    if lie.fold == "vertical":
        xs = [x for x in xs if x < fold_line(lie.paper, "vertical")]
    elif lie.fold == "horizontal":
        ys = [y for y in ys if y < fold_line(lie.paper, "horizontal")]
    if not xs or not ys:
        return None
    upright = tuple([Cut("vertical", x) for x in xs])
    level = tuple([Cut("horizontal", y) for y in ys])
    slots = [lie.slot(index) for index in taken]
    rows, columns = (len({round(at, 3) for at in side}) for side in ([s.y for s in slots], [s.x for s in slots]))
    if rows <= columns:
        return CutPlan(level[1:], upright, level[0], round(slots[0].height, 3))
    return CutPlan(upright[1:], level, upright[0], round(slots[0].width, 3))


def cut_numbers(plan: CutPlan, art: Rect, typeset: Typeset) -> Iterator[Item]:
    """The number of each cut at both ends of its line, between the art and whatever else stands in the margin."""
    lines: dict[Axis, list[float]] = {
        axis: sorted(cut.at for cut in plan.cuts if cut.axis == axis) for axis in ("vertical", "horizontal")
    }
    for order, cut in enumerate(plan.cuts, 1):
        text = str(order)
        beside = _beside(cut, lines[cut.axis], len(text) * _DIGIT)
        for along in _ends(cut, art, len(text) * _DIGIT):
            x, y = (beside, along) if cut.axis == "vertical" else (along, beside)
            yield from typeset(text, x, y, NUMBER_PT, "start", 0.0)


def _beside(cut: Cut, lines: Sequence[float], width: float) -> float:
    """Right of an upright line or above a level one, but for the line whose neighbour there is near.

    The last upright line has its number on its left, clear of those of the level lines.
    """
    if cut.axis == "vertical":
        near = any(0 < other - cut.at < _NEAR for other in lines)
        alone = not any(0 < cut.at - other < _NEAR for other in lines)
        on_the_left = near or (cut.at == lines[-1] and alone)
        return cut.at - _BESIDE - width if on_the_left else cut.at + _BESIDE
    near = any(0 < cut.at - other < _NEAR for other in lines)
    return cut.at + _ABOVE + _HEIGHT if near else cut.at - _ABOVE


def _ends(cut: Cut, art: Rect, width: float) -> tuple[float, float]:
    """Where the number starts (or its baseline lies) at either end; marks keep so much room beside the art."""
    away = MARK_STANDOFF
    if cut.axis == "vertical":
        return art.y - away, art.bottom + away + _HEIGHT
    return art.x - min(away + width, MARK_ROOM), art.right + min(away, MARK_ROOM - width)


def _range(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)
