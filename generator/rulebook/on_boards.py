"""Pieces laid on the spaces of a board, as its template prints them."""

from collections.abc import Mapping, Sequence
from math import ceil

from generator.errors import Unfit, did_you_mean
from generator.model.geometry import Matrix
from generator.rulebook.faces import PiecePicture
from generator.rulebook.layouts import Laid
from generator.svg.pieces_on_spaces import box
from generator.svg.printed_spaces import PrintedSpace
from generator.units import Rect

_PILE_STEP = 0.9
"""How far the pieces of a pile are shifted, mm of the board."""

_SLACK = 0.3


def on_board(
    board: PiecePicture,
    scale: float,
    spaces: Mapping[str, PrintedSpace],
    pieces: Mapping[str, Sequence[PiecePicture | None]],
) -> list[Laid]:
    """The board with pieces on it, None for a place that stays free; Unfit for a space or number that can't be."""
    laid: list[Laid] = [(board, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
    for name, wanted in pieces.items():
        if name not in spaces:
            raise Unfit(f"{board.id} has no space '{name}'", did_you_mean(name, spaces))
        space = spaces[name]
        if space.holds is not None and len(wanted) > space.holds:
            raise Unfit(f"the space '{name}' holds {space.holds}, not {len(wanted)}", "take some away")
        for piece, around in zip(wanted, _places(space, wanted), strict=True):
            if piece is not None:
                laid.append((piece, _on(piece, around, scale), scale))
    return laid


def _places(space: PrintedSpace, wanted: Sequence[PiecePicture | None]) -> list[Rect]:
    """Where so many pieces lie: one on each outline, in rows within a single one, shifted on a pile."""
    number = len(wanted)
    boxes = _inner([box(outline) for outline in space.outlines], [piece for piece in wanted if piece is not None])
    if not boxes:
        raise Unfit(f"the space '{space.id}' paints no outline for its pieces", "draw one in its group")
    if len(boxes) >= number:
        return boxes[:number]
    around = boxes[0]
    if space.holds is None:
        return [around.moved(_PILE_STEP * at, -_PILE_STEP * at) for at in range(number)]
    columns = ceil((number * around.width / around.height) ** 0.5)
    rows = ceil(number / columns)
    wide, high = around.width / columns, around.height / rows
    return [Rect(around.x + at % columns * wide, around.y + at // columns * high, wide, high) for at in range(number)]


def _inner(boxes: list[Rect], pieces: Sequence[PiecePicture]) -> list[Rect]:
    """Outlines that are places: of several those that are large enough and surround no other such one."""
    if len(boxes) > 1:
        large = [
            around for around in boxes if all(_upright(piece, around) or _is_turned(piece, around) for piece in pieces)
        ]
        boxes = large or boxes
    return [around for around in boxes if not any(around.holds(other) and other != around for other in boxes)]


def _upright(piece: PiecePicture, around: Rect) -> bool:
    return piece.width <= around.width + _SLACK and piece.height <= around.height + _SLACK


def _is_turned(piece: PiecePicture, around: Rect) -> bool:
    return piece.height <= around.width + _SLACK and piece.width <= around.height + _SLACK


def _on(piece: PiecePicture, around: Rect, scale: float) -> Matrix:
    """The piece with its middle on a place's, turned by a quarter where only that fits."""
    x, y = (around.x + around.width / 2) * scale, (around.y + around.height / 2) * scale
    if _is_turned(piece, around) and not _upright(piece, around):
        return (0.0, scale, -scale, 0.0, x + piece.height * scale / 2, y - piece.width * scale / 2)
    return (scale, 0.0, 0.0, scale, x - piece.width * scale / 2, y - piece.height * scale / 2)
