"""Charts: dots with intervals, heat maps, histograms, fans, bands and stacked bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.base.display_list import Drawing, Item, Shape, format_mm
from generator.base.geometry import MM_PER_PT
from generator.books.measure_names import Interval, format_number
from generator.books.page.page_style import GREY
from generator.books.page.text_strips import move_items
from generator.lab.reports.chart_pen import (
    HAIRLINE,
    QUIET,
    SIZE,
    SMALL,
    STROKE,
    ChartRow,
    ChartScale,
    Pen,
    draw_bar,
    draw_line,
    draw_mark,
    make_scale,
    set_row_names,
)

RADIUS = 0.95
_DOT_NAMES, _DOT_NUMBERS = 0.4, 25.0
"""Share of the chart's width for row names, and width of the numbers at the right (mm)."""

_BETWEEN = 3.3
"""Distance between the dots of a row (mm)."""

_DOT_HEAD, _DOT_FOOT = 4.6, 5.0
_DOT_BAR = 2.6
_DOT_TALL = 4.4


@dataclass(frozen=True, slots=True)
class Dot:
    """An interval in a dot chart, filled if significant. `kind` is its shape (see `draw_mark`), `told` its text."""

    found: Interval
    filled: bool
    sign: int = 0
    kind: int = 0
    told: str = ""


@dataclass(frozen=True, slots=True)
class DotRow(ChartRow):
    """A row of a dot chart. `folded`: it represents several rows."""

    dots: Sequence[Dot]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class DotAxis:
    """The axis below a dot chart: its name, a reference line with its name, and a tinted margin around the line.

    With `bars`, bars connect that line to the dots. With `signed`, positive numbers have a +.
    """

    name: str
    line: float = 0.0
    line_name: str = ""
    margin: float = 0.0
    bars: bool = False
    signed: bool = False


def draw_interval_dots(pen: Pen, rows: Sequence[DotRow], axis: DotAxis, alt: str) -> Drawing:
    """Draw each row's dots with their intervals, as wide as the report's text. `alt` says the same in words."""
    left = pen.width * _DOT_NAMES
    ends = [end for row in rows for dot in row.dots for end in (dot.found.low, dot.found.high)]
    ends += [axis.line - axis.margin, axis.line + axis.margin]
    scale = make_scale(tuple(ends), left, pen.width - left - _DOT_NUMBERS)
    names = set_row_names(pen, rows, left - 3.0)
    heights = [
        max(name.height, _DOT_TALL + _BETWEEN * (len(row.dots) - 1)) for row, name in zip(rows, names, strict=True)
    ]
    top = _DOT_HEAD if axis.line_name else 1.0
    bottom = top + sum(heights)
    items = _draw_grid(pen, scale, axis, top, bottom)
    y = top
    for row, name, height in zip(rows, names, heights, strict=True):
        items += name.draw_name(pen, y + (height - name.height) / 2)
        first = y + height / 2 - _BETWEEN * (len(row.dots) - 1) / 2
        for at, dot in enumerate(row.dots):
            items += _draw_dot(pen, row, dot, scale, axis, first + at * _BETWEEN)
        y += height
    return Drawing(pen.width, bottom + _DOT_FOOT, 0.0, tuple(items), pen.lang, alt)


def _draw_grid(pen: Pen, scale: ChartScale, axis: DotAxis, top: float, bottom: float) -> list[Item]:
    items: list[Item] = []
    if axis.margin:
        low, high = scale.position_of(axis.line - axis.margin), scale.position_of(axis.line + axis.margin)
        items.append(draw_bar(low, top, high - low, bottom - top, "#efede8"))
    items += _draw_ticks(pen, scale, top, bottom, signed=axis.signed)
    x = scale.position_of(axis.line)
    items.append(draw_line(x, top - 0.6, x, bottom, "ink", 0.28))
    if axis.line_name:
        share = min(1.0, max(0.0, (x - scale.left) / scale.width))
        items += pen.set_words(axis.line_name, x, top - 1.6, SMALL, share)
    items += pen.set_words(axis.name, 0.0, bottom + 3.2, SMALL, paint=GREY)
    return items


def _draw_ticks(pen: Pen, scale: ChartScale, top: float, bottom: float, *, signed: bool = False) -> list[Item]:
    items: list[Item] = []
    for tick in scale.find_ticks():
        x = scale.position_of(tick)
        items.append(draw_line(x, top, x, bottom, QUIET, HAIRLINE))
        told = format_number(tick, scale.places if tick else 0, signed=signed)
        items += pen.set_words(told, x, bottom + 3.2, SMALL, 0.5, paint=GREY)
    return items


def _draw_dot(pen: Pen, row: DotRow, dot: Dot, scale: ChartScale, axis: DotAxis, y: float) -> list[Item]:
    x, low, high = scale.position_of(dot.found.at), scale.position_of(dot.found.low), scale.position_of(dot.found.high)
    told = pen.set_words(dot.told, pen.width, y + pen.baseline_offset(), SIZE, 1.0, paint=GREY if row.folded else "ink")
    if row.folded:
        return [draw_bar(low, y - _DOT_BAR / 3, high - low, _DOT_BAR / 1.5, QUIET), *told]
    paint = pen.shades.find_colour(dot.sign)
    items: list[Item] = []
    if axis.bars and dot.sign:
        line = scale.position_of(axis.line)
        items.append(draw_bar(line, y - _DOT_BAR / 2, x - line, _DOT_BAR, pen.shades.find_background(dot.sign, 1)))
    mark = draw_mark(dot.kind, x, y, RADIUS, paint, filled=dot.filled)
    return [*items, draw_line(low, y, high, y, paint, STROKE), mark, *told]


_HEAT_NAMES = 0.4
"""Share of the chart's width for row names."""

_LEADING = 1.25
_HEAT_FOOT, _EDGE = 1.0, 0.55
_HEAT_GAP = 0.5
_DOT = 0.3
_WIDEST_CELL = 20.0


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A cell of a heat map: `sign` and `grade` (0: none, to 3) set its colour, `dotted` puts a dot in its middle."""

    text: str
    sign: int = 0
    grade: int = 0
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class HeatRow(ChartRow):
    """A row of a heat map: an arm, with a cell for each column."""

    cells: Sequence[HeatCell]


def draw_heat_map(pen: Pen, columns: Sequence[str], rows: Sequence[HeatRow], alt: str) -> Drawing:
    """Draw a heat map in the report's width. So that it needs no colours, a rise has an edge above, a fall below."""
    left = pen.width * _HEAT_NAMES
    pitch = min((pen.width - left) / max(1, len(columns)), _WIDEST_CELL)
    left = pen.width - pitch * len(columns)
    line = SMALL * _LEADING * MM_PER_PT
    heads = [pen.set_lines(name, pitch - 1.0, SMALL, bold=True) for name in columns]
    top = max((len(lines) for lines in heads), default=0) * line + 2.0
    items: list[Item] = []
    for at, lines in enumerate(heads):
        first = top - 1.6 - (len(lines) - 1) * line - 0.2 * line
        for line_number, one in enumerate(lines):
            middle = left + (at + 0.5) * pitch - one.width / 2
            items += move_items(one, middle, first + line_number * line)
    items.append(draw_line(0, top, pen.width, top, "ink", 0.25))
    names = set_row_names(pen, rows, left - 3.0)
    y = top
    for row, name in zip(rows, names, strict=True):
        items += name.draw_name(pen, y)
        for at, cell in enumerate(row.cells):
            items += _draw_heat_cell(pen, cell, (left + at * pitch, y), pitch, name.height)
        y += name.height
        items.append(draw_line(0, y, pen.width, y, QUIET, HAIRLINE))
    return Drawing(pen.width, y + _HEAT_FOOT, 0.0, tuple(items), pen.lang, alt)


def _draw_heat_cell(pen: Pen, cell: HeatCell, position: tuple[float, float], width: float, height: float) -> list[Item]:
    x, y = position[0] + _HEAT_GAP / 2, position[1] + _HEAT_GAP / 2
    wide, high = width - _HEAT_GAP, height - _HEAT_GAP
    items: list[Item] = []
    if cell.grade:
        items.append(draw_bar(x, y, wide, high, pen.shades.find_background(cell.sign, cell.grade)))
        edge = y if cell.sign > 0 else y + high - _EDGE
        items.append(draw_bar(x, edge, wide, _EDGE, pen.shades.find_colour(cell.sign)))
    if cell.dotted:
        return [draw_mark(0, position[0] + width / 2, position[1] + height / 2, _DOT, QUIET, filled=True)]
    paint, size = ("ink", SIZE) if cell.grade else (GREY, SMALL)
    size = min(size, size * (wide - 0.4) / max(pen.measure_words(cell.text, size, bold=cell.grade > 1), 0.1))
    middle = position[1] + height / 2 + pen.baseline_offset(size)
    items += pen.set_words(cell.text, position[0] + width / 2, middle, size, 0.5, bold=cell.grade > 1, paint=paint)
    return items


_MOST_BARS = 44
_SIDE = 13.0
"""Height of the tallest bar of a histogram (mm)."""

_AXIS = 4.6
_TITLE = 4.4
_HISTOGRAM_GAP = 0.35
_WIDEST = 5.0
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


@dataclass(frozen=True, slots=True)
class HistogramSide:
    """One half of a double histogram: an arm's name, its number of games by value, and its median."""

    name: str
    games: Mapping[int, int]
    middle: float


def make_bins(above: HistogramSide, below: HistogramSide) -> tuple[int, int, list[int], list[int]]:
    """Return the lowest value, the number of values per bar, and the games in each bar of both halves."""
    sides = above, below
    values = [value for side in sides for value, times in side.games.items() if times]
    low, high = min(values, default=0), max(values, default=0)
    wide = next((step for step in _STEPS if (high - low) // step < _MOST_BARS), high - low + 1)
    low = low // wide * wide
    bars = (high - low) // wide + 1
    rows = [[0] * bars for _ in sides]
    for row, side in zip(rows, sides, strict=True):
        for value, times in side.games.items():
            if times:
                row[(value - low) // wide] += times
    return low, wide, rows[0], rows[1]


def draw_histograms(pen: Pen, above: HistogramSide, below: HistogramSide, unit: float, alt: str) -> Drawing:
    """Draw one histogram upwards, one downwards. `unit`: how many of the counted whole numbers are 1 on the axis."""
    low, wide, up, down = make_bins(above, below)
    # Use shares of each side's games, because the sides may have different numbers of games.
    shares = [[times / max(1, sum(row)) for times in row] for row in (up, down)]
    most = max((share for row in shares for share in row), default=0.0) or 1.0
    step = min(pen.width / len(up), _WIDEST)
    left = (pen.width - step * len(up)) / 2
    upper, lower = _TITLE + _SIDE, _TITLE + _SIDE + _AXIS
    items: list[Item] = [*pen.set_words(above.name, 0, 3.0, SMALL, paint=GREY)]
    for at in range(len(up)):
        x = left + at * step + _HISTOGRAM_GAP / 2
        tall = [row[at] / most * _SIDE for row in shares]
        if tall[0]:
            items.append(draw_bar(x, upper - tall[0], step - _HISTOGRAM_GAP, tall[0], "#b9b5ab"))
        if tall[1]:
            items.append(draw_bar(x, lower, step - _HISTOGRAM_GAP, tall[1], pen.shades.rise))
    items += [draw_line(0, y, pen.width, y, "ink", 0.2) for y in (upper, lower)]
    every = max(1, -(-len(up) * 7 // int(step * len(up) + 1)))
    for at in range(0, len(up), every):
        value = (low + at * wide) / unit
        x = left + (at + 0.5) * step
        items += pen.set_words(format_number(value, 0 if value == int(value) else 1), x, upper + 3.2, SMALL, 0.5)
    for side, y, turn in ((above, upper, -1), (below, lower, 1)):
        x = left + ((side.middle * unit - low) // wide + 0.5) * step
        items.append(draw_line(x, y, x, y + turn * _SIDE, "ink", 0.25, (0.8, 0.6)))
        items.append(draw_mark(1, x, y + turn * _SIDE, 0.6, "ink", filled=True))
    foot = lower + _SIDE + 4.2
    items += pen.set_words(below.name, 0, foot - 1.0, SMALL, paint=pen.shades.rise)
    return Drawing(pen.width, foot, 0.0, tuple(items), pen.lang, alt)


_LEFT, _RIGHT = 9.0, 26.0
_HIGH = 46.0
_TOP, _FAN_FOOT = 2.0, 9.0


@dataclass(frozen=True, slots=True)
class FanPart:
    """A series in a fan chart: its name, for each step the quantiles 5, 25, 50, 75, 95 %, and its colour's `sign`."""

    name: str
    steps: Sequence[Sequence[float]]
    sign: int


def draw_fan_chart(pen: Pen, parts: Sequence[FanPart], steps: Sequence[str], name: str, alt: str) -> Drawing:
    """Draw how quantiles of each part develop. `steps` are the labels below the axis, `name` is its title."""
    width = pen.width - _LEFT - _RIGHT
    scale = make_scale(tuple(value for part in parts for step in part.steps for value in step), 0.0, _HIGH)
    bottom = _TOP + _HIGH

    def at(value: float) -> float:
        return bottom - scale.position_of(value)

    places = [_LEFT + width * step / max(1, len(steps) - 1) for step in range(len(steps))]
    items: list[Item] = []
    for tick in scale.find_ticks():
        y = at(tick)
        items.append(draw_line(_LEFT, y, _LEFT + width, y, QUIET, HAIRLINE))
        items += pen.set_words(
            format_number(tick, scale.places if tick else 0), _LEFT - 1.5, y + pen.baseline_offset(SMALL), SMALL, 1.0
        )
    for x, told in zip(places, steps, strict=True):
        items += pen.set_words(told, x, bottom + 3.6, SMALL, 0.5, paint=GREY)
    items += pen.set_words(name, _LEFT, bottom + 7.4, SMALL, paint=GREY)
    for grade, low, high in ((1, 0, 4), (3, 1, 3)):
        for part in parts:
            upper = [(x, at(step[high])) for x, step in zip(places, part.steps, strict=True)]
            lower = [(x, at(step[low])) for x, step in zip(places, part.steps, strict=True)]
            items.append(
                Shape(f"{_line_path([*upper, *reversed(lower)])} Z", pen.shades.find_background(part.sign, grade))
            )
    for part in parts:
        middle = [(x, at(step[2])) for x, step in zip(places, part.steps, strict=True)]
        items.append(
            Shape(_line_path(middle), stroke=pen.shades.find_colour(part.sign), width=2 * STROKE, join="round")
        )
        x, y = middle[-1]
        items += pen.set_words(
            part.name, x + 2.0, y + pen.baseline_offset(SMALL), SMALL, paint=pen.shades.find_colour(part.sign)
        )
    return Drawing(pen.width, bottom + _FAN_FOOT, 0.0, tuple(items), pen.lang, alt)


def _line_path(points: Sequence[tuple[float, float]]) -> str:
    return "M " + " L ".join(f"{format_mm(x)} {format_mm(y)}" for x, y in points)


_BAND_NAMES, _BAND_NUMBERS = 0.4, 25.0
_THIN, _THICK, _MIDDLE = 1.2, 2.8, 3.8
_BAND_FOOT = 5.0
_BAND_TALL = 4.6


@dataclass(frozen=True, slots=True)
class BandRow(ChartRow):
    """A row of a band chart: its quantiles 5, 25, 50, 75 and 95 %. `sign`: 1 above, -1 below the first arm."""

    at: tuple[float, ...]
    sign: int = 0


def draw_bands(pen: Pen, rows: Sequence[BandRow], name: str, alt: str) -> Drawing:
    """Draw quantile bands for each row over an axis `name`. A line marks the first row's median in all rows."""
    left = pen.width * _BAND_NAMES
    scale = make_scale(tuple(value for row in rows for value in row.at), left, pen.width - left - _BAND_NUMBERS)
    names = set_row_names(pen, rows, left - 3.0)
    heights = [max(one.height, _BAND_TALL) for one in names]
    bottom = 1.0 + sum(heights)
    items = _draw_ticks(pen, scale, 1.0, bottom)
    middle = scale.position_of(rows[0].at[2])
    items.append(draw_line(middle, 0.4, middle, bottom, "ink", 0.2, (0.8, 0.6)))
    y = 1.0
    for row, one, height in zip(rows, names, heights, strict=True):
        items += one.draw_name(pen, y + (height - one.height) / 2)
        centre, (p5, p25, p50, p75, p95) = y + height / 2, map(scale.position_of, row.at)
        items.append(draw_bar(p5, centre - _THIN / 2, p95 - p5, _THIN, pen.shades.find_background(row.sign, 2)))
        items.append(draw_bar(p25, centre - _THICK / 2, p75 - p25, _THICK, pen.shades.find_background(row.sign, 3)))
        items.append(
            draw_line(p50, centre - _MIDDLE / 2, p50, centre + _MIDDLE / 2, pen.shades.find_colour(row.sign), 0.7)
        )
        told = [format_number(value, 0 if value == int(value) else 1) for value in (row.at[2], row.at[0], row.at[4])]
        items += pen.set_words("{} ({}–{})".format(*told), pen.width, centre + pen.baseline_offset(), SIZE, 1.0)
        y += height
    items += pen.set_words(name, 0.0, bottom + 3.2, SMALL, paint=GREY)
    return Drawing(pen.width, bottom + _BAND_FOOT, 0.0, tuple(items), pen.lang, alt)


_STACK_NAMES = 0.3
_STACK_BAR, _STACK_TALL = 5.0, 7.0
_STACK_HEAD, _STACK_FOOT = 6.0, 1.5
_SWATCH, _STACK_GAP = 2.6, 5.0
_AIR = 1.2


@dataclass(frozen=True, slots=True)
class StackRow(ChartRow):
    """A row of stacked bars: the parts (0 to 1), and the text in each part."""

    parts: Sequence[float]
    told: Sequence[str]


def draw_stacked_shares(pen: Pen, names: Sequence[str], rows: Sequence[StackRow], alt: str) -> Drawing:
    """Draw rows of stacked bars, with `names` of the parts above. Omit text that is too wide for its part.

    Each part is paler than the one before, so that no colour vision is needed. The last one is white.
    """
    left = pen.width * _STACK_NAMES
    wide = pen.width - left
    grounds = [pen.shades.find_background(1, 3 - at) if at < len(names) - 1 else "#ffffff" for at in range(len(names))]
    items: list[Item] = []
    x = left
    for name, ground in zip(names, grounds, strict=True):
        items += _draw_stack_part(x, 1.0, _SWATCH, _SWATCH, ground)
        items += pen.set_words(name, x + _SWATCH + _AIR, 1.0 + _SWATCH / 2 + pen.baseline_offset(SMALL), SMALL)
        x += _SWATCH + _AIR + pen.measure_words(name, SMALL) + _STACK_GAP
    y = _STACK_HEAD
    for row, label in zip(rows, set_row_names(pen, rows, left - 3.0), strict=True):
        height = max(label.height, _STACK_TALL)
        items += label.draw_name(pen, y + (height - label.height) / 2)
        x, whole = left, sum(row.parts) or 1.0
        for part, told, ground in zip(row.parts, row.told, grounds, strict=True):
            width = part / whole * wide
            if width > HAIRLINE:
                items += _draw_stack_part(x, y + (height - _STACK_BAR) / 2, width, _STACK_BAR, ground)
            if pen.measure_words(told) + 2 * _AIR < width:
                items += pen.set_words(told, x + width / 2, y + height / 2 + pen.baseline_offset(), SIZE, 0.5)
            x += width
        y += height
    return Drawing(pen.width, y + _STACK_FOOT, 0.0, tuple(items), pen.lang, alt)


def _draw_stack_part(x: float, y: float, width: float, height: float, ground: str) -> list[Item]:
    right, bottom = x + width, y + height
    edges = ((x, y, right, y), (x, bottom, right, bottom), (x, y, x, bottom), (right, y, right, bottom))
    return [draw_bar(x, y, width, height, ground), *(draw_line(*edge, "ink", HAIRLINE) for edge in edges)]
