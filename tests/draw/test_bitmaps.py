"""Damaged pictures are refused where they are found, whatever is wrong with them; whole ones pass."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from generator.base.errors import InvalidInput
from generator.base.picture_files import read_checked_picture


def saved(mode: str = "RGB", kind: str = "PNG", size: tuple[int, int] = (40, 30), **how: object) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert(mode).save(out, format=kind, **how)
    return out.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*chunks: bytes, colour: int = 2, depth: int = 8, rows: bytes = zlib.compress(bytes(31 * 40 * 4))) -> bytes:
    """A PNG of 40 x 30 pixels made of parts."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


JPEG = saved(kind="JPEG", size=(400, 300))
PNG = saved()
BOMB = zlib.compress(bytes(80_000_000))
DAMAGED = {
    "JPEG cut in the middle": JPEG[: len(JPEG) // 2],
    "JPEG cut near its end": JPEG[:-20],
    "PNG cut": PNG[: len(PNG) * 2 // 3],
    "a wrong checksum": PNG[:-20] + bytes([PNG[-20] ^ 1]) + PNG[-19:],
    "data that don't unpack": png(rows=b"\x78\x9cnonsense"),
    "too few rows": png(rows=zlib.compress(bytes(5 * 121))),
    "an unknown filter of rows": png(rows=zlib.compress(b"\x09" + bytes(31 * 40 * 4))),
    "no palette": png(colour=3, rows=zlib.compress(bytes(30 * 41))),
    "torn transparency": png(chunk(b"tRNS", b"\0")),
    "torn gamma": png(chunk(b"gAMA", b"")),
    "torn resolution": png(chunk(b"pHYs", b"\0")),
    "torn animation": png(chunk(b"acTL", b"\0")),
    "a bomb of text": png(chunk(b"zTXt", b"a\0\0" + BOMB)),
    "a bomb of a profile": png(chunk(b"iCCP", b"a\0\0" + BOMB)),
    "an impossible depth": png(depth=3),
    "a scan again and again": JPEG[:-2] + b"\xff\xda\0\x0c\3\1\0\2\x11\3\x11\0\x3f\0" * 30_000 + JPEG[-2:],
    "nothing": b"",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_pictures_are_refused(tmp_path: Path, name: str) -> None:
    """Whatever PIL stumbles over, at once or while it decodes, is said of the picture by its name."""
    path = tmp_path / "p.png"
    path.write_bytes(DAMAGED[name])
    with pytest.raises(InvalidInput, match=r"picture|'art/p\.png' is not") as unfit:
        read_checked_picture(path, "art/p.png")
    assert "art/p.png" in str(unfit.value)
    assert unfit.value.hint


@pytest.mark.parametrize(("mode", "kind"), [("RGB", "PNG"), ("RGBA", "PNG"), ("P", "PNG"), ("1", "PNG"), ("LA", "PNG"), ("I;16", "PNG"), ("L", "JPEG"), ("CMYK", "JPEG")])  # fmt: skip
def test_whole_pictures_pass(tmp_path: Path, mode: str, kind: str) -> None:
    path = tmp_path / "p.png"
    for how in ({}, {"progressive": True}) if kind == "JPEG" else ({},):
        path.write_bytes(saved(mode, kind, **how))
        assert read_checked_picture(path, "p.png") == (path.read_bytes(), (40, 30, False))
