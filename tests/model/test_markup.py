"""The markup of localised strings: what it yields, and what it says when it can't be read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model.markup import MarkupError, parse_markup, plain_text
from generator.model.text import Icon, LineBreak, Plain, Reference, Ruby


def test_plain_text_is_one_run() -> None:
    """Text without marks is a single plain run, an empty text none."""
    assert parse_markup("手札を1枚引く。") == (Plain("手札を1枚引く。"),)
    assert parse_markup("") == ()


def test_bold_and_emphasis_nest_and_end() -> None:
    """`**` and `*` switch on and off and may lie inside each other, closed in any order of three asterisks."""
    assert parse_markup("a **b *c* d** e") == (
        Plain("a "),
        Plain("b ", bold=True),
        Plain("c", bold=True, emphasis=True),
        Plain(" d", bold=True),
        Plain(" e"),
    )
    assert parse_markup("***x*** y") == (Plain("x", bold=True, emphasis=True), Plain(" y"))
    assert parse_markup("*a **b***") == (Plain("a ", emphasis=True), Plain("b", bold=True, emphasis=True))


def test_asterisk_before_a_space_is_itself() -> None:
    """A multiplication written with spaces needs no backslash."""
    assert parse_markup("2 * 3 ** 4") == (Plain("2 * 3 ** 4"),)


def test_ruby_takes_one_reading_or_one_for_each_character() -> None:
    """One reading covers the whole base; several belong to single characters, each with its variation selector."""
    assert parse_markup("{漢字|かんじ}") == (Ruby(("漢字",), ("かんじ",)),)
    assert parse_markup("**{電子|でん|し}**") == (Ruby(("電", "子"), ("でん", "し"), bold=True),)
    assert parse_markup("{食べ物|た||もの}") == (Ruby(("食", "べ", "物"), ("た", "", "もの")),)
    assert parse_markup("{葛\U000e0100城|かつら|ぎ}") == (Ruby(("葛\U000e0100", "城"), ("かつら", "ぎ")),)


def test_icons_references_and_colours() -> None:
    """Braces hold an icon, a component's id or a coloured run; colours nest and may hold anything."""
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
    """An escaped mark is a character; so is a backslash at the very end."""
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
    """Each mistake is named in words, with its place in the text."""
    with pytest.raises(MarkupError, match=re.escape(said)) as caught:
        parse_markup(text)
    assert said in caught.value.what
    assert caught.value.offset == offset


@given(st.text())
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    """Whatever the characters, a text whose marks are escaped parses to itself, line ends included."""
    text = text.replace("\r", "").rstrip("\n")
    escaped = "".join("\\" + char if char in "\\*{}" else char for char in text)
    assert plain_text(parse_markup(escaped)) == text


@given(st.text(alphabet="ab*{}|:@\\漢 \n", max_size=30))
def test_any_text_parses_or_is_refused_with_its_place(text: str) -> None:
    """No text makes the parser fail in another way, and the place it names lies in the text."""
    offset = 0
    try:
        parse_markup(text)
    except MarkupError as error:
        offset = error.offset
    assert 0 <= offset < max(len(text), 1)


def test_plain_text_of_a_tree() -> None:
    """The characters alone: bases without readings, icons by name, references by id."""
    rich = parse_markup("**a** {漢字|かんじ}{wheat}\n{@reel/1}")
    assert plain_text(rich) == "a 漢字{wheat}\nreel/1"
