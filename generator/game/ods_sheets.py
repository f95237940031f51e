"""OpenDocument spreadsheets (.ods): read a sheet as rows, each cell with its text in CSV."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NoReturn
from xml.parsers import expat

from generator.base.archives import ARCHIVE_ERRORS, iter_xml_pieces, open_archive
from generator.base.errors import Place, Problem, ProblemsFound
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

MOST_UNPACKED = 256 * 1024 * 1024
"""Maximum bytes of the unpacked sheets: a larger archive is malicious."""

MOST_PARTS = 4_000_000
"""Maximum number of rows, cells and paragraphs, including empty ones: a table of 100,000 rows and 19 columns."""

_CONTENT = "content.xml"
_DEEPEST = 200
_ANEW = "save it again as an OpenDocument spreadsheet (.ods), without a password"
_NAMES = {
    "urn:oasis:names:tc:opendocument:xmlns:table:1.0": "table",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "office",
    "urn:oasis:names:tc:opendocument:xmlns:text:1.0": "text",
    "urn:oasis:names:tc:opendocument:xmlns:style:1.0": "style",
    "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
}
_BROKEN: tuple[type[Exception], ...] = (*ARCHIVE_ERRORS, expat.ExpatError)
"""The exceptions that reading a damaged document can raise."""


def read_ods(raw: bytes, shown: str, sheet: str, progress: ProgressListener = no_progress) -> TableRows:
    """Return the rows of the named sheet, or of the first visible one. Raise ProblemsFound if there is none."""
    rows = TableRows(shown, told=progress)
    reader = _Reader(rows, sheet)
    with report_damage(shown, "spreadsheet", _ANEW, _BROKEN), open_archive(raw) as archive:
        size = archive.getinfo(_CONTENT).file_size
        if size > MOST_UNPACKED:
            what = f"the sheets unpack to {size:,} bytes, more than {MOST_UNPACKED:,}"
            hint = "save this table in a separate spreadsheet"
            raise ProblemsFound([Problem(Place(shown), what, hint)])
        reader.read(iter_xml_pieces(archive, _CONTENT))
    if not reader.done:
        raise make_sheet_problem(shown, "spreadsheet", sheet, reader.visible, hidden=sheet in reader.hidden)
    return rows


class _Reader:
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
        """Read the document from its beginning to its end."""
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
        if len(self._path) > _DEEPEST:
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
