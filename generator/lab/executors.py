"""Who plays the chunks: this process, threads, helping processes, or other machines; the results are the same."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
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
    if crew.kind == "threads":
        pool: Any = ThreadPoolExecutor(crew.workers)
    elif crew.kind == "processes":
        pool = helpers(crew.workers, _begin)
    else:
        pool = _cluster(crew.address)
    try:
        yield pool
    finally:
        pool.shutdown(wait=crew.kind != "dask", cancel_futures=True)


def _begin() -> None:
    """Nothing to do before the first chunk, which says what it needs."""


def _cluster(address: str) -> Any:
    """The executor of a cluster; ProblemsFound where no scheduler answers."""
    try:
        import distributed
    except ImportError as error:
        hint = "install the program with its extra `cluster`"
        raise ProblemsFound([Problem(None, "dask.distributed is not installed", hint)]) from error
    try:
        client: Any = distributed.Client
        return client(address, timeout="10s").get_executor(pure=False)
    except (OSError, TimeoutError) as error:
        what = f"no scheduler answers at {address}"
        raise ProblemsFound([Problem(None, what, "start it with `dask scheduler`, and workers beside it")]) from error


def play_all(setup: Setup, key: str, chunks: Sequence[Chunk], crew: Crew) -> Iterator[dict[str, Sums]]:
    """The sums of each chunk, in their order, whoever plays it."""
    return work_through(partial(play, setup, key), chunks, crew)


def work_through(work: Callable[[_P], _R], pieces: Sequence[_P], crew: Crew) -> Iterator[_R]:
    """What the work gives for each piece, in their order; a piece whose worker is lost is done again."""
    if crew.kind == "processes" and crew.workers == 1:
        for piece in pieces:
            yield work(piece)
        return
    at, tries = 0, 0
    while at < len(pieces):
        try:
            with _executor(crew) as executor:
                for found in _in_order(executor.submit, work, pieces[at:], crew.workers * _AHEAD):
                    yield found
                    at, tries = at + 1, 0
        except BrokenExecutor:
            tries += 1
            if tries == _TRIES:
                raise


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
