"""What blocks become before they have a page: strips of a column, and the things that lie on them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.errors import Place
from generator.model.drawing import Group, Item, Paint, Shape
from generator.model.outline import rectangle
from generator.model.structure import LAYOUT, REPEATED, Tag, Tags
from generator.pages.blocks import Heading, Link, Term
from generator.pages.style import HAIR, RULE
from generator.units import Rect

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
