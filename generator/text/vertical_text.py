"""Vertical text: which characters are upright, their glyphs, and lines set as columns."""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import accumulate
from unicodedata import category

from generator.base.display_list import Item, PlacedSymbol, TextRun
from generator.base.geometry import MM_PER_PT
from generator.text.fonts import Font, FontBook, FontChain
from generator.text.glyph_cache import (
    Features,
    GlyphCache,
    GlyphExtras,
    GlyphGroup,
    get_glyph_cache,
    make_group,
    measure_blanks,
)
from generator.text.glyph_rows import GlyphRow, LineSpot, Stretch, TextBox
from generator.text.kinsoku import CLOSING, LEADERS, MARKS, OPENING, SMALL, STOPS, Edge, Pieces, split_japanese
from generator.text.line_items import (
    Pictogram,
    Rooms,
    RubyReading,
    draw_column_lines,
    find_reading_start,
    iter_stretches,
    make_run,
    scale_spot,
)

# The ranges cover Japanese and Chinese texts, their punctuation and the symbols of games. Everything else is turned,
# which is the annex's default.


class Stance(IntEnum):
    """The orientation of a group's glyphs in a column of vertical text."""

    ALONG = 0  # beside each other along the line, and turned with it in a column
    UPRIGHT = 1  # upright, below each other
    ABREAST = 2  # upright, side by side in one em of a column


class Orientation(IntEnum):
    """Values of Unicode's property Vertical_Orientation (UAX #50): R, U, Tr and Tu."""

    TURNED = 0
    UPRIGHT = 1
    FORM_OR_TURNED = 2
    FORM_OR_UPRIGHT = 3


_UPRIGHT = (  # compiled when first needed, as it takes milliseconds and few games have columns
    "[§©®±¼-¾×÷˪-˫\u1100-\u11ff‖†-‡‰-‱※-‼⁂⁇-⁉⁑\u20dd-\u20e0\u20e2-\u20e4℀-℁℃-℉ℏ℔ℓ№-℗℞-℣℥℧℩℮ℵ-ℿⅅ-⅊⅌-⅍⅏-\u2189∞∴-∵⌀-⌇⌌-⌟⌤-⌨⌫"
    "⍽-⎚⎾-⏍⏏⏑-⏛⏢-␢␤-⓿■-☙☠-❧❶-➓⬒-⬯⭐-⭙⮸-⯫⯰-⯿⺀-\ua4cf\ua960-\ua97f\uac00-\ud7ff\ue000-\ufaff\ufe10-\ufe1f\ufe30-\ufe48\ufe50-\ufe57"
    "\ufe5f-\ufe62\ufe67-\ufe6f！-，．-；？-｠￠-￧\U00016fe0-\U00018aff\U0001b000-\U0001b16f\U0001d000-\U0001d1ff"
    "\U0001d300-\U0001d37f\U0001f000-\U0001f7ff\U0001f900-\U0001fbff\U00020000-\U0003fffd\U000f0000-\U0010fffd]"
)
_FORM_OR_TURNED = frozenset(
    "〈〉《》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰゠ー\u2329\u232a﹙﹚﹛﹜﹝﹞（）：［］＿｛｜｝～｟｠￣"
)
_FORM_OR_UPRIGHT = frozenset(  # the semicolon too, against the annex: Japanese keeps it upright
    "、。ぁぃぅぇぉっゃゅょゎゕゖ゛゜ァィゥェォッャュョヮヵヶㄧㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ！，．；？\ufe50\ufe51\ufe52"
) | {chr(code) for code in (*range(0x3300, 0x3358), *range(0x337B, 0x3380), 0x32FF, 0x1F200, 0x1F201)}

_NEEDS_A_FORM = set(OPENING + CLOSING + STOPS + SMALL) & (_FORM_OR_TURNED | _FORM_OR_UPRIGHT) | set("ー〜～〰゠")
_DASHES = frozenset(LEADERS + "‐‑‒–-~")
_EM_CENTRE = 0.38  # em above the baseline: the middle of the square that kana and ideographs fill


def find_orientation(char: str) -> Orientation:
    """Return the orientation of a character in a column."""
    if char in _FORM_OR_TURNED:
        return Orientation.FORM_OR_TURNED
    if char in _FORM_OR_UPRIGHT:
        return Orientation.FORM_OR_UPRIGHT
    return Orientation.UPRIGHT if re.match(_UPRIGHT, char) else Orientation.TURNED


def needs_form(char: str) -> bool:
    """Return True if a character is wrong in a column without a form for it. Dashes and colons may simply turn."""
    return char in _NEEDS_A_FORM


def measure_centre(font: Font, text: str) -> float:
    """Return the height of turned text's middle above its baseline, in em: it is set on the column's middle."""
    capital = font.cap_height / 2
    if not text or any((char.isalnum() or category(char)[0] == "M") and char < "\u2e80" for char in text):
        small = font.measure_ink(font.find_glyph("x"))
        lower = any(char.islower() for char in text)
        return (capital + small[3] / 2000) / 2 if lower and small else capital
    boxes = [font.measure_ink(font.find_glyph(char)) for char in text if char in _DASHES]
    if boxes and boxes[0] is not None:
        return (boxes[0][1] + boxes[0][3]) / 2000
    return _EM_CENTRE if font.find_glyph("あ") else capital


# Columns are broken and fitted as lines of a box on its side, where along is down and across is to the left. A point
# (x, y) there is (-y, x) on the face, and a line's y is the middle of its column.

_HALF = 500.0  # 1/1000 em from the middle of a column to its sides


def lay_on_side(box: TextBox) -> TextBox:
    """Return the box rotated by 90 degrees, so that columns are broken and placed as lines."""
    return replace(box, x=box.y, y=-(box.x + box.width), width=box.height, height=box.width)


def set_column(
    galley: GlyphRow, start: int, end: int, after: int, rooms: Rooms, spot: LineSpot, out: list[Item]
) -> None:
    """Append items for the groups `start` to `end` of a column, `rooms` after them, and spaces up to `after`."""
    for stretch in iter_stretches(galley, start, end, after, rooms, spot):
        set_stretch(galley, stretch, spot, out)
    if galley.ruled:
        out.extend(draw_column_lines(galley, iter_stretches(galley, start, end, after, rooms, spot), spot))


def set_stretch(galley: GlyphRow, stretch: Stretch, spot: LineSpot, out: list[Item]) -> None:
    """Append the items of a part of a column: glyphs, an icon, ruby."""
    font = galley.fonts[stretch.first]
    if font is not None:
        _set_glyphs(galley, stretch, font, spot, out)
    mark, base = galley.rarities[stretch.first].mark, galley.rarities[stretch.last - 1]
    if isinstance(mark, Pictogram):
        left, top, width, height = mark.symbol.box
        scale = mark.height * spot.size * MM_PER_PT / 1000 / height
        x = -spot.y - (left + width / 2) * scale
        out.append(PlacedSymbol(mark.symbol, (scale, 0.0, 0.0, scale, x, stretch.x - top * scale), role="icon"))
    if isinstance(base.mark, RubyReading):
        reading, spot = base.mark, scale_spot(spot, base)
        em, count = spot.size * MM_PER_PT / 1000, len(reading.sorts)
        begin, y = find_reading_start(reading, stretch.end, spot), spot.y - _HALF * (1 + reading.ratio) * em
        beside = LineSpot(begin, y, spot.size * reading.ratio, reading.paint or spot.paint, spot.right)
        row = GlyphRow([sort._replace(left=0.0) for sort in reading.sorts])
        set_column(row, 0, count, count, [reading.spread] * count, beside, out)


def _set_glyphs(galley: GlyphRow, stretch: Stretch, font: Font, spot: LineSpot, out: list[Item]) -> None:
    rarity = galley.rarities[stretch.first]
    stance = rarity.stance
    paint = galley.paints[stretch.first] if galley.paints else spot.paint
    if stance == Stance.ALONG:
        run = make_run(galley, stretch, font, spot)
        baseline = run.y + measure_centre(font, run.text) * run.size * MM_PER_PT
        out.append(run._replace(x=-baseline, y=run.x, angle=90.0))
        return
    scale = spot.size * MM_PER_PT / 1000
    spot = scale_spot(spot, rarity)
    pens = list(accumulate(stretch.moves, initial=0.0))
    sorts = [(at, stretch.x + pen * scale) for at, pen in zip(range(stretch.first, stretch.last), pens, strict=False)]
    if stance == Stance.UPRIGHT:
        out.append(_set_upright(galley, sorts, font, spot._replace(paint=paint)))
    else:
        standing = [(galley.sorts[at], x) for at, x in sorts]
        out.extend(_set_abreast(sort.glyphs, sort.clusters, x, font, spot, paint) for sort, x in standing)


def _set_upright(galley: GlyphRow, sorts: Sequence[tuple[int, float]], font: Font, spot: LineSpot) -> TextRun:
    """Return a run with the glyphs of these groups, given as (index, mm along the column), below each other."""
    scale = spot.size * MM_PER_PT / 1000
    spots: list[tuple[float, float]] = []
    for at, begin in sorts:
        ratio = galley.rarities[at].ratio
        pens = accumulate(galley.sorts[at].advances, initial=0.0)
        for glyph, pen in zip(galley.sorts[at].glyphs, pens, strict=False):
            middle, top = font.find_top(glyph)
            spots.append((-spot.y - middle * scale, begin + (pen / ratio + top) * scale))
    glyphs = tuple(glyph for at, _ in sorts for glyph in galley.sorts[at].glyphs)
    clusters = tuple(cluster for at, _ in sorts for cluster in galley.sorts[at].clusters)
    return _make_placed_run(spots, spot.size, font, glyphs, clusters, spot.paint)


def _set_abreast(
    glyphs: tuple[int, ...], clusters: tuple[str, ...], begin: float, font: Font, spot: LineSpot, paint: str
) -> TextRun:
    """Return glyphs side by side in the em from `begin` mm down the column, reduced if they are too wide together."""
    widths = [font.measure_advance(glyph) for glyph in glyphs]
    total = sum(widths)
    ratio = min(1.0, 2 * _HALF / total) if total else 1.0
    scale = spot.size * MM_PER_PT / 1000
    left = -spot.y - total * ratio / 2 * scale
    base = begin + (_HALF + measure_centre(font, "1") * 1000 * ratio) * scale
    spots = [(left + pen * ratio * scale, base) for pen in accumulate(widths[:-1], initial=0.0)]
    return _make_placed_run(spots, spot.size * ratio, font, glyphs, clusters, paint)


def _make_placed_run(
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


_WORD = "!-~À-ÖØ-öø-ɏ"
_ABREAST = (  # upright in one em, unless part of a Latin phrase
    rf"(?<![{_WORD}])(?<![{_WORD}] )(?:(?:[0-9]{{1,2}}|[+\-−][0-9]|[A-ZÀ-ÖØ-ÞΑ-ΩА-Я])[!?]{{0,3}}|[!?]{{1,3}})"
    rf"(?![{_WORD}{MARKS}])(?! [0-9A-Za-zÀ-ɏ])"
)
_MARK_OR_NOT = "[!?]+|[^!?]+"
TOGETHER = "\ufff9"  # marks a piece to set abreast: the same characters may also be part of a phrase
_EM = 1000.0


class ColumnGlyphCache(GlyphCache):
    """A glyph cache for columns, measured downwards. `unturned` are characters without the form that they need."""

    def __init__(self, chain: FontChain, lang: str, spacing: float, features: Features = ()):
        super().__init__(chain, lang, spacing, features)
        self.pieces = _split_pieces
        self.unturned: set[str] = set()

    def _make_groups(self, piece: str) -> tuple[GlyphGroup, ...]:
        if piece[0] != TOGETHER or not re.fullmatch(_ABREAST, piece[1:]):
            return super()._make_groups(piece)
        font = next((font for font in self.chain if all(map(font.find_glyph, piece[1:]))), None)
        return super()._make_groups(piece) if font is None else (self._make_abreast_group(font, piece[1:]),)

    def _make_abreast_group(self, font: Font, piece: str) -> GlyphGroup:
        shaped = font.shape(piece, self.lang, ligatures=False)
        if shaped.width > _EM:
            shaped = font.shape_narrow(piece, self.lang)
        letter = Edge.IDEOGRAPH if piece[-1].isalpha() else Edge.WIDE_NUMBER
        edge = Edge.EXCLAIM if piece[-1] in "!?" else letter
        advances = (_EM + self.spacing, *[0.0] * (len(shaped.glyphs) - 1))
        rarity = GlyphExtras(stance=Stance.ABREAST)
        drawn = shaped.glyphs, shaped.clusters, advances
        return make_group(piece, edge, edge, font, *drawn, rarity, right=self.spacing)

    def _shape_groups(self, font: Font, text: str, lead: Edge, trail: Edge) -> list[GlyphGroup]:
        wanted = find_orientation(text[0])
        if wanted == Orientation.TURNED and (len(text) > 1 or not font.find_glyph("あ")):
            return super()._shape_groups(font, text, lead, trail)
        stood = font.shape_column(text, self.lang, self.features)
        if not stood.turned:
            if needs_form(text[0]):
                self.unturned.add(text[0])
            if wanted in (Orientation.TURNED, Orientation.FORM_OR_TURNED):
                return super()._shape_groups(font, text, lead, trail)
        before = after = 0.0
        box = font.measure_ink(stood.glyphs[0]) if len(stood.glyphs) == 1 else None
        if box is not None:
            top = font.find_top(stood.glyphs[0])[1]
            before, after = measure_blanks(top - box[3], stood.advances[0] - top + box[1], lead)
        advances = stood.advances
        if self.spacing:
            ends = [*map(bool, stood.clusters[1:]), True]
            advances = tuple(a + self.spacing if end else a for a, end in zip(advances, ends, strict=True))
            after += self.spacing
        rarity = GlyphExtras(stance=Stance.UPRIGHT)
        return [make_group(text, lead, trail, font, stood.glyphs, stood.clusters, advances, rarity, before, after)]


def get_column_cache(
    fonts: FontBook,
    family: str,
    lang: str,
    bold: bool,
    italic: bool,
    spacing: float,
    weight: int = 0,
    features: Features = (),
) -> GlyphCache:
    """Return a style's glyph cache for columns; other languages are turned. Raise KeyError for an unknown family."""
    lying = get_glyph_cache(fonts, family, lang, bold, italic, spacing, weight, features)
    if not lying.cjk:
        return lying
    key = ("column", family, lang, bold, italic, spacing, weight, features)
    found: ColumnGlyphCache | None = fonts.memo.get(key)
    if found is None:
        found = fonts.memo[key] = ColumnGlyphCache(lying.chain, lang, spacing, features)
    return found


def _split_pieces(text: str) -> Pieces:
    pieces: Pieces = []
    start = 0
    for found in re.finditer(_ABREAST, text):
        pieces += split_japanese(text[start : found.start()])
        pieces.append([TOGETHER + part for part in re.findall(_MARK_OR_NOT, found[0])])
        start = found.end()
    return pieces + split_japanese(text[start:])
