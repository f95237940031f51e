"""The names of a game by what they name, each with where the data give it: what is offered, and where one jumps to."""

from collections.abc import Mapping
from pathlib import Path

from generator.dataclass import dataclass
from generator.editor.keys import Shape, about, shapes_at, values
from generator.editor.projects import OpenProject
from generator.errors import Place
from generator.files import files_below
from generator.model.game import CUBE_FACES, Design, Game
from generator.templates.files import TemplateFiles
from generator.templates.templating import Templates
from generator.templates.view import GameViews, View

COLOUR_KEYS = frozenset({"colour"})
TEMPLATE_KEYS = frozenset({"front", "back"})
KIND_KEYS = frozenset({"for", "from"})
"""Keys of the data whose values are names of these sorts, wherever they stand."""


@dataclass(frozen=True, slots=True)
class GameName:
    """A name: what it is (`icon`, `colour`, `kind`, `template`, `field`, `value`, `key`, `id`) and what is told."""

    name: str
    sort: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class GameNames:
    """What a game calls its things, told in a language of its own."""

    project: OpenProject
    game: Game
    lang: str

    @property
    def shape(self) -> Shape:
        """The game's schema."""
        return self.project.shape(self.game)

    def icons(self) -> list[GameName]:
        """Icons by id."""
        return [GameName(name, "icon", icon.name[self.lang]) for name, icon in self.game.icons.items()]

    def colours(self) -> list[GameName]:
        """Colours of the palette, with what they are on a screen."""
        return [GameName(name, "colour", colour.srgb) for name, colour in self.game.palette.items()]

    def kinds(self) -> list[GameName]:
        """Kinds of components."""
        return [GameName(name, "kind", kind.name[self.lang]) for name, kind in self.game.kinds.items()]

    def designs(self) -> list[GameName]:
        """Ids of designs with their kinds: `reel/6-wheat`."""
        return [GameName(design.id, "id") for design in self.game.designs()]

    def templates(self) -> list[GameName]:
        """Templates as data name them, without `.svg`: those that draw whole faces lie in no folder of their own."""
        names = TemplateFiles(self.game.id, self.project.project.resources).names()
        return [GameName(name.removesuffix(".svg"), "template") for name in names if "/" not in name]

    def art(self) -> list[GameName]:
        """Drawings as templates name them."""
        names = TemplateFiles(self.game.id, self.project.project.resources).names()
        return [GameName(name.removeprefix("common/"), "template") for name in names if "/" in name]

    def fonts(self) -> list[GameName]:
        """Families of typefaces."""
        return [GameName(name, "value") for name in self.game.fonts]

    def place(self, *path: str | int) -> Place | None:
        """Where the data give the value at a path: its key."""
        return self.game.places.key_place(*path) if path and str(path[0]) in self.game.places else None

    def template_path(self, name: str) -> Path | None:
        """The file of a template or drawing by any of its names; None where there is none."""
        for folder in (self.game.id, "common", "."):
            path = self.project.project.resources.find("templates", f"{folder}/{name}")
            if path is not None:
                return path
        return None

    def template_files(self) -> list[Path]:
        """All templates of the game and the common ones, books' texts too."""
        folders = [self.project.root / "templates" / name for name in (self.game.id, "common")]
        return sorted(path for folder in folders for path in files_below(folder) if path.suffix in (".svg", ".md"))

    def faces_of(self, design: Design) -> list[Path]:
        """The files that draw a design."""
        found = [self.template_path(f"{name}.svg") for name in sorted(_templates(self.game, design))]
        return [path for path in found if path is not None]

    def design(self, name: str) -> Design | None:
        """The design with such an id, with its kind; None for none, or one that is too new."""
        return next((one for one in self.game.designs() if one.id == name), None)

    def in_row(self, path: Path, row: int) -> Design | None:
        """The design of a row of a table, counted from 1."""
        shown = self.project.project.resources.shown(path)
        return next((one for one in self.game.designs() if (one.place.file, one.place.line) == (shown, row)), None)

    def column(self, path: Path, column: int) -> tuple[str, str, int]:
        """The kind and field of a table's column (from 1), and the row of its header; empty names where it has none."""
        shown = self.project.project.resources.shown(path)
        kinds = self.game.places["components"].value
        for name, kind in kinds.items():
            layout = getattr(kind.get("designs"), "layouts", {}).get(shown)
            if layout is not None:
                field = next((field for (field, _), at in layout.columns.items() if at == column), "")
                return name, field, layout.header
        return "", "", 0

    def of_field(self, kind: str, field: str) -> list[GameName]:
        """The values that a field of a kind may have, where they can be listed."""
        if field in TEMPLATE_KEYS:
            return self.templates()
        return self.listed(values(shapes_at(self.shape, ("components", kind, "designs", 0, field))))

    def listed(self, among: list[str]) -> list[GameName]:
        """Values that the schema lists: the icons or the colours where they are all of these, which may share names."""
        for known in (self.icons(), self.colours()):
            if {one.name for one in known} == {*among}:
                return known
        return [GameName(name, "value") for name in among]

    def about_field(self, kind: str, field: str) -> str:
        """What a field of a kind is."""
        spec = self.game.kinds[kind].fields.get(field)
        told = spec.type if spec else about(shapes_at(self.shape, ("components", kind, "designs", 0, field)))
        return f"**{field}**: {told}" if told else ""

    def drawn_by(self, path: Path) -> list[Design]:
        """The designs that a template draws; all of them for one that others include."""
        named = {path.stem} if path.suffix == ".svg" else set()
        every = list(self.game.designs())
        found = [design for design in every if named & _templates(self.game, design)]
        return found or every

    def seen(self, design: Design | None, *chain: str) -> list[GameName]:
        """What templates can ask for below a chain of names (`card`, `words.aid`), or at all; texts are not filled in.

        Without a design there is none that is drawn, as in a text of the whole game.
        """
        functions = Templates(self.game.id, self.project.project.resources).functions
        views = GameViews(self.game, lambda text, _variables, _place: text, functions)
        value: object = views.of(design, "front", self.lang) if design else views.of_game(self.lang)
        for step in chain:
            if not isinstance(value, (dict, View)) or step not in value:
                return []
            value = value[step]
        if not isinstance(value, (dict, View)):
            return []
        return [GameName(str(name), "field", _told(value[name])) for name in value]

    def dotted(self) -> list[GameName]:
        """Paths of the data as marks and expressions write them: `rules.hand`, `components.reel.back`."""
        found = []
        for section, part in self.game.places.items():
            found += [GameName(section, "key")]
            for name, value in part.value.items() if isinstance(part.value, Mapping) else ():
                found.append(GameName(f"{section}.{name}", "key"))
                if isinstance(value, Mapping):
                    found += [GameName(f"{section}.{name}.{inner}", "key") for inner in value]
        return found


def _templates(game: Game, design: Design) -> set[str]:
    kind = game.kinds[design.kind]
    return {name for face in CUBE_FACES if (name := kind.template(design, face))}


def _told(value: object) -> str:
    """A value in a line; empty for one that holds others."""
    return " ".join(str(value).split())[:_LONGEST] if isinstance(value, (str, int, float)) else ""


_LONGEST = 80
