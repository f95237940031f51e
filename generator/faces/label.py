"""Lines of the program's own words (stamps, sheet labels): set plainly, glyph after glyph, by natural advances.

They change from card to card and from sheet to sheet, so kerning and line breaking would cost more than they give.
"""

from collections.abc import Sequence
from itertools import groupby
from math import cos, radians, sin
from typing import Literal

from generator.model.drawing import Paint, Role, TextRun
from generator.model.scripts import unset
from generator.text.fonts import Font
from generator.units import MM_PER_PT

Anchor = Literal["start", "middle", "end"]

_ELLIPSIS = "…"
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
NO_GLYPH = "?"
"""What stands for a character that none of the fonts has, or that can't be set."""


class Labeller:
    """Sets labels in a chain of fonts, the first that has the character."""

    def __init__(self, fonts: Sequence[Font]):
        self._fonts = fonts
        self._known: dict[str, tuple[Font, int, float]] = {}

    def set(
        self, text: str, x: float, y: float, size: float, anchor: Anchor, angle: float, paint: Paint, role: Role
    ) -> tuple[TextRun, ...]:
        """The line with its anchor at (x, y) mm on the baseline; `size` in points, `angle` in degrees clockwise."""
        if not text:
            return ()
        known = self._known
        sorts = [known.get(char) or self._sort(char) for char in text]
        fonts, glyphs, advances = zip(*sorts, strict=True)
        em = size * MM_PER_PT / 1000
        along = -_SHARE[anchor] * sum(advances) * em
        across, down = (cos(radians(angle)), sin(radians(angle))) if angle else (1.0, 0.0)
        runs = []
        start = 0
        for font, stretch in groupby(fonts):
            end = start + len(list(stretch))
            spot, shown = (x + along * across, y + along * down), (glyphs[start:end], tuple(text[start:end]))
            runs.append(TextRun(*spot, size, font.key, *shown, (), paint, angle, role))
            along += sum(advances[start:end]) * em
            start = end
        return tuple(runs)

    def line(
        self, text: str, x: float, y: float, size: float, anchor: Anchor = "start", paint: Paint = "ink"
    ) -> tuple[TextRun, ...]:
        """A level line of a page with its anchor at (x, y) mm on the baseline, `size` in points."""
        return self.set(text, x, y, size, anchor, 0.0, paint, "text")

    def width(self, text: str, size: float) -> float:
        """How long the line comes out, mm."""
        return sum([(self._known.get(char) or self._sort(char))[2] for char in text]) * size * MM_PER_PT / 1000

    def cut(self, text: str, size: float, width: float) -> str:
        """The text, shortened by an ellipsis where it is longer than `width` mm."""
        if self.width(text, size) <= width:
            return text
        while text and self.width(text + _ELLIPSIS, size) > width:
            text = text[:-1]
        return text + _ELLIPSIS

    def _sort(self, char: str) -> tuple[Font, int, float]:
        fonts = () if unset(char) else self._fonts
        found = next(((font, glyph) for font in fonts if (glyph := font.glyph(char))), None)
        font, glyph = found or (self._fonts[0], self._fonts[0].glyph(NO_GLYPH))
        self._known[char] = (font, glyph, font.advance(glyph))
        return self._known[char]
