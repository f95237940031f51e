"""Work on a stranger's file in a process of its own, with an end to its time and memory, whatever libraries do."""

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

try:
    import resource
except ImportError:  # Windows: there time alone is limited
    resource = None  # type: ignore[assignment]

_SECONDS = 18
_LONGEST = 60.0  # seconds on a busy machine, or where a processor's time can't be limited
_BYTES = 800_000_000

Answer = TypeVar("Answer")


class Overrun(Exception):
    """The work took too much time or memory, or a library broke down over it."""


def apart(work: Callable[..., Answer], *args: Any) -> Answer:
    """What the function of a module answers, or the exception that it ends in; Overrun where it comes to neither."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_answer, args=(sender, work, args), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(_LONGEST):
            raise Overrun(f"more than {_LONGEST:.0f} seconds")
        answer, error = receiver.recv()
    except EOFError:
        process.join()
        late = resource is not None and process.exitcode == -_TIME_IS_UP
        raise Overrun(f"more than {_SECONDS} seconds" if late else "too much memory, or a fault of a library") from None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if error is not None:
        raise error
    return answer  # type: ignore[no-any-return]


_TIME_IS_UP = 24  # the signal SIGXCPU


def _answer(sender: Connection, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 + _BYTES  # besides what it comes with
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - what libraries say before they break down
        os.dup2(nowhere.fileno(), 2)
    try:
        answer: tuple[Any, BaseException | None] = (work(*args), None)
    except BaseException as error:  # noqa: BLE001 - it goes on where the answer is waited for
        answer = (None, error)
    sender.send(answer)
