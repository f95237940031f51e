"""OpenDocument spreadsheets: what a cell of LibreOffice's says, and what a made-up or damaged file comes to."""

import io
import random
import zipfile

import pytest
from table_files import ods_cell, ods_file, ods_sheet

from generator.base.errors import ProblemsFound
from generator.game import ods_sheets
from generator.game.ods_sheets import read_ods


def cells(*rows: object) -> list[list[str]]:
    return read_ods(ods_file(ods_sheet(rows)), "f.ods", "").cells  # type: ignore[arg-type]


def test_cells_come_as_their_texts() -> None:
    """Numbers as they are, truth in capitals, lines, tabs and runs of spaces as they stand; notes on cells are no text."""
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
    monkeypatch.setattr(ods_sheets, "MOST_PARTS", 100)
    with pytest.raises(
        ProblemsFound, match="more than 100 rows, cells and paragraphs; save this table in a separate spreadsheet"
    ):
        read_ods(whole, "f.ods", "")
    monkeypatch.setattr(ods_sheets, "MOST_UNPACKED", 100)
    with pytest.raises(
        ProblemsFound, match=r"unpack to .* bytes, more than 100; save this table in a separate spreadsheet"
    ):
        read_ods(whole, "f.ods", "")
