"""Colour arithmetic against published values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.colour import (
    SIGHTS,
    ciede2000,
    lab_from_light,
    light_from_rgb,
    measure_contrast,
    measure_differences,
    rgb_from_hex,
    simulate_sight,
)

# Sharma, Wu, Dalal: "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test Data, and
# Mathematical Observations", Color Research and Application 30 (1), 2005, table 1: all 34 pairs.
SHARMA = """
50.0000 2.6772 -79.7751 50.0000 0.0000 -82.7485 2.0425
50.0000 3.1571 -77.2803 50.0000 0.0000 -82.7485 2.8615
50.0000 2.8361 -74.0200 50.0000 0.0000 -82.7485 3.4412
50.0000 -1.3802 -84.2814 50.0000 0.0000 -82.7485 1.0000
50.0000 -1.1848 -84.8006 50.0000 0.0000 -82.7485 1.0000
50.0000 -0.9009 -85.5211 50.0000 0.0000 -82.7485 1.0000
50.0000 0.0000 0.0000 50.0000 -1.0000 2.0000 2.3669
50.0000 -1.0000 2.0000 50.0000 0.0000 0.0000 2.3669
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0009 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0010 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0011 7.2195
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0012 7.2195
50.0000 -0.0010 2.4900 50.0000 0.0009 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0010 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0011 -2.4900 4.7461
50.0000 2.5000 0.0000 50.0000 0.0000 -2.5000 4.3065
50.0000 2.5000 0.0000 73.0000 25.0000 -18.0000 27.1492
50.0000 2.5000 0.0000 61.0000 -5.0000 29.0000 22.8977
50.0000 2.5000 0.0000 56.0000 -27.0000 -3.0000 31.9030
50.0000 2.5000 0.0000 58.0000 24.0000 15.0000 19.4535
50.0000 2.5000 0.0000 50.0000 3.1736 0.5854 1.0000
50.0000 2.5000 0.0000 50.0000 3.2972 0.0000 1.0000
50.0000 2.5000 0.0000 50.0000 1.8634 0.5757 1.0000
50.0000 2.5000 0.0000 50.0000 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""
PAIRS = [tuple(map(float, line.split())) for line in SHARMA.split("\n") if line]

colours = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
greys = st.integers(0, 255).map(lambda n: "#" + f"{n:02x}" * 3)


@pytest.mark.parametrize("pair", PAIRS)
def test_ciede2000_gives_the_published_differences(pair):
    """Each of Sharma's 34 pairs, both ways round, to the four digits that are printed."""
    assert round(ciede2000(pair[:3], pair[3:6]), 4) == pair[6]
    assert round(ciede2000(pair[3:6], pair[:3]), 4) == pair[6]


def test_all_published_pairs_are_here():
    assert len(PAIRS) == 34


@given(colours, colours)
@examples(50)
def test_differences_are_symmetric(one, other):
    there, back = measure_differences(one, other), measure_differences(other, one)
    assert tuple(there) == SIGHTS
    assert all(there[sight] == pytest.approx(back[sight], abs=1e-9) for sight in SIGHTS)


@given(colours)
@examples(50)
def test_a_colour_does_not_differ_from_itself(colour):
    """Equal colours are 0 apart in every sight, and any other difference is more than 0."""
    assert set(measure_differences(colour, colour).values()) == {0.0}
    assert measure_differences(colour, "#000000" if int(colour[1:], 16) > 0x808080 else "#ffffff")["normal sight"] > 1


@given(greys)
@examples(50)
def test_greys_look_the_same_in_every_sight(grey):
    normal = simulate_sight("normal sight", grey)
    assert all(ciede2000(simulate_sight(sight, grey), normal) < 0.02 for sight in SIGHTS)


@given(colours, colours)
@examples(50)
def test_grey_print_keeps_lightness_only(one, other):
    for colour in (one, other):
        _, a, b = simulate_sight("grey", colour)
        assert abs(a) < 1e-6
        assert abs(b) < 1e-6


def test_lab_of_the_primaries():
    """White is L* 100, and sRGB's red is where Lindbloom's calculator puts it."""
    assert lab_from_light(light_from_rgb(rgb_from_hex("#ffffff"))) == (pytest.approx(100), pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-9))  # fmt: skip
    assert lab_from_light(light_from_rgb(rgb_from_hex("#ff0000"))) == (pytest.approx(53.24, abs=0.01), pytest.approx(80.09, abs=0.01), pytest.approx(67.20, abs=0.01))  # fmt: skip


def test_lab_of_near_black():
    """The curve has a straight foot: the fifth step above black is L* 1.37, not what a cube root would make of it."""
    assert lab_from_light(light_from_rgb(rgb_from_hex("#050505")))[0] == pytest.approx(1.371, abs=0.001)


def test_deficiencies_are_the_published_matrices():
    """Pure red in linear light is the matrices' first column; what leaves the screen's range is cut off."""
    assert simulate_sight("protanopia", "#ff0000") == lab_from_light((0.152286, 0.114503, 0.0))
    assert simulate_sight("deuteranopia", "#ff0000") == lab_from_light((0.367322, 0.280085, 0.0))
    assert simulate_sight("tritanopia", "#ff0000") == lab_from_light((1.0, 0.0, 0.004733))


def test_red_and_green_come_nearer_to_red_green_blind_eyes():
    differences = measure_differences("#b4643c", "#7a8a3c")
    assert differences["normal sight"] > 25
    assert differences["deuteranopia"] < differences["normal sight"] / 2
    assert differences["protanopia"] < differences["normal sight"]


def test_blue_and_green_come_nearer_to_blue_blind_eyes():
    differences = measure_differences("#3c8cb4", "#3c9678")
    assert differences["tritanopia"] < min(differences["normal sight"], differences["deuteranopia"])


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#767676", "#ffffff", 4.54),
        ("#ffffff", "#777777", 4.48),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one, other, ratio):
    """The ratios that WCAG's own examples give, whichever colour is the text."""
    assert round(measure_contrast(one, other), 2) == ratio
    assert measure_contrast(one, other) == measure_contrast(other, one)


@pytest.mark.parametrize("colour", ["red", "#fff", "ffffff0", "#12345g"])
def test_other_forms_of_colour_are_refused(colour):
    with pytest.raises(ValueError, match=r"#rrggbb|invalid literal"):
        rgb_from_hex(colour)
