"""Settings of print sheets: paper, margin, gap, backs; the areas that they leave free."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from generator.base.geometry import MARGIN, Margins, Rect, Size
from generator.game.print_pages import Backs
from generator.sheets.imposition import FOLD_LEAST, MARK_ROOM, Axis, mirror_rect
from generator.sheets.page_marks import list_registration_boxes, place_furniture
from generator.sheets.slug import CLEARANCE, SPOT_DEPTH, Slug

if TYPE_CHECKING:
    from generator.game.presets import Cutter, Printer, Stock


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """Settings for placing pieces on paper. Lengths are in mm. Raises ValueError for a negative length.

    `margin` are the strips at the edges that the printer can't reach, as seen from the front; on the back of a sheet
    they are mirrored. `gap` is the distance between pieces (0: they share cut lines). Notes are printed in the margin
    and have placeholders: `fold_note` on fold sheets; on parts of a board `part_note` (`{part}` of `{columns}` x
    `{rows}`) and `glue_note` (on the strip of `{part}` that `{next}` is glued on); `cut_note` where it fits (cuts
    `{first}`, cuts `{then}`, cut `{last}` that leaves `{size}` mm). `printer` corrects the backs of a duplex print.
    `registration` adds the marks of that cutting machine. On `stock`, a perforated sheet, every card has its own cell.
    `stacked`: cards at one place of successive sheets follow each other, so that the stacks are in order after a cut
    through all sheets. The paper is never turned: turning the cards by 90 degrees holds exactly as many as turning the
    paper would, and one orientation for all pages means one setting.
    """

    paper: Size
    paper_name: str = ""
    margin: Margins = MARGIN
    gap: float = 0.0
    backs: Backs = "long"
    guides: bool = False
    fold_note: str = "fold with the print outside, glue the blank sides, then cut"
    part_note: str = "part {part} of {columns} x {rows}"
    glue_note: str = "{part}: glue {next} here"
    cut_note: str = "cuts {first}; stack the strips, first on top; cuts {then}; cut {last} leaves {size} mm"
    printer: "Printer | None" = None
    registration: "Cutter | None" = None
    stock: "Stock | None" = None
    stacked: bool = False

    def __post_init__(self) -> None:
        for name, least in (("margin", min(self.margin)), ("gap", self.gap)):
            if least < 0:
                raise ValueError(f"the {name} is {least} mm; it can't be negative")

    @property
    def reserved_boxes(self) -> tuple[Rect, ...]:
        """Return the boxes kept free for registration marks in page coordinates; empty without such marks."""
        return list_registration_boxes(self.paper, self.registration) if self.registration else ()

    def is_clear(self, art: Rect, room: float = MARK_ROOM) -> bool:
        """Return True if art keeps `room` mm away from the reserved boxes."""
        return not any(art.overlaps(box.grow(room)) for box in self.reserved_boxes)

    def make_slug(self, art: Rect) -> Slug:
        """Return the free strips around art on this paper, placing text without regard to cut marks."""
        return Slug(art, self.printable, plain=True).keep_free(self.reserved_boxes)

    @property
    def printable(self) -> Rect:
        """Return the printable area in page coordinates."""
        return self.margin.shrink(self.paper)


_MOST_LANES = 3
_SLACK = 1e-6


class FreeArea(NamedTuple):
    """Space for pieces: `box` is the area for fronts with bleed; with a fold it is half of the paper up to the fold."""

    paper: Size
    box: Rect
    fold: Axis | None = None

    @property
    def art(self) -> Rect:
        """Return the area for fronts and, with a fold, the backs beside them."""
        return self.box.unite(mirror_rect(self.box, self.paper, self.fold)) if self.fold else self.box

    def shrink_region(self, region: Rect, bleed: float, pad: float) -> Rect:
        """Return where trims may be within a region: `bleed` mm from the area's edges, `pad` mm from other pieces.

        At a fold, trims keep the same distance as the cards of a grid.
        """
        box = self.box
        gutter = max(bleed, FOLD_LEAST)
        left = bleed if region.x <= box.x + _SLACK else pad
        top = bleed if region.y <= box.y + _SLACK else pad
        right = (gutter if self.fold == "vertical" else bleed) if region.right >= box.right - _SLACK else pad
        bottom = (gutter if self.fold == "horizontal" else bleed) if region.bottom >= box.bottom - _SLACK else pad
        return Rect(region.x + left, region.y + top, region.width - left - right, region.height - top - bottom)


def find_free_areas(settings: SheetSettings, text: str, folded: bool, axis: Axis | None) -> tuple[FreeArea, ...]:
    """Return every area that can't grow, up to a fold if `folded`, largest first; () if the label `text` does not fit.

    Areas are symmetric about `axis`, about which the sheet is turned over, so that backs don't cover rulers or text.
    """
    folds: tuple[Axis | None, ...] = ("vertical", "horizontal") if folded else (None,)
    notes = (settings.fold_note, text) if folded else (text,)
    found = [area for fold in folds for area in _iter_largest_areas(settings, notes, fold, fold or axis)]
    # The sort is stable: of equally large areas, those with a vertical fold come first.
    return tuple(sorted(found, key=lambda area: -area.box.width * area.box.height))


def _iter_largest_areas(
    settings: SheetSettings, notes: Sequence[str], fold: Axis | None, axis: Axis | None
) -> Iterator[FreeArea]:
    """Yield the areas left by each smallest set of rows for rulers and text at the four edges."""
    enough: list[tuple[int, ...]] = []
    for lanes in sorted(product(range(_MOST_LANES + 1), repeat=4), key=lambda lanes: (sum(lanes), lanes)):
        left, top, right, bottom = lanes
        if (axis == "vertical" and left != right) or (axis == "horizontal" and top != bottom):
            continue
        if any(all(n >= least for n, least in zip(lanes, known, strict=True)) for known in enough):
            continue
        area = _make_area(settings, lanes, fold)
        if area and settings.is_clear(area.art, 0.0) and place_furniture(settings.make_slug(area.art), notes):
            enough.append(lanes)
            yield area


def _make_area(settings: SheetSettings, lanes: tuple[int, ...], fold: Axis | None) -> FreeArea | None:
    paper = settings.paper
    printable = settings.margin.balance(fold).shrink(paper)
    left, top, right, bottom = (MARK_ROOM + n * (SPOT_DEPTH + CLEARANCE) if n else 0.0 for n in lanes)
    end_x = paper.width / 2 if fold == "vertical" else printable.right - right
    end_y = paper.height / 2 if fold == "horizontal" else printable.bottom - bottom
    x, y = printable.x + left, printable.y + top
    if end_x <= x or end_y <= y:
        return None
    return FreeArea(paper, Rect(x, y, end_x - x, end_y - y), fold)
