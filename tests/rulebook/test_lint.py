"""Numbers that a rulebook types are found where they stand; what is not a number of the text is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.books.rulebook.book_templates import find_typed_numbers

FILE = "rulebook.en.md"


def found(source: str) -> list[tuple[int, int, str]]:
    """Line, column and text of each number that is complained about."""
    problems = list(find_typed_numbers(source, FILE))
    assert all(problem.place and problem.place.file == FILE for problem in problems)
    places = [problem.place for problem in problems if problem.place]
    return [
        (place.line, place.column, problem.what.split("'")[1]) for place, problem in zip(places, problems, strict=True)
    ]


TYPED = [
    ("Draw 2 cards.", [(1, 6, "2")]),
    ("手札は７枚。", [(1, 4, "７")]),
    ("二枚引き、十三枚残す。", [(1, 1, "二"), (1, 6, "十三")]),
    ("Draw two or Three cards.", [(1, 6, "two"), (1, 13, "Three")]),
    ("One of them\n\ntwelve", [(1, 1, "One"), (3, 1, "twelve")]),
    ("{{ rules.hand }} of 3", [(1, 21, "3")]),
    ("{% if a %}2{% endif %}", [(1, 11, "2")]),
    ("# Round 2 {#round-2}", [(1, 9, "2")]),
    ("[[2 hands|hand]] [3 ways](#way-3)", [(1, 3, "2"), (1, 19, "3")]),
    ("{三枚|さんまい}", [(1, 2, "三")]),
    ("1. Take 2", [(1, 9, "2")]),
    ("| 3 |\n|---|", [(1, 3, "3")]),
    ("```figure\nof: a/1\ncaption: All 3\nalt: 4 of them\n```", [(3, 14, "3"), (4, 6, "4")]),
    ("```figure\nof: [a, b]\ncallouts:\n  2 number: Gives 2\n```", [(4, 19, "2")]),
    ("```legend\nof: [a]\nsays:\n  a-1: Gives 2\n  b: {x: 1}\n```", [(4, 14, "2"), (5, 10, "1")]),
    ("```legend\nsays: {a-1: Gives 2}\n```", [(2, 19, "2")]),
    ("```example F-04\nfigure: {height: 20, caption: The 3}\n```", [(2, 35, "3")]),
    ("```figure\narrows:\n  - {from: day-1, says: All 3, to: day-4}\n```", [(3, 29, "3")]),
    ("```setup\nalso: [[Sand, 3]]\n```", [(2, 15, "3")]),
    ("```upright\n三日目の朝。\n```\n2", [(2, 1, "三"), (4, 1, "2")]),
    ("Take 2. {# typed: #}", [(1, 9, "typed: ")]),
]


@pytest.mark.parametrize(("source", "numbers"), TYPED)
def test_typed_numbers_are_found(source: str, numbers: list[tuple[int, int, str]]) -> None:
    if "typed" in source:
        assert [str(problem) for problem in find_typed_numbers(source, FILE)] == [
            f"{FILE}:1:9: the mark `typed:` gives no reason; say why the number is typed"
        ]
        return
    assert found(source) == numbers


FREE = [
    "{{ rules.hand }} cards, {% for n in range(3) %}x{% endfor %} {# 12 #}",
    "{#\n a comment over 2 lines\n#}", "The card's 6 {# typed: printed on the card #}", "6の札 {#- typed: カードの数字 -#}",
    "# Play {#part-2}",
    "{@reel/6-wheat} {icon2} {red1:text} [there](#step-3) [[hands|hand-2]] [[one_card_set]]",
    "The first day {place:day-1}, its number {callout:2 number}.", "```figure\narrows: [{from: day-1, to: day-4}]\n```",
    "```figure\narrows:\n  - {says: loop, from: day-1, to: day-4}\n```",
    "```figure\nbefore: {caption: first, of: [a/1, a/2], arrows: [{says: a, from: 1, to: 2}], height: 20}\n```",
    "See E3 and E12b.", "1. First\n2. Second\n   10. Deeper\n> 3. In a note", "一方、統一して十分に。唯一。一緒に、一般に。",
    "No one knows; one another, one by one.",
    "None of the phone tones; often, attend, stone, twofold? no: a network.",
    "```figure\nshow: one\nof: [reel/6-wheat, reel/1-*]\nheight: 40\nplayers: 3\npieces: {a-1: [b/2]}\nzones:\n  - hand 1\n```",
    "```example F-04\nfigure: {height: 20, seat: 1}\n```",
]  # fmt: skip


@pytest.mark.parametrize("source", FREE)
def test_other_digits_are_left_alone(source: str) -> None:
    """Expressions, comments, marked lines, ids, anchors, E-entries, numbers of entries, words that only look like it."""
    assert found(source) == []


@given(st.text(alphabet="ab 二3{}%#\n|[]`:-", max_size=60))
def test_places_are_true(source: str) -> None:
    lines = source.split("\n")
    for line, column, number in found(source):
        if number != "typed: ":
            assert lines[line - 1][column - 1 :].startswith(number)
