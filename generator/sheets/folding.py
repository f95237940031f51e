"""Faces onto a net: one drawing that is cut out, folded and glued."""

from collections.abc import Iterator, Mapping

from generator.model.drawing import Drawing, Group, Item, Shape, number
from generator.model.game import FaceName
from generator.model.outline import rectangle
from generator.sheets.marks import CASING, DARK, LIGHT, LINE, cut_line_items
from generator.sheets.nets import Net
from generator.units import Rect

TINT = "#e3e3e3"
"""Glue areas: a grey that every printer shows and thin paper hides."""

FOLD_DASH = (0.8, 0.8)


def on_net(net: Net, faces: Mapping[FaceName, Drawing]) -> Drawing:
    """The net with its faces; ValueError where it lacks one. Lines lie over the art.

    A face's bleed shows only where the net's clip and the face's own bleed allow it.
    """
    missing = [face for face in net.faces if face not in faces]
    if missing:
        raise ValueError(f"a net of {', '.join(net.faces)} needs {', '.join(missing)}")
    front = faces["front"]
    over = max([CASING, *(_beyond(net.clips[face], faces[face]) for face in net.faces)])
    return Drawing(net.width, net.height, over, tuple(_items(net, faces)), front.lang, front.title, front.description)


def _items(net: Net, faces: Mapping[FaceName, Drawing]) -> Iterator[Item]:
    yield Shape(path=" ".join(net.glue), fill=TINT, role="glue")
    for face, matrix in net.faces.items():
        drawing = faces[face]
        yield Group(drawing.items, matrix, rectangle(_bleed_part(net.clips[face], drawing)), id=face)
    yield from _fold_lines(net)
    yield from cut_line_items(net.outline, Rect(0, 0, net.width, net.height))


def _fold_lines(net: Net) -> Iterator[Item]:
    """Dark dashes with light ones between them, no wider than a hair: seen on any ground, lost on the folded edge."""
    path = " ".join(f"M {number(x)} {number(y)} L {number(u)} {number(v)}" for (x, y), (u, v) in net.folds)
    yield Shape(path=path, stroke=LIGHT, width=LINE, role="fold")
    yield Shape(path=path, stroke=DARK, width=LINE, dash=FOLD_DASH, role="fold")


def _bleed_part(clip: Rect, drawing: Drawing) -> Rect:
    """The part of the clip that the face's own bleed reaches."""
    whole = Rect(0, 0, drawing.width, drawing.height).grown(drawing.bleed)
    x, y = max(clip.x, whole.x), max(clip.y, whole.y)
    return Rect(x, y, min(clip.right, whole.right) - x, min(clip.bottom, whole.bottom) - y)


def _beyond(clip: Rect, drawing: Drawing) -> float:
    """How far a face shows beyond its own edges, mm."""
    shown = _bleed_part(clip, drawing)
    return max(-shown.x, -shown.y, shown.right - drawing.width, shown.bottom - drawing.height)
