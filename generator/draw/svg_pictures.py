"""Bitmaps as data URIs for SVG: what every browser reads goes in as it is, anything else as PNG."""

import base64
import io
from pathlib import Path

from PIL import Image

_PLAIN = {"JPEG": ("L", "RGB"), "PNG": ("1", "L", "LA", "P", "RGB", "RGBA")}


def data_uri(path: Path) -> str:
    """The picture as a `data:` address; OSError when it can't be read as a picture."""
    data = path.read_bytes()
    with Image.open(io.BytesIO(data)) as picture:
        kind = picture.format or ""
        if picture.mode not in _PLAIN.get(kind, ()):
            kind, data = "PNG", _png(picture)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(data).decode('ascii')}"


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    depth = "RGBA" if picture.has_transparency_data else "RGB"
    if picture.mode.startswith("I"):  # 16 bits of grey, which Pillow's own conversion would cut off at 255
        picture = picture.convert("I").point(lambda value: value / 257).convert("L")
    plain = picture.convert(depth)
    plain.info = {}
    plain.save(out, format="PNG", compress_level=6)
    return out.getvalue()
