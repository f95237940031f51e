"""Reads the values of attributes: numbers, lengths, transforms, view boxes; a bad one is a ValueError with the why."""

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from generator import units
from generator.errors import Unfit, did_you_mean
from generator.model.geometry import IDENTITY, Matrix, times
from generator.model.path_data import FURTHEST, NUMBER

_SEPARATOR = re.compile(r"\s*,?\s*")
_FUNCTION = re.compile(r"\s*,?\s*([A-Za-z]+)\s*\(([^()]*)\)")

Value = TypeVar("Value")

Box = tuple[float, float, float, float]


@lru_cache(maxsize=4096)
def length(text: str) -> float:
    """A length in mm, as in `generator.units`."""
    return within(units.length(text), text)


def within(value: float, text: str) -> float:
    """The value, if it is a sensible number of mm."""
    if not -FURTHEST <= value <= FURTHEST:
        raise Unfit(f"'{text.strip()}' is too large")
    return value


def plain_number(text: str) -> float:
    """A number without a unit."""
    match = NUMBER.fullmatch(text.strip())
    if not match:
        raise Unfit(f"'{text}' is not a number")
    return within(float(match[0]), text)


@lru_cache(maxsize=4096)
def numbers(text: str) -> tuple[float, ...]:
    """Numbers separated by spaces or commas."""
    found: list[float] = []
    position, text = 0, text.strip()
    while position < len(text):
        match = NUMBER.match(text, position)
        if not match:
            raise Unfit(f"'{text[position : position + 12]}' is not a number")
        found.append(within(float(match[0]), match[0]))
        position = match.end()
        separator = _SEPARATOR.match(text, position)
        position = separator.end() if separator and separator.end() < len(text) else position
        if separator and separator.end() == len(text) and position < len(text):
            raise Unfit(f"'{text[position:].strip()}' is not a number")
    return tuple(found)


_WORDS_OF_CSS = {"center": "middle", "left": "start", "right": "end"}


def choice(values: Mapping[str, Value]) -> Callable[[str], Value]:
    """A reader that takes one of the given words to what it stands for."""

    def read(text: str) -> Value:
        if text not in values:
            raise Unfit(f"'{text}' is not one of them", did_you_mean(_WORDS_OF_CSS.get(text, text), values))
        return values[text]

    return read


def ratio(text: str) -> float:
    """A fraction, plain or in percent."""
    text = text.strip()
    return plain_number(text[:-1]) / 100 if text.endswith("%") else plain_number(text)


def _matrix(*values: float) -> Matrix:
    a, b, c, d, e, f = values
    return (a, b, c, d, e, f)


def _translate(x: float, y: float = 0.0) -> Matrix:
    return (1.0, 0.0, 0.0, 1.0, x, y)


def _scale(x: float, y: float | None = None) -> Matrix:
    return (x, 0.0, 0.0, x if y is None else y, 0.0, 0.0)


def _rotate(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    # Quarter turns come out exact, so that equal turns are equal matrices.
    sine = round(math.sin(math.radians(degrees)), 12) + 0.0
    cosine = round(math.cos(math.radians(degrees)), 12) + 0.0
    turn = (cosine, sine, -sine, cosine, 0.0, 0.0)
    return turn if not x and not y else times(times(_translate(x, y), turn), _translate(-x, -y))


def _skew_x(degrees: float) -> Matrix:
    return (1.0, 0.0, math.tan(math.radians(degrees)), 1.0, 0.0, 0.0)


def _skew_y(degrees: float) -> Matrix:
    return (1.0, math.tan(math.radians(degrees)), 0.0, 1.0, 0.0, 0.0)


_TRANSFORMS: dict[str, tuple[Callable[..., Matrix], tuple[int, ...]]] = {
    "matrix": (_matrix, (6,)),
    "translate": (_translate, (1, 2)),
    "scale": (_scale, (1, 2)),
    "rotate": (_rotate, (1, 3)),
    "skewX": (_skew_x, (1,)),
    "skewY": (_skew_y, (1,)),
}


@lru_cache(maxsize=4096)
def transform(text: str) -> Matrix:
    """The matrix of an SVG transform list, the leftmost function outermost."""
    result, position = IDENTITY, 0
    while text[position:].strip():
        match = _FUNCTION.match(text, position)
        if not match:
            raise Unfit(f"'{text[position:].strip()[:20]}' is not a transform", "write e.g. translate(3 4) rotate(90)")
        if match[1] not in _TRANSFORMS:
            raise Unfit(f"there is no transform '{match[1]}'", did_you_mean(match[1], _TRANSFORMS))
        make, counts = _TRANSFORMS[match[1]]
        values = numbers(match[2])
        if len(values) not in counts:
            takes = " or ".join(map(str, counts))
            raise Unfit(f"{match[1]} takes {takes} number{'' if takes == '1' else 's'}, not {len(values)}")
        result = times(result, make(*values))
        position = match.end()
    if any(abs(value) > FURTHEST for value in result):
        raise Unfit(f"the transform '{text}' is too large")
    return result


@lru_cache(maxsize=512)
def view_box(text: str) -> Box:
    """x, y, width, height of a viewBox; both sides larger than nothing."""
    values = numbers(text)
    if len(values) != 4 or values[2] <= 0 or values[3] <= 0:
        raise Unfit(f"'{text}' is not 'x y width height' with both sides above 0")
    return (values[0], values[1], values[2], values[3])


@lru_cache(maxsize=512)
def aspect(text: str) -> str:
    """`none`, `meet` or `slice` of a preserveAspectRatio."""
    words = text.split()
    if words == ["none"]:
        return "none"
    if words[:1] == ["xMidYMid"] and words[1:] in ([], ["meet"], ["slice"]):
        return words[1] if len(words) == 2 else "meet"
    raise Unfit(f"'{text}' is not supported", "use 'none', 'xMidYMid meet' or 'xMidYMid slice'")


FITS = {"contain": "meet", "cover": "slice", "stretch": "none"}
"""How a picture is fitted into its box, in plain words, as `aspect` has it."""

_SIDES = {"left": (0.0, None), "right": (1.0, None), "top": (None, 0.0), "bottom": (None, 1.0), "center": (None, None)}


def focus(text: str) -> tuple[float, float]:
    """A point of a picture, as fractions of its width and height: `30% 20%`, or words such as `top left`."""
    words = text.split()
    if all(word in _SIDES for word in words) and 0 < len(words) <= 2:
        across = [side[0] for side in map(_SIDES.__getitem__, words) if side[0] is not None]
        down = [side[1] for side in map(_SIDES.__getitem__, words) if side[1] is not None]
        if len(across) < 2 and len(down) < 2:
            return next(iter(across), 0.5), next(iter(down), 0.5)
    elif len(words) == 2 and all(word.endswith("%") for word in words):
        x, y = map(ratio, words)
        if 0 <= x <= 1 and 0 <= y <= 1:
            return x, y
    raise Unfit(f"'{text}' is not a point of a picture", "write how far across and down it lies: 30% 20%, or top left")


def fitted(inner: Box, outer: Box, how: str, kept: tuple[float, float] = (0.5, 0.5)) -> Matrix:
    """The matrix that puts the box `inner` into the box `outer`, centred; `how` as from `aspect`.

    What is cut off leaves the point `kept` (fractions of `inner`) as near to the middle as can be.
    """
    across, down = outer[2] / inner[2], outer[3] / inner[3]
    if how != "none":
        across = down = (max if how == "slice" else min)(across, down)
    x = outer[0] + _before(outer[2], inner[2] * across, kept[0]) - inner[0] * across
    y = outer[1] + _before(outer[3], inner[3] * down, kept[1]) - inner[1] * down
    return (across, 0.0, 0.0, down, x, y)


def _before(room: float, takes: float, kept: float) -> float:
    """Where what takes so much begins in the room, so that the fraction `kept` of it is in the middle if it may be."""
    if takes <= room or kept == 0.5:
        return (room - takes) / 2
    return min(0.0, max(room - takes, room / 2 - kept * takes))


def fills(inner: Box, outer: Box, matrix: Matrix) -> bool:
    """Whether `fitted` made the two boxes coincide."""
    return abs(inner[2] * matrix[0] - outer[2]) < 1e-6 and abs(inner[3] * matrix[3] - outer[3]) < 1e-6
