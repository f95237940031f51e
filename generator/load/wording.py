"""What shapes find wrong in the words of this program: what is wrong and what to do, with the names that exist."""

from collections.abc import Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean
from generator.shapes.compound import known_at
from generator.shapes.shape import KEY, DataShape, Path, ShapeFinding
from generator.units import plain

_TYPES = {
    "whole number": ("a whole number", "write digits only, without quotes"),
    "number": ("a number", "write digits, without quotes"),
    "text": ("text", "put it in quotes"),
    "credit": ("a text", "put it in quotes"),
    "truth": ("true or false", "write true or false"),
    "mapping": ("a mapping", "write it as `name: value` lines"),
    "list": ("a list", "write it as `- entry` lines or in [ ]"),
}


def explain(found: ShapeFinding, shape: DataShape) -> tuple[str, str]:
    """(what, hint) of one finding of a shape."""
    kind, path, value, limit = found
    name = format_path(path)
    if kind == "missing":
        return f"'{path[-1]}' is missing{_of(path[:-1])}", f"add `{path[-1]}: ...`"
    if kind == "unknown":
        return f"unknown field '{path[-1]}'{_of(path[:-1])}", did_you_mean(str(path[-1]), known_at(shape, path[:-1]))
    if kind in _TYPES and value is None:
        return f"{name} is empty", "write a value; one that begins with # needs quotes"
    if kind in _TYPES:
        wanted, hint = _TYPES[kind]
        return f"{name} must be {wanted}, not {describe_value(value)}", hint
    if kind in ("ge", "le"):
        return f"{name} is {value}, but must be {_BOUNDS[kind]} {plain(limit)}", "change the number"
    if kind == "max_length":
        return f"{name} has {len(value)} characters, but may have {limit}", "shorten it"
    if kind in ("few", "many"):
        return f"{name} has {len(value)} entries, but must have {limit}", "change the list"
    if kind == "choice":
        return f"{name} is {describe_value(value)}, which is none of its choices", f"known: {_all_of(limit)}"
    if kind == "pattern":
        return f"{name} is {describe_value(value)}, which is not of the right form", _form(limit)
    return _said_otherwise(found, name)


_BOUNDS = {"ge": "at least", "le": "at most"}


def _said_otherwise(found: ShapeFinding, name: str) -> tuple[str, str]:
    if found.kind == "key":
        return f"{name}: keys should be strings", "change it"
    if found.kind == "min_length":
        return f"{name}: string should have at least {found.limit} character{'s' * (found.limit > 1)}", "change it"
    return f"{name}: {found.limit}", getattr(found.limit, "hint", "") or "change it"


def _all_of(choices: Sequence[str]) -> str:
    *some, last = map(repr, choices)
    return f"{', '.join(some)} or {last}" if some else last


def places_path(found: ShapeFinding) -> tuple[Path, bool]:
    """Where a finding is: the path of a value, or of its key where that is what is wrong."""
    path = tuple(step for step in found.path if step != KEY)
    return path, found.kind == "unknown" or KEY in found.path


def format_path(path: tuple[Any, ...]) -> str:
    """`components.reel.size` for messages."""
    words = ["name" if step == KEY else str(step) for step in path]
    return ".".join(words) or "the file"


def describe_value(value: Any) -> str:
    """A value as a message shows it."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:37]}...'"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else str(value)


def _of(path: tuple[Any, ...]) -> str:
    return f" in {format_path(path)}" if path else ""


def _form(pattern: str) -> str:
    forms = {
        "^#[0-9a-fA-F]{6}$": "write it as '#8a6a3a', in quotes",
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "write it as 2026-01-31",
        r"^E[0-9]+[a-z]?$": "write it as E1, E2 ...",
    }
    return forms.get(pattern, "use lower-case letters, digits, - and _")
