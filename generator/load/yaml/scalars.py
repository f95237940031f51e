"""Plain words of YAML and the numbers and constants that they stand for; and how much a file may hold."""

import re
from math import isfinite
from typing import Any

from generator.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may hold: nesting, aliases, and values with aliases written out."""

    depth: int = 40
    aliases: int = 100
    values: int = 2_000_000
    digits: int = 15


LIMITS = Limits()

INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\Z")
NUMBER_STARTS = frozenset("+-0123456789")
CONSTANTS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def plain_number(text: str) -> int | float | str:
    """The number that a text is in YAML, within the limit of digits; any other text as it is."""
    if INTEGER.match(text):
        return int(text) if len(text) <= LIMITS.digits else text
    return _decimal(text) if _DECIMAL.match(text) and len(text) <= 40 else text


def _decimal(text: str) -> float | str:
    """A decimal; what is beyond all numbers of a computer stays a text, which no number is taken for."""
    value = float(text)
    return value if isfinite(value) else text
