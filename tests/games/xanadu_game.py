"""The game Xanadu and ways to change it, for the tests that hold its data against its draft."""

from dataclasses import replace
from pathlib import Path

from game_changes import Change

from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project

PROJECT = Path(__file__).parents[2]


def loaded(project: Path = PROJECT) -> Game:
    """Xanadu as the data folder of a project describes it."""
    found = find_project(project)
    return load_game(found.find_folder("xanadu"), found.resources)


def settled(*paths: str) -> Change:
    """The game after its designer has taken values over: they are no proposals of ours any more."""
    return lambda game: replace(game, marks={path: mark for path, mark in game.marks.items() if path not in paths})
