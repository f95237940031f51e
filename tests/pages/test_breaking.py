"""The laws of page breaking and of lists, over columns of any height and blocks of any length."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Rect, Size
from generator.books.page import page_breaks
from generator.books.page.blocks import Heading
from generator.books.page.list_pages import Columns, choose_scale
from generator.books.page.page_breaks import ColumnOverflow, PageColumns, balance_columns, break_columns, fill_columns
from generator.books.page.strips import (
    Column,
    Frame,
    Strip,
    StripSize,
    Thing,
    justify_column,
    measure_level,
    number_members,
    prevent_orphans,
)

UNIT = 2.0
LINE = 4.0
ROLES = ("paragraph", "figure", "table", "box", "section", "chapter")


def kept(strips: list[Strip]) -> list[Strip]:
    return [strip._replace(keep=True) for strip in strips[:-1]] + strips[-1:]


def name(strip: Strip) -> str:
    return strip.anchors[0]


def block(role: str, size: int, number: int) -> list[Strip]:
    """A block with `size` lines, rows or half-centimetres."""
    named = [Strip(LINE, anchors=(f"{number}.{at}",)) for at in range(size)]
    if role == "paragraph":
        strips = prevent_orphans([strip._replace(flows=True) for strip in named])
    elif role == "figure":
        strips = [named[0]._replace(height=5.0 * size, floats=True)]
    elif role == "table":
        head = Strip(3.0, anchors=(f"{number}.head",))
        strips = [head._replace(keep=True), *(row._replace(again=(head,)) for row in named)]
    elif role == "box":
        frame = Frame(number, 0.0, 50.0, UNIT, "#eeeeee", "#000000")
        strips = [strip._replace(frame=frame) for strip in kept(named[:2]) + named[2:]]
    else:
        chapter = role == "chapter"
        strips = [named[0]._replace(heading=Heading(1 if chapter else 2, (), ""), keep=True, opens=chapter)]
    return [strips[0]._replace(above=UNIT, snap=True), *strips[1:]]


@st.composite
def books(draw: st.DrawFn) -> tuple[list[Strip], float]:
    """The strips of a book whose last block is no heading, and the height of its columns."""
    wanted = draw(st.lists(st.tuples(st.sampled_from(ROLES), st.integers(1, 12)), min_size=1, max_size=25))
    strips: list[Strip] = []
    titles = 0
    for number, (role, size) in enumerate(wanted):
        titles = titles + 1 if role in ("section", "chapter") else 0
        if titles < 3:
            strips += block(role, size, number)
    strips += block("paragraph", 3, len(wanted))
    return strips, draw(st.integers(90, 180)) * 1.0


def shown(columns: list[Column]) -> list[Strip]:
    """The strips as a reader meets them, without what is repeated."""
    return [put.strip for column in columns for put in column.puts if not put.again]


@given(books())
def test_every_strip_stands_once_and_in_order(book: tuple[list[Strip], float]) -> None:
    """Nothing is lost or doubled; only figures change places, and only with running text behind them."""
    strips, height = book
    done = shown(break_columns(strips, height, UNIT))
    order = {name(strip): at for at, strip in enumerate(strips)}
    assert sorted(map(name, done)) == sorted(map(name, strips))
    fixed = [order[name(strip)] for strip in done if not strip.floats]
    assert fixed == sorted(fixed)
    for at, strip in enumerate(done):
        if strip.floats:
            before = [other for other in done[:at] if order[name(other)] > order[name(strip)]]
            assert all(other.flows for other in before), "a figure may not leave its section"
            assert all(order[name(other)] > order[name(strip)] or other.flows for other in done[at + 1 :])


@given(books())
def test_nothing_reaches_beyond_its_column(book: tuple[list[Strip], float]) -> None:
    strips, height = book
    for column in break_columns(strips, height, UNIT):
        bottom = 0.0
        for put in column.puts:
            pad = put.strip.frame.pad if put.strip.frame else 0.0
            assert put.y >= bottom - 1e-6
            bottom = put.y + put.strip.height
            assert bottom + pad <= height + 1e-3


@given(books())
def test_nothing_parts_that_belongs_together(book: tuple[list[Strip], float]) -> None:
    strips, height = book
    for column in break_columns(strips, height, UNIT):
        assert not column.puts[-1].strip.keep
        assert column.puts[-1].strip.heading is None


@given(books())
def test_a_table_has_its_head_in_every_column(book: tuple[list[Strip], float]) -> None:
    strips, height = book
    for column in break_columns(strips, height, UNIT):
        first = column.puts[0]
        assert not first.strip.again or first.again
        if first.again:
            assert column.puts[1].strip.again == (first.strip,)


@given(books())
def test_text_stands_on_the_grid(book: tuple[list[Strip], float]) -> None:
    strips, height = book
    for column in break_columns(strips, height, UNIT):
        for put in column.puts:
            if put.strip.snap:
                assert abs(put.y / UNIT - round(put.y / UNIT)) < 1e-6


@given(st.integers(1, 30), st.integers(2, 40), st.integers(10, 30))
def test_text_fills_the_gap_before_a_figure(before: int, after: int, tall: int) -> None:
    height = 160.0
    strips = [*block("paragraph", before, 0), *block("figure", 1, 1), *block("paragraph", after, 2)]
    strips[before] = strips[before]._replace(height=tall * 4.0)
    columns = break_columns(strips, height, UNIT)
    ends = [column.puts[-1].y + column.puts[-1].strip.height for column in columns[:-1]]
    figure = next(at for at, column in enumerate(columns) for put in column.puts if put.strip.floats)
    behind = any(put.strip.flows for column in columns[figure:] for put in column.puts)
    for at, end in enumerate(ends):
        assert end >= height * 0.88 - 3 * LINE - UNIT or (at == figure - 1 and not behind)


@given(books(), st.integers(2, 3))
def test_the_columns_of_a_last_page_end_evenly(book: tuple[list[Strip], float], count: int) -> None:
    strips, height = book
    columns = break_columns(strips, height, UNIT)[:count]
    done = balance_columns(columns, count, height, UNIT)
    assert sorted(map(name, shown(done))) == sorted(map(name, shown(columns)))
    assert len(done) <= count
    assert not any(column.puts[-1].strip.keep for column in done)
    longest = max(put.y + put.strip.height for column in columns for put in column.puts)
    assert max(put.y + put.strip.height for column in done for put in column.puts) <= max(longest, height) + 1e-3


def test_balancing_leaves_no_title_alone() -> None:
    """A title and the figure below it stay in one column, though two columns would be more even."""
    strips = [*block("section", 1, 0), *block("figure", 12, 1)]
    done = balance_columns(break_columns(strips, 100.0, UNIT), 2, 100.0, UNIT)
    assert [len(column.puts) for column in done] == [2]


def first_names(*blocks: list[Strip]) -> list[str]:
    """The first strip of each column, 160 mm high, that these blocks fill."""
    strips = [strip for block_ in blocks for strip in block_]
    return [name(column.puts[0].strip) for column in break_columns(strips, 160.0, UNIT)]


def chapter(lead: int, table: int) -> list[Strip]:
    """A chapter with a lead of so many lines and a section that begins with so many rows kept together."""
    text = block("paragraph", lead, 2) if lead else []
    return [*block("chapter", 1, 1), *text, *block("section", 1, 3), *kept(block("paragraph", table, 4))]


def test_a_chapter_begins_a_page_only_where_the_last_is_well_filled() -> None:
    """The chapter follows on the same page as long as its title and lead find room there, else on the next."""
    assert first_names(block("paragraph", 10, 0), chapter(2, 4)) == ["0.0"]
    assert first_names(block("paragraph", 36, 0), chapter(2, 4)) == ["0.0", "3.0"]
    assert first_names(block("paragraph", 37, 0), chapter(2, 4)) == ["0.0", "1.0"]


def test_a_chapter_follows_rather_than_leave_a_third_of_a_page_empty() -> None:
    """On a page that is two thirds full it begins with its lead, and with its first section if that finds room."""
    table = kept(block("table", 9, 3))
    short = block("chapter", 1, 1), block("paragraph", 2, 2)
    assert first_names(block("paragraph", 27, 0), *short, table) == ["0.0", "3.head"]
    assert first_names(block("paragraph", 27, 0), chapter(2, 5)) == ["0.0"]
    assert first_names(block("paragraph", 27, 0), chapter(2, 9)) == ["0.0", "3.0"]
    assert first_names(block("paragraph", 36, 0), chapter(2, 9)) == ["0.0", "3.0"]
    assert first_names(block("paragraph", 37, 0), chapter(2, 9)) == ["0.0", "1.0"]
    long = first_names(block("paragraph", 27, 0), block("chapter", 1, 1), block("paragraph", 40, 2))
    assert long == ["0.0", "2.11"]


def test_a_box_moves_on_whole_where_little_would_stay_empty() -> None:
    """With less than a fifth of the page left it isn't parted; with more it is, and so is one too tall for a page."""
    assert first_names(block("paragraph", 33, 0), block("box", 8, 1)) == ["0.0", "1.0"]
    assert first_names(block("paragraph", 33, 0), block("section", 1, 1), block("box", 8, 2)) == ["0.0", "1.0"]
    assert first_names(block("paragraph", 26, 0), block("box", 14, 1))[1] not in ("1.0", "0.0")
    assert first_names(block("paragraph", 33, 0), block("box", 44, 1))[1] != "1.0"


def beside(height: float) -> list[Strip]:
    """A figure beside four lines that would else stand one after the other."""
    figure = block("figure", 1, 1)[0]._replace(height=height)
    lines = block("paragraph", 4, 2)
    both = Strip(height, above=UNIT, snap=True, anchors=("beside",), instead=(figure, *lines))
    return [both]


def test_a_figure_beside_text_moves_on_with_it() -> None:
    behind = block("paragraph", 6, 3)
    assert first_names(block("paragraph", 33, 0), beside(44.0), behind) == ["0.0", "beside"]
    assert first_names(block("paragraph", 33, 0), block("section", 1, 5), beside(40.0), behind) == ["0.0", "5.0"]
    assert first_names(block("paragraph", 10, 0), beside(130.0), behind) == ["0.0", "1.0"]


def filled(strips: list[Strip], height: float, foot: float = 0.0) -> list[float]:
    columns = break_columns(strips, height, UNIT, PageColumns(foot=foot))
    return [column.puts[-1].y + column.puts[-1].strip.height for column in columns]


@given(st.lists(st.integers(2, 12), min_size=1, max_size=25), st.integers(90, 180))
def test_text_alone_fills_every_column_but_the_last(sizes: list[int], tall: int) -> None:
    strips = [strip for number, size in enumerate(sizes) for strip in block("paragraph", size, number)]
    for bottom in filled(strips, float(tall))[:-1]:
        assert tall - bottom < 3 * LINE + 2 * UNIT


def test_a_column_ends_early_so_that_the_next_is_full() -> None:
    """Where gaps must come they are shared: a table goes to the next page that else would be a third empty."""
    first, second, third = (kept(block("table", size, size)) for size in (5, 26, 20))
    text = block("paragraph", 29, 0)
    assert first_names(text, first) == ["0.0"]
    assert first_names(text, first, second, third) == ["0.0", "5.head", "20.head"]


def dear(size: int) -> list[Strip]:
    """So many lines between which a column had better not end."""
    return [Strip(LINE, anchors=(f"1.{at}",))._replace(price=250.0 * (at < size - 1)) for at in range(size)]


def test_a_dear_break_is_taken_only_where_much_would_stay_empty() -> None:
    """A column ends after a strip with a price if that looks better than the gap that it saves."""
    assert first_names(block("paragraph", 32, 0), dear(10)) == ["0.0", "1.0"]
    assert first_names(block("paragraph", 24, 0), dear(25)) == ["0.0", "1.16"]


def test_figures_grow_before_titles_get_space_and_these_before_other_blocks() -> None:
    """A foot is given to both figures first, then to the title, and only the rest to the space above the figures."""
    sizes = tuple(StripSize(height, ()) for height in (22.0, 24.0))
    figure = Strip(20.0, above=UNIT, snap=True, stretch=2, sizes=sizes)
    strips = [Strip(LINE), figure, figure, Strip(LINE, above=UNIT, snap=True, stretch=3)]
    given = {0.0: (0, 0, 0, 20), 4.0: (0, 0, 0, 22), 8.0: (0, 0, 0, 24), 10.0: (0, 0, 1, 24), 16.0: (1, 1, 2, 24)}
    for foot, (first, second, title, high) in given.items():
        column = justify_column(strips, 54.0 + foot, UNIT)
        gaps = [then.y - before.y - before.strip.height for before, then in pairwise(column.puts)]
        assert gaps == [UNIT * (1 + more) for more in (first, second, title)]
        assert [put.strip.height for put in column.puts] == [LINE, high, high, LINE]


def test_no_space_grows_for_a_small_foot() -> None:
    """A title gets space only until what stays empty is at most the allowed foot, so spaces stay alike; figures grow."""
    sizes = (StripSize(22.0, ()),)
    title = Strip(LINE, above=UNIT, snap=True, stretch=9)
    tried = ((Strip(20.0), 6.0, UNIT * 2), (Strip(20.0, sizes=sizes), 6.0, UNIT), (Strip(20.0), 8.0, UNIT))
    for figure, most, wanted in tried:
        strips = [Strip(LINE), figure, title]
        column = justify_column(strips, measure_level(strips, UNIT).bottom + 8.0, UNIT, foot=most)
        assert column.puts[2].y - column.puts[1].y - column.puts[1].strip.height == wanted


@pytest.mark.parametrize(("height", "wanted"), [(24.0, 2), (26.0, 2), (28.0, 4), (30.0, 4)])
def test_the_paragraphs_of_a_section_get_more_space_together_or_none(height: float, wanted: float) -> None:
    column = justify_column([Strip(LINE), *[Strip(LINE, above=UNIT, snap=True, stretch=1)] * 3], height, UNIT)
    gaps = {then.y - before.y - LINE for before, then in pairwise(column.puts)}
    assert gaps == {wanted}


def test_a_line_or_two_do_not_stand_alone_above_a_title() -> None:
    """At a column's head they go before it if that finds room, else more comes with them."""
    lines = [block("paragraph", size, size) for size in (34, 2)]
    behind = [*block("section", 1, 0), *block("paragraph", 30, 3)]
    assert first_names(*lines, behind) == ["34.0", "0.0"]
    assert first_names(block("paragraph", 38, 38), lines[1], behind)[1] == "38.36"


def test_a_column_ends_where_a_strip_says_so() -> None:
    lines = block("paragraph", 30, 0)
    lines[25] = lines[25]._replace(ends=True)
    assert first_names(lines) == ["0.0", "0.26"]


@pytest.mark.parametrize("pages", [PageColumns(1), PageColumns(1, 1, 1, True, 3.0), PageColumns(2, 1, 1, True)])
def test_long_books_break_as_if_every_page_were_told_apart(pages: PageColumns, monkeypatch: pytest.MonkeyPatch) -> None:
    """After four pages all is as before, so equal states need to be tried only once."""
    chance, strips = Random(1), list[Strip]()
    while len(strips) < 150:
        strip = Strip(chance.choice((8.0, 10.0, 13.0)), price=chance.choice((0.0, 30.0, 100.0)))
        spread = number_members([strip] * chance.choice((3, 6, 7, 8)), "spread", len(strips))
        strips += chance.choice((spread, [strip] * len(spread)))

    def break_all() -> list[list[float]]:
        return [[put.y for put in column.puts] for column in break_columns(strips, 44.0, 5.0, pages)]

    found = break_all()
    monkeypatch.setattr(page_breaks, "_PERIOD", 10**6)
    assert break_all() == found


def test_the_last_column_leaves_room_at_its_foot() -> None:
    """What stands at the end of the book finds its place below the text, even if a page more is needed for that."""
    strips = block("paragraph", 40, 0)
    assert len(filled(strips, 160.0)) == 1
    assert len(filled(strips, 160.0, 20.0)) == 2
    assert filled(strips, 160.0, 20.0)[-1] <= 140.0


@given(st.lists(st.tuples(st.integers(1, 14), st.integers(20, 70)), min_size=1, max_size=9), st.integers(90, 180))
def test_text_beside_a_figure_stands_once(sizes: list[tuple[int, int]], tall: int) -> None:
    strips: list[Strip] = []
    for number, (size, high) in enumerate(sizes):
        lines = block("paragraph", 4, 2 * number)
        figure = block("figure", 1, 2 * number)[0]._replace(height=float(high), anchors=(f"figure {number}",))
        both = Strip(float(high), above=UNIT, snap=True, anchors=(f"both {number}",), instead=(figure, *lines))
        strips += [both, *block("paragraph", size, 2 * number + 1)]
    done = [name(strip) for strip in shown(break_columns(strips, float(tall), UNIT))]
    wanted = [f"{2 * number + at}.{line}" for number in range(len(sizes)) for at, line in _lines_of(sizes[number][0])]

    for number in range(len(sizes)):
        assert (f"both {number}" in done) + (f"figure {number}" in done) == 1
        if f"both {number}" in done:
            wanted = [line for line in wanted if line.split(".")[0] != str(2 * number)]
    assert [line for line in done if not line.startswith(("both", "figure"))] == wanted


def _lines_of(size: int) -> list[tuple[int, int]]:
    """The lines beside a figure (0) and of the paragraph below it (1)."""
    return [*((0, line) for line in range(4)), *((1, line) for line in range(size))]


sides = st.floats(5, 400)
ROOM = Rect(10, 20, 100, 120)


@given(sides, sides, st.floats(60, 300))
def test_pictures_are_never_larger_than_the_piece_or_their_columns(width: float, height: float, page: float) -> None:
    """One factor for both sides, at most 1; the picture stays in its columns; what fits is as large as it is."""
    columns = Columns(page)
    scale = choose_scale(Size(width, height), columns)
    assert 0 < scale.factor <= 1
    assert 1 <= scale.columns <= columns.number
    assert width * scale.factor <= columns.measure_span(scale.columns) + 1e-6
    assert height * scale.factor <= 26
    if width <= min(20, columns.measure_span(1)) and height <= 20:
        assert scale.factor == 1


def test_cards_come_out_16_to_20_mm_high() -> None:
    """On A4 a playing card is small, yet one can tell which it is."""
    assert 16 <= 88 * choose_scale(Size(63, 88), Columns(184)).factor <= 20


def block_lists(height: float, at: int, keep: bool, again: Strip | None = None) -> Strip:
    repeated = (again,) if again is not None else ()
    return Strip(height, (Thing("text", Rect(0, 0, 100, height), name=str(at)),), 2.0, keep=keep, again=repeated)


def paged(strips: list[Strip]) -> list[list[Thing]]:
    """The things of each page, moved into the room."""
    columns = fill_columns(strips, ROOM.height)
    return [
        [thing.move_by(ROOM.x, ROOM.y + put.y) for put in one.puts for thing in put.strip.things] for one in columns
    ]


blocks = st.lists(st.tuples(st.floats(1, 90), st.booleans(), st.booleans()), min_size=1, max_size=40)
HEADING = Strip(10, (Thing("text", Rect(0, 0, 100, 10), name="again"),))


@given(blocks)
def test_pages_hold_every_block_once_in_order(sizes: list[tuple[float, bool, bool]]) -> None:
    """Nothing is lost, doubled, outside the room or on top of another; what is repeated stands at a page's head."""
    given_blocks = [
        block_lists(height, at, keep, HEADING if again and at else None)
        for at, (height, keep, again) in enumerate(sizes)
    ]
    pages = paged(given_blocks)

    flat = [thing for page in pages for thing in page if thing.name != "again"]
    assert [thing.name for thing in flat] == [str(at) for at in range(len(sizes))]
    for page in pages:
        assert page
        assert all(ROOM.contains(thing.box, 1e-4) for thing in page)
        assert all(before.box.bottom <= after.box.y + 1e-6 for before, after in pairwise(page))
        assert all(thing.name != "again" for thing in page[1:])
    for page in pages[1:]:
        first = next(thing for thing in page if thing.name != "again")
        assert (page[0].name == "again") == bool(given_blocks[int(first.name)].again)


@given(st.floats(1, 40), st.floats(1, 40), st.floats(0, 110))
def test_a_heading_is_never_alone_at_a_foot(heading: float, row: float, before: float) -> None:
    pages = paged(
        [block_lists(before + 1, 0, keep=False), block_lists(heading, 1, keep=True), block_lists(row, 2, keep=False)]
    )
    page = next(page for page in pages if any(thing.name == "1" for thing in page))
    assert any(thing.name == "2" for thing in page)


def test_what_is_taller_than_a_page_is_said() -> None:
    with pytest.raises(ColumnOverflow):
        paged([block_lists(121, 0, keep=False)])
