"""The parts of lists: what lies below and beside what, and how high it comes out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_book import ACCENT, workshop

from generator.base.geometry import Size
from generator.books.page.blocks import Artwork, Halves, Lettering, Row, RuledLine, Stack, TickBox
from generator.books.page.list_pages import PartSetter
from generator.books.page.page_style import TEXT, TICK, Look, find_page_format
from generator.books.page.strips import Strip
from generator.books.page.text_setter import TextSetter

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
    """What is below a line is placed as though it were not there."""
    made = SETTING.make_strip(Stack((RuledLine(50.0), art(5, above=1.5))))
    assert tops(made) == [0, 1.5] and made.height == 6.5


def test_halves_stand_side_by_side_where_a_page_holds_them() -> None:
    """Else all their parts stand one below the other."""
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
