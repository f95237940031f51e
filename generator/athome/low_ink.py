"""Faces that cost little ink: grounds and art become thin tints with outlines, text black, icons keep their shapes."""

from collections.abc import Callable
from functools import partial

from generator.faces.repainting import PaintManner, Repainter, no_darker, no_lighter, share
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Item, Picture, Shape
from generator.model.outline import rectangle
from generator.units import Rect

GROUND, ART = 0.07, 0.14
"""How much of a colour's ink is left on what is filled."""

LINE = 0.6
"""And on outlines: they alone show the shapes."""

ICON_LEAST = 0.2
"""The luminance that no icon goes below, so that black text on it has a contrast of 5 to 1."""

PALE_MOST = 0.14
"""The luminance that an icon made for dark grounds then has at most."""

OUTLINE = 0.1
"""Around filled art, mm on paper, however large or small the art is placed."""

THICKEST = 0.3
"""Of strokes that draw art, mm on paper."""

BITMAP = "#eeeeee"
"""Stands for a picture, whose pixels nobody knows how to thin out and keep."""


def _picture(picture: Picture, unit: float) -> Item:
    box = rectangle(Rect(picture.x, picture.y, picture.width, picture.height))
    return Shape(path=box, fill=BITMAP, stroke=share("#000000", LINE), width=OUTLINE / unit, role=picture.role)


_icon = partial(no_darker, least=ICON_LEAST)

LOW_INK = PaintManner(
    tones={
        "ground": partial(share, of_ink=GROUND),
        "art": partial(share, of_ink=ART),
        "icon": _icon,
        "pale icon": partial(no_lighter, most=PALE_MOST),
        "letters": _icon,
        "around letters": _icon,
        "line": partial(share, of_ink=LINE),
    },
    text="ink",
    outline=OUTLINE,
    thickest=THICKEST,
    picture=_picture,
)
"""Black text is read on all that is left below it: no tint and no icon is darker than `ICON_LEAST`."""


def thinner(workshop: Workshop) -> Callable[[Drawing], Drawing]:
    """What makes a game's faces cost little ink."""
    return Repainter(workshop.hex, LOW_INK).drawing
