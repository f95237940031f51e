"""Book files: pages, booklet, web page, leaflet, EPUB and Braille of a book, cached between runs."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from generator.base.cache import hash_value
from generator.base.display_list import Drawing, Item, Paint, Shape
from generator.base.errors import Problem, ProblemsFound
from generator.base.geometry import PAPER_SIZES, Rect, Size
from generator.books.braille import BraillePassage, read_passages
from generator.books.epub import make_epub
from generator.books.page.blocks import BackCover, Book, drop_places
from generator.books.page.book_pages import choose_sheet_paper, make_leaflet, set_book_on_sheet, typeset_and_proofread
from generator.books.page.page_style import HAIR, RULE
from generator.books.rulebook.book_templates import RULEBOOK, Volume
from generator.books.rulebook.read_book import count_blocks, read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.web_page import make_web_page
from generator.drawing.faces.face_variants import enlarge_document, recolour_document
from generator.drawing.faces.game_drawing import Workshop
from generator.game.game_cache import PICTURE_SOURCES
from generator.game.packs import list_pack_notices
from generator.game.print_pages import Document, Page, Placement

CREEP = 0.1
"""Distance by which each sheet pushes out the one inside it (mm): the thickness of office paper."""

_FOLD_TICK = 4.0
_STAPLE = 6.0
_STAPLES = (0.25, 0.75)
_SLACK = 0.5  # mm: half of A4 is a hair wider than A5
_MOST_WASTE = 10.0


class Side(NamedTuple):
    """One side of a booklet's sheet: page numbers (from 1) left and right of the fold, 0 for a blank page."""

    sheet: int
    side: Literal["front", "back"]
    left: int
    right: int


def iter_booklet_sides(pages: int, *, backed: bool = False) -> Iterator[Side]:
    """Yield the sides of a saddle-stitched booklet of N pages, from the outermost sheet to the innermost.

    Blank pages fill the booklet up to a multiple of four: at the end, or before the last page if that is the back cover
    (`backed`).
    """
    total = -(-pages // 4) * 4

    def choose_page(number: int) -> int:
        if backed and number == total:
            return pages
        return number if number <= pages - backed else 0

    for sheet in range(total // 4):
        yield Side(sheet + 1, "front", choose_page(total - 2 * sheet), choose_page(2 * sheet + 1))
        yield Side(sheet + 1, "back", choose_page(2 * sheet + 2), choose_page(total - 2 * sheet - 1))


def make_booklet(document: Document, creep: float = CREEP, *, backed: bool = False) -> Document:
    """Return the booklet of a document with pages of one size, for duplex printing on the short edge.

    Pages move towards the fold by `creep` mm with each sheet, so that all fore edges have the same margin after
    trimming. A sheet has no reading order, so the booklet is not tagged. Raise ProblemsFound if no paper fits two pages
    side by side.
    """
    size = document.pages[0].size
    paper = _choose_paper(size)
    drawings = [Drawing(size.width, size.height, 0.0, page.items, document.lang) for page in document.pages]
    pages = iter_booklet_sides(len(drawings), backed=backed)
    sides = tuple(_make_sheet(side, drawings, paper, creep) for side in pages)
    return replace(document, pages=sides, backs="short", outline=(), tagged=False)


def _choose_paper(size: Size) -> Size:
    """Return the smallest landscape paper that fits two pages side by side. Raise ProblemsFound if none does."""
    wide, high = 2 * size.width - _SLACK, size.height - _SLACK
    lying = [named.size.swap_sides() for named in PAPER_SIZES.values()]
    fitting = [
        each for each in lying if wide <= each.width <= wide + _MOST_WASTE and high <= each.height <= high + _MOST_WASTE
    ]
    if not fitting:
        what = f"two pages of {size.width:g} x {size.height:g} mm don't fit on any paper side by side"
        raise ProblemsFound([Problem(None, what, "make a booklet of A5, B5, A4 or Letter pages")])
    return min(fitting)


def _make_sheet(side: Side, drawings: Sequence[Drawing], paper: Size, creep: float) -> Page:
    """Return one side of a sheet: its two pages, moved to the fold by `creep` mm per sheet around it, and its marks."""
    fold, inward = paper.width / 2, creep * (side.sheet - 1)
    placements = []
    for number, left in ((side.left, True), (side.right, False)):
        if not number:
            continue
        drawing = drawings[number - 1]
        x = fold - drawing.width + inward if left else fold - inward
        trim = Rect(x, (paper.height - drawing.height) / 2, drawing.width, drawing.height)
        half = Rect(0.0 if left else fold, 0.0, fold, paper.height)
        placements.append(Placement(f"page {number}", drawing, trim, half))
    return Page(paper, side.side, side.sheet, tuple(placements), tuple(_draw_marks(side, paper)))


def _draw_marks(side: Side, paper: Size) -> Iterator[Item]:
    """Yield ticks at both ends of the fold on the outside of each sheet, and staple marks on the outermost."""
    if side.side == "back":
        return
    fold = paper.width / 2
    for start in (0.0, paper.height - _FOLD_TICK):
        yield _draw_line(fold, start, _FOLD_TICK, "fold")
    if side.sheet == 1:
        for share in _STAPLES:
            yield _draw_line(fold, paper.height * share - _STAPLE / 2, _STAPLE, "mark")


def _draw_line(x: float, y: float, length: float, role: Literal["fold", "mark"]) -> Shape:
    return Shape(f"M {x:.3f} {y:.3f} L {x:.3f} {y + length:.3f}", stroke=RULE, width=HAIR, role=role)


CHECKED = "book-blocks"
"""Cache key of the block counts of books that were read and set without problems."""

CHECKED_PAGE = "A5"
"""Page size with which `pnp validate` checks a book."""


@dataclass(frozen=True, slots=True)
class BookOptions:
    """Options for books: paper; also a leaflet or an EPUB; large print, high contrast.

    `braille`: also return the text for braille.
    """

    page: str = "A5"
    leaflet: bool = False
    epub: bool = False
    large_print: bool = False
    high_contrast: bool = False
    braille: bool = False

    @property
    def suffix(self) -> str:
        """Return the suffix of the file name for accessible editions, such as `-large-print`."""
        return f"{'-high-contrast' if self.high_contrast else ''}{'-large-print' if self.large_print else ''}"


class BookFiles(NamedTuple):
    """The bytes of a book's files (PDFs, HTML, EPUB), empty for files that were not made.

    `proof` are layout faults for an editor, line by line. `linear` is the text for braille.
    """

    pages: bytes
    booklet: bytes = b""
    web: bytes = b""
    leaflet: bytes = b""
    epub: bytes = b""
    proof: tuple[str, ...] = ()
    linear: tuple[BraillePassage, ...] = ()


def make_book_files(
    workshop: Workshop, lang: str, played: RulebookPlay, wanted: BookOptions, accent: Paint, volume: Volume = RULEBOOK
) -> BookFiles:
    """Return the files of a book in a language. Raise ProblemsFound with all faults of the book.

    An unchanged book is taken from the cache without being read. Otherwise it is read, and set again if its content
    differs. Places in the templates don't count: they matter for problems only, and a book with problems is not cached.
    Output of untrusted rules is computed each time, because they may be any program.
    """
    kept = workshop.kept
    if kept is None:
        return _write_book(read_book(workshop, lang, played, volume), workshop, wanted, accent)
    game = workshop.game
    trusted = not game.has_own_rules
    whole = (wanted, accent, volume.name, *list_pack_notices(workshop.resources, game.id))
    content = kept.find("rulebook", str, lang, *whole) if trusted else None
    known = kept.get("book", BookFiles, content) if content is not None else None
    if known is None:
        with kept.listen(lang):
            book = read_book(workshop, lang, played, volume)
        icons = [replace(icon, place=None) for icon in game.icons.values()]
        colours = [(name, replace(colour, place=None)) for name, colour in game.palette.items()]
        fonts = [(name, replace(family, place=None)) for name, family in game.fonts.items()]
        makers = [replace(line, place=None) for line in game.credits]
        named = game.credit, makers, game.languages, icons, colours, fonts
        content = hash_value((drop_places(book), wanted, accent, named))
        known = kept.get("book", BookFiles, content)
        if known is None:
            known = _write_book(book, workshop, wanted, accent)
            kept.put("book", tuple(known), content, rests_on=PICTURE_SOURCES)
        if trusted:
            kept.keep("rulebook", content, lang, *whole)
            if wanted.page == CHECKED_PAGE:
                kept.keep(CHECKED, count_blocks(book), lang, volume.name)
    return BookFiles(*known)


def _write_book(book: Book, workshop: Workshop, wanted: BookOptions, accent: Paint) -> BookFiles:
    read = read_passages(book, workshop) if wanted.braille else ()
    if book.sheet:
        one = set_book_on_sheet(book, workshop, choose_sheet_paper(wanted.page), accent)
        return BookFiles(_write_pdf(_enlarge_pages(one, workshop, wanted), workshop), linear=read)
    document, proof = typeset_and_proofread(book, workshop, wanted.page, accent)
    if wanted.suffix:
        pdf = _write_pdf(_enlarge_pages(document, workshop, wanted), workshop)
        return BookFiles(pdf, proof=tuple(proof.format_lines()), linear=read)
    pages = _write_pdf(document, workshop)
    backed = any(isinstance(block, BackCover) for block in book.blocks)
    return BookFiles(
        pages=pages,
        booklet=_write_pdf(make_booklet(document, backed=backed), workshop) if book.folded else b"",
        web=make_web_page(book, workshop, accent).encode("utf-8"),
        leaflet=_write_pdf(make_leaflet(book, workshop, choose_sheet_paper(wanted.page), accent), workshop)
        if wanted.leaflet
        else b"",
        epub=make_epub(book, workshop, pages, accent) if wanted.epub else b"",
        proof=tuple(proof.format_lines()),
        linear=read,
    )


def _enlarge_pages(document: Document, workshop: Workshop, wanted: BookOptions) -> Document:
    if wanted.high_contrast:
        document = recolour_document(document, workshop.hex_of_paint)
    return enlarge_document(document) if wanted.large_print else document


def _write_pdf(document: Document, workshop: Workshop) -> bytes:
    out = io.BytesIO()
    workshop.write_document(document, out)
    return out.getvalue()
