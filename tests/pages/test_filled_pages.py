"""How the pages of the games' rulebooks are filled: none half empty, no title and no lead-in alone at a foot."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from shipped_games import SWEPT_EDITIONS, rulebook_pages
from small_book import ACCENT, said, text, workshop
from small_book import book as small_book

from generator.base.display_list import FOOTER, Group
from generator.books.page.blocks import Block, Heading, Listing, Paragraph, Table
from generator.books.page.book_pages import typeset_book
from generator.books.page.page_style import Look, find_page_format
from generator.game.print_pages import Document, Page

LEAST = 0.7
"""Of a page's height: three quarters are aimed at, and one page in a hundred has a little less."""


@dataclass(frozen=True)
class Row:
    """What stands at one height of a page: from `top` to `bottom`, mm."""

    top: float
    bottom: float
    role: str


def rows(page: Page, pitch: float) -> list[Row]:
    """The lines, rows and figures of a page from its head down, without running heads and the like."""
    return sorted(_rows(page, pitch), key=lambda row: row.top)


def _rows(page: Page, pitch: float) -> Iterator[Row]:
    for item in page.items:
        assert isinstance(item, Group)
        role = dict(item.data)["role"]
        if role != "artifact":
            box = item.tags[-1].box if item.tags else None
            top = item.matrix[5]
            yield Row(top, box.bottom if box is not None else top + pitch, role)


def numbered(page: Page) -> bool:
    """Whether the page is one of text: covers, upright pages and the imprint's own show no number."""
    return any(isinstance(item, Group) and FOOTER[-1] in item.tags for item in page.items)


def text_pages(document: Document) -> list[Page]:
    """The pages of text but the last, and but those before an upright page, which begins a page for itself."""
    pages = document.pages
    return [one for one, after in pairwise(pages) if numbered(one) and numbered(after)]


@pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)
def test_no_page_of_a_book_is_half_empty(game: str, lang: str) -> None:
    """Text reaches below seven tenths of every page but cover, upright pages, the page before one, and the last.

    Of all these pages nearly every one is three quarters full and more.
    """
    look = Look(find_page_format("A5"), lang, "ink")
    room = look.find_text_room(1)
    shares = {
        page.sheet: (max(row.bottom for row in rows(page, look.body.pitch)) - room.y) / room.height
        for page in text_pages(rulebook_pages(game, lang))
    }

    assert len(shares) > 8
    assert {page: share for page, share in shares.items() if share < LEAST} == {}
    assert sum(share < 0.75 for share in shares.values()) <= 1


@pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)
def test_no_title_stands_at_the_foot_of_a_page(game: str, lang: str) -> None:
    pitch = Look(find_page_format("A5"), lang, "ink").body.pitch
    seen = 0
    for page in rulebook_pages(game, lang).pages[1:]:
        found = rows(page, pitch)
        titles = [row.top for row in found if row.role == "heading"]
        if not titles or not numbered(page):
            continue
        seen += 1
        below = [row for row in found if row.top > max(titles) + 0.1]
        tops = {round(row.top) for row in below}
        assert len(tops) >= 2 or "figure" in {row.role for row in below}, page.sheet
    assert seen > 8


def made(*blocks: Block) -> Document:
    book = small_book("en")
    return typeset_book(type(book)(book.game, "en", book.cover, blocks, ()), workshop(), "A5", ACCENT)


def roles(page: Page) -> list[str]:
    """The roles of what stands on a page, from its head down."""
    return [row.role for row in rows(page, 4.0)]


TABLE = Table((text("One"), text("Two")), ((text("a"), text("b")),) * 4, ("left", "left"))
FOLLOWING: dict[str, Block] = {
    "table": TABLE,
    "list": Listing(((Paragraph(text("One.")),), (Paragraph(text(said("en", 2))),), (Paragraph(text("Three.")),))),
    "text": Paragraph(text(said("en", 3))),
}


@pytest.mark.parametrize("name", FOLLOWING)
def test_a_title_and_one_line_are_not_left_alone(name: str) -> None:
    for before in range(20, 40):
        above: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        done = made(*above, Heading(2, text("Title"), "t"), Paragraph(text("One line.")), FOLLOWING[name])
        for page in done.pages[1:]:
            found = roles(page)
            if "heading" in found:
                assert len(found) - found.index("heading") > 3, before


@pytest.mark.parametrize("lead", ["These are all.", said("en", 2) + " All of them:"])
def test_a_lead_in_stands_with_its_table(lead: str) -> None:
    """A sentence or two right above a table, or a text that ends in a colon, never stays behind at a page's foot."""
    for before in range(20, 45):
        above: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        done = made(*above, Paragraph(text(lead)), TABLE)
        (page,) = (page for page in done.pages[1:] if "table" in roles(page) and roles(page)[0] != "table")
        found = roles(page)
        assert found[found.index("table") - 1] == "paragraph"


def test_a_small_table_is_never_parted() -> None:
    table = Table((text("One"), text("Two")), ((text("a"), text(said("en")[:100])),) * 7, ("left", "left"))
    for before in range(2, 22):
        above: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        pages = made(*above, Paragraph(text(said("en", 2))), table).pages[1:]
        assert sum("table" in roles(page) for page in pages) == 1, before
