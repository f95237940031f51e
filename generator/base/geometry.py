"""Lengths, boxes, points, matrices, and the named sizes of cards and paper; all in mm."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from generator.base.errors import InvalidInput, did_you_mean
from generator.base.files import read_file

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH

_UNITS = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT, "Q": 0.25}
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([A-Za-z%]*)\s*")
_TOKEN = re.compile(rf"(?:\s*+,)?\s*+({NUMBER.pattern})(%|[A-Za-z]*+)")


def scan_numbers(text: str) -> tuple[list[tuple[float, str]], str]:
    """Return the numbers at the beginning of a text, each with its unit, and the rest of the text.

    As in SVG, spaces or one comma separate them, or nothing before a sign or a decimal point.
    """
    found: list[tuple[float, str]] = []
    text, at = text.strip(), 0
    while (match := _TOKEN.match(text, at)) and (found or match.start(1) == 0):
        found.append((float(match[1]), match[2]))
        at = match.end()
    return found, text[at:].lstrip()


def parse_mm(text: str | float) -> float:
    """Return the mm of `63`, `63mm`, `2.5in`, `7.5pt`, `6cm` or `32Q`. Raise ValueError for any other unit or form."""
    if isinstance(text, (int, float)):
        return float(text)
    match = _LENGTH.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is not a length")
    unit = match[2]
    if unit not in _UNITS:
        raise ValueError(f"'{text}' has the unknown unit '{unit}'; use mm, cm, in, pt or Q")
    return float(match[1]) * _UNITS[unit]


def parse_margins(text: str) -> "Margins":
    """Return the margins of one to four lengths, in the order of CSS. Raise ValueError for anything else."""
    several = len(text.split()) > 1  # compiling a pattern takes long, and most give one length
    lengths = [parse_mm(part) for part in (re.split(r"\s+(?=[-+.\d])", text.strip()) if several else [text])]
    if len(lengths) > 4 or min(lengths) < 0:
        fault = f"'{text}' has {len(lengths)} lengths" if len(lengths) > 4 else "a margin must not be negative"
        raise ValueError(f"{fault}; write 5mm, or top, right, bottom and left: 5mm 5mm 15mm 5mm")
    while len(lengths) < 4:  # a missing side is like the opposite one, and the right like the top
        lengths.append(lengths[max(len(lengths) - 2, 0)])
    return Margins(*lengths)


def format_num(value: float) -> str:
    """Return a number as people write it: 0.00001 and 1234567, where Python writes 1e-05 and 1.23457e+06."""
    text = f"{value:.15g}"
    tiny = text.partition("e-")[2]
    return f"{value:.{int(tiny) + 14}f}".rstrip("0") if tiny else text


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """Width and height in mm."""

    width: float
    height: float

    def swap_sides(self) -> "Size":
        """Return the size with width and height swapped."""
        return Size(self.height, self.width)


@dataclass(frozen=True, slots=True)
class Rect:
    """A box in mm: its top left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right edge, mm."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower edge, mm."""
        return self.y + self.height

    def grow(self, by: float) -> "Rect":
        """Return the box enlarged by `by` mm on each side (reduced if negative)."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def move(self, dx: float, dy: float) -> "Rect":
        """Return the box moved right by dx and down by dy."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def scale(self, by: float) -> "Rect":
        """Return the box with its position and size multiplied."""
        return Rect(self.x * by, self.y * by, self.width * by, self.height * by)

    def contains(self, other: "Rect", slack: float = 1e-6) -> bool:
        """Return True if `other` is inside. Edges may touch, and `slack` mm are tolerated."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def overlaps(self, other: "Rect", slack: float = 1e-6) -> bool:
        """Return True if the two share an area wider and higher than `slack`; touching edges do not count."""
        return (
            self.x < other.right - slack
            and other.x < self.right - slack
            and self.y < other.bottom - slack
            and other.y < self.bottom - slack
        )

    def intersect(self, other: "Rect") -> "Rect":
        """Return the box inside both, with a width or height of 0 if they are apart."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def unite(self, other: "Rect") -> "Rect":
        """Return the smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)


class Margins(NamedTuple):
    """Width of the strips at the edges of paper that stay empty (mm), in the order of CSS."""

    top: float
    right: float
    bottom: float
    left: float

    def __str__(self) -> str:
        return " ".join([f"{side:g}" for side in (self if len(set(self)) > 1 else self[:1])])

    @property
    def offset(self) -> "Point":
        """Return how far the middle of the free area is right of and below the paper's middle (mm)."""
        return (self.left - self.right) / 2, (self.top - self.bottom) / 2

    def balance(self, axis: str | None) -> "Margins":
        """Return margins with the larger one on both sides of an axis: `vertical`, `horizontal`, None (no change)."""
        across, down = max(self.left, self.right), max(self.top, self.bottom)
        if axis == "vertical":
            return self._replace(left=across, right=across)
        return self._replace(top=down, bottom=down) if axis else self

    def shrink(self, paper: Size) -> Rect:
        """Return the area of the paper inside the margins."""
        width, height = paper.width - self.left - self.right, paper.height - self.top - self.bottom
        return Rect(self.left, self.top, width, height)

    def covers(self, paper: Size) -> bool:
        """Return True if the margins leave nothing of the paper."""
        return min(self.shrink(paper).width, self.shrink(paper).height) <= 0


MARGIN = Margins(5.0, 5.0, 5.0, 5.0)
"""What most printers can't reach."""


def enclose_points(points: Iterable[tuple[float, float]]) -> Rect:
    """Return the smallest box around points. Raise ValueError if there are none."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


Point: TypeAlias = tuple[float, float]

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""SVG's a b c d e f: x' = a x + c y + e, y' = b x + d y + f."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

QUARTER = 0.5522847498307936
"""Distance of a cubic curve's control points from its ends, for a quarter of a circle of radius 1."""


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first and then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def map_point(matrix: Matrix, point: Point) -> Point:
    """Return a point mapped by the matrix."""
    a, b, c, d, e, f = matrix
    x, y = point
    return (a * x + c * y + e, b * x + d * y + f)


def map_box(matrix: Matrix, left: float, top: float, right: float, bottom: float) -> tuple[Point, Point]:
    """Return the least and the greatest (x, y) of the box with these edges after it is mapped by the matrix."""
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


def map_rect(matrix: Matrix, box: "Rect") -> "Rect":
    """Return the smallest upright box around a box mapped by the matrix."""
    (x, y), (right, bottom) = map_box(matrix, box.x, box.y, box.right, box.bottom)
    return Rect(x, y, right - x, bottom - y)


def invert_matrix(matrix: Matrix) -> Matrix | None:
    """Return the inverse matrix, or None if the matrix flattens everything onto a line."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    if abs(det) < 1e-12:
        return None
    return (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)


def find_scale(matrix: Matrix) -> float:
    """Return the scale of a matrix: the square root of the factor by which it changes areas."""
    a, b, c, d, _, _ = matrix
    return math.sqrt(abs(a * d - b * c))


def is_flat(matrix: Matrix) -> bool:
    """Return True if a matrix maps everything to a line or a point: it is invisible, and readers reject it."""
    a, b, c, d, _, _ = matrix
    return a * d == b * c


def make_turn_into_box(box: Rect, angle: int, scale: float = 1.0) -> Matrix:
    """Return the matrix that rotates a drawing clockwise (0, 90, 180, 270 degrees), scales and moves it into `box`."""
    if angle == 90:
        return (0.0, scale, -scale, 0.0, box.right, box.y)
    if angle == 180:
        return (-scale, 0.0, 0.0, -scale, box.right, box.bottom)
    if angle == 270:
        return (0.0, -scale, scale, 0.0, box.x, box.bottom)
    return (scale, 0.0, 0.0, scale, box.x, box.y)


def make_translation(x: float, y: float = 0.0) -> Matrix:
    """Return the matrix that moves by x and y."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def make_rotation(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    """Return the matrix that turns about a point. Quarter turns are exact, so that equal turns are equal matrices."""
    sine = round(math.sin(math.radians(degrees)), 12) + 0.0
    cosine = round(math.cos(math.radians(degrees)), 12) + 0.0
    about = (cosine, sine, -sine, cosine, 0.0, 0.0)
    return about if not x and not y else multiply(multiply(make_translation(x, y), about), make_translation(-x, -y))


def _make_scale(x: float, y: float | None = None) -> Matrix:
    return (x, 0.0, 0.0, x if y is None else y, 0.0, 0.0)


def _make_skew(across: float, down: float = 0.0) -> Matrix:
    return (1.0, math.tan(math.radians(down)), math.tan(math.radians(across)), 1.0, 0.0, 0.0)


_TRANSFORMS: dict[str, tuple[Callable[..., Matrix], str, tuple[int, ...]]] = {
    "matrix": (lambda *values: values, "nnnnnn", (6,)),
    "translate": (make_translation, "xy", (1, 2)),
    "scale": (_make_scale, "nn", (1, 2)),
    "rotate": (make_rotation, "axy", (1, 3)),
    "skewX": (_make_skew, "a", (1,)),
    "skewY": (lambda down: _make_skew(0.0, down), "a", (1,)),
    "skew": (_make_skew, "aa", (1, 2)),
    "translateX": (make_translation, "x", (1,)),
    "translateY": (lambda y: make_translation(0.0, y), "y", (1,)),
    "scaleX": (lambda x: _make_scale(x, 1.0), "n", (1,)),
    "scaleY": (lambda y: _make_scale(1.0, y), "n", (1,)),
}
"""The functions of SVG and CSS: the function, the kind of each number (number, angle, length along x or y) and the
possible counts."""

_LOWER = {name.lower(): name for name in _TRANSFORMS}
_FUNCTION = re.compile(r"\s*+,?\s*+([A-Za-z]+)\s*+\(([^()]*)\)")
_LONGEST = 100_000


def _check_unitless(value: float, unit: str, kind: str) -> float:  # noqa: ARG001
    if unit:
        raise InvalidInput(f"'{unit}' is not a number")
    return value


def read_transform(text: str, resolve: Callable[[float, str, str], float] = _check_unitless) -> Matrix:
    """Return the matrix of a list of transforms, the leftmost outermost. Raise InvalidInput if it is malformed.

    `resolve` gets a number, its unit and its kind (`n` number, `a` angle, `x` or `y` length).
    """
    result, at = IDENTITY, 0
    if len(text) > _LONGEST:
        raise InvalidInput(f"the transform has more than {_LONGEST:,} characters", "apply it to the drawing")
    while match := _FUNCTION.match(text, at):
        result = multiply(result, _read_function(match[1], match[2], resolve))
        at = match.end()
    if rest := text[at:].strip(" \t\r\n\f,"):
        raise InvalidInput(f"'{rest[:20]}' is not a transform", "write e.g. translate(3 4) rotate(90)")
    return result


def _read_function(given: str, inner: str, resolve: Callable[[float, str, str], float]) -> Matrix:
    name = _LOWER.get(given.lower())
    if name is None:
        raise InvalidInput(f"there is no transform '{given[:20]}'", did_you_mean(given, _TRANSFORMS))
    make, kinds, counts = _TRANSFORMS[name]
    values, rest = scan_numbers(inner)
    if rest:
        raise InvalidInput(f"'{rest[:12]}' is not a number")
    if len(values) not in counts:
        takes = " or ".join(map(str, counts))
        raise InvalidInput(f"{name} takes {takes} number{'' if takes == '1' else 's'}, not {len(values)}")
    return make(*[resolve(value, unit, kind) for (value, unit), kind in zip(values, kinds, strict=False)])


class NamedSize(NamedTuple):
    """A named size of cards or paper, with a note on who uses it and on sources that state another size."""

    name: str
    size: Size
    note: str


def _read_sizes() -> Iterable[Mapping[str, NamedSize]]:
    """Yield the named sizes of cards, then those of paper."""
    rows = read_file(Path(__file__).with_name("named_sizes.csv"), "own").decode().splitlines()
    for group in ("card", "paper"):
        named = [row.split(",", 4)[1:] for row in rows if row.startswith(group)]
        yield MappingProxyType({name: NamedSize(name, Size(float(x), float(y)), note) for name, x, y, note in named})


CARD_SIZES, PAPER_SIZES = _read_sizes()


def paper_size(name: str) -> Size:
    """Return the named paper upright, such as `A4`. Raise KeyError for unknown names (see `PAPER_SIZES`)."""
    return PAPER_SIZES[name].size


def format_column_letters(column: int) -> str:
    """Return a spreadsheet's name for a column: `A` for 1, `AA` for 27."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
