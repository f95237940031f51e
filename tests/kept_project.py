"""A small game that shows everything a kept picture can rest on, ways to change each, and builds of it."""

import io
from collections.abc import Mapping
from pathlib import Path

from conftest import ROOT
from PIL import Image
from tests_support import ProjectFolder, project_files

from generator.base.cache import Store
from generator.base.display_list import Drawing
from generator.base.errors import ProblemsFound
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.drawing.faces.game_drawing import FaceKey, Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project

GAME, CARD, FRAME = "data/small/game.yaml", "templates/small/card.svg", "templates/small/frame.svg"
STAR, FLAG, PICTURE = "templates/small/icons/star.svg", "templates/small/art/flag.svg", "templates/small/dot.png"
BOOK, FONT = "templates/small/rulebook.en.md", "fonts/Body.ttf"
COMMON_FLAG = "templates/common/art/flag.svg"

FILES = project_files("small")


def dot(shade: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (8, 8), shade).save(out, "PNG")
    return out.getvalue()


def font(name: str) -> bytes:
    return (ROOT / "fonts" / name).read_bytes()


class KeptProject(ProjectFolder):
    """The project; `change` and `write` edit it as a user does."""

    def __init__(self, root: Path):
        super().__init__(root, "small")
        self.write(PICTURE, dot(40))
        self.write(FONT, font("SourceSans3_400Regular.ttf"))

    def workshop(self, store: Store | None) -> Workshop:
        project = find_project(self.root)
        return Workshop(load_game(project.find_folder("small"), project.resources), project.resources, store=store)

    def faces(self, store: Store | None) -> Mapping[FaceKey, Drawing | None]:
        """All its faces; what is new is kept."""
        shop = self.workshop(store)
        drawn = shop.draw_all(shop.game.designs(), shop.game.languages)
        shop.save_faces()
        return drawn

    def build(self, out: Path, store: Store | None, processes: int = 2) -> tuple[dict[str, bytes], list[str]]:
        """The files of a whole build by name, and the problems that kept it from being made.

        With a store, two processes share the work. Without one, the first does all of it.
        """
        said: list[str] = []
        found, order = find_project(self.root)._replace(store=store), BuildOrder((), out)
        try:
            made = carry_out(found, (), order, lambda _doing: None, processes)
        except ProblemsFound as found:
            said = [str(problem) for problem in found.problems]
            return {}, said
        return {path.name: path.read_bytes() for path in made.files}, said
