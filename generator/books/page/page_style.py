"""Page style: formats with margins and columns, type styles, and the colours of web pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generator.base.colour import BLACK, WHITE, bytes_from_hex, measure_contrast, measure_luminance, mix_colours
from generator.base.display_list import Drawing, Paint
from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.base.geometry import MM_PER_PT, Rect, Size, paper_size
from generator.game.model import Colour
from generator.text.glyph_cache import is_cjk

GREY: Paint = "#595959"
"""Colour of secondary text; contrast 7 to 1 on white."""

RULE: Paint = "#bdbdbd"
"""Grey of thin lines."""

TINT: Paint = "#f3f2ef"
"""Background of boxes: a light tint that survives a grey printer."""

QUIET: Paint = "#8a8a8a"
"""Edge colour of a box that is not part of the rules."""

WARNING: Paint = "#b00020"
HAIR = 0.3 * MM_PER_PT
THICK = 0.5
EDGE = 0.9
"""Width of the edge at the left of a box (mm)."""

PIECE_EDGE, PIECE_LINE = "#8c8c8c", 0.12
"""Paint and width (mm on paper) of the line around a piece in a figure."""

TICK, TICK_LINE = 4.0, 0.8 * MM_PER_PT
"""Size of a box to be ticked and width of its line (mm)."""


@dataclass(frozen=True, slots=True)
class Format:
    """The page size of a book, its margins (`inner` is at the spine) and columns, in mm; `larger` scales the type.

    `pictures` scales figures in separate lines. `on_grid`: text is on whole lines, in columns of whole characters.
    `opening`: a book begins with a cover, or with its title at the head of the first column, as large as a cover's or
    as a `masthead`; a `sheet` has its title above all columns and at most `sides` pages.
    """

    name: str
    size: Size
    inner: float
    outer: float
    top: float
    bottom: float
    columns: int = 1
    gutter: float = 0.0
    larger: float = 1.0
    pictures: float = 1.0
    on_grid: bool = True
    opening: Literal["cover", "column", "masthead", "sheet"] = "cover"
    sides: int = 0


FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format("A5", paper_size("A5"), 14, 12, 13, 15),
        Format("B5", paper_size("B5"), 22, 19, 20, 21, larger=1.07),
        Format("A4", paper_size("A4"), 20, 16, 20, 21, 2, 8),
        Format("Letter", paper_size("Letter"), 20, 17, 19, 20, 2, 8),
    )
}

LEAFLETS: Mapping[str, Format] = {
    name: Format(f"{name} leaflet", paper_size(name), 16, 14, 16, 17, 2, 8, opening="column")
    for name in ("A4", "Letter")
}
"""Formats of leaflets, books on large pages without a cover, by paper."""

SHEETS: Mapping[str, Format] = {
    name: Format(f"{name} sheet", paper_size(name), side, side, side - 1, side - 1, 2, 8, opening="sheet")
    for name, side in (("A4", 12), ("Letter", 9))
}
"""Formats of a book on one sheet, by paper. Letter is shorter: narrower margins leave as much room as A4."""


def find_page_format(name: str) -> Format:
    """Return the format of this name. Raise ProblemsFound for an unknown name."""
    if name not in FORMATS:
        what = f"a rulebook can't be set on pages of '{name}'"
        raise ProblemsFound([Problem(None, what, did_you_mean(name, FORMATS))])
    return FORMATS[name]


_LIST_MARGIN, LIST_FOOT = 13.0, 8.0
"""Margin on A4, smaller on smaller paper, and free space below the body of a list's page (mm)."""

_EASE = 0.5
"""Space reserved for letters taller than their font states (mm)."""


def make_list_format(name: str, paper: Size, margin: float) -> Format:
    """Return the page format of a list on a paper; `margin` is the edge that the printer can't reach (mm)."""
    margin = max(margin, min(_LIST_MARGIN, paper.width / 15))
    return Format(name, paper, margin, margin, margin + _EASE, margin + LIST_FOOT, on_grid=False)


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """A type style: size (points), leading as a factor. `least`: a too wide word shrinks its text to this size."""

    size: float
    leading: float = 1.3
    bold: bool = False
    title: bool = False
    phrases: bool = False
    paint: Paint = "ink"
    align: Literal["start", "middle", "end", "justify"] = "start"
    vertical: bool = False
    least: float = 0.0

    @property
    def em(self) -> float:
        """Return its size (mm)."""
        return self.size * MM_PER_PT

    @property
    def pitch(self) -> float:
        """Return the distance between baselines (mm)."""
        return self.size * self.leading * MM_PER_PT


TITLE = TypeStyle(24, 1.15, True, title=True, phrases=True, least=12.0)
SECTION = TypeStyle(11, bold=True, phrases=True, least=8.0)
KIND = TypeStyle(9.5, bold=True, phrases=True, least=7.0)
COUNT = TypeStyle(9.0, bold=True, least=6.0)
TEXT = TypeStyle(8.5, 1.35, least=7.0)
FACTS = TypeStyle(7.0, paint=GREY, least=5.0)
NAME = TypeStyle(6.5, phrases=True, least=5.0)
ASIDE = TypeStyle(6.5, paint=GREY, least=5.0)
SMALL = TypeStyle(6.0, paint=GREY, least=5.0)
"""The type styles of lists: titles, names, text, captions."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of one document: format, language, accent. `unit`, half a line, is the grid of the text.

    `tint` is the paint of boxes; `rule` replaces the line below the titles of chapters.
    """

    format: Format
    lang: str
    accent: Paint
    tint: Paint = TINT
    rule: Drawing | None = None

    @property
    def cjk(self) -> bool:
        """Return True if its language is Chinese or Japanese, which is set character by character."""
        return is_cjk(self.lang)

    @property
    def body(self) -> TypeStyle:
        """Return the style of running text."""
        if self.cjk:
            return TypeStyle(9.0 * self.format.larger, 1.53, align="justify")
        return TypeStyle(9.4 * self.format.larger, 1.32)

    @property
    def lead(self) -> TypeStyle:
        """Return the style of the paragraph that introduces a chapter."""
        body = self.body
        return TypeStyle(body.size * 1.12, body.leading / 1.12, align=body.align)

    @property
    def note(self) -> TypeStyle:
        """Return the style of asides, captions and tables."""
        body = self.body
        return TypeStyle(body.size * 0.88, body.leading * 0.97, align="start")

    @property
    def small(self) -> TypeStyle:
        """Return the style of running heads, page numbers and the imprint."""
        return TypeStyle(self.body.size * 0.78, 1.45 if self.cjk else 1.3, paint=GREY)

    def make_plain_style(self, size: float) -> TypeStyle:
        """Return a style of this size (points) for explanations on a book of one sheet."""
        return TypeStyle(size, 1.5 if self.cjk else 1.25)

    def find_heading_style(self, level: int) -> TypeStyle:
        """Return the style of the title of a chapter (1), a section (2) or a step (3)."""
        larger = self.format.larger
        if level == 1:
            return TypeStyle(18.5 * larger, 1.22, True, title=True, phrases=True, paint=self.accent)
        if level == 2:
            return TypeStyle((11.4 if self.cjk else 12.2) * larger, 1.3, True, title=True, phrases=True)
        return TypeStyle(self.body.size, 1.3, True, phrases=True, paint=self.accent)

    @property
    def unit(self) -> float:
        """Return half a line of running text (mm)."""
        return self.body.pitch / 2

    @property
    def column(self) -> float:
        """Return a column's width (mm): a whole number of characters in Chinese and Japanese."""
        page = self.format
        width = (page.size.width - page.inner - page.outer - page.gutter * (page.columns - 1)) / page.columns
        return self.fit_characters(width) if page.on_grid else width

    def fit_characters(self, width: float) -> float:
        """Return `width`, in Chinese and Japanese reduced to a whole number of characters (mm)."""
        em = self.body.em
        return int(width / em + 1e-6) * em if self.cjk else width

    @property
    def gutter(self) -> float:
        """Return the space between columns (mm), with the rest that whole characters leave."""
        page = self.format
        if page.columns == 1:
            return 0.0
        wide = page.size.width - page.inner - page.outer
        return (wide - page.columns * self.column) / (page.columns - 1)

    def find_text_room(self, number: int) -> Rect:
        """Return the text area of page `number` (from 1; odd pages are right pages)."""
        page = self.format
        deep = page.size.height - page.top - page.bottom
        width = page.columns * self.column + (page.columns - 1) * self.gutter
        left = page.inner if number % 2 else page.size.width - page.inner - width
        pitch = self.body.pitch
        height = int(deep / pitch + 1e-6) * pitch if page.on_grid else deep
        return Rect(left, page.top, width, height)


READABLE = 4.5
"""Minimum contrast of text with its background (WCAG 2)."""

_DEEP = 7.0
"""Contrast of the cover's background with white, for large light type and small print."""

_ACCENT = 6.0
"""Contrast of titles and links, also on the tint of boxes."""

_SATURATED = 0.6
"""Minimum saturation of a colour for titles: sepia and slate are too dull."""

_PAPER_LIGHTNESS = 0.8
_NIGHT_GROUND, _NIGHT_TEXT = "#16181c", "#e4e2dc"
_STEPS = 32


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a page, all `#rrggbb`.

    `paper` is the background of figures, `day` and `night` those of the page, with their `text`; `accent` is for titles
    and links; `cover` is the cover's background and `on_cover` its type.
    """

    paper: str
    day: str
    day_text: str
    day_accent: str
    night: str
    night_text: str
    night_accent: str
    cover: str
    on_cover: str


def choose_page_colours(palette: Mapping[str, Colour], accent: Paint) -> Colours:
    """Return the page's colours; `accent` is a paint of the palette, or `ink` for its first deep colour."""
    shades = [colour.srgb for name, colour in palette.items() if name != "ink"]
    paper = next((shade for shade in shades if measure_luminance(shade) >= _PAPER_LIGHTNESS), "#faf8f2")
    dark = ((shade, bytes_from_hex(shade)) for shade in shades if measure_contrast(shade, WHITE) >= _DEEP)
    deep = next((shade for shade, rgb in dark if max(rgb) - min(rgb) >= _SATURATED * max(rgb)), "#1f2a37")
    chosen = palette[accent].srgb if accent != "ink" and accent in palette else deep
    day = mix_colours(paper, WHITE, 0.65)
    cover = make_readable_colour(chosen, WHITE, _DEEP)
    days = day, "#1d1b18", make_readable_colour(chosen, day, _ACCENT)
    night_accent = make_readable_colour(mix_colours(chosen, WHITE, 0.25), _NIGHT_GROUND, _ACCENT)
    on_cover = make_readable_colour(paper, cover, _DEEP - 1.5)
    return Colours(paper, *days, _NIGHT_GROUND, _NIGHT_TEXT, night_accent, cover, on_cover)


def make_readable_colour(colour: str, ground: str, least: float = READABLE) -> str:
    """Return the colour mixed with as little black or white as gives it the contrast `least` on `ground`."""
    goal = max((BLACK, WHITE), key=lambda end: measure_contrast(end, ground))
    steps = (mix_colours(colour, goal, step / _STEPS) for step in range(_STEPS + 1))
    return next((shade for shade in steps if measure_contrast(shade, ground) >= least), goal)
