"""Passages of books: lines that can be set one by one at any width; Japanese is set solid (without gaps)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import inf
from typing import NamedTuple

from generator.base.display_list import Item
from generator.base.geometry import MM_PER_PT
from generator.base.languages import is_airy
from generator.game.rich_text import LineBreak, RichText
from generator.text.fonts import FontBook
from generator.text.glyph_cache import is_cjk
from generator.text.glyph_rows import Gap, GlyphRow, IconFinder, TextBox
from generator.text.kinsoku import SPACES, Phrasing, get_phrasing, is_latin
from generator.text.line_breaks import Line, Spacing, fill_lines
from generator.text.line_items import compute_ruby_size
from generator.text.paragraphs import StyledText, cut_wide_groups
from generator.text.set_text import break_row, find_hyphens, fit_line, has_uneven_lines, put_line

# Characters and marks are set on whole ems. A line that is too long loses the blank of the mark at its end first, then
# half of the quarter ems between Japanese and Latin. A short line widens these, then all other gaps evenly.

_SLACK = 0.5  # 1/1000 em: a rounding error, not a width
_LINE = 0.5  # cost of a justified line
_SET_LINE = 25.0  # cost of a ragged line
_SHARE = 3.0  # share of a quarter em or a word space in even widening, relative to other gaps
_OPENED = 250.0  # maximum widening, 1/1000 em
_EVEN, _EVENEST = 40.0, 250.0  # 1/1000 em of even widening for a cost of 1; its usual maximum
_LOOSEST = 500.0
_END_HALVED, _QUARTERS, _MARKS = 0.4, 6.0, 40.0  # costs of closing the line's end, quarter ems, marks inside
_CLOSED = 0.5  # maximum share of the blanks of marks that a line removes
_FEW, _STUB = 4, 60.0  # a last line of at most 4 characters looks lost; its cost
_SHORT = 10.0  # a ragged line that is short by a tenth of the measure costs 1
WORD = 1000.0
"""The cost of splitting a word in ragged lines: higher than any other fault."""

PHRASE = 60.0
"""The cost of ending a line inside a phrase, though between words."""

_KANA, _KANJI, _STEM, _COUNTED = 4.0, 1.5, 0.4, 25.0  # costs of splitting words in justified lines
_WORDS = re.compile("[ァ-ヺー・]{2,}|[一-鿿々〇]{2,}|[一-鿿々〇][ぁ-ゖ]{1,2}(?=[^ぁ-ゖ]|$)")
_IDEOGRAPHS = re.compile("[一-鿿々〇]")
_KATAKANA = re.compile("[ァ-ヺー]")
_FIGURE = re.compile("[0-9０-９]")


class SolidText:
    """Breaks a row into lines of any width; with `phrases` and ragged lines, they end between phrases."""

    def __init__(self, galley: GlyphRow, phrases: Phrasing | None, ragged: bool):
        self.galley, self._ragged = galley, ragged
        count = len(galley.widths)
        gaps: list[Gap | None] = [
            None,
            *(galley.get_gap(at) if galley.codes[at] > 1 else None for at in range(1, count)),
        ]
        plain = Gap(0.0)
        each = [gap or plain for gap in gaps]
        self._quarters = _sum_before(min(gap.tighten, 125.0) for gap in each)
        self._marks = _sum_before(gap.close * _CLOSED for gap in each)
        self._shares = _sum_before(_weigh_gap(gap) for gap in each)
        self._signs = _sum_before(float(len(text.strip(SPACES))) for text in galley.texts)
        self._costs = compute_break_costs(galley, phrases) if ragged else compute_word_costs(galley)
        codes = galley.codes
        self._places = [at for at in range(1, count) if not codes[at] & 1]
        self._places.append(count)
        self._fronts = [0, *self._places[:-1]]
        # where a line ends that stops at a place, its right edge and the blank of its mark (1/1000 em)
        self._ends: dict[int, tuple[int, float, float]] = {}
        for place in self._places:
            end = galley.trim_spaces(0, place)
            right = galley.sorts[end - 1].right if end else 0.0
            self._ends[place] = end, galley.ends[end - 1] - right, max(right, 0.0)

    def measure_widest(self, most: float) -> float:
        """Return the width of the widest part without a break of cost `most` or less (1/1000 em)."""
        galley = self.galley
        edges = [0, *(at for at in self._places[:-1] if self._costs[at] <= most), len(galley.widths)]
        parts = pairwise(edges)
        return max(galley.measure_width(start, galley.trim_spaces(start, end)) for start, end in parts)

    def break_lines(self, measure: float, beside: int = 0, narrow: float = 0.0) -> list[Line] | None:
        """Return lines of a measure (1/1000 em), the first `beside` ones `narrow`; None if impossible."""
        for loosest in (_EVENEST, _LOOSEST):
            found = self._find_lines(measure, beside, narrow, loosest)
            if found is not None:
                return found
        return None

    def _find_lines(self, measure: float, beside: int, narrow: float, loosest: float) -> list[Line] | None:
        """Return the lines with the least total cost, or None; the first `beside` are `narrow`, gaps to `loosest`."""
        galley, places, fronts = self.galley, self._places, self._fronts
        count = len(galley.widths)
        ways: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {(0, 0): (0.0, None)}
        layers: dict[int, list[int]] = {0: [0]}
        ends, widths, sorts = galley.ends, galley.widths, galley.sorts
        for front in fronts:
            for number in layers.get(front, ()):
                cost = ways[front, number][0]
                wide = narrow if number < beside else measure
                begin = ends[front] - widths[front] + sorts[front].left
                # The largest natural width that a line can hold.
                longest = begin + wide + self._quarters[-1] + self._marks[-1] + 1000.0
                upto = bisect_right(places, bisect_right(ends, longest) + 1)
                first = bisect_right(places, front)
                if not self._ragged and loosest < _LOOSEST and beside == 0:
                    least = bisect_left(ends, begin + wide * 0.75)
                    first = max(first, bisect_left(places, least))
                for place in places[first : max(upto, first + 1)]:
                    line = self._rate_line(front, place, begin, wide, loosest)
                    if line == inf:
                        continue
                    state = (place, min(number + 1, beside))
                    there = ways.get(state)
                    if there is None:
                        layers.setdefault(place, []).append(state[1])
                    if there is None or cost + line < there[0]:
                        ways[state] = (cost + line, (front, number))
        finals = [(ways[count, number][0], number) for number in layers.get(count, ())]
        if not finals:
            return None
        back: tuple[int, int] | None = (count, min(finals)[1])
        stops: list[int] = []
        while back is not None:
            stops.append(back[0])
            back = ways[back][1]
        stops.reverse()
        lines = [Line(start, galley.trim_spaces(start, after), after) for start, after in pairwise(stops)]
        lines[-1] = lines[-1]._replace(last=True)
        return lines

    def _rate_line(self, start: int, after: int, begin: float, measure: float, loosest: float) -> float:
        """Return the cost of a line from `start` to `after`, its left edge at `begin`; infinity if it is impossible.

        No gap may exceed `loosest`. It is one function without calls: it runs a hundred times for each paragraph.
        """
        end, edge, blank = self._ends[after]
        if end <= start:
            return inf
        slack, last = measure - (edge - begin), after == self._places[-1]
        cost = 0.0 if last else self._costs[after]
        if last and start and self._signs[end] - self._signs[start] <= _FEW:
            cost += _STUB * 10 if self._ragged else _STUB
        free = slack - blank if slack > blank else 0.0
        if self._ragged:
            if slack < -_SLACK:
                return inf
            return cost + _SET_LINE + (0.0 if last else (free / measure * _SHORT) ** 2)
        cost += _LINE
        if slack < -_SLACK:
            quarters = self._quarters[end] - self._quarters[start + 1]
            marks = self._marks[end] - self._marks[start + 1]
            lacking = -slack
            if lacking <= quarters + _SLACK:
                return cost + (_END_HALVED + _QUARTERS * (lacking / max(quarters, 1.0)) ** 2)
            lacking -= quarters
            if lacking > marks + _SLACK:
                return inf
            return cost + (_END_HALVED + _QUARTERS + _MARKS * (1 + lacking / marks))
        if last:
            return cost
        if slack < blank - _SLACK:
            return cost + _END_HALVED
        even = free / max(self._shares[end] - self._shares[start + 1], 1.0)
        return cost + (even / _EVEN) ** 2 if even <= loosest else inf


def _sum_before(values: Iterable[float]) -> list[float]:
    """Return the sums before each group: `sums[i]` is that of the groups up to i."""
    return [*accumulate(values, initial=0.0)]


def compute_word_costs(galley: GlyphRow) -> list[float]:
    """Return the cost of ending a justified Japanese line before each group: breaks within words cost more."""
    texts = galley.texts
    costs = [0.0] * len(texts)
    counted = False  # whether this run of katakana or ideographs follows a number
    for at in range(1, len(texts)):
        before, behind = texts[at - 1][-1:], texts[at][:1]
        if _FIGURE.fullmatch(before):
            counted = True
        elif _KATAKANA.fullmatch(before) and _KATAKANA.fullmatch(behind):
            costs[at] = _KANA + (_COUNTED if counted else 0.0)
        elif _IDEOGRAPHS.fullmatch(before) and _IDEOGRAPHS.fullmatch(behind):
            costs[at] = _KANJI + (_COUNTED if counted else 0.0)
        else:
            counted = False
            if _IDEOGRAPHS.fullmatch(before) and "ぁ" <= behind <= "ゖ":
                costs[at] = _STEM
    return costs


def compute_break_costs(galley: GlyphRow, phrases: Phrasing | None) -> list[float]:
    """Return the cost of ending a ragged line before each group: least between phrases, more between words."""
    texts = [sort.text or ("図" if sort.rarity.mark else "") for sort in galley.sorts]
    whole = "".join(texts)
    ends = phrases.find_ends(whole) if phrases is not None else None
    inside = {at for found in _WORDS.finditer(whole) for at in range(found.start() + 1, found.end())}
    costs, offset = [], 0
    by_phrases = galley.break_at_phrases(phrases).codes if phrases is not None else galley.codes
    for at, text in enumerate(texts):
        if not by_phrases[at] & 1 or ends is None:
            costs.append(0.0)
        else:
            costs.append(WORD if offset in inside else PHRASE)
        offset += len(text)
    return costs


def fit_solid_line(galley: GlyphRow, start: int, end: int, slack: float) -> list[float]:
    """Distribute `slack` (1/1000 em) over a Japanese line, or remove it if negative. Return the space after each group.

    The blank of a mark at its end is not counted: a line that is short by no more, or by too much, is unchanged.
    """
    places, gaps = galley.find_gaps(start, end)
    out = galley.get_natural_rooms(start, end)
    if slack < 0:
        return _close_rooms(out, start, places, gaps, -slack)
    slack -= max(galley.sorts[end - 1].right, 0.0)
    if slack <= _SLACK:
        return out
    shares = dict.fromkeys(range(start + 1, end), 1.0) | dict(zip(places, map(_weigh_gap, gaps), strict=True))
    even = slack / max(sum(shares.values()), 1.0)
    wide = [at for at, share in shares.items() if share > 1]
    if even * _SHARE > _OPENED:  # the rest goes to the other gaps
        others = len([share for share in shares.values() if share == 1])
        even = (slack - _OPENED * len(wide)) / max(others, 1)
    if even > _LOOSEST:
        return galley.get_natural_rooms(start, end)
    for at, share in shares.items():
        out[at - 1 - start] += min(even * share, _OPENED) if share > 1 else even * share
    return out


def _weigh_gap(gap: Gap) -> float:
    return 0.0 if not gap.spread else _SHARE if gap.widen else 1.0


def _close_rooms(
    out: list[float], start: int, places: Sequence[int], gaps: Sequence[Gap], lacking: float
) -> list[float]:
    """Return `out`, spaces after groups from `start` on, less `lacking` in total: first quarter ems, then blanks."""
    for losses in ([gap.tighten for gap in gaps], [gap.close for gap in gaps]):
        share = min(1.0, lacking / sum(losses)) if any(losses) else 0.0
        lacking -= share * sum(losses)
        for place, loss in zip(places, losses, strict=True):
            out[place - 1 - start] -= loss * share
    return out


_RUBY_CLEAR = 1.08  # em of a line with ruby that its own type takes
_SLACK_MM = 1e-6  # mm
_WIDEST_GAP = 250.0  # 1/1000 em between the signs of a justified line


class SetLine(NamedTuple):
    """A set line, from (0, 0) on the baseline (in a column: down its middle). `width` (mm) is not yet justified."""

    items: tuple[Item, ...]
    text: str
    width: float


class Passage:
    """A text in the style of its box, at the box's size. The box's place, width and height are ignored.

    `above` and `below` are the reach of a line's type from its baseline (ruby included), `pitch` the distance of
    baselines, `natural` the width on one line and `narrowest` that of the widest unbreakable part (in ragged Japanese,
    of its widest word), all in mm; `easiest` is that of its widest phrase. Japanese is set solid, and the lines of each
    paragraph are optimised together. Raise KeyError for an unknown family.
    """

    def __init__(self, rich: RichText, box: TextBox, fonts: FontBook, icon: IconFinder):
        makeup = StyledText(rich, box, fonts, icon)
        self._box, self._em, self._memo = box, box.size * MM_PER_PT, fonts.memo
        self._galleys = [galley for galley, _ in makeup.build_paragraphs(box.size)]
        cjk = is_cjk(box.lang)
        self._parting = find_hyphens(box, fonts)
        self._phrases: Phrasing | None = get_phrasing(fonts.memo, box.lang) if box.phrases else None
        by_words, even = box.phrases or not cjk, box.align == "middle" or box.phrases
        phrasing = get_phrasing(fonts.memo, box.lang) if self._is_ragged and not by_words else None
        self._solid = None if by_words else [SolidText(row, phrasing, self._is_ragged) for row in self._galleys]
        self._manner = Spacing(box.align == "justify", even, running=True) if by_words else None
        self.missing, self.unknown_icons, self.unturned = makeup.missing, makeup.unknown_icons, makeup.unturned
        self.unweighted = makeup.unweighted
        ruby = compute_ruby_size(box.size) * MM_PER_PT if makeup.has_ruby else 0.0
        leading = box.leading or (1.5 if is_airy(box.lang) else 1.25)
        ascent, descent = makeup.extent
        if has_uneven_lines(rich, box):  # its largest type sets the height of all lines
            tallest = max(inline.manner.size for inline in rich if not isinstance(inline, LineBreak))
            ascent, descent, leading = ascent * tallest, descent * tallest, leading * tallest
        self.above, self.below = ascent * self._em + ruby, descent * self._em
        self.pitch = max(leading * self._em, self._em * _RUBY_CLEAR + ruby if ruby else 0.0)

    @property
    def natural(self) -> float:
        """The width of the text on one line, mm."""
        widths = [galley.measure_width(0, galley.trim_spaces(0, len(galley.widths))) for galley in self._galleys]
        return max(widths, default=0.0) * self._em / 1000

    @property
    def narrowest(self) -> float:
        """The width of its widest unbreakable part, mm."""
        if self._solid is not None and self._is_ragged:
            return max((one.measure_widest(WORD - 1) for one in self._solid), default=0.0) * self._em / 1000
        return max((galley.measure_widest_chunk() for galley in self._galleys), default=0.0) * self._em / 1000

    @property
    def easiest(self) -> float:
        """The width of its widest phrase, if it is broken at phrases, mm."""
        if self._solid is None or not self._is_ragged:
            return self.narrowest
        return max((one.measure_widest(PHRASE - 1) for one in self._solid), default=0.0) * self._em / 1000

    def set_lines(self, measure: float, beside: int = 0, narrow: float = 0.0) -> tuple[list[SetLine], float]:
        """Return its lines at a measure (mm), the first `beside` of them at a `narrow` one, and the excess width.

        Beside a figure no word is hyphenated, as the rest of the text is broken again below it.
        """
        done: list[SetLine] = []
        excess = 0.0
        for at, galley in enumerate(self._galleys):
            if self._solid is not None:
                ahead = max(beside - len(done), 0)
                whole, lines, wide = self._break_solid(self._solid[at], measure, ahead, narrow)
                if not ahead and any(self._has_wide_gaps(whole, line, measure) for line in lines):
                    lines = [line._replace(last=True) for line in lines]
                for number, line in enumerate(lines):
                    done.append(self._set_line(whole, line, narrow if number < ahead else measure, solid=True))
                excess = max(excess, wide)
                continue
            rest: GlyphRow | None = galley
            if len(done) < beside:
                parted, lines, wide = self._break_lines(galley, narrow, parted=False)
                taken = lines[: beside - len(done)]
                done += [self._set_line(parted, line, narrow) for line in taken]
                after = taken[-1].after
                # The rest is broken again, unless a line had to be cut inside a word.
                paints = None if parted.paints is None else parted.paints[after:]
                rest = GlyphRow(parted.sorts[after:], paints) if after < len(parted.widths) else None
                excess = max(excess, wide)
            if rest is not None:
                parted, lines, wide = self._break_lines(rest, measure, parted=True)
                done += [self._set_line(parted, line, measure) for line in lines]
                excess = max(excess, wide)
        return done, excess if excess > _SLACK_MM else 0.0

    def _break_lines(self, galley: GlyphRow, measure: float, parted: bool) -> tuple[GlyphRow, list[Line], float]:
        parting = self._parting if parted else None
        wide = measure / self._em * 1000
        found = break_row(galley, wide, self._manner, self._phrases, parting)
        if found[2] > 0 and self._phrases is not None:
            found = break_row(galley, wide, self._manner, None, parting)
        return found[0], found[1], found[2] * self._em / 1000

    @property
    def _is_ragged(self) -> bool:
        return self._box.align != "justify"

    def _break_solid(
        self, paragraph: SolidText, measure: float, beside: int, narrow: float
    ) -> tuple[GlyphRow, list[Line], float]:
        """Break a Japanese paragraph; the first `beside` lines are `narrow`. Return row, lines, excess width (mm)."""
        scale = 1000 / self._em
        galley, excess = paragraph.galley, 0.0
        lines = paragraph.break_lines(measure * scale, beside, narrow * scale)
        if lines is None:
            least = min(measure, narrow) * scale if beside else measure * scale
            excess = max(galley.measure_widest_chunk() - least, 0.0)
            galley = cut_wide_groups(galley, least)
            lines = fill_lines(galley, least)
        return galley, lines, excess / scale

    def _has_wide_gaps(self, galley: GlyphRow, line: Line, measure: float) -> bool:
        """Return True if justifying this line would make too wide gaps, so that its paragraph is set flush left."""
        if line.last:
            return False
        signs = [text for text in galley.texts[line.start : line.end] if not is_latin(text[:1])]
        slack = measure / self._em * 1000 - galley.measure_width(line.start, line.end)
        return slack > _WIDEST_GAP * max(len(signs) - 1, 1)

    def _set_line(self, galley: GlyphRow, line: Line, measure: float, solid: bool = False) -> SetLine:
        items: list[Item] = []
        # A vertical box is set on its side; its lines are columns at x = 0 here.
        box = replace(self._box, x=0.0, y=0.0, width=measure)
        fitting = fit_solid_line if solid else fit_line
        put_line(galley, line, 0.0, box.size, measure / self._em * 1000, box, items, fitting)
        width = galley.measure_width(line.start, line.end) * self._em / 1000
        return SetLine(tuple(items), "".join(galley.texts[line.start : line.end]), width)
