"""The colours of a web page from those of a game: readable by day and by night, whatever the palette."""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.model.drawing import Paint
from generator.model.game import Colour

READABLE = 4.5
"""WCAG 2: the least contrast of text with its ground."""

_DEEP = 7.0
"""The contrast of the cover's ground with white: large light type and small print stand on it."""

_ACCENT = 6.0
"""Titles and links stand on tinted grounds too, in boxes."""

_SATURATED = 0.6
"""How far a colour's parts lie apart, of its greatest one: sepia and slate make dull titles."""

_PAPER_LIGHTNESS = 0.8
_WHITE, _BLACK = "#ffffff", "#000000"
_NIGHT_GROUND, _NIGHT_TEXT = "#16181c", "#e4e2dc"
_STEPS = 32


@dataclass(frozen=True, slots=True)
class Colours:
    """What a page is painted with, all `#rrggbb`.

    `paper` is the ground of figures, `day` and `night` the page's, with their `text`; `accent` is for titles and
    links; `cover` is the cover's ground and `on_cover` its type.
    """

    paper: str
    day: str
    day_text: str
    day_accent: str
    night: str
    night_text: str
    night_accent: str
    cover: str
    on_cover: str


def colours_of(palette: Mapping[str, Colour], accent: Paint) -> Colours:
    """The page's colours; `accent` is a paint of the palette, or `ink` to take the first deep colour there is."""
    shades = [colour.srgb for name, colour in palette.items() if name != "ink"]
    paper = next((shade for shade in shades if luminance(shade) >= _PAPER_LIGHTNESS), "#faf8f2")
    deep = next((shade for shade in shades if contrast(shade, _WHITE) >= _DEEP and _coloured(shade)), "#1f2a37")
    chosen = palette[accent].srgb if accent != "ink" and accent in palette else deep
    day = mixed(paper, _WHITE, 0.65)
    cover = toned(chosen, _WHITE, _DEEP)
    return Colours(
        paper=paper,
        day=day,
        day_text="#1d1b18",
        day_accent=toned(chosen, day, _ACCENT),
        night=_NIGHT_GROUND,
        night_text=_NIGHT_TEXT,
        night_accent=toned(mixed(chosen, _WHITE, 0.25), _NIGHT_GROUND, _ACCENT),
        cover=cover,
        on_cover=toned(paper, cover, _DEEP - 1.5),
    )


def toned(colour: str, ground: str, least: float = READABLE) -> str:
    """The colour, mixed with as little black or white as makes it readable on a ground."""
    goal = max((_BLACK, _WHITE), key=lambda end: contrast(end, ground))
    steps = (mixed(colour, goal, step / _STEPS) for step in range(_STEPS + 1))
    return next((shade for shade in steps if contrast(shade, ground) >= least), goal)


def mixed(one: str, other: str, share: float) -> str:
    """One colour with so much (0 to 1) of another."""
    return "#" + "".join([f"{round(a + (b - a) * share):02x}" for a, b in zip(_parts(one), _parts(other), strict=True)])


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, 1 to 21."""
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2, 0 to 1."""
    red, green, blue = (_linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _coloured(colour: str) -> bool:
    parts = _parts(colour)
    return max(parts) - min(parts) >= _SATURATED * max(parts)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
