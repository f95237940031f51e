"""Mistakes in YAML: find the first one in a text that a parser refused, and return a remedy."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from generator.game.source import Spot
from generator.game.value_faults import (
    ODD_SPACES,
    QUOTING,
    SlipFound,
    find_quoted_end,
    find_text_column,
    find_text_line,
    find_wide_sign,
    make_unclosed_slip,
)

_PROPERTY = re.compile(r"(?:&|!!)[^\s,\[\]{}]+(?=[\s,\]}])[ \t]*")
_ALIAS = re.compile(r"\*[\w-]+(?=[\s,\]}])")
_SPACE = re.compile(r"(?:\s|(?<!\S)#[^\n]*)*+")
_PLAIN_PIECE = r"(?:[^\s,\[\]{}:#]|:(?=[^\s,\[\]{}])|(?<=\S)#)+"
_PLAIN_IN_BRACKETS = re.compile(rf"{_PLAIN_PIECE}(?:[ \t]+{_PLAIN_PIECE})*+")
_ENTRY_REST = re.compile(r"(?:[^\s,\[\]{}#]|[ \t]+(?![\s,\[\]{}#])|(?<=\S)#)*")
_NAMED = re.compile(r"[\w-]+ *:(?=\s)")
_NEW_LINE = re.compile(r"- |-\n|(?:[\w-]+|\"[^\"\n]*\") *:(?=\s)")
_NEEDS_QUOTES = "put the whole text in quotes"
_PARTNER = {"{": "}", "[": "]"}
_SHOWN = 60


def skip_properties(text: str, at: int) -> int:
    """Return where a value begins after its anchor or `!!` tag, if it has one."""
    found = _PROPERTY.match(text, at)
    return found.end() if found else at


def check_start(text: str, at: int) -> None:
    """Raise SlipFound for a text without quotes that begins with a special character."""
    sign = text[at]
    if text.startswith("{{", at):
        what = "a text without quotes can't begin with `{{`"
        raise SlipFound(at, what, 'put the whole text in quotes: "{{ ... }} ..."')
    alias = _ALIAS.match(text, at) if sign == "*" else None
    rest = text[alias.end() : text.find("\n", alias.end())].lstrip() if alias else ""
    wrong_alias = sign == "*" and (alias is None or (rest and rest[0] not in ",]}#:"))
    anchor = sign == "&" and not _PROPERTY.match(text, at)
    if sign in "@`%" or wrong_alias or anchor or (sign == "!" and text[at + 1 : at + 2].isalnum()):
        raise SlipFound(at, f"a text without quotes can't begin with `{sign}`", _NEEDS_QUOTES)


def make_colon_slip(text: str, start: int, colon: int, end: int) -> SlipFound:
    """Return the error for a second colon in an entry. `start` is the value's, `end` that of its line or entry."""
    value = text[start:colon]
    if ";" in value:
        return SlipFound(start + value.index(";"), "there is a semicolon between two entries", "write a comma instead")
    before, word = re.fullmatch(r"(.*?)([\w-]*)\s*", value, re.DOTALL).groups()  # type: ignore[union-attr]
    if word and before.strip() and len(re.findall(rf"(?:^|[{{,\s]){word}:(?=\s)", text)) > 1:
        what = f"a comma is missing before `{word}:`"
        return SlipFound(start + len(before), what, f"write `{before.strip()}, {word}: ...`")
    whole = " ".join(text[start:end].split())
    shown = f': "{whole}"' if len(whole) < _SHOWN and '"' not in whole else ""
    value = value.strip()
    shortened = value if len(value) <= _SHOWN else f"{value[: _SHOWN - 3]}..."
    what = f"there is a second colon in this entry, after `{shortened}`"
    return SlipFound(colon, what, f"put the text in quotes{shown}")


def _find_entry_end(text: str, at: int) -> int:
    found = _ENTRY_REST.match(text, at)
    return found.end() if found else at


def make_rest_slip(text: str, start: int, end: int, kind: str) -> SlipFound:
    """Return the error for text after a value in quotes or brackets, from `start` to `end`, without a comma."""
    at = _SPACE.match(text, end).end()  # type: ignore[union-attr]
    rest = text[at : at + 1]
    if kind == "quote" and "\n" in text[start:end]:
        return make_unclosed_slip(text, start)
    if rest in ("]", "}"):
        return SlipFound(at, f"this `{rest}` has no opening bracket", "remove it")
    if kind == "bracket":
        what = f"the value ends with the `{text[end - 1]}` before this"
        return SlipFound(at, what, "begin a new line here, or remove the rest; a text with brackets needs quotes")
    if at == end:
        other = "put the whole text in double quotes" if text[start] == "'" else "put the whole text in single quotes"
        name = "apostrophe" if text[start] == "'" else "quote"
        twice = "''" if text[start] == "'" else '\\"'
        what = f"this {name} ends the text too early"
        return SlipFound(end - 1, what, f"{other}, or write `{twice}` here")
    whole = text[start + 1 : end - 1] + text[end : _find_entry_end(text, at)]
    quote = text[start]
    shown = f": {quote}{whole}{quote}" if len(whole) < _SHOWN and quote not in whole else ""
    return SlipFound(at, "the text goes on after its closing quote", f"move that quote to the end of the text{shown}")


@dataclass(slots=True)
class _Bracket:
    """An open bracket: its offset, if its entry has its colon, and its last value (sort `kind`, and its offsets)."""

    at: int
    named: bool = False
    kind: str = ""
    start: int = -1
    end: int = -1

    def set_value(self, kind: str, start: int, end: int) -> None:
        self.kind, self.start, self.end = kind, start, end

    def start_entry(self, *, named: bool = False) -> None:
        self.named, self.kind = named, ""


@dataclass(slots=True)
class _Brackets:
    text: str
    indent: int
    open: list[_Bracket] = field(default_factory=list)

    def find_end(self, at: int) -> int:
        """Read on from the offset `at`, after an opening bracket. Return the offset after its end. Raise SlipFound."""
        while self.open:
            at = self._skip_space(at)
            sign, top = self.text[at], self.open[-1]
            if sign in "]}":
                self.open.pop()
                wanted = _PARTNER[self.text[top.at]]
                if sign != wanted:
                    what = f"this `{sign}` does not match the `{self.text[top.at]}` before it"
                    raise SlipFound(at, what, f"write `{wanted}`")
                at += 1
                if self.open:
                    self.open[-1].set_value("bracket", top.at, at)
            elif sign == ",":
                if not top.kind and not top.named:
                    raise SlipFound(at, "there is a comma without an entry before it", "remove it, or write the entry")
                top.start_entry()
                at += 1
            elif sign == ":" and self.text[at + 1] in " \t\n,]}":
                if top.named:
                    raise make_colon_slip(self.text, top.start, at, _find_entry_end(self.text, at))
                top.start_entry(named=True)
                at += 1
            else:
                at = self._read_value(at)
        return at

    def _skip_space(self, at: int) -> int:
        """Return the offset of the next sign in brackets. Raise SlipFound at the end, or at a line outside of them."""
        end = _SPACE.match(self.text, at).end()  # type: ignore[union-attr]
        outside = "\n" in self.text[at:end] and _NEW_LINE.match(self.text, end)
        if end == len(self.text) or (
            outside and (self.text[end] == "-" or find_text_column(self.text, end) <= self.indent)
        ):
            raise self._make_unclosed_slip()
        return end

    def _make_unclosed_slip(self) -> SlipFound:
        at = self.open[-1].at
        sign = self.text[at]
        partner = _PARTNER[sign]
        line = self.text[at : self.text.find("\n", at)]
        comment = re.search(r"(?<!\S)#.*", line)
        if comment and comment[0].count(partner) > comment[0].count(sign):
            what = "a comment begins at this `#`, so the rest of the line is ignored"
            return SlipFound(at + comment.start(), what, "put the text with the # in quotes")
        return SlipFound(at, f"the `{sign}` that opens here is never closed", f"write `{partner}` where it ends")

    def _read_value(self, at: int) -> int:
        text, top = self.text, self.open[-1]
        at = skip_properties(text, at)
        if top.kind == "plain" and "\n" in text[top.end : at]:
            found = _PLAIN_IN_BRACKETS.match(text, at)
            top.end = found.end() if found else at + 1
            return top.end
        if top.kind:
            long = top.kind == "quote" and "\n" in text[top.start : top.end]
            if not long and at > top.end and (text[at] in "[{\"'" or _NAMED.match(text, at)):
                raise SlipFound(at, "a comma is missing before this", "write a comma between the two entries")
            raise make_rest_slip(text, top.start, top.end, "bracket" if top.kind == "bracket" else "quote")
        check_start(text, at)
        if text[at] in _PARTNER:
            self.open.append(_Bracket(at))
            return at + 1
        if text[at] in QUOTING:
            top.set_value("quote", at, find_quoted_end(text, at))
        else:
            found = _PLAIN_IN_BRACKETS.match(text, at)
            top.set_value("plain", at, found.end() if found else at + 1)
        return top.end


# A parser often stops lines after the mistake, and names what it expected there. This reader goes through the text
# again and looks for common mistakes: unclosed quotes and brackets, missing commas or quotes, indentation.

_INDENT = re.compile(r"[ \t\u3000\xa0]*")
_NAME = re.compile(
    r"""(?:[^\s\-:,\[\]{}#&*!|>'"%@`]|[-:](?=\S))(?:[^\n:#]|:(?=\S)|(?<=\S)#)*?:(?=\s)"""
    r"""|"[^"\n]*" *:(?=\s)|'[^'\n]*' *:(?=\s)"""
)
_DASH = re.compile(r"-(?=\s)[ \t]*")
_REST = re.compile(r"[ \t]*(?:(?<!\S)#[^\n]*)?\n")
_LINE = re.compile(r"[^\n]*\n")
_PLAIN_LINE = re.compile(r"(?:[^\n#]|(?<=\S)#)*")
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*[ \t]*(?:(?<!\S)#[^\n]*)?\n")
_NO_SPACE = re.compile(r"([\w-]+):(?=\S)")
_EQUALS = re.compile(r"([\w-]+)\s*=\s*")


def find_first_mistake(text: str) -> tuple[Spot, str, str] | None:
    """Return the place, fault and remedy of the first mistake in a text, or None if none is found."""
    try:
        _Reader(text if text.endswith("\n") else f"{text}\n").read()
    except SlipFound as slipped:
        at, what, hint = find_wide_sign(text, slipped.slip.at) or slipped.slip
        return (find_text_line(text, at), find_text_column(text, at) + 1), what, hint
    return None


class _Level(NamedTuple):
    column: int
    dashed: bool


class _Reader:
    """A reader of lines outside brackets, which raises SlipFound at the first mistake.

    `_state` is what may follow the last entry: `waiting` for its value, a `plain` text that may continue, a `block`
    text without lines, or nothing (`done`). `_own` is the start of a plain text on lines of its own.
    """

    def __init__(self, text: str):
        self._text, self._at = text, 0
        self._open: list[_Level] = []
        self._state, self._own = "waiting", -1

    def read(self) -> None:
        """Read all lines."""
        self._at = 1 if self._text.startswith("\ufeff") else 0
        while self._at < len(self._text):
            self._read_line()

    def _read_line(self) -> None:
        text, start = self._text, self._at
        at = _INDENT.match(text, start).end()  # type: ignore[union-attr]
        if _REST.match(text, at) or text.startswith(("---", "...", "%"), start) or text.startswith("? ", at):
            self._skip_line()
            return
        if at > start and text[start:at].strip(" "):
            odd = start + len(text[start:at]) - len(text[start:at].lstrip(" "))
            above = self._open[-1].column if self._open else 0
            hint = f"use ordinary spaces (the lines above have {above or 'none'})"
            raise SlipFound(odd, f"a {ODD_SPACES.get(text[odd], 'tab')} is used to indent", hint)
        while (dash := _DASH.match(text, at)) is not None:
            if not self._enter_level(at, dashed=True):
                self._skip_line()
                return
            at = dash.end()
        name = _NAME.match(text, at)
        if name is None:
            self._read_words(at)
        elif self._enter_level(at, dashed=False):
            after = name.end()
            while text[after] in " \t":
                after += 1
            self._own = -1
            self._read_value(after)

    def _skip_line(self) -> None:
        self._at = _LINE.match(self._text, self._at).end()  # type: ignore[union-attr]

    def _enter_level(self, at: int, *, dashed: bool) -> bool:
        """Move to an entry's level (`dashed`: a list's). Return False in plain text. Raise SlipFound if none fits."""
        column = find_text_column(self._text, at)
        top = self._open[-1] if self._open else _Level(-1, dashed=False)
        inside = column > top.column
        if inside and self._state == "plain" and dashed:
            return False
        if inside and self._state != "waiting":
            if self._own >= 0:
                self._refuse_missing_colon(self._own)
            self._refuse_indent(at, column, top.column)
        same = column == top.column and self._state == "waiting" and dashed and not top.dashed
        if inside or same:
            self._open.append(_Level(column, dashed))
        else:
            while self._open[-1].column > column and len(self._open) > 1:
                self._open.pop()
            if self._open[-1].dashed and not dashed and self._open[-2:-1] == [_Level(column, dashed=False)]:
                self._open.pop()
            if self._open[-1].column != column:
                self._refuse_indent(at, column, top.column)
            if self._open[-1].dashed != dashed:
                self._refuse_kind(at, dashed=dashed)
        self._state = "waiting"
        return True

    def _refuse_indent(self, at: int, column: int, above: int) -> NoReturn:
        what = f"wrong indentation: {_format_spaces(column)}, but the lines above have {above if above > 0 else 'none'}"
        hint = f"begin this line with {_format_spaces(above)}"
        if column > above + 1:
            hint += "; if it belongs to the line above, remove the value there"
        raise SlipFound(at, what, hint)

    def _refuse_kind(self, at: int, *, dashed: bool) -> NoReturn:
        if dashed:
            raise SlipFound(at, "a list entry (`- `) is among names", "give the list a name, or remove the dash")
        if self._text[at] == "-":
            raise SlipFound(at, "a space is missing after the dash", "write `- ` before the entry")
        raise SlipFound(at, "the lines above are entries of a list, but this one has no dash", "begin it with `- `")

    def _read_words(self, at: int) -> None:
        """Read a line without a name: a value on its own line, a continued plain text, or a mistake."""
        top = self._open[-1].column if self._open else -1
        if find_text_column(self._text, at) > top and self._state == "plain":
            self._skip_line()
            return
        if find_text_column(self._text, at) > top and self._state == "waiting" and self._open:
            self._own = at
            self._read_value(at)
            return
        if self._text[at] == "-" and self._open and any(level.dashed for level in self._open):
            raise SlipFound(at, "a space is missing after the dash", "write `- ` before the entry")
        if self._state == "block":
            hint = "indent each line of the text more than the name before `|` or `>`"
            raise SlipFound(at, "the text of the line above begins here without indentation", hint)
        self._refuse_missing_colon(at)

    def _refuse_missing_colon(self, at: int) -> NoReturn:
        line = _PLAIN_LINE.match(self._text, at)[0].strip()  # type: ignore[index]
        if tight := _NO_SPACE.match(line):
            right = f"{tight[1]}: {line[tight.end() :]}"
            raise SlipFound(at, f"a space is missing after the colon of `{tight[1]}:`", f"write `{right}`")
        if equals := _EQUALS.match(line):
            what = "there is an equals sign instead of a colon"
            raise SlipFound(at, what, f"write `{equals[1]}: {line[equals.end() :]}`")
        name, _, rest = line.partition(" ")
        hint = f"write `{name}: {rest.strip()}`" if name.isidentifier() else "write `name: value`"
        raise SlipFound(at, "a colon is missing in this line", hint)

    def _read_value(self, at: int) -> None:
        text = self._text
        at = skip_properties(text, at)
        sign = text[at]
        if _REST.match(text, at):
            self._state = "waiting"
            self._at = at
            self._skip_line()
            return
        check_start(text, at)
        self._state = "done"
        if sign in "[{":
            self._end_line(at, _Brackets(text, self._open[-1].column, [_Bracket(at)]).find_end(at + 1), "bracket")
        elif sign in QUOTING:
            self._end_line(at, find_quoted_end(text, at), "quote")
        elif sign in "|>":
            self._read_block_text(at)
        elif sign == "-" and text[at + 1] in " \t":
            raise SlipFound(at, "a list begins on the same line as its name", "begin the list on the next line")
        else:
            self._read_plain(at)

    def _read_plain(self, at: int) -> None:
        found = _PLAIN_LINE.match(self._text, at)
        words = found[0] if found else ""
        colon = re.search(r":(?=\s|$)", words)
        if colon:
            raise make_colon_slip(self._text, at, at + colon.start(), at + len(words.rstrip()))
        self._state = "plain"
        self._at = at
        self._skip_line()

    def _end_line(self, at: int, end: int, after: str) -> None:
        rest = _REST.match(self._text, end)
        if rest is None:
            raise make_rest_slip(self._text, at, end, after)
        self._at = rest.end()

    def _read_block_text(self, at: int) -> None:
        header = _BLOCK_TEXT.match(self._text, at)
        if header is None:
            what = f"a text without quotes can't begin with `{self._text[at]}`"
            raise SlipFound(at, what, "put the whole text in quotes")
        self._at, self._state = header.end(), "block"
        column = self._open[-1].column
        while self._at < len(self._text):
            begin = _INDENT.match(self._text, self._at).end()  # type: ignore[union-attr]
            blank = self._text[begin] == "\n"
            if not blank and begin - self._at <= column:
                return
            self._state = self._state if blank else "done"
            self._skip_line()


def _format_spaces(number: int) -> str:
    return f"{number} space{'s' * (number != 1)}" if number > 0 else "no space"
