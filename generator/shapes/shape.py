"""Shapes of single values, and of values that are made into others.

A shape reads strictly: a text is no number, and 1 is not true. What it finds wrong are findings, all of them at once;
words are made of these where places and names are known (`load.wording`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.errors import Unfit

Path = tuple[Any, ...]
KEY = "[key]"
"""The last step of a path that leads to a key."""

NEEDED: Any = ...
"""The default of what must be said."""


class ShapeFinding(NamedTuple):
    """One thing that is wrong: what kind of thing, where, the value that is there, and what it had to keep to.

    `kind` is `missing`, `unknown` or `key` (a key that is no text); the type that was wanted; the limit that is not
    kept, with it in `limit`; `choice` or `pattern`; or `error`, with the exception in `limit`.
    """

    kind: str
    path: Path
    value: Any
    limit: Any = None


class DataShape:
    """Any value, described to editors by `told`."""

    def __init__(self, told: Mapping[str, Any] | None = None):
        self._told = dict(told or {})

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:  # noqa: ARG002 - the others do
        """The value as the program has it; what is wrong goes to `found`, and the value is then of no use."""
        return value

    def limited(self, limits: Mapping[str, Any]) -> "DataShape":
        """The same within limits; TypeError for a limit that it can't have."""
        if limits:
            raise TypeError(f"a {type(self).__name__} has no limits such as {limits}")
        return self

    def at(self, step: Any) -> "DataShape | None":  # noqa: ARG002 - the others do
        """The shape of what lies at a step inside, None where nothing is known of it."""
        return None

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - the others do
        """The JSON Schema; those of mappings with fixed keys go to `parts`, by their names."""
        return dict(self._told)


ANY = DataShape()

_PLAIN: dict[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "string"),
    "whole number": ((int,), "integer"),
    "number": ((int, float), "number"),
    "truth": ((bool,), "boolean"),
}
_TOLD_LIMITS = {
    "ge": "minimum", "le": "maximum", "pattern": "pattern", "min_length": "minLength", "max_length": "maxLength",
}  # fmt: skip


class PlainShape(DataShape):
    """A text, number or truth value. Limits: `pattern`, `min_length`, `max_length` of a text, `ge`, `le` of numbers."""

    def __init__(self, kind: str, limits: Mapping[str, Any] | None = None, about: str = ""):
        self._kind, self._limits, self._about = kind, dict(limits or {}), about
        self._types, self._called = _PLAIN[kind]

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """The value; a number is a float."""
        fits: bool = isinstance(value, self._types) and (self._kind == "truth" or not isinstance(value, bool))
        if not fits:
            found.append(ShapeFinding(self._kind, path, value))
            return value
        if self._limits:
            wrong = next((name for name, limit in self._limits.items() if not _KEPT[name](value, limit)), "")
            if wrong:
                found.append(ShapeFinding(wrong, path, value, self._limits[wrong]))
                return value
        if self._kind != "number":
            return value
        try:
            return float(value)
        except OverflowError:
            found.append(ShapeFinding(self._kind, path, value))

    def limited(self, limits: Mapping[str, Any]) -> "PlainShape":
        """The same within limits too, which take the place of its own."""
        return PlainShape(self._kind, {**self._limits, **limits}, self._about) if limits else self

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - as every shape is asked
        """Its type and limits."""
        limits = {_TOLD_LIMITS[name]: limit for name, limit in self._limits.items()}
        return {"type": self._called, **limits, **({"description": self._about} if self._about else {})}


_KEPT: dict[str, Callable[[Any, Any], bool]] = {
    "ge": lambda value, limit: value >= limit,
    "le": lambda value, limit: value <= limit,
    "min_length": lambda value, limit: len(value) >= limit,
    "max_length": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, limit: re.fullmatch(limit.removesuffix("$"), value) is not None,
}

TEXT, WHOLE, NUMBER, TRUTH = map(PlainShape, _PLAIN)


class ChoiceShape(DataShape):
    """One of some texts."""

    def __init__(self, choices: Sequence[str]):
        self._choices = tuple(choices)

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """The text."""
        if not isinstance(value, str) or value not in self._choices:
            found.append(ShapeFinding("choice", path, value, self._choices))
        return value

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - as every shape is asked
        """All of them."""
        return {"enum": list(self._choices), "type": "string"}


class MaybeShape(DataShape):
    """A value, or nothing."""

    def __init__(self, inner: DataShape):
        self.inner = inner

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """None for nothing."""
        return None if value is None else self.inner.read(value, path, found)

    def limited(self, limits: Mapping[str, Any]) -> "MaybeShape":
        """Limits of the value, if there is one."""
        return MaybeShape(self.inner.limited(limits))

    def at(self, step: Any) -> DataShape | None:
        """What is in the value."""
        return self.inner.at(step)

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """The value's, or null."""
        return {"anyOf": [self.inner.told(parts), {"type": "null"}]}


class EitherShape(DataShape):
    """A value of one of some shapes, each with a name for paths."""

    def __init__(self, shapes: Mapping[str, DataShape]):
        self._shapes = dict(shapes)

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """As the first of the shapes that takes it; what all of them say where none does."""
        wrong: list[ShapeFinding] = []
        for name, shape in self._shapes.items():
            mine: list[ShapeFinding] = []
            taken = shape.read(value, (*path, name), mine)
            if not mine:
                return taken
            wrong += mine
        found += wrong
        return value

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Any of them."""
        return {"anyOf": [shape.told(parts) for shape in self._shapes.values()]}


class MadeShape(DataShape):
    """A value that is made into another before it is read, looked at afterwards, or told in another way.

    Where `before` or `after` raise a ValueError, that is what is wrong with the value.
    """

    def __init__(
        self,
        inner: DataShape,
        *,
        before: Callable[[Any], Any] | None = None,
        after: Callable[[Any], Any] | None = None,
        told: Mapping[str, Any] | None = None,
    ):
        self.inner, self._before, self._after, self._instead = inner, before, after, told

    def read(self, value: Any, path: Path, found: list[ShapeFinding]) -> Any:
        """What is made of the value."""
        try:
            if self._before is not None:
                value = self._before(value)
            count = len(found)
            read = self.inner.read(value, path, found)
            return self._after(read) if self._after is not None and len(found) == count else read
        except Mistyped as error:
            found.append(ShapeFinding(error.wanted, path, value))
        except ValueError as error:
            found.append(ShapeFinding("error", path, value, error))

    def limited(self, limits: Mapping[str, Any]) -> "MadeShape":
        """Limits of what is read."""
        inner = self.inner.limited(limits)
        return MadeShape(inner, before=self._before, after=self._after, told=self._instead)

    def at(self, step: Any) -> DataShape | None:
        """What is in the value."""
        return self.inner.at(step)

    def told(self, parts: dict[str, Any]) -> dict[str, Any]:
        """The value as it is written."""
        return dict(self._instead) if self._instead is not None else self.inner.told(parts)


class Mistyped(Unfit):
    """A value of another type than the one that is wanted."""

    def __init__(self, wanted: str):
        super().__init__(wanted)
        self.wanted = wanted
