"""What reports ask of pages: a title above the text, tables of equal columns, figures that keep their size."""

from dataclasses import replace

from small_book import ACCENT, WORDS, book, card, said, text, workshop

from generator.base.display_list import TextRun, walk_leaves
from generator.books.page.blocks import Figure, Paragraph, Table
from generator.books.page.book_pages import typeset_book
from generator.books.page.figure_setter import FigureSetter
from generator.books.page.page_style import FORMATS, Look
from generator.books.page.strips import Lane
from generator.books.page.text_setter import TextSetter

MASTHEAD = replace(FORMATS["A5"], opening="masthead")


def test_a_masthead_stands_above_the_text() -> None:
    whole = book("en")
    blocks, cover = (Paragraph(text("Here it begins.")),), replace(whole.cover, picture=None)
    done = typeset_book(replace(whole, blocks=blocks, cover=cover, imprint=()), workshop(), MASTHEAD, ACCENT)
    assert len(done.pages) == 1
    runs = [(at[5] + item.y, item.text) for item, at in walk_leaves(done.pages[0].items) if isinstance(item, TextRun)]
    title = next(y for y, words in runs if WORDS["title"]["en"].split()[0] in words)
    begin = next(y for y, words in runs if "Here" in words)
    assert title < begin < 60


def test_columns_of_tables_as_wide_as_they_are_told() -> None:
    tables = [
        Table((), ((text(words), text("here")),), ("left", "left"), shares=(0.6, 0.4)) for words in ("a", said("en"))
    ]
    done = typeset_book(replace(book("en"), blocks=tuple(tables), imprint=()), workshop(), "A5", ACCENT)
    found = [
        at[4] + item.x
        for page in done.pages
        for item, at in walk_leaves(page.items)
        if isinstance(item, TextRun) and item.text.strip() == "here"
    ]

    assert len(found) == 2 and len(set(found)) == 1
    assert found[0] > 80


def test_a_firm_figure_keeps_its_size() -> None:
    """Others may become smaller or larger so that their page is filled."""
    look = Look(FORMATS["A5"], "en", ACCENT)
    setter = FigureSetter(TextSetter(workshop(), look, "{}"), 150.0)
    loose, firm = (
        setter.set_figure(Figure(card(), "card", firm=firm), Lane(0.0, look.column, 0)) for firm in (False, True)
    )
    assert loose.sizes and not firm.sizes
    assert firm.height == loose.height
    assert firm.things[0].box.width == 30.0
