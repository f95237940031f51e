"""What a face shows and where: roles, true boxes, the paint on top, found in rows and cells."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests_support import examples
from tiny_game import GROUND, box, context, drawing, run, wheat

from generator.base import outlines
from generator.base.display_list import Gradient, Group, Picture, PlacedSymbol, Shape, Symbol, format_mm
from generator.base.geometry import IDENTITY, MM_PER_PT, Rect
from generator.checks.visible_items import (
    NOTHING,
    FaceLayers,
    cells_from_path,
    fill_from_path,
    find_ink_box,
    find_leaves,
    iter_visible_leaves,
)
from generator.drawing.svg.face_areas import measure_glyph_boxes

EM = 20 * MM_PER_PT
"""One em of the tiny runs, mm."""


def close(rect: Rect | None, x: float, y: float, width: float, height: float) -> bool:
    """Whether a box is this one, to a thousandth of a mm."""
    assert rect is not None
    return (rect.x, rect.y, rect.width, rect.height) == pytest.approx((x, y, width, height), abs=1e-3)


def test_the_box_of_text_is_its_ink():
    """Side bearings, ascender and blanks don't count: two blocks with a blank between, 700 apart each."""
    (one,) = iter_visible_leaves(drawing(run("n n", 5, 10)))
    assert close(find_ink_box(one, context()), 5 + 0.1 * EM, 10 - 0.7 * EM, 1.9 * EM, 0.7 * EM)
    assert len(list(measure_glyph_boxes(one.leaf, IDENTITY, context().fonts))) == 2


def test_given_advances_move_the_pen():
    (one,) = iter_visible_leaves(drawing(run("nn", 0, 0, advances=(1000.0, 1000.0))))
    assert close(find_ink_box(one, context()), 0.1 * EM, -0.7 * EM, 1.5 * EM, 0.7 * EM)


def test_turned_text_is_measured_as_it_lies():
    """A quarter turn clockwise: the line runs down, the letters' tops lie to the right, what hangs down to the left."""
    (one,) = iter_visible_leaves(drawing(run("g", 5, 5, angle=90)))
    assert close(find_ink_box(one, context()), 5 - 0.2 * EM, 5 + 0.1 * EM, 0.9 * EM, 0.5 * EM)


def test_glyphs_of_a_column_are_measured_at_their_places():
    column = run("nn", 5, 10, places=((0.0, 0.0), (1.0, 8.0)))
    one, moved = iter_visible_leaves(drawing(column, Group((column,), (1, 0, 0, 1, 20, 0))))
    assert close(find_ink_box(one, context()), 5 + 0.1 * EM, 10 - 0.7 * EM, 1 + 0.5 * EM, 8 + 0.7 * EM)
    assert close(find_ink_box(moved, context()), 25 + 0.1 * EM, 10 - 0.7 * EM, 1 + 0.5 * EM, 8 + 0.7 * EM)


def test_a_run_upside_down_in_a_group_lies_in_the_other_corner():
    """The index in the lower right corner: half a turn about the card's middle mirrors the box."""
    upright, turned = iter_visible_leaves(drawing(run("n", 4, 10), Group((run("n", 4, 10),), (-1, 0, 0, -1, 20, 30))))
    one, other = find_ink_box(upright, context()), find_ink_box(turned, context())
    assert close(other, 20 - one.right, 30 - one.bottom, one.width, one.height)


def test_blank_text_and_unpainted_shapes_have_no_box():
    assert [
        find_ink_box(one, context()) for one in iter_visible_leaves(drawing(run(" ", 0, 0), box(0, 0, 5, 5, None)))
    ] == [None, None]  # fmt: skip


def test_strokes_reach_half_their_width_beyond_the_path():
    """Also when the drawing is scaled: 2 units at half size add half a mm on every side."""
    shape = Shape("M 0 0 L 10 0 L 10 10 Z", stroke="ink", width=2.0)
    (one,) = iter_visible_leaves(drawing(Group((shape,), (0.5, 0, 0, 0.5, 0, 0))))
    assert close(find_ink_box(one, context()), -0.5, -0.5, 6, 6)


def test_clips_cut_the_box():
    (grouped,) = iter_visible_leaves(drawing(Group((box(0, 0, 10, 10),), clip="M 5 5 L 30 5 L 30 30 L 5 30 Z")))
    assert close(find_ink_box(grouped, context()), 5, 5, 5, 5)
    symbol = Symbol("icon:x", (box(-50, -50, 100, 100),), (0, 0, 100, 100))
    (placed,) = iter_visible_leaves(drawing(PlacedSymbol(symbol, (0.1, 0, 0, 0.1, 2, 2), clip=True)))
    assert close(find_ink_box(placed, context()), 2, 2, 5, 5)
    (hidden,) = iter_visible_leaves(drawing(Group((box(0, 0, 2, 2),), clip="M 5 5 L 30 5 L 30 30 L 5 30 Z")))
    assert find_ink_box(hidden, context()) is None


def test_everything_within_an_icon_is_that_icon():
    letters = Symbol("icon:wheat", (box(0, 0, 1, 1, role="ground"), run("W", 0, 0)), (0, 0, 1, 1))
    frame = Symbol("art/frame.svg", (box(0, 0, 1, 1), run("W", 0, 0)), (0, 0, 1, 1))
    leaves = iter_visible_leaves(
        drawing(
            PlacedSymbol(letters, IDENTITY), PlacedSymbol(frame, IDENTITY, role="frame"), box(0, 0, 1, 1, role="ground")
        )
    )
    assert [(one.role, one.icon) for one in leaves] == [("icon", "wheat"), ("icon", "wheat"), ("frame", ""), ("text", ""), ("ground", "")]  # fmt: skip


def test_what_faces_share_is_looked_at_once() -> None:
    """An item of two faces gives the same leaves for both; what comes out is what each shows by itself."""
    looked, frame = context(), Group((box(1, 1, 4, 4), box(2, 2, 1, 1, "paper")), (1, 0, 0, 1, 3, 0))
    one, other = drawing(frame, run("n", 5, 10)), drawing(GROUND, frame)
    first, second = find_leaves(one, looked), find_leaves(other, looked)
    assert first[0] is second[1]
    assert first[1] is second[2]
    assert (list(first), list(second)) == (list(iter_visible_leaves(one)), list(iter_visible_leaves(other)))


def layers(*items: object) -> FaceLayers:
    face = drawing(*items)
    return FaceLayers(face, tuple(iter_visible_leaves(face)))


def test_the_last_shape_drawn_lies_on_top():
    under = layers(GROUND, box(5, 5, 10, 10, "paper"), run("n", 6, 12))
    assert (under.paint_at(10, 10), under.paint_at(1, 1), under.paint_at(50, 50)) == ("paper", "red", "#ffffff")


def test_looking_below_a_leaf_ignores_what_comes_later():
    assert layers(GROUND, box(5, 5, 10, 10, "paper")).paint_at(10, 10, below=1) == "red"


def test_holes_clips_strokes_pictures_and_gradients_are_seen():
    fade = Gradient("linear", (0, 0, 20, 0), ((0.0, "red"), (1.0, "paper")))
    photo = Picture("abc", "photo.png", 10, 20, 5, 5)
    under = layers(
        Shape("M 0 0 L 10 0 L 10 10 L 0 10 Z M 2 2 L 8 2 L 8 8 L 2 8 Z", "red", even_odd=True),
        Group((box(0, 10, 20, 10, fade),), clip="M 0 10 L 20 10 L 0 20 Z"),
        Shape("M 0 25 L 20 25", stroke="ink", width=1.0),
        photo,
    )
    assert (under.paint_at(1, 1), under.paint_at(5, 5)) == ("red", "#ffffff")
    assert (under.paint_at(5, 15), under.paint_at(15, 15)) == (fade, "#ffffff")
    assert under.paint_at(9, 15) == fade
    slanting = layers(Shape("M 0 0 L 20 20", stroke="ink", width=1.0))
    assert (slanting.paint_at(10.6, 10), slanting.paint_at(10.8, 10)) == ("ink", "#ffffff")
    assert (under.paint_at(5, 25.4), under.paint_at(5, 25.6)) == ("ink", "#ffffff")
    assert (under.paint_at(12, 22), under.paint_at(12, 19.9)) == (photo, "#ffffff")


@given(st.floats(-1.9, 21.9), st.floats(-1.9, 31.9), st.floats(0, 360))
@examples(50)
def test_a_turned_disc_is_found_by_the_same_spots(x, y, angle):
    """Layers looks a spot up in the shape's own space: a disc doesn't change when turned about its middle."""
    k = 5 * 0.5523
    disc = f"M 5 0 C 5 {k} {k} 5 0 5 C -{k} 5 -5 {k} -5 0 C -5 -{k} -{k} -5 0 -5 C {k} -5 5 -{k} 5 0 Z"
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    found = layers(Group((Shape(disc, "red"),), (c, s, -s, c, 10, 15))).paint_at(x, y)
    away = math.hypot(x - 10, y - 15)
    if abs(away - 5) > 0.05:
        assert found == ("red" if away < 5 else "#ffffff")


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_outlines_are_followed_closely_whatever_their_units(scale):
    """0.03 mm inside and outside of a circle of 5 mm, in every direction, drawn large or small."""
    k, r = 5 * 0.5523 / scale, 5 / scale
    below = f"C {r} {k} {k} {r} 0 {r} C -{k} {r} -{r} {k} -{r} 0"
    above = f"C -{r} -{k} -{k} -{r} 0 -{r} C {k} -{r} {r} -{k} {r} 0"
    disc = f"M {r} 0 {below} {above} Z"
    under = layers(Group((Shape(disc, "red"),), (scale, 0, 0, scale, 10, 15)))
    for step in range(72):
        x, y = math.cos(math.radians(5 * step)), math.sin(math.radians(5 * step))
        assert under.paint_at(10 + 4.97 * x, 15 + 4.97 * y) == "red"
        assert under.paint_at(10 + 5.03 * x, 15 + 5.03 * y) == "#ffffff"


def test_an_icon_scaled_down_is_found_finely():
    """A symbol of 100 units placed 4 mm large covers just its 4 mm."""
    under = layers(wheat(5, 5))
    assert (under.paint_at(5.01, 8.99), under.paint_at(4.99, 7)) == ("ink", "#ffffff")


NUMBERS = st.one_of(st.integers(-5, 5).map(float), st.floats(-30, 30))
POINTS = st.tuples(NUMBERS, NUMBERS)


def path_of(points: list[tuple[float, float]], closed: bool) -> str:
    corners = [f"{format_mm(x)} {format_mm(y)}" for x, y in points]
    return f"M {corners[0]} L {' L '.join(corners[1:])}{' Z' if closed else ''}"


@given(st.lists(POINTS, min_size=2, max_size=40), st.booleans(), st.booleans(), POINTS)
@example([(0, 0), (4, 0), (4, 4), (0, 4)], True, False, (2, 0))
@example([(0, 0), (4, 0), (4, 4), (0, 4)], True, False, (2, 4))
@example([(0, 0), (4, 0), (4, 4), (0, 4)], True, False, (2, -1))
def test_a_row_knows_all_edges_of_a_spot(points, closed, even_odd, spot):
    path = path_of(points, closed)
    assert fill_from_path(path, 0.02).covers_point(*spot, even_odd) == outlines.is_point_inside(
        outlines.flatten_path(path), *spot, even_odd
    )


def test_nothing_covers_nothing():
    assert fill_from_path("M 0 1 L 5 1", 0.02) == fill_from_path("", 0.02) == NOTHING
    assert not NOTHING.covers_point(0, 0)


def test_few_edges_lie_in_a_row():
    path = path_of([(n % 2, n / 10) for n in range(4000)], closed=True)
    assert max(map(len, fill_from_path(path, 0.02).rows)) < 4000 / 60


NUMBERS_OF_STROKES = st.floats(-30, 30)
POINTS_OF_STROKES = st.tuples(NUMBERS_OF_STROKES, NUMBERS_OF_STROKES)


@given(
    st.lists(POINTS_OF_STROKES, min_size=2, max_size=8),
    st.booleans(),
    st.floats(0, 4),
    st.floats(0.5, 9),
    POINTS_OF_STROKES,
)
def test_no_line_within_reach_is_missed(points, closed, reach, cell, spot):
    """Whether a stroke passes over a spot: its cell's lines say the same as the whole path."""
    corners = [f"{format_mm(x)} {format_mm(y)}" for x, y in points]
    path = f"M {corners[0]} L {' L '.join(corners[1:])}{' Z' if closed else ''}"
    near = cells_from_path(path, 0.02, reach, cell).get((math.floor(spot[0] / cell), math.floor(spot[1] / cell)), [])
    assert (outlines.measure_distance(near, *spot) <= reach) == (
        outlines.measure_distance(outlines.flatten_path(path), *spot) <= reach
    )


@given(st.integers(-9, 9), st.integers(-9, 9), st.floats(0.1, 3), st.sampled_from([0.5, 2.0, 4.0]))
def test_ends_on_the_border_of_a_cell_are_not_missed(x, y, reach, cell):
    near = cells_from_path(f"M {x} {y} L {x + 20} {y}", 0.02, reach, cell)
    for spot in ((x, y + reach), (x, y - reach), (x - reach, y), (x + 20 + reach, y), (x + 7, y + reach)):
        if outlines.measure_distance(outlines.flatten_path(f"M {x} {y} L {x + 20} {y}"), *spot) <= reach:
            assert (math.floor(spot[0] / cell), math.floor(spot[1] / cell)) in near


def test_few_lines_lie_in_a_cell():
    path = " ".join(f"M {4 * n} 0 L {4 * n + 100} 100" for n in range(50))
    cells = cells_from_path(path, 0.02, 0.15, 4.0)
    assert max(map(len, cells.values())) <= 4
    assert {line.closed for lines in cells.values() for line in lines} == {False}
