"""The one colour of a game in which its books and lists are accented."""

from collections.abc import Mapping

from generator.model.colour import bytes_of, contrast
from generator.model.drawing import Paint
from generator.model.game import Colour

_LEAST_CONTRAST, _LEAST_SATURATION = 4.5, 0.6


def accent(palette: Mapping[str, Colour]) -> Paint:
    """The game's first strong colour that can be read on white, else its first readable one, else ink."""
    readable = [name for name, colour in palette.items() if contrast(colour.srgb, "#ffffff") >= _LEAST_CONTRAST]
    strong = [name for name in readable if _saturation(palette[name].srgb) >= _LEAST_SATURATION]
    return next(iter([*strong, *(name for name in readable if name != "ink")]), "ink")


def _saturation(srgb: str) -> float:
    parts = bytes_of(srgb)
    return (max(parts) - min(parts)) / max(*parts, 1)
