"""Files of tables: read CSV as rows, find tables by file name or address, manage downloaded copies."""

import codecs
import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from itertools import islice
from pathlib import Path

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean, locate_fault
from generator.base.files import ProgressListener, Resources, is_file, is_inside, list_files, no_progress, read_file
from generator.game.table_header import DEEPEST, Header
from generator.game.table_rows import MOST_CELLS, TableRows, has_content
from generator.game.value_faults import describe_value

CSV, XLSX, ODS = (".csv", ".tsv", ".txt"), (".xlsx", ".xlsm"), (".ods",)
SUFFIXES = CSV + XLSX + ODS

_SHEET = re.compile(r"(.*?\.(?:xlsx|xlsm|ods)):(.*)\Z", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_SAVE_AS = {
    ".xls": "save it as an Excel workbook (.xlsx)",
    ".xlsb": "save it as an Excel workbook (.xlsx)",
    ".numbers": "export it from Numbers as CSV or Excel",
    ".fods": "save it as .ods",
    ".gsheet": "write the address of the sheet, https://docs.google.com/spreadsheets/..., and run `pnp pull`",
    ".json": "save it as .csv or .xlsx",
    ".html": "save it as .csv or .xlsx",
}
"""Remedies for other formats of tables."""


def split_sheet_name(named: str) -> tuple[str, str]:
    """Return the name or address of a file, and the sheet's name after a colon, or ""."""
    found = _SHEET.match(named)
    return (found[1], found[2].strip()) if found else (named.strip(), "")


def is_address(named: str) -> bool:
    """Return True if a table is named by its address on the web."""
    return bool(_ADDRESS.match(named))


def read_rows(folder: Path, beside: Path, named: str, place: Place, header: Header, resources: Resources) -> TableRows:
    """Return the rows of `deck.csv`, `deck.xlsx:Sheet` (near the file `beside`) or an address. Raise ProblemsFound."""
    name, sheet = split_sheet_name(named)
    path = (
        find_pulled_copy(folder, name, place, resources)
        if is_address(name)
        else _find_file(folder, beside, name, named, place)
    )
    shown = resources.display_path(path) + (f":{sheet}" if sheet else "")
    with locate_fault(Place(shown)):
        raw = read_file(path, "table")
    return parse_rows(raw, path.suffix.lower(), shown, sheet, header, resources)


def parse_rows(raw: bytes, suffix: str, shown: str, sheet: str, header: Header, resources: Resources) -> TableRows:
    """Return the rows in a file's bytes, read by its extension (`.csv`). Raise ProblemsFound if they can't be read."""
    if suffix in (*XLSX, *ODS):
        from generator.game.workbooks import read_ods, read_xlsx

        return (read_xlsx if suffix in XLSX else read_ods)(raw, shown, sheet, resources.told)
    return read_csv(raw, shown, header, resources.told)


def _find_file(folder: Path, beside: Path, name: str, named: str, place: Place) -> Path:
    path = beside / name
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        what = f"designs is '{named}', which is neither a list nor a table"
        if suffix in _SAVE_AS:
            what = f"pnp can't read the format of the table '{named}'"
        hint = _SAVE_AS.get(suffix, "write a list, or a file that ends in .csv, .tsv, .txt, .xlsx or .ods")
        raise ProblemsFound([Problem(place, what, hint)])
    if not is_inside(path, folder):
        what = f"the table '{name}' is outside the game's folder"
        raise ProblemsFound([Problem(place, what, "copy it to this folder")])
    if not is_file(path):
        known = sorted(file.name for file in list_files(folder) if file.suffix.lower() in SUFFIXES)
        raise ProblemsFound(
            [Problem(place, f"there is no table '{name}' next to this file", did_you_mean(name, known))]
        )
    return path


SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars (|)"}
"""The separators that are recognised. A first row `sep=:` may name any other character."""

_NO_SEPARATOR = frozenset("\"'.-_ \r\n")
"""Characters in names of fields and ids, or around cells."""

MOST_LINES = 2_000_000
"""Maximum number of lines in a file: twice the rows of a sheet in Excel."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_BLOCK = 16
"""Number of rows in which Excel decides together which empty cells at the end it leaves out."""

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_NOT_JAPANESE = frozenset("\x80\xa0\uf8f0\uf8f1\uf8f2\uf8f3")
"""The codec's results for bytes that Shift_JIS does not have."""


def read_csv(raw: bytes, shown: str, header: Header, progress: ProgressListener = no_progress) -> TableRows:
    """Return the rows of a CSV file; `header` helps to guess its separator. Raise ProblemsFound if it can't be read."""
    if raw.startswith(b"PK\x03\x04"):
        raise _make_problem(shown, "the file is a workbook, not a text file", "change its name to end in .xlsx or .ods")
    text = decode_table(raw, shown, any(lang.split("-")[0] == "ja" for lang in header.languages))
    if "\x00" in text:
        raise _make_problem(
            shown, "the file has null characters; it is not text, or it is UTF-16 without a mark", _SAVE
        )
    check_text(text, shown)
    rows = TableRows(shown, text=True, told=progress)
    first, _, rest = text.partition("\n")
    start, separator = (plain := first.strip("\r\"'"))[:4], plain[4:]
    if start == "sep=" and len(separator) == 1 and not separator.isalnum() and separator not in _NO_SEPARATOR:
        text = rest  # the first row only names the separator
        rows.add([])
    else:
        separator = _guess_separator(text, header)
    for cells in _read_records(text, separator, rows):
        rows.add(cells)
    rows.header = header.find_header(rows.cells)
    _report_ragged_rows(rows, separator)
    for index, cells in enumerate(rows.cells):
        for column, cell in enumerate(cells, 1):
            if cell.startswith("="):
                what = f"the cell is a formula: {describe_value(cell)}"
                rows.add_doubt((index + 1, column), what, "write its result; if it is a text, put `'` in front")
    return rows


_SAVE = "save it as `CSV UTF-8`"


def _make_problem(shown: str, what: str, hint: str, line: int = 0) -> ProblemsFound:
    return ProblemsFound([Problem(Place(shown, line), what, hint)])


def decode_table(raw: bytes, shown: str, japanese: bool) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a mark, or Shift_JIS if allowed. Else raise ProblemsFound."""
    mark = next((mark for mark in _UTF_16 if raw.startswith(mark)), None)
    if mark:
        try:
            return raw[len(mark) :].decode(_UTF_16[mark])
        except UnicodeDecodeError as error:
            raise _make_problem(shown, "the file starts as UTF-16 but continues in another encoding", _SAVE) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        row = _count_rows(raw[: error.start].decode("utf-8-sig")) or line
        byte = f"byte 0x{raw[error.start]:02X} in line {line} of the text is not UTF-8"
        if not japanese:
            raise _make_problem(shown, byte, _SAVE, row) from error
    try:
        text = raw.decode("cp932")
    except UnicodeDecodeError as error:
        raise _make_problem(shown, f"{byte}, and the file is not Shift_JIS either", _SAVE, row) from error
    if not _NOT_JAPANESE.isdisjoint(text):
        raise _make_problem(shown, f"{byte}, and the file is not Shift_JIS either", _SAVE, row)
    return text


def check_text(text: str, shown: str) -> None:
    """Raise ProblemsFound for a text with far more lines or separators than a table may have."""
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:
        what = f"the file has more than {MOST_LINES:,} lines"
        raise _make_problem(shown, what, "remove the empty lines below the table")
    if any(text.count(sign) > 2 * MOST_CELLS for sign in {*SEPARATORS, *text[4:5]}):
        raise _make_problem(shown, f"the table has more than {MOST_CELLS:,} cells", "split it into several kinds")


def iter_text_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, as `csv.reader` wants them."""
    return (found[0] for found in _LINE.finditer(text))


def _count_rows(before: str) -> int:
    """Return the row in which this part of a file ends, 0 if unreadable. Cells, and so rows, may contain line ends."""
    try:
        return sum(1 for _ in csv.reader(iter_text_lines(f"{before}x")))
    except csv.Error:
        return 0


def _guess_separator(text: str, header: Header) -> str:
    """Return the separator that yields the most known headings; the comma if none yields any."""

    def names(separator: str) -> int:
        first = list(_read_first_rows(text, separator))
        at = header.find_header(first)
        return header.count_names(first[at]) if at < len(first) else 0

    return max(SEPARATORS, key=names)


def _read_first_rows(text: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from islice(csv.reader(iter_text_lines(text), delimiter=separator), 2 * DEEPEST)
    except csv.Error:
        return


def _read_records(text: str, separator: str, rows: TableRows) -> Iterator[list[str]]:
    reader = csv.reader(iter_text_lines(text), delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield [cell.replace("\r\n", "\n") for cell in cells] if "\r\n" in "".join(cells) else cells
    except csv.Error as error:
        row = len(rows.cells) + 1
        if "field larger" in str(error):
            what, hint = f"a cell has more than {csv.field_size_limit():,} characters", "is a double quote missing?"
        elif "unexpected end" in str(error):
            what, hint = "a double quote in this row is never closed", "close it, or double it inside a text"
        else:
            what = "text follows a closing double quote"
            hint = "double the quotes inside a text, and put the text in quotes"
        raise _make_problem(rows.shown, what, hint, row) from error


def _report_ragged_rows(rows: TableRows, separator: str) -> None:
    """Report rows with more or fewer cells than the header. Accept cells that Excel leaves out at the end."""
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
                mark = SEPARATORS.get(separator, f"`{separator}`")
                hint = f"write {wanted} cells separated by {mark}; leave cells without a value empty"
                if len(cells) > wanted:
                    hint = f"put each text that contains {mark} in double quotes"
                rows.add_problem((index + 1, min(len(cells), wanted + 1)), what, hint)


# The copies are those fetched by `pnp pull`. Nothing here uses the network.

FOLDER = "pulled"
"""The folder of the copies, inside a game's folder."""

NOTE = "pulled.json"
"""The list of the copies, one on each line."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\.(?:csv|xlsx|ods)\Z")


@dataclass(frozen=True, slots=True)
class PulledTable:
    """A copy: its address in the data, its file in `pulled/`, when it was fetched (UTC), its checksum."""

    address: str
    file: str
    fetched: str
    sha256: str


_UNREAD = PulledTable("", "", "", "")


def read_note(folder: Path, resources: Resources) -> list[PulledTable]:
    """Return the copies of a game's web tables, [] without any. Raise ProblemsFound if their note is damaged."""
    path = folder / FOLDER / NOTE
    if not is_file(path):
        return []
    try:
        listed = json.loads(read_file(path, "note"))
        kept = [PulledTable(**entry) for entry in listed]
    except (InvalidInput, ValueError, TypeError, RecursionError):
        kept = [_UNREAD]
    if all(isinstance(getattr(one, key.name), str) for one in kept for key in fields(PulledTable)) and all(
        _NAME.match(one.file) for one in kept
    ):
        return kept
    what = "the list of downloaded tables can't be read"
    raise ProblemsFound([Problem(Place(resources.display_path(path)), what, "delete it and run `pnp pull`")])


def format_note(kept: Iterable[PulledTable]) -> bytes:
    """Return the note's file: a line for each copy, so that versions can be compared."""
    lines = ",\n".join(
        f"  {json.dumps(asdict(one), ensure_ascii=False)}" for one in sorted(kept, key=lambda one: one.file)
    )
    return f"[\n{lines}\n]\n".encode()


def find_pulled_copy(folder: Path, address: str, place: Place, resources: Resources) -> Path:
    """Return the path of the copy of this address's table. Raise ProblemsFound if it is missing or was edited."""
    kept = next((one for one in read_note(folder, resources) if one.address == address), None)
    path = folder / FOLDER / kept.file if kept else folder
    if kept is None or not is_file(path) or not is_inside(path, folder):
        raise ProblemsFound([Problem(place, "this table was never downloaded", "run `pnp pull`")])
    with locate_fault(Place(resources.display_path(path))):
        raw = read_file(path, "table")
    if not is_unchanged(raw, kept):
        what = f"this copy was changed after its download ({kept.fetched[:10]})"
        hint = f"change the table at its address and run `pnp pull`, or write `{FOLDER}/{kept.file}` in its place"
        raise ProblemsFound([Problem(Place(resources.display_path(path)), what, hint)])
    return path


def is_unchanged(raw: bytes, pulled: PulledTable) -> bool:
    """Return True if a copy is as fetched, apart from line ends, which git may have changed."""
    unix = raw.replace(b"\r\n", b"\n")
    return pulled.sha256 in {sha256(form).hexdigest() for form in (raw, unix, unix.replace(b"\n", b"\r\n"))}
