"""Python for browsers, and the compiled libraries for it: files of a fixed name, size and content, and where they lie.

They come from the public registries through the registries' own clients, npm and pip, which know how this machine gets
there; once here they are kept. Nobody is asked for a file that is there.
"""

import hashlib
import io
import json
import subprocess  # nosec - npm and pip, by their whole path and without a shell
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.delivery import delivery
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import is_file, is_folder, read_file
from generator.programs import program_path

PYTHON = "3.14"
"""Of the runtime."""

PLATFORM = "pyemscripten_2026_0_wasm32"
"""What its compiled libraries are built for (PEP 783)."""

_PATIENCE = 600.0
"""Seconds that a registry's client may take for one file."""


class Pinned(NamedTuple):
    """A file that a site is made of: its name, what it must hold, and what its registry calls it."""

    file: str
    sha256: str
    name: str
    version: str


RUNTIME = Pinned(
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    "pyodide",
    "314.0.7",
)

WHEELS = (
    Pinned(
        f"uharfbuzz-0.57.0-cp311-abi3-{PLATFORM}.whl",
        "430b78efc0cff3365461ff79e0d0a944cda17253171d5a4f8cf4615ebde08541",
        "uharfbuzz",
        "0.57.0",
    ),
    Pinned(
        f"pypdfium2-5.15.2-py3-none-{PLATFORM}.whl",
        "51e380faf433899d3b07a40b3f6aa97b9ab61399e732280f4007dc7aa0d0694f",
        "pypdfium2",
        "5.15.2",
    ),
)

PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What is needed of the runtime's package."""

FURTHER = ("pillow", "pyyaml", "markupsafe")
"""Libraries whose compiled part is in the runtime's own distribution alone: taken where a folder has them."""


class Runtime(NamedTuple):
    """The runtime's files by name, and compiled libraries: name -> version and files by path."""

    parts: Mapping[str, bytes]
    libraries: Mapping[str, tuple[str, Mapping[str, bytes]]]


def runtime_of(folder: Path | None, kept: Path, told: Callable[[str], None]) -> Runtime:
    """The runtime that lies in a folder, or where none is named in `kept`, fetched into it where it is not there yet.

    ProblemsFound for files that are missing, can't be had, or don't hold what they should.
    """
    if folder is None:
        _fetch_missing(kept, told)
    home = folder or kept
    problems, found = [], {}
    for pinned in (RUNTIME, *WHEELS):
        try:
            found[pinned.file] = _checked(home / pinned.file, pinned.sha256)
        except Unfit as unfit:
            problems.append(Problem(Place((home / pinned.file).as_posix()), str(unfit), unfit.hint))
    if problems:
        raise ProblemsFound(problems)
    with tarfile.open(fileobj=io.BytesIO(found[RUNTIME.file]), mode="r:gz") as package:
        parts = {name: _member(package, f"package/{name}") for name in PARTS}
    libraries = {pinned.name: (pinned.version, _unpacked(found[pinned.file])) for pinned in WHEELS}
    return Runtime(parts, libraries | dict(_further(home, json.loads(parts["pyodide-lock.json"])["packages"])))


def _further(home: Path, known: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, tuple[str, dict[str, bytes]]]]:
    """Wheels of the runtime's own distribution that lie in the folder, held against its list."""
    for name in FURTHER:
        path = home / known[name]["file_name"]
        if is_file(path):
            try:
                yield name, (known[name]["version"], _unpacked(_checked(path, known[name]["sha256"])))
            except Unfit as unfit:
                raise ProblemsFound([Problem(Place(path.as_posix()), str(unfit), unfit.hint)]) from unfit


def _checked(path: Path, sha256: str) -> bytes:
    """A file's bytes; Unfit where they are not those."""
    data = read_file(path, "runtime")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Unfit("the file does not hold what it should (sha256)", "remove it, and have it fetched anew")
    return data


def _member(package: tarfile.TarFile, name: str) -> bytes:
    stream = package.extractfile(name)
    return stream.read() if stream is not None else b""


def _unpacked(wheel: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _fetch_missing(kept: Path, told: Callable[[str], None]) -> None:
    """Ask the registries for what is not there, into a folder of its own first."""
    wanted = [pinned for pinned in (RUNTIME, *WHEELS) if not is_file(kept / pinned.file)]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as fresh, delivery() as files:
        for pinned in wanted:
            told(f"{pinned.name} {pinned.version}")
            _run(_npm(fresh) if pinned is RUNTIME else _pip(pinned, Path(fresh)), pinned)
            if is_file(Path(fresh, pinned.file)):
                files.put(kept / pinned.file, read_file(Path(fresh, pinned.file), "runtime"))
        files.hand_over()
    told("")


def _npm(fresh: str) -> list[str]:
    npm = program_path("npm")
    if npm is None:
        what = f"npm, which gets {RUNTIME.file} from its registry, is not installed"
        raise ProblemsFound([Problem(None, what, "install Node.js, or name a folder that has the file with --runtime")])
    return [npm, "pack", "--silent", f"{RUNTIME.name}@{RUNTIME.version}", "--pack-destination", fresh]


def _pip(pinned: Pinned, fresh: Path) -> list[str]:
    wanted = fresh / "wanted.txt"
    wanted.write_text(f"{pinned.name}=={pinned.version} --hash=sha256:{pinned.sha256}\n", encoding="utf-8")
    ask = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    target = ["--platform", PLATFORM, "--python-version", PYTHON, "--require-hashes"]
    return [*ask, *target, "--requirement", str(wanted), "--dest", str(fresh)]


def _run(command: list[str], pinned: Pinned) -> None:
    """Run a registry's client; ProblemsFound with what it said last."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603 - by whole path
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    else:
        if done.returncode == 0:
            return
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
    what = f"{pinned.name} {pinned.version} can't be had: {said}"
    hint = "look whether the registry can be reached, or name a folder that has the file with --runtime"
    raise ProblemsFound([Problem(None, what, hint)])


def runtime_folder(cache: Path) -> Path:
    """Where fetched files are kept."""
    folder = cache / "site-runtime"
    if not is_folder(folder):
        folder.mkdir(parents=True)
    return folder
