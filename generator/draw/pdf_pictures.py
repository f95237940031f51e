"""Bitmaps as PDF images: a JPEG goes in as it is, anything else that Pillow reads loses nothing but spare depth."""

import io
import struct
from pathlib import Path
from typing import Any

from PIL import Image

from generator.draw.pdf_objects import add, stream

_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
_GREY = ("1", "L", "LA")
_SIGNATURE = 8  # bytes before a PNG's first chunk


def image(document: Any, path: Path) -> int:
    """Write the picture; its object number. OSError when it can't be read as a picture."""
    data = path.read_bytes()
    with Image.open(io.BytesIO(data)) as picture:
        if picture.format == "JPEG" and picture.mode in _SPACES:
            return add(document, _jpeg(picture, data))
        if not picture.has_transparency_data:
            return add(document, _flat(_opaque(picture)))
        layered = picture.convert("LA" if picture.mode in _GREY else "RGBA")
        alpha = layered.getchannel("A")
        if alpha.getextrema() == (255, 255):
            return add(document, _flat(_opaque(layered)))
        mask = add(document, _flat(alpha))
        return add(document, _flat(_opaque(layered), f"/SMask {mask} 0 R"))


def _jpeg(picture: Image.Image, data: bytes) -> bytes:
    entries = _entries(picture) + "/Filter/DCTDecode"
    if picture.mode == "CMYK" and "adobe" in picture.info:
        entries += "/Decode[1 0 1 0 1 0 1 0]"  # Adobe's programs write CMYK inverted
    return stream(entries, data, packed=True)


def _flat(picture: Image.Image, entries: str = "") -> bytes:
    """Lossless: a PNG's own compressed rows, for PDF reads the same filters of rows that PNG has."""
    out = io.BytesIO()
    picture.save(out, format="PNG", compress_level=6)
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
    """Grey or RGB with 8 bits a channel; what is grey stays grey for the sake of black ink."""
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
