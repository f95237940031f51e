"""Games that were recorded are played again move by move; long play goes on where it was stopped."""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import game_marks
import pytest
from conftest import GOLDEN, ROOT, Pnp
from plans import carry_out
from shipped_games import game_and_rules
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
from generator.play.human_game import HumanGame
from generator.play.table_text import write_transcript
from generator.play.tally import Tally
from generator.rules.engine.table import Seed, Table

PROJECT = find_project(ROOT)
BOT, SEED = "random", Seed(1, 1)


CASES = [(name, players) for name in PROJECT.games for players in game_and_rules(name)[0].players]


def file_of(name: str, players: int) -> str:
    return f"{name}-{players}.txt"


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_whole_game_is_as_it_was(name: str, players: int, golden: Callable[[str, str], None]) -> None:
    """The first random game of run 1, told in the game's languages in turn."""
    game, rules = game_and_rules(name)
    sitting = HumanGame(Table(rules, rules.box(game, players, {}), SEED), (), BOT)
    lang = game.languages[players % len(game.languages)]
    for _ in sitting.play_bots(lang):
        pass
    assert sitting.table.is_over
    golden(file_of(name, players), write_transcript(sitting.table, lang))


def test_there_is_one_for_each_game_and_number_of_players() -> None:
    assert {name for name, _ in CASES} == set(PROJECT.games), "every game that ships can be played"
    assert {path.name for path in GOLDEN.glob("*-?.txt")} == {file_of(*case) for case in CASES}


def marks_of(name: str) -> str:
    return f"{name}-marks.txt"


@pytest.mark.parametrize("name", quick(PROJECT.games, *(name for name in PROJECT.games if name != "xanadu")))
def test_many_games_are_as_they_were(
    name: str, golden: Callable[[str, str], None], request: pytest.FixtureRequest
) -> None:
    game, rules = game_and_rules(name)
    lines = list(game_marks.record(game, rules))
    path = GOLDEN / marks_of(name)
    before = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    if not request.config.getoption("--update-golden"):
        told = game_marks.difference(name, before, lines)
        assert not told, told
    golden(marks_of(name), "\n".join(lines) + "\n")


def test_a_rule_that_changes_is_told_with_game_and_turn() -> None:
    before = ["3 players, random, 1/0:", "  aaaa bbbb cccc dddd", "4 players, random, 1/0, x=true: eeee"]  # fmt: skip
    other_turn = [before[0], "  aaaa bbbb 0000 1111", before[2]]
    other_end = [*before[:2], "4 players, random, 1/0, x=true: ffff"]

    assert not game_marks.difference("tiny", before, before)
    assert game_marks.difference("tiny", before, other_turn) == (
        "3 players, random, 1/0: plays differently from turn 3 on; to see it: "
        "pnp play tiny --players 3 --bot random --seed 1/0 --bots-only --transcript"
    )
    assert game_marks.difference("tiny", before, other_end) == (
        "4 players, random, 1/0, x=true: plays differently somewhere; to see it: "
        "pnp play tiny --players 4 --bot random --seed 1/0 --option x=true --bots-only --transcript"
    )
    assert game_marks.difference("tiny", before, before[:2]).startswith("4 players, random, 1/0, x=true: ")


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


@pytest.mark.slow
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
