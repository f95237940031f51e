"""The Wayfaring Book and ways to change it, for the tests that hold its data against its rules."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from game_changes import Change
from shipped_games import workshop

from generator.game.model import Effect, Game
from generator.game.project import find_project

PROJECT = find_project(Path(__file__).parent)
GAME = "wayfaring"


def loaded() -> Game:
    return workshop(GAME).game


def effect(op: str, **values: Any) -> Effect:
    """An operation with the values that it takes, as the data give it."""
    return Effect(op, values)


def without_rule(*path: str) -> Change:
    """The game with a value of its rules missing."""

    def less(values: Any, steps: tuple[str, ...]) -> Any:
        if len(steps) == 1:
            assert steps[0] in values
            return {name: value for name, value in values.items() if name != steps[0]}
        return {**values, steps[0]: less(values[steps[0]], steps[1:])}

    return lambda game: replace(game, sections={**game.sections, "rules": less(game.sections["rules"], path)})
