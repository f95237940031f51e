"""Outlines: basic shapes as canonical paths, and what can be asked of a path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.errors import InvalidInput
from generator.base.geometry import Matrix, Rect
from generator.base.outlines import find_bounds
from generator.base.path_data import to_canonical_path, transform_path_data
from generator.drawing.svg import shape_outlines as outline
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import parse_transform

size = st.integers(1, 900).map(lambda value: value / 10)


def outlined(tag: str, **given: float | str) -> str:
    """The canonical outline of a shape with these attributes."""
    element = Element(tag, {name: str(value) for name, value in given.items()}, "")
    lengths = {name: value for name, value in given.items() if isinstance(value, float)}
    return to_canonical_path(outline.describe_outline(element, lengths.get))


def move(path: str, matrix: Matrix) -> str:
    return transform_path_data(path, matrix)[0]


def test_rectangles() -> None:
    """Corners are square, or rounded as rx and ry say, one standing for the other and at most half a side."""
    square = {"x": 1.0, "y": 2.0, "width": 10.0, "height": 5.0}
    assert outlined("rect", **square) == "M 1 2 L 11 2 L 11 7 L 1 7 Z"
    path = outlined("rect", **square, rx=99.0)
    assert path.startswith("M 6 2 L 6 2 C 8.761 2 11 3.119 11 4.5")
    assert path.endswith("Z")
    assert outlined("rect", **{**square, "width": 0.0}) == ""


def test_circle_is_four_quarters() -> None:
    path = outlined("circle", cx=10.0, cy=20.0, r=10.0)
    assert path.startswith("M 20 20 C 20 25.523 15.523 30 10 30 C")
    assert path.count("C") == 4
    assert outlined("circle") == ""


def test_lines_and_points() -> None:
    assert outlined("line", x2=3.0) == "M 0 0 L 3 0"
    assert outlined("polygon", points="0,0 1,0 1,1") == "M 0 0 L 1 0 L 1 1 Z"
    assert outlined("polyline", points="0,0 1,0") == "M 0 0 L 1 0"
    assert outlined("polygon", points="3 4") == ""
    with pytest.raises(InvalidInput, match="points has an odd number of values: 3"):
        outlined("polyline", points="1 2 3")


def test_negative_sizes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="width is negative"):
        outlined("rect", width=-1.0, height=2.0)


@examples(40)
@given(size, size, size, size)
def test_extent_of_an_ellipse(cx: float, cy: float, rx: float, ry: float) -> None:
    box = find_bounds(outlined("ellipse", cx=cx, cy=cy, rx=rx, ry=ry))
    assert box is not None
    assert (box.x, box.y) == pytest.approx((cx - rx, cy - ry), abs=0.01)
    assert (box.width, box.height) == pytest.approx((2 * rx, 2 * ry), abs=0.01)


def test_extent_of_a_bulge() -> None:
    assert find_bounds("M 0 0 C 0 4 4 4 4 0") == Rect(0, 0, 4, 3)
    assert find_bounds("M 1 1 C 2 2 3 3 4 4") == Rect(1, 1, 3, 3)
    assert find_bounds("") is None


@examples(40)
@given(size, size, st.integers(0, 360))
def test_a_turned_path_keeps_its_shape(width: float, height: float, angle: int) -> None:
    """Transformed and transformed back, a path is itself to the rounding of coordinates."""
    path = outline.draw_rectangle(0, 0, width, height)
    there = move(path, parse_transform(f"rotate({angle}) translate(3 4)"))
    back = move(there, parse_transform(f"translate(-3 -4) rotate({-angle})"))
    for (letter, ends), (same, expected) in zip(outline.split_path(back), outline.split_path(path), strict=True):
        assert letter == same
        assert ends == pytest.approx(expected, abs=0.003)


def test_outlines_are_turned_clockwise() -> None:
    ring = to_canonical_path(outline.describe_ellipse(0, 0, 5, 5))
    assert outline.make_clockwise(ring) == ring
    mirrored = move(ring, (-1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    turned = outline.make_clockwise(mirrored)
    assert turned != mirrored
    assert outline.make_clockwise(turned) == turned
    assert find_bounds(turned) == find_bounds(mirrored)
    assert outline.make_clockwise("M 0 0 L 0 4 L 4 4 Z") == "M 4 4 L 0 4 L 0 0 Z"


def test_the_area_of_a_hole_counts_against_it() -> None:
    outer, hole = "M 0 0 L 0 9 L 9 9 L 9 0 Z", "M 3 3 L 6 3 L 6 6 L 3 6 Z"
    turned = outline.make_clockwise(f"{outer} {hole}")
    assert turned == "M 9 0 L 9 9 L 0 9 L 0 0 Z M 3 6 L 6 6 L 6 3 L 3 3 Z"
    assert find_bounds(turned) == Rect(0, 0, 9, 9)
