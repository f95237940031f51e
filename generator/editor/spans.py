"""Where in a text a problem's place reaches to: from a line and column to the word, cell or line that is meant."""

import re
from pathlib import Path

from generator.dataclass import dataclass
from generator.editor.cells import cells_of
from generator.errors import Place, Unfit
from generator.files import read_file
from generator.load.tables.files import CSV

_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")
_WORD = re.compile(r"[^\s,\[\]{}:#<>=\"'()]+")
_TAG = re.compile(r"</?[\w:.-]+")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text: lines and characters from 0, the end not included."""

    line: int
    start: int
    last: int
    end: int


def lines_of(path: Path) -> list[str]:
    """The lines of a file as the editor has it, or as it was saved; none of one that can't be read."""
    try:
        return read_file(path, "table").decode("utf-8-sig", "replace").splitlines()
    except Unfit:
        return []


def span_of(path: Path, place: Place, lines: list[str]) -> Span:
    """What a place in a file means: without a column a whole line, without a line the first."""
    if path.suffix.lower() in CSV and place.line:
        return _cell(place, "\n".join(lines)) or _line(place.line - 1, lines)
    line = max(place.line - 1, 0)
    if line >= len(lines):
        return Span(max(len(lines) - 1, 0), 0, max(len(lines) - 1, 0), len(lines[-1]) if lines else 0)
    start = place.column - 1
    if start < 0:
        return _line(line, lines)
    if start >= len(lines[line]):
        return Span(line, len(lines[line]), line, len(lines[line]))
    found = next((one for form in (_QUOTED, _TAG, _WORD) if (one := form.match(lines[line], start))), None)
    return Span(line, start, line, found.end() if found else start + 1)


def _line(line: int, lines: list[str]) -> Span:
    text = lines[line] if line < len(lines) else ""
    return Span(line, len(text) - len(text.lstrip()), line, len(text.rstrip()))


def _cell(place: Place, text: str) -> Span | None:
    row = next((cells for number, cells in enumerate(cells_of(text), 1) if number == place.line), None)
    if not row:
        return None
    if not place.column:
        return Span(row[0].line, row[0].start, row[-1].last, row[-1].end)
    cell = row[min(place.column, len(row)) - 1]
    return Span(cell.line, cell.start, cell.last, cell.end)
