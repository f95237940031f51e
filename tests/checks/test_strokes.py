"""Lines sorted into cells answer as all lines do, one after the other."""

import math

from hypothesis import given
from hypothesis import strategies as st

from generator.base import outlines
from generator.base.display_list import format_mm
from generator.checks.visible_items import cells_from_path

NUMBERS = st.floats(-30, 30)
POINTS = st.tuples(NUMBERS, NUMBERS)


@given(st.lists(POINTS, min_size=2, max_size=8), st.booleans(), st.floats(0, 4), st.floats(0.5, 9), POINTS)
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
