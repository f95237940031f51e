"""Python for browsers, the compiled libraries for it, and the editor: where their files lie, and what is in them."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import is_file, is_folder
from generator.site.codemirror import PACKAGES, Script, scripts_of
from generator.site.registry import PLATFORM, Pinned, checked, fetch_missing

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
    """The runtime's files by name; compiled libraries: name -> version and files by path; the editor's scripts.

    Without scripts `lacking` says why.
    """

    parts: Mapping[str, bytes]
    libraries: Mapping[str, tuple[str, Mapping[str, bytes]]]
    editor: tuple[Script, ...] = ()
    lacking: str = ""


def runtime_of(folder: Path | None, kept: Path, told: Callable[[str], None]) -> Runtime:
    """The runtime that lies in a folder, or where none is named in `kept`, fetched into it where it is not there yet.

    ProblemsFound for files that are missing, can't be had, or don't hold what they should.
    """
    if folder is None:
        fetch_missing(kept, (RUNTIME, *WHEELS), told)
    home = folder or kept
    problems, found = [], {}
    for pinned in (RUNTIME, *WHEELS):
        try:
            found[pinned.file] = checked(home / pinned.file, pinned.sha256)
        except Unfit as unfit:
            problems.append(Problem(Place((home / pinned.file).as_posix()), str(unfit), unfit.hint))
    if problems:
        raise ProblemsFound(problems)
    with tarfile.open(fileobj=io.BytesIO(found[RUNTIME.file]), mode="r:gz") as package:
        parts = {name: _member(package, f"package/{name}") for name in PARTS}
    libraries = {pinned.name: (pinned.version, _unpacked(found[pinned.file])) for pinned in WHEELS}
    further = dict(_further(home, json.loads(parts["pyodide-lock.json"])["packages"]))
    return Runtime(parts, libraries | further, *_editor(folder, home, told))


def _editor(folder: Path | None, home: Path, told: Callable[[str], None]) -> tuple[tuple[Script, ...], str]:
    """The editor's scripts, or why there are none: without them a plain field does."""
    if folder is None:
        try:
            fetch_missing(home, PACKAGES, told)
        except ProblemsFound as found:
            return (), str(found.problems[0])
    missing = [one.file for one in PACKAGES if not is_file(home / one.file)]
    if missing:
        return (), f"{home.as_posix()} has no {missing[0]}" + (f" and {len(missing) - 1} more" if missing[1:] else "")
    problems, packages = [], {}
    for pinned in PACKAGES:
        try:
            packages[pinned] = checked(home / pinned.file, pinned.sha256)
        except Unfit as unfit:
            problems.append(Problem(Place((home / pinned.file).as_posix()), str(unfit), unfit.hint))
    if problems:
        raise ProblemsFound(problems)
    return scripts_of(packages), ""


def _further(home: Path, known: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, tuple[str, dict[str, bytes]]]]:
    """Wheels of the runtime's own distribution that lie in the folder, held against its list."""
    for name in FURTHER:
        path = home / known[name]["file_name"]
        if is_file(path):
            try:
                yield name, (known[name]["version"], _unpacked(checked(path, known[name]["sha256"])))
            except Unfit as unfit:
                raise ProblemsFound([Problem(Place(path.as_posix()), str(unfit), unfit.hint)]) from unfit


def _member(package: tarfile.TarFile, name: str) -> bytes:
    stream = package.extractfile(name)
    return stream.read() if stream is not None else b""


def _unpacked(wheel: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def runtime_folder(cache: Path) -> Path:
    """Where fetched files are kept."""
    folder = cache / "site-runtime"
    if not is_folder(folder):
        folder.mkdir(parents=True)
    return folder
