"""The file of a record made a `Record` again; a damaged one is a problem for everything that is wrong with it."""

import json
import re
from pathlib import Path
from typing import Any

from generator.errors import Place, Problem, ProblemsFound
from generator.model.game import CUBE_FACES, Form
from generator.record.parts import EditionDesign, EditionKind, FaceOf, Record
from generator.units import Size

FORMAT = 1

FORMS: tuple[Form, ...] = ("card", "board", "token", "standee", "cube", "pad")

_HASH = re.compile(r"[0-9a-f]{64}")
_MEND = "bring the file back as it was (`git checkout` if it is there), or make it anew with --replace"


def read_record(path: Path, game: str) -> Record:
    """A game's record; ProblemsFound with everything that is wrong with the file."""
    shown = path.as_posix() if not path.is_relative_to(Path.cwd()) else path.relative_to(Path.cwd()).as_posix()
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise ProblemsFound([Problem(Place(shown), f"the record can't be read: {error.strerror}", _MEND)]) from error
    except UnicodeDecodeError as error:
        what = "the record is damaged: it is not UTF-8"
        raise ProblemsFound([Problem(Place(shown), what, _MEND)]) from error
    except json.JSONDecodeError as error:
        what = f"the record is damaged: {error.msg}"
        raise ProblemsFound([Problem(Place(shown, error.lineno, error.colno), what, _MEND)]) from error
    except RecursionError as error:
        raise ProblemsFound([Problem(Place(shown), "the record is damaged: it has no end", _MEND)]) from error
    return _Reader(shown).record(data, game)


class _Reader:
    """Makes a record out of what a file holds; whatever does not fit is a problem of that file."""

    def __init__(self, shown: str):
        self._shown = shown
        self._problems: list[Problem] = []

    def record(self, data: Any, game: str) -> Record:
        if not isinstance(data, dict) or "format" not in data:
            self._say("it is no record: it has no `format`")
        elif data["format"] != FORMAT:
            hint = "use the program that wrote it, or make it anew with --replace"
            what = f"the record has the format {data['format']!r}; this program reads {FORMAT}"
            raise ProblemsFound([Problem(Place(self._shown), what, hint)])
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
        if record.game and record.game != game:
            self._say(f"it is one of {record.game}, not of {game}")
        for design in designs.values():
            if design.kind not in kinds:
                self._say(f"designs.{design.id}.kind is '{design.kind}', which is none of its kinds")
        self._stop()
        return record

    def _kind(self, name: str, raw: Any) -> EditionKind:
        at = f"kinds.{name}."
        width, height = (*self._list(raw, "size", at, (int, float)), 0.0, 0.0)[:2]
        if not (width > 0 and height > 0):
            self._say(f"{at}size is no size")
        form = self._text(raw, "form", at)
        known = next((one for one in FORMS if one == form), None)
        if form and known is None:
            self._say(f"{at}form is '{form}', which is none of {', '.join(FORMS)}")
        corner, foot = (float(self._value(raw, key, at, (int, float), "a number") or 0.0) for key in ("corner", "foot"))
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
        if value < 0:
            self._say(f"{at}{key} is {value}, less than nothing")
        return int(value)

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
        self._problems.append(Problem(Place(self._shown), f"the record is damaged: {what}", _MEND))

    def _stop(self) -> None:
        if self._problems:
            raise ProblemsFound(self._problems)
