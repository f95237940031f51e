"""Charts say what the numbers say: where things stand, how large they are, that all of it lies on the drawing."""

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped_games import workshop

from generator.base.display_list import Drawing, Shape, TextRun, walk_leaves
from generator.base.geometry import map_point
from generator.base.outlines import find_bounds
from generator.books.measure_names import Interval
from generator.books.page.page_style import GREY, Look
from generator.books.page.text_setter import TextSetter
from generator.drawing.faces.game_drawing import find_accent
from generator.lab.reports.chart_pen import STROKE, ChartScale, Pen, choose_shades, make_scale
from generator.lab.reports.charts import (
    BandRow,
    Dot,
    DotAxis,
    DotRow,
    HeatCell,
    HeatRow,
    HistogramSide,
    draw_bands,
    draw_heat_map,
    draw_histograms,
    draw_interval_dots,
    make_bins,
)
from generator.lab.reports.report_book import PAGE

LONG = "全員を通してどの数字も一つまでしか出せないことにして、さらに捨て札の数字も同じように数えるという長い読み方"
WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenaufbewahrungsschrank"


@cache
def pen(lang: str = "ja", game: str = "fortuna") -> Pen:
    shop = workshop(game)
    paint = find_accent(shop.game.palette)
    return Pen(TextSetter(shop, Look(PAGE, lang, paint), "{}"), choose_shades(shop, paint))


def shapes(drawing: Drawing) -> list[Shape]:
    """All shapes, in order; charts move none of them."""
    return [item for item, _ in walk_leaves(drawing.items) if isinstance(item, Shape)]


def box(shape: Shape) -> tuple[float, float, float, float]:
    found = find_bounds(shape.path)
    assert found is not None
    return found.x, found.y, found.right, found.bottom


def whiskers(drawing: Drawing) -> list[Shape]:
    return [one for one in shapes(drawing) if one.stroke and one.width == STROKE]


def ends_of_words(drawing: Drawing, of: Pen) -> Iterator[tuple[float, float, float]]:
    """Left, right and baseline of every run of words."""
    for item, matrix in walk_leaves(drawing.items):
        if isinstance(item, TextRun):
            x, y = map_point(matrix, (item.x, item.y))
            yield x, x + of._setter.measure_run(item), y


INTERVALS = st.builds(
    lambda at, left, right: Interval(at, at - left, at + right),
    st.floats(-100, 100),
    st.floats(0.01, 30),
    st.floats(0.01, 30),
)


@settings(max_examples=30)
@given(st.lists(INTERVALS, min_size=2, max_size=6))
def test_dots_stand_where_their_numbers_say(found: list[Interval]) -> None:
    """Ends of intervals and dots lie on one straight scale, in their rows' order from the top."""
    rows = [DotRow(f"E{n}", "読み", [Dot(one, filled=True, sign=1)]) for n, one in enumerate(found)]
    drawing = draw_interval_dots(pen(), rows, DotAxis("差"), "alt")
    lines = whiskers(drawing)
    assert len(lines) == len(found)
    places = [box(one) for one in lines]
    assert [top for _, top, _, _ in places] == sorted(top for _, top, _, _ in places)
    values = [value for one in found for value in (one.low, one.high)]
    xs = [x for left, _, right, _ in places for x in (left, right)]
    least, most = values.index(min(values)), values.index(max(values))
    per = (xs[most] - xs[least]) / (values[most] - values[least])
    for value, x in zip(values, xs, strict=True):
        assert x == pytest.approx(xs[least] + (value - values[least]) * per, abs=0.01)
    for one, (left, _, right, _) in zip(found, places, strict=True):
        dot = next(shape for shape in shapes(drawing) if shape.width == 0.35 and _middle(shape) == pytest.approx(
            left + (one.at - one.low) / (one.high - one.low) * (right - left), abs=0.02))  # fmt: skip
        assert dot.fill == dot.stroke


def _middle(shape: Shape) -> float:
    left, _, right, _ = box(shape)
    return (left + right) / 2


def test_a_hollow_dot_is_told_from_a_filled_one_without_colour() -> None:
    """What does not stand is white inside; a table has a shape of its own."""
    dots = [Dot(Interval(1, 0.5, 1.5), filled=filled, sign=1, kind=kind) for kind, filled in enumerate((True, False))]
    marks = [
        one for one in shapes(draw_interval_dots(pen(), [DotRow("", "a", dots)], DotAxis("x"), "")) if one.width == 0.35
    ]
    assert [one.fill for one in marks] == [pen().shades.rise, "#ffffff"]
    assert len({one.path.count("L") for one in marks}) == 2


@given(st.floats(-1e4, 1e4), st.floats(0.01, 1e4))
def test_ticks_are_round_and_within(low: float, span: float) -> None:
    """There are two at least and ten at most, told exactly by the scale's decimals."""
    scale = make_scale((low, low + span), 0.0, 100.0)
    ticks = scale.find_ticks()
    assert 2 <= len(ticks) <= 10
    assert all(scale.low <= tick <= scale.high for tick in ticks)
    assert all(round(tick, scale.places) == pytest.approx(tick) for tick in ticks)


def test_a_single_value_has_a_scale() -> None:
    """Nothing is divided by no width."""
    scale = make_scale((5.0,), 10.0, 40.0)
    assert scale.position_of(5.0) == pytest.approx(30.0)
    assert isinstance(scale, ChartScale)


@settings(max_examples=30)
@given(st.dictionaries(st.integers(-20, 300), st.integers(1, 500), min_size=1), st.integers(1, 5))
def test_histograms_lose_no_game(games: dict[int, int], shift: int) -> None:
    """Bars hold every game once, and are as high as their shares."""
    other = {value + shift: times for value, times in games.items()}
    sides = HistogramSide("a", games, 0.0), HistogramSide("b", other, 0.0)
    low, wide, up, down = make_bins(*sides)
    assert (sum(up), sum(down)) == (sum(games.values()), sum(other.values()))
    assert all(up[(value - low) // wide] >= times for value, times in games.items())
    drawing = draw_histograms(pen(), *sides, 1.0, "")
    grey = [box(one) for one in shapes(drawing) if one.fill == "#b9b5ab"]
    heights = [bottom - top for _, top, _, bottom in grey]
    told = [times for times in up if times]
    assert len(heights) == len(told)
    for height, times in zip(heights, told, strict=True):
        assert height == pytest.approx(times / max(told) * max(heights), abs=0.01)


@settings(max_examples=20)
@given(st.lists(st.lists(st.integers(0, 90), min_size=5, max_size=5).map(sorted), min_size=1, max_size=5))
def test_bands_stand_where_their_numbers_say(rows: list[list[int]]) -> None:
    """The thin band reaches from the first to the last value, the thick one from the second to the fourth."""
    drawing = draw_bands(pen(), [BandRow("", "a", tuple(map(float, row))) for row in rows], "x", "")
    bars = [box(one) for one in shapes(drawing) if one.fill]
    values = [value for row in rows for pair in ((row[0], row[4]), (row[1], row[3])) for value in pair]
    xs = [x for left, _, right, _ in bars for x in (left, right)]
    least, most = values.index(min(values)), values.index(max(values))
    per = (xs[most] - xs[least]) / ((values[most] - values[least]) or 1)
    assert len(xs) == len(values)
    assert all(
        x == pytest.approx(xs[least] + (v - values[least]) * per, abs=0.01) for v, x in zip(values, xs, strict=True)
    )


def test_a_rise_has_its_edge_above_and_a_fall_below() -> None:
    """So that the map is read in grey; a field that nothing changes has no ground."""
    cells = [HeatCell("+1", 1, 3), HeatCell("-1", -1, 1), HeatCell("", dotted=True), HeatCell("=")]
    of = pen()
    drawing = draw_heat_map(of, ["a", "b", "c", "d"], [HeatRow("E1", "読み", cells)], "")
    filled = [one for one in shapes(drawing) if one.fill and not one.stroke]
    assert [one.fill for one in filled] == [of.shades.find_background(1, 3), of.shades.rise, of.shades.find_background(-1, 1), of.shades.fall]  # fmt: skip
    grounds, edges = [box(one) for one in filled[::2]], [box(one) for one in filled[1::2]]
    assert edges[0][1] == grounds[0][1] and edges[0][3] < grounds[0][3]
    assert edges[1][3] == grounds[1][3] and edges[1][1] > grounds[1][1]


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", [LONG, WORD, f"{LONG}{WORD}"])
def test_long_names_fit(lang: str, name: str) -> None:
    """Names are broken or set smaller: no word leaves the drawing, none runs into what stands beside it."""
    of = pen(lang)
    dots = [Dot(Interval(1, 0, 2), filled=True, sign=1, told="+1.0 ±1.0")]
    charts = [
        draw_interval_dots(of, [DotRow("E10", name, dots)] * 3, DotAxis("x"), ""),
        draw_bands(of, [BandRow("E10", name, (1.0, 2.0, 3.0, 4.0, 5.0))] * 2, "x", ""),
    ]
    for drawing in charts:
        for left, right, y in ends_of_words(drawing, of):
            assert left >= -0.01 and right <= drawing.width + 0.01
            assert 0 < y < drawing.height
            assert left >= of.width * 0.4 - 12 or right <= of.width * 0.4
    cells = [HeatCell("+1,234.56", 1, 1)] * 11
    wide = draw_heat_map(of, [name[:12]] * 11, [HeatRow("E10", name, cells)], "")
    for left, right, y in ends_of_words(wide, of):
        assert left >= -0.01 and right <= wide.width + 0.01
        assert 0 < y < wide.height


@pytest.mark.parametrize("game", ["fortuna", "journey18", "journey8", "wayfaring", "xanadu"])
def test_every_game_has_two_colours_for_changes(game: str) -> None:
    """Rises and falls have hues of their own in every palette."""
    shades = pen("ja", game).shades
    assert shades.rise != shades.fall != GREY
