"""Projects of small card games whose truth is on paper (`known/favour.py` and others)."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests_support import TinyProject

HERE = Path(__file__).parent

GAME = """\
format: 1
title: NAME
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
DESIGNS
moves:
MOVES
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
    """A game by the rules of a module of `known`, with these numbers and cards: id -> fields. Its moves are `said`."""

    def __init__(
        self,
        root: Path,
        module: str,
        cards: Mapping[str, Mapping[str, int]],
        rules: Mapping[str, int],
        players: tuple[int, int] = (2, 2),
        name: str = "known",
        said: Mapping[str, str] = MappingProxyType({"lay": '"lays {card}"'}),
    ):
        self.root = root
        fields = dict.fromkeys((name for given in cards.values() for name in given), "integer")
        designs = [f"      - {{{_inner({'id': name, 'count': 1, **given})}}}" for name, given in cards.items()]
        game = GAME.replace("NAME", name.title()).replace("FEWEST", str(players[0])).replace("MOST", str(players[1]))
        game = game.replace("RULES", _inner(rules)).replace("FIELDS", _inner(fields))
        moves = [f"  {move}: {words}" for move, words in said.items()]
        game = game.replace("DESIGNS", "\n".join(designs)).replace("MOVES", "\n".join(moves))
        self.write(f"data/{name}/game.yaml", game)
        self.write(f"data/{name}/rules.py", (HERE / "known" / f"{module}.py").read_text(encoding="utf-8"))
        self.write(f"templates/{name}/card.svg", TEMPLATE)


class StairsProject(CardsProject):
    """A game for one player: cards that must rise in two rows (`known/stairs.py`)."""

    def __init__(self, root: Path, cards: int = 5):
        strengths = {f"c{n}": {"strength": n} for n in range(cards)}
        said = {"lay": '"onto row {n}"', "give_up": '"give up"'}
        super().__init__(root, "stairs", strengths, {}, (1, 1), name="stairs", said=said)
        self.change("data/stairs/game.yaml", "palette:", "zones: {deck: Deck, laid: Rows}\npalette:")


class KnownProject(CardsProject):
    """A game of chance with one card; the lab's commands play it with `options`."""

    def __init__(self, root: Path, name: str, most: int = 2, **rules: int):
        super().__init__(root, name, {"one": {}}, rules, (2, most), name=name, said={"move": '"says {n}"'})
        self.options = ("--project", str(root), "--out", "out", "--trust-rules", "--executor", "processes:1")


def _inner(entries: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in entries.items())


FAVOUR = {f"c{n}": {"favour": 70 if n == 3 else 0, "cost": 0} for n in range(10)}
"""Ten cards, the fourth of which is worth +0.10 of wins."""

LAID = {f"c{n}": {"favour": 500 if n == 3 else 0, "cost": 100 if n == 7 else 0} for n in range(10)}
"""Ten cards; the fourth is worth 0.10 of wins to who may lay it, the eighth only costs."""
