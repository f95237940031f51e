"""Place pieces on sheets: a grid for each size, or why they don't fit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.base.display_list import Drawing
from generator.base.geometry import Margins, Size
from generator.game.print_pages import Backs, Face, Piece
from generator.sheets.imposition import (
    FOLD_LEAST,
    MARK_ROOM,
    Arrangement,
    find_turning_axis,
    fit_perforated_grid,
    group_pieces,
    list_grids,
)
from generator.sheets.page_marks import cut_face, place_furniture
from generator.sheets.settings import SheetSettings
from generator.sheets.slug import CLEARANCE, SPOT_DEPTH

if TYPE_CHECKING:
    from generator.sheets.board_tiles import Caption


def loosen_boards(pieces: Sequence[Piece], sheets: Sequence["Sheet"], lined_backs: bool) -> list[Piece] | None:
    """Let boards share sheets: return the pieces with tiled boards changed to packed ones, or None if none changes.

    A kind with a full sheet keeps its grid, with all its pieces. With `lined_backs`, backs get cut lines of their own.
    """
    if not any(piece.lie == "tiled" for piece in pieces):
        return None
    fixed = {_get_kind_id(piece) for sheet in sheets if sheet.full for piece in sheet.pieces}
    loose = {piece.id for piece in pieces if piece.lie == "tiled" and _get_kind_id(piece) not in fixed}
    if not loose:
        return None
    # The same drawing gives the same result, so that a PDF holds it once. Drawings are found by identity, because
    # comparing them costs more than making them, and are kept alive.
    made: dict[int, tuple[Drawing, Drawing]] = {}

    def cut(face: Face, line: bool) -> Drawing:
        drawing = face.to_drawing()
        if id(drawing) not in made:
            made[id(drawing)] = drawing, cut_face(drawing, "", drawing.bleed, line)
        return made[id(drawing)][1]

    return [
        piece._replace(front=cut(piece.front, True), back=piece.back and cut(piece.back, lined_backs), lie="packed")
        if piece.id in loose
        else piece
        for piece in pieces
    ]


def _get_kind_id(piece: Piece) -> str:
    return piece.id.split("/")[0].split("#")[0]


PACKED = "bleed and rulers"
"""Words for messages: the space that a packed piece needs besides its trim."""

CELL = "a perforated cell"
"""Words for messages: where a card is placed on perforated stock."""


class Misfit(NamedTuple):
    """Pieces of one size that do not fit the paper.

    `room` is the largest piece that fits (mm). It is None if the piece is small enough but `label` does not fit, or if
    it is a board that may come `in_parts` and no part fits. `cards_only`: the piece is cut out singly and the sheet is
    perforated for cards.
    """

    ids: tuple[str, ...]
    size: Size
    paper_name: str
    room: Size | None = None
    label: str = ""
    beside: str = "bleed, cut marks and rulers"
    in_parts: bool = False
    cards_only: bool = False

    def __str__(self) -> str:
        what = f"{self.ids[0]} is {_format_size(self.size)} mm"
        if self.cards_only:
            return f"{what} and cut out by itself: it is not printed in {self.beside} of {self.paper_name}"
        if self.in_parts:
            return f"{what}: {self.paper_name} takes no part of it with cut marks, rulers and the label '{self.label}'"
        if self.room is None:
            return f"{what}: {self.paper_name} has no room beside it for rulers and the sheet's label '{self.label}'"
        beside = f"in {self.beside}" if self.beside == CELL else f"with {self.beside}"
        return f"{what}: {self.paper_name} takes at most {_format_size(self.room)} mm {beside}"


class DoesNotFit(Exception):
    """Error: some pieces don't fit on the paper. It carries one misfit for every size."""

    def __init__(self, misfits: Sequence[Misfit]):
        self.misfits = tuple(misfits)
        super().__init__("\n".join(map(str, misfits)))


class Sheet(NamedTuple):
    """One piece of paper: its number from 1, its arrangement and the pieces in the first slots.

    `notes` say how to cut, fold or glue it, beside the label of each page with marks. `captions` are printed on the
    strips of a board's part.
    """

    number: int
    arrangement: Arrangement
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    captions: "tuple[Caption, ...]" = ()

    @property
    def has_backs(self) -> bool:
        """Return True if any of its pieces has a back."""
        return any(piece.back is not None for piece in self.pieces)

    @property
    def full(self) -> bool:
        """Return True if it has no empty slot."""
        return len(self.pieces) == self.arrangement.capacity


def place_on_sheets(
    pieces: Sequence[Piece], settings: SheetSettings, backs: Backs, text: str, digest: Callable[[Drawing], str]
) -> list[Sheet]:
    """Place every piece on a sheet, in order; `text` is the longest label. Raise DoesNotFit with all misfits.

    Pieces of one size and bleed share a grid: the fullest that leaves room for marks, rulers and label. A board without
    such a grid is split into parts, each on its own sheet. So is one that does not fit beside its back across a fold:
    its back is printed on separate sheets. Packed pieces come last, together with boards that would leave most of a
    sheet empty, if that takes fewer sheets. `digest` is the hash by which backs are compared.
    """
    sheets = _place_fixed(pieces, settings, backs, text, digest)
    loose = loosen_boards(pieces, sheets, lined_backs=backs in ("separate", "fold"))
    if loose is not None:
        try:
            fewer = _place_fixed(loose, settings, backs, text, digest)
        except DoesNotFit:
            return sheets
        return fewer if len(fewer) < len(sheets) else sheets
    return sheets


def _place_fixed(
    pieces: Sequence[Piece], settings: SheetSettings, backs: Backs, text: str, digest: Callable[[Drawing], str]
) -> list[Sheet]:
    """Place pieces as each `lie` says, packed ones last (see `place_on_sheets`). Raise DoesNotFit with all misfits."""
    sheets: list[Sheet] = []
    misfits: list[Misfit] = []
    chosen: dict[tuple[Size, float, bool], Arrangement | None] = {}
    together = group_pieces(pieces, backs, digest)
    for batch in (batch for batch in together if batch[0].lie != "packed"):
        size = measure_trim(batch[0].front)
        bleed = max(face.bleed for piece in batch for face in (piece.front, piece.back) if face is not None)
        folded = backs == "fold" and batch[0].back is not None
        key = (size, bleed, folded)
        if key not in chosen:
            chosen[key] = _find_fullest_grid(settings, size, bleed, folded, text)
        grid = chosen[key]
        notes = (settings.fold_note,) if folded else ()
        if grid is not None:
            number, full = ceil(len(batch) / grid.capacity), grid.capacity
            for sheet in range(number):
                part = batch[sheet::number] if settings.stacked else batch[sheet * full : (sheet + 1) * full]
                sheets.append(Sheet(len(sheets) + 1, grid, tuple(part), notes))
            continue
        parts = _place_parts(batch, settings, size, bleed, backs, text, len(sheets))
        sheets += parts
        if not parts:
            misfits.append(_make_misfit(batch, settings, size, bleed, folded, text))
    for batch in (batch for batch in together if batch[0].lie == "packed"):
        if settings.stock:
            size, name = measure_trim(batch[0].front), _name_paper(settings)
            misfits.append(Misfit(_unique_ids(batch), size, name, beside=CELL, cards_only=True))
            continue
        try:
            sheets += _place_mixed(batch, settings, backs, text, len(sheets))
        except DoesNotFit as error:
            misfits += error.misfits
    if misfits:
        raise DoesNotFit(misfits)
    return sheets


def _place_mixed(batch: Sequence[Piece], settings: SheetSettings, backs: Backs, text: str, before: int) -> list[Sheet]:
    """Pack pieces of any sizes on shared sheets, numbered from `before` + 1. Raise DoesNotFit if any fits no sheet."""
    from generator.sheets.packing import pack_pieces
    from generator.sheets.settings import find_free_areas  # most games have only cards

    folded = backs == "fold" and batch[0].back is not None
    axis = find_turning_axis(settings.paper, backs) if backs in ("long", "short") else None
    free = find_free_areas(settings, text, folded, axis)
    if not free:
        raise DoesNotFit([Misfit(_unique_ids(batch), measure_trim(batch[0].front), _name_paper(settings), label=text)])
    shared, unfit = pack_pieces(batch, settings.gap, free)
    if unfit:
        name = _name_paper(settings)
        raise DoesNotFit([Misfit(_unique_ids(lot.pieces), lot.size, name, lot.room, beside=PACKED) for lot in unfit])
    notes = (settings.fold_note,) if folded else ()
    return [Sheet(before + n, packing, those, notes) for n, (packing, those) in enumerate(shared, 1)]


def _place_parts(
    batch: Sequence[Piece], settings: SheetSettings, size: Size, bleed: float, backs: Backs, text: str, before: int
) -> list[Sheet]:
    """Return a sheet for each part of each board, numbered from `before` + 1. [] for other pieces, or if none fits."""
    if batch[0].lie != "tiled" or settings.stock:
        return []
    from generator.sheets.board_tiles import split_board, write_part_notes  # most games have only cards

    backed = backs in ("long", "short") and any(piece.back is not None for piece in batch)
    parts = product(batch, split_board(settings, size, bleed, text, backed))
    return [
        Sheet(n, part, (piece,), write_part_notes(part, settings), tuple(part.make_captions(settings.glue_note)))
        for n, (piece, part) in enumerate(parts, before + 1)
    ]


def measure_trim(face: Face) -> Size:
    """Return the face's trim, to a thousandth of a millimetre."""
    return Size(round(face.width, 3), round(face.height, 3))


def _find_fullest_grid(
    settings: SheetSettings, size: Size, bleed: float, folded: bool, text: str
) -> Arrangement | None:
    notes = (settings.fold_note, text) if folded else (text,)
    if settings.stock:
        lie = fit_perforated_grid(settings.stock, size, bleed)
        return lie if lie and place_furniture(settings.make_slug(lie.art), notes) else None
    for grid in list_grids(settings.paper, settings.margin, settings.gap, bleed, size, folded):
        if settings.is_clear(grid.art) and place_furniture(settings.make_slug(grid.art), notes):
            return grid
    return None


def suggest_smaller_margin(
    settings: SheetSettings, size: Size, bleed: float, folded: bool, text: str
) -> tuple[int, int, float] | None:
    """Return how many pieces fit a sheet (with a fold if `folded`), how many with a smaller margin, and that (mm).

    The margin is the largest in whole millimetres with which more pieces fit. Return None if no margin helps, or if the
    margins differ, because whoever gives four knows the printer.
    """
    now = _find_fullest_grid(settings, size, bleed, folded, text)
    if now is None or settings.stock or len(set(settings.margin)) > 1:
        return None
    for margin in range(ceil(settings.margin.top) - 1, -1, -1):
        tried = replace(settings, margin=Margins(*[float(margin)] * 4))
        grids = list_grids(tried.paper, tried.margin, tried.gap, bleed, size, folded)  # ignoring rulers and label
        if max((grid.capacity for grid in grids), default=0) > now.capacity:
            fuller = _find_fullest_grid(tried, size, bleed, folded, text)
            if fuller is not None and fuller.capacity > now.capacity:
                return now.capacity, fuller.capacity, float(margin)
    return None


def _make_misfit(
    batch: Sequence[Piece], settings: SheetSettings, size: Size, bleed: float, folded: bool, text: str
) -> Misfit:
    ids, name = _unique_ids(batch), _name_paper(settings)
    if settings.stock and settings.stock.find_turn(size) is None:
        return Misfit(ids, size, name, settings.stock.cell, beside=CELL)
    if settings.stock:
        return Misfit(ids, size, name, label=text)
    room = _measure_room(settings, bleed, folded)
    if batch[0].lie == "tiled":
        return Misfit(ids, size, name, label=text, in_parts=True)
    if any(piece.width <= room.width and piece.height <= room.height for piece in (size, size.swap_sides())):
        return Misfit(ids, size, name, label=text)
    return Misfit(ids, size, name, room)


def _unique_ids(pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece.id for piece in pieces))


def _name_paper(settings: SheetSettings) -> str:
    return settings.paper_name or f"{_format_size(settings.paper)} mm paper"


def _measure_room(settings: SheetSettings, bleed: float, folded: bool) -> Size:
    """Return the largest piece that leaves room for marks and one row of rulers and label on two sides."""
    paper, narrow = settings.paper, MARK_ROOM + bleed
    deep = narrow + SPOT_DEPTH + CLEARANCE
    width, height = settings.printable.width - 2 * narrow, settings.printable.height - 2 * deep
    if folded:
        fold = max(bleed, FOLD_LEAST)
        width, height = max(
            (settings.margin.balance("vertical").shrink(paper).width / 2 - narrow - fold, height),
            (width, settings.margin.balance("horizontal").shrink(paper).height / 2 - deep - fold),
            key=lambda sides: sides[0] * sides[1],
        )
    return Size(round(max(width, 0.0), 3), round(max(height, 0.0), 3))


def _format_size(size: Size) -> str:
    return f"{size.width:g} x {size.height:g}"
