"""Reads the values of attributes: numbers, lengths, transforms, view boxes; a bad one is a ValueError with the why."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from generator import units
from generator.errors import Unfit, did_you_mean
from generator.model.geometry import Matrix, read_transform
from generator.model.path_data import FURTHEST

_MOST_CHARACTERS = 2_000_000

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
    match = units.NUMBER.fullmatch(text.strip())
    if not match:
        raise Unfit(f"'{text}' is not a number")
    return within(float(match[0]), text)


@lru_cache(maxsize=4096)
def numbers(text: str) -> tuple[float, ...]:
    """Numbers separated by spaces, commas or nothing, as in `units.scan_numbers`."""
    if len(text) > _MOST_CHARACTERS:
        raise Unfit(f"more than {_MOST_CHARACTERS:,} characters are too many", "simplify the drawing")
    found, rest = units.scan_numbers(text)
    values = [within(value, str(value)) for value, unit in found if not unit]
    if rest or len(values) < len(found):
        wrong = next((unit for _, unit in found if unit), "") + rest
        raise Unfit(f"'{wrong[:12]}' is not a number")
    return tuple(values)


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


@lru_cache(maxsize=4096)
def transform(text: str) -> Matrix:
    """The matrix of an SVG transform list, the leftmost function outermost."""
    result = read_transform(text)
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
