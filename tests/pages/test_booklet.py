"""A booklet that is printed, folded and stapled reads like the book, whose text is set in a face for books."""

import io
from dataclasses import replace

import pikepdf
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from small_book import ACCENT, book, workshop

from generator.base.display_list import Shape, TextRun
from generator.base.errors import ProblemsFound
from generator.base.files import Resources
from generator.base.geometry import Size
from generator.books.page.book_pages import typeset_book
from generator.books.page.page_style import FORMATS, Look, find_page_format, make_list_format
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.book_files import make_booklet
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import FontFamily
from generator.game.print_pages import Document, Page, Placement

A5 = Size(148, 210)


def pages(count: int, size: Size = A5) -> Document:
    """A document of pages that differ in one number of theirs."""
    made = (Page(size, "front", n, (), (TextRun(10, 10, 8, "f", (n,), (str(n),)),)) for n in range(1, count + 1))
    return Document("Book", "en", tuple(made))


def folded(document: Document) -> list[int]:
    """The page numbers as a reader meets them, 0 for a blank, found from where pages lie on the sheets.

    The paper is turned on its short edge: what lies x from the left on the back is behind what lies x from the right.
    Sheets are laid into each other, the first outermost, and folded with its front outside.
    """
    sides = [(page, _at(page, left=True), _at(page, left=False)) for page in document.pages]
    sheets = list(zip(sides[::2], sides[1::2], strict=True))
    order: list[int] = []
    for front, back in sheets:  # going in: right half of the front, then the page behind it
        assert (front[0].side, back[0].side) == ("front", "back")
        order += [front[2], back[1]]
    for front, back in reversed(sheets):  # coming out: right half of the back, then the front's left
        order += [back[2], front[1]]
    return order


def _at(page: Page, left: bool) -> int:
    fold = page.size.width / 2
    found = [place for place in page.placements if (place.trim.x + place.trim.width / 2 < fold) == left]
    return number(found[0]) if found else 0


def number(placement: Placement) -> int:
    run = placement.drawing.items[0]
    assert isinstance(run, TextRun)
    return run.glyphs[0]


@given(st.integers(1, 61))
def test_the_folded_booklet_reads_in_order(count: int) -> None:
    """Pages come one after the other; blanks fill the last sheet, at the end alone."""
    done = make_booklet(pages(count))
    order = folded(done)
    assert len(order) % 4 == 0
    assert len(order) - count < 4
    assert order == [*range(1, count + 1), *[0] * (len(order) - count)]
    assert done.backs == "short"


@given(st.integers(1, 61), st.floats(0.0, 0.3))
def test_inner_pages_move_towards_the_fold(count: int, creep: float) -> None:
    for page in make_booklet(pages(count), creep).pages:
        fold = page.size.width / 2
        for place in page.placements:
            shift = creep * (page.sheet - 1)
            left = place.clip.x == 0
            expected = fold - 148 + shift if left else fold - shift
            assert place.trim.x == pytest.approx(expected)
            assert place.clip.right <= fold + 1e-9 if left else place.clip.x >= fold - 1e-9


def test_fold_and_staples_are_marked_on_the_outside() -> None:
    for page in make_booklet(pages(16)).pages:
        roles = [item.role for item in page.items if isinstance(item, Shape)]
        assert roles.count("fold") == (2 if page.side == "front" else 0)
        assert roles.count("mark") == (2 if page.side == "front" and page.sheet == 1 else 0)
        for item in page.items:
            assert isinstance(item, Shape)
            assert float(item.path.split()[1]) == page.size.width / 2


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_has_a_paper(name: str) -> None:
    size = FORMATS[name].size
    paper = make_booklet(pages(4, size)).pages[0].size
    assert paper.width == pytest.approx(2 * size.width, abs=1.01)
    assert paper.height == pytest.approx(size.height, abs=0.01)


def test_pages_that_no_paper_holds_are_told() -> None:
    with pytest.raises(ProblemsFound, match="two pages of 400 x 500 mm don't fit on any paper"):
        make_booklet(pages(4, Size(400, 500)))


def test_a_booklets_file_tells_the_printer_how_to_turn() -> None:
    shop = workshop()
    document = typeset_book(book("en"), shop, "A5", ACCENT)
    out = io.BytesIO()
    shop.write_document(make_booklet(document), out)
    with pikepdf.open(out) as pdf:
        preferences = pdf.Root.ViewerPreferences
        assert preferences.Duplex == "/DuplexFlipShortEdge"
        assert preferences.PrintScaling == "/None"
        assert len(pdf.pages) == 4
        placed = [line for page in pdf.pages for line in page.Contents.read_bytes().splitlines() if b" re W n " in line]
        assert len(placed) == len(document.pages)
        forms = [line.split()[-3] for line in placed if line.endswith(b" Do Q")]
        assert len(forms) == len(set(forms))


MINCHO = {"ja": ("BIZUDMincho_400Regular.ttf",), "en": ("EBGaramond_400Regular.ttf",)}


def faces(setter: TextSetter, words: str, title: bool) -> set[str]:
    """The fonts of a line of running text, or of a chapter's title."""
    style = setter.look.find_heading_style(1) if title else setter.look.body
    (line,) = setter.set_lines(words, style, 200.0, None)
    return {item.font.rsplit("-", 1)[0] for item in line.items if isinstance(item, TextRun)}


@pytest.mark.parametrize(
    ("lang", "own", "text", "titles"),
    [
        ("ja", (), "ZenKakuGothicNew_400Regular", "BIZUDMincho_700Bold"),
        ("en", (), "SourceSans3_400Regular", "Cinzel_700Bold"),
        ("ja", ("book",), "BIZUDMincho_400Regular", "BIZUDMincho_700Bold"),
        ("en", ("book",), "EBGaramond_400Regular", "Cinzel_700Bold"),
        ("ja", ("book", "book-titles"), "BIZUDMincho_400Regular", "BIZUDMincho_400Regular"),
    ],
)
def test_running_text_and_titles(lang: str, own: tuple[str, ...], text: str, titles: str) -> None:
    """By the families `book` and `book-titles` where the game has them."""
    first = workshop().game
    game = replace(first, fonts={**first.fonts, **dict.fromkeys(own, FontFamily(MINCHO, {}, {}))})
    setter = TextSetter(
        Workshop(game, Resources((ROOT,), shown_from=ROOT)), Look(find_page_format("A5"), lang, "ink"), "{}"
    )
    words = "手札" if lang == "ja" else "hand"
    assert [faces(setter, words, title) for title in (False, True)] == [{text}, {titles}]


def test_lists_are_set_as_cards_are() -> None:
    setter = TextSetter(workshop(), Look(make_list_format("A4", Size(210, 297), 10), "ja", "ink"), "{}")
    assert faces(setter, "手札", title=False) == {"BIZUDPGothic_400Regular"}


@pytest.mark.parametrize(("lang", "other"), [("ja", "en"), ("en", "ja")])
def test_words_of_another_language_are_set_as_its_own(lang: str, other: str) -> None:
    setter = TextSetter(workshop(), Look(find_page_format("A5"), lang, "ink"), "{}")
    (line,) = setter.compose_text("手札" if other == "ja" else "hand", setter.look.note, None, other).break_lines(200.0)
    shown = {item.font.rsplit("-", 1)[0] for item in line.items if isinstance(item, TextRun)}
    assert shown == {"ZenKakuGothicNew_400Regular" if other == "ja" else "SourceSans3_400Regular"}
    assert not workshop().fonts.problems
