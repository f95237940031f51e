"""The file watch: changes in a project's folders, and news for open pages."""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Lock
from typing import Any, TypeAlias

from generator.game.project import UNFINISHED

FOLDERS = ("data", "templates", "fonts")
"""Folders, in the order of the fields of `ChangeScope`."""

SETTLING = 0.02
"""Seconds without a change after which a save counts as done: editors write a file in several steps."""

MOST_SETTLING_WAITS = 20
"""Largest number of such waits. A file that keeps growing is then read as it is."""

_PASSING = (".swp", ".swx", ".tmp", "~")
"""Suffixes of an editor's temporary files."""

Stamp: TypeAlias = tuple[int, int, int]
"""Time of change (ns), size and number on the disk. The number differs for a replaced file."""

Moment: TypeAlias = Mapping[str, Stamp]
"""Every file by its path below the project, with slashes."""


@dataclass(frozen=True, slots=True)
class ChangeScope:
    """What a change affects: games by name, or all for shared files, and the folders of the change."""

    games: frozenset[str]
    everything: bool = False
    data: bool = False
    templates: bool = False
    fonts: bool = False

    def __bool__(self) -> bool:
        return self.everything or bool(self.games)

    def concerns_game(self, game: str) -> bool:
        """Return True if this game must be read again."""
        return self.everything or game in self.games


def scan_files(root: Path) -> Moment:
    """Return all files of a project that may belong to a game. Skip files that vanish meanwhile."""
    found: dict[str, Stamp] = {}
    for folder in FOLDERS:
        _note_files(os.path.join(root, folder), folder, found)  # noqa: PTH118 - paths as objects cost more than the look
    return found


def has_changed(root: Path, before: Moment, paths: Iterable[str]) -> bool:
    """Return True if one of these files has changed since `before`. This check is very cheap.

    The number on the disk doesn't count: some systems give it for a file alone, but not with its folder.
    """
    for path in paths:
        try:
            status = (root / path).stat()
        except OSError:
            return True
        if _make_stamp(status)[:2] != before[path][:2]:
            return True
    return False


def wait_for_rest(root: Path) -> Moment:
    """Return the files once nothing changes for a moment."""
    now = scan_files(root)
    for _ in range(MOST_SETTLING_WAITS):
        time.sleep(SETTLING)
        before, now = now, scan_files(root)
        if before == now:
            break
    return now


ALL_CHANGED = ChangeScope(frozenset(), everything=True, data=True, templates=True, fonts=True)
"""A change of all files."""


def compare_moments(before: Moment, after: Moment) -> ChangeScope:
    """Return what differs between two moments."""
    return _find_scope(changed_paths(before, after))


def changed_paths(before: Moment, after: Moment) -> set[str]:
    """Return the files that were added, removed or changed between two moments."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def _find_scope(paths: Iterable[str]) -> ChangeScope:
    games: set[str] = set()
    everything = False
    folders: set[str] = set()
    for path in paths:
        folder, *rest = path.split("/")
        folders.add(folder)
        if folder == "fonts" or len(rest) < 2 or (folder == "templates" and rest[0] == "common"):
            everything = True
        else:
            games.add(rest[0].removeprefix(UNFINISHED) if folder == "data" else rest[0])
    return ChangeScope(frozenset(games), everything, *[folder in folders for folder in FOLDERS])


def _note_files(folder: str, display_path: str, stamps: dict[str, Stamp]) -> None:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        name = entry.name
        if name.startswith(".") or name == "__pycache__" or name.endswith(_PASSING):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                _note_files(entry.path, f"{display_path}/{name}", stamps)
            elif entry.is_file():
                stamps[f"{display_path}/{name}"] = _make_stamp(entry.stat())
        except OSError:
            continue


def _make_stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size, status.st_ino


MOST_WAITING_EVENTS = 500
"""Largest number of waiting events of a listener. A slower one is disconnected, and asks again."""

BEAT = b": still here\n\n"
"""Sent when there is no news, to detect listeners that have gone."""


class Listener:
    """One open page's queue of events."""

    def __init__(self) -> None:
        self._queue: Queue[bytes | None] = Queue(MOST_WAITING_EVENTS)

    def put(self, event: bytes) -> bool:
        """Add an event. Return False if the queue is full."""
        try:
            self._queue.put_nowait(event)
        except Full:
            return False
        return True

    def close(self) -> None:
        """End the stream, and drop waiting events."""
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        self._queue.put(None)

    def take(self) -> Iterator[bytes]:
        """Yield the waiting events without waiting for more."""
        with suppress(Empty):
            while (event := self._queue.get_nowait()) is not None:
                yield event

    def iter_events(self, beat: float) -> Iterator[bytes]:
        """Yield events as they come, with a sign of life every `beat` seconds, until the listener is closed."""
        while True:
            try:
                event = self._queue.get(timeout=beat)
            except Empty:
                yield BEAT
                continue
            if event is None:
                return
            yield event


class Feed:
    """Sends events to every listener."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._closed = False

    @contextmanager
    def open_listener(self) -> Iterator[Listener]:
        """Yield a listener for as long as a page is open."""
        listener = Listener()
        with self._lock:
            self._listeners.append(listener)
            if self._closed:
                listener.close()
        try:
            yield listener
        finally:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

    def send_event(self, name: str, data: Any) -> None:
        """Send an event to all listeners."""
        event = event_as_bytes(name, data)
        with self._lock:
            slow = [listener for listener in self._listeners if not listener.put(event)]
            for listener in slow:
                listener.close()
                self._listeners.remove(listener)

    def close(self) -> None:
        """End every stream, and those that begin from now on."""
        with self._lock:
            self._closed = True
            for listener in self._listeners:
                listener.close()


def event_as_bytes(name: str, data: Any) -> bytes:
    """Return an event as bytes for the connection. JSON contains no line ends, which would end it."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
