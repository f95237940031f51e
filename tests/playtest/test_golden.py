"""Whole games are as they were: one of each number of players to be read, and many more as marks, turn by turn.

A change of rules rewrites both: `pytest tests/playtest/test_golden.py --update-golden`, and read the diff.
"""

from collections.abc import Callable
from functools import cache

import game_marks
import pytest
from conftest import GOLDEN, ROOT
from shipped_games import workshop
from tests_support import quick

from generator.game.model import Game
from generator.game.project import find_project
from generator.play.human_game import HumanGame
from generator.play.table_text import write_transcript
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import Seed, Table
from generator.rules.registry import load_rules

PROJECT = find_project(ROOT)
BOT, SEED = "random", Seed(1, 1)


@cache
def opened(name: str) -> tuple[Game, Rules | None]:
    game = workshop(name).game
    return game, load_rules(game)


CASES = [(name, players) for name in PROJECT.games if opened(name)[1] for players in opened(name)[0].players]


def file_of(name: str, players: int) -> str:
    return f"{name}-{players}.txt"


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_whole_game_is_as_it_was(name: str, players: int, golden: Callable[[str, str], None]) -> None:
    """The first random game of run 1, told in the game's languages in turn."""
    game, rules = opened(name)
    assert rules is not None
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
    """Games by random and greedy bots, and one for each other reading: the first that differs is told with its turn."""
    game, rules = opened(name)
    assert rules is not None
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
