"""Draft 8 as its data folder describes it, and situations to try its rules in."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.games.engine.table import Seed, Table
from generator.games.journey8.rules import RULES
from generator.load.game import load_game
from generator.load.project import find_project
from generator.playtest.examples import find_move

PROJECT = find_project(Path(__file__).parents[2])
GAME = load_game(PROJECT.folder("journey8"), PROJECT.resources)


def arranged(players: int, options: Mapping[str, Any] | None = None, **situation: Any) -> Table:
    """A situation as an example gives it."""
    return Table.arranged(RULES, RULES.box(GAME, players, options or {}), Seed(0), situation)


def do(table: Table, *moves: str) -> Table:
    """Moves in notation."""
    for move in moves:
        table.apply(find_move(table, move))
    return table
