"""What a card of wayfaring shows is named by its data."""

from collections import Counter

import pytest
from game_changes import card
from tests_support import quick
from wayfaring_game import PROJECT

from generator.base.display_list import Drawing, Shape, TextRun
from generator.checks.visible_items import Context, PaintedItem, find_ink_box, find_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game


def front(game: Game, name: str) -> Drawing:
    """The front of one card in Japanese, drawn without a problem."""
    drawn = Workshop(game, PROJECT.resources)
    design = next(design for design in game.designs() if design.id == name)
    face = drawn.draw_face(design, "front", "ja")
    assert drawn.problems == ()
    assert face is not None
    return face


def test_every_card_has_a_picture_of_its_own(game: Game) -> None:
    """50 designs, 50 pictures: none is shared within a kind."""
    kinds = [kind for kind in game.kinds.values() if "picture" in kind.designs[0].fields]
    assert sum(len(kind.designs) for kind in kinds) == 50
    for kind in kinds:
        assert set(Counter(design.fields["picture"] for design in kind.designs).values()) == {1}


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("destination/D01", "rapids"),
        ("trouble/T01", "barrier"),
        ("cursed/C01", "bell"),
        ("intervention/I01", "hat"),
        ("character/P01", "fox"),
    ],
)
def test_a_card_shows_the_picture_that_its_data_name(game: Game, name: str, picture: str) -> None:
    assert front(card(name, picture=picture)(game), name) != front(game, name)


@pytest.mark.parametrize("lang", quick(["ja", "en"], "en"))
def test_rule_texts_of_a_kind_are_of_one_size(game: Game, lang: str) -> None:
    """Neighbours in a display or a hand differ in what they say, never in how large they say it."""
    workshop = Workshop(game, PROJECT.resources)
    sizes: dict[str, set[float]] = {}
    for design in game.designs():
        face = workshop.draw_face(design, "front", lang)
        assert face is not None, workshop.problems
        if design.kind in ("destination", "trouble", "intervention", "character"):
            found = {frame.size for frame in face.frames if frame.text_role == "rule"}
            sizes.setdefault(design.kind, set()).update(found)
    assert [len(found) for found in sizes.values()] == [1, 1, 1, 1]


def test_names_stand_in_the_middle_of_their_slips(game: Game) -> None:
    def column(name: str) -> float:
        return next(frame.x + frame.width / 2 for frame in front(game, name).frames if frame.text_role == "title")

    assert column("destination/D09") == pytest.approx(column("destination/D10"))
    assert column("character/P01") == pytest.approx(column("character/P02"))


def test_only_stamps_say_that_a_card_is_a_proposal(game: Game) -> None:
    for name in ("destination/D01", "trouble/T01", "cursed/C01", "intervention/I01", "character/P01"):
        face = front(game, name)
        assert [stamp.note for stamp in face.stamps] == ["仮"]
        assert not [frame for frame in face.frames if "仮" in frame.text]


def test_readings_keep_clear_of_the_frame_of_their_slip(game: Game) -> None:
    workshop = Workshop(game, PROJECT.resources)
    context = Context({}, workshop.measure_ink, workshop.measure_advance, workshop.draw_silhouette)
    looked = 0
    for design in game.designs():
        face = workshop.draw_face(design, "front", "ja")
        assert face is not None
        leaves = find_leaves(face, context)
        slip = max((one.box.right for one in leaves if is_slip(one)), default=None)
        for one in leaves if slip is not None else ():
            box = find_ink_box(one, context) if isinstance(one.leaf, TextRun) and one.leaf.size < 9 else None
            if box is not None and box.x > 50 and box.y < 45:
                looked += 1
                assert slip - box.right >= 1.0, (design.id, one.leaf)
    assert looked


def is_slip(one: PaintedItem) -> bool:
    """Whether this is the paper that hangs from the upper edge at the right, behind the name."""
    box = one.box
    return isinstance(one.leaf, Shape) and one.leaf.fill == "paper" and box is not None and box.y <= -3 and box.x > 45
