"""Boards that leave most of a sheet empty: given cut lines of their own, so that they can be packed with others."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from generator.model.drawing import Drawing
from generator.model.sheet import Piece
from generator.sheets.cutting import cut_out


class Dealt(Protocol):
    """A sheet with its pieces."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What lies on it."""

    @property
    def full(self) -> bool:
        """Whether it has no empty slot."""


def loosened(pieces: Sequence[Piece], sheets: Iterable[Dealt], lined_backs: bool) -> list[Piece] | None:
    """The same pieces, those of boards that only ever lie on sheets with empty slots now to be packed; None for none.

    A kind is loosened as a whole, for its pieces are all cut in one way. `lined_backs`: backs are cut by themselves.
    """
    sheets = list(sheets)
    fixed = {_kind(piece) for sheet in sheets if sheet.full for piece in sheet.pieces}
    loose = {piece.id for piece in pieces if piece.lie == "tiled" and _kind(piece) not in fixed}
    if not loose:
        return None
    lined = _Lined()
    return [_packed(piece, lined, lined_backs) if piece.id in loose else piece for piece in pieces]


def _packed(piece: Piece, lined: "_Lined", lined_backs: bool) -> Piece:
    back = piece.back
    return replace(
        piece,
        front=lined.once(piece.front.drawn(), lambda drawing: cut_out(drawing, "", drawing.bleed)),
        back=back and lined.once(back.drawn(), lambda drawing: cut_out(drawing, "", drawing.bleed, lined_backs)),
        lie="packed",
    )


class _Lined:
    """Drawings with their lines: the same drawing gives the same again, so that a PDF holds it once."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Drawing, Drawing]] = {}

    def once(self, drawing: Drawing, make: Callable[[Drawing], Drawing]) -> Drawing:
        """By identity: comparing drawings costs more than making them; the drawing is kept for that."""
        if id(drawing) not in self._made:
            self._made[id(drawing)] = drawing, make(drawing)
        return self._made[id(drawing)][1]


def _kind(piece: Piece) -> str:
    return piece.id.split("/")[0].split("#")[0]
