"""Pictures of pieces: faces of components as cut out, laid in rows, as a fan or on a board, with named parts."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import ceil, cos, radians, sin
from typing import NamedTuple

from generator.base import outlines
from generator.base.display_list import Drawing, Group, Item, Paint, PlacedSymbol, Shape, Symbol, TextRun
from generator.base.errors import InvalidInput, Place, Problem, did_you_mean
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Rect
from generator.base.outlines import rectangle_path
from generator.books.page.page_style import PIECE_EDGE, PIECE_LINE
from generator.books.page.text_setter import report_missing_glyphs
from generator.drawing.faces.face_marks import draw_rounded_box
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.face_areas import PrintedSpace, measure_outline_box
from generator.game.model import Design
from generator.rules.engine.table import piece_name

BACK = " back"
"""Suffix of a piece's id that asks for its back."""

SIZE = 6.8
"""Size of words in a figure (points)."""

_DROP, _HIGH = 0.92, 1.25
"""Distance from the top of a line to its baseline, and its height (em)."""


class WordLine(NamedTuple):
    """A line of words, drawn from its upper left corner at (0, 0), with its width and height (mm)."""

    item: Item
    width: float
    height: float

    def draw_at(self, x: float, y: float) -> Item:
        """Return the line with its upper left corner at (x, y)."""
        return Group((self.item,), (1.0, 0.0, 0.0, 1.0, round(x, 3), round(y, 3)))


@dataclass(frozen=True, slots=True)
class PiecePicture:
    """A piece as a picture: `symbol` is its face in mm, `outline` the path along which it is cut."""

    id: str
    name: str
    symbol: Symbol
    outline: str
    width: float
    height: float

    def place_piece(self, matrix: Matrix, scale: float) -> Group:
        """Return the piece placed by `matrix`; `scale`, the matrix's scale, keeps its edge line thin."""
        art = Group((PlacedSymbol(self.symbol, IDENTITY, clip=True, role="art"),), clip=self.outline)
        edge = Shape(self.outline, stroke=PIECE_EDGE, width=PIECE_LINE / scale, join="round", role="frame")
        return Group((art, edge), matrix, id="piece", data=(("design", self.id),), title=self.name)


class PieceFaces:
    """Pictures of one game's components, and words for figures in one language; faults go to `problems`."""

    def __init__(self, workshop: Workshop, lang: str, problems: list[Problem]):
        self.workshop, self.lang, self.problems = workshop, lang, problems
        self._symbols: dict[int, tuple[Drawing, Symbol]] = {}

    def set_line_of_words(self, text: str, place: Place | None, paint: Paint = "ink") -> WordLine:
        """Return a line of words of a figure. Report characters that no font has."""
        em = SIZE * MM_PER_PT
        runs = [run._replace(paint=paint) for run in self.workshop.set_label(text, 0.0, _DROP * em, SIZE, "start", 0.0)]
        return WordLine(Group(tuple(runs)), self.measure_words(runs, place), _HIGH * em)

    def measure_words(self, runs: Iterable[TextRun], place: Place | None) -> float:
        """Return the right end of a line of words (mm). Report characters that no font has."""
        end = 0.0
        for run in runs:
            font = self.workshop.fonts.get_font(run.font)
            absent = [character for character in run.clusters if not font.find_glyph(character)]
            self.problems += report_missing_glyphs(f"rulebook ({self.lang}): {{}}", absent, place)
            advance = sum(self.workshop.fonts.measure_advance(run.font, glyph) for glyph in run.glyphs)
            end = max(end, run.x + advance * run.size * MM_PER_PT / 1000)
        return end

    def find_designs(self, names: list[object], place: Place | None) -> list[tuple[Design, bool]]:
        """Return designs by id, kind or pattern, each with True if its name asks for the back. Report unknown names."""
        game = self.workshop.game
        found: list[tuple[Design, bool]] = []
        for entry in names:
            name, back = str(entry).removesuffix(BACK), str(entry).endswith(BACK)
            if name in game.kinds:
                chosen = list(game.kinds[name].designs)
            else:
                chosen = [design for design in game.designs() if fnmatchcase(design.id, name)]
            if not chosen:
                known = [*game.kinds, *(design.id for design in game.designs())]
                self.problems.append(Problem(place, f"unknown component '{name}'", did_you_mean(name, known)))
            found += [(design, back) for design in chosen]
        return found

    def find_pieces(self, names: list[object], place: Place | None, *, back: bool = False) -> list[PiecePicture]:
        """Return pictures of ids, kinds and patterns; `back` shows backs. Unknown names are problems at `place`."""
        designs = self.find_designs(names, place)
        made = [self.draw_piece(design, place, back=back or other) for design, other in designs]
        return [piece for piece in made if piece is not None]

    def draw_hidden(self, design: Design, place: Place | None = None) -> PiecePicture | None:
        """Return a piece that players can't identify: its back, or blank paper of its shape; None for a problem."""
        shown = self.draw_piece(design, place, back=bool(design.back))
        if shown is None:
            return None
        symbol = shown.symbol
        if not design.back:
            symbol = Symbol(f"blank:{design.kind}", (Shape(shown.outline, "#ffffff", role="ground"),), symbol.box)
        return replace(shown, name=self.workshop.game.kinds[design.kind].name[self.lang], symbol=symbol)

    def draw_piece(self, design: Design, place: Place | None = None, *, back: bool = False) -> PiecePicture | None:
        """Return one side of a design, or None for a problem. A back has its kind's name if no piece is known by it."""
        workshop = self.workshop
        kind = workshop.game.kinds[design.kind]
        if back and not design.back:
            self.problems.append(Problem(place, f"{design.id} has no back", "show its front"))
            return None
        drawing = workshop.draw_face(design, "back" if back else "front", self.lang)
        if drawing is None:
            return None  # reported by the workshop
        known = self._symbols.get(id(drawing))
        if known is None:
            box = (0.0, 0.0, drawing.width, drawing.height)
            symbol = Symbol(f"face:{design.id}{BACK if back else ''}", drawing.items, box)
            known = self._symbols[id(drawing)] = (drawing, symbol)
        outline = kind.outline or draw_rounded_box(Rect(0, 0, drawing.width, drawing.height), kind.corner)
        known_by_side = kind.two_faced or not back
        name = piece_name(workshop.game, design.id, self.lang) if known_by_side else kind.name[self.lang]
        return PiecePicture(design.id, name, known[1], outline, drawing.width, drawing.height)


WIDTH, BESIDE = 114.0, 46.0
"""Maximum width of a separate figure, and of one beside text (mm)."""

GAP = 3.0
RAISED = 0.5
"""Distance by which a raised piece is shifted up, as a share of its height."""

_HEAD = 0.23
"""Visible share of a card that another card covers."""

_FAN_RADIUS = 2.1
_FAN_STEP, _FAN_SPREAD = 9.0, 56.0
"""Angle between cards, and maximum angle between the first and the last (degrees)."""

_ROOM = 0.1
"""Margin around the whole picture, so that edge lines are not clipped (mm)."""

Laid = tuple[PiecePicture, Matrix, float]
"""A placed piece: its picture, the matrix that places it, and that matrix's scale."""


def lay_pieces_in_rows(
    pieces: Sequence[PiecePicture], scale: float, width: float, raised: Container[int] = ()
) -> list[Laid]:
    """Place pieces with equal gaps, in rows of at most `width` mm. Those in `raised`, numbers from 1, go up."""
    total = sum(piece.width for piece in pieces) * scale + GAP * (len(pieces) - 1)
    rows = _split_rows(pieces, scale, width, max(1, int(-(-total // max(width, 1)))))
    laid: list[Laid] = []
    y, number = 0.0, 0
    for row in rows:
        lifts = [RAISED if number + at in raised else 0.0 for at in range(1, len(row) + 1)]
        number += len(row)
        high = max(piece.height * (1 + lift) for piece, lift in zip(row, lifts, strict=True)) * scale
        wide = sum(piece.width for piece in row) * scale + GAP * (len(row) - 1)
        x = -wide / 2
        for piece, lift in zip(row, lifts, strict=True):
            laid.append((piece, _make_position_matrix(x, y + high - piece.height * (1 + lift) * scale, scale), scale))
            x += piece.width * scale + GAP
        y += high + GAP
    return laid


def _split_rows(
    pieces: Sequence[PiecePicture], scale: float, width: float, number: int
) -> list[Sequence[PiecePicture]]:
    """Return pieces in at least `number` rows of equal length, none wider than `width` mm if possible, once scaled."""
    while True:
        each = -(-len(pieces) // number)
        rows = [pieces[at : at + each] for at in range(0, len(pieces), each)]
        widest = max(sum(piece.width for piece in row) * scale + GAP * (len(row) - 1) for row in rows)
        if widest <= width + 1e-6 or each == 1:
            return rows
        number += 1


def fan_pieces(pieces: Sequence[PiecePicture], scale: float) -> list[Laid]:
    """Return the pieces as a hand of cards: rotated about a point below, the last one on top."""
    step = min(_FAN_STEP, _FAN_SPREAD / max(1, len(pieces) - 1))
    laid: list[Laid] = []
    for number, piece in enumerate(pieces):
        angle = radians((number - (len(pieces) - 1) / 2) * step)
        across, down = cos(angle) * scale, sin(angle) * scale
        far = piece.height * _FAN_RADIUS
        x, y = -piece.width / 2, -far
        laid.append((piece, (across, down, -down, across, across * x - down * y, down * x + across * y), scale))
    return laid


def lay_in_column(pieces: Sequence[PiecePicture], scale: float) -> list[Laid]:
    """Return the pieces on top of each other, with the head of each covered one visible."""
    laid: list[Laid] = []
    y = 0.0
    for piece in pieces:
        laid.append((piece, _make_position_matrix(-piece.width * scale / 2, y, scale), scale))
        y += piece.height * scale * _HEAD
    return laid


def _make_position_matrix(x: float, y: float, scale: float) -> Matrix:
    return (scale, 0.0, 0.0, scale, x, y)


def measure_pieces(laid: Iterable[Laid]) -> Rect:
    """Return the bounding box of the placed pieces."""
    boxes = (outlines.find_bounds(piece.outline, matrix) for piece, matrix, _ in laid)
    return enclose_boxes(box for box in boxes if box is not None) or Rect(0, 0, 1, 1)


def drawing_from_items(items: Sequence[Item], box: Rect, lang: str, title: str) -> Drawing:
    """Return items as a drawing whose origin is the upper left corner of `box`."""
    box = box.grow(_ROOM)
    moved = Group(tuple(items), (1.0, 0.0, 0.0, 1.0, round(-box.x, 3), round(-box.y, 3)))
    return Drawing(round(box.width, 3), round(box.height, 3), 0.0, (moved,), lang, title)


def drawing_from_pieces(laid: Sequence[Laid], lang: str, title: str) -> Drawing:
    """Return placed pieces as a drawing with a title, in the language `lang`."""
    items = [piece.place_piece(round_matrix(matrix), scale) for piece, matrix, scale in laid]
    return drawing_from_items(items, measure_pieces(laid), lang, title)


def round_matrix(matrix: Matrix) -> Matrix:
    """Return a matrix with no more digits than a printer can resolve."""
    a, b, c, d, e, f = matrix
    return (round(a, 6), round(b, 6), round(c, 6), round(d, 6), round(e, 3), round(f, 3))


def lay_out_pieces(
    show: str, pieces: Sequence[PiecePicture], scale: float, width: float, raised: Container[int]
) -> list[Laid]:
    """Return pieces placed as a fan or column if `show` says so, else in rows at most `width` mm wide."""
    if show == "fan":
        return fan_pieces(pieces, scale)
    if show == "column":
        return lay_in_column(pieces, scale)
    return lay_pieces_in_rows(pieces, scale, width, raised)


_PILE_STEP = 0.9
"""Shift from one piece of a pile to the next (mm of the board)."""

_SLACK = 0.3


def lay_on_board(
    board: PiecePicture,
    scale: float,
    spaces: Mapping[str, PrintedSpace],
    pieces: Mapping[str, Sequence[PiecePicture | None]],
) -> list[Laid]:
    """Return a board with pieces on its spaces (None: a free place). Raise InvalidInput for a wrong space or number."""
    laid: list[Laid] = [(board, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
    for name, wanted in pieces.items():
        if name not in spaces:
            raise InvalidInput(f"{board.id} has no space '{name}'", did_you_mean(name, spaces))
        space = spaces[name]
        if space.holds is not None and len(wanted) > space.holds:
            raise InvalidInput(f"the space '{name}' holds {space.holds}, not {len(wanted)}", "take some away")
        for piece, around in zip(wanted, _find_piece_boxes(space, wanted), strict=True):
            if piece is None:
                continue
            x, y = (around.x + around.width / 2) * scale, (around.y + around.height / 2) * scale
            wide, high = piece.width * scale / 2, piece.height * scale / 2
            matrix = (scale, 0.0, 0.0, scale, x - wide, y - high)
            if _is_turned(piece, around) and not _fits_upright(piece, around):  # by 90 degrees, only if necessary
                matrix = (0.0, scale, -scale, 0.0, x + high, y - wide)
            laid.append((piece, matrix, scale))
    return laid


def _find_piece_boxes(space: PrintedSpace, wanted: Sequence[PiecePicture | None]) -> list[Rect]:
    """Return a box for each piece: its own outline, else cells or a pile in one. Raise InvalidInput without any."""
    number = len(wanted)
    outlines = [measure_outline_box(outline) for outline in space.outlines]
    boxes = _find_inner_boxes(outlines, [piece for piece in wanted if piece is not None])
    if not boxes:
        raise InvalidInput(f"the space '{space.id}' paints no outline for its pieces", "draw one in its group")
    if len(boxes) >= number:
        return boxes[:number]
    around = boxes[0]
    if space.holds is None:
        return [around.move(_PILE_STEP * at, -_PILE_STEP * at) for at in range(number)]
    columns = ceil((number * around.width / around.height) ** 0.5)
    rows = ceil(number / columns)
    wide, high = around.width / columns, around.height / rows
    return [Rect(around.x + at % columns * wide, around.y + at // columns * high, wide, high) for at in range(number)]


def _find_inner_boxes(boxes: list[Rect], pieces: Sequence[PiecePicture]) -> list[Rect]:
    """Return the outlines in which all pieces fit (all outlines if none does), without those that contain another."""
    if len(boxes) > 1:
        large = [
            around
            for around in boxes
            if all(_fits_upright(piece, around) or _is_turned(piece, around) for piece in pieces)
        ]
        boxes = large or boxes
    return [around for around in boxes if not any(around.contains(other) and other != around for other in boxes)]


def _fits_upright(piece: PiecePicture, around: Rect) -> bool:
    return piece.width <= around.width + _SLACK and piece.height <= around.height + _SLACK


def _is_turned(piece: PiecePicture, around: Rect) -> bool:
    return piece.height <= around.width + _SLACK and piece.width <= around.height + _SLACK


# Every composer of a picture (pieces side by side, a board, zones, a table) returns one of these. Annotations (arrows,
# halos, callouts, fading) use the anchors only and do not depend on the kind of picture.


class Anchor(NamedTuple):
    """A named element of a figure: its box, its outline, and the indexes of its items.

    The outline is a path in the figure's mm, empty for the box itself. A part of an item has no items of its own.
    """

    box: Rect
    outline: str = ""
    items: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        """Return its outline, or that of its box."""
        return self.outline or rectangle_path(self.box)


@dataclass(frozen=True, slots=True)
class Anchored:
    """A figure with named elements: its items in mm, its box, its anchors by name, and boxes of words to avoid.

    Names are those that authors use: a piece's number from 1, a space, `zone`, `zone N`, a place of the table.
    """

    items: tuple[Item, ...]
    box: Rect
    anchors: Mapping[str, Anchor]
    words: tuple[Rect, ...] = ()

    def make_drawing(self, lang: str, title: str) -> Drawing:
        """Return the figure as a drawing whose origin is the upper left corner of its box."""
        return drawing_from_items(self.items, self.box, lang, title)

    def move_by(self, x: float, y: float) -> "Anchored":
        """Return the figure moved right by x and down by y (mm). Outlines of its anchors become their boxes."""
        shift = (1.0, 0.0, 0.0, 1.0, round(x, 3), round(y, 3))
        items = tuple([Group((item,), shift) for item in self.items])
        anchors = {name: Anchor(one.box.move(x, y), "", one.items) for name, one in self.anchors.items()}
        return Anchored(items, self.box.move(x, y), anchors, tuple([box.move(x, y) for box in self.words]))

    def number_anchors(self, begin: int, prefix: str = "") -> dict[str, Anchor]:
        """Return the anchors for a figure that has `begin` items before these; `prefix` precedes their names."""
        shifted = {name: tuple([at + begin for at in one.items]) for name, one in self.anchors.items()}
        return {prefix + name: one._replace(items=shifted[name]) for name, one in self.anchors.items()}


def enclose_boxes(boxes: Iterable[Rect]) -> Rect | None:
    """Return the smallest box around the boxes, or None if there are none."""
    whole: Rect | None = None
    for box in boxes:
        whole = box if whole is None else whole.unite(box)
    return whole
