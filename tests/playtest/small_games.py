"""The small game of tests/games for the tests of playing it, and how another process opens it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "games"))

import higher
from test_table import BOXES, GAME, game

from generator.game.model import Game
from generator.rules.engine.contract import Rules

__all__ = ["BOXES", "GAME", "OPENER", "higher"]


def OPENER() -> tuple[Game, Rules]:  # noqa: N802 - a constant that is a function
    return game(), higher.RULES
