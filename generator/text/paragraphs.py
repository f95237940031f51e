"""Paragraphs made from rich text: rows of glyphs with icons, ruby, colours and small capitals."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from generator.base.display_list import Paint
from generator.base.geometry import MM_PER_PT
from generator.base.languages import is_mixed
from generator.game.rich_text import (
    USUAL,
    Icon,
    Inline,
    LineBreak,
    Plain,
    Reference,
    RichText,
    Ruby,
    TypeManner,
    plain_text,
)
from generator.text.font_files import scaled
from generator.text.fonts import FontBook
from generator.text.glyph_cache import Features, Rarity, Sort, Typecase, is_cjk, typecase
from generator.text.glyph_rows import Galley, IconFinder, TextBox
from generator.text.kinsoku import TRAILS, Edge, word_edges
from generator.text.line_items import Pictogram, ruby_sorts
from generator.text.vertical_text import ColumnCase, centre, column_case

_IDEOGRAPH_ASCENT, _IDEOGRAPH_DESCENT = 0.88, 0.12
_ICON_BY_CAPITAL = 1.15
_TALL_AND_DEEP = (
    dict.fromkeys(("ar", "fa", "ur", "ps", "sd", "ug", "ckb"), "أآجيم")
    | dict.fromkeys(("he", "iw", "yi", "ji"), "לקץ")
    | dict.fromkeys(("hi", "mr", "ne", "sa"), "ीैुृ")
    | {"th": "ปี่ฏู"}
)
"""The highest and deepest letters of some languages; the others reach as high as d and as deep as p."""
_WIDE = re.compile("[\u2e81-\U0010ffff]")


class Makeup:
    """A text in the styles of its box, ready for breaking at any size. Raise KeyError for an unknown font family.

    With `one_line`, forced breaks become spaces. `extent` is the reach of the type above and below its baseline (in a
    vertical box: right and left of its column's middle), and `lift` the downward shift of a block that looks centred,
    in em. `missing` are characters without a glyph, `unturned` those without their form for columns; `notes` report
    deviations from the requested style, `unweighted` weights without a font.
    """

    def __init__(self, rich: RichText, box: TextBox, fonts: FontBook, icon: IconFinder, one_line: bool = False):
        self._box, self._fonts, self._icon = box, fonts, icon
        self._missing: list[str] = []
        self._unturned: list[str] = []
        self._unknown: list[str] = []
        self._notes: list[str] = []
        self._unweighted: list[str] = []
        self._usual = case = self._style(bold=False, emphasis=False)
        only = _unbroken(rich)
        self._stretches = [(rich, False)] if only is not None else [*_stretches(rich, one_line)]
        self.text = only.text if only is not None else plain_text(rich)
        self.extent, self.lift = _column_extent(case, self.text) if box.vertical else _extent(case, self.text)
        self._is_mixed = is_mixed(box.lang, self.text)
        self._mixture: Any = None
        self.has_ruby = only is None and any(isinstance(inline, Ruby) for inline in rich)
        self._cast_at, self._galleys = box.size, self._cast(box.size)
        self.missing = _each_once(self._missing)
        self.unturned = _each_once(self._unturned)
        self.unknown_icons = _each_once(self._unknown)
        self.notes = _each_once(self._notes)
        self.unweighted = _each_once(self._unweighted)

    def paragraphs(self, size: float) -> list[tuple[Galley, bool]]:
        """Return the rows at a size, each with True if it starts a new paragraph."""
        if self.has_ruby and size != self._cast_at:  # ruby has a minimum size, so its relative size grows
            self._cast_at, self._galleys = size, self._cast(size)
        return self._galleys

    def _cast(self, size: float) -> list[tuple[Galley, bool]]:
        galleys = []
        for stretch, fresh in self._stretches:
            galley = self._galley(stretch, size)
            if galley is not None:
                galleys.append((galley, fresh))
        return galleys

    def _case(self, bold: bool, emphasis: bool, manner: TypeManner = USUAL) -> Typecase:
        return self._style(bold, emphasis, manner) if bold or emphasis or manner != USUAL else self._usual

    def _style(self, bold: bool, emphasis: bool, manner: TypeManner = USUAL, features: Features = ()) -> Typecase:
        box = self._box
        find = column_case if box.vertical else typecase
        heavy, weight = (True, 0) if bold else weighed(manner.weight or box.weight, box.bold)
        family = manner.family or box.family
        features = box.features + features
        if weight:
            self._check_weight(family, weight)
        return find(self._fonts, family, box.lang, heavy, box.italic or emphasis, box.spacing, weight, features)

    def _check_weight(self, family: str, weight: int) -> None:
        from generator.text.fonts import has_weight  # few texts have one

        book, lang = self._fonts, self._box.lang
        book.chain(family, lang, weight=weight)  # opens its files
        if not has_weight(book.families[family], lang, weight, book.varying):
            self._unweighted.append(f"the font family '{family}' has no weight {weight} for '{lang}'")

    def _galley(self, inlines: Sequence[Inline], size: float) -> Galley | None:
        if self._is_mixed:
            from generator.text.bidi_lines import Mixture  # here, as few games have such writing

            self._mixture = Mixture(inlines, self._box.lang)
        only = inlines[0]
        if len(inlines) == 1 and isinstance(only, Plain) and not only.colour and only.manner == USUAL:
            sorts = self._plain(only.text, self._case(only.bold, only.emphasis))
            return Galley(sorts) if sorts else None
        sorts = []
        paints: list[Paint] = []
        coloured = any(not isinstance(inline, (Icon, LineBreak)) and inline.colour for inline in inlines)
        for index, inline in enumerate(inlines):
            if isinstance(inline, LineBreak):
                continue
            manner = inline.manner
            if isinstance(inline, Icon):
                cast = self._among_words(self._pictogram(inline, size))
            elif isinstance(inline, Ruby):
                before, behind = _neighbour(inlines, index - 1, -1), _neighbour(inlines, index + 1, 0)
                case = self._case(inline.bold, inline.emphasis, manner)
                cast = self._among_words(ruby_sorts(inline, case, size * manner.size, inline.colour, before, behind))
                self._note("".join(inline.base + inline.reading), case)
            else:
                text = inline.text if isinstance(inline, Plain) else inline.component
                case = self._case(inline.bold, inline.emphasis, manner)
                cast = self._small(text, inline) if manner.small_capitals else self._plain(text, case)
            if manner != USUAL:
                # few texts have one

                cast = in_manner(cast, manner)
            sorts += cast
            if coloured:
                colour = "" if isinstance(inline, (Icon, LineBreak)) else inline.colour
                paints += [colour or self._box.paint] * (len(sorts) - len(paints))
        return Galley(sorts, paints if coloured else None) if sorts else None

    def _among_words(self, sorts: list[Sort]) -> list[Sort]:
        """Return the groups of an icon or ruby, with a level if words of two directions surround it."""
        return sorts if self._mixture is None else self._mixture.passed(sorts)

    def _plain(self, text: str, case: Typecase) -> list[Sort]:
        if self._mixture is not None:
            mixed: list[Sort] = self._mixture.sorts(text, case, self._missing)
            return mixed
        sorts = case.sorts(text)
        if case.lacking or isinstance(case, ColumnCase):
            self._note(text, case)
        return sorts

    def _small(self, text: str, inline: Plain | Reference) -> list[Sort]:
        """Return small capitals: the font's own, or reduced capitals."""
        case = self._case(inline.bold, inline.emphasis, inline.manner)
        if has_small_capitals(case, text):
            return self._plain(text, self._style(inline.bold, inline.emphasis, inline.manner, SMALL_CAPITALS))
        if self._mixture is not None:
            self._notes.append(
                "beside words that run from right to left, a font without small capitals keeps its letters"
            )
            return self._plain(text, case)
        family = inline.manner.family or self._box.family
        self._notes.append(f"the font family '{family}' has no small capitals: capitals made smaller stand for them")
        self._note(text, case)
        return scaled_capitals(case, text)

    def _note(self, text: str, case: Typecase) -> None:
        """Record the characters of a text that can't be shown correctly."""
        self._missing += case.missing(text)
        if isinstance(case, ColumnCase) and case.unturned:
            self._unturned += case.unturned_in(text)

    def _pictogram(self, icon: Icon, size: float) -> list[Sort]:
        symbol = self._icon(icon.name, icon.colour or self._box.paint)
        if symbol is None:
            self._unknown.append(icon.name)
            return []
        case = self._usual
        capital = (case.chain[0].cap_height if case.chain else 0.7) * 1000
        if is_cjk(self._box.lang):
            mark = Pictogram(symbol, 1000.0, _IDEOGRAPH_DESCENT * 1000)
        else:
            mark = Pictogram(symbol, capital * _ICON_BY_CAPITAL, capital * (_ICON_BY_CAPITAL - 1) / 2)
        if icon.height:  # centred on its usual place
            high = icon.height / (size * MM_PER_PT) * 1000
            mark = Pictogram(symbol, high, mark.below + (high - mark.height) / 2)
        width = mark.height * symbol.box[2] / symbol.box[3]
        if self._box.vertical:  # its width in a column is its height on a line
            width = mark.height * symbol.box[3] / symbol.box[2]
            mark = Pictogram(symbol, width, 0.0)
        lead, trail = int(Edge.ICON), TRAILS[Edge.ICON]
        return [Sort("", lead, trail, width, None, natural=True, rarity=Rarity(mark=mark))]


def weighed(weight: int, bold: bool) -> tuple[bool, int]:
    """Return True for the bold fonts, and an explicit weight or 0."""
    return (weight == 700, 0) if weight in (400, 700) else (bold, weight)


def cut(galley: Galley, measure: float) -> Galley:
    """Return the row with groups wider than the measure cut into single clusters."""
    wide = {index: _cut(galley.sorts[index]) for index, width in enumerate(galley.widths) if width > measure}
    return galley.replaced(wide)


def _stretches(rich: RichText, one_line: bool) -> Iterator[tuple[list[Inline], bool]]:
    """Yield the parts between forced breaks, each with True if it starts a new paragraph. Skip empty ones."""
    stretch: list[Inline] = []
    fresh, begun, breaks = False, False, 0
    for inline in (*_split_lines(rich), LineBreak()):
        if not isinstance(inline, LineBreak):
            if breaks > 1 and begun:
                fresh = True
            breaks = 0
            stretch.append(inline)
            continue
        breaks += 1
        if one_line and stretch:
            stretch.append(Plain(" "))
        elif stretch:
            yield stretch, fresh
            stretch, fresh, begun = [], False, True
    if stretch:
        yield stretch[:-1], fresh


def _each_once(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names)) if names else ()


def _unbroken(rich: RichText) -> Plain | None:
    """Return the only run of a text that is one run on one line, like most; None for other texts."""
    only = rich[0] if len(rich) == 1 else None
    return only if isinstance(only, Plain) and "\n" not in only.text else None


def _split_lines(rich: RichText) -> Iterator[Inline]:
    """Yield the inlines, with line ends inside plain runs as breaks."""
    for inline in rich:
        if isinstance(inline, Plain) and "\n" in inline.text:
            for index, text in enumerate(inline.text.split("\n")):
                if index:
                    yield LineBreak()
                if text:
                    yield inline._replace(text=text)
        else:
            yield inline


def _extent(case: Typecase, text: str) -> tuple[tuple[float, float], float]:
    """Return the reach of the type above and below the baseline, and the shift for centring, in em."""
    fonts = case.chain
    if not fonts:
        return (_IDEOGRAPH_ASCENT, _IDEOGRAPH_DESCENT), 0.0
    latin = fonts[0]
    if case.cjk:
        extent = (_IDEOGRAPH_ASCENT, _IDEOGRAPH_DESCENT)
        if _WIDE.search(text):
            return extent, 0.0
    elif letters := _TALL_AND_DEEP.get(case.lang.split("-", 1)[0].lower()):
        inks = [font.ink(font.glyph(char)) for char in letters if (font := case.font_for(char))]
        boxes = [ink for ink in inks if ink is not None] or [(0.0, -200.0, 0.0, 800.0)]
        extent = max(box[3] for box in boxes) / 1000, -min(box[1] for box in boxes) / 1000
    else:
        tall, deep = latin.ink(latin.glyph("d")), latin.ink(latin.glyph("p"))
        capital = latin.cap_height
        extent = (max(tall[3] / 1000, capital) if tall else capital, -deep[1] / 1000 if deep else 0.2)
    # capitals and figures look centred if their middle is; a block is centred by its whole extent
    return extent, (extent[1] - extent[0] + latin.cap_height) / 2


def _column_extent(case: Typecase, text: str) -> tuple[tuple[float, float], float]:
    """Return the reach of a column right and left of its middle, and the shift for centring, in em."""
    if case.cjk or not case.chain:
        return (0.5, 0.5), 0.0
    (above, below), _ = _extent(case, text)
    middle = centre(case.chain[0], text)
    return (above - middle, below + middle), (below - above) / 2 + middle


def _neighbour(inlines: Sequence[Inline], index: int, char: int) -> str:
    """Return the character beside ruby."""
    inline = inlines[index] if 0 <= index < len(inlines) else None
    return inline.text[char] if isinstance(inline, Plain) and inline.text else ""


def _cut(sort: Sort) -> list[Sort]:
    """Return a too wide word as single clusters, between which lines may break."""
    starts = [index for index, cluster in enumerate(sort.clusters) if cluster] if sort.clusters else []
    if len(starts) < 2 or sort.rarity.spots:
        return [sort]
    pieces = []
    for start, end in zip(starts, [*starts[1:], len(sort.glyphs)], strict=True):
        advances = sort.advances[start:end]
        lead, trail = word_edges(sort.clusters[start])
        pieces.append(
            sort._replace(
                text=sort.clusters[start],
                lead=int(lead if lead == Edge.WORD_CLOSING else Edge.HYPHEN),
                trail=TRAILS[trail if trail == Edge.WORD_OPENING else Edge.HYPHEN],
                width=sum(advances),
                glyphs=sort.glyphs[start:end],
                clusters=sort.clusters[start:end],
                advances=advances,
                natural=False,
                glyph=0,
            )
        )
    pieces[0] = pieces[0]._replace(lead=sort.lead)
    pieces[-1] = pieces[-1]._replace(trail=sort.trail)
    return pieces


SMALL_CAPITALS: Features = (("smcp", 1),)
_SCALED = 0.8
"""The size of capitals that replace small capitals."""


def in_manner(sorts: list[Sort], manner: TypeManner) -> list[Sort]:
    """Return the groups of words in the style of their text."""
    return [_in_manner(sort, manner) for sort in sorts]


def _in_manner(sort: Sort, manner: TypeManner) -> Sort:
    size, own = manner.size, sort.rarity
    rarity = own._replace(
        rise=own.rise * size + manner.rise * 1000,
        ratio=own.ratio * size,
        underlined=manner.underlined,
        struck=manner.struck,
        spots=tuple([(right * size, up * size) for right, up in own.spots]),
    )
    if isinstance(own.mark, Pictogram):
        below = own.mark.below * size - manner.rise * 1000
        rarity = rarity._replace(mark=own.mark._replace(height=own.mark.height * size, below=below))
    if size == 1:
        return sort._replace(rarity=rarity)
    return _sized(sort, size)._replace(rarity=rarity)


def _sized(sort: Sort, size: float) -> Sort:
    return sort._replace(
        width=sort.width * size,
        left=sort.left * size,
        right=sort.right * size,
        advances=scaled(sort.advances, size),
    )


def has_small_capitals(case: Typecase, text: str) -> bool:
    """Return True if the fonts of a style have small capitals for the letters of a text."""
    fonts = {case.font_for(char) for char in text if char.islower()}
    return all(font is None or font.has_feature("smcp") for font in fonts)


def scaled_capitals(case: Typecase, text: str) -> list[Sort]:
    """Return a text in capitals, smaller for small letters. Its characters are unchanged for readers."""
    sorts: list[Sort] = []
    for small, chars in groupby(text, key=str.islower):
        part = "".join(chars)
        upper = part.upper() if len(part.upper()) == len(part) else part
        cast = case.sorts(upper if small else part)
        if small:
            cast = [_small(sort) for sort in cast]
        sorts += cast
    return sorts


def _small(sort: Sort) -> Sort:
    clusters = tuple([cluster.lower() for cluster in sort.clusters])
    return _sized(sort, _SCALED)._replace(
        clusters=clusters, rarity=sort.rarity._replace(ratio=sort.rarity.ratio * _SCALED)
    )
