"""A rulebook's pages as sheets of the next larger paper, to be printed on both sides, folded and stapled."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from generator.errors import Problem, ProblemsFound
from generator.model.drawing import Drawing, Item, Shape
from generator.model.sheet import Document, Page, Placement
from generator.model.sizes import PAPER_SIZES
from generator.pages.style import HAIR, RULE
from generator.units import Rect, Size

CREEP = 0.1
"""mm by which each sheet pushes out the one inside it: office paper's thickness."""

_FOLD_TICK = 4.0
_STAPLE = 6.0
_STAPLES = (0.25, 0.75)
_SLACK = 0.5  # mm: half of A4 is a hair wider than A5
_MOST_WASTE = 10.0


class Side(NamedTuple):
    """One side of a sheet: page numbers from 1 at the left and at the right of the fold, 0 for a blank."""

    sheet: int
    side: Literal["front", "back"]
    left: int
    right: int


def booklet_sides(pages: int, *, backed: bool = False) -> Iterator[Side]:
    """The sides of a saddle-stitched booklet of so many pages, from the outermost sheet to the innermost.

    The number of pages is filled up to a multiple of four with blanks at the end; before the last page where that is
    the back cover (`backed`).
    """
    total = -(-pages // 4) * 4

    def shown(number: int) -> int:
        if backed and number == total:
            return pages
        return number if number <= pages - backed else 0

    for sheet in range(total // 4):
        yield Side(sheet + 1, "front", shown(total - 2 * sheet), shown(2 * sheet + 1))
        yield Side(sheet + 1, "back", shown(2 * sheet + 2), shown(total - 2 * sheet - 1))


def booklet(document: Document, creep: float = CREEP, *, backed: bool = False) -> Document:
    """The booklet of a document whose pages are all of one size; printed on both sides, turned on the short edge.

    Pages move towards the fold by `creep` mm with each sheet, so that all fore edges show the same margin after the
    booklet is trimmed. A sheet has no reading order: the booklet is not tagged. ProblemsFound when no paper holds two
    pages side by side.
    """
    size = document.pages[0].size
    paper = _paper(size)
    drawings = [Drawing(size.width, size.height, 0.0, page.items, document.lang) for page in document.pages]
    sides = tuple(_sheet(side, drawings, paper, creep) for side in booklet_sides(len(drawings), backed=backed))
    return replace(document, pages=sides, backs="short", outline=(), tagged=False)


def _paper(size: Size) -> Size:
    """The smallest paper, lying, that takes two pages side by side."""
    wide, high = 2 * size.width - _SLACK, size.height - _SLACK
    lying = [named.size.turned() for named in PAPER_SIZES.values()]
    fitting = [
        each for each in lying if wide <= each.width <= wide + _MOST_WASTE and high <= each.height <= high + _MOST_WASTE
    ]
    if not fitting:
        what = f"no paper holds two pages of {size.width:g} x {size.height:g} mm side by side"
        raise ProblemsFound([Problem(None, what, "make a booklet of A5, B5, A4 or Letter pages")])
    return min(fitting)


def _sheet(side: Side, drawings: Sequence[Drawing], paper: Size, creep: float) -> Page:
    """One side of a sheet: its two pages, and where to fold and staple."""
    fold, inward = paper.width / 2, creep * (side.sheet - 1)
    placements = []
    for number, left in ((side.left, True), (side.right, False)):
        if not number:
            continue
        drawing = drawings[number - 1]
        x = fold - drawing.width + inward if left else fold - inward
        trim = Rect(x, (paper.height - drawing.height) / 2, drawing.width, drawing.height)
        half = Rect(0.0 if left else fold, 0.0, fold, paper.height)
        placements.append(Placement(f"page {number}", drawing, trim, half))
    return Page(paper, side.side, side.sheet, tuple(placements), tuple(_marks(side, paper)))


def _marks(side: Side, paper: Size) -> Iterator[Item]:
    """Ticks at both ends of the fold on the outside of each sheet; on the outermost one where its staples go."""
    if side.side == "back":
        return
    fold = paper.width / 2
    for start in (0.0, paper.height - _FOLD_TICK):
        yield _line(fold, start, _FOLD_TICK, "fold")
    if side.sheet == 1:
        for share in _STAPLES:
            yield _line(fold, paper.height * share - _STAPLE / 2, _STAPLE, "mark")


def _line(x: float, y: float, length: float, role: Literal["fold", "mark"]) -> Shape:
    return Shape(f"M {x:.3f} {y:.3f} L {x:.3f} {y + length:.3f}", stroke=RULE, width=HAIR, role=role)
