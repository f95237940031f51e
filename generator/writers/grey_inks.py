"""Paints and pictures in black ink alone, and what any inks do with the pixels of a picture."""

from dataclasses import replace
from typing import Literal

from PIL import Image, ImageChops, ImageFilter

from generator.model.colour import grey_of, rgb_of
from generator.model.drawing import Paint, Role
from generator.model.game import Game
from generator.model.ink import Bitmap, Ink, Overprint, Rgb

_MODES = {"gray": "L", "rgb": "RGB", "cmyk": "CMYK"}
_STEPS = 33  # of a table from colours to greys: no grey it gives is more than half a step of 255 off


def grey_inks(game: Game) -> "GreyInks":
    """The inks of a game on a printer with black alone."""
    return GreyInks(game)


class GreyInks:
    """The inks of a game in black alone: every colour is the grey that is as light."""

    keeps_pictures = False
    overprints: Overprint = "never"

    def __init__(self, game: Game):
        self._game = game
        self._table: ImageFilter.Color3DLUT | None = None

    def ink(self, paint: Paint, role: Role) -> Ink:  # noqa: ARG002 - all roles alike
        """A paint as a grey."""
        return Ink("gray", (grey_of(rgb_of(paint if paint.startswith("#") else self._game.palette[paint].srgb)),))

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """A picture in greys."""
        image = pixels(bitmap)
        if not is_grey(image):
            if self._table is None:
                self._table = ImageFilter.Color3DLUT.generate(_STEPS, _grey_thrice)
            image = image.convert("RGB").filter(self._table)
        return bitmap_from(image.getchannel(0), bitmap.alpha, bitmap)


def _grey_thrice(red: float, green: float, blue: float) -> Rgb:
    grey = grey_of((red, green, blue))
    return (grey, grey, grey)


def pixels(bitmap: Bitmap) -> Image.Image:
    """A bitmap without its transparency."""
    return Image.frombytes(_MODES[bitmap.space], (bitmap.width, bitmap.height), bitmap.pixels)


def bitmap_from(image: Image.Image, alpha: bytes, source: Bitmap) -> Bitmap:
    """Return the bitmap that has the pixels of an image, in grey or in four inks; all else is the source's."""
    space: Literal["gray", "cmyk"] = "gray" if image.mode == "L" else "cmyk"
    return replace(source, space=space, pixels=image.tobytes(), alpha=alpha)


def is_grey(image: Image.Image) -> bool:
    """Whether all pixels are grey; a picture in four inks has been separated already and keeps them."""
    if image.mode != "RGB":
        return image.mode == "L"
    red, green, blue = image.split()
    return all(ImageChops.difference(red, other).getbbox() is None for other in (green, blue))
