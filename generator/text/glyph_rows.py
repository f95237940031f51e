"""Paragraphs as rows of glyphs with the gaps between them, and the boxes in which text is set."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, islice, pairwise
from operator import getitem
from typing import Literal, NamedTuple, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import Item, Paint, Symbol, TextFrame
from generator.text.fonts import Font
from generator.text.glyph_cache import COMMON, Features, Rarity, Sort
from generator.text.kinsoku import NO_END_TRAILS, QUARTER, TRAILS, Between, Edge, Phrasing

_NO_END = frozenset(TRAILS[edge] for edge in NO_END_TRAILS)
_SPACE = int(Edge.SPACE)


class Gap(NamedTuple):
    """The room before a sort, 1/1000 em.

    `width` is its natural width (negative where a blank is taken away). It may lose `close` before anything else and
    `tighten` after that; it may gain `open` first and `widen` second; `spread` says whether it takes part in the even
    spread that comes last.
    """

    width: float
    close: float = 0.0
    tighten: float = 0.0
    open: float = 0.0
    widen: float = 0.0
    spread: bool = True


_MOST_BLANK, _MOST_OPENED, _MOST_WIDENED = 500.0, 250.0, 125.0
_PLAIN = Gap(0.0)
_SOLID = Gap(0.0, spread=False)
_QUARTER = Gap(QUARTER, tighten=125.0, widen=_MOST_WIDENED)
_ICON = Gap(125.0, tighten=60.0, widen=_MOST_WIDENED)
_ALWAYS: tuple[Gap | None, ...] = tuple(
    {Between.PLAIN: _PLAIN, Between.SOLID: _SOLID, Between.QUARTER: _QUARTER, Between.ICON: _ICON}.get(between)
    for between in Between
)
"""By what stands between a pair: its gap where that doesn't depend on the sorts."""
_SHIFT = re.compile(b"[%c-%c]" % (2 * Between.QUARTER, 2 * Between.SPACE + 1))
"""The codes of pairs that may have room between them."""
_PHRASE_TRAILS = frozenset(
    TRAILS[edge] for edge in (Edge.STOP, Edge.MIDDLE, Edge.EXCLAIM, Edge.SPACE, Edge.BREAK, Edge.HYPHEN)
)
"""Behind these a phrase ends, whatever the model says."""
_UNIT = re.compile(r"(?:VP|[mck]?m|k?g|pt|dpi|%|°C?)\b")
_REFERRING = re.compile(r"\W*(?:pp?\.|[Nn]o\.|[Ff]ig\.|[A-Z])")
_COLUMNS = Sort._fields.index("glyph") + 1
_ICON_WORD = "図"  # what an icon is to the model: a noun


class Galley:
    """Parallel rows of the sorts' first fields, and per sort the code of the pair that it makes with the one before.

    `rooms[i]` is the natural room before sort i, `shifts` where there is any, `moves[i]` the way from sort i to the
    next, `ends[i]` where it ends when all is set in one line. `gap(i)` is what may become of a room. A new run begins
    at each of the `seams`. `mixed`: some of it runs leftwards, or all of it begins at the right. `row` are the glyphs
    where all is of one font and each sort has one: a line is a part of it.
    """

    texts: tuple[str, ...]
    leads: tuple[int, ...]
    trails: tuple[bytes, ...]
    widths: tuple[float, ...]
    fonts: tuple[Font | None, ...]
    rarities: tuple[Rarity, ...]

    def __init__(self, sorts: Sequence[Sort], paints: Sequence[str] | None = None):
        self.sorts, self.paints = sorts, paints
        (  # the further fields are asked of few sorts
            self.texts,
            self.leads,
            self.trails,
            self.widths,
            self.fonts,
            naturals,
            self.rarities,
            row,
        ) = islice(zip(*sorts, strict=True), _COLUMNS)
        self.natural = all(naturals)
        self.plain = paints is None and self.rarities.count(COMMON) == len(sorts)
        self.mixed = not self.plain and any(rarity.level for rarity in self.rarities)
        self.ruled = not self.plain and any(rarity.underlined or rarity.struck for rarity in self.rarities)
        codes = self.codes = bytearray((0, *map(getitem, self.trails, self.leads[1:])))
        self.rooms = [0.0] * len(codes)
        self.shifts: list[int] = []
        self.moves: Sequence[float] = self.widths
        lengths: Sequence[float] = self.widths
        places = [found.start() for found in _SHIFT.finditer(codes)]
        if places:
            lengths = self._shift(places)
        self.ends: list[float] = list(accumulate(lengths))
        self.seams = self._seams()
        self.row = row if self.plain and not self.seams and all(row) else ()

    def _seams(self) -> list[int]:
        """Where a new run begins: at another font, colour, level or stance, at an icon, behind a base with ruby."""
        fonts = self.fonts
        if self.plain:
            if fonts.count(fonts[0]) == len(fonts):
                return []
            return [at for at in range(1, len(fonts)) if fonts[at] is not fonts[at - 1]]
        rarities, paints = self.rarities, self.paints
        return [
            at
            for at in range(1, len(fonts))
            if fonts[at] is not fonts[at - 1]
            or rarities[at].rise != rarities[at - 1].rise
            or rarities[at].stance != rarities[at - 1].stance
            or rarities[at].ratio != rarities[at - 1].ratio
            or rarities[at].underlined != rarities[at - 1].underlined
            or rarities[at].struck != rarities[at - 1].struck
            or (rarities[at].mark is not None and fonts[at] is None)
            or rarities[at - 1].mark is not None
            or (paints is not None and paints[at] != paints[at - 1])
        ]

    def _shift(self, places: list[int]) -> list[float]:
        """The widths with the rooms before them, found here.

        No line ends at spaces behind what may not end one, nor between a number and what it belongs to.
        """
        widths, rooms, codes = self.widths, self.rooms, self.codes
        lengths, moves = [*widths], [*widths]
        for at in places:
            if codes[at] >> 1 == Between.SPACE:
                before = self.without_spaces(0, at) - 1
                if before >= 0 and (self.trails[before] in _NO_END or _of_one(self.texts[before], self.texts[at])):
                    codes[at] |= 1
            elif room := self.gap(at).width:
                self.shifts.append(at)
                rooms[at] = room
                lengths[at] += room
                moves[at - 1] += room
        self.moves = moves
        return lengths

    def gap(self, at: int) -> Gap:
        """The room before a sort."""
        between = self.codes[at] >> 1
        known = _ALWAYS[between]
        if known is not None:
            return known
        if between == Between.SPACE:
            return _space_gap(self.widths[at - 1])
        return _blank_gap(between, self.sorts[at - 1].right, self.sorts[at].left)

    def gaps_within(self, start: int, end: int) -> tuple[list[int], list[Gap]]:
        """Places and gaps in a line of sorts start to end, where they aren't simply set side by side."""
        codes = self.codes
        places = [at for at in range(start + 1, end) if codes[at] > 1]
        return places, [*map(self.gap, places)]

    def shifted(self, start: int, end: int) -> bool:
        """Whether there is room between the sorts of a line of sorts start to end as it comes."""
        at = bisect_left(self.shifts, start + 1)
        return at < len(self.shifts) and self.shifts[at] < end

    def as_it_comes(self, start: int, end: int) -> list[float]:
        """The room after each sort of a line as it comes, 1/1000 em; none after the last."""
        return [*self.rooms[start + 1 : end], 0.0]

    def natural_width(self, start: int, end: int) -> float:
        """How wide sorts start to end are as a line, without the blanks at both ends."""
        if end <= start:
            return 0.0
        begin = self.ends[start] - self.widths[start] + self.sorts[start].left
        return self.ends[end - 1] - self.sorts[end - 1].right - begin

    def without_spaces(self, start: int, end: int) -> int:
        """The end of a line that was to end at `end`, spaces left out."""
        leads = self.leads
        while end > start and leads[end - 1] == _SPACE:
            end -= 1
        return end

    def chunk_width(self) -> float:
        """The width of the widest part in which no line may end."""
        edges = [0, *(index for index, code in enumerate(self.codes) if index and not code & 1), len(self.widths)]
        return max(self.natural_width(start, self.without_spaces(start, end)) for start, end in pairwise(edges))

    def only_at_phrases(self, phrasing: Phrasing) -> "Galley":
        """The same, but lines may end only between phrases: for titles. The last one gets more than one character."""
        texts = [sort.text or (_ICON_WORD if sort.rarity.mark else "") for sort in self.sorts]
        title = "".join(texts)
        ends = phrasing.ends(title)
        if ends is None:
            return self
        galley = Galley(self.sorts, self.paints)
        offset = 0
        for index, code in enumerate(galley.codes):
            said = offset in ends and len(title.rstrip()) - offset > 1
            if index and not code & 1 and not said and galley.trails[index - 1] not in _PHRASE_TRAILS:
                galley.codes[index] = code | 1
            offset += len(texts[index])
        return galley

    def replaced(self, pieces: Mapping[int, Sequence[Sort]]) -> "Galley":
        """The same with some sorts in pieces (a hyphenated word's)."""
        rows = [pieces.get(index, (sort,)) for index, sort in enumerate(self.sorts)]
        paints = self.paints
        if paints is not None:
            paints = [paint for paint, row in zip(paints, rows, strict=True) for _ in row]
        return Galley(list(chain.from_iterable(rows)), paints)


class LineSpot(NamedTuple):
    """Where a line stands: its start and baseline in mm, its size in pt, its colour, the right edge of its measure."""

    x: float
    y: float
    size: float
    paint: Paint
    right: float


class Stretch(NamedTuple):
    """Sorts `first` to `last` of a line, of one font: they begin at `x` and end at `end`, mm.

    `rooms` are what comes after each, `moves` the way from each to the next, 1/1000 em.
    """

    first: int
    last: int
    x: float
    end: float
    rooms: list[float]
    moves: list[float]


def _of_one(before: str, behind: str) -> bool:
    """Whether two words with a space between them are one thing: 5 mm, 2 VP, p. 12, E 3."""
    if before[-1:].isdigit():
        return _UNIT.match(behind) is not None
    return behind[:1].isdigit() and _REFERRING.fullmatch(before) is not None


@lru_cache(maxsize=256)
def _blank_gap(between: int, right: float, left: float) -> Gap:
    """The room beside punctuation with these blanks (a negative one is tight letter-spacing)."""
    right, left = max(right, 0.0), max(left, 0.0)
    if between == Between.AFTER:
        return Gap(0.0, close=right, open=min(_MOST_OPENED, _MOST_BLANK - right))
    if between == Between.BEFORE:
        return Gap(0.0, close=left, open=min(_MOST_OPENED, _MOST_BLANK - left))
    if between == Between.OPENING_TIGHT:
        return Gap(-left, close=right, open=min(_MOST_OPENED, _MOST_BLANK - right))
    return Gap(-left if between == Between.OPENINGS else -right, spread=False)


@lru_cache(maxsize=64)
def _space_gap(space: float) -> Gap:
    """What a word space may lose and gain."""
    return Gap(0.0, close=0.25 * space, widen=_MOST_OPENED)


Align: TypeAlias = Literal["start", "middle", "end", "justify"]
Anchor: TypeAlias = Literal["start", "middle", "end"]
ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}
IconFinder: TypeAlias = Callable[[str, Paint], Symbol | None]
"""The drawing of an icon by its name and the colour of the text around it; None for an unknown one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextBox:
    """Where and how a text is set: the box in mm, sizes in pt, `leading` by the size, `spacing` in 1/1000 em.

    Without a leading, writing that fills its em or has marks above and below gets 1.5, other writing 1.25. `phrases`: a
    title, broken only between phrases where it is Japanese, its lines of even length. `vertical`: its lines are columns
    from right to left, as long as the box is high; `align` is along them, `valign` across. A `weight` of 0 is as `bold`
    says; `indent` is before the first line of each paragraph, mm. A single line becomes smaller to be no longer than a
    `width` above 0, and comes out `drawn_out` mm long where that is. A box equals only itself: what was set in it is
    found by it.
    """

    x: float
    y: float
    width: float
    height: float
    family: str
    size: float
    min_size: float
    lang: str
    leading: float | None = None
    align: Align = "start"
    valign: Literal["top", "middle", "bottom"] = "top"
    paint: Paint = "ink"
    bold: bool = False
    italic: bool = False
    text_role: str = "rule"
    spacing: float = 0.0
    hyphenate: bool = True
    phrases: bool = False
    vertical: bool = False
    weight: int = 0
    features: Features = ()
    indent: float = 0.0
    drawn_out: float = 0.0


class SetText(NamedTuple):
    """A text as it was set. `overflow`: by how many mm it, or a word of it, is too large even at its smallest.

    `missing` are the characters that no font has, `unturned` those that stand in a column in their form for lines.
    `taken`: how much of its box's height (a column's width) the text takes, mm. `notes` are what was set otherwise than
    the text asks, `unweighted` the weights that there are no fonts for.
    """

    items: tuple[Item, ...]
    frame: TextFrame
    missing: tuple[str, ...] = ()
    overflow: float = 0.0
    unknown_icons: tuple[str, ...] = ()
    unturned: tuple[str, ...] = ()
    taken: float = 0.0
    notes: tuple[str, ...] = ()
    unweighted: tuple[str, ...] = ()
