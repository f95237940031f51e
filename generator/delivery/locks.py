"""Locks that end with their process, however it ends. Where a file system has none, everybody goes on without."""

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_BUSY = (BlockingIOError, PermissionError)
_PAUSE = 0.02
_GUARD = ".pnp-lock"
_MOST = 64
"""Of the files that a process may have open, so many at most are locks."""

if sys.platform == "win32":
    import msvcrt

    def _lock(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """A file that this process has locked, until `release`."""

    def __init__(self, path: Path, number: int):
        self._path, self._number = path, number

    @classmethod
    def acquire(cls, path: Path) -> "Lock | None":
        """Make the file if it is missing and wait for the lock; None where there are no locks."""
        while True:
            number = _open_lock_file(path, os.O_CREAT)
            if number is None:
                return None
            try:
                _lock(number)
            except _BUSY:
                os.close(number)
                time.sleep(_PAUSE)
                continue
            except OSError:
                cls(path, number).release()
                return None
            if _still(path, number):
                return cls(path, number)
            os.close(number)  # who had it has taken the file away

    @classmethod
    def take_over(cls, path: Path) -> "Lock | None":
        """The lock of a file whose process has died; None where it lives, or nobody can tell."""
        number = _open_lock_file(path)
        if number is None:
            return None
        try:
            _lock(number)
        except OSError:
            os.close(number)
            return None
        return cls(path, number)

    def release(self) -> None:
        """Let others have it, and take the file away: before it is closed, or on Windows, which refuses that, after."""
        with contextlib.suppress(OSError):
            self._path.unlink()
            os.close(self._number)
            return
        os.close(self._number)
        with contextlib.suppress(OSError):
            self._path.unlink()


@contextlib.contextmanager
def lock_folders(folders: Iterable[Path]) -> Iterator[None]:
    """Have folders to oneself, among all who ask for it; always in one order, so that no two wait for each other."""
    ordered = sorted({Path(os.path.realpath(one)) for one in folders})
    held = [Lock.acquire(folder / _GUARD) for folder in ordered[:_MOST]]
    try:
        yield
    finally:
        for lock in held:
            if lock is not None:
                lock.release()


def _open_lock_file(path: Path, more: int = 0) -> int | None:
    """A file that is open for locking, never by way of a link; None where it can't be."""
    try:
        return os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | more, 0o600)
    except OSError:
        return None


def _still(path: Path, number: int) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(number))
    except OSError:
        return False
