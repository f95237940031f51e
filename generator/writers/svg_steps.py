"""Outlines, numbers and attributes of SVG in as few characters as keep them exact to a given number of decimals."""

import re
from collections.abc import Iterable
from functools import lru_cache

from generator.model.geometry import Matrix

Step = tuple[str, tuple[float, ...]]
"""A letter of M L Q C Z with its points, absolute."""

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def escaped(text: str) -> str:
    """A text as the content of an element or of an attribute in double quotes; what XML forbids is left out."""
    return "".join([_ESCAPES.get(char, char) for char in text if not _FORBIDDEN.match(char)])


def short(value: float, places: int = 3) -> str:
    """A number without what SVG does not need: `.5`, `-12`, `0`."""
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text.startswith("0."):
        return text[1:]
    if text.startswith("-0."):
        return f"-{text[2:]}"
    return "0" if text in ("-0", "") else text


def listed(values: Iterable[float], places: int = 3) -> str:
    """Numbers one after the other, a space only where two would run together."""
    return _joined([short(value, places) for value in values])


@lru_cache(maxsize=1 << 14)
def short_path(outline: str, places: int) -> str:
    """A canonical outline in relative commands; every point keeps `places` decimals, errors do not add up."""
    parts = outline.split(" ")
    steps: list[Step] = []
    at = 0
    while at < len(parts):
        count = {"M": 2, "L": 2, "C": 6, "Z": 0}[parts[at]]
        steps.append((parts[at], tuple(map(float, parts[at + 1 : at + 1 + count]))))
        at += 1 + count
    return relative(steps, places)


def relative(steps: Iterable[Step], places: int) -> str:
    """Absolute steps as SVG path data in relative commands."""
    grid = 10**places
    x = y = start_x = start_y = 0
    out: list[str] = []
    last = ""
    for letter, points in steps:
        if letter == "Z":
            out.append("z")
            x, y, last = start_x, start_y, "z"
            continue
        spots = [round(value * grid) for value in points]
        moved = [spot - (y if index % 2 else x) for index, spot in enumerate(spots)]
        command = letter.lower()
        if command == "l" and 0 in moved:
            command, moved = ("h", moved[:1]) if moved[1] == 0 else ("v", moved[1:])
        numbers = _joined([_short_step(value, places) for value in moved])
        repeats = command == last or (command == "l" and last == "m")
        out.append(numbers if repeats and numbers[0] == "-" else f"{' ' if repeats else command}{numbers}")
        x, y = spots[-2:]
        if command == "m":
            start_x, start_y = x, y
        last = command
    return "".join(out)


@lru_cache(maxsize=1 << 16)
def _short_step(value: int, places: int) -> str:
    """A whole number of units of the last decimal: most steps are small, and come again and again."""
    return short(value / 10**places, places)


def transform(by: Matrix) -> str:
    """The value of a `transform`: the shortest that says the same."""
    a, b, c, d, e, f = by
    if b == c == 0:
        moved = f"translate({short(e)} {short(f)})" if round(e, 3) or round(f, 3) else ""
        if a == d == 1:
            return moved
        factors = (a,) if a == d else (a, d)
        return f"{moved}scale({' '.join(map(factor, factors))})"
    return f"matrix({' '.join([*map(factor, (a, b, c, d)), short(e), short(f)])})"


def factor(value: float) -> str:
    """A factor with six significant digits: art may come in units of any size."""
    text = f"{value:.6g}"
    return short(value, 10) if "e" in text else short(float(text), 10)


def label(number: int) -> str:
    """The id of a definition: a dot in it keeps it apart from the ids that people give."""
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return f"g.{digits}"


def _joined(numbers: Iterable[str]) -> str:
    out = ""
    for text in numbers:
        out += text if not out or text[0] == "-" else f" {text}"
    return out
