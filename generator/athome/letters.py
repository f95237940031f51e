"""Lines of the program's own words on proofs and boxes: set plainly, by natural advances, in any paint."""

from generator.faces.label import Anchor, Labeller
from generator.faces.workshop import LABEL_FAMILY, Workshop
from generator.model.drawing import Item, Paint
from generator.units import MM_PER_PT

GREY = "#595959"
"""Of what is read second; 7 to 1 on white."""

_ELLIPSIS = "…"


class Letters:
    """Sets lines in the program's fonts, then in the game's, whose names may need them."""

    def __init__(self, workshop: Workshop, lang: str):
        families = (LABEL_FAMILY, *workshop.game.fonts)
        self._fonts = [font for family in families for font in workshop.fonts.chain(family, lang)]
        self._labeller = Labeller(self._fonts)

    def line(
        self, text: str, x: float, y: float, size: float, anchor: Anchor = "start", paint: Paint = "ink"
    ) -> tuple[Item, ...]:
        """A line with its anchor at (x, y) mm on the baseline, `size` in points."""
        return self._labeller.set(text, x, y, size, anchor, 0.0, paint, "text")

    def width(self, text: str, size: float) -> float:
        """How long the line comes out, mm."""
        return sum(self._advance(char) for char in text) * size * MM_PER_PT / 1000

    def cut(self, text: str, size: float, width: float) -> str:
        """The text, shortened by an ellipsis where it is longer than `width` mm."""
        if self.width(text, size) <= width:
            return text
        while text and self.width(text + _ELLIPSIS, size) > width:
            text = text[:-1]
        return text + _ELLIPSIS

    def _advance(self, char: str) -> float:
        for font in self._fonts:
            glyph = font.glyph(char)
            if glyph:
                return font.advance(glyph)
        return self._fonts[0].advance(self._fonts[0].glyph("?"))
