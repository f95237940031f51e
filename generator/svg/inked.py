"""Where the glyphs of text leave ink."""

import math
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Protocol

from generator.model import outline
from generator.model.drawing import TextFrame, TextRun
from generator.model.geometry import IDENTITY, Matrix, Point, map_box, map_point, scale_of, times
from generator.text.fonts import FontBook
from generator.text.textbox import SetText
from generator.units import MM_PER_PT, Rect

_CUT = 0.05
"""So much of a letter, mm, may be lost by rounding."""


class Glyphs(Protocol):
    """The measures of the glyphs of fonts by their keys, 1/1000 em."""

    def ink(self, font: str, glyph: int) -> tuple[float, float, float, float] | None:
        """The box around a glyph's outline, y up: left, bottom, right, top; None for a blank one."""

    def advance(self, font: str, glyph: int) -> float:
        """How far the pen moves after a glyph."""


def glyph_boxes(run: TextRun, matrix: Matrix, glyphs: Glyphs) -> Iterator[Rect]:
    """The ink of every glyph of the run, blanks left out."""
    unit = run.size * MM_PER_PT / 1000
    turned = _turned(run, matrix)
    pen = rise = 0.0
    for at, glyph in enumerate(run.glyphs):
        if run.places:
            pen, rise = run.places[at][0] / unit, -run.places[at][1] / unit
        ink = glyphs.ink(run.font, glyph)
        if ink is not None:
            left, low, right, high = ink
            corners = [(pen + x, rise + y) for x in (left, right) for y in (low, high)]
            box = outline.around([map_point(turned, corner) for corner in corners])
            if box is not None:
                yield box
        pen += run.advances[at] if run.advances else glyphs.advance(run.font, glyph)


def ink_box(run: TextRun, matrix: Matrix, fonts: FontBook) -> Rect | None:
    """A box around the ink of the whole run, the smallest where it isn't turned askew; None where there is no ink."""
    if run.places:
        boxes = [*glyph_boxes(run, matrix, fonts)]
        return reduce(Rect.united, boxes) if boxes else None
    ink = fonts.font(run.font).ink_along(run.glyphs, run.advances)
    if ink is None:
        return None
    (x, y), (right, bottom) = map_box(_turned(run, matrix), *ink)
    return Rect(x, y, right - x, bottom - y)


def _turned(run: TextRun, matrix: Matrix) -> Matrix:
    """Takes 1/1000 em along the run, y up, to the face's coordinates."""
    unit = run.size * MM_PER_PT / 1000
    if not run.angle:
        return times(matrix, (unit, 0.0, 0.0, -unit, run.x, run.y))
    cos, sin = math.cos(math.radians(run.angle)), math.sin(math.radians(run.angle))
    return times(matrix, (cos * unit, sin * unit, sin * unit, -cos * unit, run.x, run.y))


def beyond(path: str, bleed: float, boxes: Sequence[Rect]) -> float:
    """How far ink in these boxes leaves an outline, mm; 0 where it doesn't, and where all lies in the bleed around it.

    A glyph counts by the middles of its box's sides, as few have ink in its corners.
    """
    loops = outline.flatten(path) if path else ()
    spots = [spot for box in boxes for spot in _middles(box)]
    out = [outline.distance(loops, *spot) for spot in spots if loops and not outline.inside(loops, *spot)]
    if not out or (len(out) == len(spots) and max(out) <= bleed):
        return 0.0
    return max(out)


def _middles(box: Rect) -> tuple[Point, ...]:
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return (box.x, y), (box.right, y), (x, box.y), (x, box.bottom)


def leaving(
    done: SetText, frame: TextFrame, matrix: Matrix, trim: Rect, cut_along: str, bleed: float, fonts: FontBook
) -> str:
    """By how much a text leaves a piece, and where: ink beyond the trim is cut off; empty where none is.

    What lies in the bleed as a whole is meant to be. `cut_along` is the outline of a piece that is no rectangle.
    """
    if not cut_along and (
        _well_inside(frame, trim) or _within_reach(done, matrix, trim, fonts) or _ink_inside(done, matrix, trim, fonts)
    ):
        return ""
    runs = [item for item in done.items if isinstance(item, TextRun)]
    boxes = [box for run in runs for box in glyph_boxes(run, matrix, fonts)]
    if all(trim.holds(box, slack=_CUT) for box in boxes):
        by = beyond(cut_along, bleed, boxes)
        return f"{by:.1f} mm beyond its outline" if by > _CUT else ""
    if not any(trim.meets(box) for box in boxes) and all(trim.grown(bleed).holds(box) for box in boxes):
        return ""
    sides = [(trim.x - box.x, trim.y - box.y, box.right - trim.right, box.bottom - trim.bottom) for box in boxes]
    by, side = max(zip(map(max, zip(*sides, strict=True)), ("left", "top", "right", "bottom"), strict=True))
    return f"{by:.1f} mm beyond its {side} edge"


def _well_inside(frame: TextFrame, trim: Rect) -> bool:
    """Whether a text lies inside whatever its glyphs look like: with an em around it."""
    x, y, width, height, size, *_ = frame
    em = size * MM_PER_PT
    return (
        x - em >= trim.x
        and y - em >= trim.y
        and x + width + em <= trim.x + trim.width
        and y + height + em <= trim.y + trim.height
    )


def _within_reach(done: SetText, matrix: Matrix, trim: Rect, fonts: FontBook) -> bool:
    """Whether a text of one run lies inside if each of its glyphs has as much ink as any of the font."""
    run = done.items[0] if len(done.items) == 1 else None
    if not isinstance(run, TextRun) or run.angle or run.places:
        return False
    left, low, right, high = fonts.font(run.font).reach(run.glyphs)
    em = run.size * MM_PER_PT
    unit = em / 1000
    end = run.x + done.frame.width + em  # no glyph begins behind it: the blanks at a line's ends are half an em at most
    (x, y), (far, deep) = map_box(
        matrix, run.x + left * unit, run.y - high * unit, end + right * unit, run.y - low * unit
    )
    return x >= trim.x and y >= trim.y and far <= trim.x + trim.width and deep <= trim.y + trim.height


def _ink_inside(done: SetText, matrix: Matrix, trim: Rect, fonts: FontBook) -> bool:
    """Whether the boxes around whole runs lie inside; where not, their glyphs may yet."""
    for item in done.items:
        box = ink_box(item, matrix, fonts) if isinstance(item, TextRun) else None
        if box is not None and not trim.holds(box, slack=_CUT):
            return False
    return True


def framed(frame: TextFrame, matrix: Matrix) -> TextFrame:
    """The frame in face coordinates: the box around it where it is turned."""
    if matrix == IDENTITY:
        return frame
    left, top, width, height, *_ = frame
    (x, y), (right, bottom) = map_box(matrix, left, top, left + width, top + height)
    size = frame.size * scale_of(matrix)
    return frame._replace(x=x, y=y, width=right - x, height=bottom - y, size=size)
