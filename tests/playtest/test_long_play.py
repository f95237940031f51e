"""Playing for long: how far it is is told, Ctrl+C leaves a report, and the same command goes on from there."""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Ran
from plans import carry_out
from small_games import OPENER
from tests_support import TinyProject, quick

from generator.base.cache import Store
from generator.checks import validation_games
from generator.checks.check_report import Check
from generator.checks.game_checks import STOPPED
from generator.checks.validation_games import ValidationPlay
from generator.commands import validate as command
from generator.commands.validate import ValidationResult
from generator.game.game_cache import GameCache, ReadLog
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.play import batch
from generator.play.batch import GamePlan, PlanRow, run_plan, split_plan
from generator.play.tally import Tally

Pnp = Callable[..., Ran]
PLAN = GamePlan({(2, "random"): 600, (3, "greedy"): 50})


@pytest.mark.parametrize(("lots", "processes"), quick(product([0, 1, 3, 5], [1, 2]), (0, 1), (3, 1), (3, 2)))
def test_games_stopped_anywhere_go_on(lots: int, processes: int) -> None:
    tallies: dict[PlanRow, Tally] = {}
    course = run_plan(PLAN, OPENER, processes, tallies)
    assert [next(course) for _ in range(lots)] == [(lot, 6) for lot in range(1, lots + 1)]
    course.close()
    left = sum(piece.games for piece in split_plan(PLAN, tallies))
    assert left == 650 - sum(tally.games for tally in tallies.values())
    assert list(run_plan(PLAN, OPENER, processes, tallies))[-1] == (6 - lots, 6 - lots)
    assert tallies == carry_out(PLAN, OPENER, 1)


def test_more_games_go_on_from_fewer() -> None:
    tallies: dict[PlanRow, Tally] = {}
    for games in (130, 600):
        for _ in run_plan(GamePlan({(2, "random"): games}), OPENER, 1, tallies):
            pass
    assert tallies == carry_out(GamePlan({(2, "random"): 600}), OPENER, 1)


class Rehearsed:
    """journey8 between bots, with a store, and Ctrl+C after some lots of games."""

    def __init__(self, there: Path, monkeypatch: pytest.MonkeyPatch):
        self.project, self.told, self.lots = find_project(ROOT), list[str](), 0
        self.game: Game = load_game(self.project.find_folder("journey8"), self.project.resources)
        self._store, self._patch = Store(there / "kept"), monkeypatch

    def played(self, games: int, stop_after: int = 99) -> tuple[Check, ...]:
        """The checks that playing gives."""

        def stopping(*arguments: Any) -> Iterator[tuple[int, int]]:
            for lot in batch.run_plan(*arguments):
                self.lots += 1
                yield lot
                if lot[0] == stop_after:
                    raise KeyboardInterrupt

        self._patch.setattr(validation_games, "run_plan", stopping)
        asked = ValidationPlay(games=games, processes=1, told=self.told.append)
        kept = GameCache(self._store, "here", self.game, ReadLog())
        return validation_games.add_game_checks(
            self.game, self.project.find_folder("journey8"), self.project.root, asked, (), kept
        )


def test_a_report_of_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C leaves checks of the games so far and one that says so; the next time they are as if nothing had been."""
    here = Rehearsed(tmp_path / "here", monkeypatch)
    whole = here.played(40)
    lots = here.lots
    again = Rehearsed(tmp_path / "again", monkeypatch)
    stopped = again.played(40, stop_after=2)
    assert [check.id for check in whole if check.id == STOPPED] == []
    (said,) = (check for check in stopped if check.id == STOPPED)
    assert said.status == "undecided"
    assert said.figures.endswith(" games; the same command goes on from there")
    assert again.played(40) == whole
    assert again.lots == lots, "no lot was played twice"


def test_how_far_it_is_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each lot of games it is said how many there are and how long the others take; at the end nothing stands."""
    here = Rehearsed(tmp_path, monkeypatch)
    here.played(20)
    assert here.told[-1] == ""
    assert here.told[0].startswith(f"journey8: 1 of {here.lots} lots of games, ")
    assert here.told[-2] == f"journey8: {here.lots} of {here.lots} lots of games, 0 s left"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (89, "89 s"), (90, "2 min"), (3600, "60 min"), (9000, "2.5 h")]
)
def test_times_in_words(seconds: float, said: str) -> None:
    assert validation_games._format_duration(seconds) == said


def test_ctrl_c_is_told_by_the_exit_code(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        command, "validate_games", lambda *_a, **_o: ValidationResult("so far\n", failed=True, stopped=True)
    )
    ran = pnp("validate", "--games", "1000")
    assert (ran.code, ran.out) == (130, "so far\n")
