"""Numbers are told no more exactly than their intervals allow."""

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from generator.books.measure_names import (
    MINUS,
    Interval,
    count_decimals,
    format_change,
    format_margin,
    format_number,
    format_with_margin,
)


@given(st.floats(-1000, 1000), st.floats(0.002, 500))
def test_the_last_digit_is_the_first_of_the_margin(at: float, half: float) -> None:
    """A unit of the last decimal is no larger than the margin, and ten of them are not smaller than it."""
    places = count_decimals(half)
    unit = 10.0**-places
    assert unit <= half * (1 + 1e-9) or places == 0
    assert half < 10 * unit * (1 + 1e-9) or places == 0
    told = format_change(Interval(at, at - half, at + half)).replace(",", "").replace(MINUS, "-")
    assert abs(float(told) - at) <= unit / 2 + 1e-9


@given(st.floats(-1000, 1000), st.integers(0, 3))
def test_nothing_is_minus_zero(at: float, places: int) -> None:
    """What is rounded to 0 has no sign, everything else has its own."""
    told = format_number(at, places, signed=True)
    number = float(told.replace(",", "").replace(MINUS, "-"))
    assert told[0] in f"+{MINUS}" if number else told.strip("0.") == ""
    assert number * at >= 0


def test_margins() -> None:
    """A symmetric one is ±, a lopsided one from where to where, one without width isn't told, nor is more than there is."""
    assert format_with_margin(Interval(36.6, 36.37, 36.83)) == "36.6 ±0.2"
    assert format_margin(Interval(0.5, 0.1, 2.0)) == "(+0.1 … +2.0)"
    assert format_with_margin(Interval(36.0, 36.0, 38.0)) == "36 (36 … 38)"
    assert (format_change(Interval(1.0, 1.0, 1.0)), format_margin(Interval(1.0, 1.0, 1.0))) == ("+1", "")
    assert format_change(Interval(1.25, 1.25, 1.25)) == "+1.25"
    assert format_margin(Interval(3.0, -inf, inf)) == "±∞"
