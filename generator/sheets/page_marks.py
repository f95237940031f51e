"""Marks of a page: cut marks, fold lines, cut lines, registration marks, rulers, notes."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing, Group, Item, Placed, Role, Shape, Symbol, number
from generator.base.geometry import IDENTITY, MM_PER_INCH, MM_PER_PT, Rect, Size
from generator.base.outlines import rectangle
from generator.game import piece_outlines
from generator.game.print_pages import Piece
from generator.sheets.imposition import Arrangement, Axis
from generator.sheets.slug import BASELINE, LABEL_PT, Mark, Side, Slug, Spot, Typeset, line_items, reach, take_lines

LINE = 0.25 * MM_PER_PT
CASING = 1.0 * MM_PER_PT
DARK = "ink"
LIGHT = "#ffffff"
FOLD_DASH = (3.0, 1.5)


def fold_line(paper: Size, fold: Axis) -> float:
    """Return the x of a vertical or the y of a horizontal fold: the middle of the paper."""
    return round((paper.width if fold == "vertical" else paper.height) / 2, 3)


def cut_mark_items(marks: Sequence[Mark]) -> tuple[Item, ...]:
    """Draw one casing and one line through all marks, with role `mark`."""
    path = " ".join(_segment(mark.inner, mark.outer) for mark in marks)
    return cased_line(path, "mark") if path else ()


def fold_items(ends: Sequence[Mark]) -> tuple[Item, ...]:
    """Draw a dashed line from one fold mark to the other, across the gutter, with role `fold`."""
    first, second = ends
    return cased_line(_segment(first.outer, second.outer), "fold", FOLD_DASH)


def cut_line_items(path: str, box: Rect) -> tuple[Item, ...]:
    """Draw the line around a piece that is cut out singly; `box` is the box of the closed path, role `cut`.

    Its casing is outside only, so that no white rim remains on the piece.
    """
    casing = Shape(path=path, stroke=LIGHT, width=CASING, join="round", role="cut")
    outside = f"{rectangle(box.grown(CASING))} {path}"
    return (
        Group((casing,), clip=outside, clip_even_odd=True),
        Shape(path=path, stroke=DARK, width=LINE, join="round", role="cut"),
    )


def cased_line(path: str, role: Role, dash: tuple[float, ...] = ()) -> tuple[Item, ...]:
    """Draw a dark hairline over a wider white one along the same path."""
    return (
        Shape(path=path, stroke=LIGHT, width=CASING, role=role),
        Shape(path=path, stroke=DARK, width=LINE, dash=dash, role=role),
    )


def _segment(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f"M {number(start[0])} {number(start[1])} L {number(end[0])} {number(end[1])}"


RULER_SIDES: tuple[Side, ...] = ("top", "bottom", "left", "right")

_FOOT = 2.6
_CAPTION_SPACE = 1.0


@dataclass(frozen=True, slots=True)
class Ruler:
    """A scale of `length` mm with a tick every `step` mm; each `middle`th is longer, each `major`th the longest."""

    caption: str
    length: float
    step: float
    middle: int
    major: int

    @property
    def room(self) -> float:
        """Return the length of the spot for the ruler and its caption (mm)."""
        return self.length + _CAPTION_SPACE + reach(self.caption)


METRIC = Ruler("50 mm", 50.0, 1.0, 5, 10)
IMPERIAL = Ruler("2 in", 2 * MM_PER_INCH, MM_PER_INCH / 8, 4, 8)
RULERS = (METRIC, IMPERIAL)


def take_rulers(slug: Slug) -> list[tuple[Ruler, Spot]] | None:
    """Reserve a spot for each ruler. Return None if one does not fit."""
    taken: list[tuple[Ruler, Spot]] = []
    for ruler in RULERS:
        spot = slug.take(ruler.room, RULER_SIDES)
        if spot is None:
            return None
        taken.append((ruler, spot))
    return taken


def ruler_items(ruler: Ruler, spot: Spot, typeset: Typeset) -> tuple[Item, ...]:
    """Draw the scale as one path (role `mark`) with a first segment of exactly `length` mm, and its caption."""
    parts = [_line(spot, (0, _FOOT), (ruler.length, _FOOT))]
    for tick in range(round(ruler.length / ruler.step) + 1):
        height = 2.2 if tick % ruler.major == 0 else 1.6 if tick % ruler.middle == 0 else 1.0
        along = tick * ruler.step
        parts.append(_line(spot, (along, _FOOT), (along, _FOOT - height)))
    x, y = spot.at(ruler.length + _CAPTION_SPACE, BASELINE)
    scale = Shape(path=" ".join(parts), stroke=DARK, width=LINE, role="mark")
    return (scale, *typeset(ruler.caption, x, y, LABEL_PT, "start", spot.angle))


def _line(spot: Spot, start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, y1 = spot.at(*start)
    x2, y2 = spot.at(*end)
    return f"M {number(x1)} {number(y1)} L {number(x2)} {number(y2)}"


@dataclass(frozen=True, slots=True)
class Furniture:
    """The spots of both rulers and of every line of text."""

    rulers: tuple[tuple[Ruler, Spot], ...]
    lines: tuple[tuple[str, Spot], ...]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Items shared by pages with equal notes and marks, and the number of words that each text spot takes."""

    items: tuple[Item, ...]
    spots: tuple[tuple[int, Spot], ...]


def furnish(slug: Slug, notes: Sequence[str], order: str = "") -> Furniture | None:
    """Reserve a spot for each ruler and every line of the notes. Return None if one does not fit.

    The `order` of the cuts fits on one edge or is left out.
    """
    rulers = take_rulers(slug)
    if rulers is None:
        return None
    lines: list[tuple[str, Spot]] = []
    for nth, note in enumerate((*notes, order) if order else notes):
        taken = take_lines(slug, note, torn=nth < len(notes))
        if taken is None:
            return None
        lines += taken
    return Furniture(tuple(rulers), tuple(lines))


class Furnisher:
    """Rulers, marks and notes for the pages of one print. The parts that pages share are drawn once, as one symbol."""

    def __init__(self, paper: Size, printable: Rect, typeset: Typeset, reserved: Sequence[Rect] = ()):
        self._paper, self._printable, self._typeset, self._reserved = paper, printable, typeset, reserved
        self._fixed: dict[Hashable, _Fixed | None] = {}

    def items(
        self, lie: Arrangement, notes: Sequence[str], marked: Collection[int], order: str = ""
    ) -> tuple[Item, ...] | None:
        """Return rulers, cut marks of the slots in `marked`, fold line and notes. Return None if they don't fit.

        Positions are chosen as if every slot had its marks, so that all pages of an arrangement look alike.
        """
        key = (lie, tuple([tuple(map(reach, note.split())) for note in (*notes, order)]), tuple(marked))
        if key not in self._fixed:
            self._fixed[key] = self._fix(lie, notes, marked, order)
        fixed = self._fixed[key]
        if fixed is None:
            return None
        words = iter(" ".join((*notes, order)).split())
        lines = [(" ".join(islice(words, count)), spot) for count, spot in fixed.spots]
        return (*fixed.items, *line_items(lines, self._typeset))

    def _fix(self, lie: Arrangement, notes: Sequence[str], marked: Collection[int], order: str) -> _Fixed | None:
        xs, ys = lie.cuts(range(lie.capacity))
        if lie.fold:
            (xs if lie.fold == "vertical" else ys).append(fold_line(lie.paper, lie.fold))
        for plain in (False, True):
            slug = Slug(lie.art, self._printable, sorted(xs), sorted(ys), plain).keep_free(self._reserved)
            furniture = furnish(slug, notes, order)
            if furniture is not None:
                rulers = [item for place in furniture.rulers for item in ruler_items(*place, self._typeset)]
                symbol = Symbol(
                    "rulers and marks",
                    (*rulers, *_line_items(lie, slug, marked)),
                    (0.0, 0.0, self._paper.width, self._paper.height),
                )
                spots = tuple([(len(line.split()), spot) for line, spot in furniture.lines])
                return _Fixed((Placed(symbol, IDENTITY, role="mark"),), spots)
        return None


def _line_items(lie: Arrangement, slug: Slug, marked: Collection[int]) -> Iterator[Item]:
    xs, ys = lie.cuts(marked)
    marks = [mark for x in xs for mark in slug.ends("vertical", x)]
    marks += [mark for y in ys for mark in slug.ends("horizontal", y)]
    yield from cut_mark_items(marks)
    if lie.fold:
        yield from fold_items(slug.ends(lie.fold, fold_line(lie.paper, lie.fold)))


Registration: TypeAlias = Literal["silhouette"]

INSET, SQUARE, ARM, THICK = 10.0, 5.0, 5.0, 1.0
"""Distance of registration marks from the paper's edges, side of the square at the upper left, length and thickness of
the angles at the upper right and lower left (mm), as in open card templates for Silhouette machines."""

CLEAR = 1.5
"""Width of bare paper that a camera needs around a mark (mm)."""


def mark_boxes(paper: Size) -> tuple[Rect, ...]:
    """Return the boxes around the three marks that must stay bare."""
    return tuple([box.grown(CLEAR) for box in _boxes(paper)])


def registration_marks(paper: Size) -> tuple[str, ...]:
    """Return the three marks as closed paths in page coordinates: square, right angle, lower angle."""
    square, right, lower = _boxes(paper)
    return (
        rectangle(square),
        _path(
            *((right.x, right.y), (right.right, right.y), (right.right, right.bottom)),
            *((right.right - THICK, right.bottom), (right.right - THICK, right.y + THICK), (right.x, right.y + THICK)),
        ),
        _path(
            *((lower.x, lower.y), (lower.x + THICK, lower.y), (lower.x + THICK, lower.bottom - THICK)),
            *((lower.right, lower.bottom - THICK), (lower.right, lower.bottom), (lower.x, lower.bottom)),
        ),
    )


def registration_items(paper: Size) -> tuple[Item, ...]:
    """Draw the registration marks in black ink, with role `mark`."""
    return (Shape(" ".join(registration_marks(paper)), fill="ink", role="mark"),)


def _boxes(paper: Size) -> tuple[Rect, Rect, Rect]:
    return (
        Rect(INSET, INSET, SQUARE, SQUARE),
        Rect(paper.width - INSET - ARM, INSET, ARM, ARM),
        Rect(INSET, paper.height - INSET - ARM, ARM, ARM),
    )


def _path(*points: tuple[float, float]) -> str:
    return f"M {' L '.join(f'{number(x)} {number(y)}' for x, y in points)} Z"


_RIM = 2.2 * LINE
"""Width of the light line below a shared cut line (mm), too narrow to be seen on a cut-out piece."""


def cut_face(drawing: Drawing, outline: str, reach: float, line: bool = True) -> Drawing:
    """Clip the face to its outline grown by `reach` mm and, with `line`, draw the cut line over it (role `cut`).

    `outline` is a closed path in face coordinates, empty for the rectangle of the face. The bleed of the result is the
    remaining bleed of the face, and at least half of the line.
    """
    path = outline or _trim(drawing)
    art = Group(drawing.items, clip=piece_outlines.grow_outline(path, reach))
    lines = _lines(path, drawing) if line else ()
    bleed = max(min(drawing.bleed, reach), CASING / 2 if line else 0.0)
    return replace(drawing, bleed=bleed, items=(art, *lines))


def _lines(path: str, drawing: Drawing) -> tuple[Item, ...]:
    """Draw a dark line with its casing outside; around a straight piece also a narrow light line below it.

    Straight neighbours that touch share the line and leave no room for its casing. Without the light line it would be
    invisible between two dark pieces.
    """
    casing, dark = cut_line_items(path, Rect(0, 0, drawing.width, drawing.height))
    if path != _trim(drawing):
        return casing, dark
    return casing, Shape(path=path, stroke=LIGHT, width=_RIM, role="cut"), dark


def back_outline(outline: str, width: float) -> str:
    """Mirror the outline for a back: the reader turns the piece sideways, so left and right swap."""
    return piece_outlines.mirror_outline(outline, width)


def cut_line(drawing: Drawing) -> str:
    """Return the path of a drawing's cut line, or an empty string."""
    lines = (item for item in drawing.items if isinstance(item, Shape) and item.role == "cut")
    return next((line.path for line in lines), "")


def straight(drawing: Drawing) -> bool:
    """Return True if straight cuts along the trim suffice, so that neighbours may share them.

    Folded pieces need more: their net is cut out singly.
    """
    folded = any(isinstance(item, Shape) and item.role == "fold" for item in drawing.items)
    return not folded and cut_line(drawing) in ("", _trim(drawing))


def outline_on_face(piece: Piece, drawing: Drawing) -> str:
    """Return the cut outline of a piece as seen on this face; empty for straight pieces."""
    front = piece.front.drawn()
    if straight(front):
        return ""
    outline = cut_line(front)
    return outline if drawing is front else back_outline(outline, front.width)


def _trim(drawing: Drawing) -> str:
    return rectangle(Rect(0, 0, drawing.width, drawing.height))
