"""The few words that stand in a figure: labels, names of ends, what an arrow says."""

from typing import NamedTuple

from generator.errors import Place
from generator.model.drawing import Group, Item, Paint, TextRun
from generator.rulebook.faces import Faces
from generator.units import MM_PER_PT

SIZE = 6.8
"""Points of words in a figure."""

_DROP, _HIGH = 0.92, 1.25
"""em from the top of a line to its baseline, and to its foot."""


class WordLine(NamedTuple):
    """A line of words from its upper left corner at (0, 0), its width and height, mm."""

    item: Item
    width: float
    height: float

    def at(self, x: float, y: float) -> Item:
        """The line with its upper left corner there."""
        return Group((self.item,), (1.0, 0.0, 0.0, 1.0, round(x, 3), round(y, 3)))


class WordSetter:
    """Sets the words of figures; characters that no font has are told at a place."""

    def __init__(self, faces: Faces):
        self._faces = faces

    def line(self, text: str, place: Place | None, paint: Paint = "ink") -> WordLine:
        """A line of words."""
        em = SIZE * MM_PER_PT
        runs = [
            run._replace(paint=paint)
            for run in self._faces.workshop.typeset(text, 0.0, _DROP * em, SIZE, "start", 0.0)
            if isinstance(run, TextRun)
        ]
        wide = 0.0
        for run in runs:
            self._faces.check(run, place)
            advance = sum(self._faces.workshop.advance(run.font, glyph) for glyph in run.glyphs)
            wide = max(wide, run.x + advance * run.size * MM_PER_PT / 1000)
        return WordLine(Group(tuple(runs)), wide, _HIGH * em)
