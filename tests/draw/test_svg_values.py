"""Values of attributes: transforms compose, boxes fit, and what cannot be read says why."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.geometry import IDENTITY, find_scale, map_point, multiply
from generator.drawing.svg import values

small = st.integers(-300, 300).map(lambda value: value / 10)
one = st.one_of(
    st.builds("translate({} {})".format, small, small),
    st.builds("scale({})".format, small),
    st.builds("rotate({})".format, small),
    st.builds("rotate({}, {} {})".format, small, small, small),
    st.builds("skewX({})".format, st.integers(-60, 60)),
    st.builds("skewY({})".format, st.integers(-60, 60)),
    st.builds("matrix({} {} {} {} {} {})".format, small, small, small, small, small, small),
)


@examples(60)
@given(one, one, small, small)
def test_transforms_compose(outer: str, inner: str, x: float, y: float) -> None:
    """A list of transforms does what its parts do one after the other, the last one first."""
    both = values.parse_transform(f"{outer}, {inner}")
    step = map_point(values.parse_transform(inner), (x, y))
    assert map_point(both, (x, y)) == pytest.approx(map_point(values.parse_transform(outer), step), abs=1e-6, rel=1e-9)
    assert both == pytest.approx(multiply(values.parse_transform(outer), values.parse_transform(inner)))


def test_quarter_turns_are_exact() -> None:
    """rotate(90) has whole entries, so that equal turns give equal drawings."""
    assert values.parse_transform("rotate(90)") == (0.0, 1.0, -1.0, 0.0, 0.0, 0.0)
    assert values.parse_transform("rotate(180 5 7)") == (-1.0, 0.0, 0.0, -1.0, 10.0, 14.0)
    assert values.parse_transform("  ") == IDENTITY


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("meet", (0.5, 0.0, 0.0, 0.5, 10.0, 25.0)),
        ("slice", (1.0, 0.0, 0.0, 1.0, -15.0, 0.0)),
        ("none", (0.5, 0.0, 0.0, 1.0, 10.0, 0.0)),
    ],
)
def test_boxes_are_fitted(how: str, expected: values.Box) -> None:
    """A box of 100 x 50 in one of 50 x 50 shrinks to fit, covers it or is squeezed, always centred."""
    outer = (10.0, 0.0, 50.0, 50.0) if how == "none" else (10.0, 12.5, 50.0, 50.0)
    outer = (10.0, 0.0, 50.0, 50.0) if how == "slice" else outer
    assert values.fit_box((0.0, 0.0, 100.0, 50.0), outer, values.Aspect(how=how)) == expected


def test_numbers_need_no_separators() -> None:
    assert values.parse_numbers("1,2 3-4.5.6 1e2") == (1.0, 2.0, 3.0, -4.5, 0.6, 100.0)


def test_scale_is_the_root_of_the_area() -> None:
    assert find_scale(
        multiply(values.parse_transform("rotate(30)"), values.parse_transform("scale(2)"))
    ) == pytest.approx(2)
    assert math.isclose(find_scale((1.0, 0.0, 0.0, 4.0, 0.0, 0.0)), 2.0)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (values.parse_length, "5pi", "'5pi' has the unknown unit 'pi'"),
        (values.parse_length, "wide", "'wide' is not a length"),
        (values.parse_length, "1e9", "'1000000000' is too large"),
        (values.parse_number, "5mm", "'5mm' is not a number"),
        (values.parse_numbers, "1 2 x", "'x' is not a number"),
        (values.parse_numbers, "1 2,", "',' is not a number"),
        (values.parse_transform, "rotat(5)", "there is no transform 'rotat'"),
        (values.parse_transform, "rotate 5", "'rotate 5' is not a transform"),
        (values.parse_transform, "rotate(1 2)", "rotate takes 1 or 3 numbers, not 2"),
        (values.parse_transform, "skewX()", "skewX takes 1 number, not 0"),
        (values.parse_transform, "scale(90000) scale(90000)", "the transform 'scale(90000) scale(90000)' is too large"),
        (values.parse_view_box, "0 0 5", "'0 0 5' is not 'x y width height' with both sides above 0"),
        (values.parse_view_box, "0 0 5 0", "'0 0 5 0' is not 'x y width height' with both sides above 0"),
        (values.parse_aspect, "middle", "'middle' is not supported"),
        (values.parse_ratio, "x%", "'x' is not a number"),
    ],
)  # fmt: skip
def test_bad_values_say_why(read: object, text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        read(text)  # type: ignore[operator]
    assert str(caught.value) == message
