"""What the lab has played is kept in a file that more games join, beside those of other questions."""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Protocol, TypeVar

from generator.delivery import delivery
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import read_file

SAVED_EVERY = 60.0
"""Seconds after which what has been played is kept, should there be no end."""


class Filed(Protocol):
    """What a file keeps: figures, and the key of the question that they answer."""

    @property
    def key(self) -> str:
        """Equal for results that can go on from each other's games."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it yet."""

    def text(self) -> str:
        """All of it, as the file says it."""


_Filed = TypeVar("_Filed", bound=Filed)


def filed_text(path: Path) -> str:
    """Return the text of a result's file; raise ProblemsFound if it can't be read."""
    try:
        return read_file(path, "result").decode("utf-8", "replace")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(str(path)), str(unfit), unfit.hint)]) from unfit


def begun(fresh: _Filed, target: Path, opened: Callable[[Path], _Filed], *, anew: bool) -> _Filed:
    """What the file has of the same question, else the fresh result; what it has of another gets a name of its own.

    ProblemsFound, from `opened`, for a file that is no such result: nobody's file is written over.
    """
    if not target.is_file():
        return fresh
    known = opened(target)
    if known.key != fresh.key:
        _write(known, _aside(known, target))
        again = _aside(fresh, target)
        known = opened(again) if again.is_file() else fresh
    return fresh if anew or known.key != fresh.key else known


def play_into(
    target: Path,
    kept: Filed,
    steps: Iterable[tuple[int, int]],
    seconds: float,
    told: Callable[[int, int, float], None],
) -> bool:
    """Goes through the steps that fill what is kept, until there are no more or time is up (0: there is no such time).

    Steps say how many are done, of how many; `told` hears that, and how many seconds they have taken. Whether Ctrl+C
    has stopped it; what was played is kept then, too, and whatever else happens. ProblemsFound, before any step, where
    the place can't be written to.
    """
    with delivery() as files:
        files.put(target, kept.text().encode())
    started = saved = monotonic()
    try:
        for done, whole in steps:
            now = monotonic()
            told(done, whole, now - started)
            if seconds and now - started > seconds:
                break
            if now - saved > SAVED_EVERY:
                _write(kept, target)
                saved = now
    except KeyboardInterrupt:
        return True
    finally:
        if not kept.empty:
            _write(kept, target)
    return False


def seconds_left(done: int, whole: int, passed: float, seconds: float) -> float:
    """How long the rest will take about, if it takes as long as what is done; no longer than there is time."""
    left = passed / done * (whole - done)
    return max(0.0, min(left, seconds - passed) if seconds else left)


def _aside(kept: Filed, target: Path) -> Path:
    """Where a result goes when another takes its place."""
    return target.with_name(f"{target.stem}.{kept.key[:8]}{target.suffix}")


def _write(kept: Filed, target: Path) -> None:
    with delivery() as files:
        files.put(target, kept.text().encode())
        files.hand_over()
