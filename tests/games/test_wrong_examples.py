"""Wrong examples, impossible situations and unplayable options of the five games are told in words."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from shipped_games import GAMES, workshop

from generator.base.errors import ProblemsFound
from generator.game.model import Example
from generator.play.example_runs import find_example_faults
from generator.rules.engine.contract import Options
from generator.rules.registry import load_rules

RULES = {name: load_rules(workshop(name).game) for name in GAMES}


def planted(name: str) -> Iterator[tuple[str, Example]]:
    """An example of each question that a game answers, with another answer."""
    seen = set()
    for example in workshop(name).game.examples:
        for question, answer in example.expected.items():
            head, wrong = question.split()[0], not answer if isinstance(answer, bool) else "nobody"
            if isinstance(answer, int) and not isinstance(answer, bool):
                wrong = answer + 1
            if head not in seen and question != "illegal":
                seen.add(head)
                yield question, replace(example, expected={**example.expected, question: wrong})
    assert len(seen) > 10, "the test must see questions"


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_expectation_is_reported(name: str) -> None:
    for question, example in planted(name):
        faults = find_example_faults(workshop(name).game, RULES[name], example)
        assert any(fault.startswith(question) for fault in faults), (example.id, question)


@pytest.mark.parametrize(
    ("name", "example", "changes", "told"),
    [
        ("fortuna", "F-09", {"expected": {"legal": ["pass 6L1", "pass 6W1", "all-in 6"]}}, "all-in 7], not [pass 6L1, pass 6W1, all-in 6]"),
        ("fortuna", "F-15", {"expected": {"pile 1": ["3L1"]}}, "pile 1 is [3L2, 3L1, 5L3], not [3L1]"),
        ("fortuna", "F-01", {"expected": {"reach": []}}, "reach: it takes 1 or 2 numbers"),
        ("fortuna", "F-01", {"expected": {"reach six": []}}, "reach six: 'six' should be numbers"),
        ("fortuna", "F-01", {"expected": {"worth 4 1": 0}}, "worth 4 1: there is no seat 4"),
        ("fortuna", "F-01", {"expected": {"pils 1": 0}}, "pils 1: nobody can tell; did you mean 'pile'?"),
        ("xanadu", "W20", {"options": {}}, "illegal is"),
        ("xanadu", "W39", {"given": {"growing": 1}}, "move 1: 'lid skill P1' is not a legal move"),
        ("xanadu", "W11", {"given": {"goods": {1: {"p1": [61, 0, 0]}}}}, "given: there are 60"),
        ("xanadu", "W11", {"given": {"goods": {1: {"p3": [4, 0, 0]}}}}, "and 3 is the limit"),
        ("xanadu", "W11", {"given": {"good": {}}}, "did you mean 'goods'"),
        ("xanadu", "W11", {"given": {"daily": {1: ["FL1", "FL1", "FU1"]}}}, "the card FL1 is named more often"),
        ("xanadu", "W02", {"expected": {"distanse p0": 1}}, "did you mean 'distance'"),
        ("xanadu", "W02", {"expected": {"goods 7": 1}}, "a seat is '7'"),
    ],
)  # fmt: skip
def test_a_faulty_example_is_told(name: str, example: str, changes: dict[str, Any], told: str) -> None:
    (found,) = (known for known in workshop(name).game.examples if known.id == example)
    faults = find_example_faults(workshop(name).game, RULES[name], replace(found, **changes))
    assert any(told in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("name", "players", "given", "told"),
    [
        ("fortuna", 3, {"hand": {}}, "'hand' can't be given; did you mean 'hands'?"),
        ("fortuna", 3, {"hands": ["6L1"]}, "hands should be given as {1: ..., 2: ...}"),
        ("fortuna", 3, {"hands": {1: "6L1"}}, "the hand of seat 1 is '6L1'; it should be a list, such as [6L1, 5H]"),
        ("fortuna", 3, {"hands": {1: ["7L1"]}}, "there is no card '7L1'"),
        ("fortuna", 3, {"hands": {1: ["6L1"], 2: ["6L1"]}}, "the card 6L1 is named more often than it is there"),
        ("fortuna", 3, {"hands": {1: ["6G", "6G"]}}, "the card 6G is named more often than it is there"),
        ("fortuna", 3, {"hands": {4: []}}, "a seat is '4'; it should be a number from 1 to 3"),
        ("fortuna", 3, {"hands": {1: ["1L", "1L", "1L", "2L", "2L", "2L", "3L", "3L", "3L"]}}, "nobody ever holds more than 8"),
        ("fortuna", 3, {"piles": {7: 1}}, "there is no pile for the number 7"),
        ("fortuna", 3, {"piles": {6: 14}}, "only 13 cards with a 6 are left"),
        ("fortuna", 3, {"sets": {1: {3: ["3L", "3L"]}}}, "a set of 3 can't have 2 cards"),
        ("fortuna", 3, {"sets": {1: {2: {"down": ["3L"]}}}}, "a set of 2 needs cards face up"),
        ("fortuna", 3, {"draws": ["1L", "2L"], "main": 1}, "2 cards are to be drawn from a main deck of 1"),
        ("fortuna", 3, {"main": 78}, "are left"),
        ("fortuna", 3, {"end": ["1L", "1L", "1L", "2L", "2L", "2L", "3L", "3L"]}, "8 cards are more than the pile has"),
        ("fortuna", 3, {"trigger": True}, "the start player has no turn after the end trigger"),
        ("fortuna", 3, {"drawn": True}, "seat 1 has drawn, and yet no card"),
        ("journey18", 1, {"deck": ["Q9"]}, "Q9"),
        ("journey18", 1, {"hand": ["R1"], "discard": ["R1"]}, "the card R1 is named more often than it is there"),
        ("journey18", 1, {"hand": ["R1", "R2", "R3", "R4", "R5"]}, "a hand has"),
        ("journey18", 1, {"columns": {1: ["R1", "R2", "R3"]}}, "room for 2"),
        ("journey18", 1, {"columns": {9: ["R1"]}}, "a day is '9'; it should be a number from 1 to 7"),
        ("journey18", 1, {"white": 8}, "a day is '8'; it should be a number from 1 to 7"),
        ("journey18", 1, {"black": [1]}, "black"),
        ("journey18", 1, {"letters": 1}, "1 letters in hand"),
        ("journey18", 1, {"letters": -1}, "letters is '-1'; it should be a number 0 or more"),
        ("journey18", 1, {"solved": ["pink"]}, "pink"),
        ("journey18", 1, {"locations": {7: "beach"}}, "last day"),
        ("journey18", 1, {"locations": {1: "moon"}}, "moon"),
        ("journey18", 1, {"phase": "tea"}, "tea"),
        ("journey18", 1, {"colour": "red"}, "colour"),
        ("journey8", 2, {"storry": []}, "did you mean 'story'"),
        ("journey8", 2, {"at": "scorin"}, "did you mean 'scoring'"),
        ("journey8", 2, {"at": "deal", "seat": 2}, "nothing else"),
        ("journey8", 2, {"story": ["red-8"]}, "there is no card 'red-8'"),
        ("journey8", 2, {"story": ["red-1"], "hands": [["red-1"]]}, "named more often than it is there"),
        ("journey8", 2, {"story": "red-1"}, "should be a list"),
        ("journey8", 2, {"story": ["red-1"], "keys": [2]}, "the place of a key is '2'; it should be a number from 1 to 1"),
        ("journey8", 2, {"hands": [[], [], []]}, "3 hands for 2 players"),
        ("journey8", 2, {"sone": [1]}, "a number for each of 2 players"),
        ("journey8", 2, {"seat": 3}, "1 to 2"),
        ("wayfaring", 2, {"hand 9": ["D01"]}, "hand 9"),
        ("wayfaring", 2, {"hand 1": ["D99"]}, "D99"),
        ("wayfaring", 2, {"hand 1": ["D01", "D01"], "path 1": ["D01+", "D01-"]}, "D01 is named more often than it is there"),
        ("wayfaring", 2, {"deck": ["P01"]}, "a deck of their own"),
        ("wayfaring", 2, {"hand 1": ["P01"]}, "never in a hand"),
        ("wayfaring", 2, {"path 1": ["D01-", "D02+"]}, "come first"),
        ("wayfaring", 2, {"path 1": ["I01-"]}, "only destinations and troubles"),
        ("wayfaring", 2, {"area 1": ["D01"]}, "only characters and cursed items"),
        ("wayfaring", 2, {"marks 1": 3}, "from 0 to 2"),
        ("wayfaring", 2, {"phase": "noon"}, "noon"),
        ("wayfaring", 2, {"seat": 5}, "from 1 to 2"),
        ("wayfaring", 2, {"used": ["P99"]}, "P99"),
        ("wayfaring", 2, {"deal": True, "hand 1": ["D01"]}, "along with a deal"),
        ("wayfaring", 2, {"rest": "bin"}, "bin"),
        ("wayfaring", 2, {"display": ["D01"]}, "only characters"),
    ],
)  # fmt: skip
def test_a_situation_that_cannot_be_is_refused(name: str, players: int, given: dict[str, Any], told: str) -> None:
    example = Example("X", None, players, {}, given, (), {"over": False})
    (fault,) = find_example_faults(workshop(name).game, RULES[name], example)
    assert fault.startswith("given: ")
    assert told in fault


@pytest.mark.parametrize(
    ("name", "players", "options", "told"),
    [
        ("fortuna", 2, {}, "fortuna does not support 2 players; it is for 3 to 4 players"),
        ("fortuna", 3, {"number_fix": "live"}, "number_fix: live can't be played: nobody has said"),
        ("fortuna", 3, {"ten_value": "eleven"}, "the option ten_value does not allow 'eleven'; it can be zero, ten, none"),
        ("fortuna", 3, {"zero_all_in": 1}, "the option zero_all_in does not allow '1'; it can be false, true"),
        ("fortuna", 3, {"tenvalue": "ten"}, "fortuna has no option 'tenvalue'; did you mean 'ten_value'"),
        ("journey18", 2, {}, "does not support 2 players"),
        ("journey18", 1, {"items": ["lamp"]}, "no item 'lamp'"),
        ("journey18", 1, {"items": "map"}, "the option items is map"),
        ("journey18", 1, {"items": ["map", "map"]}, "only once"),
        ("journey18", 1, {"yelow": "forced"}, "did you mean 'yellow'"),
        ("journey18", 1, {"yellow": "never"}, "does not allow 'never'; it can be forced, optional"),
        ("journey18", 1, {"next_turn_from": "move"}, "hand is empty"),
        ("wayfaring", 5, {}, "does not support 5 players; it is for 2 to 4 players"),
        ("wayfaring", 2, {"fainting": "sleep"}, "does not allow 'sleep'"),
        ("wayfaring", 2, {"faintin": "rest"}, "did you mean 'fainting'"),
        ("xanadu", 2, {}, "does not support 2 players"),
        ("xanadu", 3, {"hurry": "on"}, "has no option 'hurry'"),
        ("xanadu", 3, {"style": "standart"}, "does not allow 'standart'; it can be standard, advanced"),
        ("xanadu", 3, {"daily_triggers": 1}, "daily_triggers does not allow '1'"),
        ("xanadu", 5, {"growth_layout": "twelve", "dispatch_total": 55}, "need 60 dispatch workers"),
        ("xanadu", 3, {"daily_model": "hybrid"}, "daily_model: hybrid can't be played"),
    ],
)  # fmt: skip
def test_options_that_cannot_be_played_are_refused(name: str, players: int, options: Options, told: str) -> None:
    with pytest.raises(ProblemsFound) as found:
        RULES[name].box(workshop(name).game, players, options)
    assert told in str(found.value)


@pytest.mark.parametrize(
    ("name", "players", "options", "problems"),
    [
        ("fortuna", 5, {"nothing": 1}, 2),
        ("journey18", 3, {"items": ["lamp"], "yelow": 1}, 3),
        ("journey8", 5, {"evnts": "none", "pass": "never", "key_end": True}, 4),
    ],
)
def test_all_problems_of_options_are_told_at_once(name: str, players: int, options: Options, problems: int) -> None:
    with pytest.raises(ProblemsFound) as found:
        RULES[name].box(workshop(name).game, players, options)
    assert len(found.value.problems) == problems
