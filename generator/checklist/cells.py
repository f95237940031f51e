"""The small pictures of a check list: true proportions, true size where that fits, cut out as the piece will be."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.checklist.things import HAIR, RULE, ListBlock, ListThing
from generator.model.drawing import Drawing, Group, Placed, Shape, Symbol
from generator.model.game import Kind
from generator.model.geometry import Matrix
from generator.sheets.guides import rounded
from generator.units import Rect, Size

COLUMN_LEAST, GUTTER = 20.0, 3.0
"""mm: the narrowest column, so that a 20 mm token lies in it at its true size."""

TRUE_SIZE = 20.0
CARD_HIGH = 17.0
BOARD_HIGH = 22.0
_CAPTION_GAP = 1.4


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


def picture(drawing: Drawing, kind: Kind, factor: float, name: str) -> ListThing:
    """A face as small as `factor` makes it, inside the outline that the piece is cut along."""
    face = Rect(0, 0, drawing.width, drawing.height)
    outline = kind.outline or rounded(face, kind.corner)
    symbol = Symbol(name, drawing.items, (0.0, 0.0, drawing.width, drawing.height))
    matrix: Matrix = (factor, 0.0, 0.0, factor, 0.0, 0.0)
    edge = Shape(outline, stroke=RULE, width=HAIR / factor, join="round", role="frame")
    cut_out = Group((Placed(symbol, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), clip=True, role="art"),), clip=outline)
    box = Rect(0, 0, drawing.width * factor, drawing.height * factor)
    return ListThing("picture", box, (Group((cut_out, edge), matrix),), name)


def captioned(shown: ListThing, lines: Sequence[Sequence[ListThing]]) -> ListBlock:
    """A picture with lines of things under it; the things of a line have their x already and are set to its middle."""
    things = [shown]
    y = shown.box.height + _CAPTION_GAP
    for line in lines:
        high = max(thing.box.height for thing in line)
        things += [thing.moved(0, y + (high - thing.box.height) / 2) for thing in line]
        y += high + _CAPTION_GAP / 2
    return ListBlock(y - _CAPTION_GAP / 2, tuple(things))
