"""Lists and tables in texts: what is one, what belongs to what, and what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.drawing.svg.text_forms import ListItem, TextLines, TextTable, parse_blocks
from generator.game.rich_text import LISTED, MarkupError


def test_items_follow_words_and_nest() -> None:
    text = "Do one:\n- draw\n  two cards\n* trade\n  - for one\n  - for two\n1. first\n\n10) tenth\nand done"
    assert parse_blocks(text) == (
        TextLines("Do one:", fresh=False),
        ListItem("-", 0, "draw\ntwo cards", fresh=False),
        ListItem("*", 0, "trade", fresh=False),
        ListItem("-", 1, "for one", fresh=False),
        ListItem("-", 1, "for two", fresh=False),
        ListItem("1.", 0, "first", fresh=False),
        ListItem("10)", 0, "tenth", fresh=True),
        TextLines("and done", fresh=False),
    )


def test_tables_have_heads_and_sides() -> None:
    """A row of dashes makes a head of the first row; colons say where a column's text stands; bars of ruby part none."""
    assert parse_blocks("| a | {古|ふる} |\n|---|--:|\n| \\| | 2 |") == (
        TextTable((("a", "{古|ふる}"), ("\\|", "2")), headed=True, sides=("start", "end"), fresh=False),
    )
    assert parse_blocks("x\n\n|a|\n|b|") == (TextLines("x", fresh=False), TextTable((("a",), ("b",)), headed=False, sides=("start",), fresh=True))  # fmt: skip


@pytest.mark.parametrize("text", ["-3", "- ", "1.5 x", "a - b", "1234. x", "|", "| a", "−1", "--", "\\- a", "2 * 3"])
def test_what_is_no_list_stays_words(text: str) -> None:
    """Minus signs, decimals, dashes, asterisks and single bars mean what they meant."""
    assert not LISTED.search(text)
    assert all(isinstance(part, TextLines) for part in parse_blocks(text))


@pytest.mark.parametrize(
    ("text", "said", "offset"),
    [
        ("| a | b |\n| c |", "a row of a table has 1 cell, its first row has 2", 10),
        ("| a {x | b |", "the last | of a table row is inside braces or escaped; add another | after it", 0),
    ],
)
def test_rows_that_dont_fit_say_so(text: str, said: str, offset: int) -> None:
    with pytest.raises(MarkupError) as found:
        parse_blocks(text)
    assert (found.value.what, found.value.offset) == (said, offset)


@given(st.lists(st.tuples(st.sampled_from(["", "- ", "  - ", "1. ", "    "]), st.text("ab漢", min_size=1)), min_size=1))
def test_no_words_are_lost(lines: list[tuple[str, str]]) -> None:
    parts = parse_blocks("\n".join(begin + words for begin, words in lines))
    words = "\n".join(part.words for part in parts if not isinstance(part, TextTable))
    assert words.split("\n") == [words for _, words in lines]
