"""A plan of the table: places for pieces, how these lie there, and how the places are arranged around the players."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from generator.dataclass import dataclass
from generator.errors import Place
from generator.model.data_fields import meta
from generator.model.text import Words

Lies = Literal["pile", "piles", "row", "column", "columns", "fan"]
"""How pieces lie: on each other; a pile of each design; side by side; overlapping; a column of each zone; as a hand."""

FaceUp = Literal["up", "down", "own"]

Arrangement = Annotated[tuple[Any, ...], "arrangement"]
"""Names of places, in rows from the far edge of the table to the near one; a list in a row is a column, and so on."""

Names = Annotated[tuple[str, ...], "names"]
"""Several texts, of which one may stand alone."""

ALL = "all"
PieceCount = Annotated[int | str, "number of pieces"]
"""A number, `all` that are printed, or the path of a number of the rules, such as rules.hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """A place on the table, and what lies there.

    `zone` names zones of the rules, `{seat}` in them is the number of the player whose place it is, `*` any rest.
    A zone without a `*` has room of its own there though nothing lies in it, if `room` says for what. With `on`, a
    zone's `*` is that of the zone on whose piece its pieces lie, or else of the space.
    """

    id: str
    name: Words = field(metadata=meta("what the place is called under its picture, in each language"))
    theirs: Words | None = field(
        default=None,
        metadata=meta(
            "at the table: the name of this place in front of another player, if `name` speaks to its owner; "
            "{player} is that player's name"
        ),
    )
    zone: Names = field(
        default=(), metadata=meta("the zones of the rules whose pieces lie here: deck, hand {seat}, town *")
    )
    pieces: Mapping[str, PieceCount] = field(
        default_factory=dict,
        metadata=meta(
            "components that the rules don't know, by id or kind, each with a number, `all` that are printed, or a "
            "number of the rules (rules.hand); beside a zone: what lies there while there are no rules"
        ),
    )
    lies: Lies = field(
        default="pile",
        metadata=meta("pile (default), piles (one of each design), row, column, columns (one of each zone), fan"),
    )
    face: FaceUp = field(
        default="up", metadata=meta("up (default), down, or own: up for the player whose place it is alone")
    )
    lines: tuple[int, ...] = field(
        default=(), metadata=meta("of a row: how many lie in each line, as [3, 2, 3, 2]", min_length=1, max_length=20)
    )
    gap: float = field(default=5.0, metadata=meta("mm between pieces side by side; 5 by default", ge=0, le=100))
    turned: int = field(
        default=0,
        metadata=meta("degrees clockwise by which each piece is turned: 0 (default), 90, 180 or 270", ge=0, le=270),
    )
    on: str = field(default="", metadata=meta("the place on whose pieces these lie"))
    spaces: Names = field(
        default=(), metadata=meta("with `on`: the spaces there; {place} is the id of what lies at a place of the seat")
    )
    out_of: str = field(
        default="", metadata=meta("of pieces: the place to whose zone the rules count them, so that there are fewer")
    )
    room: str = field(default="", metadata=meta("a kind: while nothing lies here, the outline of one is drawn"))
    players: tuple[int, ...] = field(
        default=(), metadata=meta("the numbers of players for which this place is there; all by default")
    )
    seats: tuple[int, ...] = field(
        default=(), metadata=meta("the players who have this place, 1 for the start player; all by default")
    )
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """How the table looks when a game begins: in the middle what is everybody's, around it the players' own places."""

    usual: int = field(metadata=meta("the number of players that pictures show where they name none", ge=1))
    example: str = field(
        default="",
        metadata=meta("where players choose during set-up: the examples that show its end, such as table-{players}"),
    )
    rows: Arrangement = field(metadata=meta("the places in the middle, in rows from the far to the near edge"))
    seat: Arrangement = field(
        default=(), metadata=meta("the places of each player, in rows from the middle of the table to the player")
    )
    others: Arrangement = field(
        default=(), metadata=meta("those of them that a picture shows of the other players; all by default")
    )
    others_size: float = field(
        default=1.0, metadata=meta("the size at which the others' places are drawn; 1 by default", ge=0.2, le=1)
    )
    left_out: Names = field(default=(), metadata=meta("zones of the rules that are not on the table, such as the box"))
    places: Mapping[str, TablePlace] = field(metadata=meta("the places by their names", min_length=1))
    place: Place | None = None


def arranged(arrangement: tuple[Any, ...]) -> Iterator[str]:
    """The names of an arrangement, row by row."""
    for entry in arrangement:
        if isinstance(entry, tuple):
            yield from arranged(entry)
        else:
            yield str(entry)
