"""Where a line of Thai may end: its words stand without spaces, and a model of BudouX parts them."""

import re
from functools import cache
from typing import Any

_THAI = re.compile("[\u0e01-\u0e5b]{2}")
_PARTS = re.compile(  # a vowel before its letter, and a mark or vowel behind it, stay with the letter
    "(?<=[^\u0e40-\u0e44\\W])(?=[^\u0e2f\u0e30-\u0e3a\u0e45-\u0e4e\\W])"
)
BETWEEN_WORDS = ""
"""The piece that lets a line end and shows nothing."""


@cache
def _parser() -> Any:
    import budoux  # here, as it takes a hundredth of a second

    return budoux.load_default_thai_parser()


@cache
def thai_words(piece: str) -> tuple[str, ...]:
    """The words of a piece that has no spaces, `BETWEEN_WORDS` where one ends and the next begins."""
    if not _THAI.search(piece):
        return (piece,)
    may_end = {found.start() for found in _PARTS.finditer(piece)}
    words, start, at = list[str](), 0, 0
    for phrase in _parser().parse(piece):
        at += len(phrase)
        if at in may_end:
            words += [piece[start:at], BETWEEN_WORDS]
            start = at
    return (*words, piece[start:])
