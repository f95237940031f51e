"""Zip archives: reads foreign ones within limits, and writes archives with reproducible bytes."""

import io
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module

from generator.base.errors import InvalidInput

MOST_ENTRIES = 100_000
"""Maximum number of entries in an archive: reading a longer list takes seconds and gigabytes."""

_PIECE = 1 << 20
_ENTRY = b"PK\x01\x02"
"""The signature of each entry in a zip archive's list of files."""


def _iter_codec_errors() -> Iterator[type[Exception]]:
    """Yield the error classes of the compression modules that this Python has."""
    for module, name in (("lzma", "LZMAError"), ("compression.zstd", "ZstdError")):
        try:
            yield getattr(import_module(module), name)
        except ImportError:
            continue


ARCHIVE_ERRORS: tuple[type[Exception], ...] = (
    ArithmeticError, EOFError, LookupError, MemoryError, OSError, RuntimeError, ValueError,
    struct.error, tarfile.TarError, zipfile.BadZipFile, zlib.error, *_iter_codec_errors(),
)  # fmt: skip
"""All exceptions that opening or reading a damaged, encrypted or too new archive can raise."""


class DamagedArchive(InvalidInput):
    """An archive, or a part of it, that can't be read."""


def open_archive(data: bytes) -> zipfile.ZipFile:
    """Open a zip archive for reading. Raise InvalidInput if it can't be opened or lists too many files."""
    if data.count(_ENTRY) > MOST_ENTRIES:
        what = f"the archive lists more than {MOST_ENTRIES:,} files"
        raise InvalidInput(what, "remove files that the project does not need")
    with convert_archive_errors():
        return zipfile.ZipFile(io.BytesIO(data))


def iter_xml_pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield an XML file of an archive in pieces. Raise InvalidInput for more than a MiB without any tag.

    No table contains such a long text, so it is rejected before all of it is in memory.
    """
    with archive.open(name) as stream:
        while piece := stream.read(_PIECE):
            if b"<" not in piece and len(piece) == _PIECE:
                raise InvalidInput(f"a text in it has more than {_PIECE:,} bytes", "shorten the text")
            yield piece


@contextmanager
def convert_archive_errors() -> Iterator[None]:
    """Convert every exception that reading a damaged archive or its contents can raise into InvalidInput."""
    try:
        yield
    except InvalidInput:
        raise
    except ARCHIVE_ERRORS as error:
        what = f"the file is not a readable zip archive ({str(error)[:200] or type(error).__name__})"
        raise DamagedArchive(what, "save it again as a plain zip without a password") from error


EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same game produces the same bytes."""


def zip_files(files: Iterable[tuple[str, bytes]], stored: str = ".png") -> bytes:
    """Return a zip archive of the files in their order. Those whose names end with `stored` are not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(stored) else zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # as on every system
            archive.writestr(entry, data)
    return out.getvalue()


def to_plain_key(name: str) -> str:
    """Return a name for other programs: - replaces runs of all but A-Z, a-z, 0-9 and _; `piece` if nothing is left."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "piece"
