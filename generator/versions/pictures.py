"""Small pictures of faces as PNG: what a record keeps, and what stands in a list beside the new face."""

import hashlib
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from generator.errors import Unfit
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Picture
from generator.model.sheet import Document, Page, Placement
from generator.svg.bitmaps import checked_picture
from generator.units import MM_PER_INCH, Rect, Size
from generator.writers.png import render_page

RECORDED = 120
"""Pixels across a picture of a record: a face can be told, and all of a large game weigh a few megabytes."""

SHOWN = 360
"""Pixels across a picture that lives no longer than the list it is made for."""

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


def picture_as_face(path: Path, size: Size, lang: str, title: str) -> Drawing | None:
    """A face that shows a PNG file over all of its size (mm); None where the file is missing or damaged."""
    try:
        data, _ = checked_picture(path, path.name)
    except Unfit:
        return None
    shown = Picture(hashlib.sha256(data).hexdigest(), str(path), 0.0, 0.0, size.width, size.height)
    return Drawing(size.width, size.height, 0.0, (shown,), lang, title)


def _page(drawing: Drawing) -> Page:
    trim = Rect(0, 0, drawing.width, drawing.height)
    return Page(Size(drawing.width, drawing.height), "front", 1, (Placement("", drawing, trim, trim),))
