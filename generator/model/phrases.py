"""The few words that the program itself says, on paper and at the table: `generator/words/<language>.yaml`."""

import os
import re
from functools import cache
from pathlib import Path

from generator.files import entries_of, read_file

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
