"""Breaks a galley into lines as Japanese does: each is filled, then mended where a forbidden character would end up."""

from bisect import bisect_right
from typing import NamedTuple

from generator.text.galley import Galley
from generator.text.kinsoku import PARTED_AT_NEED, Edge

_SLACK = 0.5  # 1/1000 em that a line may be over-full: a rounding error, not a width
_LOOKAHEAD = 4
_WIDOW = 1900.0  # 1/1000 em: a shorter last line looks lost
_STOP, _SPACE = int(Edge.STOP), int(Edge.SPACE)


class Line(NamedTuple):
    """Sorts `start` to `end` of a galley; the next line begins at `after` (spaces lie between).

    `hangs`: the last sort is a stop that hangs past the edge. `last`: the paragraph ends here.
    """

    start: int
    end: int
    after: int
    hangs: bool = False
    last: bool = False


def fill_lines(galley: Galley, measure: float, start: int = 0) -> list[Line]:
    """Lines of at most `measure` (1/1000 em) from sort `start` on; some need to be tightened, or their last stop hangs.

    No line starts or ends with a forbidden character, unless a line's first legal break lies beyond the measure: then
    a number parts from its counter, and where there is none, the line is filled and cut.
    """
    lines: list[Line] = []
    count = len(galley.widths)
    sorts, ends, widths = galley.sorts, galley.ends, galley.widths
    leads, codes = galley.leads, galley.codes
    while start < count:
        limit = ends[start] - widths[start] + sorts[start].left + measure + _SLACK
        full = bisect_right(ends, limit, start)
        if full < count and ends[full] - sorts[full].right <= limit:
            full += 1
        after = full
        while after < count and leads[after] == _SPACE:
            after += 1
        if after == count:
            lines.append(Line(start, galley.without_spaces(start, full), count, last=True))
            break
        if after > start and not codes[after] & 1:
            line = Line(start, galley.without_spaces(start, full), after)
        else:
            line = _mended(galley, start, full, after, limit)
        lines.append(line)
        start = line.after
    if lines and not lines[-1].last:
        lines[-1] = lines[-1]._replace(last=True)
    return lines


def without_widow(galley: Galley, measure: float, lines: list[Line]) -> list[Line]:
    """The lines, the last but one made narrower where otherwise a single character would be left on the last."""
    if len(lines) == 1 or galley.natural_width(lines[-1].start, lines[-1].end) >= _WIDOW:
        return lines
    for less in (500.0, 1000.0, 1500.0):
        if measure < 5 * less:
            break
        two = fill_lines(galley, measure - less, lines[-2].start)
        if len(two) == 2 and galley.natural_width(two[1].start, two[1].end) >= _WIDOW:
            return [*lines[:-2], *(_at_rest(galley, line, measure) for line in two)]
    return lines


def _at_rest(galley: Galley, line: Line, measure: float) -> Line:
    """The line in a wider measure: a stop that hung may now stand inside."""
    return line._replace(hangs=line.hangs and galley.natural_width(line.start, line.end) > measure)


def _mended(galley: Galley, start: int, full: int, after: int, limit: float) -> Line:
    """The line when no break is allowed where it is full: pull in, let hang, push out, or cut."""
    codes, count = galley.codes, len(galley.widths)
    beyond = next(
        (at for at in range(after + 1, min(after + _LOOKAHEAD, count) + 1) if at == count or not codes[at] & 1), 0
    )
    if beyond:
        end = galley.without_spaces(start, beyond)
        if galley.ends[end - 1] - galley.sorts[end - 1].right - limit <= spare(galley, start, end):
            return Line(start, end, beyond)
        hanging = galley.ends[end - 1] - galley.widths[end - 1] - limit
        if galley.leads[end - 1] == _STOP and end - 1 > start and hanging <= spare(galley, start, end - 1):
            return Line(start, end, beyond, hangs=True)
    for at in range(full, start, -1):
        if not codes[at] & 1:
            return Line(start, galley.without_spaces(start, at), at)
    for at in range(full, start, -1):
        if (galley.trails[at - 1], galley.leads[at]) in PARTED_AT_NEED:
            return Line(start, at, at)
    cut = max(full, start + 1)
    return Line(start, cut, cut)


def spare(galley: Galley, start: int, end: int) -> float:
    """How much sorts start to end can be tightened, 1/1000 em."""
    return sum(gap.close + gap.tighten for gap in galley.gaps_within(start, end)[1])
