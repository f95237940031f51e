"""The markup of localised strings, lists, tables and numbers: what it yields, and what it says when it can't be read."""

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import format_num
from generator.drawing.svg.text_forms import ListItem, TextLines, TextTable, parse_blocks
from generator.game.rich_text import (
    LISTED,
    Icon,
    LineBreak,
    MarkupError,
    Plain,
    Reference,
    Ruby,
    RunStyle,
    make_emoji_replacer,
    parse_markup,
    to_plain_text,
)


def test_plain_text_is_one_run() -> None:
    assert parse_markup("手札を1枚引く。") == (Plain("手札を1枚引く。"),)
    assert parse_markup("") == ()


def test_bold_and_emphasis_nest_and_end() -> None:
    """`**` and `*` switch on and off and may lie inside each other, closed in any order of three asterisks."""
    assert parse_markup("a **b *c* d** e") == (Plain("a "), Plain("b ", bold=True), Plain("c", bold=True, emphasis=True), Plain(" d", bold=True), Plain(" e"))  # fmt: skip
    assert parse_markup("***x*** y") == (Plain("x", bold=True, emphasis=True), Plain(" y"))
    assert parse_markup("*a **b***") == (Plain("a ", emphasis=True), Plain("b", bold=True, emphasis=True))


def test_asterisk_before_a_space_is_itself() -> None:
    assert parse_markup("2 * 3 ** 4") == (Plain("2 * 3 ** 4"),)


def test_ruby_takes_one_reading_or_one_for_each_character() -> None:
    assert parse_markup("{漢字|かんじ}") == (Ruby(("漢字",), ("かんじ",)),)
    assert parse_markup("**{電子|でん|し}**") == (Ruby(("電", "子"), ("でん", "し"), bold=True),)
    assert parse_markup("{食べ物|た||もの}") == (Ruby(("食", "べ", "物"), ("た", "", "もの")),)
    assert parse_markup("{葛\U000e0100城|かつら|ぎ}") == (Ruby(("葛\U000e0100", "城"), ("かつら", "ぎ")),)


def test_icons_references_and_colours() -> None:
    assert parse_markup("{wheat}{@reel/6-wheat}") == (Icon("wheat"), Reference("reel/6-wheat"))
    assert parse_markup("{bronze:a {wheat} **b {red:c}**}d") == (
        Plain("a ", colour="bronze"),
        Icon("wheat"),
        Plain(" ", colour="bronze"),
        Plain("b ", bold=True, colour="bronze"),
        Plain("c", bold=True, colour="red"),
        Plain("d"),
    )
    assert parse_markup("{bronze:{漢字|かんじ}}") == (Ruby(("漢字",), ("かんじ",), colour="bronze"),)


def test_line_ends_are_breaks_except_at_the_end() -> None:
    """A new line is a break, whatever the file's line ends are; those that end a YAML block text count for nothing."""
    assert parse_markup("a\r\nb\n\nc\n") == (Plain("a"), LineBreak(), Plain("b"), LineBreak(), LineBreak(), Plain("c"))


def test_backslash_takes_marks_literally() -> None:
    assert parse_markup(r"\*\*a\*\* \{b\} \\ \x") == (Plain(r"**a** {b} \ x"),)
    assert parse_markup("{a\\|b|c}") == (Ruby(("a|b",), ("c",)),)
    assert parse_markup("a\\") == (Plain("a\\"),)


@pytest.mark.parametrize(
    ("text", "offset", "said"),
    [
        ("ab {wheat", 3, "'{' is not closed on its line"),
        ("{wheat\n}", 0, "'{' is not closed on its line"),
        ("ab {red:cd", 3, "'{red:' is not closed on its line"),
        ("ab } cd", 3, "'}' closes nothing"),
        ("a **b", 2, "'**' is not closed on its line"),
        ("a *b", 2, "'*' is not closed on its line"),
        ("{a b}", 0, "neither an icon"),
        ("{}", 0, "neither an icon"),
        ("{@}", 0, "names no component"),
        ("x{漢字|か|ん|じ}", 1, "3 readings for the 2 characters of '漢字'"),
        ("{漢字|}", 0, "a reading"),
        ("{|かんじ}", 0, "a reading"),
    ],
)
def test_unreadable_markup_says_what_and_where(text: str, offset: int, said: str) -> None:
    with pytest.raises(MarkupError, match=re.escape(said)) as caught:
        parse_markup(text)
    assert said in caught.value.what
    assert caught.value.offset == offset


@given(st.text())
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    text = text.replace("\r", "").rstrip("\n")
    escaped = "".join("\\" + char if char in "\\*{}" else char for char in text)
    assert to_plain_text(parse_markup(escaped)) == text


@given(st.text(alphabet="ab*{}|:@\\漢 \n", max_size=30))
def test_any_text_parses_or_is_refused_with_its_place(text: str) -> None:
    offset = 0
    try:
        parse_markup(text)
    except MarkupError as error:
        offset = error.offset
    assert 0 <= offset < max(len(text), 1)


def test_plain_text_of_a_tree() -> None:
    """The characters alone: bases without readings, icons by name, references by id."""
    rich = parse_markup("**a** {漢字|かんじ}{wheat}\n{@reel/1}")
    assert to_plain_text(rich) == "a 漢字{wheat}\nreel/1"


def test_marks_give_words_a_manner_and_nest() -> None:
    assert parse_markup("{underline:a {small:b **c**} d}") == (
        Plain("a ", manner=RunStyle(underlined=True)),
        Plain("b ", manner=RunStyle(size=0.8, underlined=True)),
        Plain("c", bold=True, manner=RunStyle(size=0.8, underlined=True)),
        Plain(" d", manner=RunStyle(underlined=True)),
    )
    assert parse_markup("{bronze:{size=150%:{super:2}}}") == (
        Plain("2", colour="bronze", manner=RunStyle(size=1.5 * 0.65, rise=0.36 * 1.5)),
    )
    assert parse_markup("{font=title:{weight=600:{caps:{strike:x}}}}") == (
        Plain("x", manner=RunStyle(family="title", weight=600, small_capitals=True, struck=True)),
    )
    small = RunStyle(size=0.8)
    assert parse_markup("{small:{wheat}{漢字|かんじ}{@a/b}}") == (Icon("wheat", manner=small), Ruby(("漢字",), ("かんじ",), manner=small), Reference("a/b", manner=small))  # fmt: skip


def test_a_colour_goes_before_the_mark_of_its_name() -> None:
    """A palette that has a colour called `small` means it, as it did before there was such a mark."""
    assert parse_markup("{small:x}", {"small"}) == (Plain("x", colour="small"),)
    assert parse_markup("{small:x}") == (Plain("x", manner=RunStyle(size=0.8)),)


@pytest.mark.parametrize(
    ("text", "said", "offset"),
    [
        ("{size=abc:x}", "'abc' is not a size in percent; write {size=120%:text}", 0),
        ("a {weight=50:x}", "'50' is not a weight from 100 to 900; write {weight=600:text}", 2),
        ("{weight=1000000:x}", "'1000000' is not a weight from 100 to 900; write {weight=600:text}", 0),
        ("{font=:x}", "'' is not a font family; write {font=title:text}", 0),
        ("{colour=red:x}", "there is no mark '{colour=...:'; known: {size=120%:text}, {weight=600:text}, {font=title:text}; write \\{ for a brace", 0,),
        ("{size=10%:x}", "'{size=10%:' makes the type 10% of the size of the surrounding text; write 25% to 400%", 0),
        ("{large:{size=400%:x}}", "'{size=400%:' makes the type 500% of the size of the surrounding text; write 25% to 400%", 7,),
        ("{underline:x", "'{underline:' is not closed on its line; write \\{ for a brace", 0),
        ("{size=120%:x\ny}", "'{size=120%:' is not closed on its line; write \\{ for a brace", 0),
    ],
)  # fmt: skip
def test_marks_that_cant_be_read_say_why(text: str, said: str, offset: int) -> None:
    with pytest.raises(MarkupError, match=f"^{re.escape(said)}$") as found:
        parse_markup(text)
    assert found.value.offset == offset


_MARKED = ("underline", "strike", "super", "sub", "small", "large", "caps", "bronze", "size=90%", "weight=300", "font=a")  # fmt: skip


@given(st.recursive(st.text("ab 漢", min_size=1), lambda inner: st.tuples(st.sampled_from(_MARKED), st.lists(inner))))
def test_what_is_marked_is_read_back(tree: Any) -> None:
    def written(node: Any) -> str:
        return node if isinstance(node, str) else f"{{{node[0]}:{''.join(map(written, node[1]))}}}"

    def expected(node: Any, around: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        if isinstance(node, str):
            return [(char, around) for char in node]
        return [pair for each in node[1] for pair in expected(each, (*around, node[0]))]

    try:
        rich = parse_markup(written(tree))
    except MarkupError as error:
        assert "as large as its text" in str(error)  # 25 % to 400 %: the rest is read
        return
    found = [(char, run) for run in rich if isinstance(run, Plain) for char in run.text]
    wanted = expected(tree, ())
    assert [char for char, _ in found] == [char for char, _ in wanted]
    for (_, run), (_, around) in zip(found, wanted, strict=True):
        assert run.manner.underlined == ("underline" in around)
        assert run.manner.struck == ("strike" in around)
        assert run.manner.small_capitals == ("caps" in around)
        assert (run.colour == "bronze") == ("bronze" in around)
        assert run.manner.weight == (300 if "weight=300" in around else 0)
        sizes = {"super": 0.65, "sub": 0.65, "small": 0.8, "large": 1.25, "size=90%": 0.9}
        assert run.manner.size == pytest.approx(math.prod(sizes.get(mark, 1) for mark in around))


@given(st.text("{}=:|*\\%-1.\n ab漢", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    for read in (parse_markup, parse_blocks):
        try:
            read(text)
        except MarkupError as error:
            assert error.what
            assert 0 <= error.offset <= len(text)


def test_emoji_become_icons() -> None:
    icons_in = make_emoji_replacer([("heart", ["❤️"]), ("fire", ["❤️‍🔥"])])
    assert icons_in("a ❤ ❤️ ❤️‍🔥 b") == "a {heart} {heart} {fire} b"
    assert icons_in("\\❤") == "\\❤"
    assert make_emoji_replacer([("wheat", ())])("{wheat} ❤") == "{wheat} ❤"


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00001, "0.00001"),
        (-2.5e-9, "-0.0000000025"),
        (1234567, "1234567"),
        (0.1 + 0.2, "0.3"),
        (63.0, "63"),
        (0.0, "0"),
    ],
)
def test_a_number_has_no_exponent(value: float, text: str) -> None:
    assert format_num(value) == text


@given(st.floats(-1e9, 1e9))
def test_the_digits_are_the_number(value: float) -> None:
    assert float(format_num(value)) == pytest.approx(value, rel=1e-14, abs=1e-320)
    assert not {"e", "E"} & set(format_num(value))
