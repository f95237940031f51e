"""The fields of a game's data: their limits, small classes, ids, the plan of the table."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin
from unicodedata import combining, normalize

from generator.base.errors import Place
from generator.game.rich_text import Words

# The `About` of a field has its checks (limits, a pattern, an `alias` as its key, a `default` that differs from the
# model's) and its `description` for editors (as has the first line of the class). `generator.game.schema` makes the
# checks from it, `generator.game.load_game` the values. Templates and the comparison of two states use the same fields.

Name = Annotated[str, "name"]
Label = Annotated[str, "label"]
Language = Annotated[str, "language"]
Day = Annotated[str, "day"]
Expression = Annotated[str, "expression"]
Credit = Annotated[Words, "credit"]
"""The types above are texts with extra checks. Their second argument is the name of the check."""


class About:
    """The description of a field for editors, and its limits."""

    def __init__(self, about: str = "", **limits: Any):
        self.notes = {"description": about, **limits} if about else limits


def empty_mapping() -> Any:
    """Return the default of a field that is an empty mapping."""
    return field(default_factory=dict)


COMPUTED = About(made=True)
"""The mark of computed fields: the data have no such key."""


class KeyedField(NamedTuple):
    """A field that has a key in the data, with its default in the model (MISSING if it has none)."""

    name: str
    type: Any
    default: Any
    about: Mapping[str, Any]


def _find_keyed_fields(kind: Any) -> tuple[KeyedField, ...]:
    found = []
    for one in fields(kind):
        hint, *marks = get_args(one.type) if get_origin(one.type) is Annotated else (one.type,)
        about = next((mark.notes for mark in marks if isinstance(mark, About)), {})
        others = [mark for mark in marks if not isinstance(mark, About)]
        if others:  # a type with its own checks, such as Label
            hint = Annotated[(hint, *others)]
        default = one.default if one.default_factory is MISSING else one.default_factory()
        if one.name != "place" and "made" not in about and (one.name != "id" or about):
            found.append(KeyedField(one.name, hint, default, about))
    return tuple(found)


list_keyed_fields: Callable[[Any], tuple[KeyedField, ...]] = cache(_find_keyed_fields)
"""Return a class's fields that have a key in the data. An id without a pattern is itself the key of its mapping."""


def collect_values(thing: Any, *but: str) -> dict[str, Any]:
    """Return the fields of an object that have keys in the data, by name, without its id and the fields `but`."""
    return {
        one.name: getattr(thing, one.name) for one in list_keyed_fields(type(thing)) if one.name not in ("id", *but)
    }


def format_value(value: Any) -> str:
    """Return a value as the data write it, on one line: `true`, `[1, 2]`, `{p1: 3}`."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {format_value(part)}' for key, part in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(format_value, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, repr=False)
class FieldSpec:
    """What one field of a kind holds."""

    type: Annotated[str, About("integer, number, text, words, boolean, icon, colour, choice, picture, effects or list")]
    of: Annotated[str, About("for a list: the type of its entries")] = ""
    choices: Annotated[tuple[str | int, ...], About("for a choice: the allowed values")] = ()
    min: Annotated[float | None, About("for a number: the minimum")] = None
    max: Annotated[float | None, About("for a number: the maximum")] = None
    folder: Annotated[str, About("for a picture: its folder in `templates/`, such as art/cargo")] = ""
    better: Annotated[
        Literal["", "more", "less"], About("for a number: which is better for players; `pnp figures` compares designs")
    ] = ""
    optional: Annotated[bool, About("true: a design may omit it")] = False
    plain: Annotated[bool, About("for a text: *, {, } and \\ have no special meaning in it")] = False


@dataclass(frozen=True, slots=True, repr=False)
class Operation:
    """Something that an effect can do: what it needs to know, and its phrase.

    The phrase names its values in `{{ }}`.
    """

    id: str
    takes: Annotated[Mapping[str, FieldSpec], About("the values it needs, by name, with the type of each", default={})]
    says: Annotated[Words, About("the sentence for cards and rulebook; {{ names }} are what it takes")]
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class GlossaryEntry:
    """A word that the rulebook uses in one sense only, and that sense."""

    id: str
    term: Annotated[Words, About("the word, in each language")]
    says: Annotated[Words, About("what the word means, in each language")]
    kana: Annotated[str, About("the reading of the Japanese term, by which the index is sorted")] = ""
    also: Annotated[
        tuple[Words, ...], About("other words that readers may look up: the index refers them to the term")
    ] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class FinestDetails:
    """The finest type and drawing that faces may have."""

    type: Annotated[float, About("the smallest type on cards and small pieces, in points", ge=0, le=72)] = 7.0
    board_type: Annotated[float, About("the smallest type on boards and pads, in points", ge=0, le=72)] = 7.5
    ruby: Annotated[float, About("the smallest readings above characters, in points", ge=0, le=72)] = 5.0
    stroke: Annotated[float, About("the thinnest stroke of an icon as printed, in mm", ge=0, le=5)] = 0.12
    gap: Annotated[float, About("the narrowest gap in an icon as printed, in mm", ge=0, le=5)] = 0.1
    live: Annotated[float, About("the least part of its box that an icon fills, 0 to 1", ge=0, le=1)] = 0.8


@dataclass(frozen=True, slots=True, repr=False)
class ZoneEntry:
    """A place for pieces: its name, and the side that is face up there."""

    id: str
    name: Annotated[Words, About("the name of the place; {n} and {m} are its numbers")]
    back: Annotated[bool, About("pieces there show their backs to everyone: the other side of a counter")] = False
    place: Place | None = None


WISH = re.compile(r"(\S+)(?: (?:(least|most) (\S+)|(\S+) is (.+)))?")
"""A move that a strategy names: `pass`, `play least number` or `play card.colour is red`."""


@dataclass(frozen=True, slots=True, repr=False)
class StrategyEntry:
    """A way to play that one sentence tells; `pnp lab strategies` tries it."""

    id: str
    name: Annotated[Words, About("the sentence, in each language: always pass")]
    prefer: Annotated[
        tuple[str, ...], About("preferred moves, the first legal one of them: pass, or play least number")
    ] = ()
    avoid: Annotated[tuple[str, ...], About("moves that it makes only if no other is legal")] = ()
    bot: Annotated[str, About("the bot that makes all other choices")] = "random"
    place: Place | None = None


Limits = tuple[float, float, float] | tuple[()]
"""A change and the limits of its interval, or nothing."""

Reach = tuple[float, float] | tuple[()]
"""The smallest and the largest change, or nothing."""

ReadingVerdict = Literal["changes", "unknown", "small", "never"]
VERDICTS: tuple[ReadingVerdict, ...] = ("changes", "unknown", "small", "never")
"""The lab's verdicts on another reading, in the order in which they are tested: see LabFinding."""


@dataclass(frozen=True, slots=True, repr=False)
class LabFinding:
    """The effect of another reading of a passage on games between bots; written by the lab."""

    reading: Annotated[str, About("the number of the passage: E1, E2a ...")]
    value: Annotated[Any, About("the choice used in the games")]
    verdict: Annotated[
        ReadingVerdict, About("the answer: changes the game, not known yet, too small to matter, or never came up")
    ]
    measure: Annotated[Label, About("what it changes most: turns, points, a seat's wins or an ending")] = ""
    change: Annotated[Limits, About("that change, with its lower and upper limit")] = ()
    reach: Annotated[Reach, About("the smallest and the largest such change at all tables")] = ()
    size: Annotated[float, About("the change in margins: below 1 it is too small to matter", ge=0)] = 0.0
    games: Annotated[int, About("the number of games at each table that would give an answer", ge=0)] = 0
    where: Annotated[str, About("a position in which the reading matters, if it never came up in games")] = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class LabFindings:
    """The lab's finding at one table: games, bots, and the state of the rules and numbers that it played."""

    state: Annotated[str, About("of the rules and numbers that were played; if they change, play again")]
    run: Annotated[int, About("the games' run: game 17 of run 1 is --seed 1/17 of `pnp play`", ge=0)]
    games: Annotated[int, About("games of each reading", ge=1)]
    players: Annotated[int, About("how many players", ge=1)]
    bots: Annotated[tuple[str, ...], About("who plays: one for all seats, or one for each", min_length=1)]
    entries: Annotated[tuple[LabFinding, ...], About("readings whose largest effect is at this table", default=[])]
    options: Annotated[str, About("options of the table: items=[map]")] = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class CreditLine:
    """Who did what for the game."""

    role: Annotated[Credit, About("the task, such as game design, art or editing; in each language or one for all")]
    name: Annotated[Credit, About("the person; in each language or one for all")]
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class DraftSource:
    """Which draft the data were written from."""

    document: Annotated[str, About("the name of the draft's document")] = ""
    draft: Annotated[Label, About("the number or name of the draft")] = ""
    notes: Annotated[tuple[str, ...], About("remarks on the draft, for yourself")] = ()


@dataclass(frozen=True, slots=True, repr=False)
class SpaceSpec:
    """Places for pieces that the rules need on each design of a kind.

    `holds`, `pile` and `each` are expressions over the data, worked out for each design.
    """

    id: Annotated[str, About("the id of the template's group; * becomes each name", pattern=r"^[a-z0-9*_-]+$")]
    piece: Annotated[str, About("the kind of component there", alias="for")]
    holds: Annotated[Expression, About("the number of pieces; 0 means no such space")] = ""
    pile: Annotated[Expression, About("true: any number of pieces fits there")] = ""
    each: Annotated[str, About("an expression: the names that replace the * of the id")] = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class CheckSpec:
    """A named check: two expressions that must agree, or a function of the game's rules.

    It fails if they disagree. If they disagree exactly as `finding` says, only the draft's wording is at fault: the
    result is a finding about the passage of `reading`.
    """

    id: Annotated[str, About("the name of the check in reports: C-01", pattern=r"^[A-Za-z0-9_-]+$")]
    says: Annotated[Words, About("what must be true, in each language")]
    computed: Annotated[str, About("an expression over the data whose value is checked")] = ""
    expected: Annotated[str, About("an expression that must have the same value as `computed`")] = ""
    function: Annotated[str, About("a function of the game's rules, in place of both expressions")] = ""
    reading: Annotated[str, About("the id of the reading (E1) that it depends on")] = ""
    finding: Annotated[str, About("the expected result if the draft contradicts itself; any other fails")] = ""
    undecided: Annotated[bool, About("true if only play or search can decide it; false by default")] = False
    place: Place | None = None


Lies = Literal["pile", "piles", "row", "column", "columns", "fan"]
"""Arrangement of pieces: one pile; a pile per design; side by side; overlapping; a column per zone; a hand."""

FaceUp = Literal["up", "down", "own"]

Arrangement = Annotated[tuple[Any, ...], "arrangement"]
"""Names of places, in rows from the far edge of the table to the near one. A list in a row is a column, and so on."""

Names = Annotated[tuple[str, ...], "names"]
"""A list of texts; one text may replace a list of one."""

ALL = "all"
PieceCount = Annotated[int | str, "number of pieces"]
"""A number, `all` printed pieces, or the path of a number of the rules, such as rules.hand."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TablePlace:
    """A place on the table and its pieces.

    `zone` names zones of the rules. `{seat}` in them is the number of the place's player, `*` matches any rest. If
    `room` names a kind, a zone without a `*` keeps room for one while it is empty. With `on`, the `*` of a zone is that
    of the zone below its pieces, or else of the space.
    """

    id: str
    name: Annotated[Words, About("the name of the place under its picture, in each language")]
    theirs: Annotated[
        Words | None,
        About(
            "at the table: the name of this place in front of another player, if `name` speaks to its owner; "
            "{player} is that player's name"
        ),
    ] = None
    zone: Annotated[Names, About("the zones of the rules whose pieces are here: deck, hand {seat}, town *")] = ()
    pieces: Annotated[
        Mapping[str, PieceCount],
        About(
            "components that the rules don't know, by id or kind, each with a number, `all` that are printed, or a "
            "number of the rules (rules.hand); with `zone`: what lies there if the game has no rules"
        ),
    ] = empty_mapping()
    lies: Annotated[
        Lies, About("pile (default), piles (one of each design), row, column, columns (one of each zone), fan")
    ] = "pile"
    face: Annotated[FaceUp, About("up (default), down, or own: up for the player whose place it is alone")] = "up"
    lines: Annotated[
        tuple[int, ...], About("of a row: pieces in each line, such as [3, 2, 3, 2]", min_length=1, max_length=20)
    ] = ()
    gap: Annotated[float, About("mm between pieces side by side; 5 by default", ge=0, le=100)] = 5.0
    turned: Annotated[
        int, About("degrees clockwise by which each piece is turned: 0 (default), 90, 180 or 270", ge=0, le=270)
    ] = 0
    on: Annotated[str, About("the place whose pieces these are on")] = ""
    spaces: Annotated[
        Names, About("with `on`: the spaces there; {place} is the id of the piece at a place of the seat")
    ] = ()
    out_of: Annotated[
        str, About("with `pieces`: the place in whose zone the rules count them; it shows that many fewer")
    ] = ""
    room: Annotated[str, About("a kind: while the place is empty, the outline of a piece is drawn")] = ""
    players: Annotated[
        tuple[int, ...], About("the numbers of players with which this place is used; all by default")
    ] = ()
    seats: Annotated[
        tuple[int, ...], About("the players who have this place, 1 for the start player; all by default")
    ] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TablePlan:
    """The table when a game begins: shared pieces in the middle, around them each player's own places."""

    usual: Annotated[int, About("the default number of players in pictures", ge=1)]
    example: Annotated[
        str, About("if players make choices during set-up: the examples that show its result, such as table-{players}")
    ] = ""
    rows: Annotated[Arrangement, About("the places in the middle, in rows from the far to the near edge")]
    seat: Annotated[
        Arrangement, About("the places of each player, in rows from the middle of the table to the player")
    ] = ()
    others: Annotated[
        Arrangement, About("which of these places a picture shows for the other players; all by default")
    ] = ()
    others_size: Annotated[
        float, About("the size at which the others' places are drawn; 1 by default", ge=0.2, le=1)
    ] = 1.0
    left_out: Annotated[Names, About("zones of the rules that are not on the table, such as the box")] = ()
    places: Annotated[Mapping[str, TablePlace], About("the places by their names", min_length=1)]
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
    """Return a-z, digits and hyphens for a text, without accents; other scripts and long texts end in a checksum."""
    lower = normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in lower if not combining(sign))
    plain = _OTHERS.sub("-", bare).strip("-")
    whole = not any(sign.isalnum() and not sign.isascii() for sign in bare)
    if whole and len(plain) <= LONGEST:
        return plain
    mark = sha256(normalize("NFC", " ".join(text.split())).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain[: LONGEST - 9].strip('-')}-{mark}" if plain else f"id-{mark}"
