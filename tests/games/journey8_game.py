"""Draft 8 as its data folder describes it, and situations to try its rules in."""

from collections.abc import Mapping
from typing import Any

from shipped_games import workshop

from generator.play.example_runs import find_move
from generator.rules.engine.table import Seed, Table
from generator.rules.journey8.rules import RULES

GAME = workshop("journey8").game


def arranged(players: int, options: Mapping[str, Any] | None = None, **situation: Any) -> Table:
    return Table.arrange(RULES, RULES.box(GAME, players, options or {}), Seed(0), situation)


def do(table: Table, *moves: str) -> Table:
    for move in moves:
        table.apply(find_move(table, move))
    return table
