"""Mistakes within brackets, and at the start and the end of values, which have their own rules there or anywhere."""

import re
from collections import Counter
from dataclasses import field

from generator.dataclass import dataclass
from generator.load.yaml.slips import QUOTING, Slipped, column_of, never_closed, quoted_end

_PROPERTY = re.compile(r"(?:&|!!)[^\s,\[\]{}]+(?=[\s,\]}])[ \t]*")
_ALIAS = re.compile(r"\*[\w-]+(?=[\s,\]}])")
_SPACE = re.compile(r"(?:\s|(?<!\S)#[^\n]*)*+")
_PLAIN_PIECE = r"(?:[^\s,\[\]{}:#]|:(?=[^\s,\[\]{}])|(?<=\S)#)+"
_PLAIN = re.compile(rf"{_PLAIN_PIECE}(?:[ \t]+{_PLAIN_PIECE})*+")
_ENTRY_REST = re.compile(r"(?:[^\s,\[\]{}#]|[ \t]+(?![\s,\[\]{}#])|(?<=\S)#)*")
_NAMED = re.compile(r"[\w-]+ *:(?=\s)")
_NEW_LINE = re.compile(r"- |-\n|(?:[\w-]+|\"[^\"\n]*\") *:(?=\s)")
_NEEDS_QUOTES = "put the whole text in quotes"
_PARTNER = {"{": "}", "[": "]"}
_SHOWN = 60


def after_properties(text: str, at: int) -> int:
    """Return where a value begins after its anchor, if it has one."""
    found = _PROPERTY.match(text, at)
    return found.end() if found else at


def refuse_starts(text: str, at: int) -> None:
    """Raise Slipped for a text without quotes that begins with a sign that means something else."""
    sign = text[at]
    if text.startswith("{{", at):
        raise Slipped(
            at, "a text without quotes can't begin with `{{`", 'put the whole text in quotes: "{{ ... }} ..."'
        )
    alias = _ALIAS.match(text, at) if sign == "*" else None
    rest = text[alias.end() : text.find("\n", alias.end())].lstrip() if alias else ""
    wrong_alias = sign == "*" and (alias is None or (rest and rest[0] not in ",]}#:"))
    anchor = sign == "&" and not _PROPERTY.match(text, at)
    if sign in "@`%" or wrong_alias or anchor or (sign == "!" and text[at + 1 : at + 2].isalnum()):
        raise Slipped(at, f"a text without quotes can't begin with `{sign}`", _NEEDS_QUOTES)


def colon_in_text(text: str, start: int, colon: int, end: int) -> Slipped:
    """The mistake of a second colon in an entry; the value began at `start`, and its line or entry ends at `end`."""
    value = text[start:colon]
    if ";" in value:
        return Slipped(start + value.index(";"), "there is a semicolon between two entries", "write a comma instead")
    before, word = re.fullmatch(r"(.*?)([\w-]*)\s*", value, re.DOTALL).groups()  # type: ignore[union-attr]
    if before.strip() and word in _names(text):
        return Slipped(
            start + len(before), f"a comma is missing before `{word}:`", f"write `{before.strip()}, {word}: ...`"
        )
    whole = " ".join(text[start:end].split())
    shown = f': "{whole}"' if len(whole) < _SHOWN and '"' not in whole else ""
    what = f"there is a second colon in this entry, after `{_short(value.strip())}`"
    return Slipped(colon, what, f"put the text in quotes{shown}")


def _end_of_entry(text: str, at: int) -> int:
    found = _ENTRY_REST.match(text, at)
    return found.end() if found else at


def _names(text: str) -> set[str]:
    """Return the names that a text gives more than once."""
    names = Counter(re.findall(r"(?:^|[{,\s])([\w-]+):(?=\s)", text))
    return {name for name, number in names.items() if number > 1}


def _short(value: str) -> str:
    return value if len(value) <= _SHOWN else f"{value[: _SHOWN - 3]}..."


def after_value(text: str, start: int, end: int, kind: str) -> Slipped:
    """The mistake of what follows a value in quotes or brackets, from `start` to `end`, without a comma."""
    at = _SPACE.match(text, end).end()  # type: ignore[union-attr]
    rest = text[at : at + 1]
    if kind == "quote" and "\n" in text[start:end]:
        return never_closed(text, start)
    if rest in ("]", "}"):
        return Slipped(at, f"this `{rest}` closes nothing", "remove it")
    if kind == "bracket":
        what = f"the value ends with the `{text[end - 1]}` before this"
        return Slipped(at, what, "begin a new line here, or remove the rest; a text with brackets needs quotes")
    if at == end:
        other = "put the whole text in double quotes" if text[start] == "'" else "put the whole text in single quotes"
        name = "apostrophe" if text[start] == "'" else "quote"
        twice = "''" if text[start] == "'" else '\\"'
        return Slipped(end - 1, f"this {name} ends the text that began before it", f"{other}, or write `{twice}` here")
    whole = text[start + 1 : end - 1] + text[end : _end_of_entry(text, at)]
    quote = text[start]
    shown = f": {quote}{whole}{quote}" if len(whole) < _SHOWN and quote not in whole else ""
    return Slipped(at, "the text goes on after its closing quote", f"move that quote to the end of the text{shown}")


@dataclass(slots=True)
class _Bracket:
    """An open bracket: where it is, whether its entry has its colon, and its last value (`kind` says of which sort)."""

    at: int
    named: bool = False
    kind: str = ""
    start: int = -1
    end: int = -1

    def read(self, kind: str, start: int, end: int) -> None:
        self.kind, self.start, self.end = kind, start, end

    def next_entry(self, *, named: bool = False) -> None:
        self.named, self.kind = named, ""


def end_of_brackets(text: str, at: int, indent: int) -> int:
    """Return where a value in brackets ends; Slipped at its first mistake. Its line belongs to column `indent`."""
    return _Brackets(text, indent, [_Bracket(at)]).end(at + 1)


@dataclass(slots=True)
class _Brackets:
    text: str
    indent: int
    open: list[_Bracket] = field(default_factory=list)

    def end(self, at: int) -> int:
        """Return where the outermost bracket is closed."""
        while self.open:
            at = self._after_space(at)
            sign, top = self.text[at], self.open[-1]
            if sign in "]}":
                self._close(at)
                at += 1
            elif sign == ",":
                if not top.kind and not top.named:
                    raise Slipped(at, "there is a comma without an entry before it", "remove it, or write the entry")
                top.next_entry()
                at += 1
            elif sign == ":" and self.text[at + 1] in " \t\n,]}":
                if top.named:
                    raise colon_in_text(self.text, top.start, at, _end_of_entry(self.text, at))
                top.next_entry(named=True)
                at += 1
            else:
                at = self._read(at)
        return at

    def _after_space(self, at: int) -> int:
        """Return the next sign in brackets; Slipped where the text ends, or goes on with a line outside of them."""
        end = _SPACE.match(self.text, at).end()  # type: ignore[union-attr]
        outside = "\n" in self.text[at:end] and _NEW_LINE.match(self.text, end)
        if end == len(self.text) or (outside and (self.text[end] == "-" or column_of(self.text, end) <= self.indent)):
            raise self._unclosed()
        return end

    def _unclosed(self) -> Slipped:
        at = self.open[-1].at
        sign = self.text[at]
        partner = _PARTNER[sign]
        line = self.text[at : self.text.find("\n", at)]
        comment = re.search(r"(?<!\S)#.*", line)
        if comment and comment[0].count(partner) > comment[0].count(sign):
            what = "a comment begins at this `#`, so the rest of the line is ignored"
            return Slipped(at + comment.start(), what, "put the text with the # in quotes")
        return Slipped(at, f"the `{sign}` that opens here is never closed", f"write `{partner}` where it ends")

    def _close(self, at: int) -> None:
        top = self.open.pop()
        wanted = _PARTNER[self.text[top.at]]
        if self.text[at] != wanted:
            what = f"the `{self.text[top.at]}` before is closed by a `{self.text[at]}`"
            raise Slipped(at, what, f"write `{wanted}`")
        if self.open:
            self.open[-1].read("bracket", top.at, at + 1)

    def _read(self, at: int) -> int:
        """Read a value or a name."""
        text, top = self.text, self.open[-1]
        at = after_properties(text, at)
        if top.kind == "plain" and "\n" in text[top.end : at]:
            found = _PLAIN.match(text, at)
            top.end = found.end() if found else at + 1
            return top.end
        if top.kind:
            raise self._second_value(at)
        refuse_starts(text, at)
        if text[at] in _PARTNER:
            self.open.append(_Bracket(at))
            return at + 1
        if text[at] in QUOTING:
            top.read("quote", at, quoted_end(text, at))
        else:
            found = _PLAIN.match(text, at)
            top.read("plain", at, found.end() if found else at + 1)
        return top.end

    def _second_value(self, at: int) -> Slipped:
        """The mistake of two values without a comma between them."""
        top = self.open[-1]
        long = top.kind == "quote" and "\n" in self.text[top.start : top.end]
        if not long and at > top.end and (self.text[at] in "[{\"'" or _NAMED.match(self.text, at)):
            return Slipped(at, "a comma is missing before this", "write a comma between the two entries")
        return after_value(self.text, top.start, top.end, "bracket" if top.kind == "bracket" else "quote")
