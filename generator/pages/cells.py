"""Small pictures of pieces in lists: true proportions, true size where that fits, cut out as the piece will be."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Group, Placed, Shape, Symbol
from generator.model.geometry import IDENTITY
from generator.pages.blocks import Artwork, Lettering, Part, Row, Stack
from generator.pages.style import GREY, HAIR, RULE, SMALL
from generator.sheets.guides import rounded_box
from generator.units import Rect, Size

COLUMN_LEAST, GUTTER = 20.0, 3.0
"""mm: the narrowest column, so that a 20 mm token lies in it at its true size."""

TRUE_SIZE = 20.0
CARD_HIGH = 17.0
BOARD_HIGH = 22.0
_CAPTION_GAP = 1.4
_ARROW = Size(2.4, 2.4)


@dataclass(frozen=True, slots=True)
class Columns:
    """As many equal columns as a width (mm) takes."""

    width: float

    @property
    def number(self) -> int:
        """How many there are, one at least."""
        return max(1, int((self.width + GUTTER) // (COLUMN_LEAST + GUTTER)))

    @property
    def pitch(self) -> float:
        """From the left edge of a column to that of the next, mm."""
        return (self.width + GUTTER) / self.number

    def span(self, columns: int) -> float:
        """The width of so many columns with the gutters between them, mm."""
        return columns * self.pitch - GUTTER


@dataclass(frozen=True, slots=True)
class Scale:
    """How large pictures of a kind are drawn (1: as the piece is) and how many columns one takes."""

    factor: float
    columns: int


def scale_for(size: Size, columns: Columns) -> Scale:
    """Small pieces at true size, upright ones as high as a thumbnail of a card, wide ones in two columns."""
    narrow, wide = columns.span(1), columns.span(min(2, columns.number))
    if size.width <= min(TRUE_SIZE, narrow) and size.height <= TRUE_SIZE:
        return Scale(1.0, 1)
    factor = min(CARD_HIGH / size.height, 1.0)
    if size.width * factor <= narrow:
        return Scale(factor, 1)
    return Scale(min(BOARD_HIGH / size.height, wide / size.width, 1.0), min(2, columns.number))


def cut_artwork(drawing: Drawing, outline: str, corner: float, factor: float, name: str) -> Artwork:
    """A face as small as `factor` makes it, inside the outline that the piece is cut along."""
    outline = outline or rounded_box(Rect(0, 0, drawing.width, drawing.height), corner)
    symbol = Symbol(name, drawing.items, (0.0, 0.0, drawing.width, drawing.height))
    edge = Shape(outline, stroke=RULE, width=HAIR / factor, join="round", role="frame")
    art = Group((Placed(symbol, IDENTITY, clip=True, role="art"),), clip=outline)
    size = Size(drawing.width * factor, drawing.height * factor)
    return Artwork(size, (Group((art, edge), (factor, 0.0, 0.0, factor, 0.0, 0.0)),), name)


def no_picture(size: Size, words: str, name: str) -> Artwork:
    """An empty frame of a size that says so in words."""
    return Artwork(size, (), name, words=Lettering(words, replace(SMALL, least=2.0), size.width))


def before_and_after(old: Artwork, new: Artwork, gap: float) -> tuple[list[tuple[float, Part]], float]:
    """Two pictures side by side, an arrow in the gap (mm) between them; and how wide all is."""
    half, tip = (gap - _ARROW.width) / 2, _ARROW.height / 2
    path = f"M {half:g} 0 L {half + _ARROW.width:g} {tip:g} L {half:g} {_ARROW.height:g} Z"
    down = max(0.0, (old.size.height - _ARROW.height) / 2)
    arrow = Artwork(Size(gap, _ARROW.height), (Shape(path, GREY, role="frame"),), "arrow", "artifact", above=down)
    x = old.size.width + gap
    return [(0.0, old), (old.size.width, arrow), (x, new)], x + new.size.width


def add_caption(shown: Part, lines: Sequence[Sequence[tuple[float, Part]]]) -> Stack:
    """A picture with lines of parts under it, those of a line from their x on and set to its middle."""
    below = _CAPTION_GAP / 2
    rows = [
        Stack((Row(line, lie="middle"),), _CAPTION_GAP if not at else 0.0, below=below) for at, line in enumerate(lines)
    ]
    return Stack((shown, *rows), below=-below)  # there is none below the last


def in_rows(cells: Sequence[tuple[Part, int]], columns: Columns) -> Iterator[Row]:
    """Cells, each so many columns wide, from left to right, row below row."""
    row: list[tuple[float, Part]] = []
    at = 0
    for cell, wide in cells:
        if row and at + wide > columns.number:
            yield Row(row)
            row, at = [], 0
        row.append((at * columns.pitch, cell))
        at += wide
    if row:
        yield Row(row)
