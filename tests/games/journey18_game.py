"""The game journey18 and ways to change it, for the tests that hold its data against its draft."""

from pathlib import Path

from shipped_games import workshop

from generator.game.model import Game
from generator.game.project import find_project

HERE = Path(__file__).parent
PROJECT = find_project(HERE)
SUITS = ("red", "green", "blue", "yellow", "white")


def loaded() -> Game:
    return workshop("journey18").game
