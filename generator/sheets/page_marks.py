"""Marks of a page: cut marks, fold lines, cut lines, registration marks, rulers, notes."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Role, Shape, Symbol, format_mm
from generator.base.geometry import IDENTITY, MM_PER_INCH, MM_PER_PT, Rect, Size
from generator.base.outlines import find_bounds, rectangle_path
from generator.game import piece_outlines
from generator.game.print_pages import Piece
from generator.sheets.imposition import Arrangement, Axis, mirror_rect
from generator.sheets.slug import BASELINE, INDENT, LABEL_PT, Side, Slug, Spot, Typeset, estimate_width, take_lines

if TYPE_CHECKING:
    from generator.game.presets import Cutter

LINE = 0.25 * MM_PER_PT
CASING = 1.0 * MM_PER_PT
DARK = "ink"
LIGHT = "#ffffff"
FOLD_DASH = (3.0, 1.5)


def find_fold(paper: Size, fold: Axis) -> float:
    """Return the x of a vertical or the y of a horizontal fold: the middle of the paper."""
    return round((paper.width if fold == "vertical" else paper.height) / 2, 3)


def draw_cut_line(path: str, box: Rect) -> tuple[Item, ...]:
    """Draw the line around a piece that is cut out singly; `box` is the box of the closed path, role `cut`.

    Its casing is outside only, so that no white rim remains on the piece.
    """
    casing = Shape(path=path, stroke=LIGHT, width=CASING, join="round", role="cut")
    outside = f"{rectangle_path(box.grow(CASING))} {path}"
    return (
        Group((casing,), clip=outside, clip_even_odd=True),
        Shape(path=path, stroke=DARK, width=LINE, join="round", role="cut"),
    )


def draw_cased_line(path: str, role: Role, dash: tuple[float, ...] = ()) -> tuple[Item, ...]:
    """Draw a dark hairline over a wider white one along the same path."""
    return (
        Shape(path=path, stroke=LIGHT, width=CASING, role=role),
        Shape(path=path, stroke=DARK, width=LINE, dash=dash, role=role),
    )


def _segment_path(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f"M {format_mm(start[0])} {format_mm(start[1])} L {format_mm(end[0])} {format_mm(end[1])}"


RULER_SIDES: tuple[Side, ...] = ("top", "bottom", "left", "right")

_FOOT = 2.6
_CAPTION_SPACE = 1.0


class Ruler(NamedTuple):
    """A scale of `length` mm with a tick every `step` mm; each `middle`th is longer, each `major`th the longest."""

    caption: str
    length: float
    step: float
    middle: int
    major: int

    @property
    def room(self) -> float:
        """Return the length of the spot for the ruler and its caption (mm)."""
        return self.length + _CAPTION_SPACE + estimate_width(self.caption)


METRIC = Ruler("50 mm", 50.0, 1.0, 5, 10)
IMPERIAL = Ruler("2 in", 2 * MM_PER_INCH, MM_PER_INCH / 8, 4, 8)
RULERS = (METRIC, IMPERIAL)


def draw_ruler(ruler: Ruler, spot: Spot, typeset: Typeset) -> tuple[Item, ...]:
    """Draw the scale as one path (role `mark`) with a first segment of exactly `length` mm, and its caption."""
    parts = [_segment_path(spot.point_at(0, _FOOT), spot.point_at(ruler.length, _FOOT))]
    for tick in range(round(ruler.length / ruler.step) + 1):
        height = 2.2 if tick % ruler.major == 0 else 1.6 if tick % ruler.middle == 0 else 1.0
        along = tick * ruler.step
        parts.append(_segment_path(spot.point_at(along, _FOOT), spot.point_at(along, _FOOT - height)))
    x, y = spot.point_at(ruler.length + _CAPTION_SPACE, BASELINE)
    scale = Shape(path=" ".join(parts), stroke=DARK, width=LINE, role="mark")
    return (scale, *typeset(ruler.caption, x, y, LABEL_PT, "start", spot.angle))


class Furniture(NamedTuple):
    """Where on the page both rulers and each line of text are placed."""

    rulers: tuple[tuple[Ruler, Spot], ...]
    lines: tuple[tuple[str, Spot], ...]


class _SharedFurniture(NamedTuple):
    """Items that pages with equal notes and marks share; `spots` are the text places, each with its number of words."""

    items: tuple[Item, ...]
    spots: tuple[tuple[int, Spot], ...]


def place_furniture(slug: Slug, notes: Sequence[str], order: str = "") -> Furniture | None:
    """Reserve a spot for each ruler and every line of the notes. Return None if one does not fit.

    `order`, the note on the order of cuts, needs one line at one edge; without room for that it is left out.
    """
    rulers: list[tuple[Ruler, Spot]] = []
    for ruler in RULERS:
        spot = slug.take_spot(ruler.room, RULER_SIDES)
        if spot is None:
            return None
        rulers.append((ruler, spot))
    lines: list[tuple[str, Spot]] = []
    for nth, note in enumerate((*notes, order) if order else notes):
        taken = take_lines(slug, note, torn=nth < len(notes))
        if taken is None:
            return None
        lines += taken
    return Furniture(tuple(rulers), tuple(lines))


class Furnisher:
    """Draws rulers, marks and notes of the pages of one print. Parts that pages share are drawn once, as one symbol."""

    def __init__(self, paper: Size, printable: Rect, typeset: Typeset, reserved: Sequence[Rect] = ()):
        self._paper, self._printable, self._typeset, self._reserved = paper, printable, typeset, reserved
        self._fixed: dict[Hashable, _SharedFurniture | None] = {}

    def draw_furniture(
        self, lie: Arrangement, notes: Sequence[str], marked: Collection[int], order: str = "", axis: Axis | None = None
    ) -> tuple[Item, ...] | None:
        """Return rulers, cut marks of the slots in `marked`, fold line, notes, `order` of cuts; None if they don't fit.

        Positions are chosen as if every slot had its marks, so that all pages of an arrangement look alike. On the back
        of a sheet that is turned about an `axis`, they are mirrored if art or margins are uneven.
        """
        if axis and all(mirror_rect(box, self._paper, axis).contains(box) for box in (lie.art, self._printable)):
            axis = None
        key = (lie, tuple([tuple(map(estimate_width, note.split())) for note in (*notes, order)]), tuple(marked), axis)
        if key not in self._fixed:
            self._fixed[key] = self._make_shared(lie, notes, marked, order, axis)
        fixed = self._fixed[key]
        if fixed is None:
            return None
        words = iter(" ".join((*notes, order)).split())
        items = list(fixed.items)
        for number, spot in fixed.spots:
            x, y = spot.point_at(INDENT, BASELINE)
            items += self._typeset(" ".join(islice(words, number)), x, y, LABEL_PT, "start", spot.angle)
        return tuple(items)

    def _make_shared(
        self, lie: Arrangement, notes: Sequence[str], marked: Collection[int], order: str, axis: Axis | None
    ) -> _SharedFurniture | None:
        def turn(spot: Spot) -> Spot:
            return spot._replace(box=mirror_rect(spot.box, self._paper, axis)) if axis else spot

        xs, ys = lie.list_cuts(range(lie.capacity))
        if lie.fold:
            (xs if lie.fold == "vertical" else ys).append(find_fold(lie.paper, lie.fold))
        for plain in (False, True):
            slug = Slug(lie.art, self._printable, sorted(xs), sorted(ys), plain).keep_free(self._reserved)
            furniture = place_furniture(slug, notes, order)
            if furniture is not None:
                items = [
                    item for ruler, spot in furniture.rulers for item in draw_ruler(ruler, turn(spot), self._typeset)
                ]
                xs, ys = lie.list_cuts(marked)
                marks = [mark for x in xs for mark in slug.find_marks("vertical", x)]
                marks += [mark for y in ys for mark in slug.find_marks("horizontal", y)]
                if marks:
                    cuts = " ".join(_segment_path(mark.inner, mark.outer) for mark in marks)
                    items += draw_cased_line(cuts, "mark")
                if lie.fold:  # a dashed line from one fold mark to the other, across the gutter
                    first, second = slug.find_marks(lie.fold, find_fold(lie.paper, lie.fold))
                    items += draw_cased_line(_segment_path(first.outer, second.outer), "fold", FOLD_DASH)
                symbol = Symbol("rulers and marks", tuple(items), (0.0, 0.0, self._paper.width, self._paper.height))
                spots = tuple([(len(line.split()), turn(spot)) for line, spot in furniture.lines])
                return _SharedFurniture((PlacedSymbol(symbol, IDENTITY, role="mark"),), spots)
        return None


def list_registration_boxes(paper: Size, cutter: "Cutter") -> tuple[Rect, ...]:
    """Return the boxes around the marks of a cutting machine that must stay bare."""
    boxes = map(find_bounds, make_registration_paths(paper, cutter))
    return tuple([box.grow(cutter.clear) for box in boxes if box is not None])


def make_registration_paths(paper: Size, cutter: "Cutter") -> tuple[str, ...]:
    """Return the marks of a cutting machine as closed paths in page coordinates (mm)."""
    paths = []
    for mark in cutter.marks:
        right, bottom = mark.corner.endswith("right"), mark.corner.startswith("bottom")
        points = [(paper.width - x if right else x, paper.height - y if bottom else y) for x, y in mark.points]
        paths.append(make_closed_path(points))
    return tuple(paths)


def draw_registration(paper: Size, cutter: "Cutter") -> tuple[Item, ...]:
    """Draw the registration marks in black ink, with role `mark`."""
    return (Shape(" ".join(make_registration_paths(paper, cutter)), fill="ink", role="mark"),)


def make_closed_path(points: Iterable[tuple[float, float]]) -> str:
    """Return the path of a polygon with these corners (mm)."""
    return f"M {' L '.join(f'{format_mm(x)} {format_mm(y)}' for x, y in points)} Z"


_RIM = 2.2 * LINE
"""Width of the light line below a shared cut line (mm), too narrow to be seen on a cut-out piece."""


def cut_face(drawing: Drawing, outline: str, reach: float, line: bool = True) -> Drawing:
    """Clip the face to its outline grown by `reach` mm and, with `line`, draw the cut line over it.

    `outline` is a closed path in face coordinates, empty for the rectangle of the face. The bleed of the result is the
    remaining bleed of the face, and at least half of the line.
    """
    path = outline or _make_trim_path(drawing)
    art = Group(drawing.items, clip=piece_outlines.grow_outline(path, reach))
    lines = _draw_lines_around(path, drawing) if line else ()
    bleed = max(min(drawing.bleed, reach), CASING / 2 if line else 0.0)
    return drawing._replace(bleed=bleed, items=(art, *lines))


def _draw_lines_around(path: str, drawing: Drawing) -> tuple[Item, ...]:
    """Draw the cut line with a light casing outside it; for a straight piece also a narrow light line under it.

    Straight neighbours that touch share the line and leave no room for its casing. Without the light line it would be
    invisible between two dark pieces.
    """
    casing, dark = draw_cut_line(path, Rect(0, 0, drawing.width, drawing.height))
    if path != _make_trim_path(drawing):
        return casing, dark
    return casing, Shape(path=path, stroke=LIGHT, width=_RIM, role="cut"), dark


def mirror_back_outline(outline: str, width: float) -> str:
    """Mirror the outline for a back: the reader turns the piece sideways, so left and right swap."""
    return piece_outlines.mirror_outline(outline, width)


def find_cut_line(drawing: Drawing) -> str:
    """Return the path of a drawing's cut line, or an empty string."""
    lines = (item for item in drawing.items if isinstance(item, Shape) and item.role == "cut")
    return next((line.path for line in lines), "")


def is_cut_straight(drawing: Drawing) -> bool:
    """Return True if straight cuts along the trim suffice, so that neighbours may share them.

    Folded pieces need more: their net is cut out singly.
    """
    folded = any(isinstance(item, Shape) and item.role == "fold" for item in drawing.items)
    return not folded and find_cut_line(drawing) in ("", _make_trim_path(drawing))


def find_face_outline(piece: Piece, drawing: Drawing) -> str:
    """Return the cut outline of a piece as seen on this face; empty for straight pieces."""
    front = piece.front.to_drawing()
    if is_cut_straight(front):
        return ""
    outline = find_cut_line(front)
    return outline if drawing is front else mirror_back_outline(outline, front.width)


def _make_trim_path(drawing: Drawing) -> str:
    return rectangle_path(Rect(0, 0, drawing.width, drawing.height))
