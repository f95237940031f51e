"""Runs commands one after the other, each in a child of its own within limits, and tells what became of them.

The program is loaded once: a child is a copy of a process that has everything in memory, so that a command costs what
it does and not what its imports cost. Needs a system with `fork`.
"""

import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

SECONDS = 40  # of the processor; the longest take 8 to 20, as slow machines differ by more than two
"""Of processor time: who needs more hangs."""

MEMORY = 1 << 30
"""Bytes that a command may hold at most."""

_ROOM = 6 << 30
"""Address space: where a command wants all the memory that there is, it is told no before the machine is."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended: exit code (negative for a signal), seconds of processor time, peak bytes, what it said."""

    code: int
    seconds: float
    peak: int
    said: str

    @property
    def fault(self) -> str:
        """What no input may bring about; empty where nothing of it happened."""
        if self.code == -signal.SIGXCPU or self.seconds > SECONDS:
            return f"hangs ({self.seconds:.0f} s)"
        if self.code < 0:
            return f"dies of signal {-self.code}"
        if "Traceback (most recent call last)" in self.said:
            return "traceback"
        if self.code not in (0, 1, 2) and not (self.code == 130 and self.said.strip() == "Aborted!"):
            return f"exit code {self.code}: {self.said[:200]}"
        if self.peak > MEMORY:
            return f"takes {self.peak >> 20} MB"
        return ""


class Runner:
    """A process that waits for commands; close it, or use it in a `with`."""

    def __init__(self, folder: Path):
        self._said = folder / "said"
        folder.mkdir(parents=True, exist_ok=True)
        here = Path(__file__)
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(here), str(self._said)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=here.parents[2],
            env={**os.environ, "PNP_NO_CACHE": "1", "COLUMNS": "200"},
        )

    def run(self, folder: Path, *words: str) -> Outcome:
        """`pnp` with these words in a folder."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"folder": str(folder), "words": words}) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        said = self._said.read_bytes()[:200_000].decode("utf-8", "replace")
        return Outcome(told["code"], told["seconds"], told["peak"], said)

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _child(folder: str, words: Sequence[str], said: str) -> None:
    """A command, as a shell would run it."""
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in ((0, nothing), (1, out), (2, out)):
        os.dup2(file, number)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 3))
    resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(folder)
    sys.argv = ["pnp", *words]
    from generator.commands.command_line import main

    main()


def _serve(said: str) -> None:
    """Answers each line on standard input with one on standard output, until there is none."""
    for module in (
        "generator.commands.command_line",
        "generator.drawing.faces.game_drawing",
        "generator.commands.build",
    ):
        importlib.import_module(module)  # here, once
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            try:
                _child(asked["folder"], asked["words"], said)
            except SystemExit as stopped:
                for stream in (sys.stdout, sys.stderr):
                    if not stream.closed:  # by rules that are run
                        stream.flush()
                os._exit(stopped.code if isinstance(stopped.code, int) else bool(stopped.code))
            except BaseException:  # noqa: BLE001 - as the interpreter would tell it
                import traceback

                traceback.print_exc()
                sys.stderr.flush()
                os._exit(99)
            os._exit(0)
        until = time.monotonic() + 6 * SECONDS
        _, status, used = _ended(child, until)
        code = os.waitstatus_to_exitcode(status)
        told = {"code": code, "seconds": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def _ended(child: int, until: float) -> tuple[int, int, resource.struct_rusage]:
    """Wait for a child; one that sleeps for ever is ended as one that works for ever is."""
    while time.monotonic() < until:
        found = os.wait4(child, os.WNOHANG)
        if found[0]:
            return found
        time.sleep(0.002)
    os.kill(child, signal.SIGXCPU)
    return os.wait4(child, 0)


if __name__ == "__main__":
    _serve(sys.argv[1])
