"""Draft 8 as its data folder describes it, and situations to try its rules in."""

from collections.abc import Mapping
from typing import Any

from shipped_games import workshop

from generator.games.engine.table import Seed, Table
from generator.games.journey8.rules import RULES
from generator.playtest.examples import find_move

GAME = workshop("journey8").game


def arranged(players: int, options: Mapping[str, Any] | None = None, **situation: Any) -> Table:
    """A situation as an example gives it."""
    return Table.arranged(RULES, RULES.box(GAME, players, options or {}), Seed(0), situation)


def do(table: Table, *moves: str) -> Table:
    """Moves in notation."""
    for move in moves:
        table.apply(find_move(table, move))
    return table
