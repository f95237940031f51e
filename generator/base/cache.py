"""The cache: values stored on this computer from run to run, and recent values of one run."""

import contextlib
import hashlib
import io
import os
import pickle
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from generator.base.errors import Unfit
from generator.base.files import read_file
from generator.base.languages import OWN_WORDS

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Remembers at least the `most` latest values; what is not asked for in a long while is forgotten."""

    def __init__(self, most: int = 2_000):
        self._most = most
        self._new: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """The value, if it is remembered."""
        value = self._new.get(key)
        if value is None and self._old:
            value = self._old.get(key)
            if value is not None:
                self.keep(key, value)
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Remember a value."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = value


MOST_BYTES = 400_000_000
"""What all values together may take; beyond that, those which nobody has asked for in the longest time go."""

LIBRARIES = (
    *("budoux", "click", "jinja2", "markdown-it-py", "markupsafe", "pikepdf", "pillow"),
    *("pyphen", "pypdfium2", "pyyaml", "reportlab", "uharfbuzz", "cssselect2", "tinycss2"),
)
"""Of what else the results depend: another version may draw otherwise."""

_PACKAGE = Path(__file__).resolve().parent.parent
_NOT_CODE = ("__pycache__", "bundled")
_MAGIC = b"pnp kept 1\n"
_CHECK = 32
_PART = ".part"
_SHARE = 4
_OURS = (
    *("generator.base.colour", "generator.base.display_list", "generator.base.errors", "generator.base.geometry"),
    *("generator.game.data_fields", "generator.game.model", "generator.game.presets", "generator.game.print_pages"),
    *("generator.game.rich_text", "generator.game.source", "generator.checks.check_report", "generator.play.tally"),
    "collections",
)
"""The modules whose classes a kept value may name: what a file names else is somebody's, and is not brought to life."""


class Store:
    """A folder of values. `room` is how many bytes they may take together.

    A file that is damaged, foreign or can't be written is no problem: its value is made again.
    """

    def __init__(self, folder: Path, room: int = MOST_BYTES):
        self.folder, self._room = folder, room
        self._usable = _ours(folder)

    def get(self, name: str) -> Any | None:
        """The value of that name; None if none is kept that can be used."""
        path = self.folder / name
        if not self._usable:
            return None
        try:
            data = read_file(path, "kept")
            os.utime(path)  # it has been asked for
        except (OSError, Unfit):
            return None
        head = len(_MAGIC) + _CHECK
        if not data.startswith(_MAGIC) or _sum(memoryview(data)[head:]) != data[len(_MAGIC) : head]:
            return None
        stream = io.BytesIO(data)
        stream.seek(head)
        try:
            return _Reader(stream).load()
        except Exception:  # noqa: BLE001 - whatever unpickling raises, the file is none of ours
            return None

    def put(self, name: str, value: Any) -> None:
        """Keep a value; another process that reads the name meets the old one or the new one, whole."""
        if not self._usable:
            return
        beside = self.folder / f"{name}.{os.getpid()}{_PART}"
        head = len(_MAGIC) + _CHECK
        try:
            with beside.open("w+b") as file:
                file.write(_MAGIC + bytes(_CHECK))
                pickle.dump(value, file, protocol=5)  # not by way of memory: a value may be large
                size = file.tell() - head
                file.seek(head)
                total = hashlib.file_digest(file, _blake)
                file.seek(len(_MAGIC))
                file.write(total.digest())
            if size <= self._room // _SHARE:  # else it would drive out everything else
                beside.replace(self.folder / name)
        except OSError:  # no room, no permission: then it is made again next time
            pass
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Make room: the values that have not been asked for in the longest time go."""
        files = sorted(_files(self.folder), reverse=True)
        taken = 0
        for _, size, path in files:
            taken += size
            if taken > self._room:
                with contextlib.suppress(OSError):
                    path.unlink()


def fingerprint(value: Any) -> str:
    """32 hex digits of a value's content: equal for equal values however they share parts, in every process.

    TypeError or pickle.PicklingError for what has no content to tell. Sets may come out in another order: then equal
    values differ, and never different ones agree.
    """
    sink = _Sink()
    writer = _Writer(sink, protocol=5)
    writer.fast = True  # no references to what came before: only content counts
    writer.dump(value)
    return sink.seen.hexdigest()


def digest(data: bytes) -> str:
    """32 hex digits of a file's bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@cache
def program() -> str:
    """32 hex digits of this program: its own code, Python and the libraries that it draws with."""
    seen = hashlib.blake2b(sys.version.encode(), digest_size=16)
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE)
        if path.is_file() and not set(_NOT_CODE) & set(inside.parts):
            data = read_file(path, "own")
            seen.update(f"\n{inside.as_posix()} {len(data)}\n".encode())
            seen.update(data)
    for path in sorted(Path(own).glob("*.yaml")) if (own := os.environ.get(OWN_WORDS)) else ():
        seen.update(f"\n{path.name}".encode())
        seen.update(read_file(path, "own"))
    for name in LIBRARIES:
        seen.update(f"\n{name} {_version(name)}".encode())
    return seen.hexdigest()


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # here, as it brings half of `email` along

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


class _Sink:
    """Hashes what is written, which for a large game is much."""

    def __init__(self) -> None:
        self.seen = hashlib.blake2b(digest_size=16)

    def write(self, data: bytes) -> int:
        self.seen.update(data)
        return len(data)


class _Writer(pickle.Pickler):
    """Writes read-only mappings too."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is MappingProxyType:
            return dict, (dict(value),)
        return NotImplemented


class _Reader(pickle.Unpickler):
    """Reads values of the program's own classes, and nothing else that a file may name."""

    def find_class(self, module: str, name: str) -> Any:
        known = module in _OURS
        found = super().find_class(module, name) if known else None
        home = getattr(found, "__module__", "")  # a module of ours has others' classes in it too, which it imports
        own = found is Counter or (home != "collections" and home in _OURS)
        if not isinstance(found, type) or not own:
            raise pickle.UnpicklingError(f"{module}.{name} is not kept here")
        return found


def _blake() -> Any:
    return hashlib.blake2b(digest_size=_CHECK)


def _sum(data: memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK).digest()


def _ours(folder: Path) -> bool:
    """Whether the folder is there and nobody but its user may put files into it; it is made where it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name != "posix":
            return folder.is_dir()
        state = folder.stat()
    except OSError:
        return False
    return state.st_uid == os.getuid() and not state.st_mode & 0o022


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each file was last asked for, its bytes, and the file; unfinished ones of processes that died too."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        with contextlib.suppress(OSError):
            state = entry.stat(follow_symlinks=False)
            if entry.is_file(follow_symlinks=False):
                yield state.st_mtime, state.st_size, Path(entry.path)
