"""The container of a PDF under way: finished objects go out as they come, so that a long document takes no more memory.

ReportLab's document keeps all objects until the end, and packs none of them together.
"""

import hashlib
import sys
from array import array
from typing import BinaryIO

from generator.writers.pdf_objects import stream

HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
"""The version, the first that knows /Duplex, and bytes by which mailers see that the file is no text."""

TOGETHER = 200
"""Objects that are packed as one: readers unpack all of them to get at any."""

MUCH = 1 << 16
"""Bytes of them, after which a pack is full as well."""

_OPEN, _PACKED = 1 << 56, 2 << 56
_FIRST_FREE = 65535


class PdfFile:
    """A PDF that is written to `out` from the first object on; `pages` is the number of the tree of its pages.

    Dictionaries and arrays, which come as text, are packed together; streams, which come as bytes, go out at once.
    """

    def __init__(self, out: BinaryIO):
        self._out = out
        self._length = 0
        self._digest = hashlib.blake2b(digest_size=16)
        self._rows = array("Q", [_FIRST_FREE])  # by number: kind, place in the file or pack, place in that
        self._pack: list[str] = []
        self._packed: list[int] = []  # the numbers of those in the pack
        self._pack_size = self._pack_number = 0
        self._write(HEAD)
        self.pages = self.reserve()

    def reserve(self) -> int:
        """The number of an object that comes later."""
        self._rows.append(0)
        return len(self._rows) - 1

    def fill(self, number: int, body: str | bytes) -> None:
        """What lies between `obj` and `endobj` of a reserved number: ASCII, or a stream's bytes."""
        if isinstance(body, bytes):
            self._rows[number] = _OPEN | self._length << 16
            self._write(b"%d 0 obj\n%sendobj\n" % (number, body))
            return
        if not self._pack:
            self._pack_number = self.reserve()
        self._rows[number] = _PACKED | self._pack_number << 16 | len(self._pack)
        self._pack.append(body)
        self._packed.append(number)
        self._pack_size += len(body)
        if len(self._pack) == TOGETHER or self._pack_size > MUCH:
            self._write_pack()

    def finish(self, root: int, info: int) -> None:
        """Write what there is still to write: `root` is the catalog's number, `info` the document information's."""
        if self._pack:
            self._write_pack()
        number, place = self.reserve(), self._length
        self._rows[number] = _OPEN | place << 16
        if sys.byteorder == "little":
            self._rows.byteswap()
        mark = self._digest.hexdigest()
        entries = f"/Type/XRef/Size {len(self._rows)}/W[1 5 2]/Root {root} 0 R/Info {info} 0 R/ID[<{mark}><{mark}>]"
        self.fill(number, stream(entries, self._rows.tobytes()))
        self._out.write(b"startxref\n%d\n%%%%EOF\n" % place)

    def _write_pack(self) -> None:
        places, at = list[str](), 0
        for number, body in zip(self._packed, self._pack, strict=True):
            places.append(f"{number} {at}")
            at += len(body) + 1
        head = " ".join(places)
        entries = f"/Type/ObjStm/N {len(places)}/First {len(head) + 1}"
        data = "\n".join([head, *self._pack]).encode("ascii")
        self._pack, self._packed, self._pack_size = [], [], 0
        self.fill(self._pack_number, stream(entries, data))

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        self._digest.update(data)
        self._length += len(data)
