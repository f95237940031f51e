"""Small pictures of faces as PNG: what a record keeps, and what stands in a list beside the new face."""

import hashlib
import io
import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from generator.draw.png import render_page
from generator.draw.workshop import Workshop
from generator.model.drawing import Drawing, Picture
from generator.model.sheet import Document, Page, Placement
from generator.units import MM_PER_INCH, Rect, Size

RECORDED = 120
"""Pixels across a picture of a record: a face can be told, and all of a large game weigh a few megabytes."""

SHOWN = 360
"""Pixels across a picture that lives no longer than the list it is made for."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS = 128
"""Of a small picture: a third of the bytes, and nobody sees it."""

_TOGETHER = 64
"""Faces that are written into one document at a time: each document brings its fonts."""


def small_pictures(workshop: Workshop, drawings: Iterable[Drawing], across: int) -> Iterator[bytes]:
    """Each face as it looks when cut, a PNG `across` pixels wide; the same face gives the same bytes."""
    waiting = iter(drawings)
    while batch := list(islice(waiting, _TOGETHER)):
        out = io.BytesIO()
        workshop.write(Document("", "", tuple(map(_page, batch))), out)
        pdf = out.getvalue()
        for number, drawing in enumerate(batch):
            image = render_page(pdf, number, across / drawing.width * MM_PER_INCH)
            packed = io.BytesIO()
            image.quantize(_COLOURS).save(packed, format="PNG", compress_level=9)
            yield packed.getvalue()


def pictured(path: Path, size: Size, lang: str, title: str) -> Drawing | None:
    """A face that shows a PNG file over all of its size (mm); None where the file is missing or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if not _is_whole(data):
        return None
    shown = Picture(hashlib.sha256(data).hexdigest(), str(path), 0.0, 0.0, size.width, size.height)
    return Drawing(size.width, size.height, 0.0, (shown,), lang, title)


def _page(drawing: Drawing) -> Page:
    trim = Rect(0, 0, drawing.width, drawing.height)
    return Page(Size(drawing.width, drawing.height), "front", 1, (Placement("", drawing, trim, trim),))


def _is_whole(data: bytes) -> bool:
    """Whether the bytes are a PNG with all its parts, each as its checksum says."""
    if not data.startswith(_SIGNATURE):
        return False
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 4 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if len(check) < 4 or zlib.crc32(body) != int.from_bytes(check, "big"):
            return False
        at += 12 + length
        if kind == b"IEND":
            return True
    return False
