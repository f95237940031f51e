"""Paragraphs: makes rows of glyphs from rich text with icons, ruby, colours and small capitals."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from generator.base.display_list import Paint
from generator.base.geometry import MM_PER_PT
from generator.base.languages import is_mixed
from generator.game.rich_text import (
    DEFAULT_STYLE,
    Icon,
    Inline,
    LineBreak,
    Plain,
    Reference,
    RichText,
    Ruby,
    RunStyle,
    to_plain_text,
)
from generator.text.font_files import scale_advances
from generator.text.fonts import FontBook
from generator.text.glyph_cache import Features, GlyphCache, GlyphExtras, GlyphGroup, get_glyph_cache, is_cjk
from generator.text.glyph_rows import GlyphRow, IconFinder, TextBox
from generator.text.kinsoku import TRAILS, Edge, find_word_edges
from generator.text.line_items import Pictogram, make_ruby_groups
from generator.text.vertical_text import ColumnGlyphCache, get_column_cache, measure_centre

_IDEOGRAPH_ASCENT, _IDEOGRAPH_DESCENT = 0.88, 0.12
_ICON_BY_CAPITAL = 1.15
_TALL_AND_DEEP = (
    dict.fromkeys(("ar", "fa", "ur", "ps", "sd", "ug", "ckb"), "أآجيم")
    | dict.fromkeys(("he", "iw", "yi", "ji"), "לקץ")
    | dict.fromkeys(("hi", "mr", "ne", "sa"), "ीैुृ")
    | {"th": "ปี่ฏู"}
)
"""The tallest and deepest letters of some languages; in other languages d and p reach as far."""

Extent: TypeAlias = tuple[tuple[float, float], float]
"""The reach of type above and below its baseline, and the shift that centres it, in em."""

_PLAIN = Plain("")[1:]
_WIDE = "\u2e80"
"""Characters after it are wide."""


class StyledText:
    """A text in the style of its box, not yet broken into lines. Raises KeyError for an unknown font family.

    With `one_line`, forced breaks become spaces. `extent` is the reach of the type above and below its baseline (in a
    vertical box: right and left of its column's middle), and `lift` the downward shift of a block that looks centred,
    in em. `single` is the only group of a text like a number. `missing` are characters without a glyph, `unturned`
    those without their form for columns; `notes` report deviations from the requested style, `unweighted` weights
    without a font.
    """

    has_ruby = False
    single: GlyphGroup | None = None
    _plain: Sequence[GlyphGroup] = ()
    _galleys: Sequence[tuple[GlyphRow, bool]] = ()
    missing: tuple[str, ...] = ()
    unturned = unknown_icons = notes = unweighted = missing

    def __init__(self, rich: RichText, box: TextBox, fonts: FontBook, icon: IconFinder, one_line: bool = False):
        self._box, self._fonts, self._icon = box, fonts, icon
        self._unweighted: list[str] = []
        only = rich[0] if len(rich) == 1 and isinstance(rich[0], Plain) and "\n" not in rich[0].text else None
        self.text = text = only.text if only is not None else to_plain_text(rich)
        self._usual, (self.extent, self.lift) = self._find_usual(text)
        self._is_mixed, self._cast_at = is_mixed(box.lang, text), box.size
        if only is not None and only[1:] == _PLAIN and not (self._is_mixed or box.vertical or self._unweighted):
            sorts = self._usual.get_groups(text)
            if self._usual.lacking:
                self.missing = tuple(dict.fromkeys(self._usual.find_missing(text)))
            if len(sorts) == 1 and sorts[0].natural and sorts[0].width and sorts[0].rarity == GlyphExtras():
                self.single = sorts[0]
            self._plain = sorts
            return
        self._missing: list[str] = []
        self._unturned: list[str] = []
        self._unknown: list[str] = []
        self._notes: list[str] = []
        self._stretches = [(rich, False)] if only is not None else [*_split_stretches(rich, one_line)]
        self._mixture: Any = None
        self.has_ruby = only is None and any(isinstance(inline, Ruby) for inline in rich)
        self._galleys = self._build_rows(box.size)
        self.missing, self.unturned = tuple(dict.fromkeys(self._missing)), tuple(dict.fromkeys(self._unturned))
        self.unknown_icons, self.notes = tuple(dict.fromkeys(self._unknown)), tuple(dict.fromkeys(self._notes))
        self.unweighted = tuple(dict.fromkeys(self._unweighted))

    def build_paragraphs(self, size: float) -> Sequence[tuple[GlyphRow, bool]]:
        """Return the rows at a size, each with True if it starts a new paragraph."""
        if self._plain:
            self._galleys, self._plain = [(GlyphRow(self._plain), False)], []
        if self.has_ruby and size != self._cast_at:  # ruby has a minimum size, so its relative size grows
            self._cast_at, self._galleys = size, self._build_rows(size)
        return self._galleys

    def _build_rows(self, size: float) -> list[tuple[GlyphRow, bool]]:
        rows = []
        for stretch, fresh in self._stretches:
            row = self._build_row(stretch, size)
            if row is not None:
                rows.append((row, fresh))
        return rows

    def _find_usual(self, text: str) -> tuple[GlyphCache, Extent]:
        """Return the cache of the box's own style, and the extent of its type. All texts of a box share them."""
        box, fonts = self._box, self._fonts
        wide = not text.isascii() and (text[0] > _WIDE or max(text) > _WIDE)
        known = box.memo.get(wide)
        if known is None or known[0] is not fonts:
            case = self._find_style_cache(bold=False, emphasis=False)
            measure = _measure_column_extent if box.vertical else _measure_extent
            known = fonts, case, measure(case, wide, text)
            if not (self._unweighted or box.vertical):
                box.memo[wide] = known
        return known[1:]

    def _choose_cache(self, bold: bool, emphasis: bool, manner: RunStyle = DEFAULT_STYLE) -> GlyphCache:
        usual = not bold and not emphasis and manner == DEFAULT_STYLE
        return self._usual if usual else self._find_style_cache(bold, emphasis, manner)

    def _find_style_cache(
        self, bold: bool, emphasis: bool, manner: RunStyle = DEFAULT_STYLE, features: Features = ()
    ) -> GlyphCache:
        box = self._box
        find = get_column_cache if box.vertical else get_glyph_cache
        weight = manner.weight or box.weight
        heavy = bold or weight == 700 or (box.bold and weight != 400)
        weight = 0 if bold or weight in (400, 700) else weight
        family = manner.family or box.family
        features = box.features + features
        if weight:
            book, lang = self._fonts, self._box.lang
            book.get_chain(family, lang, weight=weight)  # opens its files
            if not book.families[family].has_weight(lang, weight, book.varying):
                self._unweighted.append(f"the font family '{family}' has no weight {weight} for '{lang}'")
        return find(self._fonts, family, box.lang, heavy, box.italic or emphasis, box.spacing, weight, features)

    def _build_row(self, inlines: Sequence[Inline], size: float) -> GlyphRow | None:
        if self._is_mixed:
            from generator.text.bidi_lines import BidiParagraph  # here, as few games have such writing

            self._mixture = BidiParagraph(inlines, self._box.lang)
        only = inlines[0]
        if len(inlines) == 1 and isinstance(only, Plain) and not only.colour and only.manner == DEFAULT_STYLE:
            usual = not only.bold and not only.emphasis
            case = self._usual if usual else self._find_style_cache(only.bold, only.emphasis)
            sorts = self._make_plain_groups(only.text, case)
            return GlyphRow(sorts) if sorts else None
        sorts = []
        paints: list[Paint] = []
        coloured = any(not isinstance(inline, (Icon, LineBreak)) and inline.colour for inline in inlines)
        for index, inline in enumerate(inlines):
            if isinstance(inline, LineBreak):
                continue
            manner = inline.manner
            if isinstance(inline, Icon):
                cast = self._level_groups(self._make_icon_group(inline, size))
            elif isinstance(inline, Ruby):
                before, behind = _find_neighbour(inlines, index - 1, -1), _find_neighbour(inlines, index + 1, 0)
                case = self._choose_cache(inline.bold, inline.emphasis, manner)
                groups = make_ruby_groups(inline, case, size * manner.size, inline.colour, before, behind)
                cast = self._level_groups(groups)
                self._note_faults("".join(inline.base + inline.reading), case)
            else:
                text = inline.text if isinstance(inline, Plain) else inline.component
                case = self._choose_cache(inline.bold, inline.emphasis, manner)
                small = manner.small_capitals
                cast = self._make_small_capitals(text, inline) if small else self._make_plain_groups(text, case)
            if manner != DEFAULT_STYLE:
                cast = [_apply_group_style(sort, manner) for sort in cast]
            sorts += cast
            if coloured:
                colour = "" if isinstance(inline, (Icon, LineBreak)) else inline.colour
                paints += [colour or self._box.paint] * (len(sorts) - len(paints))
        return GlyphRow(sorts, paints if coloured else None) if sorts else None

    def _level_groups(self, sorts: list[GlyphGroup]) -> list[GlyphGroup]:
        """Return the groups of an icon or ruby; in text with two directions they get a bidi level."""
        return sorts if self._mixture is None else self._mixture.level_groups(sorts)

    def _make_plain_groups(self, text: str, case: GlyphCache) -> list[GlyphGroup]:
        if self._mixture is not None:
            mixed: list[GlyphGroup] = self._mixture.make_groups(text, case, self._missing)
            return mixed
        sorts = case.get_groups(text)
        if case.lacking or isinstance(case, ColumnGlyphCache):
            self._note_faults(text, case)
        return sorts

    def _make_small_capitals(self, text: str, inline: Plain | Reference) -> list[GlyphGroup]:
        case = self._choose_cache(inline.bold, inline.emphasis, inline.manner)
        fonts = {case.find_font(char) for char in text if char.islower()}
        if all(font is None or font.has_feature("smcp") for font in fonts):
            small = self._find_style_cache(inline.bold, inline.emphasis, inline.manner, SMALL_CAPITALS)
            return self._make_plain_groups(text, small)
        if self._mixture is not None:
            self._notes.append(
                "beside words that run from right to left, a font without small capitals keeps its letters"
            )
            return self._make_plain_groups(text, case)
        family = inline.manner.family or self._box.family
        self._notes.append(f"the font family '{family}' has no small capitals: capitals made smaller stand for them")
        self._note_faults(text, case)
        sorts: list[GlyphGroup] = []
        for is_small, chars in groupby(text, key=str.islower):
            part = "".join(chars)
            upper = part.upper() if len(part.upper()) == len(part) else part
            cast = case.get_groups(upper if is_small else part)
            sorts += map(_shrink_capital, cast) if is_small else cast
        return sorts

    def _note_faults(self, text: str, case: GlyphCache) -> None:
        self._missing += case.find_missing(text)
        if isinstance(case, ColumnGlyphCache) and case.unturned:
            self._unturned += (char for char in text if char in case.unturned)

    def _make_icon_group(self, icon: Icon, size: float) -> list[GlyphGroup]:
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
        return [GlyphGroup("", lead, trail, width, None, natural=True, rarity=GlyphExtras(mark=mark))]


def cut_wide_groups(galley: GlyphRow, measure: float) -> GlyphRow:
    """Return the row with groups wider than the measure cut into single clusters."""
    wide = {index: _cut_group(galley.sorts[index]) for index, width in enumerate(galley.widths) if width > measure}
    return galley.replace_groups(wide)


def _split_stretches(rich: RichText, one_line: bool) -> Iterator[tuple[list[Inline], bool]]:
    """Yield the texts between line breaks (spaces if `one_line`), with True where empty lines begin a paragraph."""
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


def _measure_extent(case: GlyphCache, wide: bool, text: str = "") -> Extent:  # noqa: ARG001 - columns need the text
    """Return a type's reach above and below the baseline and its shift for centring, in em; `wide`: kana and such."""
    fonts = case.chain
    if not fonts:
        return (_IDEOGRAPH_ASCENT, _IDEOGRAPH_DESCENT), 0.0
    latin = fonts[0]
    if case.cjk:
        extent = (_IDEOGRAPH_ASCENT, _IDEOGRAPH_DESCENT)
        if wide:
            return extent, 0.0
    elif letters := _TALL_AND_DEEP.get(case.lang.split("-", 1)[0].lower()):
        inks = [font.measure_ink(font.find_glyph(char)) for char in letters if (font := case.find_font(char))]
        boxes = [ink for ink in inks if ink is not None] or [(0.0, -200.0, 0.0, 800.0)]
        extent = max(box[3] for box in boxes) / 1000, -min(box[1] for box in boxes) / 1000
    else:
        tall, deep = latin.measure_ink(latin.find_glyph("d")), latin.measure_ink(latin.find_glyph("p"))
        capital = latin.cap_height
        extent = (max(tall[3] / 1000, capital) if tall else capital, -deep[1] / 1000 if deep else 0.2)
    # capitals and figures look centred if their middle is; a block is centred by its whole extent
    return extent, (extent[1] - extent[0] + latin.cap_height) / 2


def _measure_column_extent(case: GlyphCache, wide: bool, text: str) -> Extent:
    """Return the reach of a column right and left of its middle, and the shift for centring, in em."""
    if case.cjk or not case.chain:
        return (0.5, 0.5), 0.0
    (above, below), _ = _measure_extent(case, wide)
    middle = measure_centre(case.chain[0], text)
    return (above - middle, below + middle), (below - above) / 2 + middle


def _find_neighbour(inlines: Sequence[Inline], index: int, char: int) -> str:
    inline = inlines[index] if 0 <= index < len(inlines) else None
    return inline.text[char] if isinstance(inline, Plain) and inline.text else ""


def _cut_group(sort: GlyphGroup) -> list[GlyphGroup]:
    starts = [index for index, cluster in enumerate(sort.clusters) if cluster] if sort.clusters else []
    if len(starts) < 2 or sort.rarity.spots:
        return [sort]
    pieces = []
    for start, end in zip(starts, [*starts[1:], len(sort.glyphs)], strict=True):
        text, glyphs, clusters = sort.clusters[start], sort.glyphs[start:end], sort.clusters[start:end]
        width, advances = sum(sort.advances[start:end]), sort.advances[start:end]
        piece = sort._replace(text=text, width=width, glyphs=glyphs, clusters=clusters, advances=advances)
        edge, behind = find_word_edges(text)
        lead = int(edge if edge == Edge.WORD_CLOSING else Edge.HYPHEN)
        trail = TRAILS[behind if behind == Edge.WORD_OPENING else Edge.HYPHEN]
        pieces.append(piece._replace(lead=lead, trail=trail, natural=False, glyph=0))
    pieces[0] = pieces[0]._replace(lead=sort.lead)
    pieces[-1] = pieces[-1]._replace(trail=sort.trail)
    return pieces


SMALL_CAPITALS: Features = (("smcp", 1),)
_SCALED = 0.8
"""The size of capitals that replace small capitals."""


def _apply_group_style(sort: GlyphGroup, manner: RunStyle) -> GlyphGroup:
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
    return _scale_group(sort, size)._replace(rarity=rarity)


def _scale_group(sort: GlyphGroup, size: float) -> GlyphGroup:
    advances = scale_advances(sort.advances, size)
    return sort._replace(width=sort.width * size, left=sort.left * size, right=sort.right * size, advances=advances)


def _shrink_capital(sort: GlyphGroup) -> GlyphGroup:
    clusters = tuple([cluster.lower() for cluster in sort.clusters])
    rarity = sort.rarity._replace(ratio=sort.rarity.ratio * _SCALED)
    return _scale_group(sort, _SCALED)._replace(clusters=clusters, rarity=rarity)
