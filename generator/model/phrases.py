"""The few words that the program itself says, on paper and at the table: `generator/words/<language>.yaml`."""

from functools import cache
from pathlib import Path

import yaml

from generator.files import read_file

_WORDS = Path(__file__).parent.parent / "words"
_ELSE = "en"
"""The language of what another one lacks."""

_Forms = dict[str, str]
"""A phrase for `other` numbers of things and, where the language tells them apart, for `one`."""


def phrase(name: str, lang: str, **values: object) -> str:
    """One of the phrases with its values filled in; KeyError for a name that English lacks."""
    return _forms(name, lang)["other"].format(**values)


def count_phrase(name: str, lang: str, n: int, **values: object) -> str:
    """A phrase about `n` things, in the singular where the language has one for it."""
    forms = _forms(name, lang)
    return forms["one" if n == 1 and "one" in forms else "other"].format(n=n, **values)


def _forms(name: str, lang: str) -> _Forms:
    return _phrases(lang).get(name) or _phrases(_ELSE)[name]


@cache
def _phrases(lang: str) -> dict[str, _Forms]:
    """All phrases of a language; none of one that has no file."""
    path = _WORDS / f"{lang}.yaml"
    if lang not in _languages():
        return {}
    said = yaml.load(read_file(path, "own"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe one
    return {name: form if isinstance(form, dict) else {"other": form} for name, form in said.items()}


@cache
def _languages() -> frozenset[str]:
    return frozenset(path.stem for path in _WORDS.glob("*.yaml"))
