"""The libraries and the program itself as they are installed here: what a browser's Python imports."""

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from generator.commands.begin.new import GUIDES
from generator.errors import Problem, ProblemsFound
from generator.files import files_below, read_file
from generator.load.project import PACKAGE, bundled_root

LIBRARIES = (
    "budoux",
    "click",
    "cssselect2",
    "jinja2",
    "markdown-it-py",
    "markupsafe",
    "mdurl",
    "pillow",
    "pyphen",
    "pyyaml",
    "reportlab",
    "tinycss2",
    "webencodings",
)
"""Everything that the program imports but for what is compiled through and through (runtime.py)."""

LEFT_OUT = ("pikepdf", "numba", "numpy", "scipy")
"""Libraries that no registry has for a browser's Python; what needs them is named in docs/browser.md."""

_NOT_NEEDED = re.compile(r"\.\.|.*(__pycache__/|\.libs/|reportlab/fonts/|\.(so|pyd|dll|pyi|c|h|pyx|pyc)$)")
"""What is compiled for this machine, or of use to compilers alone; programs, which lie elsewhere; ReportLab's fonts."""

_BUNDLED = ("presets", "profiles", "templates/common")
"""Folders of the program's own that commands read, beside games and fonts."""

_IMAGING = '''"""Stands for Pillow's compiled part, which is not here: what asks for pixels is told so."""

from generator.errors import Problem, ProblemsFound

PILLOW_VERSION = "{version}"
STANDS_IN = True


def __getattr__(name):
    if name.startswith("_") or name.isupper():
        raise AttributeError(name)

    def missing(*_arguments, **_options):
        what = "this needs pictures made or changed pixel by pixel, which this site can't do"
        raise ProblemsFound([Problem(None, what, "use the installed program")])

    return missing
'''


class Library(NamedTuple):
    """A library: name, version, licence as it says itself, its files by path, its licences by path."""

    name: str
    version: str
    licence: str
    files: Mapping[str, bytes]
    licences: Mapping[str, bytes]


def libraries(compiled: Mapping[str, tuple[str, Mapping[str, bytes]]]) -> Iterator[Library]:
    """Each library that a site needs: its build for browsers where there is one, else what is installed, uncompiled."""
    for name in sorted({*LIBRARIES, *compiled}):
        found = _installed(name)
        version, files = compiled.get(name) or (found.version, dict(_files(found)))
        if name == "pillow" and name not in compiled:
            files = {**files, "PIL/_imaging.py": _IMAGING.format(version=version).encode()}
        inner = {path: data for path, data in files.items() if ".dist-info/" not in path}
        licences = {path.split(".dist-info/", 1)[1]: data for path, data in files.items() if _is_licence(path)}
        said: Any = found.metadata
        licence = said.get("License-Expression") or said.get("License") or ""
        yield Library(said["Name"], version, licence, inner, licences)


def program_files() -> Iterator[tuple[str, bytes]]:
    """The program by path: its modules and what lies beside them, and what it bundles for all games."""
    for path in files_below(PACKAGE):
        inner = path.relative_to(PACKAGE)
        if "__pycache__" not in inner.parts and inner.parts[0] != "bundled":
            yield f"generator/{inner.as_posix()}", read_file(path, "own")
    for folder in _BUNDLED:
        for path in files_below(bundled_root() / folder):
            yield f"generator/bundled/{path.relative_to(bundled_root()).as_posix()}", read_file(path, "own")


def starter_files() -> Iterator[tuple[str, bytes]]:
    """What projects begin from, and the guides that they bring, by path below the program's own files."""
    folders = [path for path in files_below(bundled_root() / "starters") if "__pycache__" not in path.parts]
    guides = [bundled_root() / "docs" / name for name in sorted({name for names in GUIDES.values() for name in names})]
    for path in (*folders, *guides):
        if path.is_file():
            yield path.relative_to(bundled_root()).as_posix(), read_file(path, "own")


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        what = f"the library {name} is not installed as a package, so that it can't be copied"
        raise ProblemsFound([Problem(None, what, "install the program with pip")]) from error


def _files(found: Distribution) -> Iterator[tuple[str, bytes]]:
    for file in found.files or ():
        path = file.as_posix()
        if not _NOT_NEEDED.match(path):
            yield path, read_file(Path(str(found.locate_file(file))), "own")


def _is_licence(path: str) -> bool:
    inner = path.partition(".dist-info/")[2].upper()
    return inner.startswith(("LICEN", "COPYING", "NOTICE", "AUTHORS"))
