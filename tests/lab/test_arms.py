"""Arms: other values typed into the data where they stand, other readings; and all that can't be one."""

from pathlib import Path
from typing import Any

import pytest
from shipped_games import workshop
from tests_support import TinyProject

from generator.base.errors import Place, ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.lab.arms import Arm, arm_options, change_game

RULES = """\
rules:
  hand: &hand 5            # cards
  limit: *hand
  rate: 1.50
  name: red wine
  quoted: "red, wine"
  on: true
  steps: [1, {id: far, is: 7}, 3]
  row: {first: 1, second: 2}
"""


def told(found: pytest.ExceptionInfo[ProblemsFound]) -> list[str]:
    return list(map(str, found.value.problems))


@pytest.fixture
def ruled(tiny: TinyProject) -> TinyProject:
    """A project of five cards with some rule numbers, written in several ways."""
    tiny.write("data/tiny/rules.yaml", RULES)
    return tiny


def changed(project: TinyProject, **values: Any) -> Game:
    """The game of an arm with these values; `__` stands for a dot."""
    opened = find_project(Path.cwd())
    folder = opened.find_folder("tiny")
    arm = Arm(
        "other", values={name.replace("__", "."): value for name, value in values.items()}, place=Place("e.yaml", 3)
    )
    return change_game(arm, load_game(folder, opened.resources), folder, opened.resources)


def test_a_value_is_typed_into_the_data(ruled: TinyProject) -> None:
    """Numbers, words, truths, in blocks, rows and lists; nothing beside them moves."""
    rules = changed(ruled, rules__rate=2, rules__name="red: #wine", rules__on=False, rules__row__first=9).sections[
        "rules"
    ]
    assert (rules["rate"], rules["name"], rules["on"], rules["row"]) == (2, "red: #wine", False, {"first": 9, "second": 2})  # fmt: skip
    assert changed(ruled, rules__steps__far__is=8).sections["rules"]["steps"] == (1, {"id": "far", "is": 8}, 3)


def test_an_anchor_carries_a_value_on(ruled: TinyProject) -> None:
    """What is named elsewhere changes there too, and the line's comment stays one."""
    rules = changed(ruled, rules__hand=7).sections["rules"]
    assert (rules["hand"], rules["limit"]) == (7, 7)


def test_a_number_of_copies_is_checked_like_all_data(ruled: TinyProject) -> None:
    """The design's count goes into the game; what the data can't mean is said of the data's line."""
    arm = changed(ruled, components__card__designs__one__count=4)
    assert [design.count for design in arm.kinds["card"].designs] == [4, 3]
    with pytest.raises(ProblemsFound) as found:
        changed(ruled, components__card__designs__one__count="many")
    assert told(found) == ["data/tiny/game.yaml:22:26: count must be a whole number, not 'many'; write digits only"]


def test_values_that_can_not_be_typed_over(ruled: TinyProject) -> None:
    """An alias, quoted words and paths that lead nowhere, all at once; a list is no value either."""
    with pytest.raises(ProblemsFound) as found:
        changed(ruled, rules__limit=6, rules__quoted="white", rules__hnd=6, rules__row=1, rules__steps__near__is=1)
    plain = "an arm can change plain numbers and words; change the value that an anchor or a table gives"
    nowhere = "write its path, as `rules.hand`; tables stay as they are"
    assert told(found) == [
        f"e.yaml:3: 'rules.limit' is not a plain value at data/tiny/rules.yaml:3:10; {plain}",
        f"e.yaml:3: 'rules.quoted' is not a plain value at data/tiny/rules.yaml:6:11; {plain}",
        f"e.yaml:3: the data have no value 'rules.hnd'; {nowhere}",
        f"e.yaml:3: the data have no value 'rules.row'; {nowhere}",
        f"e.yaml:3: the data have no value 'rules.steps.near.is'; {nowhere}",
    ]


def test_a_table_stays_as_it_is(ruled: TinyProject) -> None:
    """Designs that a spreadsheet gives are no values of the YAML."""
    ruled.change(
        "data/tiny/game.yaml",
        """
      - {id: one, count: 2, title: One, value: 1, mark: star}
      - {id: two, count: 3, title: Two, value: 2}
""",
        " cards.csv\n",
    )
    ruled.write("data/tiny/cards.csv", "id,count,title,value\none,2,One,1\ntwo,3,Two,2\n")

    with pytest.raises(ProblemsFound) as found:
        changed(ruled, components__card__designs__one__count=4)
    assert told(found) == [
        "e.yaml:3: the data have no value 'components.card.designs.one.count'; "
        "write its path, as `rules.hand`; tables stay as they are"
    ]


def test_readings_become_options() -> None:
    """By their number in the list of readings, or by the switch's own name."""
    game = workshop("journey8").game
    assert arm_options(Arm("x", {"E18": "forbidden"}), game) == {game.readings["E18"].switch: "forbidden"}
    assert arm_options(Arm("x", {game.readings["E18"].switch: "forbidden"}), game) == {
        game.readings["E18"].switch: "forbidden"
    }


def test_readings_that_can_not_be_switched() -> None:
    """An unknown entry, one without a switch, two that contradict: each where it is written, all at once."""
    game = workshop("journey8").game
    silent = next(one.id for one in game.readings.values() if not one.switch)
    switch = game.readings["E18"].switch
    readings = {"E180": "x", silent: "y", "E18": "forbidden", switch: "hand_limit"}
    places = {name: Place("e.yaml", at) for at, name in enumerate(readings, 1)}

    with pytest.raises(ProblemsFound) as found:
        arm_options(Arm("x", readings, places=places), game)
    assert told(found) == [
        "e.yaml:1: journey8 has no reading 'E180'; did you mean 'E18'?",
        f"e.yaml:2: {silent} has no switch; leave it out, because it has no other choice",
        f'e.yaml:4: {switch} has two values: "forbidden" and "hand_limit"; write two arms',
    ]
