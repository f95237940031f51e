"""Faces of pieces that are cut out one by one: clipped a little beyond their outline, with the line to cut along."""

from dataclasses import replace

from generator.model import contour
from generator.model.drawing import Drawing, Group, Item, Shape
from generator.model.outline import rectangle
from generator.model.sheet import Piece
from generator.sheets.marks import CASING, LIGHT, LINE, cut_line_items
from generator.units import Rect

_RIM = 2.2 * LINE
"""How wide the light line below a shared cut line is, mm: too narrow to be seen on a piece that is cut out."""


def cut_face(drawing: Drawing, outline: str, reach: float, line: bool = True) -> Drawing:
    """The face as far as its outline grown by `reach` mm and, with `line`, the cut line over it (role `cut`).

    `outline` is a closed canonical path in face coordinates, empty for the rectangle of the face. The result's bleed is
    what of the face's own is left, and never less than half of the line needs.
    """
    path = outline or _trim(drawing)
    art = Group(drawing.items, clip=contour.grow_outline(path, reach))
    lines = _lines(path, drawing) if line else ()
    bleed = max(min(drawing.bleed, reach), CASING / 2 if line else 0.0)
    return replace(drawing, bleed=bleed, items=(art, *lines))


def _lines(path: str, drawing: Drawing) -> tuple[Item, ...]:
    """A dark line with its casing outside alone; around a straight piece also a narrow light one below it.

    Straight neighbours that touch share the line and leave its casing no room: without the light one nobody would find
    it between two dark pieces.
    """
    casing, dark = cut_line_items(path, Rect(0, 0, drawing.width, drawing.height))
    if path != _trim(drawing):
        return casing, dark
    return casing, Shape(path=path, stroke=LIGHT, width=_RIM, role="cut"), dark


def back_outline(outline: str, width: float) -> str:
    """The outline of a back: a reader turns the piece sideways, so left and right change places, the head stays up."""
    return contour.mirror_outline(outline, width)


def cut_line(drawing: Drawing) -> str:
    """The path of the cut line that a drawing bears; empty for none."""
    lines = (item for item in drawing.items if isinstance(item, Shape) and item.role == "cut")
    return next((line.path for line in lines), "")


def straight(drawing: Drawing) -> bool:
    """Whether straight cuts along the trim are all that the piece needs, so that neighbours may share them.

    A piece that is folded is none of those: its net is cut out by itself.
    """
    folded = any(isinstance(item, Shape) and item.role == "fold" for item in drawing.items)
    return not folded and cut_line(drawing) in ("", _trim(drawing))


def outline_on_face(piece: Piece, drawing: Drawing) -> str:
    """Where a piece is cut, as seen on this face of it; empty for straight pieces."""
    front = piece.front.drawn()
    if straight(front):
        return ""
    outline = cut_line(front)
    return outline if drawing is front else back_outline(outline, front.width)


def _trim(drawing: Drawing) -> str:
    return rectangle(Rect(0, 0, drawing.width, drawing.height))
