"""A rulebook's pages: all text once, in its columns, broken by the rules; numbers, links and outline that are right."""

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_book import ACCENT, WORDS, book, card, said, text, workshop
from tests_support import examples

from generator.base.display_list import Drawing, Group, TextRun, walk_leaves
from generator.base.errors import ProblemsFound
from generator.base.geometry import PT_PER_MM, Rect
from generator.books.page.blocks import (
    Block,
    Book,
    Contents,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Paragraph,
    Table,
    Term,
    Text,
    VerticalText,
)
from generator.books.page.book_pages import typeset_book
from generator.books.page.page_style import FORMATS, Look, find_page_format
from generator.checks.visible_items import find_ink_box, iter_visible_leaves
from generator.game.print_pages import Document, Page
from generator.game.rich_text import Icon, Plain, RunStyle
from generator.text.kinsoku import CLOSING, EXCLAIM, MIDDLE, NO_START_KANA, STOPS

NO_START = CLOSING + STOPS + MIDDLE + EXCLAIM + NO_START_KANA
LANGUAGES = ("ja", "en")


@cache
def made(lang: str, page: str = "A5") -> Document:
    return typeset_book(book(lang), workshop(), page, ACCENT)


@cache
def written(lang: str, page: str = "A5") -> bytes:
    out = io.BytesIO()
    workshop().write_document(made(lang, page), out)
    return out.getvalue()


def plain(lang: str, *blocks: Block) -> Book:
    return replace(book(lang), blocks=blocks, imprint=())


def complaints(*blocks: Block, lang: str = "en", page: str = "A5") -> list[str]:
    with pytest.raises(ProblemsFound) as found:
        typeset_book(plain(lang, *blocks), workshop(), page, ACCENT)
    return list(map(str, found.value.problems))


def groups(page: Page) -> Iterator[tuple[str, str, Group]]:
    """The things of a page with their roles and the numbers of their blocks."""
    for item in page.items:
        assert isinstance(item, Group)
        data = dict(item.data)
        yield data["role"], data["part"], item


def words(group: Group) -> str:
    return "".join(leaf.text for leaf, _ in walk_leaves((group,)) if isinstance(leaf, TextRun))


def place(page: Any) -> int:
    found: Any = pikepdf.Page(page)
    return int(found.index)


def name(page: Any) -> str:
    return str(page.label)


def lines(document: Document, role: str = "paragraph") -> list[tuple[str, list[str]]]:
    """By block the lines of a role, over all pages but the cover."""
    found = [(part, words(group)) for page in document.pages[1:] for kind, part, group in groups(page) if kind == role]
    return [(part, [line for _, line in run]) for part, run in groupby(found, lambda pair: pair[0])]


@pytest.mark.parametrize("page", FORMATS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_leaves_its_page(lang: str, page: str) -> None:
    """All ink but running heads and numbers lies where text stands; a stop may hang into the margin."""
    look, shop = Look(find_page_format(page), lang, ACCENT), workshop()
    for leaf in made(lang, page).pages:
        room = look.find_text_room(leaf.sheet).grow(0.6)
        hang = Rect(room.x, room.y, room.width + look.body.em, room.height)
        for role, _, group in groups(leaf):
            outer = Rect(0, 0, leaf.size.width, leaf.size.height).grow(-5) if role == "artifact" else hang
            for one in iter_visible_leaves(Drawing(leaf.size.width, leaf.size.height, 0.0, (group,))):
                box = find_ink_box(one, shop)  # type: ignore[arg-type]
                assert box is None or outer.contains(box), words(group)


@pytest.mark.slow
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.sampled_from(LANGUAGES), st.sampled_from(["A5", "A4"]))
@examples(25)
def test_every_word_stands_once_and_in_order(lengths: list[int], lang: str, page: str) -> None:
    blocks: list[Block] = []
    wanted = ""
    for number, length in enumerate(lengths):
        paragraph = f"{number}: {said(lang, length)}"
        wanted += paragraph
        if number % 3 == 1:
            blocks.append(Figure(card(), "card", text("card"), "beside"))
        blocks.append(Paragraph(text(paragraph)))
    done = typeset_book(plain(lang, *blocks), workshop(), page, ACCENT)
    shown = "".join("".join(run) for _, run in lines(done))
    assert "".join(shown.replace("-", "").split()) == "".join(wanted.replace("-", "").split())


@given(st.lists(st.integers(1, 9), min_size=3, max_size=10), st.sampled_from(LANGUAGES))
@examples(25)
def test_no_page_holds_a_single_line_of_a_paragraph(lengths: list[int], lang: str) -> None:
    blocks = [Paragraph(text(said(lang, length))) for length in lengths]
    done = typeset_book(plain(lang, *blocks), workshop(), "A5", ACCENT)
    by_page = [(leaf.sheet, part) for leaf in done.pages[1:] for role, part, _ in groups(leaf) if role == "paragraph"]
    count = {part: sum(1 for _, other in by_page if other == part) for _, part in by_page}
    for place in set(by_page):
        assert by_page.count(place) >= 2 or count[place[1]] == 1


@pytest.mark.parametrize("page", FORMATS)
def test_lines_keep_the_rules_of_japanese(page: str) -> None:
    begun = [line for _, run in lines(made("ja", page)) for line in run[1:] if line]
    assert len(begun) > 15
    assert not [line for line in begun if line[0] in NO_START]


def test_a_long_table_repeats_its_head() -> None:
    rows = tuple((text(f"row {number}"), text(said("en"))) for number in range(40))
    table = Table((text("Nnnn"), text("Mmmm")), rows, ("left", "left"))
    done = typeset_book(plain("en", table), workshop(), "A5", ACCENT)
    assert len(done.pages) > 3
    for page in done.pages[1:]:
        shown = [words(group) for role, _, group in groups(page) if role == "table"]
        assert shown[:2] == ["Nnnn", "Mmmm"]
        assert shown.count("Nnnn") == 1


def test_a_tables_columns_share_the_width_by_their_words() -> None:
    table = Table(
        (text("Part"), text("What it does"), text("No.")),
        ((text("Lantern"), text(said("en")), text("12")),),
        ("left", "left", "right"),
    )
    done = typeset_book(plain("en", table), workshop(), "A5", ACCENT)
    shown = [words(group).strip() for role, _, group in groups(done.pages[1]) if role == "table"]
    assert {"Lantern", "12"} <= set(shown)
    assert len(shown) < 12


@pytest.mark.parametrize("lang", LANGUAGES)
def test_contents_name_the_pages_of_their_headings(lang: str) -> None:
    done = made(lang)
    headings = {
        words(group).strip(): page.sheet for page in done.pages for role, _, group in groups(page) if role == "heading"
    }
    entries = [words(group).strip() for role, _, group in groups(done.pages[2]) if role == "paragraph"]
    listed = dict(zip(entries[::2], entries[1::2], strict=False))
    for name in ("begin", "aim", "parts", "play", "turn", "end"):
        assert int(listed[WORDS[name][lang]]) == headings[WORDS[name][lang]]
    goals = [link.page + 1 for link in done.pages[2].links[:7]]
    assert goals == [
        headings[WORDS[name][lang]] for name in ("begin", "aim", "parts", "play", "turn", "end", "glossary")
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_outline_leads_to_every_heading(lang: str) -> None:
    with pikepdf.open(io.BytesIO(written(lang))) as pdf:
        assert pdf.Root.PageMode == "/UseOutlines"
        with pdf.open_outline() as outline:
            found = [(top.title, [child.title for child in top.children]) for top in outline.root]
            pages = [place(top.destination[0]) for top in outline.root]  # type: ignore[index]
            tops = [float(top.destination[3]) for top in outline.root]  # type: ignore[index]
    w = {name: by_language[lang] for name, by_language in WORDS.items()}

    assert found == [
        (w["contents"], []),
        (w["begin"], [w["aim"], w["parts"]]),
        (w["play"], [w["turn"], w["end"]]),
        (w["glossary"], []),
        (w["index"], []),
    ]
    shown = {
        words(group).strip(): page.sheet - 1
        for page in made(lang).pages[2:]
        for role, _, group in groups(page)
        if role == "heading"
    }
    assert pages == [shown[title] for title, _ in found]
    height = find_page_format("A5").size.height * PT_PER_MM
    assert all(0 < top <= height for top in tops)


def test_links_lead_to_the_pages_they_name() -> None:
    done = made("en")
    play = next(mark.page for mark in done.outline if mark.title == WORDS["play"]["en"])
    glossary = next(mark.page for mark in done.outline if mark.title == WORDS["glossary"]["en"])
    page = next(page for page in done.pages[3:] if play in [link.page for link in page.links])
    terms = [link for each in done.pages[3:] for link in each.links if link.page == glossary]

    assert page.sheet <= play + 1
    assert terms
    with pikepdf.open(io.BytesIO(written("en"))) as pdf:
        for number, leaf in enumerate(done.pages):
            annotations: Any = pdf.pages[number].get("/Annots", [])
            assert len(annotations) == len(leaf.links)
            for note, link in zip(annotations, leaf.links, strict=True):
                assert place(note.Dest[0]) == link.page
                left, low, right, high = (float(value) / PT_PER_MM for value in note.Rect)
                assert left == pytest.approx(link.box.x, abs=0.01)
                assert leaf.size.height - high == pytest.approx(link.box.y, abs=0.01)
                assert right > left and high > low


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_index_lists_the_pages_that_use_a_term(lang: str) -> None:
    done = made(lang)
    term = WORDS["deck"][lang]
    using = [
        page.sheet
        for page in done.pages[2:]
        for _, _, group in groups(page)
        if any(
            isinstance(leaf, TextRun) and leaf.text == term and "Bold" in leaf.font for leaf, _ in walk_leaves((group,))
        )
    ]
    last = [words(group) for _, _, group in groups(done.pages[-1])]
    entry = next(line for line in last if line.startswith(f"{term} "))

    *used, meant = dict.fromkeys(using)
    assert entry.removeprefix(f"{term} ") == ", ".join(map(str, used))
    assert meant not in used


def said_on(page: Page) -> list[str]:
    return [words(group) for _, _, group in groups(page)]


def test_a_term_of_the_glossary_alone_has_its_page() -> None:
    glossary = Table((text("Term"), text("Meaning")), (((Term("sail", "sail"),), text("It moves.")),), ("left", "left"))
    before = [Paragraph((Plain(said("en", 8)),)) for _ in range(12)]
    done = typeset_book(
        plain("en", *before, glossary, Index(text("x"), ((text("sail"), "sail"),))), workshop(), "A5", ACCENT
    )
    entries = [words(group) for role, _, group in groups(done.pages[-1]) if role == "paragraph"]
    assert [entry for entry in entries if entry.startswith("sail")] == [
        f"sail {next(page.sheet for page in done.pages if 'It moves.' in said_on(page))}"
    ]


@pytest.mark.parametrize(
    ("title", "pages"), [((Term("Sails", "sail"), Plain(" and Ropes")), " {}"), (text("Sails and Ropes"), "")]
)
def test_the_index_lists_what_is_marked_alone(title: Text, pages: str) -> None:
    before = [Paragraph((Plain(said("en", 8)),)) for _ in range(12)]
    index = Index(text("x"), ((text("sail"), "sail"),))
    done = typeset_book(
        plain("en", *before, Heading(1, title, "sails"), Paragraph((Plain("."),)), index), workshop(), "A5", ACCENT
    )
    entries = [words(group) for role, _, group in groups(done.pages[-1]) if role == "paragraph"]
    titled = next(page.sheet for page in done.pages[1:] if any("and Ropes" in said for said in said_on(page)))
    assert [entry for entry in entries if entry.startswith("sail")] == [f"sail{pages}".format(titled)]


def test_the_table_of_contents_lists_the_index() -> None:
    done = typeset_book(plain("en", Contents(text("In this book")), Index(text("Words"), ())), workshop(), "A5", ACCENT)
    lines = [words(group) for _, _, group in groups(done.pages[1])]
    assert lines.index("In this book") < lines.index("Words")
    assert lines.count("Words") == 2, "once in the contents, once as a title"


def test_the_index_joins_pages_that_follow_each_other() -> None:
    many = [Paragraph((Plain(said("en", 8)), Term("sail", "sail"))) for _ in range(12)]
    few = [Paragraph((Plain(said("en", 16)), Term("tide", "tide"))) for _ in range(2)]
    index = Index(text("Index"), ((text("sail"), "sail"), (text("tide"), "tide"), (text("rope"), "rope")))
    done = typeset_book(plain("en", *many, *few, index), workshop(), "A5", ACCENT)
    entries = [words(group) for role, _, group in groups(done.pages[-1]) if role == "paragraph"]
    sail, tide = (next(line for line in entries if line.startswith(term)) for term in ("sail ", "tide "))
    assert sail.removeprefix("sail ").split("–")[0] == "2, 3", "the main page stands alone"
    assert tide.count(", ") == 1 and "–" not in tide
    assert "rope" in entries


def test_pages_are_named_as_they_are_numbered() -> None:
    with pikepdf.open(io.BytesIO(written("en"))) as pdf:
        names = [name(page) for page in pdf.pages]
    feet = [[words(group) for role, _, group in groups(page) if role == "artifact"] for page in made("en").pages]
    assert names[0] == "Cover"
    assert names[1:] == [str(number) for number in range(2, len(names) + 1)]
    assert all(names[at] in feet[at] for at in range(2, len(names)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_same_book_same_bytes(lang: str) -> None:
    shop = workshop.__wrapped__()
    out = io.BytesIO()
    shop.write_document(typeset_book(book(lang), shop, "A5", ACCENT), out)
    assert out.getvalue() == written(lang)


def test_japanese_prologue_stands_upright() -> None:
    columns = [group for role, _, group in groups(made("ja").pages[1]) if role == "paragraph"]
    places = [group.matrix[4] for group in columns]
    assert len(columns) > 2
    assert places == sorted(places, reverse=True)
    runs = [leaf for leaf, _ in walk_leaves((columns[0],)) if isinstance(leaf, TextRun)]
    assert all(run.places or run.angle == 90 for run in runs)


def test_a_figure_stands_beside_its_text() -> None:
    look = Look(find_page_format("A5"), "ja", ACCENT)
    blocks = (Figure(card(), "card", (), "beside"), Paragraph(text(said("ja", 5))))
    page = typeset_book(plain("ja", *blocks), workshop(), "A5", ACCENT).pages[1]
    picture = next(group for role, _, group in groups(page) if role == "figure")
    left, foot = picture.matrix[4], picture.matrix[5] + 42.0
    ends = [
        (group.matrix[5], box.right)
        for role, _, group in groups(page)
        if role == "paragraph"
        for one in iter_visible_leaves(Drawing(148, 210, 0.0, (group,)))
        if (box := find_ink_box(one, workshop())) is not None  # type: ignore[arg-type]
    ]
    beside = [end for y, end in ends if y < foot - look.body.pitch]
    below = [end for y, end in ends if y > foot]

    assert beside and below
    assert max(beside) < left
    assert max(below) > left + 20


def test_a_word_that_is_wider_than_its_column_is_told() -> None:
    found = complaints(Paragraph(text("A" * 120)))
    assert len(found) == 1
    assert "mm wider than its place" in found[0]
    assert "AAAA" in found[0]


def test_a_character_without_a_glyph_is_told() -> None:
    assert any("U+1F0A1" in problem for problem in complaints(Paragraph(text("a \U0001f0a1 b"))))


def test_a_figure_that_is_larger_than_its_page_is_told() -> None:
    fitting = typeset_book(plain("en", Figure(card(220, 60), "map")), workshop(), "A5", ACCENT)
    assert len(fitting.pages) == 2
    assert "'map' is 300 x 60 mm: too large" in complaints(Figure(card(300, 60), "map"))[0]
    assert "'map' is 60 x 400 mm: too large" in complaints(Figure(card(60, 400), "map"))[0]


def test_a_row_that_is_taller_than_its_page_is_told() -> None:
    table = Table((), ((text("a"), text(said("en", 30))),), ("left", "left"))
    assert "a row of a table is" in complaints(table)[0]


def test_links_and_icons_that_lead_nowhere_are_told() -> None:
    astray = Paragraph((Plain("a "), Icon("moon"), Link("b", "nowhere")))
    found = complaints(astray, Paragraph(text("x" * 150)))
    assert any("a link leads to 'nowhere'" in problem for problem in found)
    assert any("there is no icon 'moon'" in problem for problem in found)
    assert any("wider" in problem for problem in found)
    with pytest.raises(ProblemsFound, match="can't be set on pages of 'A9'"):
        typeset_book(book("en"), workshop(), "A9")


@pytest.mark.slow
def test_a_heading_stands_with_the_text_below_it() -> None:
    for before in range(20, 45):
        text_before: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        blocks: tuple[Block, ...] = (*text_before, Heading(2, text("Title"), "t"), Paragraph(text(said("en", 3))))
        for page in typeset_book(plain("en", *blocks), workshop(), "A5", ACCENT).pages:
            roles = [role for role, _, _ in groups(page) if role != "artifact"]
            if "heading" in roles and page.sheet > 1:
                assert len(roles) - roles.index("heading") > 2


def test_a_list_stands_with_the_sentence_that_announces_it() -> None:
    entries = tuple((Paragraph(text(word)),) for word in ("One.", "Two.", "Three.", "Four."))
    for before in range(20, 45):
        start: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        done = typeset_book(plain("en", *start, Paragraph(text("Namely:")), Listing(entries)), workshop(), "A5", ACCENT)
        for page in done.pages[1:]:
            shown = [words(group).strip() for role, _, group in groups(page) if role == "paragraph"]
            assert ("Namely:" in shown) == ("One." in shown) == ("Two." in shown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_heading_before_an_upright_page_goes_with_it(lang: str) -> None:
    words_before = Paragraph(text(said(lang)))
    term = Term(WORDS["deck"][lang], "deck")
    index = Index(text(WORDS["index"][lang]), ((text(WORDS["deck"][lang]), "deck"),))
    upright = VerticalText(((term, Plain(said(lang))),))
    blocks = (words_before, Heading(1, text(WORDS["begin"][lang]), "begin"), upright, words_before, index)
    done = typeset_book(plain(lang, *blocks), workshop(), "A5", ACCENT)
    by_role = [[words(group) for role, _, group in groups(page) if role == "heading"] for page in done.pages]
    assert by_role[1:3] == [[], [WORDS["begin"][lang]]]
    assert next((mark.title, mark.page) for mark in done.outline) == (WORDS["begin"][lang], 2)
    assert any(line == f"{WORDS['deck'][lang]} 3" for _, run in lines(done) for line in run)


def test_a_weight_that_no_font_has_is_a_problem_of_the_book() -> None:
    heavy = Paragraph((Plain("a", manner=RunStyle(weight=600)),))
    assert complaints(heavy) == [
        "rulebook (en, A5): the font family 'body' has no weight 600 for 'en'; add its file to the family's `weights:`"
    ]
