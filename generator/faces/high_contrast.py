"""Faces for those who see little: black text and dark icons on pale grounds, a contrast of 7 or more everywhere."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from generator.faces.repainting import PALE, PaintManner, Repainter, no_darker, no_lighter
from generator.faces.workshop import Workshop
from generator.model.colour import BLACK, WHITE, lightness, luminance, luminance_at
from generator.model.drawing import Drawing, Group, Item, Paint, Picture
from generator.model.sheet import Document

LEAST = 7.0
"""WCAG 2.2, success criterion 1.4.6 (AAA); and for icons, of which 1.4.11 asks for less."""

ICON_MOST = 0.045
"""The luminance of dark icons at most: hues are still told apart."""

ART_LEAST = LEAST * (ICON_MOST + 0.05) - 0.05
"""The luminance of art at least: what the darkest of it has below a dark icon."""

GROUND_LEAST = 0.75
"""And of grounds, which are lighter than the art on them."""

LINE_LEAST = LEAST * 0.05 - 0.05 + 0.005
"""The luminance of outlines at least: black text that crosses one is read there, too."""

LINE_MOST = 0.33
"""And at most: they show the shapes of art."""

OUTLINE, THICKEST = 0.18, 0.4
"""Of lines around filled art, and of strokes that draw it, mm on paper."""

PICTURE = 0.3
"""How much of a bitmap shows on what lies below it, as light as art or lighter: its black is #b3b3b3 on white."""


def _art(colour: str) -> str:
    """As light as art has to be; what was lighter is lighter still."""
    floor = lightness(ART_LEAST)
    least = luminance_at(floor + (100 - floor) * lightness(luminance(colour)) / 100)
    return no_darker(colour, min(1.0, max(ART_LEAST + 0.005, least)))


def _icon(colour: str) -> str:
    """A part of an icon of several colours: what is light in it becomes white, all else dark."""
    return WHITE if luminance(colour) > PALE else no_lighter(colour, ICON_MOST)


def _picture(picture: Picture, _unit: float) -> Item:
    return Group((picture,), opacity=PICTURE)


HIGH_CONTRAST = PaintManner(
    tones={
        "ground": partial(no_darker, least=GROUND_LEAST),
        "art": _art,
        "icon": _icon,
        "pale icon": partial(no_lighter, most=ICON_MOST),
        "letters": lambda _colour: BLACK,
        "around letters": lambda _colour: WHITE,
        "line": lambda colour: no_darker(no_lighter(colour, LINE_MOST), LINE_LEAST),
    },
    text=BLACK,
    outline=OUTLINE,
    thickest=THICKEST,
    picture=_picture,
)
"""Text is black; icons are dark, in a hue of their own colour; grounds and art keep their hues as tints."""


def clearer_document(document: Document, hex_of: Callable[[Paint], str]) -> Document:
    """A book's pages in high contrast; for documents of items alone. `hex_of` resolves paints to `#rrggbb`."""
    painter = Repainter(hex_of, HIGH_CONTRAST)
    return replace(document, pages=tuple(replace(page, items=painter.items(page.items)) for page in document.pages))


def clearer(workshop: Workshop) -> Callable[[Drawing], Drawing]:
    """What makes a game's faces stand out."""
    return Repainter(workshop.hex, HIGH_CONTRAST).drawing
