"""Ranges of values as one writes them: `3..7`, `0.5..2:0.5`, `1,2,4`, and `*1..3` to multiply what there is."""

import re
from collections.abc import Iterator
from decimal import Decimal

from generator.dataclass import dataclass
from generator.errors import Place, Unfit
from generator.lab.arms import Value

MOST = 200
"""Values of one range."""

_NUMBER = r"[+-]?\d{1,12}(?:\.\d{1,6})?"
_STEPS = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::({_NUMBER}))?")
_RANGE = re.compile(rf"\*.*|{_STEPS.pattern}|[^\s,\[\]{{}}]+(?:,[^\s,\[\]{{}}]+)+")
_WAYS = "write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is"


@dataclass(frozen=True, slots=True)
class SweepRange:
    """What is to have several values: a dotted path of the data, or a reading by its entry or switch.

    A `*` in a path stands for any name. `times`: the values multiply what stands in the data. `text` is the range as it
    was written, `place` where.
    """

    name: str
    values: tuple[Value, ...]
    times: bool
    text: str
    place: Place | None = None

    @property
    def reading(self) -> bool:
        """Whether it is a reading: paths have dots."""
        return "." not in self.name

    @property
    def brief(self) -> str:
        """Its name without the section and the list of designs that it lies in: `hand`, `reel.*.count`."""
        return self.name if self.reading else self.name.partition(".")[2].replace(".designs.", ".")

    def said(self, value: Value) -> str:
        """One of its values as it would be written alone."""
        return f"{'*' * self.times}{str(value).lower() if isinstance(value, bool) else value}"


def is_range(value: object) -> bool:
    """Whether a value of an experiment's file stands for several."""
    return isinstance(value, str) and _RANGE.fullmatch(value) is not None


def axis_of(name: str, text: str, place: Place | None = None) -> SweepRange:
    """The axis of a name and what is written behind it; Unfit for a range without values, or with too many."""
    times = text.startswith("*")
    values = tuple(dict.fromkeys(_values(text.removeprefix("*"), text)))
    if times and not all(isinstance(one, int | float) and not isinstance(one, bool) and one > 0 for one in values):
        raise Unfit(f"'{text}' can't multiply anything", "write numbers above 0 behind the *, as *1..3")
    if times and "." not in name:
        raise Unfit(f"the reading {name} can't be multiplied", "write its values, one behind the other with commas")
    if len(values) > MOST:
        raise Unfit(f"'{text}' has {len(values):,} values, more than {MOST}", "write a step, as 10..500:10")
    return SweepRange(name, values, times, text, place)


def _values(text: str, whole: str) -> Iterator[Value]:
    found = _STEPS.fullmatch(text)
    if found is None:
        parts = text.split(",")
        if not all(parts) or ".." in text:
            raise Unfit(f"the range '{whole}' has no values", _WAYS)
        yield from map(_value, parts)
        return
    first, last, step = (Decimal(part) if part is not None else Decimal(1) for part in found.groups())
    if step <= 0 or last < first:
        raise Unfit(f"the range '{whole}' has no values", "write it from the least to the most, by a step above 0")
    for at in range(min(MOST + 1, int((last - first) / step) + 1)):
        yield _number(first + at * step)


def _value(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    return _number(Decimal(text)) if re.fullmatch(_NUMBER, text) else text


def _number(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)
