"""Files: reads them within size limits, finds them in a project or in the program, and makes safe names."""

import contextlib
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, Literal, TypeAlias
from xml.parsers import expat

from generator.base.errors import UNPRINTABLE, InvalidInput, Place, Problem, ProblemsFound, locate_fault

# All other modules list folders and write below them through this one, which refuses foreign names and links that
# lead out.

_MIB = 1024 * 1024

Contents: TypeAlias = Literal[
    "data", "table", "markup", "picture", "font", "profile", "record", "saved game", "list", "module", "kept",
    "result", "own", "note", "runtime", "saved pack",
]  # fmt: skip
"""Kinds of files, which have different size limits."""

BOUNDS: dict[Contents, tuple[int, str]] = {
    "data": (16 * _MIB, "split it into several files"),
    "table": (64 * _MIB, "split it into several kinds"),
    "markup": (16 * _MIB, "make it simpler, or split it"),
    "picture": (128 * _MIB, "600 dpi at its printed size is enough"),
    "font": (64 * _MIB, "use a font with fewer glyphs"),
    "profile": (16 * _MIB, "name the .icc file that the print shop gives for its press"),
    "record": (64 * _MIB, "restore the original file"),
    "saved game": (16 * _MIB, "name a file that --save wrote"),
    "list": (64 * _MIB, "remove it"),
    "module": (4 * _MIB, "split it"),
    "kept": (512 * _MIB, "remove it"),
    "result": (512 * _MIB, "play fewer arms in one experiment"),
    "note": (16 * _MIB, "remove it"),
    "own": (64 * _MIB, "reinstall the program"),
    "runtime": (64 * _MIB, "delete it and run the command again"),
    "saved pack": (64 * _MIB, "split it into several packs"),
}
"""Maximum size in bytes of each kind of file, and the remedy for a larger file."""

_WITHOUT_WAITING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)

_unsaved: dict[str, bytes] = {}
"""The unsaved contents that an editor holds, by real path."""


def hold_unsaved(path: Path, data: bytes | None) -> None:
    """Use these bytes instead of the file on disk from now on, for an editor. With None, use the file again."""
    if data is None:
        _unsaved.pop(os.path.realpath(path), None)
    else:
        _unsaved[os.path.realpath(path)] = data


def get_unsaved(path: Path) -> bytes | None:
    """Return the unsaved contents of a file, or None if it is read from disk."""
    return _unsaved.get(os.path.realpath(path)) if _unsaved else None


def read_file(path: Path, contents: Contents) -> bytes:
    """Return a file's bytes. Raise InvalidInput if it can't be read, is no file or is too large for its `contents`."""
    most, hint = BOUNDS[contents]
    held = get_unsaved(path)
    if held is not None:
        if len(held) > most:
            raise InvalidInput(f"the file has {len(held):,} bytes; the limit is {most:,}", hint)
        return held
    try:
        _check_plain_file(path.stat())
        # Between the two checks it may become a pipe, which would block.
        with os.fdopen(os.open(path, _WITHOUT_WAITING), "rb") as stream:
            state = os.fstat(stream.fileno())
            _check_plain_file(state)
            data = b"" if state.st_size > most else stream.read(state.st_size + 1)  # room for `most` bytes takes time
            data += stream.read(most) if len(data) > state.st_size else b""  # it grows, or states no size
    except OSError as error:
        what = f"the file can't be read: {error.strerror}"
        raise InvalidInput(what, "check that it exists and that you may read it") from error
    except ValueError as error:  # a null character, half a character
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput("the file can't be read: the name is not a valid file name", "rename it") from error
    if state.st_size > most or len(data) > most:
        raise InvalidInput(f"the file has {max(state.st_size, len(data)):,} bytes, more than {most:,}", hint)
    return data


def map_file(path: Path) -> mmap | None:
    """Return a file of the program as a memory map, of which only used parts are read; None if it can't be mapped."""
    if sys.platform == "emscripten":
        return None
    with contextlib.suppress(OSError, ValueError), path.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)
    return None


def _check_plain_file(state: os.stat_result) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise InvalidInput("the file can't be read: it is a folder", "name a file")
    if not stat.S_ISREG(state.st_mode):
        raise InvalidInput("the file can't be read: it is a device, pipe or socket", "use a plain file instead")


class MalformedXml(InvalidInput):
    """XML that expat cannot read: the reason in its words, and the line and column, counted from 1."""

    def __init__(self, reason: str, line: int = 1, column: int = 1, hint: str = ""):
        super().__init__(reason, hint)
        self.line, self.column = line, column


def parse_xml(parser: expat.XMLParserType, data: bytes) -> None:
    """Parse a whole XML document. Raise MalformedXml if expat can't read it.

    Exceptions of the parser's handlers pass unchanged.
    """
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise MalformedXml(expat.ErrorString(error.code), error.lineno, error.offset + 1) from error
    except (LookupError, ValueError) as error:
        name = read_declared_encoding(data)
        if not name or parser.CurrentByteIndex > data.find(b">"):  # raised by a handler
            raise
        hint = "save the file as UTF-8 and leave out 'encoding'"
        raise MalformedXml(f"its encoding '{name}' is not supported", hint=hint) from error


_DECLARED = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]{1,40})")


def read_declared_encoding(data: bytes) -> str:
    """Return the encoding that an XML declaration names, or an empty string."""
    found = _DECLARED.match(data[:400].replace(b"\0", b""))
    return found[1].decode("ascii", "replace") if found else ""


def is_file(path: Path) -> bool:
    """Return True if the file exists. Return False for names that no file system accepts."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_non_folder(path: Path) -> bool:
    """Return True if the path exists and is no folder: a file, a pipe or a device."""
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Return True if the folder exists. Return False for names that no file system accepts."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_inside(path: Path, folder: Path) -> bool:
    """Return True if a file is inside a folder after following links; links in a circle raise no error."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def list_files(folder: Path, *, links: bool = False) -> list[Path]:
    """Return all files below a folder, sorted. Links to folders are not followed.

    Links that lead out of the folder are skipped. With `links` they are included, and the caller checks their targets.
    """

    def is_own(path: Path) -> bool:
        return is_file(path) and (not path.is_symlink() or is_inside(path, folder))

    found = (Path(here, name) for here, _, names in os.walk(folder) for name in names)
    return sorted(path for path in found if links or is_own(path))


def list_folder(folder: Path) -> list[Path]:
    """Return everything in a folder, sorted; an empty list if it can't be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def write_in_folder(folder: Path, name: str | PurePath, data: bytes) -> Path:
    """Write a file below a folder, and create the folders it needs. Raise ProblemsFound if a name or link leads out."""
    with locate_fault(Place(str(name))):
        path = folder / to_relative_path(name if isinstance(name, str) else name.as_posix())
    if not is_inside(path, folder) or is_special(path):
        what = f"the file can't be written: its path leads out of {folder.as_posix()}, or it is not a plain file"
        raise ProblemsFound([Problem(Place(path.as_posix()), what, "move it away")])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def is_special(path: Path) -> bool:
    """Return True for pipes, sockets and devices: no file may replace them."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


DEVICES = ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
"""Names that Windows reserves for devices, with any extension."""

_LONGEST_PART = 255
"""Maximum number of bytes in one part of a path on common file systems."""


def to_relative_path(name: str) -> PurePosixPath:
    """Return a path from outside as a relative path. Raise InvalidInput if it could lead out of a folder."""
    parts = name.split("/")
    if "\\" in name or ":" in name:
        wrong = "it has a backslash or a colon"
    elif re.search(UNPRINTABLE, name):
        wrong = "it has a control character"
    else:
        wrong = next(filter(None, map(_explain_part, parts)), "")
    if wrong:
        raise InvalidInput(f"the name can't be used: {wrong}", "rename the file")
    return PurePosixPath(*parts)


def _explain_part(part: str) -> str:
    if part in ("", ".", ".."):
        return "it is absolute, or has an empty part, '.' or '..'"
    if part[-1] in ". ":
        return "a part of it ends in a full stop or a space"
    if part.partition(".")[0].rstrip().lower() in DEVICES:
        return "it is the name of a device on Windows"
    return "a part of it is too long" if len(part.encode()) > _LONGEST_PART else ""


PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif")
"""The extensions of picture files."""


def normalize_file_name(name: str) -> str:
    """Return a picture file's name without ending, case, spaces, - and _, to compare different spellings."""
    stem = next((name[: -len(end)] for end in PICTURES if name.lower().endswith(end)), name)
    return stem.casefold().translate(_LOOSE)


_LOOSE = str.maketrans("", "", " -_\u3000")

ProgressListener = Callable[[str], None]
"""A function that receives progress messages; an empty text ends a long step."""


def no_progress(_doing: str) -> None:
    """Ignore the progress message."""


class Resources:
    """Finds files below several root folders, the user's own first; each has data/, templates/, fonts/.

    `told` receives messages about large files while they are read. It is not copied to other processes, whose lines
    would mix. `also` are languages to translate into, beside those that a game names.
    """

    def __init__(
        self,
        roots: tuple[Path, ...],
        shown_from: Path | None = None,
        progress: ProgressListener = no_progress,
        extra_languages: tuple[str, ...] = (),
    ):
        self.told, self.also = progress, extra_languages
        self.roots = tuple(root.resolve() for root in roots)
        self._shown_from = (shown_from or Path.cwd()).resolve()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "told": no_progress}

    def show_from(self, folder: Path) -> "Resources":
        """Return the same with paths that are shown relative to another folder than the current one."""
        return Resources(self.roots, folder, self.told, self.also)

    def add_roots(self, roots: Iterable[Path]) -> "Resources":
        """Return the same with further root folders, which come last."""
        return Resources((*self.roots, *roots), self._shown_from, self.told, self.also)

    def find(self, folder: str, name: str) -> Path | None:
        """Return the first `root/folder/name` that is inside its root's folder, links followed, or None.

        It may be a pipe or device: reading it then fails with a message.
        """
        for root in self.roots:
            path = root / folder / name
            if is_non_folder(path) and is_inside(path, root / folder):
                return path
        return None

    def leaves_root(self, folder: str, name: str) -> bool:
        """Return True if the file exists but is outside (`..`, an absolute path or a link).

        Callers must report this.
        """
        homes = [root / folder for root in self.roots]
        return any(is_non_folder(home / name) and not is_inside(home / name, home) for home in homes)

    def list_names(self, folder: str, suffix: str) -> list[str]:
        """Return all file names with that suffix below a folder of any root, for "did you mean"."""
        homes = [root / folder for root in self.roots]
        found = {
            path.relative_to(home).as_posix()
            for home in homes
            for path in list_files(home)
            if path.name.endswith(suffix)
        }
        return sorted(found)

    def find_pictures(self, game: str, folder: str) -> dict[str, list[str]]:
        """Return pictures' names by `normalize_file_name`, from `folder` of the game's, else of common templates."""
        found: dict[str, list[str]] = {}
        for home in (f"templates/{game}", "templates/common"):
            for root in self.roots:
                there = root / home / folder
                names = (
                    [path.name for path in list_folder(there)]
                    if is_inside(there, root / home) and is_folder(there)
                    else []
                )
                for name in names:
                    if name.lower().endswith(PICTURES) and normalize_file_name(name) not in found:
                        found[normalize_file_name(name)] = [
                            one for one in names if normalize_file_name(one) == normalize_file_name(name)
                        ]
        return found

    def display_path(self, path: Path) -> str:
        """Return the path as the user would type it: relative to the current folder if it is inside."""
        full = path.absolute()
        if full.is_relative_to(self._shown_from):
            return full.relative_to(self._shown_from).as_posix()
        return full.as_posix()


_UNSAFE = r"[^A-Za-z0-9._+]+"
_RESERVED = r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)"


def to_safe_name(text: str) -> str:
    """Return an id in a form that is safe in file names: `reel/6-wheat` becomes `reel-6-wheat`."""
    name = re.sub(_UNSAFE, "-", text).strip("-. ") or "-"
    return f"_{name}" if re.match(_RESERVED, name) else name


def fill_name_pattern(pattern: str, fields: Mapping[str, str]) -> str:
    """Return a pattern with its {fields} filled in. Their values are made safe for file names."""
    return to_safe_name(pattern.format_map({name: to_safe_name(value).strip("-") for name, value in fields.items()}))


def number_duplicates(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, numbered `-2`, `-3` if two would be the same file on a system that ignores case."""
    taken: set[str] = set()
    given = []
    for name in names:
        tried, number = name, 1
        while tried.lower() in taken:
            number += 1
            tried = f"{name}-{number}"
        taken.add(tried.lower())
        given.append(tried)
    return tuple(given)
