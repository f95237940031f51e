"""Tables as cells in the page: what they hold, what may be written there, and changes that leave other bytes alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.files import read_file
from generator.game.table_files import decode_table
from generator.live.draft_text import WrittenCell, read_cells
from generator.live.editor_project import GameNames

_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""The first bytes of a text, which name its encoding."""


class TableText:
    """The text of a CSV file, or of `data`, with its encoding. Raises ProblemsFound if it is no text."""

    def __init__(self, path: Path, shown: str, data: bytes | None = None):
        self._shown, self._raw = shown, read_file(path, "table") if data is None else data
        self._text = decode_table(self._raw, shown, japanese=True)
        self._mark = next((mark for mark in _MARKS if self._raw.startswith(mark)), b"")
        self._codec = _MARKS.get(self._mark, "utf-8" if self._text.encode() == self._raw else "cp932")
        self._starts = [0, *(at + 1 for at, sign in enumerate(self._text) if sign == "\n")]
        self.rows = list(read_cells(self._text))
        if self.rows and [cell.text for cell in self.rows[-1]] == [""]:
            self.rows.pop()  # behind the last line's end

    @property
    def separator(self) -> str:
        """Return the sign between two cells."""
        row = next((row for row in self.rows if len(row) > 1), None)
        return self._text[self._find(row[0])[1]] if row else ","

    def change(self, changes: list[Mapping[str, Any]]) -> bytes:
        """Return the file with other cells: each change has row and column (from 1) and text, or row and `gone`.

        Rows and cells that are missing are added. All other bytes stay.
        """
        edits: list[tuple[int, int, str]] = []
        added: dict[int, dict[int, str]] = {}
        for change in changes:
            row, column, text = change["row"] - 1, change.get("column", 0) - 1, change.get("text", "")
            if row < len(self.rows) and change.get("gone"):
                end = self._find(self.rows[row][-1])[1]
                edits.append((self._find(self.rows[row][0])[0], self._text.find("\n", end) + 1 or len(self._text), ""))
            elif row < len(self.rows) and column < len(self.rows[row]):
                start, end = self._find(self.rows[row][column])
                edits.append((start, end, self._quote(text, quoted=self._text[start:end].startswith('"'))))
            else:
                added.setdefault(row, {})[column] = text
        for row, cells in sorted(added.items()):
            have = len(self.rows[row]) if row < len(self.rows) else 0
            texts = [self._quote(cells.get(column, "")) for column in range(have, max(cells) + 1)]
            line = self.separator.join(texts)
            if have:
                end = self._find(self.rows[row][-1])[1]
                edits.append((end, end, f"{self.separator}{line}"))
            else:
                begin = self._line_end if self._text and not self._text.endswith("\n") and row == len(self.rows) else ""
                edits.append((len(self._text), len(self._text), f"{begin}{line}{self._line_end}"))
        return self._splice(edits)

    @property
    def _line_end(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    def _find(self, cell: WrittenCell) -> tuple[int, int]:
        """Return where a cell with its quotes begins and ends in the text."""
        start, end = self._starts[cell.line] + cell.start, self._starts[cell.last] + cell.end
        return start, end - self._text[start:end].endswith("\r")

    def _quote(self, text: str, *, quoted: bool = False) -> str:
        needs = quoted or any(sign in text for sign in (self.separator, '"', "\n", "\r")) or text != text.strip()
        return '"{}"'.format(text.replace('"', '""')) if needs else text

    def _encode(self, text: str) -> bytes:
        try:
            return text.encode(self._codec)
        except UnicodeEncodeError as error:
            what = f"the table is in Shift_JIS, which has no '{text[error.start]}'"
            raise ProblemsFound([Problem(Place(self._shown), what, "save the table as `CSV UTF-8`")]) from error

    def _splice(self, edits: list[tuple[int, int, str]]) -> bytes:
        """Return the bytes with parts of the text replaced; `edits` have start, end and new text."""
        pieces, done = [self._mark], 0
        byte = len(self._mark)
        for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
            length = len(self._text[done:start].encode(self._codec))
            pieces += [self._raw[byte : byte + length], self._encode(text)]
            byte += length + len(self._text[start:end].encode(self._codec))
            done = end
        return b"".join([*pieces, self._raw[byte:]])


def describe_table(table: TableText, names: GameNames | None, path: Path) -> dict[str, Any]:
    """Return a table as `rows` of texts, the `header`'s row (from 1), and the names that each column takes."""
    rows = [[cell.text for cell in row] for row in table.rows]
    columns, header = [], 1
    for column in range(1, max(map(len, rows), default=0) + 1):
        kind, field, row = names.find_column(path, column) if names else ("", "", 0)
        header = row or header
        found = names.list_field_values(kind, field) if names and field else []
        columns.append({"field": field, "names": [{"name": one.name, "about": one.about} for one in found]})
    return {"rows": rows, "header": header, "columns": columns}
