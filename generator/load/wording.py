"""What shapes find wrong in the words of this program: what is wrong and what to do, with the names that exist."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean, format_path
from generator.load.schema import DAY
from generator.load.suggestions import (
    explain_name,
    meant_name,
    suggest_colour,
    suggest_day,
    suggest_number,
    suggest_text,
    suggest_truth,
)
from generator.load.tables.made_ids import id_of
from generator.shapes.compound import KeyedShape, known_at
from generator.shapes.shape import KEY, DataShape, Path, ShapeFinding
from generator.units import plain

_TYPES = {
    "whole number": "a whole number",
    "number": "a number",
    "text": "text",
    "words": "text",
    "truth": "true or false",
    "mapping": "`name: value` pairs",
    "list": "a list",
}


def explain(found: ShapeFinding, shape: DataShape) -> tuple[str, str]:
    """(what, hint) of one finding of a shape."""
    kind, path, value, limit = found
    name = _name_of(path)
    if kind == "missing":
        return f"'{path[-1]}' is missing{_of(path[:-1])}", f"add `{path[-1]}: ...`"
    if kind == "unknown":
        noun = "section" if len(path) == 1 and getattr(shape, "name", "") == "GameData" else "field"
        fault = explain_name(path[-1], value, known_at(shape, path[:-1]), _of(path[:-1]), noun)
        return _misplaced(path, shape) or fault
    if path and path[-1] == "srgb" and kind in ("pattern", "text") and value is not None:
        what = f"{_name_of(path[:-1])} is {describe_value(value)}, but a colour is # and six digits (0-9, a-f)"
        return what, suggest_colour(value)
    if kind in _TYPES and value is None:
        if path[:1] == ("palette",):
            return f"{name} is empty, for a # without quotes begins a comment", "put the colour in quotes"
        return f"{name} is empty", "write it after the colon (in quotes if it begins with #)"
    if kind in _TYPES:
        what = f"{name} must be {_TYPES[kind]}, not {describe_value(value)}"
        if kind == "whole number" and re.fullmatch("0[0-9]+", str(value)):
            what = f"{name} is {value}, but a number can't begin with a zero"
        return _misplaced(path, shape) or (what, _way_out(kind, value, path, shape))
    if kind in ("ge", "le", "max_length", "few", "many"):
        return _beyond(found, name)
    if kind == "choice":
        return f"{name} is {describe_value(value)}, which is none of its choices", _choice(value, limit)
    if kind == "pattern":
        wrong = "but a date is year-month-day" if limit == DAY else "which is not valid"
        return f"{name} is {describe_value(value)}, {wrong}", _form(limit, value)
    return _said_otherwise(found, name)


def _beyond(found: ShapeFinding, name: str) -> tuple[str, str]:
    """A number, text or list that is too small or too large."""
    kind, _, value, limit = found
    if kind == "max_length":
        return f"{name} has {len(value)} characters, but may have {limit}", "shorten it"
    if kind in ("few", "many"):
        return f"{name} has {len(value)} entries, but must have {limit}", "change the list"
    return f"{name} is {value}, but must be {_BOUNDS[kind]} {plain(limit)}", "change the number"


_BOUNDS = {"ge": "at least", "le": "at most"}


def _said_otherwise(found: ShapeFinding, name: str) -> tuple[str, str]:
    if found.kind == "key":
        return f"{name}: keys should be strings", "change it"
    if found.kind == "min_length":
        return f"{name}: string should have at least {found.limit} character{'s' * (found.limit > 1)}", "change it"
    return f"{name}: {found.limit}", getattr(found.limit, "hint", "") or "change it"


def _way_out(kind: str, value: Any, path: Path, shape: DataShape) -> str:
    """What to write where a value has the wrong type."""
    if kind in ("whole number", "number"):
        return suggest_number(value, whole=kind == "whole number")
    if kind in ("text", "words"):
        return suggest_text(value, path[-1] if path and isinstance(path[-1], str) else "")
    if kind == "truth":
        return suggest_truth(value)
    if kind == "list":
        return "begin each entry with `- `" if isinstance(value, Mapping) else f"write it in brackets: [{value}]"
    names = known_at(shape, path)[:_SHOWN_NAMES]
    return f"write {{{', '.join(f'{name}: ...' for name in names)}}}" if names else "write it as `name: value` lines"


_SHOWN_NAMES = 2


def _misplaced(path: Path, shape: DataShape) -> tuple[str, str] | None:
    """What is wrong with a section that is indented, and so belongs to the one before it."""
    if len(path) != 2 or not isinstance(shape, KeyedShape) or path[1] not in shape.entries or path[0] == path[1]:
        return None
    return f"`{path[1]}` is a section of its own, but is indented below `{path[0]}`", "begin its line without spaces"


def _choice(value: Any, choices: Sequence[str]) -> str:
    hint = did_you_mean(str(value), choices)
    return hint if hint.startswith("did") else f"known: {_all_of(choices)}"


def _all_of(choices: Sequence[str]) -> str:
    *some, last = map(repr, choices)
    return f"{', '.join(some)} or {last}" if some else last


def without_consequences(found: Sequence[ShapeFinding]) -> Iterator[ShapeFinding]:
    """Yield findings, but none that follows from another, such as a missing name that is there but misspelt."""
    seen: set[tuple[str, Path]] = set()
    for one in found:
        around = one.path[:-1]
        if one.kind == "missing" and isinstance(one.value, Mapping):
            unknown = [other.path[-1] for other in found if other.kind == "unknown" and other.path[:-1] == around]
            if any(meant_name(name, [one.path[-1]]) for name in unknown):
                continue
        if one.kind in ("list", "mapping") and one.path and isinstance(one.path[-1], int):
            if (one.kind, around) in seen:
                continue
            seen.add((one.kind, around))
        yield one


def places_path(found: ShapeFinding) -> tuple[Path, bool]:
    """Where a finding is: the path of a value, or of its key where that is what is wrong."""
    path = tuple(step for step in found.path if step != KEY)
    return path, found.kind == "unknown" or KEY in found.path


def _name_of(path: Path) -> str:
    return format_path(["name" if step == KEY else step for step in path]) or "the file"


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
    return f" in {_name_of(path)}" if path else ""


def _form(pattern: str, value: str) -> str:
    if pattern == DAY:
        return suggest_day(value)
    if pattern == r"^E[0-9]+[a-z]?$":
        return "write it as E1, E2 ..."
    if pattern.startswith("^[a-z]{2,3}"):
        return "write a language as its code, such as en or ja"
    return f"use lower-case letters, digits, - and _: `{id_of(value) or 'name'}`"
