"""Edges sorted into rows answer as all edges do, one after the other."""

from hypothesis import example, given
from hypothesis import strategies as st

from generator.base import outlines
from generator.base.display_list import format_mm
from generator.checks.visible_items import NOTHING, fill_from_path

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
    """A level line and an empty path have no edges that a spot's line could cross."""
    assert fill_from_path("M 0 1 L 5 1", 0.02) == fill_from_path("", 0.02) == NOTHING
    assert not NOTHING.covers_point(0, 0)


def test_few_edges_lie_in_a_row():
    path = path_of([(n % 2, n / 10) for n in range(4000)], closed=True)
    assert max(map(len, fill_from_path(path, 0.02).rows)) < 4000 / 60
