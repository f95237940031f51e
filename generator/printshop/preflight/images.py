"""What is to be known of an image: its pixels, its colour space and where it lays most ink."""

from typing import Any

import pikepdf
from PIL import Image, ImageChops

from generator.printshop.preflight.colours import GRAY, Colour, Space, space_of
from generator.printshop.preflight.marks import Picture

_MOST_PIXELS = 60_000_000
_STRAY = 0.0005  # of all pixels: fewer with more ink are noise


def picture_of(image: Any, spaces: Any) -> tuple[Picture, Space]:
    """The facts of an image XObject and its space; ValueError and the like where it is too broken to be read."""
    pixels = (max(0, int(image.get("/Width", 0))), max(0, int(image.get("/Height", 0))))
    if bool(image.get("/ImageMask", False)):
        return Picture(pixels, 1, stencil=True), GRAY
    space = space_of(image.get("/ColorSpace", pikepdf.Name("/Unknown")), spaces)
    soft = "/SMask" in image or int(image.get("/SMaskInData", 0)) > 0
    most, spot = most_ink(image) if space.family == "cmyk" else (None, (0.0, 0.0))
    return Picture(pixels, int(image.get("/BitsPerComponent", 8)), soft=soft, ink=most, inkiest=spot), space


def most_ink(image: Any) -> tuple[float | None, tuple[float, float]]:
    """The largest sum of the four inks, percent, and where it lies (fractions from the top left corner)."""
    if int(image.get("/Width", 0)) * int(image.get("/Height", 0)) > _MOST_PIXELS:
        return None, (0.0, 0.0)
    try:
        picture = pikepdf.PdfImage(image).as_pil_image(apply_mask=False)  # a mask takes no ink away
    except (pikepdf.PdfError, pikepdf.UnsupportedImageTypeError, ValueError, OSError, NotImplementedError, KeyError):
        return None, (0.0, 0.0)
    return _most(picture) if picture.mode == "CMYK" else (None, (0.0, 0.0))


def _most(picture: Image.Image) -> tuple[float, tuple[float, float]]:
    cyan, magenta, yellow, black = picture.split()
    # A quarter of the sum fits into a byte; half a unit is lost at most.
    quarter = ImageChops.add(ImageChops.add(cyan, magenta, 2), ImageChops.add(yellow, black, 2), 2)
    left = _STRAY * quarter.width * quarter.height
    counts = quarter.histogram()
    top = max((value for value in range(256) if counts[value]), default=0)
    while top and sum(counts[top:]) < min(left, 16):
        top -= 1
    box = quarter.point([255 if value >= top else 0 for value in range(256)]).getbbox() or (0, 0, 1, 1)
    return top * 4 / 2.55, (box[0] / quarter.width, box[1] / quarter.height)


def picture_colour(space: Space) -> Colour:
    """The colour of a mark that is a picture: many of one space."""
    return Colour(space)
