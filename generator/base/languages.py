"""Languages: the program's own phrases, the languages of an edition, and writing systems."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from generator.base.errors import join_words
from generator.base.files import list_folder, read_file

_WORDS = Path(__file__).parent.parent / "words"
OWN_WORDS = "PNP_WORDS"
"""Environment variable for a folder with phrase files of more languages, or with replacements."""

_ELSE = "en"
"""The language used for phrases that another language lacks."""

_ONE_LINE = re.compile(
    r'"([^"\\]*)"|(?!(?:yes|no|on|off|true|false|null)$)([^\W\d_](?:[^:#\n]*[^:#\s])?)', re.IGNORECASE
)
"""Matches a YAML text on one line that needs no YAML parser: quoted without escapes, or certainly plain."""

_NAMES = re.compile(r"^(\w+):", re.MULTILINE)

_Forms = dict[str, str]
"""A phrase in its grammatical forms: `other`, and `one` if the language has a singular."""


def phrase(name: str, lang: str, **values: object) -> str:
    """Return a phrase with its values filled in. Raise KeyError for a name that English lacks."""
    return _find_forms(name, lang)["other"].format(**values)


def count_phrase(name: str, lang: str, n: int, **values: object) -> str:
    """Return a phrase about `n` things, in the singular if the language has one for it."""
    forms = _find_forms(name, lang)
    return forms["one" if n == 1 and "one" in forms else "other"].format(n=n, **values)


def count_columns(text: str) -> int:
    """Return the number of terminal columns that a text takes: full-width characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def make_number_key(text: str) -> list[tuple[int, str]]:
    """Return a sort key that puts `E2` before `E10`, and `town p9` before `town p10`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split("([0-9]+)", text) if part]


@cache
def find_missing_phrases(lang: str) -> tuple[str, ...]:
    """Return the names of all phrases that a language lacks. They are shown in English."""
    there = frozenset(_NAMES.findall(_read_language_file(lang)))
    return tuple(name for name in _NAMES.findall(_read_language_file(_ELSE)) if name not in there)


def list_phrases(prefix: str) -> tuple[str, ...]:
    """Return the names of all phrases that begin with a prefix, without it."""
    return tuple(name[len(prefix) :] for name in _NAMES.findall(_read_language_file(_ELSE)) if name.startswith(prefix))


@cache
def _find_forms(name: str, lang: str) -> _Forms:
    plain = _find_plain_phrase(name, lang)
    return {"other": plain} if plain else _load_phrases(lang).get(name) or _load_phrases(_ELSE)[name]


def _find_plain_phrase(name: str, lang: str) -> str:
    """Return a phrase written on one line, without loading the slow YAML reader; empty for any other phrase."""
    _, found, after = _read_language_file(lang).partition(f"\n{name}: ")
    line, _, next_line = after.partition("\n")
    text = _ONE_LINE.fullmatch(line) if found and not next_line.startswith(" ") else None
    return (text[1] or text[2] or "") if text else ""


@cache
def _read_language_file(lang: str) -> str:
    """Return the text of a language's file, or of its base language (`de` for `de-AT`); empty if there is none."""
    for name in (lang, lang.partition("-")[0]):
        if name in _find_language_files():
            return read_file(_find_language_files()[name], "own").decode("utf-8")
    return ""


@cache
def _load_phrases(lang: str) -> dict[str, _Forms]:
    if not _read_language_file(lang):
        return {}
    import yaml

    said = yaml.load(_read_language_file(lang), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe one
    return {name: form if isinstance(form, dict) else {"other": form} for name, form in said.items()}


@cache
def _find_language_files() -> dict[str, Path]:
    """Return the files by language. The user's own folder takes precedence over the program's."""
    folders = [_WORDS, *([Path(os.environ[OWN_WORDS])] if os.environ.get(OWN_WORDS) else [])]
    return {path.stem: path for folder in folders for path in list_folder(folder) if path.suffix == ".yaml"}


def first_language(edition: str) -> str:
    """Return the main language: stamps, labels and titles use it, and everything without room for a second one."""
    return edition.partition("+")[0]


def second_language(edition: str) -> str:
    """Return the second language of an edition, or an empty string."""
    return edition.partition("+")[2]


_COLUMNS_ALONE = (("\u1800", "\u18af"), ("\ua840", "\ua87f"), ("\U00011660", "\U0001167f"))
"""Scripts that are written only in columns (Mongolian, Phags-pa): in lines, their letters would be rotated."""

_HINT = "write it in other letters, or show it as a picture"

_LEFTWARD_LANGUAGES = frozenset((
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
))  # fmt: skip
_LEFTWARD_SCRIPTS = frozenset(("arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "mand", "samr"))
_LEFTWARD = "\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The blocks of these scripts, and direction marks."""
_SHAPED = re.compile(  # the same, and scripts whose letters are reordered or carry marks
    f"[{_LEFTWARD}\u0900-\u109f\u1780-\u17ff\u1a00-\u1cff\ua800-\uabff\U00011000-\U00011fff]"
)
_AIRY_LANGUAGES = frozenset((
    "ja", "zh", "ko", "ar", "ckb", "fa", "ps", "sd", "ug", "ur", "th", "lo", "km", "my", "bo", "dz", "hi", "mr", "ne",
    "sa", "bn", "as", "gu", "pa", "or", "ta", "te", "kn", "ml", "si",
))  # fmt: skip
"""Languages that need more space between lines, because letters fill their square or have marks above and below."""

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
"""Scripts of which many fonts lack some letters, so that a message names the letters instead of the script."""

_EMOJI = "[\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f300-\U0001faff]"
"""Most of the characters in Noto Emoji."""

_MOST_NAMED = 8
"""Maximum number of missing characters in one message."""


@cache
def explain_unsettable(char: str) -> str:
    """Return why the program can't set a character (its writing direction), or '' if it can."""
    if any(first <= char <= last for first, last in _COLUMNS_ALONE):
        return "text in columns from left to right"
    return ""


@cache
def is_right_to_left(lang: str) -> bool:
    """Return True if the lines of a language begin at the right (`ar`, `he-IL`, `az-Arab`)."""
    first, *further = lang.lower().split("-")
    scripts = [part for part in further if len(part) == 4 and part.isalpha()]
    return scripts[0] in _LEFTWARD_SCRIPTS if scripts else first in _LEFTWARD_LANGUAGES


def is_mixed(lang: str, text: str) -> bool:
    """Return True if the language, or anything in the text, runs from right to left."""
    return is_right_to_left(lang) or (needs_shaping(text) and re.search(f"[{_LEFTWARD}]", text) is not None)


def needs_shaping(text: str) -> bool:
    """Return True if letters of the text change their shapes beside others, so that it must be shaped as a whole."""
    return not text.isascii() and _SHAPED.search(text) is not None


@cache
def is_airy(lang: str) -> bool:
    """Return True if the lines of a language need more room between them than Latin letters do."""
    return lang.split("-", 1)[0].lower() in _AIRY_LANGUAGES


def iter_unsettable_faults(characters: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a fault and a remedy, once for each direction of writing that can't be set."""
    told: set[str] = set()
    for char in characters:
        why = explain_unsettable(char[0])
        if why and why not in told:
            told.add(why)
            yield f"U+{ord(char[0]):04X} '{char}' is {why}, which can't be set", _HINT


def iter_missing_glyph_faults(characters: Iterable[str], fonts: str) -> Iterator[tuple[str, str]]:
    """Yield a fault and a remedy: unsupported directions, then all characters without a glyph in one message.

    `fonts` is the message's name for the fonts that were tried.
    """
    wanting = tuple(dict.fromkeys(characters))
    yield from iter_unsettable_faults(wanting)
    wanting = tuple(char for char in wanting if not explain_unsettable(char[0]))
    if not wanting:
        return
    codes = {char: " ".join(f"U+{ord(part):04X}" for part in char) for char in wanting[:_MOST_NAMED]}
    named = [f"{'the variant ' * (len(char) > 1)}{code} '{char}'" for char, code in codes.items()]
    if more := len(wanting) - len(named):
        named.append(f"{more} more")
    names = join_words(named)
    has, them = ("has", "it") if len(wanting) == 1 else ("have", "them")
    family = "the" if fonts.startswith("family") else "a"
    scripts = dict.fromkeys(_find_script(char) if len(char) == 1 else "" for char in wanting)
    if "" in scripts:
        other = "another character" if len(wanting) == 1 else "other characters"
        hint = f"use {other}, or add a font that has {them} to {family} family"
    else:
        sources = [_FONTS.get(script, f"Noto Sans {script.title()}") for script in scripts]
        found = ", ".join(source if "bundled" in source else f"{source} ({_FREE})" for source in sources)
        hint = f"add a font that has {them} to {family} family: {found}"
    yield f"{names} {has} no glyph in {fonts}", hint


def _find_script(char: str) -> str:
    """Return the script of a character that few fonts have (EMOJI for most emoji), else ''."""
    if re.match(_EMOJI, char):
        return "EMOJI"
    if unicodedata.category(char[0])[0] not in "LM":
        return ""
    first = unicodedata.name(char[0], "").partition(" ")[0]
    return "" if first in (*_KNOWN_WELL, "COMBINING", "FULLWIDTH", "HALFWIDTH", "MODIFIER", "IDEOGRAPHIC") else first
