"""Processes: starts pools of helper processes that end with this one, and finds other programs."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any


def start_helpers(processes: int, begin: Callable[..., object], *arguments: Any) -> ProcessPoolExecutor:
    """Return a pool of helper processes; each first calls `begin`. They end if this process is killed.

    Without this they would wait forever, with all locks that this process held when it created them. They import
    nothing from the current folder, which may be a stranger's project.
    """
    if multiprocessing.get_start_method() != "fork":  # a forked process imports nothing again
        os.environ["PYTHONSAFEPATH"] = "1"
    return ProcessPoolExecutor(processes, initializer=_begin_helper, initargs=(begin, arguments))


def end_helpers(pool: Executor) -> None:
    """End the helper processes of a pool at once, whatever they do; threads are left to finish."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()


def _begin_helper(begin: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    begin(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # the only way to end the process from a thread


_ENDING = ".exe" if os.name == "nt" else ""


def find_program(*names: str) -> str | None:
    """Return the full path of the first of these programs that is installed, or None.

    Only absolute folders of PATH are searched. Windows, and a PATH with `.` or an empty entry, would search the current
    folder too, and a foreign project may contain a program of that name.
    """
    folders = [folder for folder in map(Path, os.environ.get("PATH", "").split(os.pathsep)) if folder.is_absolute()]
    for name in names:
        for folder in folders:
            found = folder / f"{name}{_ENDING}"
            if _is_executable(found):
                return str(found)
    return None


def _is_executable(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except (OSError, ValueError):  # an entry of PATH that can't be a folder
        return False
