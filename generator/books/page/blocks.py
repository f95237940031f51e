"""Blocks of a book and parts of a list, before anything has a place on a page."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Literal, TypeAlias, TypeVar

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing, Item, Paint
from generator.base.errors import Place
from generator.base.geometry import Size
from generator.books.page.page_style import HAIR, RULE, TypeStyle
from generator.game.rich_text import Inline as TextInline
from generator.game.rich_text import Plain, RichText, Ruby

Level = Literal[1, 2, 3]
Manner: TypeAlias = Literal["columns", "wide", "spread"]
Sign: TypeAlias = Literal["players", "minutes", "age"]
"""What a fact about a game tells."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something of a book is written: the place at which it begins, and those of its parts that have their own.

    Which parts are counted, each kind of block says. A problem with a text is told there; it is no part of what the
    book says, so blocks that differ in it alone are equal.
    """

    place: Place | None = None
    parts: tuple[Place | None, ...] = ()

    def part(self, number: int) -> Place | None:
        """The place of a part, from 0; that of the whole where the part has none."""
        own = self.parts[number] if number < len(self.parts) else None
        return own or self.place


NOWHERE = Origin()

TERM, INDEX = "term:", "index:"
"""Before a term's id in the anchors of its meaning and of its entry in the index; alone the latter is the index's."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary where the text uses it; `id` is its entry.

    Where it `defines` the word, the index leads first.
    """

    text: str
    id: str
    bold: bool = False
    defines: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to a heading or box of this book by its anchor; without words, to say its page alone."""

    text: str
    anchor: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """Words to which the index leads under entries of these ids; they look like other words."""

    shown: Plain | Ruby
    ids: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its characters."""
        return "".join(self.shown.base) if isinstance(self.shown, Ruby) else self.shown.text


DESIGN = "design:"
"""Before the id of a component's entry in an index, which leaves out what the book shows nowhere."""


def design_mention(design: str, name: str) -> str:
    """The id of an index's entry for a component of that id and name; those of a kind with one name share it."""
    return f"{DESIGN}{design.split('/', maxsplit=1)[0]}/{name}"


Inline: TypeAlias = TextInline | Term | Link | Mention
Text: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A chapter (1), a section (2) or a step (3). Anchors are unique in a book."""

    level: Level
    text: Text
    anchor: str
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a `lead` opens a chapter, a `note` is an aside in smaller type."""

    text: Text
    role: Literal["body", "lead", "note"] = "body"
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, numbered if `ordered`; an entry is a run of blocks."""

    entries: tuple[tuple["Block", ...], ...]
    ordered: bool = False
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head that is repeated after a page break; `align` has an entry for each column.

    `langs` says in which language each column is, empty for the book's; `shares` which part of the width each takes,
    empty for what its words want. The cells of `rows`, row by row, are the parts of its origin.
    """

    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    align: tuple[Literal["left", "centre", "right"], ...]
    caption: Text = ()
    langs: tuple[str, ...] = ()
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture in mm, already composed; `beside` stands next to the text that follows it, where that leaves room.

    `alt` says in words what it shows. `key` explains the numbers in it, from 1 on; its texts are the parts of the
    figure's origin. A figure with a key never stands beside text. `smaller` composes it for less room: its pieces so
    many times as large, so many mm wide at most, its own words as large as ever; None where that can't be done. A
    `firm` one becomes no smaller or larger for the sake of its page.
    """

    drawing: Drawing
    alt: str
    caption: Text = ()
    place: Literal["block", "beside"] = "block"
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    key: tuple[Text, ...] = ()
    smaller: Callable[[float, float], Drawing | None] | None = field(default=None, compare=False, repr=False)
    firm: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Blocks set apart: an example, a note that matters, a designer's remark. `title` may be empty.

    A box with an `anchor`, unique in a book like those of headings, can be referred to; its `name`, before
    its title, is what it is called then.
    """

    role: Literal["example", "note", "designer"]
    title: Text
    blocks: tuple["Block", ...]
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    anchor: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Arranged:
    """Blocks in narrow columns, `wide` across a page's columns, or a `spread` seen together; without any a mark."""

    blocks: tuple["Block", ...]
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    manner: Manner = "columns"


@dataclass(frozen=True, slots=True)
class BackCover:
    """Where the back cover begins: what follows stands on the last page of the book."""

    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Upright:
    """Paragraphs on a page of their own in vertical lines, as a prologue; they are the parts of its origin."""

    paragraphs: tuple[Text, ...]
    title: Text = ()
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Contents:
    """Where the table of contents stands: headings with their pages."""

    title: Text
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Index:
    """Where the index stands: each entry's words, and the terms whose pages it lists.

    The entries are the parts of its origin. `anchor` is what links to it name, like a heading's.
    """

    title: Text
    entries: tuple[tuple[Text, str], ...]
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    anchor: str = INDEX


@dataclass(frozen=True, slots=True)
class Lettering:
    """A text in a width, mm; a program finds it on its page by `name`.

    `above` is the room above a part, in a row too, but not at the top of a stack or page.
    """

    text: RichText | str
    style: TypeStyle
    width: float
    place: Place | None = None
    name: str = ""
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A line across, below which the next begins as though it were not there."""

    width: float
    paint: Paint = RULE
    thick: float = HAIR
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class TickBox:
    """An empty square to be ticked."""

    name: str


@dataclass(frozen=True, slots=True)
class Artwork:
    """Something drawn, its size in mm; an empty frame around `words` where there is no picture."""

    size: Size
    items: tuple[Item, ...]
    name: str = ""
    role: Literal["picture", "artifact"] = "picture"
    words: Lettering | None = None
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts one below the other that stay together, `below` them so much room, all in mm.

    `above` is the room before it unless it begins a page. `keep`: the next block stands on the same page. `again` is
    repeated above it where it begins a page.
    """

    parts: Sequence["Part"]
    above: float = 0.0
    keep: bool = False
    again: "Part | None" = None
    below: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side that stay together, each from its x (mm) on: with their tops or their middles at one height.

    `low`: the first one is at the top, the others at the foot.
    """

    parts: Sequence[tuple[float, "Part"]]
    above: float = 0.0
    lie: Literal["top", "middle", "low"] = "top"


@dataclass(frozen=True, slots=True)
class Halves:
    """Two runs of parts side by side where a page holds them so, else one below the other; mm from left to left."""

    left: Sequence["Part"]
    right: Sequence["Part"]
    pitch: float
    above: float = 0.0


Part: TypeAlias = Lettering | RuledLine | TickBox | Artwork | Stack | Row
"""What a list is made of: it has its width already, and gets its height when it is set."""

ListPart: TypeAlias = Part | Halves

Block: TypeAlias = (
    Heading | Paragraph | Listing | Table | Figure | Box | Arranged | BackCover | Upright | Contents | Index
)
"""What a book is made of."""

PAGE = "page:"
"""Before a page's number in the anchor of a link that leads to it."""


def term_id(row: Sequence[Text]) -> str:
    """The id of the term that a table's row begins with, empty for none: in a glossary it says what that means."""
    first = row[0][0] if row and row[0] else None
    return first.id if isinstance(first, Term) else ""


def without_arrangement(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks in order, those in a manner of their own as though they were like all others."""
    for block in blocks:
        if isinstance(block, Arranged):
            yield from without_arrangement(block.blocks)
        else:
            yield block


def contents_headings(blocks: Iterable[Block]) -> Iterator[Heading]:
    """What a table of contents lists: the headings, and the title of an index."""
    for block in blocks:
        if isinstance(block, Heading):
            yield block
        elif isinstance(block, Index) and block.title:
            yield Heading(1, block.title, block.anchor, block.origin)


@dataclass(frozen=True, slots=True)
class Cover:
    """The first page: title, line below it, facts (players, minutes, age), a picture below it.

    `ground` is what covers the whole page behind them: a drawing, or one colour; `ink` is the paint of all words on it.
    `signs` say of each fact what it is. The parts of its origin are the title, the line below it and the facts
    together.
    """

    title: str
    subtitle: str
    facts: tuple[str, ...]
    picture: Figure | None = None
    ground: Drawing | Paint | None = None
    ink: Paint = ""
    signs: tuple[Sign, ...] = ()
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)

    @property
    def shown(self) -> Figure | None:
        """Its picture where it has no page: else what is drawn on its ground."""
        return self.picture or (Figure(self.ground, self.title) if isinstance(self.ground, Drawing) else None)


@dataclass(frozen=True, slots=True)
class Book:
    """A whole book. `imprint` are the small lines at its end: draft, date, hash, credit, licence.

    These lines are the parts of its origin. `name` is that of its files, by which problems call it; `folded`: a booklet
    is made of it too. `sheet`: all of it is one sheet.
    """

    game: str
    lang: str
    cover: Cover
    blocks: tuple[Block, ...]
    imprint: tuple[str, ...]
    date: str = ""
    name: str = "rulebook"
    folded: bool = True
    sheet: bool = False
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)

    @property
    def title(self) -> str:
        """What it is called among other files: a rulebook as its game is, another book with the line below that."""
        return self.cover.title if self.name == "rulebook" else f"{self.cover.title}: {self.cover.subtitle}"


_B = TypeVar("_B", bound=Block)


def every_block(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks in order, each followed by those that it holds."""
    for block in blocks:
        yield block
        if isinstance(block, Box | Arranged):
            yield from every_block(block.blocks)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from every_block(entry)


def change_texts(block: _B, change: Callable[[Text], Text]) -> _B:
    """Return the block with all of its texts changed, those of the blocks that it holds included."""
    if isinstance(block, Heading | Paragraph):
        return replace(block, text=change(block.text))
    if isinstance(block, Listing):
        return replace(block, entries=tuple(_change_all(entry, change) for entry in block.entries))
    if isinstance(block, Table):
        rows = tuple(tuple(map(change, row)) for row in block.rows)
        return replace(block, head=tuple(map(change, block.head)), rows=rows, caption=change(block.caption))
    if isinstance(block, Figure):
        return replace(block, caption=change(block.caption), key=tuple(map(change, block.key)))
    if isinstance(block, Box):
        return replace(block, title=change(block.title), blocks=_change_all(block.blocks, change))
    if isinstance(block, Arranged):
        return replace(block, blocks=_change_all(block.blocks, change))
    if isinstance(block, Upright):
        return replace(block, title=change(block.title), paragraphs=tuple(map(change, block.paragraphs)))
    return block


def _change_all(blocks: Iterable[Block], change: Callable[[Text], Text]) -> tuple[Block, ...]:
    return tuple(change_texts(block, change) for block in blocks)


def without_places(book: Book) -> Book:
    """The same book with all origins left out: what it says, wherever that is written.

    A figure for less room shows what the figure shows: its drawing tells both.
    """
    picture = replace(book.cover.picture, origin=NOWHERE, smaller=None) if book.cover.picture is not None else None
    cover = replace(book.cover, picture=picture, origin=NOWHERE)
    return replace(book, cover=cover, blocks=_blocks_without_places(book.blocks), origin=NOWHERE)


def _blocks_without_places(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(map(_without_origin, blocks))


def _without_origin(block: Block) -> Block:
    if isinstance(block, Listing):
        return replace(block, entries=tuple(map(_blocks_without_places, block.entries)), origin=NOWHERE)
    if isinstance(block, Box | Arranged):
        return replace(block, blocks=_blocks_without_places(block.blocks), origin=NOWHERE)
    if isinstance(block, Figure):
        return replace(block, origin=NOWHERE, smaller=None)
    return replace(block, origin=NOWHERE)
