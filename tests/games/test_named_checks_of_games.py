"""The named checks of each game hold for its data, say what they computed, and fail when the data stop agreeing.

Each game has a module of changes, `<game>_cases.py`, with tables of them.
"""

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from game_changes import Change, result, results
from shipped_games import GAMES, workshop

from generator.base.errors import ProblemsFound
from generator.game.model import Game

CASES = {name: import_module(f"{name}_cases") for name in GAMES}


def rows_of(table: str, *more: str) -> list[Any]:
    """The rows of a table of all games, each after its game's name and with what is said `more` of all of them."""
    return [
        pytest.param(
            name, *row, *more, id=f"{name}-{number}-{row[0]}" if isinstance(row[0], str) else f"{name}-{number}"
        )
        for name, cases in CASES.items()
        for number, row in enumerate(getattr(cases, table, ()))
    ]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("fortuna", {"pass": 21, "undecided": 11}),
        ("journey18", {"pass": 21, "finding": 4, "undecided": 10}),
        ("journey8", {"pass": 16, "finding": 4, "undecided": 15}),
        ("wayfaring", {"pass": 20, "finding": 11, "undecided": 17}),
        ("xanadu", {"pass": 53, "finding": 12, "undecided": 17}),
    ],
)
def test_checks_agree_or_are_findings_about_the_draft(name: str, numbers: dict[str, int]) -> None:
    """No check fails; those that disagree with the draft name an unclear passage; others wait for games to be played."""
    game, cases = workshop(name).game, CASES[name]
    status = {check: state for check, (state, _) in results(game).items()}
    assert {check for check in status if status[check] == "finding"} == set(cases.FINDINGS)
    assert {spec.id: spec.reading for spec in game.checks if spec.reading} == {**cases.FINDINGS, **cases.READINGS}
    assert {check for check in status if status[check] == "undecided"} == {s.id for s in game.checks if s.undecided}
    assert Counter(status.values()) == numbers


FIGURES = yaml.safe_load((Path(__file__).parent / "figures.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "check", "figures"), [(name, *row) for name, checks in FIGURES.items() for row in checks.items()]
)
def test_figures_are_those_that_follow_by_hand(name: str, check: str, figures: str) -> None:
    assert result(workshop(name).game, check)[1] == figures


@pytest.mark.parametrize(("name", "check", "change", "figures"), rows_of("FAILS"))
def test_each_check_fails_on_data_that_break_it(name: str, check: str, change: Change, figures: str) -> None:
    status, shown = result(change(workshop(name).game), check)
    assert figures in shown
    assert status == "fail", shown


@pytest.mark.parametrize(("name", "check", "change"), rows_of("SETTLED"))
def test_a_finding_goes_when_the_draft_agrees(name: str, check: str, change: Change) -> None:
    assert result(workshop(name).game, check)[0] == "finding"
    assert result(change(workshop(name).game), check)[0] == "pass"


@pytest.mark.parametrize(("name", "check", "change"), rows_of("HOLDS"))
def test_a_check_holds_up_to_its_bound(name: str, check: str, change: Change) -> None:
    assert result(change(workshop(name).game), check)[0] == "pass"


@pytest.mark.parametrize("name", GAMES)
def test_every_check_can_fail(name: str) -> None:
    """The tables above name all checks that the data decide, so that none holds for want of anything to look at."""
    tried = {row[0] for table in ("FAILS", "SETTLED") for row in getattr(CASES[name], table, ())}
    assert tried == {spec.id for spec in workshop(name).game.checks if not spec.undecided}


@pytest.mark.parametrize(("name", "change", "read", "message"), rows_of("MALFORMED"))
def test_malformed_facts_are_told_with_a_way_out(
    name: str, change: Change, read: Callable[[Game], object], message: str
) -> None:
    with pytest.raises(ProblemsFound) as found:
        read(change(workshop(name).game))
    assert message in str(found.value)
    assert all(problem.place is not None for problem in found.value.problems)
