"""The chart pen: draws lines and words, and chooses scales, colours and row names for charts."""

from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from math import floor, isfinite, log10

from generator.base.colour import WHITE, hex_from_rgb, measure_contrast, measure_differences, rgb_from_hex
from generator.base.display_list import Item, Paint, Shape, format_mm
from generator.base.geometry import MM_PER_PT, Rect
from generator.base.outlines import rectangle_path
from generator.books.page.page_style import GREY, TypeStyle
from generator.books.page.text_setter import TextSetter, TypeLine
from generator.books.page.text_strips import move_items
from generator.drawing.faces.game_drawing import Workshop
from generator.game.piece_outlines import make_ellipse_path

SIZE, SMALL = 7.5, 7.0
"""Type sizes of words in a chart (pt)."""

HAIRLINE, STROKE = 0.09, 0.42
"""Widths of grid lines (a quarter of a point) and of data lines (mm)."""

QUIET: Paint = "#d9d6cf"
"""Colour of grid lines."""

_STEPS = (1.0, 2.0, 5.0, 10.0)
_TICKS = 6
_LEAST_CONTRAST, _LEAST_APART = 4.5, 18.0
_LIGHT = (0.93, 0.84, 0.7)
_LEAST_TINT = 0.38
"""Minimum saturation of a coloured background; a dark palette colour would otherwise become grey."""

_WARM = (0.11, 0.0, 0.12)
"""Hue and saturation (the middle number is unused) of the background for a change without direction."""

_LEAST_SATURATION, _LEAST_TURN = 0.35, 0.18
"""The colour for falling values needs this saturation and this distance in hue (in turns) from the other."""


@dataclass(frozen=True, slots=True)
class Shades:
    """Colours of a chart for rising and falling values, `#rrggbb`."""

    rise: Paint
    fall: Paint

    def find_colour(self, sign: int) -> Paint:
        """Return the colour of a change: up (`sign` 1), down (-1) or neither (grey)."""
        return self.rise if sign > 0 else self.fall if sign < 0 else GREY

    def find_background(self, sign: int, grade: int) -> Paint:
        """Return the background of a change: `sign` (1, -1 or 0) gives the hue, `grade` (1 to 3) makes it darker."""
        hue, _, saturation = rgb_to_hls(*rgb_from_hex(self.find_colour(sign))) if sign else _WARM
        return hex_from_rgb(hls_to_rgb(hue, _LIGHT[grade - 1], max(saturation, _LEAST_TINT) if sign else saturation))


def choose_shades(workshop: Workshop, accent: Paint) -> Shades:
    """Return the game's accent for rising values, and for falling ones the most different palette colour.

    It must have another hue and also differ in colour-blind vision. It is grey if there is no such colour.
    """
    rise = workshop.hex_of_paint(accent)
    hue = rgb_to_hls(*rgb_from_hex(rise))[0]
    others = []
    for colour in workshop.game.palette.values():
        turn, _, saturation = rgb_to_hls(*rgb_from_hex(colour.srgb))
        away = abs(turn - hue)
        dark = measure_contrast(colour.srgb, WHITE) >= _LEAST_CONTRAST
        if dark and saturation >= _LEAST_SATURATION and min(away, 1 - away) >= _LEAST_TURN:
            others.append(colour.srgb)
    found = max(others, key=lambda one: _least_difference(rise, one), default=GREY)
    return Shades(rise, found if _least_difference(rise, found) >= _LEAST_APART else GREY)


def _least_difference(one: Paint, other: Paint) -> float:
    return min(value for sight, value in measure_differences(one, other).items() if sight != "grey")


@dataclass(frozen=True, slots=True)
class ChartScale:
    """A linear scale: values from `low` to `high` over `width` mm from x = `left`."""

    low: float
    high: float
    left: float
    width: float

    def position_of(self, value: float) -> float:
        """Return the position of a value (mm). Values outside the scale are moved to its ends."""
        within = min(max(value, self.low), self.high)
        return self.left + (within - self.low) / (self.high - self.low) * self.width

    @property
    def step(self) -> float:
        """Distance between ticks: 1, 2 or 5 times a power of ten."""
        rough = (self.high - self.low) / _TICKS
        power: float = 10.0 ** floor(log10(rough))
        return next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))

    def find_ticks(self) -> tuple[float, ...]:
        """Return the round values within the scale."""
        first, last = -(-self.low // self.step), self.high // self.step
        return tuple(round(self.step * at, 9) for at in range(int(first), int(last) + 1))

    @property
    def places(self) -> int:
        """Number of decimals of the ticks."""
        return max(0, -floor(log10(self.step) + 1e-9))


def make_scale(values: tuple[float, ...], left: float, width: float) -> ChartScale:
    """Return a scale that contains all values, with a small margin on both sides."""
    finite = [value for value in values if isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    room = (high - low) * 0.04 or max(1.0, abs(low) * 0.1)
    return ChartScale(low - room, high + room, left, width)


class Pen:
    """Sets words and draws lines for the charts of a report, in its fonts, language and colours. Lengths are mm."""

    def __init__(self, setter: TextSetter, shades: Shades):
        self._setter, self.shades = setter, shades
        self.lang = setter.look.lang
        self.width = setter.look.column

    def set_lines(
        self, text: str, width: float, size: float = SIZE, *, bold: bool = False, paint: Paint = "ink"
    ) -> list[TypeLine]:
        """Return a text of `size` points as lines of at most `width` mm. Type gets smaller if a word is too wide."""
        made = self._setter.compose_text(text, TypeStyle(size, bold=bold, paint=paint, phrases=True), None)
        if made.narrowest > width:
            made = self._setter.compose_text(
                text, TypeStyle(size * width / made.narrowest * 0.99, bold=bold, paint=paint), None
            )
        return made.break_lines(width)

    def set_words(
        self,
        text: str,
        x: float,
        y: float,
        size: float = SIZE,
        share: float = 0.0,
        *,
        bold: bool = False,
        paint: Paint = "ink",
    ) -> tuple[Item, ...]:
        """Return a line of text at baseline y (mm); `share` of its length is left of x (0: begins, 1: ends there)."""
        made = self._setter.compose_text(text, TypeStyle(size, bold=bold, paint=paint), None)
        found = made.break_lines(made.natural + 1.0)
        return move_items(found[0], x - found[0].width * share, y) if found else ()

    def measure_words(self, text: str, size: float = SIZE, *, bold: bool = False) -> float:
        """Return the width (mm) of a text of `size` points on one line."""
        return self._setter.compose_text(text, TypeStyle(size, bold=bold), None).natural

    def baseline_offset(self, size: float = SIZE) -> float:
        """Return the distance from the middle of a row down to its baseline (mm)."""
        return size * MM_PER_PT * (0.38 if self._setter.look.cjk else 0.34)


def draw_line(
    x: float, y: float, x2: float, y2: float, paint: Paint, width: float = STROKE, dash: tuple[float, ...] = ()
) -> Shape:
    """Return a straight line from x, y to x2, y2 (mm). `dash` has the lengths of dashes and gaps."""
    path = f"M {format_mm(x)} {format_mm(y)} L {format_mm(x2)} {format_mm(y2)}"
    return Shape(path, stroke=paint, width=width, dash=dash)


def draw_bar(x: float, y: float, width: float, height: float, fill: Paint) -> Shape:
    """Return a filled box with its upper left corner at x, y (mm). A negative width extends to the left of x."""
    return Shape(rectangle_path(Rect(min(x, x + width), y, abs(width), height)), fill)


def draw_mark(kind: int, x: float, y: float, radius: float, paint: Paint, *, filled: bool) -> Shape:
    """Return a mark: a dot, lozenge, square or triangle (`kind` 0 to 3) around a point, filled or hollow."""
    if kind % len(_MARKS) == 0:
        path = make_ellipse_path(Rect(x - radius, y - radius, 2 * radius, 2 * radius))
    else:
        corners = [
            f"{format_mm(x + dx * radius)} {format_mm(y + dy * radius)}" for dx, dy in _MARKS[kind % len(_MARKS)]
        ]
        path = f"M {' L '.join(corners)} Z"
    return Shape(path, paint if filled else "#ffffff", paint, 0.35, join="round")


_MARKS = (
    (),
    ((0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)),
)


_LEADING = 1.28
_AIR = 1.75
"""Space that a row needs besides its lines of text (mm)."""

_NUMBER_GAP = 1.6
_MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class RowName:
    """A row's name broken into lines: its entry such as `E12` (may be empty), its lines, and its height (mm)."""

    head: str
    lines: Sequence[TypeLine]
    indent: float
    size: float
    height: float

    def draw_name(self, pen: Pen, y: float) -> tuple[Item, ...]:
        """Return the drawn name at the left of a row with its top at y."""
        pitch = self.size * _LEADING * MM_PER_PT
        first = y + self.height / 2 - pitch * (len(self.lines) - 1) / 2 + pen.baseline_offset(self.size)
        items = list(pen.set_words(self.head, 0.0, first, self.size, bold=True, paint="ink")) if self.head else []
        for at, line in enumerate(self.lines):
            items += move_items(line, self.indent, first + at * pitch)
        return tuple(items)


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of any chart: its words, before which stands the entry of an unclear rule such as `E12` (or '')."""

    head: str
    words: str


def set_row_names(pen: Pen, rows: Sequence[ChartRow], width: float) -> list[RowName]:
    """Return the rows' names, words aligned, in a column `width` mm wide. Type is smaller for more than three lines."""
    indent = max((pen.measure_words(row.head, bold=True) for row in rows if row.head), default=0.0)
    indent += _NUMBER_GAP if indent else 0.0
    named = []
    for row in rows:
        begin = indent if row.head else 0.0
        for size in (SIZE, SMALL):
            lines = pen.set_lines(row.words, width - begin, size)
            if len(lines) <= _MOST_LINES:
                break
        named.append(RowName(row.head, lines, begin, size, len(lines) * size * _LEADING * MM_PER_PT + _AIR))
    return named
