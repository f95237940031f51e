"""The file of a record made a `Record` again; a damaged one is a problem for everything that is wrong with it."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from generator.errors import Problem, ProblemsFound
from generator.load.json_source import read_json, source_of
from generator.load.kinds import LARGEST
from generator.model.game import FaceName, Form, Kind
from generator.model.text import Words
from generator.shapes.compound import KeyedShape, KeyEntry, ListShape, MapShape, read
from generator.shapes.shape import KEY, NEEDED, NUMBER, TEXT, WHOLE, ChoiceShape, DataShape, MadeShape, ShapeFinding
from generator.units import Size
from generator.versions.parts import KEPT_FROM_THE_FIRST, KEPT_OF_A_KIND, Record, VersionDesign

FORMAT = 1

FORMS: tuple[Form, ...] = get_args(Form)

MOST = 1_000_000
"""Copies of a design and records of a game, beyond which a number is surely no count."""

_HASH = re.compile(r"[0-9a-f]{64}")
_DESIGN = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*(\+[a-z]{2,3}(-[A-Za-z0-9]+)*)?")
_MEND = (
    "bring the file back as it was (`git checkout` if it is there), or move it away; "
    "`pnp record NAME --replace` makes it anew"
)

Slip = tuple[tuple[Any, ...], str]
"""Where something is wrong in a record, as a path, and what."""


def read_record(path: Path, game: str) -> Record:
    """A game's record; ProblemsFound with everything that is wrong with the file."""
    shown = path.as_posix() if not path.is_relative_to(Path.cwd()) else path.relative_to(Path.cwd()).as_posix()
    try:
        data, text = read_json(path, shown, "record", _MEND)
    except ProblemsFound as found:
        damaged = (Problem(one.place, f"the record is damaged: {one.what}", one.hint) for one in found.problems)
        raise ProblemsFound(damaged) from found
    problems: list[Problem] = []
    if isinstance(data, dict) and "format" in data and (data["format"] != FORMAT or data["format"] is True):
        hint = "use the program that wrote it, or make it anew: `pnp record NAME --replace`"
        what = f"the record has the format {data['format']!r}; this program reads {FORMAT}"
        raise ProblemsFound([Problem(source_of(text, shown).place("format"), what, hint)])
    record, slips = _check_record(data)
    of = data.get("game") if isinstance(data, dict) and "format" in data else ""
    if isinstance(of, str) and of not in ("", game):
        # It lies in another game's folder: by mistake, or because the game has another name now.
        hint = f'move it back to records/{of}/; or, if {of} is called {game} now, write "game": "{game}" in it'
        problems.append(Problem(source_of(text, shown).place(), f"it is a record of {of}, not of {game}", hint))
    if slips:
        source = source_of(text, shown)
        problems += [Problem(source.place(*at), f"the record is damaged: {what}", _MEND) for at, what in slips]
    if record is None or problems:
        raise ProblemsFound(problems)
    return record


def _check_record(data: Any) -> tuple[Record | None, list[Slip]]:
    """The record, None where it has another shape, and what is wrong with it."""
    if not isinstance(data, dict) or "format" not in data:
        return None, [((), "it is no record: it has no `format`")]
    lines, found = read(_RECORD, data)
    if found:
        return None, [*_shape_slips(found), *_lost_kinds(data)]
    kinds = {name: _kind(name, vars(line)) for name, line in lines.kinds.items()}
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
    return record, [*_language_slips(record), *_lost_kinds(data)]


def _kind(name: str, kept: dict[str, Any]) -> Kind:
    return Kind(**{**kept, "id": name, "name": Words(kept["name"]), "size": Size(*kept["size"]), "designs": ()})


def _language_slips(record: Record) -> Iterator[Slip]:
    """Each is a language or two, is there once, and has a title and names of kinds."""
    at = ("languages",)
    wrong = [lang for lang in record.languages if not _LANGUAGE.fullmatch(lang)]
    yield from ((at, f"languages has {lang!r}, which is no language") for lang in wrong)
    if not record.languages:
        yield at, "languages has none"
    if len(set(record.languages)) < len(record.languages):
        yield at, "languages has one twice"
    named: dict[tuple[str, ...], set[str]] = {("title",): set(record.title)}
    named |= {("kinds", kind.id, "name"): set(kind.name) for kind in record.kinds.values()}
    for lang in dict.fromkeys(one for pair in record.languages for one in pair.split("+")) if not wrong else ():
        yield from (
            (path, f"{_dotted_path(path)} is missing in {lang!r}") for path, has in named.items() if lang not in has
        )


def _lost_kinds(data: dict[str, Any]) -> Iterator[Slip]:
    """Designs of kinds that the record has not."""
    kinds, designs = (part if isinstance(part, dict) else {} for part in (data.get("kinds"), data.get("designs")))
    for name, line in designs.items():
        said = line.get("kind") if isinstance(line, dict) else ""
        kind = said if isinstance(said, str) else ""
        if kind not in kinds:
            path = ("designs", name, "kind")
            yield path, f"{_dotted_path(path)} is '{kind}', which is none of its kinds"


_CALLED = {
    "text": "a text",
    "whole number": "a whole number",
    "number": "a number",
    "mapping": "a mapping",
    "list": "a list",
}


def _shape_slips(found: list[ShapeFinding]) -> Iterator[Slip]:
    """What shapes find wrong, as it is told of records."""
    unknown = {one.path[:-1] for one in found if one.path[-1:] == (KEY,) and "faces" in one.path}
    for one in found:
        at = one.path
        if at[-1:] == (KEY,):
            path = at[:-1] if "faces" in at else at[:-2]
            yield path, f"{_dotted_path(path)} {'is no face' if 'faces' in at else one.limit}"
        elif not any(at[: len(key)] == key for key in unknown):
            yield at[:-1] if isinstance(at[-1], int) else at, _what(one)


def _what(one: ShapeFinding) -> str:
    at = one.path
    path = _dotted_path(at)
    if one.kind == "missing":
        return f"{path} is missing"
    if one.kind == "mapping" and at[-2:-1] == ("faces",):
        return f"{path} is no face"
    if one.kind in _CALLED:
        return f"{path} is {one.value!r}" + ("" if isinstance(at[-1], int) else f", not {_CALLED[one.kind]}")
    return f"{path} {one.limit}"


def _dotted_path(path: tuple[Any, ...]) -> str:
    """A path as messages show it: `kinds.card.size`, `languages[0]`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def _count(value: int) -> int:
    _must(value >= 0, f"is {value}, less than nothing")
    _must(value <= MOST, f"is {value}, more than {MOST}")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _length(value: Any) -> Any:
    _must(not _is_number(value) or 0 <= value <= LARGEST, "is no length")
    return value


def _size(sides: Any) -> Any:
    if isinstance(sides, list) and all(map(_is_number, sides)):
        _must(len(sides) == 2 and all(0 < side <= LARGEST for side in sides), "is no size")
    return sides


def _form(form: str) -> str:
    _must(form in FORMS, f"is '{form}', which is none of {', '.join(FORMS)}")
    return form


def _hash(digest: Any) -> Any:
    _must(isinstance(digest, str) and bool(_HASH.fullmatch(digest)), f"is {digest!r}, not a hash of 64 digits")
    return digest


def _design(name: str) -> str:
    _must(bool(_DESIGN.fullmatch(name)), f"has {name!r}, which is no design of a kind")
    return name


def _open_record(name: str, lines: dict[str, DataShape]) -> KeyedShape:
    """A mapping of a record; what a later program wrote besides is not read."""
    return KeyedShape(name, "", [KeyEntry(key, key, shape) for key, shape in lines.items()], open=True)


_KEPT_AS: dict[Any, DataShape] = {
    str: TEXT,
    Words: MapShape(TEXT, TEXT),
    Size: MadeShape(ListShape(NUMBER), before=_size),
    Form: MadeShape(TEXT, after=_form),
    float: MadeShape(NUMBER, before=_length),
}
_KIND = KeyedShape(
    "Kind",
    "",
    [
        KeyEntry(one.name, one.name, _KEPT_AS[one.type], NEEDED if one.name in KEPT_FROM_THE_FIRST else one.default)
        for one in fields(Kind)
        if one.name in KEPT_OF_A_KIND
    ],
    open=True,
)
_COUNT = MadeShape(WHOLE, after=_count)
_FACES = MapShape(ChoiceShape(get_args(FaceName)), MapShape(TEXT, MadeShape(TEXT, before=_hash)))
_DESIGN_LINE: dict[str, DataShape] = {"kind": TEXT, "count": _COUNT, "name": MapShape(TEXT, TEXT), "faces": _FACES}
_RECORD_LINES: dict[str, DataShape] = {
    "game": TEXT,
    "number": _COUNT,
    "draft": TEXT,
    "title": MapShape(TEXT, TEXT),
    "languages": ListShape(TEXT),
    "kinds": MapShape(TEXT, _KIND),
    "designs": MapShape(MadeShape(TEXT, after=_design), _open_record("Design", _DESIGN_LINE)),
    "program": TEXT,
}
_RECORD = _open_record("Record", _RECORD_LINES)
