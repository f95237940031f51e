"""A project out of a zip that anybody may have made: nothing is taken on trust, neither names nor sizes."""

import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from generator.archives import archive_faults, open_archive
from generator.errors import Problem, ProblemsFound, Unfit
from generator.files import relative_path

MOST_FILES = 5_000
"""In an archive."""

MOST_BYTES = 200 * 1024 * 1024
"""Of all files of an archive together, unpacked."""

FOLDERS = ("data", "templates", "fonts", "presets", "profiles", "records")
"""What a project holds; nothing else of an archive is taken."""

_LESS = "leave out what the project does not need"


def unpack_project(data: bytes, *, part: bool = False) -> Mapping[str, bytes]:
    """The files of a project's archive by their paths below the project; ProblemsFound for what can't be one.

    What the archive says of sizes is not believed: unpacking ends where the bounds are. A `part` need not have data/:
    the other files of its project are there already.
    """
    try:
        with archive_faults(), open_archive(data) as archive:
            return _taken(archive, part)
    except Unfit as unfit:
        raise ProblemsFound([Problem(None, f"the archive was not opened: {unfit}", unfit.hint)]) from unfit


def _taken(archive: zipfile.ZipFile, part: bool) -> dict[str, bytes]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise Unfit(f"it has {len(entries):,} files, more than {MOST_FILES:,}", _LESS)
    home = _home([entry.filename for entry in entries])
    taken: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        try:
            path = relative_path(entry.filename)
        except Unfit:
            continue
        if not path.is_relative_to(home):
            continue
        inner = path.relative_to(home)
        if len(inner.parts) < 2 or inner.parts[0] not in FOLDERS or any(part.startswith(".") for part in inner.parts):
            continue
        with archive.open(entry) as stream:
            taken[inner.as_posix()] = stream.read(left + 1)
        left -= len(taken[inner.as_posix()])
        if left < 0:
            raise Unfit(f"it unpacks to more than {MOST_BYTES // 1024**2} MiB", _LESS)
    if not part and not any(path.startswith("data/") for path in taken):
        raise Unfit("there is no data/ in it", "make a zip of the folder that holds data/<game>/")
    folders = {above.as_posix() for path in taken for above in PurePosixPath(path).parents}
    if both := sorted(folders & taken.keys()):
        raise Unfit(f"{both[0]} is a file in it and a folder as well", "make a zip of the project's folder anew")
    return taken


def _home(names: list[str]) -> PurePosixPath:
    """The folder of the archive that holds data/, the uppermost."""
    found = [
        PurePosixPath(*parts[: parts.index("data")])
        for parts in (PurePosixPath(name).parts for name in names)
        if "data" in parts[:-1]
    ]
    return min(found, key=lambda path: (len(path.parts), path.as_posix()), default=PurePosixPath())
