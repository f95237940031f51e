"""Outlines that pieces are cut along: plain shapes, grown for the bleed, seen from behind."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests_support import examples, quick

from generator.base import outlines
from generator.base.geometry import Rect
from generator.base.outlines import rectangle_path
from generator.game.piece_outlines import (
    find_crossing,
    grow_outline,
    make_ellipse_path,
    make_flat_hexagon_path,
    make_hexagon_path,
    mirror_outline,
)

SLOT = "M 0 0 L 20 0 L 20 20 L 11 20 L 11 8 L 9 8 L 9 20 L 0 20 Z"
HEART = "M 10 18 C 2 12 0 8 0 5 C 0 2 2 0 5 0 C 8 0 10 2 10 4 C 10 2 12 0 15 0 C 18 0 20 2 20 5 C 20 8 18 12 10 18 Z"
TALL = 16 * 2 / math.sqrt(3)

coordinate = st.integers(0, 400).map(lambda n: n / 10)


@st.composite
def polygons(draw: st.DrawFn) -> str:
    """A polygon of up to eight corners that doesn't cross itself, in either sense of turning."""
    points = tuple(draw(st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=8, unique=True)))
    assume(find_crossing(points) is None)
    return "M " + " L ".join(f"{x:g} {y:g}" for x, y in points) + " Z"


def assert_grown(path: str, by: float, points: list[tuple[float, float]]) -> None:
    """Each point lies within the grown outline just when it is nearer than `by`, but for the lines' own precision."""
    loops, larger = outlines.flatten_path(path, 0.002), outlines.flatten_path(grow_outline(path, by), 0.002)
    for x, y in points:
        away = 0.0 if outlines.is_point_inside(loops, x, y) else outlines.measure_distance(loops, x, y)
        if abs(away - by) > 0.02:
            assert outlines.is_point_inside(larger, x, y) == (away < by), (x, y, away)


@given(
    polygons(), st.sampled_from([0.5, 1.0, 3.0]), st.lists(st.tuples(coordinate, coordinate), min_size=30, max_size=60)
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


@given(polygons(), st.lists(st.tuples(coordinate, coordinate), min_size=5, max_size=20))
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
