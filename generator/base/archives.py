"""Zip archives: read those of others within bounds, write those that are equal for equal contents."""

import io
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module

from generator.base.errors import Unfit

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


EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the same game gives the same bytes."""


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """An archive of files in their order; pictures, which are packed already, are stored as they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # as on every system
            archive.writestr(entry, data)
    return out.getvalue()


def plain_key(name: str) -> str:
    """A name of letters, digits and hyphens alone: what else a table's program takes is not said."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "piece"
