"""Values as CSS and SVG write them: lengths in all units as user units, colours in all notations, transforms."""

import colorsys
import math
import re
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from generator.errors import Unfit
from generator.model.drawing import Paint
from generator.model.geometry import Matrix, read_transform
from generator.units import NUMBER, scan_numbers

_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([A-Za-z]+|%)?\s*\Z")
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_COLOUR_FUNCTION = re.compile(r"(rgba?|hsla?)\(\s*([^()]*?)\s*\)\Z", re.IGNORECASE)
_DEGREES = {"deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}
_LARGEST = 1e9

UNITS = {
    "": 1.0,
    "px": 1.0,
    "pt": 96 / 72,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
    "q": 96 / 101.6,
}
"""User units in each: a pixel is one, and an inch has 96."""


class Measure(NamedTuple):
    """What lengths are relative to: the font's size, and the viewport's sides, all in user units."""

    em: float = 16.0
    width: float = 100.0
    height: float = 100.0

    def along(self, axis: str) -> float:
        """What a percentage is of: `x` the width, `y` the height, anything else the diagonal."""
        if axis == "x":
            return self.width
        return self.height if axis == "y" else math.sqrt((self.width**2 + self.height**2) / 2)


def length(text: str, measure: Measure, axis: str = "") -> float:
    """A length in user units; Unfit where it is none."""
    match = _LENGTH.match(text)
    if match is None:
        raise Unfit(f"'{text.strip()[:40]}' is not a length")
    return _in_user_units(float(match[1]), match[2] or "", measure, axis)


def _in_user_units(number: float, given: str, measure: Measure, axis: str) -> float:
    value, unit = number, given.lower()
    if unit == "%":
        value *= measure.along(axis) / 100
    elif unit in ("em", "rem"):
        value *= measure.em
    elif unit in ("ex", "ch"):
        value *= measure.em / 2
    elif unit in UNITS:
        value *= UNITS[unit]
    else:
        raise Unfit(f"'{number:g}{given[:20]}' has an unknown unit")
    if not -_LARGEST < value < _LARGEST:
        raise Unfit(f"'{number:g}{given}' is too large")
    return value


def lengths(text: str, measure: Measure, axis: str = "") -> list[float]:
    """Lengths separated as numbers are in SVG; Unfit where one is none."""
    found, rest = scan_numbers(text)
    if rest:
        raise Unfit(f"'{rest[:40]}' is not a length")
    return [_in_user_units(value, unit, measure, axis) for value, unit in found]


def numbers(text: str) -> list[float]:
    """All numbers at the beginning of a text, up to what is none or too large."""
    return [
        value for value, _ in takewhile(lambda found: not found[1] and abs(found[0]) <= _LARGEST, scan_numbers(text)[0])
    ]


def number_of(text: str) -> float:
    """A number alone; Unfit where it is none, or too large."""
    found = numbers(text)
    if len(found) != 1 or not NUMBER.fullmatch(text.strip()):
        raise Unfit(f"'{text.strip()[:40]}' is not a number")
    return found[0]


def share(text: str) -> float:
    """A number or percentage, as a fraction from 0 to 1."""
    text = text.strip()
    value = number_of(text[:-1]) / 100 if text.endswith("%") else number_of(text)
    return min(1.0, max(0.0, value))


class Tint(NamedTuple):
    """A paint and how much of it covers, 0 to 1."""

    paint: Paint
    alpha: float = 1.0


BLACK = Tint("#000000")


@lru_cache(maxsize=4096)
def colour(text: str) -> Tint | None:
    """A colour by its name or numbers; None where it is no colour of CSS."""
    text = text.strip()
    lower = text.lower()
    if lower == "transparent":
        return Tint("#000000", 0.0)
    if _HEX.match(text):
        digits = lower[1:]
        if len(digits) <= 4:
            digits = "".join([digit * 2 for digit in digits])
        return Tint(f"#{digits[:6]}", int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0)
    match = _COLOUR_FUNCTION.match(text)
    if match:
        try:
            return _by_numbers(match[1].lower(), [word for word in re.split(r"[\s,/]+", match[2]) if word])
        except ValueError:
            return None
    from PIL import ImageColor

    if lower not in ImageColor.colormap:
        return None
    # Not from the table itself: Pillow puts other values into it for names that anything has asked for.
    return Tint("#" + "".join([f"{part:02x}" for part in ImageColor.getrgb(lower)]))


def _by_numbers(kind: str, words: list[str]) -> Tint | None:
    if len(words) not in (3, 4):
        return None
    alpha = share(words[3]) if len(words) == 4 else 1.0
    if kind.startswith("rgb"):
        parts = [number_of(word[:-1]) * 2.55 if word.endswith("%") else number_of(word) for word in words[:3]]
    else:
        light, full = (share(word if word.endswith("%") else f"{word}%") for word in (words[2], words[1]))
        parts = [255 * part for part in colorsys.hls_to_rgb(degrees_of(words[0]) / 360 % 1, light, full)]
    return Tint("#" + "".join([f"{round(min(255.0, max(0.0, part))):02x}" for part in parts]), alpha)


def degrees_of(text: str) -> float:
    """An angle in degrees; Unfit where it is none."""
    found, rest = scan_numbers(text)
    if len(found) != 1 or rest:
        raise Unfit(f"'{text.strip()[:40]}' is not an angle")
    return _resolved(*found[0], "a", Measure())


def _resolved(value: float, unit: str, kind: str, measure: Measure) -> float:
    """A number of a transform with its unit, in degrees or user units."""
    if not abs(value) <= _LARGEST:
        raise Unfit(f"'{value:g}' is too large")
    if kind == "a":
        if (unit or "deg").lower() not in _DEGREES:
            raise Unfit(f"'{value:g}{unit[:20]}' is not an angle")
        return value * _DEGREES[(unit or "deg").lower()]
    if kind in "xy":
        return _in_user_units(value, unit, measure, kind)
    if unit:
        raise Unfit(f"'{value:g}{unit[:20]}' is not a number")
    return value


def transform(text: str, measure: Measure) -> Matrix:
    """The matrix of a list of transforms, as SVG's attribute or CSS writes it; Unfit where it is malformed."""
    result = read_transform(text, lambda value, unit, kind: _resolved(value, unit, kind, measure))
    if not all(abs(part) < _LARGEST for part in result):
        raise Unfit("the transform is too large")
    return result


_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ASPECT = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)\Z")


class Aspect(NamedTuple):
    """How a box is fitted into another: where it stands in spare room (0 to 1), and whether it is cut or stretched."""

    x: float = 0.5
    y: float = 0.5
    how: str = "meet"


def aspect(text: str) -> Aspect:
    """A preserveAspectRatio; the usual one where it is malformed."""
    words = [word for word in text.split() if word != "defer"]
    if words and words[0] == "none":
        return Aspect(how="none")
    match = _ASPECT.match(words[0]) if words else None
    if match is None:
        return Aspect()
    return Aspect(_ALIGN[match[1]], _ALIGN[match[2]], "slice" if words[1:2] == ["slice"] else "meet")


Box = tuple[float, float, float, float]


def fitted(inner: Box, outer: Box, how: Aspect) -> Matrix:
    """The matrix that puts one box into another; both have sides above 0."""
    across, down = outer[2] / inner[2], outer[3] / inner[3]
    if how.how != "none":
        across = down = (max if how.how == "slice" else min)(across, down)
    x = outer[0] + (outer[2] - inner[2] * across) * how.x - inner[0] * across
    y = outer[1] + (outer[3] - inner[3] * down) * how.y - inner[1] * down
    return (across, 0.0, 0.0, down, x, y)
