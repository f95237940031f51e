"""Files that others wrote: read whole within a bound, and only where they are files. Nothing else opens an input."""

import os
import re
import stat
from pathlib import Path
from typing import Literal, TypeAlias
from xml.parsers import expat

from generator.errors import Unfit

_MIB = 1024 * 1024

Contents: TypeAlias = Literal[
    "data",
    "table",
    "markup",
    "picture",
    "font",
    "profile",
    "record",
    "saved game",
    "list",
    "module",
    "kept",
    "result",
    "own",
    "note",
    "runtime",
]
"""What a file is read for."""

BOUNDS: dict[Contents, tuple[int, str]] = {
    "data": (16 * _MIB, "split it into several files"),
    "table": (64 * _MIB, "split it among several kinds"),
    "markup": (16 * _MIB, "make it simpler, or split it"),
    "picture": (128 * _MIB, "600 dpi at its printed size is enough"),
    "font": (64 * _MIB, "use a font with fewer glyphs"),
    "profile": (16 * _MIB, "name the .icc file that the print shop gives for its press"),
    "record": (64 * _MIB, "bring the file back as it was"),
    "saved game": (16 * _MIB, "name a file that --save wrote"),
    "list": (64 * _MIB, "remove it"),
    "module": (4 * _MIB, "split it"),
    "kept": (512 * _MIB, "remove it"),
    "result": (512 * _MIB, "play fewer arms in one experiment"),
    "note": (16 * _MIB, "remove it"),
    "own": (64 * _MIB, "install the program anew"),
    "runtime": (64 * _MIB, "remove it, and have it fetched anew"),
}
"""How many bytes a file may have by what it is read for, and what to do with one that has more."""

_WITHOUT_WAITING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


_unsaved: dict[str, bytes] = {}
"""By real path what an editor holds of files and has not saved."""


def hold_unsaved(path: Path, data: bytes | None) -> None:
    """From now on these bytes are read in place of a file's own, whatever is on the disk; None lets go of them.

    Only a program that an editor talks to does this; to others it makes no difference.
    """
    if data is None:
        _unsaved.pop(os.path.realpath(path), None)
    else:
        _unsaved[os.path.realpath(path)] = data


def unsaved(path: Path) -> bytes | None:
    """What is held in place of a file's own bytes; None where it is read from the disk."""
    return _unsaved.get(os.path.realpath(path)) if _unsaved else None


def read_file(path: Path, contents: Contents) -> bytes:
    """The bytes of a file; Unfit, with what to do, where it can't be read, is none or has too many."""
    most, hint = BOUNDS[contents]
    held = unsaved(path)
    if held is not None:
        if len(held) > most:
            raise Unfit(f"the file has {len(held):,} bytes, more than {most:,}", hint)
        return held
    try:
        _must_be_plain(path.stat())
        # Between the two looks it may become a pipe, for which one would wait.
        with os.fdopen(os.open(path, _WITHOUT_WAITING), "rb") as stream:
            state = os.fstat(stream.fileno())
            _must_be_plain(state)
            data = b"" if state.st_size > most else stream.read(most + 1)
    except OSError as error:
        raise Unfit(f"the file can't be read: {error.strerror}", "check that it exists and may be read") from error
    except ValueError as error:  # a null character, half a character
        if isinstance(error, Unfit):
            raise
        raise Unfit("the file can't be read: no file has such a name", "rename it") from error
    if state.st_size > most or len(data) > most:
        raise Unfit(f"the file has {max(state.st_size, len(data)):,} bytes, more than {most:,}", hint)
    return data


def _must_be_plain(state: os.stat_result) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise Unfit("the file can't be read: it is a folder", "name a file")
    if not stat.S_ISREG(state.st_mode):
        raise Unfit("the file can't be read: it is a device, a pipe or a socket", "put a file in its place")


class MalformedXml(Unfit):
    """XML that expat cannot read: the reason in its words, and the line and column, counted from 1."""

    def __init__(self, reason: str, line: int = 1, column: int = 1, hint: str = ""):
        super().__init__(reason, hint)
        self.line, self.column = line, column


def parse_xml(parser: expat.XMLParserType, data: bytes) -> None:
    """Feed a whole document to a parser. Raise MalformedXml for whatever expat cannot read.

    What the parser's handlers raise passes unchanged.
    """
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise MalformedXml(expat.ErrorString(error.code), error.lineno, error.offset + 1) from error
    except (LookupError, ValueError) as error:
        name = declared_encoding(data)
        if not name or parser.CurrentByteIndex > data.find(b">"):  # raised by a handler
            raise
        hint = "save the file as UTF-8 and leave out 'encoding'"
        raise MalformedXml(f"its encoding '{name}' is not supported", hint=hint) from error


_DECLARED = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]{1,40})")


def declared_encoding(data: bytes) -> str:
    """Return the encoding that an XML declaration names; empty without one."""
    found = _DECLARED.match(data[:400].replace(b"\0", b""))
    return found[1].decode("ascii", "replace") if found else ""


def is_file(path: Path) -> bool:
    """Whether there is a file; there is none of a name that no file can have: too long, with a null character."""
    try:
        return path.is_file()
    except OSError:
        return False


def stands_there(path: Path) -> bool:
    """Whether something other than a folder is there: a file, or what `read_file` says is none (a pipe, a device)."""
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; there is none of a name that no folder can have."""
    try:
        return path.is_dir()
    except OSError:
        return False


def lies_in(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder, wherever links lead; one that leads in a circle lies where it stands."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
