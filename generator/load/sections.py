"""The files of one game's folder, read and merged: each section with the place of all that stands in it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from generator.errors import Place, Problem, ProblemsFound
from generator.files import files_below, is_file, is_folder, lies_in, unsaved
from generator.load.schema import STATUS_LISTS
from generator.load.tables.placing import put_tables
from generator.load.yaml_source import LIMITS, read_yaml
from generator.model.resources import Resources
from generator.model.source import Map, Section, Sections, Seq, Source

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
        from generator.load.translated import put_translations  # few games have any, and few orders ask for them

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
