"""Which writing the program can't set yet: what runs from right to left, and what is written in columns alone."""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

_RIGHT_TO_LEFT = ("R", "AL", "AN")
"""Unicode's classes of direction: Hebrew and its like, Arabic and its like, the digits of Arabic."""

_COLUMNS_ALONE = (("\u1800", "\u18af"), ("\ua840", "\ua87f"), ("\U00011660", "\U0001167f"))
"""Mongolian and Phags-pa: their letters lie on their sides in a line."""

_HINT = "write it in other letters, or show it as a picture"


@cache
def unset(char: str) -> str:
    """Why a character can't be set; empty for one that can. Others are set as their font shapes them."""
    if unicodedata.bidirectional(char) in _RIGHT_TO_LEFT:
        return "right-to-left text"
    if any(first <= char <= last for first, last in _COLUMNS_ALONE):
        return "text in columns from left to right"
    return ""


def unset_text(characters: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a text, and what to do: once for each direction that can't be set."""
    told: set[str] = set()
    for char in characters:
        why = unset(char[0])
        if why and why not in told:
            told.add(why)
            yield f"U+{ord(char[0]):04X} '{char}' is {why}, which can't be set yet", _HINT


def lacking(characters: Iterable[str], fonts: str) -> Iterator[tuple[str, str]]:
    """The same, and of each further character that it has no glyph in the `fonts`, so called."""
    wanting = tuple(dict.fromkeys(characters))
    yield from unset_text(wanting)
    for char in wanting:
        if not unset(char[0]):
            code = " ".join(f"U+{ord(part):04X}" for part in char)
            code = f"the variant {code}" if len(char) > 1 else code
            family = "the" if fonts.startswith("family") else "a"
            hint = f"use another character, or add a font that has it to {family} family"
            yield f"{code} '{char}' has no glyph in {fonts}", hint
