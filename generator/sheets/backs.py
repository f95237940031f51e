"""How backs get behind their fronts: which pieces may share a sheet, and about which line a sheet is turned over.

`long` and `short` are duplex: the back page shows every back where its front shines through, its head at the front's
head; any backs may share a sheet. `fold` puts the back beside its front across a fold. `separate` prints backs on
sheets of their own, in the fronts' order and not mirrored; it keeps pieces with one back design on sheets of their own,
so that those can be printed on other card or laid back to back without sorting. `none` leaves backs away: they don't
matter, and sheets are full.
"""

from collections.abc import Callable, Sequence

from generator.model.drawing import Drawing
from generator.model.sheet import Backs, Lie, Piece
from generator.sheets.imposition import Axis
from generator.units import Size


def backs_in_use(pieces: Sequence[Piece], backs: Backs) -> Backs:
    """The mode that is carried out: `none` when no piece has a back, so that no blank pages are printed."""
    return backs if any(piece.back is not None for piece in pieces) else "none"


def turning_axis(paper: Size, backs: Backs) -> Axis:
    """The line about which a duplex printer turns the sheet: `long` flips on the paper's long edge.

    A square sheet counts as upright.
    """
    upright = paper.height >= paper.width
    return "vertical" if (backs == "long") == upright else "horizontal"


def batches(pieces: Sequence[Piece], backs: Backs, digest: Callable[[Drawing], str]) -> list[list[Piece]]:
    """Pieces that may share sheets, in order of first appearance: of one size, and of one back where that matters.

    Packed ones may be of any sizes.
    """
    sizes: dict[tuple[Size | None, Lie], dict[str, list[Piece]]] = {}
    for piece in pieces:
        size = None if piece.lie == "packed" else Size(round(piece.front.width, 3), round(piece.front.height, 3))
        sizes.setdefault((size, piece.lie), {}).setdefault(_back_key(piece, backs, digest), []).append(piece)
    return [batch for of_one_size in sizes.values() for batch in of_one_size.values()]


def _back_key(piece: Piece, backs: Backs, digest: Callable[[Drawing], str]) -> str:
    if backs in ("long", "short", "none"):
        return ""
    if backs == "fold":
        # A piece without a back needs no half of a fold sheet.
        return "backed" if piece.back is not None else ""
    return digest(piece.back.drawn()) if piece.back is not None else ""
