"""Whether a value that somebody else may have written has the shape that its reader counts on."""

from collections import Counter
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def fits(value: Any, shape: Any) -> bool:
    """Whether a value is of a type, down to what containers, dataclasses and named tuples hold.

    `shape` is a class, `Any`, None, a literal, a union, or a tuple, list, mapping or Counter of such. A plain tuple may
    stand for a named one.
    """
    origin, parts = get_origin(shape), get_args(shape)
    if shape is Any:
        return True
    if origin is Literal:
        return type(value) in map(type, parts) and value in parts
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is None:
        return _is(value, type(None) if shape is None else shape)
    if not isinstance(value, origin):
        return False
    if origin is tuple and parts[-1] is not ...:
        return len(value) == len(parts) and all(map(fits, value, parts))
    if isinstance(value, dict):
        key, held = (parts[0], int) if origin is Counter else parts
        return all(fits(name, key) and fits(one, held) for name, one in value.items())
    return all(fits(one, parts[0]) for one in value)


def _is(value: Any, kind: Any) -> bool:
    """Whether a value is of a class: an integer where a number is asked for, no truth where an integer is."""
    held = _part_shapes(kind)
    if held and issubclass(kind, tuple):
        return isinstance(value, tuple) and len(value) == len(held) and all(map(fits, value, held.values()))
    if not isinstance(value, (int, float) if kind is float else kind) or (isinstance(value, bool) and kind is int):
        return False
    return all(hasattr(value, name) and fits(getattr(value, name), shape) for name, shape in held.items())


@cache
def _part_shapes(kind: Any) -> dict[str, Any]:
    """The parts of a dataclass or a named tuple with their shapes."""
    return get_type_hints(kind) if is_dataclass(kind) or hasattr(kind, "_fields") else {}
