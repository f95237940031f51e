"""Grey as the eye has it: how light a colour of sRGB is, and the grey that is as light."""

from generator.model.ink import Rgb

_WEIGHTS = (0.2126, 0.7152, 0.0722)  # of red, green and blue in luminance (IEC 61966-2-1)


def linear(value: float) -> float:
    """A channel of sRGB (0..1) in linear light."""
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def encoded(light: float) -> float:
    """Linear light (0..1) as a channel of sRGB."""
    return light * 12.92 if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def grey_of(colour: Rgb) -> float:
    """The sRGB grey, 0 black to 1 white, that is as light as the colour; a grey is its own."""
    red, green, blue = colour
    if red == green == blue:
        return red
    return min(1.0, encoded(sum(part * linear(value) for part, value in zip(_WEIGHTS, colour, strict=True))))


def lightness(luminance: float) -> float:
    """CIE L*, 0 to 100, of a luminance from 0 to 1."""
    return 116 * luminance ** (1 / 3) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def luminance_of(lightness: float) -> float:
    """The luminance, 0 to 1, of a CIE L*."""
    return float(((lightness + 16) / 116) ** 3) if lightness > 8 else lightness * 27 / 24389
