"""How a book tells what the draft leaves unclear: readings with their switches, and values that it does not give."""

from pathlib import Path

import pytest
from rulebook_project import DATA, GLOSSARY, BookProject, plain

from generator.pages.blocks import Table
from generator.rulebook.provisional import open_values


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project, in the current folder."""
    made = BookProject(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def test_readings_and_open_values(project: BookProject) -> None:
    """Each E-entry: what is unclear, its reading and the switch in force; then what the draft leaves open."""
    project.body("```readings\n```")
    table, values = project.book().blocks

    assert isinstance(table, Table)
    assert [tuple(map(plain, row)) for row in table.rows] == [
        ("E1", "It is open. → The first to play takes it. (tie = first)"),
    ]
    assert isinstance(values, Table)
    assert plain(values.caption) == "Values that the draft leaves open"
    assert [tuple(map(plain, row)) for row in values.rows] == [("Rules", "1 value")]


def test_the_draft_is_quoted_in_its_own_language(project: BookProject) -> None:
    """The book of the game's first language quotes the passage; a reader of another may not be able to read it."""
    said = {"ja": "「同じ強さ」 決まっていない。", "en": "It is open. → "}
    for lang, words in said.items():
        project.body("```readings\n```", lang=lang)
        table = project.book(lang).blocks[0]
        assert isinstance(table, Table)
        assert plain(table.rows[0][1]).startswith(words)


def test_readings_are_told_by_number(project: BookProject) -> None:
    """Wherever they stand in the data: E2 before E10, and E10b after E10."""
    names = ["E10b", "E2", "E10"]
    more = "".join(f"  - {{id: {name}, problem: {{ja: 問, en: Q}}, reading: {{ja: 答, en: A}}}}\n" for name in names)
    project.body("```readings\n```")
    project.change(GLOSSARY, "readings:\n", f"readings:\n{more}")
    table = project.book().blocks[0]

    assert isinstance(table, Table)
    assert [plain(row[0]) for row in table.rows] == ["E1", "E2", "E10", "E10b"]


MORE_OPEN = """\
minutes: 30
words: {t: {a: {ja: x, en: "x\\ny"}, b: y, c: z, d: w}, u: v}
icons: {moon: {name: {ja: 月, en: moon}, letter: M}}
provisional: [minutes, words.t, words.t.a, words.u, icons]
"""


def test_open_values_are_counted_by_section_and_kind(project: BookProject) -> None:
    """A players' book names no paths: sections, kinds by their names, and how many values, `all` for a whole one."""
    project.write("data/higher/more.yaml", MORE_OPEN)
    project.change(DATA, "components:\n", "provisional: [components.card.size]\ncomponents:\n")
    expected = {
        "en": [
            ("The game as a whole", "1 value"),
            ("Components", "Cards 1 value"),
            ("Icons", "all"),
            ("Rules", "1 value"),
            ("Printed words", "5 values"),
        ],
        "ja": [
            ("ゲーム全体", "1件"),
            ("コンポーネント", "札 1件"),
            ("印", "すべて"),
            ("ルール", "1件"),
            ("印刷された文言", "5件"),
        ],
    }
    for lang, rows in expected.items():
        project.body("```provisional\n```", lang=lang)
        (table,) = project.book(lang).blocks
        assert isinstance(table, Table)
        assert [tuple(map(plain, row)) for row in table.rows] == rows


def test_an_open_value_stands_on_one_line(project: BookProject) -> None:
    """A line break in a value does not loosen the list that a template makes of them."""
    project.write("data/higher/more.yaml", MORE_OPEN)
    game, _ = project.workshop()

    assert dict(open_values(game, "en"))["words.t.a"] == "x y"


def test_a_reading_that_is_not_in_force_is_not_told(project: BookProject) -> None:
    """Under another value than the first of its choices the entry says which one holds, not a sentence that is wrong."""
    project.change(GLOSSARY, "value: first", "value: last")
    written = "{{ reading('E1') }}{% for r in readings %} {{ r.reading }}{% endfor %}\n\n```readings\n```"
    for lang, said in (("en", "Another reading is in force: last."), ("ja", "現在は別の読み方を採用：last。")):
        project.body(written, lang=lang)
        project.change(GLOSSARY, "value: first", "value: last")
        sentence, table, *_ = project.book(lang).blocks
        assert plain(sentence) == f"{said} {said}"
        assert isinstance(table, Table)
        assert said in plain(table.rows[0][1])
        assert "takes it" not in plain(table.rows[0][1])
