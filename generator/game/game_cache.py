"""The cache of one game: its stored results, the files they depend on, and checks of their types."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache, cached_property
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from generator.base.cache import Store, fingerprint, program
from generator.game.model import Game


def fits(value: Any, shape: Any) -> bool:
    """Return True if a value has a type, including the contents of containers, dataclasses and named tuples.

    `shape` is a class, `Any`, None, a literal, a union, or a tuple, list, mapping or Counter of such. A plain tuple may
    replace a named one.
    """
    origin, parts = get_origin(shape), get_args(shape)
    if shape is Any:
        return True
    if origin is Literal:
        return type(value) in map(type, parts) and value in parts
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is None:
        return _is(value, type(None) if shape is None else shape)
    if not isinstance(value, origin):
        return False
    if origin is tuple and parts[-1] is not ...:
        return len(value) == len(parts) and all(map(fits, value, parts))
    if isinstance(value, dict):
        key, held = (parts[0], int) if origin is Counter else parts
        return all(fits(name, key) and fits(one, held) for name, one in value.items())
    return all(fits(one, parts[0]) for one in value)


def _is(value: Any, kind: Any) -> bool:
    """Return True if a value is of a class. An integer is a number, but a truth value is no integer."""
    held = _part_shapes(kind)
    if held and issubclass(kind, tuple):
        return isinstance(value, tuple) and len(value) == len(held) and all(map(fits, value, held.values()))
    if not isinstance(value, (int, float) if kind is float else kind) or (isinstance(value, bool) and kind is int):
        return False
    return all(hasattr(value, name) and fits(getattr(value, name), shape) for name, shape in held.items())


@cache
def _part_shapes(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass or a named tuple."""
    return get_type_hints(kind) if is_dataclass(kind) or hasattr(kind, "_fields") else {}


Kind: TypeAlias = Literal["template", "art", "picture", "font"]
PICTURED: tuple[Kind, ...] = ("art", "picture", "font")
"""The files that a picture depends on once its markup is known."""

File: TypeAlias = tuple[Kind, str]
"""The kind of a file, and the name it was requested by, which decides where it is found."""

Grounds: TypeAlias = Mapping[File, str]
"""The state in which each file was read; empty if no file has that name."""


class Reads:
    """The files read in this run. `mixed` means that a file changed meanwhile, so nothing may be stored.

    `look` has a function for each kind that returns the present state of a file. The readers of that kind set it.
    """

    def __init__(self) -> None:
        self.mixed = False
        self.look: dict[Kind, Callable[[str], str]] = {}
        self._noted: dict[File, str] = {}
        self._seen: dict[File, str] = {}

    def note(self, kind: Kind, name: str, state: str) -> None:
        """Record that a file was read in this state."""
        if self._noted.setdefault((kind, name), state) != state:
            self.mixed = True

    def grounds(self, kinds: tuple[Kind, ...]) -> Grounds:
        """Return all files of these kinds that were read up to now."""
        return {file: state for file, state in self._noted.items() if file[0] in kinds}

    def stand(self, grounds: Grounds) -> bool:
        """Return True if every file is unchanged. Record the files, as their results are now part of this run."""
        if self.mixed or any(self._state(file) != state for file, state in grounds.items()):
            return False
        self._noted.update(grounds)
        return True

    def _state(self, file: File) -> str:
        if file in self._noted:
            return self._noted[file]
        if file not in self._seen:
            self._seen[file] = self.look[file[0]](file[1])
        return self._seen[file]


EVERYTHING: tuple[Kind, ...] = ("template", *PICTURED)


class Kept:
    """The stored results of a game in a project. `project` distinguishes projects whose files have the same names.

    A result is used again only if its key is equal and every file that was read for it is unchanged.
    """

    def __init__(self, store: Store, project: str, game: Game, reads: Reads):
        self._store, self._project, self._game = store, project, game
        self.reads = reads

    @cached_property
    def game(self) -> str:
        """The contents of all the game's data with their places, as 32 hex digits."""
        return fingerprint(self._game)

    def get(self, what: str, shape: Any, *key: Any) -> Any | None:
        """Return the result `what` for that key; None if it is missing, outdated or not of that shape."""
        entry: Any = self._store.get(self._name(what, key))
        if not fits(entry, tuple[dict[File, str], Any]) or not fits(entry[1], shape):  # only a forged one
            return None
        return entry[1] if self.reads.stand(entry[0]) else None

    def put(self, what: str, value: Any, *key: Any, rests_on: tuple[Kind, ...] = EVERYTHING) -> None:
        """Store a result that depends on the files of these kinds read up to now."""
        if not self.reads.mixed:
            self._store.put(self._name(what, key), (self.reads.grounds(rests_on), value))

    def _name(self, what: str, key: tuple[Any, ...]) -> str:
        return f"{what}-{fingerprint((program(), self._project, self._game.id, what, key))}"
