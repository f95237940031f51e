"""Which project this is: the nearest folder upwards with data/, or the one that is named; and its games."""

import os
from collections.abc import Iterator
from pathlib import Path

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.files import entries_of, files_below, is_folder
from generator.load.sections import GAME_FILE, SUFFIXES, UNFINISHED
from generator.model.resources import Resources, Told, untold

_READ = ("data", "templates", "fonts", "presets", "profiles")
_WRITTEN = ("output", "records")

_DEPTH = 3
"""Below these folders: `output/<game>/tts/...`. What single files lead to is asked where they are read."""


def links_out(root: Path, resources: Resources) -> Iterator[Problem]:
    """A problem for each folder of a project that is elsewhere; one that lies in the project may have two names."""
    home = os.path.realpath(root)
    for name in (*_READ, *_WRITTEN):
        hint = (
            "put the files themselves there" if name in _READ else "take the link away, and name the folder with --out"
        )
        for folder in _folders(root / name, _DEPTH, files=name == "records"):
            there = os.path.realpath(folder)
            if not Path(there).is_relative_to(home):
                what = f"this link leads out of the project, to {Path(there).as_posix()}"
                yield Problem(
                    Place(resources.shown(folder)), what, f"{hint}; if it is your own: `pnp --allow-links ...`"
                )


def _folders(folder: Path, depth: int, *, files: bool) -> Iterator[Path]:
    """A folder and those below it, not beyond links; on request files that are links, too."""
    yield folder
    if os.path.realpath(folder) != str(Path(os.path.realpath(folder.parent), folder.name)):
        return
    try:
        below = sorted(os.scandir(folder), key=lambda entry: entry.name) if depth and is_folder(folder) else []
    except OSError:
        return  # whoever reads or writes there says it
    for entry in below:
        if is_folder(Path(entry.path)) or (files and entry.is_symlink()):
            yield from _folders(Path(entry.path), depth - 1, files=files)


PACKAGE = Path(__file__).resolve().parent.parent


def bundled_root() -> Path:
    """The folder with the data/, templates/ and fonts/ that come with the program."""
    installed = PACKAGE / "bundled"
    return installed if installed.is_dir() else PACKAGE.parent


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with data/<game>/, and where files that its games name are looked up."""

    root: Path
    resources: Resources
    links: bool = False
    """Whether links in it may lead out of it."""

    @property
    def games(self) -> tuple[str, ...]:
        """The names of all games: the folders in data/ that hold data files, but for unfinished ones (`_name`)."""
        return tuple(name for name in self._folders() if not name.startswith(UNFINISHED))

    def _folders(self) -> list[str]:
        folders = [path for path in entries_of(self.root / "data") if is_folder(path)]
        for path in folders:
            if not path.name.isprintable():
                place, what = Place(self.resources.shown(path)), "a folder's name that is no text"
                raise ProblemsFound([Problem(place, what, "rename it: it stands in names of files and in addresses")])
        return [path.name for path in folders if any(file.suffix in SUFFIXES for file in files_below(path, links=True))]

    def folder(self, game: str) -> Path:
        """Where a game's data are, finished or not."""
        unfinished = self.root / "data" / f"{UNFINISHED}{game}"
        return unfinished if is_folder(unfinished) else self.root / "data" / game

    def choose(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The games named, all of them if none is; ProblemsFound for unknown ones."""
        known, folders = self.games, [name.removeprefix(UNFINISHED) for name in self._folders()]
        unknown = [name for name in names if name not in folders]
        if unknown:
            place = Place(self.resources.shown(self.root / "data"))
            raise ProblemsFound(
                Problem(place, f"unknown game '{name}'", did_you_mean(name, folders)) for name in unknown
            )
        if not known and not names:
            place = Place(self.resources.shown(self.root / "data"))
            raise ProblemsFound([Problem(place, "there is no game in it", f"write data/<your game>/{GAME_FILE}")])
        return tuple(dict.fromkeys(names)) or known


def find_project(
    here: Path,
    named: Path | None = None,
    told: Told = untold,
    *,
    links: bool = False,
    also: tuple[str, ...] = (),
) -> Project:
    """The project that `here` lies in, or the named one; ProblemsFound with a way to start where there is none.

    `told` hears of large files while they are read; `also` are languages whose translations are read. A project with
    links that lead out of it is refused, unless `links` may do so.
    """
    if named is not None:
        if not is_folder(named / "data"):
            what = "there is no project in this folder: it has no data/"
            raise ProblemsFound([Problem(Place(str(named)), what, f"name a folder that has data/<game>/{GAME_FILE}")])
        root = named
    else:
        above = (folder for folder in (here, *here.parents) if is_folder(folder / "data"))
        found = next(above, None)
        if found is None:
            what = "there is no project here: neither this folder nor one above it has data/"
            hint = "begin one with `pnp new my-game`, go into its folder, or name it with --project DIR"
            raise ProblemsFound([Problem(None, what, hint)])
        root = found
    found_there = Project(root, Resources((root, bundled_root()), here, told, also), links)
    return within(found_there)


def within(project: Project) -> Project:
    """The project, if no link leads out of it, or may; else ProblemsFound."""
    problems = [] if project.links else list(links_out(project.root, project.resources))
    if problems:
        raise ProblemsFound(problems)
    return project
