"""A PDF under way: finished objects wait in a temporary file, so that a long document takes no more memory."""

from array import array
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO

from reportlab.pdfbase import pdfdoc

AT_HAND = 4 << 20
"""Bytes of finished objects that wait in memory; a file is made for more."""

_MISSING = -1


class PdfFile(pdfdoc.PDFDocument):  # type: ignore[misc]  # ReportLab ships no types
    """ReportLab's document, to which finished objects come as bytes. They are written in the order of their numbers."""

    def __init__(self, version: tuple[int, int], lang: str):
        super().__init__(compression=1, invariant=1, pdfVersion=version, lang=lang)
        self._waiting = SpooledTemporaryFile(max_size=AT_HAND)  # noqa: SIM115 - until `close`
        self.Catalog.Outlines = None  # ReportLab's own; who has one gives its number
        self._filled = 0
        self._starts, self._lengths = array("q"), array("q")  # by number, where an object's bytes wait

    def reserve(self) -> int:
        """The number of an object whose bytes come later."""
        self.objectcounter += 1
        return int(self.objectcounter)

    def fill(self, number: int, body: bytes) -> None:
        """The bytes between `obj` and `endobj` of a reserved number."""
        while len(self._starts) <= number:
            self._starts.append(_MISSING)
            self._lengths.append(0)
        self._starts[number], self._lengths[number] = self._filled, len(body)
        self._waiting.write(body)
        self._filled += len(body)

    def write(self, out: BinaryIO) -> None:
        """Write the whole document, once, object by object."""
        self.info.digest(self.signature)
        catalog, about = self.Reference(self.Catalog), self.Reference(self.info)
        head = pdfdoc.PDFFile(self._pdfVersion).format(self)
        out.write(head)
        number, place, offsets = 0, len(head), array("q")
        self._waiting.seek(0)
        while number < self.objectcounter:  # there may come more meanwhile
            number += 1
            body = self._body(number)
            whole = b"%d 0 obj\n%s%sendobj\n" % (number, body, b"" if body.endswith(b"\n") else b"\n")
            out.write(whole)
            offsets.append(place)
            place += len(whole)
        out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (number + 1))
        out.write(b"".join([b"%010d 00000 n \n" % offset for offset in offsets]))
        trailer = pdfdoc.PDFTrailer(startxref=place, Size=number + 1, Root=catalog, Info=about, ID=self.ID())
        out.write(trailer.format(self))

    def close(self) -> None:
        """Let go of what waits, written or not."""
        self._waiting.close()

    def _body(self, number: int) -> bytes:
        """An object's bytes; they count towards the document's ID."""
        start = self._starts[number] if number < len(self._starts) else _MISSING
        if start == _MISSING:
            thing: Any = self.idToObject[self.numberToId[number]]
            return bytes(pdfdoc.format(thing, self, toplevel=1))
        if self._waiting.tell() != start:
            self._waiting.seek(start)
        body = self._waiting.read(self._lengths[number])
        self.updateSignature(body)
        return body
