"""A small game that shows everything a kept picture can rest on, ways to change each, and builds of it."""

import io
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from generator.base.cache import Store
from generator.base.display_list import Drawing
from generator.base.errors import ProblemsFound
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.drawing.faces.game_drawing import FaceKey, Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project

ROOT = Path(__file__).parent.parent
GAME, CARD, FRAME = "data/small/game.yaml", "templates/small/card.svg", "templates/small/frame.svg"
STAR, FLAG, PICTURE = "templates/small/icons/star.svg", "templates/small/art/flag.svg", "templates/small/dot.png"
BOOK, FONT = "templates/small/rulebook.en.md", "fonts/Body.ttf"
COMMON_FLAG = "templates/common/art/flag.svg"

FILES = {
    GAME: """\
format: 1
title: Small
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
icons:
  star: {name: Star, colour: red}
  moon: {name: Moon, colour: blue, art: star}
components:
  card:
    name: Card
    size: [40, 60]
    front: card
    back: back
    fields:
      name: words
      text: words
    designs:
      - {id: one, count: 2, name: One, text: "See {@card/two} and {star}."}
      - {id: two, count: 1, name: Two, text: "Take {{ rules.hand }} cards."}
      - {id: three, count: 1, name: Three, text: "Nothing."}
rules: {hand: 3}
palette:
  red: "#c02020"
  blue: "#2040a0"
fonts:
  body: {en: {regular: [Body.ttf]}}
""",
    CARD: """\
<svg xmlns="http://www.w3.org/2000/svg">
  {% include "frame.svg" %}
  <use href="art/flag.svg" x="25" y="35" width="10" height="10"/>
  <image href="dot.png" x="5" y="45" width="5"/>
  <use href="icon:moon" x="15" y="45" width="5" height="5"/>
  <text x="5" y="10" font-family="body" font-size="12pt">{{ card.name }}</text>
  <textbox x="5" y="15" width="30" height="15" font-family="body" font-size="8pt">{{ card.text }}</textbox>
</svg>
""",
    FRAME: '<rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>\n',
    "templates/small/back.svg": """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="{{ width + 6 }}" height="66" fill="blue" data-role="ground"/>
</svg>
""",
    STAR: '<svg viewBox="0 0 100 100"><path d="M50 5 L95 95 L5 40 L95 40 L5 95 Z" fill="currentColor"/></svg>\n',
    COMMON_FLAG: '<svg viewBox="0 0 10 10"><rect x="1" y="1" width="8" height="5" fill="red"/></svg>\n',
    BOOK: """\
# Play {#play}

You have {{ rules.hand }} cards, and maybe a {star}.

```figure
show: fan
of: [card/two]
caption: Cards.
```
""",
}


def dot(shade: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (8, 8), shade).save(out, "PNG")
    return out.getvalue()


def font(name: str) -> bytes:
    return (ROOT / "fonts" / name).read_bytes()


class KeptProject:
    """The project; `change` and `write` edit it as a user does."""

    def __init__(self, root: Path):
        self.root = root
        for name, text in FILES.items():
            self.write(name, text)
        self.write(PICTURE, dot(40))
        self.write(FONT, font("SourceSans3_400Regular.ttf"))

    def write(self, name: str, data: str | bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))

    def workshop(self, store: Store | None) -> Workshop:
        project = find_project(self.root)
        return Workshop(load_game(project.find_folder("small"), project.resources), project.resources, store=store)

    def faces(self, store: Store | None) -> Mapping[FaceKey, Drawing | None]:
        """All its faces; what is new is kept."""
        shop = self.workshop(store)
        drawn = shop.draw_all(shop.game.designs(), shop.game.languages)
        shop.save_faces()
        return drawn

    def build(self, out: Path, store: Store | None) -> tuple[dict[str, bytes], list[str]]:
        """The files of a whole build by name, and the problems that kept it from being made."""
        said: list[str] = []
        try:
            made = carry_out(find_project(self.root), (), BuildOrder((), out), lambda _doing: None, store)
        except ProblemsFound as found:
            said = [str(problem) for problem in found.problems]
            return {}, said
        return {path.name: path.read_bytes() for path in made.files}, said
