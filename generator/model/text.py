"""Texts by language, and the tree that rich text is parsed into (read by cards, rulebooks and terminals)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from generator.dataclass import dataclass


class Words:
    """One text in each language of its game: `words["ja"]` is "稲妻", `words["en"]` "Lightning"."""

    __slots__ = ("_languages", "_texts")

    def __init__(self, by_language: Mapping[str, str]):
        languages = (*by_language,)
        self._languages = _KNOWN.setdefault(languages, languages)  # all texts of a game share them
        self._texts = (*by_language.values(),)

    def __getitem__(self, language: str) -> str:
        if language not in self._languages:
            raise KeyError(language)
        return self._texts[self._languages.index(language)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.items())))

    def __repr__(self) -> str:
        return f"Words({dict(self.items())!r})"

    def items(self) -> Iterable[tuple[str, str]]:
        """(language, text) in the order of the data."""
        return zip(self._languages, self._texts, strict=True)


_KNOWN: dict[tuple[str, ...], tuple[str, ...]] = {}


class TypeManner(NamedTuple):
    """How a run differs from the type around it, beside its stress and colour.

    `size` is its size by that of its text; `rise` is how far it stands above the line, in ems of the text (below 0:
    under it). An empty `family` and a `weight` of 0 are those of the text.
    """

    size: float = 1.0
    rise: float = 0.0
    family: str = ""
    weight: int = 0
    small_capitals: bool = False
    underlined: bool = False
    struck: bool = False


USUAL = TypeManner()
"""Of a run that doesn't differ."""


class Plain(NamedTuple):
    """A run of characters; may be bold, emphasised or in a palette colour."""

    text: str
    bold: bool = False
    emphasis: bool = False
    colour: str = ""
    manner: TypeManner = USUAL


@dataclass(frozen=True, slots=True)
class Ruby:
    """Base characters with their reading; `base` and `reading` are parallel groups of equal number."""

    base: tuple[str, ...]
    reading: tuple[str, ...]
    bold: bool = False
    emphasis: bool = False
    colour: str = ""
    manner: TypeManner = USUAL


RING = "ring:"
"""Before a number, in place of an icon's name: the number in a ring, as pictures show it."""


@dataclass(frozen=True, slots=True)
class Icon:
    """An inline icon by name; as tall as the text around it and in its colour, where it has no own (paint, mm)."""

    name: str
    colour: str = ""
    height: float = 0.0
    manner: TypeManner = USUAL


@dataclass(frozen=True, slots=True)
class Reference:
    """The name of a component, by its id (`reel/6-wheat`)."""

    component: str
    bold: bool = False
    emphasis: bool = False
    colour: str = ""
    manner: TypeManner = USUAL


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A forced break; two in a row start a new paragraph."""


Inline: TypeAlias = Plain | Ruby | Icon | Reference | LineBreak
RichText: TypeAlias = tuple[Inline, ...]


_SEAM = re.compile(r"(?<=[、，,:：])\s*|\s*(?=[（(])")
"""Where a title is parted best: after a mark, before a bracket."""


def title_parts(title: str) -> list[str]:
    """Return the two lines of a title that has a mark between its words, else the title alone."""
    return [part for part in _SEAM.split(title, maxsplit=1) if part]


_WITHIN = re.compile(r"(?<=[^\x00-\x7f])(?=[^\x00-\x7f])")


def unbroken(words: str) -> str:
    """Return Japanese words as one that no line ends within; those of other languages end at their spaces alone."""
    return _WITHIN.sub("\u2060", words)
