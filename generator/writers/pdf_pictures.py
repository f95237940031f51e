"""Bitmaps as PDF images: a JPEG goes in as it is, anything else that Pillow reads loses nothing but spare depth."""

import io
import struct
from pathlib import Path
from typing import Any, Literal, NamedTuple

from PIL import Image

from generator.model.ink import Bitmap, Inks
from generator.svg.bitmaps import layers, name_of, picture_file
from generator.writers.pdf_objects import add, stream

_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
_MODES = {"gray": "L", "rgb": "RGB", "cmyk": "CMYK"}
_NAMES: dict[str, Literal["gray", "rgb", "cmyk"]] = {"L": "gray", "RGB": "rgb", "CMYK": "cmyk"}
_QUALITY = 95  # of a converted JPEG: what is lost a second time must not show
_OPAQUE = 255
_SIGNATURE = 8  # bytes before a PNG's first chunk


def image(document: Any, path: Path, inks: Inks) -> int:
    """Write the picture; its object number. ProblemsFound when it can't be read as a picture."""
    picture, data = picture_file(path)
    if not inks.keeps_pictures:
        return _converted(document, picture, data, inks, name_of(path))
    if picture.format == "JPEG" and picture.mode in _SPACES:
        return add(document, _jpeg(picture, data))
    opaque, alpha = layers(picture)
    return add(document, _flat(opaque, _mask(document, alpha)))


class Stencilled(NamedTuple):
    """A picture in four inks without soft edges, packed: its pixels show as they are or, by its stencil, not at all."""

    entries: str
    rows: bytes
    stencil: bytes


def stencilled(picture: Image.Image, alpha: Image.Image) -> Stencilled:
    """The picture (CMYK) where `alpha` is more than nothing, and nothing elsewhere."""
    stencil, hidden = b"", alpha.point(lambda value: 0 if value else _OPAQUE, "1")
    if hidden.getbbox():
        size = f"/Type/XObject/Subtype/Image/Width {hidden.width}/Height {hidden.height}"
        stencil = stream(f"{size}/ImageMask true/BitsPerComponent 1", hidden.tobytes())
    return Stencilled(_entries(picture) + _packing(picture), _rows(picture), stencil)


def stencilled_image(document: Any, made: Stencilled) -> int:
    """Write such a picture; its object number."""
    mask = f"/Mask {add(document, made.stencil)} 0 R" if made.stencil else ""
    return add(document, stream(made.entries + mask, made.rows, packed=True))


def pixels_of(picture: Image.Image, name: str) -> Bitmap:
    """What an opened picture shows, 8 bits a channel, its transparency apart where it hides anything."""
    opaque, alpha = layers(picture)
    space, transparency = _NAMES[opaque.mode], alpha.tobytes() if alpha else b""
    return Bitmap(space, opaque.width, opaque.height, opaque.tobytes(), transparency, name, picture.format == "JPEG")


def _converted(document: Any, picture: Image.Image, data: bytes, inks: Inks, name: str) -> int:
    """Write the picture as the inks will have it; a JPEG stays one, and stays as it is where nothing changes."""
    given = pixels_of(picture, name)
    made = inks.bitmap(given)
    size = (made.width, made.height)
    mask = _mask(document, Image.frombytes("L", size, made.alpha)) if made.alpha else ""
    result = Image.frombytes(_MODES[made.space], size, made.pixels)
    if picture.format != "JPEG":
        return add(document, _flat(result, mask))
    if made == given:
        return add(document, _jpeg(picture, data))
    out = io.BytesIO()
    result.save(out, format="JPEG", quality=_QUALITY, subsampling=0)
    with Image.open(out) as packed:
        return add(document, _jpeg(packed, out.getvalue()))


def _mask(document: Any, alpha: Image.Image | None) -> str:
    return f"/SMask {add(document, _flat(alpha))} 0 R" if alpha else ""


def _jpeg(picture: Image.Image, data: bytes) -> bytes:
    entries = _entries(picture) + "/Filter/DCTDecode"
    if picture.mode == "CMYK" and "adobe" in picture.info:
        entries += "/Decode[1 0 1 0 1 0 1 0]"  # Adobe's programs write CMYK inverted
    return stream(entries, data, packed=True)


def _flat(picture: Image.Image, entries: str = "") -> bytes:
    """Lossless, each pixel with all its levels."""
    return stream(f"{_entries(picture)}{entries}{_packing(picture)}", _rows(picture), packed=True)


def _rows(picture: Image.Image) -> bytes:
    """A PNG's own compressed rows, for PDF reads the same filters of rows that PNG has."""
    out = io.BytesIO()
    four = picture.mode == "CMYK"  # PNG has no such pixels, but others of four bytes
    rows_of = Image.frombytes("RGBA", picture.size, picture.tobytes()) if four else picture
    rows_of.save(out, format="PNG", compress_level=6)
    rows, at, png = [], _SIGNATURE, out.getvalue()
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IDAT":
            rows.append(png[at + 8 : at + 8 + size])
        at += 12 + size  # length, kind, data, checksum
    return b"".join(rows)


def _packing(picture: Image.Image) -> str:
    """How `_rows` are to be read."""
    parameters = f"/Predictor 15/Colors {len(picture.getbands())}/BitsPerComponent 8/Columns {picture.width}"
    return f"/Filter/FlateDecode/DecodeParms<<{parameters}>>"


def _entries(picture: Image.Image) -> str:
    return (
        f"/Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}"
        f"/ColorSpace{_SPACES[picture.mode]}/BitsPerComponent 8"
    )
