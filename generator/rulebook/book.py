"""A rulebook as its writers read it: blocks of rich text, tables and figures, before anything has a place on a page."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from generator.model.drawing import Drawing
from generator.model.text import Inline as TextInline

Level = Literal[1, 2, 3]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary where the text uses it; `id` is its entry."""

    text: str
    id: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to a heading or block of this book by its anchor."""

    text: str
    anchor: str


Inline: TypeAlias = TextInline | Term | Link
Text: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A chapter (1), a section (2) or a step (3). Anchors are unique in a book."""

    level: Level
    text: Text
    anchor: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a `lead` opens a chapter, a `note` is an aside in smaller type."""

    text: Text
    role: Literal["body", "lead", "note"] = "body"


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, numbered if `ordered`; an entry is a run of blocks."""

    entries: tuple[tuple["Block", ...], ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head that is repeated after a page break; `align` has an entry for each column.

    `langs` says in which language each column is, empty for the book's.
    """

    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    align: tuple[Literal["left", "centre", "right"], ...]
    caption: Text = ()
    langs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture in mm, already composed; `beside` stands next to the text that follows it, where that leaves room.

    `alt` says in words what it shows.
    """

    drawing: Drawing
    alt: str
    caption: Text = ()
    place: Literal["block", "beside"] = "block"


@dataclass(frozen=True, slots=True)
class Box:
    """Blocks set apart: an example, a note that matters, a designer's remark. `title` may be empty."""

    role: Literal["example", "note", "designer"]
    title: Text
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Upright:
    """Paragraphs on a page of their own in vertical lines, as a prologue."""

    paragraphs: tuple[Text, ...]
    title: Text = ()


@dataclass(frozen=True, slots=True)
class Contents:
    """Where the table of contents stands: headings with their pages."""

    title: Text


@dataclass(frozen=True, slots=True)
class Index:
    """Where the index stands: each entry's words, and the terms whose pages it lists."""

    title: Text
    entries: tuple[tuple[Text, str], ...]


Block: TypeAlias = Heading | Paragraph | Listing | Table | Figure | Box | Upright | Contents | Index


@dataclass(frozen=True, slots=True)
class Cover:
    """The first page: title, line below it, facts (players, minutes, age), a picture behind or below it."""

    title: str
    subtitle: str
    facts: tuple[str, ...]
    picture: Figure | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rulebook. `imprint` are the small lines at its end: draft, date, hash, credit, licence."""

    game: str
    lang: str
    cover: Cover
    blocks: tuple[Block, ...]
    imprint: tuple[str, ...]
    date: str = ""
