"""Blocks of a book (headings, paragraphs, tables ...) and parts of lists, before they are placed on pages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, TypeVar

from generator.base.display_list import Drawing, Item, Paint
from generator.base.errors import Place
from generator.base.geometry import Size
from generator.books.page.page_style import HAIR, RULE, TypeStyle
from generator.game.rich_text import Inline as TextInline
from generator.game.rich_text import Plain, RichText, Ruby

Level = Literal[1, 2, 3]
Manner: TypeAlias = Literal["columns", "wide", "spread"]
Sign: TypeAlias = Literal["players", "minutes", "age"]
"""A fact about a game that the cover shows with an icon."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a block is written in the source: its place, and the places of its parts, if they have their own.

    The class of a block says what its parts are. Problems are reported at these places. They are not part of the
    content, so blocks that differ only in their origin are equal.
    """

    place: Place | None = None
    parts: tuple[Place | None, ...] = ()

    def get_part_place(self, number: int) -> Place | None:
        """Return the place of part `number` (from 0), or that of the whole block if the part has none."""
        own = self.parts[number] if number < len(self.parts) else None
        return own or self.place


NOWHERE = Origin()

TERM, INDEX = "term:", "index:"
"""Prefixes of anchors (link targets): a term's definition, and its index entry. INDEX alone is the index itself."""


@dataclass(frozen=True, slots=True)
class Term:
    """A glossary word in the text; `id` is its entry. If it `defines` the word, the index lists it first."""

    text: str
    id: str
    bold: bool = False
    defines: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A text that links to a heading or box by its anchor. Without words it shows only the page number."""

    text: str
    anchor: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """Words to which index entries (`ids`) refer, without any visible mark."""

    shown: Plain | Ruby
    ids: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return its characters."""
        return "".join(self.shown.base) if isinstance(self.shown, Ruby) else self.shown.text


DESIGN = "design:"
"""Prefix of the id of a component's index entry. An index omits components that the book never shows."""


def id_from_design(design: str, name: str) -> str:
    """Return the id of a component's index entry; components of a kind with the same name share it."""
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
    """Running text. A `lead` introduces a chapter, a `note` is in smaller type."""

    text: Text
    role: Literal["body", "lead", "note"] = "body"
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, numbered if `ordered`; an entry consists of blocks. A `sign` replaces the bullets."""

    entries: tuple[tuple["Block", ...], ...]
    ordered: bool = False
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head that is repeated after a page break; `align` has an entry for each column.

    `langs` is the language of each column, empty for the book's. `shares` is the share of the width of each column,
    empty for automatic widths. The cells of `rows`, row by row, are the parts of its origin.
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
    """A composed picture in mm; `beside` puts it next to the following text if that leaves room.

    `alt` is its description. `key` explains its numbers, from 1; the key's texts are the parts of its origin. A figure
    with a key is never beside text. `smaller` composes it for less room: pieces at this share of their size, a maximum
    width in mm, its own words unchanged; it returns None if that is impossible. A `firm` figure is never resized to
    fill its page.
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
    """Blocks set apart: an example, an important note, a designer's remark. `title` may be empty.

    A box with an `anchor`, unique in a book like those of headings, is a link target; its `name`, before its title, is
    the text of such links.
    """

    role: Literal["example", "note", "designer"]
    title: Text
    blocks: tuple["Block", ...]
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    anchor: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class BlockGroup:
    """Blocks arranged in narrow `columns`, `wide` (across all columns) or as a `spread` (on facing pages)."""

    blocks: tuple["Block", ...]
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    manner: Manner = "columns"


@dataclass(frozen=True, slots=True)
class BackCover:
    """A marker: the blocks that follow are printed on the book's last page, its back cover."""

    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class VerticalText:
    """Paragraphs in vertical lines on separate pages, such as a prologue; they are the parts of its origin."""

    paragraphs: tuple[Text, ...]
    title: Text = ()
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Contents:
    """A placeholder for the table of contents."""

    title: Text
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Index:
    """A placeholder for the index. An entry is its words and the id of the term whose pages it lists.

    The entries are the parts of its origin. `anchor` is the target of links to it, like a heading's.
    """

    title: Text
    entries: tuple[tuple[Text, str], ...]
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)
    anchor: str = INDEX


@dataclass(frozen=True, slots=True)
class Lettering:
    """Text in a given width (mm), `above` below the part before it; `name` identifies it for programs."""

    text: RichText | str
    style: TypeStyle
    width: float
    place: Place | None = None
    name: str = ""
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A horizontal line that takes no height of its own."""

    width: float
    paint: Paint = RULE
    thick: float = HAIR
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class TickBox:
    """An empty square to be ticked; `name` identifies it for programs."""

    name: str


@dataclass(frozen=True, slots=True)
class Artwork:
    """A drawing with its size in mm, or an empty frame around `words` if there is no picture."""

    size: Size
    items: tuple[Item, ...]
    name: str = ""
    role: Literal["picture", "artifact"] = "picture"
    words: Lettering | None = None
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts one below the other that stay together, with `below` between them (mm).

    `above` is the space before it unless it begins a page. `keep`: the next block is on the same page. `again` is
    repeated above it if it begins a page.
    """

    parts: Sequence["Part"]
    above: float = 0.0
    keep: bool = False
    again: "Part | None" = None
    below: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side, each from its x (mm), at the top or the middle. `low`: all but the first are at the foot."""

    parts: Sequence[tuple[float, "Part"]]
    above: float = 0.0
    lie: Literal["top", "middle", "low"] = "top"


@dataclass(frozen=True, slots=True)
class Halves:
    """Two sequences of parts, side by side with left edges `pitch` mm apart; one below the other on a small page."""

    left: Sequence["Part"]
    right: Sequence["Part"]
    pitch: float
    above: float = 0.0


Part: TypeAlias = Lettering | RuledLine | TickBox | Artwork | Stack | Row
"""A part of a list page. Its width is given, its height results from its contents."""

ListPart: TypeAlias = Part | Halves

Block: TypeAlias = (
    Heading | Paragraph | Listing | Table | Figure | Box | BlockGroup | BackCover | VerticalText | Contents | Index
)
"""Any block of a book."""

PAGE = "page:"
"""Prefix of an anchor that is a page number instead of a name."""


def id_from_row(row: Sequence[Text]) -> str:
    """Return the id of the term in a glossary row's first cell, or an empty string."""
    first = row[0][0] if row and row[0] else None
    return first.id if isinstance(first, Term) else ""


def dissolve_groups(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks in order, with each group replaced by the blocks inside it."""
    for block in blocks:
        if isinstance(block, BlockGroup):
            yield from dissolve_groups(block.blocks)
        else:
            yield block


def iter_contents_headings(blocks: Iterable[Block]) -> Iterator[Heading]:
    """Yield the entries of a table of contents: the headings, and the title of an index."""
    for block in blocks:
        if isinstance(block, Heading):
            yield block
        elif isinstance(block, Index) and block.title:
            yield Heading(1, block.title, block.anchor, block.origin)


@dataclass(frozen=True, slots=True)
class Cover:
    """The first page: title, subtitle, facts (players, minutes, age) and a picture.

    `ground` covers the whole page behind them: a drawing, or one colour; `ink` is the paint of all words on it.
    `lettering` is the title as a drawing. `signs` are the kinds of the facts. The parts of its origin are the title,
    the subtitle and the facts together. Inside the book, `tint` is the paint of boxes, and `rule` is drawn below the
    titles of chapters.
    """

    title: str
    subtitle: str
    facts: tuple[str, ...]
    picture: Figure | None = None
    ground: Drawing | Paint | None = None
    ink: Paint = ""
    lettering: Drawing | None = None
    signs: tuple[Sign, ...] = ()
    tint: Paint = ""
    rule: Drawing | None = None
    origin: Origin = field(default=NOWHERE, compare=False, repr=False)

    @property
    def any_picture(self) -> Figure | None:
        """Return the cover's picture, or its background drawing if there is no picture."""
        return self.picture or (Figure(self.ground, self.title) if isinstance(self.ground, Drawing) else None)


@dataclass(frozen=True, slots=True)
class Book:
    """A whole book. `imprint` are the small lines at its end: draft, date, hash, credit, licence.

    These lines are the parts of its origin. `name` is the name of its files, used in problems; `folded`: a booklet is
    made of it as well. `sheet`: the whole book is printed on one sheet.
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
        """Return its title among other files: the game's name, or the subtitle for other books than the rulebook."""
        return self.cover.title if self.name == "rulebook" else f"{self.cover.title}: {self.cover.subtitle}"


_B = TypeVar("_B", bound=Block)


def iter_blocks_within(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks in order, each followed by the blocks inside it."""
    for block in blocks:
        yield block
        if isinstance(block, Box | BlockGroup):
            yield from iter_blocks_within(block.blocks)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from iter_blocks_within(entry)


def change_texts(block: _B, change: Callable[[Text], Text]) -> _B:
    """Return the block with all of its texts changed, including those of the blocks inside it."""
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
    if isinstance(block, BlockGroup):
        return replace(block, blocks=_change_all(block.blocks, change))
    if isinstance(block, VerticalText):
        return replace(block, title=change(block.title), paragraphs=tuple(map(change, block.paragraphs)))
    return block


def _change_all(blocks: Iterable[Block], change: Callable[[Text], Text]) -> tuple[Block, ...]:
    return tuple(change_texts(block, change) for block in blocks)


def list_inlines(block: Block) -> list[Inline]:
    """Return the parts of all texts of a block, including those of the blocks inside it."""
    found: list[Inline] = []

    def collect(text: Text) -> Text:
        found.extend(text)
        return text

    change_texts(block, collect)
    return found


def drop_places(book: Book) -> Book:
    """Return the book without origins and `smaller` figures, to compare contents regardless of their place."""
    picture = replace(book.cover.picture, origin=NOWHERE, smaller=None) if book.cover.picture is not None else None
    cover = replace(book.cover, picture=picture, origin=NOWHERE)
    return replace(book, cover=cover, blocks=drop_block_places(book.blocks), origin=NOWHERE)


def drop_block_places(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks without origins, like `drop_places`."""
    bare: list[Block] = []
    for block in blocks:
        if isinstance(block, Listing):
            bare.append(replace(block, entries=tuple(map(drop_block_places, block.entries)), origin=NOWHERE))
        elif isinstance(block, Box | BlockGroup):
            bare.append(replace(block, blocks=drop_block_places(block.blocks), origin=NOWHERE))
        elif isinstance(block, Figure):
            bare.append(replace(block, origin=NOWHERE, smaller=None))
        else:
            bare.append(replace(block, origin=NOWHERE))
    return tuple(bare)
