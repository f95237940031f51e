"""Which pieces that are cut out one by one share sheets: sorted by how they lie, packed, or found too large."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from generator.model.sheet import Piece
from generator.sheets.areas import Area
from generator.sheets.blocks import LEAST_APART, Manner, Nest
from generator.sheets.cutting import straight
from generator.sheets.packing import Lot, Packing, fits, largest, pack
from generator.units import Size

_SLACK = 0.002


@dataclass(frozen=True, slots=True)
class TooLargePieces:
    """Pieces of one size that no sheet takes, and the largest size that it does."""

    pieces: tuple[Piece, ...]
    size: Size
    room: Size


def share(
    pieces: Sequence[Piece], gap: float, areas: Sequence[Area]
) -> tuple[list[tuple[Packing, tuple[Piece, ...]]], list[TooLargePieces]]:
    """Pieces of any sizes on sheets that have one of the areas (at least one), and those that none of them takes.

    Pieces lie upright; what fits only when turned has sheets of its own.
    """
    upright: list[Lot] = []
    turned: list[Lot] = []
    unfit: list[TooLargePieces] = []
    for lot in lots(pieces, gap):
        if fits(lot.manner, areas):
            upright.append(lot)
        elif fits(lot.manner.turned(), areas):
            turned.append(Lot(lot.manner.turned(), lot.pieces))
        else:
            unfit.append(TooLargePieces(lot.pieces, lot.manner.cell, largest(areas, lot.manner)))
    return [*pack(upright, areas), *pack(turned, areas, 90)], unfit


def lots(pieces: Sequence[Piece], gap: float) -> list[Lot]:
    """Pieces that lie in the same manner together, in order of first appearance."""
    found: dict[Manner, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(manner(piece, gap), []).append(piece)
    return [Lot(how, tuple(those)) for how, those in found.items()]


def manner(piece: Piece, gap: float) -> Manner:
    """How a piece lies: straight ones touch or keep `gap` mm, round ones and hexagons nest."""
    front = piece.front.drawn()
    cell = Size(round(front.width, 3), round(front.height, 3))
    apart = piece.shape in ("round", "hexagon") or not straight(front)
    bleed = max(front.bleed, piece.back.bleed if piece.back is not None else 0.0)
    if apart:
        bleed = min(bleed, max(gap, LEAST_APART) / 2)
    return Manner(cell, bleed, gap, apart, _nest(piece, cell))


def _nest(piece: Piece, cell: Size) -> Nest:
    if piece.shape == "round" and abs(cell.height - cell.width) < _SLACK:
        return "round"
    if piece.shape == "hexagon" and abs(cell.height - cell.width * 2 / sqrt(3)) < _SLACK:
        return "hexagon"
    return ""
