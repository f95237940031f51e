"""Who plays the chunks: this process, threads, helping processes, or other machines; the results are the same."""

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.lab.chunks import Chunk, Setup, play
from generator.lab.sums import Sums
from generator.processes import helpers

_P = TypeVar("_P")
_R = TypeVar("_R")

KINDS = ("processes", "threads", "dask")
_AHEAD = 3
"""So many chunks wait for each worker: enough that none is idle, few enough that stopping takes no time."""

_PATIENCE = 10
"""Seconds that a scheduler has to answer."""

_TRIES = 3
"""So often a chunk is played whose worker is lost."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Kind of executor, how many workers, and the scheduler's address where there is one."""

    kind: str
    workers: int
    address: str = ""


def crew_of(text: str) -> Crew:
    """`processes:2`, `threads:2` or `dask:tcp://HOST:PORT`; ValueError with a way out for anything else."""
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        raise ValueError(f"unknown executor '{kind}'; {did_you_mean(kind, KINDS)}")
    if kind == "dask":
        if not rest:
            raise ValueError("an executor of dask needs its scheduler's address, as dask:tcp://HOST:8786")
        return Crew(kind, 8, rest)
    if not rest.isdecimal() or not 1 <= int(rest) <= 256:
        raise ValueError(f"{kind} needs a number from 1 to 256, as {kind}:2")
    return Crew(kind, int(rest))


@contextmanager
def _executor(crew: Crew) -> Iterator[Executor]:
    if crew.kind == "dask":
        with _cluster(crew.address) as executor:
            yield executor
        return
    pool = ThreadPoolExecutor(crew.workers) if crew.kind == "threads" else helpers(crew.workers, _begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Ctrl+C reaches all processes of a terminal: the one that asks for games says when there is an end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """The executor of a cluster; ProblemsFound where no scheduler answers, or its workers are lost again and again."""
    try:
        import distributed
    except ImportError as error:
        hint = "install the program with its extra `cluster`"
        raise ProblemsFound([Problem(None, "dask.distributed is not installed", hint)]) from error
    hint = "start it with `dask scheduler`, and workers beside it"
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=f"{_PATIENCE}s")
    except (OSError, TimeoutError, ValueError) as error:
        raise ProblemsFound([Problem(None, f"no scheduler answers at {address}", hint)]) from error
    try:
        yield client.get_executor(pure=False)
    except distributed.KilledWorker as error:
        what = "the cluster's workers were lost again and again over the same games"
        raise ProblemsFound([Problem(None, what, "look into their logs for what ends them")]) from error
    except CancelledError as error:
        raise ProblemsFound([Problem(None, f"the scheduler at {address} has gone", hint)]) from error
    finally:
        client.close()


def play_all(setup: Setup, key: str, chunks: Sequence[Chunk], crew: Crew) -> Iterator[dict[str, Sums]]:
    """The sums of each chunk, in their order, whoever plays it; ProblemsFound as by `work_through`.

    What is compiled is compiled by who plays the first; the others find it on the disk.
    """
    return work_through(partial(play, setup, key), chunks, crew, first_alone=bool(setup.kernels))


def work_through(
    work: Callable[[_P], _R], pieces: Sequence[_P], crew: Crew, *, first_alone: bool = False
) -> Iterator[_R]:
    """What the work gives for each piece, in their order, whoever does it; a piece whose worker is lost is done again.

    `first_alone`: nobody begins with another before the first is done. ProblemsFound where workers are lost again and
    again.
    """
    if crew.kind == "processes" and crew.workers == 1:
        for piece in pieces:
            yield work(piece)
        return
    at, tries = 0, 0
    while at < len(pieces):
        try:
            with _executor(crew) as executor:
                while at < len(pieces):
                    some = pieces[at : at + 1] if first_alone and not at else pieces[at:]
                    for found in _in_order(executor.submit, work, some, crew.workers * _AHEAD):
                        yield found
                        at, tries = at + 1, 0
        except BrokenExecutor as error:
            tries += 1
            if tries == _TRIES:
                what = f"{_TRIES} times one after another the workers were lost over the same games"
                hint = "look for what ends them (too little memory?), or ask for fewer with --executor"
                raise ProblemsFound([Problem(None, what, hint)]) from error


def _in_order(
    submit: Callable[..., Future[_R]], work: Callable[[_P], _R], pieces: Sequence[_P], ahead: int
) -> Iterator[_R]:
    waiting: deque[Future[_R]] = deque()
    for piece in pieces:
        waiting.append(submit(work, piece))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
