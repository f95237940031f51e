"""Measure whole processes: seconds, peak memory, instructions."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PNP = (sys.executable, "-m", "generator")


class Run(NamedTuple):
    """One whole process: wall and CPU seconds, peak memory in MiB."""

    wall: float
    cpu: float
    peak: float


def make_environment(cache: Path | None = None) -> dict[str, str]:
    """Return the environment of a measured process: with this cache, or with none.

    Python may write compiled modules, as on a user's machine.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    kept = {"PNP_NO_CACHE": "1"} if cache is None else {"PNP_CACHE": str(cache), "PNP_NO_CACHE": ""}
    return {**environment, **kept, "PYTHONHASHSEED": "0"}


def time_process(command: Sequence[str], cache: Path | None = None) -> Run:
    """Run a command; stop if it fails."""
    meter = (sys.executable, "-I", "-S", str(HERE / "meter.py"), *command)
    environment = make_environment(cache)
    done = subprocess.run(meter, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return Run(**json.loads(done.stdout))


def count_instructions(command: Sequence[str], cache: Path | None = None) -> int:
    """Return how many instructions a process takes, as valgrind counts them, without its children's."""
    counter = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    environment = make_environment(cache)
    done = subprocess.run((*counter, *command), cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"{' '.join(command)} failed under valgrind:\n{done.stderr[-2000:]}")
    return int(found.group(1).replace(",", ""))
