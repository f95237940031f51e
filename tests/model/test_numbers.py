"""Numbers as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import format_num


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00001, "0.00001"),
        (-2.5e-9, "-0.0000000025"),
        (1234567, "1234567"),
        (0.1 + 0.2, "0.3"),
        (63.0, "63"),
        (0.0, "0"),
    ],
)
def test_a_number_has_no_exponent(value: float, text: str) -> None:
    assert format_num(value) == text


@given(st.floats(-1e9, 1e9))
def test_the_digits_are_the_number(value: float) -> None:
    assert float(format_num(value)) == pytest.approx(value, rel=1e-14, abs=1e-320)
    assert not {"e", "E"} & set(format_num(value))
