"""Folders of pictures with a list, as Tabletopia, Screentop and the like take them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from generator.commands.export.online import OnlineOrder, online_editions
from generator.commands.order import Job, Made, Progress, carry_out
from generator.dataclass import dataclass
from generator.errors import Unfit
from generator.export.album import Album
from generator.export.face_folder import Entry, kind_pictures, manifest, named_files
from generator.files import read_file
from generator.load.project import Project
from generator.model.edition import first_language


@dataclass(frozen=True, slots=True)
class FolderOrder(OnlineOrder):
    """Pictures of every face and their list."""

    def make(self, job: Job) -> Made:
        """One game's folders, a folder an edition; `more` are the pictures that earlier lists name."""
        workshop, game = job.workshop, job.workshop.game
        editions: list[str] = []
        earlier: set[Path] = set()
        for edition, found in online_editions(job, self):
            lang, folder = first_language(edition), self.out / game.id / "online" / edition
            album = Album(workshop, lang, game.id, str)
            entries: list[Entry] = []
            for lot in found:
                job.progress(f"{game.id}: pictures ({edition}), {lot.kind.id}")
                made, entry = kind_pictures(lot, album, self.dpi)
                for picture in made:
                    job.files.put(folder / picture.path, picture.data)
                entries.append(entry)
            name = "selection.json" if self.only else "manifest.json"
            if not self.only:
                earlier.update(_earlier_pictures(folder, folder / name))
            job.files.put(folder / name, manifest(game, edition, lang, entries))
            editions.append(edition)
        return Made(tuple(editions), more=frozenset(earlier))


class Exported(NamedTuple):
    """The files made, pictures of an earlier export that went, as the game has those pieces no more, and notes."""

    files: tuple[Path, ...]
    removed: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def export_images(project: Project, names: tuple[str, ...], order: FolderOrder, progress: Progress) -> Exported:
    """Write the pictures of the games and their lists; ProblemsFound with everything wrong, then nothing is written."""
    done = carry_out(project, names, order, progress)
    earlier = frozenset[Path]().union(*(made.more for made in done.made))
    gone = tuple(path for path in sorted(earlier.difference(done.files)) if path.is_file())
    for path in gone:
        path.unlink()
    return Exported(done.files, gone, done.notes)


def _earlier_pictures(folder: Path, listed: Path) -> Iterator[Path]:
    """The pictures that the list of an earlier export names."""
    with contextlib.suppress(Unfit):  # there may be none
        yield from (folder / name for name in named_files(read_file(listed, "list")))
