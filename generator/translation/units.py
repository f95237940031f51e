"""All that there is to translate of a game: texts of its data, passages of its books, each with where it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.files import read_file
from generator.load.sections import parse_all
from generator.load.tables.placing import put_tables
from generator.load.translated import is_text, languages_of, steps
from generator.model.resources import Resources
from generator.model.source import Map, Seq, Source
from generator.rulebook.volumes import VOLUMES, Volume
from generator.translation.passages import BookPassage, passages


@dataclass(frozen=True, slots=True)
class Unit:
    """A text to be translated: its key, what it says, where it stands, and what it says in the other languages.

    The same text under the same key is one unit, of several places.
    """

    key: str
    source: str
    places: tuple[Place, ...]
    others: tuple[tuple[str, str], ...] = ()

    @property
    def design(self) -> str:
        """The design that shows it (`aid/summary`), or the kind (`aid`); empty for a text of no component."""
        parts = self.key.split(".")
        if parts[0] != "components" or len(parts) < 3:
            return ""
        return "/".join([parts[1], *(parts[3:4] if parts[2] == "designs" else ())])


@dataclass(frozen=True, slots=True)
class BookTemplate:
    """A book's template in the language translated from: its volume, its file, and what it says."""

    volume: Volume
    shown: str
    text: str


def data_units(folder: Path, resources: Resources, source: str, bare: Iterable[Place] = ()) -> list[Unit]:
    """The texts of a game's data; `bare` are places of texts that say no language. ProblemsFound."""
    files = parse_all(folder, resources)
    problems = put_tables(folder, files, resources)
    languages = languages_of(files)
    if source not in languages:
        what = f"the game has no texts of its own in '{source}'"
        hint = f"translate from {' or '.join(languages) or 'one of its languages'}: --from"
        problems.append(Problem(Place(resources.shown(folder)), what, hint))
    if problems:
        raise ProblemsFound(problems)
    walk = _Walk(source, languages, frozenset(bare))
    for path, root in files:
        whole = Source(resources.shown(path), root)
        for key, value in root.items():
            if key != "languages":
                walk.through(value, str(key), whole, (key,))
    return joined(walk.found)


class _Walk:
    """Looks for texts in values of the data."""

    def __init__(self, source: str, languages: Sequence[str], bare: frozenset[Place]):
        self.found: list[Unit] = []
        self._source, self._languages, self._bare = source, languages, bare

    def through(self, value: Any, key: str, whole: Source, path: tuple[Any, ...]) -> None:
        """Take in the texts of a value."""
        if is_text(value, self._languages):
            self._text(value, key, whole, path)
        elif isinstance(value, str) and len(self._languages) == 1:
            place = whole.place(*path)
            if value.strip() and (place in self._bare or path[0] == "words"):
                self.found.append(Unit(key, value, (place,)))
        elif isinstance(value, (Map, Seq)):
            for step, name, part in steps(value):
                self.through(part, f"{key}.{name}", whole, (*path, step))

    def _text(self, value: Map, key: str, whole: Source, path: tuple[Any, ...]) -> None:
        said = value.get(self._source)
        if isinstance(said, str) and said.strip():
            others = tuple((lang, value[lang]) for lang in self._languages if lang != self._source and lang in value)
            told = tuple((lang, text) for lang, text in others if isinstance(text, str))
            self.found.append(Unit(key, said, (whole.place(*path, self._source),), told))


def book_templates(game: str, resources: Resources, lang: str) -> list[BookTemplate]:
    """The templates of a game's books in a language, as far as it has them."""
    found = []
    for volume in VOLUMES:
        path = resources.find("templates", f"{game}/{volume.template(lang)}")
        if path is not None:
            found.append(BookTemplate(volume, resources.shown(path), read_file(path, "markup").decode("utf-8-sig")))
    return found


def book_units(templates: Iterable[BookTemplate]) -> list[Unit]:
    """The passages of books; their key is the book's and the heading's that they stand under."""
    found = [
        Unit(passage_key(template, piece), piece.source, (Place(template.shown, piece.line, len(piece.before) + 1),))
        for template in templates
        for piece in passages(template.text)
        if isinstance(piece, BookPassage)
    ]
    return joined(found)


def passage_key(template: BookTemplate, passage: BookPassage) -> str:
    """Which text of a game a passage is: `rulebook#setup`."""
    return f"{template.volume.name}#{passage.anchor}"


def joined(units: Iterable[Unit]) -> list[Unit]:
    """The units, those alike as one."""
    found: dict[tuple[str, str], Unit] = {}
    for unit in units:
        known = found.get((unit.key, unit.source))
        found[unit.key, unit.source] = replace(known, places=known.places + unit.places) if known else unit
    return list(found.values())
