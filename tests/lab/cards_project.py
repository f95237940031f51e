"""Projects of small card games whose truth is on paper (`known/favour.py` and others)."""

from collections.abc import Mapping
from pathlib import Path

from tests_support import TinyProject

HERE = Path(__file__).parent

GAME = """\
format: 1
title: Known
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: FEWEST, most: MOST}
credit: Somebody
licence: all rights reserved
rules_module: rules.py
rules: {RULES}
components:
  card:
    name: Cards
    size: [40, 60]
    front: card
    fields: {FIELDS}
    designs:
"""

REST = """\
moves:
  lay: "lays {card}"
palette:
  red: "#c02020"
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf]}}
"""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
</svg>
"""


class CardsProject(TinyProject):
    """A game by the rules of a module of `known`, with these numbers and cards: id -> fields."""

    def __init__(
        self,
        root: Path,
        module: str,
        cards: Mapping[str, Mapping[str, int]],
        rules: Mapping[str, int],
        players: tuple[int, int] = (2, 2),
    ):
        self.root = root
        fields = dict.fromkeys((name for given in cards.values() for name in given), "integer")
        head = GAME.replace("FEWEST", str(players[0])).replace("MOST", str(players[1]))
        head = head.replace("RULES", _inner(rules)).replace("FIELDS", _inner(fields))
        rows = "".join(f"      - {{{_inner({'id': name, 'count': 1, **given})}}}\n" for name, given in cards.items())
        self.write("data/known/game.yaml", head + rows + REST)
        self.write("data/known/rules.py", (HERE / "known" / f"{module}.py").read_text(encoding="utf-8"))
        self.write("templates/known/card.svg", TEMPLATE)


def _inner(entries: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in entries.items())


FAVOUR = {f"c{n}": {"favour": 70 if n == 3 else 0, "cost": 0} for n in range(10)}
"""Ten cards, the fourth of which is worth +0.10 of wins."""

LAID = {f"c{n}": {"favour": 500 if n == 3 else 0, "cost": 100 if n == 7 else 0} for n in range(10)}
"""Ten cards; the fourth is worth 0.10 of wins to who may lay it, the eighth only costs."""
