"""Shares, intervals and quantiles as the text books have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.play.tally import compute_mean, find_quantile, largest_unseen_share, wilson_interval


@pytest.mark.parametrize(
    ("seen", "of", "low", "high"),
    [
        (25, 100, 0.1755, 0.3430),
        (250, 1000, 0.2242, 0.2778),
        (250_000, 1_000_000, 0.2492, 0.2508),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson_interval(seen: int, of: int, low: float, high: float) -> None:
    """Worked values of Wilson's interval at 95 %."""
    assert wilson_interval(seen, of) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_wilson_holds_what_was_seen(seen: int, of: int) -> None:
    """The interval lies within 0 and 1 and holds the share that was seen."""
    seen = min(seen, of)
    low, high = wilson_interval(seen, of)
    assert 0 <= low <= seen / of <= high <= 1
    assert low < high


def test_never_seen_is_about_three_in_n() -> None:
    assert largest_unseen_share(1000) == pytest.approx(3 / 1000, rel=0.01)
    assert largest_unseen_share(0) == 1


@given(st.lists(st.integers(-50, 50), min_size=1), st.floats(0, 1))
def test_quantile_is_the_least_that_suffices(values: list[int], share: float) -> None:
    histogram = {value: values.count(value) for value in values}
    found = find_quantile(histogram, share)
    assert sum(value <= found for value in values) >= share * len(values)
    assert found == min(values) or sum(value < found for value in values) < share * len(values)
    assert compute_mean(histogram) == pytest.approx(sum(values) / len(values))


def test_quantile_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no cases"):
        find_quantile({}, 0.5)
    assert compute_mean({}) == 0
