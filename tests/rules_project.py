"""A complete project whose game brings its rules: twenty cards, of which the highest takes the trick."""

from pathlib import Path

from tests_support import TinyProject

RULES = (Path(__file__).parent / "games" / "higher.py").read_text(encoding="utf-8")

GAME = """\
format: 1
title: {ja: 高い札, en: Higher}
draft: 3
date: 2026-01-31
languages: [ja, en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
rules_module: rules.py
components:
  card:
    name: {ja: 札, en: Cards}
    called: {ja: "{strength}の札", en: "the {strength}"}
    size: [40, 60]
    front: card
    fields: {strength: integer}
    designs:
"""

REST = """\
moves:
  play: {ja: "{card}を出す", en: "play {card}"}
zones:
  deck: {ja: 山札, en: deck}
  hand: {ja: "手札{n}", en: "hand {n}"}
  trick: {ja: 場, en: trick}
  won: {ja: "獲得{n}", en: "won by {n}"}
palette:
  red: "#c02020"
fonts:
  body: {ja: {regular: [SourceSans3_400Regular.ttf]}, en: {regular: [SourceSans3_400Regular.ttf]}}
"""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
  <text x="5" y="10" font-family="body" font-size="12pt">{{ card.strength }}</text>
</svg>
"""

EXAMPLES = """\
examples:

  - id: highest
    says: {ja: 最も高い札が取る。, en: The highest card takes the trick.}
    players: 2
    given: {hands: [[3, 9], [4, 8]]}
    do: [play c3, play c8]
    expect:
      seat: 2
      scores: [0, 2]
      zone won 2: [card/c8, card/c3]

  - id: any-card
    players: 2
    given: {hands: [[3, 9], [4, 8]]}
    expect:
      legal: [play c9, play c3]
      best of 2: 8
"""


class RulesProject(TinyProject):
    """The project; tests change one thing in it and look what happens."""

    def __init__(self, root: Path):
        self.root = root
        rows = "".join(f"      - {{id: c{n}, count: 1, strength: {n}}}\n" for n in range(20))
        self.write("data/higher/game.yaml", GAME + rows + REST)
        self.write("data/higher/examples.yaml", EXAMPLES)
        self.write("data/higher/rules.py", RULES)
        self.write("templates/higher/card.svg", TEMPLATE)
