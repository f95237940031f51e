"""The index of a rulebook and what it lists; examples by number; who made the game, at the end."""

from pathlib import Path

import pytest
from rulebook_project import DATA, EN, EXAMPLES, GLOSSARY, BookProject, plain

from generator.books.page.blocks import Box, Index, Link, Mention, Paragraph, Table, Term
from generator.books.page.book_pages import typeset_book
from generator.books.web_page import make_web_page
from generator.game.rich_text import Ruby


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    made = BookProject(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def entries(project: BookProject, lang: str = "en") -> list[tuple[str, str]]:
    index = next(block for block in project.book(lang).blocks if isinstance(block, Index))
    return [(plain(text), name) for text, name in index.entries]


DEFINED = [
    ("[[=hand]]", Term("hand", "hand", defines=True)),
    ("[[=hand|Your hands]]", Term("Your hands", "hand", defines=True)),
    ("**[[=Hand]]**", Term("Hand", "hand", bold=True, defines=True)),
]


@pytest.mark.parametrize(("mark", "term"), DEFINED)
def test_a_term_is_defined_in_its_place(project: BookProject, mark: str, term: Term) -> None:
    project.body(f"{mark}, [[trick]]", free=False)
    block = project.book().blocks[0]
    assert isinstance(block, Paragraph)
    assert block.text[0] == term


def test_a_term_is_defined_once(project: BookProject) -> None:
    project.body("[[=hand]]\n\n[[trick]] [[=hand]]\n", free=False)
    assert project.problems() == [
        f"{EN}:3: the term 'hand' is defined again, as it is at {EN}:1; write [[hand]] here, or there"
    ]


def test_the_index_has_subjects_other_words_and_components(project: BookProject) -> None:
    """What the text marks, by its reading in Japanese; other words of a term lead to it; names of the kinds asked for."""
    project.change(GLOSSARY, "    kana: てふだ\n", "    kana: てふだ\n    also: [{ja: 手, en: fist}]\n")
    body = "[[hand]][[trick]] {{index:{}}}a\n\n```index\nof: card\n```\n"
    project.body(body.format("ties"), free=False)
    project.body(body.format("同点|どうてん"), lang="ja", free=False)
    found = [entry for entry in entries(project) if not entry[1].startswith("design:")]
    named = [name for _, name in entries(project) if name.startswith("design:")]
    assert found == [("fist → hand", "see:hand:0"), ("hand", "hand"), ("ties", "subject:ties"), ("trick", "trick")]
    assert named and all(name.startswith("design:card/") for name in named)
    shown = [name for _, name in entries(project, "ja") if not name.startswith("design:")]
    assert shown == ["trick", "hand", "subject:同点", "see:hand:0"]


def test_a_text_leads_to_the_index(project: BookProject) -> None:
    """By the anchor that its block gives: on paper with its page, on screen too; one that is taken or no word is told."""
    block = "```index\nanchor: words\n```\n"
    project.body(f"See [the list](#words) or [](#words).\n\n{block}")
    book, (_, workshop) = project.book(), project.workshop()

    assert next(one for one in book.blocks if isinstance(one, Index)).anchor == "words"
    document = typeset_book(book, workshop)
    assert [mark.title for mark in document.outline] == ["Index"]
    leaps = [leap for page in document.pages for leap in page.links if leap.page == document.outline[0].page]
    assert [leap.words for leap in leaps][:2] == ["the list", "Index"]
    page = make_web_page(book, workshop)
    assert '<a href="#words">the list</a>' in page and '<a href="#words">Index</a>' in page and 'id="words"' in page

    project.body(f"# A {{#words}}\n\n{block}")
    assert project.problems() == [f"{EN}:4: the anchor 'words' is used twice; rename one of them"]
    project.body(block.replace("words", "all words"))
    assert project.problems() == [f"{EN}:2: index.anchor is 'all words'; use letters, digits, '-', '_' and '.' alone"]


def test_a_mark_for_the_index_stands_on_the_next_word(project: BookProject) -> None:
    project.body("A {index:ties}tie is {index:draws}{index:ends}shared. {index:all}\n")
    block = project.book().blocks[0]
    assert isinstance(block, Paragraph)
    assert plain(block) == "A tie is shared. "
    marks = [(part.text, part.ids) for part in block.text if isinstance(part, Mention)]
    assert marks == [("tie", ("subject:ties",)), ("shared", ("subject:draws", "subject:ends", "subject:all"))]


def test_a_mark_for_the_index_needs_a_word(project: BookProject) -> None:
    project.body("{index:ties}\n\n```index\nof: crad\n```\n")
    assert project.problems() == [
        f"{EN}:1: the mark for 'ties' of the index stands beside no words; write it before a word of running text",
        f"{EN}:4: unknown component 'crad'; did you mean 'card'?",
    ]


def test_names_in_full_are_mentions(project: BookProject) -> None:
    """A cell that is a component's name and nothing else, bold words, a reference; not letters in a sentence."""
    name = "{{ name('card/c3') }}"
    project.body(f"{{@card/c3}} or {name}.\n\n**{name}.** It wins.\n\n| a |\n|---|\n| {name} |\n")
    sentence, bold, table = project.book().blocks
    assert isinstance(sentence, Paragraph) and isinstance(bold, Paragraph) and isinstance(table, Table)
    for text in (sentence.text, bold.text, table.rows[0][0]):
        marks = [part for part in text if isinstance(part, Mention)]
        assert [mark.ids for mark in marks] == [(f"design:card/{marks[0].text}",)]


def test_names_with_readings_are_mentions(project: BookProject) -> None:
    """In bold or alone, though the first mention has the reading beside it; the index sorts them by it."""
    project.write(
        "data/higher/words.yaml", 'words:\n  names: ["3の{札|ふだ}", "{4|し}の{札|さつ}", "{5|ご}の{札|きれ}"]\n'
    )
    bold = (
        "**{{ name('card/c3') }}**、**{{ name('card/c4') }}**。\n\n{{ name('card/c5') }}\n\n{{ name('card/c3') }}は。\n"
    )
    project.body(f"{bold}\n```index\nof: card\n```\n", lang="ja")
    first, second, third, _ = project.book("ja").blocks

    assert isinstance(first, Paragraph) and isinstance(second, Paragraph) and isinstance(third, Paragraph)
    marks = [part for text in (first.text, second.text) for part in text if isinstance(part, Mention)]
    assert [(part.text, part.ids) for part in marks] == [("3の", ("design:card/3の札",)), ("4", ("design:card/4の札",)), ("5", ("design:card/5の札",))]  # fmt: skip
    assert isinstance(marks[1].shown, Ruby) and marks[1].shown.bold
    assert plain(first) == "3の札、4の札。"
    assert not any(isinstance(part, Mention) for part in third.text)
    names = [name.partition("/")[2] for _, name in entries(project, "ja")]
    assert names.index("5の札") < names.index("4の札")
    page = make_web_page(project.book("ja"), project.workshop()[1])
    assert "<ruby>4<rp>（</rp><rt>し</rt>" in page


def test_a_mark_for_the_index_stands_on_a_reading(project: BookProject) -> None:
    project.body("{index:札|ふだ}{札|ふだ}を出す。\n", lang="ja")
    block = project.book("ja").blocks[0]
    assert isinstance(block, Paragraph)
    assert [part.text for part in block.text if isinstance(part, Mention)] == ["札"]


def test_examples_are_numbered_and_called_by_their_numbers(project: BookProject) -> None:
    """In the order of the book; `title:` of the block or the data stands behind; a reference needs no words."""
    project.body("See [](#example-highest).\n\n```example highest\ntitle: A tie\n```\n\n```example highest\n```\n")
    link, first, second = project.book().blocks
    assert isinstance(link, Paragraph) and isinstance(first, Box) and isinstance(second, Box)
    assert link.text[1] == Link("Example 1", "example-highest")
    assert (first.name, plain(first.title), first.anchor) == ("Example 1", "A tie", "example-highest")
    assert (second.name, second.title, second.anchor) == ("Example 2", (), "")
    project.change(EXAMPLES, "says:", "title: {ja: 勝負, en: Two cards}\n    says:")
    *_, second = project.book().blocks
    assert isinstance(second, Box)
    assert plain(second.title) == "Two cards"


CREDITS = """\
credits:
  - {role: {ja: デザイン, en: Design}, name: Mori}
  - {role: Art, name: {ja: 林, en: Hayashi}}
contact: www.example.org
version: "1.1"
date:"""


def test_a_book_ends_with_who_made_it(project: BookProject) -> None:
    """Credits, contact and edition in the language of the book, no hash; the PDF's author is who they name."""
    project.change(DATA, "date:", CREDITS)
    imprint = project.book().imprint
    assert imprint[:3] == ("Design: Mori", "Art: Hayashi", "www.example.org")
    assert imprint[3].startswith("Version 1.1 · Draft 3 · 2026-01-31 · ")
    assert "players" in imprint[3] and "Somebody" not in "".join(imprint)
    assert project.book("ja").imprint[:2] == ("デザイン：Mori", "Art：林")
    game, workshop = project.workshop()
    assert typeset_book(project.book(), workshop).author == "Mori, Hayashi" == game.author("en")
