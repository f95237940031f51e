"""Bounds of a workbook, checked before it is read: what reads it keeps every element until its row or text ends."""

import zipfile
from collections.abc import Mapping
from xml.parsers import expat

from generator.archives import xml_pieces
from generator.errors import Unfit

MOST_UNPACKED = 512 * 1024 * 1024
"""Bytes of a workbook's parts without compression: what is more was made to do harm."""

_MOST_TAGS: Mapping[str, int] = {"xl/worksheets/": 10_000_000, "xl/sharedStrings": 4_000_000, "": 200_000}
"""Tags of a part by how its name begins: a table of 100,000 rows and 19 columns has 8 million."""

_NOT_READ = (
    "xl/pivot",
    "xl/charts/",
    "xl/drawings/",
    "xl/comments",
    "xl/threadedComments",
    "xl/tables/",
    "xl/calcChain",
)
_BINARY = ("xl/media/", "xl/embeddings/")
_MARKS = ("row", "si")
_MOST_ELEMENTS, _MOST_BYTES, _DEEPEST = 100_000, 16 * 1024 * 1024, 100
"""Elements and bytes from one row, or one text of the table of texts, to the next; elements inside each other."""

_ALONE = "save the table alone, as a workbook of its own"


def check_bounds(archive: zipfile.ZipFile) -> None:
    """Raise Unfit for a workbook that takes far more time or memory to read than any table needs."""
    size = sum(entry.file_size for entry in archive.infolist())
    if size > MOST_UNPACKED:
        raise Unfit(f"the workbook unpacks to {size:,} bytes, more than {MOST_UNPACKED:,}", _ALONE)
    for name in archive.namelist():
        if not name.startswith((*_NOT_READ, *_BINARY)):
            most = next(most for start, most in _MOST_TAGS.items() if name.startswith(start))
            _check_part(archive, name, most)


def _check_part(archive: zipfile.ZipFile, name: str, most: int) -> None:
    parser, tags, depth, elements, begin_of_row = expat.ParserCreate(), 0, 0, 0, 0

    def begin(tag: str, _given: Mapping[str, str]) -> None:
        nonlocal depth, elements, begin_of_row
        depth += 1
        elements += 1
        if depth > _DEEPEST or elements > _MOST_ELEMENTS:
            raise Unfit(f"a row in it has more than {_MOST_ELEMENTS:,} elements, or {_DEEPEST} in each other", _ALONE)
        if tag.rpartition(":")[2] in _MARKS:
            if parser.CurrentByteIndex - begin_of_row > _MOST_BYTES:
                raise Unfit(f"a row in it has more than {_MOST_BYTES:,} bytes", "shorten the texts")
            elements, begin_of_row = 0, parser.CurrentByteIndex

    def end(_tag: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    read = 0
    for piece in xml_pieces(archive, name):
        tags, read = tags + piece.count(b"<"), read + len(piece)
        if tags > most:
            raise Unfit(f"'{name}' in it has more than {most:,} tags", _ALONE)
        try:
            parser.Parse(piece)
        except expat.ExpatError:
            return  # whoever reads it says where
        if read - begin_of_row > 2 * _MOST_BYTES and most > _MOST_TAGS[""]:
            raise Unfit(f"a row in it has more than {_MOST_BYTES:,} bytes", "shorten the texts")
