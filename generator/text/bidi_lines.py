"""Lines with right-to-left text: puts glyphs into visual order and makes text runs of them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import cos, radians, sin

from generator.base.display_list import Item, Paint, TextRun
from generator.base.geometry import MM_PER_PT
from generator.base.languages import is_right_to_left
from generator.game.rich_text import Icon, Inline, Plain, Reference, Ruby
from generator.text.bidi import order_visually, resolve_levels
from generator.text.font_files import scale_advances, split_clusters
from generator.text.fonts import Font, FontChain
from generator.text.glyph_cache import GlyphCache, GlyphExtras, GlyphGroup, make_group
from generator.text.glyph_rows import GlyphRow, LineSpot, Stretch
from generator.text.kinsoku import GLUES, SPACES, TRAILS, Edge, find_edge, find_word_edges, is_wide
from generator.text.line_items import Rooms, make_run, set_marks
from generator.text.vertical_text import TOGETHER, measure_centre, set_stretch

# A leftward run has its glyphs in the order of their characters, each at its own place. So programs can search the
# text or read it aloud.


def set_mixed(
    galley: GlyphRow,
    start: int,
    end: int,
    after: int,
    rooms: Rooms,
    spot: LineSpot,
    out: list[Item],
    downwards: bool = False,
) -> None:
    """Append text runs for the groups `start` to `end`, in the order of their characters, with `rooms` after them.

    Rooms of None are natural. Spaces from `end` up to `after` have no width. `downwards`: the line is a rotated column.
    """
    if rooms is None:
        rooms = galley.get_natural_rooms(start, end)
    pens = _find_pens(galley, start, end, rooms)
    scale = spot.size * MM_PER_PT / 1000
    begin = spot.x - galley.sorts[start].left * scale
    for first, last in _split_stretches(galley, start, end):
        if galley.rarities[first].level % 2 and galley.fonts[first] is not None:
            reach = last
            while reach >= end and reach < after and galley.fonts[reach] is galley.fonts[first]:
                reach += 1
            run = _make_leftward_run(galley, first, reach, [begin + pen * scale for pen in pens[first - start :]], spot)
            out.extend(
                rotate_run(run, 90.0, (0.0, 0.0), measure_centre(_get_font(galley, first), run.text))
                if downwards
                else [run]
            )
            left, right = pens[last - 1 - start], pens[first - start] + galley.widths[first]
            stretch = Stretch(first, last, begin + left * scale, begin + right * scale, [0.0], [])
            _append_word_lines(galley, stretch, spot, out, downwards)
            continue
        widths = galley.widths[first:last]
        inner = [pens[at + 1 - start] - pens[at - start] - galley.widths[at] for at in range(first, last - 1)] + [0.0]
        moves = [width + room for width, room in zip(widths, inner, strict=True)]
        x = begin + pens[first - start] * scale
        stretch = Stretch(first, last, x, x + sum(moves) * scale, inner, moves)
        _append_word_lines(galley, stretch, spot, out, downwards)
        if downwards:
            set_stretch(galley, stretch, spot, out)
            continue
        font = galley.fonts[first]
        if font is not None:
            out.append(make_run(galley, stretch, font, spot))
        set_marks(galley, stretch, spot, out)


def _append_word_lines(galley: GlyphRow, stretch: Stretch, spot: LineSpot, out: list[Item], downwards: bool) -> None:
    if galley.ruled:
        from generator.text.line_items import (
            draw_column_lines,  # few texts have lines
            draw_word_lines,
        )

        out.extend((draw_column_lines if downwards else draw_word_lines)(galley, (stretch,), spot))


def rotate_run(run: TextRun, angle: float, about: tuple[float, float], lower: float = 0.0) -> Iterator[TextRun]:
    """Yield a run lowered by `lower` em and then turned clockwise about a point, glyph by glyph if each has a place."""
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


def _find_pens(galley: GlyphRow, start: int, end: int, rooms: list[float]) -> list[float]:
    """Return the left edge of each group of a line (1/1000 em), in the order of characters, with `rooms` after them."""
    rarities, widths = galley.rarities, galley.widths
    order = order_visually([rarities[at].level for at in range(start, end)])
    pens = [0.0] * (end - start)
    pen = 0.0
    for number in order:
        room = rooms[number]
        pens[number] = pen + room if rarities[start + number].level % 2 else pen
        pen += widths[start + number] + room
    return pens


def _split_stretches(galley: GlyphRow, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of a line with one font, colour and direction each."""
    first = start
    for at in range(start + 1, end + 1):
        if at == end or not _is_same_run(galley, at - 1, at):
            yield first, at
            first = at


def _is_same_run(galley: GlyphRow, first: int, second: int) -> bool:
    """Return True if two adjacent groups belong to one run: same font, direction, style and paint, no icon or ruby."""
    before, behind = galley.rarities[first], galley.rarities[second]
    paints = galley.paints
    return (
        galley.fonts[first] is galley.fonts[second]
        and before.level == behind.level
        and before.rise == behind.rise
        and before.stance == behind.stance
        and before.ratio == behind.ratio
        and (before.underlined, before.struck) == (behind.underlined, behind.struck)
        and before.mark is behind.mark is None
        and (paints is None or paints[first] == paints[second])
    )


def _make_leftward_run(galley: GlyphRow, first: int, last: int, lefts: list[float], spot: LineSpot) -> TextRun:
    """Return a right-to-left run of groups `first` to `last`; `lefts` are left edges in mm, the first the rightmost."""
    scale, rarity = spot.size * MM_PER_PT / 1000, galley.rarities[first]
    glyphs: list[int] = []
    clusters: list[str] = []
    advances: list[float] = []
    spots: list[tuple[float, float]] = []
    for sort, left in zip(galley.sorts[first:last], [*lefts, *[lefts[-1]] * (last - first)], strict=False):
        inner = sort.rarity.spots or [(pen, 0.0) for pen in accumulate(sort.advances[:-1], initial=0.0)]
        glyphs += sort.glyphs
        clusters += sort.clusters
        advances += scale_advances(sort.advances, 1 / rarity.ratio)
        spots += [(left + right * scale, spot.y - (rarity.rise + up) * scale) for right, up in inner]
    x, y = spots[0][0], spot.y - rarity.rise * scale
    places = tuple([(across - x, down - y) for across, down in spots])
    paint = galley.paints[first] if galley.paints else spot.paint
    font = _get_font(galley, first)
    shown = tuple(glyphs), tuple(clusters), tuple(advances)
    return TextRun(x, y, spot.size * rarity.ratio, font.key, *shown, paint, places=places)


def _get_font(galley: GlyphRow, at: int) -> Font:
    font = galley.fonts[at]
    if font is None:
        raise TypeError("what has no font has no glyphs either")
    return font


_AN_ICON = "\ufffc"
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_RIDERS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
_ALONE = frozenset(SPACES + GLUES + "\u200b")
_UNJOINED = ("HEBREW", "THAANA", "SAMARITAN", "PHOENICIAN")
"""Right-to-left scripts whose letters are not joined, so that they can be letter-spaced."""


class BidiParagraph:
    """Makes the glyph groups of a paragraph that contains right-to-left text; `lang` decides where lines begin."""

    def __init__(self, inlines: Sequence[Inline], lang: str):
        self._text = "".join(map(_get_characters, inlines))
        self._levels = resolve_levels(self._text, int(is_right_to_left(lang)))
        kinds = set(map(unicodedata.bidirectional, self._text))
        if is_right_to_left(lang) and "L" in kinds and not kinds & {"R", "AL"}:
            self._levels = [2] * len(self._text)  # words of another language, full stop at the end
        self._shown = _UNSEEN.sub("\u200b", self._text)  # of the same length, without characters that need no glyph
        self._at = 0

    def level_groups(self, sorts: list[GlyphGroup]) -> list[GlyphGroup]:
        """Return the groups of an icon, or of a base with ruby, with the bidi level of their first character.

        The level is rounded up to an even one. The next text is then read from behind them.
        """
        level = self._levels[self._at] if self._at < len(self._levels) else 0
        self._at += max(len("".join([sort.text for sort in sorts])), 1)
        return [_set_level(sort, level + level % 2) for sort in sorts]

    def make_groups(self, text: str, case: GlyphCache, missing: list[str]) -> list[GlyphGroup]:
        """Return the glyph groups of the next piece of text. Add characters that no font has to `missing`."""
        sorts: list[GlyphGroup] = []
        for row in case.pieces(text):
            for piece in row:
                if piece.startswith(TOGETHER):  # figures side by side in a column
                    sorts += self.level_groups([case[piece]])
                    continue
                start, self._at = self._at, self._at + len(piece)
                sorts += self._make_piece_groups(start, piece, case, missing)
        return sorts

    def _make_piece_groups(self, start: int, piece: str, case: GlyphCache, missing: list[str]) -> list[GlyphGroup]:
        over, levels = start + len(piece), self._levels
        cuts = [at for at in range(start + 1, over) if levels[at] != levels[at - 1]]
        sorts: list[GlyphGroup] = []
        for first, end in pairwise([start, *cuts, over]):
            level = levels[first] if end > first else 0
            text = self._text[first:end]
            if level % 2 and not _ALONE.issuperset(text):
                part = list(self._make_leftward_groups(first, end, case, missing))
            else:
                part = [_set_level(sort, level) for sort in case.get_groups(text or piece)]
                missing += case.find_missing(text)
            if sorts and part:  # a line may end only between pieces
                sorts[-1] = sorts[-1]._replace(trail=TRAILS[Edge.GLUE])
                part[0] = part[0]._replace(lead=int(Edge.GLUE))
            sorts += part
        return sorts

    def _make_leftward_groups(self, start: int, end: int, case: GlyphCache, missing: list[str]) -> Iterator[GlyphGroup]:
        """Yield a glyph group for each part with one font and script, letters joined. Add unknown ones to `missing`."""
        parts = list(self._split_by_font(start, end, case, missing))
        shown = "".join([self._shown[first:last] for _, first, last in parts]).replace("\u200b", "")
        if not shown:
            return
        lead, trail = (find_edge(shown[0]), find_edge(shown[-1])) if is_wide(shown[0]) else find_word_edges(shown)
        for number, (font, first, last) in enumerate(parts):
            before = lead if number == 0 else Edge.GLUE
            after = trail if number == len(parts) - 1 else Edge.GLUE
            yield self._make_leftward_group(font, (first, last), case, before, after)

    def _split_by_font(
        self, start: int, end: int, case: GlyphCache, missing: list[str]
    ) -> Iterator[tuple[Font, int, int]]:
        font, script, first = None, "", start
        for at in range(start, end):
            char = self._shown[at]
            if char == "\u200b" or _RIDERS.match(char):
                continue
            found, wanted = case.find_font(char), _find_script(char)
            if font is not None and font.find_glyph(char) and (not wanted or not script or wanted == script):
                script = script or wanted  # characters of no script use their neighbour's font
                continue
            if found is None:
                missing.append(char)
            if font is not None:
                yield font, first, at
            font, script, first = found, wanted, at if found is not None else at + 1
        if font is not None:
            yield font, first, end

    def _make_leftward_group(
        self, font: Font, span: tuple[int, int], case: GlyphCache, lead: Edge, trail: Edge
    ) -> GlyphGroup:
        start, end = span
        apart = case.spacing if any(_find_script(char) in _UNJOINED for char in self._shown[start:end]) else 0.0
        drawn = font.shape_leftward(self._shown, start, end, case.lang, not case.spacing)[::-1]
        clusters = [
            _UNSEEN.sub("", text) for text in split_clusters(self._text[start:end], [at - start for _, at, *_ in drawn])
        ]
        advances: list[float] = []
        for number, (_, _, advance, _, _) in enumerate(drawn):
            ends = number + 1 == len(drawn) or bool(clusters[number + 1])
            advances.append(advance + (apart if ends else 0.0))
        pen = sum(advances)
        spots = []
        for (_, _, advance, right, up), whole in zip(drawn, advances, strict=True):
            pen -= whole
            spots.append((pen + whole - advance + right, up))
        rarity = GlyphExtras(level=self._levels[start], spots=tuple(spots))
        drawn_glyphs = tuple([glyph for glyph, *_ in drawn]), tuple(clusters), tuple(advances)
        return make_group("".join(clusters), lead, trail, font, *drawn_glyphs, rarity)


def _get_characters(inline: Inline) -> str:
    """Return the characters by which an inline element affects the direction of its neighbours."""
    if isinstance(inline, Plain):
        return inline.text
    if isinstance(inline, Ruby):
        return "".join(inline.base)
    if isinstance(inline, Reference):
        return inline.component
    return _AN_ICON if isinstance(inline, Icon) else ""


def _find_script(char: str) -> str:
    """Return the script of a letter; empty for characters of every script."""
    return unicodedata.name(char, "").partition(" ")[0] if unicodedata.category(char)[0] == "L" else ""


def _set_level(sort: GlyphGroup, level: int) -> GlyphGroup:
    return sort._replace(left=0.0, right=0.0, rarity=sort.rarity._replace(level=level)) if level else sort


class SingleLines:
    """Sets single lines that begin at the left, with a list of fonts to try. `instead` replaces missing glyphs."""

    def __init__(self, fonts: FontChain, instead: str):
        self._case = GlyphCache(fonts, "und", 0.0)
        self._instead = instead
        self._galleys: dict[str, GlyphRow] = {}

    def measure_width(self, text: str, size: float) -> float:
        """Return the width of a line in mm, its `size` in points."""
        galley = self._get_row(text)
        return galley.measure_width(0, len(galley.widths)) * size * MM_PER_PT / 1000

    def make_runs(self, text: str, x: float, y: float, size: float, angle: float, paint: Paint) -> tuple[TextRun, ...]:
        """Return a line of `size` pt from (x, y) mm, turned clockwise about that point by `angle` degrees."""
        galley = self._get_row(text)
        items: list[Item] = []
        count = len(galley.widths)
        set_mixed(galley, 0, count, count, None, LineSpot(x, y, size, paint, x), items)
        runs = [item for item in items if isinstance(item, TextRun)]
        return tuple([part for run in runs for part in rotate_run(run, angle, (x, y))] if angle else runs)

    def _get_row(self, text: str) -> GlyphRow:
        galley = self._galleys.get(text)
        if galley is None:
            missing: list[str] = []
            self._make_groups(text, missing)
            shown = "".join([self._instead if char in missing else char for char in text])
            galley = self._galleys[text] = GlyphRow(self._make_groups(shown, []))
        return galley

    def _make_groups(self, text: str, missing: list[str]) -> list[GlyphGroup]:
        return BidiParagraph((Plain(text),), "und").make_groups(text, self._case, missing)
