"""Archives that are the same whenever and wherever they are made, and the names of what is in them."""

import io
import re
import zipfile
from collections.abc import Iterable

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
