"""A delivery: files are written one after another, and reach their places together."""

import contextlib
import errno
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from generator.delivery.trays import Trays, TraysMade, refuse_special
from generator.errors import Place, Problem, ProblemsFound

_HINTS = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EACCES: "allow writing there",
    errno.EPERM: "allow writing there",
    errno.ENOTDIR: "a file stands where a folder is needed: remove it",
    errno.EEXIST: "a file stands where a folder is needed: remove it",
    errno.ENXIO: "move it away",
    errno.EISDIR: "a folder stands where the file belongs: remove it",
}

_ELSEWHERE = "choose another folder with --out"


class Waiting(NamedTuple):
    """Files that are written: each where it waits, and its place; and what is to be known of the trays."""

    files: tuple[tuple[Path, Path], ...]
    told: TraysMade


class Delivery:
    """Collects new files; `hand_over` moves them to their places. Nothing is touched before that.

    With the `trays` of another delivery it makes a part of its files, which that one takes over.
    """

    def __init__(self, trays: Trays | None = None) -> None:
        self._own = trays is None
        self.trays = trays or Trays()
        self._waiting: list[tuple[Path, Path]] = []
        self._released = False

    def write(self, target: Path, writer: Callable[[BinaryIO], object], *, at_home: bool = False) -> None:
        """Write a file that waits beside its place; ProblemsFound when the place can't be written to.

        A file that is `at_home` has its place in the project, and no option leads elsewhere.
        """
        with _as_problem(target, "copy the project to where files can be written" if at_home else _ELSEWHERE):
            if not target.name:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            refuse_special(target)
            part = self.trays.open(target.parent) / secrets.token_hex(8)
            self._waiting.append((part, target))
            with part.open("xb") as stream:
                writer(stream)

    def put(self, target: Path, data: bytes, *, at_home: bool = False) -> None:
        """Write a file whose bytes are there; otherwise as `write`."""
        self.write(target, lambda out: out.write(data), at_home=at_home)

    def hand_over(self) -> tuple[Path, ...]:
        """Move every file to its place and name the places; ProblemsFound with all that are taken, and none moves."""
        failed = self.trays.hand_over(self._waiting)
        if failed:
            raise ProblemsFound(_problem(target, error, _ELSEWHERE) for target, error in failed)
        done = tuple(target for _, target in self._waiting)
        self._waiting = []
        return done

    def contents(self) -> tuple[tuple[Path, bytes], ...]:
        """Each place with the bytes that wait for it."""
        return tuple((target, part.read_bytes()) for part, target in self._waiting)

    def shareable(self, home: Path) -> bool:
        """Put the main tray into a folder; whether that can be done, so that other processes may use the trays, too."""
        try:
            self.trays.open(home)
        except OSError:
            return False
        return True

    def release(self) -> Waiting:
        """Let go of the files, for the delivery with the same trays to take over."""
        waiting, self._waiting, self._released = tuple(self._waiting), [], True
        return Waiting(waiting, self.trays.summary())

    def take_over(self, waiting: Waiting) -> None:
        """Files that another delivery has let go of, after those that are here."""
        self._waiting += waiting.files
        self.trays.hear(waiting.told)

    def discard(self) -> None:
        """Remove what was written and neither handed over nor let go of."""
        for part, _ in self._waiting:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        self._waiting = []
        if self._own or (self.trays.borrowed and not self._released):
            self.trays.close()


@contextlib.contextmanager
def delivery(trays: Trays | None = None) -> Iterator[Delivery]:
    """A delivery that leaves nothing behind when its block fails."""
    files = Delivery(trays)
    try:
        yield files
    finally:
        files.discard()


@contextlib.contextmanager
def _as_problem(target: Path, elsewhere: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ProblemsFound([_problem(target, error, elsewhere)]) from error


def _problem(target: Path, error: OSError, elsewhere: str) -> Problem:
    hint = ", or ".join(filter(None, [_HINTS.get(error.errno or 0), elsewhere]))
    return Problem(Place(str(target)), f"the file can't be written: {error.strerror or error}", hint)
