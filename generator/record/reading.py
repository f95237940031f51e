"""The file of a record made a `Record` again; a damaged one is a problem for everything that is wrong with it."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.errors import Place, Problem, ProblemsFound
from generator.load.json_source import read_json, source_of
from generator.load.kinds import LARGEST
from generator.model.game import CUBE_FACES, Form
from generator.model.source import Map, Source
from generator.record.parts import EditionDesign, EditionKind, FaceOf, Record
from generator.units import Size

FORMAT = 1

FORMS: tuple[Form, ...] = ("card", "board", "token", "standee", "cube", "pad")

MOST = 1_000_000
"""Copies of a design and records of a game, beyond which a number is surely no count."""

_HASH = re.compile(r"[0-9a-f]{64}")
_DESIGN = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*(\+[a-z]{2,3}(-[A-Za-z0-9]+)*)?")
_DAMAGED = "the record is damaged: "
_MEND = (
    "bring the file back as it was (`git checkout` if it is there), or move it away; "
    "`pnp record NAME --replace` makes it anew"
)


def read_record(path: Path, game: str) -> Record:
    """A game's record; ProblemsFound with everything that is wrong with the file."""
    shown = path.as_posix() if not path.is_relative_to(Path.cwd()) else path.relative_to(Path.cwd()).as_posix()
    try:
        data, text = read_json(path, shown, "record", _MEND)
    except ProblemsFound as found:
        damaged = (Problem(one.place, f"the record is damaged: {one.what}", one.hint) for one in found.problems)
        raise ProblemsFound(damaged) from found
    return _Reader(shown, text).record(data, game)


class _Reader:
    """Makes a record out of what a file holds; whatever does not fit is a problem of that file."""

    def __init__(self, shown: str, text: str):
        self._shown, self._text_of_file = shown, text
        self._problems: list[Problem] = []

    def record(self, data: Any, game: str) -> Record:
        if not isinstance(data, dict) or "format" not in data:
            self._say("it is no record: it has no `format`")
        elif data["format"] != FORMAT or isinstance(data["format"], bool):
            hint = "use the program that wrote it, or make it anew: `pnp record NAME --replace`"
            what = f"the record has the format {data['format']!r}; this program reads {FORMAT}"
            place = source_of(self._text_of_file, self._shown).place("format")
            raise ProblemsFound([Problem(place, what, hint)])
        self._stop()
        kinds = {name: self._kind(name, raw) for name, raw in self._map(data, "kinds", "").items()}
        designs = {name: self._design(name, raw) for name, raw in self._map(data, "designs", "").items()}
        record = Record(
            self._text(data, "game", ""),
            self._whole(data, "number", ""),
            self._text(data, "draft", ""),
            self._words(data, "title", ""),
            tuple(self._list(data, "languages", "", str)),
            kinds,
            designs,
            self._text(data, "program", ""),
        )
        if not self._problems:
            self._check_languages(record)
        for design in designs.values():
            if design.kind not in kinds:
                self._say(f"designs.{design.id}.kind is '{design.kind}', which is none of its kinds")
        if record.game and record.game != game:
            self._problems.append(self._another(record.game, game))
        self._stop()
        return record

    def _check_languages(self, record: Record) -> None:
        """Each is a language or two, is there once, and has a title and names of kinds."""
        wrong = [lang for lang in record.languages if not _LANGUAGE.fullmatch(lang)]
        for lang in wrong:
            self._say(f"languages has {lang!r}, which is no language")
        if not record.languages:
            self._say("languages has none")
        if len(set(record.languages)) < len(record.languages):
            self._say("languages has one twice")
        named = {"title": record.title, **{f"kinds.{kind.id}.name": kind.name for kind in record.kinds.values()}}
        known = dict.fromkeys(one for edition in record.languages for one in edition.split("+"))
        for lang in known if not wrong else ():
            for key, words in named.items():
                if lang not in words:
                    self._say(f"{key} is missing in {lang!r}")

    def _another(self, of: str, game: str) -> Problem:
        """The record lies in another game's folder: by mistake, or because the game has another name now."""
        hint = f'move it back to records/{of}/; or, if {of} is called {game} now, write "game": "{game}" in it'
        return Problem(Place(self._shown), f"it is a record of {of}, not of {game}", hint)

    def _kind(self, name: str, raw: Any) -> EditionKind:
        at = f"kinds.{name}."
        said = len(self._problems)
        size = self._list(raw, "size", at, (int, float))
        is_size = len(size) == 2 and all(0 < side <= LARGEST for side in size)
        if not is_size and len(self._problems) == said:
            self._say(f"{at}size is no size")
        width, height = size if is_size else (0.0, 0.0)
        form = self._text(raw, "form", at)
        known = next((one for one in FORMS if one == form), None)
        if form and known is None:
            self._say(f"{at}form is '{form}', which is none of {', '.join(FORMS)}")
        corner, foot = (self._length(raw, key, at) for key in ("corner", "foot"))
        outline = self._text(raw, "outline", at)
        return EditionKind(
            name,
            self._words(raw, "name", at),
            Size(float(width), float(height)),
            known or "card",
            corner,
            outline,
            foot,
        )

    def _design(self, name: str, raw: Any) -> EditionDesign:
        at = f"designs.{name}."
        if not _DESIGN.fullmatch(name):
            self._say(f"designs has {name!r}, which is no design of a kind")
        faces: dict[FaceOf, str] = {}
        for face, by_language in self._map(raw, "faces", at).items():
            side = next((one for one in CUBE_FACES if one == face), None)
            if side is None or not isinstance(by_language, dict):
                self._say(f"{at}faces.{face} is no face")
                continue
            for lang, digest in by_language.items():
                if not isinstance(digest, str) or not _HASH.fullmatch(digest):
                    self._say(f"{at}faces.{face}.{lang} is {digest!r}, not a hash of 64 digits")
                    continue
                faces[side, lang] = digest
        words = self._words(raw, "name", at)
        return EditionDesign(name, self._text(raw, "kind", at), self._whole(raw, "count", at), words, faces)

    def _value(self, raw: Any, key: str, at: str, types: Any, called: str) -> Any:
        if not isinstance(raw, dict):
            self._say(f"{at.rstrip('.')} is {raw!r}, not a mapping")
            return None
        if key not in raw:
            self._say(f"{at}{key} is missing")
            return None
        value = raw[key]
        if not isinstance(value, types) or isinstance(value, bool):
            self._say(f"{at}{key} is {value!r}, not {called}")
            return None
        return value

    def _text(self, raw: Any, key: str, at: str) -> str:
        return str(self._value(raw, key, at, str, "a text") or "")

    def _whole(self, raw: Any, key: str, at: str) -> int:
        value = self._value(raw, key, at, int, "a whole number") or 0
        if not 0 <= value <= MOST:
            self._say(f"{at}{key} is {value}, {'less than nothing' if value < 0 else f'more than {MOST}'}")
        return int(value)

    def _length(self, raw: Any, key: str, at: str) -> float:
        """Millimetres of a part of a piece."""
        value = self._value(raw, key, at, (int, float), "a number") or 0
        if not 0 <= value <= LARGEST:
            self._say(f"{at}{key} is no length")
            return 0.0
        return float(value)

    def _map(self, raw: Any, key: str, at: str) -> dict[str, Any]:
        return self._value(raw, key, at, dict, "a mapping") or {}

    def _list(self, raw: Any, key: str, at: str, types: Any) -> list[Any]:
        value = self._value(raw, key, at, list, "a list") or []
        for n, entry in enumerate(value):
            if not isinstance(entry, types) or isinstance(entry, bool):
                self._say(f"{at}{key}[{n}] is {entry!r}")
                return []
        return list(value)

    def _words(self, raw: Any, key: str, at: str) -> dict[str, str]:
        words = self._map(raw, key, at)
        for lang, text in words.items():
            if not isinstance(text, str):
                self._say(f"{at}{key}.{lang} is {text!r}, not a text")
        return {lang: text for lang, text in words.items() if isinstance(text, str)}

    def _say(self, what: str) -> None:
        """A problem; `what` begins with where it is: `designs.card/one.count is ...`."""
        self._problems.append(Problem(Place(self._shown), f"{_DAMAGED}{what}", _MEND))

    def _stop(self) -> None:
        if self._problems:
            source = source_of(self._text_of_file, self._shown)
            raise ProblemsFound(replace(problem, place=_place(source, problem.what)) for problem in self._problems)


def _place(source: Source, what: str) -> Place:
    """Where a value stands whose path a message begins with; names in it may have dots of their own."""
    path, rest, value = list[Any](), what.removeprefix(_DAMAGED), source.value
    while isinstance(value, Map):
        named = [key for key in value if re.match(rf"{re.escape(str(key))}(?![\w-])", rest)]
        if not named:
            break
        longest = max(named, key=lambda key: len(str(key)))
        path.append(longest)
        value, rest = value[longest], rest[len(str(longest)) + 1 :]
    return source.place(*path)
