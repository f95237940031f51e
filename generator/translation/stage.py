"""A game as it would be with a translation, before a file of it is written: in a folder beside it, drawn and read."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.faces.accent import accent
from generator.faces.workshop import Workshop
from generator.files import files_below, read_file, write_below
from generator.load.game import load_game
from generator.load.po import Catalogue, po_text
from generator.load.project import Project
from generator.load.sections import TRANSLATIONS
from generator.model.game import Game
from generator.model.resources import Resources
from generator.rulebook.bound import Wanted, bind_book
from generator.rulebook.played import Engine, RulebookPlay
from generator.rulebook.volumes import VOLUMES, Volume, volume_languages

_NO_ROOM = ("does not fit", "no room")
"""What the program says of a text that is too long for its place."""


def is_tight(problem: Problem) -> bool:
    """Whether a text has no room, and nothing else is wrong with it."""
    return any(words in problem.what for words in _NO_ROOM)


class StagedResources(Resources):
    """Resources with a folder of its own before the others, whose files are told as those that they stand for."""

    def __init__(self, stage: Path, of: Resources, root: Path, lang: str):
        super().__init__((stage, *of.roots), told=of.told, also=(lang,))
        self._stage, self._of, self._root = stage.resolve(), of, root

    def shown(self, path: Path) -> str:
        """The path as the user would type it."""
        full = path.resolve()
        return self._of.shown(self._root / full.relative_to(self._stage) if full.is_relative_to(self._stage) else path)


@dataclass(frozen=True, slots=True)
class Stage:
    """A project that has one game with a translation; everything else is that of the project that it stands for."""

    project: Project
    game: Game
    workshop: Workshop
    lang: str
    books: dict[str, bytes] = field(default_factory=dict)
    """The books that could be set, by the names of their files."""

    def problems(self, engine: Engine) -> list[Problem]:
        """Everything wrong with its faces and books in the language, what does not fit too.

        Books show faces and say their names: where these are wrong, books are not looked at.
        """
        found: list[Problem] = []
        self.workshop.draw_all(self.game.designs(), [self.lang])
        found += self.workshop.problems
        if not all(is_tight(problem) for problem in found):
            return found
        played, paint = RulebookPlay(self.game, engine), accent(self.game.palette)
        for volume in VOLUMES:
            if not volume_languages(self.workshop, volume):
                continue
            try:
                bound = bind_book(self.workshop, self.lang, played, Wanted(), paint, volume)
                self.books[f"{volume.name}.{self.lang}.pdf"] = bound.pages
            except ProblemsFound as wrong:
                found += wrong.problems
        return list(dict.fromkeys(found))


@contextmanager
def staged(
    project: Project, game: str, lang: str, catalogue: Catalogue, books: Mapping[Volume, str]
) -> Iterator[Stage]:
    """The game with a translation and its books; ProblemsFound where it can't be loaded. It goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="pnp-") as room:
        stage = Path(room)
        folder = project.folder(game)
        copied = stage / folder.relative_to(project.root)
        for path in files_below(folder):
            try:
                write_below(copied, path.relative_to(folder), read_file(path, "result"))
            except Unfit as unfit:
                place = Place(project.resources.shown(path))
                raise ProblemsFound([Problem(place, str(unfit), unfit.hint)]) from unfit
        write_below(copied / TRANSLATIONS, f"{lang}.po", po_text(catalogue).encode())
        for volume, text in books.items():
            write_below(stage / "templates" / game, volume.template(lang), text.encode())
        resources = StagedResources(stage, project.resources, project.root, lang)
        loaded = load_game(copied, resources)
        yield Stage(Project(stage, resources, project.links), loaded, Workshop(loaded, resources), lang)
