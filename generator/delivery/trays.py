"""Trays: hidden folders beside the places of new files, and the note that says which file goes where."""

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.delivery.locks import Lock, lock_folders
from generator.errors import Unfit
from generator.files import is_folder, is_special, read_file

_TRAY = re.compile(r"\.pnp-[0-9a-f]{32}")
_PART = re.compile(r"[0-9a-f]{16}")
_LIFE = "life"
"""In the main tray: locked as long as the delivery's process lives."""

_MAIN = "main"
"""In the other trays: the way to the folder of the main one."""

_NOTE = "note.json"

Failed = list[tuple[Path, OSError]]


class TraysMade(NamedTuple):
    """Folders in which there are trays, and those that were missing and made."""

    folders: tuple[Path, ...]
    made: tuple[Path, ...]


class Trays:
    """The trays of a delivery, one in each folder that it has files for, all of one name that nobody can guess.

    Handed to another process, it makes trays there that live as long as the process it comes from.
    """

    def __init__(self) -> None:
        self.name = f".pnp-{secrets.token_hex(16)}"
        self.borrowed = False
        self._main: Path | None = None
        self._life: Lock | None = None
        self._folders: dict[Path, None] = {}
        self._made: list[Path] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "borrowed": True, "_life": None, "_folders": {}, "_made": []}

    def open(self, folder: Path) -> Path:
        """The tray of a folder, where what others who died have left is put right first; OSError."""
        folder = folder.absolute()
        tray = folder / self.name
        if folder not in self._folders:
            missing = [one for one in (folder, *folder.parents) if not one.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            self._made += reversed(missing)
            tidy(folder)
            with lock_folders([folder]):
                self._put(folder, tray)
            self._folders[folder] = None
        return tray

    def _put(self, folder: Path, tray: Path) -> None:
        tray.mkdir(mode=0o700, exist_ok=True)
        if self._main is None:
            self._main, self._life = folder, Lock.acquire(tray / _LIFE)
        elif self._main != folder:
            (tray / _MAIN).write_text(_way(folder, self._main), encoding="utf-8")

    def summary(self) -> "TraysMade":
        """Where there are trays, and which folders were made for them."""
        return TraysMade(tuple(self._folders), tuple(self._made))

    def hear(self, told: "TraysMade") -> None:
        """What another process tells of its trays."""
        self._folders |= dict.fromkeys(told.folders)
        self._made += (one for one in told.made if one not in self._made)

    def hand_over(self, waiting: Sequence[tuple[Path, Path]]) -> Failed:
        """Move all files to their places; or none, and say for which it failed."""
        if not waiting:
            return []
        main = self._main
        assert main is not None, "there are files, so there is a tray"  # noqa: S101
        with lock_folders(self._folders):
            failed = [(target, error) for part, target in waiting if (error := _kept_old(part, target)) is not None]
            entries = [
                NoteEntry(_way(main, part.parent.parent), part.name, target.name, os.path.lexists(_old(part)))
                for part, target in waiting
            ]
            try:
                return failed or Note(main, self.name, entries).carry_out()
            except OSError as error:  # the note itself could not be written, so nothing was moved
                return [(waiting[0][1], error)]

    def close(self) -> None:
        """Take the trays away, and folders that were made and got nothing; what a note says is finished first."""
        if self._main is not None and not self.borrowed:
            note = Note.read(self._main, self.name)
            if note is not None:  # somebody has interrupted it
                with lock_folders(note.folders()):
                    note.carry_out()
        if self._life is not None:
            self._life.release()
        for folder in self._folders:
            shutil.rmtree(folder / self.name, ignore_errors=True)
        for folder in self._folders if not self.borrowed else ():
            tidy(folder)  # once more: helpers of one that was killed may have lived for a moment longer, with its locks
        for folder in sorted(self._made, key=lambda one: -len(one.parts)):
            with contextlib.suppress(OSError):
                folder.rmdir()
        self._main, self._life, self._folders, self._made = None, None, {}, []


class NoteEntry(NamedTuple):
    """A file of a note: its folder as seen from that of the main tray, its name in the tray, its own name.

    `old` says whether a file of that name was there before.
    """

    folder: str
    part: str
    name: str
    old: bool


class Note:
    """What is to be moved where. Once it is in the main tray it is carried out, by whoever finds it."""

    def __init__(self, main: Path, tray: str, entries: Sequence[NoteEntry], *, back: bool = False):
        self._main, self._tray, self._entries, self._back = main, tray, entries, back

    @classmethod
    def read(cls, main: Path, tray: str) -> "Note | None":
        """The note of a main tray; None if there is no such file, or it is none of the program's."""
        try:
            raw = json.loads(read_file(main / tray / _NOTE, "note"))
            entries = [
                NoteEntry(str(folder), str(part), str(name), bool(old)) for folder, part, name, old in raw["files"]
            ]
            back = bool(raw["back"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        plain = all(_PART.fullmatch(entry.part) and _is_plain(entry.name) for entry in entries)
        return cls(main, tray, entries, back=back) if plain else None

    def folders(self) -> set[Path]:
        """All folders that have files to come."""
        return {self._folder(entry) for entry in self._entries}

    def carry_out(self) -> Failed:
        """Move all files; if one can't be moved, all go back. Begun again after any interruption, it ends the same."""
        failed: Failed = []
        self._write()
        for part, target, _ in self._moves() if not self._back else ():
            try:
                if os.path.lexists(part):
                    part.replace(target)
            except OSError as error:
                failed.append((target, error))
        if failed:
            self._back = True
            with contextlib.suppress(OSError):  # a full disk
                self._write()
        for part, target, old in self._moves() if self._back else ():
            if not os.path.lexists(part):
                _put_back(part, target, old=old)
        (self._main / self._tray / _NOTE).unlink(missing_ok=True)
        return failed

    def _moves(self) -> Iterator[tuple[Path, Path, bool]]:
        """Each file in its tray, its place, and whether one was there; none where no tray is: the note is forged."""
        for entry in self._entries:
            folder = self._folder(entry)
            if _is_tray(folder / self._tray):
                yield folder / self._tray / entry.part, folder / entry.name, entry.old

    def _folder(self, entry: NoteEntry) -> Path:
        return Path(os.path.realpath(self._main), entry.folder)

    def _write(self) -> None:
        path = self._main / self._tray / _NOTE
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps({"back": self._back, "files": self._entries}), encoding="utf-8")
        beside.replace(path)


def tidy(folder: Path) -> None:
    """Put right what deliveries whose process has died have left in a folder."""
    for tray in folder.glob(".pnp-*"):
        if _is_tray(tray):
            with contextlib.suppress(OSError, Unfit):
                _tidy(folder, tray)


def _tidy(folder: Path, tray: Path) -> None:
    with lock_folders([folder]):
        main = folder
        if (tray / _MAIN).exists():
            main = Path(os.path.realpath(folder), read_file(tray / _MAIN, "note").decode("utf-8", "replace"))
        if not (main / tray.name / _LIFE).exists():  # nobody is told of what lies here
            shutil.rmtree(tray, ignore_errors=True)
            return
        life = Lock.take_over(main / tray.name / _LIFE)
    if life is None:
        return
    note = Note.read(main, tray.name)
    folders = note.folders() | {main} if note is not None else {main, folder}
    with lock_folders(folders):
        if note is not None:
            note.carry_out()
        life.release()
        for one in sorted(folders, key=lambda one: one == main):
            shutil.rmtree(one / tray.name, ignore_errors=True)


def _kept_old(part: Path, target: Path) -> OSError | None:
    """Keep the file that stands in a place, so that it can be put back; what is in the way of a new one."""
    if not part.exists():
        return FileNotFoundError(errno.ENOENT, "somebody has removed it while it was made")
    if is_folder(target) and not target.is_symlink():
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.path.lexists(target):
        return None
    try:
        refuse_special(target)
    except OSError as error:
        return error
    try:
        os.link(target, _old(part), follow_symlinks=False)
    except (OSError, NotImplementedError, AttributeError):  # not every file system has links, nor every Python
        try:
            shutil.copy2(target, _old(part), follow_symlinks=False)
        except OSError as error:
            return error
    return None


def refuse_special(target: Path) -> None:
    """Raise OSError if a pipe, socket or device has the name: no file may take its place."""
    if is_special(target):
        raise OSError(errno.ENXIO, "a pipe, a socket or a device has this name")


def _put_back(part: Path, target: Path, *, old: bool) -> None:
    """Put back what stood in the place of a file that was moved there, or leave nothing where there was none."""
    with contextlib.suppress(OSError):
        if not old:
            target.unlink(missing_ok=True)
        elif os.path.lexists(_old(part)):
            _old(part).replace(target)


def _old(part: Path) -> Path:
    return part.with_name(part.name + ".old")


def _is_tray(path: Path) -> bool:
    """Whether it is a tray by name and a folder in its own place, which no link leads to."""
    here = os.path.realpath(path.parent)
    return bool(_TRAY.fullmatch(path.name)) and path.is_dir() and os.path.realpath(path) == str(Path(here, path.name))


def _way(start: Path, to: Path) -> str:
    """From one folder to another; Windows has no way from drive to drive."""
    try:
        return os.path.relpath(os.path.realpath(to), os.path.realpath(start))
    except ValueError:
        return os.path.realpath(to)


def _is_plain(name: str) -> bool:
    return name not in ("", ".", "..") and not set(name) & set("/\\\0") and Path(name).name == name
