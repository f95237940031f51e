"""A small game whose faces read its data in many ways, each of its values, and other changes of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import kept_project as kp
import yaml
from tests_support import ProjectFolder, change_value, iter_values

from generator.base.cache import Store
from generator.base.display_list import Drawing
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project

GAME = """
format: 1
title: {en: "Reads {{ rules.hand }}", de: "Lesen {{ rules.hand }}"}
draft: 1
date: 2026-01-31
languages: [en, de]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
words:
  greeting: {en: "Hello from {{ rules.town }}", de: "Gruss aus {{ rules.town }}"}
setup:
  - {take: 2, from: card}
rules: {town: {en: Ghent, de: Gent}, hand: 3, steps: [1, 2, 3], prices: {1: 4, 2: 5}, unread: 7}
icons:
  star: {name: {en: Star, de: Stern}, colour: red}
  moon: {name: {en: Moon, de: Mond}, colour: blue, art: star}
operations:
  gain:
    takes: {coins: {type: integer, min: 1}}
    says: {en: "Gain {{ coins }} of {{ rules.hand }}.", de: "Nimm {{ coins }} von {{ rules.hand }}."}
  rest:
    says: {en: "Rest.", de: "Raste."}
components:
  card:
    name: {en: Card, de: Karte}
    size: [40, 60]
    front: card
    back: back
    fields:
      name: words
      text: {type: words, optional: true}
      cost: {type: integer, optional: true}
      tags: {type: list, of: text, optional: true}
      effects: {type: effects, optional: true}
    designs:
      - {id: one, count: 2, name: {en: One, de: Eins}, text: {en: "{{ card.cost }} {{ words.greeting }}", de: "{{ words.greeting }}"}, cost: 1}
      - {id: two, count: 1, name: {en: Two, de: Zwei}, tags: [red, blue], effects: [{op: gain, coins: 2}, {op: rest}]}
      - {id: three, count: 1, name: {en: Three, de: Drei}, text: {en: "{{ rules.hand }}", de: "{{ rules.hand }}"}, cost: 3}
  board:
    name: {en: Board, de: Brett}
    size: [60, 60]
    front: board
    designs:
      - {id: main, count: 1}
  mark:
    name: {en: Mark, de: Marke}
    size: [40, 40]
    front: mark
    designs:
      - {id: both, count: 1}
palette: {red: "#c02020", blue: "#2040a0"}
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf]}, de: {regular: [SourceSans3_400Regular.ttf]}}
"""

HEAD = '<svg xmlns="http://www.w3.org/2000/svg">\n'


def line(y: float, text: str, width: float = 38) -> str:
    return f'<textbox x="1" y="{y}" width="{width}" height="8" font-size="6.5pt" text-role="label" font-family="body">{text}</textbox>\n'


TEMPLATES = {
    "card": HEAD
    + '{% import "parts.svg" as parts %}'
    + line(2, "{{ card.name }} x{{ card.count }} {{ kind.name }} {{ lang }}")
    + '{% if card.text %}' + line(10, "{{ card.text }}") + "{% endif %}"
    + line(18, "{% for tag in card.tags or [] %}{{ tag }} {{ loop.index }} {% endfor %}.")
    + "{% if card.effects %}" + line(26, "{{ card.effects | map(attribute='text') | join(' ') }}") + "{% endif %}"
    + line(34, "{{ parts.price(card.cost or 1) }}")
    + "{% if second is defined %}" + line(42, "{{ second.card.name }} {{ second.game.title }} {{ second.words.greeting }}") + "{% endif %}"
    + "</svg>",
    "back": HEAD + '{% include ["own_back.svg", "common_back.svg"] %}' + line(10, "{{ game.title }} {{ game.draft }}") + "</svg>",
    "board": HEAD
    + line(2, "{% for one in kinds.card.designs %}{{ one.name }} {{ one.cost or '-' }} {% endfor %}", 58)
    + line(10, "{% for name, icon in icons | items %}{{ name }} {{ icon.name }} {% endfor %}{{ rules.steps | sum }}", 58)
    + line(18, "{{ rules.prices[1] }} {{ rules.prices | length }} {{ words.greeting }} {{ rules['town'] }}", 58)
    + line(26, "{% if words.unheard is defined %}{{ words.unheard }}{% else %}none{% endif %} {{ kinds.mark.width }}", 58)
    + line(34, "{{ kinds.card.designs | map(attribute='effects') | select | map('first')"
               " | map(attribute='text') | join }}", 58)
    + "</svg>",
    "mark": HEAD + line(2, "{{ words.greeting }} {{ rules.prices[2] }} {{ kinds.card.count }}"
                        "{% for price in rules.prices %}-{{ price }}{% endfor %}")
    + line(12, "{% for one in setup %}{{ one.take }} {% endfor %}{{ setup | length }}")
    + line(20, "{% if second is defined %}{{ second.setup | length }}{% endif %}")
    + line(28, "{{ width }} {{ safe }}") + "</svg>",
    "parts": '{% from "deep.svg" import sign %}{% macro price(cost) %}{% from "deeper.svg" import more %}'
             "{{ sign(cost) }}{{ more(cost) }}{% endmacro %}",
    "deeper": "{% macro more(what) %}!{{ what }}{% endmacro %}",
    "deep": "{% macro sign(what) %}({{ what }}){% endmacro %}",
    "parts_of_mark": HEAD + line(2, "{{ kind.name }}") + "</svg>",
    "common_back": line(2, "{{ kind.name }}"),
}  # fmt: skip


BOOKS = {
    "rulebook": "# Play {#play}\n\n{{ words.greeting }} {{ name('card') }}\n\n```components\n```\n\n```setup\n```\n"
                "\n```figure\nof: [card/one]\n```\n\n{{ designs('card') | map(attribute='name') | join(', ') }}\n",
    "notes": "# Data {#data}\n\n```state\n```\n",
    "quickstart": "```part #play\ntake: [text, tables]\n```\n",
}  # fmt: skip
"""Books in each language. The notes show a hash of all data."""


class Reads(ProjectFolder):
    """The project; `faces` draws all faces in each language, and in both. `files` builds all files."""

    def __init__(self, root: Path):
        super().__init__(root)
        self.write("data/reads/game.yaml", GAME)
        self.write("fonts/SourceSans3_400Regular.ttf", kp.font("SourceSans3_400Regular.ttf"))
        self.write("templates/reads/icons/star.svg", kp.FILES[kp.STAR])
        for name, text in TEMPLATES.items():
            self.write(f"templates/reads/{name}.svg", text)

    def write_books(self, books: Mapping[str, str]) -> None:
        for name, text in books.items():
            for lang in ("en", "de"):
                self.write(f"templates/reads/{name}.{lang}.md", text)

    def files(self, out: Path, store: Store | None) -> dict[str, bytes]:
        """The files of a whole build by name."""
        project, order = find_project(self.root)._replace(store=store), BuildOrder(("en", "de", "en+de"), out)
        made = carry_out(project, (), order, lambda _doing: None)
        return {path.name: path.read_bytes() for path in made.files}

    def faces(self, store: Store | None) -> tuple[dict[FaceKey, Drawing | None], list[str]]:
        project = find_project(self.root)
        shop = Workshop(load_game(project.find_folder("reads"), project.resources), project.resources, store=store)
        drawn = dict(shop.draw_all(shop.game.designs(), ["en", "de", "en+de"]))
        shop.save_faces()
        return drawn, [str(problem) for problem in shop.problems]


FIXED = (
    "from",
    "format",
    "languages",
    "size",
    "front",
    "back",
    "fonts",
    "fields",
    "op",
    "takes",
    "type",
    "optional",
    "of",
    "id",
    "colour",
    "art",
)
"""What names something else or shapes the data: another value there is a mistake of the game."""

PATHS = [path for path in iter_values(yaml.safe_load(GAME)) if not set(FIXED) & set(path) and path[0] != "palette"]


def changed(path: tuple[Any, ...]) -> str:
    """The game with another value at a path."""
    return change_value(GAME, path)


FILES = {
    "an imported file": ("templates/reads/parts.svg", TEMPLATES["parts"].replace("sign(cost)", "sign(cost + 1)")),
    "a file that it imports": ("templates/reads/deep.svg", TEMPLATES["deep"].replace("(", "[", 2).replace("[what", "(what")),
    "a file that a macro imports": ("templates/reads/deeper.svg", TEMPLATES["deeper"].replace("!", "?")),
    "another template": ("data/reads/game.yaml", GAME.replace("front: mark", "front: parts_of_mark")),
    "one more thing to set up": ("data/reads/game.yaml", GAME.replace("from: card}", "from: card}\n  - {take: 1, from: mark}")),
    "an included file": ("templates/reads/common_back.svg", line(4, "{{ kind.name }}")),
    "a file that was missing": ("templates/reads/own_back.svg", line(6, "own")),
    "a text that was missing": ("data/reads/game.yaml", GAME.replace("words:\n", "words:\n  unheard: {en: Heard, de: Gehoert}\n")),
    "a value that was missing": ("data/reads/game.yaml", GAME.replace("effects: [{op: gain, coins: 2}, {op: rest}]", "cost: 9, effects: [{op: rest}]")),
    "another order": ("data/reads/game.yaml", GAME.replace("tags: [red, blue]", "tags: [blue, red]")),
    "one more icon": ("data/reads/game.yaml", GAME.replace("  moon:", "  sun: {name: {en: Sun, de: Sonne}, colour: red, art: star}\n  moon:")),
    "one more price": ("data/reads/game.yaml", GAME.replace("2: 5}", "2: 5, 3: 6}")),
    "larger pieces": ("data/reads/game.yaml", GAME.replace("size: [40, 40]", "size: [42, 40]")),
    "a wider safe zone": ("data/reads/game.yaml", GAME.replace("size: [40, 40]", "size: [40, 40]\n    safe: 0.5")),
}  # fmt: skip
