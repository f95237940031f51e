"""A small game whose faces read its data in many ways, each of its values, and other changes of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import kept_project as kp
import yaml
from tests_support import ProjectFolder, change_value, iter_values, project_files

from generator.base.cache import Store
from generator.base.display_list import Drawing
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project

FILES = project_files("reads")
GAME = FILES["data/reads/game.yaml"]

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
        super().__init__(root, "reads")
        self.write("fonts/SourceSans3_400Regular.ttf", kp.font("SourceSans3_400Regular.ttf"))
        self.write("templates/reads/icons/star.svg", kp.FILES[kp.STAR])

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


FIXED = {
    "from", "format", "languages", "size", "front", "back", "fonts", "fields", "op", "takes", "type",
    "optional", "of", "id", "colour", "art",
}  # fmt: skip
"""What names something else or shapes the data: another value there is a mistake of the game."""

PATHS = [path for path in iter_values(yaml.safe_load(GAME)) if not FIXED & set(path) and path[0] != "palette"]


def changed(path: tuple[Any, ...]) -> str:
    """The game with another value at a path."""
    return change_value(GAME, path)


def edit_template(name: str, old: str, new: str) -> tuple[str, str]:
    """A template with another text in it."""
    file = f"templates/reads/{name}.svg"
    return file, FILES[file].replace(old, new)


def edit_data(old: str, new: str) -> tuple[str, str]:
    """The game with another text in it."""
    return "data/reads/game.yaml", GAME.replace(old, new)


CHANGES = {
    "an imported file": edit_template("parts", "sign(cost)", "sign(cost + 1)"),
    "a file that it imports": edit_template("deep", "({{ what }})", "[{{ what }}]"),
    "a file that a macro imports": edit_template("deeper", "!", "?"),
    "another template": edit_data("front: mark", "front: parts_of_mark"),
    "one more thing to set up": edit_data("from: card}", "from: card}\n  - {take: 1, from: mark}"),
    "an included file": edit_template("common_back", 'y="2"', 'y="4"'),
    "a file that was missing": ("templates/reads/own_back.svg", edit_template("common_back", "{{ kind.name }}", "own")[1]),
    "a text that was missing": edit_data("words:\n", "words:\n  unheard: {en: Heard, de: Gehoert}\n"),
    "a value that was missing": edit_data("effects: [{op: gain, coins: 2}, {op: rest}]", "cost: 9, effects: [{op: rest}]"),
    "another order": edit_data("tags: [red, blue]", "tags: [blue, red]"),
    "one more icon": edit_data("  moon:", "  sun: {name: {en: Sun, de: Sonne}, colour: red, art: star}\n  moon:"),
    "one more price": edit_data("2: 5}", "2: 5, 3: 6}"),
    "larger pieces": edit_data("size: [40, 40]", "size: [42, 40]"),
    "a wider safe zone": edit_data("size: [40, 40]", "size: [40, 40]\n    safe: 0.5"),
}  # fmt: skip
