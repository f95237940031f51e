"""The index of a book on its pages."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_book import ACCENT, book, text, workshop
from tests_support import examples

from generator.base.display_list import Group, TextRun, walk_leaves
from generator.base.geometry import Size
from generator.books.page.blocks import Contents, Heading, Index, Paragraph
from generator.books.page.book_pages import typeset_book
from generator.books.page.page_style import Look, make_list_format
from generator.books.page.strips import Lane
from generator.books.page.tables import set_contents, set_index
from generator.books.page.text_setter import TextSetter
from generator.game.print_pages import Page


def words(page: Page) -> list[str]:
    return [words for _, words in lines(page)]


def lines(page: Page) -> list[tuple[float, str]]:
    """The things of a page in words, each with its left edge, mm."""
    things = [item for item in page.items if isinstance(item, Group)]
    return [
        (thing.matrix[4], "".join(leaf.text for leaf, _ in walk_leaves((thing,)) if isinstance(leaf, TextRun)))
        for thing in things
    ]


def with_index(before: int, size: int) -> tuple[list[Page], list[int]]:
    """The pages of a book with so many lines of text, then an index with so many entries; which have entries."""
    entries = tuple((text(f"entry {number}"), f"entry-{number}") for number in range(size))
    blocks = (*(Paragraph(text(f"A line {number}")) for number in range(before)), Index(text("Register"), entries))
    pages = typeset_book(replace(book("en"), blocks=blocks, imprint=()), workshop(), "A5", ACCENT).pages
    there = [at for at, page in enumerate(pages) if any(line.startswith("entry ") for line in words(page))]
    return list(pages), there


def by_column(page: Page) -> list[int]:
    """The numbers of the entries on a page, read down one column after the other."""
    found: dict[float, list[int]] = {}
    for left, line in lines(page):
        if line.startswith("entry "):
            found.setdefault(left, []).append(int(line.removeprefix("entry ")))
    return [number for left in sorted(found) for number in found[left]]


@examples(30)
@given(st.integers(1, 25), st.integers(6, 90))
@example(19, 15)
def test_an_index_is_read_down_its_columns(before: int, size: int) -> None:
    """Each part of it has its columns for itself, so that they are read one after the other; the first has the title."""
    pages, there = with_index(before, size)
    read = [by_column(pages[at]) for at in there]
    assert len(there) <= 3
    assert "Register" in words(pages[there[0]])
    assert [number for part in read for number in part] == list(range(size))
    assert len(there) == 1 or min(map(len, read)) >= 6


def test_an_index_begins_on_the_page_where_the_text_ends() -> None:
    """Below the text it begins where a few rows find room, and a few at least go on overleaf."""
    assert with_index(13, 60)[1] == [1, 2]
    assert with_index(13, 16)[1] == [1]
    assert with_index(20, 40)[1] == [1, 2]
    for size in range(34, 42):
        pages, there = with_index(13, size)
        assert min(len(by_column(pages[at])) for at in there) >= 6


def plain_setter() -> TextSetter:
    return TextSetter(workshop(), Look(make_list_format("", Size(210.0, 297.0), 0.0), "en", "ink"), "{}")


@pytest.mark.parametrize("size", [3, 6, 12])
def test_first_and_last_rows_of_a_narrow_index_stay_together(size: int) -> None:
    entries = tuple((text(f"entry {number}"), f"entry-{number}") for number in range(size))
    rows = set_index(plain_setter(), Index(text(""), entries), Lane(0.0, 60.0, 1), 200.0)
    assert [row.keep for row in rows[-size:]] == [at < size - 1 and (at < 4 or at == size - 2) for at in range(size)]


@pytest.mark.parametrize(("room", "together"), [(200.0, 12), (20.0, 4)], ids=["fits", "does not fit"])
def test_the_end_of_a_table_of_contents_stays_together(room: float, together: int) -> None:
    sections = [Heading(2, text(f"section {number}"), f"section-{number}") for number in range(12)]
    rows = set_contents(plain_setter(), Contents(text("")), sections, Lane(0.0, 100.0, 1), room)
    assert [row.keep for row in rows[-12:]] == [12 - together <= at < 11 for at in range(12)]
