"""A game's texts in further languages: `translations/<lang>.po` of its folder, put beside the texts of its own."""

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.load.po import Catalogue, read_po
from generator.model.resources import Resources
from generator.model.source import Map, Seq

SOURCE = "X-Source-Language"
"""The field of a file's head that names the language of the game from which it is translated."""

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")

Files = list[tuple[Path, Map]]


class TranslatedMap(Map):
    """A text in each language, with the files of the translations."""

    __slots__ = ("files",)

    def __init__(self, said: Map, files: Mapping[Any, str]):
        super().__init__(said.items(), *({key: at[key] for key in said} for at in (said.keys_at, said.values_at)))
        self.files = files

    def file_of(self, entry: Any) -> str:
        """The file of a translation; empty for a text of the data's own."""
        return self.files.get(entry, "")


@dataclass(frozen=True, slots=True)
class TranslationGap:
    """What a translation lacks: so many of its game's texts are not (or no longer) translated, and say the source."""

    lang: str
    source: str
    lacking: int
    texts: int
    place: Place

    def __str__(self) -> str:
        what = (
            f"{self.lacking} of {self.texts} texts are not translated into '{self.lang}', and stand in '{self.source}'"
        )
        return f"{self.place}: {what}; see them with `pnp translate export`"


def languages_of(files: Files) -> tuple[str, ...]:
    """The languages that the data declare; none where they say none that can be read."""
    written = next((root["languages"] for _, root in files if "languages" in root), ())
    return tuple(str(lang) for lang in written) if isinstance(written, list) else ()


def put_translations(
    there: Mapping[str, Path], files: Files, resources: Resources
) -> tuple[Files, list[TranslationGap], list[Problem]]:
    """The files with the texts of translations, which are given by language; what these lack, and what is wrong.

    The files given stay as they are. A text without a translation says what it says in the language translated from.
    """
    own = tuple(lang for lang in languages_of(files) if lang not in there)
    gaps: list[TranslationGap] = []
    problems: list[Problem] = []
    for lang, path in there.items():
        shown = resources.shown(path)
        try:
            read = _Put(read_po(path, shown), lang, own, shown)
        except ProblemsFound as found:
            problems += found.problems
            continue
        files = [(file, read.into(root)) for file, root in files]
        gaps += read.gap()
    return files, gaps, problems


class _Put:
    """One translation on its way into the data."""

    def __init__(self, catalogue: Catalogue, lang: str, own: Sequence[str], shown: str):
        self._lang, self._own, self._shown = lang, own, shown
        self._source = source_of(catalogue, own, shown)
        self._known = {(one.key, one.source): one for one in catalogue.entries if one.is_done}
        self._lacking, self._texts = 0, 0

    def into(self, root: Map) -> Map:
        """A file's mapping with the translations."""
        made = copy.copy(root)
        languages = made.get("languages")
        if isinstance(languages, Seq) and self._lang not in languages:
            made["languages"] = more = copy.copy(languages)
            more.values_at = [*languages.values_at, (1, 1)]
            more.append(self._lang)
        for key, value in root.items():
            if key != "languages":
                made[key] = self._put(value, str(key))
        return made

    def gap(self) -> list[TranslationGap]:
        """What it lacks, if anything."""
        lacks = TranslationGap(self._lang, self._source, self._lacking, self._texts, Place(self._shown))
        return [lacks] if self._lacking else []

    def _put(self, value: Any, key: str) -> Any:
        if is_text(value, self._own):
            return value if self._lang in value else self._text(value, key)
        if isinstance(value, str) and len(self._own) == 1 and (key, value) in self._known:
            bare = Map([(self._own[0], value)], {self._own[0]: (1, 1)}, {self._own[0]: (1, 1)})
            return self._text(bare, key)
        if not isinstance(value, (Map, Seq)):
            return value
        changed = {step: new for step, name, old in steps(value) if (new := self._put(old, f"{key}.{name}")) is not old}
        if not changed:
            return value
        made = copy.copy(value)
        for step, new in changed.items():
            made[step] = new
        return made

    def _text(self, said: Map, key: str) -> Map:
        source = said.get(self._source)
        entry = self._known.get((key, source)) if isinstance(source, str) else None
        if isinstance(source, str) and source:
            self._texts += 1
            self._lacking += entry is None
        made = TranslatedMap(said, {**getattr(said, "files", {}), **({self._lang: self._shown} if entry else {})})
        made[self._lang] = entry.text if entry else source
        spot = (entry.line, entry.column) if entry else said.values_at[self._source] if self._source in said else (1, 1)
        made.keys_at[self._lang] = made.values_at[self._lang] = spot
        return made


def source_of(catalogue: Catalogue, own: Sequence[str], shown: str) -> str:
    """The game's own language from which a file is translated; ProblemsFound for one that the game does not have."""
    source = catalogue.header.get(SOURCE, "").strip() or (own[0] if own else "")
    if source not in own:
        what = f"it is translated from '{source}', in which the game has no texts of its own"
        raise ProblemsFound([Problem(Place(shown, 1, 1), what, f"write `{SOURCE}: {own[0] if own else 'en'}`")])
    return source


def is_text(value: Any, languages: Sequence[str]) -> bool:
    """Whether a value is a text (or whatever else) by language."""
    return isinstance(value, Map) and any(key in languages for key in value)


def steps(value: Map | Seq) -> Iterator[tuple[Any, str, Any]]:
    """Each part of a value with the step to it and the step's name, an entry's id if it has one."""
    if isinstance(value, Map):
        yield from ((key, str(key), part) for key, part in value.items())
    else:
        for number, part in enumerate(value):
            named = isinstance(part, Map) and isinstance(part.get("id"), (str, int))
            yield number, str(part["id"]) if named else str(number), part
