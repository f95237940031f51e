"""The glossary's terms: marked in the text by entry or by word, explained in both languages, none missing or idle."""

from pathlib import Path

import pytest
from rulebook_project import EN, GLOSSARY, BookProject, plain

from generator.base.errors import ProblemsFound
from generator.books.page.blocks import Index, Table, Term
from generator.books.rulebook.book_lists import _make_sort_key

MARKS = [
    ("[[hand]]", Term("hand", "hand")),
    ("[[Hand]]", Term("Hand", "hand")),
    ("[[hands|hand]]", Term("hands", "hand")),
    ("**[[hands|hand]]**", Term("hands", "hand", bold=True)),
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    made = BookProject(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


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
    assert project.problems() == [
        f"{EN}:3: wrong markup: '**' is not closed on its line; write \\* for an asterisk",
    ]


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
    """English by the alphabet whatever the case, Japanese by kana, katakana among hiragana."""
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
        f"{GLOSSARY}:7:5: {EN} never marks the term 'hand'; write [[hand]] where it is used, or remove it",
    ]
    assert project.problems("ja") == []


def test_no_term_explains_itself(project: BookProject) -> None:
    project.change(EN, "[[hand]]", "hand")
    project.change(GLOSSARY, "cards at first;", "cards in [[hand]] at first;")
    assert [problem.split(":")[3].strip() for problem in project.problems()] == [
        "templates/higher/rulebook.en.md never marks the term 'hand'; write [[hand]] where it is used, or remove it",
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
    assert project.problems() == [
        f"{EN}:1: the term 'Words' is not in the glossary; write the section `glossary:`",
    ]


def test_katakana_is_sorted_as_hiragana() -> None:
    assert _make_sort_key("ァアカンヴヶ・ー", "", "ja") == "ぁあかんゔゖ・ー"
