"""References, parts, indexes and contents lead to their pages; reports are set as books are."""

import re
from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_book import ACCENT, WORDS, book, card, said, text, workshop
from tests_support import examples

from generator.base.display_list import Group, TextRun, walk_leaves
from generator.base.geometry import Size
from generator.books.page.blocks import (
    Artwork,
    Block,
    BlockGroup,
    Box,
    Contents,
    Figure,
    Halves,
    Heading,
    Index,
    Lettering,
    Link,
    Mention,
    Paragraph,
    Row,
    RuledLine,
    Stack,
    Table,
    Term,
    TickBox,
)
from generator.books.page.book_pages import typeset_and_proofread, typeset_book
from generator.books.page.figure_setter import FigureSetter
from generator.books.page.finish_pages import find_corrections
from generator.books.page.list_pages import PartSetter
from generator.books.page.page_style import FORMATS, TEXT, TICK, Look, find_page_format, make_list_format
from generator.books.page.references import KnownPages, find_anchored_titles, settle_pages
from generator.books.page.strips import Lane, Strip
from generator.books.page.tables import set_contents, set_index
from generator.books.page.text_setter import TextSetter
from generator.books.web_page import make_web_page
from generator.game.print_pages import Page
from generator.game.rich_text import Plain

FILLER = "A boat lies in the harbour and waits for wind. "


def pages_of(lang: str, *blocks: Block, page: str = "A5") -> Sequence[Page]:
    return typeset_book(replace(book(lang), blocks=blocks, imprint=()), workshop(), page, ACCENT).pages


def runs(page: Page) -> list[tuple[Group, list[TextRun]]]:
    """The things of a page with the words that each shows."""
    things = [item for item in page.items if isinstance(item, Group)]
    return [(thing, [leaf for leaf, _ in walk_leaves((thing,)) if isinstance(leaf, TextRun)]) for thing in things]


def words(page: Page) -> str:
    return " ".join("".join(run.text for run in found) for _, found in runs(page))


@examples(12)
@given(
    st.lists(st.tuples(st.integers(0, 14), st.lists(st.integers(0, 11), max_size=3)), min_size=2, max_size=12),
    st.sampled_from(["A5", "A4"]),
)
def test_pages_told_are_those_where_things_stand(parts: list[tuple[int, list[int]]], page: str) -> None:
    blocks: list[Block] = []
    for number, (long, goals) in enumerate(parts):
        blocks.append(Heading(2, text(f"Part{number}."), f"part-{number}"))
        links = [
            part
            for goal in goals
            for part in (Link(f"goal{goal % len(parts)}", f"part-{goal % len(parts)}"), Plain(" "))
        ]
        term = Term(f"term{number}", f"t{number}")
        blocks.append(Paragraph((Plain(FILLER * long), *links, term, Plain("."))))
    index = Index(text("Register"), tuple((text(f"entry{number}"), f"t{number}") for number in range(len(parts))))
    set_pages = pages_of("en", *blocks, index, page=page)
    made = [words(page) for page in set_pages]
    stands = {number: at for number in range(len(parts)) for at, said in enumerate(made, 1) if f"Part{number}." in said}
    used = {number: at for number in range(len(parts)) for at, said in enumerate(made, 1) if f"term{number}." in said}

    told = [
        (at, found)
        for at, said in enumerate(made, 1)
        for found in re.finditer(r"goal(\d+)(?:\s+\(p\.\s(\d+)\))?", said)
    ]
    assert len(told) == sum(len(goals) for _, goals in parts)
    for at, found in told:
        there = stands[int(found[1])]
        assert found[2] == (None if there == at else str(there))
    lines = ["".join(run.text for run in found) for page in set_pages for _, found in runs(page)]
    listed = [found for line in lines if (found := re.fullmatch(r"entry(\d+) (\d+)", line))]
    assert {int(found[1]): int(found[2]) for found in listed} == used


@examples(100)
@given(st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 4))
def test_what_moves_for_ever_is_told_no_longer(seed: int, number: int, pages: int) -> None:
    def found(told: KnownPages) -> KnownPages:
        state = tuple(sorted((told.links or {}).items())), tuple(sorted(told.terms.items()))
        links = {link: hash((seed, link, state[0])) % pages for link in range(number)}
        terms = {str(link): (hash((seed, -link, state[0])) % pages,) for link in range(number)}
        return replace(told, links=links, terms=terms)

    passes: list[KnownPages] = []

    def fill(told: KnownPages) -> KnownPages:
        passes.append(told)
        return told

    there, told = settle_pages(KnownPages(), fill, found)
    now = found(there)

    assert len(passes) <= 8 + 2 * number
    assert all(now.links is not None and now.links[link] == page for link, page in (told.links or {}).items())
    assert all(set(pages) <= set(now.terms[term]) for term, pages in told.terms.items())


FAR = tuple(Paragraph((Plain(said("en", 8)),)) for _ in range(14))
SAID = [
    ("en", (Plain("See “"), Link("there", "end"), Plain("” soon.")), "See “there” (p. 4) soon."),
    ("en", (Plain("See "), Link("there", "end"), Plain("’s end.")), "See there (p. 4)’s end."),
    ("en", (Plain("See "), Link("", "end"), Plain(".")), "See p. 4."),
    ("en", (Plain("See "), Link("here", "start"), Plain(".")), "See here."),
    ("ja", (Plain("「"), Link("終わり", "end"), Plain("」を見る。")), "「終わり」（p.4）を見る。"),
    ("ja", (Link("", "end"), Plain("を見る。")), "4ページを見る。"),
]


@pytest.mark.parametrize(("lang", "written", "printed"), SAID)
def test_a_reference_tells_its_page(lang: str, written: tuple[Plain | Link, ...], printed: str) -> None:
    blocks = (Heading(2, text("A"), "start"), Paragraph(written), *FAR, Heading(2, text("Z"), "end"), *FAR[:1])
    made = pages_of(lang, *blocks)
    goal = next(at for at, page in enumerate(made, 1) if "Z" in [run.text for _, found in runs(page) for run in found])
    shown = re.sub("[\u2060]", "", words(made[1])).replace("\u00a0", " ")
    assert printed.replace("4", str(goal)) in shown


@pytest.mark.slow
def test_where_a_term_is_defined() -> None:
    """Its word is bold there, and leads the pages of the index."""
    before = Paragraph((Plain("A "), Term("deck", "deck"), Plain(".")))
    defines = Paragraph((Plain("It is the "), Term("decks", "deck", defines=True), Plain(".")))
    index = Index(text("Register"), ((text("pile"), "deck"),))
    made = pages_of("en", before, *FAR, defines, *FAR, index)
    at, page = next((at, page) for at, page in enumerate(made, 1) if "It is the" in words(page))
    bold = [run.text for _, found in runs(page) for run in found if "Bold" in run.font and run.text == "decks"]
    entry = next(found for _, found in runs(made[-1]) if found and found[0].text.startswith("pile"))

    assert bold == ["decks"]
    assert "".join(run.text for run in entry) == f"pile {at}, 2"
    assert "Bold" in entry[1].font and "Bold" not in entry[-1].font


def test_marks_for_the_index_and_examples_on_the_web_page() -> None:
    example = Box("example", text("A tie"), (Paragraph(text("Draw.")),), anchor="example-a", name="Example 1")
    table = Table(((),), (((Plain("x"),),),), ("left",))
    mark = Paragraph(
        (Plain("Of "), Mention(Plain("ties"), ("subject:ties",)), Plain(" see "), Link("", "a"), Plain("."))
    )
    blocks = (Heading(1, text("Ends"), "a"), mark, Paragraph((Term("x", "x", defines=True),)), example, table)
    index = Index(text("Register"), ((text("ties"), "subject:ties"), (text("never"), "design:x/never")))
    page = make_web_page(replace(book("en"), blocks=(*blocks, index)), workshop(), ACCENT)

    assert '<aside role="note" id="example-a" class="example" aria-label="Example 1: A tie">' in page
    assert 'Of ties see <a href="#a">Ends</a>.' in page
    assert "<dfn>x</dfn>" in page
    assert 'ties <span><a href="#a">Ends</a></span>' in page.replace(
        '<span id="index:subject:ties">ties</span>', "ties"
    )
    assert "never" not in page


def test_a_link_leads_into_narrow_columns() -> None:
    blocks = (Paragraph((Link("", "there"),)), BlockGroup((Heading(2, text("Over there"), "there"),)))
    made = replace(book("en"), blocks=blocks, imprint=())
    assert ">Over there</a>" in make_web_page(made, workshop())
    assert dict(find_anchored_titles(blocks)) == {"there": text("Over there")}


def test_a_proof_counts_references_that_give_no_page() -> None:
    said_there = Paragraph((Plain(FILLER), Link("the end", "end"), Plain(".")))
    filler = [Paragraph((Plain(FILLER * 20),)) for _ in range(6)]
    made = replace(book("en"), blocks=(said_there, *filler, Heading(2, text("End"), "end")), imprint=())
    with patch("generator.books.page.book_pages.find_corrections", wraps=find_corrections) as asked:
        _, proof = typeset_and_proofread(made, workshop(), "A5", ACCENT)
    leaves, look, _ = asked.call_args.args
    assert proof.count_corrections()["references without a page"] == 0
    assert [one.what for one in find_corrections(leaves, look, KnownPages({}, {})).marks if "leads" in one.what] == [
        f"'the end' leads to page {proof.pages}"
    ]


def words_register(page: Page) -> list[str]:
    return [words_register for _, words_register in lines(page)]


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
    there = [at for at, page in enumerate(pages) if any(line.startswith("entry ") for line in words_register(page))]
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
    pages, there = with_index(before, size)
    read = [by_column(pages[at]) for at in there]
    assert len(there) <= 3
    assert "Register" in words_register(pages[there[0]])
    assert [number for part in read for number in part] == list(range(size))
    assert len(there) == 1 or min(map(len, read)) >= 6


def test_an_index_begins_on_the_page_where_the_text_ends() -> None:
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


SETTING = PartSetter(TextSetter(workshop(), Look(find_page_format("A5"), "en", ACCENT), "{}"), 100.0)
heights = st.lists(st.tuples(st.floats(1, 50), st.floats(0, 20)), max_size=8)


def art(height: float, above: float = 0.0) -> Artwork:
    return Artwork(Size(10, height), (), above=above)


def tops(strip: Strip) -> list[float]:
    """Where the things of a strip begin, mm from its top."""
    return [thing.box.y for thing in strip.things]


@given(heights)
def test_a_stack_is_as_high_as_its_parts_and_the_room_between_them(parts: list[tuple[float, float]]) -> None:
    """The room above the first counts only on the page; an empty stack has no height but what is asked for below."""
    made = SETTING.make_strip(Stack([art(*part) for part in parts], above=3.0, below=0.5))
    assert made.above == 3.0
    assert made.height == pytest.approx(sum(map(sum, parts)) - (parts[0][1] if parts else 0.0) + 0.5)
    ends = [box.bottom for box in (thing.box for thing in made.things)]
    assert tops(made)[1:] == pytest.approx([end + above for end, (_, above) in zip(ends, parts[1:], strict=False)])


def test_a_row_lies_as_it_is_told() -> None:
    """Tops or middles at one height, or all but the first at the foot; the tallest says how high the row is."""
    parts = ((0.0, art(10)), (20.0, art(4)), (40.0, art(6, above=2)))
    assert tops(SETTING.make_strip(Row(parts))) == [0, 0, 2]
    assert tops(SETTING.make_strip(Row(parts[:2], lie="middle"))) == [0, 3]
    assert tops(SETTING.make_strip(Row(parts[1::-1], lie="low"))) == [0, 0]
    assert tops(SETTING.make_strip(Row(parts[:2], lie="low"))) == [0, 6]
    assert [thing.box.x for thing in SETTING.make_strip(Row(parts)).things] == [0, 20, 40]
    assert SETTING.make_strip(Row(parts)).height == 10


def test_a_rule_takes_no_room() -> None:
    made = SETTING.make_strip(Stack((RuledLine(50.0), art(5, above=1.5))))
    assert tops(made) == [0, 1.5] and made.height == 6.5


def test_halves_stand_side_by_side_where_a_page_holds_them() -> None:
    (both,) = SETTING.set_part(Halves([art(40), art(50)], [art(20)], 60.0, above=4.0))
    apart = SETTING.set_part(Halves([art(40), art(61)], [art(20)], 60.0))
    assert both.height == 90 and both.above == 4.0 and [thing.box.x for thing in both.things] == [0, 0, 60]
    assert [strip.height for strip in apart] == [40, 61, 20]


def test_an_entry_is_as_high_as_its_words() -> None:
    words = Lettering("Cut along the marks, from mark to mark, and round the corners. " * 3, TEXT, 60.0, name="words")
    made = SETTING.make_strip(Row(((0.0, TickBox("step 1")), (6.0, words))))
    tick, text = made.things
    assert (tick.role, tick.name, text.role, text.name) == ("tick", "step 1", "text", "words")
    assert made.height == text.box.height > 3 * TICK


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
    look = Look(FORMATS["A5"], "en", ACCENT)
    setter = FigureSetter(TextSetter(workshop(), look, "{}"), 150.0)
    loose, firm = (
        setter.set_figure(Figure(card(), "card", firm=firm), Lane(0.0, look.column, 0)) for firm in (False, True)
    )
    assert loose.sizes and not firm.sizes
    assert firm.height == loose.height
    assert firm.things[0].box.width == 30.0
