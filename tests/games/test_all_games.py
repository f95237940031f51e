"""What holds for all five games alike: texts, readings, examples, and the laws of play."""

from collections.abc import Iterable
from functools import cache

import engine_laws as laws
import pytest
from game_texts import check_markup, every_text
from shipped_games import GAMES, workshop

from generator.game.model import Example
from generator.play.example_runs import find_example_faults
from generator.rules.engine.contract import Box, Options, Rules
from generator.rules.registry import load_rules

ITEMS = {"items": ["lantern", "map", "radio", "camera", "rucksack", "tent"]}
MORE: dict[str, tuple[Options, ...]] = {"fortuna": ({"discard_key": "declared", "zero_all_in": True},), "journey18": (ITEMS,)}  # fmt: skip
"""Options that bring moves which a game does not have as it is."""


@cache
def rules_of(name: str) -> Rules:
    rules = load_rules(workshop(name).game)
    assert rules is not None
    return rules


def boxes(name: str, options: Iterable[Options] = ({},)) -> tuple[Rules, list[Box]]:
    """Rules, and a box for each number of players with each of these options."""
    game, rules = workshop(name).game, rules_of(name)
    return rules, [box for chosen in options for box in laws.boxes_of(rules, game, chosen)]


@pytest.mark.parametrize(
    ("name", "least"),
    [("fortuna", 150), ("journey8", 500), ("journey18", 400), ("wayfaring", 700), ("xanadu", 1000)],
)
def test_every_text_is_well_formed_in_both_languages(name: str, least: int) -> None:
    game = workshop(name).game
    texts = every_text(game)
    assert len(texts) > least
    for text in texts:
        check_markup(game, text)


@pytest.mark.parametrize(
    ("name", "last", "split", "switches"),
    [
        ("fortuna", 38, set(), 19),
        ("journey8", 28, {"E19b"}, 13),
        ("journey18", 37, {"E13b", "E20b"}, 21),
        ("wayfaring", 57, {"E19b"}, None),
        ("xanadu", 60, set(), 22),
    ],
)
def test_every_unclear_passage_has_a_reading(name: str, last: int, split: set[str], switches: int | None) -> None:
    """Each passage once, some in two parts; a switch is set to one of its choices, and the rules know every switch."""
    game = workshop(name).game
    assert split <= set(game.readings)
    assert sorted(int(reading[1:]) for reading in set(game.readings) - split) == list(range(1, last + 1))
    for reading in game.readings.values():
        assert len(reading.passage) <= 30
        assert reading.passage or name == "wayfaring", reading.id
        assert bool(reading.switch) == bool(reading.choices), reading.id
        assert not reading.switch or reading.value in reading.choices
    assert switches is None or len(game.switches) == switches


@pytest.mark.parametrize(
    ("name", "example"),
    [pytest.param(name, example, id=f"{name} {example.id}") for name in GAMES for example in workshop(name).game.examples],
)  # fmt: skip
def test_every_example_comes_out(name: str, example: Example) -> None:
    assert find_example_faults(workshop(name).game, rules_of(name), example) == []


@laws.many(200)
@pytest.mark.parametrize("name", ["fortuna", "journey8", "journey18", "wayfaring"])
def test_games_keep_all_pieces_and_laws(name: str, games: int) -> None:
    laws.check_conservation(*boxes(name), games)


@pytest.mark.parametrize(
    ("name", "games"),
    [("fortuna", 5), ("journey8", 30), ("journey18", 10), ("wayfaring", 1), pytest.param("wayfaring", 8, marks=pytest.mark.release)],
)  # fmt: skip
def test_texts_tell_moves_apart(name: str, games: int) -> None:
    laws.check_texts(*boxes(name, ({}, *MORE.get(name, ()))), games)


@pytest.mark.parametrize(("name", "games"), [("fortuna", 10), ("journey8", 20), ("journey18", 5), ("wayfaring", 6)])
def test_games_are_taken_back_saved_and_replayed(name: str, games: int) -> None:
    more = MORE.get(name, ()) if name == "journey18" else ()
    laws.check_undo_save_replay(*boxes(name, ({}, *more)), games)
