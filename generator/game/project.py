"""A project and its games: find the folder, read a game's sections, insert its tables."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean, gather_problems, raise_problems
from generator.base.files import (
    ProgressListener,
    Resources,
    get_unsaved,
    is_file,
    is_folder,
    is_inside,
    list_files,
    list_folder,
    no_progress,
)
from generator.game.data_reader import LIMITS, read_yaml
from generator.game.schema import STATUS_LISTS
from generator.game.source import OF_TABLES, Map, Section, Sections, Seq, Source, names_tables

if TYPE_CHECKING:
    from generator.base.cache import Store


def put_tables(folder: Path, files: Sequence[tuple[Path, Map]], resources: Resources) -> list[Problem]:
    """Replace each `designs: FILE` in a game's files by the table's designs. Return the problems of single rows.

    Such rows are left out. Raise ProblemsFound, with all problems of all tables, if one can't be read at all.
    """
    problems = list(_find_idle_keys(files, resources))
    if not any(_has_tables(root) for _, root in files):
        return problems
    from generator.game import table_designs as tables

    languages = tables.read_languages(files, resources)
    unread = False
    layouts: dict[str, tables.Layout] = {}
    for one in tables.iter_kinds_with_tables(files, resources):
        try:
            table, found = tables.read_kind_tables(folder, one, languages, resources)
            layouts |= table.layouts
            one.kind["designs"] = table
            problems += found
        except ProblemsFound as stopped:
            problems += stopped.problems
            unread = True
    if unread:
        raise ProblemsFound(tables.reword_row_problems(problems, layouts))
    return problems


def _find_idle_keys(files: Sequence[tuple[Path, Map]], resources: Resources) -> Iterator[Problem]:
    for path, root in files:
        kinds = root.get("components")
        for kind in kinds.values() if isinstance(kinds, Map) else ():
            if isinstance(kind, Map) and not names_tables(kind.get("designs")):
                for key in OF_TABLES:
                    if key in kind:
                        what = f"`{key}` has no effect, because the designs are not in a table"
                        yield Problem(Source(resources.display_path(path), kind).key_place(key), what, "remove it")


GAME_FILE = "game.yaml"
UNFINISHED = "_"
"""Prefix of unfinished games' folders. They are ignored unless named, so that they don't stop other games."""
SUFFIXES = (".yaml", ".yml")
TRANSLATIONS = "translations"
"""The folder in a game's folder with one file for each further language."""


class ParsedFiles:
    """A cache of parsed files. One is parsed again if its time, size or inode changes, or an editor holds it."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int, int], Map]] = {}

    def read(self, path: Path, shown: str) -> Map:
        """Return the mapping in a file. Raise ProblemsFound, as `read_yaml` does."""
        stamp, known = _read_stamp(path), self._known.pop(path, None)
        root = known[1] if known is not None and known[0] == stamp else read_yaml(path, shown)
        if stamp is not None and not _has_tables(root):  # tables are inserted into it, and may change on their own
            self._known[path] = stamp, root
        return root


def _read_stamp(path: Path) -> tuple[int, int, int] | None:
    if get_unsaved(path) is not None:
        return None
    try:
        state = path.stat()
    except OSError:  # reading it reports the reason
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _has_tables(root: Map) -> bool:
    kinds = root.get("components")
    if not isinstance(kinds, Map):
        return False
    return any(names_tables(kind.get("designs")) for kind in kinds.values() if isinstance(kind, Map))


def read_sections(
    folder: Path, resources: Resources, parsed: ParsedFiles | None = None
) -> tuple[Sections, dict[str, str], list[Problem]]:
    """Return all sections of a folder, the status of values by path, and the problems of merging.

    Tables replace the lists that name them. Raise ProblemsFound if files can't be parsed, with every problem of every
    file. Files in `parsed` are not parsed again.
    """
    files = parse_all(folder, resources, parsed.read if parsed is not None else read_yaml)
    problems = put_tables(folder, files, resources)
    gaps: Iterable[object] = ()
    translated: tuple[str, ...] = ()
    declared: list[Any] = next((root["languages"] for _, root in files if isinstance(root.get("languages"), list)), [])
    asked = dict.fromkeys(lang for lang in (*declared, *resources.also) if isinstance(lang, str))
    there = {lang: path for lang in asked if is_file(path := folder / TRANSLATIONS / f"{lang}.po")}
    if there:
        from generator.game.translations import put_translations  # few games have translations

        files, gaps, found = put_translations(there, files, resources)
        translated = tuple(there)
        problems += found
    sections: dict[str, Section] = {}
    marks: dict[str, str] = {}
    for path, root in files:
        shown = resources.display_path(path)
        whole = Source(shown, root)
        for name, value in root.items():
            if name in STATUS_LISTS:
                problems += _read_marks(name, value, root, whole, marks)
            else:
                part = Source(shown, value, root.values_at[name], root.keys_at[name])
                section = sections.setdefault(str(name), Section())
                first = section.parts[0].file if section.parts else ""
                for key in section.add(part):
                    named = (whole.key_place(name), name) if key is None else (part.key_place(key), f"{name}.{key}")
                    what = f"'{named[1]}' is already given in {first}"
                    problems.append(Problem(named[0], what, "remove or rename one of them"))
    return Sections(sections, translated, map(str, gaps)), marks, problems


def parse_all(
    folder: Path, resources: Resources, read: Callable[[Path, str], Map] = read_yaml
) -> list[tuple[Path, Map]]:
    """Return each data file of a game: its path, and what `read` returns. Raise ProblemsFound for unreadable ones."""
    paths = [path for path in list_files(folder, links=True) if path.suffix in SUFFIXES and not is_folder(path)]
    if folder / GAME_FILE not in paths:
        place = Place(resources.display_path(folder))
        raise ProblemsFound([Problem(place, f"the game has no {GAME_FILE}", "write one, with `format: 1` in it")])
    problems: list[Problem] = []
    files: list[tuple[Path, Map]] = []
    for path in paths:
        shown = resources.display_path(path)
        if not is_inside(path, folder):
            problems.append(Problem(Place(shown), "the file is outside the game's folder", "copy it to this folder"))
            continue
        with gather_problems(problems):
            files.append((path, read(path, shown)))
    raise_problems(problems)
    return files


def _read_marks(status: str, value: Any, root: Map, whole: Source, marks: dict[str, str]) -> list[Problem]:
    if not isinstance(value, list) or not all(isinstance(path, str) for path in value):
        return [Problem(whole.place(status), f"'{status}' must be a list of paths", "write `- rules.hand`")]
    problems = []
    for number, path in enumerate(value):
        if _has_path(root, path.split(".")):
            marks[path] = status
        else:
            what = f"'{path}' names no value of this file"
            problems.append(Problem(whole.place(status, number), what, "write the path of a value, as `rules.hand`"))
    return problems


def _has_path(value: Any, steps: list[str]) -> bool:
    for step in steps:
        if isinstance(value, Map):
            key: Any = step if step in value else _parse_number(step)
            if key not in value:
                return False
            value = value[key]
        elif isinstance(value, Seq):
            named = [entry for entry in value if isinstance(entry, Map) and str(entry.get("id")) == step]
            number = _parse_number(step)
            if not named and (number is None or number >= len(value)):
                return False
            value = named[0] if named else value[number or 0]
        else:
            return False
    return True


def _parse_number(step: str) -> int | None:
    return int(step) if step.isascii() and step.isdecimal() and len(step) <= LIMITS.digits else None


_READ = ("data", "templates", "fonts", "presets", "profiles", "packs")
_WRITTEN = ("output", "records")

_DEPTH = 3
"""Depth of the search below these folders: `output/<game>/tts/...`. Single files are checked when they are read."""


def find_outside_links(root: Path, resources: Resources) -> Iterator[Problem]:
    """Yield a problem for each folder of a project that links out of it. Links inside the project are allowed."""
    home = os.path.realpath(root)
    for name in (*_READ, *_WRITTEN):
        hint = "replace the link with the files" if name in _READ else "remove the link, and name the folder with --out"
        for folder in _iter_folders(root / name, _DEPTH, files=name == "records"):
            there = os.path.realpath(folder)
            if not Path(there).is_relative_to(home):
                what = f"this link leads out of the project, to {Path(there).as_posix()}"
                place = Place(resources.display_path(folder))
                yield Problem(place, what, f"{hint}; if it is your own: `pnp --allow-links ...`")


def _iter_folders(folder: Path, depth: int, *, files: bool) -> Iterator[Path]:
    """Yield a folder and those at most `depth` below, not following links; with `files` also files that are links."""
    yield folder
    if os.path.realpath(folder) != str(Path(os.path.realpath(folder.parent), folder.name)):
        return
    try:
        below = sorted(os.scandir(folder), key=lambda entry: entry.name) if depth and is_folder(folder) else []
    except OSError:
        return  # reading or writing there reports it
    for entry in below:
        if is_folder(Path(entry.path)) or (files and entry.is_symlink()):
            yield from _iter_folders(Path(entry.path), depth - 1, files=files)


PACKAGE = Path(__file__).resolve().parent.parent


@cache
def find_bundled_root() -> Path:
    """Return the folder with the bundled data/, templates/ and fonts/."""
    installed = PACKAGE / "bundled"
    return installed if installed.is_dir() else PACKAGE.parent


class Project(NamedTuple):
    """A folder with data/<game>/, and the places of files that its games name."""

    root: Path
    resources: Resources
    links: bool = False
    """True if links may lead out of it."""

    store: "Store | None" = None
    """Results of earlier runs, which are reused; None to make everything anew."""

    @property
    def games(self) -> tuple[str, ...]:
        """The names of all games: folders in data/ with data files, except unfinished ones (`_name`)."""
        return tuple(name for name in self._find_folders() if not name.startswith(UNFINISHED))

    def _find_folders(self) -> list[str]:
        folders = [path for path in list_folder(self.root / "data") if is_folder(path)]
        for path in folders:
            if not path.name.isprintable():
                place, what = Place(self.resources.display_path(path)), "the folder's name is not valid text"
                raise ProblemsFound([Problem(place, what, "rename it, because file names and addresses contain it")])
        return [path.name for path in folders if any(file.suffix in SUFFIXES for file in list_files(path, links=True))]

    def find_folder(self, game: str) -> Path:
        """Return the folder of a game's data: `data/_GAME` if that exists (unfinished), else `data/GAME`."""
        unfinished = self.root / "data" / f"{UNFINISHED}{game}"
        return unfinished if is_folder(unfinished) else self.root / "data" / game

    def choose_games(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the named games, or all games without names. Raise ProblemsFound for unknown ones."""
        known, folders = self.games, [name.removeprefix(UNFINISHED) for name in self._find_folders()]
        unknown = [name for name in names if name not in folders]
        if unknown:
            place = Place(self.resources.display_path(self.root / "data"))
            problems = [Problem(place, f"unknown game '{name}'", did_you_mean(name, folders)) for name in unknown]
            raise ProblemsFound(problems)
        if not known and not names:
            place = Place(self.resources.display_path(self.root / "data"))
            raise ProblemsFound([Problem(place, "it contains no game", f"write data/<your game>/{GAME_FILE}")])
        return tuple(dict.fromkeys(names)) or known


def find_project(
    start: Path,
    named: Path | None = None,
    progress: ProgressListener = no_progress,
    *,
    links: bool = False,
    extra_languages: tuple[str, ...] = (),
    packs: bool = True,
) -> Project:
    """Return the project around `start`, or the named one. Raise ProblemsFound, with a way to start, if there is none.

    `progress` is told about large files while they are read; `extra_languages` are languages whose translations
    are read. A project whose links lead out of it is refused, unless `links` allows that. Without `packs`, its packs
    are neither checked nor used.
    """
    if named is not None:
        if not is_folder(named / "data"):
            what = "there is no project in this folder: it has no data/"
            raise ProblemsFound([Problem(Place(str(named)), what, f"name a folder that has data/<game>/{GAME_FILE}")])
        root = named
    else:
        above = (folder for folder in (start, *start.parents) if is_folder(folder / "data"))
        found = next(above, None)
        if found is None:
            what = "there is no project here; no data/ in this folder or a parent folder"
            hint = "create one with `pnp new my-game`, change to its folder, or name it with --project DIR"
            raise ProblemsFound([Problem(None, what, hint)])
        root = found
    found_there = Project(root, Resources((root, find_bundled_root()), start, progress, extra_languages), links)
    return add_packs(check_links(found_there)) if packs else check_links(found_there)


def add_packs(project: Project) -> Project:
    """Return the project with the files of its packs. Raise ProblemsFound if one differs from packs.lock."""
    if not is_file(project.root / "packs/packs.lock"):
        return project
    from generator.game.packs import find_packs  # few projects have packs

    names = [found.pack.name for found in find_packs(project.root, project.resources)]
    return project._replace(resources=project.resources.add_roots(project.root / "packs" / name for name in names))


def find_resources(folder: Path, named: Path | None) -> Resources:
    """Return the files (presets ...) of the project, else the bundled ones. Raise ProblemsFound if `named` is none."""
    try:
        return find_project(folder, named).resources
    except ProblemsFound:
        if named is not None:
            raise
        return Resources((find_bundled_root(),), shown_from=folder)


def check_links(project: Project) -> Project:
    """Return the project if its links stay inside, or may lead out. Raise ProblemsFound otherwise."""
    if not project.links:
        raise_problems(find_outside_links(project.root, project.resources))
    return project


PRESET_FOLDER, PRESET_SUFFIX = "presets", ".yaml"


def list_preset_ids(resources: Resources) -> tuple[str, ...]:
    """Return the ids of all presets, in order."""
    return tuple(
        sorted(name.removesuffix(PRESET_SUFFIX) for name in resources.list_names(PRESET_FOLDER, PRESET_SUFFIX))
    )
