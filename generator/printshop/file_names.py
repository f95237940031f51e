"""Names of files that every system takes: no separators, no surprises in upper and lower case, none given twice."""

import re
from collections.abc import Iterable, Mapping

_UNSAFE = re.compile(r"[^A-Za-z0-9._+]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")


def safe_name(text: str) -> str:
    """An id as part of a file's name: `reel/6-wheat` becomes `reel-6-wheat`."""
    name = _UNSAFE.sub("-", text).strip("-. ") or "-"
    return f"_{name}" if _RESERVED.match(name) else name


def fill_pattern(pattern: str, fields: Mapping[str, str]) -> str:
    """A pattern with its {fields}; what they hold is made safe."""
    return safe_name(pattern.format_map({name: safe_name(value).strip("-") for name, value in fields.items()}))


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names, told apart by `-2`, `-3` where two would be one file on a system that ignores case."""
    taken: set[str] = set()
    given = []
    for name in names:
        tried, number = name, 1
        while tried.lower() in taken:
            number += 1
            tried = f"{name}-{number}"
        taken.add(tried.lower())
        given.append(tried)
    return tuple(given)
