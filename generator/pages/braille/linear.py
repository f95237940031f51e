"""A book as passages one after the other, for those who read with their fingers: no columns, tables row by row."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import assert_never

from generator.faces.workshop import Workshop
from generator.model.phrases import phrase
from generator.model.text import Icon, Plain
from generator.pages.blocks import (
    Arranged,
    BackCover,
    Block,
    Book,
    Box,
    Contents,
    Figure,
    Heading,
    Index,
    Inline,
    Link,
    Listing,
    Mention,
    Paragraph,
    Table,
    Term,
    Text,
    Upright,
    contents_headings,
    without_arrangement,
)
from generator.pages.braille.brf import BraillePassage
from generator.pages.references.told import titled
from generator.pages.web import words_of_page
from generator.writers.svg import Definitions

_MINOR, _MINUTE, _STEP = 4, 6, 2
"""Cells before a section's heading, before a step's, and for each level of a list."""


def linear(book: Book, workshop: Workshop) -> tuple[BraillePassage, ...]:
    """All that a book says, from its cover to its imprint, pictures in words; its index is left out."""
    words, _ = words_of_page(book, workshop, Definitions(workshop.fonts, workshop.hex, Path))
    names = {icon.id: icon.name[book.lang] for icon in workshop.game.icons.values()}
    reading = _Reading(
        book.lang,
        lambda text: words.plain(_once_named(text, names)),
        tuple(contents_headings(without_arrangement(book.blocks))),
    )
    cover = book.cover
    said = [cover.title, cover.subtitle, *cover.facts]
    head = [BraillePassage(text, centred=True, above=int(at == 2)) for at, text in enumerate(said) if text]
    imprint = [BraillePassage(line, 0, 2, above=int(at == 0)) for at, line in enumerate(book.imprint)]
    return (*head, *reading.passages(book.blocks), *imprint)


class _Reading:
    """Reads the blocks of one book; `plain` gives a text's characters, icons by their names."""

    def __init__(self, lang: str, plain: Callable[[Text], str], headings: Sequence[Heading]):
        self._lang, self._plain, self._headings = lang, plain, headings

    def passages(self, blocks: Iterable[Block], depth: int = 0) -> Iterator[BraillePassage]:
        """The passages of blocks within so many lists."""
        for block in blocks:
            yield from self._block(block, depth)

    def _block(self, block: Block, depth: int) -> Iterator[BraillePassage]:
        if isinstance(block, Heading):
            yield self._heading(block)
        elif isinstance(block, Paragraph):
            yield self._paragraph(block.text, depth)
        elif isinstance(block, Listing):
            yield from self._listing(block, depth)
        elif isinstance(block, Table):
            yield from self._table(block, depth)
        elif isinstance(block, Figure):
            yield from self._figure(block, depth)
        elif isinstance(block, Box):
            yield from self._titled(titled(block, self._lang), self.passages(block.blocks, depth))
        elif isinstance(block, Upright):
            yield from self._titled(block.title, (self._paragraph(text, depth) for text in block.paragraphs))
        elif isinstance(block, Arranged):
            yield from self.passages(block.blocks, depth)
        elif isinstance(block, Contents):
            yield from self._titled(block.title, map(self._listed, self._headings))
        elif not isinstance(block, Index | BackCover):  # the one gives pages of print, the other is a place on paper
            assert_never(block)

    def _heading(self, heading: Heading) -> BraillePassage:
        words, anchor = self._plain(heading.text), heading.anchor
        if heading.level == 1:
            return BraillePassage(words, above=1, centred=True, kept=True, anchor=anchor)
        indent = _MINOR if heading.level == 2 else _MINUTE
        return BraillePassage(words, indent, indent, above=1, kept=True, anchor=anchor)

    def _listed(self, heading: Heading) -> BraillePassage:
        """A heading as the contents have it, with its page."""
        indent = _STEP * (heading.level - 1)
        return BraillePassage(self._plain(heading.text), indent, indent + 2 * _STEP, to=heading.anchor)

    def _paragraph(self, text: Text, depth: int) -> BraillePassage:
        within = _STEP * depth
        return BraillePassage(self._plain(text), within if depth else _STEP, within)

    def _titled(self, title: Text, within: Iterable[BraillePassage]) -> Iterator[BraillePassage]:
        """What is set apart: a line above it, its title, what it says."""
        if title:
            yield BraillePassage(self._plain(title), _MINOR, _MINOR, above=1, kept=True)
        for at, passage in enumerate(within):
            yield passage._replace(above=max(passage.above, int(at == 0 and not title)))

    def _listing(self, listing: Listing, depth: int) -> Iterator[BraillePassage]:
        """Entries with their lines two cells further in than their beginnings; numbered ones with their number."""
        for number, entry in enumerate(listing.entries, 1):
            mark = f"{number}. " if listing.ordered else ""
            for at, passage in enumerate(self.passages(entry, depth + 1)):
                first = _STEP * depth
                begins = passage._replace(words=mark + passage.words, first=first, others=first + _STEP)
                yield passage if at else begins

    def _table(self, table: Table, depth: int) -> Iterator[BraillePassage]:
        """Row by row: the first cell, then each other one after the head of its column; a table of two has it once."""
        if table.caption:
            yield self._paragraph(table.caption, depth)._replace(above=1, kept=True)
        own = [at for at in range(len(table.align)) if not table.langs or table.langs[at] in ("", self._lang)]
        head = [self._plain(table.head[at]) if table.head else "" for at in own]
        rows = [[self._plain(row[at]) for at in own] for row in table.rows]
        if len(own) <= 2:
            rows, head = ([head, *rows] if any(head) else rows), [""] * len(own)
        for cells in rows:
            named = [
                f"{name}: {cell}" if name else cell for name, cell in zip(head[1:], cells[1:], strict=True) if cell
            ]
            said = ": ".join(part for part in (cells[0] if cells else "", "; ".join(named)) if part)
            if said:
                yield BraillePassage(said, _STEP * depth, _STEP * (depth + 1))

    def _figure(self, shown: Figure, depth: int) -> Iterator[BraillePassage]:
        """What it shows in words, which tell what its numbers mean, and its caption."""
        within = _STEP * depth
        alt = shown.alt or self._plain(shown.caption)
        yield BraillePassage(phrase("braille_picture", self._lang, shown=alt), within, within + _STEP, above=1)
        if shown.caption and shown.alt:
            yield BraillePassage(self._plain(shown.caption), within, within + _STEP)


def _once_named(text: Text, names: Mapping[str, str]) -> Text:
    """The text without icons that their own names follow, as a finger would read them twice."""
    return tuple(
        part
        for part, follows in zip(text, (*text[1:], None), strict=False)
        if not (isinstance(part, Icon) and follows is not None and _begins(follows, names.get(part.name, "")))
    )


def _begins(part: Inline, name: str) -> bool:
    said = part.text if isinstance(part, Plain | Term | Link | Mention) else ""
    return bool(name) and said.lstrip().casefold().startswith(name.casefold())
