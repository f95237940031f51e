"""The examples of Fortuna's data hold, wrong ones are reported, and situations that can't be are refused."""

from dataclasses import replace
from typing import Any

import pytest
from fortuna_game import loaded

from generator.game.model import Example
from generator.play.example_runs import find_example_faults, find_move
from generator.rules.engine.table import Seed, Table
from generator.rules.fortuna.rules import RULES


def examples() -> list[Example]:
    return list(loaded().examples)


def test_all_examples_of_the_dossier_are_there() -> None:
    """Every worked example and the six turns of the trace stand in the data, those with words in both languages."""
    wanted = {f"F-{n:02}" for n in (1, 2, 3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 21, 22, 24, 26, 27, 29)}
    there = {example.id: example for example in examples()}
    assert wanted | {f"A-{n}" for n in range(1, 7)} <= set(there)
    assert all(there[example].says is not None for example in wanted)


@pytest.mark.parametrize(
    ("example", "expected", "message"),
    [
        ("F-01", {"reach 6": [6, 7]}, "reach 6 is [6, 7, 8], not [6, 7]"),
        ("F-04", {"zone hand 1": 7}, "zone hand 1 is 6, not 7"),
        ("F-04", {"worth 1 5": 20}, "worth 1 5 is 25, not 20"),
        ("F-06", {"numbers": [1, 5]}, "numbers is [1], not [1, 5]"),
        ("F-09", {"legal": ["pass 6L1", "pass 6W1", "all-in 6"]}, "all-in 7], not [pass 6L1, pass 6W1, all-in 6]"),
        ("F-15", {"pile 1": ["3L1"]}, "pile 1 is [3L2, 3L1, 5L3], not [3L1]"),
        ("F-22", {"over": False}, "over is True, not False"),
        ("F-29", {"places": [3, 1, 1]}, "places is [3, 1, 2], not [3, 1, 1]"),
        ("A-6", {"scores": [7, 18, 16]}, "scores is [7, 18, 20], not [7, 18, 16]"),
        ("A-6", {"hands": [6, 6, 6], "round": 2}, "hands is [6, 6, 5], not [6, 6, 6]"),
        ("F-01", {"reach": []}, "reach: it takes 1 or 2 numbers"),
        ("F-01", {"reach six": []}, "reach six: 'six' should be numbers"),
        ("F-01", {"worth 4 1": 0}, "worth 4 1: there is no seat 4"),
        ("F-01", {"pils 1": 0}, "pils 1: nobody can tell; did you mean 'pile'?"),
    ],
)
def test_a_wrong_expectation_is_reported(example: str, expected: dict[str, Any], message: str) -> None:
    """An example that says something else than the rules is told what is so."""
    planted = replace(next(one for one in examples() if one.id == example), expected=expected)
    assert any(message in fault for fault in find_example_faults(loaded(), RULES, planted)), find_example_faults(
        loaded(), RULES, planted
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hand": {}}, "'hand' can't be given; did you mean 'hands'?"),
        ({"hands": ["6L1"]}, "hands should be given as {1: ..., 2: ...}"),
        ({"hands": {1: "6L1"}}, "the hand of seat 1 is '6L1'; it should be a list, such as [6L1, 5H]"),
        ({"hands": {1: ["7L1"]}}, "there is no card '7L1'"),
        ({"hands": {1: ["6L1"], 2: ["6L1"]}}, "the card 6L1 is named more often than it is there"),
        ({"hands": {1: ["6G", "6G"]}}, "the card 6G is named more often than it is there"),
        ({"hands": {4: []}}, "a seat is '4'; it should be a number from 1 to 3"),
        ({"hands": {1: ["1L", "1L", "1L", "2L", "2L", "2L", "3L", "3L", "3L"]}}, "nobody ever holds more than 8"),
        ({"piles": {7: 1}}, "there is no pile for the number 7"),
        ({"piles": {6: 14}}, "only 13 cards with a 6 are left"),
        ({"sets": {1: {3: ["3L", "3L"]}}}, "a set of 3 can't have 2 cards"),
        ({"sets": {1: {2: {"down": ["3L"]}}}}, "a set of 2 needs cards face up"),
        ({"draws": ["1L", "2L"], "main": 1}, "2 cards are to be drawn from a main deck of 1"),
        ({"main": 78}, "are left"),
        ({"end": ["1L", "1L", "1L", "2L", "2L", "2L", "3L", "3L"]}, "8 cards are more than the pile has"),
        ({"trigger": True}, "the start player has no turn after the end trigger"),
        ({"drawn": True}, "seat 1 has drawn, and yet no card"),
    ],
)
def test_a_situation_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    example = Example("X", None, 3, {}, given, (), {"over": False})
    found = find_example_faults(loaded(), RULES, example)
    assert len(found) == 1
    assert message in found[0]
    assert found[0].startswith("given: ")


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
