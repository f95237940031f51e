"""The file watch: what changed in a project's folders, and news for open pages."""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Lock
from typing import Any, TypeAlias

from generator.base.dataclass import dataclass
from generator.game.project import UNFINISHED

FOLDERS = ("data", "templates", "fonts")
"""In the order of the fields of `Touched`."""

SETTLING = 0.02
"""Seconds in which nothing may change before a save counts as done: editors write a file in several steps."""

PATIENCE = 20
"""How often that is waited for; a file that grows on and on is read as it is."""

_PASSING = (".swp", ".swx", ".tmp", "~")
"""Ends of names that editors give to files of their own."""

Stamp: TypeAlias = tuple[int, int, int]
"""When a file was changed (ns), its size and its number on the disk, by which a file put in its place differs."""

Moment: TypeAlias = Mapping[str, Stamp]
"""Every file by its path below the project, with slashes."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What a change concerns: games by name, all of them for what they share; which folders it lies in."""

    games: frozenset[str]
    everything: bool = False
    data: bool = False
    templates: bool = False
    fonts: bool = False

    def __bool__(self) -> bool:
        return self.everything or bool(self.games)

    def concerns(self, game: str) -> bool:
        """Whether this game must be read again."""
        return self.everything or game in self.games


def look(root: Path) -> Moment:
    """All files of a project that a game can be made of; what vanishes meanwhile is left out."""
    found: dict[str, Stamp] = {}
    for folder in FOLDERS:
        _note_files(os.path.join(root, folder), folder, found)  # noqa: PTH118 - paths as objects cost more than the look
    return found


def has_changed(root: Path, before: Moment, paths: Iterable[str]) -> bool:
    """Whether one of these files, which were there, is no longer as it was: a glance that costs next to nothing.

    The number on the disk doesn't count: some systems tell it of a file alone, and not with its folder.
    """
    for path in paths:
        try:
            status = (root / path).stat()
        except OSError:
            return True
        if _stamp(status)[:2] != before[path][:2]:
            return True
    return False


def wait_for_rest(root: Path) -> Moment:
    """The same once nothing changes for a moment."""
    now = look(root)
    for _ in range(PATIENCE):
        time.sleep(SETTLING)
        before, now = now, look(root)
        if before == now:
            break
    return now


EVERYTHING = Touched(frozenset(), everything=True, data=True, templates=True, fonts=True)
"""What a change of all files would touch."""


def compare_moments(before: Moment, after: Moment) -> Touched:
    """What differs between two moments."""
    return _touched_by(changed_paths(before, after))


def changed_paths(before: Moment, after: Moment) -> set[str]:
    """The files that have come, gone or changed between two moments."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def _touched_by(paths: Iterable[str]) -> Touched:
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
    return Touched(frozenset(games), everything, *[folder in folders for folder in FOLDERS])


def _note_files(folder: str, shown: str, found: dict[str, Stamp]) -> None:
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
                _note_files(entry.path, f"{shown}/{name}", found)
            elif entry.is_file():
                found[f"{shown}/{name}"] = _stamp(entry.stat())
        except OSError:
            continue


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size, status.st_ino


ROOM = 500
"""Events that wait for a listener at most: one that falls behind further is let go, and asks anew."""

BEAT = b": still here\n\n"
"""Sent when there is no news, so that a listener that has gone is noticed."""


class Listener:
    """One open page's queue of events."""

    def __init__(self) -> None:
        self._queue: Queue[bytes | None] = Queue(ROOM)

    def put(self, event: bytes) -> bool:
        """Whether there was room for it."""
        try:
            self._queue.put_nowait(event)
        except Full:
            return False
        return True

    def close(self) -> None:
        """End the stream, what waits in it included."""
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        self._queue.put(None)

    def take(self) -> Iterator[bytes]:
        """The events that wait, without waiting for more."""
        with suppress(Empty):
            while (event := self._queue.get_nowait()) is not None:
                yield event

    def stream(self, beat: float) -> Iterator[bytes]:
        """Events as they come, a sign of life every `beat` seconds; ends when the listener is let go."""
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
    """Tells every listener what happens."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._closed = False

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        """A listener for as long as a page is open."""
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

    def tell(self, name: str, data: Any) -> None:
        """Send an event to all."""
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
    """An event as it goes over the line; JSON has no line ends, which would end it."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
