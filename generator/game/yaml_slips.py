"""Slips in YAML text with their places, for the reader and for the search for mistakes."""

import re
from typing import NamedTuple

QUOTING = "\"'"

_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_SINGLE = re.compile(r"'(?:[^']|'')*+'")
_ESCAPE = re.compile(
    r'\\(?:[0abt\tnvfre "/\\N_LP\n\r]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(\\)', re.DOTALL
)

_WIDE = re.compile(
    r"(?:^\s*(?:- +)*|[{,，｛]\s*)[\w-]+\s*(?P<colon>：)"
    r"|(?P<comma>，)(?=\s*[\w-]+\s*[:：])"
    r"|(?:^\s*-?|[:：,，{\[])\s*(?P<opens>[｛［“”‘])"
    r"|(?P<closes>[｝］])(?=\s*(?:$|[,}\]]))"
    r"|(?P<space>\u3000)(?=\s*[\w-]+\s*:)"
)
"""Full-width characters and curly quotes in place of YAML's own."""

PLAIN_SIGNS = str.maketrans("\xa0\u3000：，｛｝［］“”‘’", "  :,{}[]\"\"''")
_CURLY = re.compile(r"[“‘]([^”’:,\n\[\]{}]*,[^”’:\n\[\]{}]*)[”’]")
ODD_SPACES = {"\xa0": "no-break space", "\u3000": "full-width space"}
_TEXTS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")


class Slip(NamedTuple):
    """A mistake: its offset in the text, the fault and the remedy."""

    at: int
    what: str
    hint: str


class SlipFound(Exception):
    """The error that carries a mistake found in a text."""

    def __init__(self, at: int, what: str, hint: str):
        super().__init__(what)
        self.slip = Slip(at, what, hint)


def find_text_line(text: str, at: int) -> int:
    """Return the line of a place in a text, from 1."""
    return text.count("\n", 0, at) + 1


def find_text_column(text: str, at: int) -> int:
    """Return the column of a place in a text, from 0; a byte order mark has none."""
    start = text.rfind("\n", 0, at) + 1
    return at - start - (start == 0 and text.startswith("\ufeff"))


def find_quoted_end(text: str, at: int) -> int:
    """Return the end of a text in quotes. Raise SlipFound if it is unclosed, or has an unknown escape."""
    sign = text[at]
    found = (_DOUBLE if sign == '"' else _SINGLE).match(text, at)
    if found is None:
        raise make_unclosed_slip(text, at)
    if sign == '"' and (wrong := next((one for one in _ESCAPE.finditer(found[0]) if one[1]), None)):
        shown = found[0][wrong.start() : wrong.start() + 2]
        what = f"`{shown}` has no meaning in double quotes"
        raise SlipFound(at + wrong.start(), what, "write `\\\\` for a backslash, or put the text in single quotes")
    return found.end()


def make_unclosed_slip(text: str, at: int) -> SlipFound:
    """Return the error for a quote that is never closed."""
    sign = text[at]
    hint = f"write a second `{sign}` where the text ends"
    if sign == "'":
        hint += '; if this one is an apostrophe, put the whole text in double quotes ("...")'
    return SlipFound(at, "the quote that opens here is never closed", hint)


def find_wide_sign(text: str, at: int) -> Slip | None:
    """Return the full-width character on a mistake's line that replaces one of YAML's own, or None."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    bare = re.sub(r"(?<!\S)#.*", "", _TEXTS.sub(lambda found: "x" * len(found[0]), line))
    found = _WIDE.search(bare)
    if found is None or (found.lastgroup == "space" and not bare[: found.start()].strip()):
        return None
    sign = found[found.lastgroup or 0]
    return Slip(start + found.start(found.lastgroup or 0), *explain_wide_sign(sign))


def explain_curly_quotes(text: str, at: int) -> tuple[str, str] | None:
    """Return the fault and hint of a text in curly quotes that a comma ends in brackets, or None."""
    found = _CURLY.match(text, at)
    if found is None:
        return None
    what, hint = explain_wide_sign(found[0][0])
    return what, hint if '"' in found[1] else f'{hint}: "{found[1]}"'


def explain_wide_sign(sign: str) -> tuple[str, str]:
    """Return the fault and hint of a full-width character or a curly quote."""
    if sign in ODD_SPACES:
        return f"there is a {ODD_SPACES[sign]} here", "replace it with an ordinary space"
    if sign in "“”‘’":
        return "curly quotes have no meaning here", "write straight quotes at both ends"
    return f"the full-width sign `{sign}` has no meaning here", f"write `{sign.translate(PLAIN_SIGNS)}` instead"
