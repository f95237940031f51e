"""Fortuna's data and boxes for the tests of its play."""

from typing import Any

import engine_laws as laws
from shipped_games import workshop

from generator.game.model import Game
from generator.rules.engine.contract import Box
from generator.rules.fortuna.rules import RULES


def loaded() -> Game:
    return workshop("fortuna").game


def boxes(**options: Any) -> list[Box]:
    return laws.boxes_of(RULES, loaded(), options)
