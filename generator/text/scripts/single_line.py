"""A line of writing whose letters join, turn or change places, for labels, which set others letter by letter."""

from collections.abc import Sequence

from generator.model.drawing import Item, Paint, TextRun
from generator.model.text import Plain
from generator.text.fonts import Font
from generator.text.galley import Galley, LineSpot
from generator.text.scripts.mixed_line import set_mixed, turned
from generator.text.scripts.mixture import Mixture
from generator.text.typecase import Sort, Typecase
from generator.units import MM_PER_PT


class SingleLines:
    """Sets lines that begin at the left, in a chain of fonts; `instead` is shown of a character that none has."""

    def __init__(self, fonts: Sequence[Font], instead: str):
        self._case = Typecase(tuple(fonts), "und", 0.0)
        self._instead = instead
        self._galleys: dict[str, Galley] = {}

    def width(self, text: str, size: float) -> float:
        """How long a line comes out, mm, its `size` in points."""
        galley = self._galley(text)
        return galley.natural_width(0, len(galley.widths)) * size * MM_PER_PT / 1000

    def runs(self, text: str, x: float, y: float, size: float, angle: float, paint: Paint) -> tuple[TextRun, ...]:
        """A line from (x, y) mm, turned clockwise about there by degrees."""
        galley = self._galley(text)
        items: list[Item] = []
        count = len(galley.widths)
        set_mixed(galley, 0, count, count, None, LineSpot(x, y, size, paint, x), items)
        runs = [item for item in items if isinstance(item, TextRun)]
        return tuple([part for run in runs for part in turned(run, angle, (x, y))] if angle else runs)

    def _galley(self, text: str) -> Galley:
        galley = self._galleys.get(text)
        if galley is None:
            missing: list[str] = []
            self._sorts(text, missing)
            shown = "".join([self._instead if char in missing else char for char in text])
            galley = self._galleys[text] = Galley(self._sorts(shown, []))
        return galley

    def _sorts(self, text: str, missing: list[str]) -> list[Sort]:
        return Mixture((Plain(text),), "und").sorts(text, self._case, missing)
