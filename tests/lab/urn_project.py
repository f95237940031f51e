"""A project of one game for two players: a draw from an urn, again and again (`known/urn.py`)."""

from pathlib import Path

from tests_support import TinyProject

HERE = Path(__file__).parent

GAME = """\
format: 1
title: {ja: 壺, en: Urn}
draft: 1
date: 2026-01-31
languages: [ja, en]
players: {fewest: 2, most: 2}
credit: {ja: だれか, en: Somebody}
licence: {ja: 無断複製禁止, en: all rights reserved}
rules_module: rules.py
components:
  ball:
    name: {ja: 玉, en: Balls}
    called: {ja: "{title}の玉", en: "{title} ball"}
    size: [40, 60]
    front: ball
    fields: {title: words}
    designs:
      - {id: red, count: 1, title: {ja: 赤, en: red}}
      - {id: white, count: 5, title: {ja: 白, en: white}}
rules:
  rounds: 3
  idle: 4
  curse: 0
readings:
  - id: E1
    problem: {ja: 玉を戻すのか。, en: Is a ball put back?}
    reading: {ja: 戻す。, en: It is.}
    switch: ball
    value: back
    choices: [back, away]
  - id: E2
    problem: {ja: だれから始めるのか。, en: Who begins?}
    reading: {ja: 決めない。, en: Anybody.}
    switch: first
    value: anybody
    choices: [anybody, youngest]
moves:
  draw: {ja: 引く, en: draw}
zones: {urn: {ja: 壺, en: Urn}}
palette:
  red: "#c02020"
  blue: "#2040a0"
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf]}, ja: {regular: [BIZUDPGothic_400Regular.ttf]}}
"""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
  <text x="5" y="10" font-family="body" font-size="12pt">{{ card.title }}</text>
</svg>
"""


class UrnProject(TinyProject):
    """The project; tests change one thing in it and look what happens."""

    def __init__(self, root: Path):
        self.root = root
        self.write("data/urn/game.yaml", GAME)
        self.write("data/urn/rules.py", (HERE / "known" / "urn.py").read_text(encoding="utf-8"))
        self.write("templates/urn/ball.svg", TEMPLATE)
