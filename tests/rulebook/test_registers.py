"""The index of a book on its pages."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from small_book import ACCENT, book, text, workshop

from generator.model.drawing import Group, TextRun, walk
from generator.model.sheet import Page
from generator.rulebook.book import Index, Paragraph
from generator.rulebook.pages import typeset


def words(page: Page) -> list[str]:
    """The words of a page, things by things."""
    things = [item for item in page.items if isinstance(item, Group)]
    return ["".join(leaf.text for leaf, _ in walk((thing,)) if isinstance(leaf, TextRun)) for thing in things]


@settings(deadline=None, max_examples=12)
@given(st.integers(1, 20), st.integers(6, 40))
def test_an_index_that_fits_on_a_page_is_not_parted(before: int, size: int) -> None:
    """Its columns are read one after the other, so all of it stands on one page, below its title."""
    entries = tuple((text(f"entry {number}"), f"entry-{number}") for number in range(size))
    blocks = (*(Paragraph(text(f"A line {number}")) for number in range(before)), Index(text("Register"), entries))
    pages = typeset(replace(book("en"), blocks=blocks, imprint=()), workshop(), "A5", ACCENT).pages
    there = [page for page in pages if any(line.startswith("entry ") for line in words(page))]

    assert len(there) == 1
    assert "Register" in words(there[0])
    assert sum(line.startswith("entry ") for line in words(there[0])) == size
