"""journey18's examples, phrases and options: what the data say of play, and what is told where they can't be played."""

from collections.abc import Iterator
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest
from game_changes import Change
from journey18_game import rule
from journey18_tables import GAME, arranged, asked

from generator.base.errors import ProblemsFound
from generator.game.model import Example
from generator.play.example_runs import find_example_faults
from generator.rules.engine.table import Seed, Table
from generator.rules.journey18.rules import RULES
from generator.rules.journey18.state import limits_of


def test_phrases_name_the_same_in_each_language() -> None:
    """What a phrase of `moves` fills in is filled in in each language, and every phrase is used."""
    for name, phrase in GAME.moves.items():
        named = {lang: {part[1] for part in Formatter().parse(phrase[lang]) if part[1]} for lang in GAME.languages}
        assert len({frozenset(names) for names in named.values()}) == 1, name


def planted() -> Iterator[tuple[str, Example]]:
    """Every example with one of its answers changed."""
    for example in GAME.examples:
        for question, answer in example.expected.items():
            wrong: Any = "nobody"
            if isinstance(answer, bool):
                wrong = not answer
            elif isinstance(answer, int):
                wrong = answer + 1
            elif question == "illegal":
                continue
            yield f"{example.id} {question}", replace(example, expected={**example.expected, question: wrong})


@pytest.mark.parametrize(
    ("name", "example"), list(planted()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_wrong_answer_is_told(name: str, example: Example) -> None:
    """An example that says something else than the rules is reported, by its question."""
    question = name.split(" ", maxsplit=1)[1]
    assert any(fault.startswith(question) for fault in find_example_faults(GAME, RULES, example)), name


def test_the_dossiers_examples_are_all_there() -> None:
    numbers = (1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, 17, 18, 20, 22, 23, 25, 26, 27, 28, 30, 31)
    assert {f"X{number}" for number in numbers} <= {example.id for example in GAME.examples}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"deck": ["Q9"]}, "Q9"),
        ({"hand": ["R1"], "discard": ["R1"]}, "the card R1 is named more often than it is there"),
        ({"hand": ["R1", "R2", "R3", "R4", "R5"]}, "a hand has"),
        ({"columns": {1: ["R1", "R2", "R3"]}}, "room for 2"),
        ({"columns": {9: ["R1"]}}, "a day is '9'; it should be a number from 1 to 7"),
        ({"white": 8}, "a day is '8'; it should be a number from 1 to 7"),
        ({"black": [1]}, "black"),
        ({"letters": 1}, "1 letters in hand"),
        ({"letters": -1}, "letters is '-1'; it should be a number 0 or more"),
        ({"solved": ["pink"]}, "pink"),
        ({"locations": {7: "beach"}}, "last day"),
        ({"locations": {1: "moon"}}, "moon"),
        ({"phase": "tea"}, "tea"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_situation_that_cannot_be_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        arranged(given)


def test_questions_that_are_not_known_are_told() -> None:
    table = arranged({})
    for question, told in (("colunm 1", "column"), ("column", "name a day"), ("column x", "name a day")):
        with pytest.raises(LookupError, match=told):
            asked(table, question)


@pytest.mark.parametrize(
    ("players", "options", "told"),
    [
        (2, {}, "does not support 2 players"),
        (1, {"items": ["lamp"]}, "no item 'lamp'"),
        (1, {"items": "map"}, "the option items is map"),
        (1, {"items": ["map", "map"]}, "only once"),
        (1, {"yelow": "forced"}, "did you mean 'yellow'"),
        (1, {"yellow": "never"}, "does not allow 'never'; it can be forced, optional"),
        (1, {"next_turn_from": "move"}, "hand is empty"),
    ],
)
def test_what_cannot_be_played_is_told(players: int, options: dict[str, Any], told: str) -> None:
    with pytest.raises(ProblemsFound, match=told):
        RULES.box(GAME, players, options)


def test_all_problems_are_told_at_once() -> None:
    """Whoever has several wishes wrong learns of all of them."""
    with pytest.raises(ProblemsFound) as found:
        RULES.box(GAME, 3, {"items": ["lamp"], "yelow": 1})
    assert len(found.value.problems) == 3


@pytest.mark.parametrize(
    ("change", "told"),
    [(rule("days", to=11), "11 days"), (rule("move_total", to=5), "a move of 5 has no rest")],
)
def test_data_that_do_not_fit_are_told(change: Change, told: str) -> None:
    with pytest.raises(ProblemsFound, match=told):
        RULES.box(change(GAME), 1, {})


def test_numbers_come_from_the_data() -> None:
    table = Table(RULES, RULES.box(rule("hand", to=2)(GAME), 1, {}), Seed(1))
    assert len(table.list_zones()["hand"]) == 3
    assert limits_of(GAME).fewest_turns == table.box.numbers["fewest_turns"]
