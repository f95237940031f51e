"""Encodings, separators and quotes of CSV files: decided, or refused with a reason, never guessed."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables_project import TablesProject

from generator.base import files
from generator.base.errors import ProblemsFound
from generator.game import table_files, table_rows
from generator.game.table_designs import header_from_fields, read_table_designs
from generator.game.table_files import read_csv
from generator.game.table_header import Header

TABLE = "id,title.ja,title.en\na,日の出—①髙,Sun\n"
FIELDS = {"title": {"type": "words", "optional": True}, "note": {"type": "text", "optional": True}}
NAMES = header_from_fields(FIELDS, ["ja", "en"])
WESTERN = header_from_fields(FIELDS, ["en"])


def said(raw: bytes, header: Header = NAMES) -> list[str]:
    with pytest.raises(ProblemsFound) as found:
        read_csv(raw, "f.csv", header)
    return [str(problem) for problem in found.value.problems]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp932"])
def test_encodings_are_known_by_their_bytes(kites: TablesProject, encoding: str, ends: str) -> None:
    """UTF-8 with and without a mark, UTF-16 with one and Shift_JIS as Excel writes it hold the same table."""
    raw = TABLE.replace("—", "―").replace("\n", ends).encode(encoding)
    game = kites.load(b"\xfe\xff" + raw if encoding == "utf-16-be" else raw)
    assert game.kinds["kite"].designs[0].fields["title"]["ja"] == "日の出―①髙"


def test_other_encodings_are_refused() -> None:
    """Bytes that are neither UTF-8 nor Shift_JIS are a problem that names the first of them."""
    hint = "save it as `CSV UTF-8`"
    assert said("id,note\na,日本".encode("euc-jp") + b"\xfd\xff") == [
        f"f.csv:2: byte 0xC6 in line 2 of the text is not UTF-8, and the file is not Shift_JIS either; {hint}"
    ]
    assert said(b"id,note\na,\x80\n") == [
        f"f.csv:2: byte 0x80 in line 2 of the text is not UTF-8, and the file is not Shift_JIS either; {hint}"
    ]
    assert said(b"\xff\xfea") == [f"f.csv: the file starts as UTF-16 but continues in another encoding; {hint}"]
    assert said("id,note\na,b".encode("utf-16-le")) == [
        f"f.csv: the file has null characters; it is not text, or it is UTF-16 without a mark; {hint}"
    ]


def test_control_characters_in_cells_are_reported(kites: TablesProject) -> None:
    raw = 'id,title.ja,title.en,note\na,凧,"Red\x0bKite",Fly\n'
    assert kites.load(raw.encode()).kinds["kite"].designs[0].fields["title"]["en"] == "Red\nKite"
    with pytest.raises(ProblemsFound) as found:
        kites.load(raw.replace("Kite", "Ki\x07te").encode())
    assert [str(problem) for problem in found.value.problems] == [
        "data/kites/kites.csv:2:3: cell C2, column 'title.en': the cell has the control character U+0007; delete it"
    ]


def test_western_files_are_not_taken_for_japanese() -> None:
    """A Western Excel's `vélo` is valid Shift_JIS too: where no text is Japanese, it is refused and not made kanji."""
    western = "id,note\na,vélo\n".encode("cp1252")
    assert read_csv(western, "f.csv", NAMES).cells[1][1] != "vélo"
    assert said(western, WESTERN) == ["f.csv:2: byte 0xE9 in line 2 of the text is not UTF-8; save it as `CSV UTF-8`"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_header_decides_the_separator(kites: TablesProject, separator: str) -> None:
    """Whichever separator makes field names of the header is that of the file, whatever else stands in its texts."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(
        [["id", "title.ja", "title.en"], ["a", "一、二;三|四,五\t六", "a,b,c;d;e|f"], ["b", "い", ";;;;;;"]]
    )
    first, second = kites.load(text.getvalue()).kinds["kite"].designs
    assert first.fields["title"]["ja"] == "一、二;三|四,五\t六"
    assert first.fields["title"]["en"] == "a,b,c;d;e|f"
    assert second.fields["title"]["en"] == ";;;;;;"


def test_a_first_row_may_say_the_separator(kites: TablesProject) -> None:
    """Excel's `sep=;` is heeded, and rows are counted with it."""
    assert kites.load("sep=;\r\nid;title.ja;title.en\r\na;あ;A\r\n").kinds["kite"].count == 1
    assert kites.problems("sep=;\nid;title.ja;title.en\na;あ\n")[0].startswith(
        "kites.csv:3:2: row 3: the row has 2 cells"
    )


@pytest.mark.parametrize("sign", [":", "^", "~", "#", "¦", "，", "、", "\t"])
def test_any_sign_may_separate_if_the_first_row_says_so(kites: TablesProject, sign: str) -> None:
    """`sep=` names a sign that is not recognised by itself, and messages call it as it is written."""
    assert kites.load(f"sep={sign}\nid{sign}title.ja{sign}title.en\na{sign}あ{sign}A\n").kinds["kite"].count == 1
    said = kites.problems(f"sep={sign}\nid{sign}title.ja{sign}title.en\na{sign}あ\n")[0]
    assert f"cells separated by {'tabs' if sign == chr(9) else f'`{sign}`'};" in said


@pytest.mark.parametrize("sign", [" ", "a", "1", ".", "_", "-", "'", '"', "::", ""])
def test_what_can_not_separate_is_no_separator(kites: TablesProject, sign: str) -> None:
    """A sign of names, ids or quotes is not heeded: then the row is a title like any other above the header."""
    assert kites.load(f"sep={sign}\nid,title.ja,title.en\na,あ,A\n").kinds["kite"].count == 1


def test_rows_by_another_separator_are_said(kites: TablesProject) -> None:
    assert kites.problems("id;title.ja;title.en\na,あ,A\nb;い;B\n") == [
        "kites.csv:2:1: row 2: the row has 1 cell, but the header has 3; "
        "write 3 cells separated by semicolons; leave cells without a value empty"
    ]


def test_excels_blocks_of_short_rows_are_understood() -> None:
    header = "id,title.ja,title.en,note\n"
    full = "".join(f"a{n},あ,A,x\n" for n in range(15))
    short = "".join(f"b{n},い,B\n" for n in range(16))
    read = read_csv((header + full + short).encode(), "f.csv", NAMES)
    assert (read.problems, read.cells[16]) == ([], ["b0", "い", "B", ""])
    read = read_csv((header + full + short.replace("b5,い,B", "b5,い,B,")).encode(), "f.csv", NAMES)
    assert len(read.problems) == 15
    read = read_csv((header + full.replace("a3,あ,A,x", "a3,あ,A") + short).encode(), "f.csv", NAMES)
    assert [str(problem.place) for problem in read.problems] == ["f.csv:5:3"]


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('id,note\na,"x\nb,y\n', "f.csv:2: a double quote in this row is never closed; close it, or double it inside a text"),
        ('id,note\na,b\nb,"x"y\n', "f.csv:3: text follows a closing double quote; double the quotes inside a text, and put the text in quotes"),
        (f"id,note\na,{'x' * 131073}\n", "f.csv:2: a cell has more than 131,072 characters; is a double quote missing?"),
    ],
)  # fmt: skip
def test_quotes_out_of_place_are_said(table: str, problem: str) -> None:
    assert said(table.encode()) == [problem]


def test_limits_are_said(kites: TablesProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many rows or bytes are refused with the limit; empty rows below a table do not count."""
    monkeypatch.setattr(table_rows, "MOST_ROWS", 2)
    table = "id,note\na,\nb,\n"
    assert len(read_csv((table + ",\n" * 9).encode(), "f.csv", NAMES).cells) == 3
    assert said((table + "c,\n").encode()) == ["f.csv:4: the table has more than 2 rows; split it into several kinds"]
    monkeypatch.setitem(files.BOUNDS, "table", (10, files.BOUNDS["table"][1]))
    assert kites.problems(TABLE) == [
        f"kites.csv: the file has {len(TABLE.encode())} bytes, more than 10; split it into several kinds"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("raw", [b"\n", b"\r\n" * 40, b"\r" * 50, b" \n" * 40, b"\xef\xbb\xbf\n"])
def test_a_file_of_nothing_but_newlines_has_no_rows(raw: bytes) -> None:
    found = read_csv(raw, "f.csv", Header({}, ("en",)))
    assert found.cells == [] and not found.problems


def test_bounds_of_a_table_name_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header({}, ("en",))
    for raw, said in (
        (b"\n" * 4_000_001, "f.csv: the file has more than 2,000,000 lines; remove the empty lines below the table"),
        (b"," * 4_000_001, "f.csv: the table has more than 2,000,000 cells; split it into several kinds"),
        (
            b"a," * 703 + b"a",
            "f.csv:1: the row has 704 cells, and a table has at most 702 columns (A to ZZ); clear the cells",
        ),
    ):
        with pytest.raises(ProblemsFound) as found:
            read_csv(raw, "f.csv", header)
        assert str(found.value).startswith(said)
    monkeypatch.setattr(table_rows, "MOST_TEXT", 20)
    with pytest.raises(ProblemsFound, match="the table has more than 20 characters; split it into several kinds"):
        read_csv(b"0123456789\n0123456789a\n", "f.csv", header)


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_read() -> None:
    table = "id,note\n" + "".join(f"a{n},x\n" for n in range(100_000))
    header = header_from_fields({"note": "text"}, ["en"])
    designs = read_table_designs(read_csv(table.encode(), "f.csv", header), header)
    assert len(designs) == 100_000
    assert designs[-1] == {"id": "a99999", "note": "x"}
    assert designs.values_at[-1] == (100_001, 1)


CELLS = st.text(
    st.sampled_from("\",;|\t\n '=凧0a")
    | st.characters(exclude_characters="\ufffe\uffff", exclude_categories=["Cs", "Cc"])
)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1), st.sampled_from(list(table_files.SEPARATORS)), st.booleans())
def test_any_text_is_read_as_it_was_written(cells: list[tuple[str, str]], separator: str, bom: bool) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerows([("id", "note"), *((f"x{one}", other) for one, other in cells)])
    read = read_csv(text.getvalue().encode("utf-8-sig" if bom else "utf-8"), "f.csv", NAMES)
    assert [tuple(row) for row in read.cells[1:]] == [(f"x{one}", other) for one, other in cells]
    formulas = [other for _, other in cells if other.startswith("=")]
    assert len(read.doubts) == len(formulas)
