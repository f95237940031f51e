"""Lists and mappings of shapes, and a value read with all that is wrong with it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from generator.errors import EntryNumber
from generator.shapes.shape import KEY, NEEDED, DataShape, MadeShape, MaybeShape, Path, ShapeFinding


class ListShape(DataShape):
    """A list. Limits: `min_length` and `max_length`."""

    def __init__(self, entry: DataShape, limits: Mapping[str, Any] | None = None):
        self._entry, self._limits = entry, dict(limits or {})

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """The entries as a plain list."""
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

    def limited(self, limits: Mapping[str, Any]) -> "ListShape":
        """With so many entries."""
        return ListShape(self._entry, {**self._limits, **limits})

    def at(self, step: Any) -> DataShape | None:  # noqa: ARG002 - all entries are alike
        """The shape of an entry."""
        return self._entry

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Its entries."""
        names = {"min_length": "minItems", "max_length": "maxItems"}
        limits = {names[name]: limit for name, limit in self._limits.items()}
        return {"type": "array", "items": self._entry.told(parts), **limits}


class MapShape(DataShape):
    """A mapping of any keys of a shape. Limit: `min_length`."""

    def __init__(self, key: DataShape, entry: DataShape, limits: Mapping[str, Any] | None = None):
        self._key, self._entry, self._limits = key, entry, dict(limits or {})

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """The entries as a plain mapping."""
        if not isinstance(value, dict):
            found.append(ShapeFinding("mapping", path, value))
            return value
        before, entries = len(found), {}
        for key, each in value.items():
            at = (*path, _step(key))
            known = self._key.read(key, (*at, KEY), found)
            entries[known] = self._entry.read(each, at, found)
        if len(found) == before and len(value) < self._limits.get("min_length", 0):
            found.append(ShapeFinding("few", path, value, self._limits["min_length"]))
        return entries

    def limited(self, limits: Mapping[str, Any]) -> "MapShape":
        """With so many entries."""
        return MapShape(self._key, self._entry, {**self._limits, **limits})

    def at(self, step: Any) -> DataShape | None:  # noqa: ARG002 - all entries are alike
        """The shape of an entry."""
        return self._entry

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Its entries, and their keys where not every text is one."""
        limits = {"minProperties": self._limits["min_length"]} if self._limits else {}
        entry: Any = self._entry.told(parts)
        key = self._key.told(parts)
        if "pattern" not in key:
            return {"type": "object", "additionalProperties": True if entry == {} else entry, **limits}
        keys = {"patternProperties": {key["pattern"]: entry}, "propertyNames": {"description": key["description"]}}
        return {"type": "object", **keys, **limits}


def _step(key: Any) -> str | int:
    """A key as a step of a path."""
    return key if isinstance(key, str) else int(key) if isinstance(key, int) else str(key)


class KeyEntry(NamedTuple):
    """A key of such a mapping: what the program calls it, how the data write it, its shape, what holds without it."""

    name: str
    key: str
    shape: DataShape
    default: Any = NEEDED
    about: str = ""

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """The JSON Schema of the value, with what editors are told of it."""
        about = {"description": self.about} if self.about else {}
        default = {} if self.default is NEEDED else {"default": _plain(self.default)}
        return {**self.shape.told(parts), **about, **default}


def _plain(value: Any) -> Any:
    """A default as JSON has it."""
    named = getattr(type(value), "__match_args__", ())
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return {name: _plain(getattr(value, name)) for name in named} if named else value


class Said:
    """What such a mapping says: values by the program's names, and the names of those that are `written` there."""

    __slots__ = ("__dict__", "written")

    def __init__(self, values: Mapping[str, Any], written: Iterable[str]):
        self.__dict__.update(values)
        self.written = frozenset(written)


class KeyedShape(DataShape):
    """A mapping with fixed keys. Others are mistakes, unless it is `open`; `short` is what may stand for it."""

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
        """A `Said`."""
        if isinstance(value, Said):
            return value
        if not isinstance(value, dict):
            found.append(ShapeFinding("mapping", path, value))
            return value
        values, written = {}, []
        for key, entry in self.entries.items():
            if key in value:
                values[entry.name] = entry.shape.read(value[key], (*path, key), found)
                written.append(entry.name)
            elif entry.default is NEEDED:
                found.append(ShapeFinding("missing", (*path, key), value))
            else:
                values[entry.name] = entry.default
        if len(written) < len(value) and not self._open:
            for key in value:
                if key not in self.entries:
                    kind = "unknown" if isinstance(key, str) else "key"
                    found.append(ShapeFinding(kind, (*path, _step(key)), value[key] if isinstance(key, str) else key))
        return Said(values, written)

    def at(self, step: Any) -> DataShape | None:
        """The shape of what stands at a key."""
        return self.entries[step].shape if step in self.entries else None

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """A reference; the schema itself goes to `parts`."""
        if self.name not in parts:
            parts[self.name] = {}
            own = self.told_whole(parts)
            parts[self.name] = {"anyOf": [dict(self._short), own]} if self._short is not None else own
        return {"$ref": f"#/$defs/{self.name}"}

    def told_whole(self, parts: dict[str, Any]) -> dict[str, Any]:
        """The schema itself, with references to those in `parts`."""
        needed = [key for key, entry in self.entries.items() if entry.default is NEEDED]
        return {
            "additionalProperties": False,
            "description": self._about,
            "properties": {key: entry.told(parts) for key, entry in self.entries.items()},
            **({"required": needed} if needed else {}),
            "type": "object",
        }


def read(shape: DataShape, value: Any) -> tuple[Any, list[ShapeFinding]]:
    """The value as a shape has it, and all that is wrong with it."""
    found: list[ShapeFinding] = []
    return shape.read(value, (), found), found


def known_at(shape: DataShape, path: Path) -> list[str]:
    """The keys that may stand in the mapping at a path; none where it is no record."""
    here: DataShape | None = shape
    for step in path:
        here = here.at(step) if here is not None else None
    while isinstance(here, (MadeShape, MaybeShape)):
        here = here.inner
    return list(here.entries) if isinstance(here, KeyedShape) else []
