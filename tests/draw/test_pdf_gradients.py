"""Gradients in a PDF: what readers accept, and what a designer who knows SVG expects to see."""

from dataclasses import replace
from itertools import pairwise

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_samples import (
    block,
    box,
    document,
    face,
    placed,
    reread,
    sheet,
    shown,
    spelled,
)
from tests_support import examples

from generator.base.display_list import Gradient, Shape


def drawn(*items, width=4, height=4):
    return spelled(shown(*items, width=width, height=height, dpi=254), 10)


def fade(*stops, line=(1, 0, 3, 0), kind="linear", matrix=(1, 0, 0, 1, 0, 0)):
    """A 4 mm square filled with a gradient, a pixel a mm, only the first row."""
    shape = Shape(box(0, 0, 4, 4), fill=Gradient(kind, line, stops, matrix))
    return drawn(shape).split("\n")[0]


RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def test_gradients_are_padded_at_both_ends():
    letters = fade((0, RED), (1, BLUE))
    assert (letters[0], letters[3]) == ("R", "B")
    assert "?" in letters


@pytest.mark.parametrize(
    ("stops", "letters"),
    [
        (((0, RED), (0.5, RED), (0.5, BLUE), (1, BLUE)), "RRBB"),
        (((0.5, RED), (0.5, BLUE)), "RRBB"),
        (((0.0, RED), (0.0, BLUE), (1, BLUE)), "RBBB"),
        (((0.0, RED), (1.0, RED), (1, BLUE)), "RRRB"),
        (((0.0, RED), (0.5, RED), (0.2, BLUE), (0.3, GREEN), (1, GREEN)), "RRGG"),
        (((-1, RED), (0.5, RED), (0.5, RED), (0.5, GREEN), (7, GREEN)), "RRGG"),
    ],
)
def test_stops_may_stand_on_one_spot(stops, letters):
    """Two stops at one offset make a hard edge, even at the ends; a stop that goes back counts where the last was."""
    assert fade(*stops) == letters


def test_a_gradient_without_extent_is_its_last_colour():
    """A line of no length, a circle without radius, one stop and a flat matrix paint the last stop's colour."""
    stops = ((0, RED), (1, BLUE))
    assert fade(*stops, line=(1, 0, 1, 0)) == "BBBB"
    assert fade(*stops, line=(1, 0, 0, 1, 0), kind="radial") == "BBBB"
    assert fade((0.5, GREEN)) == "GGGG"
    assert fade(*stops, matrix=(1, 0, 1, 0, 0, 0)) == "BBBB"


def test_gradients_follow_their_matrix():
    edge = ((0.5, RED), (0.5, BLUE))
    assert fade(*edge, matrix=(1, 0, 0, 1, 1, 0)) == "RRRB"
    assert fade(*edge, line=(0, 1, 0, 3), matrix=(0, 1, 1, 0, 0, 0)) == "RRBB"


@pytest.mark.parametrize("focus", [(2, 2), (2.5, 2), (3, 2), (9, 2)])
def test_radial_gradients_reach_everywhere(focus):
    """Whether the focus is at the centre, off it, on the rim or outside, the whole shape is painted."""
    stops = ((0, RED), (0.99, RED), (0.99, BLUE), (1, BLUE))
    rings = Gradient("radial", (2, 2, 1, *focus), stops)
    letters = drawn(Shape(box(0, 0, 4, 4), fill=rings))
    assert letters == "BBBB\nBRRB\nBRRB\nBBBB"


def test_a_gradient_shape_keeps_its_stroke():
    shape = Shape(box(1, 1, 2, 2), fill=Gradient("linear", (0, 0, 1, 0), ((0, RED), (1, RED))), stroke="ink", width=2)
    assert drawn(shape) == "KKKK\nKKKK\nKKKK\nKKKK"
    thin = replace(shape, width=0.2)
    assert drawn(thin) == "....\n.RR.\n.RR.\n...."


def test_shared_gradients_are_one_shading():
    """The same gradient on many shapes is written once, even through different matrices."""
    fade = Gradient("linear", (0, 0, 4, 0), ((0.0, "ink"), (1.0, "paper")))
    moved = replace(fade, matrix=(1.0, 0.0, 0.0, 1.0, 2.0, 0.0))
    shapes = [Shape(block(0, y, 4, 1).path, fill=fill) for y, fill in enumerate((fade, moved, fade))]
    with reread(document(sheet(placed(face(*shapes))))) as made:
        shadings = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o]
        assert len(shadings) == 1
        assert shadings[0].ColorSpace == "/DeviceGray"
        assert list(shadings[0].Extend) == [True, True]


def test_different_gradients_are_different_shadings():
    """Another line or other stops make another gradient; one without extent makes none."""
    stops = ((0.0, "#ff0000"), (1.0, "#0000ff"))
    fades = [
        Gradient("linear", (0, 0, 4, 0), stops),
        Gradient("linear", (0, 0, 3, 0), stops),
        Gradient("linear", (0, 0, 4, 0), stops[:1]),
        Gradient("linear", (0, 0, 0, 0), stops),
        Gradient("radial", (0, 0, 0, 0, 0), stops),
        Gradient("linear", (0, 0, 2, 0), stops, (1, 2, 2, 4, 0, 0)),
    ]
    with reread(document(sheet(placed(face(*(Shape("M 0 0 L 1 1 L 0 1 Z", fill=fill) for fill in fades)))))) as made:
        shadings = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o]
        assert len(shadings) == 3
        assert [str(entry.ColorSpace) for entry in shadings] == ["/DeviceRGB"] * 3


@given(st.lists(st.floats(-0.5, 1.5), min_size=2, max_size=8), st.booleans())
@examples(30)
def test_stops_make_a_function_that_readers_accept(offsets, ordered):
    """Whatever the offsets, the bounds between 0 and 1 increase, and there is one piece more than bounds."""
    stops = [(round(offset, 2), f"#{at:02x}0000") for at, offset in enumerate(sorted(offsets) if ordered else offsets)]
    shape = Shape("M 0 0 L 1 1 L 0 1 Z", fill=Gradient("linear", (0, 0, 4, 0), tuple(stops)))
    with reread(document(sheet(items=(shape,)))) as made:
        (shading,) = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o]
        function = shading.Function
        if function.FunctionType == 3:
            bounds = [0.0, *(float(bound) for bound in function.Bounds), 1.0]
            assert all(one < other for one, other in pairwise(bounds))
            assert len(function.Functions) == len(bounds) - 1
            assert list(function.Encode) == [0, 1] * len(function.Functions)
