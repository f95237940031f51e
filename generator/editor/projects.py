"""A project that an editor has files of open: its games as they are with what has not been saved."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.editor.keys import Shape
from generator.faces.workshop import FaceKey
from generator.files import hold_unsaved, is_folder
from generator.load.json_schema import schema_of
from generator.load.project import find_project
from generator.load.sections import SUFFIXES
from generator.load.tables.files import CSV
from generator.model.game import Game
from generator.serve.gallery import Turns
from generator.serve.show import Show
from generator.serve.watch import EVERYTHING, Touched

Sort: TypeAlias = Literal["data", "table", "template", "text", "other"]
"""What a file is: YAML, a table of designs, an SVG template, a book's text, or something that a game only shows."""

_SORTS: dict[str, dict[str, Sort]] = {
    "data": {**dict.fromkeys(SUFFIXES, "data"), **dict.fromkeys(CSV, "table")},
    "templates": {".svg": "template", ".md": "text"},
}

_WIDTH = 260
"""Pixels of a picture's longer side: what a hint has room for."""

_MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file of a project: by its real path, which games read it, and what it is."""

    path: Path
    games: tuple[str, ...]
    sort: Sort

    @property
    def touched(self) -> Touched:
        """What a change of it concerns."""
        in_data = self.sort in ("data", "table")
        return Touched(frozenset(self.games), data=in_data, templates=not in_data)


class OpenProject:
    """A project by its folder; ProblemsFound where links lead out of it.

    A face is drawn by one thread at a time: `turns` are asked for before a game is read or drawn. `languages` are those
    that the reader reads, the first that a game has is shown. Who reads the games anyway hands them in by `known`.
    """

    def __init__(self, root: Path, known: Callable[[str], Game | None] | None = None):
        self.project = find_project(root)
        self._known = known or self._last_read
        self.root = root
        self.turns = Turns()
        self.languages: tuple[str, ...] = ()
        self._shows: dict[str, Show] = {}
        self._shapes: dict[str, tuple[Game, Shape]] = {}

    def file(self, path: Path) -> OpenFile | None:
        """What a path is in the project; None where no game reads it."""
        folder, *parts = path.relative_to(self.root).parts
        if len(parts) < 2 or folder not in _SORTS:
            return None
        sort = _SORTS[folder].get(path.suffix.lower(), "other")
        if folder == "data":
            parts[0] = parts[0].removeprefix("_")
        names = self.project.games if parts[0] == "common" else parts[:1]
        there = tuple(name for name in names if is_folder(self.project.folder(name)))
        return OpenFile(path, there, sort) if there else None

    def read(self, name: str, what: Touched = EVERYTHING) -> Show:
        """A game read again, or for the first time. In a turn."""
        show = self._shows.get(name)
        if show is None:
            show = self._shows[name] = Show(self.project, name)
            what = EVERYTHING
        show.read(what)
        return show

    def game(self, name: str) -> Game | None:
        """A game as it could last be read; None for one that never could."""
        return self._known(name)

    def _last_read(self, name: str) -> Game | None:
        show = self._shows.get(name)
        return show.game if show else None

    def shape(self, game: Game) -> Shape:
        """The schema of a game, made once for each reading of it."""
        known = self._shapes.get(game.id)
        if known is None or known[0] is not game:
            known = self._shapes[game.id] = (game, schema_of(game))
        return known[1]

    def picture(self, name: str, key: FaceKey) -> bytes | None:
        """A face as a PNG file, the last that could be drawn; None without one."""
        from generator.writers.png import drawing_png  # pdfium: not for those who ask for texts alone

        with self.turns.asked():
            show = self._shows.get(name)
            shown = show.picture(key) if show is not None and show.has(key) else None
            if shown is None:
                return None
            drawing, workshop = shown.cut(), shown.workshop
            dpi = _WIDTH / max(drawing.width, drawing.height) * _MM_PER_INCH
            out = io.BytesIO()
            drawing_png(drawing, dpi, workshop.fonts, workshop.rgb, Path).save(out, "PNG")
            return out.getvalue()

    def language(self, game: Game) -> str:
        """In which of a game's languages it is shown to the reader."""
        return next((lang for lang in self.languages if lang in game.languages), game.languages[0])


def hold(path: Path, text: str | None) -> None:
    """Read a file as the editor has it from now on; with None as it is on the disk."""
    hold_unsaved(path, None if text is None else text.encode("utf-8", "surrogatepass"))
