"""Blocks as plain text for the terminal."""

from generator.books.page.blocks import Block, BlockGroup, Box, Heading, Listing, Paragraph, Table, Text
from generator.commands.plain_text import write_lines
from generator.game.rich_text import Plain, RunStyle


def plain(words: str) -> Text:
    return (Plain(words),)


def entry(words: str, *more: Block) -> tuple[Block, ...]:
    return (Paragraph(plain(words)), *more)


def test_blocks_are_indented_below_their_headings() -> None:
    blocks: list[Block] = [
        Paragraph(plain("before")),
        Heading(1, plain("Cards"), "a"),
        Paragraph(plain("all cards")),
        Heading(2, plain("Fire"), "b"),
        Box("note", (), (Paragraph(plain("in a box")), BlockGroup((Paragraph(plain("in a column")),)))),
    ]
    assert list(write_lines(blocks)) == [
        "before",
        "",
        "Cards:",
        "  all cards",
        "  Fire",
        "    in a box",
        "    in a column",
    ]


def test_lists_show_signs_or_numbers() -> None:
    inner = Listing((entry("cost: 3 -> 4"), entry("name: Fire -> Flame")))
    blocks = [Listing((entry("fire", inner), entry("ice")), sign="+"), Listing((entry("deal"), entry("play")), True)]
    assert list(write_lines(blocks, "  ")) == [
        "  + fire",
        "      cost: 3 -> 4",
        "      name: Fire -> Flame",
        "  + ice",
        "  1. deal",
        "  2. play",
    ]


def test_tables_have_aligned_columns() -> None:
    rows = ((plain("cards"), plain("12")), (plain("rulebook"), plain("3")))
    assert list(write_lines([Table(((), ()), rows, ("left", "left"))])) == ["cards     12", "rulebook  3"]
    head = (plain("what"), plain("n"))
    assert list(write_lines([Table(head, rows[:1], ("left", "left"))], "  ")) == ["  what   n", "  cards  12"]


def test_changed_words_are_in_brackets() -> None:
    old, new = Plain("20", manner=RunStyle(struck=True)), Plain("21", bold=True, manner=RunStyle(underlined=True))
    text = (Plain("There are "), old, new, Plain(" cards.", bold=True))
    assert list(write_lines([Paragraph(text)])) == ["There are [-20-]{+21+} cards."]
