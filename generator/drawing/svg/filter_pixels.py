"""Pixels of filters: blur, move, mix, recolour and compose pictures."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from PIL import Image, ImageChops, ImageFilter, ImageMath

Matrix20 = Sequence[float]
"""A colour matrix: four rows of five, the last of each a share of white."""

_LIGHTER = [round(255 * (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4)) for v in range(256)]
_DARKER = [
    round(255 * (v / 255 * 12.92 if v / 255 <= 0.0031308 else 1.055 * (v / 255) ** (1 / 2.4) - 0.055))
    for v in range(256)
]
_SAME = list(range(256))


def to_linear_light(picture: Image.Image) -> Image.Image:
    """Return the picture in linear light."""
    return picture.point([*_LIGHTER * 3, *_SAME])


def to_screen_colours(picture: Image.Image) -> Image.Image:
    """Return a picture in linear light as screen colours."""
    return picture.point([*_DARKER * 3, *_SAME])


def blur_picture(picture: Image.Image, across: float, down: float) -> Image.Image:
    """Return a picture blurred with a standard deviation in pixels."""
    if across <= 0 and down <= 0:
        return picture
    widest = float(2 * max(picture.size))  # more than that leaves nothing to be seen
    return (
        picture.convert("RGBa")
        .filter(ImageFilter.GaussianBlur((min(across, widest), min(down, widest))))
        .convert("RGBA")
    )


def shift_picture(picture: Image.Image, across: float, down: float) -> Image.Image:
    """Return a picture moved by a number of pixels."""
    ground = Image.new("RGBA", picture.size)
    if abs(across) < picture.width and abs(down) < picture.height:
        ground.paste(picture, (round(across), round(down)))
    return ground


def fill_picture(size: tuple[int, int], colour: str, alpha: float) -> Image.Image:
    """Return a picture filled with one colour."""
    return Image.new("RGBA", size, (*(int(colour[at : at + 2], 16) for at in (1, 3, 5)), round(255 * alpha)))


def lay_over(below: Image.Image, above: Image.Image) -> Image.Image:
    """Return one picture on top of the other."""
    return Image.alpha_composite(below, above)


def mask_picture(picture: Image.Image, shown: Image.Image) -> Image.Image:
    """Return the part of a picture that a mask (L) shows."""
    made = picture.copy()
    made.putalpha(ImageChops.multiply(picture.getchannel("A"), shown))
    return made


def blacken_picture(picture: Image.Image) -> Image.Image:
    """Return the shape of a picture in black."""
    made = Image.new("RGBA", picture.size)
    made.putalpha(picture.getchannel("A"))
    return made


def compose_pictures(above: Image.Image, below: Image.Image, how: str) -> Image.Image:
    """Combine two pictures by `lay_over`, `in`, `out`, `atop`, `xor` or `lighter`."""
    a, b = above.getchannel("A"), below.getchannel("A")
    if how == "in":
        return mask_picture(above, b)
    if how == "out":
        return mask_picture(above, ImageChops.invert(b))
    if how in ("atop", "xor"):
        first = mask_picture(above, b if how == "atop" else ImageChops.invert(b))
        return _add_pictures(first, mask_picture(below, ImageChops.invert(a)))
    return _add_pictures(above, below) if how == "lighter" else lay_over(below, above)


def _add_pictures(one: Image.Image, other: Image.Image) -> Image.Image:
    first, second = one.convert("RGBa"), other.convert("RGBa")
    bands = [ImageChops.add(a, b) for a, b in zip(first.split(), second.split(), strict=True)]
    return Image.merge("RGBa", bands).convert("RGBA")


def combine_arithmetically(first: Image.Image, second: Image.Image, factors: Sequence[float]) -> Image.Image:
    """Return k1·a·b + k2·a + k3·b + k4 of two pictures with premultiplied alpha."""
    k1, k2, k3, k4 = factors
    bands = []
    for a, b in zip(first.convert("RGBa").split(), second.convert("RGBa").split(), strict=True):
        bands.append(
            _clip_levels(lambda v: k1 / 255 * v["a"] * v["b"] + k2 * v["a"] + k3 * v["b"] + 255 * k4, a=a, b=b)
        )
    alpha = bands[3]
    return Image.merge("RGBa", [*[ImageChops.darker(band, alpha) for band in bands[:3]], alpha]).convert("RGBA")


def _clip_levels(reckon: Callable[[Any], Any], **bands: Image.Image) -> Image.Image:
    floats = {name: band.convert("F") for name, band in bands.items()}
    made: Image.Image = ImageMath.lambda_eval(reckon, **floats)
    inside: Image.Image = ImageMath.lambda_eval(
        lambda v: v["convert"](v["min"](v["max"](v["a"] + 0.5, 0.0), 255.0), "L"), a=made
    )
    return inside


_MIXED: dict[str, Callable[[Image.Image, Image.Image], Image.Image]] = {
    "multiply": ImageChops.multiply,
    "screen": ImageChops.screen,
    "darken": ImageChops.darker,
    "lighten": ImageChops.lighter,
    "difference": ImageChops.difference,
    "overlay": lambda above, below: ImageChops.overlay(below, above),
    "hard-light": ImageChops.overlay,
    "soft-light": lambda above, below: ImageChops.soft_light(below, above),
}
MIXES = frozenset(_MIXED)


def mix_pictures(above: Image.Image, below: Image.Image, how: str) -> Image.Image:
    """Blend two pictures; `how` is one of MIXES, or `normal`."""
    return lay_over(below, blend_layer(above, below, how) if how in _MIXED else above)


def blend_layer(above: Image.Image, below: Image.Image, how: str) -> Image.Image:
    """Return the layer to put on a picture so that both look blended; `how` is one of MIXES."""
    colours = above.convert("RGB")
    made = Image.composite(_MIXED[how](colours, below.convert("RGB")), colours, below.getchannel("A")).convert("RGBA")
    made.putalpha(above.getchannel("A"))
    return made


def apply_colour_matrix(picture: Image.Image, matrix: Matrix20) -> Image.Image:
    """Multiply colour and alpha of each pixel with a matrix."""
    r, g, b, a = picture.split()
    made = []
    for row in range(4):
        k = [float(value) for value in matrix[5 * row : 5 * row + 5]]
        made.append(
            _clip_levels(
                lambda v, k=k: k[0] * v["r"] + k[1] * v["g"] + k[2] * v["b"] + k[3] * v["a"] + 255 * k[4],  # type: ignore[misc]
                r=r,
                g=g,
                b=b,
                a=a,
            )
        )
    return Image.merge("RGBA", made)


def make_saturation_matrix(share: float) -> Matrix20:
    """Return the matrix that reduces or increases saturation."""
    s = share
    return [
        *(0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0, 0),
        *(0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0, 0),
        *(0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0, 0),
        *(0, 0, 0, 1, 0),
    ]


def make_hue_matrix(degrees: float) -> Matrix20:
    """Return the matrix that rotates all hues."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [
        *(0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0, 0),
        *(0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0, 0),
        *(0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0, 0),
        *(0, 0, 0, 1, 0),
    ]


TO_ALPHA: Matrix20 = [*[0] * 15, 0.2125, 0.7154, 0.0721, 0, 0]


def spread_picture(picture: Image.Image, across: float, down: float, grown: bool) -> Image.Image:
    """Return a picture grown or shrunk by a number of pixels on each side."""
    ways = (round(across), round(down))
    if min(ways) < 0 or max(ways) < 1:
        return picture
    bands = [_find_extremes(band, ways, grown) for band in picture.convert("RGBa").split()]
    return Image.merge("RGBa", bands).convert("RGBA")


def _find_extremes(band: Image.Image, ways: tuple[int, int], grown: bool) -> Image.Image:
    """The lightest or darkest pixel that lies so far to the sides of each, a doubled reach at a time."""
    pick = ImageChops.lighter if grown else ImageChops.darker
    for axis in (0, 1):
        way = min(ways[axis], band.size[axis])
        wide = [band.width + 2 * way, band.height] if axis == 0 else [band.width, band.height + 2 * way]
        made = Image.new("L", (wide[0], wide[1]))
        made.paste(band, (way, 0) if axis == 0 else (0, way))
        reach, whole = 1, 2 * way + 1
        while reach < whole:
            step = min(reach, whole - reach)
            made = pick(made, ImageChops.offset(made, -step if axis == 0 else 0, -step if axis == 1 else 0))
            reach += step
        band = made.crop((0, 0, *band.size))
    return band
