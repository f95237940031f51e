"""List pages: parts of lists set side by side, with small pictures of pieces, a head and a foot."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from generator.base.display_list import Drawing, Group, Paint, PlacedSymbol, Shape, Symbol
from generator.base.errors import Place, Problem, ProblemsFound, raise_problems
from generator.base.geometry import IDENTITY, Rect, Size
from generator.base.languages import phrase
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import Artwork, Halves, Lettering, ListPart, Part, Row, RuledLine, Stack, TickBox
from generator.books.page.page_breaks import ColumnOverflow, fill_columns
from generator.books.page.page_style import (
    FACTS,
    GREY,
    HAIR,
    LIST_FOOT,
    RULE,
    SMALL,
    TEXT,
    TICK,
    TICK_LINE,
    Look,
    make_list_format,
)
from generator.books.page.strips import Strip, Thing, make_rule
from generator.books.page.text_setter import TextSetter
from generator.drawing.faces.face_marks import draw_rounded_box
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document, Page
from generator.sheets.settings import SheetSettings

COLUMN_LEAST, GUTTER = 20.0, 3.0
"""Minimum width of a column, for a 20 mm token at its true size, and space between columns (mm)."""

TRUE_SIZE = 20.0
CARD_HIGH = 17.0
BOARD_HIGH = 22.0
_CAPTION_GAP = 1.4
_ARROW = Size(2.4, 2.4)


@dataclass(frozen=True, slots=True)
class Columns:
    """As many equal columns as fit a width (mm)."""

    width: float

    @property
    def number(self) -> int:
        """Return the number of columns, at least one."""
        return max(1, int((self.width + GUTTER) // (COLUMN_LEAST + GUTTER)))

    @property
    def pitch(self) -> float:
        """Return the distance between the left edges of neighbouring columns (mm)."""
        return (self.width + GUTTER) / self.number

    def measure_span(self, columns: int) -> float:
        """Return the width of N columns with the gutters between them (mm)."""
        return columns * self.pitch - GUTTER


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of a kind's pictures (1: true size), and how many columns a picture spans."""

    factor: float
    columns: int


def choose_scale(size: Size, columns: Columns) -> Scale:
    """Return true size for small pieces, thumbnails of one height for upright ones, two columns for wide ones."""
    narrow, wide = columns.measure_span(1), columns.measure_span(min(2, columns.number))
    if size.width <= min(TRUE_SIZE, narrow) and size.height <= TRUE_SIZE:
        return Scale(1.0, 1)
    factor = min(CARD_HIGH / size.height, 1.0)
    if size.width * factor <= narrow:
        return Scale(factor, 1)
    return Scale(min(BOARD_HIGH / size.height, wide / size.width, 1.0), min(2, columns.number))


def cut_artwork(drawing: Drawing, outline: str, corner: float, factor: float, name: str) -> Artwork:
    """Return a face scaled by `factor`, clipped to its cut `outline`, else to a box with `corner` mm round corners."""
    outline = outline or draw_rounded_box(Rect(0, 0, drawing.width, drawing.height), corner)
    symbol = Symbol(name, drawing.items, (0.0, 0.0, drawing.width, drawing.height))
    edge = Shape(outline, stroke=RULE, width=HAIR / factor, join="round", role="frame")
    art = Group((PlacedSymbol(symbol, IDENTITY, clip=True, role="art"),), clip=outline)
    size = Size(drawing.width * factor, drawing.height * factor)
    return Artwork(size, (Group((art, edge), (factor, 0.0, 0.0, factor, 0.0, 0.0)),), name)


def make_frame(size: Size) -> Shape:
    """Return a thin rectangle as a frame."""
    return Shape(rectangle_path(Rect(0, 0, size.width, size.height)), stroke=RULE, width=HAIR, role="frame")


def make_empty_frame(size: Size, words: str, name: str) -> Artwork:
    """Return an empty frame of `size` with `words` in it, as artwork named `name`."""
    return Artwork(size, (), name, words=Lettering(words, replace(SMALL, least=2.0), size.width))


def place_before_and_after(old: Artwork, new: Artwork, gap: float) -> tuple[list[tuple[float, Part]], float]:
    """Return two pictures with an arrow in the gap (mm) between them, each with its x; and the total width."""
    half, tip = (gap - _ARROW.width) / 2, _ARROW.height / 2
    path = f"M {half:g} 0 L {half + _ARROW.width:g} {tip:g} L {half:g} {_ARROW.height:g} Z"
    down = max(0.0, (old.size.height - _ARROW.height) / 2)
    arrow = Artwork(Size(gap, _ARROW.height), (Shape(path, GREY, role="frame"),), "arrow", "artifact", above=down)
    x = old.size.width + gap
    return [(0.0, old), (old.size.width, arrow), (x, new)], x + new.size.width


def add_caption(shown: Part, lines: Sequence[Sequence[tuple[float, Part]]]) -> Stack:
    """Return a picture with centred lines below it; each line is given as its parts with their x (mm)."""
    below = _CAPTION_GAP / 2
    stacks = enumerate(Row(line, lie="middle") for line in lines)
    rows = [Stack((row,), 0.0 if at else _CAPTION_GAP, below=below) for at, row in stacks]
    return Stack((shown, *rows), below=-below)  # no space below the last line


def rows_from_cells(cells: Sequence[tuple[Part, int]], columns: Columns) -> Iterator[Row]:
    """Yield rows filled with cells from left to right; each cell comes with the number of columns it spans."""
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


_DOWN = {"top": 0.0, "middle": 0.5, "low": 1.0}


class PartSetter:
    """Turns parts of lists into strips and pages; columns are `height` mm high."""

    def __init__(self, setter: TextSetter, height: float):
        self._setter, self._height = setter, height

    def set_part(self, part: ListPart) -> list[Strip]:
        """Return a part as one strip. Return halves part by part if they are too high for a column side by side."""
        if not isinstance(part, Halves):
            return [self.make_strip(part)]
        both = self.make_strip(Row(((0.0, Stack(part.left)), (part.pitch, Stack(part.right))), part.above))
        return [both] if both.height <= self._height else [self.make_strip(one) for one in (*part.left, *part.right)]

    def fill_pages(self, parts: Iterable[ListPart], room: Rect) -> list[list[Thing]]:
        """Return the things of each page that the parts fill. Raise ColumnOverflow for a tall part."""
        columns = fill_columns([strip for part in parts for strip in self.set_part(part)], room.height)
        return [
            [thing.move_by(room.x, room.y + put.y) for put in column.puts for thing in put.strip.things]
            for column in columns
        ]

    def make_strip(self, part: Part) -> Strip:
        """Return a part, from x = 0."""
        if isinstance(part, Lettering):
            done = self._setter.set_in_box(part.text, part.style, part.width, part.place)
            box = Rect(0, 0, part.width, done.taken)
            return Strip(done.taken, (Thing("text", box, done.items, name=part.name),), part.above)
        if isinstance(part, RuledLine):
            return Strip(0.0, (make_rule(0, 0, part.width, part.paint, part.thick),), part.above)
        if isinstance(part, TickBox):
            square = rectangle_path(Rect(0, 0, TICK, TICK).grow(-TICK_LINE / 2))
            drawn = Shape(square, "#ffffff", "ink", TICK_LINE, join="round", role="frame")
            return Strip(TICK, (Thing("tick", Rect(0, 0, TICK, TICK), (drawn,), name=part.name),))
        if isinstance(part, Artwork):
            box, items = Rect(0, 0, part.size.width, part.size.height), part.items
            if part.words is not None:
                said = self._setter.set_in_box(part.words.text, part.words.style, part.words.width, part.words.place)
                items = (make_frame(part.size), *said.items)
            return Strip(part.size.height, (Thing(part.role, box, items, name=part.name),), part.above)
        if isinstance(part, Stack):
            return self._set_stack(part)
        strips = [(x, self.make_strip(one)) for x, one in part.parts]
        high = max(strip.above + strip.height for _, strip in strips)
        things = []
        for at, (x, strip) in enumerate(strips):
            down = _DOWN[part.lie] * (high - strip.height) if at or part.lie != "low" else 0.0
            things += [thing.move_by(x, strip.above + down) for thing in strip.things]
        return Strip(high, tuple(things), part.above)

    def _set_stack(self, stack: Stack) -> Strip:
        strips = [self.make_strip(part) for part in stack.parts]
        things: list[Thing] = []
        y = 0.0
        for at, strip in enumerate(strips):
            y += strips[at - 1].height + strip.above if at else 0.0
            things += [thing.move_by(0, y) for thing in strip.things]
        again = (self.make_strip(stack.again),) if stack.again is not None else ()
        high = y + (strips[-1].height if strips else 0.0) + stack.below
        return Strip(high, tuple(things), stack.above, keep=stack.keep, again=again)


_HEAD_LINE = 0.8


@dataclass(frozen=True, slots=True)
class ListPages:
    """Makes the pages of a list, called `name` in messages, in one language, on the paper of the print sheets."""

    workshop: Workshop
    settings: SheetSettings
    lang: str
    accent: Paint
    name: str

    @property
    def look(self) -> Look:
        """Return the margins, type styles and language of its pages."""
        settings = self.settings
        return Look(make_list_format(settings.paper_name, settings.paper, max(settings.margin)), self.lang, self.accent)

    @property
    def width(self) -> float:
        """Return the width available for its parts (mm)."""
        return self.look.column

    @property
    def foot_width(self) -> float:
        """Return the width available for the text at the foot of a page (mm)."""
        return self.width * 0.78

    def make_head(self, title: Lettering, kind: str, facts: Sequence[str], place: Place | None = None) -> Stack:
        """Return the title above the kind of list; facts at the right; a rule in the accent's colour below."""
        left = Stack((title, Lettering(kind, replace(TEXT, bold=True), title.width, above=2.2)))
        style, x = replace(FACTS, align="end"), title.width + 2
        right = [Lettering(fact, style, self.width - x, place, f"fact {fact}", 1.3) for fact in facts]
        both = Row(((0.0, left), (x, Stack(right))), lie="low")
        return Stack((both, RuledLine(self.width, self.accent, _HEAD_LINE, above=3.0)), below=_HEAD_LINE)

    def make_document(
        self,
        title: str,
        parts: Iterable[ListPart],
        foot: Lettering,
        subject: str,
        problems: Sequence[Problem] = (),
        small: Mapping[str, Page] = MappingProxyType({}),
    ) -> Document:
        """Return the pages of the parts, each with words and its number at its foot.

        `small` are pages to show as small pictures, by the names of the pictures that have their places. Raise
        ProblemsFound with the problems of the parts' words and every text that can't be set, or if the paper is too
        small.
        """
        setter, room = TextSetter(self.workshop, self.look, "{} (check list)"), self.look.find_text_room(1)
        setting = PartSetter(setter, room.height)
        try:
            leaves = setting.fill_pages(parts, room)
        except ColumnOverflow:
            margins = f"with margins of {self.settings.margin} mm"
            what = f"{self.name} doesn't fit on {self.settings.paper_name} {margins}"
            raise ProblemsFound([Problem(None, what, "choose a larger --paper or a smaller --margin")]) from None
        pages = []
        for number, things in enumerate(leaves, start=1):
            count = phrase("page", self.lang, page=number, of=len(leaves))
            right = Lettering(count, replace(FACTS, align="end"), self.width * 0.2, name="page")
            row = Row(((0.0, foot), (self.width * 0.8, right)), above=1.6)
            below = setting.make_strip(Stack((RuledLine(self.width), row)))
            things += [thing.move_by(room.x, room.bottom + LIST_FOOT - below.height) for thing in below.things]
            items = tuple(thing.draw_on_page() for thing in things)
            shown = [(small[thing.name], thing.box) for thing in things if thing.name in small]
            pictures = [put.shrink(box.width / page.size.width, box) for page, box in shown for put in page.placements]
            pages.append(Page(self.settings.paper, "front", number, tuple(pictures), items))
        raise_problems([*setter.problems, *problems, *self.workshop.problems])
        return Document(title, self.lang, tuple(pages), subject=subject, date=self.workshop.game.date)
