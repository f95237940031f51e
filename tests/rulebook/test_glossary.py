"""The glossary, names with their readings, and the index: every term once, in its order, and told where it is wrong."""

from collections.abc import Callable
from typing import Any

import pytest
from rulebook_project import DATA, EN, EXAMPLES, GLOSSARY, BookProject, plain
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.books.page.blocks import Box, Heading, Index, Link, Mention, Paragraph, Table, Term
from generator.books.page.book_pages import typeset_book
from generator.books.rulebook.book_lists import _make_sort_key
from generator.books.web_page import make_web_page
from generator.game.rich_text import Plain, Ruby

MARKS = [
    ("[[hand]]", Term("hand", "hand")),
    ("[[Hand]]", Term("Hand", "hand")),
    ("[[hands|hand]]", Term("hands", "hand")),
    ("**[[hands|hand]]**", Term("hands", "hand", bold=True)),
]


@pytest.mark.parametrize(("mark", "term"), MARKS)
def test_a_mark_leads_to_its_entry(project: BookProject, mark: str, term: Term) -> None:
    """By the entry's id or by the term itself; other words may be shown; bold stays."""
    project.body(mark, free=False)
    block = project.book().blocks[0]
    assert block.text == (term,)  # type: ignore[union-attr]


def test_a_term_is_found_whatever_its_case(project: BookProject) -> None:
    project.change(GLOSSARY, "readings:", "  last: {term: {ja: 最後, en: The End}, says: {ja: 。, en: x}}\nreadings:")
    project.body("[[the end]]: [[hand]]", free=False)
    assert project.book().blocks[0].text[0] == Term("the end", "last")  # type: ignore[union-attr]


def test_a_mistake_behind_marks_has_its_own_line(project: BookProject) -> None:
    project.body("[[hands|hand]] [[tricks|trick]]\nand [[hands|hand]]\n**bold", free=False)
    assert project.problems() == [f"{EN}:3: wrong markup: '**' is not closed on its line; write \\* for an asterisk"]


def test_a_mark_by_id_shows_the_languages_own_term(project: BookProject) -> None:
    """`[[hand]]` in the Japanese text is 手札, and so is [[手札]]."""
    project.body("[[hand]]、[[手札]]、[[勝負]]", lang="ja", free=False)
    terms = [part for part in project.book("ja").blocks[0].text if isinstance(part, Term)]  # type: ignore[union-attr]
    assert terms == [Term("手札", "hand"), Term("手札", "hand"), Term("勝負", "trick")]


def test_the_glossary_shows_what_terms_mean(project: BookProject) -> None:
    table = next(block for block in project.book().blocks if isinstance(block, Table))
    assert list(map(plain, table.head)) == ["Term", "Meaning"]
    assert tuple(map(plain, table.rows[1])) == ("trick", "One card from each player.")


def test_the_glossary_shows_both_languages(project: BookProject) -> None:
    project.change(EN, "```glossary\n", "```glossary\nlanguages: true\n")
    table = next(block for block in project.book().blocks if isinstance(block, Table))
    assert list(map(plain, table.head)) == ["Term", "日本語", "Meaning"]
    assert [tuple(map(plain, row)) for row in table.rows] == [("hand", "手札", "3 cards at first; each trick takes one."), ("trick", "勝負", "One card from each player.")]  # fmt: skip
    assert table.rows[0][0] == (Term("hand", "hand", bold=True),)
    assert Term("trick", "trick") in table.rows[0][2]


def test_the_index_is_sorted_as_readers_seek(project: BookProject) -> None:
    more = """\
  ace: {term: {ja: エース, en: Ace}, says: {ja: 札。, en: A card.}}
  zeal: {term: {ja: 熱意, en: zeal}, kana: ネツイ, says: {ja: 気持ち。, en: A mood.}}
"""
    project.change(GLOSSARY, "readings:\n", f"{more}readings:\n")
    for lang in ("ja", "en"):
        project.body("[[ace]] [[zeal]] [[hand]] [[trick]]\n\n```index\n```\n", lang=lang, free=False)
    shown = {}
    for lang in ("ja", "en"):
        index = project.book(lang).blocks[-1]
        assert isinstance(index, Index)
        shown[lang] = [entry for _, entry in index.entries]

    assert shown == {"ja": ["ace", "trick", "hand", "zeal"], "en": ["ace", "hand", "trick", "zeal"]}


def test_an_undefined_term_is_a_problem(project: BookProject) -> None:
    project.change(EN, "[[hand]];", "[[hnad]] [[hand]];")
    project.change(EN, "caption: Two", "caption: A [[fan]] of")
    project.change(GLOSSARY, "en: One card from each player.", 'en: "One [[crad]] from each player."')
    assert project.problems() == [
        f"{GLOSSARY}:5:38: the term 'crad' is not in the glossary; known: hand, trick",
        f"{EN}:8: the term 'hnad' is not in the glossary; did you mean 'hand'?",
        f"{EN}:14: the term 'fan' is not in the glossary; known: hand, trick",
    ]


def test_an_unused_term_is_a_problem(project: BookProject) -> None:
    """An entry that a language's text never marks is told, unless another entry's meaning marks it."""
    project.change(EN, "[[trick]]", "trick")
    assert project.problems() == []
    project.change(EN, "[[hand]]", "hand")
    assert project.problems() == [
        f"{GLOSSARY}:7:5: {EN} never marks the term 'hand'; write [[hand]] where it is used, or remove it"
    ]
    assert project.problems("ja") == []


def test_no_term_explains_itself(project: BookProject) -> None:
    project.change(EN, "[[hand]]", "hand")
    project.change(GLOSSARY, "cards at first;", "cards in [[hand]] at first;")
    assert [problem.split(":")[3].strip() for problem in project.problems()] == [
        "templates/higher/rulebook.en.md never marks the term 'hand'; write [[hand]] where it is used, or remove it"
    ]


SHAPES = [
    ("term: {ja: 手札, en: hand}", "term: {ja: 手札}", ["7:11: glossary.hand.term has no text in 'en'; add `en: ...`"]),
    ("term: {ja: 手札, en: hand}", "trem: {ja: 手札, en: hand}", ["7:5: unknown field 'trem' in glossary.hand; did you mean 'term'?"]),
    ("term: {ja: 手札, en: hand}", "term: {ja: 手札, en: trick}", ["7:24: the term 'trick' already belongs to 'trick'; keep one of them"]),
    ("kana: てふだ", "kana: 3", ['8:11: glossary.hand.kana must be text, not 3; write `kana: "3"`']),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "messages"), SHAPES)
def test_entries_of_the_wrong_shape(project: BookProject, old: str, new: str, messages: list[str]) -> None:
    project.change(GLOSSARY, old, new)
    with pytest.raises(ProblemsFound) as caught:
        project.workshop()
    assert list(map(str, caught.value.problems)) == [f"{GLOSSARY}:{message}" for message in messages]


def test_a_game_without_glossary_needs_none(project: BookProject) -> None:
    project.body("Words.")
    assert project.problems() == []
    project.body("[[Words]].")
    assert project.problems() == [f"{EN}:1: the term 'Words' is not in the glossary; write the section `glossary:`"]


def test_katakana_is_sorted_as_hiragana() -> None:
    assert _make_sort_key("ァアカンヴヶ・ー", "", "ja") == "ぁあかんゔゖ・ー"


CRANE = Ruby(("紅鶴",), ("べにづる",))


def texts(project: BookProject, text: str, lang: str = "ja") -> list[tuple[object, ...]]:
    """The words of each heading and paragraph of a book of this text."""
    project.body(text, lang=lang)
    names = 'words:\n  names: ["{紅鶴|べにづる}", "{紅鶴|べにづる}の{宿|やど}", {ja: "長い{文|ぶん}は、読みがあっても名前とは限らない。", en: x}]\n'
    project.write("data/higher/words.yaml", names)
    return [block.text for block in project.book(lang).blocks if isinstance(block, (Heading, Paragraph))]


def test_a_chapter_reads_a_name_once(project: BookProject) -> None:
    found = texts(project, "# 始め\n\n紅鶴と紅鶴。\n\n紅鶴。\n\n## 節\n\n紅鶴。\n\n# 紅鶴\n\n紅鶴。\n")
    plain = Plain("紅鶴。")
    assert found[1:] == [(CRANE, Plain("と紅鶴。")), (plain,), (Plain("節"),), (plain,), (CRANE,), (plain,)]


def test_the_longest_name_is_read(project: BookProject) -> None:
    found = texts(project, "紅鶴の宿、紅鶴、長い文は、読みがあっても名前とは限らない。\n")
    inn = Ruby(("宿",), ("やど",))
    assert found == [
        (CRANE, Plain("の"), inn, Plain("、"), CRANE, Plain("、長い文は、読みがあっても名前とは限らない。"))
    ]


def test_bold_names_have_bold_readings(project: BookProject) -> None:
    (found,) = texts(project, "**紅鶴へ**\n")
    assert found == (Ruby(("紅鶴",), ("べにづる",), bold=True), Plain("へ", bold=True))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("One {{ 1 + 1 }}", "players call a piece by 'One {{ 1 + 1 }}', but names have no placeholders"),
        ("One {", "wrong markup: '{' is not closed"),
    ],
)
@pytest.mark.parametrize("asked", ["rulebook", "validate"])
def test_a_name_that_cant_be_read_is_told_at_its_line(
    tiny: TinyProject, pnp: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, written: str, told: str, asked: str
) -> None:
    """A design's title with a place to be filled in, or with a brace left open, beside whatever else is wrong."""
    monkeypatch.chdir(tiny.root)
    tiny.change("data/tiny/game.yaml", "title: One", f'title: "{written}"')
    tiny.write("templates/tiny/rulebook.en.md", "# Tiny\n\nPlay [[nothing]].\n")

    ran = pnp(asked, "tiny")

    assert ran.code == 1
    assert "fault of the program" not in ran.err + ran.out
    lines = [line for line in (ran.err + ran.out).splitlines() if "data/tiny/game.yaml:22:36: " in line]
    assert any(told in line for line in lines)
    assert "the term 'nothing' is not in the glossary" in ran.err + ran.out


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
        f"{EN}:3: the term 'hand' is defined here and at {EN}:1; write [[hand]] here, or there"
    ]


def test_the_index_has_subjects_other_words_and_components(project: BookProject) -> None:
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
        f"{EN}:1: the index mark for 'ties' is not next to a word; write it before a word of running text",
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
    project.change(DATA, "date:", CREDITS)
    imprint = project.book().imprint
    assert imprint[:3] == ("Design: Mori", "Art: Hayashi", "www.example.org")
    assert imprint[3].startswith("Version 1.1 · Draft 3 · 2026-01-31 · ")
    assert "players" in imprint[3] and "Somebody" not in "".join(imprint)
    assert project.book("ja").imprint[:2] == ("デザイン：Mori", "Art：林")
    game, workshop = project.workshop()
    assert typeset_book(project.book(), workshop).author == "Mori, Hayashi" == game.author("en")
