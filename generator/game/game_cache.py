"""The cache of one game: its stored results, what was read to compute them, and checks of their types."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache, cached_property
from types import UnionType
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from generator.base.cache import Store, hash_program, hash_value, pack_value, unpack_value
from generator.base.errors import InvalidInput, Place, ProblemsFound
from generator.game.model import Game
from generator.game.rich_text import Words, hear_languages
from generator.game.source import Map, Sections, Seq
from generator.game.source import Source as WrittenValue


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


Kind: TypeAlias = Literal["template", "art", "picture", "font", "value", "names"]
PICTURE_SOURCES: tuple[Kind, ...] = ("art", "picture", "font")
"""The files that a picture depends on once its markup is known."""

Source: TypeAlias = tuple[Kind, Any]
"""Something that was read: its kind, and the name of a file as it was requested, or the path of a value of the data."""

States: TypeAlias = Mapping[Source, str]
"""The state in which each source was read; empty if there was none."""

Reads: TypeAlias = dict[Source, None]
"""Everything read to compute a result."""


class ReadLog:
    """What was read in this run. `mixed` means that a file changed meanwhile, so nothing may be stored.

    `look` has a function for each kind that returns the present state of a source. The readers of that kind set it.
    """

    def __init__(self) -> None:
        self.mixed = False
        self.look: dict[Kind, Callable[[Any], str]] = {}
        self._noted: dict[Source, str] = {}
        self._seen: dict[Source, str] = {}
        self._open: list[Reads] = []

    @contextmanager
    def record(self) -> Iterator[Reads]:
        """Yield what is read until the end of the `with` statement. An outer record gets it, too."""
        reads: Reads = {}
        self._open.append(reads)
        try:
            yield reads
        finally:
            self._open.pop()
            self.note_reads(reads)

    def note_reads(self, reads: Iterable[Source]) -> None:
        """Record that these sources were read, perhaps earlier, for what is computed now."""
        if self._open:
            self._open[-1].update(dict.fromkeys(reads))

    def note_file(self, kind: Kind, name: str, state: str) -> None:
        """Record that a file was read in this state. Set `mixed` if this run read it in another state before."""
        if self._noted.setdefault((kind, name), state) != state:
            self.mixed = True
        self.note_reads([(kind, name)])

    def select_files(self, kinds: tuple[Kind, ...]) -> States:
        """Return all files of these kinds that were read up to now."""
        return {file: state for file, state in self._noted.items() if file[0] in kinds}

    def are_unchanged(self, grounds: States) -> bool:
        """Return True if all sources have the states in `grounds`. Record them: this run now uses their results."""
        if self.mixed or any(self.find_state(source) != state for source, state in grounds.items()):
            return False
        self._noted.update(grounds)
        return True

    def forget_values(self) -> None:
        """Forget what was seen of the data, as the game has been read again; next time look anew."""
        self._seen.clear()

    def find_state(self, source: Source) -> str:
        """Return the state of a source when this run read it, else its current state."""
        if source in self._noted:
            return self._noted[source]
        if source not in self._seen:
            try:
                self._seen[source] = self.look[source[0]](source[1])
            except (InvalidInput, ProblemsFound):  # a reader will report why
                self._seen[source] = ""
        return self._seen[source]


EVERYTHING: tuple[Kind, ...] = ("template", *PICTURE_SOURCES)
"""All kinds of files."""


class GameCache:
    """A project's stored results. One is used again only for an equal key, if all files read for it are unchanged."""

    def __init__(self, store: Store, project: str, game: Game, reads: ReadLog):
        self._store, self._project, self._game = store, project, game
        self.reads = reads
        self._heard: defaultdict[str, set[str]] = defaultdict(set)
        self._editions: dict[str, str] = {}

    @cached_property
    def game(self) -> str:
        """The hash of all the game's data with their places in files, 32 hex digits."""
        seen: dict[int, int] = {}

        def reduce(value: Any) -> Any:  # places are those of data in data, which need to be hashed only once
            known = len(seen)
            if seen.setdefault(id(value), known) == known:
                return value.__reduce_ex__(5)
            return int, (seen[id(value)],)

        return hash_value(self._game, dict.fromkeys((WrittenValue, Map, Seq), reduce))

    @contextmanager
    def listen(self, edition: str) -> Iterator[None]:
        """Record which languages are read until the end of the `with` statement, for results in an edition."""
        with hear_languages() as heard:
            yield
        self._heard[edition] = heard | (self._heard[edition] - {""})  # results may share what was read once

    def find(self, what: str, shape: Any, edition: str, *key: Any) -> Any | None:
        """Return what `keep` stored for an edition (`ja+en`); None if missing, outdated or not of the type `shape`."""
        found = self.get(what, shape, *key, edition, self._hash_edition(edition))
        return found if found is not None else self.get(what, shape, *key, edition, self.game)

    def keep(self, what: str, value: Any, edition: str, *key: Any) -> None:
        """Store a result of an edition by `what` and `key`: for its texts if no others were read since `listen`."""
        alone = self._heard[edition] <= set(edition.split("+"))
        self.put(what, value, *key, edition, self._hash_edition(edition) if alone else self.game)

    def _hash_edition(self, edition: str) -> str:
        """Return a hash of what a reader of an edition can see: texts in its languages, and no places."""
        if edition not in self._editions:
            languages = edition.split("+")
            kinds = (Place, Sections, WrittenValue, *WrittenValue.__subclasses__())
            told: dict[type, Callable[[Any], Any]] = dict.fromkeys(kinds, lambda _place: (str, ()))
            told[Words] = lambda value: (tuple, ([text for lang, text in value.items() if lang in languages],))
            self._editions[edition] = hash_value(self._game, told)
        return self._editions[edition]

    def get(self, what: str, shape: Any, *key: Any) -> Any | None:
        """Return the result `what` for that key; None if it is missing, outdated or not of that shape."""
        entry: Any = self._store.get(self._make_name(what, key))
        if not has_shape(entry, tuple[dict[Source, str], Any]) or not has_shape(entry[1], shape):  # only a forged one
            return None
        return entry[1] if self.reads.are_unchanged(entry[0]) else None

    def put(self, what: str, value: Any, *key: Any, rests_on: tuple[Kind, ...] = EVERYTHING) -> None:
        """Store a result by `what` and `key`. It depends on the files of the kinds `rests_on` read up to now."""
        if not self.reads.mixed:
            self._store.put(self._make_name(what, key), (self.reads.select_files(rests_on), value))

    def _make_name(self, what: str, key: tuple[Any, ...]) -> str:
        return f"{what}-{hash_value((hash_program(), self._project, self._game.id, what, key))}"


STALE_FACTOR = 4
"""The cache also keeps pictures that are no longer in use, up to this many times the number of pictures in use."""

MOST_CACHED = 20_000
"""Maximum number of pictures that a run caches. More would need more memory than making them again."""


class OpenFonts(Protocol):
    """The fonts that pictures use. Requesting a list of `chains` again opens the same fonts."""

    @property
    def chains(self) -> Sequence[tuple[Any, ...]]:
        """Keys of all lists of fonts requested so far."""

    @property
    def problems(self) -> Sequence[Any]:
        """Problems with font files."""

    @property
    def get_chain(self) -> Callable[..., Any]:
        """Function that opens a list of fonts."""


Picture = TypeVar("Picture")

_PICTURES = tuple[dict[str, Any], Collection[tuple[Any, ...]]]
"""Contents of the cache: pictures by digest, and keys of the fonts that they use."""


class PictureTable(Generic[Picture]):
    """Pictures of one sort by digest: those of earlier runs, and new ones. `save` writes them for later runs.

    `is_valid` recognizes a picture. The digest covers all that they depend on besides art, fonts and `key`. `apart`:
    each picture is read only when it is used; otherwise all share their symbols.
    """

    def __init__(
        self,
        kept: GameCache,
        what: str,
        is_valid: Callable[[Any], bool],
        fonts: OpenFonts,
        *key: str,
        apart: bool = False,
    ):
        self._kept, self._what, self._is_valid, self._fonts, self._key = kept, what, is_valid, fonts, key
        self._apart = apart
        self._made: dict[str, Picture] = {}  # or read in this run
        self._digests: dict[int, str] = {}  # by id of these pictures, which exist as long
        self._used: set[str] = set()
        self._grown = False

    @cached_property
    def _earlier(self) -> dict[str, Any]:
        """Read the pictures of earlier runs, the latest last, and open the fonts that they use."""
        pictures, chains = self._kept.get(self._what, _PICTURES, *self._key) or ({}, ())
        for chain in chains:
            self._fonts.get_chain(*chain)
        return pictures

    def get(self, digest: str) -> Picture | None:
        """Return a picture, or None if it is not in the cache."""
        found = self._made.get(digest)
        if found is None and digest in self._earlier:
            read = self._earlier[digest]
            if self._apart:
                read = unpack_value(read) if isinstance(read, bytes) else None
            if self._is_valid(read):
                found = self._made[digest] = read
        if found is not None:
            self._used.add(digest)
            self._digests[id(found)] = digest
        return found

    def find_digest(self, picture: Picture) -> str:
        """Return the digest of a picture that is in the table, else an empty string."""
        return self._digests.get(id(picture), "")

    def put(self, digest: str, picture: Picture) -> None:
        """Add a picture that was made without problems, by the digest of what it depends on."""
        self._earlier[digest] = pack_value(picture) if self._apart else picture
        self._made[digest] = picture
        self._digests[id(picture)] = digest
        self._used.add(digest)
        self._grown = True

    def save(self) -> None:
        """Write new pictures for later runs. Write nothing if a font has problems, since any text may then be wrong."""
        if not self._grown or self._fonts.problems or len(self._used) > MOST_CACHED:
            return
        late = {digest: data for digest, data in self._earlier.items() if digest in self._used}
        early = [pair for pair in self._earlier.items() if pair[0] not in self._used]
        room = max(0, (STALE_FACTOR - 1) * len(late))
        kept = {**dict(early[max(0, len(early) - room) :]), **late}
        self._kept.put(self._what, (kept, self._fonts.chains), *self._key, rests_on=PICTURE_SOURCES)
        self._grown = False
