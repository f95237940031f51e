"""How the fields of the model say what the data may say: each field of the data is defined once, in its dataclass.

A field's `metadata` are what is checked (limits, a pattern, an `alias` as which it is written, a `default` that is
not the model's) and what editors are told of it (`description`, and the first line of the class): `load.schema` makes
the checks of them, `load.game` the values. What templates see and two states of a game are compared by comes from the
fields too.
"""

from collections.abc import Iterator
from dataclasses import Field, field, fields
from typing import Annotated, Any

from generator.dataclass import dataclass
from generator.model.text import Words

Name = Annotated[str, "name"]
Label = Annotated[str, "label"]
Language = Annotated[str, "language"]
Day = Annotated[str, "day"]
Expression = Annotated[str, "expression"]
Credit = Annotated[Words, "credit"]
"""Texts of which the data know more: of lower-case letters, or a number, a value worked out for each design, whose."""

MADE = {"made": True}
"""What the program works out: the data have no such key."""


def meta(about: str = "", **limits: Any) -> dict[str, Any]:
    """The metadata of a field: what editors are told of it, and what is checked."""
    return {"description": about, **limits} if about else limits


def fields_with_keys(kind: Any) -> Iterator[Field[Any]]:
    """The fields that the data have a key for; an id without a pattern is the key that the whole stands under."""
    for one in fields(kind):
        if one.name != "place" and "made" not in one.metadata and (one.name != "id" or one.metadata):
            yield one


def values_of(thing: Any, *but: str) -> dict[str, Any]:
    """All that the data say of a thing, by field; without its id and the fields named."""
    return {one.name: getattr(thing, one.name) for one in fields_with_keys(type(thing)) if one.name not in ("id", *but)}


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What one field of a kind holds."""

    type: str = field(
        metadata=meta("integer, number, text, words, boolean, icon, colour, choice, picture, effects or list")
    )
    of: str = field(default="", metadata=meta("for a list: the type of its entries"))
    choices: tuple[str | int, ...] = field(default=(), metadata=meta("for a choice: what it may be"))
    min: float | None = field(default=None, metadata=meta("for a number: the least it may be"))
    max: float | None = field(default=None, metadata=meta("for a number: the most it may be"))
    folder: str = field(
        default="", metadata=meta("for a picture: the folder of the templates that it lies in, such as art/cargo")
    )
    optional: bool = field(default=False, metadata=meta("a design may leave it out"))
