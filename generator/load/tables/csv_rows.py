"""The bytes of a CSV file to rows: its encoding and separator are decided, never guessed."""

import codecs
import csv
import re
from collections.abc import Iterator
from itertools import islice

from generator.errors import Place, Problem, ProblemsFound
from generator.load.tables.header import DEEPEST, Header
from generator.load.tables.rows import MOST_CELLS, Rows, has_content
from generator.load.wording import describe_value
from generator.model.resources import Told, untold

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars (|)"}
"""The separators that are recognised; a first row `sep=:` may name any other sign."""

_NO_SEPARATOR = frozenset("\"'.-_ \r\n")
"""Signs that stand in names of fields and ids, or around cells."""

MOST_LINES = 2_000_000
"""Lines of a file, twice as many as a sheet of Excel's has rows."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_BLOCK = 16
"""Excel looks at so many rows when it decides which empty cells at the end of a row it leaves out."""

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_NOT_JAPANESE = frozenset("\x80\xa0\uf8f0\uf8f1\uf8f2\uf8f3")
"""What the codec makes of bytes that Shift_JIS does not have."""


def read_csv(raw: bytes, shown: str, header: Header, told: Told = untold) -> Rows:
    """The rows of a file with such a header; ProblemsFound where it can't be read at all.

    It may be in Shift_JIS where one of the languages is Japanese.
    """
    if raw.startswith(b"PK\x03\x04"):
        raise _stop(shown, "the file is a workbook, and no text", "end its name in .xlsx or .ods")
    text = decode_table(raw, shown, any(lang.split("-")[0] == "ja" for lang in header.languages))
    if "\x00" in text:
        raise _stop(shown, "the file has null characters: it is no text, or UTF-16 without a mark", _SAVE)
    check_text(text, shown)
    rows = Rows(shown, text=True, told=told)
    said, text = _said_separator(text)
    if said:
        rows.add([])
    separator = said or _separator(text, header)
    for cells in _records(text, separator, rows):
        rows.add(cells)
    rows.header = header.found_in(rows.cells)
    _report_ragged_rows(rows, separator)
    _formulas(rows)
    return rows


_SAVE = "save it as `CSV UTF-8`"


def _stop(shown: str, what: str, hint: str, line: int = 0) -> ProblemsFound:
    return ProblemsFound([Problem(Place(shown, line), what, hint)])


def decode_table(raw: bytes, shown: str, japanese: bool) -> str:
    """The text of a file in UTF-8, UTF-16 with a mark, or else Shift_JIS if it may be; ProblemsFound for any other."""
    mark = next((mark for mark in _UTF_16 if raw.startswith(mark)), None)
    if mark:
        try:
            return raw[len(mark) :].decode(_UTF_16[mark])
        except UnicodeDecodeError as error:
            raise _stop(shown, "the file begins as UTF-16 but goes on otherwise", _SAVE) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        row = _row(raw[: error.start].decode("utf-8-sig")) or line
        byte = f"byte 0x{raw[error.start]:02X} in line {line} of the text is not UTF-8"
        if not japanese:
            raise _stop(shown, byte, _SAVE, row) from error
    try:
        text = raw.decode("cp932")
    except UnicodeDecodeError as error:
        raise _stop(shown, f"{byte}, and the file is not Shift_JIS either", _SAVE, row) from error
    if not _NOT_JAPANESE.isdisjoint(text):
        raise _stop(shown, f"{byte}, and the file is not Shift_JIS either", _SAVE, row)
    return text


def check_text(text: str, shown: str) -> None:
    """Raise ProblemsFound for a text with far more lines or separators than a table may have."""
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:
        raise _stop(shown, f"the file has more than {MOST_LINES:,} lines", "remove the empty lines below the table")
    if any(text.count(sign) > 2 * MOST_CELLS for sign in {*SEPARATORS, *text[4:5]}):
        raise _stop(shown, f"the table has more than {MOST_CELLS:,} cells", "split it among several kinds")


def text_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, as `csv.reader` wants them."""
    return (found[0] for found in _LINE.finditer(text))


def _row(before: str) -> int:
    """The row that this text ends in, fewer than its lines where cells have several; 0 where it has no end."""
    try:
        return sum(1 for _ in csv.reader(text_lines(f"{before}x")))
    except csv.Error:
        return 0


def _said_separator(text: str) -> tuple[str, str]:
    """The separator that a first row `sep=;` names, and the text after it; an empty one where there is none."""
    first, _, rest = text.partition("\n")
    start, sign = (said := first.strip("\r\"'"))[:4], said[4:]
    names = start == "sep=" and len(sign) == 1 and not sign.isalnum() and sign not in _NO_SEPARATOR
    return (sign, rest) if names else ("", text)


def _separator_name(separator: str) -> str:
    return SEPARATORS.get(separator, f"`{separator}`")


def _separator(text: str, header: Header) -> str:
    """The separator that finds most names in a header; the comma where none finds any."""

    def names(separator: str) -> int:
        first = list(_first_rows(text, separator))
        at = header.found_in(first)
        return header.names_in(first[at]) if at < len(first) else 0

    return max(SEPARATORS, key=names)


def _first_rows(text: str, separator: str) -> Iterator[list[str]]:
    """The rows in which a header may be, and those between them."""
    try:
        yield from islice(csv.reader(text_lines(text), delimiter=separator), 2 * DEEPEST)
    except csv.Error:
        return


def _records(text: str, separator: str, rows: Rows) -> Iterator[list[str]]:
    reader = csv.reader(text_lines(text), delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield [cell.replace("\r\n", "\n") for cell in cells] if "\r\n" in "".join(cells) else cells
    except csv.Error as error:
        row = len(rows.cells) + 1
        if "field larger" in str(error):
            what, hint = f"a cell has more than {csv.field_size_limit():,} characters", "is a double quote missing?"
        elif "unexpected end" in str(error):
            what, hint = "a double quote is opened in this row and not closed", "close it, or double it inside a text"
        else:
            what = (
                f"after a closing double quote stands neither one of the {_separator_name(separator)} nor the row's end"
            )
            hint = "double the quotes inside a text, and put the text in quotes"
        raise _stop(rows.shown, what, hint, row) from error


def _report_ragged_rows(rows: Rows, separator: str) -> None:
    """Rows with more or fewer cells than the header are problems, but for what Excel leaves out at the end."""
    wanted = len(rows.cells[rows.header]) if rows.header < len(rows.cells) else 0
    for start in range(0, len(rows.cells), _BLOCK):
        block = rows.cells[max(start, rows.header) : start + _BLOCK]
        by_excel = len({len(cells) for cells in block if cells}) == 1 and max(map(len, block)) > 1
        for index, cells in enumerate(block, max(start, rows.header)):
            if index == rows.header or not cells:
                continue
            if len(cells) < wanted and by_excel:
                cells.extend([""] * (wanted - len(cells)))
            elif len(cells) < wanted or has_content(cells[wanted:]):
                number = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
                what = f"the row has {number}, but the header has {wanted}"
                hint = f"separate them by {_separator_name(separator)}; a text that has some goes in double quotes"
                rows.problem((index + 1, min(len(cells), wanted + 1)), what, hint)


def _formulas(rows: Rows) -> None:
    for index, cells in enumerate(rows.cells):
        for column, cell in enumerate(cells, 1):
            if cell.startswith("="):
                what = f"the cell is a formula: {describe_value(cell)}"
                rows.doubt((index + 1, column), what, "write its value; a text that begins so needs `'` in front")
