"""Bitmaps as data URIs for SVG: what every browser reads goes in as it is, anything else as PNG."""

import base64
import io
from pathlib import Path

from PIL import Image

from generator.svg.bitmaps import opaque, picture_file

_PLAIN = {"JPEG": ("L", "RGB"), "PNG": ("1", "L", "LA", "P", "RGB", "RGBA")}


def data_uri(path: Path) -> str:
    """The picture as a `data:` address; ProblemsFound when it can't be read as a picture."""
    picture, data = picture_file(path)
    kind = picture.format or ""
    if picture.mode not in _PLAIN.get(kind, ()):
        kind, data = "PNG", _png(picture)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(data).decode('ascii')}"


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    depth = "RGBA" if picture.has_transparency_data else "RGB"
    plain = (opaque(picture) if picture.mode.startswith("I") else picture).convert(depth)
    plain.info = {}
    plain.save(out, format="PNG", compress_level=6)
    return out.getvalue()
