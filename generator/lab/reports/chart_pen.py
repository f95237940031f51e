"""The chart pen: lines, words, scales, colours and names of rows."""

from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from math import floor, isfinite, log10

from generator.base.colour import WHITE, apart, contrast, hex_of, rgb_of
from generator.base.dataclass import dataclass
from generator.base.display_list import Item, Paint, Shape, number
from generator.base.geometry import MM_PER_PT, Rect
from generator.base.outlines import rectangle
from generator.books.page.page_style import GREY, TypeStyle
from generator.books.page.text_setter import Setter, TypeLine
from generator.books.page.text_strips import move_items
from generator.drawing.faces.game_drawing import Workshop
from generator.game.piece_outlines import ellipse

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
"""Minimum saturation of a background in a deep hue, which would look grey otherwise."""

_WARM = (0.11, 0.0, 0.12)
"""Hue, an unused lightness, and saturation of a background without a sign, like shaded paper."""

_LEAST_SATURATION, _LEAST_TURN = 0.35, 0.18
"""Minimum saturation of a visible colour, and minimum distance of another hue (in turns)."""


@dataclass(frozen=True, slots=True)
class Shades:
    """Colours of a chart for rising and falling values, `#rrggbb`."""

    rise: Paint
    fall: Paint

    def of(self, sign: int) -> Paint:
        """Return the colour of a change up (1) or down (-1), or grey."""
        return self.rise if sign > 0 else self.fall if sign < 0 else GREY

    def pale(self, sign: int, grade: int) -> Paint:
        """Return the background of a change. A larger grade (1 to 3) is darker."""
        hue, _, saturation = rgb_to_hls(*rgb_of(self.of(sign))) if sign else _WARM
        return hex_of(hls_to_rgb(hue, _LIGHT[grade - 1], max(saturation, _LEAST_TINT) if sign else saturation))


def shades_of(workshop: Workshop, accent: Paint) -> Shades:
    """Return the game's accent for rising values, and for falling ones the most different palette colour.

    It must have another hue and also differ in colour-blind vision. It is grey if there is no such colour.
    """
    rise = workshop.hex(accent)
    hue = rgb_to_hls(*rgb_of(rise))[0]
    others = []
    for colour in workshop.game.palette.values():
        turn, _, saturation = rgb_to_hls(*rgb_of(colour.srgb))
        away = abs(turn - hue)
        dark = contrast(colour.srgb, WHITE) >= _LEAST_CONTRAST
        if dark and saturation >= _LEAST_SATURATION and min(away, 1 - away) >= _LEAST_TURN:
            others.append(colour.srgb)
    found = max(others, key=lambda one: _least_apart(rise, one), default=GREY)
    return Shades(rise, found if _least_apart(rise, found) >= _LEAST_APART else GREY)


def _least_apart(one: Paint, other: Paint) -> float:
    return min(value for sight, value in apart(one, other).items() if sight != "grey")


@dataclass(frozen=True, slots=True)
class ChartScale:
    """Values from `low` to `high` over `width` mm from `left`."""

    low: float
    high: float
    left: float
    width: float

    def at(self, value: float) -> float:
        """Return the position of a value (mm). Values outside the scale are moved to its ends."""
        within = min(max(value, self.low), self.high)
        return self.left + (within - self.low) / (self.high - self.low) * self.width

    @property
    def step(self) -> float:
        """Distance between ticks: 1, 2 or 5 times a power of ten."""
        rough = (self.high - self.low) / _TICKS
        power: float = 10.0 ** floor(log10(rough))
        return next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))

    def ticks(self) -> tuple[float, ...]:
        """Return the round values within the scale."""
        first, last = -(-self.low // self.step), self.high // self.step
        return tuple(round(self.step * at, 9) for at in range(int(first), int(last) + 1))

    @property
    def places(self) -> int:
        """Number of decimals of the ticks."""
        return max(0, -floor(log10(self.step) + 1e-9))


def scale_around(values: tuple[float, ...], left: float, width: float) -> ChartScale:
    """Return a scale that contains all values, with a small margin on both sides."""
    finite = [value for value in values if isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    room = (high - low) * 0.04 or max(1.0, abs(low) * 0.1)
    return ChartScale(low - room, high + room, left, width)


class Pen:
    """Drawing tool of one report."""

    def __init__(self, setter: Setter, shades: Shades):
        self._setter, self.shades = setter, shades
        self.lang = setter.look.lang
        self.width = setter.look.column

    def lines(
        self, text: str, width: float, size: float = SIZE, *, bold: bool = False, paint: Paint = "ink"
    ) -> list[TypeLine]:
        """Return a text broken into lines of a width (mm). Words that are too wide reduce the type size."""
        made = self._setter.make(text, TypeStyle(size, bold=bold, paint=paint, phrases=True), None)
        if made.narrowest > width:
            made = self._setter.make(
                text, TypeStyle(size * width / made.narrowest * 0.99, bold=bold, paint=paint), None
            )
        return made.lines(width)

    def words(
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
        """Return a line with its baseline at y. `share` is the part of its length to the left of x."""
        made = self._setter.make(text, TypeStyle(size, bold=bold, paint=paint), None)
        found = made.lines(made.natural + 1.0)
        return move_items(found[0], x - found[0].width * share, y) if found else ()

    def long(self, text: str, size: float = SIZE, *, bold: bool = False) -> float:
        """Return the width of a text on one line (mm)."""
        return self._setter.make(text, TypeStyle(size, bold=bold), None).natural

    def drop(self, size: float = SIZE) -> float:
        """Return the distance from the middle of a row down to its baseline (mm)."""
        return size * MM_PER_PT * (0.38 if self._setter.look.cjk else 0.34)


def stroke(
    x: float, y: float, x2: float, y2: float, paint: Paint, width: float = STROKE, dash: tuple[float, ...] = ()
) -> Shape:
    """Return a straight line (mm)."""
    path = f"M {number(x)} {number(y)} L {number(x2)} {number(y2)}"
    return Shape(path, stroke=paint, width=width, dash=dash)


def bar(x: float, y: float, width: float, height: float, fill: Paint) -> Shape:
    """Return a filled box. A negative width extends to the left."""
    return Shape(rectangle(Rect(min(x, x + width), y, abs(width), height)), fill)


def mark(kind: int, x: float, y: float, radius: float, paint: Paint, *, filled: bool) -> Shape:
    """Return a dot, a lozenge, a square or a triangle around a point, filled or hollow."""
    if kind % len(_MARKS) == 0:
        path = ellipse(Rect(x - radius, y - radius, 2 * radius, 2 * radius))
    else:
        corners = [f"{number(x + dx * radius)} {number(y + dy * radius)}" for dx, dy in _MARKS[kind % len(_MARKS)]]
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
"""Total space above and below the lines of a row (mm)."""

_NUMBER_GAP = 1.6
_MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class RowName:
    """The name of a row after typesetting: number (may be empty), lines and height (mm)."""

    head: str
    lines: Sequence[TypeLine]
    indent: float
    size: float
    height: float

    def drawn(self, pen: Pen, x: float, y: float) -> tuple[Item, ...]:
        """Return the drawn name at the left of a row with its top at y."""
        pitch = self.size * _LEADING * MM_PER_PT
        first = y + self.height / 2 - pitch * (len(self.lines) - 1) / 2 + pen.drop(self.size)
        items = list(pen.words(self.head, x, first, self.size, bold=True, paint="ink")) if self.head else []
        for at, line in enumerate(self.lines):
            items += move_items(line, x + self.indent, first + at * pitch)
        return tuple(items)


def labels(pen: Pen, names: Sequence[tuple[str, str]], width: float) -> list[RowName]:
    """Return names, each (number, words), set in a column of this width (mm) with aligned numbers."""
    indent = max((pen.long(head, bold=True) for head, _ in names if head), default=0.0)
    indent += _NUMBER_GAP if indent else 0.0
    return [_label(pen, head, words, indent, width) for head, words in names]


def _label(pen: Pen, head: str, words: str, indent: float, width: float) -> RowName:
    """Return one name. It is set smaller if it takes more than three lines."""
    begin = indent if head else 0.0
    for size in (SIZE, SMALL):
        lines = pen.lines(words, width - begin, size)
        if len(lines) <= _MOST_LINES:
            break
    return RowName(head, lines, begin, size, len(lines) * size * _LEADING * MM_PER_PT + _AIR)
