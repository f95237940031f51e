"""What a project's folders hold at a moment, and which games a difference between two moments touches."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from generator.dataclass import dataclass
from generator.load.sections import UNFINISHED

FOLDERS = ("data", "templates", "fonts")
"""In the order of the fields of `Touched`."""

SETTLING = 0.03
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
        found.update(_files(root / folder, folder))
    return found


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
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    return _touched_by(changed)


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


def _files(folder: Path, shown: str) -> Iterator[tuple[str, Stamp]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name == "__pycache__" or entry.name.endswith(_PASSING):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(Path(entry.path), f"{shown}/{entry.name}")
            elif entry.is_file():
                stat = entry.stat()
                yield f"{shown}/{entry.name}", (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except OSError:
            continue
