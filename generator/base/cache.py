"""The cache: values stored on this computer from run to run, and recent values of one run."""

import contextlib
import copyreg
import hashlib
import io
import marshal
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, MappingProxyType, SimpleNamespace
from typing import Any, Generic, TypeVar

from generator.base.errors import InvalidInput
from generator.base.files import read_file
from generator.base.languages import OWN_WORDS

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentValues(Generic[Key, Value]):
    """A cache in memory that keeps at least the `most` latest values, and drops values unused for a long time."""

    def __init__(self, most: int = 2_000):
        self._most = most
        self._new: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if it is not in the cache."""
        value = self._new.get(key)
        if value is None and self._old:
            value = self._old.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Store a value under a key. After `most` new values, these become the old, and the former old are dropped."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = value


MOST_BYTES = 400_000_000
"""Maximum size of all values together. Beyond it, the least recently used values are deleted."""

LIBRARIES = (
    *("budoux", "click", "jinja2", "markdown-it-py", "markupsafe", "pikepdf", "pillow"),
    *("pyphen", "pypdfium2", "pyyaml", "reportlab", "uharfbuzz", "cssselect2", "tinycss2", "resvg_py"),
)
"""Libraries whose version affects the results: another version may draw differently."""

_MOST_CODE_BYTES, _MOST_CODES = 50_000_000, 5_000
"""Maximum size of all stored code, and maximum number of codes of one game."""

_PACKAGE = Path(__file__).resolve().parent.parent
_NOT_CODE = ("__pycache__", "bundled")
_MAGIC = b"pnp kept 1\n"
_CHECK = 32
_HEAD = len(_MAGIC) + _CHECK
_PART = ".part"
_SHARE = 4
_OWN_MODULES = (
    *("generator.base.colour", "generator.base.display_list", "generator.base.errors", "generator.base.geometry"),
    *("generator.game.data_fields", "generator.game.model", "generator.game.presets", "generator.game.print_pages"),
    *("generator.game.rich_text", "generator.game.source", "generator.checks.check_report", "generator.play.tally"),
    *("generator.books.page.blocks", "generator.books.page.strips", "collections"),
)
"""Modules whose classes a stored value may name. Any other name in a file is foreign, and is not loaded."""


class Store:
    """A folder that stores values in files, with at most `room` bytes in total.

    If a file is damaged, foreign or can't be written, its value is simply computed again. Nothing in the folder can
    run. `code` is the folder for code, None to store none.
    """

    def __init__(self, folder: Path, room: int = MOST_BYTES, code: Path | None = None):
        self.folder, self._room, self._code = folder, room, code
        self._usable = _is_private_folder(folder)

    def get(self, name: str) -> Any | None:
        """Return the value stored under a name, or None if there is none or its file is unusable."""
        path = self.folder / name
        if not self._usable:
            return None
        try:
            data = read_file(path, "kept")
            os.utime(path)  # mark it as used
        except (OSError, InvalidInput):
            return None
        checksum = hashlib.blake2b(memoryview(data)[_HEAD:], digest_size=_CHECK).digest()
        if not data.startswith(_MAGIC) or checksum != data[len(_MAGIC) : _HEAD]:
            return None
        return unpack_value(data[_HEAD:])

    def put(self, name: str, value: Any) -> None:
        """Store a value. Another process that reads the name gets either the old or the new value, complete."""
        if not self._usable:
            return
        beside = self.folder / f"{name}.{os.getpid()}{_PART}"
        try:
            with beside.open("w+b") as file:
                file.write(_MAGIC + bytes(_CHECK))
                pickle.dump(value, file, protocol=5)  # straight to the file: a value may be large
                size = file.tell() - _HEAD
                file.seek(_HEAD)
                total = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=_CHECK))
                file.seek(len(_MAGIC))
                file.write(total.digest())
            if size <= self._room // _SHARE:  # a larger value would displace all others
                beside.replace(self.folder / name)
        except OSError:  # no room or no permission: it is computed again next time
            pass
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)

    def open_code(self, *key: object) -> "CodeTable | None":
        """Return the table of compiled code that belongs to a key, or None if this store has no folder for code."""
        return CodeTable(Store(self._code, _MOST_CODE_BYTES), key) if self._code is not None else None

    def remove_oldest(self) -> None:
        """Delete the least recently used values until the rest takes at most `room` bytes."""
        files = sorted(_iter_files(self.folder), reverse=True)
        taken = 0
        for _, size, path in files:
            taken += size
            if taken > self._room:
                with contextlib.suppress(OSError):
                    path.unlink()


class CodeTable:
    """Compiled code of earlier runs and of this one, by what it was compiled from. `save` writes it for later runs.

    Whoever writes its file can run anything. So it is among the user's settings, like other programs that are trusted,
    and not in the cache, which may come from elsewhere.
    """

    def __init__(self, store: Store, key: tuple[object, ...]):
        self._store, self._name = store, f"code-{hash_value((hash_program(), key))}"
        self._grown = False

    @cached_property
    def _codes(self) -> dict[str, bytes]:
        return self._store.get(self._name) or {}

    def get(self, source: object) -> CodeType | None:
        """Return the code compiled from `source`, any value that can be hashed. Return None if there is none."""
        digest = hash_value(source)
        data = self._codes.pop(digest, None)
        if data is None:
            return None
        self._codes[digest] = data  # the latest that was used
        code: CodeType = marshal.loads(data)  # noqa: S302 - from a folder of the user's own
        return code

    def put(self, source: object, code: CodeType) -> None:
        """Add the code compiled from `source`."""
        self._codes[hash_value(source)] = marshal.dumps(code)
        self._grown = True

    def save(self) -> None:
        """Write the table, reduced to the code that was used last, if any was added."""
        if self._grown:
            self._store.put(self._name, dict(list(self._codes.items())[-_MOST_CODES:]))
            self._store.remove_oldest()


def pack_value(value: Any) -> bytes:
    """Return a value as bytes, to be stored with others and unpacked (`unpack_value`) only when it is needed."""
    return pickle.dumps(value, protocol=5)


def unpack_value(data: bytes) -> Any | None:
    """Return the value of bytes from `pack_value`. Return None if they are damaged or hold other classes than ours."""
    try:
        return _Reader(io.BytesIO(data)).load()
    except Exception:  # noqa: BLE001 - unpickling can raise anything; the file is foreign
        return None


def hash_value(value: Any, reducers: Mapping[type, Callable[[Any], Any]] | None = None) -> str:
    """Return a hash (32 hex digits) of a value's content, which is the same in every process.

    Raise TypeError or pickle.PicklingError for a value that can't be pickled. Equal sets may get different hashes, but
    different values never get the same hash, unless `reducers` replace parts of them, as in a pickler's dispatch table.
    """
    seen = hashlib.blake2b(digest_size=16)
    writer = pickle.Pickler(SimpleNamespace(write=seen.update), protocol=5)  # keeps nothing of what is written
    writer.dispatch_table = copyreg.dispatch_table | {
        MappingProxyType: lambda m: (dict, (dict(m),)),
        **(reducers or {}),
    }
    writer.fast = True  # no references to earlier parts: only content counts
    writer.dump(value)
    return seen.hexdigest()


def hash_bytes(data: bytes) -> str:
    """Return 32 hex digits of a file's bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@cache
def hash_program() -> str:
    """Return 32 hex digits of this program: its own code, Python and the libraries that it draws with."""
    seen = hashlib.blake2b(sys.version.encode(), digest_size=16)
    for folder, folders, names in os.walk(_PACKAGE):
        folders[:] = sorted(set(folders).difference(_NOT_CODE))
        for path in (Path(folder, name) for name in sorted(names)):
            data = read_file(path, "own")
            seen.update(f"\n{path.relative_to(_PACKAGE).as_posix()} {len(data)}\n".encode())
            seen.update(data)
    for path in sorted(Path(own).glob("*.yaml")) if (own := os.environ.get(OWN_WORDS)) else ():
        seen.update(f"\n{path.name}".encode())
        seen.update(read_file(path, "own"))
    from importlib.metadata import PackageNotFoundError, version  # here, as it imports half of `email`

    for name in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            seen.update(f"\n{name} {version(name)}".encode())
    return seen.hexdigest()


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = module in _OWN_MODULES
        found = super().find_class(module, name) if known else None
        home = getattr(found, "__module__", "")  # our modules also contain foreign classes that they import
        own = found is Counter or (home != "collections" and home in _OWN_MODULES)
        if not isinstance(found, type) or not own:
            raise pickle.UnpicklingError(f"{module}.{name} is not kept here")
        return found


def _is_private_folder(folder: Path) -> bool:
    """Return True if only the user can write to the folder. Create it if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name != "posix":
            return folder.is_dir()
        state = folder.stat()
    except OSError:
        return False
    return state.st_uid == os.getuid() and not state.st_mode & 0o022


def _iter_files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield time of last use, size in bytes and path of each file, including leftovers of killed processes."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        with contextlib.suppress(OSError):
            state = entry.stat(follow_symlinks=False)
            if entry.is_file(follow_symlinks=False):
                yield state.st_mtime, state.st_size, Path(entry.path)
