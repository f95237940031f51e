"""Draft texts: reads unfinished YAML and tables, and finds the place of each key, value and cell."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from generator.game.table_files import SEPARATORS

# The program itself reads with `data_reader`, which stops at errors, and the line at a cursor nearly always has one.
# What is read here is a guess, used only for hints at the cursor.

DataPath: TypeAlias = tuple[str | int, ...]
"""The path of a value: keys as written, and indexes of list entries from 0."""

_MARK = "\ue000"
"""A character that marks the cursor in the text."""

_KEY = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s\[\]{},#&*!|>'"%@`-][^\n]*?|-[^\s][^\n]*?)[ ]*:(?=\s|$)""")
_TAGGED = re.compile(r"[&!][^\s,\[\]{}]*[ ]+")
_BEGINS = re.compile(r"""[ ]*(?:-[ ]|["']?[\w*-][^\n{}\[\],]*?:(?:\s|$))""")
_WORD = re.compile(r"[^,:\[\]{}\n#]*")


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A key with its value, or a list entry, with the offsets of start and end of both.

    `key` is empty (start equals end) for entries. `value` is the text of a single value without quotes; `whole` marks
    mappings and lists in brackets. `loose` marks a word that may become a key once it has a colon.
    """

    path: DataPath
    key: tuple[int, int]
    span: tuple[int, int]
    value: str = ""
    whole: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """What is at the cursor: its data path, whether it is in a key, and the word there with its offsets.

    `before` is the part of the word before the cursor. `written` are the other values of the text.
    """

    path: DataPath
    in_key: bool
    word: str
    span: tuple[int, int]
    before: str
    loose: bool
    written: tuple[WrittenValue, ...]

    def get_value(self, *path: str | int) -> str:
        """Return the text of the value at a path, or '' if there is none or it is a list or mapping."""
        return next((one.value for one in self.written if one.path == path), "")

    @property
    def sibling_keys(self) -> set[str]:
        """Return the other keys of the mapping that contains the cursor."""
        above = self.path[:-1]
        return {str(one.path[-1]) for one in self.written if one.path[:-1] == above and one.path != self.path}

    @property
    def design(self) -> str:
        """Return the id of the design in which the cursor is, such as `reel/6-wheat`, or ''."""
        if len(self.path) < 4 or (self.path[0], self.path[2]) != ("components", "designs"):
            return ""
        at_id = self.path[4:] == ("id",) and not self.in_key
        name = self.word if at_id else self.get_value(*self.path[:4], "id")
        return f"{self.path[1]}/{name}" if name else ""


def read_written(text: str) -> tuple[WrittenValue, ...]:
    """Return all values of an unfinished YAML text in order, guessing where it is invalid."""
    return tuple(_Scan(text).scan_all())


def find_cursor(text: str, offset: int) -> Cursor | None:
    """Return what is at an offset of a text, or None within a comment or in empty space."""
    found = read_written(f"{text[:offset]}{_MARK}{text[offset:]}")
    here = [one for one in found if _MARK in one.value or _MARK in str(one.path[-1])]
    if not here:
        return None
    one = here[-1]
    in_key = one.loose or _MARK in str(one.path[-1])
    path = tuple(step.replace(_MARK, "") if isinstance(step, str) else step for step in one.path)
    word = str(one.path[-1]) if in_key else one.value
    start, end = one.key if in_key else one.span
    others = tuple(other for other in found if other is not one and _MARK not in str(other.path[-1]))
    return Cursor(path, in_key, word.replace(_MARK, ""), (start, end - 1), word.split(_MARK)[0], one.loose, others)


@dataclass(slots=True)
class _Level:
    """A mapping or list written on lines of its own: its indentation, path, and latest key or index."""

    column: int
    path: DataPath
    listed: bool
    last: str | int

    @property
    def current_path(self) -> DataPath:
        return (*self.path, self.last)


class _Scan:
    """Reads a text once: block YAML line by line, brackets character by character."""

    def __init__(self, text: str):
        self.text = text
        self.found: list[WrittenValue] = []
        self.levels: list[_Level] = []
        self.floor = 0
        self.cut = False

    def scan_all(self) -> list[WrittenValue]:
        at = 0
        while at < len(self.text):
            at = self._read_line(at)
        return self.found

    def _find_line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _read_line(self, offset: int) -> int:
        """Read a line and those on which its value continues. Return the offset of the next line."""
        end = self._find_line_end(offset)
        start = offset + _count_spaces(self.text, offset, end)
        column, line = start - offset, self.text[start:end]
        self.floor = column
        if not line.strip() or line.startswith(("#", "---", "%")):
            return end + 1
        entry: DataPath | None = None
        while line.startswith("- ") or line == "-":
            entry = self._begin_entry(column)
            width = 1 + _count_spaces(line, 1, len(line))
            start, column, line = start + width, column + width, line[width:]
        pair = _KEY.match(line)
        if pair and " #" not in pair[1]:
            name = _unquote_text(pair[1])
            self._close_levels(column)
            top = self.levels[-1] if self.levels else None
            if top is not None and top.column == column:
                top.last = name
            else:
                self.levels.append(_Level(column, top.current_path if top else (), False, name))
            path = self.levels[-1].current_path
            after = start + pair.end()
            after += _count_spaces(self.text, after, end)
            return self._read_value(path, (start, start + pair.end(1)), after, column)
        if entry is not None:
            return self._read_value(entry, (start, start), start, column - 1)
        self._add_loose_word(column, start, end)
        return end + 1

    def _begin_entry(self, column: int) -> DataPath:
        while self.levels and self.levels[-1].column > column:
            self.levels.pop()
        top = self.levels[-1] if self.levels else None
        if top is not None and top.listed and top.column == column:
            top.last = int(top.last) + 1
        else:
            self.levels.append(_Level(column, top.current_path if top else (), True, 0))
        return self.levels[-1].current_path

    def _close_levels(self, column: int) -> None:
        while self.levels and (self.levels[-1].column, self.levels[-1].listed) > (column, False):
            self.levels.pop()

    def _add_loose_word(self, column: int, start: int, end: int) -> None:
        """Record a word alone on a line, between two offsets, which may become a key."""
        word = self.text[start:end].rstrip()
        kept = list(self.levels)
        self._close_levels(column)
        top = self.levels[-1] if self.levels else None
        above: DataPath = () if top is None else top.path if top.column == column else top.current_path
        self.levels = kept
        span = (start, start + len(word))
        self.found.append(WrittenValue((*above, word), span, (span[1], span[1]), loose=True))

    def _read_value(self, path: DataPath, key: tuple[int, int], offset: int, column: int) -> int:
        """Record the value at `offset` under `path`; return the offset of the line after it.

        `key` is the start and end of the key in the text, `column` the column of the key.
        """
        end = self._find_line_end(offset)
        tagged = _TAGGED.match(self.text, offset, end)
        offset = tagged.end() if tagged else offset
        sign = self.text[offset : offset + 1] if offset < end else ""
        if sign in ("{", "["):
            self.cut = False
            return self._find_line_end(self._read_inner(path, key, offset)) + 1
        if sign in ("|", ">"):
            after = self._skip_block(end + 1, column)
            self.found.append(WrittenValue(path, key, (offset, after), self.text[end + 1 : after]))
            return after
        after = self._find_value_end(offset, end, "")
        self.found.append(WrittenValue(path, key, (offset, after), _unquote_text(self.text[offset:after])))
        return self._find_line_end(after) + 1

    def _skip_block(self, offset: int, column: int) -> int:
        """Return the offset after a multi-line text, whose lines are indented more than its key."""
        while offset < len(self.text):
            end = self._find_line_end(offset)
            if self.text[offset:end].strip() and _count_spaces(self.text, offset, end) <= column:
                break
            offset = end + 1
        return min(offset, len(self.text))

    def _find_value_end(self, offset: int, end: int, signs: str) -> int:
        """Return the end of a single value: its closing quote, else the line's end, a comment or one of `signs`."""
        quote = self.text[offset : offset + 1]
        if offset < end and quote in ("'", '"'):
            close = offset + 1
            while close < len(self.text) and self.text[close] != quote:
                close += 2 if quote == '"' and self.text[close] == "\\" else 1
            inner = self.text[offset + 1 : close]
            return close + 1 if close < len(self.text) and inner.count("\n") < _MOST_LINES else end
        stop = offset
        while stop < end and self.text[stop] not in signs and not self.text.startswith(" #", stop):
            stop += 1
        return offset + len(self.text[offset:stop].rstrip())

    def _read_brackets(self, path: DataPath, offset: int) -> int:
        """Read a value in brackets and return its end. Unclosed brackets end before the next key."""
        listed, number = self.text[offset] == "[", 0
        offset = self._skip_blanks(offset + 1)
        while offset < len(self.text) and not self.cut:
            sign = self.text[offset]
            if sign in "}]":
                return offset + 1
            if sign == ",":
                number, offset = number + 1, offset + 1
            elif listed:
                offset = self._read_inner((*path, number), (offset, offset), offset)
            else:
                offset = self._read_inner_pair(path, offset)
            offset = self._skip_blanks(offset)
        return offset

    def _read_inner_pair(self, path: DataPath, offset: int) -> int:
        if self.text[offset] in "'\"":
            end = self._find_value_end(offset, self._find_line_end(offset), "")
        else:
            word = _WORD.match(self.text, offset)
            end = offset + len(word[0].rstrip() if word else "")
        name, key = _unquote_text(self.text[offset:end]), (offset, end)
        after = end + _count_spaces(self.text, end, len(self.text))
        if self.text[after : after + 1] == ":":
            after += 1
            return self._read_inner((*path, name), key, after + _count_spaces(self.text, after, len(self.text)))
        if name:
            self.found.append(WrittenValue((*path, name), key, (end, end), loose=True))
        return max(end, offset + 1)

    def _read_inner(self, path: DataPath, key: tuple[int, int], offset: int) -> int:
        tagged = _TAGGED.match(self.text, offset)
        offset = tagged.end() if tagged else offset
        if self.text[offset : offset + 1] in ("{", "["):
            number = len(self.found)
            after = self._read_brackets(path, offset)
            self.found.insert(number, WrittenValue(path, key, (offset, after), whole=True))
            return after
        after = self._find_value_end(offset, self._find_line_end(offset), ",]}")
        self.found.append(WrittenValue(path, key, (offset, after), _unquote_text(self.text[offset:after])))
        return after

    def _skip_blanks(self, offset: int) -> int:
        """Return the offset of the next character after blanks and comments. Set `cut` if a key ends open brackets."""
        while offset < len(self.text):
            sign = self.text[offset]
            if sign == "\n":
                line = self.text[offset + 1 : self._find_line_end(offset + 1)]
                if _BEGINS.match(line) and _count_spaces(line, 0, len(line)) <= self.floor:
                    self.cut = True
                    return offset
            elif sign == "#" and self.text[offset - 1].isspace():
                offset = self._find_line_end(offset) - 1
            elif not sign.isspace():
                break
            offset += 1
        return offset


_MOST_LINES = 20
"""Maximum number of lines of a quoted text. A closing quote further down belongs to another text."""


def _count_spaces(text: str, at: int, end: int) -> int:
    stop = at
    while stop < end and text[stop] == " ":
        stop += 1
    return stop - at


def _unquote_text(text: str) -> str:
    text = text.strip()
    if text[:1] in ("'", '"'):
        return text[1:-1] if len(text) > 1 and text[-1] == text[0] else text[1:]
    return text


@dataclass(frozen=True, slots=True)
class WrittenCell:
    """A cell of a table with its quotes: line and characters from 0; the end is exclusive."""

    line: int
    start: int
    last: int
    end: int
    text: str


def read_cells(text: str) -> Iterator[list[WrittenCell]]:
    """Yield the cells of a table row by row. A first line `sep=;` counts as a row, as in a spreadsheet."""
    first = text.lstrip("\ufeff").split("\n", 1)[0].strip("\r\"'")
    sign = first[4] if first.startswith("sep=") and len(first) == 5 else max(SEPARATORS, key=first.count)
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
            if len(cell) > 1 and cell[0] == cell[-1] == '"':
                cell = cell[1:-1].replace('""', '"')
            row.append(WrittenCell(first_line, begin - text.rfind("\n", 0, begin) - 1, line, at - start, cell))
            begin = at + 1
            if here != sign:
                yield row
                row = []
        if here == "\n":
            line, start = line + 1, at + 1
        if begin == at + 1:
            first_line = line
        at += 1


MOST_HEADINGS = 20_000
"""Maximum number of entries of an outline that an editor gets."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of an editor's outline: a kind, or a design of the kind before it, with the offsets of its name."""

    name: str
    design: bool
    start: int
    end: int


def read_headings(text: str) -> list[OutlineEntry]:
    """Return the kinds and designs in a text in order."""
    found = []
    for one in read_written(text):
        if one.path[:1] != ("components",):
            continue
        if len(one.path) == 2:
            found.append(OutlineEntry(str(one.path[1]), False, *one.key))
        elif len(one.path) == 5 and one.path[2] == "designs" and one.path[4] == "id" and one.value:
            found.append(OutlineEntry(one.value, True, *one.span))
    return found
