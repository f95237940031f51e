"""What the program knows of writing systems: which run from right to left, which can't be set, where fonts are."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

_COLUMNS_ALONE = (("\u1800", "\u18af"), ("\ua840", "\ua87f"), ("\U00011660", "\U0001167f"))
"""Mongolian and Phags-pa: their letters lie on their sides in a line."""

_HINT = "write it in other letters, or show it as a picture"

_LEFTWARD_LANGUAGES = re.compile("ar|arc|ckb|dv|fa|he|iw|ks|nqo|ps|sd|syr|ug|ur|yi")
_LEFTWARD_SCRIPTS = frozenset(("arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "mand", "samr"))
_LEFTWARD = re.compile(  # the blocks of these scripts, and the marks that turn the direction
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_SHAPED = re.compile(  # the same, Brahmic scripts and others whose letters change places or bear marks
    f"{_LEFTWARD.pattern[:-1]}\u0900-\u109f\u1780-\u17ff\u1a00-\u1cff\ua800-\uabff\U00011000-\U00011fff]"
)
_AIRY_LANGUAGES = re.compile(
    "ja|zh|ko|ar|ckb|fa|ps|sd|ug|ur|th|lo|km|my|bo|dz|hi|mr|ne|sa|bn|as|gu|pa|or|ta|te|kn|ml|si"
)
"""Of letters that fill their em, or have marks above and below."""

_FONTS = {
    "ARABIC": "Noto Sans Arabic (NotoSansArabic_400Regular.ttf, bundled) or Noto Naskh Arabic",
    "HEBREW": "Noto Sans Hebrew (NotoSansHebrew_400Regular.ttf, bundled)",
    "THAI": "Noto Sans Thai (NotoSansThai_400Regular.ttf, bundled)",
    "EMOJI": "Noto Emoji (NotoEmoji_400Regular.ttf, bundled)",
    "HANGUL": "Noto Sans KR, or Noto Serif KR",
    "BOPOMOFO": "Noto Sans TC",
}
_FREE = "free at fonts.google.com/noto, its static .ttf goes into the game's folder fonts/"
_KNOWN_WELL = ("LATIN", "GREEK", "CYRILLIC", "HIRAGANA", "KATAKANA", "CJK", "KANGXI")
"""Scripts that most fonts have in part: no single font is the answer to a missing letter."""

_EMOJI = re.compile("[\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f300-\U0001faff]")
"""Most of what Noto Emoji has."""

_MOST_NAMED = 8
"""Missing characters that one message names."""


@cache
def unset(char: str) -> str:
    """Why a character can't be set; empty for one that can. Others are set as their font shapes them."""
    if any(first <= char <= last for first, last in _COLUMNS_ALONE):
        return "text in columns from left to right"
    return ""


@cache
def runs_left(lang: str) -> bool:
    """Whether the lines of a language begin at the right (`ar`, `he-IL`, `az-Arab`)."""
    first, *further = lang.lower().split("-")
    scripts = [part for part in further if len(part) == 4 and part.isalpha()]
    return scripts[0] in _LEFTWARD_SCRIPTS if scripts else _LEFTWARD_LANGUAGES.fullmatch(first) is not None


def is_mixed(lang: str, text: str) -> bool:
    """Whether a text of a language has anything that runs from right to left, or stands in a line that does."""
    return runs_left(lang) or (not text.isascii() and _LEFTWARD.search(text) is not None)


def needs_shaping(text: str) -> bool:
    """Whether glyphs side by side, one for each character, would be wrong letters."""
    return not text.isascii() and _SHAPED.search(text) is not None


@cache
def is_airy(lang: str) -> bool:
    """Whether the lines of a language need more room between them than those of Latin letters."""
    return _AIRY_LANGUAGES.fullmatch(lang.split("-", 1)[0].lower()) is not None


def unset_text(characters: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a text, and what to do: once for each direction that can't be set."""
    told: set[str] = set()
    for char in characters:
        why = unset(char[0])
        if why and why not in told:
            told.add(why)
            yield f"U+{ord(char[0]):04X} '{char}' is {why}, which can't be set", _HINT


def lacking(characters: Iterable[str], fonts: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a text and what to do: its directions, then all characters without a glyph in one.

    `fonts` is what the message calls the fonts that were asked.
    """
    wanting = tuple(dict.fromkeys(characters))
    yield from unset_text(wanting)
    wanting = tuple(char for char in wanting if not unset(char[0]))
    if not wanting:
        return
    named = [_named(char) for char in wanting[:_MOST_NAMED]]
    if more := len(wanting) - len(named):
        named.append(f"{more} more")
    names = ", ".join(named[:-1]) + f" and {named[-1]}" if len(named) > 1 else named[0]
    has, them = ("has", "it") if len(wanting) == 1 else ("have", "them")
    family = "the" if fonts.startswith("family") else "a"
    scripts = dict.fromkeys(_script(char) if len(char) == 1 else "" for char in wanting)
    if "" in scripts:
        other = "another character" if len(wanting) == 1 else "other characters"
        hint = f"use {other}, or add a font that has {them} to {family} family"
    else:
        sources = [_FONTS.get(script, f"Noto Sans {script.title()}") for script in scripts]
        found = ", ".join(source if "bundled" in source else f"{source} ({_FREE})" for source in sources)
        hint = f"add a font that has {them} to {family} family: {found}"
    yield f"{names} {has} no glyph in {fonts}", hint


def _named(char: str) -> str:
    code = " ".join(f"U+{ord(part):04X}" for part in char)
    return f"the variant {code} '{char}'" if len(char) > 1 else f"{code} '{char}'"


def _script(char: str) -> str:
    """Return the script of a letter or mark that few fonts have, EMOJI for most emoji, else an empty text."""
    if _EMOJI.match(char):
        return "EMOJI"
    if unicodedata.category(char[0])[0] not in "LM":
        return ""
    first = unicodedata.name(char[0], "").partition(" ")[0]
    return "" if first in (*_KNOWN_WELL, "COMBINING", "FULLWIDTH", "HALFWIDTH", "MODIFIER", "IDEOGRAPHIC") else first
