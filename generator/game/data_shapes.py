"""Shapes of data: read values, find all their faults, describe them to editors."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.base.errors import EntryNumber, InvalidInput

# A shape reads strictly: a text is no number, and 1 is not true. It collects all findings at once.
# `generator.game.value_faults` turns them into messages, where places and names are known.

Path = tuple[Any, ...]
KEY = "[key]"
"""The last step of a path to a key."""

REQUIRED: Any = ...
"""The default of a required key."""


class ShapeFinding(NamedTuple):
    """One fault: its kind, its path, the value, and the limit that it violates.

    `kind` is `missing`, `unknown` or `key` (a key that is no text); the required type; the name of a violated limit,
    with its value in `limit`; `choice` or `pattern`; or `error`, with the exception in `limit`.
    """

    kind: str
    path: Path
    value: Any
    limit: Any = None


class DataShape:
    """Accepts any value, and describes it by a given JSON Schema. The other shapes accept fewer values."""

    def __init__(self, schema: Mapping[str, Any] | None = None):
        self._told = dict(schema or {})

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:  # noqa: ARG002 - the others do
        """Return the converted value. Append faults to `found`; the returned value is then unusable."""
        return value

    def with_limits(self, limits: Mapping[str, Any]) -> "DataShape":
        """Return the same shape with limits. Raise TypeError for a limit that it can't have."""
        if limits:
            raise TypeError(f"a {type(self).__name__} has no limits such as {limits}")
        return self

    def shape_at(self, step: Any) -> "DataShape | None":  # noqa: ARG002 - the others do
        """Return the shape of what a value has at `step`, a key or an index; None if that is unknown."""
        return None

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - the others do
        """Return the JSON Schema. Schemas of mappings with fixed keys are added to `parts` by name."""
        return dict(self._told)


ANY = DataShape()

_PLAIN: dict[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "string"),
    "whole number": ((int,), "integer"),
    "number": ((int, float), "number"),
    "truth": ((bool,), "boolean"),
}
_SCHEMA_LIMITS = {
    "ge": "minimum", "le": "maximum", "pattern": "pattern", "min_length": "minLength", "max_length": "maxLength",
}  # fmt: skip


class PlainShape(DataShape):
    """A text, number or truth value. Limits: `pattern`, `min_length`, `max_length` of a text, `ge`, `le` of numbers."""

    def __init__(self, kind: str, limits: Mapping[str, Any] | None = None, about: str = ""):
        self._kind, self._limits, self._about = kind, dict(limits or {}), about
        self._types, self._called = _PLAIN[kind]

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return the value, a `number` as a float. Add a wrong type or a broken limit to `found`."""
        fits: bool = isinstance(value, self._types) and (self._kind == "truth" or not isinstance(value, bool))
        if not fits:
            found.append(ShapeFinding(self._kind, path, value))
            return value
        if self._limits:
            wrong = next((name for name, limit in self._limits.items() if not _LIMIT_CHECKS[name](value, limit)), "")
            if wrong:
                found.append(ShapeFinding(wrong, path, value, self._limits[wrong]))
                return value
        if self._kind != "number":
            return value
        try:
            return float(value)
        except OverflowError:
            found.append(ShapeFinding(self._kind, path, value))

    def with_limits(self, limits: Mapping[str, Any]) -> "PlainShape":
        """Return the same shape with these limits, which replace its own."""
        return PlainShape(self._kind, {**self._limits, **limits}, self._about) if limits else self

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - as every shape is asked
        """Return the JSON Schema: its type and limits."""
        limits = {_SCHEMA_LIMITS[name]: limit for name, limit in self._limits.items()}
        return {"type": self._called, **limits, **({"description": self._about} if self._about else {})}


_LIMIT_CHECKS: dict[str, Callable[[Any, Any], bool]] = {
    "ge": lambda value, limit: value >= limit,
    "le": lambda value, limit: value <= limit,
    "min_length": lambda value, limit: len(value) >= limit,
    "max_length": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, limit: re.fullmatch(limit.removesuffix("$"), value) is not None,
}

TEXT, WHOLE, NUMBER, TRUTH = map(PlainShape, _PLAIN)


class ChoiceShape(DataShape):
    """One of several texts."""

    def __init__(self, choices: Sequence[str]):
        self._choices = tuple(choices)

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return the value. If it is not one of the choices, add that to `found`."""
        if not isinstance(value, str) or value not in self._choices:
            found.append(ShapeFinding("choice", path, value, self._choices))
        return value

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - as every shape is asked
        """Return the JSON Schema: a text that is one of the choices."""
        return {"enum": list(self._choices), "type": "string"}


class OptionalShape(DataShape):
    """A value of the shape `inner`, or None."""

    def __init__(self, inner: DataShape):
        self.inner = inner

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return None for None, else the value as the inner shape reads it."""
        return None if value is None else self.inner.read(value, path, found)

    def with_limits(self, limits: Mapping[str, Any]) -> "OptionalShape":
        """Return the same shape with limits of the value."""
        return OptionalShape(self.inner.with_limits(limits))

    def shape_at(self, step: Any) -> DataShape | None:
        """Return the shape of what a value other than None has at a key or index; None if unknown."""
        return self.inner.shape_at(step)

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return a schema that also accepts null."""
        return {"anyOf": [self.inner.json_schema(parts), {"type": "null"}]}


class UnionShape(DataShape):
    """A value of one of several shapes, each with a name for paths."""

    def __init__(self, shapes: Mapping[str, DataShape]):
        self._shapes = dict(shapes)

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return the value as the first matching shape reads it. If none matches, append the faults of all."""
        wrong: list[ShapeFinding] = []
        for name, shape in self._shapes.items():
            mine: list[ShapeFinding] = []
            taken = shape.read(value, (*path, name), mine)
            if not mine:
                return taken
            wrong += mine
        found += wrong
        return value

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of any of them."""
        return {"anyOf": [shape.json_schema(parts) for shape in self._shapes.values()]}


class ConvertedShape(DataShape):
    """A value converted `before` reading or checked `after` it. Their ValueErrors become problems with the value."""

    def __init__(
        self,
        inner: DataShape,
        *,
        before: Callable[[Any], Any] | None = None,
        after: Callable[[Any], Any] | None = None,
        schema: Mapping[str, Any] | None = None,
    ):
        self.inner, self._before, self._after, self._instead = inner, before, after, schema

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return the value, converted before and after the inner shape reads it. Add errors to `found` instead."""
        try:
            if self._before is not None:
                value = self._before(value)
            count = len(found)
            read = self.inner.read(value, path, found)
            return self._after(read) if self._after is not None and len(found) == count else read
        except WrongType as error:
            found.append(ShapeFinding(error.wanted, path, value))
        except ValueError as error:
            found.append(ShapeFinding("error", path, value, error))

    def with_limits(self, limits: Mapping[str, Any]) -> "ConvertedShape":
        """Return the same shape with limits of the inner value."""
        inner = self.inner.with_limits(limits)
        return ConvertedShape(inner, before=self._before, after=self._after, schema=self._instead)

    def shape_at(self, step: Any) -> DataShape | None:
        """Return the shape of what the value, before it is converted, has at a key or index; None if unknown."""
        return self.inner.shape_at(step)

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of the value as the data write it."""
        return dict(self._instead) if self._instead is not None else self.inner.json_schema(parts)


class WrongType(InvalidInput):
    """Raised by a conversion for a value of another type than `wanted`, which problems name."""

    def __init__(self, wanted: str):
        super().__init__(wanted)
        self.wanted = wanted


class ListShape(DataShape):
    """A list. Limits: `min_length` and `max_length`."""

    def __init__(self, entry: DataShape, limits: Mapping[str, Any] | None = None):
        self._entry, self._limits = entry, dict(limits or {})

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return the entries, each read, as a plain list. Add faults to `found`; return other values unchanged."""
        if not isinstance(value, list):
            found.append(ShapeFinding("list", path, value))
            return value
        if len(value) > self._limits.get("max_length", len(value)):
            found.append(ShapeFinding("many", path, value, self._limits["max_length"]))
            return value
        before = len(found)
        entries = [self._entry.read(each, (*path, EntryNumber(n)), found) for n, each in enumerate(value)]
        if len(found) == before and len(value) < self._limits.get("min_length", 0):
            found.append(ShapeFinding("few", path, value, self._limits["min_length"]))
        return entries

    def with_limits(self, limits: Mapping[str, Any]) -> "ListShape":
        """Return the same shape with limits of its length."""
        return ListShape(self._entry, {**self._limits, **limits})

    def shape_at(self, step: Any) -> DataShape | None:  # noqa: ARG002 - all entries are alike
        """Return the shape of an entry, whatever its key or index `step`."""
        return self._entry

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of the list and its entries, which add theirs to `parts` if they are mappings."""
        names = {"min_length": "minItems", "max_length": "maxItems"}
        limits = {names[name]: limit for name, limit in self._limits.items()}
        return {"type": "array", "items": self._entry.json_schema(parts), **limits}


class MapShape(DataShape):
    """A mapping with keys of one shape. Limit: `min_length`."""

    def __init__(self, key: DataShape, entry: DataShape, limits: Mapping[str, Any] | None = None):
        self._key, self._entry, self._limits = key, entry, dict(limits or {})

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return the entries, each read, as a plain mapping. Add faults to `found`; return other values unchanged."""
        if not isinstance(value, dict):
            found.append(ShapeFinding("mapping", path, value))
            return value
        before, entries = len(found), {}
        for key, each in value.items():
            at = (*path, _to_step(key))
            known = self._key.read(key, (*at, KEY), found)
            entries[known] = self._entry.read(each, at, found)
        if len(found) == before and len(value) < self._limits.get("min_length", 0):
            found.append(ShapeFinding("few", path, value, self._limits["min_length"]))
        return entries

    def with_limits(self, limits: Mapping[str, Any]) -> "MapShape":
        """Return the same shape with limits of its length."""
        return MapShape(self._key, self._entry, {**self._limits, **limits})

    def shape_at(self, step: Any) -> DataShape | None:  # noqa: ARG002 - all entries are alike
        """Return the shape of an entry, whatever its key or index `step`."""
        return self._entry

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of its entries, and of their keys if these are restricted."""
        limits = {"minProperties": self._limits["min_length"]} if self._limits else {}
        entry: Any = self._entry.json_schema(parts)
        key = self._key.json_schema(parts)
        if "pattern" not in key:
            return {"type": "object", "additionalProperties": True if entry == {} else entry, **limits}
        keys = {"patternProperties": {key["pattern"]: entry}, "propertyNames": {"description": key["description"]}}
        return {"type": "object", **keys, **limits}


def _to_step(key: Any) -> str | int:
    return key if isinstance(key, str) else int(key) if isinstance(key, int) else str(key)


class KeyEntry(NamedTuple):
    """A key of a fixed mapping: its name in the data, its shape and its default; the program's name if it differs."""

    key: str
    shape: DataShape
    default: Any = REQUIRED
    about: str = ""
    named: str = ""

    @property
    def name(self) -> str:
        """The program's name."""
        return self.named or self.key.replace(" ", "_")

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON Schema of the value, with its description for editors."""
        about = {"description": self.about} if self.about else {}
        default = {} if self.default is REQUIRED else {"default": _to_json(self.default)}
        return {**self.shape.json_schema(parts), **about, **default}


def _to_json(value: Any) -> Any:
    named = getattr(type(value), "__match_args__", ())
    if isinstance(value, (list, tuple)):
        return [_to_json(each) for each in value]
    return {name: _to_json(getattr(value, name)) for name in named} if named else value


class KeyedValues:
    """The values of a fixed mapping by the program's names, and the names of those that are `written` in the data."""

    __slots__ = ("__dict__", "written")

    def __init__(self, values: Mapping[str, Any], written: Iterable[str]):
        self.__dict__.update(values)
        self.written = frozenset(written)


class KeyedShape(DataShape):
    """A mapping with fixed keys. Others are faults, unless it is `open`. `short` is the schema of a short form."""

    def __init__(
        self,
        name: str,
        about: str,
        entries: Iterable[KeyEntry],
        *,
        short: Mapping[str, Any] | None = None,
        open: bool = False,  # noqa: A002 - it is what it is
    ):
        self.name, self._about, self._short, self._open = name, about, short, open
        self.entries = {entry.key: entry for entry in entries}

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """Return a mapping as `KeyedValues` with defaults. Add missing, unknown and wrong keys to `found`."""
        if isinstance(value, KeyedValues):
            return value
        if not isinstance(value, dict):
            found.append(ShapeFinding("mapping", path, value))
            return value
        values, written = {}, []
        for key, entry in self.entries.items():
            if key in value:
                values[entry.name] = entry.shape.read(value[key], (*path, key), found)
                written.append(entry.name)
            elif entry.default is REQUIRED:
                found.append(ShapeFinding("missing", (*path, key), value))
            else:
                values[entry.name] = entry.default
        if len(written) < len(value) and not self._open:
            for key in value:
                if key not in self.entries:
                    kind = "unknown" if isinstance(key, str) else "key"
                    of = value[key] if isinstance(key, str) else key
                    found.append(ShapeFinding(kind, (*path, _to_step(key)), of))
        return KeyedValues(values, written)

    def shape_at(self, step: Any) -> DataShape | None:
        """Return the shape of the value at a key."""
        return self.entries[step].shape if step in self.entries else None

    def json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return a reference; add the schema itself to `parts`."""
        if self.name not in parts:
            parts[self.name] = {}
            own = self.full_json_schema(parts)
            parts[self.name] = {"anyOf": [dict(self._short), own]} if self._short is not None else own
        return {"$ref": f"#/$defs/{self.name}"}

    def full_json_schema(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the schema itself, with references to those in `parts`."""
        needed = [key for key, entry in self.entries.items() if entry.default is REQUIRED]
        return {
            "additionalProperties": False,
            "description": self._about,
            "properties": {key: entry.json_schema(parts) for key, entry in self.entries.items()},
            **({"required": needed} if needed else {}),
            "type": "object",
        }


def read_shape(shape: DataShape, value: Any) -> tuple[Any, list[ShapeFinding]]:
    """Return the value as a shape reads it, and all its faults."""
    found: list[ShapeFinding] = []
    return shape.read(value, (), found), found


def find_known_keys(shape: DataShape, path: Path) -> list[str]:
    """Return the keys allowed in the mapping at a path; an empty list if its keys are not fixed."""
    here: DataShape | None = shape
    for step in path:
        here = here.shape_at(step) if here is not None else None
    while isinstance(here, (ConvertedShape, OptionalShape)):
        here = here.inner
    return list(here.entries) if isinstance(here, KeyedShape) else []
