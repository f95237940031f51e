"""What a game's schema says of the key or value at a path: what it is for, and what may stand there."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from generator.editor.written import Steps

Shape: TypeAlias = Mapping[str, Any]
"""A piece of a JSON Schema."""


def shapes_at(schema: Shape, path: Steps) -> list[Shape]:
    """Every piece of a schema that speaks of the value at a path."""
    shapes = list(_spread(schema, schema))
    for step in path:
        shapes = [part for shape in shapes for below in _below(shape, step) for part in _spread(below, schema)]
    return shapes


def about(shapes: list[Shape]) -> str:
    """What is told of a key; empty where nothing is."""
    return next((str(shape["description"]) for shape in shapes if "description" in shape), "")


def values(shapes: list[Shape]) -> list[str]:
    """The values that may stand there, where they can be listed."""
    found: dict[str, None] = {}
    for shape in shapes:
        said = [*shape.get("enum", ()), *([shape["const"]] if "const" in shape else ())]
        said += [True, False] if shape.get("type") == "boolean" else []
        found |= dict.fromkeys(str(one).lower() if isinstance(one, bool) else str(one) for one in said)
    return list(found)


def keys(shapes: list[Shape]) -> dict[str, Shape]:
    """The keys that a mapping may have there, each with what is said of it."""
    return {str(name): shape for one in shapes for name, shape in one.get("properties", {}).items()}


def _spread(shape: Shape, whole: Shape) -> Iterator[Shape]:
    """A shape with all that it refers to or offers."""
    yield shape
    name = str(shape.get("$ref", "")).rpartition("/")[2]
    if name:
        yield from _spread(whole["$defs"][name], whole)
    for way in ("allOf", "anyOf", "oneOf"):
        for part in shape.get(way, ()):
            yield from _spread(part, whole)


def _below(shape: Shape, step: str | int) -> Iterator[Shape]:
    """What a shape says of an entry of its list, or of one of its keys."""
    if isinstance(step, int):
        if isinstance(shape.get("items"), Mapping):
            yield shape["items"]
        return
    named = shape.get("properties", {})
    if step in named:
        yield named[step]
    for pattern, part in shape.get("patternProperties", {}).items():
        if re.search(pattern, step):
            yield part
    if step not in named and isinstance(shape.get("additionalProperties"), Mapping):
        yield shape["additionalProperties"]
