"""A table's text as cells that know where they stand, though somebody is writing in one of them."""

from collections.abc import Iterator

from generator.dataclass import dataclass
from generator.load.tables.csv_rows import SEPARATORS


@dataclass(frozen=True, slots=True)
class WrittenCell:
    """A cell with the quotes around it: lines and characters from 0, the end not included."""

    line: int
    start: int
    last: int
    end: int
    text: str


def cells_of(text: str) -> Iterator[list[WrittenCell]]:
    """The rows of a table; a row that says which sign parts the cells is one, as in a spreadsheet."""
    sign = _separator(text)
    row: list[WrittenCell] = []
    line, start, at, begin = 0, 0, 0, 0
    first_line, quoted = 0, False
    while at <= len(text):
        here = text[at : at + 1]
        if here == '"' and quoted and text.startswith('""', at):
            at += 1  # a quote within a text
        elif here == '"' and (quoted or at == begin):
            quoted = not quoted
        elif (here in (sign, "\n") and not quoted) or not here:
            cell = text[begin:at].rstrip("\r")
            row.append(WrittenCell(first_line, begin - start_of(text, begin), line, at - start, _unquoted(cell)))
            begin = at + 1
            if here != sign:
                yield row
                row = []
        if here == "\n":
            line, start = line + 1, at + 1
        if begin == at + 1:
            first_line = line
        at += 1


def start_of(text: str, at: int) -> int:
    """Where the line of an offset begins."""
    return text.rfind("\n", 0, at) + 1


def _separator(text: str) -> str:
    first = text.lstrip("\ufeff").split("\n", 1)[0].strip("\r\"'")
    if first.startswith("sep=") and len(first) == 5:
        return first[4]
    return max(SEPARATORS, key=first.count)


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell
