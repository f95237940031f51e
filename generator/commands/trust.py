"""Trust: projects whose rules the user allows to run, identified by their code."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import read_file
from generator.base.output_files import open_delivery
from generator.game.project import Project

_CODE = (".py", ".pyc", ".pyd", ".so")
"""Suffixes of files that Python can run or import."""


def is_trusted(file: Path, root: Path, code: Path | None = None) -> bool:
    """Return True if the user trusts the project and its code has not changed since.

    `code` is another copy of the project to check. A settings folder inside the project, or a file that others may
    write to, makes nothing trusted.
    """
    key = _project_key(root)
    known = read_trusted(file).get(key)
    if known is None or Path(_project_key(file)).is_relative_to(key):
        return False
    if os.name == "posix" and ((state := file.stat()).st_uid != os.getuid() or state.st_mode & 0o002):
        return False
    try:
        return known == code_digest(code or root)
    except InvalidInput:
        return False


def read_trusted(file: Path) -> dict[str, str]:
    """Return the trusted projects with the digest of their code, or an empty dict for a missing or damaged file."""
    try:
        found = json.loads(read_file(file, "kept"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def trust_file_content(file: Path, root: Path, *, trusted: bool) -> bytes:
    """Return the file's new content: with the project's present state, or without the project."""
    known = {key: digest for key, digest in read_trusted(file).items() if key != _project_key(root)}
    if trusted:
        known[_project_key(root)] = code_digest(root)
    return (json.dumps(known, indent=2, sort_keys=True) + "\n").encode("utf-8")


def code_files(root: Path) -> tuple[Path, ...]:
    """Return the project's code files in order. Folders reached through links are searched once."""
    return tuple(sorted(_iter_code_files(root)))


def code_digest(root: Path) -> str:
    """Return the SHA-256 of a project's code, names and bytes. Raise Unfit for a file that can't be read."""
    whole = sha256()
    for path in code_files(root):
        whole.update(os.fsencode(path.relative_to(root).as_posix()) + b"\0" + sha256(read_file(path, "kept")).digest())
    return whole.hexdigest()


def _iter_code_files(root: Path) -> Iterator[Path]:
    seen: set[str] = set()
    for folder, below, names in os.walk(root / "data", followlinks=True):
        if (real := os.path.realpath(folder)) in seen:
            below.clear()
            continue
        seen.add(real)
        yield from (path for name in names if (path := Path(folder, name)).suffix in _CODE and path.is_file())


def _project_key(folder: Path) -> str:
    return os.path.realpath(folder)


def store_trust(file: Path, project: Project, *, trusted: bool) -> tuple[Path, ...]:
    """Store whether a project is trusted; return its code files. Raise ProblemsFound if it has none to trust."""
    code = code_files(project.root)
    if trusted and not code:
        place = Place(project.resources.display_path(project.root / "data"))
        what = "no game in this project has its own Python rules"
        raise ProblemsFound([Problem(place, what, "see docs/rules.md for how to add rules")])
    try:
        content = trust_file_content(file, project.root, trusted=trusted)
        with open_delivery() as files:
            files.put(file, content)
            files.hand_over()
    except InvalidInput as error:
        raise ProblemsFound([Problem(None, str(error), error.hint)]) from error
    except ProblemsFound as found:
        hint = "make its folder writable, or name another settings folder in PNP_HOME"
        raise ProblemsFound([replace(problem, hint=hint) for problem in found.problems]) from found
    return code
