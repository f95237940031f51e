"""Designs in workbooks and OpenDocument spreadsheets: the same cells mean the same; damaged files are refused."""

import builtins
import io
import random
import zipfile
from collections.abc import Callable
from datetime import date, time
from typing import Any

import pytest
from openpyxl import Workbook
from table_files import ods_cell, ods_file, ods_sheet, xlsx_file
from tables_project import TablesProject

from generator.base.errors import ProblemsFound
from generator.game import workbooks
from generator.game.rich_text import Words
from generator.game.workbooks import read_ods, read_xlsx

NAME = "data/kites/kites.xlsx"
HEADER = ("id", "count", "title.ja", "title.en", "value", "note", "wild", "weight", "kinds")


def workbook(*rows: tuple[Any, ...], change: Callable[[Workbook], Any] | None = None) -> bytes:
    """A workbook with these rows below the header, changed at last."""
    return xlsx_file((HEADER, *rows), change, title="Sheet")


def patched(raw: bytes, *changes: tuple[str, str], part: str = "xl/worksheets/sheet1.xml") -> bytes:
    """The workbook with texts of one of its parts replaced."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(made, "w") as new:
        for entry in old.infolist():
            text = old.read(entry)
            if entry.filename == part:
                for before, after in changes:
                    assert before.encode() in text
                    text = text.replace(before.encode(), after.encode())
            new.writestr(entry, text)
    return made.getvalue()


@pytest.fixture
def book(kites: TablesProject) -> TablesProject:
    kites.change("designs: kites.csv", "designs: kites.xlsx")
    return kites


def test_a_workbook_holds_designs(book: TablesProject) -> None:
    """Numbers, texts and truth values arrive by the fields' types, whichever way the cell holds them."""

    def no_formula(made: Workbook) -> None:
        made.active["D2"].data_type = "s"

    raw = workbook(
        ("a", 2, "日\r\nの出", "=Sun", 3, 7, True, 1.5, "sun | moon"),
        (),
        (17, None, "い", "'tis", "4", "007", None, 2.0, None),
        change=no_formula,
    )
    game = book.load(patched(raw, ("<v>3</v>", "<v>3.0</v>")), NAME)
    first, second = game.kinds["kite"].designs

    assert (first.id, first.count, second.id, second.count) == ("kite/a", 2, "kite/17", 1)
    assert first.fields["title"] == Words({"ja": "日\nの出", "en": "=Sun"})
    assert second.fields["title"] == Words({"ja": "い", "en": "'tis"})
    assert (first.fields["value"], first.fields["note"], first.fields["wild"]) == (3, "7", True)
    assert (first.fields["weight"], first.fields["kinds"]) == (1.5, ("sun", "moon"))
    assert (second.fields["value"], second.fields["note"], second.fields["weight"]) == (4, "007", 2)
    assert str(second.source.place("note")) == f"{NAME}:4:6"


def test_formulas_count_as_their_stored_value(book: TablesProject) -> None:
    """A formula is its value when the workbook was saved, an empty text too; one never worked out names its cell."""
    raw = workbook(("a", 1, "あ", "=B2&C2", "=1+2", '=""', None, None, None))
    worked = patched(
        raw,
        ('<c r="D2"><f>B2&amp;C2</f><v>', '<c r="D2" t="str"><f>B2&amp;C2</f><v>Sun'),
        ("<f>1+2</f><v>", "<f>1+2</f><v>3"),
        ('<c r="F2"><f>""</f>', '<c r="F2" t="str"><f>""</f>'),
    )
    hint = "open and save the workbook in a spreadsheet program, or write the value"

    assert book.problems(raw, NAME) == [
        f"kites.xlsx:2:4: cell D2, column 'title.en': the formula here has no stored value; {hint}",
        f"kites.xlsx:2:5: cell E2, column 'value': the formula here has no stored value; {hint}",
        f"kites.xlsx:2:6: cell F2, column 'note': the formula here has no stored value; {hint}",
    ]
    fields = book.load(worked, NAME).kinds["kite"].designs[0].fields
    assert (fields["title"]["en"], fields["value"], fields["note"]) == ("Sun", 3, None)


def test_what_has_no_honest_text_is_refused(book: TablesProject) -> None:
    """Dates, times, errors and numbers that are shown otherwise are problems of their cells; merged cells are, too."""

    def dress(made: Workbook) -> None:
        sheet = made.active
        sheet["F5"].number_format = "000"
        sheet["E6"].number_format = "000"
        sheet.merge_cells("C7:D8")

    raw = workbook(
        ("a", 1, "あ", "A", 1, date(2026, 3, 1)),
        ("b", 1, "い", "B", 1, time(12, 30)),
        ("c", 1, "う", "C", "#N/A", "x"),
        ("d", 1, "え", "D", 1, 7),
        ("e", 1, "お", "E", 5, "x"),
        ("f", 1, "か", "F", 1, "x"),
        change=dress,
    )
    assert book.problems(raw, NAME) == [
        "kites.xlsx:2:6: column 'note', rows 2 and 3: the cell contains a date or a time; format the column as "
        "Text and type it again",
        "kites.xlsx:4:5: cell E4, column 'value': the cell contains the error #N/A; correct its formula, or write the value",
        "kites.xlsx:5:6: cell F5, column 'note': the number 7 is shown otherwise, in the format '000'; format the column as Text and type it again",
        "kites.xlsx:7:3: cell C7, column 'title.ja': the cells C7:D8 are merged: only the first of them has a "
        "value; split them and fill each cell",
    ]


def test_the_first_visible_sheet_is_read_or_the_one_named(kites: TablesProject) -> None:
    def add(made: Workbook) -> None:
        made.active.title = "Notes"
        made.active.sheet_state = "hidden"
        for title in ("Deck one", "Deck two"):
            sheet = made.create_sheet(title)
            sheet.append(HEADER[:4])
            sheet.append(("a", 1, "あ", title))
        made.worksheets[2]["E2"] = "x"
        made.active = 1

    kites.write(NAME, workbook(("hidden", 1, "か", "F"), change=add))
    kites.change("designs: kites.csv", "designs: kites.xlsx")
    assert kites.load().kinds["kite"].designs[0].fields["title"]["en"] == "Deck one"

    kites.change("designs: kites.xlsx", 'designs: "kites.xlsx:Deck two"')
    assert kites.problems() == [
        "kites.xlsx:Deck two:2:5: cell E2: 'x' is in a column without a name; name the column, or write `ignore: "
        '[""]`'
    ]
    kites.change('"kites.xlsx:Deck two"', "kites.xlsx:Notes")
    assert kites.problems() == ["kites.xlsx:Notes: the sheet 'Notes' is hidden; unhide it, or name another"]
    kites.change("kites.xlsx:Notes", "kites.xlsx:Dek one")
    assert kites.problems() == ["kites.xlsx:Dek one: the workbook has no sheet 'Dek one'; did you mean 'Deck one'?"]


def test_million_formatted_rows_below_a_table_do_not_count() -> None:
    raw = patched(workbook(("a",)), ("</sheetData>", '<row r="1048576"><c r="A1048576"/></row></sheetData>'))
    assert len(read_xlsx(raw, "f.xlsx", "").cells) == 2


def test_what_a_workbook_says_of_its_size_is_not_believed() -> None:
    raw = patched(workbook(("a", 1), ("b", 2)), ('ref="A1:I3"', 'ref="A1"'))
    assert [row[0] for row in read_xlsx(raw, "f.xlsx", "").cells] == ["id", "a", "b"]


def test_damaged_workbooks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = workbook(*((f"a{n}", 1, "あ", "A") for n in range(50)))
    chance = random.Random(8)
    refused = 0
    for cut in (b"", b"id,count\n", b"\xd0\xcf\x11\xe0", whole[: len(whole) // 2]):
        with pytest.raises(ProblemsFound, match="can't be read"):
            read_xlsx(cut, "f.xlsx", "")
    for _ in range(150):
        raw = bytearray(whole)
        for _ in range(3):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        try:
            read_xlsx(bytes(raw), "f.xlsx", "")
        except ProblemsFound as found:
            refused += 1
            assert found.problems[0].place is not None
            assert found.problems[0].hint
    assert refused > 20
    monkeypatch.setattr(workbooks, "MOST_UNPACKED", 100)
    with pytest.raises(
        ProblemsFound, match=r"unpacks to .* bytes, more than 100; save this table in a separate workbook"
    ):
        read_xlsx(whole, "f.xlsx", "")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('<row r="2"', '<row r="99999999999"', "f.xlsx:1: the row after this one has the number 99999999999, which"),
        ('<row r="2"', '<row r="1e11"', "f.xlsx:1: the row after this one has the number 100000000000, which no"),
        ('<row r="2"', '<row r="１０４８５７７"', "f.xlsx:1: the row after this one has the number 1048577, which no"),
        ('<row r="2"', '<row r="1"', "f.xlsx:1: the row after this one has the number 1 again; save it again"),
        ('r="B2"', 'r="AAA2"', "f.xlsx:2:703: the row has a cell in the column AAA; a table has at most ZZ; clear the cells"),
        ('r="B2"', 'r="A2"', "f.xlsx:2:1: the row has this cell twice, or after a later one; save it again"),
        ('r="B2"', 'r="B"', "f.xlsx:2:1: the workbook can't be read from this cell on; save it again"),
        ("<v>7</v>", "<v>seven</v>", "f.xlsx:2:2: the workbook can't be read from this cell on; save it again"),
        ('t="n"><v>7', 't="s"><v>999999', "f.xlsx:2:2: the workbook can't be read from this cell on; save it again"),
        ('t="n"><v>7', 't="s"><v>-1', "f.xlsx:2:2: the workbook can't be read from this cell on; save it again"),
        ('r="B2"', 'r="B2" s="99"', "f.xlsx:2:2: the workbook can't be read from this cell on; save it again"),
        ('<row r="3"', "<row <", "f.xlsx:2:3: the workbook can't be read from this cell on; save it again"),
        ('<c r="B2" t="n"><v>7</v>', '<c t="n"><f>1+6</f>', "f.xlsx:2:2: the formula here has no stored value; open and"),
        ('r="A3" t="inlineStr"><is><t>b</t></is></c><c r="B3" t="n"><v>1</v>', "><v>1</v></c><c><f>1+6</f>", "f.xlsx:3:2: the formula here has"),
    ],
)  # fmt: skip
def test_faults_inside_a_workbook_are_told_at_their_cell(before: str, after: str, said: str) -> None:
    raw = patched(workbook(("a", 7, "x"), ("b", 1)), (before, after))
    try:
        found = [problem for _, problem in read_xlsx(raw, "f.xlsx", "").doubts]
    except ProblemsFound as refused:
        found = list(refused.problems)
    assert [str(problem)[: len(said)] for problem in found] == [said]


BOUNDS = {
    "a text of millions": ("a" * 3_000_000, "f.xlsx: the file can't be read as a workbook: a text in it has more than 1,048,576"),
    "a long text": ("a" * 200_000, "f.xlsx:3:1: a cell has more than 131,072 characters; shorten the text"),
    "many elements": ("</t></is></c>" + "<x/>" * 100_000 + "<c><is><t>", "f.xlsx: the file can't be read as a workbook: a row"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_of_a_workbook_name_the_limit(name: str) -> None:
    inside, said = BOUNDS[name]
    raw = patched(
        workbook(("a", 1)), ("</sheetData>", f'<row><c t="inlineStr"><is><t>{inside}</t></is></c></row></sheetData>')
    )
    with pytest.raises(ProblemsFound) as found:
        read_xlsx(raw, "f.xlsx", "")
    assert str(found.value).startswith(said)


def test_the_bound_of_all_parts_together_is_named_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MOST_TAGS", 100)
    with pytest.raises(
        ProblemsFound, match=r"more than 100 tags \(about .*\); save this table in a separate workbook, or as CSV UTF-8"
    ):
        read_xlsx(workbook(*[("a", 1)] * 20), "f.xlsx", "")


def test_without_the_package_the_way_out_is_said(book: TablesProject, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == "openpyxl":
            raise ImportError(name)
        return genuine(name, *rest)

    raw = workbook(("a", 1, "あ", "A"))
    monkeypatch.setattr(builtins, "__import__", without)
    assert book.problems(raw, NAME) == [
        "kites.xlsx: reading a workbook needs the package openpyxl; "
        "pip install openpyxl, or save the table as CSV UTF-8"
    ]


def cells(*rows: object) -> list[list[str]]:
    return read_ods(ods_file(ods_sheet(rows)), "f.ods", "").cells  # type: ignore[arg-type]


def test_cells_come_as_their_texts() -> None:
    noted = (
        '<table:table-cell office:value-type="string"><office:annotation><text:p>who?</text:p></office:annotation>'
        '<text:p>Fox<text:s text:c="3"/>and<text:tab/><text:span>Owl</text:span><text:line-break/>Eel</text:p></table:table-cell>'
    )
    assert cells(
        ["id", 3, 1.5, 2.0, True, False, "two\nlines", "", "last"],
        [
            noted,
            ods_cell("x", 'table:number-columns-repeated="2"'),
            ods_cell("", 'table:number-columns-repeated="2"'),
            "y",
        ],
    ) == [
        ["id", "3", "1.5", "2", "TRUE", "FALSE", "two\nlines", "", "last"],
        ["Fox   and\tOwl\nEel", "x", "x", "", "", "y"],
    ]


def test_rows_keep_their_numbers() -> None:
    gap = '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>'
    twice = f'<table:table-row table:number-rows-repeated="2">{ods_cell("b")}</table:table-row>'
    grouped = f"<table:table-row-group><table:table-row>{ods_cell('c')}</table:table-row></table:table-row-group>"
    assert cells(["id"], gap, twice, grouped) == [["id"], [], [], [], ["b"], ["b"], ["c"]]


DOUBTS = {
    '<table:table-cell office:value-type="time" office:time-value="PT1H"><text:p>1:00</text:p></table:table-cell>': "the cell contains a date or a time",
    '<table:table-cell table:formula="of:=[.A1]"/>': "the formula here has no stored value",
    '<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>': "the cell contains the error #N/A",
}  # fmt: skip


@pytest.mark.parametrize("cell", DOUBTS)
def test_what_has_no_honest_text_is_doubted(cell: str) -> None:
    """Times, errors and formulas that nobody worked out are told with their place, should their column count."""
    raw = ods_file(
        ods_sheet([["id", "x"], ["a", cell]]).replace(
            "<table:table ",
            '<table:table xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" ',
            1,
        )
    )
    ((reach, problem),) = read_ods(raw, "f.ods", "").doubts
    assert (list(reach), str(problem.place), problem.what) == ([2], "f.ods:2:2", DOUBTS[cell])


def test_a_hidden_sheet_is_refused_by_its_name() -> None:
    raw = ods_file(ods_sheet([["id"]]), ods_sheet([["id"]], "Old", "hidden"))
    with pytest.raises(ProblemsFound, match="the sheet 'Old' is hidden; unhide it, or name another"):
        read_ods(raw, "f.ods", "Old")
    with pytest.raises(ProblemsFound, match="the spreadsheet has no visible sheet"):
        read_ods(ods_file(ods_sheet([["id"]], "Old", "hidden")), "f.ods", "")


FAR = f"<table:table-row>{ods_cell('', 'table:number-columns-repeated=' + chr(34) + '900' + chr(34))}{ods_cell('x')}</table:table-row>"
SPACES = '<text:s text:c="999"/>'
BAD = {
    "columns beyond ZZ": (FAR, "f.ods:2: the row has cells beyond the column ZZ"),
    "a negative repetition": (f'<table:table-row table:number-rows-repeated="-1">{ods_cell("x")}</table:table-row>', "f.ods: the file can't be read"),
    "a huge repetition": (f'<table:table-row table:number-rows-repeated="{"9" * 5000}">{ods_cell("x")}</table:table-row>', "f.ods: the file can't be read"),
    "too many rows": (f'<table:table-row table:number-rows-repeated="200000">{ods_cell("x")}</table:table-row>', "f.ods:2: the row says that it is repeated"),
    "a row far below": (f'<table:table-row table:number-rows-repeated="999999">{ods_cell("")}</table:table-row><table:table-row>{ods_cell("x")}</table:table-row>', "f.ods:1000001: the table has more than 100,000 rows"),
    "depth": ("<text:p>" * 5000 + "</text:p>" * 5000, "f.ods: the file can't be read"),
    "runs of spaces": (f"<table:table-row><table:table-cell><text:p>{SPACES * 140}</text:p></table:table-cell></table:table-row>", "f.ods:2:1: a cell has more than 131,072 characters; shorten"),
    "a text of millions": (f"<table:table-row>{ods_cell('a' * 3_000_000)}</table:table-row>", "f.ods:2:1: a cell has more than 131,072"),
    "an attribute of millions": (f'<table:table-row><table:table-cell office:string-value="{"a" * 3_000_000}"/></table:table-row>', "f.ods: the file can't be read as a spreadsheet: a text in it has more than 1,048,576 bytes; shorten"),
    "a table in a cell": ("<table:table-row><table:table-cell><table:table/></table:table-cell></table:table-row>", "f.ods: the file can't be read"),
    "a number that is none": ('<table:table-row><table:table-cell office:value-type="float" office:value="x"/></table:table-row>', "f.ods: the file can't be read"),
    "infinity": ('<table:table-row><table:table-cell office:value-type="float" office:value="inf"/></table:table-row>', "f.ods: the file can't be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_made_up_files_are_refused(name: str) -> None:
    """Repetitions without end, depth and numbers that no spreadsheet writes: a problem at once, and no memory taken."""
    row, said = BAD[name]
    with pytest.raises(ProblemsFound) as found:
        read_ods(ods_file(ods_sheet([["id"], row])), "f.ods", "")
    assert str(found.value.problems[0]).startswith(said)


def test_damaged_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ods_file(ods_sheet([["id", "title"], *([f"a{n}", n] for n in range(60))]))
    chance, refused = random.Random(16), 0
    for _ in range(200):
        raw = bytearray(whole)
        for _ in range(3):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        try:
            read_ods(bytes(raw), "f.ods", "")
        except ProblemsFound as found:
            refused += 1
            assert found.problems[0].hint
    assert refused > 20
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("other.xml", "x")
    with pytest.raises(ProblemsFound, match="can't be read as a spreadsheet"):
        read_ods(stream.getvalue(), "f.ods", "")
    monkeypatch.setattr(workbooks, "MOST_PARTS", 100)
    with pytest.raises(
        ProblemsFound, match="more than 100 rows, cells and paragraphs; save this table in a separate spreadsheet"
    ):
        read_ods(whole, "f.ods", "")
    monkeypatch.setattr(workbooks, "MOST_ODS_UNPACKED", 100)
    with pytest.raises(
        ProblemsFound, match=r"unpack to .* bytes, more than 100; save this table in a separate spreadsheet"
    ):
        read_ods(whole, "f.ods", "")
