"""Pages of any blocks and of the games' rulebooks are made up: nothing torn or lost, no page half empty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import SWEPT_EDITIONS, rulebook_pages
from small_book import ACCENT, book, card, said, text, workshop
from small_book import book as small_book
from tests_support import examples

from generator.base.display_list import FOOTER, Drawing, Group, Shape, TextRun, walk_leaves
from generator.base.errors import ProblemsFound
from generator.books.page import page_breaks
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Box,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Table,
    VerticalText,
)
from generator.books.page.book_pages import typeset_and_proofread, typeset_book
from generator.books.page.composer import Composer
from generator.books.page.finish_pages import COUNTED, Proof
from generator.books.page.page_style import Look, find_page_format
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.book_files import iter_booklet_sides
from generator.game.print_pages import Document, Page

TORN = tuple(kind for kind in COUNTED if kind.startswith(("torn", "parted", "fragments", "stranded", "blank")))


def paragraph(number: int, size: int) -> Paragraph:
    return Paragraph(text(f"[{number}] {said('en', 1 + size % 3)}"))


def block(number: int, role: str, size: int) -> list[Block]:
    """One block of a book, or a title with a text below it."""
    says = paragraph(number, size)
    if role == "section":
        return [Heading(2, text("Title"), f"h{number}"), says]
    if role == "box":
        return [says, Box("example", text("Example"), (paragraph(number, size + 1), paragraph(number, size)))]
    if role in ("list", "steps"):
        entries = tuple((Paragraph(text(f"{at}. {said('en')[: 40 * size]}")),) for at in range(1 + size))
        return [says, Listing(entries, ordered=role == "steps")]
    if role == "table":
        rows = tuple((text(f"row {at}"), text("something")) for at in range(1 + 2 * size))
        return [says, Table((text("One"), text("Two")), rows, ("left", "left"))]
    if role == "figure":
        return [Figure(card(40, 12.0 + 6 * size), "card"), says]
    return [says]


@st.composite
def texts(draw: st.DrawFn) -> list[Block]:
    roles = st.sampled_from(["text", "text", "section", "box", "list", "steps", "table", "figure"])
    wanted = draw(st.lists(st.tuples(roles, st.integers(1, 5)), min_size=3, max_size=18))
    return [one for number, (role, size) in enumerate(wanted) for one in block(number, role, size)]


def made(blocks: Sequence[Block], page: str = "A5") -> tuple[Document, Proof]:
    return typeset_and_proofread(replace(book("en"), blocks=tuple(blocks), imprint=()), workshop(), page, ACCENT)


def names(document: Document) -> list[str]:
    """The names of paragraphs in the order in which they are read."""
    found = []
    for page in document.pages[1:]:
        for item in page.items:
            assert isinstance(item, Group)
            words = "".join(leaf.text for leaf, _ in walk_leaves((item,)) if isinstance(leaf, TextRun))
            if words.startswith("["):
                found.append(words.split("]")[0])
    return found


@given(texts())
@examples(25)
def test_nothing_is_torn_and_nothing_lost(blocks: list[Block]) -> None:
    """Boxes, procedures, short lists and small tables stay whole; every paragraph stands once, beside figures too."""
    document, proof = made(blocks)
    counts = proof.count_corrections()
    wanted = sum(isinstance(one, Paragraph) + (len(one.blocks) if isinstance(one, Box) else 0) for one in blocks)
    assert {kind: counts[kind] for kind in TORN} == dict.fromkeys(TORN, 0)
    assert len(names(document)) == wanted


def test_a_box_stays_whole_whatever_that_leaves_empty() -> None:
    for above in range(2, 9):
        inside = tuple(paragraph(50 + number, 0) for number in range(4))
        _, proof = made([*(paragraph(number, 1) for number in range(above)), Box("example", text("Example"), inside)])
        assert proof.count_corrections()["torn boxes"] == 0, above


@given(st.lists(st.integers(1, 5), min_size=8, max_size=24))
@examples(15)
def test_feet_of_pages_with_titles_are_filled(sizes: list[int]) -> None:
    """No foot is emptier than a tenth where titles and texts follow each other; pages to make fours are spread over all."""
    blocks = [one for number, size in enumerate(sizes) for one in block(number, "section", size)]
    _, proof = made(blocks)
    with patch.object(page_breaks, "_FOUR", 1):
        _, alone = made(blocks)
    more = max(0, proof.pages - alone.pages)
    assert max(alone.feet, default=0.0) <= 0.1
    assert max(proof.feet, default=0.0) <= 0.1 + more / proof.pages


def test_a_foot_is_filled_with_room_above_titles() -> None:
    """Two pages that would end at different heights end on the same line."""
    blocks = [one for number in range(14) for one in block(number, "section", 1 + number % 3)]
    _, proof = made(blocks)
    assert len(proof.feet) >= 2
    assert max(proof.feet) < 0.04


def test_what_is_left_is_spread_over_all_pages() -> None:
    """Before a back cover no page is the one that takes all emptiness: neither with titles nor with narrow columns."""
    back = [BackCover(), paragraph(99, 1)]
    for size in (13, 19, 31, 38):
        inner = [one for number in range(size) for one in block(number, "section", 1 + number % 3)]
        _, proof = made([*inner, *back])
        assert proof.feet and max(proof.feet) < 0.1, size
    run = BlockGroup(tuple(Paragraph(text(f"[{number}] {said('en')[:60]}")) for number in range(60)))
    _, proof = made([Paragraph(text("Before.")), run, *back])
    assert len(proof.feet) == 2 and max(proof.feet) < 0.11


@given(st.integers(10, 60))
@examples(10)
def test_narrow_columns_are_level_and_keep_their_order(size: int) -> None:
    """A run in two columns stands once and in order, over as many pages as it needs; its columns differ by a block."""
    run = BlockGroup(tuple(Paragraph(text(f"[{number}] {said('en')[:60]}")) for number in range(size)))
    document, proof = made([Paragraph(text("Before.")), run, Paragraph(text("[end] After."))])
    assert names(document) == [f"[{number}" for number in range(size)] + ["[end"]
    assert proof.count_corrections()["blank pages"] == 0
    for page in document.pages[1:]:
        lefts = [round(item.matrix[4]) for item in page.items if isinstance(item, Group) and _named(item)]
        columns = [lefts.count(left) for left in sorted(set(lefts))]
        assert len(columns) < 2 or columns[0] - columns[1] <= 2


def test_columns_of_a_page_are_not_split_into_narrow_ones() -> None:
    """On pages with two columns, a text in narrow columns is set like any other."""
    run = BlockGroup(tuple(Paragraph(text(f"[{number}] {said('en')[:60]}")) for number in range(90)))
    for name in ("A5", "A4"):
        page = made([run], name)[0].pages[1]
        lefts = {item.matrix[4] for item in page.items if isinstance(item, Group) and _named(item)}
        assert len(lefts) == 2, name


def _named(item: Group) -> bool:
    words = "".join(leaf.text for leaf, _ in walk_leaves((item,)) if isinstance(leaf, TextRun))
    return words.startswith("[") and not words.startswith("[end")


def figure_tops(page: Page) -> list[float]:
    """Of every figure of a page the height of its top, mm."""
    return [item.matrix[5] for item in page.items if isinstance(item, Group) and item.id == "figure"]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=4), st.integers(0, 30))
@examples(5)
def test_wide_blocks_stand_across_the_columns_at_a_pages_head(places: list[int], size: int) -> None:
    blocks: list[Block] = []
    for number in range(31):
        blocks += block(number, "section" if number % 3 else "box", 1 + (number + size) % 4)
        wide = BlockGroup((Figure(card(160, 30.0 + size), "card"),), manner="wide")
        blocks += [wide] * places.count(number)
    document, proof = made(blocks, "A4")
    top = find_page_format("A4").top

    assert sum(len(figure_tops(page)) for page in document.pages[1:]) == len(places)
    for page in document.pages[1:]:
        tops = figure_tops(page)
        lowest = max(tops) + 30.0 + size if tops else top
        said_at = [item.matrix[5] for item in page.items if isinstance(item, Group) and _named(item)]
        assert all(y >= lowest - 1e-3 for y in said_at)
    assert {kind: proof.count_corrections()[kind] for kind in TORN} == dict.fromkeys(TORN, 0)
    assert len(names(document)) == sum(
        isinstance(one, Paragraph) + (len(one.blocks) if isinstance(one, Box) else 0) for one in blocks
    )


def test_a_wide_block_that_fills_a_page_is_told() -> None:
    from test_pages import complaints

    tall = BlockGroup(tuple(paragraph(number, 3) for number in range(40)), manner="wide")
    assert any("the text across the columns is" in problem for problem in complaints(tall, page="A4"))
    assert made([tall])[1].pages > 2


@pytest.mark.slow
def test_a_spread_is_seen_without_turning_a_page() -> None:
    """What fills less than two pages stands on facing ones, if the pages before allow it; what is longer is told."""
    behind = [one for number in range(8) for one in block(90 + number, "section", 1 + number % 3)]
    for above in (5, 11, 17):
        inner = [one for number in range(above) for one in block(number, "section", 1 + number % 3)]
        for size, parted in ((3, 0), (7, 0), (14, 1)):
            within = tuple(one for number in range(size) for one in block(50 + number, "section", 1 + number % 3))
            _, proof = made([*inner, BlockGroup(within, manner="spread"), *behind])
            assert proof.count_corrections()["parted spreads"] == parted, (above, size)


def test_the_back_cover_is_the_last_page() -> None:
    inner = [paragraph(number, 2) for number in range(4)]
    document, proof = made([*inner, BackCover(), Heading(1, text("Summary"), "s"), paragraph(9, 1)])
    assert names(document)[-1] == "[9"
    assert document.outline[-1].page == len(document.pages) - 1
    assert proof.pages == len(document.pages)
    outermost = next(iter_booklet_sides(3, backed=True))
    assert (outermost.left, outermost.right) == (3, 1)


def test_a_back_cover_that_is_too_long_is_told() -> None:
    from test_pages import complaints

    long = [BackCover(), *(paragraph(number, 2) for number in range(20))]
    assert any("the back cover is" in problem for problem in complaints(*long))


def test_nothing_stands_behind_the_back_cover() -> None:
    told: list[str] = []
    for size in range(1, 30):
        back = [Paragraph(text(f"[{number}] Line.")) for number in range(size)]
        blocks = (VerticalText((text("Page."),), text("Title")), BackCover(), *back)
        try:
            document, _ = typeset_and_proofread(replace(book("en"), blocks=blocks), workshop(), "A5", ACCENT)
        except ProblemsFound as found:
            told.append(found.problems[0].what)
        else:
            assert not told, "it stood higher with less on the back cover"
            assert len(document.pages) == 3
            assert book("en").imprint[0][:8] in "".join(
                leaf.text for leaf, _ in walk_leaves(document.pages[-1].items) if isinstance(leaf, TextRun)
            )

    assert "the imprint finds no room: " in told[0] and told[0].endswith("missing at the foot of the back cover")


def test_a_cover_of_one_colour_bleeds() -> None:
    base = book("en")
    cover = replace(base.cover, ground="wine", ink="sand", signs=("players", "minutes", "age"))
    document, _ = typeset_and_proofread(replace(base, cover=cover), workshop(), "A5", ACCENT)
    page = document.pages[0]
    leaves = [leaf for leaf, _ in walk_leaves(page.items)]
    paints = {leaf.paint for leaf in leaves if isinstance(leaf, TextRun)}
    assert paints == {"sand"}
    first = page.items[0]
    assert isinstance(first, Group) and dict(first.data)["role"] == "artifact"
    drawn = replace(cover, ground=Drawing(148, 210, 0.0, ()), picture=None)
    assert typeset_and_proofread(replace(base, cover=drawn), workshop(), "Letter", ACCENT)[0].pages


def test_a_drawn_rule_replaces_the_line_below_titles_that_leave_it_room() -> None:
    """It is as wide as the text, and ends where the line would; boxes have the tint."""
    base = book("en")
    rule, said = Drawing(122, 10, 0.0, ()), "Turns " * 9
    blocks = [
        Heading(1, text("Turns"), "a"),
        Box("example", text("One"), (paragraph(9, 1),)),
        Heading(1, text(said), "b"),
    ]
    one = replace(base, blocks=tuple(blocks), cover=replace(base.cover, rule=rule, tint="sand"))
    page = typeset_and_proofread(one, workshop(), "A5", ACCENT)[0].pages[1]
    leaves = list(walk_leaves(page.items))
    lines = [leaf for leaf, _ in leaves if isinstance(leaf, Shape) and leaf.fill == ACCENT and leaf.role == "frame"]
    assert len(lines) == 1, "only the long title has the plain line"
    assert any(isinstance(leaf, Shape) and leaf.fill == "sand" and leaf.role == "ground" for leaf, _ in leaves)


def test_a_table_whose_words_find_no_room_is_told() -> None:
    """Its type becomes smaller, down to 7.5 points: an editor hears of that, and of words that are parted even so."""
    long = tuple(text("Straightforwardnesses"[:size]) for size in (21, 21, 21, 21, 21, 21))
    roomy = Table((text("One"), text("Two")), ((text("row"), text("something")),), ("left", "left"))
    tight = Table(tuple(text("") for _ in long), (long,), ("left",) * len(long))
    marks = [mark for mark in made([roomy, paragraph(1, 2), tight])[1].marks if mark.kind == "narrow tables"]
    assert [mark.what for mark in marks] == ["its words are at 7.5 instead of 8.3 pt, and are still broken"]


LEAST = 0.85
"""Of a page's height: nine tenths are aimed at (`feet` of the proof), and the next draft may leave a little less."""


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


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)
def test_no_page_of_a_book_ends_early(game: str, lang: str) -> None:
    """Text reaches the foot of every page but cover, upright pages, the page before one, and the last."""
    look = Look(find_page_format("A5"), lang, "ink")
    room = look.find_text_room(1)
    shares = {
        page.sheet: (max(row.bottom for row in rows(page, look.body.pitch)) - room.y) / room.height
        for page in text_pages(rulebook_pages(game, lang))
    }

    assert len(shares) > 8
    assert {page: share for page, share in shares.items() if share < LEAST} == {}


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


def made_filled(*blocks: Block) -> Document:
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
        done = made_filled(*above, Heading(2, text("Title"), "t"), Paragraph(text("One line.")), FOLLOWING[name])
        for page in done.pages[1:]:
            found = roles(page)
            if "heading" in found:
                assert len(found) - found.index("heading") > 3, before


@pytest.mark.parametrize("lead", ["These are all.", said("en", 2) + " All of them:"])
def test_a_lead_in_stands_with_its_table(lead: str) -> None:
    """A sentence or two right above a table, or a text that ends in a colon, never stays behind at a page's foot."""
    for before in range(20, 45):
        above: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        done = made_filled(*above, Paragraph(text(lead)), TABLE)
        (page,) = (page for page in done.pages[1:] if "table" in roles(page) and roles(page)[0] != "table")
        found = roles(page)
        assert found[found.index("table") - 1] == "paragraph"


def test_a_small_table_is_never_parted() -> None:
    table = Table((text("One"), text("Two")), ((text("a"), text(said("en")[:100])),) * 7, ("left", "left"))
    for before in range(2, 22):
        above: list[Block] = [Paragraph(text("Short.")) for _ in range(before)]
        pages = made_filled(*above, Paragraph(text(said("en", 2))), table).pages[1:]
        assert sum("table" in roles(page) for page in pages) == 1, before


def test_the_entries_of_a_list_keep_together() -> None:
    """A page is filled by the space above headings, figures and paragraphs, never within a list."""
    look = Look(find_page_format("A5"), "en", "ink")
    setter = TextSetter(workshop(), look, "{}")
    for words in (5, 60):
        listing = Listing(tuple((Paragraph(text("word " * words)),) for _ in range(4)))
        strips = Composer(setter, 170.0, [], "rulebook").compose_blocks([Paragraph(text("Before.")), listing])
        firsts = [strip for before, strip in pairwise(strips) if strip.members != before.members]
        assert [strip.stretch for strip in firsts] == [1, 0, 0, 0]
