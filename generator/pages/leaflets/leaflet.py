"""The whole book as a leaflet: large pages in two columns, its title at the head of the first, no contents."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from generator.errors import ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Paint
from generator.model.sheet import Document
from generator.pages.blocks import Arranged, BackCover, Block, Book, Box, Contents, Paragraph, Upright
from generator.pages.book import typeset
from generator.pages.leaflets.opening import Overfull
from generator.pages.style import LEAFLETS, SHEETS

LARGEST, LEAST, STEP = 1.16, 0.86, 0.03
"""How much larger and smaller than in a book the type of a sheet may be; its pictures, smaller alone."""


def leaflet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """A book's leaflet on A4 or Letter; ProblemsFound as `typeset` has it."""
    return typeset(replace(book, blocks=tuple(_in_columns(book.blocks))), workshop, LEAFLETS[paper], accent)


def sheet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """A book on one page of A4 or Letter, as large as it fits; Overfull if it is too long at the least size."""
    larger, too_large = LARGEST, LARGEST + STEP
    fitting: Document | None = None
    while fitting is None or larger < too_large:
        try:
            format_ = replace(SHEETS[paper], larger=larger, pictures=min(1.0, larger))
            fitting = typeset(book, workshop, format_, accent)
            larger += STEP
        except ProblemsFound as found:
            if larger <= LEAST:
                raise
            if fitting is not None:
                break
            share = found.share if isinstance(found, Overfull) else 1.0
            too_large, larger = larger, max(LEAST, min(larger - STEP, larger / share**0.5))
    return fitting


def sheet_paper(page: str) -> str:
    """The paper of leaflets and sheets that goes with a page of a book."""
    return "Letter" if page == "Letter" else "A4"


def _in_columns(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without those that need a page: few pages need no contents, and a prologue runs with the text.

    Columns are narrow there as they are.
    """
    for block in blocks:
        if isinstance(block, Arranged):
            within = tuple(_in_columns(block.blocks))
            yield from within if block.manner == "columns" else (replace(block, blocks=within),)
        elif isinstance(block, Upright):
            said = (Paragraph(text, origin=block.origin) for text in block.paragraphs)
            yield Box("note", block.title, tuple(said), origin=block.origin)
        elif not isinstance(block, Contents | BackCover):
            yield block
