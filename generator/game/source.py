"""Data as written: mappings and lists that record the place of each value."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.base.errors import Place
from generator.game.rich_text import Words

Spot = tuple[int, int]
"""Line and column, from 1."""


class Map(dict[Any, Any]):
    """A mapping from a data file; `keys_at` and `values_at` hold places, which a table's rows share: see `InRow`."""

    __slots__ = ("keys_at", "values_at")

    def __init__(self, values: Iterable[tuple[Any, Any]] = (), keys_at: Any = None, values_at: Any = None) -> None:
        super().__init__(values)
        self.keys_at: Any = {} if keys_at is None else keys_at
        self.values_at: Any = {} if values_at is None else values_at

    def file_of(self, _entry: Any) -> str:
        """Return the file of a value from another file, such as a translation; else an empty string."""
        return ""


@dataclass(frozen=True, slots=True)
class InRow:
    """The places of the values in a table's row. Many rows share the columns."""

    row: int
    columns: Mapping[Any, int]

    def __getitem__(self, key: Any) -> Spot:
        return self.row, self.columns[key]


class Seq(list[Any]):
    """A list from a data file; `values_at` holds the place of each entry, `file` names a table that they come from."""

    __slots__ = ("file", "values_at")

    def __init__(self, file: str = "") -> None:
        super().__init__()
        self.file = file
        self.values_at: list[Spot] = []

    def file_of(self, _entry: int) -> str:
        """Return the file of an entry; empty if it is the list's own."""
        return self.file


OF_TABLES = ("columns", "ignore", "id_from")
"""A kind's settings for its tables."""


def names_tables(designs: Any) -> bool:
    """Return True if the value of `designs` is a table, or has one among its entries."""
    return isinstance(designs, str) or (isinstance(designs, Seq) and any(isinstance(entry, str) for entry in designs))


class Source:
    """The places of the parts of one value in one file (a design, a section, a part of a section)."""

    __slots__ = ("_key", "_start", "file", "value")

    def __init__(self, file: str, value: Any, start: Spot = (1, 1), key: Spot | None = None):
        self.file, self.value, self._start, self._key = file, value, start, key or start

    def place(self, *path: Any) -> Place:
        """Return the place of the deepest known value along `path`; with an empty path, that of the whole."""
        file, value, spot = self.file, self.value, self._start
        for step in path:
            listed = isinstance(value, Seq) and isinstance(step, int) and 0 <= step < len(value)
            if not listed and not (isinstance(value, Map) and step in value):
                break
            spot = value.values_at[step]
            file = value.file_of(step) or file
            value = value[step]
        return Place(file, *spot)

    def key_place(self, *path: Any) -> Place:
        """Return the place of the key at the end of `path`, or of the deepest known value before it."""
        if not path:
            return Place(self.file, *self._key)
        file, value = self.file, self.value
        for step in path[:-1]:
            try:
                file = value.file_of(step) or file if isinstance(value, Seq) else file
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return self.place(*path)
        if isinstance(value, Map) and path[-1] in value:
            return Place(value.file_of(path[-1]) or file, *value.keys_at[path[-1]])
        return self.place(*path)


class Section:
    """A top-level section of a game. A mapping or list may be split over several files."""

    __slots__ = ("_owner", "parts", "value")

    def __init__(self) -> None:
        self.parts: list[Source] = []
        self._owner: dict[Any, tuple[Source, Any]] = {}
        self.value: Any = None

    def add(self, part: Source) -> list[Any]:
        """Merge a part from another file. Return the keys that already exist, or [None] if the two can't be merged."""
        self.parts.append(part)
        twice: list[Any] = []
        if isinstance(part.value, Map) and (self.value is None or isinstance(self.value, dict)):
            self.value = self.value or {}
            for key, value in part.value.items():
                if key in self.value:
                    twice.append(key)
                else:
                    self.value[key] = value
                    self._owner[key] = (part, key)
        elif isinstance(part.value, Seq) and (self.value is None or isinstance(self.value, list)):
            self.value = self.value or []
            for index, value in enumerate(part.value):
                self._owner[len(self.value)] = (part, index)
                self.value.append(value)
        elif self.value is None:
            self.value = part.value
        else:
            twice.append(None)
        return twice

    def place(self, *path: Any) -> Place:
        """Return the place of the deepest known value along `path`."""
        if path and path[0] in self._owner:
            part, step = self._owner[path[0]]
            return part.place(step, *path[1:])
        return self.parts[0].place()

    def key_place(self, *path: Any) -> Place:
        """Return the place of the key at the end of `path`."""
        if path and path[0] in self._owner:
            part, step = self._owner[path[0]]
            return part.key_place(step, *path[1:])
        return self.parts[0].key_place()


class Sections(Mapping[str, Section]):
    """Every top-level section of a game by name."""

    def __init__(
        self, sections: Mapping[str, Section] | None = None, translated: Iterable[str] = (), gaps: Iterable[str] = ()
    ):
        self._sections = dict(sections or {})
        self.translated = tuple(translated)
        """Languages whose texts come from translations; `gaps` says in sentences what these lack."""
        self.gaps = tuple(gaps)

    def __getitem__(self, name: str) -> Section:
        return self._sections[name]

    def __iter__(self) -> Iterator[str]:
        Words.heard.add("")  # whoever goes through the sections may read their texts in all languages
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)

    def place(self, *path: Any) -> Place | None:
        """Return the place of a value by its path, section first; None if no file has the section."""
        section = self._sections.get(path[0]) if path else None
        return section.place(*path[1:]) if section else None

    def key_place(self, *path: Any) -> Place | None:
        """Return the place of the key at the end of the path; None if no file has the section."""
        section = self._sections.get(path[0]) if path else None
        if section is None:
            return None
        return section.key_place(*path[1:])
