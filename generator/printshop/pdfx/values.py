"""Reads values out of anybody's PDF, where anything may stand in place of anything; what does not fit is absent."""

from collections.abc import Mapping
from decimal import Decimal
from hashlib import sha256

from pikepdf import Array, Dictionary, Name, Object, Stream, String

from generator.printshop.foreign_pdf import BROKEN, unpack

_DEEPEST = 12
_PACKING = {"/Length", "/Filter", "/DecodeParms"}

Box = tuple[float, float, float, float]
"""Left, foot, right and top, in points."""


def part(holder: object, key: str) -> object:
    """The value of `key` in a dictionary or stream; None if it has no such key, or `holder` is neither."""
    return holder.get(key) if isinstance(holder, (Dictionary, Stream)) else None


def parts(holder: object, key: str = "") -> Mapping[str, object]:
    """The entries of a dictionary, or of the one below its `key`; empty where there is none."""
    inside = part(holder, key) if key else holder
    return dict(inside.items()) if isinstance(inside, (Dictionary, Stream)) else {}


def row(value: object) -> list[object]:
    """The members of an array; none where it isn't one."""
    return list(value) if isinstance(value, Array) else []


def several(value: object) -> list[object]:
    """The members of an array, or the one value that stands in its place."""
    return row(value) if isinstance(value, Array) else [] if value is None else [value]


def word(value: object) -> str:
    """A name with its slash; empty where it isn't one."""
    return str(value) if isinstance(value, Name) else ""


def text(value: object) -> str:
    """A string; empty where it isn't one."""
    return str(value) if isinstance(value, String) else ""


def figure(value: object) -> float | None:
    """A number; None where it isn't one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    return float(value)


def box(value: object) -> Box | None:
    """Four numbers in the order left, foot, right, top; None where it isn't four numbers."""
    members = row(value)
    numbers = [number for number in map(figure, members) if number is not None]
    if len(members) != 4 or len(numbers) != 4:
        return None
    first, second, third, fourth = numbers
    return (min(first, third), min(second, fourth), max(first, third), max(second, fourth))


def identity(value: object) -> tuple[int, int]:
    """The number of an indirect object; (0, 0) of a direct one."""
    return value.objgen if isinstance(value, Object) else (0, 0)


def data(value: object) -> bytes:
    """A stream's data, decoded; empty where it can't be."""
    if not isinstance(value, Stream):
        return b""
    try:
        return unpack(value)
    except BROKEN:
        return b""


def value_as_bytes(value: object, known: dict[tuple[int, int, int], bytes], depth: int = 0) -> bytes:
    """A value by what it says, not by where it stands: equal things are equal, however they are split into objects.

    What was read stays in `known`, so that a few objects that hold each other many times are read a few times.
    """
    if depth > _DEEPEST:
        return b""
    key = (*identity(value), depth)
    if key[0] and key in known:
        return known[key]
    if isinstance(value, Array):
        said = b"[" + b" ".join([value_as_bytes(member, known, depth + 1) for member in value])
    elif isinstance(value, (Dictionary, Stream)):
        entries = sorted((name, inner) for name, inner in value.items() if name not in _PACKING)
        inside = [name.encode() + b" " + value_as_bytes(inner, known, depth + 1) for name, inner in entries]
        said = b"<" + sha256(data(value)).digest() + b" ".join(inside)
    else:
        number = figure(value)
        said = repr(number).encode() if number is not None else _plain(value)
    found = sha256(said).digest()
    if key[0]:
        known[key] = found
    return found


def _plain(value: object) -> bytes:
    return value.unparse() if isinstance(value, Object) else repr(value).encode()
