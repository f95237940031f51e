"""Records of plain Python: classes with a slot for each field, copied as fast as Python can."""

from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any


def record_class(fields: Mapping[str, bool]) -> type:
    """A class of records with these fields; each is told whether it is an integer, else it is a row.

    Bots copy a state for every move that they try, which is most of what they do. So its copy is written out field by
    field: that takes a quarter of the time of a loop over the names.
    """
    made = type("Record", (), {"__slots__": tuple(fields)})  # refuses what is no name, before any is part of a program
    own = {name: "" if single else ".copy()" for name, single in fields.items()}
    lines = [
        f" setattr(twin, {name!r}, getattr(record, {name!r}){copied})"
        if iskeyword(name)
        else f" twin.{name} = record.{name}{copied}"
        for name, copied in own.items()
    ]
    scope: dict[str, Any] = {"new": object.__new__, "made": made}
    exec("\n".join(["def copied(record):", " twin = new(made)", *lines, " return twin"]), scope)  # noqa: S102
    made.__copy__ = scope["copied"]  # type: ignore[attr-defined]
    return made


def as_list(value: Sequence[Any]) -> list[Any]:
    """A row of numbers, or of rows, as lists of its own."""
    return list(value) if not value or isinstance(value[0], int) else list(map(list, value))


def plain(value: Any) -> Any:
    """Numbers as plain integers, in lists where they are rows."""
    return [plain(entry) for entry in value] if isinstance(value, list) else int(value)
