"""What a kind says of its tables: several of them, ids made of rows, wrong keys; the examples of docs/spreadsheets.md."""

import re
import warnings
from pathlib import Path

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.worksheet.datavalidation import DataValidation
from tables_project import TablesProject

from generator.base.errors import ProblemsFound
from generator.base.geometry import format_column_letters
from generator.game.data_fields import LONGEST, IdMaker, id_from_text
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.game.table_header import COUNTS, DEEPEST

HEADER = "id,title.ja,title.en,value\n"


def test_several_tables_and_designs_make_one_kind(kites: TablesProject) -> None:
    kites.change("designs: kites.csv", "designs: [kites.csv, {id: y, title: {ja: や, en: Y}}, more.csv, again.csv]")
    kites.write("data/kites/again.csv", "Title JA;Title EN\nか;C\n")
    kites.write("data/kites/more.csv", "Title JA;Title EN\nか;C\nか;C\n")
    designs = kites.load(HEADER + "a,あ,A,1\n").kinds["kite"].designs

    assert [(design.id, str(design.place)) for design in designs] == [
        ("kite/a", "data/kites/kites.csv:2:1"),
        ("kite/y", "data/kites/game.yaml:32:26"),
        ("kite/c", "data/kites/more.csv:2:2"),
        ("kite/c-2", "data/kites/more.csv:3:2"),
        ("kite/c-3", "data/kites/again.csv:2:2"),
    ]
    assert str(designs[1].source.place("title", "en")) == "data/kites/game.yaml:32:53"
    assert str(designs[3].source.place("title", "ja")) == "data/kites/more.csv:3:1"
    kites.write("data/kites/more.csv", "Title JA;Title EN;value\nか;C;x\n")
    assert kites.problems(HEADER + "a,あ,A,y\n") == [
        "kites.csv:2:4: cell D2, column 'value': must be a whole number, not 'y'; write digits only",
        "more.csv:2:3: cell C2, column 'value': must be a whole number, not 'x'; write digits only",
    ]


def test_a_list_with_a_text_that_is_no_table_is_told(kites: TablesProject) -> None:
    kites.change("designs: kites.csv", "designs: [oops, {id: y, title: {ja: や, en: Y}}]")
    assert kites.problems() == [
        "game.yaml:32:15: designs is 'oops', which is neither a list nor a table; "
        "write a list, or a file that ends in .csv, .tsv, .txt, .xlsx or .ods"
    ]


def test_keys_without_a_table_are_told(kites: TablesProject) -> None:
    kites.change(
        "    designs: kites.csv",
        "    columns: {a: value}\n    ignore: x\n    id_from: a\n    designs: [{id: y, title: {ja: や, en: Y}}]",
    )
    assert kites.problems() == [
        f"game.yaml:{line}:5: `{key}` has no effect, because the designs are not in a table; remove it"
        for line, key in ((32, "columns"), (33, "ignore"), (34, "id_from"))
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("columns: [a]", "game.yaml:32:14: components.kite.columns must be `name: value` pairs, not a list; write it as `name: value` lines"),
        ("columns: {a: 3}", "game.yaml:32:18: components.kite.columns.a must be text, not 3; write `a: \"3\"`"),
        ("ignore: {a: b}", "game.yaml:32:13: components.kite.ignore must be a list, not a mapping; begin each entry with `- `"),
        ("id_from: 3", "game.yaml:32:14: components.kite.id_from must be text, not 3; write `id_from: \"3\"`"),
    ],
)  # fmt: skip
def test_keys_of_the_wrong_shape_are_told(kites: TablesProject, line: str, said: str) -> None:
    kites.change("    designs: kites.csv", f"    {line}\n    designs: kites.csv")
    assert said in kites.problems(HEADER + "a,あ,A,1\n")


def test_ids_in_two_columns_contradict_each_other(kites: TablesProject) -> None:
    kites.change("    designs: kites.csv", "    id_from: title.en\n    designs: kites.csv")
    assert kites.problems(HEADER + "a,あ,A,1\n") == [
        "kites.csv:1:1: the table has ids, but `id_from` makes others from 'title.en'; remove `id_from:`, or write "
        "`ignore: [id]`"
    ]


def test_rows_without_a_title_are_numbered(kites: TablesProject) -> None:
    kites.change("title: words", "title: {type: words, optional: true}")
    designs = kites.load("title.ja,title.en,value\n,,1\nあ,A,2\n\n,,3\n").kinds["kite"].designs
    assert [design.id for design in designs] == ["kite/row-2", "kite/a", "kite/row-5"]


@given(st.lists(st.text(max_size=60), max_size=12))
def test_made_ids_are_ids_and_no_two_are_alike(titles: list[str]) -> None:
    made = IdMaker()
    ids = [made.make_id(title, row) for row, title in enumerate(titles, 2)]
    assert len(set(ids)) == len(ids)
    for name in ids:
        assert name.replace("-", "a").isascii()
        assert name.replace("-", "a").isalnum()
        assert name == name.lower()
        assert name[0] != "-"
        assert len(name) <= LONGEST + 4


def test_an_id_does_not_hang_on_other_rows() -> None:
    assert [IdMaker().make_id(title, 9) for title in ("Fox", "日の出", "が")] == ["fox", "id-09772f40", id_from_text("か\u3099")]  # fmt: skip
    assert id_from_text("Strong fox") != id_from_text("Strong fox 凪")
    assert id_from_text("赤 1") != id_from_text("青 1")


def test_long_titles_and_numbers_in_titles_make_ids_of_their_own() -> None:
    one, other = id_from_text("x" * 60 + " one"), id_from_text("x" * 60 + " other")
    assert (len(one), one[:39], one != other) == (LONGEST, "x" * 39, True)
    made = IdMaker()
    titles = ["Go 2", "Go", "Go", "Go", "Go 2", "Go 4", "Go", ""]
    assert [made.make_id(title, 9) for title in titles] == [
        "go-2", "go", "go-3", "go-4", "go-2-2", "go-4-2", "go-5", "row-9",
    ]  # fmt: skip


def test_columns_are_called_as_in_spreadsheets() -> None:
    assert [format_column_letters(number) for number in (1, 26, 27, 52, 702, 703)] == ["A", "Z", "AA", "AZ", "ZZ", "AAA"]  # fmt: skip


def test_openpyxl_says_nothing_itself(kites: TablesProject, recwarn: pytest.WarningsRecorder) -> None:
    book = Workbook()
    book.active.append(("id", "title.ja", "title.en", "value"))
    book.active.append(("a", "あ", "A", 1))
    book.active.add_data_validation(DataValidation(type="list", formula1='"1,2"', sqref="D2"))
    path = Path(kites.root / "data/kites/kites.xlsx")
    book.save(path)
    import zipfile

    strange = b'<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"/></extLst></worksheet>'
    with zipfile.ZipFile(path) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(b"</worksheet>", strange)
    with zipfile.ZipFile(path, "w") as archive:
        for entry, content in parts.items():
            archive.writestr(entry, content)
    kites.change("designs: kites.csv", "designs: kites.xlsx")
    warnings.simplefilter("always")

    assert kites.load().kinds["kite"].count == 1
    assert not recwarn.list


GUIDE = (ROOT / "docs/spreadsheets.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```csv\n(.*?)```.*?```yaml\n(.*?)```.*?```text\n(.*?)```", GUIDE, re.DOTALL)
GAME = """\
format: 1
title: Foxes
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
fonts:
  body: {en: {regular: [x.ttf]}}
components:
"""


@pytest.mark.parametrize("number", range(3))
def test_an_example_comes_to_what_the_guide_says(number: int, tmp_path: Path) -> None:
    table, kind, said = EXAMPLES[number]
    folder = tmp_path / "data/game"
    folder.mkdir(parents=True)
    (folder / "deck.csv").write_text(table, encoding="utf-8")
    (folder / "game.yaml").write_text(GAME + re.sub("(?m)^", "  ", kind.rstrip()) + "\n", encoding="utf-8")
    project = find_project(tmp_path, tmp_path)
    try:
        game = load_game(project.find_folder("game"), project.resources)
        lines = [f"{design.id.removeprefix('fox/')} x{design.count}" for design in game.designs()]
    except ProblemsFound as found:
        lines = [str(problem).removeprefix("data/game/") for problem in found.problems]

    assert lines == said.splitlines()


def test_the_guide_names_what_the_program_takes() -> None:
    """All examples are tried; the names of the count and how deep a header may lie are the program's own."""
    assert len(EXAMPLES) == 3 == GUIDE.count("```csv")
    assert all(f"`{name}`" in GUIDE or f"`{name.lower()}`" in GUIDE for name in COUNTS)
    assert f"The first of the first {DEEPEST} rows" in GUIDE
