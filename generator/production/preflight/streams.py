"""Content streams as instructions, after a look at how much they unpack to."""

import zlib
from typing import Any

import pikepdf

_MOST_BYTES = 200_000_000
_MOST_PACKED = 10_000_000  # bytes that are packed once more
_NEVER_TOO_MUCH = _MOST_BYTES // 1100  # deflate packs about a thousandfold at best


def content_of(thing: Any) -> list[Any]:
    """The instructions of a page's or form's content; ValueError when it would unpack beyond every bound."""
    contents = thing.get("/Contents") if not isinstance(thing, pikepdf.Stream) else thing
    if contents is None:
        return []
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    for part in parts:
        if isinstance(part, pikepdf.Stream):
            check_bulk(part)
    return list(pikepdf.parse_content_stream(thing))


def check_bulk(stream: pikepdf.Stream) -> None:
    """ValueError when a stream unpacks to more than any page needs."""
    if int(stream.get("/Length", 0)) < _NEVER_TOO_MUCH and not isinstance(stream.get("/Filter"), pikepdf.Array):
        return
    raw = stream.read_raw_bytes()
    if len(raw) < _NEVER_TOO_MUCH // 1000:
        return
    if len(raw) > _MOST_BYTES:
        raise ValueError(f"it holds more than {_MOST_BYTES} bytes")
    try:
        unpacked = zlib.decompressobj().decompress(raw, _MOST_BYTES)
    except zlib.error:
        return  # packed in another way: the reader will see
    if len(unpacked) >= _MOST_BYTES:
        raise ValueError(f"it unpacks to more than {_MOST_BYTES} bytes")
    packed = stream.get("/Filter")
    if isinstance(packed, pikepdf.Array) and len(list(packed)) > 1 and len(unpacked) > _MOST_PACKED:
        raise ValueError("it is packed several times over")
