"""The whole book as a leaflet: large pages in two columns, its title at the head of the first, no contents."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from generator.errors import ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Paint
from generator.model.sheet import Document
from generator.pages.blocks import Arranged, BackCover, Block, Book, Box, Contents, Paragraph, Upright
from generator.pages.book import typeset
from generator.pages.leaflets.opening import Overfull
from generator.pages.style import LEAFLETS, SHEETS, Format

LARGEST, LEAST, STEP = 1.16, 0.86, 0.03
"""How much larger and smaller than in a book the type of a sheet may be; its pictures, smaller alone."""

_PICTURES = 0.8
"""The least size of pictures on a sheet, whose columns are narrower than a book's, beside type of the book's size."""

_LARGER_PICTURES = (1.25, 1.15, 1.05)
"""How many times as large they are where there is room for it, the largest that fits."""

_LEAST_IN_FRONT = 0.95
"""A sheet whose type would be smaller than this on its front is printed on both sides."""


def leaflet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """A book's leaflet on A4 or Letter; ProblemsFound as `typeset` has it."""
    return typeset(replace(book, blocks=tuple(_in_columns(book.blocks))), workshop, LEAFLETS[paper], accent)


def sheet(book: Book, workshop: Workshop, paper: str = "A4", accent: Paint = "ink") -> Document:
    """Set a book on the front of one sheet of A4 or Letter, or on both sides if it needs them, as large as it fits.

    Raise Overfull if it is too long for both sides at the least size.
    """
    try:
        return _largest(book, workshop, replace(SHEETS[paper], sides=1), accent, _LEAST_IN_FRONT)
    except Overfull:
        return _largest(book, workshop, replace(SHEETS[paper], sides=2), accent, LEAST)


def _largest(book: Book, workshop: Workshop, format_: Format, accent: Paint, least: float) -> Document:
    """Set a book in the largest type that fits the format, with the largest pictures that fit beside it.

    Raise Overfull if the least size is too large.
    """
    larger, too_large = LARGEST, LARGEST + STEP
    fitting: Document | None = None
    chosen = format_
    while fitting is None or larger < too_large:
        try:
            tried = replace(format_, larger=larger, pictures=_PICTURES * min(1.0, larger))
            fitting, chosen = typeset(book, workshop, tried, accent), tried
            larger += STEP
        except ProblemsFound as found:
            if larger <= least:
                raise
            if fitting is not None:
                break
            share = found.share if isinstance(found, Overfull) else 1.0
            too_large, larger = larger, max(least, min(larger - STEP, larger / share**0.5))
    for times in _LARGER_PICTURES:
        with suppress(ProblemsFound):
            return typeset(book, workshop, replace(chosen, pictures=chosen.pictures * times), accent)
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
