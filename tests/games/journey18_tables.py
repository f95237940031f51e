"""Tables at which journey18 is tested: any options, any situation, moves by their notation."""

from itertools import combinations
from typing import Any

from shipped_games import workshop

from generator.rules.engine.contract import Box
from generator.rules.engine.table import Seed, Table
from generator.rules.journey18.rules import RULES

GAME = workshop("journey18").game
SUITS = ("red", "green", "blue", "yellow", "white")
ITEMS = ("lantern", "map", "radio", "camera", "rucksack", "tent")
CHOICES = [taken for number in range(len(ITEMS) + 1) for taken in combinations(ITEMS, number)]
SWITCHES = [
    (reading.switch, value)
    for reading in GAME.readings.values()
    if reading.switch
    for value in reading.choices
    if value != reading.value and f"{reading.switch}: {value}" not in RULES.unplayable
]
WITH_LETTERS = {"phase": "event", "solved": ["green", "blue"], "white": 3, "black": [2, 5]}


def box(**options: Any) -> Box:
    return RULES.box(GAME, 1, options)


def arranged(given: dict[str, Any], **options: Any) -> Table:
    return Table.arrange(RULES, box(**options), Seed(0), given)


def written(table: Table) -> list[str]:
    return [table.write_move(move) for move in table.list_legal_moves()]


def after(table: Table, *moves: str) -> Table:
    for text in moves:
        table.apply({table.write_move(move): move for move in table.list_legal_moves()}[text])
    return table


def asked(table: Table, question: str) -> Any:
    head, *words = question.split()
    return RULES.ask(table.state, table.box, head, tuple(words))
