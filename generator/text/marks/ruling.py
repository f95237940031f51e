"""Lines under, beside and through words, of one thickness and on one level as far as they go."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.model.drawing import Shape, number
from generator.text.galley import Galley, LineSpot, Stretch
from generator.text.ruby import RubyReading
from generator.units import MM_PER_PT

_THICK = 0.055
"""Of a line, in ems of its type."""

_BELOW, _BELOW_WIDE = 0.13, 0.2
"""How far the middle of a line lies under the baseline of letters, and of characters that fill their square."""

_THROUGH, _THROUGH_WIDE = 0.27, 0.38
"""How far one that strikes words out lies above the baseline."""

_BESIDE = 0.56
"""How far one lies beside the middle of a column, at its right."""


class _Line(NamedTuple):
    """A line along words: from where to where (mm along the line), its level over the baseline and its size (ems).

    `readings` is how large the type of ruby beside the words is, 0 where there is none.
    """

    start: float
    end: float
    struck: bool
    rise: float
    size: float
    paint: str
    readings: float = 0.0


def ruled(galley: Galley, stretches: Iterable[Stretch], spot: LineSpot) -> Iterator[Shape]:
    """The lines under and through the words of a line."""
    wide = _is_wide(galley)
    em = spot.size * MM_PER_PT
    for line in _lines(galley, stretches, spot):
        under = -(_BELOW_WIDE if wide else _BELOW)
        level = (_THROUGH_WIDE if wide else _THROUGH) * line.size + line.rise if line.struck else under * line.size
        yield _bar(line.start, line.end, spot.y - level * em, _THICK * line.size * em, line.paint)


def ruled_beside(galley: Galley, stretches: Iterable[Stretch], spot: LineSpot) -> Iterator[Shape]:
    """The lines beside and through the words of a column; its middle is at -y of the spot."""
    em = spot.size * MM_PER_PT
    for line in _lines(galley, stretches, spot):
        level = line.rise if line.struck else _BESIDE * line.size + line.readings
        x, half = -spot.y + level * em, _THICK * line.size * em / 2
        corners = ((x - half, line.start), (x + half, line.start), (x + half, line.end), (x - half, line.end))
        yield _shape(corners, line.paint)


def _lines(galley: Galley, stretches: Iterable[Stretch], spot: LineSpot) -> Iterator[_Line]:
    """The lines of a line of words, neighbours that go on made one."""
    found: list[_Line] = []
    scale = spot.size * MM_PER_PT / 1000
    before = {True: -1, False: -1}  # where the stretch before ended that has such a line
    for stretch in stretches:
        rarity = galley.rarities[stretch.first]
        paint = galley.paints[stretch.first] if galley.paints else spot.paint
        end = stretch.end + min(stretch.rooms[-1], 0.0) * scale  # spaces at a line's end take no room
        for struck, wanted in ((False, rarity.underlined), (True, rarity.struck)):
            if not wanted:
                continue
            mark = galley.rarities[stretch.last - 1].mark
            ruby = mark.ratio * rarity.ratio if isinstance(mark, RubyReading) else 0.0
            line = _Line(stretch.x, end, struck, rarity.rise / 1000 if struck else 0.0, rarity.ratio, paint, ruby)
            last = next((at for at in range(len(found) - 1, -1, -1) if found[at].struck == struck), -1)
            if last >= 0 and before[struck] == stretch.first and _goes_on(found[last], line):
                size, readings = max(found[last].size, line.size), max(found[last].readings, ruby)
                found[last] = found[last]._replace(end=line.end, size=size, readings=readings)
            else:
                found.append(line)
            before[struck] = stretch.last
    yield from found


def _goes_on(one: _Line, other: _Line) -> bool:
    """Whether two neighbours are one line: what is under words goes on below others, what goes through is their own."""
    return one.paint == other.paint and (not one.struck or (one.rise, one.size) == (other.rise, other.size))


def _is_wide(galley: Galley) -> bool:
    """Whether a line has characters that fill their square, below the baseline too."""
    return any(text[:1] >= "\u2e80" for text in galley.texts)


def _bar(left: float, right: float, middle: float, thick: float, paint: str) -> Shape:
    top, bottom = middle - thick / 2, middle + thick / 2
    return _shape(((left, top), (right, top), (right, bottom), (left, bottom)), paint)


def _shape(corners: Iterable[tuple[float, float]], paint: str) -> Shape:
    first, *others = [f"{number(x)} {number(y)}" for x, y in corners]
    return Shape(f"M {first} {' '.join(f'L {corner}' for corner in others)} Z", fill=paint, role="text")
