"""The cache of one game: its stored results, the files they depend on, and checks of their types."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache, cached_property
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from generator.base.cache import Store, hash_program, hash_value
from generator.game.model import Game


def has_shape(value: Any, shape: Any) -> bool:
    """Return True if a value has a type, including the contents of containers, dataclasses and named tuples.

    `shape` is a class, `Any`, None, a literal, a union, or a tuple, list, mapping or Counter of these. A plain tuple
    passes as a named tuple.
    """
    origin, parts = get_origin(shape), get_args(shape)
    if shape is Any:
        return True
    if origin is Literal:
        return type(value) in map(type, parts) and value in parts
    if origin in (Union, UnionType):
        return any(has_shape(value, part) for part in parts)
    if origin is None:
        return _is_of_class(value, type(None) if shape is None else shape)
    if not isinstance(value, origin):
        return False
    if origin is tuple and parts[-1] is not ...:
        return len(value) == len(parts) and all(map(has_shape, value, parts))
    if isinstance(value, dict):
        key, held = (parts[0], int) if origin is Counter else parts
        return all(has_shape(name, key) and has_shape(one, held) for name, one in value.items())
    return all(has_shape(one, parts[0]) for one in value)


def _is_of_class(value: Any, kind: Any) -> bool:
    """Return True if a value is of a class. An integer is a number, but a truth value is no integer."""
    held = _find_part_shapes(kind)
    if held and issubclass(kind, tuple):
        return isinstance(value, tuple) and len(value) == len(held) and all(map(has_shape, value, held.values()))
    if not isinstance(value, (int, float) if kind is float else kind) or (isinstance(value, bool) and kind is int):
        return False
    return all(hasattr(value, name) and has_shape(getattr(value, name), shape) for name, shape in held.items())


@cache
def _find_part_shapes(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind) if is_dataclass(kind) or hasattr(kind, "_fields") else {}


Kind: TypeAlias = Literal["template", "art", "picture", "font"]
PICTURE_SOURCES: tuple[Kind, ...] = ("art", "picture", "font")
"""The files that a picture depends on once its markup is known."""

File: TypeAlias = tuple[Kind, str]
"""The kind of a file, and the name it was requested by, which decides where it is found."""

FileStates: TypeAlias = Mapping[File, str]
"""The state in which each file was read; empty if no file has that name."""


class ReadLog:
    """The files read in this run. `mixed` means that a file changed meanwhile, so nothing may be stored.

    `look` has a function for each kind that returns the present state of a file. The readers of that kind set it.
    """

    def __init__(self) -> None:
        self.mixed = False
        self.look: dict[Kind, Callable[[str], str]] = {}
        self._noted: dict[File, str] = {}
        self._seen: dict[File, str] = {}

    def note_file(self, kind: Kind, name: str, state: str) -> None:
        """Record that a file was read in this state."""
        if self._noted.setdefault((kind, name), state) != state:
            self.mixed = True

    def select_files(self, kinds: tuple[Kind, ...]) -> FileStates:
        """Return all files of these kinds that were read up to now."""
        return {file: state for file, state in self._noted.items() if file[0] in kinds}

    def are_unchanged(self, grounds: FileStates) -> bool:
        """Return True if every file is unchanged. Record the files, as their results are now part of this run."""
        if self.mixed or any(self._find_state(file) != state for file, state in grounds.items()):
            return False
        self._noted.update(grounds)
        return True

    def _find_state(self, file: File) -> str:
        if file in self._noted:
            return self._noted[file]
        if file not in self._seen:
            self._seen[file] = self.look[file[0]](file[1])
        return self._seen[file]


EVERYTHING: tuple[Kind, ...] = ("template", *PICTURE_SOURCES)


class GameCache:
    """The stored results of a game in a project. `project` distinguishes projects whose files have the same names.

    A result is used again only if its key is equal and every file that was read for it is unchanged.
    """

    def __init__(self, store: Store, project: str, game: Game, reads: ReadLog):
        self._store, self._project, self._game = store, project, game
        self.reads = reads

    @cached_property
    def game(self) -> str:
        """The contents of all the game's data with their places, as 32 hex digits."""
        return hash_value(self._game)

    def get(self, what: str, shape: Any, *key: Any) -> Any | None:
        """Return the result `what` for that key; None if it is missing, outdated or not of that shape."""
        entry: Any = self._store.get(self._make_name(what, key))
        if not has_shape(entry, tuple[dict[File, str], Any]) or not has_shape(entry[1], shape):  # only a forged one
            return None
        return entry[1] if self.reads.are_unchanged(entry[0]) else None

    def put(self, what: str, value: Any, *key: Any, rests_on: tuple[Kind, ...] = EVERYTHING) -> None:
        """Store a result that depends on the files of these kinds read up to now."""
        if not self.reads.mixed:
            self._store.put(self._make_name(what, key), (self.reads.select_files(rests_on), value))

    def _make_name(self, what: str, key: tuple[Any, ...]) -> str:
        return f"{what}-{hash_value((hash_program(), self._project, self._game.id, what, key))}"
