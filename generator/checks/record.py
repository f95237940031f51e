"""One record for everything that a check can say."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

from generator.dataclass import dataclass
from generator.errors import Place
from generator.model.game import Game

Status: TypeAlias = Literal["pass", "fail", "finding", "undecided"]
STATUSES: tuple[Status, ...] = ("fail", "finding", "undecided", "pass")
"""In the order in which a reader wants them."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at (`kind`, `sentence`), how it came out, and the figures that show it.

    `id` is the same in every run: the data's own (`FC-01`), or the check and what it looked at (`safe-zone.reel`).
    A `finding` is a disagreement that a registered reading (E-entry) of the draft accounts for; without the id of a
    reading it is a ValueError. `undecided` says that the check couldn't see what it needs, never that all is well.
    `values` are the figures for a program, where there are more of them than a sentence should have.
    """

    id: str
    kind: str
    status: Status
    sentence: str
    figures: str = ""
    place: Place | None = None
    reading: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.status == "finding" and not self.reading:
            raise ValueError(f"the check '{self.id}' reports a finding without the reading that it rests on")


def require_readings(checks: Iterable[Check], game: Game) -> tuple[Check, ...]:
    """The checks as they are; ValueError if a finding rests on a reading that the game doesn't have."""
    found = tuple(checks)
    for check in found:
        if check.status == "finding" and check.reading not in game.readings:
            raise ValueError(f"the finding '{check.id}' rests on '{check.reading}', which is no reading of {game.id}")
    return found


def first_entries(entries: Iterable[str], most: int = 5) -> str:
    """At most `most` of the entries for a reader, and how many more there are."""
    names = list(entries)
    more = f"; and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + more
