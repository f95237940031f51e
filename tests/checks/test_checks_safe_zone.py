"""Text and icons against the safe zone (3 mm on the tiny card of 20 x 30 mm)."""

import pytest
from tiny_game import GROUND, box, context, design, drawing, game, kind, place, run, wheat

from generator.base.display_list import Shape
from generator.base.geometry import MM_PER_PT
from generator.checks.print_checks import check_safe_zones

EM = 20 * MM_PER_PT
MADE = game(kind(design("a")))


def check(*items: object):
    (found,) = check_safe_zones(MADE, context(drawing(*items)))
    return found


def test_text_and_icons_inside_pass():
    """Ink on the safe zone's very edge is inside; ground, art and frames may go anywhere."""
    found = check(
        GROUND,
        box(-2, 0, 3, 3),
        Shape("M 0 0 L 20 30", stroke="ink", width=1.0, role="frame"),
        wheat(3, 23),
        run("n", 8, 12),
    )
    assert (found.status, found.sentence) == ("pass", "card: text and icons stay 3 mm from the cut")
    assert (found.figures, found.id) == ("2 runs of text and parts of icons", "safe-zone.card")


def test_ink_counts_not_the_line_box():
    assert check(run("n", 3 - 0.1 * EM, 20)).status == "pass"
    found = check(run("n", 2.75 - 0.1 * EM, 20))
    assert (found.status, found.place) == ("fail", place(10))
    assert found.sentence == "card: text or icons come nearer to the cut than 3 mm"
    assert found.figures == "card/a front ja: 'n' 0.25 mm out at the left"


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (wheat(2.5, 10), "the icon wheat 0.50 mm out at the left"),
        (wheat(10, 1), "the icon wheat 2.00 mm out at the top"),
        (wheat(14, 10), "the icon wheat 1.00 mm out at the right"),
        (wheat(10, 26), "the icon wheat 3.00 mm out at the bottom"),
        (Shape("M 1 5 L 9 5", stroke="ink", width=1.0, role="icon"), "an icon 2.50 mm out at the left"),
        (run("a long line of text", -70, 20), "'a long line …' 72.29 mm out at the left"),
    ],
)
def test_each_side_and_each_thing_is_named(item, told):
    assert check(item).figures == f"card/a front ja: {told}"


def test_the_farthest_out_comes_first_and_each_thing_once():
    """Five are named, farthest first, the rest counted; a run set twice counts where it is worse."""
    out = [
        run(letter, 3 - 0.1 * EM - by, 20)
        for letter, by in zip("abcdefa", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), strict=True)
    ]
    figures = check(*out).figures
    assert figures.startswith("card/a front ja: 'a' 0.70 mm out at the left; card/a front ja: 'f' 0.60 mm")
    assert figures.endswith("; and 1 more")
    assert figures.count("'a'") == 1


def test_faces_that_look_alike_are_told_once():
    """Both languages show the same picture; one line is enough. A different one is told too."""
    made = game(kind(design("a"), design("b", line=11)))
    faces = {
        ("card/a", "front", "ja"): drawing(wheat(2, 10)),
        ("card/a", "front", "en"): drawing(wheat(2, 10)),
        ("card/b", "front", "en"): drawing(wheat(1, 10)),
    }
    (found,) = check_safe_zones(made, context(faces))
    assert found.figures.split("; ") == [
        "card/b front en: the icon wheat 2.00 mm out at the left",
        "card/a front ja: the icon wheat 1.00 mm out at the left",
    ]
    assert found.place == place(11)


def test_a_kind_without_text_is_undecided():
    assert check(GROUND).status == "undecided"
    assert check(GROUND).figures == "skipped: these are pictures without text or icons"
