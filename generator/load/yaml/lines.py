"""Plain YAML read line by line: names and entries of lists that begin lines of their own, and collections in brackets.

That takes a small part of the time that a parser of all of YAML needs. It answers only where that parser would come to
the same, as every line has one of a few forms that can be read in one way. To all else it answers None: anchors,
aliases, tags, texts of several lines, tabs, escapes, a name without a value, and whatever may be a mistake.
"""

import re
from functools import lru_cache
from math import isfinite
from typing import Any

from generator.dataclass import dataclass
from generator.model.source import InLines, Map, Seq, Spot


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may hold: nesting, aliases, and values with aliases written out."""

    depth: int = 40
    aliases: int = 100
    values: int = 2_000_000
    digits: int = 15


LIMITS = Limits()

INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\Z")
NUMBER_STARTS = frozenset("+-0123456789")
CONSTANTS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def plain_number(text: str) -> int | float | str:
    """The number that a text is in YAML, within the limit of digits; any other text as it is."""
    if INTEGER.match(text):
        return int(text) if len(text) <= LIMITS.digits else text
    return _decimal(text) if _DECIMAL.match(text) and len(text) <= 40 else text


def _decimal(text: str) -> float | str:
    """A decimal; what is beyond all numbers of a computer stays a text, which no number is taken for."""
    value = float(text)
    return value if isfinite(value) else text


_ODD = re.compile("[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What may not stand in YAML, ends a line otherwise, or is a tab."""

_KEY = r"[^\W\d][\w.-]{0,99}"
_FIRST = r"(?:[^\n \-?:,\[\]{}#&*!|>'\"%@`]|-(?=[0-9]))"
_SIMPLE = rf"{_FIRST}(?:[^\n:#]*[^\n:# ])?(?=\n)"
_WORDY = rf"{_FIRST}(?:[^\n:# ]++|:(?=[^\n ])|#)*+(?: ++[^\n:# ](?:[^\n:# ]++|:(?=[^\n ])|#)*+)*+"
"""Plain values: most have neither `:` nor `#`."""

_QUOTED = r"'([^'\n]*)'|\"([^\"\\\n]*)\""

_LINE = re.compile(rf"( *+)(?:(- ++)|)(?:({_KEY}):(?=[ \n]) *+|)()(?:({_SIMPLE}|{_WORDY})|([\[{{])|{_QUOTED}|)")
"""Indentation, dash, name; then a plain value, the bracket that opens a collection, or a text in quotes.

`(?:x|)` where `x?` would say the same: that takes several times as long.
"""

_REST = re.compile(r" *+(?:(?<![^ \n])#[^\n]*+)?\n")
"""What may end a line: a comment needs room before it."""

_NAME = re.compile(rf"({_KEY}):(?=[ \n])")

CURLY = r"[“‘]([^”’:,\n\[\]{}]*,[^”’:\n\[\]{}]*)[”’]"
"""A text in curly quotes with a comma, which in brackets ends it."""

_ENTRY = re.compile(
    rf"(?:((?!{CURLY}){_FIRST}[^\n:#?,\[\]{{}} ]*+(?: ++[^\n:#?,\[\]{{}} ]++)*+)|{_QUOTED})(?=[\n ]*+[,\]}}])|[\[{{]"
)
"""A plain value within brackets, a text in quotes, or a bracket that opens; no curly quotes around a comma."""

_SPACE = re.compile(r"(?: ++|\n(?= ))*+")
"""Between what stands in brackets; a line that goes on is indented."""


class _Unclear(Exception):
    """This is not as plain as it must be here."""


def read_lines(text: str, limits: Limits = LIMITS) -> Map | None:
    """The mapping that a plain YAML text holds; None where it is not plain, so that nothing is known of it."""
    plain = text.replace("\r\n", "\n")
    if _ODD.search(plain):
        return None
    try:
        return _Reading(plain if plain.endswith("\n") else f"{plain}\n", limits).root()
    except _Unclear:
        return None


@lru_cache(100)
def _alike(before: str, names: tuple[str, ...]) -> tuple[re.Pattern[str], dict[Any, Spot], dict[Any, Spot]]:
    """Mappings in a list, each value in a line of its own; and where names and values stand, lines from 0.

    `before` is what comes before the first name.
    """
    value = rf"({_SIMPLE}|'[^'\n]*'|\"[^\"\\\n]*\")\n"
    column = len(before) + 1
    lines = (f"{re.escape(name)}: {value}" for name in names)
    keys_at = {name: (line, column) for line, name in enumerate(names)}
    values_at = {name: (line, column + len(name) + 2) for line, name in enumerate(names)}
    return re.compile(re.escape(before) + (" " * len(before)).join(lines)), keys_at, values_at


_ALIKE = 8
"""So many entries of a list are read before others are taken for rows like them: to look for those takes time too."""

_QUOTES = "'\""
_UNLIKE_WORDS = NUMBER_STARTS | {*_QUOTES, *(text[0] for text in CONSTANTS if text)}
"""With what a value may begin that is no plain word."""

_NO_VALUE = 4
"""The group of a line that begins where its value does; those behind it are the forms of values."""

_NOTHING = [None, None, None, None]


class _Reading:
    """A text under way: the line that is read, the collection that it belongs to, and all of those around that.

    A collection is known with the column at which its lines begin, from 0. `_name` is one that waits for its value.
    """

    def __init__(self, text: str, limits: Limits):
        self._text, self._limits = text, limits
        self._line, self._begin, self._values = 0, 0, 1
        self._top: Any = Map()
        self._column, self._name = 0, ""
        self._around: list[tuple[int, Any]] = []

    def root(self) -> Map | None:
        """The mapping of the whole text; None where it is empty. _Unclear."""
        root: Map = self._top
        text, end, match, at = self._text, len(self._text), _LINE.match, 0
        while at < end:
            self._line += 1
            self._begin = at
            found: Any = match(text, at)  # it matches nothing too
            indent, dash, name, _, *value = found.groups()
            if dash is None and name is None:
                if value != _NOTHING:
                    raise _Unclear
                at = self._next_line(found.end())
                continue
            self._go_to(len(indent), dashed=dash is not None)
            if dash is not None:
                done = self._rows(indent + dash, at) if name is not None and len(self._top) >= _ALIKE else at
                if done > at:
                    at = done
                    continue
                self._top.values_at.append((self._line, len(indent) + len(dash) + 1))
                if name is None:
                    read, at = self._value(found)
                    self._top.append(read)
                    continue
                row = Map()
                self._top.append(row)
                self._open(row, len(indent) + len(dash))
            at = self._named(name, found)
        if self._name or self._values > self._limits.values:
            raise _Unclear
        return root or None

    def _go_to(self, column: int, *, dashed: bool) -> None:
        """The collection that a line belongs to which begins at this column, with a dash or with a name."""
        if self._name:
            if column < self._column or (column == self._column and not dashed):
                raise _Unclear
            inner = Seq() if dashed else Map()
            self._top[self._name] = inner
            self._top.values_at[self._name] = self._line, column + 1
            self._name = ""
            self._open(inner, column)
        elif column != self._column or dashed == (type(self._top) is Map):
            while column < self._column or (column == self._column and not dashed and type(self._top) is Seq):
                self._column, self._top = self._around.pop()
            if column != self._column or dashed == (type(self._top) is Map):
                raise _Unclear

    def _open(self, inner: Any, column: int) -> None:
        self._around.append((self._column, self._top))
        self._count(len(self._around))
        self._top, self._column = inner, column

    def _named(self, name: str, found: re.Match[str]) -> int:
        """Take in a name with its value, or wait for that; where the next line begins."""
        top = self._top
        if name in top or name in CONSTANTS:
            raise _Unclear
        self._values += 1
        top.keys_at[name] = self._line, self._column + 1
        if found.lastindex == _NO_VALUE:
            self._name = name
            top[name] = None  # it has its place among the others
            return self._next_line(found.end())
        top.values_at[name] = self._line, found.start(_NO_VALUE) - self._begin + 1
        top[name], at = self._value(found)
        return at

    def _value(self, found: re.Match[str]) -> tuple[Any, int]:
        """The value that a line has, and where the next line begins."""
        word, bracket, single, double = found.groups()[_NO_VALUE:]
        if found.lastindex == _NO_VALUE:
            raise _Unclear
        if bracket is not None:
            read, at = self._collection(found.start(_NO_VALUE), len(self._around) + 1)
            return read, self._next_line(at)
        self._values += 1
        read = self._scalar(word) if word is not None else single if double is None else double
        return read, self._next_line(found.end())

    def _next_line(self, at: int) -> int:
        """Where the next line begins if nothing stands in this one from `at` on but a comment."""
        if self._text.startswith("\n", at):
            return at + 1
        rest = _REST.match(self._text, at)
        if rest is None:
            raise _Unclear
        return rest.end()

    def _collection(self, at: int, depth: int) -> tuple[Any, int]:
        """The collection whose bracket opens at `at`, within `depth` others, and where the text goes on."""
        self._count(depth)
        text, listed = self._text, self._text[at] == "["
        made: Any = Seq() if listed else Map()
        closing = "]" if listed else "}"
        at = self._after_space(at + 1)
        if text.startswith(closing, at):
            return made, at + 1
        while True:
            if listed:
                made.values_at.append((self._line, at - self._begin + 1))
                value, at = self._entry(at, depth + 1)
                made.append(value)
            else:
                name = _NAME.match(text, at)
                if name is None or name[1] in made or name[1] in CONSTANTS:
                    raise _Unclear
                self._values += 1
                made.keys_at[name[1]] = self._line, at - self._begin + 1
                at = self._after_space(name.end())
                made.values_at[name[1]] = self._line, at - self._begin + 1
                made[name[1]], at = self._entry(at, depth + 1)
            at = self._after_space(at)
            if text.startswith(closing, at):
                return made, at + 1
            if not text.startswith(",", at):
                raise _Unclear
            at = self._after_space(at + 1)

    def _entry(self, at: int, depth: int) -> tuple[Any, int]:
        """A value within brackets, and where the text goes on."""
        found = _ENTRY.match(self._text, at)
        if found is None:
            raise _Unclear
        if found.lastindex is None:
            return self._collection(at, depth)
        self._values += 1
        return self._scalar(found[1]) if found[1] is not None else found[found.lastindex], found.end()

    def _after_space(self, at: int) -> int:
        """Where the text goes on after spaces, and lines that are indented."""
        found: Any = _SPACE.match(self._text, at)  # it matches nothing too
        end: int = found.end()
        lines = self._text.count("\n", at, end)
        if lines:
            self._line += lines
            self._begin = self._text.rindex("\n", at, end) + 1
        return end

    def _rows(self, before: str, at: int) -> int:
        """Take in mappings with the names of the last one, if the one before had the same; where they end."""
        rows = self._top
        last = rows[-1]
        alike = type(last) is type(rows[-2]) is Map and tuple(last) == tuple(rows[-2])
        if not alike or any(type(value) in (Map, Seq) for value in last.values()):
            return at
        names = tuple(last)
        row, keys_at, values_at = _alike(before, names)
        line, column, ahead = self._line, len(before) + 1, len(names)
        while found := row.match(self._text, at):
            values: list[Any] = list(found.groups())
            for n, value in enumerate(values):
                if value[0] in _UNLIKE_WORDS:
                    values[n] = value[1:-1] if value[0] in _QUOTES else self._scalar(value)
            rows.append(Map(zip(names, values, strict=True), InLines(line, keys_at), InLines(line, values_at)))
            rows.values_at.append((line, column))
            line, at = line + ahead, found.end()
        if line > self._line:
            self._values += (line - self._line) // ahead * (1 + 2 * ahead)
            self._line = line - 1
        return at

    def _scalar(self, word: str) -> Any:
        """What a plain word stands for."""
        if word in CONSTANTS:
            return CONSTANTS[word]
        if word[0] not in NUMBER_STARTS:
            return word
        if INTEGER.match(word):
            if len(word) > self._limits.digits:
                raise _Unclear
            return int(word)
        return plain_number(word)

    def _count(self, depth: int) -> None:
        """One more collection, within `depth` others; _Unclear where that are too many."""
        self._values += 1
        if depth >= self._limits.depth:
            raise _Unclear
