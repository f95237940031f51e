"""The game journey18 and ways to change it, for the tests that hold its data against its draft."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from game_changes import Change
from shipped_games import workshop

from generator.game.model import Game
from generator.game.project import find_project

HERE = Path(__file__).parent
PROJECT = find_project(HERE)
SUITS = ("red", "green", "blue", "yellow", "white")


def loaded() -> Game:
    return workshop("journey18").game


def rule(*path: str, to: Any) -> Change:
    """The game with another value in its rules."""

    def changed(values: Any, steps: tuple[str, ...]) -> Any:
        assert steps[0] in values
        inner = changed(values[steps[0]], steps[1:]) if len(steps) > 1 else to
        return {**values, steps[0]: inner}

    return lambda game: replace(game, sections={**game.sections, "rules": changed(game.sections["rules"], path)})
