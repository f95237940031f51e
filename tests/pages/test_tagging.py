"""Screen rulebooks for readers who can't see them: all of the book in its order, each thing as what it is (PDF/UA-1)."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import PROJECT, SWEPT_EDITIONS, rulebook, rulebook_pages
from shipped_games import workshop as shared
from small_book import ACCENT, book, card, said, text, workshop
from tagged import Element, Link, Reader
from tests_support import examples

from generator.books.page import blocks as written
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Box,
    Figure,
    Heading,
    Index,
    Listing,
    Paragraph,
    Table,
    Text,
    VerticalText,
)
from generator.books.page.book_pages import typeset_book
from generator.books.rulebook.book_files import make_booklet
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document
from generator.game.rich_text import RING, Icon, LineBreak, Plain, Ruby

BOOKS = [(game, lang) for game in PROJECT.games for lang in ("ja", "en")]
ENTRY = ("TOCI", ("Reference", "Link"))
ROW, ITEM = ("TR", ("TH", "Span"), "TD", "TD"), ("LI", "Lbl", ("LBody", "P"))
RUBIES = ("P", "Link", ("Ruby", "RB", "RT"), ("Ruby", "RB", "RT"))

SMALL = (
    "Document",
    ("Sect", "H1", "P", "Figure", "P"),
    ("Sect", "H1", "P", "P"),
    "H1",
    ("TOC", (*ENTRY, ("TOC", ENTRY, ENTRY)), (*ENTRY, ("TOC", ENTRY, ENTRY)), ENTRY, ENTRY),
    "H1", "P",
    RUBIES,
    "H2",
    ("P", "Span", "Link"),
    ("Div", "Figure", "Caption"),
    "P", "H2",
    ("Table", "Caption", ("TR", "TH", "TH", "TH"), ROW, ROW, ROW, ROW, ROW, ROW),
    ("P", "Link"),
    "P", "H1", "P", "H2",
    ("L", ITEM, ITEM, ITEM),
    "H3",
    ("Div", "Figure", "Caption"),
    ("P", "Link"),
    "P", "H3", "P",
    ("L", ITEM, ("LI", "Lbl", ("LBody", "P", ("L", ITEM))), ITEM),
    ("Sect", "P", "P", "P"),
    "H2", "P",
    ("Sect", "P", "P"),
    ("Sect", "P", "P"),
    "H1",
    ("Table", ("TR", "TH", "TH"), ("TR", ("TH", "Link"), "TD"), ("TR", ("TH", "Link"), "TD")),
    "H1",
)  # fmt: skip


def pdf(document: Document, shop: Workshop) -> bytes:
    out = io.BytesIO()
    shop.write_document(document, out)
    return out.getvalue()


@cache
def small(lang: str, page: str = "A5") -> bytes:
    return pdf(typeset_book(book(lang), workshop(), page, ACCENT), workshop())


def opened(lang: str, page: str = "A5") -> Reader:
    return Reader(io.BytesIO(small(lang, page)))


def of(*blocks: Block, lang: str = "en", page: str = "A5") -> Reader:
    """A book of these blocks alone, as it is read."""
    made = typeset_book(replace(book(lang), blocks=blocks, imprint=()), workshop(), page, ACCENT)
    return Reader(io.BytesIO(pdf(made, workshop())))


@cache
def shipped_pdf(name: str, lang: str) -> bytes:
    return pdf(rulebook_pages(name, lang), shared(name))


def run_together(words: str) -> str:
    return "".join(words.replace("-", "").replace("\u00ad", "").split())


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_book_has_the_structure_of_its_blocks(lang: str) -> None:
    shape = opened(lang).document.shape
    wanted = tuple(("P", "Link") if entry == RUBIES and lang == "en" else entry for entry in SMALL)
    assert shape[: len(SMALL)] == wanted
    index, imprint = shape[len(SMALL) :]
    assert index[0] == "Index" and [entry[0] for entry in index[1][1:]] == ["LI", "LI"]
    assert imprint == ("Sect", "P", "P")


def test_what_is_read_is_what_is_written() -> None:
    document = opened("en").document
    assert [each.text for each in document.all("H2")] == ["Aim of the game", "Components", "A turn", "End of the game"]
    assert [each.text for each in document.all("Lbl")] == ["1.", "2.", "3.", "•", "•", "•", "•"]
    assert [each.text for each in document.all("Caption")] == ["A table ready to play", "Components", "Draw"]
    assert [each.text for each in document.all("Link")][:3] == ["Before you begin3", "Aim of the game3", "Components4"]
    assert [each.text for each in next(document.all("TR")).all("TH")] == ["Part", "Number", "What it is for"]
    assert {each.text for each in document.all("Span")} == {"Star"}


@pytest.mark.parametrize(("lang", "page"), [("ja", "A5"), ("en", "A5"), ("ja", "A4"), ("en", "Letter")])
def test_all_that_is_painted_is_tagged_or_an_artifact(lang: str, page: str) -> None:
    reader = opened(lang, page)
    tree = {int(key): row for key, row in zip(*[iter(reader.pdf.Root.StructTreeRoot.ParentTree.Nums)] * 2, strict=True)}
    held = [
        (pikepdf.Page(kid.Pg if isinstance(kid, pikepdf.Dictionary) else each.entry.Pg).index, number)
        for each in reader.document.all()
        for kid in each.entry.get("/K", [])
        if (number := kid if isinstance(kid, int) else int(kid.get("/MCID", -1))) >= 0
    ]

    assert len(held) == len(set(held))
    marks = {(at, mark.number) for at, (found, _) in enumerate(reader.pages) for mark in found if mark.number >= 0}
    assert set(held) == marks
    for at, (found, loose) in enumerate(reader.pages):
        assert loose == 0
        assert all(mark.paints for mark in found)
        assert reader.pdf.pages[at].obj.StructParents == at
        tags = [mark.tag for mark in found if mark.number >= 0]
        assert tags and tags == [str(element.S)[1:] for element in tree[at]]


def test_running_heads_and_numbers_are_not_read() -> None:
    table = Table(
        (text("Nnnn"), text("Mmmm")),
        tuple((text(f"row {number}"), text(said("en"))) for number in range(30)),
        ("left", "left"),
    )
    reader = of(Heading(1, text("Chapter"), "one"), table)
    shown = "".join(mark.words for found, _ in reader.pages for mark in found if mark.number < 0)
    assert shown.count("Nnnn") == shown.count("Mmmm") == len(reader.pages) - 2 > 1
    assert "Chapter" in shown and "Harbour of Stars" in shown
    assert reader.document.text.count("Nnnn") == reader.document.text.count("Chapter") == 1
    assert [next(row.all("TH")).text for row in reader.document.all("TR")][1:] == [f"row {at}" for at in range(30)]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_link_and_its_element_know_each_other(lang: str) -> None:
    reader = opened(lang)
    nums = list(reader.pdf.Root.StructTreeRoot.ParentTree.Nums)
    tree = dict(zip(map(int, nums[::2]), nums[1::2], strict=True))
    links = [annotation for page in reader.pdf.pages for annotation in page.obj.get("/Annots", [])]
    held = [(each, kid.annotation) for each in reader.document.all() for kid in each.kids if isinstance(kid, Link)]

    assert len(links) > 15
    assert sorted(each.objgen for each in links) == sorted(annotation.objgen for _, annotation in held)
    for element, annotation in held:
        assert element.kind == "Link"
        assert tree[int(annotation.StructParent)].objgen == element.entry.objgen
        assert str(annotation.Contents) and run_together(str(annotation.Contents)) in run_together(element.text)
    assert {str(page.obj.Tabs) for page in reader.pdf.pages} == {"/S"}


def test_a_link_over_two_lines_is_one_element() -> None:
    shown = "so many words that no line of a small book could ever hold all of them at once, however small the type"
    link = written.Link(shown, "one")
    reader = of(Heading(1, text("One"), "one"), Paragraph((Plain("Here are "), link, Plain("."))))
    (found,) = reader.document.all("Link")
    assert run_together(found.text) == run_together(shown)
    assert sum(isinstance(kid, Link) for kid in found.kids) == len(reader.pdf.pages[1].obj.Annots) == 2


def test_figures_say_what_they_show_and_where() -> None:
    blank = card()._replace(width=31)
    reader = of(Figure(card(), "a card", text("A card.")), Figure(blank, ""), Figure(card(), "the same", (), "beside"))
    cover, first, second = reader.document.all("Figure")
    assert [str(each.entry.Alt) for each in (cover, first, second)] == ["Harbour of Stars", "a card", "the same"]
    for each in (cover, first, second):
        left, foot, right, head = map(float, each.attribute("/BBox"))
        _, _, width, height = map(float, reader.pdf.pages[0].MediaBox)
        assert 0 < left < right < width and 0 < foot < head < height
    left, foot, right, head = map(float, first.attribute("/BBox"))
    assert (right - left) / (head - foot) == pytest.approx(30 / 42, abs=0.001)
    assert 0.88 <= (right - left) / (30 * 72 / 25.4) <= 1.3 + 1e-3, "its page is filled with it"


def test_tables_name_their_heads() -> None:
    table = Table(
        (text("Term"), (), text("日本語")),
        ((text("hand"), text("yes"), ()), ((), text("no"), text("山札"))),
        ("left", "left", "left"),
        langs=("", "", "ja"),
    )
    (found,) = of(table, lang="ja").document.all("Table")
    rows = [[(each.kind, each.text) for each in row.all("TH", "TD")] for row in found.all("TR")]

    assert rows == [
        [("TH", "Term"), ("TD", ""), ("TH", "日本語")],
        [("TH", "hand"), ("TD", "yes"), ("TD", "")],
        [("TD", ""), ("TD", "no"), ("TD", "山札")],
    ]
    assert [str(each.attribute("/Scope")) for each in found.all("TH")] == ["/Column", "/Column", "/Row"]
    assert [str(each.entry.get("/Lang", "")) for each in found.all("TH", "TD")] == ["", "", "ja"] * 3


def test_a_reading_belongs_to_its_characters() -> None:
    ruby = Ruby(("電子", "書", "籍"), ("でんし", "しょ", "せき"))
    reader = of(Paragraph((Plain("新しい"), ruby, Plain("を読む。"))), lang="ja")
    (paragraph,) = (each for each in reader.document.all("P") if "新" in each.text)
    pairs = [[kid.text for kid in each.all("RB", "RT")] for each in paragraph.all("Ruby")]
    assert pairs == [["電子", "でんし"], ["書", "しょ"], ["籍", "せき"]]
    assert paragraph.text == "新しい電子でんし書しょ籍せきを読む。"


def test_lists_say_how_they_are_marked() -> None:
    entries = ((Paragraph(text("one")),), (Paragraph(text("two")),))
    found = of(Listing(entries, ordered=True), Listing(entries)).document.all("L")
    assert [str(each.attribute("/ListNumbering")) for each in found] == ["/Decimal", "/Disc"]


def test_no_level_of_headings_is_skipped() -> None:
    """A step right below a chapter is a heading of the second level to who hears it; the book's title comes first."""
    blocks = [Heading(3, text("a"), "a"), Heading(1, text("b"), "b"), Heading(3, text("c"), "c")]
    blocks += [Heading(3, text("d"), "d"), Heading(2, text("e"), "e"), Heading(1, text("f"), "f")]
    found = [each.kind for each in of(*blocks).document.all("H1", "H2", "H3")]
    assert found == ["H1", "H2", "H1", "H2", "H3", "H2", "H1"]


def test_a_drawn_title_is_a_heading_with_its_words() -> None:
    whole = book("en")
    drawn = replace(whole, cover=replace(whole.cover, lettering=card(122, 33)), blocks=(), imprint=())
    pages = typeset_book(drawn, workshop(), "A5", ACCENT)
    (title,) = Reader(io.BytesIO(pdf(pages, workshop()))).document.all("H1")
    assert [str(kid.entry["/Alt"]) for kid in title.all("Figure")] == [whole.cover.title]


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["", "beside", "block", "wide"])), min_size=1, max_size=9),
    st.sampled_from(["ja", "en"]),
    st.sampled_from(["A5", "A4"]),
)
@examples(25)
def test_the_order_is_the_books(parts: list[tuple[int, str]], lang: str, page: str) -> None:
    blocks: list[Block] = []
    wanted: list[str] = []
    for number, (length, place) in enumerate(parts):
        if place:
            figure = Figure(card(40, 60), f"figure {number}", (), "beside" if place == "beside" else "block")
            blocks.append(BlockGroup((figure,), manner="wide") if place == "wide" else figure)
            wanted.append(f"figure {number}")
        words = f"{number}: {said(lang, length)}"
        blocks.append(Paragraph(text(words)))
        wanted.append(run_together(words))
    document = of(*blocks, lang=lang, page=page).document
    found = [each for each in document.kids if isinstance(each, Element) and each.kind != "Sect"]

    assert [str(each.entry.Alt) if each.kind == "Figure" else run_together(each.text) for each in found] == wanted


def test_an_index_is_read_column_by_column() -> None:
    entries = tuple((text(f"entry {number:02}"), f"entry-{number}") for number in range(30))
    document = of(Index(text("Register"), entries), page="A4").document
    assert [each.text for each in document.all("LBody")] == [f"entry {number:02}" for number in range(30)]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_file_says_that_it_is_for_everybody(lang: str) -> None:
    """Language, title, dates and the claim of PDF/UA-1 stand where a reader looks, and agree with each other."""
    file = opened(lang).pdf
    data = file.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False)
    said_of_it = {name: data.get(name) for name in ("pdfuaid:part", "dc:title", "xmp:CreateDate", "dc:creator")}
    assert said_of_it["pdfuaid:part"] == "1"
    assert said_of_it["dc:title"] == str(file.docinfo.Title)
    assert said_of_it["dc:creator"] == [str(file.docinfo.Author)]
    assert said_of_it["xmp:CreateDate"] == "2026-01-31T00:00:00Z"
    assert str(file.docinfo.CreationDate) == "D:20260131000000Z"
    assert str(file.Root.Lang) == lang
    assert file.Root.MarkInfo.Marked and file.Root.ViewerPreferences.DisplayDocTitle


def test_a_booklet_is_not_tagged() -> None:
    file = pikepdf.open(io.BytesIO(pdf(make_booklet(typeset_book(book("ja"), workshop(), "A5", ACCENT)), workshop())))
    assert "/StructTreeRoot" not in file.Root and "/MarkInfo" not in file.Root
    assert all("/StructParents" not in page.obj for page in file.pages)


def test_the_same_book_gives_the_same_bytes() -> None:
    assert pdf(typeset_book(book("ja"), workshop(), "A5", ACCENT), workshop()) == small("ja")


@pytest.mark.parametrize("page", ["A5", "A4"])
def test_the_small_books_pass_verapdf(verapdf: Callable[..., None], tmp_path: Path, page: str) -> None:
    """Every kind of block, in lines and columns of both languages, is as PDF/UA-1 wants it."""
    files = [tmp_path / f"{lang}.pdf" for lang in ("ja", "en")]
    for file in files:
        file.write_bytes(small(file.stem, page))
    verapdf("ua1", *files)


@pytest.mark.parametrize(
    "books", [BOOKS[:1], pytest.param(BOOKS[1:], marks=pytest.mark.release)], ids=["one", "others"]
)
def test_ten_books_pass_verapdf(verapdf: Callable[..., None], tmp_path: Path, books: list[tuple[str, str]]) -> None:
    """The rulebooks of all games in both languages are PDF/UA-1."""
    assert len(BOOKS) == 10
    files = [tmp_path / f"{game}.{lang}.pdf" for game, lang in books]
    for file, (game, lang) in zip(files, books, strict=True):
        file.write_bytes(shipped_pdf(game, lang))
    verapdf("ua1", *files)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)
def test_a_game_is_read_in_the_order_of_its_book(game: str, lang: str) -> None:
    made = rulebook(game, lang)
    called = {name: entry.name[lang] for name, entry in shared(game).game.icons.items()}
    wanted = "".join(_words(made.blocks, called))
    document = Reader(io.BytesIO(shipped_pdf(game, lang))).document
    read = "".join(_read(document.kids[1:-1]))  # without cover and imprint
    assert {str(cell.entry.Lang) for cell in document.all("TH", "TD") if "/Lang" in cell.entry} <= {"ja", "en"} - {lang}
    assert len(wanted) > 5000
    wanted = _PAGE.sub("", wanted).replace("\u2060", "")  # a word joiner is not read
    assert run_together(_PAGE.sub("", read)) == run_together(wanted)


_PAGE = re.compile(
    "[\u2060\u00a0]*（p\\.[0-9\u2060]+）| \\((?:p\\.[ \u00a0][0-9]+)?\\)|[0-9\u2060]+ページ|p\\.[ \u00a0][0-9]+"
)
"""What a printed reference adds to its words."""


def _read(kids: list[Element | str | Link]) -> Iterator[str]:
    """What is read of elements; pictures by their words, registers and marks of lists left out."""
    for kid in kids:
        if isinstance(kid, str):
            yield kid
        elif isinstance(kid, Element) and kid.kind not in ("TOC", "Index", "Lbl"):
            said_of_it = kid.entry.get("/ActualText", kid.entry.get("/Alt"))
            yield from _read(kid.kids) if said_of_it is None else [str(said_of_it)]


def _spoken(part: Any, called: dict[str, str]) -> str:
    """A part of a text as it is read, icons by their names and names with their readings."""
    part = part.shown if isinstance(part, written.Mention) else part
    if isinstance(part, Icon):
        return called.get(part.name, part.name.removeprefix(RING))
    if isinstance(part, Ruby):
        return "".join(base + reading for base, reading in zip(part.base, part.reading, strict=True))
    return " " if isinstance(part, LineBreak) else str(part.text)


def _words(blocks: tuple[Block, ...], called: dict[str, str]) -> Iterator[str]:
    """The words of a book's blocks."""

    def plain(words: Text) -> str:
        return "".join(_spoken(part, called) for part in words)

    for block in blocks:
        if isinstance(block, (Heading, Paragraph)):
            yield plain(block.text)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _words(entry, called)
        elif isinstance(block, Table):
            yield plain(block.caption)
            yield from (plain(cell) for row in (block.head, *block.rows) for cell in row)
        elif isinstance(block, Figure):
            yield block.alt + "".join(map(plain, block.key)) + plain(block.caption)
        elif isinstance(block, BlockGroup):
            yield from _words(block.blocks, called)
        elif isinstance(block, Box):
            joint = ": " if block.title and block.name.isascii() else ""
            yield block.name + (joint if block.name else "") + plain(block.title)
            yield from _words(block.blocks, called)
        elif isinstance(block, VerticalText):
            yield plain(block.title) + "".join(map(plain, block.paragraphs))
        elif not isinstance(block, BackCover):
            yield plain(block.title)
