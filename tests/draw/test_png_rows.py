"""PNG in plain Python: the pixels and rows that Pillow has, for a Python without its compiled part."""

import io
import random
import struct
import zlib
from typing import Any

import pytest
from PIL import Image

from generator.base.picture_files import filter_rows, join_packed_rows, read_png_layers, split_transparency


def _noise(mode: str, size: tuple[int, int]) -> Image.Image:
    """Half noise, half a plain field, so that every filter of rows is used."""
    picture = Image.frombytes("RGB", size, random.Random(5).randbytes(3 * size[0] * size[1]))
    picture.paste((90, 20, 200), (0, 0, size[0] // 2, size[1]))
    picture.putpixel((size[0] // 2, size[1] // 2), (255, 255, 255))
    if mode in ("RGBA", "LA"):
        picture.putalpha(Image.linear_gradient("L").resize(size))
    return picture.quantize(40) if mode == "P" else picture.convert(mode)


def _packed(picture: Image.Image, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, format="PNG", **options)
    return out.getvalue()


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (61, 33)])
@pytest.mark.parametrize(
    ("mode", "options"),
    [
        *((mode, {}) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")),
        *(("P", {"bits": bits}) for bits in (4, 8)),
        ("P", {"transparency": 3}),
        ("P", {"transparency": bytes([0, 40, 200])}),
        ("L", {"transparency": 90}),
        ("RGB", {"transparency": (90, 20, 200)}),
        ("1", {"transparency": 0}),
    ],
)
def test_plain_python_reads_the_pixels_that_pillow_reads(
    mode: str, options: dict[str, Any], size: tuple[int, int]
) -> None:
    picture = _noise(mode, size)
    if "bits" in options:
        picture = picture.quantize(1 << options["bits"] if options["bits"] < 8 else 200)
    data = _packed(picture, **options)
    with Image.open(io.BytesIO(data)) as opened:
        plain, alpha = split_transparency(opened)
    assert read_png_layers(data) == (plain.mode, plain.tobytes(), alpha.tobytes() if alpha else b"")


def test_plain_python_reads_interlaced_pictures() -> None:
    """Seven passes over a picture come to the same pixels, also where its rows are shorter than a pass is wide."""
    for width, height in ((1, 1), (3, 9), (19, 11)):
        picture = _noise("RGB", (width, height))
        rows = bytearray()
        for x, y, dx, dy in (
            (0, 0, 8, 8),
            (4, 0, 8, 8),
            (0, 4, 4, 8),
            (2, 0, 4, 4),
            (0, 2, 2, 4),
            (1, 0, 2, 2),
            (0, 1, 1, 2),
        ):
            for down in range(y, height, dy) if x < width else ():
                rows += b"\0" + b"".join(bytes(picture.getpixel((across, down))) for across in range(x, width, dx))
        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 1)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
        data = b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
            for kind, body in chunks
        )
        with Image.open(io.BytesIO(data)) as opened:
            assert opened.tobytes() == picture.tobytes(), "the test's own picture is sound"
        assert read_png_layers(data) == ("RGB", picture.tobytes(), b"")


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_plain_python_filters_rows_as_pillow_does(mode: str) -> None:
    picture = _noise(mode, (53, 31))
    pillows = _packed(picture, compress_level=0)
    assert filter_rows(picture.tobytes(), 53, len(mode)) == zlib.decompress(join_packed_rows(pillows))
