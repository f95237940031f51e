"""A project of one game for one player: five cards that must rise in two rows (`known/stairs.py`)."""

from pathlib import Path

from tests_support import TinyProject

from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.rules.engine.contract import Box

HERE = Path(__file__).parent

GAME = """\
format: 1
title: Stairs
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 1, most: 1}
credit: Somebody
licence: all rights reserved
rules_module: rules.py
components:
  card:
    name: Cards
    called: "the {strength}"
    size: [40, 60]
    front: card
    fields: {strength: integer}
    designs:
"""

REST = """\
moves:
  lay: "onto row {n}"
  give_up: "give up"
zones: {deck: Deck, laid: Rows}
palette:
  red: "#c02020"
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf]}}
"""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
  <text x="5" y="10" font-family="body" font-size="12pt">{{ card.strength }}</text>
</svg>
"""


class StairsProject(TinyProject):
    """The project; tests change one thing in it and look what happens."""

    def __init__(self, root: Path, cards: int = 5):
        self.root = root
        rows = "".join(f"      - {{id: c{n}, count: 1, strength: {n}}}\n" for n in range(cards))
        self.write("data/stairs/game.yaml", GAME + rows + REST)
        self.write("data/stairs/rules.py", (HERE / "known" / "stairs.py").read_text(encoding="utf-8"))
        self.write("templates/stairs/card.svg", TEMPLATE)


def stairs_box(root: Path, cards: int = 5) -> Box:
    """The box of the game with so many cards."""
    from known.stairs import RULES

    StairsProject(root, cards)
    project = find_project(root)
    return RULES.box(load_game(project.find_folder("stairs"), project.resources), 1, {})
