"""Strips of a column, the things on them, and columns with strips at their heights."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import LAYOUT, REPEATED, Group, Item, Paint, Shape, Tag, Tags
from generator.base.errors import Place
from generator.base.geometry import Rect
from generator.base.outlines import rectangle
from generator.books.page.blocks import Heading, Link, Term
from generator.books.page.page_style import EDGE, HAIR, RULE

Role = Literal["heading", "paragraph", "list", "table", "figure", "caption", "artifact", "text", "tick", "picture"]
"""What a thing is; artifacts (rules, running heads) are nothing to a reader who can't see them. Lists have the last."""


@dataclass(frozen=True, slots=True)
class LinkArea:
    """A box in mm that leads to an anchor; `words` are what it shows, `tags` go on from those of its thing.

    `mark` is the link or term of the book that these are words of, `place` where the text is written that leads there.
    """

    box: Rect
    target: str
    words: str = ""
    tags: Tags = ()
    place: Place | None = None
    mark: Link | Term | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    """Something placed: its box in mm, what it draws (coordinates from the box's corner), the areas that lead on.

    `number`: here stands the number of the page that has this anchor. `part` tells the lines of one block from others.
    `tags` are its way down the book's structure; without them it is an artifact. A program that reads the display list
    finds it by its `name`.
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

    def moved(self, dx: float, dy: float) -> "Thing":
        """The same thing, dx mm to the right and dy mm down."""
        return replace(self, box=self.box.moved(dx, dy))

    def repeated(self) -> "Thing":
        """The same thing, shown again for the eye alone."""
        return replace(self, areas=(), tags=REPEATED)

    def within(self, tags: Tags) -> "Thing":
        """The same thing inside an element of the book's structure."""
        return replace(self, tags=(*tags, *self.tags)) if self.tags and self.tags[0].tells else self

    def drawn(self) -> Group:
        """It on its page, with its role for a program that reads the display list."""
        matrix = (1.0, 0.0, 0.0, 1.0, round(self.box.x, 3), round(self.box.y, 3))
        data = (("role", self.role), ("part", str(self.part)), *([("name", self.name)] if self.name else []))
        tags = self.tags or LAYOUT
        if tags[-1].kind == "Figure":
            tags = (*tags[:-1], replace(tags[-1], box=self.box))
        return Group(self.items, matrix, id=self.role, data=data, title=self.alt, tags=tags)


@dataclass(frozen=True, slots=True)
class Lane:
    """Where the strips of a block stand: from x on, so wide (mm); and the block's number among the book's parts."""

    x: float
    width: float
    part: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The ground behind strips that belong to one box: its place across the column and the room inside it, mm."""

    number: int
    x: float
    width: float
    pad: float
    ground: Paint
    edge: Paint


MemberKind: TypeAlias = Literal["box", "example", "procedure", "list", "table", "spread"]


@dataclass(frozen=True, slots=True)
class Member:
    """That a strip belongs to something that is seen as a whole: which one, by number, and the entry or row of it.

    `size` is how many entries or rows it has; a box and a spread have one for each of their strips.
    """

    kind: MemberKind
    number: int
    entry: int
    size: int


@dataclass(frozen=True, slots=True)
class Sized:
    """What a strip shows at another size, and how high it is then, mm."""

    height: float
    things: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """A piece of a column that stays whole; `above` is the room before it unless it begins a column, mm.

    `snap`: it begins on the grid. `keep`: the next strip stands in the same column. `again` is repeated above it where
    it begins a column. `flows`: running text, which may go before a figure that `floats`. `opens`: a chapter's title.
    `instead`: what takes the place of this and the next `covers` - 1 strips where they don't fit and would leave a gap.
    `price`: how ill a column looks that ends after it. `ends`: the column ends after it. `members`: of which boxes,
    lists and tables it is a part, the outermost first. `ending`: the words of a paragraph's last line below others.
    `stretch`, `shrink`: so many lines of the grid the room above it may grow and give way. `sizes`: how else it may be
    drawn, the smallest first. `narrow`: it stands for strips that run in narrow columns; `across`: those that it holds
    so. `wide`: it is the place of this strip, which stands across all columns at a page's head. `page`: it is a page of
    its own, the one of this number. `told`: how it had to be set, where that is not as its book's others are.
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
    sizes: tuple[Sized, ...] = ()
    narrow: "Narrow | None" = None
    across: tuple["Strip", ...] = ()
    wide: "Strip | None" = None
    page: int = -1
    told: str = ""
    heading: Heading | None = None
    anchors: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Narrow:
    """Strips that run in so many narrow columns, from left to right; `pitch` is from one's left to the next's, mm."""

    strips: tuple[Strip, ...]
    columns: int
    pitch: float


def rule(x: float, y: float, length: float, paint: Paint = RULE, width: float = HAIR) -> Thing:
    """A horizontal line from (x, y), `width` mm thick below it."""
    return Thing(
        "artifact", Rect(x, y, length, width), (Shape(rectangle(Rect(0, 0, length, width)), paint, role="frame"),)
    )


_PARTED, _TWO_LINES = 3.0, 8.0
"""Of a paragraph that goes on in another column, and of one that has two lines alone on one side."""


def add_price(strip: Strip, price: float) -> Strip:
    """The strip, after which a column ends at this price at least."""
    return replace(strip, price=max(strip.price, price))


def without_orphans(strips: list[Strip]) -> list[Strip]:
    """A paragraph's lines, two at least on each side of a break, which had better leave more."""
    last = len(strips) - 1
    return [
        replace(
            strip,
            keep=strip.keep or (last > 0 and (at == 0 or at == last - 1)),
            price=strip.price if at == last else max(strip.price, _TWO_LINES if at in (1, last - 2) else _PARTED),
        )
        for at, strip in enumerate(strips)
    ]


def joined(strips: Iterable[Strip], kind: MemberKind, number: int, entry: int, size: int) -> list[Strip]:
    """The strips as parts of an entry of something that is seen as a whole."""
    member = Member(kind, number, entry, size)
    return [
        replace(
            strip,
            members=(member, *strip.members),
            instead=tuple(joined(strip.instead, kind, number, entry, size)),
        )
        for strip in strips
    ]


def inside(strips: list[Strip], *tags: Tag) -> list[Strip]:
    """The strips inside an element of the book's structure."""
    return [
        replace(
            strip,
            things=tuple(thing.within(tags) for thing in strip.things),
            sizes=tuple(
                replace(size, things=tuple(thing.within(tags) for thing in size.things)) for size in strip.sizes
            ),
            again=tuple(inside(list(strip.again), *tags)),
            instead=tuple(inside(list(strip.instead), *tags)),
        )
        for strip in strips
    ]


def stack_strips(strips: list[Strip], unit: float) -> tuple[list[Thing], float]:
    """The things of strips one below the other from y = 0, and where they end, mm."""
    things: list[Thing] = []
    y = 0.0
    for at, strip in enumerate(strips):
        y = on_grid(y + (strip.above if at else 0.0), unit) if strip.snap else y + (strip.above if at else 0.0)
        things += [thing.moved(0, y) for thing in strip.things]
        y += strip.height
    return things, y


def on_grid(y: float, unit: float) -> float:
    """The next line of the grid, at y or below it, mm."""
    count = int(y / unit + 1 - 1e-6)
    return max(count, 0) * unit


SLACK = 1e-4
"""mm: what rounding may add to a full column."""


@dataclass(frozen=True, slots=True)
class Put:
    """A strip at its height in a column, mm from its top; `again`: it is repeated from another column."""

    strip: Strip
    y: float
    again: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """How far a column is filled, mm, and the frame of what stands lowest; `begun` is False at its very top."""

    y: float = 0.0
    frame: Frame | None = None
    begun: bool = False

    def top(self, strip: Strip, unit: float, more: float = 0.0) -> float:
        """Where a strip stands below it, on a grid of `unit` mm, with so much `more` room above it (mm)."""
        y, frame, own = self.y, self.frame, strip.frame
        if frame is not None and frame is not own:
            y += frame.pad
        if self.begun:
            y += strip.above + more
        if own is not None and frame is not own:
            y = (on_grid(y, unit) if strip.snap else y) + own.pad
        return on_grid(y, unit) if strip.snap else y

    def below(self, strip: Strip, unit: float, more: float = 0.0) -> "Level":
        """The level with a strip set below it, and above that, at a column's top, what is repeated there.

        The place of what stands across the columns takes no room.
        """
        level = self
        if strip.wide is not None:
            return level
        if strip.again and not self.begun:
            for head in strip.again:
                level = Level(level.top(head, unit) + head.height, head.frame, True)
        return Level(level.top(strip, unit, more) + strip.height, strip.frame, True)

    @property
    def bottom(self) -> float:
        """Where it ends with the ground of a box, mm."""
        return self.y + (self.frame.pad if self.frame is not None else 0.0)


class Column:
    """A column with its strips, so many mm high, on a grid of `unit` mm.

    `more` is the room above each strip that it gets beside its own, in grid lines. It begins `top` mm below its page's
    text, where strips stand across the columns: the first column has these as its `wides`.
    """

    def __init__(self, height: float, unit: float, strips: Iterable[Strip] = (), more: Sequence[int] = ()):
        self.puts: list[Put] = []
        self.top = 0.0
        self.wides: tuple[Strip, ...] = ()
        self._height, self._unit = height, unit
        self._level = Level()
        for at, strip in enumerate(strips):
            if strip.wide is not None:
                continue
            for head in strip.again if not self.puts else ():
                self._put(head, 0.0, again=True)
            self._put(strip, more[at] * unit if more else 0.0)

    @property
    def used(self) -> float:
        """How much of it is full, 0 to 1."""
        return self._level.y / self._height

    @property
    def bottom(self) -> float:
        """Where it ends with the ground of a box, mm."""
        return self._level.bottom

    def _put(self, strip: Strip, more: float, again: bool = False) -> None:
        self.puts.append(Put(strip, self._level.top(strip, self._unit, more), again))
        self._level = Level(self.puts[-1].y + strip.height, strip.frame, True)


def level_of(strips: Iterable[Strip], unit: float, more: Sequence[int] = ()) -> Level:
    """How far strips fill a column, with so many lines of the grid more above each."""
    level = Level()
    for at, strip in enumerate(strips):
        level = level.below(strip, unit, more[at] * unit if more else 0.0)
    return level


def fits(strips: Sequence[Strip], height: float, unit: float) -> bool:
    """Whether strips find room in an empty column, set as tightly as they allow."""
    return level_of(map(tightest, strips), unit, [-strip.shrink for strip in strips]).bottom <= height + SLACK


def at_size(strip: Strip, size: Sized) -> Strip:
    """A strip as it is at another size."""
    return replace(strip, height=size.height, things=size.things)


def tightest(strip: Strip) -> Strip:
    """A strip at its smallest size."""
    return at_size(strip, strip.sizes[0]) if strip.sizes and strip.sizes[0].height < strip.height else strip


def loosest(strip: Strip) -> Strip:
    """A strip at its largest size."""
    return at_size(strip, strip.sizes[-1]) if strip.sizes and strip.sizes[-1].height > strip.height else strip


def made_up(strips: Sequence[Strip], height: float, unit: float, *, full: bool = True) -> Column:
    """A column in which strips too high for it are set tighter, and others looser until they fill it if it is `full`.

    Room above the blocks goes first, a little everywhere before more anywhere, then the sizes of figures. What can't
    be filled so stays empty at its foot.
    """
    shown, more = list(strips), [0] * len(strips)
    if level_of(shown, unit).bottom > height + SLACK:
        for at, strip in _tighter(strips):
            shown[at], more[at] = (strip or shown[at]), more[at] - (strip is None)
            if level_of(shown, unit, more).bottom <= height + SLACK:
                break
    elif full:
        for at, strip in _looser(strips):
            was = shown[at], more[at]
            shown[at], more[at] = (strip or shown[at]), more[at] + (strip is None)
            if level_of(shown, unit, more).bottom > height + SLACK:
                shown[at], more[at] = was
    return Column(height, unit, shown, more)


def _tighter(strips: Sequence[Strip]) -> Iterator[tuple[int, Strip | None]]:
    """One step after the other in which strips give way: a smaller strip, or None for a line less above it."""
    for at, strip in enumerate(strips):
        if at and strip.shrink:
            yield from ((at, None) for _ in range(strip.shrink))
    smaller = [[size for size in strip.sizes if size.height < strip.height][::-1] for strip in strips]
    for step in range(max(map(len, smaller), default=0)):
        yield from ((at, at_size(strips[at], sizes[step])) for at, sizes in enumerate(smaller) if step < len(sizes))


def _looser(strips: Sequence[Strip]) -> Iterator[tuple[int, Strip | None]]:
    """One step after the other in which strips take room: None for a line more above one, or a larger strip."""
    most = max((strip.stretch for strip in strips), default=0)
    for round_ in range(most):
        wanting = [at for at, strip in enumerate(strips) if at and strip.stretch > max(round_, 1)]
        yield from ((at, None) for at in sorted(wanting, key=lambda at: (-strips[at].stretch, at)))
    for at, strip in enumerate(strips):
        yield from ((at, at_size(strip, size)) for size in strip.sizes if size.height > strip.height)
    yield from ((at, None) for at, strip in enumerate(strips) if at and strip.stretch == 1)


def column_things(column: Column, x: float, y: float) -> list[Thing]:
    """The things of a column whose corner is at (x, y), mm."""
    things: list[Thing] = []
    run: list[Put] = []
    behind: Frame | None = None
    for put in [*column.puts, None]:
        frame = put.strip.frame if put is not None else None
        if run and behind is not None and frame != behind:
            things += _box_grounds(run, behind, x, y)
            run = []
        behind = frame
        if put is not None and frame is not None:
            run.append(put)
    for put in column.puts:
        things += [thing.moved(x, y + put.y) for thing in put.strip.things]
    return things


def _box_grounds(run: Sequence[Put], frame: Frame, x: float, y: float) -> list[Thing]:
    """The ground of a box, from a pad above its first strip in a column to one below the last."""
    pad = frame.pad
    box = Rect(x + frame.x, y + run[0].y - pad, frame.width, run[-1].y + run[-1].strip.height + 2 * pad - run[0].y)
    return [_paint_box(box, frame.ground), _paint_box(Rect(box.x, box.y, EDGE, box.height), frame.edge)]


def _paint_box(box: Rect, paint: Paint) -> Thing:
    return Thing("artifact", box, (Shape(rectangle(Rect(0, 0, box.width, box.height)), paint, role="ground"),))
