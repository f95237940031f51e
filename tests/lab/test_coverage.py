"""Coverage counts what games reach, names the shortest, and looks for positions before it gives up."""

from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import PROJECT, game_and_rules
from tests_support import enter

from generator.lab.arms import arm_options
from generator.lab.chunks import Cell
from generator.lab.coverage import (
    BRANCH,
    SWITCH,
    NotedFacts,
    RuleProbe,
    SituationSearch,
    list_branches,
    list_option_sets,
)
from generator.lab.experiment import make_reading_arms
from generator.rules.engine.kernel import INTERPRETED, CompiledMode
from generator.rules.engine.table import Seed

from urn_project import UrnProject  # isort: skip

GAME, RULES = game_and_rules("journey18")
ARMS = {arm.name: arm_options(arm, GAME) for arm in make_reading_arms(GAME, RULES)[1:]}


def test_facts_note_what_is_read() -> None:
    facts = NotedFacts({"seen": 1, "watched": 2, "row": [3, 4]}, ["watched", "row"])
    assert (facts.record.seen, facts.seen) == (1, set())
    assert (facts.record.watched, facts.record.row[1], facts.seen) == (2, 4, {"watched", "row"})


def test_a_game_reaches_a_reading_where_it_differs() -> None:
    """A reading of how the white pawn loops differs in every game; one of an item's points needs the item and a win."""
    probe = RuleProbe(RULES, GAME, Cell(1, ("random",)), ARMS)
    found = [probe.play_game(Seed(1, game)) for game in range(3)]
    assert all((SWITCH, "E13 optional") in one for one in found)
    assert not any((SWITCH, "E2 item_text") in one for one in found)
    assert [*found[0]] == [*RuleProbe(RULES, GAME, Cell(1, ("random",)), ARMS).play_game(Seed(1, 0))]


def test_branches_are_those_that_run() -> None:
    """Each branch that a game runs through is in the rules, and its function was entered."""
    branches = list_branches(RULES)
    probe = RuleProbe(RULES, GAME, Cell(1, ("random",)), {}, branches)
    passed = [branches[int(name)] for kind, name in probe.play_game(Seed(1, 0)) if kind == BRANCH]
    assert len(passed) > 20
    assert {(one.file, *one.whole) for one in passed} <= probe.entered
    assert len({one.name for one in branches}) > 0.9 * len(branches)
    assert any(one.text == "if s.passed == 0:" for one in passed), "its only line calls a part of the story"


def test_branches_include_the_deal_and_the_end() -> None:
    """The deal counts as move 0; points and places are counted once a game is over."""
    game, rules = game_and_rules("journey8")
    branches = list_branches(rules)
    probe = RuleProbe(rules, game, Cell(2, ("random",) * 2), {}, branches)
    dealt = probe.deal_game(Seed(1, 0))[0]
    played = probe.play_game(Seed(1, 0))
    assert dealt and set(dealt.values()) == {0} and dealt.items() <= played.items()
    entered = {one.function for one in branches if (one.file, *one.whole) in probe.entered}
    assert {"deal", "score", "rank_seats"} <= entered


@pytest.mark.slow
def test_bots_may_play_in_another_mode(tmp_path: Path) -> None:
    """Machine code plays the same games, so they reach the same."""
    pytest.importorskip("numba")
    cell, found = Cell(1, ("greedy",)), []
    for mode in (INTERPRETED, CompiledMode(str(tmp_path))):
        probe = RuleProbe(RULES, GAME, cell, ARMS, list_branches(RULES), mode)
        found.append([probe.play_game(Seed(1, game)) for game in range(2)])
    assert found[0] == found[1]


def test_positions_are_looked_for() -> None:
    """The camera's points matter in an example; what changes no position is not found."""
    arms = {name: ARMS[name] for name in ("E2 item_text", "E1 full")} | {"nothing": {}}
    found = SituationSearch(RULES, GAME, arms).find_reasons(arms)
    assert found["E2 item_text"].startswith("example X28") and "nothing" not in found
    assert list_option_sets(GAME) == ("items=[tent,map,camera,lantern,radio,rucksack]",)


def test_the_command_tells_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    """Readings and gaps are listed each, the rest where no game reaches it; --all lists it all."""
    made = UrnProject(tmp_path / "project")
    made.change("data/urn/rules.py", '"red": red}', '"red": red + 2 * (options.get("ball") == "away")}')
    rules = made.root / "data/urn/rules.py"
    made.write(
        "data/urn/rules.py", f"{rules.read_text()}\n\n@kernel\ndef idle(s):\n    if s.over:\n        s.over = 1\n"
    )
    enter(made, monkeypatch)
    asked = ("lab", "coverage", "urn", "--trust-rules", "--games", "8", "--executor", "processes:1")
    told = pnp(*asked, code=0).out
    assert told.startswith("urn, draft 1: 18 games at 3 tables, 200 further deals\n")
    assert "readings: 1 of 2 reached\n" in told and "E2 youngest  no game   no rule reads it\n" in told
    assert "E1 away      12 games  after " in told
    assert "  Play enters none of these functions: idle\n" in told
    assert len(pnp(*asked, "--all", code=0).out) > len(told)


def test_an_examples_table_is_played_though_another_reading_does_not_fit_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp
) -> None:
    made = UrnProject(tmp_path / "project")
    made.change(
        "data/urn/game.yaml",
        "readings:",
        "examples: [{id: X, players: 2, options: {first: youngest}, expect: {over: false}}]\nreadings:",
    )
    fits = 'if options.get("ball") == "away" and '
    made.change("data/urn/rules.py", f"{fits}len", f'{fits}(options.get("first") == "youngest" or len')
    made.change("data/urn/rules.py", '["rounds"]:', '["rounds"]):')
    enter(made, monkeypatch)
    told = pnp("lab", "coverage", "urn", "--trust-rules", "--games", "8", "--executor", "processes:1", code=0).out
    assert told.startswith("urn, draft 1: 19 games at 4 tables, 200 further deals\n")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--bot", "gready"), "unknown bot 'gready'; did you mean 'greedy'?"),
        (("--players", "9"), "journey18 does not support 9 players; it is for 1 to 1 players"),
        (("--games", "0"), "Invalid value for '--games': 0 is not in the range 1<=x<=100000."),
    ],
)
def test_wrong_orders(pnp: Pnp, room: Path, more: tuple[str, ...], said: str) -> None:
    ran = pnp("lab", "coverage", "journey18", *more, "--project", str(PROJECT.root))
    assert ran.code and said in ran.err
