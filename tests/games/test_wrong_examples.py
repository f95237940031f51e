"""Wrong examples, impossible situations and unplayable options of the five games are told in words."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from shipped_games import GAMES, workshop

from generator.base.errors import ProblemsFound
from generator.game.model import Example
from generator.play.example_runs import find_example_faults
from generator.rules.engine.contract import Options
from generator.rules.registry import load_rules

WRONG = yaml.safe_load((Path(__file__).parent / "wrong_examples.yaml").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize(("name", "example", "changes", "told"), WRONG["examples"])
def test_a_faulty_example_is_told(name: str, example: str, changes: dict[str, Any], told: str) -> None:
    (found,) = (known for known in workshop(name).game.examples if known.id == example)
    faults = find_example_faults(workshop(name).game, RULES[name], replace(found, **changes))
    assert any(told in fault for fault in faults), faults


@pytest.mark.parametrize(("name", "players", "given", "told"), WRONG["situations"])
def test_a_situation_that_cannot_be_is_refused(name: str, players: int, given: dict[str, Any], told: str) -> None:
    example = Example("X", None, players, {}, given, (), {"over": False})
    (fault,) = find_example_faults(workshop(name).game, RULES[name], example)
    assert fault.startswith("given: ")
    assert told in fault


@pytest.mark.parametrize(("name", "players", "options", "told"), WRONG["options"])
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
