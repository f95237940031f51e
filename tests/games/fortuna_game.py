"""Fortuna's data and boxes for the tests of its play."""

from functools import cache
from pathlib import Path
from typing import Any

import engine_laws as laws

from generator.games.engine.contract import Box
from generator.games.fortuna.rules import RULES
from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import Game


@cache
def loaded() -> Game:
    """Fortuna as its data folder describes it."""
    project = find_project(Path(__file__).parent)
    return load_game(project.folder("fortuna"), project.resources)


def boxes(**options: Any) -> list[Box]:
    """A box for each number of players."""
    return laws.boxes_of(RULES, loaded(), options)
