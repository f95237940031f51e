"""Workbooks of Excel (.xlsx) and OpenDocument (.ods): check their bounds, and read a sheet as rows of texts for CSV."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from math import isfinite
from typing import Any, NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from generator.base.archives import ARCHIVE_ERRORS, iter_xml_pieces, open_archive
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import ProgressListener, no_progress
from generator.base.geometry import format_num
from generator.game.source import Spot
from generator.game.table_rows import (
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_LETTERS,
    MOST_ROWS,
    TableRows,
    has_content,
    make_long_cell_problem,
    make_sheet_problem,
    report_damage,
)

MOST_UNPACKED = 512 * 1024 * 1024
"""Maximum bytes of a workbook's unpacked parts: a larger workbook is malicious."""

MOST_TAGS = 8_000_000
"""Maximum tags of all parts: those of 100,000 rows of 19 numbers or shared texts, some 15 seconds of work."""

_MOST_OF: Mapping[str, int] = {"xl/worksheets/": MOST_TAGS, "xl/sharedStrings": 2_000_000, "": 200_000}
"""Maximum tags of a part, by the beginning of its name."""

_NOT_READ = (
    "xl/calcChain", "xl/charts/", "xl/comments", "xl/drawings/", "xl/embeddings/", "xl/media/", "xl/pivot",
    "xl/tables/", "xl/threadedComments",
)  # fmt: skip
_MARKS = ("row", "si")
_MOST_ELEMENTS, _MOST_BYTES, _DEEPEST = 100_000, 16 * 1024 * 1024, 100
"""Elements and bytes from one row, or one shared text, to the next; nesting of elements."""

_ALONE = "save this table in a separate workbook"


def check_bounds(archive: zipfile.ZipFile) -> None:
    """Raise InvalidInput for a workbook that takes far more time or memory to read than any table needs."""
    size = sum(entry.file_size for entry in archive.infolist())
    if size > MOST_UNPACKED:
        raise InvalidInput(f"the workbook unpacks to {size:,} bytes, more than {MOST_UNPACKED:,}", _ALONE)
    left = MOST_TAGS
    for name in archive.namelist():
        if name.startswith(_NOT_READ):
            continue
        start = next(start for start in _MOST_OF if name.startswith(start))
        most, tags, rows = min(left, _MOST_OF[start]), 0, _RowBounds()
        for piece in iter_xml_pieces(archive, name):
            tags += piece.count(b"<")
            if tags > most and most < left:
                raise InvalidInput(f"'{name}' in it has more than {most:,} tags", _ALONE)
            if tags > most:
                as_in = "about 1,300,000 cells with formulas, or 1,900,000 without"
                raise InvalidInput(f"it has more than {MOST_TAGS:,} tags ({as_in})", f"{_ALONE}, or as CSV UTF-8")
            if start:
                rows.read(piece)
        left -= tags


class _RowBounds:
    """A check of each row, or shared text, of a part. It ignores malformed XML, which the reader reports."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._start_element, self._end_element
        self._depth = self._elements = self._cells = self._begun = self._read = 0
        self._broken = False

    def read(self, piece: bytes) -> None:
        """Check the next piece of the part. Raise InvalidInput for a row that is far too large."""
        self._read += len(piece)
        try:
            if not self._broken:
                self._parser.Parse(piece)
        except expat.ExpatError:
            self._broken = True
        if not self._broken and self._read - self._begun > 2 * _MOST_BYTES:
            self._check_bytes(self._read)

    def _start_element(self, tag: str, _given: Mapping[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > _DEEPEST or self._elements > _MOST_ELEMENTS:
            what = f"a row in it has more than {_MOST_ELEMENTS:,} elements, or more than {_DEEPEST} levels"
            raise InvalidInput(what, _ALONE)
        name = tag.rpartition(":")[2]
        if name == "c":
            self._cells += 1
            if self._cells > MOST_CELLS:
                raise InvalidInput(f"a sheet in it has more than {MOST_CELLS:,} cells, empty ones too", _ALONE)
        elif name in _MARKS:
            self._check_bytes(self._parser.CurrentByteIndex)
            self._elements, self._begun = 0, self._parser.CurrentByteIndex

    def _end_element(self, _tag: str) -> None:
        self._depth -= 1

    def _check_bytes(self, at: int) -> None:
        if at - self._begun > _MOST_BYTES:
            raise InvalidInput(f"a row in it has more than {_MOST_BYTES:,} bytes", "shorten the texts")


_AS_SHOWN = ("General", "@", "0")
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_UNTOLD = re.compile(rb"<(?:\w+:)?(?:f|mergeCell)[\s/>]")
_MOST_ROWS = 1_048_576
"""Number of rows in a workbook."""

_BROKEN: tuple[type[Exception], ...] = (*ARCHIVE_ERRORS, AttributeError, SyntaxError, TypeError)
"""The exceptions that reading a damaged workbook can raise: its parts contradict each other in any way."""

_WORK_OUT = "open and save the workbook in a spreadsheet program, or write the value"
_ANEW = "save it again as an Excel workbook (.xlsx), without a password"


def read_xlsx(raw: bytes, shown: str, sheet: str, progress: ProgressListener = no_progress) -> TableRows:
    """Return the rows of the named sheet, or of the first visible one. Raise ProblemsFound if there is none."""
    try:
        import openpyxl
    except ImportError as error:
        what = "reading a workbook needs the package openpyxl"
        hint = "pip install openpyxl, or save the table as CSV UTF-8"
        raise ProblemsFound([Problem(Place(shown), what, hint)]) from error
    rows = TableRows(shown, told=progress)
    with report_damage(shown, "workbook", _ANEW, _BROKEN), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about charts and styles that are not read
        with open_archive(raw) as archive:
            check_bounds(archive)
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
        chosen = _find_sheet(book, shown, sheet)
        _read_rows(chosen, rows)
        _report_cell_faults(raw, chosen, rows)
    return rows


def _find_sheet(book: Any, shown: str, name: str) -> Any:
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    if not name and visible:
        return visible[0]
    found = next((sheet for sheet in book.worksheets if sheet.title == name), None)
    if found in visible:
        return found
    titles = [sheet.title for sheet in visible]
    raise make_sheet_problem(shown, "workbook", name, titles, hidden=found is not None)


def _report_cell_faults(raw: bytes, sheet: Any, rows: TableRows) -> None:
    """Report merged cells, and formulas without a stored value: a reader of values does not show them."""
    with open_archive(raw) as archive:
        part = archive.read(sheet._worksheet_path)
    if not _UNTOLD.search(part):
        return
    row, column = 1, 0
    for _, element in ElementTree.iterparse(io.BytesIO(part)):  # noqa: S314 - expat refuses entities that grow
        if element.tag == f"{_SHEET}mergeCell":
            cells = element.get("ref", "")
            first, _, last = cells.partition(":")
            top, left = _parse_cell_name(first) or (0, 0)
            what = f"the cells {cells} are merged: only the first of them has a value"
            width = min((_parse_cell_name(last) or (0, left))[1], MOST_COLUMNS) - left + 1
            rows.add_doubt((top, left), what, "split them and fill each cell", max(width, 1))
        elif element.tag == f"{_SHEET}c":
            row, column = _parse_cell_name(element.get("r", "")) or (row, column + 1)
            if element.find(f"{_SHEET}f") is not None:
                value = element.find(f"{_SHEET}v")
                if value is None or not (value.text or element.get("t") == "str"):  # an empty text is a value
                    rows.add_doubt((row, column), "the formula here has no stored value", _WORK_OUT)
            element.clear()
        elif element.tag == f"{_SHEET}row":
            row, column = row + 1, 0
            element.clear()


def _parse_cell_name(cell: str) -> Spot | None:
    """Return the row and column of a cell's name; None without a name, if the cell follows the one before."""
    from openpyxl.utils.cell import coordinate_to_tuple

    if not cell:
        return None
    row, column = coordinate_to_tuple(cell)
    return int(row), int(column)


class _Strings(list[str]):
    """The texts of a workbook. Unlike in a list, a negative index raises IndexError."""

    def __getitem__(self, number: Any) -> Any:
        if number < 0:
            raise IndexError(number)
        return super().__getitem__(number)


def _read_rows(sheet: Any, rows: TableRows) -> None:
    """Add every row to `rows` as texts, including empty ones. Raise ProblemsFound at the cell that can't be read."""
    from openpyxl.cell.read_only import ReadOnlyCell
    from openpyxl.worksheet._reader import WorkSheetParser

    book, before = sheet.parent, 0
    with sheet._get_source() as part:
        # It reads existing cells only, and does not fill gaps before a forged number of a row or cell.
        formats = {"date_formats": book._date_formats, "timedelta_formats": book._timedelta_formats}
        parser = WorkSheetParser(part, _Strings(sheet._shared_strings), data_only=True, epoch=book.epoch, **formats)
        try:
            for number, found in parser.parse():
                if not before < number <= _MOST_ROWS:
                    wrong = f"{number} again" if number <= before else f"{str(number)[:20]}, which no workbook has"
                    what = f"the row after this one has the number {wrong}"
                    raise ProblemsFound([Problem(Place(rows.shown, before), what, _ANEW)])
                for _ in range(before + 1, number):
                    rows.add([])
                texts: list[str] = []
                for cell in found:
                    parser.col_counter = cell["column"]
                    _check_column(number, cell["column"], len(texts), rows)
                    texts += [""] * (cell["column"] - 1 - len(texts))
                    shown = ReadOnlyCell(sheet, **cell)
                    texts.append("" if shown.value is None else _read_cell_text(shown, (number, cell["column"]), rows))
                while texts and not texts[-1]:
                    texts.pop()
                rows.add(texts)
                before = number
        except _BROKEN as error:
            what = "the workbook can't be read from this cell on"
            place = Place(rows.shown, parser.row_counter, parser.col_counter)
            raise ProblemsFound([Problem(place, what, _ANEW)]) from error


def _check_column(row: int, column: int, before: int, rows: TableRows) -> None:
    if column > MOST_COLUMNS:
        from openpyxl.utils.cell import get_column_letter

        what = f"the row has a cell in the column {get_column_letter(column)}; a table has at most ZZ"
        raise ProblemsFound([Problem(Place(rows.shown, row, column), what, "clear the cells outside the table")])
    if column <= before:
        what = "the row has this cell twice, or after a later one"
        raise ProblemsFound([Problem(Place(rows.shown, row, column), what, _ANEW)])


def _read_cell_text(cell: Any, spot: Spot, rows: TableRows) -> str:
    """Return a non-empty cell as text. Report dates and errors to `rows`, and numbers whose format may change them."""
    value = cell.value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        if cell.number_format not in _AS_SHOWN:
            rows.altered[spot] = f"in the format '{cell.number_format}'"
        return str(int(value)) if float(value).is_integer() else format_num(value)
    if isinstance(value, (date, time, timedelta)):
        rows.add_doubt(spot, "the cell contains a date or a time", "format the column as Text and type it again")
        return str(value)
    if cell.data_type == "e":
        rows.add_doubt(spot, f"the cell contains the error {value}", "correct its formula, or write the value")
    return str(value).replace("\r\n", "\n")


MOST_ODS_UNPACKED = 256 * 1024 * 1024
"""Maximum bytes of the unpacked sheets: a larger archive is malicious."""

MOST_PARTS = 4_000_000
"""Maximum number of rows, cells and paragraphs, including empty ones: a table of 100,000 rows and 19 columns."""

_CONTENT = "content.xml"
_ODS_DEEPEST = 200
_ODS_ANEW = "save it again as an OpenDocument spreadsheet (.ods), without a password"
_NAMES = {
    "urn:oasis:names:tc:opendocument:xmlns:table:1.0": "table",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "office",
    "urn:oasis:names:tc:opendocument:xmlns:text:1.0": "text",
    "urn:oasis:names:tc:opendocument:xmlns:style:1.0": "style",
    "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
}
_ODS_BROKEN: tuple[type[Exception], ...] = (*ARCHIVE_ERRORS, expat.ExpatError)
"""The exceptions that reading a damaged document can raise."""


def read_ods(raw: bytes, shown: str, sheet: str, progress: ProgressListener = no_progress) -> TableRows:
    """Return the rows of the named sheet, or of the first visible one. Raise ProblemsFound if there is none."""
    rows = TableRows(shown, told=progress)
    reader = _OdsReader(rows, sheet)
    with report_damage(shown, "spreadsheet", _ODS_ANEW, _ODS_BROKEN), open_archive(raw) as archive:
        size = archive.getinfo(_CONTENT).file_size
        if size > MOST_ODS_UNPACKED:
            what = f"the sheets unpack to {size:,} bytes, more than {MOST_ODS_UNPACKED:,}"
            hint = "save this table in a separate spreadsheet"
            raise ProblemsFound([Problem(Place(shown), what, hint)])
        reader.read(iter_xml_pieces(archive, _CONTENT))
    if not reader.done:
        raise make_sheet_problem(shown, "spreadsheet", sheet, reader.visible, hidden=sheet in reader.hidden)
    return rows


class _OdsReader:
    def __init__(self, rows: TableRows, wanted: str):
        self.rows, self.wanted = rows, wanted
        self.visible: list[str] = []
        self.hidden_styles: set[str] = set()
        self.hidden: set[str] = set()
        self.done = False
        self._path: list[str] = []
        self._style = ""
        self._inside = False
        self._row, self._row_times = 0, 1
        self._cells: list[str] = []
        self._cell: Mapping[str, str] = {}
        self._texts: list[str] = []
        self._length = 0
        self._unread = 0
        self._count = self._parts = 0
        self._doubts: list[tuple[int, str, str, int]] = []

    def read(self, pieces: Iterable[bytes]) -> None:
        """Add the wanted sheet to `rows` and set `done` if it is there. Raise ProblemsFound or one of _ODS_BROKEN."""
        parser = expat.ParserCreate(namespace_separator="\n")
        parser.StartDoctypeDeclHandler = _refuse_declaration
        parser.EntityDeclHandler = _refuse_declaration
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._read_characters
        parser.buffer_text = True
        for piece in pieces:
            parser.Parse(piece)
        parser.Parse(b"", True)

    def _start_element(self, name: str, given: dict[str, str]) -> None:
        tag = _short_name(name)
        self._path.append(tag)
        self._parts += 1
        if len(self._path) > _ODS_DEEPEST:
            raise ValueError("nested too deeply")
        if self._parts > MOST_PARTS:
            what = f"the file has more than {MOST_PARTS:,} rows, cells and paragraphs"
            hint = "save this table in a separate spreadsheet"
            raise ProblemsFound([Problem(Place(self.rows.shown), what, hint)])
        if self._unread or tag in ("office:annotation", "table:shapes", "table:tracked-changes"):
            self._unread += 1
            return
        said = {_short_name(key): value for key, value in given.items()}
        if tag == "style:style":
            self._style = said.get("style:name", "")
        elif tag == "style:table-properties" and said.get("table:display") == "false":
            self.hidden_styles.add(self._style)
        elif tag == "table:table":
            if "table:table-cell" in self._path:
                raise ValueError("a table inside a cell")
            name = said.get("table:name", "")
            if said.get("table:style-name") in self.hidden_styles:
                self.hidden.add(name)
                return
            self.visible.append(name)
            self._inside = not self.done and self.wanted in ("", name)
            self.done = self.done or self._inside
        elif self._inside:
            self._start_part(tag, said)

    def _start_part(self, tag: str, said: Mapping[str, str]) -> None:
        if tag == "table:table-row":
            self._row_times = _read_repeats(said.get("table:number-rows-repeated"))
            self._cells, self._doubts = [], []
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            self._cell, self._texts, self._length = said, [], 0
        elif tag == "text:p":
            self._add_text("\n" if self._texts else "")
        elif self._texts:
            if tag == "text:s":
                self._add_text(" " * min(_read_repeats(said.get("text:c")), 1000))
            elif tag in ("text:tab", "text:line-break"):
                self._add_text("\t" if tag == "text:tab" else "\n")

    def _read_characters(self, letters: str) -> None:
        if self._inside and self._texts and not self._unread and "text:p" in self._path:
            self._add_text(letters)

    def _add_text(self, letters: str) -> None:
        self._length += len(letters)
        if self._length > MOST_LETTERS:
            raise make_long_cell_problem(self.rows.shown, self._row + 1, len(self._cells) + 1)
        self._texts.append(letters)

    def _end_element(self, name: str) -> None:
        self._path.pop()
        if self._unread:
            self._unread -= 1
            return
        tag = _short_name(name)
        if tag == "table:table":
            self._inside = False
        elif self._inside and tag in ("table:table-cell", "table:covered-table-cell"):
            self._end_cell()
        elif self._inside and tag == "table:table-row":
            self._end_row()

    def _end_cell(self) -> None:
        said, column = self._cell, len(self._cells) + 1
        text = self._read_cell_text((self._row + 1, column))
        times = _read_repeats(said.get("table:number-columns-repeated"))
        if not text:
            # Sheets end in a row of thousands of empty cells.
            self._cells += [""] * min(times, MOST_COLUMNS + 1 - len(self._cells))
        elif column + times - 1 > MOST_COLUMNS:
            what = "the row has cells beyond the column ZZ, where a table has to end"
            spot = Place(self.rows.shown, self._row + 1)
            raise ProblemsFound([Problem(spot, what, "clear the cells outside the table")])
        else:
            self._cells += [text] * times
            self._count += times * self._row_times
        width, height = (
            _read_repeats(said.get("table:number-columns-spanned")),
            _read_repeats(said.get("table:number-rows-spanned")),
        )
        if width > 1 or height > 1:
            what = "the cells that begin here are merged: only the first of them has a value"
            self._add_doubt(column, what, "split them and fill each cell", min(width, MOST_COLUMNS))
        self._texts = []

    def _end_row(self) -> None:
        while self._cells and not self._cells[-1]:
            self._cells.pop()
        said = has_content(self._cells)
        if said and (self._row_times > MOST_ROWS or self._count > MOST_CELLS):
            what = f"the row says that it is repeated: the table would have more than {MOST_CELLS:,} cells"
            spot = Place(self.rows.shown, self._row + 1)
            raise ProblemsFound([Problem(spot, what, "clear the cells outside the table")])
        if said:
            for _ in range(self._row_times):
                self.rows.add(list(self._cells))
        else:
            self.rows.skip_rows(self._row_times)
        for column, what, hint, width in self._doubts:
            self.rows.add_doubt((self._row + 1, column), what, hint, width)
        self._row += self._row_times

    def _add_doubt(self, column: int, what: str, hint: str, width: int = 1) -> None:
        self._doubts.append((column, what, hint, width))

    def _read_cell_text(self, spot: Spot) -> str:
        """Return the cell's value as text. Report a value without an unambiguous text as a doubt."""
        said, shown = self._cell, "".join(self._texts)
        kind = said.get("office:value-type") or said.get("calcext:value-type", "")
        if said.get("calcext:value-type") == "error":
            self._add_doubt(spot[1], f"the cell contains the error {shown}", "correct its formula, or write the value")
            return shown
        if kind in ("float", "percentage", "currency"):
            value = float(said.get("office:value", "x"))
            if not isfinite(value):
                raise ValueError("a number that no sheet has")
            text = str(int(value)) if value.is_integer() else format_num(value)
            if shown and shown != text:
                self.rows.altered[spot] = f"as '{shown}'"
            return text
        if kind in ("date", "time"):
            self._add_doubt(
                spot[1], "the cell contains a date or a time", "format the column as Text and type it again"
            )
            return shown
        if kind == "boolean":
            return said.get("office:boolean-value", "").upper()
        if "table:formula" in said and not kind:
            hint = "open and save the file in a spreadsheet program, or write the value"
            self._add_doubt(spot[1], "the formula here has no stored value", hint)
        return shown or said.get("office:string-value", "")


def _short_name(name: str) -> str:
    space, _, local = name.rpartition("\n")
    return f"{_NAMES.get(space, '')}:{local}"


def _read_repeats(text: str | None) -> int:
    number = int(text) if text else 1
    if not 0 < number < 10_000_000:
        raise ValueError("an impossible number of repetitions")
    return number


def _refuse_declaration(*_told: object) -> NoReturn:
    """Raise ValueError: spreadsheet programs write no documents that define entities."""
    raise ValueError("the document declares its own document type")
