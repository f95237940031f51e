"""Output files: writes new files beside their final places, and moves all of them there together.

New files wait in hidden temporary folders beside their places until all are complete. Then they are moved. If one can't
be moved, all are moved back. A killed process leaves its temporary folders: the next delivery to that folder removes
them.
"""

import contextlib
import errno
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.files import is_folder, is_special

_TRAY = r"\.pnp-[0-9a-f]{32}"
_ABANDONED_AFTER = 24 * 3600
"""Seconds after which a temporary folder counts as abandoned, on systems without locks."""

_HINTS = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EACCES: "allow writing there",
    errno.EPERM: "allow writing there",
    errno.ENOTDIR: "a file is in the place of a folder; remove it",
    errno.EEXIST: "a file is in the place of a folder; remove it",
    errno.ENXIO: "move it away",
    errno.EISDIR: "a folder is in the place of the file; remove it",
}
_ELSEWHERE = "choose another folder with --out"

if sys.platform in ("win32", "emscripten"):

    def _lock_folder(_folder: Path, _how: Literal["own", "share", "try"]) -> int | None:
        return None
else:
    import fcntl

    def _lock_folder(folder: Path, how: Literal["own", "share", "try"]) -> int | None:
        """Lock a folder: `own`, `share`, or `try` to own it (BlockingIOError). Return what to close; None: no locks."""
        kinds = {"own": fcntl.LOCK_EX, "share": fcntl.LOCK_SH, "try": fcntl.LOCK_EX | fcntl.LOCK_NB}
        try:
            number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            return None
        try:
            fcntl.flock(number, kinds[how])
        except BaseException as error:
            os.close(number)
            if isinstance(error, OSError) and not isinstance(error, BlockingIOError):
                return None
            raise
        return number


@contextlib.contextmanager
def lock_folders(folders: Iterable[Path]) -> Iterator[None]:
    """Keep other deliveries out of folders in the `with` block. They are locked in sorted order to avoid deadlocks."""
    with contextlib.ExitStack() as held:
        for folder in sorted({Path(os.path.realpath(one)) for one in folders}):
            number = _lock_folder(folder, "own")
            if number is not None:
                held.callback(os.close, number)
        yield


class PendingFiles(NamedTuple):
    """New files in temporary folders with their final places, and folders that were created for them."""

    files: tuple[tuple[Path, Path], ...]
    folders: tuple[Path, ...]


class Delivery:
    """A set of new files that `hand_over` moves to their places together. Nothing else changes before that."""

    def __init__(self) -> None:
        self._name = f".pnp-{os.urandom(16).hex()}"
        self._waiting: list[tuple[Path, Path]] = []
        self._trays: dict[Path, int | None] = {}
        self._folders: list[Path] = []

    def write(self, target: Path, writer: Callable[[BinaryIO], object], *, at_home: bool = False) -> None:
        """Write a file to a temporary folder beside its place. Raise ProblemsFound if that is impossible.

        `at_home`: the file's place is in the project itself, and no option changes it.
        """
        try:
            if not target.name:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            _refuse_special(target)
            part = self.open_temporary_folder(target.parent) / os.urandom(8).hex()
            self._waiting.append((part, target))
            with part.open("xb") as stream:
                writer(stream)
        except OSError as error:
            elsewhere = "copy the project to a folder you may write to" if at_home else _ELSEWHERE
            raise ProblemsFound([_make_problem(target, error, elsewhere)]) from error

    def put(self, target: Path, data: bytes, *, at_home: bool = False) -> None:
        """Write `data` as a file at `target`, in the same way as `write`, which explains `at_home`."""
        self.write(target, lambda out: out.write(data), at_home=at_home)

    def open_temporary_folder(self, folder: Path) -> Path:
        """Return the temporary folder for new files; remove those of killed processes. Raise OSError if this fails."""
        folder = folder.absolute()
        tray = folder / self._name
        if tray not in self._trays:
            missing = [one for one in (folder, *folder.parents) if not one.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            self._folders += reversed(missing)
            with lock_folders([folder]):
                _remove_abandoned(folder)
                tray.mkdir(mode=0o700)
                self._trays[tray] = _lock_folder(tray, "share")
        return tray

    def hand_over(self) -> tuple[Path, ...]:
        """Move every file to its place and return the places.

        Raise ProblemsFound if any move fails; then none moves.
        """
        moved: list[tuple[Path, Path]] = []
        with lock_folders(tray.parent for tray in self._trays):
            failed = [(target, error) for part, target in self._waiting if (error := _back_up_target(part, target))]
            try:
                for part, target in self._waiting if not failed else ():
                    moved.append((part, target))
                    try:
                        part.replace(target)
                    except OSError as error:
                        failed.append((target, error))
            except BaseException:
                _restore_targets(moved)
                raise
            if failed:
                _restore_targets(moved)
                raise ProblemsFound(_make_problem(target, error, _ELSEWHERE) for target, error in failed)
        self._waiting = []
        return tuple(target for _, target in moved)

    @property
    def count(self) -> int:
        """The number of waiting files."""
        return len(self._waiting)

    def read_contents(self, start: int = 0) -> tuple[tuple[Path, bytes], ...]:
        """Return the places and contents of the new files, from number `start` on."""
        return tuple((target, part.read_bytes()) for part, target in self._waiting[start:])

    def release(self) -> PendingFiles:
        """Give up the files for a delivery of another process. They stay locked until this process ends."""
        waiting = PendingFiles(tuple(self._waiting), tuple(self._folders))
        self._waiting, self._trays, self._folders = [], {}, []
        return waiting

    def take_over(self, waiting: PendingFiles) -> None:
        """Add files that the delivery of another process has released."""
        self._waiting += waiting.files
        self._folders += (one for one in waiting.folders if one not in self._folders)
        for tray in {part.parent: None for part, _ in waiting.files}:
            self._trays[tray] = _lock_folder(tray, "share")

    def discard(self) -> None:
        """Remove the temporary folders, and created folders that stayed empty."""
        for tray, number in self._trays.items():
            shutil.rmtree(tray, ignore_errors=True)
            if number is not None:
                os.close(number)
            with lock_folders([tray.parent]):
                _remove_abandoned(tray.parent)  # once more: helpers of a killed process live for a moment longer
        for folder in sorted(self._folders, key=lambda one: -len(one.parts)):
            with contextlib.suppress(OSError):
                folder.rmdir()
        self._waiting, self._trays, self._folders = [], {}, []


@contextlib.contextmanager
def open_delivery() -> Iterator[Delivery]:
    """Yield a delivery that leaves nothing behind if its block fails."""
    files = Delivery()
    try:
        yield files
    finally:
        files.discard()


def deliver_file(target: Path, data: bytes, *, at_home: bool = False) -> tuple[Path, ...]:
    """Write one file, as `Delivery.write` does, and return its path. Raise ProblemsFound if it can't be written."""
    with open_delivery() as files:
        files.put(target, data, at_home=at_home)
        return files.hand_over()


def _remove_abandoned(folder: Path) -> None:
    for tray in folder.glob(".pnp-*"):
        if re.fullmatch(_TRAY, tray.name) and is_folder(tray) and not tray.is_symlink():
            with contextlib.suppress(OSError):  # BlockingIOError: its process is running
                number = _lock_folder(tray, "try")
                if number is not None or time.time() - tray.stat().st_mtime > _ABANDONED_AFTER:
                    shutil.rmtree(tray, ignore_errors=True)
                if number is not None:
                    os.close(number)


def _back_up_target(part: Path, target: Path) -> OSError | None:
    """Keep a link to or copy of `target` as `part`'s name with .old, to restore it. Return what prevents it, if so."""
    if not part.exists():
        return FileNotFoundError(errno.ENOENT, "another program removed it during the build")
    if is_folder(target) and not target.is_symlink():
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    try:
        _refuse_special(target)
        if os.path.lexists(target):
            old = part.with_suffix(".old")
            try:
                os.link(target, old, follow_symlinks=False)
            except (OSError, NotImplementedError, AttributeError):  # some file systems and Pythons have no links
                shutil.copy2(target, old, follow_symlinks=False)
    except OSError as error:
        return error
    return None


def _restore_targets(moved: Iterable[tuple[Path, Path]]) -> None:
    for part, target in moved:
        with contextlib.suppress(OSError):
            if os.path.lexists(part):
                continue
            if os.path.lexists(old := part.with_suffix(".old")):
                old.replace(target)
            else:
                target.unlink(missing_ok=True)


def _refuse_special(target: Path) -> None:
    """Raise OSError if a pipe, socket or device has the name: no file may replace it."""
    if is_special(target):
        raise OSError(errno.ENXIO, "a pipe, a socket or a device has this name")


def _make_problem(target: Path, error: OSError, elsewhere: str) -> Problem:
    hint = ", or ".join(filter(None, [_HINTS.get(error.errno or 0), elsewhere]))
    return Problem(Place(str(target)), f"the file can't be written: {error.strerror or error}", hint)
