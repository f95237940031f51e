"""Values as CSS and SVG write them: lengths in all units as user units, colours in all notations, transforms."""

import colorsys
import math
import re
from functools import lru_cache
from typing import NamedTuple

from generator.errors import Unfit
from generator.model.drawing import Paint
from generator.model.geometry import IDENTITY, Matrix, times

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([A-Za-z]+|%)?\s*\Z")
_FUNCTION = re.compile(r"[\s,]*([A-Za-z0-9]+)\s*\(([^()]*)\)")
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_COLOUR_FUNCTION = re.compile(r"(rgba?|hsla?)\(\s*([^()]*?)\s*\)\Z", re.IGNORECASE)
_ANGLE = re.compile(rf"\s*({NUMBER.pattern})\s*(deg|rad|grad|turn)?\s*\Z")
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
    value, unit = float(match[1]), (match[2] or "").lower()
    if unit == "%":
        value *= measure.along(axis) / 100
    elif unit in ("em", "rem"):
        value *= measure.em
    elif unit in ("ex", "ch"):
        value *= measure.em / 2
    elif unit in UNITS:
        value *= UNITS[unit]
    else:
        raise Unfit(f"'{text.strip()[:40]}' has an unknown unit")
    if not -_LARGEST < value < _LARGEST:
        raise Unfit(f"'{text.strip()[:40]}' is too large")
    return value


def lengths(text: str, measure: Measure, axis: str = "") -> list[float]:
    """Lengths separated by spaces or commas."""
    return [length(word, measure, axis) for word in re.split(r"[\s,]+", text.strip()) if word]


def numbers(text: str) -> list[float]:
    """All numbers at the beginning of a text, separated by spaces or commas, up to what is none."""
    found: list[float] = []
    at = 0
    while True:
        while at < len(text) and text[at] in " \t\r\n\f,":
            at += 1
        match = NUMBER.match(text, at)
        if match is None or abs(float(match[0])) > _LARGEST:
            return found
        found.append(float(match[0]))
        at = match.end()


def share(text: str) -> float:
    """A number or percentage, as a fraction from 0 to 1."""
    text = text.strip()
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    if not math.isfinite(value):
        raise Unfit(f"'{text}' is not a number")
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
        parts = [float(word[:-1]) * 2.55 if word.endswith("%") else float(word) for word in words[:3]]
    else:
        light, full = (share(word if word.endswith("%") else f"{word}%") for word in (words[2], words[1]))
        parts = [255 * part for part in colorsys.hls_to_rgb(_degrees(words[0]) / 360 % 1, light, full)]
    return Tint("#" + "".join([f"{round(min(255.0, max(0.0, part))):02x}" for part in parts]), alpha)


def _degrees(text: str) -> float:
    match = _ANGLE.match(text)
    if match is None:
        raise Unfit(f"'{text.strip()[:40]}' is not an angle")
    return float(match[1]) * _DEGREES[match[2] or "deg"]


def _turn(degrees: float) -> Matrix:
    sine = round(math.sin(math.radians(degrees)), 12) + 0.0
    cosine = round(math.cos(math.radians(degrees)), 12) + 0.0
    return (cosine, sine, -sine, cosine, 0.0, 0.0)


def shift(x: float, y: float) -> Matrix:
    """Moves by x and y."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def transform(text: str, measure: Measure) -> Matrix:
    """The matrix of a list of transforms, as SVG's attribute or CSS writes it; Unfit where it is malformed."""
    result, at = IDENTITY, 0
    text = text.strip()
    while text[at:].strip(" \t\r\n,"):
        match = _FUNCTION.match(text, at)
        if match is None:
            raise Unfit(f"'{text[at : at + 20]}' is not a transform")
        result = times(result, _one(match[1].lower(), match[2], measure))
        at = match.end()
    if not all(abs(part) < _LARGEST for part in result):
        raise Unfit("the transform is too large")
    return result


def _one(name: str, inner: str, measure: Measure) -> Matrix:
    words = [word for word in re.split(r"[\s,]+", inner.strip()) if word]
    if name == "matrix":
        values = numbers(inner)
        if len(values) == 6:
            return (values[0], values[1], values[2], values[3], values[4], values[5])
    elif name == "translate" and len(words) in (1, 2):
        return shift(length(words[0], measure, "x"), length(words[1], measure, "y") if len(words) == 2 else 0.0)
    elif name in ("translatex", "translatey") and len(words) == 1:
        away = length(words[0], measure, name[-1])
        return shift(away, 0.0) if name == "translatex" else shift(0.0, away)
    elif name == "scale" and len(words) in (1, 2):
        across, down = float(words[0]), float(words[-1])
        return (across, 0.0, 0.0, down, 0.0, 0.0)
    elif name in ("scalex", "scaley") and len(words) == 1:
        by = float(words[0])
        return (by, 0.0, 0.0, 1.0, 0.0, 0.0) if name == "scalex" else (1.0, 0.0, 0.0, by, 0.0, 0.0)
    elif name == "rotate" and len(words) in (1, 3):
        turn = _turn(_degrees(words[0]))
        if len(words) == 1:
            return turn
        x, y = length(words[1], measure, "x"), length(words[2], measure, "y")
        return times(times(shift(x, y), turn), shift(-x, -y))
    elif name == "skewx" and len(words) == 1:
        return (1.0, 0.0, math.tan(math.radians(_degrees(words[0]))), 1.0, 0.0, 0.0)
    elif name == "skewy" and len(words) == 1:
        return (1.0, math.tan(math.radians(_degrees(words[0]))), 0.0, 1.0, 0.0, 0.0)
    elif name == "skew" and len(words) in (1, 2):
        down = math.tan(math.radians(_degrees(words[1]))) if len(words) == 2 else 0.0
        return (1.0, down, math.tan(math.radians(_degrees(words[0]))), 1.0, 0.0, 0.0)
    raise Unfit(f"'{name}({inner.strip()[:20]})' is not a transform")


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
