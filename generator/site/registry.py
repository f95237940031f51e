"""Files of a fixed name and content from the public registries: asked for once, kept, held against their sums.

They come through the registries' own clients, npm and pip, which know how this machine gets there.
"""

import hashlib
import subprocess  # nosec - npm and pip, by their whole path and without a shell
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from generator.delivery import delivery
from generator.errors import Problem, ProblemsFound, Unfit
from generator.files import is_file, read_file, write_below
from generator.programs import program_path

PYTHON = "3.14"
"""Of the runtime."""

PLATFORM = "pyemscripten_2026_0_wasm32"
"""What its compiled libraries are built for (PEP 783)."""

_PATIENCE = 600.0
"""Seconds that a registry's client may take for what it is asked."""


class Pinned(NamedTuple):
    """A file that a site is made of: its name, what it must hold, and what its registry calls it."""

    file: str
    sha256: str
    name: str
    version: str


def checked(path: Path, sha256: str) -> bytes:
    """A file's bytes; Unfit where they are not those."""
    data = read_file(path, "runtime")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Unfit("the file does not hold what it should (sha256)", "remove it, and have it fetched anew")
    return data


def fetch_missing(kept: Path, pinned: Iterable[Pinned], told: Callable[[str], None]) -> None:
    """Ask the registries for what is not in a folder yet, into another one first; ProblemsFound where they fail."""
    wanted = [one for one in pinned if not is_file(kept / one.file)]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as fresh, delivery() as files:
        packages = [one for one in wanted if one.file.endswith(".tgz")]
        if packages:
            told(_titles(packages))
            _run(_npm(packages, fresh), packages)
        for one in wanted:
            if one not in packages:
                told(_titles([one]))
                _run(_pip(one, Path(fresh)), [one])
            if is_file(Path(fresh, one.file)):
                files.put(kept / one.file, read_file(Path(fresh, one.file), "runtime"))
        files.hand_over()
    told("")


def _titles(pinned: list[Pinned]) -> str:
    more = f" and {len(pinned) - 1} more" if len(pinned) > 1 else ""
    return f"{pinned[0].name} {pinned[0].version}{more}"


def _npm(pinned: list[Pinned], fresh: str) -> list[str]:
    npm = program_path("npm")
    if npm is None:
        what = f"npm, which gets {pinned[0].file} from its registry, is not installed"
        raise ProblemsFound([Problem(None, what, "install Node.js, or name a folder that has the file with --runtime")])
    return [npm, "pack", "--silent", *(f"{one.name}@{one.version}" for one in pinned), "--pack-destination", fresh]


def _pip(pinned: Pinned, fresh: Path) -> list[str]:
    line = f"{pinned.name}=={pinned.version} --hash=sha256:{pinned.sha256}\n"
    wanted = write_below(fresh, "wanted.txt", line.encode())
    ask = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    target = ["--platform", PLATFORM, "--python-version", PYTHON, "--require-hashes"]
    return [*ask, *target, "--requirement", str(wanted), "--dest", str(fresh)]


def _run(command: list[str], pinned: list[Pinned]) -> None:
    """Run a registry's client; ProblemsFound with what it said last."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603 - by whole path
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    else:
        if done.returncode == 0:
            return
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
    what = f"{_titles(pinned)} can't be had: {said}"
    hint = "look whether the registry can be reached, or name a folder that has the file with --runtime"
    raise ProblemsFound([Problem(None, what, hint)])
