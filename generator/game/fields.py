"""Declared fields of a kind: read a design's values by their types, describe them to editors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.base.errors import EntryNumber, Place, Problem, did_you_mean, format_path
from generator.base.files import normalize_file_name
from generator.base.geometry import Size, format_num
from generator.game.data_fields import FieldSpec
from generator.game.model import Effect
from generator.game.rich_text import Words, escape_markup
from generator.game.schema import WORDS_SCHEMA
from generator.game.source import Source
from generator.game.value_faults import (
    describe_value,
    explain_name,
    find_meant_name,
    suggest_number,
    suggest_text,
    suggest_truth,
)

TYPES = ("integer", "number", "text", "words", "boolean", "icon", "colour", "choice", "picture", "effects", "list")
_LIMITS = "change the number, or `{}` of the field"
RESERVED = ("id", "count", "front", "back")

_SCHEMAS: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "words": WORDS_SCHEMA,
    "boolean": {"type": "boolean"},
    "picture": {"type": "string", "description": "a picture file in the field's folder; where it is empty, the id's"},
}

_SHOWN = 8
"""Maximum number of designs named in a message; the others are counted."""


def report_missing_pictures(spec: FieldSpec, names: Sequence[str], of: int, place: Place | None) -> Problem:
    """Return one problem for the designs (`names`, out of `of`) that name no picture and have no picture file."""
    shown = ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
    what = f"{len(names)} of {of} designs have no picture in {spec.folder or 'the templates'}: {shown}"
    hint = f"save it as {names[0]}.png there, name another file in the field, or write `optional: true`"
    return Problem(place, what, hint)


def suggest_language(lang: str, languages: tuple[str, ...]) -> str:
    """Return a hint for a text in a language that the game does not have: misspelt, or left from another game."""
    hint = did_you_mean(lang, languages)
    return hint if hint.startswith("did") else f"remove it, or add '{lang}' to `languages`; {hint}"


@dataclass(slots=True, eq=False, repr=False)
class FieldReader:
    """A reader of the field values of one game, which adds faults to `problems`."""

    languages: tuple[str, ...]
    icons: Iterable[str]
    colours: Iterable[str]
    operations: Mapping[str, Mapping[str, FieldSpec]]
    problems: list[Problem]
    pictures: Callable[[str], Mapping[str, list[str]]] = lambda _folder: {}
    """A function that returns the pictures in a folder of the templates, by normalized file name."""
    outline_file: Callable[[str, Size], str] = lambda _name, _size: ""
    """A function that returns the path data of an outline file for a piece of that size, or raises InvalidInput."""
    bare: list[Place] | None = None
    """A list that collects the places of texts without a language; None if the game requires languages."""

    def read(self, spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return the value converted for the model. If it is not valid, add a problem and return None."""
        if spec.type == "list":
            if not isinstance(value, list):
                what = f"must be a list, not {describe_value(value)}"
                return self._add_problem(source, path, what, "write it in [ ]")
            entry = replace(spec, type=spec.of or "text")
            return tuple(self.read(entry, part, source, (*path, EntryNumber(n))) for n, part in enumerate(value))
        return _READERS[spec.type](self, spec, value, source, path)

    def read_words(self, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return a text in every language, or None after adding a problem. Plain text is enough if there is one."""
        if isinstance(value, str):
            if self.bare is not None:
                self.bare.append(source.place(*path))
            if self.bare is not None or len(self.languages) == 1:
                return Words(dict.fromkeys(self.languages, value))
            wanted = ", ".join(f"{lang}: ..." for lang in self.languages)
            return self._add_problem(source, path, "is a text without a language", f"write {{{wanted}}}")
        if value is None:
            hint = "write it after the colon (in quotes if it begins with #)"
            return self._add_problem(source, path, "is empty", hint)
        if not isinstance(value, Mapping):
            name = str(path[-1]) if path else ""
            what = f"must be text, not {describe_value(value)}"
            return self._add_problem(source, path, what, suggest_text(value, name))
        self._check_languages(value, source, path)
        return Words({lang: str(value.get(lang, "")) for lang in self.languages})

    def _check_languages(self, value: Mapping[Any, Any], source: Source, path: tuple[Any, ...]) -> None:
        misspelt = {find_meant_name(lang, self.languages) for lang in value if lang not in self.languages}
        for lang in self.languages:
            text = value.get(lang)
            if lang in misspelt:
                continue
            if lang not in value or text is None or text == "":
                self._add_problem(source, path, f"has no text in '{lang}'", f"add `{lang}: ...`")
            elif not isinstance(text, str):
                what = f"must be text, not {describe_value(text)}"
                self._add_problem(source, (*path, lang), what, suggest_text(text, lang))
        for lang in value:
            if lang in self.languages:
                continue
            what, hint = explain_name(lang, value[lang], self.languages, " ")
            if what.startswith("unknown"):
                hint = suggest_language(str(lang), self.languages)
                self._add_problem(source, (*path, lang), "is not a language of this game", hint, key=True)
            else:
                self.problems.append(Problem(source.key_place(*path, lang), what, hint))

    def _add_problem(self, source: Source, path: tuple[Any, ...], what: str, hint: str, *, key: bool = False) -> Any:
        """Add a problem with the value at `path` (at its key if `key`), and return None as the value."""
        place = source.key_place(*path) if key else source.place(*path)
        self.problems.append(Problem(place, f"{format_path(path)} {what}", hint))

    def read_number(self, spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return a number within the declared limits, whole if an integer. Else add a problem and return None."""
        whole = spec.type == "integer"
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            what = f"must be a {'whole ' if whole else ''}number, not {describe_value(value)}"
            return self._add_problem(source, path, what, suggest_number(value, whole=whole))
        if spec.min is not None and value < spec.min:
            what = f"is {format_num(value)}, but must be at least {format_num(spec.min)}"
            return self._add_problem(source, path, what, _LIMITS.format("min"))
        if spec.max is not None and value > spec.max:
            what = f"is {format_num(value)}, but must be at most {format_num(spec.max)}"
            return self._add_problem(source, path, what, _LIMITS.format("max"))
        return value

    def read_text(self, spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return a text for all languages, escaped if `spec.plain`. For other values add a problem, return None."""
        if not isinstance(value, str):
            hint = suggest_text(value, str(path[-1]) if path else "")
            return self._add_problem(source, path, f"must be text, not {describe_value(value)}", hint)
        return escape_markup(value) if spec.plain else value

    def read_boolean(self, _spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return a truth value. If it is none, add a problem and return None."""
        if not isinstance(value, bool):
            what = f"must be true or false, not {describe_value(value)}"
            return self._add_problem(source, path, what, suggest_truth(value))
        return value

    def read_picture(self, spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return the path, inside the templates, of the named picture. Add a problem if none or several match."""
        if not isinstance(value, (str, int)) or isinstance(value, bool):
            what = f"must be a picture's name, not {describe_value(value)}"
            return self._add_problem(source, path, what, "name a file")
        name, known = str(value), self.pictures(spec.folder)
        files = known.get(normalize_file_name(name.removeprefix(f"{spec.folder}/")), [])
        named = [file for file in files if file == name.rpartition("/")[2]]
        if len(named or files) > 1:
            listed = " and ".join(f"'{file}'" for file in files)
            what = f"is {describe_value(value)}, which is {listed}"
            return self._add_problem(source, path, what, "write the full name of one of them")
        if files:
            return f"{spec.folder}/{(named or files)[0]}".lstrip("/")
        near = did_you_mean(name, (file.rpartition(".")[0] for files in known.values() for file in files))
        hint = near if known else "save it there, or write the folder that has the pictures, as `folder: art`"
        what = f"is {describe_value(value)}, but there is no such picture in {spec.folder or 'the templates'}"
        return self._add_problem(source, path, what, hint)

    def find_picture(self, spec: FieldSpec, name: str, source: Source, path: tuple[Any, ...]) -> Any:
        """Return the path of the picture named after the design `name`, or None. Add a problem if several match."""
        there = normalize_file_name(name) in self.pictures(spec.folder)
        return self.read_picture(spec, name, source, path) if there else None

    def read_effects(self, _spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return operations with their values as a tuple. Add a problem for each fault; return None for no list."""
        if not isinstance(value, list):
            what = f"must be a list of operations, not {describe_value(value)}"
            return self._add_problem(source, path, what, "write it in [ ]")
        return tuple(self._read_effect(part, source, (*path, EntryNumber(n))) for n, part in enumerate(value))

    def _read_effect(self, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        name = value.get("op") if isinstance(value, Mapping) else None
        if not isinstance(name, str) or name not in self.operations:
            what = "names no operation" if name is None else f"names the unknown operation {describe_value(name)}"
            hint = "write {op: ...}" if name is None else did_you_mean(str(name), self.operations)
            return self._add_problem(source, (*path, "op"), what, hint)
        takes = self.operations[name]
        for key in value:
            if key != "op" and key not in takes:
                what = f"is not a parameter of '{name}'"
                self._add_problem(source, (*path, key), what, did_you_mean(str(key), takes), key=True)
        values: dict[str, Any] = {}
        for key, spec in takes.items():
            if key in value:
                values[key] = self.read(spec, value[key], source, (*path, key))
            elif spec.optional:
                values[key] = None
            else:
                self._add_problem(source, path, f"has no '{key}', which '{name}' requires", f"add `{key}: ...`")
        return Effect(name, MappingProxyType(values))

    def read_existing_name(self, spec: FieldSpec, value: Any, source: Source, path: tuple[Any, ...]) -> Any:
        """Return the name if there is such an icon, colour or choice. Otherwise add a problem and return None."""
        names = {"icon": self.icons, "colour": self.colours}.get(spec.type, spec.choices)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in names:
            noun = "choice" if spec.type == "choice" else spec.type
            hint = did_you_mean(str(value), map(str, names))
            if hint.startswith("known: "):
                section = {"icon": "icons:", "colour": "palette:"}.get(spec.type)
                add = f", or add '{value}' to {section}" if section and isinstance(value, str) else ""
                hint = f"write one of {hint.removeprefix('known: ')}{add}"
            return self._add_problem(
                source, path, f"is {describe_value(value)}, but this game has no such {noun}", hint
            )
        return value


_READERS: dict[str, Callable[..., Any]] = {
    "integer": FieldReader.read_number, "number": FieldReader.read_number, "text": FieldReader.read_text,
    "words": lambda reader, _spec, value, source, path: reader.read_words(value, source, path),
    "boolean": FieldReader.read_boolean, "icon": FieldReader.read_existing_name,
    "colour": FieldReader.read_existing_name, "choice": FieldReader.read_existing_name,
    "picture": FieldReader.read_picture, "effects": FieldReader.read_effects,
}  # fmt: skip


class SchemaWriter(NamedTuple):
    """A writer of JSON Schemas for the declared fields of one game."""

    icons: Iterable[str]
    colours: Iterable[str]
    operations: Mapping[str, Mapping[str, FieldSpec]]

    def describe_field(self, spec: FieldSpec) -> dict[str, Any]:
        """Return the JSON Schema of one declared field."""
        if spec.type == "list":
            return {"type": "array", "items": self.describe_field(replace(spec, type=spec.of or "text"))}
        if spec.type == "effects":
            takes = self.operations.items()
            forms = [self.describe_fields(specs, {"op": {"const": name}}, ["op"]) for name, specs in takes]
            return {"type": "array", "items": {"anyOf": forms}}
        names = {"icon": self.icons, "colour": self.colours, "choice": spec.choices}
        if spec.type in names:
            return {"enum": list(names[spec.type])}
        schema = dict(_SCHEMAS[spec.type])
        if spec.min is not None:
            schema["minimum"] = spec.min
        if spec.max is not None:
            schema["maximum"] = spec.max
        return schema

    def describe_fields(
        self, specs: Mapping[str, FieldSpec], before: Mapping[str, Any], required: Iterable[str]
    ) -> dict[str, Any]:
        """Return the JSON Schema of a mapping: fixed fields (`before`; `required` of them), then declared ones."""
        return {
            "type": "object",
            "additionalProperties": False,
            "required": [*required, *(name for name, spec in specs.items() if not spec.optional)],
            "properties": {**before, **{name: self.describe_field(spec) for name, spec in specs.items()}},
        }
