"""Path data of SVG: reads its whole grammar and converts it to canonical paths."""

import math
import re
from functools import lru_cache

from generator.base.display_list import format_mm
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, NUMBER, Matrix, map_point

FURTHEST = 100_000.0
"""Maximum coordinate or length, in mm: a larger one is a slip, and PDF readers could not hold it."""

_SPACE = re.compile(r"[ \t\r\n\f]+")
_COMMA = re.compile(r"[ \t\r\n\f]*,?[ \t\r\n\f]*")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}

Point = tuple[float, float]


@lru_cache(maxsize=16384)  # a game draws its outlines again in each language
def to_canonical_path(data: str) -> str:
    """Return path data with absolute M, L, C and Z only. Raise InvalidInput (a ValueError) if it is malformed."""
    return _Pen().draw(_PathReader(data))


def transform_path_data(data: str, matrix: Matrix) -> tuple[str, str]:
    """Return path data mapped by a matrix, up to the first error as SVG requires, and the error (or "").

    Coordinates are rounded after mapping, so that large drawing units lose no precision.
    """
    pen = _Pen(matrix)
    try:
        pen.draw(_PathReader(data, _ANY))
    except InvalidInput as mistake:
        return pen.to_path(), str(mistake)
    return pen.to_path(), ""


_ANY = 1e9
"""Limit for numbers before they are scaled to mm."""


class _PathReader:
    def __init__(self, text: str, furthest: float = FURTHEST):
        self._text = text
        self._at = 0
        self._furthest = furthest

    def read_command(self) -> str:
        """Return the next letter; empty at the end, or if a number repeats the previous command."""
        self._skip(_SPACE)
        letter = self._text[self._at : self._at + 1]
        if letter and letter in "MmLlHhVvCcSsQqTtAaZz":
            self._at += 1
            return letter
        return ""

    def is_at_end(self) -> bool:
        """Return True if nothing is left."""
        self._skip(_SPACE)
        return self._at >= len(self._text)

    def has_number(self) -> bool:
        """Return True if a comma or number is next: then the command is repeated with more numbers."""
        self._skip(_SPACE)
        if self._text[self._at : self._at + 1] == ",":
            return True
        return bool(NUMBER.match(self._text, self._at))

    def read_number(self) -> float:
        """Return the next number, after an optional comma. Raise InvalidInput for none or a too large one."""
        self._skip(_COMMA)
        match = NUMBER.match(self._text, self._at)
        if not match:
            raise self.explain_unexpected("a number")
        self._at = match.end()
        value = float(match[0])
        if not -self._furthest <= value <= self._furthest:
            raise InvalidInput(f"path data: '{match[0]}' is too large")
        return value

    def read_flag(self) -> bool:
        """Return an arc's flag, the digit 0 or 1, which needs no separator. Raise InvalidInput for anything else."""
        self._skip(_COMMA)
        digit = self._text[self._at : self._at + 1]
        if digit not in ("0", "1"):
            raise self.explain_unexpected("the flag 0 or 1")
        self._at += 1
        return digit == "1"

    def explain_unexpected(self, wanted: str) -> InvalidInput:
        """Return the error for what is here instead of `wanted`."""
        here = self._text[self._at : self._at + 10]
        found = f"not '{here}'" if here else "but the data ends"
        return InvalidInput(f"path data: at character {self._at + 1} {wanted} is expected, {found}")

    def _skip(self, separator: re.Pattern[str]) -> None:
        if found := separator.match(self._text, self._at):
            self._at = found.end()


class _Pen:
    """The state while drawing path data: current point, path so far, and the matrix that maps it."""

    def __init__(self, matrix: Matrix = IDENTITY) -> None:
        self._matrix = None if matrix == IDENTITY else matrix
        self._out: list[str] = []
        self._x = self._y = 0.0
        self._start: Point = (0.0, 0.0)
        self._control: Point | None = None
        self._control_of = ""
        self._closed = False

    def draw(self, data: _PathReader) -> str:
        """Draw all of the data and return the canonical path. Raise InvalidInput at the first error."""
        if data.is_at_end():
            return ""
        letter = data.read_command()
        if letter not in ("M", "m"):
            raise InvalidInput("path data: the first command must be M or m")
        while letter:
            self._draw_command(letter, data)
            if data.is_at_end():
                break
            letter = data.read_command()
            if not letter:
                raise data.explain_unexpected("a command")
        return self.to_path()

    def to_path(self) -> str:
        """Return the canonical path drawn so far."""
        return " ".join(self._out)

    def _draw_command(self, letter: str, data: _PathReader) -> None:
        relative, letter = letter.islower(), letter.upper()
        if letter == "Z":
            if not self._closed:
                self._out.append("Z")
            self._x, self._y = self._start
            self._closed = True
            self._control = None
            return
        while True:
            self._draw_step(letter, relative, data)
            if not data.has_number():
                return
            if letter == "M":  # further pairs after a move are lines
                letter = "L"

    def _draw_step(self, letter: str, relative: bool, data: _PathReader) -> None:
        from_x, from_y = (self._x, self._y) if relative else (0.0, 0.0)
        if letter == "A":
            radii, angle = (data.read_number(), data.read_number()), data.read_number()
            large, sweep = data.read_flag(), data.read_flag()
            self._arc_to(radii, angle, large, sweep, (from_x + data.read_number(), from_y + data.read_number()))
            return
        if letter in "HV":
            value = data.read_number()
            self._line_to(from_x + value, self._y) if letter == "H" else self._line_to(self._x, from_y + value)
            return
        points = [(from_x + data.read_number(), from_y + data.read_number()) for _ in range(_TAKES[letter] // 2)]
        if letter == "M":
            self._append_step("M", *points[0])
            self._start = points[0]
        elif letter == "L":
            self._line_to(*points[0])
        elif letter == "C":
            self._curve_to(points[0], points[1], points[2])
        elif letter == "S":
            self._curve_to(self._mirror_control("C"), points[0], points[1])
        elif letter == "Q":
            self._quadratic_to(points[0], points[1])
        else:
            self._quadratic_to(self._mirror_control("Q"), points[0])

    def _mirror_control(self, kind: str) -> Point:
        """Return the last control point mirrored at the current point (for S and T); else the current point."""
        if self._control is None or self._control_of != kind:
            return (self._x, self._y)
        return (2 * self._x - self._control[0], 2 * self._y - self._control[1])

    def _append_step(self, letter: str, *values: float) -> None:
        # After Z the pen is at the start of the closed outline; a new one begins there with an explicit M.
        if self._closed and letter != "M":
            self._out.append(f"M {' '.join(map(format_mm, self._transform_values((self._x, self._y))))}")
            self._start = (self._x, self._y)
        self._closed = False
        put = values if self._matrix is None else self._transform_values(values)
        self._out.append(f"{letter} {' '.join(map(format_mm, put))}")
        self._x, self._y = values[-2:]
        if max(abs(put[-2]), abs(put[-1])) > FURTHEST:
            raise InvalidInput("path data: the outline is too large")
        self._control = None

    def _transform_values(self, values: tuple[float, ...]) -> tuple[float, ...]:
        if self._matrix is None:
            return values
        pairs = [map_point(self._matrix, (values[i], values[i + 1])) for i in range(0, len(values), 2)]
        return tuple([value for pair in pairs for value in pair])

    def _line_to(self, x: float, y: float) -> None:
        self._append_step("L", x, y)

    def _curve_to(self, first: Point, second: Point, end: Point) -> None:
        self._append_step("C", *first, *second, *end)
        self._control, self._control_of = second, "C"

    def _quadratic_to(self, control: Point, end: Point) -> None:
        x, y = self._x, self._y
        first = (x + 2 / 3 * (control[0] - x), y + 2 / 3 * (control[1] - y))
        second = (end[0] + 2 / 3 * (control[0] - end[0]), end[1] + 2 / 3 * (control[1] - end[1]))
        self._append_step("C", *first, *second, *end)
        self._control, self._control_of = control, "Q"

    def _arc_to(self, radii: Point, angle: float, large: bool, sweep: bool, end: Point) -> None:
        start = (self._x, self._y)
        if start == end:
            return
        if not radii[0] or not radii[1]:
            self._line_to(*end)
            return
        for values in curves_from_arc(start, (abs(radii[0]), abs(radii[1])), angle, large, sweep, end):
            self._append_step("C", *values)


def curves_from_arc(
    start: Point, radii: Point, angle: float, large: bool, sweep: bool, end: Point
) -> list[tuple[float, float, float, float, float, float]]:
    """Return cubic curves of at most 90 degrees along an elliptical arc. Too small radii are enlarged, as in SVG.

    `angle` turns the ellipse, in degrees; `large` and `sweep` are SVG's flags. The last curve ends exactly at `end`.
    """
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    rx, ry = radii
    # Half the chord, in the ellipse's own axes.
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    px, py = cosine * dx + sine * dy, cosine * dy - sine * dx
    excess = (px / rx) ** 2 + (py / ry) ** 2
    if excess > 1:
        rx, ry = rx * math.sqrt(excess), ry * math.sqrt(excess)
    spare = max(0.0, 1 / min(excess, 1) - 1) if excess > 0 else 0.0
    factor = math.sqrt(spare) * (-1 if large == sweep else 1)
    cx, cy = factor * rx * py / ry, -factor * ry * px / rx
    first = math.atan2((py - cy) / ry, (px - cx) / rx)
    turn = math.atan2((-py - cy) / ry, (-px - cx) / rx) - first
    if sweep and turn < 0:
        turn += 2 * math.pi
    elif not sweep and turn > 0:
        turn -= 2 * math.pi
    middle = (start[0] - dx + cosine * cx - sine * cy, start[1] - dy + sine * cx + cosine * cy)

    def on(ex: float, ey: float) -> Point:
        """Return the place on the arc's ellipse of a point (ex, ey) of the unit circle: scaled, turned and moved."""
        return (middle[0] + cosine * rx * ex - sine * ry * ey, middle[1] + sine * rx * ex + cosine * ry * ey)

    pieces = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    step = turn / pieces
    handle = 4 / 3 * math.tan(step / 4)
    curves = []
    for piece in range(pieces):
        a, b = first + piece * step, first + (piece + 1) * step
        one = on(math.cos(a) - handle * math.sin(a), math.sin(a) + handle * math.cos(a))
        two = on(math.cos(b) + handle * math.sin(b), math.sin(b) - handle * math.cos(b))
        stop = end if piece == pieces - 1 else on(math.cos(b), math.sin(b))
        curves.append((*one, *two, *stop))
    return curves
