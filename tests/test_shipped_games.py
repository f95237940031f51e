"""What tests share of the games that ship stays as it is, whatever a test does with it."""

import pytest
from shipped_games import GAMES, drawn, workshop


def test_a_shared_workshop_refuses_changes() -> None:
    """Neither its parts nor the data of its game can be replaced, nor can faces be added to those that it has drawn."""
    shop = workshop(GAMES[0])
    design = next(shop.game.designs())
    faces = shop.draw_all([design], ["en"])

    with pytest.raises(AttributeError, match="shared by tests"):
        shop.game = workshop(GAMES[1]).game
    for mapping in (faces, shop.game.kinds, shop.game.sections, shop.game.palette, design.fields):
        with pytest.raises(TypeError):
            mapping["x"] = None  # type: ignore[index]
    with pytest.raises(AttributeError):
        shop.draw_face(design, "front", "en").items = ()  # type: ignore[union-attr,misc]
    with pytest.raises(AttributeError):
        shop.game.title = None  # type: ignore[misc,assignment]


def test_a_face_is_drawn_once() -> None:
    shop = workshop(GAMES[0])
    design = next(shop.game.designs())
    assert drawn(GAMES[0]) is shop
    assert shop.draw_face(design, "front", "en") is shop.draw_face(design, "front", "en")
