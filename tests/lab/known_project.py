"""A project of one of the games whose truth is on paper (`known/`), by its name."""

from pathlib import Path

from tests_support import TinyProject

GAME = """\
format: 1
title: Known
draft: 1
date: 2026-01-31
languages: [en]
players: {{fewest: 2, most: {most}}}
credit: Somebody
licence: all rights reserved
rules_module: rules.py
rules: {rules}
components:
  card: {{name: Cards, size: [40, 60], front: card, designs: [{{id: one}}]}}
moves:
  move: "says {{n}}"
zones: {{}}
palette:
  red: "#c02020"
fonts:
  body: {{en: {{regular: [SourceSans3_400Regular.ttf]}}}}
"""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
</svg>
"""


class KnownProject(TinyProject):
    """The project, with such numbers under `rules`; the lab's commands play it with `options`."""

    def __init__(self, root: Path, name: str, most: int = 2, **rules: int):
        self.root = root
        self.write(f"data/{name}/game.yaml", GAME.format(rules=rules, most=most).replace("'", ""))
        self.write(f"templates/{name}/card.svg", TEMPLATE)
        self.write(f"data/{name}/rules.py", f'"""Rules."""\n\nfrom known.{name} import RULES\n\n__all__ = ["RULES"]\n')
        self.options = ("--project", str(root), "--out", "out", "--trust-rules", "--executor", "processes:1")
