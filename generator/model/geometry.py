"""Points and matrices: where things are put, and how they are turned and scaled."""

import math
from typing import TypeAlias

from generator.units import Rect

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
