"""Lines of the program's own words (stamps, sheet labels): set plainly, glyph after glyph, by natural advances.

They change from card to card and from sheet to sheet, so kerning and line breaking would cost more than they give.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from math import cos, radians, sin
from typing import TYPE_CHECKING, Literal

from generator.model.drawing import Paint, Role, TextRun
from generator.model.scripts import needs_shaping, unset
from generator.text.fonts import Font
from generator.text.kinsoku import QUARTER, quarters
from generator.units import MM_PER_PT

if TYPE_CHECKING:
    from generator.text.scripts.single_line import SingleLines

Anchor = Literal["start", "middle", "end"]

_ELLIPSIS = "…"
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
NO_GLYPH = "?"
"""What stands for a character that none of the fonts has, or that can't be set."""


class Labeller:
    """Sets labels in a chain of fonts, the first that has the character; `further` fonts are opened if none has it."""

    def __init__(self, fonts: Sequence[Font], further: Callable[[], Sequence[Font]] = tuple):
        self._fonts, self._further = fonts, further
        self._known: dict[str, tuple[Font, int, float]] = {}

    @cached_property
    def _single_lines(self) -> "SingleLines":
        from generator.text.scripts.single_line import SingleLines  # here, as few games have such names

        return SingleLines([*self._fonts, *self._all], NO_GLYPH)

    @cached_property
    def _all(self) -> Sequence[Font]:
        return self._further()

    def set(
        self, text: str, x: float, y: float, size: float, anchor: Anchor, angle: float, paint: Paint, role: Role
    ) -> tuple[TextRun, ...]:
        """The line with its anchor at (x, y) mm on the baseline; `size` in points, `angle` in degrees clockwise."""
        if not text:
            return ()
        if needs_shaping(text):
            begin = -_SHARE[anchor] * self.width(text, size)
            turn = radians(angle)
            runs_on = self._single_lines.runs(text, x + begin * cos(turn), y + begin * sin(turn), size, angle, paint)
            return tuple([run._replace(role=role) for run in runs_on])
        sorts, parted = self._sorts(text)
        fonts, glyphs, advances = zip(*sorts, strict=True)
        em = size * MM_PER_PT / 1000
        along = -_SHARE[anchor] * sum(advances) * em
        across, down = (cos(radians(angle)), sin(radians(angle))) if angle else (1.0, 0.0)
        runs = []
        start = 0
        for font, stretch in groupby(fonts):
            end = start + len(list(stretch))
            spot, shown = (x + along * across, y + along * down), (glyphs[start:end], tuple(text[start:end]))
            moves = advances[start:end]
            natural = not parted or not any(start < at < end for at in parted)
            runs.append(TextRun(*spot, size, font.key, *shown, () if natural else moves, paint, angle, role))
            along += sum(moves) * em
            start = end
        return tuple(runs)

    def line(
        self, text: str, x: float, y: float, size: float, anchor: Anchor = "start", paint: Paint = "ink"
    ) -> tuple[TextRun, ...]:
        """A level line of a page with its anchor at (x, y) mm on the baseline, `size` in points."""
        return self.set(text, x, y, size, anchor, 0.0, paint, "text")

    def width(self, text: str, size: float) -> float:
        """How long the line comes out, mm."""
        if needs_shaping(text):
            return self._single_lines.width(text, size)
        return sum([advance for _, _, advance in self._sorts(text)[0]]) * size * MM_PER_PT / 1000

    def cut(self, text: str, size: float, width: float) -> str:
        """The text, shortened by an ellipsis where it is longer than `width` mm."""
        if self.width(text, size) <= width:
            return text
        while text and self.width(text + _ELLIPSIS, size) > width:
            text = text[:-1]
        return text + _ELLIPSIS

    def _sorts(self, text: str) -> tuple[list[tuple[Font, int, float]], tuple[int, ...]]:
        """The font, glyph and advance (1/1000 em) of each character, and behind how many a quarter em is part of it."""
        known = self._known
        sorts = [known.get(char) or self._sort(char) for char in text]
        parted = quarters(text)
        for at in parted:
            font, glyph, advance = sorts[at - 1]
            sorts[at - 1] = font, glyph, advance + QUARTER
        return sorts, parted

    def _found(self, char: str, fonts: Sequence[Font]) -> tuple[Font, int] | None:
        able = () if unset(char) else fonts
        return next(((font, glyph) for font in able if (glyph := font.glyph(char))), None)

    def _sort(self, char: str) -> tuple[Font, int, float]:
        found = self._found(char, self._fonts) or self._found(char, self._all)
        font, glyph = found or (self._fonts[0], self._fonts[0].glyph(NO_GLYPH))
        self._known[char] = (font, glyph, font.advance(glyph))
        return self._known[char]
