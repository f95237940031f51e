"""The fields of a game's data: their limits, small classes, ids, the plan of the table."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from hashlib import sha256
from typing import Annotated, Any, Literal
from unicodedata import combining, normalize

from generator.base.errors import Place
from generator.game.rich_text import Words

# A field's `metadata` has its checks (limits, a pattern, an `alias` as its key, a `default` that differs from the
# model's) and its `description` for editors (as has the first line of the class). `generator.game.schema` makes the
# checks from it, `generator.game.load_game` the values. Templates and the comparison of two states use the same fields.

Name = Annotated[str, "name"]
Label = Annotated[str, "label"]
Language = Annotated[str, "language"]
Day = Annotated[str, "day"]
Expression = Annotated[str, "expression"]
Credit = Annotated[Words, "credit"]
"""Texts with extra checks: lower-case letters, or a number, an expression for each design, a credit."""

COMPUTED = {"made": True}
"""The metadata of computed fields: the data have no such key."""


def describe(about: str = "", **limits: Any) -> dict[str, Any]:
    """Return the metadata of a field: its description for editors, and its limits."""
    return {"description": about, **limits} if about else limits


def iter_keyed_fields(kind: Any) -> Iterator[Field[Any]]:
    """Yield the fields that have a key in the data. An id without a pattern is itself the key of its mapping."""
    for one in fields(kind):
        if one.name != "place" and "made" not in one.metadata and (one.name != "id" or one.metadata):
            yield one


def collect_values(thing: Any, *but: str) -> dict[str, Any]:
    """Return a mapping of an object's fields that the data state, without its id and the fields named."""
    return {
        one.name: getattr(thing, one.name) for one in iter_keyed_fields(type(thing)) if one.name not in ("id", *but)
    }


def format_switch_value(value: Any) -> str:
    """Return a switch's value as text, as the data write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What one field of a kind holds."""

    type: str = field(
        metadata=describe("integer, number, text, words, boolean, icon, colour, choice, picture, effects or list")
    )
    of: str = field(default="", metadata=describe("for a list: the type of its entries"))
    choices: tuple[str | int, ...] = field(default=(), metadata=describe("for a choice: what it may be"))
    min: float | None = field(default=None, metadata=describe("for a number: the least it may be"))
    max: float | None = field(default=None, metadata=describe("for a number: the most it may be"))
    folder: str = field(
        default="", metadata=describe("for a picture: the folder of the templates that it lies in, such as art/cargo")
    )
    optional: bool = field(default=False, metadata=describe("a design may leave it out"))
    plain: bool = field(default=False, metadata=describe("for a text: *, {, } and \\ mark nothing in it"))


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that an effect can do: what it needs to know, and its phrase.

    The phrase names its values in `{{ }}`.
    """

    id: str
    takes: Mapping[str, FieldSpec] = field(
        metadata=describe("the values it needs, by name, with the type of each", default={})
    )
    says: Words = field(metadata=describe("the sentence for cards and rulebook; {{ names }} are what it takes"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A word that the rulebook uses in one sense only, and that sense."""

    id: str
    term: Words = field(metadata=describe("the word, in each language"))
    says: Words = field(metadata=describe("what the word means, in each language"))
    kana: str = field(default="", metadata=describe("how the Japanese term is read: the index is sorted by it"))
    also: tuple[Words, ...] = field(
        default=(), metadata=describe("other words by which readers may seek it: the index sends them to the term")
    )
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ZoneEntry:
    """A place for pieces: what it is called, and which side lies up there."""

    id: str
    name: Words = field(metadata=describe("what the place is called; {n} and {m} stand for its numbers"))
    back: bool = field(
        default=False, metadata=describe("pieces there show their backs to everyone: the other side of a counter")
    )
    place: Place | None = None


Changes = Mapping[Label, tuple[float, float, float]]
"""For each measure that changes, by the lab's name: the change, and the limits of its confidence interval."""


@dataclass(frozen=True, slots=True)
class LabFinding:
    """What another reading of a passage does to games between bots; written by the lab."""

    reading: str = field(metadata=describe("the number of the passage: E1, E2a ..."))
    value: Any = field(metadata=describe("the choice that the games were played by"))
    same: float = field(metadata=describe("percent of the games that went move by move as they do now", ge=0, le=100))
    changes: Changes = field(
        metadata=describe("measures that certainly change: [by how much, from, to], the greatest first", default={})
    )
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class LabFindings:
    """What the lab found at one table: games, bots, and the state of rules and numbers that it played."""

    state: str = field(metadata=describe("of rules and numbers when it was played; with another it no longer holds"))
    run: int = field(metadata=describe("the games' run: game 17 of run 1 is --seed 1/17 of `pnp play`", ge=0))
    games: int = field(metadata=describe("games of each reading", ge=1))
    players: int = field(metadata=describe("how many players", ge=1))
    bots: tuple[str, ...] = field(metadata=describe("who plays: one for all seats, or one for each", min_length=1))
    entries: tuple[LabFinding, ...] = field(metadata=describe("what was found"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class CreditLine:
    """Who did what for the game."""

    role: Credit = field(metadata=describe("what was done: game design, art, editing; in each language or one for all"))
    name: Credit = field(metadata=describe("who did it; in each language or one for all"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class DraftSource:
    """Which draft the data were written from."""

    document: str = field(default="", metadata=describe("the name of the draft's document"))
    draft: Label = field(default="", metadata=describe("the number or name of the draft"))
    notes: tuple[str, ...] = field(default=(), metadata=describe("remarks on the draft, for yourself"))


@dataclass(frozen=True, slots=True)
class SpaceSpec:
    """Places for pieces that the rules need on each design of a kind.

    `holds`, `pile` and `each` are expressions over the data, worked out for each design.
    """

    id: str = field(metadata=describe("of the template's group; * stands for each name", pattern=r"^[a-z0-9*_-]+$"))
    piece: str = field(metadata=describe("the kind of component that lies there", alias="for"))
    holds: Expression = field(
        default="", metadata=describe("how many pieces; where it comes to 0, there is no such space")
    )
    pile: Expression = field(default="", metadata=describe("true where any number may lie there"))
    each: str = field(default="", metadata=describe("an expression: the names that stand for the * of the id"))
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A named check: two expressions that must agree, or a function of the game's rules.

    `reading` binds a disagreement to a registered E-entry: it is then a finding about the draft, not a failure.
    """

    id: str = field(metadata=describe("the name of the check in reports: C-01", pattern=r"^[A-Za-z0-9_-]+$"))
    says: Words = field(metadata=describe("what must be true, in each language"))
    computed: str = field(default="", metadata=describe("an expression over the data whose value is checked"))
    expected: str = field(default="", metadata=describe("an expression that must have the same value as `computed`"))
    function: str = field(default="", metadata=describe("a function of the game's rules, in place of both expressions"))
    reading: str = field(default="", metadata=describe("the id of a reading (E1) that makes a failure a finding"))
    undecided: bool = field(default=False, metadata=describe("true if only play or search can tell; false by default"))
    place: Place | None = None


Lies = Literal["pile", "piles", "row", "column", "columns", "fan"]
"""How pieces lie: in one pile; a pile of each design; side by side; overlapping; a column of each zone; as a hand."""

FaceUp = Literal["up", "down", "own"]

Arrangement = Annotated[tuple[Any, ...], "arrangement"]
"""Names of places, in rows from the far edge of the table to the near one. A list in a row is a column, and so on."""

Names = Annotated[tuple[str, ...], "names"]
"""A list of texts; one text may replace a list of one."""

ALL = "all"
PieceCount = Annotated[int | str, "number of pieces"]
"""A number, `all` printed pieces, or the path of a number of the rules, such as rules.hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """A place on the table, and what lies there.

    `zone` names zones of the rules. `{seat}` in them is the number of the place's player, `*` matches any rest. If
    `room` names a kind, a zone without a `*` keeps room for one while it is empty. With `on`, the `*` of a zone is that
    of the zone below its pieces, or else of the space.
    """

    id: str
    name: Words = field(metadata=describe("what the place is called under its picture, in each language"))
    theirs: Words | None = field(
        default=None,
        metadata=describe(
            "at the table: the name of this place in front of another player, if `name` speaks to its owner; "
            "{player} is that player's name"
        ),
    )
    zone: Names = field(
        default=(), metadata=describe("the zones of the rules whose pieces lie here: deck, hand {seat}, town *")
    )
    pieces: Mapping[str, PieceCount] = field(
        default_factory=dict,
        metadata=describe(
            "components that the rules don't know, by id or kind, each with a number, `all` that are printed, or a "
            "number of the rules (rules.hand); beside a zone: what lies there while there are no rules"
        ),
    )
    lies: Lies = field(
        default="pile",
        metadata=describe("pile (default), piles (one of each design), row, column, columns (one of each zone), fan"),
    )
    face: FaceUp = field(
        default="up", metadata=describe("up (default), down, or own: up for the player whose place it is alone")
    )
    lines: tuple[int, ...] = field(
        default=(),
        metadata=describe("of a row: how many lie in each line, as [3, 2, 3, 2]", min_length=1, max_length=20),
    )
    gap: float = field(default=5.0, metadata=describe("mm between pieces side by side; 5 by default", ge=0, le=100))
    turned: int = field(
        default=0,
        metadata=describe("degrees clockwise by which each piece is turned: 0 (default), 90, 180 or 270", ge=0, le=270),
    )
    on: str = field(default="", metadata=describe("the place on whose pieces these lie"))
    spaces: Names = field(
        default=(),
        metadata=describe("with `on`: the spaces there; {place} is the id of what lies at a place of the seat"),
    )
    out_of: str = field(
        default="",
        metadata=describe("of pieces: the place to whose zone the rules count them, so that there are fewer"),
    )
    room: str = field(default="", metadata=describe("a kind: while nothing lies here, the outline of one is drawn"))
    players: tuple[int, ...] = field(
        default=(), metadata=describe("the numbers of players for which this place is there; all by default")
    )
    seats: tuple[int, ...] = field(
        default=(), metadata=describe("the players who have this place, 1 for the start player; all by default")
    )
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """How the table looks when a game begins: in the middle what is everybody's, around it the players' own places."""

    usual: int = field(metadata=describe("the number of players that pictures show where they name none", ge=1))
    example: str = field(
        default="",
        metadata=describe(
            "where players choose during set-up: the examples that show its end, such as table-{players}"
        ),
    )
    rows: Arrangement = field(metadata=describe("the places in the middle, in rows from the far to the near edge"))
    seat: Arrangement = field(
        default=(), metadata=describe("the places of each player, in rows from the middle of the table to the player")
    )
    others: Arrangement = field(
        default=(), metadata=describe("those of them that a picture shows of the other players; all by default")
    )
    others_size: float = field(
        default=1.0, metadata=describe("the size at which the others' places are drawn; 1 by default", ge=0.2, le=1)
    )
    left_out: Names = field(
        default=(), metadata=describe("zones of the rules that are not on the table, such as the box")
    )
    places: Mapping[str, TablePlace] = field(metadata=describe("the places by their names", min_length=1))
    place: Place | None = None


def iter_arrangement(arrangement: tuple[Any, ...]) -> Iterator[str]:
    """Yield the names of an arrangement, row by row."""
    for entry in arrangement:
        if isinstance(entry, tuple):
            yield from iter_arrangement(entry)
        else:
            yield str(entry)


LONGEST = 48
"""Maximum length of an id, which is part of file names."""

_OTHERS = re.compile(r"[^a-z0-9]+")


class IdMaker:
    """A maker of ids that numbers equal ones in their order."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def make_id(self, text: str, row: int) -> str:
        """Return the id of a row from its text, or from its number if the text is empty."""
        plain = id_from_text(text) or f"row-{row}"
        number = self._taken.get(plain, 0) + 1
        made = plain
        while number > 1 and (made := f"{plain}-{number}") in self._taken:
            number += 1
        self._taken[plain] = number
        self._taken.setdefault(made, 1)
        return made


def id_from_text(text: str) -> str:
    """Return letters a to z, digits and hyphens for a text; empty for one without letters and digits.

    Accents are removed. An id of a text in another script, or of a very long one, ends in part of its checksum.
    """
    lower = normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in lower if not combining(sign))
    plain = _OTHERS.sub("-", bare).strip("-")
    whole = not any(sign.isalnum() and not sign.isascii() for sign in bare)
    if whole and len(plain) <= LONGEST:
        return plain
    mark = sha256(normalize("NFC", " ".join(text.split())).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain[: LONGEST - 9].strip('-')}-{mark}" if plain else f"id-{mark}"
