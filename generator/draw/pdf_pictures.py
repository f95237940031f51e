"""Bitmaps as PDF images: a JPEG goes in as it is, anything else that Pillow reads loses nothing but spare depth."""

import io
import struct
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from generator.draw.pdf_objects import add, stream
from generator.model.ink import Bitmap, Inks

_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
_MODES = {"gray": "L", "rgb": "RGB", "cmyk": "CMYK"}
_NAMES: dict[str, Literal["gray", "rgb", "cmyk"]] = {"L": "gray", "RGB": "rgb", "CMYK": "cmyk"}
_QUALITY = 95  # of a converted JPEG: what is lost a second time must not show
_GREY = ("1", "L", "LA")
_SIGNATURE = 8  # bytes before a PNG's first chunk


def image(document: Any, path: Path, inks: Inks) -> int:
    """Write the picture; its object number. OSError when it can't be read as a picture."""
    data = path.read_bytes()
    with Image.open(io.BytesIO(data)) as picture:
        if not inks.keeps_pictures:
            return _converted(document, picture, data, inks, path.name)
        if picture.format == "JPEG" and picture.mode in _SPACES:
            return add(document, _jpeg(picture, data))
        opaque, alpha = _layers(picture)
        return add(document, _flat(opaque, _mask(document, alpha)))


def _converted(document: Any, picture: Image.Image, data: bytes, inks: Inks, name: str) -> int:
    """Write the picture as the inks will have it; a JPEG stays one, and stays as it is where nothing changes."""
    opaque, alpha = _layers(picture)
    space, transparency = _NAMES[opaque.mode], alpha.tobytes() if alpha else b""
    given = Bitmap(space, opaque.width, opaque.height, opaque.tobytes(), transparency, name, picture.format == "JPEG")
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


def _layers(picture: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """The picture without its transparency, and that apart where it hides anything."""
    if not picture.has_transparency_data:
        return _opaque(picture), None
    layered = picture.convert("LA" if picture.mode in _GREY else "RGBA")
    alpha = layered.getchannel("A")
    return _opaque(layered), None if alpha.getextrema() == (255, 255) else alpha


def _jpeg(picture: Image.Image, data: bytes) -> bytes:
    entries = _entries(picture) + "/Filter/DCTDecode"
    if picture.mode == "CMYK" and "adobe" in picture.info:
        entries += "/Decode[1 0 1 0 1 0 1 0]"  # Adobe's programs write CMYK inverted
    return stream(entries, data, packed=True)


def _flat(picture: Image.Image, entries: str = "") -> bytes:
    """Lossless: a PNG's own compressed rows, for PDF reads the same filters of rows that PNG has."""
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
    parameters = f"/Predictor 15/Colors {len(picture.getbands())}/BitsPerComponent 8/Columns {picture.width}"
    entries = f"{_entries(picture)}{entries}/Filter/FlateDecode/DecodeParms<<{parameters}>>"
    return stream(entries, b"".join(rows), packed=True)


def _opaque(picture: Image.Image) -> Image.Image:
    """Grey, RGB or CMYK with 8 bits a channel; what is grey stays grey for the sake of black ink."""
    if picture.mode == "CMYK":
        return picture
    if picture.mode in _GREY:
        return picture.convert("L")
    if picture.mode.startswith("I"):  # 16 bits of grey, which Pillow's own conversion would cut off at 255
        return picture.convert("I").point(lambda value: value / 257).convert("L")
    return picture.convert("RGB")


def _entries(picture: Image.Image) -> str:
    return (
        f"/Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}"
        f"/ColorSpace{_SPACES[picture.mode]}/BitsPerComponent 8"
    )
