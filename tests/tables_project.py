"""A game in two languages whose cards stand in a table, for tests that change the table and look what is said."""

from pathlib import Path

import pytest
from tests_support import ProjectFolder, project_files

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project

GAME = project_files("kites")["data/kites/game.yaml"]
TABLE = "data/kites/kites.csv"


class TablesProject(ProjectFolder):
    """A folder with the game; its table is written by each test."""

    def __init__(self, root: Path):
        super().__init__(root, "kites")

    def change(self, old: str, new: str) -> None:  # type: ignore[override]
        """Replace what stands once in the game's YAML."""
        super().change("data/kites/game.yaml", old, new)

    def load(self, table: str | bytes | None = None, name: str = TABLE) -> Game:
        """The game, with this table."""
        if table is not None:
            self.write(name, table)
        found = find_project(self.root)
        return load_game(found.find_folder("kites"), found.resources)

    def problems(self, table: str | bytes | None = None, name: str = TABLE) -> list[str]:
        """What is said of this table, without the game's folder."""
        with pytest.raises(ProblemsFound) as found:
            self.load(table, name)
        return [str(problem).removeprefix("data/kites/") for problem in found.value.problems]
