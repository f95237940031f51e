"""What Fortuna's cards show: as many things as their number says, and all of the summary on its two faces."""

from itertools import pairwise

import pytest
from shipped_games import workshop

from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape
from generator.game.model import Design

SHOP = workshop("fortuna")


def design(name: str) -> Design:
    return next(design for design in SHOP.game.designs() if design.id == name)


def face(name: str, side: str = "front") -> Drawing:
    drawn = SHOP.draw_face(design(name), "back" if side == "back" else "front", "ja")
    assert drawn is not None, SHOP.problems
    return drawn


def painted(items: tuple[Item, ...], paint: str) -> int:
    """How many shapes have this paint, as far as the template itself draws them."""
    own = sum(1 for item in items if isinstance(item, Shape) and item.fill == paint)
    return own + sum(painted(item.items, paint) for item in items if isinstance(item, Group))


def used(items: tuple[Item, ...]) -> int:
    own = sum(1 for item in items if isinstance(item, PlacedSymbol))
    return own + sum(used(item.items) for item in items if isinstance(item, Group))


@pytest.mark.parametrize(
    ("icon", "paint"),
    [
        ("lightning", "lightning_pale"),
        ("wheat", "wheat_shade"),
        ("helmet", "helmet_dark"),
        ("wheel", "bronze_pale"),
        ("goddess", "bronze_pale"),
    ],
)
def test_one_more_to_each_number(icon: str, paint: str) -> None:
    """A card shows one thing more than that of the number below: strokes, ears, lances, lit fields, gilt rays."""
    counts = [painted(face(f"reel/{number}-{icon}").items, paint) for number in range(1, 7)]
    assert [more - less for less, more in pairwise(counts)] == [1, 1, 1, 1, 1]


def test_an_index_stands_on_its_icons_colour() -> None:
    for icon in SHOP.game.icons.values():
        front = face(f"reel/3-{icon.id}")
        blocks = [
            item
            for item in front.items
            if isinstance(item, Shape) and item.role == "ground" and item.fill == icon.colour
        ]
        assert len(blocks) == 1, icon.id


def test_all_thirty_pictures_differ() -> None:
    fronts = [face(one.id) for one in SHOP.game.kinds["reel"].designs]
    assert len({SHOP.digest_face(front) for front in fronts}) == 30


def test_cards_bear_no_letters_that_nobody_explains() -> None:
    for lang, name in (("ja", "車輪"), ("en", "Wheel")):
        front = SHOP.draw_face(design("reel/1-wheel"), "front", lang)
        assert front is not None
        texts = [frame.text for frame in front.frames]
        assert texts.count(name) == 3
        assert "V" not in texts


def test_the_summary_says_everything_on_two_faces() -> None:
    faces = [face("aid/summary", side) for side in ("front", "back")]
    said = [frame.text for drawn in faces for frame in drawn.frames if frame.text_role == "rule"]
    assert len(said) == len(set(said)) == 7


def test_every_aid_has_a_second_face() -> None:
    for one in SHOP.game.kinds["aid"].designs:
        assert used(face(one.id, "back").items) > 0
