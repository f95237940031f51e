"""Links that lead out of a project: a stranger's project may bring them, to read and write what is the user's."""

import os
from collections.abc import Iterator
from pathlib import Path

from generator.errors import Place, Problem
from generator.files import is_folder
from generator.model.resources import Resources

_READ = ("data", "templates", "fonts", "presets", "profiles")
_WRITTEN = ("output", "records")

_DEPTH = 3
"""Below these folders: `output/<game>/tts/...`. What single files lead to is asked where they are read."""


def links_out(root: Path, resources: Resources) -> Iterator[Problem]:
    """A problem for each folder of a project that is elsewhere; one that lies in the project may have two names."""
    home = os.path.realpath(root)
    for name in (*_READ, *_WRITTEN):
        hint = (
            "put the files themselves there" if name in _READ else "take the link away, and name the folder with --out"
        )
        for folder in _folders(root / name, _DEPTH, files=name == "records"):
            there = os.path.realpath(folder)
            if not Path(there).is_relative_to(home):
                what = f"this link leads out of the project, to {Path(there).as_posix()}"
                yield Problem(
                    Place(resources.shown(folder)), what, f"{hint}; if it is your own: `pnp --allow-links ...`"
                )


def _folders(folder: Path, depth: int, *, files: bool) -> Iterator[Path]:
    """A folder and those below it, not beyond links; on request files that are links, too."""
    yield folder
    if os.path.realpath(folder) != str(Path(os.path.realpath(folder.parent), folder.name)):
        return
    try:
        below = sorted(os.scandir(folder), key=lambda entry: entry.name) if depth and is_folder(folder) else []
    except OSError:
        return  # whoever reads or writes there says it
    for entry in below:
        if is_folder(Path(entry.path)) or (files and entry.is_symlink()):
            yield from _folders(Path(entry.path), depth - 1, files=files)
