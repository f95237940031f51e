"""Strips (pieces of a column that are never split), the things in them, and columns with placed strips."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, groupby, zip_longest
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import LAYOUT, REPEATED, Group, Item, Paint, Shape, Tag, Tags
from generator.base.errors import Place
from generator.base.geometry import Rect
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import Heading, Link, Term
from generator.books.page.page_style import EDGE, HAIR, RULE

Role = Literal["heading", "paragraph", "list", "table", "figure", "caption", "artifact", "text", "tick", "picture"]
"""The kind of a thing. Artifacts (rules, running heads) are ignored by screen readers. The last ones occur in lists."""


class LinkArea(NamedTuple):
    """A box (mm) that links to an anchor. `words` are its text, `tags` are structure tags inside those of its thing.

    `mark` is the link or term in the book's text, `place` is where the author wrote it.
    """

    box: Rect
    target: str
    words: str = ""
    tags: Tags = ()
    place: Place | None = None
    mark: Link | Term | None = None


class Thing(NamedTuple):
    """Anything at a place on a page: its box in mm, its items (relative to the box's corner), and its link areas.

    `number`: the page number of this anchor is set here. `part` tells the lines of one block from others. `tags` are
    its path in the PDF's structure tree; without them it is an artifact. `name` identifies it for programs that read
    the display list.
    """

    role: Role
    box: Rect
    items: tuple[Item, ...] = ()
    areas: tuple[LinkArea, ...] = ()
    part: int = 0
    number: str = ""
    alt: str = ""
    terms: tuple[str, ...] = ()
    tags: Tags = ()
    name: str = ""

    def move_by(self, dx: float, dy: float) -> "Thing":
        """Return the thing moved right by dx and down by dy (mm)."""
        return self._replace(box=self.box.move(dx, dy))

    def repeat_for_eye(self) -> "Thing":
        """Return the thing without links, marked as a repetition that screen readers skip."""
        return self._replace(areas=(), tags=REPEATED)

    def put_within(self, tags: Tags) -> "Thing":
        """Return the thing with `tags` around its own structure tags; artifacts stay unchanged."""
        return self._replace(tags=(*tags, *self.tags)) if self.tags and self.tags[0].is_content else self

    def draw_on_page(self) -> Group:
        """Return a group of the thing's items at its position."""
        matrix = (1.0, 0.0, 0.0, 1.0, round(self.box.x, 3), round(self.box.y, 3))
        data = (("role", self.role), ("part", str(self.part)), *([("name", self.name)] if self.name else []))
        tags = self.tags or LAYOUT
        if tags[-1].kind == "Figure":
            tags = (*tags[:-1], replace(tags[-1], box=self.box))
        return Group(self.items, matrix, id=self.role, data=data, title=self.alt, tags=tags)


@dataclass(frozen=True, slots=True)
class Lane:
    """Where a block's strips go: left edge and width (mm), and the block's number in the PDF's structure."""

    x: float
    width: float
    part: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The background of the strips of one box: left edge, width and padding above and below (mm), and colours."""

    number: int
    x: float
    width: float
    pad: float
    ground: Paint
    edge: Paint


MemberKind: TypeAlias = Literal["box", "example", "procedure", "list", "table", "spread"]


class Member(NamedTuple):
    """States that a strip belongs to a block (list, table, box or spread): its number, and the entry or row.

    `size` is the number of entries or rows; a box and a spread have one for each of their strips.
    """

    kind: MemberKind
    number: int
    entry: int
    size: int


class StripSize(NamedTuple):
    """Another size of a strip: its things and their height (mm)."""

    height: float
    things: tuple[Thing, ...]


class Strip(NamedTuple):
    """A piece of a column that is never split; `above` is the space before it unless it begins a column (mm).

    `snap`: it begins on the grid. `keep`: the next strip is in the same column. `again` is repeated above it if it
    begins a column. `flows`: running text, which may move before a figure that `floats`. `opens`: a chapter's title.
    `instead`: the alternative for this and the next `covers` - 1 strips if they don't fit and would leave a gap.
    `price`: the cost of ending a column after it. `ends`: the column ends after it. `members`: the boxes, lists and
    tables that contain it, the outermost first. `ending`: the words of a paragraph's last line below others. `stretch`,
    `shrink`: lines of the grid by which the space above may grow and shrink. `sizes`: its other sizes, the smallest
    first. `narrow`: the strips in narrow columns that it represents; `across`: those that it contains. `wide`: the
    strip at a page's head, across all columns, whose place this is. `page`: it is the separate page with this number.
    `told`: how it had to be set, if differently from the rest of the book.
    """

    height: float
    things: tuple[Thing, ...] = ()
    above: float = 0.0
    snap: bool = False
    keep: bool = False
    again: tuple["Strip", ...] = ()
    frame: Frame | None = None
    flows: bool = False
    floats: bool = False
    opens: bool = False
    instead: tuple["Strip", ...] = ()
    covers: int = 1
    price: float = 0.0
    ends: bool = False
    members: tuple[Member, ...] = ()
    ending: str = ""
    stretch: int = 0
    shrink: int = 0
    sizes: tuple[StripSize, ...] = ()
    narrow: "NarrowColumns | None" = None
    across: tuple["Strip", ...] = ()
    wide: "Strip | None" = None
    page: int = -1
    told: str = ""
    heading: Heading | None = None
    anchors: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NarrowColumns:
    """Strips to be set in a number of narrow columns; `pitch` is the distance of the columns' left edges (mm)."""

    strips: tuple[Strip, ...]
    columns: int
    pitch: float


def make_rule(x: float, y: float, length: float, paint: Paint = RULE, width: float = HAIR) -> Thing:
    """Return a horizontal line from (x, y), `width` mm thick below it."""
    line = Shape(rectangle_path(Rect(0, 0, length, width)), paint, role="frame")
    return Thing("artifact", Rect(x, y, length, width), (line,))


_PARTED, _TWO_LINES = 3.0, 8.0
"""Costs of a column break inside a paragraph, and of one that leaves only two of its lines on one side."""


def add_price(strip: Strip, price: float) -> Strip:
    """Return the strip with its cost of a column break after it raised to at least `price`."""
    return strip._replace(price=max(strip.price, price))


def prevent_orphans(strips: list[Strip]) -> list[Strip]:
    """Return a paragraph's lines, the first two and the last two kept together; breaks next to these cost more."""
    last = len(strips) - 1
    made = []
    for at, strip in enumerate(strips):
        keep = strip.keep or (last > 0 and at in (0, last - 1))
        price = strip.price if at == last else max(strip.price, _TWO_LINES if at in (1, last - 2) else _PARTED)
        made.append(strip._replace(keep=keep, price=price))
    return made


def add_member(strips: Iterable[Strip], kind: MemberKind, number: int, entry: int, size: int) -> list[Strip]:
    """Return the strips marked as parts of entry `entry` of a block that has `size` entries."""
    member = Member(kind, number, entry, size)

    def add(strip: Strip) -> Strip:
        return strip._replace(members=(member, *strip.members), instead=tuple(map(add, strip.instead)))

    return list(map(add, strips))


def number_members(strips: Sequence[Strip], kind: MemberKind, number: int) -> list[Strip]:
    """Return the strips, each marked as an entry of its own of a block."""
    return [add_member([strip], kind, number, at, len(strips))[0] for at, strip in enumerate(strips, start=1)]


def wrap_in_tags(strips: list[Strip], *tags: Tag) -> list[Strip]:
    """Return the strips with structure tags around those of their things."""

    def wrap(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
        return tuple(thing.put_within(tags) for thing in things)

    made = []
    for strip in strips:
        sizes = tuple(size._replace(things=wrap(size.things)) for size in strip.sizes)
        again, instead = (tuple(wrap_in_tags(list(some), *tags)) for some in (strip.again, strip.instead))
        made.append(strip._replace(things=wrap(strip.things), sizes=sizes, again=again, instead=instead))
    return made


def stack_strips(strips: list[Strip], unit: float) -> tuple[list[Thing], float]:
    """Place strips below each other from y = 0, on a grid of `unit` mm. Return their things and the lower end (mm)."""
    things: list[Thing] = []
    y = 0.0
    for at, strip in enumerate(strips):
        y = snap_to_grid(y + (strip.above if at else 0.0), unit) if strip.snap else y + (strip.above if at else 0.0)
        things += [thing.move_by(0, y) for thing in strip.things]
        y += strip.height
    return things, y


def snap_to_grid(y: float, unit: float) -> float:
    """Return the next line at or below y (mm) of a grid with lines `unit` mm apart."""
    count = int(y / unit + 1 - 1e-6)
    return max(count, 0) * unit


SLACK = 1e-4
"""Rounding tolerance of a full column (mm)."""


class PlacedStrip(NamedTuple):
    """A strip and its y (mm below the column's top); `again`: it is a head repeated from another column."""

    strip: Strip
    y: float
    again: bool = False


class Level(NamedTuple):
    """How far a column is filled (mm), and the box of the lowest strip; `begun` is False while it is empty."""

    y: float = 0.0
    frame: Frame | None = None
    begun: bool = False

    def find_top(self, strip: Strip, unit: float, more: float = 0.0) -> float:
        """Return the y (mm) of the next strip, on a grid of `unit` mm, with `more` mm of extra space above it."""
        y, frame, own = self.y, self.frame, strip.frame
        if frame is not None and frame is not own:
            y += frame.pad
        if self.begun:
            y += strip.above + more
        if own is not None and frame is not own:
            y = (snap_to_grid(y, unit) if strip.snap else y) + own.pad
        return snap_to_grid(y, unit) if strip.snap else y

    def add_strip(self, strip: Strip, unit: float, more: float = 0.0) -> "Level":
        """Return the level after adding a strip `more` mm lower, on a grid of lines `unit` mm apart.

        At a column's top, its repeated heads come first. A strip that marks the place of a `wide` one takes no space.
        """
        level = self
        if strip.wide is not None:
            return level
        if strip.again and not self.begun:
            for head in strip.again:
                level = Level(level.find_top(head, unit) + head.height, head.frame, True)
        return Level(level.find_top(strip, unit, more) + strip.height, strip.frame, True)

    @property
    def bottom(self) -> float:
        """Return the lower end (mm), with the padding of an open box."""
        return self.y + (self.frame.pad if self.frame is not None else 0.0)


class Column:
    """A column with its strips placed on a grid of `unit` mm.

    `more` is the extra space above each strip, in grid lines. It begins `top` mm below its page's text area, below
    strips across all columns; the first column of a page has these as its `wides`.
    """

    def __init__(self, unit: float, strips: Iterable[Strip] = (), more: Sequence[int] = ()):
        self.puts: list[PlacedStrip] = []
        self.top = 0.0
        self.wides: tuple[Strip, ...] = ()
        self._unit = unit
        self._level = Level()
        for at, strip in enumerate(strips):
            if strip.wide is not None:
                continue
            for head in strip.again if not self.puts else ():
                self._place_strip(head, 0.0, again=True)
            self._place_strip(strip, more[at] * unit if more else 0.0)

    @property
    def bottom(self) -> float:
        """Return the lower end (mm), with the padding of an open box."""
        return self._level.bottom

    def _place_strip(self, strip: Strip, more: float, again: bool = False) -> None:
        self.puts.append(PlacedStrip(strip, self._level.find_top(strip, self._unit, more), again))
        self._level = Level(self.puts[-1].y + strip.height, strip.frame, True)


def measure_level(strips: Iterable[Strip], unit: float, more: Sequence[int] = ()) -> Level:
    """Return how far these strips fill a column, with `more` extra grid lines above each."""
    level = Level()
    for at, strip in enumerate(strips):
        level = level.add_strip(strip, unit, more[at] * unit if more else 0.0)
    return level


def fits_column(strips: Sequence[Strip], height: float, unit: float) -> bool:
    """Return True if strips fit in an empty column when set as tightly as possible."""
    return measure_level(map(shrink_strip, strips), unit, [-strip.shrink for strip in strips]).bottom <= height + SLACK


def resize_strip(strip: Strip, size: StripSize) -> Strip:
    """Return a strip at another size."""
    return strip._replace(height=size.height, things=size.things)


def shrink_strip(strip: Strip) -> Strip:
    """Return a strip at its smallest size."""
    return resize_strip(strip, strip.sizes[0]) if strip.sizes and strip.sizes[0].height < strip.height else strip


def stretch_strip(strip: Strip) -> Strip:
    """Return a strip at its largest size."""
    return resize_strip(strip, strip.sizes[-1]) if strip.sizes and strip.sizes[-1].height > strip.height else strip


def justify_column(
    strips: Sequence[Strip], height: float, unit: float, *, full: bool = True, foot: float = 0.0
) -> Column:
    """Return the strips as a column, tightened to `height` mm if they are taller or, if `full`, loosened towards it.

    Figures grow as far as they fit, but no space grows once the column ends at most `foot` mm above `height`.
    """
    shown, more = list(strips), [0] * len(strips)
    over = measure_level(shown, unit).bottom > height + SLACK
    tighter = ([(at, None)] for at, strip in enumerate(strips) if at for _ in range(strip.shrink))
    for steps in chain(tighter, _iter_sizes(strips, larger=False)) if over else _iter_looser(strips) if full else ():
        if not over and steps[0][1] is None and measure_level(shown, unit, more).bottom >= height - foot:
            continue
        was = shown[:], more[:]
        for at, strip in steps:
            shown[at], more[at] = (strip or shown[at]), more[at] + (strip is None) * (-1 if over else 1)
        fits = measure_level(shown, unit, more).bottom <= height + SLACK
        if over and fits:
            break
        if not over and not fits:
            shown, more = was
    return Column(unit, shown, more)


_Steps: TypeAlias = Iterator[Sequence[tuple[int, Strip | None]]]
"""Changes of a column, one after the other: a strip's other size, or None for a grid line more or less above it."""


def _iter_looser(strips: Sequence[Strip]) -> _Steps:
    """Yield steps that make a column taller: (strip number, None) is a line above it, (number, strip) a larger figure.

    Then what `stretch`es most comes first, so that no gap in a section gets as large as the one before; paragraphs come
    together.
    """
    yield from _iter_sizes(strips, larger=True)
    sections = list(accumulate(strip.heading is not None for strip in strips))
    for least in range(max((strip.stretch for strip in strips), default=0), 0, -1):
        loose = [at for at, strip in enumerate(strips) if at and strip.stretch >= least]
        loose.sort(key=lambda at: -strips[at].stretch)
        for _, group in groupby(loose, key=lambda at: (sections[at], at * (strips[at].stretch > 1))):
            yield [(at, None) for at in group]


def _iter_sizes(strips: Sequence[Strip], *, larger: bool) -> _Steps:
    """Yield steps, (strip number, resized strip): one to the next size for each strip, then to the one after it."""
    order = 1 if larger else -1
    sizes = ([size for size in one.sizes[::order] if (size.height > one.height) == larger] for one in strips)
    for step in zip_longest(*sizes):
        yield from ([(at, resize_strip(strips[at], size))] for at, size in enumerate(step) if size is not None)


def place_column_things(column: Column, x: float, y: float) -> list[Thing]:
    """Return the things of a column whose corner is at (x, y) (mm)."""
    things: list[Thing] = []
    run: list[PlacedStrip] = []
    behind: Frame | None = None
    for put in [*column.puts, None]:
        frame = put.strip.frame if put is not None else None
        if run and behind is not None and frame != behind:
            pad, top, last = behind.pad, y + run[0].y, run[-1]
            box = Rect(x + behind.x, top - pad, behind.width, last.y + last.strip.height + 2 * pad - run[0].y)
            things += [_paint_box(box, behind.ground), _paint_box(Rect(box.x, box.y, EDGE, box.height), behind.edge)]
            run = []
        behind = frame
        if put is not None and frame is not None:
            run.append(put)
    for put in column.puts:
        things += [thing.move_by(x, y + put.y) for thing in put.strip.things]
    return things


def _paint_box(box: Rect, paint: Paint) -> Thing:
    return Thing("artifact", box, (Shape(rectangle_path(Rect(0, 0, box.width, box.height)), paint, role="ground"),))
