"""A project and its games: find the folder, read the sections of a game, put in its tables."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.base.dataclass import dataclass
from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import Resources, Told, entries_of, files_below, is_file, is_folder, lies_in, unsaved, untold
from generator.game.data_reader import LIMITS, read_yaml
from generator.game.schema import STATUS_LISTS
from generator.game.source import Map, Section, Sections, Seq, Source
from generator.game.table_designs import OF_TABLES, kinds_with_tables, languages_of, names_tables

if TYPE_CHECKING:
    from generator.game.table_designs import Layout


def put_tables(folder: Path, files: Sequence[tuple[Path, Map]], resources: Resources) -> list[Problem]:
    """Replace each `designs: FILE` in a game's files by what the table holds; problems of single rows.

    Such rows are left out. ProblemsFound, with every problem of every table, where one can't be read at all.
    """
    problems = list(_idle_keys(files, resources))
    named = list(kinds_with_tables(files, resources))
    if not named:
        return problems
    from generator.game.table_designs import in_words_of_tables, table_of

    languages = languages_of(files, resources)
    unread = False
    layouts: dict[str, Layout] = {}
    for one in named:
        try:
            table, found = table_of(folder, one, languages, resources)
            layouts |= table.layouts
            one.kind["designs"] = table
            problems += found
        except ProblemsFound as stopped:
            problems += stopped.problems
            unread = True
    if unread:
        raise ProblemsFound(in_words_of_tables(problems, layouts))
    return problems


def _idle_keys(files: Sequence[tuple[Path, Map]], resources: Resources) -> Iterator[Problem]:
    """What kinds say of tables that have none."""
    for path, root in files:
        kinds = root.get("components")
        for kind in kinds.values() if isinstance(kinds, Map) else ():
            if isinstance(kind, Map) and not names_tables(kind.get("designs")):
                for key in OF_TABLES:
                    if key in kind:
                        what = f"`{key}` has no effect: the designs do not stand in a table"
                        yield Problem(Source(resources.shown(path), kind).key_place(key), what, "take it out")


GAME_FILE = "game.yaml"
UNFINISHED = "_"
"""A game whose folder begins with it is left alone until it is named: work in progress must not stop the others."""
SUFFIXES = (".yaml", ".yml")
TRANSLATIONS = "translations"
"""The folder of a game's folder with a file for each further language."""


class ParsedFiles:
    """Files that were parsed before, for whoever reads a game again and again: one that has not changed is not parsed.

    A file has changed when its time, its size or its number on the disk has; one that an editor holds is parsed anew.
    """

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int, int], Map]] = {}

    def read(self, path: Path, shown: str) -> Map:
        """The mapping that a file holds; ProblemsFound as by `read_yaml`."""
        stamp, known = _stamp(path), self._known.pop(path, None)
        root = known[1] if known is not None and known[0] == stamp else read_yaml(path, shown)
        if stamp is not None and not _names_tables(root):  # these would be put into it, and change by themselves
            self._known[path] = stamp, root
        return root


def _stamp(path: Path) -> tuple[int, int, int] | None:
    if unsaved(path) is not None:
        return None
    try:
        state = path.stat()
    except OSError:  # whoever reads it says why
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _names_tables(root: Map) -> bool:
    kinds = root.get("components")
    if not isinstance(kinds, Map):
        return False
    lists = [kind.get("designs") for kind in kinds.values() if isinstance(kind, Map)]
    return any(isinstance(one, str) for given in lists for one in (given if isinstance(given, list) else [given]))


def read_sections(
    folder: Path, resources: Resources, parsed: ParsedFiles | None = None
) -> tuple[Sections, dict[str, str], list[Problem]]:
    """All sections of a folder, the status of values by path, and the problems of merging.

    Tables stand in the place of the lists that name them. ProblemsFound when files can't be parsed: every problem of
    every file. Files that `parsed` has are not parsed again.
    """
    files = parse_all(folder, resources, parsed.read if parsed is not None else read_yaml)
    problems = put_tables(folder, files, resources)
    gaps: Iterable[object] = ()
    translated: tuple[str, ...] = ()
    declared: list[Any] = next((root["languages"] for _, root in files if isinstance(root.get("languages"), list)), [])
    asked = dict.fromkeys(lang for lang in (*declared, *resources.also) if isinstance(lang, str))
    there = {lang: path for lang in asked if is_file(path := folder / TRANSLATIONS / f"{lang}.po")}
    if there:
        from generator.game.translations import put_translations  # few games have any, and few orders ask for them

        files, gaps, found = put_translations(there, files, resources)
        translated = tuple(there)
        problems += found
    sections: dict[str, Section] = {}
    marks: dict[str, str] = {}
    for path, root in files:
        shown = resources.shown(path)
        whole = Source(shown, root)
        for name, value in root.items():
            if name in STATUS_LISTS:
                problems += _read_marks(name, value, root, whole, marks)
            else:
                part = Source(shown, value, root.values_at[name], root.keys_at[name])
                problems += _merge(sections.setdefault(str(name), Section()), str(name), part, whole)
    return Sections(sections, translated, map(str, gaps)), marks, problems


def parse_all(
    folder: Path, resources: Resources, read: Callable[[Path, str], Map] = read_yaml
) -> list[tuple[Path, Map]]:
    """Every data file of a game's folder with its path; ProblemsFound with what can't be parsed."""
    paths = [path for path in files_below(folder, links=True) if path.suffix in SUFFIXES and not is_folder(path)]
    if folder / GAME_FILE not in paths:
        place = Place(resources.shown(folder))
        raise ProblemsFound([Problem(place, f"the game has no {GAME_FILE}", "write one, with `format: 1` in it")])
    problems: list[Problem] = []
    files: list[tuple[Path, Map]] = []
    for path in paths:
        shown = resources.shown(path)
        if not lies_in(path, folder):
            problems.append(Problem(Place(shown), "the file lies outside the game's folder", "copy it into the folder"))
            continue
        try:
            files.append((path, read(path, shown)))
        except ProblemsFound as found:
            problems += found.problems
    if problems:
        raise ProblemsFound(problems)
    return files


def _merge(section: Section, name: str, part: Source, whole: Source) -> list[Problem]:
    first = section.parts[0].file if section.parts else ""
    problems = []
    for key in section.add(part):
        where, label = (whole.key_place(name), name) if key is None else (part.key_place(key), f"{name}.{key}")
        problems.append(Problem(where, f"'{label}' is already given in {first}", "remove or rename one of them"))
    return problems


def _read_marks(status: str, value: Any, root: Map, whole: Source, marks: dict[str, str]) -> list[Problem]:
    if not isinstance(value, list) or not all(isinstance(path, str) for path in value):
        return [Problem(whole.place(status), f"'{status}' must be a list of paths", "write `- rules.hand`")]
    problems = []
    for number, path in enumerate(value):
        if _exists(root, path.split(".")):
            marks[path] = status
        else:
            what = f"'{path}' names no value of this file"
            problems.append(Problem(whole.place(status, number), what, "write the path of a value, as `rules.hand`"))
    return problems


def _exists(value: Any, steps: list[str]) -> bool:
    """Whether a dotted path leads somewhere; entries of a list are named by their id, or by number from 0."""
    for step in steps:
        if isinstance(value, Map):
            key: Any = step if step in value else _number(step)
            if key not in value:
                return False
            value = value[key]
        elif isinstance(value, Seq):
            named = [entry for entry in value if isinstance(entry, Map) and str(entry.get("id")) == step]
            number = _number(step)
            if not named and (number is None or number >= len(value)):
                return False
            value = named[0] if named else value[number or 0]
        else:
            return False
    return True


def _number(step: str) -> int | None:
    return int(step) if step.isascii() and step.isdecimal() and len(step) <= LIMITS.digits else None


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
