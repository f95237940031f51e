"""Processes that help this one: they end with it, however it ends."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from threading import Thread
from typing import Any


def helpers(processes: int, begin: Callable[..., None], *arguments: Any) -> ProcessPoolExecutor:
    """A pool of so many processes, each of which begins with this call; if this process is killed they end, too.

    By themselves they would wait for ever, with all locks that this process had when it made them. They import nothing
    from the current folder, which may be a stranger's project.
    """
    if multiprocessing.get_start_method() != "fork":  # a forked process imports nothing anew
        os.environ["PYTHONSAFEPATH"] = "1"
    return ProcessPoolExecutor(processes, initializer=_begin, initargs=(begin, arguments))


def _begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    Thread(target=_follow, daemon=True).start()
    begin(*arguments)


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # from a thread nothing gentler ends it
