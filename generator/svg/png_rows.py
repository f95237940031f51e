"""PNG in plain Python, where Pillow has no compiled part: the pixels of a file, and rows as Pillow filters them."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_SIGNATURE = 8
"""Bytes before the first chunk."""

_WHOLE = ((0, 0, 1, 1),)
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of an interlaced PNG: where each begins and how far apart its pixels are, across and down."""

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_GREY, _COLOURS, _PALETTE, _WITH_ALPHA = 0, 2, 3, (4, 6)
_DISTANCES = [min(value, 256 - value) for value in range(256)]
_OPAQUE = 255


class Head(NamedTuple):
    """What a PNG says first of itself."""

    width: int
    height: int
    depth: int
    colour: int
    interlaced: bool

    @property
    def channels(self) -> int:
        """Numbers of each pixel."""
        return _CHANNELS[self.colour]

    def passes(self) -> Iterator[tuple[tuple[int, int, int, int], int, int, int]]:
        """Each pass over the picture that has pixels: where they stand, bytes of a row, rows, pixels of a row."""
        for x, y, dx, dy in _PASSES if self.interlaced else _WHOLE:
            across, rows = (self.width - x + dx - 1) // dx, (self.height - y + dy - 1) // dy
            if across > 0 and rows > 0:
                yield (x, y, dx, dy), (across * self.depth * self.channels + 7) // 8, rows, across

    @property
    def size(self) -> int:
        """Bytes of all rows, each with its filter before it."""
        return sum(rows * (1 + row) for _, row, rows, _ in self.passes())


def head_of(data: bytes) -> Head:
    """The first chunk of a PNG whose chunks are sound."""
    width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
    return Head(width, height, depth, colour, bool(interlaced))


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG: what each is called and holds."""
    at = _SIGNATURE
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length  # length, kind, content, checksum


def packed_rows(data: bytes) -> bytes:
    """The rows of a PNG as they are packed in it."""
    return b"".join(content for kind, content in png_chunks(data) if kind == b"IDAT")


def png_layers(data: bytes) -> tuple[str, bytes, bytes]:
    """A sound PNG's mode (L or RGB), its pixels, and how opaque each is: nothing where all are wholly."""
    head = head_of(data)
    chunks = dict(png_chunks(data))
    samples = _samples(head, packed_rows(data))
    hidden = chunks.get(b"tRNS", b"")
    if head.colour == _PALETTE:
        mode, pixels = "RGB", _painted(samples, chunks[b"PLTE"])
        alpha = samples.translate(hidden.ljust(256, b"\xff")[:256])
    elif head.colour in _WITH_ALPHA:
        mode, pixels = ("L", samples[::2]) if head.colour == _WITH_ALPHA[0] else ("RGB", _without_fourth(samples))
        alpha = samples[head.channels - 1 :: head.channels]
    else:
        mode, pixels = ("L" if head.colour == _GREY else "RGB"), samples
        alpha = _around_colour(samples, head.channels, hidden)
    return mode, pixels, b"" if alpha.count(_OPAQUE) == len(alpha) else alpha


def _painted(samples: bytes, palette: bytes) -> bytes:
    """Indices as colours; what a palette lacks is grey, as Pillow has it."""
    pixels = bytearray(3 * len(samples))
    for channel in range(3):
        values = palette[channel::3][:256]
        pixels[channel::3] = samples.translate(values + bytes(range(len(values), 256)))
    return bytes(pixels)


def _without_fourth(samples: bytes) -> bytes:
    pixels = bytearray(len(samples) // 4 * 3)
    for channel in range(3):
        pixels[channel::3] = samples[channel::4]
    return bytes(pixels)


def _around_colour(samples: bytes, channels: int, hidden: bytes) -> bytes:
    """Opaque but for one colour; Pillow compares with the lower byte of each number."""
    if not hidden:
        return b""
    colour = hidden[1 : 2 * channels : 2]
    step = range(0, len(samples), channels)
    return bytes([0 if samples[at : at + channels] == colour else _OPAQUE for at in step])


def _samples(head: Head, packed: bytes) -> bytes:
    """Every number of every pixel in a byte, row after row: of 16 bits the higher ones."""
    rows = zlib.decompressobj().decompress(packed, head.size)
    step = max(1, head.depth * head.channels // 8)
    out, at, many = bytearray(head.width * head.height * head.channels), 0, head.channels
    for (x, y, dx, dy), length, count, across in head.passes():
        above = bytearray(length)
        for number in range(count):
            above = _unfiltered(rows[at], bytearray(rows[at + 1 : at + 1 + length]), above, step)
            at += 1 + length
            values = _values(above, head)[: across * many]
            first = (y + number * dy) * head.width * many
            for channel in range(many):
                out[first + x * many + channel : first + head.width * many : dx * many] = values[channel::many]
    return bytes(out)


def _values(row: bytearray, head: Head) -> bytes:
    if head.depth >= 8:
        return bytes(row[:: head.depth // 8])
    most = (1 << head.depth) - 1
    scale = 1 if head.colour == _PALETTE else _OPAQUE // most
    shifts = range(8 - head.depth, -1, -head.depth)
    return bytes([(value >> shift & most) * scale for value in row for shift in shifts])


def _unfiltered(kind: int, row: bytearray, above: Sequence[int], step: int) -> bytearray:
    if kind == 2:
        return bytearray([(value + up) & 255 for value, up in zip(row, above, strict=True)])
    for at, value in enumerate(row) if kind else ():
        left, corner = (row[at - step], above[at - step]) if at >= step else (0, 0)
        if kind == 1:
            row[at] = (value + left) & 255
        elif kind == 3:
            row[at] = (value + (left + above[at]) // 2) & 255
        else:
            row[at] = (value + _nearest(left, above[at], corner)) & 255
    return row


def _nearest(left: int, up: int, corner: int) -> int:
    """Of three neighbours the one that is nearest to a plane through them (Paeth)."""
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner


def filtered_rows(pixels: bytes, width: int, channels: int) -> bytes:
    """Pixels as a PNG's rows, each with the filter that Pillow gives it: the one that leaves the smallest numbers."""
    length = width * channels
    rows = [bytes(length), *(pixels[at : at + length] for at in range(0, len(pixels), length))]
    return b"".join(_filtered(row, above, channels) for above, row in pairwise(rows))


def _filtered(row: bytes, above: bytes, step: int) -> bytes:
    left, corner = bytes(step) + row[:-step], bytes(step) + above[:-step]
    best, least = b"\0" + row, _distance(row)
    for kind in (2, 1, 4):  # in this order, so that of two alike the same one wins
        if not least:
            break
        near = {2: above, 1: left}.get(kind) or bytes(map(_nearest, left, above, corner))
        made = bytes([(value - other) & 255 for value, other in zip(row, near, strict=True)])
        if (distance := _distance(made)) < least:
            best, least = bytes([kind]) + made, distance
    return best


def _distance(row: bytes) -> int:
    return sum(map(_DISTANCES.__getitem__, row))
