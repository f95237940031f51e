"""Type as outlines, for what type itself can't do: lines around letters, holes in masks."""

import math
from collections.abc import Iterable

from generator.model.drawing import TextRun
from generator.model.geometry import map_point, times
from generator.model.path_data import canonical
from generator.text.fonts import FontBook
from generator.units import MM_PER_PT


def outlined(runs: Iterable[TextRun], fonts: FontBook) -> str:
    """The outlines of all glyphs of some runs as one canonical path; empty where they have none."""
    return canonical("".join([step for run in runs for step in _steps(run, fonts)]))


def _steps(run: TextRun, fonts: FontBook) -> Iterable[str]:
    font = fonts.font(run.font)
    em = run.size * MM_PER_PT
    unit = em / font.upem
    cos, sin = math.cos(math.radians(run.angle)), math.sin(math.radians(run.angle))
    turned = (cos * unit, sin * unit, sin * unit, -cos * unit, run.x, run.y)
    pen = 0.0
    for at, glyph in enumerate(run.glyphs):
        x, y = (run.places[at][0] / unit, -run.places[at][1] / unit) if run.places else (pen, 0.0)
        by = times(turned, (1.0, 0.0, 0.0, 1.0, x, y))
        for letter, points in font.outline(glyph):
            spots = [map_point(by, (points[i], points[i + 1])) for i in range(0, len(points), 2)]
            yield letter + " ".join([f"{px:.5f} {py:.5f}" for px, py in spots])
        pen += (run.advances[at] if run.advances else font.advance(glyph)) * font.upem / 1000
