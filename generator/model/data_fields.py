"""How the fields of the model say what the data may say: each field of the data is defined once, in its dataclass.

A field's `metadata` are what is checked (limits, a pattern, an `alias` as which it is written, a `default` that is
not the model's) and what editors are told of it (`description`, and the first line of the class): `load.schema` makes
the checks of them, `load.game` the values. What templates see and two states of a game are compared by comes from the
fields too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import Field, field, fields
from typing import Annotated, Any

from generator.dataclass import dataclass
from generator.errors import Place
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


def value_name(value: Any) -> str:
    """A switch's value as text, as it is written in the data."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
    plain: bool = field(default=False, metadata=meta("for a text: *, {, } and \\ mark nothing in it"))


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that an effect can do: what it needs to know, and its phrase.

    The phrase names what it takes in `{{ }}`.
    """

    id: str
    takes: Mapping[str, FieldSpec] = field(
        metadata=meta("the values it needs, by name, with the type of each", default={})
    )
    says: Words = field(metadata=meta("the sentence for cards and rulebook; {{ names }} are what it takes"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A word that the rulebook uses in one sense only, and that sense."""

    id: str
    term: Words = field(metadata=meta("the word, in each language"))
    says: Words = field(metadata=meta("what the word means, in each language"))
    kana: str = field(default="", metadata=meta("how the Japanese term is read: the index is sorted by it"))
    also: tuple[Words, ...] = field(
        default=(), metadata=meta("other words by which readers may seek it: the index sends them to the term")
    )
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ZoneEntry:
    """A place for pieces: what it is called, and which side lies up there."""

    id: str
    name: Words = field(metadata=meta("what the place is called; {n} and {m} stand for its numbers"))
    back: bool = field(
        default=False, metadata=meta("pieces there show their backs to everyone: the other side of a counter")
    )
    place: Place | None = None


Changes = Mapping[Label, tuple[float, float, float]]
"""Of each measure that changes, as the lab calls it: by how much, and from where to where that is sure."""


@dataclass(frozen=True, slots=True)
class LabFinding:
    """What another reading of a passage does to games between bots; written by the lab."""

    reading: str = field(metadata=meta("the number of the passage: E1, E2a ..."))
    value: Any = field(metadata=meta("the choice that the games were played by"))
    same: float = field(metadata=meta("percent of the games that went move by move as they do now", ge=0, le=100))
    changes: Changes = field(
        metadata=meta("measures that certainly change: [by how much, from, to], the greatest first", default={})
    )
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class LabFindings:
    """What the lab found at one table: games, bots, and the state of rules and numbers that it played."""

    state: str = field(metadata=meta("of rules and numbers when it was played; with another it no longer holds"))
    run: int = field(metadata=meta("the games' run: game 17 of run 1 is --seed 1/17 of `pnp play`", ge=0))
    games: int = field(metadata=meta("games of each reading", ge=1))
    players: int = field(metadata=meta("how many players", ge=1))
    bots: tuple[str, ...] = field(metadata=meta("who plays: one for all seats, or one for each", min_length=1))
    entries: tuple[LabFinding, ...] = field(metadata=meta("what was found"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class CreditLine:
    """Who did what for the game."""

    role: Credit = field(metadata=meta("what was done: game design, art, editing; in each language or one for all"))
    name: Credit = field(metadata=meta("who did it; in each language or one for all"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class DraftSource:
    """Which draft the data were written from."""

    document: str = field(default="", metadata=meta("the name of the draft's document"))
    draft: Label = field(default="", metadata=meta("the number or name of the draft"))
    notes: tuple[str, ...] = field(default=(), metadata=meta("remarks on the draft, for yourself"))


@dataclass(frozen=True, slots=True)
class SpaceSpec:
    """Places for pieces that the rules need on each design of a kind.

    `holds`, `pile` and `each` are expressions over the data, worked out for each design.
    """

    id: str = field(metadata=meta("of the template's group; * stands for each name", pattern=r"^[a-z0-9*_-]+$"))
    piece: str = field(metadata=meta("the kind of component that lies there", alias="for"))
    holds: Expression = field(default="", metadata=meta("how many pieces; where it comes to 0, there is no such space"))
    pile: Expression = field(default="", metadata=meta("true where any number may lie there"))
    each: str = field(default="", metadata=meta("an expression: the names that stand for the * of the id"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A named check: two expressions that must agree, or a function of the game's rules.

    `reading` binds a disagreement to a registered E-entry: it is then a finding about the draft, not a failure.
    """

    id: str = field(metadata=meta("the name of the check in reports: C-01", pattern=r"^[A-Za-z0-9_-]+$"))
    says: Words = field(metadata=meta("what must be true, in each language"))
    computed: str = field(default="", metadata=meta("an expression over the data whose value is checked"))
    expected: str = field(default="", metadata=meta("an expression that must have the same value as `computed`"))
    function: str = field(default="", metadata=meta("a function of the game's rules, in place of both expressions"))
    reading: str = field(default="", metadata=meta("the id of a reading (E1) that makes a failure a finding"))
    undecided: bool = field(default=False, metadata=meta("true if only play or search can tell; false by default"))
    place: Place | None = None
