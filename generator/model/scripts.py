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
    "ARABIC": "Noto Sans Arabic (NotoSansArabic_400Regular.ttf, which comes along) or Noto Naskh Arabic",
    "HEBREW": "Noto Sans Hebrew (NotoSansHebrew_400Regular.ttf, which comes along)",
    "THAI": "Noto Sans Thai (NotoSansThai_400Regular.ttf, which comes along)",
    "HANGUL": "Noto Sans KR, or Noto Serif KR",
    "BOPOMOFO": "Noto Sans TC",
}
_FREE = "free at fonts.google.com/noto, its static .ttf goes into the game's folder fonts/"
_KNOWN_WELL = ("LATIN", "GREEK", "CYRILLIC", "HIRAGANA", "KATAKANA", "CJK", "KANGXI")
"""Of these each missing letter is told: most fonts have some of them."""


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
    """The same, and of each further character that it has no glyph in the `fonts`, so called.

    Letters of a script that few fonts have are told together, with fonts that have it.
    """
    wanting = tuple(dict.fromkeys(characters))
    yield from unset_text(wanting)
    family = "the" if fonts.startswith("family") else "a"
    told: set[str] = set()
    for char in wanting:
        script = _script(char)
        if unset(char[0]) or script in told:
            continue
        code = " ".join(f"U+{ord(part):04X}" for part in char)
        code = f"the variant {code}" if len(char) > 1 else code
        if not script or len(char) > 1:
            yield (
                f"{code} '{char}' has no glyph in {fonts}",
                f"use another character, or add a font that has it to {family} family",
            )
            continue
        told.add(script)
        more = sum(_script(other) == script for other in wanting) - 1
        others = f" and {more} more letters of {script.title()} have" if more > 1 else " has"
        others = f" and one more letter of {script.title()} have" if more == 1 else others
        name = _FONTS.get(script, f"Noto Sans {script.title()}")
        source = name if "comes along" in name else f"{name} ({_FREE})"
        yield f"{code} '{char}'{others} no glyph in {fonts}", f"add a font that has them to {family} family: {source}"


def _script(char: str) -> str:
    """The script of a letter or mark that few fonts have; empty for other characters."""
    if unicodedata.category(char[0])[0] not in "LM":
        return ""
    first = unicodedata.name(char[0], "").partition(" ")[0]
    return "" if first in (*_KNOWN_WELL, "COMBINING", "FULLWIDTH", "HALFWIDTH", "MODIFIER", "IDEOGRAPHIC") else first
