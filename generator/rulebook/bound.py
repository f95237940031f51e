"""A book's files: pages, booklet, web page, leaflet, EPUB; what earlier runs made of the same book is taken."""

import io
from dataclasses import replace
from typing import NamedTuple

from generator.cache.reads import PICTURED
from generator.cache.store import fingerprint
from generator.dataclass import dataclass
from generator.faces.high_contrast import clearer_document
from generator.faces.larger import larger_document
from generator.faces.workshop import Workshop
from generator.games.registry import OWN_SUFFIX
from generator.model.drawing import Paint
from generator.model.game import Game
from generator.model.sheet import Document
from generator.pages.blocks import BackCover, Book
from generator.pages.book import typeset_and_proofread
from generator.pages.booklet import booklet
from generator.pages.braille.brf import BraillePassage
from generator.pages.braille.linear import linear
from generator.pages.leaflets.leaflet import leaflet, sheet, sheet_paper
from generator.pages.placeless import without_places
from generator.pages.screen.epub import epub
from generator.pages.web import html
from generator.rulebook.played import RulebookPlay
from generator.rulebook.source import read_book
from generator.rulebook.volumes import RULEBOOK, Volume

CHECKED = "book-blocks"
"""The kept number of a book's blocks: it was read and its lines were set without a problem."""

CHECKED_PAGE = "A5"
"""The page on which validate sets a book's lines."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How books are made: on which paper; with a leaflet or an EPUB besides; or the pages alone, larger or clearer.

    `braille`: what it says is read for braille, too.
    """

    page: str = "A5"
    leaflet: bool = False
    epub: bool = False
    large_print: bool = False
    high_contrast: bool = False
    braille: bool = False

    @property
    def suffix(self) -> str:
        """What the pages' file bears in its name where they lie beside the usual ones."""
        return f"{'-high-contrast' if self.high_contrast else ''}{'-large-print' if self.large_print else ''}"


class Bound(NamedTuple):
    """The bytes of a book's files, empty where one is not made: PDFs, HTML, EPUB.

    `proof` is what an editor would mark on the pages, line by line. `linear` is what it says, for braille.
    """

    pages: bytes
    booklet: bytes = b""
    web: bytes = b""
    leaflet: bytes = b""
    epub: bytes = b""
    proof: tuple[str, ...] = ()
    linear: tuple[BraillePassage, ...] = ()


def bind_book(
    workshop: Workshop, lang: str, played: RulebookPlay, wanted: Wanted, accent: Paint, volume: Volume = RULEBOOK
) -> Bound:
    """A book of a language; ProblemsFound with everything wrong with it.

    While data and templates are as they were, it isn't even read again; else it is read, and set again if its content
    differs. Where it is written doesn't count: that is only told of problems, and a book with problems is not kept.
    What a stranger's rules say is asked for each time: they may be any program.
    """
    kept = workshop.kept
    if kept is None:
        return _make_book(read_book(workshop, lang, played, volume), workshop, wanted, accent)
    game = workshop.game
    trusted = not game.rules_module.endswith(OWN_SUFFIX)
    whole = (kept.game, lang, wanted, accent, volume.name)
    content = kept.get("rulebook", str, *whole) if trusted else None
    known = kept.get("book", Bound, content) if content is not None else None
    if known is None:
        book = read_book(workshop, lang, played, volume)
        content = fingerprint((without_places(book), wanted, accent, _shown_by_name(game)))
        known = kept.get("book", Bound, content)
        if known is None:
            known = _make_book(book, workshop, wanted, accent)
            kept.put("book", tuple(known), content, rests_on=PICTURED)
        if trusted:
            kept.put("rulebook", content, *whole)
            if wanted.page == CHECKED_PAGE:
                kept.put(CHECKED, len(book.blocks), kept.game, lang, volume.name)
    return Bound(*known)


def _make_book(book: Book, workshop: Workshop, wanted: Wanted, accent: Paint) -> Bound:
    read = linear(book, workshop) if wanted.braille else ()
    if book.sheet:
        one = sheet(book, workshop, sheet_paper(wanted.page), accent)
        return Bound(_pdf(_as_seen(one, workshop, wanted), workshop), linear=read)
    document, proof = typeset_and_proofread(book, workshop, wanted.page, accent)
    if wanted.suffix:
        return Bound(_pdf(_as_seen(document, workshop, wanted), workshop), proof=tuple(proof.lines()), linear=read)
    pages = _pdf(document, workshop)
    backed = any(isinstance(block, BackCover) for block in book.blocks)
    return Bound(
        pages=pages,
        booklet=_pdf(booklet(document, backed=backed), workshop) if book.folded else b"",
        web=html(book, workshop, accent).encode("utf-8"),
        leaflet=_pdf(leaflet(book, workshop, sheet_paper(wanted.page), accent), workshop) if wanted.leaflet else b"",
        epub=epub(book, workshop, pages, accent) if wanted.epub else b"",
        proof=tuple(proof.lines()),
        linear=read,
    )


def _as_seen(document: Document, workshop: Workshop, wanted: Wanted) -> Document:
    """The pages as large and as clear as they are wanted."""
    if wanted.high_contrast:
        document = clearer_document(document, workshop.hex)
    return larger_document(document) if wanted.large_print else document


def _pdf(document: Document, workshop: Workshop) -> bytes:
    out = io.BytesIO()
    workshop.write(document, out)
    return out.getvalue()


def _shown_by_name(game: Game) -> tuple[object, ...]:
    """What a book names and its pages show: fonts, icons, colours; and who made the game."""
    icons = [replace(icon, place=None) for icon in game.icons.values()]
    colours = [(name, replace(colour, place=None)) for name, colour in game.palette.items()]
    fonts = [(name, replace(family, place=None)) for name, family in game.fonts.items()]
    makers = [replace(line, place=None) for line in game.credits]
    return game.credit, makers, game.languages, icons, colours, fonts
