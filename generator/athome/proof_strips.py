"""Strips of a proof: one face as it is, through other eyes and under its guides, small and side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.athome.eyes import Sight
from generator.dataclass import dataclass
from generator.faces.label import Labeller
from generator.model.drawing import Drawing, Group, Item, Placed, Shape, Symbol, walk
from generator.model.outline import rectangle
from generator.model.sheet import Piece, Placement
from generator.pages.blocks import Artwork
from generator.pages.style import GREY, RULE
from generator.sheets.cutting import outline_on_face, straight
from generator.sheets.guides import guide_items, rounded_box
from generator.units import MM_PER_PT, Rect, Size

FOLD = "#009a44"
"""Folds under the guides: no other guide is green."""

GAP = 2.0
TITLE, CAPTION = 4.2, 3.2
"""mm: the line above a strip, and that below each of its pictures."""

TALLEST = 42.0
WIDE, WIDE_TALLEST = 110.0, 36.0
"""mm: a wider piece has its pictures in two rows, so high that three such strips fill a page."""

_FOLD_LINE = 0.5 * MM_PER_PT
_HAIR = 0.09
"""The thinnest line that a printer holds, mm (a quarter of a point)."""
_TITLE_PT, _CAPTION_PT = 6.5, 4.5


@dataclass(frozen=True, slots=True)
class ProofSubject:
    """A face to be proofed: what it is called, the piece that it belongs to and which drawing of that it is."""

    name: str
    note: str
    piece: Piece
    drawing: Drawing

    @property
    def trim(self) -> Rect:
        """The box around what is cut out, face coordinates."""
        return Rect(0, 0, self.drawing.width, self.drawing.height)


@dataclass(slots=True)
class StripSetter:
    """Sets strips for pages `width` mm wide. `captions` name the plain picture, one for each sight, and the guides."""

    width: float
    letters: Labeller
    sights: Sequence[Sight]
    captions: Sequence[str]

    def strip(self, subject: ProofSubject) -> Artwork:
        """All pictures of a subject, at most at its true size."""
        number = len(self.captions)
        bleed = subject.drawing.bleed
        whole = subject.trim.grown(bleed)
        wide = whole.width > WIDE
        columns, tallest = (-(-number // 2), WIDE_TALLEST) if wide else (number, TALLEST)
        cell = (self.width - GAP * (columns - 1)) / columns
        scale = min(1.0, cell / whole.width, tallest / whole.height)
        half = (self.width - 2 * GAP) / 2
        if (whole.width * scale + GAP) * columns <= half + GAP:
            cell = (half - GAP * (columns - 1)) / columns
        width = cell * columns + GAP * (columns - 1)
        high = whole.height * scale + CAPTION
        rows = -(-number // columns)
        items: list[Item] = [*self._title(subject, width)]
        for at, shown in enumerate(self._pictures(subject, scale)):
            row, column = divmod(at, columns)
            x, y = column * (cell + GAP), TITLE + row * (high + GAP / 2)
            middle = x + cell / 2
            matrix = (scale, 0.0, 0.0, scale, middle - whole.width * scale / 2 + bleed * scale, y + bleed * scale)
            items.append(Group(shown, matrix))
            foot = y + high - CAPTION + 2.2
            said = self.letters.cut(self.captions[at], _CAPTION_PT, cell)
            items += self.letters.line(said, middle, foot, _CAPTION_PT, "middle", GREY)
        return Artwork(Size(width, TITLE + rows * high + (rows - 1) * GAP / 2), tuple(items))

    def _title(self, subject: ProofSubject, width: float) -> Iterator[Item]:
        yield Shape(rectangle(Rect(0, 0, width, 0.1)), fill=RULE, role="frame")
        room = self.letters.width(subject.note, _TITLE_PT)
        name = self.letters.cut(subject.name, _TITLE_PT, width - room - 2)
        yield from self.letters.line(name, 0.0, 3.0, _TITLE_PT)
        yield from self.letters.line(subject.note, width, 3.0, _TITLE_PT, "end", GREY)

    def _pictures(self, subject: ProofSubject, scale: float) -> Iterator[tuple[Item, ...]]:
        """The cut face as it is and as each eye sees it; with its bleed under the guides. Face coordinates."""
        drawing, edge = subject.drawing, _edge(subject)
        line = Shape(edge, stroke=RULE, width=0.1 / scale, role="frame")
        for seen in (drawing, *(sight.drawing(drawing) for sight in self.sights)):
            yield Group((_place_drawing(seen),), clip=edge), line
        yield _place_drawing(drawing), *_guides(subject, scale)


def _place_drawing(drawing: Drawing) -> Placed:
    bleed = drawing.bleed
    box = (-bleed, -bleed, drawing.width + 2 * bleed, drawing.height + 2 * bleed)
    return Placed(
        Symbol(f"face:{drawing.title}", drawing.items, box), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), clip=True, role="art"
    )


def _edge(subject: ProofSubject) -> str:
    """Where the face is cut: its own outline, or its trim with the corners rounded."""
    outline = outline_on_face(subject.piece, subject.drawing)
    if outline:
        return outline
    return rounded_box(subject.trim, subject.piece.corner if subject.piece.lie != "packed" else 0.0)


def _guides(subject: ProofSubject, scale: float) -> Iterator[Item]:
    drawing, piece = subject.drawing, subject.piece
    placement = Placement(subject.name, drawing, subject.trim, subject.trim.grown(drawing.bleed))
    corner = 0.0 if piece.lie == "packed" and straight(piece.front.drawn()) else piece.corner
    for item in guide_items(placement, piece.safe, corner, outline_on_face(piece, drawing)):
        yield _as_thin(item, scale)
    folds = [leaf for leaf, _ in walk(drawing.items) if isinstance(leaf, Shape) and leaf.role == "fold"]
    for path in dict.fromkeys(fold.path for fold in folds):
        yield Shape(path, stroke=FOLD, width=_FOLD_LINE / scale, role="guide")


def _as_thin(item: Item, scale: float) -> Item:
    """A guide whose lines are as wide in the small picture as on a sheet, and wide enough for a printer."""
    if isinstance(item, Group):
        return replace(item, items=tuple([_as_thin(inner, scale) for inner in item.items]))
    if isinstance(item, Shape):
        return replace(item, width=max(item.width, _HAIR) / scale, dash=tuple([length / scale for length in item.dash]))
    return item
