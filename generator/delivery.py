"""Finished files reach their place all together or not at all: each is written beside its target, then renamed."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

from generator.errors import Place, Problem, ProblemsFound

_HINTS = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EACCES: "allow writing there",
    errno.EPERM: "allow writing there",
    errno.ENOTDIR: "a file stands where a folder is needed: remove it",
    errno.EEXIST: "a file stands where a folder is needed: remove it",
    errno.EISDIR: "a folder stands where the file belongs: remove it",
}

_ELSEWHERE = "choose another folder with --out"


Waiting: TypeAlias = tuple[tuple[Path, Path], ...]
"""Files that are written: each beside its target, and the target."""


class Delivery:
    """Collects new files; `hand_over` moves them to their places. Nothing is touched before that."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Path, Path]] = []

    def write(self, target: Path, writer: Callable[[BinaryIO], None], *, at_home: bool = False) -> None:
        """Write a file beside its target; ProblemsFound when the place can't be written to.

        A file that is `at_home` has its place in the project, and no option leads elsewhere.
        """
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        with _as_problem(target, "copy the project to where files can be written" if at_home else _ELSEWHERE):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._waiting.append((beside, target))
            with beside.open("wb") as stream:
                writer(stream)

    def hand_over(self) -> tuple[Path, ...]:
        """Rename every file to its target and name the targets."""
        done = []
        for beside, target in self._waiting:
            with _as_problem(target):
                beside.replace(target)
            done.append(target)
        self._waiting = []
        return tuple(done)

    def contents(self) -> tuple[tuple[Path, bytes], ...]:
        """Each target with the bytes that wait for it."""
        return tuple((target, beside.read_bytes()) for beside, target in self._waiting)

    def release(self) -> Waiting:
        """Let go of the files, for another delivery to take over."""
        waiting, self._waiting = tuple(self._waiting), []
        return waiting

    def take_over(self, waiting: Waiting) -> None:
        """Files that another delivery has let go of, after those that are here."""
        self._waiting += waiting

    def discard(self) -> None:
        """Remove what was written and not handed over."""
        for beside, _ in self._waiting:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
        self._waiting = []


@contextlib.contextmanager
def delivery() -> Iterator[Delivery]:
    """A delivery that leaves nothing behind when its block fails."""
    files = Delivery()
    try:
        yield files
    finally:
        files.discard()


@contextlib.contextmanager
def _as_problem(target: Path, elsewhere: str = _ELSEWHERE) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = f"the file can't be written: {error.strerror or error}"
        hint = ", or ".join(filter(None, [_HINTS.get(error.errno or 0), elsewhere]))
        raise ProblemsFound([Problem(Place(str(target)), what, hint)]) from error
