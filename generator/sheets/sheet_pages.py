"""Pages of sheets in printing order: placed faces, marks, rulers, labels, the order of cuts."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import Drawing, Group, Item, format_mm
from generator.base.geometry import MM_PER_PT, Rect
from generator.drawing.faces.face_marks import draw_guides, draw_rounded_box, to_page
from generator.game.print_pages import Backs, Page, Piece, Placement
from generator.sheets.imposition import (
    MARK_ROOM,
    MARK_STANDOFF,
    Arrangement,
    Axis,
    find_back_turn,
    find_turning_axis,
    mirror_rect,
    resolve_backs,
)
from generator.sheets.page_marks import Furnisher, draw_registration, find_face_outline, find_fold
from generator.sheets.place_pieces import DoesNotFit, Misfit, Sheet, measure_trim, place_on_sheets
from generator.sheets.settings import SheetSettings
from generator.sheets.slug import Label, Typeset, estimate_width

# A cut follows its mark in the margin, so no cut may remove a mark that a later one needs. One cut has no marks: the
# last edge of a corner has lost them with the neighbouring edges. The note gives its position as the remaining size.

NUMBER_PT = 4.0
_EM = NUMBER_PT * MM_PER_PT
_DIGIT = 0.6 * _EM
_HEIGHT = 0.66 * _EM
_BESIDE, _ABOVE = 0.35, 0.6
_NEAR = 4.0
"""Lines closer to each other than this (mm) have their numbers on the sides that face away from each other."""


class StraightCut(NamedTuple):
    """A straight cut: vertical at x = `at`, or horizontal at y = `at`, in mm from the paper's upper left corner."""

    axis: Axis
    at: float


class CutPlan(NamedTuple):
    """The order of cuts. First cut the sheet into `strips`, then stack these and cut through all of them.

    The first strip keeps its outer margin with the marks for the `pieces`, so it is on top; these cuts go through all
    strips at once. The `last` cut removes that margin and leaves pieces of `size` mm. Every trim edge is on a cut and
    every cut is the edge of a trim, so no plan has fewer cuts: a straight cut makes edges on one line only.
    """

    strips: tuple[StraightCut, ...]
    pieces: tuple[StraightCut, ...]
    last: StraightCut
    size: float

    @property
    def cuts(self) -> tuple[StraightCut, ...]:
        """Return all cuts in order."""
        return (*self.strips, *self.pieces, self.last)


def plan_cuts(lie: Arrangement, taken: Collection[int]) -> CutPlan | None:
    """Return the order of cuts for the slots in use, or None if the sheet has no straight cuts.

    The direction that leaves fewer strips comes first (horizontal in a tie), so that users who don't stack the strips
    handle the fewest. The margin that is kept is at the top or left, because on a folded sheet the other edges may be
    the fold, which has no marks. There, each cut goes through both halves at once.
    """
    xs, ys = lie.list_cuts(taken)
    if lie.fold == "vertical":
        xs = [x for x in xs if x < find_fold(lie.paper, "vertical")]
    elif lie.fold == "horizontal":
        ys = [y for y in ys if y < find_fold(lie.paper, "horizontal")]
    if not xs or not ys:
        return None
    upright = tuple([StraightCut("vertical", x) for x in xs])
    level = tuple([StraightCut("horizontal", y) for y in ys])
    slots = [lie.get_slot(index) for index in taken]
    rows, columns = (len({round(at, 3) for at in side}) for side in ([s.y for s in slots], [s.x for s in slots]))
    if rows <= columns:
        return CutPlan(level[1:], upright, level[0], round(slots[0].height, 3))
    return CutPlan(upright[1:], level, upright[0], round(slots[0].width, 3))


def draw_cut_numbers(plan: CutPlan, art: Rect, typeset: Typeset) -> Iterator[Item]:
    """Draw the number of each cut at both ends of its line, between the art and the rest of the margin."""
    lines: dict[Axis, list[float]] = {
        axis: sorted(cut.at for cut in plan.cuts if cut.axis == axis) for axis in ("vertical", "horizontal")
    }
    for order, cut in enumerate(plan.cuts, 1):
        text = str(order)
        beside = _place_beside_line(cut, lines[cut.axis], len(text) * _DIGIT)
        for along in _place_ends(cut, art, len(text) * _DIGIT):
            x, y = (beside, along) if cut.axis == "vertical" else (along, beside)
            yield from typeset(text, x, y, NUMBER_PT, "start", 0.0)


def _place_beside_line(cut: StraightCut, lines: Sequence[float], width: float) -> float:
    """Return a number's x right of a vertical line or y above a horizontal one, or beyond it near another of `lines`.

    The last vertical line has its number on the left, clear of the numbers of horizontal lines.
    """
    if cut.axis == "vertical":
        near = any(0 < other - cut.at < _NEAR for other in lines)
        alone = not any(0 < cut.at - other < _NEAR for other in lines)
        on_the_left = near or (cut.at == lines[-1] and alone)
        return cut.at - _BESIDE - width if on_the_left else cut.at + _BESIDE
    near = any(0 < cut.at - other < _NEAR for other in lines)
    return cut.at + _ABOVE + _HEIGHT if near else cut.at - _ABOVE


def _place_ends(cut: StraightCut, art: Rect, width: float) -> tuple[float, float]:
    """Return where a cut's number goes at both ends of its line: y of two baselines, or x of two line starts."""
    away = MARK_STANDOFF
    if cut.axis == "vertical":
        return art.y - away, art.bottom + away + _HEIGHT
    return art.x - min(away + width, MARK_ROOM), art.right + min(away, MARK_ROOM - width)


def _format_range(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)


__all__ = ["DoesNotFit", "Overprint", "find_longest_label", "iter_sheet_pages"]

Overprint: TypeAlias = Callable[[Piece], tuple[Item, ...]]
"""Items printed over one copy in the coordinates of its front, such as a mark or a number."""

Side: TypeAlias = Literal["front", "back"]


def iter_sheet_pages(
    pieces: Sequence[Piece],
    settings: SheetSettings,
    label: Label,
    typeset: Typeset,
    digest: Callable[[Drawing], str],
    overprint: Overprint | None = None,
) -> Iterator[Page]:
    """Yield the pages in printing order, drawing faces only when their page comes.

    Raise DoesNotFit with all pieces that are too large. Pieces keep their order within a size; sizes come in order of
    first appearance. Duplex modes give a front page and then its back page. If a sheet has no backs and another sheet
    follows, the back page has rulers and label only, so that no page slips to the wrong side (many printers skip an
    empty page). `separate` gives all fronts, then all backs; a back page has its front's sheet number. `digest` hashes
    the contents of a face. The items of `overprint` are printed over a piece's front and change neither its drawing nor
    a digest.
    """
    backs = resolve_backs(pieces, settings.backs)
    sheets = place_on_sheets(pieces, settings, backs, find_longest_label(label), digest)
    furnisher = Furnisher(settings.paper, settings.printable, typeset, settings.reserved_boxes)
    planned = {sheet.number: plan for sheet, plan in _iter_new_layouts(sheets)}
    composer = _PageComposer(settings, backs, len(sheets), label, furnisher, typeset, digest, planned, overprint)
    for sheet, side in _iter_printing_order(sheets, backs):
        yield composer.make_front(sheet) if side == "front" else composer.make_back(sheet)


def find_longest_label(label: Label) -> str:
    """Return the longest label of a page of up to 999 sheets; grids are chosen so that it fits."""
    return max((label(999, 999, "0" * 8, side) for side in ("front", "back")), key=estimate_width)


def _iter_new_layouts(sheets: Sequence[Sheet]) -> Iterator[tuple[Sheet, CutPlan]]:
    """Yield the first sheet of each layout with its cut plan."""
    known: set[tuple[Arrangement, int]] = set()
    for sheet in sheets:
        key = sheet.arrangement, len(sheet.pieces)
        if key not in known and not sheet.captions:
            known.add(key)
            plan = plan_cuts(sheet.arrangement, range(len(sheet.pieces)))
            if plan is not None:
                yield sheet, plan


def _iter_printing_order(sheets: Sequence[Sheet], backs: Backs) -> Iterator[tuple[Sheet, Side]]:
    for sheet in sheets:
        yield sheet, "front"
        if backs in ("long", "short") and (sheet.has_backs or sheet is not sheets[-1]):
            yield sheet, "back"
        if backs == "fold" and sheet.has_backs and not sheet.arrangement.fold:
            yield sheet, "back"
    if backs == "separate":
        for sheet in sheets:
            if sheet.has_backs:
                yield sheet, "back"


class _PageComposer(NamedTuple):
    """Builder of sheet pages, with everything that the pages of a print share."""

    settings: SheetSettings
    backs: Backs
    total: int
    label: Label
    furnisher: Furnisher
    typeset: Typeset
    digest: Callable[[Drawing], str]
    planned: Mapping[int, CutPlan]
    overprint: Overprint | None = None

    def make_front(self, sheet: Sheet) -> Page:
        """Return a page with the fronts and, on a fold sheet, the backs beside them."""
        lie = sheet.arrangement
        spots = _find_front_boxes(lie, tuple([piece.front.bleed for piece in sheet.pieces]))
        placements = [
            Placement(piece.id, piece.front.to_drawing(), trim, clip, lie.turn)
            for piece, (trim, clip) in zip(sheet.pieces, spots, strict=True)
        ]
        over: list[Item] = []
        for piece, front in zip(sheet.pieces, placements, strict=True):
            items = self.overprint(piece) if self.overprint else ()
            if items:
                over.append(Group((Group(items, to_page(front)),), clip=draw_rounded_box(front.clip, 0)))
        if lie.fold:
            placements += _place_backs(sheet, lie.fold)
        return self._make_page(sheet, "front", placements, marked=True, over=tuple(over))

    def make_back(self, sheet: Sheet) -> Page:
        """Return a page with the backs.

        Duplex backs have no cut marks: users cut from the front, and marks that the printer shifted by a millimetre
        would contradict those on the front. Backs on separate paper are cut separately, so they have marks.
        """
        if self.backs in ("separate", "fold"):
            return self._make_page(sheet, "back", _place_backs(sheet, None), marked=True)
        paper, printer = self.settings.paper, self.settings.printer
        page = self._make_page(sheet, "back", _place_backs(sheet, find_turning_axis(paper, self.backs)), marked=False)
        return page._replace(adjust=printer.make_adjustment(paper)) if printer else page

    def _make_page(
        self, sheet: Sheet, side: Side, placements: Sequence[Placement], marked: bool, over: tuple[Item, ...] = ()
    ) -> Page:
        settings = self.settings
        parts = [f"{format_mm(settings.paper.width)} {format_mm(settings.paper.height)}"]
        for placement in placements:
            trim, clip = placement.trim, placement.clip
            where = " ".join(map(format_mm, (trim.x, trim.y, clip.x, clip.y, clip.width, clip.height)))
            parts.append(f"{self.digest(placement.drawing)} {where} {placement.turn}")
        code = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
        text = self.label(sheet.number, self.total, code, side)
        notes = (*sheet.notes, text) if marked else (text,)
        slots = [i for i, piece in enumerate(sheet.pieces) if side == "front" or piece.back is not None]
        plan = self.planned.get(sheet.number) if marked else None
        around = self._draw_margin(sheet, side, notes, slots if marked else (), plan)
        if around is None:
            ids = tuple(piece.id for piece in sheet.pieces)
            size = measure_trim(sheet.pieces[0].front)
            raise DoesNotFit([Misfit(ids, size, settings.paper_name, label=text)])
        joins = list(sheet.arrangement.draw_overlay()) if marked else []
        for caption, x, y, size_pt, angle in sheet.captions if marked else ():
            joins += self.typeset(caption, x, y, size_pt, "middle", angle)
        register = draw_registration(settings.paper, cutter) if marked and (cutter := settings.registration) else ()
        items = (*over, *joins, *self._draw_guides(sheet, placements), *around, *register)
        return Page(settings.paper, side, sheet.number, tuple(placements), items)

    def _draw_margin(
        self, sheet: Sheet, side: Side, notes: Sequence[str], marked: Sequence[int], plan: CutPlan | None
    ) -> tuple[Item, ...] | None:
        """Return rulers, marks and notes (None: no room); with a plan also cut numbers and, if it fits, their order."""
        lie = sheet.arrangement
        if plan is None:
            turned = (
                find_turning_axis(lie.paper, self.backs) if side == "back" and self.backs in ("long", "short") else None
            )
            return self.furnisher.draw_furniture(lie, notes, marked, axis=turned)
        first, last = len(plan.strips), len(plan.cuts)
        begin, then = _format_range(1, first), _format_range(first + 1, last - 1)
        order = self.settings.cut_note.format(first=begin, then=then, last=last, size=f"{plan.size:g}")
        around = self.furnisher.draw_furniture(lie, notes, marked, order) or self.furnisher.draw_furniture(
            lie, notes, marked
        )
        return around and (*around, *draw_cut_numbers(plan, lie.art, self.typeset))

    def _draw_guides(self, sheet: Sheet, placements: Sequence[Placement]) -> Iterator[Item]:
        if self.settings.guides:
            pieces = {piece.id: piece for piece in sheet.pieces}
            for placement in placements:
                piece = pieces[placement.id]
                outline = find_face_outline(piece, placement.drawing)
                guides = tuple(draw_guides(placement, piece.safe, piece.corner, outline))
                # Clip the guides of a board part: the rest would cross the marks around it.
                whole = placement.clip.contains(placement.trim)
                yield from guides if whole else (Group(guides, clip=draw_rounded_box(placement.clip, 0)),)


@lru_cache(16)
def _find_front_boxes(lie: Arrangement, bleeds: tuple[float, ...]) -> tuple[tuple[Rect, Rect], ...]:
    """Return trim and clip of each front on a sheet, by the fronts' bleeds (mm). All sheets of a deck share them."""
    taken = range(len(bleeds))
    return tuple([(lie.get_slot(i), lie.get_clip(i, bleed, taken)) for i, bleed in enumerate(bleeds)])


def _place_backs(sheet: Sheet, axis: Axis | None) -> list[Placement]:
    """Return the backs' places: mirrored to match their fronts if the paper turns or folds about `axis`, else as is."""
    lie = sheet.arrangement
    # A piece with a blank back is also a neighbour: a bleed into its slot would show on its back.
    taken = range(len(sheet.pieces))
    backs = {i: piece.back for i, piece in enumerate(sheet.pieces) if piece.back is not None}
    placements = []
    for i, back in backs.items():
        trim, clip, turn = lie.get_slot(i), lie.get_clip(i, back.bleed, taken), lie.turn
        if axis:
            trim, clip = mirror_rect(trim, lie.paper, axis), mirror_rect(clip, lie.paper, axis)
            turn = find_back_turn(turn, axis)
        placements.append(Placement(sheet.pieces[i].id, back.to_drawing(), trim, clip, turn))
    return placements
