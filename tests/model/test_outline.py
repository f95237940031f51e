"""Outlines: bounds, polygons, what lies inside and how far away."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base import outlines
from generator.base.geometry import IDENTITY, Rect, find_scale, invert_matrix, map_point

SQUARE = "M 0 0 L 10 0 L 10 10 L 0 10 Z"
# A circle of radius 10 around (10, 10) in four cubics.
CIRCLE = (
    "M 20 10 C 20 15.523 15.523 20 10 20 C 4.477 20 0 15.523 0 10 C 0 4.477 4.477 0 10 0 C 15.523 0 20 4.477 20 10 Z"
)

coordinate = st.integers(-5000, 5000).map(lambda n: n / 100)
point = st.tuples(coordinate, coordinate)


def text(*numbers: float) -> str:
    return " ".join(f"{number:.3f}" for number in numbers)


@st.composite
def paths(draw: st.DrawFn) -> str:
    """One to four lines and curves, open or closed."""
    parts = [f"M {text(*draw(point))}"]
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            parts.append(f"L {text(*draw(point))}")
        else:
            parts.append(f"C {text(*draw(point), *draw(point), *draw(point))}")
    return " ".join([*parts, *(["Z"] if draw(st.booleans()) else [])])


matrices = st.tuples(*[st.integers(-300, 300).map(lambda n: n / 100)] * 4, coordinate, coordinate)


@given(paths(), matrices)
@examples(60)
def test_bounds_hold_every_flattened_point(path, matrix):
    """The box is never too small: each point of the polygon lies in it, however the path is placed."""
    box = outlines.find_bounds(path, matrix)
    points = [map_point(matrix, p) for loop in outlines.flatten_path(path) for p in loop.points]
    assert points
    for x, y in points:
        assert box.contains(Rect(x, y, 0, 0), slack=1e-6 * (1 + abs(x) + abs(y)))


@given(paths())
@examples(60)
def test_bounds_are_no_larger_than_the_outline(path):
    """The box is never too large: a fine polygon comes near each of its four sides."""
    box = outlines.find_bounds(path)
    points = [p for loop in outlines.flatten_path(path, 0.001) for p in loop.points]
    assert min(x for x, _ in points) == pytest.approx(box.x, abs=0.01)
    assert max(x for x, _ in points) == pytest.approx(box.right, abs=0.01)
    assert min(y for _, y in points) == pytest.approx(box.y, abs=0.01)
    assert max(y for _, y in points) == pytest.approx(box.bottom, abs=0.01)


def test_bounds_follow_the_curve_not_its_handles():
    """A bow whose control points lie at y = 12 reaches three quarters of the way: 9."""
    assert outlines.find_bounds("M 0 0 C 0 12 10 12 10 0") == Rect(0, 0, 10, 9)


def test_bounds_of_a_turned_circle_stay_the_same():
    """Turning a circle by 45 degrees about its centre leaves its box, though its control points move."""
    c = math.sqrt(0.5)
    turned = (c, c, -c, c, 10, 10 - 10 * 2 * c)
    box = outlines.find_bounds(CIRCLE, turned)
    assert (box.width, box.height) == (pytest.approx(20, abs=0.02), pytest.approx(20, abs=0.02))


def test_bounds_of_nothing_is_none():
    assert outlines.find_bounds("") is None
    assert outlines.find_bounds("M 5 5") is None


@pytest.mark.parametrize("tolerance", [0.5, 0.05, 0.005])
def test_polygons_stay_within_the_tolerance(tolerance):
    """No chord of a flattened circle leaves it by more than the tolerance (and 0.03 % of the cubics' own error)."""
    (loop,) = outlines.flatten_path(CIRCLE, tolerance)
    for (x0, y0), (x1, y1) in zip(loop.points, loop.points[1:], strict=False):
        middle = math.hypot((x0 + x1) / 2 - 10, (y0 + y1) / 2 - 10)
        assert 10 - middle <= tolerance + 0.003


def test_a_coarser_tolerance_takes_fewer_points():
    coarse, fine = outlines.flatten_path(CIRCLE, 0.5)[0], outlines.flatten_path(CIRCLE, 0.005)[0]
    assert len(coarse.points) < len(fine.points) / 4
    # The fewest chords that do: each may span twice the angle whose cosine is 1 - tolerance / radius.
    assert len(fine.points) <= 1.3 * math.pi / math.acos(1 - 0.005 / 10) + 5


def test_inside_a_square_and_beside_it():
    loops = outlines.flatten_path(SQUARE)
    assert outlines.is_point_inside(loops, 5, 5)
    assert not outlines.is_point_inside(loops, 11, 5)
    assert not outlines.is_point_inside(loops, 5, -1)


def test_open_lines_are_filled_as_if_closed():
    assert outlines.is_point_inside(outlines.flatten_path("M 0 0 L 10 0 L 10 10"), 8, 2)


def test_holes_depend_on_the_rule_and_the_direction():
    same = outlines.flatten_path(SQUARE + " M 2 2 L 8 2 L 8 8 L 2 8 Z")
    other = outlines.flatten_path(SQUARE + " M 2 2 L 2 8 L 8 8 L 8 2 Z")
    assert outlines.is_point_inside(same, 5, 5)
    assert not outlines.is_point_inside(same, 5, 5, even_odd=True)
    assert not outlines.is_point_inside(other, 5, 5)
    assert outlines.is_point_inside(other, 1, 5)


def test_distance_is_to_the_line_and_knows_the_closing_one():
    assert outlines.measure_distance(outlines.flatten_path(SQUARE), -2, 5) == pytest.approx(2)
    assert outlines.measure_distance(outlines.flatten_path("M 0 0 L 10 0 L 10 10 L 0 10"), -2, 5) == pytest.approx(
        math.hypot(2, 5)
    )
    assert outlines.measure_distance((), 0, 0) == math.inf


def test_drawing_goes_on_from_the_start_after_closing():
    _, second = outlines.split_subpaths("M 1 2 L 5 5 Z L 3 4")
    assert (second.start, second.segments, second.closed) == ((1, 2), (((1, 2), (3, 4)),), False)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("L 1 2", "the path 'L 1 2' does not begin with M"),
        ("M 1 2 l 3 4", "'l' is not a command of a canonical path"),
        ("M 1 2 L 3", "the path 'M 1 2 L 3' ends within L"),
        ("M 1 2 Q 3 4 5 6", "'Q' is not a command of a canonical path"),
    ],
)
def test_a_path_that_is_not_canonical_is_refused(path, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        outlines.split_subpaths(path)


@given(matrices, point)
@examples(60)
def test_an_inverse_leads_back(matrix, spot):
    """Placing and unplacing gives the point again, unless the matrix flattens everything."""
    back = invert_matrix(matrix)
    area = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
    assert (back is None) == (area < 1e-12)
    if back is not None and area > 0.01:
        there = map_point(back, map_point(matrix, spot))
        assert there == (pytest.approx(spot[0], abs=1e-6), pytest.approx(spot[1], abs=1e-6))


def test_scale_of_is_the_root_of_the_area():
    """2 by 8 grows areas sixteenfold, lengths fourfold on average; mirrors don't matter."""
    assert find_scale((2, 0, 0, -8, 5, 5)) == 4
    assert find_scale((1, 0.5, 0.5, 1, 0, 0)) == pytest.approx(math.sqrt(0.75))
    assert find_scale(IDENTITY) == 1


def test_a_rectangle_is_written_canonically():
    assert outlines.rectangle_path(Rect(-3, -3, 69, 94.00049)) == "M -3 -3 L 66 -3 L 66 91 L -3 91 Z"
