"""Lists and tables in texts: lines that begin with `- ` or `1. `, and rows between bars, apart from what is around."""

import re
from typing import Literal, NamedTuple, TypeAlias

from generator.model.markup import MarkupError

Side: TypeAlias = Literal["start", "middle", "end"]

_ITEM = re.compile(r"(?P<mark>[-*]|[0-9]{1,3}[.)])[ \t]+(?=\S)")
_ROW = re.compile(r"\|.*\|")
_SEPARATOR = re.compile(r"\|(?:\s*(?::?-{2,}:?|:-:?|-:)\s*\|)+")
_DEEPEST = 3


class ListItem(NamedTuple):
    """An item of a list: its mark (`-` for a bullet, else its number as it is written), and how deep it lies, from 0.

    `fresh`: there is an empty line before it.
    """

    mark: str
    depth: int
    words: str
    fresh: bool


class TextLines(NamedTuple):
    """Lines that are neither list nor table; `fresh` as an item's."""

    words: str
    fresh: bool


class TextTable(NamedTuple):
    """Rows of as many cells each; the first is the head where `headed`. `sides` is where each column's text stands."""

    rows: tuple[tuple[str, ...], ...]
    headed: bool
    sides: tuple[Side, ...]
    fresh: bool


def laid_out(text: str) -> tuple[TextLines | ListItem | TextTable, ...]:
    """A text in paragraphs, items and tables. Raises `MarkupError` for a row with other than its table's cells.

    A line that is indented further than the mark of the item before it goes on with that item.
    """
    return _Reader(text).read()


class _Reader:
    """One pass over the lines of a text."""

    def __init__(self, text: str):
        self._out: list[TextLines | ListItem | TextTable] = []
        self._fresh = False
        self._lines: list[tuple[str, int]] = []
        at = 0
        for line in text.split("\n"):
            self._lines.append((line, at))
            at += len(line) + 1

    def read(self) -> tuple[TextLines | ListItem | TextTable, ...]:
        at, indents = 0, [0]
        open_item = False
        while at < len(self._lines):
            line, offset = self._lines[at]
            own = line.strip()
            begin = offset + len(line) - len(line.lstrip())
            indent = begin - offset
            if not own:
                self._fresh, open_item = bool(self._out), False
                at += 1
            elif _ROW.fullmatch(own):
                at = self._table(at)
                open_item = False
            elif found := _ITEM.match(own):
                indents = self._indents(indents if self._in_list() else [], indent)
                words = own[found.end() :]
                self._add(ListItem(found["mark"], len(indents) - 1, words, self._fresh))
                open_item = True
                at += 1
            else:
                self._go_on(own, within=open_item and indent > indents[-1])
                open_item = open_item and indent > indents[-1]
                at += 1
        return tuple(self._out)

    def _in_list(self) -> bool:
        return bool(self._out) and isinstance(self._out[-1], ListItem)

    @staticmethod
    def _indents(before: list[int], indent: int) -> list[int]:
        """Where the marks of an item and of those that it lies in stand."""
        kept = [other for other in before if other < indent]
        same = [other for other in before if other >= indent]
        if len(kept) == len(before) and len(kept) < _DEEPEST:
            return [*kept, indent]
        return [*kept, indent] if same or not kept else kept

    def _go_on(self, text: str, *, within: bool) -> None:
        """A line that begins no item: it belongs to the item or the words before it, or begins words."""
        last = self._out[-1] if self._out and not self._fresh else None
        if isinstance(last, TextLines) or (within and isinstance(last, ListItem)):
            self._out[-1] = last._replace(words=f"{last.words}\n{text}")
        else:
            self._add(TextLines(text, self._fresh))

    def _add(self, block: TextLines | ListItem | TextTable) -> None:
        self._out.append(block)
        self._fresh = False

    def _table(self, at: int) -> int:
        """Reads the rows that begin at a line; the number of the line behind them."""
        rows: list[tuple[str, ...]] = []
        sides: tuple[Side, ...] = ()
        headed = False
        while at < len(self._lines) and _ROW.fullmatch(own := self._lines[at][0].strip()):
            line, offset = self._lines[at]
            begin = offset + len(line) - len(line.lstrip())
            cells = _cells(own, begin)
            if rows and len(cells) != len(rows[0]):
                count = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
                raise MarkupError(f"a row of a table has {count}, its first row has {len(rows[0])}", begin)
            if _SEPARATOR.fullmatch(own) and len(rows) == 1 and not headed:
                headed, sides = True, tuple(_side(cell) for cell in cells)
            else:
                rows.append(cells)
            at += 1
        self._add(TextTable(tuple(rows), headed, sides or (_side(""),) * len(rows[0]), self._fresh))
        return at


def _cells(row: str, offset: int) -> tuple[str, ...]:
    """What stands between the bars of a row; bars in braces are ruby's."""
    cells: list[str] = []
    start = at = 1
    deep = 0
    while at < len(row):
        char = row[at]
        if char == "\\":
            at += 1
        elif char in "{}":
            deep = max(0, deep + (1 if char == "{" else -1))
        elif char == "|" and not deep:
            cells.append(row[start:at].strip())
            start = at + 1
        at += 1
    if start < len(row):
        raise MarkupError("the last bar of a row of a table is within braces, or escaped; write | behind it", offset)
    return tuple(cells)


def _side(separator: str) -> Side:
    left, right = separator.startswith(":"), separator.endswith(":")
    return "middle" if left and right else "end" if right else "start"
