"""Languages: the program's own phrases, the languages of an edition, writing systems."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from generator.base.files import entries_of, read_file

_WORDS = Path(__file__).parent.parent / "words"
OWN_WORDS = "PNP_WORDS"
"""The environment variable that names a folder with files of further languages, or others for those that are there."""

_ELSE = "en"
"""The language of what another one lacks."""

_ONE_LINE = re.compile(
    r'"([^"\\]*)"|(?!(?:yes|no|on|off|true|false|null)$)([^\W\d_](?:[^:#\n]*[^:#\s])?)', re.IGNORECASE
)
"""A text in quotes without escapes, or one that needs none: that YAML takes it as it stands is beyond doubt."""

_NAMES = re.compile(r"^(\w+):", re.MULTILINE)

_Forms = dict[str, str]
"""A phrase for `other` numbers of things and, where the language tells them apart, for `one`."""


def phrase(name: str, lang: str, **values: object) -> str:
    """One of the phrases with its values filled in; KeyError for a name that English lacks."""
    return _forms(name, lang)["other"].format(**values)


def count_phrase(name: str, lang: str, n: int, **values: object) -> str:
    """A phrase about `n` things, in the singular where the language has one for it."""
    forms = _forms(name, lang)
    return forms["one" if n == 1 and "one" in forms else "other"].format(n=n, **values)


@cache
def lacking_phrases(lang: str) -> tuple[str, ...]:
    """The names of all phrases that a language has no words for, and that are therefore said in English."""
    there = frozenset(_NAMES.findall(_written(lang)))
    return tuple(name for name in _NAMES.findall(_written(_ELSE)) if name not in there)


@cache
def _forms(name: str, lang: str) -> _Forms:
    plain = _plain(name, lang)
    return {"other": plain} if plain else _phrases(lang).get(name) or _phrases(_ELSE)[name]


def _plain(name: str, lang: str) -> str:
    """A phrase that is a text on one line, read without YAML, whose reader is long in coming; empty for any other."""
    _, found, after = _written(lang).partition(f"\n{name}: ")
    line, _, next_line = after.partition("\n")
    text = _ONE_LINE.fullmatch(line) if found and not next_line.startswith(" ") else None
    return (text[1] or text[2] or "") if text else ""


@cache
def _written(lang: str) -> str:
    """The file of a language, or of the language whose variety it is (`de` for `de-AT`); empty where there is none."""
    for name in (lang, lang.partition("-")[0]):
        if name in _languages():
            return read_file(_languages()[name], "own").decode("utf-8")
    return ""


@cache
def _phrases(lang: str) -> dict[str, _Forms]:
    """All phrases of a language; none of one that has no file."""
    if not _written(lang):
        return {}
    import yaml

    said = yaml.load(_written(lang), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe one
    return {name: form if isinstance(form, dict) else {"other": form} for name, form in said.items()}


@cache
def _languages() -> dict[str, Path]:
    """The files by language; those of a folder of the user's own stand before the program's."""
    folders = [_WORDS, *([Path(os.environ[OWN_WORDS])] if os.environ.get(OWN_WORDS) else [])]
    return {path.stem: path for folder in folders for path in entries_of(folder) if path.suffix == ".yaml"}


def first_language(edition: str) -> str:
    """The language that leads: stamps, labels and titles are in it, and so is what has no room for a second."""
    return edition.partition("+")[0]


def second_language(edition: str) -> str:
    """The language beside it; empty where there is none."""
    return edition.partition("+")[2]


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
