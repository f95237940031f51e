"""Outlines and path data: canonical paths, bounds, polygons, what lies inside, grown for the bleed, seen from behind."""

import math
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests_support import examples, quick

from generator.base import outlines
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, Rect, find_scale, invert_matrix, map_point
from generator.base.outlines import rectangle_path
from generator.base.path_data import curves_from_arc, to_canonical_path
from generator.game.piece_outlines import (
    find_crossing,
    grow_outline,
    make_ellipse_path,
    make_flat_hexagon_path,
    make_hexagon_path,
    mirror_outline,
)

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


SLOT = "M 0 0 L 20 0 L 20 20 L 11 20 L 11 8 L 9 8 L 9 20 L 0 20 Z"
HEART = "M 10 18 C 2 12 0 8 0 5 C 0 2 2 0 5 0 C 8 0 10 2 10 4 C 10 2 12 0 15 0 C 18 0 20 2 20 5 C 20 8 18 12 10 18 Z"
TALL = 16 * 2 / math.sqrt(3)

coordinate_contour = st.integers(0, 400).map(lambda n: n / 10)


@st.composite
def polygons(draw: st.DrawFn) -> str:
    """A polygon of up to eight corners that doesn't cross itself, in either sense of turning."""
    points = tuple(
        draw(st.lists(st.tuples(coordinate_contour, coordinate_contour), min_size=3, max_size=8, unique=True))
    )
    assume(find_crossing(points) is None)
    return "M " + " L ".join(f"{x:g} {y:g}" for x, y in points) + " Z"


def assert_grown(path: str, by: float, points: list[tuple[float, float]]) -> None:
    """Each point lies within the grown outline just when it is nearer than `by`, but for the lines' own precision."""
    loops, larger = outlines.flatten_path(path, 0.002), outlines.flatten_path(grow_outline(path, by), 0.002)
    for x, y in points:
        away = 0.0 if outlines.is_point_inside(loops, x, y) else outlines.measure_distance(loops, x, y)
        if abs(away - by) > 0.02:
            assert outlines.is_point_inside(larger, x, y) == (away < by), (x, y, away)


@pytest.mark.slow
@given(
    polygons(),
    st.sampled_from([0.5, 1.0, 3.0]),
    st.lists(st.tuples(coordinate_contour, coordinate_contour), min_size=30, max_size=60),
)
@examples(200)
def test_a_grown_outline_holds_just_what_is_near(path, by, points):
    """However a polygon is bent inwards, growing it neither leaves a hole nor reaches farther than it should."""
    plain = path.count("L") == 3 and grow_outline(path, by).count("C") == 0  # a rectangle keeps its corners
    assume(not plain)
    assert_grown(path, by, [(x * 1.2 - 4, y * 1.2 - 4) for x, y in points])


@pytest.mark.parametrize("path", [SLOT, HEART, mirror_outline(SLOT, 20)])
@pytest.mark.parametrize("by", quick([0.4, 1.0, 1.5, 4.0], 1.5))
def test_slots_and_curves_grow_too(path, by):
    """A slot that closes up when it grows is covered, and a notch between two curves stays right, at every half mm."""
    assert_grown(path, by, [(x / 2 + 0.13, y / 2 + 0.21) for x in range(-12, 53) for y in range(-12, 53)])


@pytest.mark.parametrize("size", [15.0, 16.333, 35.0])
def test_plain_shapes_stay_what_they_are(size):
    """A grown circle is a circle, a rectangle keeps its corners, and a hexagon's sides all move outwards by as much."""
    box = Rect(0, 0, size, size)
    assert grow_outline(make_ellipse_path(box), 1.5) == make_ellipse_path(box.grow(1.5))
    assert grow_outline(rectangle_path(box), 1.5) == rectangle_path(box.grow(1.5))
    tall = Rect(0, 0, size, size * 2 / math.sqrt(3))
    larger = outlines.find_bounds(grow_outline(make_hexagon_path(tall), 1.5))
    assert (larger.x, larger.width) == pytest.approx((-1.5, size + 3), abs=0.001)
    assert larger.height == pytest.approx((size + 3) * 2 / math.sqrt(3), abs=0.002)
    assert larger.y == pytest.approx(-1.5 * 2 / math.sqrt(3), abs=0.002)
    wide = Rect(0, 0, tall.height, size)
    larger = outlines.find_bounds(grow_outline(make_flat_hexagon_path(wide), 1.5))
    assert (larger.y, larger.height) == pytest.approx((-1.5, size + 3), abs=0.001)
    assert larger.width == pytest.approx((size + 3) * 2 / math.sqrt(3), abs=0.002)


def test_a_hexagon_stands_on_a_point():
    (loop,) = outlines.flatten_path(make_hexagon_path(Rect(0, 0, 16, TALL)))
    sides = [math.dist(a, b) for a, b in zip(loop.points, [*loop.points[1:], loop.points[0]], strict=True)]
    assert sides == pytest.approx([16 / math.sqrt(3)] * 6, abs=0.002)
    assert loop.points[0] == (8.0, 0.0)


@given(polygons(), st.lists(st.tuples(coordinate_contour, coordinate_contour), min_size=5, max_size=20))
@examples(60)
def test_seen_from_behind_left_and_right_change_places(path, points):
    """A point lies in the mirrored outline just when its mirror image lies in the outline; mirroring twice is nothing."""
    loops, behind = outlines.flatten_path(path), outlines.flatten_path(mirror_outline(path, 40))
    for x, y in points:
        if outlines.measure_distance(loops, x, y) > 0.01:
            assert outlines.is_point_inside(behind, 40 - x, y) == outlines.is_point_inside(loops, x, y)
    assert outlines.find_bounds(mirror_outline(mirror_outline(path, 40), 40)) == outlines.find_bounds(path)


@pytest.mark.parametrize(
    "path",
    [make_ellipse_path(Rect(0, 0, 20, 20)), make_hexagon_path(Rect(0, 0, 16, TALL)), rectangle_path(Rect(0, 0, 9, 7))],
)  # fmt: skip
def test_what_looks_the_same_from_behind_has_the_same_outline(path):
    assert mirror_outline(path, outlines.find_bounds(path).width) == path


coordinate_path = st.integers(-4000, 4000).map(lambda value: value / 16)
radius = st.integers(-100, 4000).map(lambda value: value if abs(value) > 20 else 0)  # thin ones reach too far
letters = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}


@st.composite
def commands(draw: st.DrawFn) -> str:
    """Path data of random commands, relative and absolute, with repeats."""
    parts = [f"M{draw(coordinate_path)} {draw(coordinate_path)}"]
    for _ in range(draw(st.integers(0, 8))):
        letter = draw(st.sampled_from([*"MLHVCSQTAZ"]))
        shown = letter.lower() if draw(st.booleans()) else letter
        if letter == "Z":
            parts.append(shown)
        elif letter == "A":
            radii = f"{draw(radius)},{draw(radius)} {draw(coordinate_path)}"
            flags = f"{draw(st.sampled_from('01'))}{draw(st.sampled_from('01'))}"
            parts.append(f"{shown}{radii} {flags}{draw(coordinate_path)} {draw(coordinate_path)}")
        else:
            count = letters[letter] * draw(st.integers(1, 2))
            parts.append(shown + " ".join(str(draw(coordinate_path)) for _ in range(count)))
    return draw(st.sampled_from(["", " ", "\n"])).join(parts)


@examples(80)
@given(commands())
def test_canonical_is_a_fixed_point(data: str) -> None:
    once = to_canonical_path(data)
    assert once.startswith("M ")
    assert to_canonical_path(once) == once
    assert set(once) <= set("MLCZ -.0123456789")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M1 2L3 4z", "M 1 2 L 3 4 Z"),
        ("m1,2 3,4 -1-1", "M 1 2 L 4 6 L 3 5"),
        ("M0 0 10 0 10 10", "M 0 0 L 10 0 L 10 10"),
        ("M1 1h2v3H0V0", "M 1 1 L 3 1 L 3 4 L 0 4 L 0 0"),
        ("M0 0c1 1 2 2 3 3", "M 0 0 C 1 1 2 2 3 3"),
        ("M0 0C0 1 2 3 4 3S8 5 8 6", "M 0 0 C 0 1 2 3 4 3 C 6 3 8 5 8 6"),
        ("M1 1S2 2 3 3", "M 1 1 C 1 1 2 2 3 3"),
        ("M0 0Q3 0 3 3", "M 0 0 C 2 0 3 1 3 3"),
        ("M0 0Q3 0 3 3T6 6", "M 0 0 C 2 0 3 1 3 3 C 3 5 4 6 6 6"),
        ("M0 0Q3 0 3 3S6 3 6 6", "M 0 0 C 2 0 3 1 3 3 C 3 3 6 3 6 6"),
        ("M0 0T3 3", "M 0 0 C 0 0 1 1 3 3"),
        ("M1.5.5-1e1 2E-1", "M 1.5 0.5 L -10 0.2"),
        ("M0 0L1 0 1 1ZL5 5", "M 0 0 L 1 0 L 1 1 Z M 0 0 L 5 5"),
        ("M2 3L3 3zzm1 1l1 0", "M 2 3 L 3 3 Z M 3 4 L 4 4"),
        ("M0 0A0 5 0 0 1 3 3", "M 0 0 L 3 3"),
        ("M1 1A5 5 0 0 1 1 1", "M 1 1"),
        ("M0.0004-0.0004L1 1", "M 0 0 L 1 1"),
        ("", ""),
        ("  \n", ""),
    ],
)
def test_each_command(data: str, expected: str) -> None:
    """Relative, implicit, shorthand and degenerate commands are drawn as SVG says."""
    assert to_canonical_path(data) == expected


def test_quarter_arc_is_one_cubic() -> None:
    assert to_canonical_path("M10 0A10 10 0 0110 20") == to_canonical_path("M 10 0 A 10 10 0 0 1 10 20")
    assert to_canonical_path("M10 0A10 10 0 0 1 20 10") == "M 10 0 C 15.523 0 20 4.477 20 10"


@examples(60)
@given(
    coordinate_path,
    coordinate_path,
    st.floats(0.1, 300),
    st.floats(0.1, 300),
    st.floats(-180, 180),
    st.booleans(),
    st.booleans(),
)
def test_arcs_end_where_they_should(
    x: float, y: float, rx: float, ry: float, angle: float, large: bool, sweep: bool
) -> None:
    """An arc ends exactly at its end, in pieces of at most 90 degrees, on an ellipse of the given proportions."""
    if (x, y) == (0, 0):
        return
    curves = curves_from_arc((0.0, 0.0), (rx, ry), angle, large, sweep, (x, y))
    assert curves[-1][4:] == (x, y)
    assert 1 <= len(curves) <= 4
    # In the ellipse's axes, scaled to a circle, all knots lie on one circle through start and end.
    cosine, sine = math.cos(math.radians(-angle)), math.sin(math.radians(-angle))
    knots = [(0.0, 0.0), *[curve[4:] for curve in curves]]
    flat = [((cosine * px - sine * py) / rx, (sine * px + cosine * py) / ry) for px, py in knots]
    middles = [
        ((cosine * px - sine * py) / rx, (sine * px + cosine * py) / ry) for px, py in map(_middle, knots, curves)
    ]
    chord = math.dist(flat[0], flat[-1])
    radius = max(1.0, chord / 2)
    assert all(math.dist(flat[0], spot) <= 2 * radius * 1.001 for spot in [*flat, *middles])
    swept = 2 * math.asin(min(1.0, chord / 2 / radius))
    turn = 2 * math.pi - swept if large and chord < 2 else swept
    assert math.ceil(turn / (math.pi / 2) - 1e-3) <= len(curves) <= math.ceil(turn / (math.pi / 2) + 1e-3)


def _middle(start: tuple[float, ...], curve: tuple[float, ...]) -> tuple[float, float]:
    x1, y1, x2, y2, x3, y3 = curve
    return ((start[0] + 3 * x1 + 3 * x2 + x3) / 8, (start[1] + 3 * y1 + 3 * y2 + y3) / 8)


def test_sweep_turns_clockwise_on_paper() -> None:
    """Sweep 1 goes clockwise as seen on the page (y down), sweep 0 the other way."""
    assert "C 2.761 -5 5 -2.761 5 0" in to_canonical_path("M-5 0A5 5 0 0 1 5 0")
    assert "C 2.761 5 5 2.761 5 0" in to_canonical_path("M-5 0A5 5 0 0 0 5 0")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("L 0 0", "path data: the first command must be M or m"),
        ("M 0 0 L 5 x", "path data: at character 11 a number is expected, not 'x'"),
        ("M 0", "path data: at character 4 a number is expected, but the data ends"),
        ("M 0 0 A 1 1 0 2 0 5 5", "path data: at character 15 the flag 0 or 1 is expected, not '2 0 5 5'"),
        ("M 0 0 L 1 1,", "path data: at character 13 a number is expected, but the data ends"),
        ("M 0 0 Z 3", "path data: at character 9 a command is expected, not '3'"),
        ("M 0 0 B 3", "path data: at character 7 a command is expected, not 'B 3'"),
        ("M 1e9 0", "path data: '1e9' is too large"),
        ("M 90000 0 l 90000 0", "path data: the outline is too large"),
    ],
)
def test_malformed_data_say_where(data: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        to_canonical_path(data)
    assert str(caught.value) == message
