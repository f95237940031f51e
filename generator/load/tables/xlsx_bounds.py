"""Bounds of a workbook, checked before it is read: what reads it keeps every element until its row or text ends."""

import zipfile
from collections.abc import Mapping
from xml.parsers import expat

from generator.archives import xml_pieces
from generator.errors import Unfit
from generator.load.tables.rows import MOST_CELLS

MOST_UNPACKED = 512 * 1024 * 1024
"""Bytes of a workbook's parts without compression: what is more was made to do harm."""

MOST_TAGS = 8_000_000
"""Tags of all parts together: 100,000 rows of 19 numbers or shared texts have as many, some 15 seconds of work."""

_MOST_OF: Mapping[str, int] = {"xl/worksheets/": MOST_TAGS, "xl/sharedStrings": 2_000_000, "": 200_000}
"""Tags of a part by how its name begins."""

_NOT_READ = (
    "xl/calcChain", "xl/charts/", "xl/comments", "xl/drawings/", "xl/embeddings/", "xl/media/", "xl/pivot",
    "xl/tables/", "xl/threadedComments",
)  # fmt: skip
_MARKS = ("row", "si")
_MOST_ELEMENTS, _MOST_BYTES, _DEEPEST = 100_000, 16 * 1024 * 1024, 100
"""Elements and bytes from one row, or one text of the table of texts, to the next; elements inside each other."""

_ALONE = "save the table alone, as a workbook of its own"


def check_bounds(archive: zipfile.ZipFile) -> None:
    """Raise Unfit for a workbook that takes far more time or memory to read than any table needs."""
    size = sum(entry.file_size for entry in archive.infolist())
    if size > MOST_UNPACKED:
        raise Unfit(f"the workbook unpacks to {size:,} bytes, more than {MOST_UNPACKED:,}", _ALONE)
    left = MOST_TAGS
    for name in archive.namelist():
        if name.startswith(_NOT_READ):
            continue
        start = next(start for start in _MOST_OF if name.startswith(start))
        most, tags, rows = min(left, _MOST_OF[start]), 0, _RowBounds()
        for piece in xml_pieces(archive, name):
            tags += piece.count(b"<")
            if tags > most:
                raise _too_many_tags(name, most if most < left else 0)
            if start:
                rows.read(piece)
        left -= tags


def _too_many_tags(part: str, most: int) -> Unfit:
    """Return what is wrong with a part that has more tags than such parts may have, 0: than all may have together."""
    if most:
        return Unfit(f"'{part}' in it has more than {most:,} tags", _ALONE)
    what = f"it has more than {MOST_TAGS:,} tags, as 1,300,000 cells with formulas or 1,900,000 without have"
    return Unfit(what, f"{_ALONE}, or as CSV UTF-8")


class _RowBounds:
    """Follows a part from row to row, or from text to text; what is no XML is left to whoever reads it."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._begin, self._end
        self._depth = self._elements = self._cells = self._begun = self._read = 0
        self._broken = False

    def read(self, piece: bytes) -> None:
        """Take in the next piece of the part; raise Unfit for a row that has far too much in it."""
        self._read += len(piece)
        try:
            if not self._broken:
                self._parser.Parse(piece)
        except expat.ExpatError:
            self._broken = True
        if not self._broken and self._read - self._begun > 2 * _MOST_BYTES:
            self._check_bytes(self._read)

    def _begin(self, tag: str, _given: Mapping[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > _DEEPEST or self._elements > _MOST_ELEMENTS:
            raise Unfit(f"a row in it has more than {_MOST_ELEMENTS:,} elements, or {_DEEPEST} in each other", _ALONE)
        name = tag.rpartition(":")[2]
        if name == "c":
            self._cells += 1
            if self._cells > MOST_CELLS:
                raise Unfit(f"a sheet in it has more than {MOST_CELLS:,} cells, empty ones too", _ALONE)
        elif name in _MARKS:
            self._check_bytes(self._parser.CurrentByteIndex)
            self._elements, self._begun = 0, self._parser.CurrentByteIndex

    def _end(self, _tag: str) -> None:
        self._depth -= 1

    def _check_bytes(self, at: int) -> None:
        if at - self._begun > _MOST_BYTES:
            raise Unfit(f"a row in it has more than {_MOST_BYTES:,} bytes", "shorten the texts")
