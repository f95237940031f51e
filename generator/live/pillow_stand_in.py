"""Stands for Pillow's compiled parts in a site, which copies this file as PIL/_imaging.py and PIL/_webp.py.

codecs.js does the work. All other functions of Pillow that need pixels report that they are missing.
"""

import struct
from collections.abc import Callable
from typing import Any, NoReturn

from generator.base.errors import InvalidInput, Problem, ProblemsFound

PILLOW_VERSION = "VERSION"
STANDS_IN = True


def decode(form: str, mode: str, data: bytes) -> bytes:
    """Return a file's pixels: RGBA for `form` WEBP, else a JPEG's in this mode. Raise InvalidInput if it is damaged."""
    return _ask("decodeWebp", data) if form == "WEBP" else _ask("decodeJpeg", data, mode)


def unfilter(rows: bytes, length: int, step: int) -> bytes:
    """Return a PNG's pixels from rows of 1 (filter) + `length` bytes, `step` bytes a pixel, without the filters."""
    return _ask("unfilter", rows, length, step)


def filter_rows(pixels: bytes, length: int, step: int) -> bytes:
    """Return rows of `length` bytes, `step` bytes a pixel, as rows of a PNG, each with the filter Pillow chooses."""
    return _ask("filter", pixels, length, step)


def turn(pixels: bytes, size: tuple[int, int], step: int, orientation: int) -> bytes:
    """Return an image of (width, height) and `step` bytes a pixel turned upright by its Exif orientation (1 to 8)."""
    return _ask("turn", pixels, *size, step, orientation)


def mix_inks(pixels: bytes) -> bytes:
    """Convert pixels of cyan, magenta, yellow and black (a byte each) to RGB."""
    return _ask("mix", pixels)


def _ask(name: str, data: bytes, *values: object) -> bytes:
    from js import codecs  # type: ignore[import-not-found]  # only browsers have it, and a copy of memory keeps none
    from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

    try:
        return bytes(getattr(codecs, name)(to_js(data), *values).to_bytes())
    except JsException as error:
        raise InvalidInput(f"it is damaged: {error.message}", "save it again") from None


class WebPAnimDecoder:
    """The header of a WebP, as Pillow asks for it."""

    def __init__(self, data: bytes):
        self._chunks: dict[str, bytes] = {}
        at = 12
        while at + 8 <= len(data):
            name, length = struct.unpack_from("<4sI", data, at)
            self._chunks.setdefault(name.decode("latin-1"), data[at + 8 : at + 8 + length])
            at += 8 + length + length % 2

    def get_info(self) -> tuple[tuple[int, int], int, int, int, str]:
        """Return size, repetitions, background, number of frames (at most 2) and mode."""
        several = 2 if "ANMF" in self._chunks else 1
        if head := self._chunks.get("VP8X"):
            width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (4, 7))
            return (width, height), 0, 0, several, "RGBA" if head[0] & 16 else "RGBX"
        if head := self._chunks.get("VP8L"):
            (bits,) = struct.unpack_from("<I", head, 1)
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1), 0, 0, 1, "RGBA" if bits >> 28 & 1 else "RGBX"
        width, height = struct.unpack_from("<HH", self._chunks["VP8 "], 6)
        return (width & 0x3FFF, height & 0x3FFF), 0, 0, 1, "RGBX"

    def get_chunk(self, name: str) -> bytes | None:
        """Return the contents of a chunk, or None."""
        return self._chunks.get(name)

    def reset(self) -> None:
        """Do nothing: no frame is decoded here."""


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("_") or name.isupper():
        raise AttributeError(name)

    def missing(*_arguments: object, **_options: object) -> NoReturn:
        what = "this needs pictures made or changed pixel by pixel, which this site can't do"
        raise ProblemsFound([Problem(None, what, "use the installed program")])

    return missing
