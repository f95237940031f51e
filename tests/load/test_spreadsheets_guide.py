"""docs/spreadsheets.md: every example of it is a table and a kind, and comes to what the guide says."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.game.table_header import COUNTS, DEEPEST

GUIDE = (ROOT / "docs/spreadsheets.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```csv\n(.*?)```.*?```yaml\n(.*?)```.*?```text\n(.*?)```", GUIDE, re.DOTALL)
GAME = """\
format: 1
title: Foxes
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
fonts:
  body: {en: {regular: [x.ttf]}}
components:
"""


@pytest.mark.parametrize("number", range(3))
def test_an_example_comes_to_what_the_guide_says(number: int, tmp_path: Path) -> None:
    """A designer who copies it gets these designs, or reads these problems."""
    table, kind, said = EXAMPLES[number]
    folder = tmp_path / "data/game"
    folder.mkdir(parents=True)
    (folder / "deck.csv").write_text(table, encoding="utf-8")
    (folder / "game.yaml").write_text(GAME + re.sub("(?m)^", "  ", kind.rstrip()) + "\n", encoding="utf-8")
    project = find_project(tmp_path, tmp_path)
    try:
        game = load_game(project.find_folder("game"), project.resources)
        lines = [f"{design.id.removeprefix('fox/')} x{design.count}" for design in game.designs()]
    except ProblemsFound as found:
        lines = [str(problem).removeprefix("data/game/") for problem in found.problems]

    assert lines == said.splitlines()


def test_the_guide_names_what_the_program_takes() -> None:
    """All examples are tried; the names of the count and how deep a header may lie are the program's own."""
    assert len(EXAMPLES) == 3 == GUIDE.count("```csv")
    assert all(f"`{name}`" in GUIDE or f"`{name.lower()}`" in GUIDE for name in COUNTS)
    assert f"The first of the first {DEEPEST} rows" in GUIDE
