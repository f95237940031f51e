"""Fortuna's data hold what its draft states, its cards show it, and its examples are told in words."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from fortuna_game import loaded
from game_changes import rule
from shipped_games import workshop

from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape, TextRun
from generator.checks.visible_items import iter_visible_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design, Example, Game
from generator.game.project import find_project
from generator.play.example_runs import find_move
from generator.rules.engine.table import Seed, Table
from generator.rules.fortuna.rules import RULES

HERE = Path(__file__).parent


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    """78 cards: 13 of each number, 18 of each ordinary icon, six goddesses; three aids, a board, a pad of four leaves."""
    numbers, icons = Counter[int](), Counter[str]()
    for design in game.kinds["reel"].designs:
        numbers[design.fields["number"]] += design.count
        icons[design.fields["icon"]] += design.count
    assert game.kinds["reel"].count == game.kinds["reel"].stated == 78
    assert numbers == dict.fromkeys(range(1, 7), 13)
    assert icons == {"lightning": 18, "wheat": 18, "helmet": 18, "wheel": 18, "goddess": 6}
    assert game.kinds["aid"].count == 3
    assert (game.kinds["discard_board"].form, game.kinds["discard_board"].count) == ("board", 1)
    assert (game.kinds["score_sheet"].form, game.kinds["score_sheet"].count) == ("pad", 4)
    assert game.told_apart == (("lightning", "wheat", "helmet", "wheel", "goddess"),)


@pytest.mark.parametrize(("most", "modulus"), [(4, 10), (3, 10), (4, 8)])
def test_the_score_sheet_has_room_for_every_set(game: Game, most: int, modulus: int) -> None:
    changed = replace(rule(modulus=modulus)(game), players=replace(game.players, most=most))
    drawn = Workshop(changed, find_project(HERE).resources)
    sheet = drawn.draw_face(changed.kinds["score_sheet"].designs[0], "front", "en")
    assert drawn.problems == ()
    assert sheet is not None
    texts = Counter(one.leaf.text for one in iter_visible_leaves(sheet) if isinstance(one.leaf, TextRun))
    assert texts["="] == most * (modulus + 1), "in each row, and in the sum of signs above"
    assert [texts[str(number)] for number in range(modulus + 1)] == [1, *[1 + most] * (modulus - 1), 0]


def examples() -> list[Example]:
    return list(loaded().examples)


@pytest.mark.parametrize(
    ("example", "move", "ja", "en"),
    [
        ("F-04", "pass 5L1", "稲妻", "pass, discarding Lightning 5"),
        ("F-09", "all-in 7", "手札すべてで7のオールインセット", "play the whole hand as an All-in set of 7"),
        ("F-15", "move 3", "5から1へ3枚移す", "from 5 to 1, cards moved: 3"),
        ("E10-declared", "declare 8", "8として捨てる", "discard it, counting as 8"),
    ],
)
def test_moves_are_told_in_words(example: str, move: str, ja: str, en: str) -> None:
    one = next(one for one in examples() if one.id == example)
    table = Table.arrange(RULES, RULES.box(loaded(), one.players, one.options), Seed(0), one.given)
    before = one.moves[: one.moves.index(move)] if move in one.moves else ()
    for text in before:
        table.apply(find_move(table, text))
    wanted = find_move(table, move)
    assert ja in table.describe_move(wanted, "ja")
    assert table.describe_move(wanted, "en") == en


@pytest.mark.parametrize("wanted", ["5V3", "5V"])
def test_a_pile_of_any_cards_takes_none_that_is_named(wanted: str) -> None:
    """`piles: {5: 3}` leaves alone what is named to be drawn, by copy or by design."""
    box = RULES.box(loaded(), 3, {})
    for number in (1, 3, 5):
        given = {"hands": {1: ["1L1"]}, "draws": [wanted, "5V1"], "piles": {5: number}}
        zones = Table.arrange(RULES, box, Seed(0), given).list_zones()
        assert [copy for copy in zones["hand 1"] if copy.startswith("reel/5-wheel#")], "the first card was drawn"
        assert "reel/5-wheel#1" in zones["main"]
        assert len(zones["pile 5"]) == number


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
        assert texts.count(name) == 1
        assert "V" not in texts


def test_the_summary_says_everything_on_two_faces() -> None:
    faces = [face("aid/summary", side) for side in ("front", "back")]
    said = [frame.text for drawn in faces for frame in drawn.frames if frame.text_role == "rule"]
    assert len(said) == len(set(said)) == 7


def test_every_aid_has_a_second_face() -> None:
    for one in SHOP.game.kinds["aid"].designs:
        assert used(face(one.id, "back").items) > 0
