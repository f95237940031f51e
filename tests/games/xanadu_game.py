"""The game Xanadu and ways to change it, for the tests that hold its data against its draft."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from game_changes import Change

from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project

PROJECT = Path(__file__).parents[2]


def loaded(project: Path = PROJECT) -> Game:
    """Xanadu as the data folder of a project describes it."""
    found = find_project(project)
    return load_game(found.find_folder("xanadu"), found.resources)


def rule(*path: str, **values: Any) -> Change:
    """The game with other values in its rules, or in a table of them."""

    def changed(table: Any, steps: tuple[str, ...]) -> Any:
        if not steps:
            return {**table, **values}
        assert steps[0] in table
        return {**table, steps[0]: changed(table[steps[0]], steps[1:])}

    return lambda game: replace(game, sections={**game.sections, "rules": changed(game.sections["rules"], path)})


def position(name: str, **values: Any) -> Change:
    """The game with a place of the map changed."""

    def change(game: Game) -> Game:
        entries = game.sections["rules"]["map"]["positions"]
        assert name in [entry["id"] for entry in entries]
        changed = tuple({**entry, **values} if entry["id"] == name else entry for entry in entries)
        return rule("map", positions=changed)(game)

    return change


def zone(number: int, **values: Any) -> Change:
    """The game with other VP for a zone."""

    def change(game: Game) -> Game:
        rows = game.sections["rules"]["majority"]
        return rule(majority=tuple({**row, **values} if row["zone"] == number else row for row in rows))(game)

    return change


def stock(players: int, **values: Any) -> Change:
    """The game with another row in the table of what set-up leaves."""

    def change(game: Game) -> Game:
        rows = game.sections["rules"]["limits"]["table"]
        changed = tuple({**row, **values} if row["players"] == players else row for row in rows)
        return rule("limits", table=changed)(game)

    return change


def settled(*paths: str) -> Change:
    """The game after its designer has taken values over: they are no proposals of ours any more."""
    return lambda game: replace(game, marks={path: mark for path, mark in game.marks.items() if path not in paths})
