"""What checks say of drawn faces: icons and type sizes, colour at the cut, the safe zone, and what can be told apart."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples
from tiny_game import GROUND, box, context, design, drawing, game, icon, kind, place, run, wheat

from generator.base.display_list import Gradient, Group, Picture, Shape, Symbol, TextFrame
from generator.base.display_list import PlacedSymbol as Put
from generator.base.errors import Place
from generator.base.geometry import MM_PER_PT
from generator.checks.check_report import Check
from generator.checks.print_checks import check_contrast, check_face_bleed, check_safe_zones
from generator.checks.validation import (
    check_faces_drawn,
    check_icon_art,
    check_icon_grid,
    check_icon_pairs,
    check_icons_used,
    check_smallest_type,
    measure_silhouette_overlap,
)
from generator.game.data_fields import FinestDetails
from generator.game.model import Colour, Form
from generator.game.rich_text import Words
from generator.game.source import Sections, Source

FACE = drawing(GROUND)
KEYS = [(f"card/{name}", face, lang) for name in "ab" for face in ("front", "back") for lang in ("ja", "en")]


def test_all_faces_in_all_languages_pass():
    made = game(kind(design("a", back="back"), design("b")))
    (check,) = check_faces_drawn(made, context({key: FACE for key in KEYS if key[:2] != ("card/b", "back")}))
    assert (check.status, check.sentence) == ("pass", "card: every face is drawn in every language")
    assert check.figures == "6 faces in ja, en"


def test_a_missing_face_fails_at_its_design():
    made = game(kind(design("a", back="back"), design("b", back="back", line=11)))
    faces = dict.fromkeys(KEYS, FACE)
    for seen in ({**faces, KEYS[6]: None}, {key: FACE for key in KEYS if key != KEYS[6]}):
        (check,) = check_faces_drawn(made, context(seen))
        assert (check.status, check.figures, check.place) == ("fail", "1 of 8: card/b back ja", place(11))
        assert check.sentence == "card: faces can't be drawn: `pnp sheets` says why"


def test_a_long_list_of_missing_faces_is_cut():
    made = game(kind(design("a", back="back"), design("b", back="back")))
    (check,) = check_faces_drawn(made, context())
    assert check.figures.startswith("8 of 8: card/a front ja; card/a front en; ")
    assert check.figures.endswith("; card/b front ja; and 3 more")


def test_a_kind_without_designs_is_undecided():
    assert [check.status for check in check_faces_drawn(game(kind()), context())] == ["undecided"]


def test_icons_with_drawings_pass():
    made = game(icons=(icon("wheat"), icon("wheel")))
    (check,) = check_icon_art(made, context(masks={"wheat": [[1]], "wheel": [[1]]}))
    assert (check.status, check.figures) == ("pass", "wheat; wheel")


def test_an_icon_without_a_drawing_fails_at_its_entry():
    made = game(icons=(icon("wheat"), icon("wheel", line=21)))
    (check,) = check_icon_art(made, context(masks={"wheat": [[1]]}))
    assert (check.status, check.sentence, check.place) == ("fail", "icons have no drawing", place(21))
    assert check.figures == "wheel (wheel.svg)"


def test_a_game_without_icons_has_no_icon_checks():
    assert list(check_icon_art(game(), context())) == []
    assert list(check_icons_used(game(), context())) == []


def test_icons_count_as_used_wherever_they_stand():
    nested = Put(Symbol("art/frame.svg", (wheat(0, 0, "wheel"),), (0, 0, 1, 1)), (1, 0, 0, 1, 0, 0), role="art")
    face = drawing(Group((wheat(5, 5),)), nested)
    made = game(kind(design()), icons=(icon("wheat"), icon("wheel")))
    (check,) = check_icons_used(made, context(face))
    assert (check.status, check.figures) == ("pass", "2 icons on 2 faces")


def test_an_unused_icon_is_undecided():
    """Nothing is wrong in print, but nobody can tell from the data that it was meant: the designer must say."""
    made = game(kind(design()), icons=(icon("wheat"), icon("wheel", line=21)))
    (check,) = check_icons_used(made, context(drawing(wheat(5, 5))))
    assert (check.status, check.figures, check.place) == ("undecided", "on no face: wheel", place(21))
    assert check.sentence == "no face shows these icons; use them in a template or remove them"


def frame(size: float, role: str) -> TextFrame:
    return TextFrame(0, 0, 10, 10, size, role, "text", ("text",))


def test_the_smallest_size_of_each_role_is_stated():
    made = game(kind(design("a"), design("b")))
    faces = {
        ("card/a", "front", "ja"): drawing(frames=(frame(8, "rule"), frame(20, "number"))),
        ("card/b", "front", "ja"): drawing(frames=(frame(6.75, "rule"), frame(7, "rule"))),
        ("card/a", "front", "en"): drawing(run("x", 5, 5)),
    }
    (check,) = check_smallest_type(made, context(faces))
    assert (check.id, check.status) == ("type.card.ja", "pass")
    assert check.sentence == "card (ja): the smallest type is under 7 pt, or 5 pt for readings"
    assert check.figures == "number 20 pt (card/a front 'text'); rule 6.75 pt (card/b front 'text')"


@pytest.mark.parametrize(
    ("form", "size", "small"), [("card", 7.0, False), ("card", 6.9, True), ("board", 7.0, True), ("pad", 7.5, False)]
)
def test_boards_and_pads_have_larger_type_than_cards(form: Form, size: float, small: bool):
    made = game(kind(design("a"), form=form))
    (check, _) = check_smallest_type(made, context(drawing(frames=(frame(size, "rule"),))))
    assert (check.status, "under" in check.sentence) == ("pass", small)


def test_readings_have_a_floor_of_their_own():
    """A reading is a run smaller than the texts of its face; a scaled group prints it smaller."""
    made = game(kind(design("a")))
    for scale, small in ((1.0, False), (0.9, True)):
        read = Group((run("x", 5, 5, size=5.0),), (scale, 0, 0, scale, 0, 0))
        (check, _) = check_smallest_type(made, context(drawing(read, frames=(frame(9, "rule"),))))
        assert ("under" in check.sentence, f"ruby {5 * scale:.3g} pt (card/a front 'x')" in check.figures) == (
            small,
            True,
        )


def test_limits_of_its_own_make_small_type_fail():
    source = Source("data/tiny/look.yaml", {"limits": {"type": 9}}, (1, 1))
    made = replace(game(kind(design("a"))), limits=FinestDetails(type=9), places=Sections({"limits": source}))
    (check, _) = check_smallest_type(made, context(drawing(frames=(frame(8.5, "rule"),))))
    assert check.status == "fail" and "under 9 pt" in check.sentence


def mask(*boxes: tuple[int, int, int, int]) -> list[list[int]]:
    """A mask of 100 x 100 pixels, inked in boxes of x, y, width and height."""
    inked = {
        (x, y) for left, top, wide, high in boxes for x in range(left, left + wide) for y in range(top, top + high)
    }
    return [[int((x, y) in inked) for x in range(100)] for y in range(100)]


def grid_check(shown: list[list[int]]) -> list[Check]:
    """What the check says of a wheat icon that a face shows 4 mm large, so that a pixel is 0.04 mm."""
    made = game(kind(design("a")), icons=(replace(icon("wheat"), art="wheat"),))
    return list(check_icon_grid(made, context(drawing(wheat(4, 4)), masks={"wheat": shown})))


def test_plain_icons_pass():
    (found,) = grid_check(mask((5, 5, 42, 90), (53, 5, 42, 90)))
    assert (found.id, found.status) == ("icons.grid", "pass")


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (mask((5, 5, 44, 90), (51, 5, 44, 90)), "a gap of 0.08 mm near 50, 49 of 100; widen it to 0.1 mm"),
        (mask((5, 5, 90, 40), (50, 45, 2, 50)), "a stroke of 0.08 mm near 51, 69 of 100; thicken it to 0.12 mm"),
        (mask((30, 30, 40, 40)), "it fills 40% of its box; draw it larger, up to 80% or more"),
    ],
)
def test_fine_drawings_are_reported_with_file_and_spot(shown: list[list[int]], said: str):
    (found,) = grid_check(shown)
    assert (found.id, found.status, found.sentence) == (
        "icons.grid.wheat",
        "pass",
        "wheat is finely drawn for 4 mm, its smallest size on a face",
    )
    assert found.place == Place("templates/tiny/icons/wheat.svg", 1, 1)
    assert said in found.figures


def test_points_of_corners_are_neither_strokes_nor_gaps():
    """A triangle's corners get thinner than any limit, but they are short."""
    triangle = [[int(abs(x - 50) * 2 < y) for x in range(100)] for y in range(100)]
    (found,) = grid_check(triangle)
    assert found.status == "pass", found.figures


def test_rough_edges_of_a_ring_are_no_strokes():
    """Pixels at its slanting edges are lost together with thin strokes, but they are a thin chain."""
    ring = [[int(39 <= math.hypot(x - 49.5, y - 49.5) <= 48) for x in range(100)] for y in range(100)]
    (found,) = grid_check(ring)
    assert found.status == "pass", found.figures


MADE = game(kind(design("a")))


def check(*items: object):
    (found,) = check_face_bleed(MADE, context(drawing(*items)))
    return found


def test_a_ground_through_the_bleed_passes():
    """All 100 mm of the card's edge were looked at."""
    found = check(GROUND)
    assert (found.status, found.sentence) == ("pass", "card: colour at the cut goes on for 2 mm")
    assert (found.figures, found.id) == ("different faces: 1; colour meets the cut along 100 mm", "bleed.card")


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
    assert (found.status, found.figures) == ("pass", "different faces: 1; colour meets the cut along 0 mm")


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


EM = 20 * MM_PER_PT


def check_safe(*items: object):
    (found,) = check_safe_zones(MADE, context(drawing(*items)))
    return found


def test_text_and_icons_inside_pass():
    """Ink on the safe zone's very edge is inside; ground, art and frames may go anywhere."""
    found = check_safe(
        GROUND,
        box(-2, 0, 3, 3),
        Shape("M 0 0 L 20 30", stroke="ink", width=1.0, role="frame"),
        wheat(3, 23),
        run("n", 8, 12),
    )
    assert (found.status, found.sentence) == ("pass", "card: text and icons stay 3 mm from the cut")
    assert (found.figures, found.id) == ("2 runs of text and parts of icons", "safe-zone.card")


def test_ink_counts_not_the_line_box():
    assert check_safe(run("n", 3 - 0.1 * EM, 20)).status == "pass"
    found = check_safe(run("n", 2.75 - 0.1 * EM, 20))
    assert (found.status, found.place) == ("fail", place(10))
    assert found.sentence == "card: text or icons leave the safe zone, 3 mm from the cut"
    assert found.figures == "card/a front ja: 'n' by 0.25 mm at the left"


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (wheat(2.5, 10), "the icon wheat by 0.50 mm at the left"),
        (wheat(10, 1), "the icon wheat by 2.00 mm at the top"),
        (wheat(14, 10), "the icon wheat by 1.00 mm at the right"),
        (wheat(10, 26), "the icon wheat by 3.00 mm at the bottom"),
        (Shape("M 1 5 L 9 5", stroke="ink", width=1.0, role="icon"), "an icon by 2.50 mm at the left"),
        (run("a long line of text", -70, 20), "'a long line …' by 72.29 mm at the left"),
    ],
)
def test_each_side_and_each_thing_is_named(item, told):
    assert check_safe(item).figures == f"card/a front ja: {told}"


def test_the_farthest_out_comes_first_and_each_thing_once():
    out = [
        run(letter, 3 - 0.1 * EM - by, 20)
        for letter, by in zip("abcdefa", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), strict=True)
    ]
    figures = check_safe(*out).figures
    assert figures.startswith("card/a front ja: 'a' by 0.70 mm at the left; card/a front ja: 'f' by 0.60 mm")
    assert figures.endswith("; and 1 more")
    assert figures.count("'a'") == 1


def test_faces_that_look_alike_are_told_once():
    made = game(kind(design("a"), design("b", line=11)))
    faces = {
        ("card/a", "front", "ja"): drawing(wheat(2, 10)),
        ("card/a", "front", "en"): drawing(wheat(2, 10)),
        ("card/b", "front", "en"): drawing(wheat(1, 10)),
    }
    (found,) = check_safe_zones(made, context(faces))
    assert found.figures.split("; ") == [
        "card/b front en: the icon wheat by 2.00 mm at the left",
        "card/a front ja: the icon wheat by 1.00 mm at the left",
    ]
    assert found.place == place(11)


def test_a_kind_without_text_is_undecided():
    assert check_safe(GROUND).status == "undecided"
    assert check_safe(GROUND).figures == "skipped: these are pictures without text or icons"


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
    assert found.sentence == "wheat and wheel differ in every colour vision"
    assert found.figures == "colours 31.7 apart in grey, shapes overlap by 100%"
    assert told("brick", "night", {}).status == "pass"


def test_alike_colours_need_different_shapes():
    found = told("brick", "moss", {"wheat": BLOCK, "wheel": BAR})
    assert (found.status, found.sentence) == (
        "pass",
        "wheat and wheel have different shapes; their colours look alike in some colour vision",
    )
    assert found.figures.endswith(", shapes overlap by 20%")


def test_alike_in_colour_and_shape_fails():
    found = told("brick", "moss", {"wheat": BLOCK, "wheel": BLOCK})
    assert (found.status, found.place) == ("fail", place(20))
    assert found.sentence == "wheat and wheel have similar shapes, and colours that look alike in some colour vision"


def test_alike_colours_without_drawings_are_undecided():
    found = told("brick", "moss", {"wheat": BLOCK})
    assert (found.status, "overlap" in found.figures) == ("undecided", False)


def test_one_sight_is_enough_to_be_alike():
    """A red and a green of one lightness differ strongly to most eyes; grey print alone makes them alike."""
    made = game(icons=(icon("wheat", "#b4643c"), icon("wheel", "#4f7fae")), told_apart=(("wheat", "wheel"),))
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


def test_icons_that_must_not_be_mixed_up_have_different_names():
    """Equal names in one language are enough to mix them up, whatever their colours."""
    icons = (icon("wheat", "#b4643c"), replace(icon("barley", "#4f7fae"), name=Words({"ja": "大麦", "en": "Wheat"})))
    made = game(icons=icons, told_apart=(("wheat", "barley"),))
    (found,) = check_icon_pairs(made, context())
    said = "wheat and barley must not be mixed up, but both are called 'Wheat' (en)"
    assert (found.id, found.status, found.sentence) == ("told-apart.wheat.barley", "fail", said)


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


@pytest.mark.slow
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
    assert (found.status, found.sentence) == ("pass", "card: text contrasts with its background (contrast 4.5 or more)")
    assert (found.figures, found.id) == ("least 17.1, at 4 spots", "contrast.card")


def test_text_like_its_ground_fails():
    found = contrast_of(NIGHT, run("dim", 0, 20, 6, paint="brick"), run("dark", 0, 10, 6))
    assert (found.status, found.place) == ("fail", place(10))
    assert found.sentence == "card: text is hard to read on its background (contrast under 4.5)"
    assert found.figures == "card/a front ja: 'dark' 1.2; card/a front ja: 'dim' 3.9"


def test_the_end_of_a_line_counts_too():
    assert contrast_of(box(12, 0, 10, 30, "night"), run("nnnn", 0, 10, 16)).status == "fail"
    assert contrast_of(box(0, 0, 2, 30, "night"), run("nnnn", 0, 10, 16)).status == "fail"


def test_what_covers_the_text_later_is_not_its_ground():
    assert contrast_of(run("n", 5, 10), NIGHT).status == "pass"


def test_text_on_a_gradient_is_judged_by_all_its_stops():
    fades = [
        Gradient("linear", (0, 0, 20, 0), ((0.0, one), (1.0, other)))
        for one, other in (("paper", "brick"), ("night", "ink"), ("night", "paper"))
    ]
    found = [contrast_of(box(0, 0, 20, 30, fade), run("n", 5, 10)) for fade in fades]
    assert [check.status for check in found] == ["pass", "fail", "undecided"]
    assert found[2].sentence == "card: text is on a picture or a gradient; check that it is readable"
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
