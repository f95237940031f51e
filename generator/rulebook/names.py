"""Names with their readings: where a chapter first mentions one, the book says how it is read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.model.game import Game
from generator.model.markup import MarkupError, parse_markup, plain_text
from generator.model.text import Inline as TextInline
from generator.model.text import LineBreak, Plain, Ruby, Words

_LONGEST = 16
"""Characters: a longer text is no name."""


class NamesRead:
    """The names of a game that have a reading in a language; each is read again in each chapter.

    They are the short texts with a reading among its designs' fields and anywhere in its `words`.
    """

    def __init__(self, game: Game, lang: str):
        fields = [value for design in game.designs() for value in design.fields.values()]
        marked = [*_texts(fields, lang), *_texts(game.sections.get("words", {}), lang)]
        self._names: dict[str, tuple[TextInline, ...]] = {}
        for text in marked:
            if "|" in text and "{{" not in text:
                try:
                    rich = parse_markup(text, game.palette)
                except MarkupError:
                    continue  # told where its card is drawn
                if any(isinstance(inline, Ruby) for inline in rich) and not _is_long(rich):
                    self._names[plain_text(rich)] = rich
        longest_first = sorted(self._names, key=len, reverse=True)
        self._found = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._said: set[str] = set()

    def reading(self, name: str) -> str:
        """How a name is read, by which it is sorted; itself where the data don't say."""
        parts = self._names.get(name, (Plain(name),))
        return "".join("".join(part.reading) if isinstance(part, Ruby) else plain_text((part,)) for part in parts)

    def begin_chapter(self) -> None:
        """From here on each name is read again."""
        self._said.clear()

    def read(self, inline: Plain) -> Iterator[TextInline]:
        """The words, each name in them that the chapter mentions for the first time with its reading."""
        end = 0
        for found in self._found.finditer(inline.text) if self._found is not None else ():
            if found[0] in self._said:
                continue
            self._said.add(found[0])
            if found.start() > end:
                yield inline._replace(text=inline.text[end : found.start()])
            for part in self._names[found[0]]:
                if isinstance(part, Plain):
                    yield inline._replace(text=part.text)
                elif isinstance(part, Ruby):
                    bold, emphasis, colour, manner = inline.bold, inline.emphasis, inline.colour, inline.manner
                    yield replace(part, bold=bold, emphasis=emphasis, colour=colour, manner=manner)
            end = found.end()
        if end < len(inline.text):
            yield inline._replace(text=inline.text[end:])


def _texts(data: Any, lang: str) -> Iterator[str]:
    """The texts in free-form data."""
    if isinstance(data, Words):
        yield data[lang]
    elif isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for part in data.values():
            yield from _texts(part, lang)
    elif isinstance(data, (list, tuple)):
        for part in data:
            yield from _texts(part, lang)


def _is_long(rich: Sequence[TextInline]) -> bool:
    return any(isinstance(inline, LineBreak) for inline in rich) or len(plain_text(tuple(rich))) > _LONGEST
