"""Colour arithmetic against published values."""

from pathlib import Path

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

SHARMA = (Path(__file__).parent / "sharma_2005.txt").read_text(encoding="utf-8")
PAIRS = [tuple(map(float, line.split())) for line in SHARMA.splitlines() if not line.startswith("#")]

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
    assert round(measure_contrast(one, other), 2) == ratio
    assert measure_contrast(one, other) == measure_contrast(other, one)


@pytest.mark.parametrize("colour", ["red", "#fff", "ffffff0", "#12345g"])
def test_other_forms_of_colour_are_refused(colour):
    with pytest.raises(ValueError, match=r"#rrggbb|invalid literal"):
        rgb_from_hex(colour)
