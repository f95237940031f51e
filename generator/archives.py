"""Zip archives that others made: opened within bounds, with one answer to everything that may be wrong with them."""

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from generator.errors import Unfit

MOST_ENTRIES = 100_000
"""Entries that an archive may list: reading the list of more takes seconds and gigabytes."""

_PIECE = 1 << 20
_ENTRY = b"PK\x01\x02"
"""How each entry begins in the list of an archive."""


def _codec_errors() -> Iterator[type[Exception]]:
    """Yield the errors of those compression modules that this Python has."""
    for module, name in (("lzma", "LZMAError"), ("compression.zstd", "ZstdError")):
        try:
            yield getattr(import_module(module), name)
        except ImportError:
            continue


ARCHIVE_ERRORS: tuple[type[Exception], ...] = (
    ArithmeticError, EOFError, LookupError, MemoryError, OSError, RuntimeError, ValueError,
    struct.error, tarfile.TarError, zipfile.BadZipFile, zlib.error, *_codec_errors(),
)  # fmt: skip
"""Everything that opening an archive and reading its members can raise: damaged, encrypted or too new."""


class DamagedArchive(Unfit):
    """An archive that can't be read, or a part of it."""


def open_archive(data: bytes) -> zipfile.ZipFile:
    """Open a zip archive for reading; raise Unfit if it can't be opened or lists far too many files."""
    if data.count(_ENTRY) > MOST_ENTRIES:
        raise Unfit(f"the archive lists more than {MOST_ENTRIES:,} files", "leave out what the project does not need")
    with archive_faults():
        return zipfile.ZipFile(io.BytesIO(data))


def xml_pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield an XML member in pieces; raise Unfit for a text of more than a MiB, which no table has, before it is whole.

    Such a text has a piece without any tag.
    """
    with archive.open(name) as stream:
        while piece := stream.read(_PIECE):
            if b"<" not in piece and len(piece) == _PIECE:
                raise Unfit(f"a text in it has more than {_PIECE:,} bytes", "shorten the text")
            yield piece


@contextmanager
def archive_faults() -> Iterator[None]:
    """Raise Unfit for everything that reading a damaged archive, or what is packed in it, can raise."""
    try:
        yield
    except Unfit:
        raise
    except ARCHIVE_ERRORS as error:
        what = f"the archive is damaged, encrypted or no zip ({str(error)[:200] or type(error).__name__})"
        raise DamagedArchive(what, "save it again as a plain zip without a password") from error
