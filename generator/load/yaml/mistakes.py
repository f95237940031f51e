"""The first mistake in a text that a YAML parser refused: its place, what is wrong and what to do.

A parser stops where it can't go on, often lines after the mistake, and names what it expected there. This reader goes
through the text once more and looks for what people get wrong: quotes and brackets that stay open, missing commas,
texts that need quotes, indentation.
"""

import re
from typing import NamedTuple, NoReturn

from generator.load.yaml import flow_mistakes as flow
from generator.load.yaml.slips import ODD_SPACES, QUOTING, Slipped, column_of, line_of, quoted_end, wide_slip
from generator.model.source import Spot

_INDENT = re.compile(r"[ \t\u3000\xa0]*")
_NAME = re.compile(
    r"""(?:[^\s\-:,\[\]{}#&*!|>'"%@`]|[-:](?=\S))(?:[^\n:#]|:(?=\S)|(?<=\S)#)*?:(?=\s)"""
    r"""|"[^"\n]*" *:(?=\s)|'[^'\n]*' *:(?=\s)"""
)
_DASH = re.compile(r"-(?=\s)[ \t]*")
_REST = re.compile(r"[ \t]*(?:(?<!\S)#[^\n]*)?\n")
_LINE = re.compile(r"[^\n]*\n")
_PLAIN = re.compile(r"(?:[^\n#]|(?<=\S)#)*")
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*[ \t]*(?:(?<!\S)#[^\n]*)?\n")
_NO_SPACE = re.compile(r"([\w-]+):(?=\S)")
_EQUALS = re.compile(r"([\w-]+)\s*=\s*")


def first_mistake(text: str) -> tuple[Spot, str, str] | None:
    """Return place, fault and way out of the first mistake in a text; None if none is found."""
    try:
        _Reader(text if text.endswith("\n") else f"{text}\n").read()
    except Slipped as slipped:
        at, what, hint = wide_slip(text, slipped.slip.at) or slipped.slip
        return (line_of(text, at), column_of(text, at) + 1), what, hint
    return None


class _Level(NamedTuple):
    """A list or mapping that is open: the column of its entries (from 0), and whether they begin with a dash."""

    column: int
    dashed: bool


class _Reader:
    """Goes through lines outside brackets; Slipped at the first mistake.

    `_state` says of the last entry what may follow it: `waiting` for its value, a `plain` text that may go on,
    a `block` text without lines, or nothing (`done`). `_own` is the start of a plain text that has lines of its own.
    """

    def __init__(self, text: str):
        self._text, self._at = text, 0
        self._open: list[_Level] = []
        self._state, self._own = "waiting", -1

    def read(self) -> None:
        """Read all lines."""
        self._at = 1 if self._text.startswith("\ufeff") else 0
        while self._at < len(self._text):
            self._line()

    def _line(self) -> None:
        text, start = self._text, self._at
        at = _INDENT.match(text, start).end()  # type: ignore[union-attr]
        if _REST.match(text, at) or text.startswith(("---", "...", "%"), start) or text.startswith("? ", at):
            self._next_line()
            return
        if at > start and text[start:at].strip(" "):
            odd = start + len(text[start:at]) - len(text[start:at].lstrip(" "))
            above = self._open[-1].column if self._open else 0
            hint = f"use ordinary spaces (the lines above have {above or 'none'})"
            raise Slipped(odd, f"a {ODD_SPACES.get(text[odd], 'tab')} is used to indent", hint)
        while (dash := _DASH.match(text, at)) is not None:
            if not self._enter(at, dashed=True):
                self._next_line()
                return
            at = dash.end()
        name = _NAME.match(text, at)
        if name is None:
            self._words(at)
        elif self._enter(at, dashed=False):
            after = name.end()
            while text[after] in " \t":
                after += 1
            self._own = -1
            self._value(after)

    def _next_line(self) -> None:
        self._at = _LINE.match(self._text, self._at).end()  # type: ignore[union-attr]

    def _column(self, at: int) -> int:
        return column_of(self._text, at)

    def _enter(self, at: int, *, dashed: bool) -> bool:
        """Go to the level of an entry; False if it is a line of a plain text. Slipped if it has no level."""
        column = self._column(at)
        top = self._open[-1] if self._open else _Level(-1, dashed=False)
        inside = column > top.column
        if inside and self._state == "plain" and dashed:
            return False
        if inside and self._state != "waiting":
            if self._own >= 0:
                self._no_colon(self._own)
            self._wrong_indent(at, column, top.column)
        same = column == top.column and self._state == "waiting" and dashed and not top.dashed
        if inside or same:
            self._open.append(_Level(column, dashed))
        else:
            while self._open[-1].column > column and len(self._open) > 1:
                self._open.pop()
            if self._open[-1].dashed and not dashed and self._open[-2:-1] == [_Level(column, dashed=False)]:
                self._open.pop()
            if self._open[-1].column != column:
                self._wrong_indent(at, column, top.column)
            if self._open[-1].dashed != dashed:
                self._wrong_kind(at, dashed=dashed)
        self._state = "waiting"
        return True

    def _wrong_indent(self, at: int, column: int, above: int) -> NoReturn:
        what = f"wrong indentation: {_spaces(column)}, but the lines above have {above if above > 0 else 'none'}"
        hint = f"begin this line with {_spaces(above)}"
        if column > above + 1:
            hint += "; if it belongs to the line above, remove the value there"
        raise Slipped(at, what, hint)

    def _wrong_kind(self, at: int, *, dashed: bool) -> NoReturn:
        if dashed:
            raise Slipped(at, "a list entry (`- `) stands among names", "give the list a name, or take the dash away")
        if self._text[at] == "-":
            raise Slipped(at, "a space is missing after the dash", "write `- ` before the entry")
        raise Slipped(at, "the lines above are entries of a list, but this one has no dash", "begin it with `- `")

    def _words(self, at: int) -> None:
        """A line without a name: a value on its own line, more of a plain text, or a mistake."""
        top = self._open[-1].column if self._open else -1
        if self._column(at) > top and self._state == "plain":
            self._next_line()
            return
        if self._column(at) > top and self._state == "waiting" and self._open:
            self._own = at
            self._value(at)
            return
        if self._text[at] == "-" and self._open and any(level.dashed for level in self._open):
            raise Slipped(at, "a space is missing after the dash", "write `- ` before the entry")
        if self._state == "block":
            hint = "indent each line of the text more than the name before `|` or `>`"
            raise Slipped(at, "the text of the line above begins here without indentation", hint)
        self._no_colon(at)

    def _no_colon(self, at: int) -> NoReturn:
        line = _PLAIN.match(self._text, at)[0].strip()  # type: ignore[index]
        if tight := _NO_SPACE.match(line):
            right = f"{tight[1]}: {line[tight.end() :]}"
            raise Slipped(at, f"a space is missing after the colon of `{tight[1]}:`", f"write `{right}`")
        if equals := _EQUALS.match(line):
            raise Slipped(
                at, "there is an equals sign instead of a colon", f"write `{equals[1]}: {line[equals.end() :]}`"
            )
        name, _, rest = line.partition(" ")
        hint = f"write `{name}: {rest.strip()}`" if name.isidentifier() else "write `name: value`"
        raise Slipped(at, "a colon is missing in this line", hint)

    def _value(self, at: int) -> None:
        """The value that begins here, and to the line after it."""
        text = self._text
        at = flow.after_properties(text, at)
        sign = text[at]
        if _REST.match(text, at):
            self._state = "waiting"
            self._at = at
            self._next_line()
            return
        flow.refuse_starts(text, at)
        self._state = "done"
        if sign in "[{":
            self._end_line(at, flow.end_of_brackets(text, at, self._open[-1].column), "bracket")
        elif sign in QUOTING:
            self._end_line(at, quoted_end(text, at), "quote")
        elif sign in "|>":
            self._block_text(at)
        elif sign == "-" and text[at + 1] in " \t":
            raise Slipped(at, "a list begins on the line of its name", "begin the list on the next line")
        else:
            self._plain(at)

    def _plain(self, at: int) -> None:
        found = _PLAIN.match(self._text, at)
        words = found[0] if found else ""
        colon = re.search(r":(?=\s|$)", words)
        if colon:
            raise flow.colon_in_text(self._text, at, at + colon.start(), at + len(words.rstrip()))
        self._state = "plain"
        self._at = at
        self._next_line()

    def _end_line(self, at: int, end: int, after: str) -> None:
        rest = _REST.match(self._text, end)
        if rest is None:
            raise flow.after_value(self._text, at, end, after)
        self._at = rest.end()

    def _block_text(self, at: int) -> None:
        """The lines of a text after `|` or `>`."""
        header = _BLOCK_TEXT.match(self._text, at)
        if header is None:
            raise Slipped(
                at, f"a text without quotes can't begin with `{self._text[at]}`", "put the whole text in quotes"
            )
        self._at, self._state = header.end(), "block"
        column = self._open[-1].column
        while self._at < len(self._text):
            begin = _INDENT.match(self._text, self._at).end()  # type: ignore[union-attr]
            blank = self._text[begin] == "\n"
            if not blank and begin - self._at <= column:
                return
            self._state = self._state if blank else "done"
            self._next_line()


def _spaces(number: int) -> str:
    return f"{number} space{'s' * (number != 1)}" if number > 0 else "no space"
