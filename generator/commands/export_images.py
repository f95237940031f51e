"""From the project to folders of pictures with a list, as Tabletopia, Screentop and the like take them."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.commands.online import export
from generator.commands.printing import Progress
from generator.delivery import Delivery
from generator.errors import Unfit
from generator.export.album import Album
from generator.export.articles import ArticleLot
from generator.export.face_folder import Entry, kind_pictures, manifest, named_files
from generator.faces.workshop import Workshop
from generator.files import read_file
from generator.load.project import Project
from generator.model.edition import first_language


@dataclass(frozen=True, slots=True)
class FolderOrder:
    """What is exported: languages (all if empty), folder, ids by pattern, dots an inch."""

    languages: tuple[str, ...]
    out: Path
    only: tuple[str, ...] = ()
    dpi: int = 300


@dataclass(frozen=True, slots=True)
class Exported:
    """The files made, and pictures of an earlier export that went, as the game has those pieces no more."""

    files: tuple[Path, ...]
    removed: tuple[Path, ...]


def export_images(project: Project, names: tuple[str, ...], order: FolderOrder, progress: Progress) -> Exported:
    """Write the pictures of the games and their lists; ProblemsFound with everything wrong, then nothing is written."""
    earlier: set[Path] = set()

    def make(workshop: Workshop, edition: str, found: list[ArticleLot], files: Delivery) -> None:
        game, lang = workshop.game, first_language(edition)
        folder = order.out / game.id / "online" / edition
        album = Album(workshop, lang, game.id, str)
        entries: list[Entry] = []
        for lot in found:
            progress(f"{game.id}: pictures ({edition}), {lot.kind.id}")
            made, entry = kind_pictures(lot, album, order.dpi)
            for picture in made:
                files.put(folder / picture.path, picture.data)
            entries.append(entry)
        name = "selection.json" if order.only else "manifest.json"
        if not order.only:
            earlier.update(_listed(folder, folder / name))
        files.put(folder / name, manifest(game, edition, lang, entries))

    made = export(project, names, order, progress, make)
    gone = tuple(path for path in sorted(earlier.difference(made)) if path.is_file())
    for path in gone:
        path.unlink()
    return Exported(made, gone)


def _listed(folder: Path, listed: Path) -> Iterator[Path]:
    """The pictures that the list of an earlier export names."""
    with contextlib.suppress(Unfit):  # there may be none
        yield from (folder / name for name in named_files(read_file(listed, "list")))
