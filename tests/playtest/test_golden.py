"""One whole game of every game and number of players is as it was: a rule that plays differently shows as a diff."""

from collections.abc import Callable
from functools import cache

import pytest
from conftest import GOLDEN, ROOT

from generator.games.contract import Rules
from generator.games.registry import rules_of
from generator.games.table import Seed, Table
from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import Game
from generator.playtest.sitting import Sitting
from generator.playtest.transcript import transcript

PROJECT = find_project(ROOT)
BOT, SEED = "random", Seed(1, 1)


@cache
def opened(name: str) -> tuple[Game, Rules | None]:
    """A game with its rules."""
    game = load_game(PROJECT.folder(name), PROJECT.resources)
    return game, rules_of(game)


CASES = [(name, players) for name in PROJECT.games if opened(name)[1] for players in opened(name)[0].players]


def file_of(name: str, players: int) -> str:
    """Where the game is kept."""
    return f"{name}-{players}.txt"


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_whole_game_is_as_it_was(name: str, players: int, golden: Callable[[str, str], None]) -> None:
    """The first random game of run 1, told in the game's languages in turn."""
    game, rules = opened(name)
    assert rules is not None
    sitting = Sitting(Table(rules, rules.box(game, players, {}), SEED), (), BOT)
    lang = game.languages[players % len(game.languages)]
    for _ in sitting.bots_play(lang):
        pass

    assert sitting.table.over
    golden(file_of(name, players), transcript(sitting.table, lang))


def test_there_is_one_for_each_game_and_number_of_players() -> None:
    """None is missing, and none is left over from a game that isn't there."""
    assert {name for name, _ in CASES} == set(PROJECT.games), "every game that ships can be played"
    assert {path.name for path in GOLDEN.glob("*-?.txt")} == {file_of(*case) for case in CASES}
