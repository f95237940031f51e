"""Points and matrices: where things are put, and how they are turned and scaled."""

import math
import re
from collections.abc import Callable
from typing import TypeAlias

from generator.errors import Unfit, did_you_mean
from generator.units import Rect, scan_numbers

Point: TypeAlias = tuple[float, float]

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""SVG's a b c d e f: x' = a x + c y + e, y' = b x + d y + f."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

QUARTER = 0.5522847498307936
"""How far a cubic's handle reaches along a quarter of a circle of radius 1."""


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that applies `inner` first and then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def map_point(matrix: Matrix, point: Point) -> Point:
    """Where the matrix takes a point."""
    a, b, c, d, e, f = matrix
    x, y = point
    return (a * x + c * y + e, b * x + d * y + f)


def map_box(matrix: Matrix, left: float, top: float, right: float, bottom: float) -> tuple[Point, Point]:
    """The smallest and the greatest coordinates of a box with these edges where the matrix takes it."""
    a, b, c, d, e, f = matrix
    if not b and not c:
        x, y, far, deep = a * left + e, d * top + f, a * right + e, d * bottom + f
        if x > far:
            x, far = far, x
        if y > deep:
            y, deep = deep, y
        return (x, y), (far, deep)
    xs = (a * left + c * top + e, a * right + c * top + e, a * left + c * bottom + e, a * right + c * bottom + e)
    ys = (b * left + d * top + f, b * right + d * top + f, b * left + d * bottom + f, b * right + d * bottom + f)
    return (min(xs), min(ys)), (max(xs), max(ys))


def inverse(matrix: Matrix) -> Matrix | None:
    """The matrix that undoes this one; None where it flattens everything onto a line."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    if abs(det) < 1e-12:
        return None
    return (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)


def scale_of(matrix: Matrix) -> float:
    """How much longer lengths become, on average over the directions: the root of the area's growth."""
    a, b, c, d, _, _ = matrix
    return math.sqrt(abs(a * d - b * c))


def turn_into_box(box: Rect, angle: int) -> Matrix:
    """Turns what lies at the origin clockwise by a multiple of 90 degrees and brings it into a box."""
    if angle == 90:
        return (0.0, 1.0, -1.0, 0.0, box.right, box.y)
    if angle == 180:
        return (-1.0, 0.0, 0.0, -1.0, box.right, box.bottom)
    if angle == 270:
        return (0.0, -1.0, 1.0, 0.0, box.x, box.bottom)
    return (1.0, 0.0, 0.0, 1.0, box.x, box.y)


def shift(x: float, y: float = 0.0) -> Matrix:
    """Return the matrix that moves by x and y."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def turn(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    """Return the matrix that turns about a point. Quarter turns are exact, so that equal turns are equal matrices."""
    sine = round(math.sin(math.radians(degrees)), 12) + 0.0
    cosine = round(math.cos(math.radians(degrees)), 12) + 0.0
    about = (cosine, sine, -sine, cosine, 0.0, 0.0)
    return about if not x and not y else times(times(shift(x, y), about), shift(-x, -y))


def _scale(x: float, y: float | None = None) -> Matrix:
    return (x, 0.0, 0.0, x if y is None else y, 0.0, 0.0)


def _skew(across: float, down: float = 0.0) -> Matrix:
    return (1.0, math.tan(math.radians(down)), math.tan(math.radians(across)), 1.0, 0.0, 0.0)


_TRANSFORMS: dict[str, tuple[Callable[..., Matrix], str, tuple[int, ...]]] = {
    "matrix": (lambda *values: values, "nnnnnn", (6,)),
    "translate": (shift, "xy", (1, 2)),
    "scale": (_scale, "nn", (1, 2)),
    "rotate": (turn, "axy", (1, 3)),
    "skewX": (_skew, "a", (1,)),
    "skewY": (lambda down: _skew(0.0, down), "a", (1,)),
    "skew": (_skew, "aa", (1, 2)),
    "translateX": (shift, "x", (1,)),
    "translateY": (lambda y: shift(0.0, y), "y", (1,)),
    "scaleX": (lambda x: _scale(x, 1.0), "n", (1,)),
    "scaleY": (lambda y: _scale(1.0, y), "n", (1,)),
}
"""The functions of SVG and CSS: what they do, what each number is (number, angle, length along x or y), how many."""

_LOWER = {name.lower(): name for name in _TRANSFORMS}
_FUNCTION = re.compile(r"\s*+,?\s*+([A-Za-z]+)\s*+\(([^()]*)\)")
_LONGEST = 100_000


def _plain(value: float, unit: str, kind: str) -> float:  # noqa: ARG001
    if unit:
        raise Unfit(f"'{unit}' is not a number")
    return value


def read_transform(text: str, resolve: Callable[[float, str, str], float] = _plain) -> Matrix:
    """Return the matrix of a list of transforms, the leftmost function outermost. Raise Unfit if it is malformed.

    `resolve` gets a number, its unit and its kind (`n` number, `a` angle, `x` or `y` length).
    """
    result, at = IDENTITY, 0
    if len(text) > _LONGEST:
        raise Unfit(f"the transform has more than {_LONGEST:,} characters", "apply it to the drawing")
    while match := _FUNCTION.match(text, at):
        result = times(result, _function(match[1], match[2], resolve))
        at = match.end()
    if rest := text[at:].strip(" \t\r\n\f,"):
        raise Unfit(f"'{rest[:20]}' is not a transform", "write e.g. translate(3 4) rotate(90)")
    return result


def _function(given: str, inner: str, resolve: Callable[[float, str, str], float]) -> Matrix:
    name = _LOWER.get(given.lower())
    if name is None:
        raise Unfit(f"there is no transform '{given[:20]}'", did_you_mean(given, _TRANSFORMS))
    make, kinds, counts = _TRANSFORMS[name]
    values, rest = scan_numbers(inner)
    if rest:
        raise Unfit(f"'{rest[:12]}' is not a number")
    if len(values) not in counts:
        takes = " or ".join(map(str, counts))
        raise Unfit(f"{name} takes {takes} number{'' if takes == '1' else 's'}, not {len(values)}")
    return make(*[resolve(value, unit, kind) for (value, unit), kind in zip(values, kinds, strict=False)])
