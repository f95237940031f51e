"""The colours of a web page from those of a game: readable by day and by night, whatever the palette."""

from collections.abc import Mapping

from generator.dataclass import dataclass
from generator.model.colour import BLACK, WHITE, bytes_of, contrast, luminance, mix
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
    deep = next((shade for shade in shades if contrast(shade, WHITE) >= _DEEP and _has_colour(shade)), "#1f2a37")
    chosen = palette[accent].srgb if accent != "ink" and accent in palette else deep
    day = mix(paper, WHITE, 0.65)
    cover = readable_colour(chosen, WHITE, _DEEP)
    return Colours(
        paper=paper,
        day=day,
        day_text="#1d1b18",
        day_accent=readable_colour(chosen, day, _ACCENT),
        night=_NIGHT_GROUND,
        night_text=_NIGHT_TEXT,
        night_accent=readable_colour(mix(chosen, WHITE, 0.25), _NIGHT_GROUND, _ACCENT),
        cover=cover,
        on_cover=readable_colour(paper, cover, _DEEP - 1.5),
    )


def readable_colour(colour: str, ground: str, least: float = READABLE) -> str:
    """The colour, mixed with as little black or white as makes it readable on a ground."""
    goal = max((BLACK, WHITE), key=lambda end: contrast(end, ground))
    steps = (mix(colour, goal, step / _STEPS) for step in range(_STEPS + 1))
    return next((shade for shade in steps if contrast(shade, ground) >= least), goal)


def _has_colour(colour: str) -> bool:
    parts = bytes_of(colour)
    return max(parts) - min(parts) >= _SATURATED * max(parts)
