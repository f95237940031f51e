"""Lines of the program's own words (stamps, sheet labels): set plainly, glyph after glyph, by natural advances.

They change from card to card and from sheet to sheet, so kerning and line breaking would cost more than they give.
"""

from collections.abc import Sequence
from itertools import groupby
from math import cos, radians, sin
from typing import Literal

from generator.draw.fonts import Font
from generator.model.drawing import Paint, Role, TextRun
from generator.units import MM_PER_PT

Anchor = Literal["start", "middle", "end"]

_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
NO_GLYPH = "?"
"""What stands for a character that none of the fonts has."""


class Labeller:
    """Sets labels in a chain of fonts, the first that has the character."""

    def __init__(self, fonts: Sequence[Font]):
        self._fonts = fonts
        self._known: dict[str, tuple[Font, int, float]] = {}

    def set(
        self, text: str, x: float, y: float, size: float, anchor: Anchor, angle: float, paint: Paint, role: Role
    ) -> tuple[TextRun, ...]:
        """The line with its anchor at (x, y) mm on the baseline; `size` in points, `angle` in degrees clockwise."""
        sorts = [(char, *self._sort(char)) for char in text]
        em = size * MM_PER_PT / 1000
        along = -_SHARE[anchor] * sum(sort[3] for sort in sorts) * em
        across, down = (cos(radians(angle)), sin(radians(angle))) if angle else (1.0, 0.0)
        runs = []
        for key, group in groupby(sorts, key=lambda sort: sort[1].key):
            part = list(group)
            runs.append(
                TextRun(
                    x + along * across,
                    y + along * down,
                    size,
                    key,
                    tuple([sort[2] for sort in part]),
                    tuple([sort[0] for sort in part]),
                    paint=paint,
                    angle=angle,
                    role=role,
                )
            )
            along += sum(sort[3] for sort in part) * em
        return tuple(runs)

    def _sort(self, char: str) -> tuple[Font, int, float]:
        known = self._known.get(char)
        if known is None:
            found = next(((font, glyph) for font in self._fonts if (glyph := font.glyph(char))), None)
            if found is None:
                found = (self._fonts[0], self._fonts[0].glyph(NO_GLYPH))
            known = self._known[char] = (*found, found[0].advance(found[1]))
        return known
