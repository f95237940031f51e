"""Pages told on pages: of links, of the index, where terms are defined; they are the pages where these stand."""

import re
from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_book import ACCENT, book, said, text, workshop
from tests_support import examples

from generator.base.display_list import LAYOUT, Group, TextRun, walk_leaves
from generator.books.page.blocks import Block, BlockGroup, Box, Heading, Index, Link, Mention, Paragraph, Table, Term
from generator.books.page.book_pages import typeset_and_proofread, typeset_book
from generator.books.page.finish_pages import find_corrections
from generator.books.page.references import KnownPages, find_anchored_titles, settle_pages
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
    """Every link gives the page of its heading, unless both stand on one; the index gives those of its entries."""
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
    """Whatever pages do when other pages are told: it ends, and all that is told then is true."""

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
    """Behind the quotation mark that closes after it; alone where the link has no words; not on its own page."""
    blocks = (Heading(2, text("A"), "start"), Paragraph(written), *FAR, Heading(2, text("Z"), "end"), *FAR[:1])
    made = pages_of(lang, *blocks)
    goal = next(at for at, page in enumerate(made, 1) if "Z" in [run.text for _, found in runs(page) for run in found])
    shown = re.sub("[\u2060]", "", words(made[1])).replace("\u00a0", " ")
    assert printed.replace("4", str(goal)) in shown


def test_where_a_term_is_defined() -> None:
    """Its word is bold there, stands small in the outer margin at its height, and leads the pages of the index."""
    before = Paragraph((Plain("A "), Term("deck", "deck"), Plain(".")))
    defines = Paragraph((Plain("It is the "), Term("decks", "deck", defines=True), Plain(".")))
    index = Index(text("Register"), ((text("pile"), "deck"),))
    made = pages_of("en", before, *FAR, defines, *FAR, index)
    at, page = next((at, page) for at, page in enumerate(made, 1) if "It is the" in words(page))
    small = [thing for thing, found in runs(page) if [run.text for run in found] == ["decks"] and found[0].size < 7]
    line = next(thing for thing, found in runs(page) if "".join(run.text for run in found).startswith("It is the"))
    bold = [run.text for _, found in runs(page) for run in found if "Bold" in run.font and run.text == "decks"]
    entry = next(found for _, found in runs(made[-1]) if found and found[0].text.startswith("pile"))

    assert bold == ["decks"]
    assert len(small) == 1 and small[0].tags == LAYOUT
    room_right = small[0].matrix[4] > page.size.width / 2
    assert room_right == (at % 2 == 1)
    assert abs(small[0].matrix[5] - line.matrix[5]) < 3
    assert "".join(run.text for run in entry) == f"pile {at}, 2"
    assert "Bold" in entry[1].font and "Bold" not in entry[-1].font


def test_a_term_in_two_lines_stands_once_in_the_margin() -> None:
    for many in range(32, 40):
        parted = Paragraph((Plain("の" * many), Term("旅先カード", "deck", defines=True), Plain("。")))
        small = [run.text for _, found in runs(pages_of("ja", parted)[1]) for run in found if run.size < 6.5]
        assert small.count("旅先") == 1, many
    named = Paragraph((Term("旅先カード", "deck", defines=True), Plain("。")))
    small = [run.text for _, found in runs(pages_of("ja", named)[1]) for run in found if run.size < 6.5]
    assert [words for words in small if words in "旅先カード"] == ["旅先", "カード"]


def test_a_word_too_wide_for_the_margin_is_left_out() -> None:
    word = "W" * 20
    made = pages_of("en", Paragraph((Term(word, "deck", defines=True), Plain("."))))
    assert [run.text for _, found in runs(made[1]) for run in found].count(word) == 1


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
