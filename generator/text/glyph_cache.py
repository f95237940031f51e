"""The glyph cache: for each style, the measured glyphs of every character, word and icon."""

import re
import unicodedata
from functools import cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.base.languages import explain_unsettable
from generator.text.font_files import ShapedText
from generator.text.fonts import Font, FontBook, FontChain
from generator.text.kinsoku import (
    GLUES,
    SPACES,
    TRAILS,
    WORD_SPACE,
    Edge,
    find_edge,
    find_word_edges,
    is_latin,
    is_wide,
    mark_word_spaces,
    split_japanese,
    split_spaced,
    split_thai,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


_IGNORED = re.compile(  # controls, and characters that Unicode defines as invisible
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
_RIDERS = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # shape their neighbours, have no glyph
_SELECTORS = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")  # selectors of variants that look different
_COMBINING = re.compile("[\u0300-\u036f\u3099\u309a]")
_STAND_INS = dict.fromkeys("\u00a0\u202f\u2007\u1680\u205f" + "".join(map(chr, range(0x2000, 0x200B))), " ") | {
    "\u2010": "-",
    "\u2011": "-",
    "\u2212": "-",
}

Features: TypeAlias = tuple[tuple[str, int], ...]
"""Further OpenType features of a style, each with its value."""


class GlyphExtras(NamedTuple):
    """Properties of a glyph group that most groups don't have.

    `rise` is its height above the line, 1/1000 em. `mark` is an icon, or the reading of ruby. `points` are the soft
    hyphens at which the word may be split. `stance` is the position of its glyphs in a column (`vertical_text.Stance`);
    in a line they are along it. `level` is odd if its glyphs run leftwards; then `spots` are the pen positions from its
    left edge, right and up. `ratio` is the size of its type relative to the text, `struck` and `underlined` are its
    lines; it was shaped with `features`.
    """

    rise: float = 0.0
    mark: Any = None
    points: tuple[int, ...] = ()
    stance: int = 0
    level: int = 0
    spots: tuple[tuple[float, float], ...] = ()
    ratio: float = 1.0
    underlined: bool = False
    struck: bool = False
    features: Features = ()


NO_EXTRAS = GlyphExtras()
"""The properties of a group without anything special."""


class GlyphGroup(NamedTuple):
    """A glyph group, the smallest unit of a line: a character, an unbreakable word or an icon. In 1/1000 em.

    `left` and `right` are the blanks that punctuation loses at line ends and beside other punctuation. `lead` and
    `trail` are its `Edge`s, the latter as a row of `TRAILS`. `natural`: the glyphs' own advances place them. `glyph`:
    its only one, or 0 if unknown. The fields that every row reads come first.
    """

    text: str
    lead: int
    trail: bytes
    width: float
    font: Font | None
    natural: bool
    rarity: GlyphExtras = NO_EXTRAS
    glyph: int = 0
    left: float = 0.0
    right: float = 0.0
    glyphs: tuple[int, ...] = ()
    clusters: tuple[str, ...] = ()
    advances: tuple[float, ...] = ()


def make_group(
    text: str, lead: Edge, trail: Edge, font: Font, glyphs: tuple[int, ...], clusters: tuple[str, ...],
    advances: tuple[float, ...], rarity: GlyphExtras, left: float = 0.0, right: float = 0.0,
) -> GlyphGroup:  # fmt: skip
    """Return a group as wide as its advances; `left` and `right` are blanks that lines drop at an end (1/1000 em)."""
    drawn = glyphs, clusters, advances
    return GlyphGroup(text, int(lead), TRAILS[trail], sum(advances), font, False, rarity, 0, left, right, *drawn)


_NOT_AS_IN_JAPANESE = dict.fromkeys("、。，．､｡", Edge.CLOSING) | {"\u00b7": Edge.MIDDLE}
"""Classes of marks in Chinese and Korean that differ from Japanese: stops don't hang past the edge."""


@cache
def is_cjk(lang: str) -> bool:
    """Return True for Japanese and Chinese, whose lines break between characters by kinsoku rules."""
    return lang.split("-", 1)[0].lower() in ("ja", "zh")


MOST_PIECES = 5_000
"""Maximum number of pieces before the cache is emptied: a language's words recur soon, a card's number does not."""


class GlyphCache(dict[str, GlyphGroup]):
    """Maps a piece of text to its glyph group. KeyError for several groups: see `get_groups`, or if it is `lacking`."""

    def __init__(self, chain: FontChain, lang: str, spacing: float, features: Features = ()):
        super().__init__()
        self.chain, self.lang, self.spacing, self.features = chain, lang, spacing, features
        self.cjk = is_cjk(lang) or lang.split("-", 1)[0] == "ko"
        self.pieces = split_japanese if self.cjk else split_spaced
        self._japanese = lang.split("-", 1)[0].lower() == "ja"
        if lang.split("-", 1)[0].lower() == "th":
            self.pieces = split_thai
        self.lacking: dict[str, tuple[str, ...]] = {}
        self._rarity = GlyphExtras(features=features) if features else NO_EXTRAS
        self._several: dict[str, tuple[GlyphGroup, ...]] = {}
        self._fonts: dict[str, Font | None] = {}
        with_kana_first = (one for kana in (True, False) for one in chain if bool(one.find_glyph("あ")) == kana)
        self._wide_first = FontChain(with_kana_first) if self.cjk else chain

    def __missing__(self, piece: str) -> GlyphGroup:
        if piece not in self._several:
            if len(self) + len(self._several) >= MOST_PIECES:
                self.clear()
                self._several.clear()
            sorts = self._make_groups(piece)
            if len(sorts) == 1:
                self[piece] = sorts[0]
                return sorts[0]
            self._several[piece] = sorts
        raise KeyError(piece)

    def get_groups(self, text: str) -> list[GlyphGroup]:
        """Return the glyph groups of a text."""
        pieces = self.pieces(text)
        if self.cjk and " " in text:
            pieces = [mark_word_spaces([*chain.from_iterable(pieces)])]
        try:
            return [*map(self.__getitem__, chain.from_iterable(pieces))]
        except KeyError:
            return [sort for row in pieces for piece in row for sort in self._get_piece_groups(piece)]

    def _get_piece_groups(self, piece: str) -> tuple[GlyphGroup, ...]:
        try:
            return (self[piece],)
        except KeyError:
            return self._several[piece]

    def find_font(self, char: str) -> Font | None:
        """Return the font for a character; None if no font of the chain has it, or it can't be set."""
        if char not in self._fonts:
            order = self.chain if is_latin(char) else self._wide_first
            self._fonts[char] = None if explain_unsettable(char) else order.find(char)
        return self._fonts[char]

    def find_missing(self, text: str) -> tuple[str, ...]:
        """Return the characters of a text that no font has."""
        if not self.lacking:
            return ()
        lacking = self.lacking
        pieces = chain.from_iterable(self.pieces(text))
        return tuple(char for piece in pieces if piece in lacking for char in lacking[piece])

    def _make_groups(self, piece: str) -> tuple[GlyphGroup, ...]:
        if piece in ("\u200b", ""):
            return (GlyphGroup("", int(Edge.BREAK), TRAILS[Edge.BREAK], 0.0, None, natural=True),)
        if piece == "\u2060":
            return (GlyphGroup("", int(Edge.GLUE), TRAILS[Edge.GLUE], 0.0, None, natural=True),)
        if piece == WORD_SPACE:
            latin = self.chain.find(" ")
            if latin is None:
                return self._make_groups(" ")
            return tuple(self._shape_groups(latin, " ", find_edge(" "), find_edge(" ")))
        shown = piece
        if not (piece.isascii() and piece.isalnum()):
            shown = " " if piece == "\t" else _IGNORED.sub("", piece)
            if len(shown) > 1 and _COMBINING.search(shown):
                shown = unicodedata.normalize("NFC", shown)
        parts = self._split_by_font(shown, piece)
        if not parts:
            return ()
        lead, trail = self._find_edges("".join([text for _, text in parts]))
        last = len(parts) - 1
        sorts: list[GlyphGroup] = []
        for index, (font, text) in enumerate(parts):
            first_edge = lead if index == 0 else Edge.GLUE
            last_edge = trail if index == last else Edge.GLUE
            sorts.extend(self._shape_groups(font, text, first_edge, last_edge))
        if len(sorts) == 1 and "\u00ad" in piece and sorts[0].text == piece.replace("\u00ad", ""):
            lengths = accumulate(len(part) for part in piece.split("\u00ad"))
            points = tuple(at for at in lengths if 0 < at < len(shown))
            sorts[0] = sorts[0]._replace(rarity=sorts[0].rarity._replace(points=points))
        return tuple(sorts)

    def _find_edges(self, shown: str) -> tuple[Edge, Edge]:
        first = shown[0]
        if first in SPACES or first in GLUES:
            return find_edge(first), find_edge(first)
        if self.cjk and not self._japanese and (only := _NOT_AS_IN_JAPANESE.get(first)):
            return only, only
        if is_latin(first) or (not is_wide(first) and (first.isalpha() or not self.cjk)):
            return find_word_edges(shown)
        return find_edge(first), find_edge(first)

    def _split_by_font(self, text: str, piece: str) -> list[tuple[Font, str]]:
        """Return the text in parts of one font each; a mark has its base's font. Record what `piece` is lacking."""
        if text.isascii():
            fonts = {*map(self._fonts.get, text)}
            if None in fonts:  # a new character
                fonts = {*map(self.find_font, text)}
            if len(fonts) == 1 and (only := fonts.pop()) is not None:
                return [(only, text)]
        parts: list[tuple[Font, str]] = []
        lost: list[str] = []
        for at, char in enumerate(text):
            previous = parts[-1][0] if parts else None
            if _RIDERS.match(char):
                font, printed = previous, char
            elif _SELECTORS.match(text, at + 1):
                font, printed = self._find_variant_font(char, text[at + 1], lost), char
            else:
                font, printed = self._find_printed(char, previous)
            if font is None:
                if not _RIDERS.match(char):
                    lost.append(char)
            elif font is previous:
                parts[-1] = (font, parts[-1][1] + printed)
            else:
                parts.append((font, printed))
        if lost:
            self.lacking[piece] = tuple(dict.fromkeys(lost))
        return parts

    def _find_variant_font(self, char: str, selector: str, lost: list[str]) -> Font | None:
        """Return a font with this variant of a character, else its usual font; then add the character to `lost`."""
        usual = self.find_font(char)
        for font in () if explain_unsettable(char) else chain((usual,), self._wide_first):
            if font is not None and font.find_variant(char, selector):
                return font
        if usual is not None:
            lost.append(char + selector)
        return usual

    def _find_printed(self, char: str, previous: Font | None) -> tuple[Font | None, str]:
        """Return the font for a character behind `previous`, and the character or its replacement."""
        font = self.find_font(char)
        if font is not None and previous is not None and not is_latin(char) and previous.find_glyph(char):
            return previous, char
        if font is None and char in _STAND_INS:
            return self.find_font(_STAND_INS[char]), _STAND_INS[char]
        return font, char

    def _shape_groups(self, font: Font, text: str, lead: Edge, trail: Edge) -> list[GlyphGroup]:
        if len(text) == 1 and not self.features and (self._japanese or not is_wide(text)):
            glyph = font.find_glyph(text)
            width = font.measure_advance(glyph)
            shaped = ShapedText((glyph,), (text,), (width,), (0.0,), width, natural=True)
        else:
            shaped = font.shape(text, self.lang, not self.spacing, self.features)
        if any(shaped.rises):
            return list(_split_by_rise(font, shaped, lead, trail))
        box = font.measure_ink(shaped.glyphs[0]) if len(shaped.glyphs) == 1 else None
        left, right = measure_blanks(box[0], shaped.width - box[2], lead) if box else (0.0, 0.0)
        if self.spacing:
            count = len(shaped.glyphs)
            ends = [index + 1 == count or bool(shaped.clusters[index + 1]) for index in range(count)]
            advances = tuple(a + self.spacing if end else a for a, end in zip(shaped.advances, ends, strict=True))
            shaped = shaped._replace(advances=advances, width=sum(advances), natural=False)
            right += self.spacing  # removed at the end of a line
        glyph = shaped.glyphs[0] if len(shaped.glyphs) == 1 else 0
        kind, drawn = (font, shaped.natural, self._rarity), (shaped.glyphs, shaped.clusters, shaped.advances)
        return [GlyphGroup(text, int(lead), TRAILS[trail], shaped.width, *kind, glyph, left, right, *drawn)]


def get_glyph_cache(
    fonts: FontBook,
    family: str,
    lang: str,
    bold: bool,
    italic: bool,
    spacing: float,
    weight: int = 0,
    features: Features = (),
) -> GlyphCache:
    """Return a style's cache (`spacing` in 1/1000 em; `weight` 0: by `bold`). Raise KeyError for an unknown family."""
    key = (family, lang, bold, italic, spacing, weight, features)
    found: GlyphCache | None = fonts.memo.get(key)
    if found is None:
        chain = fonts.get_chain(family, lang, bold, italic, weight)
        found = fonts.memo[key] = GlyphCache(chain, lang, spacing, features)
    return found


def measure_blanks(before: float, after: float, edge: Edge) -> tuple[float, float]:
    """Return by how much the blanks `before` and `after` a punctuation mark's ink exceed the usual ones (1/1000 em)."""
    if edge == Edge.OPENING:
        return min(max(before - max(after, 0.0), 0.0), 500.0), 0.0
    if edge in (Edge.CLOSING, Edge.STOP):
        return 0.0, min(max(after - max(before, 0.0), 0.0), 500.0)
    if edge == Edge.MIDDLE:
        spare = min(max(min(before, after) - 170.0, 0.0), 250.0)
        return spare, spare
    return 0.0, 0.0


def _split_by_rise(font: Font, shaped: ShapedText, lead: Edge, trail: Edge) -> "Iterable[GlyphGroup]":
    """Split shaped glyphs into groups of equal height above the line, since a mark may be above its letter."""
    count, start = len(shaped.glyphs), 0
    while start < count:
        end = start + 1
        while end < count and shaped.rises[end] == shaped.rises[start]:
            end += 1
        clusters, own_lead = shaped.clusters[start:end], lead if start == 0 else Edge.GLUE
        drawn = shaped.glyphs[start:end], clusters, shaped.advances[start:end]
        rarity = GlyphExtras(rise=shaped.rises[start])
        yield make_group("".join(clusters), own_lead, trail if end == count else Edge.GLUE, font, *drawn, rarity)
        start = end
