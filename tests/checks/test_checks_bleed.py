"""Colour at the cut must go on through the bleed (2 mm on the tiny card of 20 x 30 mm)."""

import math

import pytest
from tiny_game import GROUND, box, context, design, drawing, game, kind, place, run, wheat

from generator.base.display_list import Gradient, Group, Picture, Shape
from generator.checks.print_checks import check_face_bleed

MADE = game(kind(design("a")))


def check(*items: object):
    (found,) = check_face_bleed(MADE, context(drawing(*items)))
    return found


def test_a_ground_through_the_bleed_passes():
    """All 100 mm of the card's edge were looked at."""
    found = check(GROUND)
    assert (found.status, found.sentence) == ("pass", "card: colour at the cut goes on for 2 mm")
    assert (found.figures, found.id) == ("1 different faces, colour at 100 mm of their edges", "bleed.card")


def test_a_ground_that_ends_at_the_cut_fails_on_all_sides():
    found = check(box(0, 0, 20, 30))
    assert (found.status, found.place) == ("fail", place(10))
    assert found.sentence == "card: colour touches the cut but doesn't go on for 2 mm"
    assert found.figures == "; ".join(
        f"card/a front ja: {side} 0 of 2 mm" for side in ("top", "right", "bottom", "left")
    )


@pytest.mark.parametrize(
    ("side", "ground"),
    [
        ("top", box(-2, -1, 24, 33)),
        ("bottom", box(-2, -2, 24, 33)),
        ("left", box(-1, -2, 23, 34)),
        ("right", box(-2, -2, 23, 34)),
    ],
)
def test_too_little_bleed_fails_on_its_side(side, ground):
    """1 mm on one side, 2 mm on the others: the figures say how far the colour reaches."""
    assert check(ground).figures == f"card/a front ja: {side} 1 of 2 mm"


def test_every_design_has_its_own_edge():
    short = {("card/b", "front", lang): drawing(box(0, 0, 20, 30)) for lang in ("ja", "en")}
    faces = {**{("card/a", "front", lang): drawing(GROUND) for lang in ("ja", "en")}, **short}
    (found,) = check_face_bleed(game(kind(design("a"), design("b", line=11))), context(faces))
    assert (found.status, found.place) == ("fail", place(11))
    assert found.figures.startswith("card/b front ja: top 0 of 2 mm")


def test_a_white_face_passes():
    found = check(box(0, 0, 20, 30, "paper", "ground"), box(5, 5, 10, 20))
    assert (found.status, found.figures) == ("pass", "1 different faces, colour at 0 mm of their edges")


def test_a_white_gap_in_the_bleed_fails():
    assert check(GROUND, box(0, -2, 20, 2, "paper")).figures == "card/a front ja: top 0 of 2 mm"


def test_a_turned_or_clipped_rectangle_fills_less_than_its_box():
    """Rectangles are told at a glance; one askew, or inside a round clip, leaves corners white and is followed."""
    c = math.sqrt(0.5)
    askew = Group((box(-16, -18, 32, 36, "red", "ground"),), (c, c, -c, c, 10, 15))
    disc = "M 27 15 C 27 24.4 19.4 32 10 32 C 0.6 32 -7 24.4 -7 15 C -7 5.6 0.6 -2 10 -2 C 19.4 -2 27 5.6 27 15 Z"
    for ground in (askew, Group((GROUND,), clip=disc)):
        found = check(ground)
        assert found.status == "fail" or "colour at 100 mm" not in found.figures


def test_a_ribbon_may_cross_the_cut():
    assert check(box(-2, 10, 10, 5)).status == "pass"
    assert check(Shape("M -4 6 L 8 16 L 8 20 L -4 10 Z", "red")).status == "pass"
    assert check(box(0, 10, 10, 5)).figures == "card/a front ja: left 0 of 2 mm"


@pytest.mark.parametrize("role", ["ground", "art", "frame"])
def test_ground_art_and_frames_count(role):
    assert check(box(0, 0, 20, 30, "red", role)).status == "fail"


def test_strokes_gradients_pictures_and_clips_count_as_they_show():
    """A frame's stroke along the cut, a fade and a photo need bleed like any fill; a clip takes it away."""
    fade = Gradient("linear", (0, 0, 20, 0), ((0.0, "paper"), (1.0, "red")))
    assert check(Shape("M -2 0 L 22 0", stroke="red", width=1.0)).figures == "card/a front ja: top 0.5 of 2 mm"
    assert check(box(-2, -2, 24, 34, fade)).status == "pass"
    assert check(box(0, 0, 20, 30, fade)).status == "fail"
    assert check(Picture("abc", "photo.png", 0, 0, 20, 30)).status == "fail"
    assert check(Picture("abc", "photo.png", -2, -2, 24, 34)).status == "pass"
    assert check(Group((GROUND,), clip="M 0 0 L 20 0 L 20 30 L 0 30 Z")).status == "fail"


def test_text_and_icons_are_left_to_the_safe_zone():
    assert check(wheat(-1, 10), run("n", -1, 20)).status == "pass"


def test_a_kind_without_bleed_isnt_asked():
    assert list(check_face_bleed(game(kind(design("a"), bleed=0.0)), context(drawing(box(0, 0, 20, 30))))) == []


def test_a_kind_without_faces_is_undecided():
    assert [found.status for found in check_face_bleed(MADE, context())] == ["undecided"]
