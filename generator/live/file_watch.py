"""The file watch: finds changed files in a project's folders, and sends events to open pages."""

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
"""Folders that are watched, in the order of the fields of `ChangeScope`."""

SETTLING = 0.02
"""A save counts as done after this time without changes (seconds), because editors write in several steps."""

MOST_SETTLING_WAITS = 20
"""Maximum number of such waits. A file that still changes is then read anyway."""

_PASSING = (".swp", ".swx", ".tmp", "~")
"""Suffixes of temporary files of editors, which are ignored."""

Stamp: TypeAlias = tuple[int, int, int]
"""Modification time (ns), size and inode number of a file. The inode changes if a file is replaced."""

Moment: TypeAlias = Mapping[str, Stamp]
"""State of a project's folders: the stamp of each file, by its path below the project."""


@dataclass(frozen=True, slots=True)
class ChangeScope:
    """What a change affects: game names (or `everything`, for shared files); if data, templates or fonts changed."""

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
    """Return time and size of all files that may belong to a game, by path. Skip files that disappear meanwhile."""
    found: dict[str, Stamp] = {}
    for folder in FOLDERS:
        _note_files(os.path.join(root, folder), folder, found)  # noqa: PTH118 - paths as objects cost more than the look
    return found


def has_changed(root: Path, before: Moment, paths: Iterable[str]) -> bool:
    """Return True if a file, by path in `root`, is missing or its time or size isn't that in `before`. This is fast.

    The inode number does not count: some systems report it for a single file, but not when listing its folder.
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
    """Wait until files stop changing for a moment, and return the time and size of each by path."""
    now = scan_files(root)
    for _ in range(MOST_SETTLING_WAITS):
        time.sleep(SETTLING)
        before, now = now, scan_files(root)
        if before == now:
            break
    return now


ALL_CHANGED = ChangeScope(frozenset(), everything=True, data=True, templates=True, fonts=True)
"""The scope of a change that affects everything."""


def compare_moments(before: Moment, after: Moment) -> ChangeScope:
    """Return which games (or all) the differences between two states of the files affect, and in which folders."""
    games: set[str] = set()
    everything = False
    folders: set[str] = set()
    for path in changed_paths(before, after):
        folder, *rest = path.split("/")
        folders.add(folder)
        if folder == "fonts" or len(rest) < 2 or (folder == "templates" and rest[0] == "common"):
            everything = True
        else:
            games.add(rest[0].removeprefix(UNFINISHED) if folder == "data" else rest[0])
    return ChangeScope(frozenset(games), everything, *[folder in folders for folder in FOLDERS])


def changed_paths(before: Moment, after: Moment) -> set[str]:
    """Return the paths of files that were added, removed or changed."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


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
"""Maximum number of unsent events for a page. A page that is slower is disconnected and connects again."""

BEAT = b": still here\n\n"
"""A comment sent when there is no event, to detect pages that were closed."""


class Listener:
    """The queue of events for one open page."""

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
        """End the stream and drop unsent events."""
        list(self.take())
        self._queue.put(None)

    def take(self) -> Iterator[bytes]:
        """Yield the events in the queue without waiting for others."""
        with suppress(Empty):
            while (event := self._queue.get_nowait()) is not None:
                yield event

    def iter_events(self, beat: float) -> Iterator[bytes]:
        """Yield events as they come, and BEAT after `beat` seconds without one, until the queue is closed."""
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
    """Sends events to all open pages."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._closed = False

    @contextmanager
    def open_listener(self) -> Iterator[Listener]:
        """Yield a queue of events; unregister it at the exit."""
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
        """Send an event with data (JSON) to all open pages."""
        event = event_as_bytes(name, data)
        with self._lock:
            slow = [listener for listener in self._listeners if not listener.put(event)]
            for listener in slow:
                listener.close()
                self._listeners.remove(listener)

    def close(self) -> None:
        """End all streams, and those that are opened from now on."""
        with self._lock:
            self._closed = True
            for listener in self._listeners:
                listener.close()


def event_as_bytes(name: str, data: Any) -> bytes:
    """Return a server-sent event as bytes. JSON contains no line ends, which would end the event."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
