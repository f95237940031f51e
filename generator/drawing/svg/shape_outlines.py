"""Outlines of basic shapes, and the values of attributes: lengths, numbers, matrices."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from generator.base import geometry
from generator.base.display_list import format_mm
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import IDENTITY, QUARTER, Matrix, map_point, read_transform
from generator.base.path_data import FURTHEST, to_canonical_path

_MOST_CHARACTERS = 2_000_000

Value = TypeVar("Value")

Box = tuple[float, float, float, float]


@lru_cache(maxsize=4096)
def parse_length_mm(text: str) -> float:
    """Return a length in mm, as in `generator.base.geometry`."""
    return check_range(geometry.parse_mm(text), text)


def check_range(value: float, text: str) -> float:
    """Return the value. Raise Unfit if it is not a sensible number of mm."""
    if not -FURTHEST <= value <= FURTHEST:
        raise InvalidInput(f"'{text.strip()}' is too large")
    return value


def parse_number(text: str) -> float:
    """Return a number without a unit."""
    match = geometry.NUMBER.fullmatch(text.strip())
    if not match:
        raise InvalidInput(f"'{text}' is not a number")
    return check_range(float(match[0]), text)


@lru_cache(maxsize=4096)
def parse_numbers(text: str) -> tuple[float, ...]:
    """Return numbers separated by spaces, commas or nothing, as in `units.scan_numbers`."""
    if len(text) > _MOST_CHARACTERS:
        raise InvalidInput(f"more than {_MOST_CHARACTERS:,} characters are too many", "simplify the drawing")
    found, rest = geometry.scan_numbers(text)
    values = [check_range(value, str(value)) for value, unit in found if not unit]
    if rest or len(values) < len(found):
        wrong = next((unit for _, unit in found if unit), "") + rest
        raise InvalidInput(f"'{wrong[:12]}' is not a number")
    return tuple(values)


_WORDS_OF_CSS = {"center": "middle", "left": "start", "right": "end"}


def read_choice(values: Mapping[str, Value]) -> Callable[[str], Value]:
    """Return a reader that converts one of the given words to its value."""

    def read(text: str) -> Value:
        if text not in values:
            raise InvalidInput(f"'{text}' is not one of them", did_you_mean(_WORDS_OF_CSS.get(text, text), values))
        return values[text]

    return read


def parse_ratio(text: str) -> float:
    """Return a fraction, given as a number or in percent."""
    text = text.strip()
    return parse_number(text[:-1]) / 100 if text.endswith("%") else parse_number(text)


@lru_cache(maxsize=4096)
def parse_transform(text: str) -> Matrix:
    """Return the matrix of an SVG transform list, the leftmost function outermost."""
    result = read_transform(text)
    if any(abs(value) > FURTHEST for value in result):
        raise InvalidInput(f"the transform '{text}' is too large")
    return result


@lru_cache(maxsize=512)
def parse_view_box(text: str) -> Box:
    """Return x, y, width, height of a viewBox; both sides are above zero."""
    values = parse_numbers(text)
    if len(values) != 4 or values[2] <= 0 or values[3] <= 0:
        raise InvalidInput(f"'{text}' is not 'x y width height' with both sides above 0")
    return (values[0], values[1], values[2], values[3])


@lru_cache(maxsize=512)
def parse_aspect(text: str) -> str:
    """Return `none`, `meet` or `slice` of a preserveAspectRatio."""
    words = text.split()
    if words == ["none"]:
        return "none"
    if words[:1] == ["xMidYMid"] and words[1:] in ([], ["meet"], ["slice"]):
        return words[1] if len(words) == 2 else "meet"
    raise InvalidInput(f"'{text}' is not supported", "use 'none', 'xMidYMid meet' or 'xMidYMid slice'")


FITS = {"contain": "meet", "cover": "slice", "stretch": "none"}
"""Plain words for fitting a picture into its box, and their preserveAspectRatio."""

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
    what = f"'{text}' is not a point of a picture"
    raise InvalidInput(what, "write how far across and down it lies: 30% 20%, or top left")


def fit_box(inner: Box, outer: Box, how: str, focus: tuple[float, float] = (0.5, 0.5)) -> Matrix:
    """Return the matrix that fits the box `inner` into the box `outer`, centred; `how` is `none`, `meet` or `slice`.

    If parts are cut off, a point given in fractions of `inner` stays as near to the middle as possible.
    """
    across, down = outer[2] / inner[2], outer[3] / inner[3]
    if how != "none":
        across = down = (max if how == "slice" else min)(across, down)
    x = outer[0] + _compute_offset(outer[2], inner[2] * across, focus[0]) - inner[0] * across
    y = outer[1] + _compute_offset(outer[3], inner[3] * down, focus[1]) - inner[1] * down
    return (across, 0.0, 0.0, down, x, y)


def _compute_offset(room: float, takes: float, kept: float) -> float:
    """Return the offset of a side in its room that brings the fraction `kept` as near to the middle as possible."""
    if takes <= room or kept == 0.5:
        return (room - takes) / 2
    return min(0.0, max(room - takes, room / 2 - kept * takes))


def is_filling_box(inner: Box, outer: Box, matrix: Matrix) -> bool:
    """Return True if a fitted box fills the outer box."""
    return abs(inner[2] * matrix[0] - outer[2]) < 1e-6 and abs(inner[3] * matrix[3] - outer[3]) < 1e-6


Segment = tuple[str, tuple[float, ...]]


def draw_rectangle(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle, clockwise from its top left corner."""
    left, top, right, bottom = map(format_mm, (x, y, x + width, y + height))
    return f"M {left} {top} L {right} {top} L {right} {bottom} L {left} {bottom} Z"


@lru_cache(maxsize=4096)
def _draw_rounded(x: float, y: float, width: float, height: float, rx: float, ry: float) -> str:
    right, bottom, hx, hy = x + width, y + height, rx * (1 - QUARTER), ry * (1 - QUARTER)
    return to_canonical_path(
        f"M{x + rx:.6f} {y:.6f} H{right - rx:.6f}"
        f"C{right - hx:.6f} {y:.6f} {right:.6f} {y + hy:.6f} {right:.6f} {y + ry:.6f}"
        f"V{bottom - ry:.6f} C{right:.6f} {bottom - hy:.6f} {right - hx:.6f} {bottom:.6f} {right - rx:.6f} {bottom:.6f}"
        f"H{x + rx:.6f} C{x + hx:.6f} {bottom:.6f} {x:.6f} {bottom - hy:.6f} {x:.6f} {bottom - ry:.6f}"
        f"V{y + ry:.6f} C{x:.6f} {y + hy:.6f} {x + hx:.6f} {y:.6f} {x + rx:.6f} {y:.6f} Z"
    )


@lru_cache(maxsize=4096)
def draw_ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    """Return an ellipse, clockwise from its rightmost point."""
    hx, hy = rx * QUARTER, ry * QUARTER
    return to_canonical_path(
        f"M{cx + rx:.6f} {cy:.6f} C{cx + rx:.6f} {cy + hy:.6f} {cx + hx:.6f} {cy + ry:.6f} {cx:.6f} {cy + ry:.6f}"
        f"C{cx - hx:.6f} {cy + ry:.6f} {cx - rx:.6f} {cy + hy:.6f} {cx - rx:.6f} {cy:.6f}"
        f"C{cx - rx:.6f} {cy - hy:.6f} {cx - hx:.6f} {cy - ry:.6f} {cx:.6f} {cy - ry:.6f}"
        f"C{cx + hx:.6f} {cy - ry:.6f} {cx + rx:.6f} {cy - hy:.6f} {cx + rx:.6f} {cy:.6f} Z"
    )


Read = Callable[[str, float], float]
"""Function that reads a length attribute of the current element; the second argument is its default."""


def read_rect_outline(read: Read, given: Callable[[str], bool]) -> str:
    """Return the path of a <rect>, or an empty string if it has no area. rx and ry round corners as in SVG."""
    x, y, width, height = read("x", 0.0), read("y", 0.0), _read_size(read, "width"), _read_size(read, "height")
    if not width or not height:
        return ""
    rx, ry = _read_size(read, "rx"), _read_size(read, "ry")
    rx = min(rx if given("rx") else ry, width / 2)
    ry = min(ry if given("ry") else rx, height / 2)
    return _draw_rounded(x, y, width, height, rx, ry) if rx and ry else draw_rectangle(x, y, width, height)


def read_circle_outline(read: Read) -> str:
    """Return the path of a <circle>, or an empty string if it has no radius."""
    radius = _read_size(read, "r")
    return draw_ellipse(read("cx", 0.0), read("cy", 0.0), radius, radius) if radius else ""


def read_ellipse_outline(read: Read) -> str:
    """Return the path of an <ellipse>, or an empty string if it has no area."""
    rx, ry = _read_size(read, "rx"), _read_size(read, "ry")
    return draw_ellipse(read("cx", 0.0), read("cy", 0.0), rx, ry) if rx and ry else ""


def read_line_outline(read: Read) -> str:
    """Return the path of a <line>."""
    ends = read("x1", 0.0), read("y1", 0.0), read("x2", 0.0), read("y2", 0.0)
    a, b, c, d = map(format_mm, ends)
    return f"M {a} {b} L {c} {d}"


@lru_cache(maxsize=4096)
def parse_points(text: str, close: bool) -> str:
    """Return the path of a polygon's or polyline's points. Raise Unfit for an odd number of coordinates."""
    values = parse_numbers(text)
    if len(values) % 2:
        raise InvalidInput(f"points has an odd number of values: {len(values)}")
    if len(values) < 4:
        return ""
    pairs = [f"{format_mm(values[i])} {format_mm(values[i + 1])}" for i in range(0, len(values), 2)]
    return "M " + " L ".join(pairs) + (" Z" if close else "")


def _read_size(read: Read, name: str) -> float:
    value = read(name, 0.0)
    if value < 0:
        raise InvalidInput(f"{name} is negative")
    return value


@lru_cache(maxsize=4096)
def split_path(path: str) -> tuple[Segment, ...]:
    """Return a canonical path as (letter, coordinates)."""
    found: list[Segment] = []
    words = path.split(" ") if path else []
    position = 0
    while position < len(words):
        letter = words[position]
        count = {"M": 2, "L": 2, "C": 6, "Z": 0}[letter]
        found.append((letter, tuple(map(float, words[position + 1 : position + 1 + count]))))
        position += 1 + count
    return tuple(found)


def join_path(parts: Sequence[Segment]) -> str:
    """Return the canonical path of (letter, coordinates)."""
    return " ".join(" ".join([letter, *map(format_mm, values)]) for letter, values in parts)


@lru_cache(maxsize=1024)
def transform_path(path: str, matrix: Matrix) -> str:
    """Return the path transformed by a matrix."""
    if matrix == IDENTITY:
        return path
    moved: list[Segment] = []
    for letter, values in split_path(path):
        pairs = [map_point(matrix, (values[i], values[i + 1])) for i in range(0, len(values), 2)]
        moved.append((letter, tuple(value for pair in pairs for value in pair)))
    return join_path(moved)


@lru_cache(maxsize=4096)
def measure_extent(path: str) -> Box:
    """Return x, y, width and height of the outline (not of its control points), or zeros for an empty path."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for letter, values in split_path(path):
        if letter == "Z":
            continue
        if letter == "C":
            xs += _find_extremes(x, values[0], values[2], values[4])
            ys += _find_extremes(y, values[1], values[3], values[5])
        x, y = values[-2:]
        xs.append(x)
        ys.append(y)
    if not xs:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _find_extremes(start: float, first: float, second: float, end: float) -> list[float]:
    """Return the turning points of a cubic between its ends, along one axis."""
    a = end - 3 * second + 3 * first - start
    b = 2 * (second - 2 * first + start)
    c = first - start
    if abs(a) < 1e-9:
        roots = [-c / b] if abs(b) > 1e-9 else []
    else:
        square = b * b - 4 * a * c
        roots = [(-b + sign * square**0.5) / (2 * a) for sign in (1, -1)] if square >= 0 else []
    return [
        start * (1 - t) ** 3 + 3 * first * t * (1 - t) ** 2 + 3 * second * t * t * (1 - t) + end * t**3
        for t in roots
        if 0 < t < 1
    ]


def make_clockwise(path: str) -> str:
    """Return the same outline with a positive area: united clips must turn the same way."""
    return path if _measure_signed_area(path) >= 0 else _reverse_path(path)


def _measure_signed_area(path: str) -> float:
    """Return twice the signed area of an outline. Curves count as their control polygons, which turn the same way."""
    total = x = y = 0.0
    start = (0.0, 0.0)
    for letter, values in split_path(path):
        if letter == "M":
            total += x * start[1] - start[0] * y
            x, y = start = (values[0], values[1])
            continue
        points = [start] if letter == "Z" else [(values[i], values[i + 1]) for i in range(0, len(values), 2)]
        for px, py in points:
            total += x * py - px * y
            x, y = px, py
    return total + x * start[1] - start[0] * y


def _reverse_path(path: str) -> str:
    pieces: list[str] = []
    outlines: list[list[Segment]] = []
    for part in split_path(path):
        if part[0] == "M":
            outlines.append([])
        outlines[-1].append(part)
    for outline in outlines:
        knots: list[tuple[float, ...]] = [outline[0][1]]
        links: list[Segment] = []
        for letter, values in outline[1:]:
            if letter != "Z":
                links.append((letter, values))
                knots.append(values[-2:])
        turned: list[Segment] = [("M", knots[-1])]
        for index in range(len(links) - 1, -1, -1):
            letter, values = links[index]
            handles = (*values[2:4], *values[0:2]) if letter == "C" else ()
            turned.append((letter, (*handles, *knots[index])))
        pieces.append(join_path([*turned, ("Z", ())]))
    return " ".join(pieces)
