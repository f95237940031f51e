"""The laws of lists: how large small pictures are, where pages end."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Rect, Size
from generator.books.page.list_pages import Columns, choose_scale
from generator.books.page.page_breaks import ColumnOverflow, fill_columns
from generator.books.page.strips import Strip, Thing

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


def block(height: float, at: int, keep: bool, again: Strip | None = None) -> Strip:
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
        block(height, at, keep, HEADING if again and at else None) for at, (height, keep, again) in enumerate(sizes)
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
    pages = paged([block(before + 1, 0, keep=False), block(heading, 1, keep=True), block(row, 2, keep=False)])
    page = next(page for page in pages if any(thing.name == "1" for thing in page))
    assert any(thing.name == "2" for thing in page)


def test_what_is_taller_than_a_page_is_said() -> None:
    with pytest.raises(ColumnOverflow):
        paged([block(121, 0, keep=False)])
