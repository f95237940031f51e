"""Intervals, and numbers as they are told: no more exact than their interval supports."""

from math import floor, isfinite, log10

from generator.dataclass import dataclass

MINUS = "\u2212"
_MOST = 3
"""Decimals: nobody wants more of a game."""

_LOPSIDED = 0.2
"""Of its half width: how far the middle of an interval may lie from its number for it to be told as ±."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both included; `at` is the best single number."""

    at: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2

    def divided(self, by: float) -> "Interval":
        """The same in units `by` times as large."""
        return Interval(self.at / by, self.low / by, self.high / by)

    def clear_of(self, value: float) -> bool:
        """Whether a value lies outside."""
        return not self.low <= value <= self.high


def decimals(half: float) -> int:
    """How many decimals a number has whose interval reaches so far to each side: the first digit of that is the last.

    A number without any doubt, or with every doubt, is told whole.
    """
    if not half or not isfinite(half):
        return 0
    return min(_MOST, max(0, -floor(log10(half))))


def written(value: float, places: int, *, signed: bool = False) -> str:
    """A number with so many decimals, `signed` with a + too; never -0."""
    text = f"{abs(value):,.{places}f}"
    zero = not any(digit in text for digit in "123456789")
    sign = "" if zero else MINUS if value < 0 else "+" if signed else ""
    return sign + text


def places_of(found: Interval) -> int:
    """Of the number in an interval: as its width allows; of one without width as many as it needs."""
    if found.half:
        return decimals(found.half)
    return next((places for places in range(_MOST) if round(found.at, places) == round(found.at, _MOST)), _MOST)


def change(found: Interval) -> str:
    """A difference: +0.9."""
    return written(found.at, places_of(found), signed=True)


def margin(found: Interval, *, signed: bool = True) -> str:
    """What stands behind a number: ±0.2, or from … to where the interval is lopsided; nothing for no width."""
    places = places_of(found)
    if not found.half:
        return ""
    if not isfinite(found.half):
        return "±∞"
    if abs((found.low + found.high) / 2 - found.at) > _LOPSIDED * found.half:
        low, high = (written(end, places, signed=signed) for end in (found.low, found.high))
        return f"({low} … {high})"
    return f"±{written(found.half, places)}"


def value(found: Interval) -> str:
    """A number with its margin: 36.4 ±0.2."""
    return " ".join(filter(None, (written(found.at, places_of(found)), margin(found, signed=False))))


def change_with_margin(found: Interval) -> str:
    """A difference with its margin: +0.9 ±0.2."""
    return " ".join(filter(None, (change(found), margin(found))))
