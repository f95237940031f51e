"""What an experiment wants to know of its figures: what they are called, where they should lie, what gap matters."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from generator.dataclass import dataclass
from generator.lab.statistics.intervals import USUAL


@dataclass(frozen=True, slots=True)
class Aim:
    """From `low` to `high`, both included; shares from 0 to 1, other measures as they are told.

    `fair`: both are distances from 1 / players. Of a share its value is meant, else the middle one of all games.
    """

    low: float
    high: float
    fair: bool = False

    def limits(self, players: int) -> tuple[float, float]:
        """The limits at a table of so many."""
        middle = 1 / players if self.fair else 0.0
        return middle + self.low, middle + self.high


@dataclass(frozen=True, slots=True)
class Enquiry:
    """The question, and by what its answer is judged; it changes no game, so results of other questions can be joined.

    `labels` has for measures what the experiment calls them; `aims` and `margins` go by the measures' own names. A
    margin is the largest difference that does not matter, in the units of an aim. `confidence` is that of all
    intervals.
    """

    question: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    aims: Mapping[str, Aim] = field(default_factory=dict)
    margins: Mapping[str, float] = field(default_factory=dict)
    confidence: float = USUAL

    def label(self, measure: str) -> str:
        """What a measure is called."""
        return self.labels.get(measure, measure)

    def plain(self) -> dict[str, Any]:
        """The same in plain values, for a file."""
        aims = {name: {"low": aim.low, "high": aim.high, "fair": aim.fair} for name, aim in self.aims.items()}
        return {
            "question": dict(self.question),
            "labels": dict(self.labels),
            "aims": aims,
            "margins": dict(self.margins),
            "confidence": self.confidence,
        }


def enquiry_of(plain: Mapping[str, Any]) -> Enquiry:
    """What `plain` has made; KeyError, TypeError or ValueError for anything else."""
    aims = {name: Aim(float(aim["low"]), float(aim["high"]), bool(aim["fair"])) for name, aim in plain["aims"].items()}
    margins = {name: float(margin) for name, margin in plain["margins"].items()}
    return Enquiry(dict(plain["question"]), dict(plain["labels"]), aims, margins, float(plain["confidence"]))
