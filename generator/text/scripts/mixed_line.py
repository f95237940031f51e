"""Sets a fitted line in which some of the writing runs from right to left: its sorts in the order in which they stand.

What runs leftwards is a run of glyphs in the order of their characters, each at its own place: so the text stays
readable for programs that search it or read it out.
"""

from collections.abc import Iterator
from itertools import accumulate
from math import cos, radians, sin

from generator.model.drawing import Item, TextRun
from generator.text.column import set_stretch
from generator.text.fonts import Font
from generator.text.galley import Galley, LineSpot, Stretch
from generator.text.scripts.bidi import visual
from generator.text.shaped import scaled
from generator.text.textline import Rooms, run_along, set_marks
from generator.text.upright import centre
from generator.units import MM_PER_PT


def set_mixed(
    galley: Galley,
    start: int,
    end: int,
    after: int,
    rooms: Rooms,
    spot: LineSpot,
    out: list[Item],
    downwards: bool = False,
) -> None:
    """Appends what sorts start to end show, with `rooms` after them; the spaces up to `after` take no room.

    `downwards`: the line is a column on its side. What a line shows is appended in the order of its characters.
    """
    if rooms is None:
        rooms = galley.as_it_comes(start, end)
    pens = _pens(galley, start, end, rooms)
    scale = spot.size * MM_PER_PT / 1000
    begin = spot.x - galley.sorts[start].left * scale
    for first, last in _stretches(galley, start, end):
        if galley.rarities[first].level % 2 and galley.fonts[first] is not None:
            reach = _with_spaces(galley, first, last, end, after)
            run = _leftward_run(galley, first, reach, [begin + pen * scale for pen in pens[first - start :]], spot)
            out.extend(turned(run, 90.0, (0.0, 0.0), centre(_font(galley, first), run.text)) if downwards else [run])
            left, right = pens[last - 1 - start], pens[first - start] + galley.widths[first]
            stretch = Stretch(first, last, begin + left * scale, begin + right * scale, [0.0], [])
            _rule(galley, stretch, spot, out, downwards)
            continue
        widths = galley.widths[first:last]
        inner = [pens[at + 1 - start] - pens[at - start] - galley.widths[at] for at in range(first, last - 1)] + [0.0]
        moves = [width + room for width, room in zip(widths, inner, strict=True)]
        x = begin + pens[first - start] * scale
        stretch = Stretch(first, last, x, x + sum(moves) * scale, inner, moves)
        _rule(galley, stretch, spot, out, downwards)
        if downwards:
            set_stretch(galley, stretch, spot, out)
            continue
        font = galley.fonts[first]
        if font is not None:
            out.append(run_along(galley, stretch, font, spot))
        set_marks(galley, stretch, spot, out)


def _rule(galley: Galley, stretch: Stretch, spot: LineSpot, out: list[Item], downwards: bool) -> None:
    """Appends the lines that go with a stretch."""
    if galley.ruled:
        from generator.text.marks.ruling import ruled, ruled_beside  # few texts have lines

        out.extend((ruled_beside if downwards else ruled)(galley, (stretch,), spot))


def turned(run: TextRun, angle: float, about: tuple[float, float], lower: float = 0.0) -> Iterator[TextRun]:
    """A run turned clockwise about a point, one for each glyph where they have places; its baseline `lower` em down."""
    along, across = cos(radians(angle)), sin(radians(angle))
    down = lower * run.size * MM_PER_PT
    whole = ((0.0, 0.0),)
    for number, (right, below) in enumerate(run.places or whole):
        x, y = run.x + right - about[0], run.y + below + down - about[1]
        part = run._replace(x=about[0] + x * along - y * across, y=about[1] + x * across + y * along, angle=angle)
        if run.places:
            only = slice(number, number + 1)
            part = part._replace(glyphs=run.glyphs[only], clusters=run.clusters[only], advances=(), places=())
        yield part


def _pens(galley: Galley, start: int, end: int, rooms: list[float]) -> list[float]:
    """Where each sort of a line begins at its left, 1/1000 em, the sorts being in the order of their characters."""
    rarities, widths = galley.rarities, galley.widths
    order = visual([rarities[at].level for at in range(start, end)])
    pens = [0.0] * (end - start)
    pen = 0.0
    for number in order:
        room = rooms[number]
        pens[number] = pen + room if rarities[start + number].level % 2 else pen
        pen += widths[start + number] + room
    return pens


def _stretches(galley: Galley, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A line in stretches of one font, colour and direction each."""
    first = start
    for at in range(start + 1, end + 1):
        if at == end or not _alike(galley, at - 1, at):
            yield first, at
            first = at


def _alike(galley: Galley, one: int, other: int) -> bool:
    """Whether two sorts side by side are parts of one run."""
    before, behind = galley.rarities[one], galley.rarities[other]
    paints = galley.paints
    return (
        galley.fonts[one] is galley.fonts[other]
        and before.level == behind.level
        and before.rise == behind.rise
        and before.stance == behind.stance
        and before.ratio == behind.ratio
        and (before.underlined, before.struck) == (behind.underlined, behind.struck)
        and before.mark is behind.mark is None
        and (paints is None or paints[one] == paints[other])
    )


def _with_spaces(galley: Galley, first: int, last: int, end: int, after: int) -> int:
    """The end of a stretch with the spaces behind its line, where it is the last."""
    while last >= end and last < after and galley.fonts[last] is galley.fonts[first]:
        last += 1
    return last


def _leftward_run(galley: Galley, first: int, last: int, lefts: list[float], spot: LineSpot) -> TextRun:
    """The run of sorts that begin at these places (mm, the first of them the one at the right)."""
    scale, rarity = spot.size * MM_PER_PT / 1000, galley.rarities[first]
    glyphs: list[int] = []
    clusters: list[str] = []
    advances: list[float] = []
    spots: list[tuple[float, float]] = []
    for sort, left in zip(galley.sorts[first:last], [*lefts, *[lefts[-1]] * (last - first)], strict=False):
        inner = sort.rarity.spots or [(pen, 0.0) for pen in accumulate(sort.advances[:-1], initial=0.0)]
        glyphs += sort.glyphs
        clusters += sort.clusters
        advances += scaled(sort.advances, 1 / rarity.ratio)
        spots += [(left + right * scale, spot.y - (rarity.rise + up) * scale) for right, up in inner]
    x, y = spots[0][0], spot.y - rarity.rise * scale
    places = tuple([(across - x, down - y) for across, down in spots])
    paint = galley.paints[first] if galley.paints else spot.paint
    font = _font(galley, first)
    shown = tuple(glyphs), tuple(clusters), tuple(advances)
    return TextRun(x, y, spot.size * rarity.ratio, font.key, *shown, paint, places=places)


def _font(galley: Galley, at: int) -> Font:
    font = galley.fonts[at]
    if font is None:
        raise TypeError("what has no font has no glyphs either")
    return font
