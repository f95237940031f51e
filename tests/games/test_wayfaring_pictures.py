"""What a card of wayfaring shows is named by its data."""

from collections import Counter

import pytest
from game_changes import card
from wayfaring_game import PROJECT, loaded

from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.game import Game


@pytest.fixture(scope="module")
def game() -> Game:
    """The game as its data folder describes it."""
    return loaded()


def front(game: Game, name: str) -> Drawing:
    """The front of one card in Japanese, drawn without a problem."""
    drawn = Workshop(game, PROJECT.resources)
    design = next(design for design in game.designs() if design.id == name)
    face = drawn.face(design, "front", "ja")
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
    """Another picture in the data gives another face, whatever the card is called."""
    assert front(card(name, picture=picture)(game), name) != front(game, name)
