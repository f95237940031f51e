"""A game in two languages whose cards stand in a table, for tests that change the table and look what is said."""

from pathlib import Path

import pytest

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project

GAME = """\
format: 1
title: {ja: 凧, en: Kites}
draft: 1
date: 2026-01-31
languages: [ja, en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
icons:
  sun: {name: {ja: 日, en: Sun}}
  moon: {name: {ja: 月, en: Moon}}
operations:
  gain: {takes: {n: integer}, says: {ja: 得, en: Gain}}
components:
  kite:
    name: {ja: 凧, en: Kite}
    size: [40, 60]
    front: kite
    fields:
      title: words
      value: {type: integer, min: 0, max: 9, optional: true}
      kind: {type: icon, optional: true}
      kinds: {type: list, of: icon, optional: true}
      notes: {type: list, of: text, optional: true}
      lines: {type: list, of: words, optional: true}
      note: {type: text, optional: true}
      text: {type: words, optional: true}
      wild: {type: boolean, optional: true}
      weight: {type: number, optional: true}
      code: {type: choice, choices: [1, "2", 2, red], optional: true}
      effects: {type: effects, optional: true}
    designs: kites.csv
fonts:
  body: {ja: {regular: [x.ttf]}, en: {regular: [x.ttf]}}
"""
TABLE = "data/kites/kites.csv"


class TablesProject:
    """A folder with the game; its table is written by each test."""

    def __init__(self, root: Path):
        self.root = root
        self.write("data/kites/game.yaml", GAME)

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the project; its rows end as they are given."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def change(self, old: str, new: str) -> None:
        """Replace what stands once in the game's YAML."""
        path = self.root / "data/kites/game.yaml"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        self.write("data/kites/game.yaml", text.replace(old, new))

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


@pytest.fixture
def kites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TablesProject:
    """The game in an empty folder, which is the current one."""
    project = TablesProject(tmp_path / "project")
    monkeypatch.chdir(project.root)
    return project
