"""Designs that stand in a CSV file: what cells mean, and what is said of a table that is wrong."""

import os
import pickle
import string
import sys

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables_project import TABLE, TablesProject

from generator.base.errors import ProblemsFound
from generator.base.files import no_progress
from generator.commands import options
from generator.game import project as sections
from generator.game.data_fields import FieldSpec
from generator.game.load_game import load_game
from generator.game.model import Effect, Game
from generator.game.project import ParsedFiles, find_project
from generator.game.rich_text import Words
from generator.game.table_rows import parse_cell, protect_text, unprotect_text

HEADER = "id,count,title.ja,title.en,value,kind\n"


def test_a_file_that_has_not_changed_is_not_parsed_again(kites: TablesProject, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, shown = ParsedFiles(), []
    read = sections.read_yaml
    monkeypatch.setattr(sections, "read_yaml", lambda path, name: (shown.append(path.name), read(path, name))[1])
    kites.write("data/kites/words.yaml", "words: {wind: {ja: 風, en: wind}}\n")
    found = find_project(kites.root)

    def loaded() -> Game:
        shown.clear()
        return load_game(found.find_folder("kites"), found.resources, parsed)

    kites.write(TABLE, HEADER + "sun-1,2,日,Sunrise,3,sun\n")
    assert loaded().kinds["kite"].designs[0].count == 2
    assert shown == ["game.yaml", "words.yaml"]
    kites.write(TABLE, HEADER + "sun-1,5,日,Sunrise,3,sun\n")
    assert loaded().kinds["kite"].designs[0].count == 5
    assert shown == ["game.yaml"]
    kites.write("data/kites/words.yaml", "words: {wind: {ja: 風, en: storm}}\n")
    assert loaded().sections["words"]["wind"]["en"] == "storm"
    assert shown == ["game.yaml", "words.yaml"]


def test_a_table_holds_designs(kites: TablesProject) -> None:
    game = kites.load(HEADER + "sun-1,2,日の出,Sunrise,3,sun\nmoon-1,,月の出,Moonrise,,\n")
    first, second = game.kinds["kite"].designs

    assert (first.id, first.count, second.id, second.count) == ("kite/sun-1", 2, "kite/moon-1", 1)
    assert first.fields["title"] == Words({"ja": "日の出", "en": "Sunrise"})
    assert (first.fields["value"], first.fields["kind"]) == (3, "sun")
    assert (second.fields["value"], second.fields["kind"]) == (None, None)
    assert str(first.place) == f"{TABLE}:2:1"
    assert str(first.source.place("title", "en")) == f"{TABLE}:2:4"
    assert str(second.source.place("title")) == f"{TABLE}:3:3"
    assert str(first.source.key_place("value")) == f"{TABLE}:1:5"
    assert str(game.places.key_place("components", "kite", "designs", 0, "value")) == f"{TABLE}:1:5"
    assert str(game.places.place("components", "kite", "designs", 1, "title", "en")) == f"{TABLE}:3:4"
    assert str(game.places.place("components", "kite", "designs")) == "data/kites/game.yaml:32:14"


CELLS = {
    ("integer", "-3"): -3,
    ("integer", " 4 "): 4, ("integer", "007"): "007", ("integer", "1234567890123456"): "1234567890123456",
    ("number", "1.50"): 1.5, ("number", "2"): 2, ("boolean", "TRUE"): True, ("boolean", "false"): False,
    ("boolean", "yes"): "yes", ("icon", " sun "): "sun", ("text", " =a "): " =a ", ("text", "'=SUM(A1)"): "=SUM(A1)",
    ("text", "'007"): "007", ("text", "'3/4"): "3/4", ("text", "'"): "", ("text", "''"): "'", ("text", "''tis"): "'tis",
    ("text", "'tis"): "'tis", ("text", "'90s"): "'90s", ("text", "007"): "007",
    ("effects", "{op: gain, n: 2}, {op: gain, n: 1}"): [{"op": "gain", "n": 2}, {"op": "gain", "n": 1}],
    ("effects", "[{op: gain, n: 2}]"): [{"op": "gain", "n": 2}],
    ("effects", "[]"): [],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "value"), [(*cell, value) for cell, value in CELLS.items()])
def test_cells_are_read_by_their_type(kind: str, text: str, value: object) -> None:
    """A cell is what its field's type makes of it; what does not fit stays a text that the type's check will name."""
    read = parse_cell(text, FieldSpec(kind), (2, 3))
    assert read == value
    assert type(read) is type(value) or isinstance(value, list)


def test_lists_are_written_with_bars_or_as_in_yaml(kites: TablesProject) -> None:
    """Names are separated by bars; in texts a bar needs space, so ruby stays whole; YAML's brackets hold anything."""
    table = """id,title.ja,title.en,kinds,notes,lines,effects
a,あ,A,sun|moon,{凧|たこ} | b,"[{ja: 凧, en: kite}]","{op: gain, n: 2}"
b,い,B,[],"[""a | b"", '', ""[c]""]",,
c,う,C,sun,one,,
"""
    first, second, third = (design.fields for design in kites.load(table).kinds["kite"].designs)

    assert first["kinds"] == ("sun", "moon")
    assert first["notes"] == ("{凧|たこ}", "b")
    assert first["lines"] == (Words({"ja": "凧", "en": "kite"}),)
    assert first["effects"] == (Effect("gain", {"n": 2}),)
    assert (second["kinds"], second["notes"], second["effects"]) == ((), ("a | b", "", "[c]"), None)
    assert (third["kinds"], third["notes"]) == (("sun",), ("one",))


def test_choices_may_be_numbers_and_texts(kites: TablesProject) -> None:
    game = kites.load("id,title.ja,title.en,code\na,あ,A,1\nb,い,B,2\nc,う,C,'2\nd,え,D,red\n")
    assert [design.fields["code"] for design in game.kinds["kite"].designs] == [1, 2, "2", "red"]


@given(st.text(st.sampled_from("'=+-@019./: a\n凧") | st.characters()))
def test_protection_is_undone_and_leaves_nothing_to_guess(text: str) -> None:
    cell = protect_text(text)
    assert unprotect_text(cell) == text
    assert not cell.startswith(("=", "+", "-", "@"))
    assert not (cell and set(cell) <= set(string.digits))
    assert cell.strip()


def test_rows_and_columns_may_be_empty_or_in_any_order(kites: TablesProject) -> None:
    game = kites.load("\ntitle.en,title.ja,id,,\n\nA,あ,a,,\n,,,,\n\n B ,い,b,,,,\n\n\n")
    designs = game.kinds["kite"].designs
    assert [(design.id, str(design.place)) for design in designs] == [("kite/a", f"{TABLE}:4:3"), ("kite/b", f"{TABLE}:7:3")]  # fmt: skip
    assert designs[1].fields["title"]["en"] == " B ", "a text is as it stands"


def test_line_breaks_in_a_cell_do_not_move_places(kites: TablesProject) -> None:
    table = HEADER + 'a,1,"一\r\n二","One, ""two""\nthree",1,\nb,1,う,B,x,\n'
    assert kites.problems(table) == [
        "kites.csv:3:5: cell E3, column 'value': must be a whole number, not 'x'; write digits only"
    ]
    game = kites.load(table.replace(",x,", ",2,"))
    assert game.kinds["kite"].designs[0].fields["title"] == Words({"ja": "一\n二", "en": 'One, "two"\nthree'})


def test_a_plain_column_is_enough_in_one_language(kites: TablesProject) -> None:
    kites.change("languages: [ja, en]", "languages: [en]")
    text = (kites.root / "data/kites/game.yaml").read_text(encoding="utf-8")
    kites.write("data/kites/game.yaml", text.replace("body: {ja: {regular: [x.ttf]}, ", "body: {"))
    for name, plain in (
        ("日", ""),
        ("月", ""),
        ("得", ""),
        ("凧, en: Kites", "en: Kites"),
        ("凧, en: Kite}", "en: Kite}"),
    ):
        text = (kites.root / "data/kites/game.yaml").read_text(encoding="utf-8")
        old = f"ja: {name}, " if not plain else f"ja: {name}"
        kites.write("data/kites/game.yaml", text.replace(old, plain))

    for title, text in (("title", "text.en"), ("title.en", "text")):
        design = kites.load(f"id,{title},{text}\na,Day,Night\n").kinds["kite"].designs[0]
        assert (design.fields["title"], design.fields["text"]) == (Words({"en": "Day"}), Words({"en": "Night"}))


BAD_HEADERS = {
    "": "kites.csv: the table is empty; write the field names in its first row",
    "id:title.ja:title.en\na:あ:A\n": "kites.csv:1:1: the header names no field: it reads 'id:title.ja:title.en'; "
    "one of the first rows names the fields, separated by a comma, semicolon, tab or |; `sep=:` above it names another",
    "a,1,あ,A\n": "kites.csv:1:1: the header names no field: it reads 'a, 1, あ, A'; "
    "one of the first rows names the fields, separated by a comma, semicolon, tab or |; `sep=:` above it names another",
    "id,title.ja\na,あ\n": "kites.csv:1:1: the table has no column 'title.en'; add it",
    "id,title.ja,title.en,text.en\na,あ,A,\n": "kites.csv:1:1: the table has no column 'text.ja'; add it",
    "id,title.ja,title.en\n": "kites.csv:1:1: the table has no designs below its header; write one into each row",
}


@pytest.mark.parametrize("table", BAD_HEADERS)
def test_a_table_without_a_usable_header_is_refused(kites: TablesProject, table: str) -> None:
    assert kites.problems(table) == [BAD_HEADERS[table]]


def test_every_wrong_column_is_said(kites: TablesProject) -> None:
    table = "id,id,title.ja,title.en,titel.en,title.fr,text,value.en,Count,\na,,あ,A,,,,,,x\n"
    assert kites.problems(table) == [
        "kites.csv:1:2: the column 'id' is given twice (first as column 1); keep one of them",
        "kites.csv:1:5: the columns 'titel.en' and 'value.en' are not fields of this kind; did you mean 'title.en' by "
        "'titel.en', 'value' by 'value.en'? Else declare them under `fields:`, or write "
        '`ignore: ["titel.en", "value.en"]`',
        "kites.csv:1:6: 'fr' in the column 'title.fr' is not a language of this game; known: title.ja, title.en",
        "kites.csv:1:7: the column 'text' does not name its language; name it by one (text.ja, text.en), or "
        "write `columns: {text: text.ja}`",
        "kites.csv:2:10: cell J2: 'x' is in a column without a name; name the column, or write `ignore: [\"\"]`",
    ]


def test_every_wrong_row_is_said_at_once(kites: TablesProject) -> None:
    table = """id,count,title.ja,title.en,value,kind,effects,notes
a,1,あ,A,1,sun,,
a,1,い,B,2,sun,,
,1,う,C,3,sun,,
d d,1,え,D,4,sun,,
e,x,お,E,5,sun,,
f,1,か,F,12,sum,,
g,1,,G,7,sun,,
h,1,,,8,sun,,
i,1,き,I,=SUM(A1:A2),sun,,
j,1,く,J,1,sun,gain 2,
k,1,け,K,1,sun,"{op: gian, n: 2}",a | | b
l,1,こ,L,1,sun,"{op: gain, n: [",
m,1,さ,M,1
n,1,し,N,1,sun,,,x
o,1,す,O,1,sun,"{op: gian, n: 2}",
p,1,せ,P,1,sun,,"[a, 1]"
"""
    assert kites.problems(table) == [
        "kites.csv:3:1: cell A3, column 'id': the id 'kite/a' is given twice (first in row 2); give each design "
        "a unique id",
        "kites.csv:4:1: cell A4, column 'id': there is no id; write one with letters, digits, - and _",
        "kites.csv:5:1: cell A5, column 'id': the id 'd d' has other characters than letters, digits, - and _; "
        "`id_from: id` makes ids of this column",
        "kites.csv:6:2: cell B6, column 'count': must be a whole number, not 'x'; write digits only",
        "kites.csv:7:5: cell E7, column 'value': is 12, but must be at most 9; change the number, or `max` of the field",
        "kites.csv:7:6: cell F7, column 'kind': is 'sum', but this game has no such icon; did you mean 'sun'?",
        "kites.csv:8:3: cell C8, column 'title.ja': the text in 'ja' is missing, but another language has one; "
        "write it",
        "kites.csv:9:3: cell C9, column 'title.ja': the cell is empty; fill the cell, or declare the field with "
        "`optional: true`",
        "kites.csv:10:5: cell E10, column 'value': the cell is a formula: '=SUM(A1:A2)'; write its result; if it is a text, put `'` in front",
        "kites.csv:11:7: cell G11, column 'effects': 'gain 2' is not a list of operations; write {op: ...}, {op: ...}",
        "kites.csv:12:8: cell H12, column 'notes': an entry of the list is empty; remove one |; `[]` is an empty list",
        "kites.csv:13:7: cell G13, column 'effects': the `{` that opens here is never closed; write `}` where it ends",
        "kites.csv:14:5: row 14: the row has 5 cells, but the header has 8; write 8 cells separated by commas; leave cells without a value empty",
        "kites.csv:15:9: row 15: the row has 9 cells, but the header has 8; put each text that contains commas in double quotes",
        "kites.csv:16:7: cell G16, column 'effects': op in entry 1 names the unknown operation 'gian'; did you mean 'gain'?",
        "kites.csv:17:8: cell H17, column 'notes': entry 2 must be text, not 1; put it in quotes: \"1\"",
    ]


def test_all_tables_and_the_yaml_are_said_together(kites: TablesProject) -> None:
    kites.change(
        "    designs: kites.csv\n",
        "    designs: kites.csv\n  more: {name: {ja: 他, en: More}, size: [30, 30], front: x, designs: none.csv}\n",
    )
    assert kites.problems("id,tilte\n") == [
        "game.yaml:33:70: there is no table 'none.csv' next to this file; known: kites.csv",
        "kites.csv:1:1: the table has no column 'title.en'; add it, or say which heading means it: `columns: {tilte: title.en}`",
        "kites.csv:1:1: the table has no column 'title.ja'; add it, or say which heading means it: `columns: {tilte: title.ja}`",
        "kites.csv:1:2: the column 'tilte' is not a field of this kind; declare it under `fields:`, or write `ignore: [tilte]`",
    ]
    kites.change("designs: none.csv", "designs: [{id: a}, {id: a}]")
    assert kites.problems(HEADER + "a,1,あ,A,1\nb,1,い,B,1,sun\n") == [
        "game.yaml:33:85: the id 'more/a' is given twice (first in line 33); give each design a unique id",
        "kites.csv:2:5: row 2: the row has 5 cells, but the header has 6; write 6 cells separated by commas; leave cells without a value empty",
    ]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("kites.doc", "designs is 'kites.doc', which is neither a list nor a table; write a list, or a file that ends in .csv, .tsv, .txt, .xlsx or .ods"),
        ("../kites.csv", "the table '../kites.csv' is outside the game's folder; copy it to this folder"),
        ("kite.csv", "there is no table 'kite.csv' next to this file; did you mean 'kites.csv'?"),
    ],
)  # fmt: skip
def test_a_table_that_is_not_there_is_said_where_it_is_named(kites: TablesProject, named: str, said: str) -> None:
    """A wrong name, and one that leads out of the game's folder, are problems of the YAML line that says it."""
    kites.write("data/kites.csv", HEADER)
    kites.change("designs: kites.csv", f"designs: {named}")
    assert kites.problems(HEADER) == [f"game.yaml:32:14: {said}"]


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights there")
def test_a_link_out_of_the_folder_is_refused(kites: TablesProject) -> None:
    outside = kites.write("elsewhere.csv", HEADER + "a,1,あ,A,1,\n")
    (kites.root / TABLE).symlink_to(outside)
    assert kites.problems() == [
        "game.yaml:32:14: the table 'kites.csv' is outside the game's folder; copy it to this folder"
    ]


def test_marks_reach_into_tables(kites: TablesProject) -> None:
    kites.change("format: 1\n", "format: 1\nprovisional: [components.kite.designs.a.value]\n")
    assert kites.load(HEADER + "a,1,あ,A,1,\n").marks == {"components.kite.designs.a.value": "provisional"}
    assert kites.problems(HEADER + "b,1,あ,A,1,\n") == [
        "game.yaml:2:15: 'components.kite.designs.a.value' names no value of this file; write the path of a value, as `rules.hand`"
    ]


def test_languages_must_be_known_first(kites: TablesProject) -> None:
    kites.change("languages: [ja, en]", "languages: ja")
    assert kites.problems(HEADER + "a,1,あ,A,1,\n") == [
        "game.yaml:5:12: the game's languages are unknown, so pnp can't read its tables; write `languages: [ja, en]`"
    ]


@pytest.mark.slow
def test_who_waits_for_a_long_table_is_told_how_far_it_is(kites: TablesProject) -> None:
    heard: list[str] = []
    project = find_project(kites.root, progress=heard.append)
    rows = "".join(f"k{n},題,Title\n" for n in range(20_500))
    kites.write(TABLE, f"id,title.ja,title.en\n{rows}")
    game = load_game(project.find_folder("kites"), project.resources)
    assert len(list(game.designs())) == 20_500
    assert heard == [f"{TABLE}: 10,000 rows", f"{TABLE}: 20,000 rows", ""]

    heard.clear()
    kites.write(TABLE, f"id,title.ja,title.en\n{rows}k,,\n")
    with pytest.raises(ProblemsFound):
        load_game(project.find_folder("kites"), project.resources)
    assert heard[-1] == ""


def test_another_process_is_silent(kites: TablesProject) -> None:
    """Lines of several processes would mix, and a project can be sent to them whoever is told."""
    project = find_project(kites.root, progress=lambda _doing: None)
    assert pickle.loads(pickle.dumps(project)).resources.told is no_progress  # noqa: S301 - bytes of our own


def test_the_line_about_reading_goes_and_takes_no_other_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    tell = options.progress()
    for doing in ("", "a.csv: 10,000 rows", "", ""):
        tell(doing)
    assert capsys.readouterr().err == "\r\x1b[Ka.csv: 10,000 rows\r\x1b[K"


def test_a_problem_begins_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is being done when a command ends with problems, the line about it is gone before they are told."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    @click.command()
    def failing() -> None:
        options.progress()("kites: faces (en)")
        raise ProblemsFound([])

    with pytest.raises(ProblemsFound):
        failing.main([], standalone_mode=False)

    assert capsys.readouterr().err == "\r\x1b[Kkites: faces (en)\r\x1b[K"
