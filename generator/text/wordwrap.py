"""Breaks a galley at its words so that the lines come out as even as they can: all breaks are weighed together."""

from math import inf
from typing import NamedTuple, TypeVar

from generator.text.galley import Galley
from generator.text.hyphens import Hyphens
from generator.text.kinsoku import TRAILS, Edge
from generator.text.linebreak import Line

_SLACK = 0.5
_LINE = 1000.0  # what one more line costs: more than any raggedness
_HYPHEN, _TWO_HYPHENS, _HARD_HYPHEN, _SLASH = 10.0, 8.0, 1.0, 4.0
_RAGGED = 10.0  # a line that is short by a tenth of the measure costs 1
_LOOSE, _TIGHT = 120.0, 40.0  # 1/1000 em by which each word space may grow or shrink for a cost of 1
_STUB, _STUB_COST = 0.3, 16.0  # a last line shorter than this part of the measure; its cost at no length
_ALONE = 40.0  # what it costs more if it is a single word
_TOLERATED = 9.0  # a line worse than this makes it worth to hyphenate
_MOST_SUCCESSIVE = 2
_HYPHEN_TRAIL = TRAILS[Edge.HYPHEN]

_Amount = TypeVar("_Amount", int, float)


class Spacing(NamedTuple):
    """How lines are judged: spread out or ragged, and whether the last is to be as long as the others.

    `running`: of a book's text, whose last line is to have more than one short word.
    """

    justified: bool = False
    even_last: bool = False
    running: bool = False


class _Break(NamedTuple):
    """A place where a line may end: before sort `place`, or inside it before character `point`.

    `end` is where the line before it ends, `start` where the next one begins (1/1000 em along the galley). `room` is
    how much the galley can be tightened, `spaces` how many gaps can open: up to here, and with the gap that is here.
    """

    place: int
    point: int
    end: float
    start: float
    cost: float
    room: tuple[float, float]
    spaces: tuple[int, int]


def wrap(galley: Galley, measure: float, manner: Spacing, hyphens: Hyphens | None) -> tuple[Galley, list[Line]] | None:
    """The galley, hyphenated words in two, and its lines; None when an unbreakable part is too wide."""
    breaks = _word_breaks(galley)
    found = _path(breaks, measure, manner)
    if hyphens is not None and (found is None or found[1] > _TOLERATED):
        breaks_within = _with_hyphens(galley, breaks, hyphens, measure)
        if len(breaks_within) > len(breaks):
            hyphenated = _path(breaks_within, measure, manner)
            if hyphenated is not None:
                return _parted(galley, hyphenated[0], hyphens)
    return None if found is None else _parted(galley, found[0], hyphens)


def _word_breaks(galley: Galley) -> list[_Break]:
    sorts, ends, widths, codes, trails = galley.sorts, galley.ends, galley.widths, galley.codes, galley.trails
    count = len(widths)
    room, spaces = 0.0, 0
    breaks = [_Break(0, 0, 0.0, sorts[0].left, 0.0, (0.0, 0.0), (0, 0))]
    for index in range(1, count + 1):
        rooms, openings = (room, room), (spaces, spaces)
        if index < count and codes[index] > 1:
            gap = galley.gap(index)
            rooms, openings = (room, room + gap.close), (spaces, spaces + (gap.widen > 0))
        room, spaces = rooms[1], openings[1]
        if index < count and codes[index] & 1:
            continue
        last = galley.without_spaces(0, index) - 1
        end = ends[last] - sorts[last].right if last >= 0 else 0.0
        start = ends[index] - widths[index] + sorts[index].left if index < count else ends[-1]
        cost = 0.0
        if index < count and trails[index - 1] == _HYPHEN_TRAIL:
            cost = _SLASH if galley.texts[index - 1].endswith("/") else _HARD_HYPHEN
        breaks.append(_Break(index, 0, end, start, cost, rooms, openings))
    return breaks


def _with_hyphens(galley: Galley, breaks: list[_Break], hyphens: Hyphens, measure: float) -> list[_Break]:
    """The breaks with those inside words; the last word is parted only when it is too wide for a line."""
    final = galley.without_spaces(0, len(galley.widths)) - 1
    within: list[_Break] = []
    for index, sort in enumerate(galley.sorts):
        forced = sort.width > measure
        if sort.font is None or (index == final and not forced):
            continue
        for point in hyphens.points(sort, forced):
            halves = hyphens.halves(sort, point)
            if halves is not None:
                here = galley.ends[index] - galley.widths[index]
                before = next(known for known in reversed(breaks) if known.place <= index)
                start = galley.ends[index] - halves[1].width
                cost = 0.0 if forced else _HYPHEN
                within.append(
                    _Break(index, point, here + halves[0].width, start, cost, _here(before.room), _here(before.spaces))
                )
    return sorted([*breaks, *within], key=lambda known: (known.place, known.point))


def _here(pair: tuple[_Amount, _Amount]) -> tuple[_Amount, _Amount]:
    """What is counted inside a word: all that comes before it."""
    return pair[1], pair[1]


def _path(breaks: list[_Break], measure: float, manner: Spacing) -> tuple[list[_Break], float] | None:
    """The cheapest breaks from start to end, and the cost of their worst line; None where there is no way.

    Works forward: for every break the cheapest of the breaks before it from which one line reaches it.
    """
    final = len(breaks) - 1
    costs, befores, streaks, worsts = [0.0], [-1], [0], [0.0]  # streaks: lines in a row that end in a hyphen
    for at in range(1, final + 1):
        here = breaks[at]
        cheapest, before, streak, worst = inf, -1, 0, 0.0
        for index in range(at - 1, -1, -1):
            there = breaks[index]
            slack = measure - (here.end - there.start)
            if slack < -_SLACK and (not manner.justified or slack < there.room[1] - here.room[0] - _SLACK):
                if not there.point:
                    break  # those before it are farther away
                continue
            cost = costs[index] + _LINE + here.cost
            if cost >= cheapest or (there.point and here.place == there.place):
                continue
            hyphens = streaks[index] + 1 if here.point else 0
            if hyphens > _MOST_SUCCESSIVE:
                continue
            if at == final or manner.justified:
                bad = _badness(slack, measure, here.spaces[0] - there.spaces[1], manner, at == final, index == 0)
            else:
                bad = (slack / measure * _RAGGED) ** 2
            cost += bad + (_TWO_HYPHENS if hyphens > 1 else 0.0)
            if cost < cheapest:
                cheapest, before, streak, worst = cost, index, hyphens, max(worsts[index], bad)
        costs.append(cheapest)
        befores.append(before)
        streaks.append(streak)
        worsts.append(worst)
    if costs[final] == inf:
        return None
    return _way(breaks, befores), worsts[final]


def _way(breaks: list[_Break], befores: list[int]) -> list[_Break]:
    """The breaks from the first line's end to the last one's, followed back from the last."""
    way, at = [], len(breaks) - 1
    while at > 0:
        way.append(breaks[at])
        at = befores[at]
    return way[::-1]


def _badness(slack: float, measure: float, spaces: int, manner: Spacing, final: bool, only: bool) -> float:
    """What a line costs that lacks `slack` of its measure; `only` when it is the whole text."""
    if final and only:
        return 0.0
    if final and not manner.even_last:
        missing = _STUB - 1 + slack / measure
        alone = _ALONE if manner.running and not spaces else 0.0
        return _STUB_COST * (missing / _STUB) ** 2 + alone if missing > 0 else 0.0
    if manner.justified:
        each = slack / max(spaces, 1)
        return float(each / (_LOOSE if each > 0 else _TIGHT)) ** 2
    return (max(slack, 0.0) / measure * _RAGGED) ** 2


def _parted(galley: Galley, chosen: list[_Break], hyphens: Hyphens | None) -> tuple[Galley, list[Line]]:
    """The lines; hyphenated words become two sorts, which moves the numbers of the sorts behind them."""
    pieces = {}
    for known in chosen:
        if known.point and hyphens is not None:
            halves = hyphens.halves(galley.sorts[known.place], known.point)
            if halves is not None:
                pieces[known.place] = halves
    if pieces:
        galley = galley.replaced(pieces)
    lines, start, moved = [], 0, 0
    for known in chosen:
        moved += bool(known.point)
        after = known.place + moved
        lines.append(Line(start, galley.without_spaces(start, after), after))
        start = after
    lines[-1] = lines[-1]._replace(last=True)
    return galley, lines
