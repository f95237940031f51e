"""Sets a fitted line of a galley as a column: its line turned a quarter clockwise, what stands upright left upright.

The setter breaks and fits columns as lines of a box that lies on its side: along it is down, across it is to the left.
A point (x, y) there is (-y, x) on the face, and a line's y is the middle of its column.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from generator.model.drawing import Item, Placed, TextFrame, TextRun
from generator.text.fonts import Font
from generator.text.galley import Galley, LineSpot, Stretch
from generator.text.ruby import RubyReading
from generator.text.textbox import TextBox
from generator.text.textline import (
    Pictogram,
    Rooms,
    of_its_size,
    reading_starts,
    run_along,
    stretches,
)
from generator.text.upright import Stance, centre
from generator.units import MM_PER_PT

_HALF = 500.0  # 1/1000 em from the middle of a column to its sides


def on_its_side(box: TextBox) -> TextBox:
    """The box that a vertical text is broken in."""
    return replace(box, x=box.y, y=-(box.x + box.width), width=box.height, height=box.width)


def upright_frame(frame: TextFrame) -> TextFrame:
    """The frame of a line on the face."""
    return frame._replace(x=-(frame.y + frame.height), y=frame.x, width=frame.height, height=frame.width)


def set_column(galley: Galley, start: int, end: int, after: int, rooms: Rooms, spot: LineSpot, out: list[Item]) -> None:
    """Appends what sorts start to end show, with `rooms` after them; the spaces up to `after` take no room."""
    for stretch in stretches(galley, start, end, after, rooms, spot):
        set_stretch(galley, stretch, spot, out)
    if galley.ruled:
        from generator.text.marks.ruling import ruled_beside  # few texts have lines

        out.extend(ruled_beside(galley, stretches(galley, start, end, after, rooms, spot), spot))


def set_stretch(galley: Galley, stretch: Stretch, spot: LineSpot, out: list[Item]) -> None:
    """Appends what a stretch of a column shows."""
    font = galley.fonts[stretch.first]
    if font is not None:
        _glyphs(galley, stretch, font, spot, out)
    mark, base = galley.rarities[stretch.first].mark, galley.rarities[stretch.last - 1]
    if isinstance(mark, Pictogram):
        out.append(_icon(mark, stretch.x, spot))
    if isinstance(base.mark, RubyReading):
        beside = of_its_size(spot, base)
        _set_reading(base.mark, reading_starts(base.mark, stretch.end, beside), beside, out)


def _glyphs(galley: Galley, stretch: Stretch, font: Font, spot: LineSpot, out: list[Item]) -> None:
    rarity = galley.rarities[stretch.first]
    stance = rarity.stance
    paint = galley.paints[stretch.first] if galley.paints else spot.paint
    if stance == Stance.ALONG:
        run = run_along(galley, stretch, font, spot)
        baseline = run.y + centre(font, run.text) * run.size * MM_PER_PT
        out.append(run._replace(x=-baseline, y=run.x, angle=90.0))
        return
    scale = spot.size * MM_PER_PT / 1000
    spot = of_its_size(spot, rarity)
    pens = list(accumulate(stretch.moves, initial=0.0))
    sorts = [(at, stretch.x + pen * scale) for at, pen in zip(range(stretch.first, stretch.last), pens, strict=False)]
    if stance == Stance.UPRIGHT:
        out.append(_upright(galley, sorts, font, spot._replace(paint=paint)))
    else:
        standing = [(galley.sorts[at], x) for at, x in sorts]
        out.extend(_abreast(sort.glyphs, sort.clusters, x, font, spot, paint) for sort, x in standing)


def _upright(galley: Galley, sorts: Sequence[tuple[int, float]], font: Font, spot: LineSpot) -> TextRun:
    """The glyphs of these sorts (number, mm along the column) below each other."""
    scale = spot.size * MM_PER_PT / 1000
    spots: list[tuple[float, float]] = []
    for at, begin in sorts:
        ratio = galley.rarities[at].ratio
        pens = accumulate(galley.sorts[at].advances, initial=0.0)
        for glyph, pen in zip(galley.sorts[at].glyphs, pens, strict=False):
            middle, top = font.top(glyph)
            spots.append((-spot.y - middle * scale, begin + (pen / ratio + top) * scale))
    glyphs = tuple(glyph for at, _ in sorts for glyph in galley.sorts[at].glyphs)
    clusters = tuple(cluster for at, _ in sorts for cluster in galley.sorts[at].clusters)
    return _placed(spots, spot.size, font, glyphs, clusters, spot.paint)


def _abreast(
    glyphs: tuple[int, ...], clusters: tuple[str, ...], begin: float, font: Font, spot: LineSpot, paint: str
) -> TextRun:
    """Glyphs side by side in one em of the column, smaller where they are too wide together."""
    widths = [font.advance(glyph) for glyph in glyphs]
    total = sum(widths)
    ratio = min(1.0, 2 * _HALF / total) if total else 1.0
    scale = spot.size * MM_PER_PT / 1000
    left = -spot.y - total * ratio / 2 * scale
    base = begin + (_HALF + centre(font, "1") * 1000 * ratio) * scale
    spots = [(left + pen * ratio * scale, base) for pen in accumulate(widths[:-1], initial=0.0)]
    return _placed(spots, spot.size * ratio, font, glyphs, clusters, paint)


def _placed(
    spots: list[tuple[float, float]],
    size: float,
    font: Font,
    glyphs: tuple[int, ...],
    clusters: tuple[str, ...],
    paint: str,
) -> TextRun:
    x, y = spots[0]
    places = tuple((across - x, down - y) for across, down in spots)
    return TextRun(x, y, size, font.key, glyphs, clusters, (), paint, places=places)


def _set_reading(reading: RubyReading, begin: float, spot: LineSpot, out: list[Item]) -> None:
    """A reading at the right of its base."""
    galley = Galley([sort._replace(left=0.0) for sort in reading.sorts])
    count = len(reading.sorts)
    em = spot.size * MM_PER_PT / 1000
    beside = LineSpot(
        begin,
        spot.y - _HALF * (1 + reading.ratio) * em,
        spot.size * reading.ratio,
        reading.paint or spot.paint,
        spot.right,
    )
    set_column(galley, 0, count, count, [reading.spread] * count, beside, out)


def _icon(mark: Pictogram, begin: float, spot: LineSpot) -> Placed:
    """An icon upright on the middle of the column; its height is what it takes of the column's length."""
    left, top, width, height = mark.symbol.box
    scale = mark.height * spot.size * MM_PER_PT / 1000 / height
    x = -spot.y - (left + width / 2) * scale
    return Placed(mark.symbol, (scale, 0.0, 0.0, scale, x, begin - top * scale), role="icon")
