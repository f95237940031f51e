"""Icons told apart by colour or shape, and text that stands out from its ground."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples
from tiny_game import GROUND, box, context, design, drawing, game, icon, kind, place, run

from generator.base.display_list import Gradient, Group, Picture, Shape
from generator.checks.print_checks import check_contrast
from generator.checks.validation import check_icon_pairs, measure_silhouette_overlap
from generator.game.model import Colour

BLOCK = [[1] * 10 for _ in range(10)]
BAR = [[1] * 10 if 4 <= y < 6 else [0] * 10 for y in range(10)]
PALETTE = {
    "ink": Colour("#000000"),
    "paper": Colour("#ffffff"),
    "brick": Colour("#b4643c"),
    "moss": Colour("#7a7a3c"),
    "night": Colour("#101840"),
}


def told(one: str, other: str, masks: dict[str, object]):
    """The check of two icons in these colours."""
    icons = (icon("wheat", one), icon("wheel", other, line=21))
    made = game(icons=icons, palette=PALETTE, told_apart=(("wheat", "wheel"),))
    (found,) = check_icon_pairs(made, context(masks=masks))
    return found


def test_colours_that_differ_in_every_sight_are_enough():
    """Light and dark: told apart even by one shape, and even without drawings. The nearest sight is stated."""
    found = told("brick", "night", {"wheat": BLOCK, "wheel": BLOCK})
    assert (found.id, found.status) == ("told-apart.wheat.wheel", "pass")
    assert found.sentence == "wheat and wheel differ in colour in every sight"
    assert found.figures == "colours 31.7 apart in grey, shapes overlap by 100%"
    assert told("brick", "night", {}).status == "pass"


def test_alike_colours_need_different_shapes():
    found = told("brick", "moss", {"wheat": BLOCK, "wheel": BAR})
    assert (found.status, found.sentence) == ("pass", "wheat and wheel differ in shape where their colours are alike")
    assert found.figures.endswith(", shapes overlap by 20%")


def test_alike_in_colour_and_shape_fails():
    found = told("brick", "moss", {"wheat": BLOCK, "wheel": BLOCK})
    assert (found.status, found.place) == ("fail", place(20))
    assert found.sentence == "wheat and wheel are alike in colour to some eyes and in shape"


def test_alike_colours_without_drawings_are_undecided():
    """Nobody can tell whether the shapes differ."""
    found = told("brick", "moss", {"wheat": BLOCK})
    assert (found.status, "overlap" in found.figures) == ("undecided", False)


def test_one_sight_is_enough_to_be_alike():
    """A red and a green of one lightness differ strongly to most eyes; grey print alone makes them alike."""
    made = game(
        icons=(icon("wheat", "#b4643c"), icon("wheel", "#4f7fae")),
        told_apart=(("wheat", "wheel"),),
    )
    (found,) = check_icon_pairs(made, context(masks={"wheat": BLOCK, "wheel": BLOCK}))
    assert (found.status, "in grey" in found.figures) == ("fail", True)


@pytest.mark.parametrize(("grey", "status"), [("#666666", "pass"), ("#676767", "fail")])
def test_ten_steps_are_enough(grey, status):
    """Two greys on either side of CIEDE2000 10 from #808080."""
    made = game(icons=(icon("wheat", "#808080"), icon("wheel", grey)), told_apart=(("wheat", "wheel"),))
    (found,) = check_icon_pairs(made, context(masks={"wheat": BLOCK, "wheel": BLOCK}))
    assert (found.status, round(float(found.figures.split()[1]))) == (status, 10)


def test_each_pair_comes_once():
    """Three icons make three pairs, also when another list repeats some."""
    made = game(
        icons=tuple(icon(name, "paper") for name in "abc"), told_apart=(("a", "b", "c"), ("c", "a"), ("b", "b"))
    )
    ids = [found.id for found in check_icon_pairs(made, context())]
    assert ids == ["told-apart.a.b", "told-apart.a.c", "told-apart.b.c"]


def test_an_unknown_icon_fails_with_a_hint():
    made = game(icons=(icon("wheat"), icon("wheel")), told_apart=(("wheat", "weel"),))
    (found,) = check_icon_pairs(made, context())
    assert (found.status, found.sentence) == ("fail", "told_apart names the unknown icon 'weel'")
    assert found.figures == "did you mean 'wheel'?"


def test_overlap_is_common_area_over_joint_area():
    assert measure_silhouette_overlap(BLOCK, BAR) == pytest.approx(0.2)
    assert measure_silhouette_overlap(BAR, BAR) == 1.0


def test_overlap_moves_centroids_onto_each_other():
    top = [[1] * 10 if y < 2 else [0] * 10 for y in range(10)]
    right = [[1 if x >= 8 else 0 for x in range(10)] for _ in range(10)]
    left = [[1 if x < 2 else 0 for x in range(10)] for _ in range(10)]
    assert measure_silhouette_overlap(top, BAR) == 1.0
    assert measure_silhouette_overlap(left, right) == measure_silhouette_overlap(right, left) == 1.0


def test_overlap_counts_the_worse_of_both_ways():
    """Shapes that coincide as drawn are alike, even if a small part pulls their centroids apart."""
    tailed = [row + [0] * 30 for row in BLOCK]
    tailed[0] = [*BLOCK[0], *([0] * 25), *([1] * 5)]
    assert measure_silhouette_overlap(BLOCK, tailed) == pytest.approx(100 / 105)


def test_an_empty_silhouette_is_like_nothing_but_another():
    empty = [[0] * 10 for _ in range(10)]
    assert (
        measure_silhouette_overlap(empty, BLOCK),
        measure_silhouette_overlap(BLOCK, empty),
        measure_silhouette_overlap(empty, empty),
    ) == (0.0, 0.0, 1.0)


masks = st.lists(st.lists(st.integers(0, 1), min_size=6, max_size=6), min_size=6, max_size=6)


@given(masks, masks)
@examples(60)
def test_overlap_is_a_share_and_doesnt_depend_on_the_order(one, other):
    """Between 0 and 1, a shape with itself 1; swapping may only cost what rounding to whole pixels costs."""
    assert 0 <= measure_silhouette_overlap(one, other) <= 1
    assert measure_silhouette_overlap(one, one) == 1


def contrast_of(*items: object):
    (found,) = check_contrast(game(kind(design("a")), palette=PALETTE), context(drawing(*items)))
    return found


NIGHT = box(-2, -2, 24, 34, "night", "ground")


def test_dark_text_on_paper_and_white_on_a_dark_ground_pass():
    found = contrast_of(run("nnnnn", 0, 12, 6), NIGHT, run("n", 0, 20, paint="paper"))
    assert (found.status, found.sentence) == ("pass", "card: text stands out from its ground (contrast 4.5 or more)")
    assert (found.figures, found.id) == ("least 17.1, at 4 spots", "contrast.card")


def test_text_like_its_ground_fails():
    found = contrast_of(NIGHT, run("dim", 0, 20, 6, paint="brick"), run("dark", 0, 10, 6))
    assert (found.status, found.place) == ("fail", place(10))
    assert found.sentence == "card: text is hard to read on its ground (contrast under 4.5)"
    assert found.figures == "card/a front ja: 'dark' 1.2; card/a front ja: 'dim' 3.9"


def test_the_end_of_a_line_counts_too():
    assert contrast_of(box(12, 0, 10, 30, "night"), run("nnnn", 0, 10, 16)).status == "fail"
    assert contrast_of(box(0, 0, 2, 30, "night"), run("nnnn", 0, 10, 16)).status == "fail"


def test_what_covers_the_text_later_is_not_its_ground():
    assert contrast_of(run("n", 5, 10), NIGHT).status == "pass"


def test_text_on_a_gradient_is_judged_by_all_its_stops():
    """Dark on all stops passes, on none fails, in between nobody can tell."""
    fades = [
        Gradient("linear", (0, 0, 20, 0), ((0.0, one), (1.0, other)))
        for one, other in (("paper", "brick"), ("night", "ink"), ("night", "paper"))
    ]
    found = [contrast_of(box(0, 0, 20, 30, fade), run("n", 5, 10)) for fade in fades]
    assert [check.status for check in found] == ["pass", "fail", "undecided"]
    assert found[2].sentence == "card: text stands on a picture or a gradient; look whether it can be read"
    assert found[2].figures == "card/a front ja: 'n'"


def test_text_on_something_clear_is_undecided():
    """What is mixed with what lies below it has another colour than its own: nobody can tell but by looking."""
    dark = box(0, 0, 20, 30, "night")
    assert contrast_of(dark, run("n", 5, 10)).status == "fail"
    assert contrast_of(Group((dark,), opacity=0.3), run("n", 5, 10)).status == "undecided"
    assert contrast_of(Group((run("n", 5, 10),), opacity=0.3)).status == "undecided"


def test_a_line_around_letters_makes_them_stand_out():
    light = run("n", 5, 10, paint="paper")
    line = Shape("M 4 4 L 12 4 L 12 11 L 4 11 Z", stroke="ink", width=1.0, role="text")
    away = Shape("M 4 20 L 12 20 L 12 27 L 4 27 Z", stroke="ink", width=1.0, role="text")
    assert [contrast_of(*items).status for items in ((light,), (line, light), (light, line), (light, away))] == ["fail", "pass", "pass", "fail"]  # fmt: skip


def test_text_on_a_photo_is_undecided():
    """A bitmap isn't looked into; but a sure failure elsewhere is still a failure."""
    photo = Picture("abc", "photo.png", 0, 0, 20, 15)
    assert contrast_of(photo, run("n", 5, 10)).status == "undecided"
    assert contrast_of(photo, run("n", 5, 10), run("n", 5, 25, paint="paper")).status == "fail"


def test_a_kind_without_text_isnt_asked():
    made = game(kind(design("a")))
    assert list(check_contrast(made, context(drawing(GROUND, run("  ", 0, 0))))) == []
