"""A text in pieces: words, wide numbers, single characters with their marks."""

import re
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from generator.text.kinsoku import BREAKERS, LETTERS, MARKS, WIDE, is_latin

_RIDES = re.compile(f"[{MARKS}\u200d]")
_SEPARATE = " \t\n\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000"
_INSIDE = r"(?<=[^\W_])[’‐‑–](?=[^\W_])"  # in Japanese these belong to a word only between its letters
_UNCOMMON = re.compile("([^\u3000-\u3098\u309b-\u30ff\u3400-\u9fff！？（）：；]+)")


@cache
def _pattern(cjk: bool) -> re.Pattern[str]:
    """Splits a text in words (parted behind hyphens), wide numbers and single characters with their marks."""
    if cjk:
        word, breakers = f"[!-,.0-~{LETTERS}{MARKS}\u00ad\u200c\u200d]|{_INSIDE}", "-/"
    else:
        word, breakers = f"[^{_SEPARATE}{WIDE}{BREAKERS}]", BREAKERS
    letter, breaker = r"[^\W\d_]", f"[{breakers}]"
    kept = f"(?<!{letter}{letter}){breaker}|{breaker}(?!{letter})"
    single = f"[\\s\\S](?:\u200d[\\s\\S]|[{MARKS}\u200d])*"
    return re.compile(f"(?:{word}|{kept})+{breaker}?|[０-９]+(?:[．，][０-９]+)*|{single}")


Pieces: TypeAlias = list[Sequence[str]]
"""The pieces of a text, in rows: the characters of a string are one each."""


def japanese_pieces(text: str) -> Pieces:
    """What the pattern for Japanese finds, faster: kana, ideographs and their marks are pieces of one character."""
    if text.isascii() and text.isdigit():
        return [[text]]
    find = _pattern(cjk=True).findall
    parts = _UNCOMMON.split(text)
    rows: Pieces = [*parts]
    for index in range(1, len(parts), 2):
        before, part = parts[index - 1], parts[index]
        if before and _RIDES.match(part):
            rows[index - 1], part = before[:-1], before[-1] + part
        rows[index] = find(part)
    return rows


def other_pieces(text: str) -> Pieces:
    """Return the pieces of a text in a language that parts its words by spaces."""
    return [_pattern(cjk=False).findall(text)]


def thai_pieces(text: str) -> Pieces:
    """Return the pieces of a Thai text, whose words a dictionary parts."""
    from generator.text.scripts.thai import thai_words  # here, as few games are in Thai

    return [thai_words(piece) for row in other_pieces(text) for piece in row]


WORD_SPACE = "\0 "
"""The piece for a space between two Latin words in Japanese or Chinese: as wide as their font has it."""


def with_word_spaces(pieces: list[str]) -> list[str]:
    """Return the pieces with those spaces marked that stand between Latin words."""
    latin = [(is_latin(piece[:1]), is_latin(piece[-1:])) if piece else (False, False) for piece in pieces]
    last = len(pieces) - 1
    return [
        WORD_SPACE if piece == " " and 0 < at < last and latin[at - 1][1] and latin[at + 1][0] else piece
        for at, piece in enumerate(pieces)
    ]
