"""Colours and inks: conversions, mixing, contrast, colour difference, and paints resolved for a writer."""

import math
from typing import Literal, NamedTuple, Protocol, TypeAlias

from generator.base.display_list import Paint, Role

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""

Cmyk: TypeAlias = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, 0 to 1."""

Space = Literal["gray", "rgb", "cmyk", "spot"]

Overprint = Literal["never", "plates", "darkening"]
"""How inks with `overprint` set print over others: `never`; on `plates` of their own; or, where a single plate is shown
as a grey picture, by `darkening` what is below."""

REGISTRATION: Paint = "#000000"
"""The paint of marks beside the trim (role `mark`) that every plate must show. Elsewhere it is plain black."""

EVERY_PLATE = "All"
"""PDF's name for the spot ink that stands for all plates."""


class Ink(NamedTuple):
    """The ink that a paint is printed with.

    `values` are 0 to 1: for `gray` 0 is black, for `cmyk` and `spot` 1 is solid ink. A `spot` ink has a name, and
    `alternate` process colours to replace it. An ink that may `overprint` leaves the plates below unchanged. A writer
    allows this only for small type and thin lines: a large area would let what is below show through.
    """

    space: Space
    values: tuple[float, ...]
    spot: str = ""
    alternate: Cmyk | None = None
    overprint: bool = False


class Bitmap(NamedTuple):
    """Pixels in rows from the top, 8 bits a channel. `alpha` has one byte for each pixel, or is empty.

    Messages call the picture `name`. A `lossy` picture is saved as a JPEG again if it was changed.
    """

    space: Literal["gray", "rgb", "cmyk"]
    width: int
    height: int
    pixels: bytes
    alpha: bytes = b""
    name: str = ""
    lossy: bool = False


class Inks(Protocol):
    """Resolves paints and bitmaps to printable inks for a program that writes a file."""

    @property
    def keeps_pictures(self) -> bool:
        """Return True if picture files are embedded unchanged; otherwise each is passed to `bitmap` once."""

    @property
    def overprints(self) -> Overprint:
        """Return how inks with `overprint` set print over others: `never`, plate by plate, or by darkening (blending).

        Unless it is `never`, the writer states for each item whether it overprints.
        """

    def ink(self, paint: Paint, role: Role) -> Ink:
        """Return the ink for a paint on an item whose use is `role` (such as `text`, `art` or `cut`)."""

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Return a picture's pixels as they are printed."""


# Colours are sRGB literals `#rrggbb`; anything else is a ValueError.

WHITE, BLACK = "#ffffff", "#000000"

Light: TypeAlias = tuple[float, float, float]
"""Linear-light red, green, blue, each 0..1."""

Lab: TypeAlias = tuple[float, float, float]
"""L* 0..100, a*, b*."""

# IEC 61966-2-1, linear sRGB to XYZ; the white is this matrix's own, so that neutral greys have a* = b* = 0.
_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = tuple(sum(row) for row in _TO_XYZ)

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE TVCG 15 (6), 2009, severity 1.0; they apply to linear RGB and their rows add up to 1, so greys stay greys.
DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}

LEAST_DIFFERENCE = 10.0
"""The minimum CIEDE2000 difference, required in each kind of colour vision: every player has only one."""

SIGHTS = ("normal sight", *DEFICIENCIES, "grey")
"""The kinds of colour vision that colours are compared in; `grey` is a black-and-white print."""


def bytes_from_hex(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255. Raise ValueError if the colour is not `#rrggbb`."""
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"'{colour}' is not a colour of the form #rrggbb")
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def rgb_from_hex(colour: str) -> Rgb:
    """Return red, green and blue (0 to 1) of a colour `#rrggbb`. Raise ValueError for any other."""
    red, green, blue = bytes_from_hex(colour)
    return red / 255, green / 255, blue / 255


def hex_from_rgb(rgb: Rgb) -> str:
    """Return the colour of red, green and blue (0 to 1) as `#rrggbb`."""
    return "#" + "".join([f"{round(255 * part):02x}" for part in rgb])


def mix_colours(one: str, other: str, share: float) -> str:
    """Return hex colour `one` with a share of `other` mixed in (0: none, 1: only `other`), in sRGB as screens do."""
    pairs = zip(bytes_from_hex(one), bytes_from_hex(other), strict=True)
    return "#" + "".join([f"{round(a + (b - a) * share):02x}" for a, b in pairs])


def linear_from_srgb(value: float) -> float:
    """Return an sRGB channel, 0 to 1, in linear light (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def srgb_from_linear(light: float) -> float:
    """Return linear light, 0 to 1, as an sRGB channel."""
    return light * 12.92 if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def light_from_rgb(rgb: Rgb) -> Light:
    """Return red, green and blue (sRGB, 0 to 1) in linear light (0 to 1)."""
    red, green, blue = rgb
    return linear_from_srgb(red), linear_from_srgb(green), linear_from_srgb(blue)


def luminance_from_light(light: Light) -> float:
    """Return the relative luminance Y, 0 black to 1 white, with the rounded weights that WCAG prescribes."""
    red, green, blue = light
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def measure_luminance(colour: str) -> float:
    """Return the relative luminance, 0 black to 1 white, of a colour `#rrggbb`."""
    return luminance_from_light(light_from_rgb(rgb_from_hex(colour)))


def measure_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2 of two hex colours, 1 (alike) to 21 (black on white), in either order."""
    brighter, darker = sorted((measure_luminance(one), measure_luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def grey_from_rgb(rgb: Rgb) -> float:
    """Return the sRGB grey, 0 black to 1 white, with the same lightness as a colour. Greys are unchanged."""
    red, green, blue = rgb
    if red == green == blue:
        return red
    return min(1.0, srgb_from_linear(luminance_from_light(light_from_rgb(rgb))))


def lightness_from_luminance(luminance: float) -> float:
    """Return CIE L*, 0 to 100, of a luminance from 0 to 1."""
    return 116 * luminance ** (1 / 3) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def luminance_from_lightness(lightness: float) -> float:
    """Return the luminance, 0 to 1, of a CIE L*."""
    return float(((lightness + 16) / 116) ** 3) if lightness > 8 else lightness * 27 / 24389


def simulate_sight(sight: str, colour: str) -> Lab:
    """Return in CIELAB how a hex colour looks to a kind of sight in SIGHTS. Raise KeyError for any other kind."""
    light = light_from_rgb(rgb_from_hex(colour))
    if sight == "grey":
        level = luminance_from_light(light)
        light = (level, level, level)
    elif sight != "normal sight":
        red, green, blue = (min(1.0, max(0.0, _dot_product(row, light))) for row in DEFICIENCIES[sight])
        light = (red, green, blue)
    return lab_from_light(light)


def _dot_product(row: Light, light: Light) -> float:
    return row[0] * light[0] + row[1] * light[1] + row[2] * light[2]


def lab_from_light(light: Light) -> Lab:
    """Return a colour in linear light as CIELAB under D65."""
    x, y, z = (_cube_root(_dot_product(row, light) / white) for row, white in zip(_TO_XYZ, _WHITE, strict=True))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def _cube_root(value: float) -> float:
    """Return CIELAB's f: a cube root, with a straight line near black."""
    return float(value ** (1 / 3)) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def measure_differences(one: str, other: str) -> dict[str, float]:
    """Return for each kind of sight in SIGHTS the CIEDE2000 difference that two hex colours have when seen with it."""
    return {sight: ciede2000(simulate_sight(sight, one), simulate_sight(sight, other)) for sight in SIGHTS}


def ciede2000(first: Lab, second: Lab) -> float:
    """Return how different two Lab colours look (0: alike): CIEDE2000, weights 1, after Sharma, Wu and Dalal."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    stretch = 1.5 - 0.5 * _compute_saturation((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2)
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = _compute_hue(a1, b1), _compute_hue(a2, b2)
    turn = h2 - h1 if c1 * c2 else 0.0
    turn -= 360 * ((turn > 180) - (turn < -180))  # the shorter way round
    lightness, chroma, hue = (l1 + l2) / 2, (c1 + c2) / 2, _average_hue(h1, h2, c1 * c2 != 0)

    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    weight = 1 + sum(height * math.cos(math.radians(times * hue + shift)) for height, times, shift in waves)
    sl = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    sc = 1 + 0.045 * chroma
    sh = 1 + 0.015 * chroma * weight
    dl = (l2 - l1) / sl
    dc = (c2 - c1) / sc
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / sh
    rotation = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))) * 2 * _compute_saturation(chroma)
    return math.sqrt(max(0.0, dl * dl + dc * dc + dh * dh + rotation * dc * dh))


def _compute_saturation(chroma: float) -> float:
    """Return CIEDE2000's chroma weight: 0 for greys, 1/sqrt(2) at a chroma of 25, near 1 above it."""
    seventh = chroma**7
    return math.sqrt(seventh / (seventh + 25.0**7))


def _compute_hue(a: float, b: float) -> float:
    return math.degrees(math.atan2(b, a)) % 360


def _average_hue(h1: float, h2: float, coloured: bool) -> float:
    """Return the hue (degrees) midway between two, the shorter way; the sum if not `coloured`: a grey's hue is 0."""
    if not coloured:
        return h1 + h2
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
