"""Faces, icons and type sizes: what was drawn and what is missing."""

from tiny_game import GROUND, context, design, drawing, game, icon, kind, place, run, wheat

from generator.base.display_list import Group, Symbol, TextFrame
from generator.base.display_list import PlacedSymbol as Put
from generator.checks.validation import check_faces_drawn, check_icon_art, check_icons_used, measure_smallest_type

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
        assert check.sentence == "card: faces are missing, so these designs won't be printed whole"


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
    assert check.sentence == "some declared icons are on no face; use or remove them"


def frame(size: float, role: str) -> TextFrame:
    return TextFrame(0, 0, 10, 10, size, role, "text", ("text",))


def test_the_smallest_size_of_each_role_is_stated():
    made = game(kind(design("a"), design("b")))
    faces = {
        ("card/a", "front", "ja"): drawing(frames=(frame(8, "rule"), frame(20, "number"))),
        ("card/b", "front", "ja"): drawing(frames=(frame(6.75, "rule"), frame(7, "rule"))),
        ("card/a", "front", "en"): drawing(run("x", 5, 5)),
    }
    (check,) = measure_smallest_type(made, context(faces))
    assert (check.id, check.status, check.sentence) == ("type.card.ja", "pass", "card (ja): the smallest type")
    assert check.figures == "number 20 pt (card/a front); rule 6.75 pt (card/b front)"
