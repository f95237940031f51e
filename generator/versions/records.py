"""Records: read and write the files that state what was printed of a game, in a strict format."""

import json
import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from generator import __version__
from generator.base.errors import Problem, ProblemsFound, format_path, gather_problems, raise_problems
from generator.base.files import DEVICES, is_file, list_folder
from generator.base.geometry import Size
from generator.game.data_fields import list_keyed_fields
from generator.game.data_reader import read_json, source_from_text
from generator.game.data_shapes import (
    REQUIRED,
    TEXT,
    ChoiceShape,
    DataShape,
    KeyedShape,
    KeyEntry,
    ListShape,
    MapShape,
    PlainShape,
    read_shape,
)
from generator.game.kinds import LARGEST
from generator.game.model import CUBE_FACES, FaceName, Form, Kind
from generator.game.project import GAME_FILE, Project
from generator.game.rich_text import Words
from generator.game.value_faults import describe_value, explain_finding, find_finding_path

FACES: tuple[FaceName, ...] = CUBE_FACES
"""All sides that a component can have, in the order of reports."""

FaceOf = tuple[FaceName, str]
"""A side, and the language or pair of languages (`ja+en`) in which it is drawn."""


FIRST_RECORD_FIELDS = ("name", "size", "form", "corner", "outline", "foot")
"""The fields of a kind that the first records had: its name, and how it is cut and folded."""

RECORDED_KIND_FIELDS = (*FIRST_RECORD_FIELDS,)
"""The fields of a kind that a record stores, in the order of its file.

New fields follow those of the first records. A field missing from an older record has the model's default.
"""


def cut_key(kind: Kind) -> tuple[object, ...]:
    """Return the values that determine how a piece is cut from the sheet. Rounded corners are cut by hand."""
    return (kind.size, kind.form, kind.outline, kind.foot)


@dataclass(frozen=True, slots=True)
class VersionDesign:
    """A design in a version: `count` copies, and its name by language (empty if it has none).

    `faces` gives the sha256 of each side in each language as hex.
    """

    id: str
    kind: str
    count: int
    name: Mapping[str, str]
    faces: Mapping[FaceOf, str]

    def side_hashes(self, lang: str) -> Mapping[FaceName, str]:
        """Return the hash of each side in a language, the front first."""
        return {face: self.faces[face, lang] for face in FACES if (face, lang) in self.faces}


def match_by_look(gone: Iterable[tuple[str, Hashable]], new: Iterable[tuple[str, Hashable]]) -> dict[str, str]:
    """Return new id -> old id for designs that look the same, matched in order.

    Each design is given by its id and a key of its look.
    """
    free: dict[Hashable, list[str]] = {}
    for name, looks in gone:
        free.setdefault(looks, []).append(name)
    return {name: free[looks].pop(0) for name, looks in new if free.get(looks)}


@dataclass(frozen=True, slots=True)
class Record:
    """What was printed of a game at one time. The record with the highest `number` is the newest.

    Its kinds have no designs and only the recorded fields.
    """

    game: str
    number: int
    draft: str
    title: Mapping[str, str]
    languages: tuple[str, ...]
    kinds: Mapping[str, Kind]
    designs: Mapping[str, VersionDesign]
    program: str = __version__


FORMAT = 1

FORMS: tuple[Form, ...] = get_args(Form)

MOST = 1_000_000
"""Largest accepted number of copies of a design, and of a record."""

_MEND = (
    "restore the original file (`git checkout` if it is there), or move it away; "
    "`pnp record NAME --replace` writes it again"
)

RecordFault = tuple[tuple[Any, ...], str]
"""A fault in a record: the path of the value, and a description."""


def read_record(path: Path, game: str) -> Record:
    """Return a game's record. Raise ProblemsFound with all faults of the file."""
    shown = path.as_posix() if not path.is_relative_to(Path.cwd()) else path.relative_to(Path.cwd()).as_posix()
    try:
        data, text = read_json(path, shown, "record", _MEND)
    except ProblemsFound as found:
        damaged = (Problem(one.place, f"the record is damaged: {one.what}", one.hint) for one in found.problems)
        raise ProblemsFound(damaged) from found
    problems: list[Problem] = []
    if isinstance(data, dict) and "format" in data and (data["format"] != FORMAT or data["format"] is True):
        hint = "use the program that wrote it, or save it again: `pnp record NAME --replace`"
        what = f"the record has the format {data['format']!r}; this program reads {FORMAT}"
        raise ProblemsFound([Problem(source_from_text(text, shown).place("format"), what, hint)])
    record, slips = _check_record(data)
    of = data.get("game") if isinstance(data, dict) and "format" in data else ""
    if isinstance(of, str) and of not in ("", game):
        # The record is in another game's folder, by mistake or because the game was renamed.
        hint = f'move it back to records/{of}/; or, if {of} is called {game} now, write "game": "{game}" in it'
        problems.append(Problem(source_from_text(text, shown).place(), f"it is a record of {of}, not of {game}", hint))
    if slips:
        source = source_from_text(text, shown)
        problems += [Problem(source.place(*at), f"the record is damaged: {what}", _MEND) for at, what in slips]
    if record is None or problems:
        raise ProblemsFound(problems)
    return record


def _check_record(data: Any) -> tuple[Record | None, list[RecordFault]]:
    """Return the record, or None if its shape is wrong, and all faults."""
    if not isinstance(data, dict) or "format" not in data:
        return None, [((), "it is no record: it has no `format`")]
    lines, found = read_shape(_RECORD, data)
    if found:
        faults = [(find_finding_path(one)[0], explain_finding(one, _RECORD)[0]) for one in found]
        return None, [*faults, *_unknown_kind_faults(data)]
    kinds = {
        name: Kind(**vars(line) | {"id": name, "name": Words(line.name), "size": Size(*line.size), "designs": ()})
        for name, line in lines.kinds.items()
    }
    designs = {
        name: VersionDesign(
            name,
            line.kind,
            line.count,
            line.name,
            {(face, lang): digest for face, by_lang in line.faces.items() for lang, digest in by_lang.items()},
        )
        for name, line in lines.designs.items()
    }
    languages = tuple(lines.languages)
    record = Record(lines.game, lines.number, lines.draft, lines.title, languages, kinds, designs, lines.program)
    return record, [*_language_faults(record), *_unknown_kind_faults(data)]


def _language_faults(record: Record) -> Iterator[RecordFault]:
    """Yield a fault for a repeated language, and for each one without a title or names of kinds."""
    if len(set(record.languages)) < len(record.languages):
        yield ("languages",), "languages has one twice"
    named: dict[tuple[str, ...], Collection[str]] = {("title",): record.title}
    named |= {("kinds", kind.id, "name"): {*kind.name} for kind in record.kinds.values()}
    for lang in dict.fromkeys(one for pair in record.languages for one in pair.split("+")):
        yield from (
            (path, f"{format_path(path)} is missing in {lang!r}") for path, has in named.items() if lang not in has
        )


def _unknown_kind_faults(data: dict[str, Any]) -> Iterator[RecordFault]:
    """Yield a fault for each design whose kind is not in the record."""
    kinds, designs = (part if isinstance(part, dict) else {} for part in (data.get("kinds"), data.get("designs")))
    for name, line in designs.items():
        kind = line.get("kind") if isinstance(line, dict) else ""
        if not isinstance(kind, str) or kind not in kinds:
            path = ("designs", name, "kind")
            yield path, f"{format_path(path)} is {describe_value(kind)}, which is none of its kinds"


def _record_shape(name: str, lines: dict[str, DataShape]) -> KeyedShape:
    """Return the shape of a mapping with these keys (`lines`). Unknown keys of later versions are ignored."""
    return KeyedShape(name, "", [KeyEntry(key, shape) for key, shape in lines.items()], open=True)


_LENGTH = PlainShape("number", {"ge": 0, "le": LARGEST})
_SIZE = ListShape(PlainShape("number", {"ge": 0.001, "le": LARGEST}), {"min_length": 2, "max_length": 2})
_KEPT_AS: dict[Any, DataShape] = {
    str: TEXT, Words: MapShape(TEXT, TEXT), Size: _SIZE, Form: ChoiceShape(FORMS), float: _LENGTH,
}  # fmt: skip
_KIND = KeyedShape(
    "Kind",
    "",
    [
        KeyEntry(one.name, _KEPT_AS[one.type], REQUIRED if one.name in FIRST_RECORD_FIELDS else one.default)
        for one in list_keyed_fields(Kind)
        if one.name in RECORDED_KIND_FIELDS
    ],
    open=True,
)
_COUNT = PlainShape("whole number", {"ge": 0, "le": MOST})
_FACES = MapShape(ChoiceShape(FACES), MapShape(TEXT, PlainShape("text", {"pattern": "^[0-9a-f]{64}$"})))
_DESIGN_LINE: dict[str, DataShape] = {"kind": TEXT, "count": _COUNT, "name": MapShape(TEXT, TEXT), "faces": _FACES}
_DESIGN = PlainShape("text", {"pattern": r"^[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*$"})
_LANGUAGE = r"[a-z]{2,3}(-[A-Za-z0-9]+)*"
_RECORD = _record_shape("Record", {
    "game": TEXT, "number": _COUNT, "draft": TEXT, "title": MapShape(TEXT, TEXT),
    "languages": ListShape(PlainShape("text", {"pattern": rf"^{_LANGUAGE}(\+{_LANGUAGE})?$"}), {"min_length": 1}),
    "kinds": MapShape(TEXT, _KIND), "designs": MapShape(_DESIGN, _record_shape("Design", _DESIGN_LINE)),
    "program": TEXT,
})  # fmt: skip


# A damaged record is reported as a problem. It is never overwritten without the user's consent.

FOLDER = "records"

_NAME = re.compile(r"[^\W_]([\w.-]*[\w-])?", re.ASCII)
_LONGEST = 80


def record_path(root: Path, game: str, name: str) -> Path:
    """Return the path of a game's record of this name, in the project at `root`."""
    return root / FOLDER / game / f"{name}.json"


def picture_path(root: Path, game: str, name: str, digest: str) -> Path:
    """Return the path of the small picture of the face with this hash, in a game's record of this name."""
    return root / FOLDER / game / name / f"{digest}.png"


def record_names(root: Path, game: str) -> tuple[str, ...]:
    """Return the names of all records of a game."""
    return tuple(sorted(path.stem for path in list_folder(root / FOLDER / game) if path.suffix == ".json"))


def find_gone_games(project: Project) -> tuple[str, ...]:
    """Return the games that have records but no data, because they were deleted or renamed."""
    folders = [path.name for path in list_folder(project.root / FOLDER) if record_names(project.root, path.name)]
    return tuple(name for name in folders if not is_file(project.find_folder(name) / GAME_FILE))


def find_obstacle(root: Path, game: str, name: str) -> Path | None:
    """Return a file or folder that blocks the path of a record or its pictures, or None."""
    path = record_path(root, game, name)
    folders = (root / FOLDER, path.parent, picture_path(root, game, name, "any").parent)
    files = [folder for folder in folders if folder.exists() and not folder.is_dir()]
    return next(iter([*files, *([path] if path.is_dir() else [])]), None)


def check_record_name(name: str) -> Iterable[Problem]:
    """Yield a problem for a name that can't be a file name on every system or looks like a path."""
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        what = f"'{name}' can't be a record's name"
        yield Problem(None, what, f"use letters a to z, digits, `-`, `_` and `.` (not at the end), at most {_LONGEST}")
    elif name.partition(".")[0].lower() in DEVICES:
        yield Problem(None, f"'{name}' is the name of a device on Windows", f"choose another, as 'draft-{name}'")


def newest_record(root: Path, game: str, before: str = "") -> str:
    """Return the name of a game's newest record, or of the newest one made before the record `before`.

    Return an empty string if there is none. Raise ProblemsFound for damaged records.
    """
    numbers = _read_numbers(root, game)
    earlier = [name for name in numbers if before not in numbers or numbers[name] < numbers[before]]
    return max(earlier, key=lambda name: (numbers[name], name), default="")


def next_number(root: Path, game: str, name: str) -> int:
    """Return the number for a new record: one more than the highest number of the other records.

    Raise ProblemsFound if another record is damaged, because its number may be the highest.
    """
    return max(_read_numbers(root, game, but=name).values(), default=0) + 1


def _read_numbers(root: Path, game: str, but: str = "") -> dict[str, int]:
    numbers: dict[str, int] = {}
    problems: list[Problem] = []
    for name in record_names(root, game):
        if name == but:
            continue
        with gather_problems(problems):
            numbers[name] = read_record(record_path(root, game, name), game).number
    raise_problems(problems)
    return numbers


def record_text(record: Record) -> str:
    """Return the text of a record's file: one line per kind and design, in the order of the data."""
    kinds = {
        kind.id: {name: getattr(kind, name) for name in RECORDED_KIND_FIELDS}
        | {"name": dict(kind.name.items()), "size": [kind.size.width, kind.size.height]}
        for kind in record.kinds.values()
    }
    designs: dict[str, Any] = {}
    for design in record.designs.values():
        faces: dict[str, dict[str, str]] = {}
        for (face, lang), digest in design.faces.items():
            faces.setdefault(face, {})[lang] = digest
        designs[design.id] = {"kind": design.kind, "count": design.count, "name": dict(design.name), "faces": faces}
    head = {
        "format": FORMAT, "program": record.program, "game": record.game, "number": record.number,
        "draft": record.draft, "title": dict(record.title), "languages": list(record.languages),
    }  # fmt: skip
    write = partial(json.dumps, ensure_ascii=False)
    lines = [f"  {json.dumps(key)}: {write(value)}" for key, value in head.items()]
    for name, entries in (("kinds", kinds), ("designs", designs)):
        rows = [f"    {write(key)}: {write(data)}" for key, data in entries.items()]
        lines.append(f'  "{name}": {{\n' + ",\n".join(rows) + "\n  }")
    return "{\n" + ",\n".join(lines) + "\n}\n"
