"""Outlines of pieces: round, hexagonal, drawn in a file or given as path data; enlarged or mirrored."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, pairwise
from xml.parsers import expat

from generator.base.display_list import format_mm
from generator.base.errors import InvalidInput
from generator.base.files import MalformedXml, Resources, parse_xml, read_file
from generator.base.geometry import IDENTITY, QUARTER, Matrix, Point, Rect, Size, multiply, read_transform, scan_numbers
from generator.base.outlines import find_bounds, flatten_path, rectangle_path, split_subpaths
from generator.base.path_data import curves_from_arc, to_canonical_path, transform_path_data
from generator.game.model import Shape

_FINE = 0.005  # tolerance of the polygon that replaces a curve, mm
_STRAIGHT = 0.15  # radians: a smaller turn needs no arc; at 3 mm the chord is 0.01 mm off

_ALIKE = 0.002  # maximum difference of equal coordinates after rounding, mm
REGULAR = 2 / math.sqrt(3)
"""Height by width of a regular hexagon that stands on a point."""


def outline_from_shape(shape: Shape, size: Size) -> str:
    """Return the cutting line of a shape, in face coordinates; empty for a rectangle."""
    make = _CURVED.get(shape)
    return make(Rect(0, 0, size.width, size.height)) if make else ""


def make_ellipse_path(box: Rect) -> str:
    """Return the ellipse that fills a box, in four cubics, clockwise from its rightmost point."""
    rx, ry = box.width / 2, box.height / 2
    cx, cy, hx, hy = box.x + rx, box.y + ry, rx * QUARTER, ry * QUARTER
    return " ".join(
        (
            format_step("M", (box.right, cy)),
            format_step("C", (box.right, cy + hy), (cx + hx, box.bottom), (cx, box.bottom)),
            format_step("C", (cx - hx, box.bottom), (box.x, cy + hy), (box.x, cy)),
            format_step("C", (box.x, cy - hy), (cx - hx, box.y), (cx, box.y)),
            format_step("C", (cx + hx, box.y), (box.right, cy - hy), (box.right, cy)),
            "Z",
        )
    )


def make_hexagon_path(box: Rect) -> str:
    """Return the hexagon that fills a box, standing on a point; regular if the height is 2/sqrt(3) times the width."""
    middle, upper, lower = box.x + box.width / 2, box.y + box.height / 4, box.bottom - box.height / 4
    corners = ((middle, box.y), (box.right, upper), (box.right, lower), (middle, box.bottom), (box.x, lower))
    return _make_polygon_path((*corners, (box.x, upper)))


def make_flat_hexagon_path(box: Rect) -> str:
    """Return the hexagon that fills a box, lying on a side; regular if the width is 2/sqrt(3) times the height."""
    middle, left, right = box.y + box.height / 2, box.x + box.width / 4, box.right - box.width / 4
    return _make_polygon_path(
        ((left, box.y), (right, box.y), (box.right, middle), (right, box.bottom), (left, box.bottom), (box.x, middle))
    )


_CURVED: dict[Shape, Callable[[Rect], str]] = {
    "round": make_ellipse_path,
    "circle": make_ellipse_path,
    "hexagon": make_hexagon_path,
    "flat-hexagon": make_flat_hexagon_path,
}
"""Shapes with an outline of their own."""


def compute_regular_size(shape: Shape, number: float) -> Size:
    """Return a size (mm) from one number: a square's side, a circle's diameter or a hexagon's width across flats."""
    if shape == "hexagon":
        return Size(number, number * REGULAR)
    return Size(number * REGULAR, number) if shape == "flat-hexagon" else Size(number, number)


def mirror_outline(path: str, width: float) -> str:
    """Return the outline of a face of this width as seen from behind, with left and right exchanged."""
    box, make = find_bounds(path), _find_maker(path)
    if box and make:
        return make(Rect(width - box.right, box.y, box.width, box.height))
    parts = []
    for subpath in split_subpaths(path):
        parts.append(format_step("M", (width - subpath.start[0], subpath.start[1])))
        for segment in subpath.segments:
            points = [(width - x, y) for x, y in segment[1:]]
            parts.append(format_step("L" if len(points) == 1 else "C", *points))
        parts += ["Z"] if subpath.closed else []
    return " ".join(parts)


@lru_cache(maxsize=256)
def grow_outline(path: str, by: float) -> str:
    """Return the outline of everything within `by` mm of a closed one, to be filled by the non-zero rule.

    Circles stay circles, rectangles and regular hexagons keep their corners; all others get round ones.
    """
    box, make = find_bounds(path), _find_maker(path)
    if box is None or by <= 0:
        return path
    if make is rectangle_path or (make is make_ellipse_path and abs(box.width - box.height) < _ALIKE):
        return make(box.grow(by))
    if make is make_hexagon_path and abs(box.height - box.width * REGULAR) < _ALIKE:
        taller = by * REGULAR
        return make_hexagon_path(Rect(box.x - by, box.y - taller, box.width + 2 * by, box.height + 2 * taller))
    if make is make_flat_hexagon_path and abs(box.width - box.height * REGULAR) < _ALIKE:
        wider = by * REGULAR
        return make_flat_hexagon_path(Rect(box.x - wider, box.y - by, box.width + 2 * wider, box.height + 2 * by))
    return " ".join(_sweep_disk(find_polygon_corners(loop.points), by) for loop in flatten_path(path, _FINE))


def _find_maker(path: str) -> Callable[[Rect], str] | None:
    """Return the function of the plain shape with this outline, apart from rounding, or None."""
    box = find_bounds(path)
    plain = (rectangle_path, make_ellipse_path, make_hexagon_path, make_flat_hexagon_path)
    return next((make for make in plain if box and _is_same_path(path, make(box))), None)


def find_polygon_corners(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the corners of a polygon without repeats. The first is not repeated at the end."""
    kept: list[Point] = []
    for point in points:
        if not kept or math.dist(kept[-1], point) > 1e-6:
            kept.append(point)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) <= 1e-6:
        kept.pop()
    return tuple(kept)


def measure_double_area(polygon: tuple[Point, ...]) -> float:
    """Return twice the area of a polygon, negative if it runs anticlockwise as seen on paper."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise((*polygon, polygon[0])))


def _is_same_path(path: str, other: str) -> bool:
    """Return True if two paths are equal apart from the rounding of their numbers."""
    words, others = path.split(), other.split()
    return len(words) == len(others) and all(
        a == b or (not a.isalpha() and not b.isalpha() and abs(float(a) - float(b)) < _ALIKE)
        for a, b in zip(words, others, strict=True)
    )


def _sweep_disk(polygon: tuple[Point, ...], by: float) -> str:
    """Return the path of a disk's rim that rolls around a polygon: each side moved outwards, an arc around each corner.

    At a corner that points inwards the arc runs backwards and the path crosses itself, as it must. The path then winds
    around a point once for every part of the polygon that a disk around the point meets. So the non-zero rule fills
    exactly the points nearer than `by`.
    """
    if measure_double_area(polygon) < 0:
        polygon = polygon[::-1]
    sides = list(pairwise((*polygon, polygon[0])))
    normals = [((b[1] - a[1]) / math.dist(a, b), (a[0] - b[0]) / math.dist(a, b)) for a, b in sides]  # outward
    parts: list[str] = []
    for (start, end), before, after in zip(sides, normals, (*normals[1:], normals[0]), strict=True):
        first, last = _offset_point(start, before, by), _offset_point(end, before, by)
        parts += [format_step("L" if parts else "M", first), format_step("L", last)]
        turn = math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1])
        if abs(turn) > _STRAIGHT:
            for curve in curves_from_arc(
                last, (by, by), 0, large=False, sweep=turn > 0, end=_offset_point(end, after, by)
            ):
                parts.append(format_step("C", curve[:2], curve[2:4], curve[4:]))
    return " ".join([*parts, "Z"])


def _offset_point(point: Point, direction: Point, by: float) -> Point:
    return (point[0] + direction[0] * by, point[1] + direction[1] * by)


def _make_polygon_path(points: tuple[Point, ...]) -> str:
    return " ".join([format_step("L" if n else "M", point) for n, point in enumerate(points)] + ["Z"])


def format_step(letter: str, *points: Point) -> str:
    """Return a step of path data (mm): a command's letter and its points."""
    return " ".join([letter, *(format_mm(value) for point in points for value in point)])


Fault = tuple[str, str]
"""A fault and its remedy."""

_SLACK = 0.001
_TOUCH = 1e-6

Side = tuple[Point, Point, int]
"""A straight piece of an outline and its number along it."""


def read_outline(data: str, size: Size | None) -> tuple[str, list[Fault]]:
    """Return SVG path data in canonical form (or ""), and its faults. Without a `size` (mm) any extent is good."""
    try:
        path = to_canonical_path(data)
    except InvalidInput as unfit:
        return "", [
            (str(unfit).replace("path data: ", "the outline is not valid path data: ", 1), unfit.hint or _EXAMPLE)
        ]
    faults = list(_find_faults(path, size))
    return ("" if faults else path), faults


_EXAMPLE = 'write e.g. "M 0 0 L 20 0 L 10 17 Z", in mm from the piece\'s top left corner'


def _find_faults(path: str, size: Size | None) -> Iterator[Fault]:
    parts = split_subpaths(path)
    if not parts:
        yield "the outline draws nothing", _EXAMPLE
        return
    if len(parts) > 1:
        yield f"the outline has {len(parts)} parts", "draw one closed line; a piece has no holes"
    elif not parts[0].closed:
        yield "the outline is not closed", "end it with Z"
    else:
        polygon = find_polygon_corners(flatten_path(path)[0].points)
        at = find_crossing(polygon) if len(polygon) > 2 else None
        if at:
            where = f"x = {format_mm(round(at[0], 1))}, y = {format_mm(round(at[1], 1))} mm"
            yield f"the outline crosses or touches itself near {where}", "draw a line that scissors can follow"
        elif len(polygon) < 3 or abs(measure_double_area(polygon)) < _SLACK:
            yield "the outline encloses nothing", _EXAMPLE
    if size is not None:
        box = find_bounds(path)
        if box is None:
            return
        over = {"left": -box.x, "top": -box.y, "right": box.right - size.width, "bottom": box.bottom - size.height}
        told = [f"{format_mm(by)} mm beyond its {side} edge" for side, by in over.items() if by > _SLACK]
        if told:
            extent = f"{format_mm(size.width)} x {format_mm(size.height)} mm"
            yield f"the outline of a piece of {extent} reaches {', '.join(told)}", "move it, or enlarge `size`"


def find_crossing(polygon: tuple[Point, ...]) -> Point | None:
    """Return a point where two sides that are not neighbours meet, or where one side runs back on another; or None."""
    ends = (*polygon[1:], polygon[0])
    sides = sorted(
        ((start, end, n) for n, (start, end) in enumerate(zip(polygon, ends, strict=True))),
        key=lambda side: (min(side[0][0], side[1][0]), side[2]),
    )
    # Only sides that share an x can meet: those that began earlier and haven't ended yet.
    near: list[Side] = []
    for side in sides:
        left = min(side[0][0], side[1][0])
        near = [other for other in near if max(other[0][0], other[1][0]) >= left - _TOUCH]
        for other in near:
            found = _find_meeting_point(side, other, len(polygon))
            if found:
                return found
        near.append(side)
    return None


def _find_meeting_point(side: Side, other_side: Side, count: int) -> Point | None:
    (a, b, first), (c, d, second) = side, other_side
    if (first + 1) % count == second or (second + 1) % count == first:
        shared, one, two = (b, a, d) if (first + 1) % count == second else (a, b, c)
        back = _cross_product(shared, one, two) / (math.dist(shared, one) * math.dist(shared, two))
        ahead = (one[0] - shared[0]) * (two[0] - shared[0]) + (one[1] - shared[1]) * (two[1] - shared[1])
        return shared if abs(back) < _TOUCH and ahead > 0 else None
    sides = _cross_product(a, b, c), _cross_product(a, b, d), _cross_product(c, d, a), _cross_product(c, d, b)
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        t = sides[2] / (sides[2] - sides[3])
        return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
    return next((p for p, q, r in ((c, a, b), (d, a, b), (a, c, d), (b, c, d)) if _is_on_line(p, q, r)), None)


def _is_on_line(point: Point, start: Point, end: Point) -> bool:
    return math.dist(start, point) + math.dist(point, end) - math.dist(start, end) < _TOUCH


def _cross_product(origin: Point, one: Point, two: Point) -> float:
    return (one[0] - origin[0]) * (two[1] - origin[1]) - (one[1] - origin[1]) * (two[0] - origin[0])


MOST_SEGMENTS = 2_000
"""Maximum segments of a line that scissors or a machine follow: a longer one was traced from a picture."""

_DEEPEST = 200
_UNEQUAL = 0.01
"""Tolerance for the proportions of the file's page and the piece, as a share."""

_ASIDE = frozenset(["defs", "clipPath", "mask", "symbol", "marker", "pattern", "metadata", "namedview"])
"""Elements that an editor stores in a file and doesn't draw."""

_SHAPES = frozenset(["path", "polygon", "polyline", "rect", "circle", "ellipse", "line", "text", "image", "use"])


def read_outline_file(name: str, game: str, resources: Resources, size: Size) -> str:
    """Return path data (mm) of the line in a file of the game, scaled to the piece. Raise InvalidInput without one."""
    homes = (f"templates/{game}", "templates/common")
    path = next((found for home in homes if (found := resources.find(home, name)) is not None), None)
    if path is None:
        raise InvalidInput(f"there is no file '{name}'", f"put the drawing of the outline into templates/{game}")
    reader = _Reader()
    try:
        parse_xml(reader.parser, read_file(path, "markup"))
    except MalformedXml as error:
        raise InvalidInput(f"'{name}' is not an SVG file: line {error.line}: {error}", error.hint) from error
    except InvalidInput as unfit:
        raise InvalidInput(f"'{name}': {unfit}", unfit.hint) from unfit
    if len(reader.drawn) != 1:
        what = f"'{name}' draws {len(reader.drawn) or 'no'} shapes"
        raise InvalidInput(what, "leave only one closed line in it, the cut line")
    return _fit_to_piece(name, reader, size)


def _fit_to_piece(name: str, reader: "_Reader", size: Size) -> str:
    if reader.page is None:
        what = f"'{name}' has neither a viewBox nor width and height"
        raise InvalidInput(what, "save it with a page as large as the piece")
    x, y, width, height = reader.page
    if abs(width * size.height - height * size.width) > _UNEQUAL * height * size.width:
        what = f"the page of '{name}' is {width:g} x {height:g}, which {size.width:g} x {size.height:g} mm stretches"
        raise InvalidInput(what, "give page and `size` the same proportions")
    ((data, placed),) = reader.drawn
    onto = (size.width / width, 0.0, 0.0, size.height / height, -x * size.width / width, -y * size.height / height)
    line, fault = transform_path_data(data, multiply(onto, placed))
    if fault:
        raise InvalidInput(f"'{name}': {fault}", "save it again in your drawing program")
    count = sum(len(part.segments) for part in split_subpaths(line))
    if count > MOST_SEGMENTS:
        what = f"the line of '{name}' has {count:,} pieces, more than {MOST_SEGMENTS:,}"
        raise InvalidInput(what, "simplify it (Inkscape: Path > Simplify)")
    return line


class _Reader:
    """A parser of a drawing that collects its shapes as path data, each with its matrix."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start_element
        self.parser.EndElementHandler = self._end_element
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.page: tuple[float, float, float, float] | None = None
        self.drawn: list[tuple[str, Matrix]] = []
        self._placed: list[Matrix] = []
        self._aside = 0

    def _refuse_doctype(self, *_: object) -> None:
        raise InvalidInput("it has a DTD", "save it as plain SVG")

    def _start_element(self, full: str, attributes: dict[str, str]) -> None:
        tag = full.rpartition(":")[2]
        if not self._placed:
            if tag != "svg":
                raise InvalidInput(f"its first element is <{tag}>", "name an SVG file")
            box = _read_numbers(attributes.get("viewBox", ""))
            if len(box) != 4:
                size = (_read_numbers(attributes.get(name, "")) for name in ("width", "height"))
                box = [0.0, 0.0, *chain.from_iterable(size)]
            if len(box) == 4 and min(box[2:]) > 0:
                self.page = (box[0], box[1], box[2], box[3])
        if len(self._placed) > _DEEPEST:
            raise InvalidInput(f"elements are nested more than {_DEEPEST} deep", "ungroup them and save it again")
        above = self._placed[-1] if self._placed else IDENTITY
        self._placed.append(multiply(above, read_transform(attributes.get("transform", ""))))
        if self._aside or tag in _ASIDE:
            self._aside += 1
        elif tag in _SHAPES:
            self.drawn.append((_path_data_from_shape(tag, attributes), self._placed[-1]))

    def _end_element(self, _full: str) -> None:
        self._placed.pop()
        self._aside = max(0, self._aside - 1)


def _path_data_from_shape(tag: str, attributes: dict[str, str]) -> str:
    def read(name: str) -> float:
        found = _read_numbers(attributes.get(name, ""))
        return found[0] if found else 0.0

    if tag == "path":
        return attributes.get("d", "")
    if tag in ("polygon", "polyline"):
        return f"M {attributes.get('points', '')}" + (" Z" if tag == "polygon" else "")
    if tag == "rect" and not (read("rx") or read("ry")):
        return f"M {read('x')} {read('y')} h {read('width')} v {read('height')} h {-read('width')} Z"
    if tag in ("circle", "ellipse"):
        rx, ry = (read("r"), read("r")) if tag == "circle" else (read("rx"), read("ry"))
        arc = f"a {rx} {ry} 0 1 1"
        return f"M {read('cx') - rx} {read('cy')} {arc} {2 * rx} 0 {arc} {-2 * rx} 0 Z"
    what = "a rectangle with round corners" if tag == "rect" else f"<{tag}>"
    raise InvalidInput(f"{what} is not a path", "turn it into a path (Inkscape: Path > Object to Path)")


def _read_numbers(text: str) -> list[float]:
    return [value for value, _ in scan_numbers(text)[0]]
