"""Records in the project: `records/<game>/<name>.json` says what was printed, small pictures lie in a folder beside it.

A damaged record is a problem that says what is wrong with it; it is never written over unasked.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from generator.errors import Problem, ProblemsFound
from generator.files import DEVICES, entries_of, is_file
from generator.load.project import Project
from generator.load.sections import GAME_FILE
from generator.model.game import Kind
from generator.versions.parts import KEPT_OF_A_KIND, Record, VersionDesign
from generator.versions.reading import FORMAT, read_record

FOLDER = "records"

_NAME = re.compile(r"[^\W_]([\w.-]*[\w-])?", re.ASCII)
_LONGEST = 80


def record_path(root: Path, game: str, name: str) -> Path:
    """Where a record lies in the project at `root`."""
    return root / FOLDER / game / f"{name}.json"


def picture_path(root: Path, game: str, name: str, digest: str) -> Path:
    """Where a record keeps the small picture of a face with this hash."""
    return root / FOLDER / game / name / f"{digest}.png"


def record_names(root: Path, game: str) -> tuple[str, ...]:
    """The names of all records of a game."""
    return tuple(sorted(path.stem for path in entries_of(root / FOLDER / game) if path.suffix == ".json"))


def gone_games(project: Project) -> tuple[str, ...]:
    """The games that have records but no data any more: deleted, or called otherwise now."""
    folders = [path.name for path in entries_of(project.root / FOLDER) if record_names(project.root, path.name)]
    return tuple(name for name in folders if not is_file(project.folder(name) / GAME_FILE))


def in_the_way(root: Path, game: str, name: str) -> Path | None:
    """What is no record and stands where a record or its pictures belong; None where there is room."""
    path = record_path(root, game, name)
    folders = (root / FOLDER, path.parent, picture_path(root, game, name, "any").parent)
    files = [folder for folder in folders if folder.exists() and not folder.is_dir()]
    return next(iter([*files, *([path] if path.is_dir() else [])]), None)


def name_problems(name: str) -> Iterable[Problem]:
    """What is wrong with a name for a record: it is a file's name on every system and can be told from a path."""
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        what = f"'{name}' can't be a record's name"
        yield Problem(None, what, f"use letters a to z, digits, `-`, `_` and `.` (not at the end), at most {_LONGEST}")
    elif name.partition(".")[0].lower() in DEVICES:
        yield Problem(None, f"'{name}' is the name of a device on Windows", f"choose another, as 'draft-{name}'")


def newest(root: Path, game: str, before: str = "") -> str:
    """The name of a game's newest record, by its number; of those made before the record `before`, if that is one.

    Empty where there is none. ProblemsFound for damaged ones.
    """
    numbers, problems = _numbers(root, game)
    if problems:
        raise ProblemsFound(problems)
    earlier = [name for name in numbers if before not in numbers or numbers[name] < numbers[before]]
    return max(earlier, key=lambda name: (numbers[name], name), default="")


def next_number(root: Path, game: str, name: str) -> int:
    """The number of a record that is now made: one more than all others have, or its own where it is the newest.

    ProblemsFound where another record is damaged: its number may be the highest.
    """
    numbers, problems = _numbers(root, game, but=name)
    if problems:
        raise ProblemsFound(problems)
    return max(numbers.values(), default=0) + 1


def _numbers(root: Path, game: str, but: str = "") -> tuple[dict[str, int], list[Problem]]:
    numbers: dict[str, int] = {}
    problems: list[Problem] = []
    for name in record_names(root, game):
        if name == but:
            continue
        try:
            numbers[name] = read_record(record_path(root, game, name), game).number
        except ProblemsFound as found:
            problems += found.problems
    return numbers, problems


def record_text(record: Record) -> str:
    """A record as the text of its file: a line for each kind and design, in the order of the data."""
    kinds = [_line(kind.id, _kind_data(kind)) for kind in record.kinds.values()]
    designs = [_line(design.id, _design_data(design)) for design in record.designs.values()]
    head = {
        "format": FORMAT,
        "program": record.program,
        "game": record.game,
        "number": record.number,
        "draft": record.draft,
        "title": dict(record.title),
        "languages": list(record.languages),
    }
    lines = [f"  {json.dumps(key)}: {_compact(value)}" for key, value in head.items()]
    lines += [f'  "{name}": {{\n{_join_rows(rows)}\n  }}' for name, rows in (("kinds", kinds), ("designs", designs))]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _join_rows(rows: Iterable[str]) -> str:
    return ",\n".join(rows)


def _line(name: str, data: Mapping[str, Any]) -> str:
    return f"    {_compact(name)}: {_compact(data)}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kind_data(kind: Kind) -> dict[str, Any]:
    kept = {name: getattr(kind, name) for name in KEPT_OF_A_KIND}
    return kept | {"name": dict(kind.name.items()), "size": [kind.size.width, kind.size.height]}


def _design_data(design: VersionDesign) -> dict[str, Any]:
    faces: dict[str, dict[str, str]] = {}
    for (face, lang), digest in design.faces.items():
        faces.setdefault(face, {})[lang] = digest
    return {"kind": design.kind, "count": design.count, "name": dict(design.name), "faces": faces}
