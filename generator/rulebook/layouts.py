"""Pieces laid out for a figure: side by side, as a fan, one over the other; all to one scale, in mm."""

from collections.abc import Container, Iterable, Sequence
from math import cos, radians, sin

from generator.model import outline
from generator.model.drawing import Drawing, Group, Item
from generator.model.geometry import Matrix
from generator.rulebook.faces import PiecePicture
from generator.units import Rect

WIDTH, BESIDE = 114.0, 46.0
"""mm: how wide a figure may be that stands by itself, and one beside text."""

GAP = 3.0
RAISED = 0.5
"""How far a raised piece is shifted up, of its height."""

_HEAD = 0.23
"""How much of a piece shows above the one that lies on it."""

_FAN_RADIUS = 2.1
_FAN_STEP, _FAN_SPREAD = 9.0, 56.0
"""Degrees from card to card, and at most from the first to the last."""

_ROOM = 0.1
"""mm around everything, so that no edge's line is cut."""

Laid = tuple[PiecePicture, Matrix, float]
"""A piece, where it lies, how large."""


def in_rows(pieces: Sequence[PiecePicture], scale: float, width: float, raised: Container[int] = ()) -> list[Laid]:
    """The pieces from left to right with equal gaps, standing on a line; as many rows, evenly filled, as it takes.

    `raised` are the numbers, from 1, of pieces shifted up.
    """
    total = sum(piece.width for piece in pieces) * scale + GAP * (len(pieces) - 1)
    rows = _rows(pieces, scale, width, max(1, int(-(-total // max(width, 1)))))
    laid: list[Laid] = []
    y, number = 0.0, 0
    for row in rows:
        lifts = [RAISED if number + at in raised else 0.0 for at in range(1, len(row) + 1)]
        number += len(row)
        high = max(piece.height * (1 + lift) for piece, lift in zip(row, lifts, strict=True)) * scale
        wide = sum(piece.width for piece in row) * scale + GAP * (len(row) - 1)
        x = -wide / 2
        for piece, lift in zip(row, lifts, strict=True):
            laid.append((piece, _at(x, y + high - piece.height * (1 + lift) * scale, scale), scale))
            x += piece.width * scale + GAP
        y += high + GAP
    return laid


def _rows(pieces: Sequence[PiecePicture], scale: float, width: float, number: int) -> list[Sequence[PiecePicture]]:
    """The pieces in rows of equal number, none wider than `width` unless by a single piece."""
    while True:
        each = -(-len(pieces) // number)
        rows = [pieces[at : at + each] for at in range(0, len(pieces), each)]
        widest = max(sum(piece.width for piece in row) * scale + GAP * (len(row) - 1) for row in rows)
        if widest <= width + 1e-6 or each == 1:
            return rows
        number += 1


def fan_pieces(pieces: Sequence[PiecePicture], scale: float) -> list[Laid]:
    """The pieces as a hand of cards: turned about a point below, the last one on top."""
    step = min(_FAN_STEP, _FAN_SPREAD / max(1, len(pieces) - 1))
    laid: list[Laid] = []
    for number, piece in enumerate(pieces):
        angle = radians((number - (len(pieces) - 1) / 2) * step)
        across, down = cos(angle) * scale, sin(angle) * scale
        far = piece.height * _FAN_RADIUS
        x, y = -piece.width / 2, -far
        laid.append((piece, (across, down, -down, across, across * x - down * y, down * x + across * y), scale))
    return laid


def in_column(pieces: Sequence[PiecePicture], scale: float) -> list[Laid]:
    """The pieces one over the other, the head of each covered one in sight."""
    laid: list[Laid] = []
    y = 0.0
    for piece in pieces:
        laid.append((piece, _at(-piece.width * scale / 2, y, scale), scale))
        y += piece.height * scale * _HEAD
    return laid


def _at(x: float, y: float, scale: float) -> Matrix:
    return (scale, 0.0, 0.0, scale, x, y)


def bounds(laid: Iterable[Laid]) -> Rect:
    """The box around pieces, by their outlines."""
    whole: Rect | None = None
    for piece, matrix, _ in laid:
        box = outline.bounds(piece.outline, matrix)
        if box is not None:
            whole = box if whole is None else whole.united(box)
    return whole or Rect(0, 0, 1, 1)


def drawing_of(items: Sequence[Item], box: Rect, lang: str, title: str) -> Drawing:
    """Things as a drawing that begins at the upper left corner of their box."""
    box = box.grown(_ROOM)
    moved = Group(tuple(items), (1.0, 0.0, 0.0, 1.0, round(-box.x, 3), round(-box.y, 3)))
    return Drawing(round(box.width, 3), round(box.height, 3), 0.0, (moved,), lang, title)


def pieces_as_drawing(laid: Sequence[Laid], lang: str, title: str) -> Drawing:
    """Pieces as a drawing."""
    items = [piece.place(round_matrix(matrix), scale) for piece, matrix, scale in laid]
    return drawing_of(items, bounds(laid), lang, title)


def round_matrix(matrix: Matrix) -> Matrix:
    """A matrix as it is written: no more digits than a printer can tell apart."""
    a, b, c, d, e, f = matrix
    return (round(a, 6), round(b, 6), round(c, 6), round(d, 6), round(e, 3), round(f, 3))


def laid_out(
    show: str, pieces: Sequence[PiecePicture], scale: float, width: float, raised: Container[int]
) -> list[Laid]:
    """Pieces as a fan, a column, or rows that are no wider than `width` mm."""
    if show == "fan":
        return fan_pieces(pieces, scale)
    if show == "column":
        return in_column(pieces, scale)
    return in_rows(pieces, scale, width, raised)
