"""Scenes for shop pictures: a fan of cards, a hand, the table, a standing box."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, log, radians, sin
from typing import NamedTuple

from generator.base.colour import mix_colours
from generator.base.display_list import Drawing, Group, Item, Paint, Shape, format_mm
from generator.base.geometry import IDENTITY, QUARTER, Matrix, Point, Rect, map_point, multiply
from generator.base.outlines import bound_points, find_bounds, rectangle_path
from generator.drawing.faces.face_marks import draw_rounded_box
from generator.game.model import FaceName, Kind
from generator.production.box_net import TuckBox

SHADE = "#14100c"
"""The colour of shadows: a slightly warm black."""

PAPER, PAPER_DARK = "#f3efe6", "#b9b1a2"
"""Colours of the edges of card stock: the lit edge and the shaded edge."""

_FALL = (0.55, 0.85)
"""How far shadow and bottom face of a piece are shifted right and down, per mm of its thickness."""

_LAYERS, _DENSITY = 14, 0.034
"""Number and opacity of the nested outlines that make a soft shadow. In its middle, about half the light is left."""

_CARD, _BOARD = 0.3, 1.6
"""Thickness of a card and of a board (mm)."""

_EDGE_STEP = 0.32


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A face as a piece in a scene (mm from 0, 0): `outline` is its cut path, `corner` the radius of its corners."""

    face: Drawing
    outline: str
    corner: float
    thick: float
    """Thickness (mm); for a deck, that of all its cards."""

    @property
    def box(self) -> Rect:
        """Return the bounding box of the face (mm)."""
        return Rect(0, 0, self.face.width, self.face.height)

    def map_corners(self, at: Matrix) -> tuple[Point, ...]:
        """Return the four corners of the face's box after the transformation `at`."""
        box = self.box
        return tuple(map_point(at, one) for one in ((0, 0), (box.right, 0), (box.right, box.bottom), (0, box.bottom)))


def make_exhibit(face: Drawing, kind: Kind, cards: int = 1) -> Exhibit:
    """Return a piece of a kind with its outline and thickness, or a pile of `cards` cards."""
    corner = kind.corner if kind.form == "card" and not kind.outline else 0.0
    outline = kind.outline or draw_rounded_box(Rect(0, 0, face.width, face.height), corner)
    thick = _CARD * cards if kind.form in ("card", "pad") else _BOARD
    return Exhibit(face, outline, corner, thick)


def make_placement_matrix(x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> Matrix:
    """Return the matrix that scales, rotates clockwise by degrees around (0, 0), and then moves to x, y."""
    c, s = scale * cos(radians(turn)), scale * sin(radians(turn))
    return (c, s, -s, c, x, y)


def draw_exhibit(thing: Exhibit, matrix: Matrix) -> Iterator[Item]:
    """Draw a thing at a matrix: its shadow, its edge, its face. The light always comes from the same side."""
    scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
    far = min(1.2 + thing.thick, 9.0)
    soft = min(1.4 + 0.7 * thing.thick, 6.0)
    moved = multiply(_shift_matrix(far * scale), matrix)
    outlines = tuple(_grow_outline(thing, soft * (1 - 2 * n / (_LAYERS - 1))) for n in range(_LAYERS))
    yield draw_soft_shape(outlines, moved)
    steps = max(1, round(thing.thick / _EDGE_STEP))
    for n in range(steps, 0, -1):
        paint = mix_colours(PAPER, PAPER_DARK, 0.55 if n == steps else 0.75 * (n % 2))
        below = multiply(_shift_matrix(0.8 * n * _EDGE_STEP * scale), matrix)
        yield Group((Shape(path=thing.outline, fill=paint),), below)
    line = Shape(path=thing.outline, stroke=SHADE, width=0.12)
    yield Group((Group(thing.face.items, clip=thing.outline), Group((line,), opacity=0.35)), matrix)


def draw_soft_shape(outlines: tuple[str, ...], at: Matrix = IDENTITY, density: float = _DENSITY) -> Group:
    """Draw outlines on top of each other, each with opacity `density`, so that the shape gets darker inwards."""
    return Group(tuple(Group((Shape(path=path, fill=SHADE),), opacity=density) for path in outlines), at)


def _shift_matrix(far: float) -> Matrix:
    return (1.0, 0.0, 0.0, 1.0, _FALL[0] * far, _FALL[1] * far)


def _grow_outline(thing: Exhibit, by: float) -> str:
    """Return the outline enlarged by `by` mm on each side. Scale an outline that is not a rounded rectangle."""
    if thing.outline == draw_rounded_box(thing.box, thing.corner):
        return draw_rounded_box(thing.box.grow(by), max(thing.corner + by, 0.4))
    return scale_path(thing.outline, by)


def scale_path(path: str, by: float) -> str:
    """Scale a closed path around its middle so that it grows by `by` on each side."""
    box = find_bounds(path) or Rect(0, 0, 1, 1)
    x, y = box.x + box.width / 2, box.y + box.height / 2
    wide, high = 1 + 2 * by / box.width, 1 + 2 * by / box.height
    values: list[str] = []
    across = True
    for part in path.split():
        if part.isalpha():
            values.append(part)
            across = True
            continue
        middle, factor = (x, wide) if across else (y, high)
        values.append(f"{middle + (float(part) - middle) * factor:.3f}")
        across = not across
    return " ".join(values)


def frame_items(items: tuple[Item, ...], scale: float, x: float, y: float) -> Group:
    """Return items of a scene, scaled and moved to the scene's place in the picture."""
    return Group(items, (scale, 0.0, 0.0, scale, x, y))


_AWAY = (0.6, -0.4)
"""Shift of the box's back edge per mm of its depth: right and up (an oblique projection)."""

_DARKER: Mapping[FaceName, float] = {"front": 0.0, "right": 0.3}
_LIGHTER = 0.1
"""Opacity of the white that lightens the lid and the right side."""


@dataclass(frozen=True, slots=True)
class BoxExhibit:
    """A box with its walls’ pictures, the front’s upper left corner at (0, 0); `inside` is its flap’s colour."""

    box: TuckBox
    walls: Mapping[FaceName, Drawing]
    inside: Paint

    @property
    def width(self) -> float:
        """Return the width of its front."""
        return self.box.width

    @property
    def height(self) -> float:
        """Return the height of its front."""
        return self.box.height

    @property
    def _back_offset(self) -> Point:
        return self.box.depth * _AWAY[0], self.box.depth * _AWAY[1]

    def list_corners(self) -> tuple[Point, ...]:
        """Return the corners of the area that it covers, without its shadow."""
        x, y = self._back_offset
        return (0, y), (self.width + x, y), (self.width + x, self.height), (0, self.height)

    def draw_items(self) -> Iterator[Item]:
        """Draw its shadow on the ground, its three walls and the notch."""
        w, h = self.width, self.height
        x, y = self._back_offset
        lies = _build_polygon((0.03 * w, h), (w, h), (w + x + 0.42 * w, h + y + 0.03 * h), (0.3 * w + x, h + y))
        yield draw_soft_shape(tuple(scale_path(lies, 4.0 - 0.55 * n) for n in range(14)), density=0.042)
        foot = _build_polygon(
            (0, h - 2), (w, h - 2), (w + x, h + y - 1), (w + x, h + y + 1.2), (w, h + 1.4), (0, h + 1.4)
        )
        yield draw_soft_shape(tuple(scale_path(foot, 1.2 - 0.2 * n) for n in range(8)), density=0.06)
        deep = self.box.depth
        lid = self.box.face_size("top")
        yield self._draw_wall("front", Rect(0, 0, w, h), (1, 0, 0, 1, 0, 0))
        yield self._draw_wall("right", Rect(0, 0, deep, h), (_AWAY[0], _AWAY[1], 0, 1, w, 0))
        across = w / lid.width
        yield self._draw_wall("top", Rect(0, 0, lid.width, deep), (across, 0, -_AWAY[0], -_AWAY[1], x, y))
        yield from self._draw_notch()
        width, height, x_far, y_far = map(format_mm, (w, h, w + x, y))
        edges = f"M 0 0 L {width} 0 L {width} {height} M {width} 0 L {x_far} {y_far}"
        yield Group((Shape(path=edges, stroke="#ffffff", width=0.25),), opacity=0.28)

    def _draw_wall(self, name: FaceName, box: Rect, matrix: Matrix) -> Group:
        path = rectangle_path(box)
        parts: list[Item] = [Group(self.walls[name].items, clip=path)]
        dark = _DARKER.get(name)
        if dark is None:
            parts.append(Group((Shape(path=path, fill="#ffffff"),), opacity=_LIGHTER))
        elif dark:
            parts.append(Group((Shape(path=path, fill=SHADE),), opacity=dark))
        return Group(tuple(parts), matrix)

    def _draw_notch(self) -> Iterator[Item]:
        """Draw the half circle in the front, which shows the lid's flap."""
        m, r = self.width / 2, self.box.notch
        k = r * QUARTER
        numbers = (m - r, 0, m - r, k, m - k, r, m, r, m + k, r, m + r, k, m + r, 0)
        a, b, *rest = (format_mm(value) for value in numbers)
        path = f"M {a} {b} C {' '.join(rest[:6])} C {' '.join(rest[6:])} Z"
        yield Shape(path=path, fill=self.inside)
        yield Group((Shape(path=path, fill=SHADE),), opacity=0.25)
        yield Group((Shape(path=path, stroke=SHADE, width=0.3),), opacity=0.5)


def _build_polygon(*points: Point) -> str:
    first, *others = (f"{format_mm(x)} {format_mm(y)}" for x, y in points)
    return f"M {first} {' '.join(f'L {point}' for point in others)} Z"


class LaidExhibit(NamedTuple):
    """A piece and the matrix that places it in the scene."""

    thing: Exhibit
    at: Matrix


_SEEN = 0.52
"""Part of a fanned card's width that stays visible under the next card."""

_REACHES = (1.05, 1.3, 1.6, 2.0, 2.6, 3.4, 4.6, 6.5)
"""Radii to try for a fan of cards, in card heights. A smaller radius makes a rounder fan."""

_TURNS = (-2.4, 1.6, -0.9, 2.3, -1.5, 0.8, -2.0, 1.2)
"""Rotations of pieces on a table (degrees), used in turn so that they look put down by hand."""


def draw_fan(things: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Draw cards as a fan that fills the frame: choose the radius whose proportions are closest to the frame's."""
    wanted = frame.width / frame.height
    best = min((_fan_cards(things, reach) for reach in _REACHES), key=lambda laid: abs(_measure_ratio(laid) - wanted))
    yield _fit_laid(best, frame.grow(-0.06 * min(frame.width, frame.height)))


def draw_hand(things: Sequence[Exhibit], behind: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Draw cards held in a hand at the lower edge, and further things on the table behind it."""
    lane = Rect(frame.x, frame.y + 0.06 * frame.height, frame.width, 0.4 * frame.height)
    if behind:
        row = _lay_row(behind, 16.0)
        yield _fit_laid(row, lane.grow(-0.02 * lane.height))
    held = _fan_cards(things, 1.35, 0.45)
    box = _find_bounds(held)
    scale = min(0.8 * frame.width / box.width, 0.95 * frame.height / box.height)
    x = frame.x + frame.width / 2 - (box.x + box.width / 2) * scale
    y = frame.y + 0.4 * frame.height - box.y * scale
    yield frame_items(tuple(_draw_laid(held)), scale, x, y)


def draw_table(things: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Draw pieces in slanted rows that continue past the frame's edges. Draw only a few as one row inside it."""
    if len(things) < _FEW:
        yield _fit_laid(_lay_row(things, 14.0), frame.grow(-0.1 * min(frame.width, frame.height)))
        return
    laid = _lay_rows(things, frame.width / frame.height)
    box = _find_bounds(laid)
    scale = 1.1 * max(frame.width / box.width, frame.height / box.height)
    turned = make_placement_matrix(frame.x + frame.width / 2, frame.y + frame.height / 2, -6.0, scale)
    middle = make_placement_matrix(-box.x - box.width / 2, -box.y - box.height / 2)
    for thing, at in laid:
        yield from draw_exhibit(thing, multiply(multiply(turned, middle), at))


def draw_box(box: BoxExhibit, things: Sequence[Exhibit], frame: Rect) -> Iterator[Item]:
    """Draw the standing box with a fan of its cards behind it."""
    cards = _fan_cards(things, 0.95, 0.34) if things else []
    if cards:
        fanned = _find_bounds(cards)
        scale = box.height / things[0].box.height
        x, y = 0.42 * box.width - (fanned.x + fanned.width / 2) * scale, -0.52 * box.height - fanned.y * scale
        to = make_placement_matrix(x, y, 0.0, scale)
        cards = [LaidExhibit(thing, multiply(to, at)) for thing, at in cards]
    items = (*_draw_laid(cards), *box.draw_items())
    whole = bound_points([*(point for laid in cards for point in laid.thing.map_corners(laid.at)), *box.list_corners()])
    if whole is not None:
        yield _fit_items(items, whole, frame.grow(-0.1 * min(frame.width, frame.height)))


_FEW = 6
_GAP = 9.0
_HIGHER = 1.3

_SMALL = 63.0
"""Width of a column of tokens: that of a card (mm)."""


def _lay_exhibit(thing: Exhibit, x: float, y: float, turn: float) -> LaidExhibit:
    """Place a piece with its middle at x, y, rotated by `turn` degrees."""
    from_middle = make_placement_matrix(-thing.box.width / 2, -thing.box.height / 2)
    return LaidExhibit(thing, multiply(make_placement_matrix(x, y, turn), from_middle))


def _fan_cards(things: Sequence[Exhibit], reach: float, visible_share: float = _SEEN) -> list[LaidExhibit]:
    """Place cards on an arc of radius `reach` (card heights); `visible_share` of each one's width stays uncovered."""
    first = things[0].box
    radius = reach * first.height
    step = 57.3 * visible_share * first.width / (radius + first.height / 2)
    laid = []
    for n, thing in enumerate(things):
        turn = (n - (len(things) - 1) / 2) * step
        x, y = radius * sin(radians(turn)), -radius * cos(radians(turn))
        laid.append(_lay_exhibit(thing, x, y, turn))
    return laid


def _lay_row(things: Sequence[Exhibit], gap: float) -> list[LaidExhibit]:
    """Place pieces side by side, `gap` mm apart and slightly rotated, with their middles at height 0."""
    laid, x = [], 0.0
    for n, thing in enumerate(things):
        turn = _TURNS[n % len(_TURNS)]
        laid.append(_lay_exhibit(thing, x + thing.box.width / 2, 0.0, turn))
        x += thing.box.width + gap
    return laid


class _Column(NamedTuple):
    """Pieces stacked in lines, one line below the other; each line has pieces side by side."""

    lines: list[list[Exhibit]]
    width: float

    @property
    def height(self) -> float:
        return sum(_measure_height(line) + _GAP for line in self.lines) - _GAP


def _lay_rows(things: Sequence[Exhibit], wanted: float) -> list[LaidExhibit]:
    """Place pieces in rows of columns. Choose the rows whose width-to-height ratio is closest to `wanted`."""
    columns = list(_stack_columns(things, _HIGHER * max(thing.box.height for thing in things)))
    high = max(column.height for column in columns)
    whole = sum(column.width + _GAP for column in columns)
    ways = [_break_columns(columns, whole / number + 1) for number in range(1, len(columns) + 1)]
    found = []
    for rows in ways:
        widths = [_measure_row(row) for row in rows]
        placed = (_place_row(row, n, n * (high + _GAP), max(widths), high) for n, row in enumerate(rows))
        laid = [one for row in placed for one in row]
        # The distance from the wanted shape, plus the unevenness of the rows: an empty one leaves a hole.
        found.append((abs(log(_measure_ratio(laid) / wanted)) + (1 - min(widths) / max(widths)), laid))
    return min(found, key=lambda way: way[0])[1]


def _stack_columns(things: Sequence[Exhibit], high: float) -> Iterator[_Column]:
    """Stack pieces to columns at most `high` mm high; put small ones side by side. Yield each full column."""
    lines: list[list[Exhibit]] = []
    width = 0.0
    for thing in things:
        fits = bool(lines) and _measure_width([*lines[-1], thing]) <= width
        if fits and _measure_height(lines[-1]) < _SMALL >= thing.box.height:
            lines[-1].append(thing)
        elif lines and (
            _Column([*lines, [thing]], 0).height > high or not 0.7 * width < max(thing.box.width, _SMALL) < 1.4 * width
        ):
            yield _Column(lines, width)
            lines, width = [[thing]], max(thing.box.width, _SMALL)
        else:
            lines.append([thing])
            width = max(width, thing.box.width, _SMALL)
    if lines:
        yield _Column(lines, width)


def _measure_width(line: Sequence[Exhibit]) -> float:
    return sum(thing.box.width + _GAP for thing in line) - _GAP


def _measure_height(line: Sequence[Exhibit]) -> float:
    return max(thing.box.height for thing in line)


def _break_columns(columns: Sequence[_Column], width: float) -> list[list[_Column]]:
    """Split columns into rows about `width` mm wide."""
    rows: list[list[_Column]] = [[]]
    used = 0.0
    for column in columns:
        if rows[-1] and used + column.width / 2 > width:
            rows.append([])
            used = 0.0
        rows[-1].append(column)
        used += column.width + _GAP
    return rows


def _measure_row(row: Sequence[_Column]) -> float:
    return sum(column.width + _GAP for column in row)


def _place_row(row: Sequence[_Column], number: int, top: float, widest: float, high: float) -> Iterator[LaidExhibit]:
    spare = (widest - _measure_row(row)) / len(row)
    x, k = spare / 2, number
    for column in row:
        y = top + (high - column.height) / 2
        for line in column.lines:
            left = x + (column.width - _measure_width(line)) / 2
            for thing in line:
                turn = _TURNS[k % len(_TURNS)]
                yield _lay_exhibit(thing, left + thing.box.width / 2, y + _measure_height(line) / 2, turn)
                left += thing.box.width + _GAP
                k += 1
            y += _measure_height(line) + _GAP
        x += column.width + _GAP + spare


def _measure_ratio(laid: Sequence[LaidExhibit]) -> float:
    box = _find_bounds(laid)
    return box.width / box.height


def _find_bounds(laid: Sequence[LaidExhibit]) -> Rect:
    points: list[Point] = [point for one in laid for point in one.thing.map_corners(one.at)]
    return bound_points(points) or Rect(0, 0, 1, 1)


def _draw_laid(laid: Sequence[LaidExhibit]) -> Iterator[Item]:
    for thing, at in laid:
        yield from draw_exhibit(thing, at)


def _fit_laid(laid: Sequence[LaidExhibit], frame: Rect) -> Item:
    return _fit_items(tuple(_draw_laid(laid)), _find_bounds(laid), frame)


def _fit_items(items: tuple[Item, ...], box: Rect, frame: Rect) -> Item:
    """Scale items with the bounds `box` to the largest size that fits the frame, and centre them."""
    scale = min(frame.width / box.width, frame.height / box.height)
    x = frame.x + frame.width / 2 - (box.x + box.width / 2) * scale
    y = frame.y + frame.height / 2 - (box.y + box.height / 2) * scale
    return frame_items(items, scale, x, y)
