"""How a book tells what the draft leaves unclear: readings with their switches, and values that it does not give."""

from rulebook_project import DATA, EXAMPLES, GLOSSARY, BookProject, plain

from generator.books.page.blocks import Table
from generator.books.rulebook.designer_notes import list_open_values


def test_readings_and_open_values(project: BookProject) -> None:
    project.body("```readings\n```")
    table, values = project.book().blocks
    assert isinstance(table, Table)
    assert [tuple(map(plain, row)) for row in table.rows] == [
        ("E1", "It is open. → The first to play takes it. (tie = first)")
    ]
    assert isinstance(values, Table)
    assert plain(values.caption) == "Values that the draft leaves open"
    assert [tuple(map(plain, row)) for row in values.rows] == [("Rules", "In the data: rules.hand")]


def test_the_draft_is_quoted_in_its_own_language(project: BookProject) -> None:
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


def test_what_is_open_is_told_with_its_values(project: BookProject) -> None:
    """Row by row: facts, kinds, icons, rules; where nothing has words for a value, its path in the data."""
    project.write("data/higher/more.yaml", MORE_OPEN)
    project.change(DATA, "components:\n", "provisional: [components.card.size, moves]\ncomponents:\n")
    project.write("templates/higher/icons/moon.svg", '<svg viewBox="0 0 9 9"><path d="M0 0L9 9L0 9Z"/></svg>')
    expected = {
        "en": [
            ("Time", "30 minutes"),
            ("Cards", "size 40 × 60 mm"),
            ("Icons", "everything about it:  moon"),
            ("Rules", "the first hand: 3"),
            ("Printed words", "“v” In the data: words.t"),
            ("Others", "screen name of 1 move"),
        ],
        "ja": [("時間", "30分"), ("札", "大きさ（40×60 mm）"), ("印", "1種の内容すべて： 月"), ("ルール", "最初の手札：3"), ("印刷された文言", "「v」 データでの名前：words.t"), ("そのほか", "画面での行動1種の言い方")],
    }  # fmt: skip
    for lang, says in (("en", "the first hand"), ("ja", "最初の手札")):
        project.body(f"```provisional\nsays: {{rules.hand: {says}}}\n```", lang=lang)
        (table,) = project.book(lang).blocks
        assert isinstance(table, Table)
        assert [tuple(map(plain, row)) for row in table.rows] == expected[lang]


def test_fields_are_told_design_by_design(project: BookProject) -> None:
    """Names stand for themselves, other values behind the names of their designs; a field may get words."""
    paths = "components.card.designs.c3.strength, components.card.designs.c4.strength"
    project.change(DATA, "components:\n", f"provisional: [{paths}]\ncomponents:\n")
    for says, label in (("", "strength"), ("says: {components.card.strength: strengths}\n", "strengths")):
        project.body(f"```provisional\n{says}```")
        (table,) = project.book().blocks
        assert isinstance(table, Table)
        assert tuple(map(plain, table.rows[0])) == ("Cards", f"{label}: the 3 3, the 4 4")


def test_words_for_what_is_not_open_are_a_problem(project: BookProject) -> None:
    """A value that the draft gives needs none, and a slip of the pen is told with what may be meant."""
    project.body("```provisional\nsays: {rules.hant: cards}\n```")
    (problem,) = project.problems()
    assert "'rules.hant' needs no words" in problem and "did you mean 'rules.hand'" in problem


MEANT = """\
    means:
      first: {ja: 先の人, en: the first}
      last: {ja: 後の人, en: the last}
    noticed_by: nobody
    notices: {ja: 言葉だけ。, en: It is words.}
"""


def mean(project: BookProject, more: str = MEANT) -> None:
    """Gives E1 words for its choices, and says who would notice."""
    project.change(GLOSSARY, "    choices: [first, last]\n", f"    choices: [first, last]\n{more}")


def test_choices_are_told_in_words(project: BookProject) -> None:
    """The reading, what else it could be, who would notice; the setting last, not beside the reading."""
    expected = {
        "en": "It is open. → The first to play takes it. Otherwise: the last. It is words. Setting tie: first · last",
        "ja": "「同じ強さ」 決まっていない。 → 先に出した人が取る。 ほかの読み方：後の人。 言葉だけ。 設定 tie：first · last",
    }
    for lang, said in expected.items():
        project.body("```readings\n```", lang=lang)
        mean(project)
        table = project.book(lang).blocks[0]
        assert isinstance(table, Table)
        assert tuple(map(plain, table.rows[0])) == ("E1 –", said)


MORE_EXAMPLES = """
  - id: E1-last
    says: {ja: 後の人が取る。, en: "The last of {{ rules.hand }} takes it."}
    players: 2
    options: {tie: last}
    given: {hands: [[3, 9], [4, 8]]}
    expect: {over: false}
  - {id: E1-mute, players: 2, options: {tie: last}, given: {hands: [[3, 9], [4, 8]]}, expect: {over: false}}
  - {id: E1-first, says: {ja: 先。, en: The first.}, players: 2, given: {hands: [[3, 9], [4, 8]]}, expect: {over: false}}
  - {id: other, says: {ja: 他。, en: Other.}, players: 2, options: {tie: last}, given: {hands: [[3, 9], [4, 8]]}, expect: {over: false}}
"""


def test_examples_of_other_choices_stand_beside_the_entry(project: BookProject) -> None:
    """Those that are named after it, choose otherwise and have words; where there are several choices, with the choice."""
    project.write(EXAMPLES, (project.root / EXAMPLES).read_text(encoding="utf-8") + MORE_EXAMPLES)
    for choices, label in (("first, last", "Example:"), ("first, last, none", "Example (last):")):
        project.body("```readings\n```")
        project.change(GLOSSARY, "choices: [first, last]", f"choices: [{choices}]")
        table = project.book().blocks[0]
        assert isinstance(table, Table)
        told = plain(table.rows[0][1])
        assert f"{label} The last of 3 takes it." in told
        assert told.count("Example") == 1 and "Other." not in told


def test_another_choice_in_force_is_told_in_words(project: BookProject) -> None:
    project.body("```readings\n```")
    mean(project)
    project.change(GLOSSARY, "value: first", "value: last")
    table = project.book().blocks[0]
    assert isinstance(table, Table)
    said = "Another reading is in force: the last. Otherwise: the first."
    assert f"→ {said}" in plain(table.rows[0][1])


def test_a_switch_without_another_choice_is_none(project: BookProject) -> None:
    """Nothing can be set there, so no setting is told, neither with the reading nor in the state."""
    project.body("```readings\n```\n\n```state\n```")
    project.change(GLOSSARY, "choices: [first, last]", "choices: [first]")
    table, _, state = project.book().blocks
    assert isinstance(table, Table) and isinstance(state, Table)
    assert "tie" not in plain(table.rows[0][1])
    assert [plain(row[0]) for row in state.rows] == ["Draft", "Date", "Data"]


def test_entries_are_parted_by_who_would_notice(project: BookProject) -> None:
    """A block shows those of one sort, `some` where the data don't say; and nothing that is open besides."""
    more = "  - {id: E2, problem: {ja: 問, en: Q}, reading: {ja: 答, en: A}, noticed_by: everyone,"
    more += " notices: {ja: 全員。, en: Everyone.}}\n"
    blocks = "".join(f"```readings\nnoticed_by: {who}\n```\n\n" for who in ("everyone", "some", "nobody"))
    project.body(blocks)
    project.change(GLOSSARY, "readings:\n", f"readings:\n{more}")
    everyone, some = project.book().blocks
    assert isinstance(everyone, Table) and isinstance(some, Table)
    assert tuple(map(plain, everyone.rows[0])) == ("E2 ●", "Q → A Who notices: Everyone.")
    assert [plain(row[0]) for row in some.rows] == ["E1"]


def test_choices_and_their_words_agree(project: BookProject) -> None:
    project.body("Text.")
    mean(project, "    means: {first: {ja: 先, en: first}, lost: {ja: 後, en: last}}\n")
    told = project.problems()
    assert len(told) == 2
    assert "the choice 'last' of E1 has no description" in told[0]
    assert "'lost' is not a choice of E1" in told[1] and "did you mean 'last'" in told[1]


def test_the_state_is_the_same_in_every_language(project: BookProject) -> None:
    found = {}
    for lang in ("ja", "en"):
        project.body("```state\n```", lang=lang)
        mean(project)
        (table,) = project.book(lang).blocks
        assert isinstance(table, Table)
        found[lang] = [tuple(map(plain, row)) for row in table.rows]
    assert found["en"][:2] == [("Draft", "3", ""), ("Date", "2026-01-31", "")]
    assert found["en"][3:] == [("E1", "the first", "tie: first")]
    assert found["ja"][3:] == [("E1", "先の人", "tie: first")]
    assert found["ja"][2][1] == found["en"][2][1]

    project.change(GLOSSARY, "value: first", "value: last")
    (table,) = project.book().blocks
    assert isinstance(table, Table)
    assert plain(table.rows[2][1]) != found["en"][2][1]


def test_an_open_value_stands_on_one_line(project: BookProject) -> None:
    project.write("data/higher/more.yaml", MORE_OPEN)
    game, _ = project.workshop()
    assert dict(list_open_values(game, "en"))["words.t.a"] == "x y"


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
