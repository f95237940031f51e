"""Values of SVG attributes: numbers, lengths, colours, transforms, boxes."""

import math
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple, TypeVar

from generator.base.display_list import Paint
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import MM_PER_INCH, MM_PER_PT, NUMBER, Matrix, read_transform, scan_numbers
from generator.base.path_data import FURTHEST

Value = TypeVar("Value")

Box = tuple[float, float, float, float]
"""x, y, width and height."""

LARGEST = 1e9
"""Limit of numbers in art files, whose user unit can be of any size."""

_MOST_CHARACTERS = 2_000_000
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([A-Za-z]+|%)?\s*\Z")
_UNITS = {
    "mm": {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT, "pc": 12 * MM_PER_PT, "q": 0.25},
    "px": {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0, "q": 96 / 101.6},
}
"""User units in each unit. A number without a unit and a px are one: a mm in templates, 1/96 inch in art files."""

_ACROSS = frozenset(["x", "width", "cx", "rx", "x1", "x2", "fx", "dx"])
_DOWN = frozenset(["y", "height", "cy", "ry", "y1", "y2", "fy", "dy"])


class LengthBasis(NamedTuple):
    """What lengths are relative to: the font's size and the viewport's sides, in user units, which are `mm` or `px`."""

    em: float = 16.0
    width: float = 100.0
    height: float = 100.0
    units: str = "px"

    def find_percentage_base(self, axis: str) -> float:
        """Return the base of a percentage: the width for `x`, the height for `y`, otherwise the diagonal."""
        if axis == "x":
            return self.width
        return self.height if axis == "y" else math.sqrt((self.width**2 + self.height**2) / 2)


MM = LengthBasis(8 * MM_PER_PT, units="mm")
"""The basis of templates, without the size of a card."""


def find_axis(name: str) -> str:
    """Return the axis (`x`, `y` or neither) to which percentages of an attribute refer."""
    return "x" if name in _ACROSS else "y" if name in _DOWN else ""


@lru_cache(maxsize=4096)
def parse_length(text: str, basis: LengthBasis = MM, axis: str = "") -> float:
    """Return a length in user units; % is of `axis` (`x`, `y`, ""). Raise InvalidInput if it is not a length."""
    match = _LENGTH.match(text)
    if match is None:
        raise InvalidInput(f"'{text.strip()[:40]}' is not a length")
    return convert_length(float(match[1]), match[2] or "", basis, axis)


def convert_length(number: float, given: str, basis: LengthBasis, axis: str = "") -> float:
    """Return a number with the unit `given` in user units; % is of `axis` (`x`, `y`, ""). Else raise InvalidInput."""
    unit = given.lower()
    if unit == "%":
        value = number * basis.find_percentage_base(axis) / 100
    elif unit in ("em", "rem"):
        value = number * basis.em
    elif unit in ("ex", "ch"):
        value = number * basis.em / 2
    elif unit in ("", "px"):
        value = number
    elif unit in _UNITS[basis.units]:
        value = number * _UNITS[basis.units][unit]
    else:
        what = f"'{number:g}{given[:20]}' has the unknown unit '{given[:20]}'"
        raise InvalidInput(what, "use mm, cm, in, pt, px, em or %")
    most = FURTHEST if basis.units == "mm" else LARGEST
    if not -most <= value <= most:
        raise InvalidInput(f"'{number:.15g}{given}' is too large")
    return value


def parse_lengths(text: str, basis: LengthBasis, axis: str = "") -> list[float]:
    """Return lengths, between spaces or commas, in user units; % is of `axis`. Raise InvalidInput if one is invalid."""
    found, rest = scan_numbers(text)
    if rest:
        raise InvalidInput(f"'{rest[:40]}' is not a length")
    return [convert_length(value, unit, basis, axis) for value, unit in found]


def parse_number(text: str, most: float = FURTHEST) -> float:
    """Return a number without a unit. Raise InvalidInput if it is invalid or beyond `most`."""
    if not NUMBER.fullmatch(text.strip()):
        raise InvalidInput(f"'{text.strip()[:40]}' is not a number")
    return _check_range(float(text), most)


def _check_range(value: float, most: float) -> float:
    if not -most <= value <= most:
        raise InvalidInput(f"'{value:g}' is too large")
    return value


@lru_cache(maxsize=4096)
def parse_numbers(text: str) -> tuple[float, ...]:
    """Return numbers separated by spaces, commas or nothing. Raise InvalidInput if one is invalid."""
    if len(text) > _MOST_CHARACTERS:
        raise InvalidInput(f"more than {_MOST_CHARACTERS:,} characters are too many", "simplify the drawing")
    found, rest = scan_numbers(text)
    values = [_check_range(value, FURTHEST) for value, unit in found if not unit]
    if rest or len(values) < len(found):
        wrong = next((unit for _, unit in found if unit), "") + rest
        raise InvalidInput(f"'{wrong[:12]}' is not a number")
    return tuple(values)


def list_numbers(text: str) -> list[float]:
    """Return the numbers at the start of a text, up to the first one that is invalid or too large."""
    return [
        value for value, _ in takewhile(lambda found: not found[1] and abs(found[0]) <= LARGEST, scan_numbers(text)[0])
    ]


def parse_ratio(text: str) -> float:
    """Return a fraction, given as a number or in percent. Raise InvalidInput for others."""
    text = text.strip()
    return parse_number(text[:-1]) / 100 if text.endswith("%") else parse_number(text)


def parse_share(text: str) -> float:
    """Return a number or percentage as a fraction, limited to 0 and 1. Raise InvalidInput for others."""
    return min(1.0, max(0.0, parse_ratio(text)))


_WORDS_OF_CSS = {"center": "middle", "left": "start", "right": "end"}


def read_choice(values: Mapping[str, Value]) -> Callable[[str], Value]:
    """Return a reader that converts one of the given words to its value. It raises InvalidInput for others."""

    def read(text: str) -> Value:
        if text not in values:
            raise InvalidInput(f"'{text}' is not a valid value", did_you_mean(_WORDS_OF_CSS.get(text, text), values))
        return values[text]

    return read


def read_name(noun: str, names: Collection[str]) -> Callable[[str], str]:
    """Return a reader that accepts one of the names. Its error calls any other text an unknown `noun`."""

    def read(text: str) -> str:
        if text not in names:
            raise InvalidInput(f"unknown {noun} '{text}'", did_you_mean(text, names))
        return text

    return read


# Colours


class AlphaColour(NamedTuple):
    """A paint and its opacity, 0 to 1."""

    paint: Paint
    alpha: float = 1.0


BLACK = AlphaColour("#000000")
_COLOURS = {"black": BLACK, "white": AlphaColour("#ffffff"), "transparent": AlphaColour("#000000", 0.0)}
_HEX = r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\Z"
_COLOUR_FUNCTION = r"(rgba?|hsla?)\(\s*([^()]*?)\s*\)\Z"


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> AlphaColour | None:
    """Return a CSS colour by its name or numbers, or None if it is not a colour."""
    text = text.strip().lower()
    if text in _COLOURS:
        return _COLOURS[text]
    if re.match(_HEX, text):
        digits = text[1:]
        if len(digits) <= 4:
            digits = "".join([digit * 2 for digit in digits])
        return AlphaColour(f"#{digits[:6]}", int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0)
    match = re.match(_COLOUR_FUNCTION, text)
    if match:
        try:
            return _parse_colour_numbers(match[1], [word for word in re.split(r"[\s,/]+", match[2]) if word])
        except ValueError:
            return None
    if not text.isalpha():
        return None
    from PIL import ImageColor  # few files name colours

    if text not in ImageColor.colormap:
        return None
    # Not from the table itself: Pillow puts other values into it for names that anything has asked for.
    return AlphaColour("#" + "".join([f"{part:02x}" for part in ImageColor.getrgb(text)]))


def _parse_colour_numbers(kind: str, words: list[str]) -> AlphaColour | None:
    if len(words) not in (3, 4):
        return None
    alpha = parse_share(words[3]) if len(words) == 4 else 1.0
    if kind.startswith("rgb"):
        parts = [parse_number(word[:-1]) * 2.55 if word.endswith("%") else parse_number(word) for word in words[:3]]
    else:
        light, full = (parse_share(word if word.endswith("%") else f"{word}%") for word in (words[2], words[1]))
        from colorsys import hls_to_rgb

        parts = [255 * part for part in hls_to_rgb(parse_angle(words[0]) / 360 % 1, light, full)]
    return AlphaColour("#" + "".join([f"{round(min(255.0, max(0.0, part))):02x}" for part in parts]), alpha)


# Transforms

_DEGREES = {"": 1.0, "deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}


def parse_angle(text: str) -> float:
    """Return an angle in degrees. Raise InvalidInput if the text is not an angle."""
    found, rest = scan_numbers(text)
    if len(found) != 1 or rest:
        raise InvalidInput(f"'{text.strip()[:40]}' is not an angle")
    return _convert_angle(*found[0])


def _convert_angle(value: float, unit: str) -> float:
    if unit.lower() not in _DEGREES:
        raise InvalidInput(f"'{value:g}{unit[:20]}' is not an angle")
    return _check_range(value, LARGEST) * _DEGREES[unit.lower()]


@lru_cache(maxsize=4096)
def parse_transform(text: str, basis: LengthBasis = MM) -> Matrix:
    """Return the matrix of a transform list in SVG or CSS syntax, the leftmost function outermost."""

    def resolve(value: float, unit: str, kind: str) -> float:
        if kind == "a":
            return _convert_angle(value, unit)
        if kind in "xy":
            return convert_length(value, unit, basis, kind)
        if unit:
            raise InvalidInput(f"'{unit[:20]}' is not a number")
        return _check_range(value, LARGEST)

    result = read_transform(text, resolve)
    most = FURTHEST if basis.units == "mm" else LARGEST
    if not all(abs(value) <= most for value in result):
        raise InvalidInput(f"the transform '{text[:40]}' is too large")
    return result


# Boxes


@lru_cache(maxsize=512)
def parse_view_box(text: str) -> Box:
    """Return x, y, width, height of a viewBox. Raise InvalidInput unless both sides are above zero."""
    values = parse_numbers(text)
    if len(values) != 4 or values[2] <= 0 or values[3] <= 0:
        raise InvalidInput(f"'{text}' is not 'x y width height' with both sides above 0")
    return (values[0], values[1], values[2], values[3])


class Aspect(NamedTuple):
    """How a box is fitted into another: its position in spare room (0 to 1), and `meet`, `slice` or `none`."""

    x: float = 0.5
    y: float = 0.5
    how: str = "meet"


MEET = Aspect()
_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ASPECT = re.compile(r"(?:defer\s+)?(?:x(Min|Mid|Max)Y(Min|Mid|Max)|none)(?:\s+(meet|slice))?")


@lru_cache(maxsize=512)
def parse_aspect(text: str) -> Aspect:
    """Return a preserveAspectRatio. Raise InvalidInput if it is malformed."""
    match = _ASPECT.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f"'{text}' is not supported", "use 'none', 'xMidYMid meet' or 'xMidYMid slice'")
    if match[1] is None:
        return Aspect(how="none")
    return Aspect(_ALIGN[match[1]], _ALIGN[match[2]], match[3] or "meet")


FITS = {"contain": MEET, "cover": Aspect(how="slice"), "stretch": Aspect(how="none")}
"""Plain words for fitting a picture into its box."""

_SIDES = {"left": (0.0, None), "right": (1.0, None), "top": (None, 0.0), "bottom": (None, 1.0), "center": (None, None)}


def parse_focus(text: str) -> tuple[float, float]:
    """Return a point of a picture as fractions of its size, from `30% 20%` or words such as `top left`."""
    words = text.split()
    if all(word in _SIDES for word in words) and 0 < len(words) <= 2:
        across = [side[0] for side in map(_SIDES.__getitem__, words) if side[0] is not None]
        down = [side[1] for side in map(_SIDES.__getitem__, words) if side[1] is not None]
        if len(across) < 2 and len(down) < 2:
            return next(iter(across), 0.5), next(iter(down), 0.5)
    elif len(words) == 2 and all(word.endswith("%") for word in words):
        x, y = map(parse_ratio, words)
        if 0 <= x <= 1 and 0 <= y <= 1:
            return x, y
    what = f"'{text}' is not a position in a picture"
    raise InvalidInput(what, "write two percentages, across and down, such as 30% 20%, or words such as top left")


def fit_box(inner: Box, outer: Box, aspect: Aspect = MEET, focus: tuple[float, float] = (0.5, 0.5)) -> Matrix:
    """Return the matrix that fits `inner` into `outer`. If that cuts, `focus` (fractions of `inner`) stays central."""
    across, down = outer[2] / inner[2], outer[3] / inner[3]
    if aspect.how != "none":
        across = down = (max if aspect.how == "slice" else min)(across, down)
    x = outer[0] + _compute_offset(outer[2], inner[2] * across, aspect.x, focus[0]) - inner[0] * across
    y = outer[1] + _compute_offset(outer[3], inner[3] * down, aspect.y, focus[1]) - inner[1] * down
    return (across, 0.0, 0.0, down, x, y)


def _compute_offset(room: float, takes: float, align: float, kept: float) -> float:
    """Return where a side begins in its room: aligned if it fits, else with the fraction `kept` near the middle."""
    if takes <= room or kept == 0.5:
        return (room - takes) * align
    return min(0.0, max(room - takes, room / 2 - kept * takes))


def is_filling_box(inner: Box, outer: Box, matrix: Matrix) -> bool:
    """Return True if the inner box, scaled by the matrix, is as wide and as high as the outer box."""
    return abs(inner[2] * matrix[0] - outer[2]) < 1e-6 and abs(inner[3] * matrix[3] - outer[3]) < 1e-6
