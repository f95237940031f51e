"""Matrices and boxes of a page: PDF points in, millimetres from the page's top left corner out, y down, as viewed."""

from collections.abc import Iterable
from math import hypot, inf, isfinite
from typing import Any

from generator.dataclass import dataclass
from generator.model.geometry import Matrix, times
from generator.units import MM_PER_PT

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

EVERYWHERE: Box = (-inf, -inf, inf, inf)


def figure(value: Any) -> float:
    """A number of a PDF as float; ValueError when it is none or not finite."""
    found = float(value)
    if not isfinite(found):
        raise ValueError(f"{value} is not a usable number")
    return found


def matrix_of(values: Any) -> Matrix:
    """Six numbers of a PDF as a matrix; ValueError for anything else."""
    a, b, c, d, e, f = (figure(value) for value in values)
    return (a, b, c, d, e, f)


def chain(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that does `first`, then `then`; OverflowError where numbers leave every bound."""
    made = times(then, first)
    if not isfinite(sum(made)):
        raise OverflowError("a matrix leaves every bound")
    return made


def move_box(box: Box, by: Matrix) -> Box:
    """The smallest upright box around a box through a matrix."""
    a, b, c, d, e, f = by
    x0, y0, x1, y1 = box
    if b == 0 == c:
        left, right = a * x0 + e, a * x1 + e
        top, bottom = d * y0 + f, d * y1 + f
        return (min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    xs = (a * x0 + c * y0, a * x1 + c * y0, a * x0 + c * y1, a * x1 + c * y1)
    ys = (b * x0 + d * y0, b * x1 + d * y0, b * x0 + d * y1, b * x1 + d * y1)
    return (min(xs) + e, min(ys) + f, max(xs) + e, max(ys) + f)


def intersection(one: Box, other: Box) -> Box | None:
    """What two boxes share (touching counts: a line has no height), None when they lie apart."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left <= right and top <= bottom else None


def upright(by: Matrix) -> bool:
    """Whether a matrix leaves upright boxes upright."""
    return by[1] == 0 == by[2] or by[0] == 0 == by[3]


def scales(by: Matrix) -> tuple[float, float]:
    """How much longer a matrix makes lengths along x and along y."""
    return hypot(by[0], by[1]), hypot(by[2], by[3])


def scale(by: Matrix) -> float:
    """How much thinner a pen may become through a matrix: its smaller stretch."""
    return min(scales(by))


def points_box(values: Iterable[Any]) -> Box:
    """A PDF rectangle with its corners in order, points; ValueError when it isn't four numbers."""
    x0, y0, x1, y1 = (figure(value) for value in values)
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


@dataclass(frozen=True, slots=True)
class PageView:
    """How a page is looked at: `base` brings points to mm from its top left corner, `size` is mm across and down."""

    base: Matrix
    size: tuple[float, float]


def view(media: Box, rotate: int, unit: float) -> PageView:
    """The view of a page with this MediaBox, turned clockwise by a multiple of 90 degrees, a `unit` points long."""
    left, low, right, high = media
    s = MM_PER_PT * unit
    width, height = (right - left) * s, (high - low) * s
    if rotate == 90:
        return PageView((0.0, s, s, 0.0, -low * s, -left * s), (height, width))
    if rotate == 180:
        return PageView((-s, 0.0, 0.0, s, right * s, -low * s), (width, height))
    if rotate == 270:
        return PageView((0.0, -s, -s, 0.0, high * s, right * s), (height, width))
    return PageView((s, 0.0, 0.0, -s, -left * s, high * s), (width, height))
