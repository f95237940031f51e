"""Glyph rows: paragraphs as sequences of glyph groups with gaps, and the boxes in which text is set."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain, islice, pairwise
from operator import getitem
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.display_list import Item, Paint, Symbol, TextFrame
from generator.text.fonts import Font
from generator.text.glyph_cache import NO_EXTRAS, Features, GlyphExtras, GlyphGroup
from generator.text.kinsoku import NO_END_TRAILS, QUARTER, TRAILS, Between, Edge, Phrasing

_NO_END = frozenset(TRAILS[edge] for edge in NO_END_TRAILS)
_SPACE = int(Edge.SPACE)


class Gap(NamedTuple):
    """The space before a glyph group, and how far it can change (1/1000 em).

    `width` is its natural width (negative to remove a blank). It may lose `close` first and `tighten` second; it may
    gain `open` first and `widen` second. `spread`: it takes part in the final even spread.
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
"""For each class of pairs (`Between`) its gap, or None if that depends on the two groups."""
_SHIFT = re.compile(b"[%c-%c]" % (2 * Between.QUARTER, 2 * Between.SPACE + 1))
"""Matches codes of pairs that may have a space between them."""
_PHRASE_TRAILS = frozenset(
    TRAILS[edge] for edge in (Edge.STOP, Edge.MIDDLE, Edge.EXCLAIM, Edge.SPACE, Edge.BREAK, Edge.HYPHEN)
)
"""Classes of characters that always end a phrase, whatever the language model says."""
_UNIT = r"(?:VP|[mck]?m|k?g|pt|dpi|%|°C?)\b"
_REFERRING = re.compile(r"\W*(?:pp?\.|[Nn]o\.|[Ff]ig\.|[A-Z])")
_COLUMNS = GlyphGroup._fields.index("glyph") + 1
_ICON_WORD = "図"  # an icon is a noun for the model


class GlyphRow:
    """A paragraph as parallel lists of its glyph groups' properties. `codes[i]` is from `TRAILS`, for groups i-1 and i.

    `rooms[i]` is the natural room before group i, `shifts` the groups with such room, `moves[i]` the distance from
    group i to the next, `ends[i]` its end if all is set in one line. `gap(i)` has the limits of a room. A new run
    begins at each of the `seams`. `mixed`: some of it runs leftwards, or lines begin at the right. `row` are the glyphs
    if all have one font and each group has one glyph: then a line is a slice of it.
    """

    texts: tuple[str, ...]
    leads: tuple[int, ...]
    trails: tuple[bytes, ...]
    widths: tuple[float, ...]
    fonts: tuple[Font | None, ...]
    rarities: tuple[GlyphExtras, ...]

    mixed = ruled = False
    seams: Sequence[int] = ()
    shifts: Sequence[int] = ()

    def __init__(self, sorts: Sequence[GlyphGroup], paints: Sequence[str] | None = None):
        self.sorts, self.paints = sorts, paints
        (  # the other fields are rarely needed
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
        self.plain = paints is None and self.rarities.count(NO_EXTRAS) == len(sorts)
        if not self.plain:
            self.mixed = any(rarity.level for rarity in self.rarities)
            self.ruled = any(rarity.underlined or rarity.struck for rarity in self.rarities)
        codes = self.codes = bytearray((0, *map(getitem, self.trails, self.leads[1:])))
        self.rooms = [0.0] * len(codes)
        self.moves: Sequence[float] = self.widths
        lengths: Sequence[float] = self.widths
        if _SHIFT.search(codes):
            lengths = self._apply_rooms([found.start() for found in _SHIFT.finditer(codes)])
        self.ends: list[float] = list(accumulate(lengths))
        if not self.plain or self.fonts.count(self.fonts[0]) < len(codes):
            self.seams = self._find_seams()
        self.row = row if self.plain and not self.seams and all(row) else ()

    def _find_seams(self) -> list[int]:
        """Return where new text runs start: at a change of font, colour, direction or position, at icons and ruby."""
        fonts = self.fonts
        if self.plain:
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

    def _apply_rooms(self, places: list[int]) -> list[float]:
        """Set the natural space before each group in `places`. Return the widths of groups with these spaces.

        No line ends at spaces behind a group that may not end one, nor between a number and its unit.
        """
        widths, rooms, codes = self.widths, self.rooms, self.codes
        lengths, moves, shifts = [*widths], [*widths], list[int]()
        for at in places:
            if codes[at] >> 1 == Between.SPACE:
                before = self.trim_spaces(0, at) - 1
                if before >= 0 and (self.trails[before] in _NO_END or _is_one_unit(self.texts[before], self.texts[at])):
                    codes[at] |= 1
            elif room := self.get_gap(at).width:
                shifts.append(at)
                rooms[at] = room
                lengths[at] += room
                moves[at - 1] += room
        self.moves, self.shifts = moves, shifts
        return lengths

    def get_gap(self, at: int) -> Gap:
        """Return the space before the group at this index."""
        between = self.codes[at] >> 1
        known = _ALWAYS[between]
        if known is not None:
            return known
        if between == Between.SPACE:
            return _make_space_gap(self.widths[at - 1])
        return _make_blank_gap(between, self.sorts[at - 1].right, self.sorts[at].left)

    def find_gaps(self, start: int, end: int) -> tuple[list[int], list[Gap]]:
        """Return the indices and gaps between `start` and `end`, without those that are always 0."""
        codes = self.codes
        places = [at for at in range(start + 1, end) if codes[at] > 1]
        return places, [*map(self.get_gap, places)]

    def has_room(self, start: int, end: int) -> bool:
        """Return True if any groups between `start` and `end` have a natural space between them."""
        at = bisect_left(self.shifts, start + 1)
        return at < len(self.shifts) and self.shifts[at] < end

    def get_natural_rooms(self, start: int, end: int) -> list[float]:
        """Return the natural room after each group of a line, 1/1000 em; 0 after the last."""
        return [*self.rooms[start + 1 : end], 0.0]

    def measure_width(self, start: int, end: int) -> float:
        """Return the natural width of a line from start to end (1/1000 em), without the blanks at both ends."""
        if end <= start:
            return 0.0
        begin = self.ends[start] - self.widths[start] + self.sorts[start].left
        return self.ends[end - 1] - self.sorts[end - 1].right - begin

    def trim_spaces(self, start: int, end: int) -> int:
        """Return the end of a line without its trailing spaces."""
        leads = self.leads
        while end > start and leads[end - 1] == _SPACE:
            end -= 1
        return end

    def measure_widest_chunk(self) -> float:
        """Return the width of the widest part that can't be broken (1/1000 em)."""
        edges = [0, *(index for index, code in enumerate(self.codes) if index and not code & 1), len(self.widths)]
        return max(self.measure_width(start, self.trim_spaces(start, end)) for start, end in pairwise(edges))

    def break_at_phrases(self, phrasing: Phrasing) -> "GlyphRow":
        """Return a copy of the row, for titles, that breaks only between phrases, and not before a lone character."""
        texts = [sort.text or (_ICON_WORD if sort.rarity.mark else "") for sort in self.sorts]
        title = "".join(texts)
        ends = phrasing.find_ends(title)
        if ends is None:
            return self
        galley = GlyphRow(self.sorts, self.paints)
        offset = 0
        for index, code in enumerate(galley.codes):
            said = offset in ends and len(title.rstrip()) - offset > 1
            if index and not code & 1 and not said and galley.trails[index - 1] not in _PHRASE_TRAILS:
                galley.codes[index] = code | 1
            offset += len(texts[index])
        return galley

    def replace_groups(self, pieces: Mapping[int, Sequence[GlyphGroup]]) -> "GlyphRow":
        """Return a row with some groups replaced by several (those of a hyphenated word)."""
        rows = [pieces.get(index, (sort,)) for index, sort in enumerate(self.sorts)]
        paints = self.paints
        if paints is not None:
            paints = [paint for paint, row in zip(paints, rows, strict=True) for _ in row]
        return GlyphRow(list(chain.from_iterable(rows)), paints)


class LineSpot(NamedTuple):
    """Where a line starts: x and baseline y (mm), size (points), colour, and the right end of its measure (mm)."""

    x: float
    y: float
    size: float
    paint: Paint
    right: float


class Stretch(NamedTuple):
    """A part of a line in one font, to `end` (mm). `rooms` follow groups, `moves` are widths + rooms (1/1000 em)."""

    first: int
    last: int
    x: float
    end: float
    rooms: list[float]
    moves: list[float]


def _is_one_unit(before: str, behind: str) -> bool:
    """Return True if two words with a space between them belong together: 5 mm, 2 VP, p. 12, E 3."""
    if before[-1:].isdigit():
        return re.match(_UNIT, behind) is not None
    return behind[:1].isdigit() and _REFERRING.fullmatch(before) is not None


@lru_cache(maxsize=256)
def _make_blank_gap(between: int, right: float, left: float) -> Gap:
    """Return the gap of a `Between` behind a group that ends in a blank `right`, before a blank `left` (1/1000 em)."""
    right, left = max(right, 0.0), max(left, 0.0)
    if between == Between.AFTER:
        return Gap(0.0, close=right, open=min(_MOST_OPENED, _MOST_BLANK - right))
    if between == Between.BEFORE:
        return Gap(0.0, close=left, open=min(_MOST_OPENED, _MOST_BLANK - left))
    if between == Between.OPENING_TIGHT:
        return Gap(-left, close=right, open=min(_MOST_OPENED, _MOST_BLANK - right))
    return Gap(-left if between == Between.OPENINGS else -right, spread=False)


@lru_cache(maxsize=64)
def _make_space_gap(space: float) -> Gap:
    return Gap(0.0, close=0.25 * space, widen=_MOST_OPENED)


Align: TypeAlias = Literal["start", "middle", "end", "justify"]
Anchor: TypeAlias = Literal["start", "middle", "end"]
ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}
IconFinder: TypeAlias = Callable[[str, Paint], Symbol | None]
"""A function that returns the drawing of an icon, by name and the text's colour; None for an unknown one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TextBox:
    """Place and style of a text: the box in mm, sizes in points, `leading` as a factor, `spacing` in 1/1000 em.

    The default leading is 1.5 for writing that fills its em or has marks above and below, otherwise 1.25. `phrases`: a
    title, split only between phrases in Japanese, with lines of even length. `vertical`: its lines are columns from
    right to left, as long as the box is high; `align` is along them, `valign` across. A `weight` of 0 means according
    to `bold`; `indent` is before the first line of each paragraph, mm. A single line is reduced to fit a `width` above
    0, and spaced to `drawn_out` mm if that is set. A box equals only itself: the text set in it is found by the box.
    `memo` is what all texts of the box share.
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
    memo: dict[Any, Any] = field(init=False, default_factory=dict)


class SetText(NamedTuple):
    """A text after setting. `overflow`: by how many mm it, or a word of it, is too large even at its smallest size.

    `missing` are characters that no font has, `unturned` characters in a column without their form for columns.
    `taken`: the height (in columns the width) of the text, mm. `notes` report deviations from the requested style,
    `unweighted` weights without a font.
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
