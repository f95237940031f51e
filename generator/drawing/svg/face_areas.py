"""Areas of a face: ink of glyphs, printed spaces, and the number of pieces that fit in them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from generator.base import outlines
from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape, TextFrame, TextRun, visit_items
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Point, Rect, find_scale, map_box, map_point, multiply
from generator.base.outlines import Clip, Loop, clip_box
from generator.game.model import Kind
from generator.game.piece_outlines import measure_double_area
from generator.text.fonts import FontBook
from generator.text.glyph_rows import SetText

_CUT = 0.05
"""Width of ink (mm) that rounding may remove from a letter."""


def measure_glyph_boxes(run: TextRun, matrix: Matrix, fonts: FontBook) -> Iterator[Rect]:
    """Yield the box around the ink of every glyph of the run except blanks, mapped by the matrix."""
    unit = run.size * MM_PER_PT / 1000
    turned = _run_matrix(run, matrix)
    pen = rise = 0.0
    for at, glyph in enumerate(run.glyphs):
        if run.places:
            pen, rise = run.places[at][0] / unit, -run.places[at][1] / unit
        ink = fonts.measure_ink(run.font, glyph)
        if ink is not None:
            left, low, right, high = ink
            corners = [(pen + x, rise + y) for x in (left, right) for y in (low, high)]
            box = outlines.bound_points([map_point(turned, corner) for corner in corners])
            if box is not None:
                yield box
        pen += run.advances[at] if run.advances else fonts.measure_advance(run.font, glyph)


def measure_ink_box(run: TextRun, matrix: Matrix, fonts: FontBook) -> Rect | None:
    """Return the smallest box around the ink of the run, a larger one if it is turned askew, or None without ink."""
    if run.places:
        boxes = [*measure_glyph_boxes(run, matrix, fonts)]
        return reduce(Rect.unite, boxes) if boxes else None
    ink = fonts.get_font(run.font).measure_ink_along(run.glyphs, run.advances)
    if ink is None:
        return None
    (x, y), (right, bottom) = map_box(_run_matrix(run, matrix), *ink)
    return Rect(x, y, right - x, bottom - y)


def _run_matrix(run: TextRun, matrix: Matrix) -> Matrix:
    unit = run.size * MM_PER_PT / 1000
    if not run.angle:
        return multiply(matrix, (unit, 0.0, 0.0, -unit, run.x, run.y))
    cos, sin = math.cos(math.radians(run.angle)), math.sin(math.radians(run.angle))
    return multiply(matrix, (cos * unit, sin * unit, sin * unit, -cos * unit, run.x, run.y))


def measure_overrun(path: str, bleed: float, boxes: Sequence[Rect]) -> float:
    """Return how far ink in these boxes leaves an outline (mm), or 0 if it doesn't or all is in the bleed around it.

    A glyph is tested at the middles of its box's sides, since few glyphs have ink in the corners.
    """
    loops = outlines.flatten_path(path) if path else ()
    spots = [spot for box in boxes for spot in _find_side_middles(box)]
    outside = [spot for spot in spots if loops and not outlines.is_point_inside(loops, *spot)]
    out = [outlines.measure_distance(loops, *spot) for spot in outside]
    if not out or (len(out) == len(spots) and max(out) <= bleed):
        return 0.0
    return max(out)


def _find_side_middles(box: Rect) -> tuple[Point, ...]:
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return (box.x, y), (box.right, y), (x, box.y), (x, box.bottom)


def describe_leaving(
    set_text: SetText, frame: TextFrame, matrix: Matrix, trim: Rect, cut_along: str, bleed: float, fonts: FontBook
) -> str:
    """Return by how much and on which side ink leaves the trim, or an empty string if none is cut off.

    A text entirely in the bleed is intended. `cut_along` is the outline of a piece that is not a rectangle.
    """
    # With an em around it, a text is inside for any glyphs.
    x, y, width, height, size, *_ = frame
    em = size * MM_PER_PT
    inside = (
        x - em >= trim.x
        and y - em >= trim.y
        and x + width + em <= trim.x + trim.width
        and y + height + em <= trim.y + trim.height
    ) or _is_within_reach(set_text, matrix, trim, fonts)
    if not cut_along and (inside or _is_ink_inside(set_text, matrix, trim, fonts)):
        return ""
    runs = [item for item in set_text.items if isinstance(item, TextRun)]
    boxes = [box for run in runs for box in measure_glyph_boxes(run, matrix, fonts)]
    if all(trim.contains(box, slack=_CUT) for box in boxes):
        by = measure_overrun(cut_along, bleed, boxes)
        return f"{by:.1f} mm beyond its outline" if by > _CUT else ""
    if not any(trim.overlaps(box) for box in boxes) and all(trim.grow(bleed).contains(box) for box in boxes):
        return ""
    sides = [(trim.x - box.x, trim.y - box.y, box.right - trim.right, box.bottom - trim.bottom) for box in boxes]
    by, side = max(zip(map(max, zip(*sides, strict=True)), ("left", "top", "right", "bottom"), strict=True))
    return f"{by:.1f} mm beyond its {side} edge"


def _is_within_reach(done: SetText, matrix: Matrix, trim: Rect, fonts: FontBook) -> bool:
    """Return True if a text of one run is inside `trim` even if every glyph has the largest ink of its font."""
    run = done.items[0] if len(done.items) == 1 else None
    if not isinstance(run, TextRun) or run.angle or run.places:
        return False
    left, low, right, high = fonts.get_font(run.font).measure_reach(run.glyphs)
    em = run.size * MM_PER_PT
    unit = em / 1000
    end = run.x + done.frame.width + em  # no glyph begins after it: blanks at a line's ends are half an em at most
    top = run.y - high * unit
    (x, y), (far, deep) = map_box(matrix, run.x + left * unit, top, end + right * unit, run.y - low * unit)
    return x >= trim.x and y >= trim.y and far <= trim.x + trim.width and deep <= trim.y + trim.height


def _is_ink_inside(done: SetText, matrix: Matrix, trim: Rect, fonts: FontBook) -> bool:
    """Return True if the boxes around whole runs are inside `trim`. If not, the glyphs may still be."""
    for item in done.items:
        box = measure_ink_box(item, matrix, fonts) if isinstance(item, TextRun) else None
        if box is not None and not trim.contains(box, slack=_CUT):
            return False
    return True


def map_frame(frame: TextFrame, matrix: Matrix) -> TextFrame:
    """Return the frame in face coordinates, or the box around it if it is turned."""
    if matrix == IDENTITY:
        return frame
    left, top, width, height, *_ = frame
    (x, y), (right, bottom) = map_box(matrix, left, top, left + width, top + height)
    size = frame.size * find_scale(matrix)
    return frame._replace(x=x, y=y, width=right - x, height=bottom - y, size=size)


# A piece is placed on the middle of the outline's box, upright or turned by 90 degrees.

Polygon: TypeAlias = tuple[Point, ...]

TOLERANCE = 0.05
"""Amount (mm) by which a space may be too small on each side: less than the precision of a cut."""

LEAST_CORNER = 1.0
"""Corner radius (mm) of rectangles that spaces may ignore, since boxes are often drawn slightly rounded."""

FINE = 0.005
"""Maximum distance (mm) between polygons and the curves that they follow."""

_APART = 2.0
"""Distance (mm) between the points of an edge at which two pieces are compared."""

_ROUND = tuple((math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in range(0, 91, 5))


def draw_footprint(kind: Kind) -> Polygon:
    """Return the area that a piece covers where it is placed, with its middle at (0, 0).

    A token covers its outline, a standing piece its feet, any other piece its face. Corners of rectangles are rounded
    as the kind says, by LEAST_CORNER at least.
    """
    if kind.outline:
        return centre_polygon(outlines.flatten_path(kind.outline, FINE)[0].points)
    if kind.form == "standee":
        return _draw_rectangle(kind.size.width, 2 * kind.foot, LEAST_CORNER)
    return _draw_rectangle(kind.size.width, kind.size.height, max(kind.corner, LEAST_CORNER))


def measure_outline_box(polygon: Polygon) -> Rect:
    """Return the box around a polygon."""
    around = outlines.bound_points(list(polygon))
    return around if around is not None else Rect(0, 0, 0, 0)


def centre_polygon(polygon: Polygon) -> Polygon:
    """Return the polygon with the middle of its box at (0, 0), rounded so that equal shapes are equal."""
    x, y = _find_middle(polygon)
    return tuple([(round(px - x, 4), round(py - y, 4)) for px, py in polygon])


def format_size(polygon: Polygon) -> str:
    """Return width and height as text, such as `63 x 88 mm`."""
    around = measure_outline_box(polygon)
    return f"{round(around.width, 2):g} x {round(around.height, 2):g} mm"


@lru_cache(1_000)  # many designs, in all languages, have the same spaces
def count_places(piece: Polygon, outlines: tuple[Polygon, ...]) -> int:
    """Return the number of outlines free for the piece. If one surrounds another, the inner one is the place."""
    laid: list[Polygon] = []
    for around in sorted(outlines, key=lambda polygon: abs(measure_double_area(polygon))):
        middle = _find_middle(around)
        if any(_is_covered(around, _find_middle(other)) for other in laid):
            continue
        for turned in (piece, _turn_quarter(piece)):
            here = _move_polygon(turned, middle)
            if is_inside_outline(turned, centre_polygon(around)) and not any(
                _do_overlap(here, other) for other in laid
            ):
                laid.append(here)
                break
    return len(laid)


@lru_cache(1_000)
def count_fitting(piece: Polygon, compartment: Polygon, wanted: int) -> int:
    """Return how many pieces (up to `wanted`) fit in rows and columns in the middle of one outline."""
    most = 0
    around, inside = measure_outline_box(compartment), centre_polygon(compartment)
    for turned in (piece, _turn_quarter(piece)):
        own = measure_outline_box(turned)
        columns = min(wanted, int((around.width + 2 * TOLERANCE) / own.width))
        rows = min(wanted, int((around.height + 2 * TOLERANCE) / own.height))
        for across in range(1, columns + 1):
            down = min(rows, math.ceil(wanted / across))
            grid = [
                ((column - (across - 1) / 2) * own.width, (row - (down - 1) / 2) * own.height)
                for row in range(down)
                for column in range(across)
            ]
            most = max(most, sum(is_inside_outline(_move_polygon(turned, middle), inside) for middle in grid))
            if most >= wanted:
                return wanted
    return most


@lru_cache(maxsize=4096)
def is_inside_outline(piece: Polygon, around: Polygon) -> bool:
    """Return True if a piece is inside an outline, at their present positions and within TOLERANCE."""
    wide, own = measure_outline_box(around), measure_outline_box(piece)
    if not wide.contains(own, slack=TOLERANCE):
        return False
    within, lain = (Loop(around, closed=True),), (Loop(piece, closed=True),)
    if any(_is_clearly(within, corner, inside=False) for corner in piece):
        return False
    return not any(_is_clearly(lain, corner, inside=True) for corner in around)  # the outline may bend inwards


def _is_clearly(loops: tuple[Loop, ...], spot: Point, *, inside: bool) -> bool:
    """Return True if a point is inside (or, if not `inside`, outside) an outline by more than TOLERANCE."""
    return outlines.is_point_inside(loops, *spot) == inside and outlines.measure_distance(loops, *spot) > TOLERANCE


def _do_overlap(piece: Polygon, neighbour: Polygon) -> bool:
    first, second = measure_outline_box(piece), measure_outline_box(neighbour)
    if not first.overlaps(second, slack=TOLERANCE):
        return False
    return any(_is_covered(neighbour, spot) for spot in _find_edge_spots(piece)) or any(
        _is_covered(piece, spot) for spot in _find_edge_spots(neighbour)
    )


def _find_edge_spots(piece: Polygon) -> Iterator[Point]:
    own, (x, y) = measure_outline_box(piece), _find_middle(piece)
    yield x, y
    share = 1 - 2 * TOLERANCE / min(own.width, own.height)
    inner = [(x + (px - x) * share, y + (py - y) * share) for px, py in piece]
    for (x0, y0), (x1, y1) in pairwise([*inner, inner[0]]):
        steps = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / _APART))
        yield from ((x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps) for step in range(steps))


def _is_covered(polygon: Polygon, spot: Point) -> bool:
    return outlines.is_point_inside((Loop(polygon, closed=True),), *spot)


def _draw_rectangle(width: float, height: float, corner: float) -> Polygon:
    radius = min(corner, width / 2, height / 2)
    x, y = width / 2 - radius, height / 2 - radius
    if not radius:
        return ((-x, -y), (x, -y), (x, y), (-x, y))
    arc = [(x + radius * cos, y + radius * sin) for cos, sin in _ROUND]
    half = [*arc, *((-px, py) for px, py in reversed(arc))]
    return (*half, *((-px, -py) for px, py in half))


def _find_middle(polygon: Polygon) -> Point:
    around = measure_outline_box(polygon)
    return around.x + around.width / 2, around.y + around.height / 2


def _move_polygon(polygon: Polygon, by: Point) -> Polygon:
    return tuple([(x + by[0], y + by[1]) for x, y in polygon])


def _turn_quarter(polygon: Polygon) -> Polygon:
    return tuple([(-y, x) for x, y in polygon])


SPACE, HOLDS, PILE = "space", "holds", "pile"
"""Keys of a group's data, without the `data-` of the template."""

_NO_PLACES = ("icon", "text")
"""Roles whose outlines are never places for pieces."""

ClippedPlace = tuple[Matrix, tuple[Clip, ...]]
"""A matrix, and the clips around what it places."""

_MOST = 1000
"""Maximum plausible number of places in one space."""


class PrintedSpace(NamedTuple):
    """A group of a face that holds pieces: the group's id, the kind of the pieces and their number.

    `holds` is None for a pile without a limit. `outlines` are the painted outlines in face coordinates, equal ones
    once. `cut_off` counts those that a clip or the cut crosses. `fault` is a mistake of the group itself.
    """

    id: str
    piece: str
    holds: int | None
    outlines: tuple[Polygon, ...]
    cut_off: int = 0
    fault: str = ""


def find_printed_spaces(drawing: Drawing) -> Iterator[PrintedSpace]:
    """Yield the spaces of a face in drawing order."""
    trim = (outlines.rectangle_path(Rect(0, 0, drawing.width, drawing.height)), IDENTITY, False)
    around: ClippedPlace = (IDENTITY, (trim,))
    for item, (matrix, clips) in visit_items(drawing.items, around, enter_item):
        if isinstance(item, Group) and (data := dict(item.data)).keys() & {SPACE, HOLDS, PILE}:
            yield _read_space(item, data, *enter_item(item, (matrix, clips)))


def enter_item(item: Group | PlacedSymbol, around: ClippedPlace) -> ClippedPlace:
    """Return the matrix and the clips for what is inside a group or symbol, from those `around` it."""
    matrix, clips = multiply(around[0], item.matrix), around[1]
    if isinstance(item, Group) and item.clip:
        clips = (*clips, (item.clip, matrix, item.clip_even_odd))
    return matrix, clips


def _read_space(group: Group, data: dict[str, str], matrix: Matrix, clips: tuple[Clip, ...]) -> PrintedSpace:
    whole: dict[tuple[tuple[float, float], ...], Polygon] = {}
    cut_off = 0
    for polygon, around in _find_outlines(group.items, matrix, clips):
        box = measure_outline_box(polygon)
        left = clip_box(box, around)
        if left is not None and left.contains(box, slack=TOLERANCE):
            whole.setdefault(tuple(sorted({(round(x, 2), round(y, 2)) for x, y in polygon})), polygon)
        else:
            cut_off += 1
    holds, fault = _read_number(data)
    return PrintedSpace(group.id, data.get(SPACE, ""), holds, tuple(whole.values()), cut_off, fault)


def find_space_fault(data: Mapping[str, str]) -> str:
    """Return the mistake in a group's data on the pieces in it (`data-space`, `data-holds`, `data-pile`), or ''."""
    return _read_number(data)[1] if data.keys() & {SPACE, HOLDS, PILE} else ""


def _read_number(data: Mapping[str, str]) -> tuple[int | None, str]:
    """Return how many pieces a group's data say that it holds (None: any number), and a mistake in them or ''."""
    holds, pile = data.get(HOLDS), data.get(PILE)
    if SPACE not in data:
        return None, "has no data-space, which names its space"
    if (holds is None) == (pile is None):
        return None, "needs either data-holds or data-pile"
    if holds is None:
        return None, "" if pile == "yes" else f'has data-pile="{pile}"; write "yes", or data-holds'
    if not (holds.isascii() and holds.isdigit() and len(holds) < 9 and 1 <= int(holds) <= _MOST):
        return None, f'has data-holds="{holds[:20]}"; write a whole number from 1 to {_MOST}'
    return int(holds), ""


def _find_outlines(
    items: Sequence[Item], matrix: Matrix, clips: tuple[Clip, ...]
) -> Iterator[tuple[Polygon, tuple[Clip, ...]]]:
    """Yield every closed or filled outline that is painted, with its clips. Text and icons are not places."""
    for item, (at, around) in visit_items(items, (matrix, clips), _enter_graphics):
        if isinstance(item, Shape) and item.role not in _NO_PLACES and (item.fill or item.stroke):
            scale = find_scale(at)
            for loop in outlines.flatten_path(item.path, FINE / scale) if scale else ():
                if (loop.closed or item.fill) and len(loop.points) > 2:
                    yield tuple([map_point(at, point) for point in loop.points]), around


def _enter_graphics(item: Group | PlacedSymbol, around: ClippedPlace) -> ClippedPlace | None:
    """Return the matrix and clips inside a group or symbol, as `enter_item` does, but None for texts and icons."""
    return None if isinstance(item, PlacedSymbol) and item.role in _NO_PLACES else enter_item(item, around)
