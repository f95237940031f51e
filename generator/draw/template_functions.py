"""What a template may call and how much it may ask for, so that none can exhaust the machine."""

import math
from collections.abc import Iterable
from typing import Any

from generator.model.drawing import number

MOST_CHARACTERS = 2_000_000
MOST_ENTRIES = 100_000
MOST_BITS = 4096
MOST_STEPS = 100_000


class TooMuch(ValueError):
    """A template asks for more than any card needs."""


class Steps:
    """`range` for templates; all ranges of one face together have at most `MOST_STEPS` steps."""

    def __init__(self) -> None:
        self._left = MOST_STEPS

    def restart(self) -> None:
        """Begin a new face."""
        self._left = MOST_STEPS

    def __call__(self, *bounds: int) -> range:
        """Python's range."""
        steps = range(*bounds)
        # A range may be longer than len() can say.
        if (steps.stop - steps.start) // steps.step > MOST_STEPS or len(steps) > self._left:
            raise TooMuch(f"range counts too far; one face may take {MOST_STEPS:,} steps")
        self._left -= len(steps)
        return steps


def check_length(characters: int) -> None:
    """Refuse a text that is longer than any face."""
    if characters > MOST_CHARACTERS:
        raise TooMuch(f"a text of more than {MOST_CHARACTERS:,} characters")


def bounded(text: str) -> str:
    """The text, unless it is too long."""
    check_length(len(text))
    return text


def concatenated(parts: Iterable[str]) -> str:
    """The parts joined, measured before memory is taken."""
    pieces = list(parts)
    check_length(sum(map(len, pieces)))
    return "".join(pieces)


def check_operation(operator: str, left: Any, right: Any) -> None:
    """Refuse `left operator right` where the result would be huge, or where `%` would format a text."""
    if operator == "%":
        if isinstance(left, str):
            raise TooMuch("'%' does not format texts here; put values together with '~'")
    elif operator == "*":
        _check_product(left, right)
        _check_product(right, left)
    elif operator == "**":
        if isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > MOST_BITS:
            raise TooMuch("the power is too large a number")
    elif operator == "+" and isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
        most = MOST_CHARACTERS if isinstance(left, str) else MOST_ENTRIES
        if len(left) + len(right) > most:
            raise TooMuch(f"adding up to more than {most:,} entries")


def _check_product(left: Any, right: Any) -> None:
    if not isinstance(right, int):
        return
    if isinstance(left, (str, list, tuple)):
        if len(left) * right > MOST_ENTRIES:
            raise TooMuch(f"repeating up to more than {MOST_ENTRIES:,} entries")
    elif isinstance(left, int) and left.bit_length() + right.bit_length() > MOST_BITS:
        raise TooMuch("the product is too large a number")


def replaced(text: str, old: str, new: str) -> str:
    """`text` with every `old` as `new`."""
    text, old, new = str(text), str(old), str(new)
    check_length(len(text) + text.count(old) * max(0, len(new) - len(old)))
    return text.replace(old, new)


def rounded(value: float, precision: int = 0) -> float | int:
    """The nearest number with `precision` decimals (0 to 9); a whole number when precision is 0."""
    if not 0 <= precision <= 9:
        raise TooMuch("round takes 0 to 9 decimals")
    return round(value, precision) if precision else round(value)


def sine(degrees: float) -> float:
    """The sine of an angle in degrees, exact at the quarters."""
    return round(math.sin(math.radians(degrees)), 12) + 0.0


def cosine(degrees: float) -> float:
    """The cosine of an angle in degrees, exact at the quarters."""
    return round(math.cos(math.radians(degrees)), 12) + 0.0


def polar(radius: float, degrees: float) -> str:
    """`x y` of the point at that distance from the origin; 0 degrees is up, turning clockwise."""
    return f"{number(radius * sine(degrees))} {number(-radius * cosine(degrees))}"
