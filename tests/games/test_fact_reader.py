"""A game's rules learn everything that is wrong with their facts in one pass, with its place."""

import pytest
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.rules.engine.facts import FactReader

RULES = """
rules:
  hand: 7
  draw: none
  discard:
  steps: [1, 2, x]
  prices: {tea: 3, silk: 5}
  best: tee
  rounds:
    - {players: 2, most: 9}
    - {players: 3, longest: 9}
readings:
  - {id: E1, passage: some, problem: Which?, reading: This., switch: ten_valeu, value: zero}
"""


def reader(project: TinyProject) -> FactReader:
    """A reader of the tiny game with the rules above."""
    project.write("data/tiny/rules.yaml", RULES)
    found = find_project(project.root)
    return FactReader(load_game(found.find_folder("tiny"), found.resources))


def test_facts_of_every_kind_are_read(tiny: TinyProject) -> None:
    facts = reader(tiny)
    assert facts.read_whole("hand") == 7
    assert facts.read_whole("prices", "silk") == 5
    assert facts.read_wholes("steps") == ()
    prices = facts.read_table("prices")
    assert prices == {"tea": 3, "silk": 5}
    assert facts.read_name("prices", known=prices) == ""
    clean = reader(tiny)
    assert clean.read_rows("rounds", columns=("players",)) == ({"players": 2}, {"players": 3})
    assert clean.read_switches(("ten_valeu",)) == {"ten_valeu": "zero"}
    clean.raise_problems()


def test_every_problem_is_told_at_once(tiny: TinyProject) -> None:
    """Missing, empty, misspelt and malformed facts, each with file and line and a way out."""
    facts = reader(tiny)
    facts.read_whole("hnad")
    facts.read_whole("draw")
    facts.read_whole("discard")
    facts.read_whole("hand", least=8)
    facts.read_wholes("steps")
    facts.read_wholes("prices")
    facts.read_table("steps")
    facts.read_name("best", known=facts.read_table("prices"))
    facts.read_rows("rounds", columns=("players", "most"))
    facts.read_rows("hand", columns=("players",))
    facts.read_switches(("ten_value",))

    with pytest.raises(ProblemsFound) as found:
        facts.raise_problems()
    assert [str(problem).removeprefix("data/tiny/rules.yaml:") for problem in found.value.problems] == [
        "3:3: rules.hnad is missing, and the rules of tiny need it; did you mean 'hand'?",
        "3:9: rules.hand must be a list of rows; write each row as `- {name: 1, other: 2}`",
        "3:9: rules.hand must be a whole number, 8 or more; write digits only",
        "4:9: rules.draw must be a whole number, 0 or more; write digits only",
        "5:11: rules.discard must be a whole number, 0 or more; write digits only",
        "6:10: rules.steps must be a list of whole numbers; write it as [1, 2, 3]",
        "6:10: rules.steps must be whole numbers by name; write it as {name: 1, other: 2}",
        "7:11: rules.prices must be a list of whole numbers; write it as [1, 2, 3]",
        "8:9: rules.best is 'tee'; did you mean 'tea'?",
        "11:7: most in entry 2 of rules.rounds is missing, and the rules of tiny need it; known: longest, players",
        "13:3: no reading has the switch 'ten_value', which these rules need; add `switch: ten_value` to its reading",
        "13:5: E1 has the switch 'ten_valeu', which these rules do not know; did you mean 'ten_value'?",
    ]
