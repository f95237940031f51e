"""Processes: starts helper processes, in pools or single, which end with this one, and finds other programs."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
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


class SideProcess:
    """One process beside this one, which calls a function. The `with` statement ends it, whatever it does."""

    def __init__(self, work: Callable[..., object], *arguments: Any):
        self._receiver, sender = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.Process(target=_send_result, args=(sender, work, arguments), daemon=True)
        self._process.start()
        sender.close()

    def __enter__(self) -> "SideProcess":
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.join()
        self._receiver.close()

    def wait(self, longest: float | None = None) -> Any:
        """Return the function's result. Raise TimeoutError after `longest` seconds.

        Raise EOFError if the process has ended without a result. Its argument is the exit code.
        """
        if not self._receiver.poll(longest):
            raise TimeoutError
        try:
            return self._receiver.recv()
        except EOFError:
            self._process.join()
            raise EOFError(self._process.exitcode) from None


def _send_result(sender: Connection, work: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(Exception, KeyboardInterrupt):  # without a result, the waiting process knows that the work failed
        sender.send(work(*arguments))


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
            with suppress(OSError, ValueError):  # an entry of PATH may be no folder
                if found.is_file() and os.access(found, os.X_OK):
                    return str(found)
    return None
