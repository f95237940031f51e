"""Line breaks: by Japanese rules, by optimising all lines of a paragraph, and by hyphenation."""

import re
from bisect import bisect_right
from collections.abc import Hashable
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from generator.text.font_files import scale_advances
from generator.text.glyph_cache import GlyphExtras, GlyphGroup
from generator.text.glyph_rows import GlyphRow
from generator.text.kinsoku import PARTED_AT_NEED, TRAILS, Edge

_SHORTEST, _BEFORE, _BEHIND = 6, 2, 3  # minimum letters of a hyphenated word, before a hyphen, behind it
_CORE = r"\W*([^\W\d_]+)\W*"
_PATTERNS = (
    "af as be bg ca cs da de el en eo es et eu fr gl hr hu id is it kn lt lv mn mr nb nl nn or pa pl pt ro ru sa sk"
)
HYPHENATED = frozenset(f"{_PATTERNS} sl sq sr sv te th uk zu".split())
"""Languages with hyphenation patterns, which need not be loaded to know this."""

_NEVER_PARTED = frozenset(["ar", "fa", "he", "ja", "ko", "km", "lo", "my", "th", "ur", "vi", "yi", "zh"])
"""Languages without hyphenation."""

_HYPHEN, _SOFT_HYPHEN = "-", "\u00ad"


class Hyphens:
    """Hyphenates words of one language. Without patterns, only soft hyphens count, and `notes` may say so."""

    def __init__(self, lang: str):
        self._lang = lang
        self.notes: tuple[str, ...] = ()
        if lang.partition("-")[0].lower() not in HYPHENATED | _NEVER_PARTED:
            self.notes = (f"no words are hyphenated in '{lang}': there are no patterns for this language",)
        self._points: dict[str, tuple[int, ...]] = {}
        self._halves: dict[tuple[Any, str, int, GlyphExtras], tuple[GlyphGroup, GlyphGroup] | None] = {}

    def find_points(self, sort: GlyphGroup, forced: bool = False) -> tuple[int, ...]:
        """Return the indices at which a word may be split; names and capitals are split only if `forced`."""
        if sort.rarity.points:
            return sort.rarity.points
        word = sort.text
        found = self._points.get(word)
        if found is None:
            found, core = (), re.fullmatch(_CORE, word)
            if core and len(core[1]) >= _SHORTEST and self._patterns is not None:
                found = tuple(int(point) + core.start(1) for point in self._patterns.positions(core[1].lower()))
            self._points[word] = found
        return found if forced or word[:1].islower() else ()

    def split_word(self, sort: GlyphGroup, point: int) -> tuple[GlyphGroup, GlyphGroup] | None:
        """Split a word at a point and add a hyphen. Return both parts, or None if the font has no hyphen."""
        key = (sort.font, sort.text, point, sort.rarity)
        if key not in self._halves:
            self._halves[key] = self._make_halves(sort, point)
        return self._halves[key]

    @cached_property
    def _patterns(self) -> Any:
        import pyphen  # here, as it and its patterns take a tenth of a second and few texts need them

        known = pyphen.language_fallback(self._lang.replace("-", "_"))
        return pyphen.Pyphen(lang=known, left=_BEFORE, right=_BEHIND) if known else None

    def _make_halves(self, sort: GlyphGroup, point: int) -> tuple[GlyphGroup, GlyphGroup] | None:
        font, ratio, halves = sort.font, sort.rarity.ratio, list[GlyphGroup]()
        if font is None or not font.find_glyph(_HYPHEN):
            return None
        for text, hyphen, soft in ((sort.text[:point], _HYPHEN, _SOFT_HYPHEN), (sort.text[point:], "", "")):
            row = font.shape(text + hyphen, self._lang, features=sort.rarity.features)
            clusters = (*row.clusters[:-1], soft) if soft else row.clusters
            half = sort._replace(text=text + soft, width=row.width * ratio, glyphs=row.glyphs, clusters=clusters)
            advances = scale_advances(row.advances, ratio)
            halves.append(half._replace(advances=advances, natural=row.natural, glyph=0))
        return halves[0], halves[1]


def get_hyphens(memo: dict[Hashable, Any], lang: str) -> Hyphens:
    """Return the hyphenation of a language, kept in a font book's `memo` so that it is loaded once."""
    found: Hyphens | None = memo.get(("hyphens", lang))
    if found is None:
        found = memo["hyphens", lang] = Hyphens(lang)
    return found


_SLACK = 0.5  # 1/1000 em that a line may be too long: a rounding error
_LOOKAHEAD = 4
_WIDOW = 1900.0  # 1/1000 em: a shorter last line looks lost
_STOP, _SPACE = int(Edge.STOP), int(Edge.SPACE)


class Line(NamedTuple):
    """A line: groups `start` to `end`; the next begins `after`. `hangs`: its stop hangs. `last` of a paragraph."""

    start: int
    end: int
    after: int
    hangs: bool = False
    last: bool = False


def fill_lines(galley: GlyphRow, measure: float, start: int = 0) -> list[Line]:
    """Break a row from group `start` on into lines of `measure` (1/1000 em); some need tightening, or a hanging stop.

    No line starts or ends with a forbidden character, unless its first legal break is beyond the measure. Then a number
    is split from its counter. Otherwise the line is filled and cut.
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
            lines.append(Line(start, galley.trim_spaces(start, full), count, last=True))
            break
        if after > start and not codes[after] & 1:
            line = Line(start, galley.trim_spaces(start, full), after)
        else:
            line = _mend_line(galley, start, full, after, limit)
        lines.append(line)
        start = line.after
    if lines and not lines[-1].last:
        lines[-1] = lines[-1]._replace(last=True)
    return lines


def avoid_widow(galley: GlyphRow, measure: float, lines: list[Line]) -> list[Line]:
    """Return the lines; if the last one is a single character, move more text to it from the line before."""
    if len(lines) == 1 or galley.measure_width(lines[-1].start, lines[-1].end) >= _WIDOW:
        return lines
    for less in (500.0, 1000.0, 1500.0):
        if measure < 5 * less:
            break
        two = fill_lines(galley, measure - less, lines[-2].start)
        if len(two) == 2 and galley.measure_width(two[1].start, two[1].end) >= _WIDOW:
            widths = [galley.measure_width(line.start, line.end) for line in two]
            pairs = zip(two, widths, strict=True)  # in the full measure a hanging stop may be inside
            return [*lines[:-2], *(line._replace(hangs=line.hangs and width > measure) for line, width in pairs)]
    return lines


def _mend_line(galley: GlyphRow, start: int, full: int, after: int, limit: float) -> Line:
    """Return a line that ends legally near `full`, the last to fit: tightened, hanging a stop, shortened, or cut."""
    codes, count = galley.codes, len(galley.widths)
    beyond = next(
        (at for at in range(after + 1, min(after + _LOOKAHEAD, count) + 1) if at == count or not codes[at] & 1), 0
    )
    if beyond:
        end = galley.trim_spaces(start, beyond)
        if galley.ends[end - 1] - galley.sorts[end - 1].right - limit <= sum_tightening(galley, start, end):
            return Line(start, end, beyond)
        hanging = galley.ends[end - 1] - galley.widths[end - 1] - limit
        if galley.leads[end - 1] == _STOP and end - 1 > start and hanging <= sum_tightening(galley, start, end - 1):
            return Line(start, end, beyond, hangs=True)
    for at in range(full, start, -1):
        if not codes[at] & 1:
            return Line(start, galley.trim_spaces(start, at), at)
    for at in range(full, start, -1):
        if (galley.trails[at - 1], galley.leads[at]) in PARTED_AT_NEED:
            return Line(start, at, at)
    cut = max(full, start + 1)
    return Line(start, cut, cut)


def sum_tightening(galley: GlyphRow, start: int, end: int) -> float:
    """Return by how much the spaces between `start` and `end` can shrink (1/1000 em)."""
    return sum(gap.close + gap.tighten for gap in galley.find_gaps(start, end)[1])


_LINE = 1000.0  # cost of one more line: higher than any raggedness
_HYPHEN_COST, _TWO_HYPHENS_COST, _HARD_HYPHEN_COST, _SLASH_COST = 10.0, 8.0, 1.0, 4.0
_RAGGED = 10.0  # a line that is short by a tenth of the measure costs 1
_LOOSE, _TIGHT = 120.0, 40.0  # 1/1000 em by which each word space may grow or shrink for a cost of 1
_STUB, _STUB_COST = 0.3, 16.0  # share of the measure below which a last line is too short; cost of length 0
_ALONE = 40.0  # extra cost of a single word
_TOLERATED = 9.0  # words are hyphenated only if a line costs more
_MOST_SUCCESSIVE = 2
_HYPHEN_TRAIL = TRAILS[Edge.HYPHEN]


class Spacing(NamedTuple):
    """How lines are rated. `even_last`: the last line is as long as others. `running`: it has no lone short word."""

    justified: bool = False
    even_last: bool = False
    running: bool = False


class _Break(NamedTuple):
    """A possible line break: before group `place`, or inside it before character `point`.

    `end` is the end of the line before it, `start` the beginning of the next one (1/1000 em along the row). `room` is
    the possible tightening, `spaces` the number of gaps that can open: up to here, and including the gap here.
    """

    place: int
    point: int
    end: float
    start: float
    cost: float
    room: tuple[float, float]
    spaces: tuple[int, int]


def wrap_lines(
    galley: GlyphRow, measure: float, manner: Spacing, hyphens: Hyphens | None
) -> tuple[GlyphRow, list[Line]] | None:
    """Return the row with hyphenated words split, and its best lines of a measure (1/1000 em); None if impossible."""
    breaks = _find_word_breaks(galley)
    found = _find_best_breaks(breaks, measure, manner)
    if hyphens is not None and (found is None or found[1] > _TOLERATED):
        breaks_within = _add_hyphens(galley, breaks, hyphens, measure)
        if len(breaks_within) > len(breaks):
            hyphenated = _find_best_breaks(breaks_within, measure, manner)
            if hyphenated is not None:
                return _build_lines(galley, hyphenated[0], hyphens)
    return None if found is None else _build_lines(galley, found[0], hyphens)


def _find_word_breaks(galley: GlyphRow) -> list[_Break]:
    sorts, ends, widths, codes, trails = galley.sorts, galley.ends, galley.widths, galley.codes, galley.trails
    count = len(widths)
    room, spaces = 0.0, 0
    breaks = [_Break(0, 0, 0.0, sorts[0].left, 0.0, (0.0, 0.0), (0, 0))]
    for index in range(1, count + 1):
        rooms, openings = (room, room), (spaces, spaces)
        if index < count and codes[index] > 1:
            gap = galley.get_gap(index)
            rooms, openings = (room, room + gap.close), (spaces, spaces + (gap.widen > 0))
        room, spaces = rooms[1], openings[1]
        if index < count and codes[index] & 1:
            continue
        last = galley.trim_spaces(0, index) - 1
        end = ends[last] - sorts[last].right if last >= 0 else 0.0
        start = ends[index] - widths[index] + sorts[index].left if index < count else ends[-1]
        cost = 0.0
        if index < count and trails[index - 1] == _HYPHEN_TRAIL:
            cost = _SLASH_COST if galley.texts[index - 1].endswith("/") else _HARD_HYPHEN_COST
        breaks.append(_Break(index, 0, end, start, cost, rooms, openings))
    return breaks


def _add_hyphens(galley: GlyphRow, breaks: list[_Break], hyphens: Hyphens, measure: float) -> list[_Break]:
    """Add possible breaks inside words. The last word gets some only if it is too wide for a line."""
    final = galley.trim_spaces(0, len(galley.widths)) - 1
    within: list[_Break] = []
    for index, sort in enumerate(galley.sorts):
        forced = sort.width > measure
        if sort.font is None or (index == final and not forced):
            continue
        for point in hyphens.find_points(sort, forced):
            halves = hyphens.split_word(sort, point)
            if halves is not None:
                before = next(known for known in reversed(breaks) if known.place <= index)
                room, spaces = before.room[1], before.spaces[1]  # those of everything before the word
                end = galley.ends[index] - galley.widths[index] + halves[0].width
                start, cost = galley.ends[index] - halves[1].width, 0.0 if forced else _HYPHEN_COST
                within.append(_Break(index, point, end, start, cost, (room, room), (spaces, spaces)))
    return sorted([*breaks, *within], key=lambda known: (known.place, known.point))


def _find_best_breaks(breaks: list[_Break], measure: float, manner: Spacing) -> tuple[list[_Break], float] | None:
    """Return the cheapest breaks from start to end, and the cost of their worst line; None if there are none.

    For every break in order, find the cheapest earlier break from which one line reaches it.
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
                    break  # earlier breaks are farther away
                continue
            cost = costs[index] + _LINE + here.cost
            if cost >= cheapest or (there.point and here.place == there.place):
                continue
            hyphens = streaks[index] + 1 if here.point else 0
            if hyphens > _MOST_SUCCESSIVE:
                continue
            if at == final or manner.justified:
                bad = _rate_line(slack, measure, here.spaces[0] - there.spaces[1], manner, at == final, index == 0)
            else:
                bad = (slack / measure * _RAGGED) ** 2
            cost += bad + (_TWO_HYPHENS_COST if hyphens > 1 else 0.0)
            if cost < cheapest:
                cheapest, before, streak, worst = cost, index, hyphens, max(worsts[index], bad)
        costs.append(cheapest)
        befores.append(before)
        streaks.append(streak)
        worsts.append(worst)
    if costs[final] == inf:
        return None
    way, at = [], final
    while at > 0:
        way.append(breaks[at])
        at = befores[at]
    return way[::-1], worsts[final]


def _rate_line(slack: float, measure: float, spaces: int, manner: Spacing, final: bool, only: bool) -> float:
    """Return the cost of a line `slack` short with `spaces` to open; `final`: the last, with `only` the whole text."""
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


def _build_lines(galley: GlyphRow, chosen: list[_Break], hyphens: Hyphens | None) -> tuple[GlyphRow, list[Line]]:
    """Return the row with hyphenated words split into two groups, and its lines with the indices adjusted."""
    pieces = {}
    for known in chosen:
        if known.point and hyphens is not None:
            halves = hyphens.split_word(galley.sorts[known.place], known.point)
            if halves is not None:
                pieces[known.place] = halves
    if pieces:
        galley = galley.replace_groups(pieces)
    lines, start, moved = [], 0, 0
    for known in chosen:
        moved += bool(known.point)
        after = known.place + moved
        lines.append(Line(start, galley.trim_spaces(start, after), after))
        start = after
    lines[-1] = lines[-1]._replace(last=True)
    return galley, lines
